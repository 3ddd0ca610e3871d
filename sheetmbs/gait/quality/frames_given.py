"""Rows of Anatomical frames of which no axes can be made, or those of the other leg."""

from __future__ import annotations

from math import inf

import numpy as np

from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.anatomical_axes import anatomical_axes
from sheetmbs.gait.trial.gait_book import FrameRow, GaitBook, Side
from sheetmbs.gait.trial.side_from_name import SIDES, side_of
from sheetmbs.schema.problem_list import ProblemList, place_of


def check_frames_given(book: GaitBook, standing: Points, report: ProblemList) -> None:
    """Errors for points on a line and for ends of the other leg. standing: points of the standing trial, by name."""
    sides = {row.name: row.side for row in book.segments}
    for row in book.frames:
        side = sides.get(row.segment)
        points = (row.origin, *row.ends, row.plane)
        wrong = [each for each in points if side and _is_of_other(each, side, book, standing)]
        if wrong:
            problem = f"it is the frame of {row.segment}"
            mend = f"name the point of the {side} side"
            tell = report.warning if set(wrong) == {row.plane} else report.error
            tell("other-side", place_of(row.cell), f"{' and '.join(dict.fromkeys(wrong))}", problem, mend)
        else:
            _tell_line(row, standing, report)


def _is_of_other(point: str, side: Side, book: GaitBook, standing: Points) -> bool:
    """Whether a point is called after the other side, and lies nearer to a segment's end of that side than of this one.

    A marker on one side of a cluster may be called after that side whatever leg it is on.
    """
    if side_of(point) in (None, side):
        return False
    away = {each: [_apart(point, end, standing) for end in _ends(each, book)] for each in SIDES}
    nearest = {each: min(found, default=inf) for each, found in away.items()}
    return not nearest[side] < min(nearest[each] for each in SIDES if each != side)


def _ends(side: Side, book: GaitBook) -> list[str]:
    return [end for row in book.segments if row.side == side for end in (row.proximal, row.distal)]


def _apart(one: str, other: str, standing: Points) -> float:
    """The mean distance in m of two points while they are both seen; infinite where they never are."""
    if one not in standing or other not in standing:
        return inf
    apart = np.linalg.norm(standing[one] - standing[other], axis=1)
    return float(np.nanmean(apart)) if np.isfinite(apart).any() else inf


def _tell_line(row: FrameRow, standing: Points, report: ProblemList) -> None:
    means = []
    for name in (*row.ends, row.plane):
        course = standing[name][np.isfinite(standing[name]).all(axis=1)] if name in standing else np.empty((0, 3))
        if not len(course):
            return  # which is told of the standing trial
        means.append(np.mean(course, axis=0))
    try:
        anatomical_axes(means[0], means[1], means[2], row.order)
    except ValueError as error:
        found = f"{row.ends[0]}, {row.ends[1]} and {row.plane}"
        mend = "name in plane a point that lies beside the first axis, as the lateral marker of the joint"
        report.error("frame-on-line", place_of(row.cell), found, str(error), mend)
