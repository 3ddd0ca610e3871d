"""`sheetmbs import gait`: sheets of a trial, rows of Plates and Marker names, and nothing else in the workbook changes."""

import json
from zipfile import ZipFile

import numpy as np
import openpyxl
import pytest
import xlsxwriter

from sheetmbs.command.cli import app
from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.gait.importing.import_trial import import_trial as import_gait
from sheetmbs.gait.trial.marker_synonyms import model_name, model_names
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.gait_inputs import PLATES
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.writing.new_workbook import new_book as new
from tests.support import gait_files as files
from tests.support.gait_recordings import AXES, CORNERS, lab_wrench, walk
from tests.support.sample_results import loaded_sheet
from tests.support.shared import shared

MADE = walk()
TRIAL = shared("gait-data")


@pytest.fixture
def book(tmp_path):
    """A workbook of somebody's own, with a formula and a sheet of notes."""
    path = tmp_path / "anna.xlsx"
    with xlsxwriter.Workbook(path) as made:
        page = made.add_worksheet("Subject")
        page.write_row(0, 0, ["setting", "value"])
        page.write_row(1, 0, ["mass", 56.7])
        made.add_worksheet("mine").write_formula("A1", "=Subject!B2*2", None, 113.4)
    return path


def file(tmp_path, text, name="walk03.trc"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def recorded(path, sheet):
    report = ProblemList((sheet,))
    found = read_recording(open_book(path).sheets[sheet], report)
    assert report.problems() == []
    return found


def parts(path):
    with ZipFile(path) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist()}


def names(path):
    page = loaded_sheet(path, "Marker names")
    rows = list(page.iter_rows(values_only=True))
    return {row[0]: row[1] for row in rows[1:] if row[0]}


def test_a_trial_comes_onto_two_sheets_with_labels_units_and_frames_of_its_file(tmp_path, book):
    before = parts(book)
    done = import_gait([file(tmp_path, files.vicon(MADE, first=11), "walk03.csv")], book)
    assert done.trial == "walk03"
    sheets = list(open_book(book).sheets)
    assert sheets == ["Subject", "mine", "Markers walk03", "Force plates walk03", "Plates", "Marker names"]
    markers, forces = recorded(book, "Markers walk03").markers, recorded(book, "Force plates walk03").forces
    assert markers.labels == MADE.labels
    assert markers.unit == "mm"
    np.testing.assert_allclose(markers.positions, MADE.markers, atol=1e-12)
    np.testing.assert_array_equal(markers.stamps.frames, np.arange(11, 51))
    np.testing.assert_allclose(markers.stamps.times, 0.1 + MADE.times, atol=1e-12)
    np.testing.assert_allclose(forces.stamps.times, 0.1 + MADE.force_times, atol=1e-12)
    for at, plate in enumerate(forces.plates):
        np.testing.assert_allclose(plate.force, -files.own_wrench(MADE, at, (0, 0, 0))[0], atol=1e-6)
    now = parts(book)
    same = {name for name, content in before.items() if now.get(name) == content}
    assert {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml"} <= same
    assert loaded_sheet(book, "mine")["A1"].value == "=Subject!B2*2"


def test_coordinates_are_written_with_the_digits_of_the_file(tmp_path, book):
    import_gait([file(tmp_path, files.trc(MADE))], book)
    page = loaded_sheet(book, "Markers walk03")
    assert page.cell(1, 3).value == "RASI.x"
    assert page.cell(2, 3).value == "mm"
    first = files.trc(MADE).splitlines()[6].split("\t")
    assert [page.cell(3, column).value for column in (3, 4, 5)] == [float(text) for text in first[2:5]]
    assert page.cell(8, 6).value is None, "a gap stays blank"


def test_rounded_times_are_written_as_the_uniform_ones_which_is_said(tmp_path, book):
    made = walk(rate=150.0)
    done = import_gait([file(tmp_path, files.trc(made))], book)
    times = recorded(book, "Markers walk03").markers.stamps.times
    np.testing.assert_allclose(times, made.times, atol=1e-12)
    assert any("rounding" in told for what, told in done.found if what == "note")


def test_corners_axes_and_sign_of_a_file_come_onto_plates(tmp_path, book):
    path = files.write_c3d(tmp_path / "walk.c3d", MADE, (2, 4), sign=-1.0)
    import_gait([path], book)
    table = InputTable(PLATES, open_book(book).sheets["Plates"], ProblemList(()), "3D")
    rows = list(table.records())
    assert [row.text("name") for row in rows] == ["FP1", "FP2"]
    forces = recorded(book, "Force plates walk").forces
    for at, row in enumerate(rows):
        corners = [[row.number(f"{axis}{corner}") for axis in "xyz"] for corner in (1, 2, 3, 4)]
        np.testing.assert_allclose(corners, CORNERS[at], atol=1e-9)
        origin = np.array([row.number(f"o{axis}") for axis in "xyz"])
        assert (row.choice("axes"), row.choice("sign"), row.text("foot")) == ("own", "action", "auto")
        plate = forces.plates[at]
        force = -plate.force @ AXES[at].T
        moment = -plate.moment @ AXES[at].T + np.cross(CORNERS[at].mean(axis=0) + AXES[at] @ origin, force)
        np.testing.assert_allclose(moment, MADE.moment[at], atol=5e-4)


@pytest.mark.parametrize(("sign", "shift", "is_told"), [(-1.0, 0.0, False), (1.0, 0.0, True), (-1.0, 0.05, True)])
def test_plates_that_another_file_places_otherwise_are_named(tmp_path, book, monkeypatch, sign, shift, is_told):
    import_gait([files.write_c3d(tmp_path / "walk.c3d", MADE, sign=-1.0)], book)
    monkeypatch.setattr(files, "CORNERS", CORNERS + np.array([shift, 0.0, 0.0]))
    done = import_gait([files.write_c3d(tmp_path / "again.c3d", MADE, sign=sign)], book)
    told = [told for what, told in done.found if what == "to do" and "FP1, FP2 lie" in told]
    assert len(told) == is_told


def test_plates_of_several_files_stand_on_one_sheet(tmp_path, book):
    paths = [
        file(tmp_path, files.qualisys(MADE), "walk.tsv"),
        *(file(tmp_path, files.qualisys_forces(MADE, at), f"walk_f_{at + 1}.tsv") for at in range(2)),
    ]
    import_gait(paths, book)
    forces = recorded(book, "Force plates walk").forces
    assert [plate.name for plate in forces.plates] == ["FP1", "FP2"]
    geometry = {lies.name: lies for lies in _geometry(book)}
    for at, plate in enumerate(forces.plates):
        np.testing.assert_allclose(lab_wrench(plate, geometry[plate.name])[1], MADE.moment[at], atol=1e-5)


def _geometry(book):
    from sheetmbs.gait.reading.read_plates import read_plates

    report = ProblemList(())
    rows = read_plates(InputTable(PLATES, open_book(book).sheets["Plates"], report, "3D"), report)
    assert report.problems() == []
    return [row.geometry for row in rows.values()]


def test_plates_that_only_the_user_can_place_get_a_row_that_says_so(tmp_path, book):
    done = import_gait([file(tmp_path, files.vicon(MADE), "walk.csv")], book)
    to_do = [told for what, told in done.found if what == "to do"]
    assert len(to_do) == 2
    assert "corners" in to_do[0]
    from sheetmbs.gait.reading.read_plates import read_plates

    report = ProblemList(())
    read_plates(InputTable(PLATES, open_book(book).sheets["Plates"], report, "3D"), report)
    assert [each.severity for each in report.problems()] == ["error", "error"]


def test_labels_of_laboratories_are_known():
    known = {
        "RKNE": "right knee",
        "R_KNEE": "right knee",
        "R.Knee": "right knee",
        "R.Ankle.Medial": "right ankle medial",
        "RKNM": "right knee medial",
        "LMED": "left ankle medial",
        "Sam:LASI": "left asis",
        "L_IPS": "left psis",
        "R_FTC": "right hip",
        "R.GTR": "right hip",
        "V.Sacral": "sacrum",
        "RightHeel": "right heel",
        "L_FM5": "left mt5",
        "LTOE": "left toe",
        "KNEL": "left knee",
        "nonsense": "",
        "RTHI": "",
    }
    assert {label: model_name(label) for label in known} == known
    assert model_names(["left knee", "R_MT2", "RTOE"]) == {"right toe": "RTOE"}


def test_a_second_trial_adds_the_labels_that_are_new(tmp_path, book):
    import_gait([file(tmp_path, files.trc(MADE))], book)
    assert names(book) == {
        "right asis": "RASI",
        "right knee": "RKNE",
        "right ankle": "RANK",
        "right heel": "RHEE",
        "left toe": "LTOE",
    }
    other = walk()
    other.labels = ("RASI", "RKNEE", "RMKNE", "RHEE", "LTOE")
    import_gait([file(tmp_path, files.trc(other), "static.trc")], book)
    assert names(book)["right knee medial"] == "RMKNE"
    assert names(book)["right knee"] == "RKNE", "a row that is there stays"
    assert "Markers static" in open_book(book).sheets


def test_lists_of_the_users_own_stay_as_they_are(tmp_path):
    path = tmp_path / "anna.xlsx"
    with xlsxwriter.Workbook(path) as made:
        page = made.add_worksheet("Marker names")
        for at, row in enumerate([["model", "label", "cutoff"], ["knee", "RKNE", 8]]):
            page.write_row(at, 0, row)
        made.add_worksheet("Plates").write_row(0, 0, ["name", "foot", "x1"])
    before = parts(path)["xl/worksheets/sheet1.xml"]
    done = import_gait([files.write_c3d(tmp_path / "walk.c3d", MADE)], path)
    assert parts(path)["xl/worksheets/sheet1.xml"] == before
    assert any("Marker names is yours" in told for what, told in done.found if what == "to do")
    page = loaded_sheet(path, "Plates")
    assert [page.cell(2, 1).value, page.cell(2, 2).value] == ["FP1", "auto"]
    assert page.cell(2, 3).value == pytest.approx(0.5), "without a unit there, corners are in m"


def test_sheets_that_are_there_are_written_anew_only_if_an_import_wrote_them_and_is_told_to(tmp_path, book):
    path = file(tmp_path, files.trc(MADE))
    import_gait([path], book)
    content = book.read_bytes()
    with pytest.raises(WorkbookError) as told:
        import_gait([path], book)
    assert [each.code for each in told.value.problems] == ["sheet-exists"]
    assert "--replace" in told.value.problems[0].mend
    assert book.read_bytes() == content
    other = walk()
    other.markers = other.markers + 0.25
    import_gait([file(tmp_path, files.trc(other))], book, replace=True)
    np.testing.assert_allclose(recorded(book, "Markers walk03").markers.positions, other.markers, atol=1e-9)
    assert list(open_book(book).sheets).count("Markers walk03") == 1


def test_the_mark_of_an_import_survives_another_program_and_dies_with_a_new_name(tmp_path, book):
    path = file(tmp_path, files.trc(MADE))
    import_gait([path], book)
    saved = openpyxl.load_workbook(book)
    saved.save(book)
    import_gait([path], book, replace=True)
    saved = openpyxl.load_workbook(book)
    saved["Markers walk03"].title = "Markers mine"
    saved.save(book)
    with pytest.raises(WorkbookError) as told:
        import_gait([path], book, "mine", replace=True)
    assert "no import has written it" in told.value.problems[0].problem


def test_what_the_user_put_onto_an_imported_sheet_is_never_lost(tmp_path, book):
    path = file(tmp_path, files.trc(MADE))
    import_gait([path], book)
    saved = openpyxl.load_workbook(book)
    saved["Markers walk03"]["T1"] = "=SUM(C3:C9)"
    saved.save(book)
    content = book.read_bytes()
    with pytest.raises(WorkbookError) as told:
        import_gait([path], book, replace=True)
    assert told.value.problems[0].code == "more-on-sheet"
    assert book.read_bytes() == content


def test_a_new_workbook_is_made_and_none_is_left_where_a_file_is_wrong(tmp_path):
    book = tmp_path / "new.xlsx"
    with pytest.raises(WorkbookError):
        import_gait([file(tmp_path, files.trc(MADE).replace("mm", "mn"))], book)
    assert not book.exists()
    import_gait([file(tmp_path, files.trc(MADE))], book)
    assert {"Markers walk03", "Marker names", "Subject", "Settings"} <= set(open_book(book).sheets)
    with pytest.raises(WorkbookError) as told:
        import_gait([file(tmp_path, files.trc(MADE))], tmp_path / "other.xlsx", template="gait-9d")
    assert told.value.problems[0].code == "unknown-template"


def test_blank_forms_beside_an_imported_trial_are_no_trials(tmp_path):
    from sheetmbs.gait.reading.read_trials import read_trials

    path = tmp_path / "form.xlsx"
    with xlsxwriter.Workbook(path) as made:
        for name in ("Markers", "Force plates"):
            made.add_worksheet(name).write_row(0, 0, ["time"])
    import_gait([file(tmp_path, files.vicon(MADE), "walk.csv")], path)
    report = ProblemList(())
    walking, _static = read_trials(open_book(path).sheets, (), (), report)
    assert report.problems() == []
    assert [trial.name for trial in walking] == ["walk"]


def test_results_do_not_take_imported_sheets_for_theirs(tmp_path, book):
    from sheetmbs.workbook.package.ownership import own_sheets
    from sheetmbs.workbook.package.package import Package

    import_gait([file(tmp_path, files.trc(MADE))], book)
    assert own_sheets(Package(book)) == {}


REFUSED = {
    "two files of markers": ([files.trc(MADE), files.trc(MADE)], "two-trials"),
    "the same plate twice": ([files.cortex_forces(MADE), files.cortex_forces(MADE)], "two-plates"),
    "plates of two trials": ([files.cortex_forces(MADE), files.cortex_forces(walk(30))], "other-samples"),
    "stamps that are not uniform": ([files.trc(MADE).replace("\n3\t0.020", "\n3\t0.026")], "not-uniform"),
    "an empty file": ([""], "nothing-recorded"),
}


@pytest.mark.parametrize(("texts", "code"), REFUSED.values(), ids=REFUSED)
def test_files_that_make_no_trial_are_refused_and_the_workbook_stays(tmp_path, book, texts, code):
    content = book.read_bytes()
    paths = [file(tmp_path, text, f"walk{at}.trc") for at, text in enumerate(texts)]
    with pytest.raises(WorkbookError) as told:
        import_gait(paths, book)
    assert [each.code for each in told.value.problems] == [code]
    assert book.read_bytes() == content


@pytest.mark.parametrize("name", ["", "a/b", "x" * 19])
def test_a_trial_has_a_name_that_sheets_can_have(tmp_path, book, name):
    with pytest.raises(WorkbookError) as told:
        import_gait([file(tmp_path, files.trc(MADE))], book, name)
    assert told.value.problems[0].code == "trial-name"


def test_the_command_tells_what_it_found(tmp_path, book, capsys):
    app(["import", "gait", str(file(tmp_path, files.trc(MADE))), str(book), "--trial", "slow"], standalone_mode=False)
    printed = capsys.readouterr()
    told = printed.out + printed.err
    for words in ("5, in mm", "40 at 100 Hz", "RKNE 4 frames", "right knee = RKNE", "Markers slow"):
        assert words in told
    app(["import", "gait", str(tmp_path / "walk03.trc"), str(book), "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "done"
    assert found["trial"] == "walk03"
    assert found["found"]["markers"] == ["5, in mm"]


@pytest.mark.skipif(not TRIAL.exists(), reason="the real trial is not here")
def test_a_real_trial_is_imported_whole(tmp_path):
    book = tmp_path / "real.xlsx"
    done = import_gait([TRIAL / "walk2.trc", TRIAL / "walk2.forces"], book)
    found = dict(done.found)
    assert found["frames"].startswith("251 at 150 Hz")
    assert found["axes"] == "+y up, +x forward"
    assert "FP5" in found["plates"]
    assert recorded(book, "Markers walk2").markers.positions.shape == (28, 251, 3)
    assert len(recorded(book, "Force plates walk2").forces.plates) == 7
    assert names(book)["left ankle medial"] == "L_Ankle_Medial"


def test_an_imported_trial_takes_the_place_of_the_walk_that_a_new_workbook_shows(tmp_path):
    path = tmp_path / "lab.xlsx"
    new("gait-2d", path)
    book = openpyxl.load_workbook(path)
    subject = {row[0].value: row[1] for row in book["Subject"].iter_rows(min_row=2) if row[0].value}
    subject["mass"].value = 64.0
    book.save(path)
    import_gait([file(tmp_path, files.trc(MADE), "walk.trc")], path)
    sheets = openpyxl.load_workbook(path)
    settings = {row[0].value: row[1].value for row in sheets["Subject"].iter_rows(min_row=2)}
    assert settings["mass"] == 64.0
    assert settings["height"] is None
    assert sheets["Markers"].max_row <= 2
    assert sheets["Markers walk"].max_row > 20


def test_markers_of_the_users_own_stay_beside_an_imported_trial(tmp_path):
    path = tmp_path / "lab.xlsx"
    new("gait-2d", path)
    book = openpyxl.load_workbook(path)
    book["Markers"].cell(10, 2).value = 12.5
    book.save(path)
    import_gait([file(tmp_path, files.trc(MADE), "walk.trc")], path)
    assert loaded_sheet(path, "Markers").cell(10, 2).value == 12.5
