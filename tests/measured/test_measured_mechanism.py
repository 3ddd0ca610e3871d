"""A mechanism beside what was measured of it: over time by the cubic through its rows, in its charts, case by case."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from tests.suspension.page_books import C, chart_named

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RADIUS, SPEED = 0.2, 3.0
PIN = {
    "Settings": [
        ("setting", "value", "unit"),
        ("dimension", "2D"),
        ("analysis", "kinematic"),
        ("t_end", 2.0, "s"),
        ("t_step", 0.02, "s"),
    ],
    "Bodies": [("name", "mass", "inertia", "x", "y"), ("arm", 1.0, 0.1, RADIUS, 0.0)],
    "Points": [("name", "body", "x", "y"), ("pin", None, 0.0, 0.0)],
    "Joints": [("name", "type", "body_i", "body_j", "point"), ("hinge", "revolute", "ground", "arm", "pin")],
    "Drivers": [("name", "joint", "coordinate", "velocity"), ("motor", "hinge", "angle", SPEED)],
}
CASES = [
    ("setting", "value", "unit", "case slow", "case fast"),
    ("dimension", "2D"),
    ("analysis", "kinematic"),
    ("t_end", 2.0, "s", 2.0, 1.0),
    ("t_step", 0.02, "s"),
    ("case", "slow"),
]
TIMES = np.array([0.013, 0.5, 1.111, 1.99, 2.4])


def save(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in {**PIN, **sheets}.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def arm_y(t):
    return RADIUS * np.sin(SPEED * t)


ROWS = [("name", "of", "column", "over_column"), ("height", "arm.y", "h", "t")]


def readings(values=arm_y):
    return [("t", "h"), ("ms", "mm"), *((1e3 * t, 1e3 * float(values(t))) for t in TIMES)]


def test_our_values_at_measured_times_are_those_of_the_cubic_through_our_rows(tmp_path):
    results = sheetmbs.run(save(tmp_path / "arm.xlsx", Measurements=ROWS, Measured=readings()))
    found = results["mbs Residuals"].dropna()
    # four-point interpolation misses by at most 3/128 h^4 of the fourth derivative
    assert np.abs(found["residual"]).max() < 3.0 / 128.0 * (0.02 * SPEED) ** 4 * RADIUS
    row = results["mbs Measured"].iloc[0]
    assert (row["n"], row["outside"], row["unit"], row["sweep"]) == (4, 1, "m", "")
    assert len(results.measured) == 1


def test_the_chart_of_the_column_has_points_without_a_line(tmp_path):
    charts = [("title", "x", "y"), ("Height", "time", "arm.y"), ("Path", "arm.x", "arm.y")]
    book = save(tmp_path / "arm.xlsx", Measurements=ROWS, Measured=readings(), Charts=charts)
    for _ in range(2):  # the second run finds the charts of the first
        sheetmbs.run(book).save()
        for title in ("Height", "Path"):
            series = {each.findtext(f"{C}tx//{C}v"): each for each in chart_named(book, title).iter(f"{C}ser")}
            points = series["measured height"]
            assert points.find(f"{C}spPr/{A}ln/{A}noFill") is not None
            colours = [each.find(f".//{A}srgbClr").get("val") for each in series.values()]
            assert len(set(colours)) == 1
            held = {
                of: [float(each.text) for each in points.iterfind(f"{C}{of}//{C}pt/{C}v")] for of in ("xVal", "yVal")
            }
            x = TIMES[:4] if title == "Height" else RADIUS * np.cos(SPEED * TIMES[:4])
            np.testing.assert_allclose(held["xVal"], x, atol=1e-6)
            np.testing.assert_allclose(held["yVal"], arm_y(TIMES[:4]), atol=1e-12)


def test_x_may_be_another_column_that_goes_one_way(tmp_path):
    rows = [("name", "of", "column", "over", "over_column"), ("height", "arm.y", "h", "hinge.angle", "angle")]
    angles = np.array([10.0, 95.0, 250.0])
    data = [("angle", "h"), ("deg", "m"), *zip(angles, RADIUS * np.sin(np.radians(angles)), strict=True)]
    results = sheetmbs.run(save(tmp_path / "arm.xlsx", Measurements=rows, Measured=data))
    np.testing.assert_allclose(results["mbs Residuals"]["residual"], 0.0, atol=1e-7)


def test_each_case_is_beside_its_own_measurements(tmp_path):
    rows = [
        ("name", "of", "column", "over_column", "sweep"),
        ("a", "arm.y", "h", "t", "fast"),
        ("b", "arm.x", "h", "t"),
    ]
    charts = [("title", "x", "y"), ("Height", "time", "arm.y")]
    book = save(tmp_path / "arm.xlsx", Settings=CASES, Measurements=rows, Measured=readings(), Charts=charts)
    results = sheetmbs.run_cases(book)
    assert {name: [each.measurement.name for each in results[name].measured] for name in results} == {
        "slow": ["b"],
        "fast": ["a"],
    }
    results.save()
    sheet = openpyxl.load_workbook(book)["mbs Measured"]
    assert [(sheet.cell(row, 1).value, sheet.cell(row, 3).value) for row in (3, 4)] == [("b", "slow"), ("a", "fast")]
    names = {each.findtext(f"{C}tx//{C}v") for each in chart_named(book, "Height").iter(f"{C}ser")}
    assert "measured a" in names


def test_mistakes_are_found_before_anything_is_solved(tmp_path):
    rows = [*ROWS, ("force", "motor.momnt", "h", "t"), ("speed", "arm.vy", "hh", "t")]
    book = save(tmp_path / "arm.xlsx", Measurements=rows, Measured=readings())
    for command in ("check", "run"):
        done = CliRunner().invoke(app, [command, str(book)])
        assert done.exit_code == 2
        words = " ".join(done.output.split())
        for part in ("Measurements!B3", "motor.moment?", "Measurements!C4", "write one of t, h"):
            assert part in words, words


def test_a_column_that_this_analysis_does_not_compute_is_told(tmp_path):
    rows = [("name", "of", "column", "over_column"), ("torque", "motor.moment", "h", "t")]
    done = CliRunner().invoke(
        app, ["run", str(save(tmp_path / "arm.xlsx", Measurements=rows, Measured=[("t", "h"), ("s", "N*m"), (0, 1)]))]
    )
    assert done.exit_code == 2
    assert "Measurements!B2" in done.output


@pytest.mark.parametrize("unit", ["N", "deg"])
def test_a_unit_of_another_dimension_is_told_at_its_cell(tmp_path, unit):
    data = [("t", "h"), ("s", unit), (0.0, 1.0)]
    done = CliRunner().invoke(app, ["check", str(save(tmp_path / "arm.xlsx", Measurements=ROWS, Measured=data))])
    assert done.exit_code == 2
    assert "Measured!B2" in done.output
