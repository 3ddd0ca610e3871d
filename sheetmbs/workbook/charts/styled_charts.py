"""Charts of pages, whose whole look is given, and the colours, fonts and references that all charts share.

A chart of courses has lines over one axis of equal steps, upon a band, with upright lines at some of them. A band is two
areas, one on the other, of which the lower is invisible. An upright line is an error bar of an invisible point, as long
as the axis on both sides of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import Scale, equal_scales, number_format_of_ticks
from sheetmbs.workbook.charts.panels import LineLook, Panel, PanelLine, PanelStyle
from sheetmbs.workbook.package.printing import NOT_XML

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
"""after Okabe and Ito: told apart with every kind of colour vision, and dark enough on white"""
TEXT, TITLE, FRAME, GRID, AXIS, ZERO = "#595959", "#1F3864", "#D9DEE7", "#E7EAEF", "#A6ADB8", "#7F8794"
TO_PLACEHOLDERS = str.maketrans("!=", "\ufdd0\ufdd1")
FROM_PLACEHOLDERS = str.maketrans("\ufdd0\ufdd1", "!=")
"""signs of references in texts, and characters that no text has, which stand for them meanwhile"""
RIGHT = 25
PAGE_LEFT_MARGIN = 62
"""pixels at the left of a page's chart, for the labels and the title of the axis"""
UNTITLED, TWO_ROWS = 26, 46
"""pixels below an axis without a title, for the labels, and where these are names"""
TITLE_HEIGHT_SHARE = 0.07
"""share of a tall chart's height that its title takes"""
STROKE, LETTER, LEGEND_ROW, LEGEND_GAP = 48, 6.5, 18, 8
"""pixels of the line beside a name in a legend, of a letter, of a row, and around it"""
NOTE_SIZE = 7
"""points, of texts at the points of a line"""
RING = 1.75
"""points"""
BOX = ("x", "y", "width", "height")
LONG_TITLE = 26
"""letters of an axis title that is printed smaller, so that it stays on one line beside a small chart"""


def font(size: int, color: str, *, bold: bool = False) -> dict[str, Any]:
    """Letters of a chart."""
    return {"size": size, "color": color, "bold": bold}


def series(line: PanelLine, name: str) -> dict[str, Any]:
    """The references of a series. name: a text that the legend shows in place of the header, or ""."""
    named = {"name": name} if name else {"name": f"={line.y.header}", "name_data": [line.y.name]}
    return {
        **named,
        "categories": f"={line.x.reference}",
        "categories_data": list(line.x.labels),
        "values": f"={line.y.reference}",
        "values_data": [],
        "smooth": False,
        "y2_axis": line.is_right,
    }


def literal(text: str) -> str:
    """A text that is shown as it stands: XlsxWriter takes `Bump!A1` and `=1` for references, with or without a sign."""
    return NOT_XML.sub("", text).translate(TO_PLACEHOLDERS)


def with_frame(chart: Any, size: tuple[int, int], layout: dict[str, float] | None = None) -> Any:
    """A chart with its frame and size, pixels. layout: of its plot area, as fractions of the chart; None = programs choose."""
    chart.set_chartarea({"border": {"color": FRAME, "width": 0.75}, "fill": {"color": "#FFFFFF"}})
    chart.set_plotarea({"fill": {"none": True}} | ({"layout": layout} if layout else {}))
    chart.set_size({"width": size[0], "height": size[1]})
    chart.show_blanks_as("gap")
    return chart


def axis_options(title: str, title_size: int, number_size: int, color: str, scale: Scale | None) -> dict[str, Any]:
    """Options of an axis in one colour. title_size, number_size: of letters, points. scale: its ends and ticks, if given."""
    axis: dict[str, Any] = {
        "name": literal(title),
        "name_font": font(title_size, TEXT),
        "num_font": font(number_size, TEXT),
        "line": {"color": color, "width": 0.75},
        "major_gridlines": {"visible": True, "line": {"color": GRID, "width": 0.5}},
        "major_tick_mark": "none",
        "minor_tick_mark": "none",
        "label_position": "low",
    }
    return axis | ({"min": scale.first, "max": scale.last, "major_unit": scale.tick} if scale else {})


def page_chart(book: Any, panel: Panel, style: PanelStyle) -> Any:
    """A chart as a page has it: its whole look is given, and its axes cross at zero."""
    looks = [line.look or LineLook(PALETTE[0]) for line in panel.lines]
    kind = {"type": "bar" if style.is_lying else "column"} if panel.is_bars else {"type": "scatter"}
    shape = "stacked" if panel.is_bars and style.is_stacked else "" if panel.is_bars else "straight"
    chart = book.add_chart(kind | ({"subtype": shape} if shape else {}))
    for line, look in zip(panel.lines, looks, strict=True):
        drawn = _page_bar(line, look, style) if panel.is_bars else {**page_stroke(look), **_point_notes(line, look)}
        chart.add_series(series(line, literal(line.y.title)) | drawn)
    across, upward = (
        page_axis(title, scale, is_small=style.is_small)
        for title, scale in ((style.across, style.x_scale), (style.upward, style.y_scale))
    )
    if panel.is_bars:
        across |= {"major_gridlines": {"visible": False}, "reverse": style.is_lying}
    if any(look.dot for look in looks):
        # dots lie anywhere, so that axes through zero would cut them in two
        across, upward = across | {"crossing": "min"}, upward | {"crossing": "min"}
    # of bars that lie, XlsxWriter calls the axis of names y
    chart.set_x_axis(upward | {"label_position": "high"} if style.is_lying else across)
    chart.set_y_axis(across if style.is_lying else upward)
    hidden = [number for number, line in enumerate(panel.lines) if not line.is_named]
    return finished(chart, panel, style, [line for line in panel.lines if line.is_named], hidden)


def finished(
    chart: Any, panel: Panel, style: PanelStyle, named: Sequence[PanelLine], hidden: Sequence[int] = ()
) -> Any:
    """A chart with title, legend, frame and size. named: what the legend tells. hidden: numbers of series that it does not."""
    size = 9 if style.is_small else 11
    chart.set_title({"name": literal(panel.title), "overlay": False, "name_font": font(size, TITLE, bold=True)})
    legend = legend_of(style, [line.y.title for line in named])
    told = {"position": legend.place, "font": font(9, TEXT), "delete_series": list(hidden)}
    told |= {} if style.is_lying else {"layout": legend.layout}
    chart.set_legend(told if legend.place else {"none": True})
    return with_frame(chart, style.size, None if style.is_lying else page_layout(style, legend))


@dataclass(frozen=True)
class ChartLegend:
    """Where a legend stands: ``bottom``, ``right``, or ``""`` for none. room: pixels that it takes there, which no line enters.

    layout: fractions of the chart.
    """

    place: str = ""
    room: int = 0
    layout: dict[str, float] = field(default_factory=dict)


NO_LEGEND = ChartLegend()


def legend_of(style: PanelStyle, names: Sequence[str]) -> ChartLegend:
    """The legend of names: below the chart in as many rows as they need.

    Beside a drawing in true shape, where that leaves more of the chart to the drawing.
    """
    width, height = style.size
    if style.is_small or len(names) == 1:
        return NO_LEGEND
    longest = round(STROKE + LETTER * max(map(len, names)))
    across = max(1, min(len(names), int((width - 2 * LEGEND_GAP) / longest)))
    rows = -(-len(names) // across)
    below = LEGEND_GAP + LEGEND_ROW * rows
    is_too_tall = LEGEND_ROW * len(names) > height - 2 * LEGEND_ROW
    if not style.is_true or is_too_tall or _is_below(style, below, longest + LEGEND_GAP):
        wide = across * longest
        under = (width - wide) / 2, height - below, wide, below - LEGEND_GAP / 2
        return ChartLegend("bottom", below, _fractions(under, style.size))
    tall = LEGEND_ROW * len(names)
    beside = width - longest - LEGEND_GAP, (height - tall) / 2, longest, tall
    return ChartLegend("right", longest + LEGEND_GAP, _fractions(beside, style.size))


def _is_below(style: PanelStyle, below: int, beside: float) -> bool:
    """Whether a legend below a chart leaves more of it to the lines than one beside it. below, beside: pixels that it takes."""
    (_left, _top, width, height), x, y = plot_area(style, NO_LEGEND), style.x_scale, style.y_scale
    if x is None or y is None:
        return width * (height - below) >= (width - beside) * height
    wide, high = x.last - x.first, y.last - y.first
    return min(width / wide, (height - below) / high) >= min((width - beside) / wide, height / high)


def _fractions(box: tuple[float, float, float, float], size: tuple[int, int]) -> dict[str, float]:
    return {name: part / size[k % 2] for k, (name, part) in enumerate(zip(BOX, box, strict=True))}


def with_equal_scales(
    style: PanelStyle, lines: Sequence[PanelLine], across: NDArray[np.float64], upward: NDArray[np.float64]
) -> PanelStyle:
    """The style with scales by which shapes are true, as far as there is a shape. across, upward: all numbers of both axes."""
    _left, _top, width, height = plot_area(style, legend_of(style, [line.y.title for line in lines if line.is_named]))
    scales = equal_scales(across, upward, width, height)
    return replace(style, is_true=False) if scales is None else replace(style, x_scale=scales[0], y_scale=scales[1])


def plot_area(style: PanelStyle, legend: ChartLegend) -> tuple[float, float, float, float]:
    """Left, top, width and height of the area for lines, pixels: as large as title, labels and legend leave it."""
    width, height = style.size
    above, below = (30, 40) if style.is_small else (max(36, round(TITLE_HEIGHT_SHARE * height)), 46)
    below = below if style.across else TWO_ROWS if style.is_beside else UNTITLED
    below += legend.room if legend.place == "bottom" else 0
    beside = RIGHT + (legend.room if legend.place == "right" else 0)
    return PAGE_LEFT_MARGIN, above, width - PAGE_LEFT_MARGIN - beside, height - above - below


def page_layout(style: PanelStyle, legend: ChartLegend) -> dict[str, float]:
    """The plot area as fractions of a chart; where shapes are to be true, what of it both scales fill alike."""
    left, top, width, height = plot_area(style, legend)
    if style.is_true and style.x_scale and style.y_scale:
        lengths = [scale.last - scale.first for scale in (style.x_scale, style.y_scale)]
        pixels = min(width / lengths[0], height / lengths[1])
        left += (width - pixels * lengths[0]) / 2
        width, height = pixels * lengths[0], pixels * lengths[1]
    return _fractions((left, top, width, height), style.size)


def page_axis(title: str, scale: Scale | None, *, is_small: bool) -> dict[str, Any]:
    """Options of an axis on a page with this title and scale."""
    title_size = 9 if not is_small else 8 if len(title) < LONG_TITLE else 7
    axis = axis_options(title, title_size, 8, ZERO, scale)
    return axis | ({"num_format": number_format_of_ticks(scale)} if scale else {})


def page_stroke(look: LineLook) -> dict[str, Any]:
    """Options of a line and its dots on a page."""
    line = {"color": look.color, "width": look.width, "dash_type": look.dash} if look.width else {"none": True}
    filled = {"fill": {"color": look.color}, "border": {"none": True}}
    ring = {"fill": {"none": True}, "border": {"color": look.color, "width": RING}}
    dot = {"type": "circle", "size": look.dot, **(ring if look.is_ring else filled)}
    return {"line": line, "marker": dot if look.dot else {"type": "none"}}


def _point_notes(line: PanelLine, look: LineLook) -> dict[str, Any]:
    """Texts at the points of a line, in its colour."""
    if not line.notes:
        return {}
    labels = [{"value": literal(note)} for note in line.notes]
    letters = font(NOTE_SIZE, look.color)
    return {"data_labels": {"value": True, "custom": labels, "font": letters, "position": line.notes_at}}


def _page_bar(line: PanelLine, look: LineLook, style: PanelStyle) -> dict[str, Any]:
    """A bar; its numbers are labelled with the texts beside them, where there are any."""
    bar: dict[str, Any] = {"fill": {"color": look.color}, "gap": 40}
    if (style.is_lying or style.is_stacked) and not style.is_beside:
        bar["overlap"] = 100
    if line.notes:
        labels = [{"value": literal(note)} for note in line.notes]
        bar["data_labels"] = {"value": True, "custom": labels, "font": font(8, TEXT), "position": "outside_end"}
    return bar


def course_chart(book: Any, panel: Panel, style: PanelStyle) -> Any:
    """A chart of courses as a page has it."""
    areas = [line for line in panel.lines if line.part in ("below", "band")]
    drawn = [line for line in panel.lines if line.part == "line" or (line.part == "mark" and style.y_scale)]
    lines = book.add_chart({"type": "line"})
    for line in drawn:
        look = line.look or LineLook(PALETTE[0])
        lines.add_series(_named(line) | (page_stroke(look) if line.part == "line" else _upright(look, style.y_scale)))
    chart = lines
    if areas:
        chart = book.add_chart({"type": "area", "subtype": "stacked"})
        for line in areas:
            seen = {"color": line.look.color} if line.look and line.part == "band" else {"none": True}
            chart.add_series(_named(line) | {"fill": seen, "border": {"none": True}})
        chart.combine(lines)
    across = page_axis(style.across, None, is_small=style.is_small)
    chart.set_x_axis(across | _steps(panel.x.data, style.every))
    chart.set_y_axis(page_axis(style.upward, style.y_scale, is_small=style.is_small))
    hidden = [number for number, line in enumerate([*areas, *drawn]) if line.part in ("below", "mark")]
    named = [line for line in panel.lines if line.part in ("line", "band")]
    return finished(chart, panel, style, named, hidden)


def _steps(values: NDArray[np.float64], every: int) -> dict[str, Any]:
    """How the axis of equal steps is divided.

    Whole numbers are days for it: such an axis has its ticks where they are said in every program. Of others rows are counted.
    """
    usual = {"position_axis": "on_tick", "num_format": "0"}
    if np.array_equal(values, np.round(values)):
        unit = int(values[every] - values[0])
        return {**usual, "date_axis": True, "major_unit": unit, "major_unit_type": "days"}
    return {**usual, "interval_unit": every, "interval_tick": every}


def _named(line: PanelLine) -> dict[str, Any]:
    return series(line, literal(line.y.title))


def _upright(look: LineLook, scale: Scale | None) -> dict[str, Any]:
    """A point that is not seen, with a line through it from end to end of the scale, or a tick that goes up from it."""
    stroke = {"color": look.color, "width": look.width, "dash_type": look.dash}
    length = (look.tall or 1.0) * (scale.last - scale.first) if scale else 0.0
    direction = "plus" if look.tall else "both"
    bars = {"type": "fixed", "value": length, "direction": direction, "end_style": 0, "line": stroke}
    return {"line": {"none": True}, "marker": {"type": "none"}, "y_error_bars": bars}
