"""The suspension workbooks against linkages closed by circles and spheres, virtual work, balance, symmetry and energy."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.model import Quadratic

FOLDER = Path(__file__).parent.parent / "workbooks"
G = 9.81
NAMES = ("FL", "FR", "RL", "RR")
CASES = {
    "double-wishbone": {"bump": 0, "steer": 0, "static": 2, "road": 2},
    "car": {"bump": 0, "steer": 0, "heave": 0, "roll": 0, "equilibrium": 7, "cornering": 10, "road": 7},
}
"""degrees of freedom beside the drivers"""
WITH_FORCES = [("double-wishbone", "static"), ("double-wishbone", "road"), ("car", "equilibrium"), ("car", "cornering")]
MILLIMETRE = 1e-3
EXACT = 1e-9
"""m and rad"""


@cache
def run(name, case):
    result = sheetmbs.run(sheetmbs.read(FOLDER / f"{name}.xlsx", case=case))
    assert result.status == "done"
    return result


@cache
def columns(name, case):
    """All result columns of a case by name, in SI."""
    return in_si(run(name, case))


def in_si(result):
    found = {}
    for frame in (result.bodies, result.points, result.joints, result.drivers, result.springs, result.constraints):
        for column, unit in frame.attrs["units"].items():
            size = {"mm": 1e-3, "deg": np.pi / 180}.get(unit.split("/")[0], 1.0)
            found.setdefault(column, frame[column].to_numpy() * size)
    return found


def vectors(name, case, what, axes="xyz"):
    found = columns(name, case)
    return np.stack([found[f"{what}.{axis}"] for axis in axes], axis=1)


@cache
def sheet(name, which):
    """Rows of a sheet of the workbook by their names, each a dict by header, as they stand there."""
    rows = list(openpyxl.load_workbook(FOLDER / f"{name}.xlsx", data_only=True)[which].iter_rows(values_only=True))
    return {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:] if row[0]}


DRAWN = {"upright": 3.2, "rack": 1.2}
"""kg, of parts whose masses stand in texts of CAD programs"""


def typed_masses(name):
    rows = sheet(name, "Bodies").values()
    found = {row["name"]: DRAWN.get(row["name"]) if row["mass"] is None else row["mass"] for row in rows}
    return {part: mass for part, mass in found.items() if isinstance(mass, int | float)}


def masses(name):
    return {body.name: body.mass for body in run(name, next(iter(CASES[name]))).model.bodies}


# --- a linkage without sheetmbs ----------------------------------------------------------------------------------------


def newton(function, guess):
    """Root of a function of a few unknowns, to the last digits."""
    x = np.array(guess, dtype=float)
    for _ in range(50):
        steps = 1e-6 * np.eye(len(x))
        jacobian = np.stack([(function(x + step) - function(x - step)) / 2e-6 for step in steps], axis=1)
        change = np.linalg.solve(jacobian, function(x))
        x = x - change
        if np.abs(change).max() < 1e-14:
            return x
    raise AssertionError(change)


def turned(point, start, end, angle):
    """A point turned about the line through two others."""
    axis, arm = (end - start) / np.linalg.norm(end - start), point - start
    return start + arm * np.cos(angle) + np.cross(axis, arm) * np.sin(angle) + axis * (axis @ arm) * (1 - np.cos(angle))


def frame(a, b, c):
    """Right-handed axes spanned by three points."""
    first = (b - a) / np.linalg.norm(b - a)
    third = np.cross(first, c - a) / np.linalg.norm(np.cross(first, c - a))
    return np.stack([first, np.cross(third, first), third], axis=1)


def on_spheres(centres, radii, side):
    """The point at these distances from three centres, on one side of their plane."""
    axes = frame(*centres)
    (bx, _, _), (cx, cy, _) = ((each - centres[0]) @ axes for each in centres[1:])
    x = (radii[0] ** 2 - radii[1] ** 2 + bx**2) / (2 * bx)
    y = (radii[0] ** 2 - radii[2] ** 2 + cx**2 + cy**2 - 2 * cx * x) / (2 * cy)
    return centres[0] + axes @ np.array([x, y, side * np.sqrt(radii[0] ** 2 - x**2 - y**2)])


class Linkage:
    """A corner in axes of its chassis: arms by circles, the steering rod's outer end by spheres, m and rad."""

    def __init__(self, book, corner=""):
        self.label = f" {corner}" if corner else ""
        points, self.link = sheet(book, "Points"), "toe link" if corner.startswith("R") else "tie rod"
        at = {
            name.removesuffix(self.label): np.array([row[axis] for axis in "xyz"], dtype=float) * MILLIMETRE
            for name, row in points.items()
            if name.endswith(self.label) and row["frame"] == "global"
        }
        wheel = sheet(book, "Bodies")[f"wheel{self.label}"]
        lean = np.radians(wheel["roll"])
        at["wheel"] = np.array([wheel[axis] for axis in "xyz"], dtype=float) * MILLIMETRE
        self.at, self.axis = at, np.array([0.0, np.cos(lean), np.sin(lean)])
        self.radius = -points[f"contact{self.label}"]["z"] * MILLIMETRE
        self.balls = [at["lower ball"], at["upper ball"], at[f"{self.link} outer"]]
        centres = np.array([*self.balls[:2], at[f"{self.link} inner"]])
        self.rod = [np.linalg.norm(self.balls[2] - centre) for centre in centres]
        self.side = np.sign(np.linalg.det(np.stack([*(centres[1:] - centres[0]), self.balls[2] - centres[0]])))
        masses = typed_masses(book)
        self.mass = {part: masses.get(part + self.label, 0.0) for part in self.parts()}

    def parts(self):
        return ("lower arm", "upper arm", "upright", self.link, "wheel", "bar")

    def place(self, angles, rack, up):
        """All that matters with the arms at these angles. up: the road's normal."""
        at = self.at
        lower = {n: turned(at[n], at["lower front"], at["lower rear"], angles[0]) for n in self.on_lower_arm()}
        upper = turned(at["upper ball"], at["upper front"], at["upper rear"], angles[1])
        inner = at[f"{self.link} inner"] + np.array([0.0, rack, 0.0])
        outer = on_spheres([lower["lower ball"], upper, inner], self.rod, self.side)
        rotation = frame(lower["lower ball"], upper, outer) @ frame(*self.balls).T
        wheel, axis = lower["lower ball"] + rotation @ (at["wheel"] - at["lower ball"]), rotation @ self.axis
        plumb = up - axis * (axis @ up)
        means = {
            "lower arm": (at["lower front"] + at["lower rear"] + 2 * lower["lower ball"]) / 4,
            "upper arm": (at["upper front"] + at["upper rear"] + 2 * upper) / 4,
            "upright": (lower["lower ball"] + upper) / 2,
            self.link: (inner + outer) / 2,
            "wheel": wheel,
        }
        return {
            **lower,
            "upper ball": upper,
            "wheel": wheel,
            "axis": axis,
            "means": means,
            "contact": wheel - self.radius * plumb / np.linalg.norm(plumb),
            "spring": np.linalg.norm(lower["spring low"] - at["spring top"]),
        }

    def on_lower_arm(self):
        return [name for name in ("lower ball", "spring low", "drop link") if name in self.at]

    def closed(self, reached, rack=0.0, up=(0.0, 0.0, 1.0)):
        """The linkage where ``reached`` of what `place` gives is 0."""
        length, up = np.linalg.norm(self.balls[0] - self.balls[1]), np.array(up)

        def gaps(angles):
            now = self.place(angles, rack, up)
            return np.array([np.linalg.norm(now["lower ball"] - now["upper ball"]) - length, reached(now)])

        return self.place(newton(gaps, (0.0, 0.0)), rack, up)

    def bar(self, now):
        """Angle of this half of the anti-roll bar, about y, and its middle."""
        hinge, end = self.at["bar bearing"], self.at["bar end"]
        length = np.linalg.norm(end - self.at["drop link"])
        ahead = hinge + np.array([0.0, 1.0, 0.0])
        (angle,) = newton(
            lambda a: np.array([np.linalg.norm(turned(end, hinge, ahead, a[0]) - now["drop link"]) - length]), [0.0]
        )
        return angle, (hinge + turned(end, hinge, ahead, angle)) / 2


@cache
def corner(book, name=""):
    return Linkage(book, name)


def lean_and_steer(axis):
    """Roll and yaw of a wheel, which are its camber and toe, from its axis."""
    return np.arcsin(axis[2]), np.arctan2(-axis[0], axis[1])


def compare(book, case, row, label, now):
    """Wheel, contact and spring of a row against the linkage."""
    found = columns(book, case)
    expected = dict(zip((f"wheel{label}.{axis}" for axis in "xyz"), now["wheel"], strict=True))
    expected |= dict(zip((f"contact{label}.{axis}" for axis in "xyz"), now["contact"], strict=True))
    expected |= dict(zip((f"wheel{label}.roll", f"wheel{label}.yaw"), lean_and_steer(now["axis"]), strict=True))
    expected |= {f"wheel{label}.pitch": 0.0} | {f"spring{label}.length": now["spring"]}
    off = {name: found[name][row] - value for name, value in expected.items()}
    assert max(map(abs, off.values())) < EXACT, off


# --- motion ------------------------------------------------------------------------------------------------------------


def test_corner_moves_over_its_travel_as_circles_and_spheres_say():
    heights = columns("double-wishbone", "bump")["wheel.z"]
    assert (heights.min(), heights.max()) == pytest.approx((0.178, 0.278), abs=1e-12)
    for row in range(0, len(heights), 5):
        height = 0.228 + 0.05 * np.sin(np.pi * 0.02 * row)
        now = corner("double-wishbone").closed(lambda now: now["wheel"][2] - height)  # noqa: B023
        compare("double-wishbone", "bump", row, "", now)


def test_corner_steers_on_the_road_as_circles_and_spheres_say():
    for row in range(0, 101, 5):
        rack = 0.03 * np.sin(np.pi * 0.02 * row)
        compare(
            "double-wishbone", "steer", row, "", corner("double-wishbone").closed(lambda now: now["contact"][2], rack)
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_wheel_of_the_car_moves_over_its_travel_as_circles_and_spheres_say(name):
    for row in range(0, 101, 10):
        height = 0.228 + 0.03 * np.sin(np.pi * 0.02 * row)
        compare("car", "bump", row, f" {name}", corner("car", name).closed(lambda now: now["wheel"][2] - height))  # noqa: B023


@pytest.mark.parametrize("name", NAMES)
def test_every_wheel_of_the_car_follows_the_body_up_and_down(name):
    for row in range(0, 101, 10):
        lift = np.array([0.0, 0.0, 0.025 * np.sin(np.pi * 0.02 * row)])
        now = corner("car", name).closed(lambda now: now["contact"][2] + lift[2])  # noqa: B023
        compare("car", "heave", row, f" {name}", now | {each: now[each] + lift for each in ("wheel", "contact")})


def about_x(angle):
    return np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])


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
        compare("car", "roll", row, f" {name}", rolled(name, np.radians(2) * np.sin(np.pi * 0.02 * row))[1])


@pytest.mark.parametrize("axle", ["front", "rear"])
def test_anti_roll_bars_twist_as_their_drop_links_demand(axle):
    left, right = (f"{axle[0].upper()}{side}" for side in "LR")
    for row in range(0, 101, 10):
        angle = np.radians(2) * np.sin(np.pi * 0.02 * row)
        ends = [corner("car", name).bar(rolled(name, angle)[0])[0] for name in (left, right)]
        assert columns("car", "roll")[f"{axle} bar.angle"][row] == pytest.approx(ends[1] - ends[0], abs=EXACT)


def test_suspension_does_what_its_designer_meant():
    found = columns("double-wishbone", "bump")
    top, bottom = found["wheel.z"].argmax(), found["wheel.z"].argmin()
    camber = np.degrees(-found["wheel.roll"])
    assert camber[0] == pytest.approx(-1.0, abs=1e-9)
    assert camber[top] < -2.5 < 0.0 < camber[bottom] < 1.0, "camber becomes negative as the wheel goes up"
    assert np.degrees(np.ptp(found["wheel.yaw"])) < 0.05, "no bump steer"
    steered = columns("car", "steer")
    left = steered["rack guide.displacement"].argmax()
    assert np.degrees(steered["wheel FL.yaw"][left]) > np.degrees(steered["wheel FR.yaw"][left]) > 20, "Ackermann"


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


def dimension(book, name):
    return sheet(book, "Dimensions")[name]["value"]


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
    result = sheetmbs.run(replace(model, drivers=tuple(still), settings=replace(model.settings, t_end=0.02)))
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
    result = sheetmbs.run(replace(model, drivers=tuple(still), settings=replace(model.settings, t_end=0.02)))
    at, mass = ({row["name"]: row[what] for row in sheet("car", "Bodies").values()} for what in ("z", "mass"))
    stiffness = {spring.name: spring.k for spring in model.springs}

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
    if case == "cornering":
        force[:, :2] = [[-found[f"gripping tyre {name}.f{axis}"][0] for axis in "xy"] for name in NAMES]
    return force, np.array([vectors("car", case, f"contact {name}")[0] for name in NAMES])


@pytest.mark.parametrize(("case", "sideways"), [("equilibrium", 0.0), ("cornering", -1.0)])
def test_forces_of_the_road_balance_the_car(case, sideways):
    force, place = loads(case)
    found = columns("car", case)
    moment = np.cross(place, force).sum(axis=0)
    for name in NAMES:  # what keeps the wheels from spinning
        moment += vectors("car", case, f"no spin {name}.j", ("mx", "my", "mz"))[0]
    for body in run("car", case).model.bodies:
        if not body.name.startswith("plate"):
            moment += np.cross(vectors("car", case, body.name)[0], body.mass * G * np.array([0.0, sideways, -1.0]))
    if case == "equilibrium":
        moment[:2] -= 0.0  # no load at the joints that hold x, y and yaw, see below
        held = [found[f"{name}.i.{part}"][0] for name, part in (("hold x", "fx"), ("hold y", "fy"))]
        assert np.abs(held).max() < 1e-7
    assert force.sum(axis=0) == pytest.approx(np.array([0.0, -sideways, 1.0]) * weight(case), abs=1e-6)
    assert np.abs(moment).max() < 1e-5


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
        assert np.abs(found[f"spring {axle}L.force"] - found[f"spring {axle}R.force"]).max() < 1e-6


def test_roll_to_the_left_is_the_mirror_image_of_roll_to_the_right():
    found = columns("car", "roll")
    for axle in "FR":
        for ending in ("roll", "yaw"):
            left, right = (found[f"wheel {axle}{side}.{ending}"] for side in "LR")
            assert np.abs(left + right[::-1]).max() < EXACT


# --- on the road -------------------------------------------------------------------------------------------------------


def test_energy_on_the_bump_goes_where_drivers_and_dampers_say():
    model = sheetmbs.read(FOLDER / "double-wishbone.xlsx", case="road")
    result = sheetmbs.run(replace(model, settings=replace(model.settings, t_end=1.0, t_step=0.001)))
    found, dampers = in_si(result), {"front damper": "spring.rate", "tyre damping": "tyre rate"}
    t, found["tyre rate"] = found["time"], found["contact.vz"] - found["plate.vz"]
    lost = sum(dimension("double-wishbone", name) * 1e3 * found[rate] ** 2 for name, rate in dampers.items())
    power = found["road.power"] - lost + dimension("double-wishbone", "weight") * found["tyre rate"]
    gained = CubicSpline(t, power).antiderivative()(t)
    energy = found["total_energy"]
    assert np.abs(energy - energy[0] - gained).max() < 1e-5 * np.ptp(energy)


def test_corner_comes_to_rest_behind_the_bump_where_its_equilibrium_is():
    road, rest = columns("double-wishbone", "road"), columns("double-wishbone", "static")
    assert road["plate.z"].max() == pytest.approx(0.040, abs=1e-5)
    for name in ("chassis.z", "wheel.z", "wheel.roll", "spring.length"):
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
