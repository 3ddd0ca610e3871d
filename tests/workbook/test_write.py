"""What stands on the result sheets, and how it looks there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import python_calamine
from lxml import etree
from openpyxl.utils import get_column_letter

from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets import problemsheet, sheetxml
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_problems, write_results
from tests.support.opened import sheet_values
from tests.support.sample_results import (
    MAIN,
    PROBLEM,
    change_part,
    read_parts,
    sheet_names,
    sheet_part,
    slider_crank,
    table,
)
from tests.support.written_books import make


@pytest.fixture
def book(tmp_path):
    return make(tmp_path / "book.xlsx")


def one_table(values: np.ndarray, name: str = "mbs Bodies") -> ResultSheets:
    columns = ("time", *(f"b{number}.x" for number in range(1, values.shape[1])))
    return ResultSheets((("analysis", "dynamic", ""),), (Table(name, columns, ("s",) * len(columns), values),))


# what stands there


def test_numbers_come_back_to_the_last_bit(book):
    rng = np.random.default_rng(3)
    values = rng.normal(size=(600, 7)) * 10.0 ** rng.integers(-300, 300, size=(600, 7))
    values[0] = [0.1, 1 / 3, 5e-300, -1.7976931348623157e308, 2.2250738585072014e-308, 123456789012345678, -0.0]
    write_results(book, None, one_table(values))
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    rows = [[float(cell) for cell in row] for row in sheet.iter_rows(min_row=3, values_only=True)]
    np.testing.assert_array_equal(np.array(rows), values)


def test_a_number_too_small_for_a_cell_is_zero(book):
    write_results(book, None, one_table(np.array([[0.0, 5e-324], [0.1, -1e-310]])))
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    assert [cell.value for cell in sheet["B"][2:]] == [0, 0]


def test_a_number_that_is_not_known_is_an_empty_cell(book):
    values = np.array([[0.0, 1.0, 2.0], [0.1, np.nan, 3.0], [0.2, np.inf, -np.inf], [0.3, np.nan, np.nan]])
    summary = (("a", None, ""), ("b", float("nan"), ""), ("c", float("inf"), "s"), ("d", 0.0, ""))
    write_results(book, None, replace(one_table(values), summary=summary))
    sheet = openpyxl.load_workbook(book)["mbs Bodies"]
    rows = list(sheet.iter_rows(min_row=3, values_only=True))
    assert rows == [(0, 1, 2), (0.1, None, 3), (0.2, None, None), (0.3, None, None)]
    xml = read_parts(book)[sheet_part(book, "mbs Bodies")] + read_parts(book)[sheet_part(book, "mbs Summary")]
    assert not any(word in xml.lower() for word in (b">nan<", b">inf<", b">-inf<", b"<v></v>", b"<v/>"))
    summary_rows = sheet_values(book, "mbs Summary")
    assert [row[1] for row in summary_rows] == ["value", None, None, None, 0]


def test_every_cell_says_where_it_stands(book):
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    for name in sheet_names(book)[1:]:
        root = etree.fromstring(read_parts(book)[sheet_part(book, name)])
        for number, row in enumerate(root.iter(f"{MAIN}row"), start=1):
            assert row.get("r") == str(number)
            columns = [cell.get("r").removesuffix(str(number)) for cell in row]
            if name == "mbs Charts":
                assert set(columns) <= {"A", get_column_letter(sheetxml.RECORD_COLUMN)}
                continue
            assert columns == [get_column_letter(place) for place in range(1, len(columns) + 1)]


def test_headers_and_units_stay_in_view(book):
    write_results(book, None, slider_crank())
    loaded = openpyxl.load_workbook(book)
    assert loaded["mbs Bodies"].freeze_panes == "B3"
    assert loaded["mbs Summary"].freeze_panes == "A2"


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.0, 12.3456789], "0.0000"),
        ([0.0, -12345.6789], "0.0"),
        ([0.25, 0.5], "0.000000"),
        ([1e-9, 2e-9], "0.00000E+00"),
        ([1e9, 2.5e9], "0.00000E+00"),
        ([0.0, 1.0], "General"),
        ([np.nan, np.nan], "General"),
    ],
)
def test_about_six_digits_of_the_largest_number_of_a_column_are_shown(book, values, shown):
    write_results(book, None, one_table(np.column_stack([[0.0, 0.1], values])))
    assert openpyxl.load_workbook(book)["mbs Bodies"]["B3"].number_format == shown


@pytest.mark.parametrize(
    ("step", "shown"), [(0.00145, "0.00000"), (0.1, "0.0"), (1.0, "0"), (0.125, "0.000"), (1 / 3, "0.00000000")]
)
def test_times_are_shown_with_the_decimals_they_were_given_with(book, step, shown):
    write_results(book, None, one_table(np.column_stack([np.arange(50) * step, np.arange(50)])))
    assert openpyxl.load_workbook(book)["mbs Bodies"]["A4"].number_format == shown


def test_no_name_breaks_the_workbook_or_becomes_a_formula(book):
    names = ("time", "=cmd|' /C calc'!A0.x", "a<b>&\"c'.x", "bell\x07.x", "_x0041_.x", "  spaces  .x", "日本語 ½.x")
    values = np.zeros((2, len(names)))
    results = ResultSheets(
        (), (Table("mbs Bodies", names, ("",) * len(names), values),), (Chart("=1+1", "time", names[1:]),)
    )
    write_results(book, None, results)
    assert sheet_part(book, "mbs Charts")
    loaded = openpyxl.load_workbook(book)["mbs Bodies"]
    assert tuple(cell.value for cell in loaded[1]) == (*names[:3], "bell_x0007_.x", "_x005F_x0041_.x", *names[5:])
    assert {cell.data_type for cell in loaded[1]} <= {"s", "inlineStr"}
    calamine = python_calamine.CalamineWorkbook.from_path(book).get_sheet_by_name("mbs Bodies").to_python()
    assert tuple(calamine[0][:3]) == names[:3]


def test_a_long_text_is_cut_where_a_cell_ends(book):
    write_results(book, None, replace(slider_crank(), summary=(("item", "x" * 40_000, ""),)))
    assert len(openpyxl.load_workbook(book)["mbs Summary"]["B2"].value) == 32_767


def test_too_many_rows_go_on_in_a_second_sheet(book, monkeypatch):
    monkeypatch.setattr(sheetxml, "ROWS", 12)
    values = np.arange(50.0).reshape(25, 2)
    write_results(book, None, one_table(values))
    assert sheet_names(book)[2:] == ["mbs Bodies", "mbs Bodies 2", "mbs Bodies 3"]
    loaded = openpyxl.load_workbook(book)
    read = []
    for name in sheet_names(book)[2:]:
        header, _units, *rows = loaded[name].iter_rows(values_only=True)
        assert header == ("time", "b1.x")
        assert len(rows) <= 10
        read += rows
    np.testing.assert_array_equal(np.array(read, float), values)
    write_results(book, None, one_table(values[:5]))
    assert sheet_names(book)[2:] == ["mbs Bodies"]


def test_too_many_columns_go_on_in_a_second_sheet_with_its_own_time(book, monkeypatch):
    monkeypatch.setattr(sheetxml, "COLUMNS", 4)
    values = np.arange(16.0).reshape(2, 8)
    write_results(book, None, one_table(values))
    loaded = openpyxl.load_workbook(book)
    headers = [[cell.value for cell in loaded[name][1]] for name in sheet_names(book)[2:]]
    assert headers == [["time", "b1.x", "b2.x", "b3.x"], ["time", "b4.x", "b5.x", "b6.x"], ["time", "b7.x"]]
    assert [cell.value for cell in loaded["mbs Bodies 3"][4]] == [8, 15]


def test_a_table_without_rows_is_a_sheet_of_headers(book):
    write_results(book, None, one_table(np.zeros((0, 3))))
    rows = sheet_values(book, "mbs Bodies")
    assert rows == [("time", "b1.x", "b2.x"), ("s", "s", "s")]


def test_problems_link_to_their_cells(tmp_path):
    sheets = ("Model", "It's mine", "Größe & Maß", "Wow!", "2024")
    book = make(tmp_path / "book.xlsx", *sheets)
    linked = {f"{sheet}!C7": "'{}'!C7".format(sheet.replace("'", "''")) for sheet in sheets}
    linked |= {"Model": "'Model'!A1", "Wow!": "'Wow!'!A1", "mbs Bodies!A1": "'mbs Bodies'!A1"}
    unlinked = ("Nowhere!A1", "Model!C7:C9", "Model!C7, C9", "book.xlsx", None)
    problems = tuple(replace(PROBLEM, cell=cell or "") for cell in (*linked, *unlinked))
    write_results(book, None, slider_crank(problems=problems))
    sheet = openpyxl.load_workbook(book)["mbs Problems"]
    assert [cell.value for cell in sheet[1]] == ["severity", "cell", "found", "problem", "mend"]
    assert [cell.value for cell in sheet[2]] == ["warning", "Model!C7", "12", PROBLEM.problem, PROBLEM.mend]
    found = {cell[0].value: cell[0].hyperlink and cell[0].hyperlink.location for cell in sheet["B2:B100"]}
    assert found == linked | dict.fromkeys(unlinked)


def test_problems_can_be_filtered_and_their_headers_stay_in_sight(book):
    write_problems(book, [PROBLEM, PROBLEM])
    sheet = openpyxl.load_workbook(book)["mbs Problems"]
    assert sheet.auto_filter.ref == "A1:E3"
    assert sheet.freeze_panes == "A2"
    assert sheet["A2"].fill.fgColor.rgb != sheet["C2"].fill.fgColor.rgb


def test_of_very_many_problems_a_part_is_listed_in_which_every_kind_stands(book, monkeypatch):
    monkeypatch.setattr(problemsheet, "MAX_PROBLEMS", 20)
    many = [replace(PROBLEM, cell=f"Model!C{row}") for row in range(1, 1001)]
    rare = replace(PROBLEM, code="rare", cell="Model!D7")
    write_problems(book, [*many, rare])
    rows = sheet_values(book, "mbs Problems")[1:]
    assert [row[1] for row in rows] == [*(f"Model!C{row}" for row in range(1, 20)), "Model!D7", None]
    assert "981 more" in rows[-1][2]


def test_the_same_problem_list_is_written_by_a_check_with_mark(book):
    write_problems(book, [PROBLEM])
    assert sheet_names(book) == ["Model", "mbs Problems"]
    assert openpyxl.load_workbook(book)["mbs Problems"]["B2"].value == PROBLEM.cell


def test_texts_and_numbers_of_the_summary_are_within_what_a_cell_holds(book):
    items = (
        ("emoji", "\U0001f600" * 32_767, ""),
        ("i" * 400, 1.0, ""),
        ("least", 5e-324, "m"),
        ("nothing", np.nan, ""),
    )
    write_results(book, None, replace(slider_crank(), summary=items))
    page = openpyxl.load_workbook(book)["mbs Summary"]
    assert page["B2"].value == "\U0001f600" * 16_383
    assert [page["B4"].value, page["B5"].value] == [0, None]
    assert page.column_dimensions["A"].width <= 255


# the styles of the workbook


def with_styles(path: Path, *changes: tuple[str, str]) -> Path:
    """A workbook whose styles were changed so."""
    make(path)
    for old, new in changes:
        change_part(path, "xl/styles.xml", old, new)
    return path


def looks_of(path: Path, cell_formats: Iterable[int]) -> list[tuple[str, ...]]:
    """Font, fill, border and number format of some cell formats as they are stored, "" what is not there."""
    root = etree.fromstring(read_parts(path)["xl/styles.xml"])
    xfs = root.find(f"{MAIN}cellXfs")
    formats = {f.get("numFmtId"): f.get("formatCode") for f in root.iter(f"{MAIN}numFmt")}

    def entry(name: str, place: int) -> str:
        entries = root.find(f"{MAIN}{name}")
        return etree.tostring(entries[place], method="c14n").decode() if place < len(entries) else ""

    return [
        (
            *(entry(name, int(xfs[n].get(key))) for name, key in (("fonts", "fontId"), ("fills", "fillId"))),
            entry("borders", int(xfs[n].get("borderId"))),
            formats.get(xfs[n].get("numFmtId"), ""),
        )
        for n in cell_formats
    ]


@pytest.mark.parametrize("far", [1, 3, 40, 5_000, 4_000_000_000])
def test_formats_that_refer_to_nothing_do_not_begin_to_look_like_ours(tmp_path, far):
    xf = '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    stray = f'<xf numFmtId="{164 + far}" fontId="{far}" fillId="{far + 1}" borderId="{far}" xfId="{far}"/>'
    book = with_styles(tmp_path / "book.xlsx", (xf, xf.replace('"1"', '"2"') + stray))
    font, fill, border, _ = looks_of(book, [0])[0]
    write_results(book, None, slider_crank())
    [(font_now, fill_now, border_now, number)] = looks_of(book, [1])
    assert font_now in ("", font)
    assert fill_now in ("", fill)
    assert border_now in ("", border)
    assert number == ""
    write_results(book, None, slider_crank())
    first = read_parts(book)["xl/styles.xml"]
    write_results(book, None, slider_crank(9))
    assert read_parts(book)["xl/styles.xml"] == first


@pytest.mark.parametrize("name", ["fonts", "fills", "borders", "cellXfs"])
def test_cells_without_a_format_stay_plain_where_a_collection_of_styles_is_empty(tmp_path, name):
    book = make(tmp_path / "book.xlsx")
    styles = read_parts(book)["xl/styles.xml"].decode()
    collection = re.search(rf"<{name}[ >].*?</{name}>", styles)[0]
    change_part(book, "xl/styles.xml", collection, f'<{name} count="0"></{name}>')
    write_results(book, None, slider_crank())
    assert "<b/>" not in looks_of(book, [0])[0][0]
    assert "solid" not in looks_of(book, [0])[0][1]
    assert openpyxl.load_workbook(book)["mbs Bodies"]["A1"].font.b


PLAIN_XF = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
FULL = {
    "cell formats": ("cellXfs", '<cellXfs count="1">', '<cellXfs count="65431">' + 65_430 * PLAIN_XF),
    "fonts": ("fonts", '<fonts count="1">', '<fonts count="1024">' + 1_023 * '<font><sz val="9"/></font>'),
    "number formats": (
        "numFmts",
        "<fonts",
        '<numFmts count="250">'
        + "".join(f'<numFmt numFmtId="{164 + n}" formatCode="0.0&quot; {n}&quot;"/>' for n in range(250))
        + "</numFmts><fonts",
    ),
}


@pytest.mark.parametrize("kind", FULL)
def test_where_excel_opens_no_more_formats_the_results_go_without_them_and_the_user_is_told(tmp_path, kind):
    name, old, new = FULL[kind]
    book = with_styles(tmp_path / "book.xlsx", (old, new))
    before = etree.fromstring(read_parts(book)["xl/styles.xml"])
    told: list[Problem] = []
    write_results(book, None, slider_crank(), tell=told.append)
    after = etree.fromstring(read_parts(book)["xl/styles.xml"])
    assert len(after.find(f"{MAIN}{name}")) == len(before.find(f"{MAIN}{name}"))
    assert [problem.code for problem in told] == ["too-many-formats"]
    assert kind in told[0].found
    bodies = python_calamine.CalamineWorkbook.from_path(book).get_sheet_by_name(
        "mbs Bodies"
    )  # openpyxl takes ten seconds
    assert bodies.to_python()[2][1] == pytest.approx(50.0)


def test_tables_over_different_rows_stand_side_by_side(book):
    modes = table("mbs Modes", {"mode": ("", np.array([1.0, 2.0])), "frequency": ("Hz", np.array([3.5, 9.25]))})
    results = slider_crank()
    write_results(book, None, replace(results, tables=(*results.tables, modes)))
    rows = sheet_values(book, "mbs Modes")
    assert rows == [("mode", "frequency"), (None, "Hz"), (1, 3.5), (2, 9.25)]
