"""Cost against size: closed planar chains of 7 to 1,000 links, and stars of up to 160 bodies on one chassis.

A chain is the single loop of hinged rods whose cost Zhang et al. draw over their number (their figure 22). Stars have one
body that is a neighbour of all others. Both are let go and integrated with the defaults of the product; one evaluation is the
solve time over the number of evaluations, projections and error control included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from benchmarks import plots, tables, timing
from benchmarks.chains import chain, spatial_star, star
from benchmarks.options import Options
from benchmarks.ready import ready
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Model


class Family(NamedTuple):
    """Models of one shape. sizes: number of links or arms. fitted_from: size from which on cost is proportional to it."""

    name: str
    make: Callable[[int, float], Model]
    t_end: float
    sizes: tuple[int, ...]
    fitted_from: int


FAMILIES = (
    Family("closed chain", chain, 1.0, (7, 10, 20, 50, 100, 200, 300, 500, 700, 1000), 50),
    Family("star", star, 0.5, (10, 20, 40, 80, 160), 20),
    Family("star in space", spatial_star, 0.5, (10, 20, 40, 80, 160), 20),
)
QUICK = 100
LONG = 2.0
"""s; a run that takes longer is timed once"""


def measured(family: Family, size: int, runs: int) -> dict[str, tables.Value]:
    """What one model of a family costs, from lowering to its end. Raises RuntimeError if its motion fails."""
    prepared = ready(family.make(size, family.t_end))
    first = prepared.run()
    if first.status != "done":
        raise RuntimeError(f"{family.name} of {size}: {first.problems}")
    seconds = first.seconds
    if seconds < LONG:
        (seconds,) = timing.in_turns([lambda: prepared.run().seconds], runs)
    evaluations = int(first.counts[Count.EVALUATIONS])
    cost = 1e6 * seconds / evaluations
    return {
        "shape": family.name,
        "size": size,
        "bodies": prepared.bodies,
        "rows": prepared.rows,
        "freedoms": prepared.structure.degrees_of_freedom,
        "lower_s": prepared.lower_seconds,
        "prepare_s": prepared.prepare_seconds,
        "steps": int(first.counts[Count.STEPS]),
        "evaluations": evaluations,
        "run_ms": 1e3 * seconds,
        "us_per_evaluation": cost,
        "ns_per_row": 1e3 * cost / prepared.rows,
    }


def growth(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float]:
    """(slope, exponent): cost per unit of size by least squares on a + b size, and p of the best fit c size^p."""
    slope = float(np.polyfit(sizes, costs, 1)[0])
    exponent = float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])
    return slope, exponent


def number(row: tables.Row, column: str) -> float:
    """A number of a row as such."""
    return float(row[column] or 0.0)


def fits(rows: list[dict[str, tables.Value]]) -> list[dict[str, tables.Value]]:
    """Growth of each family with its number of rows: of one evaluation, and the exponents of what comes before the run."""
    found: list[dict[str, tables.Value]] = []
    for family in FAMILIES:
        large = [row for row in rows if row["shape"] == family.name and number(row, "size") >= family.fitted_from]
        if len(large) < 2:
            continue
        sizes = [number(row, "rows") for row in large]
        slope, exponent = growth(sizes, [number(row, "us_per_evaluation") for row in large])
        found.append(
            {
                "shape": family.name,
                "from": family.fitted_from,
                "to": int(number(large[-1], "size")),
                "ns_per_row": 1e3 * slope,
                "exponent": exponent,
                "run": growth(sizes, [number(row, "run_ms") for row in large])[1],
                "lowering": growth(sizes, [number(row, "lower_s") for row in large])[1],
                "preparing": growth(sizes, [number(row, "prepare_s") for row in large])[1],
            }
        )
    return found


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """One evaluation and a whole run over the number of links or arms."""
    made, (one, whole) = plots.figure(9.6, 4.2, columns=2)
    for colour, (name, some) in zip(plots.OURS, groupby(rows, key=lambda row: row["shape"]), strict=False):
        members = list(some)
        sizes = [number(row, "size") for row in members]
        plots.line(one, sizes, [number(row, "us_per_evaluation") for row in members], str(name), colour)
        plots.line(whole, sizes, [number(row, "run_ms") for row in members], str(name), colour)
    for axes, title, label in (
        (one, "One evaluation", "microseconds"),
        (whole, "A whole run", "ms of solving"),
    ):
        bottom = min(float(np.min(line.get_ydata())) for line in axes.lines)
        sizes = np.array([7.0, 1000.0])
        axes.plot(
            sizes, bottom * sizes / sizes[0], ":", color=plots.MUTED, linewidth=1.0, label="in proportion", zorder=2
        )
        plots.logarithmic(axes)
        axes.set_xlim(6.0, 1200.0)
        axes.set(title=title, ylabel=label, xlabel="links or arms")
    one.legend()
    plots.save(made, "links")


SHOWN = {
    "shape": "shape",
    "size": "links or arms",
    "rows": "rows",
    "lower_s": "lowering, s",
    "prepare_s": "dependent rows and start, s",
    "evaluations": "evaluations",
    "run_ms": "run, ms",
    "us_per_evaluation": "us per evaluation",
    "ns_per_row": "ns per row",
}
FITTED = {
    "shape": "shape",
    "from": "from",
    "to": "to",
    "ns_per_row": "ns per further row",
    "exponent": "exponent of an evaluation",
    "run": "of a run",
    "lowering": "of lowering",
    "preparing": "of dependent rows and start",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables, the picture and the section of README.md."""
    rows = [
        measured(family, size, options.runs)
        for family in FAMILIES
        if options.wanted(family.name)
        for size in family.sizes
        if not options.quick or size < QUICK
    ]
    tables.show(rows, SHOWN)
    fitted = fits(rows)
    tables.show(fitted, FITTED)
    if options.save:
        tables.save("links", rows)
        tables.save("links-growth", fitted)
        draw(rows)
        tables.into_readme("links", f"{tables.markdown(rows, SHOWN)}\n\n{tables.markdown(fitted, FITTED)}")
