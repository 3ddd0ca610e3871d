"""Sensitivities: the derivative of every metric of an axle by every hardpoint coordinate and member length.

The motion of all bodies is exact to second order in the drivers; a metric is a formula of it, and is differenced a millionth of
a metre to either side along that motion, without solving anything again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_laws import laws
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, HeldLaw
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.columns import metric_columns
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses
from sheetmbs.suspension.sensitivity.body_shifts import Parameter
from sheetmbs.suspension.sensitivity.varied_axle import ShiftedPlaces, shifted_places, varied_axle

STEP = 1e-6
"""m"""


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Of one axle. by: (n, metrics, parameters), each in its unit per mm. at: (n, metrics) themselves, in their units."""

    axle: str
    metrics: tuple[str, ...]
    units: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    by: Floats
    at: Floats

    def of(self, metric: str, parameter: str) -> Floats:
        """(n,) of a metric by a parameter, as their columns are named."""
        names = [each.name for each in self.parameters]
        return np.asarray(self.by[:, self.metrics.index(metric), names.index(parameter)])


def parameters_of(axle: AxleData) -> list[Parameter]:
    """Every coordinate of every hardpoint of the left side, and every member's length."""
    points = [Parameter(name, k) for name in axle.points["left"] for k in range(3)]
    members = [Parameter(member=joint.name) for joint in joints_of(axle) if joint.type == "distance"]
    return points + members


def sensitivities(car: CarData, swept: SweptAxle, design: SweptAxle, wanted: Collection[str] = ()) -> Sensitivities:
    """Of an axle at n poses. design: it at its design pose, where preloads are found; wanted: columns, () all.

    Raises NotServedError for axles of which they are not found.
    """
    parameters = parameters_of(swept.axle)
    moved, at_design = shifted_places(swept, parameters), shifted_places(design, parameters)
    count = len(swept.placing.rack)
    middle = np.zeros((count, 0))
    columns: list[Floats] = []
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    for number in range(len(parameters)):
        sides = []
        for step in (STEP, -STEP):
            here = varied_axle(swept, moved, number, step)
            held = FoundLaws(partial(_laws, car, design, at_design, number, step))
            axle = here.axle.name
            poses = CarPoses(car, count, {axle: AxlePoses(car, here, held)}, {axle: np.arange(count)})
            found = list(metric_columns(poses, wanted))
            names, units = tuple(each.name for each in found), tuple(each.unit for each in found)
            sides.append(np.column_stack([each.values for each in found]))
        middle = 0.5 * (sides[0] + sides[1])
        columns.append((sides[0] - sides[1]) / (2e3 * STEP))
    return Sensitivities(swept.axle.name, names, units, tuple(parameters), np.stack(columns, axis=-1), middle)


class FoundLaws(Mapping[tuple[str, str], HeldLaw]):
    """Laws of elements that are found when one is first asked for: most metrics need none."""

    def __init__(self, find: Callable[[], AxleLaws]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> AxleLaws:
        return self._find()

    def __getitem__(self, key: tuple[str, str]) -> HeldLaw:
        return self._found[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _laws(car: CarData, design: SweptAxle, places: Mapping[str, ShiftedPlaces], number: int, step: float) -> AxleLaws:
    return laws(car, varied_axle(design, places, number, step))
