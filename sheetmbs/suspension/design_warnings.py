"""What must be said of a design before it is swept, from its axles at the design pose: numbers that no car has."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.elastic.spring_elements import laws
from sheetmbs.suspension.kinematics.axle_system import axle_system
from sheetmbs.suspension.limits.plausible_damping import damping_problems
from sheetmbs.suspension.metrics.metric import AxlePoses
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.solved_design import design_pose


def design_warnings(read: ReadDesign) -> Iterator[Problem]:
    """Warnings of a design. Raises WorkbookError where its linkage does not close."""
    for axle in read.car.axles:
        pose = design_pose(axle_system(read.model, axle), read.model.warnings)
        yield from damping_problems(AxlePoses(read.car, pose, laws(read.car, pose)))
