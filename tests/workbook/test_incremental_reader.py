"""A workbook read again with other numbers gives the model that it gives when it is read for the first time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import CellKind, column_letters, open_book, with_cells
from sheetmbs.workbook.reading.incremental_reader import IncrementalReader
from sheetmbs.workbook.reading.read_workbook import build_model, list_cases
from tests.support.example_books import EXAMPLES, ROOT

WISHBONE = ROOT / "workbooks" / "double-wishbone.xlsx"
OWN = ("README", "Lookup")


def same(one, other):
    """Whether two values of a model are equal to the last bit."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if is_dataclass(one):
        return type(one) is type(other) and all(
            same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one)
        )
    return one == other


def without_warnings(model):
    return replace(model, warnings=(), source_bytes=None)


def outcome(read, *arguments):
    """The model that comes of reading, or what is wrong."""
    try:
        return without_warnings(read(*arguments))
    except WorkbookError as error:
        return error.problems


def at(sheet, cell):
    return sheet, f"{column_letters(cell.column)}{cell.row}"


def numbers_of(book, sheet):
    rows = book.sheets[sheet].rows
    return [cell for row in list(rows)[:60] for cell in rows[row].values() if cell.kind is CellKind.NUMBER]


def changes(book):
    """A few numbers of each input sheet changed, and those of all sheets at once."""
    together = {}
    for sheet in book.sheets:
        cells = [] if sheet.startswith("mbs ") or sheet in OWN else numbers_of(book, sheet)
        if cells:
            chosen = cells[:: max(1, len(cells) // 4)]
            several = {at(sheet, cell): 1.0003 * cell.value for cell in chosen}
            yield several
            if sheet != "Settings":
                together |= several
    yield together


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_changed_numbers_give_the_model_of_a_workbook_saved_so(path):
    book = open_book(path)
    for case in [each.name for each in list_cases(book)] or [None]:
        again = IncrementalReader(book, None, case)
        base = without_warnings(build_model(book, None, case))
        for changed in changes(book):
            assert same(outcome(again.model, changed), outcome(build_model, with_cells(book, changed), None, case))
        assert same(without_warnings(again.model({})), base), "a variant leaves nothing behind"


def test_what_no_change_touches_is_the_same_object():
    book = open_book(WISHBONE)
    again = IncrementalReader(book, None, "bump")
    base = again.model({})
    spring = next(cell for cell in numbers_of(book, "Springs") if cell.row > 2)
    model = again.model({at("Springs", spring): 1.5 * spring.value})
    assert all(one is other for one, other in zip(base.joints, model.joints, strict=True))
    assert [one is other for one, other in zip(base.springs, model.springs, strict=True)].count(False) == 1


@pytest.mark.parametrize(
    ("sheet", "column", "value"),
    [
        *(
            ("Joints", "type", "fixed"),
            ("Joints", "active", "no"),
            ("Bodies", "name", "other"),
            ("Points", "x", "0.1 m"),
        ),
        *(("Points", "x", ""), ("Points", "x", "wide"), ("Forces", "fz", "-300*t"), ("Springs", "k", "5 N/mm")),
    ],
)
def test_changed_words_are_read_as_in_a_workbook_saved_so(sheet, column, value):
    book = open_book(WISHBONE)
    rows = book.sheets[sheet].rows
    [number] = [cell.column for cell in rows[1].values() if str(cell.value).split(" ")[0] == column]
    changed = {(sheet, f"{column_letters(number)}3"): value}
    found = outcome(IncrementalReader(book, None, "bump").model, changed)
    assert same(found, outcome(build_model, with_cells(book, changed), None, "bump"))


def test_a_number_that_is_wrong_is_reported_as_in_a_workbook_saved_so():
    book = open_book(WISHBONE)
    rows = book.sheets["Bodies"].rows
    [mass] = [cell.column for cell in rows[1].values() if str(cell.value).split(" ")[0] == "mass"]
    row = next(row for row in rows if row > 2 and mass in rows[row] and rows[row][mass].kind is CellKind.NUMBER)
    changed = {("Bodies", f"{column_letters(mass)}{row}"): -1.0}
    with pytest.raises(WorkbookError) as expected:
        build_model(with_cells(book, changed), None, "bump")
    again = IncrementalReader(book, None, "bump")
    with pytest.raises(WorkbookError) as found:
        again.model(changed)
    assert found.value.problems == expected.value.problems
    assert same(without_warnings(again.model({})), without_warnings(build_model(book, None, "bump")))
