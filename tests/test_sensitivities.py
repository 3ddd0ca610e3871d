"""Sensitivities against differences of whole runs, in which every point is moved in the workbook and all is solved anew."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sheetmbs.suspension.product import run_suspension
from sheetmbs.suspension.sensitivity.sensitivities import sensitivities
from sheetmbs.suspension.solved_design import design_pose
from tests.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book

HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-20 mm", "20 mm", "20 mm"))
STEER = (
    ("name", "type", "travel", "rack_from", "rack_to", "rack_step"),
    ("heave", "steer", "5 mm", "-10 mm", "10 mm", "10 mm"),
)
SPRINGS = [
    ("name", "axle", "kind", "k", "on"),
    ("spring", "front", "spring", "35 N/mm", None),
    ("bar", "front", "U bar", "60 N m/rad", None),
]
BAR = {"bar link suspension": (0, 240, 390), "bar link bar": (-120, 240, 300), "bar axis": (-120, 240, 400)}
STRUT = {name: at for name, at in WISHBONES.items() if not name.startswith("upper")} | {
    "strut lower": (5, 560, 200),
    "strut top": (-20, 500, 620),
}
LINKS = {
    **{
        f"link {number} {end}": WISHBONES[name]
        for number, (inner, outer) in enumerate(
            [
                ("lower arm front", "lower ball joint"),
                ("lower arm rear", "lower ball joint"),
                ("upper arm front", "upper ball joint"),
                ("upper arm rear", "upper ball joint"),
                ("tie rod inner", "tie rod outer"),
            ],
            start=1,
        )
        for end, name in (("inner", inner), ("outer", outer))
    },
    "wheel centre": WISHBONES["wheel centre"],
    "link 1 outer": (14, 570, 110),
    "link 3 outer": (5, 543, 301),
}
ARM = {"arm inner": (400, 300, 250), "arm outer": (380, 700, 270), "wheel centre": (0, 600, 230)}
CARS = {
    "push-rod": (
        {**WISHBONES, **ROCKER, **BAR},
        [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N")],
        SPRINGS,
        HEAVE,
    ),
    "steered": (WISHBONES, SETTINGS, None, STEER),
    "macpherson": (STRUT, [("type", "macpherson"), *SETTINGS[1:], ("corner load", "3000 N")], SPRINGS[:2], HEAVE),
    "multilink": (LINKS, [("type", "multilink"), *SETTINGS[1:]], None, HEAVE),
    "trailing arm": (ARM, [("type", "trailing arm"), *SETTINGS[1:], ("steering", "none")], None, HEAVE),
}
MOVED = {
    "push-rod": [
        ("tie rod outer", 2),
        ("upper ball joint", 1),
        ("lower arm front", 2),
        ("wheel centre", 2),
        ("rod rocker", 0),
        ("rocker axis", 1),
        ("damper chassis", 2),
        ("bar link bar", 2),
    ],
    "steered": [("tie rod inner", 0), ("tie rod outer", 1), ("lower ball joint", 0), ("wheel centre", 1)],
    "macpherson": [("strut top", 1), ("strut lower", 0), ("lower ball joint", 2), ("lower arm rear", 2)],
    "multilink": [("link 1 outer", 2), ("link 4 inner", 0), ("link 5 inner", 1)],
    "trailing arm": [("arm inner", 2), ("arm outer", 0), ("wheel centre", 1)],
}


def run(path, car, points):
    _points, settings, springs, sweeps = CARS[car]
    others = {"Suspension springs": springs} if springs else {}
    return run_suspension(hardpoint_book(path, points, settings, sweeps=sweeps, others=others))


@cache
def found(path, car):
    base = run(path, car, CARS[car][0]).base
    return sensitivities(base.car, base.swept["heave"]["front"], design_pose(base.systems["front"]))


def differenced(path, car, name, axis):
    """Columns differenced by Richardson's rule, and their names."""
    slopes = []
    for h in (0.1, 0.2):
        tables = []
        for sign in (1.0, -1.0):
            points = dict(CARS[car][0])
            at = list(points[name])
            at[axis] += sign * h
            points[name] = tuple(at)
            tables.append(run(path, car, points).table("heave"))
        slopes.append((tables[0].values - tables[1].values) / (2.0 * h))
    return (4.0 * slopes[0] - slopes[1]) / 3.0, tables[0].columns


@pytest.mark.parametrize(("car", "name", "axis"), [(car, *moved) for car, each in MOVED.items() for moved in each])
def test_every_metric_changes_with_a_point_as_whole_runs_do(tmp_path_factory, car, name, axis):
    folder = tmp_path_factory.getbasetemp()
    all_of = found(folder / f"{car}.xlsx", car)
    expected, columns = differenced(folder / "moved.xlsx", car, name, axis)
    for metric in all_of.metrics:
        wanted = expected[:, columns.index(metric)]
        got = all_of.of(metric, f"{name}.{'xyz'[axis]}")
        assert np.array_equal(np.isnan(wanted), np.isnan(got)), metric
        known = np.isfinite(wanted)
        scale = max(np.abs(wanted[known]).max(initial=0.0), 1e-2)
        assert np.abs(got - wanted)[known].max(initial=0.0) < 3e-6 * scale, metric


def test_a_longer_tie_rod_changes_angles_as_the_axle_assembled_with_it(tmp_path):
    heads = ("axle", "item", "change")
    angles = ("FL.camber", "FL.toe", "FL.toe_gradient", "front.roll_centre_height")
    values = []
    for longer in ("0.1 mm", "-0.1 mm"):
        others = {"Adjustments": [heads, ("front", "tie rod length", longer)]}
        table = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=HEAVE, others=others)).table("heave")
        values.append(np.column_stack([table.values[:, table.columns.index(each)] for each in angles]))
    expected = (values[0] - values[1]) / 0.2
    base = run(tmp_path / "c.xlsx", "steered", WISHBONES).base
    plain = run_suspension(hardpoint_book(tmp_path / "d.xlsx", sweeps=HEAVE)).base
    got = sensitivities(base.car, plain.swept["heave"]["front"], design_pose(plain.systems["front"]), angles)
    assert sorted(got.metrics) == sorted(angles)
    for number, metric in enumerate(angles):
        assert got.of(metric, "tie rod length") == pytest.approx(expected[:, number], rel=1e-4, abs=1e-8)


def test_a_design_as_adjusted_has_sensitivities_where_it_stands(tmp_path):
    others = {"Adjustments": [("axle", "item", "change"), ("front", "toe", "-0.5 deg")]}
    base = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=HEAVE, others=others)).base
    standing = design_pose(base.systems["front"])
    got = sensitivities(base.car, standing, standing, ["FL.toe"])
    points = {name: tuple(1e3 * point.position) for name, point in base.car.axles[0].points["left"].items()}
    settings = [row for row in SETTINGS if row[0] not in ("camber", "toe")]
    w = base.car.axles[0].spin_axis("left")
    settings += [("camber", f"{float(-np.arcsin(w[2]))!r} rad"), ("toe", f"{float(np.arctan2(w[0], w[1]))!r} rad")]
    plain = run_suspension(hardpoint_book(tmp_path / "c.xlsx", points, settings, sweeps=HEAVE)).base
    expected = sensitivities(
        plain.car, design_pose(plain.systems["front"]), design_pose(plain.systems["front"]), ["FL.toe"]
    )
    assert got.by == pytest.approx(expected.by, rel=1e-8, abs=1e-10)
