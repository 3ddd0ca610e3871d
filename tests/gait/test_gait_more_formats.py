"""Text formats of further programs, any separator with decimal commas, odd TRC files, and files that are damaged."""

import numpy as np
import pytest

from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.problems.errors import WorkbookError
from tests.support import gait_files as files
from tests.support.gait_recordings import walk
from tests.support.raw_c3d import write_raw_c3d

MADE = walk()
NUMBERS = set("0123456789.-")


def read(folder, text, suffix=".txt", encoding="utf-8"):
    path = folder / f"walk{suffix}"
    path.write_bytes(text.encode(encoding))
    return read_lab_file(path)[0]


def same_markers(found, positions=None):
    assert found.markers.labels == MADE.labels
    np.testing.assert_allclose(found.markers.positions, MADE.markers if positions is None else positions, atol=1e-12)
    return True


def table(rows, sign="\t"):
    return "\n".join(sign.join(map(str, row)) for row in rows) + "\n"


def blank(value, size=1.0):
    return "" if np.isnan(value) else f"{value / size:.8f}"


def with_commas(text, sign):
    """A text with tabs as a German computer writes it: commas in numbers alone."""
    cells = (
        [cell.replace(".", ",") if set(cell) <= NUMBERS else cell for cell in line.split("\t")]
        for line in text.split("\n")
    )
    return "\n".join(sign.join(line) for line in cells)


def dflow(moment_about=(0.0, 0.0, 0.0)):
    """Markers, and two belts with y up, whose pressure lies on the floor."""
    random = np.random.default_rng(5)
    count = MADE.markers.shape[1]
    force = random.uniform([-50.0, 400.0, -50.0], [50.0, 900.0, 50.0], (2, count, 3))
    pressure = random.uniform(-0.4, 0.4, (2, count, 3))
    pressure[:, :, 1] = 0.0
    moment = np.cross(pressure - np.array(moment_about), force)
    moment[:, :, 1] += 3.0
    heads = ["TimeStamp", "FrameNumber", *(f"{label}.Pos{axis}" for label in MADE.labels for axis in "XYZ")]
    heads += [f"FP{at}.{word}{axis}" for at in (1, 2) for word in ("Cop", "For", "Mom") for axis in "XYZ"]
    heads += ["Channel16.Anlg"]
    rows = [heads]
    for at, time in enumerate(MADE.times):
        measured = np.concatenate([np.concatenate((pressure[k, at], force[k, at], moment[k, at])) for k in (0, 1)])
        cells = [blank(value) for value in (*MADE.markers[:, at].ravel(), *measured)]
        rows.append([f"{time:.6f}", str(at), *cells, "0.1"])
    return table(rows), force, pressure, moment


def test_d_flow_gives_markers_and_belts(tmp_path):
    text, force, _pressure, moment = dflow()
    found = read(tmp_path, text)
    same_markers(found)
    for at, plate in enumerate(found.forces.plates):
        assert plate.name == f"FP{at + 1}"
        np.testing.assert_allclose(plate.force, force[at], atol=1e-7)
        np.testing.assert_allclose(plate.moment, moment[at], atol=1e-7)
        assert plate.pressure is None
    assert any("Channel16.Anlg" in note for note in found.notes)


def test_moments_of_d_flow_about_another_point_give_way_to_the_centre_of_pressure(tmp_path):
    text, force, pressure, _moment = dflow((0.5, 0.0, 1.0))
    found = read(tmp_path, text)
    np.testing.assert_allclose(found.forces.plates[1].pressure, pressure[1], atol=1e-7)
    np.testing.assert_allclose(found.forces.plates[1].force, force[1], atol=1e-7)
    assert sum("centre of pressure counts" in note for note in found.notes) == 2


def optitrack(word="Meters", size=1.0):
    """Rows of a take with a bone before its markers. word, size: the unit of lengths."""
    names = [cell for label in MADE.labels for cell in [f"Anna:{label}"] * 3]
    rows = [
        ["Format Version", "1.23", "Take Name", "walk", "Export Frame Rate", "100.000000", "Length Units", word],
        [],
        ["", "Type", *["Bone"] * 3, *["Marker"] * len(names)],
        ["", "Name", *["Anna:Hip"] * 3, *names],
        ["", "ID", *["1"] * 3, *["7"] * len(names)],
        ["", "", *["Position"] * (3 + len(names))],
        ["Frame", "Time (Seconds)", *"XYZ", *list("XYZ") * len(MADE.labels)],
    ]
    for at, time in enumerate(MADE.times):
        rows.append([at, f"{time:.6f}", 0, 1, 2, *(blank(value, size) for value in MADE.markers[:, at].ravel())])
    return rows


@pytest.mark.parametrize(("word", "size"), [("Meters", 1.0), ("Millimeters", 1e-3)])
def test_optitrack_gives_markers_in_the_unit_of_its_head(tmp_path, word, size):
    found = read(tmp_path, table(optitrack(word, size), ","), ".csv")
    same_markers(found)
    assert any("Anna:Hip" in note for note in found.notes)
    assert found.markers.stamps.rate == 100.0


def visual3d(force, pressure):
    """Rows with all markers, a plate and an angle of a model."""
    names = [cell for label in MADE.labels for cell in [label] * 3]
    heads = [*names, *["FP1"] * 6, "Right Knee"]
    rows = [
        ["", *["walk.c3d"] * len(heads)],
        ["", *heads],
        ["", *["TARGET"] * len(names), *["FORCE"] * 3, *["COFP"] * 3, "LINK_MODEL_BASED"],
        ["", *["ORIGINAL"] * len(heads)],
        ["ITEM", *list("XYZ") * (len(MADE.labels) + 2), "X"],
    ]
    for at in range(MADE.markers.shape[1]):
        values = [*MADE.markers[:, at].ravel(), *force[at], *pressure[at], 0.3]
        rows.append([at + 1, *(blank(value) for value in values)])
    return rows


def test_visual3d_gives_targets_and_forces(tmp_path):
    count = MADE.markers.shape[1]
    force, pressure = MADE.force[0, :count], MADE.pressure[0, :count]
    found = read(tmp_path, table(visual3d(force, pressure)))
    same_markers(found)
    np.testing.assert_allclose(found.forces.plates[0].force, force, atol=1e-7)
    np.testing.assert_allclose(found.forces.plates[0].pressure, pressure, atol=1e-7)
    assert any("Right Knee" in note for note in found.notes)


def program_texts():
    """The same walk as three programs write it, with tabs, and the ending of the file."""
    count = MADE.markers.shape[1]
    return {
        "d-flow": (dflow()[0], ".txt"),
        "optitrack": (table(optitrack()), ".csv"),
        "visual3d": (table(visual3d(MADE.force[0, :count], MADE.pressure[0, :count])), ".txt"),
    }


SLIPS = {
    "byte order mark": (lambda text: text, "utf-8-sig"),
    "UTF-16": (lambda text: text, "utf-16"),
    "ends of lines of Windows": (lambda text: text.replace("\n", "\r\n"), "utf-8"),
    "decimal commas and tabs": (lambda text: with_commas(text, "\t"), "utf-8"),
    "decimal commas and semicolons": (lambda text: with_commas(text, ";"), "utf-8"),
    "tabs at the ends of rows": (lambda text: text.replace("\n", "\t\n"), "utf-8"),
}
"""what programs and people between the laboratory and the import do to a text"""


@pytest.mark.parametrize("program", ["d-flow", "optitrack", "visual3d"])
@pytest.mark.parametrize("slip", SLIPS)
def test_texts_of_programs_that_were_saved_again_give_the_same_markers(tmp_path, program, slip):
    text, suffix = program_texts()[program]
    change, encoding = SLIPS[slip]
    same_markers(read(tmp_path, change(text), suffix, encoding))


def test_analog_numbers_of_cortex_come_in_millivolts(tmp_path):
    rows = [
        ["File_Type:", "Analog R/C ASCII", "Generation#:", "1"],
        ["Trial_Name:", "walk", "Duration(Sec.):", "1.0", "#Channels:", "2"],
        ["BitDepth:", "12", "PreciseRate:", "1000.000000"],
        [],
        ["Name", "F1X", "EMG1"],
        ["Rate", "1000", "1000"],
        ["Range", "10000", "5000"],
    ]
    rows += [[f"{1e-3 * at:.6f}", at - 5, 2 * at] for at in range(20)]
    found = read(tmp_path, table(rows), ".anc")
    assert [(each.header, each.unit) for each in found.channels.columns] == [("F1X", "mV"), ("EMG1", "mV")]
    np.testing.assert_allclose(found.channels.columns[0].values, (np.arange(20) - 5) * 10000 / 2048)
    assert any(".forces" in note for note in found.notes)


@pytest.mark.parametrize("sign", ["\t", ";"])
def test_decimal_commas_are_read_whatever_parts_the_columns(tmp_path, sign):
    found = read(tmp_path, with_commas(files.vicon(MADE, "\t", subject=""), sign), ".csv")
    same_markers(found)
    plain = read(tmp_path, files.vicon(MADE, "\t", subject=""), ".csv")
    for here, there in zip(found.forces.plates, plain.forces.plates, strict=True):
        np.testing.assert_array_equal(here.force, there.force)
    found = read(tmp_path, with_commas(files.trc(MADE), sign), ".trc")
    same_markers(found)


def of_rows(text, change):
    return "\n".join(change(line) if line[:1].isdigit() and line.count("\t") > 6 else line for line in text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        of_rows(files.trc(MADE), lambda line: f"{line}\t"),
        of_rows(files.trc(MADE), lambda line: line.replace("\t", "\t\t")),
        files.trc(MADE).replace("\t", "\t\t"),
        of_rows(files.trc(MADE, blank_row=False), lambda line: f"{line}\t"),
        files.trc(MADE, missing="NaN"),
        files.trc(MADE, missing="nan"),
        files.trc(MADE, missing="NAN"),
    ],
    ids=["tab at the end", "doubled", "all doubled", "no blank row", "NaN", "nan", "NAN"],
)
def test_odd_trc_files_are_read(tmp_path, text):
    same_markers(read(tmp_path, text, ".trc"))


def test_labels_with_spaces_and_texts_in_other_codes_are_read(tmp_path):
    text = files.trc(MADE).replace("RKNE", "R Knee lat")
    for encoding in ("utf-8-sig", "utf-16"):
        assert read(tmp_path, text, ".trc", encoding).markers.labels[1] == "R Knee lat"


def test_a_trc_without_markers_says_so_and_one_that_promises_more_is_read_with_a_note(tmp_path):
    lines = files.trc(MADE).split("\n")
    count = lines[2].split("\t")
    where = lines[1].split("\t").index("NumMarkers")
    empty = ["\t".join([*count[:where], "0", *count[where + 1 :]]), "Frame#\tTime", "\t", ""]
    text = "\n".join([*lines[:2], *empty, *("\t".join(line.split("\t")[:2]) for line in lines[6:])])
    with pytest.raises(WorkbookError) as stopped:
        read(tmp_path, text, ".trc")
    assert [(each.code, each.found) for each in stopped.value.problems] == [("nothing-recorded", "NumMarkers 0")]
    lines[2] = "\t".join([*count[:where], "9", *count[where + 1 :]])
    found = read(tmp_path, "\n".join(lines), ".trc")
    assert found.notes == ("the head says NumMarkers 9, and there are 5",)


def damaged(content, random):
    """A file with some bytes changed, taken out, put in or cut off."""
    content = bytearray(content)
    for _ in range(random.integers(1, 8)):
        at = int(random.integers(0, max(len(content), 1)))
        kind = random.integers(0, 5)
        if kind == 0:
            content[at : at + 1] = bytes([random.integers(0, 256)])
        elif kind == 1:
            del content[at : at + int(random.integers(1, 40))]
        elif kind == 2:
            content[at:at] = b"\t;,\n-.e"[: random.integers(1, 8)]
        elif kind == 3:
            content = content[: max(at, 1)]
        else:
            content[at:at] = content[at : at + 60]
    return bytes(content)


def problems_of(path):
    """What is wrong with a file. Anything else that is raised is a fault of the program."""
    try:
        read_lab_file(path)
    except WorkbookError as error:
        return error.problems
    return []


TEXTS = {
    "trc": (files.trc(MADE), ".trc"),
    "vicon": (files.vicon(MADE), ".csv"),
    "qualisys": (files.qualisys(MADE), ".tsv"),
    "qualisys forces": (files.qualisys_forces(MADE, 0), ".tsv"),
    "cortex": (files.cortex_forces(MADE), ".forces"),
    "opensim": (files.opensim_forces(MADE), ".mot"),
    "own": (files.own_csv(MADE), ".csv"),
    "dflow": (dflow()[0], ".txt"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_damaged_text_ends_in_sentences_at_most(tmp_path, name):
    text, suffix = TEXTS[name]
    random = np.random.default_rng(sum(map(ord, name)))
    path = tmp_path / f"walk{suffix}"
    for _ in range(60):
        path.write_bytes(damaged(text.encode(), random))
        assert all(each.problem for each in problems_of(path))


def test_a_damaged_c3d_ends_in_sentences_at_most(tmp_path):
    path = tmp_path / "walk.c3d"
    points = np.nan_to_num(MADE.markers, nan=0.5) * 1e3
    groups = {"SUBJECTS": {"NAMES": ["A"]}, "PROCESSING": {"Bodymass": 70.0}}
    groups["EVENT"] = {"CONTEXTS": ["Left"], "LABELS": ["Foot Strike"], "TIMES": np.array([[0.0], [0.1]])}
    content = write_raw_c3d(path, MADE.labels, points, groups).read_bytes()
    random = np.random.default_rng(3)
    for _ in range(12):
        changed = bytearray(content)
        for _ in range(random.integers(1, 12)):
            changed[int(random.integers(0, 1500))] = int(random.integers(0, 256))
        path.write_bytes(bytes(changed))
        assert all(each.problem for each in problems_of(path))
