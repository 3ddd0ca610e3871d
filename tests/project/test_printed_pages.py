"""Result sheets print on few pages: what matters to most readers, on as much width as it needs, under its headers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.columns.collect import written
from sheetmbs.workbook.sheets.sheetxml import LANDSCAPE_WIDTH, MIN_SCALE, PORTRAIT_WIDTH, ROWS_UPRIGHT, page_setup
from tests.support.lift_books import driver_rows, lift_book
from tests.support.sample_results import needs_libreoffice

BOOKS = Path(__file__).parents[2] / "workbooks"


@pytest.fixture
def book(tmp_path):
    path = lift_book(tmp_path / "lift.xlsx", analysis="inverse dynamic")
    sheetmbs.run(sheetmbs.read(path)).save()
    return path


def headers(sheet):
    return [cell.value for cell in sheet[1] if cell.value]


def printed(sheet):
    """The names of the columns that are printed."""
    area = sheet.print_area.rpartition("!")[2] if isinstance(sheet.print_area, str) else sheet.print_area[0]
    return [cell.value for cell in sheet[area.replace("$", "")][0]]


def test_tables_are_printed_up_to_the_last_column_that_matters_with_headers_on_every_page(book):
    opened = openpyxl.load_workbook(book)
    bodies = opened["mbs Bodies"]
    assert printed(bodies) == ["time", "wheel.x", "wheel.y", "wheel.phi"]
    assert set(headers(bodies)) > set(printed(bodies))
    joints = opened["mbs Joints"]
    assert printed(joints) == ["time", "guide.i.fx", "guide.i.fy", "guide.i.m", "guide.displacement"]
    assert "guide.j.fx" in headers(joints)
    for sheet in (bodies, joints):
        assert sheet.print_title_rows.replace("$", "") == "1:2"
        assert sheet.print_title_cols.replace("$", "") == "A:A"


def test_one_page_of_a_table_is_printed_and_all_of_a_short_one(book):
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    assert int(sheet.print_area.rpartition("$")[2]) == min(sheet.max_row, ROWS_UPRIGHT + 2)
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 1)


def test_what_is_printed_stays_right_on_the_next_run(book):
    sheetmbs.run(sheetmbs.read(book, report_step=0.5)).save()
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    assert sheet.print_area.endswith(f"${sheet.max_row}")
    assert sheet.max_row == 7


def test_the_summary_has_three_blocks_the_last_of_which_is_folded(book):
    sheet = openpyxl.load_workbook(book)["mbs Summary"]
    assert [cell.value for cell in sheet[1]] == ["item", "value", "unit"]
    rows = {row[0].value: row[0].row for row in sheet.iter_rows()}
    assert rows["analysis"] < rows["Is it right?"] < rows["accuracy check"] < rows["redundant constraints"]
    assert rows["redundant constraints"] < rows["For experts"] < rows["position violation"] < rows["wall time"]
    folded = {row for row, look in sheet.row_dimensions.items() if look.hidden and look.outlineLevel == 1}
    assert folded == set(range(rows["For experts"] + 1, sheet.max_row + 1))
    passed = sheet.cell(rows["accuracy check"], 2)
    assert (passed.value, passed.font.color.rgb) == ("passed", "FF1A7F37")


def test_the_summary_is_printed_on_one_page(book):
    sheet = openpyxl.load_workbook(book)["mbs Summary"]
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert (sheet.page_setup.fitToHeight or 1, sheet.page_setup.fitToWidth or 1) == (1, 1)


@pytest.mark.parametrize(
    ("columns", "rows", "orientation", "pages"),
    [(4, 40, "portrait", 1), (12, 1000, "portrait", 1), (16, 1000, "landscape", 1), (57, 1000, "landscape", 4)],
)
def test_wide_tables_lie_across_and_no_number_is_printed_too_small(columns, rows, orientation, pages):
    setup = page_setup([12.0] * columns, rows)
    assert f'orientation="{orientation}"' in setup
    assert f'fitToWidth="{pages}"' in setup
    room = pages * (PORTRAIT_WIDTH if orientation == "portrait" else LANDSCAPE_WIDTH)
    assert room / (89.0 * (columns + pages - 1)) >= 0.99 * MIN_SCALE


@needs_libreoffice
@pytest.mark.parametrize(("name", "most"), [("pendulum", 14), ("slider-crank", 22)])
def test_a_whole_workbook_prints_on_few_pages(tmp_path, name, most):
    """The pendulum has four tables of 1,001 rows, which take a page each, beside its charts and input sheets."""
    made = tmp_path / "pendulum.xlsx"
    sheetmbs.run(sheetmbs.read(BOOKS / f"{name}.xlsx")).save(made)
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "pdf"]
    subprocess.run([*command, "--outdir", str(tmp_path), str(made)], check=True, capture_output=True, timeout=180)
    pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", (tmp_path / "pendulum.pdf").read_bytes()))
    assert 5 < pages < most


def test_input_sheets_without_a_print_area_get_one_and_the_sheets_of_others_stay_as_they_are(book):
    opened = openpyxl.load_workbook(book)
    assert opened["Bodies"].print_area.replace("$", "").startswith("'Bodies'!A1:")
    opened["Bodies"].print_area = "A1:C4"
    opened.create_sheet("my notes")["Z99"] = "mine"
    opened["Points"].sheet_state = "hidden"
    opened["Points"].print_area = None
    opened.create_sheet("Markers walk")
    for row in range(1, 400):
        opened["Markers walk"].append([row, 1.0, 2.0])
    opened.save(book)
    sheetmbs.run(sheetmbs.read(book)).save()
    again = openpyxl.load_workbook(book)
    assert again["Bodies"].print_area.replace("$", "").endswith("A1:C4")
    assert not again["my notes"].print_area
    assert not again["Points"].print_area
    assert again["Markers walk"].print_area.replace("$", "").endswith("A1:C40")


def sheets_of(path):
    opened = openpyxl.load_workbook(path)
    return {name: headers(opened[name]) for name in opened.sheetnames if name.startswith("mbs ")}


def test_full_results_have_all_columns_and_short_ones_those_that_are_printed(tmp_path):
    full, short = (tmp_path / f"{name}.xlsx" for name in ("full", "short"))
    for path, changed in ((full, {}), (short, {"results": "short"})):
        lift_book(path, analysis="inverse dynamic", **changed)
        sheetmbs.run(sheetmbs.read(path)).save()
    opened = openpyxl.load_workbook(full)
    both = sheets_of(full), sheets_of(short)
    assert both[0].keys() == both[1].keys()
    for name in ("mbs Bodies", "mbs Joints", "mbs Drivers", "mbs Springs"):
        assert both[1][name] == printed(opened[name])
        assert set(both[0][name]) >= set(both[1][name])
    assert "wheel.vy" in both[0]["mbs Bodies"]
    assert "wheel.vy" not in both[1]["mbs Bodies"]


def test_short_results_keep_what_charts_show_and_what_python_sees(tmp_path):
    charts = [["title", "x", "y"], ["Speed", None, "wheel.vy"]]
    path = lift_book(tmp_path / "short.xlsx", analysis="inverse dynamic", results="short", Charts=charts)
    results = sheetmbs.run(sheetmbs.read(path))
    results.save()
    assert sheets_of(path)["mbs Bodies"] == ["time", "wheel.x", "wheel.y", "wheel.phi", "wheel.vy"]
    assert {"wheel.ay", "wheel.vx"} <= set(results.bodies.columns)


def test_an_unknown_extent_of_results_is_refused_at_its_cell(tmp_path):
    with pytest.raises(WorkbookError) as refused:
        sheetmbs.read(lift_book(tmp_path / "wrong.xlsx", results="brief"))
    [problem] = refused.value.problems
    assert problem.cell == "Settings!B6"
    assert "short" in problem.problem + problem.mend


def test_names_of_elements_are_not_mistaken_for_what_few_readers_need(tmp_path):
    """A guided column named as a coordinate, such as wheel.y, keeps its force among what matters."""
    guiding = [["time", "wheel.y"], [0, 0], [1, 0.01], [2, 0]]
    path = lift_book(tmp_path / "guided.xlsx", analysis="inverse dynamic", Drivers=driver_rows(), Guiding=guiding)
    results = sheetmbs.run(sheetmbs.read(path))
    tables = {table.name: table for table in written(results.sheets, "short").tables}
    assert "wheel.y.force" in tables["mbs Drivers"].columns
    assert not any(name.endswith((".position", ".velocity")) for name in tables["mbs Constraints"].columns)
