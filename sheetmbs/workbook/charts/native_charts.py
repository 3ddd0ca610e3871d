"""Native charts of the result columns: XlsxWriter draws the skeleton, the numbers are filled in here.

A chart refers to the result sheets by name, so it stays alive in the workbook; it also holds the numbers themselves,
for viewers that do not look them up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import unescape
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import (
    Scale,
    axis_title,
    equal_scales,
    number_format,
    number_format_of_bars,
    x_scale,
)
from sheetmbs.workbook.charts.panels import Panel, PanelColumn, PanelLine
from sheetmbs.workbook.charts.styled_charts import (
    AXIS,
    FROM_PLACEHOLDERS,
    PALETTE,
    TEXT,
    TITLE,
    axis_options,
    course_chart,
    font,
    literal,
    page_chart,
    series,
    with_frame,
)
from sheetmbs.workbook.package.printing import RowLayout, printed

WIDTH, HEIGHT, GAP = 620, 360, 20
ROW_HEIGHT, CHARTS_ACROSS, ROWS_PER_PAGE = 20, 2, 2
EMU = 9525
"""of a pixel"""
POINT = 5
"""size of a measured point, points"""
CACHED_ROWS = 20_000
"""above this many rows a chart holds no numbers of its own: every program that can open such a sheet looks them up"""
MAX_LABELLED_BARS = 16
LEFT, RIGHT, ABOVE, BELOW, LEGEND = 80, 25, 45, 62, 26
"""pixels around the area of a path, for title, labels and legend"""
DASHES = ("solid", "dash", "square_dot", "long_dash_dot")

REFERENCE = re.compile(
    r"<c:numRef><c:f>([^<]*)</c:f>"
    r'(?:<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="0"/></c:numCache>)?</c:numRef>'
)

EXPLICIT = (
    (('<c:lang val="[^"]*"/>', "<c:chart>"), '<c:roundedCorners val="0"/>'),
    (("<c:layout/>", "</c:title>"), '<c:overlay val="0"/>'),
    (("</c:title>", "<c:plotArea>"), '<c:autoTitleDeleted val="0"/>'),
    (('<c:scatterStyle val="[^"]*"/>', "<c:ser>"), '<c:varyColors val="0"/>'),
    (('Chart><c:grouping val="(?:standard|stacked)"/>', "<c:ser>"), '<c:varyColors val="0"/>'),
    (("</c:yVal>", "</c:ser>"), '<c:smooth val="0"/>'),
    (("</c:scaling>", "<c:axPos"), '<c:delete val="0"/>'),
    (('<c:lblOffset val="[^"]*"/>', "<c:majorUnit"), '<c:baseTimeUnit val="days"/>'),
    (('<c:legendPos val="[^"]*"/><c:layout/>', "<c:txPr>"), '<c:overlay val="0"/>'),
    (('<c:plotVisOnly val="1"/>', "</c:chart>"), '<c:dispBlanksAs val="gap"/>'),
    (("", '<c:showVal val="1"/>'), '<c:showLegendKey val="0"/>'),
)
"""what is inserted, and between which parts (ECMA-376 part 1, 21.2: smooth lines and gaps drawn as 0 are the defaults)"""
DAYS = re.compile("<c:dateAx>.*?</c:dateAx>")
"""an axis of days, whatever its numbers look like"""
LINES, STRAIGHT = re.compile("<c:lineChart>.*?</c:lineChart>"), '</c:val><c:smooth val="0"/></c:ser>'
"""lines over names, and how each of them ends that is not smooth; bars and areas end alike and must not say it"""


def skeletons(panels: Sequence[Panel]) -> list[str]:
    """The charts as XlsxWriter writes them, without numbers."""
    return drawn([partial(_drawn, panel=panel) for panel in panels])


def drawn(makers: Sequence[Callable[[Any], Any]]) -> list[str]:
    """Charts as XlsxWriter writes them, without numbers. makers: each makes one in the workbook that it is given."""
    if not makers:
        return []
    from xlsxwriter import Workbook

    file = BytesIO()
    book = Workbook(file, {"in_memory": True})
    sheet = book.add_worksheet()
    for number, make in enumerate(makers):
        sheet.insert_chart(number, 0, make(book))
    book.close()
    with ZipFile(file) as made:
        charts = (made.read(f"xl/charts/chart{number}.xml").decode() for number in range(1, len(makers) + 1))
        return [_explicit(chart) for chart in charts]


def _drawn(book: Any, panel: Panel) -> Any:
    if panel.style is None:
        return _chart(book, panel)
    return course_chart(book, panel, panel.style) if panel.style.every else page_chart(book, panel, panel.style)


def _explicit(chart: str) -> str:
    """The chart with what XlsxWriter leaves out because Excel 2007 takes it for granted: others take the opposite."""
    for place, said in EXPLICIT:
        chart = re.sub(f"({place[0]})(?={place[1]})", rf"\1{said}", chart)
    chart = DAYS.sub(lambda found: found[0].replace('<c:auto val="1"/>', '<c:auto val="0"/>'), chart)
    chart = LINES.sub(lambda found: found[0].replace("</c:val></c:ser>", STRAIGHT), chart)
    return chart.translate(FROM_PLACEHOLDERS)


def _chart(book: Any, panel: Panel) -> Any:
    chart = book.add_chart({"type": "column"} if panel.is_bars else {"type": "scatter", "subtype": "straight"})
    names, looks = _titles(panel), _looks(panel)
    for line, name, (color, dash) in zip(panel.lines, names, looks, strict=True):
        stroke = _points(color) if line.part == "points" else _stroke(panel, color, dash)
        chart.add_series(series(line, name) | (_bar(panel, color) if panel.is_bars else stroke))
    if panel.frame:
        framed = PanelLine("", *panel.frame)
        chart.add_series(series(framed, "") | {"line": {"color": TEXT, "width": 1.0}, "marker": {"type": "none"}})
    chart.set_title({"name": literal(panel.title), "overlay": False, "name_font": font(12, TITLE, bold=True)})
    path = _path_layout(panel) if panel.is_path else None
    xs = tuple({line.x.reference: line.x for line in panel.lines}.values())
    across = path[1] if path else _scale(xs)
    of_bars = {"num_format": "0", "major_gridlines": {"visible": False}}
    # both axes of a path have the same ticks, so that their numbers are written alike, also where one shows only rounding
    of_x = _axis(xs, across, panel.left if path else ())
    chart.set_x_axis(_axis(xs, None) | of_bars if panel.is_bars else {**of_x, "crossing": "min"})
    chart.set_y_axis(_axis(panel.left, path[2], xs) if path else _axis(panel.left, None) | _from_zero(panel))
    if panel.right:
        # the hidden second axis across must not choose a range of its own
        chart.set_x2_axis({**_axis(xs, across), "name": "", "visible": False})
        plain = {"major_gridlines": {"visible": False}, "label_position": "high"}
        chart.set_y2_axis({**_axis(panel.right, None), **plain})
    if len(panel.lines) == 1:
        chart.set_legend({"none": True})
    else:
        chart.set_legend({"position": "bottom", "font": font(9, TEXT)})
    return with_frame(chart, (WIDTH, HEIGHT), path[0] if path else None)


def _stroke(panel: Panel, color: str, dash: str) -> dict[str, Any]:
    """How a line looks; a single point is seen only as a dot."""
    dot = {"type": "circle", "size": 7, "fill": {"color": color}, "border": {"color": color}}
    line = {"color": color, "width": 1.0 if panel.frame else 1.75, "dash_type": dash}
    return {"line": line, "marker": dot if len(panel.x.data) == 1 else {"type": "none"}}


def _points(color: str) -> dict[str, Any]:
    """How measured points look: dots without a line."""
    dot = {"type": "circle", "size": POINT, "fill": {"color": color}, "border": {"none": True}}
    return {"line": {"none": True}, "marker": dot}


def _bar(panel: Panel, color: str) -> dict[str, Any]:
    """How bars look, with their numbers where there is room for them. Bars have no markers: Excel would repair the file."""
    data = np.concatenate([line.y.data for line in panel.lines])
    look: dict[str, Any] = {"fill": {"color": color}, "gap": 60}
    if len(data) <= MAX_LABELLED_BARS:
        shown = {"value": True, "num_format": number_format_of_bars(data), "font": font(8, TEXT)}
        look |= {"data_labels": shown}
    return look


def _titles(panel: Panel) -> list[str]:
    """The name of each line in the legend, "" where that is its header: of several cases the case, and what else differs."""
    columns = [line.y for line in panel.lines if line.part != "points"]
    named = [line.y.title for line in panel.lines if line.part == "points"]
    is_alone = len({column.name for column in columns}) == 1
    if len({column.case for column in columns}) == 1:
        titles = [column.title for column in columns]
    else:
        titles = [column.case if is_alone else f"{column.name}, {column.case}" for column in columns]
    return list(map(literal, (*titles, *named)))


def _looks(panel: Panel) -> list[tuple[str, str]]:
    """Colour and dash of each line: of several columns in several cases, a colour for each column and a dash for each case.

    Measured points have the colour of their line.
    """
    lines = [line for line in panel.lines if line.part != "points"]
    names = list(dict.fromkeys(line.y.name for line in lines))
    cases = list(dict.fromkeys(line.y.case for line in lines))
    if len(names) > 1 and 1 < len(cases) <= len(DASHES) and not panel.is_bars and len(names) <= len(PALETTE):
        looks = [(PALETTE[names.index(line.y.name)], DASHES[cases.index(line.y.case)]) for line in lines]
    else:
        looks = [
            (PALETTE[number % len(PALETTE)], DASHES[number // len(PALETTE) % len(DASHES)])
            for number in range(len(lines))
        ]
    return [*looks, *(looks[line.beside] for line in panel.lines if line.part == "points")]


def _from_zero(panel: Panel) -> dict[str, float]:
    """The end of the scale at which bars begin: one that starts elsewhere would make small differences look large."""
    data = np.concatenate([column.data for column in panel.left]) if panel.is_bars else np.zeros(0)
    known = data[np.isfinite(data)]
    if not known.size or not known.any():
        return {}
    return {"min": 0.0} if known.min() >= 0.0 else {"max": 0.0} if known.max() <= 0.0 else {}


def _scale(xs: Sequence[PanelColumn]) -> Scale | None:
    data = np.concatenate([x.data for x in xs])
    return x_scale(data, is_time=xs[0].name == xs[0].time, unit=xs[0].unit)


def _axis(columns: Sequence[PanelColumn], scale: Scale | None, alike: Sequence[PanelColumn] = ()) -> dict[str, Any]:
    """An axis for some columns. alike: those of another one whose numbers are to look the same."""
    data = np.concatenate([column.data for column in (*columns, *alike)])
    words = [word for column in columns if (word := column.name if column.word is None else column.word)]
    title = axis_title(words, columns[0].unit) if any(words) else ""
    return axis_options(title, 10, 9, AXIS, scale) | {"num_format": number_format(data, scale.tick if scale else None)}


def _path_layout(panel: Panel) -> tuple[dict[str, float], Scale, Scale] | None:
    """The plot area of a path as fractions of its chart, and scales with which its shape is true."""
    below = BELOW if len(panel.lines) == 1 else BELOW + LEGEND
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - ABOVE - below
    across = [*(line.x.data for line in panel.lines), *([panel.frame[0].data] if panel.frame else [])]
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
        if column.reference not in caches and not column.labels:
            caches[column.reference] = cache(column.data)
    return numbered(skeleton, caches)


def numbered(skeleton: str, caches: Mapping[str, str]) -> bytes:
    """A chart with its numbers. caches: see `cache`, by reference."""

    def reference(match: re.Match[str]) -> str:
        formula = match.group(1)
        return f"<c:numRef><c:f>{formula}</c:f>{caches[unescape(formula)]}</c:numRef>"

    return REFERENCE.sub(reference, skeleton).encode()


def cache(data: NDArray[np.float64]) -> str:
    """The numbers of a range as a chart holds them."""
    held = cached_numbers(data)
    return f"<c:numCache><c:formatCode>General</c:formatCode>{held}</c:numCache>" if held else ""


def cached_numbers(data: NDArray[np.float64], prefix: str = "c:") -> str:
    """The numbers of a column as a chart holds them, "" where they are too many; an unknown one is left out: a gap."""
    if not 0 < len(data) <= CACHED_ROWS:
        return ""
    point = RowLayout(
        [(f'<{prefix}pt idx="', f'"><{prefix}v>')], f"</{prefix}v></{prefix}pt>", ("", "", ""), addressed=True
    )
    points = b"".join(printed(data[:, np.newaxis], [0], point)).decode()
    return f'<{prefix}ptCount val="{len(data)}"/>{points}'
