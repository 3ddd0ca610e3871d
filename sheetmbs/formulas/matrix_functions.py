"""Functions of matrices that the engine of formulas lacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from formualizer import LiteralValue, Workbook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Given = object
"""what the engine hands over: a number, or rows of numbers"""
NO_NUMBERS, SINGULAR = "Value", "Num"


class _RefusedError(Exception):
    """A function has no value. Its text is the engine's word for the error."""


def register_matrix_functions(workbook: Workbook) -> None:
    """Make MMULT, MINVERSE, MDETERM known to a workbook of the engine."""
    for name, function, count in (("MMULT", _product, 2), ("MINVERSE", _inverse, 1), ("MDETERM", _determinant, 1)):
        workbook.register_function(name, _told(function), min_args=count, max_args=count)


def _told(function: Callable[..., object]) -> Callable[..., object]:
    def called(*given: Given) -> object:
        try:
            return function(*map(_matrix, given))
        except _RefusedError as refused:
            return LiteralValue.error(str(refused), None)
        except MemoryError:  # the engine would make #VALUE! of it, which IFERROR hides
            os.abort()

    return called


def _matrix(given: Given) -> NDArray[np.float64]:
    import numpy as np

    rows: Sequence[Sequence[object]] = (
        [row if isinstance(row, list) else [row] for row in given] if isinstance(given, list) else [[given]]
    )
    for each in (each for row in rows for each in row if isinstance(each, dict)):
        raise _RefusedError(str(each.get("kind", NO_NUMBERS)))
    if any(isinstance(each, bool) or not isinstance(each, int | float) for row in rows for each in row):
        raise _RefusedError(NO_NUMBERS)
    return np.array(rows, np.float64)


def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[list[float]]:
    if one.shape[1] != other.shape[0]:
        raise _RefusedError(NO_NUMBERS)
    return _rows(one @ other)


def _inverse(matrix: NDArray[np.float64]) -> list[list[float]]:
    import numpy as np

    _refuse_oblong(matrix)
    try:
        return _rows(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        raise _RefusedError(SINGULAR) from None


def _determinant(matrix: NDArray[np.float64]) -> float:
    import numpy as np

    _refuse_oblong(matrix)
    return float(np.linalg.det(matrix))


def _refuse_oblong(matrix: NDArray[np.float64]) -> None:
    if matrix.shape[0] != matrix.shape[1]:
        raise _RefusedError(NO_NUMBERS)


def _rows(matrix: NDArray[np.floating]) -> list[list[float]]:
    rows: list[list[float]] = matrix.tolist()
    return rows
