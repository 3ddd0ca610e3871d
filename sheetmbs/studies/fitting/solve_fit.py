"""Weighted least squares with priors and bounds, from several starts.

minimise |(y - h)/sd_y|^2 + |(theta - theta0)/sd_theta|^2 within bounds, by the trust region method of scipy (Branch, Coleman
and Li 1999) in scaled variables with the Jacobian of the model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.optimize import least_squares

from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats

STEP = 1e-8
"""of a prior standard deviation, or of the width of bounds: a smaller step ends the search"""
NEAR_BOUND = 1e-4
"""in scales: a variable that is nearer to a bound, and pushed towards it, is held there"""
MOST_SOLVED = 200
"""times that the model is solved from one start, beside derivatives"""
SAME_COST = 1e-15
"""part of the sum of squares: a step that gains less ends the search, unless the caller gives another bound"""
LEAST_GAIN = 1e-6
"""part of the sum of squares: a search that ended at poses without a solution has not converged if more could be gained"""
MOST_HELD_ROUNDS = 5
"""times that variables are held at bounds or set free again"""


class FittedModel(Protocol):
    """What a fit needs of a model, all of it divided by the sd of readings and for scaled variables (p,)."""

    def residuals(self, scaled: Floats) -> Floats | None:
        """(n,) measured less computed values; None where they cannot be solved."""

    def jacobian(self, scaled: Floats) -> Floats:
        """(n, p) of the residuals."""


@dataclass(frozen=True, eq=False)
class FitPath:
    """A search from one start. steps: (k, p) the start and every accepted step, scaled. cost: sum of squares, priors included.

    held: (p,) -1 at the lower bound, 1 at the upper one. shortened: steps that could not be solved and were shortened.
    """

    steps: Floats
    cost: float
    held: Floats
    converged: bool
    shortened: int

    @property
    def solution(self) -> Floats:
        """Scaled variables (p,) at which the search ended."""
        return np.asarray(self.steps[-1])


@dataclass
class _Search:
    """Least squares of some free variables; others are held."""

    space: FitSpace
    model: FittedModel
    free: Flags
    at: Floats
    gain: float = SAME_COST
    shortened: int = 0
    steps: list[Floats] = field(default_factory=list)

    def whole(self, free: Floats) -> Floats:
        found = self.at.copy()
        found[self.free] = free
        return found

    def residuals(self, free: Floats) -> Floats:
        scaled = self.whole(free)
        found = self.model.residuals(scaled)
        if found is None:
            self.shortened += 1
            return np.full(self.rows, np.nan)  # the trust region shrinks
        return np.concatenate([found, scaled[self.space.has_prior]])

    def jacobian(self, free: Floats) -> Floats:
        scaled = self.whole(free)
        self.steps.append(scaled)
        prior = np.eye(len(scaled))[self.space.has_prior]
        return np.vstack([self.model.jacobian(scaled), prior])[:, self.free]

    def run(self, rows: int) -> tuple[bool, float]:
        """Search, and whether it converged, with its cost."""
        self.rows = rows
        low, high = (bound[self.free] for bound in self.space.scaled_bounds)
        inside = np.clip(self.at[self.free], low, high)
        expected = np.sqrt(
            max(int(self.free.sum()), 1)
        )  # how far from its prior a truth lies: the first step may go there
        found = least_squares(
            self.residuals, inside, self.jacobian, (low, high), x_scale=expected, xtol=STEP, ftol=self.gain, gtol=1e-13,
            max_nfev=MOST_SOLVED,
        )  # fmt: skip
        self.at = self.whole(found.x)
        self.steps.append(self.at)
        return found.status > 0, 2.0 * float(found.cost)


def fit_from(space: FitSpace, model: FittedModel, start: Floats, gain: float = SAME_COST) -> FitPath | None:
    """Search from scaled variables; None where the model cannot be solved there. gain: of the sum of squares, that ends it."""
    first = model.residuals(start)
    if first is None:
        return None
    rows = len(first) + int(space.has_prior.sum())
    held = np.zeros(len(start))
    at, steps, shortened, converged, cost = start, [start], 0, True, float(first @ first)
    for _round in range(MOST_HELD_ROUNDS):
        search = _Search(space, model, held == 0.0, at, gain)
        if search.free.any():
            converged, cost = search.run(rows)
            at, shortened = search.at, shortened + search.shortened
            steps += search.steps
        now, at = _held(space, model, at, held)
        if np.array_equal(now, held):
            break
        held = now
        steps.append(at)
    found = model.residuals(at)
    if found is not None:
        prior = at[space.has_prior]
        cost = float(found @ found + prior @ prior)
        if shortened:
            converged = converged and _gain(space, model, at, found, held == 0.0) <= LEAST_GAIN * max(cost, 1.0)
    return FitPath(_apart(steps), cost, held, converged and found is not None, shortened)


def _gain(space: FitSpace, model: FittedModel, at: Floats, residuals: Floats, free: Flags) -> float:
    """By how much one more step of Gauss and Newton would lower the sum of squares, if it could be made."""
    prior = space.has_prior
    jacobian = np.vstack([model.jacobian(at), np.eye(len(at))[prior]])[:, free]
    whole = np.concatenate([residuals, at[prior]])
    step = np.linalg.lstsq(jacobian, -whole, rcond=1e-10)[0]
    return float(whole @ whole - np.sum((whole + jacobian @ step) ** 2))


def _held(space: FitSpace, model: FittedModel, at: Floats, held: Floats) -> tuple[Floats, Floats]:
    """Which variables stand at a bound and are pushed beyond it, -1 low, 1 high; and the values with these on their bounds."""
    found = model.residuals(at)
    if found is None:
        return held, at
    slope = model.jacobian(at).T @ found + np.where(space.has_prior, at, 0.0)
    low, high = space.scaled_bounds
    down, up = (at - low < NEAR_BOUND) & (slope > 0.0), (high - at < NEAR_BOUND) & (slope < 0.0)
    tiny = np.abs(slope) <= 1e-9 * np.sqrt(max(float(found @ found), 1.0))
    now = np.where(tiny & (held == 0.0), 0.0, np.where(down, -1.0, np.where(up, 1.0, 0.0)))
    return now, np.where(now < 0.0, low, np.where(now > 0.0, high, at))


def _apart(steps: list[Floats]) -> Floats:
    """The steps without those that stay where they are."""
    kept = [steps[0]]
    for each in steps[1:]:
        if np.max(np.abs(each - kept[-1]), initial=0.0) > 0.0:
            kept.append(each)
    return np.array(kept)


def further_starts(space: FitSpace, count: int, seed: int) -> list[Floats]:
    """Scaled starts within priors, or within bounds where there is no prior."""
    random = np.random.default_rng(seed)
    low, high = space.scaled_bounds
    found = []
    for _start in range(count):
        normal, uniform = random.standard_normal(len(low)), random.random(len(low))
        inside = np.where(np.isfinite(low) & np.isfinite(high), low + uniform * (high - low), 0.0)
        found.append(np.clip(np.where(space.has_prior, normal, inside), low, high))
    return found


@dataclass(frozen=True, eq=False)
class FitSearch:
    """Searches from all starts.

    best: with the least cost. costs: of all that could be solved. spread: largest distance of a solution from the best one,
    in scales.
    """

    best: FitPath
    costs: tuple[float, ...]
    spread: float


def fit_all(
    space: FitSpace,
    model: FittedModel,
    starts: int = 1,
    seed: int = 0,
    tell: Callable[[int], None] = lambda _started: None,
) -> FitSearch | None:
    """Search from the workbook as it is and from further random starts; None where none could be solved."""
    paths = []
    for number, start in enumerate([np.zeros(len(space.start)), *further_starts(space, starts - 1, seed)]):
        tell(number)
        path = fit_from(space, model, start)
        if path is not None:
            paths.append(path)
    if not paths:
        return None
    best = min(paths, key=lambda path: path.cost)
    spread = max(float(np.max(np.abs(path.solution - best.solution), initial=0.0)) for path in paths)
    return FitSearch(best, tuple(path.cost for path in paths), spread)
