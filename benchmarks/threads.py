"""One model, many runs in threads: kernels hold no lock, so runs that share the arrays of a model run side by side.

Every task integrates the same lowered model from velocities of its own, as a study of parameters does, in a
`ThreadPoolExecutor`. What is timed is everything a task does, its set-up in Python included, which holds the lock.

Linux tells how long each thread ran and how long it waited for a core because others had them all. What is left of its time,
it was held up by the lock or had no task any more: that alone is ours, whatever else the machine had to do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks import plots, tables
from benchmarks.cases import windows
from benchmarks.chains import chain
from benchmarks.options import Options
from benchmarks.ready import Ready, from_workbook, ready, without_rows
from sheetmbs.analysis.solution import Solution
from sheetmbs.model.model import Model

SCHEDULE = Path("/proc/thread-self/schedstat")


class Sample(NamedTuple):
    """seconds: from the first task to the last. ran, waited: % of the time of all threads, on a core and for want of one."""

    seconds: float
    ran: float
    waited: float


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


def scheduled() -> tuple[float, float]:
    """Seconds that this thread has run and that it has waited for a core; not numbers where the system does not tell."""
    try:
        ran, waited, _ = SCHEDULE.read_text(encoding="ascii").split()
    except OSError:
        return float("nan"), float("nan")
    return 1e-9 * int(ran), 1e-9 * int(waited)


def watched_run(run: Ready) -> tuple[Solution, float, float]:
    """A run, and the seconds in it that its thread ran and that it waited for a core."""
    before = scheduled()
    solution = run.run()
    after = scheduled()
    return solution, after[0] - before[0], after[1] - before[1]


def together(runs: list[Ready], threads: int) -> tuple[Sample, list[Solution]]:
    """Times of all runs in so many threads, and what they found."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(time.sleep, [PAUSE] * threads))  # starting threads is not what is measured
        began = time.perf_counter()
        found = list(pool.map(watched_run, runs))
        seconds = time.perf_counter() - began
    share = 100.0 / (threads * seconds)
    ran, waited = (share * sum(each[k] for each in found) for k in (1, 2))
    return Sample(seconds, ran, waited), [each[0] for each in found]


def measured(name: str, options: Options) -> list[dict[str, tables.Value]]:
    """Rows of one model: one for each number of threads. Raises RuntimeError if threads change a result."""
    runs = tasks(ready(MODELS[name]()), TASKS)
    alone = [run.run() for run in runs]
    counts = range(1, (os.cpu_count() or 1) + 1)
    samples: dict[int, list[Sample]] = {threads: [] for threads in counts}
    for _ in range(options.runs):
        for threads in counts:
            sample, found = together(runs, threads)
            samples[threads].append(sample)
            if any(not np.array_equal(one.q, other.q) for one, other in zip(alone, found, strict=True)):
                raise RuntimeError(f"{name}: a run in {threads} threads differs from the same run alone")
    medians = {
        threads: Sample(*(median(values) for values in zip(*each, strict=True))) for threads, each in samples.items()
    }
    return [
        {
            "model": name,
            "tasks": TASKS,
            "threads": threads,
            "ms": 1e3 * sample.seconds,
            "speed_up": medians[1].seconds / sample.seconds,
            "ran": sample.ran,
            "waited": sample.waited,
            "held": max(0.0, 100.0 - sample.ran - sample.waited),
        }
        for threads, sample in medians.items()
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
    "ran": "threads ran, %",
    "waited": "waited for a core, %",
    "held": "held by the lock or without a task, %",
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
