"""Laws of statics for every type of suspension and every kind of spring, at poses far from design."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, WISHBONES, hardpoint_book

CASES = (
    (
        "name",
        "pose",
        "travel_left",
        "travel_right",
        "rack",
        "FL.fx",
        "FL.fy",
        "FL.fz",
        "FL.mz",
        "FR.fx",
        "FR.fy",
        "FR.fz",
    ),
    ("design", "design", None, None, None, -700, 800, 1500, 10, 300, 400, 700),
    ("bump", "given", "15 mm", "15 mm", None, 200, -500, 2500, 0, 200, -500, 2500),
    ("roll", "given", "-12 mm", "18 mm", None, -500, 900, 800, -20, -500, 1900, 2200),
)
HEADS = ("name", "axle", "kind", "k", "point_i", "k_swing", "preload")
SPRING = ("spring", "front", "spring", "60 N/mm", None, None, 900)
STRUT = {
    **{name: WISHBONES[name] for name in WISHBONES if "upper" not in name},
    "strut lower": (-5, 540, 250),
    "strut top": (-40, 430, 620),
}
FIVE = {
    "link 1 inner": (130, 215, 112),
    "link 1 outer": (10, 572, 112),
    "link 2 inner": (-135, 225, 121),
    "link 2 outer": (-6, 568, 114),
    "link 3 inner": (115, 262, 295),
    "link 3 outer": (4, 545, 300),
    "link 4 inner": (-120, 270, 290),
    "link 4 outer": (-18, 547, 298),
    "link 5 inner": (62, 222, 144),
    "link 5 outer": (70, 560, 150),
    "wheel centre": (0, 600, 230),
    "damper outer": (10, 540, 200),
    "damper chassis": (30, 330, 520),
}
T_BAR = {"bar link suspension": (0, 200, 360), "bar link bar": (-60, 90, 290)}
SOLID = {
    "link 1 inner": (500, 450, 250),
    "link 1 outer": (0, 470, 230),
    "link 2 inner": (420, 250, 420),
    "link 2 outer": (10, 520, 430),
    "wheel centre": (0, 700, 300),
    "damper outer": (-40, 500, 250),
    "damper chassis": (-60, 450, 600),
}
PUSHED = [("type", "double wishbone"), ("actuation", "push-rod")]
TYPES: dict[str, tuple[dict, list, list, list]] = {
    "macpherson": (STRUT, [("type", "macpherson")], [SPRING], []),
    "multilink": (FIVE, [("type", "multilink"), ("steering", "none")], [SPRING], []),
    "trailing arm with a torsion bar": (
        {"arm inner": (300, 300, 300), "arm outer": (300, 600, 280), "wheel centre": (0, 650, 300)},
        [("type", "trailing arm"), ("steering", "none")],
        [("bar", "front", "torsion bar", 3000.0, None, None, 200.0)],
        [],
    ),
    "T bar": (
        {**WISHBONES, **ROCKER, **T_BAR},
        PUSHED,
        [SPRING, ("T", "front", "T bar", 60.0, None, 400.0)],
        [("front", "T-bar base", -60, 0, 150, "centre")],
    ),
    "third spring": (
        {**WISHBONES, **ROCKER},
        PUSHED,
        [SPRING, ("third", "front", "third spring", "20 N/mm", "damper rocker")],
        [],
    ),
    "torsion bar on a rocker": (
        {**WISHBONES, **ROCKER},
        PUSHED,
        [("twist", "front", "torsion bar", 500.0, None, None, 30.0)],
        [],
    ),
    "solid axle": (SOLID, [("type", "solid axle"), ("steering", "none")], [SPRING], []),
    "no spring at all": ({**WISHBONES, **ROCKER}, PUSHED, [], []),
    "no spring on a strut": (STRUT, [("type", "macpherson")], [], []),
    "no spring where one would stand beside the damper": (
        {**FIVE, "spring rocker": (-60, 480, 190), "spring chassis": (-50, 470, 480)},
        [("type", "multilink"), ("steering", "none")],
        [],
        [],
    ),
}


def solved(path, name, *, cases=CASES):
    points, settings, springs, rows = TYPES[name]
    others = {"Load cases": cases, **({"Suspension springs": [HEADS, *springs]} if springs else {})}
    given = [("tyre radius", "230 mm"), ("camber", "-1 deg"), ("unsprung mass", 11), *settings]
    return run_suspension(hardpoint_book(path, points, given, rows=rows, others=others)).base.loads


@pytest.mark.parametrize("name", TYPES)
def test_virtual_work_and_forces_on_the_chassis_agree_for_every_type(tmp_path, name):
    found = solved(tmp_path / "b.xlsx", name)
    assert not any(found.failed), found.marks
    assert found.column("residual").max() < 1e-9
    forces = np.array([column.values for column in found.columns if column.unit == "N" and column.is_member])
    assert np.isfinite(forces).all()
    assert np.abs(forces).max() > 1000.0


def test_a_strut_bears_sideways_on_its_top_and_bends(tmp_path):
    found = solved(tmp_path / "b.xlsx", "macpherson")
    side = np.stack([found.column(f"FL.strut top side force.f{axis}") for axis in "xyz"], axis=-1)
    axis = np.subtract(STRUT["strut top"], STRUT["strut lower"])
    assert side[0] @ (axis / np.linalg.norm(axis)) == pytest.approx(0.0, abs=1e-7), "it slides along the strut"
    lever = np.linalg.norm(axis) * 1e-3
    assert found.column("FL.strut bending")[0] == pytest.approx(np.linalg.norm(side[0]) * lever, rel=1e-9)


def test_links_of_a_solid_axle_hold_it_as_six_equations_say(tmp_path):
    found = solved(tmp_path / "b.xlsx", "solid axle")
    forces = [
        (np.array([0.0, 700.0, 300.0]), (-700, 800, 1500), 10.0),
        (np.array([0.0, -700.0, 300.0]), (300, 400, 700), 0),
    ]
    columns, names, loaded = [], [], np.zeros(6)
    up = np.array([0.0, 0.0, 1.0])
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name in ("link 1", "link 2"):
            names.append(f"F{side}.{name}")
            inner, outer = (np.array(SOLID[f"{name} {end}"]) * (1, sign, 1) * 1e-3 for end in ("inner", "outer"))
            columns.append((outer, inner - outer))
        names.append(f"F{side}.spring")
        inner, outer = (np.array(SOLID[f"damper {end}"]) * (1, sign, 1) * 1e-3 for end in ("chassis", "outer"))
        columns.append((outer, inner - outer))
    matrix = []
    for at, along in columns:
        pull = along / np.linalg.norm(along)
        matrix.append(np.concatenate((pull, np.cross(at, pull))))
    for (drawn, (fx, fy, fz), mz), sign in zip(forces, (1.0, -1.0), strict=True):
        centre = drawn * 1e-3
        camber = np.radians(-1.0)
        spin = np.array([0.0, sign * np.cos(camber), -np.sin(camber)])
        down = up - spin * spin[2]
        contact = centre - 0.23 * down / np.linalg.norm(down)
        force = np.array([fx, fy, fz], dtype=float)
        loaded += np.concatenate((force, np.cross(contact, force) + mz * up))
        weight = np.array([0.0, 0.0, -11.0 * 9.81])
        loaded += np.concatenate((weight, np.cross(centre, weight)))
    tension = np.linalg.solve(np.array(matrix).T, -loaded)
    for name, value in zip(names, tension, strict=True):
        sign = -1.0 if name.endswith("spring") else 1.0
        assert sign * found.column(name)[0] == pytest.approx(value, rel=1e-8), name


def test_springs_that_join_both_sides_follow_their_laws(tmp_path):
    """At a pose that is given alike for both wheels a bar is idle and a third spring works; in roll it is the other way."""
    third, bar = (solved(tmp_path / f"{name}.xlsx", name) for name in ("third spring", "T bar"))
    works, idle = abs(third.column("front.third")[1]), abs(third.column("front.third")[0])
    assert works > 100.0
    assert idle == pytest.approx(0.0, abs=1e-6)
    twist = bar.column("front.T")
    assert twist[1] == pytest.approx(0.0, abs=1e-9)
    assert twist[2] < -0.1, "the right wheel is higher"


def test_the_swing_of_a_t_bar_has_the_sign_of_the_sweep(tmp_path):
    points, settings, springs, rows = TYPES["T bar"]
    given = [("tyre radius", "230 mm"), *settings]
    travels = (-20, -15, -10, -5, 5, 10, 15, 20)
    cases = [("name", "pose", "travel_left", "travel_right", "FL.fz", "FR.fz")]
    cases += [(f"row {n}", "given", f"{each} mm", f"{each} mm", 900, 900) for n, each in enumerate(travels)]
    others = {"Load cases": cases, "Suspension springs": [HEADS, *springs]}
    results = run_suspension(hardpoint_book(tmp_path / "b.xlsx", points, given, rows=rows, others=others))
    heave = results.table("heave")
    travel, torque = (heave.values[:, heave.columns.index(name)] for name in ("travel", "front.T swing_torque"))
    expected = [torque[np.argmin(np.abs(travel - each))] for each in travels]
    assert results.base.loads.column("front.T swing") == pytest.approx(expected, rel=1e-9)
    assert expected[0] * expected[-1] < 0.0
