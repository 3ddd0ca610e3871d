"""A workbook of plain rows for other programs: texts and numbers without any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO

from sheetmbs.schema.filled import Cell


def plain_book(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> bytes:
    """The file of a workbook. sheets: rows of cells by the name of their sheet."""
    from xlsxwriter import Workbook

    content = BytesIO()
    with Workbook(content, {"in_memory": True}) as made:
        for name, rows in sheets.items():
            page = made.add_worksheet(name)
            page.set_column(0, 1, 24)
            for at, row in enumerate(rows):
                for column, cell in enumerate(row):
                    if isinstance(cell, str):
                        page.write_string(at, column, cell)
                    elif cell is not None:
                        page.write_number(at, column, cell)
    return content.getvalue()
