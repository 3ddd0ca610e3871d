"""What must be said of a design before it is swept, from its axles at the design pose: numbers that no car has."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.elastic.spring_elements import laws
from sheetmbs.suspension.limits.plausible_damping import damping_problems
from sheetmbs.suspension.metrics.metric import AxlePoses
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.solved_design import design_pose, design_systems


def design_warnings(read: ReadDesign) -> Iterator[Problem]:
    """Warnings of a design. Raises WorkbookError, with the warnings of points, where its linkage does not close."""
    for system in design_systems(read).values():
        pose = design_pose(system, read.model.warnings)
        yield from damping_problems(AxlePoses(read.car, pose, laws(read.car, pose)))
