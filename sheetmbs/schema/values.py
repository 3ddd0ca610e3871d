"""Values of expressions at many times at once, by which reading judges them: the solver has a kernel of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.motion.operations import Operation
from sheetmbs.schema.expression import Apply, Expression, Node, Number, Time

Vector = NDArray[np.float64]


def _step(t: Vector, t0: Vector, y0: Vector, t1: Vector, y1: Vector) -> Vector:
    part = np.clip((t - t0) / (t1 - t0), 0.0, 1.0)
    return np.asarray(y0 + (y1 - y0) * part * part * (3.0 - 2.0 * part))


def _if(condition: Vector, yes: Vector, no: Vector) -> Vector:
    return np.asarray(np.where(condition != 0.0, yes, no))


OPERATIONS: dict[Operation, Callable[..., Vector]] = {
    Operation.ADD: np.add,
    Operation.SUBTRACT: np.subtract,
    Operation.MULTIPLY: np.multiply,
    Operation.DIVIDE: np.divide,
    Operation.POWER: np.power,
    Operation.ATAN2: np.arctan2,
    Operation.MIN: np.minimum,
    Operation.MAX: np.maximum,
    Operation.LESS: np.less,
    Operation.LESS_EQUAL: np.less_equal,
    Operation.NEGATE: np.negative,
    Operation.SIN: np.sin,
    Operation.COS: np.cos,
    Operation.TAN: np.tan,
    Operation.ASIN: np.arcsin,
    Operation.ACOS: np.arccos,
    Operation.ATAN: np.arctan,
    Operation.EXP: np.exp,
    Operation.LOG: np.log,
    Operation.SQRT: np.sqrt,
    Operation.ABS: np.abs,
    Operation.SIGN: np.sign,
    Operation.STEP: _step,
    Operation.IF: _if,
}


def values_over_time(expression: Expression, times: Vector) -> Vector:
    """The values of an expression of time alone, (n,) at times (n,); NaN or infinite where it has none."""

    def of_time(leaf: Node) -> Vector:
        if isinstance(leaf, Time):
            return times
        raise ValueError("a motion column has no value over time")

    with np.errstate(all="ignore"):
        return np.asarray(value_of(expression.tree, of_time) + 0.0 * times, dtype=np.float64)


def value_of(node: Node, of_leaf: Callable[[Node], Vector]) -> Vector:
    """The value of a tree. of_leaf: gives those of its leaves that are no numbers."""
    match node:
        case Number(value):
            return np.asarray(value)
        case Apply(operation, arguments):
            parts = [np.asarray(value_of(argument, of_leaf), dtype=np.float64) for argument in arguments]
            return OPERATIONS[operation](*parts)
    return of_leaf(node)
