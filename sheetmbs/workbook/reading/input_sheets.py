"""Which sheets of a workbook are input, by the names that the format gives them, and in which version of the format.

The version stands in the setting ``format``, and in templates also in a defined name, which counts where there is no such
setting. A workbook without either is of format 1, the first. An older format is read as the present one, a newer one is
refused. The workbook itself stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.input_columns import BEAMS, BODIES, SHEETS, SHEETS_BY_FOLD
from sheetmbs.schema.names import RESULT_SHEETS, fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import FORMAT, SETTINGS_SHEET
from sheetmbs.schema.suspension_inputs import SUSPENSION, SUSPENSION_SHEETS
from sheetmbs.schema.validate import split_header
from sheetmbs.workbook.cells.cells import Book, CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, columns_in_use, is_blank, is_sound
from sheetmbs.workbook.reading.ignored_content_warnings import (
    copied_sheet,
    warn_of_hidden_rows,
    warn_of_ignored_content,
)
from sheetmbs.workbook.reading.record import cell_as_text

FIRST_FORMAT = 1
WHOLE_NUMBER = re.compile("[1-9][0-9]{0,8}")
FORMAT_NAME = "sheetmbs_format"
Sheets = dict[str, CellSheet]
Migration = Callable[[Sheets], tuple[Sheets, str]]
MIGRATIONS: tuple[Migration, ...] = ()
"""One for every format but the present: takes input sheets, gives them as the next format has them and says what changed."""


def input_sheets(book: Book, report: ProblemList) -> dict[str, CellSheet]:
    """The sheets of the format, by their names in it. What is missing, doubled, hidden or nearly right is reported.

    Raises WorkbookError where the workbook is made for a later version.
    """
    names, near = _names(book, report)
    sheets = {}
    for schema in SHEETS:
        cells = _open_sheet(book, names[schema.name], schema, report) if schema.name in names else None
        if cells is not None:
            sheets[schema.name] = cells
        if schema.required and schema.name not in names and not (schema is BODIES and BEAMS.name in names):
            meant = near.get(schema.name)
            mend = f"add a sheet {schema.name}: {schema.doc}"
            if meant:
                mend = f"rename the sheet {quoted(meant)} to {schema.name}"
                report.withdraw({("near-miss-sheet", meant)})
            found, problem = f"no sheet {schema.name}", "a model needs this sheet"
            report.error("missing-sheet", Place(schema.name), found, problem, mend)
    return in_present_format(sheets, book.names, report)


def _names(book: Book, report: ProblemList) -> tuple[dict[str, str], dict[str, str]]:
    """Names on the tabs by those in the format: of input sheets, and of sheets that nearly have such a name."""
    names: dict[str, str] = {}
    near: dict[str, str] = {}
    others = []
    for name in book.sheets:
        schema = SHEETS_BY_FOLD.get(fold(name))
        if schema is None:
            others.append(name)
        elif schema.name in names:
            problem = f"the sheet {quoted(names[schema.name])} has the same name but for case, blanks, _ and -"
            report.error("duplicate-sheet", Place(name), f"the sheet {quoted(name)}", problem, "rename one of them")
        else:
            names[schema.name] = name
    of_suspension = {fold(sheet.name) for sheet in SUSPENSION_SHEETS}
    is_suspension = any(fold(name) == fold(SUSPENSION.name) for name in others)
    known = [sheet.name for sheet in (*SHEETS, *(SUSPENSION_SHEETS if is_suspension else ()))]
    for name in others:
        if fold(name).startswith(RESULT_SHEETS) or (is_suspension and fold(name) in of_suspension):
            continue
        copied = copied_sheet(name)
        meant = nearest(name, known) if copied is None else copied
        if copied in names or not meant:
            warn_of_ignored_content(name, names, report)
        else:
            near[meant] = name
            mend = f"call it {meant} if that is what it is"
            report.warning("near-miss-sheet", Place(name), f"the sheet {quoted(name)}", "it is not read", mend)
    return names, near


def _open_sheet(book: Book, name: str, schema: Sheet, report: ProblemList) -> CellSheet | None:
    """The cells of a sheet; None where it is damaged, which is reported."""
    try:
        cells = book.sheets[name]
    except WorkbookError as error:
        for problem in error.problems:
            report.add(Place(name), problem)
        return None
    if cells.hidden:
        mend = "show it, or rename it if it is not to count"
        report.warning("hidden-sheet", Place(name), f"the hidden sheet {name}", "it is read all the same", mend)
    warn_of_hidden_rows(cells, report)
    if not schema.readable and _has_data(cells):
        mend = "rename or empty the sheet, or use a later version"
        report.error("not-yet", Place(name), f"the sheet {name}", "this version cannot read it", mend)
    return cells


def _has_data(cells: CellSheet) -> bool:
    """Whether a sheet holds more than headers."""
    return bool(columns_in_use(cells, HEADER_ROW))


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
    for migration in MIGRATIONS[given - FIRST_FORMAT :]:
        sheets, change = migration(sheets)
        changes.append(change)
    if changes:
        problem = f"it is read as format {FORMAT}: {'; '.join(changes)}"
        mend = f"change the workbook so, and write {FORMAT} here"
        report.warning("older-format", place, f"format {given}", problem, mend)
    return sheets


def _given_format(settings: CellSheet | None, names: Mapping[str, str], report: ProblemList) -> tuple[Place, int]:
    """The cell of the format, and the format; the present one if the cell holds no format, which is reported."""
    place = _format_place(settings)
    cell = settings.rows[place.row].get(place.column) if settings and place.row else None
    if cell is None or is_blank(cell):
        named = names.get(FORMAT_NAME, "")
        return place, int(named) if WHOLE_NUMBER.fullmatch(named) else FIRST_FORMAT
    if not is_sound(cell, place, report):
        return place, FORMAT
    text = cell_as_text(cell) if cell.kind in (CellKind.TEXT, CellKind.NUMBER) else ""
    if WHOLE_NUMBER.fullmatch(text):
        return place, int(text)
    problem = f"formats are numbered from {FIRST_FORMAT}"
    report.error("unknown-format", place, f"format: {quoted(text or str(cell.value))}", problem, f"write {FORMAT}")
    return place, FORMAT


def _format_place(settings: CellSheet | None) -> Place:
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
