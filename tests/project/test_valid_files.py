"""Excel opens what sheetmbs writes without a word: every part keeps to the schemas, to Excel's own rules, and to its limits.

The rules are judged everywhere; the schemas and Microsoft's validator where they are at hand (`tests/support/validators.py`).
``pytest -m nightly`` looks at every analysis of every case of every example.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter

import sheetmbs
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.schema.settings import ANALYSES
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.new_workbook import new_book
from sheetmbs.workbook.writing.write import write_problems, write_results
from tests.support import mubodyna_texts
from tests.support.example_books import EXAMPLES, GAIT_BOOKS, HARDPOINT_BOOKS
from tests.support.living_books import BOOKS, make
from tests.support.opened import cases as cases_of
from tests.support.opened import import_files
from tests.support.sample_results import PROBLEM, change_part, read_parts, sheet_part, slider_crank, table, write_parts
from tests.support.validators import (
    PROGRAM,
    SCHEMAS,
    against_microsoft,
    against_schemas,
    broken_by_a_run,
    needs_schemas,
    needs_validator,
)

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").glob("*.xlsx"))
ROWS = 6
"""of a motion: more of them are like the first ones"""
OTHERS = [("pendulum", "modes"), ("flexible-four-bar", "modes"), ("andrews", "equilibrium"), ("four-bar", "kinematic")]
"""analyses that examples have besides their own"""


def complaints(paths: dict[Path, Path | None], *, for_microsoft: Collection[Path] | None = None) -> list[str]:
    """What is wrong with workbooks. paths: each with the one before the run, which may have faults of its own.

    for_microsoft: those that its validator looks at, which takes a second each; all unless given.
    """
    found = [f"{path.name}: {each}" for path, before in paths.items() for each in broken_by_a_run(path, before)]
    if SCHEMAS.is_dir():
        found += [f"{path.name}: {each}" for path, before in paths.items() for each in against_schemas(path, before)]
    if PROGRAM.is_file():
        judged = {path: paths[path] for path in (paths if for_microsoft is None else for_microsoft)}
        found += [f"{name}: {each}" for name, lines in against_microsoft(judged).items() for each in lines]
    return found


def with_results(example: Path, folder: Path, case: str | None, analysis: str | None = None) -> Path:
    """The workbook with the results of a short run."""
    model = sheetmbs.read(example, case=case, analysis=analysis)
    settings = model.settings
    if settings.t_step:
        settings = replace(settings, t_end=min(settings.t_end, settings.t_start + ROWS * settings.t_step))
    path = folder / f"{example.stem}-{case or ''}-{analysis or ''}.xlsx".replace(" ", "_")
    return sheetmbs.run(replace(model, settings=settings)).save(path)


def analyses_of(example: Path) -> dict[str | None, str]:
    """The cases of a workbook with their analyses; without cases, one without a name."""
    return {case.name: case.analysis for case in cases_of(example)} or {None: ""}


FAULTS = {
    "a marker of a column": ("xl/charts/chart2.xml", "</c:tx>", '</c:tx><c:marker><c:symbol val="none"/></c:marker>'),
    "a drawing before the cells": ("mbs Charts", "<sheetData>", '<drawing r:id="rId1"/><sheetData>'),
    "a width without an end": ("mbs Bodies", 'width="11"', 'width="wide"'),
}  # fmt: skip


@pytest.fixture
def faulty(tmp_path, request):
    """A workbook with results in which one thing is wrong."""
    book = with_results(ROOT / "workbooks" / "pendulum.xlsx", tmp_path, None, "modes")
    part, old, new = FAULTS[request.param]
    change_part(book, sheet_part(book, part) if part.startswith("mbs") else part, old, new)
    return book


@needs_schemas
@pytest.mark.parametrize("faulty", FAULTS, indirect=True)
def test_the_schemas_see_a_fault(faulty):
    assert against_schemas(faulty) != []


@needs_validator
@pytest.mark.parametrize("faulty", FAULTS, indirect=True)
def test_microsofts_validator_sees_a_fault(faulty):
    assert against_microsoft([faulty]) != {}


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("mbs Bodies", '<dimension ref="A1:', '<dimension ref="A1:Z1"/><dimension ref="A1:'),
        ("mbs Bodies", "</v>", "e999</v>"),
        ("mbs Bodies", '<c r="B1"', '<c r="A1"'),
        ("mbs Bodies", ' s="', ' s="9'),
        ("mbs Bodies", 'width="', 'width="9999'),
        ("mbs Charts", '<drawing r:id="', '<drawing r:id="x'),
        ("xl/styles.xml", '<cellXfs count="', '<cellXfs count="1'),
        ("xl/styles.xml", ' fontId="', ' fontId="99'),
        ("xl/workbook.xml", 'name="mbs Bodies"', 'name="mbs Bodies of the whole model: all"'),
        ("xl/workbook.xml", "'mbs Bodies'!", "'mbs Nobodies'!"),
        ("xl/charts/chart2.xml", 'crossAx val="', 'crossAx val="1'),
        ("xl/charts/chart2.xml", "'mbs ", "'mbs of "),
        ("xl/charts/chart2.xml", '<c:ptCount val="', '<c:ptCount val="4'),
        ("xl/drawings/drawing2.xml", 'id="2"', 'id="3"'),
        ("docProps/app.xml", "<vt:i4>", "<vt:i4>1"),
        ("[Content_Types].xml", 'Extension="rels"', 'Extension="relations"'),
        ("[Content_Types].xml", "/xl/charts/chart1.xml", "/xl/charts/chart99.xml"),
    ],
)
def test_the_rules_see_a_fault(tmp_path, part, old, new):
    book = with_results(ROOT / "workbooks" / "pendulum.xlsx", tmp_path, None)
    assert broken_by_a_run(book) == []
    change_part(book, sheet_part(book, part) if part.startswith("mbs") else part, old, new)
    assert broken_by_a_run(book) != []


@pytest.mark.parametrize("third", [0, 1, 2])
def test_templates_are_sound(third):
    assert complaints(dict.fromkeys(TEMPLATES[third::3])) == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_results_of_every_case_of_the_examples_are_sound(example, tmp_path):
    cases = analyses_of(example)
    written = {case: with_results(example, tmp_path, case) for case in cases}
    of_each_analysis = {analysis: written[case] for case, analysis in cases.items()}
    assert complaints(dict.fromkeys(written.values(), example), for_microsoft=of_each_analysis.values()) == []


@pytest.mark.parametrize(
    "example", [book for book in HARDPOINT_BOOKS if book.parent.name == "workbooks"], ids=lambda path: path.stem
)
def test_results_of_the_suspensions_are_sound(example, tmp_path):
    written = run_suspension(example).save(tmp_path / example.name)
    assert complaints({written: example}) == []


@pytest.mark.parametrize(
    "example", [book for book in GAIT_BOOKS if book.parent.name == "workbooks"], ids=lambda path: path.stem
)
def test_results_of_gait_are_sound(example, tmp_path):
    written = run_gait(example).save(tmp_path / example.name)
    assert complaints({written: example}) == []


@pytest.mark.parametrize(("name", "analysis"), OTHERS)
def test_results_of_other_analyses_are_sound(name, analysis, tmp_path):
    example = ROOT / "workbooks" / f"{name}.xlsx"
    assert complaints({with_results(example, tmp_path, None, analysis): example}) == []


@pytest.mark.nightly
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_results_of_every_analysis_of_every_case_are_sound(example, tmp_path):
    assert complaints(dict.fromkeys(every_analysis(example, tmp_path), example)) == []


def every_analysis(example: Path, folder: Path) -> Iterator[Path]:
    """Results of all that can be analysed of an example."""
    for case in analyses_of(example):
        for analysis in ANALYSES:
            try:
                yield with_results(example, folder, case, analysis)
            except SheetmbsError:  # its drivers or masses do not suffice for that one
                continue


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
@pytest.mark.parametrize("name", BOOKS)
def test_results_on_top_of_whatever_stands_in_a_workbook_are_sound(name, tmp_path):
    book = make(name, tmp_path)
    original = Path(shutil.copy(book, tmp_path / f"original{book.suffix}"))
    write_results(book, None, slider_crank(problems=(PROBLEM,)))
    first = Path(shutil.copy(book, tmp_path / f"first{book.suffix}"))
    write_results(book, None, slider_crank(rows=3, springs=False))
    assert complaints({first: original, book: original}, for_microsoft=[book]) == []


def test_a_marked_form_is_sound(tmp_path):
    book = tmp_path / "book.xlsx"
    new_book("blank-3d", book)
    original = Path(shutil.copy(book, tmp_path / "original.xlsx"))
    cells = ("Bodies!C7", "Bodies", "", "Joints!A3, A9", "Elsewhere!A1")
    write_problems(book, [Problem("code", "error", cell, "found", "problem", "mend") for cell in cells])
    assert complaints({book: original}) == []


def test_an_imported_model_is_sound(tmp_path):
    source, book = tmp_path / "model.txt", tmp_path / "book.xlsx"
    source.write_text(mubodyna_texts.slider_crank())
    import_files("mubodyna", [source], book)
    assert complaints({book: None}) == []


NASTY = (
    *("=1+1", "+1", "-1", "@SUM(1)", "{=A1}", "Bump!A1", "a<b&c>\"d'", "'quoted", "]]>", "-" * 400, " lead", "trail "),
    *("_x0041_", "_x005F_x0041_", "x\x01\x0by", "nul\x00", "\ufffe\uffff", "\u202ertl", "\U0001f600" * 3, "a\tb\r\nx"),
)


def test_whatever_things_are_called_the_results_are_sound(tmp_path):
    book, sheets = tmp_path / "book.xlsx", ("Model", "O'Br<&>ien", "=x", "S" * 31)
    with xlsxwriter.Workbook(book) as made:
        for name in sheets:
            made.add_worksheet(name)
    numbers = {"time": ("s", np.arange(5.0))} | {name: ("m", np.arange(5.0) - n) for n, name in enumerate(NASTY)}
    asked = (Chart("All", "time", NASTY), *(Chart(name, "time", (name,)) for name in NASTY))
    found = [Problem("code", "warning", f"{name}!A1", text, text, text) for text in NASTY for name in sheets]
    summary = tuple((text, text, text) for text in NASTY)
    results = ResultSheets(summary, (table("mbs Bodies", numbers),), asked, tuple(found))
    for _ in range(2):
        write_results(book, None, results)
    assert complaints({book: None}) == []
    pages = openpyxl.load_workbook(book)
    headers = [cell.value for cell in pages["mbs Bodies"][1]]
    assert all(cell.data_type != "f" for page in pages for row in page.iter_rows() for cell in row)
    assert len(headers) == len(NASTY) + 1
    assert headers[1:8] == list(NASTY[:7])


def test_relationships_have_a_type_where_a_package_declares_each_of_them_by_itself(tmp_path):
    book = make("macros.xlsm", tmp_path)
    parts = read_parts(book)
    types = parts["[Content_Types].xml"].decode()
    default = re.search(r'<Default Extension="rels" ContentType="([^"]*)"/>', types)
    each = "".join(f'<Override PartName="/{n}" ContentType="{default[1]}"/>' for n in parts if n.endswith(".rels"))
    parts["[Content_Types].xml"] = types.replace(default[0], "").replace("</Types>", f"{each}</Types>").encode()
    write_parts(book, parts)
    original = Path(shutil.copy(book, tmp_path / "original.xlsm"))
    assert broken_by_a_run(book) == []
    write_results(book, None, slider_crank())
    assert complaints({book: original}) == []
