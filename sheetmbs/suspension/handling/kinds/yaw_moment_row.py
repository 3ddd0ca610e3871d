"""Rows of type yaw moment: the diagram at each speed, and what is read off it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.circle_diagram import diagram_on_circle, trimmed_on_circle
from sheetmbs.suspension.handling.handling_metrics import TURNS
from sheetmbs.suspension.handling.handling_table import (
    PER_DEG,
    ChartCurve,
    HandlingFound,
    ReadOff,
    StateGroup,
    table_of,
)
from sheetmbs.suspension.handling.state_grid import Lines
from sheetmbs.suspension.handling.state_path import StateCurve
from sheetmbs.suspension.handling.steady_states import AY, BETA, COUNT, RACK, SQUARE, YAW, Solved, Torques
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.handling.yaw_moment import (
    SENSES,
    YawMomentDiagram,
    diagram,
    gradients,
    largest_ay,
    trimmed_curves,
)
from sheetmbs.suspension.layout.handling_row import HOLD, USUAL_SPEEDS, GivenRange, HandlingRow

USUAL_BETA = np.radians(6.0)
USUAL_VALUES = 21
"""values of each quantity of a grid"""
DEFINITIONS = {
    "stability": ("-", 1.0, "dCN/d(ay/g) at constant rack, at the origin; below 0 the car is stable"),
    "control": ("1/deg", 1.0 / PER_DEG, "dCN/d(steer_input) at constant beta, at the origin"),
    "weathervane": ("1/deg", 1.0 / PER_DEG, "dCN/dbeta at constant rack, at the origin"),
    "understeer_gradient": (
        "deg/g",
        PER_DEG,
        "d(steer_input)/d(ay/g) along CN = 0 less L g/V^2, at the origin; + understeers",
    ),
    "sideslip_gradient": ("deg/g", PER_DEG, "dbeta/d(ay/g) along CN = 0, at the origin"),
    "roll_gradient": ("deg/g", PER_DEG, "droll/d(ay/g) along CN = 0, at the origin"),
}
"""of read-offs at the origin: unit, factor and meaning"""


def solve_yaw_moment(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """The diagram of a row. rack_range: m, over which the rack goes where the row does not say it."""
    if row.radius is not None:
        return _on_circle(car, row, row.radius, rack_range)
    lines = grid_lines(car, row, rack_range)
    speeds = row.speeds or USUAL_SPEEDS
    drive = row.drive if isinstance(row.drive, float) else 0.0
    groups, read_offs, curves = [], [], []
    for speed in speeds:
        of = partial(car.torques, drive=drive, brake=row.brake)
        found = diagram(car.steady, lines, speed, of, holds=row.drive == HOLD)
        label = speed if len(speeds) > 1 else None
        groups.append(StateGroup(found.solved, found.torques, found.closure, label))
        two = car.torques(2, drive=drive, brake=row.brake)
        read_offs += list(_read_offs(car, found, speed, label, two, holds=row.drive == HOLD))
        curves += list(_curves(car, found, label))
    return HandlingFound(row, table_of(car, row, groups, {}), tuple(read_offs), curves, ("ay/g", "CN"))


def _on_circle(car: HandlingCar, row: HandlingRow, radius: float, rack_range: tuple[float, float]) -> HandlingFound:
    """The diagram at constant radius. Only limits are read off it, of its own turn: it has no origin, and no other turn."""
    lines = grid_lines(car, row, rack_range)
    count = len(lines.first) * len(lines.second)
    drive = row.drive if isinstance(row.drive, float) else 0.0
    torques = car.torques(count, drive=drive, brake=row.brake)
    holds = row.drive == HOLD
    found = diagram_on_circle(car.steady, lines, radius, torques, holds=holds)
    solved = found.solved
    speed = np.where(solved.good, np.sqrt(np.abs(solved.x[:, SQUARE])), np.nan)
    group = StateGroup(solved, torques, found.closure)
    table = table_of(car, row, [group], {"speed": ("m/s", [speed], "speed")})
    one = car.torques(1, drive=drive, brake=row.brake)
    trimmed = trimmed_on_circle(car.steady, lines, radius, one, holds=holds)
    sense = float(np.sign(radius))
    read_offs = (*_limit_in_trim(car, trimmed, sense, None), *_largest(car, found, one, sense, None, trimmed))
    return HandlingFound(row, table, read_offs, list(_curves_of(car, lines, solved, "")), ("ay/g", "CN"))


def grid_lines(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> Lines:
    """The values of beta and of the rack."""
    beta = _values(row.range("beta"), (-USUAL_BETA, USUAL_BETA))
    wheel, rack = row.range("steering_wheel"), row.range("rack")
    if not wheel.is_blank and car.by_wheel is not None:
        ends = car.by_wheel.steering_wheel_at(np.array(rack_range))
        turned = _values(wheel, (float(min(ends)), float(max(ends))))
        return Lines(beta, np.sort(car.by_wheel.rack_at(turned)))
    return Lines(beta, _values(rack, rack_range))


def _values(given: GivenRange, usual: tuple[float, float]) -> Floats:
    """From first to last in a step, 0 always among them."""
    first = usual[0] if given.first is None else given.first
    last = usual[1] if given.last is None else given.last
    first, last = min(first, last), max(first, last)
    step = (last - first) / (USUAL_VALUES - 1) if given.step is None else given.step
    values = first + step * np.arange(int((last - first) / step + 1e-9) + 1)
    values[np.abs(values) < 1e-9 * step] = 0.0
    return np.unique(values) if 0.0 in values else np.unique(np.append(values, 0.0))


def _read_offs(
    car: HandlingCar, found: YawMomentDiagram, speed: float, label: float | None, torques: Torques, *, holds: bool
) -> Iterator[ReadOff]:
    """torques: of two states."""
    yield from _at_origin(car, found, speed, label)
    trimmed = trimmed_curves(car.steady, found.lines, speed, torques, holds=holds)
    for sense, curve in zip(SENSES, trimmed, strict=True):
        yield from _limit_in_trim(car, curve, sense, label)
    for sense, curve in zip(SENSES, trimmed, strict=True):
        yield from _largest(car, found, torques, sense, label, curve)


def _largest(
    car: HandlingCar, found: YawMomentDiagram, torques: Torques, sense: float, label: float | None, trimmed: StateCurve
) -> Iterator[ReadOff]:
    """The largest ay of all in one direction, and the yaw moment there. trimmed: the states in trim of this direction."""
    ending, turn = _turn(sense)
    largest = largest_ay(car.steady, found, torques, sense, trimmed)
    if largest is not None:
        what = f"the largest ay of the diagram in a {turn} turn"
        yield from _at(f"max_ay{ending}", what, largest.x, sense, car, label)
        doc = f"CN at the largest ay in a {turn} turn; + turns in, - ploughs"
        value = sense * largest.yaw_moment / (car.steady.weight * car.wheelbase)
        yield ReadOff(f"limit_balance{ending}", value, "-", doc, label)


def _turn(sense: float) -> tuple[str, str]:
    """Ending of metrics and word of a direction."""
    return (TURNS[0], "left") if sense > 0.0 else (TURNS[1], "right")


def _at_origin(car: HandlingCar, found: YawMomentDiagram, speed: float, label: float | None) -> Iterator[ReadOff]:
    """Slopes where beta and rack are 0."""
    slopes = gradients(found.origin, car.steady, car.wheelbase, speed, car.steer_ratio)
    for name, (unit, factor, doc) in DEFINITIONS.items():
        yield ReadOff(name, slopes[name] * factor, unit, doc, label)


def _limit_in_trim(car: HandlingCar, curve: StateCurve, sense: float, label: float | None) -> Iterator[ReadOff]:
    ending, turn = _turn(sense)
    if curve.limit is not None:
        what = f"the largest ay with CN = 0 in a {turn} turn"
        yield from _at(f"max_trimmed_ay{ending}", what, curve.limit.x[0], sense, car, label)


def asked_of_diagram(
    car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float], metrics: Collection[str]
) -> list[ReadOff]:
    """Some metrics of a row at its first speed, without states of the grid that they do not need."""
    speed, lines = (row.speeds or USUAL_SPEEDS)[0], grid_lines(car, row, rack_range)
    drive = row.drive if isinstance(row.drive, float) else 0.0
    found: list[ReadOff] = []
    holds = row.drive == HOLD
    of = partial(car.torques, drive=drive, brake=row.brake)
    if any(name.startswith(UNTRIMMED) for name in metrics):
        whole = diagram(car.steady, lines, speed, of, holds=holds)
        return list(_read_offs(car, whole, speed, None, of(2), holds=holds))
    if any(name in DEFINITIONS for name in metrics):
        middle = Lines(np.zeros(1), np.zeros(1))
        found += _at_origin(car, diagram(car.steady, middle, speed, of, holds=holds), speed, None)
    asked = {TURNS[1] in name for name in metrics if name.startswith(TRIMMED)}
    senses = [sense for sense in SENSES if (sense < 0.0) in asked]
    if senses:
        curves = trimmed_curves(car.steady, lines, speed, of(len(senses)), senses, holds=holds)
        for sense, curve in zip(senses, curves, strict=True):
            found += _limit_in_trim(car, curve, sense, None)
    return found


TRIMMED, UNTRIMMED = "max_trimmed_ay", ("max_ay", "limit_balance")
"""beginnings of the names of metrics that need the curves in trim, or the states of the whole grid"""


def _at(name: str, what: str, x: Floats, sense: float, car: HandlingCar, label: float | None) -> Iterator[ReadOff]:
    """A largest ay over g, and beta and steer where it is, signed so that + means the same in both turns."""
    yield ReadOff(name, sense * float(x[AY]) / car.steady.kernel.gravity, "-", f"{what}, over g", label)
    yield ReadOff(f"{name}_beta", sense * float(x[BETA]) * PER_DEG, "deg", f"beta at {what}", label)
    steer = sense * float(x[RACK]) * car.steer_ratio * PER_DEG
    yield ReadOff(f"{name}_steer_input", steer, "deg", f"steer_input at {what}", label)


def _curves(car: HandlingCar, found: YawMomentDiagram, label: float | None) -> Iterator[ChartCurve]:
    """Lines of constant beta and of constant steer."""
    ending = "" if label is None else f", {3.6 * label:.0f} km/h"
    yield from _curves_of(car, found.lines, found.solved, ending)


def _curves_of(car: HandlingCar, lines: Lines, solved: Solved, ending: str) -> Iterator[ChartCurve]:
    good, shape = solved.good, (len(lines.first), len(lines.second))
    ay = np.where(good, solved.x[:, AY] / car.steady.kernel.gravity, np.nan).reshape(shape)
    cn = np.where(good, solved.read[:, YAW - COUNT] / (car.steady.weight * car.wheelbase), np.nan).reshape(shape)
    for number, beta in enumerate(lines.first):
        yield ChartCurve(f"constant beta{ending}", ay[number], cn[number], f"{beta * PER_DEG:+.1f}°")
    for number, rack in enumerate(lines.second):
        steer = rack * car.steer_ratio * PER_DEG
        yield ChartCurve(f"constant steer{ending}", ay[:, number], cn[:, number], f"{steer:+.1f}°")
