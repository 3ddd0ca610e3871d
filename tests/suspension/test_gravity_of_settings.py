"""Gravity of the sheet Settings counts everywhere in a suspension, and that sheet is checked as in any workbook."""

from __future__ import annotations

import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.load_books import SPRINGS, car_book
from tests.support.opened import sheet_values

MASS, SHARE = 280.0, 0.47
CASES = (("name", "ax", "ay", "az"), ("static", 0, 0, 1), ("bend", 0, 0.7, 1), ("stop", -0.8, 0, 1))
TYRES = ("tyre rate", "110 N/mm", "120 N/mm")


def book(path, *rows, settings=(), analysis=""):
    given = [("setting", "value"), *rows, *((("analysis", analysis),) if analysis else ())]
    sheets = {"Settings": given} if len(given) > 1 else {}
    return car_book(path, springs=SPRINGS, settings=[TYRES, *settings], cases=CASES, others=sheets)


@pytest.mark.parametrize("gravity", [4.0, 12.0])
def test_preloads_loads_frequencies_and_roll_follow_gravity(tmp_path, gravity):
    found = run_suspension(book(tmp_path / "b.xlsx", ("gravity_z", -gravity)))
    on_earth = run_suspension(book(tmp_path / "e.xlsx"))
    assert found.sheets.problems == ()
    values, usual = (each.at_design["base"] for each in (found, on_earth))
    times = gravity / 9.81
    unsprung, lever = 11.0, values["FL.motion_ratio_contact"]
    corner = 0.5 * MASS * SHARE * gravity
    moved = values["FL.motion_ratio"] / lever  # of the contact per travel of the wheel centre
    assert values["FL.spring_force"] * values["FL.motion_ratio"] == pytest.approx(corner * moved - unsprung * gravity)
    assert values["FL.spring_force"] == pytest.approx(times * usual["FL.spring_force"], rel=1e-12)
    sprung = 0.5 * MASS * SHARE - unsprung
    assert values["FL.ride_frequency"] == pytest.approx(
        (values["FL.ride_rate"] * 1e3 / sprung) ** 0.5 / 6.283185307, rel=1e-9
    )
    assert values["front.load_transfer_unsprung"] == pytest.approx(
        times * usual["front.load_transfer_unsprung"], rel=1e-9
    )
    assert values["front.load_transfer_geometric"] == pytest.approx(times * usual["front.load_transfer_geometric"])
    loads = found.base.loads
    assert loads.marks == ("", "", "")
    assert sum(loads.column(f"{corner}.fz")[1] for corner in ("FL", "FR", "RL", "RR")) == pytest.approx(MASS * gravity)
    assert sum(loads.column(f"{corner}.fy")[1] for corner in ("FL", "FR", "RL", "RR")) == pytest.approx(
        0.7 * MASS * gravity
    )
    assert sum(loads.column(f"{corner}.fx")[2] for corner in ("FL", "FR", "RL", "RR")) == pytest.approx(
        -0.8 * MASS * gravity
    )
    assert abs(loads.column("FL.travel")[0]) < 0.01
    assert max(abs(loads.column("residual"))) < 1e-9


def test_a_corner_load_in_newtons_stays_and_its_mass_follows_gravity(tmp_path):
    lunar = ("gravity_z", "-1620 mm/s^2")
    settings = [("corner load", "645 N", "728 N"), ("mass", None), ("weight front", None)]
    found = run_suspension(book(tmp_path / "b.xlsx", lunar, settings=settings))
    values = found.at_design["base"]
    sprung = 645.0 / 1.62 - 11.0
    assert values["FL.ride_frequency"] == pytest.approx(
        (values["FL.ride_rate"] * 1e3 / sprung) ** 0.5 / 6.283185307, rel=1e-9
    )
    assert found.base.loads.column("FL.fz")[0] == pytest.approx(645.0, rel=1e-4)


def test_the_free_car_rests_at_design_whatever_gravity_is(tmp_path):
    path = book(
        tmp_path / "b.xlsx", ("gravity_z", -4.0), analysis="equilibrium", settings=[("camber", 0, 0), ("toe", 0, 0)]
    )
    found = sheetmbs.run(sheetmbs.read(path))
    for corner in ("FL", "FR", "RL", "RR"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)


def test_expanded_the_workbook_has_the_same_gravity(tmp_path):
    write_out(book(tmp_path / "b.xlsx", ("gravity_z", -4.0)), tmp_path / "general.xlsx")
    settings = dict(row[:2] for row in sheet_values(tmp_path / "general.xlsx", "Settings"))
    assert settings["gravity_z"] == -4.0
    assert sheetmbs.read(tmp_path / "general.xlsx", case="heave").settings.gravity == (0.0, 0.0, -4.0)


@pytest.mark.parametrize(
    ("row", "code", "cell"),
    [
        (("foo", 1), "unknown-setting", "Settings!A2"),
        (("gravity_z", "abc"), "not-a-number", "Settings!B2"),
        (("t_end", "soon"), "not-a-number", "Settings!B2"),
        (("dimension", "2D"), "wrong-dimension", "Settings!B2"),
        (("gravity_z", 9.81), "gravity-upwards", "Settings!B2"),
        (("gravity_z", 0), "gravity-upwards", "Settings!B2"),
        (("gravity_x", 2), "gravity-sideways", "Settings!B2"),
    ],
)
def test_the_sheet_settings_is_checked(tmp_path, row, code, cell):
    with pytest.raises(WorkbookError) as caught:
        run_suspension(book(tmp_path / "b.xlsx", row))
    assert [(each.code, each.cell) for each in caught.value.problems if each.severity == "error"] == [(code, cell)]


@pytest.mark.parametrize("value", [-1, -9810])
def test_gravity_in_another_unit_gets_a_warning(tmp_path, value):
    found = run_suspension(book(tmp_path / "b.xlsx", ("gravity_z", value)))
    assert ("large-gravity", "Settings!B2") in [(each.code, each.cell) for each in found.sheets.problems]


def test_usual_settings_say_nothing_and_the_title_counts(tmp_path):
    rows = [("title", "Our car"), ("dimension", "3D"), ("analysis", "suspension"), ("gravity_z", -9.80665)]
    found = run_suspension(book(tmp_path / "b.xlsx", *rows))
    assert found.sheets.problems == ()
    assert found.base.model.settings.title == "Our car"
