"""Dense and tridiagonal matrices (Golub and Van Loan 2013).

LU factors with row interchanges, for systems without symmetry (alg. 3.4.1):

    P A = L U:  for each column k the largest entry is brought to the diagonal, then row_i -= l_ik row_k,  l_ik = a_ik / a_kk
Entries that are zero are passed over: matrices of mechanisms are mostly empty, and their rows stay so for long.

Gram-Schmidt with pivots over rows (sec. 5.4.1, for rows), which chooses rows that are far from dependent:

    of the rows that may be chosen, take the longest:  d = r / |r|,  then  r_k -= (r_k . d) d  for all rows
"""

from __future__ import annotations

import math

from sheetmbs.compiled import kernel
from sheetmbs.engine.records import Floats, Floats2, Ints


@kernel
def factor_dense(a, n, pivot) -> int:
    """Replace the leading (n, n) part of a by its factors; pivot: (n,) receives the interchanges.

    Returns 1 where a column has no pivot, else 0.
    """
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        pivot[k] = best
        if not abs(a[best, k]) > 0.0:
            return 1
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                share = a[i, k] * inverse
                a[i, k] = share
                for j in range(k + 1, n):
                    a[i, j] -= share * a[k, j]
    return 0


@kernel
def solve_dense(a, n, pivot, x) -> None:
    """Solve A x = b in place, with the factors in a and b in x (n,)."""
    for k in range(n):
        other = pivot[k]
        x[k], x[other] = x[other], x[k]
    for k in range(n):
        known = x[k]
        if known != 0.0:
            for i in range(k + 1, n):
                x[i] -= a[i, k] * known
    for k in range(n - 1, -1, -1):
        total = x[k]
        for j in range(k + 1, n):
            total -= a[k, j] * x[j]
        x[k] = total / a[k, k]


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


@kernel
def choose_longest(rest: Floats2, order: Ints, ends: Ints, shortest: float, count: int, chosen: Ints) -> int:
    """Choose rows of a matrix group by group; how many were found.

    rest: (rows, n) the matrix, consumed. order: rows by groups, which end at ``ends`` (groups,). A row counts while it is
    longer than the share ``shortest`` of the longest of all, in the last group while it is longer than 0. chosen: (count,).
    """
    found, first = 0, 0
    for group in range(ends.shape[0]):
        least = shortest if group + 1 < ends.shape[0] else 0.0
        while found < count:
            longest = longest_row(rest, order[first : ends[group]], least)
            if longest < 0:
                break
            chosen[found] = longest
            found += 1
            project_out(rest, longest)
        first = ends[group]
    return found


@kernel
def longest_row(rest, group, least) -> int:
    """The longest row of a group, -1 where it is not longer than the share ``least`` of the longest of all."""
    of_all = 0.0
    for r in range(rest.shape[0]):
        of_all = max(of_all, square(rest, r))
    best, best_square = -1, least * least * of_all
    for r in group:
        of_row = square(rest, r)
        if of_row > best_square:
            best, best_square = r, of_row
    return best


@kernel
def square(rest, r) -> float:
    """The squared length of a row."""
    total = 0.0
    for k in range(rest.shape[1]):
        total += rest[r, k] * rest[r, k]
    return total


@kernel
def project_out(rest, longest) -> None:
    """Take the direction of one row out of all of them."""
    inverse = 1.0 / math.sqrt(square(rest, longest))
    for k in range(rest.shape[1]):
        rest[longest, k] *= inverse
    for r in range(rest.shape[0]):
        if r != longest:
            share = 0.0
            for k in range(rest.shape[1]):
                share += rest[r, k] * rest[longest, k]
            if share != 0.0:
                for k in range(rest.shape[1]):
                    rest[r, k] -= share * rest[longest, k]
    for k in range(rest.shape[1]):
        rest[longest, k] = 0.0
