"""The content of each chart: the columns of its lines, their places and their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Chart
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts.axes import Scale, pretty_unit
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW, blocks

Part = Literal["line", "below", "band", "mark", "points"]
MAX_LINES = 250
"""that one chart may hold: Excel draws 255, a frame among them"""


@dataclass(frozen=True)
class PanelColumn:
    """A result column: where it stands and what it holds.

    place: from 1; data: the rows that are shown there, from ``first_row`` on; labels: or the texts. case: to which it belongs,
    or "". word: what an axis calls it, if not by its name; title: what a legend calls it, if not by its header.
    """

    name: str
    unit: str
    time: str
    sheet: str
    place: int
    data: NDArray[np.float64]
    first_row: int = FIRST_DATA_ROW
    labels: tuple[str, ...] = ()
    case: str = ""
    word: str | None = None
    title: str = ""

    @property
    def letter(self) -> str:
        """The letters of its place."""
        return column_letters(self.place)

    @property
    def last_row(self) -> int:
        """The last row of its numbers."""
        return max(self.first_row + max(len(self.data), len(self.labels)) - 1, self.first_row)

    @property
    def reference(self) -> str:
        """The range of its numbers."""
        return f"{quoted(self.sheet)}!${self.letter}${self.first_row}:${self.letter}${self.last_row}"

    @property
    def header(self) -> str:
        """The cell of its name."""
        return f"{quoted(self.sheet)}!${self.letter}$1"


@dataclass(frozen=True)
class LineLook:
    """Appearance of a line or a bar. dash: a name of XlsxWriter's. width, dot: of the line and of dots, points; 0 without.

    is_ring: dots are rings. tall: of a mark, the share of the scale that it goes up from its point; 0: through all of it.
    """

    color: str
    dash: str = "solid"
    width: float = 1.75
    dot: int = 0
    is_ring: bool = False
    tall: float = 0.0


@dataclass(frozen=True)
class PanelLine:
    """One series of a chart. asked: by which name its column was asked for. is_right: its axis stands at the right.

    is_named: the legend shows it. look: as its number among the lines of the chart says, unless given. notes: a text for each
    bar or point. notes_at: where texts of points stand. part: what it is in a chart of courses: a line, what lies below a
    band, the width of that, or rows at which a line stands upright; points are dots without a line, in the colour of the
    line beside which they stand, by its number.
    """

    asked: str
    x: PanelColumn
    y: PanelColumn
    is_right: bool = False
    look: LineLook | None = None
    notes: tuple[str, ...] = ()
    notes_at: str = "right"
    part: Part = "line"
    is_named: bool = True
    beside: int = 0


@dataclass(frozen=True)
class PanelStyle:
    """Settings of a chart on a page. across, upward: titles of its axes, and their scales. size: pixels.

    is_small: in small print and without a legend. is_stacked: bars stand one on the other. is_lying: and lie across.
    is_beside: side by side. is_true: both axes have one scale, so that shapes are true. every: of a chart of courses: rows
    from one tick across to the next.
    """

    across: str
    upward: str
    x_scale: Scale | None
    y_scale: Scale | None
    size: tuple[int, int]
    is_small: bool = False
    is_stacked: bool = False
    is_lying: bool = False
    is_beside: bool = False
    is_true: bool = False
    every: int = 0


@dataclass(frozen=True)
class Panel:
    """One chart as it is drawn: at most two units, the second on an axis of its own at the right.

    chart: what was asked for. lines: those of the left axis first. frame: x and y of a line within which a path lies.
    style: what a page says of it, or None.
    """

    title: str
    chart: Chart
    lines: tuple[PanelLine, ...]
    is_path: bool = False
    is_bars: bool = False
    frame: tuple[PanelColumn, PanelColumn] | None = None
    style: PanelStyle | None = None

    @property
    def x(self) -> PanelColumn:
        """The abscissa of the first line."""
        return self.lines[0].x

    @property
    def left(self) -> tuple[PanelColumn, ...]:
        """The columns on the axis at the left."""
        return tuple(line.y for line in self.lines if not line.is_right)

    @property
    def right(self) -> tuple[PanelColumn, ...]:
        """The columns on the axis at the right."""
        return tuple(line.y for line in self.lines if line.is_right)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of its lines, as they were asked for."""
        asked = (line.asked for line in self.lines if line.part != "points")
        return (*asked, *(column.name for column in (self.frame or ())[1:]))

    @property
    def has_points(self) -> bool:
        """Whether measured points stand beside its lines."""
        return any(line.part == "points" for line in self.lines)

    @property
    def columns(self) -> tuple[PanelColumn, ...]:
        """All that it shows."""
        return (*(column for line in self.lines for column in (line.x, line.y)), *(self.frame or ()))


@dataclass
class Selection:
    """The charts asked for that can be drawn, and sentences about those that cannot."""

    panels: list[Panel] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def quoted(sheet: str) -> str:
    """The name of a sheet as references write it."""
    return "'" + sheet.replace("'", "''") + "'"


def of_case(case: str, name: str) -> str:
    """Name under which a column is found among those of all cases."""
    return f"{case}\t{name}" if case else name


def result_columns(tables: Iterable[Table], *, whole: bool = False) -> dict[str, PanelColumn]:
    """Every result column as ``sheet!name``, and by its name, which means the first part of one that goes on elsewhere.

    Where there are several cases, by `of_case` too. whole: with all rows of its table, whatever its sheet shows of them.
    """
    columns: dict[str, PanelColumn] = {}
    for table in tables:
        for block in blocks(table):
            rows = slice(block.first_row, block.first_row + block.rows)
            for place, index in enumerate(block.columns, start=1):
                data = table.values[:, index] if whole else table.values[rows, index]
                name, unit = table.columns[index], table.units[index]
                column = PanelColumn(name, unit, table.columns[0], block.sheet, place, data, case=table.case)
                keys = (name, f"{block.sheet}!{name}", f"{table.name}!{name}", of_case(table.case, name))
                for key in keys:
                    columns.setdefault(key, column)
    return columns


def select(charts: Iterable[Chart], columns: Mapping[str, PanelColumn]) -> Selection:
    """The panels of charts, in their order."""
    selection = Selection()
    for chart in charts:
        known = [(name, columns[name]) for name in chart.y if name in columns]
        first: dict[str, PanelColumn] = {}
        for _, column in known:
            first.setdefault(column.case, column)
        across = {case: _across(chart.x, column, columns) for case, column in first.items()}
        missing = [name for name in chart.y if name not in columns]
        missing += [chart.x] if not all(across.values()) or not (known or chart.x in columns) else []
        if missing:
            selection.left_out.append(f"Not drawn in '{chart.title}': there is no result column {', '.join(missing)}.")
        lines, other = [], []
        for name, y in known:
            x = across[y.case]
            if x is None:
                continue
            is_fitting = len(x.labels or x.data) == len(y.data)
            lines += [PanelLine(name, x, y)] if is_fitting else []
            other += [] if is_fitting else [(name, x.name)]
        if other:
            names = ", ".join(name for name, _ in other)
            selection.left_out.append(f"Not drawn in '{chart.title}': {names} has other rows than {other[0][1]}.")
        if len(lines) > MAX_LINES:
            more = len(lines) - MAX_LINES
            selection.left_out.append(f"Not drawn in '{chart.title}': {more} more; a chart holds {MAX_LINES} lines.")
        frame = (columns[chart.beside[0]], columns[chart.beside[1]]) if chart.beside else None
        selection.panels += [_with_points(panel, columns) for panel in _panels(chart, lines[:MAX_LINES], frame)]
    return selection


def _with_points(panel: Panel, columns: Mapping[str, PanelColumn]) -> Panel:
    """A panel with measured points in the colours of its lines."""
    lines = list(panel.lines)
    for points in panel.chart.points:
        beside = next((number for number, line in enumerate(panel.lines) if line.asked == points.of), None)
        x, y = columns.get(points.x), columns.get(points.y)
        if beside is not None and x is not None and y is not None:
            line = panel.lines[beside]
            titled = replace(y, title=points.name, word="")
            lines.append(PanelLine(points.y, replace(x, word=""), titled, line.is_right, part="points", beside=beside))
    return replace(panel, lines=tuple(lines))


def _across(name: str, beside: PanelColumn, columns: Mapping[str, PanelColumn]) -> PanelColumn | None:
    """The column of that name that belongs to the same case; time, that on the same sheet."""
    if name == beside.time:
        return columns.get(f"{beside.sheet}!{name}")
    return columns.get(of_case(beside.case, name))


def _panels(chart: Chart, lines: Sequence[PanelLine], frame: tuple[PanelColumn, PanelColumn] | None) -> Iterator[Panel]:
    """One panel for two units; further units go on in panels whose titles name them."""
    by_unit: dict[str, list[PanelLine]] = {}
    for line in lines:
        by_unit.setdefault(line.y.unit, []).append(line)
    groups = list(by_unit.values())
    for start in range(0, len(groups), 2):
        left, right = groups[start], groups[start + 1] if start + 1 < len(groups) else []
        units = ", ".join(pretty_unit(group[0].y.unit) or "-" for group in (left, right) if group)
        title = f"{chart.title} [{units}]" if start else chart.title
        x = left[0].x
        is_path = chart.type == "xy" and not right and left[0].y.unit == x.unit and len(x.data) > 1
        drawn = (*left, *(PanelLine(line.asked, line.x, line.y, is_right=True) for line in right))
        yield Panel(title, chart, drawn, is_path, chart.type == "bar", frame if is_path else None)
