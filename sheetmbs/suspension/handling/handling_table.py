"""What is shown of steady states: columns of the car and of its wheels, and the numbers that are read off a row of Handling.

Angles are in deg, lengths in mm, forces in N, moments in N m, speeds in m/s, accelerations in m/s^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sheetmbs.engine import car_on_tyres as read
from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import CORNER_NAMES
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    HEIGHT,
    PITCH,
    RACK,
    ROLL,
    SQUARE,
    STEER,
    TRAVELS,
    YAW,
    Closure,
    Solved,
    Torques,
)
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import HandlingRow

HANDLING_SHEET = "mbs Handling "
"""how the names of the sheets of rows begin"""
PER_MM, PER_DEG = 1e3, 180.0 / np.pi
OWN_WHEEL_COLUMNS = {
    "fz": (read.FZ, 1.0, "N", "vertical load"),
    "fx": (read.FX, 1.0, "N", "longitudinal force on the tyre along its heading"),
    "fy": (read.FY, 1.0, "N", "side force on the tyre, + to the left"),
    "mz": (read.MZ, 1.0, "N*m", "aligning moment on the tyre, + to the left"),
    "mx": (read.MX, 1.0, "N*m", "overturning moment on the tyre"),
    "my": (read.MY, 1.0, "N*m", "rolling resistance moment on the tyre"),
    "alpha": (read.ALPHA, PER_DEG, "deg", "slip angle, + where the contact moves to the left of the heading"),
    "kappa": (read.KAPPA, 1.0, "-", "slip ratio, + where the wheel drives"),
    "gamma": (read.GAMMA, PER_DEG, "deg", "camber against the road, + top to the right"),
    "steer": (read.HEADING, PER_DEG, "deg", "heading in the road against that of the car, + to the left"),
}
"""of a wheel: what is read, factor, unit and meaning, in the order of the sheet"""


class StateColumn(NamedTuple):
    """A column. values: (n,)."""

    name: str
    unit: str
    values: Floats
    doc: str


@dataclass(frozen=True)
class ReadOff:
    """A number that is read off a row. speed: m/s, of rows with several; definition with its sign."""

    metric: str
    value: float
    unit: str
    definition: str
    speed: float | None = None


@dataclass(frozen=True, eq=False)
class StateGroup:
    """States of a row at one speed. label: its speed in m/s where there are several, else None."""

    solved: Solved
    torques: Torques
    closure: Closure
    label: float | None = None


@dataclass(frozen=True, eq=False)
class HandlingFound:
    """What a row has come to. curves: what its chart draws, by name: x, y and what is written at the end.

    lost: limits of an envelope that are not found. surface: the net of an envelope over speed, in projection.
    """

    row: HandlingRow
    table: Table
    read_offs: tuple[ReadOff, ...]
    curves: Sequence[ChartCurve] = ()
    axes: tuple[str, str] = ("", "")
    seconds: float = 0.0
    lost: int = 0
    surface: Sequence[ChartCurve] = ()


@dataclass(frozen=True, eq=False)
class ChartCurve:
    """A line of a chart. family: lines that look alike; end: what is written at its last point."""

    family: str
    x: Floats
    y: Floats
    end: str = ""


def state_columns(car: HandlingCar, solved: Solved, torques: Torques, closure: Closure) -> Iterator[StateColumn]:
    """The columns of the car in n states, those of section 3 of the contract in its order; NaN where a state has none."""
    x, gravity = np.where(solved.good[:, None], solved.x, np.nan), car.steady.kernel.gravity
    for unknown in (BETA, RACK):  # what a state is asked at stands there too where it has no equilibrium
        x[:, unknown] = np.where(solved.good, x[:, unknown], _asked(closure, unknown))
    read_off = np.where(solved.good[:, None], solved.read, np.nan)
    yield StateColumn("beta", "deg", x[:, BETA] * PER_DEG, "body slip angle, + where the velocity points to the left")
    yield StateColumn("rack", "mm", x[:, RACK] * PER_MM, "rack travel, + to the left")
    if car.by_wheel is not None:
        turned = car.by_wheel.steering_wheel_at(x[:, RACK]) * PER_DEG
        yield StateColumn("steering_wheel", "deg", turned, "angle of the steering wheel, + to the left")
    steer_input = x[:, RACK] * car.steer_ratio * PER_DEG
    yield StateColumn("steer_input", "deg", steer_input, "rack travel times the steer ratio at design")
    steer = read_off[:, STEER - COUNT] * PER_DEG
    yield StateColumn("steer", "deg", steer, "mean heading of the front wheels against the car's, less that at design")
    yield StateColumn("ay", "m/s^2", x[:, AY], "acceleration across the path, + to the left")
    yield StateColumn("ay_g", "-", x[:, AY] / gravity, "the same over g")
    yield StateColumn("ax", "m/s^2", x[:, AX], "acceleration along the path")
    moment = read_off[:, YAW - COUNT]
    yield StateColumn("yaw_moment", "N*m", moment, "moment of all tyres about the centre of gravity, + to the left")
    whole = car.steady.weight * car.wheelbase
    yield StateColumn("CN", "-", moment / whole, "yaw moment over weight times wheelbase")
    yaw_rate = x[:, AY] / np.sqrt(x[:, SQUARE]) * PER_DEG
    yield StateColumn("yaw_rate", "deg/s", yaw_rate, "yaw rate, + to the left")
    yield from _wheel_columns(car, solved, torques, closure)
    yield StateColumn("roll", "deg", x[:, ROLL] * PER_DEG, "roll of the body against the road, as on mbs Loads")
    twist = car.steady.twist(solved)
    if twist is not None:
        own = np.where(solved.good, twist, np.nan) * PER_DEG
        yield StateColumn("chassis_twist", "deg", own, "roll of the front half of the body less that of its rear half")
    yield StateColumn("pitch", "deg", x[:, PITCH] * PER_DEG, "pitch of the body against the road, as on mbs Loads")
    yield StateColumn("heave", "mm", _heave(car, x) * PER_MM, "rise of the body over the road under the front axle")


def _asked(closure: Closure, unknown: int) -> Floats:
    """(n,) the value that closures give an unknown; NaN where they leave it open."""
    weights = np.abs(closure.weights)
    holds = (weights[:, :, unknown] == 1.0) & (np.sum(weights, axis=2) == 1.0) & (closure.kind == read.SUM_OF_UNKNOWNS)
    values = np.where(holds, closure.value, np.nan)
    return np.asarray(np.where(holds.any(axis=1), np.nansum(values, axis=1), np.nan))


def _heave(car: HandlingCar, x: Floats) -> Floats:
    """(n,) m: n.p - h of the body's point on the design road under the front axle."""
    point = next(iter(car.steady.standing.masses.downforce.values()))
    roll, pitch = x[:, ROLL], x[:, PITCH]
    up = -np.sin(pitch) * point[0] + np.cos(roll) * np.cos(pitch) * point[2]
    return np.asarray(up - x[:, HEIGHT])


def _wheel_columns(car: HandlingCar, solved: Solved, torques: Torques, closure: Closure) -> Iterator[StateColumn]:
    count = len(solved.x)
    values = np.full((count, len(CORNER_NAMES), read.WHEEL_COLUMNS), np.nan)
    springs = np.full((count, len(CORNER_NAMES)), np.nan)
    good = np.flatnonzero(solved.good)
    if len(good):
        own = solved.at(good)
        read_off = car.steady.wheels(own, torques.at(good), closure.at(good))
        values[good], springs[good] = read_off.columns, read_off.springs
    for number, corner in enumerate(CORNER_NAMES):
        for name, (place, factor, unit, doc) in OWN_WHEEL_COLUMNS.items():
            yield StateColumn(f"{corner}.{name}", unit, values[:, number, place] * factor, doc)
        travel = np.where(solved.good, solved.x[:, TRAVELS][:, number], np.nan)
        yield StateColumn(f"{corner}.travel", "mm", travel * PER_MM, "travel from design, + in bump")
        yield StateColumn(f"{corner}.spring", "N", springs[:, number], "force of its springs, + in compression")
        lean = values[:, number, read.LEAN] * PER_DEG
        yield StateColumn(f"{corner}.inclination", "deg", lean, "inclination to the road, + top outboard")
    outside = np.sum(values[:, :, read.OUTSIDE], axis=1)
    yield StateColumn("extrapolated", "-", outside, "wheels whose tyre is outside the range of its data")


def table_of(
    car: HandlingCar,
    row: HandlingRow,
    groups: Sequence[StateGroup],
    extra: Mapping[str, tuple[str, Sequence[Floats], str]],
) -> Table:
    """The sheet of a row. extra: further columns by name: unit, values of each group, meaning; they stand first of all."""
    blocks: list[list[StateColumn]] = []
    for number, group in enumerate(groups):
        count = len(group.solved.x)
        own = [StateColumn("speed", "m/s", np.full(count, group.label), "speed")] if group.label is not None else []
        own += [StateColumn(name, unit, values[number], doc) for name, (unit, values, doc) in extra.items()]
        own += list(state_columns(car, group.solved, group.torques, group.closure))
        own.append(
            StateColumn("residual", "-", np.where(group.solved.good, group.solved.residual, np.nan), RESIDUAL_DOC)
        )
        blocks.append(own)
    names, units = [each.name for each in blocks[0]], [each.unit for each in blocks[0]]
    values = np.concatenate([np.stack([each.values for each in own], axis=1) for own in blocks])
    why = [text for group in groups for text in group.solved.why]
    values = np.concatenate((values, np.full((len(values), 1), np.nan)), axis=1)
    notes = {place: each.doc for place, each in enumerate(blocks[0])}
    return Table(
        f"{HANDLING_SHEET}{row.name}",
        (*names, "why"),
        (*units, ""),
        values,
        texts={len(names): TextColumn(why)},
        repeated=2,
        decimals=4,
        notes={**notes, len(names): "why a state has no equilibrium"},
    )


RESIDUAL_DOC = "largest residual of all equations of balance, over the weight"
