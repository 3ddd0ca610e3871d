"""A trial of the exact walker: joint loads are closed forms, and nothing depends on units, axes, direction or side."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs import run_gait
from sheetmbs.gait.quality.checked_trials import solved_body
from sheetmbs.gait.quality.whole_body import unexplained_power
from sheetmbs.gait.strides.strides import stride_curves, strides_of
from tests.support import gait_walker
from tests.support.gait_books import Recording, gait_book, walker_sheets

EXACT = Recording()
SMOOTH = {"cutoff": 6, "force_cutoff": "same"}


@pytest.fixture(scope="module")
def courses_of(tmp_path_factory):
    def solved(how=EXACT, change=None):
        sheets = walker_sheets(how)
        if change:
            change(sheets)
        results = run_gait(gait_book(tmp_path_factory.mktemp("gait") / "walk.xlsx", sheets))
        return results.solved.trials[0].courses

    return solved


@pytest.fixture(scope="module")
def courses(courses_of):
    return courses_of()


def rms(values):
    return float(np.sqrt(np.nanmean(values**2)))


@pytest.mark.parametrize(("joint", "most"), [("ankle", 0.01), ("knee", 0.08), ("hip", 0.24)])
def test_moments_of_clean_markers_without_filter_are_those_of_the_walker(courses, joint, most):
    inside = slice(5, -5)
    exact = gait_walker.joint_loads(courses.time)
    for side in ("right", "left"):
        error = courses.joints[f"{side} {joint}"]["moment"] - exact[f"{side} {joint}"].moment
        assert rms(error[inside]) < most


def test_moments_converge_with_the_square_of_the_step_between_frames(courses_of):
    errors = []
    for rate in (100.0, 200.0):
        courses = courses_of(replace(EXACT, rate=rate))
        exact = gait_walker.joint_loads(courses.time)["right hip"].moment
        errors.append(rms((courses.joints["right hip"]["moment"] - exact)[20:-20]))
    assert 3.0 < errors[0] / errors[1] < 6.0


def test_powers_forces_and_angles_are_those_of_the_walker(courses):
    inside = slice(5, -5)
    exact, walk = gait_walker.joint_loads(courses.time), gait_walker.walk(courses.time)
    knee, load = courses.joints["right knee"], exact["right knee"]
    assert np.allclose(knee["power"][inside], load.power[inside], atol=2.0)
    assert np.allclose(knee["fx"][inside], load.force[inside, 0], atol=2.0)
    assert np.allclose(knee["fy"][inside], load.force[inside, 1], atol=2.0)
    angle = {name: walk.pieces[f"right {name}"].angle for name in ("thigh", "shank", "foot")}
    assert np.allclose(knee["angle"], angle["thigh"].value - angle["shank"].value, atol=1e-12)
    assert np.allclose(knee["rate"][inside], (angle["thigh"].rate - angle["shank"].rate)[inside], atol=1e-2)
    ankle = angle["foot"].value - angle["shank"].value - np.pi / 2
    assert np.allclose(courses.joints["right ankle"]["angle"], ankle, atol=1e-12)
    hip = angle["thigh"].value - walk.pieces["trunk"].angle.value
    assert np.allclose(courses.joints["right hip"]["angle"], hip, atol=1e-12)


def test_what_nobody_applies_is_nothing_for_a_walker_on_plates(courses):
    inside = slice(5, -5)
    assert rms(courses.residual["fx"][inside]) < 0.3
    assert rms(courses.residual["fy"][inside]) < 0.6
    assert rms(courses.residual["m"][inside]) < 0.6


def test_strikes_and_toe_offs_are_where_the_force_passes_the_threshold(courses):
    for event in courses.events:
        vertical = gait_walker.ground(np.array([event.time]))[event.side][0][0, 1]
        assert event.source == "force"
        assert vertical == pytest.approx(20.0, abs=0.05)
    assert [each.kind for each in courses.events].count("heel strike") == 5


def in_cm(how):
    return replace(how, unit="cm")


def in_mm(how):
    return replace(how, unit="mm")


def z_up(how):
    return replace(how, axes=("+x", "+z"))


def towards_minus_x(how):
    return replace(how, axes=("-x", "+z"))


def y_forward(how):
    return replace(how, axes=("+y", "+z"), unit="mm")


def down_is_plus(how):
    return replace(how, axes=("+z", "-y"))


@pytest.mark.parametrize("changed", [in_cm, in_mm, z_up, towards_minus_x, y_forward, down_is_plus])
def test_results_depend_on_no_units_axes_or_direction(courses_of, changed):
    how = replace(EXACT, settings=SMOOTH)
    one, other = courses_of(how), courses_of(changed(how))
    for label, course in one.joints.items():
        for quantity, values in course.items():
            assert np.allclose(other.joints[label][quantity], values, rtol=1e-9, atol=1e-9 * np.nanmax(abs(values)))


def test_left_for_right_gives_the_same_of_the_other_side(courses_of):
    def mirror(sheets):
        for name in ("Markers", "Force plates"):
            header = [str(cell) for cell in sheets[name][0]]
            across = [k for k, cell in enumerate(header) if cell.endswith((".z", ".fz", ".mx", ".my"))]
            for row in sheets[name][2:]:
                for k in across:
                    row[k] = -row[k]
            turned = {"right": "left", "left": "right"}
            sheets[name][0] = [
                f"{turned[cell.split()[0].split('.')[0]]}{cell[len(cell.split()[0].split('.')[0]) :]}"
                if cell.split()[0].split(".")[0] in turned
                else cell
                for cell in header
            ]
        sheets["Segments"] = [(*row[:2], "left hip") if row[0] == "trunk" else row for row in sheets["Segments"]]

    one, other = courses_of(), courses_of(change=mirror)
    for joint in ("hip", "knee", "ankle"):
        for quantity, values in one.joints[f"right {joint}"].items():
            size = np.nanmax(abs(values))
            assert np.allclose(other.joints[f"left {joint}"][quantity], values, rtol=1e-9, atol=1e-9 * size)


def test_one_leg_alone_has_the_same_joints_and_no_residual(courses, courses_of):
    def one_leg(sheets):
        sheets["Subject"].append(("side", "right"))

    alone = courses_of(change=one_leg)
    assert list(alone.joints) == ["right hip", "right knee", "right ankle"]
    assert alone.residual is None
    assert np.allclose(alone.joints["right hip"]["moment"], courses.joints["right hip"]["moment"], atol=1e-9)


def test_forces_in_centres_of_pressure_give_what_moments_give(courses, courses_of):
    def by_pressure(sheets):
        rows = []
        for row in sheets["Force plates"][2:]:
            time, *rest = row
            changed = [time]
            for fx, fy, _fz, _mx, _my, mz in (rest[:6], rest[6:]):
                changed += [fx, fy, None if fy < 1e-6 else mz / fy]
            rows.append(changed)
        header = ["time", *(f"{side}.{name}" for side in ("right", "left") for name in ("fx", "fy", "px"))]
        sheets["Force plates"] = [header, ["s", *(["N", "N", "m"] * 2)], *rows]

    other = courses_of(change=by_pressure)
    stands = courses.feet["right"]["fy"] > 20.0
    for label, course in courses.joints.items():
        found = other.joints[label]["moment"]
        assert np.allclose(found[stands], course["moment"][stands], atol=1e-6)


def test_no_moment_is_shown_while_a_foot_stands_beside_the_plates(courses_of):
    def without_second_contact(sheets):
        for row in sheets["Force plates"][2:]:
            if 1.0 < row[0] < 2.0:
                row[1:7] = [0.0] * 6

    found = courses_of(change=without_second_contact)
    exact = gait_walker.ground(found.time)["right"][0][:, 1]
    stands = (found.time > 1.2) & (found.time < 1.6) & (exact > 20.0)
    assert np.isnan(found.joints["right ankle"]["moment"][stands]).all()
    assert any(each.is_estimated for each in found.events)
    strides = strides_of([found])
    whole = stride_curves([found], strides, 101)["right knee", "moment"].values
    assert np.isfinite(whole[0]).all(), "the stride that ends with the missed contact is known to its end"


def test_joints_and_ground_do_all_the_work_unless_a_force_is_missing(tmp_path):
    def unexplained(change):
        sheets = walker_sheets(EXACT)
        if change:
            change(sheets)
        solved = run_gait(gait_book(tmp_path / "walk.xlsx", sheets)).solved
        return unexplained_power(solved_body(solved.trials[0], solved.book))

    def a_fifth_of_one_foot_less(sheets):
        for row in sheets["Force plates"][2:]:
            row[1:7] = [0.8 * value for value in row[1:7]]

    assert unexplained(None) < 2.0
    assert unexplained(a_fifth_of_one_foot_less) > 8.0
