"""The yaw-moment diagram: lateral acceleration and yaw moment over body slip angle and steer.

Milliken and Milliken (1995), Race Car Vehicle Dynamics, ch. 8. Of states at given beta and rack, all else in equilibrium,
ay(beta, rack) and N(beta, rack); CN = N/(m g L), A = ay/g. By the implicit function theorem derivatives are exact, so that
at the origin

    stability    dCN/dA at constant rack  = CN_beta/A_beta          control      dCN/d(steer) at constant beta
    weathervane  dCN/dbeta                                          along CN = 0: dbeta/drack = -CN_rack/CN_beta

    understeer gradient = d(steer input)/dA along CN = 0, less L g/V^2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.state_grid import MAX_STEPS as NEAR_STEPS
from sheetmbs.suspension.handling.state_grid import Lines, outward
from sheetmbs.suspension.handling.state_path import CurvesOfStates, StateCurve
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    COUNT,
    EFFORT,
    IN_TRIM,
    MAX_STEPS,
    RACK,
    ROLL,
    SQUARE,
    WHEELS,
    YAW,
    Closure,
    Condition,
    Mask,
    Solved,
    SteadyCar,
    Torques,
    closed_by,
    holding,
)

DIFFERENCE = 1e-4
"""of either quantity, over half its range, over which slopes are differenced for second derivatives, which steer the search"""
SEARCH_STEPS, SMALLEST_GAIN = 30, 1e-9
"""of the search for the largest ay, and the gain in m/s^2 that is none"""
USUAL_STEP = 0.15
"""g, of ay along a curve"""


@dataclass(frozen=True, eq=False)
class Trim:
    """A state in trim, or at a largest ay. ay_g, beta (rad), rack (m), yaw_moment (N m), x: (unknowns,)."""

    ay: float
    beta: float
    rack: float
    yaw_moment: float
    x: Floats
    is_at_edge: bool


@dataclass(frozen=True, eq=False)
class YawMomentDiagram:
    """A diagram at one speed, or on one circle. solved: states of the grid, the rack running fastest.

    states_at: the conditions of states at given beta and rack.
    """

    lines: Lines
    closure: Closure
    torques: Torques
    solved: Solved
    states_at: Callable[[Floats, Floats], Sequence[Condition]]

    @property
    def origin(self) -> Floats:
        """Slopes (2, k + 4) of all unknowns and read-offs by beta and by rack at the middle."""
        middle = np.ravel_multi_index(self.lines.middle, (len(self.lines.first), len(self.lines.second)))
        return np.stack([self.solved.slopes(number)[middle] for number in range(2)])

    def at(self, values: Floats) -> Floats:
        """(beta, rack) of (n,) values of the grid."""
        return values.reshape(len(self.lines.first), len(self.lines.second))


def diagram(
    car: SteadyCar, lines: Lines, speed: float, torques_of: Callable[[int], Torques], *, holds: bool = False
) -> YawMomentDiagram:
    """Find the states of a grid at a speed. torques_of: from a number of states to what drives and brakes them.

    holds: whether the drive keeps the speed.
    """
    beta, rack = (each.ravel() for each in np.meshgrid(lines.first, lines.second, indexing="ij"))
    states_at = partial(given, speed=speed, holds=holds)
    closure = closed_by(len(beta), states_at(beta, rack))
    torques = torques_of(len(beta))
    solved = outward(car, lines, torques, closure, car.at_design(1, speed)[0])
    return YawMomentDiagram(lines, closure, torques, solved, states_at)


def given(beta: Floats | float, rack: Floats | float, speed: float, *, holds: bool = False) -> list[Condition]:
    """Conditions of a diagram."""
    return [holding(BETA, beta), holding(RACK, rack), holding(SQUARE, speed**2), holding(AX if holds else EFFORT, 0.0)]


def gradients(slopes: Floats, car: SteadyCar, wheelbase: float, speed: float, steer_ratio: float) -> dict[str, float]:
    """Read-offs at the origin, in rad and SI. slopes: (2, k + 4) by beta and rack. steer_ratio: steer input per rack, rad/m."""
    by_beta, by_rack = slopes
    moment = car.weight * wheelbase
    cn = by_beta[YAW] / moment, by_rack[YAW] / moment
    ay = by_beta[AY] / car.kernel.gravity, by_rack[AY] / car.kernel.gravity
    along = by_rack - by_beta * (cn[1] / cn[0])
    per_ay = 1.0 / (along[AY] / car.kernel.gravity)
    return {
        "stability": cn[0] / ay[0],
        "control": cn[1] / steer_ratio,
        "weathervane": cn[0],
        "understeer_gradient": steer_ratio * per_ay - wheelbase * car.kernel.gravity / speed**2,
        "sideslip_gradient": along[BETA] * per_ay,
        "roll_gradient": along[ROLL] * per_ay,
    }


SENSES = (1.0, -1.0)
"""turns to the left and to the right"""


def trimmed_curves(
    car: SteadyCar,
    lines: Lines,
    speed: float,
    torques: Torques,
    senses: Sequence[float] = SENSES,
    *,
    holds: bool = False,
) -> list[StateCurve]:
    """The states in trim from ay = 0 towards turns, of both senses or some, within the rectangle of a grid.

    torques: one for each sense.
    """
    conditions = [holding(SQUARE, speed**2), holding(AX if holds else EFFORT, 0.0), IN_TRIM]
    return trimmed_along(car, lines, conditions, car.at_design(len(senses), speed), torques, np.array(senses))


def trimmed_along(
    car: SteadyCar, lines: Lines, conditions: Sequence[Condition], begin: Floats, torques: Torques, senses: Floats
) -> list[StateCurve]:
    """States under three conditions from slow or straight ones towards turns to the sides of ``senses`` (n,).

    begin: (n, unknowns) near the first states; a curve whose first state is outside of the rectangle has no places.
    """
    gravity, half = car.kernel.gravity, 0.5 * np.array([np.ptp(lines.first), np.ptp(lines.second)])
    count = len(senses)
    scale, tangent = np.zeros(COUNT), np.zeros((count, COUNT))
    scale[AY], scale[BETA], scale[RACK] = gravity, *half
    tangent[:, AY] = senses * gravity
    curves = CurvesOfStates(car, torques, closed_by(count, [*conditions, holding(AY, 0.0)]), scale)
    on_road, none = np.zeros((count, WHEELS), dtype=bool), np.zeros(count)
    start = curves.points(np.arange(count), begin, tangent, on_road, none, MAX_STEPS)

    def room(solved: Solved) -> Floats:
        beta, rack = solved.x[:, BETA], solved.x[:, RACK]
        left = (beta - lines.first[0], lines.first[-1] - beta, rack - lines.second[0], lines.second[-1] - rack)
        return np.asarray(np.min(np.array(left) / np.repeat(half, 2)[:, None], axis=0))

    outside = start.solved.good & (room(start.solved) < 0.0)
    for row in np.flatnonzero(outside):
        start.solved.why[row] = "the grid does not reach so far"
    return curves.follow(start, USUAL_STEP, AY, senses, room)


def largest_ay(
    car: SteadyCar, found: YawMomentDiagram, torques: Torques, sense: float, trimmed: StateCurve
) -> Trim | None:
    """The largest ay to the left (sense 1) or right (-1) within the rectangle of a grid, trimmed or not.

    Newton's method from the best state of the grid, or the limit of those in trim where that is better, on exact slopes whose
    differences are the second derivatives; a quantity whose slope points out of the rectangle at its edge stays there.
    """
    solved, lines = found.solved, found.lines
    ay = np.where(solved.good, sense * solved.x[:, AY], -np.inf)
    best = int(np.argmax(ay))
    if not np.isfinite(ay[best]):
        return None
    low = np.array([lines.first[0], lines.second[0]])
    high = np.array([lines.first[-1], lines.second[-1]])
    half = 0.5 * (high - low)
    x, lifted, top = solved.x[best], solved.lifted[best], ay[best]
    if trimmed.limit is not None and sense * trimmed.limit.x[0, AY] > top:
        x, lifted, top = trimmed.limit.x[0], trimmed.limit.solved.lifted[0], sense * trimmed.limit.x[0, AY]
    place = np.array([x[BETA], x[RACK]])
    for _ in range(SEARCH_STEPS):
        inward = np.where(place + DIFFERENCE * half > high, -1.0, 1.0)
        places = place + np.array([[0.0, 0.0], [inward[0], 0.0], [0.0, inward[1]]]) * DIFFERENCE * half
        three = _states(car, places, found, torques, x, lifted)
        if not three.good.all():
            break
        slopes = sense * np.stack([three.slopes(number)[:, AY] for number in range(2)], axis=1) * half
        own = slopes[0]
        bend = (slopes[1:] - own) / (inward[:, None] * DIFFERENCE)
        bend = 0.5 * (bend + bend.T)
        unit = (place - low) / half - 1.0
        free = ~(((unit >= 1.0 - 1e-12) & (own > 0.0)) | ((unit <= -1.0 + 1e-12) & (own < 0.0)))
        step = np.zeros(2)
        if free.any():
            block = bend[np.ix_(free, free)]
            values, axes = np.linalg.eigh(block)
            curved = np.minimum(values, -1e-3 * np.max(np.abs(values)) - 1e-12)
            step[free] = axes @ ((axes.T @ own[free]) / -curved)
        wanted = np.clip(unit + step, -1.0, 1.0)
        step = wanted - unit
        gain = float(own @ step)
        if gain < SMALLEST_GAIN:
            break
        taken = False
        for _cut in range(8):
            new = low + half * (1.0 + unit + step)
            tried = _states(car, new[None], found, torques, x, lifted)
            if tried.good[0] and sense * tried.x[0, AY] > top:
                place, x, lifted, top, taken = new, tried.x[0], tried.lifted[0], sense * tried.x[0, AY], True
                break
            step = 0.4 * step
        if not taken:
            break
    end = _states(car, place[None], found, torques, x, lifted)
    edge = bool(np.any((place <= low + 1e-9 * half) | (place >= high - 1e-9 * half)))
    return Trim(float(end.x[0, AY]), float(place[0]), float(place[1]), float(end.read[0, 0]), end.x[0], edge)


def _states(
    car: SteadyCar, places: Floats, found: YawMomentDiagram, torques: Torques, x: Floats, lifted: Mask
) -> Solved:
    count = len(places)
    closure = closed_by(count, found.states_at(places[:, 0], places[:, 1]))
    start = np.tile(x, (count, 1))
    one = torques.at(np.zeros(count, dtype=np.int64))
    return car.solve(start, one, closure, np.tile(lifted, (count, 1)), NEAR_STEPS)
