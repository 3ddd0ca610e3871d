"""What metrics of a whole car are found from, and those of an axle that need the rest of it: over all rows of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.metrics.car_roll import CarRoll, car_roll
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses


@dataclass(frozen=True, eq=False)
class CarPoses:
    """A car over rows. axles: by name, each over the rows that it reached; reached: which of all rows these are."""

    car: CarData
    rows: int
    axles: Mapping[str, AxlePoses]
    reached: Mapping[str, Ints]

    def number(self, setting: str) -> float:
        """A setting of the car; NaN where nothing tells it."""
        told = self.car.number(setting)
        return nan if told is None else told

    def spread(self, axle: str, values: Floats) -> Floats:
        """Values of an axle over all rows, NaN where it was not reached."""
        if len(self.reached[axle]) == self.rows:
            return values
        found = np.full((self.rows, *values.shape[1:]), nan)
        found[self.reached[axle]] = values
        return found

    @cached_property
    def roll(self) -> CarRoll | None:
        """Roll angle at 1 g by the linear formulas."""
        return car_roll(self.car, self.axles, self.spread)

    @property
    def shares(self) -> tuple[AxleInCar, ...]:
        """Each axle as a part of the whole."""
        return tuple(AxleInCar(self, name) for name in self.axles)


@dataclass(frozen=True, eq=False)
class AxleInCar:
    """An axle as a part of its car, over all rows of a sweep."""

    of_car: CarPoses
    name: str

    @property
    def poses(self) -> AxlePoses:
        """The axle over the rows that it reached."""
        return self.of_car.axles[self.name]

    def number(self, setting: str) -> float:
        """A setting of the axle or the car; NaN where nothing tells it."""
        return self.poses.number(setting)
