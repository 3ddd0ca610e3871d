"""What steady handling costs: the yaw-moment diagram, the circle, the envelope and one metric of a study, with the accuracy.

Processor time on the formula student car of `workbooks/handling.xlsx`, with rockers, bars and tyres by the magic formula.
Accuracy is the largest residual of all equations of balance over the weight, and by how much results move when the steps of
curves are halved.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks import machine, tables
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs.engine.records import Floats
from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.suspension.handling import circle as circles
from sheetmbs.suspension.handling import envelope as envelopes
from sheetmbs.suspension.handling import yaw_moment as diagrams
from sheetmbs.suspension.handling.asked_metrics import asked_metrics
from sheetmbs.suspension.handling.handling_table import HandlingFound
from sheetmbs.suspension.handling.kinds import SOLVERS
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import HandlingRow
from sheetmbs.suspension.run_suspension import run_suspension

BOOK = Path(__file__).parents[1] / "workbooks" / "handling.xlsx"
RACK = 16e-3
"""m, to both sides"""
SPEEDS = (40.0 / 3.6, 50.0 / 3.6, 60.0 / 3.6, 70.0 / 3.6, 80.0 / 3.6)
"""m/s, of the envelope"""
RADIUS = 9.125
"""m, of the circle"""
METRIC = "max_trimmed_ay"
HEADINGS = {
    "what": "what",
    "ms": "ms",
    "asked": "asked for",
    "residual": "residual",
    "halved": "moved by half the steps",
}


@dataclass(frozen=True)
class Side:
    """Something that is timed. asked: ms that it may take; numbers: what must not move."""

    what: str
    asked: float
    work: Callable[[], object]
    residual: Callable[[], float]
    numbers: Callable[[], Floats]


@contextmanager
def halved_steps() -> Iterator[None]:
    """Curves with half the usual steps."""
    usual = {each: each.USUAL_STEP for each in (circles, envelopes, diagrams)}
    for each, step in usual.items():
        each.USUAL_STEP = 0.5 * step  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for each, step in usual.items():
            each.USUAL_STEP = step  # type: ignore[attr-defined]


def processor(work: Callable[[], object]) -> Callable[[], float]:
    """What does some work and returns its processor time, s."""

    def timed() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return timed


def residual(found: HandlingFound) -> float:
    """The largest of a row."""
    return float(np.nanmax(found.table.values[:, found.table.columns.index("residual")]))


def read_offs(found: HandlingFound) -> Floats:
    """Largest accelerations of a row, over g."""
    return np.array([each.value for each in found.read_offs if each.metric in {METRIC, f"{METRIC}_right", "max_ay"}])


def sides(car: HandlingCar, row: HandlingRow) -> list[Side]:
    """All that is timed. row: of a yaw-moment diagram."""
    rack = (-RACK, RACK)
    grid = replace(row, ranges={}, speeds=row.speeds[:1])
    circle = replace(row, type=HandlingType.CIRCLE, speeds=(), radius=RADIUS, ranges={})
    speeds = np.array(SPEEDS)

    def diagram() -> HandlingFound:
        return SOLVERS[HandlingType.YAW_MOMENT](car, grid, rack)

    def round_the_circle() -> HandlingFound:
        return SOLVERS[HandlingType.CIRCLE](car, circle, rack)

    def envelope() -> envelopes.EnvelopeGrid:
        return envelopes.envelope_grid(car, speeds, None, 25, rack)

    def both() -> Floats:
        found = envelope()
        return np.concatenate((found.most.ravel(), found.least.ravel())) / car.steady.kernel.gravity

    def metric() -> Floats:
        return np.array([asked_metrics(car, grid, rack, [METRIC])[METRIC][0]])

    named = "yaw-moment diagram of 21 x 21 with its read-offs"
    return [
        Side(named, 500.0, diagram, lambda: residual(diagram()), lambda: read_offs(diagram())),
        Side(
            "circle",
            100.0,
            round_the_circle,
            lambda: residual(round_the_circle()),
            lambda: read_offs(round_the_circle()),
        ),
        Side("g-g of 5 speeds x 25", 1000.0, envelope, lambda: np.nan, both),
        Side(f"one variant of {METRIC}", 30.0, metric, lambda: np.nan, metric),
    ]


def study(options: Options) -> None:
    """Measure, print, and write the table."""
    base = run_suspension(BOOK).base
    car = base.handling_car
    row = next(found.row for found in base.handling.found if found.row.type == HandlingType.YAW_MOMENT)
    if car is None:
        raise ValueError(f"{BOOK.name} has no car on tyres")
    each = sides(car, row)
    usual = [side.numbers() for side in each]
    with halved_steps():
        halved = [side.numbers() for side in each]
    seconds = in_turns([processor(side.work) for side in each], options.runs)
    rows = [
        {
            "what": side.what,
            "ms": 1e3 * taken,
            "asked": side.asked,
            "residual": known if np.isfinite(known := side.residual()) else "",
            "halved": float(np.nanmax(np.abs(before - after))),
        }
        for side, taken, before, after in zip(each, seconds, usual, halved, strict=True)
    ]
    print(machine.measured_on(options.runs))
    tables.show(rows, HEADINGS)
    if options.save:
        tables.save("handling_speed", rows)
        text = f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows, HEADINGS)}"
        tables.into_readme("handling_speed", text)
