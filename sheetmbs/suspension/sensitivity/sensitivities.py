"""Sensitivities: the derivative of every metric of an axle by every hardpoint coordinate and member length.

The motion of all bodies is exact to second order in the drivers; a metric is a formula of it, and is differenced a millionth of
a metre to either side along that motion, without solving anything again. Where rows of the workbook's own join the bodies, the
axle is generated again on either side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, LazyLaws, laws
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.metrics.columns import MetricsFound, metrics_over_poses
from sheetmbs.suspension.sensitivity.body_shifts import Parameter
from sheetmbs.suspension.sensitivity.varied_axle import STEP as REMADE_STEP
from sheetmbs.suspension.sensitivity.varied_axle import AxleGenerator, ShiftedAxle, finite_difference_axle, varied_axle

STEP = 1e-6
"""m"""
POSES_PER_BLOCK = 1000
"""poses that go through the formulas together: more of them leave the cache of a processor, and take memory again each time"""


@dataclass(frozen=True, eq=False)
class Sensitivities:
    """Sensitivities of one axle.

    by: (n, metrics, parameters), each in its unit per mm. at: (n, metrics) themselves, in their units.
    """

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
    members = [Parameter(member=joint.name) for joint in joints_of(axle) if joint.type == DISTANCE.name]
    return points + members


def sensitivities(
    car: CarData,
    swept: SweptAxle,
    design: SweptAxle,
    wanted: Collection[str] = (),
    generator: AxleGenerator | None = None,
    parameters: Sequence[Parameter] = (),
) -> Sensitivities:
    """Sensitivities of an axle at n poses. design: it at its design pose, where preloads are found; wanted: columns, () all.

    parameters: those that are asked for, () all.

    generator: generates it again where it is joined otherwise than its type; then raises WorkbookError or
    ArithmeticError where it does not go together.
    """
    parameters = list(parameters) or parameters_of(swept.axle)
    if generator is not None:
        parameters = [each for each in parameters if not each.member or each.member in generator.members]
    find = _along_shifts if generator is None else partial(_generated_again, generator=generator)
    names, units, values = find(car, swept, design, parameters, wanted)
    step = STEP if generator is None else REMADE_STEP
    middle = 0.5 * (values[0, -1] + values[1, -1])
    by = np.moveaxis(values[0] - values[1], 0, -1) / (2e3 * step)
    return Sensitivities(swept.axle.name, names, units, tuple(parameters), by, middle)


def _along_shifts(
    car: CarData, swept: SweptAxle, design: SweptAxle, parameters: Sequence[Parameter], wanted: Collection[str]
) -> MetricsFound:
    """Every parameter to either side, some of them at once, along the motion of all bodies."""
    shifted, shifted_design = ShiftedAxle(swept, parameters), ShiftedAxle(design, parameters)
    poses, found = len(swept.placing.rack), []
    together = max(1, POSES_PER_BLOCK // (2 * poses))
    for first in range(0, len(parameters), together):
        some = range(first, min(first + together, len(parameters)))
        at_design = varied_axle(shifted_design, some, STEP)
        varied = varied_axle(shifted, some, STEP, at_design)
        names, units, values = metrics_over_poses(car, varied, LazyLaws(partial(laws, car, at_design)), wanted)
        found.append(values.reshape(2, len(some), poses, len(names)))
    return names, units, np.concatenate(found, axis=1)


def _generated_again(
    car: CarData,
    swept: SweptAxle,
    design: SweptAxle,
    parameters: Sequence[Parameter],
    wanted: Collection[str],
    generator: AxleGenerator,
) -> MetricsFound:
    """Every parameter to either side, each axle by itself."""
    found = []
    for step in (REMADE_STEP, -REMADE_STEP):
        for parameter in parameters:
            varied = finite_difference_axle(swept, generator, parameter, step)
            held = LazyLaws(partial(_laws, car, design, generator, parameter, step))
            found.append(metrics_over_poses(car, varied, held, wanted))
    names, units, _values = found[-1]
    values = np.stack([values for _names, _units, values in found])
    return names, units, values.reshape(2, len(parameters), *values.shape[1:])


def _laws(car: CarData, design: SweptAxle, generator: AxleGenerator, parameter: Parameter, step: float) -> AxleLaws:
    return laws(car, finite_difference_axle(design, generator, parameter, step))


PER_MM = 1e3
TOE, CAMBER, LENGTH, RATIO = "toe", "camber", "spring_length", "motion_ratio"


@dataclass(frozen=True)
class RodEndTurn:
    """One turn that makes a member of an axle longer. toe, camber: deg; ride_height: mm, + the car rises."""

    axle: str
    member: str
    toe: float
    camber: float
    ride_height: float


def rod_end_turns(car: CarData, design: SweptAxle, generator: AxleGenerator | None = None) -> Iterator[RodEndTurn]:
    """The effect of a turn of every member of an axle at its design pose; none without a thread pitch.

    A longer member changes the length l of the spring at a held wheel; the wheel then moves until it is as before:
    dz/dL = -(dl/dL)/(dl/dz), with dl/dz = -motion_ratio. generator: as of sensitivities.
    """
    pitch = design.axle.number("thread pitch")
    if not pitch:
        return
    corner = design.axle.corner("left")
    wanted = [f"{corner}.{name}" for name in (TOE, CAMBER, LENGTH, RATIO, f"{TOE}_gradient", f"{CAMBER}_gradient")]
    found = sensitivities(car, design, design, wanted, generator)
    values = dict(zip(found.metrics, found.at[0], strict=True))
    has_spring = abs(values.get(f"{corner}.{RATIO}", 0.0)) > 0.0
    for parameter in found.parameters:
        if not parameter.member:
            continue
        travel = _by(found, f"{corner}.{LENGTH}", parameter.name) / values[f"{corner}.{RATIO}"] if has_spring else 0.0
        toe, camber = (
            _by(found, f"{corner}.{name}", parameter.name) + values[f"{corner}.{name}_gradient"] * travel
            for name in (TOE, CAMBER)
        )
        turn = PER_MM * pitch
        yield RodEndTurn(design.axle.name, parameter.member, toe * turn, camber * turn, -travel * turn)


def _by(found: Sensitivities, metric: str, parameter: str) -> float:
    return float(found.of(metric, parameter)[0])
