"""Motions over time: right-hand sides of constraints with their derivatives, and formulas and curves at many times.

A spin is how fast Euler parameters e(t) turn, global; they need not be of unit length (Nikravesh 1988, sec. 6.3):

    w = 2 vec(e' e*)/|e|^2,   w' = 2 vec(e'' e*)/|e|^2 - 2 (e . e')/|e|^2 w
"""

from __future__ import annotations

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.motion.bytecode import evaluate_jet, evaluate_value
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.records import Floats, Floats2, Ints2

QUADRATIC = int(MotionKind.QUADRATIC)
FORMULA = int(MotionKind.FORMULA)
SPIN = int(MotionKind.SPIN)


@inline_kernel
def spin(out, base, k):
    """Component k of the angular velocity and acceleration of the parameters whose motions stand from ``base`` on."""
    square = stretch = 0.0
    for m in range(4):
        square += out[base + m, 0] * out[base + m, 0]
        stretch += out[base + m, 0] * out[base + m, 1]
    i, j = base + 1 + (k + 1) % 3, base + 1 + (k + 2) % 3
    n = base + 1 + k
    first = out[n, 1] * out[base, 0] - out[base, 1] * out[n, 0] - out[i, 1] * out[j, 0] + out[j, 1] * out[i, 0]
    second = out[n, 2] * out[base, 0] - out[base, 2] * out[n, 0] - out[i, 2] * out[j, 0] + out[j, 2] * out[i, 0]
    velocity = 2.0 * first / square
    return velocity, 2.0 * (second - stretch * velocity) / square


@kernel
def evaluate_motions(motions, curves, tapes, t, out, hint, stack, fault_at) -> None:
    """Fill out (motions, 3) at time t. A formula that has no value gives nan and leaves its fault and program in fault_at."""
    for m in range(motions.shape[0]):
        motion = motions[m]
        k = motion.index
        if motion.kind == QUADRATIC:
            u = t - motion.t0
            out[m, 0] = motion.p + u * (motion.v + 0.5 * u * motion.a)
            out[m, 1] = motion.v + u * motion.a
            out[m, 2] = motion.a
        elif motion.kind == FORMULA:
            fault, value, first, second = evaluate_jet(tapes.operation, tapes.constant, tapes.start[k], t, stack)
            if fault != 0:
                fault_at[0] = fault
                fault_at[1] = k
                value = first = second = math.nan
            out[m, 0] = motion.scale * value
            out[m, 1] = motion.scale * first
            out[m, 2] = motion.scale * second
        elif motion.kind == SPIN:
            velocity, acceleration = spin(out, m - 4 - k, k)
            out[m, 0] = 0.0
            out[m, 1] = velocity
            out[m, 2] = acceleration
        else:
            value, first, second, interval = evaluate(
                curves.knot, curves.coefficient, curves.start[k], curves.count[k], t, hint[k]
            )
            hint[k] = interval
            out[m, 0] = value
            out[m, 1] = first
            out[m, 2] = second


@kernel
def formula_over_rows(
    operation: Ints2,
    constant: Floats,
    start: int,
    times: Floats,
    variables: Floats2,
    values: Floats,
    stack: Floats2,
) -> None:
    """Multiply values (rows,) by those of the formula that begins at ``start``; variables: (rows, columns) it reads.

    stack: (STACK_DEPTH, 3) scratch. A row without a value, which the solver has refused before, is 0.
    """
    for k in range(len(times)):
        _fault, value = evaluate_value(operation, constant, start, times[k], variables[k], stack)
        values[k] *= value


@kernel
def curve_over_rows(
    knots: Floats, coefficients: Floats2, start: int, count: int, times: Floats, values: Floats
) -> None:
    """Multiply values (rows,) by those of a curve."""
    row = start
    for k in range(len(times)):
        value, _slope, _curvature, row = evaluate(knots, coefficients, start, count, times[k], row)
        values[k] *= value


@kernel
def formula_over_times(
    operation: Ints2, constant: Floats, start: int, times: Floats, found: Floats2, stack: Floats2
) -> None:
    """Value, first and second derivative of a formula of time alone, to found (times, 3); NaN where it has none.

    stack: (STACK_DEPTH, 3) scratch.
    """
    for k in range(len(times)):
        fault, value, first, second = evaluate_jet(operation, constant, start, times[k], stack)
        if fault != 0:
            value = first = second = math.nan
        found[k, 0] = value
        found[k, 1] = first
        found[k, 2] = second
