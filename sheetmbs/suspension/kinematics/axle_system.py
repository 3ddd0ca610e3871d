"""An axle ready to be posed: its corners each by itself, or both as one where something joins them.

Travel may count at the contacts, not at the wheel centres. Of heights c(x) of the contacts over the drivers x, with the other
drivers among c as they are, x(c) has

    x_c = B = c_x^-1          x_cc = -c_x^-1 (B^T c_xx B)

so that a pose has the derivatives  first B  and  B^T second B + first x_cc  by c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Model
from sheetmbs.suspension.kinematics.closed_part import ClosedPart, closed_part, closed_parts
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.wheel import Wheel, road_normal
from sheetmbs.suspension.layout.car import SIDES, AxleData

CONVERGED_STEP = 1e-9
"""m, of travels that follow from dampers: after it they are off by its square over a radius of the motion"""
CONVERGED_CURVED_STEP = 1e-6
"""m, of travels that follow from a road, whose steps follow bends too: they are off by its cube over the radius squared"""
SMALLEST_STEP = 3e-13
"""m, of such a step that is none: linkages of a car are closed no better"""
MAX_STEPS = 20
MAX_LAST_STEP = 1e-6
"""m, of the last of these steps, from which on it leads nowhere"""
MAX_TRAVEL_STEP = 0.02
"""m, of a travel that follows from a damper"""


@dataclass(frozen=True, eq=False)
class Placing:
    """Where an axle is to stand. travel: (n,) of either wheel, m; rack: (n,) m; roll, pitch: (n,) of the road, rad."""

    travel: Mapping[str, Floats]
    rack: Floats
    roll: Floats
    pitch: Floats

    def at(self, rows: slice) -> Placing:
        """Some of its rows."""
        travel = {side: values[rows] for side, values in self.travel.items()}
        return Placing(travel, self.rack[rows], self.roll[rows], self.pitch[rows])

    def repeated(self, copies: int) -> Placing:
        """The same rows, over and over."""
        travel = {side: np.tile(values, copies) for side, values in self.travel.items()}
        return Placing(travel, *(np.tile(values, copies) for values in (self.rack, self.roll, self.pitch)))


def joined_placing(parts: Sequence[Placing]) -> Placing:
    """Rows of several, one behind the other."""
    travel = {side: np.concatenate([part.travel[side] for part in parts]) for side in SIDES}
    rack, roll, pitch = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rack", "roll", "pitch"))
    return Placing(travel, rack, roll, pitch)


def level_placing(travel: Mapping[str, Floats], rack: Floats) -> Placing:
    """Travels and rack on a road that lies as at design."""
    return Placing(travel, rack, np.zeros_like(rack), np.zeros_like(rack))


@dataclass(frozen=True, eq=False)
class AxleSystem:
    """One axle. parts: what closes by itself, each with its sides."""

    axle: AxleData
    parts: tuple[ClosedPart, ...]

    @property
    def is_coupled(self) -> bool:
        """Whether the travel of one wheel moves the other."""
        return len(self.parts) == 1

    @property
    def is_closed_at_design(self) -> bool:
        """Whether the linkage closes where its points place it."""
        wheels, _rows = self.by_contact_at_design
        return len(wheels["left"].twist[0]) > 0

    @cached_property
    def at_design(self) -> dict[str, Wheel]:
        """Both wheels at the design pose alone, or as adjustments have assembled it."""
        if self.axle.counts_at_contact:
            return self.wheels(self.design_placing)[0]
        return self.by_contact_at_design[0]

    @property
    def design_placing(self) -> Placing:
        """The design pose alone, or as adjustments have assembled it."""
        return level_placing({side: np.array([self.axle.standing(side)]) for side in SIDES}, np.zeros(1))

    @cached_property
    def by_contact_at_design(self) -> tuple[dict[str, Wheel], slice]:
        """Both wheels there, with derivatives by the travel of contacts where it counts, and which rows were reached."""
        return self.wheels(self.design_placing, by_contact=True)

    def wheels(self, at: Placing, *, by_contact: bool = False) -> tuple[dict[str, Wheel], slice]:
        """Both wheels at the rows that were reached, and which rows these are.

        by_contact: derivatives by travel are by that of the contacts, where it is theirs that counts.
        """
        count = len(at.rack)
        found: dict[str, tuple[ClosedPart, Poses, slice]] = {}
        for part in self.parts:
            poses, reached = part.posed(moved_drivers(part, self.axle, at))
            found |= dict.fromkeys(part.sides, (part, poses, reached))
        rows = slice(
            max(reached.start for _part, _poses, reached in found.values()),
            min(reached.stop for _part, _poses, reached in found.values()),
        )
        if rows != slice(0, count) and any(reached != rows for _part, _poses, reached in found.values()):
            return self.wheels(at.at(rows), by_contact=by_contact)[0], rows
        closed = {side: (part, poses) for side, (part, poses, _reached) in found.items()}
        wheels = self.wheels_of(closed, at.at(rows), by_contact=by_contact)
        return wheels, rows

    def wheels_of(
        self, found: Mapping[str, tuple[ClosedPart, Poses]], own: Placing, *, by_contact: bool
    ) -> dict[str, Wheel]:
        """Both wheels of the parts at poses that are found, by side."""
        wheels = {}
        for side, (part, poses) in found.items():
            counted = poses
            if by_contact and self.axle.counts_at_contact:
                heights = [Wheel(self.axle, each, poses, own.roll, own.pitch).contact.z for each in part.sides]
                counted = by_contact_travel(poses, heights)
            wheels[side] = Wheel(self.axle, side, by_side(counted, part, side), own.roll, own.pitch)
        return wheels

    def wheels_at_each(
        self, at: Placing, before: Mapping[str, Wheel] | None
    ) -> tuple[dict[str, Wheel], NDArray[np.bool_]]:
        """Both wheels at all rows, whatever their order, each found from where it stood before, and which were reached.

        Those that were not stand as far on their way as the linkage goes.
        """
        found: dict[str, Wheel] = {}
        reached = np.ones(len(at.rack), dtype=bool)
        for part in self.parts:
            start = by_drivers(before[part.sides[0]].poses, part, part.sides[0]) if before else None
            poses, is_reached = part.posed_each(moved_drivers(part, self.axle, at), start)
            reached &= is_reached
            for side in part.sides:
                found[side] = Wheel(self.axle, side, by_side(poses, part, side), at.roll, at.pitch)
        return found, reached

    def on_road(self, at: Placing, ground: Mapping[str, Floats]) -> dict[str, Floats]:
        """Travels at which both wheels stand on the road through the points ``ground`` (n, 3) of either.

        They are found from those at which the contacts of design would stand there, moved straight up.
        n.(C - G) = 0 of both wheels, by steps s = -J^-1 (h + s' H s/2) with Newton's s' = -J^-1 h: each leaves the cube of
        what it changes.
        """
        n = road_normal(at.roll, at.pitch)
        apart = {side: ground[side] - self.axle.design_contact(side) for side in SIDES}
        travel = {side: np.sum(n * apart[side], axis=1) / n[:, 2] for side in SIDES}
        for _ in range(MAX_STEPS):
            wheels, rows = self.wheels(Placing(travel, at.rack, at.roll, at.pitch))
            above, slopes, bends = [], [], []
            for side in SIDES:
                wheel = wheels[side]
                height = wheel.normal.dot(wheel.contact)
                above.append(height.value - np.sum(wheel.normal.value * ground[side][rows], axis=1))
                by_travels = wheel.over_both(height)
                slopes.append(by_travels.first)
                bends.append(by_travels.second)
            matrix, left = np.stack(slopes, axis=1), np.stack(above, axis=-1)
            straight = solved_pairs(matrix, left)
            step = solved_pairs(
                matrix, left + 0.5 * np.einsum("nikl,nk,nl->ni", np.stack(bends, axis=1), straight, straight)
            )
            longest = np.max(np.abs(step), initial=0.0)
            if longest <= SMALLEST_STEP:
                break
            for number, side in enumerate(SIDES):
                travel[side][rows] -= step[:, number]
            if longest <= CONVERGED_CURVED_STEP:
                break
        return travel

    def at_contact(self, at: Placing, level: Mapping[str, float]) -> dict[str, Floats]:
        """Travels of wheel centres at which contacts stand as high as ``level`` and the travels of ``at`` on a level road."""
        none = np.zeros_like(at.rack)
        ground = {side: np.stack((none, none, level[side] + at.travel[side]), axis=-1) for side in SIDES}
        return self.on_road(at, ground)

    def at_damper(self, at: Placing, compressed: Mapping[str, Floats]) -> dict[str, Floats]:
        """Travels at which dampers are so much shorter than at design (n,), m, of the sides given; others as in ``at``.

        Newton's method on the lengths of the dampers. Where they are never so short a travel is inf, which no linkage reaches.
        Raises ValueError where an axle has none.
        """
        travel = {side: values.copy() for side, values in at.travel.items()}
        missed = np.ones(len(at.rack), dtype=np.bool_)
        for _ in range(MAX_STEPS):
            wheels, rows = self.wheels(replace(at, travel=travel))
            short, slopes = [], []
            for number, side in enumerate(SIDES):
                wheel = wheels[side]
                if wheel.damper_length is None:
                    raise ValueError(f"the {self.axle.name} axle has no damper points")
                length = wheel.over_both(wheel.damper_length)
                if side in compressed:
                    short.append(wheel.design_damper_length - length.value - compressed[side][rows])
                    slopes.append(-length.first)
                else:
                    short.append(travel[side][rows] - at.travel[side][rows])
                    slopes.append(np.tile(np.eye(len(SIDES))[number], (len(length.value), 1)))
            step = solved_pairs(np.stack(slopes, axis=1), np.stack(short, axis=-1))
            for number, side in enumerate(SIDES):
                travel[side][rows] -= np.clip(step[:, number], -MAX_TRAVEL_STEP, MAX_TRAVEL_STEP)
            missed[rows] = np.max(np.abs(step), axis=1) > MAX_LAST_STEP
            if np.max(np.abs(step), initial=0.0) <= CONVERGED_STEP:
                break
        return {side: np.where(missed, np.inf, values) for side, values in travel.items()}


def solved_pairs(matrix: Floats, right: Floats) -> Floats:
    """(n, 2) solutions of two equations at each of n rows. matrix: (n, 2, 2). right: (n, 2)."""
    return np.asarray(np.linalg.solve(matrix, right[:, :, None])[:, :, 0])


def moved_drivers(part: ClosedPart, axle: AxleData, at: Placing) -> Floats:
    """(n, d) what the drivers of a part move from design."""
    columns = [at.travel[side] for side in part.sides]
    return np.column_stack([*columns, at.rack] if axle.is_steered else columns)


def by_side(poses: Poses, part: ClosedPart, side: str) -> Poses:
    """Poses with derivatives by the travel of a side in heave first, by that of the other wheel second where it counts."""
    return poses if len(part.sides) == 1 else poses.rebased(_side_basis(poses, part, side))


def by_drivers(poses: Poses, part: ClosedPart, side: str) -> Poses:
    """Poses `by_side` with derivatives by the drivers of their part again."""
    return poses if len(part.sides) == 1 else poses.rebased(np.asarray(np.linalg.inv(_side_basis(poses, part, side))))


def _side_basis(poses: Poses, part: ClosedPart, side: str) -> Floats:
    """(d, d) how heave and the travel of the other wheel move the drivers of a part of both sides."""
    basis = np.eye(poses.first.shape[1])
    other = 1 - part.sides.index(side)
    basis[0, :2], basis[1, :2] = 1.0, np.eye(2)[other]
    return basis


def axle_system(model: Model, axle: AxleData) -> AxleSystem:
    """An axle of a car as generated, at its design pose."""
    return AxleSystem(axle, tuple(closed_part(model, axle, sides) for sides in closed_parts(model, axle)))


def by_contact_travel(poses: Poses, heights: Sequence[Jet]) -> Poses:
    """Poses with derivatives by the heights of the contacts, which take the place of as many first drivers."""
    count, drivers, _coordinates = poses.first.shape
    slope = np.tile(np.eye(drivers), (count, 1, 1))  # c_x: (n, contact, driver)
    bend = np.zeros((count, drivers, drivers, drivers))
    for number, height in enumerate(heights):
        slope[:, number] = height.first[:, :drivers]
        bend[:, number] = height.second[:, :drivers, :drivers]
    basis = np.linalg.inv(slope)  # (n, driver, contact)
    curved = np.einsum("nki,nmkl,nlj->nmij", basis, bend, basis, optimize=True)
    curvature = -np.einsum("nkm,nmij->nkij", basis, curved)
    first = np.einsum("nki,nkv->niv", basis, poses.first)
    second = np.einsum("nki,nklv,nlj->nijv", basis, poses.second, basis, optimize=True)
    second += np.einsum("nkij,nkv->nijv", curvature, poses.first)
    return replace(poses, first=first, second=second)
