"""Several numbers in one cell, parted by semicolons, and numbers that are percent."""

from __future__ import annotations

from math import isfinite

from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.workbook.reading.fields import percent_twice
from sheetmbs.workbook.reading.input_table import Record

PARTED_BY = ";"


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a text between semicolons."""
    return tuple(part.strip() for part in text.split(PARTED_BY) if part.strip())


def numbers_in(record: Record, name: str, report: ProblemList) -> tuple[float, ...]:
    """The numbers in a cell; () where it is blank, or where one of them is none, which is reported."""
    found = []
    for part in parts_of(record.text(name)):
        try:
            value = float(part if "_" not in part else "")
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            mend = f"write for example 1{PARTED_BY} 2.5{PARTED_BY} 5"
            rule = f"{name} holds numbers parted by {PARTED_BY}, with a decimal point"
            report.error("not-a-number", record.place(name), quoted(part), rule, mend)
            return ()
        found.append(value)
    return tuple(found)


def has_percent_twice(record: Record, column: str, how: str) -> bool:
    """Whether a cell is formatted as percent where its number is percent anyway; reported where it is."""
    cell = record.cell(column)
    if how != "percent" or cell is None or not cell.as_percent:
        return False
    fault = percent_twice(float(cell.value), "how is percent")
    record.refuse(fault.code, column, fault.problem, fault.mend)
    record.settle(column)
    return True
