"""What says that elastic parts do not count: in analyses and workbooks whose members are rigid."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import CarData

RULE = "every member is rigid there: bushings, links, rack and wheel bearings count in sweeps, load cases and handling"


def rigid_members(car: CarData, where: str) -> Iterator[Problem]:
    """A warning where a car has elastic parts. where: in what they do not count."""
    cell = next((part.cell for axle in car.axles for part in axle.elastic if part.cell), None)
    if cell is not None:
        mend = "compare with the columns of sweeps without elastic parts, those that end with _kinematic"
        yield Problem("rigid-members", "warning", cell, f"the sheet Compliance does not count {where}", RULE, mend)
