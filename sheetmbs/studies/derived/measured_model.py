"""A workbook as a function of its variables: what it computes where there are readings, and the residuals of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sheetmbs.measured.known_columns import KnownCase, known_sheet
from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.read_measurements import read_measurements
from sheetmbs.measured.residuals import Residuals, computed_at_points, residual_changes, residuals
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.products.varied_workbook import FoundCase
from sheetmbs.schema.measured_inputs import MEASUREMENTS
from sheetmbs.studies.derived.exact_columns import ExactColumns, exact_columns
from sheetmbs.studies.fitting.fit_space import FitSpace, Floats
from sheetmbs.studies.solving.variant_solver import VariantSolver, in_words
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.workbook.sheets.sheet_contents import MEASURED

Columns = dict[str, dict[str, tuple[str, ...]]]
SAME = 0.1
"""of the sd of a reading, by which columns may differ at the places of readings: runs are interpolated between their rows"""
REMEMBERED = 8
"""solved points that are kept: the search asks for the point where it stands more than once"""


def fit_space(study: StudyBook) -> FitSpace:
    """The variables of a study as a fit has them."""
    bounds = np.array([variable.bounds for variable in study.variables])
    sds = [variable.prior_sd for variable in study.variables]
    return FitSpace(study.as_it_is, bounds[:, 0], bounds[:, 1], np.array([np.nan if sd is None else sd for sd in sds]))


class MeasuredModel:
    """Residuals of all measurements with an sd, by the variables of a study.

    Raises WorkbookError where measurements are wrong, none has an sd, or one has no reading within what is computed.
    """

    def __init__(self, solver: VariantSolver) -> None:
        self._solver = solver
        self.space = fit_space(solver.study)
        reference = solver.reference
        known = [_known(case, found) for case, found in reference.items() if found.problem is None]
        _check_solved(reference)
        read = read_measurements(solver.book, known)
        self.warnings = read.warnings
        self.measurements: tuple[Measurement, ...] = tuple(each for each in read.measurements if each.sd is not None)
        if not self.measurements:
            raise WorkbookError(_none(solver))
        self.exact: ExactColumns | None = None
        self._known: dict[bytes, list[Floats] | None] = {}
        self.failure = ""
        """why the model could not be solved, of the last point where it could not"""
        self.solved = 0
        """how often the model was solved"""
        solver.subject.prepare(self.asked())
        first = self._solved(self.space.start)
        if first is None:
            raise WorkbookError(self._unsolved)
        self.counts = [np.isfinite(each[own.at_points]) for own, each in zip(self.measurements, first, strict=True)]
        self._refuse_unmet(first)
        self.exact = exact_columns(solver, self.space, self.measurements)
        """the same columns with their derivatives, None where the model has none"""
        if self.exact is not None and not self._agree(first, self.exact.values(self.space.start)):
            self.exact = None

    def _agree(self, first: Sequence[Floats], exact: Sequence[Floats]) -> bool:
        """Whether two ways to the same columns give the same."""
        pairs = zip(self.measurements, self.counts, first, exact, strict=True)
        return all(
            bool(np.all(np.abs(one - other)[own.at_points][counts] <= SAME * _sd(own)))
            for own, counts, one, other in pairs
        )

    def asked(self) -> Columns:
        """The columns that readings and responses need, by case and sheet."""
        asked: dict[str, dict[str, dict[str, None]]] = {}
        for case, of_responses in self._solver.asked().items():
            for sheet, columns in of_responses.items():
                asked.setdefault(case, {}).setdefault(sheet, {}).update(dict.fromkeys(columns))
        for own in self.measurements:
            of_case = asked.setdefault(own.case, {})
            of_case.setdefault(own.sheet, {})[own.of] = None
            if own.over:
                of_case.setdefault(own.over_sheet, {})[own.over] = None
        return {case: {sheet: tuple(names) for sheet, names in sheets.items()} for case, sheets in asked.items()}

    def _refuse_unmet(self, first: Sequence[Floats]) -> None:
        """Raise WorkbookError of measurements of which no reading counts."""
        problems = []
        for own, computed in zip(self.measurements, first, strict=True):
            if not residuals(own, computed).counts.any():
                found = f"{own.name}: x from {own.x.min():g} to {own.x.max():g} {own.over_unit}".rstrip()
                rule = f"no reading lies where {own.of} is computed{f' in {own.case}' if own.case else ''}"
                mend = "extend the sweep or the run, or correct over_scale, over_offset, from and to"
                problems.append(Problem("no-reading", "error", str(own.place), found, rule, mend))
        if problems:
            raise WorkbookError(problems)

    # ------------------------------------------------------------------ computed columns
    def _solved(self, values: Floats) -> list[Floats] | None:
        """Computed values of each measurement at its points; None where they cannot be solved."""
        self.solved += 1
        if self.exact is not None:
            return self._exactly(self.exact, values)
        found = self._solver.subject.solve(self._solver.changes.at(values))
        for each in found.values():
            if each.problem is not None:
                self._unsolved = each.problem
                self.failure = in_words(each.problem)
                return None
        return [computed_at_points(own, list(found[own.case].tables.values())) for own in self.measurements]

    def _exactly(self, exact: ExactColumns, values: Floats) -> list[Floats] | None:
        try:
            return list(exact.values(values))
        except (SheetmbsError, ArithmeticError, ValueError) as error:
            self.failure = str(error).partition("\n")[0]
            return None

    def computed(self, scaled: Floats) -> list[Floats] | None:
        """The same for scaled variables; None also where readings that count have no value any more."""
        key = scaled.tobytes()
        if key not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            found = self._solved(self.space.values(scaled))
            if found is not None and not self._covers(found):
                self.failure = "a measured x is not reached"
                found = None
            self._known[key] = found
        return self._known[key]

    def _covers(self, computed: Sequence[Floats]) -> bool:
        of_each = zip(self.measurements, computed, self.counts, strict=True)
        return all(np.isfinite(values[own.at_points][counts]).all() for own, values, counts in of_each)

    def found(self, scaled: Floats) -> list[Residuals] | None:
        """Residuals of each measurement, over the readings that count in the workbook as it is."""
        computed = self.computed(scaled)
        if computed is None:
            return None
        return [self._compared(own, *each) for own, *each in zip(self.measurements, computed, self.counts, strict=True)]

    @staticmethod
    def _compared(own: Measurement, computed: Floats, counts: Floats) -> Residuals:
        known = computed.copy()
        extra = np.isfinite(computed[own.at_points]) & ~counts.astype(bool)
        known[own.at_points[extra]] = np.nan
        return residuals(own, known)

    # ------------------------------------------------------------------ what a fit asks for
    def residuals(self, scaled: Floats) -> Floats | None:
        """(n,) residuals over the sd of their readings."""
        found = self.found(scaled)
        if found is None:
            return None
        return np.concatenate([each.residuals / _sd(each.measurement) for each in found])

    def residual_slopes(self, scaled: Floats, changes: Sequence[Floats]) -> Floats:
        """(n, p) of the residuals over sd, from those (m, p) of the computed values of each measurement."""
        found = self.found(scaled)
        if found is None:
            return np.zeros((0, len(scaled)))
        pairs = zip(found, changes, strict=True)
        return np.vstack([residual_changes(each, change) / _sd(each.measurement) for each, change in pairs])

    @property
    def free_constants(self) -> int:
        """How many degrees of freedom free offsets cost."""
        return sum(each.free_constants for each in self.measurements)


def _known(case: str, found: FoundCase) -> KnownCase:
    """What measurements may name of a case. The first columns of a sheet say what a row is: they belong to no element."""
    sheets = []
    for table in (each for each in found.tables.values() if each.name != MEASURED):
        swept = next((k for k, name in enumerate(table.columns) if "." in name), len(table.columns))
        sheets.append(known_sheet(table, max(swept, 1), is_one_row=len(table.values) == 1))
    return KnownCase(case, tuple(sheets))


def _sd(measurement: Measurement) -> float:
    return measurement.sd or 1.0


def _check_solved(reference: Mapping[str, FoundCase]) -> None:
    """Raise WorkbookError where no case of the workbook as it is can be solved."""
    problems = [found.problem for found in reference.values() if found.problem is not None]
    if problems and len(problems) == len(reference):
        raise WorkbookError(problems[0])


def _none(solver: VariantSolver) -> Problem:
    place = solver.study.places.get("method", "Study")
    rule = f"a fit needs readings with their standard deviation: no row of {MEASUREMENTS.name} has an sd"
    is_there = solver.book.find_sheet(MEASUREMENTS.name) is not None
    mend = "write the sd of a reading in the column sd" if is_there else f"add the sheet {MEASUREMENTS.name}"
    return Problem("no-measurement", "error", MEASUREMENTS.name if is_there else place, "method: fit", rule, mend)
