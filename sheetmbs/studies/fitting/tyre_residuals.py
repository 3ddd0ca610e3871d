"""Readings of a tyre less what its coefficients give, with their derivatives and with penalties beyond physical limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.tyre_measurements import FORCES, TyreMeasurement
from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats
from sheetmbs.tyres.coefficient_model import STEP, CoefficientModel

Places = NDArray[np.intp]
PENALTY = 1e5
"""sd of readings for one unit beyond a limit: so steep that what data pull beyond it stays below the margin of the limit"""


@dataclass(frozen=True, eq=False)
class TyreReadings:
    """Readings of one tyre.

    sizes: (p,) what turns numbers of cells into SI. states: (n,) the state of each reading in the model. owners: (n,) the
    measurement of each. columns: (n,) its force, as `CoefficientModel.forces` has them. sd, measured: (n,).
    """

    model: CoefficientModel
    space: FitSpace
    sizes: Floats
    measurements: Sequence[TyreMeasurement]
    states: Places
    owners: Places
    columns: Places
    sd: Floats
    measured: Floats

    def restricted(self, rows: Flags) -> TyreReadings:
        """Some of the readings, with no other states than theirs."""
        kept, states = np.unique(self.states[rows], return_inverse=True)
        own = self.model
        wide = own.states if own.range_states is None else own.range_states
        model = replace(own, states=np.ascontiguousarray(own.states[kept]), range_states=wide)
        return TyreReadings(
            *(model, self.space, self.sizes, self.measurements, states),
            *(self.owners[rows], self.columns[rows], self.sd[rows], self.measured[rows]),
        )

    def computed(self, scaled: Floats) -> Floats:
        """(n,) what the tyre gives in their places."""
        forces = self.model.forces(self.space.values(scaled) * self.sizes)
        return np.asarray(forces[self.states, self.columns])

    def offsets(self, residuals: Floats) -> Floats:
        """(n,) free constants of residuals, 0 where the offset of a measurement is a number."""
        found = np.zeros(len(residuals))
        for number, own in enumerate(self.measurements):
            if own.free_constants:
                found[self.owners == number] = residuals[self.owners == number].mean()
        return found

    def residuals(self, scaled: Floats) -> Floats:
        """(n,) over their sd, without penalties."""
        found = self.measured - self.computed(scaled)
        return np.asarray((found - self.offsets(found)) / self.sd)

    def beyond(self, scaled: Floats) -> Floats:
        """(m,) penalties of limits that are passed, 0 within them."""
        limits = self.model.limits(self.space.values(scaled) * self.sizes)
        if not limits:
            return np.zeros(0)
        return np.asarray(PENALTY * np.maximum(np.concatenate(list(limits.values())), 0.0))

    def passed(self, scaled: Floats) -> list[str]:
        """The limits at which a solution stands."""
        limits = self.model.limits(self.space.values(scaled) * self.sizes)
        return [name for name, found in limits.items() if found.max(initial=-1.0) > 0.0]

    def slopes(self, scaled: Floats, free: Flags) -> tuple[Floats, Floats]:
        """(n, p) of residuals and (m, p) of penalties by scaled variables, 0 of those that are not free."""
        data, limits = np.zeros((len(self.states), len(scaled))), np.zeros((len(self.beyond(scaled)), len(scaled)))
        for k in np.flatnonzero(free):
            ahead, behind = scaled.copy(), scaled.copy()
            ahead[k] += STEP
            behind[k] -= STEP
            change = -(self.computed(ahead) - self.computed(behind)) / (2.0 * STEP)
            data[:, k] = (change - self.offsets(change)) / self.sd
            if len(limits):
                limits[:, k] = (self.beyond(ahead) - self.beyond(behind)) / (2.0 * STEP)
        return data, limits


@dataclass(frozen=True, eq=False)
class StageModel:
    """Readings and some coefficients of a tyre as least squares take them; other coefficients stay."""

    readings: TyreReadings
    at: Floats
    free: Flags

    @cached_property
    def space(self) -> FitSpace:
        """The coefficients that move, beginning at the cells as they are."""
        whole = self.readings.space
        return FitSpace(*(each[self.free] for each in (whole.start, whole.low, whole.high, whole.prior_sd)))

    def whole(self, scaled: Floats) -> Floats:
        """Return all scaled coefficients."""
        found = self.at.copy()
        found[self.free] = scaled
        return found

    def residuals(self, scaled: Floats) -> Floats | None:
        """(n + m,) of readings, then of penalties; None where a force is not finite."""
        whole = self.whole(scaled)
        found = np.concatenate([self.readings.residuals(whole), self.readings.beyond(whole)])
        return found if np.isfinite(found).all() else None

    def jacobian(self, scaled: Floats) -> Floats:
        """(n + m, free) of these."""
        data, limits = self.readings.slopes(self.whole(scaled), self.free)
        return np.nan_to_num(np.vstack([data, limits])[:, self.free])


def readings_of(
    model: CoefficientModel,
    space: FitSpace,
    sizes: Floats,
    measurements: Sequence[TyreMeasurement],
    counts: Sequence[Flags],
) -> TyreReadings:
    """All readings that count. counts: by measurement, which of its readings do."""
    pairs = list(zip(measurements, counts, strict=True))
    owners = np.repeat(np.arange(len(pairs)), [int(count.sum()) for _own, count in pairs])
    return TyreReadings(
        model,
        space,
        sizes,
        measurements,
        np.concatenate([own.points[count] for own, count in pairs]),
        owners,
        np.array([FORCES.index(own.force) for own in measurements])[owners],
        np.array([own.sd or 1.0 for own in measurements])[owners],
        np.concatenate([own.y[count] for own, count in pairs]),
    )
