"""How springs and bars follow the wheels."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import bar_angle
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.metrics.declared_metric import DEG, MM, NEWTON, SLOPE, Found, Metric
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses, CornerPoses, ElementPoses

COMPRESSION = "compression"


def _length(of: CornerPoses) -> Jet | None:
    return of.wheel.damper_length


def _travel(of: CornerPoses) -> Jet | None:
    length = _length(of)
    return None if length is None else of.wheel.design_damper_length - length


def _ratio(of: CornerPoses) -> Floats | None:
    travel = _travel(of)
    return None if travel is None else travel.first[:, 0]


def _ratio_contact(of: CornerPoses) -> Floats | None:
    ratio = _ratio(of)
    return None if ratio is None else ratio / of.wheel.contact_velocity[:, 2]


def _per_spring(of: CornerPoses) -> Floats | None:
    ratio = _ratio(of)
    return None if ratio is None else _inverse(ratio)


def _per_spring_path(of: CornerPoses) -> Floats | None:
    ratio = _ratio(of)
    return None if ratio is None else np.linalg.norm(of.wheel.contact_velocity, axis=1) * _inverse(np.abs(ratio))


def _bend(of: CornerPoses) -> Floats | None:
    travel = _travel(of)
    return None if travel is None else travel.second[:, 0, 0]


def _inverse(ratio: Floats) -> Floats:
    return np.where(ratio != 0.0, 1.0 / np.where(ratio, ratio, 1.0), np.nan)


SPRING_MOTION: tuple[Metric[CornerPoses], ...] = (
    Metric("spring_length", "l", "long", MM, _length),
    Metric("spring_travel", "l(design) - l", COMPRESSION, MM, _travel, "design pose"),
    Metric("motion_ratio", "-dl/dz: spring per wheel", "compresses in bump", SLOPE, _ratio, "", "installation ratio"),
    Metric(
        "motion_ratio_contact", "-dl/dz_C: per travel of the contact point", "compresses in bump", SLOPE, _ratio_contact
    ),
    Metric("wheel_per_spring", "1/motion_ratio", "compresses in bump", SLOPE, _per_spring, "", "Lotus: Spring ratio"),
    Metric(
        "wheel_per_spring_path",
        "sqrt(v_C.v_C)/abs(dl/dz)",
        "unsigned",
        SLOPE,
        _per_spring_path,
        "",
        "OptimumK: Motion ratio",
    ),
    Metric("dmotion_ratio", "d(motion_ratio)/dz", "rises in bump", "1/mm", _bend, "", "progression"),
)


def _bar_angle(of: CornerPoses) -> Jet | None:
    return bar_angle(of.wheel) if of.axle.has_kind("U bar") else None


def _bar_ratio(of: CornerPoses) -> Found:
    angle = _bar_angle(of)
    return None if angle is None else angle.first[:, 0]


def _twist(of: AxlePoses) -> Found:
    if not of.axle.has_kind("U bar"):
        return None
    left, right = (bar_angle(wheel).value for wheel in (of.left, of.right))
    return np.asarray(left - right)


BAR_HALVES: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "bar_angle", "angle of the bar half about +y", "arm turned down at the front", DEG, _bar_angle, "design pose"
    ),
    Metric("bar_motion_ratio", "d(bar_angle)/dz", "as the angle", "deg/mm", _bar_ratio),
)

BAR: tuple[Metric[AxlePoses], ...] = (
    Metric("bar_twist", "bar_angle left minus right", "left half turned further about +y", DEG, _twist, "design pose"),
)


def _compression(of: ElementPoses) -> Found:
    return None if of.element.kind == "U bar" else -of.element.force


def _torque(of: ElementPoses) -> Found:
    return of.element.force if of.element.kind == "U bar" else None


ELEMENTS: tuple[Metric[ElementPoses], ...] = (
    Metric("{}_force", "force of a spring, damper or stop by its law", COMPRESSION, NEWTON, _compression),
    Metric("{}_torque", "torque of a bar by its law", "left half turned further about +y", "N*m", _torque),
)
