"""Functions of texts that know how long a text may become, which those of the engine of formulas do not.

A spreadsheet gives #VALUE! where a text would have more than 32,767 characters, inside a formula too. The engine would make a
text of any length, and take all memory for it. REPT and SUBSTITUTE look before they make a text; what `&` and other
functions make, whose arguments are bounded already, is looked at by `BOUNDED_TEXT` afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from decimal import Decimal

from formualizer import LiteralValue, Workbook

from sheetmbs.formulas.text_limits import BOUNDED_TEXT, LONGEST_TEXT

Given = object
"""what the engine hands over: a value, or rows of values; an error is a dictionary"""
NO_VALUE, NOT_AVAILABLE = "Value", "Na"


class _NoTextError(Exception):
    """A text function has no value. Its text is the engine's word for the error."""


def register_text_functions(workbook: Workbook) -> None:
    """Give a workbook of the engine the functions of this module."""
    workbook.register_function(BOUNDED_TEXT, _by_element(_bounded), min_args=1, max_args=1)
    for name, function, least, most in (("REPT", _repeated, 2, 2), ("SUBSTITUTE", _substituted, 3, 4)):
        workbook.register_function(
            name, _by_element(function), min_args=least, max_args=most, allow_override_builtin=True
        )


def _by_element(function: Callable[..., object]) -> Callable[..., object]:
    """The function of values as one of values and arrays: a single row, column or value goes with all others."""

    def of_values(*values: object) -> object:
        try:
            for value in values:
                if isinstance(value, dict):
                    raise _NoTextError(str(value.get("kind", NO_VALUE)))  # noqa: TRY301 - told as any other
            return function(*values)
        except _NoTextError as error:
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
        raise _NoTextError(NO_VALUE)
    return value


def _repeated(text: object, count: object) -> str:
    piece, times = _text(text), _whole(count)
    if times < 0 or len(piece) * times > LONGEST_TEXT:
        raise _NoTextError(NO_VALUE)
    return piece * times


def _substituted(text: object, old: object, new: object, which: object = None) -> str:
    whole, before, after = _text(text), _text(old), _text(new)
    if which is not None and _whole(which) < 1:
        raise _NoTextError(NO_VALUE)
    if not before:
        return whole
    if which is not None:
        return str(_bounded(_with_one(whole, before, after, _whole(which))))
    if len(whole) + whole.count(before) * (len(after) - len(before)) > LONGEST_TEXT:
        raise _NoTextError(NO_VALUE)
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
        raise _NoTextError(NO_VALUE) from None
