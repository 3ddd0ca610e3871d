"""A workbook that puts two others against each other: a list of differences, curves, and charts that overlay them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import xlsxwriter
from numpy.typing import NDArray

CHART_WIDTH, CHART_HEIGHT, ACROSS, ROWS_OF_CHART = 430, 250, 3, 13
"""pixels of a chart, how many stand beside each other, and rows that one covers"""
FIRST_WIDTH, WIDTH = 34, 13
"""of the column of items, and of others, digits"""


@dataclass(frozen=True)
class ComparedCurve:
    """A column of numbers, NaN where nothing is known, with its head and unit."""

    head: str
    unit: str
    values: NDArray[np.float64]


@dataclass(frozen=True)
class OverlaidLine:
    """A line of a chart. column: place of its curve. is_second: of the second workbook, drawn dashed."""

    name: str
    column: int
    color: str
    is_second: bool


@dataclass(frozen=True)
class OverlaidChart:
    """A chart over the first curve. unit: on its axis upward."""

    title: str
    unit: str
    lines: Sequence[OverlaidLine]


def compared_book(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | float | None]],
    bold: Collection[tuple[int, int]],
    told: Sequence[str],
    curves: Sequence[ComparedCurve],
    charts: Sequence[OverlaidChart],
) -> bytes:
    """The file. bold: row and column of cells of the list that stand out, from 0. told: sentences below the list."""
    stream = BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        strong = book.add_format({"bold": True})
        page = book.add_worksheet("differences")
        page.write_row(0, 0, heads, strong)
        for number, row in enumerate(rows):
            for at, value in enumerate(row):
                if value is not None:
                    page.write(number + 1, at, value, strong if (number, at) in bold else None)
        for number, text in enumerate(told, start=len(rows) + 2):
            page.write_string(number, 0, text)
        page.set_column(0, 0, FIRST_WIDTH)
        page.set_column(1, len(heads) - 1, WIDTH)
        page.freeze_panes(1, 1)
        page = book.add_worksheet("curves")
        for at, curve in enumerate(curves):
            page.write_string(0, at, curve.head, strong)
            page.write_string(1, at, curve.unit)
            for number, known in enumerate(curve.values.tolist(), start=2):
                if np.isfinite(known):
                    page.write_number(number, at, known)
        page.freeze_panes(2, 1)
        page = book.add_worksheet("charts")
        last = len(curves[0].values) + 1
        for place, each in enumerate(charts):
            chart = book.add_chart({"type": "scatter", "subtype": "straight"})
            for line in each.lines:
                dash = "dash" if line.is_second else "solid"
                chart.add_series(
                    {
                        "name": line.name,
                        "categories": ["curves", 2, 0, last, 0],
                        "values": ["curves", 2, line.column, last, line.column],
                        "line": {"color": line.color, "width": 2, "dash_type": dash},
                    }
                )
            chart.set_title({"name": each.title, "name_font": {"size": 11}})
            across = {"name": "% of stride", "min": 0, "max": 100, "major_unit": 20, "label_position": "low"}
            chart.set_x_axis(across)
            chart.set_y_axis({"name": each.unit})
            chart.set_legend({"position": "bottom"})
            chart.set_size({"width": CHART_WIDTH, "height": CHART_HEIGHT})
            down, right = divmod(place, ACROSS)
            page.insert_chart(down * ROWS_OF_CHART, 0, chart, {"x_offset": right * CHART_WIDTH})
    return stream.getvalue()
