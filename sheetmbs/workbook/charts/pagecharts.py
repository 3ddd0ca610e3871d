"""Pages as sheets to be written: their charts over the results as they stand, drawn again by every run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Chart
from sheetmbs.schema.cell import column_letters
from sheetmbs.workbook.charts.axes import Scale, scale_over
from sheetmbs.workbook.charts.drawings import NO_DRAWING, cell_anchor, picture_anchor
from sheetmbs.workbook.charts.memory import name_of
from sheetmbs.workbook.charts.native_charts import filled, skeletons
from sheetmbs.workbook.charts.panels import LineLook, Panel, PanelColumn, PanelLine, PanelStyle, Part
from sheetmbs.workbook.charts.styled_charts import with_equal_scales
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.parts import PRINT_AREA, PRINT_TITLES
from sheetmbs.workbook.package.pictures import UserPicture
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, Page, PageChart, Spot
from sheetmbs.workbook.sheets.pagesheet import page_cells, page_sheet
from sheetmbs.workbook.sheets.sheetxml import DIGIT, PADDING, ROW_POINTS

PIXELS_OF_POINT = 96 / 72
TICKS, SMALL_TICKS = 8, 5
TICKS_UP_PER_TICK_ACROSS = 0.75
"""ticks upward per tick across"""
MIN_LINE_POINTS = 2
"""points"""

Columns = Mapping[str, PanelColumn]
FindPicture = Callable[[str], UserPicture | None]


def page_columns(pages: Sequence[Page]) -> dict[str, PanelColumn]:
    """The columns of pages that charts draw, as ``page!name``."""
    return {
        f"{page.name}!{each.name}": PanelColumn(
            each.name, each.unit, "", page.name, each.column, each.data, each.row, each.labels, word=each.name
        )
        for page in pages
        for each in page.columns
    }


def written_page(
    page: Page, columns: Columns, sheets: Sequence[str], find: FindPicture = lambda _name: None
) -> NewSheet:
    """A page as a sheet. columns: all that charts can draw. sheets: names of the workbook's sheets, to which links lead.

    find: a picture of the user's by its name.
    """
    panels = [(chart, panel) for chart in page.charts if (panel := _panel(page, chart, columns)) is not None]
    caches: dict[str, str] = {}
    anchors, charts = [], {}
    drawn = [_with_folded(chart) for chart in skeletons([panel for _, panel in panels])]
    for number, ((chart, panel), skeleton) in enumerate(zip(panels, drawn, strict=True), start=1):
        key = f"rId{number}"
        anchors.append(cell_anchor(number + 1, name_of(number), chart.doc, key, chart.box))
        charts[key] = filled(skeleton, panel, caches)
    pictures = {}
    for number, picture in enumerate(page.pictures, start=len(charts) + 1):
        found = find(picture.name)
        if found is not None:
            wide = min(picture.wide, round(picture.high * found.shape))
            spot = Spot(picture.row, max(picture.right - wide, 0), wide, round(wide / found.shape))
            anchors.append(picture_anchor(number + 1, found.name, f"rId{number}", spot))
            pictures[f"rId{number}"] = found.part
    xml = parts.DECLARATION + f"{NO_DRAWING}{''.join(anchors)}</xdr:wsDr>".encode()
    rows, last = page.size
    areas = page.paper.areas or (() if page.paper.scale else ((1, 1, rows, last),))
    ranges = {PRINT_AREA: ",".join(map(_area, areas))} if areas else {}
    if page.paper.repeated:
        top, bottom = page.paper.repeated
        ranges[PRINT_TITLES] = f"${top}:${bottom}"
    return NewSheet(
        page.name,
        partial(page_sheet, page, sheets),
        page_cells(page),
        drawing=Drawing(xml, charts, is_new=True, pictures=pictures) if charts or pictures else None,
        ranges=ranges,
        is_active=page.is_active,
    )


def _with_folded(chart: str) -> str:
    """A chart that shows numbers of folded columns too."""
    return chart.replace('<c:plotVisOnly val="1"/>', '<c:plotVisOnly val="0"/>')


def _area(cells: tuple[int, int, int, int]) -> str:
    """``$A$1:$K$53`` of first row and column, last row and column."""
    top, left, bottom, right = cells
    return f"${column_letters(left)}${top}:${column_letters(right)}${bottom}"


def _panel(page: Page, chart: PageChart, columns: Columns) -> Panel | None:
    """A chart as it is drawn; None where nothing of it is known, or no line has two points."""
    is_bars = chart.kind in ("bar", "bars", "columns", "stacked")
    lines = []
    for line in chart.lines:
        x, y = columns.get(line.x), columns.get(line.y)
        if x is None or y is None or np.isfinite(y.data).sum() < (1 if is_bars or line.dot else MIN_LINE_POINTS):
            continue
        look = LineLook(line.color, line.dash, line.width, line.dot, line.is_ring)
        titled = replace(y, title=line.name)
        lines.append(
            PanelLine(line.y, x, titled, look=look, notes=line.notes, notes_at=line.notes_at, is_named=line.is_named)
        )
    if not lines:
        return None
    if chart.kind == "courses":
        lines += _band(chart, columns) + _marks(chart, columns)
    data = _reached(lines) + [columns[name].data for name in chart.alike if name in columns]
    beside = [columns[name].data for name in chart.alike_across if name in columns]
    style = PanelStyle(
        chart.across.title,
        chart.upward.title,
        None if is_bars or chart.every else _scale(chart.across, [line.x.data for line in lines] + beside, chart),
        _scale(chart.upward, _sums(data) if chart.kind == "stacked" else data, chart, is_upward=True),
        _pixels(page, chart.box),
        chart.is_small,
        is_stacked=chart.kind == "stacked",
        is_lying=chart.kind in ("bar", "bars"),
        is_beside=chart.kind in ("bars", "columns"),
        is_true=chart.is_true,
        every=chart.every,
    )
    if chart.is_true and not chart.across.tick:
        across = np.concatenate([*(line.x.data for line in lines), *beside])
        style = with_equal_scales(style, lines, across, np.concatenate(data))
    return Panel(chart.title, Chart(chart.title, "", ()), tuple(lines), is_bars=is_bars, style=style)


def _band(chart: PageChart, columns: Columns) -> list[PanelLine]:
    """The series of a band, where it is known: what lies below it, and its layers."""
    band = chart.band
    if band is None or not {band.x, band.low, *(each.width for each in band.layers)} <= columns.keys():
        return []
    x, low = columns[band.x], columns[band.low]
    widths = [columns[each.width] for each in band.layers]
    if np.isfinite(sum((each.data for each in widths), low.data)).sum() < MIN_LINE_POINTS:
        return []
    first = band.layers[0]
    lines = [PanelLine(band.low, x, replace(low, title=first.name), look=LineLook(first.color), part="below")]
    for layer, width in zip(band.layers, widths, strict=True):
        part: Part = "band" if layer.color else "below"
        lines.append(PanelLine(layer.width, x, replace(width, title=layer.name), look=LineLook(layer.color), part=part))
    return lines


def _marks(chart: PageChart, columns: Columns) -> list[PanelLine]:
    """The series whose points stand as upright lines."""
    return [
        PanelLine(
            mark.y,
            columns[mark.x],
            replace(columns[mark.y], title=mark.name),
            look=LineLook(mark.color, mark.dash, mark.width, tall=mark.tall),
            part="mark",
        )
        for mark in chart.marks
        if mark.x in columns and mark.y in columns and np.isfinite(columns[mark.y].data).any()
    ]


def _reached(lines: Sequence[PanelLine]) -> list[NDArray[np.float64]]:
    """All values to which the series of a chart reach upward."""
    areas = [line.y.data for line in lines if line.part in ("below", "band")]
    return [*(line.y.data for line in lines if line.part == "line"), *accumulate(areas, np.add)]


def _scale(
    axis: AxisText, data: Sequence[NDArray[np.float64]], chart: PageChart, *, is_upward: bool = False
) -> Scale | None:
    if axis.tick:
        return Scale(min(axis.reach), max(axis.reach), axis.tick)
    values = np.clip(np.concatenate(data), *axis.within)
    ticks = SMALL_TICKS if chart.is_small and not chart.every else TICKS
    return scale_over(values, round(TICKS_UP_PER_TICK_ACROSS * ticks) if is_upward else ticks, axis.reach, axis.span)


def _sums(data: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """How far bars reach that stand one on the other, from zero on."""
    return [np.sum([np.nan_to_num(each) for each in data], axis=0), np.zeros(1)]


def _pixels(page: Page, box: Box | Spot) -> tuple[int, int]:
    """The size of a chart, in the default font."""
    if isinstance(box, Spot):
        return box.width, box.height
    top, left, bottom, right = box
    width = sum(DIGIT * each + PADDING for each in page.widths[left - 1 : right])
    height = sum(page.heights.get(row, ROW_POINTS) for row in range(top, bottom + 1)) * PIXELS_OF_POINT
    return round(width), round(height)


def pages_in(
    pages: Sequence[Page], columns: Columns, sheets: Sequence[str], find: FindPicture = lambda _name: None
) -> Iterator[NewSheet]:
    """All pages as sheets. find: a picture of the user's by its name."""
    known = {**columns, **page_columns(pages)}
    return (written_page(page, known, sheets, find) for page in pages)
