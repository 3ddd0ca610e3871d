"""Rods and struts with mass: bodies in the generated car, weights in load cases, and the same poses."""

from __future__ import annotations

import numpy as np
import pytest

import sheetmbs
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.hardpoint_books import ROCKER, STRUT
from tests.support.load_books import FRONT, REAR, SPRINGS, car_book

G = 9.81
RODS = ("tie rod", "push-rod", "drop link")
ROWS = [
    SPRINGS[0],
    ("spring", "front", "spring", "90 N/mm"),
    ("bar", "front", "U bar", "900 N m/rad"),
    ("spring", "rear", "spring", "95 N/mm"),
]
SETTINGS = [
    ("actuation", "push-rod", "pull-rod"),
    ("tyre rate", "110 N/mm", "120 N/mm"),
    ("camber", 0, 0),
    ("toe", 0, 0),
]
POINTS = {
    axle: {
        name: position
        for name, position in {**points, **{k: (x + at, y, z) for k, (x, y, z) in ROCKER.items()}}.items()
        if name != "damper outer"
    }
    for axle, points, at in (("front", FRONT, 0), ("rear", REAR, -1550))
}
MASSES = [
    ("name", "mass"),
    *((f"{corner} {rod}", 2.0 + k) for corner in ("FL", "FR") for k, rod in enumerate(RODS)),
    *((f"{corner} pull-rod", 1.5) for corner in ("RL", "RR")),
]
SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step", "rack_from", "rack_to", "rack_step"),
    ("both", "combined", "-8 mm", "8 mm", "4 mm", "-4 mm", "4 mm", "2 mm"),
)


def heavy(path, masses=MASSES, *, others=None, **given):
    sheets = {"Sweeps": SWEEPS, **({"Bodies": masses} if masses else {}), **(others or {})}
    return car_book(path, **{"points": POINTS, "springs": ROWS, "settings": SETTINGS, **given}, others=sheets)


def at_rest(path, gravity=1.0, **given):
    """The free car at rest. Its contacts scrub freely, as wheels that roll."""
    rows = [("setting", "value"), ("analysis", "equilibrium"), ("gravity_z", -G * gravity)]
    loose = [("name", "kx", "ky"), *((f"{corner} tyre", 0, 0) for corner in ("FL", "FR", "RL", "RR"))]
    found = sheetmbs.run(sheetmbs.read(heavy(path, others={"Settings": rows, "Springs": loose}, **given)))
    assert found.status == "done"
    return found


def test_rods_with_mass_change_no_pose(tmp_path):
    light = run_suspension(heavy(tmp_path / "l.xlsx", None))
    found = run_suspension(heavy(tmp_path / "h.xlsx"))
    assert found.sheets.problems == light.sheets.problems
    for name in ("FL.camber", "FL.toe", "FR.steer", "FL.motion_ratio", "RL.toe"):
        expected = light.table("both").frame()[name].to_numpy()
        assert found.table("both").frame()[name].to_numpy() == pytest.approx(expected, abs=1e-12)


def test_rods_with_mass_are_bodies_without_spin_in_the_written_out_workbook(tmp_path):
    path = heavy(tmp_path / "b.xlsx")
    write_out(path, tmp_path / "out.xlsx")
    model = sheetmbs.read(tmp_path / "out.xlsx", case="both")
    kinds = {joint.name: joint.type for joint in model.joints}
    assert kinds["FL tie rod inner"] == "universal"
    assert kinds["FL rod outer"] == "spherical", "the outer end of the push-rod"
    assert kinds["FL bar link bar"] == "universal"
    assert "FL tie rod" not in kinds
    assert kinds["RL tie rod"] == "distance", "it has no row on Bodies"
    found = sheetmbs.run(model)
    assert found.status == "done"
    assert found.summary["redundant constraints"] == 0
    wheels = run_suspension(path).base.swept["both"]["front"].wheels
    for side, corner in (("left", "FL"), ("right", "FR")):
        centre = np.column_stack([found.bodies[f"{corner} upright.{axis}"] for axis in "xyz"])
        assert 1e-3 * centre == pytest.approx(wheels[side].centre.value, abs=1e-12)
        ends = [wheels[side].hardpoint(f"tie rod {end}").value for end in ("inner", "outer")]
        rod = np.column_stack([found.bodies[f"{corner} tie rod.{axis}"] for axis in "xyz"])
        assert 1e-3 * rod == pytest.approx(0.5 * (ends[0] + ends[1]), abs=1e-12)


def test_preloads_carry_the_weight_of_rods(tmp_path):
    """The contact load at design is that of the workbook, so springs carry less where more of it is unsprung."""
    cases = (("name",), ("static",))
    loads = run_suspension(heavy(tmp_path / "b.xlsx", cases=cases)).base.loads
    lighter = run_suspension(heavy(tmp_path / "l.xlsx", None, cases=cases)).base.loads
    assert loads.column("residual").max() < 1e-9
    assert lighter.column("FL.spring")[0] - loads.column("FL.spring")[0] > 10.0
    for corner in ("FL", "FR", "RL", "RR"):
        assert loads.column(f"{corner}.travel")[0] == pytest.approx(lighter.column(f"{corner}.travel")[0], abs=1e-6)


def test_the_free_car_with_rods_rests_at_design(tmp_path):
    found = at_rest(tmp_path / "b.xlsx")
    for corner in ("FL", "FR", "RL", "RR"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)


def test_a_heavier_car_with_rods_rests_where_its_load_case_says(tmp_path):
    """More gravity on the free car, with the preloads of Earth, is a load case of as many g."""
    earth = run_suspension(heavy(tmp_path / "e.xlsx")).at_design["base"]
    heads, *rows = ROWS
    forces = {"front": earth["FL.spring_force"], "rear": earth["RL.spring_force"]}
    given = [(*row, *[None] * (len(heads) - len(row)), forces[row[1]] if row[2] == "spring" else None) for row in rows]
    springs = [(*heads, "preload"), *given]
    found = at_rest(tmp_path / "b.xlsx", 1.4, springs=springs)
    cases = (("name", "az"), ("case", 1.4))
    loads = run_suspension(heavy(tmp_path / "s.xlsx", springs=springs, cases=cases)).base.loads
    assert loads.column("residual").max() < 1e-9
    for corner in ("FL", "RR"):
        pressed = -found.springs[f"{corner} spring.force"].iloc[0]
        # tyres of the free car stand on the points that touched at design
        assert loads.column(f"{corner}.spring")[0] == pytest.approx(pressed, rel=2e-3)


def test_rods_carry_in_load_cases_what_they_carry_in_the_free_car(tmp_path):
    """A load case tells the axial force in the middle; a ball joint has half the weight more or less along the rod."""
    found = at_rest(tmp_path / "b.xlsx")
    design = run_suspension(heavy(tmp_path / "s.xlsx", cases=(("name",), ("static",)))).base
    ends = {
        "tie rod": ("tie rod inner", "tie rod outer"),
        "push-rod": ("rod rocker", "rod outer"),
        "drop link": ("bar link bar", "bar link suspension"),
    }
    for rod, names in ends.items():
        inner, outer = (np.array(POINTS["front"][name]) for name in names)
        along = (outer - inner) / np.linalg.norm(outer - inner)
        half = 0.5 * (2.0 + RODS.index(rod)) * np.array([0.0, 0.0, -G])
        on_outer = np.array([found.joints[f"FL {names[1]}.j.f{axis}"].iloc[0] for axis in "xyz"])
        assert np.cross(on_outer - half, along) == pytest.approx(0.0, abs=1e-6), "beside it half the weight"
        assert design.loads.column(f"FL.{rod}")[0] == pytest.approx(-(on_outer - half) @ along, rel=1e-8, abs=1e-6)


def test_a_rod_that_hangs_beside_its_line_or_on_nothing_is_told(tmp_path):
    rows = [("name", "mass", "x [mm]", "y [mm]", "z [mm]"), ("FL tie rod", 1.0, 66, 400, 200), ("FL tierod", 0.4)]
    told = {each.code: each for each in run_suspension(heavy(tmp_path / "b.xlsx", rows)).sheets.problems}
    assert told["beside-its-rod"].cell == "Bodies!A2"
    assert told["loose-body"].cell == "Bodies!A3"
    assert "FL tie rod" in told["loose-body"].mend


STRUTS = {"front": STRUT, "rear": {name: (x - 2600, y, z) for name, (x, y, z) in STRUT.items()}}
STRUT_CAR = [
    ("type", "macpherson", "macpherson"),
    ("tyre radius", "300 mm", "300 mm"),
    ("wheelbase", "2600 mm"),
    ("cg height", "500 mm"),
    ("mass", 1200),
    ("unsprung mass", 35, 33),
    ("tyre rate", "220 N/mm", "220 N/mm"),
    ("steering", "rack", "none"),
    ("camber", 0, 0),
    ("toe", 0, 0),
]
STRUT_ROWS = [
    SPRINGS[0],
    ("spring", "front", "spring", "30 N/mm"),
    ("spring", "rear", "spring", "32 N/mm"),
]
RODS_OF_STRUTS = [("name", "mass"), *((f"{corner} strut rod", 8.0) for corner in ("FL", "FR", "RL", "RR"))]


def strut_car(path, *, rods=True, cases=(), others=None):
    sheets = {"Sweeps": SWEEPS, **({"Bodies": RODS_OF_STRUTS} if rods else {}), **(others or {})}
    return car_book(path, points=STRUTS, springs=STRUT_ROWS, settings=STRUT_CAR, cases=cases, others=sheets)


def test_a_strut_rod_with_mass_slides_in_the_upright_and_turns_in_its_mount(tmp_path):
    path = strut_car(tmp_path / "b.xlsx")
    write_out(path, tmp_path / "out.xlsx")
    model = sheetmbs.read(tmp_path / "out.xlsx", case="both")
    kinds = {joint.name: joint.type for joint in model.joints}
    assert (kinds["FL strut"], kinds["FL strut top"]) == ("translational", "spherical")
    found = sheetmbs.run(model)
    assert found.summary["redundant constraints"] == 0
    light = run_suspension(strut_car(tmp_path / "l.xlsx", rods=False))
    swept = run_suspension(path)
    for side, corner in (("left", "FL"), ("right", "RR")):
        axle = "front" if corner[0] == "F" else "rear"
        centre = np.column_stack([found.bodies[f"{corner} upright.{axis}"] for axis in "xyz"])
        wheel = swept.base.swept["both"][axle].wheels[side]
        assert 1e-3 * centre == pytest.approx(wheel.centre.value, abs=1e-12)
    for name in ("FL.camber", "FR.toe", "RL.caster"):
        expected = light.table("both").frame()[name].to_numpy()
        assert swept.table("both").frame()[name].to_numpy() == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_the_free_car_on_struts_with_mass_rests_at_design_and_loads_its_mounts_as_the_load_case_says(tmp_path):
    rows = [("setting", "value"), ("analysis", "equilibrium")]
    loose = [("name", "kx", "ky"), *((f"{corner} tyre", 0, 0) for corner in ("FL", "FR", "RL", "RR"))]
    free = strut_car(tmp_path / "f.xlsx", others={"Settings": rows, "Springs": loose})
    found = sheetmbs.run(sheetmbs.read(free))
    assert found.status == "done"
    cases = (("name", "ay", "ax"), ("static",), ("turn", 0.5, -0.3))
    loads = run_suspension(strut_car(tmp_path / "s.xlsx", cases=cases)).base.loads
    assert loads.column("residual").max() < 1e-9
    up = np.subtract(STRUT["strut top"], STRUT["strut lower"]) / 1e3
    up = up / np.linalg.norm(up)
    for corner in ("FL", "RL"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)
        spring = -found.springs[f"{corner} spring.force"].iloc[0]
        assert loads.column(f"{corner}.spring")[0] == pytest.approx(spring, rel=1e-9)
        on_rod = np.array([found.joints[f"{corner} strut top.{'j'}.f{axis}"].iloc[0] for axis in "xyz"])
        assert on_rod @ up == pytest.approx(8.0 * G * up[2], rel=1e-8), "the mount carries the rod along the strut"
        side = np.linalg.norm(on_rod - (on_rod @ up) * up)
        assert loads.column(f"{corner}.strut top side force")[0] == pytest.approx(side, rel=1e-8)
