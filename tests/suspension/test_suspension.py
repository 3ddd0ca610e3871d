"""The suspension workbooks against linkages closed by circles and spheres, virtual work, balance, symmetry and energy."""

import importlib
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.model.model import Quadratic
from tests.suspension.suspensions import (
    CASES,
    EXACT,
    FOLDER,
    MILLIMETRE,
    NAMES,
    WITH_FORCES,
    G,
    Linkage,
    columns,
    compare,
    corner,
    dimension,
    in_si,
    run,
    sheet,
    typed_masses,
    vectors,
)

# --- motion ------------------------------------------------------------------------------------------------------------


def test_corner_moves_over_its_travel_as_circles_and_spheres_say():
    heights = columns("double-wishbone", "bump")["wheel.z"]
    assert (heights.min(), heights.max()) == pytest.approx((0.178, 0.278), abs=1e-12)
    for row in range(0, len(heights), 5):
        height = 0.178 + 0.001 * row
        now = corner("double-wishbone").closed(lambda now: now["wheel"][2] - height)  # noqa: B023
        compare("double-wishbone", "bump", row, "", now)


def test_corner_steers_on_the_road_as_circles_and_spheres_say():
    for row in range(0, 101, 5):
        rack = 0.0006 * row - 0.03
        compare(
            "double-wishbone", "steer", row, "", corner("double-wishbone").closed(lambda now: now["contact"][2], rack)
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_wheel_of_the_car_moves_over_its_travel_as_circles_and_spheres_say(name):
    for row in range(0, 101, 10):
        height = 0.198 + 0.0006 * row
        compare("car", "bump", row, f" {name}", corner("car", name).closed(lambda now: now["wheel"][2] - height))  # noqa: B023


@pytest.mark.parametrize("name", NAMES)
def test_every_wheel_of_the_car_follows_the_body_up_and_down(name):
    for row in range(0, 101, 10):
        lift = np.array([0.0, 0.0, 0.0005 * row - 0.025])
        now = corner("car", name).closed(lambda now: now["contact"][2] + lift[2])  # noqa: B023
        compare("car", "heave", row, f" {name}", now | {each: now[each] + lift for each in ("wheel", "contact")})


@pytest.mark.parametrize(("book", "case"), [("double-wishbone", "bump"), ("car", "steer")])
def test_wheels_stand_as_typed_and_on_their_lowest_points_with_any_static_camber_and_toe(
    book, case, monkeypatch, tmp_path
):
    monkeypatch.syspath_prepend(str(FOLDER))
    suspension = importlib.import_module("suspension")
    monkeypatch.setattr(suspension, "CAMBER", 2.5)
    monkeypatch.setattr(suspension, "TOES", {"front": 1.75, "rear": -1.25})
    importlib.import_module(f"make_{book.replace('-', '_')}").make(tmp_path)
    made = str(tmp_path / book)
    for label in [f" {name}" for name in NAMES] if book == "car" else [""]:
        linkage, side = Linkage(made, label.strip()), -1.0 if label.endswith("R") else 1.0
        found, axle = columns(made, case), "rear" if label.startswith(" R") else "front"
        assert np.degrees(found[f"camber{label}.angle"][50]) == pytest.approx(2.5, abs=1e-9)
        assert np.degrees(found[f"toe{label}.angle"][50]) == pytest.approx(
            {"front": 1.75, "rear": -1.25}[axle], abs=1e-9
        )
        assert found[f"contact{label}.y"][50] == pytest.approx(side * {"front": 0.6, "rear": 0.58}[axle], abs=EXACT)
        for row in range(0, 101, 25):
            height, rack = (0.178 + 0.001 * row, 0.0) if case == "bump" else (None, 0.0006 * row - 0.03)
            rack = rack if axle == "front" else 0.0
            reached = (lambda now: now["contact"][2]) if height is None else (lambda now, z=height: now["wheel"][2] - z)
            compare(made, case, row, label, linkage.closed(reached, rack))


def about_x(angle):
    return np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])


def rolling(row):
    """How far the body rolls in a row of the case roll."""
    return np.radians(0.04 * row - 2.0)


def rolled(name, angle):
    """A corner on the level road under a body that has turned about the roll axis: seen from the body, and from the road."""
    turn, pivot = about_x(angle), np.array([0.0, 0.0, 0.03])
    up = turn.T @ np.array([0.0, 0.0, 1.0])
    inside = corner("car", name).closed(lambda now: up @ (now["contact"] - pivot) + pivot[2], up=up)
    outside = inside | {"axis": turn @ inside["axis"]}
    return inside, outside | {each: pivot + turn @ (inside[each] - pivot) for each in ("wheel", "contact")}


@pytest.mark.parametrize("name", NAMES)
def test_every_wheel_of_the_car_leans_and_steers_in_roll_as_circles_and_spheres_say(name):
    for row in range(0, 101, 10):
        compare("car", "roll", row, f" {name}", rolled(name, rolling(row))[1])


@pytest.mark.parametrize("axle", ["front", "rear"])
def test_anti_roll_bars_twist_as_their_drop_links_demand(axle):
    left, right = (f"{axle[0].upper()}{side}" for side in "LR")
    for row in range(0, 101, 10):
        ends = [corner("car", name).bar(rolled(name, rolling(row))[0])[0] for name in (left, right)]
        assert columns("car", "roll")[f"{axle} bar.angle"][row] == pytest.approx(ends[1] - ends[0], abs=EXACT)


def test_suspension_does_what_its_designer_meant():
    found = columns("double-wishbone", "bump")
    top, design, bottom = -1, 50, 0
    camber = np.degrees(found["camber.angle"])
    assert camber[design] == pytest.approx(-1.0, abs=1e-9)
    assert camber[top] < -2.5 < 0.0 < camber[bottom] < 1.0, "camber becomes negative as the wheel goes up"
    assert np.degrees(np.ptp(found["toe.angle"])) < 0.05, "no bump steer"
    steered = columns("car", "steer")
    left = steered["rack guide.displacement"].argmax()
    assert np.degrees(steered["heading FL.yaw"][left]) > np.degrees(steered["heading FR.yaw"][left]) > 20, "Ackermann"
    assert np.degrees(steered["toe FR.angle"][left]) > 20 > -20 > np.degrees(steered["toe FL.angle"][left])


# --- the runs as such --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "case"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_every_case_runs_without_a_word_and_has_the_freedoms_it_should(name, case):
    result = run(name, case)
    assert result.model.warnings == ()
    assert result.sheets.problems == ()
    assert result.summary["redundant constraints"] == 0
    assert result.summary["degrees of freedom"] == CASES[name][case]
    assert result.constraints["position_violation"].max() < 1e-10
    assert not result.model.charts or len(result.sheets.charts) == len(result.model.charts)


@pytest.mark.parametrize(("name", "case"), WITH_FORCES)
def test_every_joint_reports_its_reaction_and_acts_on_both_bodies_alike(name, case):
    result = run(name, case)
    for joint in result.model.joints:
        both = [
            result.joints[[f"{joint.name}.{side}.{part}" for part in ("fx", "fy", "fz")]].to_numpy() for side in "ij"
        ]
        assert np.isfinite(both).all()
        assert np.abs(both[0] + both[1]).max() < 1e-8
        if joint.type == "spherical":
            assert np.abs(result.joints[[f"{joint.name}.i.m{axis}" for axis in "xyz"]].to_numpy()).max() < 1e-8


def test_forces_of_bump_and_roll_are_there_for_the_asking():
    for name, case in (("double-wishbone", "bump"), ("car", "roll")):
        model = sheetmbs.read(FOLDER / f"{name}.xlsx", analysis="inverse dynamic", case=case)
        joints = sheetmbs.run(model).joints
        assert all(f"{joint.name}.j.fz" in joints for joint in model.joints)


# --- forces ------------------------------------------------------------------------------------------------------------


def energy_of_spring(book, axle, length):
    k, free = (dimension(book, f"{axle} spring{what}") for what in ("", " length"))
    return 0.5 * k * 1e3 * (length - free * MILLIMETRE) ** 2


def slope(function, x, h=1e-5):
    """Derivative by differences of the fourth order."""
    return (8 * (function(x + h) - function(x - h)) - function(x + 2 * h) + function(x - 2 * h)) / (12 * h)


@pytest.mark.parametrize("height", [0.2, 0.228, 0.26])
def test_force_that_holds_the_wheel_is_what_virtual_work_demands(height):
    model = sheetmbs.read(FOLDER / "double-wishbone.xlsx", analysis="inverse dynamic", case="bump")
    still = [replace(d, motion=Quadratic(height if d.name == "travel" else 0.0, 0.0, 0.0)) for d in model.drivers]
    result = sheetmbs.run(
        replace(model, drivers=tuple(still), settings=replace(model.settings, t_start=0.0, t_end=0.02))
    )
    linkage = corner("double-wishbone")

    def energy(z):
        now = linkage.closed(lambda now: now["wheel"][2] - z)
        weights = sum(linkage.mass[part] * G * mean[2] for part, mean in now["means"].items())
        return weights + energy_of_spring("double-wishbone", "front", now["spring"])

    assert result.drivers["travel.force"][0] == pytest.approx(slope(energy, height), rel=1e-8)


def test_corner_rests_where_its_potential_energy_is_least():
    book, linkage = "double-wishbone", corner("double-wishbone")
    total = sum(typed_masses(book).values()) - 0.01
    moving = sum(linkage.mass.values())

    def energy(u):
        """Of the chassis raised by u[0] and the wheel by u[1] against it."""
        now = linkage.closed(lambda now: now["wheel"][2] - 0.228 - u[1])
        weights = (total - moving) * G * u[0]
        weights += sum(linkage.mass[part] * G * (mean[2] + u[0]) for part, mean in now["means"].items())
        way = now["contact"][2] + u[0]
        tyre = 0.5 * dimension(book, "tyre stiffness") * 1e3 * way**2 - dimension(book, "weight") * way
        return weights + energy_of_spring(book, "front", now["spring"]) + tyre

    def force(u):
        return np.array([slope(lambda s, k=k: energy(u + (s - u[k]) * np.eye(2)[k]), u[k], 1e-3) for k in range(2)])

    u = np.zeros(2)
    for _ in range(5):
        stiffness = np.stack([(force(u + h) - force(u - h)) / 2e-3 for h in 1e-3 * np.eye(2)], axis=1)
        u = u - np.linalg.solve(stiffness, force(u))
    found = columns(book, "static")
    assert found["slide.displacement"][0] == pytest.approx(u[0], abs=2e-8)
    assert found["wheel.z"][0] - found["slide.displacement"][0] - 0.228 == pytest.approx(u[1], abs=2e-8)
    assert found["level road.force"][0] == pytest.approx((total + 0.01) * G, rel=1e-9)
    assert abs(u[0]) < 1e-4, "the corner stands at its design height"


@pytest.mark.parametrize("degrees", [-1.5, 0.5, 2.0])
def test_moment_that_rolls_the_body_is_what_virtual_work_demands(degrees):
    angle = np.radians(degrees)
    model = sheetmbs.read(FOLDER / "car.xlsx", analysis="inverse dynamic", case="roll")
    still = [replace(d, motion=Quadratic(angle if d.name == "body roll" else 0.0, 0.0, 0.0)) for d in model.drivers]
    result = sheetmbs.run(
        replace(model, drivers=tuple(still), settings=replace(model.settings, t_start=0.0, t_end=0.02))
    )
    at, mass = ({row["name"]: row[what] for row in sheet("car", "Bodies").values()} for what in ("z", "mass"))
    stiffness = {spring.name: spring.values.get("k") for spring in model.springs}

    def energy(angle):
        up, pivot = about_x(angle).T[:, 2], np.array([0.0, 0.0, 0.03])
        found = sum(mass[name] * G * np.cos(angle) * (at[name] * MILLIMETRE - 0.03) for name in ("chassis", "rack"))
        ends = {}
        for name in NAMES:
            linkage, now = corner("car", name), rolled(name, angle)[0]
            ends[name], middle = linkage.bar(now)
            means = now["means"] | {"bar": middle}
            found += sum(linkage.mass[part] * G * (up @ (mean - pivot)) for part, mean in means.items())
            found += energy_of_spring("car", "front" if name[0] == "F" else "rear", now["spring"])
        for axle, letter in (("front", "F"), ("rear", "R")):
            found += 0.5 * stiffness[f"{axle} bar"] * (ends[f"{letter}R"] - ends[f"{letter}L"]) ** 2
        return found

    assert result.drivers["body roll.moment"][0] == pytest.approx(slope(energy, angle, 1e-4), rel=1e-7, abs=1e-5)


def weight(case):
    model = run("car", case).model
    return sum(body.mass for body in model.bodies if not body.name.startswith("plate")) * G


def loads(case):
    """Force of the road on each tyre (corner, 3), and where (corner, 3)."""
    found = columns("car", case)
    force = np.array([[0.0, 0.0, found[f"level road {name}.force"][0] - 0.01 * G] for name in NAMES])
    for k, name in enumerate(NAMES):
        yaw = found[f"heading {name}.yaw"][0]
        ahead, left = np.array([np.cos(yaw), np.sin(yaw), 0.0]), np.array([-np.sin(yaw), np.cos(yaw), 0.0])
        force[k] += force[k, 2] * {"cornering": left, "braking": -ahead}.get(case, 0.0)
    return force, np.array([vectors("car", case, f"contact {name}")[0] for name in NAMES])


PULL = {"equilibrium": (0.0, 0.0, -1.0), "cornering": (0.0, -1.0, -1.0), "braking": (1.0, 0.0, -1.0)}
"""what weighs on the car, in g"""


@pytest.mark.parametrize("case", PULL)
def test_forces_of_the_road_balance_the_car(case):
    force, place = loads(case)
    pull = np.array(PULL[case])
    chassis = vectors("car", case, "chassis")[0]
    held = (
        vectors("car", case, "hold x.i", ("fx", "fy", "fz"))[0]
        + vectors("car", case, "hold y.i", ("fx", "fy", "fz"))[0]
    )
    moment = np.cross(place, force).sum(axis=0) + np.cross(chassis, held)
    moment += vectors("car", case, "hold yaw.j", ("mx", "my", "mz"))[0]
    for body in run("car", case).model.bodies:
        if not body.name.startswith("plate"):
            moment += np.cross(vectors("car", case, body.name)[0], body.mass * G * pull)
    assert force.sum(axis=0) + held == pytest.approx(-pull * weight(case), abs=1e-5)
    assert np.abs(moment).max() < 1e-5
    assert np.abs(held).max() < 1.0, "what holds the car where the road does not has next to nothing to do"


def test_car_stands_at_its_design_height_and_level():
    found = columns("car", "equilibrium")
    assert found["chassis.z"][0] == pytest.approx(0.295, abs=2e-4)
    assert np.abs([found["chassis.pitch"], found["chassis.roll"]]).max() < np.radians(0.01)


def test_body_leans_out_of_the_turn_and_loads_the_outer_wheels():
    force, _ = loads("cornering")
    assert 0.5 < np.degrees(columns("car", "cornering")["chassis.roll"][0]) < 2.0
    assert (force[[1, 3], 2] > 2.0 * force[[0, 2], 2]).all()
    assert force[:, 2].min() > 100.0


@pytest.mark.parametrize("case", ["bump", "heave", "equilibrium"])
def test_right_side_is_the_mirror_image_of_the_left(case):
    found = columns("car", case)
    for axle in "FR":
        for body in ("wheel", "lower arm", "upper arm", "upright", "bar"):
            left, right = (f"{body} {axle}{side}" for side in "LR")
            for ending, sign in (("x", 1), ("y", -1), ("z", 1), ("yaw", -1), ("pitch", 1), ("roll", -1)):
                assert np.abs(found[f"{left}.{ending}"] - sign * found[f"{right}.{ending}"]).max() < EXACT
        for joint in ("camber", "toe"):
            assert np.abs(found[f"{joint} {axle}L.angle"] - found[f"{joint} {axle}R.angle"]).max() < EXACT
        assert np.abs(found[f"spring {axle}L.force"] - found[f"spring {axle}R.force"]).max() < 1e-6


def test_roll_to_the_left_is_the_mirror_image_of_roll_to_the_right():
    found = columns("car", "roll")
    for axle in "FR":
        for joint in ("camber", "toe"):
            left, right = (found[f"{joint} {axle}{side}.angle"] for side in "LR")
            assert np.abs(left - right[::-1]).max() < EXACT


# --- on the road -------------------------------------------------------------------------------------------------------


def test_energy_on_the_bump_goes_where_drivers_and_dampers_say():
    model = sheetmbs.read(FOLDER / "double-wishbone.xlsx", case="road")
    result = sheetmbs.run(replace(model, settings=replace(model.settings, t_end=1.0, t_step=0.001)))
    found, dampers = in_si(result), {"front damper": "damper.rate", "tyre damping": "tyre rate"}
    t, found["tyre rate"] = found["time"], found["contact.vz"] - found["plate.vz"]
    lost = sum(dimension("double-wishbone", name) * 1e3 * found[rate] ** 2 for name, rate in dampers.items())
    power = found["road.power"] - lost + dimension("double-wishbone", "weight") * found["tyre rate"]
    gained = CubicSpline(t, power).antiderivative()(t)
    energy = found["total_energy"]
    assert np.abs(energy - energy[0] - gained).max() < 1e-5 * np.ptp(energy)


def test_corner_comes_to_rest_behind_the_bump_where_its_equilibrium_is():
    road, rest = columns("double-wishbone", "road"), columns("double-wishbone", "static")
    assert road["plate.z"].max() == pytest.approx(0.040, abs=1e-5)
    for name in ("chassis.z", "wheel.z", "camber.angle", "spring.length"):
        assert abs(road[name][-1] - rest[name][0]) < 1e-4
    assert road["road.force"][-1] == pytest.approx(rest["level road.force"][0], abs=1.0)


@pytest.mark.parametrize(("name", "drivers"), [("double-wishbone", [""]), ("car", [f" {name}" for name in NAMES])])
def test_tyres_never_pull_on_the_road(name, drivers):
    assert min(columns(name, "road")[f"road{driver}.force"].min() for driver in drivers) > 50.0


@pytest.mark.parametrize("side", "LR")
def test_rear_wheels_meet_the_road_a_wheelbase_later(side):
    found = columns("car", "road")
    delay = 1.55 / 10.0
    front = CubicSpline(found["time"], found[f"plate F{side}.z"])
    later = found["time"] > 2 * delay
    assert np.abs(found[f"plate R{side}.z"] - front(found["time"] - delay))[later].max() < 1e-5
    assert found[f"plate F{side}.z"].max() == pytest.approx(0.025, abs=2e-4)


def test_car_swings_on_the_road_and_comes_to_rest():
    road, rest = columns("car", "road"), columns("car", "equilibrium")
    assert np.degrees(np.abs(road["chassis.roll"]).max()) > 0.3
    assert np.degrees(np.abs(road["chassis.pitch"]).max()) > 0.5
    assert abs(road["chassis.z"][0] - 0.295) < 1e-9
    assert abs(road["chassis.z"][-1] - rest["chassis.z"][0]) < 3e-4
    assert run("car", "road").summary["energy drift"] < 1e-5


# --- what is derived from the runs -------------------------------------------------------------------------------------


@cache
def shown_roll_centres(book, label=""):
    """Heights by the recipe in the docs, for any of the workbooks and corners."""
    page = (FOLDER.parent / "docs" / "corner-models.md").read_text(encoding="utf-8")
    recipe = page.partition("## Roll centre")[2].partition("```python\n")[2].partition("```")[0]
    recipe = recipe.replace("workbooks/double-wishbone.xlsx", str(FOLDER / f"{book}.xlsx"))
    for name in ("contact", "wheel", "spin", "heading"):
        recipe = recipe.replace(f'"{name}.', f'"{name}{label}.')
    for quantity in ("contact", "wheel"):
        recipe = recipe.replace(f"{quantity}.{{axis}}", f"{quantity}{label}.{{axis}}")
    names = {}
    exec(recipe, names)  # noqa: S102 - our own documentation
    return np.array(names["height"])


def roll_centre(linkage, height):
    """Height above the road in mm: from the velocity of the wheel's own point at the contact, after the turn of the upright."""

    def at(z):
        return linkage.closed(lambda now: now["wheel"][2] - z)

    now = at(height)
    velocity = slope(lambda z: at(z)["wheel"], height, 1e-4)
    turning = slope(lambda z: at(z)["rotation"], height, 1e-4) @ now["rotation"].T
    across, _, up = (velocity + turning @ (now["contact"] - now["wheel"]))[[1, 0, 2]]
    return 1e3 * now["contact"][1] * across / up


@pytest.mark.parametrize(
    ("book", "name", "travel"), [("double-wishbone", "", 0.05), ("car", "FR", 0.03), ("car", "RL", 0.03)]
)
def test_recipe_of_the_roll_centre_is_exact_over_the_whole_travel(book, name, travel, capsys):
    shown = shown_roll_centres(book, f" {name}" if name else "")
    assert "roll centre" in capsys.readouterr().out
    for row in range(0, 101, 10):
        height = 0.228 + travel * (0.02 * row - 1.0)
        assert shown[row] == pytest.approx(roll_centre(corner(book, name), height), abs=1e-6)
