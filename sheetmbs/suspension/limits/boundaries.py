"""Where a sweep ends: the last pose before rows at which something holds no longer, and the member that stops the linkage.

The stopping member has the largest share in the rows of J that become dependent at the last pose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.ranks import most_dependent
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import PartJoint

CLOSER, ROUNDS = 11, 5
"""poses set between two others, and how often: a step of 20 mm is known to 0.1 micrometres"""
Flags = NDArray[np.bool_]
Holds = Callable[[SweptAxle], Flags]
"""(n,) whether something still holds at the poses that an axle reached"""


@dataclass(frozen=True, eq=False)
class Boundary:
    """The last pose at which something holds. sweep: of poses up to it; at: its row there; swept: the axle over these."""

    sweep: Sweep
    at: int
    swept: SweptAxle

    def value(self, quantity: str) -> float:
        """Value of the quantity that names the rows, SI."""
        return float(self.sweep.column(quantity)[self.at])

    @property
    def pose(self) -> int:
        """Row of the boundary among those that the axle reached."""
        return int(self.at - self.swept.rows.start)


def between(sweep: Sweep, at: Floats) -> Sweep:
    """A sweep at places (n,) between its rows, numbered from 0."""
    rows = np.arange(sweep.rows)
    columns = {name: np.interp(at, rows, getattr(sweep, name)) for name in ("travel", "roll", "rack", "pitch")}
    right = None if sweep.right is None else np.interp(at, rows, sweep.right)
    dampers = {side: np.interp(at, rows, values) for side, values in sweep.dampers.items()}
    return replace(sweep, right=right, dampers=dampers, **columns)


def boundary(sweep: Sweep, swept: SweptAxle, inside: int, outside: int, holds: Holds) -> Boundary:
    """Where something that holds at the row ``inside`` and no more at its neighbour ``outside`` ends.

    Of a sweep whose travels follow from springs that is known to its rows alone.
    """
    if sweep.holds_loads:
        return Boundary(sweep, inside, swept)
    first, last = swept.rows.start, swept.rows.stop - 1
    path = np.arange(first, inside + 1) if outside > inside else np.arange(last, inside - 1, -1)
    known, beyond = path.astype(np.float64), float(outside)
    for _ in range(ROUNDS):
        at = np.concatenate((known, np.linspace(known[-1], beyond, CLOSER + 1)[1:]))
        fine = between(sweep, at)
        found = swept_axle(fine, swept.system, swept.standing)
        holding = np.zeros(len(at), dtype=np.bool_)
        holding[found.rows] = holds(found)
        fails = len(known) + int(np.argmin(holding[len(known) :]))
        if holding[fails]:
            return Boundary(fine, len(at) - 1, found)
        result = Boundary(fine, fails - 1, found)
        known, beyond = np.append(path, at[fails - 1]).astype(np.float64), float(at[fails])
    return result


def is_there(swept: SweptAxle) -> Flags:
    """Whether the axle can be assembled, at poses at which it was."""
    return np.ones(swept.rows.stop - swept.rows.start, dtype=np.bool_)


def ends(sweep: Sweep, swept: SweptAxle) -> list[Boundary]:
    """The last poses before rows at which the linkage does not close, that towards the first row first."""
    found = []
    if swept.rows.stop <= swept.rows.start:
        return []
    if swept.rows.start > 0:
        found.append(boundary(sweep, swept, swept.rows.start, swept.rows.start - 1, is_there))
    if swept.rows.stop < sweep.rows:
        found.append(boundary(sweep, swept, swept.rows.stop - 1, swept.rows.stop, is_there))
    return found


MAX_SINGULAR_RATIO = 3.0
"""times the smallest singular value of the other side, up to which both sides stop together"""
MEMBERS = (DISTANCE.name, SPHERICAL.name, SPHERICAL_CYLINDRICAL.name)


def stopping_member(swept: SweptAxle, pose: int) -> tuple[str, str]:
    """What stops an axle at one of its poses, in words, and the cell of a point of it."""
    sizes, vectors = {}, {}
    for part in swept.system.parts:
        wheel = swept.wheels[part.sides[0]]
        sizes[part.sides], vectors[part.sides] = most_dependent(part.driven.system, wheel.poses.q[pose], 0.0)
    least = min(sizes, key=lambda sides: sizes[sides])
    part = next(part for part in swept.system.parts if part.sides == least)
    side, joint = _largest(swept.axle, part, vectors[least])
    together = len(sizes) == 1 or max(sizes.values()) <= MAX_SINGULAR_RATIO * min(sizes.values())
    owner = swept.axle.name if together or joint.is_central else f"{swept.axle.name} {side}"
    return f"the {owner} {_in_words(joint)}", swept.axle.points[side][joint.points[0]].cell


def _largest(axle: AxleData, part: ClosedPart, vector: np.ndarray) -> tuple[str, PartJoint]:
    lowered = part.driven.lowered
    shares: dict[str, float] = {}
    for row, entry in zip(part.driven.system.kept, vector, strict=True):
        name = lowered.elements[int(lowered.constraints.owner[row])].name
        shares[name] = float(np.hypot(shares.get(name, 0.0), entry))
    joints = list(joints_of(axle))
    known = [
        (shares.get(f"{axle.name if joint.is_central else axle.corner(side)} {joint.name}", 0.0), side, joint)
        for joint in [each for each in joints if each.type in MEMBERS] or joints
        for side in SIDES
    ]
    _share, side, joint = max(known, key=lambda each: each[0])
    return side, joint


def _in_words(joint: PartJoint) -> str:
    if joint.type == DISTANCE.name:
        return f"{joint.name} goes straight"
    if joint.type == SPHERICAL.name:
        return f"{joint.body_i} goes straight"
    return f"{joint.body_j if joint.type == REVOLUTE.name else joint.name} reaches its end"
