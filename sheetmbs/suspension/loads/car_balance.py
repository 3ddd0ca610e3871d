"""The whole car on its wheels: travels of all wheels, the road under them and its loads, as one set of equations.

Unknowns are changes of all travels, roll, pitch and height of the road against the body, and all vertical loads. Equations are
those of virtual work on each travel, one of each wheel, and three of the car:

    wheel        n.C - d + (N - N0)/k_t = 0: it stands on the road; N = 0 if it is lifted; N = what is given where it is
    car          forces along n, moments about two lines in the road; where all N are given: the plane nearest to the contacts

Whatever holds the car in the plane of the road lies in that plane and turns the car about its normal only. Derivatives of the
equations are found by complex steps, from second-order expansions of the poses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.layout.mass_data import GRAVITY
from sheetmbs.suspension.loads.car_masses import CarMasses
from sheetmbs.suspension.loads.corner_states import AxleState, Moving, WheelState
from sheetmbs.suspension.loads.road import Road, road, tyre_wrench
from sheetmbs.suspension.loads.wheel_forces import PlaneForces, WheelForces

STEP = 1e-30
"""imaginary: its square is nothing beside 1, so derivatives are exact"""


@dataclass(frozen=True)
class Unknowns:
    """Where the unknowns of a car of so many wheels stand."""

    wheels: int

    @property
    def travels(self) -> slice:
        """Of each wheel."""
        return slice(0, self.wheels)

    @property
    def roll(self) -> int:
        """Of the road."""
        return self.wheels

    @property
    def pitch(self) -> int:
        """Of the road."""
        return self.wheels + 1

    @property
    def height(self) -> int:
        """Of the road."""
        return self.wheels + 2

    @property
    def loads(self) -> slice:
        """On each wheel."""
        return slice(self.wheels + 3, self.count)

    @property
    def count(self) -> int:
        """Of all."""
        return 2 * self.wheels + 3


@dataclass(frozen=True, eq=False)
class Demand:
    """What n cases ask of the car. acceleration: (n, 3) ax, ay, az in g. forces: of each axle in the road plane.

    downforce: (n,) by axle, N. load: (n, wheels) vertical loads, NaN where the balance of the car finds them.
    """

    acceleration: Floats
    forces: Mapping[str, PlaneForces]
    downforce: Mapping[str, Floats]
    load: Floats

    def at(self, rows: Ints) -> Demand:
        """Some of the cases."""
        return Demand(
            self.acceleration[rows],
            {name: each.at(rows) for name, each in self.forces.items()},
            {name: values[rows] for name, values in self.downforce.items()},
            self.load[rows],
        )

    def eased(self, share: float, design_load: Vector) -> Demand:
        """A share of the way from rest at design to these demands."""
        rest = np.array([0.0, 0.0, 1.0])
        return Demand(
            rest + share * (self.acceleration - rest),
            {name: each.times(share) for name, each in self.forces.items()},
            {name: share * values for name, values in self.downforce.items()},
            design_load + share * (self.load - design_load),
        )


class CarBalance:
    """The equations of n cases at their poses.

    tyre: (wheels,) rates, inf where rigid; design_load: (wheels,) at which radii hold. lifted: (n, wheels) off the road.
    """

    def __init__(
        self,
        masses: CarMasses,
        states: Mapping[str, AxleState],
        demand: Demand,
        tyre: Vector,
        design_load: Vector,
        lifted: Floats,
    ) -> None:
        self.masses, self.demand = masses, demand
        self.of = Unknowns(2 * len(states))
        self.wheels = WheelState.together([wheel for state in states.values() for wheel in state.wheels.values()])
        carried = [(name, mass, place) for name, state in states.items() for mass, place in state.masses]
        self.carried = Moving.together([place for _name, _mass, place in carried]) if carried else None
        self.amount = np.array([mass for _name, mass, _place in carried])
        names = list(states)
        self.owner = np.array([names.index(name) for name, _mass, _place in carried], dtype=int)
        self.shift = np.array([masses.shift[name] for name in names])
        self.elastic = np.stack([state.elastic for state in states.values()], axis=1)
        self.stiffness = np.stack([state.stiffness for state in states.values()], axis=1)
        self.softness = 1.0 / tyre
        self.design_load = design_load
        self.lifted = lifted
        self.is_known = ~np.isnan(demand.load).any(axis=1)

    def residual(self, x: Floats) -> Floats:
        """(p, n, unknowns) what unknowns leave over. Travels are changes from the poses of the states."""
        of = self.of
        change = x[..., of.travels].reshape(*x.shape[:2], -1, 2)  # (p, n, axles, 2)
        load = x[..., of.loads]
        ground = road(x[..., of.roll], x[..., of.pitch], x[..., of.height])
        ax, ay, az = (self.demand.acceleration[:, k, None] * GRAVITY for k in range(3))
        pull = -(ax * ground.forward + ay * ground.left + az * ground.up)  # on each unit of mass
        origin = (ground.up * ground.height[..., None])[..., None, :]
        both = np.repeat(change, 2, axis=2)  # of each wheel
        shift = np.repeat(self.shift, 2, axis=0)
        on = tyre_wrench(
            self.wheels, both, ground.under_each, self._on_wheels(load), shift, is_soft=self.softness > 0.0
        )
        worked = _work(self.wheels.centre.slope_at(both), on.force) + _work(self.wheels.turning_at(both), on.torque)
        by_travel = worked.reshape(*change.shape[:3], 2, 2).sum(axis=3)
        by_travel += self.elastic - np.einsum("nakl,pnal->pnak", self.stiffness, change)
        moment = np.sum(cross(on.at - origin, on.force) + on.moment, axis=-2)
        moment = moment + self._weigh(by_travel, change, pull, origin) + self._press(ground, origin)
        moment = moment + self.masses.sprung_mass * cross(self.masses.sprung_point - origin[..., 0, :], pull)
        left_over = np.zeros_like(x)
        left_over[..., of.travels] = by_travel.reshape(*x.shape[:2], -1)
        self._balance(left_over, moment, ground, load)
        self._stand(left_over, on.gap + (load - self.design_load) * self.softness, on.contact, x)
        return left_over

    def _on_wheels(self, load: Floats) -> WheelForces:
        """What the cases ask of all wheels under vertical loads (p, n, wheels)."""
        each = [
            forces.on_wheels(load[..., 2 * number : 2 * number + 2])
            for number, forces in enumerate(self.demand.forces.values())
        ]
        along, side = (np.concatenate([getattr(one, name) for one in each], axis=-1) for name in ("along", "side"))
        moments, passes = (
            np.concatenate([getattr(one, name) for one in each], axis=1) for name in ("moments", "passes")
        )
        return WheelForces(load, along, side, moments, passes)

    def _weigh(self, by_travel: Floats, change: Floats, pull: Floats, origin: Floats) -> Floats | float:
        """Add what the unsprung masses do on the travels to ``by_travel``; returns their moments (p, n, 3)."""
        if self.carried is None:
            return 0.0
        own = change[:, :, self.owner]
        weight = self.amount[:, None] * pull[..., None, :]
        worked = _work(self.carried.slope_at(own), weight)
        for number in range(by_travel.shape[2]):
            by_travel[:, :, number] += worked[:, :, self.owner == number].sum(axis=2)
        place = self.carried.at(own) + self.shift[self.owner]
        return np.asarray(np.sum(cross(place - origin, weight), axis=-2))

    def _press(self, ground: Road, origin: Floats) -> Floats:
        """Moments of downforces (p, n, 3)."""
        places = np.array([self.masses.downforce[name] for name in self.demand.downforce])
        pressed = np.stack(list(self.demand.downforce.values()), axis=-1)[..., None] * -ground.up[..., None, :]
        return np.asarray(np.sum(cross(places - origin, pressed), axis=-2))

    def _balance(self, left_over: Floats, moment: Floats, ground: Road, load: Floats) -> None:
        """Forces along n, and moments about two lines in the road, of the whole car."""
        weight = self.masses.mass * GRAVITY * self.demand.acceleration[:, 2] + sum(self.demand.downforce.values())
        left_over[..., self.of.roll] = np.sum(moment * ground.forward, axis=-1)
        left_over[..., self.of.pitch] = np.sum(moment * ground.left, axis=-1)
        left_over[..., self.of.height] = np.sum(load, axis=-1) - weight

    def _stand(self, left_over: Floats, gaps: Floats, contacts: Floats, x: Floats) -> None:
        """Every wheel on the road, or off it; where its load is known: the road nearest to all contacts."""
        of, known = self.of, self.is_known
        load = x[..., of.loads]
        left_over[..., of.loads] = np.where(self.lifted, load, gaps)
        left_over[:, known, of.loads] = (load - self.demand.load)[:, known]
        left_over[:, known, of.height] = np.sum(gaps, axis=-1)[:, known]
        left_over[:, known, of.roll] = np.sum(gaps * contacts[..., 1], axis=-1)[:, known]
        along = np.sum(gaps * contacts[..., 0], axis=-1) if self.elastic.shape[1] > 1 else x[..., of.pitch]
        left_over[:, known, of.pitch] = along[:, known]

    def newton(self, x: Floats) -> tuple[Floats, Floats]:
        """The step from unknowns (n, unknowns), whose travels are zero, NaN where there is none, and derivatives (n, k, k)."""
        size = x.shape[1]
        tried: Any = np.repeat(x[None].astype(np.complex128), size, axis=0)
        for k in range(size):
            tried[k, :, k] += 1j * STEP
        found = self.residual(tried)
        matrix = np.moveaxis(found.imag, 0, -1) / STEP
        return _solved(matrix, -found[0].real), matrix


def _work(slopes: Floats, force: Floats) -> Floats:
    """(p, n, w, 2) what forces (p, n, w, 3) do on both travels. slopes: (p, n, w, 2, 3)."""
    return np.asarray(np.einsum("...kc,...c->...k", slopes, force))


def _solved(matrix: Floats, right: Floats) -> Floats:
    """(n, k) solutions of n systems; NaN of one that is singular."""
    try:
        return np.asarray(np.linalg.solve(matrix, right[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:
        singular = np.abs(np.linalg.det(matrix)) == 0.0
        found = np.full_like(right, np.nan)
        found[~singular] = np.linalg.solve(matrix[~singular], right[~singular, :, None])[:, :, 0]
        return found
