"""Second curves in which errors of the subject and of the markers share the residual of the whole body.

With the residual r over all frames, the errors z of 5.1 that trials share or that are constant (masses and centres of mass,
markers misplaced, skin) and smooth changes c of all markers, each counted in its standard deviation,

    |r + A z + U c|^2 + |z|^2 + |c|^2

is least, residuals counted in what may be left of them, masses and centres of mass within limits. c is eliminated
(`smooth_changes`): with (1 + U U^T) Y = [r A], z is least squares in (1 + A^T Y_A) z = -A^T y_r. Trials are then solved again
in full with these changes, and what is not linear in them is shared out again, until nothing more is left.
After Delp et al. (2007), IEEE Trans Biomed Eng 54:1940, and Werling et al. (2023), PLoS ONE 18:e0295152.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import lsq_linear

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.joint_courses import FASTEST_PERIOD, cutoff_period
from sheetmbs.gait.trial.disturbance import UNDISTURBED, Disturbance, Disturbed
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.gait.uncertainty.error_directions import ErrorDirection, sum_of
from sheetmbs.gait.uncertainty.marker_noise import used_markers
from sheetmbs.gait.uncertainty.propagation import Propagation
from sheetmbs.gait.uncertainty.smooth_changes import INTERVALS_OF_PERIOD, SmoothChanges
from sheetmbs.schema.uncertainty_inputs import SourceKind

SHARING = (SourceKind.MASS, SourceKind.COM, SourceKind.PLACEMENT, SourceKind.SKIN)
"""sources that share the residual, besides smooth changes"""
MASS_LIMIT, COM_LIMIT = 0.10, 0.020
"""part of a mass, and m of a centre of mass along its segment, that may change"""
LEFT_OF_WEIGHT, LEFT_ARM = 3e-3, 0.1
"""residual force that may be left, as a part of the weight, and m of the arm at which it makes the moment that may be left"""
ROUNDS, ENOUGH = 12, 1.0
"""times that trials are solved again, at most, and rms of what is left, by what may be left, at which that ends"""
AT_LIMIT = 1.0 - 1e-6


@dataclass(frozen=True, eq=False)
class ReducedResidual:
    """What sharing the residual out gave. courses: of all trials, with the changes.

    before, after: (parts, frames) their residuals in SI in the frames that count.
    masses: part by which the mass of each segment grows. coms: m by which its centre of mass moves away from the upper end.
    moved: rms in m over all frames by which each marker of each trial moves, by trial and label. at_limit: masses and centres
    that would change more.
    """

    courses: tuple[TrialCourses, ...]
    before: tuple[Vector, ...]
    after: tuple[Vector, ...]
    masses: Mapping[str, float]
    coms: Mapping[str, float]
    moved: Mapping[tuple[str, str], float]
    at_limit: tuple[str, ...]

    @property
    def marker_change(self) -> float:
        """Root mean square in m of the changes of all markers."""
        return float(np.sqrt(np.mean([each**2 for each in self.moved.values()]))) if self.moved else 0.0


@dataclass(frozen=True, eq=False)
class _Round:
    """Trials solved again. left: rms of their residuals by what may be left. sizes: (errors,) by their standard deviations."""

    left: float
    sizes: Vector
    error: ErrorDirection
    courses: Mapping[int, TrialCourses]


def reduce_residual(found: Propagation) -> ReducedResidual:
    """Share out the residual of all trials. Raises ValueError where the body is not all measured."""
    if not found.residuals:
        raise ValueError("the whole body is not measured")
    session = found.session
    numbers = [number for number, each in enumerate(found.directions) if each.kind in SHARING]
    directions = [found.directions[number] for number in numbers]
    limits = np.array([_limit(each, found) for each in directions])
    smooth = [_smooth_changes(found, number) for number in range(len(session.trials))]
    plain = found.residual_values()
    slopes = [
        each.rows(np.moveaxis(changes[numbers], 0, -1))
        for each, changes in zip(smooth, found.residual_changes(), strict=True)
    ]
    solved_slopes = [each.solve(own) for each, own in zip(smooth, slopes, strict=True)]
    target = [each.rows(own) for each, own in zip(smooth, plain, strict=True)]
    rounds: list[_Round] = []
    while len(rounds) < ROUNDS and not (rounds and rounds[-1].left < ENOUGH):
        sizes = _shared(target, slopes, solved_slopes, limits)
        expected = [each.solve(own + slope @ sizes) for each, own, slope in zip(smooth, target, slopes, strict=True)]
        error = _error(directions, sizes, [each.courses(own) for each, own in zip(smooth, expected, strict=True)])
        courses = found.courses_with(error)
        now = [each.rows(_residual(courses[number], found)) for number, each in enumerate(smooth)]
        rounds.append(_Round(_rms(now), sizes, error, courses))
        target = [own + new - old for own, new, old in zip(target, now, expected, strict=True)]
    best = min(rounds, key=lambda each: each.left)
    sizes, error, reduced = best.sizes, best.error, best.courses
    masses, coms = dict[str, float](), dict[str, float]()
    lengths = {each.row.name: each.length for each in session.trials[0].segments}
    for each in error.trials.values():
        masses |= {name: float(part) for name, part in each.of(Disturbed.MASS).items()}
        coms |= {name: float(part) * lengths[name] for name, part in each.of(Disturbed.COM).items()}
    at_limit = tuple(
        f"{each.kind} of {next(owner for _what, owner in each.trials[min(each.trials)].parts)}"
        for each, size, limit in zip(directions, sizes, limits, strict=True)
        if abs(size) >= AT_LIMIT * limit
    )
    return ReducedResidual(
        tuple(reduced[number] for number in range(len(smooth))),
        tuple(own[:, each.known] for own, each in zip(plain, smooth, strict=True)),
        tuple(_residual(reduced[number], found)[:, each.known] for number, each in enumerate(smooth)),
        masses,
        coms,
        _moved(error, found),
        at_limit,
    )


def _limit(each: ErrorDirection, found: Propagation) -> float:
    """How many standard deviations an error may be large."""
    session = found.session
    (what, owner), size = next(iter(each.trials[min(each.trials)].parts.items()))
    if what == Disturbed.MASS:
        return MASS_LIMIT / float(size)
    if what == Disturbed.COM:
        length = next(row.length for row in session.trials[0].segments if row.row.name == owner)
        return COM_LIMIT / (float(size) * length)
    return np.inf


def _smooth_changes(found: Propagation, number: int) -> SmoothChanges:
    session = found.session
    book, trial = session.book, session.trials[number]
    sizes = {label: size for label in used_markers(trial, book) if (size := book.placement(label))}
    residual = found.residual_values()[number]
    weight = LEFT_OF_WEIGHT * book.subject.mass * book.gravity
    allowed = np.array([weight if name.startswith("f") else weight * LEFT_ARM for name in found.residuals])
    period = cutoff_period(trial.cutoffs) or FASTEST_PERIOD
    known = found.is_trusted(number) & np.isfinite(residual).all(axis=0)
    responses = found.residual_responses(number, list(sizes)) if sizes and known.any() else {}
    return SmoothChanges(
        trial.courses.time,
        period / INTERVALS_OF_PERIOD,
        known,
        allowed,
        {label: size for label, size in sizes.items() if label in responses},
        responses,
    )


def _shared(target: Sequence[Vector], slopes: Sequence[Vector], solved: Sequence[Vector], limits: Vector) -> Vector:
    """(errors,) that together with smooth changes take most of the residual, each by its standard deviation."""
    if not len(limits):
        return np.zeros(0)
    matrix = np.eye(len(limits)) + sum(each.T @ own for each, own in zip(slopes, solved, strict=True))
    right = -sum(own.T @ each for each, own in zip(target, solved, strict=True))
    upper = cholesky(matrix)
    free = lsq_linear(upper, solve_triangular(upper, right, trans="T"), (-limits, limits), method="bvls")
    return np.asarray(free.x)


def _error(
    directions: Sequence[ErrorDirection], sizes: Vector, smooth: Sequence[Mapping[str, Vector]]
) -> ErrorDirection:
    both = sum_of(directions, sizes)
    trials = {
        number: both.trials.get(number, UNDISTURBED).plus(
            Disturbance({(Disturbed.FILTERED_MARKER, label): course for label, course in own.items()})
        )
        for number, own in enumerate(smooth)
    }
    return ErrorDirection("", trials, standing=both.standing)


def _residual(courses: TrialCourses, found: Propagation) -> Vector:
    """(parts, n)."""
    residual = courses.residual or {}
    return np.array([residual[name] for name in found.residuals])


def _rms(rows: Sequence[Vector]) -> float:
    together = np.concatenate(rows)
    return float(np.sqrt(np.mean(together**2))) if len(together) else 0.0


def _moved(error: ErrorDirection, found: Propagation) -> dict[tuple[str, str], float]:
    moved = {}
    for number, trial in enumerate(found.session.trials):
        own = error.trials[number]
        constant, smooth = own.of(Disturbed.MARKER), own.of(Disturbed.FILTERED_MARKER)
        for label in used_markers(trial, found.session.book):
            total = np.zeros((len(trial.courses.time), 3)) + constant.get(label, 0.0) + smooth.get(label, 0.0)
            moved[trial.courses.trial, label] = float(np.sqrt(np.mean(np.sum(total**2, axis=1))))
    return moved
