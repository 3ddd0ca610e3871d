"""Charts of courses: lines over one axis of equal steps, upon a band, with upright lines at some of them.

A band is two areas, one on the other: what lies below is not seen. An upright line is an error bar of a point that is not
seen, as long as the axis, on both sides of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import Scale
from sheetmbs.workbook.charts.chart_looks import PALETTE, literal, series
from sheetmbs.workbook.charts.panels import LineLook, Panel, PanelLine, PanelStyle
from sheetmbs.workbook.charts.styled_charts import finished, page_axis, page_stroke


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
    """A point that is not seen, with a line through it from end to end of the scale."""
    stroke = {"color": look.color, "width": look.width, "dash_type": look.dash}
    length = scale.last - scale.first if scale else 0.0
    bars = {"type": "fixed", "value": length, "direction": "both", "end_style": 0, "line": stroke}
    return {"line": {"none": True}, "marker": {"type": "none"}, "y_error_bars": bars}
