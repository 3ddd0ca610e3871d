"""Formulas cost work in proportion to their number: counted by the lines of Python that are executed, not by a clock."""

from __future__ import annotations

import sys
from math import sqrt

import openpyxl
import pytest

from sheetmbs.formulas.cell_contents import Area, ErrorValue, united
from sheetmbs.formulas.dependencies import OrderedPlaces, ReadersOfCells
from sheetmbs.schema.cell import Place, cell_name
from sheetmbs.workbook.cells.set_cells import move_cells
from tests.support.formula_books import formulas_of

FEW, MANY = 150, 600


def chain(sheet, count):
    sheet["A1"] = 1.0
    for row in range(2, count + 1):
        sheet.cell(row, 2).value = f"=B{row - 1}+$A$1"
    return f"B{count}"


def backward(sheet, count):
    sheet["A1"] = 1.0
    for row in range(2, count + 1):
        sheet.cell(row, 2).value = f"=B{row + 1}+$A$1"
    return "B2"


def running(sheet, count):
    for row in range(1, count + 1):
        sheet.cell(row, 1).value = 1.0
        sheet.cell(row, 2).value = f"=SUM(A$1:A{row})"
    return f"B{count}"


def accumulated(sheet, count):
    """Every formula reads all formulas before."""
    sheet["A1"] = 1.0
    for row in range(2, count + 1):
        sheet.cell(row, 1).value = f"=SUM(A$1:A{row - 1})/{row}"
    return f"A{count}"


def along(sheet, count):
    """The same along a row."""
    sheet["A1"] = 1.0
    for column in range(2, count + 1):
        sheet.cell(1, column).value = f"=SUM($A1:{cell_name(1, column - 1)})/{column}"
    return cell_name(1, count)


def looked_up(sheet, count):
    for row in range(1, count + 1):
        sheet.cell(row, 1).value = float(row)
        sheet.cell(row, 2).value = f"=A{row}*2"
        sheet.cell(row, 3).value = f"=VLOOKUP(A{row},A$1:B${count},2,FALSE)"
    sheet["E1"] = f"=SUM(C1:C{count})"
    return "E1"


def failing(sheet, count):
    """Every formula leads back to a division by zero, and each reads all before."""
    sheet["A1"] = 0.0
    for row in range(2, count + 1):
        sheet.cell(row, 1).value = f"=1/A1+SUM(A$1:A{row - 1})"
    return f"A{count}"


def circling(sheet, count):
    sheet["A1"] = 1.0
    for row in range(2, count + 1):
        sheet.cell(row, 1).value = f"=A{row - 1}+A1"
    sheet["A1"] = f"=A{count}"
    return f"A{count}"


def lines(function):
    """How many lines of Python a call executes."""
    count = 0

    def count_lines(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return count_lines

    before = sys.gettrace()
    sys.settrace(count_lines)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


def saved(make, count, folder):
    book = openpyxl.Workbook()
    last = make(book.active, count)
    path = folder / f"{count}.xlsx"
    book.save(path)
    return path, Place("Sheet", *openpyxl.utils.cell.coordinate_to_tuple(last))


def cost(make, count, folder):
    """Lines of Python from the open workbook to its checked values, to what moves with a cell, and to inputs."""
    path, last = saved(make, count, folder)

    def compute():
        formulas = formulas_of(path)
        formulas.trusted(formulas.places)
        formulas.reads_results(last)
        formulas.inputs(last)
        if not formulas.is_formula(Place("Sheet", 1, 1)):
            move_cells(formulas, {Place("Sheet", 1, 1): 2.0})

    return lines(compute)


@pytest.mark.parametrize("make", [chain, backward, running, accumulated, along, looked_up, failing, circling])
def test_four_times_as_many_formulas_take_four_times_the_work(make, tmp_path):
    few, many = (cost(make, count, tmp_path) for count in (FEW, MANY))
    assert many < 1.3 * (MANY / FEW) * few


def test_deep_chains_are_computed_either_way_round(tmp_path):
    for make in (chain, backward):
        path, last = saved(make, 30_000, tmp_path)
        formulas = formulas_of(path)
        assert formulas.trusted([last]) == ({last: 29_999.0}, {})
        assert formulas.dependents(Place("Sheet", 1, 1)) == set(formulas.places)


def test_one_formula_of_a_circle_is_named_although_thousands_hang_on_it(tmp_path):
    path, last = saved(circling, 2_000, tmp_path)
    formulas = formulas_of(path)
    (problem,) = formulas.check([last])
    assert problem.code == "formula-circular"


def test_an_error_is_told_once_at_its_root(tmp_path):
    path, last = saved(failing, 500, tmp_path)
    formulas = formulas_of(path)
    (problem,) = formulas.check([last])
    assert (problem.cell, problem.code) == ("Sheet!A2", "formula-error")
    assert formulas.values([last]) == [ErrorValue("#DIV/0!")]


AREAS = [
    Area("S", top, left, top + height, left + width)
    for top, left, height, width in ((1, 1, 9, 0), (1, 1, 0, 9), (2, 2, 3, 3), (5, 1, 0, 0), (4, 4, 7, 1), (2, 2, 3, 3))
]


def cells(areas):
    return {
        (area.sheet, row, column)
        for area in areas
        for row in range(area.top, area.bottom + 1)
        for column in range(area.left, area.right + 1)
    }


def test_united_ranges_have_the_same_cells_and_few_of_them_twice():
    growing = [Area("S", 1, 1, row, 1) for row in range(1, 50)] + [
        Area("S", 1, 1, 1, column) for column in range(2, 40)
    ]
    for areas in (AREAS, growing, [Area("S", 1, column, 5, column) for column in (1, 2, 4)]):
        assert cells(united(areas)) == cells(areas)
    assert sum(area.size for area in united(growing)) <= len(cells(growing)) + 1


@pytest.mark.parametrize("turned", [False, True])
def test_readers_of_a_cell_are_those_of_every_range_that_holds_it(turned):
    span = int(sqrt(10_007))
    areas = {}
    for number in range(400):
        top, left = 1 + number * 37 % span, 1 + number * 11 % 7
        bottom, right = top + number * 53 % span, left + number % 3
        area = Area("S", *((left, top, right, bottom) if turned else (top, left, bottom, right)))
        areas.setdefault(area, []).append(Place("Formulas", number + 1, 1))
    for row, column in ((1, 1), (50, 3), (99, 8), (150, 2), (300, 1)):
        asked = Place("S", *((column, row) if turned else (row, column)))
        expected = {reader for area, readers in areas.items() if area.holds(asked) for reader in readers}
        assert set(ReadersOfCells(areas).search().reach([asked])) == expected


def test_a_search_finds_nothing_twice():
    areas = {Area("S", 1, 1, row, 1): [Place("S", row, 2)] for row in range(1, 20)}
    search = ReadersOfCells(areas).search()
    assert len(search.reach([Place("S", 10, 1)])) == 10
    assert len(search.reach([Place("S", 1, 1)])) == 9
    assert search.reach([Place("S", 5, 1)]) == []


def test_the_first_cell_of_a_range_is_found():
    some = OrderedPlaces([Place("S", 3, 2), Place("S", 7, 2), Place("T", 1, 1)])
    assert some.first_within(Area("S", 4, 1, 9, 5)) == Place("S", 7, 2)
    assert some.first_within(Area("S", 4, 1, 6, 5)) is None
    assert some.first_within(Area("T", 2, 1, 6, 5)) is None
