"""Which variants of a study are drawn beside the workbook as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studies.read_study_rows import StudyRow, StudyRows
from sheetmbs.studies.sheets.study_table import BEST, DONE, ON_FRONT

AS_IT_IS = 0
"""the variant that the others are drawn beside"""
MAX_COMPARED_VARIANTS = 12
"""variants beside each other that a reader still tells apart, by showing and hiding them one by one"""
UNASKED = 5
"""of a front, or of a study that marks none as the best"""


def comparison_variants(rows: StudyRows, asked: str | None) -> list[StudyRow]:
    """The variants that are asked for, in the order of their numbers.

    asked: numbers and ranges such as "3; 17-20", or "none". None: the best one, or some of the front, or of all that worked.
    Raises WorkbookError where it says something else, more than can be told apart, or variants that there are not.
    """
    numbers = _remarkable(rows) if asked is None else _numbers(asked)
    return [rows.variant(number) for number in numbers]


def are_unwanted(asked: str | None) -> bool:
    """Whether no variants are wanted, by the word none."""
    return asked is not None and asked.strip().lower() == "none"


def _remarkable(rows: StudyRows) -> list[int]:
    best, front = (rows.numbers_of("best", mark) for mark in (BEST, ON_FRONT))
    found = best or front or rows.numbers_of("status", DONE)
    return _spread([number for number in found if number != AS_IT_IS])


def _spread(numbers: Sequence[int]) -> list[int]:
    """Some of them, evenly from the first to the last."""
    last = len(numbers) - 1
    return [numbers[round(k * last / (UNASKED - 1))] for k in range(UNASKED)] if last >= UNASKED else list(numbers)


def _numbers(asked: str) -> list[int]:
    if are_unwanted(asked):
        return []
    found: set[int] = set()
    for part in filter(None, (each.strip() for each in re.split("[;,]", asked))):
        given = re.fullmatch(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", part)
        if given is None:
            raise _refused(f'"{part}"', "variants are numbers and ranges, or none", 'write, for example, "3; 17-20"')
        first, last = int(given[1]), int(given[2] or given[1])
        if last < first:
            raise _refused(f'"{part}"', "a range goes up", f'write "{last}-{first}"')
        found.update(range(first, min(last, first + MAX_COMPARED_VARIANTS) + 1))
    if len(found) > MAX_COMPARED_VARIANTS:
        raise _refused(
            f'the variants "{asked}"',
            f"more than {MAX_COMPARED_VARIANTS} beside each other cannot be told apart",
            "name fewer",
        )
    return sorted(found - {AS_IT_IS})


def _refused(found: str, rule: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem("variants-asked", "error", "", found, rule, mend))
