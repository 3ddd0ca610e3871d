"""Readings of a tyre as dots in its charts: at which loads they were taken, and which of them belong to a chart."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.car_tyres import FittedTyre
from sheetmbs.tyres.tyre import ALPHA, GAMMA, KAPPA, Tyre
from sheetmbs.tyres.tyre_points import TyrePoint

NAMES = {KAPPA: "kappa", ALPHA: "alpha", GAMMA: "gamma"}
STRAIGHT = {KAPPA: 0.01, ALPHA: radians(0.5), GAMMA: radians(0.5)}
"""1, rad and rad: up to here a reading counts as one without this input, for rigs hold it no better"""
LOAD_STEP = 0.1
"""of a load: readings whose loads are nearer to each other are of one step of the rig"""
PRESSURE_STEP = 0.05
"""of a pressure, likewise"""
MOST_LOADS, MOST_DOTS = 6, 61
"""loads of a chart, as many as there are colours, and dots of each, as many as a line has points"""


def measured_loads(fitted: FittedTyre) -> list[float]:
    """The mean loads of the steps in which forces were measured, ascending; none where there are more than a chart shows."""
    found = sorted(point.load for point in fitted.points if (point.fx, point.fy, point.mz) != (None, None, None))
    steps: list[list[float]] = []
    for load in found:
        if steps and load - steps[-1][-1] <= LOAD_STEP * load:
            steps[-1].append(load)
        else:
            steps.append([load])
    return [float(np.mean(step)) for step in steps] if len(steps) <= MOST_LOADS else []


def dots(fitted: FittedTyre, force: str, over: int, loads: Sequence[float]) -> list[tuple[Floats, Floats]]:
    """Readings of a force over one input at each of the loads, SI; the other inputs are none, the pressure that of the tyre.

    Of more than `MOST_DOTS` every second is taken, or every third, and so on.
    """
    others = [place for place in NAMES if place != over]
    found: list[list[tuple[float, float]]] = [[] for _load in loads]
    for point in fitted.points:
        value = getattr(point, force)
        if value is None or not _is_straight(point, others, fitted.tyre):
            continue
        nearest = int(np.argmin(np.abs(np.array(loads) - point.load)))
        if abs(point.load - loads[nearest]) <= LOAD_STEP * loads[nearest]:
            found[nearest].append((getattr(point, NAMES[over]), value))
    return [_thinned(np.array(each).reshape(-1, 2)) for each in found]


def _is_straight(point: TyrePoint, others: Sequence[int], tyre: Tyre) -> bool:
    is_alone = all(abs(getattr(point, NAMES[place])) <= STRAIGHT[place] for place in others)
    pressure = point.pressure
    return is_alone and (
        pressure is None or not tyre.pressure or abs(pressure - tyre.pressure) <= PRESSURE_STEP * tyre.pressure
    )


def _thinned(readings: Floats) -> tuple[Floats, Floats]:
    chosen = readings[:: max(1, -(-len(readings) // MOST_DOTS))]
    return chosen[:, 0], chosen[:, 1]
