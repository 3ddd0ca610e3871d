"""Gait as what a study varies: each trial is a case; strides and items of the summary belong to all of them."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.gait.gait_results import prepared_gait
from sheetmbs.gait.measured_trials import measured_trials
from sheetmbs.gait.quality.sensitivity import variants, with_other_filter
from sheetmbs.gait.sheets.course_tables import series_tables, stride_tables
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import shown_items
from sheetmbs.gait.solved_gait import SolvedGait, solve_gait
from sheetmbs.gait.strides.summary_items import summary_items
from sheetmbs.gait.written_model import general_tables
from sheetmbs.measured.varied_measurements import with_rms
from sheetmbs.problems.errors import Problem
from sheetmbs.products.varied_workbook import Asked
from sheetmbs.products.whole_workbook import SolvedCases, WholeWorkbook, one_row
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import GAIT_SUMMARY


class GaitVariants(WholeWorkbook):
    """A workbook of gait. cases: names of trials, none: all of them."""

    kind, kinds = "trial", "trials"

    def solved(self, book: Book, asked: Asked | None) -> SolvedCases:
        """The sheets of each trial, with those of all trials. Raises WorkbookError."""
        solved = solve_gait(prepared_gait(book))
        gait = GaitPresentation(solved.book, solved.courses)
        of_all = list(stride_tables(gait))
        if asked is None or any(GAIT_SUMMARY in sheets for sheets in asked.values()):
            of_all.append(_summary(solved, gait))
        general = general_tables(solved, book.path)
        measured = measured_trials(book, gait)
        self._keep(book, measured.found)
        cases: dict[str, Sequence[Table] | Problem] = {
            trial.trial: [series, *of_all, *(table for table in general if table.case in ("", trial.trial))]
            for trial, series in zip(gait.trials, series_tables(gait), strict=True)
        }
        return with_rms(cases, measured.found)


def _summary(solved: SolvedGait, gait: GaitPresentation) -> Table:
    """The items of the summary as one row: columns are called after item, side and joint, and their unit where that is open."""
    varied = tuple(variants(solved.trials, gait.strides, solved.book, solved.prepared.standing))
    values: dict[str, tuple[float, str]] = {}
    for each in shown_items(gait, with_other_filter(summary_items(gait.trials), varied)):
        if not isinstance(each.value, str) and each.value is not None:
            name = " ".join(filter(None, (each.item, each.side, each.joint)))
            values[f"{name}, {each.unit}" if name in values else name] = (float(each.value), each.unit)
    return one_row(GAIT_SUMMARY, values)
