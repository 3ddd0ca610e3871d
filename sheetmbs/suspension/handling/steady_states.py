"""Steady states of a car on its tyres by Newton's method on many states at once; the equations: `engine/car_on_tyres.py`.

The derivatives are exact, those by the rack and of the tyres too: the last step squares what is left, and read-offs
follow from the implicit function theorem: J dx = e of a closure whose value changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.car_on_road import PER_WHEEL
from sheetmbs.engine.car_on_tyres import (
    HUB,
    LEFT_MORE,
    LOCKED,
    OPEN,
    READ_OFFS,
    RIGHT_MORE,
    SINGLE_READ_OFFS,
    SUM_OF_UNKNOWNS,
    WHEEL_COLUMNS,
    YAW_MOMENT,
    SteadyStates,
    TyredCar,
    balance_states,
)
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.engine.wheels_on_tyres import read_wheels
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.handling.predicted_states import Predicted
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.loads.standing_car import AxleState, StandingCar

WHEELS, AXLES, CLOSURES = 4, 2, 4
ROLL, PITCH, HEIGHT = 4, 5, 6
TRAVELS, LOADS, SLIPS = slice(0, 4), slice(7, 11), slice(11, 15)
AY, AX, BETA, RACK, SQUARE, EFFORT = range(15, 21)
APART = slice(21, 23)
COUNT = 23
"""unknowns, in the order of the kernel"""
YAW, RACK_FORCE, STEER, POWER = range(COUNT, COUNT + SINGLE_READ_OFFS)
"""what is read off behind the equations"""
PRESSED = slice(COUNT + SINGLE_READ_OFFS, COUNT + SINGLE_READ_OFFS + WHEELS)
"""how far each wheel is over where its load lets it stand, m: 0 on the road, above 0 of a lifted wheel"""
FASTER_LEFT = slice(PRESSED.stop, PRESSED.stop + AXLES)
"""by how much the left wheel of each axle turns faster, over the speed, 1/m"""
TWISTING = COUNT + READ_OFFS - 1
"""moment on the rear half of the body about the line about which it twists, N m"""
RESIDUAL = 1e-9
"""largest residual of a state, over the weight or the weight times the tyre radius"""
CONVERGED_STEP = 1e-9
"""step over the size of what it changes that is the last: it leaves its square"""
MAX_STEPS = 25
MAX_TRAVEL_STEP, MAX_ANGLE_STEP, MAX_SLIP_STEP = 0.02, 0.05, 0.03
"""m, rad and slip of one step, beyond which tyres and poses are predicted badly"""
MAX_CHANGES = 8
"""changes of wheels that lift or come back, and of limited differentials, of one state"""
RETURNING = 0.01
"""load over the weight with which a wheel that comes back to the road begins"""
NEARLY = 1.0 - 1e-6
"""share of its bias from which on a differential begins as one whose torques are apart"""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Closure:
    """What closes the equations of n states. kind, value: (n, 4); weights: (n, 4, unknowns) of sums."""

    kind: Ints
    value: Floats
    weights: Floats

    def at(self, rows: Ints) -> Closure:
        """Some of its rows."""
        return Closure(self.kind[rows], self.value[rows], self.weights[rows])


def joined_closures(each: Sequence[Closure]) -> Closure:
    """Closures of several groups of states, one behind the other."""
    return Closure(
        np.concatenate([own.kind for own in each]),
        np.concatenate([own.value for own in each]),
        np.concatenate([own.weights for own in each]),
    )


@dataclass(frozen=True, eq=False)
class Condition:
    """One of the four that close the equations: a sum of unknowns with these weights, or the yaw moment, has a value."""

    weights: Mapping[int, float]
    value: Floats | float
    kind: int = SUM_OF_UNKNOWNS


def holding(unknown: int, value: Floats | float) -> Condition:
    """An unknown has a value, or (n,)."""
    return Condition({unknown: 1.0}, value)


def along_circle(radius: float) -> Condition:
    """The car goes round a circle, to the left where its radius is above 0: ay R = V^2."""
    return Condition({AY: radius, SQUARE: -1.0}, 0.0)


IN_TRIM = Condition({}, 0.0, YAW_MOMENT)
"""no yaw moment is left"""


def closed_by(count: int, conditions: Sequence[Condition]) -> Closure:
    """Closures of n states."""
    kind, value = np.zeros((count, CLOSURES), dtype=np.int64), np.zeros((count, CLOSURES))
    weights = np.zeros((count, CLOSURES, COUNT))
    for number, each in enumerate(conditions):
        kind[:, number], value[:, number] = each.kind, each.value
        for unknown, weight in each.weights.items():
            weights[:, number, unknown] = weight
    return Closure(kind, value, weights)


@dataclass(frozen=True, eq=False)
class Torques:
    """Who drives and brakes. drive, brake: (n, 4) shares of the effort; driven, braked: (n, 4) further torques, N m.

    downforce: (n, 2) given on top. differential: (n, 2) open or locked; limited: (2,) those that lock until torques are apart
    by their bias, of which ``differential`` may say how they begin.
    """

    drive: Floats
    brake: Floats
    driven: Floats
    braked: Floats
    downforce: Floats
    differential: Ints
    limited: Mask

    def at(self, rows: Ints) -> Torques:
        """Some of its rows."""
        return Torques(
            self.drive[rows],
            self.brake[rows],
            self.driven[rows],
            self.braked[rows],
            self.downforce[rows],
            self.differential[rows],
            self.limited,
        )


def joined_torques(each: Sequence[Torques]) -> Torques:
    """Torques of several groups of states of one car, one behind the other."""
    return Torques(
        np.concatenate([own.drive for own in each]),
        np.concatenate([own.brake for own in each]),
        np.concatenate([own.driven for own in each]),
        np.concatenate([own.braked for own in each]),
        np.concatenate([own.downforce for own in each]),
        np.concatenate([own.differential for own in each]),
        each[0].limited,
    )


@dataclass
class Solved:
    """n states. x: (n, unknowns). lifted: (n, 4). differential: (n, 2), as they came to work. residual: (n,) relative.

    matrix: (n, k + r, k) of k equations and r read-offs; read: (n, r).

    why: of each state that has no equilibrium, else ``""``. taken: (n,) steps of Newton's method.
    """

    x: Floats
    lifted: Mask
    differential: Ints
    residual: Floats
    matrix: Floats
    read: Floats
    why: list[str]
    taken: Ints

    @property
    def good(self) -> Mask:
        """Which states were found."""
        return np.array([not each for each in self.why])

    def at(self, rows: Ints) -> Solved:
        """Some of these states."""
        return self._taken(rows, [self.why[row] for row in rows])

    def with_rows(self, rows: Ints, other: Solved) -> Solved:
        """The same with other states in some rows."""
        found = self._taken(np.arange(len(self.x)), list(self.why))
        found.put(rows, other)
        return found

    def _taken(self, rows: Ints, why: list[str]) -> Solved:
        return Solved(
            self.x[rows],
            self.lifted[rows],
            self.differential[rows],
            self.residual[rows],
            self.matrix[rows],
            self.read[rows],
            why,
            self.taken[rows],
        )

    def put(self, rows: Ints, other: Solved) -> None:
        """Take the states of another in some rows."""
        for name in ARRAYS:
            getattr(self, name)[rows] = getattr(other, name)
        for row, why in zip(rows, other.why, strict=True):
            self.why[row] = why

    def slopes(self, closure: int) -> Floats:
        """(n, k + r) of all unknowns and read-offs by the value of one closure; NaN where a state has none."""
        found = np.full((len(self.x), COUNT + READ_OFFS), np.nan)
        good = self.good
        right = np.zeros((int(np.sum(good)), COUNT, 1))
        right[:, BETA + closure] = 1.0
        own = np.linalg.solve(self.matrix[good, :COUNT], right)
        found[good, :COUNT] = own[..., 0]
        found[good, COUNT:] = (self.matrix[good, COUNT:] @ own)[..., 0]
        return found


ARRAYS = ("x", "lifted", "differential", "residual", "matrix", "read", "taken")
"""of solved states"""


def joined_states(each: Sequence[tuple[Solved, int]]) -> Solved:
    """States of several, each a state of one of them, in this order."""
    return Solved(
        np.array([own.x[row] for own, row in each]),
        np.array([own.lifted[row] for own, row in each]),
        np.array([own.differential[row] for own, row in each]),
        np.array([own.residual[row] for own, row in each]),
        np.array([own.matrix[row] for own, row in each]),
        np.array([own.read[row] for own, row in each]),
        [own.why[row] for own, row in each],
        np.array([own.taken[row] for own, row in each]),
    )


@dataclass(frozen=True, eq=False)
class WheelReadings:
    """What is read off the wheels of n states. columns: (n, 4, 13); springs: (n, 4) compression of their springs, N."""

    columns: Floats
    springs: Floats


@dataclass(frozen=True, eq=False)
class SteadyCar:
    """A car that can be held in steady states. standing: with derivatives by the rack. kernel: what its equations need."""

    standing: StandingCar
    kernel: TyredCar

    @cached_property
    def weight(self) -> float:
        """Weight of the whole car, N."""
        return float(self.kernel.parts.mass * self.kernel.gravity)

    def twist(self, solved: Solved) -> Floats | None:  # noqa: ARG002 - what cars with elastic parts need
        """(n,) roll of the front half of the body less that of the rear half, rad; None where the body is rigid."""
        return None

    @cached_property
    def sizes(self) -> Floats:
        """(unknowns,) sizes of steps."""
        radius = float(np.max(self.kernel.parts.radius))
        found = np.ones(COUNT)
        found[TRAVELS] = found[HEIGHT] = found[RACK] = radius
        found[LOADS] = found[EFFORT] = self.weight
        found[APART] = self.weight * radius
        found[AY] = found[AX] = self.kernel.gravity
        found[SQUARE] = 100.0
        return found

    @cached_property
    def scales(self) -> Floats:
        """(unknowns,) what equations are compared with."""
        radius = float(np.max(self.kernel.parts.radius))
        found = np.full(COUNT, self.weight)
        found[[ROLL, PITCH]] = self.weight * radius
        found[LOADS] = radius
        found[SLIPS] = self.weight * radius
        found[BETA:] = np.inf
        return found

    def at_design(self, count: int, speed: Floats | float) -> Floats:
        """(n, unknowns) of the car as it stands at design, rolling straight on."""
        x = np.zeros((count, COUNT))
        x[:, TRAVELS] = self.standing.design_travel
        x[:, HEIGHT] = np.mean([place[2] for place in self.standing.masses.downforce.values()])
        x[:, LOADS] = self.standing.design_load
        x[:, SQUARE] = speed**2
        return x

    def states(self, x: Floats, before: Mapping[str, AxleState] | None) -> tuple[dict[str, AxleState], Mask]:
        """Axles at the travels and racks of unknowns."""
        return self.standing.states(x[:, TRAVELS], x[:, RACK], before)

    def bundle(self, states: Mapping[str, AxleState], torques: Torques, closure: Closure, lifted: Mask) -> SteadyStates:
        """The equations of states at their poses."""
        each = list(states.values())
        wheels = PER_WHEEL * len(SIDES)
        vectors = [state.vectors[:, :wheels] for state in each]
        vectors += [state.vectors[:, wheels : wheels + len(state.fixed.masses)] for state in each]
        elements = [element for state in each for element in state.elements]
        rows = each[0].vectors.shape[2]
        return replace(
            self.pressed(np.concatenate(vectors, axis=1), torques, closure, lifted),
            of_axle=np.repeat(np.arange(len(each)), [len(state.elements) for state in each]),
            length=np.array([element.length.rows for element in elements]).reshape(-1, rows, len(lifted)),
            tension=np.array([element.force for element in elements]).reshape(-1, len(lifted)),
            rate=np.array([element.stiffness for element in elements]).reshape(-1, len(lifted)),
        )

    def pressed(self, vectors: Floats, torques: Torques, closure: Closure, lifted: Mask) -> SteadyStates:
        """The equations of states with the vectors of their wheels and masses, without springs and bars."""
        count = len(lifted)
        return SteadyStates(
            car=self.kernel,
            vectors=np.ascontiguousarray(vectors),
            of_axle=np.zeros(0, dtype=np.int64),
            length=np.zeros((0, vectors.shape[2], count)),
            tension=np.zeros((0, count)),
            rate=np.zeros((0, count)),
            drive=torques.drive,
            brake=torques.brake,
            driven=torques.driven,
            braked=torques.braked,
            downforce=torques.downforce,
            weights=closure.weights,
            kind=closure.kind,
            value=closure.value,
            differential=torques.differential,
            lifted=lifted.astype(np.int64),
            real=np.zeros(COUNT + READ_OFFS + HUB * WHEELS),
            slope=np.zeros(COUNT + READ_OFFS + HUB * WHEELS),
            factors=np.zeros((COUNT, COUNT)),
            pivot=np.zeros(COUNT, dtype=np.int64),
            tyre=np.zeros((WHEELS, 5, 6)),
            rolling=np.zeros((WHEELS, 6)),
        )

    def solve(
        self,
        start: Floats | Predicted,
        torques: Torques,
        closure: Closure,
        lifted: Mask | None = None,
        most: int = MAX_STEPS,
        enough: Floats | float = CONVERGED_STEP,
    ) -> Solved:
        """Newton's method on n states at once from unknowns (n, k), or predicted. lifted: (n, 4) wheels off the road.

        most: steps after which a state is given up. enough: size of the last step, of all states or of each; above
        `CONVERGED_STEP` they are near the true ones, by about its square, and their residuals and derivatives those of a step
        before.
        """
        return self.search(start, torques, closure, lifted, enough).found(most)

    def search(
        self, start: Floats | Predicted, torques: Torques, closure: Closure, lifted: Mask | None, enough: Floats | float
    ) -> StateSearch:
        """What looks for states."""
        return StateSearch(self, start, torques, closure, lifted, enough)

    def wheels(self, solved: Solved, torques: Torques, closure: Closure) -> WheelReadings:
        """What is read off all wheels."""
        states, _reached = self.states(solved.x, None)
        found = np.empty((len(solved.x), WHEELS, WHEEL_COLUMNS))
        as_found = replace(torques, differential=solved.differential)
        read_wheels(self.bundle(states, as_found, closure, solved.lifted), solved.x, found)
        springs = np.zeros((len(solved.x), WHEELS))
        for number, state in enumerate(states.values()):
            for element in state.elements:
                if element.kind == SpringKind.SPRING and element.side:
                    springs[:, 2 * number + (element.side == "right")] -= element.force
        return WheelReadings(found, springs)


class StateSearch:
    """States on their way. x: (n, unknowns)."""

    def __init__(
        self,
        car: SteadyCar,
        start: Floats | Predicted,
        torques: Torques,
        closure: Closure,
        lifted: Mask | None,
        enough: Floats | float,
    ) -> None:
        self.car, self.torques, self.closure = car, torques, closure
        self.x = start.start if isinstance(start, Predicted) else start.copy()
        count = len(self.x)
        self.enough = np.broadcast_to(np.asarray(enough, dtype=float), (count,))
        self.lifted = np.zeros((count, WHEELS), dtype=bool) if lifted is None else lifted.copy()
        self.differential = torques.differential.copy()
        self._begin_limited()
        self.why = [""] * count
        self.done, self.is_near = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self.changes = np.zeros(count, dtype=int)
        self.residual = np.full((count, COUNT + READ_OFFS), np.nan)
        self.matrix = np.zeros((count, COUNT + READ_OFFS, COUNT))
        self.taken = np.zeros(count, dtype=np.int64)
        self.since = np.zeros(count, dtype=np.int64)
        self.posed: tuple[Ints, dict[str, AxleState] | None] = (np.zeros(0, dtype=np.int64), None)

    def found(self, most: int) -> Solved:
        """What the search comes to in so many steps, counted again where a wheel or a differential has changed."""
        while len(rows := np.flatnonzero(~self.done)):
            self._step(rows)
            self._stop(rows[~self.done[rows] & (self.since[rows] >= most)], "no equilibrium is found")
        relative = np.max(np.abs(self.residual[:, :COUNT]) / self.car.scales, axis=1)
        for row in np.flatnonzero(~(relative < RESIDUAL) & ~self.is_near):
            self.why[row] = self.why[row] or "no equilibrium is found"
        return Solved(
            self.x,
            self.lifted,
            self.differential,
            relative,
            self.matrix,
            self.residual[:, COUNT:],
            self.why,
            self.taken,
        )

    def _stop(self, rows: Ints, why: str) -> None:
        for row in rows:
            self.why[row] = self.why[row] or why
        self.done[rows] = True

    def _step(self, rows: Ints) -> None:
        """One step of some states."""
        self.taken[rows] += 1
        self.since[rows] += 1
        self._lift(rows)
        rows = rows[~self.done[rows]]
        if not len(rows):
            return
        x = self.x[rows]
        residual, matrix, change, reached = self._balance(rows, x)
        if not reached.all():
            self._stop(rows[~reached], "the linkage or the rack ends before this state")
        self.residual[rows], self.matrix[rows] = residual, matrix
        lost = ~np.isfinite(change).all(axis=1) & reached
        self._stop(rows[lost], "the car has no definite equilibrium here")
        change[~np.isfinite(change)] = 0.0
        size = np.max(np.abs(change) / self.car.sizes, axis=1)
        small = np.max(np.abs(residual[:, :COUNT]) / self.car.scales, axis=1) < RESIDUAL
        near = (size <= self.enough[rows]) & (size > CONVERGED_STEP) & ~self.lifted[rows].any(axis=1) & ~self.done[rows]
        self.is_near[rows[near]] = True
        resting = ((size <= CONVERGED_STEP) & small & ~self.done[rows]) | near
        self._move(rows, resting, change)
        for at in np.flatnonzero(resting):
            self._rest(int(rows[at]))
        going = ~self.done[rows]
        longest = np.max(
            np.stack(
                (
                    np.max(np.abs(change[:, TRAVELS]), axis=1) / MAX_TRAVEL_STEP,
                    np.max(np.abs(change[:, [ROLL, PITCH, BETA]]), axis=1) / MAX_ANGLE_STEP,
                    np.max(np.abs(change[:, SLIPS]), axis=1) / MAX_SLIP_STEP,
                )
            ),
            axis=0,
        )
        share = 1.0 / np.maximum(longest, 1.0)
        self._move(rows, going, share[:, None] * change)

    def _balance(self, rows: Ints, x: Floats) -> tuple[Floats, Floats, Floats, Mask]:
        """What states leave over with its derivatives, steps of Newton's method, and which states the linkage reaches."""
        known, before = self.posed
        states, reached = self.car.states(x, before if np.array_equal(known, rows) else None)
        self.posed = rows, states if reached.all() else None
        bundle = self.car.bundle(states, self.torques_at(rows), self.closure.at(rows), self.lifted[rows])
        residual = np.full((len(rows), COUNT + READ_OFFS), np.nan)
        matrix = np.zeros((len(rows), COUNT + READ_OFFS, COUNT))
        change = np.zeros((len(rows), COUNT))
        balance_states(bundle, x, np.flatnonzero(reached), residual, change, matrix)
        return residual, matrix, change, reached

    def torques_at(self, rows: Ints) -> Torques:
        """What drives and brakes some states, their differentials as they work now."""
        return replace(self.torques.at(rows), differential=self.differential[rows])

    def _move(self, rows: Ints, which: Mask, change: Floats) -> None:
        """Move some of these states by a step."""
        self.x[rows[which]] += change[which]

    def _lift(self, rows: Ints) -> None:
        """Take wheels off the road that would be pulled down to it: a tyre without load has no derivatives to go on with."""
        pulled = ~self.lifted[rows] & (self.x[rows][:, LOADS] <= 0.0)
        changed = rows[pulled.any(axis=1)]
        if not len(changed):
            return
        self.lifted[rows] |= pulled
        off = self.lifted[changed]
        for part in (LOADS, SLIPS):
            self.x[changed, part] = np.where(off, 0.0, self.x[changed, part])
        self._stop(changed[(off[:, 0] & off[:, 2]) | (off[:, 1] & off[:, 3])], "the car rolls over")

    def _rest(self, row: int) -> None:
        """Let a state rest where lifted wheels are over the road, and differentials work as their torques say."""
        pressed = self.lifted[row] & (self.residual[row, PRESSED] < -CONVERGED_STEP)
        if pressed.any():
            self.lifted[row] &= ~pressed
            self.x[row, LOADS] = np.where(pressed, RETURNING * self.car.weight, self.x[row, LOADS])
            self._count_change(row)
        elif self._change_differential(row):
            self._count_change(row)
        else:
            self.done[row] = True
            self._judge_drive(row)

    def _count_change(self, row: int) -> None:
        self.changes[row] += 1
        self.since[row] = 0
        if self.changes[row] > MAX_CHANGES:
            self._stop(np.array([row]), "wheels lift and come back without end")

    def _torques(self, row: int, axle: int) -> tuple[float, float]:
        """What the drive gives the left and the right wheel of an axle."""
        first = 2 * axle
        mean = float(np.mean(self.car.kernel.parts.radius))
        own = self.torques.drive[row, first : first + 2] * mean * self.x[row, EFFORT]
        left, right = own + self.torques.driven[row, first : first + 2]
        apart = self.x[row, APART][axle]
        return float(left + apart), float(right - apart)

    def _begin_limited(self) -> None:
        """Limited differentials work at first as the torques of the start say, and as open ones where these are equal.

        One that is said to work in another way than as an open one begins so.
        """
        for axle in np.flatnonzero(self.torques.limited):
            for row in map(int, np.flatnonzero(self.differential[:, axle] == OPEN)):
                are_equal = self._is_nothing(self.x[row, APART][axle])
                self.differential[row, axle] = OPEN if are_equal else self._mode(row, int(axle), NEARLY)

    def _is_nothing(self, torque: float) -> bool:
        return bool(abs(torque) < RESIDUAL * self.car.scales[ROLL])

    def _mode(self, row: int, axle: int, share: float) -> int:
        """How a limited differential works with these torques: locked until one is the bias times the other."""
        left, right = self._torques(row, axle)
        sense = 1.0 if left + right >= 0.0 else -1.0
        left, right = sense * left, sense * right
        bias = share * float(self.car.kernel.bias[axle])
        if left > 0.0 and left >= bias * right:
            return LEFT_MORE
        return RIGHT_MORE if right > 0.0 and right >= bias * left else LOCKED

    def _change_differential(self, row: int) -> bool:
        """Whether a limited differential has to work in another way."""
        has_changed = False
        for axle in map(int, np.flatnonzero(self.torques.limited)):
            after = self._mode_after(row, axle, int(self.differential[row, axle]))
            has_changed |= after != self.differential[row, axle]
            self.differential[row, axle] = after
        return has_changed

    def _mode_after(self, row: int, axle: int, before: int) -> int:
        """How a limited differential works after it has worked as before: the slower wheel gets more, or none is slower.

        Without torque there is none to give to the slower wheel: it stays open.
        """
        total = sum(self._torques(row, axle))
        if self._is_nothing(total):
            return OPEN
        if before == LOCKED:
            return self._mode(row, axle, 1.0 + CONVERGED_STEP)
        faster_left = float(self.residual[row, FASTER_LEFT][axle]) * (1.0 if total >= 0.0 else -1.0)
        if before == OPEN and abs(faster_left) > CONVERGED_STEP:
            return RIGHT_MORE if faster_left > 0.0 else LEFT_MORE
        wrong = faster_left if before == LEFT_MORE else -faster_left
        return LOCKED if before == OPEN or wrong > CONVERGED_STEP else before

    def _judge_drive(self, row: int) -> None:
        """A driven wheel that is off the road leaves the other one without torque, unless the differential is locked."""
        for axle in range(AXLES):
            is_off = self.lifted[row, 2 * axle] or self.lifted[row, 2 * axle + 1]
            if is_off and self.differential[row, axle] != LOCKED:
                torque = max(map(abs, self._torques(row, axle)))
                if torque > RESIDUAL * self.car.weight:
                    self._stop(np.array([row]), "a driven wheel is off the road, and its differential passes no torque")
