"""One corner ready to be posed: lowered once, walked through from its design pose in both directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import DrivenModel, Poses
from sheetmbs.engine.algebra.newton import DONE
from sheetmbs.engine.records import Floats
from sheetmbs.lower import lower
from sheetmbs.model import Model
from sheetmbs.suspension.generated.corner_models import corner_model, driver_names
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

CLOSED_ROAD = 1e-13
"""distance of a wheel from the road over its radius at which it counts as standing on it"""
MOST_STEPS = 20


@dataclass(frozen=True, eq=False)
class CornerSystem:
    """A corner of one axle. q: its design pose; u: values of its drivers there, m."""

    axle: AxleData
    side: str
    driven: DrivenModel
    q: Floats
    u: Floats

    @property
    def name(self) -> str:
        """FL, FR, RL or RR."""
        return self.axle.corner(self.side)

    def wheel(self, travel: Floats, rack: Floats, roll: Floats | None = None) -> tuple[Wheel, slice]:
        """The wheel at travels and rack positions (n,), m, on a road turned by roll (n,), rad.

        Returns it at the rows that were reached, and which these are: all, or those around the one nearest to design.
        """
        wanted = (
            np.column_stack((self.u[0] + travel, self.u[1] + rack)) if len(self.u) > 1 else self.u[0] + travel[:, None]
        )
        poses, rows = self._both_ways(np.ascontiguousarray(wanted))
        turned = np.zeros(len(travel)) if roll is None else roll
        return Wheel(self.axle, self.side, poses, turned[rows]), rows

    def _both_ways(self, wanted: Floats) -> tuple[Poses, slice]:
        """Poses outward from the row nearest to design."""
        middle = int(np.argmin(np.sum((wanted - self.u) ** 2, axis=1)))
        up = self.driven.through(wanted[middle:], self.q, self.u)
        down = self.driven.through(wanted[:middle][::-1], self.q, self.u)
        low = middle - len(down)
        return _joined(down, up), slice(low, middle + len(up))

    def on_road(self, rack: Floats, roll: Floats, guess: Floats, level: Floats) -> Floats:
        """Travels (n,) at which the wheel stands on a road turned by roll about x at height ``level`` (n,), from a guess.

        Newton's method on n.C - n_z level = 0.
        """
        travel = guess.copy()
        for _ in range(MOST_STEPS):
            wheel, rows = self.wheel(travel, rack, roll)
            height = wheel.normal.dot(wheel.contact)
            step = (height.value - wheel.normal.z.value * level[rows]) / height.first[:, 0]
            travel[rows] -= step
            if np.max(np.abs(step), initial=0.0) <= CLOSED_ROAD * wheel.radius:
                break
        return travel


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


def corner_system(model: Model, axle: AxleData, side: str) -> CornerSystem:
    """A corner of a car as generated, at its design pose."""
    lowered = lower(corner_model(model, axle, side))
    drivers = driver_names(axle, side)
    height = float(axle.points[side][WHEEL_CENTRE].position[2])
    u = np.array([height, 0.0][: len(drivers)])
    return CornerSystem(axle, side, DrivenModel(lowered, drivers), lowered.bodies.q.copy(), u)
