"""No file takes the place of a workbook unless it was read back and is sound: every fault that can be thought of is noticed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import xlsxwriter

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.charts import chartsheet
from sheetmbs.workbook.package import destination, parts
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.sheets.newsheet import Drawing
from sheetmbs.workbook.writing import merge
from sheetmbs.workbook.writing.write import check_writable, write_results
from tests.support.sample_results import change_part, slider_crank


@pytest.fixture
def book(tmp_path, monkeypatch):
    """A workbook with results of an earlier run, in a folder that is the only place for results."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("Model").write("A1", "of the user")
        made.add_worksheet("More").insert_textbox("B2", "a shape")
    write_results(path, None, slider_crank(5))
    monkeypatch.setattr(destination, "_folders", lambda place: [place.parent])
    return path


def assert_noticed(book: Path) -> str:
    """The write ends with one problem, and the folder is as it was. Returns what was found."""
    before = {path.name: path.read_bytes() for path in book.parent.iterdir()}
    with pytest.raises(WorkbookError) as caught:
        write_results(book, None, slider_crank(9))
    assert {path.name: path.read_bytes() for path in book.parent.iterdir()} == before
    [problem] = caught.value.problems
    assert problem.code == "not-written"
    assert ".sheetmbs-" not in problem.found
    return problem.found


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_disk_that_keeps_only_a_part_of_the_file_is_noticed(book, monkeypatch, share):
    monkeypatch.setattr(os, "fsync", lambda handle: os.ftruncate(handle, int(share * os.fstat(handle).st_size)))
    assert_noticed(book)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7])
def test_a_disk_that_keeps_something_else_is_noticed(book, monkeypatch, share):
    def spoil(handle: int) -> None:
        os.lseek(handle, int(share * os.fstat(handle).st_size), os.SEEK_SET)
        os.write(handle, bytes(64))

    monkeypatch.setattr(os, "fsync", spoil)
    assert_noticed(book)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/drawings/drawing1.xml", "xl/theme/theme1.xml"])
def test_a_part_of_the_users_that_is_lost_is_noticed_and_named(book, monkeypatch, part):
    take = ZipCopy.take
    monkeypatch.setattr(ZipCopy, "take", lambda *a: None if a[2].filename == part else take(*a))
    assert part in assert_noticed(book)


def test_a_part_of_the_users_that_another_one_takes_the_place_of_is_noticed_and_named(book, monkeypatch):
    take = ZipCopy.take

    def swap(self, content, entry):
        if entry.filename == "xl/worksheets/sheet1.xml":
            self.writestr(entry.filename, b"<worksheet/>")
        else:
            take(self, content, entry)

    monkeypatch.setattr(ZipCopy, "take", swap)
    assert "xl/worksheets/sheet1.xml" in assert_noticed(book)


def test_a_sheet_of_the_users_that_is_no_longer_listed_is_noticed(book, monkeypatch):
    def drop_first(root, _names):
        listing = root.find(f"{{{MAIN}}}sheets")
        listing.remove(listing[0])

    monkeypatch.setattr(parts, "drop_sheets", drop_first)
    assert "Model" not in assert_noticed(book)


def test_a_sheet_whose_type_is_not_declared_is_noticed_and_named(book, monkeypatch):
    declare = parts.set_content_types
    monkeypatch.setattr(
        parts, "set_content_types", lambda types, dropped, added: declare(types, [*dropped, *added], {})
    )
    assert re.search(r"does not say what xl/(worksheets/sheet|charts/chart)\d+.xml is", assert_noticed(book))


def test_an_arrow_that_leads_nowhere_is_noticed_and_named(book, monkeypatch):
    lead = merge._from
    monkeypatch.setattr(merge, "_from", lambda part, target: f"{lead(part, target)}x")
    assert ".xmlx" in assert_noticed(book)


def test_xml_that_is_cut_off_is_noticed_and_named(book, monkeypatch):
    whole = parts.serialised
    monkeypatch.setattr(parts, "serialised", lambda root: whole(root)[:-9])
    assert_noticed(book)


def test_a_drawing_that_is_cut_off_is_noticed_and_named(book, monkeypatch):
    monkeypatch.setattr(chartsheet, "Drawing", lambda xml, *others, **more: Drawing(xml[:-9], *others, **more))
    assert "drawing" in assert_noticed(book)


def test_arrows_of_the_users_that_lead_nowhere_are_left_alone(book):
    change_part(
        book,
        "xl/_rels/workbook.xml.rels",
        "</Relationships>",
        '<Relationship Id="rId99" Type="urn:of-the-user" Target="nowhere.xml"/></Relationships>',
    )
    assert check_writable(book, None) is None
    assert write_results(book, None, slider_crank()) == book
