"""The sheet `mbs Animation` in a workbook: renewed by every run, with the frame and the motion that the user has chosen.

A chart that looks as we made it is drawn again. One that the user has changed stays: its series follow the lines by their
names, which stand above the places, new lines are added, lines that no longer exist are removed, and those that the user
has deleted are not drawn again.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial

from lxml import etree

from sheetmbs.workbook.charts.chartxml import CHART, ChartXml, Look, same
from sheetmbs.workbook.charts.drawings import NO_DRAWING, Placed, cell_anchor, drawing_of, placed_charts
from sheetmbs.workbook.charts.memory import ChartRecord, DrawnChart, is_line, read_record
from sheetmbs.workbook.charts.motionchart import References, canvas_of, motion_chart, references_of
from sheetmbs.workbook.charts.moves import Moved
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
    animation_sheet,
    scroll_bar,
)
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.page_contents import Spot
from sheetmbs.workbook.sheets.picture_contents import MovingPicture
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.scrollbar import ScrollBar, free_block
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION
from sheetmbs.workbook.sheets.sheetxml import ROW_POINTS

PIXELS_OF_ROW = ROW_POINTS * 96 // 72
CHART_LEFT_MARGIN = 8
"""pixels at the left of the chart"""
LAST_PRINTED = "L"
HOW = "Drag the scroll bar or write a number into the cell of the frame: the picture follows."
DELETED = "You have deleted the chart: delete this sheet to have it drawn again."
NAME = "mbs animation"
VALUES = f"{CHART}yVal/{CHART}numRef/{CHART}f"
Key = tuple[str, str]


def written_animation(picture: MovingPicture, before: PreviousResults) -> NewSheet:
    """The sheet. before: our sheets as they stand."""
    canvas = canvas_of(picture)
    layout = AnimationLayout(picture, _chosen(picture, before), -(-canvas.size[1] // PIXELS_OF_ROW) + 1)
    own = before.own.get(ANIMATION)
    bar = scroll_bar(layout, free_block(before.package, own.part if own else ""))
    new, references = motion_chart(layout, canvas), references_of(layout)
    look, words = ChartXml(new).look(), words_of(new, references)
    standing = standing_motion(before)
    made = DrawnChart(1, ANIMATION, FRAME, "xy", words, look=look, checksum=_checksum(new))
    if standing is None:
        told = f"{picture.title}: the mechanism in the chosen frame, in the {picture.axes[0]}-{picture.axes[1]} plane"
        placed = cell_anchor(2, NAME, told, "rId1", Spot(CHART_ROW, CHART_LEFT_MARGIN, *canvas.size))
        xml = parts.DECLARATION + f"{NO_DRAWING}{placed}{bar.of_drawing() if bar else ''}</xdr:wsDr>".encode()
        drawing = Drawing(xml, {"rId1": new}, is_new=True)
        record = ChartRecord((made,), drawing=_checksum(xml))
    else:
        chart = renewed_motion(standing, before, new, references, look)
        charts = {standing.chart.key: chart} if standing.chart and chart is not None else {}
        drawing = Drawing(_with_bar(standing, bar), charts)
        record = ChartRecord((DrawnChart(1, ANIMATION, FRAME, "xy", words, look=look),))
    notes = [HOW] if bar else []
    remarks = [*picture.remarks, *([DELETED] if standing and standing.chart is None else [])]
    return NewSheet(
        ANIMATION,
        partial(animation_sheet, layout, bar, [*notes, " ".join(remarks)], record.lines()),
        layout.cells,
        drawing=drawing,
        ranges={PRINT_AREA: f"$A$1:${LAST_PRINTED}${layout.list_row - 1}"},
        scroll=bar,
    )


def _chosen(picture: MovingPicture, before: PreviousResults) -> Chosen:
    """What the user has chosen on the sheet as it stands; without one the first motion that has frames, from its beginning."""
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


def _checksum(part: bytes) -> tuple[int, int]:
    return zlib.crc32(part), len(part)


@dataclass(frozen=True)
class StandingMotion:
    """What stands on the sheet. root: its drawing. chart: ours, None once it is deleted. made: what we know of it."""

    root: etree._Element
    chart: Placed | None
    made: DrawnChart


def standing_motion(before: PreviousResults) -> StandingMotion | None:
    """What somebody may have changed; None where there is no sheet, or all is as we wrote it."""
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
