"""Expressions evaluated: by numpy at many times at once, for reading, or as tapes for the solver.

A tape is a set of flat arrays that one kernel evaluates (`engine/motion/bytecode.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.motion.operations import Operation
from sheetmbs.schema.expression import Apply, Expression, Node, Number, Time, Variable

Vector = NDArray[np.float64]


class TapeTables(NamedTuple):
    """Several expressions as one set of arrays.

    operation: (n, 2) int64, an Operation and its operand (place of a constant or variable, target of a jump).
    constant: (m,). start: (expressions,) row of ``operation`` at which each begins; each ends with END.
    """

    operation: NDArray[np.int64]
    constant: NDArray[np.float64]
    start: NDArray[np.int64]


def assemble(expressions: Sequence[Expression], columns: Mapping[str, int] | None = None) -> TapeTables:
    """Translate expressions, in their order.

    columns: place of each motion column in the array of variables, by its name as in `Expression.variables`; None: its
    place there. Raises KeyError for a column that is not among them.
    """
    code: list[tuple[int, int]] = []
    constants: dict[float, int] = {}
    start = []
    for expression in expressions:
        start.append(len(code))
        names = expression.variables
        places = range(len(names)) if columns is None else [columns[name] for name in names]
        _emit(expression.tree, places, code, constants)
        code.append((Operation.END, 0))
    return TapeTables(
        np.array(code, dtype=np.int64).reshape(-1, 2),
        np.array(list(constants), dtype=np.float64),
        np.array(start, dtype=np.int64),
    )


def _emit(node: Node, places: Sequence[int], code: list[tuple[int, int]], constants: dict[float, int]) -> None:
    """Append the operations that leave the value of ``node`` on the stack."""
    match node:
        case Number(value):
            code.append((Operation.NUMBER, constants.setdefault(value, len(constants))))
        case Time():
            code.append((Operation.TIME, 0))
        case Variable(index):
            code.append((Operation.VARIABLE, places[index]))
        case Apply(Operation.IF, (condition, yes, no)):
            _emit(condition, places, code, constants)
            unless = len(code)
            code.append((Operation.JUMP_UNLESS, 0))
            _emit(yes, places, code, constants)
            jump = len(code)
            code.append((Operation.JUMP, 0))
            code[unless] = (Operation.JUMP_UNLESS, len(code))
            _emit(no, places, code, constants)
            code[jump] = (Operation.JUMP, len(code))
        case Apply(operation, arguments):
            for argument in arguments:
                _emit(argument, places, code, constants)
            code.append((operation, 0))


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
