"""What the result sheets of a gait workbook that was run hold, and whether they are of the inputs that stand there now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_columns import ANGLES, MOMENTS, POWERS
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.gait_inputs import FORCE_PLATES, GAIT_SHEETS, MARKERS, PROCESSING, SUBJECT
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.book import CHANGED
from sheetmbs.workbook.cells.cells import Book, CellSheet, open_book
from sheetmbs.workbook.sheets.sheet_contents import GAIT_SUMMARY, SUMMARY

MEAN = ".mean"
HEADS = ("item", "side", "joint", "value", "sd", "n", "unit", "at")
STATE = "state of the inputs"
"""item of `mbs Summary`"""
STATE_DIGITS = 12
"""significant digits of a number that count: other programs may store the sixteenth differently"""


@dataclass(frozen=True)
class RunItem:
    """A row of the summary as it stands. sd, n, u: None where blank. at: percent, or from where to where in words."""

    item: str
    side: str
    joint: str
    value: float
    sd: float | None
    n: float | None
    unit: str
    at: float | str | None
    u: float | None = None


@dataclass(frozen=True)
class RunBook:
    """A workbook with results. subject: settings of its sheet Subject. percent: (points,).

    means: of each quantity, as ``right knee.angle`` (points,) with NaN where unknown. units: with its positive sense.
    processing: settings of the sheet Processing that are given.
    """

    path: Path
    subject: Mapping[str, str]
    items: tuple[RunItem, ...]
    words: Mapping[str, str]
    percent: Vector
    means: Mapping[str, Vector]
    units: Mapping[str, str]
    processing: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Identifier of the subject, else the name of the workbook."""
        return self.subject.get("id", "") or self.path.stem

    @property
    def condition(self) -> str:
        """In which the subject walked, ``""`` where nothing is said."""
        return self.subject.get("condition", "")


def read_run_book(path: Path) -> RunBook:
    """The results that stand in a workbook. Raises WorkbookError where it has none, or none of what stands in it now."""
    book = open_book(path)
    names = [fold(name) for name in book.sheets]
    if fold(SUBJECT.name) not in names or not any(name.startswith(fold(MARKERS.name)) for name in names):
        problem = "a workbook of gait has sheets Subject and Markers"
        raise _refused("no-gait", path, f"{path} is no workbook of gait", problem, "leave it out")
    run = f"sheetmbs run {path.name}"
    tables = [book.sheets[name] for name in (ANGLES, MOMENTS, POWERS) if name in book.sheets]
    if GAIT_SUMMARY not in book.sheets or not tables:
        why = "it has no strides" if GAIT_SUMMARY in book.sheets else "it was not run"
        mend = "look at its sheet mbs Gait events" if GAIT_SUMMARY in book.sheets else run
        raise _refused("not-run", path, f"{path} has no results: {why}", "only results are collected", mend)
    state, changed = _summary_item(book, STATE), _summary_item(book, CHANGED)
    if changed:
        raise _refused("older-results", path, f"{path} has results of other values", f"they are of {changed}", run)
    if state != inputs_state(book):
        what = "its inputs were changed since it was run" if state else "another version of sheetmbs has run it"
        raise _refused("older-results", path, f"{path} has older results", what, run)
    items, words = _items(book.sheets[GAIT_SUMMARY])
    percent = np.zeros(0)
    means: dict[str, Vector] = {}
    units: dict[str, str] = {}
    for table in tables:
        percent, of_table, of_units = _means(table)
        means |= of_table
        units |= of_units
    subject = next(sheet for name, sheet in book.sheets.items() if fold(name) == fold(SUBJECT.name))
    processing = next((sheet for name, sheet in book.sheets.items() if fold(name) == fold(PROCESSING.name)), None)
    given = {} if processing is None else {name: text for name, text in _settings(processing).items() if text}
    return RunBook(path, _settings(subject), items, words, percent, means, units, given)


def read_run_books(paths: Sequence[Path]) -> tuple[list[RunBook], list[Problem]]:
    """Read workbooks that were run; what is wrong with those that cannot be read is returned beside the others."""
    books: list[RunBook] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            books.append(read_run_book(path))
        except WorkbookError as error:
            problems += error.problems
    return books, problems


def _refused(code: str, path: Path, found: str, problem: str, mend: str) -> WorkbookError:
    return WorkbookError([Problem(code, "error", str(path), found, problem, mend)])


def _summary_item(book: Book, item: str) -> str:
    """What the summary of a run says, ``""`` where it says nothing of that."""
    rows = book.sheets[SUMMARY].rows if SUMMARY in book.sheets else {}
    return next((_text(rows[row].get(2)) for row in rows if _text(rows[row].get(1)) == item), "")


def _text(cell: object) -> str:
    value = getattr(cell, "value", "")
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _number(cell: object) -> float | None:
    value = getattr(cell, "value", None)
    return value if isinstance(value, float) else None


def _settings(sheet: CellSheet) -> dict[str, str]:
    """What stands beside each setting, with its unit."""
    found: dict[str, str] = {}
    for row in sheet.rows.values():
        name, value, unit = (_text(row.get(column)).strip() for column in (1, 2, 3))
        if name and not name.startswith("#"):
            found[fold(name)] = f"{value} {unit}".strip() if _number(row.get(2)) is not None else value
    return found


def _items(sheet: CellSheet) -> tuple[tuple[RunItem, ...], dict[str, str]]:
    """The items with numbers, and those that are said in words; the list of strides below them is neither."""
    items: list[RunItem] = []
    words: dict[str, str] = {}
    for number, row in sheet.rows.items():
        if number <= 2:
            continue
        name = _text(row.get(1))
        if name == "Strides":
            break
        value = _number(row.get(4))
        if value is None:
            said = _text(row.get(4))
            words[name] = f"{words[name]}; {said}" if name in words else said
            continue
        side, joint, unit, phase = (_text(row.get(column)) for column in (2, 3, 7, 8))
        at = _number(row.get(8))
        where = at if at is not None else phase or None
        items.append(
            RunItem(
                name, side, joint, value, _number(row.get(5)), _number(row.get(6)), unit, where, _number(row.get(9))
            )
        )
    return tuple(items), words


def _means(sheet: CellSheet) -> tuple[Vector, dict[str, Vector], dict[str, str]]:
    """Percent, means of quantities, and their units with the positive sense."""
    heads = {_text(cell): column for column, cell in sheet.rows[1].items()}
    wanted = {head.removesuffix(MEAN): column for head, column in heads.items() if head.endswith(MEAN)}
    rows = [row for row in sheet.rows.numbers.rows_with([1]) if row > 2]
    values = sheet.rows.numbers.table(rows, [1, *wanted.values()])
    units = {name: _text(sheet.rows.cell(2, column)) for name, column in wanted.items()}
    return values[0], dict(zip(wanted, values[1:], strict=True)), units


def inputs_state(book: Book) -> str:
    """Twelve letters and digits that change with any cell of an input sheet."""
    plain = {"settings", *(fold(sheet.name) for sheet in GAIT_SHEETS)}
    series = (fold(MARKERS.name), fold(FORCE_PLATES.name))
    state = sha256()
    for name in sorted(book.sheets):
        if fold(name) in plain or fold(name).startswith(series):
            state.update(name.encode())
            state.update(_content(book.sheets[name]))
    return state.hexdigest()[:12]


def _content(sheet: CellSheet) -> bytes:
    """All cells of a sheet."""
    numbers = sheet.rows.numbers
    # rounded in its own decade, so that no digit counts that a program may have changed
    size = 10.0 ** (STATE_DIGITS - 1 - np.floor(np.log10(np.where(numbers.values == 0.0, 1.0, np.abs(numbers.values)))))
    rounded = np.round(numbers.values * size)
    texts = [
        (row, column, str(cell.value)) for row, cells in sheet.rows.others.items() for column, cell in cells.items()
    ]
    return b"".join((numbers.rows.tobytes(), numbers.columns.tobytes(), rounded.tobytes(), repr(texts).encode()))
