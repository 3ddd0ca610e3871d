"""How springs and bars follow the wheels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.kinds.corner_spring import ends_of
from sheetmbs.suspension.elastic.kinds.u_bar import bar_direction
from sheetmbs.suspension.metrics.metric import (
    DAMPER,
    DEG,
    MM,
    NEWTON,
    SLOPE,
    SPRING,
    AxlePoses,
    CornerPoses,
    ElementPoses,
    Found,
    Metric,
)

COMPRESSION, IN_BUMP = "compression", "compresses in bump"


def _travel(of: CornerPoses, kind: str) -> Floats | None:
    length = of.length(kind)
    if length is None:
        return None
    moving, fixed = (of.axle.as_drawn.points[of.side][name].position for name in ends_of(kind, of.axle))
    drawn: Floats = np.linalg.norm(moving - fixed, axis=-1)
    return drawn - length.value


def _ratio(of: CornerPoses, kind: str) -> Floats | None:
    length = of.length(kind)
    return None if length is None else -length.first[:, 0]


def _ratio_heave(of: CornerPoses, kind: str) -> Floats | None:
    length = of.length_over_both(kind)
    return None if length is None else -length.first.sum(axis=1)


def _ratio_contact(of: CornerPoses, kind: str) -> Floats | None:
    ratio = _ratio(of, kind)
    return None if ratio is None else ratio / of.wheel.contact_velocity[:, 2]


def _wheel_per(of: CornerPoses, kind: str) -> Floats | None:
    ratio = _ratio(of, kind)
    return None if ratio is None else _inverse(ratio)


def _wheel_per_path(of: CornerPoses, kind: str) -> Floats | None:
    ratio = _ratio(of, kind)
    return None if ratio is None else np.linalg.norm(of.wheel.contact_velocity, axis=1) * _inverse(np.abs(ratio))


def _bend(of: CornerPoses, kind: str) -> Floats | None:
    length = of.length(kind)
    return None if length is None else -length.second[:, 0, 0]


def _inverse(ratio: Floats) -> Floats:
    return np.where(ratio != 0.0, 1.0 / np.where(ratio, ratio, 1.0), np.nan)


def _declared(kind: str, prefix: str, others: dict[str, str]) -> Iterator[Metric[CornerPoses]]:
    """Metrics of the spring, or the same of the damper. prefix: of the names of ratios."""
    for name, definition, sign, unit, find in (
        (f"{kind}_length", "l: distance of its ends", "long", MM, CornerPoses.length),
        (f"{kind}_travel", "l(design) - l", COMPRESSION, MM, _travel),
        (f"{prefix}motion_ratio", f"-dl/dz: {kind} per wheel", IN_BUMP, SLOPE, _ratio),
        (f"{prefix}motion_ratio_heave", "-dl/dz, both wheels moved together", IN_BUMP, SLOPE, _ratio_heave),
        (f"{prefix}motion_ratio_contact", "-dl/dz_C: per travel of the contact point", IN_BUMP, SLOPE, _ratio_contact),
        (f"wheel_per_{kind}", "-dz/dl: inverse of the motion ratio", IN_BUMP, SLOPE, _wheel_per),
        (f"wheel_per_{kind}_path", "sqrt(v_C.v_C)/abs(dl/dz)", "unsigned", SLOPE, _wheel_per_path),
        (f"{prefix}dmotion_ratio", "d(motion ratio)/dz", "rises in bump", "1/mm", _bend),
    ):
        reference = "design pose" if name.endswith("_travel") else ""
        yield Metric(name, definition, sign, unit, partial(find, kind=kind), reference, others.get(name, ""))


OTHERS = "with travel of = contact: Lotus: {} ratio; OptimumK: Motion ratio"
SPRING_MOTION: tuple[Metric[CornerPoses], ...] = (
    *_declared(
        SPRING,
        "",
        {
            "motion_ratio": "installation ratio",
            "wheel_per_spring": OTHERS.format("Spring"),
            "dmotion_ratio": "progression",
        },
    ),
    *_declared(DAMPER, "damper_", {"wheel_per_damper": OTHERS.format("Damper")}),
    Metric(
        "damper_velocity_ratio",
        "velocity of the damper per vertical velocity of the wheel: its motion ratio",
        IN_BUMP,
        SLOPE,
        partial(_ratio, kind=DAMPER),
    ),
)


def _bar_ratio(of: CornerPoses) -> Found:
    angle = of.bar_angle
    return None if angle is None else angle.first[:, 0]


def _bar_ratio_at_link(of: CornerPoses) -> Found:
    """The end of the drop link on the bar moves along a circle about the bar's axis."""
    ratio = _bar_ratio(of)
    if ratio is None:
        return None
    points = of.axle.points[of.side]
    arm = points["bar link bar"].position - points["bar axis"].position
    return np.asarray(ratio * np.linalg.norm(cross(bar_direction(of.axle, of.side), arm), axis=-1))


def _twist(of: AxlePoses) -> Found:
    bar = next((each for each in of.elements if each.of_kind.is_bar), None)
    return None if bar is None else bar.length


BAR_HALVES: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "bar_angle",
        "angle of the bar half about +y",
        "arm turned down at the front",
        DEG,
        lambda of: of.bar_angle,
        "design pose",
    ),
    Metric("bar_motion_ratio", "d(bar_angle)/dz", "as the angle", "deg/mm", _bar_ratio),
    Metric(
        "bar_motion_ratio_link",
        "way of the drop link's end on the bar per wheel travel",
        "as the angle",
        SLOPE,
        _bar_ratio_at_link,
    ),
)

BAR: tuple[Metric[AxlePoses], ...] = (
    Metric(
        "bar_twist",
        "bar_angle left minus right; of a T bar the turn of its head",
        "left half turned further about +y; T bar: left higher",
        DEG,
        _twist,
        "design pose",
    ),
)


def _compression(of: ElementPoses) -> Found:
    return None if of.element.of_kind.turns else -of.element.force


def _torque(of: ElementPoses) -> Found:
    return of.element.force if of.element.of_kind.turns else None


ELEMENTS: tuple[Metric[ElementPoses], ...] = (
    Metric("{}_force", "force of a spring, damper or stop by its law", COMPRESSION, NEWTON, _compression),
    Metric("{}_torque", "torque of a bar by its law", "as its twist; of a torsion bar in rebound", "N*m", _torque),
)
