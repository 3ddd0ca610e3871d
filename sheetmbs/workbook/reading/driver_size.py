"""Drivers whose expression seems to be in another unit than it is read in: 60 m where 60 mm is meant, degrees for radians."""

from __future__ import annotations

from functools import lru_cache
from math import isclose, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import size_of
from sheetmbs.engine.motion.operations import Operation
from sheetmbs.model.model import Driver, Formula, Model
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.expression import Apply, Expression, Node, Number
from sheetmbs.schema.expression_evaluation import values_over_time
from sheetmbs.schema.problem_list import quoted
from sheetmbs.schema.settings import STATIC_ANALYSES

SMALL_UNIT = 0.1
"""m; people who give lengths in such a unit may think of it in expressions"""
MAX_DRIVER_DISTANCE = 20.0
"""times the size of a model: no driver begins so far away, and none goes there fast"""
WITHIN_REACH = 5.0
"""times the size of a model: within reach in the other unit"""
MAX_ACCELERATION = 98.1
"""m/s^2: nothing that travels far is driven with ten times the acceleration of gravity"""
SAMPLE_COUNT = 401
LINEAR = (Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY, Operation.NEGATE, Operation.MIN, Operation.MAX)


class TooLarge(NamedTuple):
    """A driver that is likely meant in another unit. is_certain: whether it cannot be meant as it is."""

    problem: Problem
    is_certain: bool


def drivers_in_radians(model: Model) -> list[Problem]:
    """Drivers of angles whose expression is in degrees by the unit of its column, and in radians by the pi in it."""
    found = []
    for driver in model.drivers:
        motion = driver.motion
        is_angle = driver.is_angle
        if not (isinstance(motion, Formula) and is_angle and isclose(motion.scale, pi / 180.0)):
            continue
        above, below = _places_of_pi(motion.expression.tree)
        if above and not below:
            problem = "the column position is in deg and so is its expression, in which pi looks like radians"
            mend = "write degrees, or multiply by 180/pi"
            text = f"the expression {quoted(motion.expression.text)}"
            found.append(Problem("expression-in-deg", "warning", motion.cell, text, problem, mend))
    return found


def _places_of_pi(node: Node) -> tuple[bool, bool]:
    """Whether pi is a factor of a value, and whether it is a divisor; pi in the arguments of functions is neither."""
    match node:
        case Number(value):
            return value == pi, False
        case Apply(Operation.DIVIDE, (one, two)):
            (above, below), (under, over) = _places_of_pi(one), _places_of_pi(two)
            return above or over, below or under
        case Apply(Operation.STEP, (_t, _t0, y0, _t1, y1)):
            parts = [_places_of_pi(y0), _places_of_pi(y1)]
        case Apply(Operation.IF, (_condition, yes, no)):
            parts = [_places_of_pi(yes), _places_of_pi(no)]
        case Apply(operation, arguments) if operation in LINEAR:
            parts = [_places_of_pi(argument) for argument in arguments]
        case _:
            return False, False
    return any(above for above, _ in parts), any(below for _, below in parts)


def too_large_drivers(model: Model) -> list[TooLarge]:
    """Drivers of lengths whose expression, in SI, leaves the model far behind and would fit it in its unit of lengths."""
    unit, size_of_unit = model.display.length
    if size_of_unit > SMALL_UNIT:
        return []
    in_si = (driver for driver in model.drivers if _is_length_in_si(driver))
    judged = (_too_large_driver(driver, model, unit, size_of_unit) for driver in in_si)
    return [each for each in judged if each is not None]


def _is_length_in_si(driver: Driver) -> bool:
    return not driver.is_angle and isinstance(driver.motion, Formula) and driver.motion.scale == 1.0


def _too_large_driver(driver: Driver, model: Model, unit: str, size_of_unit: float) -> TooLarge | None:
    motion, settings = driver.motion, model.settings
    if not isinstance(motion, Formula):
        return None
    is_static = settings.t_end is None or settings.analysis in STATIC_ANALYSES
    end = settings.t_start if is_static else settings.t_end or 0.0
    values, (low, high) = _sampled_values(motion.expression, settings.t_start, end)
    initial = _initial(driver, model)
    farthest = max(high - initial, initial - low)
    if not np.isfinite(farthest) or farthest <= MAX_DRIVER_DISTANCE * _spread(model):
        return None
    extent = _extent(model)
    if farthest <= MAX_DRIVER_DISTANCE * extent or extent == 0.0 or farthest * size_of_unit > WITHIN_REACH * extent:
        return None
    away = np.abs(values - initial)
    step = (end - settings.t_start) / (SAMPLE_COUNT - 1)
    rates = np.abs(np.diff(values, 2)) / step**2 if step > 0.0 else np.zeros(1)
    problem = (
        f"the model is {extent:.3g} m large, and an expression is in the unit of the column position, "
        "which is SI (m) where it is blank"
    )
    found = f"{driver.name} reaches {values[np.argmax(away)]:.4g} m"
    mend = f"write it in m, or give the column position the unit {unit}"
    is_certain = bool(away[0] > MAX_DRIVER_DISTANCE * extent or max(rates) > MAX_ACCELERATION)
    return TooLarge(Problem("expression-in-si", "warning", motion.cell, found, problem, mend), is_certain)


@lru_cache(maxsize=64)
def _sampled_values(
    expression: Expression, start: float, end: float
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """(SAMPLE_COUNT,) values of an expression of time, with the least and the largest; variants of a study share them."""
    values = values_over_time(expression, np.linspace(start, end, SAMPLE_COUNT))
    return values, (float(np.min(values)), float(np.max(values)))


def _initial(driver: Driver, model: Model) -> float:
    """The initial value of a body's coordinate. Those of joints begin at 0, or at a length small beside what is judged."""
    body = next((body for body in model.bodies if body.name == driver.body), None)
    return 0.0 if body is None else float(body.position["xyz".index(driver.coordinate)])


def _spread(model: Model) -> float:
    """How far bodies are apart in the initial configuration, m: the model is no smaller."""
    places = np.array([body.position for body in model.bodies])
    return size_of(places.max(axis=0) - places.min(axis=0)) if len(places) else 0.0


def _extent(model: Model) -> float:
    """The size of a model in its initial configuration, m."""
    bodies = {body.name for body in model.bodies}
    joints = [marker for joint in model.joints for marker in (joint.i, joint.j)]
    markers = [*(point.marker for point in model.points), *joints]
    on_bodies = [size_of(marker.origin) for marker in markers if marker.body in bodies]
    places = [body.position for body in model.bodies]
    places += [marker.origin for marker in markers if marker.body not in bodies]
    return size_of(np.ptp(np.array(places), axis=0)) + max(on_bodies, default=0.0)
