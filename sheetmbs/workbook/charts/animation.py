"""The sheet `mbs Animation` in a workbook: renewed by every run, with the frame and the motion that the user has chosen.

A chart that looks as we made it is drawn again. One that the user has changed stays: its series follow the lines by their
names, which stand above the places, new lines are added, lines that no longer exist are removed, and those that the user
has deleted are not drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import Scale, equal_scales, number_format_of_ticks
from sheetmbs.workbook.charts.chartxml import CHART, ChartXml, Look, same
from sheetmbs.workbook.charts.drawings import NO_DRAWING, Placed, cell_anchor, drawing_of, placed_charts
from sheetmbs.workbook.charts.memory import ChartRecord, DrawnChart, checksum_of, is_line, read_record
from sheetmbs.workbook.charts.moves import Moved
from sheetmbs.workbook.charts.native_charts import cache, drawn, numbered
from sheetmbs.workbook.charts.styled_charts import AXIS, TEXT, axis_options, font, literal, with_frame
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.parts import PRINT_AREA, detach
from sheetmbs.workbook.package.partxml import sound_xml
from sheetmbs.workbook.package.references import parsed
from sheetmbs.workbook.sheets.animationsheet import (
    CHART_ROW,
    FRAME,
    VALUE,
    AnimationLayout,
    Chosen,
    ScrollBar,
    animation_sheet,
    free_block,
    places,
    scroll_bar,
)
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.page_contents import Spot
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION, DrawnLook, MovingLine, MovingPicture
from sheetmbs.workbook.sheets.sheetxml import ROW_POINTS

WIDTH = 960
MIN_PLOT_HEIGHT, MAX_PLOT_HEIGHT = 220, 560
"""pixels that the area to draw in is high"""
LEFT, RIGHT, ABOVE, BELOW = 75, 25, 20, 52
STROKE, LETTER = 56, 6
"""pixels of the line beside a name in the legend, and of a letter"""
MAX_LEGEND_LETTERS = 24
FRAME_MARGIN = 0.25
"""ticks between what is drawn and the frame"""
MARKERS = {"dot": "circle", "ring": "circle", "plus": "plus", "triangle": "triangle"}
PALE = "#C9CFD6"
"""fill of a ring"""


References = dict[tuple[str, str], tuple[str, NDArray[np.float64]]]
"""ranges of series, and what they hold, by the name of a line and ``x``, ``y``, ``x path`` or ``y path``"""
PIXELS_OF_ROW = ROW_POINTS * 96 // 72
CHART_LEFT_MARGIN = 8
"""pixels at the left of the chart"""
LAST_PRINTED = "L"
HOW_TO_MOVE = "Drag the scroll bar or enter a number in the frame cell: the picture follows."
CHART_DELETED = "You have deleted the chart: delete this sheet to have it drawn again."
NAME = "mbs animation"
VALUES = f"{CHART}yVal/{CHART}numRef/{CHART}f"
Key = tuple[str, str]


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
    first = int((float(np.nanmin(data)) - scale.first) / scale.tick - FRAME_MARGIN)
    last = int((scale.last - float(np.nanmax(data))) / scale.tick - FRAME_MARGIN)
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
    width, height = canvas.size
    inner = {
        "x": LEFT / width,
        "y": ABOVE / height,
        "width": canvas.inner[0] / width,
        "height": canvas.inner[1] / height,
    }
    return with_frame(chart, canvas.size, inner)


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
    options = axis_options(title, 9, 9, AXIS, scale)
    return options | {"num_format": number_format_of_ticks(scale), "crossing": "min"}


def written_animation(picture: MovingPicture, before: PreviousResults) -> NewSheet:
    """The sheet. before: our sheets as they stand."""
    canvas = canvas_of(picture)
    layout = AnimationLayout(picture, _chosen(picture, before), -(-canvas.size[1] // PIXELS_OF_ROW) + 1)
    own = before.own.get(ANIMATION)
    bar = scroll_bar(layout, free_block(before.package, own.part if own else ""))
    new, references = motion_chart(layout, canvas), references_of(layout)
    look, words = ChartXml(new).look(), words_of(new, references)
    standing = standing_motion(before)
    made = DrawnChart(1, ANIMATION, FRAME, "xy", words, look=look, checksum=checksum_of(new))
    if standing is None:
        told = f"{picture.title}: the mechanism in the chosen frame, in the {picture.axes[0]}-{picture.axes[1]} plane"
        placed = cell_anchor(2, NAME, told, "rId1", Spot(CHART_ROW, CHART_LEFT_MARGIN, *canvas.size))
        xml = parts.DECLARATION + f"{NO_DRAWING}{placed}{bar.of_drawing() if bar else ''}</xdr:wsDr>".encode()
        drawing = Drawing(xml, {"rId1": new}, is_new=True)
        record = ChartRecord((made,), drawing=checksum_of(xml))
    else:
        chart = renewed_motion(standing, before, new, references, look)
        charts = {standing.chart.key: chart} if standing.chart and chart is not None else {}
        drawing = Drawing(_with_bar(standing, bar), charts)
        record = ChartRecord((DrawnChart(1, ANIMATION, FRAME, "xy", words, look=look),))
    notes = [HOW_TO_MOVE] if bar else []
    remarks = [*picture.remarks, *([CHART_DELETED] if standing and standing.chart is None else [])]
    return NewSheet(
        ANIMATION,
        partial(animation_sheet, layout, bar, [*notes, " ".join(remarks)], record.lines()),
        layout.cells,
        drawing=drawing,
        ranges={PRINT_AREA: f"$A$1:${LAST_PRINTED}${layout.list_row - 1}"},
        scroll=bar,
    )


def _chosen(picture: MovingPicture, before: PreviousResults) -> Chosen:
    """The user's choice on the present sheet; without one, the first motion that has frames, from its beginning."""
    texts = before.texts(ANIMATION)
    labels = {text: row for (row, column), text in sorted(texts.items(), reverse=True) if column == 1}
    names = [motion.name for motion in picture.motions]
    moving = [k for k, motion in enumerate(picture.motions) if len(motion.course) > 1]
    wanted = texts.get((labels.get(picture.told_by, 0), VALUE), "")
    motion = names.index(wanted) if wanted in names else [*moving, 0][0]
    frame = before.number(ANIMATION, labels.get(FRAME, 0), VALUE)
    return Chosen(motion, int(min(max(frame or 1.0, 1.0), max(len(each.course) for each in picture.motions))))


def _with_bar(standing: StandingMotion, bar: ScrollBar | None) -> bytes:
    """The drawing as it stands, with the scroll bar of this run in place of an earlier one."""
    root = standing.root
    for each in list(root):
        if any(shape.get("name") == f"mbs {FRAME}" for shape in each.iter("{*}cNvPr")):
            root.remove(each)
    if bar:
        root.append(etree.fromstring(f"{NO_DRAWING}{bar.of_drawing()}</xdr:wsDr>")[0])
    return parts.serialised(root)


@dataclass(frozen=True)
class StandingMotion:
    """The present content of the sheet. root: its drawing. chart: ours, None once it is deleted. made: what we know of it."""

    root: etree._Element
    chart: Placed | None
    made: DrawnChart


def standing_motion(before: PreviousResults) -> StandingMotion | None:
    """The present sheet if somebody may have changed it; None where there is no sheet, or all is as we wrote it."""
    drawing = drawing_of(ANIMATION, before)
    root = sound_xml(before.package.read(drawing)) if drawing else None
    record = read_record([line for line in before.texts(ANIMATION).values() if is_line(line)])
    if drawing is None or root is None or not record.made:
        return None
    made = record.made[0]
    placed = list(placed_charts(before.package, drawing, root))
    chart = next((each for each in placed if each.name == NAME), None)
    chart = chart or next((each for each in placed if any(_is_ours(line) for line in each.chart.lines)), None)
    is_as_written = before.package.checksum(drawing) == record.drawing
    if chart and is_as_written and before.package.checksum(chart.part) == made.checksum:
        return None
    return StandingMotion(root, chart, made)


def renewed_motion(
    standing: StandingMotion, before: PreviousResults, new: bytes, references: References, look: Look
) -> bytes | None:
    """The chart for this run; None where the user has deleted it. new: as a new chart. look: its look."""
    if standing.chart is None:
        return None
    chart, made = standing.chart.chart, standing.made
    heads = _old_heads(before)
    shown = [_key(line, heads) for line in chart.lines]
    if made.look and same(chart.look(), made.look) and tuple(map(_word, shown)) == made.y:
        return new
    _bring_series(chart, heads, shown, made, new, references)

    def move(reference: str) -> Moved | None:
        key = _key(reference, heads)
        return Moved(*references[key]) if key in references else None

    return chart.renew(move, {}, made.look, look)


def words_of(chart: bytes, references: References) -> tuple[str, ...]:
    """The series of a chart of ours, as records name them."""
    keys = {reference: key for key, (reference, _) in references.items()}
    return tuple(_word(keys.get(line)) for line in ChartXml(chart).lines)


def _bring_series(
    chart: ChartXml,
    heads: Mapping[int, Key],
    shown: Sequence[Key | None],
    made: DrawnChart,
    new: bytes,
    references: References,
) -> None:
    """Take series away whose lines are no more, and add those of new lines."""
    series = list(chart.root.iter(f"{CHART}ser"))
    for each in series:
        key = _key(each.findtext(VALUES, ""), heads)
        if key is not None and key not in references and len(series) > 1:
            detach(each)
    known = {*map(_word, shown), *made.y}
    keys = {reference: key for key, (reference, _) in references.items()}
    last = next(reversed(list(chart.root.iter(f"{CHART}ser"))), None)
    number = max((int(each.get("val", "0")) for each in chart.root.iter(f"{CHART}idx", f"{CHART}order")), default=0)
    for each in etree.fromstring(new).iter(f"{CHART}ser"):
        if last is None or _word(keys.get(each.findtext(VALUES, ""))) in known:
            continue
        added, number = deepcopy(each), number + 1
        for tag in ("idx", "order"):
            for found in added.iterfind(f"{CHART}{tag}"):
                found.set("val", str(number))
        last.addnext(added)
        last = added


def _is_ours(reference: str) -> bool:
    return reference.startswith(f"'{ANIMATION}'!")


def _old_heads(before: PreviousResults) -> dict[int, Key]:
    """The line and the direction whose places begin in a column, by its number, as the sheet stands."""
    texts = before.texts(ANIMATION)
    row = max((row for (row, column), text in texts.items() if column == 1 and text == FRAME), default=0)
    heads: dict[int, Key] = {}
    for column in sorted(column for at, column in texts if at == row and column > VALUE):
        name, _, number = texts[row, column].rpartition(" ")
        line = name.rpartition(" ")[0]
        if number == "1":
            heads[column] = (line, "y" if (line, "x") in heads.values() else "x")
    return heads


def _key(reference: str, heads: Mapping[int, Key]) -> Key | None:
    """The line that a reference shows, and in which direction."""
    if not _is_ours(reference):
        return None
    cells = parsed(reference.rpartition("!")[2].encode())
    line, axis = heads.get(cells.first_column, ("", ""))
    return (line, f"{axis} path" if cells.last_row > cells.first_row else axis) if line else None


def _word(key: Key | None) -> str:
    return " ".join(key) if key else ""
