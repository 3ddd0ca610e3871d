"""Products are reached through their protocol alone, and a new one is its room and one line."""

# ruff: noqa: ARG002 - methods have the signatures of the protocol

import re
from pathlib import Path

import openpyxl
import pytest

from sheetmbs import all_products
from sheetmbs.products.product import CheckedBook, PreparedRun, Product, ProductRun, RunReport
from sheetmbs.products.whole_workbook import WholeWorkbook, one_row
from sheetmbs.results.results import PagedResults
from sheetmbs.workbook.cells import cells
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from tests.support.opened import product_in, sheet_values

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sheetmbs"
PRODUCT = re.compile(r"suspension|\bgait|mechanism_|MechanismP", re.IGNORECASE)
DECLARE_INPUTS = {
    "schema/all_inputs.py": "the one list of all input sheets",
    "schema/suspension_inputs.py": "input sheets are declared in schema, which templates and docs read",
    "schema/gait_inputs.py": "the same",
    "schema/gait_anthropometry.py": "the same",
    "schema/uncertainty_inputs.py": "the same",
    "studies/fitting/direction_words.py": "the end of a drop link on its bar, a word of engineering",
    "workbook/reading/input_sheets.py": "sheets of a suspension stand beside those of a model when it is analysed",
    "workbook/writing/subjects_book.py": "the title of the workbook that `collect` makes",
    "workbook/sheets/sheet_contents.py": "names and order of all result sheets",
    "elements/forces/gas_force.py": "a word of engineering",
}
"""files outside the rooms of products that name one, and why"""


def other_files():
    rooms = tuple(PACKAGE / room for room in ("suspension", "gait", "mechanism"))
    files = [path for path in PACKAGE.rglob("*.py") if not any(room in path.parents for room in rooms)]
    return {str(path.relative_to(PACKAGE)).replace("\\", "/"): path for path in files}


def test_no_file_outside_its_room_names_a_product():
    names = {name for name, path in other_files().items() if PRODUCT.search(path.read_text(encoding="utf-8"))}
    assert names - {"all_products.py", "__init__.py"} == set(DECLARE_INPUTS)


@pytest.mark.parametrize("name", ["pendulum", "double-wishbone", "formula-student", "gait-walk"])
@pytest.mark.parametrize("command", [["run", "-o", "out.xlsx"], ["check"], ["cases"], ["view", "--html", "page.html"]])
def test_a_command_opens_its_workbook_once(name, command, call, monkeypatch, tmp_path):
    opened = []
    package = cells.Package

    def counting(path, content=None):
        opened.append(str(path))
        return package(path, content)

    monkeypatch.setattr(cells, "Package", counting)
    monkeypatch.chdir(tmp_path)
    path = ROOT / "workbooks" / f"{name}.xlsx"
    status, _out, err = call(command[0], path, *command[1:])
    assert status == 0, err
    assert opened == [str(path)]


# --- a product of scales: each row of the sheet Scales is a spring balance, whose load follows from its extension ---------


class ScalesVariants(WholeWorkbook):
    """Scales as a study varies them: one case without a name."""

    kind, kinds = "scale", "scales"

    def solved(self, book, asked):
        return {"": [one_row("mbs Scales", {name: (load, "N") for name, load in loads(book).items()})]}


def loads(book):
    """Name -> stiffness times extension, N."""
    rows = book.sheets["Scales"].rows
    values = [[rows[number][column].value for column in (1, 2, 3)] for number in rows if number > 1]
    return {str(name): float(stiffness) * float(extension) for name, stiffness, extension in values}


class ScalesRun(ProductRun):
    """Scales that were read off."""

    def __init__(self, results, found):
        self.results = results
        self.found = found

    status = "done"
    problems = ()
    one_line_summary = "scales read off"

    @property
    def summary_sheets(self):
        return self.results.sheets

    def document(self, case=None):
        return {"format": 1, "title": "Scales", "source": "", "cases": [], "chosen": "", "refused": []}

    def report(self, book, files, seconds):
        return RunReport([(f"{book}: {self.found}", "green")], closing=[f"The results are in {files['results']}."])


class PreparedScales(PreparedRun):
    """Scales as read."""

    warnings = ()

    def __init__(self, book):
        self.book = book
        self.found = loads(book)

    def solve(self, progress=None):
        summary = tuple((f"load of {name}", load, "N") for name, load in self.found.items())
        results = PagedResults(sheets=ResultSheets(summary, ()), path=self.book.path, content=self.book.content)
        return ScalesRun(results, self.found)


class ScalesProduct(Product):
    """Workbooks with a sheet Scales."""

    holds = owner = "scales"
    lacking = "no sheet Scales"

    def recognises(self, book, analysis=None):
        return "Scales" in book.sheets

    def check(self, book, case=None, *, all_cases=False):
        return CheckedBook("", f"; {len(loads(book))} scales", ())

    def prepare(self, book, request):
        return PreparedScales(book)

    def varied(self, book, cases=(), analysis=None):
        return ScalesVariants(book, cases)


@pytest.fixture
def scales(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    sheets = {
        "Scales": [("name", "stiffness", "extension"), ("kitchen", 200.0, 0.05), ("crane", 4e4, 0.1)],
        "Variables": [("name", "cell", "low", "high"), ("x", "Scales!C2", 0.02, 0.1)],
        "Responses": [("name", "of"), ("load", "max(kitchen)")],
        "Study": [("setting", "value"), ("method", "grid")],
    }
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    path = tmp_path / "scales.xlsx"
    book.save(path)
    monkeypatch.setattr(all_products, "PRODUCTS", (ScalesProduct(), *all_products.PRODUCTS))
    return path


def test_a_new_product_is_run_and_its_results_stand_in_the_workbook(scales, call):
    status, _out, err = call("run", scales)
    assert (status, err.count("The results are in")) == (0, 1)
    rows = sheet_values(scales, "mbs Summary")
    assert ["load of kitchen", 10.0, "N"] in [list(row[:3]) for row in rows]


def test_a_new_product_is_checked_and_its_options_are_its_own(scales, call):
    status, _out, err = call("check", scales)
    assert status == 0
    assert "2 scales; a study by grid of 1 variable and 1 response" in err
    status, _out, err = call("run", scales, "--model", "m.xlsx")
    assert status == 2
    assert "--model" in err


def test_a_new_product_is_varied_by_a_study_as_its_law_says(scales, call):
    status, _out, err = call("study", scales, "--workers", "1")
    assert status == 0, err
    heads, _units, *rows = sheet_values(scales, "mbs Study")
    places = [heads.index(name) for name in ("x", "load")]
    found = {row[places[0]]: row[places[1]] for row in rows if row[heads.index("number")]}
    assert found == pytest.approx({x: 200.0 * x for x in (0.02, 0.06, 0.1)})


def test_each_product_is_recognised_by_its_workbooks():
    expected = {
        "pendulum": all_products.MECHANISM,
        "double-wishbone": all_products.MECHANISM,
        "formula-student": all_products.SUSPENSION,
        "gait-walk": all_products.GAIT,
    }
    assert {name: product_in(ROOT / "workbooks" / f"{name}.xlsx") for name in expected} == expected
