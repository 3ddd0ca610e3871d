"""The chart of the sheet `mbs Animation`: one picture whose scales stay while its lines move, alike on both axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import Scale, equal_scales, number_format_of_ticks
from sheetmbs.workbook.charts.native_charts import cache, drawn, numbered
from sheetmbs.workbook.charts.styled_charts import AXIS, FRAME, GRID, TEXT, font, literal
from sheetmbs.workbook.sheets.animationsheet import AnimationLayout, places
from sheetmbs.workbook.sheets.picture_contents import DrawnLook, MovingLine, MovingPicture

WIDTH = 960
MIN_PLOT_HEIGHT, MAX_PLOT_HEIGHT = 220, 560
"""pixels that the area to draw in is high"""
LEFT, RIGHT, ABOVE, BELOW = 75, 25, 20, 52
STROKE, LETTER = 56, 6
"""pixels of the line beside a name in the legend, and of a letter"""
MAX_LEGEND_LETTERS = 24
AIR = 0.25
"""ticks between what is drawn and the frame"""
MARKERS = {"dot": "circle", "ring": "circle", "plus": "plus", "triangle": "triangle"}
PALE = "#C9CFD6"
"""fill of a ring"""


References = dict[tuple[str, str], tuple[str, NDArray[np.float64]]]
"""ranges of series, and what they hold, by the name of a line and ``x``, ``y``, ``x path`` or ``y path``"""


@dataclass(frozen=True)
class Canvas:
    """The area of a picture: scales of its axes, and how large it and its chart are, pixels."""

    x: Scale
    y: Scale
    inner: tuple[float, float]
    size: tuple[int, int]


def canvas_of(picture: MovingPicture) -> Canvas:
    """The area in which all frames of all motions find room, as large as goes."""
    lines = [line for motion in picture.motions for line in motion.lines]
    x, y = (np.concatenate([places(line, axis).ravel() for line in lines]) for axis in (0, 1))
    wide, high = (float(np.nanmax(part) - np.nanmin(part)) for part in (x, y))
    longest = max((len(line.name) for line in lines if line.is_named), default=0)
    across = WIDTH - LEFT - RIGHT - (STROKE + LETTER * min(longest, MAX_LEGEND_LETTERS) if longest else 0)
    up = float(np.clip(across * high / wide if wide > 0.0 else MAX_PLOT_HEIGHT, MIN_PLOT_HEIGHT, MAX_PLOT_HEIGHT))
    scales = equal_scales(x, y, across, up) or equal_scales(*_around(x, y), across, up)
    if scales is None:
        raise ValueError("places of a picture are numbers")
    x_scale, y_scale = _trimmed(scales[0], x), _trimmed(scales[1], y)
    tick = min(across / x_scale.ticks, MAX_PLOT_HEIGHT / y_scale.ticks)
    inner = tick * x_scale.ticks, tick * y_scale.ticks
    size = round(WIDTH - across + inner[0]), round(ABOVE + inner[1] + BELOW)
    return Canvas(x_scale, y_scale, inner, size)


def _trimmed(scale: Scale, data: NDArray[np.float64]) -> Scale:
    """A scale without ticks that nothing needs."""
    first = int((float(np.nanmin(data)) - scale.first) / scale.tick - AIR)
    last = int((scale.last - float(np.nanmax(data))) / scale.tick - AIR)
    return Scale(scale.first + max(first, 0) * scale.tick, scale.last - max(last, 0) * scale.tick, scale.tick)


def _around(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Room around places that are all one."""
    middle = [float(np.nanmean(part)) for part in (x, y)]
    reach = max(1.0, *(0.1 * abs(each) for each in middle))
    first, second = (np.array([each - reach, each + reach]) for each in middle)
    return first, second


def motion_chart(layout: AnimationLayout, canvas: Canvas) -> bytes:
    """The chart with the numbers of the frame that is shown."""
    [skeleton] = drawn([partial(_chart, layout=layout, canvas=canvas)])
    caches = {reference: cache(data) for reference, data in references_of(layout).values()}
    # who folds the rows of places away still wants to see them move
    return numbered(skeleton.replace('<c:plotVisOnly val="1"/>', '<c:plotVisOnly val="0"/>'), caches)


def references_of(layout: AnimationLayout) -> References:
    """The ranges of all series and their numbers."""
    found = {}
    for run in layout.runs:
        line = layout.lines[run.line]
        axis = "xy"[run.axis]
        found[line.name, axis] = (layout.picked(run), layout.shown(run))
        if _has_path(line, layout):
            found[line.name, f"{axis} path"] = (layout.path(run), places(line, run.axis)[:, 0])
    return found


def _has_path(line: MovingLine, layout: AnimationLayout) -> bool:
    return line.has_path and not layout.has_choice and not line.is_still


def _chart(book: Any, layout: AnimationLayout, canvas: Canvas) -> Any:
    chart = book.add_chart({"type": "scatter", "subtype": "straight"})
    series = list(_series(layout))
    for _, options in series:
        chart.add_series(options)
    picture = layout.picture
    chart.set_x_axis(_axis(f"{picture.axes[0]} [{picture.unit}]", canvas.x))
    chart.set_y_axis(_axis(f"{picture.axes[1]} [{picture.unit}]", canvas.y))
    unnamed = [k for k, (is_named, _) in enumerate(series) if not is_named]
    legend = {"position": "right", "font": font(9, TEXT), "delete_series": unnamed}
    chart.set_legend({"none": True} if len(unnamed) == len(series) else legend)
    chart.set_title({"none": True})
    chart.set_chartarea({"border": {"color": FRAME, "width": 0.75}, "fill": {"color": "#FFFFFF"}})
    width, height = canvas.size
    inner = {
        "x": LEFT / width,
        "y": ABOVE / height,
        "width": canvas.inner[0] / width,
        "height": canvas.inner[1] / height,
    }
    chart.set_plotarea({"fill": {"none": True}, "layout": inner})
    chart.set_size({"width": width, "height": height})
    chart.show_blanks_as("gap")
    return chart


def _series(layout: AnimationLayout) -> Iterator[tuple[bool, dict[str, Any]]]:
    """All series, paths first, and whether the legend names them."""
    pairs = list(zip(layout.runs[::2], layout.runs[1::2], strict=True))
    for x, y in pairs:
        line = layout.lines[x.line]
        if _has_path(line, layout):
            look = {"line": {"color": line.look.color, "width": line.look.width}, "marker": {"type": "none"}}
            yield False, _named(f"path of {line.name}", layout.path(x), layout.path(y)) | look
    for x, y in pairs:
        line = layout.lines[x.line]
        yield (
            line.is_named,
            _named(line.name, layout.picked(x), layout.picked(y)) | _look(line.look, is_place=line.has_path),
        )


def _named(name: str, x: str, y: str) -> dict[str, Any]:
    held = {"categories_data": [], "values_data": [], "smooth": False}
    return {"name": literal(name), "categories": f"={x}", "values": f"={y}"} | held


def _look(look: DrawnLook, *, is_place: bool) -> dict[str, Any]:
    """How a series looks."""
    line: dict[str, Any] = {"color": look.color, "width": look.width, "dash_type": "dash" if look.dashed else "solid"}
    if not look.width or is_place:
        line = {"none": True}
    if not look.marker:
        return {"line": line, "marker": {"type": "none"}}
    # LibreOffice draws no borders of markers: what is seen must be their fill
    fill = {"color": PALE} if look.marker == "ring" else {"color": look.color}
    marker = {"type": MARKERS[look.marker], "size": look.size, "border": {"color": look.color, "width": 0.75}}
    return {"line": line, "marker": marker | {"fill": fill}}


def _axis(title: str, scale: Scale) -> dict[str, Any]:
    return {
        "name": literal(title),
        "name_font": font(9, TEXT),
        "num_font": font(9, TEXT),
        "num_format": number_format_of_ticks(scale),
        "min": scale.first,
        "max": scale.last,
        "major_unit": scale.tick,
        "line": {"color": AXIS, "width": 0.75},
        "major_gridlines": {"visible": True, "line": {"color": GRID, "width": 0.5}},
        "major_tick_mark": "none",
        "minor_tick_mark": "none",
        "label_position": "low",
        "crossing": "min",
    }
