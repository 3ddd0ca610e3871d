"""Metrics of suspensions against closed forms that are written out here on their own, and against each other."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import FRONT, REAR, SETTINGS, WHEELBASE, car_book
from tests.support.hardpoint_books import ROCKER, STRUT, WISHBONES, hardpoint_book

HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-20 mm", "20 mm", "10 mm"))
STEER = (("name", "type", "rack_from", "rack_to", "rack_step"), ("steer", "steer", "-20 mm", "20 mm", "4 mm"))
BARE = (("type", "double wishbone"), ("tyre radius", "230 mm"))
STEP = 0.05
FINE = (HEAVE[0], ("heave", "heave", f"{-2 * STEP} mm", f"{2 * STEP} mm", f"{STEP} mm"))


def swept(path, sweep="heave"):
    table = run_suspension(path).table(sweep)
    return dict(zip(table.columns, table.values.T, strict=True))


def richardson(values):
    """Derivative in the middle of five values, extrapolated from central differences."""
    near, far = (values[3] - values[1]) / (2 * STEP), (values[4] - values[0]) / (4 * STEP)
    return (4 * near - far) / 3


def multilink_of_wishbones(points):
    """Five links that end where two arms and a tie rod do."""
    ends = (
        ("lower arm front", "lower ball joint"),
        ("lower arm rear", "lower ball joint"),
        ("upper arm front", "upper ball joint"),
        ("upper arm rear", "upper ball joint"),
        ("tie rod inner", "tie rod outer"),
    )
    found = {"wheel centre": points["wheel centre"]}
    for number, (inner, outer) in enumerate(ends, start=1):
        found |= {f"link {number} inner": points[inner], f"link {number} outer": points[outer]}
    return found


PLANAR = {  # hinges along x; the tie rod lies in the plane of the lower arm and ends on its hinge: it steers nothing
    "lower arm front": (100, 200, 120),
    "lower arm rear": (-100, 200, 120),
    "lower ball joint": (0, 560, 110),
    "upper arm front": (100, 250, 280),
    "upper arm rear": (-100, 250, 280),
    "upper ball joint": (0, 540, 310),
    "tie rod inner": (80, 200, 120),
    "tie rod outer": (80, 560, 110),
    "wheel centre": (0, 600, 230),
}


def test_the_planes_of_planar_arms_meet_where_their_lines_do(tmp_path):
    found = swept(hardpoint_book(tmp_path / "b.xlsx", PLANAR, BARE, sweeps=HEAVE))
    middle = 2
    low = (110 - 120) / (560 - 200)
    high = (310 - 280) / (540 - 250)
    y = ((280 - high * 250) - (120 - low * 200)) / (low - high)
    z = 120 + low * (y - 200)
    assert found["FL.fvic_y_geometric"][middle] == pytest.approx(y, abs=1e-9)
    assert found["FL.fvic_z_geometric"][middle] == pytest.approx(z, abs=1e-9)
    height = z / (600 - y) * 600
    assert found["front.roll_centre_height_geometric"][middle] == pytest.approx(height, abs=1e-9)
    assert found["front.roll_centre_lateral_geometric"][middle] == pytest.approx(0.0, abs=1e-9)
    for name in ("FL.fvic_y", "FL.fvic_z", "front.roll_centre_height"):
        assert found[name][middle] == pytest.approx(found[f"{name}_geometric"][middle], abs=1e-8), name
    assert np.isnan(found["FL.svic_x_geometric"]).all(), "hinges along x have no centre in side view"


def test_roll_centres_of_parallel_arms_lie_where_lines_along_them_from_the_contacts_meet(tmp_path):
    level = {**PLANAR, "upper arm front": (100, 200, 280), "upper arm rear": (-100, 200, 280)}
    level |= {"upper ball joint": (0, 560, 270)}
    found = swept(hardpoint_book(tmp_path / "b.xlsx", level, BARE, sweeps=HEAVE))
    assert found["front.roll_centre_height_geometric"][2] == pytest.approx(600 * 10 / 360, abs=1e-9)
    assert np.isnan(found["FL.fvic_y_geometric"][2])


def test_planes_in_side_view_meet_where_the_hinges_do(tmp_path):
    inclined = {**PLANAR, "lower arm front": (100, 200, 124), "lower arm rear": (-100, 200, 116)}
    inclined |= {"upper arm front": (100, 250, 274), "upper arm rear": (-100, 250, 286)}
    found = swept(hardpoint_book(tmp_path / "b.xlsx", inclined, BARE, sweeps=HEAVE))

    def line(front, rear, ball):  # of the plane of an arm in y = 600: its height over x
        normal = np.cross(np.subtract(rear, front), np.subtract(ball, front))
        at = np.dot(normal, front) - normal[1] * 600.0
        return -normal[0] / normal[2], at / normal[2]

    low, high = (line(*(inclined[f"{arm} {end}"] for end in ("arm front", "arm rear", "ball joint"))) for arm in ARMS)
    x = (high[1] - low[1]) / (low[0] - high[0])
    assert found["FL.svic_x_geometric"][2] == pytest.approx(x, abs=1e-7)
    assert found["FL.svic_z_geometric"][2] == pytest.approx(low[0] * x + low[1], abs=1e-7)


ARMS = ("lower", "upper")

TRAILING = {"arm inner": (400, 300, 250), "arm outer": (400, 700, 250), "wheel centre": (0, 600, 230)}


@pytest.mark.parametrize(("brakes", "height"), [("outboard", 250.0), ("inboard", 250.0 - 230.0)])
def test_anti_lift_of_a_trailing_arm_is_that_of_the_side_view(tmp_path, brakes, height):
    settings = [
        ("type", "trailing arm"),
        ("tyre radius", "230 mm"),
        ("steering", "none"),
        ("wheelbase", "1550 mm"),
        ("cg height", "290 mm"),
        ("brake front", "65 %"),
        ("brakes", brakes),
    ]
    found = swept(hardpoint_book(tmp_path / "b.xlsx", TRAILING, settings, sweeps=HEAVE, axle="rear"))
    assert found["RL.anti_lift"][2] == pytest.approx(100 * 0.35 * 1550 / 290 * height / 400, abs=1e-9)
    assert found["RL.anti_lift_angle"][2] == pytest.approx(-np.degrees(np.arctan(height / 400)), abs=1e-9)
    assert found["RL.anti_squat"][2] == pytest.approx(100 * 1550 / 290 * (250 - 230) / 400, abs=1e-9)
    assert "RL.anti_dive" not in found


@pytest.mark.parametrize("unit", ["mm", "m", "in"])
def test_trailing_arms_have_their_roll_centre_on_the_level_road_and_none_beside_it(tmp_path, unit):
    """Their wheels move square to the body: lines normal to that coincide at design, and are parallel once it rolls."""
    settings = [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none"), ("camber", "-1 deg")]
    size = {"mm": 1.0, "m": 1e-3, "in": 1.0 / 25.4}[unit]
    points = {name: tuple(value * size for value in at) for name, at in TRAILING.items()}
    book = hardpoint_book(tmp_path / "b.xlsx", points, settings, axle="rear", unit=unit)
    results = run_suspension(book)
    assert not results.sheets.problems
    for name in ("heave", "roll", "single wheel"):
        table = results.table(name)
        found = dict(zip(table.columns, table.values.T, strict=True))
        turned = found["roll" if name == "roll" else "travel"]
        is_level = (turned == 0.0) | (name == "heave")
        for way in ("height", "lateral"):
            centre = found[f"rear.roll_centre_{way}"]
            assert np.abs(centre[is_level]).max() < 1e-9
            assert np.all(np.isnan(centre[~is_level]))


def test_a_front_axle_that_swings_about_a_point_behind_it_resists_dive(tmp_path):
    points = {name: (x - 800, y, z) for name, (x, y, z) in TRAILING.items()}
    points["wheel centre"] = (0, 600, 230)
    settings = [
        ("type", "trailing arm"),
        ("tyre radius", "230 mm"),
        ("steering", "none"),
        ("wheelbase", "1550 mm"),
        ("cg height", "290 mm"),
        ("brake front", "65 %"),
        ("drive rear", "40 %"),
    ]
    found = swept(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=HEAVE))
    assert found["FL.anti_dive"][2] == pytest.approx(100 * 0.65 * 1550 / 290 * 250 / 400, abs=1e-9)
    assert found["FL.anti_lift_drive"][2] == pytest.approx(100 * 0.6 * 1550 / 290 * (250 - 230) / 400, abs=1e-9)


AXIS = ("caster", "kpi", "caster_offset", "mechanical_trail", "kingpin_offset", "scrub_radius", "hub_trail")


@pytest.mark.parametrize("rod_on", ["lower arm", "upper arm"])
@pytest.mark.parametrize("sweep", [HEAVE, STEER])
def test_the_instant_steering_axis_is_the_line_through_ball_joints(tmp_path, rod_on, sweep):
    points = {**WISHBONES, **ROCKER, "rod outer": (0, 520, 125 if rod_on == "lower arm" else 290)}
    settings = [*BARE, ("camber", "-1 deg"), ("actuation", "push-rod"), ("rod on", rod_on)]
    name = sweep[1][0]
    expected = swept(hardpoint_book(tmp_path / "geometric.xlsx", points, settings, sweeps=sweep), name)
    instant = [*settings, ("steering axis", "instant")]
    found = swept(hardpoint_book(tmp_path / "instant.xlsx", points, instant, sweeps=sweep), name)
    for metric in (*AXIS, "caster_gradient"):
        assert found[f"FL.{metric}"] == pytest.approx(expected[f"FL.{metric}"], rel=1e-9, abs=1e-9), metric
        assert found[f"FR.{metric}"] == pytest.approx(expected[f"FR.{metric}"], rel=1e-9, abs=1e-9), metric
    assert np.abs(found["FL.steering_axis_pitch"]).max() < 1e-9, "it turns about ball joints and moves along no axis"
    assert "FL.steering_axis_pitch" not in expected


def test_the_instant_steering_axis_of_a_strut_goes_through_its_top(tmp_path):
    settings = [("type", "macpherson"), ("tyre radius", "300 mm")]
    expected = swept(hardpoint_book(tmp_path / "geometric.xlsx", STRUT, settings, sweeps=HEAVE))
    instant = [*settings, ("steering axis", "instant")]
    found = swept(hardpoint_book(tmp_path / "instant.xlsx", STRUT, instant, sweeps=HEAVE))
    for metric in (*AXIS, "caster_gradient"):
        assert found[f"FL.{metric}"] == pytest.approx(expected[f"FL.{metric}"], rel=1e-9, abs=1e-9), metric


@pytest.mark.parametrize("steering", ["rack", "none"])
def test_links_that_meet_in_pairs_steer_about_the_line_through_where_they_meet(tmp_path, steering):
    rod = {"damper outer": (0, 572, 112), "damper chassis": (0, 300, 420)}  # at the lower ball joint: locks it
    settings = [("type", "multilink"), ("tyre radius", "230 mm"), ("steering", steering), ("damper on", "upright")]
    links = {**multilink_of_wishbones(WISHBONES), **rod, "damper outer": WISHBONES["lower ball joint"]}
    found = swept(hardpoint_book(tmp_path / "links.xlsx", links, settings, sweeps=HEAVE))
    expected = swept(hardpoint_book(tmp_path / "arms.xlsx", WISHBONES, [*BARE, ("steering", steering)], sweeps=HEAVE))
    for metric in (*AXIS, "caster_gradient", "camber", "toe_gradient"):
        assert found[f"FL.{metric}"] == pytest.approx(expected[f"FL.{metric}"], rel=1e-8, abs=1e-8), metric


def test_the_axis_of_five_links_moves_as_its_gradient_says(tmp_path):
    links = multilink_of_wishbones(WISHBONES)
    links |= {"link 2 outer": (-40, 560, 118), "link 4 outer": (-50, 540, 296)}
    links |= {"damper outer": (0, 540, 140), "damper chassis": (0, 300, 420)}
    settings = [("type", "multilink"), ("tyre radius", "230 mm")]
    found = swept(hardpoint_book(tmp_path / "b.xlsx", links, settings, sweeps=FINE))
    assert found["FL.caster_gradient"][2] == pytest.approx(richardson(found["FL.caster"]), rel=1e-7)
    assert abs(found["FL.steering_axis_pitch"][2]) > 0.1, "without ball joints the wheel moves along its axis too"


ON_TWO_LINKS = {
    **{name: place for name, place in STRUT.items() if not name.startswith("lower")},
    "link 1 inner": (120, 320, 180),
    "link 1 outer": (25, 690, 165),
    "link 2 inner": (-180, 330, 175),
    "link 2 outer": (-25, 680, 168),
}


@pytest.mark.parametrize("steering", ["rack", "none"])
def test_a_wheel_on_two_links_and_a_strut_steers_about_the_line_from_its_top_that_both_links_allow(tmp_path, steering):
    settings = [("type", "macpherson"), ("tyre radius", "300 mm"), ("steering", steering)]
    found = swept(hardpoint_book(tmp_path / "b.xlsx", ON_TWO_LINKS, settings, sweeps=FINE))
    at = {name: np.array(place, dtype=float) for name, place in ON_TWO_LINKS.items()}
    top = at[
        "strut top"
    ]  # a strut of locked length holds it; an outer joint may move neither along its link nor from it
    held = [np.cross(at[f"link {n} outer"] - top, at[f"link {n} outer"] - at[f"link {n} inner"]) for n in (1, 2)]
    axis = np.cross(*held)
    axis *= np.sign(axis[2])
    met = top - axis * top[2] / axis[2]
    assert found["FL.caster"][2] == pytest.approx(np.degrees(np.arctan2(-axis[0], axis[2])), abs=1e-9)
    assert found["FL.kpi"][2] == pytest.approx(np.degrees(np.arctan2(-axis[1], axis[2])), abs=1e-9)
    assert found["FL.caster_offset"][2] == pytest.approx(met[0], abs=1e-9)
    assert found["FL.kingpin_offset"][2] == pytest.approx(740.0 - met[1], abs=1e-9)
    assert found["FL.steering_axis_pitch"][2] == pytest.approx(0.0, abs=1e-9), "it turns about the top"
    assert found["FL.caster_gradient"][2] == pytest.approx(richardson(found["FL.caster"]), rel=1e-7)


def test_two_links_that_end_in_one_joint_steer_as_an_arm(tmp_path):
    links = {**ON_TWO_LINKS, "link 1 outer": STRUT["lower ball joint"], "link 2 outer": STRUT["lower ball joint"]}
    settings = [("type", "macpherson"), ("tyre radius", "300 mm"), ("camber", "-0.7 deg"), ("toe", "0.15 deg")]
    for name, sweep in (("heave", HEAVE), ("steer", STEER)):
        expected = swept(hardpoint_book(tmp_path / "arm.xlsx", STRUT, settings, sweeps=sweep), name)
        found = swept(hardpoint_book(tmp_path / "links.xlsx", links, settings, sweeps=sweep), name)
        for metric in (*AXIS, "caster_gradient", "kingpin_offset_wc"):
            assert found[f"FR.{metric}"] == pytest.approx(expected[f"FR.{metric}"], rel=1e-8, abs=1e-8), metric


def test_ackermann_compares_the_wheels_with_the_circle_about_the_rear_axle(tmp_path):
    found = swept(car_book(tmp_path / "b.xlsx", {"toe": ("-0.5 deg", "0 deg")}, others={"Sweeps": STEER}), "steer")
    track = found["front.track"][5] / WHEELBASE
    left, right = (np.radians(found[f"{corner}.steer"] - sign * 0.5) for corner, sign in (("FL", 1), ("FR", -1)))
    for row in (0, 1, 9, 10):
        inner, outer = (left[row], right[row]) if left[row] > 0 else (-right[row], -left[row])
        ideal = np.arctan(1.0 / (1.0 / np.tan(outer) - track))
        assert found["front.ackermann_error"][row] == pytest.approx(np.degrees(ideal - inner), abs=1e-9)
        assert found["front.ackermann"][row] == pytest.approx(100 * (inner - outer) / (ideal - outer), abs=1e-7)
        assert found["front.turn_radius"][row] == pytest.approx(WHEELBASE / np.sin(outer), rel=1e-12)
    assert found["front.ackermann_error"][5] == pytest.approx(0.0, abs=1e-12), "straight ahead, toe taken out"
    assert np.isnan(found["front.ackermann"][5])
    assert np.isnan(found["front.turn_radius"][5])
    assert np.abs(found["front.ackermann_with_toe"] - found["front.ackermann"])[10] > 1.0


def test_ackermann_with_kingpins_takes_their_track(tmp_path):
    book = {"track for ackermann": ("kingpin",), "camber": ("0 deg", "0 deg"), "toe": ("0 deg", "0 deg")}
    found = swept(car_book(tmp_path / "b.xlsx", book, others={"Sweeps": STEER}), "steer")
    track = (found["front.track"][5] - 2 * found["FL.kingpin_offset"][5]) / WHEELBASE
    outer, inner = np.radians(found["FR.steer"][10]), np.radians(found["FL.steer"][10])
    outer, inner = min(outer, inner, key=abs), max(outer, inner, key=abs)
    is_left = outer > 0
    outer, inner = (np.radians(found[f"{corner}.steer"][10]) for corner in (("FR", "FL") if is_left else ("FL", "FR")))
    ideal = np.arctan(1.0 / (1.0 / np.tan(abs(outer)) - track))
    assert found["front.ackermann_error"][10] == pytest.approx(np.degrees(ideal - abs(inner)), abs=1e-9)


def test_the_steering_wheel_turns_as_often_as_its_ratio_says(tmp_path):
    found = swept(car_book(tmp_path / "b.xlsx", others={"Sweeps": STEER}), "steer")
    assert found["FL.steer_ratio_overall"] == pytest.approx(360.0 / 90.0 / found["FL.steer_ratio"], rel=1e-12)


def test_load_transfer_is_the_balance_of_moments(tmp_path):
    found = swept(car_book(tmp_path / "b.xlsx", others={"Sweeps": HEAVE}))
    parts = ("geometric", "elastic", "unsprung")
    total = {}
    for axle in ("front", "rear"):
        total[axle] = found[f"{axle}.load_transfer_total"]
        assert total[axle] == pytest.approx(sum(found[f"{axle}.load_transfer_{part}"] for part in parts), rel=1e-12)
    middle = 2
    moment = sum(total[axle][middle] * found[f"{axle}.track"][middle] * 1e-3 for axle in total)
    phi = np.radians(found["roll_gradient"][middle])
    sprung = 280.0 - 2 * 9.0 - 2 * 10.0
    front, rear = 0.47 * 280.0 - 18.0, 0.53 * 280.0 - 20.0
    level = (280.0 * 0.290 - 2 * (9.0 + 10.0) * 0.230 * 1.0) / sprung
    axis = (
        front * found["front.roll_centre_height"][middle] + rear * found["rear.roll_centre_height"][middle]
    ) / sprung
    gravity = 9.81 * sprung * (level - axis * 1e-3) * phi
    assert moment == pytest.approx(280.0 * 9.81 * 0.290 + gravity, rel=2e-4)  # static camber lifts the wheel by cos
    stiffness = [found[f"{axle}.roll_stiffness"][middle] for axle in ("front", "rear")]
    assert found["roll_stiffness_front_share"][middle] == pytest.approx(100 * stiffness[0] / sum(stiffness), rel=1e-12)
    share = 100 * total["front"][middle] / (total["front"][middle] + total["rear"][middle])
    assert found["load_transfer_front_share"][middle] == pytest.approx(share, rel=1e-12)


def test_unsprung_masses_roll_the_car_as_far_as_they_move(tmp_path):
    """Ways of wheel centres and contacts along the road, from differences of poses in roll."""
    turn = 0.02  # deg
    rolls = (
        ("name", "type", "roll_from", "roll_to", "roll_step"),
        ("roll", "roll", f"{-2 * turn} deg", f"{2 * turn} deg", f"{turn} deg"),
    )
    level = {"camber": None, "toe": None}
    found = swept(car_book(tmp_path / "b.xlsx", level, others={"Sweeps": rolls}), "roll")
    roll = np.radians(np.arange(-2, 3) * turn)
    gravity, mass, height, share = 9.81, 280.0, 0.290, {"front": 0.47, "rear": 0.53}
    unsprung = {"front": 9.0, "rear": 10.0}
    moment, stiffness, heights, parts = 0.0, 0.0, {}, {}
    for axle, corners in (("front", ("FL", "FR")), ("rear", ("RL", "RR"))):
        moved = 0.0
        for corner, s in zip(corners, (1.0, -1.0), strict=True):
            y = s * (600.0 + found[f"{corner}.wheel_y"]) * 1e-3
            z = (230.0 + found[f"{corner}.wheel_z"]) * 1e-3
            lateral = y * np.cos(roll) - z * np.sin(roll)
            near, far = (lateral[3] - lateral[1]) / 2, (lateral[4] - lateral[0]) / 4
            moved += (4 * near - far) / 3 / np.radians(turn)
        parts[axle] = unsprung[axle] * gravity * (2 * 0.230 + moved) / (found[f"{axle}.track"][2] * 1e-3)
        assert found[f"{axle}.load_transfer_unsprung"][2] == pytest.approx(parts[axle], rel=1e-6)
        heights[axle] = found[f"{axle}.roll_centre_height"][2] * 1e-3
        moment -= mass * gravity * share[axle] * heights[axle] + unsprung[axle] * gravity * moved
        stiffness += np.degrees(found[f"{axle}.roll_stiffness"][2])
    sprung = mass - 2 * sum(unsprung.values())
    above = (mass * height - 2 * 0.230 * sum(unsprung.values())) / sprung
    moment += sprung * gravity * above
    ahead = (mass * share["front"] - 2 * unsprung["front"]) / sprung
    lever = above - ahead * heights["front"] - (1 - ahead) * heights["rear"]
    phi = moment / (stiffness - sprung * gravity * lever)
    assert found["roll_gradient"][2] == pytest.approx(np.degrees(phi), rel=1e-6)


def test_without_unsprung_mass_load_transfer_is_that_of_the_textbook(tmp_path):
    changed = {"unsprung mass": None, "camber": None, "toe": None}
    found = {
        name: values[2]
        for name, values in swept(car_book(tmp_path / "b.xlsx", changed, others={"Sweeps": HEAVE})).items()
    }
    weight = 280.0 * 9.81
    heights = {axle: found[f"{axle}.roll_centre_height"] * 1e-3 for axle in ("front", "rear")}
    shares = {"front": 0.47, "rear": 0.53}
    arm = 0.290 - sum(heights[axle] * shares[axle] for axle in shares)
    stiffness = {axle: np.degrees(found[f"{axle}.roll_stiffness"]) for axle in shares}
    phi = weight * arm / (sum(stiffness.values()) - weight * arm)
    assert found["roll_gradient"] == pytest.approx(np.degrees(phi), rel=1e-9)
    for axle, share in shares.items():
        track = found[f"{axle}.track"] * 1e-3
        assert found[f"{axle}.load_transfer_elastic"] == pytest.approx(stiffness[axle] * phi / track, rel=1e-9)
        geometric = weight * share * heights[axle] / track
        assert found[f"{axle}.load_transfer_geometric"] == pytest.approx(geometric, rel=1e-9)
        assert found[f"{axle}.load_transfer_unsprung"] == 0.0


def test_a_spring_apart_from_the_damper_has_its_own_ratios(tmp_path):
    points = {**WISHBONES, **ROCKER, "spring rocker": (0, 200, 390), "spring chassis": (0, 40, 470)}
    settings = [*BARE, ("actuation", "push-rod")]
    found = swept(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=FINE))
    lengths = {
        kind: np.linalg.norm(np.subtract(points[f"{kind} rocker"], points[f"{kind} chassis"]))
        for kind in ("spring", "damper")
    }
    for kind, ratio in (("spring", "motion_ratio"), ("damper", "damper_motion_ratio")):
        assert found[f"FL.{kind}_length"][2] == pytest.approx(lengths[kind], abs=1e-9)
        assert found[f"FL.{ratio}"][2] == pytest.approx(richardson(found[f"FL.{kind}_travel"]), rel=1e-9)
        assert found[f"FL.{ratio}_heave"] == pytest.approx(found[f"FL.{ratio}"], rel=1e-12)
    assert found["FL.damper_dmotion_ratio"][2] == pytest.approx(richardson(found["FL.damper_motion_ratio"]), rel=1e-7)
    assert abs(found["FL.motion_ratio"][2] - found["FL.damper_motion_ratio"][2]) > 0.01
    assert np.array_equal(found["FL.damper_velocity_ratio"], found["FL.damper_motion_ratio"])


def test_the_drop_link_moves_the_arm_of_the_bar_by_its_angle_times_its_length(tmp_path):
    found = swept(car_book(tmp_path / "b.xlsx", others={"Sweeps": FINE}))
    assert found["FL.bar_motion_ratio"][2] == pytest.approx(richardson(found["FL.bar_angle"]), rel=1e-8)
    arm = 60.0  # from the bar's axis along y to the drop link
    assert found["FL.bar_motion_ratio_link"] == pytest.approx(np.radians(found["FL.bar_motion_ratio"]) * arm, rel=1e-12)


def test_toe_at_the_rim_and_distances_of_the_axles(tmp_path):
    found = swept(car_book(tmp_path / "b.xlsx", others={"Sweeps": HEAVE}))
    assert found["FL.toe_mm"] == pytest.approx(254.0 * np.sin(np.radians(found["FL.toe"])), abs=1e-12)
    for side, front, rear in (("left", "FL", "RL"), ("right", "FR", "RR")):
        change = found[f"wheelbase_{side}"] - found[f"wheelbase_{side}"][2]
        assert found[f"wheelbase_{side}_change"] == pytest.approx(change, abs=1e-9)
        assert change == pytest.approx(found[f"{front}.contact_x"] - found[f"{rear}.contact_x"], abs=1e-9)


def test_every_metric_is_declared_once_and_in_words():
    names = [f"{group}.{metric.name}" for group, metric in declared_metrics()]
    assert len(names) == len(set(names))
    for _group, metric in declared_metrics():
        assert metric.definition, metric.name
        assert metric.sign, metric.name
        assert set(metric.needs) <= {*SETTINGS, "corner load", "drive rear", "roll inertia"}, metric.name


def needing(setting):
    return {metric.name for _group, metric in declared_metrics() if setting in metric.needs}


def own_names(columns):
    """Names of metrics without corner, axle or car."""
    return {name.rpartition(".")[2] for name in columns}


@pytest.mark.parametrize(
    "setting", ["tyre rate", "wheelbase", "cg height", "brake front", "rim diameter", "rack per turn"]
)
def test_a_blank_setting_empties_what_needs_it_and_nothing_else(tmp_path, setting):
    others = {"Sweeps": STEER}
    full = swept(car_book(tmp_path / "full.xlsx", others=others), "steer")
    blank = swept(car_book(tmp_path / "blank.xlsx", {setting: None}, others=others), "steer")
    assert set(full) == set(blank)
    filled = {name for name, values in full.items() if np.isfinite(values).any()}
    emptied = own_names(name for name in filled if not np.isfinite(blank[name]).any())
    assert emptied == needing(setting) & own_names(filled)


def test_a_car_of_unknown_mass_has_no_load_transfer_unless_its_corners_tell(tmp_path):
    others = {"Sweeps": HEAVE}
    names = ("roll_gradient", "front.load_transfer_total", "rear.load_transfer_geometric")
    none = {"mass": None, "weight front": None}
    blank = swept(car_book(tmp_path / "blank.xlsx", none, others=others))
    assert all(np.isnan(blank[name]).all() for name in names)
    told = {**none, "corner load": (f"{0.235 * 280 * 9.81} N", f"{0.265 * 280 * 9.81} N")}
    expected = swept(car_book(tmp_path / "mass.xlsx", others=others))
    found = swept(car_book(tmp_path / "corners.xlsx", told, others=others))
    for name in names:
        assert found[name] == pytest.approx(expected[name], rel=1e-9), name


def test_points_of_the_example_car_are_those_of_a_sound_one():
    assert FRONT["wheel centre"][0] - REAR["wheel centre"][0] == WHEELBASE


@pytest.mark.parametrize(
    ("axes", "text", "turned"),
    [
        ("ISO 8855", "0 1 0.1", lambda x, y, z: (x, y, z)),
        ("ISO 8855", "0, -2, -0.2", lambda x, y, z: (x, y, z)),
        ("SAE J670", "(0; 1; 0.1)", lambda x, y, z: (x, -y, -z)),
        ("Lotus", "0 1 0.1", lambda x, y, z: (-x, y, z)),
    ],
)
def test_a_rack_that_climbs_to_the_left_lifts_its_tie_rods(tmp_path, axes, text, turned):
    points = {name: turned(*point) for name, point in WISHBONES.items()}
    settings = [*BARE, ("axes", axes), ("rack axis", text)]
    swept_axle = (
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=STEER)).designs[0].swept["steer"]
    )
    wheel = swept_axle["front"].wheels["left"]
    moved = wheel.hardpoint("tie rod inner").value - np.array(WISHBONES["tie rod inner"]) * 1e-3
    rack = np.arange(-20.0, 21.0, 4.0) * 1e-3
    expected = rack[:, None] * np.array([0.0, 1.0, 0.1]) / np.sqrt(1.01)
    assert moved == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("text", ["forward", "x", "1 2", "0 0 0", "z", "0 nan 0"])
def test_a_rack_that_does_not_travel_across_is_refused_at_its_cell(tmp_path, text):
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", WISHBONES, [*BARE, ("rack axis", text)]))
    assert [problem.cell for problem in caught.value.problems] == ["Suspension!B4"]
