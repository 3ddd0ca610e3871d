"""Laws for the length of the next step, each with its source; and Baumgarte's factors where they follow it.

error: of the last step over that allowed. order: power of h with which it goes.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.evaluate import ALPHA, BETA
from sheetmbs.engine.records import Floats

SHORTEN_UNKNOWN = 0.25  # where an error is not known at all
LEAST_RETRY, MOST_RETRY, CAUTIOUS_RETRY = 0.25, 0.5, 0.7  # where equations were not solved
ALIKE = 0.5  # steps whose ratio is nearer to 1 share Baumgarte's factors
PER_STEP = 0.1  # of a violation that they undo in a step: more, and violations of stages weigh in the error estimate


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
