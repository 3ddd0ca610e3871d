"""Steady states of a car with elastic parts: bushings, links, rack and bearings give way within the same equilibrium.

Every body of an axle is free to move, as in `compliance/elastic_axle.py`; with r what acts on them and K its derivative, the
forces and moments w on the carriers and the pull g on unit mass, a step of Newton's method moves the bodies by

    K dq = -r + B' dw + (pull of the rack) drack + sum m B_m' dg        phi_q dq = -phi

where B is how the wheels move with them, and B_m how an unsprung mass does. The wheels and masses move by dy = (B, B_m) dq,
and the wrenches by dw = w_x dx + w_y dy (`engine/car_on_tyres.py`), so that dy = p + P dx of the unknowns x of the car. Its
equations become (R_x + R_y P) dx = -(R + R_y p); the travels are those of the wheel centres. So residuals and read-offs have
whole derivatives, and nothing is corrected afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.car_on_road import PER_WHEEL
from sheetmbs.engine.car_on_tyres import (
    FX,
    FY,
    FZ,
    HUB,
    MX,
    MY,
    MZ,
    READ_OFFS,
    WHEEL_COLUMNS,
    SteadyStates,
    balance_on_hubs,
    read_wheels,
)
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.compliance.deformations import BodyPoses, skew
from sheetmbs.suspension.compliance.elastic_axle import (
    LOAD,
    Assembled,
    AxleStanding,
    ElasticAxle,
    ElasticPoses,
    solved_each,
    standing,
)
from sheetmbs.suspension.compliance.linkage import start_poses
from sheetmbs.suspension.elastic.spring_elements import element_spans
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
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.loads.road import Road, TyreWrench, road

Complexes = NDArray[np.complex128]
HUBS = HUB * WHEELS
WRENCHES = slice(COUNT + READ_OFFS, COUNT + READ_OFFS + HUBS)
"""rows of what acts on the carriers"""
LONGEST = 0.1
"""m and rad, of a step of a body"""
ROUNDING = 1e-15
"""m, of places of bodies: forces that stiff parts make of it are no residual"""
STEP = 1e-30
"""of complex steps through the pull on unit mass"""


class BodiesAtRest(NamedTuple):
    """Places (bodies, 3), orientations (bodies, 3, 3) and multipliers (c,) of an axle in equilibrium."""

    place: Floats
    turn: Floats
    held: Floats


@dataclass(frozen=True, eq=False)
class ElasticCar(SteadyCar):
    """A car whose axles have elastic parts. axles: in the order of the car."""

    axles: Mapping[str, ElasticAxle]

    @cached_property
    def known(self) -> dict[bytes, list[BodiesAtRest]]:
        """Bodies of all axles in states that were found last, by the unknowns of these."""
        return {}

    def search(
        self, start: Floats, torques: Torques, closure: Closure, lifted: Mask | None, enough: Floats | float
    ) -> StateSearch:
        """What looks for states."""
        return ElasticSearch(self, start, torques, closure, lifted, enough)

    def wheels(self, solved: Solved, torques: Torques, closure: Closure) -> WheelReadings:
        """What is read off all wheels, of states that are found once more from where they are."""
        as_found = replace(torques, differential=solved.differential)
        search = ElasticSearch(self, solved.x, as_found, closure, solved.lifted, np.inf)
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
        ground = road(*(solved.x[:, each] for each in (ROLL, PITCH, HEIGHT)))
        poses, tyres = {}, {}
        for number, (name, axle) in enumerate(zip(self.axles, search.axles, strict=True)):
            still = np.ones(len(rows), dtype=bool)
            poses[name] = ElasticPoses(
                axle.of, axle.standing(rows), axle.poses, np.zeros((len(rows), 2)), axle.held, still
            )
            shift = self.kernel.parts.shift[number]
            tyres[name] = {
                side: axle.wrench(k, ground, shift, columns[:, 2 * number + k]) for k, side in enumerate(SIDES)
            }
        return poses, tyres


@dataclass(frozen=True, eq=False)
class AxleStep:
    """How the bodies of an axle move: own, by the wrenches (12), the rack and the pull (3), and the multipliers with them.

    now: what acts. bodies: (n, N, 17), multipliers: (n, c, 17); left: (n,) the largest force that is left over, N; gap: (n,) m
    or rad.
    """

    now: Assembled

    bodies: Floats
    multipliers: Floats
    left: Floats
    gap: Floats


BY_WRENCH, BY_RACK, BY_PULL, INPUTS = slice(1, 13), slice(13, 14), slice(14, 17), 17
"""what moves bodies: first they themselves, then the wrenches of both wheels, the rack, and the pull on unit mass"""


class MovingAxle:
    """An axle in n states on their way. masses: those that hang on it, in the order of the car."""

    def __init__(self, of: ElasticAxle, poses: BodyPoses, masses: tuple[MassPoint, ...], radius: float) -> None:
        self.of, self.poses, self.masses, self.radius = of, poses, masses, radius
        self.held = np.zeros((len(poses), len(of.constraints)))
        self.force = np.zeros((len(poses), len(SIDES), 3))
        self.moment = np.zeros_like(self.force)
        self.up = np.zeros((len(poses), 3))
        self.normal = np.zeros((len(poses), 3))
        self.rack = np.zeros(len(poses))

    def standing(self, rows: Ints) -> AxleStanding:
        """The axle under the wrenches of its wheels alone; the road acts through them."""
        count = len(rows)
        return replace(
            standing(LOAD, np.zeros((count, 2)), self.rack[rows], self.normal[rows]),
            force=self.force[rows],
            moment=self.moment[rows],
            at_centre=np.ones(count, dtype=bool),
            up=self.up[rows],
        )

    def vectors(self, rows: Ints) -> tuple[Floats, Floats]:
        """Find vectors of wheels (n, 6, 13, 3) and of masses (n, m, 13, 3) where they are; the bodies alone move them."""
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
        return BodiesAtRest(self.poses.place[row].copy(), self.poses.turn[row].copy(), self.held[row].copy())

    def wrench(self, number: int, on: Road, shift: Floats, columns: Floats) -> TyreWrench:
        """What the road exerts on a wheel. columns: (n, 13) what is read off it."""
        wheels, _masses = self.vectors(np.arange(len(self.poses)))
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
        held = self.moment[:, number]
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
        sizes = np.tile(np.repeat([1.0, 1.0 / self.radius], 3), size // 6)
        return AxleStep(
            now,
            np.asarray(found[:, :size]),
            np.asarray(scale * found[:, size:]),
            np.maximum(
                np.max(np.abs(left * sizes), axis=1) - ROUNDING * np.max(np.abs(now.stiffness), axis=(1, 2)), 0.0
            ),
            np.max(np.abs(gap), axis=1, initial=0.0),
        )

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
        rows = np.arange(len(self.poses))
        poses, on = self.poses, self.standing(rows)
        return self.of.assemble(poses, on, self.held, np.zeros((len(rows), 2))).element_force


class ElasticSearch(StateSearch):
    """States of a car with elastic parts on their way."""

    car: ElasticCar

    def __init__(
        self,
        car: ElasticCar,
        start: Floats,
        torques: Torques,
        closure: Closure,
        lifted: Mask | None,
        enough: Floats | float,
    ) -> None:
        super().__init__(car, start, torques, closure, lifted, enough)
        states, self.begun = car.states(start, None)
        parts = car.kernel.parts
        self.axles = [
            MovingAxle(
                axle, start_poses(axle, states[name].swept), tuple(states[name].fixed.masses), float(parts.radius[0])
            )
            for name, axle in car.axles.items()
        ]
        self.bodies: list[Floats] = []
        self.multipliers: list[Floats] = []
        for row, x in enumerate(start):
            for axle, own in zip(self.axles, car.known.get(x.tobytes(), ()), strict=False):
                axle.poses.place[row], axle.poses.turn[row], axle.held[row] = own

    def found(self, most: int) -> Solved:
        """What the search comes to, whose bodies are kept for what is read off them."""
        solved = super().found(most)
        if len(self.car.known) > MOST_KNOWN:
            self.car.known.clear()
        for row in np.flatnonzero(solved.good):
            self.car.known[solved.x[row].tobytes()] = [axle.at_rest(int(row)) for axle in self.axles]
        return solved

    def bundle(self, rows: Ints) -> SteadyStates:
        """The equations of the car at the poses of some states."""
        each = [axle.vectors(rows) for axle in self.axles]
        vectors = np.concatenate([own for pair in zip(*each, strict=True) for own in pair], axis=1)
        return self.car.pressed(vectors, self.torques_at(rows), self.closure.at(rows), self.lifted[rows])

    def _balance(self, rows: Ints, x: Floats) -> tuple[Floats, Floats, Floats, Mask]:
        reached = self.begun[rows]
        pull, by_x = pull_on_mass(x, self.car.kernel.gravity)
        normal = road(x[:, ROLL], x[:, PITCH], x[:, HEIGHT]).up
        for axle in self.axles:
            axle.normal[rows], axle.rack[rows] = normal, x[:, RACK]
            axle.up[rows] = -pull / self.car.kernel.gravity
        left, slopes = self._pressed(rows, x)
        rack = np.eye(COUNT)[RACK]
        none = np.zeros((len(rows), 1, 1))
        steps = []
        for number, axle in enumerate(self.axles):
            wrench = left[:, WRENCHES].reshape(-1, WHEELS, HUB)[:, 2 * number : 2 * number + 2]
            axle.force[rows], axle.moment[rows] = wrench[..., :3], wrench[..., 3:]
            steps.append(axle.step(rows))
        moved = [axle.motions(rows) @ step.bodies for axle, step in zip(self.axles, steps, strict=True)]
        by_wrench, others = self._of_all(moved)
        given = np.concatenate((np.tile(rack, (len(rows), 1, 1)), by_x), axis=1)
        direct = np.concatenate((none + others[..., :1], others[..., 1:] @ given), axis=2)
        pressed, pressing = slopes[:, WRENCHES, :COUNT], slopes[:, WRENCHES, COUNT:]
        direct[:, :, 1:] += by_wrench @ pressed
        whole = np.eye(direct.shape[1]) - by_wrench @ pressing
        motion = np.linalg.solve(whole, direct)  # of wheels and masses, by themselves and by the unknowns
        wrenches = pressing @ motion
        wrenches[:, :, 1:] += pressed
        residual, matrix = left[:, : COUNT + READ_OFFS].copy(), slopes[:, : COUNT + READ_OFFS, :COUNT].copy()
        change = slopes[:, : COUNT + READ_OFFS, COUNT:] @ motion
        matrix += change[:, :, 1:]
        right = -(residual[:, :COUNT] + change[:, :COUNT, 0])
        residual[:, RACK_FORCE], matrix[:, RACK_FORCE] = 0.0, 0.0
        self.bodies, self.multipliers = [], []
        for number, (axle, step, own) in enumerate(zip(self.axles, steps, moved, strict=True)):
            inputs = np.zeros((len(rows), INPUTS, 1 + COUNT))
            inputs[:, 0, 0] = 1.0
            inputs[:, BY_WRENCH] = wrenches[:, 12 * number : 12 * number + 12]
            inputs[:, BY_RACK.start :, 1:] = given
            self.bodies.append(step.bodies @ inputs)
            self.multipliers.append(step.multipliers @ inputs)
            travels = own[:, -2:] @ inputs
            at = slice(2 * number, 2 * number + 2)
            short = x[:, at] - axle.travels(rows)
            right[:, at] = travels[:, :, 0] - short
            matrix[:, at] = np.eye(COUNT)[at] - travels[:, :, 1:]
            radius = axle.radius
            off = np.maximum(step.left, step.gap / radius * self.car.weight)[:, None]
            residual[:, at] = np.maximum(off, np.abs(short) / radius * self.car.weight)
            if axle.of.structure.rack is not None:
                force, by = axle.rack_force(rows, step, inputs)
                residual[:, RACK_FORCE] += force
                matrix[:, RACK_FORCE] += by[:, 1:]
        return residual, matrix, solved_each(matrix[:, :COUNT], right), reached

    def _pressed(self, rows: Ints, x: Floats) -> tuple[Floats, Floats]:
        """What the unknowns leave over, with what acts on the carriers, and all derivatives."""
        masses = sum(len(axle.masses) for axle in self.axles)
        residual = np.zeros((len(rows), COUNT + READ_OFFS + HUBS))
        slopes = np.zeros((len(rows), COUNT + READ_OFFS + HUBS, COUNT + HUBS + 3 * masses))
        balance_on_hubs(self.bundle(rows), np.ascontiguousarray(x), np.arange(len(rows)), residual, slopes)
        return residual, slopes

    def _of_all(self, moved: Sequence[Floats]) -> tuple[Floats, Floats]:
        """(n, y, 24) motions of all wheels, then of all masses, by all wrenches, and (n, y, 5) by themselves, rack and pull."""
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
        self.x[at] += share * change[own]

    def settle(self) -> None:
        """Bring the bodies into equilibrium with what acts on the wheels at the unknowns, which stay."""
        rows, none = np.arange(len(self.x)), np.zeros((len(self.x), COUNT))
        for _ in range(SETTLING):
            residual, *_rest = self._balance(rows, self.x)
            self._move(rows, np.ones(len(rows), dtype=bool), none)
            if np.nanmax(np.abs(residual[:, TRAVELS]), initial=0.0) <= RESIDUAL * self.car.weight:
                break


MOST_KNOWN = 5000
"""states whose bodies are kept, a few kB each"""
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
