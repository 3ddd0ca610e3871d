"""Whether the values that a spreadsheet program left in a workbook come out here too."""

from __future__ import annotations

from collections.abc import Iterable

from sheetmbs.formulas.cell_contents import ErrorValue, Stored, Value

CLOSE = 1e-9
"""relative difference up to which two values are the same"""
CANCELLED = 1e-13
"""the same as a part of the largest number that goes into the formula: where numbers cancel, spreadsheets round to zero"""


def is_same(computed: Value, stored: Value | Stored, inputs: Iterable[Value | Stored]) -> bool:
    """Whether a value is that which is in the file. inputs: what the formula reads, and the numbers in it."""
    if isinstance(computed, float) and isinstance(stored, float):
        difference = abs(computed - stored)
        if difference <= CLOSE * max(abs(computed), abs(stored)):
            return True
        largest = max((abs(each) for each in inputs if isinstance(each, float)), default=0.0)
        return difference <= CANCELLED * largest
    return type(computed) is type(stored) and computed == stored


def in_words(value: Value | Stored) -> str:
    """A value as messages name it."""
    if value is Stored.NOTHING or value is None:
        return "nothing"
    if isinstance(value, ErrorValue):
        return f"the error {value.name}"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"{value:.15g}" if isinstance(value, float) else f"the text '{value}'"
