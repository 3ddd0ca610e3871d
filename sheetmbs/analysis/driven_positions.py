"""A fully driven model at chosen values of its drivers: poses, twists per unit of each driver, and their derivatives.

A sweep is made of them; the equations stand in `engine/driven_poses.py`. Nothing here knows time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.poses import EULER, orientation, position
from sheetmbs.elements.rotation import cross, matrix_of
from sheetmbs.engine.driven_poses import DrivenPoses, pose_around, pose_each
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.engine.static_forces import CarriedLoads, carry_loads
from sheetmbs.lower import Lowered, System

AXES = np.arange(3)
CLOSED = 1e-13
"""residual over the length of the model at which a pose counts as found: Newton's method gets there in one step more"""


@dataclass(frozen=True, eq=False)
class Poses:
    """Configurations of a model at values of its drivers.

    value: (n, d) of the drivers, of the rows that were reached. q: (n, nq). first: (n, d, nv). second: (n, d, d, nv).
    """

    lowered: Lowered
    value: Floats
    q: Floats
    first: Floats
    second: Floats
    _orientations: dict[str, Floats] = field(default_factory=dict, init=False, repr=False)
    _twists: dict[str, tuple[Floats, Floats]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.q)

    def repeated(self, count: int) -> Poses:
        """A single row so many times."""
        value, q, first, second = (
            np.repeat(rows, count, axis=0) for rows in (self.value, self.q, self.first, self.second)
        )
        return replace(self, value=value, q=q, first=first, second=second)

    def rebased(self, basis: Floats) -> Poses:
        """Derivatives by other drivers. basis: (new, d), how each of them moves the present ones."""
        first = np.einsum("ik,nkv->niv", basis, self.first)
        second = np.einsum("ik,nklv,jl->nijv", basis, self.second, basis, optimize=True)
        return replace(self, first=first, second=second)

    def position(self, body: str) -> Floats:
        """(n, 3) of the origin of a body."""
        return position(self.lowered, self.q, self._number(body))

    def orientation(self, body: str) -> Floats:
        """(n, 3, 3) rotation matrix of a body."""
        if body not in self._orientations:
            self._orientations[body] = orientation(self.lowered, self.q, self._number(body))
        return self._orientations[body]

    def place(self, body: str, local: Floats) -> Floats:
        """(n, 3) of a point fixed on a body, given in its axes (3,)."""
        return np.asarray(self.position(body) + self.orientation(body) @ local)

    def generalised(self, wrench: Floats) -> Floats:
        """(n, nv) of forces and moments about the origin on all bodies and ground, (n, bodies, 6), in space."""
        bodies = self.lowered.bodies
        moving = np.arange(1, len(bodies.names))
        first, velocity = (np.asarray(getattr(bodies.records, name)[moving], dtype=np.int64) for name in ("q", "v"))
        at, turn = self.q[:, first[:, None] + AXES], matrix_of(self.q[:, first[:, None] + EULER])
        force = wrench[:, moving, :3]
        moment = wrench[:, moving, 3:] - cross(at, force)
        found = np.zeros((len(self), self.first.shape[2]))
        found[:, velocity[:, None] + AXES] = force
        found[:, velocity[:, None] + 3 + AXES] = np.einsum("nbij,nbi->nbj", turn @ bodies.axes[moving], moment)
        return found

    def twist(self, body: str) -> tuple[Floats, Floats]:
        """Velocity of the origin and angular velocity per unit of each driver, global: (n, d, 3) each."""
        if body not in self._twists:
            number = self._number(body)
            at = int(self.lowered.bodies.records[number].v)
            axes = (self.orientation(body) @ self.lowered.bodies.axes[number])[:, None]  # principal axes, global
            linear, angular = self.first[..., at : at + 3], self.first[..., at + 3 : at + 6]
            self._twists[body] = linear, np.einsum("...ij,...j->...i", axes, angular)
        return self._twists[body]

    def _number(self, body: str) -> int:
        return self.lowered.bodies.names[body]


def joined(parts: Sequence[Poses]) -> Poses:
    """Rows of several walks, one behind the other."""
    value, q, first, second = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("value", "q", "first", "second")
    )
    return replace(parts[-1], value=value, q=q, first=first, second=second)


@dataclass(frozen=True, eq=False)
class Carried:
    """What joints and drivers carry at n configurations, in the order of the model.

    multiplier: (n, elements) of drivers. wrench: (n, elements, 12) on frames i and j, global. left: (n, nv) what they do not
    carry.
    """

    lowered: Lowered
    multiplier: Floats
    wrench: Floats
    left: Floats

    @property
    def on_ground(self) -> Floats:
        """(n, 6) force and moment about the origin of all elements on ground."""
        frames = self.lowered.frames
        on = [
            (number, 6 if second != element.swapped else 0, frames[frame])
            for number, element in enumerate(self.lowered.elements)
            for second, frame in enumerate((element.frame_i, element.frame_j))
            if frames[frame]["body"] == 0
        ]
        total = np.zeros((len(self.wrench), 6))
        for number, first, frame in on:
            wrench = self.wrench[:, number, first : first + 6]
            total += wrench
            total[:, 3:] += cross(np.array([frame["x"], frame["y"], frame["z"]]), wrench[:, :3])
        return total

    def on_side(self, number: int, *, second: bool) -> tuple[Floats, Floats]:
        """Force and moment (n, 3) that an element exerts on its second or its first body, at its point there."""
        first = 6 if second != self.lowered.elements[number].swapped else 0
        wrench = self.wrench[:, number, first : first + 6]
        return wrench[:, :3], wrench[:, 3:]


class DrivenModel:
    """A model whose drivers fix all that its joints leave free.

    lowered: the motions of its drivers do not count. drivers: names, in the order in which values are given.
    """

    def __init__(self, lowered: Lowered, drivers: tuple[str, ...]) -> None:
        self.lowered = lowered
        self.system: System = lowered.arrange(weights=lowered.sizes())
        rows = {constraint.name: constraint.first for constraint in lowered.constraints.constraints}
        kept = {int(row): at for at, row in enumerate(self.system.kept)}
        arrays = self.system.arrays
        self.motion: Ints = np.array([int(arrays.row[kept[rows[name]]].motion) for name in drivers], dtype=np.int64)
        arrays.motion.setflags(write=True)

    def around(self, value: Floats, q: Floats, u: Floats, middle: int = 0) -> tuple[Poses, slice]:
        """Poses at rows of driver values (n, d) and which rows these are.

        They are walked through from row ``middle`` up and down; both walks begin at the configuration q (nq,) of values u (d,).
        """
        walk = self._walk(value, q, u)
        arrays = self.system.arrays
        start = np.array(q, dtype=np.float64), np.array(u, dtype=np.float64)
        rows = slice(*pose_around(arrays, self.system.work, walk, *start, middle, CLOSED * arrays.length))
        return Poses(self.lowered, walk.value[rows], walk.positions[rows], walk.first[rows], walk.second[rows]), rows

    def each(self, value: Floats, before: Poses) -> tuple[Poses, NDArray[np.bool_]]:
        """Poses at rows of driver values (n, d), each from its own row of those before, and which were reached.

        The others are as far on their way as they came. A row whose values are those before stays what it is.
        """
        if np.array_equal(value, before.value):
            return before, np.ones(len(value), dtype=np.bool_)
        walk = self._walk(value, before.q[0], before.value[0])
        walk.positions[:], walk.first[:], walk.second[:] = before.q, before.first, before.second
        at, reached = np.array(before.value), np.zeros(len(value), dtype=np.int64)
        arrays = self.system.arrays
        pose_each(arrays, self.system.work, walk, at, reached, CLOSED * arrays.length)
        return Poses(self.lowered, at, walk.positions, walk.first, walk.second), reached == 1

    def _walk(self, value: Floats, q: Floats, u: Floats) -> DrivenPoses:
        """What a walk is given and what it finds."""
        count, drivers = value.shape
        nq, nv = len(q), len(self.system.arrays.scale)
        shapes = (
            ("rate", (drivers, nv)),
            ("curvature", (drivers, drivers, nv)),
            ("change", (drivers,)),
            ("aim", (drivers,)),
            ("positions", (count, nq)),
            ("first", (count, drivers, nv)),
            ("second", (count, drivers, drivers, nv)),
        )
        value, q, u = np.ascontiguousarray(value, dtype=np.float64), np.array(q), np.array(u)
        return DrivenPoses.zeros(shapes, motion=self.motion, value=value, q=q, u=u)

    def carried(self, q: Floats, force: Floats) -> Carried:
        """What joints and drivers carry of forces (n, nv) at configurations (n, nq) on the constraints."""
        count, elements = len(q), len(self.lowered.elements)
        loads = CarriedLoads(
            owner=np.ascontiguousarray(self.lowered.constraints.owner[self.system.kept], dtype=np.int64),
            positions=np.ascontiguousarray(q),
            force=np.ascontiguousarray(force),
            multiplier=np.zeros((count, elements)),
            wrench=np.zeros((count, elements, 12)),
            left=np.zeros_like(force),
        )
        carry_loads(self.system.arrays, self.system.work, loads)
        return Carried(self.lowered, loads.multiplier, loads.wrench, loads.left)
