"""The g-g envelope: the largest and the smallest ax in trim over ay at a speed, and what limits it.

The curve of states at given speed and ay starts where the wheels roll free and goes on with growing effort, of the drive or of
the brakes, until ax turns: a wheel can do no more. The power of the drive may end it before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.car_on_tyres import OUTSIDE
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.envelope_ends import NOT_FOUND, WHEEL_LIMIT, what_limits
from sheetmbs.suspension.handling.state_grid import Lines
from sheetmbs.suspension.handling.state_path import CurvesOfStates, StateCurve
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    EFFORT,
    IN_TRIM,
    MAX_STEPS,
    POWER,
    RACK,
    SLIPS,
    SQUARE,
    Mask,
    Solved,
    SteadyCar,
    Torques,
    closed_by,
    holding,
    joined_states,
    joined_torques,
)
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.handling.yaw_moment import SENSES, trimmed_along

USUAL_STEP = 0.15
"""of a curve, in the measure of `SCALES`"""
SCALES = {AX: 1.0, BETA: 0.1, RACK: 0.03}
"""g, rad and m, in which curves are measured; slips count by `USUAL_SLIP`"""
USUAL_SLIP = 0.1


@dataclass(frozen=True, eq=False)
class Envelope:
    """The largest or smallest ax at n states. ax: (n,) m/s^2, NaN where none is found; limits: what ends it.

    solved: the states at the limits, one by one; None where none is found.
    """

    ay: Floats
    ax: Floats
    limits: list[str]
    solved: list[Solved | None]


def rolling(
    car: SteadyCar, curves: Sequence[Sequence[StateCurve]], speed: Floats, ay: Floats, torques: Torques
) -> Solved:
    """States in trim that roll free at (m,) speeds and (m, n) ay, from the curves that such states lie on.

    Where a curve does not lead to one it is looked for from straight running.
    """
    starts, lifted = [], []
    for own, values in zip(curves, ay, strict=True):
        for value in values:
            curve = own[0 if value >= 0.0 else 1]
            sense = SENSES[0 if value >= 0.0 else 1]
            x, off = (
                curve.near(AY, sense, np.array([abs(value)])) if curve.places else (np.full((1, COUNT), np.nan), NONE)
            )
            starts.append(x)
            lifted.append(off)
    fast, flat = np.repeat(speed, ay.shape[1]), ay.ravel()
    x, known = np.concatenate(starts), np.concatenate(lifted)
    begun = np.isfinite(x).all(axis=1)
    x[~begun] = car.at_design(1, 1.0)[0]
    conditions = [holding(SQUARE, fast**2), holding(AY, flat), IN_TRIM, holding(EFFORT, 0.0)]
    solved = car.solve(x, torques, closed_by(len(flat), conditions), known)
    lost = np.flatnonzero(~(solved.good & begun))
    if len(lost):
        solved.put(lost, coasting(car, fast[lost], flat[lost], torques.at(lost)))
    return solved


NONE = np.zeros((1, 4), dtype=bool)
"""wheels off the road"""


def coasting(car: SteadyCar, speed: Floats, ay: Floats, torques: Torques, steps: int = 12) -> Solved:
    """States in trim that roll free at (n,) speeds and ay, led there from straight running in so many steps."""
    count = len(ay)
    x = np.concatenate([car.at_design(1, float(each)) for each in speed])
    lifted = np.zeros((count, 4), dtype=bool)
    straight = [holding(SQUARE, speed**2), holding(AY, 0.0), IN_TRIM, holding(EFFORT, 0.0)]
    solved = car.solve(x, torques, closed_by(count, straight), lifted)
    for share in np.linspace(0.0, 1.0, steps):
        conditions = [holding(SQUARE, speed**2), holding(AY, share * ay), IN_TRIM, holding(EFFORT, 0.0)]
        found = car.solve(x, torques, closed_by(count, conditions), lifted)
        good = np.flatnonzero(found.good)
        x[good], lifted[good] = found.x[good], found.lifted[good]
        if share < 1.0:
            slope = found.slopes(1)[:, :COUNT] * (ay / (steps - 1))[:, None]
            x[good] += slope[good]
        solved = found
    return solved


def extremes(
    car: SteadyCar, start: Solved, speed: Floats, ay: Floats, driven: Torques, braked: Torques, power: float
) -> tuple[Envelope, Envelope]:
    """The largest and the smallest ax at (n,) states, from those that roll free. power: of the drive, W."""
    count = len(ay)
    both, sense = np.tile(np.arange(count), 2), np.repeat([1.0, -1.0], count)
    conditions = [holding(SQUARE, speed[both] ** 2), holding(AY, ay[both]), IN_TRIM, holding(EFFORT, 0.0)]
    scale = np.zeros(COUNT)
    for unknown, size in SCALES.items():
        scale[unknown] = size * (car.kernel.gravity if unknown == AX else 1.0)
    scale[SLIPS] = USUAL_SLIP
    curves = CurvesOfStates(car, joined_torques([driven, braked]), closed_by(2 * count, conditions), scale)
    tangent = np.zeros((2 * count, COUNT))
    tangent[:, AX] = sense * car.kernel.gravity
    x, lifted, none = start.x[both], start.lifted[both], np.zeros(2 * count)
    begin = curves.points(np.arange(2 * count), x, tangent, lifted, none, MAX_STEPS)

    def room(solved: Solved) -> Floats:
        return np.asarray(1.0 - solved.read[:, POWER - COUNT] / power)  # brakes need none

    followed = curves.follow(begin, USUAL_STEP, AX, sense, room)
    limits = [what_limits(curves, row, each) for row, each in enumerate(followed)]
    known = [None if by == NOT_FOUND else each.limit for each, by in zip(followed, limits, strict=True)]
    ax = np.array([np.nan if each is None else each.x[0, AX] for each in known])
    solved = [None if each is None else each.solved for each in known]
    most, least = (
        Envelope(ay, ax[own], limits[own], solved[own]) for own in (slice(0, count), slice(count, 2 * count))
    )
    return most, least


WIDE_BETA = 0.6
"""rad, of the rectangle in which the limit of ay is looked for"""
INSIDE = 1.0 - 1e-4
"""share of the limit of ay up to which envelopes go: at the limit itself ax is no function of the effort"""


@dataclass(frozen=True, eq=False)
class EnvelopeGrid:
    """Largest and smallest ax at m speeds and n shares of the limit of ay. limit: (m, 2) of the left and the right turn, m/s^2.

    ay, most, least: (m, n) m/s^2; most_by, least_by: what limits each.

    outside: (m, n) wheels whose tyre is outside the range of its data at either limit.
    """

    speed: Floats
    limit: Floats
    ay: Floats
    most: Floats
    least: Floats
    most_by: list[list[str]]
    least_by: list[list[str]]
    outside: Floats

    @property
    def lost(self) -> int:
        """How many limits are not found."""
        return int(np.sum(~np.isfinite(self.most)) + np.sum(~np.isfinite(self.least)))


def rolling_curves(car: HandlingCar, speed: Floats, rack_range: tuple[float, float]) -> list[list[StateCurve]]:
    """States in trim of a car that rolls free, from straight running towards both turns, at each of (m,) speeds."""
    lines = Lines(np.array([-WIDE_BETA, 0.0, WIDE_BETA]), np.array([rack_range[0], 0.0, rack_range[1]]))
    fast, senses = np.repeat(speed, len(SENSES)), np.tile(SENSES, len(speed))
    conditions = [holding(SQUARE, fast**2), holding(EFFORT, 0.0), IN_TRIM]
    begin = car.steady.at_design(len(fast), fast)
    curves = trimmed_along(car.steady, lines, conditions, begin, car.torques(len(fast)), senses)
    return [curves[len(SENSES) * row : len(SENSES) * (row + 1)] for row in range(len(speed))]


def _rolling_at_limit(found: Envelope, rolling: Solved, is_limit: Mask) -> Envelope:
    """Where the car is at its limit of ay and no state with a drive is found, it can no more than roll free."""
    ax, limits = found.ax.copy(), list(found.limits)
    for row in np.flatnonzero(is_limit & np.isnan(ax) & rolling.good):
        ax[row], limits[row] = rolling.x[row, AX], WHEEL_LIMIT
    return replace(found, ax=ax, limits=limits)


def envelope_grid(
    car: HandlingCar, speed: Floats, ay: Floats | None, count: int, rack_range: tuple[float, float]
) -> EnvelopeGrid:
    """Envelopes at (m,) speeds. ay: (n,) m/s^2, or None: so many from limit to limit."""
    curves = rolling_curves(car, speed, rack_range)
    limit = np.array([[np.nan if each.limit is None else each.limit.x[0, AY] for each in own] for own in curves])
    if ay is None:
        share = np.linspace(-1.0, 1.0, count)
        over = np.where(share[None] >= 0.0, share[None] * limit[:, :1], -share[None] * limit[:, 1:]) * INSIDE
    else:
        over = np.repeat(ay[None], len(speed), axis=0)
    fast = np.repeat(speed, over.shape[1])
    flat = over.ravel()
    begin = rolling(car.steady, curves, speed, over, car.torques(len(flat)))
    driven, braked = car.torques(len(flat)), car.torques(len(flat), by_brakes=True)
    most, least = extremes(car.steady, begin, fast, flat, driven, braked, car.power)
    if ay is None:
        most = _rolling_at_limit(most, begin, np.isin(np.arange(over.size) % count, (0, count - 1)))
    shape = over.shape

    def rows(texts: list[str]) -> list[list[str]]:
        return [texts[row * shape[1] : (row + 1) * shape[1]] for row in range(shape[0])]

    outside = np.maximum(wheels_outside(car.steady, most, driven), wheels_outside(car.steady, least, braked))
    ways = most.ax.reshape(shape), least.ax.reshape(shape), rows(most.limits), rows(least.limits)
    return EnvelopeGrid(speed, limit, over, *ways, outside.reshape(shape))


def wheels_outside(car: SteadyCar, found: Envelope, torques: Torques) -> Floats:
    """(n,) wheels whose tyre is outside the range of its data at the limits that are found."""
    outside = np.zeros(len(found.ay))
    known = [(row, solved) for row, solved in enumerate(found.solved) if solved is not None]
    if known:
        rows = np.array([row for row, _solved in known])
        states = joined_states([(solved, 0) for _row, solved in known])
        columns = car.wheels(states, torques.at(rows), closed_by(len(rows), ())).columns
        outside[rows] = np.sum(columns[:, :, OUTSIDE], axis=1)
    return outside
