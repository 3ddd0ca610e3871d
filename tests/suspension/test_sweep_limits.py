"""Where sweeps end and what they pass on the way: told with member and travel, against limits worked out here."""

from __future__ import annotations

import re

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book

TURNED = {"arm inner": (0, 250, 200), "arm outer": (-300, 250, 200), "wheel centre": (0, 640, 230)}
PUSHED = [*SETTINGS, ("actuation", "push-rod")]
HEAVE = ("name", "type", "travel_from", "travel_to", "travel_step")
STEER = ("name", "type", "rack_from", "rack_to", "rack_step")


def told(found, code):
    return [problem for problem in found.sheets.problems if problem.code == code]


def numbers(text):
    """Travels in a sentence."""
    return [float(each) for each in re.findall(r"[+-]\d+\.\d\d", text)]


def heave(first, last, step="5 mm"):
    return (HEAVE, ("up", "heave", first, last, step))


def test_a_swing_axle_ends_where_it_stands_upright(tmp_path):
    settings = [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none")]
    book = hardpoint_book(tmp_path / "b.xlsx", TURNED, settings, sweeps=heave("-30 mm", "500 mm", "25 mm"))
    found = run_suspension(book)
    (problem,) = told(found, "travel-limit")
    top = 200 + np.hypot(640 - 250, 30) - 230  # the wheel centre over its hinge
    (travel,) = numbers(problem.found)
    assert travel == pytest.approx(top, abs=0.01)
    assert problem.cell == "Sweeps!A2"


@pytest.mark.parametrize("step", ["2 mm", "7 mm", "40 mm"])
def test_a_push_rod_that_goes_straight_is_named_with_its_travel_whatever_the_step(tmp_path, step):
    book = hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, PUSHED, sweeps=heave("-10 mm", "400 mm", step))
    found = run_suspension(book)
    (problem,) = told(found, "travel-limit")
    assert problem.found.startswith("up: the front push-rod goes straight at +107.0")
    fine = hardpoint_book(
        tmp_path / "f.xlsx",
        {**WISHBONES, **ROCKER},
        PUSHED,
        sweeps=heave("0 mm", f"{numbers(problem.found)[0] - 0.01} mm", "1 mm"),
    )
    wheel = run_suspension(fine).designs[0].swept["up"]["front"].wheels["left"]
    pivot = np.array(ROCKER["rocker pivot"]) * 1e-3
    rod, arm = wheel.hardpoint("rod outer").value[-1], wheel.hardpoint("rod rocker").value[-1]
    away, along = (rod - arm)[1:], (arm - pivot)[1:]  # the rocker turns about x
    sine = (away[0] * along[1] - away[1] * along[0]) / np.linalg.norm(away) / np.linalg.norm(along)
    assert abs(sine) < 0.05, "rod and rocker are in one line there"


def test_a_tie_rod_that_goes_straight_limits_the_rack(tmp_path):
    sweeps = (STEER, ("steer", "steer", "-100 mm", "100 mm", "5 mm"))
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=sweeps))
    (problem,) = told(found, "travel-limit")
    assert problem.found.count("tie rod goes straight") == 2
    low, high = numbers(problem.found)
    assert low == pytest.approx(-high, abs=0.011), "a car that is the same on both sides steers as far either way"
    close = (STEER, ("steer", "steer", f"{high - 0.1} mm", f"{high + 0.1} mm", "0.013 mm"))
    (problem,) = told(run_suspension(hardpoint_book(tmp_path / "f.xlsx", sweeps=close)), "travel-limit")
    assert numbers(problem.found) == pytest.approx([high], abs=0.011)


def test_a_motion_ratio_that_passes_zero_is_told_with_its_travel(tmp_path):
    book = hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, PUSHED, sweeps=heave("-20 mm", "100 mm"))
    found = run_suspension(book)
    (problem,) = told(found, "sign-change")
    assert "motion ratio of the front left wheel" in problem.found
    table = found.table("up")
    columns = dict(zip(table.columns, table.values.T, strict=True))
    zero = np.interp(0.0, -columns["FL.motion_ratio"][-8:], columns["travel"][-8:])
    assert numbers(problem.found)[0] == pytest.approx(zero, abs=0.1)


def test_a_ball_joint_is_told_where_it_passes_its_angle(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=heave("-60 mm", "60 mm"))
    book = openpyxl.load_workbook(path)
    sheet = book["Hardpoints"]
    sheet["G1"] = "max_angle [deg]"
    row = 3 + list(WISHBONES).index("tie rod inner")
    sheet.cell(row, 7).value = 6.0
    book.save(path)
    found = run_suspension(path)
    (problem,) = told(found, "joint-angle")
    assert problem.cell == f"Hardpoints!C{row}"
    (travel,) = numbers(problem.found)
    wheel = found.designs[0].swept["up"]["front"].wheels["left"]
    along = (wheel.hardpoint("tie rod outer") - wheel.hardpoint("tie rod inner")).value
    design = np.subtract(WISHBONES["tie rod outer"], WISHBONES["tie rod inner"])
    cosine = along @ design / np.linalg.norm(along, axis=1) / np.linalg.norm(design)
    angle = np.degrees(np.arccos(np.minimum(cosine, 1.0)))
    travels = np.arange(-60.0, 61.0, 5.0)
    side = travels * np.sign(travel) >= 0.0
    at = np.interp(6.0, np.sort(angle[side]), np.sort(np.abs(travels[side])))
    assert abs(travel) == pytest.approx(at, abs=0.1)


def test_an_angle_where_no_ball_joint_is_says_so(tmp_path):
    path = hardpoint_book(tmp_path / "b.xlsx", sweeps=heave("-10 mm", "10 mm"))
    book = openpyxl.load_workbook(path)
    book["Hardpoints"]["G1"] = "max_angle [deg]"
    book["Hardpoints"]["G3"] = 6.0
    book.save(path)
    (problem,) = told(run_suspension(path), "joint-angle")
    assert problem.cell == "Hardpoints!C3"


def test_a_car_within_its_limits_is_told_of_none(tmp_path):
    assert run_suspension(car_book(tmp_path / "b.xlsx")).sheets.problems == ()


def test_the_default_steer_sweep_ends_at_nine_tenths_of_what_the_rack_can_do(tmp_path):
    points = {**WISHBONES, "tie rod outer": (25, 560, 150), "tie rod inner": (20, 222, 144)}
    limit = told(
        run_suspension(hardpoint_book(tmp_path / "a.xlsx", points, sweeps=(STEER, ("s", "steer", 0, "60 mm", "1 mm")))),
        "travel-limit",
    )
    table = run_suspension(hardpoint_book(tmp_path / "b.xlsx", points)).table("steer")
    assert table.values[-1, 0] == pytest.approx(0.9 * numbers(limit[0].found)[0], abs=0.01)


def test_a_wheel_rate_that_a_preload_turns_negative_is_told_where_it_passes_zero(tmp_path):
    springs = [("name", "axle", "kind", "k", "preload"), ("spring", "front", "spring", "35 N/mm", "2500 N")]
    points = {**WISHBONES, **ROCKER}
    book = hardpoint_book(
        tmp_path / "b.xlsx", points, PUSHED, sweeps=heave("-30 mm", "60 mm"), others={"Suspension springs": springs}
    )
    found = run_suspension(book)
    (problem,) = told(found, "sign-change")
    assert "wheel rate" in problem.found
    table = found.table("up")
    columns = dict(zip(table.columns, table.values.T, strict=True))
    rate = columns["FL.wheel_rate"]
    assert rate == pytest.approx(columns["FL.wheel_rate_spring"] + columns["FL.wheel_rate_preload"], rel=1e-9)
    last = int(np.flatnonzero(rate > 0.0)[-1])
    zero = np.interp(0.0, rate[[last + 1, last]], columns["travel"][[last + 1, last]])
    assert numbers(problem.found)[0] == pytest.approx(zero, abs=0.2)
