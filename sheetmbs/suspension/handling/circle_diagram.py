"""The yaw-moment diagram at constant radius: states at given body slip angle and rack whose path has the radius R.

V^2 = ay R, so that only states that turn to the side of the circle exist, and none at the origin, where the car would stand.
Each is led from the state of a usual speed V0 with the same slip and steer by

    V^2 = (1 - s) V0^2 + s ay R,    s from 0 to 1
"""

from __future__ import annotations

from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.handling.circle import SLOW
from sheetmbs.suspension.handling.state_grid import Lines, outward
from sheetmbs.suspension.handling.state_path import StateCurve
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    EFFORT,
    IN_TRIM,
    RACK,
    SQUARE,
    Condition,
    SteadyCar,
    Torques,
    along_circle,
    closed_by,
    holding,
)
from sheetmbs.suspension.handling.yaw_moment import YawMomentDiagram, given, trimmed_along

USUAL_SHARE = 0.3
"""of g, of the ay that makes the usual speed on the radius"""
SHARES = np.linspace(0.25, 1.0, 4)
"""s of the states on the way"""
TURNS_AWAY = "the car does not turn to the side of the circle with this slip and steer"


def diagram_on_circle(
    car: SteadyCar, lines: Lines, radius: float, torques: Torques, *, holds: bool = False
) -> YawMomentDiagram:
    """The states of a grid on a circle. radius: m, below 0 of one to the right. torques: of all states.

    holds: whether the drive keeps the speed.
    """
    beta, rack = (each.ravel() for each in np.meshgrid(lines.first, lines.second, indexing="ij"))
    square = USUAL_SHARE * car.kernel.gravity * abs(radius)
    closure = closed_by(len(beta), given(beta, rack, float(np.sqrt(square)), holds=holds))
    solved = outward(car, lines, torques, closure, car.at_design(1, float(np.sqrt(square)))[0])
    on_circle = partial(_conditions, radius=radius, square=square, share=1.0, holds=holds)
    for row in range(len(beta)):
        if solved.good[row] and solved.x[row, AY] * radius <= 0.0:
            solved.why[row] = TURNS_AWAY
    for share in SHARES:
        rows = np.flatnonzero(solved.good)
        if not len(rows):
            break
        own = closed_by(len(rows), _conditions(beta[rows], rack[rows], radius, square, float(share), holds=holds))
        found = car.solve(solved.x[rows], torques.at(rows), own, solved.lifted[rows])
        found.why = [why and TURNS_AWAY for why in found.why]
        solved.put(rows, found)
    return YawMomentDiagram(lines, closed_by(len(beta), on_circle(beta, rack)), torques, solved, on_circle)


def trimmed_on_circle(
    car: SteadyCar, lines: Lines, radius: float, torques: Torques, *, holds: bool = False
) -> StateCurve:
    """The states in trim on the circle from slow speed on, within the rectangle of a grid. torques: of one state."""
    x = car.at_design(1, SLOW)
    x[:, AY] = SLOW**2 / radius
    conditions = [along_circle(radius), holding(AX if holds else EFFORT, 0.0), IN_TRIM]
    (curve,) = trimmed_along(car, lines, conditions, x, torques, np.array([np.sign(radius)]))
    return curve


def _conditions(
    beta: Floats, rack: Floats, radius: float, square: float, share: float, *, holds: bool
) -> list[Condition]:
    path = Condition({SQUARE: 1.0, AY: -share * radius}, (1.0 - share) * square)
    return [holding(BETA, beta), holding(RACK, rack), path, holding(AX if holds else EFFORT, 0.0)]
