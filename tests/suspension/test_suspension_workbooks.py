"""The workbooks of hardpoints: run as they are without a warning, and against linkages closed by distances alone."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.optimize import fsolve

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.example_books import HARDPOINT_BOOKS, ROOT
from tests.support.opened import checked

FOLDER = ROOT / "workbooks"
G = 9.81
DEGREE = np.pi / 180
AXIS = 200.0
"""mm, from the wheel centre to a second point of its axis"""
ROCKER_POINTS = ("rod rocker", "damper rocker")


# --- the reference: every point is where its distances to others put it ------------------------------------------------


def in_points(path):
    """Points of the base design by axle, mm, from the cells."""
    points = {}
    for axle, name, x, y, z, design, *_ in openpyxl.load_workbook(path)["Hardpoints"].iter_rows(
        min_row=3, values_only=True
    ):
        if axle and design is None:
            points.setdefault(axle, {})[name] = np.array([x, y, z], float)
    return points


class Corner:
    """The left side of an axle, closed by distances for a height of its wheel centre. points: mm; angles: deg."""

    def __init__(self, points, camber, toe, radius, rod_on):
        self.at_design = dict(points)
        at, wheel = self.at_design, points["wheel centre"]
        c, t = camber * DEGREE, toe * DEGREE
        axle = np.array([np.cos(c) * np.sin(t), np.cos(c) * np.cos(t), -np.sin(c)])
        down = np.array([0.0, 0.0, -1.0]) + axle[2] * axle
        at["on axis"] = wheel + AXIS * axle
        at["contact"] = wheel + radius * down / np.linalg.norm(down)
        self.is_strut = "strut top" in points
        self.moving = ["lower ball joint", "tie rod outer", "wheel centre", "on axis", "contact"]
        self.links = [("lower ball joint", "lower arm front"), ("lower ball joint", "lower arm rear")]
        self.links += [("tie rod outer", "tie rod inner")]
        if self.is_strut:
            at["strut end"] = points["strut top"]
            self.moving += ["strut lower", "strut end"]
            frame = ("lower ball joint", "tie rod outer", "strut lower")
        else:
            self.moving += ["upper ball joint"]
            self.links += [("upper ball joint", "upper arm front"), ("upper ball joint", "upper arm rear")]
            frame = ("lower ball joint", "tie rod outer", "upper ball joint")
        self.links += list(combinations(frame, 2))
        self.links += [(each, other) for each in self.moving if each not in frame for other in frame]
        if "rod outer" in points:
            arm = rod_on.split()[0]
            self.moving += ["rod outer", *ROCKER_POINTS]
            self.links += [("rod outer", f"{arm} {other}") for other in ("arm front", "arm rear", "ball joint")]
            self.links += [("rod outer", "rod rocker"), ("rod rocker", "damper rocker")]
            self.links += [(each, other) for each in ROCKER_POINTS for other in ("rocker pivot", "rocker axis")]
        self.lengths = [np.linalg.norm(at[one] - at[other]) for one, other in self.links]

    def closed(self, travel, rack=0.0):
        """All points where the wheel centre is by ``travel`` higher, mm."""
        fixed = dict(self.at_design)
        fixed["tie rod inner"] = fixed["tie rod inner"] + [0.0, rack, 0.0]

        def missed(unknown):
            at = fixed | dict(zip(self.moving, unknown.reshape(-1, 3), strict=True))
            found = [
                np.linalg.norm(at[one] - at[other]) - length
                for (one, other), length in zip(self.links, self.lengths, strict=True)
            ]
            found.append(at["wheel centre"][2] - fixed["wheel centre"][2] - travel)
            if self.is_strut:
                off = np.cross(at["strut end"] - at["strut lower"], fixed["strut top"] - at["strut lower"])
                found += [off[0] / AXIS, off[1] / AXIS]
            return np.array(found)

        start = np.concatenate([self.at_design[name] for name in self.moving])
        for part in np.linspace(0.0, 1.0, 5)[1:]:
            whole, travel = travel, part * travel
            start = fsolve(missed, start, xtol=1e-13)
            travel = whole
        assert np.max(np.abs(missed(start))) < 1e-9
        return fixed | dict(zip(self.moving, start.reshape(-1, 3), strict=True))

    def spring(self, travel):
        at = self.closed(travel)
        ends = ("strut lower", "strut top") if self.is_strut else ("damper rocker", "damper chassis")
        return np.linalg.norm(at[ends[0]] - at[ends[1]])

    def axle(self, travel, rack=0.0):
        at = self.closed(travel, rack)
        return (at["on axis"] - at["wheel centre"]) / AXIS


def slope(function, at=0.0, step=2.0):
    """Derivative by central differences, extrapolated twice."""
    rough = [(function(at + h) - function(at - h)) / (2.0 * h) for h in (step, step / 2, step / 4)]
    better = [(4.0 * fine - coarse) / 3.0 for coarse, fine in pairwise(rough)]
    return (16.0 * better[1] - better[0]) / 15.0


CORNERS = {
    ("formula-student", "front", "FL"): (-1.5, -0.2, 228.0, "lower arm"),
    ("formula-student", "rear", "RL"): (-1.0, 0.15, 228.0, "upper arm"),
    ("macpherson", "front", "FL"): (-0.5, 0.1, 295.0, ""),
}
"""workbook, axle, corner: camber, toe, deg, radius, mm, what the rod stands on"""
LOADS = {
    ("formula-student", "front"): (290 * 0.47 * G / 2, 9.5, 30.0, "front spring"),
    ("formula-student", "rear"): (290 * 0.53 * G / 2, 10.0, 48.0, "rear spring"),
    ("macpherson", "front"): (1100 * 0.61 * G / 2, 32.0, 21.0, "spring"),
}
"""workbook, axle: corner load, N, unsprung mass, kg, spring, N/mm, and its name"""


@cache
def ran(name):
    return run_suspension(FOLDER / f"{name}.xlsx")


@cache
def corner(name, axle, label):
    return Corner(in_points(FOLDER / f"{name}.xlsx")[axle], *CORNERS[name, axle, label])


def column(name, sweep, metric):
    table = ran(name).table(sweep)
    return np.asarray(table.values)[:, list(table.columns).index(metric)]


def row_at(name, sweep, travel):
    return int(np.flatnonzero(np.isclose(column(name, sweep, "travel"), travel, atol=1e-9))[0])


@pytest.mark.parametrize(("name", "axle", "label"), CORNERS)
@pytest.mark.parametrize("travel", [-25.0, 10.0, 30.0])
def test_angles_and_springs_are_those_of_a_linkage_closed_by_distances(name, axle, label, travel):
    reference, row = corner(name, axle, label), row_at(name, "heave", travel)
    spin = reference.axle(travel)
    found = {metric: column(name, "heave", f"{label}.{metric}")[row] for metric in ("camber", "toe", "spring_length")}
    assert found["camber"] == pytest.approx(-np.arcsin(spin[2]) / DEGREE, abs=1e-8)
    assert found["toe"] == pytest.approx(np.arctan2(spin[0], spin[1]) / DEGREE, abs=1e-8)
    assert found["spring_length"] == pytest.approx(reference.spring(travel), abs=1e-8)


@pytest.mark.parametrize("name", ["formula-student", "macpherson"])
def test_the_steered_wheel_is_that_of_a_linkage_closed_by_distances(name):
    racks = column(name, "steer", "rack")
    for row in (0, len(racks) // 2 + 3, len(racks) - 1):
        spin = corner(name, "front", "FL").axle(0.0, racks[row])
        steer = -np.arctan2(spin[0], spin[1]) / DEGREE
        assert column(name, "steer", "FL.steer")[row] == pytest.approx(steer, abs=1e-8)


@pytest.mark.parametrize(("name", "axle", "label"), CORNERS)
def test_the_roll_centre_is_on_the_normal_to_the_path_of_the_contact(name, axle, label):
    reference = corner(name, axle, label)
    path = slope(lambda travel: reference.closed(travel)["contact"])
    height = reference.at_design["contact"][1] * path[1] / path[2]
    row = row_at(name, "heave", 0.0)
    assert column(name, "heave", f"{axle}.roll_centre_height")[row] == pytest.approx(height, abs=1e-6)


@pytest.mark.parametrize(("name", "axle", "label"), CORNERS)
def test_preload_and_wheel_rate_follow_from_virtual_work(name, axle, label):
    """The load of the tyre times the rise of its contact, less the weight of the wheel, is what the spring takes."""
    reference, (load, mass, k, spring) = corner(name, axle, label), LOADS[name, axle]
    lifted = slope(lambda travel: reference.closed(travel)["contact"][2])
    ratio = -slope(reference.spring)
    bend = -slope(lambda travel: slope(reference.spring, travel))
    force = (load * lifted - mass * G) / ratio
    row = row_at(name, "heave", 0.0)
    assert column(name, "heave", f"{label}.motion_ratio")[row] == pytest.approx(ratio, abs=1e-8)
    assert column(name, "heave", f"{label}.{spring}_force")[row] == pytest.approx(force, rel=1e-8)
    rate = k * ratio**2 + force * bend
    assert column(name, "heave", f"{label}.wheel_rate")[row] == pytest.approx(rate, rel=1e-6)


# --- as they are, and changed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", HARDPOINT_BOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_suspension_runs_without_a_warning_and_shows_a_second_design(path):
    result = run_suspension(path)
    assert result.status == "done"
    assert [str(problem) for problem in result.sheets.problems] == []
    assert [design.name for design in result.designs] == ["", "B"]
    heave = result.table("heave")
    base, other = (np.asarray(heave.values)[:, list(heave.columns).index(each)] for each in _spring_columns(heave))
    assert not np.allclose(base, other, rtol=1e-3)


def _spring_columns(table):
    own = next(name for name in table.columns if name.endswith(".wheel_rate"))
    return own, f"B/{own}"


@pytest.mark.parametrize("name", ["formula-student", "macpherson"])
def test_template_and_example_hold_the_same_car(name):
    example, template = ran(name), run_suspension(ROOT / "templates" / f"suspension-{name}.xlsx")
    assert [table.columns for table in example.sheets.tables] == [table.columns for table in template.sheets.tables]
    for one, other in zip(example.sheets.tables, template.sheets.tables, strict=True):
        assert np.array_equal(np.asarray(one.values), np.asarray(other.values), equal_nan=True)


def test_every_point_of_the_templates_is_told_what_it_is(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "workbooks"))
    from car_sheets import WHAT

    for path in HARDPOINT_BOOKS:
        for points in in_points(path).values():
            assert set(points) <= set(WHAT), Path(path).stem


# --- what a newcomer does ----------------------------------------------------------------------------------------------


def changed_book(tmp_path, change):
    """The template of the formula student car after a change by ``change(book, row of a point)``."""
    book = openpyxl.load_workbook(ROOT / "templates" / "suspension-formula-student.xlsx")
    points = book["Hardpoints"]
    rows = {(row[0].value, row[1].value): row for row in reversed(list(points.iter_rows(min_row=3))) if row[0].value}
    change(book, rows)
    book.save(tmp_path / "car.xlsx")
    return tmp_path / "car.xlsx"


def changed(tmp_path, change):
    """What is told of a run of that book."""
    path = changed_book(tmp_path, change)
    try:
        problems = run_suspension(path).sheets.problems
    except WorkbookError as error:
        problems = error.problems
    return [(problem.severity, problem.cell) for problem in problems], problems


def setting(book, name):
    return next(row for row in book["Suspension"].iter_rows(min_row=2) if row[0].value == name)


def in_metres(book, _rows):
    for row in book["Hardpoints"].iter_rows(min_row=3):
        for cell in row[2:5] if row[0].value else ():
            cell.value /= 1000


def test_a_whole_car_in_metres_under_millimetres_is_told_at_its_wheel_centres(tmp_path):
    path = changed_book(tmp_path, in_metres)
    _content, warnings = checked(path)  # a run would look long for the ends of its sweeps
    told = {(each.severity, each.cell) for each in warnings}
    assert {("warning", "Hardpoints!D12"), ("warning", "Hardpoints!D30")} <= told


def test_a_design_whose_linkage_does_not_close_where_it_stands_is_an_error(tmp_path):
    """All points but the changed one of design B are in metres."""

    def change(_book, rows):
        for row in rows.values():
            for cell in row[2:5]:
                cell.value /= 1000

    told, problems = changed(tmp_path, change)
    assert [cell for severity, cell in told if severity == "error"] == ["Hardpoints!C12"], problems


def test_a_pivot_of_an_arm_with_the_wrong_sign_of_x_is_told(tmp_path):
    def change(_book, rows):
        rows["front", "lower arm front"][2].value *= -1

    told, _ = changed(tmp_path, change)
    assert ("warning", "Hardpoints!C3") in told


@pytest.mark.parametrize("text", ["about 135", "135,5", None])
def test_a_wrong_cell_of_a_point_is_one_error(tmp_path, text):
    def change(_book, rows):
        rows["front", "rod outer"][4].value = text

    told, _ = changed(tmp_path, change)
    assert told == [("error", "Hardpoints!E13")]


def test_a_misspelt_point_is_one_error_with_the_nearest(tmp_path):
    def change(_book, rows):
        rows["front", "tie rod inner"][1].value = "tie rod iner"

    told, problems = changed(tmp_path, change)
    assert told == [("error", "Hardpoints!B10")]
    assert problems[0].mend == "did you mean tie rod inner?"


def test_a_share_in_another_unit_is_told_at_its_cell(tmp_path):
    def change(book, _rows):
        setting(book, "weight front")[1].value = 0.47

    told, problems = changed(tmp_path, change)
    assert ("warning", "Suspension!B13") in told, problems


@pytest.mark.parametrize("k", ["30 N/m", "30000 N/mm"])
def test_a_spring_in_another_unit_is_told_at_its_cell(tmp_path, k):
    def change(book, _rows):
        book["Suspension springs"].cell(3, 4).value = k

    told, problems = changed(tmp_path, change)
    assert ("warning", "Suspension springs!D3") in told or ("warning", "'Suspension springs'!D3") in told, problems


def test_a_model_of_a_swept_suspension_is_asked_for_by_its_analysis():
    book = Path(__file__).parents[2] / "workbooks" / "formula-student.xlsx"
    assert [axle.name for axle in sheetmbs.read(book).car.axles] == ["front", "rear"]
    assert sheetmbs.read(book, analysis="equilibrium").bodies
