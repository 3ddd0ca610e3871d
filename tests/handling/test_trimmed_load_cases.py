"""Load cases with method = tyres: the car in trim on its tyres, with what its members carry."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.handling_books import CORNERS, student_book

G, MASS = 9.81, 280.0
HEADS = ("name", "method", "speed", "ax", "ay", "force_by", "downforce_front", "downforce_rear")
CASES = (
    ("left", "tyres", "80 km/h", 0.0, 0.8),
    ("right", "tyres", "80 km/h", 0.0, -0.8),
    ("stop", "tyres", "80 km/h", -0.8),
    ("both", "tyres", "60 km/h", -0.5, 0.8),
    ("pressed", "tyres", "60 km/h", 0.2, 0.3, None, "100 N", "150 N"),
    ("reverse", "tyres", "20 km/h", 0.3, 0.0, "drive"),
    ("too much", "tyres", "60 km/h", 0.0, 3.0),
    ("plain", None, None, 0.0, 0.8),
)
CIRCLE = (("v", "circle", "80 km/h"),)


def loads_of(path, heads, rows, handling=CIRCLE, **more):
    return run_suspension(student_book(path, handling, others={"Load cases": (heads, *rows)}, **more))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return loads_of(tmp_path_factory.mktemp("books") / "car.xlsx", HEADS, CASES)


def rows(results, *names):
    """Numbers of the sheet of loads by name of the column, of cases."""
    loads = results.base.loads
    at = [[case.name for case in loads.cases].index(name) for name in names]
    return {column.name: column.values[at] for column in loads.columns}


TRIMMED = ("left", "right", "stop", "both", "pressed", "reverse")


def test_tyre_forces_give_the_asked_accelerations_and_no_yaw_moment(results):
    found = rows(results, *TRIMMED)
    beta = np.radians(found["beta"])
    heading = {corner: np.radians(found[f"{corner}.steer"]) for corner in CORNERS}
    forward = sum(found[f"{c}.fx"] * np.cos(heading[c]) - found[f"{c}.fy"] * np.sin(heading[c]) for c in CORNERS)
    left = sum(found[f"{c}.fx"] * np.sin(heading[c]) + found[f"{c}.fy"] * np.cos(heading[c]) for c in CORNERS)
    along, across = forward * np.cos(beta) + left * np.sin(beta), left * np.cos(beta) - forward * np.sin(beta)
    assert along / (MASS * G) == pytest.approx([0.0, 0.0, -0.8, -0.5, 0.2, 0.3], abs=1e-8)
    assert across / (MASS * G) == pytest.approx([0.8, -0.8, 0.0, 0.8, 0.3, 0.0], abs=1e-8)
    assert found["yaw_moment"] == pytest.approx(0.0, abs=1e-5)
    assert found["ax"] == pytest.approx(G * np.array([0.0, 0.0, -0.8, -0.5, 0.2, 0.3]), abs=1e-8)
    pressing = sum(found[f"{c}.fz"] for c in CORNERS) - MASS * G
    assert pressing == pytest.approx([0.0, 0.0, 0.0, 0.0, 250.0, 0.0], abs=1e-5)
    assert np.max(found["residual"]) < 1e-9, "virtual work of what members carry"


def test_left_and_right_are_mirror_images(results):
    found = rows(results, "left", "right")
    for name in ("FL.fz", "RL.fy", "FL.tie rod", "FL.upper arm front leg", "RL.spring"):
        other = found[name.replace("L.", "R.")]
        sign = -1.0 if name.endswith("fy") else 1.0
        assert found[name][0] == pytest.approx(sign * other[1], rel=1e-8), name
    assert found["rack"][0] == pytest.approx(-found["rack"][1], rel=1e-8)


def test_the_state_is_that_of_the_circle_at_the_same_speed(results):
    (circle,) = results.base.handling.found
    table = circle.table
    values = dict(zip(table.columns, table.values.T, strict=True))
    row = int(np.argmin(np.abs(values["ay_g"] - 0.8)))
    found = rows(results, "left")
    for name in ("ay_g", "beta", "rack", "roll", "pitch", "FL.fz", "RR.fy", "RL.kappa", "steer_input", "FR.travel"):
        assert found[name][0] == pytest.approx(values[name][row], rel=1e-7), name
    for name in ("steering_force", "steering_torque"):
        assert abs(values[name][row]) > 1.0
        assert found[f"front.{name}"][0] == pytest.approx(values[name][row], rel=1e-6), name


FORCES = tuple(f"{corner}.{name}" for corner in CORNERS for name in ("fx", "fy", "fz", "mx", "my", "mz"))


def test_members_carry_what_they_carry_where_the_same_forces_are_given(tmp_path, results):
    """The pose is found there by springs under the given wheel forces, without any tyre."""
    heads = ("name", "ax", "ay", "rack", "force_by", *FORCES)
    rigid = {"tyre rate": None}  # given forces act about the radius at the pose, tyres about that at design
    found = rows(loads_of(tmp_path / "tyres.xlsx", HEADS, CASES, settings=rigid), "left", "stop")
    beta, ax, ay = np.radians(found["beta"]), found["ax"] / G, found["ay"] / G
    given = [
        (
            name,
            float(ax[k] * np.cos(beta[k]) - ay[k] * np.sin(beta[k])),
            float(ax[k] * np.sin(beta[k]) + ay[k] * np.cos(beta[k])),
            f"{float(found['rack'][k])!r} mm",
            by,
            *(float(found[force][k]) for force in FORCES),
        )
        for k, (name, by) in enumerate((("left", "drive"), ("stop", "brakes")))
    ]
    expected = rows(loads_of(tmp_path / "given.xlsx", heads, given, settings=rigid), "left", "stop")
    members = [column.name for column in results.base.loads.columns if column.is_member]
    assert len(members) > 50
    for name in (*members, "FL.travel", "RR.travel", "roll", "pitch"):
        size = max(1.0, np.abs(expected[name]).max())
        assert found[name] == pytest.approx(expected[name], abs=1e-6 * size), name


def test_a_case_beyond_the_tyres_has_a_reason_and_the_others_have_no_such_columns(results):
    loads = results.base.loads
    number = [case.name for case in loads.cases].index("too much")
    assert loads.failed[number]
    assert "no state in trim" in loads.marks[number]
    (told,) = [each for each in results.sheets.problems if each.code == "no-pose"]
    assert str(told.cell) == "Load cases!A8"
    assert told.mend == "lower the accelerations"
    plain = rows(results, "plain")
    assert np.isnan(plain["FL.alpha"][0])
    assert np.isfinite(plain["FL.tie rod"][0])
    (sheet,) = [page for page in results.sheets.pages if page.name == "mbs Loads"]
    shown = [cell.value for cell in sheet.cells]
    assert {"beta", "FL.alpha", "speed"} <= set(shown)


def test_brakes_that_would_have_to_drive_are_told(tmp_path):
    found = loads_of(tmp_path / "car.xlsx", HEADS, [("roll", "tyres", "60 km/h", -0.001, 0.8)]).base.loads
    assert "brakes would have to drive" in found.marks[0]


@pytest.mark.parametrize(
    ("heads", "row", "cell", "said"),
    [
        (("rack",), ("5 mm",), "F2", "the rack of a car in trim"),
        (("steering_wheel",), ("20 deg",), "F2", "the rack of a car in trim"),
        (("pose",), ("design",), "F2", "the pose of a car in trim"),
        (("FL.fy",), ("300 N",), "F2", "forces of tyres follow from their slip"),
        (("RR.fz",), ("300 N",), "F2", "forces of tyres follow from their slip"),
        (("FL.travel",), ("5 mm",), "F2", "travels of a car in trim"),
        (("az",), (2.0,), "F2", "under gravity alone"),
    ],
)
def test_what_a_trim_finds_may_not_be_given(tmp_path, heads, row, cell, said):
    with pytest.raises(WorkbookError) as error:
        loads_of(tmp_path / "car.xlsx", (*HEADS[:5], *heads), [("left", "tyres", "80 km/h", 0.0, 0.8, *row)])
    (problem,) = error.value.problems
    assert (str(problem.cell), problem.severity) == (f"Load cases!{cell}", "error")
    assert said in problem.problem


@pytest.mark.parametrize(
    ("speed", "method", "said"),
    [
        (None, "tyres", "slip follows from the speed"),
        ("900 km/h", "tyres", "up to 150 m/s"),
        ("80 km/h", None, "counts with method = tyres"),
    ],
)
def test_a_speed_stands_with_tyres_alone(tmp_path, speed, method, said):
    with pytest.raises(WorkbookError) as error:
        loads_of(tmp_path / "car.xlsx", HEADS, [("left", method, speed, 0.0, 0.8)])
    (problem,) = error.value.problems
    assert str(problem.cell) == "Load cases!C2"
    assert said in problem.problem


def test_a_car_without_tyres_has_no_such_cases(tmp_path):
    path = student_book(tmp_path / "car.xlsx", (), others={"Load cases": (HEADS, *CASES)})
    book = openpyxl.load_workbook(path)
    for name in ("Tyres", "Tyre coefficients", "Handling"):
        del book[name]
    book.save(path)
    with pytest.raises(WorkbookError) as error:
        run_suspension(path)
    assert {str(each.cell) for each in error.value.problems} == {f"Load cases!A{row}" for row in range(2, 9)}
    assert "the sheet Tyres" in error.value.problems[0].problem
