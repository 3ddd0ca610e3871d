"""Targets and responses of studies that name metrics of handling."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.design_study import run_study
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.handling import asked_metrics
from sheetmbs.suspension.handling.handling_metrics import METRICS
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sheets.suspension_page import judged_in_words
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.study_variants import SuspensionVariants
from sheetmbs.workbook.cells.cells import open_book
from tests.support.handling_books import read_off, student_book

ROWS = (
    ("d60", "yaw moment", "60; 80 km/h", None, None, "-4 deg", "4 deg", "2 deg", "-20 mm", "20 mm", "10 mm"),
    ("c15", "circle", None, "15 m"),
)
TARGETS = ("metric", "sweep", "x", "value", "min", "max", "tolerance")
LOADS = (("name", "ax"), ("stop", -1.0))


def book(path, targets=(), rows=ROWS, **others):
    sheets = {"Targets": [TARGETS, *targets], "Load cases": LOADS, **others}
    return student_book(path, rows, others=sheets)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    targets = (
        ("max_trimmed_ay", "d60", None, None, 1.0),
        ("Max_Trimmed_ay", None, None, None, None, 1.0),
        ("characteristic_speed", None, None, "40 m/s", None, None, "1 m/s"),
        ("roll_gradient", "c15", None, None, None, "2 deg/g"),
        ("roll_gradient", None, None, None, None, "2 deg/g"),
        ("FL.fz", "stop", None, "1 kN", None, None, "1 N"),
        ("FL.camber", "heave", None, "-1 deg"),
    )
    return run_suspension(book(tmp_path_factory.mktemp("books") / "car.xlsx", targets))


def test_a_target_is_of_the_row_that_it_names_or_of_the_first_that_has_the_metric(results):
    rows = {found.row.name: found for found in results.base.handling.found}
    named, first, speed, circle, design, load, swept = results.targets
    expected = read_off(rows["d60"], "max_trimmed_ay", 60.0 / 3.6)
    assert named.value == first.value == expected
    assert named.deviation == (0.0 if expected > 1.0 else expected - 1.0)
    assert first.target.metric == "max_trimmed_ay"
    assert (speed.value, speed.target.case) == (read_off(rows["c15"], "characteristic_speed"), "c15")
    assert circle.value == read_off(rows["c15"], "roll_gradient")
    assert design.value == results.at_design["base"]["roll_gradient"]
    assert design.target.case == "", "a value at design comes before those of rows"
    table = next(table for table in results.sheets.tables if table.name == "mbs Handling d60")
    assert load.value == results.base.loads.column("FL.fz")[0]
    assert swept.target.sweep == "heave"
    assert np.nanmax(table.values[:, table.columns.index("ay_g")]) > 0.0
    assert judged_in_words(named).startswith(f"max trimmed ay, in d60: {expected:.2f}, target at least 1")


def test_metrics_of_rows_are_those_that_their_type_declares_with_their_units(results):
    for found in results.base.handling.found:
        declared = METRICS[found.row.type]
        assert {each.metric: each.unit for each in found.read_offs}.items() <= declared.items()


@pytest.mark.parametrize(
    ("row", "cell", "said"),
    [
        (("max_trimmed_ay", "d6O", None, 1.0), "B2", "there is no such sweep, load case or row of Handling"),
        (("max_trimed_ay", "d60", None, 1.0), "A2", "max_trimmed_ay"),
        (("characteristic_speed", "d60", None, "1 m/s"), "A2", "there is no such column"),
        (("max_trimmed_ay", "d60", None, "1 m"), "D2", "unit of plain number"),
    ],
)
def test_a_wrong_name_or_unit_is_told_at_its_cell(tmp_path, row, cell, said):
    with pytest.raises(WorkbookError) as error:
        run_suspension(book(tmp_path / "car.xlsx", [row]))
    (problem,) = error.value.problems
    assert str(problem.cell) == f"Targets!{cell}"
    assert said in f"{problem.found} {problem.problem} {problem.mend}"


def test_a_column_over_which_one_value_goes_has_no_effect(tmp_path):
    found = run_suspension(book(tmp_path / "car.xlsx", [("max_trimmed_ay", "d60", "travel", 1.0)]))
    told = [each for each in found.sheets.problems if each.code == "unused-value"]
    assert [str(each.cell) for each in told] == ["Targets!C2"]


def test_a_row_of_the_name_of_a_sweep_has_the_metrics_that_the_sweep_has_not(tmp_path):
    rows = [("heave", *ROWS[0][1:])]
    targets = [("FL.camber", "heave", None, "-1 deg"), ("stability", "heave", None, -0.1)]
    over, single = run_suspension(book(tmp_path / "car.xlsx", targets, rows)).targets
    assert (over.target.sweep, single.target.sweep, single.target.case) == ("heave", "", "heave")


RESPONSES = (
    ("name", "of", "case"),
    ("ay", "max_trimmed_ay", "d60"),
    ("margin", "max_trimmed_ay - 1", None),
    ("k", "understeer_gradient", "c15"),
    ("camber", "FL.camber", None),
    ("stable", "stability", None),
)
VARIED = {
    "cg": ("Suspension", "cg height", 2),
    "bar": ("Suspension springs", "bar", 4),
    "grip": ("Tyre coefficients", "friction", 3),
}
"""of each variable its sheet, a word of its row, and its column"""
VALUES = {"cg": 0.25, "bar": 320.0, "grip": 1.3, "point": 330.0}
VARIANTS = [
    ("name", *VALUES),
    *((own, *(value if name == own else None for name in VALUES)) for own, value in VALUES.items()),
]


def cell_of(opened, sheet, word, column):
    """The cell of a column in the first row that has a word."""
    row = next(row for row in opened[sheet].iter_rows() if word in [cell.value for cell in row])
    return row[column - 1]


def cells_of(opened):
    """The cell of each variable."""
    found = {name: cell_of(opened, *place) for name, place in VARIED.items()}
    return {**found, "point": cell_of(opened, "Hardpoints", "upper ball joint", 5)}


def study_of(path):
    """A workbook with a study of its cells, which hold numbers."""
    book(path, (), ROWS, Study=[("setting", "value"), ("method", "list")], Responses=RESPONSES)
    opened = openpyxl.load_workbook(path)
    cells = cells_of(opened)
    cells["cg"].value, cells["bar"].value = 0.29, 200.0
    for name, rows in (("Variables", [("name", "cell")]), ("Variants", VARIANTS)):
        sheet = opened.create_sheet(name)
        for row in rows:
            sheet.append(row)
    for name, cell in cells.items():
        opened["Variables"].append((name, f"'{cell.parent.title}'!{cell.coordinate}"))
    opened.save(path)
    return path


def responses(path):
    """What the responses are in a plain run of a workbook."""
    run = run_suspension(path)
    rows = {found.row.name: found for found in run.base.handling.found}
    first = 60.0 / 3.6
    ay = read_off(rows["d60"], "max_trimmed_ay", first)
    return [
        ay,
        ay - 1.0,
        read_off(rows["c15"], "understeer_gradient"),
        run.at_design["base"]["FL.camber"],
        read_off(rows["d60"], "stability", first),
    ]


@pytest.mark.nightly
def test_a_study_varies_metrics_of_handling_as_runs_of_its_variants_have_them(tmp_path):
    path = study_of(tmp_path / "car.xlsx")
    found = run_study(path, workers=1)
    expected = [responses(path)]
    for name, value in VALUES.items():
        opened = openpyxl.load_workbook(path)
        cells_of(opened)[name].value = value
        opened.save(tmp_path / f"{name}.xlsx")
        expected.append(responses(tmp_path / f"{name}.xlsx"))
    got = np.array([found.variants[name] for name, _of, _case in RESPONSES[1:]]).T
    assert np.array_equal(got, np.array(expected))
    assert len({row[0] for row in expected}) > 2, "variables change the largest ay"


def test_only_rows_that_are_asked_for_are_solved_in_variants(tmp_path, monkeypatch):
    variants = SuspensionVariants(open_book(book(tmp_path / "car.xlsx")))
    whole = variants.as_it_is()["d60"].tables["mbs Handling"]
    assert "roll" in variants.as_it_is()["c15"].tables["mbs Handling c15"].columns
    variants.prepare({"d60": {"mbs Handling": ("max_trimmed_ay", "weathervane")}})
    monkeypatch.setattr(asked_metrics, "SOLVERS", {})
    monkeypatch.setattr(SolvedDesign, "handling", property(lambda _self: pytest.fail("all rows are solved")))
    (case,) = variants.solve({}).values()
    found = case.tables["mbs Handling"]
    for name in ("max_trimmed_ay", "weathervane"):
        assert found.values[0, found.columns.index(name)] == whole.values[0, whole.columns.index(name)]


def test_a_study_of_a_car_that_lacks_its_masses_says_so(tmp_path):
    path = student_book(tmp_path / "car.xlsx", ROWS, settings={"mass": None})
    found = SuspensionVariants(open_book(path)).as_it_is()
    assert "mass" in found["d60"].problem.problem
    assert found[""].problem is None
