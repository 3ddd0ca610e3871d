"""Rows of tables that hold texts beside numbers, of which some rows stand out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.table import TextColumn
from sheetmbs.workbook.sheets.xml_texts import SMALLEST_NUMBER, text

Formats = Mapping[str, int]
AT_ONCE = 2_000
"""rows that are made at a time"""
STANDS_OUT = "best "
"""how the names of looks begin that rows have which stand out"""

Printer = Callable[[int, str, str], str]
"""the cell of a row: its number in the table, as text on the sheet, and which kind of look the row has"""


def mixed_rows(
    columns: Sequence[tuple[str, NDArray[np.float64] | TextColumn, str]],
    marked: Collection[int],
    formats: Formats,
    first_row: int,
) -> Iterator[bytes]:
    """All rows. columns: letters, content and look of each. marked: rows that stand out. first_row: where they begin."""
    printers = [
        _text_printer(letters, content, formats)
        if isinstance(content, TextColumn)
        else _number_printer(letters, content, look, formats)
        for letters, content, look in columns
    ]
    content = columns[0][1]
    count = len(content.texts) if isinstance(content, TextColumn) else len(content)
    for start in range(0, count, AT_ONCE):
        rows = []
        for row in range(start, min(start + AT_ONCE, count)):
            number, kind = str(first_row + row), STANDS_OUT if row in marked else ""
            rows.append(f'<row r="{number}">{"".join([cell(row, number, kind) for cell in printers])}</row>')
        yield "".join(rows).encode()


def _number_printer(letters: str, values: NDArray[np.float64], look: str, formats: Formats) -> Printer:
    """Of a column of numbers; one that is not known leaves no cell."""
    held = np.where(np.abs(values) < SMALLEST_NUMBER, 0.0, values).tolist()
    known = np.isfinite(values).tolist()
    styles = {kind: formats[f"{kind}{look}"] for kind in ("", STANDS_OUT)}

    def printed(row: int, number: str, kind: str) -> str:
        if known[row]:
            return f'<c r="{letters}{number}" s="{styles[kind]}"><v>{held[row]!r}</v></c>'
        return f'<c r="{letters}{number}" s="{styles[kind]}"/>' if kind else ""

    return printed


def _text_printer(letters: str, column: TextColumn, formats: Formats) -> Printer:
    """Of a column of texts; those that have a look of their own keep it in rows that stand out."""
    usual = {"": formats["general text"], STANDS_OUT: formats[f"{STANDS_OUT}text"]}
    styles = {said: formats[look] for said, look in column.looks.items()}

    def printed(row: int, number: str, kind: str) -> str:
        said = column.texts[row]
        if not said:
            return f'<c r="{letters}{number}" s="{usual[kind]}"/>' if kind else ""
        style = styles.get(said, usual[kind])
        return (
            f'<c r="{letters}{number}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text(said)}</t></is></c>'
        )

    return printed
