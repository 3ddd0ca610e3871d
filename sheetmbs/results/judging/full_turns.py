"""Bushings in space that come near a full turn, where the rotation vector of a body is continued only about a fixed axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.forces.bushing_force import AXES, BUSHING
from sheetmbs.engine.revolution_counts import THREE_QUARTERS
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Model, Spring
from sheetmbs.problems.errors import Problem

Floats = NDArray[np.float64]

MOVED = 0.1
"""sine of the angle by which an axis may move between three quarters of a turn and a full one, and still count as fixed"""
ACROSS = 0.01
"""share of the elastic moment across the axis; its pole at a full turn makes that a moment of any size"""


def full_turns(lowered: Lowered, solution: Solution) -> Iterator[Problem]:
    """Warn of bushings that pass three quarters of a turn about an axis that moves, or one that the moment does not follow."""
    for spring, record in zip(lowered.model.springs, lowered.forces.elements.record, strict=True):
        if (
            spring.type != BUSHING.name
            or record.turn < 0
            or solution.analysis in {Analysis.EQUILIBRIUM, Analysis.MODES}
        ):
            continue
        theta, left = solution.turns[:, record.turn : record.turn + 3], solution.turns[:, record.turn + 3]
        rows = np.flatnonzero(left > MOVED)
        if len(rows):
            yield _moved(spring, float(solution.times[rows[0]]), float(left.max()))
            continue
        size = np.linalg.norm(theta, axis=1)
        far = np.flatnonzero(size > THREE_QUARTERS)
        axis = theta[far] / size[far, None]
        law = _law(lowered.model, spring, theta[far])
        across = np.linalg.norm(np.cross(law, axis), axis=1)
        rows = far[across > ACROSS * np.linalg.norm(law, axis=1)]
        if len(rows):
            yield _across(spring, float(solution.times[rows[0]]))


def _law(model: Model, spring: Spring, theta: Floats) -> Floats:
    """(rows, 3) elastic moments over the components of the rotation vector, N m."""
    curves = {curve.name: curve for curve in model.curves}
    given, law = BUSHING.given(spring.values), np.empty_like(theta)
    for k, axis in enumerate(AXES[3:]):
        name = spring.curves.get(f"curve_k{axis}")
        law[:, k] = (
            given[f"k{axis}"] * theta[:, k] if name is None else np.interp(theta[:, k], curves[name].x, curves[name].y)
        )
    return law


def _moved(spring: Spring, time: float, sine: float) -> Problem:
    by = f"by {np.degrees(np.arcsin(min(sine, 1.0))):.0f} deg" if sine < 1.0 else "by a right angle"
    return Problem(
        "full-turn",
        "warning",
        spring.cell,
        f"{spring.name} has turned by more than three quarters of a turn, and by t = {time:.6g} s or later its axis of "
        f"rotation moves {by}",
        "in space a bushing counts turns about an axis that stays; about one that moves, its rotation has no "
        "direction at a full turn: rx, ry, rz and the moment swing round there",
        "hold the axis by a revolute or cylindrical joint, use a rotational spring about it, or keep the bushing below "
        "three quarters of a turn",
    )


def _across(spring: Spring, time: float) -> Problem:
    return Problem(
        "full-turn",
        "warning",
        spring.cell,
        f"{spring.name} has turned by more than three quarters of a turn at t = {time:.6g} s, about an axis along which its "
        "elastic moment does not point",
        "the part of the moment across the axis grows without limit towards a full turn",
        "give krx, kry and krz the same value, turn the axes of body i along the axis of rotation, or use a rotational spring",
    )
