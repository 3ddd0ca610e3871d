"""Gait as what a study varies: each trial is a case; strides and items of the summary belong to all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sheetmbs.gait.gait_product import prepared_gait
from sheetmbs.gait.general_tables import general_tables
from sheetmbs.gait.quality.other_filter import with_other_filter
from sheetmbs.gait.quality.sensitivity import variants
from sheetmbs.gait.sheets.course_tables import series_tables, stride_tables
from sheetmbs.gait.sheets.shown_gait import ShownGait
from sheetmbs.gait.sheets.shown_items import shown_items
from sheetmbs.gait.solved_gait import SolvedGait, solve_gait
from sheetmbs.gait.strides.summary_items import summary_items
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.table import Table
from sheetmbs.studying.subjects.asked_columns import failed, found, refused
from sheetmbs.studying.subjects.subject import Asked, ChangedCells, FoundCase
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.cells.changed_cells import with_cells
from sheetmbs.workbook.sheets.sheet_contents import GAIT_SUMMARY


class GaitSubject:
    """A workbook of gait. cases: names of trials, none: all of them."""

    def __init__(self, book: Book, cases: Sequence[str] = ()) -> None:
        self._book = book
        self._asked: Asked = {}
        self._found = _solved(book)
        self._cases = tuple(_exact(case, tuple(self._found)) for case in cases) if cases else tuple(self._found)

    @property
    def cases(self) -> tuple[str, ...]:
        """The trials."""
        return self._cases

    def as_it_is(self) -> Mapping[str, FoundCase]:
        """Every trial of the workbook as it is, with all result sheets and columns."""
        return {case: found(self._found[case], None) for case in self._cases}

    def prepare(self, asked: Asked) -> None:
        """Get ready to solve variants of which only some columns are wanted."""
        self._asked = asked

    def solve(self, changed: ChangedCells) -> Mapping[str, FoundCase]:
        """Every trial that was asked for, with changed cells."""
        try:
            solved = _solved(with_cells(self._book, changed))
        except SheetmbsError as error:
            return dict.fromkeys(self._asked, refused(error))
        return {
            trial: found(solved[trial], columns) if trial in solved else failed(_absent(trial, tuple(solved)))
            for trial, columns in self._asked.items()
        }


def _solved(book: Book) -> dict[str, list[Table]]:
    """The sheets of each trial, with those of all trials. Raises WorkbookError."""
    solved = solve_gait(prepared_gait(book))
    gait = ShownGait(solved.book, solved.courses)
    of_all = [*stride_tables(gait), _summary(solved, gait)]
    general = general_tables(solved, book.path)
    return {
        trial.trial: [series, *of_all, *(table for table in general if table.case in ("", trial.trial))]
        for trial, series in zip(gait.trials, series_tables(gait), strict=True)
    }


def _summary(solved: SolvedGait, gait: ShownGait) -> Table:
    """The items of the summary as one row: columns are called after item, side and joint, and their unit where that is open."""
    varied = tuple(variants(solved.trials, gait.strides, solved.book, solved.prepared.standing))
    values: dict[str, tuple[float, str]] = {}
    for each in shown_items(gait, with_other_filter(summary_items(gait.trials), varied)):
        if not isinstance(each.value, str) and each.value is not None:
            name = " ".join(filter(None, (each.item, each.side, each.joint)))
            values[f"{name}, {each.unit}" if name in values else name] = (float(each.value), each.unit)
    numbers = np.array([[value for value, _unit in values.values()]])
    return Table(GAIT_SUMMARY, tuple(values), tuple(unit for _value, unit in values.values()), numbers)


def _absent(text: str, known: Sequence[str]) -> Problem:
    mend = did_you_mean(text, known, "name one of these")
    return Problem("unknown-case", "error", "", f"the trial {text}", f"trials are {', '.join(known)}", mend)


def _exact(text: str, known: Sequence[str]) -> str:
    """The name of a trial as the workbook spells it. Raises WorkbookError where there is none such."""
    name = next((each for each in known if fold(each) == fold(text)), None)
    if name is None:
        raise WorkbookError(_absent(text, known))
    return name
