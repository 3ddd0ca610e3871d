"""Whatever a workbook holds, it holds after two runs, bit by bit, beside the result sheets."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

import openpyxl
import pytest
import python_calamine
from lxml import etree

from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.reading.read_workbook import read_model
from sheetmbs.workbook.writing.write import write_results
from tests.support.living_books import BOOKS, WILD, feature_book, make
from tests.support.sample_results import (
    FIVE,
    MAIN,
    PROBLEM,
    convert_all,
    needs_libreoffice,
    packed_parts,
    read_parts,
    sheet_names,
    slider_crank,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")  # what openpyxl does not know

OURS = ["mbs Summary", "mbs Charts", "mbs Bodies", "mbs Joints", "mbs Drivers", "mbs Springs", "mbs Problems"]

TO_LOOK_AT = [name for name in BOOKS if name not in ("macros.xlsm", "streamed.xlsx")]
"""for LibreOffice, which takes a second for each; the others show nothing that these do not"""


@pytest.fixture(params=BOOKS)
def book(request, tmp_path):
    """A workbook that sheetmbs has not seen yet."""
    return make(request.param, tmp_path)


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
    path = make("streamed.xlsx", tmp_path)
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


def test_the_part_that_lists_the_sheets_keeps_everything_else_it_held(book):
    before = etree.fromstring(read_parts(book)["xl/workbook.xml"])
    write_results(book, None, slider_crank())
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    after = etree.fromstring(read_parts(book)["xl/workbook.xml"])
    for added in [*after.iter(f"{MAIN}sheet"), *after.iter(f"{MAIN}definedName")]:
        if added.get("name").startswith(("mbs ", "_sheetmbs.")) or (added.text or "").startswith("'mbs "):
            added.getparent().remove(added)
    names = after.find(f"{MAIN}definedNames")
    if before.find(f"{MAIN}definedNames") is None and names is not None and not len(names):
        after.remove(names)
    assert etree.tostring(after, method="c14n") == etree.tostring(before, method="c14n")


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
    if loaded.vba_archive:
        loaded.vba_archive.close()


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


def test_the_model_is_found_among_everything_else(book):
    assert [joint.name for joint in read_model(book).joints] == ["pin"]
    write_results(book, None, slider_crank())
    assert [joint.name for joint in read_model(book).joints] == ["pin"]


def test_signatures_of_macros_stay_with_them(tmp_path):
    book = make("signed-macros.xlsm", tmp_path)
    write_results(book, None, slider_crank())
    parts, package = read_parts(book), Package(book)
    project = package.related(package.workbook, "vbaProject")
    signatures = [arrow.target for arrow in package.relationships(project).values()]
    assert len(signatures) == 3
    assert all(parts[name].startswith(b"signed ") for name in signatures)
    assert package.content_type(project) == "application/vnd.ms-office.vbaProject"
    assert package.content_type(package.workbook).endswith("macroEnabled.main+xml")


@pytest.mark.skipif(not WILD, reason="the collection of real workbooks is not here")
def test_all_kinds_of_things_that_people_keep_in_workbooks_are_among_these(tmp_path):
    held = set()
    for name in BOOKS:
        package = Package(make(name, tmp_path))
        held |= {arrow.kind for part in ("", *package.names) for arrow in package.relationships(part).values()}
    assert held >= {
        *("image", "chart", "chartsheet", "table", "drawing", "vmlDrawing", "comments", "threadedComment", "person"),
        *("pivotTable", "pivotCacheRecords", "slicer", "slicerCache", "diagramData", "ctrlProp", "control"),
        *("externalLink", "connections", "sheetMetadata", "printerSettings", "vbaProject", "vbaProjectSignatureV3"),
        *("calcChain", "customXml", "classificationlabels", "extensibility", "powerPivotData", "webextensiontaskpanes"),
    }


@needs_libreoffice
def test_libreoffice_opens_them_and_what_it_saves_is_known_as_ours(tmp_path):
    books = [make(name, tmp_path) for name in TO_LOOK_AT]
    names = {book: sheet_names(book) for book in books}
    for book in books:
        write_results(book, None, slider_crank(problems=(PROBLEM,)))
    for kind in ("xlsx", "xlsm"):
        of_kind = [book for book in books if book.suffix == f".{kind}"]
        for book, saved in zip(of_kind, convert_all(of_kind, kind, tmp_path / "saved"), strict=True):
            assert sheet_names(saved) == names[book] + OURS
            assert_results_are_replaced(saved, book, names[book])


def assert_results_are_replaced(saved: Path, book: Path, names: list[str]) -> None:
    """A second run knows the sheets of the first one after another program has saved them."""
    before, charts_before = read_parts(saved), charts_in(book)
    write_results(saved, None, slider_crank(rows=7, springs=False))
    assert sheet_names(saved) == [*names, *(name for name in OURS if name not in ("mbs Springs", "mbs Problems"))]
    rows = python_calamine.CalamineWorkbook.from_path(saved).get_sheet_by_name("mbs Bodies").to_python()
    assert len(rows) == 2 + 7
    assert charts_in(saved) == charts_before - 1, "the charts of the earlier run are gone"
    first = [name for name in before if name.endswith("sheet1.xml")]
    assert [read_parts(saved)[name] for name in first] == [before[name] for name in first]


def charts_in(path: Path) -> int:
    return len([name for name in read_parts(path) if name.startswith("xl/charts/chart")])


@pytest.mark.nightly
@needs_libreoffice
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm draws the pages")
def test_the_users_pages_look_the_same_to_the_last_dot(tmp_path):
    folders = tmp_path / "before", tmp_path / "after"
    for folder in folders:
        folder.mkdir()
    before, after = ([make(name, folder) for name in TO_LOOK_AT] for folder in folders)
    for book in after:
        write_results(book, None, slider_crank(problems=(PROBLEM,)))
        write_results(book, None, slider_crank(rows=9))
    drawn = [[drawn_pages(pdf) for pdf in convert_all(books, "pdf", tmp_path / "pdf")] for books in (before, after)]
    changed = [
        name for name, pages, now in zip(TO_LOOK_AT, *drawn, strict=True) if not pages or not now.startswith(pages)
    ]
    assert changed == []
    assert all(len(now) > len(pages) for pages, now in zip(*drawn, strict=True))


def drawn_pages(pdf: Path) -> bytes:
    """All pages one after the other, in grey dots."""
    return subprocess.run(["pdftoppm", "-r", "60", "-gray", pdf], check=True, capture_output=True).stdout
