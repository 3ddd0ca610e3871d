"""The outcome of an analysis: how it ended, the motion and what it cost, and codes of problems by which others know an end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.problems.errors import Problem

if TYPE_CHECKING:
    from sheetmbs.analysis.start.structure import Structure


NOT_FOUND = frozenset({"runs-away", "no-equilibrium"})
"""codes of problems that say that there is no equilibrium"""
UNBALANCED = "modes-without-equilibrium"
"""code of the problem that says that there are therefore no modes"""
UNSTABLE = "unstable-mode"
"""code of the problem that says that a mode grows"""
KINKED = "kinked-force"
"""code of the problem that says that forces have no slope where modes were sought"""


@dataclass(frozen=True)
class Modes:
    """Small motions q = q_0 + Re(shape exp(value t)). values: (n,) 1/s, one of each pair of conjugates. shapes: (nq, n)."""

    values: NDArray[np.complex128]
    shapes: NDArray[np.complex128]


@dataclass(frozen=True)
class Solution:
    """Motion at the reporting times.

    times: (n,). read: (n,) times at which functions of time are read, on one side of their switches; None: the same.
    q: (n, nq); v, a: (n, nv). turns: (n, counted turns) angles about axes in space, counted past a turn.
    work: (n,) work of all forces but weights and springs since the start, None where the motion was prescribed. details:
    further (item, value, unit) for the summary. seconds: spent solving. counts: see codes.Count.
    rtol: relative tolerance to which steps were held, None without error control. modes: of an analysis of these.
    contacts: (n, clearances, 2) CLOSED and SPEED of `engine/forces/clearance.py`; impacts: (contacts, 5) as in
    `integrators/contacts.py`; both None where none are located.
    """

    analysis: str
    status: Literal["done", "failed"]
    times: Floats
    q: Floats
    v: Floats
    a: Floats
    structure: Structure
    turns: Floats
    work: Floats | None = None
    rtol: float | None = None
    contacts: Floats | None = None
    impacts: Floats | None = None
    problems: tuple[Problem, ...] = ()
    details: tuple[tuple[str, float | int | str, str], ...] = ()
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(8, dtype=np.int64))
    seconds: float = 0.0
    modes: Modes | None = None
    read: Floats | None = None
    skipped: Floats | None = None

    @property
    def read_times(self) -> Floats:
        """(n,) times at which functions of time are read, see `horizon.py`."""
        return self.times if self.read is None else self.read


def without_motion(
    analysis: str, structure: Structure, widths: tuple[int, int], problems: tuple[Problem, ...]
) -> Solution:
    """The result of an analysis that could not begin. widths: nq and nv."""
    q, v = (np.zeros((0, width)) for width in widths)
    return Solution(analysis, "failed", np.zeros(0), q, v, v.copy(), structure, np.zeros((0, 0)), problems=problems)


def reporting_times(t_start: float, t_end: float, t_step: float) -> Floats:
    """t_start + n t_step, and t_end exactly as the last one."""
    count = int(np.floor((t_end - t_start) / t_step * (1.0 + 1e-12) + 1e-9))
    times = t_start + t_step * np.arange(count + 1)
    if abs(times[-1] - t_end) <= 1e-9 * t_step:
        times[-1] = t_end
    else:
        times = np.append(times, t_end)
    return np.asarray(times, dtype=np.float64)
