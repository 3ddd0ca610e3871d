"""Measured forces that act far away from everything: a centre of pressure divided out of next to no force, or in mm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import Vector
from sheetmbs.model.model import ForceSeries, Series
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.workbook.reading.plausible.warning_view import View, warning

MAX_LEVER_ARM = 10.0
"""times the size of the mechanism and of its way"""
MIN_MOMENT_SHARE = 0.01
"""of the largest force over the size of the mechanism: a smaller moment does no harm, however far off it acts"""


def far_loads(view: View) -> Iterator[Problem]:
    """A point of application that no body of the mechanism can reach while the force acts."""
    low, high = _room(view)
    size = max(view.size, float(np.max(high - low)))
    for series in view.model.force_series if size > 0.0 else ():
        if series.point_frame == "centre" or not len(series.rows):
            continue
        outside = series.point - np.clip(series.point, low, high) if series.point_frame == "global" else series.point
        away = np.linalg.norm(outside, axis=1)
        force = np.linalg.norm(series.force, axis=1)
        is_far = (away > MAX_LEVER_ARM * size) & (force * away > MIN_MOMENT_SHARE * float(np.max(force)) * size)
        if np.any(is_far):
            yield _far(series, np.flatnonzero(is_far), away, size, view)


def _far(series: ForceSeries, far: NDArray[np.intp], away: Vector, size: float, view: View) -> Problem:
    k = int(far[0])
    axis = int(np.argmax(np.abs(series.point[k])))
    names = ("px", "py", "pz") if series.point_frame == "global" else ("xi", "eta", "zeta")
    sheet = series.cell.rpartition("!")[0]
    cell = view.cell(f"{sheet}!A{series.rows[k]}", f"{series.body}.{names[axis]}")
    more = f", and in {len(far) - 1:,} more rows down to {series.rows[int(far[-1])]}" if len(far) > 1 else ""
    worst = int(far[int(np.argmax(away[far]))])
    force = series.force[k]
    return warning(
        "far-point",
        cell,
        f"the force on {series.body} of {np.linalg.norm(force):.4g} N acts {away[k]:.4g} m away{more}"
        + (f" (up to {away[worst]:.4g} m)" if worst != k else ""),
        f"no part of the mechanism is there: it and its path extend over {size:.4g} m",
        "leave the point blank and write 0 for the force where there is almost none, or write its unit, such as mm",
    )


def _room(view: View) -> tuple[Vector, Vector]:
    """Corners (3,) of a box in which the mechanism is and goes: bodies, points, and what is guided or set in motion."""
    model = view.model
    low, high = np.min(view.places, axis=0), np.max(view.places, axis=0)
    guided = [driver for driver in model.drivers if driver.coordinate in ("x", "y", "z") and driver.body]
    for driver in guided:
        if isinstance(driver.motion, Series):
            axis = "xyz".index(driver.coordinate)
            low[axis] = min(low[axis], np.min(driver.motion.values))
            high[axis] = max(high[axis], np.max(driver.motion.values))
    if len(guided) < 2 and model.settings.analysis not in STATIC_ANALYSES:
        settings = model.settings
        duration = (settings.t_end or settings.t_start) - settings.t_start
        speed = max((float(np.linalg.norm(body.velocity)) for body in model.bodies), default=0.0)
        way = speed * duration + float(np.linalg.norm(settings.gravity)) * duration**2
        low, high = low - way, high + way
    return low, high
