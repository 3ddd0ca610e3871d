"""Several numbers in one cell, parted by semicolons."""

from __future__ import annotations

from math import isfinite

from sheetmbs.workbook.reading.problem_list import ProblemList, quoted
from sheetmbs.workbook.reading.record import Record

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
