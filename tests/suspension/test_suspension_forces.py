"""Forces in the suspension workbooks against the equilibrium of upright and arms, solved for the linkage as it stands."""

from functools import cache

import numpy as np
import openpyxl
import pytest

import sheetmbs
from tests.suspension.suspensions import (
    AT_REST,
    FOLDER,
    MILLIMETRE,
    NAMES,
    WITH_FORCES,
    G,
    columns,
    corner,
    dimension,
    in_si,
    run,
    sheet,
    typed_masses,
)

PULL = {"cornering": (0.0, -1.0, -1.0), "braking": (1.0, 0.0, -1.0)}
"""what weighs on the car, in g"""
PLUMB = np.array([0.0, 0.0, -1.0])
UP = -PLUMB
WITHIN = 1e-6
"""N and N m"""


def named(book):
    return NAMES if book == "car" else ("",)


def triple(found, what, parts="xyz"):
    return np.array([found[f"{what}{part}"][0] for part in parts])


def turn(yaw, pitch, roll):
    """Axes of a body as columns: about z, then y', then x''."""
    (a, b, c), (d, e, f) = np.cos([yaw, pitch, roll]), np.sin([yaw, pitch, roll])
    about_z = np.array([[a, -d, 0], [d, a, 0], [0, 0, 1]])
    about_y = np.array([[b, 0, e], [0, 1, 0], [-e, 0, b]])
    about_x = np.array([[1, 0, 0], [0, c, -f], [0, f, c]])
    return about_z @ about_y @ about_x


class Standing:
    """A corner of a car at rest, from where results say that chassis and wheel stand; all else by the linkage, in its axes."""

    def __init__(self, book, name, found, pull):
        self.linkage = corner(book, name)
        label = self.linkage.label
        home = np.array([sheet(book, "Bodies")["chassis"][axis] for axis in "xyz"], dtype=float) * MILLIMETRE
        self.axes = turn(*(found[f"chassis.{angle}"][0] for angle in ("yaw", "pitch", "roll")))
        self.middle = triple(found, "chassis.") - self.axes @ home
        self.up = self.axes.T @ UP
        self.pull = self.axes.T @ np.array(pull) * G
        height = (self.axes.T @ (triple(found, f"wheel{label}.") - self.middle))[2]
        self.now = self.linkage.closed(lambda now: now["wheel"][2] - height, up=self.up)
        axis = self.axes @ self.now["axis"]
        ahead = np.cross(axis, UP) * self.linkage.outboard
        self.ahead = ahead / np.linalg.norm(ahead)
        self.left = np.cross(UP, self.ahead)

    def outside(self, vector):
        return self.axes @ vector

    def contact_height(self):
        return (self.middle + self.axes @ self.now["contact"])[2]

    def patch(self):
        """The point of the wheel that was its lowest at the start, which the upright has taken along."""
        at, axis = self.linkage.at["wheel"], self.linkage.axis
        plumb = PLUMB - axis * (axis @ PLUMB)
        start = self.linkage.radius * plumb / np.linalg.norm(plumb)
        return self.now["lower ball"] + self.now["rotation"] @ (at + start - self.linkage.at["lower ball"])


def moment(arm, force):
    return np.cross(arm, force)


def solve(stand, loads, drop_link=0.0):
    """What each joint carries, by name and side, and the spring's force. loads: (force, place) on the wheel, chassis axes.

    Eight equations, of upright with wheel and of both arms about their hinges, for two ball joints, rod and spring.
    """
    linkage, now, pull = stand.linkage, stand.now, stand.pull
    at, link, means = linkage.at, linkage.link, now["means"]
    weight = {part: linkage.mass[part] * pull for part in means}
    rod = now[f"{link} inner"] - now[f"{link} outer"]
    rod = rod / np.linalg.norm(rod)
    spring = (at["spring top"] - now["spring low"]) / now["spring"]
    hinges = {arm: at[f"{arm} rear"] - at[f"{arm} front"] for arm in ("lower", "upper")}
    dropped = np.zeros(3)
    if drop_link:
        ends = linkage.bar(now)[1] * 2 - at["bar bearing"] - now["drop link"]
        dropped = drop_link * ends / np.linalg.norm(ends)

    matrix, right = np.zeros((8, 8)), np.zeros(8)
    for k in range(3):
        unit = np.eye(3)[k]
        for first, arm in ((0, "lower"), (3, "upper")):
            ball = now[f"{arm} ball"]
            matrix[:3, first + k], matrix[3:6, first + k] = unit, moment(ball, unit)
            matrix[6 + first // 3, first + k] = hinges[arm] @ moment(ball - at[f"{arm} front"], -unit)
    matrix[:3, 6], matrix[3:6, 6] = rod, moment(now[f"{link} outer"], rod)
    matrix[6, 7] = hinges["lower"] @ moment(now["spring low"] - at["lower front"], spring)
    half = weight[link] / 2
    carried = [
        (weight["upright"], means["upright"]),
        (weight["wheel"], now["wheel"]),
        (half, now[f"{link} outer"]),
        *loads,
    ]
    for force, place in carried:
        right[:3] -= force
        right[3:6] -= moment(place, force)
    about_lower = moment(means["lower arm"] - at["lower front"], weight["lower arm"])
    if drop_link:
        about_lower = about_lower + moment(now["drop link"] - at["lower front"], dropped)
    right[6] = -hinges["lower"] @ about_lower
    right[7] = -hinges["upper"] @ moment(means["upper arm"] - at["upper front"], weight["upper arm"])
    found = np.linalg.solve(matrix, right)
    lower, upper, axial, pulled = found[:3], found[3:6], found[6], found[7] * spring
    on_upright = axial * rod + half
    road = sum(force for force, _ in loads)
    turning = sum(moment(place - now["wheel"], force) for force, place in loads)
    at_lower = moment(now["lower ball"] - at["lower front"], -lower) + about_lower
    at_lower = at_lower + moment(now["spring low"] - at["lower front"], pulled)
    at_upper = moment(now["upper ball"] - at["upper front"], -upper) - moment(
        means["upper arm"] - at["upper front"], -weight["upper arm"]
    )
    return found[7], {
        "lower ball joint.j.f": lower,
        "upper ball joint.j.f": upper,
        f"{link} out.j.f": on_upright,
        f"{link} in.j.f": on_upright - weight[link],
        f"{link} in.j.m": np.zeros(3),
        "lower hinge.j.f": lower - weight["lower arm"] - pulled - dropped,
        "upper hinge.j.f": upper - weight["upper arm"],
        "lower hinge.j.m": -at_lower,
        "upper hinge.j.m": -at_upper,
        "wheel bearing.j.f": -road - weight["wheel"],
        "wheel bearing.j.m": -turning,
    }


def drop_link(book, stand, stands):
    """Tension of an anti-roll bar's drop link, from the twist of the bar and the weight of this half."""
    linkage, now, axle = stand.linkage, stand.now, stand.linkage.axle
    ends = {name: each.linkage.bar(each.now) for name, each in stands.items() if each.linkage.axle == axle}
    angle = {name[1]: ends[name][0] for name in ends}
    stiffness = next(
        spring.values["k"] for spring in run(book, "equilibrium").model.springs if spring.name == f"{axle} bar"
    )
    torque = stiffness * (angle["R"] - angle["L"]) * linkage.outboard
    hinge, middle = linkage.at["bar bearing"], linkage.bar(now)[1]
    end = 2 * middle - hinge
    towards = (now["drop link"] - end) / np.linalg.norm(now["drop link"] - end)
    torque += moment(middle - hinge, linkage.mass["bar"] * stand.pull)[1]
    return -torque / moment(end - hinge, towards)[1]


def road_loads(book, case, stand):
    """Force of the road on a wheel, in axes of the chassis, and where."""
    if book == "double-wishbone" and case != "static":
        size = {side: sheet(book, "Dimensions").get(f"{case}, {side}", {"value": 0.0})["value"] for side in SIDES}
    else:
        start = dimension(book, f"{stand.linkage.axle} wheel load" if book == "car" else "weight")
        carried = start - dimension(book, "tyre stiffness") * 1e3 * stand.contact_height()
        size = {"along": 0.0, "across": 0.0, "up": carried}
        size |= {"cornering": {"across": carried}, "braking": {"along": -carried}}.get(case, {})
    force = size["along"] * stand.ahead + size["across"] * stand.left + size["up"] * UP
    return [(stand.axes.T @ force, stand.now["contact"])]


SIDES = ("along", "across", "up")


@cache
def stands(book, case):
    pull = PULL.get(case, PLUMB) if book == "car" else PLUMB
    return {name: Standing(book, name, columns(book, case), pull) for name in named(book)}


@pytest.mark.parametrize(("book", "case"), AT_REST)
def test_every_joint_carries_what_upright_and_arms_at_rest_demand(book, case):
    found = columns(book, case)
    for stand in stands(book, case).values():
        label = stand.linkage.label
        dropped = drop_link(book, stand, stands(book, case)) if book == "car" else 0.0
        spring, expected = solve(stand, road_loads(book, case, stand), dropped)
        law = dimension(book, f"{stand.linkage.axle} spring") * 1e3 * stand.now["spring"]
        law -= dimension(book, f"{stand.linkage.axle} spring") * dimension(book, f"{stand.linkage.axle} spring length")
        # loads of the car stand in expressions to 1e-6 N
        close = 2e-6 if book == "car" and case != "equilibrium" else WITHIN
        assert found[f"spring{label}.force"][0] == pytest.approx(law, abs=WITHIN)
        assert spring == pytest.approx(law, abs=close), "the place of rest is one"
        for what, force in expected.items():
            joint, ending = what.split(".", 1)
            shown = triple(found, f"{joint}{label}.{ending}")
            assert np.abs(shown - stand.outside(force)).max() < close, what


@pytest.mark.parametrize(("book", "case"), WITH_FORCES)
def test_nothing_that_the_road_does_to_a_wheel_passes_its_upright_by(book, case):
    found = columns(book, case)
    for name in named(book):
        label = f" {name}" if name else ""
        for what in (f"toe{label}", f"camber{label}"):
            turning = [np.abs(found[f"{what}.j.m{axis}"]).max() for axis in "xyz"]
            assert max(turning) < 1e-4 * np.abs(found[f"wheel bearing{label}.j.fz"]).max(), what
        if case != "road":
            assert (
                max(np.abs(found[f"toe{label}.j.{part}"]).max() for part in ("fx", "fy", "fz", "mx", "my", "mz")) < 1e-6
            )


def test_load_that_a_user_types_on_the_wheel_reaches_the_upright_with_its_brake_torque(tmp_path):
    book = openpyxl.load_workbook(FOLDER / "double-wishbone.xlsx", data_only=True)
    rows = book["Forces"]
    headers = {cell.value: cell.column for cell in rows[1]}
    row = rows.max_row + 1
    load = {"fx": -1400.0, "fy": -300.0, "fz": 250.0}
    for header, value in {"name": "own", "body": "wheel", "point": "patch", "active": "static", **load}.items():
        rows.cell(row, headers[header], value)
    book.save(tmp_path / "own.xlsx")
    result = sheetmbs.run(sheetmbs.read(tmp_path / "own.xlsx", case="static"))
    found = in_si(result)
    stand = Standing("double-wishbone", "", found, PLUMB)
    loads = [*road_loads("double-wishbone", "static", stand), (np.array(list(load.values())), stand.patch())]
    _, expected = solve(stand, loads)
    for what, force in expected.items():
        joint, ending = what.split(".", 1)
        assert np.abs(triple(found, f"{joint}.{ending}") - force).max() < WITHIN, what
    assert np.linalg.norm(expected["wheel bearing.j.m"]) > 300.0


def test_masses_of_the_workbook_are_those_of_the_balance():
    for book, case in (("double-wishbone", "static"), ("car", "equilibrium")):
        masses = [body.mass for body in run(book, case).model.bodies]
        assert sum(typed_masses(book).values()) == pytest.approx(sum(masses), rel=1e-12)


# --- a quasi-static travel ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "case"), [("double-wishbone", "bump"), ("double-wishbone", "steer"), ("car", "roll")])
def test_springs_know_no_speed_where_nothing_moves_in_its_own_time(book, case):
    found = columns(book, case)
    assert not any(column.startswith("damper") for column in found)
    for name in named(book):
        label, axle = f" {name}" if name else "", "rear" if name.startswith("R") else "front"
        k, free = (dimension(book, f"{axle} spring{what}") for what in ("", " length"))
        force = k * 1e3 * (found[f"spring{label}.length"] - free * MILLIMETRE)
        assert np.abs(found[f"spring{label}.rate"]).max() > 0.01 or case == "steer"
        assert np.abs(found[f"spring{label}.force"] - force).max() < WITHIN
    drawn = [column for chart in run(book, case).model.charts for column in chart.y if "spring" in column]
    assert all(column.endswith((".force", ".length")) for column in drawn)
