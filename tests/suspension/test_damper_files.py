"""Curves of dampers from files, and how long dampers move how fast in logged poses."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.damper_curves import import_damper, read_damper_curve
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sheets.damper_histogram import time_shares
from tests.support.set_up_books import formula_student

SPEEDS, FORCES = [-250, -50, 0, 50, 250], [-410, -120, 0, 90, 260]
PLAIN = "\n".join(["Speed [mm/s],Force [N]", *(f"{v},{f}" for v, f in zip(SPEEDS, FORCES, strict=True))])


def written(tmp_path, text, name="dyno.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def curve_of(tmp_path, text):
    return read_damper_curve(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "units", "points"),
    [
        (PLAIN, ("mm/s", "N"), list(zip(SPEEDS, FORCES, strict=True))),
        (
            "velocity (in/s);load (lbf)\n1,5;10\n-2;-20,5\n0;0\n",
            ("in/s", "lbf"),
            [(-2.0, -20.5), (0.0, 0.0), (1.5, 10.0)],
        ),
        (
            "# a remark\nt\tforce\tspeed\ns\tkN\tm/s\n0\t1\t0.1\n1\t-2\t-0.2\n",
            ("m/s", "kN"),
            [(-0.2, -2.0), (0.1, 1.0)],
        ),
        ("speed_mm/s,force_N\n10,5\n-10,-5\n10,5\n", ("mm/s", "N"), [(-10.0, -5.0), (10.0, 5.0)]),
    ],
)
def test_files_in_the_ways_of_dynamometers_are_read(tmp_path, text, units, points):
    curve = curve_of(tmp_path, text)
    assert (curve.units, list(curve.points)) == (units, points)


def test_forces_of_the_other_sign_are_turned_and_told(tmp_path):
    text = "speed [mm/s],force [N]\n-100,200\n100,-150\n"
    car = formula_student(tmp_path / "car.xlsx")
    curve, told = import_damper(written(tmp_path, text), car)
    assert curve.points == ((-100.0, -200.0), (100.0, 150.0))
    assert [each.code for each in told] == ["turned-sign"]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "file-empty", "empty"),
        ("speed,force\n1,2\n2,3\n", "missing-unit", "speed [mm/s]"),
        ("speed [mm/s],force [kg]\n1,2\n2,3\n", "wrong-dimension", "kgf"),
        ("way [mm],force [N]\n1,2\n", "missing-column", "speed or velocity"),
        ("speed [mm/s],force [N]\n1,2\nx,3\n3,4\n", "not-a-number", "line 3"),
        ("speed [mm/s],force [N]\n1,2\n1,3\n", "two-values", "lines 2 and 3"),
        ("speed [mm/s],force [N]\n1,2\n", "too-few-rows", "1 points"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_line(tmp_path, text, code, words):
    with pytest.raises(WorkbookError) as caught:
        curve_of(tmp_path, text)
    assert caught.value.problems[0].code == code
    assert words in str(caught.value.problems[0])


@pytest.mark.parametrize("has_curves", [False, True])
def test_an_imported_curve_counts_in_the_next_run(tmp_path, has_curves):
    curves = [("other.x [mm]", "other.y [N]"), (0, 0), (1, 5)] if has_curves else ()
    car = formula_student(
        tmp_path / "car.xlsx", curves=curves, springs={"front damper": {"c": None, "curve_c": "dyno"}}
    )
    import_damper(written(tmp_path, PLAIN), car)
    values = run_suspension(car).at_design["base"]
    ratio = values["FL.damper_motion_ratio"]
    assert values["FL.wheel_damping"] == pytest.approx(210.0 / 100.0 * ratio**2, rel=1e-12)
    before = car.read_bytes()
    with pytest.raises(WorkbookError) as caught:
        import_damper(written(tmp_path, PLAIN), car)
    assert "--name" in caught.value.problems[0].mend
    assert car.read_bytes() == before
    import_damper(written(tmp_path, PLAIN), car, "rear dyno")
    heads = [cell.value for cell in openpyxl.load_workbook(car)["Curves"][1]]
    assert heads[-2:] == ["rear dyno.x [mm/s]", "rear dyno.y [N]"]


def test_a_workbook_that_is_not_there_is_told(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        import_damper(written(tmp_path, PLAIN), tmp_path / "none.xlsx")
    assert caught.value.problems[0].code == "file-missing"


# --- histograms --------------------------------------------------------------------------------------------------------


def test_speeds_of_a_saw_tooth_stand_in_two_bins_by_the_time_that_they_take():
    """Compression at 40 mm/s for 1 s, rebound at 80 mm/s for 0.5 s, in steps of 1 ms."""
    time = np.arange(15001) * 1e-3
    phase = time % 1.5
    compressed = np.where(phase < 1.0, 40.0 * phase, 40.0 - 80.0 * (phase - 1.0)) * 1e-3
    shares = time_shares(time, 0.2 - compressed)
    assert shares[1] == pytest.approx(100.0 * 2 / 3, abs=0.2)
    assert shares[-4] == pytest.approx(100.0 / 3, abs=0.2)
    assert sum(shares.values()) == pytest.approx(100.0)


def test_of_a_harmonic_motion_the_share_of_a_speed_is_that_of_the_arc_sine():
    time = np.linspace(0.0, 10.0, 40001)
    shares = time_shares(time, 0.02 * np.sin(2.0 * np.pi * time))
    top = 0.02 * 2.0 * np.pi * 1e3
    for number in range(-5, 5):
        low, high = (np.clip(25.0 * each / top, -1.0, 1.0) for each in (number, number + 1))
        assert shares[number] == pytest.approx(100.0 * (np.arcsin(high) - np.arcsin(low)) / np.pi, abs=0.1)


def test_a_pose_counts_as_long_as_it_lasts_and_a_damper_at_rest_is_in_the_bin_from_zero():
    time = np.array([0.0, 0.1, 0.2, 1.2, 2.2, 2.3, 2.4])
    length = np.array([0.0, -0.01, -0.02, -0.02, -0.02, -0.03, -0.04])
    shares = time_shares(time, length)
    # 100 mm/s at 0.1 and 2.3 s over 0.2 s each; 9.1 mm/s on the way into and out of rest over 1.1 s each; at rest over 2 s
    assert shares == pytest.approx({4: 100.0 * 0.4 / 4.6, 0: 100.0 * 4.2 / 4.6})


def logged(tmp_path, rows, heads=("sweep", "time", "damper_left", "damper_right"), units=("units", "s", "mm", "mm")):
    poses = [heads, units, *rows]
    sweeps = [("name", "type"), *((name, "poses") for name in dict.fromkeys(row[0] for row in rows))]
    return formula_student(tmp_path / "log.xlsx", sheets={"Sweeps": sweeps, "Poses": poses})


def test_logged_dampers_have_a_sheet_of_their_speeds(tmp_path):
    rows = [("log", 0.01 * k, 0.4 * k - 10.0, 10.0 - 0.8 * k) for k in range(26)]
    results = run_suspension(logged(tmp_path, rows))
    [table] = [table for table in results.sheets.tables if table.name == "mbs Histogram"]
    assert table.columns == ("speed_from", "speed_to", "FL", "FR", "RL", "RR")
    assert table.units == ("mm/s", "mm/s", "%", "%", "%", "%")
    shares = {row[0]: row[2:].tolist() for row in table.values}
    assert shares[25.0] == pytest.approx([100.0, 0.0, 100.0, 0.0])
    assert shares[-100.0] == pytest.approx([0.0, 100.0, 0.0, 100.0])
    assert list(shares) == [-100.0, -75.0, -50.0, -25.0, 0.0, 25.0]


def test_travels_of_wheels_make_speeds_of_dampers_too_and_several_logs_stand_side_by_side(tmp_path):
    rows = [(name, 0.01 * k, 0.5 * k, 0.5 * k) for name in ("one", "two") for k in range(20)]
    heads = ("sweep", "time", "travel_left", "travel_right")
    results = run_suspension(logged(tmp_path, rows, heads))
    [table] = [table for table in results.sheets.tables if table.name == "mbs Histogram"]
    assert table.columns[2:] == tuple(
        f"{name}/{corner}" for name in ("one", "two") for corner in ("FL", "FR", "RL", "RR")
    )
    at = dict(zip(table.columns, table.values.T, strict=True))
    assert at["speed_from"][np.argmax(at["one/FL"])] == 25.0  # 50 mm/s by a motion ratio below 1
    assert at["speed_from"][np.argmax(at["two/RR"])] == 25.0


def test_without_times_there_is_no_such_sheet(tmp_path):
    rows = [("log", None, 0.5 * k, 0.5 * k) for k in range(5)]
    assert not [table for table in run_suspension(logged(tmp_path, rows)).sheets.tables if "Histogram" in table.name]


@pytest.mark.parametrize(
    ("times", "cell", "words"),
    [
        ((0.0, 0.02, 0.01, 0.03), "Poses!B5", "increase"),
        ((0.0, None, 0.02, 0.03), "Poses!B4", "all have it"),
    ],
)
def test_times_that_cannot_be_are_told_at_their_cells(tmp_path, times, cell, words):
    rows = [("log", time, 0.5 * k, 0.5 * k) for k, time in enumerate(times)]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(logged(tmp_path, rows))
    assert caught.value.problems[0].cell == cell
    assert words in caught.value.problems[0].problem


def test_times_in_milliseconds_without_a_unit_are_told(tmp_path):
    rows = [("log", 20.0 * k, 0.5 * k, 0.5 * k) for k in range(6)]
    problems = run_suspension(logged(tmp_path, rows)).sheets.problems
    assert [each.cell for each in problems if each.code == "implausible-value"] == ["Poses!B4"]
