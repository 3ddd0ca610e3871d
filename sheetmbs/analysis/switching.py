"""When the formulas of time switch over, and on which side of such an instant the row of that time is read.

At a switch a force, and with it accelerations and reactions, has two values. A row shows those just behind it, and the last
row, behind which nothing is computed, those just before it: all quantities of a row are read at the same one of its
`read_times`, which lies on that side by the rounding of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.horizon import compared, is_linear, reads_motion, switching_times
from sheetmbs.engine.motion.motions import formula_over_rows
from sheetmbs.engine.motion.operations import STACK_DEPTH, Operation
from sheetmbs.lower import Lowered
from sheetmbs.schema.expression import Apply, Expression, Node
from sheetmbs.schema.expression_evaluation import assemble

Floats = NDArray[np.float64]

LOOKS = 20_000  # places at which the order of two functions of time is looked at; two switches closer than that may be missed
HALVINGS = 60  # that take an interval between two of them to the rounding of the time
ROUNDING = 1e-14  # of the largest time: what stands for its rounding
AT = 1e-12  # of the time span: switches so near to each other, or to a row, stand at the same instant


def switches(lowered: Lowered) -> Floats:
    """(n,) rising times from t_start to t_end at which a formula of time switches over: a comparison, step, min, max, abs."""
    settings = lowered.model.settings
    start, end = settings.t_start, settings.t_start if settings.t_end is None else float(settings.t_end)
    trees = [formula.expression.tree for formula in lowered.formulas]
    found = sorted({t for tree in trees for t in (*switching_times(tree), *_crossings(tree, start, end))})
    near = AT * (end - start)
    kept: list[float] = []
    for t in found:
        if start - near <= t <= end + near and not (kept and t - kept[-1] <= near):
            kept.append(t)
    return np.array(kept)


def aside(times: Floats) -> float:
    """How far before and behind a switch a motion over these times is read, s."""
    return ROUNDING * max(abs(float(times[0])), abs(float(times[-1])))


def read_times(times: Floats, switched: Floats) -> Floats:
    """(n,) times at which the rows of ``times`` (n,) are read: behind a switch that stands at a row, the last before it."""
    read = times.copy()
    if len(switched) and times[-1] > times[0]:
        place = np.clip(np.searchsorted(switched, times), 1, max(len(switched) - 1, 1))
        left, right = switched[place - 1], switched[np.minimum(place, len(switched) - 1)]
        nearest = np.where(times - left <= right - times, left, right)
        at = np.abs(nearest - times) <= AT * (times[-1] - times[0]) + aside(times)
        read[at] = nearest[at] + np.where(np.arange(len(times)) < len(times) - 1, 1.0, -1.0)[at] * aside(times)
    return read


def _crossings(tree: Node, start: float, end: float) -> Iterator[float]:
    """When two functions of time alone, not both of them linear, change their order."""
    if not end > start:
        return
    for left, right in compared(tree):
        if not (is_linear(left) and is_linear(right)) and not (reads_motion(left) or reads_motion(right)):
            difference = Expression("", Apply(Operation.SUBTRACT, (left, right)))
            times = np.linspace(start, end, LOOKS + 1)
            sign = np.sign(_values(difference, times))
            at = np.flatnonzero(sign[1:] != sign[:-1])
            low, high, before = times[at], times[at + 1], sign[at]
            for _ in range(HALVINGS if len(at) else 0):
                middle = 0.5 * (low + high)
                stays = np.sign(_values(difference, middle)) == before
                low, high = np.where(stays, middle, low), np.where(stays, high, middle)
            yield from high.tolist()


def _values(expression: Expression, times: Floats) -> Floats:
    """(n,) values of a function of time, 0 where it has none."""
    tapes, values = assemble([expression]), np.ones(len(times))
    nothing, stack = np.zeros((len(times), 0)), np.zeros((STACK_DEPTH, 3))
    formula_over_rows(tapes.operation, tapes.constant, int(tapes.start[0]), times, nothing, values, stack)
    return values
