"""How constraints are kept while a motion is integrated: the formulations by their names, and the rows that they solve with.

What redundant joints say twice changes as they turn: of a parallelogram with three cranks any row may be left out at first,
but each comes to a position in which it alone says something. There the other rows have become dependent, though all rows
together have not. The pivots of S tell in time: where they have fallen far since rows were chosen, other rows are chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.analysis.start.structure import Structure, with_best_rows
from sheetmbs.engine.evaluate import ALPHA, BETA, PARTITION, SOFTNESS, evaluate
from sheetmbs.engine.records import Floats
from sheetmbs.engine.work import Work
from sheetmbs.lower import Lowered, System
from sheetmbs.model.model import Settings

PROJECTION = 1e-12  # residual of positions over the characteristic length after each step


@dataclass(frozen=True)
class Kept:
    """The rows as a formulation wants them. project: residual to which each step is put on the constraints, 0: not."""

    system: System
    project: float = 0.0


def lagrange(system: System, _settings: Settings) -> Kept:
    """Index 1 without stabilisation: violations grow with time."""
    return Kept(system)


def baumgarte(system: System, settings: Settings) -> Kept:
    """Feedback of violations (Baumgarte 1972): Phi'' + 2 alpha Phi' + beta^2 Phi = 0."""
    system.work.feedback[ALPHA] = settings.alpha
    system.work.feedback[BETA] = settings.beta
    return Kept(system)


def augmented_lagrangian(system: System, settings: Settings) -> Kept:
    """Index 1 with a penalty, iterated at every evaluation (Bayo and Avello 1994).

    Its feedback is Phi'' + 2 omega mu Phi' + omega^2 Phi = 0.
    """
    rows = system.arrays.row.copy()
    rows.compliance = 1.0  # the penalty is that of Phi itself, whatever it measures
    feedback = system.work.feedback
    feedback[ALPHA] = settings.omega * settings.mu
    feedback[BETA] = settings.omega
    feedback[SOFTNESS] = 1.0 / settings.penalty
    return Kept(System(replace(system.arrays, row=rows), system.work, system.kept))


def projection(system: System, settings: Settings) -> Kept:
    """Positions and velocities of every step put on the constraints by the least change, weighed by mass."""
    return Kept(system, min(PROJECTION, settings.tolerance))


def coordinate_partitioning(system: System, settings: Settings) -> Kept:
    """Only independent coordinates are integrated (Wehage and Haug 1982); see `engine/algebra/partition.py`."""
    system.work.feedback[PARTITION] = min(PROJECTION, settings.tolerance)
    dense = np.zeros((len(system.arrays.row), len(system.arrays.scale)))
    return Kept(
        System(system.arrays, replace(system.work, dense=dense), system.kept), min(PROJECTION, settings.tolerance)
    )


def index_3(system: System, settings: Settings) -> Kept:
    """Positions, and by a second multiplier velocities, satisfy their constraints in the equations of each step.

    Gear, Leimkuhler and Gupta (1985); see `analysis/integrators/alpha/index3.py`.
    """
    return Kept(system, min(PROJECTION, settings.tolerance))


FORMULATIONS: dict[str, Callable[[System, Settings], Kept]] = {
    "lagrange": lagrange,
    "baumgarte": baumgarte,
    "augmented-lagrangian": augmented_lagrangian,
    "projection": projection,
    "coordinate-partitioning": coordinate_partitioning,
    "index-3": index_3,
}


FALLEN = 0.5  # of the largest pivot since rows were chosen
REMEMBERED = (
    "turn",
    "hint",
    "contact",
    "count",
    "feedback",
    "pivot_watch",
)  # of the scratch of a run: what outlasts an evaluation


class RowWatch:
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
        found = _better_rows(lowered, structure, system.work.guess.copy(), t)
        self.largest = ratio if found is None else 0.0
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
        """Choose rows again for a run where it stands, if its pivots have fallen and other rows are better there."""
        if not self.structure.redundant:
            return
        ratio, watch = float(run.work.pivot_ratio[0]), run.work.pivot_watch
        watch[1] = max(watch[1], ratio)
        if ratio >= FALLEN * watch[1]:
            return
        watch[1] = ratio
        q = run.y[: run.rows.q.shape[1]]
        found = _better_rows(self.lowered, self.structure, q.copy(), run.t)
        if found is None:
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


def _better_rows(lowered: Lowered, structure: Structure, q: Floats, t: float) -> Structure | None:
    """The structure with the rows that are best at q (nq,); None where these are the present ones, or fewer."""
    found = with_best_rows(lowered, structure, q, t)
    is_singular = np.sum(found.keep) < np.sum(structure.keep)
    return None if is_singular or np.array_equal(found.keep, structure.keep) else found


def _remembering(work: Work, before: Work) -> Work:
    """Scratch that shares with that of before what outlasts an evaluation."""
    for name in ("load", "state"):
        getattr(work.friction, name)[:] = getattr(before.friction, name)
    return replace(work, **{name: getattr(before, name) for name in REMEMBERED})
