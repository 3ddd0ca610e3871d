"""The fit of a workbook: its variables found from its measurements, and what the data can see of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.residuals import Residuals
from sheetmbs.measured.runs_test import runs_probability
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studies.derived.candidate_columns import candidate_slopes
from sheetmbs.studies.derived.measured_model import MeasuredModel
from sheetmbs.studies.derived.model_slopes import ModelSlopes
from sheetmbs.studies.derived.variable_meanings import variable_meanings
from sheetmbs.studies.fitting.differences import Slopes
from sheetmbs.studies.fitting.direction_words import words_of
from sheetmbs.studies.fitting.directions import directions
from sheetmbs.studies.fitting.estimate import Estimate, estimate
from sheetmbs.studies.fitting.fit_space import FitSpace, Flags, Floats
from sheetmbs.studies.fitting.found_fit import FittedMeasurement, FoundFit, NamedDirection, interval_notes, prior_notes
from sheetmbs.studies.fitting.further_measurements import further_measurements, refit
from sheetmbs.studies.fitting.solve_fit import FitSearch, fit_all
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.studies.study_book import StudyBook


def fit_workbook(solver: VariantSolver, tell: Callable[[int], None] = lambda _start: None) -> FoundFit:
    """Fit the variables of a study to its measurements. tell: called with the number of each start.

    Raises WorkbookError where measurements are wrong, or the workbook cannot be solved at any start.
    """
    model = MeasuredModel(solver)
    slopes = ModelSlopes(model)
    study = solver.study
    search = fit_all(model.space, _Differentiated(model, slopes), study.starts, study.seed, tell)
    if search is None:
        rule, mend = "no start of the fit could be solved", "see whether the workbook as it is can be solved"
        raise WorkbookError(Problem("no-fit", "error", study.places.get("method", "Study"), model.failure, rule, mend))
    return _Found(solver, model, slopes, search).fit()


@dataclass(frozen=True)
class _Differentiated:
    """The model as least squares take it."""

    model: MeasuredModel
    slopes: ModelSlopes

    def residuals(self, scaled: Floats) -> Floats | None:
        return self.model.residuals(scaled)

    def jacobian(self, scaled: Floats) -> Floats:
        return self.slopes.at(scaled)


@dataclass
class _Found:
    """What is said of a solution."""

    solver: VariantSolver
    model: MeasuredModel
    slopes: ModelSlopes
    search: FitSearch
    remarks: list[str] = field(default_factory=list)

    def fit(self) -> FoundFit:
        study, path = self.solver.study, self.search.best
        space, at = self.model.space, path.solution
        final = self.slopes.judged(at)
        residuals = self.model.residuals(at)
        if residuals is None:
            raise WorkbookError(Problem("no-fit", "error", "", self.model.failure, "the solution cannot be solved", ""))
        error = float(np.max(final.errors, initial=0.0))
        found = directions(space, at, final.jacobian, self.model.residuals, error)
        unseen = np.array([each.parts for each in found if each.verdict == "unseen"]).reshape(-1, len(at))
        values = space.values(at)
        values = np.where(path.held < 0.0, space.low, np.where(path.held > 0.0, space.high, values))
        known = estimate(
            space,
            values,
            final.jacobian / space.scale,
            residuals,
            free_constants=self.model.free_constants,
            held=path.held != 0.0,
            unseen=unseen,
            interval="estimated" if study.is_scale_estimated else "given",
        )
        meanings = variable_meanings(self.solver.cells, study.variables)
        named = [
            NamedDirection(f"{number}", each, words_of(each, space.scale, values, meanings), each.parts * space.scale)
            for number, each in enumerate(found, 1)
        ]
        measurements = self._measurements(final.jacobian, known, path.held != 0.0)
        further = further_measurements(final.jacobian, candidate_slopes(self.solver, self.model, at))
        self._doubt(study, space, final, len(residuals))
        for each in measurements:
            self.remarks += _doubts_of(each)
        return FoundFit(
            space,
            values,
            known,
            [{-1.0: "low", 1.0: "high"}.get(float(each), "") for each in path.held],
            [self._note(place, at, path.held, named) for place in range(len(at))],
            named,
            measurements,
            further,
            space.values(path.steps),
            path.converged,
            len(residuals),
            self.search.costs,
            self.search.spread,
            self.slopes.described(final),
            path.shortened,
            tuple(self.remarks),
        )

    def _note(self, place: int, at: Floats, held: Floats, named: Sequence[NamedDirection]) -> str:
        space = self.model.space
        unseen = [each for each in named if each.found.verdict == "unseen"]
        notes = interval_notes(space, place, unseen, is_held=bool(held[place]))
        return "; ".join([*notes, *prior_notes(space, place, at)])

    def _measurements(self, jacobian: Floats, known: Estimate, held: Flags) -> list[FittedMeasurement]:
        path, model = self.search.best, self.model
        before, after = model.found(np.zeros_like(path.solution)), model.found(path.solution)
        if after is None or before is None:
            return []
        rows = np.repeat(np.arange(len(after)), [len(each.residuals) for each in after])
        return [
            self._measurement(number, was, now, jacobian, known, rows, held)
            for number, (was, now) in enumerate(zip(before, after, strict=True))
        ]

    def _measurement(
        self,
        number: int,
        was: Residuals,
        now: Residuals,
        jacobian: Floats,
        known: Estimate,
        rows: NDArray[np.intp],
        held: Flags,
    ) -> FittedMeasurement:
        own, path = now.measurement, self.search.best
        without = refit(self.model.space, self.model.residuals, jacobian, path.solution, rows != number, held)
        left = self.model.found(without)
        return FittedMeasurement(
            own.name,
            own.of,
            own.case,
            own.unit,
            own.over,
            own.over_unit,
            len(now.residuals),
            len(own.x) - int(now.counts.sum()),
            was.rms,
            now.rms,
            now.rms / (own.sd or 1.0),
            float(known.determined_by[rows == number].sum()),
            np.nan if left is None or not (rows != number).any() else left[number].rms,
            np.nan if (runs := runs_probability(now.x, now.residuals)) is None else runs,
            now.x,
            now.measured_values,
            was.computed_values,
            now.computed_values,
        )

    def _doubt(self, study: StudyBook, space: FitSpace, final: Slopes, readings: int) -> None:
        """Say what is not as it should be."""
        path, without = self.search.best, int((~space.has_prior).sum())
        if not path.converged:
            self.remarks.append("The fit has not converged: its numbers are no solution.")
        if readings < without:
            self.remarks.append(
                f"There are {readings} readings and {without} variables without a prior: some of them stay undetermined."
            )
        for place in final.kinks:
            self.remarks.append(
                f"Derivatives by {study.variables[place].name} differ between two steps: there is a kink, or noise, and its "
                "interval is in doubt."
            )
        if path.shortened:
            times = "once" if path.shortened == 1 else f"{path.shortened} times"
            self.remarks.append(f"A step could not be solved and was shortened {times}: {self.model.failure}.")
            if not path.converged:
                self.remarks.append(
                    "The search ended where the workbook cannot be solved any farther: give the variables low and high there, "
                    "or look whether readings, signs and units are right."
                )


AGAINST = -0.5
"""correlation of readings and computed values below which a sign is likely wrong"""


def _doubts_of(own: FittedMeasurement) -> Iterator[str]:
    """What may not be meant in the readings of a measurement."""
    if own.outside:
        of_all = f"{own.outside} of {own.outside + own.n}"
        yield f"{of_all} readings of {own.name} lie beyond what is computed: they are not fitted."
    pairs = np.column_stack([own.x, own.measured])
    repeated = len(pairs) - len(np.unique(pairs, axis=0))
    if own.over and repeated:
        yield (
            f"{repeated} readings of {own.name} repeat {own.over} and value of others exactly: if rows were pasted twice, they "
            "count twice, and intervals are too narrow."
        )
    curves = own.measured, own.before
    if own.n > 2 and min(map(np.ptp, curves)) > 0.0 and np.corrcoef(*curves)[0, 1] < AGAINST:
        yield f"The readings of {own.name} run against {own.of} as it is: look at the column sign of Measurements."
