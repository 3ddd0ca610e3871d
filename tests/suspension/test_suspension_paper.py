"""What a suspension prints: of hundreds of columns those that readers look up, each page with its heads and swept values."""

from __future__ import annotations

import openpyxl
import pytest
from openpyxl.utils import range_boundaries

from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.sheets.sheetxml import LANDSCAPE_WIDTH, MIN_SCALE
from tests.support.car_books import car_book
from tests.support.sample_results import loaded_sheet

SWEEPS = [
    ("name", "type", "travel_from", "travel_to", "travel_step", "rack_from", "rack_to", "rack_step"),
    ("heave", "heave", "-20 mm", "20 mm", "5 mm"),
    ("both", "combined", "-20 mm", "20 mm", "10 mm", "-20 mm", "20 mm", "10 mm"),
]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = car_book(tmp_path_factory.getbasetemp() / "paper.xlsx", others={"Sweeps": SWEEPS})
    run_suspension(path).save()
    return openpyxl.load_workbook(path)


def areas(sheet):
    return [
        range_boundaries(area) for area in sheet.print_area.replace("$", "").replace(f"'{sheet.title}'!", "").split(",")
    ]


def width_of(sheet, column):
    return next(each.width for each in sheet.column_dimensions.values() if each.min <= column <= each.max)


@pytest.mark.parametrize(("name", "repeated"), [("heave", "A:A"), ("both", "A:B")])
def test_a_sweep_prints_one_page_of_the_first_wheel(book, name, repeated):
    sheet = book[f"mbs Sweep {name}"]
    assert sheet.print_title_cols.replace("$", "") == repeated
    assert sheet.print_title_rows.replace("$", "") == "1:2"
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
    begins = [sheet.cell(1, left).value for left, _top, _right, _bottom in areas(sheet)]
    assert begins == ["FL.camber"]
    printed = [sheet.cell(1, at).value for left, _, right, _ in areas(sheet) for at in range(left, right + 1)]
    assert {"FL.toe", "FL.kpi"} <= set(printed)
    for left, top, right, bottom in areas(sheet):
        names = [sheet.cell(1, at).value for at in range(left, right + 1)]
        assert len({each.rpartition(".")[0] for each in names}) == 1
        assert (top, bottom) == (1, sheet.max_row)
        shown = [*range(1, ord(repeated[-1]) - ord("A") + 2), *range(left, right + 1)]
        pixels = sum(7 * width_of(sheet, at) + 5 for at in shown)
        assert pixels * MIN_SCALE <= LANDSCAPE_WIDTH, "numbers are not too small to be read"


def test_headers_of_sweeps_say_what_columns_are_and_columns_are_grouped_with_three_decimals(book):
    sheet = book["mbs Sweep heave"]
    heads = {cell.value: cell for cell in sheet[1]}
    note = heads["RR.camber"].comment.text.split("\n")
    assert note[0] == "camber, rear right"
    assert "+ means top outboard" in note
    assert note[-1] == "Unit: deg"
    levels = {
        name: next(
            look.outlineLevel for look in sheet.column_dimensions.values() if look.min <= cell.column <= look.max
        )
        for name, cell in heads.items()
    }
    assert (levels["FL.camber"], levels["FL.toe"], levels["FR.camber"], levels["FR.toe"]) == (0, 1, 0, 1)
    camber = sheet.cell(4, heads["FL.camber"].column)
    assert camber.number_format == "0.000"
    assert camber.value != round(camber.value, 6)
    small = heads["FL.toe_gradient"].column
    assert sheet.cell(4, small).number_format not in ("0.000", "0.00")


def test_the_sheet_of_loads_prints_wheels_and_the_extremes_of_members_have_a_sheet_of_their_own(book):
    sheet = book["mbs Loads"]
    [cases] = areas(sheet)
    heads = [cell.value for cell in sheet[1]]
    assert {"FL.fz", "RR.travel", "roll"} <= set(heads[: cases[2]])
    assert "FL.tie rod" not in heads[: cases[2]]
    first = int(sheet.print_title_rows.replace("$", "").split(":")[0])
    assert [cell.value for cell in sheet[first]][:3] == ["member", "unit", "max"]
    below = [[cell.value for cell in row[:6]] for row in sheet.iter_rows(min_row=first)]
    assert [[cell.value for cell in row] for row in book["mbs Load extremes"].iter_rows()] == below


def test_the_sheet_of_loads_tells_where_the_rack_stands_in_each_case(tmp_path):
    cases = [("name", "ay", "rack"), ("straight", 0.1, None), ("left", 0.1, "12 mm"), ("right", -0.1, "-7.5 mm")]
    path = car_book(tmp_path / "racks.xlsx", others={"Load cases": cases})
    run_suspension(path).save()
    sheet = loaded_sheet(path, "mbs Loads")
    rack = [cell.value for cell in sheet[1]].index("rack") + 1
    assert sheet.cell(2, rack).value == "mm"
    told = {sheet.cell(row, 1).value: sheet.cell(row, rack).value for row in (3, 4, 5)}
    assert told == pytest.approx({"straight": 0.0, "left": 12.0, "right": -7.5})
