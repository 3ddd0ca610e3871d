"""Rows of Handling on a page: the car in each state with its tyre forces, and a diagram that moves it with the pointer."""

import base64
import re

import numpy as np
import pytest

from sheetmbs.live.workbook_page import view
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.moved_hardpoints import SweepSolver
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.cells.cells import open_book
from tests.support.browsers import opened
from tests.support.handling_books import CORNERS, student_book

ROWS = (
    ("d", "yaw moment", "60 km/h", None, None, "-2 deg", "2 deg", "1 deg", "-6 mm", "6 mm", "3 mm"),
    ("c", "circle", None, "20 m"),
)
MASS, G = 280.0, 9.81


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    return student_book(tmp_path_factory.mktemp("books") / "car.xlsx", ROWS)


@pytest.fixture(scope="module")
def document(book):
    return view(book).document


@pytest.fixture(scope="module")
def results(book):
    return run_suspension(book)


@pytest.fixture
def page(browser, book):
    path = view(book).write(book.with_suffix(".html"))
    found = opened(browser, path, bypass_csp=True)
    yield found
    assert found.said == []
    found.tab.context.close()


def tab(document, name):
    return next(each for each in document["cases"] if each["name"] == name)


def numbers(part):
    return np.frombuffer(base64.b64decode(part["f32"]), dtype="<f4").reshape(part["shape"]).astype(float)


def shown(case, name):
    """A column of the first table of a tab."""
    table = case["tables"][0]
    return numbers(table["values"])[table["columns"].index(name)]


@pytest.mark.parametrize("name", ["d", "c"])
def test_tyre_forces_of_each_state_stand_at_the_contacts_and_carry_the_car(document, name):
    case = tab(document, name)
    arrows = {each["name"]: each for each in case["scene"]["arrows"]}
    assert set(arrows) == {f"{corner} tyre" for corner in CORNERS}
    normals, places = (numbers(case["scene"]["road"][part]) for part in ("normals", "places"))
    total = sum(numbers(arrow["values"]) for arrow in arrows.values())
    assert np.sum(total * normals, axis=1) == pytest.approx(np.full(len(total), MASS * G), rel=1e-5)
    for corner in CORNERS:
        arrow = arrows[f"{corner} tyre"]
        load = np.sum(numbers(arrow["values"]) * normals, axis=1)
        assert load == pytest.approx(shown(case, f"{corner}.fz"), rel=1e-5, abs=1e-3)
        over = np.sum((numbers(arrow["acts"]) - places) * normals, axis=1)
        pressed = 1e-6 * (load - load.mean()) / 0.12
        assert over == pytest.approx(np.zeros(len(over)), abs=6e-3), "tyres are pressed in by some mm at the most"
        assert np.corrcoef(over, -pressed)[0, 1] > 0.99


def test_the_motion_goes_through_all_states_of_the_sheet(document, results):
    case = tab(document, "d")
    (found,) = [each for each in results.base.handling.found if each.row.name == "d"]
    columns = dict(zip(found.table.columns, found.table.values.T, strict=True))
    good = np.isfinite(columns["ay"])
    assert sorted(shown(case, "ay_g")) == pytest.approx(sorted(columns["ay_g"][good]), abs=1e-6)
    rack, beta = shown(case, "rack"), shown(case, "beta")
    steps = np.abs(np.diff(rack)) / 3.0 + np.abs(np.diff(beta))
    assert np.max(steps) < 1.5, "neighbours on the way are neighbours in the diagram"
    opens = int(case["course"]["opens"])
    assert (rack[opens], beta[opens]) == pytest.approx((0.0, 0.0), abs=1e-6)
    wheel = next(k for k, body in enumerate(case["scene"]["bodies"]) if body["name"] == "FL upright")
    height = numbers(case["scene"]["poses"])[:, wheel, 2]
    travel = 1e-3 * shown(case, "FL.travel")
    assert np.corrcoef(height, travel)[0, 1] > 0.999, "the car is posed at the travels of each state"


def test_the_car_follows_the_pointer_in_the_diagram(page, document):
    case = tab(document, "d")
    page.tab.get_by_role("tab", name="d", exact=True).click()
    card = page.tab.locator("article.chart", has_text="Yaw-moment diagram").first
    clock = page.tab.locator("output.clock")
    assert clock.inner_text().startswith("beta 0.0 deg, rack 0.0 mm")
    before = page.positions()["FR upright"]
    plot = card.locator(".u-over").bounding_box()
    page.tab.mouse.move(plot["x"] + 0.97 * plot["width"], plot["y"] + 0.5 * plot["height"])
    page.tab.wait_for_function(
        "before => document.querySelector('output.clock').innerText !== before", arg="beta 0.0 deg, rack 0.0 mm"
    )
    beta, rack = (
        float(text) for text in re.findall(r"[-+]?[0-9.]+", clock.inner_text().replace("\N{MINUS SIGN}", "-"))
    )
    at = np.argmin(np.abs(shown(case, "beta") - beta) + np.abs(shown(case, "rack") - rack))
    ay = shown(case, "ay_g")
    assert ay[at] > 0.6 * np.max(ay), "the pointer is at the right end"
    assert page.positions()["FR upright"] != before


def test_dragging_a_point_solves_no_row_of_handling(book, monkeypatch):
    monkeypatch.setattr("sheetmbs.suspension.solved_design.solve_handling", lambda *_all: pytest.fail("it is solved"))
    solver = SweepSolver(open_book(book))
    assert solver(open_book(book), "heave")["name"] == "heave"
    with pytest.raises(WorkbookError, match="through its sweeps alone"):
        solver(open_book(book), "d")
