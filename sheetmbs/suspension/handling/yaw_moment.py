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
SHORTER, SHORTENED = 0.4, 8
"""what a step that gains nothing is multiplied by, and how often before the search stalls"""
RIDGE_RADIUS, SMALLEST_RADIUS, SMALLER_RADIUS, RIDGE_SAMPLES = 1e-2, 1e-9, 0.25, 8
"""half ranges around a place on a ridge, where slopes are taken, at first and at last; what they shrink by; how many slopes"""
RIDGE_STEPS = 2.0 ** np.arange(3.0, -5.0, -1.0)
"""lengths of steps along a ridge that are tried together, over that radius"""
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
    differences are the second derivatives; a quantity whose slope points out of the rectangle at its edge stays there. Where a
    tyre reaches its limit of friction, ay has a ridge on which this stalls; `_along_ridge` goes on from there.
    """
    solved = found.solved
    ay = np.where(solved.good, sense * solved.x[:, AY], -np.inf)
    best = int(np.argmax(ay))
    if not np.isfinite(ay[best]):
        return None
    x, lifted, top = solved.x[best], solved.lifted[best], ay[best]
    if trimmed.limit is not None and sense * trimmed.limit.x[0, AY] > top:
        x, lifted = trimmed.limit.x[0], trimmed.limit.solved.lifted[0]
    over = _AyOverGrid(car, found, torques, sense, x, lifted)
    unit, is_stalled = _climbed(over, over.place_of(x))
    if is_stalled:
        unit = _along_ridge(over, unit)
    end = over.states(unit[None])
    edge = bool(np.any(np.abs(unit) >= 1.0 - 1e-9))
    return Trim(
        float(end.x[0, AY]), float(end.x[0, BETA]), float(end.x[0, RACK]), float(end.read[0, 0]), end.x[0], edge
    )


@dataclass(eq=False)
class _AyOverGrid:
    """The ay to the side of ``sense`` over the rectangle of a grid, whose beta and rack go from -1 to 1.

    x, lifted: a state near those that are asked for.
    """

    car: SteadyCar
    found: YawMomentDiagram
    torques: Torques
    sense: float
    x: Floats
    lifted: Mask

    @property
    def _ends(self) -> Floats:
        """(2, 2) least and largest beta and rack."""
        return np.array([[each[0], each[-1]] for each in (self.found.lines.first, self.found.lines.second)]).T

    def place_of(self, x: Floats) -> Floats:
        """(2,) place of a state."""
        low, high = self._ends
        return np.asarray(2.0 * (x[[BETA, RACK]] - low) / (high - low) - 1.0)

    def states(self, units: Floats) -> Solved:
        """States at places (n, 2)."""
        low, high = self._ends
        places, count = low + 0.5 * (high - low) * (1.0 + units), len(units)
        closure = closed_by(count, self.found.states_at(places[:, 0], places[:, 1]))
        one = self.torques.at(np.zeros(count, dtype=np.int64))
        lifted = np.tile(self.lifted, (count, 1))
        return self.car.solve(np.tile(self.x, (count, 1)), one, closure, lifted, NEAR_STEPS)

    def at(self, units: Floats) -> tuple[Floats, Floats]:
        """The ay (n,) at places (n, 2), -inf where there is no state, with its slopes (n, 2)."""
        found, (low, high) = self.states(units), self._ends
        slopes = np.stack([found.slopes(number)[:, AY] for number in range(2)], axis=1)
        return np.where(found.good, self.sense * found.x[:, AY], -np.inf), 0.5 * self.sense * slopes * (high - low)

    def takes(self, unit: Floats, top: float) -> float | None:
        """The ay at a place (2,) where that is larger than ``top``; later states then start from there."""
        tried = self.states(unit[None])
        ay = self.sense * float(tried.x[0, AY])
        if not tried.good[0] or ay <= top:
            return None
        self.x, self.lifted = tried.x[0], tried.lifted[0]
        return ay


def _climbed(over: _AyOverGrid, unit: Floats) -> tuple[Floats, bool]:
    """The place (2,) to which Newton's method comes, and whether it stalls there on a slope."""
    for _ in range(SEARCH_STEPS):
        inward = np.where(unit + DIFFERENCE > 1.0, -1.0, 1.0)
        values, slopes = over.at(unit + np.array([[0.0, 0.0], [inward[0], 0.0], [0.0, inward[1]]]) * DIFFERENCE)
        if not np.isfinite(values).all():
            break
        bend = (slopes[1:] - slopes[0]) / (inward[:, None] * DIFFERENCE)
        step = _newton_step(slopes[0], 0.5 * (bend + bend.T), unit)
        if slopes[0] @ step < SMALLEST_GAIN:
            break
        sizes = SHORTER ** np.arange(SHORTENED)
        size = next((each for each in sizes if over.takes(unit + each * step, values[0]) is not None), None)
        if size is None:
            return unit, True
        unit = unit + size * step
    return unit, False


def _newton_step(slope: Floats, bend: Floats, unit: Floats) -> Floats:
    """(2,) step upwards within -1 to 1 by slope (2,) and second derivatives (2, 2), along what does not leave at an edge."""
    free = ~(((unit >= 1.0 - 1e-12) & (slope > 0.0)) | ((unit <= -1.0 + 1e-12) & (slope < 0.0)))
    step = np.zeros(2)
    if free.any():
        values, axes = np.linalg.eigh(bend[np.ix_(free, free)])
        curved = np.minimum(values, -1e-3 * np.max(np.abs(values)) - 1e-12)
        step[free] = axes @ ((axes.T @ slope[free]) / -curved)
    return np.asarray(np.clip(unit + step, -1.0, 1.0) - unit)


def _along_ridge(over: _AyOverGrid, unit: Floats) -> Floats:
    """The place (2,) of the largest ay near ``unit``, where its slopes may jump across lines.

    Gradient sampling (Burke, Lewis and Overton 2005): the shortest mean of the slopes around a point climbs on both sides of a
    ridge; where nothing is gained along it, the circle on which slopes are taken becomes smaller.
    """
    radius, top = RIDGE_RADIUS, float(over.at(unit[None])[0][0])
    turns = 2.0 * np.pi * np.arange(RIDGE_SAMPLES) / RIDGE_SAMPLES
    ring = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    while radius > SMALLEST_RADIUS:
        around = np.clip(unit + radius * ring, -1.0, 1.0)
        values, slopes = over.at(around)
        good = np.isfinite(values)
        along = _shortest_mean(slopes[good]) if good.any() else np.zeros(2)
        ways = radius * RIDGE_STEPS[:, None] * along / max(float(np.linalg.norm(along)), 1e-300)
        tried = np.concatenate((np.clip(unit + ways, -1.0, 1.0), around))
        gains = np.concatenate((over.at(tried[: len(ways)])[0], values)) - top
        best = int(np.argmax(gains))
        if gains[best] > SMALLEST_GAIN:
            unit, top = tried[best], top + float(gains[best])
        else:
            radius *= SMALLER_RADIUS
    return np.asarray(unit)


def _shortest_mean(slopes: Floats) -> Floats:
    """(2,) the shortest vector among all weighted means of (n, 2) slopes: it lies on one of them, or between two."""
    first, second = slopes[:, None], slopes[None]
    apart = first - second
    square = np.sum(apart * apart, axis=-1)
    share = np.clip(np.sum(first * apart, axis=-1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    means = first - share[..., None] * apart
    if _surround_origin(slopes):
        return np.zeros(2)
    shortest = np.argmin(np.sum(means * means, axis=-1))
    return np.asarray(means.reshape(-1, 2)[shortest])


def _surround_origin(slopes: Floats) -> bool:
    """Whether the origin is a weighted mean of slopes: no half plane holds all of them."""
    angles = np.sort(np.arctan2(slopes[:, 1], slopes[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2.0 * np.pi))
    return bool(np.max(gaps) < np.pi)
