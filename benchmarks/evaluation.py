"""Microseconds per evaluation against the bound 1 us + 75 ns per planar row (100 ns per spatial one), and what is done in it.

Times are those of whole integrations over the number of evaluations they took, projections and error control included, with
kernels compiled and no rows reported. Operations and memory are counted by `benchmarks.counting`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks import plots, tables, timing
from benchmarks.cases import windows
from benchmarks.chains import chain, spatial_star, star
from benchmarks.counting import counted
from benchmarks.options import Options
from benchmarks.ready import from_workbook, ready, with_settings, without_rows
from sheetmbs.compiled import kernel
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Model

BASE, PER_PLANAR_ROW, PER_SPATIAL_ROW = 1.0, 0.075, 0.100
"""us: what an evaluation may take"""
LANES = 8
MANY = 20_000_000


def _explicit(model: Model) -> Model:
    """The model with the explicit method that is the default where nothing is stiff."""
    return with_settings(model, integrator="dop853")


CASES: dict[str, Callable[[], Model]] = {
    "A01": lambda: _explicit(without_rows(from_workbook("pendulum"), 200.0)),
    "A02 N=2": lambda: _explicit(without_rows(windows(2), 50.0)),
    "A02 N=40": lambda: _explicit(windows(40)),
    "A03": lambda: _explicit(without_rows(from_workbook("andrews"), 0.1)),
    "A04": lambda: _explicit(without_rows(from_workbook("bricard"), 50.0)),
    "A05": lambda: _explicit(without_rows(from_workbook("flyball-governor"), 1.0)),
    "chain of 100": lambda: _explicit(chain(100, 1.0)),
    "chain of 1000": lambda: _explicit(chain(1000, 0.2)),
    "star of 160": lambda: _explicit(star(160, 10.0)),
    "star of 160 in space": lambda: _explicit(spatial_star(160, 5.0)),
}
"""models to be integrated so long that beginning and ending do not count"""
QUICK = ("A01", "A02 N=2", "A04")


@kernel
def multiply_add(lanes: NDArray[np.float64], many: int) -> float:
    """Products and sums of independent scalars, none of which waits for memory."""
    a, b, c, d = lanes[0], lanes[1], lanes[2], lanes[3]
    e, f, g, h = lanes[4], lanes[5], lanes[6], lanes[7]
    for _ in range(many):
        a = a * 0.999 + 0.001
        b = b * 0.998 + 0.002
        c = c * 0.997 + 0.003
        d = d * 0.996 + 0.004
        e = e * 0.995 + 0.005
        f = f * 0.994 + 0.006
        g = g * 0.993 + 0.007
        h = h * 0.992 + 0.008
    return a + b + c + d + e + f + g + h


def machine_rate() -> float:
    """Gflop/s of one core on independent scalar products and sums."""
    lanes = np.linspace(0.0, 1.0, LANES)
    multiply_add(lanes, 1)
    began = time.perf_counter()
    multiply_add(lanes, MANY)
    return 2e-9 * LANES * MANY / (time.perf_counter() - began)


def bound(rows: int, *, spatial: bool) -> float:
    """Microseconds that an evaluation may take."""
    return BASE + rows * (PER_SPATIAL_ROW if spatial else PER_PLANAR_ROW)


def measured(name: str, options: Options, rate: float) -> dict[str, tables.Value]:
    """One row of the table. rate: Gflop/s of the machine."""
    model = CASES[name]()
    prepared = ready(model)
    first = prepared.run()
    if first.status != "done":
        raise RuntimeError(f"{name}: {first.problems}")
    (seconds,) = timing.in_turns([lambda: prepared.run().seconds], options.runs)
    evaluations = int(first.counts[Count.EVALUATIONS])
    cost = 1e6 * seconds / evaluations
    allowed = bound(prepared.rows, spatial=model.settings.dimension == "3D")
    found = counted(name)
    flops, words = found.get("flops"), found.get("loads", 0) + found.get("stores", 0)
    return {
        "case": name,
        "bodies": prepared.bodies,
        "rows": prepared.rows,
        "evaluations": evaluations,
        "steps": int(first.counts[Count.STEPS]),
        "us": cost,
        "bound": allowed,
        "times_bound": cost / allowed,
        "kflop": None if flops is None else 1e-3 * flops,
        "functions": found.get("functions"),
        "kB_moved": None if flops is None else 8e-3 * words,
        "kB_touched": None if flops is None else 1e-3 * found["bytes"],
        "gflops": None if flops is None else 1e-3 * flops / cost,
        "share": None if flops is None else 0.1 * flops / cost / rate,
    }


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """Microseconds per evaluation against the bound, case by case."""
    made, (axes,) = plots.figure(7.6, 0.45 * len(rows) + 1.6)
    places = np.arange(len(rows))[::-1]
    costs = [float(row["us"] or 0.0) for row in rows]
    limits = [float(row["bound"] or 0.0) for row in rows]
    axes.barh(places, costs, height=0.55, color=plots.OURS[0], label="measured")
    axes.scatter(limits, places, marker="|", s=260, color=plots.INK, linewidths=2.0, label="bound", zorder=4)
    plots.logarithmic(axes, upwards=False)
    axes.set_yticks(places, [f"{row['case']} ({row['rows']} rows)" for row in rows])
    axes.grid(visible=False, axis="y")
    axes.set(title="One evaluation against its bound", xlabel="microseconds")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    plots.save(made, "evaluation")


SHOWN = {
    "case": "case",
    "rows": "rows",
    "evaluations": "evaluations",
    "us": "us per evaluation",
    "bound": "bound, us",
    "times_bound": "of the bound",
    "kflop": "kflop",
    "functions": "sines, roots",
    "kB_moved": "kB loaded and stored",
    "kB_touched": "kB of different data",
    "gflops": "Gflop/s",
    "share": "% of the core's scalar rate",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table, the picture and the section of README.md."""
    names = [name for name in (QUICK if options.quick else CASES) if options.wanted(name)]
    rate = machine_rate()
    rows = [measured(name, options, rate) for name in names]
    tables.show(rows, SHOWN)
    sentence = f"One core does {rate:.2g} Gflop/s of independent scalar products and sums."
    print(sentence)
    if options.save:
        tables.save("evaluation", rows)
        draw(rows)
        tables.into_readme("evaluation", f"{tables.markdown(rows, SHOWN)}\n\n{sentence}")
