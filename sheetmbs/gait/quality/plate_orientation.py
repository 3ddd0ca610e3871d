"""Plates whose forces point or turn the wrong way: action for reaction, corners in another order, axes that are others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, centre_of_pressure
from sheetmbs.gait.quality.checked_trials import LOADED, SolvedBody, before_toes, beside_feet, is_reported
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate, plate_axes
from sheetmbs.schema.problem_list import ProblemList

MIN_DOWN_RATIO = 5.0
"""times as much down as up is the force on the plate"""
AS_WRITTEN = (0, 1, 2, 3)
"""corners"""
REVERSED_ORDERS = ((1, 0, 3, 2), (3, 2, 1, 0), (0, 3, 2, 1), (2, 1, 0, 3))
"""of corners the other way round, each beginning at another one"""
CARRIED_PEAKS, WALKING_PEAK = (0.7, 3.5), 1.15
"""of the weight: peaks of the vertical force, and that of walking"""
STANCE_SHARE = 0.5
"""of a peak: a foot keeps the force above that for a while"""
MIN_STANCE_TIME = 0.2
"""s of that while"""
MIN_LIKENESS = 0.5
"""correlations and shares that are those of feet"""
TINY = 1e-300
MAX_FOOT_DISTANCE = 0.10
"""m beside a foot"""
MIN_SHARE_UNDER_FEET, MIN_SHARE_AFTER_TURN = 0.5, 0.9
"""shares of frames: less than that under the feet is a fault, more than this after a turn explains it"""
MIN_FRAMES = 5
"""frames that tell something"""
MIN_SIDEWAYS_RATIO = 3.0
"""times the largest vertical force: a level one that is so large stands along the vertical in truth"""
TURNS = {90: (1, 2, 3, 0), 180: (2, 3, 0, 1), 270: (3, 0, 1, 2)}
"""degrees -> corners that begin at another one"""
MIN_CONTACT_TIME = 0.4
"""s of a contact that tells how a foot rolls"""
MAX_UNLIKENESS = 0.35
"""correlations and shares that are not those of feet; sound plates have 0.6 to 0.9"""


def check_strength(body: SolvedBody, report: ProblemList) -> None:
    """An error where no plate carries a foot by its numbers, but would in another unit; a warning where none does at all."""
    mass, weight = body.book.subject.mass, body.weight
    vertical = {plate.name: _vertical_force(body, plate) for plate in body.recorded_plates}
    peaks = {name: float(np.max(np.abs(each), initial=0.0)) for name, each in vertical.items()}
    strongest = max(peaks, key=lambda name: peaks[name])
    peak = peaks[strongest]
    if peak >= LOADED * weight:
        return
    place = next(plate.header for plate in body.recorded_plates if plate.name == strongest)
    found = f"the largest vertical force of all plates is {peak:.3g} N, {peak / weight:.2g} x the weight"
    factors = {"kN": 1e3, "N/kg": mass, "parts of the weight": weight, "percent of the weight": weight / 100.0}
    carried = {unit: factor * peak / weight for unit, factor in factors.items()}
    fits = {
        unit: abs(np.log(part / WALKING_PEAK))
        for unit, part in carried.items()
        if CARRIED_PEAKS[0] <= part <= CARRIED_PEAKS[1]
    }
    if fits and any(_stands(np.abs(each), body.ground.plates[name].times, peak) for name, each in vertical.items()):
        meant = min(fits, key=lambda unit: fits[unit])
        problem = f"a foot that stands carries about the weight: these numbers look like {meant}"
        mend = "write kN as their unit in row 2" if meant == "kN" else "export forces in N"
        report.error("weak-forces", place, found, problem, mend)
        return
    problem = "nobody stands on a plate: no moments can be found"
    report.warning("no-load", place, found, problem, "look whether these are the plates of this trial, and in N")


def _stands(vertical: Vector, times: Vector, peak: float) -> bool:
    return any(times[last] - times[first] >= MIN_STANCE_TIME for first, last in bounds(vertical > STANCE_SHARE * peak))


def check_sign(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate that pulls its foot down."""
    pulling = [plate for plate in body.recorded_plates if _pulls(body, plate)]
    told = {plate.name: _order_that_fits(body, plate) for plate in pulling}
    orders = [order for order in told.values() if order]
    if 2 * len(orders) <= len(pulling):
        told, orders = {name: order if order is None else () for name, order in told.items()}, []
    for plate in pulling:
        geometry, order = body.geometry(plate), told[plate.name]
        now = "reaction" if geometry is None else geometry.sign
        meant = "action" if now == "reaction" else "reaction"
        found = f"{plate.name}: its vertical force runs down to {np.min(_vertical_force(body, plate)):.4g} N, as {now}"
        if order is None and orders:
            order = orders[0]  # of a contact that the recording cuts nobody can tell: the other plates do
        if order:
            problem = (
                "its corners go the wrong way round: so feet neither push nor roll forward on it, not as action either, "
                f"and from corner {order[0] + 1} to corner {order[1] + 1} and on they do"
            )
            mend = f"write its corners in the order {', '.join(str(k + 1) for k in order)} (+x+y, -x+y, -x-y, +x-y)"
            report.error("corners-wrong-way", body.plate_cell(plate, "x1"), found, problem, mend)
            continue
        if _is_own(body, plate):
            problem = "in its own axes, of which z points down, it carries feet as feet push and roll"
            report.error(
                "action-for-reaction",
                body.plate_cell(plate, "axes"),
                found,
                problem,
                f"write own in axes of {plate.name}",
            )
            continue
        problem = "a foot is pushed up by the ground: this is a factor of -1, the force on the plate"
        mend = f"write {meant} in sign of {plate.name} on Plates"
        if geometry is None or geometry.corners is None:
            mend += "; or give its corners there, if its columns stand in axes of the plate, of which z points down"
        report.error("action-for-reaction", body.plate_cell(plate, "sign"), found, problem, mend)


def _pulls(body: SolvedBody, plate: RecordedPlate) -> bool:
    vertical = _vertical_force(body, plate)
    up, down = max(float(np.max(vertical)), 0.0), max(-float(np.min(vertical)), 0.0)
    return down > MIN_DOWN_RATIO * max(up, body.book.processing.threshold)


def _vertical_force(body: SolvedBody, plate: RecordedPlate) -> Vector:
    return np.asarray(body.ground.plates[plate.name].raw_force @ body.up)


def _order_that_fits(body: SolvedBody, plate: RecordedPlate) -> tuple[int, ...] | None:
    """The order of corners, the other way round, in which feet roll and push as feet do; () as action, None nothing tells."""
    geometry = body.geometry(plate)
    if geometry is None or geometry.corners is None or geometry.axes != "own" or plate.moment is None:
        return ()
    sense = -1.0 if geometry.sign == "action" else 1.0
    if likeness(body, plate, geometry, AS_WRITTEN, -sense) >= MIN_LIKENESS:
        return ()
    likest, order = max((likeness(body, plate, geometry, each, sense), each) for each in REVERSED_ORDERS)
    return order if likest >= MIN_LIKENESS else None


def _is_own(body: SolvedBody, plate: RecordedPlate) -> bool:
    """Whether columns that are said to stand in axes of the markers look like feet in axes of the plate."""
    geometry = body.geometry(plate)
    if geometry is None or geometry.axes == "own" or plate.moment is None:
        return False
    sense = -1.0 if geometry.sign == "action" else 1.0
    return likeness(body, plate, geometry, AS_WRITTEN, sense) >= MIN_LIKENESS


def likeness(
    body: SolvedBody, plate: RecordedPlate, geometry: PlateGeometry, order: Sequence[int], sense: float
) -> float:
    """How much a plate in its own axes looks like feet, with its corners in another order and its columns times ``sense``.

    The least of what ``alikeness`` gives.
    """
    return min(alikeness(body, plate, geometry, order, sense))


def alikeness(
    body: SolvedBody, plate: RecordedPlate, geometry: PlateGeometry, order: Sequence[int], sense: float
) -> tuple[float, float, float]:
    """What makes a plate look like feet: which part of the pressure lies under them, how steadily it goes towards toes.

    The last is how steadily feet that brake come to push (both as correlations with time).
    """
    if geometry.corners is None:
        return 0.0, 0.0, 0.0
    frames, times = body.courses.time, body.ground.plates[plate.name].times
    own = [np.nan_to_num(each) for each in (plate.force, plate.moment) if each is not None]
    force, moment = (np.column_stack([np.interp(frames, times, each) for each in course.T]) for course in own)
    height = float(np.mean(geometry.corners @ body.up))
    axes = plate_axes(geometry.corners[list(order)])
    pushed = sense * force @ axes.T
    about = sense * moment @ axes.T + np.cross(np.mean(geometry.corners, axis=0) + axes @ geometry.origin, pushed)
    points, _ = centre_of_pressure(pushed, about, body.up, height, LOADED * body.weight)
    where, along = body.ours(points), body.ours(pushed)[:, 0]
    away = beside_feet(where, body.feet)
    seen = np.isfinite(away)
    if not seen.any():
        return 0.0, 0.0, 0.0
    rolled, pushing = (rises(each, seen, frames) for each in (before_toes(where, body.feet), along))
    return float(np.mean(away[seen] <= MAX_FOOT_DISTANCE)), rolled, pushing


def rises(course: Vector, seen: Mask, time: Vector) -> float:
    """The correlation of a course (n,) with time, within each run of the frames in which it is seen."""
    runs = [slice(first, last + 1) for first, last in bounds(seen) if last - first >= MIN_FRAMES]
    if not runs:
        return 0.0
    x = np.concatenate([time[run] - np.mean(time[run]) for run in runs])
    y = np.concatenate([course[run] - np.mean(course[run]) for run in runs])
    return float(x @ y / max(np.linalg.norm(x) * np.linalg.norm(y), TINY))


def check_plate_axes(body: SolvedBody, report: ProblemList) -> None:
    """An error where a right-angle turn, or another vertical, puts the force under the feet."""
    if any(each.severity == "error" for each in report.found({"moved-plates"})):
        return
    for plate in body.recorded_plates:
        wrench = body.ground.plates[plate.name]
        if is_reported(plate, {"turned-plate", "exchanged-columns"}, report):
            continue
        if _is_sideways(body, plate, wrench, report):
            continue
        pressure = body.pressure(plate, wrench)
        seen = np.isfinite(pressure).any(axis=1) & np.isfinite(beside_feet(pressure, body.feet))
        if seen.sum() < MIN_FRAMES:
            continue
        inside = _share_under_feet(body, pressure, seen)
        if inside >= MIN_SHARE_UNDER_FEET:
            continue
        away = float(np.nanmedian(beside_feet(pressure, body.feet)[seen]))
        found = (
            f"{plate.name}: in {1.0 - inside:.0%} of its frames the centre of pressure is {away:.2g} m from the feet"
        )
        place = body.plate_cell(plate, "axes")
        share, turn = max((_share_under_feet(body, each, seen), name) for name, each in _turned(body, plate, pressure))
        if share >= MIN_SHARE_AFTER_TURN:
            problem = f"{turn} the plate would have {share:.0%} of it under the feet"
            mend = "correct the order of its corners on Plates (+x+y, -x+y, -x-y, +x-y of the plate), or its axes"
            if body.geometry(plate) is None:
                mend = "correct names and signs of its columns, or give its corners and own axes on Plates"
            report.error("turned-plate", place, found, problem, mend)


def _share_under_feet(body: SolvedBody, pressure: Vector, seen: Mask) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.mean(beside_feet(pressure[seen], _feet_at(body, seen)) <= MAX_FOOT_DISTANCE))


def _feet_at(body: SolvedBody, seen: Mask) -> dict[Side, Foot]:
    return {side: replace(foot, heel=foot.heel[seen], toe=foot.toe[seen]) for side, foot in body.feet.items()}


def _turned(body: SolvedBody, plate: RecordedPlate, pressure: Vector) -> Iterator[tuple[str, Vector]]:
    """The centre of pressure (n, 3) after each right-angle turn about the middle of the plate, and its name."""
    geometry = body.geometry(plate)
    corners = None if geometry is None else geometry.corners
    middle = np.zeros(3) if corners is None else np.mean(body.ours(corners), axis=0)
    letter = body.solved.prepared.axes.up[1]
    away = pressure - middle
    for mirrored in (False, True):
        for quarter in range(4):
            c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
            sign = -1.0 if mirrored else 1.0
            forward, right = c * away[:, 0] + s * sign * away[:, 2], -s * away[:, 0] + c * sign * away[:, 2]
            words = ("turned over and " if mirrored else "") + f"turned {90 * quarter} deg about {letter}"
            if mirrored and quarter == 0:
                words = "turned over"
            if mirrored or quarter:
                yield words, middle + np.column_stack((forward, away[:, 1], right))


def _is_sideways(body: SolvedBody, plate: RecordedPlate, wrench: PlateWrench, report: ProblemList) -> bool:
    """Whether a plate pushes sideways what it should carry."""
    force = np.max(np.abs(wrench.raw_force), axis=0, initial=0.0)
    vertical = float(np.abs(body.up) @ force)
    axis = int(np.argmax(force))
    if force[axis] < 2.0 * LOADED * body.weight or force[axis] < MIN_SIDEWAYS_RATIO * vertical:
        return False
    letter, up = "xyz"[axis], body.solved.prepared.axes.up[1]
    found = f"{plate.name}: forces along {letter} reach {force[axis]:.3g} N, along {up} {vertical:.3g} N"
    problem = f"the markers have {up} upright, and a plate carries the body along the vertical"
    mend = "export forces in the axes of the markers, or give the corners of the plate and own axes on Plates"
    report.error("turned-plate", body.plate_cell(plate, "axes"), found, problem, mend)
    return True


def check_turns(body: SolvedBody, report: ProblemList) -> None:
    """An error for each plate on which feet roll, brake and push once it is turned, a warning where they roll backward."""
    if report.found({"action-for-reaction", "corners-wrong-way", "wrong-moment-unit"}) or not body.feet:
        return
    for plate in body.recorded_plates:
        if is_reported(plate, {"exchanged-columns"}, report):
            continue
        geometry = body.geometry(plate)
        if geometry is None or geometry.corners is None or geometry.axes != "own" or plate.moment is None:
            continue
        known = [each for each in body.contacts(plate) if each.side in {None, *body.feet}]
        if not any(each.end - each.start > MIN_CONTACT_TIME for each in known):
            continue
        sense = -1.0 if geometry.sign == "action" else 1.0
        now = alikeness(body, plate, geometry, AS_WRITTEN, sense)
        if min(now) >= MAX_UNLIKENESS:
            continue
        likest, degrees = max((likeness(body, plate, geometry, each, sense), turn) for turn, each in TURNS.items())
        if likest >= MIN_LIKENESS:
            order = ", ".join(str(k + 1) for k in TURNS[degrees])
            found = f"{plate.name}: nobody rolls forward on it, or comes from braking to pushing ({min(now):.2f} of 1)"
            problem = f"turned {degrees} deg about {body.solved.prepared.axes.up[1]} feet do ({likest:.2f})"
            mend = f"write its corners in the order {order} (+x+y, -x+y, -x-y, +x-y of the plate)"
            report.error("turned-plate", body.plate_cell(plate, "x1"), found, problem, mend)
        elif now[1] < -MIN_LIKENESS < MIN_LIKENESS <= now[2]:
            found = (
                f"{plate.name}: the centre of pressure runs from the toes to the heel, while the foot brakes and pushes"
            )
            problem = "feet roll forward where forces say that they do: moments and forces do not belong together"
            mend = "look at the export: the sign of its moments, or mx and my exchanged, or the transducer's ox and oy"
            report.warning("backward-pressure", body.plate_cell(plate, "name"), found, problem, mend)
