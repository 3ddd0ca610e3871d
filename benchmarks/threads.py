"""One model, many runs in threads: kernels hold no lock, so runs that share the arrays of a model run side by side.

Every task integrates the same lowered model from velocities of its own, as a study of parameters does, in a
`ThreadPoolExecutor`. What is timed is everything a task does, its set-up in Python included, which holds the lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import median

import numpy as np

from benchmarks import plots, tables
from benchmarks.cases import windows
from benchmarks.chains import chain
from benchmarks.options import Options
from benchmarks.ready import Ready, from_workbook, ready, without_rows
from sheetmbs.analysis.solution import Solution
from sheetmbs.model import Model

MODELS: dict[str, Callable[[], Model]] = {
    "A02 N=2": lambda: without_rows(windows(2), 100.0),
    "A02 N=40": lambda: windows(40),
    "A04": lambda: without_rows(from_workbook("bricard"), 60.0),
    "chain of 100": lambda: chain(100, 3.0),
}
TASKS = 16
SPREAD = 0.05
"""by which the velocities at the start differ from task to task, relative"""
PAUSE = 0.01
"""s; a solve must last much longer than a set-up, or it is the set-up that is measured"""


def tasks(prepared: Ready, count: int) -> list[Ready]:
    """Runs of the same lowered model, each from velocities of its own, all on the constraints."""
    factors = np.linspace(1.0 - SPREAD, 1.0 + SPREAD, count)
    return [replace(prepared, start=replace(prepared.start, v=factor * prepared.start.v)) for factor in factors]


def together(runs: list[Ready], threads: int) -> tuple[float, list[Solution]]:
    """Seconds that all runs take in so many threads, and what they found."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(time.sleep, [PAUSE] * threads))  # starting threads is not what is measured
        began = time.perf_counter()
        found = list(pool.map(Ready.run, runs))
        return time.perf_counter() - began, found


def measured(name: str, options: Options) -> list[dict[str, tables.Value]]:
    """Rows of one model: one for each number of threads. Raises RuntimeError if threads change a result."""
    runs = tasks(ready(MODELS[name]()), TASKS)
    alone = [run.run() for run in runs]
    counts = range(1, (os.cpu_count() or 1) + 1)
    samples: dict[int, list[float]] = {threads: [] for threads in counts}
    for _ in range(options.runs):
        for threads in counts:
            seconds, found = together(runs, threads)
            samples[threads].append(seconds)
            if any(not np.array_equal(one.q, other.q) for one, other in zip(alone, found, strict=True)):
                raise RuntimeError(f"{name}: a run in {threads} threads differs from the same run alone")
    base = median(samples[1])
    solving = sum(solution.seconds for solution in alone)
    return [
        {
            "model": name,
            "tasks": TASKS,
            "threads": threads,
            "ms": 1e3 * median(seconds),
            "speed_up": base / median(seconds),
            "of_ideal": 100.0 * base / median(seconds) / threads,
            "set_up": 100.0 * max(0.0, 1.0 - solving / base),
        }
        for threads, seconds in samples.items()
    ]


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """Speed-up over the number of threads."""
    made, (axes,) = plots.figure(6.4, 4.2)
    most = max(int(row["threads"] or 1) for row in rows)
    axes.plot([1, most], [1, most], ":", color=plots.MUTED, linewidth=1.0, label="ideal", zorder=2)
    for colour, name in zip(plots.OURS, dict.fromkeys(str(row["model"]) for row in rows), strict=False):
        some = [row for row in rows if row["model"] == name]
        threads, gains = ([float(row[column] or 0.0) for row in some] for column in ("threads", "speed_up"))
        plots.line(axes, threads, gains, name, colour)
    axes.set_xticks(range(1, most + 1))
    axes.set(
        title=f"{TASKS} runs of one model", xlabel="threads", ylabel="times as fast as one thread", ylim=(0.0, None)
    )
    axes.legend()
    plots.save(made, "threads")


SHOWN = {
    "model": "model",
    "threads": "threads",
    "ms": "16 runs, ms",
    "speed_up": "speed-up",
    "of_ideal": "% of ideal",
    "set_up": "% of one thread's time outside of solving",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table, the picture and the section of README.md."""
    names = [name for name in MODELS if options.wanted(name)]
    rows = [row for name in (names[:1] if options.quick else names) for row in measured(name, options)]
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("threads", rows)
        draw(rows)
        tables.into_readme("threads", tables.markdown(rows, SHOWN))
