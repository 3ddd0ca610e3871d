"""The fit of tyres: coefficients found from the readings of Tyre data in stages, and what these can see of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import block_diag

from sheetmbs.measured.runs_test import runs_probability
from sheetmbs.measured.tyre_measurements import TyreMeasurement
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.study_inputs import VARIABLES
from sheetmbs.studies.derived.measured_model import fit_space
from sheetmbs.studies.fitting.direction_words import VariableMeaning, words_of
from sheetmbs.studies.fitting.directions import Direction, directions
from sheetmbs.studies.fitting.estimate import Estimate, estimate
from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats
from sheetmbs.studies.fitting.found_fit import FittedMeasurement, FoundFit, NamedDirection, interval_notes, prior_notes
from sheetmbs.studies.fitting.further_measurements import refit
from sheetmbs.studies.fitting.staged_tyre_fit import StagedFit, fit_in_stages
from sheetmbs.studies.fitting.tyre_residuals import Places, TyreReadings, readings_of
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.tyres.coefficient_model import CoefficientModel, states_of
from sheetmbs.tyres.fitted_coefficients import EVEN, WITH_CAMBER, WITH_LOAD

SLOPES = (
    "Derivatives are central differences of the formula of the tyre over 1e-5 of the width of bounds (or of the prior sd): "
    "their error is below 1e-8 of them."
)
READING = "reading"
"""x of charts: the number of the reading, in the order of its rows, for a tyre has several inputs"""
AGAINST = -0.5
"""correlation of readings and computed forces below which signs are wrong"""
MOST_STAYING = 12
"""coefficients that one sentence names"""


def fit_tyres(study: StudyBook) -> FoundFit:
    """Fit the coefficients of all tyres that are measured. Raises WorkbookError where no reading counts."""
    space = fit_space(study)
    parts = list(_parts(study, space))
    fits = []
    for part in parts:
        given = [study.variables[place].place.startswith(f"{VARIABLES.name}!") for place in part.places]
        found = fit_in_stages(part.readings, ~np.array(given, dtype=np.bool_))
        if found is None:
            own = part.readings.measurements[0]
            rule = "the tyre has no finite force at some reading"
            raise WorkbookError(
                Problem("no-fit", "error", own.of_place, f"of: {own.of}", rule, "look at its coefficients")
            )
        fits.append(found)
    return _Together(study, space, parts, fits).fit()


@dataclass(frozen=True, eq=False)
class _Part:
    """One tyre. places: (p,) of its coefficients among all variables. outside: how many readings lie beyond its ranges."""

    readings: TyreReadings
    places: Places
    outside: int


def _parts(study: StudyBook, space: FitSpace) -> Iterator[_Part]:
    named = [each.coefficient for each in study.variables]
    tyres = {each.tyre.tyre.name: each.tyre for each in study.tyres}
    for name, tyre in tyres.items():
        places = np.array([k for k, each in enumerate(named) if each is not None and each[0] == name], dtype=np.intp)
        if not len(places):
            continue
        own = [each for each in named if each is not None and each[0] == name]
        states = states_of(tyre)
        outside = tyre.tyre.evaluate(states).outside
        measurements = [each for each in study.tyres if each.tyre is tyre]
        counts = [~outside[each.points] for each in measurements]
        _refuse_unmet(measurements, counts)
        model = CoefficientModel(tyre, tuple(each[1] for each in own), np.ascontiguousarray(states))
        own_space = FitSpace(*(each[places] for each in (space.start, space.low, space.high, space.prior_sd)))
        sizes = np.array([each[2] for each in own])
        yield _Part(
            readings_of(model, own_space, sizes, measurements, counts), places, sum(int((~c).sum()) for c in counts)
        )


def _refuse_unmet(measurements: Sequence[TyreMeasurement], counts: Sequence[Flags]) -> None:
    """Raise WorkbookError of measurements all of whose readings lie beyond the ranges of the tyre."""
    problems = [
        Problem(
            "no-reading",
            "error",
            own.of_place,
            f"{own.name}: {len(count)} readings",
            f"none of them lies within the ranges of the tyre {own.tyre.tyre.name}, beyond which it is not evaluated",
            "correct FZMIN, FZMAX, ALPMIN, ALPMAX and the like on Tyre coefficients, or the units of Tyre data",
        )
        for own, count in zip(measurements, counts, strict=True)
        if not count.any()
    ]
    if problems:
        raise WorkbookError(problems)


@dataclass(frozen=True, eq=False)
class _Together:
    """Fits of several tyres as one: they have no coefficient in common."""

    study: StudyBook
    space: FitSpace
    parts: Sequence[_Part]
    fits: Sequence[StagedFit]

    def fit(self) -> FoundFit:
        at = self._whole([each.path.solution for each in self.fits])
        held = self._whole([each.path.held for each in self.fits])
        values = self.space.values(at)
        values = np.where(held < 0.0, self.space.low, np.where(held > 0.0, self.space.high, values))
        slopes = [
            part.readings.slopes(fit.path.solution, np.ones(len(part.places), np.bool_))
            for part, fit in zip(self.parts, self.fits, strict=True)
        ]
        jacobian = self._spread([data for data, _limits in slopes])
        residuals = self.residuals(at)
        found = directions(self.space, at, jacobian, self.residuals)
        unseen = np.array([each.parts for each in found if _is_blind(each)]).reshape(-1, len(at))
        known = self._estimate(values, jacobian, [limits for _data, limits in slopes], residuals, held != 0.0, unseen)
        free = self._whole([each.free.astype(float) for each in self.fits]) > 0.0
        named = [
            NamedDirection(f"{number}", each, self._words(each, values), each.parts * self.space.scale)
            for number, each in enumerate(found, 1)
        ]
        converged = all(each.path.converged for each in self.fits)
        return FoundFit(
            self.space,
            values,
            known,
            [{-1.0: "low", 1.0: "high"}.get(float(each), "") for each in held],
            [self._note(k, at, held, free, named) for k in range(len(at))],
            named,
            list(self._measurements(at, jacobian, known, held != 0.0)),
            (),
            self._steps(),
            converged,
            len(residuals),
            [float(sum(each.path.cost for each in self.fits))],
            0.0,
            SLOPES,
            sum(each.path.shortened for each in self.fits),
            tuple(self._remarks(at, free, converged=converged)),
        )

    def _whole(self, parts: Sequence[Floats]) -> Floats:
        """(p,) of all variables from those of each tyre."""
        found = np.zeros(len(self.space.start))
        for part, own in zip(self.parts, parts, strict=True):
            found[part.places] = own
        return found

    def _spread(self, blocks: Sequence[Floats]) -> Floats:
        """(n, p) from those of each tyre."""
        found = block_diag(*blocks)
        whole = np.zeros((len(found), len(self.space.start)))
        whole[:, np.concatenate([part.places for part in self.parts])] = found
        return whole

    def residuals(self, scaled: Floats) -> Floats:
        """(n,) of the readings of all tyres, over their sd."""
        return np.concatenate([part.readings.residuals(scaled[part.places]) for part in self.parts])

    def _steps(self) -> Floats:
        """(k, p) values: one tyre after the other."""
        at = np.zeros(len(self.space.start))
        steps = [at]
        for part, fit in zip(self.parts, self.fits, strict=True):
            for each in fit.path.steps[1:]:
                at = at.copy()
                at[part.places] = each
                steps.append(at)
        return self.space.values(np.array(steps))

    def _estimate(
        self, values: Floats, jacobian: Floats, limits: Sequence[Floats], residuals: Floats, held: Flags, unseen: Floats
    ) -> Estimate:
        """Covariance; a limit at which the solution stands counts as known, and is no reading."""
        fixed = self._spread(limits)
        fixed = fixed[np.any(fixed, axis=1)]
        found = estimate(
            self.space,
            values,
            np.vstack([jacobian, fixed]) / self.space.scale,
            np.concatenate([residuals, np.zeros(len(fixed))]),
            free_constants=sum(own.free_constants for part in self.parts for own in part.readings.measurements),
            held=held,
            unseen=unseen,
            interval="estimated" if self.study.is_scale_estimated else "given",
        )
        by_reading = found.determined_by[: len(residuals)]
        return replace(found, determined_by=by_reading, determined=float(by_reading.sum()))

    # ------------------------------------------------------------------ words
    def _words(self, direction: Direction, values: Floats) -> str:
        meanings = [VariableMeaning(each.name, each.unit) for each in self.study.variables]
        alone = np.flatnonzero(direction.parts)
        reason = self._reason(int(alone[0])) if len(alone) == 1 and direction.verdict == "unseen" else ""
        if reason:
            return f"{self.study.variables[alone[0]].name} may have any value: {reason}"
        return words_of(direction, self.space.scale, values, meanings)

    def _reason(self, place: int) -> str:
        """Why readings do not see a coefficient, "" where that is not known."""
        coefficient = self.study.variables[place].coefficient
        part = next((each for each in self.parts if place in each.places), None)
        if coefficient is None or part is None:
            return ""
        name, lacks = coefficient[1], part.readings.model.lacks
        if name in WITH_CAMBER and lacks["camber"]:
            return "no reading has camber"
        if name.startswith("PP") and lacks["pressure"]:
            return "all readings have one pressure"
        if name.startswith("R") and lacks["combined"]:
            return "no reading has a slip ratio and a slip angle together"
        return "all readings have one load" if name in WITH_LOAD and lacks["load"] else ""

    def _note(self, k: int, at: Floats, held: Floats, free: Flags, named: Sequence[NamedDirection]) -> str:
        unseen = [each for each in named if _is_blind(each.found)]
        notes = interval_notes(self.space, k, unseen, is_held=bool(held[k]))
        if not free[k]:
            reason = self._reason(k)
            notes.append(f"stays as it is: {reason or 'the readings hardly tell it from the others'}")
        name = self.study.variables[k].coefficient
        if name is not None and name[1] in EVEN and free[k]:
            notes.append("its sign is free: the same number with the other sign gives the same forces")
        return "; ".join([*notes, *prior_notes(self.space, k, at)])

    def _remarks(self, at: Floats, free: Flags, *, converged: bool) -> Iterator[str]:
        if not converged:
            yield "The fit has not converged: its numbers are no solution."
        for part, fit in zip(self.parts, self.fits, strict=True):
            yield from self._found(part, fit, free[part.places], at[part.places])
            yield from self._doubts(part)
        if self.study.starts > 1:
            yield "A fit of tyres begins its stages once, whatever the setting starts."

    def _found(self, part: _Part, fit: StagedFit, free: Flags, at: Floats) -> Iterator[str]:
        """How the coefficients of a tyre were found, which stay, and which limits hold them."""
        tyre = part.readings.model.tyre.tyre.name
        if fit.stages:
            yield f"Coefficients of {tyre} found in stages, how many in each: {', '.join(fit.stages)}; then all together."
        staying = [self.study.variables[k].name for k in part.places[~free]]
        if staying:
            more = f" and {len(staying) - MOST_STAYING} more" if len(staying) > MOST_STAYING else ""
            yield f"The readings of {tyre} do not see {', '.join(staying[:MOST_STAYING])}{more}: these stay as they are."
        held = [self.study.variables[k].name for k in part.places[fit.path.held != 0.0]]
        if held:
            yield (
                f"{', '.join(held)} {'is' if len(held) == 1 else 'are'} held at a bound: intervals of the other coefficients "
                f"of {tyre} hold for that alone, and may be far too narrow."
            )
        for limit in part.readings.passed(at):
            yield f"A limit binds the fit of {tyre}: {limit}."

    def _doubts(self, part: _Part) -> Iterator[str]:
        """What may not be meant in the readings of a tyre."""
        tyre = part.readings.model.tyre.tyre.name
        for own in self._against(part):
            yield (
                f"The readings of {own.name} run against the tyre as it is: look at axes of Tyre data and at sign, for in the "
                "axes of ISO 8855 a small slip angle above 0 gives a lateral force below 0."
            )
        if part.outside:
            yield f"{part.outside} readings lie beyond the ranges of the tyre {tyre}: they are not fitted."
        if any(factor != 1.0 for factor in self._factors(part)):
            yield f"The scale factors of {tyre} on Tyres, or LMUX, LMUY, LKX and LKY, are not 1: they count in this fit."
        if len(part.readings.states) < int((~part.readings.space.has_prior).sum()):
            yield (
                f"There are {len(part.readings.states)} readings of {tyre} and {len(part.places)} coefficients: some of them "
                "stay undetermined."
            )

    @staticmethod
    def _against(part: _Part) -> Iterator[TyreMeasurement]:
        """Measurements whose readings fall where the tyre's force rises."""
        readings = part.readings
        computed = readings.computed(np.zeros(len(part.places)))
        for number, own in enumerate(readings.measurements):
            mine = readings.owners == number
            pair = readings.measured[mine], computed[mine]
            if mine.sum() > 2 and min(map(np.ptp, pair)) > 0.0 and np.corrcoef(*pair)[0, 1] < AGAINST:
                yield own

    @staticmethod
    def _factors(part: _Part) -> tuple[float, ...]:
        model = part.readings.model
        magic = model.tyre.tyre.kernel.magic
        return (magic.lmux, magic.lmuy, magic.lkx, magic.lky) if model.is_magic else ()

    # ------------------------------------------------------------------ measurements
    def _measurements(self, at: Floats, jacobian: Floats, known: Estimate, held: Flags) -> Iterator[FittedMeasurement]:
        first = 0
        for part, fit in zip(self.parts, self.fits, strict=True):
            readings = part.readings
            count = len(readings.states)
            rows = slice(first, first + count)
            first += count
            own = jacobian[rows][:, part.places]
            for number, each in enumerate(readings.measurements):
                mine = readings.owners == number
                stays = held[part.places] | ~fit.free
                without = refit(readings.space, readings.residuals, own, fit.path.solution, ~mine, stays)
                yield _fitted(
                    readings, number, (np.zeros(len(part.places)), at[part.places], without),
                    float(known.determined_by[rows][mine].sum()), each,
                )  # fmt: skip


BLIND = 1e-3
"""singular value below which readings know nothing along a direction: it may be curved, so that a long step is not unseen"""


def _is_blind(direction: Direction) -> bool:
    """Whether readings say nothing along a direction, so that its coefficients have no intervals."""
    return direction.verdict == "unseen" or direction.singular_value < BLIND


def _fitted(
    readings: TyreReadings,
    number: int,
    solutions: tuple[Floats, Floats, Floats],
    leverage: float,
    own: TyreMeasurement,
) -> FittedMeasurement:
    """A measurement before and after a fit, and without its readings."""
    mine = readings.owners == number
    before, after, without = solutions
    found = {name: readings.residuals(each)[mine] * readings.sd[mine] for name, each in
             (("before", before), ("after", after), ("without", without))}  # fmt: skip
    rms = {name: float(np.sqrt(np.mean(each**2))) for name, each in found.items()}
    measured = readings.computed(after)[mine] + found["after"]
    x = np.arange(1.0, mine.sum() + 1.0)
    runs = runs_probability(x, found["after"])
    return FittedMeasurement(
        own.name,
        own.of,
        own.sweep,
        own.unit,
        READING,
        "1",
        int(mine.sum()),
        len(own.points) - int(mine.sum()),
        rms["before"],
        rms["after"],
        rms["after"] / (own.sd or 1.0),
        leverage,
        np.nan if mine.all() else rms["without"],
        np.nan if runs is None else runs,
        x,
        measured,
        readings.computed(before)[mine],
        readings.computed(after)[mine],
    )
