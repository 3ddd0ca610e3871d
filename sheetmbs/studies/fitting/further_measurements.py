"""What each measurement contributes to a fit, and which further one would see most of what is not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats

LEAST_GAIN = 0.01
"""of a share, below which a column does not see a direction"""
LEAST_EIGENVALUE = 1e-14
"""of J'J, of its largest one: below it there is only rounding, and nothing sees a direction"""
MOST_ROUNDS, SETTLED = 30, 1e-5
"""steps of a fit without some readings, and the length at which it has settled, in scales: its rms has three digits"""

Residuals = Callable[[Floats], Floats | None]


def refit(space: FitSpace, residuals: Residuals, jacobian: Floats, at: Floats, rows: Flags, held: Flags) -> Floats:
    """(p,) scaled solution of the fit of some of the readings, from that of all.

    Gauss-Newton with the Jacobian (n, p) of the residuals at ``at``, which hardly changes on the way. rows: (n,) that count.
    """
    free = np.flatnonzero(~held)
    prior = np.eye(len(at))[space.has_prior]
    matrix = np.vstack([jacobian[rows], prior])[:, free]
    inverse = np.linalg.pinv(matrix, rcond=1e-10)
    low, high = space.scaled_bounds
    here, best, size = at.copy(), at, np.inf
    for _round in range(MOST_ROUNDS):
        found = residuals(here)
        if found is None:
            break
        all_of = np.concatenate([found[rows], here[space.has_prior]])
        if float(all_of @ all_of) >= size:
            break
        best, size = here, float(all_of @ all_of)
        step = np.zeros(len(at))
        step[free] = -inverse @ all_of
        if np.max(np.abs(step), initial=0.0) < SETTLED:
            break
        here = np.clip(here + step, low, high)
    return best


@dataclass(frozen=True)
class FurtherMeasurement:
    """A column that would see what is hardly seen. before, after: posterior share of the worst direction that some column sees.

    direction: (p,) that direction before, of length 1.
    """

    name: str
    before: float
    after: float
    direction: Floats


def further_measurements(
    jacobian: Floats, candidates: Mapping[str, Floats], most: int = 3, enough: float = 0.5
) -> list[FurtherMeasurement]:
    """The candidates that, one after the other, lower the share of what is then the worst direction most.

    jacobian: (n, p) of all readings over their sd by scaled variables. candidates: the same of each column by itself.
    Directions that no column sees count for nothing. Ends at ``most``, or where the worst share is at most ``enough``.
    """
    if not candidates:
        return []
    gram = jacobian.T @ jacobian
    grams = {name: rows.T @ rows for name, rows in candidates.items()}
    basis = _seen_by_any([gram, *grams.values()])
    if not basis.shape[1]:
        return []
    gram = basis.T @ gram @ basis
    inside = {name: basis.T @ each @ basis for name, each in grams.items()}
    chosen: list[FurtherMeasurement] = []
    for _round in range(most):
        found = _best(gram, inside, enough)
        if found is None:
            break
        name, before, after, worst = found
        chosen.append(FurtherMeasurement(name, before, after, basis @ worst))
        gram = gram + inside[name]
    return chosen


def _best(gram: Floats, inside: Mapping[str, Floats], enough: float) -> tuple[str, float, float, Floats] | None:
    """The candidate that lowers the share of the worst direction most that any of them lowers by something."""
    for direction in np.linalg.eigh(gram)[1].T:
        before = _share(gram, direction)
        if before <= enough:
            return None
        shares = {name: _share(gram + each, direction) for name, each in inside.items()}
        name = min(shares, key=lambda each: shares[each])
        if shares[name] < before - LEAST_GAIN:
            return name, before, shares[name], direction
    return None


def _share(gram: Floats, direction: Floats) -> float:
    """How much of the prior standard deviation along a direction remains, whatever the others do."""
    return float(np.sqrt(direction @ np.linalg.solve(np.eye(len(gram)) + gram, direction)))


def _seen_by_any(grams: Sequence[Floats]) -> Floats:
    """(p, m) orthonormal directions that at least one column sees."""
    values, vectors = np.linalg.eigh(np.sum(grams, axis=0))
    return np.asarray(vectors[:, values > LEAST_EIGENVALUE * max(float(values[-1]), 1e-300)])
