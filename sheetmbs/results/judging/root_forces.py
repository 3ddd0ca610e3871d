"""Whether what guiding must push a free mechanism with can be meant: measured forces should carry it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.wording import sentence_list

AXES = ("x", "y", "z")


def root_forces(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """A warning where guided coordinates of bodies push harder than the weight and the measured forces together.

    By Newton's second law what guiding adds is m a less weight and measured forces. Where it exceeds both, the accelerations
    are larger than gravity and the measured forces could ever give: those of faults in the samples.
    """
    model = lowered.model
    gravity = float(np.linalg.norm(model.settings.gravity))
    is_held = any(GROUND in (joint.i.body, joint.j.body) for joint in model.joints)
    guiding = {
        driver.name: driver for driver in model.drivers if driver.guiding and driver.coordinate in AXES and driver.body
    }
    if not guiding or not model.force_series or gravity == 0.0 or is_held or solution.analysis == Analysis.KINEMATIC:
        return
    pushed = np.zeros((len(solution.times), 3))
    for c, element in enumerate(lowered.elements):
        if element.what == "guiding" and element.name in guiding:
            pushed[:, AXES.index(guiding[element.name].coordinate)] += found.multiplier[:, c]
    weight = gravity * sum(body.mass or 0.0 for body in model.bodies)
    measured = sum(float(np.max(np.linalg.norm(series.force, axis=1))) for series in model.force_series)
    force = np.linalg.norm(pushed, axis=1)
    if not np.any(force > weight + measured):
        return
    row = int(np.nanargmax(force))
    share = 100.0 * float(np.mean(force > weight + measured))
    yield Problem(
        "root-forces",
        "warning",
        next(iter(guiding.values())).cell,
        f"{sentence_list(list(guiding))} push with up to {force[row]:.4g} N, at t = {solution.times[row]:.6g} s, "
        f"and in {share:.2g} % of the rows with more than the weight of {weight:.4g} N "
        f"and the largest measured forces of {measured:.4g} N together",
        "measured forces carry a mechanism that nothing holds; what guiding must add is what is wrong with the data",
        "look for noise, samples far off and angles that wrap in Guiding, for units, signs and times in ForceSeries",
    )
