"""Steady states of a car with elastic parts: bushings, links, rack and bearings give way within the same equilibrium.

Every body of an axle is free to move, as in `compliance/elastic_axle.py`; with r what acts on them and K its derivative, the
forces and moments w on the carriers and the pull g on unit mass, a step of Newton's method moves the bodies by

    K dq = -r + B' dw + (pull of the rack) drack + sum m B_m' dg        phi_q dq = -phi

where B is how the wheels move with them, and B_m how an unsprung mass does. The wheels and masses move by dy = (B, B_m) dq,
and the wrenches by dw = w_x dx + w_y dy (`engine/car_on_tyres.py`), so that dy = p + P dx of the unknowns x of the car. Its
equations become (R_x + R_y P) dx = -(R + R_y p); the travels are those of the wheel centres. So residuals and read-offs have
whole derivatives, and nothing is corrected afterwards.

Where the body twists, its rear half is turned by u against the front half, the one that the unknowns pose, about the line along
x through the design road. The moment M of all that acts on the rear half about it is held by the torsion of the body, M = k u,
so that u follows from x as well (`moving_axle.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.car_on_tyres import (
    HUB,
    READ_OFFS,
    WHEEL_COLUMNS,
    SteadyStates,
    TyredCar,
    balance_on_hubs,
)
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.engine.wheels_on_tyres import read_wheels
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.compliance.elastic_axle import (
    ElasticAxle,
    ElasticPoses,
    solved_each,
)
from sheetmbs.suspension.compliance.linkage import start_poses
from sheetmbs.suspension.elastic.spring_elements import element_spans
from sheetmbs.suspension.handling.moving_axle import (
    BY_RACK,
    BY_TWIST,
    BY_WRENCH,
    INPUTS,
    BodiesAtRest,
    MovingAxle,
)
from sheetmbs.suspension.handling.predicted_states import Predicted
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    HEIGHT,
    PITCH,
    RACK,
    RACK_FORCE,
    RESIDUAL,
    ROLL,
    TRAVELS,
    TWISTING,
    WHEELS,
    Closure,
    Mask,
    Solved,
    StateSearch,
    SteadyCar,
    Torques,
    WheelReadings,
)
from sheetmbs.suspension.layout.car import SIDES, MassPoint
from sheetmbs.suspension.layout.type_table import CHASSIS
from sheetmbs.suspension.loads.road import TyreWrench, road

Complexes = NDArray[np.complex128]
HUBS = HUB * WHEELS
WRENCHES = slice(COUNT + READ_OFFS, COUNT + READ_OFFS + HUBS)
"""rows of what acts on the carriers"""
OF_UNKNOWNS = slice(1, 1 + COUNT)
"""columns of derivatives by the unknowns, behind the step of what is not yet at rest; behind them stands the twist"""
LONGEST = 0.1
"""m and rad, of a step of a body"""
STEP = 1e-30
"""of complex steps through the pull on unit mass"""


@dataclass(frozen=True, eq=False)
class ElasticCar(SteadyCar):
    """A car whose axles have elastic parts. axles: in the order of the car.

    torsion: of the body between its axles, N m/rad; None where it is rigid. ahead: share of the sprung mass on its front half.
    """

    axles: Mapping[str, ElasticAxle]
    torsion: float | None = None
    ahead: float = 0.5

    @cached_property
    def halved(self) -> TyredCar:
        """The car of the equations, whose rear half of the body is a mass of its own, behind all others."""
        parts = self.kernel.parts
        if self.torsion is None:
            return self.kernel
        behind = (1.0 - self.ahead) * parts.sprung_mass
        own = replace(
            parts,
            sprung_mass=parts.sprung_mass - behind,
            carrier=np.append(parts.carrier, len(self.axles) - 1),
            amount=np.append(parts.amount, behind),
        )
        return replace(self.kernel, parts=own)

    def twist(self, solved: Solved) -> Floats | None:
        """(n,) roll of the front half of the body less that of the rear half, rad; None where the body is rigid."""
        return None if self.torsion is None else -solved.read[:, TWISTING - COUNT] / self.torsion

    @cached_property
    def known(self) -> dict[bytes, list[BodiesAtRest]]:
        """Bodies of all axles in the states that were found last, by the unknowns of these, the oldest first."""
        return {}

    def search(
        self,
        start: Floats | Predicted,
        torques: Torques,
        closure: Closure,
        lifted: Mask | None,
        enough: Floats | float,
    ) -> StateSearch:
        """What looks for states."""
        return ElasticSearch(self, start, torques, closure, lifted, enough)

    def wheels(self, solved: Solved, torques: Torques, closure: Closure) -> WheelReadings:
        """What is read off all wheels; bodies that are no longer known are found once more."""
        as_found = replace(torques, differential=solved.differential)
        search = ElasticSearch(self, solved.x, as_found, closure, solved.lifted, np.inf)
        if not search.is_known.all():
            search.settle()
        rows = np.arange(len(solved.x))
        found = np.empty((len(rows), WHEELS, WHEEL_COLUMNS))
        read_wheels(search.bundle(rows), solved.x, found)
        springs = np.zeros((len(rows), WHEELS))
        for number, axle in enumerate(search.axles):
            force = axle.element_forces()
            for k, ((row, _span), element) in enumerate(
                zip(element_spans(axle.of.axle), axle.of.elements, strict=True)
            ):
                side = element.key[1]
                if row.kind == SpringKind.SPRING and side:
                    springs[:, 2 * number + (side == "right")] -= force[:, k]
        return WheelReadings(found, springs)

    def rest(
        self, solved: Solved, torques: Torques, closure: Closure
    ) -> tuple[dict[str, ElasticPoses], dict[str, dict[str, TyreWrench]]]:
        """Where the bodies of all axles stand in states, and what the road exerts on each wheel, by axle and side."""
        search = ElasticSearch(self, solved.x, torques, closure, solved.lifted, np.inf)
        search.settle()
        rows = np.arange(len(solved.x))
        columns = np.empty((len(rows), WHEELS, WHEEL_COLUMNS))
        read_wheels(search.bundle(rows), solved.x, columns)
        roll, pitch, height = (solved.x[:, each] for each in (ROLL, PITCH, HEIGHT))
        poses, tyres = {}, {}
        for number, (name, axle) in enumerate(zip(self.axles, search.axles, strict=True)):
            still = np.ones(len(rows), dtype=bool)
            poses[name] = ElasticPoses(
                axle.of, axle.standing(rows), axle.poses, np.zeros((len(rows), 2)), axle.held, still
            )
            shift, softness = self.kernel.parts.shift[number], self.kernel.carcass[2 * number : 2 * number + 2]
            ground = axle.on_half(road(roll, pitch, height))
            tyres[name] = {
                side: axle.wrench(k, ground, shift, softness[k], columns[:, 2 * number + k])
                for k, side in enumerate(SIDES)
            }
        return poses, tyres


class ElasticSearch(StateSearch):
    """States of a car with elastic parts on their way."""

    car: ElasticCar

    def __init__(
        self,
        car: ElasticCar,
        start: Floats | Predicted,
        torques: Torques,
        closure: Closure,
        lifted: Mask | None,
        enough: Floats | float,
    ) -> None:
        super().__init__(car, start, torques, closure, lifted, enough)
        states, self.begun = car.states(self.x, None)
        parts = car.kernel.parts
        self.axles = []
        for number, (name, axle) in enumerate(car.axles.items()):
            masses = tuple(states[name].fixed.masses)
            hinge = None
            if car.torsion is not None and number == len(car.axles) - 1:
                hinge = np.array([0.0, 0.0, 1.0]) * (parts.downforce_at[number] - parts.shift[number])
                at = car.halved.parts.sprung_at - parts.shift[number]
                masses = (*masses, MassPoint(CHASSIS, "", at, float(car.halved.parts.amount[-1])))
            self.axles.append(
                MovingAxle(axle, start_poses(axle, states[name].swept), masses, float(parts.radius[0]), hinge)
            )
        self.twists: Floats | None = None
        self.bodies: list[Floats] = []
        self.multipliers: list[Floats] = []
        self.is_known = np.array([x.tobytes() in car.known for x in self.x])
        self._begin(start)

    def _begin(self, start: Floats | Predicted) -> None:
        """Put the bodies where they are expected, those of states that were found where they came to rest."""
        known = self.car.known
        near = [known.get(x.tobytes()) for x in (start.x if isinstance(start, Predicted) else start)]
        rows = np.array([row for row, own in enumerate(near) if own is not None], dtype=np.int64)
        first = [own for own in near if own is not None]
        if not first:
            return
        if not isinstance(start, Predicted):
            for number, axle in enumerate(self.axles):
                axle.begin(rows, [own[number] for own in first])
            return
        beyond = [known.get(start.other[row].tobytes()) for row in rows]
        expected = start.at(rows, np.array([own is not None for own in beyond]))
        second = [own or instead for own, instead in zip(beyond, first, strict=True)]
        for number, axle in enumerate(self.axles):
            axle.begin(rows, [own[number] for own in first])
            axle.go_ahead(rows, [own[number] for own in second], expected)

    def found(self, most: int) -> Solved:
        """What the search comes to, whose bodies are kept for what is read off them."""
        solved, known = super().found(most), self.car.known
        for row in np.flatnonzero(solved.good):
            known[solved.x[row].tobytes()] = [axle.at_rest(int(row)) for axle in self.axles]
        while len(known) > MOST_KNOWN:
            known.pop(next(iter(known)))
        return solved

    def bundle(self, rows: Ints) -> SteadyStates:
        """The equations of the car at the poses of some states."""
        each = [axle.vectors(rows) for axle in self.axles]
        vectors = np.concatenate([own for pair in zip(*each, strict=True) for own in pair], axis=1)
        pressed = self.car.pressed(vectors, self.torques_at(rows), self.closure.at(rows), self.lifted[rows])
        return replace(pressed, car=self.car.halved)

    def _balance(self, rows: Ints, x: Floats) -> tuple[Floats, Floats, Floats, Mask]:
        reached = self.begun[rows]
        pull, by_x = pull_on_mass(x, self.car.kernel.gravity)
        normal = road(x[:, ROLL], x[:, PITCH], x[:, HEIGHT]).up
        for axle in self.axles:
            axle.normal[rows], axle.rack[rows] = normal, x[:, RACK]
            axle.up[rows] = -pull / self.car.kernel.gravity
        left, slopes = self._pressed(rows, x)
        rack = np.eye(COUNT)[RACK]
        steps = []
        for number, axle in enumerate(self.axles):
            wrench = left[:, WRENCHES].reshape(-1, WHEELS, HUB)[:, 2 * number : 2 * number + 2]
            axle.force[rows], axle.moment[rows] = wrench[..., :3], wrench[..., 3:]
            steps.append(axle.step(rows))
        moved = [axle.moved(rows, step) for axle, step in zip(self.axles, steps, strict=True)]
        by_wrench, others = self._of_all(moved)
        given = np.concatenate((np.tile(rack, (len(rows), 1, 1)), by_x), axis=1)
        direct = np.concatenate((others[..., :1], others[..., 1:-1] @ given, others[..., -1:]), axis=2)
        pressed, pressing = slopes[:, WRENCHES, :COUNT], slopes[:, WRENCHES, COUNT:]
        direct[:, :, OF_UNKNOWNS] += by_wrench @ pressed
        whole = np.eye(direct.shape[1]) - by_wrench @ pressing
        motion = np.linalg.solve(whole, direct)  # of wheels and masses, by themselves, by the unknowns and by the twist
        untwisted = self._untwisted(rows, left[:, TWISTING], slopes[:, TWISTING], motion)
        twist, motion = untwisted[:, -1], motion @ untwisted
        wrenches = pressing @ motion
        wrenches[:, :, OF_UNKNOWNS] += pressed
        residual, matrix = left[:, : COUNT + READ_OFFS].copy(), slopes[:, : COUNT + READ_OFFS, :COUNT].copy()
        change = slopes[:, : COUNT + READ_OFFS, COUNT:] @ motion
        matrix += change[:, :, 1:]
        right = -(residual[:, :COUNT] + change[:, :COUNT, 0])
        residual[:, RACK_FORCE], matrix[:, RACK_FORCE] = 0.0, 0.0
        self.bodies, self.multipliers, self.twists = [], [], twist
        for number, (axle, step, own) in enumerate(zip(self.axles, steps, moved, strict=True)):
            inputs = np.zeros((len(rows), INPUTS, 1 + COUNT))
            inputs[:, 0, 0] = 1.0
            inputs[:, BY_WRENCH] = wrenches[:, 12 * number : 12 * number + 12]
            inputs[:, BY_RACK.start : BY_TWIST, OF_UNKNOWNS] = given
            if number == len(self.axles) - 1:
                inputs[:, BY_TWIST] = twist
            self.bodies.append(step.bodies @ inputs)
            self.multipliers.append(step.multipliers @ inputs)
            follows = (self.bodies[-1], self.multipliers[-1], inputs[:, [BY_TWIST]])
            axle.by_unknowns[rows] = np.concatenate([each[..., OF_UNKNOWNS] for each in follows], axis=1)
            travels = own[:, -2:] @ inputs
            at = slice(2 * number, 2 * number + 2)
            short = x[:, at] - axle.travels(rows)
            right[:, at] = travels[:, :, 0] - short
            matrix[:, at] = np.eye(COUNT)[at] - travels[:, :, 1:]
            radius = axle.radius
            off = np.maximum(step.left, step.gap / radius * self.car.weight)[:, None]
            off = np.maximum(off, self._off_twist(rows, axle, left[:, TWISTING])[:, None] / radius)
            residual[:, at] = np.maximum(off, np.abs(short) / radius * self.car.weight)
            if axle.of.structure.rack is not None:
                force, by = axle.rack_force(rows, step, inputs)
                residual[:, RACK_FORCE] += force
                matrix[:, RACK_FORCE] += by[:, 1:]
        return residual, matrix, solved_each(matrix[:, :COUNT], right), reached

    def _untwisted(self, rows: Ints, moment: Floats, by: Floats, motion: Floats) -> Floats:
        """(n, 1 + k + 1, 1 + k) what is given, of k unknowns, and behind it the twist u that follows: M + dM = k (u + du).

        moment: (n,) on the rear half; by: (n, unknowns and y) its derivatives; motion: (n, y, 1 + k + 1) of y, by u last.
        """
        found = np.tile(np.eye(2 + COUNT, 1 + COUNT), (len(moment), 1, 1))
        if self.car.torsion is not None:
            k = self.car.torsion
            whole = (by[:, None, COUNT:] @ motion)[:, 0]
            whole[:, OF_UNKNOWNS] += by[:, :COUNT]
            whole[:, 0] += moment - k * self.axles[-1].twist[rows]
            found[:, -1] = whole[:, :-1] / (k - whole[:, -1])[:, None]
        return found

    def _off_twist(self, rows: Ints, axle: MovingAxle, moment: Floats) -> Floats:
        """(n,) moment that the torsion of the body leaves over, N m."""
        if self.car.torsion is None or axle is not self.axles[-1]:
            return np.zeros(len(moment))
        return np.asarray(np.abs(moment - self.car.torsion * axle.twist[rows]))

    def _pressed(self, rows: Ints, x: Floats) -> tuple[Floats, Floats]:
        """What the unknowns leave over, with what acts on the carriers, and all derivatives."""
        masses = sum(len(axle.masses) for axle in self.axles)
        residual = np.zeros((len(rows), COUNT + READ_OFFS + HUBS))
        slopes = np.zeros((len(rows), COUNT + READ_OFFS + HUBS, COUNT + HUBS + 3 * masses))
        balance_on_hubs(self.bundle(rows), np.ascontiguousarray(x), np.arange(len(rows)), residual, slopes)
        return residual, slopes

    def _of_all(self, moved: Sequence[Floats]) -> tuple[Floats, Floats]:
        """(n, y, 24) motions of all wheels and masses by all wrenches, and (n, y, 6) by themselves, rack, pull and twist."""
        count = len(moved[0])
        masses = [3 * len(axle.masses) for axle in self.axles]
        by_wrench = np.zeros((count, HUBS + sum(masses), HUBS))
        others = np.zeros((count, HUBS + sum(masses), 1 + INPUTS - BY_RACK.start))
        first = HUBS
        for number, (own, size) in enumerate(zip(moved, masses, strict=True)):
            wheels = slice(12 * number, 12 * number + 12)
            for target, source in ((wheels, slice(0, 12)), (slice(first, first + size), slice(12, 12 + size))):
                by_wrench[:, target, wheels] = own[:, source, BY_WRENCH]
                others[:, target, 0] = own[:, source, 0]
                others[:, target, 1:] = own[:, source, BY_RACK.start :]
            first += size
        return by_wrench, others

    def _move(self, rows: Ints, which: Mask, change: Floats) -> None:
        at, own = rows[which], np.flatnonzero(which)
        if not len(at):
            return
        whole = np.concatenate((np.ones((len(own), 1)), change[own]), axis=1)[..., None]
        steps = [(bodies[own] @ whole)[..., 0] for bodies in self.bodies]
        longest = np.max([np.max(np.abs(step), axis=1) for step in steps], axis=0)
        share = np.minimum(1.0, LONGEST / np.maximum(longest, TINY))[:, None]
        for axle, step, multipliers in zip(self.axles, steps, self.multipliers, strict=True):
            axle.move(at, share * step, share * (multipliers[own] @ whole)[..., 0])
        if self.car.torsion is not None and self.twists is not None:
            self.axles[-1].twist[at] += share[:, 0] * np.sum(self.twists[own] * whole[..., 0], axis=1)
        self.x[at] += share * change[own]

    def settle(self) -> None:
        """Bring the bodies into equilibrium with what acts on the wheels at the unknowns, which stay."""
        rows, none = np.arange(len(self.x)), np.zeros((len(self.x), COUNT))
        for _ in range(SETTLING):
            residual, *_rest = self._balance(rows, self.x)
            self._move(rows, np.ones(len(rows), dtype=bool), none)
            if np.nanmax(np.abs(residual[:, TRAVELS]), initial=0.0) <= RESIDUAL * self.car.weight:
                break


MOST_KNOWN = 2000
"""states whose bodies are kept, with their derivatives some 50 kB each"""
SETTLING = 15
"""rounds in which bodies find their equilibrium"""
TINY = 1e-300


def pull_on_mass(x: Floats, gravity: float) -> tuple[Floats, Floats]:
    """(n, 3) what gravity and acceleration exert on unit mass, m/s^2, and (n, 3, unknowns) its derivatives by complex steps."""
    varied = (ROLL, PITCH, AY, AX, BETA)
    found = np.zeros((len(x), 3, COUNT))
    for unknown in varied:
        stepped = x.astype(np.complex128)
        stepped[:, unknown] += 1j * STEP
        found[:, :, unknown] = _pull(stepped, gravity).imag / STEP
    return _pull(x, gravity).real, found


def _pull(x: Floats | Complexes, gravity: float) -> Complexes:
    up = np.stack(
        (-np.sin(x[:, PITCH]), np.sin(x[:, ROLL]) * np.cos(x[:, PITCH]), np.cos(x[:, ROLL]) * np.cos(x[:, PITCH])),
        axis=-1,
    )
    ahead = np.array([1.0, 0.0, 0.0]) - up * up[:, :1]
    ahead = ahead / np.sqrt(np.sum(ahead * ahead, axis=1))[:, None]
    left = np.cross(up, ahead)
    cos, sin = np.cos(x[:, BETA])[:, None], np.sin(x[:, BETA])[:, None]
    along, across = cos * ahead + sin * left, cos * left - sin * ahead
    return np.asarray(-(x[:, AX, None] * along + x[:, AY, None] * across + gravity * up), dtype=np.complex128)
