"""Files of laboratories: one recording exported into each layout is the same again, pasted too; slips by their lines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetmbs.gait.formats import c3d_files
from sheetmbs.gait.formats.lab_files import read_lab_file, read_recording
from sheetmbs.gait.formats.text_cells import text_cells
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.problem_list import ProblemList
from tests.support import gait_files as files
from tests.support.gait_recordings import CORNERS, LABELS, lab_wrench, read_rows, walk
from tests.support.shared import shared

TRIAL = shared("gait-data")
MADE = walk()
MARKERS = {
    "trc": (files.trc(MADE), "mm"),
    "trc without a blank row": (files.trc(MADE, blank_row=False), "mm"),
    "trc with more labels than told": (files.trc(MADE, more_than_told=2), "mm"),
    "trc with zeros for missing": (files.trc(MADE, missing="0.0000"), "mm"),
    "trc with NaN for missing": (files.trc(MADE, missing="NaN"), "mm"),
    "sto": (files.opensim_markers(MADE), "m"),
    "vicon": (files.vicon(MADE, devices=False), "mm"),
    "vicon with semicolons and decimal commas": (files.vicon(MADE, ";", ",", devices=False), "mm"),
    "vicon with tabs": (files.vicon(MADE, "\t"), "mm"),
    "qualisys": (files.qualisys(MADE), "mm"),
    "qualisys of version 2": (files.qualisys(MADE, version=True), "mm"),
    "qualisys without headers": (files.qualisys(MADE, headers=False), "mm"),
    "qualisys without frames and times": (files.qualisys(MADE, counters=False), "mm"),
    "qualisys without either": (files.qualisys(MADE, counters=False, headers=False), "mm"),
    "qualisys with NULL for missing": (files.qualisys(MADE, missing="NULL"), "mm"),
    "plain csv": (files.own_csv(MADE), "mm"),
}


def recorded(tmp_path, text, name="walk.txt", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return read_lab_file(path)


def assert_markers(markers, made=MADE, rtol=0.0, atol=1e-12):
    assert markers.labels == made.labels
    np.testing.assert_allclose(markers.positions, made.markers, rtol=rtol, atol=atol)


@pytest.mark.parametrize(("text", "unit"), MARKERS.values(), ids=MARKERS)
def test_each_layout_gives_the_same_markers(tmp_path, text, unit):
    found, problems = recorded(tmp_path, text)
    assert problems == []
    notes = [note for note in found.notes if not note.startswith("the head says")]
    assert not notes or "EMG" in text
    assert_markers(found.markers)
    assert found.markers.unit == unit
    np.testing.assert_array_equal(found.markers.stamps.frames, np.arange(1, 41))
    assert found.markers.stamps.rate in (None, 100.0)
    if np.isfinite(found.markers.stamps.times).all():
        np.testing.assert_allclose(found.markers.stamps.times, MADE.times, atol=1e-12)
    else:
        assert found.markers.stamps.rate == 100.0


PASTED = {name: each for name, each in MARKERS.items() if name != "plain csv"}


@pytest.mark.parametrize(("text", "unit"), PASTED.values(), ids=PASTED)
def test_what_is_pasted_is_read_like_the_file(tmp_path, text, unit):
    cells = text_cells(text, "x", ProblemList(("x",)))
    rows = [[None] * max(cells.rows[row]) if row in cells.rows else [] for row in range(1, max(cells.rows) + 1)]
    for row, content in cells.rows.items():
        for column, cell in content.items():
            rows[row - 1][column - 1] = cell.value
    found, problems = read_rows(tmp_path, "Markers", rows)
    assert problems == []
    assert_markers(found.markers)
    assert found.markers.headers[0].sheet == "Markers"
    assert found.markers.unit == unit


FORCES = {
    "cortex": (files.cortex_forces(MADE), ("FP1", "FP2")),
    "mot": (files.opensim_forces(MADE), ("FP1", "FP2")),
    "mot of old": (files.opensim_forces(MADE, old=True), ("FP1", "FP2")),
    "mot with numbers": (files.opensim_forces(MADE, ("ground_force_1_", "ground_force_3_")), ("FP1", "FP3")),
    "mot of feet": (files.opensim_forces(MADE, ("ground_force_r_", "ground_force_l_")), ("right", "left")),
    "mot of bodies": (
        files.opensim_forces(MADE, ("ground_force_calcn_l_", "ground_force_calcn_r_")),
        ("left", "right"),
    ),
}


@pytest.mark.parametrize(("text", "names"), FORCES.values(), ids=FORCES)
def test_each_layout_of_reduced_forces_gives_the_same_wrenches(tmp_path, text, names):
    found, problems = recorded(tmp_path, text)
    assert problems == []
    assert found.markers is None
    assert tuple(plate.name for plate in found.forces.plates) == names
    for at, plate in enumerate(found.forces.plates):
        force, moment = lab_wrench(plate, None)
        np.testing.assert_allclose(force, MADE.force[at], atol=1e-9)
        np.testing.assert_allclose(moment, MADE.moment[at], atol=1e-9)
    stamps = found.forces.stamps
    assert stamps.rate == 500.0 or np.allclose(stamps.times, MADE.force_times, atol=1e-9)


def test_a_vicon_file_holds_markers_and_plates_which_count_through_sub_frames(tmp_path):
    found, problems = recorded(tmp_path, files.vicon(MADE, first=11))
    assert problems == []
    assert_markers(found.markers)
    np.testing.assert_array_equal(found.markers.stamps.frames, np.arange(11, 51))
    np.testing.assert_array_equal(found.forces.stamps.frames, np.arange(51, 251))
    assert (found.markers.stamps.rate, found.forces.stamps.rate) == (100.0, 500.0)
    assert [plate.name[-2:] for plate in found.forces.plates] == ["#1", "#2"]
    assert found.unplaced == tuple(plate.name for plate in found.forces.plates)
    assert len(found.notes) == 1
    assert "EMG" in found.notes[0]
    for at, plate in enumerate(found.forces.plates):
        force, moment = files.own_wrench(MADE, at, (0.0, 0.0, 0.0))
        np.testing.assert_allclose(plate.force, -force, atol=1e-5)
        np.testing.assert_allclose(plate.moment, -moment, atol=1e-8)
        assert plate.pressure is None


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("unit", [1.0, 1e-3])
@pytest.mark.parametrize("world", [True, False])
@pytest.mark.parametrize("counters", [True, False])
def test_a_qualisys_force_file_gives_the_same_wrench_whatever_its_axes_and_unit(tmp_path, world, unit, counters, sign):
    for at in range(2):
        offset = (0.002, -0.001, 0.04) if not world else (0.0, 0.0, 0.0)
        text = files.qualisys_forces(MADE, at, world=world, unit=unit, counters=counters, offset=offset, sign=sign)
        found, problems = recorded(tmp_path, text)
        assert problems == []
        assert found.notes == ()
        (plate,) = found.forces.plates
        (lies,) = found.geometry
        assert plate.name == lies.name == f"FP{at + 1}"
        assert lies.sign == ("reaction" if sign == 1 else "action")
        np.testing.assert_allclose(lies.corners, CORNERS[at], atol=1e-12)
        force, moment = lab_wrench(plate, lies)
        np.testing.assert_allclose(force, MADE.force[at], atol=1e-5)
        np.testing.assert_allclose(moment, MADE.moment[at], atol=1e-5)


def test_a_qualisys_force_file_whose_moments_fit_no_point_says_so(tmp_path):
    text = files.qualisys_forces(MADE, 0, unit=0.5)
    found, _problems = recorded(tmp_path, text)
    assert len(found.notes) == 1
    assert "disagree" in found.notes[0]


def test_plates_below_each_other_on_one_sheet_are_read_together(tmp_path):
    text = files.qualisys_forces(MADE, 0) + files.qualisys_forces(MADE, 1)
    found, problems = recorded(tmp_path, text)
    assert problems == []
    for at, (plate, lies) in enumerate(zip(found.forces.plates, found.geometry, strict=True)):
        np.testing.assert_allclose(lab_wrench(plate, lies)[1], MADE.moment[at], atol=1e-5)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("kinds", [(2, 2), (3, 1), (4, 3), (1, 4)])
def test_a_c3d_gives_the_same_markers_and_wrenches_for_all_types_of_plates(tmp_path, kinds, sign):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, kinds, sign=sign, first=7)
    found, problems = read_lab_file(path)
    assert problems == []
    assert found.notes == ()
    assert_markers(found.markers, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(found.markers.stamps.frames, np.arange(7, 47))
    np.testing.assert_array_equal(found.forces.stamps.frames, np.arange(31, 231))
    assert (found.markers.stamps.rate, found.forces.stamps.rate, found.markers.unit) == (100.0, 500.0, "mm")
    for at, (plate, lies) in enumerate(zip(found.forces.plates, found.geometry, strict=True)):
        assert lies.sign == ("reaction" if sign > 0 else "action")
        force, moment = lab_wrench(plate, lies)
        np.testing.assert_allclose(force, MADE.force[at], atol=2e-4)
        np.testing.assert_allclose(moment, MADE.moment[at], atol=5e-4)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_wrenches_of_a_c3d_are_those_that_its_library_finds(tmp_path, kind):
    import ezc3d

    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (kind, kind))
    found, _problems = read_lab_file(path)
    judge = ezc3d.c3d(str(path), extract_forceplat_data=True)["data"]["platform"]
    for at, (plate, lies) in enumerate(zip(found.forces.plates, found.geometry, strict=True)):
        force, moment = lab_wrench(plate, lies)
        np.testing.assert_allclose(force, judge[at]["force"].T, atol=1e-4)
        about = moment - np.cross(CORNERS[at].mean(axis=0), force)
        np.testing.assert_allclose(about, 1e-3 * judge[at]["moment"].T, atol=1e-3)


def test_a_c3d_without_plates_or_that_is_none(tmp_path):
    import ezc3d

    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [100.0]
    file["parameters"]["POINT"]["LABELS"]["value"] = ("A", "A", "B")
    points = np.ones((4, 3, 5))
    points[:3, 2] = 0.0
    file["data"]["points"] = points
    file.write(str(tmp_path / "static.c3d"))
    found, _problems = read_lab_file(tmp_path / "static.c3d")
    assert found.forces is None
    assert found.markers.labels == ("A",)
    assert len(found.notes) == 2
    (tmp_path / "bad.c3d").write_bytes(b"hello" * 200)
    for name, code in (("bad.c3d", "not-a-c3d"), ("none.c3d", "file-missing")):
        with pytest.raises(WorkbookError) as told:
            read_lab_file(tmp_path / name)
        assert told.value.problems[0].code == code


def test_where_the_library_of_c3d_files_is_not_built_a_sentence_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(c3d_files, "find_spec", lambda name: None if name == "ezc3d" else name)
    (tmp_path / "walk.c3d").write_bytes(b"hello" * 200)
    with pytest.raises(WorkbookError) as told:
        read_lab_file(tmp_path / "walk.c3d")
    assert told.value.problems[0].code == "no-c3d-reader"
    assert "export the trial as .trc" in told.value.problems[0].mend


ENCODINGS = {
    "utf-8": "utf-8",
    "with a byte-order mark": "utf-8-sig",
    "latin-1": "latin-1",
    "utf-16": "utf-16",
}


@pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_change_nothing(tmp_path, encoding, ending):
    made = walk()
    made.labels = ("Hüfte", *LABELS[1:])
    text = files.trc(made).replace("\n", ending)
    found, problems = recorded(tmp_path, text, encoding=encoding)
    assert problems == []
    assert_markers(found.markers, made)


numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: float(f"{value:.7g}"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=6),
    st.sampled_from([("\t", "."), (",", "."), (";", "."), (";", ","), ("\t", ","), (" ", "."), (" ", ",")]),
    st.sampled_from(["g", "f", "e"]),
    st.sampled_from(["-", "\u2212"]),
)
def test_numbers_are_read_whatever_parts_them_and_follows_their_decimals(rows, signs, form, minus):
    part, decimal = signs
    lines = [part.join(["time", "a.x", "a.y", "a.z"])]
    told = []
    for at, row in enumerate(rows):
        texts = [f"{value:.9{form}}" for value in (at / 8, *row)]
        told.append([float(text) for text in texts[1:]])
        lines.append(part.join(text.replace(".", decimal).replace("-", minus) for text in texts))
    report = ProblemList(())
    found = read_recording(text_cells("\n".join(lines), "a.csv", report), report)
    assert report.problems() == []
    expected = np.array(told)
    expected[np.all(expected == 0.0, axis=1)] = np.nan
    np.testing.assert_array_equal(found.markers.positions[0], expected)


LINES = {
    "a word among numbers": (lambda text: text.replace("\n3\t0.020\t", "\n3\t0.020\tlost", 1), 9, "not-a-number"),
    "a missing time": (lambda text: text.replace("\n3\t0.020\t", "\n3\t\t", 1), 9, "missing-value"),
    "another unit": (lambda text: text.replace("\tmm\t", "\tmn\t", 1), 3, "unknown-unit"),
    "a lost line": (lambda text: text.split("\n", 1)[1], 1, "unknown-format"),
    "a lost header": (lambda text: text.replace("Frame#", "", 1), 4, "wrong-layout"),
}


@pytest.mark.parametrize(("spoil", "line", "code"), LINES.values(), ids=LINES)
def test_a_slip_in_a_file_is_told_by_its_line(tmp_path, spoil, line, code):
    with pytest.raises(WorkbookError) as told:
        recorded(tmp_path, spoil(files.trc(MADE)), "walk.trc")
    assert [(each.cell, each.code) for each in told.value.problems] == [(f"walk.trc line {line}", code)]


LAYOUTS = {
    "mot without endheader": (files.opensim_forces(MADE).replace("endheader", ""), "unknown-format"),
    "mot of coordinates": ("version=1\nendheader\ntime\tknee_angle_r\n0\t1\n1\t2\n", "wrong-layout"),
    "cortex without samples": (files.cortex_forces(MADE).replace("#Sample", "Sample"), "wrong-layout"),
    "qualisys of 6dof": ("NO_OF_FRAMES\t2\nNO_OF_BODIES\t1\nBODY_NAMES\tfoot\n1\t2\n1\t2\n", "wrong-layout"),
    "vicon without names": (
        files.vicon(MADE).replace("Sub Frame,X", "Sub Frame,A").replace(",X,", ",A,"),
        "wrong-layout",
    ),
    "vicon with a hole": (files.vicon(MADE, devices=False).replace("\n9,0,", "\n\n9,0,"), "blank-row"),
    "one frame": ("time,a.x\n0,1\n", "too-few-rows"),
}


@pytest.mark.parametrize(("text", "code"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_file_that_is_not_as_its_program_writes_it_is_refused(tmp_path, text, code):
    with pytest.raises(WorkbookError) as told:
        recorded(tmp_path, text)
    assert code in [each.code for each in told.value.problems]


def test_a_centre_of_pressure_without_force_is_none(tmp_path):
    made = walk()
    made.force[1, :50] = 0.0
    found, _problems = recorded(tmp_path, files.cortex_forces(made))
    assert np.isnan(found.forces.plates[1].pressure[:50]).all()
    assert np.isfinite(found.forces.plates[1].pressure[50:]).all()
    made.pressure[1, :50] = 4321.0
    found, _problems = recorded(tmp_path, files.opensim_forces(made))
    assert np.isnan(found.forces.plates[1].pressure[:50]).all()
    assert np.isfinite(found.forces.plates[0].pressure).all()


def test_equal_labels_count_once_and_that_is_said(tmp_path):
    made = walk()
    made.labels = ("A.B", "A_B", *LABELS[2:])
    found, problems = recorded(tmp_path, files.trc(made), "walk.trc")
    assert problems == []
    assert found.markers.labels == ("A_B", *LABELS[2:])
    np.testing.assert_allclose(found.markers.positions[0], made.markers[0], atol=1e-12)
    assert found.notes == ("of equal labels the first counts; left out: A_B at walk.trc line 4",)


@pytest.mark.skipif(not TRIAL.exists(), reason="the real trial is not here")
def test_a_real_trial_is_read_whole():
    markers, _problems = read_lab_file(TRIAL / "walk2.trc")
    forces, _told = read_lab_file(TRIAL / "walk2.forces")
    assert markers.markers.positions.shape == (28, 251, 3)
    assert markers.markers.stamps.rate == 150.0
    assert markers.markers.stamps.printed == pytest.approx(1e-3)
    assert "R_Knee" in markers.markers.labels
    assert [plate.name for plate in forces.forces.plates] == [f"FP{at}" for at in range(1, 8)]
    assert len(forces.forces.stamps.frames) == 753
    load = sum(plate.force[:, 1] for plate in forces.forces.plates)
    strikes = [int(np.argmax(forces.forces.plates[at].force[:, 1] > 20.0)) for at in (4, 3)]
    mass = load[strikes[0] : strikes[1]].mean() / 9.81
    assert mass == pytest.approx(76.5, rel=0.06), "over a whole stride the plates carry the weight"
