"""A workbook whose cells vary gives what a run of a workbook saved with these values gives, to the last bit."""

from __future__ import annotations

import re

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.all_products import varied as subject_of
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.columns.collect import written
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.cells.cells import CellKind, column_letters, open_book
from sheetmbs.workbook.reading.read_workbook import list_cases
from tests.studies.saved_cells import save_changed
from tests.support.example_books import EXAMPLES, ROOT

WISHBONE = ROOT / "workbooks" / "double-wishbone.xlsx"
SUSPENSION = ROOT / "workbooks" / "macpherson.xlsx"
CAR = ROOT / "workbooks" / "formula-student.xlsx"
STATIC_SHAPE = re.compile(r"\.s[0-9]+$")
"""end of the column of an amplitude of a static shape of a beam"""
SMALL = 12
"""rows of bodies; larger models take long to fail"""
WALK = ROOT / "workbooks" / "gait-walk.xlsx"


def opened(path, asked, cases=()):
    subject = subject_of(open_book(path), cases)
    subject.prepare(asked)
    return subject


def first_number(path, sheet):
    """The first cell of a sheet that holds a number, and where it stands."""
    rows = open_book(path).sheets[sheet].rows
    cell = next(cell for row in rows for cell in rows[row].values() if cell.kind is CellKind.NUMBER)
    return cell, (sheet, f"{column_letters(cell.column)}{cell.row}")


def column_of(table, name):
    return table.values[:, table.columns.index(name)]


def moved(path, sheet, change):
    """The first number of a sheet changed by a part of its size."""
    cell, at = first_number(path, sheet)
    return {at: float(cell.value) * (1.0 + change)}


def test_a_mechanism_gives_what_its_saved_workbook_gives(tmp_path):
    changed = moved(WISHBONE, "Points", 1e-3)
    saved = save_changed(WISHBONE, changed, tmp_path / "saved.xlsx")
    results = sheetmbs.run(sheetmbs.read(saved, case="bump"))
    tables = {table.name: table for table in written(results.sheets, "full").tables}
    asked = {"bump": {"mbs Bodies": (tables["mbs Bodies"].columns[5],), "mbs Springs": ("time",)}}
    found = opened(WISHBONE, asked, ["bump"]).solve(changed)["bump"]
    assert found.problem is None
    assert found.tables["mbs Bodies"].columns == (
        tables["mbs Bodies"].columns[0],
        *asked["bump"]["mbs Bodies"],
    )
    for sheet, names in asked["bump"].items():
        for name in names:
            np.testing.assert_array_equal(column_of(found.tables[sheet], name), column_of(tables[sheet], name))
    unchanged = opened(WISHBONE, asked, ["bump"]).solve({})["bump"]
    name = asked["bump"]["mbs Bodies"][0]
    assert not np.array_equal(
        column_of(unchanged.tables["mbs Bodies"], name), column_of(found.tables["mbs Bodies"], name)
    )


@pytest.mark.parametrize(("name", "sheet"), [("bricard", "mbs Bodies"), ("quarter-car", "mbs Modes")])
def test_every_column_asked_for_alone_is_that_of_the_whole_run(name, sheet):
    subject = subject_of(open_book(ROOT / "workbooks" / f"{name}.xlsx"))
    [case] = subject.cases
    table = subject.as_it_is()[case].tables[sheet]
    for column in table.columns[:15]:
        subject.prepare({case: {sheet: (column,)}})
        found = subject.solve({})[case]
        assert found.problem is None
        assert found.tables[sheet].columns == tuple(dict.fromkeys((table.columns[0], column)))
        np.testing.assert_array_equal(column_of(found.tables[sheet], column), column_of(table, column))


def test_a_suspension_gives_what_its_saved_workbook_gives(tmp_path):
    changed = moved(SUSPENSION, "Hardpoints", 1e-4)
    results = run_suspension(save_changed(SUSPENSION, changed, tmp_path / "saved.xlsx"))
    subject = subject_of(open_book(SUSPENSION))
    as_it_is = subject.as_it_is()
    assert subject.cases[0] == ""
    sweep = results.table("heave").name.removeprefix("mbs Sweep ")
    asked = {
        case: {table.name: table.columns for table in found.tables.values()}
        for case, found in as_it_is.items()
        if found.problem is None
    }
    subject.prepare(asked)
    found = subject.solve(changed)
    np.testing.assert_array_equal(found[sweep].tables[f"mbs Sweep {sweep}"].values, results.table(sweep).values)
    at_design = found[""].tables["mbs Suspension"]
    known = dict(zip(at_design.columns, at_design.values[0], strict=True))
    for name, value in next(iter(results.at_design.values())).items():
        assert known[name] == value
    loads = results.base.loads
    for at, case in enumerate(loads.cases):
        if not loads.failed[at]:
            row = found[case.name].tables["mbs Loads"]
            np.testing.assert_array_equal(row.values[0], [column.values[at] for column in loads.columns])
    assert not np.array_equal(
        found[sweep].tables[f"mbs Sweep {sweep}"].values, as_it_is[sweep].tables[f"mbs Sweep {sweep}"].values
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"heave": {"mbs Sweep heave": ("FL.toe", "RR.camber")}},
        {"": {"mbs Suspension": ("front.roll_centre_height",)}, "steer": {"mbs Sweep steer": ("front.ackermann",)}},
        {"cornering left": {"mbs Loads": ("FL.push-rod",)}, "roll": {"mbs Sweep roll": ("FL.camber",)}},
        {"heave": {"mbs Sweep heave": ("B/FL.toe", "target/FL.toe", "FL.toe")}},
        {"": {}, "heave": {"mbs Sweep heave": ("FL.toe",)}},
        {"heave": {}},
    ],
    ids=" ".join,
)
def test_what_is_asked_of_one_of_two_designs_is_that_of_the_whole_workbook(tmp_path, asked):
    changed = moved(CAR, "Hardpoints", 1e-3)
    whole = subject_of(open_book(save_changed(CAR, changed, tmp_path / "saved.xlsx"))).as_it_is()
    found = opened(CAR, asked).solve(changed)
    assert found.keys() == asked.keys()
    for case, sheets in asked.items():
        assert found[case].problem is None
        assert found[case].tables.keys() == sheets.keys()
        for sheet, names in sheets.items():
            for name in names:
                np.testing.assert_array_equal(
                    column_of(found[case].tables[sheet], name), column_of(whole[case].tables[sheet], name)
                )


def without_sweeps_and_cases(path):
    """The car with the sweeps and load cases of the program, which turn wheels as far as design B can."""
    book = openpyxl.load_workbook(CAR)
    for name in ("Sweeps", "Load cases", "Targets"):
        del book[name]
    book["Hardpoints"].append(["front", "tie rod outer", 40, 560, 150, "B"])
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("case", "sheet", "column"),
    [
        ("steer", "mbs Sweep steer", "FL.toe"),
        ("full lock", "mbs Sweep full lock", "FL.toe"),
        ("left 1.6 g, full lock", "mbs Loads", "FL.push-rod"),
    ],
)
def test_a_design_that_limits_the_others_counts_where_nobody_asks_for_it(tmp_path, case, sheet, column):
    path = without_sweeps_and_cases(tmp_path / "car.xlsx")
    whole = subject_of(open_book(path)).as_it_is()[case].tables[sheet]
    found = opened(path, {case: {sheet: (column,)}}).solve({})[case]
    assert found.problem is None
    np.testing.assert_array_equal(column_of(found.tables[sheet], column), column_of(whole, column))


def test_gait_gives_what_its_saved_workbook_gives(tmp_path):
    changed = moved(WALK, "Processing", 1e-2)
    results = run_gait(save_changed(WALK, changed, tmp_path / "saved.xlsx"))
    subject = subject_of(open_book(WALK))
    [trial] = subject.cases
    as_it_is = subject.as_it_is()[trial]
    subject.prepare({trial: {table.name: table.columns for table in as_it_is.tables.values()}})
    found = subject.solve(changed)[trial]
    for table in results.sheets.tables:
        # uncertainties, which take longer than all else, are no columns of variants
        kept = [at for at, column in enumerate(table.columns) if not column.endswith(".u")]
        assert list(found.tables[table.name].columns) == [table.columns[at] for at in kept]
        np.testing.assert_array_equal(found.tables[table.name].values, table.values[:, kept])
    items = found.tables["mbs Gait summary"]
    speeds = [each.value for each in results.items if each.item == "speed"]
    assert column_of(items, "speed")[0] == pytest.approx(speeds[0], rel=1e-12)


@pytest.mark.parametrize("path", [WISHBONE, SUSPENSION, WALK], ids=lambda path: path.stem)
def test_what_a_variant_cannot_be_is_its_problem_at_its_cell(path):
    subject = subject_of(open_book(path))
    case = subject.cases[0]
    subject.prepare({case: {}})
    _cell, at = first_number(path, {WISHBONE: "Bodies", SUSPENSION: "Hardpoints", WALK: "Processing"}[path])
    problem = subject.solve({at: "nonsense"})[case].problem
    assert problem is not None
    assert (problem.severity, problem.cell) == ("error", "!".join(at))
    error = subject.solve({at: "#DIV/0!"})[case].problem
    assert error is not None
    assert (error.code, error.cell) == ("error-value", "!".join(at))
    assert subject.solve({})[case].problem is None


def test_a_column_that_a_variant_lacks_is_its_problem():
    subject = opened(WISHBONE, {"bump": {"mbs Bodies": ("nobody.x",)}})
    problem = subject.solve({})["bump"].problem
    assert problem is not None
    assert "nobody.x on mbs Bodies" in problem.found


def test_a_case_that_is_not_there_is_refused():
    with pytest.raises(WorkbookError, match="there is no case"):
        subject_of(open_book(WISHBONE), ["bumps"])
    assert subject_of(open_book(WISHBONE), ["BUMP"]).cases == ("bump",)


def test_without_cases_the_case_of_a_plain_run_counts():
    subject = subject_of(open_book(WISHBONE))
    usual = sheetmbs.read(WISHBONE).settings.case
    assert subject.cases == (usual,)


def every_case(path):
    """The cases of a workbook of bodies and joints, or the plain run alone."""
    return [each.name for each in list_cases(open_book(path))]


def outcome_of_run(path, case):
    """All sheets of numbers of a run, or what makes it fail."""
    try:
        results = sheetmbs.run(sheetmbs.read(path, case=case))
    except WorkbookError as error:
        return next(problem for problem in error.problems if problem.severity == "error")
    errors = [problem for problem in results.sheets.problems if problem.severity == "error"]
    return errors[0] if errors else {table.name: table for table in results.sheets.tables}


def assert_same(found, expected):
    """Whether a case of a variant is what a run gives, to the last bit, or fails for the same reason."""
    if isinstance(expected, Problem):
        assert found.problem == expected
        return
    if found.problem is not None:  # an element that does not count has no columns
        assert found.problem.code == "unknown-column"
        column, sheet = found.problem.found.split(" on ")
        assert sheet not in expected or column not in expected[sheet].columns
        return
    for name, table in expected.items():
        given = found.tables[name]
        # a point moved off the axis of a beam gives it one more static shape, for whose amplitude nobody has asked
        columns = [column for column in table.columns if column in given.columns or not STATIC_SHAPE.search(column)]
        assert sorted(given.columns) == sorted(columns)
        for column in columns:
            np.testing.assert_array_equal(column_of(given, column), column_of(table, column))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_variants_of_every_example_are_what_runs_of_saved_workbooks_give(path, tmp_path):
    subject = subject_of(open_book(path), every_case(path))
    as_it_is = subject.as_it_is()
    subject.prepare(
        {
            case: {name: table.columns for name, table in as_it_is[case].tables.items()}
            for case in subject.cases
            if as_it_is[case].problem is None
        }
    )
    for number, changed in enumerate(changes_of(path)):
        saved = save_changed(path, changed, tmp_path / f"{number}.xlsx")
        for case, found in subject.solve(changed).items():
            assert_same(found, outcome_of_run(saved, case or None))
    unchanged = subject.solve({})
    for case, found in unchanged.items():
        assert_same(found, dict(as_it_is[case].tables))


def changes_of(path):
    """Some numbers of all sheets of elements changed at once, a small model's far too much, and a row switched off."""
    book = open_book(path)
    slightly, wildly = {}, {}
    for sheet in ("Bodies", "Points", "Joints", "Springs", "Drivers", "Forces", "Beams", "Clearances", "Curves"):
        rows = book.sheets[sheet].rows if sheet in book.sheets else {}
        numbers = [cell for row in list(rows)[:40] for cell in rows[row].values() if cell.kind is CellKind.NUMBER]
        for number, cell in enumerate(numbers):
            at = sheet, f"{column_letters(cell.column)}{cell.row}"
            if number % 7 == 0 and sheet != "Curves":
                slightly[at] = cell.value * (1.0 + 1e-5 * (number % 3))
            if number % 5 == 0 and sheet == "Points":
                wildly[at] = 40.0 * cell.value
    yield slightly
    if len(book.sheets["Bodies"].rows) < SMALL:
        yield wildly
    yield from word_changes(book)


def word_changes(book):
    """The last row of Springs or Forces that counts switched off, where there is one."""
    for sheet in ("Springs", "Forces"):
        rows = book.sheets[sheet].rows if sheet in book.sheets else {}
        active = next((cell.column for cell in rows.get(1, {}).values() if cell.value == "active"), None)
        if active is not None:
            yield {(sheet, f"{column_letters(active)}{max(rows)}"): "no"}
            return
