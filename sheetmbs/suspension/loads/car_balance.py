"""The whole car on its wheels: what cases ask of it, steps towards its balance, and whether that is stable.

The equations stand in `engine/car_on_road.py`. Whatever holds the car in the plane of the road lies in that plane and turns the
car about its normal only.

Stability is the car's stiffness against moving on the road. With all that follows of a move of the body taken out (travels and
loads of wheels on the road), what is left are forces and moments over height, pitch and roll, and over travels of wheels in the
air. All eigenvalues of that are positive where the car rests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.car_on_road import (
    PER_WHEEL,
    TYRE_VECTORS,
    CarDemand,
    CarOnRoad,
    CarParts,
    balance_cars,
    press_wheels,
)
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.loads.standing_car import ROWS, AxleState
from sheetmbs.suspension.loads.wheel_forces import PlaneForces


@dataclass(frozen=True)
class Unknowns:
    """Where the unknowns of a car stand: travels of its wheels, roll, pitch and height of the road, and loads of its wheels."""

    wheels: int
    count: int
    travels: slice
    roll: int
    pitch: int
    height: int
    loads: slice


def unknowns_of(wheels: int) -> Unknowns:
    """The unknowns of a car of so many wheels."""
    count = 2 * wheels + 3
    return Unknowns(wheels, count, slice(0, wheels), wheels, wheels + 1, wheels + 2, slice(wheels + 3, count))


@dataclass(frozen=True, eq=False)
class Demand:
    """What n cases ask of the car. acceleration: (n, 3) ax, ay, az in g. forces: of each axle in the road plane.

    downforce: (n,) by axle, N. load: (n, wheels) vertical loads, NaN where the balance of the car finds them.
    gravity: m/s^2.
    """

    acceleration: Floats
    forces: Mapping[str, PlaneForces]
    downforce: Mapping[str, Floats]
    load: Floats
    gravity: float

    def at(self, rows: Ints) -> Demand:
        """Some of the cases."""
        return Demand(
            self.acceleration[rows],
            {name: each.at(rows) for name, each in self.forces.items()},
            {name: values[rows] for name, values in self.downforce.items()},
            self.load[rows],
            self.gravity,
        )

    def eased(self, share: float, design_load: Vector) -> Demand:
        """A share of the way from rest at design to these demands."""
        rest = np.array([0.0, 0.0, 1.0])
        return Demand(
            rest + share * (self.acceleration - rest),
            {name: each.times(share) for name, each in self.forces.items()},
            {name: share * values for name, values in self.downforce.items()},
            design_load + share * (self.load - design_load),
            self.gravity,
        )

    @property
    def for_kernels(self) -> CarDemand:
        """The same with all axles side by side."""

        def beside(name: str) -> Floats:
            return _beside([np.asarray(getattr(each, name), dtype=np.float64) for each in self.forces.values()])

        given, passes = (
            np.concatenate([getattr(each, name) for each in self.forces.values()], axis=1)
            for name in ("given", "passes")
        )
        return CarDemand(
            acceleration=self.acceleration * self.gravity,
            along=beside("along"),
            side=beside("side"),
            split_along=beside("split_along").astype(np.int64),
            split_side=beside("split_side").astype(np.int64),
            given=np.ascontiguousarray(given),
            passes=np.ascontiguousarray(passes, dtype=np.float64),
            downforce=_beside(list(self.downforce.values())),
            load=np.ascontiguousarray(self.load),
        )


class CarBalance:
    """The equations of n cases at their poses. lifted: (n, wheels) off the road."""

    def __init__(
        self, parts: CarParts, demand: CarDemand, states: Sequence[AxleState], lifted: NDArray[np.bool_]
    ) -> None:
        self.of = unknowns_of(len(parts.radius))
        count, wheels = self.of.count, PER_WHEEL * len(SIDES)
        vectors = [state.vectors[:, :wheels] for state in states]
        vectors += [state.vectors[:, wheels : wheels + len(state.fixed.masses)] for state in states]
        elements = [element for state in states for element in state.elements]
        rows = len(demand.load)
        self._car = CarOnRoad(
            parts=parts,
            demand=demand,
            vectors=np.concatenate(vectors, axis=1),
            of_axle=np.repeat(np.arange(len(states)), [len(state.elements) for state in states]),
            length=np.array([each.length.rows for each in elements]).reshape(-1, ROWS, rows),
            tension=np.array([each.force for each in elements]).reshape(-1, rows),
            rate=np.array([each.stiffness for each in elements]).reshape(-1, rows),
            lifted=lifted.astype(np.int64),
            known=np.asarray(~np.isnan(demand.load).any(axis=1), dtype=np.int64),
            real=np.zeros(count),
            slope=np.zeros(count),
            factors=np.zeros((count, count)),
            pivot=np.zeros(count, dtype=np.int64),
        )

    def newton(self, x: Floats, rows: Ints) -> tuple[Floats, Floats]:
        """The steps of some cases from unknowns (n, unknowns), whose travels are zero, and derivatives (n, k, k).

        NaN where there is no step; zero for cases that are not asked for.
        """
        count, size = x.shape
        change, matrix = np.zeros((count, size)), np.zeros((count, size, size))
        balance_cars(self._car, x, rows, change, matrix)
        return change, matrix

    def wrenches(self, x: Floats) -> Floats:
        """(n, wheels, 7, 3) what the road exerts on all wheels, as `engine/car_on_road.py` names it."""
        found = np.empty((len(x), self.of.wheels, TYRE_VECTORS, 3))
        press_wheels(self._car, x, found)
        return found


def _beside(each: list[Floats]) -> Floats:
    """What several axles have at n poses, side by side: (n, axles, ..)."""
    return np.ascontiguousarray(np.stack(each, axis=1))


def are_stable(matrix: Floats, of: Unknowns, lifted: NDArray[np.bool_], *, is_known: bool) -> NDArray[np.bool_]:
    """(n,) of cases whose same wheels are lifted. matrix: (n, k, k) derivatives of the equations by the unknowns.

    is_known: all loads are given, and travels follow.
    """
    travels, loads = (np.arange(each.start, each.stop) for each in (of.travels, of.loads))
    if is_known:
        return _are_positive(-_part(matrix, travels, travels))
    free = np.array([of.roll, of.pitch, of.height, *travels[lifted]])
    signs = np.array([-1.0, -1.0, 1.0, *[-1.0] * int(np.sum(lifted))])  # as the equations are written
    tied = np.concatenate((travels[~lifted], loads[~lifted]))
    follows = np.linalg.solve(_part(matrix, tied, tied), _part(matrix, tied, free))
    return _are_positive(signs[:, None] * (_part(matrix, free, free) - _part(matrix, free, tied) @ follows))


def _part(matrix: Floats, rows: Ints, columns: Ints) -> Floats:
    """(n, rows, columns) of matrices (n, k, k)."""
    return np.asarray(matrix[:, rows[:, None], columns])


def _are_positive(stiffness: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.min(np.linalg.eigvals(stiffness).real, axis=1) > 0.0)
