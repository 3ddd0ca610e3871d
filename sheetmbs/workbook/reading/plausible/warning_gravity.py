"""Gravity a thousand times too large: 9810 is a number in mm/s^2."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.reading.plausible.warning_view import View, warning

MAX_GRAVITY = 1000.0
"""m/s^2, a hundred times the Earth's"""
MAX_SIZE_IN_METRES = 10.0
"""m; a workbook all without units whose bodies lie further apart may well be in mm, s and consistent masses"""


def large_gravity(view: View) -> Iterator[Problem]:
    """Gravity that no machine bears, unless the workbook has units of its own, which it then leaves blank everywhere."""
    settings = view.model.settings
    size = float(np.linalg.norm(settings.gravity))
    if size <= MAX_GRAVITY or (view.size > MAX_SIZE_IN_METRES and not view.has_units()):
        return
    place = int(np.argmax(np.abs(settings.gravity)))
    axis, usual = "xyz"[place], float(np.copysign(9.81, settings.gravity[place]))
    yield warning(
        "large-gravity",
        settings.cells.get(f"gravity_{axis}", view.sheet("Settings")),
        f"gravity is {size:.4g} m/s^2, {size / 9.80665:,.0f} times the Earth's",
        "a number without a unit is in SI, here in m/s^2",
        f"write mm/s^2 in the column unit, or {usual}",
    )
