"""What a workbook in space lacks for its segments to be followed: clusters, axes, and the standing trial of both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import inf

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.clustered_segments import MIN_CLUSTER_MARKERS
from sheetmbs.gait.kinematics.rotations import anatomical_axes
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.checked_trials import setting_place
from sheetmbs.gait.trial.gait_book import SIDES, FrameRow, GaitBook, SegmentRow, Side
from sheetmbs.gait.trial.marker_synonyms import side_of
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.gait_inputs import SegmentMethod
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of

MAX_LINE_DISTANCE, MIN_CLUSTER_WIDTH = 0.002, 0.010
"""m rms from the line that fits a cluster best: none at all; so near it that a millimetre of noise turns it by 6 degrees"""
CLUSTER_RULE = f"in 3D a segment follows {MIN_CLUSTER_MARKERS} markers or more that do not lie on one line"


def check_clusters_given(
    book: GaitBook, trials: Sequence[PreparedTrial], standing: Points, report: ProblemList
) -> None:
    """Errors for what is missing, a warning for markers nearly on a line. standing: points of the standing trial, by name."""
    if book.processing.kinematics == SegmentMethod.CHAIN:
        rule = "in 3D segments follow their clusters, each by itself or all joined"
        mend = "write segments, or least squares"
        report.error("kinematics", setting_place(book, "kinematics"), book.processing.kinematics, rule, mend)
    framed = {row.segment for row in book.frames}
    for row in book.segments:
        if row.name not in framed:
            found = f"{row.name} has no row on Anatomical frames"
            report.error("frame", row.place("name"), found, "in 3D each segment needs axes", "add one")
        if _is_listed(row, report):
            _report_unseen(row, trials, report)
            _report_collinear_cluster(row, standing, report)
    _report_shared(book, report)
    _report_missing(book, standing, report)


def _is_listed(row: SegmentRow, report: ProblemList) -> bool:
    """Whether a cluster has enough markers, each of them once."""
    place = row.place("markers")
    names = [fold(name) for name in row.markers]
    twice = next((name for name in row.markers if names.count(fold(name)) > 1), None)
    if twice is not None:
        problem = "a marker counts once; its weight stands in the column weight"
        report.error("cluster", place, f"{row.name} has {twice} twice", problem, "name each marker once")
    elif len(names) < MIN_CLUSTER_MARKERS:
        mend = "name them in the column markers, with ; between"
        report.error("cluster", place, f"{row.name} has {len(names)} markers", CLUSTER_RULE, mend)
    return twice is None and len(names) >= MIN_CLUSTER_MARKERS


def _report_unseen(row: SegmentRow, trials: Sequence[PreparedTrial], report: ProblemList) -> None:
    for trial in trials:
        courses = dict(zip(trial.labels, trial.values, strict=True))
        blank = [name for name in row.markers if name in courses and not np.isfinite(courses[name]).all(axis=0).any()]
        if len(row.markers) - len(blank) < MIN_CLUSTER_MARKERS:
            found = f"{sentence_list(blank)} of {row.name}: blank in every frame of {trial.trial.sheets[0]}"
            mend = "name others that are seen, or track these"
            report.error("cluster", row.place("markers"), found, CLUSTER_RULE, mend)


def _report_collinear_cluster(row: SegmentRow, standing: Points, report: ProblemList) -> None:
    if not all(name in standing and _is_seen(standing[name]) for name in row.markers):
        return
    markers = np.array([np.mean(_seen_frames(standing[name]), axis=0) for name in row.markers])
    spread = np.linalg.svd(markers - np.mean(markers, axis=0), compute_uv=False)
    aside = float(np.hypot(*spread[1:3])) / np.sqrt(len(markers))
    found = f"{sentence_list(row.markers)} lie within {1e3 * aside:.1g} mm (rms) of one line"
    mend = "name a marker that lies beside it"
    if aside < MAX_LINE_DISTANCE:
        problem = f"how {row.name} turns about that line nobody knows: {CLUSTER_RULE}"
        report.error("cluster-on-line", row.place("markers"), found, problem, mend)
    elif aside < MIN_CLUSTER_WIDTH:
        problem = f"a millimetre of noise turns {row.name} about that line by {np.degrees(1e-3 / aside):.0f} degrees"
        report.warning("cluster-on-line", row.place("markers"), found, problem, mend)


def _report_shared(book: GaitBook, report: ProblemList) -> None:
    """Errors for two segments that follow the same markers; one on a joint may be of both."""
    for one, other in combinations(book.segments, 2):
        shared = {fold(name) for name in one.markers} & {fold(name) for name in other.markers}
        if len(shared) >= MIN_CLUSTER_MARKERS:
            found = f"{one.name} and {other.name} have {len(shared)} markers in common"
            problem = "they would move as one: each segment follows markers of its own"
            report.error("cluster", other.place("markers"), found, problem, "correct the markers of one of them")


def _report_missing(book: GaitBook, standing: Points, report: ProblemList) -> None:
    """Errors for points that the standing trial must have and does not."""
    wanted = [(each, row.place("markers")) for row in book.segments for each in row.markers]
    wanted += [(each, place_of(row.cell)) for row in book.frames for each in (*row.ends, row.plane)]
    for row in book.segments:
        wanted += [(row.proximal, row.place("proximal")), (row.distal, row.place("distal"))]
    centres = {row.name for row in book.centres}
    told: set[str] = set()
    for point, place in wanted:
        for marker in (each for each in book.made_of([point]) if each not in centres):
            if marker not in told and not (marker in standing and _is_seen(standing[marker])):
                told.add(marker)
                found = marker if marker == point else f"{marker} of {point}"
                rule = "the standing trial does not have it"
                report.error("static", place, found, rule, "choose another, or add it there")


def _seen_frames(course: Vector) -> Vector:
    return course[np.isfinite(course).all(axis=1)]


def _is_seen(course: Vector) -> bool:
    return len(_seen_frames(course)) > 0


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
            _report_collinear_frame(row, standing, report)


def _is_of_other(point: str, side: Side, book: GaitBook, standing: Points) -> bool:
    """Whether a point is called after the other side, and lies nearer to a segment's end of that side than of this one.

    A marker on one side of a cluster may be called after that side whatever leg it is on.
    """
    if side_of(point) in (None, side):
        return False
    away = {each: [_mean_distance(point, end, standing) for end in _segment_ends(each, book)] for each in SIDES}
    nearest = {each: min(found, default=inf) for each, found in away.items()}
    return not nearest[side] < min(nearest[each] for each in SIDES if each != side)


def _segment_ends(side: Side, book: GaitBook) -> list[str]:
    return [end for row in book.segments if row.side == side for end in (row.proximal, row.distal)]


def _mean_distance(one: str, other: str, standing: Points) -> float:
    """The mean distance in m of two points while they are both seen; infinite where they never are."""
    if one not in standing or other not in standing:
        return inf
    apart = np.linalg.norm(standing[one] - standing[other], axis=1)
    return float(np.nanmean(apart)) if np.isfinite(apart).any() else inf


def _report_collinear_frame(row: FrameRow, standing: Points, report: ProblemList) -> None:
    means = []
    for name in (*row.ends, row.plane):
        course = standing[name][np.isfinite(standing[name]).all(axis=1)] if name in standing else np.empty((0, 3))
        if not len(course):
            return  # which is reported of the standing trial
        means.append(np.mean(course, axis=0))
    try:
        anatomical_axes(means[0], means[1], means[2], row.order)
    except ValueError as error:
        found = f"{row.ends[0]}, {row.ends[1]} and {row.plane}"
        mend = "name in plane a point that lies beside the first axis, as the lateral marker of the joint"
        report.error("frame-on-line", place_of(row.cell), found, str(error), mend)
