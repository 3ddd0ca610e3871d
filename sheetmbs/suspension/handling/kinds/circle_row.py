"""Rows of type circle: the steady circle with its gradients, and the limits of both turns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import CORNER_NAMES
from sheetmbs.suspension.handling.circle import FASTEST, RADIUS_HELD, Circle, HeldQuantity, circle
from sheetmbs.suspension.handling.envelope_ends import giving_way
from sheetmbs.suspension.handling.handling_table import (
    PER_DEG,
    ChartCurve,
    HandlingFound,
    ReadOff,
    StateGroup,
    table_of,
)
from sheetmbs.suspension.handling.state_path import EDGE, PEAK, StateCurve
from sheetmbs.suspension.handling.steady_states import (
    AY,
    BETA,
    COUNT,
    EFFORT,
    RACK,
    RACK_FORCE,
    ROLL,
    SQUARE,
    STEER,
    Solved,
    closed_by,
)
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.handling.yaw_moment import SENSES
from sheetmbs.suspension.layout.handling_row import USUAL_RADIUS, HandlingRow

USUAL_STEP = 0.05
"""g, between rows"""
AT = 0.1
"""g, at which metrics of constant radius and steer are read: below it rolling resistance bends the curve, for it has |V|"""
NEAR_EDGE = 1e-3
"""share of the square of the fastest speed"""
GAIN_STEP = 1e-6
"""m of rack over which the ratio of the shafts is differenced"""
GRADIENTS = {
    "understeer_gradient": "d(steer_input)/d(ay/g) less d(L/R)/d(ay/g); + understeers",
    "understeer_gradient_wheels": "the same with steer, the mean heading of the front wheels",
    "roll_gradient": "droll/d(ay/g)",
    "sideslip_gradient": "dbeta/d(ay/g)",
}
READ = (*GRADIENTS, "steering_torque_gradient")
"""columns that are read off at one ay, too"""


def solve_circle(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """The circles of a row, one for each speed. rack_range: m, that the rack can reach."""
    step = (row.range("ay").step or USUAL_STEP) * car.steady.kernel.gravity
    held = list(_held(car, row))
    groups, read_offs, curves = [], [], []
    columns: dict[str, tuple[str, list[Floats], str]] = {}
    for each in held:
        torques = car.torques(2, brake=row.brake)
        asked = AT * car.steady.kernel.gravity
        found = circle(car.steady, each, torques, step, rack_range, asked)
        count = len(found.solved.x)
        label = each.value if each.unknown == SQUARE and len(held) > 1 else None
        groups.append(StateGroup(found.solved, car.torques(count, brake=row.brake), closed_by(count, ()), label))
        local = dict(_columns(car, each, found.solved, found.slopes, has_speeds=label is not None))
        for name, (unit, values, doc) in local.items():
            columns.setdefault(name, (unit, [], doc))[1].append(values)
        read_offs += list(_read_offs(car, found, local, label))
        ay = found.solved.x[:, AY] / car.steady.kernel.gravity
        ending = "" if label is None else f"{3.6 * label:.0f} km/h"
        shown = local["curvature"][1] if row.held else found.solved.x[:, RACK] * car.steer_ratio * PER_DEG
        if each.unknown != SQUARE:  # the slow circles to the left and to the right are two, with nothing between them
            left = int(np.searchsorted(ay, 0.0))
            ay, shown = np.insert(ay, left, np.nan), np.insert(shown, left, np.nan)
        curves.append(ChartCurve("path" if row.held else "steer input", ay, shown, ending))
    # At a constant steer its line would be level: there the path tells how the car steers by itself.
    axis = "curvature [1/m]" if row.held else "steer input [deg]"
    return HandlingFound(row, table_of(car, row, groups, columns), tuple(read_offs), curves, ("ay/g", axis))


def _held(car: HandlingCar, row: HandlingRow) -> Iterator[HeldQuantity]:
    """What each circle of a row keeps constant."""
    if row.speeds:
        yield from (HeldQuantity(SQUARE, speed) for speed in row.speeds)
    elif "rack" in row.held:
        yield HeldQuantity(RACK, row.held["rack"])
    elif "steering_wheel" in row.held and car.by_wheel is not None:
        yield HeldQuantity(RACK, float(car.by_wheel.rack_at(np.array([row.held["steering_wheel"]]))[0]))
    else:
        yield HeldQuantity(RADIUS_HELD, row.radius or USUAL_RADIUS)


def _columns(
    car: HandlingCar, held: HeldQuantity, solved: Solved, by_ay: Floats, *, has_speeds: bool
) -> Iterator[tuple[str, tuple[str, Floats, str]]]:
    """The columns of states of a circle, of which by_ay (n, k + r) are the slopes."""
    x, slopes = solved.x, by_ay * car.steady.kernel.gravity
    speed = np.sqrt(x[:, SQUARE])
    if not has_speeds:
        yield "speed", ("m/s", speed, "speed of the centre of gravity")
    curvature = x[:, AY] / x[:, SQUARE]
    with np.errstate(divide="ignore"):
        radius = np.where(np.abs(curvature) < 1e-12, np.nan, 1.0 / curvature)
    yield "radius", ("m", radius, "radius of the path, + to the left")
    yield "curvature", ("1/m", curvature, "curvature of the path, + to the left")
    force = solved.read[:, RACK_FORCE - COUNT]
    yield "steering_force", ("N", force, "what the pinion exerts on the rack, + to the left")
    if car.by_wheel is not None:
        torque = force * car.wheel_gain(x[:, RACK])
        yield "steering_torque", ("N*m", torque, "torque on the steering wheel, + to the left")
    radius_mean = float(np.mean(car.steady.kernel.parts.radius))
    yield "drive_torque", ("N*m", x[:, EFFORT] * radius_mean, "driving torque, all wheels together")
    path = _curvature_slope(car, held, x, slopes)
    steer = slopes[:, RACK] * car.steer_ratio
    yield "understeer_gradient", ("deg/g", (steer - path) * PER_DEG, GRADIENTS["understeer_gradient"])
    wheels = slopes[:, STEER] - path
    yield "understeer_gradient_wheels", ("deg/g", wheels * PER_DEG, GRADIENTS["understeer_gradient_wheels"])
    yield "roll_gradient", ("deg/g", slopes[:, ROLL] * PER_DEG, GRADIENTS["roll_gradient"])
    yield "sideslip_gradient", ("deg/g", slopes[:, BETA] * PER_DEG, GRADIENTS["sideslip_gradient"])
    if car.by_wheel is not None:
        rack = x[:, RACK]
        change = (car.wheel_gain(rack + GAIN_STEP) - car.wheel_gain(rack - GAIN_STEP)) / (2.0 * GAIN_STEP)
        torque = slopes[:, RACK_FORCE] * car.wheel_gain(rack) + force * change * slopes[:, RACK]
        yield "steering_torque_gradient", ("N*m/g", torque, "d(steering_torque)/d(ay/g)")


def _curvature_slope(car: HandlingCar, held: HeldQuantity, x: Floats, slopes: Floats) -> Floats:
    """(n,) d(L/R)/d(ay/g) along the circle, rad, of L/R = L ay/V^2."""
    if held.unknown == RADIUS_HELD:
        return np.zeros(len(x))
    by_ay = car.steady.kernel.gravity / x[:, SQUARE]
    return np.asarray(car.wheelbase * (by_ay - x[:, AY] / x[:, SQUARE] ** 2 * slopes[:, SQUARE]))


def _read_offs(
    car: HandlingCar, found: Circle, columns: dict[str, tuple[str, Floats, str]], label: float | None
) -> Iterator[ReadOff]:
    if found.held.unknown == SQUARE:
        middle = int(np.argmin(np.abs(found.solved.x[:, AY])))
        values = {name: (unit, float(own[middle]), doc) for name, (unit, own, doc) in columns.items() if name in READ}
        yield from _gradients(car, values, "", "at 0 g", label)
    else:
        yield from _of_both_turns(car, found, label)
    turns = zip(SENSES, ("", "_right"), ("left", "right"), found.curves, found.sliding, strict=True)
    for sense, ending, turn, curve, sliding in turns:
        if curve.limit is None:
            continue
        x = curve.limit.x[0]
        doc = f"largest ay in trim in a {turn} turn, over g; what limits: {_limit(car, curve, sliding)}"
        ay = sense * float(x[AY]) / car.steady.kernel.gravity
        yield ReadOff(f"max_trimmed_ay{ending}", ay, "-", doc, label)
        yield ReadOff(f"max_trimmed_ay{ending}_beta", sense * float(x[BETA]) * PER_DEG, "deg", "beta there", label)
        steer = sense * float(x[RACK]) * car.steer_ratio * PER_DEG
        yield ReadOff(f"max_trimmed_ay{ending}_steer_input", steer, "deg", "steer_input there", label)


def _of_both_turns(car: HandlingCar, found: Circle, label: float | None) -> Iterator[ReadOff]:
    """Gradients of the states at `AT` of both directions, and by how much the left turn has more."""
    each = {}
    for sense, (solved, slopes) in found.asked.items():
        if solved.good[0]:
            columns = dict(_columns(car, found.held, solved, slopes, has_speeds=True))
            each[sense] = {
                name: (unit, float(own[0]), doc) for name, (unit, own, doc) in columns.items() if name in READ
            }
    for sense, ending, turn in zip(SENSES, ("", "_right"), ("left", "right"), strict=True):
        if sense in each:
            yield from _gradients(car, each[sense], ending, f"at {AT:g} g in a {turn} turn", label)
    if len(each) == len(SENSES):
        left, right = (each[sense] for sense in SENSES)
        for name, (unit, value, _doc) in left.items():
            doc = f"{name} at {AT:g} g in a left turn less that in a right turn"
            yield ReadOff(f"{name}_difference", value - right[name][1], unit, doc, label)


def _gradients(
    car: HandlingCar, values: dict[str, tuple[str, float, str]], ending: str, where: str, label: float | None
) -> Iterator[ReadOff]:
    """Gradients at one state, and the characteristic speed that the understeer gradient makes."""
    for name, (unit, value, doc) in values.items():
        yield ReadOff(f"{name}{ending}", value, unit, f"{doc}, {where}", label)
    gradient = values["understeer_gradient"][1] / PER_DEG
    if gradient > 0.0 and not ending:
        speed = float(np.sqrt(car.wheelbase * car.steady.kernel.gravity / gradient))
        yield ReadOff("characteristic_speed", speed, "m/s", f"sqrt(L/K), K the understeer gradient {where}", label)


def _limit(car: HandlingCar, curve: StateCurve, sliding: str) -> str:
    """What ends a direction of a circle, in words. sliding: the wheel that uses all of its friction there."""
    if curve.limit is None:
        return ""
    solved = curve.limit.solved
    if curve.ends == EDGE:
        words = "the speed" if solved.x[0, SQUARE] > (1.0 - NEAR_EDGE) * FASTEST**2 else "the lock of the rack"
    elif curve.ends == PEAK and (wheel := giving_way(curve.limit.tangent[0])):
        words = f"the springs of {wheel} give way"
    elif curve.ends == PEAK:
        tangent = curve.limit.tangent[0]
        rear = abs(float(tangent[BETA]))
        front = abs(float(tangent[BETA] - tangent[RACK] * car.steer_ratio))
        words = "the front axle slides" if front > rear else "the rear axle slides"
    else:
        axle = "front" if sliding.startswith("F") else "rear"
        words = curve.why or (f"the {axle} axle slides" if sliding else "no state beyond")
    off = [name for name, is_off in zip(CORNER_NAMES, solved.lifted[0], strict=True) if is_off]
    return f"{words}; off the road: {', '.join(off)}" if off else words
