"""Roll and lateral load transfer of a car by virtual work in its roll motion: the linear formulas, for metrics and load cases.

    M = m_s a h + sum F_y dy_C/droll - a sum m_u dy_u/droll        phi = M/(K - W),  W = m_s g d

with d the height of the sprung mass over the roll axis. Of an axle, over its track: elastic K phi, geometric
-sum F_y dy_C/droll, unsprung a sum m_u (z_u + dy_u/droll); their sum is the balance of moments exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.engine.records import Floats

Part = Literal["elastic", "geometric", "unsprung", "total"]


@dataclass(frozen=True, eq=False)
class RollingAxle:
    """An axle in roll, at one pose or at n. stiffness: K, N m/rad. side_moment: sum of F_y dy_C/droll, N m.

    drift: sum of m_u dy_u/droll, unsprung: sum of m_u (z_u + dy_u/droll), kg m. centre: height of the roll centre. track: m.
    """

    stiffness: Floats | float
    side_moment: Floats
    drift: Floats | float
    unsprung: Floats | float
    centre: Floats | float
    track: Floats | float

    def moved(self, roll: Floats, ay: Floats | float, part: Part = "total") -> Floats:
        """N from the left to the right wheel. roll: rad, + right side down; ay: m/s^2."""
        parts: dict[str, Floats] = {
            "elastic": np.asarray(self.stiffness * roll),
            "geometric": -self.side_moment,
            "unsprung": np.asarray(ay * np.asarray(self.unsprung)),
        }
        moment = parts["elastic"] + parts["geometric"] + parts["unsprung"] if part == "total" else parts[part]
        return np.asarray(moment / self.track)


@dataclass(frozen=True, eq=False)
class SprungMass:
    """What a car carries on its springs. mass: kg. height: above the road, m. ahead: share of it on the front axle."""

    mass: float
    height: Floats | float
    ahead: float


def roll_angle(
    front: RollingAxle, rear: RollingAxle, sprung: SprungMass, ay: Floats | float, gravity: Floats | float
) -> Floats:
    """Roll under the side acceleration ay, rad, + right side down. gravity: what stands for it, m/s^2."""
    moment = sprung.mass * ay * np.asarray(sprung.height)
    for axle in (front, rear):
        moment = moment + axle.side_moment - ay * np.asarray(axle.drift)
    return np.asarray(moment / net_stiffness(front, rear, sprung, gravity))


def net_stiffness(front: RollingAxle, rear: RollingAxle, sprung: SprungMass, gravity: Floats | float) -> Floats:
    """K - W, N m/rad: the stiffness of both axles less what gravity takes of it."""
    over_axis = sprung.height - (sprung.ahead * front.centre + (1.0 - sprung.ahead) * rear.centre)
    stiffness = np.asarray(front.stiffness) + rear.stiffness
    return np.asarray(stiffness - sprung.mass * np.asarray(gravity) * over_axis)
