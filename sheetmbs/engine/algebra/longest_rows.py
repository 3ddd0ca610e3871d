"""Gram-Schmidt with pivots over the rows of a matrix (Golub and Van Loan 2013, sec. 5.4.1, for rows).

    of the rows that may be chosen, take the longest:  d = r / |r|,  then  r_k -= (r_k . d) d  for all rows
Each row is the longest once the ones before are projected out, so that those chosen are far from dependent.
"""

import math

from sheetmbs.compiled import kernel
from sheetmbs.engine.records import Floats2, Ints


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
