"""Rows of the sheet Sweeps: their ranges, and what is told at their cells."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.kinematics.sweeps import ranged
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import SETTINGS, hardpoint_book
from tests.suspension.test_suspension_sweeps import HEAVE, columns


@pytest.mark.parametrize(
    ("first", "last", "step", "expected"),
    [
        (-10, 10, 5, [-10, -5, 0, 5, 10]),
        (-10, 7, 4, [-10, -6, -2, 0, 2, 6]),
        (10, -10, 10, [10, 0, -10]),
        (7, -6, 4, [7, 3, 0, -1, -5]),
        (5, 15, 5, [5, 10, 15]),
        (0, 0, 1, [0]),
    ],
)
def test_a_range_begins_at_its_beginning_and_passes_design(first, last, step, expected):
    assert ranged(float(first), float(last), float(step)).tolist() == expected


def test_values_of_a_range_are_whole_multiples_of_its_step():
    assert (1e3 * ranged(-0.025, 0.025, 0.005)).tolist() == [-25, -20, -15, -10, -5, 0, 5, 10, 15, 20, 25]


@pytest.mark.parametrize(
    ("row", "cell"),
    [
        (("fine", "heave", "-30 mm", "30 mm", "0.0001 mm"), "Sweeps!E2"),
        (("product", "combined", "-30 mm", "30 mm", "0.1 mm", "-2 deg", "2 deg", "0.01 deg", "yes"), "Sweeps!I2"),
    ],
)
def test_more_poses_than_can_be_waited_for_are_refused(tmp_path, row, cell):
    head = (*HEAVE[0], "roll_from", "roll_to", "roll_step", "grid")
    with pytest.raises(WorkbookError, match="at most 100,000 poses") as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=[head, row]))
    assert [problem.cell for problem in caught.value.problems] == [cell]


@pytest.mark.parametrize(
    ("quantity", "ends", "cell"),
    [("travel", (-10, "10 mm"), "C2"), ("travel", ("-1 mm", 30), "D2"), ("roll", (-2, 2), "C2")],
)
def test_a_range_without_its_unit_is_doubted_at_its_cell(tmp_path, quantity, ends, cell):
    head = ("name", "type", f"{quantity}_from", f"{quantity}_to", f"{quantity}_step")
    kind = "heave" if quantity == "travel" else quantity
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=[head, ("s", kind, *ends, 1)])).sheets
    assert ("implausible-value", f"Sweeps!{cell}") in [(problem.code, problem.cell) for problem in found.problems]


@pytest.mark.parametrize(
    ("rows", "cell"),
    [
        ([HEAVE[0], ("a/b", "heave", "-5 mm", "5 mm", "5 mm")], "Sweeps!A2"),
        ([HEAVE[0], ("driver's", "heave"), ("drivers'", "heave")], "Sweeps!A3"),
        ([(*HEAVE[0], "travel"), ("up", "heave", "-5 mm", "5 mm", "5 mm", "2 mm")], "Sweeps!F2"),
        ([("name", "type", "rack_from", "rack_to", "steering_wheel"), ("s", "steer", 0, "5 mm", "9 deg")], "Sweeps!E2"),
    ],
)
def test_a_sweep_that_no_sheet_can_be_named_by_or_that_is_held_too_is_refused(tmp_path, rows, cell):
    settings = [*SETTINGS, ("rack per turn", "90 mm")]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", settings=settings, sweeps=rows))
    assert [problem.cell for problem in caught.value.problems] == [cell]


def test_a_sweep_over_the_steering_wheel_is_one_over_the_rack_by_its_travel_per_turn(tmp_path):
    settings = [*SETTINGS, ("rack per turn", "-90 mm")]
    header = (
        "name",
        "type",
        *(f"{what}_{end}" for what in ("rack", "steering_wheel") for end in ("from", "to", "step")),
    )
    by_wheel = ("s", "steer", None, None, None, "-80 deg", "80 deg", "20 deg")
    by_rack = ("s", "steer", "20 mm", "-20 mm", "5 mm")
    wheel, rack = (
        columns(run_suspension(hardpoint_book(tmp_path / "b.xlsx", settings=settings, sweeps=[header, row])).table("s"))
        for row in (by_wheel, by_rack)
    )
    assert wheel["rack"] == pytest.approx(np.linspace(20.0, -20.0, 9), abs=1e-12)
    for name, values in rack.items():
        assert wheel[name] == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize(
    ("ratio", "row", "cell"),
    [
        ([], (None, None, "-80 deg", "80 deg"), "Sweeps!E2"),
        ([("rack per turn", "90 mm")], ("-5 mm", "5 mm", "-80 deg", "80 deg"), "Sweeps!E2"),
    ],
)
def test_a_range_of_the_steering_wheel_needs_a_ratio_and_no_range_of_the_rack(tmp_path, ratio, row, cell):
    header = ("name", "type", "rack_from", "rack_to", "steering_wheel_from", "steering_wheel_to")
    book = hardpoint_book(tmp_path / "b.xlsx", settings=[*SETTINGS, *ratio], sweeps=[header, ("s", "steer", *row)])
    with pytest.raises(WorkbookError) as caught:
        run_suspension(book)
    assert [problem.cell for problem in caught.value.problems] == [cell]


def test_an_axle_without_a_rack_cannot_be_steered(tmp_path):
    rows = [("name", "type", "rack_from", "rack_to"), ("s", "steer", "-5 mm", "5 mm")]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", settings=[*SETTINGS, ("steering", "none")], sweeps=rows))
    assert [problem.cell for problem in caught.value.problems] == ["Sweeps!B2"]
