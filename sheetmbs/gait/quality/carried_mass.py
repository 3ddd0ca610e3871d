"""Forces or a mass in another unit: what the plates carry against the mass."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.quality.recorded_body import subject_place
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

DOUBTFUL, WRONG = 0.05, 0.20
"""parts of the mass"""
SHORTEST = 0.4
"""s over which the plates must carry the whole body"""
FACTORS = (
    (1.0 / 9.80665, "a factor of 1/9.81: forces in kg, or a weight in N in place of the mass"),
    (9.80665, "a factor of 9.81: forces were multiplied by g once more, or the mass was divided by it"),
    (1.0 / 4.448222, "a factor of 1/4.45: forces in pounds"),
    (4.448222, "a factor of 4.45: forces of pounds converted twice"),
    (1.0 / 2.204623, "a factor of 1/2.2: the mass in pounds"),
    (2.204623, "a factor of 2.2: the mass was converted from pounds twice"),
    (1e-3, "a factor of 1/1000: forces in kN, or the mass in g"),
    (1e3, "a factor of 1000: forces in mN, or the mass in t"),
)
ALIKE = 0.06
"""part by which a ratio may miss one of these factors"""


def check_mass(body: SolvedBody, report: ProblemList) -> None:
    """An error where the plates carry another mass by 20 %, a warning from 5 % on."""
    seen = carried_mass(body)
    if seen is None:
        return
    mass = body.book.subject.mass
    ratio, place = seen / mass, subject_place(body.book, "mass")
    found = f"mass: {mass:.4g} kg, and the plates carry {seen:.4g} kg"
    if abs(ratio - 1.0) > WRONG:
        percent = (100.0 / body.weight, "forces in percent of the weight")
        words = [word for factor, word in (*FACTORS, percent) if abs(ratio / factor - 1.0) < ALIKE]
        problem = words[0] if words else f"a factor of {ratio:.3g}"
        mend = "correct the mass or the unit of the forces; or is it the trial of somebody else?"
        report.error("wrong-mass", place, found, problem, mend)
    elif abs(ratio - 1.0) > DOUBTFUL:
        problem = f"they differ by {abs(ratio - 1.0):.1%}"
        mend = "mass is that of the body with all it carries; else look at the zero and calibration of the plates"
        report.warning("doubtful-mass", place, found, problem, mend)


def carried_mass(body: SolvedBody) -> float | None:
    """The mean vertical force over whole strides by g, in kg; None where no stride and no step is wholly on plates.

    Where the whole body is seen, any time will do in which both feet are known: its centre of mass tells what else is needed.
    Else a step will do, at whose ends the body moves up or down alike, but for a limp.
    """
    courses = body.courses
    vertical = sum(feet["fy"] for feet in courses.feet.values())
    # of one leg nobody knows what the other foot carries
    legs = {row.side for row in body.book.segments if row.side is not None}
    if isinstance(vertical, int) or len(courses.feet) < 2 or len(legs) < 2:
        return None
    means = []
    for stride in strides_of([courses]):
        during = (courses.time >= stride.start) & (courses.time < stride.end)
        if not stride.is_mixed and np.isfinite(vertical[during]).all():
            means.append(float(np.mean(vertical[during])))
    if means:
        return float(np.mean(means)) / body.book.gravity
    if courses.residual is None or body.solved.loads is None:
        of_steps = [float(np.mean(vertical[during])) for during in _steps(body) if np.isfinite(vertical[during]).all()]
        return float(np.mean(of_steps)) / body.book.gravity if of_steps else None
    inside = np.isfinite(courses.residual["fy"]) & body.inside
    if inside.sum() < SHORTEST * courses.rate:
        return None
    needed = vertical[inside] + courses.residual["fy"][inside]
    return body.book.subject.mass * float(np.sum(vertical[inside]) / np.sum(needed))


def _steps(body: SolvedBody) -> Iterator[Mask]:
    """(n,) the frames of each step, from the strike of one foot to that of the other, both told by plates."""
    courses = body.courses
    strikes = sorted((each for each in courses.events if each.kind == "heel strike"), key=lambda each: each.time)
    for first, second in pairwise(strikes):
        if first.side != second.side and first.source == second.source == "force":
            yield (courses.time >= first.time) & (courses.time < second.time)
