"""Explicit Runge-Kutta methods as arrays, so that one compiled loop runs them all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.records import Floats, Floats2


@dataclass(frozen=True, eq=False)
class Tableau(Bundle):
    """A method with ``stages`` stages.

    a: (total, total), c: (total,): row i < stages makes stage i; row ``stages`` is the solution itself, whose derivative is
    also the first stage of the next step; the rows after it are evaluated only where dense output is wanted.
    dense: (total, degree), y(theta) = y0 + h sum_i k_i sum_d dense[i, d] theta^(d + 1).
    error: (2, total) weights of two error estimates; the second row is zero for methods with one; both for fixed-step ones.
    order: of the solution. error_order: power of h in the error estimate. estimates: how many of the error; 0: a fixed step.
    """

    stages: int
    order: int
    error_order: int
    a: Floats2
    c: Floats
    error: Floats2
    dense: Floats2
    estimates: int = 1


def filled(shape: tuple[int, ...], entries: Iterable[tuple[int, int, float]]) -> Floats2:
    """Matrix with the given (row, column, value) entries, else zero."""
    matrix = np.zeros(shape)
    for row, column, value in entries:
        matrix[row, column] = value
    return matrix


def hermite(solution: Sequence[float]) -> Floats2:
    """Cubic Hermite interpolation from both ends of a step, as `Tableau.dense` (Hairer, Norsett and Wanner 1993, II.6.7).

    solution: weights of the stages; the derivative at the end is the stage after them.
    """
    count = len(solution)
    dense = np.zeros((count + 1, 3))
    dense[:count] = np.outer(solution, [0.0, 3.0, -2.0])
    dense[0] += [1.0, -2.0, 1.0]
    dense[count] += [0.0, -1.0, 1.0]
    return dense


def fixed_step(
    nodes: Sequence[float], lower: Iterable[tuple[int, int, float]], weights: Sequence[float], order: int
) -> Tableau:
    """A method without error estimate, with cubic Hermite output."""
    count = len(nodes)
    a = filled((count + 1, count + 1), lower)
    a[count, :count] = weights
    return Tableau(
        stages=count,
        order=order,
        error_order=order + 1,
        a=a,
        c=np.array([*nodes, 1.0]),
        error=np.zeros((2, count + 1)),
        dense=hermite(weights),
        estimates=0,
    )
