"""Joints that friction holds, and that creep all the same: below `friction_velocity` friction grows with the speed.

What rubs with the force F and loses the power P slides at |s| = P/F, where F of a cylindrical joint is the size of its force
and of its moment over the radius. See `engine/forces/friction.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Joint
from sheetmbs.problems.errors import Problem

MIN_SHARE_OF_TIME = 0.5
"""share of the time that a joint must be slower than its friction_velocity to be called creeping"""
MIN_WAY = 1e-6
"""of the characteristic length, or rad: less than that is no creep but rounding"""


@dataclass(frozen=True)
class CreepingJoint:
    """A joint that slid slower than its ``velocity``, m/s, for most of the time.

    share: of the time. way: how far it slid meanwhile, m; of what only turns, rad. radius: of what only turns, m, else 0.
    """

    joint: Joint
    velocity: float
    share: float
    way: float
    radius: float

    @property
    def way_in_words(self) -> str:
        """Distance crept, with its unit, for a message."""
        return f"{self.way:.3g} rad" if self.radius else f"{self.way * 1e3:.3g} mm"

    @property
    def velocity_in_words(self) -> str:
        """Friction velocity in mm/s, with its unit, for a message."""
        return f"{self.velocity * 1e3:.3g} mm/s"


def creeping_joints(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[CreepingJoint, ...]:
    """The joints with friction that creep in a motion that forces make."""
    times = solution.times
    if solution.analysis != Analysis.DYNAMIC or len(times) < 2:
        return ()
    joints = np.flatnonzero(lowered.frictions.meshes == 0)  # the teeth of gears stand behind them
    return tuple(each for k in joints if (each := _creeping(lowered, times, found, int(k))) is not None)


def _creeping(lowered: Lowered, times: np.ndarray, found: MotionReport, k: int) -> CreepingJoint | None:
    """The joint with friction of number k, if it creeps."""
    record = lowered.frictions[k]
    joint, velocity, radius = lowered.model.joints[record.owner], float(record.velocity), float(record.radius)
    along, about, power = found.friction[:, k, :3].T
    size = np.hypot(along, about / radius) if radius else np.abs(along)
    speed = np.divide(np.abs(power), size, out=np.zeros(len(times)), where=size > 0.0)
    speed[~np.isfinite(speed)] = np.inf
    is_slow = (speed > 0.0) & (speed < velocity)
    steps = np.diff(times)
    share = float(np.sum(steps * (is_slow[1:] & is_slow[:-1])) / np.sum(steps))
    slow = np.where(is_slow, speed, 0.0)
    way = float(np.sum(steps * 0.5 * (slow[1:] + slow[:-1])))
    turning = 0.0 if record.slides else radius
    way /= turning or 1.0
    least = MIN_WAY * (1.0 if turning else lowered.bodies.length)
    return CreepingJoint(joint, velocity, share, way, turning) if share > MIN_SHARE_OF_TIME and way > least else None


def creeping(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """A warning for each joint that creeps where it would stick."""
    for each in creeping_joints(lowered, solution, found):
        name, v = each.joint.name, each.velocity_in_words
        yield Problem(
            "creeps",
            "warning",
            each.joint.cell,
            f"{name} slides slower than its friction_velocity of {v} in {100.0 * each.share:.0f} % of the time, and creeps by "
            f"{each.way_in_words} in that time",
            "friction does not jump at rest but grows with speed up to friction_velocity, so joints that should stick creep",
            f"make friction_velocity of {name} smaller: with a tenth of it the joint creeps a tenth as far, in more steps; "
            f"to hold {name} for good, make it a fixed joint",
        )
