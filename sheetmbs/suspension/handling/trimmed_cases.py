"""Load cases with method = tyres: the car in trim on its tyres at given accelerations, whose rack and slip angles are found.

ax along the path and ay across it are given, and the speed; no yaw moment is left, and drive or brakes give the force along.
The state is led from straight running to these accelerations by steps, each predicted by the exact slopes of the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.engine.car_on_tyres import DRIVING, FX, FY, FZ, MX, MY, MZ
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.handling.elastic_states import ElasticCar
from sheetmbs.suspension.handling.handling_table import StateColumn, state_columns
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    EFFORT,
    HEIGHT,
    IN_TRIM,
    MAX_STEPS,
    PITCH,
    POWER,
    RACK,
    ROLL,
    SQUARE,
    TRAVELS,
    Closure,
    Solved,
    Torques,
    closed_by,
    holding,
    joined_closures,
    joined_states,
    joined_torques,
)
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.loads.member_forces import LoadColumn
from sheetmbs.suspension.loads.placed_cases import NONE_PLACED, PlacedCase, PlacedCases
from sheetmbs.suspension.loads.road import TyreWrench

FIRST_STEP, SHORTEST_STEP, GROWTH = 0.1, 1e-3, 1.5
"""shares of the way to the accelerations of a case"""
STEPS = 10
"""of Newton's method after such a step, which is halved where they do not suffice"""
SLACK = 1e-6
"""N beyond which brakes that drive are reported"""
SHOWN_ELSEWHERE = ("residual", "why", "chassis_twist")


class _TrimmedCase:
    """A case on its way. share: of its accelerations that was reached last."""

    def __init__(self, car: HandlingCar, case: LoadCase) -> None:
        self.car, self.case = car, case
        self.by_brakes = case.force_by == "brakes" or (not case.force_by and case.ax < 0.0)
        self.pressed = np.array([[case.downforce.get(axle.name, 0.0) for axle in car.car.axles]])
        self.share = 0.0

    def torques(self, share: float = 1.0) -> Torques:
        """What drives or brakes, with a share of the downforce."""
        return replace(self.car.torques(1, by_brakes=self.by_brakes), downforce=share * self.pressed)

    def closure(self, share: float) -> Closure:
        """Of a share of the accelerations."""
        ax, ay = (share * value * self.car.steady.kernel.gravity for value in (self.case.ax, self.case.ay))
        given = holding(SQUARE, self.case.speed**2), holding(AY, ay), IN_TRIM, holding(AX, ax)
        return closed_by(1, given)

    def solved(self) -> Solved:
        """The state, or the last that was looked for in vain."""
        steady, step = self.car.steady, FIRST_STEP
        start = steady.at_design(1, self.case.speed)
        last = steady.solve(start, self.torques(0.0), self.closure(0.0), None, MAX_STEPS)
        if not last.good[0]:
            return last
        found = last
        while self.share < 1.0 and step > SHORTEST_STEP:
            share = min(self.share + step, 1.0)
            ahead = (share - self.share) * self._slope(last)
            found = steady.solve(last.x + ahead, self.torques(share), self.closure(share), last.lifted, STEPS)
            if found.good[0]:
                last, self.share, step = found, share, GROWTH * step
            else:
                step *= 0.5
        return found

    def _slope(self, at: Solved) -> Floats:
        """(1, unknowns) by the share of the accelerations."""
        gravity = self.car.steady.kernel.gravity
        by_ay, by_ax = at.slopes(1)[:, :COUNT], at.slopes(3)[:, :COUNT]
        return np.asarray(gravity * (self.case.ay * by_ay + self.case.ax * by_ax))

    def mark(self, solved: Solved) -> str:
        """What is to be said of its state."""
        if not solved.good[0]:
            reached = f"{100.0 * self.share:.0f} % of these accelerations"
            return f"no state in trim: the car on its tyres reaches {reached}; beyond, {solved.why[0]}"
        effort = float(solved.x[0, EFFORT])
        if self.by_brakes and effort > SLACK:
            return "the car slows down more by itself: its brakes would have to drive"
        power = float(solved.read[0, POWER - COUNT])
        if not self.by_brakes and power > self.car.power:
            return f"the drive would need {1e-3 * power:.1f} kW of {1e-3 * self.car.power:.1f} kW"
        return ""


def trimmed_cases(car: HandlingCar | None, cases: Sequence[LoadCase]) -> PlacedCases:
    """The cases of a workbook with method = tyres, with their poses. car: None where it has no tyres or springs."""
    rows = [number for number, case in enumerate(cases) if case.is_on_tyres]
    if car is None or not rows:
        return NONE_PLACED
    own = [_TrimmedCase(car, cases[row]) for row in rows]
    each = [trimmed.solved() for trimmed in own]
    solved = joined_states([(state, 0) for state in each])
    closure = joined_closures([trimmed.closure(1.0) for trimmed in own])
    torques = joined_torques([trimmed.torques() for trimmed in own])
    placed = {
        row: _placed(car, trimmed, state, trimmed.mark(state))
        for row, trimmed, state in zip(rows, own, each, strict=True)
    }
    speed = np.array([cases[row].speed for row in rows])
    shown = [StateColumn("speed", "m/s", speed, "speed"), *state_columns(car, solved, torques, closure)]
    return PlacedCases(placed, tuple(_spread(column, rows, len(cases)) for column in shown if _is_shown(column)))


def _is_shown(column: StateColumn) -> bool:
    return column.name not in SHOWN_ELSEWHERE


def _spread(column: StateColumn, rows: Sequence[int], count: int) -> LoadColumn:
    """A column over all cases."""
    values = np.full(count, np.nan)
    values[list(rows)] = column.values
    return LoadColumn(column.name, column.unit, values, column.doc, is_member=False)


def _placed(car: HandlingCar, trimmed: _TrimmedCase, state: Solved, mark: str) -> PlacedCase:
    """A case as its members are solved."""
    if not state.good[0]:
        return PlacedCase(mark, has_failed=True)
    x, kernel = state.x[0], car.steady.kernel
    torques = trimmed.torques()
    read = car.steady.wheels(state, torques, trimmed.closure(1.0)).columns[0]
    cos, sin = np.cos(x[BETA]), np.sin(x[BETA])
    along = x[AX] * cos - x[AY] * sin, x[AX] * sin + x[AY] * cos, kernel.gravity
    braking = torques.brake[0] * x[EFFORT] * float(np.mean(kernel.parts.radius)) + torques.braked[0]
    driving = read[:, DRIVING] - braking
    poses, tyres = ({}, {}) if not isinstance(car.steady, ElasticCar) else _rest(car.steady, trimmed, state)
    twist = car.steady.twist(state)
    return PlacedCase(
        mark,
        acceleration=np.array(along) / kernel.gravity,
        rack=float(x[RACK]),
        travel=x[TRAVELS],
        road=(float(x[ROLL]), float(x[PITCH]), float(x[HEIGHT])),
        twist=0.0 if twist is None else float(twist[0]),
        wheels=read[:, [FX, FY, FZ, MX, MY, MZ]],
        held=driving * kernel.drive_held + braking * kernel.brake_held,
        poses=poses,
        tyres=tyres,
    )


def _rest(
    steady: ElasticCar, trimmed: _TrimmedCase, state: Solved
) -> tuple[dict[str, ElasticPoses], dict[str, dict[str, TyreWrench]]]:
    torques = replace(trimmed.torques(), differential=state.differential)
    return steady.rest(state, torques, trimmed.closure(1.0))
