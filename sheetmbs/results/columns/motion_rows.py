"""All that is reported of a motion, for all its rows at once."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.motion_report import AskedReport, MotionReport, ReportedMotion, report
from sheetmbs.engine.work import CONTACT_COLUMNS
from sheetmbs.lower import Lowered


def reported(
    lowered: Lowered, solution: Solution, *, with_reactions: bool = True, with_coordinates: bool = True
) -> MotionReport:
    """Reactions and coordinates of joints if they are wanted, violations, springs, points and energies at all times."""
    everything = lowered.measuring
    gauges = lowered.measuring_gauges if with_coordinates else everything
    measured = gauges.kept if with_coordinates else gauges.kept[:0]
    count, elements = len(solution.times), len(lowered.elements)
    frames = np.array(lowered.points, dtype=np.int64)
    found = MotionReport(
        wrench=np.zeros((count, elements, 12)),
        multiplier=np.zeros((count, elements)),
        power=np.zeros((count, elements)),
        position=np.zeros((count, elements)),
        velocity=np.zeros((count, elements)),
        worst=np.zeros((count, 2)),
        violation=np.zeros((count, elements, 2)),
        gauge=np.zeros((count, len(measured), 2)),
        element=np.zeros((count, lowered.forces.elements.size)),
        contact=np.ones((count, len(lowered.clearances), CONTACT_COLUMNS)),
        friction=np.zeros((count, len(lowered.frictions), 4)),
        point=np.zeros((count, len(frames), 9)),
        energy=np.zeros((count, 2)),
        supply=np.zeros(count),
        leverage=np.zeros(count),
        momentum=np.zeros((count, 9)),
        imbalance=np.zeros((count, len(lowered.model.bodies))),
    )
    if solution.contacts is not None:
        found.contact[:, :, (CLOSED, SPEED)] = solution.contacts
    owner = lowered.constraints.owner[everything.kept]
    asked = AskedReport(owner, measured, frames, has_masses(lowered), with_reactions)
    motion = ReportedMotion(solution.times, solution.q, solution.v, solution.a, solution.turns)
    report(everything.arrays, everything.work, gauges.arrays, gauges.work, asked, motion, found)
    return found


def has_masses(lowered: Lowered) -> bool:
    """Whether all masses are known, so that forces are."""
    return not bool(np.any(np.isnan(lowered.bodies.mass)))
