"""A lap by a car that is in equilibrium everywhere: speeds at apexes, then forward and backward passes.

On a course of curvature c(s) the speed has v dv/ds = ax, with ax between what the g-g envelope allows at v and ay = c v^2. The
largest speed at a place has |c| v^2 = the limit of ay at v; from there the car gains speed forward as fast as it may drive and
backward as fast as it may brake. Between places v^2 goes with the mean of ax at both ends (Heun).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.handling.envelope import EnvelopeGrid
from sheetmbs.suspension.layout.handling_row import RoadCourse

ROUNDS = 3
"""of a closed lap: its start takes the speed of its end"""
TINY_LIMIT = 1e-9
"""m/s^2, below which a limit of ay is none that is divided by"""


@dataclass(frozen=True, eq=False)
class Lap:
    """A lap. speed, ax: (n,) at the places of its course; time: (n,) s since the start."""

    course: RoadCourse
    speed: Floats
    ax: Floats
    time: Floats


class Limits:
    """An envelope between its speeds and shares of ay, its ends held; a limit that is not found is between others.

    It is linear in the speed and in the angle whose sine is the share of ay: of a circle of friction ax is its cosine.
    """

    def __init__(self, grid: EnvelopeGrid) -> None:
        limit = _filled(grid.limit.T).T
        most, least = (_filled(_filled(values).T).T for values in (grid.most, grid.least))
        self.grid = replace(grid, limit=limit, most=most, least=least)
        self.lost = grid.lost
        self.speed = grid.speed
        self.angle = np.arcsin(np.linspace(-1.0, 1.0, grid.ay.shape[1]))

    def lateral(self, speed: Floats, sense: Floats) -> Floats:
        """(n,) limits of |ay| at speeds, to the left where sense is above 0."""
        left, right = (np.abs(np.interp(speed, self.speed, np.abs(self.grid.limit[:, side]))) for side in (0, 1))
        return np.where(sense >= 0.0, left, right)

    def largest_speed(self, curvature: Floats) -> Floats:
        """(n,) speeds at which |c| v^2 reaches the limit of ay; inf on the straight."""
        low, high = np.full(len(curvature), self.speed[0]), np.full(len(curvature), self.speed[-1])
        low = np.zeros_like(low)
        for _ in range(60):
            middle = 0.5 * (low + high)
            is_less = np.abs(curvature) * middle**2 <= self.lateral(middle, curvature)
            low, high = np.where(is_less, middle, low), np.where(is_less, high, middle)
        free = np.abs(curvature) * self.speed[-1] ** 2 <= self.lateral(
            np.full(len(curvature), self.speed[-1]), curvature
        )
        return np.where(free, np.inf, low)

    def outside(self, speed: Floats, ay: Floats) -> Floats:
        """(n,) the most wheels whose tyre is outside the range of its data at the limits around speeds and ay."""
        share = np.clip(ay / np.maximum(self.lateral(speed, ay), TINY_LIMIT), -1.0, 1.0)
        row = _cells(self.speed, speed)
        column = _cells(self.angle, np.arcsin(share))
        around = [self.grid.outside[own, other] for own in row for other in column]
        return np.asarray(np.max(around, axis=0))

    def along(self, speed: float, curvature: float, *, drives: bool) -> float:
        """Ax that drive or brakes can give at a speed on a curve."""
        values = self.grid.most if drives else self.grid.least
        ay = curvature * speed**2
        limit = float(self.lateral(np.array([speed]), np.array([ay]))[0])
        share = float(np.clip(ay / limit, -1.0, 1.0)) if limit > 0.0 else 0.0
        angle = np.arcsin(share)
        own = [float(np.interp(angle, self.angle, row)) for row in values]
        return float(np.interp(speed, self.speed, own))


def _cells(grid: Floats, values: Floats) -> tuple[Ints, Ints]:
    """The last place of a grid not beyond each value, and the first not before it."""
    last = len(grid) - 1
    below = np.clip(np.searchsorted(grid, values, side="right") - 1, 0, last)
    return below, np.clip(np.searchsorted(grid, values), 0, last)


def _filled(values: Floats) -> Floats:
    """(m, n) the same with values between the nearest of their row where they are NaN."""
    found = values.copy()
    for row in found:
        known = np.flatnonzero(np.isfinite(row))
        if 0 < len(known) < len(row):
            row[:] = np.interp(np.arange(len(row)), known, row[known])
    return found


def drive_lap(course: RoadCourse, limits: Limits, start: float | None) -> Lap:
    """The fastest lap. start: speed at its beginning, m/s; None: what the course allows."""
    top = np.minimum(np.minimum(limits.largest_speed(course.curvature), course.most), limits.speed[-1])
    speed = top.copy()
    if start is not None:
        speed[0] = min(speed[0], start)
    for _ in range(ROUNDS if course.is_closed else 1):
        if course.is_closed:
            speed[0] = speed[-1] = min(speed[0], speed[-1])
        speed = _forward(course, limits, speed)
        speed = _backward(course, limits, speed)
    step = np.diff(course.s)
    mean = 0.5 * (speed[:-1] + speed[1:])
    time = np.concatenate(([0.0], np.cumsum(step / mean)))
    return Lap(course, speed, np.gradient(speed**2, course.s) / 2.0, time)


def _forward(course: RoadCourse, limits: Limits, speed: Floats) -> Floats:
    found = speed.copy()
    for k in range(len(found) - 1):
        found[k + 1] = min(found[k + 1], _next(course, limits, found[k], k, k + 1, drives=True))
    return found


def _backward(course: RoadCourse, limits: Limits, speed: Floats) -> Floats:
    found = speed.copy()
    for k in range(len(found) - 1, 0, -1):
        found[k - 1] = min(found[k - 1], _next(course, limits, found[k], k, k - 1, drives=False))
    return found


def _next(course: RoadCourse, limits: Limits, speed: float, here: int, there: int, *, drives: bool) -> float:
    """The largest speed at the neighbouring place, by Heun's method."""
    step = abs(course.s[there] - course.s[here])
    sense = 1.0 if drives else -1.0
    first = sense * limits.along(speed, course.curvature[here], drives=drives)
    guess = float(np.sqrt(max(speed**2 + 2.0 * first * step, 0.0)))
    second = sense * limits.along(guess, course.curvature[there], drives=drives)
    return float(np.sqrt(max(speed**2 + (first + second) * step, 0.0)))
