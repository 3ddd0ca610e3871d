"""The general result sheets of a suspension, and the ordinary workbook that it is written out as."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.load_books import car_book
from tests.support.sample_results import sheet_names

DETAIL = ("detail", "yes")
SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step", "rack", "axle"),
    ("heave", "heave", "-10 mm", "10 mm", "5 mm"),
    ("a front lock of many words"[:16], "heave", "-10 mm", "10 mm", "10 mm", "12 mm", "front"),
)


def own_sheets(book):
    return [name for name in sheet_names(book) if name.startswith("mbs ")]


def ordinary(path, sweeps):
    """Tables by name of the workbook that it is written out as, all cases run."""
    out = path.with_name("out.xlsx")
    write_out(path, out)
    found = sheetmbs.run_cases(out)
    assert found.status == "done", found.problems
    assert tuple(found) == tuple(sweeps)
    return {table.name: table for table in found._written().tables}


def test_the_general_sheets_hold_what_the_written_out_workbook_gives(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[DETAIL], others={"Sweeps": SWEEPS})
    results = run_suspension(path)
    assert not [each for each in results.sheets.problems if each.code == "no-detail"]
    shown = {table.name: table for table in results.sheets.tables if not table.name.startswith("mbs Sweep")}
    expected = ordinary(path, results.base.plans)
    assert {name.split()[1] for name in shown} == {"Bodies", "Joints", "Springs", "Constraints"}
    assert list(shown) == list(expected)
    for name, table in expected.items():
        assert shown[name].columns == table.columns
        assert shown[name].values == pytest.approx(table.values, rel=1e-12, abs=1e-9)


def test_the_general_sheets_say_what_the_sweeps_say(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[DETAIL, ("camber", 0, 0), ("toe", 0, 0)], others={"Sweeps": SWEEPS})
    results = run_suspension(path)
    shown = {table.name: table.frame() for table in results.sheets.tables}
    heave, bodies = shown["mbs Sweep heave"], shown["mbs Bodies heave"]
    assert bodies["time"].to_numpy() == pytest.approx(np.arange(len(heave)))
    for corner in ("FL", "RR"):
        place = results.base.car.axles[0 if corner[0] == "F" else 1].points["left"]["wheel centre"].position
        raised = bodies[f"{corner} upright.z"] - 1e3 * place[2]
        assert raised.to_numpy() == pytest.approx(heave["travel"].to_numpy(), abs=1e-7)
        pressed = -shown["mbs Springs heave"][f"{corner} spring.force"].to_numpy()
        assert pressed == pytest.approx(heave[f"{corner}.spring_force"].to_numpy(), rel=1e-8)
    assert shown["mbs Constraints heave"].filter(like="violation").to_numpy().max() < 1e-9


def test_a_sweep_that_ends_early_has_the_rows_that_it_reaches(tmp_path):
    far = (SWEEPS[0], ("far", "heave", "-40 mm", "400 mm", "5 mm"))
    settings = [*SETTINGS, ("actuation", "push-rod"), DETAIL]
    path = hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, settings, sweeps=far)
    results = run_suspension(path)
    swept, bodies = results.table("far").frame(), ordinary(path, ["far"])["mbs Bodies far"].frame()
    reached = np.flatnonzero(np.isfinite(swept["FL.camber"].to_numpy()))
    assert 0 < len(reached) < len(swept)
    assert bodies["time"].to_numpy() == pytest.approx(reached)
    raised = bodies["FL upright.z"].to_numpy() - WISHBONES["wheel centre"][2]
    assert raised == pytest.approx(swept["travel"].to_numpy()[reached], abs=1e-7)


def test_the_summary_is_always_there_and_the_rest_only_where_it_is_asked_for(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[DETAIL], others={"Sweeps": SWEEPS})
    run = CliRunner().invoke(app, ["run", str(path)])
    assert run.exit_code == 0, run.output
    detailed = own_sheets(path)
    assert "mbs Bodies heave" in detailed
    assert detailed[0] == "mbs Suspension"
    book = openpyxl.load_workbook(path)
    book["Suspension"].cell(book["Suspension"].max_row, 2).value = "no"
    book.save(path)
    assert CliRunner().invoke(app, ["run", str(path)]).exit_code == 0
    plain = own_sheets(path)
    assert [name for name in detailed if name in plain] == plain
    assert "mbs Summary" in plain
    gone = [name.split()[1] for name in detailed if name not in plain]
    assert sorted(set(gone)) == ["Bodies", "Constraints", "Joints", "Springs"]


def test_a_sweep_of_one_pose_is_a_case_that_holds_it(tmp_path):
    others = {
        "Sweeps": (("name", "type"), ("logged", "poses")),
        "Poses": (("sweep", "travel_left", "travel_right"), ("logged", "5 mm", "-2 mm")),
    }
    results = run_suspension(car_book(tmp_path / "b.xlsx", settings=[DETAIL], others=others))
    assert not [each for each in results.sheets.problems if each.code == "no-detail"]
    bodies = next(table for table in results.sheets.tables if table.name == "mbs Bodies logged").frame()
    wheel = results.base.swept["logged"]["front"].wheels["right"]
    found = [bodies[f"FR upright.{axis}"].to_numpy() for axis in "xyz"]
    assert np.array(found) == pytest.approx(1e3 * np.repeat(wheel.centre.value.T, 2, axis=1), abs=1e-9)


def test_a_reported_hardpoint_is_reported_there_too(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[DETAIL], others={"Sweeps": SWEEPS[:2]})
    book = openpyxl.load_workbook(path)
    sheet = book["Hardpoints"]
    sheet["F1"] = "report"
    row = next(cells for cells in sheet.iter_rows() if cells[1].value == "tie rod outer")
    sheet.cell(row[0].row, 6).value = "yes"
    book.save(path)
    shown = {table.name: table.frame() for table in run_suspension(path).sheets.tables}
    points, swept = shown["mbs Points heave"], shown["mbs Sweep heave"]
    for axis in "xyz":
        found, expected = points[f"FL tie rod outer.{axis}"], swept[f"FL.tie rod outer.{axis}"]
        assert found.to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-9)
