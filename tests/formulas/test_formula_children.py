"""Child processes that compute formulas: few live at a time, and one that had to end answers again."""

import openpyxl
import pytest

from sheetmbs.formulas import formula_library
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.schema.cell import Place
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.cells.written_book import written_book


def formulas_of(folder, number):
    """The formulas of a workbook in which A2 is its number plus one."""
    path = folder / f"{number}.xlsx"
    book = openpyxl.Workbook()
    book.active["A1"] = number
    book.active["A2"] = "=A1+1"
    book.save(path)
    return WorkbookFormulas(written_book(open_book(path)))


def alive():
    return [child for each in formula_library._alive if (child := each()) is not None and child.close.alive]


@pytest.mark.parametrize("count", [2 * formula_library.MAX_CHILDREN])
def test_few_children_live_and_those_that_ended_answer_again(tmp_path, count):
    books = [formulas_of(tmp_path, number) for number in range(count)]
    place = Place("Sheet", 2, 1)
    for _ in range(2):
        assert [book.values([place]) for book in books] == [[number + 1.0] for number in range(count)]
        assert len(alive()) <= formula_library.MAX_CHILDREN
