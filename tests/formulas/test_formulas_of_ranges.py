"""Functions of one value that are given a range have no value here, for the library computes them of its first cell."""

from __future__ import annotations

import math

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from tests.support.formula_books import at, formulas_of, save

CELLS = {"A1": "abc", "A2": "b", "A3": "xbyz", "C1": -1.0, "C2": 2.0, "C3": -3.0}


REFUSED = [
    "LEN(A1:A3)",
    "ABS(C1:C3)",
    "LEN(SUBSTITUTE(A1:A3,1,2))",
    "LEN(IF(C1:C3>0,A1:A3))",
    'EXACT(A1:A3,"b")',
    "ROW(A1:A3)",
    "SUMIF(C1:C3,C1:C3)",
    "COUNTIFS(C1:C3,2,A1:A3,A1:A3)",
    'LEN({"a","bc"})',
    "LEN(TRANSPOSE(A1:A3))",
    "LEN(OFFSET(A1,0,0,3,1))",
    "NORMSDIST(C1:C3)",
    "PERCENTILE(C1:C3,{0.5,1})",
    "SWITCH(C1:C3,-1,10,2,20,30)",
    "LEN(INDEX(A1:A3,0))",
    "_xlfn.LET(_xlpm.x,{1,22},SUM(LEN(_xlpm.x)))",
    "_xlfn.LET(_xlpm.x,A1:A3,SUM(LEN(_xlpm.x)))",
]


@pytest.mark.parametrize("inner", REFUSED)
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


@pytest.mark.parametrize(  # by hand; LibreOffice gives the same for the sums of products, SIN and ATAN2
    ("formula", "expected"),
    [
        ("=SUMPRODUCT(IF(C1:C3>0,C1:C3,0))", 2.0),
        ("=SUMPRODUCT(SIN(C1:C3))", math.sin(-1.0) + math.sin(2.0) + math.sin(-3.0)),
        ("=SUMPRODUCT(ATAN2(C1:C3,C1:C3))", math.pi * (-0.75 + 0.25 - 0.75)),
        ("=SUMIF(C1:C3,2,C1:C3)", 2.0),
        ('=SUMIF(C1:C3,">-2")', 1.0),
        ('=COUNTIFS(C1:C3,2,A1:A3,"b")', 1.0),
        ("=ROW(A3)", 3.0),
        ("=SUMPRODUCT(LEN(INDEX(A1:A3,3)))", 4.0),
        ("=_xlfn.LET(_xlpm.x,SUM(C1:C3),ABS(_xlpm.x))", 2.0),
        ("=LARGE(C1:C3,2)", -1.0),
        ("=VLOOKUP(2,C1:C3,1,FALSE)", 2.0),
        ("=IF(AND(C1>0,MAX(C1:C3)>0),1,ROUND(AVERAGE(C1:C3),3))", -0.667),
        ("=ROWS(A1:A3)", 3.0),
        ("=INDEX(C1:C3,MATCH(2,C1:C3,0))", 2.0),
        ("=SUMPRODUCT((C1:C3>0)*C1:C3)", 2.0),
        ("=ABS(SUM(C1:C3))", 2.0),
        ("=LEN(INDEX(A1:A3,3))", 4.0),
    ],
)
def test_what_reduces_a_range_before_a_function_of_one_value_is_computed(tmp_path, formula, expected):
    formulas = formulas_of(save(tmp_path / "book.xlsx", {"A": CELLS | {"Z9": (formula, None)}}))
    assert formulas.check([at("A!Z9")]) == []
    assert formulas.values([at("A!Z9")]) == [pytest.approx(expected, rel=1e-15)]
