"""What a run cost and how exact it was, as `mbs Summary` tells it."""

import json
import zipfile
from pathlib import Path
from time import perf_counter

import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.all_products import GAIT
from sheetmbs.command.cli import app
from sheetmbs.compiled import library
from tests.support.mechanisms import double_pendulum, four_bar, model, turning, windows
from tests.support.opened import product_in, sheet_values

TEMPLATES = Path(__file__).parents[2] / "templates"
BOOK = Path(__file__).parents[2] / "workbooks" / "pendulum.xlsx"
TIMES = ("read time", "compile time", "set-up time", "solve time", "report time", "wall time")


def test_times_are_told_apart_and_add_up_to_no_more_than_all():
    began = perf_counter()
    made = sheetmbs.read(BOOK)
    summary = sheetmbs.run(made, since=began).summary
    assert all(summary[item] >= 0.0 for item in TIMES)
    assert summary["solve time"] > 0.0
    assert sum(summary[item] for item in TIMES if item != "wall time") <= summary["wall time"]


def test_compiling_is_told_apart_from_reading_and_solving(monkeypatch):
    began = perf_counter()
    made = sheetmbs.read(BOOK)
    monkeypatch.setattr(library, "_builds", [(began - 1.0, 7.0), (perf_counter(), 0.001)])
    summary = sheetmbs.run(made, since=began).summary
    assert summary["compile time"] == 0.001
    assert sum(summary[item] for item in TIMES if item != "wall time") <= summary["wall time"]


@pytest.mark.parametrize("name", ["formula-student", "gait-walk"])
def test_products_tell_their_seconds_of_compiling(name):
    book = BOOK.with_name(f"{name}.xlsx")
    results = (sheetmbs.run_gait if product_in(book) is GAIT else sheetmbs.run_suspension)(book)
    summary = {item: value for item, value, _unit in results.sheets.summary}
    assert summary["compile time"] == 0.0
    parts = [summary[item] for item in ("read time", "compile time", "solve time", "report time")]
    assert sum(parts) == pytest.approx(summary["wall time"])


def test_time_of_writing_stands_in_the_workbook_although_it_is_known_only_then(tmp_path):
    result = sheetmbs.run(sheetmbs.read(BOOK))
    assert result.summary["write time"] is None
    began = perf_counter()
    path = result.save(tmp_path / "out.xlsx")
    taken = perf_counter() - began
    summary = {row[0]: row[1] for row in sheet_values(path, "mbs Summary")}
    assert 0.0 < summary["write time"] < taken
    with zipfile.ZipFile(path) as archive:
        last = archive.read(archive.namelist()[-1]).decode()
    assert "write time" in last  # what is stored last knows of all the rest


def test_command_line_tells_the_whole_time_of_writing(tmp_path):
    done = CliRunner().invoke(app, ["run", str(BOOK), "--json", "--output", str(tmp_path / "out.xlsx")])
    summary = json.loads(done.stdout)["summary"]
    written = {row[0]: row[1] for row in sheet_values(tmp_path / "out.xlsx", "mbs Summary")}
    assert summary["write time"] > written["write time"]
    assert summary["accuracy check"] == written["accuracy check"] == "passed"


def test_terminal_shows_the_accuracy_check_and_what_took_time(tmp_path):
    done = CliRunner().invoke(app, ["run", str(BOOK), "--output", str(tmp_path / "out.xlsx")])
    line = next(line for line in done.stderr.splitlines() if line.strip().startswith("time"))
    assert [part in line for part in ("s solving", "s writing", "s in all")] == [True] * 3
    assert any(line.split() == ["accuracy", "check", "passed"] for line in done.stderr.splitlines())


@pytest.mark.parametrize("formulation", ["projection", "lagrange"])
def test_worst_violation_is_named_with_its_joint_and_time(formulation):
    result = sheetmbs.run(double_pendulum(t_end=3.0, t_step=0.05, formulation=formulation))
    frame = result.constraints
    for kind in ("position", "velocity"):
        columns = frame[[f"top.{kind}", f"elbow.{kind}"]]
        row = frame[f"{kind}_violation"].to_numpy().argmax()
        joint = columns.iloc[row].idxmax().split(".")[0]
        assert result.summary[f"{kind} violation worst at"] == f"{joint}, t = {frame['time'][row]:.6g} s"


def test_steps_and_evaluations_of_a_fixed_step_method_are_what_the_method_says():
    summary = sheetmbs.run(double_pendulum(t_end=1.0, t_step=0.5, integrator="rk4", step=0.01)).summary
    assert summary["steps"] == 100
    # three stages, the new state, and the row at 0.5 s that ends no step exactly or does: at most one more
    assert 400 <= summary["evaluations"] <= 403
    assert summary["rejected steps"] == 0


def test_every_evaluation_factors_once_and_projections_no_more_than_once_again():
    summary = sheetmbs.run(windows(2, t_end=10.0, rtol=1e-9)).summary
    assert summary["evaluations"] <= summary["factorisations"] <= 2 * summary["evaluations"]
    assert summary["rejected steps"] > 0


def test_newton_iterations_of_a_kinematic_analysis_are_counted():
    bodies, joints, _ = four_bar()
    summary = sheetmbs.run(model(bodies, joints, drivers=(turning("A", 4.0),), analysis="kinematic")).summary
    assert summary["reported rows"] <= summary["Newton iterations"] <= 10 * summary["reported rows"]


@pytest.mark.parametrize("name", ["suspension-double-wishbone", "gait-2d-leg"])
def test_summaries_of_suspensions_and_gait_tell_the_time_of_each_part(name, tmp_path):
    out, began = tmp_path / "out.xlsx", perf_counter()
    done = CliRunner().invoke(app, ["run", str(TEMPLATES / f"{name}.xlsx"), "--output", str(out)])
    taken = perf_counter() - began
    assert done.exit_code == 0
    rows = {row[0]: row[1:3] for row in sheet_values(out, "mbs Summary")}
    parts = [rows[item] for item in ("read time", "solve time", "report time", "write time")]
    assert all(unit == "s" and 0.0 < seconds < taken for seconds, unit in parts)
    assert sum(seconds for seconds, _unit in parts[:3]) == pytest.approx(rows["wall time"][0])
