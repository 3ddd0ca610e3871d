"""The sheet Measurements and sheets of readings: values in our units, and every mistake at its cell."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.schema.measured_inputs import MEASUREMENTS
from tests.measured.measured_books import RUN, mistakes, read

HEADERS = [column.name for column in MEASUREMENTS.columns]


def rows(*given):
    names = [name for name in HEADERS if any(name in row for row in given)]
    return [names, *([row.get(name) for name in names] for row in given)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


DATA = [["z", "toe rig", "camber"], ["in", "rad", ""], [-1.0, 0.001, 0.5], [0.0, 0.002, 0.25], [1.0, None, -0.5]]
TOE = {"name": "rig toe", "of": "fl.TOE", "column": "toe rig", "over_column": "z"}


def test_a_value_is_sign_times_scale_times_reading_plus_offset_in_our_unit(path):
    row = TOE | {"sign": -1, "scale": 2, "offset": 0.5, "over_scale": -1, "over_offset": 3, "sd": 0.01}
    (found,) = read(path, {"Measurements": rows(row), "Measured": DATA})
    np.testing.assert_allclose(found.y, -2 * np.degrees([0.001, 0.002]) + 0.5, rtol=1e-15)
    np.testing.assert_allclose(found.x, [25.4 + 3, 3.0], rtol=1e-15)
    assert (found.of, found.unit, found.case, found.sheet) == ("FL.toe", "deg", "heave", "mbs Sweep heave")
    assert (found.over, found.over_unit, found.sd, found.offset) == ("travel", "mm", 0.01, "number")
    assert [str(found.cell(k)) for k in range(2)] == ["Measured!B3", "Measured!B4"]


@pytest.mark.parametrize(("text", "expected"), [("0.2 deg", 0.2), ("10 mrad", np.degrees(0.01)), (0.3, 0.3)])
def test_an_offset_may_have_a_unit(path, text, expected):
    (found,) = read(path, {"Measurements": rows(TOE | {"offset": text}), "Measured": DATA})
    np.testing.assert_allclose(found.y, np.degrees([0.001, 0.002]) + expected, rtol=1e-14)


@pytest.mark.parametrize("rule", ["zero", "first", "fit"])
def test_an_offset_may_be_a_rule(path, rule):
    (found,) = read(path, {"Measurements": rows(TOE | {"offset": rule}), "Measured": DATA})
    assert found.offset == rule
    assert found.free_constants == (rule == "fit")


def test_the_sweep_is_that_of_which_the_sheet_has_the_name(path):
    sheets = {"Measurements": rows(TOE | {"sheet": "Measured roll", "over_column": "z"})}
    (found,) = read(path, sheets | {"Measured roll": [["z", "toe rig"], ["deg", "deg"], [0, 1], [1, 2]]})
    assert (found.case, found.over) == ("roll", "roll")
    (found,) = read(path, {"Measurements": rows(TOE), "Measured wherever": DATA})
    assert found.case == "heave"


def test_readings_of_a_load_case_have_no_x(path):
    row = {"name": "rod", "of": "FL.tie rod", "column": "force", "sweep": "corner"}
    (found,) = read(path, {"Measurements": rows(row), "Measured": [["force"], ["kN"], [1.25], [1.5]]})
    np.testing.assert_allclose(found.y, [1250, 1500])
    assert found.over == ""


def test_x_may_stand_on_another_sheet_of_the_same_rows(path):
    row = {"name": "torque", "of": "motor.moment", "column": "torque", "over": "crank.phi", "over_column": "angle"}
    data = [["angle", "torque"], ["deg", "N mm"], [0, 100], [180, 200]]
    (found,) = read(path, {"Measurements": rows(row), "Measured": data}, RUN)
    assert (found.sheet, found.over_sheet, found.over_unit) == ("mbs Drivers", "mbs Bodies", "rad")
    np.testing.assert_allclose(found.x, [0, np.pi])
    np.testing.assert_allclose(found.y, [0.1, 0.2])


def test_headers_that_are_our_columns_need_no_row(path):
    data = [["travel", "FL.toe", "FL.camber", "gauge"], ["cm", "", "mrad", "V"], [-1, 0.5, 10, 3], [1, None, 20, 4]]
    toe, camber = read(path, {"Measured": data})
    assert [each.name for each in (toe, camber)] == ["FL.toe", "FL.camber"]
    np.testing.assert_allclose(toe.x, [-10])
    np.testing.assert_allclose(camber.y, np.degrees([0.01, 0.02]))
    assert toe.sd is None
    switched_off = rows({"name": "no", "of": "FL.toe", "column": "FL.toe", "active": "no"})
    assert [each.name for each in read(path, {"Measured": data, "Measurements": switched_off})] == ["FL.camber"]


def test_a_sheet_without_any_column_of_ours_is_the_users_own(path):
    assert read(path, {"Measured": [["lap", "comment"], ["1", "good"], ["x", "y"]]}) == ()
    assert mistakes(path, {"Measured": [["lap", "comment"], ["1", "good"], ["x", "y"]]}) == {}


@pytest.mark.parametrize(
    ("branch", "x", "y"),
    [
        ("both", [0, 1, 2, 1, 0], [0, 1, 2, 3, 4]),
        ("up", [0, 1, 2], [0, 1, 2]),
        ("down", [2, 1, 0], [2, 3, 4]),
        ("mean", [0, 1, 2], [2, 2, 2]),
    ],
)
def test_a_branch_of_a_loop_goes_one_way(path, branch, x, y):
    data = [["travel", "r"], [], [0, 0], [1, 1], [2, 2], [1, 3], [0, 4]]
    row = {"name": "a", "of": "FL.toe", "column": "r", "branch": branch}
    (found,) = read(path, {"Measurements": rows(row), "Measured": data})
    np.testing.assert_array_equal(found.x, x)
    np.testing.assert_array_equal(found.y, y)


def test_from_and_to_are_in_the_unit_of_our_x(path):
    data = [["travel", "r"], ["m"], *([0.01 * k, k] for k in range(5))]
    row = {"name": "a", "of": "FL.toe", "column": "r", "from": 10, "to": 30}
    (found,) = read(path, {"Measurements": rows(row), "Measured": data})
    np.testing.assert_array_equal(found.y, [1, 2, 3])


def test_all_mistakes_are_told_at_their_cells_at_once(path):
    good = {"column": "toe rig", "over_column": "z"}
    sheet = rows(
        good | {"name": "a", "of": "FL.to"},
        good | {"name": "b", "of": "FL.toe", "sheet": "Measured hvae"},
        {"name": "c", "of": "FL.toe", "column": "toe rg", "over_column": "z"},
        good | {"name": "d", "of": "FL.toe", "sweep": "heaven"},
        good | {"name": "e", "of": "FL.wheel_y"},
        good | {"name": "f", "of": "FL.toe", "sign": 2},
        good | {"name": "g", "of": "FL.toe", "over_scale": 0},
        good | {"name": "h", "of": "FL.toe", "offset": "frist"},
        good | {"name": "i", "of": "FL.toe", "from": 3, "to": 2},
        good | {"name": "j", "of": "FL.toe", "sd": -1},
        good | {"name": "a", "of": "FL.toe"},
        {"name": "k", "of": "FL.toe", "column": "toe rig"},
        good | {"name": "l", "of": "FL.toe", "branch": "upp"},
        good | {"name": "m", "of": "FL.toe", "over": "travle"},
    )
    found = mistakes(path, {"Measurements": sheet, "Measured heave": DATA, "Measured": [*DATA, [1, "0,5 deg", 2]]})
    at = {(cell.partition("!")[2], each.code): str(each) for cell, each in found.items()}
    where = {name: "ABCDEFGHIJKLMNOP"[k] for k, name in enumerate(sheet[0])}
    expected = {
        ("a", "of"): ("unknown-result", "FL.toe"),
        ("b", "sheet"): ("unknown-sheet", "Measured heave"),
        ("c", "column"): ("unknown-column", "toe rig"),
        ("d", "sweep"): ("unknown-sweep", "heave"),
        ("f", "sign"): ("out-of-range", "1 or -1"),
        ("g", "over_scale"): ("out-of-range", "not 0"),
        ("h", "offset"): ("not-a-number", "first"),
        ("i", "to"): ("out-of-range", "not below from"),
        ("j", "sd"): ("out-of-range", "greater than 0"),
        ("l", "branch"): ("unknown-value", "up"),
        ("m", "over"): ("unknown-result", "travel"),
        ("k", "over_column"): ("missing-value", "placed by travel"),
    }
    for (name, column), (code, part) in expected.items():
        row = next(k for k, each in enumerate(sheet, start=1) if each[0] == name)
        assert part in at[f"{where[column]}{row}", code]
    assert ("A12", "duplicate-name") in at
    assert "rad is not a unit" in at["B2", "wrong-dimension"]
    assert ("B6", "text-in-data") in at


def test_numbers_as_text_are_told_how_to_be_typed(path):
    data = [["travel", "FL.toe"], [], [0, "0,25"], [1, "n/a"]]
    found = mistakes(path, {"Measured": data})
    assert "0.25" in str(found["Measured!B3"])
    assert "no reading" in str(found["Measured!B4"])


def test_zero_needs_readings_on_both_sides_of_it(path):
    data = [["travel", "r"], [], [1, 1], [2, 2]]
    row = {"name": "a", "of": "FL.toe", "column": "r", "offset": "zero"}
    found = mistakes(path, {"Measurements": rows(row), "Measured": data})
    assert [each.code for each in found.values()] == ["out-of-range"]


def test_a_result_column_without_an_x_beside_it_is_told(path):
    found = mistakes(path, {"Measured": [["z", "FL.toe"], [], [0, 1]]})
    assert [(cell, each.severity) for cell, each in found.items()] == [("Measured!B1", "warning")]


def test_a_wrong_branch_hides_no_other_mistake(path):
    rows = [("name", "of", "column", "branch", "offset", "sd"), ("a", "FL.toe", "gauge", "upp", "fitt", -1)]
    found = mistakes(path, {"Measurements": rows, "Measured heave": [("travel", "gauge"), ("mm", "deg"), (0, 1)]})
    assert set(found) == {f"Measurements!{column}2" for column in "DEF"}
