"""How an analysis ends: codes that kernels return, and codes of problems by which others know an end."""

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


NOT_FOUND = frozenset({"runs-away", "no-equilibrium"})
"""codes of problems that say that there is no equilibrium"""
UNBALANCED = "modes-without-equilibrium"
"""code of the problem that says that there are therefore no modes"""
UNSTABLE = "unstable-mode"
"""code of the problem that says that a mode grows"""
KINKED = "kinked-force"
"""code of the problem that says that forces have no slope where modes were sought"""
