"""A study made ready: from a point, the values of its variables, to its responses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.all_products import varied
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.measured.read_measurements import measured_cases
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.varied_workbook import FoundCase, VariedWorkbook
from sheetmbs.schema.cell import Place
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.study_inputs import RESPONSES
from sheetmbs.schema.table import Table
from sheetmbs.studies.goals import is_followed
from sheetmbs.studies.reading.read_study import read_study
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.reading.tyre_variables import with_tyre_variables
from sheetmbs.studies.responses.aggregation_functions import NoResponseError
from sheetmbs.studies.responses.cell_response import CellResponse, cell_response
from sheetmbs.studies.responses.column_response import ColumnResponse, column_response, curve_unit_problems
from sheetmbs.studies.solving.cell_changes import CellChanges, with_result_sheets
from sheetmbs.studies.study_book import Floats, StudyBook, StudyResponse, StudyVariable
from sheetmbs.studies.study_results import IN_DOUBT, KeptCurve
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_text
from sheetmbs.workbook.cells.cells import Book, with_cells
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.reading.context import GivenCurve

Response = ColumnResponse | CellResponse
ADDRESS = re.compile(r"('[^']*'|[^!'()*/+]+)!\$?[A-Za-z]{1,3}\$?\d+")
"""what can only be meant as the address of a cell, whatever it lacks"""
PART_CASES = "separate cases by ;, such as bump; roll"
TRIED = 9
"""points at which the columns of results are looked up where the workbook as it is cannot be solved"""


@dataclass(frozen=True)
class SolvedPoint:
    """What became of a point.

    responses: (responses,) NaN where it failed. residuals: (m,). message: of a failure, or why the responses are in doubt.
    """

    responses: Floats
    residuals: Floats
    message: str = ""

    @property
    def done(self) -> bool:
        """Whether it did not fail."""
        return not (self.message and bool(np.isnan(self.responses).all()))


class VariantSolver:
    """The study of an open workbook. analysis: in place of the setting. computed: formulas without a value in the file.

    Raises WorkbookError with everything that is wrong in its sheets, in formulas or in responses.
    """

    def __init__(self, book: Book, analysis: str | None = None) -> None:
        self.book = book
        self.analysis = analysis
        self.formulas = WorkbookFormulas(with_result_sheets(written_book(book), self._tables_of_a_run))
        self.cells = StudyCells(book, self.formulas)
        self.study: StudyBook = with_tyre_variables(read_study(self.cells), book, self.formulas)
        self.changes = CellChanges(self.study, self.formulas)
        cells = self._cells_of_responses()
        wrong = self.changes.check(cells)
        if wrong:
            raise WorkbookError(wrong)
        self.computed = self.changes.unknown(cells)
        self._filled: dict[str, int] = {}
        moved = self.changes.moved_on(RESPONSES.name)
        self.warnings = [
            *self.study.warnings,
            *map(_idle, self.changes.idle(cells)),
            *(_does_not_follow(*each) for each in moved),
        ]
        self.subject = self._subject()
        self.reference = self._reference()
        """every case with all its columns: of the workbook as it is where it can be solved"""
        self.responses: tuple[Response, ...] = self._responses(self.reference)
        self.subject.prepare(self.asked())

    def _tables_of_a_run(self) -> Iterator[Table]:
        """The result sheets that a plain run would write, none where it fails: the study itself says why."""
        with suppress(WorkbookError):
            for case in varied(self.book, (), self.analysis).as_it_is().values():
                yield from case.tables.values()

    def _subject(self) -> VariedWorkbook:
        """What varies. Raises WorkbookError, of a case that there is not at the cell that names it."""
        try:
            subject = varied(self.book, self.study.cases, self.analysis)
            return self._with_measured_cases(subject) if self.study.traits.is_fit and not self.study.cases else subject
        except WorkbookError as error:
            at, cases = self.study.places.get("cases", ""), self.study.cases
            of_cases = [replace(each, cell=each.cell or at) for each in error.problems]
            if any("," in case for case in cases):
                of_cases = [replace(each, mend=PART_CASES) if each.cell == at else each for each in of_cases]
            raise WorkbookError(of_cases) from None

    def _with_measured_cases(self, subject: VariedWorkbook) -> VariedWorkbook:
        """What varies with the cases that measurements name: a fit needs all of these."""
        there = list(map(fold, subject.cases))
        named = [each for each in measured_cases(self.book) if fold(each) not in there]
        if named:
            with suppress(WorkbookError):  # of a name that is no case, which is reported at its cell of Measurements
                return varied(self.book, (*filter(None, subject.cases), *named), self.analysis)
        return subject

    def _cells_of_responses(self) -> list[Place]:
        """The cells that are responses themselves."""
        found: list[Place] = []
        for response in self.study.responses:
            with suppress(WorkbookError):
                found += self.formulas.resolve(response.of, place_of_text(response.place))
        return found

    def _reference(self) -> Mapping[str, FoundCase]:
        """Every case with all its columns: of the workbook as it is, or of the first of some points that can be solved."""
        first = found = self.subject.as_it_is()
        for point in self._tried():
            if not self._problems(found):
                return found
            try:
                other = with_cells(self.book, self.changes.at(point))
                found = varied(other, self.study.cases, self.analysis).as_it_is()
            except WorkbookError:
                continue
        problems = self._problems(first)
        if not problems or not self._problems(found):
            return found
        raise WorkbookError(problems[0])

    def _problems(self, found: Mapping[str, FoundCase]) -> list[Problem]:
        """Why cases that responses read have no result; of others nobody asks."""
        read: set[str] = set()
        for response in self.study.responses:
            with suppress(WorkbookError):  # of an unknown case, which is reported with the response
                read.add(self._case_of(response, found))
        return [each.problem for case, each in found.items() if case in read and each.problem is not None]

    def _tried(self) -> Sequence[Floats]:
        bounds = np.array([variable.bounds for variable in self.study.variables])
        if not np.isfinite(bounds).all():
            return [self.study.as_it_is]
        return [bounds[:, 0] + share * (bounds[:, 1] - bounds[:, 0]) for share in np.linspace(0.1, 0.9, TRIED)]

    def _responses(self, found: Mapping[str, FoundCase]) -> tuple[Response, ...]:
        responses, problems = [], []
        for response in self.study.responses:
            try:
                responses.append(self._response(response, found))
            except WorkbookError as error:
                problems += error.problems
        if problems:
            raise WorkbookError(problems)
        return tuple(responses)

    def _response(self, response: StudyResponse, found: Mapping[str, FoundCase]) -> Response:
        case = self._case_of(response, found)
        tables = found[case].tables
        try:
            cells = self.formulas.resolve(response.of, place_of_text(response.place))
        except WorkbookError as error:
            if ADDRESS.fullmatch(response.of.strip()):
                raise WorkbookError([replace(each, cell=response.place) for each in error.problems]) from None
            given = self.study.curves.get(response.curve) if response.curve else None
            made = column_response(response, case, tables, None if given is None else given.curve)
            if given is not None:
                self._check_curve(made, given, found[case])
            return made
        if len(cells) > 1:
            rule, mend = f"it names {len(cells)} cells, and a response is one number", "name one cell"
            raise response.refusal("cell-is-range", f"of: {response.of}", rule, mend)
        self._check_holds_number(response, cells[0])
        unit = self.cells.unit(cell_of_place(cells[0]))
        homes = homes_of_sheets(case, found)
        all_tables = {sheet: found[home].tables[sheet] for sheet, home in homes.items()}
        return cell_response(response, case, homes, cells[0], all_tables, self.formulas, self._filled, unit)

    def _check_curve(self, made: ColumnResponse, given: GivenCurve, found: FoundCase) -> None:
        """Warn of units of a target curve. Raise WorkbookError where it cannot be followed."""
        problems = list(curve_unit_problems(made, given))
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            raise WorkbookError(errors)
        self.warnings += problems
        _check_cover(made, found)

    def _check_holds_number(self, response: StudyResponse, cell: Place) -> None:
        """Raise WorkbookError of a cell that can hold no number in any variant."""
        held = self.formulas.stored(cell)
        if self.formulas.is_formula(cell) or (isinstance(held, float | int) and not isinstance(held, bool)):
            return
        rule = f"this cell {'is blank' if held is None else f'holds {held}'}, and a response is a number"
        mend = "name a cell whose formula depends on what varies, or on sheets mbs .."
        raise response.refusal("no-number", f"of: {response.of}", rule, mend)

    def _case_of(self, response: StudyResponse, found: Mapping[str, FoundCase]) -> str:
        return exact_case(response, tuple(found), self.subject.cases)

    def asked(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The columns that responses read, by case and sheet."""
        asked: dict[str, dict[str, dict[str, None]]] = {}
        for response in self.responses:
            asked.setdefault(response.case, {})
            for column in response.needed:
                sheets = asked.setdefault(response.home(column.sheet), {})
                sheets.setdefault(column.sheet, {})[column.name] = None
        return {case: {sheet: tuple(names) for sheet, names in sheets.items()} for case, sheets in asked.items()}

    def solve(self, point: Floats) -> SolvedPoint:
        """What becomes of a point (variables,). Never raises for what the point does."""
        if self.study.tyres and not self.responses:  # the fit of a tyre has no further question to the car
            return SolvedPoint(np.zeros(0), np.zeros(0))
        try:
            found = self._found(point)
            values = [self._value(response, found) for response in self.responses]
            residuals = [
                response.residuals(_tables(response, found))
                for response in self.responses
                if is_followed(response.response)
            ]
        except WorkbookError as error:
            return self._failed(in_words(_in_variant(error.problems[0])))
        except _NoValueError as error:
            return self._failed(str(error))
        doubts = [in_words(each.doubt) for each in found.values() if each.doubt is not None]
        message = f"{IN_DOUBT}: {doubts[0]}" if doubts else ""
        return SolvedPoint(np.array(values), np.concatenate(residuals) if residuals else np.zeros(0), message)

    def _found(self, point: Floats) -> Mapping[str, FoundCase]:
        if self.changes.reads_results:
            for response in self.responses:
                if isinstance(response, CellResponse):
                    response.forget()
        found = self.subject.solve(self.changes.at(point))
        for each in found.values():
            if each.problem is not None:
                raise WorkbookError(each.problem)
        return found

    def _value(self, response: Response, found: Mapping[str, FoundCase]) -> float:
        try:
            return response.value(_tables(response, found))
        except NoResponseError as error:
            raise _NoValueError(f"{response.response.place}: {response.response.name}: {error}") from None

    def _failed(self, message: str) -> SolvedPoint:
        return SolvedPoint(np.full(len(self.responses), np.nan), np.zeros(0), message)

    def curves(self, number: int, point: Floats) -> tuple[KeptCurve, ...]:
        """The curves of a variant that is done. number: for them."""
        found = self._found(point)
        drawn = [
            response.drawn(number, found[response.case].tables)
            for response in self.responses
            if isinstance(response, ColumnResponse)
        ]
        return tuple(curve for curve in drawn if curve is not None)


def homes_of_sheets(case: str, found: Mapping[str, FoundCase]) -> dict[str, str]:
    """The case of each result sheet that a cell may read: those of its own case, and those that one other case alone has."""
    others = [(sheet, other) for other, each in found.items() for sheet in each.tables if other != case]
    counts = Counter(sheet for sheet, _other in others)
    alone = {sheet: other for sheet, other in others if counts[sheet] == 1}
    return alone | dict.fromkeys(found[case].tables, case)


def _tables(response: Response, found: Mapping[str, FoundCase]) -> Mapping[str, Table]:
    """The result sheets that a response reads."""
    if isinstance(response, ColumnResponse):
        return found[response.case].tables
    cases = {response.home(column.sheet) for column in response.needed}
    return {sheet: table for case in (response.case, *cases) for sheet, table in found[case].tables.items()}


def _check_cover(response: ColumnResponse, found: FoundCase) -> None:
    """Raise WorkbookError where a target curve cannot be followed in the workbook as it is."""
    if found.problem is None:
        try:
            response.value(found.tables)
        except NoResponseError as error:
            curve = f"curve: {response.response.curve}"
            raise response.response.refusal("curve-not-covered", curve, str(error), error.mend) from None


def _in_variant(problem: Problem) -> Problem:
    """A problem as one of a variant: a formula that gives an error there need not be wrong."""
    if problem.code != "error-value":
        return problem
    rule, mend = "the formula there has no value in this variant", "limit the variables that it depends on"
    return replace(problem, problem=rule, mend=mend)


def _idle(variable: StudyVariable) -> Problem:
    cells = " and ".join(f"{sheet}!{address}" for sheet, address in variable.cells)
    rule = f"nothing that is computed depends on {cells}"
    mend = "vary a cell of an input sheet, or a cell that formulas there read"
    return Problem("idle-variable", "warning", variable.place, f"the variable {variable.name}", rule, mend)


def _does_not_follow(variable: StudyVariable, place: Place) -> Problem:
    rule = f"it depends on the variable {variable.name}, but here it keeps its value of the workbook in every variant"
    mend = "if it should change too, compute the difference in a cell of your own, and name that cell as the response"
    return Problem("fixed-in-study", "warning", str(place), "a formula", rule, mend)


class _NoValueError(Exception):
    """A response has no value; the text says which and why."""


def exact_case(response: StudyResponse, known: Sequence[str], cases: Sequence[str]) -> str:
    """The case of a response as results spell it. Raises WorkbookError where there is none such."""
    if not response.case:
        return "" if "" in known else cases[0]
    case = next((each for each in known if fold(each) == fold(response.case)), None)
    if case is None:
        named = [*filter(None, known)]
        added = "add it to cases on the sheet Study"
        mend = did_you_mean(response.case, named, added if named else f"clear the cell, or {added}")
        rule = f"the study runs {', '.join(named)}" if named else "the only case that the study runs has no name"
        raise response.refusal("unknown-case", f"case: {response.case}", rule, mend)
    return case


def in_words(problem: Problem) -> str:
    """A problem as one line with its cell."""
    return "; ".join(
        filter(None, (": ".join(filter(None, (problem.cell, problem.found))), problem.problem, problem.mend))
    )
