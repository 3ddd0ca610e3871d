"""Sound workbooks with other words in them."""

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.support.planar_books import column_of, saved


def problems_of(book, tmp_path):
    """All that is said of a workbook, as (code, cell, mend)."""
    try:
        found = read_model(saved(book, tmp_path)).warnings
    except WorkbookError as error:
        found = error.problems
    return [(problem.code, problem.cell, problem.mend) for problem in found]


def rename(book, sheet, header, new):
    book[sheet].cell(1, column_of(book, sheet, header)).value = new
