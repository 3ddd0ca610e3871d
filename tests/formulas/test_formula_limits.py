"""Formulas that would take all memory or run without end are refused at their cell, and texts are as long as in Excel."""

from __future__ import annotations

import sys

import formualizer
import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.formulas import formula_library
from sheetmbs.formulas.cell_contents import ErrorValue
from sheetmbs.formulas.engine_functions import register_functions
from sheetmbs.workbook.cells.set_cells import move_cells
from tests.support.example_books import ROOT
from tests.support.formula_books import at, formulas_of, save

VALUE = ErrorValue("#VALUE!")
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


def value_of(path, formula, cells=(), names=None):
    save(path, {"A": dict(cells) | {"Z9": (formula, None)}}, names)
    (value,) = formulas_of(path).values([at("A!Z9")])
    return value


def faults(path, *addresses):
    return [(each.cell, each.code, each.found) for each in formulas_of(path).check([at(each) for each in addresses])]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ('=LEN(REPT("a",32767))', 32767.0),
        ('=LEN(REPT("a",32768))', VALUE),
        ('=LEN(REPT("ab",1E9))', VALUE),
        ('=LEN(SUBSTITUTE(REPT("a",32000),"a",REPT("b",32000)))', VALUE),
        ('=LEN(SUBSTITUTE(REPT("a",16383),"a","bb"))', 32766.0),
        ('=LEN(SUBSTITUTE(REPT("a",32000),"a",REPT("b",700),3))', 32699.0),
        ('=LEN(SUBSTITUTE(REPT("a",32000),"a",REPT("b",900),3))', VALUE),
        ('=LEN(REPT("a",20000)&REPT("b",12767))', 32767.0),
        ('=LEN(REPT("a",20000)&REPT("b",12768))', VALUE),
        ('=LEN(B1&"x"&B1)=3', True),
        ('=IF(REPT("a",32767)&"b"="b",1,2)', VALUE),
        ('=LEN(CONCATENATE(REPT("a",20000),REPT("b",20000)))', VALUE),
        ('=LEN(TEXTJOIN(",",TRUE,REPT("a",20000),REPT("b",20000)))', VALUE),
        ('=LEN(REPLACE(REPT("a",32767),1,0,"b"))', VALUE),
        ('=REPT("a",32767)&"b"', VALUE),
        ('=IFERROR(LEN(REPT("a",1E9)),5)', 5.0),
        ("=LEN(long&long)", VALUE),
        ("=REPT(TRUE,2)", "TRUETRUE"),
        ('=ISERROR(long&long&"x")', True),
    ],
)
def test_a_text_longer_than_a_cell_holds_is_no_value_inside_a_formula_too(path, formula, expected):
    assert value_of(path, formula, {"B1": "b"}, {"long": '=REPT("ab",10000)'}) == expected


@pytest.mark.parametrize(
    "formula",
    [
        *(f"REPT({text},{count})" for text in ('"ab"', "2.5", "1E-7", "1E21", "-0.1", "A9") for count in (0, 1, 2.9)),
        'REPT("a","3")',
        'REPT("a",TRUE)',
        'REPT("a",-1)',
        'REPT("a","x")',
        "REPT(1/0,2)",
        *(f'SUBSTITUTE({text},"a",{new})' for text in ('"banana"', "A9", '"aaa"') for new in ('"xy"', '""', "7")),
        *(f'SUBSTITUTE("banana","an","X",{which})' for which in (1, 2, 2.9, 3, '"2"')),
        'SUBSTITUTE("aaaa","aa","b",2)',
        'SUBSTITUTE("banana","","X")',
        'SUBSTITUTE("banana","A","X")',
        'SUBSTITUTE(1212,12,"x")',
        'SUBSTITUTE("banana","a","X",0)',
        'SUBSTITUTE("banana","a",1/0)',
    ],
)
def test_functions_that_know_the_longest_text_are_else_those_of_the_library(formula):
    found = []
    for is_ours in (True, False):
        book = formualizer.Workbook()
        book.add_sheet("S")
        if is_ours:
            register_functions(book)
        book.set_formula("S", 1, 1, f"={formula}")
        value = book.evaluate_cell("S", 1, 1)
        found.append(value.get("kind") if isinstance(value, dict) else value)
    assert found[0] == found[1]


def test_functions_of_texts_go_through_arrays(path):
    save(
        path,
        {"A": {"A1": "a", "A2": "b", "B1": 2.0, "B2": 3.0, "D1": ('=MATCH("bbb",REPT(A1:A2,B1:B2),0)', None)}},
        arrays=[("A", "E1:F2", '{=REPT(A1:A2,{1,2})&"x"}', 0)],
    )
    formulas = formulas_of(path)
    assert formulas.values([at("A!D1")]) == [2.0]
    assert formulas.values([at(f"A!{cell}") for cell in ("E1", "F1", "E2", "F2")]) == ["ax", "aax", "bx", "bbx"]


GROWS = '=LEN(TEXTJOIN(",",TRUE,REPT("abcd",SEQUENCE(1000,100,8000,0))))'


@ON_POSIX
def test_a_formula_that_needs_too_much_memory_is_named_and_others_are_computed(path):
    cells = {"A1": 2.0, "B1": (GROWS, None), "B2": ("=A1*3", None), "B3": ("=B1+1", None), "B4": ("=B2+1", None)}
    save(path, {"A": cells})
    formulas = formulas_of(path)
    (problem,) = formulas.check([at("A!B3"), at("A!B4")])
    assert (problem.cell, problem.code) == ("A!B1", "formula-too-large")
    assert problem.found == "a formula that needs more than 512 MB of memory"
    values, refused = formulas.trusted([at("A!B2"), at("A!B3"), at("A!B4")])
    assert values == {at("A!B2"): 6.0, at("A!B4"): 7.0}
    assert refused == {at("A!B3"): problem}


@ON_POSIX
def test_time_ends_and_the_formula_is_named(path, monkeypatch):
    monkeypatch.setattr(formula_library, "SECONDS", 0.3)
    numbers = {f"A{row}": float(row) for row in range(1, 3001)}
    slow = "=SUMPRODUCT((A1:A3000>TRANSPOSE(A1:A3000))*(A1:A3000<TRANSPOSE(A1:A3000))*SIN(A1:A3000))"
    save(path, {"A": numbers | {"C1": ("=A1+1", None), "C2": (slow, None)}})
    found = faults(path, "A!C1", "A!C2")
    assert [each[:2] for each in found] == [("A!C2", "formula-too-large")]


@ON_POSIX
def test_behind_several_such_formulas_the_rest_is_not_computed_and_says_so(path):
    cells = {f"B{row}": (GROWS, None) for row in range(1, 6)} | {"C1": ("=SUM(B1:B5)", None)}
    save(path, {"A": cells})
    found = formulas_of(path).check([at("A!C1")])
    assert {each.code for each in found} == {"formula-too-large"}
    assert [each.cell for each in found] == [f"A!B{row}" for row in range(1, 6)]
    assert sum("other formulas prevent" in each.found for each in found) == 2


@ON_POSIX
def test_a_value_that_makes_a_formula_too_large_spoils_only_the_variant_that_has_it(path):
    grows = '=LEN(TEXTJOIN(",",TRUE,REPT("abcd",SEQUENCE(A1,100,A2,0))))'
    save(path, {"A": {"A1": 2.0, "A2": 1.0, "B1": (grows, 0.0), "B2": ("=B1+1", 0.0), "B3": ("=A1+1", 0.0)}})
    formulas = formulas_of(path)
    out = [at("A!B1"), at("A!B2"), at("A!B3")]
    assert formulas.trusted(out)[1] == {}
    before = formulas.values(out)
    formulas.set_values({at("A!A1"): 1000.0, at("A!A2"): 8000.0})
    lost = ErrorValue("#N/IMPL!")
    assert formulas.values(out) == [lost, lost, 1001.0]
    assert formulas.values(out) == [lost, lost, 1001.0]
    formulas.set_values({at("A!A1"): 2.0, at("A!A2"): 1.0})
    assert formulas.values(out) == before


@ON_POSIX
def test_a_library_that_crashes_is_filled_anew_with_the_changed_cells(path):
    save(path, {"A": {"A1": 2.0, "B1": ("=A1*3", 6.0)}})
    formulas = formulas_of(path)
    assert move_cells(formulas, {at("A!A1"): 5.0})[0] == {at("A!B1"): 15.0}
    formulas._engine._library._child._process.kill()
    formulas._engine._library._child._process.wait()
    assert formulas.values([at("A!B1")]) == [15.0]


def test_texts_of_formulas_are_as_long_as_in_excel_with_their_names_too(path):
    cells = {"A1": 1.0, "B1": (f"={'+'.join(['A1'] * 150)}", None), "B2": (f"={'+'.join(['A1'] * 4000)}", None)}
    names = {"twice_0": "=A!$A$1"}
    names |= {f"twice_{number}": f"=twice_{number - 1}+twice_{number - 1}" for number in range(1, 19)}
    save(path, {"A": cells | {"B3": ("=twice_3", None), "B4": ("=twice_18", None)}}, names)
    assert formulas_of(path).values([at("A!B1"), at("A!B3")]) == [150.0, 8.0]
    found = faults(path, "A!B2", "A!B4")
    assert [each[:2] for each in found] == [("A!B2", "formula-too-large"), ("A!B4", "formula-too-large")]


@pytest.mark.parametrize("nested", ["(" * 3000 + "1" + ")" * 3000, "-" * 6000 + "1", "ABS(" * 1500 + "1" + ")" * 1500])
def test_deep_formulas_are_refused(path, nested):
    save(path, {"A": {"B1": (f"={nested}", None)}})
    assert [each[:2] for each in faults(path, "A!B1")] == [("A!B1", "formula-unsupported")]


def test_an_array_formula_may_not_fill_more_cells_than_memory_holds(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "A"
    sheet["A1"], sheet["C1"], sheet["D2"] = 1.0, "=A1", ArrayFormula("D2:XFC1048575", "=A1")
    book.save(path)
    assert faults(path, "A!C1") == []
    ((cell, code, _found),) = faults(path, "A!D2")
    assert (cell, code) == ("A!D2", "formula-too-large")


@ON_POSIX
def test_the_command_line_names_the_cell_and_leaves_the_workbook_alone(tmp_path):
    book = openpyxl.load_workbook(ROOT / "workbooks" / "pendulum.xlsx")
    heads = {cell.value: cell.column for cell in book["Bodies"][1]}
    cell = book["Bodies"].cell(3, next(column for head, column in heads.items() if str(head).startswith("mass")))
    for formula in (GROWS, '=LEN(SUBSTITUTE(REPT("a",32000),"a",REPT("b",32000)))'):
        cell.value = formula
        path = tmp_path / "wild.xlsx"
        book.save(path)
        before = path.read_bytes()
        done = CliRunner().invoke(app, ["run", str(path)])
        assert done.exit_code == 2
        assert f"Bodies!{cell.coordinate}" in done.output
        assert path.read_bytes() == before
