"""Formulas of workbooks give here what spreadsheet programs give, or are refused by name."""

from __future__ import annotations

import math
import os
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.workbook.defined_name import DefinedName

from sheetmbs.formulas.cell_contents import ErrorValue, Stored
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.cells.written_book import written_book
from tests.support import books
from tests.support.formula_books import at, formulas_of, save
from tests.support.processes import needs_processes, resident

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
OURS = sorted((ROOT / "workbooks").glob("*.xlsx"))
TEMPLATES = sorted((ROOT / "templates").glob("*.xlsx"))
OTHERS = sorted(path for folder in ("wild", "seeds") for path in (SHARED / folder).glob("*.xls[xm]"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book.xlsx"


def problems(path, *cells):
    return [(each.code, each.cell) for each in formulas_of(path).check([at(cell) for cell in cells])]


@pytest.mark.parametrize("book", OURS, ids=lambda book: book.stem)
def test_every_formula_of_our_workbooks_gives_the_value_in_the_file(book):
    written = written_book(open_book(book))
    formulas = formulas_of(book)
    assert formulas.check(written.formulas) == []
    stored = {place: value for place in written.formulas if (value := written.stored(place)) is not Stored.NOTHING}
    found = dict(zip(stored, formulas.values(list(stored)), strict=True))
    wrong = {
        place
        for place, value in stored.items()
        if not (found[place] == value or math.isclose(found[place], value, rel_tol=1e-9))
    }
    assert wrong == set()


@pytest.mark.parametrize("book", TEMPLATES, ids=lambda book: book.stem)
def test_every_formula_of_a_template_that_is_read_gives_the_value_in_the_file(book):
    formulas = written_book(open_book(book)).formulas
    assert formulas_of(book).check([place for place in formulas if place.sheet != "Lists"]) == []


def test_the_workbook_of_the_car_has_its_formulas():
    written = written_book(open_book(ROOT / "workbooks" / "car.xlsx"))
    own = openpyxl.load_workbook(ROOT / "workbooks" / "car.xlsx")
    cells = {
        (sheet.title, cell.row, cell.column): cell.value
        for sheet in own
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }
    assert len(cells) > 1950
    assert {tuple(place): f"={formula.text}" for place, formula in written.formulas.items()} == cells


@pytest.mark.parametrize("book", OTHERS, ids=lambda book: book.stem)
def test_every_formula_of_workbooks_of_others_gives_the_value_in_the_file(book):
    assert formulas_of(book).check(written_book(open_book(book)).formulas) == []


def test_there_are_workbooks_of_others():
    if not SHARED.is_dir():
        pytest.skip("the folder of workbooks that others made is not here")
    assert OTHERS


def test_a_changed_cell_changes_what_depends_on_it_and_nothing_else(path):
    save(path, {"A": {"A1": 2.0, "B1": ("=A1*3", 6.0), "C1": ("=B1+1", 7.0), "D1": ("=7", 7.0)}})
    formulas = formulas_of(path)
    assert formulas.dependents(at("A!A1")) == {at("A!B1"), at("A!C1")}
    assert formulas.precedents(at("A!C1")) == {at("A!A1"), at("A!B1")}
    assert formulas.inputs(at("A!C1")) == [at("A!A1")]
    formulas.set_values({at("A!A1"): 5.0})
    assert formulas.values([at(f"A!{cell}") for cell in ("A1", "B1", "C1", "D1", "E9")]) == [5.0, 15.0, 16.0, 7.0, None]


@pytest.mark.nightly
@needs_processes
def test_values_that_are_set_many_times_leave_no_memory_behind(path):
    save(path, {"A": {"A1": 1.0, "B1": "=2*A1"}})
    formulas = formulas_of(path)
    sizes = []
    for count in (2_000, 30_000):
        for number in range(count):
            formulas.set_values({at("A!A1"): float(number)})
            assert formulas.values([at("A!B1")]) == [2.0 * number]
        sizes.append(resident(os.getpid()))
    assert sizes[1] - sizes[0] < 4e6  # a history of them takes 600 bytes each


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3))
def test_values_after_any_changes_are_those_of_python(tmp_path_factory, first, second):
    x, y, z = first
    path = save(
        tmp_path_factory.mktemp("any") / "book.xlsx",
        {
            "In": {"A1": x, "A2": y, "A3": z},
            "Out": {
                "A1": ("=In!A1-In!A2*In!A3", x - y * z or None),
                "A2": ("=MAX(In!A1:A3)+SUM(In!A:A)", max(first) + (x + y + z) or None),
                "A3": ("=IF(A1>A2,-A1^2,A2/4)", None),
            },
        },
    )
    formulas = formulas_of(path)
    out = [at("Out!A1"), at("Out!A2"), at("Out!A3")]
    assert formulas.check(out) == []
    formulas.set_values({at(f"In!A{row}"): value for row, value in enumerate(second, 1)})
    x, y, z = second
    one, two = x - y * z, max(second) + (x + y + z)
    expected = [one, two, one**2 if one > two else two / 4]  # the sign binds closer than the power
    assert formulas.values(out) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_a_value_that_was_edited_by_hand_is_named_with_both_values(path):
    save(path, {"A": {"A1": 2.0, "B1": ("=SQRT(A1)", 1.5), "C1": ("=B1*2", 3.0), "D1": ("=A1", 2.0)}})
    (problem,) = formulas_of(path).check([at("A!C1")])
    assert (problem.code, problem.cell) == ("formula-differs", "A!B1")
    assert "1.5, but its formula gives 1.41421356237" in problem.found
    assert "SQRT" in problem.found
    assert formulas_of(path).check([at("A!D1")]) == []


@pytest.mark.parametrize(
    ("formula", "code", "word"),
    [
        ("=RAND()", "formula-volatile", "RAND"),
        ("=RANDBETWEEN(1,2)", "formula-volatile", "RANDBETWEEN"),
        ("=NOW()", "formula-volatile", "NOW"),
        ("=TODAY()-1", "formula-volatile", "TODAY"),
        ("=SUM(A1:A2 A2:A3)", "formula-unsupported", "intersection"),
        ("='[other.xlsx]Data'!A1", "formula-unsupported", "another workbook"),
        ("=[1]Data!A1", "formula-unsupported", "another workbook"),
        ("=SUM(A:B!A1)", "formula-unsupported", "several sheets"),
        ("=Gone!A1", "formula-unsupported", "no such sheet"),
        ("=missing*2", "formula-undefined-name", "missing"),
        ("=Pay[amount]", "formula-unsupported", "no such table"),
        ("=CUBEVALUE(1)", "formula-unsupported", "CUBEVALUE"),
        ("=C1", "formula-circular", "itself"),
        ("=1+", "formula-unsupported", "cannot be read"),
        ("=AMMONITE(A1)", "formula-unsupported", "AMMONITE"),
    ],
)
def test_what_cannot_be_computed_is_refused_by_name(path, formula, code, word):
    save(path, {"A": {"A1": 2.0, "C1": ("=D1+1", 7.0), "D1": (formula, 6.0), "E1": ("=A1*2", 4.0)}, "B": {}})
    (problem,) = formulas_of(path).check([at("A!C1")])
    assert (problem.code, problem.cell) == (code, "A!C1" if code == "formula-circular" else "A!D1")
    assert word in str(problem)
    assert formulas_of(path).check([at("A!E1")]) == []
    assert formulas_of(path).values([at("A!E1")]) == [4.0]


def test_functions_of_references_that_are_found_out_while_computing_are_followed(path):
    cells = {"A1": 1.0, "A2": 2.0, "A3": 3.0, "B1": 2.0}
    computed = {
        "C1": ("=OFFSET(A1,B1,0)", 3.0),
        "C2": ('=INDIRECT("A"&B1)', 2.0),
        "C3": ("=SUM(A1:INDEX(A1:A3,B1))", 3.0),
        "C4": ("=INDEX(A:A,B1)", 2.0),
    }
    save(path, {"A": {**cells, **computed}})
    formulas = formulas_of(path)
    out = [at(f"A!{cell}") for cell in computed]
    assert formulas.check(out) == []
    assert all(place in formulas.dependents(at("A!A3")) for place in out)
    formulas.set_values({at("A!B1"): 1.0, at("A!A1"): 10.0, at("A!A2"): 20.0})
    assert formulas.values(out) == [20.0, 10.0, 10.0, 10.0]


def test_whole_columns_and_rows_are_read_to_their_ends(path):
    cells = {"A1": 1.0, "A2": 2.0, "B1": ("=SUM(A:A)", 3.0), "C5": ("=SUM(1:1)", 4.0)}
    save(path, {"A": cells, "B": {"A1": ('=INDEX(A!$A:$A,9)&"x"', "x"), "A2": ("=COUNTA(A!A:A)", 2.0)}})
    formulas = formulas_of(path)
    out = [at("A!B1"), at("A!C5"), at("B!A1"), at("B!A2")]
    assert formulas.check(out) == []
    formulas.set_values({at("A!A7"): 5.0})
    assert formulas.values(out) == [8.0, 9.0, "x", 3.0]


def test_sheets_with_quotes_blanks_and_letters_of_any_alphabet(path):
    save(
        path,
        {
            "O'Neil's Maße": {"A1": 2.0},
            "車 1": {"A1": ("='O''Neil''s Maße'!A1*2", 4.0)},
            "Out": {"A1": ("='車 1'!A1+'o''neil''s maße'!$A$1", 6.0)},
        },
    )
    formulas = formulas_of(path)
    assert formulas.check([at("Out!A1")]) == []
    (place,) = formulas.resolve("'O''Neil''s Maße'!$A$1")
    formulas.set_values({place: 3.0})
    assert formulas.values([at("Out!A1")]) == [9.0]


def test_names_of_the_workbook_and_of_one_sheet(path):
    save(
        path,
        {
            "A": {"A1": 2.0, "B1": ("=size*2", 4.0), "B2": ("=area", 20.0), "B3": ("=B!size", 5.0)},
            "B": {"A1": 5.0, "B1": ("=size*2", 10.0), "B2": ("=half+SUM(both)", 8.0)},
        },
        names={
            "size": "=A!$A$1",
            "B!size": "=B!$A$1",
            "area": "=A!$A$1*B!$A$1*2",
            "half": "=A!$A$1/2",
            "both": "=A!$A$1:$A$1,B!$A$1",
        }
        | {"both": "=(A!$A$1)+B!$A$1"},
    )
    formulas = formulas_of(path)
    out = [at("A!B1"), at("A!B2"), at("A!B3"), at("B!B1"), at("B!B2")]
    assert formulas.check(out) == []
    assert formulas.dependents(at("B!A1")) == {at("A!B2"), at("A!B3"), at("B!B1"), at("B!B2")}
    formulas.set_values({at("B!A1"): 6.0})
    assert formulas.values(out) == [4.0, 24.0, 6.0, 12.0, 9.0]
    assert formulas.resolve("A!A1:A2") == [at("A!A1"), at("A!A2")]


def test_a_name_that_moves_with_its_cell_is_refused(path):
    book = openpyxl.Workbook()
    book.active.title = "A"
    book.active["A1"], book.active["B1"] = 2.0, "=beside*2"
    book.defined_names["beside"] = DefinedName("beside", attr_text="A!A1")
    book.save(path)
    (problem,) = formulas_of(path).check([at("A!B1")])
    assert problem.code == "formula-unsupported"
    assert "dollar signs" in problem.problem


def test_array_formulas_fill_their_cells(path):
    save(
        path,
        {"A": {"A1": 1.0, "A2": 2.0, "B1": 3.0, "B2": 4.0, "E1": ("=D2*2", 8.0)}},
        arrays=[("A", "C1:D2", "{=MMULT(A1:B2,A1:B2)}", 7.0), ("A", "C4", "{=SUM(A1:A2*B1:B2)}", 11.0)],
    )
    book = openpyxl.load_workbook(path)
    formulas = formulas_of(path)
    assert book["A"]["C1"].value.ref == "C1:D2"
    assert formulas.is_formula(at("A!D2"))
    formulas.set_values({at("A!A1"): 2.0})
    values = formulas.values([at(f"A!{cell}") for cell in ("C1", "D1", "C2", "D2", "C4", "E1")])
    assert values == [10.0, 18.0, 12.0, 22.0, 14.0, 44.0]
    assert formulas.dependents(at("A!B1")) >= {at("A!D2"), at("A!E1")}


def test_matrices_are_inverted_and_refused_as_in_a_spreadsheet(path):
    cells = {"A1": 2.0, "B1": 1.0, "A2": 1.0, "B2": 1.0, "D1": ("=MDETERM(A1:B2)", 1.0)}
    cells |= {"D2": ("=SUM(MMULT(MINVERSE(A1:B2),A1:B2))", 2.0), "D3": ('=IFERROR(MDETERM(A1:B1),"none")', "none")}
    save(path, {"A": cells})
    formulas = formulas_of(path)
    out = [at("A!D1"), at("A!D2"), at("A!D3")]
    assert formulas.check(out) == []
    formulas.set_values({at("A!A1"): 1.0})
    assert formulas.values(out) == [0.0, ErrorValue("#NUM!"), "none"]


def test_a_column_of_a_table_is_read(path):
    save(
        path,
        {"A": {"E1": ("=SUM(Load[force])", 6.0)}},
        tables=[("A", "A1:B4", {"name": "Load", "columns": [{"header": "at"}, {"header": "force"}],
                                "data": [[0, 1.0], [1, 2.0], [2, 3.0]]})],
    )  # fmt: skip
    formulas = formulas_of(path)
    assert formulas.check([at("A!E1")]) == []
    formulas.set_values({at("A!B2"): 5.0})
    assert formulas.values([at("A!E1")]) == [10.0]


LOADS = {
    "name": "Load",
    "columns": [{"header": "at", "total_string": "all"}, {"header": "force [N]"}],
    "data": [[0, 1.0], [1, 20.0], [2, 300.0]],
    "total_row": True,
}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("INDEX(Load[force '[N']],2)", 20.0),
        ("INDEX(Load[force '[N']],MATCH(2,Load[at],0))", 300.0),
        ("VLOOKUP(1,Load[],2,FALSE)", 20.0),
        ("VLOOKUP(1,Load,2,FALSE)", 20.0),
        ("SUM(Load[[at]:[force '[N']]])", 324.0),
        ("COUNTA(Load[[#Data],[#Totals],[at]])", 4.0),
        ("Load[[#Totals],[at]]", "all"),
        ("COUNTA(Load[[#Headers],[at]:[force '[N']]])", 2.0),
        ("ROWS(load[#all])", 5.0),
        ("SUMPRODUCT(Load[at],Load[force '[N']])", 620.0),
    ],
)
def test_a_table_is_read_in_every_function_that_takes_a_range(path, formula, value):
    save(path, {"A": {"F1": (f"={formula}", None)}}, tables=[("A", "A1:B5", LOADS)])
    assert formulas_of(path).values([at("A!F1")]) == [value]


def test_a_formula_beside_a_table_reads_its_own_row(path):
    cells = {"E3": ("=Load[[#This Row],[force '[N']]]*2", 40.0), "E7": ("=Load[[#This Row],[at]]", 1.0)}
    save(path, {"A": cells}, tables=[("A", "A1:B5", LOADS)])
    assert formulas_of(path).check([at("A!E3")]) == []
    (problem,) = formulas_of(path).check([at("A!E7")])
    assert "the table Load has no such cells" in problem.problem


def test_a_variable_moves_only_what_reads_its_column_of_a_table(path):
    cells = {"F1": ("=SUM(Load[at])", 3.0), "F2": ("=SUM(Load[force '[N']])", 321.0)}
    save(path, {"A": cells}, tables=[("A", "A1:B5", LOADS)])
    assert formulas_of(path).dependents(at("A!B3")) == {at("A!F2")}


def test_shared_formulas_are_moved_with_their_cells(tmp_path):
    first = '<f t="shared" ref="B1:B3" si="0">A1*$A$1+SUM(A$1:A1)</f>'
    rows = f"""<row r="1"><c r="A1"><v>1</v></c><c r="B1">{first}<v>2</v></c></row>
        <row r="2"><c r="A2"><v>2</v></c><c r="B2"><f t="shared" si="0"/><v>5</v></c></row>"""
    path = books.save(tmp_path / "shared.xlsx", books.parts(rows))
    written = written_book(open_book(path))
    assert [formula.text for formula in written.formulas.values()] == ["A1*$A$1+SUM(A$1:A1)", "A2*$A$1+SUM(A$1:A2)"]
    assert formulas_of(path).check(written.formulas) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Dimenions!B3", "Dimensions"),
        ("B3", "which sheet"),
        ("spring rate", "Dimensions!B1"),
        ("lenght", "length"),
        ("Dimensions!A:A", "whole rows or columns"),
        ("twice", "not for cells"),
        ("Dimensions!length", "defines no such name"),
        ("", "defines no such name"),
    ],
)
def test_a_cell_that_is_not_there_is_refused_with_the_nearest(path, text, word):
    cells = {"A1": "spring rate", "B1": 60.0, "A2": "length", "B2": 0.4}
    save(path, {"Dimensions": cells}, names={"length": "=Dimensions!$B$2", "twice": "=Dimensions!$B$2*2"})
    with pytest.raises(WorkbookError, match=word):
        formulas_of(path).resolve(text)
    assert formulas_of(path).resolve("LENGTH") == [at("Dimensions!B2")]


@pytest.mark.parametrize("formula", ["=A1:A3*2", "=SUM(A1:A3*B1:B3)", "=-A1:A3", "=A1:A3", "=SQRT(A1:A3)"])
def test_a_range_where_one_value_belongs_is_not_guessed(path, formula):
    cells = {f"{column}{row}": float(row) for column in "AB" for row in (1, 2, 3)}
    save(path, {"A": {**cells, "D5": (formula, None), "D7": ("=SUMPRODUCT(A1:A3*B1:B3)", None)}})
    assert [cell for _code, cell in problems(path, "A!D5")] == ["A!D5"]
    assert problems(path, "A!D7") == []


def test_small_remainders_of_what_cancels_are_no_difference(path):
    save(path, {"A": {"A1": 0.1, "B1": ("=(A1+0.2-0.3)+1-1", 1e-17), "B2": ("=A1*1E-6", 1.1e-7)}})
    assert problems(path, "A!B1", "A!B2") == [("formula-differs", "A!B2")]
