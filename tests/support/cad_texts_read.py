"""The arm that all layouts of mass properties show."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.cad_body import body_of
from sheetmbs.schema.cad_text import read_text
from tests.support.spatial_books import space_book

TEXTS = Path(__file__).parents[2] / "workbooks" / "cad_texts.py"
spec = importlib.util.spec_from_file_location("cad_texts", TEXTS)
cad = importlib.util.module_from_spec(spec)
sys.modules["cad_texts"] = cad
spec.loader.exec_module(cad)

ARM = cad.made_of(
    [(0.8, (30.0, -12.0, 5.0)), (0.5, (-40.0, 55.0, 21.0)), (0.7, (12.0, 33.0, -60.0)), (0.4, (75.0, 8.0, 44.0))]
)
NEAR = {"rtol": 0.0, "atol": 1e-8}
LAYOUTS = {
    **{
        f"SolidWorks, {unit}, {notation or 'no'} note": cad.solidworks("arm", ARM, unit, decimals, notation)
        for unit, decimals in (("grams", 2), ("kilograms", 8), ("pounds", 6))
        for notation in ("positive", "negative", "")
    },
    **{
        f"Fusion, {unit}{' in tabs' if equals != ' = ' else ''}": cad.fusion("arm v7", ARM, unit, decimals, equals)
        for unit, decimals in (("g", 3), ("kg", 9), ("lbmass", 7))
        for equals in (" = ", "\t")
    },
}


def parsed(lines, *, planar=False):
    return body_of(read_text(lines), planar=planar)


def book_of(path, rows, bodies=None, settings=None):
    """A workbook whose sheet Mass properties has these rows of cells."""
    space_book(path, settings, Bodies=bodies or [{"name": "arm", "mass": None}])
    book = openpyxl.load_workbook(path)
    sheet = book.create_sheet("Mass properties")
    for row, cells in enumerate(rows, start=1):
        for column, cell in enumerate(cells, start=1):
            if cell not in ("", None):
                sheet.cell(row, column, cell)
    book.save(path)
    return path


def read(tmp_path, lines, bodies=None, settings=None, name="arm"):
    return sheetmbs.read(book_of(tmp_path / "b.xlsx", [[name], *([line] for line in lines)], bodies, settings))


def problems(tmp_path, rows, bodies=None, settings=None):
    path = book_of(tmp_path / "b.xlsx", rows, bodies, settings)
    try:
        found = sheetmbs.read(path).warnings
    except WorkbookError as error:
        found = error.problems
    return [(each.code, each.cell, each.severity) for each in found]


def is_arm(body, scale=1.0):
    assert body.mass == pytest.approx(ARM.mass, abs=5e-6 * scale)
    np.testing.assert_allclose(body.position, ARM.centre, rtol=0, atol=6e-6)
    np.testing.assert_allclose(body.inertia, ARM.at_centre, **NEAR)
