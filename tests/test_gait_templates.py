"""The templates of gait: all sheets and settings, a walk that runs at once without a warning and gives what is exact."""

import gzip

import numpy as np
import openpyxl
import pytest

from sheetmbs import study
from sheetmbs.gait_study import import_gait, run_gait
from sheetmbs.schema.column import SheetLayout
from sheetmbs.schema.gait_inputs import GAIT_SHEETS, PROCESSING_SETTINGS, SUBJECT_SETTINGS
from tests import gait_walker
from tests.example_books import GAIT_BOOKS, ROOT
from tests.shared import shared

TEMPLATES = [path for path in GAIT_BOOKS if path.parent.name == "templates"]
TRIALS = ROOT / "workbooks" / "trials"
START = -0.25
"""s: when the walker is recorded from"""
of_each = pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)


def csv_of(name):
    with gzip.open(TRIALS / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        headers = file.readline().strip().split(",")
        return dict(zip(headers, np.loadtxt(file, delimiter=",").T, strict=True))


def test_the_walk_in_the_templates_is_that_of_the_exact_walker():
    markers, forces = csv_of("walker-markers"), csv_of("walker-forces")
    walk = gait_walker.walk(markers["time"] + START)
    for header, values in markers.items():
        if header != "time":
            point, axis = header.rsplit(".", 1)
            exact = walk.points[point].value[:, "xy".index(axis)]
            assert np.abs(values - 1000.0 * exact).max() < 1e-4, header
    ground = gait_walker.ground(forces["time"] + START)
    for side, (force, moment) in ground.items():
        for name, exact in (("fx", force[:, 0]), ("fy", force[:, 1]), ("m", moment)):
            assert np.abs(forces[f"{side}.{name}"] - exact).max() < 1e-3


@of_each
def test_a_new_workbook_runs_at_once_without_a_warning(path, call, tmp_path):
    book = tmp_path / "new.xlsx"
    study.new(path.stem, book)
    status, _out, err = call("run", book)
    assert status == 0
    assert "mbs Problems" not in openpyxl.load_workbook(book).sheetnames, err
    assert run_gait(book).solved.problems == ()


@of_each
def test_every_sheet_column_and_setting_of_gait_stands_in_a_template(path):
    book = openpyxl.load_workbook(path)
    for sheet in GAIT_SHEETS:
        if "2D" not in sheet.models:
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
    ("name", "joints"), [("gait-2d", ("hip", "knee", "ankle")), ("gait-2d-leg", ("knee", "ankle"))]
)
def test_moments_of_a_template_are_those_of_the_exact_walker_but_for_the_filter(name, joints):
    """6 Hz takes some of its harmonics, which end at 6.4 Hz; without a filter tests/test_gait_trials.py asks for more."""
    solved = run_gait(ROOT / "templates" / f"{name}.xlsx").solved.courses[0]
    exact = gait_walker.joint_loads(solved.time + START)
    inside = slice(40, -40)
    for joint in joints:
        found, moment = solved.joints[f"right {joint}"]["moment"], exact[f"right {joint}"].moment
        assert np.sqrt(np.mean((found - moment)[inside] ** 2)) < 0.06 * np.abs(moment).max(), joint


@pytest.mark.skipif(not shared("gait-data").is_dir(), reason="the trial of the laboratory is not here")
def test_an_import_into_a_new_workbook_takes_the_place_of_the_walk_that_the_template_shows(tmp_path):
    folder, book = shared("gait-data"), tmp_path / "walk.xlsx"
    import_gait([folder / "walk2.trc", folder / "walk2.forces"], book)
    subject = openpyxl.load_workbook(book)["Subject"]
    assert [subject.cell(2, column).value for column in (1, 2)] == ["mass", None]
    made = openpyxl.load_workbook(book)
    made["Subject"]["B2"].value = 72.5
    made.save(book)
    results = run_gait(book)
    assert [each.trial for each in results.solved.courses] == ["walk2"]
    shown = run_gait(ROOT / "workbooks" / "gait-walk.xlsx").solved.courses[0]
    for joint in ("hip", "knee", "ankle"):
        here, there = (each.joints[f"right {joint}"]["moment"] for each in (results.solved.courses[0], shown))
        assert np.nanmax(np.abs(here - there)) < 0.05, "the same trial in both workbooks, but for printed digits"
