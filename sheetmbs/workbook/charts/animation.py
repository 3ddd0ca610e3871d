"""The sheet `mbs Animation` in a workbook: renewed by every run, with the frame and the motion that the user has chosen."""

from __future__ import annotations

import zlib
from functools import partial

from lxml import etree

from sheetmbs.workbook.charts.chartxml import ChartXml
from sheetmbs.workbook.charts.drawings import NO_DRAWING, cell_anchor
from sheetmbs.workbook.charts.keptmotion import NAME, StandingMotion, renewed_motion, standing_motion, words_of
from sheetmbs.workbook.charts.memory import ChartRecord, Made
from sheetmbs.workbook.charts.motionchart import canvas_of, motion_chart, references_of
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.parts import PRINT_AREA
from sheetmbs.workbook.sheets.animationlayout import CHART_ROW, FRAME, VALUE, AnimationLayout, Chosen
from sheetmbs.workbook.sheets.animationsheet import animation_sheet, scroll_bar
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.page_contents import Spot
from sheetmbs.workbook.sheets.picture_contents import MovingPicture
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.scrollbar import ScrollBar, free_block
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION
from sheetmbs.workbook.sheets.sheetxml import ROW_POINTS

PIXELS_OF_ROW = ROW_POINTS * 96 // 72
BESIDE = 8
"""pixels at the left of the chart"""
LAST_PRINTED = "L"
HOW = "Drag the scroll bar or write a number into the cell of the frame: the picture follows."
DELETED = "You have deleted the chart: delete this sheet to have it drawn anew."


def written_animation(picture: MovingPicture, before: PreviousResults) -> NewSheet:
    """The sheet. before: our sheets as they stand."""
    canvas = canvas_of(picture)
    layout = AnimationLayout(picture, _chosen(picture, before), -(-canvas.size[1] // PIXELS_OF_ROW) + 1)
    own = before.own.get(ANIMATION)
    bar = scroll_bar(layout, free_block(before.package, own.part if own else ""))
    new, references = motion_chart(layout, canvas), references_of(layout)
    look, words = ChartXml(new).look(), words_of(new, references)
    standing = standing_motion(before)
    made = Made(1, ANIMATION, FRAME, "xy", words, look=look, checksum=_checksum(new))
    if standing is None:
        told = f"{picture.title}: the mechanism in the chosen frame, in the {picture.axes[0]}-{picture.axes[1]} plane"
        placed = cell_anchor(2, NAME, told, "rId1", Spot(CHART_ROW, BESIDE, *canvas.size))
        xml = parts.DECLARATION + f"{NO_DRAWING}{placed}{bar.of_drawing() if bar else ''}</xdr:wsDr>".encode()
        drawing = Drawing(xml, {"rId1": new}, is_new=True)
        record = ChartRecord((made,), drawing=_checksum(xml))
    else:
        chart = renewed_motion(standing, before, new, references, look)
        charts = {standing.chart.key: chart} if standing.chart and chart is not None else {}
        drawing = Drawing(_with_bar(standing, bar), charts)
        record = ChartRecord((Made(1, ANIMATION, FRAME, "xy", words, look=look),))
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
