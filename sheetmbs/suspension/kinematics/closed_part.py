"""A part of an axle that closes by itself, ready to be posed: lowered once, walked through from its design pose."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.driven_positions import DrivenModel, Poses
from sheetmbs.analysis.start.structure import find_structure
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered, lower
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.generated.closed_parts import Sides, driver_names, part_model
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

SOUND = 1e-6
"""pivot of J J^T over its diagonal entry above which no row of J counts as a sum of the others"""
MAX_START_DISTANCE = 1e-3
"""m, of drivers, from which on a walk that has been made is where the rows of another begin"""
KNOWN_WALKS = 8
"""how many walks are kept"""


@dataclass(frozen=True, eq=False)
class ClosedPart:
    """One corner, or both of an axle that something joins. q: the pose of its hardpoints; u: values of its drivers there, m.

    design: their values at design, which differ where adjustments have assembled it anew.
    """

    sides: Sides
    driven: DrivenModel
    q: Floats
    u: Floats
    design: Floats

    def posed(self, moved: Floats) -> tuple[Poses, slice]:
        """Poses at what the drivers move from design (n, d), m, and which rows were reached: those around the nearest to it.

        They are found outward from that row in both directions, or each from its pose of a walk made before that came near;
        sweeps share walks, and searches for travels end close to where they have just been.
        """
        wanted = np.ascontiguousarray(self.design + moved)
        for known in reversed(self._walks):
            if len(known) == len(wanted) and len(known) and np.max(np.abs(known.value - wanted)) <= MAX_START_DISTANCE:
                found, reached = self.driven.each(wanted, known)
                if reached.all():
                    if found is not known:
                        self._walks.append(found)
                    return found, slice(0, len(wanted))
        middle = int(np.argmin(np.sum((wanted - self.u) ** 2, axis=1))) if len(wanted) else 0
        found, rows = self.driven.around(wanted, self.q, self.u, middle)
        if rows == slice(0, len(wanted)):
            self._walks.append(found)
        return found, rows

    @cached_property
    def _walks(self) -> deque[Poses]:
        """Walks of which all rows were reached, the last ones; the first is the pose from which all begin."""
        return deque([self.at_start], maxlen=KNOWN_WALKS)

    def posed_each(self, moved: Floats, before: Poses | None) -> tuple[Poses, NDArray[np.bool_]]:
        """The same of rows in any order, each from its pose before, or from design, and whether each was reached.

        before: with derivatives by the drivers. Rows that were not reached stay on their way.
        """
        wanted = np.ascontiguousarray(self.design + moved)
        return self.driven.each(wanted, self.at_start.repeated(len(moved)) if before is None else before)

    @cached_property
    def at_start(self) -> Poses:
        """The pose from which others are found."""
        return self.driven.around(self.u[None], self.q, self.u)[0]


def _is_determined(part: ClosedPart) -> bool:
    """Whether travel and rack surely determine a part: it has as many rows as velocities, none of them near the others."""
    system = part.driven.system
    if len(system.arrays.row) != len(system.arrays.scale) or not len(part.at_start):
        return False
    return bool(system.work.pivot_ratio[0] > SOUND)


def _check_freedom(lowered: Lowered, axle: AxleData, sides: Sides, drivers: int) -> None:
    """Raise WorkbookError unless the members leave just what travel and rack determine: by rank, at design and nearby."""
    structure = find_structure(lowered, lowered.bodies.q, 0.0)
    left = structure.degrees_of_freedom + drivers - structure.redundant
    if structure.undriven == 0 and structure.redundant == 0:
        return
    links = [joint.name for joint in lowered.model.joints if joint.type == DISTANCE.name]
    owner = f"the {axle.name} axle" if len(sides) > 1 else f"{axle.corner(sides[0])}, {axle.type.name}"
    what = f"{len(links)} links" if len(sides) > 1 else f"{len(lowered.model.joints)} joints and links"
    freedom = f"{left} degree{'s' if left != 1 else ''} of freedom"
    rule = f"{what} leave {freedom}, and travel{' and rack' if axle.is_steered else ''} take {drivers}"
    if left > drivers:
        mend = "add a member, or analyse a suspension that bushings hold with analysis = equilibrium"
    else:
        twice = ", ".join(structure.redundant_names[:4])
        mend = (
            f"take one away, or make it elastic: a row of Suspension springs with its name, kind spring and k ({twice})"
        )
    raise WorkbookError(Problem("wrong-freedom", "error", axle.cells.get("type", "Suspension"), owner, rule, mend))


def closed_part(model: Model, axle: AxleData, sides: Sides) -> ClosedPart:
    """A part of a car as generated, at its design pose. Raises WorkbookError where travel and rack do not determine it."""
    lowered = lower(part_model(model, axle, sides))
    drivers = driver_names(axle, sides)
    u, design = (
        np.array([*(float(each.points[side][WHEEL_CENTRE].position[2]) for side in sides), 0.0][: len(drivers)])
        for each in (axle, axle.as_drawn)
    )
    part = ClosedPart(sides, DrivenModel(lowered, drivers), lowered.bodies.q.copy(), u, design)
    if not _is_determined(part):
        _check_freedom(lowered, axle, sides, len(drivers))
    return part
