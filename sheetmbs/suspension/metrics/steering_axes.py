"""The steering axis of a wheel and where it meets the road."""

from __future__ import annotations

from collections.abc import Callable

from sheetmbs.suspension.kinematics.jets import Jet, arctan2
from sheetmbs.suspension.kinematics.wheel import Wheel, square
from sheetmbs.suspension.layout.car import computed_once
from sheetmbs.suspension.metrics.metric import DEG, MM, CornerPoses, Metric


@computed_once
def caster(wheel: Wheel) -> Jet | None:
    """Caster angle, atan2(-k_x, k_z)."""
    return None if wheel.axis is None else arctan2(-wheel.axis[1].x, wheel.axis[1].z)


@computed_once
def kpi(wheel: Wheel) -> Jet | None:
    """Kingpin angle, atan2(-s k_y, k_z)."""
    return None if wheel.axis is None else arctan2(wheel.axis[1].y * -wheel.s, wheel.axis[1].z)


@computed_once
def caster_offset(wheel: Wheel) -> Jet | None:
    """Caster offset along the heading, (P - C).h."""
    met = wheel.axis_on_road
    return None if met is None else (met - wheel.contact).dot(wheel.heading)


@computed_once
def caster_offset_x(wheel: Wheel) -> Jet | None:
    """Caster offset along body x, (P - C).x."""
    met = wheel.axis_on_road
    return None if met is None else (met - wheel.contact).x


@computed_once
def mechanical_trail(wheel: Wheel) -> Jet | None:
    """Mechanical trail, caster_offset_x cos(caster)."""
    offset, angle = caster_offset_x(wheel), caster(wheel)
    return None if offset is None or angle is None else offset * angle.cos()


@computed_once
def kingpin_offset(wheel: Wheel) -> Jet | None:
    """Kingpin offset outboard, (C - P).o."""
    met = wheel.axis_on_road
    return None if met is None else (wheel.contact - met).dot(wheel.outboard)


def kingpin_offset_y(wheel: Wheel) -> Jet | None:
    """Kingpin offset along body y, s (C - P).y."""
    met = wheel.axis_on_road
    return None if met is None else (wheel.contact - met).y * wheel.s


def scrub_radius(wheel: Wheel) -> Jet | None:
    """Scrub radius, sqrt(caster_offset^2 + kingpin_offset^2)."""
    along, across = caster_offset(wheel), kingpin_offset(wheel)
    return None if along is None or across is None else (square(along) + square(across)).sqrt()


def hub_trail(wheel: Wheel) -> Jet | None:
    """Hub trail, (H - W).x, m."""
    met = wheel.axis_at_centre
    return None if met is None else (met - wheel.centre).x


def kingpin_offset_wc(wheel: Wheel) -> Jet | None:
    """Kingpin offset at the wheel centre, s (W - H).y."""
    met = wheel.axis_at_centre
    return None if met is None else (wheel.centre - met).y * wheel.s


def _of_axis(
    name: str,
    definition: str,
    sign: str,
    unit: str,
    find: Callable[[Wheel], Jet | None],
    reference: str,
    others: str = "",
) -> Metric[CornerPoses]:
    return Metric(name, definition, sign, unit, lambda of: find(of.wheel), reference, others)


def screw_pitch(wheel: Wheel) -> Jet | None:
    """Pitch of the instant axis, omega.v/|omega|^2."""
    return None if wheel.screw is None else wheel.screw.pitch


ROAD, BODY = "road", "body"

STEERING_AXIS: tuple[Metric[CornerPoses], ...] = (
    _of_axis("caster", "atan2(-k_x, k_z)", "top rearward", DEG, caster, BODY, "castor"),
    _of_axis("kpi", "atan2(-s k_y, k_z)", "top inboard", DEG, kpi, BODY, "kingpin or steering axis inclination"),
    _of_axis(
        "caster_offset",
        "(P - C).h",
        "axis meets the road ahead of the contact",
        MM,
        caster_offset,
        ROAD,
        "trail; mechanical trail in some formula student samples",
    ),
    _of_axis(
        "caster_offset_x",
        "(P - C).x",
        "axis meets the road ahead of the contact",
        MM,
        caster_offset_x,
        BODY,
        "Lotus: Castor offset",
    ),
    _of_axis(
        "mechanical_trail",
        "caster_offset_x cos(caster)",
        "axis meets the road ahead of the contact",
        MM,
        mechanical_trail,
        BODY,
        "Lotus: Mechanical trail",
    ),
    _of_axis(
        "kingpin_offset",
        "(C - P).o",
        "axis meets the road inboard of the contact",
        MM,
        kingpin_offset,
        ROAD,
        "scrub radius in most tools",
    ),
    _of_axis(
        "kingpin_offset_y",
        "s (C - P).y",
        "axis meets the road inboard of the contact",
        MM,
        kingpin_offset_y,
        BODY,
    ),
    _of_axis(
        "scrub_radius",
        "sqrt(caster_offset^2 + kingpin_offset^2)",
        "unsigned",
        MM,
        scrub_radius,
        ROAD,
        "ISO 8855: scrub radius",
    ),
    _of_axis("hub_trail", "(H - W).x", "axis passes ahead of the wheel centre", MM, hub_trail, BODY, "castor trail"),
    _of_axis(
        "kingpin_offset_wc",
        "s (W - H).y",
        "axis passes inboard of the wheel centre",
        MM,
        kingpin_offset_wc,
        BODY,
        "spindle offset",
    ),
    _of_axis(
        "steering_axis_pitch",
        "omega.v/|omega|^2 of the instant steering axis, springs locked; without spring points the wheel's height is held",
        "moves up the axis as it turns left",
        "mm/rad",
        screw_pitch,
        BODY,
    ),
)
