"""Trials out again: what other programs read is what was solved, to 1e-6 m and 1e-6 N."""

import re

import numpy as np
import pytest

from sheetmbs.command.cli import app
from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.trial.recorded import plate_axes
from sheetmbs.workbook.writing.new_workbook import new_book


def command(*words):
    with pytest.raises(SystemExit) as ended:
        app([str(word) for word in words])
    return ended.value.code


@pytest.fixture(scope="module", params=["gait-2d", "gait-3d"])
def exported(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    book = folder / "walk.xlsx"
    new_book(request.param, book)
    assert command("export", "gait", book, folder / "out") == 0
    return run_gait(book), folder / "out", book


def trial_of(results):
    return results.solved.trials[0]


def test_markers_and_joint_centres_come_back(exported):
    results, out, _book = exported
    found = read_lab_file(out / "walk.trc")[0].markers
    courses = trial_of(results).courses
    assert set(found.labels) == {label for label, course in courses.points.items() if np.isfinite(course[:, :2]).any()}
    for label, course in zip(found.labels, found.positions, strict=True):
        np.testing.assert_allclose(course[:, :2], courses.points[label][:, :2], atol=1e-6)
    np.testing.assert_allclose(found.stamps.times, courses.time, atol=1e-9)


def test_wrenches_come_back_and_say_on_which_foot_they_act(exported):
    results, out, _book = exported
    trial = trial_of(results)
    found = read_lab_file(out / "walk.mot")[0].forces
    assert len(found.plates) == len(trial.ground.plates)
    for plate, (_name, wrench) in zip(found.plates, trial.ground.plates.items(), strict=True):
        axes = trial.prepared.axes
        force, moment = (np.nan_to_num(axes.apply(each)) for each in (wrench.force, wrench.moment))
        np.testing.assert_allclose(plate.force, force, atol=1e-6)
        loaded = np.abs(force[:, 1]) > 50.0
        torque = moment - np.cross(np.nan_to_num(axes.apply(wrench.pressure)), force)
        np.testing.assert_allclose(
            np.nan_to_num(plate.pressure)[loaded], np.nan_to_num(axes.apply(wrench.pressure))[loaded], atol=1e-6
        )
        np.testing.assert_allclose(plate.free_moment[loaded], torque[loaded, 1], atol=1e-6)
    text = (out / "walk.mot").read_text()
    name = next(iter(trial.ground.plates))
    assert f"ground_force_{name}_vx" in text
    assert f"ground_torque_{name}_x" in text
    text = (out / "external_loads.xml").read_text()
    bodies = dict(re.findall(r'<ExternalForce name="(\w+)">\s*<applied_to_body>(\w+)<', text))
    assert bodies == {"right": "calcn_r", "left": "calcn_l"}
    assert "<datafile>walk.mot</datafile>" in text


def test_angles_and_moments_stand_under_our_names(exported):
    results, out, _book = exported
    lines = (out / "walk.sto").read_text().splitlines()
    assert "inDegrees=yes" in lines
    heads = lines[lines.index("endheader") + 1].split("\t")
    values = np.array([line.split("\t") for line in lines[lines.index("endheader") + 2 :]], float)
    series = next(iter(results.series.values()))
    quantity = "angle" if "right knee.angle" in heads else "flexion"
    for name in (f"right knee.{quantity}", next(head for head in heads if head.startswith("left hip.moment"))):
        np.testing.assert_allclose(values[:, heads.index(name)], series[name].to_numpy(float), atol=1e-8)


def test_a_c3d_holds_markers_events_and_results(exported):
    results, out, _book = exported
    courses = trial_of(results).courses
    found, _problems = read_lab_file(out / "walk.c3d")
    for label, course in zip(found.markers.labels, found.markers.positions, strict=True):
        known = {name.replace(".", "_"): course for name, course in courses.points.items()}
        np.testing.assert_allclose(course[:, :2], known[label][:, :2], atol=1e-6)
    events = sorted((each.time, each.kind, each.side) for each in courses.events)
    told = [(each.time, each.kind, each.side) for each in found.events]
    np.testing.assert_allclose([each[0] for each in told], [each[0] for each in events], atol=1e-6)
    assert [each[1:] for each in told] == [each[1:] for each in events]
    columns = {each.header: each.values for each in found.outputs.columns}
    assert any(header.startswith("right knee_moment.x") for header in columns)
    assert {each.unit for each in found.outputs.columns} >= {"deg", "W/kg"}


def test_no_file_is_overwritten_and_kinds_are_chosen(exported):
    _results, out, book = exported
    assert command("export", "gait", book, out) == 2
    assert command("export", "gait", book, out.parent / "one", "--sto") == 0
    assert [path.name for path in (out.parent / "one").iterdir()] == ["walk.sto"]


def test_plates_of_a_c3d_come_back_in_our_reader_and_in_ezc3d(exported):
    """C3D holds numbers of 24 bits: forces of 1 kN come back to 1e-4 N, moments of 1 kN m to 1e-4 N m."""
    ezc3d = pytest.importorskip("ezc3d")
    results, out, _book = exported
    trial = trial_of(results)
    axes = trial.prepared.axes
    found, problems = read_lab_file(out / "walk.c3d")
    assert not [each for each in problems if each.severity == "error"]
    file = ezc3d.c3d(str(out / "walk.c3d"), extract_forceplat_data=True)
    platforms = file["data"]["platform"]
    assert len(found.forces.plates) == len(platforms) == len(trial.ground.plates)
    for number, wrench in enumerate(trial.ground.plates.values()):
        force, moment = (np.nan_to_num(axes.apply(each)) for each in (wrench.force, wrench.moment))
        lies = found.geometry[number]
        turn, middle = plate_axes(lies.corners), lies.corners.mean(axis=0)
        assert lies.sign == "reaction"
        ours = found.forces.plates[number].force @ turn.T
        np.testing.assert_allclose(ours, force, atol=1e-4)
        about = found.forces.plates[number].moment @ turn.T + np.cross(middle + turn @ lies.origin, ours)
        np.testing.assert_allclose(about, moment, atol=5e-4)
        np.testing.assert_allclose(platforms[number]["force"].T, force, atol=1e-4)
        loaded = np.abs(force[:, 1]) > 50.0
        pressure = 1e-3 * platforms[number]["center_of_pressure"].T
        np.testing.assert_allclose(pressure[loaded], np.nan_to_num(axes.apply(wrench.pressure))[loaded], atol=1e-4)
