"""Rates over heave with their steps drawn as steps: two rows where a stop engages or a spring lets go.

A sweep has a row every few millimetres, between which its line would slope. Where the stiffness of an element differs from row
to row, the travel at which it changes is narrowed down; a stiffness that follows a curve differs less and less meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.table import Table
from sheetmbs.suspension.elastic.spring_elements import elements
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.metrics.columns import sweep_tables
from sheetmbs.suspension.sheets.chart_table import CHART_PAGES
from sheetmbs.suspension.sheets.drawn_lines import SweptTable, sweep_of
from sheetmbs.suspension.sheets.sweep_tables import overlaid
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_CHARTS

Floats = NDArray[np.float64]
HEAVE, TRAVEL = "heave", "travel"
PARTS, TIMES = 32, 2
"""into how many parts a stretch is divided, and how often"""
MIN_CHANGE = 1e-6
"""of the largest stiffness of an element: less is rounding"""
MIN_LEFT = 0.5
"""of a change that is left over the last part where it is a step"""
RATES = tuple(
    metric for page in CHART_PAGES for spec in page.charts if spec.has_steps for metric, _name in spec.drawn.metrics
)


@dataclass(frozen=True)
class SteppedTable(SweptTable):
    """Rates over a sweep and its steps; its numbers stand on the sheet of charts."""

    def key(self, column: str) -> str:
        """A column as charts find it."""
        return f"{SUSPENSION_CHARTS}!{stepped_name(self.plan, column)}"


def stepped_name(plan: Sweep, column: str) -> str:
    """The name of a column on the sheet of charts."""
    return f"{plan.name} with steps!{column}"


def stepped_tables(designs: Sequence[SolvedDesign], swept: Sequence[SweptTable]) -> dict[str, SteppedTable]:
    """Rates over each sweep of heave that charts show and in which one has a step, by its name, with all designs."""
    shown = (sweep_of(swept, HEAVE, axle) for axle in designs[0].car.axles)
    found = {}
    for name in dict.fromkeys(each.plan.name for each in shown if each is not None):
        having = [design for design in designs if name in design.plans and _is_plain(design.plans[name])]
        steps = {travel for design in having for travel in _steps(design, name)}
        if steps:
            tables = {each.name: _table(each, name, sorted(steps)) for each in having}
            found[name] = SteppedTable(having[0].plans[name], overlaid(tables, len(having[0].plans[name].swept)))
    return found


def _is_plain(plan: Sweep) -> bool:
    """Whether wheels go up and down together, as far as the rows say."""
    return plan.type == HEAVE and not plan.holds_loads and plan.right is None and plan.swept == ("travel",)


def _steps(design: SolvedDesign, name: str) -> Iterator[float]:
    """The travels just before and just after each step of a stiffness of any axle, m."""
    plan = design.plans[name]
    for axle, swept in design.swept[name].items():
        before = _stiffnesses(design, axle, swept)
        travel = plan.travel[swept.rows]
        for row in np.flatnonzero(np.any(_changed(before), axis=1)):
            stretch, change = travel[row : row + 2], np.abs(np.diff(before[row : row + 2], axis=0)).max()
            for _ in range(TIMES):
                parts = np.linspace(stretch[0], stretch[1], PARTS + 1)
                jumps = np.abs(np.diff(_stiffnesses(design, axle, _at(design, axle, name, parts)), axis=0)).max(axis=1)
                if len(jumps) < PARTS:
                    break
                at = int(np.argmax(jumps))
                stretch = parts[at : at + 2]
            else:
                if jumps[at] >= MIN_LEFT * change:
                    yield from stretch.tolist()


def _stiffnesses(design: SolvedDesign, axle: str, swept: SweptAxle) -> Floats:
    """(rows, elements)."""
    found = [each.stiffness for each in elements(swept, design.laws[axle])]
    return np.stack(found, axis=1) if found else np.zeros((len(swept.placing.rack), 0))


def _changed(stiffness: Floats) -> NDArray[np.bool_]:
    """(rows - 1, elements) whether a stiffness changes from a row to the next."""
    largest = np.abs(stiffness).max(axis=0, initial=0.0)
    return np.asarray(np.abs(np.diff(stiffness, axis=0)) > MIN_CHANGE * largest)


def _at(design: SolvedDesign, axle: str, name: str, travel: Floats) -> SweptAxle:
    """An axle at other travels of a sweep."""
    return swept_axle(
        design.plans[name].at_values(TRAVEL, travel), design.systems[axle], design.swept[name][axle].standing
    )


def _table(design: SolvedDesign, name: str, steps: Sequence[float]) -> Table:
    """The rates of a design over the rows of a sweep and over steps."""
    plan = design.plans[name]
    moved = plan.at_values(TRAVEL, np.unique([*plan.travel, *steps]))
    swept = {axle: _at(design, axle, name, moved.travel) for axle in design.swept[name]}
    axles = (each for each in design.car.axles if each.name in swept)
    wanted = [f"{axle.corner(side)}.{metric}" for axle in axles for side in SIDES for metric in RATES]
    return sweep_tables(design.car, {name: moved}, {name: swept}, design.laws, wanted)[name]
