"""Whatever a workbook holds, it holds after two runs, bit by bit, beside the result sheets."""

from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import openpyxl
import openpyxl.chart
import openpyxl.comments
import openpyxl.workbook.defined_name
import pytest
import python_calamine
import xlsxwriter
from lxml import etree

from sheetmbs.workbook.write import write_results
from tests.sample_results import (
    FIVE,
    PROBLEM,
    convert,
    needs_libreoffice,
    packed_parts,
    read_parts,
    sheet_names,
    slider_crank,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")  # what openpyxl does not know

WILD = sorted((Path(__file__).parents[1] / ".." / "shared" / "wild").glob("*.xls?"))
OURS = ["mbs Summary", "mbs Bodies", "mbs Joints", "mbs Drivers", "mbs Springs", "mbs Charts", "mbs Problems"]


def picture() -> BytesIO:
    """A PNG of 2 x 2 grey pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00\x40\x80\x00\x80\x40")
    return BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def feature_book(path: Path) -> None:
    """Nearly everything that XlsxWriter can put into a workbook."""
    book = xlsxwriter.Workbook(path)
    if path.suffix == ".xlsm":
        book.add_vba_project(BytesIO(b"a macro project is not looked into"), is_stream=True)
    model, data, notes = (book.add_worksheet(name) for name in ("Model", "My data", "Notes & 'quotes' too"))
    model.write_row("A1", ["name", "mass"])
    model.write_row("A2", ["crank", 1.5])
    model.write_formula("C2", "=B2*2", None, 3.0)
    model.write_formula("C3", '=A2&"!"', None, "crank!")
    model.data_validation("D2", {"validate": "list", "source": "='My data'!$A$1:$A$3"})
    model.conditional_format("B2:B9", {"type": "data_bar", "data_bar_2010": True})
    model.conditional_format(
        "B2:B9", {"type": "cell", "criteria": ">", "value": 1, "format": book.add_format({"bold": 1})}
    )
    model.insert_image("F2", "dot.png", {"image_data": picture()})
    model.insert_textbox("F8", "A text box")
    model.write_comment("A2", "A comment")
    model.write_url("A5", "https://example.org/", string="a link")
    model.write_url("A6", "internal:'My data'!A1", string="an inner link")
    if path.suffix == ".xlsm":
        model.insert_button("F14", {"caption": "Run"})
    data.write_column("A1", [3, 1, 2])
    data.add_sparkline("C1", {"range": "'My data'!A1:A3"})
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "='My data'!$A$1:$A$3"})
    data.insert_chart("E2", chart)
    data.add_table("A10:B12", {"columns": [{"header": "one"}, {"header": "two"}]})
    data.freeze_panes(1, 0)
    notes.print_area("A1:C9")
    notes.autofilter("A1:B3")
    notes.protect("secret")
    notes.set_header("&L&G", {"image_left": "dot.png", "image_data_left": picture()})
    book.define_name("whole", "='My data'!$A$1:$A$3")
    book.define_name("'My data'!local", "='My data'!$A$2")
    sheet = book.add_chartsheet("A chart sheet")
    other = book.add_chart({"type": "scatter"})
    other.add_series({"categories": "='My data'!$A$1:$A$3", "values": "='My data'!$A$1:$A$3"})
    sheet.set_chart(other)
    data.activate()
    book.set_custom_property("checked by", "the user")
    book.close()


def macro_book(path: Path) -> None:
    feature_book(path)


def openpyxl_book(path: Path) -> None:
    """A workbook as openpyxl writes it: relationships with absolute targets, no list of sheets in its properties."""
    book = openpyxl.Workbook()
    model = book.active
    model.title = "Model"
    model.append(["name", "mass"])
    model.append(["crank", 1.5])
    model["A2"].comment = openpyxl.comments.Comment("A comment", "A user")
    other = book.create_sheet("Other")
    other.append([1, 2])
    other.print_area = "A1:B2"
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(other, min_col=1, min_row=1, max_col=2))
    other.add_chart(chart, "D2")
    other.defined_names["local"] = openpyxl.workbook.defined_name.DefinedName("local", attr_text="Other!$A$1")
    book.active = 1
    book.save(path)


def streamed_book(path: Path) -> None:
    """A workbook whose archive gives sizes after the data, as programs do that write to a pipe; with custom XML."""
    feature_book(path)
    parts = read_parts(path)
    parts["customXml/item1.xml"] = b"<of-the-user xmlns='urn:user'>&#228;</of-the-user>"
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml"
    arrow = b'<Relationship Id="rId99" Type="' + kind + b'" Target="../customXml/item1.xml"/></Relationships>'
    name = "xl/_rels/workbook.xml.rels"
    parts[name] = parts[name].replace(b"</Relationships>", arrow)

    class Pipe(BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    path.write_bytes(pipe.getvalue())
    with zipfile.ZipFile(path) as archive:
        assert all(entry.flag_bits & 8 for entry in archive.infolist())


MADE = {
    "features.xlsx": feature_book,
    "macros.xlsm": macro_book,
    "openpyxl.xlsx": openpyxl_book,
    "streamed.xlsx": streamed_book,
}


@pytest.fixture(params=[*MADE, *(path.name for path in WILD)])
def book(request, tmp_path):
    """A workbook that sheetmbs has not seen yet."""
    path = tmp_path / request.param
    if request.param in MADE:
        MADE[request.param](path)
    else:
        [wild] = [wild for wild in WILD if wild.name == request.param]
        shutil.copyfile(wild, path)
    return path


def assert_kept(before: Path, after: Path) -> None:
    """Every part of the first workbook stands in the second as it was packed, but the five that list the others."""
    packed, now = packed_parts(before), packed_parts(after)
    assert {name for name in packed if now.get(name) != packed[name]} <= FIVE


def test_two_runs_keep_every_part_as_it_was_packed_and_the_second_changes_nothing(book, tmp_path):
    original = tmp_path / f"original{book.suffix}"
    shutil.copyfile(book, original)
    names = sheet_names(book)
    results = slider_crank(problems=(PROBLEM,))
    assert write_results(book, None, results) == book
    first = book.read_bytes()
    assert_kept(original, book)
    assert sheet_names(book) == names + OURS
    write_results(book, None, results)
    assert book.read_bytes() == first


def test_the_comment_of_the_archive_stays(tmp_path):
    path = tmp_path / "book.xlsx"
    feature_book(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"of the user"
    write_results(path, None, slider_crank())
    with zipfile.ZipFile(path) as archive:
        assert archive.comment == b"of the user"


def test_the_archive_can_be_read_from_front_to_back(tmp_path):
    path = tmp_path / "book.xlsx"
    streamed_book(path)
    write_results(path, None, slider_crank())
    content = path.read_bytes()
    at, found = 0, []
    while content[at : at + 4] == b"PK\x03\x04":
        flags, packed, name, extra = (
            int.from_bytes(content[at + first : at + last], "little")
            for first, last in ((6, 8), (18, 22), (26, 28), (28, 30))
        )
        assert not flags & 8
        found.append(content[at + 30 : at + 30 + name].decode())
        at += 30 + name + extra + packed
    assert content[at : at + 4] == b"PK\x01\x02"
    assert found == list(read_parts(path))


def test_the_list_of_parts_keeps_every_entry_it_had(book):
    before = read_parts(book)
    write_results(book, None, slider_crank())
    after = read_parts(book)
    for part in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        old, new = (
            {tuple(sorted(entry.attrib.items())) for entry in etree.fromstring(parts[part])}
            for parts in (before, after)
        )
        assert old <= new
    types = {entry.get("PartName") for entry in etree.fromstring(after["[Content_Types].xml"])}
    added = {f"/{name}" for name in after.keys() - before.keys() if not name.endswith(".rels")}
    assert added <= types


def test_other_programs_read_the_numbers_and_the_users_cells(book):
    cells = {}
    for name in (names := sheet_names(book)):
        if name != "A chart sheet":
            cells[name] = python_calamine.CalamineWorkbook.from_path(book).get_sheet_by_name(name).to_python()
    results = slider_crank()
    write_results(book, None, results)
    calamine = python_calamine.CalamineWorkbook.from_path(book)
    assert calamine.sheet_names[: len(names)] == names
    for name, rows in cells.items():
        assert calamine.get_sheet_by_name(name).to_python() == rows
    loaded = openpyxl.load_workbook(book, keep_vba=book.suffix == ".xlsm")
    for table in results.tables:
        header, units, *rows = loaded[table.name].iter_rows(values_only=True)
        assert header == table.columns
        assert tuple(unit or "" for unit in units) == table.units
        assert [list(row) for row in rows] == table.values.tolist()


def test_the_sheet_that_was_active_stays_active(book):
    before = openpyxl.load_workbook(book).active.title
    write_results(book, None, slider_crank())
    assert openpyxl.load_workbook(book).active.title == before


def test_local_names_stay_with_their_sheets_when_result_sheets_come_and_go(book):
    def local_names() -> set[tuple[str, str]]:
        loaded = openpyxl.load_workbook(book)
        return {(sheet.title, name) for sheet in loaded.worksheets for name in sheet.defined_names}

    before = local_names()
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    assert local_names() == before
    write_results(book, None, slider_crank(springs=False))
    assert local_names() == before


def test_cached_values_of_formulas_stay(tmp_path):
    path = tmp_path / "book.xlsx"
    feature_book(path)
    write_results(path, None, slider_crank())
    model = openpyxl.load_workbook(path, data_only=True)["Model"]
    assert (model["C2"].value, model["C3"].value) == (3, "crank!")


def test_a_copy_leaves_the_workbook_alone_and_equals_it_but_for_its_mark(book, tmp_path):
    before = book.read_bytes()
    copy = tmp_path / f"copy{book.suffix}"
    assert write_results(book, copy, slider_crank()) == copy
    assert book.read_bytes() == before
    assert_kept(book, copy)
    write_results(book, None, slider_crank())
    here, there = read_parts(book), read_parts(copy)
    assert {name for name in here if here[name] != there[name]} == {"xl/workbook.xml"}


@needs_libreoffice
def test_libreoffice_opens_it_and_what_it_saves_is_known_as_ours(book, tmp_path):
    names = sheet_names(book)
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    saved = convert(book, book.suffix[1:], tmp_path / "saved")
    assert sheet_names(saved) == names + OURS
    user_parts = read_parts(saved)
    write_results(saved, None, slider_crank(rows=7, springs=False))
    assert sheet_names(saved) == [*names, *(name for name in OURS if name not in ("mbs Springs", "mbs Problems"))]
    rows = python_calamine.CalamineWorkbook.from_path(saved).get_sheet_by_name("mbs Bodies").to_python()
    assert len(rows) == 2 + 7
    charts = [name for name in read_parts(saved) if name.startswith("xl/charts/chart")]
    users_charts = [name for name in read_parts(book) if name.startswith("xl/charts/chart")]
    assert len(charts) == len(users_charts) - 1, "the charts of the earlier run are gone"
    first_sheets = [name for name in user_parts if name.endswith("sheet1.xml")]
    assert [read_parts(saved)[name] for name in first_sheets] == [user_parts[name] for name in first_sheets]
