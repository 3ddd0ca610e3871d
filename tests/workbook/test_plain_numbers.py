"""The short way for plain numbers finds the same cells as the parser, whatever a sheet looks like."""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils.cell import get_column_letter

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells import plain_numbers, sheet_reader
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Numbers, SheetRows
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet, open_book
from sheetmbs.workbook.cells.plain_numbers import PlainNumbers
from sheetmbs.workbook.cells.tags import VALUE, find_tags
from sheetmbs.workbook.package import package
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.support import books
from tests.support.planar_books import saved, sound_book

NUMBER, DATE = CellKind.NUMBER, CellKind.DATE
STYLES = books.styles(0, 14, "0.0", 0)
"""Style 1 is a date"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


@pytest.fixture(autouse=True)
def _every_sheet_goes_the_short_way(monkeypatch):
    monkeypatch.setattr(sheet_reader, "SMALL_SHEET", 0)


def read(path: Path, sheet: str | bytes, **parts: str) -> CellSheet:
    """The sheet of a workbook made of XML."""
    given = {"xl/worksheets/sheet1.xml": sheet} | {f"xl/{name}.xml": text for name, text in parts.items()}
    return open_book(books.save(path, books.parts() | given)).sheets["Data"]


def short_way(
    sheet: str, *date_styles: int, zeros_are_guesses: bool = False
) -> tuple[str, dict[tuple[int, int], float]]:
    """What the short way leaves of a sheet's rows, and what it takes."""
    plain = PlainNumbers(date_styles, zeros_are_guesses=zeros_are_guesses)
    left = b"".join(plain.take([sheet.encode()])).decode()
    rows, columns, values = (
        each.tolist() for each in (plain.numbers.rows, plain.numbers.columns, plain.numbers.values)
    )
    return left.partition("<sheetData>")[2].partition("</sheetData>")[0], dict(
        zip(zip(rows, columns, strict=True), values, strict=True)
    )


# --- the same cells as the parser ------------------------------------------------------------------------------------

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
ODD_VALUES = "0", "1_0", "", " 1 ", "NaN", "1-2", "&#49;", "-", "1e999", "\N{ARABIC-INDIC DIGIT ONE}", "1 > 0"
FORMULAS = (
    *("<f>A1+1</f>", '<f t="shared" si="0"/>', '<f t="shared" ref="A1:B2" si="0">A1</f>', "<f/>", "<f ></f>"),
    *("<f>A1&gt;1</f>", "<f>A1&amp;B1</f>", "<f>A1>1</f>", "<f>'ö'!A1</f>", "<f>A1 </f >", "<f>\n1</f>"),
    *('<f si="0" t="shared"/>', "<f><!-- --></f>", "<foo>1</foo>"),
)
BROKEN_FORMULAS = "<f>T[[a]]>1</f>", '<f t="shared" t="array">1</f>', "<f>&unknown;</f>", "<f>1\x00</f>", "<f>1<f>"
CELLS = (
    *("<c{a}><v>{v}</v></c>", "<c{a}>{f}<v>{v}</v></c>", "<c{a}/>", "<c{a}></c>", "<c{a}>{f}</c>", "<c{a}><v/></c>"),
    *(
        "<c {a}><v>{v}</v></c>",
        "<c{a} ><v>{v}</v></c>",
        "<c{a}> <v>{v}</v> </c>",
        "<c{a}><v >{v}</v></c>",
        "<c{a}>1</c>",
    ),
    *(
        "<c{a}><is><t>{v}</t></is></c>",
        "<c{a}><is><r><t>{v}</t></r></is></c>",
        "<c{a}><v xml:space='preserve'>{v}</v></c>",
    ),
    *("<c{a}><v>{v}<!-- --></v></c>", "<c{a}><v>{v}</v><v>2</v></c>", "<c{a}><v>{v}</v>{f}</c>", "text", "<?ask?>"),
    *("<c{a}><v>{v}</v><extLst><ext><c r='A1'><v>1</v></c></ext></extLst></c>", "<c{a}><v><![CDATA[1]]></v></c>"),
    *("<d{a}><v>{v}</v></d>", "<x:c{a}><x:v>{v}</x:v></x:c>", '<c{a}><v xmlns="urn:other">{v}</v></c>'),
    *("<!-- <c{a}><v>{v}</v></c> -->", "<x:d><c{a}><v>{v}</v></c></x:d>", "<c{a}><d><v>{v}</v></d></c>"),
)
BROKEN_CELLS = (
    "<c{a}><v>{v}</c></v>",
    "<c{a}><v>{v}</v>",
    "<c{a}><v>{v}<v></c>",
    "<c{a}></v>{v}</v></c>",
    "<c{a} <v>{v}</v></c>",
)
ATTRIBUTES = (
    *(
        "",
        ' s="0"',
        ' s="1"',
        ' s="2"',
        ' s="2" t="n"',
        ' t="n" s="3"',
        ' s="99"',
        ' s="x"',
        ' s="01"',
        ' cm="1"',
        " s='2'",
    ),
    *(
        ' t="b"',
        ' t="str"',
        ' t="inlineStr"',
        ' t="e"',
        ' t="d"',
        ' s="1" t="str"',
        ' s="&#49;"',
        '  s="2"',
        ' x:k="1"',
    ),
    *(' xml:space="preserve"', ' s="2" ', ' u="a>b"', ' xmlns="urn:other"', ' s="2" t="n" cm="1" vm="1" ph="1"'),
)
BROKEN_ATTRIBUTES = ' t="n" t="n"', ' y:k="1"', ' r="B2"', ' t="s"', " s=2", ' u="a<b"'
REFERENCES = ' r="{a}{r}"', "", " r='{a}{r}'", ' cm="2" r="{a}{r}"', ' r="${a}${r}"', ' r="a{r}"'
BROKEN_REFERENCES = ' r="{a}0{r}"', ' r="É1"', ' r="{a}0"', ' r="XFE{r}"', ' r="{r}"', ' r=""', ' r="A1"'
ROW_ATTRIBUTES = (
    *(
        ' r="{r}"',
        ' r="{r}" spans="1:5"',
        ' spans="1:5" r="{r}"',
        "",
        ' r="{r}" ht="20" x:k="1"',
        " r='{r}'",
        ' r="{r}" ',
    ),
    *(' r="0{r}"', ' r="{r}" note="a>b"', ' r="{r}" note="&amp;"', ' r="{r}" ht="1" s="1" customFormat="1"'),
)
BROKEN_ROW_ATTRIBUTES = ' r="{r}" y:k="1"', ' r="{r}" ht="1" ht="2"', ' r="0"', " x", ' r="1048577"', ' r="{r}" r="9"'


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """Sheets as in time series, with here and there something else, and something broken in a few of them."""
    may_break = draw(st.integers(0, 4)) == 0

    def one_of(usual: tuple[str, ...], broken: tuple[str, ...] = ()) -> str:
        """Nearly always the first one."""
        others = usual[1:] + broken if may_break else usual[1:]
        return draw(st.sampled_from(others)) if draw(st.integers(0, 11)) == 11 else usual[0]

    def cell(kind: str, reference: str, attributes: str) -> str:
        value = draw(FLOATS.map(repr) | st.sampled_from(ODD_VALUES))
        return kind.format(a=reference + attributes, f=one_of(FORMULAS, BROKEN_FORMULAS), v=value)

    def row(number: int) -> str:
        layout = usual if draw(st.booleans()) else [one_of(CELLS, BROKEN_CELLS) for _ in usual]
        columns = usual_columns if draw(st.booleans()) else draw(COLUMNS)
        inner = "".join(
            cell(
                kind,
                one_of(REFERENCES, BROKEN_REFERENCES).format(a=get_column_letter(column), r=number),
                one_of((usual_attributes, *ATTRIBUTES), BROKEN_ATTRIBUTES),
            )
            for kind, column in zip(layout, columns, strict=False)
        )
        tag = f"<row{one_of((usual_row, *ROW_ATTRIBUTES), BROKEN_ROW_ATTRIBUTES).format(r=number)}"
        return one_of((f"{tag}>{inner}</row>", f"{tag}/>", f"<a>{tag}>{inner}</row></a>"), (f"{tag}>{inner}",))

    usual = draw(st.lists(st.sampled_from(CELLS[:6]), min_size=1, max_size=6))
    usual_columns = draw(COLUMNS)
    usual_attributes, usual_row = draw(st.sampled_from(ATTRIBUTES[:5])), draw(st.sampled_from(ROW_ATTRIBUTES[:2]))
    numbers = draw(st.just(range(7, 13)) | st.lists(st.integers(1, 12), max_size=8, unique=not may_break))
    between = one_of(("", "\n", "text", "<!-- <row r='1'> -->"), ("</sheetData><sheetData>", "</row>"))
    before = one_of(("", "<dimension ref='A1:XFD1048576'/>", "<!-- -->", '<a xmlns="urn:other"/>'), ("<a>",))
    merged = '<mergeCells><mergeCell ref="A2:B3"/></mergeCells>'
    after = one_of(("", merged, '<row r="20"><c r="A20"><v>1</v></c></row>', "<!-- -->"), ("<a>", "</a>"))
    data = one_of(("sheetData", "sheetData ", 'sheetData xmlns="urn:other"', 'sheetData u="1"'))
    root = f'worksheet xmlns="{books.MAIN}" xmlns:x="{books.MAIN}"'
    return f"<{root}>{before}<{data}>{between.join(map(row, numbers))}</sheetData>{after}</worksheet>"


COLUMNS = st.just(range(1, 10)) | st.lists(st.integers(1, 800), min_size=9, max_size=9, unique=True)


def outcome(path: Path, sheet: str) -> object:
    try:
        return repr(dict(read(path, sheet, styles=STYLES).rows))
    except WorkbookError as error:
        return [problem.code for problem in error.problems]


@settings(max_examples=150, deadline=None)
@given(sheets(), st.sampled_from([1, 7, 60, 1 << 20]), st.sampled_from([20, 300, 1 << 20]))
def test_the_short_way_finds_what_the_parser_finds(tmp_path_factory, sheet, piece, most):
    path = tmp_path_factory.mktemp("books") / "book.xlsx"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet_reader, "SMALL_SHEET", 0)
        patch.setattr(package, "CHUNK_BYTES", piece)
        patch.setattr(plain_numbers, "MAX_ROW_BYTES", most)
        short = outcome(path, sheet)
        patch.setattr(sheet_reader, "SMALL_SHEET", len(sheet) * 4)
        assert outcome(path, sheet) == short


def data(rows: str, after: str = "") -> str:
    return books.sheet(rows, after=after)


def row(number: int) -> str:
    return f'<row r="{number}"><c r="A{number}"><v>{number}</v></c></row>'


@pytest.mark.parametrize(
    "sheet",
    [
        data(f"<!-- {row(1)} -->{row(2)}"),
        data(f"<!-- {row(1)} </sheetData> -->{row(2)}"),
        data(f"<a><![CDATA[{row(1)}]]></a>{row(2)}"),
        data(f"<?ask {row(1)}?>{row(2)}"),
        data(f'<a xmlns="urn:other">{row(1)}</a>{row(2)}'),
        data(f"<a xmlns = 'urn:other'>{row(1)}</a>{row(2)}"),
        data(f'<row r="3" xmlns="urn:other">{row(1)}</row>{row(2)}'),
        data(f'{row(2)}<row r="3"><c r="A3" xmlns="urn:other"><v>1</v></c></row>'),
        data(row(2)).replace("<sheetData>", f"<!-- <sheetData>{row(1)} --><sheetData>"),
        data(row(1)).replace("<sheetData>", '<sheetData xmlns="urn:other">') + f"<!-- {row(1)} -->",
        f'<x:worksheet xmlns:x="{books.MAIN}"><x:sheetData>{row(1)}</x:sheetData></x:worksheet>',
    ],
)
@pytest.mark.parametrize("piece", [1, 10, 1 << 20])
def test_what_only_looks_like_a_row_is_not_read(path, monkeypatch, sheet, piece):
    monkeypatch.setattr(package, "CHUNK_BYTES", piece)
    assert sorted(read(path, sheet).rows) == ([2] if row(2) in sheet else [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_sheets_in_any_encoding_are_read(path, encoding):
    text = data(row(1)).replace("UTF-8", "UTF-16") if encoding == "utf-16" else data(row(1))
    assert read(path, text.encode(encoding)).rows == {1: {1: Cell(1, 1, NUMBER, 1.0)}}


def test_sheets_with_a_namespace_prefix_are_read(path):
    rows = '<x:row r="1"><x:c r="A1"><x:v>5</x:v></x:c></x:row><row r="2"><c r="A2"><v>6</v></c></row>'
    sheet = f'<x:worksheet xmlns:x="{books.MAIN}"><x:sheetData>{rows}</x:sheetData></x:worksheet>'
    assert read(path, sheet).rows == {1: {1: Cell(1, 1, NUMBER, 5.0)}}


# --- what is taken ---------------------------------------------------------------------------------------------------

WRITERS = {
    "Excel": (
        '<row r="{r}" spans="1:2" x14ac:dyDescent="0.25">',
        '<c r="A{r}" s="1"><v>{v}</v></c><c r="B{r}"><v>-{v}</v></c>',
    ),
    "Excel, formulas": (
        '<row r="{r}" spans="1:2">',
        '<c r="A{r}"><f>A1+0.1</f><v>{v}</v></c><c r="B{r}" s="2"><f t="shared" si="0"/><v>-{v}</v></c>',
    ),
    "LibreOffice": (
        '<row r="{r}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">',
        '<c r="A{r}" s="1" t="n"><v>{v}</v></c><c r="B{r}" s="1" t="n"><f aca="false">-A{r}</f><v>-{v}</v></c>',
    ),
    "XlsxWriter": ('<row r="{r}" spans="1:2">', '<c r="A{r}"><v>{v}</v></c><c r="B{r}"><v>-{v}</v></c>'),
    "openpyxl": ('<row r="{r}">', '<c r="A{r}" t="n"><v>{v}</v></c><c r="B{r}" t="n"><v>-{v}</v></c>'),
    "sheetmbs": ('<row r="{r}">', '<c r="A{r}" s="12"><v>{v}</v></c><c r="B{r}" s="13"><v>-{v}</v></c>'),
    "with blank cells": ('<row r="{r}">', '<c r="A{r}"><v>{v}</v></c><c r="B{r}"><v>-{v}</v></c><c r="C{r}" s="3"/>'),
    "in lines": ('\n<row r="{r}" ht="20">', '<c r="A{r}"><v>{v}</v></c><c r="B{r}"><v>-{v}</v></c>'),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_nothing_of_a_series_is_left_to_the_parser_but_the_number_of_its_last_row(writer):
    tag, inner = WRITERS[writer]
    numbers = (2, 9, 10, 99, 100, 1_048_576)
    values = [1.0, 0.5, 1e-300, 2.5e17, 123456.789, 0.1]
    rows = "".join(
        tag.format(r=r) + inner.format(r=r, v=repr(v)) + "</row>" for r, v in zip(numbers, values, strict=True)
    )
    left, taken = short_way(data(rows).replace("<worksheet", '<worksheet xmlns:x14ac="urn:x14ac"'))
    assert left.strip() == '<row r="1048576"/>'
    assert taken == {
        place: value
        for number, v in zip(numbers, values, strict=True)
        for place, value in (((number, 1), v), ((number, 2), -v))
    }


@pytest.mark.parametrize("blank", ["", '<c r="A{r}" s="1"/><c r="B{r}" s="1"></c>'])
def test_nothing_is_left_of_rows_that_have_a_format_alone(blank):
    rows = "".join(f'<row r="{r}" s="1" customFormat="1">{blank.format(r=r)}</row>' for r in range(1, 20_000))
    empty = "".join(f'<row r="{r}" ht="30"/>' for r in range(20_000, 40_000))
    assert short_way(data(rows + empty)) == ('<row r="39999"/>', {})


def test_cells_that_are_no_plain_numbers_stay_in_their_rows():
    kept = '<c r="B1" t="s"><v>0</v></c>', '<c r="D2" t="b"><v>1</v></c>', '<c r="F2" s="1"><v>45000</v></c>'
    rows = (
        f'<row r="1" ht="9"><c r="A1"><v>1</v></c>{kept[0]}<c r="C1"><v>2</v></c></row>'
        f'<row r="2"><c r="C2"/>{kept[1]}<c r="E2"><f>1</f><v>3</v></c>{kept[2]}</row>'
    )
    left = f'<row r="1" ht="9">{kept[0]}</row><row r="2">{kept[1]}{kept[2]}</row><row r="2"/>'
    assert short_way(data(rows), 1) == (left, {(1, 1): 1.0, (1, 3): 2.0, (2, 5): 3.0})


@pytest.mark.parametrize("piece", [1, 50, 1 << 20])
def test_a_row_without_a_number_follows_the_one_that_was_taken(path, monkeypatch, piece):
    monkeypatch.setattr(package, "CHUNK_BYTES", piece)
    sheet = read(path, data(f"{row(4)}<row><c><v>5</v></c></row>{row(6)}<row/><row><c><v>8</v></c></row>"))
    assert {number: line[1].value for number, line in sheet.rows.items()} == {n: float(n) for n in (4, 5, 6, 8)}


def test_a_zero_that_a_formula_gives_is_taken_only_where_the_writer_computed_it():
    cells = "".join(f'<c r="{a}1"><f>1</f><v>{v}</v></c>' for a, v in (("A", 0), ("B", 1))) + '<c r="C1"><v>0</v></c>'
    rows = f'<row r="1">{cells}</row>'
    assert short_way(data(rows))[1] == {(1, 1): 0.0, (1, 2): 1.0, (1, 3): 0.0}
    assert short_way(data(rows), zeros_are_guesses=True)[1] == {(1, 2): 1.0, (1, 3): 0.0}


def test_numbers_in_a_style_that_equals_their_row_number_are_not_taken_for_dates_or_the_other_way_round(path):
    rows = "".join(f'<row r="{n}"><c r="A{n}" s="{n}"><v>45413</v></c></row>' for n in (1, 2, 3, 4))
    sheet = read(path, data(rows), styles=books.styles(0, 0, 14, 0, 14))
    assert [line[1].kind for line in sheet.rows.values()] == [NUMBER, DATE, NUMBER, DATE]


@pytest.mark.parametrize("cell", ['<c r="A2"><v>1<v></c>', '<c r="A2"></v>1</v></c>', '<c r="A1"><v>1</v></c>'])
def test_what_is_damaged_is_damaged_in_a_plain_series_too(path, cell):
    with pytest.raises(WorkbookError, match="damaged"):
        read(path, data(f'{row(1)}<row r="2">{cell}</row>'))


def test_a_number_in_a_merged_range_is_a_merged_cell_and_no_number_of_the_series(path):
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>-{n}</v></c></row>' for n in range(1, 4))
    sheet = read(path, data(rows, after='<mergeCells><mergeCell ref="B2:C3"/></mergeCells>'))
    merged = {(r, column) for r, line in sheet.rows.items() for column, cell in line.items() if cell.merged}
    assert merged == {(2, 2), (2, 3), (3, 2), (3, 3)}
    assert [(cell.column, cell.value) for cell in sheet.rows[3].values()] == [(1, 3.0), (2, -3.0), (3, "")]
    assert np.isnan(sheet.rows.numbers.table([1, 2, 3], [1, 2])).tolist() == [[False] * 3, [False, True, True]]


def test_a_document_type_is_refused_before_anything_is_taken(path):
    with pytest.raises(WorkbookError, match="document type"):
        read(path, data(row(1)).replace("<worksheet", '<!DOCTYPE worksheet [<!ENTITY a "b">]><worksheet'))


def test_a_row_longer_than_what_is_looked_at_together_is_left_to_the_parser(path, monkeypatch):
    monkeypatch.setattr(package, "CHUNK_BYTES", 64)
    monkeypatch.setattr(plain_numbers, "MAX_ROW_BYTES", 400)
    long = "".join(f'<c r="{get_column_letter(n)}2"><v>{n}</v></c>' for n in range(1, 30))
    rows = read(path, data(f'{row(1)}<row r="2">{long}</row>{row(3)}')).rows
    assert [len(line) for line in rows.values()] == [1, 29, 1]


def test_the_size_that_a_sheet_declares_means_nothing(path):
    sheet = data(row(1)).replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')
    assert read(path, sheet).rows == {1: {1: Cell(1, 1, NUMBER, 1.0)}}


# --- the same doubles as Python --------------------------------------------------------------------------------------

DECIMALS = (
    FLOATS.map(repr)
    | st.floats(-1e6, 1e6).map(lambda value: f"{value:.15g}")
    | st.floats(-10, 10).map(lambda value: f"{value:.17f}")
    | st.from_regex(r"[-+]?[0-9]{0,25}\.?[0-9]{0,25}([eE][-+]?[0-9]{1,3})?", fullmatch=True)
    | st.tuples(st.integers(2**53, 10**18 - 1), st.integers(0, 18)).map(lambda parts: scaled(*parts))
    | st.tuples(st.floats(0.001, 1000), st.integers(1, 18)).map(lambda parts: middle(*parts))
)


def scaled(number: int, decimals: int) -> str:
    return f"{Decimal(number).scaleb(-decimals):f}"


def middle(value: float, digits: int) -> str:
    """A decimal as near as so many digits allow to the middle between two doubles."""
    between = (Decimal(value) + Decimal(math.nextafter(value, math.inf))) / 2
    return f"{between:.{digits}f}"


def in_cells(texts: list[str]) -> str:
    cells = "".join(f'<c r="{get_column_letter(n)}1"><v>{text}</v></c>' for n, text in enumerate(texts, start=1))
    return f'<row r="1">{cells}</row>'


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) or True
    except ValueError:
        return False


@settings(max_examples=300, deadline=None)
@given(st.lists(DECIMALS, min_size=1, max_size=30))
def test_numbers_are_the_doubles_that_python_makes_of_their_text(texts):
    taken = short_way(data(in_cells(texts)))[1]
    expected = {(1, n): float(text).hex() for n, text in enumerate(texts, start=1) if is_number(text)}
    assert {place: value.hex() for place, value in taken.items()} == expected


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        *[("0.1", True), ("-0.0", True), ("0", True), ("12345678.25", True), ("0.123456789012345678", True)],
        *[("007.50", True), ("999999999999999999", False), ("1.5E-3", False), ("123456789.5", False), (".5", False)],
    ],
)
def test_other_spellings_than_the_usual_are_left_to_python(text, certain):
    tags = find_tags(in_cells([text]).encode())
    begin = np.flatnonzero(tags.kind == VALUE)
    (value,), (is_certain,) = plain_numbers.doubles(tags, tags.at[begin] + 3, tags.end[begin])
    assert is_certain == certain
    assert not is_certain or value.hex() == float(text).hex()


def test_a_quotient_in_the_middle_between_two_doubles_is_not_certain():
    values, certain = plain_numbers._quotients(2**53 + np.array([1, 2, 3]), np.ones(3))
    assert certain.tolist() == [False, True, False]
    assert values[1] == 2.0**53 + 2.0


def test_hardly_any_number_of_a_series_needs_python_to_read_its_text():
    values = np.random.default_rng(1).uniform(-100.0, 100.0, 1000)
    for digits in (3, 8, 15, 16, 17):
        tags = find_tags(in_cells([f"{value:.{digits}g}" for value in values]).encode())
        begin = np.flatnonzero(tags.kind == VALUE)
        assert plain_numbers.doubles(tags, tags.at[begin] + 3, tags.end[begin])[1].mean() > 0.98


# --- a whole workbook ------------------------------------------------------------------------------------------------


def problems(path: Path) -> list[tuple[str, str]]:
    with pytest.raises(WorkbookError) as error:
        read_model(path)
    return [(problem.code, problem.cell) for problem in error.value.problems]


def test_whatever_is_wrong_in_a_long_series_is_reported_at_its_cell(tmp_path, monkeypatch):
    book = sound_book()
    page = book["Guiding"]
    page.delete_rows(2, 10)
    for place in range(3000):
        page.append([place / 1000, place / 7])
    planted = {
        "B10": (True, "boolean-as-number"),
        "B11": ("1,5", "number-as-text"),
        "B12": ("#DIV/0!", "error-value"),
        "B13": ("=A1&RAND()", "formula-without-value"),
        "B14": (datetime(2024, 5, 1), "date-as-number"),  # noqa: DTZ001
        "B15": (None, "missing-value"),
        "A2003": (0.5, "not-increasing"),
    }
    for place, (value, _) in planted.items():
        page[place] = value
    page.merge_cells("B2999:C3000")
    page["C2000"] = "a remark"
    path = saved(book, tmp_path)
    found = problems(path)
    codes = {place: code for place, (_, code) in planted.items()} | {"B2999": "merged-cell", "B3000": "merged-cell"}
    assert {cell.removeprefix("Guiding!"): code for code, cell in found} == codes
    monkeypatch.setattr(sheet_reader, "SMALL_SHEET", 1 << 30)
    assert problems(path) == found


# --- numbers as arrays -----------------------------------------------------------------------------------------------

PLACES = st.dictionaries(st.tuples(st.integers(1, 9) | st.just(1_048_576), st.integers(1, 5) | st.just(16_384)), FLOATS)


def numbers_of(values: dict[tuple[int, int], float]) -> Numbers:
    return NO_NUMBERS.with_others([(*place, value) for place, value in values.items()])


@given(PLACES, PLACES)
def test_numbers_as_arrays_become_cells_at_their_addresses(first, second):
    second = {place: value for place, value in second.items() if place not in first}
    numbers = numbers_of(first).with_others([(*place, value) for place, value in second.items()])
    rows = SheetRows(numbers, {4: {3: Cell(4, 3, CellKind.TEXT, "here")}} if (4, 3) not in first | second else {})
    expected = {place: Cell(*place, NUMBER, value) for place, value in (first | second).items()}
    expected |= {(4, 3): rows.others[4][3]} if rows.others else {}
    found = {(row, column): cell for row, line in rows.items() for column, cell in line.items()}
    assert list(found.items()) == sorted(expected.items())
    assert {place: rows.cell(*place) for place in [*expected, (12, 1), (3, 7)]} == expected | {
        (12, 1): None,
        (3, 7): None,
    }
    assert len(rows) == len({row for row, _ in expected})


@given(PLACES, st.lists(st.integers(1, 12), unique=True).map(sorted), st.lists(st.integers(1, 7), unique=True))
def test_a_table_of_numbers_has_holes_where_none_stand(values, rows, columns):
    table = numbers_of(values).table(rows, columns)
    expected = [[values.get((row, column), math.nan) for row in rows] for column in columns]
    assert np.array_equal(table, np.array(expected).reshape(table.shape), equal_nan=True)


@given(PLACES, st.integers(0, 10), st.lists(st.integers(1, 7)))
def test_the_rows_of_columns_are_found(values, after, columns):
    numbers = numbers_of(values)
    below = sorted((column, row) for row, column in values if row > after)
    assert numbers.first_rows(after) == dict(reversed(below))
    assert numbers.rows_with(columns) == sorted({row for row, column in values if column in columns})


@given(PLACES, st.lists(st.tuples(st.integers(1, 9), st.integers(1, 5))), st.booleans())
def test_an_address_that_is_taken_twice_is_found(values, others, repeat):
    again = list(values)[:1] if repeat else []
    numbers = numbers_of(values).with_others([(*place, 0.0) for place in again])
    assert numbers.doubles(others) == again + [place for place in others if place in values]
