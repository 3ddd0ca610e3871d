"""What data can see: directions among the variables of a fit, from those seen best to those that change no reading.

With scaled variables, of which one is one prior standard deviation, singular values s of J S0^(1/2) say how many standard
deviations of all readings one prior standard deviation along a direction makes; the posterior share is 1/sqrt(1 + s^2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.studies.fitting.fit_space import FitSpace, Floats

Verdict = Literal["seen", "weak", "unseen"]
SEEN_SHARE = 0.5
"""posterior share up to which a direction is seen: data then know it better than the prior by sqrt 3"""
TEST_STEP, TEST_CHANGE = 10.0, 1e-6
"""a step in prior standard deviations that, of an unseen direction, changes no reading by more than this part of its sd"""
CORRECTIONS, CORRECTABLE = 4, 0.1
"""times that a direction is corrected for rounding, and the largest change of a reading, in sd, that may be rounding"""
HALVINGS, LEAST_STEP = 5, 0.1
"""how often a step that cannot be solved is halved, and the least one beyond which bounds leave no room"""
CANDIDATE = 1e-5
"""singular value per root of the number of readings, below which a direction is tried for being unseen"""
NO_PART = 1e-6
"""of the largest part of a direction, below which a part is rounding"""
SMALL_PARTS = (1e-3, 1e-4, 1e-5, NO_PART)
"""the same, tried one after the other: linear programs are solved to 1e-7, of parts that may be small"""
ALONE, INDEPENDENT = 1e3, 1e-3
"""ratio of singular values from which one vector alone is unseen, and how far vectors are apart that are not the same"""

Computed = Callable[[Floats], Floats | None]
"""(n,) computed values over their sd for scaled variables (p,); None where they cannot be solved"""


@dataclass(frozen=True, eq=False)
class Direction:
    """A direction of length 1 in scaled variables. parts: (p,). singular_value: of J S0^(1/2) along it."""

    parts: Floats
    singular_value: float
    verdict: Verdict

    @property
    def share(self) -> float:
        """How much of the prior standard deviation along it remains."""
        return float(1.0 / np.sqrt(1.0 + self.singular_value**2))


def directions(
    space: FitSpace, at: Floats, jacobian: Floats, computed: Computed, error: float = 0.0
) -> list[Direction]:
    """All p directions, those seen best first.

    Parameters
    ----------
    space, at
        Variables, and the solution (p,) in scaled variables.
    jacobian
        (n, p) of values over their sd by scaled variables.
    computed
        Solves at other values, by which unseen directions are tested.
    error
        Of the Jacobian: largest error of a singular value.
    """
    count = jacobian.shape[1]
    limit = max(CANDIDATE * np.sqrt(max(len(jacobian), 1)), 3.0 * error)
    here = computed(at)
    tried = [] if here is None else sparsest(null_space(jacobian, limit), jacobian)
    found_unseen = [_unseen_along(space, at, parts, (jacobian, computed, here)) for parts in tried if here is not None]
    unseen = [each for each in found_unseen if each is not None]
    rest = _complement(unseen, count)
    _left, values, right = _decomposed(jacobian @ rest)
    found = [_judged(parts, float(value)) for value, parts in zip(values, right @ rest.T, strict=True)]
    return [*found, *(Direction(parts, 0.0, "unseen") for parts in unseen)]


def _complement(vectors: list[Floats], count: int) -> Floats:
    """(count, m) orthonormal columns across all of some vectors (count,)."""
    if not vectors:
        return np.eye(count)
    whole = np.linalg.qr(np.array(vectors).T, mode="complete")[0]
    return np.asarray(whole[:, len(vectors) :])


def _decomposed(matrix: Floats) -> tuple[Floats, Floats, Floats]:
    """The singular value decomposition with as many values as columns: fewer rows are filled up with zeros."""
    count = matrix.shape[1]
    left, values, right = np.linalg.svd(np.vstack([matrix, np.zeros((count, count))]), full_matrices=False)
    return left, values, right


def _judged(parts: Floats, value: float) -> Direction:
    signed = parts if parts[np.argmax(np.abs(parts))] >= 0.0 else -parts
    found = Direction(signed, value, "weak")
    return Direction(signed, value, "seen") if found.share <= SEEN_SHARE * (1.0 + 1e-12) else found


def null_space(jacobian: Floats, limit: float) -> Floats:
    """(k, p) orthonormal directions along which the Jacobian is at most ``limit`` long."""
    _left, values, right = _decomposed(jacobian)
    return np.asarray(right[values <= limit])


def sparsest(space: Floats, jacobian: Floats) -> list[Floats]:
    """Vectors of length 1 that span a space (k, p), with as few parts as there can be.

    For each variable the vector with the smallest sum of sizes whose part there is 1 (Chen, Donoho and Saunders 1998), which
    is sparse; of these the ones with the fewest parts that are independent. Each is refined on the variables that it moves.
    """
    if not len(space):
        return []
    found = [each for place in range(space.shape[1]) if (each := _smallest_sum(space, place)) is not None]
    found = [_refined(each, jacobian) for each in (*found, *space)]
    found.sort(key=lambda each: (int(np.count_nonzero(each)), float(np.abs(each).sum())))
    chosen: list[Floats] = []
    for each in found:
        if len(chosen) < len(space) and np.linalg.matrix_rank(np.array([*chosen, each]), tol=INDEPENDENT) > len(chosen):
            chosen.append(_signed(each))
    return chosen


def _smallest_sum(space: Floats, place: int) -> Floats | None:
    """The vector of a space whose part at a place is 1 and whose parts have the smallest sum of sizes."""
    from scipy.optimize import linprog

    if np.linalg.norm(space[:, place]) < NO_PART:
        return None
    inside, count = space.shape
    eye = np.eye(count)
    above = np.block([[space.T, -eye], [-space.T, -eye]])
    answer = linprog(
        np.concatenate([np.zeros(inside), np.ones(count)]),
        A_ub=above,
        b_ub=np.zeros(2 * count),
        A_eq=np.concatenate([space[:, place], np.zeros(count)])[None, :],
        b_eq=[1.0],
        bounds=[(None, None)] * inside + [(0.0, None)] * count,
        method="highs",
    )
    return np.asarray(answer.x[:inside] @ space) if answer.success else None


def _refined(vector: Floats, jacobian: Floats) -> Floats:
    """The same vector without parts that are rounding, as exactly as the Jacobian knows it on the variables that it moves.

    Of a vector whose small parts are none, dropping these would let readings change.
    """
    vector = vector / np.linalg.norm(vector)
    for small in SMALL_PARTS:
        kept = np.where(np.abs(vector) < small * np.abs(vector).max(), 0.0, vector)
        moved = np.flatnonzero(kept)
        _left, values, right = _decomposed(jacobian[:, moved])
        is_alone = len(moved) == 1 or values[-2] > ALONE * values[-1]
        if is_alone and abs(float(right[-1] @ vector[moved])) > 1.0 - INDEPENDENT:
            better = np.zeros_like(vector)
            better[moved] = right[-1]
            if np.linalg.norm(jacobian @ better) <= ALONE * max(float(np.linalg.norm(jacobian @ vector)), 1e-12):
                return better
    return np.asarray(np.where(np.abs(vector) < NO_PART * np.abs(vector).max(), 0.0, vector))


def _signed(vector: Floats) -> Floats:
    return vector if vector[np.argmax(np.abs(vector))] >= 0.0 else -vector


def _unseen_along(space: FitSpace, at: Floats, parts: Floats, model: tuple[Floats, Computed, Floats]) -> Floats | None:
    """The direction where steps to both sides, as far as bounds allow, change no reading by more than a part of its sd.

    Rounding of the Jacobian leaves a change that is linear in the step: it is taken out along the variables that move.
    model: Jacobian, computed values and these at the solution. None where readings change all the same.
    """
    jacobian, computed, here = model
    moved = np.flatnonzero(parts)
    for _correction in range(CORRECTIONS):
        sides = [(sign, _change(space, at, sign * parts, computed, here)) for sign in (1.0, -1.0)]
        changes = [(change, sign * step) for sign, (change, step) in sides if step > 0.0]
        largest = max((float(np.max(np.abs(each), initial=0.0)) for each, _step in changes), default=np.inf)
        if largest <= TEST_CHANGE:
            return _signed(parts)
        if largest > CORRECTABLE:
            return None
        change, step = changes[0]
        linear = np.linalg.lstsq(jacobian[:, moved], change / step, rcond=1e-9)[0]
        parts = parts.copy()
        parts[moved] -= linear
        parts /= np.linalg.norm(parts)
    return None


def _change(space: FitSpace, at: Floats, parts: Floats, computed: Computed, here: Floats) -> tuple[Floats, float]:
    """What a step changes, and its length, 0 where bounds leave no room or no step can be solved."""
    step = min(TEST_STEP, _room(space, at, parts))
    for _halving in range(HALVINGS):
        if step < LEAST_STEP:
            break
        there = computed(at + step * parts)
        if there is not None and there.shape == here.shape:
            return there - here, step
        step *= 0.5
    return here - here, 0.0


def _room(space: FitSpace, at: Floats, parts: Floats) -> float:
    """How far one can go along parts within the bounds."""
    low, high = space.scaled_bounds
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(parts > 0.0, (high - at) / parts, np.where(parts < 0.0, (low - at) / parts, np.inf))
    return float(np.min(room, initial=np.inf))
