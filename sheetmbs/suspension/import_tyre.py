"""A file of tyre properties onto the sheets Tyres and Tyre coefficients of a workbook, which then needs the file no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetmbs.importing.lines import read_text, refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.tyre_inputs import TYRE_COEFFICIENTS, TYRES
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.tyres.coefficients import plain_name
from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.magic_tyre import TyreRow, magic_tyre
from sheetmbs.tyres.property_lines import PropertyLines, number_of, read_property_text
from sheetmbs.workbook.cells.cells import CellSheet, open_book
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet
from sheetmbs.workbook.writing.add_inputs import Filling, add_inputs

Content = str | float | None
Row = Mapping[str, Content]
"""cells by their columns"""
Key = tuple[str, ...]
HEADERS = {
    TYRES.name: ("name", "axle", "model", "file", "measured_side", "pressure", "scale_mu_x", "scale_mu_y", "notes"),
    TYRE_COEFFICIENTS.name: ("tyre", "coefficient", "value", "unit", "notes"),
}
"""columns of sheets that the workbook did not have"""


def import_tyre(source: Path, book: Path, axle: str = "") -> list[Problem]:
    """Put the coefficients of a file, with their units and comments, into a workbook, and a row for the tyre on Tyres.

    Rows of the same coefficient of the same tyre get new values, others are added below; nothing else changes. axle: front or
    rear, blank for both. Returns warnings and notes, each with its line.

    Raises WorkbookError where the file or the workbook cannot be used; the workbook is unchanged then.
    """
    problems = TyreProblems()
    lines = read_property_text(read_text(source, "a file of tyre properties"), source.name, problems)
    name = source.stem
    if not problems.has_errors:
        magic_tyre(lines.values, TyreRow(name, source.name), problems)
    if problems.has_errors:
        raise WorkbookError([each for each in problems.found if each.severity == "error"])
    fault = name_fault(name)
    if fault:
        raise refused(fault[0], f"the file {source.name}", fault[1], "rename the file: the tyre has its name")
    if not book.exists():
        rule, fix = "coefficients go into a workbook of a suspension", "make one first: sheetmbs new"
        raise refused("file-missing", f"there is no workbook {book}", rule, fix)
    sheets = folded_sheets(open_book(book).sheets, list(HEADERS))
    _check_axle(sheets.get(TYRES.name), name, axle)
    tyre: dict[str, Content] = {"name": name, "axle": axle or None}
    wanted: dict[Sheet, list[Row]] = {TYRES: [tyre], TYRE_COEFFICIENTS: _coefficient_rows(name, lines)}
    new: list[NewSheet] = []
    fillings: dict[str, Filling] = {}
    for schema, rows in wanted.items():
        cells = sheets.get(schema.name)
        if cells is None:
            headers = HEADERS[schema.name]
            contents = [[row.get(header) for header in headers] for row in rows]
            new.append(list_sheet(schema.name, headers, [""] * len(headers), contents))
        else:
            fillings[cells.name] = _filling(cells, schema, rows)
    add_inputs(book, new, {name: filling for name, filling in fillings.items() if filling}, _can_be_read)
    return problems.found


def _can_be_read(written: Path) -> None:
    """Open the new workbook. Raises WorkbookError where it cannot be read."""
    open_book(written)


def _check_axle(cells: CellSheet | None, name: str, axle: str) -> None:
    """Raise WorkbookError where another tyre is on the axle already, or the tyre has a file."""
    table = InputTable(TYRES, cells, ProblemList(()), "3D")
    for record in table.records():
        other, on = record.raw_text("name"), fold(record.raw_text("axle")) or "both"
        if not record.is_active or record.raw_text("design"):
            continue
        if fold(other) == fold(name) and record.raw_text("file"):
            rule = "its coefficients come from that file already"
            found = f"the tyre {other} has the file {record.raw_text('file')}"
            raise refused("given-twice", found, rule, "clear the cell first", record.cell_text("file"))
        if fold(other) != fold(name) and (axle in ("", on) or on == "both"):
            fix = "import with --axle front or --axle rear, and name one axle in that row, or delete the row"
            raise refused(
                "given-twice", f"the tyre {other}", "it is on the same axle already", fix, record.cell_text("name")
            )


def _coefficient_rows(tyre: str, lines: PropertyLines) -> list[Row]:
    """A row for each key, in the order of the file."""
    found: list[Row] = []
    for name, written in lines.words.items():
        given = lines.values.get(name) or lines.unused[name]
        text = given.as_written
        number = number_of(text.split()[0]) if text else None
        has_number = number is not None and (isinstance(given.value, float) or number_of(text) is not None)
        value: Content = number if has_number else text or None
        unit = lines.unit_of(name) or None if isinstance(given.value, float) else None
        if value is not None:
            row = {"tyre": tyre, "coefficient": written, "value": value, "unit": unit, "notes": given.comment or None}
            found.append(row)
    return found


def _key(schema: Sheet, row: Mapping[str, object]) -> Key:
    if schema is TYRES:
        return (fold(str(row["name"])),)
    return fold(str(row["tyre"])), plain_name(str(row["coefficient"]))


def _of_record(record: Record) -> dict[str, str]:
    return {name: record.raw_text(name) for name in record.table.fields}


def _filling(cells: CellSheet, schema: Sheet, rows: Sequence[Row]) -> Filling:
    """What goes into which cell of a sheet that is there. Raises WorkbookError where its headers are wrong."""
    report = ProblemList((cells.name,))
    table = InputTable(schema, cells, report, "3D")
    if report.has_errors and table.fields:
        raise WorkbookError(report.problems())
    filling: dict[tuple[int, int], str | float] = {}
    columns = {name: field.header.place.column for name, field in table.fields.items()}
    if not columns:
        columns = {name: at for at, name in enumerate(HEADERS[schema.name], start=1)}
        filling |= {(1, at): name for name, at in columns.items()}
    known: dict[Key, int] = {}
    for record in table.records():
        texts = _of_record(record)
        if not texts.get("design") and all(texts.get(column) for column in KEYS[schema.name]):
            known[_key(schema, texts)] = record.row
    last = max(cells.rows, default=1)
    for row in rows:
        at = known.get(_key(schema, row))
        if at is None:
            last += 1
            at = last
        for name, content in row.items():
            if content is None:
                continue
            if name not in columns:
                columns[name] = max(columns.values()) + 1
                filling[1, columns[name]] = name
            filling[at, columns[name]] = content
    return filling


KEYS = {TYRES.name: ("name",), TYRE_COEFFICIENTS.name: ("tyre", "coefficient")}
"""columns that make two rows of a sheet the same"""
