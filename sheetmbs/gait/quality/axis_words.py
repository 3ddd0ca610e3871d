"""Axes of the laboratory that are written otherwise than the body stands and walks."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.laboratory_axes import WALKS, find_forward, find_up
from sheetmbs.gait.prepare_trial import rough_points
from sheetmbs.gait.quality.recorded_body import RecordedBody, setting_place
from sheetmbs.schema.problem_list import ProblemList

MOSTLY = 0.5
"""part of the travel that goes along the axis written as forward"""


def check_axes(body: RecordedBody, report: ProblemList) -> None:
    """An error where the body stands or walks along another axis than the one that is written."""
    book, trial = body.book, body.prepared.trial
    points = rough_points(trial, book.centres)
    up, forward = book.processing.axis_up, book.processing.axis_forward
    stands = find_up(points, book.segments)
    if up not in ("auto", stands) and stands is not None:
        found, problem = f"axis_up: {up}", f"in {trial.sheets[0]} thighs and shanks reach up along {stands}"
        report.error("wrong-axis", setting_place(book, "axis_up"), found, problem, f"write axis_up {stands}, or auto")
        return
    if forward == "auto":
        return
    travel, toes = _travel(body), _toes(body)
    tells = travel if travel is not None else toes
    if tells is None or tells[0] > MOSTLY * np.linalg.norm(tells):
        return
    if travel is not None and toes is not None and toes[0] > 0.0 and travel[0] < 0.0:
        found, problem = f"axis_forward: {forward}", "the toes point there, and the body moves the other way"
        mend = "nothing, if the subject walks backwards"
        report.warning("walks-backwards", setting_place(book, "axis_forward"), found, problem, mend)
        return
    walks = find_forward(points, book.segments, body.prepared.axes.up)
    how = "the body walks" if travel is not None else "the toes point"
    mend = f"write axis_forward {walks}, or auto"
    found, problem = f"axis_forward: {forward}", f"in {trial.sheets[0]} {how} along {walks}"
    report.error("wrong-axis", setting_place(book, "axis_forward"), found, problem, mend)


def _travel(body: RecordedBody) -> np.ndarray | None:
    """(2,) m forward and to the right of a thigh; None where it stays in place."""
    for row in body.book.segments:
        if row.table == "thigh":
            course = body.points[row.proximal]
            seen = course[np.isfinite(course).all(axis=1)]
            way = seen[-1] - seen[0] if len(seen) else np.zeros(3)
            if np.max(np.abs(way[[0, 2]])) >= WALKS:
                return np.asarray(way[[0, 2]])
    return None


def _toes(body: RecordedBody) -> np.ndarray | None:
    """(2,) m forward and to the right from the upper to the lower end of all feet."""
    ways = [
        np.nanmean(body.points[row.distal] - body.points[row.proximal], axis=0)[[0, 2]]
        for row in body.book.segments
        if row.table == "foot"
    ]
    return np.asarray(np.sum(ways, axis=0)) if ways else None
