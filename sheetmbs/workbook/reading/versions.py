"""The version of the format in which a workbook is written: an older one is read as the present one, a newer one refused.

It stands in the setting ``format``, and in templates also in a defined name, which counts where there is no such setting. A
workbook that says nothing is of format 1, the first. What is written in the workbook stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import FORMAT, SETTINGS_SHEET
from sheetmbs.schema.validate import split_header
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, is_blank, is_sound
from sheetmbs.workbook.reading.record import cell_as_text

FIRST = 1
WHOLE_NUMBER = re.compile("[1-9][0-9]{0,8}")
NAME = "sheetmbs_format"
Sheets = dict[str, CellSheet]
Migration = Callable[[Sheets], tuple[Sheets, str]]
MIGRATIONS: tuple[Migration, ...] = ()
"""One for every format but the present: takes input sheets, gives them as the next format has them and says what changed."""


def in_present_format(sheets: Sheets, names: Mapping[str, str], report: ProblemList) -> Sheets:
    """Input sheets as the present format has them; a change is a warning.

    names: what the workbook's defined names stand for. Raises WorkbookError where the format is newer than the present one.
    """
    place, given = _given_format(sheets.get(SETTINGS_SHEET.name), names, report)
    if given > FORMAT:
        problem = f"this version of sheetmbs reads formats up to {FORMAT}"
        mend = "update sheetmbs; the workbook was made for a later one"
        raise WorkbookError(Problem("newer-format", "error", str(place), f"format {given}", problem, mend))
    changes = []
    for migration in MIGRATIONS[given - FIRST :]:
        sheets, change = migration(sheets)
        changes.append(change)
    if changes:
        problem = f"it is read as format {FORMAT}: {'; '.join(changes)}"
        mend = f"change the workbook so, and write {FORMAT} here"
        report.warning("older-format", place, f"format {given}", problem, mend)
    return sheets


def _given_format(settings: CellSheet | None, names: Mapping[str, str], report: ProblemList) -> tuple[Place, int]:
    """The cell of the format, and the format; the present one if the cell holds no format, which is reported."""
    place = _place(settings)
    cell = settings.rows[place.row].get(place.column) if settings and place.row else None
    if cell is None or is_blank(cell):
        named = names.get(NAME, "")
        return place, int(named) if WHOLE_NUMBER.fullmatch(named) else FIRST
    if not is_sound(cell, place, report):
        return place, FORMAT
    text = cell_as_text(cell) if cell.kind in (CellKind.TEXT, CellKind.NUMBER) else ""
    if WHOLE_NUMBER.fullmatch(text):
        return place, int(text)
    problem = f"formats are numbered from {FIRST}"
    report.error("unknown-format", place, f"format: {quoted(text or str(cell.value))}", problem, f"write {FORMAT}")
    return place, FORMAT


def _place(settings: CellSheet | None) -> Place:
    """The cell of the setting ``format``; the sheet where there is none."""
    rows = settings.rows if settings else {}
    headers = {
        fold(split_header(str(cell.value))[0]): column
        for column, cell in rows.get(HEADER_ROW, {}).items()
        if cell.kind is CellKind.TEXT
    }
    if "setting" in headers and "value" in headers:
        for row, cells in rows.items():
            cell = cells.get(headers["setting"])
            if row > HEADER_ROW and cell is not None and fold(str(cell.value)) == "format":
                return Place(settings.name if settings else "", row, headers["value"])
    return Place(settings.name if settings else SETTINGS_SHEET.name)
