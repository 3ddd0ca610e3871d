"""Drivers whose expression is as large in SI as it should be in the unit of the other columns: 60 m where 60 mm is meant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sheetmbs.errors import Problem
from sheetmbs.model import Driver, Formula, Model
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.schema.values import values_over_time

SMALL_UNIT = 0.1
"""m; people who give lengths in such a unit may think of it in expressions"""
FAR = 20.0
"""times the size of a model: no driver begins so far away, and none goes there fast"""
NEAR = 5.0
"""times the size of a model: within reach in the other unit"""
VIOLENT = 98.1
"""m/s^2: nothing that travels far is driven with ten times the acceleration of gravity"""
LOOKS = 401


class TooLarge(NamedTuple):
    """A driver that is likely meant in another unit. is_certain: whether it cannot be meant as it is."""

    problem: Problem
    is_certain: bool


def too_large_drivers(model: Model) -> list[TooLarge]:
    """Drivers of lengths whose expression, in SI, leaves the model far behind and would fit it in its unit of lengths."""
    unit, size_of_unit = model.display.length
    extent = _extent(model)
    if size_of_unit > SMALL_UNIT or extent == 0.0:
        return []
    judged = (_judged(driver, model, extent, unit, size_of_unit) for driver in model.drivers)
    return [each for each in judged if each is not None]


def _judged(driver: Driver, model: Model, extent: float, unit: str, size_of_unit: float) -> TooLarge | None:
    motion = driver.motion
    is_length = driver.coordinate not in ("phi", "angle")
    if not (isinstance(motion, Formula) and is_length and motion.scale == 1.0):
        return None
    settings = model.settings
    is_static = settings.t_end is None or settings.analysis in STATIC_ANALYSES
    times = np.linspace(settings.t_start, settings.t_start if is_static else settings.t_end or 0.0, LOOKS)
    values = values_over_time(motion.expression, times)
    away = np.abs(values - _initial(driver, model))
    if not np.all(np.isfinite(values)) or max(away) <= FAR * extent or max(away) * size_of_unit > NEAR * extent:
        return None
    step = times[1] - times[0]
    rates = np.abs(np.diff(values, 2)) / step**2 if step > 0.0 else np.zeros(1)
    problem = (
        f"the model is {extent:.3g} m large, and an expression is in the unit of the column position, "
        "which is SI (m) where it is blank"
    )
    found = f"{driver.name} reaches {values[np.argmax(away)]:.4g} m"
    mend = f"write it in m, or give the column position the unit {unit}"
    is_certain = bool(away[0] > FAR * extent or max(rates) > VIOLENT)
    return TooLarge(Problem("expression-in-si", "warning", motion.cell, found, problem, mend), is_certain)


def _initial(driver: Driver, model: Model) -> float:
    """Where a body's coordinate begins; a joint's begin at 0, or at a length that is small beside what is judged."""
    body = next((body for body in model.bodies if body.name == driver.body), None)
    return 0.0 if body is None else float(body.position["xyz".index(driver.coordinate)])


def _extent(model: Model) -> float:
    """The size of a model in its initial configuration, m."""
    bodies = {body.name for body in model.bodies}
    joints = [marker for joint in model.joints for marker in (joint.i, joint.j)]
    markers = [*(point.marker for point in model.points), *joints]
    on_bodies = [float(np.linalg.norm(marker.origin)) for marker in markers if marker.body in bodies]
    places = [body.position for body in model.bodies]
    places += [marker.origin for marker in markers if marker.body not in bodies]
    return float(np.linalg.norm(np.ptp(np.array(places), axis=0))) + max(on_bodies, default=0.0)
