"""Workbooks that hold lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

import xlsxwriter

WIDE, NARROW = 60, 14
"""widths of columns of sentences, and of others"""
LONG = 30
"""letters from which a text counts as a sentence"""


def list_book(name: str, headers: Sequence[str], rows: Sequence[Sequence[str | float | None]]) -> bytes:
    """The file of a workbook with one sheet. name: of the sheet. rows: a cell for each header, None is blank."""
    stream = BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        page = book.add_worksheet(name)
        bold = book.add_format({"bold": True})
        page.write_row(0, 0, headers, bold)
        for number, row in enumerate(rows, start=1):
            for at, value in enumerate(row):
                if isinstance(value, str):
                    page.write_string(number, at, value)
                elif value is not None:
                    page.write_number(number, at, value)
        for at in range(len(headers)):
            is_long = any(len(str(row[at])) > LONG for row in rows)
            page.set_column(at, at, WIDE if is_long else NARROW)
        page.freeze_panes(1, 1)
    return stream.getvalue()


def sheets_book(sheets: Mapping[str, Sequence[Sequence[str | float | None]]]) -> bytes:
    """The file of a workbook with several sheets of rows, the first of which is its headers and the second its units."""
    stream = BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        bold = book.add_format({"bold": True})
        for name, rows in sheets.items():
            page = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for at, value in enumerate(row):
                    if isinstance(value, str):
                        page.write_string(number, at, value, bold if number == 0 else None)
                    elif value is not None:
                        page.write_number(number, at, value)
            page.set_column(0, max(map(len, rows), default=1) - 1, NARROW)
            page.freeze_panes(2, 1)
    return stream.getvalue()
