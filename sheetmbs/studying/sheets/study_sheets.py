"""All result sheets of a study."""

from __future__ import annotations

from sheetmbs.studying.sheets.drawn_columns import DrawnColumns
from sheetmbs.studying.sheets.study_charts import study_charts
from sheetmbs.studying.sheets.study_summary import study_summary
from sheetmbs.studying.sheets.study_table import study_table
from sheetmbs.studying.sheets.told_study import ToldStudy
from sheetmbs.studying.study_results import StudyResults
from sheetmbs.workbook.sheets.sheet_contents import STUDY, STUDY_CHARTS, STUDY_CURVES, STUDY_SUMMARY, ResultSheets


def study_sheets(results: StudyResults) -> ResultSheets:
    """What stands on the sheets of a study, to be written beside those of an ordinary run."""
    told = ToldStudy(results)
    columns = DrawnColumns()
    pages = (study_summary(told), study_charts(told, columns), columns.page())
    return ResultSheets(
        (),
        (study_table(results),),
        pages=tuple(page for page in pages if page is not None),
        first=(STUDY_SUMMARY, STUDY_CHARTS, STUDY, STUDY_CURVES),
        is_study=True,
    )
