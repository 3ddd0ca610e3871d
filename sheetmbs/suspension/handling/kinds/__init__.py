"""What rows of Handling find, one file for each type."""

from __future__ import annotations

from collections.abc import Callable

from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.suspension.handling.handling_table import HandlingFound
from sheetmbs.suspension.handling.kinds.circle_row import solve_circle
from sheetmbs.suspension.handling.kinds.envelope_row import solve_envelope
from sheetmbs.suspension.handling.kinds.lap_rows import solve_acceleration, solve_lap, solve_skidpad
from sheetmbs.suspension.handling.kinds.yaw_moment_row import solve_yaw_moment
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import HandlingRow

Solver = Callable[[HandlingCar, HandlingRow, tuple[float, float]], HandlingFound]
"""from a car, a row and the range of the rack, m"""
SOLVERS: dict[str, Solver] = {
    HandlingType.YAW_MOMENT: solve_yaw_moment,
    HandlingType.CIRCLE: solve_circle,
    HandlingType.ENVELOPE: solve_envelope,
    HandlingType.SKIDPAD: solve_skidpad,
    HandlingType.ACCELERATION: solve_acceleration,
    HandlingType.LAP: solve_lap,
}
