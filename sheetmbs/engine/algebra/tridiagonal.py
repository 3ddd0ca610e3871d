"""Tridiagonal systems of many rows."""

from __future__ import annotations

from sheetmbs.compiled import kernel
from sheetmbs.engine.records import Floats, Floats2


@kernel
def solve_tridiagonal(lower: Floats, diagonal: Floats, upper: Floats, x: Floats2) -> None:
    """Elimination without pivoting, stable for diagonally dominant rows (Golub and Van Loan 2013, sec. 4.3.6).

    lower, diagonal, upper: (n,), ``lower[0]`` and ``upper[-1]`` unused; diagonal is replaced by the pivots. x: (n, columns),
    right-hand sides, replaced by the solutions.
    """
    n, columns = x.shape
    for k in range(1, n):
        factor = lower[k] / diagonal[k - 1]
        diagonal[k] -= factor * upper[k - 1]
        for j in range(columns):
            x[k, j] -= factor * x[k - 1, j]
    for j in range(columns):
        x[n - 1, j] /= diagonal[n - 1]
    for k in range(n - 2, -1, -1):
        for j in range(columns):
            x[k, j] = (x[k, j] - upper[k] * x[k + 1, j]) / diagonal[k]
