"""Sizes of errors by class: positions by the characteristic length, angles by 1, velocities by the largest rate so far.

The work of forces, which closes the energy balance, is measured by how far energies change, to first order, where every
velocity and coordinate is off by its whole size: sum of m |v| w s + |Q| s, as in `results/judging/accuracy.py`.

So no user need give absolute tolerances, and no choice of units matters. A velocity need be no better than what leads to the
error allowed in a position by the end of the motion.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.records import Floats
from sheetmbs.engine.work import Work

WORK = (
    10.0  # times the error allowed of the motion: no motion depends on the work, which only tells whether to trust it
)


@inline_kernel
def largest_rate(velocity_class, v, length):
    """Largest of |v|/L and |omega|."""
    worst = 0.0
    for k in range(v.shape[0]):
        size = abs(v[k]) if velocity_class[k] else abs(v[k]) / length
        worst = max(worst, size)
    return worst


@inline_kernel
def size_of(position_size, velocity_class, m, rate, length):
    """What the error of component m of (q, v) is measured by."""
    nq = position_size.shape[0]
    if m < nq:
        return position_size[m]
    return rate if velocity_class[m - nq] else rate * length


@inline_kernel
def size_of_work(A, W, v, rate):
    """What the error of the work is measured by, J, where velocities reach ``rate``; the forces are those in W."""
    total = 0.0
    for k in range(v.shape[0]):
        size = 1.0 if A.velocity_class[k] else A.length
        total += size * (rate * A.mass[k] * abs(v[k]) + abs(W.force[k]))
    return WORK * total


@kernel
def work_size(A: Arrays, W: Work, v: Floats, rate: float) -> float:
    """The same, for Python."""
    return size_of_work(A, W, v, rate)


@inline_kernel
def error_of_work(A, W, v, rate, error):
    """An error of the work over its size; 0 where nothing moves or pushes."""
    size = size_of_work(A, W, v, rate)
    return abs(error) / size if size > 0.0 else 0.0


@inline_kernel
def sum_of_squares(A, error, h, rate):
    """Sum of squares of h error[m] over the sizes of the components of (q, v), where velocities reach ``rate``."""
    total = 0.0
    for m in range(A.position_size.shape[0] + A.velocity_class.shape[0]):
        share = h * error[m] / size_of(A.position_size, A.velocity_class, m, rate, A.length)
        total += share * share
    return total


@inline_kernel
def mean_change(A, before, after, rate):
    """Root mean square of the change from one state to another over the sizes of the components of (q, v)."""
    total = 0.0
    count = A.position_size.shape[0] + A.velocity_class.shape[0]
    for m in range(count):
        share = (before[m] - after[m]) / size_of(A.position_size, A.velocity_class, m, rate, A.length)
        total += share * share
    return math.sqrt(total / count)


@inline_kernel
def are_finite(state, rates):
    """Whether all components of a state and of its derivative are numbers."""
    finite = True
    for m in range(state.shape[0]):
        finite &= math.isfinite(state[m]) and math.isfinite(rates[m])
    return finite
