"""Derivatives of angles of a wheel by its travel, by roll and by the rack."""

from __future__ import annotations

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.metrics.declared_metric import Metric
from sheetmbs.suspension.metrics.metric_contexts import CornerPoses
from sheetmbs.suspension.metrics.steering_axes import caster
from sheetmbs.suspension.metrics.wheel_angles import camber, inclination, steer, toe

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
