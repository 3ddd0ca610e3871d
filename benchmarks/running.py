"""Running a long time series: all of `sheetmbs run` on a workbook of guided samples against python-calamine reading it.

Our side reads and checks every cell, sets a spline through each column, analyses and writes the results into a copy of the
workbook; calamine's `to_python` reads the sheet of the series alone. Both sides compute on one thread, so processor time is
compared. The splines are compared with those of an elimination in plain Python, as they once were made, and with scipy's.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

import sheetmbs
from benchmarks import machine, tables
from benchmarks import series_books as series
from benchmarks.options import Options
from benchmarks.reading import by_calamine
from benchmarks.timing import in_turns
from sheetmbs.engine.motion.splines import natural_spline, not_a_knot_spline

AIM = 3.0
ROWS, COLUMNS = 100_000, 61
REPORT_STEP = 0.1
"""s; a row of results for each sample would be more numbers than a workbook holds"""
Vector = NDArray[np.float64]


def samples(rows: int) -> Vector:
    """Times and smooth guided coordinates, (rows, COLUMNS)."""
    t = np.arange(rows) * series.STEP
    waves = [np.sin((0.6 + 0.12 * k) * t + k) + 0.1 * np.cos(0.07 * k * t) for k in range(1, COLUMNS)]
    return np.column_stack((t, *waves))


def whole_run(path: Path, output: Path) -> float:
    """Processor time of reading, analysing and writing."""
    began = time.process_time()
    sheetmbs.run(sheetmbs.read(path, report_step=REPORT_STEP)).save(output)
    return time.process_time() - began


def calamine(path: Path) -> float:
    """Processor time of calamine."""
    began = time.process_time()
    found = by_calamine(path)
    spent = time.process_time() - began
    del found
    return spent


def in_plain_python(x: Vector, y: Vector) -> Vector:
    """Coefficients (n - 1, 4) of the natural spline by elimination, one row after the other."""
    h, slopes = np.diff(x), np.diff(y) / np.diff(x)
    low, pivots, up = h[:-1].tolist(), (2.0 * (h[:-1] + h[1:])).tolist(), h[1:].tolist()
    inner = (6.0 * np.diff(slopes)).tolist()
    for k in range(1, len(pivots)):
        factor = low[k] / pivots[k - 1]
        pivots[k] -= factor * up[k - 1]
        inner[k] -= factor * inner[k - 1]
    inner[-1] /= pivots[-1]
    for k in range(len(pivots) - 2, -1, -1):
        inner[k] = (inner[k] - up[k] * inner[k + 1]) / pivots[k]
    second = np.array([0.0, *inner, 0.0])
    slope = slopes - h * (2.0 * second[:-1] + second[1:]) / 6.0
    return np.column_stack((y[:-1], slope, second[:-1] / 2.0, np.diff(second) / (6.0 * h)))


def by_scipy(x: Vector, y: Vector) -> Vector:
    """The same for the ends not-a-knot, by scipy."""
    return np.ascontiguousarray(CubicSpline(x, y, bc_type="not-a-knot").c[::-1].T)


def apart(
    ours: Callable[[Vector, Vector], Vector], others: Callable[[Vector, Vector], Vector], values: Vector
) -> float:
    """Largest difference of any coefficient, by what it adds to the value over the largest value, over some columns."""
    times, worst = values[:, 0], 0.0
    powers = np.diff(times)[:, None] ** np.arange(4)
    for column in values.T[1::12]:
        off = np.abs(ours(times, column) - others(times, column)) * powers
        worst = max(worst, float(np.max(off) / np.max(np.abs(column))))
    return worst


def measured(rows: int, runs: int, folder: Path) -> dict[str, tables.Value]:
    """The row of the table."""
    values = samples(rows)
    path = folder / "series.xlsx"
    series.by_template(path, values, series.EXCEL)
    sides = [partial(calamine, path), partial(whole_run, path, folder / "results.xlsx")]
    peer, ours = in_turns(sides, runs)
    return {
        "rows": rows,
        "columns": COLUMNS,
        "calamine_s": peer,
        "sheetmbs_s": ours,
        "times_calamine": ours / peer,
        "aim": AIM,
        "from_python": apart(natural_spline, in_plain_python, values),
        "from_scipy": apart(not_a_knot_spline, by_scipy, values),
    }


SHOWN = {
    "rows": "rows",
    "columns": "columns",
    "calamine_s": "calamine reads, s",
    "sheetmbs_s": "sheetmbs run, s",
    "times_calamine": "times calamine",
    "aim": "aim",
    "from_python": "splines from plain Python's",
    "from_scipy": "from scipy's",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table and the section of README.md."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [measured(2_000 if options.quick else ROWS, options.runs, Path(folder))]
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("running", rows)
        tables.into_readme("running", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows, SHOWN)}")
