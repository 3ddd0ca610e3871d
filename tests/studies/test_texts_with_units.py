"""Variables that name cells with a number and its unit, such as 25 N/mm: they vary in that unit and keep it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sheetmbs.design_study import apply_variant, run_study
from sheetmbs.live.moved_cells import MovedCells
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.workbook.cells.cells import open_book
from tests.studies.study_books import RESPONSES, SHEETS, Value, sag, save_weight, study

RATE = "Springs!G2"
HEADS, COIL = SHEETS["Springs"]
VARIED: list[list[Value]] = [["name", "cell", "values"], ["rate", RATE, "0.5; 2; 4"]]


def book(path: Path, rate: Value, variables: list[list[Value]] | None = None, **more: list[list[Value]]) -> Path:
    """The weight on springs whose rate stands in the cell itself."""
    springs = [HEADS, [*COIL[:6], rate, COIL[7]]]
    given = {"Springs": springs, "Study": study("one-at-a-time"), "Variables": variables or VARIED}
    return save_weight(path, {**given, "Responses": RESPONSES, **more})


@pytest.mark.parametrize("text", ["1 N/mm", "1N/mm", "1.0e0 N/mm"])
def test_a_rate_with_its_unit_varies_in_that_unit(tmp_path: Path, text: str) -> None:
    solver = VariantSolver(open_book(book(tmp_path / "weight.xlsx", text)))
    assert solver.study.variables[0].unit == "N/mm"
    found = [solver.solve(np.array([value])).responses[0] for value in (0.5, 2.0, 4.0)]
    assert found == pytest.approx([sag(2.0, 1e3 * value, 1.0) for value in (0.5, 2.0, 4.0)], rel=1e-9)


def test_a_variant_that_is_applied_keeps_the_unit_in_its_cell(tmp_path: Path) -> None:
    path, copy = book(tmp_path / "weight.xlsx", "1 N/mm"), tmp_path / "copy.xlsx"
    run_study(path, workers=1).save()
    apply_variant(path, 3, copy)
    assert open_book(copy).sheets["Springs"].rows.cell(2, 7).value == "4 N/mm"


def test_the_page_moves_and_writes_a_cell_in_the_unit_that_stands_in_it(tmp_path: Path) -> None:
    path = book(tmp_path / "weight.xlsx", "1 N/mm")
    assert MovedCells(path).write({RATE: 2.5}) == {"written": True, "problems": []}
    assert open_book(path).sheets["Springs"].rows.cell(2, 7).value == "2.5 N/mm"


def test_cells_of_one_variable_have_to_be_in_one_unit(tmp_path: Path) -> None:
    springs = [HEADS, [*COIL[:6], "1 N/mm", COIL[7]], ["coil 2", *COIL[1:6], "1000 N/m", COIL[7]]]
    variables: list[list[Value]] = [["name", "cell", "values"], ["rate", f"{RATE}; Springs!G3", "0.5; 2"]]
    path = book(tmp_path / "weight.xlsx", "1 N/mm", variables, Springs=springs)
    with pytest.raises(WorkbookError, match=r"Variables!B2.*different units: N/mm, N/m"):
        VariantSolver(open_book(path))


def test_a_text_that_is_no_number_with_a_unit_cannot_vary(tmp_path: Path) -> None:
    with pytest.raises(WorkbookError, match="only a number can vary"):
        VariantSolver(open_book(book(tmp_path / "weight.xlsx", "1 N per mm")))
