"""Axes and labels that contradict the body: how it stands and walks, its sides, its front, and lengths of its bones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.feet import feet_of
from sheetmbs.gait.laboratory_axes import WALKS, find_forward, find_up
from sheetmbs.gait.prepare_trial import rough_points
from sheetmbs.gait.quality.checked_trials import RecordedBody, setting_place
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

MIN_FORWARD_SHARE = 0.5
"""part of the travel that goes along the axis written as forward"""
MIN_SIDE_OVERLAP = 0.03
"""m by which a point of the right leg lies to the left of that of the left leg, in the mean"""
SIDED_MARKERS = ("asis", "psis", "hip", "knee", "ankle", "heel", "toe", "mt5")
"""markers of templates that stand on both sides; medial ones of the two legs may well cross over"""
CROSSING_MARKERS = ("ankle", "heel", "toe", "mt5")
"""what may cross over in a gait, while hips and knees do not"""
MIN_DISTANCE_BEHIND = 0.02
"""m by which what is before lies behind"""
MAX_LENGTH_VARIATION = 0.15
"""SD by mean of the length of a segment: 0.002 to 0.05 where skin moves over bones"""
MAX_JOINT_WIDTH = 0.20
"""m between the markers of which a joint centre is the mean"""


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
    if forward in ("auto", "travel"):
        return
    travel, toes = _travel(body), _toes(body)
    tells = travel if travel is not None else toes
    if tells is None or tells[0] > MIN_FORWARD_SHARE * np.linalg.norm(tells):
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


def check_sides(body: RecordedBody, report: ProblemList) -> None:
    """An error where points of the right lie to the left: labels exchanged throughout, or axes that are left-handed."""
    if report.found({"wrong-length-unit"}):
        return  # markers that the standing trial places are elsewhere then
    forward = _forward(body)
    apart = {
        names: float(np.nanmean(body.points[names[0]][:, 2] - body.points[names[1]][:, 2])) * forward
        for names in _pairs(body)
        if _seen(body.points[names[0]][:, 2] - body.points[names[1]][:, 2])
    }
    wrong = [names for names, across in apart.items() if across < -MIN_SIDE_OVERLAP]
    if not wrong:
        return
    right = [names[0] for names in wrong]
    found = f"{sentence_list(right)}: {-apart[wrong[0]]:.2g} m to the left of {wrong[0][1]}"
    if len(wrong) == sum(abs(across) > MIN_SIDE_OVERLAP for across in apart.values()):
        axes = body.prepared.axes
        problem = (
            f"with {axes.up} up and {axes.forward} forward a body has its right side on the right of where toes point"
        )
        report.error("sides-exchanged", body.header(right[0]), found, problem, _way_out(body))
        return
    problem = "other points of the right side lie on the right: these labels are exchanged with those of the left"
    tell = report.warning if all(fold(name).endswith(CROSSING_MARKERS) for name in right) else report.error
    tell("sides-exchanged", body.header(right[0]), found, problem, "exchange them where they were tracked")


def _way_out(body: RecordedBody) -> str:
    """What may be written on Processing, or be taken away there."""
    how = body.book.processing
    written = [("exchange_sides", "no")] * how.exchange_sides + [("handedness", "right")] * (how.handedness == "left")
    if written:
        return (
            f"write {' or '.join(f'{setting} {word}' for setting, word in written)} on Processing, as without the row"
        )
    return (
        "exchange right and left in all labels (of plates named right and left too), or write exchange_sides yes on "
        "Processing; or if one axis of the export is mirrored write handedness left there, for x, y and z must be right-handed"
    )


def check_before(body: RecordedBody, report: ProblemList) -> None:
    """An error where one foot points backward, or the pelvis does; a warning where the body moves the other way."""
    ways = _directions(body)
    if not ways or report.found({"wrong-length-unit"}):
        return
    backward = [what for what, (way, _) in ways.items() if way < -MIN_DISTANCE_BEHIND]
    if backward and len(backward) == len(ways):
        axes = body.prepared.axes
        if body.book.processing.axis_forward not in ("auto", "travel"):
            return  # which the check of axes tells
        other = f"{'+' if axes.forward[0] == '-' else '-'}{axes.forward[1]}"
        problem = f"the body moves along {axes.forward}, which is taken for forward, and its toes point to {other}"
        mend = f"if the subject walks backward write axis_forward {other}; else labels of heel and toe are exchanged"
        place = body.prepared.trial.markers.headers[0]
        report.warning("walks-backwards", place, f"forward: {axes.forward}", problem, mend)
        return
    for what in backward:
        way, (front, back) = ways[what]
        found = f"{front} lies {-way:.2g} m behind {back}"
        problem = "it is the other way round in a body that faces the way the rest of it does"
        mend = "exchange their labels, or correct Marker names"
        report.error("front-behind", body.header(front), found, problem, mend)


def check_steadiness(body: RecordedBody, report: ProblemList) -> None:
    """A warning for segments whose length changes as that of no bone, and joint centres of markers far apart."""
    if report.found({"wrong-length-unit", "exchanged-cluster", "marker-off-cluster"}):
        return
    of_knees = {name for row in body.book.segments if row.table == "shank" for name in (row.proximal, row.distal)}
    for row in body.book.centres:
        if row.kind != CentreKind.MEAN or len(row.markers) != 2 or row.name not in of_knees:
            continue
        apart = np.linalg.norm(body.points[row.markers[0]] - body.points[row.markers[1]], axis=1)
        if _seen(apart) and np.nanmedian(apart) > MAX_JOINT_WIDTH:
            found = (
                f"{sentence_list(row.markers)} lie {np.nanmedian(apart):.2g} m apart, of which {row.name} is the middle"
            )
            problem = (
                f"the two sides of a joint are less than {MAX_JOINT_WIDTH:g} m apart: one of them is another marker"
            )
            mend = "correct its label, or markers on Joint centres"
            report.error("far-apart", body.header(row.markers[0]), found, problem, mend)
    if report.found({"far-apart", "sides-exchanged", "front-behind"}):
        return
    for segment, length in body.segments():
        if not _seen(length) or segment.table == "hat":
            continue
        rises = body.points[segment.proximal][:, 1] - body.points[segment.distal][:, 1]
        if segment.table in ("thigh", "shank") and np.nanmean(rises) < 0.0:
            found = f"{segment.proximal} lies {-np.nanmean(rises):.2g} m below {segment.distal}"
            problem = f"the upper end of {segment.name} is above its lower one in the mean"
            mend = "exchange their labels, or proximal and distal on Segments"
            report.error("upside-down", body.header(segment.proximal), found, problem, mend)
            continue
        usual, spread = float(np.nanmean(length)), float(np.nanstd(length))
        if spread > MAX_LENGTH_VARIATION * usual:
            found = f"the length of {segment.name} changes by {spread / usual:.0%} (SD) of its {usual:.3g} m"
            problem = "a bone is as long in every frame: 1 to 5 % is what skin does"
            mend = (
                f"are {segment.proximal} and {segment.distal} the markers that are meant, and on this leg throughout?"
            )
            report.warning("unsteady-length", body.header(segment.distal), found, problem, mend)


def _seen(course: Vector) -> bool:
    return bool(np.isfinite(course).any() and np.any(np.nan_to_num(course)))


def _pairs(body: RecordedBody) -> Iterator[tuple[str, str]]:
    """Points of both sides that cannot exchange their places: markers by name, then ends of segments."""
    names = {fold(each): each for each in body.prepared.labels}
    pairs = [tuple(names.get(fold(f"{side} {point}"), "") for side in SIDES) for point in SIDED_MARKERS]
    for row in body.book.segments:
        for other in body.book.segments:
            if (row.side, other.side) == SIDES and row.table == other.table:
                pairs += [(row.proximal, other.proximal), (row.distal, other.distal)]
    yield from ((one, other) for one, other in dict.fromkeys(pairs) if one and other and one != other)


def _directions(body: RecordedBody) -> dict[str, tuple[float, tuple[str, str]]]:
    """How far forward toes lie of heels, and the front of the pelvis of its back, in m, with the names of both."""
    names = {fold(each): each for each in body.prepared.labels}
    sides = [f"{side} " for side in SIDES] + [""]
    couples = [(f"{side}{front}", f"{side}heel") for side in sides for front in ("toe", "mt5")]
    couples += [(f"{side}asis", f"{side}psis") for side in sides]
    found = {}
    for front, back in couples:
        if fold(front) in names and fold(back) in names:
            one, other = names[fold(front)], names[fold(back)]
            way = body.points[one][:, 0] - body.points[other][:, 0]
            if _seen(way):
                found[front] = float(np.nanmean(way)), (one, other)
    return found


def _forward(body: RecordedBody) -> float:
    """1 where toes and pelvis point forward; -1 where they point backward, as of somebody who walks so."""
    ways = [way for way, _ in _directions(body).values()]
    if not ways:
        ways = [
            float(np.nanmean(foot.toe[:, 0] - foot.heel[:, 0])) for foot in feet_of(body.points, body.book).values()
        ]
    return -1.0 if ways and np.median(ways) < 0.0 else 1.0
