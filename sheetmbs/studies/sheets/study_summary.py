"""The sheet `mbs Study Summary`: the answer of a study in words, and the numbers behind it."""

from __future__ import annotations

from sheetmbs.studies.sheets.answer import answer
from sheetmbs.studies.sheets.method_blocks import method_blocks
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.summary_blocks import (
    best_block,
    effects_block,
    failures_block,
    listed_block,
    responses_block,
)
from sheetmbs.workbook.sheets.list_pages import summary_listing
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import STUDY_SUMMARY

TITLE = "Study"


def study_summary(told: StudyAnalysis) -> Page:
    """Contents of the page `mbs Study Summary`."""
    blocks = [*best_block(told), *listed_block(told), responses_block(told), *method_blocks(told), *effects_block(told)]
    return summary_listing(STUDY_SUMMARY, TITLE, answer(told), [*blocks, *failures_block(told)])
