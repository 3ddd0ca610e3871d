"""Mistakes on the sheets of tyres and handling, each planted as people make it: a sentence at its cell, and no traceback."""

from __future__ import annotations

import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book
from tests.support.handling_books import COEFFICIENTS, student_book

COLUMNS = (
    *("name", "type", "speed", "radius", "beta_from", "beta_to", "beta_step", "rack_from", "rack_to"),
    *("steering_wheel_from", "rack", "ay_from", "ay_to", "path", "drive"),
)
PATH = ("path", "s", "radius", "x", "y", "speed")
TYRE_DATA = ("tyre", "fz", "alpha", "fy", "axes")


def told(path, sheets, settings=None):
    """Every problem of a workbook with other sheets, as its cell, how grave it is, and its sentence."""
    student_book(path, (), settings=settings, others={"Handling": [COLUMNS, DIAGRAM], **sheets})
    try:
        found = read_suspension(open_book(path)).warnings
    except WorkbookError as error:
        found = error.problems
    return [(str(each.cell), each.severity, f"{each.found}; {each.problem}; {each.mend}") for each in found]


def row(name="d", kind="yaw moment", **cells):
    given = {"name": name, "type": kind, **cells}
    return tuple(given.get(column) for column in COLUMNS)


DIAGRAM = row(speed="60 km/h")
LAP = row(kind="lap", path="oval")


def check(found, cell, severity, said):
    assert (cell, severity) in [each[:2] for each in found], found
    assert any(cell == each[0] and said in each[2] for each in found), found
    assert len(found) == 1, found


HANDLING_MISTAKES = {
    "unknown type": (row(kind="yaw momnt"), "B2", "did you mean yaw moment"),
    "later type": (row(kind="step steer", speed="60 km/h"), "B2", "this version solves yaw moment"),
    "long name": (row(name="a diagram at 60 km/h"), "A2", "at most 16 characters"),
    "reserved name": (row(name="METRICS"), "A2", "not Metrics"),
    "stroke": (row(name="a/b"), "A2", "none of"),
    "reversed": (row(speed=20, beta_from="6 deg", beta_to="-6 deg"), "F2", "a range goes up"),
    "empty": (row(speed=20, beta_from="6 deg", beta_to="6 deg"), "F2", "a range goes up"),
    "no step": (row(speed=20, beta_from="-6 deg", beta_to="6 deg", beta_step=0), "G2", "greater than 0"),
    "tiny step": (row(speed=20, beta_from="-6 deg", beta_to="6 deg", beta_step="0.001 deg"), "G2", "more than 401"),
    "degrees as rad": (row(speed=20, beta_from=-6, beta_to=6), "E2", "it counts in rad"),
    "mm as m": (row(speed=20, rack_from=-20, rack_to=20), "H2", "it counts in m"),
    "ay in m/s^2": (row(kind="g-g", ay_from=-15, ay_to=15), "L2", "it counts in g"),
    "km/h as m/s": (row(speed=600), "C2", "up to 150 m/s"),
    "no speed": (row(speed="fast"), "C2", "a number is needed"),
    "speeds": (row(speed="60; x km/h"), "C2", "such as 40; 60; 80 km/h"),
    "radius 0": (row(kind="circle", radius=0), "D2", "greater than 0"),
    "speed and radius": (row(kind="circle", speed=20, radius=30), "D2", "one of them"),
    "diagram of both": (row(speed=20, radius=30), "D2", "at constant speed or at constant radius"),
    "drive": (row(kind="circle", drive="holdd"), "O2", "a number is needed"),
    "no course": (row(kind="lap"), "N2", "a lap is driven on a course"),
    "unknown course": (row(kind="lap", path="ovl"), "N2", "no such course"),
    "rack and wheel": (row(speed=20, rack_from="-5 mm", steering_wheel_from="-20 deg"), "J2", "clear one of both"),
}


@pytest.mark.parametrize("mistake", HANDLING_MISTAKES)
def test_a_wrong_row_is_refused_at_its_cell(tmp_path, mistake):
    wrong, cell, said = HANDLING_MISTAKES[mistake]
    check(told(tmp_path / "car.xlsx", {"Handling": [COLUMNS, wrong]}), f"Handling!{cell}", "error", said)


def test_names_of_rows_meet_without_regard_to_case(tmp_path):
    found = told(tmp_path / "car.xlsx", {"Handling": [COLUMNS, DIAGRAM, row(name="D", speed=20)]})
    check(found, "Handling!A3", "error", "a row has this name already")


@pytest.mark.parametrize(
    ("doubtful", "cell", "said"),
    [
        (row(speed=100), "C2", "which makes this 360 km/h"),
        (row(kind="circle", radius="15 mm"), "D2", "radii from 2 m to 5 km"),
        (row(kind="skidpad", radius=9125), "D2", "without one counts in m"),
        (row(kind="circle", beta_from="-1 deg"), "E2", "a row of type circle does not use it"),
        (row(speed=20, path="oval"), "N2", "a row of type yaw moment does not use it"),
    ],
)
def test_a_cell_that_is_hardly_meant_gets_a_warning(tmp_path, doubtful, cell, said):
    check(told(tmp_path / "car.xlsx", {"Handling": [COLUMNS, doubtful]}), f"Handling!{cell}", "warning", said)


COURSES = {
    "back": ((("0 m",), ("50 m", "20 m"), ("40 m",)), "B4", "s grows from row to row"),
    "twice": ((("0 m",), ("50 m", "20 m"), ("50 m",)), "B4", "s grows from row to row"),
    "gap": ((("0 m",), (None, "20 m"), ("90 m",)), "B3", "every point of a course has s"),
    "one point": ((("0 m",),), "A2", "two points at least"),
    "radius 0": ((("0 m",), ("50 m", 0), ("90 m",)), "C3", "a radius of 0 is no curve"),
    "mm": ((("0 m",), ("50 m", "20 mm"), ("90 m",)), "C3", "no car turns in less than 2 m"),
    "mixed": (((None, None, "0 m", "0 m"), ("9 m",), (None, None, "8 m", "8 m")), "B3", "x is blank"),
    "no y": (((None, None, "0 m", "0 m"), (None, None, "50 m", None), (None, None, "90 m", "9 m")), "E3", "y is blank"),
    "stands": (((None, None, "0 m", "0 m"), (None, None, "0 m", "0 m"), (None, None, "9 m", "9 m")), "D3", "elsewhere"),
    "both": (((None, 20, "0 m", "0 m"), (None, None, "9 m", "9 m")), "C2", "clear one of both ways"),
    "speed": ((("0 m", None, None, None, 0), ("90 m", 30)), "F2", "a largest speed is above 0"),
    "far": ((("0 m",), (9e6, 20)), "B3", "more than 100 km"),
}


@pytest.mark.parametrize("course", COURSES)
def test_a_course_that_nobody_can_drive_is_refused_at_its_cell(tmp_path, course):
    points, cell, said = COURSES[course]
    sheets = {"Handling": [COLUMNS, LAP], "Path": [PATH, *(("oval", *point) for point in points)]}
    found = told(tmp_path / "car.xlsx", sheets)
    where = "D3" if course == "mixed" else cell
    check(found, f"Path!{where}", "error", said)


def test_a_course_without_any_radius_is_a_straight_and_gets_a_warning(tmp_path):
    sheets = {"Handling": [COLUMNS, LAP], "Path": [PATH, ("oval", "0 m"), ("oval", "90 m")]}
    check(told(tmp_path / "car.xlsx", sheets), "Path!A2", "warning", "all of it is a straight")


SETTINGS = {
    "no bias": ({"differential": (None, "limited")}, "C", "error", "add a row differential bias"),
    "no such": ({"differential": (None, "lokked")}, "C", "error", "did you mean locked"),
    "not driven": ({"differential": ("locked", None)}, "B", "warning", "nothing drives the front axle"),
    "lift": ({"downforce area": (-1.0, None)}, "B", "warning", "+ down"),
    "drag": ({"drag area": (12.0,)}, "B", "warning", "hardly above 6 m^2"),
    "kW": ({"drive power": (60.0,)}, "B", "warning", "write 60 kW"),
    "yaw": ({"yaw inertia": (1.0,)}, "B", "warning", "a box of its size has"),
}


@pytest.mark.parametrize("mistake", SETTINGS)
def test_a_setting_that_cannot_be_meant_is_told_at_its_cell(tmp_path, mistake):
    settings, column, severity, said = SETTINGS[mistake]
    path = tmp_path / "car.xlsx"
    found = told(path, {}, settings)
    (name,) = settings
    at = next(cell.row for cell in openpyxl.load_workbook(path)["Suspension"]["A"] if cell.value == name)
    check(found, f"Suspension!{column}{at}", severity, said)


def test_downforce_is_given_once(tmp_path):
    areas = {"downforce area": ("1 m^2", None), "lift area": ("1 m^2", None)}
    ((_cell, severity, said),) = told(tmp_path / "car.xlsx", {}, areas)
    assert severity == "error"
    assert "downforce area is the same the other way round" in said


def test_brakes_without_a_share_are_told_where_rows_brake(tmp_path):
    found = told(tmp_path / "car.xlsx", {"Handling": [COLUMNS, row(kind="g-g", speed=20)]}, {"brake front": None})
    check(found, "Handling!B2", "warning", "the front wheels alone brake")


@pytest.mark.parametrize("part", [("front", "chassis", None, "2 kN*m/deg"), ("front", "tie rod", "20 kN/mm", None)])
def test_parts_that_count_in_handling_are_not_warned_of(tmp_path, part):
    assert not told(tmp_path / "car.xlsx", {"Compliance": [("axle", "part", "k", "k_torsion"), part]})


def coefficients(**changes):
    values = {"cornering stiffness": 18000.0, "slip stiffness": 30000.0, "friction": 1.4, **changes}
    own = [("t", name.replace("_", " "), value) for name, value in values.items() if value is not None]
    return {"Tyres": [("name", "model"), ("t", "linear")], "Tyre coefficients": [COEFFICIENTS, *own]}


TYRES = {
    "kN": ({"cornering stiffness": 18.0}, "Tyre coefficients!C2", "warning", "is a force in kN"),
    "per degree": ({"cornering stiffness": 1e6}, "Tyre coefficients!C2", "warning", "or an angle in degrees"),
    "SAE": ({"cornering stiffness": -18000.0}, "Tyre coefficients!C2", "error", "change its sign: Fy = -C alpha"),
    "friction": ({"friction": 3.2}, "Tyre coefficients!C4", "warning", "between 0.2 and 3"),
    "ice": ({"friction": 0.1}, "Tyre coefficients!C4", "warning", "between 0.2 and 3"),
    "belt": ({"friction": 2.4}, "Tyres!A2", "note", "scale_mu_x and scale_mu_y of 0.6 to 0.7"),
    "per load": (
        {"cornering stiffness": None, "cornering stiffness per load": 90.0},
        "Tyre coefficients!C4",
        "warning",
        "between 5 and 60",
    ),
}


@pytest.mark.parametrize("mistake", TYRES)
def test_a_tyre_that_cannot_be_is_told_at_its_coefficient(tmp_path, mistake):
    changes, cell, severity, said = TYRES[mistake]
    found = told(tmp_path / "car.xlsx", coefficients(**changes))
    own = [each for each in found if each[0] == cell and each[1] == severity and said in each[2]]
    assert own, found
    assert {each[0] for each in found} == {cell}, "and nothing else"


def test_a_tyre_without_a_force_along_is_told_where_rows_drive(tmp_path):
    sheets = {**coefficients(**{"slip stiffness": None}), "Handling": [COLUMNS, row(kind="circle", radius=20)]}
    check(told(tmp_path / "car.xlsx", sheets), "Tyres!A2", "warning", "neither drives nor brakes")


def test_a_wheel_without_a_tyre_is_an_error(tmp_path):
    sheets = {**coefficients(), "Tyres": [("name", "axle", "model"), ("t", "front", "linear")]}
    check(told(tmp_path / "car.xlsx", sheets), "Tyres", "error", "no tyre of the rear axle")


def test_rows_of_handling_without_tyres_are_an_error(tmp_path):
    path = tmp_path / "car.xlsx"
    student_book(path, [("d", "yaw moment", "60 km/h")])
    book = openpyxl.load_workbook(path)
    del book["Tyres"], book["Tyre coefficients"]
    book.save(path)
    with pytest.raises(WorkbookError) as error:
        read_suspension(open_book(path))
    (problem,) = error.value.problems
    assert (str(problem.cell), problem.mend) == ("Handling", "add the sheet Tyres, or import a tyre")


def test_what_is_wrong_with_tyres_is_told_alone(tmp_path):
    sheets = coefficients()
    sheets["Tyre coefficients"].append(("t", "corner stiffness", 1.0))
    check(told(tmp_path / "car.xlsx", sheets), "Tyre coefficients!C5", "error", "did you mean cornering stiffness")


def table(sign=-1.0, force=1.0, angle=1.0, loads=(400.0, 900.0)):
    angles = (-0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.2)
    rows = [("t", load, angle * at, sign * force * 1.4 * load * at / 0.2, None) for load in loads for at in angles]
    return {"Tyres": [("name", "model"), ("t", "table")], "Tyre data": [TYRE_DATA, *rows], "Tyre coefficients": []}


@pytest.mark.parametrize(
    ("data", "cell", "severity", "said"),
    [
        (table(sign=1.0), "Tyre data!B12", "error", "write SAE or adapted SAE in the column axes"),
        (table(angle=57.3), "Tyre data!C2", "error", "write deg in the units row"),
        (table(force=1e-3), "Tyre data!B12", "warning", "is a force in kN"),
        (table(loads=(2000.0, 3000.0)), "Tyres!A2", "warning", "the tyre is known from 2000 to 3000 N"),
        (table(loads=(0.4, 0.9)), "Tyre data!B2", "warning", "write kN in the units row"),
    ],
)
def test_measured_points_in_other_units_or_axes_are_told_at_their_cells(tmp_path, data, cell, severity, said):
    found = told(tmp_path / "car.xlsx", {name: rows for name, rows in data.items() if rows})
    assert any(each[:2] == (cell, severity) and said in each[2] for each in found), found


def test_a_sheet_handling_without_rows_is_none(tmp_path):
    """Templates have all sheets: one that nobody has filled in asks for the usual rows, as a missing one does."""
    blank = run_suspension(student_book(tmp_path / "blank.xlsx", [])).base
    assert [row.name for row in blank.handling_rows] == ["yaw moment", "circle", "g-g"]
    assert all(row.is_default for row in blank.handling_rows)
