"""What a reader of the results should know beside the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.engine.codes import Count
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Formula, Model
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.wording import sentence_list
from sheetmbs.results.judging.creeping import creeping
from sheetmbs.results.judging.full_turns import full_turns
from sheetmbs.results.judging.jams import jammed_rows, jams
from sheetmbs.results.judging.root_forces import root_forces
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.decimation import MAX_CELLS, row_step

BALANCED = 1e-6
"""Share of the forces that rounding may leave over."""


def notes(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[Problem, ...]:
    """Warnings about reactions that are not unique, springs beyond their curves, guiding that pushes too hard, and so on."""
    return (
        *faults(lowered, solution, found),
        *_not_unique(lowered, solution),
        *_unbalanced(lowered, solution, found),
        *_beyond_curves(lowered, found),
        *_beyond_limits(lowered, found),
        *full_turns(lowered, solution),
        *creeping(lowered, solution, found),
        *root_forces(lowered, solution, found),
        *_halved(lowered.model, solution),
        *_without_effect(lowered.model),
    )


def faults(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[Problem, ...]:
    """Errors that only a motion's rows show: joints that jam, and forces without a value."""
    return (*jams(lowered, solution, found), *_unknown(lowered, solution, found))


FEWER_ROWS = "fewer-rows"


def fewer_rows(tables: Sequence[Table]) -> Iterator[Problem]:
    """Say that the result sheets cannot hold all rows."""
    step = row_step(tables)
    if step > 1:
        rows = len(tables[0].values)
        numbers = sum(table.values.size for table in tables)
        yield Problem(
            FEWER_ROWS,
            "note",
            "",
            f"the result sheets hold one row in {step} of {rows:,} rows: all of them would be {numbers:,} numbers",
            f"a workbook of more than {MAX_CELLS:,} can hardly be opened; its charts show the extremes between these rows",
            "for every row run again with --also results.parquet or --also results.csv, for fewer with --report-step",
        )


def _unknown(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    unknown = np.isnan(found.wrench).any(axis=(1, 2)) | np.isnan(found.energy).any(axis=1)
    rows = np.flatnonzero(unknown & ~jammed_rows(found) & np.isfinite(solution.a).all(axis=1))
    if len(rows):
        formulas = [formula for force in lowered.model.forces for formula in (*force.force, *force.moment)]
        cells = [formula.cell for formula in formulas if isinstance(formula, Formula)]
        yield Problem(
            "no-value",
            "error",
            cells[0] if cells else "Forces",
            f"an expression of a force has no value at t = {solution.times[rows[0]]:.6g} s and {len(rows) - 1} more times",
            "without all forces no reaction is known: their cells are left empty there",
            "change the expression, or guard it with if(...)",
        )


def _not_unique(lowered: Lowered, solution: Solution) -> Iterator[Problem]:
    structure = solution.structure
    if not np.any(structure.undetermined) or solution.analysis == Analysis.KINEMATIC:
        return
    chosen = [e for e, is_open in zip(lowered.elements, structure.undetermined, strict=True) if is_open]
    yield Problem(
        "reactions-not-unique",
        "warning",
        chosen[0].cell,
        f"the reactions at {sentence_list([element.name for element in chosen])} are not unique: "
        f"{structure.redundant} constraint(s) say what others say already",
        "of all reactions that balance the forces, those of least norm are given",
        "to find the true ones, let one of these joints leave the doubled direction free, or model its elasticity by a spring",
    )


def _unbalanced(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """Idle rotations are held at their rate, and nothing balances a moment about them."""
    idle = [body for bodies in solution.structure.idle for body in bodies]
    if not idle or solution.analysis != Analysis.INVERSE_DYNAMIC or not np.any(found.imbalance > BALANCED):
        return
    yield Problem(
        "unbalanced",
        "warning",
        next(body.cell for body in lowered.model.bodies if body.name == idle[0]),
        f"forces turn {sentence_list(idle)} about the line through its joints, where no joint and no driver holds it",
        "an inverse dynamic analysis lets such a rotation rest, so these forces are not balanced",
        "let the line through its joints pass through its centre of mass and all forces on it, or choose the analysis dynamic",
    )


def _beyond_curves(lowered: Lowered, found: MotionReport) -> Iterator[Problem]:
    curves = {curve.name: curve for curve in lowered.model.curves}
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        declared = FORCE_TYPES[spring.type]
        for column in declared.curves:
            values = found.element[:, record.value + declared.place(column.argument)]
            name = spring.curves.get(column.name)
            if name is None or not len(values):
                continue
            x = curves[name].x
            beyond = _share_outside(values, x)
            if beyond > 0.0:
                yield Problem(
                    "beyond-curve",
                    "warning",
                    curves[name].cell,
                    f"the {column.argument} of {spring.name} leaves its curve {name} in {100.0 * beyond:.0f} % of the rows: "
                    f"it runs from {values.min():.4g} to {values.max():.4g}, the curve from {x[0]:.4g} to {x[-1]:.4g} (SI)",
                    "beyond its ends the curve of a spring goes on with its end slope",
                    "extend the curve if that is not what you mean",
                )


def _beyond_limits(lowered: Lowered, found: MotionReport) -> Iterator[Problem]:
    """Elements whose laws hold up to a limit that the motion passed."""
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        declared = FORCE_TYPES[spring.type]
        for limit in declared.limits:
            values = found.element[:, record.value + declared.place(limit.value)]
            bound = limit.of(declared.given(spring.values))
            if len(values) and float(values.min()) < bound:
                told = limit.found.format(name=spring.name, least=float(values.min()), bound=bound)
                yield Problem("beyond-limit", "warning", spring.cell, told, limit.rule, limit.mend)


def _share_outside(values: NDArray[np.float64], x: NDArray[np.float64]) -> float:
    return float(np.mean((values < x[0]) | (values > x[-1])))


def _halved(model: Model, solution: Solution) -> Iterator[Problem]:
    retries = int(solution.counts[Count.REJECTIONS])
    if solution.analysis == Analysis.DYNAMIC and solution.rtol is None and retries:
        yield Problem(
            "steps-halved",
            "note",
            model.settings.cells.get("step", "Settings"),
            f"{retries} time(s) a step led to no position in which all joints close, and was halved",
            "a step that cannot be taken is tried again with half its length",
            "choose a shorter step, or the integrator auto",
        )


def _without_effect(model: Model) -> Iterator[Problem]:
    if model.settings.atol is not None and model.settings.analysis == Analysis.DYNAMIC:
        yield Problem(
            "no-effect",
            "warning",
            model.settings.cells.get("atol", "Settings"),
            f"atol = {model.settings.atol:.3g}",
            "errors are weighed by the size of the model and the speed of its motion, so an absolute tolerance has no effect",
            "leave it blank and choose rtol",
        )
