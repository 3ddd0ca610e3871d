"""Workbooks with formulas whose stored values are chosen, and their formulas at work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import xlsxwriter

from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.schema.cell import Place
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.cells.written_book import written_book

Content = float | str | bool | tuple[str, float | str | bool | None]
"""a value, or a formula with the value that is stored for it, None where none is"""


def save(
    path: Path,
    sheets: Mapping[str, Mapping[str, Content]],
    names: Mapping[str, str] | None = None,
    arrays: Sequence[tuple[str, str, str, float]] = (),
    tables: Sequence[tuple[str, str, dict[str, object]]] = (),
) -> Path:
    """Save a workbook. names: what they stand for, those of one sheet as ``Sheet!name``. arrays: sheet, range, formula, value.

    tables: sheet, range, options of XlsxWriter.
    """
    book = xlsxwriter.Workbook(path)
    for name, cells in sheets.items():
        sheet = book.add_worksheet(name)
        for cell, content in cells.items():
            if isinstance(content, tuple):
                sheet.write_formula(cell, content[0], None, "" if content[1] is None else content[1])
            else:
                sheet.write(cell, content)
    for name, meaning in (names or {}).items():
        book.define_name(name, meaning)
    for name, area, formula, value in arrays:
        book.get_worksheet_by_name(name).write_array_formula(area, formula, None, value)
    for name, area, options in tables:
        book.get_worksheet_by_name(name).add_table(area, options)
    book.close()
    return path


def formulas_of(path: Path) -> WorkbookFormulas:
    """The formulas of a workbook."""
    return WorkbookFormulas(written_book(open_book(path)))


def at(text: str) -> Place:
    """The place of an address without dollar signs and quotes: ``Sheet!B3``."""
    sheet, _mark, cell = text.rpartition("!")
    letters = cell.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return Place(sheet, int(cell[len(letters) :]), column)
