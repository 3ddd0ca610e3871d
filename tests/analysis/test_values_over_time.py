"""Expressions as numpy judges them, and as the kernel evaluates them: the same numbers."""

import numpy as np
import pytest

from sheetmbs.engine.motion.bytecode import evaluate_value
from sheetmbs.engine.motion.operations import STACK_DEPTH
from sheetmbs.schema.expression import parse
from sheetmbs.schema.expression_evaluation import assemble, values_over_time


@pytest.mark.parametrize(
    "text",
    [
        "0.3*sin(2*pi*t) - t^2/3 + exp(-t)",
        "if(t < 0.5 and t > 0.1, min(t, 0.2), max(t, 0.7, 0.9))",
        "step(t, 0.2, -1, 0.8, 3) + abs(t - 0.5)*sign(t - 0.4)",
        "atan2(t, 2) + sqrt(t) + log(t + 1) + acos(t/2)",
    ],
)
def test_expressions_have_the_values_by_which_they_are_judged(text):
    times = np.linspace(0.05, 0.95, 7)
    expression = parse(text)
    tapes = assemble([expression])
    stack = np.empty((STACK_DEPTH, 3))
    code = tapes.operation, tapes.constant, tapes.start[0]
    wanted = [evaluate_value(*code, time, np.zeros(0), stack)[1] for time in times]
    assert values_over_time(expression, times) == pytest.approx(wanted, rel=1e-14)
