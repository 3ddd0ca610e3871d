"""Plates whose forces are too large or too small: what each carries in single support, and how shear follows the body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Mask
from sheetmbs.gait.quality.body_surrogate import Surrogate
from sheetmbs.gait.quality.checked_trials import frames_in_words
from sheetmbs.schema.problem_list import ProblemList

INSIDE = 0.020
"""s of a single support left out at both ends"""
FROM_ENDS = 0.06
"""s from either end of a recording, within which a single support may have been cut"""
SHORTEST = 0.10
"""s of single support that tell what a plate carries"""
OF_PLATES, OF_MASS = 0.04, 0.06
"""parts by which a plate differs from the median of the others, and from the mass of the subject"""
SHEAR = (0.38, 1.25)
"""slope of the force forward on the demand of the stand-in: 0.58 to 1.22 in good recordings; half of 0.68 is 0.34"""
SHEAR_OF_WHOLE = (0.6, 1.4)
"""the same where the whole body was measured"""
CORRELATION = 0.5
"""size of the correlation of shear and stand-in below which the stand-in tells nothing; a reversed shear has a negative one"""


@dataclass(frozen=True)
class PlateMass:
    """What a plate carries. mass: in kg. frames: (n,) of single support on it."""

    mass: float
    frames: Mask


def carried_masses(found: Surrogate) -> Mapping[str, PlateMass]:
    """The mass by each plate that carries one foot alone while the other swings: mean force by mean g + acceleration."""
    body = found.body
    courses = body.courses
    slack = max(INSIDE, 0.5 / courses.rate)
    standing = [
        (each, (courses.time >= each.start - slack) & (courses.time <= each.end + slack)) for each in courses.contacts
    ]
    at_ends = (courses.time < courses.time[0] + FROM_ENDS) | (courses.time > courses.time[-1] - FROM_ENDS)
    gathered: dict[str, list[Mask]] = {}
    for contact, _ in standing:
        if len(contact.plates) == 1 and contact.whole:
            during = (courses.time >= contact.start + slack) & (courses.time <= contact.end - slack)
            for other, stands in standing:
                if other is not contact:
                    during &= ~stands
            # a part of a single support tells another mean: the stand-in errs up and down within it
            is_whole = not during[at_ends].any()
            if is_whole and np.isfinite(found.acceleration[during, 1]).all():
                gathered.setdefault(contact.plates[0], []).append(during)
    masses = {}
    for plate, parts in gathered.items():
        frames = np.any(parts, axis=0)
        if frames.sum() >= SHORTEST * courses.rate:
            force = np.nan_to_num(body.ground.plates[plate].force @ body.up)[frames].mean()
            masses[plate] = PlateMass(float(force / (body.book.gravity + found.acceleration[frames, 1]).mean()), frames)
    return masses


def check_plate_gain(found: Surrogate, report: ProblemList) -> None:
    """A warning for each plate that differs by 4 % from the median of the others, or by 6 % from the mass."""
    if found.body.ground.hands is not None:
        return  # which carry a part of the body
    masses = dict(carried_masses(found))
    own = found.body.book.subject.mass
    while len(masses) > 1:
        apart = {name: _from_others(name, masses) for name in masses}
        # of two plates each differs from the other: the one farther from the mass of the subject is wrong
        far = {
            name: abs(each.mass / own - 1.0) if len(masses) == 2 else abs(apart[name]) for name, each in masses.items()
        }
        worst = max(far, key=lambda name: far[name])
        if abs(apart[worst]) <= OF_PLATES:
            break
        median = masses[worst].mass / (1.0 + apart[worst])
        _tell(found, worst, masses.pop(worst), median, "the other plates", report)
    if report.found({"wrong-mass", "doubtful-mass", "forces-too-weak"}):
        return
    for name, each in masses.items():
        if abs(each.mass / own - 1.0) > OF_MASS:
            _tell(found, name, each, own, "the mass of the subject", report)


def _from_others(name: str, masses: Mapping[str, PlateMass]) -> float:
    return masses[name].mass / float(np.median([each.mass for other, each in masses.items() if other != name])) - 1.0


def _tell(found: Surrogate, name: str, carried: PlateMass, right: float, by: str, report: ProblemList) -> None:
    body = found.body
    plate = next(each for each in body.recorded_plates if each.name == name)
    sheet, frames = body.solved.prepared.trial.sheets[1], frames_in_words(carried.frames, body.frames)
    says = f"{name}: carries {carried.mass:.1f} kg in single support in {frames} of {sheet}"
    problem = f"by {by} it is {right:.1f} kg, {100.0 * (carried.mass / right - 1.0):+.1f} %"
    factor = right / carried.mass
    mend = f"calibrate the plate, or multiply its forces and moments by {factor:.3f} ({100.0 * (factor - 1.0):+.1f} %)"
    report.warning("plate-gain", plate.header, says, problem, mend)


def shear_slope(found: Surrogate) -> float | None:
    """The slope of the force forward on what the stand-in demands; None where they have nothing to do with each other."""
    if not found.is_long:
        return None
    force, demand = found.force[found.contacts, 0], found.demand[found.contacts, 0]
    if np.ptp(force) > 0.0 and abs(np.corrcoef(force, demand)[0, 1]) < CORRELATION:
        return None
    return float(np.polyfit(demand, force, 1)[0])


def check_shear_gain(found: Surrogate, report: ProblemList) -> None:
    """A warning where the force forward does not follow the body."""
    if found.body.ground.hands is not None:
        return  # which carry a part of the body
    slope = shear_slope(found)
    low, high = SHEAR_OF_WHOLE if found.is_whole else SHEAR
    if slope is None or low <= slope <= high or report.found({"force-beside-foot"}):
        return
    body = found.body
    sheet = body.solved.prepared.trial.sheets[1]
    frames = frames_in_words(found.contacts, body.frames)
    says = f"{sheet}: the force forward is {slope:.2f} of what the body demands in {frames}"
    problem = f"it is {low:g} to {high:g} in good recordings"
    mend = "look at gains and units of the horizontal channels of the plates"
    report.warning("shear-gain", body.recorded_plates[0].header, says, problem, mend)
