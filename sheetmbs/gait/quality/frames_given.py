"""Rows of Anatomical frames of which no axes can be made, or those of the other leg."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.anatomical_axes import anatomical_axes
from sheetmbs.gait.trial.gait_book import FrameRow, GaitBook
from sheetmbs.gait.trial.named_side import side_of
from sheetmbs.workbook.reading.problem_list import ProblemList, place_of


def check_frames_given(book: GaitBook, standing: Points, report: ProblemList) -> None:
    """Errors for points on a line and for ends of the other leg. standing: points of the standing trial, by name."""
    sides = {row.name: row.side for row in book.segments}
    for row in book.frames:
        side = sides.get(row.segment)
        wrong = [each for each in (row.origin, *row.ends, row.plane) if side and side_of(each) not in (None, side)]
        if wrong:
            problem = f"it is the frame of {row.segment}"
            mend = f"name the point of the {side} side"
            tell = report.warning if set(wrong) == {row.plane} else report.error
            tell("other-side", place_of(row.cell), f"{' and '.join(dict.fromkeys(wrong))}", problem, mend)
        else:
            _tell_line(row, standing, report)


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
