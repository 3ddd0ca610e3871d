"""Whether motion and forces agree within their uncertainty: the residual of the whole body by its own u.

chi is the residual force and moment of a frame over their standard uncertainty, and its rms is over all frames and parts. A
candidate changes the residual r by a for each of its unit. The amount that lowers chi most, and its standard deviation under
the covariance C of all other errors and of noise, are

    p = - w . r        w = (a/u^2) / (a . a/u^2)        s^2 = w . C w

Nothing is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.disturbance import Disturbance, Disturbed
from sheetmbs.gait.uncertainty.error_directions import ErrorDirection
from sheetmbs.gait.uncertainty.propagation import Propagation
from sheetmbs.schema.uncertainty_inputs import SourceKind

TRUSTED = 2.0
"""rms chi up to which motion and forces agree"""
NAMED = 0.8
"""of chi, which a candidate must leave at most to be named"""
COVERED = 1.96
"""standard deviations of a normal distribution to either side that hold 95 %"""
STEPS = {
    SourceKind.PLATE_POINT: 1e-4,
    SourceKind.PLATE_GAIN: 1e-4,
    SourceKind.DELAY: 1e-5,
    SourceKind.MASS: 1e-4,
}
"""m, part, s and part by which inputs are changed: residuals change in proportion to them"""
UNITS = {
    SourceKind.PLATE_POINT: ("mm", 1e3),
    SourceKind.PLATE_GAIN: ("%", 1e2),
    SourceKind.DELAY: ("ms", 1e3),
    SourceKind.MASS: ("%", 1e2),
}
AXES = "xyz"
LIKE_TRUNK = ("plate offset x", "plate offset y")
"""candidates that a bias of the trunk looks like as long as all trials walk the same way"""
HARD_TO_TELL = (
    "one trial cannot tell it from a bias of the trunk: "
    "a trial walked the other way would, or one of standing on the plates"
)


@dataclass(frozen=True)
class Candidate:
    """What might be wrong, and how much of it would lower chi most, in its unit. note: why it cannot be told."""

    name: str
    value: float
    low: float
    high: float
    unit: str
    chi_before: float
    chi_after: float
    note: str = ""

    @property
    def is_named(self) -> bool:
        """Whether it lowers chi by a fifth."""
        return self.chi_after <= NAMED * self.chi_before


class DynamicConsistency:
    """The residual of the whole body against its uncertainty. Raises ValueError where the body is not all measured."""

    def __init__(self, found: Propagation) -> None:
        if not found.residuals:
            raise ValueError("the whole body is not measured")
        self._found = found

    @cached_property
    def chi(self) -> float:
        """Root mean square of chi; NaN where the force on both feet is never known."""
        return self._rms(self._residual)

    def chi_with(self, residuals: Sequence[Vector]) -> float:
        """Root mean square of chi with other residuals. residuals: (parts, n) of each trial."""
        return self._rms(self._known(residuals))

    def candidates(self) -> Iterator[Candidate]:
        """What might be wrong with plates, times and mass, each by itself."""
        if not np.isfinite(self.chi) or not np.isfinite(self._u).any():
            return
        for name, kind, error in self._tried():
            step = STEPS[kind]
            changed = self._found.residuals_with(error.times(step))
            change = (self._known(changed) - self._residual) / step
            if not np.any(change):
                continue
            weight = change / self._u**2
            weight = weight / float(weight @ change)
            value, spread = -float(weight @ self._residual), self._deviation(weight, kind)
            unit, factor = UNITS[kind]
            ends = [factor * (value + sign * COVERED * spread) for sign in (-1.0, 1.0)]
            after = self._rms(self._residual + value * change)
            note = HARD_TO_TELL if name in LIKE_TRUNK and self._found.walks_one_way else ""
            yield Candidate(name, factor * value, ends[0], ends[1], unit, self.chi, after, note)

    def _tried(self) -> Iterator[tuple[str, str, ErrorDirection]]:
        """Candidates of all plates together, then of single plates, then of time and mass; of size 1 in SI."""
        names = self._found.plates
        is_flat = self._found.is_flat
        for word, own in (("plate", names), *((name, (name,)) for name in names if len(names) > 1)):
            for number in (0, 1) if is_flat else (0, 1, 2):
                shift = np.eye(3)[number]
                error = self._shifted(own, shift)
                yield f"{word} offset {AXES[number]}", SourceKind.PLATE_POINT, error
            gains = {(Disturbed.PLATE_GAIN, name): np.array(1.0) for name in own}
            yield f"{word} gain", SourceKind.PLATE_GAIN, self._found.in_all(gains)
        yield "delay", SourceKind.DELAY, self._found.in_all({(Disturbed.DELAY, ""): np.array(1.0)})
        masses = {(Disturbed.MASS, name): np.array(1.0) for name in self._found.segments}
        yield "mass", SourceKind.MASS, self._found.in_all(masses)

    def _shifted(self, plates: Sequence[str], shift: Vector) -> ErrorDirection:
        """Plates that lie elsewhere in the laboratory, by (3,) in axes of the first trial: a walk back sees it mirrored."""
        axes = [trial.prepared.axes.matrix for trial in self._found.session.trials]
        return ErrorDirection(
            "",
            {
                number: Disturbance({(Disturbed.PLATE_SHIFT, name): own @ axes[0].T @ shift for name in plates})
                for number, own in enumerate(axes)
            },
        )

    def _deviation(self, weight: Vector, kind: str) -> float:
        """Standard deviation of a weighted residual by all errors but those of a kind."""
        total = float(np.sum(weight**2 * self._noise))
        for direction, change in zip(self._found.directions, self._changes, strict=True):
            if direction.kind != kind:
                total += float(weight @ change) ** 2
        return float(np.sqrt(total))

    @cached_property
    def _is_known(self) -> Vector:
        """Which numbers of all trials have a residual and are not near an end."""
        trials = range(len(self._found.gait.trials))
        inside = [np.tile(self._found.is_trusted(trial), (len(self._found.residuals), 1)) for trial in trials]
        values = self._found.residual_values()
        return np.concatenate([(np.isfinite(v) & i).ravel() for v, i in zip(values, inside, strict=True)])

    def _known(self, values: Sequence[Vector]) -> Vector:
        return np.asarray(np.concatenate([each.ravel() for each in values])[self._is_known])

    @cached_property
    def _residual(self) -> Vector:
        return self._known(self._found.residual_values())

    @cached_property
    def _noise(self) -> Vector:
        return self._known(self._found.residual_noise())

    @cached_property
    def _changes(self) -> Vector:
        """(errors, numbers)."""
        changes = self._found.residual_changes()
        return np.array(
            [self._known([each[number] for each in changes]) for number in range(len(self._found.directions))]
        )

    @cached_property
    def _u(self) -> Vector:
        u = np.sqrt(np.sum(self._changes**2, axis=0) + self._noise)
        return np.asarray(np.where(u > 0.0, u, np.inf))

    def _rms(self, residual: Vector) -> float:
        return float(np.sqrt(np.mean((residual / self._u) ** 2))) if len(residual) else np.nan
