"""Sizes of errors by class, laws for the length of the next step, and Baumgarte's factors where they follow it.

Errors of positions are measured by the characteristic length, of angles by 1, of velocities by the largest rate so far. The
work of forces, which closes the energy balance, is measured by how far energies change, to first order, where every velocity
and coordinate is off by its whole size: sum of m |v| w s + |Q| s, as in `results/judging/accuracy.py`. So no user need give
absolute tolerances, and no choice of units matters. A velocity need be no better than what leads to the error allowed in a
position by the end of the motion.

In the laws, each with its source, ``error`` is that of the last step over that allowed, and ``order`` the power of h with which
it goes.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import ALPHA, BETA
from sheetmbs.engine.records import Floats
from sheetmbs.engine.work import Work

SHORTEN_UNKNOWN = 0.25  # where an error is not known at all
LEAST_RETRY, MOST_RETRY, CAUTIOUS_RETRY = 0.25, 0.5, 0.7  # where equations were not solved
ALIKE = 0.5  # steps whose ratio is nearer to 1 share Baumgarte's factors
PER_STEP = 0.1  # of a violation that they undo in a step: more, and violations of stages weigh in the error estimate
WORK = 10.0  # times the error allowed of the motion, for no motion depends on the work, which only tells whether to trust it


# The length of the next step.


@inline_kernel
def optimal_factor(error, order, safety, most):
    """Safety error^(-1/order): the step that would just err as much as allowed (Hairer, Norsett and Wanner 1993, II.4.12)."""
    return safety * error ** (-1.0 / order) if error > 0.0 else most


@inline_kernel
def factor_after_success(error, order, safety, least, most, was_rejected):
    """Factor of the step length after an accepted step: not above 1 right after a rejection (the same, II.4.13)."""
    factor = optimal_factor(error, order, safety, most)
    return min(max(factor, least), 1.0 if was_rejected else most)


@inline_kernel
def factor_after_rejection(error, order, safety, least):
    """Factor of the step length after a step that errs too much, or whose error is infinite (the same, II.4.13)."""
    factor = optimal_factor(error, order, safety, 1.0) if error < math.inf else SHORTEN_UNKNOWN
    return min(max(factor, least), safety)


@inline_kernel
def doubled_or_shortened(error, allowed, order, is_starting):
    """Factor of the step length of an Adams formula of that order: 2, 1, or 0.5 to 0.9 (Shampine and Gordon 1975, ch. 7)."""
    if is_starting or 0.5 * allowed >= error * 2.0 ** (order + 1):
        return 2.0
    if 0.5 * allowed >= error:
        return 1.0
    return max(0.5, min(0.9, (0.5 * allowed / error) ** (1.0 / (order + 1))))


@inline_kernel
def follow_step(feedback: Floats, h: float) -> bool:
    """Let Baumgarte's factors follow the step length; whether they did."""
    if ALIKE < h * feedback[ALPHA] / PER_STEP < 1.0 / ALIKE:
        return False
    feedback[ALPHA] = PER_STEP / h
    feedback[BETA] = math.sqrt(2.0) * PER_STEP / h
    return True


@inline_kernel
def predictive_factor(error, old_error, ratio, order, safety):
    """Factor after an accepted step, by Gustafsson (1994): Hairer and Wanner 1996, eqs. IV.8.21 and 8.25.

    The smaller one of what the error alone says, and of what it says if it goes on growing as from the step before that.
    ratio: of the step to the one before, 0 where there was none; old_error: of that one.
    """
    factor = safety * error ** (-1.0 / order)
    if ratio > 0.0:
        factor = min(factor, safety * ratio * (old_error / (error * error)) ** (1.0 / order))
    return factor


@inline_kernel
def factor_after_divergence(convergence, useful):
    """Factor after a step whose Newton iteration led nowhere: as if its rate were proportional to the step.

    convergence: that rate; useful: the one that costs least.
    """
    if not (math.isfinite(convergence) and convergence > 0.0):
        return SHORTEN_UNKNOWN
    return max(LEAST_RETRY, min(MOST_RETRY, CAUTIOUS_RETRY * useful / convergence))


# Sizes of errors.


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
