"""Sensitivities against differences of whole runs, in which every point is moved in the workbook and all is solved anew."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sheetmbs.command.cli import app
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sensitivity.sensitivities import sensitivities
from sheetmbs.suspension.solved_design import design_pose
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.sample_results import loaded_sheet, sheet_names
from tests.suspension.test_suspension_types import AXLE, PANHARD, THREE, TOP_LINK, WATT

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


def test_the_sheet_is_written_where_it_is_asked_for_alone(tmp_path):
    settings = [*SETTINGS, ("sensitivity", "yes")]
    path = hardpoint_book(tmp_path / "b.xlsx", settings=settings, sweeps=HEAVE)
    run_suspension(path).save()
    sheet = loaded_sheet(path, "mbs Suspension Sensitivity")
    rows = list(sheet.iter_rows(values_only=True))
    heads = next(row for row in rows if row[0] == "metric")
    toe = next(row for row in rows if row[0] == "FL.toe")
    base = run_suspension(path).base
    pose = design_pose(base.systems["front"])
    expected = sensitivities(base.car, pose, pose, ["FL.toe"]).of("FL.toe", "tie rod outer.y")[0]
    assert toe[heads.index("tie rod outer.y")] == pytest.approx(expected, rel=1e-9)
    assert toe[1] == "deg/mm"
    plain = hardpoint_book(tmp_path / "c.xlsx", sweeps=HEAVE)
    for options, is_there in (([], False), (["--sensitivity"], True)):
        with pytest.raises(SystemExit) as ended:
            app(["run", str(plain), *options])
        assert ended.value.code == 0
        assert ("mbs Suspension Sensitivity" in sheet_names(plain)) is is_there


def test_a_turn_of_a_rod_end_is_that_of_the_axle_assembled_with_it(tmp_path):
    points, settings, springs, _sweeps = CARS["push-rod"]
    settings = [*settings, ("thread pitch", "1 mm")]
    told = {
        item: value
        for item, value, _unit in run_suspension(
            hardpoint_book(tmp_path / "b.xlsx", points, settings, others={"Suspension springs": springs})
        ).sheets.summary
    }
    for member in ("tie rod", "push-rod", "drop link"):
        stood = []
        for change in ("0.05 mm", "-0.05 mm"):
            others = {
                "Suspension springs": springs,
                "Adjustments": [("axle", "item", "change"), ("front", f"{member} length", change)],
            }
            axle = run_suspension(hardpoint_book(tmp_path / "c.xlsx", points, settings, others=others)).base.car.axles[
                0
            ]
            w = axle.spin_axis("left")
            stood.append((np.degrees(np.arctan2(w[0], w[1])), -1e3 * axle.standing("left")))
        toe, height = (np.array(stood[0]) - np.array(stood[1])) / 0.1
        assert told[f"front {member}, 1 turn longer: toe"] == pytest.approx(toe, rel=1e-5, abs=1e-8)
        assert told[f"front {member}, 1 turn longer: ride height"] == pytest.approx(height, rel=1e-5, abs=1e-8)
    assert abs(told["front tie rod, 1 turn longer: toe"]) > 0.5
    assert told["front push-rod, 1 turn longer: ride height"] > 0.5


@pytest.mark.parametrize("central", [PANHARD, WATT], ids=["panhard", "watt"])
def test_points_of_a_solid_axle_move_both_wheels(tmp_path, central):
    rows = [*TOP_LINK, *central]
    single = [(*HEAVE[0], "side"), ("heave", "single wheel", "-20 mm", "20 mm", "20 mm", "left")]

    def solved(points, each):
        return run_suspension(hardpoint_book(tmp_path / "b.xlsx", points, AXLE, axle="rear", rows=each, sweeps=single))

    base = solved(THREE, rows).base
    got = sensitivities(base.car, base.swept["heave"]["rear"], design_pose(base.systems["rear"]))

    def shifted(name, axis, h):
        if name in THREE:
            at = list(THREE[name])
            at[axis] += h
            return solved({**THREE, name: tuple(at)}, rows).table("heave")
        moved = [(*row[: 2 + axis], row[2 + axis] + h, *row[3 + axis :]) if row[1] == name else row for row in rows]
        return solved(THREE, moved).table("heave")

    for name, axis in (("link 1 inner", 2), (central[0][1], 2), (central[1][1], 0)):
        slopes = []
        for h in (0.2, 0.4):
            up, down = (shifted(name, axis, sign * h) for sign in (1.0, -1.0))
            slopes.append((up.values - down.values) / (2.0 * h))
        expected = (4.0 * slopes[0] - slopes[1]) / 3.0
        for metric in (
            "RL.camber",
            "RL.toe",
            "RR.toe_gradient",
            "RR.wheel_y",
            "rear.roll_centre_height",
            "RL.contact_dx_dz",
        ):
            wanted = expected[:, up.columns.index(metric)]
            value = got.of(metric, f"{name}.{'xyz'[axis]}")
            assert np.abs(value - wanted).max() < 1e-6 * max(np.abs(wanted).max(), 1e-2), (name, metric)
