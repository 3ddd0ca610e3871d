"""What the user's sheets say about ours stays true: places are kept, and where they cannot be, a sentence says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts import chartdata
from sheetmbs.workbook.package import package
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.references import Range, References, parsed
from sheetmbs.workbook.sheets import sheetxml
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing import preserve_layout
from sheetmbs.workbook.writing.preserve_layout import order
from sheetmbs.workbook.writing.write import write_results
from tests.support.excel import edit, link
from tests.support.sample_results import change_part, read_parts, sheet_part, slider_crank, write_parts

BODIES = ["time", "crank.x", "crank.y", "crank.phi", "rod.x", "rod.y", "rod.phi", "slider.x", "slider.vx"]


def make(path: Path, *formulas: str) -> Path:
    """A workbook with results and a sheet of the user's with these formulas in column A."""
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Model")
        mine = book.add_worksheet("Mine")
        for row, formula in enumerate(formulas):
            mine.write_formula(row, 0, formula, None, 7)
    write_results(path, None, slider_crank())
    return path


def told(book: Path, target: Path | None, results: ResultSheets) -> list[Problem]:
    """What the user is told of a run."""
    problems = []
    write_results(book, target, results, tell=problems.append)
    return problems


def columns(results: ResultSheets, *names: str, rows: int | None = None) -> ResultSheets:
    """The same with these columns on `mbs Bodies`; new ones hold ones."""
    [bodies, *others] = results.tables
    known = dict(zip(bodies.columns, bodies.values.T, strict=True))
    units = dict(zip(bodies.columns, bodies.units, strict=True))
    values = np.column_stack([known.get(name, np.ones(len(bodies.values))) for name in names])[:rows]
    table = Table(bodies.name, names, tuple(units.get(name, "m") for name in names), values)
    return replace(results, tables=(table, *others))


def header(path: Path, sheet: str = "mbs Bodies") -> list[str]:
    return [cell.value for cell in openpyxl.load_workbook(path)[sheet][1]]


MORE = [BODIES[0], "arm.x", *BODIES[1:]]


def test_columns_stand_in_the_order_of_the_model_where_nothing_refers_to_them(tmp_path):
    book = make(tmp_path / "book.xlsx", "=1+1")
    assert told(book, None, columns(slider_crank(), *MORE)) == []
    assert header(book) == MORE


@pytest.mark.parametrize(
    ("formula", "held"),
    [
        ("='mbs Bodies'!E3*2", 5),
        ("=SUM('mbs Bodies'!$C$3:$D$53)", 4),
        ("=MAX('mbs Bodies'!D:D)", 4),
        ("=INDEX('mbs Bodies'!$A$1:$I$53,3,MATCH(\"rod.x\",'mbs Bodies'!$1:$1,0))", 9),
        ("=SUM('mbs Bodies:mbs Joints'!C3)", 3),
    ],
)
def test_columns_keep_their_places_up_to_the_last_one_that_a_formula_refers_to(tmp_path, formula, held):
    book = make(tmp_path / "book.xlsx", formula)
    assert told(book, None, columns(slider_crank(), *MORE)) == []
    assert header(book) == [*BODIES[:held], "arm.x", *BODIES[held:]]
    values = dict(zip(BODIES, slider_crank().tables[0].values.T, strict=True))
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    for place, name in enumerate(header(book), start=1):
        shown = [sheet.cell(row, place).value for row in range(3, 54)]
        assert shown == values.get(name, np.ones(51)).tolist()
    again = book.read_bytes()
    write_results(book, None, columns(slider_crank(), *MORE))
    assert book.read_bytes() == again


def test_whole_rows_hold_no_column(tmp_path):
    book = make(tmp_path / "book.xlsx", "=MATCH(\"rod.x\",'mbs Bodies'!1:1,0)")
    write_results(book, None, columns(slider_crank(), *MORE))
    assert header(book) == MORE


def test_a_column_that_is_gone_leaves_its_place_empty_and_a_formula_is_named(tmp_path):
    book = make(tmp_path / "book.xlsx", "=1", "='mbs Bodies'!C3", "='mbs Bodies'!E3+'mbs Bodies'!C9")
    left = [name for name in BODIES if name != "crank.y"]
    [problem] = told(book, None, columns(slider_crank(), *left))
    assert (problem.severity, problem.cell) == ("warning", "Mine!A2")
    assert "crank.y on mbs Bodies" in problem.found
    assert "1 more of this sheet" in problem.found
    assert header(book) == BODIES
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    assert {sheet.cell(row, 3).value for row in range(2, 54)} == {None}
    listed = openpyxl.load_workbook(book)["mbs Problems"]
    assert listed["B2"].value == "Mine!A2"
    assert listed["B2"].hyperlink.location == "'Mine'!A2"
    assert told(book, None, slider_crank()) == []
    assert openpyxl.load_workbook(book)["mbs Bodies"]["C3"].value == slider_crank().tables[0].values[0, 2]


def test_an_empty_place_goes_once_nothing_refers_to_it(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Bodies'!E3")
    left = [name for name in BODIES if name != "crank.y"]
    write_results(book, None, columns(slider_crank(), *left))
    assert header(book) == BODIES
    change_part(book, "xl/worksheets/sheet2.xml", "'mbs Bodies'!E3", "1+1")
    write_results(book, None, columns(slider_crank(), *left))
    assert header(book) == left


def test_a_defined_name_and_a_pivot_table_hold_columns_too(tmp_path):
    book = make(tmp_path / "book.xlsx")
    names = "<definedName name=\"peak\">MAX('mbs Bodies'!$D$3:$D$53)</definedName>"
    change_part(book, "xl/workbook.xml", "<definedNames>", f"<definedNames>{names}")
    [bodies] = [use for use in References(Package(book)).uses if use.sheet == "mbs Bodies"]
    assert (bodies.cells, bodies.kind) == (Range(4, 3, 4, 53), "name peak")
    left = [name for name in BODIES if name != "crank.phi"]
    [problem] = told(book, None, columns(slider_crank(), *left))
    assert problem.found == "the name peak refers to crank.phi on mbs Bodies"
    source = '<pivotCacheDefinition><worksheetSource ref="A1:F53" sheet="mbs Bodies"/></pivotCacheDefinition>'
    write_parts(book, read_parts(book) | {"xl/pivotCache/pivotCacheDefinition1.xml": source.encode()})
    write_results(book, None, columns(slider_crank(), *MORE))
    assert header(book) == [*BODIES[:6], "arm.x", *BODIES[6:]]


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
def test_rules_sparklines_and_drop_downs_hold_columns_and_links_hold_sheets(tmp_path):
    book = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(book) as made:
        made.add_worksheet("Model")
        mine = made.add_worksheet("Mine")
        mine.add_sparkline("A1", {"range": "'mbs Bodies'!D3:D53"})
        mine.data_validation("B1", {"validate": "list", "source": "='mbs Joints'!$C$3:$C$53"})
        mine.conditional_format(
            "C1", {"type": "formula", "criteria": "='mbs Drivers'!$B$3>1", "format": made.add_format({"bold": True})}
        )
        mine.write_url("D1", "internal:'mbs Springs'!A1")
    write_results(book, None, slider_crank())
    found = {(use.sheet, use.kind, use.cells.last_column, use.holder) for use in References(Package(book)).uses}
    kinds = {"mbs Bodies": 4, "mbs Joints": 3, "mbs Drivers": 2}
    rules = {(sheet, "rule or sparkline", column, "Mine") for sheet, column in kinds.items()}
    assert found == {*rules, ("mbs Springs", "link", 1, "Mine")}
    assert told(book, None, columns(slider_crank(springs=False), *MORE)) == []
    assert header(book) == [*BODIES[:4], "arm.x", *BODIES[4:]]
    assert header(book, "mbs Springs") == ["time", "buffer.force"]


def test_a_formula_filled_to_the_right_holds_all_that_it_reaches(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Bodies'!B3")
    part = "xl/worksheets/sheet2.xml"
    edit(book, part, ("<f>", '<f t="shared" ref="A1:D1" si="0">'))
    edit(book, part, ("</c>", '</c><c r="B1"><f t="shared" si="0"/><v>0</v></c>'))
    [use] = References(Package(book)).uses
    assert use.cells == Range(2, 3, 5, 3)
    write_results(book, None, columns(slider_crank(), *MORE))
    assert header(book) == [*BODIES[:5], "arm.x", *BODIES[5:]]


def test_where_places_cannot_be_kept_the_cell_is_named_whose_reference_shows_something_else(tmp_path, monkeypatch):
    book = make(tmp_path / "book.xlsx", "='mbs Bodies'!E3")
    monkeypatch.setattr(preserve_layout, "COLUMNS", 5)
    [problem] = told(book, None, columns(slider_crank(), *MORE))
    assert header(book) == MORE
    assert (problem.code, problem.cell) == ("reference-to-another-result", "Mine!A1")
    assert "rod.x on mbs Bodies" in problem.found


def test_a_table_on_several_sheets_still_names_what_moved(tmp_path, monkeypatch):
    monkeypatch.setattr(sheetxml, "COLUMNS", 5)
    monkeypatch.setattr(preserve_layout, "COLUMNS", 5)
    book = make(tmp_path / "book.xlsx", "='mbs Bodies 2'!B3")
    [problem] = told(book, None, columns(slider_crank(), *MORE))
    assert (problem.code, problem.cell) == ("reference-to-another-result", "Mine!A1")


def test_items_of_the_summary_keep_their_rows(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Summary'!B4", "='mbs Summary'!B5")
    results = slider_crank()
    first, *others = results.summary
    fewer = [item for item in others if item[0] != "position violation"]
    new = ("title", "A new first line", "")
    [problem] = told(book, None, replace(results, summary=(new, first, *fewer)))
    assert (problem.cell, "position violation on mbs Summary" in problem.found) == ("Mine!A1", True)
    sheet = openpyxl.load_workbook(book)["mbs Summary"]
    assert [cell.value for cell in sheet["A"]] == [
        "item",
        "analysis",
        "degrees of freedom",
        "position violation",
        "evaluations",
        "title",
        "solve time",
    ]
    assert sheet["B4"].value is None


def test_an_item_looked_up_by_its_name_holds_no_row(tmp_path):
    book = make(tmp_path / "book.xlsx", "=VLOOKUP(\"solve time\",'mbs Summary'!A:B,2,FALSE)")
    results = slider_crank()
    write_results(book, None, replace(results, summary=(("title", "first", ""), *results.summary)))
    assert openpyxl.load_workbook(book)["mbs Summary"]["A2"].value == "title"


def test_a_reference_to_all_rows_that_now_misses_some_is_named_once(tmp_path):
    book = make(tmp_path / "book.xlsx", "=MAX('mbs Bodies'!C3:C53)", "=MAX('mbs Bodies'!C3:C20)")
    [problem] = told(book, None, slider_crank(rows=101))
    assert (problem.code, problem.cell) == ("reference-to-fewer-rows", "Mine!A1")
    assert "rows 3 to 53 of mbs Bodies" in problem.found
    assert "row 103" in problem.problem
    assert "'mbs Bodies'!C:C" in problem.mend
    assert told(book, None, slider_crank(rows=101)) == []
    assert told(book, None, slider_crank(rows=7)) == []


def test_a_sheet_without_results_keeps_its_columns_for_the_next_run_that_has_them(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Joints'!C3")
    results = slider_crank()
    joints = results.tables[1]
    write_results(book, None, replace(results, tables=(results.tables[0], *results.tables[2:])))
    assert header(book, "mbs Joints") == list(joints.columns)
    turned = Table(
        joints.name, joints.columns[:1] + joints.columns[:0:-1], joints.units, joints.values[:, [0, 3, 2, 1]]
    )
    write_results(book, None, replace(results, tables=(results.tables[0], turned)))
    assert header(book, "mbs Joints") == ["time", "pin.i.fx", "pin.i.fy", "pin.i.m"]


def test_a_header_that_the_user_changed_is_no_place_to_keep(tmp_path):
    book = make(tmp_path / "book.xlsx", "='mbs Bodies'!C3")
    part = sheet_part(book, "mbs Bodies")
    assert "crank.y" in read_parts(book)[part].decode()
    change_part(book, part, ">time<", ">seconds<")
    write_results(book, None, columns(slider_crank(), *MORE))
    assert header(book) == MORE


def test_rows_that_charts_draw_keep_their_columns_where_a_formula_refers_to_them(tmp_path, monkeypatch):
    monkeypatch.setattr(chartdata, "MAX_DRAWN_ROWS", 20)
    results = slider_crank()
    before = header(make(tmp_path / "first.xlsx"), "mbs Chart Data")
    place = before.index("motor.moment") + 1
    path = make(tmp_path / "book.xlsx", f"=MAX('mbs Chart Data'!{column_letters(place)}3:{column_letters(place)}23)")
    assert told(path, None, replace(results, charts=results.charts[3:])) == []
    assert header(path, "mbs Chart Data")[:place] == before[:place]
    sheet = openpyxl.load_workbook(path)["mbs Chart Data"]
    assert sheet.cell(3, place).value is not None
    assert sheet.cell(3, 2).value is None
    [lost] = told(path, None, replace(results, charts=()))
    assert (lost.code, lost.cell) == ("reference-without-result", "Mine!A1")


@pytest.mark.parametrize("piece", [1000, 41_000, 60_001])
def test_references_in_a_large_part_are_found_each_once_wherever_it_is_cut(tmp_path, monkeypatch, piece):
    formulas = [f"='mbs Bodies'!{column_letters(2 + row % 5)}{3 + row}" for row in range(1500)]
    path = make(tmp_path / "book.xlsx", *formulas)
    whole = References(Package(path))
    monkeypatch.setattr(package, "CHUNK_BYTES", piece)
    found = References(Package(path))
    assert [use.cell for use in found.uses] == [f"A{row}" for row in range(1, 1501)]
    assert (found.uses, found.sheets, found.in_formulas) == (whole.uses, whole.sheets, whole.in_formulas)


def test_two_of_one_name_stay_two():
    assert order(["a", "b", "b", "c"], ["a", "b", "x", "b"], 4) == [("a", 0), ("b", 1), ("x", -1), ("b", 2), ("c", 3)]
    assert order(["a", "c"], ["a", "b", "c"], 0, {"b", "never there"}) == [("a", 0), ("c", 1), ("b", -1)]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (b"$B$3:$D$53", Range(2, 3, 4, 53)),
        (b"D53:$B$3", Range(2, 3, 4, 53)),
        (b"AA7", Range(27, 7, 27, 7)),
        (b"$B:$B", Range(2, 0, 2, 0)),
        (b"1:2", Range(0, 1, 0, 2)),
        (b"nonsense", Range()),
        (b"", Range()),
    ],
)
def test_ranges_are_read_in_every_form(text, cells):
    assert parsed(text) == cells


def make_table(book: Path, cells: str) -> None:
    """Make a table of a range of `mbs Joints`, as Excel does, with a formula that refers to it by name."""
    with xlsxwriter.Workbook(book.with_name("table.xlsx")) as made:
        names = [{"header": name} for name in header(book, "mbs Joints")]
        columns = len(names) if cells.startswith("A1:D") else 2
        made.add_worksheet().add_table(cells, {"columns": names[:columns], "name": "Reactions"})
    table = read_parts(book.with_name("table.xlsx"))["xl/tables/table1.xml"]
    part = sheet_part(book, "mbs Joints")
    parts = read_parts(book) | {"xl/tables/table1.xml": table}
    assert b"pin.i.fx" in parts[part]
    held = b'<tableParts count="1"><tablePart r:id="rId3"/></tableParts></worksheet>'
    parts[part] = parts[part].replace(b"</worksheet>", held)
    types = b'<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument'
    types += b'.spreadsheetml.table+xml"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", types)
    write_parts(book, parts)
    link(book, part, "table", "../tables/table1.xml", "rId3")


def test_a_table_over_all_columns_grows_with_the_results(tmp_path):
    book = make(tmp_path / "book.xlsx", "=MAX(Reactions[pin.i.fy])")
    make_table(book, "A1:D53")
    results = slider_crank(rows=101)
    joints = results.tables[1]
    values = np.insert(joints.values, 1, 1.0, axis=1)
    more = Table(joints.name, ("time", "arm.i.m", *joints.columns[1:]), ("s", "N*m", *joints.units[1:]), values)
    write_results(book, None, replace(results, tables=(results.tables[0], more, *results.tables[2:])))
    sheet = openpyxl.load_workbook(book)["mbs Joints"]
    table = sheet.tables["Reactions"]
    assert (table.ref, table.autoFilter.ref) == ("A1:E103", "A1:E103")
    names = [column.name for column in table.tableColumns]
    assert names == header(book, "mbs Joints") == [*joints.columns, "arm.i.m"]
    assert len({column.id for column in table.tableColumns}) == 5
    again = book.read_bytes()
    write_results(book, None, replace(results, tables=(results.tables[0], more, *results.tables[2:])))
    assert book.read_bytes() == again


def test_a_table_over_some_columns_stays_over_them(tmp_path):
    book = make(tmp_path / "book.xlsx")
    make_table(book, "A1:B20")
    fewer = replace(slider_crank(), tables=tuple(t for t in slider_crank().tables if t.name != "mbs Joints"))
    for results in (slider_crank(rows=101), fewer, slider_crank()):
        write_results(book, None, results)
        table = openpyxl.load_workbook(book)["mbs Joints"].tables["Reactions"]
        assert table.ref == "A1:B20"
        assert [column.name for column in table.tableColumns] == header(book, "mbs Joints")[:2] == ["time", "pin.i.fx"]
