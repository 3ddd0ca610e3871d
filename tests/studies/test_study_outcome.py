"""What a reader sees at the end of a study: limits in the charts, the best variant on top, and the next step."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sheetmbs.design_study import DesignStudy, run_study
from sheetmbs.workbook.sheets.page_contents import Page, PageChart
from tests.studies.study_books import VARIABLES, Value, sag, save_weight, study
from tests.support.sample_results import loaded_sheet

LIMIT = 30.0
GOALS: list[list[Value]] = [
    ["name", "of", "goal", "value", "unit"],
    ["sag", "-first(load.y)", "minimise", None, "mm"],
    ["drop", "-first(load.y)", "at most", LIMIT, "mm"],
    ["bounce", "first(coil.force)", "at most", 0.035, "kN"],
]


def weight(path: Path, method: str, responses: list[list[Value]] = GOALS, **settings: Value) -> Path:
    """The weight with a study whose variants miss some limits."""
    return save_weight(path, {"Study": study(method, **settings), "Variables": VARIABLES, "Responses": responses})


def page(found: DesignStudy, name: str) -> Page:
    """A page of the results."""
    return next(each for each in found.sheets.pages if each.name == name)


def drawn(found: DesignStudy, sought: str) -> tuple[np.ndarray, np.ndarray]:
    """The points of the line of that name in the first chart that has it."""
    columns = {f"mbs Study Curves!{each.name}": each.data for each in page(found, "mbs Study Curves").columns}
    line = next(line for chart in page(found, "mbs Study Charts").charts for line in chart.lines if line.name == sought)
    return columns[line.x], columns[line.y]


def charts_over(found: DesignStudy, *names: str) -> list[PageChart]:
    """The charts of a response over these variables."""
    return [
        chart
        for chart in page(found, "mbs Study Charts").charts
        if chart.title.endswith(tuple(f"over {n}" for n in names))
    ]


@pytest.mark.parametrize("method", ["grid", "one-at-a-time", "latin-hypercube", "optimise"])
def test_limits_are_lines_with_their_values_and_the_best_variant_is_on_top(tmp_path: Path, method: str) -> None:
    found = run_study(weight(tmp_path / "weight.xlsx", method, budget=40), workers=1)
    charts = charts_over(found, "mass", "rate")
    assert any("at most 30 mm" in [line.name for line in chart.lines] for chart in charts)
    _x, y = drawn(found, "at most 30 mm")
    np.testing.assert_array_equal(y, [LIMIT, LIMIT])
    for chart in page(found, "mbs Study Charts").charts:
        names = [line.name for line in chart.lines]
        best = [k for k, name in enumerate(names) if name.startswith("best")]
        assert not best or best == [len(names) - 1]
        marks = [k for k, name in enumerate(names) if name.startswith("at most")]
        assert marks == [*range(len(marks))]


def test_a_limit_of_the_largest_value_is_drawn_across_the_curves(tmp_path: Path) -> None:
    """In the unit of the column: 0.03 m for 30 mm."""
    sheets = {"Study": study("grid"), "Variables": VARIABLES}
    settings: list[list[Value]] = [
        ["setting", "value", "unit"],
        ["dimension", "2D"],
        ["analysis", "dynamic"],
        ["gravity_y", -10.0, "m/s^2"],
        ["t_end", 0.2, "s"],
        ["t_step", 0.01, "s"],
    ]
    goals: list[list[Value]] = [["name", "of", "goal", "value", "unit"], ["top", "max(load.y)", "at most", 30.0, "mm"]]
    book = save_weight(tmp_path / "weight.xlsx", {**sheets, "Settings": settings, "Responses": goals})
    found = run_study(book, workers=1)
    [chart] = [each for each in page(found, "mbs Study Charts").charts if each.title == "load.y over time"]
    assert chart.lines[0].name == "at most 30 mm"
    x, y = drawn(found, "at most 30 mm")
    np.testing.assert_allclose(y, [0.03, 0.03])
    np.testing.assert_allclose(x, [0.0, 0.2])


def test_the_summary_ends_with_the_command_that_takes_the_best_variant_and_a_link_to_its_row(tmp_path: Path) -> None:
    book, out = weight(tmp_path / "weight.xlsx", "grid"), tmp_path / "found it.xlsx"
    found = run_study(book, workers=1)
    found.save(out)
    best = found.found.best
    sheet = loaded_sheet(out, "mbs Study Summary")
    texts = [(cell.row, cell.value, cell.hyperlink) for cell in sheet["A"] if cell.value is not None]
    (_, title, _), (_, command, _), (last, _named, link) = texts[-3:]
    assert title == "Next step"
    assert command.endswith(f"sheetmbs study THIS-FILE.xlsx --apply {best} --run")
    assert found.next_step(str(out)).endswith(f'sheetmbs study "{out}" --apply {best} --run')
    assert last == sheet.max_row
    target = link.location.replace("'", "")
    assert target.startswith("mbs Study!A")
    row = loaded_sheet(out, "mbs Study")[int(target.removeprefix("mbs Study!A"))]
    assert row[0].value == best
    assert row[5].value == pytest.approx(sag(row[3].value, row[4].value))


def test_the_command_of_the_next_step_works_as_it_stands(tmp_path: Path) -> None:
    book = weight(tmp_path / "weight.xlsx", "grid")
    call = [sys.executable, "-m", "sheetmbs", "study"]
    done = subprocess.run([*call, book.name], cwd=tmp_path, capture_output=True, text=True, check=True)
    command = done.stderr.splitlines()[-1].partition("sheetmbs study ")[2].split()
    assert command[0] == "weight.xlsx"
    assert command[1] == "--apply"
    subprocess.run([*call, *command], cwd=tmp_path, capture_output=True, check=True)
    copy = loaded_sheet(tmp_path / f"weight-variant-{command[2]}.xlsx", "Dimensions")
    assert (copy["B2"].value, copy["B3"].value) == (1.0, 1000.0)


def test_without_a_goal_the_next_step_is_to_choose_a_variant(tmp_path: Path) -> None:
    watched: list[list[Value]] = [["name", "of"], ["sag", "-first(load.y)"]]
    found = run_study(weight(tmp_path / "weight.xlsx", "grid", watched), workers=1)
    assert found.next_step("weight.xlsx").startswith("Choose a variant on mbs Study, such as 1")


def test_copies_of_a_study_are_equal_whatever_they_are_called(tmp_path: Path) -> None:
    book = weight(tmp_path / "my weight.xlsx", "grid")
    found = run_study(book, workers=1)
    first, second = found.save(tmp_path / "one.xlsx"), found.save(tmp_path / "two.xlsx")
    assert first.read_bytes() == second.read_bytes()
