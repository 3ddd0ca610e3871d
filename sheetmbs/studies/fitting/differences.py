"""Derivatives by central differences whose steps are chosen, and whose errors are judged by two step sizes.

A difference of step h has the error h^2 D3/6 + e/h with e of the solution: of several steps the one counts whose difference
changes least when the step is halved. Both together give (4 D(h/2) - D(h))/3, whose error falls with h^4 (Richardson 1911).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.studies.fitting.fit_space import FitSpace, Floats

STEPS = (0.1, 0.01, 1e-3)
"""in scales of a variable, that are tried"""
ENOUGH = 1e-6
"""of the size of a column of the Jacobian: an error that changes no digit told, after which no other step is tried"""
KINK = 0.05
"""of the size of a column of the Jacobian: a larger difference between two steps, or both sides, is a kink, or noise"""
BENT = 0.75
"""of the difference of both sides at a whole step: at half of it a smooth function has a half, a kink the whole"""

Computed = Callable[[Floats], Floats | None]


@dataclass(frozen=True, eq=False)
class Slopes:
    """jacobian: (n, p) by scaled variables. steps: (p,) in scales. errors: (p,) judged length of the error of each column.

    kinks: variables whose differences to both sides do not come together when the step is halved.
    """

    jacobian: Floats
    steps: Floats
    errors: Floats
    kinks: Sequence[int] = ()


@dataclass(frozen=True, eq=False)
class _Difference:
    """slope: (n,) per length of the step. bend: how far the slopes to both sides are apart."""

    slope: Floats
    bend: float


def _difference(
    computed: Computed, here: Floats, at: Floats, along: Floats, bounds: tuple[Floats, Floats]
) -> _Difference | None:
    """The derivative along a step ``along`` (p,): central, else of second order from the side that can be solved."""
    step = float(np.linalg.norm(along))
    sides = [(sign, computed(point)) for sign in (1.0, -1.0) if _is_inside(point := at + sign * along, bounds)]
    solved = [(sign, values) for sign, values in sides if values is not None]
    if len(solved) == 2:
        ahead, behind = solved[0][1], solved[1][1]
        bend = float(np.linalg.norm(ahead + behind - 2.0 * here)) / step
        return _Difference(np.asarray((ahead - behind) / (2.0 * step)), bend)
    if not solved:
        return None
    sign, values = solved[0]
    middle = computed(at + 0.5 * sign * along)
    if middle is None:
        return None
    return _Difference(np.asarray(sign * (4.0 * middle - values - 3.0 * here) / step), 0.0)


def _is_inside(point: Floats, bounds: tuple[Floats, Floats]) -> bool:
    return bool(np.all((point >= bounds[0]) & (point <= bounds[1])))


def central_slopes(space: FitSpace, computed: Computed, at: Floats, steps: Floats) -> Floats:
    """(n, p) with given steps (p,), in scales; 0 where no side can be solved."""
    here = computed(at)
    if here is None:
        return np.zeros((0, len(at)))
    jacobian = np.zeros((len(here), len(at)))
    for place, along in enumerate(np.diag(steps)):
        found = _difference(computed, here, at, along, space.scaled_bounds)
        if found is not None:
            jacobian[:, place] = found.slope
    return jacobian


def judged_slopes(space: FitSpace, computed: Computed, at: Floats, tried: Sequence[float] = STEPS) -> Slopes:
    """The best of several steps for each variable, refined by half of it, with its error."""
    here = computed(at)
    if here is None:
        return Slopes(np.zeros((0, len(at))), np.zeros(len(at)), np.zeros(len(at)))
    jacobian, steps, errors, kinks = np.zeros((len(here), len(at))), np.zeros(len(at)), np.zeros(len(at)), []
    for place, axis in enumerate(np.eye(len(at))):
        best = np.inf
        for step in tried:
            whole, half = (
                _difference(computed, here, at, part * step * axis, space.scaled_bounds) for part in (1.0, 0.5)
            )
            if whole is None or half is None:
                continue
            error = float(np.linalg.norm(half.slope - whole.slope)) / 3.0
            if error < best:
                best, errors[place], steps[place] = error, error, step
                jacobian[:, place] = (4.0 * half.slope - whole.slope) / 3.0
                size = max(float(np.linalg.norm(half.slope)), 1.0)
                is_bent = half.bend > max(BENT * whole.bend, KINK * size)
            if best <= ENOUGH * float(np.linalg.norm(jacobian[:, place])):
                break
        if np.isfinite(best) and (
            is_bent or errors[place] > KINK * max(float(np.linalg.norm(jacobian[:, place])), 1.0)
        ):
            kinks.append(place)
    return Slopes(jacobian, steps, errors, kinks)
