"""Reading a workbook: the one way from a file to a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from sheetmbs.model.model import Model, Settings
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Dimensionality
from sheetmbs.schema.input_columns import FORCE_SERIES, GUIDING, MASS_PROPERTIES
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.cases import ListedCase, deduplicate, find_cases, no_cases, refusal
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.driver_size import drivers_in_radians, too_large_drivers
from sheetmbs.workbook.reading.elements.read_beams import read_beams
from sheetmbs.workbook.reading.elements.read_bodies import check_any, read_bodies
from sheetmbs.workbook.reading.elements.read_clearances import read_clearances
from sheetmbs.workbook.reading.elements.read_curves import read_curves
from sheetmbs.workbook.reading.elements.read_force_series import read_force_series
from sheetmbs.workbook.reading.elements.read_joints import read_joints, read_points
from sheetmbs.workbook.reading.elements.read_loads import Driven, read_charts, read_drivers, read_forces
from sheetmbs.workbook.reading.elements.read_series import read_guiding
from sheetmbs.workbook.reading.elements.read_settings import read_settings
from sheetmbs.workbook.reading.elements.read_springs import read_springs
from sheetmbs.workbook.reading.input_sheets import input_sheets
from sheetmbs.workbook.reading.mass_properties import MassTexts
from sheetmbs.workbook.reading.parse_cache import ParsedParts
from sheetmbs.workbook.reading.plausible import warn_of_implausible_values
from sheetmbs.workbook.reading.registry import Registry

MAX_RESULT_NUMBERS = 50_000_000
"""in all result sheets: some 2 GB of XML"""
WIDTHS = {"2D": (9, 12, 5, 6, 9), "3D": (19, 18, 12, 9, 9)}
"""numbers in a row of results for a body, a joint or driver, a spring, a reported point, a clearance"""
OTHER_DIMENSION_RULE = "models only"
"""what stands at the end of the rule that a cell breaks whose column belongs to the other dimension"""
NOT_IN_DIMENSION = "joint-not-in-dimension"
INERTIAS = ("inertia", "ixx", "iyy", "izz")
MAX_NAMED_COLUMNS = 4
MIN_ERROR_RATIO = 4
"""times as many errors in this dimension as in the other make the other one likely"""


def build_model(
    book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model in an open workbook. Raises WorkbookError with everything that is wrong, and warnings, in its order."""
    model, problems = _read(book, analysis, case, report_step)
    if is_in_doubt(problems):
        other: Dimensionality = "3D" if model.settings.dimension == "2D" else "2D"
        there = _read(book, analysis, case, report_step, other)[1]
        problems = with_right_dimension(problems, there, model.settings)
    if any(problem.severity == "error" for problem in problems):
        raise WorkbookError(problems)
    return replace(model, warnings=tuple(problems))


def _read(
    book: Book,
    analysis: str | None,
    case: str | None,
    report_step: float | None,
    dimension: Dimensionality | None = None,
) -> tuple[Model, list[Problem]]:
    """The model in a workbook, and all that is wrong with it. dimension: in place of the one on Settings."""
    context = open_reading(book, analysis, case, report_step, dimension)
    return checked_model(book, context), context.report.problems()


def open_reading(
    book: Book,
    analysis: str | None = None,
    case: str | None = None,
    report_step: float | None = None,
    dimension: Dimensionality | None = None,
) -> Context:
    """The context that the readers of elements share, with the settings read. dimension: in place of the one on Settings."""
    report = ProblemList(book.sheets)
    sheets = input_sheets(book, report)
    settings, cases = read_settings(sheets.get("Settings"), report, analysis, case, report_step, dimension)
    joints_and_drivers = Registry("joint", "Joints", report)
    parts = ParsedParts()
    return Context(
        sheets,
        report,
        settings,
        cases,
        bodies=Registry("body", "Bodies", report),
        points=Registry("point", "Points", report),
        joints=joints_and_drivers,
        drivers=Registry("driver", "Drivers", report, (joints_and_drivers,)),
        forces=Registry("force", "Forces", report),
        springs=Registry("spring", "Springs", report),
        clearances=Registry("clearance", "Clearances", report),
        curves=Registry("curve", "Curves", report),
        parts=parts,
        given_curves=parts.known("curve", {}),
    )


def checked_model(book: Book, context: Context) -> Model:
    """The model in a workbook, judged as a whole; what is wrong with it is reported."""
    model = read_elements(book, context)
    for registry in (context.bodies, context.points, context.joints, context.curves):
        registry.withdraw_follow_ups()
    _check_size(model, context)
    if not context.report.has_errors:
        check_drivers(model, context)
    if not context.report.has_errors:
        warn_of_implausible_values(model, context)
    return model


def check_drivers(model: Model, context: Context) -> None:
    """Report drivers that cannot be meant as they are."""
    large = [driver.problem for driver in too_large_drivers(model) if driver.is_certain]
    for problem in (*large, *drivers_in_radians(model)):
        context.report.add(Place("Drivers"), problem)


def read_elements(book: Book, context: Context) -> Model:
    """The model in a workbook, element by element; what is wrong with one is reported."""
    driven: Driven = {}
    texts = context.of_sheet(MASS_PROPERTIES, lambda: MassTexts(context))
    rigid, poses, display = read_bodies(context, texts)
    beams = read_beams(context, poses, texts)
    texts.report_unknown(context.bodies)
    bodies = (*rigid, *beams)
    check_any(bodies, context)
    scene = read_points(context, poses)
    curves = read_curves(context)
    joints = read_joints(context, scene)
    springs = read_springs(context, scene)
    drivers = read_drivers(context, bodies, joints, springs, scene, driven)
    guiding = context.of_sheet(GUIDING, lambda: read_guiding(context, bodies, joints, driven))
    forces = read_forces(context, scene)
    force_series = context.of_sheet(FORCE_SERIES, lambda: read_force_series(context, {beam.name for beam in beams}))
    clearances = read_clearances(context, scene)
    charts = read_charts(context)
    return Model(
        settings=context.settings,
        bodies=bodies,
        points=tuple(scene.points.values()),
        joints=joints,
        drivers=(*drivers, *guiding),
        forces=forces,
        force_series=force_series,
        springs=springs,
        curves=curves,
        charts=charts,
        clearances=clearances,
        display=display,
        source=book.path,
        source_bytes=book.content,
    )


def size_of_results(model: Model) -> tuple[float, int]:
    """Rows of the results of a model, and about how many numbers stand in one."""
    settings = model.settings
    points = [point for point in model.points if point.report]
    elements = (model.bodies, (*model.joints, *model.drivers), model.springs, points, model.clearances)
    width = 1 + sum(len(each) * numbers for each, numbers in zip(elements, WIDTHS[settings.dimension], strict=True))
    if settings.analysis in STATIC_ANALYSES or not (settings.t_end and settings.row_step):
        return 1.0, width
    return (settings.t_end - settings.t_start) / settings.row_step, width


def _check_size(model: Model, context: Context) -> None:
    """Report results that no program could open, before hours are spent on them."""
    settings, cells = model.settings, context.sheets.get("Settings")
    rows, width = size_of_results(model)
    if cells is not None and rows * width > MAX_RESULT_NUMBERS:
        found = f"a row every {settings.row_step:g} s gives {rows:,.0f} rows of about {width:,} numbers"
        problem = f"{MAX_RESULT_NUMBERS:,} numbers are the most that a workbook can reasonably hold"
        cell = settings.cells.get("t_step", cells.name)
        context.report.add(
            Place(cells.name), Problem("too-many-rows", "error", cell, found, problem, "choose a larger t_step")
        )


def list_cases(book: Book) -> list[ListedCase]:
    """The cases of an open workbook."""
    report = ProblemList(book.sheets)
    cells = input_sheets(book, report).get("Settings")
    default = read_settings(cells, report)[0].case
    each = [read_settings(cells, report, case=name)[0] for name in find_cases(cells).names]
    return [ListedCase(settings.case, settings.analysis, settings.case == default) for settings in each]


@dataclass(frozen=True)
class CaseModels:
    """The cases of a workbook as they were read. names: of all, in their order. models: of those that can be analysed.

    refused: what is wrong with the others. path, content: the workbook. began: when reading it did (`time.perf_counter()`).
    """

    names: tuple[str, ...]
    models: dict[str, Model]
    refused: dict[str, Sequence[Problem]]
    path: Path
    content: bytes
    began: float | None = None


def build_each_case(book: Book, analysis: str | None = None, report_step: float | None = None) -> CaseModels:
    """The model of every case that can be read, and what is wrong with the others. analysis, report_step: of all.

    Raises WorkbookError where there are no cases, or where all together ask for more results than a workbook can hold.
    """
    names = find_cases(input_sheets(book, ProblemList(book.sheets)).get("Settings")).names
    if not names:
        raise refusal(no_cases())
    found = CaseModels(names, {}, {}, book.path, book.content)
    for name in names:
        try:
            found.models[name] = build_model(book, analysis, name, report_step)
        except WorkbookError as error:
            found.refused[name] = error.problems
    numbers = sum(rows * width for rows, width in map(size_of_results, found.models.values()))
    if numbers > MAX_RESULT_NUMBERS:
        asked = f"all cases together give about {numbers:,.0f} numbers"
        problem = f"{MAX_RESULT_NUMBERS:,} numbers are the most that a workbook can reasonably hold"
        mend = "choose a larger t_step, or run the cases one by one with --case"
        raise WorkbookError(Problem("too-many-rows", "error", "Settings", asked, problem, mend))
    return found


def build_all_cases(book: Book) -> tuple[dict[str, Model], list[Problem]]:
    """The model of every case by its name, and the warnings: those that every case has, then the others with their cases.

    Raises WorkbookError with all problems, in the same order, or where there are no cases.
    """
    found = build_each_case(book)
    each = {name: found.refused[name] if name in found.refused else found.models[name].warnings for name in found.names}
    if found.refused:
        raise WorkbookError(deduplicate(each))
    return found.models, deduplicate(each)


def is_in_doubt(problems: Sequence[Problem]) -> bool:
    """Whether some of the problems of a workbook may come from the wrong dimension."""
    return any(map(_is_mark, problems))


def with_right_dimension(here: list[Problem], there: list[Problem], settings: Settings) -> list[Problem]:
    """The problems of a workbook: those given, or where the other dimension fits better that one and its problems.

    here, there: what is wrong in the dimension of the settings, and in the other.
    """
    only_here = [problem for problem in here if problem not in there]
    only_there = [problem for problem in there if problem not in here]
    errors_here, errors_there = _errors(only_here), _errors(only_there)
    if is_in_doubt(only_there) or not is_in_doubt(only_here):
        return here
    doubt = _doubt([problem for problem in only_here if _is_mark(problem)], settings, is_error=errors_here > 0)
    if errors_here and errors_there * MIN_ERROR_RATIO <= errors_here:
        return [doubt, *there]
    if not errors_here and not only_there:
        return [doubt, *(problem for problem in here if problem in there)]
    return here


def _is_mark(problem: Problem) -> bool:
    lacks_inertia = problem.code == "missing-column" and problem.found.split()[-1] in INERTIAS
    return problem.code == NOT_IN_DIMENSION or problem.problem.endswith(OTHER_DIMENSION_RULE) or lacks_inertia


def _errors(problems: Sequence[Problem]) -> int:
    return sum(problem.severity == "error" for problem in problems)


def _doubt(marks: Sequence[Problem], settings: Settings, *, is_error: bool) -> Problem:
    """The problem that names the wrong dimension. marks: the problems that come from it."""
    other = "3D" if settings.dimension == "2D" else "2D"
    columns: dict[str, list[str]] = {}
    for mark in marks:
        name = mark.found.removeprefix("type: ") if mark.code == NOT_IN_DIMENSION else mark.problem.split()[0]
        if mark.code != "missing-column" and name not in columns.setdefault(mark.sheet, []):
            columns[mark.sheet].append(name)
    named = [f"{sheet}: {', '.join(names[:MAX_NAMED_COLUMNS])}" for sheet, names in columns.items()]
    what = "; ".join(named)
    cell = settings.cells.get("dimension", "Settings")
    blank = ", which blank means too" if settings.dimension == "2D" else ""
    found = (
        f"dimension {settings.dimension}{blank}" if "dimension" in settings.cells else "no dimension, which means 2D"
    )
    problem = f"the workbook reads as a {other} model" + (f" ({what})" if what else "")
    return Problem(
        "wrong-dimension-of-model", "error" if is_error else "warning", cell, found, problem, f"did you mean {other}?"
    )


def read_model(
    path: str | PathLike[str], analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model in a workbook, checked and in SI.

    analysis: what is to be analysed, in place of the setting; what must be filled in depends on it. case: the case to read,
    in place of the setting ``case``. report_step: time between rows, s, in place of ``t_step``.
    Raises WorkbookError with every error, and the warnings among them, in the order of the workbook. The warnings of a
    sound workbook are `Model.warnings`.
    """
    return build_model(open_book(path), analysis, case, report_step)


def with_remarks(model: Model, book: Book) -> Model:
    """A model that tells what became of the workbook while it was read. To be called when all of it was read."""
    return replace(model, warnings=(*book.log.notes(), *model.warnings), remarks=book.log.items)
