"""Ordinary mistakes with hardpoints: each is told at its cell, and a correct car raises no warning."""

from __future__ import annotations

import re

import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import FRONT, REAR, car_book
from tests.support.hardpoint_books import ROCKER, SETTINGS, STRUT, WISHBONES, hardpoint_book

STILL = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-1 mm", "1 mm", "1 mm"))
LINKS = {
    "link 1 inner": (120, 250, 110),
    "link 1 outer": (15, 580, 105),
    "link 2 inner": (-130, 245, 120),
    "link 2 outer": (-25, 575, 112),
    "link 3 inner": (110, 300, 300),
    "link 3 outer": (5, 550, 310),
    "link 4 inner": (-120, 305, 290),
    "link 4 outer": (-35, 545, 302),
    "link 5 inner": (-150, 260, 160),
    "link 5 outer": (-110, 585, 165),
    "wheel centre": (0, 600, 230),
}
ARM = {"arm inner": (350, 250, 240), "arm outer": (380, 620, 235), "wheel centre": (0, 640, 250)}
BEAM = {
    "link 1 inner": (500, 450, 250),
    "link 1 outer": (0, 470, 230),
    "link 2 inner": (420, 250, 420),
    "link 2 outer": (10, 520, 430),
    "wheel centre": (0, 700, 300),
}
KINDS = {
    "solid axle": (BEAM, (("type", "solid axle"), ("tyre radius", "300 mm"))),
    "double wishbone": (WISHBONES, SETTINGS),
    "push-rod": ({**WISHBONES, **ROCKER}, (*SETTINGS, ("actuation", "push-rod"))),
    "macpherson": (STRUT, (("type", "macpherson"), ("tyre radius", "300 mm"))),
    "multilink": (LINKS, (("type", "multilink"), ("tyre radius", "230 mm"), ("steering", "none"))),
    "semi-trailing arm": (ARM, (("type", "semi-trailing arm"), ("tyre radius", "250 mm"))),
}
EVERY_POINT = [(kind, name) for kind, (points, _settings) in KINDS.items() for name in points]


def told(path):
    """Errors or warnings of a workbook: their cells and texts."""
    try:
        problems = run_suspension(path).sheets.problems
    except WorkbookError as error:
        problems = error.problems
    return {problem.cell: problem for problem in problems}


def row_of(points, name):
    return 3 + list(points).index(name)


def is_told_at(found, row):
    return any(re.fullmatch(rf"Hardpoints![A-F]{row}", cell) for cell in found)


@pytest.mark.parametrize("kind", KINDS)
def test_a_correct_axle_raises_no_warning(tmp_path, kind):
    points, settings = KINDS[kind]
    assert told(hardpoint_book(tmp_path / "b.xlsx", points, settings)) == {}


def test_a_correct_car_raises_no_warning(tmp_path):
    assert told(car_book(tmp_path / "b.xlsx")) == {}


def changed(tmp_path, kind, change):
    """What is told of an axle of a kind of which some points were changed."""
    points, settings = KINDS[kind]
    return told(hardpoint_book(tmp_path / "b.xlsx", {**points, **change}, settings, sweeps=STILL))


@pytest.mark.parametrize(("kind", "name"), EVERY_POINT)
def test_a_point_mirrored_to_the_wrong_side_is_told_at_its_cell(tmp_path, kind, name):
    x, y, z = KINDS[kind][0][name]
    assert is_told_at(changed(tmp_path, kind, {name: (x, -y, z)}), row_of(KINDS[kind][0], name))


@pytest.mark.parametrize(("kind", "name"), EVERY_POINT)
def test_a_point_in_metres_among_millimetres_is_told_at_its_cell(tmp_path, kind, name):
    scaled = tuple(value * 1e-3 for value in KINDS[kind][0][name])
    assert is_told_at(changed(tmp_path, kind, {name: scaled}), row_of(KINDS[kind][0], name))


@pytest.mark.parametrize(("kind", "name"), EVERY_POINT)
def test_a_point_moved_to_its_neighbour_is_told_at_its_cell(tmp_path, kind, name):
    points = KINDS[kind][0]
    others = [other for other in points if other != name]
    nearest = min(others, key=lambda other: sum((a - b) ** 2 for a, b in zip(points[other], points[name], strict=True)))
    assert is_told_at(changed(tmp_path, kind, {name: points[nearest]}), row_of(points, name))


@pytest.mark.parametrize(("kind", "name"), EVERY_POINT)
def test_a_point_that_is_deleted_or_misspelt_is_named(tmp_path, kind, name):
    points, settings = KINDS[kind]
    without = {other: at for other, at in points.items() if other != name}
    found = told(hardpoint_book(tmp_path / "gone.xlsx", without, settings, sweeps=STILL))
    assert any(name in problem.found and problem.severity == "error" for problem in found.values())
    slip = name[:2] + name[3:]
    renamed = {slip if other == name else other: at for other, at in points.items()}
    found = told(hardpoint_book(tmp_path / "slip.xlsx", renamed, settings, sweeps=STILL))
    at = f"Hardpoints!B{row_of(points, name)}"
    assert found[at].severity == "error"
    assert name in found[at].mend


@pytest.mark.parametrize(("kind", "name"), EVERY_POINT)
def test_a_point_given_twice_is_told_at_the_second_row(tmp_path, kind, name):
    points, settings = KINDS[kind]
    twice = [("front", name, *points[name])]
    found = told(hardpoint_book(tmp_path / "b.xlsx", points, settings, rows=twice, sweeps=STILL))
    assert found[f"Hardpoints!B{3 + len(points)}"].severity == "error"


SWAPPED = [
    ("double wishbone", "lower ball joint", "upper ball joint"),
    ("double wishbone", "lower arm front", "lower arm rear"),
    ("double wishbone", "lower arm front", "upper arm front"),
    ("double wishbone", "tie rod inner", "tie rod outer"),
    ("double wishbone", "lower arm rear", "lower ball joint"),
    ("push-rod", "rod outer", "rod rocker"),
    ("push-rod", "damper rocker", "damper chassis"),
    ("macpherson", "strut lower", "strut top"),
    ("macpherson", "lower ball joint", "strut top"),
    *(("multilink", f"link {number} inner", f"link {number} outer") for number in range(1, 6)),
    ("solid axle", "link 1 inner", "link 1 outer"),
    ("solid axle", "link 2 inner", "link 2 outer"),
    ("semi-trailing arm", "arm inner", "arm outer"),
]


@pytest.mark.parametrize(("kind", "one", "other"), SWAPPED)
def test_two_points_that_are_swapped_are_told_at_one_of_them(tmp_path, kind, one, other):
    points = KINDS[kind][0]
    found = changed(tmp_path, kind, {one: points[other], other: points[one]})
    assert is_told_at(found, row_of(points, one)) or is_told_at(found, row_of(points, other))


@pytest.mark.parametrize("unit", ["m", "in"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_in_the_wrong_unit_is_told_once(tmp_path, kind, unit):
    points, settings = KINDS[kind]
    found = told(hardpoint_book(tmp_path / "b.xlsx", points, settings, unit=unit, sweeps=STILL))
    assert 1 <= len(found) <= 2
    assert is_told_at(found, row_of(points, "wheel centre"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_in_metres_under_millimetres_is_told_once(tmp_path, kind):
    points, settings = KINDS[kind]
    small = {name: tuple(value * 1e-3 for value in at) for name, at in points.items()}
    found = told(hardpoint_book(tmp_path / "b.xlsx", small, settings, sweeps=STILL))
    assert 1 <= len(found) <= 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_the_other_side_is_told_once(tmp_path, kind):
    points, settings = KINDS[kind]
    mirrored = {name: (x, -y, z) for name, (x, y, z) in points.items()}
    found = told(hardpoint_book(tmp_path / "b.xlsx", mirrored, settings, sweeps=STILL))
    assert len(found) == 1
    (problem,) = found.values()
    assert "input side" in problem.mend


def test_a_wheelbase_that_is_not_the_distance_of_the_axles_is_told(tmp_path):
    found = told(car_book(tmp_path / "b.xlsx", {"wheelbase": ("1650 mm",)}, others={"Sweeps": STILL}))
    assert set(found) == {"Suspension!B8"}


def test_a_wheel_off_the_road_is_told(tmp_path):
    raised = {**REAR, "wheel centre": (*REAR["wheel centre"][:2], 250.0)}
    found = told(car_book(tmp_path / "b.xlsx", rear=raised, others={"Sweeps": STILL}))
    assert set(found) == {f"Hardpoints!E{3 + len(FRONT) + list(REAR).index('wheel centre')}"}


def test_a_rod_much_longer_on_the_right_is_told_at_its_row(tmp_path):
    rows = [("front", "tie rod inner", 62, -40, 144, "right")]
    found = told(hardpoint_book(tmp_path / "b.xlsx", rows=rows, sweeps=STILL))
    assert list(found) == ["Hardpoints!C12"]


@pytest.mark.parametrize(("y", "cells"), [(300, set()), (480, {"Hardpoints!C12"})])
def test_a_rod_much_shorter_in_another_design_is_told_at_its_row(tmp_path, y, cells):
    path = hardpoint_book(tmp_path / "b.xlsx", rows=[("front", "tie rod inner", 62, y, 144)], sweeps=STILL)
    book = openpyxl.load_workbook(path)
    book["Hardpoints"]["G1"], book["Hardpoints"]["G12"] = "design", "B"
    book.save(path)
    found = {cell: problem for cell, problem in told(path).items() if "long" in problem.found}
    assert set(found) == cells
