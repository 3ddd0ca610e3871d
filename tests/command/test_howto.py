"""Tables that the how-to pages show are typed into an example workbook, and it runs."""

import re
from pathlib import Path

import openpyxl
import pytest

from tests.command.test_session import as_typed, cells_of
from tests.support import shell

ROOT = Path(__file__).parents[2]
TABLE = re.compile(r"^\|(.+)\|\n\|[-|]+\n((?:\|.*\|\n)+)", re.MULTILINE)


def type_sheets(page, book, names):
    """Put the tables of a page that belong to sheets into a workbook, in place of those that are there.

    names: of the sheets, each with the place of its table on the page. The first header may begin with the name of its sheet.
    """
    tables = TABLE.findall((ROOT / "docs" / "howto" / f"{page}.md").read_text(encoding="utf-8"))
    opened = openpyxl.load_workbook(book)
    for name, place in names.items():
        header, body = tables[place]
        if name in opened.sheetnames:
            opened.remove(opened[name])
        sheet = opened.create_sheet(name)
        sheet.append([re.sub(r"^`.+`: ", "", cell) for cell in cells_of(header)])
        for line in body.splitlines():
            sheet.append([as_typed(cell) for cell in cells_of(line)])
    opened.save(book)


def run(command, page, example, names, folder):
    book = folder / "book.xlsx"
    book.write_bytes((ROOT / "workbooks" / f"{example}.xlsx").read_bytes())
    type_sheets(page, book, names)
    done = shell.run(f"sheetmbs {command} book.xlsx", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return openpyxl.load_workbook(book), done.stdout + done.stderr


def texts(sheet):
    return {str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None}


def test_the_charts_of_the_page_are_drawn(tmp_path):
    book, _said = run("run", "chart", "slider-crank", {"Charts": 0}, tmp_path)
    titles = [chart.title.tx.rich.p[0].r[0].t for chart in book["mbs Charts"]._charts]
    assert titles == ["Motor torque", "Slider"]


def test_the_targets_of_the_page_are_judged(tmp_path):
    book, _said = run("run", "targets", "formula-student", {"Targets": 0}, tmp_path)
    assert any("target" in text for text in texts(book["mbs Suspension"]))


def test_the_load_cases_of_the_page_are_solved(tmp_path):
    book, _said = run("run", "load-cases", "formula-student", {"Load cases": 0}, tmp_path)
    assert {"braking", "cornering", "braking in a turn"} <= texts(book["mbs Loads"])


@pytest.mark.parametrize(
    ("page", "example", "names", "found"),
    [
        ("vary-a-number", "slider-crank-tolerance", {"Variables": 0, "Responses": 1, "Study": 2}, "crank radius"),
        ("optimise", "bump-steer-study", {"Variables": 0, "Responses": 1}, "inner height"),
    ],
)
def test_the_studies_of_the_pages_run(page, example, names, found, tmp_path):
    book, said = run("study", page, example, names, tmp_path)
    assert "mbs Study" in book.sheetnames
    assert found in said + " ".join(texts(book["mbs Study Summary"]))
