"""Joint loads, powers and residual of the exact walker, wrenches of plates by closed form, and feet of contacts."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from sheetmbs.gait.kinetics.foot_of_contact import Foot, contact_foot, foot_wrench
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion, energy_error, joint_loads, joint_power
from sheetmbs.gait.kinetics.plate_wrenches import plate_wrench
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate, plate_axes
from sheetmbs.schema.problem_list import Place
from tests.support import gait_walker as walker

TIME = np.linspace(0.0, 2.2, 331)
UP = np.array([0.0, 0.0, 1.0])
HEADER = Place("Force plates", 1, 2)


def segments_of(time):
    body = walker.walk(time)
    parents = {"trunk": None}
    for side in ("right", "left"):
        parents |= {f"{side} thigh": "trunk", f"{side} shank": f"{side} thigh", f"{side} foot": f"{side} shank"}
    return [
        SegmentMotion(
            name=each.name,
            parent=parents[each.name],
            mass=each.mass,
            inertia=each.inertia,
            com=each.com.value,
            velocity=each.com.rate,
            acceleration=each.com.second,
            angle=each.angle.value,
            rate=each.angle.rate,
            angular_acceleration=each.angle.second,
            proximal=each.proximal.value,
        )
        for each in body.pieces.values()
    ]


def wrenches_of(time):
    return {f"{side} foot": np.column_stack(wrench) for side, wrench in walker.ground(time).items()}


def rate_of(course):
    return CubicSpline(TIME, course)(TIME, 1)


BELOW = {"ankle": "foot", "knee": "shank", "hip": "thigh"}


def test_joint_loads_and_powers_are_those_of_the_exact_walker():
    segments = segments_of(TIME)
    found = joint_loads(segments, wrenches_of(TIME), walker.GRAVITY)
    by_name = {each.name: each for each in segments}
    for label, load in walker.joint_loads(TIME).items():
        side, joint = label.split()
        distal = by_name[f"{side} {BELOW[joint]}"]
        assert np.abs(found.force[distal.name] - load.force).max() < 1e-9
        assert np.abs(found.moment[distal.name] - load.moment).max() < 1e-9
        assert np.abs(joint_power(found, distal, by_name[distal.parent]) - load.power).max() < 1e-9
    assert np.abs(found.residual).max() < 1e-9


def test_nobody_does_work_on_the_exact_walker():
    segments = segments_of(TIME)
    found = joint_loads(segments, wrenches_of(TIME), walker.GRAVITY)
    error = energy_error(segments, found, rate_of)
    assert np.abs(error[5:-5]).max() < 2e-3 * np.abs(rate_of(found.energy)).max()
    lighter = joint_loads(segments, {}, walker.GRAVITY)
    wrong = energy_error(segments, lighter, rate_of)
    assert np.abs(wrong).max() > 100.0


def test_what_a_plate_measures_too_much_is_the_residual_about_the_centre_of_mass():
    segments, wrenches = segments_of(TIME), wrenches_of(TIME)
    push = np.array([12.0, -30.0, 4.0])
    wrenches["left foot"] = wrenches["left foot"] + push
    found = joint_loads(segments, wrenches, walker.GRAVITY)
    arm = found.com
    about_com = push[2] - (arm[:, 0] * push[1] - arm[:, 1] * push[0])
    assert np.allclose(found.residual, -np.column_stack((np.full(len(arm), 12.0), np.full(len(arm), -30.0), about_com)))
    total = sum(each.mass * each.com for each in segments) / walker.MASS
    assert np.allclose(arm, total)


def test_order_of_segments_does_not_matter_and_a_circle_of_parents_is_refused():
    segments, wrenches = segments_of(TIME[:9]), wrenches_of(TIME[:9])
    found = joint_loads(segments, wrenches, walker.GRAVITY)
    turned = joint_loads(segments[::-1], wrenches, walker.GRAVITY)
    assert np.allclose(found.moment["right thigh"], turned.moment["right thigh"], atol=1e-10)
    circle = [replace(segments[0], parent="right foot"), *segments[1:]]
    with pytest.raises(ValueError, match="leads to no root"):
        joint_loads(circle, wrenches, walker.GRAVITY)


# --- plates ---

RATE = 1000.0
TIMES = np.arange(1001) / RATE
FRAMES = np.arange(101) / 100.0
CORNERS = np.array([[1.2, 2.1, 0.0], [1.2, 2.7, 0.0], [0.7, 2.7, 0.0], [0.7, 2.1, 0.0]])
"""of a plate whose x axis runs along -y of the laboratory, its y along x"""
GEOMETRY = PlateGeometry("FP1", CORNERS, np.array([0.01, -0.02, -0.04]), "own", "reaction")


def keep(series):
    return series


def step(times):
    """A step in axes of the laboratory: force, where it acts, and its free moment."""
    push = 700.0 * np.clip(np.sin(np.pi * (times - 0.2) / 0.6), 0.0, None) * (times > 0.2) * (times < 0.8)
    force = np.column_stack((0.2 * push * np.sin(7.0 * times), 0.05 * push, push))
    point = np.column_stack((0.8 + 0.3 * times, np.full(len(times), 2.4), np.zeros(len(times))))
    return force, point, 0.01 * push


def recorded(force, moment=None, pressure=None, free_moment=None, name="FP1"):
    return RecordedPlate(name, force, moment, pressure, free_moment, HEADER)


def of_plate(plate, geometry=GEOMETRY, **more):
    settings = {"up": UP, "threshold": 20.0, "zeroed": 0.0, "low_pass": keep, "frames": FRAMES} | more
    return plate_wrench(plate, TIMES, geometry, **settings)


def own_columns():
    """The step as the plate's transducer measures it in its own axes."""
    force, point, free = step(TIMES)
    axes = plate_axes(CORNERS)
    transducer = CORNERS.mean(0) + axes @ GEOMETRY.origin
    moment = np.cross(point - transducer, force) + np.outer(free, UP)
    return force @ axes, moment @ axes


def expected():
    force, point, free = step(FRAMES)
    return force, np.cross(point, force) + np.outer(free, UP), point, free


def test_axes_of_a_plate_follow_its_corners():
    axes = plate_axes(CORNERS)
    assert np.allclose(axes[:, 0], [0.0, -1.0, 0.0])
    assert np.allclose(axes[:, 1], [1.0, 0.0, 0.0])
    assert np.allclose(axes[:, 2], [0.0, 0.0, 1.0])


@pytest.mark.parametrize("sign", ["reaction", "action"])
def test_columns_of_a_plate_in_its_own_axes_give_the_wrench_in_the_laboratory(sign):
    force, moment = own_columns()
    factor = -1.0 if sign == "action" else 1.0
    found = of_plate(recorded(factor * force, factor * moment), replace(GEOMETRY, sign=sign))
    ground, about_origin, point, free = expected()
    assert np.allclose(found.force, ground, atol=1e-9)
    assert np.allclose(found.moment, about_origin, atol=1e-9)
    stands = ground[:, 2] > 20.0
    assert np.allclose(found.pressure[stands], point[stands], atol=1e-9)
    assert np.allclose(found.free_moment[stands], free[stands], atol=1e-9)
    assert np.all(np.isnan(found.pressure[~stands]))
    assert found.doubts == ()


def test_columns_in_axes_of_the_markers_are_turned_by_nothing():
    force, moment = own_columns()
    axes = plate_axes(CORNERS)
    found = of_plate(recorded(force @ axes.T, moment @ axes.T), replace(GEOMETRY, axes="marker"))
    assert np.allclose(found.moment, expected()[1], atol=1e-9)
    about_origin = recorded(*(step(TIMES)[0], np.cross(step(TIMES)[1], step(TIMES)[0]) + np.outer(step(TIMES)[2], UP)))
    assert np.allclose(of_plate(about_origin, None).moment, expected()[1], atol=1e-9)


def test_centre_of_pressure_columns_give_the_same_wrench_with_absurd_points_where_nothing_stands():
    force, point, free = step(TIMES)
    unloaded = force[:, 2] == 0.0
    point[unloaded] = [1e3, -1e5, 0.0]
    point[10] = np.nan
    for geometry in (None, replace(GEOMETRY, axes="marker")):
        found = of_plate(recorded(force, pressure=point, free_moment=free), geometry)
        loaded = expected()[0][:, 2] > 20.0
        assert np.allclose(found.moment[loaded], expected()[1][loaded], atol=1e-9)
        assert np.all(found.moment[unloaded[::10]] == 0.0)
        assert not np.any(found.dropped)


@pytest.mark.parametrize("sign", ["reaction", "action"])
def test_centre_of_pressure_columns_in_axes_of_the_plate_count_from_its_middle(sign):
    force, point, free = step(TIMES)
    axes, factor = plate_axes(CORNERS), -1.0 if sign == "action" else 1.0
    own = (point - CORNERS.mean(0)) @ axes
    plate = recorded(factor * force @ axes, pressure=own, free_moment=factor * free)
    found = of_plate(plate, replace(GEOMETRY, sign=sign))
    loaded = expected()[0][:, 2] > 20.0
    assert np.allclose(found.force, expected()[0], atol=1e-9)
    assert np.allclose(found.moment[loaded], expected()[1][loaded], atol=1e-9)
    assert np.allclose(found.free_moment[loaded], expected()[3][loaded], atol=1e-9)


def test_force_below_the_threshold_acts_at_the_nearest_point_of_its_contact():
    force, point, _ = step(TIMES)
    slight = (force[:, 2] > 0.0) & (force[:, 2] <= 20.0)
    true = point.copy()
    point[slight] += 5.0
    found = of_plate(recorded(force, pressure=point), None)
    first, last = np.flatnonzero(force[:, 2] > 20.0)[[0, -1]]
    for sample in np.flatnonzero(slight[::10]) * 10:
        at = true[first] if sample < first else true[last]
        assert np.allclose(found.moment[sample // 10], np.cross(at, force[sample]), atol=1e-9)


def test_a_loaded_sample_off_the_plate_is_dropped_and_named():
    force, point, _ = step(TIMES)
    point[500, 0] = 2.0
    found = of_plate(recorded(force, pressure=point), replace(GEOMETRY, axes="marker"))
    assert np.flatnonzero(found.dropped).tolist() == [500]
    assert np.allclose(found.raw_moment[500], np.cross(point[499], force[500]), atol=1e-9) or np.allclose(
        found.raw_moment[500], np.cross(point[501], force[500]), atol=1e-9
    )
    point[:, 0] = 2.0
    lost = of_plate(recorded(force, pressure=point), replace(GEOMETRY, axes="marker"))
    assert np.all(np.isnan(lost.moment))
    assert np.all(np.isfinite(lost.force))
    assert np.all(np.isnan(lost.pressure))


def test_the_plane_needs_the_forward_point_alone():
    force, point, _ = step(TIMES)
    point[:, 1:] = np.nan
    found = of_plate(recorded(force, pressure=point), None)
    loaded = expected()[0][:, 2] > 20.0
    assert np.allclose(found.moment[loaded, 1], expected()[1][loaded, 1], atol=1e-9)
    assert np.allclose(found.pressure[loaded, 0], expected()[2][loaded, 0], atol=1e-9)


def test_a_zero_that_has_drifted_is_taken_off_where_the_workbook_says_so():
    force, moment = own_columns()
    drift, twist = np.array([3.0, -2.0, 15.0]), np.array([1.0, 2.0, -1.0])
    found = of_plate(recorded(force + drift, moment + twist), zeroed=0.2)
    assert np.allclose(found.moment, expected()[1], atol=1e-9)
    assert np.allclose(found.zero, [*drift, *twist])
    assert found.doubts == ()
    kept = of_plate(recorded(force + drift, moment + twist))
    assert np.abs(kept.force - expected()[0]).max() > 10.0
    stepped = of_plate(recorded(force, moment), zeroed=0.5)
    assert "carries up to 699" in stepped.doubts[0] or "carries up to 700" in stepped.doubts[0]


def test_wrenches_are_filtered_at_their_own_rate_and_read_between_samples():
    force, moment = own_columns()
    seen = []

    def low_pass(series):
        seen.append(series.shape)
        return 0.5 * series

    found = of_plate(recorded(force, moment), low_pass=low_pass, frames=FRAMES + 0.0005)
    assert seen == [(6, 1001)]
    ground = 0.5 * step(TIMES)[0]
    assert np.allclose(found.force[:100], 0.5 * (ground[0:1000:10] + ground[1:1001:10]), atol=1e-9)
    assert np.all(np.isnan(found.force[100]))
    assert np.allclose(found.raw_force, step(TIMES)[0], atol=1e-9)


def test_blank_samples_carry_nothing_and_holes_in_a_step_are_named():
    force, moment = own_columns()
    force[step(TIMES)[0][:, 2] == 0.0] = np.nan
    assert not np.any(of_plate(recorded(force, moment)).holes)
    force[400:403] = np.nan
    found = of_plate(recorded(force, moment))
    assert np.flatnonzero(found.holes).tolist() == [400, 401, 402]


# --- feet ---


def standing(x, speed=0.0):
    heel = np.column_stack((x + speed * FRAMES, np.full(101, 2.4), np.full(101, 0.02)))
    return Foot(heel.copy(), heel + np.array([0.2, 0.0, 0.0]), is_toe=True)


def found_foot(feet, word="auto"):
    force, moment = own_columns()
    return contact_foot(of_plate(recorded(force, moment)), (0.21, 0.79), word, FRAMES, feet, UP)


def test_the_foot_that_stands_is_the_one_of_the_contact():
    found = found_foot({"right": standing(0.85, 0.1), "left": standing(0.2, 1.3)})
    assert (found.side, found.by, found.both_inside) == ("right", "speed", False)
    assert np.allclose([found.speeds["right"], found.speeds["left"]], [0.1, 1.3])
    assert (found.under["right"], found.under["left"] < 0.6) == (1.0, True)
    given = found_foot({"right": standing(0.85, 0.1), "left": standing(0.2, 1.3)}, "left")
    assert (given.side, given.by) == ("left", "given")


def test_in_the_plane_a_coordinate_that_nobody_measured_does_not_count():
    flat = {"right": standing(0.85, 0.1), "left": standing(0.2, 1.3)}
    for foot in flat.values():
        foot.heel[:, 1], foot.toe[:, 1] = np.nan, np.nan
    found = found_foot(flat)
    assert (found.side, found.under["right"]) == ("right", 1.0)
    missing = {"right": standing(0.85, 0.1), "left": standing(0.2, 1.3)}
    missing["right"].heel[:] = np.nan
    assert np.allclose(found_foot(missing).speeds["right"], 0.1)
    missing["right"].toe[:] = np.nan
    assert np.isnan(found_foot(missing).speeds["right"])
    assert found_foot(missing).side is None


def test_where_no_foot_stands_still_the_centre_of_pressure_tells():
    """As in a contact that the recording cuts."""
    found = found_foot({"right": standing(0.7, 0.4), "left": standing(-0.2, 0.7)})
    assert (found.side, found.by) == ("right", "pressure")
    beside = standing(0.7, 0.4)
    beside.heel[:, 1] += 0.1
    beside.toe[:, 1] += 0.1
    assert found_foot({"right": standing(0.7, 0.4), "left": beside}).side == "right"


@pytest.mark.parametrize(("right", "left"), [(0.35, 0.5), (0.2, 0.39)])
def test_a_contact_of_no_clear_foot_has_none(right, left):
    found = found_foot({"right": standing(0.7, right), "left": standing(0.72, left)})
    assert (found.side, found.by) == (None, "")


def test_where_one_leg_is_recorded_contacts_of_the_other_foot_are_left_to_it():
    assert found_foot({"right": standing(0.85, 0.1)}).side == "right"
    swinging = found_foot({"right": standing(0.2, 1.3)})
    assert (swinging.side, swinging.by) == ("left", "speed")
    assert found_foot({"left": standing(0.2, 1.3)}).side == "right"
    assert found_foot({"right": standing(0.7, 0.4)}).side is None  # it moves, and carries the force all the same


def test_two_feet_on_one_plate_are_seen():
    assert found_foot({"right": standing(0.85), "left": standing(0.75, 0.05)}).both_inside
    assert not found_foot({"right": standing(0.85), "left": standing(-0.75, 0.05)}).both_inside


def test_a_plate_counts_for_the_foot_of_each_contact_and_its_tails():
    force, moment = own_columns()
    plate = of_plate(recorded(force + UP, moment))
    feet = {"right": standing(0.85), "left": standing(0.2, 1.3)}
    first = contact_foot(plate, (0.3, 0.4), "right", FRAMES, feet, UP)
    second = contact_foot(plate, (0.5, 0.6), "left", FRAMES, feet, UP)
    by_side = {side: foot_wrench({"FP1": plate}, [second, first], side, FRAMES)[0] for side in ("right", "left")}
    counted = {side: np.flatnonzero(found[:, 2]) for side, found in by_side.items()}
    assert (counted["right"][0], counted["right"][-1]) == (5, 44)
    assert (counted["left"][0], counted["left"][-1]) == (45, 84)
    unclear = replace(second, side=None)
    for side in ("right", "left"):
        known = np.isfinite(foot_wrench({"FP1": plate}, [first, unclear], side, FRAMES)[0][:, 2])
        assert np.flatnonzero(~known).tolist() == list(range(45, 85)), "no load is told of what stands who knows where"
    named = replace(plate, name="right")
    assert np.all(foot_wrench({"right": named}, [], "right", FRAMES)[0][:, 2] > 0.0)
    assert np.all(foot_wrench({"right": named}, [], "left", FRAMES)[0] == 0.0)
