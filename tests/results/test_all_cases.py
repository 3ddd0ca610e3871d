"""All cases of a workbook in one run: sheets for each, charts over each other, summaries side by side."""

from __future__ import annotations

import json
import re

import numpy as np
import openpyxl
import pytest
from lxml import etree
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.package.ownership import mark_name
from sheetmbs.workbook.sheets.sheet_contents import MAX_LABEL, case_labels
from tests.support.excel import save_as_excel
from tests.support.lift_books import CASES, DIP, GRAVITY, LIFT, MASS, OF_CASES, STIFFNESS, book_of_cases, lift_book
from tests.support.sample_results import change_part, loaded_sheet, read_parts, sheet_names

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@pytest.fixture
def book(tmp_path):
    return book_of_cases(tmp_path / "lift.xlsx")


def run(*arguments):
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


def own_sheets(book):
    return [name for name in sheet_names(book) if name.startswith("mbs ")]


def column(book, sheet, name):
    page = loaded_sheet(book, sheet)
    at = [cell.value for cell in page[1]].index(name)
    return [row[at] for row in page.iter_rows(min_row=3, values_only=True)]


def charts(book):
    parts = read_parts(book)
    names = [name for name in parts if re.fullmatch(r"xl/charts/chart\d+\.xml", name)]
    found = {}
    for name in sorted(names, key=lambda name: int(re.findall(r"\d+", name)[0])):
        chart = etree.fromstring(parts[name])
        found["".join(chart.find(f"{C}chart/{C}title").itertext(f"{A}t"))] = chart
    return found


def lines(chart):
    """Name, and references to x and y, of each line."""
    found = []
    for series in chart.iter(f"{C}ser"):
        name = series.find(f"{C}tx/{C}v")
        name = series.find(f"{C}tx//{C}v") if name is None else name
        x, y = (series.find(f"{C}{part}//{C}f").text for part in ("xVal", "yVal"))
        found.append((name.text, x, y))
    return found


def test_every_case_has_its_own_result_sheets_with_its_own_numbers(book):
    assert run(book, "--all-cases").exit_code == 0
    names = own_sheets(book)
    assert names[:3] == ["mbs Summary", "mbs Equilibrium", "mbs Charts"]
    for case in CASES:
        assert {f"mbs Bodies {case}", f"mbs Springs {case}"} <= set(names)
    lifted, dipped = (np.array(column(book, f"mbs Bodies {case}", "wheel.y")) for case in ("lifted", "dipped"))
    assert (lifted.max(), dipped.min()) == pytest.approx((1000 * LIFT, -1000 * DIP), rel=1e-9)
    assert column(book, "mbs Springs hanging", "strut.force") == [pytest.approx(MASS * GRAVITY, rel=1e-9)]


def test_lines_over_the_same_are_drawn_in_one_chart_each_over_the_x_of_its_case(book):
    run(book, "--all-cases")
    found = lines(charts(book)["Spring lengths"])
    assert [name for name, _, _ in found] == ["lifted", "dipped"]
    for name, x, y in found:
        assert x.startswith(f"'mbs Joints {name}'!")
        assert y.startswith(f"'mbs Springs {name}'!")


def test_what_is_at_rest_stands_side_by_side_with_bars_for_each_case(tmp_path):
    cases = {"light": {"analysis": "equilibrium"}, "heavy": {"analysis": "equilibrium", "gravity_y": -2 * GRAVITY}}
    book = lift_book(tmp_path / "rest.xlsx", cases=cases, Drivers=OF_CASES[:1])
    run(book, "--all-cases")
    rows = list(loaded_sheet(book, "mbs Equilibrium").iter_rows(values_only=True))
    at = next(k for k, row in enumerate(rows) if row[0] == "Spring forces")
    assert rows[at][1:3] == ("light", "heavy")
    assert rows[at + 1][1:3] == (pytest.approx(MASS * GRAVITY), pytest.approx(2 * MASS * GRAVITY))
    names = ["".join(s.find(f"{C}tx").itertext()) for s in charts(book)["Spring forces"].iter(f"{C}ser")]
    assert names == ["light", "heavy"]


def test_the_summary_shows_all_cases_side_by_side(book):
    run(book, "--all-cases")
    rows = list(loaded_sheet(book, "mbs Summary").iter_rows(values_only=True))
    assert rows[0] == ("item", "lifted", "dipped", "hanging", "dropped", "unit")
    summary = {row[0]: row[1:-1] for row in rows}
    assert summary["analysis"] == ("kinematic", "kinematic", "equilibrium", "dynamic")
    assert summary["strut.spring_force max"][:2] == (pytest.approx(STIFFNESS * LIFT), pytest.approx(STIFFNESS * DIP))
    assert summary["accuracy check"] == ("passed",) * 4
    items = [row[0] for row in rows]
    assert items.index("strut.spring_force max") < items.index("accuracy check")


def test_a_second_run_gives_the_same_sheets_and_a_plain_one_takes_their_place(book):
    run(book, "--all-cases")
    first = own_sheets(book)
    run(book, "--all-cases")
    assert own_sheets(book) == first
    run(book, "--case", "dipped")
    assert "mbs Bodies" in own_sheets(book)
    assert not [name for name in own_sheets(book) if name.endswith(tuple(CASES))]


def test_a_formula_on_the_results_of_a_case_stays_valid(book):
    run(book, "--all-cases")
    opened = openpyxl.load_workbook(book)
    notes = opened.create_sheet("Notes")
    notes["A1"] = "=MAX('mbs Springs lifted'!B:B)"
    opened.save(book)
    assert run(book, "--all-cases").exit_code == 0
    assert "mbs Springs lifted" in own_sheets(book)
    told = run(book, "--case", "dipped")
    assert "reference-without-result" in told.stderr


def test_a_case_that_is_wrong_stops_no_other(tmp_path):
    cases = CASES | {"backwards": {"t_end": -1}}
    book = lift_book(tmp_path / "lift.xlsx", cases=cases, Drivers=OF_CASES)
    told = run(book, "--all-cases")
    assert told.exit_code == 2
    assert "case backwards: 1 error; it was not analysed" in " ".join(told.stderr.split())
    assert "mbs Bodies lifted" in own_sheets(book)
    assert not [name for name in own_sheets(book) if "backwards" in name]
    listed = list(loaded_sheet(book, "mbs Problems").iter_rows(values_only=True))
    assert any("backwards" in str(row[2]) for row in listed[1:])


def test_a_case_whose_analysis_fails_keeps_what_was_computed_and_stops_no_other(tmp_path):
    """At 1.5 s the driver asks the guide for the root of a negative number."""
    cases = CASES | {"torn": {}}
    drivers = [*OF_CASES, ["tear", "guide", "displacement", None, "0.01*sqrt(1.5 - t)", "torn"]]
    book = lift_book(tmp_path / "lift.xlsx", cases=cases, Drivers=drivers)
    told = run(book, "--all-cases")
    assert told.exit_code == 1
    assert 0 < len(column(book, "mbs Bodies torn", "wheel.y")) < len(column(book, "mbs Bodies lifted", "wheel.y"))
    summary = {row[0]: row for row in loaded_sheet(book, "mbs Summary").iter_rows(values_only=True)}
    assert summary["status"][1:6] == ("done", "done", "done", "done", "failed")


def test_where_no_case_can_be_analysed_nothing_is_written(tmp_path):
    book = lift_book(tmp_path / "lift.xlsx", cases={"a": {"t_end": -1}, "b": {"t_end": -2}})
    before = book.read_bytes()
    assert run(book, "--all-cases").exit_code == 2
    assert book.read_bytes() == before


def test_a_workbook_without_cases_says_so(tmp_path):
    told = run(lift_book(tmp_path / "lift.xlsx"), "--all-cases")
    assert told.exit_code == 2
    assert "no-cases" in told.stderr


@pytest.mark.parametrize("other", [["--case", "lifted"], ["--also", "all.csv"], ["--report", "all.txt"]])
def test_what_is_of_one_case_is_refused_beside_all_cases(book, other):
    told = run(book, "--all-cases", *other)
    assert told.exit_code == 2
    assert "--all-cases excludes" in " ".join(str(told.exception or "").split() + told.output.split())


def test_for_programs_every_case_has_its_summary(book, tmp_path):
    told = run(book, "--all-cases", "--json", "-o", tmp_path / "out.xlsx")
    printed = json.loads(told.stdout)
    assert (printed["status"], list(printed["cases"])) == ("done", list(CASES))
    assert printed["cases"]["hanging"]["summary"]["analysis"] == "equilibrium"
    assert printed["results"] == str(tmp_path / "out.xlsx")
    assert own_sheets(book) == []


def test_python_has_the_results_of_every_case(book, tmp_path):
    results = sheetmbs.run_cases(book)
    assert list(results) == list(CASES)
    assert results.status == "done"
    assert results["lifted"].bodies["wheel.y"].max() == pytest.approx(1000 * LIFT)
    assert results.save(tmp_path / "out.xlsx") == tmp_path / "out.xlsx"
    assert "mbs Bodies lifted" in own_sheets(tmp_path / "out.xlsx")
    with pytest.raises(WorkbookError):
        sheetmbs.run_cases(lift_book(tmp_path / "plain.xlsx"))


def test_a_chart_of_several_cases_that_was_restyled_stays_and_follows(book):
    run(book, "--all-cases")
    title = "Spring lengths"
    save_as_excel(book)
    parts = read_parts(book)
    [part] = [
        name
        for name in parts
        if re.fullmatch(r"xl/charts/chart\d+\.xml", name) and f">{title}<" in parts[name].decode()
    ]
    change_part(book, part, "0072B2", "112233")
    before, titles = lines(charts(book)[title]), list(charts(book))
    assert run(book, "--all-cases", "--report-step", "0.5").exit_code == 0
    chart = charts(book)[title]
    assert "112233" in etree.tostring(chart).decode()
    assert sorted(charts(book)) == sorted(titles)
    after = lines(chart)
    assert [name for name, _, _ in after] == [name for name, _, _ in before]
    assert all(x.endswith("$7") and y.endswith("$7") for _, x, y in after)


def test_many_lines_are_told_apart_in_a_chart_for_each_column(tmp_path):
    cases = {f"sweep {number}": {} for number in range(5)}
    charts_sheet = [["title", "x", "y"], ["Both", "axle.y", "strut.force; strut.spring_force"]]
    book = lift_book(tmp_path / "lift.xlsx", cases=cases, Charts=charts_sheet)
    run(book, "--all-cases")
    assert list(charts(book)) == ["Both: strut.force", "Both: strut.spring_force"]
    assert [name for name, _, _ in lines(charts(book)["Both: strut.force"])] == list(cases)


NAMES = [
    "bump",
    "BUMP!",
    "a very long name of a case",
    "a very long name of another",
    "left/right",
    "left:right",
    "it's",
    "2",
    "lap 2",
    "lap",
    "Kurvenfahrt außen",
    "   ",
]


def test_labels_fit_into_names_of_sheets_and_are_all_different():
    labels = case_labels(NAMES)
    assert list(labels) == NAMES
    assert labels["bump"] == "bump"
    for label in labels.values():
        assert 0 < len(label) <= MAX_LABEL
        assert len(f"mbs Constraints {label}") <= 31
        assert not re.search(r"[\[\]:*?/\\']", label)
        assert label == label.strip()
    sheets = [f"mbs {kind} {label}" for label in labels.values() for kind in ("Bodies", "Joints")]
    further = [f"mbs {kind} {label} 2" for label in labels.values() for kind in ("Bodies", "Joints")]
    assert len({name.casefold() for name in [*sheets, *further]}) == 4 * len(NAMES)
    assert len({mark_name(name).casefold() for name in sheets}) == 2 * len(NAMES)


def test_cases_of_long_and_equal_beginnings_have_sheets_of_their_own(tmp_path):
    cases = {"a very long name of a case": {}, "a very long name of another": {"t_end": 1}}
    book = lift_book(tmp_path / "lift.xlsx", cases=cases)
    assert run(book, "--all-cases").exit_code == 0
    sheets = [name for name in own_sheets(book) if name.startswith("mbs Bodies ")]
    assert [len(column(book, name, "time")) for name in sheets] == [41, 21]
    assert all(len(name) <= 31 for name in own_sheets(book))


def test_modes_of_several_cases_are_bars_of_their_own_shapes(tmp_path):
    cases = {"soft": {"analysis": "modes"}, "weightless": {"analysis": "modes", "gravity_y": 0}}
    book = lift_book(tmp_path / "modes.xlsx", cases=cases, Drivers=OF_CASES[:1])
    run(book, "--all-cases")
    assert {"Frequencies", "Shapes: displacements"} <= set(charts(book))
    for title, sheet in (("Frequencies", "mbs Modes"), ("Shapes: displacements", "mbs Modes")):
        references = [series.find(f"{C}val//{C}f").text for series in charts(book)[title].iter(f"{C}ser")]
        assert [reference.partition("!")[0] for reference in references] == [f"'{sheet} {case}'" for case in cases]
