"""Studies through the user's own formulas: cells as responses, which may read the result sheets of each variant."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.study_results import StudyResults
from tests.studies.study_books import COUNT, GRAVITY, RATE, SHEETS, VARIABLES, Value, save_weight, study
from tests.support.books import save


def run(path: Path) -> StudyResults:
    """The study of a workbook, in this process."""
    return run_study(path, path.read_bytes(), StudyOptions(workers=1))


def test_a_cell_of_the_users_is_a_response_through_its_formula(tmp_path: Path) -> None:
    own = [["what", "value"], ["energy per spring", "=Dimensions!B2*Dimensions!B3"]]
    responses = [["name", "of"], ["own", "Own!B2"], ["sag", "-first(load.y)"]]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses, "Own": own}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=True))  # type: ignore[arg-type]
    np.testing.assert_allclose(results.variants.responses[:, 0], results.variants.values.prod(axis=1), rtol=1e-14)


def test_an_error_in_a_cell_on_which_nothing_depends_fails_no_variant(tmp_path: Path) -> None:
    own = [["what", "value"], ["of one rate alone", "=1/(Dimensions!B3-250)"]]
    responses = [["name", "of"], ["sag", "-first(load.y)"]]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses, "Own": own}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=False))  # type: ignore[arg-type]
    assert 250.0 in results.variants.values[:, 1]
    assert not np.isnan(results.variants.responses).any()


FALLING: list[list[Value]] = [*SHEETS["Settings"][:2], ["analysis", "dynamic"], ["t_end", 0.2], ["t_step", 0.1]]


def watched(path: Path, formulas: list[str], responses: list[list[Value]]) -> Path:
    """The weight moving, with a study of how long it is watched, and formulas on a sheet of the user's."""
    sheets = {
        "Settings": FALLING,
        "Study": study("grid"),
        "Variables": [["name", "cell", "values"], ["end", "Settings!B4", "0.1; 0.4"]],
        "Responses": [["name", "of"], *responses],
        "Own": [[formula] for formula in formulas],
    }
    return save_weight(path, sheets, stores=False)  # type: ignore[arg-type]


def with_results(path: Path, formulas: list[str], responses: list[list[Value]]) -> Path:
    """The same with the result sheets of a run, which the formulas read."""
    sheetmbs.run(sheetmbs.read(watched(path, formulas, responses))).save(path)
    return path


def test_formulas_read_result_sheets_that_no_run_has_written_yet(tmp_path: Path) -> None:
    formulas = [
        "=COUNT('mbs Bodies'!A:A)+MATCH(\"load.y\",'MBS bodies'!1:1,0)",
        "=INDIRECT(\"'mbs Bodies'!A4\")-MIN(heights)",
        "=IF('mbs Bodies'!A2=\"s\",MAX('mbs Springs'!B3:B99),0)",
    ]
    responses = [[f"own {k}", f"Own!A{k}"] for k in range(1, 4)]
    found = []
    for make in (watched, with_results):
        path = make(tmp_path / f"{make.__name__}.xlsx", formulas, responses)
        book = openpyxl.load_workbook(path)
        book.defined_names["heights"] = DefinedName("heights", attr_text="'mbs Bodies'!$C$3:$C$99")
        book.save(path)
        assert ("mbs Bodies" in book.sheetnames) == (make is with_results)
        found.append(run(path).variants)
    np.testing.assert_array_equal(found[0].responses, found[1].responses)
    assert found[0].responses[:, 0].tolist() == [3 + 3, 2 + 3, 5 + 3]
    assert np.all(found[0].responses[:, 1:] > 0.0)


def test_formulas_see_the_result_sheets_of_each_variant_with_as_many_rows_as_it_has(tmp_path: Path) -> None:
    formulas = [
        "=COUNT('mbs Bodies'!A:A)",
        "=MAX('mbs Bodies'!A3:A1000)",
        "=SUM(OFFSET('mbs Bodies'!$A$1,2,0,9,1))",
        "=INDIRECT(\"'mbs Bodies'!A4\")-A2",
    ]
    responses = [[f"own {k}", f"Own!A{k}"] for k in range(1, 5)]
    results = run(with_results(tmp_path / "weight.xlsx", formulas, responses))
    end = results.variants.values[:, 0]
    assert end.tolist() == [0.2, 0.1, 0.4]
    rows = np.round(end / 0.1) + 1
    expected = np.column_stack([rows, end, 0.1 * rows * (rows - 1) / 2, 0.1 - end])
    np.testing.assert_allclose(results.variants.responses, expected, rtol=1e-12, atol=1e-15)


def test_formulas_see_the_columns_that_stand_in_the_file_whatever_the_order_of_new_results(tmp_path: Path) -> None:
    responses: list[list[Value]] = [["own", "Own!A1"], ["lowest", "min(load.y)"]]
    path = with_results(tmp_path / "weight.xlsx", ["=MIN('mbs Bodies'!B3:B1000)"], responses)
    book = openpyxl.load_workbook(path)
    sheet = book["mbs Bodies"]
    assert [cell.value for cell in sheet[1]][1:3] == ["load.x", "load.y"]
    for x, y in zip(sheet["B"], sheet["C"], strict=True):
        x.value, y.value = y.value, x.value
    book.save(path)
    own, lowest = run(path).variants.responses.T
    assert np.all(own < -1e-3)
    np.testing.assert_array_equal(own, lowest)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("=LEN('mbs Summary'!B3)", "only cells of mbs Bodies"),
        ("='mbs Bodies'!ZZ5*1", "not below the header of a result column"),
        ("='mbs Points2'!A5*1", "run the workbook first"),
    ],
)
def test_what_formulas_cannot_follow_through_variants_is_told(tmp_path: Path, formula: str, words: str) -> None:
    with pytest.raises(WorkbookError, match=words):
        run(with_results(tmp_path / "weight.xlsx", [formula], [["own", "Own!A1"]]))


def test_a_model_that_reads_result_sheets_sees_those_of_the_file_in_every_variant(tmp_path: Path) -> None:
    sheets = {
        "Bodies": [["name", "mass", "inertia", "x", "y"], ["load", "=Dimensions!B2-'mbs Bodies'!C3", 0.1, 0.0, 0.0]],
        "Study": study("list"),
        "Variables": [["name", "cell"], ["mass", "Dimensions!B2"]],
        "Variants": [["name", "mass"], ["light", 1.0], ["heavy", 4.0], ["light again", 1.0]],
        "Responses": [["name", "of"], ["own", "Own!A1"], ["height", "first(load.y)"]],
        "Own": [["='mbs Bodies'!C3*1"]],
    }
    first = {**sheets, "Bodies": SHEETS["Bodies"], "Own": [[None]]}
    path = save_weight(tmp_path / "weight.xlsx", first, stores=False)  # type: ignore[arg-type]
    sheetmbs.run(sheetmbs.read(path)).save(path)
    book = openpyxl.load_workbook(path)
    book["Bodies"]["B2"].value, book["Own"]["A1"].value = sheets["Bodies"][1][1], sheets["Own"][0][0]
    held = book["mbs Bodies"]["C3"].value
    book.save(path)
    own, height = run(path).variants.responses.T
    masses = np.array([2.0, 1.0, 4.0, 1.0]) - held
    np.testing.assert_allclose(height, -masses * GRAVITY / (RATE * COUNT), rtol=1e-9)
    np.testing.assert_array_equal(own, height)


def test_values_that_a_run_has_overtaken_are_no_fault_of_the_formula(tmp_path: Path) -> None:
    path = with_results(
        tmp_path / "weight.xlsx", ["=MIN('mbs Bodies'!C3:C99)"], [["own", "Own!A1"], ["y", "min(load.y)"]]
    )
    with zipfile.ZipFile(path) as archive:
        package = {name: archive.read(name) for name in archive.namelist()}
    (sheet,) = [name for name, data in package.items() if b"MIN(" in data]
    package[sheet] = re.sub(
        rb"(<f>MIN[^<]*</f>)<v>[^<]*</v>|(<f>MIN[^<]*</f>)<v ?/>", rb"\1\2<v>-77</v>", package[sheet]
    )
    assert b"<v>-77</v>" in package[sheet]
    assert b'fullCalcOnLoad="1"' in package["xl/workbook.xml"]
    save(path, package)
    own, lowest = run(path).variants.responses.T
    np.testing.assert_array_equal(own, lowest)
    package["xl/workbook.xml"] = package["xl/workbook.xml"].replace(b' fullCalcOnLoad="1"', b"")
    save(path, package)
    with pytest.raises(WorkbookError, match="formula-differs"):
        run(path)
