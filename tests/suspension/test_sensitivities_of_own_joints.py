"""Sensitivities of T bars and of joints of the workbook's own, against differences of whole runs with points moved."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.design_sensitivities import design_sensitivities
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sensitivity.sensitivities import sensitivities
from sheetmbs.suspension.solved_design import design_pose
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.opened import swept_designs

HEAVE = [("name", "type", "travel_from", "travel_to", "travel_step"), ("one", "heave", "-20 mm", "20 mm", "20 mm")]
SINGLE = [(*HEAVE[0], "side"), ("one", "single wheel", "-20 mm", "20 mm", "20 mm", "left")]
PUSHED = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("thread pitch", "1 mm")]
T_POINTS = {**WISHBONES, **ROCKER, "bar link suspension": (0, 200, 360), "bar link bar": (-60, 90, 290)}
T_BASE = ("T-bar base", (-60, 0, 150))
T_BAR = [
    ("name", "axle", "kind", "k", "k_swing"),
    ("spring", "front", "spring", "35 N/mm"),
    ("T", "front", "T bar", "60 N m/rad", "400 N m/rad"),
]
NEAR = 3e-6
"""of a metric's largest change"""


def t_bar_design(path, points, base):
    rows = [("front", "T-bar base", *base, "centre")]
    others = {"Suspension springs": T_BAR}
    return swept_designs(hardpoint_book(path, points, PUSHED, rows=rows, sweeps=SINGLE, others=others), "one")[0]


def richardson(run, points, name, axis, base=None):
    """Differences of the table of a run by a coordinate, mm, and its columns."""
    slopes = []
    for h in (0.1, 0.2):
        tables = []
        for sign in (1.0, -1.0):
            by = sign * h * np.eye(3)[axis]
            if name in points:
                tables.append(run({**points, name: tuple(points[name] + by)}, base))
            else:
                tables.append(run(points, tuple(base + by)))
        slopes.append((tables[0].values - tables[1].values) / (2.0 * h))
    return (4.0 * slopes[0] - slopes[1]) / 3.0, tables[0].columns


def assert_same(got, expected, columns, name, row=slice(None)):
    for metric in got.metrics:
        wanted = expected[row, columns.index(metric)]
        value = got.of(metric, name)
        assert np.array_equal(np.isnan(wanted), np.isnan(value)), metric
        known = np.isfinite(wanted)
        scale = max(np.abs(wanted[known]).max(initial=0.0), 1e-2)
        assert np.abs(value - wanted)[known].max(initial=0.0) < NEAR * scale, metric


MOVED = [("bar link bar", 2), ("bar link bar", 1), ("bar link suspension", 0), ("T-bar base", 0), ("T-bar base", 2)]


@pytest.fixture(scope="module")
def t_bar_sensitivities(tmp_path_factory):
    found = t_bar_design(tmp_path_factory.mktemp("t_bar") / "b.xlsx", T_POINTS, T_BASE[1])
    return sensitivities(found.car, found.swept["one"]["front"], design_pose(found.systems["front"]))


@pytest.mark.parametrize(("name", "axis"), [*MOVED, ("rocker pivot", 2), ("lower ball joint", 1)])
def test_a_t_bar_changes_with_its_points_as_whole_runs_do(tmp_path, t_bar_sensitivities, name, axis):
    def run(points, base):
        return t_bar_design(tmp_path / "m.xlsx", points, base).tables["one"]

    expected, columns = richardson(run, T_POINTS, name, axis, np.array(T_BASE[1]))
    assert_same(t_bar_sensitivities, expected, columns, f"{name}.{'xyz'[axis]}")


JOINTS = [("name", "type", "body_i", "body_j", "point", "point_i", "point_j", "active")]
POINTS = [("name", "body", "x", "y", "z", "frame")]
OWN = {
    "a rod in place of the tie rod": {
        "Joints": [
            *JOINTS,
            *((f"{corner} tie rod", *[None] * 6, "no") for corner in ("FL", "FR")),
            *(
                (f"{c} own rod", "distance", "front rack", f"{c} upright", None, f"{c} tie rod inner", f"{c} own end")
                for c in ("FL", "FR")
            ),
        ],
        "Points": [
            *POINTS,
            ("FL own end", "FL upright", 0.075, 0.55, 0.16, "global"),
            ("FR own end", "FR upright", 0.075, -0.55, 0.16, "global"),
        ],
    },
    "a ball joint elsewhere": {
        "Joints": [*JOINTS, *((f"{c} upper ball joint", None, None, None, f"{c} own ball") for c in ("FL", "FR"))],
        "Points": [
            *POINTS,
            ("FL own ball", "FL upright", -0.01, 0.55, 0.31, "global"),
            ("FR own ball", "FR upright", -0.01, -0.55, 0.31, "global"),
        ],
    },
    "rods to a lever on a hinge": {
        "Bodies": [("name", "x", "y", "z"), ("FL lever", 0.06, 0.3, 0.1), ("FR lever", 0.06, -0.3, 0.1)],
        "Joints": [
            *[(*JOINTS[0], "axis_z")],
            *(
                (f"{c} lever pivot", "revolute", "chassis", f"{c} lever", f"{c} pivot", *[None] * 3, 1)
                for c in ("FL", "FR")
            ),
            *(
                (
                    f"{c} lever rod",
                    "distance",
                    f"{c} lever",
                    f"{c} upright",
                    None,
                    f"{c} lever end",
                    f"{c} lower ball joint",
                )
                for c in ("FL", "FR")
            ),
        ],
        "Points": [
            *POINTS,
            *((f"{c} pivot", "chassis", 0.3, s * 0.3, 0.1, "global") for c, s in (("FL", 1), ("FR", -1))),
            *((f"{c} lever end", f"{c} lever", 0.25, s * 0.4, 0.1, "global") for c, s in (("FL", 1), ("FR", -1))),
        ],
    },
}


def own_design(path, points, which):
    return swept_designs(hardpoint_book(path, points, PUSHED[:4], sweeps=HEAVE, others=OWN[which]), "one")[0]


@pytest.fixture(scope="module")
def own_sensitivities(tmp_path_factory):
    """Of an axle with joints of its own, to all its points."""

    @cache
    def of(which):
        base = own_design(tmp_path_factory.mktemp("own") / "b.xlsx", WISHBONES, which)
        (got,), told = design_sensitivities(base, is_asked=True)
        assert not told
        return got

    return of


@pytest.mark.parametrize("which", OWN)
@pytest.mark.parametrize(("name", "axis"), [("tie rod inner", 2), ("lower arm front", 2), ("lower ball joint", 1)])
def test_an_axle_with_joints_of_its_own_changes_as_whole_runs_do(tmp_path, own_sensitivities, which, name, axis):
    got = own_sensitivities(which)

    def run(points, _base):
        return own_design(tmp_path / "m.xlsx", points, which).tables["one"]

    expected, columns = richardson(run, WISHBONES, name, axis)
    assert_same(got, expected, columns, f"{name}.{'xyz'[axis]}", row=slice(1, 2))
    assert ("tie rod length" in [each.name for each in got.parameters]) is (which != "a rod in place of the tie rod")


def test_a_turn_of_a_rod_end_beside_joints_of_its_own_is_that_without_them(tmp_path):
    """The lever moves with the upright and holds nothing."""
    told = [
        {
            item: value
            for item, value, _unit in run_suspension(
                hardpoint_book(tmp_path / "b.xlsx", WISHBONES, [*PUSHED[:4], PUSHED[-1]], sweeps=HEAVE, others=others)
            ).sheets.summary
            if item.endswith((": toe", ": camber"))
        }
        for others in ({}, OWN["rods to a lever on a hinge"])
    ]
    assert told[0]
    assert told[1] == pytest.approx(told[0], rel=1e-7, abs=1e-9)


def test_what_is_not_found_is_said_and_not_guessed(tmp_path):
    """A lever and a rod with a length of its own, so nearly straight that no ball joint can stand a hundredth of a mm off."""
    others = {
        "Bodies": [("name", "x", "y", "z"), ("FL lever", 0.3, 0.572, 0.112)],
        "Joints": [
            (*JOINTS[0], "axis_z", "length"),
            ("FL lever pivot", "revolute", "chassis", "FL lever", "FL pivot", *[None] * 3, 1),
            (
                "FL lever rod",
                "distance",
                "FL lever",
                "FL upright",
                None,
                "FL lever end",
                "FL lower ball joint",
                None,
                None,
                float(np.hypot(0.15, 0.001)),
            ),
        ],
        "Points": [
            *POINTS,
            ("FL pivot", "chassis", 0.304, 0.572, 0.112, "global"),
            ("FL lever end", "FL lever", 0.154, 0.573, 0.112, "global"),
        ],
    }
    settings = [*PUSHED[:4], ("sensitivity", "yes")]
    path = hardpoint_book(tmp_path / "b.xlsx", WISHBONES, settings, sweeps=HEAVE, others=others)
    (told,) = [each for each in run_suspension(path).sheets.problems if each.code == "no-sensitivities"]
    assert "the linkage does not close with lower ball joint.x changed by -0.01 mm" in str(told)


def test_a_corner_alone_that_does_not_close_is_said(tmp_path):
    others = {"Joints": [("name", "length"), ("FL tie rod", "5 m")]}
    with pytest.raises(WorkbookError) as refused:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", others=others))
    assert "the linkage does not close" in str(refused.value)
