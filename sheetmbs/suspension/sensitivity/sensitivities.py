"""Sensitivities: the derivative of every metric of an axle by every hardpoint coordinate and member length.

The motion of all bodies is exact to second order in the drivers; a metric is a formula of it, and is differenced a millionth of
a metre to either side along that motion, without solving anything again. Where rows of the workbook's own join the bodies, the
axle is made anew on either side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from sheetmbs.suspension.sensitivity.remade_axle import STEP as REMADE_STEP
from sheetmbs.suspension.sensitivity.remade_axle import Workshop, remade_axle
from sheetmbs.suspension.sensitivity.varied_axle import shifted_places, varied_axle

STEP = 1e-6
"""m"""
Variation = Callable[[int, float], SweptAxle]
"""an axle with the parameter of a number changed by so much, m"""


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


def sensitivities(
    car: CarData,
    swept: SweptAxle,
    design: SweptAxle,
    wanted: Collection[str] = (),
    workshop: Workshop | None = None,
) -> Sensitivities:
    """Of an axle at n poses. design: it at its design pose, where preloads are found; wanted: columns, () all.

    workshop: makes it anew where it is joined otherwise than its type; then raises WorkbookError or
    ArithmeticError where it does not go together.
    """
    parameters = parameters_of(swept.axle)
    if workshop is not None:
        parameters = [each for each in parameters if not each.member or each.member in workshop.members]
    here, at_design = (_variation(each, parameters, workshop) for each in (swept, design))
    step = STEP if workshop is None else REMADE_STEP
    count = len(swept.placing.rack)
    middle = np.zeros((count, 0))
    columns: list[Floats] = []
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    for number in range(len(parameters)):
        sides = []
        for signed in (step, -step):
            varied = here(number, signed)
            held = FoundLaws(partial(_laws, car, at_design, number, signed))
            axle = varied.axle.name
            poses = CarPoses(car, count, {axle: AxlePoses(car, varied, held)}, {axle: np.arange(count)})
            found = list(metric_columns(poses, wanted))
            names, units = tuple(each.name for each in found), tuple(each.unit for each in found)
            sides.append(np.column_stack([each.values for each in found]))
        middle = 0.5 * (sides[0] + sides[1])
        columns.append((sides[0] - sides[1]) / (2e3 * step))
    return Sensitivities(swept.axle.name, names, units, tuple(parameters), np.stack(columns, axis=-1), middle)


def _variation(swept: SweptAxle, parameters: Sequence[Parameter], workshop: Workshop | None) -> Variation:
    """How an axle is found with one of its parameters changed."""
    if workshop is not None:
        return lambda number, step: remade_axle(swept, workshop, parameters[number], step)
    places = shifted_places(swept, parameters)
    return lambda number, step: varied_axle(swept, places, number, step)


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


def _laws(car: CarData, at_design: Variation, number: int, step: float) -> AxleLaws:
    return laws(car, at_design(number, step))
