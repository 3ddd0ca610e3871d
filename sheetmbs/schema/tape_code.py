"""Expressions translated to tapes: flat arrays that one kernel evaluates (`engine/motion/bytecode.py`). Imports no numba."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.motion.operations import Operation
from sheetmbs.schema.expression import Apply, Expression, Node, Number, Time, Variable


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
