"""The pose at which a car rests under the forces of each load case, by Newton's method on all cases at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.loads.car_balance import CarBalance, Demand, are_stable, unknowns_of
from sheetmbs.suspension.loads.load_limits import (
    FALLS,
    ROLLS,
    TIPS_BACK,
    TIPS_FORWARD,
    is_weak,
    overloads,
    rigid_rollover_limits,
)
from sheetmbs.suspension.loads.standing_car import Mask, StandingCar

CONVERGED_STEP = 1e-8
"""step over the size of what it changes that is the last: it leaves its square"""
MAX_STEPS = 40
MAX_STALLED_STEPS, PROGRESS_RATIO = 8, 0.9
"""steps after which a case whose steps have become no shorter than so much of the shortest is given up"""
MAX_TRAVEL_STEP = 0.1
"""step of a travel over the tyre radius: beyond that poses are predicted badly"""
MAX_HALVINGS, MAX_CUTS = 6, 4
"""halvings of a step that ends beyond reach, and such steps of a case"""
NO_RACK = "the steering does not reach rack"
LOAD_STAGES = (0.2, 0.4, 0.6, 0.8, 1.0)
CLOSE_STAGES = tuple(share / 10.0 for share in range(1, 11))
"""shares of the way from the design load"""


@dataclass(frozen=True, eq=False)
class Settled:
    """Where n cases came to rest.

    travel: (n, wheels) in the order FL, FR, RL, RR, m. roll, pitch: (n,) rad. height: of the road, m. load: (n, wheels) N.
    lifted: (n, wheels). fault: of each case that has no such pose, in words, else ``""``.
    """

    travel: Floats
    roll: Floats
    pitch: Floats
    height: Floats
    load: Floats
    lifted: Mask
    fault: list[str]

    def some(self, rows: Sequence[int]) -> Settled:
        """Some of the cases."""
        at = np.array(rows, dtype=np.int64)
        own = (self.travel[at], self.roll[at], self.pitch[at], self.height[at], self.load[at], self.lifted[at])
        return Settled(*own, [self.fault[row] for row in rows])

    def with_rows(self, rows: Ints, found: Settled) -> Settled:
        """The same with other poses of some cases."""
        for mine, other in zip(list(vars(self).values())[:-1], list(vars(found).values())[:-1], strict=True):
            mine[rows] = other
        for row, fault in zip(rows, found.fault, strict=True):
            self.fault[row] = fault
        return self


def settle(standing: StandingCar, demand: Demand, rack: Floats) -> Settled:
    """Find the poses of n cases. rack: (n,) m.

    What is not found at once is led there from the design load by and by.
    """
    found = _Search(standing, demand, rack, overloads(standing, demand) if is_weak(standing) else ()).found()
    lost = np.array([fault != "" and fault not in FALLS for fault in found.fault])
    rows = np.flatnonzero(lost | _is_beyond(standing, found))
    if not len(rows):
        return found
    known = demand.at(rows)
    for row, falls, load in zip(rows, rigid_rollover_limits(standing, known), overloads(standing, known), strict=True):
        fault = falls or load
        lost[row] &= not fault
        if found.fault[row] not in FALLS:  # which is why the springs do not carry it either
            found.fault[row] = fault or found.fault[row]
    rows = np.flatnonzero(lost)
    if not len(rows):
        return found
    found = found.with_rows(rows, _led(standing, demand.at(rows), rack[rows], LOAD_STAGES).found())
    rows = np.array([row for row in rows if found.fault[row] and found.fault[row] not in FALLS], dtype=int)
    if len(rows):  # a car that falls over on its way does so in shorter steps, and in long ones seems to have no pose
        search = _led(standing, demand.at(rows), rack[rows], CLOSE_STAGES)
        leans, closer = search.leans, search.found()
        closer.fault[:] = [
            ROLLS if fault and leaning else fault for fault, leaning in zip(closer.fault, leans, strict=True)
        ]
        told = [at for at, fault in enumerate(closer.fault) if fault == "" or fault in FALLS]
        found = found.with_rows(rows[told], closer.some(told))
    return found


def _led(standing: StandingCar, demand: Demand, rack: Floats, stages: Sequence[float]) -> _Search:
    """Cases that are led from the design load to what they ask by and by."""
    search = _Search(standing, demand.eased(stages[0], standing.design_load), rack)
    for stage in stages:
        search.go_on(demand.eased(stage, standing.design_load), stage)
    return search


def _is_beyond(standing: StandingCar, found: Settled) -> Mask:
    """(n,) cases that rest far to the other side than their load pushes an axle: perhaps where no car comes to."""
    is_beyond = np.zeros(len(found.fault), dtype=bool)
    for number, axle in enumerate(standing.car.axles):
        own = slice(2 * number, 2 * number + 2)
        pushed = np.sum(found.load[:, own], axis=1) - np.sum(standing.design_load[own])
        moved = np.mean(found.travel[:, own] - standing.design_travel[own], axis=1)
        is_beyond |= (np.abs(moved) > MAX_TRAVEL_STEP * (axle.number("tyre radius") or 0.0)) & (moved * pushed < 0.0)
    return is_beyond


class _Search:
    """Cases on their way. x: (n, unknowns), whose travels are those of the poses unless x ``is_ahead`` of them.

    resting: (n,) cases that are found. faults: of cases that need not be tried.
    """

    def __init__(self, standing: StandingCar, demand: Demand, rack: Floats, faults: Sequence[str] = ()) -> None:
        self.standing, self.demand, self.rack = standing, demand, rack.copy()
        self.asked = demand.for_kernels
        count = len(rack)
        self.of = unknowns_of(2 * len(standing.systems))
        self.x = np.zeros((count, self.of.count))
        self.x[:, self.of.travels] = standing.design_travel
        contacts = standing.masses.downforce
        self.x[:, self.of.height] = np.mean([place[2] for place in contacts.values()])
        self.x[:, self.of.loads] = np.where(np.isnan(demand.load), standing.design_load, demand.load)
        self.lifted = np.zeros((count, self.of.wheels), dtype=bool)
        self.cuts = np.zeros(count, dtype=int)
        self.is_ahead = False
        self.fault = list(faults or [""] * count)
        self.resting = np.zeros(count, dtype=bool)
        self.shortest, self.waited = np.full(count, np.inf), np.zeros(count, dtype=int)
        self.share, self.rested = np.zeros(count), np.full((count, self.of.wheels), np.nan)
        self.leans = np.zeros(count, dtype=bool)
        """of cases that rested last with a wheel of one side off the road, and none of the other"""
        self.radius = max(axle.number("tyre radius") or 0.0 for axle in standing.car.axles)
        weight = max(standing.masses.mass * demand.gravity, float(np.sum(standing.design_load)), 1.0)
        wheels = self.of.wheels
        self.sizes = np.concatenate((np.full(wheels, self.radius), (1.0, 1.0, self.radius), np.full(wheels, weight)))
        self.states, reached = standing.states(self.x[:, self.of.travels], self.rack)
        for row in np.flatnonzero(~reached):
            self.fault[row] = self.fault[row] or f"{NO_RACK} {rack[row] * 1e3:+.2f} mm"
        self._run()

    def go_on(self, demand: Demand, share: float) -> None:
        """Look for the poses of another demand, from where the cases stand; give up those that have none.

        share: of the way to what is asked in the end.
        """
        self.demand, self.asked = demand, demand.for_kernels
        self.resting[:] = False
        self.cuts[:] = 0
        self.shortest[:], self.waited[:] = np.inf, 0
        known = ~np.isnan(demand.load)
        self.x[:, self.of.loads] = np.where(known, demand.load, self.x[:, self.of.loads])
        self._run()
        for row in np.flatnonzero(~self.resting):
            self.fault[row] = self.fault[row] or self._out_of_travel(int(row), share)
        self.share[self.resting] = share
        self.rested[self.resting] = self.x[self.resting, self.of.travels]
        left, right = (np.any(self.lifted[:, at :: len(SIDES)], axis=1) for at in range(len(SIDES)))
        self.leans[self.resting] = np.logical_xor(left, right)[self.resting]

    def _run(self) -> None:
        for _ in range(MAX_STEPS):
            if not self._step():
                return

    def _step(self) -> bool:
        """One step of all cases that are not at rest yet; False where there are none."""
        moving = ~self.resting & (self.waited < MAX_STALLED_STEPS) & [not fault for fault in self.fault]
        if not moving.any():
            return False
        if self.is_ahead:
            self.states, _reached = self.standing.states(self.x[:, self.of.travels], self.rack, self.states)
            self.is_ahead = False
        standing, around = self.standing, self.x.copy()
        around[:, self.of.travels] = 0.0
        balance = CarBalance(standing.parts, self.asked, list(self.states.values()), self.lifted)
        change, matrix = balance.newton(around, np.flatnonzero(moving))
        lost = ~np.isfinite(change).all(axis=1)
        for row in np.flatnonzero(lost):
            self.fault[row] = "its springs do not hold the car"
        moving &= ~lost
        change[lost] = 0.0
        size = np.max(np.abs(change) / self.sizes, axis=1)
        closed = size <= CONVERGED_STEP
        is_nearer = size < PROGRESS_RATIO * self.shortest
        self.shortest = np.where(is_nearer, size, self.shortest)
        self.waited = np.where(is_nearer, 0, self.waited + 1)
        if closed[moving].all():  # in most searches the last step: nobody asks for the states behind it
            self.x += change
            self.is_ahead = True
        else:
            self._advance(change)
        self._rest(np.flatnonzero(moving & closed), matrix)
        return True

    def _advance(self, change: Floats) -> None:
        """Take steps, shortened where travels go far or beyond reach."""
        longest = np.max(np.abs(change[:, self.of.travels]), axis=1) / (MAX_TRAVEL_STEP * self.radius)
        share = 1.0 / np.maximum(longest, 1.0)
        whole = share.copy()
        for _ in range(MAX_HALVINGS):
            wanted = self.x + share[:, None] * change
            states, reached = self.standing.states(wanted[:, self.of.travels], self.rack, self.states)
            stopped = ~reached & (share > 0.0) & [not fault for fault in self.fault]
            if not stopped.any():
                break
            share[stopped] *= 0.5
        else:
            share[stopped] = 0.0
            wanted = self.x + share[:, None] * change
            states, _reached = self.standing.states(wanted[:, self.of.travels], self.rack, self.states)
        self.x, self.states = wanted, states
        self.cuts += share < whole
        for row in np.flatnonzero((self.cuts > MAX_CUTS) | ((share == 0.0) & (whole > 0.0))):
            self.fault[row] = self.fault[row] or self._end_of_travel(int(row))

    def _end_of_travel(self, row: int) -> str:
        corner, where = self._farthest(self.x[row, self.of.travels])
        return f"{corner} has no pose in which its springs carry the load: its linkage ends near {where}"

    def _out_of_travel(self, row: int, share: float) -> str:
        """Of a case without a pose at a share of its way: the wheel that has gone farthest where it rested last."""
        none = "no pose is found in which its springs carry the load"
        if np.isnan(self.rested[row]).any():
            corner, where = self._farthest(self.x[row, self.of.travels])
            return f"{none}, not even {_way(share)}; the search for one took {corner} to {where}"
        corner, where = self._farthest(self.rested[row])
        return f"{corner} runs out of travel: it stands at {where} {_way(self.share[row])}, and at {share:.0%} {none}"

    def _farthest(self, travel: Vector) -> tuple[str, str]:
        """The wheel whose travel (wheels,) is largest, and that travel in words."""
        farthest = int(np.argmax(np.abs(travel)))
        corner = [axle.corner(side) for axle in self.standing.car.axles for side in SIDES][farthest]
        return corner, f"{travel[farthest] * 1e3:+.2f} mm"

    def _rest(self, rows: Ints, matrix: Floats) -> None:
        """Let cases rest that balance, where they stay so. matrix: (n, k, k) of all cases."""
        known = np.asarray(~np.isnan(self.demand.load).any(axis=1))
        alike: dict[tuple[bool, bytes], list[int]] = {}
        for row in rows:
            alike.setdefault((bool(known[row]), self.lifted[row].tobytes()), []).append(int(row))
        for (is_known, _lifted), own in alike.items():
            stable = are_stable(matrix[own], self.of, self.lifted[own[0]], is_known=is_known)
            for row, is_stable in zip(own, stable, strict=True):
                self.resting[row] = self._stands(row, is_stable=bool(is_stable), is_known=is_known)

    def _stands(self, row: int, *, is_stable: bool, is_known: bool) -> bool:
        """Whether a case that balances stays so: no wheel is pulled down, and what moves it finds resistance."""
        if not is_stable and self.standing.holds_roll:  # else it stands as long as nothing rolls it
            corner, where = self._farthest(self.x[row, self.of.travels])
            self.fault[row] = f"{corner} would stand at {where}, where springs give way: no car stays there"
            return False
        if is_known:
            return True
        load = self.x[row, self.of.loads]
        falls = ~self.lifted[row] & (load < 0.0)
        if not falls.any():
            return True
        self.lifted[row] |= falls
        load[falls] = 0.0
        self.shortest[row], self.waited[row] = np.inf, 0
        front_left, front_right, rear_left, rear_right = self.lifted[row]
        if (front_left and rear_left) or (front_right and rear_right):
            self.fault[row] = ROLLS
        elif front_left and front_right:
            self.fault[row] = TIPS_BACK
        elif rear_left and rear_right:
            self.fault[row] = TIPS_FORWARD
        return False

    def found(self) -> Settled:
        """What the search has come to."""
        for row in np.flatnonzero(~self.resting):
            self.fault[row] = self.fault[row] or self._out_of_travel(int(row), 1.0)
        x, of = self.x, self.of
        return Settled(
            x[:, of.travels], x[:, of.roll], x[:, of.pitch], x[:, of.height], x[:, of.loads], self.lifted, self.fault
        )


def _way(share: float) -> str:
    return f"{share:.0%} of the way from rest at design to this case"
