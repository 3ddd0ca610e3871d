"""The child process in which the library of formulas works: requests and answers are JSON (see `formula_library`).

A panic of the library, memory that it cannot get, and time that it uses up end this process; the other side reports it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import formualizer
from formualizer import EvaluationConfig, ExcelEvaluationError, LiteralValue, WorkbookConfig
from formualizer import Workbook as EngineBook

from sheetmbs.formulas.engine_functions import register_functions
from sheetmbs.formulas.engine_terms import ENGINE_WORDS, NOT_MADE_WORD

NAMES = {kind: name for name, kind in ENGINE_WORDS.items()}
UNREADABLE = (formualizer.TokenizerError, formualizer.ParserError, RuntimeError, ValueError, ExcelEvaluationError)


def answer(request: bytes) -> bytes:
    """The answer to a request: its item ``do`` names what is to be done, the others are its arguments."""
    content = json.loads(request)
    return json.dumps(DO[content.pop("do")](**content)).encode()


class _Filled:
    """The workbook of the engine. places: sheet, row, column of each formula."""

    def __init__(self, *, epoch_1904: bool) -> None:
        config = EvaluationConfig()
        config.enable_parallel = False  # studies have a process on every core
        if epoch_1904:
            config.date_system = "1904"
        self.book = EngineBook(config=WorkbookConfig(eval_config=config))
        self.book.set_temporal_egress("serial")
        self.book.set_changelog_enabled(False)  # it would keep every value of every variant, for undoing
        register_functions(self.book)
        self.places: list[tuple[str, int, int]] = []


_filled = _Filled(epoch_1904=False)


def tokens(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Take formulas without their equals signs apart into tokens.

    Formulas that differ only in their references and numbers share one template: thousands of rows are filled with such.
    templates: the tokens of each, references and numbers being blank. formulas: of each text the number of its template and
    its references and numbers in their order; None where it cannot be read.
    """
    numbers: dict[tuple[tuple[str, str, str], ...], int] = {}
    formulas: list[list[Any] | None] = []
    for text in texts:
        try:
            found = [token for token in formualizer.tokenize(f"={text}") if token is not None]
        except (formualizer.TokenizerError, ValueError):
            formulas.append(None)
            continue
        template, operands = [], []
        for token in found:
            kind, part, value = str(token.token_type), str(token.subtype), token.value
            if kind == "Operand" and part in ("Range", "Number"):
                operands.append(value)
                value = ""
            template.append((kind, part, value))
        formulas.append([numbers.setdefault(tuple(template), len(numbers)), *operands])
    return {"templates": list(numbers), "formulas": formulas}


def fill(
    *,
    epoch_1904: bool,
    sheets: Sequence[str],
    tables: Sequence[Sequence[Any]],
    blocks: Sequence[tuple[str, int, int, list[list[object]]]],
    places: Sequence[tuple[str, int, int]],
    texts: Sequence[str],
) -> list[int]:
    """Begin with another workbook. Returns the numbers of those formulas that cannot be read.

    tables: name, sheet, first and last row and column, headers, whether it has a row of headers and of totals. blocks: sheet,
    first row and column, values row by row. places: sheet, row, column of all that will be asked for, by their
    numbers. texts: the formulas of the first of these.
    """
    global _filled  # noqa: PLW0603 - the one workbook of this process
    _filled = _Filled(epoch_1904=epoch_1904)
    book, refused = _filled.book, []
    for sheet in sheets:
        book.add_sheet(sheet)
    for name, sheet, area, headers, has_headers, has_totals in tables:
        book.add_table(name, sheet, tuple(area), list(headers), header_row=has_headers, totals_row=has_totals)
    _filled.places = [(sheet, row, column) for sheet, row, column in places]
    for number, text in enumerate(texts):
        try:
            formualizer.parse(text)
            book.set_formula(*_filled.places[number], text)
        except UNREADABLE:
            refused.append(number)
    # values come behind formulas: the library would lengthen its columns for each formula below them
    for sheet, top, left, rows in blocks:
        book.set_values_batch(sheet, top, left, [[_given(value) for value in row] for row in rows])
    return refused


def change(cells: Sequence[tuple[str, int, int, object]]) -> None:
    """Give cells that hold no formula other values."""
    for sheet, row, column, value in cells:
        _filled.book.set_value(sheet, row, column, _given(value))


def compute(cells: Sequence[tuple[str, int, int, object]], asked: Sequence[int]) -> list[object]:
    """The values of formulas, by their numbers, once all are computed for other values of cells."""
    change(cells)
    _filled.book.evaluate_all()
    return _values(asked)


def values(asked: Sequence[int]) -> list[object]:
    """The values that formulas have by now."""
    return _values(asked)


def compute_one(number: int, text: str) -> None:
    """Add a formula and compute it: whoever asks for one after the other finds out which of them ends this process."""
    _filled.book.set_formula(*_filled.places[number], text)
    _filled.book.evaluate_cell(*_filled.places[number])


def spilling(asked: Sequence[int]) -> list[int]:
    """Numbers of formulas whose values are whole arrays, which fill the cells beside them."""
    return [number for number in asked if _fills_others(*_filled.places[number])]


def _fills_others(sheet: str, row: int, column: int) -> bool:
    quoted = sheet.replace("'", "''")
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    seen = _filled.book.inspect_cell(f"'{quoted}'!{letters}{row}", include_values=False)
    return seen.cell.spill is not None


def unknown(functions: Sequence[str]) -> list[str]:
    """Names among some functions that the engine does not know."""
    book = _Filled(epoch_1904=False).book
    book.add_sheet("S")
    found = []
    for name in functions:
        book.set_formula("S", 1, 1, f"={name}()")
        value = book.evaluate_cell("S", 1, 1)
        if isinstance(value, dict) and value.get("kind") == ENGINE_WORDS["#NAME?"]:
            found.append(name)
    return found


def _values(asked: Sequence[int]) -> list[object]:
    value_of = _filled.book.get_value  # computing asked cells one by one takes ten times as long for each
    found = [value_of(*_filled.places[number]) for number in asked]
    return [each if each.__class__ is float else _taken(each) for each in found]


def _given(value: object) -> object:
    """A value from JSON, in which an error is a list of its name."""
    return LiteralValue.error(ENGINE_WORDS.get(value[0], "Value"), None) if isinstance(value, list) else value


def _taken(value: object) -> object:
    """A value as it stands in JSON."""
    if isinstance(value, bool | str | float) or value is None:
        return value
    if isinstance(value, int):
        return float(value)
    kind = str(value.get("kind")) if isinstance(value, dict) else ""
    return [NAMES.get(kind, NOT_MADE_WORD)]


DO: Mapping[str, Callable[..., object]] = {
    each.__name__: each for each in (tokens, fill, change, compute, values, compute_one, spilling, unknown)
}
