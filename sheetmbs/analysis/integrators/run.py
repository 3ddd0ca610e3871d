"""What every integrator is given, and what it must be able to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sheetmbs.bundle import Bundle
from sheetmbs.engine.arrays import Arrays, Work

if TYPE_CHECKING:
    from sheetmbs.analysis.integrators.contacts import Contacts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows(Bundle):
    """Reported rows, filled from row 1 on; row 0 is the start."""

    times: Floats  # (n,)
    q: Floats  # (n, nq)
    v: Floats  # (n, nv)
    a: Floats  # (n, nv)
    work: Floats  # (n,)
    turn: Floats  # (n, counted turns)


@dataclass
class Run:
    """A motion under way. An integrator moves `t`, `y`, `rates`, `row` on together, and nothing else.

    arrays, work: others once rows have been chosen anew between two calls, and `y`, `rates` a little with them: see
    `analysis/row_choice.py`.
    y: (nq + nv + 1,) state (q, v, work) at time t; rates: (same,) its derivative. row: the next row to report.
    fastest: largest of |v|/L and |omega| so far: what errors of velocities are measured by.
    allowed: error that a step may have; allowed_otherwise: where ``auto`` takes the other kind of method. step: of fixed-step
    methods, s. horizon: see `analysis/horizon.py`.
    first_step: a first step length that is safe, s. project: residual to which each step is put on the constraints, 0: not.
    spectral_radius: of index-3 methods. from_step: whether Baumgarte's factors follow the step. passages: how often a singular
    position was passed; passed: the first such times. contacts: to be located in joints with clearance, or None.
    """

    arrays: Arrays
    work: Work
    rows: Rows
    horizon: Floats
    allowed: float
    step: float
    first_step: float
    t: float
    y: Floats
    rates: Floats
    fastest: float
    project: float
    allowed_otherwise: float = 0.0
    spectral_radius: float = 0.9
    from_step: bool = False
    row: int = 1
    contacts: Contacts | None = None
    passages: int = 0
    passed: list[float] = field(default_factory=list)


class Integrator(Protocol):
    """Steps over a run; made with it."""

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns a Status: DONE, PAUSED, or why no step can be taken."""
        ...
