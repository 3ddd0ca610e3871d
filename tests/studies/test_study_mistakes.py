"""Mistakes in the sheets of a study: each is told at its cell, with the rule and the mend."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.workbook.cells.cells import open_book
from tests.studies import study_books
from tests.studies.study_books import (
    MASS,
    RATE,
    RESPONSES,
    SHEETS,
    VARIABLES,
    Value,
    sag,
    save_weight,
    study,
    study_book,
)

NAME, HEAD = VARIABLES[0], [*VARIABLES[0], "steps", "values", "how", "distribution", "sd"]
ASKED = ["name", "of", "case", "goal", "value", "curve", "x", "weight", "unit"]


def told(tmp_path: Path, method: str = "grid", **sheets: object) -> tuple[str, str]:
    """The cell of the first problem, and all problems as text."""
    given = {"Study": study(method), "Variables": VARIABLES, "Responses": RESPONSES, **sheets}
    path = save_weight(tmp_path / "weight.xlsx", given)  # type: ignore[arg-type]
    with pytest.raises(WorkbookError) as caught:
        VariantSolver(open_book(path))
    return caught.value.problems[0].cell, str(caught.value)


@pytest.mark.parametrize(
    ("row", "cell", "words"),
    [
        (["mass", "Bodies!B2", 1, 4], "Variables!B2", "vary the cells that it depends on: Dimensions!B2"),
        (["mass", "Dimensions!A2", 1, 4], "Variables!B2", "only a number can vary"),
        (["mass", "Dimensions!B9", 1, 4], "Variables!B2", "this cell is blank"),
        (["mass", "Dimension!B2", 1, 4], "Variables!B2", "did you mean Dimensions"),
        (["mass", "Dimensions!B2:B3", 1, 4], "Variables!B2", "separated by ;"),
        (["mass", "masss", 1, 4], "Variables!B2", "the workbook defines no such name"),
        (["mass", "Dimensions!B2", 4, 1], "Variables!D2", "low is 4 and high is 1"),
        (["mass", "Dimensions!B2", 1, None], "Variables!D2", "needs low and high"),
        (["mass", "Dimensions!B2", None, 4], "Variables!C2", "needs low and high"),
        (["mass", "Dimensions!B2", 2, 2], "Variables!D2", "nothing varies"),
        (["mass", "=Dimensions!B2", 1, 4], "Variables!B2", "write Dimensions!B2 as text, without ="),
        (["mass", None, 1, 4], "Variables!B2", "cell must be filled in"),
        (["mass", "Dimensions!B2", "one", 4], "Variables!C2", "one"),
        (["mass", "Dimensions!B2", 1, 4, 1], "Variables!E2", "steps must be a whole number from 2"),
        (["mass", "Dimensions!B2", 1, 4, 2.5], "Variables!E2", "steps must be a whole number from 2"),
        (["mass", "Dimensions!B2", None, None, None, "1; 2,5"], "Variables!F2", "numbers separated by ;"),
        (["mass", "Dimensions!B2", 1, 4, None, None, "percents"], "Variables!G2", "did you mean percent"),
        (["mass", "Dimensions!B2; Dimensions!B2", 1, 4], "Variables!B2", "also varies the cell Dimensions!B2"),
        (["mass", "Dimensions!B2, Dimensions!B3", 1, 4], "Variables!B2", "separate several cells by ;"),
        (["mass", "weight", 1, 4], "Variables!B2", "write an address such as"),  # no advice to vary Variables!C2
    ],
)
def test_a_variable_that_cannot_vary_is_told_at_its_cell(
    tmp_path: Path, row: list[Value], cell: str, words: str
) -> None:
    found, text = told(tmp_path, Variables=[HEAD, row])
    assert found == cell
    assert words in text


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("Dimensions!B9", "this cell is blank, and a response is a number"),
        ("Dimensions!A2", "this cell holds"),
        ("Dimension!B2", "did you mean Dimensions"),
        ("mbs Bodies!B7", "there is no sheet mbs Bodies"),
        ("'mbs Bodies'!B7", "there is no sheet mbs Bodies"),
        ("2*Dimensions!B2", "write the formula into a cell of your own, and name that cell"),
    ],
)
def test_a_response_that_names_no_cell_with_a_number_is_told_at_its_cell(tmp_path: Path, of: str, words: str) -> None:
    found, text = told(tmp_path, Responses=[ASKED[:2], ["sag", of]])
    assert found == "Responses!B2"
    assert words in text


def test_a_range_in_percent_that_is_formatted_as_percent_too_is_told(tmp_path: Path) -> None:
    path = save_weight(
        tmp_path / "weight.xlsx",
        {
            "Study": study("grid"),
            "Variables": [HEAD, ["mass", "Dimensions!B2", -0.1, 0.1, None, None, "percent"]],
            "Responses": RESPONSES,
        },
    )
    book = load_workbook(path)
    book["Variables"]["C2"].number_format = book["Variables"]["D2"].number_format = "0%"
    book.save(path)
    with pytest.raises(WorkbookError) as caught:
        VariantSolver(open_book(path))
    assert [problem.cell for problem in caught.value.problems] == ["Variables!C2", "Variables!D2"]
    assert "enter -10 in a cell formatted as a number" in caught.value.problems[0].mend


@pytest.mark.parametrize("distribution", [None, "uniform", "triangular", "normal"])
def test_a_standard_deviation_that_counts_for_nothing_is_told(tmp_path: Path, distribution: str | None) -> None:
    row: list[Value] = ["mass", "Dimensions!B2", 1, 4, None, None, None, distribution, 0.5]
    path = save_weight(
        tmp_path / "weight.xlsx", {"Study": study("tolerance"), "Variables": [HEAD, row], "Responses": RESPONSES}
    )
    warnings = VariantSolver(open_book(path)).warnings
    assert [(problem.cell, problem.code) for problem in warnings] == (
        [] if distribution == "normal" else [("Variables!I2", "unused-value")]
    )


def test_an_address_without_its_sheet_is_told_with_one_that_holds_a_number(tmp_path: Path) -> None:
    found, text = told(tmp_path, "grid", Variables=[HEAD, ["rate", "B3", 1, 4]])
    assert found == "Variables!B2"
    assert "for example Dimensions!B3" in text


@pytest.mark.parametrize("distribution", ["normal", "triangular"])
def test_a_peak_beyond_the_ends_of_its_distribution_is_told(tmp_path: Path, distribution: str) -> None:
    row = ["mass", "Dimensions!B2", -0.1, 0.1, None, None, None, distribution, 0.05]  # changes, and how says values
    found, text = told(tmp_path, "tolerance", Variables=[HEAD, row])
    assert found == "Variables!C2"
    assert "has its peak at the value of the cell, 2, and low ends it at -0.1 and high ends it at 0.1" in text
    assert "set how to offset" in text


@pytest.mark.parametrize(
    ("row", "cell", "words"),
    [
        (["sag", "first(lod.y)"], "Responses!B2", "did you mean load.y"),
        (["sag", "load.y", "bumpp"], "Responses!", "bumpp"),
        (["sag", "first(load.y)", None, "smallest"], "Responses!D2", "smallest"),
        (["sag", "first(load.y)", None, "at most"], "Responses!E2", "needs a limit"),
        (["sag", "first(load.y)", None, "target"], "Responses!E2", "the goal target needs a value or a curve"),
        (["sag", "first(load.y)", None, "minimise", 3], "Responses!E2", "a value has no effect with the goal minimise"),
        (["sag", "first(load.y)", None, "target", 1, "wished"], "Responses!F2", "wished"),
        (
            ["sag", "first(load.y)", None, "minimise", None, None, None, -1],
            "Responses!H2",
            "a weight must be greater than 0",
        ),
        (
            ["sag", "first(load.y)", None, None, None, None, None, None, "N"],
            "Responses!",
            "which measures something else than N",
        ),
        (["sag", None], "Responses!B2", "of must be filled in"),
        (["sag", "Dimensions!B2:B4"], "Responses!B2", "a response is one number"),
        (["sag", "=Dimensions!B2"], "Responses!B2", "the address of a cell as text, without ="),
        (["sag", "average(load.y)"], "Responses!B2", "write mean(column)"),
        (["sag", "max(my coil.force)"], "Responses!B2", "put the name in quotes: 'my coil.force'"),
        (["sag", "load.y", None, "target", 1, "wanted"], "Responses!E2", "a value or a curve, not both"),
        (["sag", "load.y", None, "minimise", None, "wanted"], "Curves!B1", "which is in m"),
        (["sag", "load.y", None, "minimise", None, "wanted", "load.phi"], "Curves!A1", "which is in rad"),
    ],
)
def test_a_response_that_means_nothing_is_told_at_its_cell(
    tmp_path: Path, row: list[Value], cell: str, words: str
) -> None:
    coil = ["my coil", *SHEETS["Springs"][1][1:]]
    curves = [["wanted.x [s]", "wanted.y [N]"], [0.0, 1.0], [1.0, 1.0]]
    found, text = told(tmp_path, Responses=[ASKED, row], Springs=[SHEETS["Springs"][0], coil], Curves=curves)
    assert found.startswith(cell)
    assert words in text


@pytest.mark.parametrize(
    ("method", "settings", "words"),
    [
        ("gird", {}, "did you mean grid"),
        ("optimise", {}, "an optimisation needs a goal"),
        ("pareto", {}, "a Pareto front needs two goals or more"),
        ("sobol", {"samples": 2.5}, "samples is a whole number"),
        ("sobol", {"samples": 0}, "samples must be 1 or more"),
        ("sobol", {"sample": 8}, "did you mean samples"),
        ("sensitivity", {"samples": 4}, "needs at least 8 samples"),
        ("list", {}, "add a row for each variant"),
        ("grid", {"cases": "bump; roll"}, "Study!B3  this workbook has no cases"),
        ("sobol", {"samples": 1e12}, "1,000,000,000,000 variants; a study has at most 1,000,000 variants"),
    ],
)
def test_what_a_method_cannot_do_is_told(tmp_path: Path, method: str, settings: dict[str, Value], words: str) -> None:
    _cell, text = told(tmp_path, Study=study(method, **settings))
    assert words in text


def test_an_unknown_goal_is_one_mistake(tmp_path: Path) -> None:
    _cell, text = told(tmp_path, Responses=[ASKED, ["sag", "first(load.y)", None, "<=", 3]])
    assert "Responses!D2" in text
    assert "Responses!E2" not in text


@pytest.mark.parametrize(("sheet", "near"), [("Variables", "Variable"), ("Responses", "Response")])
def test_a_sheet_of_a_study_with_nearly_its_name_is_told(tmp_path: Path, sheet: str, near: str) -> None:
    given = {"Study": study("grid"), "Variables": VARIABLES, "Responses": RESPONSES}
    given[near] = given.pop(sheet)
    with pytest.raises(WorkbookError, match=f"if the sheet '{near}' is meant, rename it {sheet}"):
        VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given)))  # type: ignore[arg-type]


def test_a_limit_that_follows_from_a_variable_is_a_warning(tmp_path: Path) -> None:
    asked = [["name", "of", "goal", "value", "unit"], ["sag", "-first(load.y)", "at most", "=Dimensions!B2*10", "mm"]]
    given = {"Study": study("grid"), "Variables": VARIABLES, "Responses": asked}
    path = save_weight(tmp_path / "weight.xlsx", given, stores=False)  # type: ignore[arg-type]
    (warning,) = VariantSolver(open_book(path)).warnings
    assert warning.cell == "Responses!D2"
    assert "it depends on the variable mass, but here it keeps" in warning.problem


def test_a_target_curve_without_units_beside_a_column_with_one_is_a_warning(tmp_path: Path) -> None:
    bodies = [["name", "mass", "inertia", "x [mm]", "y [mm]"], SHEETS["Bodies"][1]]
    settings = [*SHEETS["Settings"][:2], ["analysis", "dynamic"], ["t_end", 0.2], ["t_step", 0.1]]
    curves = [["wanted.x", "wanted.y"], [0.0, 0.0], [0.2, 0.0]]
    asked = [ASKED, ["sag", "load.y", None, "minimise", None, "wanted"]]
    sheets = {"Bodies": bodies, "Settings": settings, "Curves": curves}
    given = {"Study": study("grid"), "Variables": VARIABLES, "Responses": asked, **sheets}
    (warning,) = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given))).warnings  # type: ignore[arg-type]
    assert warning.cell == "Curves!A2"
    assert "head the column wanted.y [mm]" in warning.mend


def test_a_budget_too_small_for_the_search_is_told(tmp_path: Path) -> None:
    goals: list[list[Value]] = [ASKED, ["sag", "-first(load.y)", None, "minimise"]]
    _cell, text = told(tmp_path, Study=study("optimise", budget=5), Responses=goals)
    assert "with 2 variables this method needs at least 12 variants" in text


@pytest.mark.parametrize(
    ("sheet", "words"), [("Variables", "a study needs a cell to vary"), ("Responses", "a study needs a response")]
)
def test_an_empty_study_is_told(tmp_path: Path, sheet: str, words: str) -> None:
    head = {"Variables": NAME, "Responses": RESPONSES[0]}[sheet]
    _cell, text = told(tmp_path, **{sheet: [head]})
    assert words in text


@pytest.mark.parametrize(
    ("variables", "responses", "cell", "words"),
    [
        (["mass", "Mass"], ["sag"], "Variables!A3", "the variable at Variables!A2 has this name already"),
        (["mass", "rate"], ["sag", "SAG"], "Responses!A3", "the response at Responses!A2 has this name already"),
        (["mass", "rate"], ["Rate"], "Responses!A2", "the variable at Variables!A3 has this name already"),
        (["mass", "spring rate"], ["Spring-Rate"], "Responses!A2", "upper case, blanks, _ and - make no difference"),
        (["mass", "Number"], ["sag"], "Variables!A3", "a column of the sheet mbs Study has this name"),
        (["mass", "name"], ["sag"], "Variables!A3", "a column of the sheet mbs Study has this name"),
        (["mass", "rate"], ["status"], "Responses!A2", "a column of the sheet mbs Study has this name"),
        (["mass", "rate"], ["feasible"], "Responses!A2", "a column of the sheet mbs Study has this name"),
        (["best", "rate"], ["sag"], "Variables!A2", "a column of the sheet mbs Study has this name"),
        (["mass", "rate"], ["Message"], "Responses!A2", "a column of the sheet mbs Study has this name"),
        (["mass", "notes"], ["sag"], "Variables!A3", "a column of the sheet Variants"),
    ],
)
def test_a_name_that_would_head_two_columns_is_told(
    tmp_path: Path, variables: list[str], responses: list[str], cell: str, words: str
) -> None:
    vary = [[name, *row[1:]] for name, row in zip(variables, VARIABLES[1:], strict=True)]
    ask = [[name, "-first(load.y)"] for name in responses]
    found, text = told(tmp_path, Variables=[NAME, *vary], Responses=[["name", "of"], *ask])
    assert found == cell
    assert words in text
    assert "rename this" in text


def test_a_response_may_be_called_as_a_column_of_variants(tmp_path: Path) -> None:
    rows: list[list[Value]] = [["name", "of"], ["notes", "-first(load.y)"]]
    given = {"Study": study("grid"), "Variables": VARIABLES, "Responses": rows}
    solver = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given)))  # type: ignore[arg-type]
    assert solver.study.responses[0].name == "notes"


def test_a_curve_that_results_do_not_cover_is_told_before_the_study_runs(tmp_path: Path) -> None:
    settings: list[list[Value]] = [
        ["setting", "value", "unit"],
        ["dimension", "2D"],
        ["analysis", "dynamic"],
        ["gravity_y", -10.0, "m/s^2"],
        ["t_end", 0.2, "s"],
        ["t_step", 0.01, "s"],
    ]
    curves: list[list[Value]] = [["wished.x", "wished.y"], ["s", "m"], [0.0, 0.0], [0.5, 0.01]]
    goals: list[list[Value]] = [ASKED, ["follow", "load.y", None, "minimise", None, "wished"]]
    cell, text = told(tmp_path, Settings=settings, Curves=curves, Responses=goals)
    assert cell == "Responses!B2"
    assert "the target curve goes from 0 to 0.5, and the results only from 0 to 0.2" in text


def test_a_variable_that_nothing_depends_on_is_a_warning(tmp_path: Path) -> None:
    more = [*VARIABLES, ["idle", "Dimensions!B9", 1.0, 2.0]]
    dimensions: list[list[Value]] = [["what", "value"], ["mass", 2.0], ["rate", 500.0], ["springs", 2.0]]
    dimensions += [[None], [None], [None], [None], ["idle", 3.0]]
    given = {"Study": study("grid"), "Variables": more, "Responses": RESPONSES, "Dimensions": dimensions}
    solver = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given)))  # type: ignore[arg-type]
    (problem,) = solver.warnings
    assert problem.severity == "warning"
    assert problem.cell == "Variables!A4"
    assert "nothing that is computed depends on Dimensions!B9" in str(problem)


def test_a_correct_study_raises_no_warning(tmp_path: Path) -> None:
    assert VariantSolver(open_book(study_book(tmp_path / "weight.xlsx", "grid"))).warnings == []


def test_a_formula_whose_value_in_the_file_is_wrong_stops_the_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(study_books.RESULTS, "=Dimensions!B2*1", 3.0)
    wrong: list[list[Value]] = [["name", "mass", "inertia", "x", "y"], ["load", "=Dimensions!B2*1", 0.1, 0.0, 0.0]]
    cell, text = told(tmp_path, Bodies=wrong)
    assert cell == "Bodies!B2"
    assert "3, but its formula gives 2" in text


def test_formulas_that_change_by_themselves_stop_the_study(tmp_path: Path) -> None:
    volatile: list[list[Value]] = [
        ["name", "mass", "inertia", "x", "y"],
        ["load", "=Dimensions!B2+0*RAND()", 0.1, 0.0, 0.0],
    ]
    _cell, text = told(tmp_path, Bodies=volatile)
    assert "RAND" in text


def test_formulas_in_notes_are_nobodys_business(tmp_path: Path) -> None:
    noted: list[list[Value]] = [[*SHEETS["Bodies"][0], "Notes "], [*SHEETS["Bodies"][1], "=TODAY()"]]
    given = {"Study": study("grid"), "Variables": VARIABLES, "Responses": RESPONSES, "Bodies": noted}
    path = save_weight(tmp_path / "weight.xlsx", given)  # type: ignore[arg-type]
    assert VariantSolver(open_book(path)).warnings == []


def test_cells_that_move_together_from_different_numbers_are_a_warning(tmp_path: Path) -> None:
    rows: list[list[Value]] = [NAME, ["both", "Dimensions!B2; Dimensions!B3", 1.0, 4.0]]
    given = {"Study": study("grid"), "Variables": rows, "Responses": RESPONSES}
    solver = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given)))  # type: ignore[arg-type]
    (problem,) = solver.warnings
    assert problem.cell == "Variables!B2"
    assert "choose offset to keep their differences" in problem.mend


def test_what_nobody_reads_in_the_sheets_of_a_study_is_a_warning(tmp_path: Path) -> None:
    rows: list[list[Value]] = [[*NAME, "lowest"], [*VARIABLES[1], 3.0]]
    given = {"Study": study("grid"), "Variables": rows, "Responses": RESPONSES}
    solver = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", given)))  # type: ignore[arg-type]
    (problem,) = solver.warnings
    assert "'lowest'" in problem.found


def test_a_case_that_is_named_twice_runs_once(tmp_path: Path) -> None:
    heavy = [
        [*row, *[None] * (3 - len(row)), case]
        for row, case in zip(SHEETS["Settings"], ["case heavy", None, None, -20.0], strict=True)
    ]
    sheets = {"Settings": heavy, "Study": study("grid", cases="heavy; Heavy"), "Variables": VARIABLES}
    path = save_weight(tmp_path / "weight.xlsx", {**sheets, "Responses": RESPONSES})  # type: ignore[arg-type]
    solver = VariantSolver(open_book(path))
    assert solver.study.cases == ("heavy",)
    assert solver.solve(solver.study.as_it_is).responses == pytest.approx([2.0 * sag(MASS, RATE)])


def test_cases_with_commas_between_them_are_told(tmp_path: Path) -> None:
    settings = [[*row, *[None] * (3 - len(row)), None, None] for row in SHEETS["Settings"]]
    settings[0][3:] = ["case light", "case heavy"]
    sheets = {"Settings": settings, "Study": study("grid", cases="light, heavy")}
    cell, text = told(tmp_path, **sheets)  # type: ignore[arg-type]
    assert cell == "Study!B3"
    assert "separate cases by ;" in text


@pytest.mark.parametrize(
    ("headers", "place", "words"),
    [
        (["name", "mas", "rate"], "Variants!B1", "the header 'mas'; the header of a column of numbers is the name"),
        (["name", "mas", "rate"], "Variants!B1", "did you mean mass?"),
        (["name", "mass", "rates"], "Variants!C1", "did you mean rate?"),
        (["name", "mass", "rodd"], "Variants!C1", "write one of mass, rate, or head remarks with notes"),
        (["name", "mass", "Dimensions!B3"], "Variants!C1", "the sheet Variables has none of this name"),
        (["name", "mass", None], "Variants!C1", "no header"),
    ],
)
def test_a_column_of_numbers_on_variants_that_is_no_variable_is_an_error_at_its_header(
    tmp_path: Path, headers: list[Value], place: str, words: str
) -> None:
    cell, text = told(tmp_path, "list", Variants=[headers, ["heavy", 4.0, 300.0]])
    assert cell == place
    assert words in text
    assert text.count("Variants!") == 1, "it is told once"


def told_of_unused(tmp_path: Path, method: str, **sheets: object) -> list[tuple[str, str]]:
    """Cells and codes of what is told of a study that runs."""
    given = {"Study": study(method), "Variables": VARIABLES, "Responses": RESPONSES, **sheets}
    path = save_weight(tmp_path / "weight.xlsx", given)  # type: ignore[arg-type]
    return [(problem.cell, problem.code) for problem in VariantSolver(open_book(path)).warnings]


def test_a_column_of_a_variable_that_is_switched_off_is_told(tmp_path: Path) -> None:
    rows = [[*VARIABLES[0], "active"], [*VARIABLES[1], None], [*VARIABLES[2], "no"]]
    variants = [["name", "mass", "rate"], ["heavy", 4.0, 300.0]]
    found = told_of_unused(tmp_path, "list", Variables=rows, Variants=variants)
    assert found == [("Variants!C1", "unused-column")]


UNUSED: dict[str, tuple[str, dict[str, object], list[tuple[str, str]]]] = {
    "samples of a grid": ("grid", {"Study": study("grid", samples=9)}, [("Study!B3", "unused-setting")]),
    "budget of samples": ("sobol", {"Study": study("sobol", budget=9)}, [("Study!B3", "unused-setting")]),
    "seed of a list": (
        "list",
        {"Study": study("list", seed=9), "Variants": [["name", "mass"], ["heavy", 4.0]]},
        [("Study!B3", "unused-setting")],
    ),
    "seed of samples": ("sobol", {"Study": study("sobol", seed=9)}, []),
    "variants of a grid": ("grid", {"Variants": [["name", "mass"], ["heavy", 4.0]]}, [("Variants", "unused-setting")]),
    "steps beside values": (
        "grid",
        {"Variables": [HEAD, ["mass", "Dimensions!B2", 1, 4, 5, "1; 2"]]},
        [("Variables!E2", "unused-value")],
    ),
    "steps of samples": (
        "latin-hypercube",
        {"Variables": [HEAD, ["mass", "Dimensions!B2", 1, 4, 5]]},
        [("Variables!E2", "unused-value")],
    ),
    "a distribution of a grid": (
        "grid",
        {"Variables": [HEAD, ["mass", "Dimensions!B2", 1, 4, None, None, None, "normal", 0.5]]},
        [("Variables!H2", "unused-value"), ("Variables!I2", "unused-value")],
    ),
    "a weight without a goal": (
        "grid",
        {"Responses": [["name", "of", "weight"], ["sag", "-first(load.y)", 3]]},
        [("Responses!C2", "unused-value")],
    ),
    "a sheet of nearly that name": ("grid", {"Responses 2": RESPONSES}, [("Responses 2", "near-miss-sheet")]),
}


@pytest.mark.parametrize(("method", "sheets", "found"), UNUSED.values(), ids=UNUSED)
def test_what_a_study_does_not_read_with_its_method_is_told(
    tmp_path: Path, method: str, sheets: dict[str, object], found: list[tuple[str, str]]
) -> None:
    assert told_of_unused(tmp_path, method, **sheets) == found


def test_variants_without_a_column_of_a_variable_are_an_error(tmp_path: Path) -> None:
    cell, text = told(tmp_path, "list", Variants=[["name", "colour"], ["heavy", "red"]])
    assert cell == "Variants!A1"
    assert "no column of a variable" in text


def test_a_column_of_remarks_on_variants_is_only_warned_of(tmp_path: Path) -> None:
    rows = [["name", "mass", "colour"], ["heavy", 4.0, "red"]]
    sheets = {"Study": study("list"), "Variables": VARIABLES, "Responses": RESPONSES, "Variants": rows}
    (warning,) = VariantSolver(open_book(save_weight(tmp_path / "weight.xlsx", sheets))).warnings  # type: ignore[arg-type]
    assert warning.cell == "Variants!C1"
