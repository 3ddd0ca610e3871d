"""Pages: how large they are, how soon they show, and how many frames a second a browser draws without a graphics card.

A browser that draws in software spends nearly all of a frame on filling triangles. The time that our scripts take of a
frame is given beside it: that is what is left where there is a graphics card.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import machine, tables
from benchmarks.options import Options
from sheetmbs.live.workbook_page import view
from sheetmbs.viewing.one_file import one_file
from sheetmbs.viewing.packed import packed
from tests.support.browsers import chromium

ROOT = Path(__file__).parents[1]
PAGES = {
    "car.xlsx, case bump": ("car.xlsx", "bump"),
    "car.xlsx, eight cases": ("car.xlsx", None),
    "slider-crank.xlsx": ("slider-crank.xlsx", None),
    "formula-student.xlsx": ("formula-student.xlsx", None),
    "gait-walk.xlsx": ("gait-walk.xlsx", None),
}
BODIES, FRAMES = 201, 301
WINDOW = {"width": 1440, "height": 900}
WARM = 1500
"""ms in which shaders are compiled and the page finds how many pixels there is time for"""
SECONDS = 4
DRAWN = """seconds => new Promise(done => {
  const start = performance.now();
  let frames = 0;
  const count = () => {
    frames += 1;
    if (performance.now() - start < 1000 * seconds) requestAnimationFrame(count);
    else done(frames);
  };
  requestAnimationFrame(count);
})"""
SHOWN = {
    "page": "page",
    "size": "size, MB",
    "shows": "until it shows, s",
    "frames": "frames/s",
    "script": "script a frame, ms",
}


def many_bodies() -> dict[str, Any]:
    """The document of a four-bar linkage, 67 times side by side."""
    document = view(ROOT / "workbooks" / "four-bar.xlsx").document
    case = document["cases"][0]
    scene = case["scene"]
    copies = BODIES // len(scene["bodies"])
    rng = np.random.default_rng(0)
    rows = np.linspace(0.0, 2.0 * np.pi, FRAMES)
    poses = np.zeros((FRAMES, copies * len(scene["bodies"]), 7))
    for copy in range(copies):
        for number in range(len(scene["bodies"])):
            at = copy * len(scene["bodies"]) + number
            half = 0.5 * (rows + rng.uniform(0.0, 6.0))
            poses[:, at, :3] = [0.3 * (copy % 9), 0.3 * (copy // 9), 0.1 * number]
            poses[:, at, 3], poses[:, at, 6] = np.cos(half), np.sin(half)
    count = len(scene["bodies"])
    scene["plane"], scene["up"] = False, [0.0, 0.0, 1.0]
    scene["times"], scene["poses"] = packed(rows), packed(poses)
    scene["bodies"] = [each | {"name": f"{each['name']} {k}"} for k in range(copies) for each in scene["bodies"]]
    scene["joints"] = [_of_copy(each, k * count) for k in range(copies) for each in scene["joints"]]
    scene["size"], scene["points"], scene["arrows"], scene["ground"] = 2.5, [], [], []
    case["tables"], case["charts"] = [], []
    return document


def _of_copy(joint: dict[str, Any], first: int) -> dict[str, Any]:
    moved = {side: joint[side] | {"body": max(joint[side]["body"], 0) + first} for side in ("i", "j")}
    return joint | moved


def measured(browser: Any, path: Path, runs: int) -> dict[str, float]:
    """Seconds until a page shows, frames a second while it plays and milliseconds of script in each: medians."""
    found: list[tuple[float, float, float]] = []
    for _run in range(runs):
        tab = browser.new_page(viewport=WINDOW)
        began = perf_counter()
        tab.goto(path.as_uri())
        tab.get_by_role("main").wait_for()
        shown = perf_counter() - began
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable")
        tab.keyboard.press("Space")
        tab.wait_for_timeout(WARM)
        before = _script(session)
        frames = tab.evaluate(DRAWN, SECONDS)
        found.append((shown, frames / SECONDS, 1e3 * (_script(session) - before) / frames))
        tab.close()
    shows, frames, script = (median(each) for each in zip(*found, strict=True))
    return {"shows": shows, "frames": frames, "script": script}


def _script(session: Any) -> float:
    """Seconds that scripts of a page have taken so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "ScriptDuration")


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table."""
    runs = 1 if options.quick else options.runs
    rows: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder, "page.html")
        for name, (book, case) in PAGES.items():
            if options.wanted(name):
                view(ROOT / "workbooks" / book, case=case).write(path)
                rows.append({"page": name, "size": path.stat().st_size / 1e6, **measured(browser, path, runs)})
        path.write_text(one_file(many_bodies()), encoding="utf-8")
        name = f"{BODIES} bodies and {4 * BODIES // 3} joints in space"
        rows.append({"page": name, "size": path.stat().st_size / 1e6, **measured(browser, path, runs)})
    print(machine.measured_on(runs))
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("pages", rows)
        tables.into_readme("pages", f"{machine.measured_on(runs)}\n\n{tables.markdown(rows, SHOWN)}")
