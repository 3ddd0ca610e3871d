"""Targets of metrics: what designs are off them, against deviations worked out by hand."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sheets.suspension_page import judged_in_words
from tests.support.hardpoint_books import SETTINGS, WISHBONES, hardpoint_book
from tests.support.load_books import car_book
from tests.support.opened import checked

HEADS = ("metric", "sweep", "x", "value", "min", "max", "curve", "tolerance", "weight", "design")
HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-30 mm", "30 mm", "10 mm"))
AIMED = (("aim.x [mm]", "aim.y [deg]"), (-20, -0.5), (0, -1.2), (20, -2.5))
RAISED = ("front", "upper ball joint", -8, 545, 310, None, "B")


def book(path, *rows, points=(), others=None):
    sheets = {"Targets": [HEADS, *rows], "Curves": AIMED, **(others or {})}
    hardpoint_book(path, sweeps=HEAVE, rows=points, others=sheets)
    if points:
        found = openpyxl.load_workbook(path)
        found["Hardpoints"]["G1"] = "design"
        found.save(path)
    return path


def judged(path, *rows, **others):
    return run_suspension(book(path, *rows, **others)).targets


def columns(results):
    table = results.table("heave")
    return dict(zip(table.columns, table.values.T, strict=True))


def test_a_value_at_design_is_off_by_what_the_settings_say(tmp_path):
    (found,) = judged(tmp_path / "b.xlsx", ("FL.camber", None, None, "-1.5 deg", None, None, None, "0.5 deg"))
    assert (found.value, found.aim, found.deviation) == pytest.approx((-1.2, -1.5, 0.3), abs=1e-10)
    assert found.is_met is True
    assert found.shown == "-1.5"
    (found,) = judged(tmp_path / "c.xlsx", ("FL.camber", None, None, "-1.5 deg", None, None, None, "0.2 deg"))
    assert found.is_met is False
    (found,) = judged(tmp_path / "d.xlsx", ("fl.Camber", None, None, np.radians(-1.2)))
    assert found.deviation == pytest.approx(0.0, abs=1e-10)
    assert found.is_met is None, "without a tolerance nobody says how near is near enough"


@pytest.mark.parametrize(
    ("least", "most", "off", "shown"),
    [
        ("-1.3 deg", "-1 deg", 0.0, "-1.3 .. -1"),
        ("-1 deg", None, -0.2, "at least -1"),
        (None, "-1.5 deg", 0.3, "at most -1.5"),
    ],
)
def test_a_band_is_met_inside_and_counts_from_its_bound_outside(tmp_path, least, most, off, shown):
    (found,) = judged(tmp_path / "b.xlsx", ("FL.camber", None, None, None, least, most))
    assert found.deviation == pytest.approx(off, abs=1e-10)
    assert found.is_met is (off == 0.0)
    assert found.shown == shown


def test_a_curve_is_followed_over_its_range_alone(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("FL.camber", "heave", None, None, None, None, "aim", "2 deg")))
    found = columns(results)
    expected = np.interp(found["travel"], [-20, 0, 20], [-0.5, -1.2, -2.5])
    inside = np.abs(found["travel"]) < 20.5
    assert found["target/FL.camber"][inside] == pytest.approx(expected[inside], abs=1e-10)
    assert np.isnan(found["target/FL.camber"][~inside]).all()
    off = (found["FL.camber"] - expected)[inside]
    (judged_,) = results.targets
    assert judged_.rms == pytest.approx(np.sqrt(np.mean(off**2)), abs=1e-10)
    assert judged_.largest == pytest.approx(np.abs(off).max(), abs=1e-10)
    assert judged_.deviation == pytest.approx(off[np.argmax(np.abs(off))], abs=1e-10)


def test_a_curve_may_go_over_another_column(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("FL.toe", "heave", "FL.wheel_z", None, None, None, "aim")))
    found = columns(results)
    inside = np.abs(found["travel"]) < 20.5
    expected = np.interp(found["FL.wheel_z"], [-20, 0, 20], [-0.5, -1.2, -2.5])
    assert found["target/FL.toe"][inside] == pytest.approx(expected[inside], abs=1e-9)


def test_a_band_over_a_sweep_is_two_columns_on_its_rows(tmp_path):
    found = columns(run_suspension(book(tmp_path / "b.xlsx", ("FL.toe", "heave", None, None, "-0.3 deg", "0.3 deg"))))
    assert found["target/FL.toe min"] == pytest.approx(np.full(7, -0.3))
    assert found["target/FL.toe max"] == pytest.approx(np.full(7, 0.3))


def test_every_design_is_judged_and_one_may_have_its_own_target(tmp_path):
    rows = [("FL.camber", "heave", None, "-1 deg"), ("FL.camber", "heave", None, "-2 deg", *[None] * 5, "B")]
    results = run_suspension(book(tmp_path / "b.xlsx", *rows, points=[RAISED]))
    found = columns(results)
    assert [each.design for each in results.targets] == ["", "B"]
    first, second = results.targets
    assert first.largest == pytest.approx(np.abs(found["FL.camber"] + 1).max(), abs=1e-10)
    assert second.largest == pytest.approx(np.abs(found["B/FL.camber"] + 2).max(), abs=1e-10)
    assert set(found["target/FL.camber"]) == {-1.0}
    assert found["target/B/FL.camber"] == pytest.approx(np.full(7, -2.0))


@pytest.mark.parametrize(
    "row",
    [
        ("front.roll_centre_height", None, None, "40 mm"),
        ("front.track", None, None, None, "1190 mm", "1210 mm"),
        ("FL.camber_gradient", None, None, "-30 deg/m"),
        ("FL.contact_dy_dz", None, None, 0.05),
    ],
)
def test_targets_of_all_units_are_in_that_of_their_metric(tmp_path, row):
    results = run_suspension(book(tmp_path / "b.xlsx", row))
    (found,) = results.targets
    value = columns(results)[row[0]][3]
    assert found.value == pytest.approx(value, rel=1e-9)
    assert results.sheets.problems == ()


def test_targets_of_another_file_are_those_of_this_workbook(tmp_path):
    moved = {**WISHBONES, "upper ball joint": (-8, 545, 310)}
    hardpoint_book(tmp_path / "last.xlsx", moved)
    others = {"Designs": [("name", "file"), ("old", "last.xlsx")]}
    found = judged(tmp_path / "b.xlsx", ("FL.camber", "heave", None, None, None, None, "aim"), others=others)
    assert [each.design for each in found] == ["", "old"]
    assert found[0].rms != found[1].rms


WRONG = {
    "no such metric": (("FL.cambre",), "A2", "did you mean FL.camber?"),
    "a corner that is not there": (("RL.camber", None, None, 1), "A2", "no such column"),
    "a metric of no wheel": (("camber",), "A2", "write FL.camber or FR.camber"),
    "no such sweep": (("FL.camber", "heaven", None, 1), "B2", "did you mean heave?"),
    "no such x": (("FL.camber", "heave", "travell", 1), "C2", "did you mean travel?"),
    "no aim": (("FL.camber", "heave"), "D2", "value, min and max, or a curve"),
    "two aims": (("FL.camber", "heave", None, "1 deg", None, "2 deg"), "F2", "one value"),
    "a band upside down": (("FL.camber", None, None, None, "2 deg", "1 deg"), "F2", "not below"),
    "a length for an angle": (("FL.camber", None, None, "2 mm"), "D2", "deg"),
    "no such curve": (("FL.camber", "heave", None, None, None, None, "aims"), "G2", "did you mean aim?"),
    "a curve of lengths": (("front.track", "heave", None, None, None, None, "aim"), "G2", "deg"),
    "a curve at design": (("FL.camber", None, None, None, None, None, "aim"), "B2", "name the sweep"),
    "a tolerance below nothing": (("FL.camber", None, None, "1 deg", *[None] * 3, "-0.1 deg"), "H2", "0 or more"),
    "a weight below nothing": (("FL.camber", None, None, "1 deg", *[None] * 4, -1), "I2", "0 or more"),
    "no such design": (("FL.camber", None, None, "1 deg", *[None] * 5, "C"), "J2", "no row of the car"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_target_is_told_at_its_cell_by_check_too(tmp_path, what):
    row, cell, told = WRONG[what]
    path = book(tmp_path / "b.xlsx", row)
    for read in (run_suspension, checked):
        with pytest.raises(WorkbookError) as caught:
            read(path)
        found = {problem.cell: problem for problem in caught.value.problems}
        assert told in str(found[f"Targets!{cell}"])


def test_degrees_without_a_unit_are_doubted(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("FL.camber", None, None, -1.2)))
    told = {problem.cell: problem for problem in results.sheets.problems}
    assert "-68.75 deg" in str(told["Targets!D2"])


@pytest.mark.parametrize(
    ("metric", "number", "shown"),
    [
        ("roll_stiffness_front_share", 50, "5000 %"),
        ("roll_gradient", 3, "171.9 deg/g"),
        ("FL.wheel_rate", 25, "0.025 N/mm"),
    ],
)
def test_a_number_of_the_page_without_its_unit_is_doubted(tmp_path, metric, number, shown):
    targets = [("metric", "value", "tolerance"), (metric, number, 0.01)]
    results = run_suspension(car_book(tmp_path / "b.xlsx", others={"Targets": targets}))
    (problem,) = results.sheets.problems
    assert problem.cell == "Targets!B2"
    assert shown in str(problem)


def test_a_target_without_settings_needs_none(tmp_path):
    assert len(judged(tmp_path / "b.xlsx", ("FL.camber", None, None, dict(SETTINGS)["camber"]))) == 1


def test_a_target_that_another_design_cannot_have_is_that_of_those_that_can(tmp_path):
    points = {"arm inner": (0, 100, 230), "arm outer": (-300, 100, 230), "wheel centre": (0, 600, 230)}
    hardpoint_book(
        tmp_path / "last.xlsx", points, [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none")]
    )
    others = {"Designs": [("name", "file"), ("old", "last.xlsx")]}
    rows = [
        ("FL.caster", None, None, "3 deg"),
        ("FL.caster", "heave", None, "3 deg"),
        ("FL.camber", None, None, "1 deg"),
    ]
    found = judged(tmp_path / "b.xlsx", *rows, others=others)
    assert [(each.design, each.target.metric) for each in found] == [
        ("", "FL.caster"),
        ("", "FL.caster"),
        ("", "FL.camber"),
        ("old", "FL.camber"),
    ]


@pytest.mark.parametrize("written", ["1.1 Hz", "1.1 1/s", "1100 1/ks", 1.1])
def test_a_frequency_is_aimed_at_in_hertz(tmp_path, written):
    targets = {"Targets": [("metric", "value", "tolerance"), ("FL.ride_frequency", written, "0.1 Hz")]}
    results = run_suspension(
        car_book(tmp_path / "b.xlsx", settings=[("tyre rate", "110 N/mm", "120 N/mm")], others=targets)
    )
    (found,) = results.targets
    assert found.value == pytest.approx(results.values[0].value("FL.ride_frequency"))
    assert (found.aim, found.deviation) == pytest.approx((1.1, found.value - 1.1), rel=1e-12)
    assert found.is_met is (abs(found.deviation) <= 0.1)


def test_every_number_of_a_car_may_be_aimed_at_in_the_unit_in_which_it_is_printed(tmp_path):
    printed = run_suspension(car_book(tmp_path / "a.xlsx")).table("heave")
    aims = [(name, f"1 {unit}") for name, unit in zip(printed.columns, printed.units, strict=True) if "." in name]
    aims += [("roll_gradient", "3 deg/g"), ("roll_stiffness_front_share", "50 %")]
    results = run_suspension(car_book(tmp_path / "b.xlsx", others={"Targets": [("metric", "value"), *aims]}))
    assert results.sheets.problems == ()
    found = {judged.target.metric: judged for judged in results.targets}
    assert set(found) == {name for name, _ in aims}
    gradient = found["roll_gradient"]
    assert gradient.aim == pytest.approx(3.0)
    assert gradient.deviation == pytest.approx(results.values[0].value("roll_gradient") - 3.0)


def test_an_angle_over_grams_is_no_angle(tmp_path):
    targets = {"Targets": [("metric", "value"), ("FL.camber", "1 deg/g")]}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(car_book(tmp_path / "b.xlsx", others=targets))
    assert [problem.cell for problem in caught.value.problems] == ["Targets!B2"]


def test_a_target_in_another_unit_is_told_which_units_it_may_have(tmp_path):
    targets = {"Targets": [("metric", "value"), ("FL.camber", "1 mm")]}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(car_book(tmp_path / "b.xlsx", others=targets))
    (problem,) = caught.value.problems
    assert problem.problem == "mm is not a unit of angle"
    assert problem.mend == "give a unit such as rad or deg, or none for SI"


def test_a_frequency_in_another_unit_is_refused(tmp_path):
    targets = {"Targets": [("metric", "value"), ("FL.ride_frequency", "1.1 N")]}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(car_book(tmp_path / "b.xlsx", settings=[("tyre rate", "110 N/mm", "120 N/mm")], others=targets))
    assert [problem.cell for problem in caught.value.problems] == ["Targets!B2"]


def test_a_target_that_is_missed_by_little_says_so_with_two_digits(tmp_path):
    (found,) = judged(tmp_path / "b.xlsx", ("FL.camber", None, None, "-1.2042 deg", None, None, None, "0.001 deg"))
    assert found.is_met is False
    assert "-1.2000 deg" in judged_in_words(found)
    assert "off by 0.0042 deg" in judged_in_words(found)


def test_a_residual_of_a_measurement_that_is_not_there_is_told_with_those_that_are(tmp_path):
    sheets = {
        "Measured": (("at", "camber"), ("mm", "deg"), (-10.0, -0.9), (10.0, -1.5)),
        "Measurements": (("name", "of", "over_column", "column"), ("gauge", "FL.camber", "at", "camber")),
    }
    path = book(tmp_path / "b.xlsx", ("measured(gage)", None, None, None, None, "1 deg"), others=sheets)
    with pytest.raises(WorkbookError) as caught:
        checked(path)
    (problem,) = caught.value.problems
    assert problem.cell == "Targets!A2"
    assert "no row of the sheet Measurements has this name" in problem.problem
    assert "did you mean measured(gauge)" in problem.mend
