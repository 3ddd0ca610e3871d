"""Springs that only push, helper springs, springs of one side, settings of bars, names, and what is told of all of them."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from tests.support.across_books import BLADE, CROSS, HEADS, HEAVE, across_book
from tests.support.set_up_books import formula_student

HEAD = ("name", "axle", "kind", "k", "free_length", "preload", "tension", "side", "block_travel", "point_i", "point_j")
DEEP = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-35 mm", "30 mm", "2.5 mm"))
FS = ("fs", "front", "spring", "35 N/mm", None, "150 N")


def swept(path, *rows, sheets=None, settings=(), points=()):
    others = {"Sweeps": DEEP, **(sheets or {})}
    return sheetmbs.run(str(across_book(path, (HEAD, *rows), settings=settings, points=points, others=others)))


def column(results, name, sweep="heave"):
    table = results.table(sweep)
    return table.values[:, table.columns.index(name)]


def told(results, code):
    return [each for each in results.sheets.problems if each.code == code]


def refused(path, *rows, sheets=None, points=()):
    with pytest.raises(WorkbookError) as fault:
        swept(path, *rows, sheets=sheets, points=points)
    return fault.value.problems


def test_a_spring_pushes_with_its_law_and_never_pulls(tmp_path):
    results = swept(tmp_path / "a.xlsx", FS)
    law = 150.0 + 35.0 * (column(results, "FL.spring_length")[14] - column(results, "FL.spring_length"))
    assert column(results, "FL.fs_force") == pytest.approx(np.maximum(law, 0.0), abs=1e-9)
    assert law.min() < -50.0
    loose = law < 0.0
    assert np.all(column(results, "FL.wheel_rate")[loose] == 0.0)
    assert np.all(column(results, "FL.wheel_rate")[~loose] > 1.0)


def test_below_a_loose_spring_a_bar_makes_no_rate_in_heave_and_nothing_is_divided_by_it(tmp_path):
    """A bar cancels in heave up to rounding: no damping ratio, no share and no frequency comes of what it leaves."""
    results = sheetmbs.run(str(formula_student(tmp_path / "a.xlsx")))
    loose = column(results, "travel") < column(results, "FL.loose_below")
    assert loose.any()
    assert np.all(column(results, "front.bar_torque")[~loose] == pytest.approx(0.0, abs=1e-9))
    assert np.all(column(results, "FL.wheel_rate_roll")[loose] > 1.0)
    for name in ("FL.wheel_rate", "FR.wheel_rate", "front.heave_rate", "FL.wheel_rate_single", "FL.ride_rate"):
        assert np.all(column(results, name)[loose] == 0.0), name
    shares = [f"front.{each}_heave_share" for each in ("bar", "front spring", "front damper")]
    for name in ("FL.critical_damping", "FL.damping_ratio", "FL.body_damping", "FL.ride_frequency", *shares):
        assert np.all(np.isnan(column(results, name)) == loose), name


def test_a_captive_spring_pulls_too(tmp_path):
    results = swept(tmp_path / "a.xlsx", (*FS, "yes"))
    law = 150.0 + 35.0 * (column(results, "FL.spring_length")[14] - column(results, "FL.spring_length"))
    assert column(results, "FL.fs_force") == pytest.approx(law, abs=1e-9)
    assert results.base.loosening == ()


def test_a_spring_lets_go_at_the_travel_at_which_it_has_its_free_length(tmp_path):
    results = swept(tmp_path / "a.xlsx", FS)
    travel = column(results, "FL.loose_below")[0]
    exact = (
        ("name", "type", "travel_from", "travel_to", "travel_step"),
        ("heave", "heave", f"{travel} mm", "0 mm", f"{-travel} mm"),
    )
    at = swept(tmp_path / "b.xlsx", FS, sheets={"Sweeps": exact})
    length = column(at, "FL.spring_length")
    assert length[0] == pytest.approx(length[-1] + 150.0 / 35.0, abs=1e-6)
    assert results.base.loosening == (f"heave: fs is loose below {travel:+.2f} mm",)


def test_a_spring_that_stays_compressed_has_no_such_travel(tmp_path):
    results = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "35 N/mm", None, "2000 N"))
    assert np.isnan(column(results, "FL.loose_below")).all()
    assert results.base.loosening == ()


def test_a_third_spring_without_preload_counts_at_design(tmp_path):
    third = ("hs", "front", "third spring", "25 N/mm", None, None, None, None, None, "heave end")
    with_third = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "35 N/mm"), third)
    alone = swept(tmp_path / "b.xlsx", ("fs", "front", "spring", "35 N/mm"))
    ratio = column(with_third, "front.hs_motion_ratio_heave")
    more = column(with_third, "front.heave_rate") - column(alone, "front.heave_rate")
    assert column(with_third, "front.hs_force")[14] == pytest.approx(0.0, abs=1e-8)
    assert more[14] == pytest.approx(25.0 * ratio[14] ** 2, rel=1e-9)
    assert np.all(column(with_third, "front.hs_force")[:14] == 0.0)
    assert more[:14] == pytest.approx(0.0, abs=1e-12)


def test_a_helper_gives_in_series_up_to_its_block_and_the_spring_alone_above(tmp_path):
    helper = ("help", "front", "helper spring", "8 N/mm", None, None, None, None, "20 mm")
    results = swept(tmp_path / "a.xlsx", FS, helper)
    shorter = column(results, "FL.spring_length")[14] - column(results, "FL.spring_length")
    force = column(results, "FL.fs_force")
    series, block = 35.0 * 8.0 / 43.0, 160.0
    at_block = (block - 150.0) / series
    expected = np.where(
        shorter < at_block, np.maximum(150.0 + series * shorter, 0.0), block + 35.0 * (shorter - at_block)
    )
    assert force == pytest.approx(expected, rel=1e-10, abs=1e-9)
    ratio, bend = column(results, "FL.motion_ratio")[14], column(results, "FL.dmotion_ratio")[14]
    assert column(results, "FL.wheel_rate")[14] == pytest.approx(series * ratio**2 + 150.0 * bend, rel=1e-9)


def test_a_free_length_with_a_helper_is_that_of_the_spring_alone_above_its_block(tmp_path):
    helper = ("help", "front", "helper spring", "8 N/mm", None, None, None, None, "5 mm")
    bare, with_helper = (
        (("fs", "front", "spring", "35 N/mm", "208 mm"),),
        ("fs", "front", "spring", "35 N/mm", "208 mm"),
    )
    alone = column(swept(tmp_path / "a.xlsx", *bare), "FL.fs_force")
    both = column(swept(tmp_path / "b.xlsx", with_helper, helper), "FL.fs_force")
    above = alone > 40.0
    assert both[above] == pytest.approx(alone[above], rel=1e-12)
    assert np.all(both[~above] >= alone[~above])


def test_a_spring_of_one_side_stands_there_alone(tmp_path):
    rows = [
        ("soft", "front", "spring", "30 N/mm", None, None, None, "left"),
        ("firm", "front", "spring", "45 N/mm", None, None, None, "right"),
    ]
    results = swept(tmp_path / "a.xlsx", *rows)
    names = results.table("heave").columns
    assert "FL.soft_force" in names
    assert "FR.firm_force" in names
    assert "FR.soft_force" not in names
    assert "FL.firm_force" not in names
    assert column(results, "FL.soft_force")[14] == pytest.approx(column(results, "FR.firm_force")[14], rel=1e-9)
    assert column(results, "FR.wheel_rate_spring")[14] == pytest.approx(
        1.5 * column(results, "FL.wheel_rate_spring")[14]
    )


def test_the_stiffness_of_a_bar_follows_from_its_setting_and_never_beyond_the_curve(tmp_path):
    heads = (*HEADS, "setting", "k_of_setting")
    curves = {"Curves": (("soft to firm.x", "soft to firm.y [N/mm]"), (1, 20), (3, 50), (5, 90))}

    def run(name, setting, k=None):
        bar = ("zbar", "front", "blade bar", k, None, None, setting, "soft to firm")
        return sheetmbs.run(str(across_book(tmp_path / name, (heads, HEAVE, CROSS, bar), points=BLADE, others=curves)))

    results = run("a.xlsx", 2)
    force, stroke = (column(results, f"FL.blade_{what}", "roll") for what in ("force", "stroke"))
    assert force == pytest.approx(35.0 * stroke, rel=1e-10, abs=1e-10)
    for setting, k, code, cell in ((5.5, None, "out-of-range", "G4"), (2, "30 N/mm", "given-twice", "D4")):
        with pytest.raises(WorkbookError) as fault:
            run("b.xlsx", setting, k)
        (problem,) = fault.value.problems
        assert (problem.code, problem.cell) == (code, f"Suspension springs!{cell}")


def test_a_bar_that_is_called_by_its_axle_is_not_called_so_twice(tmp_path):
    bar = {"bar link suspension": (0, 265, 352), "bar link bar": (0, 265, 260), "bar axis": (-60, 265, 260)}
    points = [(name, *at, "left", "rocker" if "suspension" in name else None) for name, at in bar.items()]
    results = swept(
        tmp_path / "a.xlsx",
        ("fs", "front", "spring", "35 N/mm"),
        ("front bar", "front", "U bar", "250 N m/rad"),
        points=points,
    )
    assert "front.bar_torque" in results.table("heave").columns
    springs = results.base.merged.book.sheets["Springs"]
    names = [str(springs.rows.cell(row, 1).value) for row in springs.rows]
    assert "front bar" in names
    assert "front front bar" not in names


def test_a_spring_that_is_too_short_is_loose_at_design(tmp_path):
    results = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "35 N/mm", "180 mm"))
    (problem,) = told(results, "loose-spring")
    assert problem.cell == "Suspension springs!E2"
    assert "loose at design" in problem.found
    length = column(results, "FL.spring_length")[14]
    assert "180.00 mm" in problem.problem
    assert f"{length:.2f} mm" in problem.problem


@pytest.mark.parametrize(
    ("third", "points", "words"),
    [
        (("roll end", "roll end"), (("fixed", 0, 200, 200, "left", "chassis"),), ""),
        (("fixed", None), (("fixed", 0, 200, 200, "left", "chassis"),), "both its ends"),
    ],
    ids=["moves", "on the chassis"],
)
def test_an_element_between_points_that_do_not_move_is_named(tmp_path, third, points, words):
    row = ("dead", "front", "roll spring", "25 N/mm", None, None, None, None, None, third[0], third[1] or third[0])
    if not words:
        assert told(swept(tmp_path / "a.xlsx", FS, row, points=points), "dead-element") == []
        return
    (problem,) = refused(tmp_path / "a.xlsx", FS, row, points=points)
    assert (problem.code, problem.cell) == ("dead-element", "Suspension springs!J3")
    assert "moves nothing" in problem.found
    assert words in problem.problem


def test_a_damper_on_the_axis_of_its_rocker_moves_nothing(tmp_path):
    path = across_book(tmp_path / "a.xlsx", (HEAD, FS))
    book = openpyxl.load_workbook(path)
    for row in book["Hardpoints"].iter_rows(min_row=3):
        if row[1].value == "damper rocker":
            row[2].value, row[3].value, row[4].value = 20, 220, 350
            cell = row[2].coordinate
    book.save(path)
    with pytest.raises(WorkbookError) as fault:
        sheetmbs.run(str(path))
    (problem,) = [each for each in fault.value.problems if each.code == "dead-element"]
    assert problem.cell == f"Hardpoints!{cell}"
    assert "damper rocker lies on the axis" in problem.problem


def test_a_wheel_rate_that_is_negative_at_design_is_told_with_both_its_terms(tmp_path):
    results = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "1 N/mm", None, "2500 N"))
    (problem,) = told(results, "falling-rate")
    assert problem.cell == "Suspension springs!D2"
    rates = [column(results, f"FL.wheel_rate_{what}")[14] for what in ("spring", "preload")]
    assert sum(rates) <= 0.0
    assert all(f"{rate:.3f} N/mm" in problem.problem for rate in rates)


def test_a_spring_that_is_loose_at_design_is_told_once_and_no_falling_rate(tmp_path):
    """Its rate of 0 follows from being loose, so a second warning would name a fault that the car does not have."""
    results = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "35 N/mm", "100 mm"))
    assert [each.cell for each in told(results, "loose-spring")] == ["Suspension springs!E2"]
    assert told(results, "falling-rate") == []
    assert np.all(column(results, "FL.wheel_rate")[14] == 0.0)


@pytest.mark.parametrize(("name", "words"), [("front spring", "the front spring has"), ("fs", "the front fs has")])
def test_a_spring_is_named_with_its_axle_once(tmp_path, name, words):
    settings = [("mass", None), ("weight front", None), ("corner load", None)]
    results = swept(tmp_path / "a.xlsx", (name, "front", "spring", "35 N/mm"), settings=settings)
    found = [each.found for each in results.sheets.problems if "neither free_length nor preload" in each.found]
    assert found == [f"{words} neither free_length nor preload"]


def test_a_bar_that_hardly_counts_is_told(tmp_path):
    zbar = ("zbar", "front", "blade bar", "0.01 N/mm")
    results = swept(tmp_path / "a.xlsx", ("fs", "front", "spring", "35 N/mm"), zbar, points=BLADE)
    (problem,) = told(results, "implausible-value")
    assert problem.cell == "Suspension springs!D3"
    assert "roll stiffness" in problem.found


def test_a_correct_axle_of_any_layout_has_no_finding(tmp_path):
    for number, rows in enumerate(((HEADS, HEAVE, CROSS), (HEADS, ("fs", "front", "spring", "35 N/mm")))):
        results = sheetmbs.run(str(across_book(tmp_path / f"{number}.xlsx", rows)))
        codes = {each.code for each in results.sheets.problems}
        assert codes.isdisjoint({"dead-element", "loose-spring", "falling-rate", "implausible-value", "uneven-load"})
