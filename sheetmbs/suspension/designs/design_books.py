"""Each design of a workbook as a workbook of its own, which is then read as if there were no others.

Rows that do not count are left out; those that do stay where they are, so that messages name their cells. The rows of a design
replace those of the same key in the design that it is based on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from sheetmbs.files.below_folder import is_below
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import RESULT_SHEETS, fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.suspension_inputs import AXLES, SETTINGS_BY_FOLD, SUSPENSION, SUSPENSION_SHEETS
from sheetmbs.suspension.designs.design_list import BASE, DESIGN_SEPARATOR, USUAL, Design, DesignList, folded_sheets
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.tyres.coefficients import plain_name
from sheetmbs.workbook.cells.cells import Book, CellSheet, open_book
from sheetmbs.workbook.reading.input_table import InputTable, Record, text_of

Found = TypeVar("Found")


class KnownSheets:
    """Results of reading each sheet last, looked up by the sheet itself, which nobody may change."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[CellSheet, object]] = {}

    def of(self, kind: str, cells: CellSheet, find: Callable[[CellSheet], Found]) -> Found:
        """What ``find`` finds in a sheet. kind: of what is found."""
        sheet, found = self._found.get((kind, cells.name), (None, None))
        if sheet is cells:
            return cast("Found", found)
        made = find(cells)
        self._found[kind, cells.name] = cells, made
        return made


SHARED = ("Settings", "Sweeps", "Poses", "Load cases", "Targets", "Designs")
"""sheets that a design of another workbook takes from this one: what is done with all designs"""


@dataclass(frozen=True)
class DesignBook:
    """A design and the workbook that it is read from."""

    design: Design
    book: Book


@dataclass(frozen=True)
class DesignBooks:
    """The designs of a workbook that are run, the first of them its own. warnings: of the sheet Designs."""

    books: tuple[DesignBook, ...]
    warnings: tuple[Problem, ...]


def design_books(book: Book, compare: Path | None = None, known: KnownSheets | None = None) -> DesignBooks:
    """The designs of a workbook. compare: a workbook that is one more design. known: what was found in its sheets before.

    Raises WorkbookError with every design that cannot be.
    """
    known = known or KnownSheets()
    own = replace(
        book, sheets={name: book.sheets[name] for name in book.sheets if not fold(name).startswith(RESULT_SHEETS)}
    )
    report = ProblemList(own.sheets)
    listed = DesignList(folded_sheets(own.sheets, [schema.name for schema in SUSPENSION_SHEETS]), report)
    _check_names(own, listed, report, known)
    _leave_out_empty(own, listed, report, known)
    found = [DesignBook(design, made) for design, made in _made(own, listed, report, known) if design.is_active]
    if report.has_errors:
        raise WorkbookError(report.problems())
    if compare is not None:
        found.append(_compared(own, compare, found))
    return DesignBooks(tuple(found), tuple(report.problems()))


def _schema(tab: str) -> Sheet | None:
    return next((schema for schema in SUSPENSION_SHEETS if fold(schema.name) == fold(tab)), None)


def _check_names(book: Book, listed: DesignList, report: ProblemList, known: KnownSheets) -> None:
    """Report rows of designs that there are not, and rows of the car that belong to the design of another file."""
    for tab, cells in book.sheets.items():
        schema = _schema(tab)
        if schema is not None:
            known.of("names of designs", cells, partial(_names_are_known, schema, listed, report))


def _leave_out_empty(book: Book, listed: DesignList, report: ProblemList, known: KnownSheets) -> None:
    """Switch off designs to which no row and no file belongs: each would be what it is based on once more.

    One on which others are based stays.
    """
    if not listed.is_listed:
        return
    named: set[str] = set()
    for tab, cells in book.sheets.items():
        schema = _schema(tab)
        if schema is not None:
            named |= known.of("designs with rows", cells, partial(_designs_with_rows, schema))
    meant = named | {design.based_on for design in listed.designs.values()}
    for name, design in listed.designs.items():
        if name == BASE or name in meant or design.file or not design.is_active:
            continue
        rule = f"no row has {quoted(design.name)} in its column design, and no file is given: it is not run"
        mend = "write its name into the column design of the rows that it changes, or take the row away"
        report.warning("empty-design", design.place, f"the design {quoted(design.name)}", rule, mend)
        listed.designs[name] = replace(design, is_active=False)


def _designs_with_rows(schema: Sheet, cells: CellSheet) -> frozenset[str]:
    """Folded names of the designs to which rows of a sheet belong that count."""
    table = InputTable(schema, cells, ProblemList(()), "3D")
    records = table.records() if "design" in table.fields else ()
    return frozenset(fold(record.raw_text("design")) for record in records if record.is_active)


def _names_are_known(schema: Sheet, listed: DesignList, report: ProblemList, cells: CellSheet) -> bool:
    """Whether all rows of a sheet are of designs that there are; those that are not are reported."""
    before = len(report.problems())
    table = InputTable(schema, cells, ProblemList(()), "3D")
    for record in table.records() if "design" in table.fields else ():
        cell, place = record.cell("design"), record.place("design")
        text = text_of(cell, "design", place, report) if cell is not None and record.is_active else ""
        name = listed.known(text, place) if text else ""
        file = listed.designs[name].file if name else ""
        if file and schema.name not in SHARED:
            rule = f"the rows of this design stand in {file}"
            report.error("row-of-other-file", place, f"design: {quoted(text)}", rule, "change them there")
    return len(report.problems()) == before


def _made(book: Book, listed: DesignList, report: ProblemList, known: KnownSheets) -> Iterator[tuple[Design, Book]]:
    for design in listed.designs.values():
        if not design.is_active:
            continue
        if design.file:
            other = _opened(book, design, report)
            if other is not None:
                yield design, _with_sheets_of(book, other, listed.lineage(design))
        else:
            yield design, _of_design(book, listed.lineage(design), known)


def _of_design(book: Book, lineage: list[str], known: KnownSheets | None = None) -> Book:
    """A workbook with the rows that count in a design."""
    known = known or KnownSheets()
    kind = DESIGN_SEPARATOR.join(("rows", *lineage))
    sheets: dict[str, CellSheet] = {}
    for tab, cells in book.sheets.items():
        schema = _schema(tab)
        sheets[tab] = known.of(kind, cells, partial(rows_of_design, schema, lineage)) if schema else cells
    return replace(book, sheets=sheets)


def _opened(book: Book, design: Design, report: ProblemList) -> Book | None:
    """The workbook that is a design; None where it cannot be, which is reported at the cell that names it."""
    place = Place(design.place.sheet, design.place.row, design.place.column)
    path = book.path.parent / design.file
    if not is_below(path, book.path.parent):
        rule = "a workbook opens only workbooks in its own folder or below it, links followed"
        mend = "copy that workbook beside this one, and write its name"
        report.error("file-outside", place, f"the file {quoted(design.file)}", rule, mend)
        return None
    try:
        return _car_of(path)
    except WorkbookError as error:
        for problem in error.problems:
            told = "; ".join(part for part in (problem.found, problem.problem) if part)
            report.error(problem.code, place, f"the file {quoted(design.file)}", told, problem.mend)
        return None


def _car_of(path: Path) -> Book:
    """A workbook of which the first design is another one's. Raises WorkbookError where it has no suspension sheets."""
    book = open_book(path)
    if not any(fold(tab) == fold(SUSPENSION.name) for tab in book.sheets):
        rule = f"{path.name} has no sheet {SUSPENSION.name}, so it is no suspension"
        raise WorkbookError(Problem("no-suspension", "error", "", "", rule, "name a workbook that has one"))
    sheets = {tab: book.sheets[tab] for tab in book.sheets if not fold(tab).startswith(RESULT_SHEETS)}
    return replace(book, sheets=sheets)


def _with_sheets_of(book: Book, other: Book, lineage: list[str]) -> Book:
    """The car of another workbook with what is done with all designs of this one. Its sheets are named with their file."""
    shared = {fold(name) for name in SHARED}
    file = other.path.name
    sheets = {
        tab: replace(cells, name=f"[{file}]{cells.name}")
        for tab, cells in _of_design(other, [BASE]).sheets.items()
        if fold(tab) not in shared
    }
    sheets |= {tab: cells for tab, cells in _of_design(book, lineage).sheets.items() if fold(tab) in shared}
    return replace(other, sheets=sheets)


def _compared(book: Book, path: Path, others: list[DesignBook]) -> DesignBook:
    """Another workbook as one more design. Raises WorkbookError where it cannot be."""
    name = path.stem.replace("/", " ").replace(".", " ")
    while fold(name) in {fold(other.design.shown) for other in others}:
        name = f"{name} compared"
    design = Design(name, USUAL[len(others) % len(USUAL)], Place("Designs"), file=str(path))
    return DesignBook(design, _with_sheets_of(book, _car_of(path), [fold(name)]))


Key = tuple[str, ...]


def _words(*columns: str) -> Callable[[Record], Key]:
    return lambda record: tuple(fold(record.raw_text(column)) for column in columns)


def _point(record: Record) -> Key:
    name, told = standard_name(record.raw_text("point"))
    side = fold(record.raw_text("side")) or told or "left"
    return fold(record.raw_text("axle")), fold(name), side


def _coefficient(record: Record) -> Key:
    name = record.raw_text("coefficient").partition("=")[0]
    return fold(record.raw_text("tyre")), plain_name(name)


KEYS: Mapping[str, Callable[[Record], Key]] = {
    "Suspension": _words("setting"),
    "Hardpoints": _point,
    "Suspension springs": _words("axle", "name"),
    "Adjustments": _words("axle", "item", "at", "side"),
    "Targets": _words("metric", "sweep", "x"),
    "Members": _words("axle", "member", "side"),
    "Compliance": _words("axle", "part", "side", "curve_of"),
    "Tyre coefficients": _coefficient,
}
"""what makes two rows of a sheet the same; of the others their name"""


def rows_of_design(schema: Sheet, lineage: Sequence[str], cells: CellSheet) -> CellSheet:
    """A sheet with the rows that count in a design. lineage: folded names of the design and of those it is based on."""
    table = InputTable(schema, cells, ProblemList(()), "3D")
    if "design" not in table.fields:
        return cells
    key = KEYS.get(schema.name, _words("name"))
    ranks = {name: rank for rank, name in enumerate((*lineage, ""))}
    counting: dict[Key, list[tuple[int, Record]]] = {}
    gone = []
    for record in table.records():
        rank = ranks.get(fold(record.raw_text("design")))
        if rank is None:
            gone.append(record.row)
        else:
            counting.setdefault(key(record), []).append((rank, record))
    changed: dict[int, set[int]] = {}
    stands_for: dict[int, int] = {}
    for same in counting.values():
        best = min(rank for rank, _record in same)
        older = [record for rank, record in sorted(same, key=lambda each: each[0]) if rank > best]
        if schema.name == "Suspension" and same[0][1].raw_text("setting") and older:
            blanked, replaced = _replaced_settings(same)
            changed |= blanked
            gone += replaced
        else:
            gone += [record.row for record in older]
            if older:
                stands_for |= {record.row: older[-1].row for rank, record in same if rank == best}
    return replace(cells, rows=_without_cells(cells, changed).rows.without(gone), stands_for=stands_for)


def _replaced_settings(same: Sequence[tuple[int, Record]]) -> tuple[dict[int, set[int]], list[int]]:
    """Cells and whole rows of one setting that other rows replace: each axle has its own value.

    A setting of the car has one value, in whichever column.
    """
    setting = SETTINGS_BY_FOLD.get(fold(same[0][1].raw_text("setting")))
    is_of_car = setting is not None and setting.of_car
    given_by: dict[str, int] = {}
    for rank, record in sorted(same, key=lambda each: each[0]):
        for axle in AXLES:
            if record.given(axle):
                given_by.setdefault("car" if is_of_car else axle, rank)
    blanked: dict[int, set[int]] = {}
    replaced = []
    for rank, record in same:
        given = [axle for axle in AXLES if record.given(axle)]
        kept = [axle for axle in given if given_by["car" if is_of_car else axle] == rank]
        if not kept:
            replaced.append(record.row)
        elif len(kept) < len(given):
            blanked[record.row] = {record.place(axle).column for axle in given if axle not in kept}
    return blanked, replaced


def _without_cells(cells: CellSheet, changed: Mapping[int, set[int]]) -> CellSheet:
    rows = {
        row: {column: cell for column, cell in cells.rows[row].items() if column not in columns}
        for row, columns in changed.items()
    }
    return replace(cells, rows=cells.rows.changed(rows)) if rows else cells
