"""Angles of a wheel."""

from __future__ import annotations

from sheetmbs.suspension.kinematics.jets import Jet, arctan2
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import found_once
from sheetmbs.suspension.metrics.declared_metric import DEG, MM, Metric
from sheetmbs.suspension.metrics.metric_contexts import CornerPoses


@found_once
def camber(wheel: Wheel) -> Jet:
    """Camber angle of the wheel, -asin(w.z)."""
    return -wheel.spin.z.arcsin()


@found_once
def inclination(wheel: Wheel) -> Jet:
    """Inclination to the road, -asin(w.n)."""
    return -wheel.spin.dot(wheel.normal).arcsin()


@found_once
def toe(wheel: Wheel) -> Jet:
    """Toe angle of the wheel, atan2(w_x, s w_y)."""
    return arctan2(wheel.spin.x, wheel.spin.y * wheel.s)


@found_once
def steer(wheel: Wheel) -> Jet:
    """Steer angle of the wheel, -s toe."""
    return toe(wheel) * -wheel.s


def _toe_at_rim(corner: CornerPoses) -> Jet:
    """How much nearer the front of the rim is to the middle of the car than its rear: D sin(toe)."""
    return toe(corner.wheel).sin() * corner.number("rim diameter")


WHEEL_ANGLES: tuple[Metric[CornerPoses], ...] = (
    Metric("camber", "-asin(w.z)", "top outboard", DEG, lambda of: camber(of.wheel), "body", "Lotus: Camber"),
    Metric(
        "inclination",
        "-asin(w.n), n the normal of the road",
        "top outboard",
        DEG,
        lambda of: inclination(of.wheel),
        "road",
        "camber to ground; ISO 8855: camber angle",
    ),
    Metric(
        "toe",
        "atan2(w_x, s w_y)",
        "front inboard",
        DEG,
        lambda of: toe(of.wheel),
        "body",
        "SAE toe; OptimumK: toe x -1",
    ),
    Metric(
        "toe_mm",
        "rim diameter x sin(toe)",
        "front inboard",
        MM,
        _toe_at_rim,
        "body",
        "toe per wheel at the rim",
        ("rim diameter",),
    ),
    Metric("steer", "-s toe", "to the left, both wheels", DEG, lambda of: steer(of.wheel), "body", "ISO steer angle"),
)
