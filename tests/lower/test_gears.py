"""Tooth forces of gears and racks against statics, Willis' equation and the balance of forces on every body."""

import numpy as np
import pytest

import sheetmbs
from tests.support.geared_books import Z, driven, force_on, gear, hinge, left_over, moment_on, rack, solve
from tests.support.spatial_books import at, axis, body, joint, space_book
from tests.support.spatial_mechanisms import turned

TAN, COS = np.tan(np.radians(20.0)), np.cos(np.radians(10.0))
TEETH = np.array([500.0, 500.0 * TAN / COS, 500.0 * np.tan(np.radians(10.0))])
"""N: tangential, radial and axial force for 1000 N m on a radius of 2 m"""
STRAIGHT = np.eye(3)
EVERY_ANALYSIS = ("inverse dynamic", "dynamic", "equilibrium")


def pair(moment=1000.0, turn=STRAIGHT, first=("ground", "one"), second=("ground", "two"), **more):
    """Sheets of two wheels of radii 1 and 2 m, the first held, a moment on the second; turn: (3, 3) of the whole."""
    angle = "10 deg" if "helix_angle" not in more else more.pop("helix_angle")
    pole, far = turn @ Z, turn @ (3.0, 0.0, 0.0)
    opposed = (first[1] == "ground") != (second[1] == "ground")
    ratio = 0.5 if opposed else -0.5
    loads = dict(zip(("mx", "my", "mz"), map(float, moment * pole), strict=True))
    return {
        "Bodies": [body("one"), body("two", **dict(zip("xyz", map(float, far), strict=True)), **loads)],
        "Points": [at(), at(*map(float, far), name="Q")],
        "Joints": [
            hinge("axle 1", *first, "P", pole),
            hinge("axle 2", *second, "Q", pole),
            gear("mesh", "axle 1", "axle 2", ratio, helix_angle=angle, **more),
        ],
        "Drivers": [driven("axle 1")],
    }


def parts(force, turn=STRAIGHT):
    """Tangential (y), radial (x) and axial (z) part of a force."""
    x, y, z = turn.T @ force
    return np.array([y, x, z])


@pytest.mark.parametrize("analysis", EVERY_ANALYSIS)
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_bearings_carry_the_tangential_radial_and_axial_force_of_the_teeth(tmp_path, analysis, sense):
    sheets = pair(1000.0 * sense)
    found = solve(tmp_path / "a.xlsx", {"analysis": analysis}, **sheets)
    one, two = parts(force_on(found, "axle 1", "j")), parts(force_on(found, "axle 2", "j"))
    assert np.abs(np.abs(one) - TEETH).max() < 1e-7
    assert np.abs(one + two).max() < 1e-7
    assert (
        one[0] * sense > 0.0
    )  # a moment along + z pushes the teeth of wheel 2, on its left, down, and those of wheel 1 too
    assert one[1] > 0.0  # its bearing pulls wheel 1 back towards the mesh, whichever flank touches
    holds = {
        "axle 1": ("ground", "one", "one", "one"),
        "axle 2": ("ground", "two", "two", "two"),
        "mesh": ("one", "two", "one", "two"),
    }
    loaded = [sheets["Bodies"][1]]
    assert left_over(found, loaded, holds) < 1e-7
    assert found.drivers["drive axle 1.moment"].iloc[-1] == pytest.approx(500.0 * sense, abs=1e-7)


def test_the_pair_of_the_acceptance_suite_has_500_and_184_8_and_88_2_newton(tmp_path):
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **pair())
    assert np.round(np.abs(parts(force_on(found, "mesh", "i"))), 1) == pytest.approx([500.0, 184.8, 88.2])


def test_the_row_of_a_gear_reports_its_force_on_either_wheel_and_the_moment_about_its_axis(tmp_path):
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **pair())
    for side, arm in (("i", (1.0, 0.0, 0.0)), ("j", (-2.0, 0.0, 0.0))):
        force = force_on(found, "mesh", side)
        assert np.abs(moment_on(found, "mesh", side) - np.cross(arm, force)).max() < 1e-7
    assert np.abs(force_on(found, "mesh", "i") + force_on(found, "mesh", "j")).max() < 1e-9


@pytest.mark.parametrize("turn", [turned(0.7, -0.4, 1.9), turned(0.0, 3.1, 0.2)])
def test_forces_turn_with_the_whole_gear(tmp_path, turn):
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **pair(turn=turn))
    straight = solve(tmp_path / "b.xlsx", {"analysis": "inverse dynamic"}, **pair())
    for name in ("axle 1", "axle 2", "mesh"):
        assert np.abs(turn.T @ force_on(found, name, "j") - force_on(straight, name, "j")).max() < 1e-7
        assert np.abs(turn.T @ moment_on(found, name, "j") - moment_on(straight, name, "j")).max() < 1e-7


@pytest.mark.parametrize("first", [("ground", "one"), ("one", "ground")])
@pytest.mark.parametrize("second", [("ground", "two"), ("two", "ground")])
def test_forces_do_not_depend_on_which_body_is_i(tmp_path, first, second):
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **pair(first=first, second=second))
    for name, pair_of in (("axle 1", first), ("axle 2", second)):
        wheel = "j" if pair_of[1] != "ground" else "i"
        sign = 1.0 if name == "axle 1" else -1.0
        assert np.abs(parts(force_on(found, name, wheel)) - sign * TEETH * (1.0, 1.0, -1.0)).max() < 1e-7


def test_exchanged_joints_give_the_same_forces_with_the_other_hand(tmp_path):
    sheets = pair()
    sheets["Joints"] = [
        *reversed(sheets["Joints"][:2]),
        gear("mesh", "axle 2", "axle 1", -2.0, helix_angle="-10 deg"),
    ]
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **sheets)
    straight = solve(tmp_path / "b.xlsx", {"analysis": "inverse dynamic"}, **pair())
    for name in ("axle 1", "axle 2"):
        assert np.abs(force_on(found, name, "j") - force_on(straight, name, "j")).max() < 1e-7
    assert np.abs(force_on(found, "mesh", "i") - force_on(straight, "mesh", "j")).max() < 1e-7


def test_inner_teeth_push_the_pinion_away_from_the_mesh(tmp_path):
    """A pinion of 1 m in a ring of 3 m: they touch at -1 m, 300 N m on the ring are 100 N there."""
    sheets = pair(300.0, helix_angle=0)
    sheets["Bodies"][1]["x"] = sheets["Points"][1]["x"] = 2.0
    sheets["Joints"][2]["ratio"] = 1.0 / 3.0
    for analysis in EVERY_ANALYSIS:
        found = solve(tmp_path / "a.xlsx", {"analysis": analysis}, **sheets)
        assert np.abs(force_on(found, "mesh", "i") - (100.0 * TAN, -100.0, 0.0)).max() < 1e-7
        assert np.abs(moment_on(found, "mesh", "i") - (0.0, 0.0, 100.0)).max() < 1e-7


def epicyclic(planets, sun_on="carrier", ring="ground"):
    """Sun of 1 m, planets of 0.5 m, ring of 2 m that is held; 30 N m on the sun, the carrier turns evenly.

    sun_on: the body on which the sun's own joint is. ring: the ground, or a body that a driver holds.
    """
    angles = 2.0 * np.pi * np.arange(planets) / planets
    places = [(1.5 * float(np.cos(angle)), 1.5 * float(np.sin(angle)), 0.0) for angle in angles]
    bodies, joints = [body("sun", mz=30.0), body("carrier")], []
    holds = {"axle": ("ground", "carrier", "carrier", "carrier"), "sun axle": (sun_on, "sun", "sun", "sun")}
    drivers, ring_mesh = [driven("axle", velocity=2.0)], ("axle", -0.25)
    if ring != "ground":
        bodies.append(body(ring))
        joints.append(hinge("ring axle", "ground", ring, "P"))
        holds["ring axle"] = ("ground", ring, ring, ring)
        drivers.append(driven("ring axle"))
        ring_mesh = ("ring axle", 0.25)
    for k, place in enumerate(places):
        bodies.append(body(f"planet {k}", 0.1, (0.01, 0.01, 0.01), x=place[0], y=place[1]))
        joints += [
            hinge(f"pin {k}", "carrier", f"planet {k}", f"P{k}"),
            gear(f"sun mesh {k}", "sun axle", f"pin {k}", -2.0),
            gear(f"ring mesh {k}", f"pin {k}", *ring_mesh),
        ]
        own = f"planet {k}"
        holds[f"pin {k}"] = ("carrier", own, own, own)
        holds[f"sun mesh {k}"] = ("sun", own, "sun", own)
        holds[f"ring mesh {k}"] = (own, ring, own, (0.0, 0.0, 0.0))
    sheets = {
        "Bodies": bodies,
        "Points": [at(), *(at(*place, name=f"P{k}") for k, place in enumerate(places))],
        "Joints": [hinge("axle", "ground", "carrier", "P"), hinge("sun axle", sun_on, "sun", "P"), *joints],
        "Drivers": drivers,
    }
    return sheets, holds


@pytest.mark.parametrize("planets", [1, 3])
@pytest.mark.parametrize("sun_on", ["carrier", "ground"])
@pytest.mark.parametrize("ring", ["ground", "ring"])
def test_planets_turn_by_willis_and_their_pins_carry_both_meshes(tmp_path, planets, sun_on, ring):
    sheets, holds = epicyclic(planets, sun_on, ring)
    assert "no-pitch-point" not in [code for code, _, _ in warnings_of(tmp_path, sheets)]
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic", "t_end": 1}, **sheets)
    sun = found.bodies["sun.wz"]
    assert np.abs(sun - (1.0 + 2.0 / 1.0) * found.joints["axle.rate"]).max() < 1e-9
    tangential = 30.0 / planets
    for k in range(planets):
        pin = force_on(found, f"pin {k}", "j")
        spoke = np.array([found.bodies[f"planet {k}.{c}"].iloc[-1] for c in "xyz"]) / 1.5
        assert np.cross(spoke, pin)[2] == pytest.approx(-2.0 * tangential, abs=1e-7)
        assert spoke @ pin == pytest.approx(
            -0.1 * 2.0**2 * 1.5, abs=1e-7
        )  # radial forces cancel: what turns it is left
        assert np.linalg.norm(force_on(found, f"sun mesh {k}", "j")) == pytest.approx(tangential * np.hypot(1.0, TAN))
    assert found.drivers["drive axle.moment"].iloc[-1] == pytest.approx(-90.0, abs=1e-7)
    loaded = [each for each in sheets["Bodies"] if each["name"] not in ("carrier", "ring")]  # drivers act on those
    assert left_over(found, loaded, holds) < 1e-7
    if ring == "ring":
        assert found.drivers["drive ring axle.moment"].iloc[-1] == pytest.approx(60.0, abs=1e-7)


@pytest.mark.parametrize("order", [1, -1])
def test_a_planet_on_a_carrier_pushes_a_sun_on_the_ground_with_the_torque_over_its_radius(tmp_path, order):
    """Nothing drives: 40 N m on a sun of 1 m, the carrier held by its moment; 40 N at the tooth, 80 N at the pin."""
    sheets, _ = epicyclic(1, "ground")
    sheets["Bodies"][0]["mz"], sheets["Bodies"][1]["mz"] = 40.0, -120.0
    sheets["Joints"] = sheets["Joints"][::order]
    del sheets["Drivers"]
    for analysis in ("dynamic", "equilibrium"):
        found = solve(tmp_path / "a.xlsx", {"analysis": analysis}, **sheets)
        assert force_on(found, "sun mesh 0", "i")[1] == pytest.approx(-40.0, abs=1e-6)
        assert force_on(found, "sun mesh 0", "j")[1] == pytest.approx(40.0, abs=1e-6)
        assert force_on(found, "pin 0", "j")[1] == pytest.approx(-80.0, abs=1e-6)
        assert force_on(found, "sun axle", "j")[1] == pytest.approx(40.0, abs=1e-6)


def pinion_and_rack(radius=0.5, **more):
    """A pinion at the origin, its rack below (above for a negative radius) and 100 N along it."""
    return {
        "Bodies": [body("pinion"), body("rack", x=0.3, y=-radius, fx=100.0)],
        "Points": [at(), at(0.3, -radius, 0.0, name="Q")],
        "Joints": [
            hinge("axle", "ground", "pinion", "P"),
            joint("translational", "ground", "rack", "Q", "slide", **axis(1.0, 0.0, 0.0)),
            rack("mesh", "axle", "slide", radius, **more),
        ],
        "Drivers": [driven("axle")],
    }


@pytest.mark.parametrize("analysis", EVERY_ANALYSIS)
@pytest.mark.parametrize("radius", [0.5, -0.5])
def test_the_force_on_a_rack_reaches_the_bearing_of_its_pinion(tmp_path, analysis, radius):
    sheets = pinion_and_rack(radius, helix_angle="15 deg")
    found = solve(tmp_path / "a.xlsx", {"analysis": analysis}, **sheets)
    cosine, tangent = np.cos(np.radians(15.0)), np.tan(np.radians(15.0))
    wanted = np.array([100.0, 100.0 * TAN / cosine * np.sign(radius), 100.0 * tangent * -np.sign(radius)])
    assert np.abs(force_on(found, "axle", "i") - wanted).max() < 1e-7
    assert np.abs(force_on(found, "slide", "j") - wanted * (0.0, 1.0, 1.0)).max() < 1e-7
    holds = {
        "axle": ("ground", "pinion", "pinion", "pinion"),
        "slide": ("ground", "rack", "rack", "rack"),
        "mesh": ("pinion", "rack", "pinion", "rack"),
    }
    assert left_over(found, sheets["Bodies"][1:], holds) < 1e-7
    assert found.drivers["drive axle.moment"].iloc[-1] == pytest.approx(-100.0 * radius, abs=1e-7)


@pytest.mark.parametrize("fits", [{}, {"first": ("pinion", "ground")}, {"second": ("rack", "ground")}])
def test_a_rack_pushes_the_same_whichever_body_is_i(tmp_path, fits):
    sheets = pinion_and_rack(-0.5 if fits else 0.5)
    if fits:
        sheets["Points"][1]["y"] = sheets["Bodies"][1]["y"] = -0.5
        number = 0 if "first" in fits else 1
        (bodies,) = fits.values()
        sheets["Joints"][number] |= {"body_i": bodies[0], "body_j": bodies[1]}
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **sheets)
    assert np.abs(force_on(found, "mesh", "i") - (100.0, 100.0 * TAN, 0.0)).max() < 1e-7


def soft_pair(stiffness, damping=0.0, friction=None, *, drivers=True, moment=1000.0):
    """The pair with either wheel in a housing of its own that stands on a bushing; one moment drives, the other brakes."""
    sheets = pair(first=("house 1", "one"), second=("house 2", "two"))
    rubbing = {} if friction is None else {"friction": friction, "friction_radius": 0.05}
    for each in sheets["Joints"][:2]:
        each.update(rubbing)
    for each in sheets["Bodies"]:
        each.pop("mz", None)
    sheets["Bodies"] += [body("house 1"), body("house 2", x=3.0)]
    sheets["Bodies"][1]["mz"] = moment
    if not drivers:
        del sheets["Drivers"]
        sheets["Bodies"][0]["mz"] = 0.45 * moment
    soft = {f"k{k}": stiffness for k in ("x", "y", "z")} | {f"kr{k}": 1e8 for k in "xyz"}
    soft |= {f"c{k}": damping for k in ("x", "y", "z")}
    sheets["Springs"] = [
        {"name": f"mount {k}", "type": "bushing", "body_i": "ground", "body_j": f"house {k}", "point": point} | soft
        for k, point in ((1, "P"), (2, "Q"))
    ]
    return sheets


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("pressure", [0.0, 20.0])
def test_soft_bearings_yield_to_the_tooth_force_and_no_work_is_lost(tmp_path, sense, pressure):
    sheets = soft_pair(1e8, moment=1000.0 * sense)
    sheets["Joints"][2]["pressure_angle"] = f"{pressure} deg"
    found = solve(tmp_path / "a.xlsx", {"analysis": "equilibrium"}, **sheets)
    moved = np.array([found.bodies[f"one.{k}"].iloc[-1] for k in "yxz"])
    radial = 500.0 * np.tan(np.radians(pressure)) / COS
    assert np.abs(moved * 1e8 - (-500.0 * sense, -radial, TEETH[2] * sense)).max() < 0.01
    # Clapeyron: twice the energy of all mounts is the load times the displacement, of the moment and of what separates teeth
    load = found.springs.iloc[-1]
    twice = sum(load[f"mount {n}.{f}{k}"] ** 2 / 1e8 for n in (1, 2) for f in "fm" for k in "xyz")
    apart = found.bodies["two.x"].iloc[-1] - found.bodies["one.x"].iloc[-1] - 3.0
    work = 1000.0 * sense * found.bodies["two.yaw"].iloc[-1] + radial * apart
    assert work == pytest.approx(twice, rel=1e-5)


@pytest.mark.parametrize("more", [{}, {"damping": 50.0}, {"friction": 0.1}])
def test_energy_balances_on_soft_bearings_and_with_friction_in_them(tmp_path, more):
    sheets = soft_pair(1e5, drivers=False, **more)
    settings = {"t_end": 0.2, "t_step": 0.002}
    found = solve(tmp_path / "a.xlsx", settings, **sheets)
    assert found.status == "done"
    assert found.summary["accuracy check"] == "passed"
    work = found.constraints["kinetic_energy"].iloc[-1]
    assert found.summary["energy drift"] < 1e-6 * work
    holds = {
        "axle 1": ("house 1", "one", "one", "one"),
        "axle 2": ("house 2", "two", "two", "two"),
        "mesh": ("one", "two", "one", "two"),
    }
    if not more.get("friction"):
        assert left_over(found, sheets["Bodies"][:2], holds, row=50) < 1e-5


def test_index_3_and_index_1_agree_on_soft_bearings(tmp_path):
    sheets = soft_pair(1e5, drivers=False)
    settings = {"t_end": 0.1, "t_step": 0.01}
    one = solve(tmp_path / "a.xlsx", settings, **sheets)
    other = solve(tmp_path / "b.xlsx", settings | {"integrator": "generalized-alpha", "step": 1e-5}, **sheets)
    for column in ("one.x", "one.y", "one.z", "two.x"):
        assert np.abs(one.bodies[column] - other.bodies[column]).max() < 1e-7


def test_friction_of_bearings_goes_with_the_tooth_force(tmp_path):
    """An even motion against a brake: both journals are pressed by the tooth force, so the motor overcomes both frictions."""
    sheets = pair(helix_angle=0)
    for each in sheets["Joints"][:2]:
        each |= {"friction": 0.1, "friction_radius": 0.05}
    sheets["Drivers"] = [driven("axle 1", velocity=20.0)]
    found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **sheets)
    # 1000 N m along +z brake wheel 2, which turns at -10 rad/s; friction brakes both
    tooth, journal = 0.0, 0.0
    for _ in range(50):
        journal = 0.1 * 0.05 * tooth * np.hypot(1.0, TAN)
        tooth = (1000.0 + journal) / 2.0
    assert np.abs(force_on(found, "mesh", "j")[1]) == pytest.approx(tooth, rel=1e-9)
    assert found.joints["axle 1.friction"].iloc[-1] == pytest.approx(-journal, rel=1e-9)
    assert found.drivers["drive axle 1.moment"].iloc[-1] == pytest.approx(tooth + journal, rel=1e-9)


def planar(kind):
    """The pair or the rack in the plane."""
    three = pair(helix_angle=0) if kind == "gear" else pinion_and_rack()
    dropped = ("z", "axis_z", "helix_angle", "ixx", "iyy")
    rows = {
        name: [{key: value for key, value in row.items() if key not in dropped} for row in each]
        for name, each in three.items()
    }
    for each in rows["Bodies"]:
        each["inertia"] = each.pop("izz")
        for old in ("mx", "my"):
            each.pop(old, None)
        each["moment"] = each.pop("mz", 0.0)
    for each in rows["Joints"]:
        if each["type"] == "revolute":
            each.pop("axis_x"), each.pop("axis_y")
    return rows


@pytest.mark.parametrize("kind", ["gear", "rack"])
@pytest.mark.parametrize("analysis", EVERY_ANALYSIS)
def test_the_plane_gives_what_space_gives(tmp_path, kind, analysis):
    flat = solve(tmp_path / "a.xlsx", {"dimension": "2D", "gravity_y": 0, "analysis": analysis}, **planar(kind))
    space = pair(helix_angle=0) if kind == "gear" else pinion_and_rack()
    full = solve(tmp_path / "b.xlsx", {"analysis": analysis}, **space)
    for each in space["Joints"]:
        for side in "ij":
            for flat_name, full_name in (("fx", "fx"), ("fy", "fy"), ("m", "mz")):
                one = flat.joints[f"{each['name']}.{side}.{flat_name}"]
                assert np.abs(one - full.joints[f"{each['name']}.{side}.{full_name}"]).max() < 1e-7


@pytest.mark.parametrize("dimension", ["2D", "3D"])
def test_the_ratio_holds_over_many_turns_between_two_rows(tmp_path, dimension):
    rows = planar("gear") if dimension == "2D" else pair(helix_angle=0)
    rows["Drivers"] = [driven("axle 1", expression="300*t^2")]
    settings = {"dimension": dimension, "gravity_y": 0, "t_end": 2, "t_step": 0.5}
    found = solve(tmp_path / "a.xlsx", settings, **rows)
    assert np.abs(found.joints["axle 2.angle"] + 0.5 * found.joints["axle 1.angle"]).max() < 1e-8


def warnings_of(tmp_path, sheets):
    return [
        (each.code, each.cell, each.found) for each in sheetmbs.read(space_book(tmp_path / "a.xlsx", **sheets)).warnings
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"axis_x": 1.0, "axis_y": 0.0, "axis_z": 0.0}, "their axes meet"),
        ({"axis_x": 0.0, "axis_y": 1.0, "axis_z": 0.0, "point": "R"}, "their axes are skew"),
        ({"point": "P"}, "at no distance"),
    ],
)
def test_a_gear_without_a_pitch_point_says_so_in_its_row_and_acts_by_moments(tmp_path, change, words):
    sheets = pair(helix_angle=0)
    sheets["Points"].append(at(3.0, 0.0, 0.5, name="R"))
    sheets["Joints"][1] |= change
    if change.get("point"):
        point = next(each for each in sheets["Points"] if each["name"] == change["point"])
        sheets["Bodies"][1] |= {k: point[k] for k in "xyz"}
    (warning,) = [each for each in warnings_of(tmp_path, sheets) if each[0] == "no-pitch-point"]
    assert warning[1] == "Joints!B4"
    assert words in warning[2]
    found = solve(tmp_path / "b.xlsx", {"analysis": "inverse dynamic"}, **sheets)
    assert np.abs(force_on(found, "axle 2", "j")).max() < 1e-9


def test_wheels_that_turn_alike_have_no_pitch_point(tmp_path):
    sheets = pair(helix_angle=0)
    sheets["Joints"][2]["ratio"] = 1.0
    ((_, _, found),) = [each for each in warnings_of(tmp_path, sheets) if each[0] == "no-pitch-point"]
    assert "turn alike" in found


def test_a_rack_on_the_other_side_of_its_pinion_is_doubted_at_its_radius(tmp_path):
    sheets = pinion_and_rack()
    assert warnings_of(tmp_path, sheets) == []
    sheets["Joints"][2]["radius"] = -0.5
    ((code, cell, found),) = warnings_of(tmp_path, sheets)
    assert code == "rack-beside"
    assert cell.startswith("Joints!")
    assert "0.5 m to the other" in found


@pytest.mark.parametrize(
    ("column", "value", "mend"),
    [
        ("pressure_angle", "90 deg", "correct it, or clear it"),
        ("pressure_angle", "-1 deg", "correct it, or clear it"),
        ("pressure_angle", 20, "write 20 deg if degrees are meant"),
        ("helix_angle", "90 deg", "correct it, or clear it"),
        ("helix_angle", -15, "write -15 deg if degrees are meant"),
    ],
)
def test_an_angle_that_no_tooth_has_is_an_error_at_its_cell(tmp_path, column, value, mend):
    sheets = pair(helix_angle=None) | {}
    sheets["Joints"][2][column] = value
    with pytest.raises(sheetmbs.WorkbookError) as caught:
        sheetmbs.read(space_book(tmp_path / "a.xlsx", **sheets))
    (problem,) = [each for each in caught.value.problems if each.severity == "error"]
    assert problem.code == "wrong-angle"
    assert problem.mend == mend


def test_an_angle_of_teeth_counts_at_gears_and_racks_only(tmp_path):
    sheets = pair(helix_angle=0)
    sheets["Joints"][0]["pressure_angle"] = "20 deg"
    ((code, _, _),) = warnings_of(tmp_path, sheets)
    assert code == "unused-value"


def test_a_larger_pressure_angle_presses_harder_and_none_not_at_all(tmp_path):
    for angle in (0.0, 14.5, 25.0):
        sheets = pair(helix_angle=0, pressure_angle=f"{angle} deg")
        found = solve(tmp_path / "a.xlsx", {"analysis": "inverse dynamic"}, **sheets)
        assert force_on(found, "axle 1", "j")[0] == pytest.approx(500.0 * np.tan(np.radians(angle)), abs=1e-7)


def test_carriers_that_turn_against_each_other_leave_the_ratio_to_the_angles_of_the_joints(tmp_path):
    """An arm that turns about another line than the axis of the wheel on the ground changes the distance of the wheels."""
    sheets = pair(helix_angle=0, second=("arm", "two"))
    sheets["Bodies"].append(body("arm"))
    sheets["Points"].append(at(0.0, 1.0, 0.0, name="R"))
    sheets["Joints"].append(hinge("arm axle", "ground", "arm", "R"))
    sheets["Drivers"] = [driven("axle 1", velocity=1.0), driven("arm axle", velocity=2.0)]
    ((_, cell, text),) = [each for each in warnings_of(tmp_path, sheets) if each[0] == "no-pitch-point"]
    assert cell == "Joints!B4"
    assert "ground and arm, which carry the two, move against each other" in text
    found = solve(tmp_path / "b.xlsx", {"analysis": "inverse dynamic"}, **sheets)
    assert found.joints["axle 2.rate"].iloc[-1] == pytest.approx(-0.5)
