"""A session of a gait laboratory: twelve trials from files to a workbook, and from there to all result sheets.

The walk of the template in space under the labels of Plug-in Gait, 3.3 s at 100 Hz with its forces, twelve times, and a
standing trial. Processor time of whole commands, with starting the program, reading and writing the workbook; one run in the
plane, one with the conventional model, both with and without bands of uncertainty.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import machine, tables
from benchmarks.options import Options
from sheetmbs.workbook.cells.cells import open_book
from tests.support.set_walks import forces, settle, trc

TRIALS, QUICK_TRIALS = 12, 2
TEMPLATES = {"gait-2d": "in the plane", "gait-cgm": "conventional model"}
IMPORT, RUN = 10.0, 12.0
"""s that twelve trials may take: the import, and a run with bands"""
LABELS = {
    **{f"{{s}} {name}": f"{{S}}{label}" for name, label in (("asis", "ASI"), ("psis", "PSI"), ("knee", "KNE"))},
    **{f"{{s}} {name}": f"{{S}}{label}" for name, label in (("ankle", "ANK"), ("heel", "HEE"), ("toe", "TOE"))},
    **{f"{{s}} {name} 1": f"{{S}}{label}" for name, label in (("thigh", "THI"), ("shank", "TIB"))},
}
MEASURES = {"leg length": 900.0, "knee width": 100.0, "ankle width": 70.0}
"""mm of a subject whom files do not describe"""


def study(options: Options) -> None:
    """Print and save the processor time of each command."""
    count = QUICK_TRIALS if options.quick else TRIALS
    with tempfile.TemporaryDirectory() as made:
        rows = list(_rows(Path(made), count, options.runs))
    print(machine.measured_on(options.runs))
    tables.show(rows)
    if options.save:
        tables.save("gait_session", rows)
        tables.into_readme("gait_session", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows)}")


def _rows(folder: Path, count: int, runs: int) -> Iterator[tables.Row]:
    files = folder / "session"
    files.mkdir()
    for number in range(1, count + 1):
        (files / f"walk{number:02d}.trc").write_text(trc(LABELS), encoding="utf-8")
        (files / f"walk{number:02d}.csv").write_text(forces(), encoding="utf-8")
    (files / "static.trc").write_text(trc(LABELS, "Markers static"), encoding="utf-8")
    for template, words in TEMPLATES.items():
        book = folder / f"{template}.xlsx"
        times = [_imported(files, book, template) for _ in range(runs)]
        yield {"what": f"import of {count} trials, {words}", "s": median(times), "asked for, s": IMPORT}
        for bands in ("yes", "no"):
            _typed(book, bands)
            times = [_seconds("run", str(book)) for _ in range(runs)]
            asked = {"asked for, s": RUN} if bands == "yes" else {}
            yield {"what": f"run, {words}, bands {bands}", "s": median(times), **asked}


def _imported(files: Path, book: Path, template: str) -> float:
    book.unlink(missing_ok=True)
    return _seconds("import", "gait", str(files), str(book), "--template", template)


def _typed(path: Path, bands: str) -> None:
    """What files do not tell of the subject, and whether there are bands."""
    settle(path, "Subject", mass=70.0)
    settle(path, "Processing", bands=bands)
    if "Anthropometry" in open_book(path).sheets:
        settle(path, "Anthropometry", **MEASURES)


def _seconds(*words: str) -> float:
    """Processor time of a command. Raises CalledProcessError where it fails."""
    # as an installed program has it: its modules are compiled once, not at each start
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = os.times()
    subprocess.run([sys.executable, "-m", "sheetmbs", *words], check=True, capture_output=True, env=environment)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
