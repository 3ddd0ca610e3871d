"""How an analysis ends: codes that kernels return."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Return codes of the stepping kernels; `analysis/diagnosis/explain.py` has the sentences."""

    DONE = 0
    PAUSED = 1
    STEP_TOO_SMALL = 2
    NOT_FINITE = 3
    NOT_CONVERGED = 4
    STALLED = 5
