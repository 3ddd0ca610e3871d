"""Which sheets of a workbook are input, by the names that the format gives them, and in which version of the format.

The version stands in the setting ``format``, and in templates also in a defined name, which counts where there is no such
setting. A workbook without either is of format 1, the first. An older format is read as the present one, a newer one is
refused. The workbook itself stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.all_inputs import INPUTS_BY_FOLD
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.input_columns import BEAMS, BODIES, SHEETS, SHEETS_BY_FOLD
from sheetmbs.schema.meanings import names_column
from sheetmbs.schema.names import RESULT_SHEETS, fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import FORMAT, SETTINGS_BY_FOLD, SETTINGS_SHEET
from sheetmbs.schema.suspension_inputs import HARDPOINTS, SUSPENSION, SUSPENSION_BY_FOLD, SUSPENSION_SHEETS
from sheetmbs.schema.validate import NO, split_header
from sheetmbs.workbook.cells.cells import Book, CellKind, CellSheet
from sheetmbs.workbook.reading.fields import (
    HEADER_ROW,
    columns_in_use,
    first_text,
    headers,
    is_blank,
    is_empty,
    is_sound,
)
from sheetmbs.workbook.reading.input_table import cell_as_text, is_comment
from sheetmbs.workbook.reading.table_headers import first_column

FIRST_FORMAT, UNITS_ROW = 1, "units"
WHOLE_NUMBER = re.compile("[1-9][0-9]{0,8}")
FORMAT_NAME = "sheetmbs_format"
Sheets = dict[str, CellSheet]
Migration = Callable[[Sheets], tuple[Sheets, str]]
MIGRATIONS: tuple[Migration, ...] = ()
"""One for every format but the present: takes input sheets, gives them as the next format has them and says what changed."""
COPY = re.compile(
    r"(?:copy of |kopie von )?(.+?)(?: ?\([0-9]+\)| [0-9]+|[0-9]+| copy(?: [0-9]+)?| kopie| old| backup| bak)?",
    re.DOTALL,
)
"""a folded name that programs and people give to a copy"""
FOREIGN_SHEET_NAMES = {
    "Bodies": ("links", "parts", "rigid bodies", "segments", "subject", "members"),
    "Points": ("hardpoints", "hard points", "nodes", "joint centres", "joint centers"),
    "Joints": ("constraints", "connections", "connectors", "gait joints"),
    "Drivers": ("actuators", "motors", "motions", "motion"),
    "Guiding": ("markers", "trajectories", "marker trajectories", "mocap", "motion capture"),
    "ForceSeries": ("force plates", "force plate", "plates", "grf", "ground reaction forces"),
    "Forces": ("loads", "applied forces"),
    "Springs": ("dampers", "bushings", "spring dampers"),
    "Settings": ("options", "processing"),
    "Charts": ("graphs", "plots", "diagrams"),
}
"""names, folded, of sheets that other programs and other people have for what stands on ours"""
SHEET_BY_FOREIGN_NAME = {name: sheet for sheet, names in FOREIGN_SHEET_NAMES.items() for name in names}
LOCAL_SHEET_NAMES = frozenset(
    (
        *(
            "körper",
            "koerper",
            "bauteile",
            "teile",
            "punkte",
            "gelenke",
            "verbindungen",
            "antriebe",
            "motoren",
            "kräfte",
        ),
        *("kraefte", "lasten", "federn", "dämpfer", "daempfer", "einstellungen", "parameter", "kurven", "kennlinien"),
        *(
            "cuerpos",
            "piezas",
            "puntos",
            "juntas",
            "articulaciones",
            "uniones",
            "fuerzas",
            "cargas",
            "muelles",
            "ajustes",
        ),
        *("corps", "solides", "articulations", "liaisons", "efforts", "ressorts", "réglages", "reglages", "paramètres"),
        *("corpi", "punti", "giunti", "vincoli", "forze", "carichi", "molle", "impostazioni", "attuatori", "moteurs"),
    )
)
"""folded names, in other languages, of sheets that may be input sheets; their headers tell which"""
MIN_SHARE_OF_HEADERS = 0.75
"""part of the headers of a sheet that must be those of an input sheet for it to be one under another name"""
MIN_KNOWN_HEADERS = 2
MAX_NAMED_RANGES = 4


def input_sheets(book: Book, report: ProblemList) -> dict[str, CellSheet]:
    """The sheets of the format, by their names in it. What is missing, doubled, hidden or nearly right is reported.

    Raises WorkbookError where the workbook is made for a later version.
    """
    names, near = _names(book, report)
    renamed = _sheets_by_headers(book, names, near, report)
    names.update(renamed)
    sheets = {}
    for schema in SHEETS:
        cells = _open_sheet(book, names[schema.name], schema, report) if schema.name in names else None
        if cells is not None:
            sheets[schema.name] = cells
        if SUSPENSION.name in renamed:
            continue
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
            problem = f"the sheet {quoted(names[schema.name])} has the same name apart from case, blanks, _ and -"
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


def _sheets_by_headers(
    book: Book, names: Mapping[str, str], near: Mapping[str, str], report: ProblemList
) -> dict[str, str]:
    """Sheets with the headers of an input sheet that is missing, by its name. Each is reported, and read for its mistakes.

    All sheets are looked at where one is missing that a model needs, else only those with such a name in another language.
    """
    missing = [schema for schema in SHEETS if schema.name not in names and schema.name not in near and schema.readable]
    missing += [schema for schema in (SUSPENSION, HARDPOINTS) if schema.name not in book.sheets]
    has_all = {SETTINGS_SHEET.name, BODIES.name} <= {*names, *near} or BEAMS.name in names
    claimed = {*names.values(), *near.values()}
    others = [name for name in book.sheets if name not in claimed and (not has_all or fold(name) in LOCAL_SHEET_NAMES)]
    found = misnamed_sheets(book, others, missing, report)
    if SUSPENSION.name in found:
        report.withdraw({("unread-sheet", name) for name in book.sheets if fold(name) in SUSPENSION_BY_FOLD})
    return found


def misnamed_sheets(
    book: Book, tabs: Collection[str], schemas: Collection[Sheet], report: ProblemList
) -> dict[str, str]:
    """Sheets with the headers of input sheets that are missing, by the names of these; each is reported.

    tabs: the sheets that are looked at. schemas: of the input sheets that are missing.
    """
    found: dict[str, str] = {}
    for name in tabs:
        if fold(name).startswith(RESULT_SHEETS) or fold(name) in INPUTS_BY_FOLD:
            continue
        schema = _schema_by_headers(book, name, schemas)
        if schema is None or schema.name in found:
            continue
        found[schema.name] = name
        what, problem = f"the sheet {quoted(name)}", f"its headers are those of {schema.name}, which the workbook lacks"
        report.withdraw({("unread-sheet", name)})
        report.error("misnamed-sheet", Place(name), what, problem, f"rename {name} to {schema.name}")
    return found


def _schema_by_headers(book: Book, name: str, schemas: Collection[Sheet]) -> Sheet | None:
    """The one of some input sheets whose headers a sheet has; None where none fits better than all others."""
    try:
        cells = book.sheets[name]
        texts = [header.text for header in headers(cells, ProblemList(()))]
    except WorkbookError:
        return None
    scores: dict[str, int] = {}
    for schema in schemas:
        columns = {column.name: column for column in schema.columns}
        known = {each for each in columns if any(names_column(text, columns[each], schema) for text in texts)}
        needed = {column.name for column in schema.columns if column.required and "2D" in column.models}
        count = sum(any(names_column(text, columns[each], schema) for each in known) for text in texts)
        if needed <= known and count >= max(MIN_KNOWN_HEADERS, MIN_SHARE_OF_HEADERS * len(texts)):
            scores[schema.name] = count
    if SETTINGS_SHEET.name in scores and not _has_settings(cells):
        del scores[SETTINGS_SHEET.name]
    best = max(scores.values(), default=0)
    fitting = [schema for schema in schemas if scores.get(schema.name) == best]
    return fitting[0] if len(fitting) == 1 else None


def _has_settings(cells: CellSheet) -> bool:
    """Whether settings of a model stand in the first column of a sheet."""
    firsts = [first_text(row, first_column(cells, [])) for row in cells.rows.values()]
    return sum(fold(text) in SETTINGS_BY_FOLD for text in firsts) >= MIN_KNOWN_HEADERS


def _open_sheet(book: Book, name: str, schema: Sheet, report: ProblemList) -> CellSheet | None:
    """The cells of a sheet; None where it is damaged, which is reported."""
    try:
        cells = book.sheets[name]
    except WorkbookError as error:
        for problem in error.problems:
            report.add(Place(name), problem)
        return None
    if cells.hidden and _has_rows(cells):
        mend = "unhide it, or rename it if it should not count"
        report.warning("hidden-sheet", Place(name), f"the hidden sheet {name}", "it is read anyway", mend)
    warn_of_hidden_rows(cells, report)
    if not schema.readable and _has_data(cells):
        mend = "rename or empty the sheet, or use a later version"
        report.error("not-yet", Place(name), f"the sheet {name}", "this version cannot read it", mend)
    return cells


def _has_data(cells: CellSheet) -> bool:
    """Whether a sheet holds more than headers."""
    return bool(columns_in_use(cells, HEADER_ROW))


def _has_rows(cells: CellSheet) -> bool:
    """Whether a sheet holds more than headers and units: a number, a further row of texts, or a name where units stand."""
    if len(cells.rows.numbers.row_numbers):
        return True
    texts = {
        row: held
        for row, held in cells.rows.others.items()
        if row > HEADER_ROW and not all(map(is_blank, held.values()))
    }
    below = texts.pop(HEADER_ROW + 1, {})
    first = below.get(min(below)) if below else None
    return bool(texts) or (first is not None and len(below) > 1 and fold(str(first.value)) != UNITS_ROW)


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
        mend = f"change the workbook accordingly, and write {FORMAT} here"
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


def copied_sheet(name: str) -> str | None:
    """The sheet of the format of which one seems to be a copy, by its name; None where it does not."""
    match = COPY.fullmatch(fold(name))
    schema = SHEETS_BY_FOLD.get(match[1]) if match and match[1] != fold(name) else None
    return schema.name if schema else None


def warn_of_ignored_content(name: str, present: Collection[str], report: ProblemList) -> None:
    """A note about a sheet that nobody reads although its name looks like input. present: input sheets that are there."""
    of = copied_sheet(name)
    found = f"the sheet {quoted(name)}"
    if of in present:
        _note(
            report,
            "unread-sheet",
            Place(name),
            found,
            f"it looks like a copy of {of} and is not read: only {of} is",
            "",
        )
        return
    meant = SHEET_BY_FOREIGN_NAME.get(fold(name))
    if meant:
        problem = "there is no input sheet of this name, so it is not read"
        mend = f"put what should count on {meant}: {SHEETS_BY_FOLD[fold(meant)].doc}"
        _note(report, "unread-sheet", Place(name), found, problem, mend)


def warn_of_hidden_rows(cells: CellSheet, report: ProblemList) -> None:
    """A note where rows that count are hidden."""
    hidden = set(cells.hidden_rows)
    if not hidden:
        return
    first = first_column(cells, found := headers(cells, ProblemList(())))
    active = next((header.place.column for header in found if fold(header.name) == "active"), 0)
    filled = hidden & {*map(int, cells.rows.numbers.row_numbers), *cells.rows.others} - {HEADER_ROW}
    counting = [row for row in sorted(filled) if not _is_off(cells, row, first, active)]
    if counting:
        _note(
            report,
            "hidden-rows",
            Place(cells.name, counting[0], first),
            f"hidden, by a filter or by hand: {_ranges(counting)}",
            "hidden rows count like all others",
            "unhide them; to leave a row out, write no in a column active",
        )


def _is_off(cells: CellSheet, row: int, first: int, active: int) -> bool:
    """Whether a row says nothing, is a comment or is switched off."""
    others = cells.rows.others.get(row, {})
    if is_comment(others, first):
        return True
    flag = cells.rows.cell(row, active) if active else None
    if flag is not None and flag.kind is not CellKind.ERROR and fold(cell_as_text(flag)) in (*NO, "false"):
        return True
    return all(is_empty(cell) for cell in others.values()) and not cells.rows.numbers.cells(
        cells.rows.numbers.of_row(row)
    )


def _ranges(rows: list[int]) -> str:
    """``row 5``, or ``rows 5 to 9, 12`` and how many more."""
    breaks = np.flatnonzero(np.diff(rows) > 1) + 1
    parts = [[int(part[0]), int(part[-1])] for part in np.split(np.array(rows), breaks)]
    told = [f"{begin}" if begin == end else f"{begin} to {end}" for begin, end in parts[:MAX_NAMED_RANGES]]
    more = f" and others, {len(rows):,} in all" if len(parts) > MAX_NAMED_RANGES else ""
    return f"{'row' if len(rows) == 1 else 'rows'} {', '.join(told)}{more}"


def _note(report: ProblemList, code: str, place: Place, found: str, problem: str, mend: str) -> None:
    report.add(place, Problem(code, "note", str(place), found, problem, mend))
