"""The accuracy check: results that are wrong are called so, results that are right never are."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.analysis.analyse import analyse
from sheetmbs.command.cli import app
from sheetmbs.lower import lower
from sheetmbs.model.model import Curve, Driver, Formula, Joint
from sheetmbs.results.result_sheets import result_sheets
from sheetmbs.schema.expression import parse
from tests.support.example_books import EXAMPLES
from tests.support.mechanisms import (
    bar,
    body,
    double_pendulum,
    four_bar,
    hinge,
    model,
    on,
    slide_axes,
    slider_crank,
    turning,
    windows,
)
from tests.support.opened import cases as cases_of
from tests.support.springs import make_spring

FOLDER = Path(__file__).parents[2] / "workbooks"
BOOKS = tuple(path.stem for path in EXAMPLES)
SLOW = {("car", "road"), ("flyball-governor", None)}
DYNAMIC = ("andrews", "bricard", "compressor", "four-bar-windows", "gyroscope", "pendulum")


def cases():
    for name in BOOKS:
        for case in [each.name for each in cases_of(FOLDER / f"{name}.xlsx")] or [None]:
            if (name, case) not in SLOW:
                yield name, case


def with_settings(made, **settings):
    return replace(made, settings=replace(made.settings, **settings))


@cache
def book(name, case=None):
    return sheetmbs.read(FOLDER / f"{name}.xlsx", case=case)


def doubts(result):
    return [problem for problem in result.sheets.problems if problem.code == "accuracy-in-doubt"]


def verdict(result):
    return result.summary["accuracy check"]


# --- right results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "case"), tuple(cases()))
def test_every_workbook_of_ours_passes_as_it_is(name, case):
    result = sheetmbs.run(book(name, case))
    assert verdict(result).startswith("passed"), doubts(result)
    assert not doubts(result)


@pytest.mark.parametrize("name", DYNAMIC)
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("coarse", [False, True])
def test_results_pass_at_every_tolerance_and_however_few_rows_are_reported(name, rtol, coarse):
    made = with_settings(book(name), rtol=rtol)
    span = made.settings.t_end - made.settings.t_start
    made = with_settings(made, t_step=span if coarse else span / 300)
    assert verdict(sheetmbs.run(made)) == ("passed" if rtol < 1e-5 else "passed, to about 4 digits (rtol = 0.0001)")


@pytest.mark.parametrize(
    ("rtol", "words"),
    [
        (0.5, "passed, to not even one digit (rtol = 0.5)"),
        (0.05, "passed, to one digit at most (rtol = 0.05)"),
        (0.01, "passed, to about 2 digits (rtol = 0.01)"),
        (1e-5, "passed"),
        (None, "passed"),
    ],
)
def test_verdict_promises_no_more_digits_than_the_tolerance_leaves(rtol, words):
    """A disc that rolls on evenly satisfies all laws at any tolerance; a swing that is wrong in its third digit may too."""
    spun = body("disc", velocity=(1.0, 0.0, 2.0))
    assert verdict(sheetmbs.run(model((spun,), gravity=(0.0, 0.0, 0.0), rtol=rtol))) == words


def test_motion_reported_only_at_rest_passes():
    """Two rows, at both turning points of a pendulum: neither kinetic energy nor a change of height to measure by."""
    bob = body("bob", 1.0, inertia=0.0)
    made = model((bob,), (hinge("pin", on("ground"), on("bob", -1.0)),), t_end=1.0)
    half = 2.0 * 1.8540746773 / np.sqrt(9.81)  # of the period: twice the elliptic integral K of modulus sin 45 degrees
    result = sheetmbs.run(with_settings(made, t_end=half, t_step=half))
    assert np.abs(result.bodies["bob.omega"]).max() < 1e-6
    assert verdict(result) == "passed"


def test_unit_of_length_does_not_change_the_errors_found():
    def errors(scale):
        bob = body("bob", scale, inertia=0.1 * scale**2)
        made = model((bob,), (hinge("pin", on("ground"), on("bob", -scale)),), gravity=(0.0, -9.81 * scale, 0.0))
        summary = sheetmbs.run(with_settings(made, integrator="rk4", step=0.05, t_end=3.0)).summary
        return summary["relative error of the energy balance"]

    assert errors(1000.0) == pytest.approx(errors(1.0), rel=1e-6)


def test_work_of_a_driver_against_a_stop_that_its_steps_do_not_see_puts_nothing_in_doubt():
    """A driven slide meets a hard stop while a pendulum on it swings: steps follow the pendulum alone."""
    slide, bob = body("slide"), body("bob", 0.3, mass=0.1)
    joints = (
        Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("slide", axes=slide_axes(0))),
        hinge("pin", on("slide"), on("bob", -0.3)),
    )
    stop = Curve("stop", np.array([-1.0, -0.5, 0.0]), np.array([-5e4, 0.0, 0.0]))
    spring = make_spring("buffer", "translational", on("ground", -1.0), on("slide"), natural=1.0, curve_k="stop")
    driver = Driver("push", "slide", None, "x", Formula(parse("0.6*sin(2*t)")))
    made = model((slide, bob), joints, springs=(spring,), drivers=(driver,), t_end=5.0, t_step=0.01)
    result = sheetmbs.run(replace(made, curves=(stop,)))
    assert np.abs(result.springs["buffer.force"]).max() > 100.0
    assert verdict(result) == "passed"


def test_motion_that_drivers_prescribe_is_judged_by_its_joints_and_forces():
    bodies, joints, _ = four_bar()
    summary = sheetmbs.run(model(bodies, joints, drivers=(turning("A", 4.0),))).summary
    assert summary["accuracy check"] == "passed"
    assert "relative error of the energy balance" not in summary
    assert summary["relative error of the forces"] < 1e-9


def test_start_that_is_used_as_given_is_said_once_and_holds_the_motion_to_no_more():
    bob = body("bob", 1.001)
    made = model((bob,), (hinge("pin", on("ground"), on("bob", -1.0)),), initial_conditions="given", t_end=5.0)
    for formulation in ("auto", "baumgarte", "lagrange"):
        result = sheetmbs.run(with_settings(made, formulation=formulation))
        assert verdict(result) == "passed, except that the start violates the constraints"
        assert [problem.code for problem in result.sheets.problems] == ["initial-conditions"]


# --- wrong results -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "step"), [("pendulum", 0.1), ("gyroscope", 0.015), ("bricard", 0.3)])
def test_far_too_long_a_fixed_step_is_found_by_the_energy_balance(name, step):
    made = book(name)
    right = sheetmbs.run(made).bodies
    wrong = sheetmbs.run(with_settings(made, integrator="rk4", step=step, formulation="projection"))
    assert np.abs(right - wrong.bodies).max().max() > 1e-3
    assert wrong.status == "done"
    assert verdict(wrong) == "in doubt: energy balance"
    (problem,) = doubts(wrong)
    assert problem.severity == "warning"
    assert "shorter step" in problem.mend
    fine = sheetmbs.run(with_settings(made, integrator="rk4", step=step / 50, formulation="projection"))
    assert verdict(fine) == "passed"


def test_violations_that_grow_without_projection_are_found_with_joint_and_time():
    made = double_pendulum(t_end=20.0, integrator="rk4", step=0.01, formulation="lagrange")
    result = sheetmbs.run(made)
    (problem,) = doubts(result)
    frame = result.constraints
    beyond = frame["time"][(frame[["top.position", "elbow.position"]].max(axis=1) > 1e-5)].iloc[0]
    assert f"from t = {beyond:.6g} s on" in problem.found
    assert problem.found.startswith(("top is off", "elbow is off"))
    assert "formulation auto" in problem.mend
    assert verdict(sheetmbs.run(with_settings(made, formulation="projection"))) == "passed"


@pytest.mark.parametrize(("damping", "step"), [(0.3, 0.005), (1.0, 0.005), (1.0, 0.01)])
def test_wrong_branch_behind_a_singular_position_is_found(damping, step):
    """The bars of A02 all lie in one line twice a turn; there steps that only damp violations leave the branch."""
    made = windows(1, t_end=10.0, t_step=0.05)
    spoiled = {"formulation": "baumgarte", "alpha": damping, "beta": damping, "integrator": "rk4", "step": step}
    right, wrong = sheetmbs.run(made), sheetmbs.run(with_settings(made, **spoiled))
    assert wrong.status == "done"
    assert np.abs(right.bodies["top 0.phi"]).max() < 1e-6  # on the right branch the coupler never turns
    assert np.abs(wrong.bodies["top 0.phi"]).max() > 1.0
    assert verdict(wrong).startswith("in doubt")


def test_redundant_constraint_that_is_not_quite_met_is_found_although_it_is_not_integrated():
    """A parallelogram whose third crank is 5e-6 shorter than the others, and so are its pins apart at the start."""

    def linkage(short):
        bodies = (
            bar("left", (0, 0), (0, 1), velocity=(1.5, 0.0, -3.0)),
            bar("right", (2, 0), (2, 1), velocity=(1.5, 0.0, -3.0)),
            bar("middle", (1, short), (1, 1), velocity=(1.5, 0.0, -3.0)),
            bar("top", (0, 1), (2, 1), velocity=(3.0, 0.0, 0.0)),
        )
        half = 0.5 * (1.0 - short)
        joints = (
            hinge("foot left", on("ground"), on("left", -0.5)),
            hinge("foot right", on("ground", 2.0), on("right", -0.5)),
            hinge("foot middle", on("ground", 1.0, short), on("middle", -half)),
            hinge("head left", on("left", 0.5), on("top", -1.0)),
            hinge("head right", on("right", 0.5), on("top", 1.0)),
            hinge("head middle", on("middle", half), on("top")),
        )
        return sheetmbs.run(model(bodies, joints, t_end=2.0))

    exact, short = linkage(0.0), linkage(5e-6)
    assert exact.summary["degrees of freedom"] == short.summary["degrees of freedom"] == 1
    assert verdict(exact) == "passed"
    assert "in doubt" in verdict(short)
    assert "positions" in verdict(short)
    (problem,) = doubts(short)
    assert "repeats other constraints" in problem.mend


def spoilt(made, change):
    """Summary and problems of a result some of whose numbers are changed after it was computed."""
    lowered = lower(made)
    solution = analyse(lowered)
    arrays = {name: getattr(solution, name).copy() for name in ("q", "v", "a")}
    change(arrays)
    sheets = result_sheets(lowered, replace(solution, **arrays))
    found = {item: value for item, value, _unit in sheets.summary}
    return found, [problem for problem in sheets.problems if problem.code == "accuracy-in-doubt"]


def test_one_row_that_is_off_is_named_by_its_joint_and_time():
    def change(motion):
        motion["q"][5, 1] += 1e-4  # the upper bar is lifted out of its joint

    summary, (problem,) = spoilt(double_pendulum(t_step=0.1), change)
    assert summary["accuracy check"].startswith("in doubt: positions")
    assert problem.found.startswith(("top is off by up to 0.0001 m or rad", "elbow is off by up to 0.0001 m or rad"))
    assert "from t = 0.5 s on" in problem.found
    assert summary["position violation worst at"] in {"top, t = 0.5 s", "elbow, t = 0.5 s"}


def test_number_that_is_missing_is_no_result():
    def change(motion):
        motion["a"][7, 2] = np.nan

    summary, (problem,) = spoilt(double_pendulum(t_step=0.1), change)
    assert summary["accuracy check"] == "in doubt: numbers are missing from t = 0.7 s on"
    assert "t = 0.7 s" in problem.found


def test_velocities_a_thousandth_too_large_upset_the_energy_balance_alone():
    def change(motion):
        motion["v"][3:] *= 1.001  # joints allow that

    summary, (problem,) = spoilt(double_pendulum(t_step=0.1), change)
    assert summary["accuracy check"] == "in doubt: energy balance"
    assert summary["relative error of the velocities"] < 1e-12
    assert 1e-5 < summary["relative error of the energy balance"] < 1e-3
    assert "from t = 0.3 s on" in problem.found


def test_what_is_in_doubt_follows_the_tolerance_that_was_asked_for():
    def change(motion):
        motion["v"][3:] *= 1.0001

    strict, loose = (spoilt(double_pendulum(rtol=rtol), change)[0]["accuracy check"] for rtol in (1e-8, 1e-5))
    assert (strict, loose) == ("in doubt: energy balance", "passed")


def test_doubt_ends_no_run():
    bodies, joints = slider_crank()
    result = sheetmbs.run(model(bodies, joints, t_end=10.0, integrator="rk4", step=0.2))
    assert verdict(result).startswith("in doubt")
    assert result.status == result.summary["status"] == "done"


def test_doubt_is_told_on_the_terminal_and_in_the_workbook_and_ends_with_status_0(tmp_path):
    book = openpyxl.load_workbook(FOLDER / "pendulum.xlsx")
    book["Settings"].append(["integrator", "rk4"])
    book["Settings"].append(["step", 0.1])
    path = tmp_path / "pendulum.xlsx"
    book.save(path)
    done = CliRunner().invoke(app, ["run", str(path)])
    assert done.exit_code == 0
    assert "accuracy-in-doubt" in done.stderr
    assert "shorter step" in done.stderr
    written = openpyxl.load_workbook(path)
    summary = {row[0]: row[1] for row in written["mbs Summary"].values}
    assert summary["accuracy check"] == "in doubt: energy balance"
    assert summary["status"] == "done"
    told = [cell for row in written["mbs Problems"].values for cell in row if cell]
    assert any("energy balance is off" in str(cell) for cell in told)
