"""All result sheets of a study."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.schema.table import Table
from sheetmbs.studies.sheets.answer import answer, computed_formulas, next_step
from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.fit_page import fit_page
from sheetmbs.studies.sheets.fit_tables import fit_tables
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
from sheetmbs.studies.sheets.uncertainty_table import uncertainty_table
from sheetmbs.studies.study_results import StudyResults
from sheetmbs.workbook.sheets.list_pages import summary_listing
from sheetmbs.workbook.sheets.page_contents import Page, PageCell
from sheetmbs.workbook.sheets.sheet_contents import (
    FIT,
    STUDY,
    STUDY_CHARTS,
    STUDY_CURVES,
    STUDY_SUMMARY,
    ResultSheets,
)
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

NEXT_STEP, THIS_FILE = "Next step", "THIS-FILE.xlsx"
"""title of the last rows, and how they call the workbook: its bytes are the same whatever its name, the terminal has that"""


def study_sheets(results: StudyResults) -> ResultSheets:
    """What stands on the sheets of a study, to be written beside those of an ordinary run."""
    analysis = StudyAnalysis(results)
    columns = DrawnColumns()
    own, tables = _of_derivatives(results, columns)
    pages = (_summary(analysis), *own, study_charts(analysis, columns), columns.page())
    names = tuple(table.name for table in tables)
    return ResultSheets(
        (),
        (study_table(results), *tables),
        pages=tuple(page for page in pages if page is not None),
        first=(STUDY_SUMMARY, FIT, *names, STUDY_CHARTS, STUDY, STUDY_CURVES),
        is_study=True,
    )


def _of_derivatives(results: StudyResults, columns: DrawnColumns) -> tuple[tuple[Page, ...], tuple[Table, ...]]:
    """What a fit and a linear tolerance have of their own."""
    if results.fit is not None:
        return (fit_page(results.fit, results.study, columns),), fit_tables(results.fit, results.study)
    if results.uncertainty is not None:
        return (), (uncertainty_table(results.uncertainty, results.study),)
    return (), ()


def _summary(analysis: StudyAnalysis) -> Page:
    """The sheet `mbs Study Summary`: the answer in sentences, the numbers behind it, and what to do next."""
    of_variants = (*method_blocks(analysis), *effects_block(analysis))
    blocks = (
        *(*best_block(analysis), *listed_block(analysis), responses_block(analysis)),
        *(*(() if analysis.results.is_by_derivatives else of_variants), *failures_block(analysis)),
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
