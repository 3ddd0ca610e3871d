"""Native charts of the result columns: XlsxWriter draws the skeleton, the numbers are filled in here.

A chart refers to the result sheets by name, so it stays alive in the workbook; it also holds the numbers themselves,
for viewers that do not look them up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.axes import Scale, axis_title, equal_scales, number_format, pretty_unit, x_scale
from sheetmbs.workbook.cell import column_letters
from sheetmbs.workbook.printing import Layout, printed
from sheetmbs.workbook.sheetxml import FIRST_DATA_ROW, NOT_XML, blocks

WIDTH, HEIGHT, GAP = 620, 360, 20
ROW_HEIGHT, ACROSS, ROWS_PER_PAGE = 20, 2, 2
EMU = 9525
"""of a pixel"""
CACHED_ROWS = 20_000
"""above this many rows a chart holds no numbers of its own: every program that can open such a sheet looks them up"""
MANY_SERIES = 7
LEFT, RIGHT, ABOVE, BELOW, LEGEND = 80, 25, 45, 62, 26
"""pixels around the area of a path, for title, labels and legend"""

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
"""after Okabe and Ito: told apart with every kind of colour vision, and dark enough on white"""
DASHES = ("solid", "dash", "square_dot", "long_dash_dot")
TEXT, TITLE, FRAME, GRID, AXIS = "#595959", "#1F3864", "#D9DEE7", "#E7EAEF", "#A6ADB8"

REFERENCE = re.compile(
    r"<c:numRef><c:f>([^<]*)</c:f>"
    r'(?:<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="0"/></c:numCache>)?</c:numRef>'
)

EXPLICIT = (
    (('<c:lang val="[^"]*"/>', "<c:chart>"), '<c:roundedCorners val="0"/>'),
    (("<c:layout/>", "</c:title>"), '<c:overlay val="0"/>'),
    (("</c:title>", "<c:plotArea>"), '<c:autoTitleDeleted val="0"/>'),
    (('<c:scatterStyle val="[^"]*"/>', "<c:ser>"), '<c:varyColors val="0"/>'),
    (("</c:yVal>", "</c:ser>"), '<c:smooth val="0"/>'),
    (("</c:scaling>", "<c:axPos"), '<c:delete val="0"/>'),
    (('<c:legendPos val="[^"]*"/><c:layout/>', "<c:txPr>"), '<c:overlay val="0"/>'),
    (('<c:plotVisOnly val="1"/>', "</c:chart>"), '<c:dispBlanksAs val="gap"/>'),
)
"""what is inserted, and between which parts (ECMA-376 part 1, 21.2: smooth lines and gaps drawn as 0 are the defaults)"""


@dataclass(frozen=True)
class Column:
    """A result column: where it stands and what it holds. place: from 1; data: the rows that are shown there."""

    name: str
    unit: str
    time: str
    sheet: str
    place: int
    data: NDArray[np.float64]

    @property
    def letter(self) -> str:
        """The letters of its place."""
        return column_letters(self.place)

    @property
    def last_row(self) -> int:
        """Where its numbers end."""
        return max(FIRST_DATA_ROW + len(self.data) - 1, FIRST_DATA_ROW)

    @property
    def reference(self) -> str:
        """The range of its numbers."""
        return f"'{self.sheet}'!${self.letter}${FIRST_DATA_ROW}:${self.letter}${self.last_row}"

    @property
    def header(self) -> str:
        """The cell of its name."""
        return f"'{self.sheet}'!${self.letter}$1"


@dataclass(frozen=True)
class Panel:
    """One chart as it is drawn: at most two units, the second on an axis of its own at the right.

    chart: what was asked for. frame: x and y of a line within which a path lies.
    """

    title: str
    chart: Chart
    x: Column
    left: tuple[Column, ...]
    right: tuple[Column, ...]
    is_path: bool
    is_bars: bool = False
    frame: tuple[Column, Column] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of its lines."""
        return tuple(column.name for column in (*self.left, *self.right, *(self.frame or ())[1:]))

    @property
    def columns(self) -> tuple[Column, ...]:
        """All that it shows, first the one that runs across."""
        return (self.x, *self.left, *self.right, *(self.frame or ()))


@dataclass
class Selection:
    """What can be drawn of the charts asked for, and sentences about what cannot."""

    panels: list[Panel] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def result_columns(tables: Iterable[Table], *, whole: bool = False) -> dict[str, Column]:
    """Every result column as ``sheet!name``, and by its name, which means the first part of one that goes on elsewhere.

    whole: with all rows of its table, whatever its sheet shows of them.
    """
    columns: dict[str, Column] = {}
    for table in tables:
        for block in blocks(table):
            rows = slice(block.first_row, block.first_row + block.rows)
            for place, index in enumerate(block.columns, start=1):
                data = table.values[:, index] if whole else table.values[rows, index]
                name, unit = table.columns[index], table.units[index]
                column = Column(name, unit, table.columns[0], block.sheet, place, data)
                columns.setdefault(name, column)
                columns.setdefault(f"{block.sheet}!{name}", column)
    return columns


def select(charts: Iterable[Chart], columns: Mapping[str, Column]) -> Selection:
    """The panels of charts, in their order."""
    selection = Selection()
    for chart in charts:
        known = [columns[name] for name in chart.y if name in columns]
        missing = [name for name in (chart.x, *chart.y) if name not in columns]
        if missing:
            selection.left_out.append(f"Not drawn in '{chart.title}': there is no result column {', '.join(missing)}.")
        if not known or (chart.x in missing and chart.x != known[0].time):
            continue
        of_time = chart.x == known[0].time
        x = columns[f"{known[0].sheet}!{chart.x}"] if of_time else columns[chart.x]
        fitting = [column for column in known if len(column.data) == len(x.data)]
        other = [column.name for column in known if len(column.data) != len(x.data)]
        if other:
            selection.left_out.append(f"Not drawn in '{chart.title}': {', '.join(other)} has other rows than {x.name}.")
        frame = (columns[chart.beside[0]], columns[chart.beside[1]]) if chart.beside else None
        selection.panels += _panels(chart, x, fitting, frame)
    return selection


def _panels(
    chart: Chart, x: Column, columns: Sequence[Column], frame: tuple[Column, Column] | None = None
) -> list[Panel]:
    """One panel for two units; further units go on in panels whose titles name them."""
    by_unit: dict[str, list[Column]] = {}
    for column in columns:
        by_unit.setdefault(column.unit, []).append(column)
    groups = list(by_unit.values())
    panels = []
    for start in range(0, len(groups), 2):
        left, right = groups[start], groups[start + 1] if start + 1 < len(groups) else []
        units = ", ".join(pretty_unit(group[0].unit) or "-" for group in (left, right) if group)
        title = f"{chart.title} [{units}]" if start else chart.title
        is_path = chart.type == "xy" and not right and left[0].unit == x.unit and len(x.data) > 1
        is_bars = chart.type == "bar"
        framed = frame if is_path else None
        panels.append(Panel(title, chart, x, tuple(left), tuple(right), is_path, is_bars, framed))
    return panels


def skeletons(panels: Sequence[Panel]) -> list[str]:
    """The charts as XlsxWriter writes them, without numbers."""
    if not panels:
        return []
    from xlsxwriter import Workbook  # noqa: PLC0415 - results without charts need not wait for it

    file = BytesIO()
    book = Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    for number, panel in enumerate(panels):
        sheet.insert_chart(number, 0, _chart(book, panel))
    book.close()
    with ZipFile(file) as made:
        charts = (made.read(f"xl/charts/chart{number}.xml").decode() for number in range(1, len(panels) + 1))
        return [_explicit(chart) for chart in charts]


def _explicit(chart: str) -> str:
    """The chart with what XlsxWriter leaves out because Excel 2007 takes it for granted: others take the opposite."""
    for place, said in EXPLICIT:
        chart = re.sub(f"({place[0]})(?={place[1]})", rf"\1{said}", chart)
    return chart


def _chart(book: Any, panel: Panel) -> Any:
    chart = book.add_chart({"type": "column"} if panel.is_bars else {"type": "scatter", "subtype": "straight"})
    series = [*panel.left, *panel.right]
    single_row = len(panel.x.data) == 1
    for number, column in enumerate(series):
        color = PALETTE[number % len(PALETTE)]
        dash, width = DASHES[number // len(PALETTE) % len(DASHES)], 1.0 if panel.frame else 1.75
        line = {"color": color, "width": width, "dash_type": dash}
        look = {"fill": {"color": color}, "gap": 60} if panel.is_bars else {"line": line}
        marker = {"type": "circle", "size": 7, "fill": {"color": color}, "border": {"color": color}}
        chart.add_series(
            {
                "name": f"={column.header}",
                "name_data": [column.name],
                "categories": f"={panel.x.reference}",
                "categories_data": [],
                "values": f"={column.reference}",
                "values_data": [],
                **look,
                "marker": marker if single_row else {"type": "none"},
                "smooth": False,
                "y2_axis": number >= len(panel.left),
            }
        )
    if panel.frame:
        chart.add_series(
            {
                "name": f"={panel.frame[1].header}",
                "name_data": [panel.frame[1].name],
                "categories": f"={panel.frame[0].reference}",
                "categories_data": [],
                "values": f"={panel.frame[1].reference}",
                "values_data": [],
                "line": {"color": TEXT, "width": 1.0},
                "marker": {"type": "none"},
                "smooth": False,
            }
        )
    chart.set_title({"name": _literal(panel.title), "overlay": False, "name_font": _font(12, TITLE, bold=True)})
    path = _path_layout(panel) if panel.is_path else None
    across = path[1] if path else x_scale(panel.x.data, is_time=panel.x.name == panel.x.time)
    of_bars = {"num_format": "0", "major_gridlines": {"visible": False}}
    # both axes of a path have the same ticks, so that their numbers are written alike, also where one shows only rounding
    of_x = _axis([panel.x], across, panel.left if path else ())
    chart.set_x_axis(_axis([panel.x], None) | of_bars if panel.is_bars else {**of_x, "crossing": "min"})
    chart.set_y_axis(_axis(panel.left, path[2], [panel.x]) if path else _axis(panel.left, None))
    if panel.right:
        # the hidden second axis across must not choose a range of its own
        chart.set_x2_axis({**_axis([panel.x], across), "name": "", "visible": False})
        plain = {"major_gridlines": {"visible": False}, "label_position": "high"}
        chart.set_y2_axis({**_axis(panel.right, None), **plain})
    if len(series) == 1:
        chart.set_legend({"none": True})
    else:
        place = "bottom" if len(series) <= MANY_SERIES else "right"
        chart.set_legend({"position": place, "font": _font(9, TEXT)})
    chart.set_chartarea({"border": {"color": FRAME, "width": 0.75}, "fill": {"color": "#FFFFFF"}})
    chart.set_plotarea({"fill": {"none": True}} | ({"layout": path[0]} if path else {}))
    chart.set_size({"width": WIDTH, "height": HEIGHT})
    chart.show_blanks_as("gap")
    return chart


def _font(size: int, color: str, *, bold: bool = False) -> dict[str, Any]:
    return {"size": size, "color": color, "bold": bold}


def _axis(columns: Sequence[Column], scale: Scale | None, alike: Sequence[Column] = ()) -> dict[str, Any]:
    """An axis for some columns. alike: those of another one whose numbers are to look the same."""
    data = np.concatenate([column.data for column in (*columns, *alike)])
    axis: dict[str, Any] = {
        "name": _literal(axis_title([column.name for column in columns], columns[0].unit)),
        "name_font": _font(10, TEXT),
        "num_font": _font(9, TEXT),
        "num_format": number_format(data, scale.tick if scale else None),
        "line": {"color": AXIS, "width": 0.75},
        "major_gridlines": {"visible": True, "line": {"color": GRID, "width": 0.5}},
        "major_tick_mark": "none",
        "minor_tick_mark": "none",
        "label_position": "low",
    }
    if scale:
        axis |= {"min": scale.first, "max": scale.last, "major_unit": scale.tick}
    return axis


def _literal(text: str) -> str:
    """A text that is shown as it stands: one that begins with = would be taken for a reference."""
    shown = NOT_XML.sub("", text)
    return f" {shown}" if shown.startswith("=") else shown


def _path_layout(panel: Panel) -> tuple[dict[str, float], Scale, Scale] | None:
    """Where a path is drawn within its chart, as fractions of it, and scales with which its shape is true."""
    below = BELOW if len(panel.left) == 1 else BELOW + LEGEND
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - ABOVE - below
    across = [panel.x.data, *([panel.frame[0].data] if panel.frame else [])]
    upwards = [column.data for column in (*panel.left, *(panel.frame[1:] if panel.frame else ()))]
    scales = equal_scales(np.concatenate(across), np.concatenate(upwards), width, height)
    if scales is None:
        return None
    x, y = scales
    tick = min(width / x.ticks, height / y.ticks)
    inner = {"width": tick * x.ticks / WIDTH, "height": tick * y.ticks / HEIGHT}
    return {"x": LEFT / WIDTH, "y": ABOVE / HEIGHT, **inner}, x, y


def filled(skeleton: str, panel: Panel, caches: dict[str, str]) -> bytes:
    """A chart with its numbers. caches: those of other charts, by reference, to which new ones are added."""
    for column in panel.columns:
        if column.reference not in caches:
            caches[column.reference] = _cache(column.data)

    def reference(match: re.Match[str]) -> str:
        formula = match.group(1)
        return f"<c:numRef><c:f>{formula}</c:f>{caches[unescape(formula)]}</c:numRef>"

    return REFERENCE.sub(reference, skeleton).encode()


def _cache(data: NDArray[np.float64]) -> str:
    held = cached_numbers(data)
    return f"<c:numCache><c:formatCode>General</c:formatCode>{held}</c:numCache>" if held else ""


def cached_numbers(data: NDArray[np.float64], prefix: str = "c:") -> str:
    """The numbers of a column as a chart holds them, "" where they are too many; an unknown one is left out: a gap."""
    if not 0 < len(data) <= CACHED_ROWS:
        return ""
    point = Layout(
        [(f'<{prefix}pt idx="', f'"><{prefix}v>')], f"</{prefix}v></{prefix}pt>", ("", "", ""), addressed=True
    )
    points = b"".join(printed(data[:, np.newaxis], [0], point)).decode()
    return f'<{prefix}ptCount val="{len(data)}"/>{points}'
