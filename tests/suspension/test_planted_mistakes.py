"""Mistakes as people make them in a suspension workbook, each told at its cell; a correct car says nothing."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.load_books import FRONT, REAR, car_book
from tests.support.opened import sheet_values
from tests.support.set_up_books import FLOORS, formula_student

IMPLAUSIBLE = "implausible-value"
ALONE = (("mass", None), ("weight front", None))
"""settings without which corner loads alone say what stands on the wheels"""


def told(path):
    """(code, cell, text) of all that is said of a workbook."""
    try:
        problems = run_suspension(path).sheets.problems
    except WorkbookError as error:
        problems = error.problems
    return [(each.code, each.cell, str(each)) for each in problems]


def cells_of(found, code):
    return [cell for own, cell, _text in found if own == code]


def row_of(path, sheet, name, column):
    """The address in a column of the row that begins with a name."""
    rows = enumerate(sheet_values(path, sheet), start=1)
    return next(f"{sheet}!{column}{number}" for number, row in rows if name in row[:2])


def test_a_correct_car_says_nothing(tmp_path):
    cases = (
        ("name", "ay", "ax", "rack"),
        ("left", 1.2, 0, "15 mm"),
        ("right", -1.2, 0, "-15 mm"),
        ("brake", 0, -1.2, 0),
    )
    settings = [("rack per turn", "85 mm"), ("tyre rate", "110 N/mm", "120 N/mm"), ("rim diameter", "330 mm", "330 mm")]
    assert told(car_book(tmp_path / "b.xlsx", cases=cases, settings=settings)) == []


@pytest.mark.parametrize(
    ("row", "code", "column", "words"),
    [
        (("cg height", "0.3 mm"), IMPLAUSIBLE, "B", "0.3 mm"),
        (("cg height", 30), IMPLAUSIBLE, "B", "a number without one counts in m"),
        (("cg height", "1.9 m"), IMPLAUSIBLE, "B", "the track, 1210 mm"),
        (("cg height", "-300 mm"), IMPLAUSIBLE, "B", "-300 mm"),
        (("brake front", "0.6 %"), IMPLAUSIBLE, "B", "0.6 is 60 %"),
        (("brake front", "99 %"), IMPLAUSIBLE, "B", "20 and 95 %"),
        (("mass", 2747), IMPLAUSIBLE, "B", "is it N?"),
        (("mass", 0.28), IMPLAUSIBLE, "B", "is it t?"),
        (("unsprung mass", 30, 20), IMPLAUSIBLE, "B", "at most a third"),
        (("unsprung mass", 11, 118), IMPLAUSIBLE, "C", "is it N?"),
        (("unsprung mass", 0.011, 0.012), IMPLAUSIBLE, "C", "next to nothing"),
        (("rack per turn", 0.5), IMPLAUSIBLE, "B", "between 10 and 400 mm"),
        (("rack per turn", "0.085 mm"), IMPLAUSIBLE, "B", "0.085 mm"),
        (("rack per turn", "-85 mm"), "steers-right", "B", "write 85 mm"),
        (("wheelbase", 1550), IMPLAUSIBLE, "B", "counts in m"),
        (("tyre radius", "9.05 mm", "9.05 mm"), IMPLAUSIBLE, "B", "between 50 and 1200 mm"),
        (("rim diameter", 13, 13), IMPLAUSIBLE, "B", "counts in m"),
        (("perch pitch", 1.5, 1.5), IMPLAUSIBLE, "C", "between 0.3 and 20 mm"),
        (("roll inertia", "35 kg mm^2"), IMPLAUSIBLE, "B", "radius of gyration"),
        (("drive rear", "1 %"), IMPLAUSIBLE, "B", "1 is 100 %"),
    ],
)
def test_a_setting_that_can_hardly_be_meant(tmp_path, row, code, column, words):
    path = car_book(tmp_path / "b.xlsx", settings=[row])
    cell = row_of(path, "Suspension", row[0], column)
    assert any((own, at) == (code, cell) and words in text for own, at, text in told(path))


def test_a_centre_of_gravity_on_the_road_is_legal(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[("cg height", 0)], cases=(("name", "ax"), ("stop", -1)))
    found = run_suspension(path)
    assert found.sheets.problems == ()
    loads = found.base.loads
    assert loads.column("FL.fz")[0] == pytest.approx(0.5 * 280 * 9.81 * 0.47, rel=2e-3)  # nothing goes over
    assert "FL.anti_dive" not in found.at_design["base"]


def test_a_load_in_kilograms_is_less_than_the_wheel_weighs(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[("corner load", 65, 73), *ALONE])
    found = told(path)
    cells = [row_of(path, "Suspension", "corner load", column) for column in "BC"]
    assert cells_of(found, "negative-preload") == cells
    assert all("is it kg?" in text for code, _cell, text in found if code == "negative-preload")


def test_a_load_in_kilograms_is_seen_without_an_unsprung_mass_too(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[("corner load", 65, 73), ("unsprung mass", None), *ALONE])
    assert cells_of(told(path), IMPLAUSIBLE) == [row_of(path, "Suspension", "corner load", column) for column in "BC"]


def test_a_car_lighter_than_its_wheels_is_told_at_its_mass(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[("mass", 46.5), ("weight front", "40 %")])
    assert cells_of(told(path), "negative-preload") == [row_of(path, "Suspension", "mass", "B")]


def test_a_case_that_steers_out_of_its_turn(tmp_path):
    cases = (("name", "ay", "rack"), ("a", 1, "-20 mm"), ("b", -1, "-20 mm"), ("c", 1, "20 mm"), ("d", 0, "20 mm"))
    assert cells_of(told(car_book(tmp_path / "b.xlsx", cases=cases)), "steers-out") == ["Load cases!C2"]


@pytest.mark.parametrize(
    ("heads", "row", "cell"),
    [
        (("name", "downforce_front"), ("a", -300), "Load cases!B2"),
        (("name", "az"), ("a", 9.81), "Load cases!B2"),
        (("name", "az"), ("a", -1), "Load cases!B2"),
        (("name", "factor"), ("a", 150), "Load cases!B2"),
        (("name", "pose", "FL.fz", "FR.fz", "RL.fz", "RR.fz"), ("a", "design", 65, 65, 73, 73), "Load cases!C2"),
    ],
)
def test_a_load_case_that_can_hardly_be_meant(tmp_path, heads, row, cell):
    assert cell in cells_of(told(car_book(tmp_path / "b.xlsx", cases=(heads, row))), IMPLAUSIBLE)


@pytest.mark.parametrize(
    ("heads", "row", "column"),
    [
        ("travel_from travel_to travel_step", ("heave", "-0.03 mm", "0.03 mm", "0.01 mm"), "D"),
        ("roll_from roll_to roll_step", ("roll", "-0.02 deg", "0.02 deg", "0.01 deg"), "D"),
        ("travel_from travel_to travel_step", ("heave", "-20 mm", "20 mm", 5), "E"),
        ("travel_from travel_to rack", ("heave", "-20 mm", "20 mm", 25), "E"),
        ("travel_from travel_to roll", ("heave", "-20 mm", "20 mm", 2), "E"),
        ("pitch_from pitch_to pitch_about", ("pitch", "-1 deg", "1 deg", -700), "E"),
    ],
)
def test_a_sweep_that_can_hardly_be_meant(tmp_path, heads, row, column):
    sheets = {"Sweeps": [("name", "type", *heads.split()), ("one", *row)]}
    assert cells_of(told(car_book(tmp_path / "b.xlsx", others=sheets)), IMPLAUSIBLE) == [f"Sweeps!{column}2"]


def test_poses_in_metres_are_told_once_a_column(tmp_path):
    poses = [("sweep", "travel_left", "travel_right"), ("log", 10, 10), ("log", 20, 20)]
    path = car_book(tmp_path / "b.xlsx", others={"Sweeps": [("name", "type"), ("log", "poses")], "Poses": poses})
    assert cells_of(told(path), IMPLAUSIBLE) == ["Poses!B2", "Poses!C2"]


def test_an_adjustment_in_metres(tmp_path):
    sheets = {"Adjustments": [("axle", "item", "change"), ("front", "tie rod inner.z", 3)]}
    assert "Adjustments!C2" in cells_of(told(car_book(tmp_path / "b.xlsx", others=sheets)), IMPLAUSIBLE)


def test_hardpoints_whose_unit_was_forgotten_are_told_once_an_axle_and_explain_what_follows(tmp_path):
    """They count in m then: a car of 1.2 km says so, and not that each of its points lies far from the others."""
    found = told(hardpoint_book(tmp_path / "a.xlsx", WISHBONES, SETTINGS, unit=None))
    (text,) = [text for code, _cell, text in found if code == "implausible-point"]
    assert cells_of(found, "implausible-point") == [row_of(tmp_path / "a.xlsx", "Hardpoints", "wheel centre", "D")]
    assert "a number without one counts in m" in text
    wishes = {"Adjustments": [("axle", "item", "change", "at"), ("front", "ride height", "38 mm", "floor front")]}
    path = formula_student(tmp_path / "b.xlsx", points=FLOORS, sheets=wishes)
    book = openpyxl.load_workbook(path)
    for column in "CDE":
        book["Hardpoints"][f"{column}2"] = None
    book.save(path)
    codes = [code for code, _cell, _text in told(path)]
    assert codes.count("implausible-point") == 2
    assert codes[-1] == "no-solution"


def with_points(path, changed, settings=()):
    return car_book(path, points={"front": {**FRONT, **changed}, "rear": REAR}, settings=settings)


def test_a_rod_that_stands_on_the_other_arm(tmp_path):
    rocker = {**{name: at for name, at in FRONT.items() if not name.startswith(("damper", "bar"))}, **ROCKER}
    rocker["rod outer"] = (0, 515, 285)
    springs = (("name", "axle", "kind", "k"), ("s", "front", "spring", "60 N/mm"), ("s", "rear", "spring", "65 N/mm"))
    for name, more, expected in (("blank", (), True), ("given", (("rod on", "lower arm", None),), False)):
        path = car_book(
            tmp_path / f"{name}.xlsx",
            points={"front": rocker, "rear": REAR},
            springs=springs,
            settings=[("actuation", "push-rod", "direct"), *more],
        )
        found = told(path)
        cell = row_of(path, "Hardpoints", "rod outer", "C")
        assert cells_of(found, "rod-carrier") == ([cell] if expected else [])
        if expected:
            text = next(text for code, _cell, text in found if code == "rod-carrier")
            ends = [
                np.linalg.norm(np.subtract(rocker[joint], rocker["rod outer"]))
                for joint in ("upper ball joint", "lower ball joint")
            ]
            assert all(f"{away:.4g} mm" in text for away in ends)


def test_a_damper_that_stands_on_the_other_arm(tmp_path):
    path = with_points(tmp_path / "b.xlsx", {"damper outer": (0, 500, 280)})
    assert cells_of(told(path), "damper-carrier") == [row_of(path, "Hardpoints", "damper outer", "C")]


@pytest.mark.parametrize("share", [1.0, 0.9])
def test_a_tie_rod_without_a_lever_about_the_steering_axis(tmp_path, share):
    """Its outer end on the axis, or the whole rod on a line that meets it; nothing is said of motion ratios then."""
    lower, upper, inner = (np.array(FRONT[name]) for name in ("lower ball joint", "upper ball joint", "tie rod inner"))
    outer = inner + share * (lower + 0.3 * (upper - lower) - inner)
    path = with_points(tmp_path / "b.xlsx", {"tie rod outer": tuple(map(float, outer))})
    found = told(path)
    assert cells_of(found, "singular-pose") == [row_of(path, "Hardpoints", "tie rod outer", "C")]
    assert not any("motion ratio" in text for _code, _cell, text in found)


def test_a_design_without_rows_is_not_run(tmp_path):
    designs = [("name", "based_on"), ("base", None), ("B", "base"), ("C", "base"), ("D", "C"), ("E", "C")]
    rows = [
        ("axle", "item", "change", "design"),
        ("front", "tie rod length", "1 mm", "C"),
        ("front", "tie rod length", "1 mm", "E"),
    ]
    found = run_suspension(car_book(tmp_path / "b.xlsx", others={"Designs": designs, "Adjustments": rows}))
    told_at = [(each.code, each.cell) for each in found.sheets.problems]
    assert told_at == [("empty-design", "Designs!A3"), ("empty-design", "Designs!A5")]
    assert [each.name for each in found.designs] == ["", "C", "E"]


@pytest.mark.parametrize("side", ["left", "right"])
def test_lotus_axes_with_the_lateral_coordinate_turned_round(tmp_path, side):
    def lotus(points, sign):
        return {name: (-x, sign * y, z) for name, (x, y, z) in points.items()}

    settings = [("axes", "Lotus"), ("input side", side)]
    right, wrong = (
        car_book(
            tmp_path / f"{sign}.xlsx",
            points={"front": lotus(FRONT, sign), "rear": lotus(REAR, sign)},
            settings=settings,
        )
        for sign in (1, -1)
    )
    assert told(right) == []
    assert cells_of(told(wrong), "wrong-side") == ["Hardpoints!D11", "Hardpoints!D25"]


def test_a_bar_named_after_its_axle_keeps_its_name(tmp_path):
    springs = (
        ("name", "axle", "kind", "k"),
        ("front bar", "front", "U bar", "900 N m/rad"),
        ("spring", "front", "spring", "60 N/mm"),
        ("spring", "rear", "spring", "65 N/mm"),
    )
    found = run_suspension(car_book(tmp_path / "b.xlsx", springs=springs))
    names = {str(cell.value) for row in found.base.merged.book.sheets["Springs"].rows.values() for cell in row.values()}
    assert "front bar" in names
    assert "front front bar" not in names


@pytest.mark.parametrize(
    ("column", "row", "words"),
    [
        ("preload", ("fs", "front", "spring", "40 N/mm", None, 65), "is it kg?"),
        ("preload", ("fs", "front", "spring", "40 N/mm", None, "650 N"), None),
        ("block_travel", ("h", "front", "helper spring", "12 N/mm", None, 15), "no helper spring"),
        ("max_length", ("fd", "front", "damper", None, "1.5 N s/mm", "57 mm"), "its length at design"),
    ],
)
def test_a_number_of_a_spring_or_damper_that_can_hardly_be_meant(tmp_path, column, row, words):
    springs = [("name", "axle", "kind", "k", "c", column), row]
    if row[0] != "fs":
        springs.append(("fs", "front", "spring", "40 N/mm"))
    found = [text for code, cell, text in told(car_book(tmp_path / "b.xlsx", springs=springs)) if cell.endswith("!F2")]
    assert (found == []) if words is None else any(words in text for text in found)


def test_a_rack_of_a_load_case_in_millimetres(tmp_path):
    path = car_book(tmp_path / "b.xlsx", cases=(("name", "ay", "rack"), ("left", 1.2, 15)))
    assert any(cell == "Load cases!C2" and "no rack goes beyond" in text for _code, cell, text in told(path))


@pytest.mark.parametrize(
    ("axis", "words"),
    [((-15, 200, 300), "its arm has no length"), ((-12, 300, 198), "it has no lever there"), ((-160, 300, 295), None)],
)
def test_a_bar_that_its_link_cannot_turn_moves_nothing(tmp_path, axis, words):
    """A drop link turns its bar by its lever about the bar's axis: its end stands off the axis, and it does not point at it."""
    points = {"front": {**FRONT, "bar axis": axis}, "rear": REAR}
    path = car_book(tmp_path / "b.xlsx", points=points)
    found = told(path)
    cell = row_of(path, "Hardpoints", "bar link bar", "C")
    assert [(code, at) for code, at, _text in found] == ([("dead-element", cell)] if words else [])
    assert all(words in text for _code, _at, text in found)
