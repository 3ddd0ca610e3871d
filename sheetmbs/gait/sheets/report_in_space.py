"""The first two printed pages of trials in space: angles by joints and planes; moments, powers and forces of the ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.report_belief import doubts_in_short
from sheetmbs.gait.sheets.report_charts import ReportCharts, Slot
from sheetmbs.gait.sheets.report_parts import (
    LAST,
    LINE,
    ROW,
    TITLE,
    WIDTHS,
    PrintedPart,
    legend,
    titles,
    told_heights,
)
from sheetmbs.gait.sheets.shown_items import GaitContents
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.sheets.page_contents import PageCell, PageChart

CHART_HIGH = 11
"""rows of a chart"""
FIRST = 5
"""row of the first charts"""
Draw = Callable[[Slot], PageChart | None]
ANGLES_OF_JOINTS = (
    ("hip", (("angle", "Hip flexion"), ("adduction", "Hip adduction"), ("rotation", "Hip rotation"))),
    ("knee", (("angle", "Knee flexion"), ("adduction", "Knee adduction"), ("rotation", "Knee rotation"))),
    ("ankle", (("angle", "Ankle dorsiflexion"), ("adduction", "Ankle adduction"), ("rotation", "Ankle rotation"))),
)
"""rows of charts: a joint, its angles in the three planes with the titles of their charts"""
ANGLES_OF_PELVIS = (("tilt", "Pelvis tilt"), ("obliquity", "Pelvis obliquity"), ("rotation", "Pelvis rotation"))


def kinematics_part(gait: GaitPresentation, charts: ReportCharts, contents: GaitContents) -> PrintedPart:
    """Pelvis, hip, knee and ankle or foot by planes, and in a line what was doubted."""
    sides = charts.sides()
    rows: list[list[Draw]] = [[_axial(charts, sides, "pelvis", *each) for each in ANGLES_OF_PELVIS]]
    rows += [[_joint(charts, sides, kind, *each) for each in angles] for kind, angles in ANGLES_OF_JOINTS]
    if any((f"{side} foot", "progression") in gait.means for side in sides):
        rows[-1][-1] = _axial(charts, sides, "foot", "progression", "Foot progression")
    return _part(gait, charts, "Kinematics", rows, doubts_in_short(gait, contents))


def kinetics_part(gait: GaitPresentation, charts: ReportCharts) -> PrintedPart | None:
    """Sagittal moments and powers, frontal moments of hip and knee, forces of the ground; None without forces."""
    sides = charts.sides()
    if not gait.has_forces:
        return None
    joints = ("hip", "knee", "ankle")
    rows = [
        [_joint(charts, sides, kind, quantity, f"{kind.capitalize()} {quantity}") for kind in joints]
        for quantity in ("moment", "power")
    ]
    frontal = [
        _joint(charts, sides, kind, "moment_adduction", f"{kind.capitalize()} adduction moment")
        for kind in ("hip", "knee")
    ]
    rows.append([*frontal, lambda slot: charts.support(sides, slot)])
    rows.append([_ground(charts, sides, axis) for axis in ("fy", "fx", "fz")])
    return _part(gait, charts, "Kinetics", rows, "")


def _joint(charts: ReportCharts, sides: Sequence[Side], kind: str, quantity: str, title: str) -> Draw:
    return lambda slot: charts.joint(sides, kind, quantity, slot, title)


def _axial(charts: ReportCharts, sides: Sequence[Side], owner: str, quantity: str, title: str) -> Draw:
    return lambda slot: charts.axial(sides, owner, quantity, slot, title)


def _ground(charts: ReportCharts, sides: Sequence[Side], axis: str) -> Draw:
    return lambda slot: charts.ground(sides, axis, slot)


def _part(
    gait: GaitPresentation, charts: ReportCharts, title: str, rows: Sequence[Sequence[Draw]], line: str
) -> PrintedPart:
    """A page of rows of three charts each, without rows of which nothing is known. line: of text below them."""
    sides = charts.sides()
    head = [*titles(gait, title)]
    if sides:
        head.append(PageCell(4, 1, "", "page text", span=LAST, inks=tuple(legend(gait, charts, sides))))
    known = [row for row in rows if any(draw(Slot((1, 1, 1, 1))) is not None for draw in row)]
    drawn = [
        chart
        for number, row in enumerate(known)
        for place, draw in enumerate(row)
        if (chart := draw(_slot(number, place, is_last=number + 1 == len(known)))) is not None
    ]
    last_row = FIRST + CHART_HIGH * max(len(known), 1) - 1
    growing = range(FIRST, last_row + 1)
    heights = {1: TITLE} | told_heights(head) | dict.fromkeys(growing, ROW)
    if line:
        last_row += 1
        head.append(PageCell(last_row, 1, line, "page text", span=LAST))
        heights[last_row] = LINE
    return PrintedPart(tuple(head), tuple(drawn), heights, last_row, growing)


def _slot(row: int, place: int, *, is_last: bool) -> Slot:
    """A third of the whole width of the page."""
    top = FIRST + row * CHART_HIGH
    left, right = thirds()[place]
    return Slot((top, left, top + CHART_HIGH - 1, right), is_last)


def thirds() -> list[tuple[int, int]]:
    """First and last columns of three parts of the page that are about equally wide."""
    middles = np.cumsum(WIDTHS) - 0.5 * np.array(WIDTHS)
    part = np.minimum(3.0 * middles / sum(WIDTHS), 2.0).astype(int)
    return [(int(np.flatnonzero(part == k)[0]) + 1, int(np.flatnonzero(part == k)[-1]) + 1) for k in range(3)]
