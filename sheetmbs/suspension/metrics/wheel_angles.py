"""Angles of a wheel, and their derivatives by its travel, by roll and by the rack."""

from __future__ import annotations

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, arctan2
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import computed_once
from sheetmbs.suspension.metrics.metric import DEG, MM, CornerPoses, Metric
from sheetmbs.suspension.metrics.steering_axes import caster


@computed_once
def camber(wheel: Wheel) -> Jet:
    """Camber angle of the wheel, -asin(w.z)."""
    return -wheel.spin.z.arcsin()


@computed_once
def inclination(wheel: Wheel) -> Jet:
    """Inclination to the road, -asin(w.n)."""
    return -wheel.spin.dot(wheel.normal).arcsin()


@computed_once
def toe(wheel: Wheel) -> Jet:
    """Toe angle of the wheel, atan2(w_x, s w_y)."""
    return arctan2(wheel.spin.x, wheel.spin.y * wheel.s)


@computed_once
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
        "SAE toe; OptimumK: -asin(w_x), which is toe x -cos(camber)",
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


PER_TRAVEL, BEND, PER_ROLL = "deg/mm", "deg/mm^2", "deg/deg"


def _by_travel(jet: Jet | None) -> Floats | None:
    return None if jet is None else jet.first[:, 0]


def _bend(jet: Jet) -> Floats:
    return jet.second[:, 0, 0]


def _by_roll(jet: Jet, of: CornerPoses) -> Floats:
    """With the road, and with the travel that keeps the wheel on it."""
    return of.of_axle.swept.along_roll(of.wheel.side, jet)


def _by_rack(of: CornerPoses) -> Floats | None:
    return steer(of.wheel).first[:, of.wheel.rack_at] if of.axle.is_steered else None


DERIVATIVES: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "camber_gradient",
        "d(camber)/dz",
        "top outboard in bump",
        PER_TRAVEL,
        lambda of: _by_travel(camber(of.wheel)),
        "body",
        "camber gain",
    ),
    Metric(
        "camber_curvature",
        "d2(camber)/dz2",
        "top outboard in bump",
        BEND,
        lambda of: _bend(camber(of.wheel)),
        "body",
    ),
    Metric(
        "toe_gradient",
        "d(toe)/dz",
        "toe in in bump",
        PER_TRAVEL,
        lambda of: _by_travel(toe(of.wheel)),
        "body",
        "bump steer",
    ),
    Metric("toe_curvature", "d2(toe)/dz2", "toe in in bump", BEND, lambda of: _bend(toe(of.wheel)), "body"),
    Metric(
        "caster_gradient",
        "d(caster)/dz",
        "top rearward in bump",
        PER_TRAVEL,
        lambda of: _by_travel(caster(of.wheel)),
        "body",
    ),
    Metric(
        "roll_camber",
        "d(inclination)/d(roll) in the roll motion about the ground",
        "top outboard as the body leans right",
        PER_ROLL,
        lambda of: _by_roll(inclination(of.wheel), of),
        "road",
    ),
    Metric(
        "roll_steer",
        "d(steer)/d(roll) in the roll motion about the ground",
        "to the left as the body leans right",
        PER_ROLL,
        lambda of: _by_roll(steer(of.wheel), of),
        "road",
    ),
    Metric(
        "steer_ratio",
        "d(steer)/d(rack)",
        "to the left as the rack moves to the left",
        PER_TRAVEL,
        _by_rack,
        "body",
    ),
)
