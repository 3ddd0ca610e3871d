"""Mechanisms as what a study varies: every case a model of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sheetmbs.analysis.analyse import analyse
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.lower import Lowered, lower
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.residuals import Residuals, computed_at_points, residuals, rms_table
from sheetmbs.measured.varied_measurements import asked_measurements, is_about_measurements, without_measured
from sheetmbs.mechanism.measured_run import MeasuredRun
from sheetmbs.mechanism.run_model import run_model
from sheetmbs.model.model import Formula, Model
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.products.case_columns import Columns, failed, first_error, found, refused
from sheetmbs.products.varied_workbook import Asked, ChangedCells, FoundCase
from sheetmbs.results.columns.body_columns import BODY, POINT
from sheetmbs.results.columns.collect import written
from sheetmbs.results.columns.joint_columns import JOINT
from sheetmbs.results.columns.mode_columns import MODES
from sheetmbs.results.columns.spring_columns import SPRING_KINDS
from sheetmbs.results.judging.accuracy import doubt
from sheetmbs.results.reported_motion import PostprocessedMotion, judged
from sheetmbs.results.result_sheets import asked_tables
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.validate import ValueFault
from sheetmbs.workbook.cells.cells import Book, with_cells
from sheetmbs.workbook.reading.cases import find_cases, refusal
from sheetmbs.workbook.reading.incremental_reader import IncrementalReader
from sheetmbs.workbook.reading.input_sheets import input_sheets
from sheetmbs.workbook.reading.read_workbook import list_cases

WITHOUT_REACTIONS = {BODY.sheet, POINT.sheet, SPRING_KINDS[0].sheet, MODES.sheet}
"""sheets none of whose columns is a reaction, or is judged by one"""


ReadModel = Callable[[Book, str | None, str | None], Model]
"""reads the model of a workbook; analysis and case in place of the settings"""


class MechanismVariants:
    """A workbook of a mechanism. cases: names of those that are run, none: the case of a plain run.

    read_model: of a changed workbook. measured: of it, what was measured. is_generated: whether sheets of another product stand
    for the model.
    """

    def __init__(
        self,
        book: Book,
        cases: Sequence[str],
        analysis: str | None,
        read_model: ReadModel,
        measured: Callable[[Book], MeasuredRun],
        *,
        is_generated: bool,
    ) -> None:
        self._book = book
        self._analysis = analysis
        self._read_model = read_model
        self._measured_in = measured
        self._measured: dict[str, tuple[Residuals, ...]] = {}
        self._is_generated = is_generated
        self._as_set = not cases
        self._cases = _exact(book, cases) if cases else (_usual(book),)
        self._asked: Asked = {}
        self._again: dict[str, IncrementalReader] = {}
        self._lowered: dict[str, LoweringCache] = {}

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases of the study, as their headers on Settings spell them."""
        return self._cases

    @property
    def compared(self) -> Sequence[Residuals]:
        """What was measured beside the workbook as it is, of all cases."""
        return tuple(each for found in self._measured.values() for each in found)

    def as_it_is(self) -> Mapping[str, FoundCase]:
        """Every case of the workbook as it is, with all result sheets and columns."""
        return {case: self._whole(case) for case in self._cases}

    def prepare(self, asked: Asked) -> None:
        """Get ready to solve variants of which only some columns are wanted."""
        self._asked = asked
        if not self._is_generated:
            self._again = {case: IncrementalReader(self._book, self._analysis, self._named(case)) for case in asked}

    def solve(self, changed: ChangedCells) -> Mapping[str, FoundCase]:
        """Every case that was asked for, with changed cells."""
        return {case: self._solved(changed, case, columns) for case, columns in self._asked.items()}

    def _named(self, case: str) -> str | None:
        """What a case is asked for by; None where it is the one that the workbook sets."""
        return None if self._as_set else case

    def _model(self, changed: ChangedCells, case: str) -> Model:
        if case in self._again:
            return self._again[case].model(changed)
        return self._read_model(with_cells(self._book, changed), self._analysis, self._named(case))

    def _whole(self, case: str, changed: ChangedCells | None = None) -> FoundCase:
        """A case with all sheets and columns. changed: cells, None: as it is."""
        try:
            book = self._book if changed is None else with_cells(self._book, changed)
            model = self._read_model(book, self._analysis, self._named(case))
            results = run_model(model, measured=self._measured_in(book))
        except SheetmbsError as error:
            return refused(error)
        if results.status == "failed":
            return failed(first_error(results.sheets.problems))
        if changed is None:
            self._measured[case] = results.measured
        tables = written(results.sheets, results.model.settings.results).tables
        return found((*tables, *([rms_table(results.measured)] if results.measured else [])), None)

    def _solved(self, changed: ChangedCells, case: str, asked: Columns) -> FoundCase:
        own = asked_measurements([each.measurement for each in self._measured.get(case, ())], [asked])
        if own and any(is_about_measurements(sheet) for sheet, _address in changed):
            whole = self._whole(case, changed)
            return whole if whole.problem else found(whole.tables.values(), asked)
        wanted = _with_columns(asked, own)
        try:
            lowering_cache = self._lowered.setdefault(case, LoweringCache()) if case in self._again else None
            lowered = lower(self._model(changed, case), lowering_cache)
            solution = analyse(lowered, tells=False, lowering_cache=lowering_cache)
            if lowering_cache is not None:
                lowering_cache.is_complete = True
            seen = seen_variant(lowered, solution, wanted)
        except SheetmbsError as error:
            return refused(error)
        errors = list(seen.errors())
        if errors or seen.solution.status == "failed":
            return failed(first_error(errors))
        tables = list(asked_tables(seen, wanted))
        if own:
            tables.append(rms_table([residuals(each, computed_at_points(each, tables)) for each in own]))
        return replace(found(tables, asked), doubt=next(_doubts(seen), None))


def _with_columns(asked: Columns, own: Sequence[Measurement]) -> Columns:
    """The columns asked for and those by which measurements are compared."""
    found = without_measured(asked)
    for each in own:
        for sheet, column in ((each.sheet, each.of), (each.over_sheet, each.over)):
            found[sheet] = tuple(dict.fromkeys((*found.get(sheet, ()), *filter(None, (column,)))))
    return found


def _doubts(seen: PostprocessedMotion) -> Iterator[Problem]:
    """Why a motion may be wrong. That of a kinematic analysis satisfies all rows, unless some say the same as others."""
    if seen.solution.analysis == Analysis.DYNAMIC or seen.solution.structure.redundant_names:
        yield from doubt(seen.lowered, seen.solution, seen.accuracy)


def seen_variant(lowered: Lowered, solution: Solution, asked: Columns) -> PostprocessedMotion:
    """What a variant moves like; reactions are found only where a column shows them, or something is judged by them.

    That is where they may fail, and where a dynamic analysis has drivers, whose power its energy balance counts.
    """
    components = (part for force in lowered.model.forces for part in (*force.force, *force.moment))
    may_fail = len(lowered.frictions) > 0 or any(isinstance(part, Formula) for part in components)
    is_dynamic = solution.analysis == Analysis.DYNAMIC
    is_driven = is_dynamic and any(element.what != "joint" for element in lowered.elements)
    is_shown = solution.analysis != Analysis.KINEMATIC and not asked.keys() <= WITHOUT_REACTIONS
    wanted = may_fail or is_driven or is_shown
    seen = PostprocessedMotion(lowered, solution, with_reactions=wanted, with_coordinates=JOINT.sheet in asked)
    return judged(seen) if is_dynamic else seen


def _exact(book: Book, cases: Sequence[str]) -> tuple[str, ...]:
    """Names of cases as they stand in the headers of Settings. Raises WorkbookError where there is no such case."""
    known = find_cases(input_sheets(book, ProblemList(book.sheets)).get("Settings"))
    try:
        return tuple(known.choose(case).chosen for case in cases)
    except ValueFault as fault:
        raise refusal(fault) from None


def _usual(book: Book) -> str:
    """The case of a plain run, ``""`` where it is none."""
    return next((case.name for case in list_cases(book) if case.is_default), "")
