"""A car that is read again with other numbers is the car of a workbook saved so, to the last bit."""

from __future__ import annotations

from dataclasses import fields

import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.generated.known_models import KnownModels
from sheetmbs.suspension.read_design import KnownDesigns
from sheetmbs.suspension.solved_design import EVERYTHING, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_wanted
from sheetmbs.workbook.cells.cells import CellKind, open_book, with_cells
from sheetmbs.workbook.reading.incremental_reader import IncrementalReader
from tests.support.example_books import ROOT
from tests.workbook.test_incremental_reader import at, same, without_warnings

STUDENT = ROOT / "workbooks" / "formula-student.xlsx"
CARS = sorted([STUDENT, ROOT / "workbooks" / "macpherson.xlsx", *(ROOT / "templates").glob("suspension-*.xlsx")])
VARIED = ("Hardpoints", "Suspension", "Suspension springs", "Adjustments", "Load cases", "Bodies", "Points")


MADE = ("book", "merged", "model", "bodied", "systems")
"""fields that hold what is made of the others, or is compared without its warnings"""


def outcome(book, known=None):
    """The designs as read but for where they stand and for warnings, or what is wrong."""
    try:
        designs = read_wanted(book, EVERYTHING, known)
    except WorkbookError as error:
        return [problem for problem in error.problems if problem.severity == "error"]
    names = [field.name for field in fields(designs[0]) if field.name not in MADE]
    return [
        [getattr(each, name) for name in names] + [without_warnings(each.model), without_warnings(each.bodied)]
        for each in designs
    ]


def changes(book):
    """A few numbers of each sheet, then of all sheets; a word where a number was, a word of a type, and a blank cell."""
    together = {}
    for sheet in (each for each in VARIED if each in book.sheets):
        rows = book.sheets[sheet].rows
        numbers = [cell for row in rows for cell in rows[row].values() if cell.kind is CellKind.NUMBER and row > 2]
        few = {at(sheet, cell): 1.0002 * cell.value for cell in numbers[1 :: max(1, len(numbers) // 5)]}
        yield few
        together |= few
    yield together
    yield {("Hardpoints", "D5"): "wide"}
    yield {("Hardpoints", "D5"): "0.57 m"}
    yield {("Hardpoints", "D5"): ""}
    yield {("Suspension", "B2"): "multilink"}


@pytest.mark.parametrize("path", CARS, ids=lambda path: path.stem)
def test_a_car_with_other_numbers_is_that_of_a_workbook_saved_so(path):
    book, known = open_book(path), KnownDesigns()
    base = outcome(book, known)
    for changed in changes(book):
        variant = with_cells(book, changed)
        assert same(outcome(variant, known), outcome(variant))
    assert same(outcome(book, known), base), "a variant leaves nothing behind"


def test_rows_that_come_or_go_are_read_from_the_first_to_the_last(monkeypatch):
    book, known = open_book(STUDENT), KnownDesigns()
    outcome(book, known)
    asked = []
    monkeypatch.setattr(IncrementalReader, "model", lambda *_: asked.append(None))
    outcome(with_cells(book, {("Suspension", "B3"): "direct"}), known)
    assert not asked, "the bodies of a rocker are gone"


def test_what_only_differs_in_numbers_is_never_read_as_a_whole(monkeypatch):
    book, known = open_book(STUDENT), KnownDesigns()
    outcome(book, known)

    def refuse(*_arguments):
        raise AssertionError("all was read")

    monkeypatch.setattr("sheetmbs.suspension.generated.known_models.build_model", refuse)
    monkeypatch.setattr("sheetmbs.workbook.reading.incremental_reader.build_model", refuse)
    outcome(with_cells(book, {("Hardpoints", "E10"): 153.0}), known)


def test_sheets_of_sweeps_have_the_columns_that_are_asked_for_with_the_same_numbers():
    designs = read_wanted(open_book(STUDENT), EVERYTHING)
    whole = solve_designs(designs)[0].tables["heave"]
    wanted = frozenset(("FL.toe", "front.roll_centre_height", "FL.spring_length", "RR.camber"))
    part = solve_designs(designs, WantedCases(frozenset(["heave"]), loads=False, columns=wanted))[0].tables["heave"]
    assert set(part.columns) == {whole.columns[0], *wanted}
    for place, name in enumerate(part.columns):
        assert (part.values[:, place] == whole.values[:, whole.columns.index(name)]).all()


def test_models_of_different_kinds_do_not_meet():
    known = KnownModels()
    books = [open_book(ROOT / "workbooks" / f"{name}.xlsx") for name in ("slider-crank", "pendulum")]
    first = [known.of(book.path.stem, book) for book in books]
    again = [known.of(book.path.stem, book) for book in books]
    assert [len(model.bodies) for model in first] == [len(model.bodies) for model in again]
    assert len(first[0].bodies) != len(first[1].bodies)
