"""What ends a curve of states with growing effort: a wheel, springs, the power, a wheel off the road, or the lock."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine import car_on_tyres as read
from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.tyre_states import LINEAR
from sheetmbs.schema.suspension_inputs import CORNER_NAMES
from sheetmbs.suspension.handling.state_path import EDGE, END, ENDLESS, PEAK, USUAL_TRAVEL, CurvesOfStates, StateCurve
from sheetmbs.suspension.handling.steady_states import AX, SLIPS, TRAVELS

POWER_LIMIT, WHEEL_LIMIT, SPRINGS_LIMIT, LIFT_LIMIT, LOCK_LIMIT, NOT_FOUND = (
    *("power", "wheel", "springs", "lift", "lock", "not found"),
)
ENDS = {"rolls over": LIFT_LIMIT, "off the road": LIFT_LIMIT, "the rack ends": LOCK_LIMIT}
"""what limits ax where there is no state beyond, by words of the reason"""
LEVEL = 0.01
"""g along a curve, over the unit in which it is measured: an ax that grows less is at its limit"""
GIVING_WAY = 0.5
"""share of travels in the direction of a curve above which springs give way: where wheels slide, loads and travels rest"""
ALIKE = 1.0 - 1e-6
"""ratio of two sizes above which they differ by rounding alone"""
SLIDING = 1.0 - 1e-4
"""share of its friction from which on a wheel slides"""


def what_limits(curves: CurvesOfStates, row: int, curve: StateCurve) -> str:
    """What ends one of some curves. A curve that is lost has come to no limit.

    Where friction does not fall with slip ax has no peak. It is at its limit where more slip changes it no more, or at the
    corner of its curve where a wheel begins to slide: behind it are states in another direction, or none that is definite.
    """
    limit, gravity = curve.limit, curves.car.kernel.gravity
    if limit is None:
        return NOT_FOUND
    is_level = abs(limit.tangent[0, AX]) < LEVEL * gravity and curve.ends in {END, ENDLESS}
    if curve.ends == PEAK and (wheel := giving_way(limit.tangent[0])):
        return f"{SPRINGS_LIMIT} {wheel}"
    if curve.ends == PEAK or is_level or (curve.ends == END and not curve.why):
        return f"{WHEEL_LIMIT} {_foremost(np.abs(limit.tangent[0, SLIPS]))}"
    if curve.ends == EDGE:
        return POWER_LIMIT
    reason = next((found for words, found in ENDS.items() if words in curve.why), None)
    wheel = sliding_wheel(curves, row, curve)
    return reason or (f"{WHEEL_LIMIT} {wheel}" if wheel else NOT_FOUND)


def giving_way(tangent: Floats) -> str:
    """The wheel whose travel grows most where the springs hold no more than they do; "" where they hold more.

    So it is where the ratio of a rocker falls faster than its spring is compressed: a curve has its peak there whatever the
    tyres. tangent: (unknowns,) of the curve at its peak.
    """
    travels = (tangent[TRAVELS] / USUAL_TRAVEL) ** 2
    return _foremost(travels) if np.sum(travels) > GIVING_WAY else ""


def _foremost(sizes: Floats) -> str:
    """The wheel with the largest of (4,) sizes above 0, the first of those that are alike but for rounding."""
    return CORNER_NAMES[int(np.argmax(sizes > ALIKE * np.max(sizes)))]


def sliding_wheel(curves: CurvesOfStates, row: int, curve: StateCurve) -> str:
    """The wheel on a linear tyre that uses all of its friction where a curve ends: the slope of its force jumps; "" if none."""
    if curve.limit is None:
        return ""
    rows, car = np.array([row]), curves.car
    wheels = car.wheels(curve.limit.solved, curves.torques.at(rows), curves.closure.at(rows)).columns[0]
    fitted = (car.kernel.front_left, car.kernel.front_right, car.kernel.rear_left, car.kernel.rear_right)
    friction = np.array([tyre.simple.friction if tyre.model == LINEAR else np.inf for tyre in fitted])
    used = np.hypot(wheels[:, read.FX], wheels[:, read.FY]) / np.maximum(friction * wheels[:, read.FZ], 1.0)
    return _foremost(used) if np.max(used) > SLIDING else ""
