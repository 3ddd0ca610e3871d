"""Plates that carry something while no foot is near them."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_dilation

from sheetmbs.gait.arrays import Mask
from sheetmbs.gait.kinetics.plate_wrenches import PlateWrench, is_within
from sheetmbs.gait.quality.solved_body import SolvedBody, is_reported
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList

FORCE, MOMENT = 5.0, 1.0
"""N and N m, in the mean"""
AWAY = 0.10
"""m from a plate's outline at which no foot is near"""
AROUND = 0.1
"""s before and after a load that do not count as unloaded"""
MIN_FREE_TIME = 0.1
"""s of unloaded time that tell a mean"""


def check_zero(body: SolvedBody, report: ProblemList) -> None:
    """A warning for each plate whose zero has drifted, with the offset that mends it."""
    if report.found({"action-for-reaction", "corners-wrong-way"}):
        return  # of plates that pull nobody knows when they are loaded
    for plate in body.recorded_plates:
        if is_reported(plate, {"force-beside-foot"}, report):
            continue  # of a plate that lies elsewhere nobody knows when a foot is near
        wrench = body.ground.plates[plate.name]
        free = _free(body, plate, wrench)
        rate = (len(wrench.times) - 1) / (wrench.times[-1] - wrench.times[0])
        if free.sum() < MIN_FREE_TIME * rate:
            continue
        force = np.mean(np.nan_to_num(plate.force[free]), axis=0) - wrench.zero[:3]
        moment = np.zeros(3)
        if plate.moment is not None:
            moment = np.mean(np.nan_to_num(plate.moment[free]), axis=0) - wrench.zero[3:]
        if np.linalg.norm(force) <= FORCE and np.linalg.norm(moment) <= MOMENT:
            continue
        found = f"{plate.name} carries {np.linalg.norm(force):.3g} N and {np.linalg.norm(moment):.3g} N m"
        problem = f"no foot is near it then ({free.sum() / rate:.2g} s): its zero has drifted"
        seconds = _unloaded_start(free, rate)
        how = "start" if seconds >= 0.2 else f"{seconds:.2g} s" if seconds >= MIN_FREE_TIME else ""
        mend = f"write {how} in offset of {plate.name} on Plates" if how else "zero the plate, or subtract it at export"
        report.warning("drifted-zero", body.plate_cell(plate, "offset"), found, problem, mend)


def _free(body: SolvedBody, plate: RecordedPlate, wrench: PlateWrench) -> Mask:
    """(k,) samples of a plate at which no foot is near; where a foot was not recorded, those at which nothing stands on it."""
    geometry, time = body.geometry(plate), body.courses.time
    if geometry is not None and geometry.corners is not None and len(body.feet) == len(SIDES):
        corners = body.ours(geometry.corners)
        near = np.zeros(len(time), np.bool_)
        for foot in body.feet.values():
            for points in (foot.heel, foot.toe, 0.5 * (foot.heel + foot.toe)):
                near |= is_within(points, corners, AWAY) | np.isnan(points).all(axis=1)
        at = np.interp(wrench.times, time, near.astype(float), left=1.0, right=1.0)
        return np.asarray(at == 0.0)
    loaded = wrench.raw_force @ body.up > body.book.processing.threshold
    rate = (len(wrench.times) - 1) / (wrench.times[-1] - wrench.times[0])
    return ~np.asarray(binary_dilation(loaded, iterations=max(round(AROUND * rate), 1)))


def _unloaded_start(free: Mask, rate: float) -> float:
    """S from the start in which no foot is near."""
    return float((np.argmin(free) if not free.all() else len(free)) / rate)
