"""Anti-dive, anti-lift and anti-squat: how much of the load that moves along the car the links carry past the springs.

By virtual work the spring of a wheel with the longitudinal force F_x feels dF_z + F_x dx/dz, of the contact where the torque
reaches the wheel carrier and of the wheel centre where it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.metrics.metric import DEG, PERCENT, CornerPoses, Metric

SIZES = ("wheelbase", "cg height")
BRAKING, DRIVING = "brake front", "drive rear"


def _slope(of: CornerPoses, force: str) -> Floats:
    """(n,) dx/dz of the point at which a longitudinal force acts: with its spin torque at the contact, else at the centre."""
    reaches_carrier = of.axle.drive_reaches_axle if force == DRIVING else of.axle.word("brakes") == "outboard"
    return of.centres.contact_dx_dz if reaches_carrier else of.centres.wheel_dx_dz


def axle_share(of: CornerPoses, force: str) -> float:
    """Share of this axle in the force."""
    given = of.number(force)
    is_named = of.axle.name == force.split()[1]
    return given if is_named else 1.0 - given


def _effect(of: CornerPoses, axle: str, force: str, sign: float) -> Floats | None:
    if of.axle.name != axle:
        return None
    height = of.number("cg height")
    lever = of.number("wheelbase") / height if height else nan  # on the road no load goes over, and nothing is resisted
    return sign * axle_share(of, force) * lever * _slope(of, force)


def _angle(of: CornerPoses, axle: str, force: str) -> Floats | None:
    return np.arctan(_slope(of, force)) if of.axle.name == axle else None


def _declared(
    name: str, axle: str, force: str, sign: float, factor: str, plus: str, others: str
) -> tuple[Metric[CornerPoses], Metric[CornerPoses]]:
    """The effect and its angle."""
    where = (
        "of C (outboard brakes) or W (inboard)" if force == BRAKING else "of W (halfshafts) or C (solid axle, outboard)"
    )
    effect: Callable[[CornerPoses], Floats | None] = partial(_effect, axle=axle, force=force, sign=sign)
    angle: Callable[[CornerPoses], Floats | None] = partial(_angle, axle=axle, force=force)
    definition = f"{'-' if sign < 0.0 else ''}100 {factor} (L/h) dx/dz {where}; {axle} axle"
    return (
        Metric(name, definition, plus, PERCENT, effect, "body", others, (force, *SIZES)),
        Metric(f"{name}_angle", f"atan(dx/dz) {where}; {axle} axle", "forward in bump", DEG, angle, "body"),
    )


ANTI_EFFECTS: tuple[Metric[CornerPoses], ...] = (
    *_declared("anti_dive", "front", BRAKING, 1.0, "p_f", "resists dive in braking", "anti-dive"),
    *_declared("anti_lift", "rear", BRAKING, -1.0, "(1 - p_f)", "resists lift in braking", "anti-lift, anti-rise"),
    *_declared("anti_squat", "rear", DRIVING, -1.0, "d_r", "resists squat in driving", "anti-squat"),
    *_declared(
        "anti_lift_drive", "front", DRIVING, 1.0, "(1 - d_r)", "resists lift in driving", "anti-lift of driven fronts"
    ),
)
