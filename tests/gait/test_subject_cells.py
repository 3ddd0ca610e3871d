"""What files tell of a subject: a row for a setting that the sheet does not have, however many sides are told."""

import openpyxl

from sheetmbs.gait.importing.subject_cells import subject_cells
from sheetmbs.gait.trial.recorded import Measure
from sheetmbs.workbook.cells.cells import open_book


def test_both_sides_of_a_measure_come_into_one_new_row(tmp_path):
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "Anthropometry"
    book.active.append(["setting", "right", "left", "value", "unit", "notes"])
    book.save(path)
    measures = [
        Measure("knee width", side, metres, label, "")
        for side, metres, label in (("left", 0.101, "LKneeWidth"), ("right", 0.102, "RKneeWidth"))
    ]
    cells = subject_cells(open_book(path), measures, {}).fillings["Anthropometry"]
    assert cells == {(2, 1): "knee width", (2, 2): 102.0, (2, 3): 101.0, (2, 5): "mm"}
