"""The templates of gait: all sheets and settings, a walk that runs at once without a warning and gives what is exact."""

import gzip

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.importing.import_trial import import_trial as import_gait
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.column import SheetLayout
from sheetmbs.schema.gait_inputs import GAIT_SHEETS, PROCESSING_SETTINGS, SUBJECT_SETTINGS
from sheetmbs.workbook.writing.new_workbook import new_book
from tests.gait import gait_line_walker, gait_runner
from tests.support import gait_walker
from tests.support.example_books import GAIT_BOOKS, ROOT
from tests.support.sample_results import loaded_sheet, sheet_names
from tests.support.shared import shared

TEMPLATES = [path for path in GAIT_BOOKS if path.parent.name == "templates"]
TRIALS = ROOT / "workbooks" / "trials"
STARTS = {"walker": -0.25, "runner": -0.10, "line": -0.25}
"""s: from when on they are recorded"""
of_each = pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)


def settings_of(book):
    return {row[0]: row[1] for row in book["Settings"].iter_rows(values_only=True)}


def csv_of(name):
    with gzip.open(TRIALS / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        headers = file.readline().strip().split(",")
        return dict(zip(headers, np.loadtxt(file, delimiter=",").T, strict=True))


@of_each
def test_blank_settings_stand_in_the_unit_in_which_their_default_is_told(path):
    """Who writes 50 beside a threshold means N, and beside the points of a stride a number."""
    book = openpyxl.load_workbook(path, read_only=True)
    units = {
        row[0]: row[2] or "" for name in ("Subject", "Processing") for row in book[name].iter_rows(values_only=True)
    }
    wanted = {"speed": "m/s", "force_delay": "s", "gap_limit": "s", "threshold": "N", "points": "", "edge": ""}
    assert {name: units[name] for name in wanted} == wanted


@pytest.mark.parametrize(("who", "move"), [(gait_walker, gait_walker.walk), (gait_runner, gait_runner.run)])
def test_what_moves_in_the_templates_is_the_exact_walker_and_the_runner(who, move):
    name = who.__name__.rpartition("_")[2]
    markers, forces = csv_of(f"{name}-markers"), csv_of(f"{name}-forces")
    body = move(markers["time"] + STARTS[name])
    for header, values in markers.items():
        if header != "time":
            point, axis = header.rsplit(".", 1)
            exact = body.points[point].value[:, "xy".index(axis)]
            assert np.abs(values - 1000.0 * exact).max() < 1e-4, header
    ground = who.ground(forces["time"] + STARTS[name])
    for side, (force, moment) in ground.items():
        for quantity, exact in (("fx", force[:, 0]), ("fy", force[:, 1]), ("m", moment)):
            assert np.abs(forces[f"{side}.{quantity}"] - exact).max() < 1e-3


def test_the_walk_in_space_is_that_of_the_walker_on_a_line():
    markers, forces, static = (csv_of(f"line-{each}") for each in ("markers", "forces", "static"))
    body, standing = gait_line_walker.walk(markers["time"] + STARTS["line"]), gait_line_walker.standing()
    for header in list(markers)[1:]:
        point, axis = header.rsplit(".", 1)
        column = "xyz".index(axis)
        assert np.abs(markers[header] - 1000.0 * body.points[point].value[:, column]).max() < 1e-4, header
        assert np.abs(static[header] - 1000.0 * standing[point][:, column]).max() < 1e-4, header
    for side, wrench in gait_line_walker.ground(forces["time"] + STARTS["line"]).items():
        for column, name in enumerate(("fx", "fy", "fz", "mx", "my", "mz")):
            assert np.abs(forces[f"{side}.{name}"] - wrench[:, column]).max() < 1e-3


@of_each
def test_a_new_workbook_runs_at_once_without_a_warning(path, call, tmp_path):
    book = tmp_path / "new.xlsx"
    new_book(path.stem, book)
    status, _out, err = call("run", book)
    assert status == 0
    assert "mbs Problems" not in sheet_names(book), err
    assert run_gait(book).solved.problems == ()


@pytest.fixture
def in_space(tmp_path):
    """A new workbook of gait in space, whose medial markers only the standing trial has; and where it is."""
    path = tmp_path / "space.xlsx"
    new_book("gait-3d", path)
    return openpyxl.load_workbook(path), path


def test_a_leap_of_a_cluster_is_told_at_its_marker_and_at_none_that_it_carries(in_space):
    book, path = in_space
    headers = [cell.value for cell in book["Markers"][1]]
    cell = book["Markers"].cell(80, headers.index("right shank 3.x") + 1)
    cell.value += 120.0
    book.save(path)
    told = [each for each in run_gait(path).solved.problems if each.code == "leaping-marker"]
    assert [(each.cell, each.found) for each in told] == [
        (f"Markers!{cell.coordinate}", "right shank 3 leaps in frame 78")
    ]


def test_millimetres_read_as_metres_are_told_once_a_leg_and_not_as_joints_that_are_hundreds_of_metres_wide(in_space):
    book, path = in_space
    for cell in book["Markers"][2]:
        cell.value = "m" if cell.value == "mm" else cell.value
    book.save(path)
    with pytest.raises(WorkbookError) as stopped:
        run_gait(path)
    assert {each.code for each in stopped.value.problems if each.severity == "error"} == {"wrong-length-unit"}
    assert "the numbers look like mm" in str(stopped.value)


@of_each
def test_every_sheet_column_and_setting_of_gait_stands_in_a_template(path):
    book = openpyxl.load_workbook(path)
    for sheet in GAIT_SHEETS:
        if settings_of(book)["dimension"] not in sheet.models:
            assert sheet.name not in book.sheetnames
            continue
        headers = [cell.value for cell in book[sheet.name][1] if cell.value is not None]
        if sheet.layout is SheetLayout.TABLE:
            assert headers == [column.name for column in sheet.columns]
    for name, rules in (("Subject", SUBJECT_SETTINGS), ("Processing", PROCESSING_SETTINGS)):
        rows = [row for row in book[name].iter_rows(min_row=2, values_only=True) if row[0]]
        assert sorted(row[0] for row in rows) == sorted(rule.name for rule in rules)
        said = {row[0]: row for row in rows}
        for rule in rules:
            if rule.default and said[rule.name][1] is None:
                assert f"blank = {rule.default}" in said[rule.name][-1]


@of_each
def test_settings_with_words_offer_them(path):
    book = openpyxl.load_workbook(path)
    for name, rules in (("Subject", SUBJECT_SETTINGS), ("Processing", PROCESSING_SETTINGS)):
        words = {rule.name: rule.choices for rule in rules}
        validations = book[name].data_validations.dataValidation
        for row in range(2, book[name].max_row + 1):
            setting = book[name].cell(row, 1).value
            offers = [each for each in validations if f"B{row}" in each.sqref and each.type == "list"]
            assert bool(offers) == bool(words[setting]), setting


@pytest.mark.parametrize(
    ("name", "who", "joints", "most"),
    [
        ("gait-2d", gait_walker, ("hip", "knee", "ankle"), 0.06),
        ("gait-2d-leg", gait_walker, ("knee", "ankle"), 0.06),
        ("gait-2d-running", gait_runner, ("hip", "knee", "ankle"), 0.015),
    ],
)
def test_moments_of_a_template_are_the_exact_ones_but_for_the_filter(name, who, joints, most):
    """6 Hz take some of the walker's harmonics, which end at 6.4 Hz, 20 Hz little of the runner's, which end at 14.3 Hz.

    most: rms, of the largest moment. Without a filter tests/gait/test_gait_trials.py asks for more.
    """
    solved = run_gait(ROOT / "templates" / f"{name}.xlsx").solved.courses[0]
    exact = who.joint_loads(solved.time + STARTS[who.__name__.rpartition("_")[2]])
    inside = slice(40, -40)
    for joint in joints:
        found, moment = solved.joints[f"right {joint}"]["moment"], exact[f"right {joint}"].moment
        assert np.sqrt(np.mean((found - moment)[inside] ** 2)) < most * np.abs(moment).max(), joint


def test_moments_in_space_are_those_of_the_walker_on_a_line(tmp_path):
    """About the axes of the proximal and the distal segment and the floating one; medial markers came off. Unfiltered."""
    book = openpyxl.load_workbook(ROOT / "templates" / "gait-3d.xlsx")
    next(row for row in book["Processing"].iter_rows() if row[0].value == "cutoff")[1].value = "none"
    book.save(tmp_path / "plain.xlsx")
    found = run_gait(tmp_path / "plain.xlsx").solved
    course, [trial] = found.courses[0], found.book.trials
    assert {name for name, _ in trial.carried} >= {"right knee medial", "left ankle medial"}
    exact = gait_line_walker.joint_moments(course.time + STARTS["line"])
    pieces = gait_walker.walk(course.time + STARTS["line"]).pieces
    inside = slice(40, -40)
    for side, sign in gait_line_walker.ACROSS.items():
        own = course.joints[f"{side} hip"]
        adduction = np.degrees(own["adduction"][inside])
        assert 4.5 < adduction.min() < adduction.max() < 6.0
        for joint, below in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot")):
            moment = exact[f"{side} {joint}"]
            first = np.array([0.0, 0.0, 1.0]) if joint == "hip" else gait_line_walker.axis(side)
            # the foot's own axes lie flat on its sole, which the planar walker calls level
            line = np.arctan2(*(gait_walker.ANKLE - gait_walker.MT5)[::-1]) if joint == "ankle" else 0.5 * np.pi
            upright = pieces[f"{side} {below}"].angle.value - line
            long = gait_line_walker.turned(np.column_stack((-np.sin(upright), np.cos(upright))), side)
            floating = np.cross(long, first)
            floating = floating / np.linalg.norm(floating, axis=1, keepdims=True)
            shown = {"flexion": moment @ first}
            shown["adduction"] = sign * np.sum(moment * floating, axis=1)
            shown["rotation"] = sign * np.sum(moment * long, axis=1)
            size = np.linalg.norm(moment, axis=1).max()
            for name, values in shown.items():
                error = (course.joints[f"{side} {joint}"][f"moment_{name}"] - values)[inside]
                assert np.sqrt(np.mean(error**2)) < 0.01 * size, (side, joint, name)
        assert own["moment_adduction"][inside].min() < -0.7 * gait_walker.MASS, "abductors hold the pelvis"


def test_a_run_has_flight_and_is_advised_a_cut_off_near_its_own(tmp_path):
    """Residuals up to 20 Hz alone would advise 9 Hz: what is left of a run between 10 and 20 Hz is no noise."""
    path = ROOT / "templates" / "gait-2d-running.xlsx"
    results = run_gait(path)
    prepared = results.solved.trials[0].prepared
    assert 0.7 < np.median(prepared.advice.advised / prepared.cutoffs) < 1.5
    items = {(each.item, each.side): each.value for each in results.items}
    assert items["double support", "right"] == 0.0
    assert 0.2 < items["stance", "right"] < 0.5
    book = openpyxl.load_workbook(path)
    rows = {row[0].value: row[1] for row in book["Processing"].iter_rows()}
    rows["cutoff"].value = 45
    book.save(tmp_path / "rough.xlsx")
    told = run_gait(tmp_path / "rough.xlsx").solved.problems
    assert "doubtful-cutoff" in [each.code for each in told]


def exported(path, tabs, folder):
    """Sheets of a workbook as files of plain columns."""
    book = openpyxl.load_workbook(path)
    files = []
    for tab in tabs:
        rows = [row for row in book[tab].iter_rows(values_only=True) if any(each is not None for each in row)]
        files.append(folder / f"{tab}.csv")
        files[-1].write_text("\n".join(",".join("" if each is None else str(each) for each in row) for row in rows))
    return files


@pytest.mark.parametrize("order", [("walk", "static"), ("static", "walk")])
def test_a_walk_and_a_standing_trial_come_into_a_new_workbook_in_either_order(order, tmp_path, call):
    """The standing trial of the template goes with its walk, and no empty sheet of it is in the way."""
    template, book = ROOT / "templates" / "gait-3d.xlsx", tmp_path / "anna.xlsx"
    tabs = {"walk": ("Markers", "Force plates"), "static": ("Markers static",)}
    for number, trial in enumerate(order):
        import_gait(
            exported(template, tabs[trial], tmp_path), book, trial=trial, template=None if number else "gait-3d"
        )
        if trial == "walk" and number == 0:
            _, _, err = call("check", book)
            assert "add a sheet Markers static" in err
            assert "unknown-marker" not in err, "what only the standing trial has is not missed before it is there"
    made = openpyxl.load_workbook(book)
    assert made["Subject"]["B2"].value is None
    made["Subject"]["B2"].value = 70.0
    made.save(book)
    found, shown = (run_gait(each).solved.courses[0] for each in (book, template))
    for label, course in shown.joints.items():
        for name, values in course.items():
            assert np.allclose(
                found.joints[label][name], values, atol=1e-5 * max(1.0, np.nanmax(np.abs(values))), equal_nan=True
            )


@pytest.mark.skipif(not shared("gait-data").is_dir(), reason="the trial of the laboratory is not here")
def test_an_import_into_a_new_workbook_takes_the_place_of_the_walk_that_the_template_shows(tmp_path):
    folder, book = shared("gait-data"), tmp_path / "walk.xlsx"
    import_gait([folder / "walk2.trc", folder / "walk2.forces"], book)
    subject = loaded_sheet(book, "Subject")
    assert [subject.cell(2, column).value for column in (1, 2)] == ["mass", None]
    made = openpyxl.load_workbook(book)
    made["Subject"]["B2"].value = 72.5
    made.save(book)
    results = run_gait(book)
    assert [each.trial for each in results.solved.courses] == ["walk2"]
    for side in ("right", "left"):
        joints = results.solved.courses[0].joints
        assert 1.2 < -np.nanmin(joints[f"{side} ankle"]["moment"]) / 72.5 < 1.7, "as in healthy walking"
        assert 50.0 < np.degrees(np.nanmax(joints[f"{side} knee"]["angle"])) < 70.0
    assert {each.side for each in results.items if each.item == "stride time"} == {"right"}, (
        "no left strike at the very end"
    )
