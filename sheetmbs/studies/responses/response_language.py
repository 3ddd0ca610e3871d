"""The language of responses: that of expressions, with columns of results and functions that make one number of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sheetmbs.schema import tokens
from sheetmbs.schema.expression import (
    CONSTANTS,
    FUNCTIONS,
    LEVELS,
    Expression,
    Parser,
    Reduce,
    Term,
    Variable,
    completed,
)
from sheetmbs.schema.names import did_you_mean
from sheetmbs.schema.tokens import ExpressionError, Token


class Reduction(NamedTuple):
    """A function of columns. columns: how many come first; usage: how it is written."""

    columns: int
    numbers: int
    usage: str


REDUCTIONS = {
    **{name: Reduction(1, 0, f"{name}(column)") for name in ("min", "max", "mean", "rms", "range")},
    **{name: Reduction(1, 0, f"{name}(column)") for name in ("first", "last", "sum")},
    **{name: Reduction(2, 1, f"{name}(column, x, value)") for name in ("at", "slope", "when")},
}
SYNONYMS = {
    **dict.fromkeys(("average", "avg"), "mean(column)"),
    **dict.fromkeys(("maximum", "peak"), "max(column)"),
    "minimum": "min(column)",
    **dict.fromkeys(("integral", "integrate"), "sum(column), which over time is the integral"),
    **dict.fromkeys(("final", "end"), "last(column)"),
    **dict.fromkeys(("initial", "start"), "first(column)"),
    **dict.fromkeys(("peak_to_peak", "ptp", "span"), "range(column)"),
}
"""what other programs call these functions"""
EXAMPLE = "write for example max(slider.x) or at(wheel.z, time, 0.5)"


MEASURED = re.compile(r"(?<![\w.'])measured\s*\(\s*('(?:[^']|'')*'|[^()']*?)\s*\)", re.IGNORECASE)
"""the rms residual of a measurement, whose name needs no quotes"""


def _as_column(found: re.Match[str]) -> str:
    """The residual of a measurement as the quoted name of a column."""
    name = found[1]
    bare = name[1:-1].replace("''", "'") if name.startswith("'") else name
    return "'" + f"measured({bare})".replace("'", "''") + "'"


def parse_response(
    text: str,
    is_column: Callable[[str], bool],
    *,
    is_series: bool = False,
    has_one_row: Callable[[str], bool] | None = None,
) -> Expression:
    """Parse the text of a response.

    is_column: tells whether there is a result column of a name. is_series: a column is wanted, for a target curve; otherwise
    one number. has_one_row: tells whether a column is one number, as of a pose or a load case. ``measured(name)`` is a column
    too. Raises ExpressionError.
    """
    text = MEASURED.sub(_as_column, text)

    def parsed(written: str) -> Expression:
        return _ResponseParser(written, is_column, has_one_row or _never, is_series=is_series).parse()

    try:
        return parsed(text)
    except ExpressionError as error:
        raise completed(error, text, parsed) from None


def _never(_name: str) -> bool:
    return False


class _ResponseParser(Parser):
    def __init__(
        self, text: str, is_column: Callable[[str], bool], has_one_row: Callable[[str], bool], *, is_series: bool
    ) -> None:
        super().__init__(text, is_column)
        self.wants_series, self.has_one_row = is_series, has_one_row

    def parse(self) -> Expression:
        if len(self.tokens) == 1:
            raise ExpressionError(0, "an empty expression", "a result column or an expression is needed", EXAMPLE)
        term = self.binary(0)
        if self.next.kind != "end":
            raise self.not_an_end()
        self.need_number(term, "the whole expression")
        if term.is_series and not self.wants_series and not all(map(self.has_one_row, self.names)):
            problem = "this is a column, which has a value in every row, and a response is one number"
            raise ExpressionError(
                0, f"'{self.text.strip()}'", problem, f"choose one number, for example max({self.text.strip()})"
            )
        if self.wants_series and not term.is_series:
            problem = "a target curve needs a result column to compare with, and this is one number"
            raise ExpressionError(0, f"'{self.text.strip()}'", problem, "name the column alone")
        return Expression(self.text, term.node, tuple(self.names))

    def named(self, token: Token) -> Term:
        """A column, a constant or the call of a function."""
        word = token.name.casefold()
        is_call = self.next.text == "(" and not token.text.startswith("'")
        if is_call and (word in REDUCTIONS or word in FUNCTIONS):
            return self.call(token, word)
        if not is_call and self.is_variable is not None and self.is_variable(token.name):
            return Term(self.variable(token), token, is_series=True)
        if word == "pi" and not token.text.startswith("'"):
            return super().named(token)
        if word in {**REDUCTIONS, **FUNCTIONS} and not is_call:
            raise tokens.error(token, f"{word} is a function and needs its arguments in parentheses", self._usage(word))
        if is_call:
            known = [*REDUCTIONS, *FUNCTIONS]
            otherwise = f"known are {', '.join(sorted({*known}))}"
            mend = f"write {SYNONYMS[word]}" if word in SYNONYMS else did_you_mean(token.name, known, otherwise)
            raise tokens.error(token, "there is no such function", mend)
        raise tokens.error(token, "there is no such result column", "look up the headers of the sheets mbs ..")

    def variable(self, token: Token) -> Variable:
        if self.is_variable is None or not self.is_variable(token.name):
            raise tokens.error(token, "there is no such result column", "look up the headers of the sheets mbs ..")
        return super().variable(token)

    def called(self, token: Token, word: str, arguments: list[Term], end: Token) -> Term:
        """A function of columns, or one of all expressions."""
        reduction = REDUCTIONS.get(word)
        if reduction is None or (word in FUNCTIONS and len(arguments) != 1):
            return super().called(token, word, arguments, end)
        count = reduction.columns + reduction.numbers
        if len(arguments) != count:
            needed = f"{count} argument{'s' * (count > 1)}"
            problem = f"{word} takes {needed}, not {len(arguments)}"
            raise tokens.error(token, problem, self._usage(word))
        for place, term in enumerate(arguments):
            self.need_number(term, f"'{word}'")
            if place < reduction.columns and not term.is_series:
                raise tokens.error(term.first, f"{word} needs a column here, not one number", self._usage(word))
            if place >= reduction.columns and term.is_series:
                raise tokens.error(term.first, f"{word} needs one number here, not a column", self._usage(word))
        depth = 1 + max(term.depth for term in arguments)
        return Term(Reduce(word, tuple(term.node for term in arguments)), token, depth=depth)

    @staticmethod
    def _usage(word: str) -> str:
        usage = REDUCTIONS[word].usage if word in REDUCTIONS else tokens.USAGE.get(word, f"{word}(x)")
        return f"write {usage}"


RESERVED_WORDS = frozenset({*REDUCTIONS, *FUNCTIONS, *CONSTANTS, *LEVELS, "not"})
"""names of columns that need quotes in a response"""
