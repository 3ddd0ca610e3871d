"""An error never advises the name of the very row that is wrong."""

import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.writing.new_workbook import new_book


def test_a_joint_centre_is_not_advised_to_be_made_of_itself(tmp_path):
    path = tmp_path / "walk.xlsx"
    new_book("gait-3d", path)
    book = openpyxl.load_workbook(path)
    sheet = book["Joint centres"]
    heads = {str(cell.value).split(" [")[0]: cell.column for cell in sheet[1]}
    row = next(cells[0].row for cells in sheet.iter_rows() if cells[0].value == "right knee centre")
    sheet.cell(row, heads["markers"]).value = "right knee; right knee center"
    book.save(path)
    with pytest.raises(WorkbookError) as told:
        run_gait(path)
    (problem,) = [each for each in told.value.problems if each.code == "unknown-marker"]
    assert "right knee center" in problem.found
    assert "right knee centre" not in problem.mend
