"""What a turn of a rod end does to a wheel: at an unchanged spring, as in the workshop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.sensitivity.finite_difference_axle import Workshop
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities, sensitivities

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


def rod_end_turns(car: CarData, design: SweptAxle, workshop: Workshop | None = None) -> Iterator[RodEndTurn]:
    """The effect of a turn of every member of an axle at its design pose; none without a thread pitch.

    A longer member changes the length l of the spring at a held wheel; the wheel then moves until it is as before:
    dz/dL = -(dl/dL)/(dl/dz), with dl/dz = -motion_ratio. workshop: as of sensitivities.
    """
    pitch = design.axle.number("thread pitch")
    if not pitch:
        return
    corner = design.axle.corner("left")
    wanted = [f"{corner}.{name}" for name in (TOE, CAMBER, LENGTH, RATIO, f"{TOE}_gradient", f"{CAMBER}_gradient")]
    found = sensitivities(car, design, design, wanted, workshop)
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
