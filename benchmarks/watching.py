"""Watching a workbook: from a save to the picture in a browser, and the memory after a thousand saves in a row.

The suspension of `workbooks/car.xlsx` in bump is saved as Excel saves, with the mass of its chassis changed and changed
back. Clocks are of the same machine: the save is over when its file stands in its place; the picture is there when
Chromium has drawn the frame after the one in which the page took the new document. What the run itself took, from opening
the workbook to the packed document, is reported by the page; the rest is watching, handing over and drawing.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import openpyxl

from benchmarks import machine, tables
from benchmarks.options import Options
from tests.live.programs_saving import excel
from tests.live.watching_pages import Follower, Serving, serving
from tests.support.browsers import chromium

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
HELD = (
    ("memory", "memory of all processes", "MB"),
    ("heap", "memory of the page's scripts", "MB"),
    ("elements", "elements of the page", ""),
    ("run", "the run", "ms"),
)
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
    """Seconds of runs, until pages got the results, and until the picture was there, for so many saves."""
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
            received, state = follower.until(
                lambda state, last=number: state["fraction"] is None and state["number"] > last
            )
            number = state["number"]
            while not (drawn := page.evaluate(f"window.drawn[{number}] || 0")):
                page.wait_for_timeout(ASK_EVERY)
            found.append((state["seconds"], received - saved, drawn / 1e3 - saved_by_clock))
            page.wait_for_timeout(1e3 * PAUSE)
    return found


def growth(program: Serving, book: Path, both: list[bytes], count: int) -> tuple[dict[str, float], dict[str, float]]:
    """What is held after the first saves and after all of them, each of them shown by a page before the next."""
    follower = Follower(program.address)
    number = follower.result()["number"]
    early: dict[str, float] = {}
    seconds = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(program.address)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        for save in range(count):
            excel(book, both[(save + 1) % 2])
            state = follower.result(number)
            number = state["number"]
            seconds.append(state["seconds"])
            while page.evaluate("Number(document.documentElement.dataset.number || 0)") < number:
                page.wait_for_timeout(ASK_EVERY)
            if save == SETTLED:
                early = held(program, session, seconds)
        return early, held(program, session, seconds)


def held(program: Serving, session: Any, seconds: list[float]) -> dict[str, float]:
    """Resident MB of all processes, MB and elements that the page holds, and how long the last runs took, ms."""
    session.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return {
        "memory": program.memory() / 1e6,
        "heap": metrics["JSHeapUsedSize"] / 1e6,
        "elements": metrics["Nodes"],
        "run": 1e3 * median(seconds[-SETTLED:]),
    }


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
    run, received, drawn = (1e3 * median(each) for each in zip(*times, strict=True))
    beyond = 1e3 * median(drawn - run for run, _told, drawn in times)
    rows = [
        {"what": "the run: read, analysed, made a document", "value": run, "unit": "ms"},
        {"what": "from the save until pages get the results", "value": received, "unit": "ms"},
        {"what": "from the save until the picture is drawn", "value": drawn, "unit": "ms"},
        {"what": "of that, beyond the run", "value": beyond, "unit": "ms"},
        *(
            {"what": f"{what} after {done:,} saves", "value": found[name], "unit": unit}
            for name, what, unit in HELD
            for done, found in ((SETTLED, early), (saves, late))
        ),
    ]
    print(machine.measured_on(len(times)))
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("watching", rows)
        tables.into_readme("watching", f"{machine.measured_on(len(times))}\n\n{tables.markdown(rows, SHOWN)}")
