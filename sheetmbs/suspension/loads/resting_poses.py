"""The pose at which a car rests under the forces of each load case, by Newton's method on all cases at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, CarData, Vector
from sheetmbs.suspension.layout.mass_data import GRAVITY, corner_load
from sheetmbs.suspension.loads.car_balance import CarBalance, Demand, Unknowns
from sheetmbs.suspension.loads.car_masses import CarMasses
from sheetmbs.suspension.loads.corner_states import AxleState, axle_state

CLOSED = 1e-8
"""step over the size of what it changes that is the last: it leaves its square"""
MOST_STEPS = 40
PATIENCE, PROGRESS = 8, 0.9
"""steps after which a case whose steps have become no shorter than so much of the shortest is given up"""
LONGEST = 0.1
"""step of a travel over the tyre radius: beyond that poses are foretold badly"""
MOST_HALVES, MOST_CUTS = 6, 4
"""halvings of a step that ends beyond reach, and such steps of a case"""
STAGES = (0.2, 0.4, 0.6, 0.8, 1.0)
"""shares of the way from the design load"""
ROLLS = "the car rolls over"
TIPS_BACK, TIPS_FORWARD = "the car tips over its rear axle", "the car tips over its front axle"
FALLS = (ROLLS, TIPS_BACK, TIPS_FORWARD)

Mask = NDArray[np.bool_]


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

    def with_rows(self, rows: Ints, found: Settled) -> Settled:
        """The same with other poses of some cases."""
        for mine, other in zip(list(vars(self).values())[:-1], list(vars(found).values())[:-1], strict=True):
            mine[rows] = other
        for row, fault in zip(rows, found.fault, strict=True):
            self.fault[row] = fault
        return self


@dataclass(frozen=True, eq=False)
class StandingCar:
    """A car that can be put on its wheels."""

    car: CarData
    systems: Mapping[str, AxleSystem]
    laws: Mapping[str, AxleLaws]
    masses: CarMasses

    @property
    def tyre(self) -> Vector:
        """(wheels,) vertical rates, inf where rigid."""
        return np.array([axle.number("tyre rate") or np.inf for axle in self.car.axles for _side in SIDES])

    @property
    def design_load(self) -> Vector:
        """(wheels,) contact loads at design."""
        return np.array([corner_load(self.car, axle) or 0.0 for axle in self.car.axles for _side in SIDES])

    @property
    def design_travel(self) -> Vector:
        """(wheels,) at which adjustments leave the wheels."""
        return np.array([axle.standing(side) for axle in self.car.axles for side in SIDES])

    def states(
        self, travel: Floats, rack: Floats, before: Mapping[str, AxleState] | None = None
    ) -> tuple[dict[str, AxleState], Mask]:
        """Axles at travels (n, wheels) and rack positions (n,), found from where they stood before, and which were reached.

        The others stand as far on their way as the linkage goes.
        """
        found, reached = {}, np.ones(len(rack), dtype=bool)
        for number, (name, system) in enumerate(self.systems.items()):
            own = travel[:, 2 * number : 2 * number + 2]
            placing = level_placing(dict(zip(SIDES, own.T, strict=True)), rack)
            wheels, is_reached = system.wheels_at_each(placing, before[name].swept.wheels if before else None)
            reached &= is_reached
            swept = SweptAxle(system, wheels, slice(0, len(rack)), placing)
            found[name] = axle_state(swept, self.laws[name], self.masses.unsprung[name])
        return found, reached


def settle(standing: StandingCar, demand: Demand, rack: Floats) -> Settled:
    """Find the poses of n cases. rack: (n,) m.

    What is not found at once is led there from the design load by and by.
    """
    found = _Search(standing, demand, rack).found()
    lost = np.array([fault != "" and fault not in FALLS for fault in found.fault])
    if not lost.any():
        return found
    rows = np.flatnonzero(lost)
    search = _Search(standing, demand.at(rows).eased(STAGES[0], standing.design_load), rack[rows])
    for stage in STAGES:
        search.go_on(demand.at(rows).eased(stage, standing.design_load), stage)
    return found.with_rows(rows, search.found())


class _Search:
    """Cases on their way. x: (n, unknowns), whose travels are those of the poses; resting: (n,) cases that are found."""

    def __init__(self, standing: StandingCar, demand: Demand, rack: Floats) -> None:
        self.standing, self.demand, self.rack = standing, demand, rack.copy()
        count = len(rack)
        self.of = Unknowns(2 * len(standing.systems))
        self.x = np.zeros((count, self.of.count))
        self.x[:, self.of.travels] = standing.design_travel
        contacts = standing.masses.downforce
        self.x[:, self.of.height] = np.mean([place[2] for place in contacts.values()])
        self.x[:, self.of.loads] = np.where(np.isnan(demand.load), standing.design_load, demand.load)
        self.lifted = np.zeros((count, self.of.wheels), dtype=bool)
        self.cuts = np.zeros(count, dtype=int)
        self.fault = [""] * count
        self.resting = np.zeros(count, dtype=bool)
        self.shortest, self.waited = np.full(count, np.inf), np.zeros(count, dtype=int)
        self.share, self.rested = np.zeros(count), np.full((count, self.of.wheels), np.nan)
        self.radius = max(axle.number("tyre radius") or 0.0 for axle in standing.car.axles)
        weight = max(standing.masses.mass * GRAVITY, float(np.sum(standing.design_load)), 1.0)
        wheels = self.of.wheels
        self.sizes = np.concatenate((np.full(wheels, self.radius), (1.0, 1.0, self.radius), np.full(wheels, weight)))
        self.states, reached = standing.states(self.x[:, self.of.travels], self.rack)
        for row in np.flatnonzero(~reached):
            self.fault[row] = f"the steering does not reach rack {rack[row] * 1e3:+.2f} mm"
        self._run()

    def go_on(self, demand: Demand, share: float) -> None:
        """Look for the poses of another demand, from where the cases stand; give up those that have none.

        share: of the way to what is asked in the end.
        """
        self.demand = demand
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

    def _run(self) -> None:
        for _ in range(MOST_STEPS):
            if not self._step():
                return

    def _step(self) -> bool:
        """One step of all cases that are not at rest yet; False where there are none."""
        moving = ~self.resting & (self.waited < PATIENCE) & [not fault for fault in self.fault]
        if not moving.any():
            return False
        standing, around = self.standing, self.x.copy()
        around[:, self.of.travels] = 0.0
        balance = CarBalance(
            standing.masses, self.states, self.demand, standing.tyre, standing.design_load, self.lifted
        )
        change = balance.newton(around)
        lost = ~np.isfinite(change).all(axis=1)
        for row in np.flatnonzero(moving & lost):
            self.fault[row] = "its springs do not hold the car"
        moving &= ~lost
        change[~moving] = 0.0
        size = np.max(np.abs(change) / self.sizes, axis=1)
        closed = size <= CLOSED
        is_nearer = size < PROGRESS * self.shortest
        self.shortest = np.where(is_nearer, size, self.shortest)
        self.waited = np.where(is_nearer, 0, self.waited + 1)
        self._advance(change)
        for row in np.flatnonzero(moving & closed):
            self.resting[row] = self._stands(int(row))
        return True

    def _advance(self, change: Floats) -> None:
        """Take steps, shortened where travels go far or beyond reach."""
        longest = np.max(np.abs(change[:, self.of.travels]), axis=1) / (LONGEST * self.radius)
        share = 1.0 / np.maximum(longest, 1.0)
        whole = share.copy()
        for _ in range(MOST_HALVES):
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
        for row in np.flatnonzero((self.cuts > MOST_CUTS) | ((share == 0.0) & (whole > 0.0))):
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

    def _stands(self, row: int) -> bool:
        """Whether a case that has come to rest may stay so: no wheel is pulled down."""
        if not np.isnan(self.demand.load[row]).any():
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
