"""Centres of pressure in another unit, moments taken for free moments, and points that leap at low force."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.quality.recorded_body import frames_in_words
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

FARTHEST = 3.0
"""m over which a foot rolls at most"""
TWIST = 0.15
"""m: a free moment by the vertical force; feet on a floor give less than a tenth of that"""
MAX_STILL_PRESSURE_SHIFT, MIN_ROLLING_TIME, MIN_ROLLING_FRAMES = 0.012, 0.4, 20
"""m within which no force of a foot stays in a contact of so many s and frames; transducers below the surface make some mm"""
LEAP, LOW = 0.050, 50.0
"""m between frames, below so many N"""


def check_pressure(body: SolvedBody, report: ProblemList) -> None:
    """Errors for points metres apart and for free moments that are none; warnings for points that leap, or do not move."""
    for plate in body.recorded_plates:
        if plate.pressure is None:
            _tell_far(body, plate, report)
            _tell_still(body, plate, report)
            continue
        vertical = body.ground.plates[plate.name].raw_force @ body.up
        loaded = vertical > 0.15 * body.weight
        if not _is_far(body, plate, loaded, report) and not _is_twisted(plate, vertical, loaded, report):
            _tell_leaps(body, plate, report)


def _is_far(body: SolvedBody, plate: RecordedPlate, loaded: Mask, report: ProblemList) -> bool:
    points = np.empty((0, 3)) if plate.pressure is None else plate.pressure[loaded]
    points = points[np.isfinite(points).any(axis=1)]
    if len(points) < 2:
        return False
    most = _way(body, plate, points)
    if most <= FARTHEST:
        return False
    found = f"{plate.name}: the centre of pressure of a contact runs over {most:.4g} m"
    problem = f"a foot rolls over less than {FARTHEST:g} m, and these numbers look like {'mm' if most > 30.0 else 'cm'}"
    report.error("wrong-pressure-unit", plate.header, found, problem, "write their unit in row 2 of the columns")
    return True


def _tell_far(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    """Of moments in another unit: what the vertical force divides them by is no place on a plate."""
    points = body.pressure(plate, body.ground.plates[plate.name])
    points = points[np.isfinite(points).any(axis=1)]
    most = _way(body, plate, points) if len(points) > 1 else 0.0
    if most <= FARTHEST:
        return
    found = f"{plate.name}: by its moments the centre of pressure of a contact runs over {most:.4g} m"
    meant = "N mm" if most > 30.0 else "N cm"
    problem = f"a foot rolls over less than {FARTHEST:g} m, and these moments look like {meant}"
    report.error("wrong-moment-unit", plate.header, found, problem, "write their unit in row 2 of the columns")


def _tell_still(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    """Of moments that are next to nothing: the force of a foot that rolls stays at the plate's origin."""
    points = body.pressure(plate, body.ground.plates[plate.name])
    points = points[np.isfinite(points).all(axis=1)]
    lasting = [each.end - each.start for each in body.ground.of_contacts if each.plate == plate.name]
    if max(lasting, default=0.0) < MIN_ROLLING_TIME or len(points) < MIN_ROLLING_FRAMES or plate.missing:
        return
    low, high = np.percentile(points, (5.0, 95.0), axis=0)
    way = float(np.linalg.norm(high - low))
    if way < MAX_STILL_PRESSURE_SHIFT:
        found = f"{plate.name}: by its moments the force of a whole contact acts within {1e3 * way:.2g} mm"
        problem = "a foot rolls over 100 mm and more: these moments are next to 0, or in another unit, such as kN m"
        mend = "write their unit in row 2 of the columns, or export moments"
        report.warning("still-pressure", plate.header, found, problem, mend)


def _way(body: SolvedBody, plate: RecordedPlate, points: Vector) -> float:
    """M over which points (k, 3) run in each contact of a plate."""
    columns = points[:, np.isfinite(points).any(axis=0)]
    low, high = np.nanpercentile(columns, (5, 95), axis=0)
    each = [contact for contact in body.ground.of_contacts if contact.plate == plate.name]
    return float(np.max(high - low)) / max(len(each), 1)


def _is_twisted(plate: RecordedPlate, vertical: Vector, loaded: Mask, report: ProblemList) -> bool:
    if plate.free_moment is None or not loaded.any():
        return False
    twist = float(np.median(np.abs(np.nan_to_num(plate.free_moment[loaded])) / vertical[loaded]))
    if twist <= TWIST:
        return False
    found = f"{plate.name}.tz is {twist:.2g} m times the vertical force"
    problem = "free moments of feet are less than a tenth of that: this looks like a moment about the plate's origin"
    mend = f"name the columns {plate.name}.mx .my .mz in place of .px .py .pz .tz, or correct the unit of tz"
    report.error("moment-for-free-moment", plate.header, found, problem, mend)
    return True


def _tell_leaps(body: SolvedBody, plate: RecordedPlate, report: ProblemList) -> None:
    forces = body.solved.prepared.force_time
    wrench = body.ground.plates[plate.name]
    if plate.pressure is None or forces is None:
        return
    every = max(round(forces.rate / body.courses.rate), 1)
    samples = np.arange(0, len(wrench.times), every)
    vertical, points = (wrench.raw_force @ body.up)[samples], plate.pressure[samples]
    low = (vertical > body.book.processing.threshold) & (vertical < LOW)
    known = np.isfinite(points).any(axis=0)
    steps = np.linalg.norm(np.diff(points[:, known], axis=0), axis=1)
    loaded = vertical > body.book.processing.threshold
    with np.errstate(invalid="ignore"):
        leaps = (steps > LEAP) & loaded[1:] & loaded[:-1] & (low[1:] | low[:-1])
    if not leaps.any():
        return
    at = np.searchsorted(body.courses.time, wrench.times[samples[1:][leaps]])
    mask = np.zeros(len(body.frames), np.bool_)
    mask[np.clip(at, 0, len(mask) - 1)] = True
    found = f"{plate.name}: the centre of pressure leaps in {frames_in_words(mask, body.frames)}"
    problem = (
        f"by more than {1e3 * LEAP:g} mm between frames below {LOW:g} N, where it is mostly noise; the force counts"
    )
    mend = "export moments in place of centres of pressure: their wrench needs no division"
    report.warning("leaping-pressure", plate.header, found, problem, mend)
