"""Models analysed: one, or those of all cases. Functions import the solver, which nothing needs that only checks."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.product import Progress, part_of
from sheetmbs.schema.settings import ANALYSES
from sheetmbs.schema.validate import ValueFault, choice
from sheetmbs.workbook.reading.cases import deduplicate
from sheetmbs.workbook.reading.read_workbook import CaseModels
from sheetmbs.workbook.sheets.sheet_contents import COMPILE_TIME, WRITE_TIME

if TYPE_CHECKING:
    from sheetmbs.mechanism.measured_run import MeasuredRun
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.results.results import Results


def run_model(
    model: Model,
    *,
    analysis: str | None = None,
    progress: Progress | None = None,
    since: float | None = None,
    measured: MeasuredRun | None = None,
) -> Results:
    """Analyse the mechanism of a model.

    Parameters
    ----------
    model
        What `read` returned, or a changed copy of it.
    analysis
        An analysis in place of the one in the model's settings.
    progress
        A function that is called now and then with the fraction done, 0 to 1.
    since
        The value of `time.perf_counter()` when reading the workbook began. The summary counts read time and wall time from
        then on.
    measured
        What was measured of the mechanism, to be shown beside the results.

    Returns
    -------
    Results
        The results. If the analysis fails on its way, their ``status`` is ``failed`` and they hold what was computed until
        then.

    Raises
    ------
    WorkbookError
        If the model cannot be analysed, or something is wrong with what was measured.
    """
    since_reading = perf_counter() if since is None else since
    from sheetmbs.compiled import library

    library.load()
    began = perf_counter()
    from sheetmbs.analysis.analyse import analyse
    from sheetmbs.lower import lower
    from sheetmbs.results.reported_motion import PostprocessedMotion, judged
    from sheetmbs.results.result_sheets import all_sheets
    from sheetmbs.results.results import Results

    if analysis is not None:
        model = replace(model, settings=replace(model.settings, analysis=analysis_name(analysis)))
    lowered = lower(model)
    solution = analyse(lowered, progress)
    analysed = perf_counter()
    seen = judged(PostprocessedMotion(lowered, solution), progress)
    solution, sheets = seen.solution, all_sheets(seen)
    compiling = library.compile_seconds(since_reading)
    times = (
        ("read time", None if since is None else began - since - compiling, "s"),
        (COMPILE_TIME, compiling, "s"),
        ("set-up time", analysed - began - solution.seconds, "s"),
        ("report time", perf_counter() - analysed, "s"),
        (WRITE_TIME, None, "s"),
        ("wall time", perf_counter() - since_reading, "s"),
    )
    failed = any(problem.severity == "error" for problem in sheets.problems)
    sheets = replace(sheets, summary=(*sheets.summary, *times))
    beside = () if measured is None else measured.compared(model.settings.case, model, sheets.tables)
    if beside:
        from sheetmbs.measured.with_measured import with_measured

        sheets = with_measured(sheets, beside)
    return Results(model, "failed" if failed else solution.status, sheets, lowered, solution, beside)


def run_models(
    found: CaseModels, *, progress: Progress | None = None, measured: MeasuredRun | None = None
) -> CaseResults:
    """Analyse the models of all cases. Raises WorkbookError where none of them can be analysed.

    measured: what was measured of them.
    """
    from sheetmbs.results.case_results import CaseResults

    results: dict[str, Results] = {}
    refused, since = dict(found.refused), found.began
    for number, (name, model) in enumerate(found.models.items()):
        try:
            own = part_of(progress, number, len(found.models))
            results[name] = run_model(model, progress=own, since=since, measured=measured)
        except WorkbookError as error:
            refused[name] = error.problems
        since = None
    if not results:
        raise WorkbookError(deduplicate({name: refused[name] for name in found.names}))
    return CaseResults(results, refused, found.names, found.path, found.content)


def analysis_name(text: str) -> str:
    """The analysis that a text names. Raises WorkbookError where there is none."""
    try:
        return choice(text, ANALYSES)
    except ValueFault as fault:
        raise WorkbookError(
            Problem("unknown-analysis", "error", "", f'the analysis "{text}"', fault.problem, fault.mend)
        ) from None


def in_case(model: Model) -> str:
    """The case that was analysed, where there are several, as the end of a name."""
    return f", case {model.settings.case}" if model.settings.case else ""
