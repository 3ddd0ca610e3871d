"""Segments that are joined: the exact walker is met, markers that are off pull by the least, and what is missing stays so."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.gait.body.anthropometry import SegmentMass
from sheetmbs.gait.body.body_segments import BodySegment
from sheetmbs.gait.gait_product import run_gait
from sheetmbs.gait.kinematics.chain import follow_chain
from sheetmbs.gait.kinematics.jointed_tree import JointedTree, PointOn, proximal_ends, turned
from sheetmbs.gait.kinematics.least_squares import follow_least_squares
from sheetmbs.gait.kinematics.tree_fit import fit_tree
from sheetmbs.gait.kinetics.joint_loads import joint_loads
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.trial.gait_book import SegmentRow
from tests import gait_walker as walker
from tests.gait_books import Recording, gait_book, walker_sheets

RATE = 100.0
TIME = np.arange(221) / RATE
INNER = slice(10, -10)
METHODS = {"chain": follow_chain, "least squares": follow_least_squares}


def segment_of(piece, parent, proximal, distal, length):
    table = piece.name.split()[-1].replace("trunk", "hat")
    _, com, gyration = walker.TABLE[table]
    com = 1.0 - com if table == "hat" else com
    row = SegmentRow(
        name=piece.name,
        side=None,
        proximal=proximal,
        distal=distal,
        parent=parent,
        line=(distal, proximal),
        table=table,
        mass=None,
        mass_fraction=None,
        com=None,
        gyration=None,
        inertia=None,
        length="mean",
        markers=(),
        weights=(),
        cells={},
    )
    return BodySegment(row, SegmentMass(piece.mass, com, gyration, None), length, piece.inertia)


def walking(time=TIME):
    """Points (n, 3) of the walker, its segments as a workbook has them, and their true motion."""
    body = walker.walk(time)
    points = {name: np.column_stack((each.value, np.zeros(len(time)))) for name, each in body.points.items()}
    ends = {"trunk": (None, "shoulder", "hip", walker.TRUNK_LENGTH)}
    for side in ("right", "left"):
        ends[f"{side} thigh"] = ("trunk", "hip", f"{side} knee", walker.THIGH_LENGTH)
        ends[f"{side} shank"] = (f"{side} thigh", f"{side} knee", f"{side} ankle", walker.SHANK_LENGTH)
        foot = float(np.hypot(*(walker.ANKLE - walker.MT5)))
        ends[f"{side} foot"] = (f"{side} shank", f"{side} ankle", f"{side} mt5", foot)
    return points, [segment_of(body.pieces[name], *rest) for name, rest in ends.items()], body


def rates(values):
    return derivatives(values, RATE)


def wrenches(time=TIME):
    return {f"{side} foot": np.column_stack(wrench) for side, wrench in walker.ground(time).items()}


def hip_moments(motion, time=TIME):
    loads = joint_loads(list(motion.segments.values()), wrenches(time), walker.GRAVITY)
    return loads.moment


@pytest.mark.parametrize("method", METHODS)
def test_the_exact_walker_is_met_and_its_moments_are_found(method):
    points, segments, body = walking()
    found = METHODS[method](points, segments, rates)
    for name, piece in body.pieces.items():
        motion = found.segments[name]
        assert np.abs(motion.com - piece.com.value).max() < 1e-9
        assert np.abs(motion.proximal - piece.proximal.value).max() < 1e-9
        turn = (motion.angle - piece.angle.value) / (2 * np.pi)
        assert np.abs(turn - np.round(turn[0])).max() < 1e-9
        largest = np.abs(piece.com.second).max()
        assert np.abs(motion.acceleration - piece.com.second)[INNER].max() < 0.015 * largest, "of a spline"
        assert np.allclose(found.lines[name], motion.angle)
    moments = hip_moments(found)
    for label, below, rms in (("ankle", "foot", 0.01), ("knee", "shank", 0.08), ("hip", "thigh", 0.2)):
        for side in ("right", "left"):
            error = moments[f"{side} {below}"] - walker.joint_loads(TIME)[f"{side} {label}"].moment
            assert np.sqrt(np.mean(error[INNER] ** 2)) < rms
    assert max(np.nanmax(each) for each in found.errors.values()) < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_velocities_and_accelerations_of_a_chain_are_those_of_its_places(method):
    """Of soft lengths too: the chain moves as one mechanism, so its com differs from the measured one, not from itself."""
    points, segments, _ = walking()
    points["right knee"] = points["right knee"] + np.outer(0.01 * np.sin(8.0 * TIME), [1.0, 1.0, 0.0])
    found = METHODS[method](points, segments, rates).segments["right foot"]
    first, second = derivatives(found.com.T, RATE)
    assert np.abs(found.velocity - first.T)[INNER].max() < 1e-3
    assert np.abs(found.acceleration - second.T)[INNER].max() < 0.3


def noisy(points, size=1e-3):
    rng = np.random.default_rng(7)
    return {
        name: each + size * rng.normal(size=each.shape) * np.array([1.0, 1.0, 0.0]) for name, each in points.items()
    }


def test_lengths_are_fitted_over_the_trial_or_stay_as_they_are_given():
    points, segments, _ = walking()
    wrong = [replace(each, length=1.02 * each.length) for each in segments]
    fitted = follow_least_squares(noisy(points), wrong, rates)
    given = follow_least_squares(
        points, [replace(each, row=replace(each.row, length=each.length)) for each in wrong], rates
    )

    def length(found, upper, lower):
        away = found.segments[upper].proximal - found.segments[lower].proximal
        return np.linalg.norm(away, axis=1)

    assert np.allclose(length(fitted, "right thigh", "right shank"), walker.THIGH_LENGTH, atol=3e-4)
    assert np.allclose(length(given, "right thigh", "right shank"), 1.02 * walker.THIGH_LENGTH, atol=1e-12)
    assert np.allclose(length(fitted, "trunk", "right thigh"), walker.TRUNK_LENGTH, atol=3e-4)
    rms = {name: np.sqrt(np.mean(each**2)) for name, each in fitted.errors.items()}
    assert all(0.0005 < each < 0.002 for each in rms.values()), rms
    assert np.sqrt(np.mean(given.errors["right ankle"] ** 2)) > 0.002


def where(tree, places, roots, angles):
    ends = proximal_ends(tree, roots, angles)
    return np.stack([ends[each.segment] + turned(angles[:, each.segment], tree.arm(each)) for each in places])


def test_the_fit_is_the_least_of_all_poses_nearby():
    points, segments, _ = walking(TIME[:30])
    points = noisy(points, 5e-3)
    heavy = [
        replace(each, row=replace(each.row, markers=(each.row.proximal, each.row.distal), weights=(1.0, 3.0)))
        for each in segments
    ]
    fixed = [replace(each, row=replace(each.row, length=each.length)) for each in heavy]
    found = follow_least_squares(points, fixed, rates).errors
    seen = ["shoulder", *(f"{side} {name}" for side in ("right", "left") for name in ("knee", "ankle", "mt5")), "hip"]
    weight = {name: 1.0 if name == "shoulder" else 3.0 for name in seen}
    least = sum(weight[name] * found[name] ** 2 for name in seen)
    numbers = np.random.default_rng(3)
    tree = JointedTree(
        (-1, 0, 1, 2, 0, 4, 5),
        tuple(PointOn(k, np.zeros(2), 1.0) for k in (0, 0, 1, 2, 0, 4, 5)),
        np.array([each.length for each in fixed]),
    )
    places = [PointOn(0, np.zeros(2), 0.0), *(PointOn(k, np.zeros(2), 1.0) for k in (1, 2, 3, 4, 5, 6, 0))]
    markers = np.stack([points[name][:, :2] for name in seen])
    weights = np.array([weight[name] for name in seen])
    angles = np.column_stack([walker.walk(TIME[:30]).pieces[each.row.name].angle.value for each in fixed])
    start = points["hip"][:, :2]
    best = fit_tree(tree, places, markers, weights, [start], angles)
    assert np.allclose(weights @ best.errors**2, least, rtol=1e-9)
    for _ in range(20):
        moved = best.angles + 1e-3 * numbers.normal(size=best.angles.shape)
        shifted = best.roots[0] + 1e-3 * numbers.normal(size=start.shape)
        away = np.linalg.norm(markers - where(tree, places, [shifted], moved), axis=2)
        assert np.all(weights @ away**2 > least)


def test_a_marker_that_is_missing_leaves_what_others_determine_and_blanks_the_rest():
    points, segments, body = walking()
    points["right knee"][100:103] = np.nan
    points["left mt5"][50:60] = np.nan
    found = follow_least_squares(points, segments, rates).segments
    exact = body.pieces["right shank"].angle.value
    assert np.abs(found["right shank"].angle - exact)[100:103].max() < 1e-6, "hip, ankle and lengths tell the knee"
    assert np.flatnonzero(np.isnan(found["left foot"].angle)).tolist() == list(range(50, 60))
    assert np.all(np.isfinite(found["left shank"].angle))
    chained = follow_chain(points, segments, rates).segments
    assert np.flatnonzero(np.isnan(chained["right shank"].angle)).tolist() == [100, 101, 102]
    assert np.all(np.isfinite(chained["left shank"].com))


def test_hips_beside_the_trunks_end_stay_where_they_are_on_it():
    points, segments, body = walking()
    turn = body.pieces["trunk"].angle.value
    beside = np.column_stack((0.05 * np.cos(turn), 0.05 * np.sin(turn), 0.0 * turn))
    for side, sign in (("right", 1.0), ("left", -1.0)):
        for name in ("hip", "knee", "ankle", "mt5"):
            own = points[f"{side} {name}"]
            points[f"{side} {name}"] = own + sign * beside
    named = [
        replace(each, row=replace(each.row, proximal=each.row.name.split()[0] + " hip"))
        if "thigh" in each.row.name
        else each
        for each in segments
    ]
    named = [replace(each, row=replace(each.row, line=(each.row.distal, each.row.proximal))) for each in named]
    for follow in METHODS.values():
        found = follow(points, named, rates)
        assert max(np.nanmax(each) for each in found.errors.values()) < 1e-6


def test_a_line_that_joints_show_keeps_its_angle_to_the_segment():
    points, segments, _ = walking()
    foot = next(k for k, each in enumerate(segments) if each.row.name == "right foot")
    lined = list(segments)
    lined[foot] = replace(segments[foot], row=replace(segments[foot].row, line=("right mt5", "right heel")))
    for follow in METHODS.values():
        found = follow(points, lined, rates)
        line = points["right heel"] - points["right mt5"]
        turned = (found.lines["right foot"] - np.arctan2(line[:, 1], line[:, 0])) / (2 * np.pi)
        assert np.abs(turned - np.round(turned)).max() < 1e-9


def test_two_legs_without_a_trunk_are_two_trees():
    points, segments, body = walking()
    legs = [
        replace(each, row=replace(each.row, parent=None)) if "thigh" in each.row.name else each for each in segments[1:]
    ]
    for follow in METHODS.values():
        found = follow(points, legs, rates)
        assert np.abs(found.segments["left foot"].com - body.pieces["left foot"].com.value).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_a_workbook_that_asks_for_another_method_finds_the_walkers_moments(method, tmp_path):
    sheets = walker_sheets(Recording(settings={"kinematics": method}))
    solved = run_gait(gait_book(tmp_path / "walker.xlsx", sheets)).solved
    courses = solved.courses[0]
    exact = walker.joint_loads(courses.time)
    for label, course in courses.joints.items():
        known = np.isfinite(course["moment"])
        known[:20], known[-20:] = False, False
        error = (course["moment"] - exact[label].moment)[known]
        assert known.sum() > 100
        assert np.sqrt(np.mean(error**2)) < 0.25
    assert solved.trials[0].motion.errors["right ankle"].max() < 1e-6
