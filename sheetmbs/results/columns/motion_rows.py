"""All that is reported of a motion, for all its rows at once, and whether its rates and forces mean something."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.motion_report import AskedReport, MotionReport, ReportedMotion, report
from sheetmbs.engine.work import CONTACT_COLUMNS
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Model, Motion, Quadratic


def reported(
    lowered: Lowered, solution: Solution, *, with_reactions: bool = True, with_coordinates: bool = True
) -> MotionReport:
    """Reactions and coordinates of joints if they are wanted, violations, springs, points and energies at all times."""
    everything = lowered.measuring
    gauges = lowered.measuring_gauges if with_coordinates else everything
    measured = gauges.kept if with_coordinates else gauges.kept[:0]
    count, elements = len(solution.times), len(lowered.elements)
    frames = np.array(lowered.points, dtype=np.int64)
    shapes = (
        ("wrench", (count, elements, 12)),
        ("multiplier", (count, elements)),
        ("power", (count, elements)),
        ("position", (count, elements)),
        ("velocity", (count, elements)),
        ("worst", (count, 2)),
        ("violation", (count, elements, 2)),
        ("gauge", (count, len(measured), 2)),
        ("element", (count, lowered.forces.elements.size)),
        ("contact", (count, len(lowered.clearances), CONTACT_COLUMNS)),
        ("friction", (count, len(lowered.frictions), 4)),
        ("point", (count, len(frames), 9)),
        ("energy", (count, 2)),
        ("supply", (count,)),
        ("leverage", (count,)),
        ("momentum", (count, 9)),
        ("imbalance", (count, len(lowered.model.bodies))),
        ("section", (count, len(lowered.beams.section), 3)),
    )
    found = MotionReport.zeros(shapes)
    found.contact[:] = 1.0
    if solution.contacts is not None:
        found.contact[:, :, (CLOSED, SPEED)] = solution.contacts
    owner = lowered.constraints.owner[everything.kept]
    asked = AskedReport(owner, measured, frames, has_masses(lowered), with_reactions)
    motion = ReportedMotion(solution.read_times, solution.q, solution.v, solution.a, solution.turns)
    report(everything.arrays, everything.work, gauges.arrays, gauges.work, asked, motion, found)
    return found


def has_masses(lowered: Lowered) -> bool:
    """Whether all masses are known, so that forces are."""
    return not bool(np.isnan(lowered.bodies.mass).any())


def has_rates(model: Model) -> bool:
    """Whether the rates of a motion are meant.

    In a kinematic analysis they are where a driver has a velocity or acceleration, or motion was measured. An expression or
    a curve alone runs through positions, at a speed that stands for nothing.
    """
    if model.settings.analysis != Analysis.KINEMATIC:
        return True
    return any(
        driver.guiding or (isinstance(driver.motion, Quadratic) and not holds(driver.motion))
        for driver in model.drivers
    )


def holds(motion: Motion) -> bool:
    """Whether a driver keeps what it drives where it is."""
    return isinstance(motion, Quadratic) and motion.velocity == 0.0 and motion.acceleration == 0.0
