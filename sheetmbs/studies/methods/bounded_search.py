"""Searches within the bounds of all variables and a budget of variants, in coordinates from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sheetmbs.studies.goals import excesses, objective
from sheetmbs.studies.methods.method import Evaluate, Evaluated
from sheetmbs.studies.study_book import Floats, StudyBook

STEP = 1e-4
"""of differences, in parts of a variable's range"""


class BudgetSpent(Exception):  # noqa: N818 - it is no error
    """No further variant may be run."""


@dataclass
class BoundedSearch:
    """Evaluates points of the unit cube and remembers them. budget: most variants that it may run."""

    study: StudyBook
    evaluate: Evaluate
    budget: int
    points: list[Floats] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    worst: list[float] = field(default_factory=list)
    _seen: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        bounds = np.array([variable.bounds for variable in self.study.variables])
        self.low, self.range = bounds[:, 0], bounds[:, 1] - bounds[:, 0]

    @property
    def as_it_is(self) -> Floats:
        """The workbook as it is, or the point within the bounds next to it."""
        return np.asarray(np.clip((self.study.as_it_is - self.low) / self.range, 0.0, 1.0))

    def of(self, points: Floats) -> Evaluated:
        """What became of points (n, variables). Raises BudgetSpent where not all of them may be run."""
        new = [place for place, point in enumerate(points) if point.tobytes() not in self._seen]
        allowed = max(self.budget - len(self._seen), 0)
        is_spent = len({points[place].tobytes() for place in new}) > allowed
        if is_spent:
            points = points[[place for place in range(len(points)) if place not in new[allowed:]]]
        if not len(points):
            raise BudgetSpent
        self._seen.update(point.tobytes() for point in points)
        found = self.evaluate(self.low + points * self.range)
        merit = np.where(found.done, objective(self.study, found.responses), np.inf)
        limits = excesses(self.study, found.responses)
        broken = np.where(found.done, limits.max(axis=1, initial=-np.inf), np.inf)
        self.points += list(points)
        self.values += merit.tolist()
        self.worst += broken.tolist()
        if is_spent:
            raise BudgetSpent
        return found

    def best(self, count: int = 1) -> list[Floats]:
        """The best points so far: those that keep all limits first, by their objective; of others the least broken first."""
        broken = np.maximum(self.worst, 0.0)
        order = np.lexsort((np.array(self.values), broken))
        return [self.points[place] for place in order[:count] if np.isfinite(self.values[place])]

    def slopes(self, point: Floats, column: str) -> tuple[Floats, Floats]:
        """A quantity (m,) at a point and its derivatives (m, variables) by central differences, inside the bounds.

        column: ``residuals`` or ``responses``. Of a step that fails the other side counts alone; where both do the slope is 0.
        """
        ahead, behind = np.minimum(point + STEP, 1.0), np.maximum(point - STEP, 0.0)
        stepped = [_with(point, place, side[place]) for side in (ahead, behind) for place in range(len(point))]
        found = self.of(np.vstack([point, *stepped]))
        here, *around = getattr(found, column)
        first, last = around[: len(point)], around[len(point) :]
        done = found.done[1:].reshape(2, -1)
        slopes = np.zeros((len(here), len(point)))
        for place in range(len(point)):
            ends = [
                (side[place], values[place])
                for side, values, is_done in ((ahead, first, done[0]), (behind, last, done[1]))
                if is_done[place]
            ]
            ends = ends if len(ends) == 2 else [*ends, (point[place], here)]
            if len(ends) == 2 and ends[0][0] != ends[1][0]:
                slopes[:, place] = (ends[0][1] - ends[1][1]) / (ends[0][0] - ends[1][0])
        return here, slopes


def _with(point: Floats, place: int, value: float) -> Floats:
    """A point with another value in one place."""
    other = point.copy()
    other[place] = value
    return other
