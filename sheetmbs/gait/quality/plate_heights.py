"""Plates that lie higher than the feet on them, or far below: markers of a foot on the floor are a little above it."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.quality.turned_plates import SHORTEST
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import ProblemList

WITHIN, ABOVE = 0.02, 0.08
"""m below the surface, farther than floors are uneven, and above it, higher than soles and markers on shoes"""
OTHERWISE = 0.02
"""m by which one plate differs from the others under the same feet"""
MIN_PLATES = 3
"""plates of which one may be told from the others"""


def check_heights(body: SolvedBody, report: ProblemList) -> None:
    """A warning where feet stand within plates or in the air above them, on all of them or on one."""
    heights = {plate.name: _height(body, plate) for plate in body.recorded_plates}
    known = [each for each in heights.values() if each is not None]
    if not known:
        return
    usual = float(np.median(known))
    for plate in body.recorded_plates:
        height = heights[plate.name]
        if height is None:
            continue
        is_other = len(known) >= MIN_PLATES and abs(height - usual) > OTHERWISE
        if is_other or not -WITHIN <= usual <= ABOVE:
            _tell(body, plate, height, usual if is_other else None, report)
        if not is_other and not -WITHIN <= usual <= ABOVE:
            return  # of all plates the first is enough


def _tell(body: SolvedBody, plate: RecordedPlate, height: float, usual: float | None, report: ProblemList) -> None:
    where = f"{1e3 * abs(height):.0f} mm {'below' if height < 0.0 else 'above'} its surface"
    found = f"{plate.name}: the lowest marker of a foot that stands on it is {where}"
    if usual is None:
        problem = (
            "such markers are a little above the floor; where plates are too high or low, level forces turn the body"
        )
    else:
        problem = f"on the other plates it is {1e3 * usual:.0f} mm above: this one lies {1e3 * (usual - height):+.0f} mm higher"
    mend = "look at the heights of the corners on Plates, and at the origin that plates and markers share"
    place = body.plate_cell(plate, f"{body.solved.prepared.axes.up[1]}1")
    report.warning("plate-height", place, found, problem, mend)


def _height(body: SolvedBody, plate: RecordedPlate) -> float | None:
    """M by which the lower one of heel and toes is above a plate while a foot stands there; None unknown."""
    geometry, time = body.geometry(plate), body.courses.time
    if geometry is None or geometry.corners is None:
        return None
    found = []
    for each in body.ground.of_contacts:
        foot = None if each.side is None else body.feet.get(each.side)
        if each.plate != plate.name or foot is None or each.end - each.start < SHORTEST:
            continue
        during = (time >= each.start) & (time <= each.end)
        lowest = np.fmin(foot.heel[during, 1], foot.toe[during, 1])
        found += [float(np.nanmedian(lowest))] if np.isfinite(lowest).any() else []
    return float(np.median(found)) - float(np.mean(body.ours(geometry.corners)[:, 1])) if found else None
