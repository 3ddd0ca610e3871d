"""A part of an axle posed with many sets of hardpoints: lowered once, its points, axes and lengths written over.

Bodies stand where they stood in the first set, and points have other places on them; so every set begins at the same
configuration, in which it closes as drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.analysis.driven_positions import CLOSED, Poses
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.driven_poses import DrivenPoses, Variants, pose_variants
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import FRAME, Floats, Ints, Records
from sheetmbs.engine.work import Work
from sheetmbs.suspension.generated.generate import rack_driver, travel_driver
from sheetmbs.suspension.kinematics.body_motion import shortest_turn
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE, PartJoint

Places = Mapping[str, Mapping[str, Floats]]
"""(V, 3) places of hardpoints in V variants, by side and name"""
AS_LOWERED = 1e-9
"""m, between what hardpoints say of the axle as it is and what it has been lowered to"""
AXES = ("ax", "ay", "az", "bx", "by", "bz")


class NoVariantsError(Exception):
    """An axle whose variants its hardpoints alone do not tell; the message says why."""


@dataclass(frozen=True, eq=False)
class End:
    """One side of a joint or driver: the body and the hardpoint on it; None: a fixed place (3,)."""

    body: str
    side: str
    point: str | None


@dataclass(frozen=True, eq=False)
class VariantPoses:
    """Poses of V variants at n rows each, one variant after the other, and (V,) at design; NaN where not reached."""

    poses: Poses
    design: Poses
    reached: Ints


class VariantPart:
    """A part of an axle ready to be posed with other hardpoints. Raises NoVariantsError where these do not make it."""

    def __init__(self, part: ClosedPart, axle: AxleData) -> None:
        self.part, self.axle = part, axle
        self.lowered = part.driven.lowered
        bodies = self.lowered.bodies
        self._numbers = bodies.names
        self._start = {number: np.zeros(3) for number in bodies.names.values()}
        for number, body in enumerate(self.lowered.model.bodies, start=1):
            self._start[number] = body.position
        system = part.driven.system
        kept = self.lowered.constraints.owner[system.kept]
        self._records = system.arrays.part.copy()
        self._owner = kept[self._records.target]
        elements = self.lowered.elements
        self._ends = [self._ends_of(element.name, element.what) for element in elements]
        self._joints = [self._joint(element.name) for element in elements]
        self._check(system.arrays)

    @cached_property
    def _named(self) -> dict[str, tuple[str, PartJoint]]:
        """Generated joints with their sides, by full name."""
        axle = self.axle
        return {
            f"{axle.name if joint.is_central else axle.corner(side)} {joint.name}": (side, joint)
            for joint in joints_of(axle)
            for side in reversed(SIDES)
        }

    def _joint(self, name: str) -> tuple[str, PartJoint] | None:
        return self._named.get(name)

    def _ends_of(self, name: str, what: str) -> tuple[End, End]:
        """Body i and body j of a joint or driver."""
        axle = self.axle
        if what == "driver":
            for side in self.part.sides:
                if name == travel_driver(axle, side):
                    return End("ground", side, None), End(axle.body_name(axle.wheel_carrier, side), side, WHEEL_CENTRE)
            if name == rack_driver(axle):
                name = f"{axle.name} rack slide"
        if name not in self._named:
            raise NoVariantsError(f"the workbook's own rows make {name}")
        side, joint = self._named[name]
        first, second = joint.points[0], joint.points[1 if joint.type == DISTANCE.name else 0]
        return End(axle.body_name(joint.body_i, side), side, first), End(
            axle.body_name(joint.body_j, side), side, second
        )

    def _number(self, end: End) -> int:
        """Of its body; the chassis is ground in a part."""
        return self._numbers.get(end.body, 0)

    def _frames(self, places: Places, count: int) -> Floats:
        """(V, frames, 3): two for each element."""
        found = np.zeros((count, 2 * len(self._ends), 3))
        for number, ends in enumerate(self._ends):
            for second, end in enumerate(ends):
                if end.point is not None:
                    found[:, 2 * number + second] = places[end.side][end.point] - self._start[self._number(end)]
        return found

    def _axes(self, places: Places, count: int) -> Floats:
        """(V, parts, 6): axes of hinges turned with the lines of their points."""
        base = np.stack([self._records[name] for name in AXES], axis=-1)
        found = np.tile(base, (count, 1, 1))
        for number, named in enumerate(self._joints):
            if named is None or named[1].type == DISTANCE.name or len(named[1].points) < 2:
                continue
            side, joint = named
            rows = self._owner == number
            turn = shortest_turn(self._line(self._as_drawn, side, joint), self._line(places, side, joint))
            for first in (0, 3):
                found[:, rows, first : first + 3] = np.einsum("vij,rj->vri", turn, base[rows, first : first + 3])
        return found

    @cached_property
    def _as_drawn(self) -> Places:
        return {side: {name: point.position[None] for name, point in self.axle.points[side].items()} for side in SIDES}

    @staticmethod
    def _line(places: Places, side: str, joint: PartJoint) -> Floats:
        """(V, 3) unit direction of the line of a joint."""
        along = places[side][joint.points[1]] - places[side][joint.points[0]]
        return np.asarray(along / np.linalg.norm(along, axis=1, keepdims=True))

    def _offsets(self, places: Places, count: int) -> Floats:
        """(V, parts): lengths of links."""
        found = np.tile(self._records.offset, (count, 1))
        for number, named in enumerate(self._joints):
            if named is not None and named[1].type == DISTANCE.name:
                side, joint = named
                one, other = (places[side][name] for name in joint.points)
                rows = (self._owner == number) & (self._records.kind == RowKind.DISTANCE)
                found[:, rows] = np.linalg.norm(one - other, axis=1)[:, None]
        return found

    def _check(self, arrays: Arrays) -> None:
        """Raise NoVariantsError unless hardpoints make of the axle as it is what it has been lowered to."""
        places = self._as_drawn
        frames, offsets = self._frames(places, 1)[0], self._offsets(places, 1)[0]
        apart = [np.max(np.abs(offsets - self._records.offset), initial=0.0)]
        for body, frame in (("body_i", "frame_i"), ("body_j", "frame_j")):
            old = arrays.frame[self._records[frame]]
            new = frames[self._frame_of(self._records[body])]
            apart += [np.max(np.abs(old[axis] - new[:, k]), initial=0.0) for k, axis in enumerate("xyz")]
        if not max(apart) <= AS_LOWERED:
            raise NoVariantsError(
                "joints do not stand at its hardpoints: adjustments or the workbook's own rows say where"
            )

    def _frame_of(self, bodies: Ints) -> Ints:
        """The frame of each row on a body that stands in its records."""
        second = np.array([self._number(ends[1]) for ends in self._ends])[self._owner]
        return np.asarray(2 * self._owner + (bodies == second))

    @cached_property
    def _system(self) -> tuple[Arrays, Work]:
        """Arrays of its own, which variants are written into."""
        system = self.part.driven.system
        records = self._records.copy()  # variants are written into it, and each begins from the axle as lowered
        frame_i, frame_j = self._frame_of(records.body_i), self._frame_of(records.body_j)
        records.frame_i, records.frame_j = frame_i, frame_j
        frames = np.zeros(2 * len(self._ends), dtype=FRAME)
        for number, ends in enumerate(self._ends):
            frames["body"][2 * number : 2 * number + 2] = [self._number(end) for end in ends]
        made: Records = as_records(frames)
        arrays = replace(system.arrays, frame=made, part=records, row=records[: len(system.arrays.row)])
        work = self.lowered.arrange(weights=self.lowered.sizes()).work
        return arrays, replace(work, place=np.zeros((len(frames), work.place.shape[1])))

    def posed(self, places: Places, moved: Floats) -> VariantPoses:
        """Poses of V variants at what the drivers move from design (n, d), m."""
        count = len(next(iter(places["left"].values())))
        arrays, work = self._system
        rows, drivers = len(moved) + 1, moved.shape[1]
        u = np.zeros((count, drivers))
        for number, side in enumerate(self.part.sides):
            u[:, number] = places[side][WHEEL_CENTRE][:, 2]
        nq, nv = len(self.part.q), len(arrays.scale)
        walk = DrivenPoses(
            motion=self.part.driven.motion,
            value=np.ascontiguousarray((u[:, None] + np.vstack((moved, np.zeros(drivers)))).reshape(-1, drivers)),
            q=self.part.q.copy(),
            u=u[0].copy(),
            rate=np.zeros((drivers, nv)),
            curvature=np.zeros((drivers, drivers, nv)),
            change=np.zeros(drivers),
            aim=np.zeros(drivers),
            positions=np.full((count * rows, nq), np.nan),
            first=np.full((count * rows, drivers, nv), np.nan),
            second=np.full((count * rows, drivers, drivers, nv), np.nan),
        )
        middle = int(np.argmin(np.sum(moved**2, axis=1)))
        variants = Variants(
            frame=self._frames(places, count),
            axis=self._axes(places, count),
            offset=self._offsets(places, count),
            start=self.part.q.copy(),
            u=u,
            middle=np.full(count, middle, dtype=np.int64),
            reached=np.zeros(count * rows, dtype=np.int64),
        )
        pose_variants(arrays, work, walk, variants, CLOSED * arrays.length)
        is_design = np.arange(count * rows) % rows == rows - 1
        swept, design = (self._poses(walk, which) for which in (~is_design, is_design))
        return VariantPoses(swept, design, variants.reached[~is_design].reshape(count, -1))

    def _poses(self, walk: DrivenPoses, which: Floats) -> Poses:
        arrays = (walk.value[which], walk.positions[which], walk.first[which], walk.second[which])
        return Poses(self.lowered, *arrays)
