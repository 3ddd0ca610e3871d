"""A part of an axle that closes by itself, ready to be posed: lowered once, walked through from its design pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import DrivenModel, Poses
from sheetmbs.engine.algebra.newton import DONE
from sheetmbs.engine.records import Floats
from sheetmbs.lower import lower
from sheetmbs.model import Model
from sheetmbs.suspension.generated.closed_parts import Sides, driver_names, part_model
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE


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

        They are found outward from that row in both directions.
        """
        wanted = np.ascontiguousarray(self.design + moved)
        middle = int(np.argmin(np.sum((wanted - self.u) ** 2, axis=1)))
        up = self.driven.through(wanted[middle:], self.q, self.u)
        down = self.driven.through(wanted[:middle][::-1], self.q, self.u)
        low = middle - len(down)
        return _joined(down, up), slice(low, middle + len(up))


def _joined(down: Poses, up: Poses) -> Poses:
    """Poses below the middle, turned round, and those from it on."""
    return Poses(
        up.lowered,
        np.concatenate((down.value[::-1], up.value)),
        np.concatenate((down.q[::-1], up.q)),
        np.concatenate((down.first[::-1], up.first)),
        np.concatenate((down.second[::-1], up.second)),
        up.why if up.why != DONE else down.why,
        up.last if up.why != DONE else down.last,
    )


def closed_part(model: Model, axle: AxleData, sides: Sides) -> ClosedPart:
    """A part of a car as generated, at its design pose."""
    lowered = lower(part_model(model, axle, sides))
    drivers = driver_names(axle, sides)
    u, design = (
        np.array([*(float(each.points[side][WHEEL_CENTRE].position[2]) for side in sides), 0.0][: len(drivers)])
        for each in (axle, axle.as_drawn)
    )
    return ClosedPart(sides, DrivenModel(lowered, drivers), lowered.bodies.q.copy(), u, design)
