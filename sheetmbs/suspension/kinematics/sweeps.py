"""Sweeps: what moves, row by row, and the wheels of both sides at each row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import AXLES
from sheetmbs.suspension.kinematics.corner_system import CornerSystem
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData

TRAVEL, TRAVEL_STEP = 25e-3, 2.5e-3
ROLL, ROLL_STEP = np.radians(2.0), np.radians(0.1)
RACK, RACK_STEPS = 25e-3, 20
OF_LIMIT = 0.9


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep. travel: (n,) of both wheels or of each, m; roll: rad; rack: m; roll_about: what the body rolls about.

    single: the wheel that moves alone, ``""`` both. swept: the quantities that its rows are named by, in their order.
    """

    name: str
    type: str
    travel: Floats
    roll: Floats
    rack: Floats
    swept: tuple[str, ...]
    single: str = ""
    roll_about: str = "ground"
    axles: tuple[str, ...] = AXLES
    cell: str = ""
    right: Floats | None = None
    """(n,) travel of the right wheel where it has its own; ``travel`` is then that of the left one"""

    def column(self, quantity: str) -> Floats:
        """(n,) of a quantity that its rows are named by, SI."""
        if quantity == "travel_right":
            return self.travel if self.right is None else self.right
        return np.asarray(getattr(self, "travel" if quantity == "travel_left" else quantity))

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.travel)


@dataclass(frozen=True, eq=False)
class SweptAxle:
    """An axle over the rows of a sweep. wheels, travel: by side; rows: of the sweep that both reached."""

    axle: AxleData
    wheels: Mapping[str, Wheel]
    rows: slice
    travel: Mapping[str, Floats]


def ranged(first: float, last: float, step: float) -> Floats:
    """Values from ``first`` to ``last`` in steps, and the value 0 where it lies between."""
    count = int(abs(last - first) / step + 1e-9)
    values = first + np.sign(last - first) * step * np.arange(count + 1)
    values[np.abs(values) < 1e-9 * step] = 0.0
    if first * last < 0.0 and not np.any(values == 0.0):
        values = np.insert(values, int(np.sum(values * np.sign(first) > 0.0)), 0.0)
    return np.asarray(values, dtype=np.float64)


def default_sweeps(axles: tuple[AxleData, ...], rack_limit: float) -> list[Sweep]:
    """What is swept where the workbook says nothing. rack_limit: the smaller of the geometric limits, m."""

    def sweep(name: str, kind: str, values: Floats, swept: str, *, single: str = "", rack: float = 0.0) -> Sweep:
        columns = {each: np.zeros(len(values)) for each in ("travel", "roll", "rack")}
        columns["rack"] += rack
        columns[swept] = values
        return Sweep(name, kind, columns["travel"], columns["roll"], columns["rack"], (swept,), single)

    travel = ranged(-TRAVEL, TRAVEL, TRAVEL_STEP)
    found = [
        sweep("heave", "heave", travel, "travel"),
        sweep("single wheel", "single wheel", travel, "travel", single="left"),
        sweep("roll", "roll", ranged(-ROLL, ROLL, ROLL_STEP), "roll"),
    ]
    if any(axle.is_steered for axle in axles):
        lock = min(RACK, OF_LIMIT * rack_limit)
        found.append(sweep("steer", "steer", np.linspace(-lock, lock, RACK_STEPS + 1), "rack"))
        found.append(sweep("full lock", "heave", travel, "travel", rack=lock))
    return found


def swept_axle(sweep: Sweep, systems: Mapping[str, CornerSystem]) -> SweptAxle:
    """An axle along a sweep. systems: its corners by side."""
    axle = systems["left"].axle
    rack = sweep.rack if axle.is_steered else np.zeros(sweep.rows)
    travel = _travels(sweep, systems, rack)
    wheels, rows = {}, slice(0, sweep.rows)
    for side in SIDES:
        wheels[side], reached = systems[side].wheel(travel[side], rack, sweep.roll)
        rows = slice(max(rows.start, reached.start), min(rows.stop, reached.stop))
    if rows != slice(0, sweep.rows):
        roll = sweep.roll[rows]
        wheels = {side: systems[side].wheel(travel[side][rows], rack[rows], roll)[0] for side in SIDES}
    return SweptAxle(axle, wheels, rows, {side: travel[side][rows] for side in SIDES})


def _travels(sweep: Sweep, systems: Mapping[str, CornerSystem], rack: Floats) -> dict[str, Floats]:
    """Travel of either wheel at each row."""
    travel = {"left": sweep.travel.copy(), "right": sweep.column("travel_right").copy()}
    if sweep.single:
        other = "right" if sweep.single == "left" else "left"
        travel[other] = np.zeros(sweep.rows)
    if not np.any(sweep.roll):
        return travel
    design = {side: systems[side].wheel(np.zeros(1), np.zeros(1))[0] for side in SIDES}
    road = 0.5 * sum(float(design[side].contact.value[0, 2]) for side in SIDES)
    if sweep.roll_about == "antisymmetric":
        half = 0.5 * float(design["left"].contact.value[0, 1] - design["right"].contact.value[0, 1])
        return {side: travel[side] - design[side].s * half * np.tan(sweep.roll) for side in SIDES}
    height = float(sweep.roll_about.removeprefix("axis height ")) if sweep.roll_about.startswith("axis") else 0.0
    axis = height * (1.0 / np.cos(sweep.roll) - 1.0)  # the line at this height keeps its distance from the road
    return {side: systems[side].on_road(rack, sweep.roll, travel[side], road + travel[side] - axis) for side in SIDES}
