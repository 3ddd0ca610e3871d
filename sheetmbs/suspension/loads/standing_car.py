"""A car that can be put on its wheels: its axles, laws and masses, with what it carries at design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.car_on_road import CarParts
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, CarData, Vector
from sheetmbs.suspension.layout.mass_data import CarMasses, corner_load
from sheetmbs.suspension.loads.axle_vectors import AxleState, AxleVectors, axle_state

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StandingCar:
    """A car that can be put on its wheels."""

    car: CarData
    systems: Mapping[str, AxleSystem]
    laws: Mapping[str, AxleLaws]
    masses: CarMasses

    @cached_property
    def tyre(self) -> Vector:
        """(wheels,) vertical rates, inf where rigid."""
        return np.array([axle.number("tyre rate") or np.inf for axle in self.car.axles for _side in SIDES])

    @cached_property
    def design_load(self) -> Vector:
        """(wheels,) contact loads at design."""
        return np.array([corner_load(self.car, axle) or 0.0 for axle in self.car.axles for _side in SIDES])

    @cached_property
    def design_travel(self) -> Vector:
        """(wheels,) at which adjustments leave the wheels."""
        return np.array([axle.standing(side) for axle in self.car.axles for side in SIDES])

    @cached_property
    def _vectors(self) -> dict[str, AxleVectors]:
        """What is read off each axle, known from its first poses on."""
        return {}

    @cached_property
    def parts(self) -> CarParts:
        """What its balance is made of."""
        masses, wheels = self.masses, [(axle, side) for axle in self.car.axles for side in SIDES]
        unsprung = [(number, each) for number, axle in enumerate(self.systems) for each in masses.unsprung[axle]]
        return CarParts(
            s=np.array([1.0 if side == "left" else -1.0 for _axle, side in wheels]),
            radius=np.array([axle.number("tyre radius") or 0.0 for axle, _side in wheels]),
            softness=1.0 / self.tyre,
            design_load=self.design_load,
            shift=np.array([masses.shift[name] for name in self.systems]),
            carrier=np.array([number for number, _mass in unsprung], dtype=np.int64),
            amount=np.array([mass.mass for _number, mass in unsprung], dtype=np.float64),
            downforce_at=np.array([masses.downforce[name] for name in self.systems]),
            sprung_mass=float(masses.sprung_mass),
            sprung_at=np.array(masses.sprung_point, dtype=np.float64),
            mass=float(masses.mass),
        )

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
            if name not in self._vectors:
                self._vectors[name] = AxleVectors(swept, self.masses.unsprung[name])
            found[name] = axle_state(swept, self.laws[name], self._vectors[name])
        return found, reached
