"""Expressions of time and motion: a small language with its own parser; nothing is ever evaluated as Python.

From loosest to tightest: ``or``, ``and``, ``not``, one of ``< <= > >=``, ``+ -``, ``* /``, a leading ``+ -``, ``^`` or
``**`` (right to left, so -2^2 = -4 and 2^3^2 = 512). Comparisons give conditions, which only ``if``, ``and``, ``or`` and
``not`` take; everything else takes and gives numbers. Names are matched without regard to case. A motion column is
written as ``slider.vx``, or ``'my slider'.vx`` when the name has characters other than letters, digits and ``_``; a
single quote within such a name is doubled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sheetmbs.engine.operations import Operation
from sheetmbs.schema.tokens import ExpressionError, Token, tokenize

__all__ = ["Apply", "Expression", "ExpressionError", "Node", "Number", "Time", "Variable", "parse"]

MAX_NESTING = 50
MAX_DEPTH = 250
MANY = 1000


@dataclass(frozen=True, slots=True)
class Number:
    """A constant."""

    value: float


@dataclass(frozen=True, slots=True)
class Time:
    """The time, s."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A motion column. index: its place in `Expression.variables`."""

    index: int


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation on its arguments. A condition is a number that is 0 or not; ``and``, ``or``, ``not`` are IF."""

    operation: Operation
    arguments: tuple[Node, ...]


Node = Number | Time | Variable | Apply


@dataclass(frozen=True)
class Expression:
    """A parsed expression. text: as written. variables: motion columns in order of first use, as first written."""

    text: str
    variables: tuple[str, ...] = ()
    tree: Node = field(default=Number(0.0), repr=False, compare=False)


class Term(NamedTuple):
    """What the parser holds of a part already read. depth: levels of its tree. first: where it begins."""

    node: Node
    is_condition: bool
    depth: int
    first: Token


class Function(NamedTuple):
    """A function users may call, with the least and greatest number of its arguments."""

    operation: Operation
    least: int
    most: int


CONSTANTS: dict[str, Node] = {"t": Time(), "pi": Number(math.pi)}
FUNCTIONS = {
    name: Function(Operation[name.upper()], 1, 1)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "abs", "sign")
} | {
    "atan2": Function(Operation.ATAN2, 2, 2),
    "min": Function(Operation.MIN, 2, MANY),
    "max": Function(Operation.MAX, 2, MANY),
    "step": Function(Operation.STEP, 5, 5),
    "if": Function(Operation.IF, 3, 3),
}
SYNONYMS = {
    "ln": "write log, the natural logarithm",
    "lg": "write log(x)/log(10)",
    "log10": "write log(x)/log(10)",
    "log2": "write log(x)/log(2)",
    "arcsin": "write asin",
    "arccos": "write acos",
    "arctan": "write atan",
    "arctan2": "write atan2",
    "pow": "write a^b",
    "power": "write a^b",
    "sgn": "write sign",
    "fabs": "write abs",
    "time": "write t",
    "e": "write exp(1)",
    "deg": "angles are in radians: multiply by pi/180",
    "degrees": "angles are in radians: multiply by pi/180",
    "radians": "multiply by pi/180",
    "rad": "leave it out, angles are in radians",
    "true": "write a comparison",
    "false": "write a comparison",
    "else": "write if(condition, a, b)",
    "then": "write if(condition, a, b)",
}
LEVELS = {"or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "^": 8}
NOT_LEVEL, COMPARISON_LEVEL, SIGN_LEVEL, POWER_LEVEL = 3, 4, 7, 8
ARITHMETIC = {
    "+": Operation.ADD,
    "-": Operation.SUBTRACT,
    "*": Operation.MULTIPLY,
    "/": Operation.DIVIDE,
    "^": Operation.POWER,
}
COMPARISONS = {"<": Operation.LESS, "<=": Operation.LESS_EQUAL, ">": Operation.LESS, ">=": Operation.LESS_EQUAL}
WORDS = ("and", "or", "not")
EXAMPLE = "see the page on expressions, for example 0.1*sin(2*pi*t)"


def parse(text: str, variables: Callable[[str], bool] | None = None) -> Expression:
    """Read an expression.

    variables: tells whether a motion column exists, given its name without quotes; None allows none, only ``t``.
    Raises ExpressionError.
    """
    return _Parser(text, variables).parse()


class _Parser:
    """Precedence climbing (Richards 1979) over a list of tokens."""

    def __init__(self, text: str, variables: Callable[[str], bool] | None) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.place = 0
        self.nesting = 0
        self.is_variable = variables
        self.names: list[str] = []
        self.open: list[str] = []

    def parse(self) -> Expression:
        if self.tokens[0].kind == "end":
            raise ExpressionError(0, "an empty expression", "a number or an expression is needed", EXAMPLE)
        term = self.binary(0)
        if self.next.kind != "end":
            raise self.not_an_end()
        self.need_number(term, "the whole expression")
        return Expression(self.text, tuple(self.names), term.node)

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def binary(self, level: int) -> Term:
        """Operands joined by operators that bind at least as tightly as ``level``."""
        left = self.prefix()
        while True:
            operator = self.operator()
            own = LEVELS.get(operator, -1)
            if own < max(level, 0) or own == -1:
                return left
            token = self.take()
            right = self.binary(own + 1 if operator != "^" else SIGN_LEVEL)
            left = self.join(operator, token, left, right)

    def operator(self) -> str:
        """The next token if it may join two operands, else ``""``."""
        token = self.next
        word = token.name.casefold()
        if token.kind == "name" and word in ("and", "or"):
            return word
        return token.text if token.kind == "operator" and token.text in LEVELS else ""

    def join(self, operator: str, token: Token, left: Term, right: Term) -> Term:
        if operator in ("and", "or"):
            self.need_condition(left, f"'{operator}'")
            self.need_condition(right, f"'{operator}'")
            yes, no = (right.node, Number(0.0)) if operator == "and" else (Number(1.0), right.node)
            return self.apply(Operation.IF, (left.node, yes, no), [left, right], token, is_condition=True)
        if operator in COMPARISONS:
            if left.is_condition and isinstance(left.node, Apply) and left.node.operation != Operation.IF:
                problem = "comparisons cannot be chained"
                raise self.error(token, problem, "join two comparisons by and, for example 0 < t and t < 1")
            self.need_number(left, f"'{operator}'")
            self.need_number(right, f"'{operator}'")
            pair = (left, right) if operator in ("<", "<=") else (right, left)
            nodes = (pair[0].node, pair[1].node)
            return self.apply(COMPARISONS[operator], nodes, [left, right], token, is_condition=True)
        self.need_number(left, f"'{operator}'")
        self.need_number(right, f"'{operator}'")
        return self.apply(ARITHMETIC[operator], (left.node, right.node), [left, right], token)

    def prefix(self) -> Term:
        """An operand with what stands in front of it. Every way down passes here, so nesting is counted here."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            problem = f"parentheses, signs and powers are nested more than {MAX_NESTING} deep"
            raise self.error(self.next, problem, "simplify the expression, or give it as a curve")
        token = self.next
        if token.kind == "operator" and token.text in ("+", "-"):
            self.take()
            operand = self.binary(SIGN_LEVEL)
            self.need_number(operand, f"'{token.text}'")
            term = operand if token.text == "+" else self.negated(operand, token)
        elif token.kind == "name" and token.text.casefold() == "not":
            self.take()
            operand = self.binary(NOT_LEVEL)
            self.need_condition(operand, "'not'")
            nodes = (operand.node, Number(0.0), Number(1.0))
            term = self.apply(Operation.IF, nodes, [operand], token, is_condition=True)
        else:
            term = self.operand()
        self.nesting -= 1
        return term

    def negated(self, operand: Term, token: Token) -> Term:
        if isinstance(operand.node, Number):
            return Term(Number(-operand.node.value), is_condition=False, depth=1, first=token)
        return self.apply(Operation.NEGATE, (operand.node,), [operand], token)

    def operand(self) -> Term:
        token = self.take()
        if token.kind == "number":
            value = float(token.text)
            if math.isinf(value):
                raise self.error(token, "the number is too large", "use a number below 1e308")
            return Term(Number(value), is_condition=False, depth=1, first=token)
        if token.kind == "name":
            return self.named(token)
        if token.text == "(":
            self.open.append("")
            term = self.binary(0)
            self.close(token)
            return term
        self.place -= 1
        raise self.not_an_operand()

    def named(self, token: Token) -> Term:
        word = token.name.casefold()
        is_call = self.next.text == "("
        if token.text.startswith("'") or "." in token.name:
            return Term(self.variable(token), is_condition=False, depth=1, first=token)
        if word in FUNCTIONS:
            if not is_call:
                raise self.function_without_parentheses(token, word)
            return self.call(token, word)
        if word in CONSTANTS:
            if is_call and word == "pi" and self.tokens[self.place + 1].text == ")":
                self.place += 2  # as spreadsheets write it
            elif is_call:
                raise self.error(token, f"{word} is not a function", f"write {word}*( if a product is meant")
            return Term(CONSTANTS[word], is_condition=False, depth=1, first=token)
        if word in WORDS:
            raise self.error(token, "something to work on is missing before it", "write a comparison on either side")
        raise self.unknown_name(token, word, is_call=is_call)

    def variable(self, token: Token) -> Variable:
        if self.is_variable is None:
            raise self.error(token, "only the time t may vary in this expression", "use t, numbers and functions")
        if not self.is_variable(token.name):
            mend = "write the name of a body or point, a point and a column, for example slider.vx"
            raise self.error(token, "there is no such motion column", mend)
        folded = [_fold(name) for name in self.names]
        if _fold(token.name) not in folded:
            self.names.append(token.name)
            return Variable(len(self.names) - 1)
        return Variable(folded.index(_fold(token.name)))

    def call(self, token: Token, word: str) -> Term:
        """A function with its arguments in parentheses."""
        function = FUNCTIONS[word]
        bracket = self.take()
        self.open.append(word)
        arguments = []
        if self.next.text != ")":
            arguments.append(self.binary(0))
            while self.next.text == ",":
                self.take()
                arguments.append(self.binary(0))
        self.close(bracket)
        self.check_count(token, word, len(arguments))
        for place, argument in enumerate(arguments):
            if word == "if" and place == 0:
                self.need_condition(argument, "'if' as its first argument")
            else:
                self.need_number(argument, f"'{word}'")
        if word == "step":
            self.check_step(arguments)
        if word in ("min", "max"):
            term = arguments[0]
            for argument in arguments[1:]:
                term = self.apply(function.operation, (term.node, argument.node), [term, argument], token)
            return term._replace(first=token)
        nodes = tuple(argument.node for argument in arguments)
        return self.apply(function.operation, nodes, arguments, token)._replace(first=token)

    def close(self, bracket: Token) -> None:
        """Take the closing parenthesis."""
        if self.next.text != ")":
            if self.next.kind == "end":
                found = f"'(' at character {bracket.start + 1}"
                raise ExpressionError(bracket.start, found, "it is never closed", "add the missing )")
            raise self.not_an_end()
        self.take()
        self.open.pop()

    def apply(
        self,
        operation: Operation,
        nodes: tuple[Node, ...],
        terms: list[Term],
        token: Token,
        *,
        is_condition: bool = False,
    ) -> Term:
        depth = 1 + max(term.depth for term in terms)
        if depth > MAX_DEPTH:
            problem = f"more than {MAX_DEPTH} operations depend on each other"
            raise self.error(token, problem, "split the expression over several rows, or give it as a curve")
        return Term(Apply(operation, nodes), is_condition, depth, terms[0].first)

    def need_number(self, term: Term, what: str) -> None:
        if term.is_condition:
            mend = "turn it into a number by if(condition, 1, 0), or group it by parentheses"
            raise self.error(term.first, f"a condition begins here where {what} needs a number", mend)

    def need_condition(self, term: Term, what: str) -> None:
        if not term.is_condition:
            mend = "write a comparison, for example t < 1"
            raise self.error(term.first, f"a number begins here where {what} needs a condition", mend)

    def check_count(self, token: Token, word: str, count: int) -> None:
        function = FUNCTIONS[word]
        if function.least <= count <= function.most:
            return
        number = f"{function.least} or more" if function.most == MANY else str(function.least)
        plural = "" if function.most == 1 else "s"
        problem = f"{word} takes {number} argument{plural}, not {count}"
        mend = f"write {USAGE.get(word, f'{word}(x)')}"
        inside = self.text[token.start : self.tokens[self.place - 1].end]
        if count > function.most and re.search(r"[0-9],[0-9]", inside):
            mend += "; decimals are written with a point, as in 1.5"
        raise self.error(token, problem, mend)

    def check_step(self, arguments: list[Term]) -> None:
        begin, end = arguments[1], arguments[3]
        both = isinstance(begin.node, Number) and isinstance(end.node, Number)
        if both and end.node.value <= begin.node.value:  # type: ignore[union-attr]
            raise self.error(
                end.first, "the end of a step must come after its start", f"write {USAGE['step']}, t0 < t1"
            )

    def error(self, token: Token, problem: str, mend: str) -> ExpressionError:
        return ExpressionError(token.start, token.where(), problem, mend)

    def not_an_operand(self) -> ExpressionError:
        """Explain a token where a number, name or parenthesis should begin."""
        token = self.next
        if token.kind == "end":
            return self.error(token, "the expression breaks off", "add what is missing, or remove the last operator")
        if token.text == ")" and self.open:
            return self.error(token, "a number or name is missing before it", "fill the parentheses")
        if token.text == ")":
            return self.error(token, "no parenthesis is open here", "remove it")
        return self.error(
            token, "a number, a name or ( should stand here", "add what is missing, or remove the operator"
        )

    def not_an_end(self) -> ExpressionError:
        """Explain a token behind a complete operand that is neither an operator nor an end."""
        token, before = self.next, self.tokens[self.place - 1]
        if token.text == ")":
            return self.error(token, "no parenthesis is open here", "remove it")
        if token.text == ",":
            after = self.tokens[self.place + 1]
            if before.kind == "number" and after.kind == "number":
                mend = f"write {before.text}.{after.text}"
                return self.error(token, "decimals are written with a point, not a comma", mend)
            return self.error(token, "commas stand only between the arguments of a function", "remove it")
        if before.kind == "name" and token.kind in ("name", "number"):
            mend = f"put an operator between, or quotes around a name with blanks, as in '{before.text} {token.text}'"
            unit = SYNONYMS.get(token.name.casefold())
            return self.error(token, "an operator is missing before it", unit or mend)
        mend = SYNONYMS.get(token.name.casefold()) or f"write {before.text}*{token.text} if a product is meant"
        return self.error(token, "an operator is missing before it", mend)

    def function_without_parentheses(self, token: Token, word: str) -> ExpressionError:
        after = self.next
        problem = f"{word} is a function and needs its arguments in parentheses"
        if after.kind in ("number", "name") and word not in USAGE:
            return self.error(token, problem, f"write {word}({after.text})")
        return self.error(token, problem, f"write {USAGE.get(word, f'{word}(x)')}")

    def unknown_name(self, token: Token, word: str, *, is_call: bool) -> ExpressionError:
        from difflib import get_close_matches  # noqa: PLC0415 - needed in a message only

        known = list(FUNCTIONS) if is_call else [*CONSTANTS, *FUNCTIONS]
        near = get_close_matches(word, known, n=1, cutoff=0.6)
        if word in SYNONYMS:
            mend = SYNONYMS[word]
        elif near:
            mend = f"did you mean {near[0]}?"
        elif self.is_variable is not None and not is_call:
            mend = "motion columns are written as slider.vx, names with blanks or hyphens as 'my slider'.vx"
        else:
            mend = f"known are {', '.join(sorted([*CONSTANTS, *FUNCTIONS]))}"
        return self.error(token, "there is no such function" if is_call else "this name is not known", mend)


USAGE = {
    "atan2": "atan2(y, x)",
    "min": "min(a, b)",
    "max": "max(a, b)",
    "step": "step(t, t0, y0, t1, y1)",
    "if": "if(condition, a, b)",
}


def _fold(name: str) -> str:
    return re.sub(r"[\s_-]", " ", name).casefold()
