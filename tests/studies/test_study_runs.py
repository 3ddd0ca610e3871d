"""Studies run: every variant is what the closed form says."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter

import sheetmbs
from sheetmbs import design_study
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.goals import excess
from sheetmbs.studies.solving.variant_solver import in_words
from sheetmbs.studies.study_book import StudyResponse
from sheetmbs.workbook.package.package import Package
from tests.studies import study_books
from tests.studies.study_books import (
    COUNT,
    MASS,
    RATE,
    RESPONSES,
    SHEETS,
    VARIABLES,
    expected,
    run,
    sag,
    save_weight,
    study,
    study_book,
)
from tests.support.car_books import car_book
from tests.support.opened import sheet_values

LEAST_SAG = ["sag", "-first(load.y)", "minimise"]
METHODS = ("one-at-a-time", "grid", "latin-hypercube", "sobol", "tolerance")


@pytest.mark.parametrize("method", METHODS)
def test_every_variant_sags_as_the_closed_form_says(tmp_path: Path, method: str) -> None:
    results = run(study_book(tmp_path / "weight.xlsx", method, samples=16))
    assert results.variants.done.all()
    np.testing.assert_allclose(results.variants.responses[:, 0], expected(results), rtol=1e-11)
    np.testing.assert_array_equal(results.variants.values[0], [MASS, RATE])


def test_a_variant_whose_energy_does_not_balance_is_in_doubt_as_a_run_of_it_warns(tmp_path: Path) -> None:
    """A pendulum in steps of a fixed length, of which the longest does not follow it any more."""
    sheets: dict[str, list[list[object]]] = {
        "Settings": [
            ["setting", "value", "unit"],
            *(["dimension", "2D"], ["analysis", "dynamic"], ["gravity_y", -9.81, "m/s^2"], ["integrator", "rk4"]),
            *(["step", 0.001, "s"], ["t_end", 2, "s"], ["t_step", 0.2, "s"]),
        ],
        "Bodies": [["name", "mass", "inertia", "x", "y"], ["rod", 1, 0.1, 0.5, 0]],
        "Points": [["name", "body", "x", "y"], ["pivot", "", 0, 0]],
        "Joints": [["name", "type", "body_i", "body_j", "point"], ["hinge", "revolute", "ground", "rod", "pivot"]],
        "Study": study("grid"),
        "Variables": [["name", "cell", "values"], ["step", "Settings!B6", "0.001; 0.2"]],
        "Responses": [["name", "of"], ["height", "last(rod.y)"]],
    }
    book = tmp_path / "pendulum.xlsx"
    plain = xlsxwriter.Workbook(book)
    for name, rows in sheets.items():
        sheet = plain.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    plain.close()
    found = run(book)
    told = sheetmbs.run(sheetmbs.read(book, changes={"Settings!B6": 0.2})).sheets.problems
    warned = next(problem for problem in told if problem.code == "accuracy-in-doubt")
    assert found.variants.done.all()
    assert list(found.variants.doubts) == [2]
    assert found.variants.doubts[2] == f"in doubt: {in_words(warned)}"
    assert warned.cell == "Settings!B6"
    assert any("variant 2 because Settings!B6" in each for each in design_study.run_study(book, workers=1).answer)
    again = run(book, resume=True)  # from the journal
    assert again.variants.messages == found.variants.messages
    assert again.variants.done.all()


def test_listed_variants_leave_blank_cells_as_they_are(tmp_path: Path) -> None:
    rows = [["name", "mass", "rate"], ["heavy", 4.0], ["stiff", None, 1000.0], ["as sold"]]
    sheets = {"Study": study("list"), "Variables": VARIABLES, "Responses": RESPONSES, "Variants": rows}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.names == {1: "heavy", 2: "stiff", 3: "as sold"}
    np.testing.assert_allclose(results.variants.responses[1:, 0], [sag(4.0, RATE), sag(MASS, 1000.0), sag(MASS, RATE)])


def test_an_optimum_lies_where_the_closed_form_has_its_target(tmp_path: Path) -> None:
    responses = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "target", 7.5, "mm"]]
    sheets = {"Study": study("optimise"), "Variables": VARIABLES, "Responses": responses}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.best is not None
    assert results.variants.responses[results.best, 0] == pytest.approx(7.5, abs=1e-7)
    assert sag(*results.variants.values[results.best]) == pytest.approx(7.5, abs=1e-7)


def test_the_workbook_as_it_is_is_not_best_beyond_the_ranges(tmp_path: Path) -> None:
    variables = [VARIABLES[0], ["mass", "Dimensions!B2", 3.0, 4.0], VARIABLES[2]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": [["name", "of", "goal"], LEAST_SAG]}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.best is not None
    assert results.variants.values[results.best].tolist() == [3.0, 1000.0]


def test_a_pareto_front_lies_on_the_hyperbola_of_its_closed_form(tmp_path: Path) -> None:
    """Sag times the product of mass and rate is 1e3 g m^2/n: least for the lightest mass, whatever the rate."""
    pytest.importorskip("pymoo")
    own = [["what", "value"], ["mass times rate", "=Dimensions!B2*Dimensions!B3"]]
    responses = [["name", "of", "unit", "goal"], ["sag", "-first(load.y)", "mm", "minimise"]]
    responses.append(["price", "Own!B2", None, "minimise"])  # type: ignore[list-item]
    sheets = {"Study": study("pareto", budget=400), "Variables": VARIABLES, "Responses": responses, "Own": own}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=False))  # type: ignore[arg-type]
    assert results.best is None, "no variant is best where each goal counts by itself"
    front = results.variants.responses[list(results.front)]
    least = sag(1.0, 1.0)
    assert np.all(front.prod(axis=1) >= least * (1.0 - 1e-9))
    assert np.all(front.prod(axis=1) <= 1.05 * least)
    stiffest, softest = sag(1.0, 1000.0), sag(1.0, 250.0)
    assert front[:, 0].min() < stiffest + 0.1 * (softest - stiffest)
    assert front[:, 0].max() > softest - 0.1 * (softest - stiffest)
    assert np.diff(np.sort(front[:, 0])).max() < 0.2 * (softest - stiffest)


def test_a_variant_that_cannot_be_read_is_a_row_with_its_reason(tmp_path: Path) -> None:
    variables = [["name", "cell", "values"], ["mass", "Dimensions!B2", "1; -1; 4"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.done.tolist() == [True, True, False, True]
    assert np.isnan(results.variants.responses[2]).all()
    assert results.variants.messages[2].startswith("Bodies!B2")
    assert not results.feasible[2]


def test_a_formula_without_a_value_fails_only_variants_whose_model_reads_it(tmp_path: Path) -> None:
    root = "=SQRT(Dimensions!B2-1)"
    noted = [[*SHEETS["Bodies"][0], "notes"], [*SHEETS["Bodies"][1], root]]
    variables = [["name", "cell", "values"], ["mass", "Dimensions!B2", "0.5; 4"]]
    sheets = {"Study": study("grid"), "Variables": variables, "Responses": RESPONSES, "Own": [[root]], "Bodies": noted}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets, stores=False))  # type: ignore[arg-type]
    assert results.variants.done.all()
    np.testing.assert_allclose(results.variants.responses[:, 0], [sag(mass, RATE) for mass in (MASS, 0.5, 4.0)])
    read = {**sheets, "Bodies": [SHEETS["Bodies"][0], ["load", "=Dimensions!B2+0*Own!A1", *SHEETS["Bodies"][1][2:]]]}
    results = run(save_weight(tmp_path / "read.xlsx", read, stores=False))  # type: ignore[arg-type]
    assert results.variants.done.tolist() == [True, False, True]
    assert results.variants.messages[1].startswith("Bodies!B2: the error #NUM!")
    assert "limit the variables that it depends on" in results.variants.messages[1]


def test_time_is_a_column_of_points_and_of_nothing_else_too(tmp_path: Path) -> None:
    settings = [*SHEETS["Settings"][:2], ["analysis", "dynamic"], ["t_end", 0.2], ["t_step", 0.1], ["gravity_y", -10.0]]
    variables = [["name", "cell", "values"], ["end", "Settings!B4", "0.1; 0.4"]]
    asked = [["name", "of"], ["height", "at(hook.y, time, 0.1)"], ["end of it", "last(time)"]]
    sheets = {"Settings": settings, "Study": study("grid"), "Variables": variables, "Responses": asked}
    results = run(save_weight(tmp_path / "weight.xlsx", sheets))  # type: ignore[arg-type]
    assert results.variants.done.all()
    omega = np.sqrt(COUNT * RATE / MASS)
    height = 1e-3 * sag(MASS, RATE) * (np.cos(0.1 * omega) - 1.0)
    np.testing.assert_allclose(results.variants.responses, [[height, end] for end in (0.2, 0.1, 0.4)], rtol=1e-6)


def test_curves_are_kept_of_the_file_of_the_best_and_of_others(tmp_path: Path) -> None:
    book = swinging_book(tmp_path / "swing.xlsx", keep=3)
    results = run(book)
    kept = sorted({curve.variant for curve in results.curves})
    assert len(kept) == 3
    assert {0, results.best} <= {*kept}
    for curve in results.curves:
        mass = results.variants.values[curve.variant, 0]
        sagged = 1e-3 * sag(mass, RATE)
        rate = np.sqrt(RATE * 2.0 / mass)
        np.testing.assert_allclose(curve.y, -sagged * (1.0 - np.cos(rate * curve.x)), atol=1e-5 * sagged)


def swinging_book(path: Path, keep: int) -> Path:
    """The weight let go from the unloaded springs: y = -m g / K (1 - cos(sqrt(K/m) t))."""
    settings = [*study_books.SHEETS["Settings"][:2], ["analysis", "dynamic"], study_books.SHEETS["Settings"][3]]
    settings += [["t_end", 0.5, "s"], ["t_step", 0.01, "s"], ["rtol", 1e-10]]
    responses = [["name", "of", "goal"], ["lowest", "-min(load.y)", "minimise"]]
    sheets = {
        "Settings": settings,
        "Study": study("grid", keep=keep),
        "Variables": VARIABLES[:2],
        "Responses": responses,
    }
    return save_weight(path, sheets)  # type: ignore[arg-type]


def cells_of_inputs(path: Path) -> dict[str, bytes]:
    """The XML of all cells of the sheets whose names do not begin with mbs, by name."""
    with zipfile.ZipFile(path) as archive:
        texts = {sheet.name: archive.read(sheet.part) for sheet in Package(path).sheets}
    return {
        name: text[text.index(b"<sheetData") : text.index(b"</sheetData>")]
        for name, text in texts.items()
        if not name.startswith("mbs ")
    }


def test_a_study_leaves_every_input_sheet_as_it_was(tmp_path: Path) -> None:
    goals = [["name", "of", "goal", "unit"], ["sag", "-first(load.y)", "minimise", "mm"]]
    book = save_weight(
        tmp_path / "weight.xlsx",
        {"Study": study("grid"), "Variables": VARIABLES, "Responses": goals},  # type: ignore[arg-type]
    )
    before = cells_of_inputs(book)
    found = design_study.run_study(book, workers=1)
    assert found.found.best not in (None, 0)
    found.save()
    assert cells_of_inputs(book) == before
    values = openpyxl.load_workbook(book, data_only=True)
    assert [values["Dimensions"][cell].value for cell in ("B2", "B3")] == [MASS, RATE]
    assert [name for name in values.sheetnames if name not in before] == [
        "mbs Study Summary",
        "mbs Study Charts",
        "mbs Study",
        "mbs Study Curves",
    ]


def test_a_kept_curve_is_the_result_column_of_a_plain_run_of_its_variant(tmp_path: Path) -> None:
    book = swinging_book(tmp_path / "swing.xlsx", keep=3)
    found = design_study.run_study(book, workers=1)
    found.save()
    rows = sheet_values(book, "mbs Study Curves")
    columns = dict(zip(rows[0], zip(*rows[2:], strict=True), strict=True))
    kept = sorted({curve.variant for curve in found.found.curves})
    assert len(kept) == 3
    for number in kept:
        copy = tmp_path / f"{number}.xlsx"
        design_study.apply_variant(book, number, copy)
        table = sheetmbs.run(sheetmbs.read(copy)).bodies
        np.testing.assert_array_equal(columns["time"], table["time"])
        np.testing.assert_array_equal(columns[f"load.y of {number}"], table["load.y"])


def test_a_column_of_one_row_is_a_response_as_it_stands(tmp_path: Path) -> None:
    """Of a state of rest, a load case or the pose at design, where max, min and mean are the same."""
    responses = [["name", "of", "unit"], ["sag", "-load.y", "mm"], ["sag again", "-max(load.y)", "mm"]]
    path = save_weight(tmp_path / "w.xlsx", {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses})
    found = run(path)
    assert found.variants.responses[:, 0] == pytest.approx(found.variants.responses[:, 1], rel=1e-15)
    assert found.variants.responses[:, 0] == pytest.approx(expected(found), rel=1e-9)


def test_a_load_case_without_a_pose_fails_no_study_that_does_not_ask_for_it(tmp_path: Path) -> None:
    """A car on stilts rolls over in the default case of 1.6 g, as many do; run gives the rest, and so does the study."""
    sheets = {
        "Study": [("setting", "value"), ("method", "one-at-a-time")],
        "Variables": [("name", "cell", "low", "high"), ("height", "Hardpoints!E5", 115, 125)],
        "Responses": [("name", "of", "case"), ("camber", "FL.camber", ""), ("rod", "'FL.push-rod'", "static 1 g")],
    }
    path = car_book(tmp_path / "car.xlsx", {"cg height": ("600 mm",)}, others=sheets)
    assert np.isfinite(run(path).variants.responses).all()
    sheets["Responses"].append(("outer", "'FR.push-rod'", "cornering left 1.6 g"))
    path = car_book(tmp_path / "asked.xlsx", {"cg height": ("600 mm",)}, others=sheets)
    with pytest.raises(WorkbookError, match="the car rolls over"):
        run(path)


def test_a_cell_that_reads_two_sweeps_is_a_response(tmp_path: Path) -> None:
    sheets = {
        "Study": [("setting", "value"), ("method", "one-at-a-time")],
        "Variables": [("name", "cell", "low", "high"), ("height", "Hardpoints!E5", 115, 125)],
        "Responses": [
            ("name", "of", "case"),
            ("both", "Own!A1", ""),
            ("in heave", "max(FL.camber)", "heave"),
            ("in roll", "max(FL.camber)", "roll"),
        ],
        "Own": [("=SUM(B1:B2)", "=MAX(" + _column("heave") + ")"), (None, "=MAX(" + _column("roll") + ")")],
    }
    both, heave, roll = run(car_book(tmp_path / "car.xlsx", others=sheets)).variants.responses.T
    np.testing.assert_allclose(both, heave + roll, rtol=1e-12)
    assert np.all(heave != roll)


def _column(sweep: str) -> str:
    """The camber of a sweep as a spreadsheet finds it by its header."""
    sheet = f"'mbs Sweep {sweep}'!"
    return f'INDEX({sheet}A3:CZ99,0,MATCH("FL.camber",{sheet}A1:CZ1,0))'


@pytest.mark.parametrize(
    ("goal", "limit", "beyond"),
    [("at most", 4.6, 4.6000000000000005), ("at least", 47.77, 47.76999999999877), ("at least", 0.0, -1e-13)],
)
def test_a_limit_has_room_for_rounding_and_for_no_more(goal: str, limit: float, beyond: float) -> None:
    response = StudyResponse("r", "r", goal=goal, value=limit)
    sign = 1.0 if goal == "at most" else -1.0
    found = excess(response, limit, np.array([beyond, limit, limit + 1e-6 * sign, limit - sign, np.nan]))
    assert (found <= 0.0).tolist() == [True, True, False, True, False]


@pytest.mark.parametrize(("budget", "is_spent"), [(14, True), (400, False)])
def test_a_search_that_its_budget_ends_says_so(tmp_path: Path, budget: int, *, is_spent: bool) -> None:
    responses = [["name", "of", "unit", "goal", "value"], ["sag", "-first(load.y)", "mm", "target", 17.0]]
    sheets = {"Study": study("optimise", budget=budget), "Variables": VARIABLES, "Responses": responses}
    found = design_study.run_study(save_weight(tmp_path / "weight.xlsx", sheets), workers=1)
    assert found.found.is_spent == is_spent
    assert ("The budget of 14 variants is used up" in " ".join(found.answer)) == is_spent


@pytest.mark.parametrize(
    ("of", "unit", "per_sag"),
    [
        ("sqrt(first(load.x)^2 + first(load.y)^2)", "mm", 1.0),
        ("(first(load.x)*first(load.x) + first(load.y)*first(load.y))^0.5", "cm", 0.1),
        ("sqrt((2*first(load.y))^2)", "mm", 2.0),
        ("first(load.y)^3/first(load.y)^2", "mm", -1.0),
        ("sqrt(first(load.y)^2*first(load.y)^2)/first(load.y)", "mm", -1.0),
    ],
)
def test_powers_and_roots_have_units(tmp_path: Path, of: str, unit: str, per_sag: float) -> None:
    responses = [["name", "of", "unit"], ["r", of, unit], ["sag", "-first(load.y)", "mm"]]
    sheets = {"Study": study("grid"), "Variables": VARIABLES, "Responses": responses}
    found, hung = run(save_weight(tmp_path / "weight.xlsx", sheets)).variants.responses.T
    np.testing.assert_allclose(found, per_sag * hung, rtol=1e-12)
