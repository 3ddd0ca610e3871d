"""Every metric that results have, by what it belongs to, in the order of their columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sheetmbs.suspension.metrics.ackermann import OVERALL_RATIO, STEERING
from sheetmbs.suspension.metrics.anti_effects import ANTI_EFFECTS
from sheetmbs.suspension.metrics.car_contexts import AxleInCar, CarPoses
from sheetmbs.suspension.metrics.compliance import AXLE_COMPLIANCE, CAR_COMPLIANCE, CORNER_COMPLIANCE
from sheetmbs.suspension.metrics.damping import ROLL_DAMPING, WHEEL_DAMPING
from sheetmbs.suspension.metrics.element_shares import (
    BLADE_ANGLE,
    CORNER_ELEMENTS,
    ELEMENT_SHARES,
    ELEMENTS_ACROSS,
)
from sheetmbs.suspension.metrics.instant_centres import PLANE_CENTRES, PLANE_ROLL_CENTRE, ROLL_CENTRE, WHEEL_CENTRES
from sheetmbs.suspension.metrics.load_transfer import CAR_ROLL, LOAD_TRANSFER
from sheetmbs.suspension.metrics.metric import AxlePoses, CornerPoses, ElementGroup, ElementPoses, Metric
from sheetmbs.suspension.metrics.spring_motion import BAR, BAR_HALVES, ELEMENTS, SPRING_MOTION
from sheetmbs.suspension.metrics.steering_axes import STEERING_AXIS
from sheetmbs.suspension.metrics.steering_wheel import STEERING_WHEEL
from sheetmbs.suspension.metrics.wheel_angles import DERIVATIVES, WHEEL_ANGLES
from sheetmbs.suspension.metrics.wheel_positions import POSITIONS, TRACK, WHEELBASES
from sheetmbs.suspension.metrics.wheel_rates import ROLL_MOMENTS, ROLL_STIFFNESS, WHEEL_RATES

CORNER_METRICS: tuple[Metric[CornerPoses], ...] = (
    *WHEEL_ANGLES,
    *STEERING_AXIS,
    *POSITIONS,
    *DERIVATIVES,
    *OVERALL_RATIO,
    *WHEEL_CENTRES,
    *PLANE_CENTRES,
    *ANTI_EFFECTS,
    *SPRING_MOTION,
    *BAR_HALVES,
    *WHEEL_RATES,
    *WHEEL_DAMPING,
    *CORNER_ELEMENTS,
    *CORNER_COMPLIANCE,
)
"""of a wheel: columns ``FL.camber``"""

AXLE_METRICS: tuple[Metric[AxlePoses], ...] = (
    *ROLL_CENTRE,
    *PLANE_ROLL_CENTRE,
    *TRACK,
    *STEERING,
    *BAR,
    *BLADE_ANGLE,
    *ROLL_STIFFNESS,
    *ROLL_MOMENTS,
    *AXLE_COMPLIANCE,
)
"""of an axle: columns ``front.track``"""

ELEMENT_METRICS: tuple[Metric[ElementPoses], ...] = (*ELEMENTS, *ELEMENTS_ACROSS)
"""of a spring, stop or bar: columns ``FL.spring_force``"""

SHARE_METRICS: tuple[Metric[ElementGroup], ...] = ELEMENT_SHARES
"""of a row of Suspension springs on its axle: columns ``front.spring_heave_share``"""

AXLE_IN_CAR_METRICS: tuple[Metric[AxleInCar], ...] = LOAD_TRANSFER
"""of an axle, found from the whole car: columns ``front.load_transfer_elastic``"""

CAR_METRICS: tuple[Metric[CarPoses], ...] = (*WHEELBASES, *CAR_ROLL, *ROLL_DAMPING, *STEERING_WHEEL, *CAR_COMPLIANCE)
"""of the car: columns without a prefix"""

METRIC_GROUPS: dict[str, tuple[Metric[Any], ...]] = {
    "wheel": CORNER_METRICS,
    "axle": (*AXLE_METRICS, *AXLE_IN_CAR_METRICS),
    "element": ELEMENT_METRICS,
    "share": SHARE_METRICS,
    "car": CAR_METRICS,
}
"""metrics by what they belong to, for lists of definitions"""

PREFIXES = {"wheel": "FL.", "axle": "front.", "element": "FL.", "share": "front.", "car": ""}
"""what stands before the names of each group, for an example"""


def declared_metrics() -> Iterator[tuple[str, Metric[Any]]]:
    """Every metric with the name of its group."""
    for group, metrics in METRIC_GROUPS.items():
        for metric in metrics:
            yield group, metric
