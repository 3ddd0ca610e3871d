"""Measured text onto sheets of a workbook: `sheetmbs import measured FILE.. BOOK`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sheetmbs.importing.lines import read_text, refused
from sheetmbs.measured.formats.all_formats import MEASURED_FORMATS
from sheetmbs.measured.formats.text_tables import ReadColumns
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import MAX_COLUMNS, MAX_ROWS
from sheetmbs.schema.measured_inputs import DATA_SHEET
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES
from sheetmbs.schema.table import Table
from sheetmbs.schema.validate import is_blank_unit, is_unit
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.sheets.newsheet import samples_sheet
from sheetmbs.workbook.writing.add_inputs import add_inputs, imported_sheets

LONGEST_NAME = 31
"""letters of a sheet's name"""


@dataclass(frozen=True)
class ImportedSheet:
    """A sheet of readings. source: its file. layout: of that, for people."""

    source: Path
    layout: str
    table: Table


def import_measured(sources: Sequence[Path], book: Path, name: str = "") -> tuple[list[ImportedSheet], list[Problem]]:
    """Put the columns of files onto sheets `Measured <name>` of a workbook; nothing else in it changes.

    name: behind Measured, of a single file; else that of the file. A sheet that an earlier import has written is replaced.
    Returns the sheets, and warnings. Raises WorkbookError with every mistake, each with its line; the workbook is as it was.
    """
    if not book.exists():
        rule, mend = "measured columns go into a workbook that there is", "name it, or make one with sheetmbs new"
        raise refused("file-missing", f"there is no workbook {book}", rule, mend)
    if name and len(sources) > 1:
        rule, mend = "a name is that of one sheet", "import the files one by one, or leave out --sheet"
        raise refused("too-many-files", f"{len(sources)} files and one name", rule, mend)
    found: list[ImportedSheet] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            found.append(_imported(source, name or source.stem))
        except WorkbookError as error:
            problems += error.problems
    names = [each.table.name.casefold() for each in found]
    twice = next((each for each in found if names.count(each.table.name.casefold()) > 1), None)
    if twice is not None:
        rule, mend = "two files would become one sheet", "rename one of them, or import it alone with --sheet"
        problems.append(Problem("duplicate-sheet", "error", "", twice.table.name, rule, mend))
    problems += _in_the_way([each.table.name for each in found], book)
    if problems:
        raise WorkbookError(problems)
    tables = [each.table for each in found]
    add_inputs(book, [samples_sheet(table) for table in tables], {}, partial(_check, tables))
    return found, [each for one in found for each in _warnings(one)]


def _in_the_way(names: Sequence[str], book: Path) -> Iterator[Problem]:
    """Sheets of the user's own that have the names of new ones."""
    theirs = {name.casefold() for name in set(open_book(book).sheets) - imported_sheets(book)}
    for name in names:
        if name.casefold() in theirs:
            rule, mend = (
                "the workbook has a sheet of this name, which no import has written",
                "rename it, or use --sheet",
            )
            yield Problem("sheet-in-the-way", "error", name, name, rule, mend)


def _imported(source: Path, name: str) -> ImportedSheet:
    text = read_text(source, "measured columns")
    lines = [line for line in text.splitlines() if line.strip()]
    layout = next(each for each in MEASURED_FORMATS if each.module.recognises(lines))
    columns: ReadColumns = layout.module.read(text, source.name)
    rows, width = columns.values.shape
    if rows + 2 > MAX_ROWS or width > MAX_COLUMNS:
        rule, mend = f"a sheet has {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns at most", "export fewer"
        raise refused("too-large", f"{source.name} has {rows:,} rows and {width:,} columns", rule, mend)
    return ImportedSheet(source, layout.files, Table(sheet_name(name), columns.names, columns.units, columns.values))


def sheet_name(name: str) -> str:
    """The name of the sheet of readings of that name."""
    plain = "".join("-" if sign in NOT_IN_SHEET_NAMES or sign == "'" else sign for sign in name)
    words = " ".join(plain.replace("_", " ").split())
    if words.casefold().startswith(DATA_SHEET.casefold()):
        words = words[len(DATA_SHEET) :].strip()
    return f"{DATA_SHEET} {words}".strip()[:LONGEST_NAME].rstrip()


def _check(tables: Sequence[Table], written: Path) -> None:
    """Read a workbook back: every sheet holds the numbers that were put onto it. Raises WorkbookError."""
    sheets = open_book(written).sheets
    for table in tables:
        held = sheets[table.name].rows.numbers.values if table.name in sheets else np.zeros(0)
        if len(held) != int(np.isfinite(table.values).sum()):
            rule, mend = "the workbook is as it was", "save it from your spreadsheet program, and try again"
            raise refused("not-written", f"{table.name} could not be written", rule, mend)


def _warnings(found: ImportedSheet) -> list[Problem]:
    """Warnings of columns without any reading, and of units that are none that are known here."""
    told = []
    table = found.table
    empty = [name for name, values in zip(table.columns, table.values.T, strict=True) if not np.isfinite(values).any()]
    if empty:
        what = f"{found.source.name}: {', '.join(empty[:4])}"
        told.append(
            Problem("no-readings", "warning", "", what, "there is no reading in this column", "look at the file")
        )
    unknown = {unit: None for unit in table.units if not is_blank_unit(unit) and not is_unit(unit)}
    if unknown:
        what = f"{found.source.name}: the units {', '.join(list(unknown)[:6])}"
        rule = "they are none that are known here, so their columns cannot be compared as they are"
        told.append(Problem("unknown-unit", "warning", "", what, rule, "correct them in row 2 of the sheet"))
    return told
