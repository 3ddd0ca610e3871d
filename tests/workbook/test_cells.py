"""Cells come out of a workbook exactly as they stand in it, each at its own address."""

from __future__ import annotations

import gc
import math
import shutil
import subprocess
import warnings
from datetime import date, datetime, time, timedelta
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils import coordinate_to_tuple
from openpyxl.utils.cell import get_column_letter

from sheetmbs.formulas.formula_faults import unsupported, volatile
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet, address, open_book
from sheetmbs.workbook.package.formats import DateFormat, date_format
from tests.support import books
from tests.support.shared import shared

WILD = shared("wild")
SOFFICE = shutil.which("soffice")
NUMBER, TEXT, BOOLEAN, DATE, ERROR, UNCACHED = CellKind


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


def read(path: Path, rows: str, *, after: str = "", **parts: str) -> CellSheet:
    """The sheet of a workbook made from XML. parts: those of xl/ that are not the usual ones, by name."""
    contents = books.parts(rows, after=after) | {f"xl/{name}.xml": text for name, text in parts.items()}
    return open_book(books.save(path, contents)).sheets["Data"]


def one(path: Path, cell: str, **parts: str) -> Cell | None:
    """The only cell of row 1, which is A1."""
    return read(path, f'<row r="1">{cell}</row>', **parts).rows.get(1, {}).get(1)


def problem_of(path: Path, rows: str, **kwargs: str):
    with pytest.raises(WorkbookError) as error:
        read(path, rows, **kwargs)
    (problem,) = error.value.problems
    return problem


def plain(sheet: CellSheet) -> dict[tuple[int, int], tuple[CellKind, object]]:
    return {(row, column): (c.kind, c.value) for row, line in sheet.rows.items() for column, c in line.items()}


# --- what other programs write ---------------------------------------------------------------------------------------

# what xlsx can hold: XML characters, \r only as an escape; a text that looks like an escape is one to every reader
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t", exclude_characters="￾￿"), max_size=40
).filter(lambda text: text and "_x" not in text)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ADDRESSES = st.tuples(st.integers(1, 60) | st.just(1_048_576), st.integers(1, 30) | st.just(16_384))
NEAR_ADDRESSES = st.tuples(st.integers(1, 60) | st.just(999), st.integers(1, 30) | st.just(16_384))
"""XlsxWriter walks through every row up to the last"""
VALUES = TEXTS | FLOATS | st.booleans() | st.integers(-(2**53), 2**53)
TABLES, NEAR_TABLES = (st.dictionaries(places, VALUES, max_size=25) for places in (ADDRESSES, NEAR_ADDRESSES))


def expected(values: dict[tuple[int, int], object]) -> dict[tuple[int, int], tuple[CellKind, object]]:
    """What must be found. Both libraries round to 16 digits."""
    kinds = {str: TEXT, bool: BOOLEAN, float: NUMBER, int: NUMBER}
    stored = {place: float(f"{v:.16g}") if isinstance(v, float) else v for place, v in values.items()}
    return {place: (kinds[type(value)], value) for place, value in stored.items()}


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_what_openpyxl_wrote_is_read_back(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("books") / "book.xlsx"
    book = openpyxl.Workbook()
    for (row, column), value in values.items():
        cell = book.active.cell(row, column)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"  # never a formula, whatever it begins with
    book.save(path)
    assert plain(open_book(path).sheets["Sheet"]) == expected(values)


@settings(max_examples=60, deadline=None)
@given(NEAR_TABLES, st.booleans())
def test_what_xlsxwriter_wrote_is_read_back(tmp_path_factory, values, in_line):
    path = tmp_path_factory.mktemp("books") / "book.xlsx"
    with xlsxwriter.Workbook(path, {"constant_memory": in_line}) as book:
        page = book.add_worksheet("Data")
        for (row, column), value in sorted(values.items()):
            write = {str: page.write_string, bool: page.write_boolean}.get(type(value), page.write_number)
            write(row - 1, column - 1, value)
    found = plain(open_book(path).sheets["Data"])
    assert found == expected(values)


@given(FLOATS)
@settings(max_examples=300, deadline=None)
def test_numbers_keep_every_bit(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("books") / "book.xlsx"
    cell = one(path, f'<c r="A1"><v>{value!r}</v></c>')
    assert cell.kind is NUMBER
    assert math.copysign(1.0, cell.value) == math.copysign(1.0, value)
    assert cell.value.hex() == value.hex()


def test_cells_with_a_format_alone_are_no_cells(path):
    book = openpyxl.Workbook()
    book.active["C3"] = 1
    for row in range(1, 200):
        book.active.cell(row, 7).font = openpyxl.styles.Font(bold=True)
    book.save(path)
    assert list(plain(open_book(path).sheets["Sheet"])) == [(3, 3)]


def test_formulas_by_openpyxl_have_no_value_and_are_computed(path):
    book = openpyxl.Workbook()
    book.active["A1"] = "=1+1"
    book.save(path)
    assert plain(open_book(path).sheets["Sheet"]) == {(1, 1): (NUMBER, 2.0)}


def test_the_zero_that_xlsxwriter_stores_for_a_formula_is_not_taken_for_its_value(path):
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("Data")
        page.write_formula("A1", "=1+1")
        page.write_formula("A2", "=1+1", None, 2)
        page.write_formula("A3", '="a"&"b"', None, "ab")
        page.write_number("A4", 0)
    assert plain(open_book(path).sheets["Data"]) == {
        (1, 1): (NUMBER, 2.0),
        (2, 1): (NUMBER, 2.0),
        (3, 1): (TEXT, "ab"),
        (4, 1): (NUMBER, 0.0),
    }


def test_a_formula_whose_value_is_zero_is_zero_where_the_writer_computed_it(path):
    assert one(path, '<c r="A1"><f>1-1</f><v>0</v></c>') == Cell(1, 1, NUMBER, 0.0)


@pytest.mark.parametrize("epoch_1904", [False, True])
def test_dates_by_xlsxwriter_are_read_in_either_date_system(path, epoch_1904):
    instants = [date(2024, 2, 29), datetime(1999, 12, 31, 23, 59, 59), datetime(2030, 1, 2, 3, 4, 5, 678000)]  # noqa: DTZ001
    with xlsxwriter.Workbook(path, {"date_1904": epoch_1904}) as book:
        page = book.add_worksheet("Data")
        for row, instant in enumerate(instants):
            page.write_datetime(row, 0, instant, book.add_format({"num_format": "d mmm yyyy hh:mm"}))
        page.write_datetime(3, 0, time(6, 30), book.add_format({"num_format": "hh:mm"}))
        page.write_datetime(4, 0, timedelta(hours=30, seconds=1.5), book.add_format({"num_format": "[h]:mm:ss"}))
    assert [line[1].value for line in open_book(path).sheets["Data"].rows.values()] == [
        "2024-02-29",
        "1999-12-31T23:59:59",
        "2030-01-02T03:04:05.678",
        "06:30:00",
        "PT30H0M1.5S",
    ]


# --- kinds of cells --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "kind", "value"),
    [
        ('<c r="A1"><v>1.5</v></c>', NUMBER, 1.5),
        ('<c r="A1" t="n"><v> 1E-3 </v></c>', NUMBER, 0.001),
        ('<c r="A1" t="b"><v>1</v></c>', BOOLEAN, True),
        ('<c r="A1" t="b"><v>false</v></c>', BOOLEAN, False),
        ('<c r="A1" t="e"><v>#REF!</v></c>', ERROR, "#REF!"),
        ('<c r="A1" t="e" vm="1"><f>X</f><v>#VALUE!</v></c>', ERROR, "#VALUE!"),
        ('<c r="A1" t="d"><v>2024-05-01T12:00:00</v></c>', DATE, "2024-05-01T12:00:00"),
        ('<c r="A1" t="str"><f>B1</f><v>text</v></c>', TEXT, "text"),
        ('<c r="A1" t="str"><f>B1</f><v></v></c>', TEXT, ""),
        ('<c r="A1" t="str"><f>B1&amp;""</f></c>', TEXT, ""),
        ('<c r="A1"><f>B1</f></c>', NUMBER, 0.0),
        ('<c r="A1"><f>NOW()</f><v/></c>', UNCACHED, volatile("NOW")),
        ('<c r="A1"><f t="shared" si="0"/><v>2</v></c>', NUMBER, 2.0),
        ('<c r="A1"><f t="shared" si="0"/></c>', UNCACHED, unsupported("text that cannot be read as one")),
        ('<c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>3</v></c>', NUMBER, 3.0),
        ('<c r="A1" t="b"><f>TRUE</f><v>1</v></c>', BOOLEAN, True),
        ('<c r="A1" t="inlineStr"><is><t>in line</t></is></c>', TEXT, "in line"),
        ('<c r="A1" t="inlineStr"><is><r><t>in </t></r><r><t>runs</t></r></is></c>', TEXT, "inruns"),
        ('<c r="A1" t="str"><v>=cmd|/c calc!A1</v></c>', TEXT, "=cmd|/c calc!A1"),
        ('<c r="A1" t="str"><v>1,5 &lt; 2</v></c>', TEXT, "1,5 < 2"),
        ('<c r="A1"><v>1,5</v></c>', TEXT, "1,5"),
        ('<c r="A1"><v>1_000</v></c>', TEXT, "1_000"),
        ('<c r="A1"><v><![CDATA[4]]></v></c>', NUMBER, 4.0),
        ('<c r="A1"><v>&#49;2</v></c>', NUMBER, 12.0),
        ('<c r="A1"><v>1e999</v></c>', NUMBER, math.inf),
        ('<!-- <c r="A1"><v>9</v></c> --><c r="A1"><v>1</v></c>', NUMBER, 1.0),
    ],
)
def test_a_cell_has_the_kind_and_the_value_that_the_file_gives_it(path, cell, kind, value):
    if kind is UNCACHED:
        value = f"{value.found}; {value.rule}"
    assert one(path, cell) == Cell(1, 1, kind, value)


def test_a_stored_nan_is_a_number_that_the_reader_of_the_sheet_can_refuse(path):
    cell = one(path, '<c r="A1"><v>NaN</v></c>')
    assert cell.kind is NUMBER
    assert math.isnan(cell.value)


@pytest.mark.parametrize("cell", ['<c r="A1"/>', '<c r="A1" s="0"/>', '<c r="A1" t="s"/>', '<c r="A1"><v></v></c>'])
def test_a_cell_without_content_is_no_cell(path, cell):
    assert one(path, cell) is None


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("<t>plain</t>", "plain"),
        ('<r><t xml:space="preserve">rich </t></r><r><rPr><b/></rPr><t>text</t></r>', "rich text"),
        ('<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>', "東京"),
        ('<t xml:space="preserve"> kept </t>', " kept "),
        ("<t>\n  laid out\n</t>", "laid out"),
        ("<t>line_x000D_\nnext_x0009_tab</t>", "line\r\nnext\ttab"),
        ("<t>a_x005F_x000D_b</t>", "a_x000D_b"),
        ("<t>_xD83D__xDE00_</t>", "\N{GRINNING FACE}"),
        ("<t>_xD83D_</t>", "\N{REPLACEMENT CHARACTER}"),
        ("<t>_xyz_ _x12_ fix_x</t>", "_xyz_ _x12_ fix_x"),
        ("<t/>", ""),
        ("", ""),
        ("<t>&lt;a&gt; &amp; b</t>", "<a> & b"),
    ],
)
def test_shared_strings_come_as_the_text_that_is_seen(path, item, text):
    strings = books.shared_strings("<t>another</t>", item)
    assert one(path, '<c r="A1" t="s"><v>1</v></c>', sharedStrings=strings) == Cell(1, 1, TEXT, text)


@pytest.mark.parametrize(
    "number_format",
    [14, 22, 27, 36, 45, 47, 50, 58, "yyyy-mm-dd", "d.m.yy", "mmm", "h:mm AM/PM", "[$-409]d mmm", "[Red]ss.0", "M/D"],
)
def test_a_number_shown_as_a_date_is_a_date(path, number_format):
    cell = one(path, '<c r="A1" s="1"><v>45413</v></c>', styles=books.styles(0, number_format))
    assert cell == Cell(1, 1, DATE, "2024-05-01")


@pytest.mark.parametrize(
    "number_format",
    [0, 1, 2, 11, 12, 23, 37, 44, 48, 49, 59, "0.00", "General", "0.00E+00", '0.0 "m/s"', '0" days"', "0.0\\s",
     "#,##0.00 [$USD]", "[Red]0.0", "[>100]0;[Blue]-0", "0_d", "0*y", "@", "# ?/?", '"today:" 0', '0"%"', "0\\%"],
)  # fmt: skip
def test_a_number_shown_as_a_number_is_a_number(path, number_format):
    cell = one(path, '<c r="A1" s="1"><v>45413</v></c>', styles=books.styles(0, number_format))
    assert cell == Cell(1, 1, NUMBER, 45413.0)


@pytest.mark.parametrize("number_format", [9, 10, "0%", "0.0 %", "[Red]0%;-0%"])
def test_a_number_shown_as_percent_says_so(path, number_format):
    cell = one(path, '<c r="A1" s="1"><v>0.55</v></c>', styles=books.styles(0, number_format))
    assert cell == Cell(1, 1, NUMBER, 0.55, as_percent=True)


@pytest.mark.parametrize("rows", [4, 4_000])
def test_percent_are_known_in_short_sheets_and_long_ones(path, rows):
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet("Car")
        for row in range(rows):
            page.write_number(row, 0, row / rows, book.add_format({"num_format": "0%"}) if row == 2 else None)
    cells = open_book(path).sheets["Car"].rows
    assert [row for row in cells if cells[row][1].as_percent] == [3]


def test_a_number_without_a_style_has_the_first_one(path):
    rows = '<row r="1"><c r="A1"><v>45413</v></c></row>'
    assert read(path, rows, styles=books.styles(14)).rows[1][1].kind is DATE


def test_a_format_of_the_file_replaces_the_built_in_one_of_its_number(path):
    text = books.styles(14).replace("<numFmts>", '<numFmts><numFmt numFmtId="14" formatCode="0.0"/>')
    assert one(path, '<c r="A1" s="0"><v>2</v></c>', styles=text) == Cell(1, 1, NUMBER, 2.0)


@pytest.mark.parametrize(
    ("serial", "text"),
    [
        ("0", "00:00:00"),
        ("0.5", "12:00:00"),
        ("1", "1900-01-01"),
        ("59", "1900-02-28"),
        ("60", "1900-02-29"),
        ("61", "1900-03-01"),
        ("43831.999988425923", "2020-01-01T23:59:59"),
        ("2958465", "9999-12-31"),
        ("2958466", "2958466.0"),
        ("-1", "-1.0"),
        ("1e300", "1e+300"),
        ("NaN", "nan"),
    ],
)
def test_serial_numbers_stand_for_the_dates_that_excel_shows(path, serial, text):
    cell = one(path, f'<c r="A1" s="1"><v>{serial}</v></c>', styles=books.styles(0, "yyyy-mm-dd hh:mm"))
    assert cell == Cell(1, 1, DATE, text)


@pytest.mark.parametrize("code", ["[h]:mm", "[mm]:ss", "[S]", "[hh]"])
def test_a_time_that_counts_past_a_day_is_a_duration(code):
    assert date_format(code) is DateFormat.ELAPSED


# --- where cells stand -----------------------------------------------------------------------------------------------


def test_cells_and_rows_without_a_reference_stand_after_the_one_before(path):
    rows = (
        '<row><c><v>1</v></c><c/><c><v>3</v></c></row><row r="4"><c r="B4"><v>5</v></c><c><v>6</v></c></row>'
        '<row><c t="b"><v>1</v></c></row>'
    )
    assert {place: value for place, (_, value) in plain(read(path, rows)).items()} == {
        (1, 1): 1.0,
        (1, 3): 3.0,
        (4, 2): 5.0,
        (4, 3): 6.0,
        (5, 1): True,
    }


def test_rows_and_cells_out_of_order_are_put_in_order(path):
    rows = '<row r="9"><c r="C9"><v>1</v></c><c r="A9"><v>2</v></c></row><row r="2"><c r="XFD2"><v>3</v></c></row>'
    sheet = read(path, rows)
    assert list(sheet.rows) == [2, 9]
    assert list(sheet.rows[2]) == [16_384]
    assert list(sheet.rows[9]) == [1, 3]


@pytest.mark.parametrize("row", ['r="0"', 'r="1048577"', 'r="-1"', 'r="x"', 'r=""', 'r="1.0"', f'r="{"9" * 5000}"'])
@pytest.mark.parametrize("cell", ["<c><v>1</v></c>", '<c r="A1"><v>1</v></c>'])
def test_a_row_number_that_does_not_exist_is_refused(path, row, cell):
    assert problem_of(path, f"<row {row}>{cell}</row>").code == "damaged-workbook"


@pytest.mark.parametrize("reference", ["A0", "A1048577", "XFE1", "AAAA1", "1", "A", "", "A1:B2", "Ä1", "A01"])
def test_an_address_that_does_not_exist_is_refused(path, reference):
    problem = problem_of(path, f'<row r="1"><c r="{reference}"><v>1</v></c></row>')
    assert (problem.code, problem.cell) == ("damaged-workbook", "Data")


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1"><c r="B1"><v>1</v></c><c r="B1"><v>2</v></c></row>',
        '<row r="1"><c r="B1"><v>1</v></c></row><row r="1"><c r="B1"><v>2</v></c></row>',
        '<row r="1"><c r="B1"><v>1</v></c></row><row r="2"><c r="B1" t="b"><v>1</v></c></row>',
        '<row r="1"><c r="B1"><v>1</v></c><c r="B1" t="b"><v>1</v></c></row>',
    ],
)
def test_a_cell_that_stands_there_twice_is_refused_at_its_address(path, rows):
    problem = problem_of(path, rows)
    assert (problem.code, problem.cell) == ("damaged-workbook", "Data!B1")


def test_a_text_that_is_not_among_the_shared_strings_is_refused_at_its_cell(path):
    problem = problem_of(path, '<row r="3"><c r="B3" t="s"><v>7</v></c></row>')
    assert (problem.code, problem.cell) == ("damaged-workbook", "Data!B3")


def test_a_row_with_more_cells_than_a_sheet_has_columns_is_refused(path):
    assert problem_of(path, f'<row r="1">{"<c/>" * 16_385}</row>').code == "damaged-workbook"


@given(st.integers(1, 1_048_576), st.integers(1, 16_384))
def test_addresses_have_the_letters_that_spreadsheets_give_them(row, column):
    assert coordinate_to_tuple(address("Joints", row, column).removeprefix("Joints!")) == (row, column)
    assert address("Joints", row, column) == f"Joints!{get_column_letter(column)}{row}"


@pytest.mark.parametrize("name", ["Joints", "my sheet", "it's", "2024", "a-b"])
def test_an_address_has_the_name_of_its_sheet_as_on_the_tab(name):
    assert address(name, 7, 2) == f"{name}!B7"


# --- merged ranges ---------------------------------------------------------------------------------------------------


def merge(*ranges: str) -> str:
    return f"<mergeCells>{''.join(f'<mergeCell ref={text!r}/>' for text in ranges)}</mergeCells>"


def test_every_cell_of_a_merged_range_says_so_the_empty_ones_too(path):
    rows = '<row r="2"><c r="B2"><v>1</v></c><c r="C2" s="0"/><c r="D2"><v>2</v></c></row>'
    sheet = read(path, rows, after=merge("B2:C3", "E5"))
    assert sheet.rows == {
        2: {2: Cell(2, 2, NUMBER, 1.0, merged=True), 3: Cell(2, 3, TEXT, "", merged=True), 4: Cell(2, 4, NUMBER, 2.0)},
        3: {2: Cell(3, 2, TEXT, "", merged=True), 3: Cell(3, 3, TEXT, "", merged=True)},
    }


def test_a_merged_range_that_covers_whole_columns_is_refused_at_its_first_cell(path):
    problem = problem_of(path, "", after=merge("A1:B1", "C1:XFD1048576"))
    assert (problem.code, problem.cell) == ("merged-cells", "Data!C1")


@pytest.mark.parametrize("text", ["", "A1:", "A:A", "A0:B2", "rubbish"])
def test_a_merged_range_that_does_not_exist_is_refused(path, text):
    assert problem_of(path, "", after=merge(text)).code == "damaged-workbook"


# --- sheets ----------------------------------------------------------------------------------------------------------


def test_sheets_come_in_the_order_of_their_tabs_and_say_whether_they_are_hidden(path):
    book = openpyxl.Workbook()
    book.active.title = "last"
    for place, (name, state) in enumerate([("First", "hidden"), ("second sheet", "veryHidden"), ("Ünit", "visible")]):
        book.create_sheet(name, place).sheet_state = state
    book.save(path)
    sheets = open_book(path).sheets
    assert list(sheets) == ["First", "second sheet", "Ünit", "last"]
    assert [sheet.hidden for sheet in sheets.values()] == [True, True, False, False]
    assert [sheet.name for sheet in sheets.values()] == list(sheets)
    assert "last" in sheets
    assert "Last" not in sheets
    with pytest.raises(KeyError):
        _ = sheets["none"]


def test_chart_sheets_are_left_out(path):
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Data").write_number("A1", 1)
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$A$1:$A$2"})
        book.add_chartsheet("Picture").set_chart(chart)
    assert list(open_book(path).sheets) == ["Data"]


def test_a_sheet_that_nobody_asks_for_is_never_parsed(path):
    listed = '<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Bad" sheetId="2" r:id="rId4"/>'
    contents = books.parts() | {"xl/workbook.xml": books.workbook(listed), "xl/worksheets/sheet2.xml": "<not XML"}
    arrows = ("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId4", "worksheet", "worksheets/sheet2.xml")
    book = open_book(books.save(path, contents | {"xl/_rels/workbook.xml.rels": books.relationships(*arrows)}))
    assert list(book.sheets) == ["Data", "Bad"]
    assert book.sheets["Data"].rows[1][1].value == 1.0
    with pytest.raises(WorkbookError, match="sheet2"):
        _ = book.sheets["Bad"]


def test_a_sheet_is_parsed_once(path):
    books.save(path, books.parts())
    book = open_book(path)
    assert book.sheets["Data"] is book.sheets["Data"]


def test_a_part_that_is_no_sheet_is_refused(path):
    contents = books.parts() | {"xl/worksheets/sheet1.xml": books.workbook()}
    with pytest.raises(WorkbookError, match="is not a sheet"):
        _ = open_book(books.save(path, contents)).sheets["Data"]


def test_a_workbook_without_styles_and_shared_strings_is_read(path):
    contents = books.parts('<row r="1"><c r="A1" s="7"><v>1</v></c></row>')
    del contents["xl/styles.xml"], contents["xl/sharedStrings.xml"]
    contents["xl/_rels/workbook.xml.rels"] = books.relationships(("rId1", "worksheet", "worksheets/sheet1.xml"))
    assert open_book(books.save(path, contents)).sheets["Data"].rows[1][1].value == 1.0


@pytest.mark.parametrize("enabled", [True, False])
def test_reading_leaves_the_garbage_collector_as_it_was(path, enabled):
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        assert read(path, '<row r="1"><c r="A1"><v>1</v></c></row>').rows
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()


# --- other programs' files -------------------------------------------------------------------------------------------


def as_openpyxl_sees_it(path: Path) -> dict[str, dict[tuple[int, int], object]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what it would lose if it saved the file
        book = openpyxl.load_workbook(path, data_only=True)
    return {
        page.title: {
            (cell.row, cell.column): cell.value for line in page.iter_rows() for cell in line if cell.value is not None
        }
        for page in book.worksheets
    }


def in_floats(value: object) -> object:
    """A spreadsheet knows no integers; openpyxl does."""
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def comparable(cell: Cell, other: object) -> object:
    """Our value in the terms of openpyxl, which gives dates as objects."""
    if cell.kind is not DATE:
        return cell.value
    if isinstance(other, time):
        return time.fromisoformat(cell.value)
    return datetime.fromisoformat(cell.value)


def assert_same_values(path: Path) -> int:
    """Every cell agrees with openpyxl, formulas without a value aside. Returns their number."""
    book, count = open_book(path), 0
    theirs = as_openpyxl_sees_it(path)
    assert list(book.sheets) == list(theirs)
    for name, sheet in book.sheets.items():
        ours = {
            (row, column): comparable(cell, theirs[name].get((row, column)))
            for row, line in sheet.rows.items()
            for column, cell in line.items()
            if cell.kind is not UNCACHED and cell.value != ""
        }
        assert ours == {place: in_floats(value) for place, value in theirs[name].items() if value != ""}
        count += len(ours)
    return count


@pytest.mark.skipif(not WILD.is_dir(), reason="the collection of real workbooks is not here")
def test_real_workbooks_hold_what_openpyxl_finds_in_them():
    assert sum(assert_same_values(path) for path in WILD.glob("*.xls[xm]")) > 100


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_a_workbook_saved_by_libreoffice_is_read(tmp_path):
    path = tmp_path / "book.xlsx"
    book = openpyxl.Workbook()
    page = book.active
    page.title = "my data"
    page.append(["time [s]", "crank.phi", "größer "])
    for row in range(2, 41):
        page.append([(row - 1) / 7, -(3.0 ** (row - 1)), f"=A{row}*2"])
    for row, value in enumerate(["=1/0", '="a"&"b"', "=1=1", '=""', datetime(2024, 5, 1, 12), True], start=1):  # noqa: DTZ001
        page.cell(row, 5, value)
    page["G1"] = "wide"
    page.merge_cells("G1:H2")
    book.create_sheet("secret").sheet_state = "hidden"
    book.save(path)
    made = tmp_path / "made"
    home = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [SOFFICE, home, "--headless", "--convert-to", "xlsx", "--outdir", made, path]
    subprocess.run(command, check=True, capture_output=True)
    converted = open_book(made / "book.xlsx")
    assert [(sheet.name, sheet.hidden) for sheet in converted.sheets.values()] == [("my data", False), ("secret", True)]
    rows = converted.sheets["my data"].rows
    assert [rows[1][column].value for column in (1, 2, 3)] == ["time [s]", "crank.phi", "größer "]
    for row in range(2, 41):
        assert rows[row][1].value == pytest.approx((row - 1) / 7, rel=1e-14)
        assert rows[row][2].value == pytest.approx(-(3.0 ** (row - 1)), rel=1e-14)
        assert rows[row][3].value == pytest.approx(2 * (row - 1) / 7, rel=1e-14)
    assert [(rows[row][5].kind, rows[row][5].value) for row in range(1, 7)] == [
        (ERROR, "#DIV/0!"),
        (TEXT, "ab"),
        (BOOLEAN, True),
        (TEXT, ""),
        (DATE, "2024-05-01T12:00:00"),
        (BOOLEAN, True),
    ]
    assert [rows[row][column].merged for row in (1, 2) for column in (7, 8)] == [True] * 4
    assert_same_values(made / "book.xlsx")
