"""Solid axles, T bars, third springs, torsion bars and curves, against poses solved by themselves and closed forms."""

import re

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner

from sheetmbs import WorkbookError
from sheetmbs.command.cli import app
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.support.sample_results import loaded_sheet

RADIUS = 300.0
LINKS = {  # mm; link 1 on both sides, link 2 on both sides and splayed
    "link 1 inner": (500, 450, 250),
    "link 1 outer": (0, 470, 230),
    "link 2 inner": (420, 250, 420),
    "link 2 outer": (10, 520, 430),
    "wheel centre": (0, 700, 300),
}
THREE = {key: LINKS[key] for key in ("link 1 inner", "link 1 outer", "wheel centre")}
TOP_LINK = [("rear", "link 2 inner", 450, 30, 460, "centre"), ("rear", "link 2 outer", 0, 30, 480, "centre")]
PANHARD = [("rear", "panhard inner", -90, 400, 380, "centre"), ("rear", "panhard outer", -80, -420, 350, "centre")]
WATT = [
    ("rear", "watt pivot", -80, 0, 330, "centre"),
    ("rear", "watt left inner", -80, 410, 392, "centre"),
    ("rear", "watt left outer", -80, 5, 390, "centre"),
    ("rear", "watt right inner", -80, -405, 268, "centre"),
    ("rear", "watt right outer", -80, -5, 270, "centre"),
]
AXLE = [("type", "solid axle"), ("tyre radius", f"{RADIUS} mm")]
BOTH = [("name", "type", "travel_from", "travel_to", "travel_step", "roll_from", "roll_to", "roll_step", "side")]
SWEEPS = [
    *BOTH,
    ("heave", "heave", "-60 mm", "60 mm", "30 mm"),
    ("one", "single wheel", "-60 mm", "60 mm", "30 mm", None, None, None, "left"),
]


def mirrored(point):
    return np.array(point, dtype=float) * (1, -1, 1)


def link_pairs(points, rows=()):
    """(inner, outer) of every rod of an axle, mm."""
    pairs = []
    for name in {key.rsplit(" ", 1)[0] for key in points if key.startswith("link")}:
        inner, outer = (np.array(points[f"{name} {end}"], dtype=float) for end in ("inner", "outer"))
        pairs += [(inner, outer), (mirrored(inner), mirrored(outer))]
    central = {row[1]: np.array(row[2:5], dtype=float) for row in rows}
    for name in {key.rsplit(" ", 1)[0] for key in central if key.startswith(("link", "panhard"))}:
        pairs.append((central[f"{name} inner"], central[f"{name} outer"]))
    return pairs, central


def solved_axle(points, rows, left, right):
    """Position and rotation of an axle whose wheel centres are this much higher, mm: its own equations, by least squares."""
    pairs, central = link_pairs(points, rows)
    centre = np.array(points["wheel centre"], dtype=float)
    watt = "watt pivot" in central

    def residual(x):
        turn = Rotation.from_rotvec(x[3:6]).as_matrix()

        def moved(p):
            return x[:3] + turn @ p

        found = [moved(centre)[2] - centre[2] - left, moved(mirrored(centre))[2] - centre[2] - right]
        found += [np.linalg.norm(moved(outer) - inner) - np.linalg.norm(outer - inner) for inner, outer in pairs]
        if watt:
            pivot = central["watt pivot"]
            crank = turn @ Rotation.from_rotvec([x[6], 0, 0]).as_matrix()
            for side in ("left", "right"):
                inner, outer = central[f"watt {side} inner"], central[f"watt {side} outer"]
                end = moved(pivot) + crank @ (outer - pivot)
                found.append(np.linalg.norm(end - inner) - np.linalg.norm(outer - inner))
        return found

    found = least_squares(residual, np.zeros(7 if watt else 6), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.max(np.abs(found.fun)) < 1e-9
    return found.x[:3], Rotation.from_rotvec(found.x[3:6]).as_matrix()


@pytest.mark.parametrize(
    ("points", "rows"),
    [(LINKS, ()), (THREE, (*TOP_LINK, *PANHARD)), (THREE, (*TOP_LINK, *WATT))],
    ids=["4", "3P", "3W"],
)
def test_a_solid_axle_is_where_its_rods_hold_it(tmp_path, points, rows):
    book = hardpoint_book(tmp_path / "b.xlsx", points, AXLE, axle="rear", rows=rows, others={"Sweeps": SWEEPS})
    found = run_suspension(book)
    assert found.sheets.problems == ()
    centre = np.array(points["wheel centre"], dtype=float)
    for name, right in (("heave", 1.0), ("one", 0.0)):
        frame = found.table(name).frame()
        for row, travel in enumerate(np.linspace(-60, 60, 5)):
            position, turn = solved_axle(points, rows, travel, right * travel)
            for corner, s in (("RL", 1.0), ("RR", -1.0)):
                own = centre * (1, s, 1)
                moved = (position + turn @ own - own) * (1, s, 1)
                values = [frame.iloc[row][f"{corner}.wheel_{axis}"] for axis in "xyz"]
                assert values == pytest.approx(moved, abs=1e-9)
                spin = turn @ np.array([0, s, 0])
                assert frame.iloc[row][f"{corner}.camber"] == pytest.approx(-np.degrees(np.arcsin(spin[2])), abs=1e-9)


def test_derivatives_of_a_solid_axle_are_those_of_heave(tmp_path):
    fine = [
        BOTH[0],
        *((f"h{k}", "heave", f"{20 + k * 0.1} mm", f"{20 + k * 0.1} mm", "1 mm") for k in (-2, -1, 0, 1, 2)),
    ]
    fine = [BOTH[0], ("h", "heave", "19.8 mm", "20.2 mm", "0.1 mm")]
    rows = [*TOP_LINK, *PANHARD]
    frame = (
        run_suspension(
            hardpoint_book(tmp_path / "b.xlsx", THREE, AXLE, axle="rear", rows=rows, others={"Sweeps": fine})
        )
        .table("h")
        .frame()
    )
    for angle in ("RL.camber", "RL.toe"):
        values = frame[f"{angle}"].to_numpy()
        near, far = (values[3] - values[1]) / 0.2, (values[4] - values[0]) / 0.4
        assert frame[f"{angle}_gradient"][2] == pytest.approx((4 * near - far) / 3, rel=1e-6, abs=1e-10)


NEAR = [BOTH[0], ("one", "single wheel", "-20 mm", "20 mm", "10 mm", None, None, None, "left")]
SPRUNG = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("unsprung mass", 9)]
ROWS = [("name", "axle", "kind", "k", "curve_k", "point_i", "preload", "free_length", "k_swing", "gap", "tension")]
SPRING = ("spring", "front", "spring", "35 N/mm")
T_POINTS = {"bar link suspension": (0, 200, 360), "bar link bar": (-60, 90, 290)}
T_BASE = [("front", "T-bar base", -60, 0, 150, "centre")]


def car(path, springs, points=None, rows=(), sweeps=None, curves=None):
    others = {"Suspension springs": [*ROWS, *springs]} | ({"Sweeps": sweeps} if sweeps else {})
    others |= {"Curves": curves} if curves else {}
    return run_suspension(
        hardpoint_book(path, {**WISHBONES, **ROCKER, **(points or {})}, SPRUNG, rows=rows, others=others)
    )


def test_the_head_and_base_of_a_t_bar_turn_as_the_drop_links_ask(tmp_path):
    """The two angles are solved by themselves from where the rockers hold the links."""
    springs = [SPRING, ("T", "front", "T bar", 60.0, None, None, None, None, 400.0)]
    found = car(tmp_path / "b.xlsx", springs, T_POINTS, T_BASE, NEAR)
    swept = found.base.swept["one"]["front"]
    base = np.array(T_BASE[0][2:5]) / 1e3
    tops = {side: swept.wheels[side].hardpoint("bar link suspension").value for side in ("left", "right")}
    ends = {"left": np.array(T_POINTS["bar link bar"]) / 1e3, "right": mirrored(T_POINTS["bar link bar"]) / 1e3}
    stem = 0.5 * (ends["left"] + ends["right"]) - base
    stem /= np.linalg.norm(stem)
    lengths = {side: np.linalg.norm(tops[side][2] - ends[side]) for side in ends}
    frame = found.table("one").frame()
    for row in range(5):

        def residual(x, row=row):
            turn = Rotation.from_rotvec([0, x[0], 0]) * Rotation.from_rotvec(stem * x[1])
            return [
                np.linalg.norm(base + turn.apply(ends[side] - base) - tops[side][row]) - lengths[side] for side in ends
            ]

        swing, twist = least_squares(residual, [0, 0], xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        assert abs(frame["front.bar_twist"][row]) == pytest.approx(abs(np.degrees(twist)), abs=1e-9)
        assert frame["front.T_torque"][row] == pytest.approx(np.copysign(60.0 * twist, frame.iloc[row, 0]), abs=1e-9)
        assert abs(frame["front.T swing_torque"][row]) == pytest.approx(abs(400.0 * swing), abs=1e-9)


def test_a_t_bar_acts_in_roll_and_its_swing_in_heave(tmp_path):
    plain = car(tmp_path / "p.xlsx", [SPRING], T_POINTS, T_BASE).table("heave").frame()
    stiff = {"twist": (60.0, None), "both": (60.0, 400.0)}
    found = {
        name: car(tmp_path / f"{name}.xlsx", [SPRING, ("T", "front", "T bar", k, *[None] * 4, swing)], T_POINTS, T_BASE)
        .table("heave")
        .frame()
        for name, (k, swing) in stiff.items()
    }
    rate, roll = "FL.wheel_rate", "front.roll_stiffness"
    at = len(plain) // 2
    assert found["twist"][rate].to_numpy() == pytest.approx(plain[rate].to_numpy(), rel=1e-9)
    assert found["twist"][roll][at] > plain[roll][at] * 1.01
    assert found["both"][rate][at] > plain[rate][at] * 1.01
    assert found["both"][roll][at] == pytest.approx(found["twist"][roll][at], rel=1e-9)


def test_a_third_spring_acts_in_heave_alone(tmp_path):
    plain = car(tmp_path / "p.xlsx", [SPRING]).table("heave").frame()
    third = ("third", "front", "third spring", "20 N/mm", None, "damper rocker", *[None] * 4, "yes")
    found = car(tmp_path / "t.xlsx", [SPRING, third])
    frame, at = found.table("heave").frame(), 10
    wheels = found.base.swept["heave"]["front"].wheels
    apart = (
        wheels["left"].hardpoint("damper rocker").value[:, 1] - wheels["right"].hardpoint("damper rocker").value[:, 1]
    )
    shorter = (apart[at] - apart) * 1e3
    assert frame["front.third_force"].to_numpy() == pytest.approx(20.0 * shorter, abs=1e-9)
    assert frame["FL.wheel_rate"][at] > plain["FL.wheel_rate"][at]
    roll = "front.roll_stiffness"
    assert frame[roll][at] == pytest.approx(plain[roll][at], rel=1e-9)
    load = frame["FL.spring_force"] * frame["FL.motion_ratio"]
    ratio = found.base.swept["heave"]["front"].wheels["left"].hardpoint("damper rocker").y.first[:, 0]
    carried = load + frame["front.third_force"].to_numpy() * -ratio
    rate = frame["FL.wheel_rate"].to_numpy()
    for row in range(2, 19):
        near, far = (carried[row + 1] - carried[row - 1]) / 5, (carried[row + 2] - carried[row - 2]) / 10
        assert (4 * near - far) / 3 == pytest.approx(rate[row], rel=1e-4)


def test_a_torsion_bar_of_a_trailing_arm_carries_as_a_lever_does(tmp_path):
    """A level arm of length r about the lateral axis: z = r sin(a), moment M = F r cos(a)."""
    points = {"arm inner": (300, 300, 300), "arm outer": (300, 600, 300), "wheel centre": (0, 650, 300)}
    settings = [("type", "trailing arm"), ("tyre radius", "300 mm"), ("corner load", 1000)]
    rows = [ROWS[0], ("bar", "rear", "torsion bar", 3000.0)]
    found = run_suspension(
        hardpoint_book(
            tmp_path / "b.xlsx", points, settings, axle="rear", others={"Suspension springs": rows, "Sweeps": SWEEPS}
        )
    )
    frame = found.table("heave").frame()
    z, r, k, load = frame.iloc[:, 0].to_numpy() / 1e3, 0.3, 3000.0, 1000.0
    angle = np.arcsin(z / r)
    moment = load * r + k * angle
    assert -frame["RL.bar_torque"].to_numpy() == pytest.approx(moment, rel=1e-12)
    slope = 1.0 / (r * np.cos(angle))
    bend = np.sin(angle) / (r**2 * np.cos(angle) ** 3)
    rate = (k * slope**2 + moment * bend) / 1e3
    assert frame["RL.wheel_rate"].to_numpy() == pytest.approx(rate, rel=1e-12)


def test_a_straight_curve_is_a_stiffness_and_a_bent_one_has_its_slope(tmp_path):
    straight = [("soft.x", "soft.y"), ("mm", "N"), (-100, -3500), (0, 0), (100, 3500)]
    bent = [("soft.x", "soft.y"), ("mm", "N"), *((x, 30 * x + 0.2 * x**2) for x in range(0, 121, 5))]
    bent[2:2] = [(-5, -150)]
    number = car(tmp_path / "k.xlsx", [SPRING]).table("heave").frame()
    curve = ("spring", "front", "spring", None, "soft")
    same = car(tmp_path / "c.xlsx", [curve], curves=straight).table("heave").frame()
    for name in ("FL.spring_force", "FL.wheel_rate", "front.roll_stiffness"):
        assert same[name].to_numpy() == pytest.approx(number[name].to_numpy(), rel=1e-12)
    frame = car(tmp_path / "b.xlsx", [curve], curves=bent).table("heave").frame()
    at = len(frame) // 2
    force = frame["FL.spring_force"].to_numpy()
    assert force[at] == pytest.approx(number["FL.spring_force"][at], rel=1e-12), "it carries the same at design"
    start = np.interp(force[at], [row[1] for row in bent[2:]], [row[0] for row in bent[2:]])
    travel = frame["FL.spring_travel"].to_numpy()
    assert force == pytest.approx(
        np.interp(start + travel, [r[0] for r in bent[2:]], [r[1] for r in bent[2:]]), rel=1e-9
    )


def test_a_stop_follows_its_curve_from_where_it_engages(tmp_path):
    curve = [("rubber.x", "rubber.y"), ("mm", "N"), (0, 0), (5, 100), (10, 600)]
    stop = ("stop", "front", "bump stop", None, "rubber", None, None, None, None, "4 mm")
    sweeps = [BOTH[0], ("heave", "heave", "-20 mm", "26 mm", "2 mm")]
    frame = car(tmp_path / "b.xlsx", [SPRING, stop], sweeps=sweeps, curves=curve).table("heave").frame()
    beyond = np.maximum(frame["FL.spring_travel"].to_numpy() - 4.0, 0.0)
    expected = np.where(beyond > 10, 600 + 100 * (beyond - 10), np.interp(beyond, [0, 5, 10], [0, 100, 600]))
    assert beyond.max() > 10.5, "it goes beyond the end of its curve"
    assert frame["FL.stop_force"].to_numpy() == pytest.approx(expected, abs=1e-9)


def test_the_gas_force_of_a_damper_relieves_the_spring(tmp_path):
    damper = ("damper", "front", "damper", None, None, None, 150)
    plain, found = (
        car(tmp_path / f"{len(rows)}.xlsx", rows).table("heave").frame() for rows in ([SPRING], [SPRING, damper])
    )
    at = len(plain) // 2
    assert plain["FL.spring_force"][at] - found["FL.spring_force"][at] == pytest.approx(150.0, rel=1e-12)
    assert found["FL.damper_force"].to_numpy() == pytest.approx(150.0)


def test_travel_with_roll_raises_the_road_before_it_turns(tmp_path):
    head = ("name", "type", "travel_from", "travel_to", "travel_step", "roll")
    found = car(tmp_path / "b.xlsx", [], sweeps=[head, ("c", "combined", "0 mm", "10 mm", "5 mm", "1 deg")])
    angle, raised = np.radians(1.0), np.array([0, 5, 10]) / 1e3
    for wheel in found.base.swept["c"]["front"].wheels.values():
        place = wheel.contact.value
        height = place[:, 2] * np.cos(angle) + place[:, 1] * np.sin(angle)
        assert height == pytest.approx((wheel.design_contact[2] + raised) * np.cos(angle), abs=1e-12)


def test_a_link_with_stiffness_is_a_spring(tmp_path):
    """Two links too many hold an axle in roll; one of them given a stiffness, it rolls, and strains it both ways."""
    extra = [
        *TOP_LINK,
        ("rear", "link 3 inner", 500, -100, 300, "centre"),
        ("rear", "link 3 outer", 0, -150, 320, "centre"),
    ]
    rows = [*extra, *PANHARD]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(
            hardpoint_book(tmp_path / "b.xlsx", THREE, AXLE, axle="rear", rows=rows, others={"Sweeps": SWEEPS})
        )
    problem = caught.value.problems[0]
    assert "5 links leave 1 degree of freedom" in f"{problem.found} {problem.problem}"
    assert "elastic" in problem.mend
    springs = [ROWS[0], ("link 3", "rear", "spring", "2000 N/mm")]
    others = {"Sweeps": SWEEPS, "Suspension springs": springs}
    frame = (
        run_suspension(hardpoint_book(tmp_path / "e.xlsx", THREE, AXLE, axle="rear", rows=rows, others=others))
        .table("one")
        .frame()
    )
    position, turn = solved_axle(THREE, [*TOP_LINK, *PANHARD], 60.0, 0.0)
    inner, outer = (np.array(row[2:5], dtype=float) for row in extra[2:])
    longer = np.linalg.norm(position + turn @ outer - inner) - np.linalg.norm(outer - inner)
    assert frame["RL.link 3_force"].to_numpy()[-1] == pytest.approx(-2000.0 * longer, rel=1e-9)


def vertical_load(frame, corner, unsprung=9.0):
    """Contact load of a corner by virtual work of its spring and unsprung weight, N, on a level road."""
    contact = frame[f"{corner}.motion_ratio"] / frame[f"{corner}.motion_ratio_contact"]
    return (frame[f"{corner}.spring_force"] * frame[f"{corner}.motion_ratio"] + unsprung * 9.81) / contact


def test_steering_at_equilibrium_keeps_the_wheel_loads(tmp_path):
    head = ("name", "type", "rack_from", "rack_to", "rack_step", "at")
    rows = [head, ("s", "steer", "-20 mm", "20 mm", "5 mm", "equilibrium"), ("t", "steer", "-20 mm", "20 mm", "5 mm")]
    found = car(tmp_path / "b.xlsx", [SPRING], sweeps=rows)
    frame = found.table("s").frame()
    for corner in ("FL", "FR"):
        assert vertical_load(frame, corner).to_numpy() == pytest.approx(645.0, rel=1e-10)
    held = vertical_load(found.table("t").frame(), "FL")
    assert abs(held.iloc[0] - 645.0) > 0.5, "a held travel does not keep them"


def test_roll_about_load_keeps_the_load_of_the_axle(tmp_path):
    head = ("name", "type", "roll_from", "roll_to", "roll_step", "roll_about")
    rows = [
        head,
        ("r", "roll", "-2 deg", "2 deg", "0.5 deg", "load"),
        ("g", "roll", "-2 deg", "2 deg", "0.5 deg", "ground"),
    ]
    found = car(tmp_path / "b.xlsx", [SPRING], sweeps=rows)
    frames = {name: found.table(name).frame() for name in ("r", "g")}
    # along the road's normal: the contact's velocity there, from jets by travel of the wheel
    total = {}
    for name, frame in frames.items():
        swept = found.base.swept[name]["front"]
        total[name] = 0.0
        for corner, side in (("FL", "left"), ("FR", "right")):
            wheel = swept.wheels[side]
            n = wheel.normal.value
            up, centre = (np.sum(v * n, axis=1) for v in (wheel.contact_velocity, wheel.twist[0][:, 0]))
            spring = frame[f"{corner}.spring_force"] * frame[f"{corner}.motion_ratio"]
            total[name] = total[name] + (spring + 9.0 * 9.81 * centre) / up
    assert total["r"].to_numpy() == pytest.approx(1290.0, rel=1e-10)
    assert abs(total["g"].iloc[0] - 1290.0) > 0.1


def test_loads_cannot_be_held_without_springs(tmp_path):
    head = ("name", "type", "rack_from", "rack_to", "rack_step", "at")
    with pytest.raises(WorkbookError) as caught:
        car(tmp_path / "b.xlsx", [], sweeps=[head, ("s", "steer", "-20 mm", "20 mm", "5 mm", "equilibrium")])
    assert caught.value.problems[0].cell == "Sweeps!A2"


def test_no_zero_of_a_solid_axle_is_shown_with_a_minus_sign(tmp_path):
    """Its wheels never lean: camber and its gains are rounding errors of either sign."""
    path = hardpoint_book(tmp_path / "b.xlsx", THREE, AXLE, axle="rear", rows=[*PANHARD, *TOP_LINK])
    run = CliRunner().invoke(app, ["run", str(path)])
    assert run.exit_code == 0, run.output
    assert "0.00" in run.output
    assert not re.search(r"-0\.0*(?![0-9])", run.output)
    numbers = 0
    for row in loaded_sheet(path, "mbs Suspension").iter_rows():
        for cell in row:
            places = re.search(r"0\.(0+)$", cell.number_format)
            if isinstance(cell.value, int | float) and places:
                numbers += 1
                assert not f"{cell.value:.{len(places[1])}f}".startswith("-0." + "0" * len(places[1])), cell.coordinate
    assert numbers > 10


@pytest.mark.parametrize(("type_name", "body"), [("semi-trailing arm", "arm"), ("solid axle", "axle")])
def test_the_body_that_carries_the_damper_may_be_named_where_there_is_but_one(tmp_path, type_name, body):
    points = LINKS if type_name == "solid axle" else {"arm inner": (280, 150, 260), "arm outer": (390, 520, 215)}
    points = {
        **points,
        "wheel centre": (0, 700, 300),
        "damper outer": (-40, 500, 250),
        "damper chassis": (-60, 450, 600),
    }
    settings = [("type", type_name), ("tyre radius", f"{RADIUS} mm")]
    tables = [
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", points, given, axle="rear", others={"Sweeps": SWEEPS}))
        for given in (settings, [*settings, ("damper on", body)])
    ]
    blank, named = (found.table("heave").frame()["RL.motion_ratio"] for found in tables)
    assert named.to_numpy() == pytest.approx(blank.to_numpy(), abs=1e-12)
