"""A car that can be put on its wheels: its axles, laws and masses, with what it carries at design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, CarData, Vector
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.loads.car_masses import CarMasses
from sheetmbs.suspension.loads.corner_states import AxleState, axle_state

Mask = NDArray[np.bool_]


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
