"""Values at the foot of the page mbs Suspension: what the shafts of the steering do, and the least reserve of each axle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import degrees, isnan

from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.steering_column import SteeringColumn
from sheetmbs.suspension.sizing.sized_car import SizedCar

PERCENT = 100.0


@dataclass(frozen=True)
class FootValue:
    """A value with a remark. decimals: of the number."""

    item: str
    unit: str
    value: float
    decimals: int
    remark: str = ""


def foot_values(car: CarData, sized: SizedCar) -> Iterator[FootValue]:
    """All of them; none of a car without shafts and sized members."""
    steered = car.steered
    if steered is not None and steered.column is not None:
        yield from _of_shafts(steered.column, steered.rack_per_angle, car.units.length)
    for axle, (member, reserve) in sized.least.items():
        remark = f"{member.name}, {reserve.against}, in {reserve.case}"
        yield FootValue(f"least reserve, {axle}", "N/N", reserve.value, 2, remark)


def _of_shafts(column: SteeringColumn, rack_per_angle: float, length: str) -> Iterator[FootValue]:
    for joint in column.joints:
        yield FootValue(f"joint angle, {joint.name}", "deg", degrees(joint.beta), 2)
    if column.joints:
        yield FootValue("steering ripple", "%", PERCENT * column.ripple, 2, _least(column))
    if column.play and not isnan(rack_per_angle):
        rack = abs(column.play * rack_per_angle) / parse_unit(length).size
        yield FootValue(
            "steering play", length, rack, 2, f"of rack travel, {degrees(column.play):.4g} deg at the pinion"
        )


def _least(column: SteeringColumn) -> str:
    """The phase that would leave the least ripple, in words; nothing where no phase counts."""
    if column.least_ripple is None:
        return ""
    ripple, phase, joint = column.least_ripple
    shown = round(degrees(phase), 2) + 0.0  # and not -0
    return f"least ripple {PERCENT * ripple:.2f} % at phase {shown:.2f} deg of {joint}"
