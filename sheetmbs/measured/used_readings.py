"""Which readings count: those within limits of x, and of a loop one branch, both, or what lies halfway between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.measurement import Floats
from sheetmbs.schema.measured_inputs import BRANCHES

Branch = Literal["both", "mean", "up", "down"]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class UsedReadings:
    """x, y: (k,) of the readings that count. places: (k,) of each among all rows."""

    x: Floats
    y: Floats
    places: Places


def branch_of(text: str) -> Branch:
    """The branch of a word on the sheet Measurements."""
    return cast("Branch", text if text in BRANCHES else BRANCHES[0])


def used_readings(x: Floats, y: Floats, branch: Branch, limits: tuple[float, float]) -> UsedReadings:
    """The readings that count. x, y: (n,) in the order in which they were taken, NaN: blank. limits: least and largest x."""
    places = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    up, down = _directions(x[places])
    if branch == "mean":
        found = _halfway(x, y, places[up], places[down])
    else:
        chosen = {"both": places, "up": places[up], "down": places[down]}[branch]
        found = UsedReadings(x[chosen], y[chosen], chosen)
    inside = (found.x >= limits[0]) & (found.x <= limits[1])
    return UsedReadings(found.x[inside], found.y[inside], found.places[inside])


def _directions(x: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which readings were taken while x grew, and while it fell; where it turns they belong to both.

    Where x stands still, the direction before goes on.
    """
    steps = np.sign(np.diff(x))
    moving = np.flatnonzero(steps)
    if len(moving) == 0:
        return np.ones(len(x), np.bool_), np.ones(len(x), np.bool_)
    last = np.maximum.accumulate(np.where(steps != 0.0, np.arange(len(steps)), -1))
    steps = np.where(last >= 0, steps[last], steps[moving[0]])
    before, behind = np.append(steps[0], steps), np.append(steps, steps[-1])
    return (before > 0.0) | (behind > 0.0), (before < 0.0) | (behind < 0.0)


def _halfway(x: Floats, y: Floats, up: Places, down: Places) -> UsedReadings:
    """At each x of the way up that the way down passes, the mean of both. Where there is one way alone, it counts."""
    if len(up) == 0 or len(down) == 0:
        only = up if len(up) else down
        return UsedReadings(x[only], y[only], only)
    own, first = np.unique(x[up], return_index=True)
    other, _first = np.unique(x[down], return_index=True)
    on_way_up, on_way_down = _means(x[up], y[up]), _means(x[down], y[down])
    inside = (own >= other[0]) & (own <= other[-1])
    halfway = 0.5 * (on_way_up + np.interp(own, other, on_way_down))
    return UsedReadings(own[inside], halfway[inside], up[first][inside])


def _means(x: Floats, y: Floats) -> Floats:
    """(k,) mean value at each x, ascending."""
    _places, inverse = np.unique(x, return_inverse=True)
    return np.asarray(np.bincount(inverse, y) / np.bincount(inverse))
