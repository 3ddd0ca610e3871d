"""A standing trial that disagrees with a walk: clusters of another shape, markers of another segment, legs of another length.

Three markers differ from a rigid triangle by centimetres only, for skin moves; less says which segment one of them goes with.
In a real trial distances within a segment vary by 2 to 9 mm (standard deviation).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.clustered_segments import MIN_CLUSTER_MARKERS, cluster_poses, left_out
from sheetmbs.gait.kinematics.rotations import anatomical_axes
from sheetmbs.gait.quality.checked_trials import RecordedBody
from sheetmbs.gait.quality.marker_courses import exchanges
from sheetmbs.gait.quality.units_and_rates import WRONG_UNIT, legs_of
from sheetmbs.gait.trial.gait_book import SegmentRow
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.problem_list import ProblemList

MAX_LEG_LENGTH_CHANGE = 0.05
"""of the length of a leg: knees that bend under their skin change it by 1 to 2 %"""

MAX_MARKER_ERROR = 0.040
"""m, beyond what skin moves: the largest that OpenSim's checklist allows between marker and model"""
MAX_CLUSTER_RESIDUAL = 0.015
"""m rms, in the middle of a trial: more than skin bends a cluster"""
MIN_AXIS_COSINE = -0.3
"""mean cosine of an axis with its direction, beyond which it points the other way"""
MAX_STEADY_RATIO = 1.0 / 3.0
"""of the greater change of a distance between three markers, below which the third one is the odd one"""
MIN_DISTANCE_VARIATION = 0.005
"""m, standard deviation of both its distances: those of a marker on its own segment are less, or no other segment has it"""
MAX_VARIATION_RATIO = 0.5
"""of that: distances from the markers with which it goes, and between the two others of its cluster"""


def check_standing(body: RecordedBody, still: RecordedBody, report: ProblemList) -> None:
    """Errors and warnings for what does not agree with the standing trial; nothing where units, axes or sides are wrong."""
    wrong = report.found({WRONG_UNIT, "sides-exchanged", "front-behind", "wrong-axis"})
    if any(each.severity == "error" for each in wrong):
        return
    if body.book.follows_clusters:
        check_clusters(body, still.points, report)
        check_borrowed(body, report)
    standing = {thigh.name: length for thigh, length in legs_of(still)}
    for thigh, length in legs_of(body):
        usual = standing.get(thigh.name, np.nan)
        if abs(length / usual - 1.0) > MAX_LEG_LENGTH_CHANGE and not report.found(
            {"exchanged-cluster", "marker-off-cluster"}
        ):
            sheet, other = body.prepared.trial.sheets[0], still.prepared.trial.sheets[0]
            side = f"the {thigh.side} leg" if thigh.side else "the leg"
            found = f"{side} is {length:.3f} m long in {sheet}, and {usual:.3f} m in {other}"
            problem = f"thigh and shank of one body agree within {MAX_LEG_LENGTH_CHANGE:.0%}"
            mend = "is the standing trial that of this subject, with these markers, in this unit?"
            report.warning("other-standing", still.header(thigh.distal), found, problem, mend)
            return


def check_clusters(body: RecordedBody, standing: Points, report: ProblemList) -> None:
    """Errors for clusters that stand on their head, or would fit with two labels exchanged; a warning for each odd marker.

    standing: points of the standing trial.
    """
    still = {name: np.nanmean(points, axis=0) for name, points in standing.items() if np.isfinite(points).any()}
    facing, awry = _misdirected_axes(body, still)
    swapped = _swapped_frames(body)
    for row in body.book.segments:
        local, markers = _cluster(row, body.points, still)
        rough = _middle_residual(local, markers) > MAX_CLUSTER_RESIDUAL
        if (rough or row.name in awry) and _report_exchanged(body, row, still, facing, report):
            continue
        none = np.zeros(markers.shape[1], np.bool_)
        hidden = np.any([swapped.get(name, none) for name in row.markers], axis=0)
        away = disagreeing(row, body.points, standing, hidden)
        if away:
            _warn_of_odd_markers(body, row, away, report)


def _warn_of_odd_markers(body: RecordedBody, row: SegmentRow, away: Mapping[str, Vector], report: ProblemList) -> None:
    """One warning: of the odd marker, or of all of a cluster in which now this one, now that one is odd."""
    far = np.any([np.nan_to_num(each) > MAX_MARKER_ERROR for each in away.values()], axis=0)
    sample = int(np.searchsorted(body.prepared.time.index, np.flatnonzero(far)[0]))
    largest = 1e3 * max(float(np.nanmax(each)) for each in away.values())
    name, *others = away
    found = f"{name} is up to {largest:.0f} mm from where the other markers of {row.name} put it"
    mend = "look at its label and tracking there and in the standing trial, or leave it out of the column markers"
    if others:
        found = f"{sentence_list(list(away))} of {row.name} are up to {largest:.0f} mm from where the others put them"
        mend = "do all of them lie on this segment, with these labels, in the standing trial too?"
    problem = f"a cluster keeps its shape of the standing trial within {1e3 * MAX_MARKER_ERROR:g} mm"
    place = body.prepared.trial.markers.place(body.marker_of(name), sample)
    report.warning("marker-off-cluster", place, f"{found}, in {body.frames(far)}", problem, mend)


def _cluster(row: SegmentRow, points: Points, still: Mapping[str, Vector]) -> tuple[Vector, Vector]:
    """The markers as they stand (m, 3), about their middle, and as they walk (m, n, 3)."""
    local = np.stack([still[name] for name in row.markers])
    return local - np.mean(local, axis=0), np.stack([points[name] for name in row.markers])


def _middle_residual(local: Vector, markers: Vector) -> float:
    residual = cluster_poses(local, markers).residual
    return float(np.nanmedian(residual)) if np.isfinite(residual).any() else 0.0


def _swapped_frames(body: RecordedBody) -> dict[str, Mask]:
    """Frames (n,) in which a label is exchanged with another one, which is reported by itself."""
    found: dict[str, Mask] = {}
    for each in exchanges(body.prepared.recorded):
        for index in (each.first, each.second):
            label = body.prepared.labels[index]
            found[label] = each.frames | found.get(label, False)
    return found


def _directions(row: SegmentRow, body: RecordedBody, still: Mapping[str, Vector], order: Sequence[int]) -> Vector:
    """(3,) mean cosines of x with forward, y with up and z with the right, with the markers in another order."""
    frame = next(each for each in body.book.frames if each.segment == row.name)
    axes = anatomical_axes(still[frame.ends[0]], still[frame.ends[1]], still[frame.plane], frame.order)
    local, markers = _cluster(row, body.points, still)
    turned = cluster_poses(local, markers[list(order)]).rotation @ axes
    known = turned[np.isfinite(turned).all(axis=(1, 2))]
    return np.asarray(np.mean(np.diagonal(known, axis1=1, axis2=2), axis=0)) if len(known) else np.ones(3)


def _misdirected_axes(body: RecordedBody, still: Mapping[str, Vector]) -> tuple[float, dict[str, str]]:
    """Whether most of the body faces forward (1) or backward (-1), and which way axes of other segments point."""
    found = {row.name: _directions(row, body, still, range(len(row.markers))) for row in body.book.segments}
    facing = 1.0 if np.median([each[0] for each in found.values()]) >= 0.0 else -1.0
    return facing, {name: words for name, each in found.items() if (words := _misdirections(each, facing))}


def _misdirections(directions: Vector, facing: float) -> str:
    ways = directions * (facing, 1.0, facing)
    wrong = {"x backward": ways[0], "y down": ways[1], "z to the left": ways[2]}
    return " and ".join(word for word, cosine in wrong.items() if cosine < MIN_AXIS_COSINE)


def _report_exchanged(
    body: RecordedBody, row: SegmentRow, still: Mapping[str, Vector], facing: float, report: ProblemList
) -> bool:
    """An error for two markers of a cluster that lie right only when exchanged, and for axes that point the other way."""
    local, markers = _cluster(row, body.points, still)
    awry = _misdirections(_directions(row, body, still, range(len(local))), facing)
    now = _middle_residual(local, markers)
    fits: dict[tuple[int, int], float] = {}
    for one, other in combinations(range(len(local)), 2):
        order = list(range(len(local)))
        order[one], order[other] = other, one
        rest = _middle_residual(local, markers[order])
        if (
            rest <= MAX_CLUSTER_RESIDUAL
            and (awry or rest < 0.5 * now)
            and not _misdirections(_directions(row, body, still, order), facing)
        ):
            fits[one, other] = rest
    if not fits and not awry:
        return False
    trial = body.prepared.trial.sheets[0]
    place = row.place("markers")
    problem = f"axes of a segment point the same way as those of the standing trial: in {trial} it has {awry}"
    found, mend = f"{row.name} stands otherwise than the rest of the body", "look at the labels of its markers"
    if fits:
        first, second = (row.markers[index] for index in min(fits, key=lambda pair: fits[pair]))
        place = body.header(first)
        found = f"{first} and {second} look exchanged throughout"
        problem = problem if awry else f"so the cluster of {row.name} has the shape of the standing trial"
        mend = f"exchange their labels, here or in the standing trial, whichever is wrong; {trial} is used as it is"
    report.error("exchanged-cluster", place, found, problem, mend)
    return True


def disagreeing(row: SegmentRow, points: Points, standing: Points, hidden: Mask | None = None) -> Mapping[str, Vector]:
    """Marker -> (n,) m from where the others put it, NaN in frames in which it is not the one that disagrees.

    hidden: frames (n,) that do not count. Of three markers it is the one whose distances from both others have changed.
    """
    names = row.markers
    local = np.stack([np.nanmean(standing[name], axis=0) for name in names])
    local = local - np.mean(local, axis=0)
    markers = np.stack([points[name] for name in names])
    if hidden is not None and hidden.any():
        markers = np.where(hidden[None, :, None], np.nan, markers)
    apart, odd = _of_three(local, markers) if len(names) == MIN_CLUSTER_MARKERS else _of_more(local, markers)
    found = {name: np.where((odd == index) | (odd < 0), apart[index], np.nan) for index, name in enumerate(names)}
    return {name: each for name, each in found.items() if (np.nan_to_num(each) > MAX_MARKER_ERROR).any()}


def _of_more(local: Vector, markers: Vector) -> tuple[Vector, Vector]:
    apart = left_out(local, markers)
    if not (np.nan_to_num(apart) > MAX_MARKER_ERROR).any():
        return apart, np.full(markers.shape[1], -1)
    return apart, np.argmin(np.nan_to_num(_without(local, markers), nan=np.inf), axis=0)


def _of_three(local: Vector, markers: Vector) -> tuple[Vector, Vector]:
    """How far (3, n) the distances of each marker from the others have changed, and which is the odd one, -1 any."""
    changes = np.zeros(markers.shape[:2])
    for index in range(len(local)):
        one, other = (index + 1) % 3, (index + 2) % 3
        usual = np.linalg.norm(local[one] - local[other])
        changes[index] = np.abs(np.linalg.norm(markers[one] - markers[other], axis=1) - usual)
    changes = np.nan_to_num(changes)
    odd = np.argmin(changes, axis=0)
    largest = np.max(changes, axis=0)
    steady = np.min(changes, axis=0) <= MAX_STEADY_RATIO * largest
    return np.tile(largest, (3, 1)), np.where(steady, odd, -1)


def _without(local: Vector, markers: Vector) -> Vector:
    """(m, n) rms in m by which the others miss their places once a marker is left out: least without the odd one."""
    kept = [np.arange(len(local)) != index for index in range(len(local))]
    return np.stack([cluster_poses(local[others], markers[others]).residual for others in kept])


def check_borrowed(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker of a cluster of three that goes with the markers of another segment."""
    told = {(problem.found or "").partition(" is up to")[0] for problem in report.found({"marker-off-cluster"})}
    for row in body.book.segments:
        if len(row.markers) != MIN_CLUSTER_MARKERS:
            continue
        for marker in row.markers:
            others = [each for each in row.markers if each != marker]
            own = min(_variation(body, marker, [each]) for each in others)
            if (
                marker in told
                or own < MIN_DISTANCE_VARIATION
                or _variation(body, others[0], others[1:]) > MAX_VARIATION_RATIO * own
            ):
                continue
            home = next((each for each in body.book.segments if _goes_with(body, marker, each, row, own)), None)
            if home is None:
                continue
            found = f"{marker} of {row.name} goes with the markers of {home.name}"
            rule = (
                f"its distances from {others[0]} and {others[1]} vary by {1e3 * own:.0f} mm (standard deviation) or more, "
                f"those from {home.name} by less than {1e3 * MAX_VARIATION_RATIO * own:.0f} mm"
            )
            mend = f"take it out of the markers of {row.name} and name one that lies on it, or correct its label"
            place = row.place("markers")
            report.warning("borrowed-marker", place, found, rule, mend)


def _goes_with(body: RecordedBody, marker: str, home: SegmentRow, row: SegmentRow, own: float) -> bool:
    """Whether a marker keeps its distances from those of another segment."""
    others = [each for each in home.markers if each != marker and each not in row.markers]
    return home is not row and len(others) > 1 and _variation(body, marker, others) < MAX_VARIATION_RATIO * own


def _variation(body: RecordedBody, marker: str, others: Sequence[str]) -> float:
    """M, the largest standard deviation of the distances of a marker from others; 0 where they are not seen together."""
    found = [0.0]
    for other in others:
        away = np.linalg.norm(body.points[marker] - body.points[other], axis=1)
        away = away[np.isfinite(away)]
        found.append(float(np.std(away)) if len(away) else 0.0)
    return max(found)
