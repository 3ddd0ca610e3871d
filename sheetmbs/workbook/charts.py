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
from itertools import chain, count
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.axes import Scale, axis_title, equal_scales, number_format, pretty_unit, x_scale
from sheetmbs.workbook.cell import column_letters
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
ANCHOR = re.compile(r"<xdr:twoCellAnchor[^>]*>.*?</xdr:to>", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A result column: where it stands and what it holds. data: the rows that its sheet shows."""

    name: str
    unit: str
    time: str
    sheet: str
    letter: str
    data: NDArray[np.float64]

    @property
    def reference(self) -> str:
        """The range of its numbers."""
        last = max(FIRST_DATA_ROW + len(self.data) - 1, FIRST_DATA_ROW)
        return f"'{self.sheet}'!${self.letter}${FIRST_DATA_ROW}:${self.letter}${last}"

    @property
    def header(self) -> str:
        """The cell of its name."""
        return f"'{self.sheet}'!${self.letter}$1"


@dataclass(frozen=True)
class Panel:
    """One chart as it is drawn: at most two units, the second on an axis of its own at the right.

    frame: x and y of a line within which a path lies.
    """

    title: str
    x: Column
    left: tuple[Column, ...]
    right: tuple[Column, ...]
    is_path: bool
    frame: tuple[Column, Column] | None = None


@dataclass(frozen=True)
class Drawn:
    """Parts of the sheet `mbs Charts`. charts: their XML; drawing: the XML that places them, chart n as ``rIdn``."""

    drawing: bytes = b""
    charts: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()
    page_breaks: tuple[int, ...] = ()


@dataclass
class _Selection:
    panels: list[Panel] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def draw(charts: Sequence[Chart], tables: Sequence[Table]) -> Drawn:
    """The charts over the sheets of ``tables``; what cannot be drawn is said in the notes."""
    selection = _select(charts, _columns(tables))
    panels = selection.panels
    notes = (_what_is_shown(len(panels)), *selection.left_out)
    top = len(notes) + 2
    if not panels:
        return Drawn(notes=notes)
    drawing, skeletons = _skeleton(panels)
    columns = {c.reference: c for p in panels for c in (p.x, *p.left, *p.right, *(p.frame or ()))}
    caches = {reference: _cache(column) for reference, column in columns.items()}
    rows_per_band = (HEIGHT + GAP) // ROW_HEIGHT
    bands = -(-len(panels) // ACROSS)
    breaks = [top - 1 + rows_per_band * band for band in range(ROWS_PER_PAGE, bands, ROWS_PER_PAGE)]
    return Drawn(
        drawing=_placed(drawing, top + 1).encode(),
        charts=tuple(_filled(skeleton, caches).encode() for skeleton in skeletons),
        notes=notes,
        page_breaks=tuple(breaks),
    )


def _what_is_shown(count: int) -> str:
    if not count:
        return "There is nothing to draw."
    drawn = (
        "One chart of the results in this workbook" if count == 1 else f"{count} charts of the results in this workbook"
    )
    return f"{drawn}. Every run draws them anew: to keep a chart, or to change it, copy it to a sheet of your own."


def _columns(tables: Iterable[Table]) -> dict[str, Column]:
    """Every result column by name; of a column that goes on in a further sheet, the first part."""
    columns: dict[str, Column] = {}
    for table in tables:
        for block in blocks(table):
            if block.first_row:
                break
            for place, index in enumerate(block.columns, start=1):
                data = table.values[: block.rows, index]
                name, unit = table.columns[index], table.units[index]
                column = Column(name, unit, table.columns[0], block.sheet, column_letters(place), data)
                columns.setdefault(name, column)
                columns.setdefault(f"{block.sheet}!{name}", column)
    return columns


def _select(charts: Iterable[Chart], columns: Mapping[str, Column]) -> _Selection:
    selection = _Selection()
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
        panels.append(Panel(title, x, tuple(left), tuple(right), is_path, frame if is_path else None))
    return panels


def _skeleton(panels: Sequence[Panel]) -> tuple[str, list[str]]:
    """The drawing and the charts as XlsxWriter writes them, without numbers."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - results without charts need not wait for it

    file = BytesIO()
    book = Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    for number, panel in enumerate(panels):
        sheet.insert_chart(number, 0, _chart(book, panel), {"description": _literal(panel.title)})
    book.close()
    with ZipFile(file) as made:
        charts = [made.read(f"xl/charts/chart{number}.xml").decode() for number in range(1, len(panels) + 1)]
        return made.read("xl/drawings/drawing1.xml").decode(), charts


def _chart(book: Any, panel: Panel) -> Any:
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    series = [*panel.left, *panel.right]
    single_row = len(panel.x.data) == 1
    for number, column in enumerate(series):
        color = PALETTE[number % len(PALETTE)]
        dash, width = DASHES[number // len(PALETTE) % len(DASHES)], 1.0 if panel.frame else 1.75
        line = {"color": color, "width": width, "dash_type": dash}
        marker = {"type": "circle", "size": 7, "fill": {"color": color}, "border": {"color": color}}
        chart.add_series(
            {
                "name": f"={column.header}",
                "name_data": [column.name],
                "categories": f"={panel.x.reference}",
                "categories_data": [],
                "values": f"={column.reference}",
                "values_data": [],
                "line": line,
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
    chart.set_x_axis({**_axis([panel.x], across), "crossing": "min"})
    chart.set_y_axis(_axis(panel.left, path[2] if path else None))
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


def _axis(columns: Sequence[Column], scale: Scale | None) -> dict[str, Any]:
    data = np.concatenate([column.data for column in columns])
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


def _placed(drawing: str, first_row: int) -> str:
    """The drawing with its charts on a grid, at places and in sizes that no font or column width changes."""
    numbers = count()

    def anchor(_match: re.Match[str]) -> str:
        band, place = divmod(next(numbers), ACROSS)
        x, y = place * (WIDTH + GAP), (first_row * ROW_HEIGHT) + band * (HEIGHT + GAP)
        return (
            f'<xdr:absoluteAnchor><xdr:pos x="{(x + GAP) * EMU}" y="{y * EMU}"/>'
            f'<xdr:ext cx="{WIDTH * EMU}" cy="{HEIGHT * EMU}"/>'
        )

    return ANCHOR.sub(anchor, drawing).replace("</xdr:twoCellAnchor>", "</xdr:absoluteAnchor>")


def _cache(column: Column) -> str:
    """The numbers of a column as a chart holds them; what is not known is left out and makes a gap."""
    data = column.data
    if not 0 < len(data) <= CACHED_ROWS:
        return ""
    known = np.flatnonzero(np.isfinite(data))
    pairs = chain.from_iterable(zip(known.tolist(), data[known].tolist(), strict=True))
    points = ('<c:pt idx="%d"><c:v>%.9g</c:v></c:pt>' * len(known)) % tuple(pairs)
    return f'<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="{len(data)}"/>{points}</c:numCache>'


def _filled(skeleton: str, caches: Mapping[str, str]) -> str:
    """A chart with its numbers."""

    def reference(match: re.Match[str]) -> str:
        formula = match.group(1)
        return f"<c:numRef><c:f>{formula}</c:f>{caches[unescape(formula)]}</c:numRef>"

    return REFERENCE.sub(reference, skeleton)
