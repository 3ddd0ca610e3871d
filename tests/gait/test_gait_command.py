"""The command line on gait workbooks: what it says, what it writes, and which options it refuses."""

import json

import openpyxl
import pytest
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from tests.support.gait_books import Recording, gait_book, walker_sheets


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    how = Recording(end=2.6, force_rate=200.0, settings={"cutoff": 6, "force_cutoff": "same"})
    return gait_book(tmp_path_factory.mktemp("gait") / "walk.xlsx", walker_sheets(how))


def said(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_run_writes_the_report_first_and_leaves_the_workbook_alone(book, tmp_path):
    before = book.read_bytes()
    result = said("run", book, "-o", tmp_path / "out.xlsx", "--model", tmp_path / "model.xlsx")
    assert result.exit_code == 0, result.output
    written = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert written.active.title == "mbs Gait report"
    assert "mbs Gait quality" in written.sheetnames
    assert openpyxl.load_workbook(tmp_path / "model.xlsx")["Guiding"]["A1"].value == "time"
    assert book.read_bytes() == before


def test_json_holds_every_item(book, tmp_path):
    result = said("run", book, "-o", tmp_path / "out.xlsx", "--json")
    told = json.loads(result.stdout)
    items = {(each["item"], each["side"], each["joint"]): each["value"] for each in told["items"]}
    assert items["stride time", "right", ""] == pytest.approx(1.1, abs=1e-3)
    assert items["speed", "", ""] == pytest.approx(1.25, abs=1e-3)


def test_a_check_says_what_the_workbook_holds(book):
    result = said("check", book)
    assert result.exit_code == 0
    assert "1 trial of 13 markers" in result.output


@pytest.mark.parametrize(
    "option",
    [("--case", "walk"), ("--all-cases",), ("--report-step", "0.01"), ("--also", "rows.csv"), ("--report", "r.txt")],
)
def test_options_of_analyses_over_time_are_refused(book, tmp_path, option):
    result = said("run", book, "-o", tmp_path / "out.xlsx", *option)
    assert result.exit_code == 2
    assert option[0] in result.output
    assert not (tmp_path / "out.xlsx").exists()
