"""An axle with elastic parts within a car in steady motion: how its bodies follow what acts on its wheels.

Where its half of the body is turned by the twist u against the axes of the car, it is solved in the axes of its half: wrenches,
pull and normal are turned back by u, and its wheels and masses turned by u. What stays in the axes of the car changes there by
-x for a small u, and what stays on the half moves in those of the car by x and x from the hinge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.car_on_road import PER_WHEEL
from sheetmbs.engine.car_on_tyres import FX, FY, FZ, MX, MY, MZ
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.compliance.deformations import BodyPoses, rotations, skew
from sheetmbs.suspension.compliance.elastic_axle import LOAD, Assembled, AxleStanding, ElasticAxle, standing
from sheetmbs.suspension.handling.predicted_states import Predicted
from sheetmbs.suspension.handling.steady_states import COUNT
from sheetmbs.suspension.layout.car import SIDES, MassPoint
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.loads.road import Road, TyreWrench

ROUNDING = 1e-15
"""m, of places of bodies: forces that stiff parts make of it are no residual"""


class BodiesAtRest(NamedTuple):
    """Places (bodies, 3), orientations (bodies, 3, 3), multipliers (c,) and twist of an axle in equilibrium.

    by_unknowns: (N + c + 1, unknowns) how bodies, multipliers and twist follow the unknowns of the car.
    """

    place: Floats
    turn: Floats
    held: Floats
    twist: float
    by_unknowns: Floats


@dataclass(frozen=True, eq=False)
class AxleStep:
    """How the bodies of an axle move: own, by wrenches (12), rack, pull (3) and twist, and the multipliers with them.

    now: what acts. bodies: (n, N, 18), multipliers: (n, c, 18); left: (n,) the largest force that is left over, N; gap: (n,) m
    or rad.
    """

    now: Assembled

    bodies: Floats
    multipliers: Floats
    left: Floats
    gap: Floats


BY_WRENCH, BY_RACK, BY_PULL, BY_TWIST, INPUTS = slice(1, 13), slice(13, 14), slice(14, 17), 17, 18
"""what moves bodies: first they themselves, then the wrenches of both wheels, the rack, the pull on unit mass, and the twist"""
ALONG_X = np.array([1.0, 0.0, 0.0])


class MovingAxle:
    """An axle in n states on their way. masses: those that hang on it, in the order of the car.

    hinge: (3,) a point of the line about which its half of the body twists, in the axes of the axle, None where it does not.
    twist: (n,) by which.
    """

    def __init__(
        self, of: ElasticAxle, poses: BodyPoses, masses: tuple[MassPoint, ...], radius: float, hinge: Floats | None
    ) -> None:
        self.of, self.poses, self.masses, self.radius, self.hinge = of, poses, masses, radius, hinge
        self.twist = np.zeros(len(poses))
        self.held = np.zeros((len(poses), len(of.constraints)))
        self.force = np.zeros((len(poses), len(SIDES), 3))
        self.moment = np.zeros_like(self.force)
        self.up = np.zeros((len(poses), 3))
        self.normal = np.zeros((len(poses), 3))
        self.rack = np.zeros(len(poses))
        self.by_unknowns = np.zeros((len(poses), of.size + len(of.constraints) + 1, COUNT))

    def standing(self, rows: Ints) -> AxleStanding:
        """The axle under the wrenches of its wheels alone, in the axes of its half; the road acts through them."""
        count = len(rows)
        found = replace(
            standing(LOAD, np.zeros((count, 2)), self.rack[rows], self.normal[rows]),
            force=self.force[rows],
            moment=self.moment[rows],
            at_centre=np.ones(count, dtype=bool),
            up=self.up[rows],
        )
        if self.hinge is None:
            return found
        turned = self._turned(rows)
        return replace(
            found,
            normals=_back(turned, found.normals),
            up=_back(turned, found.up),
            force=found.force @ turned,
            moment=found.moment @ turned,
        )

    def _turned(self, rows: Ints) -> Floats:
        """(n, 3, 3) from the axes of its half of the body to those of the front half."""
        return rotations(self.twist[rows, None] * ALONG_X)

    def on_half(self, on: Road) -> Road:
        """The road in the axes of its half of the body."""
        if self.hinge is None:
            return on
        turned = self._turned(np.arange(len(self.twist)))
        own = np.array([0.0, 0.0, self.hinge[2]])
        height = on.height - (on.up - _back(turned, on.up)) @ own
        return Road(_back(turned, on.up), _back(turned, on.forward), _back(turned, on.left), height)

    def _drawn(self, rows: Ints) -> tuple[Floats, Floats]:
        """Vectors of wheels (n, 6, 13, 3) and of masses (n, m, 13, 3) where they are; the bodies alone move them."""
        poses, structure = self.poses.at(rows), self.of.structure
        wheels = np.zeros((len(rows), PER_WHEEL * len(SIDES), 13, 3))
        for number, side in enumerate(SIDES):
            hub = structure.hubs[side]
            at = self.of.axle.points[side][WHEEL_CENTRE].position - structure.origins[hub]
            wheels[:, PER_WHEEL * number, 0] = poses.place[:, hub] + poses.turn[:, hub] @ at
            wheels[:, PER_WHEEL * number + 1, 0] = poses.turn[:, hub] @ self.of.axle.spin_axis(side)
        masses = np.zeros((len(rows), len(self.masses), 13, 3))
        for number, mass in enumerate(self.masses):
            masses[:, number, 0] = self._mass(mass, poses)[0]
        return wheels, masses

    def vectors(self, rows: Ints) -> tuple[Floats, Floats]:
        """The same vectors in the axes of the front half of the body."""
        wheels, masses = self._drawn(rows)
        if self.hinge is None:
            return wheels, masses
        turned = np.swapaxes(self._turned(rows), 1, 2)
        spins = slice(1, None, PER_WHEEL)
        wheels[:, spins, 0] = wheels[:, spins, 0] @ turned
        middles = slice(0, None, PER_WHEEL)
        wheels[:, middles, 0] = self.hinge + (wheels[:, middles, 0] - self.hinge) @ turned
        masses[:, :, 0] = self.hinge + (masses[:, :, 0] - self.hinge) @ turned
        return wheels, masses

    def _mass(self, mass: MassPoint, poses: BodyPoses) -> tuple[Floats, Floats]:
        """(n, 3) place of a mass and (n, 3, N) how the bodies move it."""
        if mass.slides_on:
            (top, top_by), (low, low_by) = (self._hardpoint(mass.side, name, poses) for name in mass.slides_on)
            start, end = (self.of.axle.points[mass.side][name].position for name in mass.slides_on)
            from_top = float((mass.at - start) @ (end - start) / np.linalg.norm(end - start))
            length = np.linalg.norm(low - top, axis=1)[:, None]
            along = (low - top) / length
            across = (np.eye(3) - along[:, :, None] * along[:, None]) / length[..., None]
            return top + from_top * along, top_by + from_top * across @ (low_by - top_by)
        if mass.point:
            return self._hardpoint(mass.side, mass.point, poses)
        return self._carried(mass.body, mass.at, poses)

    def _hardpoint(self, side: str, name: str, poses: BodyPoses) -> tuple[Floats, Floats]:
        point = self.of.axle.points[side][name]
        return self._carried(self.of.axle.body_name(point.on, side), point.position, poses)

    def _carried(self, body: str, at: Floats, poses: BodyPoses) -> tuple[Floats, Floats]:
        """A point that is fixed on a body, given where it is at design."""
        number = self.of.structure.bodies.get(body, 0)
        arm = poses.turn[:, number] @ (at - self.of.structure.origins[number])
        by = np.zeros((len(poses), 3, self.of.size))
        if number:
            by[:, :, 6 * number - 6 : 6 * number - 3], by[:, :, 6 * number - 3 : 6 * number] = np.eye(3), -skew(arm)
        return poses.place[:, number] + arm, by

    def at_rest(self, row: int) -> BodiesAtRest:
        """A state of the bodies."""
        poses = self.poses
        return BodiesAtRest(
            poses.place[row].copy(),
            poses.turn[row].copy(),
            self.held[row].copy(),
            self.twist[row],
            self.by_unknowns[row].copy(),
        )

    def begin(self, rows: Ints, each: Sequence[BodiesAtRest]) -> None:
        """Put the bodies of some states where they are at rest."""
        place, turn, held, twist, by = (np.array(own) for own in zip(*each, strict=True))
        self.poses.place[rows], self.poses.turn[rows] = place, turn
        self.held[rows], self.twist[rows], self.by_unknowns[rows] = held, twist, by

    def go_ahead(self, rows: Ints, others: Sequence[BodiesAtRest], expected: Predicted) -> None:
        """Move bodies that are at rest in the states ``expected.x`` to where those are expected.

        others: bodies at rest in the states ``expected.other``.
        """
        place, turn, held, twist, by = (np.array(own) for own in zip(*others, strict=True))
        poses, count = self.poses.at(rows), len(rows)
        turned = turn @ np.swapaxes(poses.turn, 2, 3)
        angles = 0.5 * np.stack([turned[..., i, j] - turned[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
        apart = np.concatenate((place - poses.place, angles), axis=2)[:, 1:].reshape(count, -1)
        apart = np.concatenate((apart, held - self.held[rows], (twist - self.twist[rows])[:, None]), axis=1)
        tangent = (self.by_unknowns[rows] @ expected.tangent[..., None])[..., 0]
        other = (by @ expected.other_tangent[..., None])[..., 0]
        step = expected.ahead(tangent, apart - tangent, other - tangent)
        self.move(rows, step[:, : self.of.size], step[:, self.of.size : -1])
        self.twist[rows] += step[:, -1]

    def wrench(self, number: int, on: Road, shift: Floats, softness: Floats, columns: Floats) -> TyreWrench:
        """What the road exerts on a wheel, in the axes of its half.

        softness: (2,) of its carcass, along and across, m/N; columns: (n, 13) what is read off it.
        """
        rows = np.arange(len(self.poses))
        wheels, _masses = self._drawn(rows)
        centre = wheels[:, PER_WHEEL * number, 0] + shift
        spin = (1.0 if number == 0 else -1.0) * wheels[:, PER_WHEEL * number + 1, 0]
        heading = cross(spin, on.up)
        heading = heading / np.linalg.norm(heading, axis=1, keepdims=True)
        left = cross(on.up, heading)
        down = on.up - np.sum(on.up * spin, axis=1, keepdims=True) * spin
        at = centre - self.radius * down / np.linalg.norm(down, axis=1, keepdims=True)
        at = at - (np.sum(at * on.up, axis=1) - on.height)[:, None] * on.up
        axes = np.stack((heading, left, on.up), axis=1)
        force, moment = (np.einsum("nk,nki->ni", columns[:, own], axes) for own in ([FX, FY, FZ], [MX, MY, MZ]))
        at = at + softness[0] * columns[:, FX, None] * heading + softness[1] * columns[:, FY, None] * left
        held = self.standing(rows).moment[:, number]
        passed = cross(at - centre, force) + moment - held
        return TyreWrench(at, force, moment, held, passed, heading, left)

    def motions(self, rows: Ints) -> Floats:
        """(n, 12 + 3 m + 2, N) of both wheels, of all masses, and of both travels by the bodies."""
        poses = self.poses.at(rows)
        on = self.standing(rows)
        masses = [self._mass(mass, poses)[1] for mass in self.masses]
        wheels = self.of.wheel_motions(poses, on, at_centre=True)
        heights = [self._carried(self._carrier(side), self._centre(side), poses)[1][:, 2:] for side in SIDES]
        return np.concatenate((wheels, *masses, *heights), axis=1)

    def _carrier(self, side: str) -> str:
        return self.of.axle.body_name(self.of.axle.wheel_carrier, side)

    def _centre(self, side: str) -> Floats:
        return np.asarray(self.of.axle.points[side][WHEEL_CENTRE].position)

    def travels(self, rows: Ints) -> Floats:
        """(n, 2) of both wheel centres from where they are drawn."""
        poses = self.poses.at(rows)
        drawn = self.of.axle.as_drawn.points
        return np.stack(
            [
                self._carried(self._carrier(side), self._centre(side), poses)[0][:, 2]
                - drawn[side][WHEEL_CENTRE].position[2]
                for side in SIDES
            ],
            axis=1,
        )

    def step(self, rows: Ints) -> AxleStep:
        """One of Newton's method, whole and by all that the rest of the car does."""
        of, poses, on = self.of, self.poses.at(rows), self.standing(rows)
        now = of.assemble(poses, on, self.held[rows], np.zeros((len(rows), 2)))
        left = of.wheel_loads(poses, on) - np.einsum("nm,nmk->nk", now.weight, now.jacobian)
        constraints = now.jacobian[:, of.constraints]
        gap = np.tile(of.design_values[of.constraints], (len(rows), 1)) - now.evaluated.value[:, of.constraints]
        if of.rack_row is not None:
            gap[:, of.rack_row] += self.rack[rows]
        count, size, scale = len(of.constraints), of.size, of.multiplier_size
        matrix = np.zeros((len(rows), size + count, size + count))
        matrix[:, :size, :size] = now.stiffness
        matrix[:, :size, size:], matrix[:, size:, :size] = scale * np.swapaxes(constraints, 1, 2), scale * constraints
        right = np.zeros((len(rows), size + count, INPUTS))
        right[:, :size, 0], right[:, size:, 0] = left, scale * gap
        right[:, :size, BY_WRENCH] = np.swapaxes(of.wheel_motions(poses, on, at_centre=True), 1, 2)
        if of.rack_row is not None:
            right[:, size + of.rack_row, BY_RACK] = scale
        right[:, :size, BY_RACK] += of.pull_of_rack(now)[..., None]
        for mass in self.masses:
            if not mass.slides_on:  # whose inertia does not count in the axle
                right[:, :size, BY_PULL] += mass.mass * np.swapaxes(self._mass(mass, poses)[1], 1, 2)
        found = np.linalg.solve(matrix, right)
        if self.hinge is not None:
            _turn_inputs(np.asarray(found), on, -of.axle.gravity * on.up, self._turned(rows))
        sizes = np.tile(np.repeat([1.0, 1.0 / self.radius], 3), size // 6)
        stiffest = np.max(np.abs(np.diagonal(now.stiffness, axis1=1, axis2=2)), axis=1)
        return AxleStep(
            now,
            np.asarray(found[:, :size]),
            np.asarray(scale * found[:, size:]),
            np.maximum(np.max(np.abs(left * sizes), axis=1) - ROUNDING * stiffest, 0.0),
            np.max(np.abs(gap), axis=1, initial=0.0),
        )

    def moved(self, rows: Ints, step: AxleStep) -> Floats:
        """(n, 12 + 3 m + 2, 18) motions of wheels and masses in the axes of the front half, and travels, by all inputs."""
        found = np.asarray(self.motions(rows) @ step.bodies)
        if self.hinge is None:
            return found
        count = 4 + len(self.masses)
        turned = self._turned(rows)[:, None]
        whole = turned @ found[:, : 3 * count].reshape(len(rows), count, 3, INPUTS)
        wheels, masses = self.vectors(rows)
        places = np.concatenate((wheels[:, ::PER_WHEEL, 0], masses[:, :, 0]), axis=1)
        swept = cross(ALONG_X, places - self.hinge)
        by_twist = whole[..., BY_TWIST]
        by_twist[:, [0, 2]] += swept[:, :2]
        by_twist[:, [1, 3]] += ALONG_X
        by_twist[:, 4:] += swept[:, 2:]
        found[:, : 3 * count] = whole.reshape(len(rows), 3 * count, INPUTS)
        return found

    def move(self, rows: Ints, step: Floats, multipliers: Floats) -> None:
        """Move the bodies (n, N) of some states, and change their multipliers."""
        moved = self.poses.at(rows).moved(step)
        self.poses.place[rows], self.poses.turn[rows] = moved.place, moved.turn
        self.held[rows] += multipliers

    def rack_force(self, rows: Ints, step: AxleStep, motion: Floats) -> tuple[Floats, Floats]:
        """(n,) what the pinion exerts on the rack, and (n, k) its derivatives, bodies moving by ``motion`` (n, 17, k)."""
        of = self.of
        if of.rack_row is not None:
            return -self.held[rows, of.rack_row], -(step.multipliers[:, [of.rack_row]] @ motion)[:, 0]
        force, by_bodies, by_rack = of.driven_springs(step.now)
        whole = (by_bodies[:, None] @ step.bodies @ motion)[:, 0]
        return force, whole + by_rack[:, None] * (motion[:, BY_RACK][:, 0])

    def element_forces(self) -> Floats:
        """(n, elements) tension of springs, stops and bars."""
        return self.of.tensions(self.poses)


def _back(turned: Floats, vector: Floats) -> Floats:
    """(n, 3) a vector in the axes of a half of the body."""
    return np.asarray((vector[:, None] @ turned)[:, 0])


def _turn_inputs(found: Floats, on: AxleStanding, pull: Floats, turned: Floats) -> None:
    """Motions (n, k, 18) by wrenches and pull in the axes of the front half, from those of its own, and by the twist.

    A vector that stays in the axes of the front half turns against the others by -x with the twist.
    """
    acting = np.stack((on.force, on.moment), axis=2).reshape(on.rows, 4, 3)
    for number in range(5):
        own = slice(BY_PULL.start, BY_PULL.stop) if number == 4 else slice(1 + 3 * number, 4 + 3 * number)
        vector = pull if number == 4 else acting[:, number]
        found[:, :, BY_TWIST] -= (found[:, :, own] @ cross(ALONG_X, vector)[..., None])[..., 0]
        found[:, :, own] = found[:, :, own] @ np.swapaxes(turned, 1, 2)
