"""Steady states over a grid of two given quantities, found outward from its middle, each from a neighbour that was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from sheetmbs.engine.car_on_tyres import READ_OFFS
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.handling.predicted_states import Predicted
from sheetmbs.suspension.handling.steady_states import COUNT, WHEELS, Closure, Mask, Solved, SteadyCar, Torques

MAX_STEPS = 12
"""of Newton's method from a neighbour, which takes 3 to 7 where there is a state, and some more where a wheel lifts"""
EVEN = 1e-9
"""share of a step by which the one before may differ in length"""
NO_NEIGHBOUR = "no state beside it was found"
"""why a state is not looked for: it lies behind others that have none"""
TRIES = 3
"""neighbours from which a state is looked for before it is given up"""


@dataclass(frozen=True, eq=False)
class Lines:
    """Values of the two quantities along the grid. first, second: (a,) and (b,), 0 among them; held by closures 0 and 1."""

    first: Floats
    second: Floats

    @cached_property
    def middle(self) -> tuple[int, int]:
        """Where both are 0."""
        return int(np.argmin(np.abs(self.first))), int(np.argmin(np.abs(self.second)))


def outward(car: SteadyCar, lines: Lines, torques: Torques, closure: Closure, start: Floats) -> Solved:
    """States of a grid, the second quantity running fastest. start: (unknowns,) in the middle.

    A state is predicted by the exact derivatives of its neighbour nearer to the middle, by both quantities, and by those of
    the state behind that.
    """
    grid = _Grid(car, lines, torques, closure)
    grid.solve(np.array([grid.at(*lines.middle)]), start[None], np.zeros((1, 4), dtype=bool))
    rings = np.maximum(*(np.abs(place - middle) for place, middle in zip(grid.places, lines.middle, strict=True)))
    for ring in range(1, int(np.max(rings)) + 1):
        grid.extend(np.flatnonzero(rings == ring), inward=True)
    for _ in range(TRIES):
        if not grid.extend(np.flatnonzero(~grid.solved.good), inward=False):
            break
    return grid.solved


@cache
def _steps(first: int, second: int) -> Sequence[tuple[int, int]]:
    """Steps to all neighbours of a place so far from the middle, those nearest to the middle first."""
    steps = ((i, k) for i in (-1, 0, 1) for k in (-1, 0, 1) if (i, k) != (0, 0))
    apart = {(i, k): (abs(first + i), abs(second + k)) for i, k in steps}
    return sorted(apart, key=lambda step: (max(apart[step]), sum(apart[step])))


class _Grid:
    def __init__(self, car: SteadyCar, lines: Lines, torques: Torques, closure: Closure) -> None:
        self.car, self.lines, self.torques, self.closure = car, lines, torques, closure
        self.shape = len(lines.first), len(lines.second)
        count = self.shape[0] * self.shape[1]
        self.places = np.unravel_index(np.arange(count), self.shape)
        self.values = np.stack((lines.first[self.places[0]], lines.second[self.places[1]]), axis=1)
        self.solved = Solved(
            np.full((count, COUNT), np.nan),
            np.zeros((count, WHEELS), dtype=bool),
            torques.differential.copy(),
            np.full(count, np.nan),
            np.zeros((count, COUNT + READ_OFFS, COUNT)),
            np.full((count, READ_OFFS), np.nan),
            [NO_NEIGHBOUR] * count,
            np.zeros(count, dtype=np.int64),
        )
        self.slopes = np.full((count, 2, COUNT), np.nan)
        self.tried = np.zeros((count, 9), dtype=bool)

    def at(self, first: int, second: int) -> int:
        """Number of a place."""
        return first * self.shape[1] + second

    def extend(self, rows: Ints, *, inward: bool) -> bool:
        """Look for states from neighbours that were found; False where no state has another such neighbour."""
        good = self.solved.good
        chosen = [(row, self._neighbour(int(row), good, inward=inward)) for row in rows]
        pairs = [(row, other) for row, other in chosen if other is not None]
        if not pairs:
            return False
        rows, others = (np.array(each) for each in zip(*pairs, strict=True))
        expected = self._predicted(rows, others)
        self.solve(rows, expected, self.solved.lifted[others])
        return True

    def _predicted(self, rows: Ints, others: Ints) -> Predicted:
        """Where states are expected by neighbours and, where there are such at equal steps, the states behind these.

        Wheels and differentials of both have to be in one condition.
        """
        solved = self.solved
        places = np.stack(self.places, axis=1)
        behind = 2 * places[others] - places[rows]
        inside = np.all((behind >= 0) & (behind < self.shape), axis=1)
        first = np.where(inside, self.at(*behind.T), others)
        step, before = self.values[rows] - self.values[others], self.values[others] - self.values[first]
        is_even = np.max(np.abs(step - before), axis=1) <= EVEN * np.max(np.abs(step), axis=1)
        alike = (solved.lifted[first] == solved.lifted[others]).all(axis=1)
        alike &= (solved.differential[first] == solved.differential[others]).all(axis=1)
        back, behind_back = (-np.einsum("nd,ndk->nk", step, self.slopes[each]) for each in (others, first))
        curved = inside & is_even & alike & solved.good[first]
        share = np.full(len(rows), -1.0)
        return Predicted(solved.x[others], back, solved.x[first], behind_back, share, curved)

    def _neighbour(self, row: int, good: Mask, *, inward: bool) -> int | None:
        """A neighbour that was found and not yet started from, the one towards the middle first."""
        first, second = (int(place[row]) for place in self.places)
        for number, (i, k) in enumerate(_steps(first - self.lines.middle[0], second - self.lines.middle[1])):
            near = first + i, second + k
            if not (0 <= near[0] < self.shape[0] and 0 <= near[1] < self.shape[1]):
                continue
            other = self.at(*near)
            if good[other] and not self.tried[row, number]:
                self.tried[row, number] = True
                return other
            if inward and number >= TRIES:
                break
        return None

    def solve(self, rows: Ints, start: Floats | Predicted, lifted: Mask) -> None:
        """States of some places from starts (m, unknowns), or as predicted."""
        torques, closure = self.torques.at(rows), self.closure.at(rows)
        found = self.car.solve(start, torques, closure, lifted, MAX_STEPS)
        self.solved.put(rows, found)
        for number in range(2):
            self.slopes[rows, number] = found.slopes(number)[:, :COUNT]
