"""Rows of the types skidpad, acceleration and lap: times by a car that is in equilibrium everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.handling.envelope import envelope_grid
from sheetmbs.suspension.handling.handling_table import HANDLING_SHEET, ChartCurve, HandlingFound, ReadOff
from sheetmbs.suspension.handling.kinds.circle_row import solve_circle
from sheetmbs.suspension.handling.lap_sensitivities import lap_sensitivities
from sheetmbs.suspension.handling.quasi_static_lap import Lap, Limits, drive_lap
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import HandlingRow, RoadCourse

SKIDPAD_RADIUS = 9.125
"""m, the middle of the lane of formula student"""
DISTANCE = 75.0
"""m, of the acceleration of formula student"""
SLOWEST, SPEED_STEP = 3.0, 5.25
"""m/s, of the speeds at which envelopes for laps are found; below the slowest its own counts"""
TOP_SPEEDS = (45.0, 87.0, 150.0)
"""m/s, of the fastest of them: as far as the lap goes"""
AY_COUNT = 13
LAP_MARGIN = 0.05
"""share of the speeds of a lap by which those of a car that is changed a little may lie beyond them"""
PLACES = 0.5
"""m between places of a course"""
LEFT_OUT = (
    "A quasi-static lap leaves out how the car gets from one equilibrium to the next, the driver, gears and heat."
)


def solve_skidpad(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """The circle of a skidpad and its lap times."""
    radius = row.radius or SKIDPAD_RADIUS
    found = solve_circle(car, replace(row, radius=radius, speeds=(), held={}), rack_range)
    largest = {each.metric: each.value for each in found.read_offs}
    return replace(found, read_offs=(*_lap_times(car, largest, radius), *found.read_offs))


def _lap_times(car: HandlingCar, limits: dict[str, float], radius: float) -> Iterator[ReadOff]:
    for ending, turn in (("", "left"), ("_right", "right")):
        ay = limits.get(f"max_trimmed_ay{ending}")
        if ay:
            speed = float(np.sqrt(ay * car.steady.kernel.gravity * radius))
            doc = f"2 pi R/V at the largest trimmed ay to the {turn}, R = {radius:g} m"
            yield ReadOff(f"lap_time{ending}", 2.0 * np.pi * radius / speed, "s", doc)


def _speeds(fastest: float, step: float) -> Floats:
    return np.linspace(SLOWEST, fastest, round((fastest - SLOWEST) / step) + 1)


def _lap_limits(car: HandlingCar, rack_range: tuple[float, float], fastest: float) -> Limits:
    """What the car can do at all speeds of laps up to a fastest one."""
    return Limits(envelope_grid(car, _speeds(fastest, SPEED_STEP), None, AY_COUNT, rack_range))


def _straight_limits(car: HandlingCar, rack_range: tuple[float, float], fastest: float) -> Limits:
    """The same of a car that goes straight on."""
    grid = envelope_grid(car, _speeds(fastest, 0.5 * SPEED_STEP), np.zeros(1), 1, rack_range)
    most, least, outside = (np.repeat(values, 2, axis=1) for values in (grid.most, grid.least, grid.outside))
    return Limits(replace(grid, ay=np.zeros(most.shape), most=most, least=least, outside=outside))


def _driven(
    course: RoadCourse, start: float | None, limits_up_to: Callable[[float], Limits], tops: Sequence[float] = TOP_SPEEDS
) -> tuple[Lap, Limits]:
    """The lap, with envelopes up to the first top speed that it does not reach, or the last one."""
    for fastest in tops:
        limits = limits_up_to(fastest)
        lap = drive_lap(course, limits, start)
        if np.max(lap.speed) < fastest:
            break
    return lap, limits


def solve_acceleration(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """From standing over a straight."""
    s = np.linspace(0.0, DISTANCE, int(DISTANCE / PLACES) * 4 + 1)
    course = RoadCourse(s, np.zeros(len(s)), np.full(len(s), np.inf), is_closed=False)
    lap, limits = _driven(course, 0.0, partial(_straight_limits, car, rack_range))
    time = _standing_start(lap)
    read_offs = (
        ReadOff("time", float(time[-1]), "s", f"time over {DISTANCE:g} m from standing, limited by tyres and power"),
        ReadOff("end_speed", float(lap.speed[-1]), "m/s", f"speed at the end{_capped(lap)}"),
    )
    return HandlingFound(
        row,
        _course_table(row, lap, time, limits),
        read_offs,
        [ChartCurve("speed", lap.course.s, lap.speed)],
        ("s [m]", "speed [m/s]"),
        lost=limits.lost,
    )


def _standing_start(lap: Lap) -> Floats:
    """(n,) s: the first step from standing has t = 2 ds/v."""
    step = np.diff(lap.course.s)
    return np.concatenate(([0.0], np.cumsum(2.0 * step / (lap.speed[:-1] + lap.speed[1:]))))


def solve_lap(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """A lap on a course of the sheet Path, and what changes of the car are worth on it."""
    found, lap, limits = _lap(car, row, rack_range)
    if limits.lost or _is_capped(lap):
        return found  # differences of laps that are not whole say nothing
    speeds = _passed(limits.speed, lap.speed)

    def lap_time(other: HandlingCar) -> float:
        own = Limits(envelope_grid(other, speeds, None, AY_COUNT, rack_range))
        return float(drive_lap(lap.course, own, None).time[-1])

    return replace(found, read_offs=(*found.read_offs, *lap_sensitivities(car, float(lap.time[-1]), lap_time)))


def _passed(grid: Floats, speed: Floats) -> Floats:
    """The speeds of a grid between which a lap lies, and others near it."""
    first = max(int(np.searchsorted(grid, (1.0 - LAP_MARGIN) * np.min(speed))) - 1, 0)
    return grid[first : int(np.searchsorted(grid, (1.0 + LAP_MARGIN) * np.max(speed))) + 1]


def solve_lap_alone(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """A lap without its sensitivities."""
    return _lap(car, row, rack_range)[0]


def _lap(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> tuple[HandlingFound, Lap, Limits]:
    course = row.course
    if course is None:
        raise ValueError(f"{row.name} has no course")
    lap, limits = _driven(course, None, partial(_lap_limits, car, rack_range))
    read_offs = (
        ReadOff("lap_time", float(lap.time[-1]), "s", f"time of the lap. {LEFT_OUT}"),
        ReadOff("mean_speed", float(course.s[-1] / lap.time[-1]), "m/s", "length of the course over the time"),
        ReadOff("top_speed", float(np.max(lap.speed)), "m/s", f"largest speed{_capped(lap)}"),
    )
    curve = ChartCurve("speed", course.s, lap.speed)
    table = _course_table(row, lap, lap.time, limits, f". {LEFT_OUT}")
    found = HandlingFound(row, table, read_offs, [curve], ("s [m]", "speed [m/s]"), lost=limits.lost)
    return found, lap, limits


def _capped(lap: Lap) -> str:
    """What is said of a speed that the program does not go beyond."""
    return f"; no faster than {TOP_SPEEDS[-1]:g} m/s: give drive power or drag area" if _is_capped(lap) else ""


def _is_capped(lap: Lap) -> bool:
    return bool(np.max(lap.speed) >= TOP_SPEEDS[-1])


def _course_table(row: HandlingRow, lap: Lap, time: Floats, limits: Limits, left_out: str = "") -> Table:
    ay = lap.course.curvature * lap.speed**2
    outside = limits.outside(lap.speed, ay)
    values = np.stack((lap.course.s, time, lap.speed, lap.ax, ay, lap.course.curvature, outside), axis=1)
    names = ("s", "time", "speed", "ax", "ay", "curvature", "extrapolated")
    notes = (
        f"length of the course up to here{left_out}",
        "time since the start",
        "speed of the centre of gravity",
        "acceleration along the path",
        "acceleration across the path, + to the left",
        "curvature of the course, + to the left",
        "wheels whose tyre is outside the range of its data at a limit of the envelope near this speed and ay",
    )
    units = ("m", "s", "m/s", "m/s^2", "m/s^2", "1/m", "-")
    return Table(f"{HANDLING_SHEET}{row.name}", names, units, values, decimals=4, notes=dict(enumerate(notes)))
