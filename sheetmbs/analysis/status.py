"""How an analysis ends: codes that kernels return."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Return codes of the stepping kernels; `analysis/diagnosis/explain.py` has the sentences."""

    DONE = 0
    PAUSED = 1
    NOT_CLOSED = 2
    SINGULAR = 3
    STEP_TOO_SMALL = 4
    NOT_FINITE = 5
    NOT_CONVERGED = 6
    STALLED = 7
