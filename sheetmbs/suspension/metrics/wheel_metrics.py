"""Metrics of a wheel: each its name, definition, sign and unit, and the formula that finds it. One line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.kinematics.jets import Jet, arctan2
from sheetmbs.suspension.kinematics.wheel import Wheel, square

DEG, MM = "deg", "mm"


@dataclass(frozen=True)
class Metric:
    """A metric of a wheel. find: at all poses; None where the type has none. others: what other programs call it."""

    name: str
    definition: str
    sign: str
    unit: str
    find: Callable[[Wheel], Jet | None]
    others: str = ""


def camber(wheel: Wheel) -> Jet:
    """-asin(w.z)."""
    return -wheel.spin.z.arcsin()


def inclination(wheel: Wheel) -> Jet:
    """-asin(w.n)."""
    return -wheel.spin.dot(wheel.normal).arcsin()


def toe(wheel: Wheel) -> Jet:
    """atan2(w_x, s w_y)."""
    return arctan2(wheel.spin.x, wheel.spin.y * wheel.s)


def steer(wheel: Wheel) -> Jet:
    """-s toe."""
    return toe(wheel) * -wheel.s


def caster(wheel: Wheel) -> Jet | None:
    """atan2(-k_x, k_z)."""
    return None if wheel.axis is None else arctan2(-wheel.axis[1].x, wheel.axis[1].z)


def kpi(wheel: Wheel) -> Jet | None:
    """atan2(-s k_y, k_z)."""
    return None if wheel.axis is None else arctan2(wheel.axis[1].y * -wheel.s, wheel.axis[1].z)


def caster_offset(wheel: Wheel) -> Jet | None:
    """(P - C).h."""
    met = wheel.meets(wheel.contact)
    return None if met is None else (met - wheel.contact).dot(wheel.heading)


def caster_offset_x(wheel: Wheel) -> Jet | None:
    """(P - C).x."""
    met = wheel.meets(wheel.contact)
    return None if met is None else (met - wheel.contact).x


def mechanical_trail(wheel: Wheel) -> Jet | None:
    """caster_offset_x cos(caster)."""
    offset, angle = caster_offset_x(wheel), caster(wheel)
    return None if offset is None or angle is None else offset * angle.cos()


def kingpin_offset(wheel: Wheel) -> Jet | None:
    """(C - P).o."""
    met = wheel.meets(wheel.contact)
    return None if met is None else (wheel.contact - met).dot(wheel.outboard)


def kingpin_offset_y(wheel: Wheel) -> Jet | None:
    """Along body y, s (C - P).y."""
    met = wheel.meets(wheel.contact)
    return None if met is None else (wheel.contact - met).y * wheel.s


def scrub_radius(wheel: Wheel) -> Jet | None:
    """sqrt(caster_offset^2 + kingpin_offset^2)."""
    along, across = caster_offset(wheel), kingpin_offset(wheel)
    return None if along is None or across is None else (square(along) + square(across)).sqrt()


def hub_trail(wheel: Wheel) -> Jet | None:
    """(H - W).x."""
    met = wheel.meets(wheel.centre)
    return None if met is None else (met - wheel.centre).x


def kingpin_offset_wc(wheel: Wheel) -> Jet | None:
    """At the wheel centre, s (W - H).y."""
    met = wheel.meets(wheel.centre)
    return None if met is None else (wheel.centre - met).y * wheel.s


METRICS: tuple[Metric, ...] = (
    Metric("camber", "-asin(w.z)", "top outboard", DEG, camber, "relative to the body"),
    Metric("inclination", "-asin(w.n)", "top outboard", DEG, inclination, "camber to ground"),
    Metric("toe", "atan2(w_x, s w_y)", "front inboard", DEG, toe, "SAE toe"),
    Metric("steer", "-s toe", "to the left, both wheels", DEG, steer, "ISO steer angle"),
    Metric("caster", "atan2(-k_x, k_z)", "top rearward", DEG, caster, "castor"),
    Metric("kpi", "atan2(-s k_y, k_z)", "top inboard", DEG, kpi, "kingpin inclination"),
    Metric("caster_offset", "(P - C).h", "axis meets the road ahead of the contact", MM, caster_offset, "trail"),
    Metric("caster_offset_x", "(P - C).x", "same, along body x", MM, caster_offset_x, "Lotus castor offset"),
    Metric("mechanical_trail", "caster_offset_x cos(caster)", "same", MM, mechanical_trail, "Lotus mechanical trail"),
    Metric(
        "kingpin_offset", "(C - P).o", "axis meets the road inboard of the contact", MM, kingpin_offset, "scrub radius"
    ),
    Metric("kingpin_offset_y", "s (C - P).y", "same, along body y", MM, kingpin_offset_y),
    Metric(
        "scrub_radius", "sqrt(caster_offset^2 + kingpin_offset^2)", "unsigned", MM, scrub_radius, "ISO scrub radius"
    ),
    Metric("hub_trail", "(H - W).x", "ahead", MM, hub_trail, "castor trail"),
    Metric("kingpin_offset_wc", "s (W - H).y", "inboard", MM, kingpin_offset_wc, "spindle offset"),
)

SIZE = {DEG: np.pi / 180.0, MM: 1e-3}
