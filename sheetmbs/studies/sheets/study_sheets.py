"""All result sheets of a study."""

from __future__ import annotations

from sheetmbs.studies.sheets.answer import answer, computed_formulas
from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.study_charts import study_charts
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_table import study_table
from sheetmbs.studies.sheets.summary_blocks import (
    best_block,
    effects_block,
    failures_block,
    listed_block,
    method_blocks,
    responses_block,
)
from sheetmbs.studies.study_results import StudyResults
from sheetmbs.workbook.sheets.list_pages import summary_listing
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import STUDY, STUDY_CHARTS, STUDY_CURVES, STUDY_SUMMARY, ResultSheets


def study_sheets(results: StudyResults) -> ResultSheets:
    """What stands on the sheets of a study, to be written beside those of an ordinary run."""
    analysis = StudyAnalysis(results)
    columns = DrawnColumns()
    pages = (_summary(analysis), study_charts(analysis, columns), columns.page())
    return ResultSheets(
        (),
        (study_table(results),),
        pages=tuple(page for page in pages if page is not None),
        first=(STUDY_SUMMARY, STUDY_CHARTS, STUDY, STUDY_CURVES),
        is_study=True,
    )


def _summary(analysis: StudyAnalysis) -> Page:
    """The sheet `mbs Study Summary`: the answer in sentences, and the numbers behind it."""
    blocks = (
        *(*best_block(analysis), *listed_block(analysis), responses_block(analysis)),
        *(*method_blocks(analysis), *effects_block(analysis), *failures_block(analysis)),
    )
    return summary_listing(STUDY_SUMMARY, "Study", [*answer(analysis), *computed_formulas(analysis)], list(blocks))
