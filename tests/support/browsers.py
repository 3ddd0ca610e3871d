"""A real browser for tests of pages: Debian's Chromium through playwright, drawing WebGL in software."""

import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ("--enable-unsafe-swiftshader", "--no-sandbox")
PATIENCE = 10_000
"""ms"""
SLOW = "GL Driver Message (OpenGL, Performance"
"""what the browser says of itself where it draws in software"""


@contextmanager
def chromium():
    """A browser; skips in words where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A page in a tab, with what it said on its console and what it asked for."""

    def __init__(self, tab, address):
        self.tab = tab
        tab.set_default_timeout(PATIENCE)
        self.said = []
        self.asked = []
        tab.on("console", lambda message: None if SLOW in message.text else self.said.append(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.goto(address)
        tab.get_by_role("main").wait_for(timeout=PATIENCE)

    def ask(self, call):
        """What a call of the page's own functions gives."""
        return self.tab.evaluate(f"window.sheetmbs.{call}")

    def positions(self):
        """Places of bodies by name."""
        return {each["name"]: each for each in self.ask("bodyPositions()")}

    def picture(self):
        """The scene as it is seen once it stays the same, with nothing pointed at."""
        self.tab.mouse.move(2, 2)
        self.tab.evaluate("document.activeElement.blur()")
        scene = self.tab.locator(".scene")
        last = scene.screenshot()
        while (now := scene.screenshot()) != last:
            last = now
        return now

    def press(self, name):
        """Press a button by its name."""
        self.tab.get_by_role("button", name=name).first.click()


def opened(browser, path, *, before="", **context):
    """A page opened from a file in a tab of its own. before: a script that runs first."""
    tab = browser.new_context(**{"viewport": {"width": 1440, "height": 900}} | context).new_page()
    if before:
        tab.add_init_script(before)
    return Opened(tab, path.as_uri())
