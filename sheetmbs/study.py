"""From a workbook to its results: reading, analysing, writing back. What Python and the command line share.

Functions import what they need, so that a command waits for nothing else: reading a workbook takes no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from sheetmbs.gait_study import is_gait
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.changes import NO_CHANGES, Changes
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.settings import ANALYSES
from sheetmbs.schema.study_inputs import asks_for_study
from sheetmbs.schema.suspension_inputs import AXLES
from sheetmbs.schema.validate import ValueFault, choice
from sheetmbs.suspension_study import has_suspension, is_kinematic_sweep_book, require_model_analysis
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.cases import ListedCase, deduplicate
from sheetmbs.workbook.reading.read_workbook import (
    CaseModels,
    build_model,
    read_all_cases,
    read_cases,
    read_each_case,
    with_remarks,
)
from sheetmbs.workbook.sheets.sheet_contents import COMPILE_TIME, WRITE_TIME

if TYPE_CHECKING:
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.results.results import Results
    from sheetmbs.workbook.writing.new_workbook import Template

Progress = Callable[[float], None]


def read(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    case: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
) -> Model:
    """Read the model in a workbook, check it and turn it into SI.

    Parameters
    ----------
    path
        The workbook, ``.xlsx`` or ``.xlsm``. It is only read.
    analysis
        An analysis in place of the one on the sheet Settings: ``dynamic``, ``kinematic``, ``inverse dynamic``,
        ``equilibrium`` or ``modes``. Which cells must be filled in depends on it.
    case
        The case to read, in place of the setting ``case``.
    report_step
        Time between two rows of the results in s, in place of ``t_step``.
    changes
        Values of cells in place of those in the workbook, by addresses or defined names, in the unit of each cell:
        ``{"Dimensions!B3": -2, "front_spring": 65}``. Formulas that depend on them are computed anew. None is empty.

    Returns
    -------
    Model
        What the workbook says; its ``warnings`` are findings that do not prevent an analysis.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook. Its ``problems`` are all that was found, each with its cell.
    """
    book = open_book(path, changes)
    model = read_opened(book, None if analysis is None else _analysis_name(analysis), case, report_step)
    return with_remarks(model, book)


def read_opened(
    book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model in an open workbook, else as `read` gives it. Raises WorkbookError with all that is wrong."""
    if has_suspension(book):
        require_model_analysis(book, analysis)
        from sheetmbs.suspension.whole_car import read_whole_car

        return read_whole_car(book, analysis, case, report_step)
    return build_model(book, analysis, case, report_step)


def kind_of(
    path: str | PathLike[str], analysis: str | None = None, changes: Changes = NO_CHANGES
) -> Literal["model", "suspension", "gait"]:
    """What a workbook is. analysis: in place of the one on the sheet Settings. changes: as in `read`.

    Raises WorkbookError where it cannot be opened, or cells cannot be changed so.
    """
    return kind_of_opened(open_book(path, changes), analysis)


def kind_of_opened(book: Book, analysis: str | None = None) -> Literal["model", "suspension", "gait"]:
    """What an open workbook is, else as `kind_of` tells."""
    if is_kinematic_sweep_book(book, analysis):
        return "suspension"
    return "gait" if is_gait(book, analysis) else "model"


def has_study(path: str | PathLike[str]) -> bool:
    """Whether a workbook asks for a design study. Raises WorkbookError where it cannot be opened."""
    return asks_for_study(open_book(path).sheets)


def cases(path: str | PathLike[str]) -> list[ListedCase]:
    """The cases of a workbook, each with its analysis. Raises WorkbookError where it cannot be read."""
    return read_cases(path)


def read_every_case(path: str | PathLike[str]) -> tuple[dict[str, Model], list[Problem]]:
    """The models of all cases by name, and warnings, which name cases. Raises WorkbookError with the problems of all."""
    return read_all_cases(path)


def read_for_results(
    book: Path,
    output: Path | None,
    *,
    also: Sequence[Path] = (),
    analysis: str | None = None,
    case: str | None = None,
    report_step: float | None = None,
    report: Path | None = None,
    changes: Changes = NO_CHANGES,
) -> tuple[Model, Problem | None]:
    """Read a model as `read` does, and find out before anything is computed whether its results can be written.

    output: a copy to write instead of ``book``, or None. also: further files for them. report: a text report of them, or None.
    With the model comes what would send the results elsewhere if they were ready now.
    """
    from sheetmbs.workbook.writing.write import check_writable

    model = read(book, analysis=analysis, case=case, report_step=report_step, changes=changes)
    is_open = check_writable(book, output)
    if also:
        from sheetmbs.results.export import check_exportable

        for path in also:
            check_exportable(path)
    if report is not None:
        from sheetmbs.results.text.report_file import check_report

        check_report(model, report)
    return model, is_open


def templates() -> list[Template]:
    """The templates from which `new` makes workbooks."""
    from sheetmbs.workbook.writing.new_workbook import list_templates

    return list_templates()


def new(template: str, book: Path) -> Template:
    """Make a workbook from a template; a file that is there already is never overwritten.

    Raises WorkbookError where there is no such template or the file cannot be made.
    """
    from sheetmbs.workbook.writing.new_workbook import new_book

    return new_book(template, book)


def import_model(form: str, source: Path, book: Path) -> list[Problem]:
    """Make a workbook from the input file of another program; a file that is there already is never overwritten.

    form: ``mubodyna``. Returns warnings of what the file leaves open. Raises WorkbookError with every slip in it, each with its
    line, or where the workbook cannot be made.
    """
    from sheetmbs.importing.to_workbook import read_mubodyna
    from sheetmbs.workbook.package.replace import create_book
    from sheetmbs.workbook.writing.new_workbook import laid_out

    readers = {"mubodyna": read_mubodyna}
    if fold(form) not in readers:
        rule = f"sheetmbs reads the input files of {', '.join(readers)}"
        mend = did_you_mean(form, readers, "write sheetmbs import mubodyna FILE BOOK")
        raise WorkbookError(Problem("unknown-format", "error", "", f"the format '{form}'", rule, mend))
    contents, warnings = readers[fold(form)](source)
    create_book(book, laid_out(contents), source.stem)
    return warnings


def import_hardpoints(
    source: Path, book: Path, form: str | None = None, axle: str | None = None, unit: str | None = None
) -> list[Problem]:
    """Fill the sheet Hardpoints of a workbook, or of a new one, with a list of points; nothing else in it changes.

    form: ``optimumk``, ``lotus`` or ``csv``; axle, unit: of a list that does not tell them; None: as the file says. Returns
    warnings of what is left out. Raises WorkbookError with every slip, each with its line, or where the workbook cannot be
    written.
    """
    from sheetmbs.suspension.hardpoint_lists import fill_hardpoints, read_lists

    for text, known in ((form, read_lists.FORMS), (axle, AXLES)):
        if text is not None and fold(text) not in known:
            mend = did_you_mean(text, known, f"write one of {', '.join(known)}")
            raise WorkbookError(
                Problem("unknown-format", "error", "", f"'{text}'", f"it is {' or '.join(known)}", mend)
            )
    return fill_hardpoints.import_hardpoints(source, book, fold(form or ""), fold(axle or ""), unit or "")


def run(
    model: Model, *, analysis: str | None = None, progress: Progress | None = None, since: float | None = None
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

    Returns
    -------
    Results
        The results. If the analysis fails on its way, their ``status`` is ``failed`` and they hold what was computed until
        then.

    Raises
    ------
    WorkbookError
        If the model cannot be analysed.
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
        model = replace(model, settings=replace(model.settings, analysis=_analysis_name(analysis)))
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
    return Results(model, "failed" if failed else solution.status, sheets, lowered, solution)


def run_cases(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
    progress: Progress | None = None,
) -> CaseResults:
    """Analyse every case of a workbook. A case that is wrong or cannot be analysed does not stop the others.

    Parameters
    ----------
    path
        The workbook.
    analysis
        An analysis for every case, in place of its own.
    report_step
        Time between two rows of the results of every case in s, in place of ``t_step``.
    changes
        As in `read`.
    progress
        A function that is called now and then with the fraction of all cases done, 0 to 1.

    Returns
    -------
    CaseResults
        The results by case; ``refused`` says why others could not be analysed.

    Raises
    ------
    WorkbookError
        If the workbook has no cases, or none of them can be analysed.
    """
    found = read_models(path, analysis=analysis, report_step=report_step, changes=changes)
    return run_models(found, progress=progress)


def read_models(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
) -> CaseModels:
    """The models of all cases. Raises WorkbookError where there are no cases, or none of them can be analysed."""
    began = perf_counter()
    found = read_each_case(path, None if analysis is None else _analysis_name(analysis), report_step, changes)
    if not found.models:
        raise WorkbookError(deduplicate(found.refused))
    return replace(found, began=began)


def read_models_for_results(
    book: Path,
    output: Path | None,
    *,
    analysis: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
) -> tuple[CaseModels, Problem | None]:
    """Read the models of all cases, else as `read_for_results` does."""
    from sheetmbs.workbook.writing.write import check_writable

    models = read_models(book, analysis=analysis, report_step=report_step, changes=changes)
    return models, check_writable(book, output)


def run_models(found: CaseModels, *, progress: Progress | None = None) -> CaseResults:
    """Analyse the models of all cases. Raises WorkbookError where none of them can be analysed."""
    from sheetmbs.results.case_results import CaseResults

    results: dict[str, Results] = {}
    refused, since = dict(found.refused), found.began
    for number, (name, model) in enumerate(found.models.items()):
        try:
            results[name] = run(model, progress=part_of(progress, number, len(found.models)), since=since)
        except WorkbookError as error:
            refused[name] = error.problems
        since = None
    if not results:
        raise WorkbookError(deduplicate({name: refused[name] for name in found.names}))
    return CaseResults(results, refused, found.names, found.path, found.content)


def part_of(progress: Progress | None, number: int, count: int) -> Progress | None:
    """What one of several runs, of which number are done, tells its own fraction to."""
    return None if progress is None else lambda fraction: progress((number + fraction) / count)


def mark(book: Path, problems: Sequence[Problem]) -> None:
    """Write the sheet `mbs Problems` into a workbook and nothing else; without problems, take it away.

    Raises WorkbookError where the workbook cannot be written.
    """
    from sheetmbs.workbook.writing.write import write_problems

    write_problems(book, problems)


def _analysis_name(text: str) -> str:
    try:
        return choice(text, ANALYSES)
    except ValueFault as fault:
        raise WorkbookError(
            Problem("unknown-analysis", "error", "", f'the analysis "{text}"', fault.problem, fault.mend)
        ) from None
