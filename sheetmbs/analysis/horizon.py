"""How far a step may reach, and when the formulas of time switch over.

An error estimate sees only what the stages of a step meet, and a short pulse could fall between them. So a step may span a few
samples of a smooth curve over time at most, ends at every kink of a curve of straight lines, and where a formula of time
switches over. Where a formula may act for a moment only and says nothing of when, no step is longer than from row to row; nor
ever than the setting ``max_step``.

At a switch a force, and with it accelerations and reactions, has two values. A row shows those just behind it, and the last
row, behind which nothing is computed, those just before it: all quantities of a row are read at the same one of its
`read_times`, which lies on that side by the rounding of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.motion.motions import formula_over_rows
from sheetmbs.engine.motion.operations import STACK_DEPTH, Operation
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.schema.expression import Apply, Expression, Node, Number, Time, Variable
from sheetmbs.schema.expression_evaluation import assemble

FINE = 2e-10  # relative error of a step, with the tolerance that is usual
SHARP = 1e3  # times the error of a step: what a knot of a spline may hide, see `sharp_knots`
SAMPLES = 3  # of a smooth curve that a step may span: the stages of a step are nowhere further apart than 0.27 of it
STEEP = (Operation.EXP, Operation.LOG, Operation.SQRT, Operation.TAN, Operation.ATAN, Operation.ASIN, Operation.ACOS)
"""functions that may be steep where their argument is not"""
POLYNOMIAL = [(float(n), 0.0) for n in range(1, 5)]
"""exponents, as `_linear` returns them, of which nothing short comes"""
SWITCHES = (Operation.LESS, Operation.LESS_EQUAL, Operation.MIN, Operation.MAX)
LOOKS = 20_000  # places at which the order of two functions of time is looked at; two switches closer than that may be missed
HALVINGS = 60  # that take an interval between two of them to the rounding of the time
ROUNDING = 1e-14  # of the largest time: what stands for its rounding
AT = 1e-12  # of the time span: switches so near to each other, or to a row, stand at the same instant


def horizon(lowered: Lowered, jumps: Floats | None = None, allowed: float = FINE) -> Floats:
    """Marks (n, 4) of rising times for steps that start there or later.

    jumps: times at which formulas of time switch over, see `switches`; None: those of comparisons of linear functions.
    allowed: relative error of a step.

    Columns: the time, the first -inf; how far such a step may reach; 1 where a formula jumps; how long it may be.
    """
    if jumps is None:
        jumps = np.array(sorted({t for formula in lowered.formulas for t in switching_times(formula.expression.tree)}))
    marks = [(mark, reach) for mark, reach in (*_time_curves(lowered, allowed), (jumps, jumps)) if len(mark)]
    if not marks:
        return np.array([[-np.inf, np.inf, 0.0, longest_step(lowered)]])
    times = np.concatenate(([-np.inf], np.unique(np.concatenate([mark for mark, _ in marks]))))
    ends = np.full(len(times), np.inf)
    for mark, reach in marks:
        place = np.searchsorted(mark, times, side="right") - 1
        ends = np.minimum(ends, np.where(place < 0, mark[0], np.append(reach[1:], np.inf)[place]))
    return np.column_stack((times, ends, np.isin(times, jumps), np.full(len(times), longest_step(lowered))))


def longest_step(lowered: Lowered) -> float:
    """The longest step allowed, s."""
    settings = lowered.model.settings
    longest = np.inf if settings.max_step is None else settings.max_step
    if len(short_lived(lowered)):
        longest = min(longest, settings.t_step or settings.row_step)
    return float(longest)


def short_lived(lowered: Lowered) -> list[int]:
    """Numbers of the formulas of loads that may act for a moment only, at a time that they do not tell."""
    index, loads = lowered.forces.load_index, lowered.forces.loads
    used = {int(n) for row, load in zip(index, loads, strict=True) if not load.by_curve for n in row if n >= 0}
    return sorted(n for n in used if may_be_short(lowered.formulas[n].expression.tree))


def switches_by_motion(lowered: Lowered) -> bool:
    """Whether any formula of a load compares what depends on the motion, so that a force may switch at an unknown time."""
    pairs = (pair for formula in lowered.formulas for pair in compared(formula.expression.tree))
    return any(reads_motion(node) for pair in pairs for node in pair)


def may_be_short(node: Node) -> bool:
    """Whether an expression may change much faster than the motion it reads, other than at known times."""
    if not isinstance(node, Apply):
        return False
    first, *others = node.arguments
    if node.operation in (*SWITCHES, Operation.ABS, Operation.SIGN, Operation.STEP):
        pairs = [first, others[0], others[2]] if node.operation is Operation.STEP else node.arguments
        if any(_linear(each) is None for each in pairs):
            return True
    if (
        node.operation in STEEP
        and not _is_constant(first)
        and (node.operation is not Operation.EXP or _linear(first) is None)
    ):
        return True
    if node.operation in (Operation.DIVIDE, Operation.POWER) and not _is_constant(others[0]):
        return True
    if node.operation is Operation.POWER and not _is_constant(first) and _linear(others[0]) not in POLYNOMIAL:
        return True
    return any(may_be_short(argument) for argument in node.arguments)


def _is_constant(node: Node) -> bool:
    if isinstance(node, Apply):
        return all(_is_constant(argument) for argument in node.arguments)
    return not isinstance(node, Time | Variable)


def _reach(knots: Floats, sharp: NDArray[np.bool_]) -> Floats:
    """How far a step from before each knot k of a smooth curve may reach: not past a narrow feature nor a sharp knot.

    sharp: (n,) whether a step must not pass over each knot.
    """
    gaps = np.append(np.diff(knots), np.full(SAMPLES, np.inf))
    narrowest = np.min([gaps[k : k + len(knots)] for k in range(SAMPLES)], axis=0)
    reach = np.concatenate((knots[:1], np.maximum(knots[1:], knots[:-1] + SAMPLES * narrowest[:-1])))
    next_sharp = np.minimum.accumulate(np.where(sharp, knots, np.inf)[::-1])[::-1]
    return np.asarray(np.minimum(reach, next_sharp))


def sharp_knots(knots: Floats, coefficients: Floats, allowed: float, *, is_motion: bool) -> NDArray[np.bool_]:
    """(n,) which knots of a cubic spline no step may pass over, because its error would show them.

    At a knot the second and third derivatives of y jump, by D2 and D3. A polynomial that goes on as before the knot is off by
    D2 h^2/2 + D3 h^3/6 in a load one sample, h, behind it, and by D2 h + D3 h^2/2 in the velocity of a prescribed motion. A
    knot is sharp where that is more than ``SHARP * allowed`` of the range of the load or of the largest velocity. So knots of
    a smooth curve that lie denser than its steps are not.

    knots: (n,). coefficients: (n, 4) in ascending powers, the last row unused. allowed: relative error of a step.
    """
    h = np.diff(knots)
    value, slope, bend, twist = coefficients[:-1].T
    # beyond its ends a curve goes on as a straight line
    second = np.abs(np.append(2.0 * bend, 0.0) - np.insert(2.0 * bend + 6.0 * h * twist, 0, 0.0))
    third = np.abs(np.append(6.0 * twist, 0.0) - np.insert(6.0 * twist, 0, 0.0))
    gap = np.minimum(np.append(h, h[-1]), np.insert(h, 0, h[0]))
    if is_motion:
        missed = second * gap + third * gap**2 / 2.0
        samples = np.append(slope, slope[-1] + h[-1] * (2.0 * bend[-1] + 3.0 * h[-1] * twist[-1]))
    else:
        missed = second * gap**2 / 2.0 + third * gap**3 / 6.0
        samples = np.append(value, value[-1] + h[-1] * (slope[-1] + h[-1] * (bend[-1] + h[-1] * twist[-1])))
    return np.asarray(missed > SHARP * allowed * (np.max(np.abs(samples)) if is_motion else np.ptp(samples)))


def _time_curves(lowered: Lowered, allowed: float) -> Iterator[tuple[Floats, Floats]]:
    """Knots of the curves over time, each set once, and how far a step from before each may reach."""
    if not len(lowered.curves.start):
        return
    index, loads = lowered.forces.load_index, lowered.forces.loads
    driving = {int(motion.index) for motion in lowered.motions if motion.kind == MotionKind.CURVE}
    used = driving | {int(load.scale) for load in loads if load.scale >= 0}
    used |= {int(curve) for row, load in zip(index, loads, strict=True) if load.by_curve for curve in row if curve >= 0}
    table, sharp = lowered.curves, dict[bytes, NDArray[np.bool_]]()
    for curve in sorted(used):
        rows = slice(table.start[curve], table.start[curve] + table.count[curve])
        knots, coefficients = table.knots[rows], table.coefficients[rows]
        found = np.ones(len(knots), dtype=np.bool_)
        if np.any(coefficients[:, 2:]):
            found = sharp_knots(knots, coefficients, allowed, is_motion=curve in driving)
        sharp[knots.tobytes()] = found | sharp.get(knots.tobytes(), False)
    for knots, found in ((np.frombuffer(key), each) for key, each in sharp.items()):
        yield knots, knots if np.all(found) else _reach(knots, found)


def switching_times(node: Node) -> Iterator[float]:
    """Times at which a comparison, step, min, max, abs or sign of linear functions of time changes over."""
    for left, right in compared(node):
        yield from _crossing(left, right)


def compared(node: Node) -> Iterator[tuple[Node, Node]]:
    """The pairs of values whose order decides what a comparison, step, min, max, abs, sign or atan2 within a node gives."""
    if not isinstance(node, Apply):
        return
    arguments = node.arguments
    for argument in arguments:
        yield from compared(argument)
    if node.operation in SWITCHES:
        yield arguments[0], arguments[1]
    elif node.operation in (Operation.ABS, Operation.SIGN, Operation.ATAN2):
        yield arguments[0], Number(0.0)
    elif node.operation is Operation.STEP:
        yield arguments[0], arguments[1]
        yield arguments[0], arguments[3]


def reads_motion(node: Node) -> bool:
    """Whether the value of a node depends on a motion column."""
    return isinstance(node, Variable) or (isinstance(node, Apply) and any(map(reads_motion, node.arguments)))


def _crossing(left: Node, right: Node) -> Iterator[float]:
    """When two linear functions of time are equal."""
    one, other = _linear(left), _linear(right)
    if one is not None and other is not None and one[1] != other[1]:
        yield (other[0] - one[0]) / (one[1] - other[1])


def _linear(node: Node) -> tuple[float, float] | None:
    """Value at t = 0 and slope of a linear function of time; None for all else."""
    match node:
        case Number(value):
            return value, 0.0
        case Time():
            return 0.0, 1.0
        case Apply(operation, arguments):
            parts = [_linear(argument) for argument in arguments]
            if any(part is None for part in parts):
                return None
            return _combined(operation, [part for part in parts if part is not None])
        case _:
            return None


def _combined(operation: Operation, parts: list[tuple[float, float]]) -> tuple[float, float] | None:
    (a, a1), (b, b1) = parts[0], parts[-1]
    if operation is Operation.NEGATE:
        return -a, -a1
    if operation is Operation.ADD:
        return a + b, a1 + b1
    if operation is Operation.SUBTRACT:
        return a - b, a1 - b1
    if operation is Operation.MULTIPLY and a1 * b1 == 0.0:
        return a * b, a1 * b + a * b1
    if operation is Operation.DIVIDE and b1 == 0.0 and b != 0.0:
        return a / b, a1 / b
    return None


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
        if None in (_linear(left), _linear(right)) and not (reads_motion(left) or reads_motion(right)):
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
