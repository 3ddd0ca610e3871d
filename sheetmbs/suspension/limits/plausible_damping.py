"""Warnings of dampers that can hardly be meant: the wheel is hardly damped, or cannot move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.car import SpringElement
from sheetmbs.suspension.metrics.all_metrics import CORNER_METRICS
from sheetmbs.suspension.metrics.damping import damper_rows, damping_coefficient
from sheetmbs.suspension.metrics.metric import AxlePoses, values

RATIOS = 0.03, 1.5
"""between which the damping ratio of a wheel is, of a road car with worn dampers and of a race car"""
RATIO = next(metric for metric in CORNER_METRICS if metric.name == "damping_ratio")


def damping_problems(of: AxlePoses) -> Iterator[Problem]:
    """A warning at the damper of an axle whose damping ratio at design is none that a car has. of: the design pose alone."""
    rows = damper_rows(of.axle)
    if not rows:
        return
    for corner in of.corners:
        found = RATIO.find(corner)
        ratio = np.nan if found is None else float(values(found)[0])
        if np.isfinite(ratio) and ratio != 0.0 and not RATIOS[0] <= ratio <= RATIOS[1]:
            told = f"{_told(rows[0])}, a damping ratio of {ratio:.3g} at {corner.name}"
            rule = f"that of a wheel is between {RATIOS[0]:g} and {RATIOS[1]:g}"
            mend = "look at its unit: a number without one counts in N s/m, and dampers have some N s/mm"
            yield Problem("implausible-value", "warning", _cell(rows[0]), told, rule, mend)
            return


def _told(row: SpringElement) -> str:
    return f"{row.name}: c = {damping_coefficient(row) * 1e-3:.4g} N s/mm"


def _cell(row: SpringElement) -> str:
    return str(row.places["curve_c" if "curve_c" in row.curves else "c"])
