"""Formulas and curves at many times, or at all rows of a table of results."""

from __future__ import annotations

import math

from sheetmbs.compiled import kernel
from sheetmbs.engine.motion.bytecode import evaluate_jet, evaluate_value
from sheetmbs.engine.motion.curves import evaluate
from sheetmbs.engine.records import Floats, Floats2, Ints2


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
