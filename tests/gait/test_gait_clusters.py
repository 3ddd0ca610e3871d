"""The walker in space, seen by clusters of markers: its poses, angles, moments and powers come back."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sheetmbs.gait.joint_courses import angles_in_space, joint_in_space
from sheetmbs.gait.kinematics.clustered_segments import follow_clusters
from sheetmbs.gait.kinetics.joint_loads import spatial_loads
from sheetmbs.gait.quality.space_inputs import check_clusters_given
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.method_words import settings_in_words
from sheetmbs.gait.solve_trial import Choices, solve_trial
from sheetmbs.gait.trial.gait_book import FrameRow, JointRow
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.problem_list import ProblemList
from tests.gait.test_gait_in_space import THIGH, TIME, in_space, rates
from tests.gait.test_gait_kinematics import walking
from tests.support import gait_walker as walker
from tests.support.gait_books import gait_book, walker_sheets

PROCESSING = SimpleNamespace(moment_axes="jcs", kinematics="segments", places={})
INNER = slice(10, -10)
ABOVE = {"ankle": ("foot", "shank"), "knee": ("shank", "thigh"), "hip": ("thigh", "trunk")}


def seen(time):
    """Points (n, 3) of the walker in space: five markers on each segment, its ends, and one to its right."""
    segments, wrenches, _ = in_space(time)
    lengths = {each.row.name: each for each in walking(time[:4])[1]}
    points = {}
    for each in segments:
        length = lengths[each.name].length
        for k, local in enumerate(THIGH):
            points[f"{each.name} {k}"] = each.com + each.rotation @ local
        points[f"{each.name} proximal"] = each.proximal
        points[f"{each.name} distal"] = each.proximal - length * each.rotation[:, :, 1]
        points[f"{each.name} beside"] = each.proximal + 0.05 * each.rotation[:, :, 2]
    return points, segments, wrenches


def rows():
    """Segments with their clusters, and their anatomical frames."""
    segments, frames = [], []
    for each in walking(TIME[:4])[1]:
        name = each.row.name
        markers = tuple(f"{name} {k}" for k in range(len(THIGH)))
        ends = {"proximal": f"{name} proximal", "distal": f"{name} distal"}
        segments.append(replace(each, row=replace(each.row, markers=markers, **ends)))
        frames.append(FrameRow(name, ends["proximal"], (ends["distal"], ends["proximal"]), f"{name} beside", "yxz", ""))
    return segments, frames


def book_of(segments, frames):
    listed = tuple(each.row for each in segments)
    return SimpleNamespace(segments=listed, frames=frames, processing=PROCESSING, conventional=None)


@pytest.fixture(scope="module")
def followed():
    segments, frames = rows()
    points, exact, wrenches = seen(TIME)
    standing = {name: np.tile(each[0], (10, 1)) for name, each in seen(np.array([0.31]))[0].items()}
    return follow_clusters(points, standing, segments, frames, rates), exact, wrenches, book_of(segments, frames)


def test_segments_follow_their_clusters(followed):
    found, exact, _, _ = followed
    for each in exact:
        own = found.segments[each.name]
        assert np.abs(own.rotation - each.rotation).max() < 1e-12
        assert np.abs(own.proximal - each.proximal).max() < 1e-12
        assert np.abs(own.com - each.com).max() < 1e-12
        assert np.abs(own.omega - each.omega)[INNER].max() < 1e-3 * np.abs(each.omega).max()
        assert np.abs(own.alpha - each.alpha)[INNER].max() < 0.02 * np.abs(each.alpha).max()
        assert np.isclose(own.inertia[2, 2], each.inertia[2, 2]), "about the axis in which it swings"
        assert own.inertia[1, 1] < 0.4 * own.inertia[2, 2], "less about its line"
        assert found.residuals[each.name].max() < 1e-12


@pytest.mark.parametrize("axes", ["jcs", "distal", "proximal"])
def test_joints_have_the_angles_moments_and_powers_of_the_planar_walker(followed, axes):
    found, _, wrenches, book = followed
    book = SimpleNamespace(**vars(book) | {"processing": SimpleNamespace(moment_axes=axes)})
    loads = spatial_loads(list(found.segments.values()), wrenches, walker.GRAVITY)
    pieces = walker.walk(TIME).pieces
    known = TIME < 1.9
    for label, load in walker.joint_loads(TIME).items():
        side, joint = label.split()
        below, above = ABOVE[joint]
        names = f"{side} {below}", above if above == "trunk" else f"{side} {above}"
        row = JointRow(joint, side, names[1], names[0], 0.0, "flexion", "")
        course = joint_in_space(row, found, loads, known, {"flexion": 0.1}, book)
        turned = pieces[names[0]].angle.value - pieces[names[1]].angle.value
        turned = (-turned if joint == "knee" else turned) - 0.1
        assert np.abs(np.sin(course["flexion"] - turned)).max() < 1e-9
        assert np.abs(course["adduction"]).max() < 1e-9
        moment = course["moment_flexion" if axes == "jcs" else "mz"]
        assert np.all(np.isnan(moment[~known]))
        error = (moment - load.moment)[INNER][known[INNER]]
        assert np.sqrt(np.nanmean(error**2)) < 0.2
        assert np.sqrt(np.nanmean((course["power"] - load.power)[known][10:] ** 2)) < 1.0
        plain = angles_in_space(row, found, book)["flexion"]
        extended = angles_in_space(replace(row, positive="extension"), found, book)["flexion"]
        assert np.allclose(plain, -extended)


def test_a_marker_that_is_lost_costs_nothing_where_three_are_left():
    segments, frames = rows()
    points, exact, _ = seen(TIME)
    standing = {name: np.tile(each[0], (10, 1)) for name, each in seen(np.array([0.31]))[0].items()}
    for k in (0, 3):
        points[f"right shank {k}"] = points[f"right shank {k}"].copy()
        points[f"right shank {k}"][50:90] = np.nan
    found = follow_clusters(points, standing, segments, frames, rates).segments["right shank"]
    shank = next(each for each in exact if each.name == "right shank")
    assert np.abs(found.com - shank.com).max() < 1e-12


def told_of(segments, frames, standing, kinematics="segments"):
    """What check_clusters_given says of these rows, without trials."""
    processing = SimpleNamespace(kinematics=kinematics, places={"kinematics": "Processing!B7"})
    report = ProblemList(("Processing", "Segments", "Anatomical frames"))
    book = SimpleNamespace(segments=segments, frames=frames, centres=(), processing=processing, made_of=dict.fromkeys)
    check_clusters_given(book, (), standing, report)
    return report.problems()


def test_what_a_workbook_lacks_in_space_is_told_at_its_cells():
    segments, frames = rows()
    few = replace(segments[2].row, markers=("a", "b"), cells={"markers": "Segments!M4", "name": "Segments!A4"})
    cells = {name: f"Segments!{name}" for name in ("name", "markers", "proximal", "distal")}
    whole = [replace(each.row, cells=cells) for each in segments]
    points = seen(TIME[:4])[0]
    told = told_of((*whole[:2], few), frames[:2], points | dict.fromkeys("ab", points["right foot 0"]), "chain")
    assert [(each.cell, each.code) for each in told] == [
        ("Processing!B7", "kinematics"),
        ("Segments!A4", "frame"),
        ("Segments!M4", "cluster"),
    ]
    assert told_of(whole, frames, points) == []
    del points["right foot beside"]
    [lost] = told_of(whole, frames, points)
    assert (lost.found, lost.problem) == ("right foot beside", "the standing trial does not have it")


def workbook(path, **settings):
    """The walker in space as a workbook."""
    return gait_book(path, sheets_in_space(**settings))


def sheets_in_space(lean=None, **settings):
    """The walker in space: clusters, a standing trial, frames, and the forces on either foot.

    lean: turns (n, 3, 3) of the trunk about its lower end while it walks.
    """
    time = np.arange(261) / 100.0
    points, segments, wrenches = seen(time)
    standing = {name: np.tile(each[0], (12, 1)) for name, each in seen(np.array([0.31]))[0].items()}
    for side in ("right", "left"):
        foot = next(each for each in segments if each.name == f"{side} foot")
        points[f"{side} heel"] = foot.com + foot.rotation @ [0.0, 0.12, 0.0]
        points[f"{side} toe"] = points[f"{side} foot distal"]
    if lean is not None:
        hip = points["trunk proximal"]
        for name in [each for each in points if each.startswith("trunk ")]:
            points[name] = hip + np.einsum("nij,nj->ni", lean, points[name] - hip)
    names = [each.name for each in segments]
    sheets = walker_sheets()
    sheets["Settings"] = [("setting", "value"), ("analysis", "gait"), ("dimension", "3D")]
    sheets["Processing"] += [("axis_forward", "+x"), ("axis_up", "+y"), *settings.items()]
    sheets["Segments"] = [
        ("name", "side", "proximal", "distal", "parent", "table", "markers"),
        *(
            (
                name,
                name.split()[0] if " " in name else None,
                f"{name} proximal",
                f"{name} distal",
                next(each.parent for each in segments if each.name == name),
                name.split()[-1].replace("trunk", "hat"),
                "; ".join(f"{name} {k}" for k in range(len(THIGH))),
            )
            for name in names
        ),
    ]
    sheets["Gait joints"] = [
        ("name", "side", "proximal", "distal", "neutral", "positive"),
        *(
            (joint, side, above if above == "trunk" else f"{side} {above}", f"{side} {below}", 0, "flexion")
            for side in ("right", "left")
            for joint, (below, above) in ABOVE.items()
        ),
    ]
    sheets["Anatomical frames"] = [
        ("segment", "origin", "axis_1", "from", "to", "plane", "order"),
        *((n, f"{n} proximal", "y", f"{n} distal", f"{n} proximal", f"{n} beside", "yxz") for n in names),
    ]
    for sheet, rows_, count in (("Markers", points, 261), ("Markers static", standing, 12)):
        header = ["time", *(f"{name}.{axis}" for name in rows_ for axis in "xyz")]
        numbers = np.column_stack((time[:count], *rows_.values()))
        sheets[sheet] = [header, ["s", *(["m"] * (len(header) - 1))], *numbers.tolist()]
    header = ["time", *(f"{side}.{kind}{axis}" for side in ("right", "left") for kind in "fm" for axis in "xyz")]
    units = ["s", *((["N"] * 3 + ["N*m"] * 3) * 2)]
    loads = np.column_stack((time, wrenches["right foot"], wrenches["left foot"]))
    sheets["Force plates"] = [header, units, *loads.tolist()]
    return sheets


def test_a_workbook_in_space_gives_the_moments_of_the_walker(tmp_path):
    courses = run_gait(workbook(tmp_path / "space.xlsx")).solved.courses[0]
    exact = walker.joint_loads(courses.time)
    for label, course in courses.joints.items():
        known = np.isfinite(course["moment"])
        known[:20], known[-20:] = False, False
        assert known.sum() > 100
        error = (course["moment_flexion"] - exact[label].moment)[known]
        assert np.sqrt(np.mean(error**2)) < 0.25
        assert np.abs(course["moment_adduction"][known]).max() < 0.05, "legs swing in their planes"
        assert np.abs(course["adduction"]).max() < 1e-6
        assert np.array_equal(course["angle"], course["flexion"])


def test_a_workbook_in_space_without_its_frames_is_refused_at_its_cells(tmp_path):
    path = workbook(tmp_path / "space.xlsx", kinematics="chain")
    with pytest.raises(WorkbookError, match="in 3D segments follow their clusters, each by itself or all joined"):
        run_gait(path)


def test_a_shifted_centre_of_pressure_changes_moments_in_space_by_force_times_shift(tmp_path):
    solved = run_gait(workbook(tmp_path / "space.xlsx")).solved
    prepared = solved.prepared
    plain = solved.courses[0]
    choices = Choices("none", pressure=0.005)
    shifted = solve_trial(prepared.trials[0], prepared.book, prepared.standing, choices).courses
    change = shifted.joints["right ankle"]["moment_flexion"] - plain.joints["right ankle"]["moment_flexion"]
    known = np.isfinite(change)
    heading = np.cos(0.4)
    assert np.allclose(change[known], -0.005 * heading * plain.feet["right"]["fy"][known], atol=1e-9)
    assert np.abs(change[known]).max() > 2.0


def test_markers_that_only_the_standing_trial_has_are_carried_by_their_clusters(tmp_path):
    """Medial markers come off before the walk, or their columns stay blank: that is no fault, and changes no number."""
    whole = run_gait(workbook(tmp_path / "whole.xlsx")).solved
    sheets = sheets_in_space()
    gone = [k for k, name in enumerate(sheets["Markers"][0]) if name.rpartition(".")[0].endswith(("distal", "beside"))]
    blank = [k for k, name in enumerate(sheets["Markers"][0]) if name.startswith("right shank proximal.")]
    assert len(gone) > 30
    for row in sheets["Markers"][2:]:
        for k in blank:
            row[k] = None
    sheets["Markers"] = [[each for k, each in enumerate(row) if k not in gone] for row in sheets["Markers"]]
    found = run_gait(gait_book(tmp_path / "bare.xlsx", sheets)).solved
    # the axes of its feet stand aslant, so its ankles have a mean that is none of a walk
    assert {each.code for each in found.problems} <= {"plausible-angles"}
    assert ("right shank proximal", "right shank") in found.book.trials[0].carried
    words = list(settings_in_words(found.book, found.courses, {}))
    told = "right shank proximal: not in the walk, moves with the cluster of right shank"
    assert ("carried markers", told) in words
    for label, course in whole.courses[0].joints.items():
        for name, values in course.items():
            there = found.courses[0].joints[label][name]
            assert np.allclose(there, values, rtol=0.0, atol=1e-6 * max(1.0, np.nanmax(np.abs(values))), equal_nan=True)
    thigh = whole.courses[0].segments["right shank"]["angle"]
    assert np.allclose(found.courses[0].segments["right shank"]["angle"], thigh, atol=1e-6)


def test_a_marker_of_a_cluster_must_be_in_the_walk(tmp_path):
    sheets = sheets_in_space()
    gone = [k for k, name in enumerate(sheets["Markers"][0]) if name.startswith("right thigh 2.")]
    sheets["Markers"] = [[each for k, each in enumerate(row) if k not in gone] for row in sheets["Markers"]]
    with pytest.raises(
        WorkbookError, match="right thigh 2'; no marker or joint centre has this name on 'Markers'"
    ) as raised:
        run_gait(gait_book(tmp_path / "bare.xlsx", sheets))
    assert "did you mean right thigh 2" not in str(raised.value)
