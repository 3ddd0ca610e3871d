"""Where elastic parts do not count, the user is told at their cell or in the row of the case."""

import pytest

from sheetmbs.suspension.whole_car import read_whole_car
from sheetmbs.suspension.written_out import write_out
from sheetmbs.workbook.cells.cells import open_book
from tests.support.compliance_books import compliance_book, part, run_compliance

CASES = (
    ("name", "pose", "ay", "FL.fz", "FR.fz", "RL.fz", "RR.fz"),
    ("rests", None, 1, None, None, None, None),
    ("held", "design", None, 600, 600, 700, 700),
)
GENERAL = (("setting", "value"), ("analysis", "modes"))


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    rows = [part("tie rod", k="20 kN/mm")]
    path = tmp_path_factory.mktemp("rigid") / "car.xlsx"
    return compliance_book(path, rows, others={"Load cases": CASES, "Settings": GENERAL})


def test_an_ordinary_analysis_says_that_its_members_are_rigid(book):
    told = [each for each in read_whole_car(open_book(book)).warnings if each.code == "rigid-members"]
    assert [each.cell for each in told] == ["Compliance!B2"]


def test_a_written_out_workbook_says_that_its_members_are_rigid(book, tmp_path):
    assert [each.cell for each in write_out(book, tmp_path / "out.xlsx")] == ["Compliance!B2"]


def test_a_load_case_stands_on_elastic_parts_whether_it_rests_or_is_held(tmp_path):
    car = run_compliance(tmp_path / "car.xlsx", [part("tie rod", k="20 kN/mm")], others={"Load cases": CASES})
    marks = dict(zip((case.name for case in car.base.loads.cases), car.base.loads.marks, strict=True))
    assert "rigid" not in marks["held"]
    assert "rigid" not in marks["rests"]
