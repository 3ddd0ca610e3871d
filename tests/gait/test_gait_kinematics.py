"""Segments that are joined: the exact walker is met, markers that are off pull by the least, and what is missing stays so."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.gait.body.anthropometry import SegmentMass
from sheetmbs.gait.body.body_segments import BodySegment
from sheetmbs.gait.kinematics.chain import follow_chain
from sheetmbs.gait.kinematics.jointed_tree import JointedTree, PointOn, fit_tree, proximal_ends, turned
from sheetmbs.gait.kinematics.least_squares import follow_least_squares
from sheetmbs.gait.kinematics.segments import follow_segments
from sheetmbs.gait.kinetics.joint_loads import joint_loads
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.trial.gait_book import SegmentRow
from tests.support import gait_walker as walker
from tests.support.gait_books import Recording, gait_book, walker_sheets

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
    assert np.allclose(length(fitted, "left shank", "left foot"), walker.SHANK_LENGTH, atol=3e-4)
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
        for each in segments[1:4]
    ]
    fixed = [replace(each, row=replace(each.row, length=each.length)) for each in heavy]
    fixed[0] = replace(fixed[0], row=replace(fixed[0].row, parent=None))
    found = follow_least_squares(points, fixed, rates).errors
    seen = ["hip", "right knee", "right ankle", "right mt5"]
    weight = {name: 1.0 if name == "hip" else 3.0 for name in seen}
    least = sum(weight[name] * found[name] ** 2 for name in seen)
    numbers = np.random.default_rng(3)
    tree = JointedTree(
        (-1, 0, 1),
        (PointOn(0, np.zeros(2), 0.0), PointOn(0, np.zeros(2), 1.0), PointOn(1, np.zeros(2), 1.0)),
        np.array([each.length for each in fixed]),
    )
    places = [PointOn(0, np.zeros(2), 0.0), *(PointOn(k, np.zeros(2), 1.0) for k in (0, 1, 2))]
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


def turning_pelvis(time=TIME, reach=0.02, lift=0.01):
    """The walker with hips that move to and fro beside the middle, as those of a pelvis that turns; its trunk ends there.

    reach, lift: m by which the right hip moves forward and up, and the left one the other way.
    """
    body = walker.walk(time)
    w = 2.0 * np.pi / walker.PERIOD
    size = np.array([reach, lift])
    away = walker.Motion(
        np.cos(w * time)[:, None] * size,
        -w * np.sin(w * time)[:, None] * size,
        -w * w * np.cos(w * time)[:, None] * size,
    )
    of_side = {"right": away, "left": away.times(-1.0)}
    moved = {
        name: each + of_side[name.split()[0]] if name.split()[0] in of_side else each
        for name, each in body.points.items()
    }
    pieces = {
        name: replace(
            each, **{part: getattr(each, part) + of_side[name.split()[0]] for part in ("proximal", "distal", "com")}
        )
        if name.split()[0] in of_side
        else each
        for name, each in body.pieces.items()
    }
    points = {name: np.column_stack((each.value, np.zeros(len(time)))) for name, each in moved.items()}
    return points, walker.Walk(time, moved, pieces)


def with_hips(trunk_ends="hip"):
    """Segments of which each leg begins at its own hip; the side of each is known."""
    _, segments, _ = walking()
    found = []
    for each in segments:
        side = each.row.name.split()[0] if each.row.name != "trunk" else None
        change = {"side": side}
        if "thigh" in each.row.name:
            change |= {"proximal": f"{side} hip", "line": (each.row.distal, f"{side} hip")}
        if side is None:
            change |= {"distal": trunk_ends, "line": (trunk_ends, "shoulder")}
        found.append(replace(each, row=replace(each.row, **change)))
    return found


@pytest.mark.parametrize("trunk_ends", ["hip", "right hip"])
@pytest.mark.parametrize("method", ["segments", *METHODS])
def test_legs_hang_where_their_own_hips_are_and_all_methods_find_the_exact_moments(method, trunk_ends):
    points, body = turning_pelvis()
    found = {"segments": follow_segments, **METHODS}[method](points, with_hips(trunk_ends), rates)
    for name, piece in body.pieces.items():
        if name != "trunk" or trunk_ends == "hip":
            assert np.abs(found.segments[name].com - piece.com.value).max() < 1e-9
    exact = walker.loads_of(body, walker.ground(TIME))
    moments = hip_moments(found)
    for label, below, rms in (("ankle", "foot", 0.01), ("knee", "shank", 0.08), ("hip", "thigh", 0.2)):
        for side in ("right", "left"):
            error = moments[f"{side} {below}"] - exact[f"{side} {label}"].moment
            assert np.sqrt(np.mean(error[INNER] ** 2)) < rms


def exchanged(name):
    """The same name of the other side."""
    one, _, rest = name.partition(" ")
    return {"right": f"left {rest}", "left": f"right {rest}"}.get(one, name)


@pytest.mark.parametrize("method", METHODS)
def test_moments_of_legs_do_not_depend_on_the_trunk_the_order_of_rows_or_the_names_of_sides(method):
    """Of noisy markers, whose lengths are not constant."""
    points = noisy(turning_pelvis()[0], 4e-3)
    segments, follow = with_hips("right hip"), METHODS[method]
    moments = hip_moments(follow(points, segments, rates))
    legs = [each for each in moments if each != "trunk"]

    without = [
        replace(each, row=replace(each.row, parent=None)) if "thigh" in each.row.name else each for each in segments
    ]
    alone = hip_moments(follow(points, without[1:], rates))
    backward = hip_moments(follow(points, segments[::-1], rates))
    mirrored = [
        replace(
            each,
            row=replace(
                each.row,
                name=exchanged(each.row.name),
                side=each.row.side and exchanged(f"{each.row.side} ").strip(),
                parent=each.row.parent and exchanged(each.row.parent),
                **{end: exchanged(getattr(each.row, end)) for end in ("proximal", "distal")},
                line=tuple(map(exchanged, each.row.line)),
            ),
        )
        for each in segments
    ]
    other = follow({exchanged(name): each for name, each in points.items()}, mirrored, rates)
    feet = {exchanged(name): wrench for name, wrench in wrenches().items()}
    other = joint_loads(list(other.segments.values()), feet, walker.GRAVITY).moment
    for name in legs:
        assert np.allclose(alone[name], moments[name], atol=1e-6)
        assert np.allclose(backward[name], moments[name], atol=1e-6)
        assert np.allclose(other[exchanged(name)], moments[name], atol=1e-6)


ABOVE = {"thigh": "hip", "shank": "knee", "foot": "ankle"}
BELOW = {"thigh": "knee", "shank": "ankle", "foot": "mt5"}


@pytest.mark.parametrize(
    ("method", "legs"),
    [
        ("chain", ("thigh", "shank", "foot")),
        ("chain", ("shank", "foot")),
        ("chain", ("foot",)),
        ("least squares", ("thigh", "shank", "foot")),
    ],
)
def test_a_moment_is_the_virtual_work_of_all_that_moves_when_the_markers_below_its_joint_turn(method, legs):
    """Markers are turned about the joint and followed again: inertia, weight and ground work on what has moved."""
    points, turn, upper = noisy(turning_pelvis()[0], 2e-3), 1e-5, legs[0]
    motion, ground = METHODS[method](points, with_hips(), rates).segments, wrenches()
    is_fitted = method == "least squares"
    at = motion["right thigh"].proximal if is_fitted else points[f"right {ABOVE[upper]}"][:, :2]
    below = [*(("right hip",) if is_fitted else ()), *(f"right {BELOW[each]}" for each in legs)]
    c, s = np.cos(turn), np.sin(turn)
    turned_points = dict(points)
    for name in below:
        turned_points[name] = np.column_stack(
            (at + (points[name][:, :2] - at) @ np.array([[c, s], [-s, c]]), 0.0 * TIME)
        )
    moved = METHODS[method](turned_points, with_hips(), rates).segments
    work = 0.0
    for each in motion.values():
        shift, angle = moved[each.name].com - each.com, moved[each.name].angle - each.angle
        demand = each.mass * (each.acceleration + np.array([0.0, walker.GRAVITY]))
        wrench = ground.get(each.name, np.zeros((len(TIME), 3)))
        about = wrench[:, 2] - each.com[:, 0] * wrench[:, 1] + each.com[:, 1] * wrench[:, 0]
        work = work + np.sum((demand - wrench[:, :2]) * shift, axis=1)
        work = work + (each.inertia * each.angular_acceleration - about) * angle
    moment = joint_loads(list(motion.values()), ground, walker.GRAVITY).moment[f"right {upper}"]
    assert np.abs(work / turn - moment).max() < 1e-3 * np.abs(moment).max()


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
