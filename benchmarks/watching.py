"""Watching a workbook: from a save to the picture in a browser, and the memory after a thousand saves in a row.

The suspension of `workbooks/car.xlsx` in bump is saved as Excel saves, with the mass of its chassis changed and changed
back. Clocks are of the same machine: the save is over when its file stands in its place; the picture is there when
Chromium has drawn the frame after the one in which the page took the new document. What the run itself took, from opening
the workbook to the packed document, is told by the page; the rest is watching, handing over and drawing.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

import openpyxl

from benchmarks import machine, tables
from benchmarks.options import Options
from tests.browsers import chromium
from tests.programs_saving import excel
from tests.watching_pages import Follower, Serving, serving

BOOK = Path(__file__).parents[1] / "workbooks" / "car.xlsx"
MASS = ("Bodies", "B3")
SAVES, FEW, SETTLED = 1000, 40, 20
TIMED = 25
PAUSE = 0.3
"""s between two saves that are timed, as long as a person needs at the least"""
ASK_EVERY = 100
"""ms; whoever asks a page all the time makes it slow"""
DRAWN = """
window.drawn = {};
new MutationObserver(() => {
  const number = document.documentElement.dataset.number;
  requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn[number] = Date.now(); }));
}).observe(document, { attributes: true, attributeFilter: ["data-number"], subtree: true });
"""
SHOWN = {"what": "what", "value": "value", "unit": "unit"}


def contents(book: Path) -> list[bytes]:
    """The workbook twice, with values in place of formulas, and with another mass in one of them."""
    found = []
    for factor in (1.0, 1.01):
        opened = openpyxl.load_workbook(book, data_only=True)
        opened[MASS[0]][MASS[1]].value *= factor
        held = io.BytesIO()
        opened.save(held)
        found.append(held.getvalue())
    return found


def timed(program: Serving, book: Path, both: list[bytes], count: int) -> list[tuple[float, float, float]]:
    """Seconds of runs, until pages were told, and until the picture was there, for so many saves."""
    follower = Follower(program.address)
    number = follower.result()["number"]
    found = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(DRAWN)
        page.goto(program.address)
        page.wait_for_timeout(2000)
        for save in range(count):
            excel(book, both[(save + 1) % 2])
            saved, saved_by_clock = time.monotonic(), time.time()
            told, state = follower.until(
                lambda state, last=number: state["fraction"] is None and state["number"] > last
            )
            number = state["number"]
            while not (drawn := page.evaluate(f"window.drawn[{number}] || 0")):
                page.wait_for_timeout(ASK_EVERY)
            found.append((state["seconds"], told - saved, drawn / 1e3 - saved_by_clock))
            page.wait_for_timeout(1e3 * PAUSE)
    return found


def growth(program: Serving, book: Path, both: list[bytes], count: int) -> tuple[float, float]:
    """Resident MB of all processes after the first saves and after all of them, each shown before the next."""
    follower = Follower(program.address)
    number = follower.result()["number"]
    early = 0.0
    for save in range(count):
        excel(book, both[(save + 1) % 2])
        number = follower.result(number)["number"]
        if save == SETTLED:
            early = program.memory() / 1e6
    return early, program.memory() / 1e6


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table."""
    saves = FEW if options.quick else SAVES
    with tempfile.TemporaryDirectory() as folder:
        book = Path(shutil.copy(BOOK, folder))
        both = contents(book)
        excel(book, both[0])
        with serving("watch", book, "--case", "bump") as program:
            times = timed(program, book, both, 8 if options.quick else TIMED)
        excel(book, both[0])
        with serving("watch", book, "--case", "bump") as program:
            early, late = growth(program, book, both, saves)
    run, told, drawn = (1e3 * median(each) for each in zip(*times, strict=True))
    beyond = 1e3 * median(drawn - run for run, _told, drawn in times)
    rows = [
        {"what": "the run: read, analysed, made a document", "value": run, "unit": "ms"},
        {"what": "from the save until pages are told", "value": told, "unit": "ms"},
        {"what": "from the save until the picture is drawn", "value": drawn, "unit": "ms"},
        {"what": "of that, beyond the run", "value": beyond, "unit": "ms"},
        {"what": f"memory after {SETTLED} saves", "value": early, "unit": "MB"},
        {"what": f"memory after {saves:,} saves", "value": late, "unit": "MB"},
    ]
    print(machine.measured_on(len(times)))
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("watching", rows)
        tables.into_readme("watching", f"{machine.measured_on(len(times))}\n\n{tables.markdown(rows, SHOWN)}")
