"""Points dragged and variables slid in a real browser: what follows, what stays as ghost, undo, and what is written."""

import os
import shutil
import time
from pathlib import Path

import openpyxl
import pytest

from sheetmbs.live.workbook_page import view
from tests.live.watching_pages import serving
from tests.support.browsers import SLOW
from tests.viewing.test_page_for_everybody import AXE, BROKEN, RULES

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000
"""milliseconds"""
POINT = "FL lower ball joint"
HANDLES = "window.sheetmbs.stage.handles"

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has other signals"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of playwright's own pipes
]


@pytest.fixture
def tab(browser):
    """A page of the browser, and what it complained about: nothing, in the end."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE)
    said = []
    page.on("console", lambda message: None if SLOW in message.text else said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    assert said == []
    page.close()


def open_handles(tab, address):
    tab.goto(address)
    tab.locator("main:not(.waiting)").wait_for()
    tab.get_by_role("button", name="Move points and variables").click()


def positions(tab):
    """Pixels of handles in the window."""
    box = tab.locator(".scene").bounding_box()
    return {
        each["name"]: (box["x"] + each["left"], box["y"] + each["top"])
        for each in tab.evaluate(f"{HANDLES}.positions()")
    }


def until(tab, expression):
    """Wait for something to be true; the page's policy forbids the waiting of playwright."""
    end = time.monotonic() + PATIENCE / 1000
    while not tab.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.05)


def settled(tab):
    """Wait until what was asked for is shown."""
    until(tab, f"!{HANDLES}.isAsking && !{HANDLES}.isWanted")


def drag(tab, name, dx, dy):
    x, y = positions(tab)[name]
    tab.mouse.move(x, y)
    tab.mouse.down()
    for k in range(1, 5):
        tab.mouse.move(x + dx * k / 4, y + dy * k / 4)
    settled(tab)
    tab.mouse.up()
    return x, y


def changes(tab):
    return tab.evaluate(f"{HANDLES}.changes")


def values_of_charts(tab):
    return tab.locator(".drawer").inner_text()


def summary(tab):
    return dict(
        tab.locator("table.summary tbody tr").evaluate_all(
            "rows => rows.map(r => [r.cells[0].textContent, r.cells[1].textContent])"
        )
    )


def test_a_drag_moves_the_point_its_curves_and_the_summary_and_is_written_back(tab, tmp_path):
    book = Path(shutil.copy(ROOT / "templates" / "suspension-double-wishbone.xlsx", tmp_path / "car.xlsx"))
    before = book.read_bytes()
    with serving("view", book) as program:
        open_handles(tab, program.address)
        tab.get_by_role("button", name="Front: look").click()
        charts, items, eye = values_of_charts(tab), summary(tab), tab.evaluate("window.sheetmbs.stage.eye.azimuth")
        x, y = drag(tab, POINT, 8, -6)
        there = positions(tab)[POINT]
        assert there == pytest.approx((x + 8, y - 6), abs=1.0)
        assert tab.evaluate("window.sheetmbs.stage.eye.azimuth") == eye  # the scene has not been turned
        moved = changes(tab)
        assert set(moved) == {"Hardpoints!D5", "Hardpoints!E5"}  # the front view's plane: y and z
        assert values_of_charts(tab) != charts
        assert summary(tab)["front kingpin inclination"] != items["front kingpin inclination"]
        assert tab.get_by_role("button", name="Show or hide: Start").is_visible()
        assert book.read_bytes() == before
        tab.get_by_role("button", name="Undo the last move").click()
        settled(tab)
        assert (changes(tab), values_of_charts(tab)) == ({}, charts)
        drag(tab, POINT, 8, -6)
        assert changes(tab) == moved
        field = tab.locator(".handles input[name='Hardpoints!C5']")
        field.fill("9.5")
        field.press("Enter")
        settled(tab)
        moved["Hardpoints!C5"] = 9.5
        assert changes(tab) == moved
        shown = summary(tab)
        tab.get_by_role("button", name="Write into the workbook").click()
        question = tab.get_by_role("dialog", name="Write into the workbook")
        for cell in moved:
            assert question.get_by_text(cell).is_visible()
        question.get_by_role("button", name="Cancel").click()
        assert book.read_bytes() == before
        tab.get_by_role("button", name="Write into the workbook").click()
        question.get_by_role("button", name="Write these cells").click()
        until(tab, "document.documentElement.dataset.number === '2'")
        until(tab, f"Object.keys({HANDLES}.changes).length === 0")
        sheet = openpyxl.load_workbook(book)["Hardpoints"]
        assert {f"Hardpoints!{cell.coordinate}": cell.value for cell in sheet[5][2:5]} == moved
        written = dict.fromkeys(summary(tab))
        assert set(shown) <= set(written)
        (case,) = view(book, case="heave", variants="none").document["cases"]
        found = {item: value for item, value, _unit in case["summary"]}
        inclination = found["front kingpin inclination"]
        assert shown["front kingpin inclination"].startswith(f"{inclination:.4g}")
        tab.get_by_role("button", name="Undo the last move").click()  # also what has been written can be undone
        settled(tab)
        assert changes(tab)["Hardpoints!C5"] == 6


def test_a_slider_moves_the_mechanism_and_a_written_number_is_watched(tab, tmp_path):
    book = Path(shutil.copy(ROOT / "workbooks" / "mechanism-synthesis.xlsx", tmp_path / "linkage.xlsx"))
    with serving("watch", book) as program:
        program.wait_for("accuracy check")
        open_handles(tab, program.address)
        places = tab.evaluate("window.sheetmbs.bodyPositions()")
        slider = tab.get_by_role("slider", name="crank", exact=True)
        slider.evaluate("(made) => { made.value = '2.5'; made.dispatchEvent(new Event('input', {bubbles: true})); }")
        settled(tab)
        assert changes(tab) == {"Dimensions!B3": 2.5}
        assert tab.evaluate("window.sheetmbs.bodyPositions()") != places
        moved = tab.evaluate("window.sheetmbs.bodyPositions()")
        tab.get_by_role("button", name="Undo the last move").click()
        settled(tab)
        assert (changes(tab), tab.evaluate("window.sheetmbs.bodyPositions()")) == ({}, places)
        slider.evaluate("(made) => { made.value = '2.5'; made.dispatchEvent(new Event('input', {bubbles: true})); }")
        settled(tab)
        # coordinates that are formulas are shown with them, and cannot be typed
        locked = tab.evaluate(f"{HANDLES}.offered.handles.findIndex((each) => each.cells[0].formula !== null)")
        tab.get_by_role("combobox", name="Point to move").select_option(value=str(locked))
        field = tab.locator(".handles input[type=number]").first
        assert field.is_disabled()
        assert "holds the formula =" in field.get_attribute("title")
        tab.get_by_role("button", name="Write into the workbook").click()
        tab.get_by_role("dialog").get_by_role("button", name="Write these cells").click()
        program.wait_for("accuracy check", count=2)
        until(tab, "document.documentElement.dataset.number === '2'")
        assert openpyxl.load_workbook(book)["Dimensions"]["B3"].value == 2.5
        again = tab.evaluate("window.sheetmbs.bodyPositions()")
        assert [each["x"] for each in again] == pytest.approx([each["x"] for each in moved], abs=1e-9)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_hinders_anybody_where_points_are_moved(browser, tmp_path, scheme):
    """Names of all controls and contrasts, by axe; with the question before cells are written."""
    if not AXE.exists():
        pytest.skip("axe is not installed: npm ci --prefix tests/page")
    book = Path(shutil.copy(ROOT / "workbooks" / "bump-steer-study.xlsx", tmp_path / "study.xlsx"))
    with serving("view", book) as program:
        tab = browser.new_context(
            viewport={"width": 1440, "height": 900}, color_scheme=scheme, bypass_csp=True
        ).new_page()
        open_handles(tab, program.address)
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        tab.get_by_role("combobox", name="Point to move").select_option(index=1)
        field = tab.locator(".handles input[type=number]").first
        field.fill("150")
        field.press("Enter")
        settled(tab)
        assert tab.evaluate(BROKEN, RULES) == []
        tab.get_by_role("button", name="Write into the workbook").click()
        assert tab.evaluate(BROKEN, RULES) == []
        tab.context.close()


def test_a_page_that_is_a_file_offers_no_handles(tab, tmp_path):
    path = view(ROOT / "workbooks" / "pendulum.xlsx").write(tmp_path / "page.html")
    tab.goto(path.as_uri())
    tab.locator("main:not(.waiting)").wait_for()
    assert tab.get_by_role("button", name="Move points").count() == 0
