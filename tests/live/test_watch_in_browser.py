"""A workbook that is watched, seen in a browser: a save changes the picture, and nothing else of the page."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.live.programs_saving import excel
from tests.live.test_watch_command import ending, settings_of, with_cells
from tests.live.watching_pages import Watched, serving

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000
"""milliseconds"""

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows has other signals"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of playwright's own pipes
]


@pytest.fixture
def tab(browser):
    """A page of the browser, and what it complained about: nothing, in the end."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(PATIENCE)
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.complaints = said
    yield page
    page.close()


@pytest.fixture
def book(tmp_path):
    return Path(shutil.copy(ROOT / "workbooks" / "pendulum.xlsx", tmp_path / "pendulum.xlsx"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One program that watches one workbook, for all tests that need no other."""
    book = Path(shutil.copy(ROOT / "workbooks" / "pendulum.xlsx", tmp_path_factory.mktemp("shared") / "pendulum.xlsx"))
    with serving("watch", book) as program:
        yield Watched(book, program, ending(book))


@pytest.fixture
def watched(shared, tab):
    """The workbook as good as ever, the page that shows it, and the number that it shows."""
    _page, state = shared.begin()
    tab.goto(shared.program.address)
    wait_for_later(tab, state["number"] - 1)
    return shared, state["number"]


def wait(page, expression):
    """Wait until JavaScript finds something true; the page's policy forbids playwright's own way, which evaluates texts."""
    end = time.monotonic() + PATIENCE / 1000
    while not (found := page.evaluate(expression)):
        assert time.monotonic() < end, f"it never came true: {expression}"
        page.wait_for_timeout(20)
    return found


def number_shown(page):
    """The number of the document on the page, once there is one."""
    return wait(page, "Number(document.documentElement.dataset.number || 0)")


def wait_for_later(page, number):
    wait(page, f"Number(document.documentElement.dataset.number) > {number}")


def places(page):
    return page.evaluate("sheetmbs.bodyPositions()")


def test_a_save_changes_the_picture_while_page_time_and_view_stay(tab, watched):
    shared, first = watched
    tab.evaluate("window.never_loaded_again = true; sheetmbs.goTo(0.2)")
    wait(tab, "Math.abs(sheetmbs.time() - 0.2) < 0.05")
    then, before = tab.evaluate("sheetmbs.time()"), places(tab)
    excel(shared.book, with_cells(shared.book, **{settings_of(shared.book)["gravity_y"]: -1.5}))
    wait_for_later(tab, first)
    assert tab.evaluate("window.never_loaded_again") is True
    assert tab.evaluate("sheetmbs.time()") == pytest.approx(then, abs=0.02)
    assert places(tab) != before
    assert tab.complaints == []


def test_a_mistake_is_listed_with_its_cell_and_goes_when_it_is_mended(tab, watched):
    shared, number = watched
    good, before = shared.book.read_bytes(), places(tab)
    excel(shared.book, with_cells(shared.book, Joints_C3="<script>window.evil = 1</script>"))
    alert = tab.locator("[role=alert]:visible", has_text="last good motion")
    alert.wait_for()
    assert "Joints!C3" in alert.inner_text()
    assert "<script>" in alert.inner_text()
    assert tab.evaluate("window.evil") is None
    assert number_shown(tab) == number
    assert places(tab) == before
    excel(shared.book, good)
    wait_for_later(tab, number)
    alert.wait_for(state="hidden")
    assert tab.complaints == []


def test_a_workbook_that_is_wrong_from_the_start_shows_why_and_moves_once_it_is_mended(tab, book):
    good = book.read_bytes()
    book.write_bytes(with_cells(book, Joints_C3="nobody"))
    with serving("watch", book) as program:
        tab.goto(program.address)
        tab.locator("[role=alert]:visible", has_text="Joints!C3").wait_for()
        assert tab.locator(".nothing").inner_text().startswith("There is no motion yet")
        assert tab.locator(":is(.transport, .drawer):visible").count() == 0, "nothing is there to be played or drawn"
        excel(book, good)
        number_shown(tab)
        assert places(tab)
        assert tab.locator(".nothing").is_hidden()
        assert tab.locator(".transport").is_visible()
    assert tab.complaints == []


def test_several_pages_follow_and_one_that_was_cut_off_catches_up(browser, tab, watched):
    shared, first = watched
    other = browser.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(shared.program.address)
    number_shown(other)
    other.context.set_offline(True)
    excel(shared.book, with_cells(shared.book, **{settings_of(shared.book)["t_end"]: 0.3}))
    wait_for_later(tab, first)
    other.context.set_offline(False)
    wait_for_later(other, first)
    assert number_shown(other) == number_shown(tab)
    other.close()


def test_a_page_of_another_site_gets_nothing(browser, watched):
    shared, _number = watched
    stranger = browser.new_page()
    stranger.goto("data:text/html,<p>another site</p>")
    outcome = stranger.evaluate(
        "address => fetch(address + 'document').then(answer => answer.text(), error => String(error))",
        shared.program.address,
    )
    assert "Failed to fetch" in outcome
    stranger.close()


def test_view_serves_the_page_until_it_is_stopped(tab, book):
    with serving("view", book) as program:
        tab.goto(program.address)
        assert number_shown(tab) == 1
        assert places(tab)
        time.sleep(0.2)
        status, said = program.stop()
        tab.get_by_text("sheetmbs has ended").wait_for()
    assert status == 130
    assert "Traceback" not in said
    assert tab.complaints == []
