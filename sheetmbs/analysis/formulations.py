"""How constraints are kept while a motion is integrated: the formulations by their names in the workbook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.evaluate import ALPHA, BETA, PARTITION, SOFTNESS
from sheetmbs.lower import System
from sheetmbs.model.model import Settings

PROJECTION = 1e-12  # residual of positions over the characteristic length after each step


@dataclass(frozen=True)
class Kept:
    """The rows as a formulation wants them. project: residual to which each step is put on the constraints, 0: not."""

    system: System
    project: float = 0.0


def lagrange(system: System, _settings: Settings) -> Kept:
    """Index 1 as it is: violations grow with time."""
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
