"""A model means the same whichever program has saved its workbook, and results go into all of them alike."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest
import python_calamine

from sheetmbs.model.model import Model
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.package.package import Package, check_package
from sheetmbs.workbook.reading.read_workbook import read_model
from sheetmbs.workbook.writing.write import check_writable, write_results
from tests.support.programs import PROGRAMS, contents
from tests.support.sample_results import PROBLEM, convert, convert_all, needs_libreoffice, packed_parts, slider_crank

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
ORIGINALS = ("half-hat-leg", "car")
"""Measured motion in the plane; bodies in space, with cases"""
ROUNDING = {"openpyxl": 1e-14, "openpyxl-streaming": 1e-14, "libreoffice": 1e-13}
"""Those that write 15 or 16 digits; differences of coordinates show it"""
NOT_OF_THE_MODEL = ("source", "source_bytes")


def assert_same(one: object, other: object, where: str = "model", *, within: float = 0.0) -> None:
    """The same values throughout. within: relative difference allowed between two numbers."""
    assert type(one) is type(other), where
    if is_dataclass(one):
        for field in fields(one):
            if field.name not in NOT_OF_THE_MODEL:
                name = f"{where}.{field.name}"
                assert_same(getattr(one, field.name), getattr(other, field.name), name, within=within)
    elif isinstance(one, (tuple, list)):
        assert len(one) == len(other), where
        for place, pair in enumerate(zip(one, other, strict=True)):
            assert_same(*pair, f"{where}[{place}]", within=within)
    elif isinstance(one, dict):
        assert list(one) == list(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}[{key}]", within=within)
    elif isinstance(one, (np.ndarray, float)):
        np.testing.assert_allclose(one, other, rtol=within, atol=within * 1e-3, err_msg=where)
    else:
        assert one == other, where


@pytest.fixture(scope="module", params=ORIGINALS)
def original(request) -> tuple[Path, Model]:
    path = WORKBOOKS / f"{request.param}.xlsx"
    return path, read_model(path)


@pytest.fixture(params=PROGRAMS)
def book(request, original, tmp_path) -> Path:
    """The original as another program has saved it."""
    path = tmp_path / f"{request.param}.xlsx"
    PROGRAMS[request.param](path, contents(original[0]))
    check_package(path)
    return path


def test_the_model_is_the_same_whichever_program_saved_it(book, original):
    assert_same(read_model(book), original[1], within=ROUNDING.get(book.stem, 0.0))


def listing_parts(path: Path) -> set[str]:
    """The parts that list others, which alone may change."""
    package = Package(path)
    folder, _, name = package.workbook.rpartition("/")
    found = {package.find(f"{folder}/_rels/{name}.rels".lstrip("/")), package.related(package.workbook, "styles")}
    found.add(package.related("", "extended-properties"))
    return {"[Content_Types].xml", package.workbook, *(part for part in found if part)}


def test_results_go_into_it_twice_and_no_other_part_changes(book):
    before, names, listing = packed_parts(book), sheet_names_of(book), listing_parts(book)
    assert check_writable(book, None) is None
    results = slider_crank(problems=(PROBLEM,))
    write_results(book, None, results)
    once = book.read_bytes()
    now = packed_parts(book)
    assert {part for part in before if now.get(part) != before[part]} <= listing
    assert [name for name in sheet_names_of(book) if not name.startswith("mbs ")] == names
    write_results(book, None, results)
    assert book.read_bytes() == once
    sheets = open_book(book).sheets
    for table in results.tables:
        rows = list(sheets[table.name].rows.values())[2:]
        assert [[cell.value for cell in row.values()] for row in rows] == table.values.tolist()


def sheet_names_of(path: Path) -> list[str]:
    return [sheet.name for sheet in Package(path).sheets]


@needs_libreoffice
def test_the_model_is_the_same_when_libreoffice_has_saved_it(original, tmp_path):
    saved = convert(original[0], "xlsx:Calc MS Excel 2007 XML", tmp_path / "saved")
    assert_same(read_model(saved), original[1], within=ROUNDING["libreoffice"])
    before, listing = packed_parts(saved), listing_parts(saved)
    write_results(saved, None, slider_crank())
    now = packed_parts(saved)
    assert {part for part in before if now.get(part) != before[part]} <= listing
    assert_same(read_model(saved), original[1], within=ROUNDING["libreoffice"])


@needs_libreoffice
def test_libreoffice_opens_all_of_them_with_results(tmp_path):
    cells = contents(WORKBOOKS / "half-hat-leg.xlsx")
    books = [tmp_path / f"{name}.xlsx" for name in PROGRAMS]
    for book in books:
        PROGRAMS[book.stem](book, cells)
        write_results(book, None, slider_crank())
    for book, saved in zip(books, convert_all(books, "ods", tmp_path / "saved"), strict=True):
        assert python_calamine.CalamineWorkbook.from_path(saved).sheet_names == sheet_names_of(book)
