"""Laws for the length of the next step, each with its source; and Baumgarte's factors where they follow it.

error: of the last step over that allowed. order: power of h with which it goes.
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.evaluate import ALPHA, BETA

SHORTEN_UNKNOWN = 0.25  # where an error is not known at all
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
def follow_step(feedback, h):
    """Let Baumgarte's factors follow the step length; whether they did."""
    if ALIKE < h * feedback[ALPHA] / PER_STEP < 1.0 / ALIKE:
        return False
    feedback[ALPHA] = PER_STEP / h
    feedback[BETA] = math.sqrt(2.0) * PER_STEP / h
    return True
