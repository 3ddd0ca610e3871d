"""What all integrators measure alike: sizes of errors by class, and how far a step may reach."""

import math

from sheetmbs.jit import inline_kernel

NEAR = 1e-14  # of a time: what stands for rounding


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
def mean_change(position_size, velocity_class, before, after, rate, length):
    """Root mean square of the change from one state to another over the sizes of its components."""
    total = 0.0
    count = position_size.shape[0] + velocity_class.shape[0]
    for m in range(count):
        share = (before[m] - after[m]) / size_of(position_size, velocity_class, m, rate, length)
        total += share * share
    return math.sqrt(total / count)


@inline_kernel
def reached_mark(horizon, mark, t):
    """The last row of ``horizon`` that begins at t or before, ``mark`` the one known so far; see `analysis/horizon.py`."""
    while mark + 1 < horizon.shape[0] and horizon[mark + 1, 0] <= t:
        mark += 1
    return mark
