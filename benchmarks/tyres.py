"""What evaluating tyres costs: a million states with and without exact derivatives, by each model, with the accuracy.

Processor time of one core. The magic formula takes the files of `tests/tyres/files`. Accuracy is the largest distance of
derivatives from complex steps through an independent transcription of the equations, relative to the largest of each force.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from benchmarks import machine, tables
from benchmarks.options import Options
from sheetmbs.engine.records import Floats
from sheetmbs.tyres.tyre import Tyre
from tests.support import tyres
from tests.support.tyre_equations import complex_step

STATES, FEW, CHECKED = 1_000_000, 20_000, 40
FILES = {52: "magic formula 5.2", 61: "magic formula 6.1", 62: "magic formula 6.2"}
SIMPLE = {
    "cornering stiffness": 60e3,
    "camber stiffness": 3e3,
    "slip stiffness": 80e3,
    "trail": 0.03,
    "friction": 1.2,
}


HEADINGS = {
    "model": "model",
    "plain": "s for a million states",
    "exact": "with derivatives",
    "accuracy": "derivatives apart from complex steps",
}


@dataclass(frozen=True)
class TimedTyre:
    """A tyre and what it took for a million states, s."""

    name: str
    plain: float
    with_derivatives: float
    accuracy: float | None


def states(count: int) -> Floats:
    """States over the whole use of a tyre, from a seed."""
    rng = np.random.default_rng(5)
    columns = (
        rng.uniform(-0.3, 0.3, count),
        rng.uniform(-0.25, 0.25, count),
        rng.uniform(-0.08, 0.08, count),
        rng.uniform(800.0, 9000.0, count),
        rng.uniform(220e3, 300e3, count),
        rng.uniform(5.0, 40.0, count),
    )
    return np.stack(columns, axis=-1)


def processor(tyre: Tyre, rows: Floats, runs: int, *, derivatives: bool) -> float:
    """Median processor time, s."""
    tyre.evaluate(rows[:10], derivatives=derivatives)
    found = []
    for _ in range(runs):
        began = time.process_time()
        tyre.evaluate(rows, derivatives=derivatives)
        found.append(time.process_time() - began)
    return float(np.median(found))


def accuracy(version: int, tyre: Tyre) -> float:
    """Largest relative distance of derivatives from complex steps."""
    formula, rows = tyres.formula(version), states(CHECKED)
    exact = tyre.evaluate(rows, derivatives=True).partials
    wanted = np.array(
        [np.array([complex_step(formula.forces, row, place) for place in range(5)], dtype=float).T for row in rows]
    )
    scale = np.abs(wanted).max(axis=0) + 1e-9
    return float((np.abs(exact - wanted) / scale).max())


def study(options: Options) -> None:
    """Measure, print, and write the table."""
    count = FEW if options.quick else STATES
    rows = states(count)
    made: list[tuple[str, Tyre, int]] = [(name, tyres.of_file(version), version) for version, name in FILES.items()]
    made += [(model, tyres.simple(model, **SIMPLE)[0], 0) for model in ("linear", "fiala")]
    found = []
    for name, tyre, version in made:
        plain, exact = (processor(tyre, rows, options.runs, derivatives=each) for each in (False, True))
        share = STATES / count
        found.append(TimedTyre(name, plain * share, exact * share, accuracy(version, tyre) if version else None))
    rows_of_table = [
        {"model": each.name, "plain": each.plain, "exact": each.with_derivatives, "accuracy": each.accuracy or ""}
        for each in found
    ]
    tables.show(rows_of_table, HEADINGS)
    if options.save:
        tables.save("tyres", rows_of_table)
        tables.into_readme(
            "tyres", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows_of_table, HEADINGS)}"
        )
