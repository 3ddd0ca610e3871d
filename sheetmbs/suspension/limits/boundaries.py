"""Where along a sweep something ends: between two of its rows, by poses that are set ever closer to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, swept_axle

CLOSER, ROUNDS = 11, 5
"""poses set between two others, and how often: a step of 20 mm is told to 0.1 micrometres"""
Flags = NDArray[np.bool_]
Holds = Callable[[SweptAxle], Flags]
"""(n,) whether something still holds at the poses that an axle reached"""


@dataclass(frozen=True, eq=False)
class Boundary:
    """The last pose at which something holds. sweep: of poses up to it; at: its row there; swept: the axle over these."""

    sweep: Sweep
    at: int
    swept: SweptAxle

    def value(self, quantity: str) -> float:
        """Value of the quantity that names the rows, SI."""
        return float(self.sweep.column(quantity)[self.at])

    @property
    def pose(self) -> int:
        """Row of the boundary among those that the axle reached."""
        return int(self.at - self.swept.rows.start)


def between(sweep: Sweep, at: Floats) -> Sweep:
    """A sweep at places (n,) between its rows, numbered from 0."""
    rows = np.arange(sweep.rows)
    columns = {name: np.interp(at, rows, getattr(sweep, name)) for name in ("travel", "roll", "rack", "pitch")}
    right = None if sweep.right is None else np.interp(at, rows, sweep.right)
    dampers = {side: np.interp(at, rows, values) for side, values in sweep.dampers.items()}
    return replace(sweep, right=right, dampers=dampers, **columns)


def boundary(sweep: Sweep, swept: SweptAxle, inside: int, outside: int, holds: Holds) -> Boundary:
    """Where something that holds at the row ``inside`` and no more at its neighbour ``outside`` ends.

    Of a sweep whose travels follow from springs that is told to its rows alone.
    """
    if sweep.holds_loads:
        return Boundary(sweep, inside, swept)
    first, last = swept.rows.start, swept.rows.stop - 1
    path = np.arange(first, inside + 1) if outside > inside else np.arange(last, inside - 1, -1)
    known, beyond = path.astype(np.float64), float(outside)
    for _ in range(ROUNDS):
        at = np.concatenate((known, np.linspace(known[-1], beyond, CLOSER + 1)[1:]))
        fine = between(sweep, at)
        found = swept_axle(fine, swept.system, swept.standing)
        holding = np.zeros(len(at), dtype=np.bool_)
        holding[found.rows] = holds(found)
        fails = len(known) + int(np.argmin(holding[len(known) :]))
        if holding[fails]:
            return Boundary(fine, len(at) - 1, found)
        result = Boundary(fine, fails - 1, found)
        known, beyond = np.append(path, at[fails - 1]).astype(np.float64), float(at[fails])
    return result


def is_there(swept: SweptAxle) -> Flags:
    """Whether the axle can be assembled, at poses at which it was."""
    return np.ones(swept.rows.stop - swept.rows.start, dtype=np.bool_)


def ends(sweep: Sweep, swept: SweptAxle) -> list[Boundary]:
    """The last poses before rows at which the linkage does not close, that towards the first row first."""
    found = []
    if swept.rows.stop <= swept.rows.start:
        return []
    if swept.rows.start > 0:
        found.append(boundary(sweep, swept, swept.rows.start, swept.rows.start - 1, is_there))
    if swept.rows.stop < sweep.rows:
        found.append(boundary(sweep, swept, swept.rows.stop - 1, swept.rows.stop, is_there))
    return found
