"""What is found at rest stands in tables, one element a row, and in bars: a single row makes no lines."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from lxml import etree

import sheetmbs
from sheetmbs.results.sheets.rest_sheet import LOAD_NOISE
from tests.support.excel import save_as_excel
from tests.support.lift_books import GRAVITY, MASS, STIFFNESS, driver_rows, lift_book
from tests.support.opened import sheet_values
from tests.support.sample_results import change_part, read_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SECOND = ["second", "ground", "wheel", "mount", "axle", STIFFNESS, 0, 0.4]


@pytest.fixture
def book(tmp_path):
    path = lift_book(tmp_path / "rest.xlsx", analysis="equilibrium", Drivers=driver_rows())
    sheetmbs.run(sheetmbs.read(path)).save()
    return path


def rows(book, sheet="mbs Equilibrium"):
    return sheet_values(book, sheet)


def table(book, title):
    """The rows of one of the tables, by the names of its elements."""
    lines = rows(book)
    first = next(k for k, row in enumerate(lines) if row[0] == title)
    heads = [head for head in lines[first][1:] if head]
    found = {}
    for row in lines[first + 1 :]:
        if not row[0]:
            break
        found[row[0]] = dict(zip(heads, row[1:], strict=False)) | {"unit": row[-1]}
    return found


def charts(book):
    parts = read_parts(book)
    names = sorted(name for name in parts if re.fullmatch(r"xl/charts/chart\d+\.xml", name))
    return [etree.fromstring(parts[name]) for name in names]


def titles(book):
    return ["".join(chart.find(f"{C}chart/{C}title").itertext(f"{A}t")) for chart in charts(book)]


def test_every_kind_of_element_has_its_table_and_the_forces_bear_the_weight(book):
    assert table(book, "Spring forces")["strut"]["force"] == pytest.approx(MASS * GRAVITY, rel=1e-9)
    lengths = table(book, "Spring lengths")["strut"]
    assert lengths["length"] == pytest.approx(400 + 1000 * MASS * GRAVITY / STIFFNESS, rel=1e-9)
    assert lengths["unit"] == "mm"
    point = table(book, "Positions of points")["axle"]
    assert point["y"] == pytest.approx(-1000 * MASS * GRAVITY / STIFFNESS, rel=1e-6)
    reaction = table(book, "Reactions at joints")["guide"]
    assert reaction["size"] == pytest.approx(float(np.hypot(reaction["x"], reaction["y"])), abs=1e-12)


def test_all_numbers_are_those_of_the_result_sheets(book):
    [names, _, values] = rows(book, "mbs Springs")
    springs = dict(zip(names, values, strict=True))
    assert table(book, "Spring forces")["strut"]["force"] == springs["strut.force"]
    assert table(book, "Spring lengths")["strut"]["length"] == springs["strut.length"]


def test_loads_are_bars_over_the_names_of_their_elements(book):
    assert "Spring forces" in titles(book)
    for chart in charts(book):
        assert not list(chart.iter(f"{C}scatterChart"))
        assert not list(chart.iter(f"{C}marker"))
        [series] = chart.iter(f"{C}ser")
        names = [v.text for v in series.find(f"{C}cat/{C}strRef/{C}strCache").iter(f"{C}v")]
        assert names == ["strut"]
        reference = series.find(f"{C}val/{C}numRef/{C}f").text
        assert reference.startswith("'mbs Equilibrium'!$B$")


def test_bars_begin_at_zero(book):
    [chart] = [chart for chart, title in zip(charts(book), titles(book), strict=True) if title == "Spring forces"]
    scaling = chart.find(f".//{C}valAx/{C}scaling")
    assert float(scaling.find(f"{C}min").get("val")) == 0.0


def test_loads_that_only_round_have_no_bars(book):
    """The guide carries nothing: gravity acts along it."""
    assert "Reactions at joints" not in titles(book)
    assert table(book, "Reactions at joints")["guide"]["size"] <= LOAD_NOISE * MASS * GRAVITY


def test_a_chart_of_lines_is_not_drawn_as_a_dot_and_its_absence_is_said(tmp_path):
    asked = [["title", "x", "y"], ["Force over height", "axle.y", "strut.force"]]
    path = lift_book(tmp_path / "rest.xlsx", analysis="equilibrium", Drivers=driver_rows(), Charts=asked)
    results = sheetmbs.run(sheetmbs.read(path))
    results.save()
    assert results.sheets.problems == ()
    assert titles(path) == ["Spring forces"]
    said = [row[0] for row in rows(path, "mbs Charts") if row[0]]
    assert any("one row makes no line" in line and "Force over height" in line for line in said)


def test_modes_have_the_tables_of_their_equilibrium_too(tmp_path):
    path = lift_book(tmp_path / "modes.xlsx", analysis="modes", Drivers=driver_rows())
    sheetmbs.run(sheetmbs.read(path)).save()
    assert table(path, "Spring forces")["strut"]["force"] == pytest.approx(MASS * GRAVITY, rel=1e-9)
    assert table(path, "Positions of bodies")["wheel"]["y"] == pytest.approx(
        -1000 * MASS * GRAVITY / STIFFNESS, rel=1e-6
    )
    assert titles(path)[0] == "Frequencies"
    assert not [
        marker for chart in charts(path) if list(chart.iter(f"{C}barChart")) for marker in chart.iter(f"{C}marker")
    ]


def restyled(book, title, old, new):
    """As if Excel had saved the book after a change of one chart."""
    save_as_excel(book)
    parts = read_parts(book)
    for name in [name for name in parts if re.fullmatch(r"xl/charts/chart\d+\.xml", name)]:
        if title in parts[name].decode():
            assert old in parts[name].decode()
            change_part(book, name, old, new)


def run_again(book, **changed):
    """The analysis once more, after rows of sheets were changed by hand."""
    made = openpyxl.load_workbook(lift_book(book.with_name("new.xlsx"), **changed))
    made.close()
    model = sheetmbs.read(book.with_name("new.xlsx"))
    model = replace(model, source=book, source_bytes=None)
    results = sheetmbs.run(model)
    told = []
    results.save_somewhere(None, backup=False, tell=told.append)
    return told


def test_a_restyled_chart_of_bars_follows_its_rows_and_new_elements(book):
    restyled(book, "Spring forces", "0072B2", "112233")
    springs = [["name", "body_i", "body_j", "point_i", "point_j", "k", "c", "length0"]]
    springs += [["first", "ground", "wheel", "mount", "axle", STIFFNESS, 0, 0.4], SECOND]
    run_again(
        book,
        analysis="equilibrium",
        Drivers=driver_rows(["hold", "guide", "displacement", None, None, None]),
        Springs=springs,
    )
    [chart] = [chart for chart, title in zip(charts(book), titles(book), strict=True) if title == "Spring forces"]
    assert "112233" in etree.tostring(chart).decode()
    [series] = chart.iter(f"{C}ser")
    names = [v.text for v in series.find(f"{C}cat/{C}strRef/{C}strCache").iter(f"{C}v")]
    assert names == ["first", "second"]
    reference = series.find(f"{C}val/{C}numRef/{C}f").text
    first, last = (int(row) for row in re.findall(r"\$B\$(\d+)", reference))
    assert [row[0] for row in rows(book)[first - 1 : last]] == ["first", "second"]


def test_a_restyled_chart_of_modes_stays_and_is_not_drawn_twice(tmp_path):
    path = lift_book(tmp_path / "modes.xlsx", analysis="modes", Drivers=driver_rows())
    sheetmbs.run(sheetmbs.read(path)).save()
    before = titles(path)
    restyled(path, "Shapes: displacements", "0072B2", "112233")
    sheetmbs.run(sheetmbs.read(path)).save()
    assert sorted(titles(path)) == sorted(before)
    assert any("112233" in etree.tostring(chart).decode() for chart in charts(path))


def test_a_formula_whose_row_shows_something_else_now_is_named(tmp_path):
    path = lift_book(tmp_path / "rest.xlsx", analysis="equilibrium", Drivers=driver_rows())
    sheetmbs.run(sheetmbs.read(path)).save()
    at = next(k for k, row in enumerate(rows(path), start=1) if row[0] == "strut")
    workbook = openpyxl.load_workbook(path)
    notes = workbook.create_sheet("Notes")
    notes["A1"] = f"='mbs Equilibrium'!B{at}"
    workbook.save(path)
    unchanged = run_again(path, analysis="equilibrium", Drivers=driver_rows())
    assert [problem.code for problem in unchanged] == []
    drivers = driver_rows(["hold", "guide", "displacement", None, None, None])
    [told] = run_again(path, analysis="equilibrium", Drivers=drivers)
    assert told.code == "reference-to-another-result"
    assert told.cell == "Notes!A1"
    assert "strut" in told.found
