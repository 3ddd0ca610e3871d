"""Functions of one value that are given a range have no value here, for the library computes them of its first cell."""

from __future__ import annotations

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from tests.support.formula_books import at, formulas_of, save

CELLS = {"A1": "abc", "A2": "b", "A3": "xbyz", "C1": -1.0, "C2": 2.0, "C3": -3.0}


@pytest.mark.parametrize("inner", ["LEN(A1:A3)", "ABS(C1:C3)", "LEN(SUBSTITUTE(A1:A3,1,2))", "LEN(IF(C1:C3>0,A1:A3))"])
@pytest.mark.parametrize("is_array", [False, True])
def test_a_function_of_one_value_refuses_a_range_without_a_value_in_the_file(tmp_path, inner, is_array):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "A"
    for cell, value in CELLS.items():
        sheet[cell] = value
    sheet["Z9"] = ArrayFormula("Z9", f"=SUM({inner})") if is_array else f"=SUMPRODUCT({inner})"
    book.save(tmp_path / "book.xlsx")
    (fault,) = formulas_of(tmp_path / "book.xlsx").check([at("A!Z9")])
    assert (fault.cell, fault.code) == ("A!Z9", "formula-unsupported")
    assert "of a range" in fault.found


@pytest.mark.parametrize(  # values that LibreOffice gives
    ("formula", "expected"),
    [
        ("=SUMPRODUCT(IF(C1:C3>0,C1:C3,0))", 2.0),
        ("=SUMPRODUCT((C1:C3>0)*C1:C3)", 2.0),
        ("=ABS(SUM(C1:C3))", 2.0),
        ("=LEN(INDEX(A1:A3,3))", 4.0),
    ],
)
def test_what_reduces_a_range_before_a_function_of_one_value_is_computed(tmp_path, formula, expected):
    formulas = formulas_of(save(tmp_path / "book.xlsx", {"A": CELLS | {"Z9": (formula, None)}}))
    assert formulas.check([at("A!Z9")]) == []
    assert formulas.values([at("A!Z9")]) == [expected]
