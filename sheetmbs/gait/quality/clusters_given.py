"""What a workbook in space lacks for its segments to be followed: clusters, axes, and the standing trial of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.cluster_poses import MIN_CLUSTER_MARKERS
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.recorded_body import in_words, setting_place
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow
from sheetmbs.schema.gait_inputs import SegmentMethod
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, place_of

Vector = NDArray[np.float64]

ON_LINE, SLENDER = 0.002, 0.010
"""m rms from the line that fits a cluster best: none at all; so near it that a millimetre of noise turns it by 6 degrees"""
RULE = f"in 3D a segment follows {MIN_CLUSTER_MARKERS} markers or more that do not lie on one line"


def check_clusters_given(
    book: GaitBook, trials: Sequence[PreparedTrial], standing: Points, report: ProblemList
) -> None:
    """Errors for what is missing, a warning for markers nearly on a line. standing: points of the standing trial, by name."""
    if book.processing.kinematics != SegmentMethod.SEGMENTS:
        rule = "in 3D each segment follows its cluster"
        report.error(
            "kinematics", setting_place(book, "kinematics"), book.processing.kinematics, rule, "write segments"
        )
    framed = {row.segment for row in book.frames}
    for row in book.segments:
        if row.name not in framed:
            found = f"{row.name} has no row on Anatomical frames"
            report.error("frame", _cell(row, "name"), found, "in 3D each segment needs axes", "add one")
        if _is_listed(row, report):
            _tell_unseen(row, trials, report)
            _tell_line(row, standing, report)
    _tell_shared(book, report)
    _tell_missing(book, standing, report)


def _is_listed(row: SegmentRow, report: ProblemList) -> bool:
    """Whether a cluster has enough markers, each of them once."""
    place = _cell(row, "markers")
    names = [fold(name) for name in row.markers]
    twice = next((name for name in row.markers if names.count(fold(name)) > 1), None)
    if twice is not None:
        problem = "a marker counts once; its weight stands in the column weight"
        report.error("cluster", place, f"{row.name} has {twice} twice", problem, "name each marker once")
    elif len(names) < MIN_CLUSTER_MARKERS:
        mend = "name them in the column markers, with ; between"
        report.error("cluster", place, f"{row.name} has {len(names)} markers", RULE, mend)
    return twice is None and len(names) >= MIN_CLUSTER_MARKERS


def _tell_unseen(row: SegmentRow, trials: Sequence[PreparedTrial], report: ProblemList) -> None:
    for trial in trials:
        courses = dict(zip(trial.labels, trial.values, strict=True))
        blank = [name for name in row.markers if name in courses and not np.isfinite(courses[name]).all(axis=0).any()]
        if len(row.markers) - len(blank) < MIN_CLUSTER_MARKERS:
            found = f"{in_words(blank)} of {row.name}: blank in every frame of {trial.trial.sheets[0]}"
            mend = "name others that are seen, or track these"
            report.error("cluster", _cell(row, "markers"), found, RULE, mend)


def _tell_line(row: SegmentRow, standing: Points, report: ProblemList) -> None:
    if not all(name in standing and _is_seen(standing[name]) for name in row.markers):
        return
    markers = np.array([np.mean(_whole(standing[name]), axis=0) for name in row.markers])
    spread = np.linalg.svd(markers - np.mean(markers, axis=0), compute_uv=False)
    aside = float(np.hypot(*spread[1:3])) / np.sqrt(len(markers))
    found = f"{in_words(row.markers)} lie within {1e3 * aside:.1g} mm (rms) of one line"
    mend = "name a marker that lies beside it"
    if aside < ON_LINE:
        problem = f"how {row.name} turns about that line nobody knows: {RULE}"
        report.error("cluster-on-line", _cell(row, "markers"), found, problem, mend)
    elif aside < SLENDER:
        problem = f"a millimetre of noise turns {row.name} about that line by {np.degrees(1e-3 / aside):.0f} degrees"
        report.warning("cluster-on-line", _cell(row, "markers"), found, problem, mend)


def _tell_shared(book: GaitBook, report: ProblemList) -> None:
    """Errors for two segments that follow the same markers; one on a joint may be of both."""
    for one, other in combinations(book.segments, 2):
        shared = {fold(name) for name in one.markers} & {fold(name) for name in other.markers}
        if len(shared) >= MIN_CLUSTER_MARKERS:
            found = f"{one.name} and {other.name} have {len(shared)} markers in common"
            problem = "they would move as one: each segment follows markers of its own"
            report.error("cluster", _cell(other, "markers"), found, problem, "correct the markers of one of them")


def _tell_missing(book: GaitBook, standing: Points, report: ProblemList) -> None:
    """Errors for points that the standing trial must have and does not."""
    wanted = [(each, _cell(row, "markers")) for row in book.segments for each in row.markers]
    wanted += [(each, place_of(row.cell)) for row in book.frames for each in (*row.ends, row.plane)]
    for row in book.segments:
        wanted += [(row.proximal, _cell(row, "proximal")), (row.distal, _cell(row, "distal"))]
    told: set[str] = set()
    for point, place in wanted:
        for marker in _made_of(point, book):
            if marker not in told and not (marker in standing and _is_seen(standing[marker])):
                told.add(marker)
                found = marker if marker == point else f"{marker} of {point}"
                rule = "the standing trial does not have it"
                report.error("static", place, found, rule, "choose another, or add it there")


def _made_of(point: str, book: GaitBook) -> Iterator[str]:
    """The markers of which a point is made."""
    row = next((each for each in book.centres if each.name == point), None)
    if row is None:
        yield point
        return
    for marker in row.markers:
        if marker != point:
            yield from _made_of(marker, book)


def _whole(course: Vector) -> Vector:
    return course[np.isfinite(course).all(axis=1)]


def _is_seen(course: Vector) -> bool:
    return len(_whole(course)) > 0


def _cell(row: SegmentRow, column: str) -> Place:
    return place_of(row.cells.get(column) or row.cells.get("name", "Segments"))
