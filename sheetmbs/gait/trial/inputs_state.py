"""The state of the inputs of a gait workbook: whether results were made from what stands there now."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from sheetmbs.schema.gait_inputs import FORCE_PLATES, GAIT_SHEETS, MARKERS
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book, CellSheet

STATE = "state of the inputs"
"""item of `mbs Summary`"""
DIGITS = 12
"""of a number: other programs may store the last of sixteen differently"""


def inputs_state(book: Book) -> str:
    """Twelve letters and digits that change with any cell of an input sheet."""
    plain = {"settings", *(fold(sheet.name) for sheet in GAIT_SHEETS)}
    series = (fold(MARKERS.name), fold(FORCE_PLATES.name))
    state = sha256()
    for name in sorted(book.sheets):
        if fold(name) in plain or fold(name).startswith(series):
            state.update(name.encode())
            state.update(_content(book.sheets[name]))
    return state.hexdigest()[:12]


def _content(sheet: CellSheet) -> bytes:
    """All cells of a sheet."""
    numbers = sheet.rows.numbers
    # rounded in its own decade, so that no digit counts that a program may have changed
    size = 10.0 ** (DIGITS - 1 - np.floor(np.log10(np.where(numbers.values == 0.0, 1.0, np.abs(numbers.values)))))
    rounded = np.round(numbers.values * size)
    texts = [
        (row, column, str(cell.value)) for row, cells in sheet.rows.others.items() for column, cell in cells.items()
    ]
    return b"".join((numbers.rows.tobytes(), numbers.columns.tobytes(), rounded.tobytes(), repr(texts).encode()))
