"""A suspension beside what was measured of it: solved at the measured x, shown in its charts, judged on mbs Measured."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.suspension.document import suspension_document
from sheetmbs.suspension.moved_hardpoints import SweepSolver
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.cells.cells import open_book, with_cells
from tests.support.car_books import car_book
from tests.support.sample_results import loaded_sheet
from tests.suspension.page_books import C, chart_named

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

HEADS = ("name", "type", "travel_from", "travel_to", "travel_step")
SWEEPS = [HEADS, ("heave", "heave", "-20 mm", "20 mm", "10 mm")]
FINE = [HEADS, ("heave", "heave", "-20 mm", "20 mm", "1 mm")]
ODD = np.array([-17.0, -4.0, 3.0, 3.0, 11.0])


@pytest.fixture(scope="module")
def truth(tmp_path_factory):
    """Toe and camber by a sweep with a row at each mm."""
    book = car_book(tmp_path_factory.mktemp("fine") / "car.xlsx", others={"Sweeps": FINE})
    table = run_suspension(book).table("heave")
    return {name: dict(zip(table.values[:, 0], table.values[:, k])) for k, name in enumerate(table.columns)}  # noqa: B905


def drawn_series(chart):
    """The series of a chart by their names in the legend."""
    return {line.findtext(f"{C}tx//{C}v"): line for line in chart.iter(f"{C}ser")}


def measured_car(path, measurements, readings, **more):
    return car_book(path, others={"Sweeps": SWEEPS, "Measurements": measurements, "Measured": readings, **more})


def test_sweeps_are_solved_at_the_measured_x(tmp_path, truth):
    toe = [truth["FL.toe"][x] for x in ODD]
    rows = [("name", "of", "column"), ("rig", "FL.toe", "gauge")]
    readings = [("travel", "gauge"), ("mm", "deg"), *zip(ODD, toe, strict=True)]
    results = run_suspension(measured_car(tmp_path / "car.xlsx", rows, readings))
    found = results["mbs Residuals"]
    np.testing.assert_allclose(found["residual"], 0.0, atol=1e-12)  # a cubic through five rows misses by 1e-5
    np.testing.assert_array_equal(found["x"], ODD)
    summary = results["mbs Measured"].iloc[0]
    assert (summary["n"], summary["outside"], summary["sweep"], summary["unit"]) == (5, 0, "heave", "deg")


def test_sweeps_are_solved_over_any_column_that_goes_one_way(tmp_path, truth):
    rows = [("name", "of", "column", "over", "over_column"), ("rig", "FL.toe", "gauge", "FL.camber", "level")]
    camber, toe = ([truth[name][x] for x in ODD] for name in ("FL.camber", "FL.toe"))
    readings = [("level", "gauge"), ("deg", "deg"), *zip(camber, toe, strict=True)]
    found = run_suspension(measured_car(tmp_path / "car.xlsx", rows, readings)).measured[0]
    assert found.outside == 0
    np.testing.assert_allclose(found.residuals, 0.0, atol=1e-10)


def test_readings_beyond_the_sweep_are_counted_and_compared_with_nothing(tmp_path, truth):
    x = np.array([-21.0, -20.0, 0.0, 20.0, 20.1])
    toe = [truth["FL.toe"].get(each, 9.0) + 0.5 for each in x]
    readings = [("travel", "FL.toe"), ("mm", "deg"), *zip(x, toe, strict=True)]
    found = run_suspension(measured_car(tmp_path / "car.xlsx", [("name", "of", "column")], readings))
    row = found["mbs Measured"].iloc[0]
    assert (row["n"], row["outside"]) == (3, 2)
    assert row["rms"] == pytest.approx(0.5)
    assert row["bias"] == pytest.approx(0.5)


def test_the_chart_of_a_column_shows_measured_points_in_the_colour_of_the_first_design(tmp_path):
    readings = [("travel", "FL.toe", "FR.camber"), ("mm", "deg", "deg"), (-10, 0.1, 0.2), (0, 0.2, 0.3), (5, 0.3, 0.4)]
    book = measured_car(tmp_path / "car.xlsx", [("name", "of", "column")], readings)
    run_suspension(book).save()
    for title, name in (("Toe, front", "measured FL.toe"), ("Camber, front", "measured FR.camber")):
        look = drawn_series(chart_named(book, title))[name]
        assert look.find(f"{C}marker/{C}symbol").get("val") == "circle"
        assert look.find(f"{C}marker/{C}spPr/{A}solidFill/{A}srgbClr").get("val") == "0072B2"
        assert look.find(f"{C}spPr/{A}ln/{A}noFill") is not None
    chart = chart_named(book, "Toe, front")
    text = loaded_sheet(book, "mbs Residuals")
    assert [text.cell(1, k).value for k in range(1, 6)] == ["measurement", "x", "measured", "computed", "residual"]
    assert [text.cell(row, 3).value for row in range(3, 6)] == [0.1, 0.2, 0.3]
    drawn = [each for each in chart.iter() if each.tag.endswith("}f") and "mbs Residuals" in (each.text or "")]
    assert [each.text for each in drawn] == ["'mbs Residuals'!$B$3:$B$5", "'mbs Residuals'!$C$3:$C$5"]
    assert chart_named(book, "FL.toe: measured less computed") is not None


def test_mbs_measured_has_the_columns_of_the_contract_and_leads_to_the_largest(tmp_path, truth):
    x = np.arange(-20.0, 21.0)
    toe = np.array([truth["FL.toe"][each] for each in x]) + 0.02 * np.sin(x / 4.0)
    toe[30] += 0.1
    rows = [("name", "of", "column", "sd"), ("rig", "FL.toe", "gauge", 0.02)]
    book = measured_car(tmp_path / "car.xlsx", rows, [("travel", "gauge"), ("mm", "deg"), *zip(x, toe, strict=True)])
    run_suspension(book).save()
    sheet = loaded_sheet(book, "mbs Measured")
    heads = [cell.value for cell in sheet[1]]
    assert heads[:13] == [
        *("measurement", "of", "sweep", "n", "outside", "rms", "bias", "largest", "at", "sd", "rms_over_sd", "runs_p"),
        "verdict",
    ]
    row = {head: sheet.cell(3, k) for k, head in enumerate(heads, start=1)}
    assert row["at"].value == pytest.approx(10.0)
    assert row["at"].hyperlink.location == "'Measured'!B33" or "B33" in row["at"].hyperlink.location
    assert row["largest"].value == pytest.approx(0.1 + 0.02 * np.sin(2.5))
    assert row["rms_over_sd"].value == pytest.approx(row["rms"].value / 0.02)
    assert row["runs_p"].value < 0.01
    assert row["verdict"].value == "residuals are not random: the model misses something"


def test_a_load_case_is_compared_with_its_one_row(tmp_path):
    cases = [("name", "ax", "ay"), ("corner", 0, 1)]
    rows = [("name", "of", "column", "sweep"), ("load", "FL.fz", "scale", "corner")]
    book = car_book(
        tmp_path / "car.xlsx",
        {"corner load": None},
        others={"Load cases": cases, "Measurements": rows, "Measured": [("scale",), ("kN",), (0.5,), (0.7,)]},
    )
    results = run_suspension(book)
    computed = next(each.values[0] for each in results.base.loads.columns if each.name == "FL.fz")
    np.testing.assert_allclose(results["mbs Residuals"]["residual"], [500 - computed, 700 - computed])


def test_mistakes_end_a_run_and_a_check_with_status_2_and_the_nearest_name(tmp_path):
    rows = [("name", "of", "column", "sweep"), ("rig", "FL.to", "gauge", ""), ("two", "FL.toe", "gage", "heav")]
    book = measured_car(tmp_path / "car.xlsx", rows, [("travel", "gauge"), ("N", "deg"), (0, 1)])
    before = book.read_bytes()
    for command in ("check", "run"):
        done = CliRunner().invoke(app, [command, str(book)])
        assert done.exit_code == 2
        words = " ".join(done.output.split())
        for part in ("Measurements!B2", "FL.toe?", "Measurements!C3", "gauge?", "Measurements!D3", "heave?"):
            assert part in words, (part, words)
    assert b"mbs Measured" not in book.read_bytes() or book.read_bytes() == before


def test_a_second_run_gives_the_same_sheets(tmp_path):
    readings = [("travel", "FL.toe"), ("mm", "deg"), (-10, 0.1), (0, 0.2), (5, 0.3)]
    book = measured_car(tmp_path / "car.xlsx", [("name", "of", "column")], readings)
    names = []
    for _ in range(2):
        run_suspension(book).save()
        names.append(openpyxl.load_workbook(book).sheetnames)
    assert names[0] == names[1]


def test_the_page_draws_the_points_over_the_sweep(tmp_path):
    readings = [("travel", "FL.toe"), ("mm", "deg"), (-10, 0.1), (0, 0.2), (5, 0.3), (90, 0.4)]
    results = run_suspension(measured_car(tmp_path / "car.xlsx", [("name", "of", "column")], readings))
    (tab,) = suspension_document(results, case="heave")["cases"]
    (points,) = tab["measured"]
    assert (points["name"], points["of"], points["over"]) == ("FL.toe", "FL.toe", "travel")
    assert points["x"]["shape"] == points["y"]["shape"] == [3]
    assert any("FL.toe" in chart["y"] for chart in tab["charts"])
    moved = SweepSolver(open_book(results.path))
    changed = with_cells(open_book(results.path), {("Hardpoints", "E8"): 400.0})
    assert moved(changed, "heave")["measured"] == tab["measured"]
