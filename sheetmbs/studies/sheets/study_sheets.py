"""All result sheets of a study."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.studies.sheets.answer import answer, computed_formulas, next_step
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
from sheetmbs.workbook.sheets.page_contents import Page, PageCell
from sheetmbs.workbook.sheets.sheet_contents import STUDY, STUDY_CHARTS, STUDY_CURVES, STUDY_SUMMARY, ResultSheets
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

NEXT_STEP, THIS_FILE = "Next step", "THIS-FILE.xlsx"
"""title of the last rows, and how they call the workbook: its bytes are the same whatever its name, the terminal has that"""


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
    """The sheet `mbs Study Summary`: the answer in sentences, the numbers behind it, and what to do next."""
    blocks = (
        *(*best_block(analysis), *listed_block(analysis), responses_block(analysis)),
        *(*method_blocks(analysis), *effects_block(analysis), *failures_block(analysis)),
    )
    sentences = [*answer(analysis), *computed_formulas(analysis)]
    return _with_next_step(
        summary_listing(STUDY_SUMMARY, "Study", sentences, list(blocks)), *next_step(analysis, THIS_FILE)
    )


def _with_next_step(page: Page, sentence: str, variant: int | None) -> Page:
    """The page with what to do next as its last rows, and a link to the row of the variant that this is about."""
    row, columns = page.size[0] + 2, page.size[1]
    cells = [PageCell(row, 1, NEXT_STEP, "item head"), PageCell(row + 1, 1, sentence, "told", columns)]
    if variant is not None:
        place = f"{STUDY}!A{FIRST_DATA_ROW + variant}"
        cells.append(PageCell(row + 2, 1, f"variant {variant}: {place}", "link", link=place))
    return replace(page, cells=(*page.cells, *cells), size=(cells[-1].row, columns))
