"""A new workbook of curves of several subjects: lists, and each quantity with means across subjects and charts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from sheetmbs.elements.marker import Vector
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES

NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}']")
MAX_SHEET_NAME = 31
"""letters of a sheet's name"""
COLORS = ("#0B5FA5", "#C00000", "#2E7D32", "#8E44AD", "#B9770E", "#117A8B")
"""of conditions, one after the other"""
PALE = 60
"""% by which a line of one subject shines through"""
CURVE_WIDTH, LINE = 14.0, 15.0
"""width of a column of a curve in digits, height of a line of its head in points"""
FIRST_ROW = 3
CHART = {"width": 620, "height": 330}
NUMBER_FORMAT = "0.0000"


@dataclass(frozen=True)
class LongList:
    """A sheet of rows. heads: of its columns."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Group:
    """Curves of one side in one condition. label: ``right knee.angle``, with the condition where there are several.

    names: of the subjects. curves: (subjects, points), NaN where unknown.
    """

    side: str
    label: str
    condition: str
    names: tuple[str, ...]
    curves: Vector


@dataclass(frozen=True)
class CurveSheet:
    """A sheet of one quantity, as ``knee angle``. unit: with its positive sense."""

    title: str
    unit: str
    groups: tuple[Group, ...]


def subjects_book(items: LongList, subjects: LongList, percent: Vector, sheets: Sequence[CurveSheet]) -> bytes:
    """The file of the new workbook. items: as a table to pivot. percent: (points,) of the stride."""
    from xlsxwriter import Workbook

    content = BytesIO()
    with Workbook(content, {"in_memory": True}) as made:
        made.set_properties({"title": "Gait of several subjects", "subject": "results put together by sheetmbs"})
        pages = _Pages(made)
        pages.items(items)
        pages.subjects(subjects)
        names = {items.name, subjects.name}
        for sheet in sheets:
            name = _free_name(sheet.title, names)
            names.add(name.casefold())
            pages.quantity(name, sheet, percent)
    return content.getvalue()


def _free_name(title: str, taken: set[str]) -> str:
    """A name of a sheet that no other has."""
    plain = NOT_IN_NAMES.sub(" ", title).strip() or "quantity"
    name, number = plain[:MAX_SHEET_NAME].rstrip(), 2
    while name.casefold() in taken:
        name, number = f"{plain[: MAX_SHEET_NAME - 4].rstrip()} {number}", number + 1
    return name


class _Pages:
    """Writes sheets into a workbook of XlsxWriter."""

    def __init__(self, book: Any) -> None:
        self.book = book
        self.head = book.add_format(
            {"bold": True, "bg_color": "#DCE4EA", "bottom": 1, "text_wrap": True, "valign": "top"}
        )
        self.shown, self.whole = (book.add_format({"num_format": each}) for each in (NUMBER_FORMAT, "0"))
        grey = {"font_color": "#6B7780", "bg_color": "#F2F5F7"}
        self.units = book.add_format({"italic": True, "text_wrap": True, "valign": "top", **grey})

    def _page(self, name: str) -> Any:
        """A new sheet, set up for printing."""
        page = self.book.add_worksheet(name)
        page.set_paper(9)
        page.set_landscape()
        page.fit_to_pages(1, 0)
        page.set_footer("&L&9&F&R&9&A, page &P of &N")
        return page

    def items(self, rows: LongList) -> None:
        """A list as a table for pivot tables."""
        page = self._page(rows.name)
        columns = [{"header": head} for head in rows.heads]
        last = max(len(rows.rows), 1)
        page.add_table(0, 0, last, len(rows.heads) - 1, {"name": rows.name, "columns": columns, "data": rows.rows})
        for column, head in enumerate(rows.heads):
            longest = max(
                (
                    len(f"{row[column]:.6g}" if isinstance(row[column], float) else str(row[column] or ""))
                    for row in rows.rows
                ),
                default=0,
            )
            page.set_column(column, column, max(len(head) + 4, longest + 2))
        page.freeze_panes(1, 3)

    def subjects(self, rows: LongList) -> None:
        """A list of texts, and of numbers that are known."""
        page = self._page(rows.name)
        page.write_row(0, 0, rows.heads, self.head)
        for number, row in enumerate(rows.rows, start=1):
            for column, value in enumerate(row):
                if isinstance(value, float):
                    page.write_number(number, column, value)
                else:
                    page.write_string(number, column, str(value))
        page.set_column(0, len(rows.heads) - 1, 16)
        page.freeze_panes(1, 1)

    def quantity(self, name: str, sheet: CurveSheet, percent: Vector) -> None:
        """Curves of all subjects, their mean and standard deviation as formulas, and a chart for each side."""
        page = self._page(name)
        page.freeze_panes(2, 1)
        self._column(page, 0, "percent", "%", percent)
        column = 1
        charted: dict[str, list[tuple[Group, int]]] = {}
        unit = sheet.unit
        for group in sheet.groups:
            charted.setdefault(group.side, []).append((group, column))
            for offset, (of, curve) in enumerate(zip(group.names, group.curves, strict=True)):
                self._column(page, column + offset, f"{group.label} {of}", unit, curve)
            self._across(page, column, group, unit)
            column += len(group.names) + 5
        page.set_column(1, column, CURVE_WIDTH, self.shown)
        longest = max(len(f"{group.label} {of}") for group in sheet.groups for of in (*group.names, "mean - sd"))
        page.set_row(0, LINE * (-(-longest // int(CURVE_WIDTH)) + 1))
        page.set_row(1, LINE * -(-len(unit) // int(CURVE_WIDTH)))
        for number, (side, own) in enumerate(charted.items()):
            chart = self._chart(page, f"{side} {name}".strip(), own, unit, len(percent))
            page.insert_chart(2 + 18 * number, column + 1, chart)

    def _column(self, page: Any, column: int, head: str, unit: str, values: Vector) -> None:
        page.write_string(0, column, head, self.head)
        page.write_string(1, column, unit, self.units)
        for row, value in enumerate(values.tolist(), start=FIRST_ROW - 1):
            if np.isfinite(value):
                page.write_number(row, column, value, self.shown if column else None)

    def _across(self, page: Any, first: int, group: Group, unit: str) -> None:
        """Mean, standard deviation (n - 1), number, and the lines at one deviation, behind the curves of a group."""
        mean = first + len(group.names)
        plain = unit.split(",", maxsplit=1)[0]
        parts = (("mean", unit), ("sd", plain), ("n", ""), ("mean - sd", unit), ("mean + sd", unit))
        for offset, (part, of) in enumerate(parts):
            self._column(page, mean + offset, f"{group.label}.{part}", of, np.zeros(0))
        left, right, at, deviation = (column_letters(each + 1) for each in (first, mean - 1, mean, mean + 1))
        for number, values in enumerate(group.curves.T):
            row, known = number + FIRST_ROW, values[np.isfinite(values)]
            cells = f"{left}{row}:{right}{row}"
            page.write_formula(row - 1, mean + 2, f"=COUNT({cells})", self.whole, len(known))
            if not len(known):
                continue
            middle = float(np.mean(known))
            page.write_formula(row - 1, mean, f"=AVERAGE({cells})", self.shown, middle)
            if len(known) > 1:
                width = float(np.std(known, ddof=1))
                page.write_formula(row - 1, mean + 1, f"=STDEV({cells})", self.shown, width)
                page.write_formula(row - 1, mean + 3, f"={at}{row}-{deviation}{row}", self.shown, middle - width)
                page.write_formula(row - 1, mean + 4, f"={at}{row}+{deviation}{row}", self.shown, middle + width)

    def _chart(self, page: Any, title: str, groups: Sequence[tuple[Group, int]], unit: str, points: int) -> Any:
        """Subjects thin, means thick, standard deviations dashed."""
        chart = self.book.add_chart({"type": "scatter", "subtype": "straight"})
        last, hidden = FIRST_ROW - 2 + points, []

        def line(column: int, of: dict[str, Any], name: Any) -> None:
            if name is None:
                hidden.append(len(chart.series))
            series = {"categories": [page.name, FIRST_ROW - 1, 0, last, 0], "line": of}
            chart.add_series(
                series | {"values": [page.name, FIRST_ROW - 1, column, last, column]} | {"name": name or ""}
            )

        for number, (group, first) in enumerate(groups):
            color, mean = COLORS[number % len(COLORS)], first + len(group.names)
            for offset in range(len(group.names)):
                line(first + offset, {"color": color, "width": 0.75, "transparency": PALE}, None)
            for offset in (3, 4) if len(group.names) > 1 else ():
                line(mean + offset, {"color": color, "width": 1.0, "dash_type": "dash"}, None)
            who = f"mean of {len(group.names)}"
            line(mean, {"color": color, "width": 2.5}, f"{group.condition}: {who}" if len(groups) > 1 else who)
        font = {"size": 9, "bold": False}
        chart.set_title({"name": title, "name_font": {"size": 12}})
        across = {"min": 0, "max": 100, "major_unit": 20, "name": "% of stride", "label_position": "low"}
        chart.set_x_axis(across | {"name_font": font, "major_gridlines": {"visible": False}})
        chart.set_y_axis({"name": unit, "name_font": font, "major_gridlines": {"visible": True}, "crossing": "min"})
        chart.set_legend({"position": "bottom", "delete_series": hidden})
        chart.set_size(CHART)
        return chart
