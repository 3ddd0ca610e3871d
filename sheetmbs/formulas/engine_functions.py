"""Functions that the engine of formulas lacks, or whose texts must be bounded.

It lacks functions of matrices. A spreadsheet gives #VALUE! where a text would have more than 32,767 characters, inside a
formula too; the engine would make a text of any length, and take all memory for it. REPT and SUBSTITUTE look before they make
a text; what `&` and other functions make, whose arguments are bounded already, is looked at by `BOUNDED_TEXT` afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from formualizer import LiteralValue, Workbook

from sheetmbs.formulas.engine_terms import BOUNDED_TEXT, LONGEST_TEXT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Given = object
"""what the engine hands over: a value, or rows of values; an error is a dictionary"""
NO_VALUE, NOT_AVAILABLE, SINGULAR = "Value", "Na", "Num"


class _RefusedError(Exception):
    """A function has no value. Its text is the engine's word for the error."""


def register_functions(workbook: Workbook) -> None:
    """Give a workbook of the engine the functions of this module."""
    for name, function, count in (("MMULT", _product, 2), ("MINVERSE", _inverse, 1), ("MDETERM", _determinant, 1)):
        workbook.register_function(name, _of_matrices(function), min_args=count, max_args=count)
    workbook.register_function(BOUNDED_TEXT, _by_element(_bounded), min_args=1, max_args=1)
    for name, of_texts, least, most in (("REPT", _repeated, 2, 2), ("SUBSTITUTE", _substituted, 3, 4)):
        workbook.register_function(
            name, _by_element(of_texts), min_args=least, max_args=most, allow_override_builtin=True
        )


def _of_matrices(function: Callable[..., object]) -> Callable[..., object]:
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
        raise _RefusedError(str(each.get("kind", NO_VALUE)))
    if any(isinstance(each, bool) or not isinstance(each, int | float) for row in rows for each in row):
        raise _RefusedError(NO_VALUE)
    return np.array(rows, np.float64)


def _product(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[list[float]]:
    if one.shape[1] != other.shape[0]:
        raise _RefusedError(NO_VALUE)
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
        raise _RefusedError(NO_VALUE)


def _rows(matrix: NDArray[np.floating]) -> list[list[float]]:
    rows: list[list[float]] = matrix.tolist()
    return rows


def _by_element(function: Callable[..., object]) -> Callable[..., object]:
    """The function of values as one of values and arrays: a single row, column or value goes with all others."""

    def of_values(*values: object) -> object:
        try:
            for value in values:
                if isinstance(value, dict):
                    raise _RefusedError(str(value.get("kind", NO_VALUE)))  # noqa: TRY301 - as any other
            return function(*values)
        except _RefusedError as error:
            return LiteralValue.error(str(error), None)

    def called(*given: Given) -> object:
        if not any(isinstance(each, list) for each in given):
            return of_values(*given)
        arrays = [each if isinstance(each, list) else [[each]] for each in given]
        rows, columns = max(map(len, arrays)), max(len(each[0]) for each in arrays)
        try:
            return [
                [of_values(*(_element(each, row, column) for each in arrays)) for column in range(columns)]
                for row in range(rows)
            ]
        except MemoryError:  # the engine would make #VALUE! of it, which IFERROR hides
            os.abort()

    return called


def _element(array: list[list[object]], row: int, column: int) -> object:
    row, column = (0 if len(array) == 1 else row), (0 if len(array[0]) == 1 else column)
    is_there = row < len(array) and column < len(array[row])
    return array[row][column] if is_there else {"kind": NOT_AVAILABLE}


def _bounded(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise _RefusedError(NO_VALUE)
    return value


def _repeated(text: object, count: object) -> str:
    piece, times = _text(text), _whole(count)
    if times < 0 or len(piece) * times > LONGEST_TEXT:
        raise _RefusedError(NO_VALUE)
    return piece * times


def _substituted(text: object, old: object, new: object, which: object = None) -> str:
    whole, before, after = _text(text), _text(old), _text(new)
    if which is not None and _whole(which) < 1:
        raise _RefusedError(NO_VALUE)
    if not before:
        return whole
    if which is not None:
        return str(_bounded(_with_one(whole, before, after, _whole(which))))
    if len(whole) + whole.count(before) * (len(after) - len(before)) > LONGEST_TEXT:
        raise _RefusedError(NO_VALUE)
    return whole.replace(before, after)


def _with_one(whole: str, before: str, after: str, which: int) -> str:
    """The text with another one in place of one of the places at which a part stands, counted from 1."""
    at = -len(before)
    for _time in range(min(which, len(whole) + 1)):
        at = whole.find(before, at + len(before))
        if at < 0:
            return whole
    return whole[:at] + after + whole[at + len(before) :]


def _text(value: object) -> str:
    """A value as the text that a spreadsheet makes of it; numbers have all their digits, as elsewhere in the engine."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float | int):
        digits = format(Decimal(repr(value)), "f")
        return digits.removesuffix(".0")
    return str(value)


def _whole(value: object) -> int:
    """A value as a whole number, cut off towards zero."""
    try:
        return int(float(value or 0.0)) if not isinstance(value, str) else int(float(value))  # type: ignore[arg-type]
    except (ValueError, OverflowError, TypeError):
        raise _RefusedError(NO_VALUE) from None
