"""The sheet `mbs Study Curves`: the numbers that charts of a study draw, columns side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.studies.study_book import Floats
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, PageColumn, Paper
from sheetmbs.workbook.sheets.sheet_contents import STUDY_CURVES
from sheetmbs.workbook.sheets.sheetxml import decimals, text_width, usual_width

FIRST_ROW = 3
"""of numbers, below heads and units"""


class DrawnColumns:
    """Columns that are held once, however many charts draw them."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str, bytes], str] = {}
        self._columns: list[PageColumn] = []

    def add(self, name: str, unit: str, data: Floats) -> str:
        """A column of numbers, NaN where there is none; returns how charts call it."""
        return self._held(name, unit, np.ascontiguousarray(data, dtype=np.float64), ())

    def add_texts(self, name: str, labels: Sequence[str]) -> str:
        """A column of texts; returns how charts call it."""
        return self._held(name, "", np.zeros(0), tuple(labels))

    def _held(self, name: str, unit: str, data: Floats, labels: tuple[str, ...]) -> str:
        key = name, unit, data.tobytes() + "\0".join(labels).encode()
        if key not in self._names:
            place = len(self._columns) + 1
            taken = sum(known[0] == name for known in self._names)
            own = f"{name} ({taken + 1})" if taken else name
            self._names[key] = f"{STUDY_CURVES}!{own}"
            self._columns.append(PageColumn(own, unit, FIRST_ROW, place, data, labels))
        return self._names[key]

    def page(self) -> Page | None:
        """The sheet; None where nothing is drawn."""
        if not self._columns:
            return None
        cells: list[PageCell] = []
        for column in self._columns:
            k, has_texts = column.column, bool(column.labels)
            cells.append(PageCell(1, k, column.name, "header text" if has_texts else "header"))
            cells.append(PageCell(2, k, column.unit, "units"))
            shown = decimals(column.data) if len(column.data) else "general"
            look = "general" if shown == "general" else number_format(shown)
            content = column.labels or [value if known else None for value, known in _numbers(column.data)]
            cells += [
                PageCell(row, k, each, "general text" if has_texts else look)
                for row, each in enumerate(content, start=FIRST_ROW)
                if each is not None
            ]
        rows = max(cell.row for cell in cells)
        widths = [text_width(c.name, c.labels) if c.labels else usual_width(c.name) for c in self._columns]
        size = rows, len(self._columns)
        paper = Paper(upright=False, scale=60, repeated=(1, 2))
        return Page(
            STUDY_CURVES,
            tuple(widths),
            tuple(cells),
            size,
            paper,
            {1: 20.0},
            columns=tuple(self._columns),
            frozen=(0, 2),
        )


def _numbers(data: Floats) -> list[tuple[float, bool]]:
    return list(zip(data.tolist(), np.isfinite(data).tolist(), strict=True))
