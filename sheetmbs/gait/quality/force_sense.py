"""What plates give at all, and which way: forces too small for feet, action, corners the wrong way round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.plate_wrenches import centre_of_pressure
from sheetmbs.gait.quality.plate_axes import MAX_FOOT_DISTANCE, MIN_FRAMES
from sheetmbs.gait.quality.solved_body import LOADED, SolvedBody
from sheetmbs.gait.quality.under_feet import before_toes, beside_feet
from sheetmbs.gait.signals.runs import bounds
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate, plate_axes
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
PUSHING = 5.0
"""times as much down as up is the force on the plate"""
AS_WRITTEN = (0, 1, 2, 3)
"""corners"""
ORDERS = ((1, 0, 3, 2), (3, 2, 1, 0), (0, 3, 2, 1), (2, 1, 0, 3))
"""of corners the other way round, each beginning at another one"""
CARRYING, USUAL = (0.7, 3.5), 1.15
"""of the weight: peaks of the vertical force, and that of walking"""
HALF = 0.5
"""of a peak: a foot keeps the force above that for a while"""
STANCE = 0.2
"""s of that while"""
ALIKE = 0.5
"""correlations and shares that are those of feet"""
TINY = 1e-300


def check_strength(body: SolvedBody, report: ProblemList) -> None:
    """An error where no plate carries a foot by its numbers, but would in another unit; a warning where none does at all."""
    mass, weight = body.book.subject.mass, body.weight
    vertical = {plate.name: _up(body, plate) for plate in body.recorded_plates}
    peaks = {name: float(np.max(np.abs(each), initial=0.0)) for name, each in vertical.items()}
    strongest = max(peaks, key=lambda name: peaks[name])
    peak = peaks[strongest]
    if peak >= LOADED * weight:
        return
    place = next(plate.header for plate in body.recorded_plates if plate.name == strongest)
    found = f"the largest vertical force of all plates is {peak:.3g} N, {peak / weight:.2g} x the weight"
    factors = {"kN": 1e3, "N/kg": mass, "parts of the weight": weight, "percent of the weight": weight / 100.0}
    carried = {unit: factor * peak / weight for unit, factor in factors.items()}
    fits = {unit: abs(np.log(part / USUAL)) for unit, part in carried.items() if CARRYING[0] <= part <= CARRYING[1]}
    if fits and any(_stands(np.abs(each), body.ground.plates[name].times, peak) for name, each in vertical.items()):
        meant = min(fits, key=lambda unit: fits[unit])
        problem = f"a foot that stands carries about the weight: these numbers look like {meant}"
        mend = "write kN as their unit in row 2" if meant == "kN" else "export forces in N"
        report.error("weak-forces", place, found, problem, mend)
        return
    problem = "nobody stands on a plate: no moments can be found"
    report.warning("no-load", place, found, problem, "look whether these are the plates of this trial, and in N")


def _stands(vertical: Vector, times: Vector, peak: float) -> bool:
    return any(times[last] - times[first] >= STANCE for first, last in bounds(vertical > HALF * peak))


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
        found = f"{plate.name}: its vertical force runs down to {np.min(_up(body, plate)):.4g} N, as {now}"
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
    vertical = _up(body, plate)
    up, down = max(float(np.max(vertical)), 0.0), max(-float(np.min(vertical)), 0.0)
    return down > PUSHING * max(up, body.book.processing.threshold)


def _up(body: SolvedBody, plate: RecordedPlate) -> Vector:
    return np.asarray(body.ground.plates[plate.name].raw_force @ body.up)


def _order_that_fits(body: SolvedBody, plate: RecordedPlate) -> tuple[int, ...] | None:
    """The order of corners, the other way round, in which feet roll and push as feet do; () as action, None nothing tells."""
    geometry = body.geometry(plate)
    if geometry is None or geometry.corners is None or geometry.axes != "own" or plate.moment is None:
        return ()
    sense = -1.0 if geometry.sign == "action" else 1.0
    if likeness(body, plate, geometry, AS_WRITTEN, -sense) >= ALIKE:
        return ()
    likest, order = max((likeness(body, plate, geometry, each, sense), each) for each in ORDERS)
    return order if likest >= ALIKE else None


def _is_own(body: SolvedBody, plate: RecordedPlate) -> bool:
    """Whether columns that are said to stand in axes of the markers look like feet in axes of the plate."""
    geometry = body.geometry(plate)
    if geometry is None or geometry.axes == "own" or plate.moment is None:
        return False
    sense = -1.0 if geometry.sign == "action" else 1.0
    return likeness(body, plate, geometry, AS_WRITTEN, sense) >= ALIKE


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
