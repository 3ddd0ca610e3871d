"""What a C3D holds beside markers is used: its subject, events, results of its model, and analog samples of any kind."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.command.cli import app
from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.gait.importing.import_trial import import_trial
from sheetmbs.problems.errors import WorkbookError
from tests.support import gait_files as files
from tests.support.gait_recordings import walk
from tests.support.raw_c3d import write_raw_c3d

LABELS = ("Anna:RASI", "Anna:RKNE", "Anna:RHEE")
FRAMES, PER_FRAME, RATE = 60, 10, 100.0
POINTS = np.round(np.random.default_rng(4).uniform(50.0, 900.0, (3, FRAMES, 3)), 2)
CORNERS = np.array([[500.0, 0.0, 0.0, 500.0], [600.0, 600.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
PROCESSING = {
    "Bodymass": 72.5,
    "Height": 1740.0,
    "LLegLength": 910.0,
    "RLegLength": 915.0,
    "LKneeWidth": 101.0,
    "RKneeWidth": 0.103,
    "InterAsisDistance": 250.0,
    "MarkerDiameter": 14.0,
    "RTibialTorsion": -12.0,
    "LAsisTrocanterDistance": 0.0,
}


def loads():
    """Six channels (6, samples) in N and N mm: two contacts, of which the first begins in 0.1 s."""
    samples = np.zeros((6, FRAMES * PER_FRAME))
    samples[2, 100:300] = -700.0
    samples[3:5, 100:300] = 4000.0
    return samples


def plates(kind=2, channels=6, first=1, count=1):
    return {
        "USED": count,
        "TYPE": np.array([kind] * count),
        "CORNERS": np.repeat(CORNERS[:, :, None], count, axis=2),
        "ORIGIN": np.array([[0.0, 0.0, -40.0]] * count).T,
        "CHANNEL": np.array([range(first + at * channels, first + (at + 1) * channels) for at in range(count)]).T,
    }


def analog_group(samples, **given):
    count = len(samples)
    return {
        "LABELS": [f"c{at}" for at in range(count)],
        "UNITS": (["N"] * 3 + ["Nmm"] * 3 + ["V"] * count)[:count],
        "SCALE": np.ones(count),
        "OFFSET": np.zeros(count, int),
        "GEN_SCALE": 1.0,
        "RATE": RATE * PER_FRAME,
    } | given


def c3d(folder, groups=None, samples=None, labels=LABELS, points=POINTS, name="walk.c3d", **given):
    groups = dict(groups or {})
    if samples is not None:
        groups["ANALOG"] = analog_group(samples) | groups.get("ANALOG", {})
        given |= {"analogs": samples, "per_frame": PER_FRAME}
    return write_raw_c3d(folder / name, labels, points, groups, **given)


def rows_of(book, sheet):
    page = openpyxl.load_workbook(book)[sheet]
    rows = [row for row in page.iter_rows(values_only=True) if row[0] not in (None, "units")]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def test_the_subject_of_a_file_comes_onto_subject_and_anthropometry(tmp_path):
    book = tmp_path / "anna.xlsx"
    done = import_trial([c3d(tmp_path, {"PROCESSING": PROCESSING})], book)
    subject = {row["setting"]: (row["value"], row["unit"]) for row in rows_of(book, "Subject")}
    assert subject["mass"] == (72.5, "kg")
    assert subject["height"] == (1.74, "m")
    assert subject["id"][0] in (None, "")
    sizes = {
        row["setting"]: (row["right"], row["left"], row["value"], row["unit"]) for row in rows_of(book, "Anthropometry")
    }
    assert sizes["leg length"] == (915, 910, None, "mm")
    assert sizes["knee width"] == (103, 101, None, "mm"), "0.103 is in m, whatever the unit of the others"
    assert sizes["inter-asis"] == (None, None, 250, "mm")
    assert sizes["marker diameter"] == (None, None, 14, "mm")
    assert sizes["tibial torsion"] == (-12, None, None, "deg")
    assert "asis to trochanter" not in sizes, "0 was never filled in"
    told = dict(done.found)["subject"]
    assert "mass 72.5 kg" in told
    assert "right knee width 103 mm" in told
    assert not any("mass of the subject" in text for what, text in done.found if what == "to do")


def test_what_is_typed_stays_and_a_contradiction_is_a_warning(tmp_path):
    book = tmp_path / "anna.xlsx"
    typed_book(book)
    done = import_trial([c3d(tmp_path, {"PROCESSING": PROCESSING})], book)
    subject = {row["setting"]: (row["value"], row["unit"]) for row in rows_of(book, "Subject")}
    assert subject["mass"] == (80, "kg")
    assert subject["height"] == (175, "cm"), "within 3 %: no word"
    sizes = {
        row["setting"]: (row["right"], row["left"], row["value"], row["unit"]) for row in rows_of(book, "Anthropometry")
    }
    assert sizes["leg length"] == (None, None, 0.912, "m")
    assert sizes["knee width"] == (120, 101, None, "mm")
    assert [each.cell for each in done.warnings] == ["Subject!B2", "Anthropometry!B3"]
    assert done.warnings[0].problem == "the file says Bodymass = 72.5 kg; the sheet counts"


def typed_book(path):
    """A workbook with some of what the file tells."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Subject"
    for row in (["setting", "value", "unit"], ["mass", 80, "kg"], ["height", 175, "cm"]):
        page.append(row)
    page = book.create_sheet("Anthropometry")
    head = ["setting", "right", "left", "value", "unit", "notes"]
    for row in (head, ["leg length", None, None, 0.912, "m"], ["knee width", 120, None, None, "mm"]):
        page.append(row)
    book.save(path)


EVENT = {
    "USED": 6,
    "CONTEXTS": ["Right", "Right", "Left", "General", "Left", "Right"],
    "LABELS": ["Foot Strike", "Foot Off", "Foot Strike", "Event", "Foot Off", "Foot Strike"],
    "TIMES": np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.104, 0.296, 0.45, 0.5, 0.55, 2.0]]),
}


def test_events_of_a_file_come_onto_events_and_those_that_a_plate_tells_are_not_in_use(tmp_path):
    book = tmp_path / "anna.xlsx"
    path = c3d(tmp_path, {"EVENT": EVENT, "FORCE_PLATFORM": plates()}, loads())
    done = import_trial([path], book)
    rows = rows_of(book, "Events")
    assert [(row["event"], row["side"], row["time"], row["active"]) for row in rows] == [
        ("heel strike", "right", 0.104, "no"),
        ("toe off", "right", 0.296, "no"),
        ("heel strike", "left", 0.45, "yes"),
        ("toe off", "left", 0.55, "yes"),
        ("heel strike", "right", 62, "no"),
    ]
    assert {(row["source"], row["notes"], row["trial"]) for row in rows} == {("file", "from the file", "walk")}
    told = dict(done.found)["events"]
    assert told == "5 events in the file: 2 agree with plates within 5 ms, 1 lie outside the recording, 2 are used"
    again = import_trial([path], book, replace=True)
    assert len(rows_of(book, "Events")) == 5
    assert dict(again.found)["events"] == told


def test_events_count_from_the_first_frame_of_the_camera(tmp_path):
    event = {"USED": 1, "CONTEXTS": ["Left"], "LABELS": ["Foot Strike"], "TIMES": np.array([[0.0], [2.3]])}
    book = tmp_path / "anna.xlsx"
    import_trial([c3d(tmp_path, {"EVENT": event}, first=201)], book)
    assert [(row["time"], row["active"]) for row in rows_of(book, "Events")] == [(2.3, "yes")]
    page = openpyxl.load_workbook(book)["Markers walk"]
    assert page["A3"].value == 2.0, "frame 201 at 100 Hz"


def test_plates_of_type_5_are_read_by_their_matrix(tmp_path):
    random = np.random.default_rng(2)
    matrix = random.uniform(0.5, 1.5, (6, 8))
    volts = random.uniform(-1.0, 1.0, (8, FRAMES * PER_FRAME))
    for at, stored in enumerate((matrix, matrix.T)):
        group = plates(5, 8) | {"CAL_MATRIX": stored[:, :, None]}
        path = c3d(tmp_path, {"FORCE_PLATFORM": group}, volts, name=f"walk{at}.c3d")
        plate = read_lab_file(path)[0].forces.plates[0]
        wrench = matrix @ volts
        np.testing.assert_allclose(plate.force, wrench[:3].T, rtol=2e-6, atol=1e-6)
        np.testing.assert_allclose(plate.moment, 1e-3 * wrench[3:].T, rtol=2e-6, atol=1e-9)


def test_unsigned_samples_are_the_same_as_signed_ones(tmp_path):
    samples = np.round(loads() * 10.0 + 5.0)
    group = {"FORCE_PLATFORM": plates()}
    signed = c3d(tmp_path, group | {"ANALOG": {"OFFSET": np.full(6, 5)}}, samples, scale=0.1, name="signed.c3d")
    given = {"OFFSET": np.full(6, -32763), "FORMAT": "UNSIGNED"}
    unsigned = c3d(tmp_path, group | {"ANALOG": given}, samples + 32768, scale=0.1, name="unsigned.c3d")
    expected, found = (read_lab_file(path)[0].forces.plates[0] for path in (signed, unsigned))
    np.testing.assert_array_equal(found.force, expected.force)
    assert expected.force[150, 2] == -7000.0


def test_channels_without_a_scale_count_as_they_stand_which_is_said(tmp_path):
    path = c3d(
        tmp_path, {"FORCE_PLATFORM": plates(), "ANALOG": {"SCALE": None, "OFFSET": None, "GEN_SCALE": None}}, loads()
    )
    found, _problems = read_lab_file(path)
    np.testing.assert_array_equal(found.forces.plates[0].force[:, 2], loads()[2])
    assert any("scales of analog channels are missing" in note for note in found.notes)
    np.testing.assert_allclose(found.markers.positions, 1e-3 * POINTS, rtol=1e-6)


def test_plates_without_channels_or_of_an_unknown_type_are_left_out_by_name_and_markers_stay(tmp_path):
    for name, group, samples, gone in (
        ("none.c3d", plates(count=2), None, "FP1 (type 2)"),
        ("half.c3d", plates(count=2), loads(), "FP2 (type 2)"),
        ("other.c3d", plates() | {"TYPE": np.array([7])}, loads(), "FP1 (type 7)"),
    ):
        found, _problems = read_lab_file(c3d(tmp_path, {"FORCE_PLATFORM": group}, samples, name=name))
        assert len(found.markers.labels) == 3
        assert next(note for note in found.notes if note.startswith("plates that are left out")).count(gone) == 1
        assert (found.forces is not None) == (name == "half.c3d")


def test_a_unit_of_four_letters_is_known(tmp_path):
    found, _problems = read_lab_file(c3d(tmp_path, points=1e-3 * POINTS, units="mete"))
    np.testing.assert_allclose(found.markers.positions, 1e-3 * POINTS, rtol=1e-6)
    assert found.markers.unit == "m"


def test_what_is_no_marker_is_left_out_in_one_line_each_or_comes_onto_a_sheet(tmp_path):
    labels = (*LABELS, "*12", "uname*3", "C_4", "Anna:CentreOfMass", "Anna:PELA", "Anna:RKneeAngles")
    points = np.concatenate((POINTS, POINTS, POINTS))
    samples = np.concatenate((loads(), np.arange(2.0 * FRAMES * PER_FRAME).reshape(2, -1)))
    groups = {
        "POINT": {"ANGLES": ["Anna:RKneeAngles"], "ANGLE_UNITS": "deg"},
        "FORCE_PLATFORM": plates(),
        "ANALOG": {"LABELS": [*(f"c{at}" for at in range(6)), "EMG", "EMG"]},
    }
    path = c3d(tmp_path, groups, samples, labels, points)
    book = tmp_path / "anna.xlsx"
    done = import_trial([path], book)
    assert "*12, uname*3, C_4" in " ".join(text for _what, text in done.found)
    lines = [text for what, text in done.found if what in ("note", "left out")]
    assert sum("CentreOfMass, Anna:PELA" in text for text in lines) == 1
    assert sum("RKneeAngles" in text for text in lines) == 1
    assert sum("EMG, EMG 2" in text and "--analog" in text for text in lines) == 1
    assert not {"Lab results walk", "Analog walk"} & set(openpyxl.load_workbook(book).sheetnames)
    import_trial([path], book, "more", model_outputs=True, analog=True)
    made = openpyxl.load_workbook(book)
    page = made["Lab results more"]
    assert [cell.value for cell in page[1]][2::3] == ["CentreOfMass.x", "PELA.x", "RKneeAngles.x"]
    assert [*[cell.value for cell in page[2]][:3], page["K2"].value] == ["s", None, "mm", "deg"]
    assert page["J3"].value == pytest.approx(points[8, 0, 1], rel=1e-6)
    page = made["Analog more"]
    assert [cell.value for cell in page[1]] == ["time", "frame", "EMG", "EMG 2"]
    assert [page["A4"].value, page["C4"].value, page["D4"].value] == [0.001, 1, FRAMES * PER_FRAME + 1]
    assert [cell.value for cell in made["Markers more"][1]][2::3] == ["RASI.x", "RKNE.x", "RHEE.x"]


def test_of_two_subjects_one_is_chosen_with_what_the_file_tells_of_it(tmp_path, capsys):
    labels = tuple(f"{who}:{name}" for who in ("A", "B") for name in ("RASI", "RKNE", "RHEE"))
    groups = {"SUBJECTS": {"NAMES": ["A", "B"], "BODYMASS": np.array([60.0, 90.0])}}
    path = c3d(tmp_path, groups, None, labels, np.concatenate((POINTS, POINTS + 1.0)))
    book = tmp_path / "b.xlsx"
    with pytest.raises(SystemExit) as ended:
        app(["import", "gait", str(path), str(book)])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "'A' and 'B'" in told
    assert "--subject" in told
    assert not book.exists()
    import_trial([path], book, subject="B")
    assert {row["setting"]: row["value"] for row in rows_of(book, "Subject")}["mass"] == 90


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda content: content[:-400], "truncated"),
        (lambda content: content[:515] + bytes([86]) + content[516:], "SGI or MIPS machine: convert it"),
        (lambda content: b"PK" + content[2:], "not those of a C3D file"),
    ],
)
def test_a_file_that_cannot_be_read_ends_in_one_sentence(tmp_path, damage, told):
    path = c3d(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(WorkbookError) as stopped:
        read_lab_file(path)
    assert [each.code for each in stopped.value.problems] == ["not-a-c3d"]
    assert told in stopped.value.problems[0].found


def test_events_of_vicon_and_qualisys_come_onto_events_too(tmp_path):
    vicon = "Events\n100\nSubject,Context,Name,Time (s),Description\nAnna,Left,Foot Strike,0.12,\nAnna,Right,Foot Off,0.25,\n\n"
    made = walk()
    path = tmp_path / "v.csv"
    path.write_text(vicon + files.vicon(made, subject="Anna:"), encoding="utf-8")
    events = read_lab_file(path)[0].events
    assert [(each.kind, each.side, each.time) for each in events] == [
        ("heel strike", "left", 0.12),
        ("toe off", "right", 0.25),
    ]
    lines = files.qualisys(made).split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("MARKER_NAMES"))
    lines[at:at] = ["EVENT\tRight heel strike\t11\t0.10", "EVENT\tLTO\t21\t0.20"]
    path = tmp_path / "q.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    events = read_lab_file(path)[0].events
    assert [(each.kind, each.side, each.time) for each in events] == [
        ("heel strike", "right", 0.1),
        ("toe off", "left", 0.2),
    ]
