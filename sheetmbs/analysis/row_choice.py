"""The choice among redundant rows, made again along a motion.

What joints say twice changes as they turn: of a parallelogram with three cranks any row may be left out at first, but each
comes to a position in which it alone says something. There the other rows have become dependent, though all rows together
have not. The pivots of S tell in time: where they have fallen far since rows were chosen, rows are chosen anew.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.formulations import FORMULATIONS, Kept
from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.analysis.start.structure import Structure, rechosen
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.work import Work
from sheetmbs.lower import Lowered, System

Floats = NDArray[np.float64]

FALLEN = 0.5  # of the largest pivot since rows were chosen
REMEMBERED = (
    "turn",
    "hint",
    "contact",
    "count",
    "feedback",
    "pivot_watch",
)  # of the scratch of a run: what outlasts an evaluation


class RowLook:
    """Watches the pivots of a kinematic analysis of a model with redundant joints. largest: pivot since rows were chosen."""

    def __init__(self) -> None:
        self.largest = 0.0

    def other(self, lowered: Lowered, structure: Structure, system: System, t: float) -> Structure | None:
        """Other rows where those of now depend on each other at the configuration found last; None where these will do."""
        if not structure.redundant:
            return None
        ratio = float(system.work.pivot_ratio[0])
        self.largest = max(self.largest, ratio)
        if ratio >= FALLEN * self.largest:
            return None
        self.largest = ratio
        found = rechosen(lowered, structure, system.work.guess.copy(), t)
        is_singular = np.sum(found.keep) < np.sum(structure.keep)
        if is_singular or np.array_equal(found.keep, structure.keep):
            return None
        self.largest = 0.0
        return found


class RowChoice:
    """The rows that a dynamic analysis solves with. kept: they with their formulation."""

    def __init__(self, lowered: Lowered, structure: Structure, formulation: str) -> None:
        self.lowered, self.structure, self.formulation = lowered, structure, formulation
        self.kept = self._arranged()
        self.kept.system.work.pivot_watch[0] = FALLEN if structure.redundant else 0.0

    def limit(self, steps: int, integrator: Integrator) -> int:
        """How many of the steps an integrator may take before the pivots are looked at: one, if it does not itself."""
        return steps if not self.structure.redundant or getattr(integrator, "watches_pivots", False) else 1

    def look(self, run: Run) -> None:
        """Choose rows anew for a run where it stands, if its pivots have fallen and other rows are better there."""
        if not self.structure.redundant:
            return
        ratio, watch = float(run.work.pivot_ratio[0]), run.work.pivot_watch
        watch[1] = max(watch[1], ratio)
        if ratio >= FALLEN * watch[1]:
            return
        watch[1] = ratio
        q = run.y[: run.rows.q.shape[1]]
        found = rechosen(self.lowered, self.structure, q.copy(), run.t)
        is_singular = np.sum(found.keep) < np.sum(self.structure.keep)
        if is_singular or np.array_equal(found.keep, self.structure.keep):
            return
        self.structure = found
        kept = self._arranged()
        work = _remembering(kept.system.work, run.work)
        self.kept = replace(kept, system=replace(kept.system, work=work))
        run.arrays, run.work = kept.system.arrays, work
        # rows left out until now hold to fewer digits: the next step must not take that for an error of its own
        evaluate(run.arrays, work, run.t, q, run.y[len(q) : -1], run.rates, run.project)
        watch[1] = work.pivot_ratio[0]

    def _arranged(self) -> Kept:
        # partitioning sets columns of J to zero, after which a hub may no longer be eliminated
        with_hubs = self.formulation != "coordinate-partitioning"
        system = self.lowered.arrange(self.structure.keep, with_hubs=with_hubs)
        return FORMULATIONS[self.formulation](system, self.lowered.model.settings)


def _remembering(work: Work, before: Work) -> Work:
    """Scratch that shares with that of before what outlasts an evaluation."""
    for name in ("load", "state"):
        getattr(work.friction, name)[:] = getattr(before.friction, name)
    return replace(work, **{name: getattr(before, name) for name in REMEMBERED})
