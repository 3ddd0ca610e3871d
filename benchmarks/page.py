"""How large a page is, how soon it shows, and how many frames a second it draws in software. See docs/benchmarks.md.

python benchmarks/page.py
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from sheetmbs import study
from sheetmbs.viewing.one_file import one_file
from sheetmbs.viewing.packed import packed

ROOT = Path(__file__).parents[1]
ARGUMENTS = ("--enable-unsafe-swiftshader", "--no-sandbox")
BODIES, FRAMES = 201, 301
SECONDS = 4
DRAWN = """seconds => new Promise(done => {
  const start = performance.now();
  let frames = 0;
  const count = () => {
    frames += 1;
    if (performance.now() - start < 1000 * seconds) requestAnimationFrame(count);
    else done(frames / seconds);
  };
  requestAnimationFrame(count);
})"""


def many_bodies() -> dict[str, Any]:
    """The document of a four-bar linkage, 67 times side by side."""
    document = study.view(ROOT / "workbooks" / "four-bar.xlsx").document
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


def main() -> int:
    """Print the tables."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("Chromium is not installed")
        return 1
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        pages = {"car.xlsx, case bump": ("car.xlsx", "bump"), "car.xlsx, eight cases": ("car.xlsx", None)}
        pages |= {name: (name, None) for name in ("slider-crank.xlsx", "formula-student.xlsx", "gait-walk.xlsx")}
        print("| page | size, MB | until it shows, s | frames/s |\n|---|---|---|---|")
        for name, (book, case) in pages.items():
            path = study.view(ROOT / "workbooks" / book, case=case).write(Path(folder, "page.html"))
            print(f"| {name} | {path.stat().st_size / 1e6:.2f} | {_measured(browser, path)} |")
        path = Path(folder, "many.html")
        path.write_text(one_file(many_bodies()), encoding="utf-8")
        print(f"| {BODIES} bodies in space | {path.stat().st_size / 1e6:.2f} | {_measured(browser, path)} |")
        browser.close()
    return 0


def _measured(browser: Any, path: Path) -> str:
    """Seconds until a page shows, and frames a second while it plays, 1440 x 900."""
    tab = browser.new_page(viewport={"width": 1440, "height": 900})
    began = perf_counter()
    tab.goto(path.as_uri())
    tab.get_by_role("main").wait_for()
    shown = perf_counter() - began
    tab.keyboard.press("Space")
    frames = tab.evaluate(DRAWN, SECONDS)
    tab.close()
    return f"{shown:.2f} | {frames:.0f}"


if __name__ == "__main__":
    sys.exit(main())
