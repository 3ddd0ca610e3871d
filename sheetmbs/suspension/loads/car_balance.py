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
from sheetmbs.suspension.loads.corner_states import AxleState
from sheetmbs.suspension.loads.road import Road, road, tyre_wrench
from sheetmbs.suspension.loads.wheel_forces import PlaneForces

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
        self.masses, self.states, self.demand = masses, states, demand
        self.of = Unknowns(2 * len(states))
        self.softness = 1.0 / tyre
        self.design_load = design_load
        self.lifted = lifted
        self.is_known = ~np.isnan(demand.load).any(axis=1)

    def residual(self, x: Floats) -> Floats:
        """(p, n, unknowns) what unknowns leave over. Travels are changes from the poses of the states."""
        of = self.of
        travels, load = x[..., of.travels], x[..., of.loads]
        ground = road(x[..., of.roll], x[..., of.pitch], x[..., of.height])
        ax, ay, az = (self.demand.acceleration[:, k, None] * GRAVITY for k in range(3))
        pull = -(ax * ground.forward + ay * ground.left + az * ground.up)  # on each unit of mass
        origin = ground.up * ground.height[..., None]
        left_over, moment = np.zeros_like(x), np.zeros_like(pull)
        gaps, contacts = [], []
        for number, (name, axle) in enumerate(self.states.items()):
            own = slice(2 * number, 2 * number + 2)
            change, shift = travels[..., own], self.masses.shift[name]
            left_over[..., own] += axle.elastic - np.einsum("nkl,pnl->pnk", axle.stiffness, change)
            for mass, place in axle.masses:
                left_over[..., own] += mass * np.einsum("pnkc,pnc->pnk", place.slope_at(change), pull)
                moment = moment + mass * cross(place.at(change) + shift - origin, pull)
            for wheel, state in zip((2 * number, 2 * number + 1), axle.wheels.values(), strict=True):
                forces, soft = self.demand.forces[name], self.softness[wheel]
                on = tyre_wrench(state, change, ground, load[..., own], forces, shift, is_soft=bool(soft))
                left_over[..., own] += np.einsum("pnkc,pnc->pnk", state.centre.slope_at(change), on.force)
                left_over[..., own] += np.einsum("pnkc,pnc->pnk", state.turning_at(change), on.torque)
                moment = moment + cross(on.at - origin, on.force) + on.moment
                gap = np.sum(ground.up * on.contact, axis=-1) - ground.height
                gaps.append(gap + (load[..., wheel] - self.design_load[wheel]) * soft)
                contacts.append(on.contact)
            pressed = -self.demand.downforce[name][:, None] * ground.up
            moment = moment + cross(self.masses.downforce[name] - origin, pressed)
        moment = moment + self.masses.sprung_mass * cross(self.masses.sprung_point - origin, pull)
        self._balance(left_over, moment, ground, load)
        self._stand(left_over, np.stack(gaps, axis=-1), np.stack(contacts, axis=-2), x)
        return left_over

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
        along = np.sum(gaps * contacts[..., 0], axis=-1) if len(self.states) > 1 else x[..., of.pitch]
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


def _solved(matrix: Floats, right: Floats) -> Floats:
    """(n, k) solutions of n systems; NaN of one that is singular."""
    try:
        return np.asarray(np.linalg.solve(matrix, right[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:
        singular = np.abs(np.linalg.det(matrix)) == 0.0
        found = np.full_like(right, np.nan)
        found[~singular] = np.linalg.solve(matrix[~singular], right[~singular, :, None])[:, :, 0]
        return found
