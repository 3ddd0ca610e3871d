"""What every integrator is given, what it must be able to do, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.contacts.contact_log import Contacts
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import Corners
from sheetmbs.compiled import Bundle
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.work import Work


class Status(IntEnum):
    """Return codes of the stepping kernels; `analysis/diagnosis/` has the sentences."""

    DONE = 0
    PAUSED = 1
    STEP_TOO_SMALL = 2
    NOT_FINITE = 3
    NOT_CONVERGED = 4
    STALLED = 5


@dataclass(frozen=True, eq=False)
class ReportedRows(Bundle):
    """Reported rows, filled from row 1 on; row 0 is the start."""

    times: Floats  # (n,)
    q: Floats2  # (n, nq)
    v: Floats2  # (n, nv)
    a: Floats2  # (n, nv)
    work: Floats  # (n,)
    turn: Floats2  # (n, counted turns)


@dataclass
class Run:
    """A motion under way. An integrator moves `t`, `y`, `rates`, `row` on together, and nothing else.

    arrays, work: others once rows have been chosen again between two calls, and `y`, `rates` a little with them: see
    `analysis/formulations.py`.
    y: (nq + nv + 1,) state (q, v, work) at time t; rates: (same,) its derivative. row: the next row to report.
    fastest: largest of |v|/L and |omega| so far: what errors of velocities are measured by.
    allowed: error that a step may have; allowed_otherwise: where ``auto`` takes the other kind of method. step: of fixed-step
    methods, s. horizon: see `analysis/horizon.py`.
    first_step: a first step length that is safe, s. project: residual to which each step is put on the constraints, 0: not.
    spectral_radius: of index-3 methods. from_step: whether Baumgarte's factors follow the step. passages: how often a singular
    position was passed; passed: the first such times. contacts: to be located in joints with clearance, or None.
    corners: of springs' curves, at which steps are to end, or None.
    """

    arrays: Arrays
    work: Work
    rows: ReportedRows
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
    corners: Corners | None = None
    passages: int = 0
    passed: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Largest rate so far, or once through the model's size in the whole time where that is more, 1/s."""
        return max(self.fastest, 1.0 / float(self.rows.times[-1] - self.rows.times[0]))


@dataclass(frozen=True)
class StepState:
    """A run at one time, to come back to."""

    t: float
    y: Floats
    rates: Floats
    turn: Floats
    row: int
    fastest: float
    pivot_ratio: float
    passages: int
    held: NDArray[np.int64] | None
    contacts: tuple[NDArray[Any], ...]

    @classmethod
    def of(cls, run: Run) -> StepState:
        """Where a run stands."""
        work = run.work
        return cls(
            run.t,
            run.y.copy(),
            run.rates.copy(),
            work.turn.copy(),
            run.row,
            run.fastest,
            float(work.pivot_ratio[0]),
            run.passages,
            None if run.corners is None else run.corners.part.copy(),
            () if run.contacts is None else run.contacts.kept(),
        )

    def restore(self, run: Run) -> None:
        """Put a run back here."""
        run.t, run.row, run.fastest, run.passages = self.t, self.row, self.fastest, self.passages
        del run.passed[run.passages :]
        run.y[:], run.rates[:] = self.y, self.rates
        run.work.turn[:], run.work.pivot_ratio[0] = self.turn, self.pivot_ratio
        if run.corners is not None and self.held is not None:
            run.corners.hold(self.held)
        if run.contacts is not None:
            run.contacts.recall(self.contacts)


class Integrator(Protocol):
    """Steps over a run; made with it."""

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps. Returns a Status: DONE, PAUSED, or why no step can be taken."""
        ...
