"""What the sheets of a study ask for, all of it checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sheetmbs.measured.tyre_measurements import tyre_units
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema import study_inputs
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.study_methods import STUDY_METHODS, StudyMethod
from sheetmbs.studies.methods.all_methods import METHODS
from sheetmbs.studies.reading.read_responses import read_responses
from sheetmbs.studies.reading.read_variables import VariableNeeds, read_variables
from sheetmbs.studies.reading.read_variants import read_variants, variants_sheet
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.reading.study_fields import StudyNames, parts_of
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.elements.read_curves import read_curves_before_model
from sheetmbs.workbook.reading.fields import HEADER_ROW
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.settings_rows import settings_rows

MAX_VARIANTS = 1_000_000
"""variants of a study"""


def read_study(cells: StudyCells) -> StudyBook:
    """The study of a workbook. Raises WorkbookError with everything that is wrong in its sheets."""
    book = cells.book
    report = ProblemList(book.sheets)
    names = {fold(name): name for name in book.sheets}
    sheets: dict[str, CellSheet] = {
        schema.name: book.sheets[names[fold(schema.name)]]
        for schema in (*study_inputs.STUDY_SHEETS, CURVES)
        if fold(schema.name) in names
    }

    def table(schema: Sheet) -> InputTable:
        return InputTable(schema, sheets.get(schema.name), report, "3D")

    given = settings_rows(table(study_inputs.STUDY), study_inputs.STUDY_SETTINGS, "a study", report)
    method = given.values["method"]
    curves = read_curves_before_model({name: cells for name, cells in sheets.items() if name == CURVES.name}, report)
    taken = StudyNames(report)
    needs = VariableNeeds(STUDY_METHODS[method], is_linear=given.values["linear"] == "yes")
    variables = read_variables(table(study_inputs.VARIABLES), cells, needs, taken, report)
    variants = table(variants_sheet(variables)) if STUDY_METHODS[method].is_listed else None
    listed = () if variants is None else read_variants(variants, variables, taken.switched_off, report)
    responses = read_responses(table(study_inputs.RESPONSES), curves, taken, report)
    samples, seed, budget, keep, starts = (
        _whole(given.values[name], name, given.places.get(name), report) for name in _COUNTS
    )
    study = StudyBook(
        method,
        _named_once(parts_of(given.values["cases"] or "")),
        variables,
        responses,
        listed,
        samples=samples,
        seed=seed,
        budget=budget,
        keep=keep,
        starts=starts,
        is_scale_estimated=given.values["interval"] == study_inputs.INTERVALS[1],
        candidates=_named_once(parts_of(given.values["candidates"] or "")),
        is_linear=given.values["linear"] == "yes" and STUDY_METHODS[method].is_production,
        curves=dict(curves.given_curves.items()),
        places={name: str(place) for name, place in given.places.items()},
    )
    _note_unused(STUDY_METHODS[method], given.places, sheets.get(study_inputs.VARIANTS.name), report)
    _warn_of_near_names(book.sheets, report)
    if not report.has_errors:
        of_tyres = study.traits.is_fit and bool(tyre_units(book))
        _check_whole(study, given.places, list(book.sheets), report, is_of_tyres=of_tyres)
    if report.has_errors:
        raise WorkbookError(report.problems())
    return replace(study, warnings=tuple(report.problems()))


_COUNTS = ("samples", "seed", "budget", "keep", "starts")


def _whole(value: float, name: str, place: Place | None, report: ProblemList) -> int:
    if value != int(value) and place is not None:
        report.error("out-of-range", place, f"{name}: {value:g}", f"{name} is a whole number", "correct it")
    return int(value)


def _note_unused(
    method: StudyMethod, places: Mapping[str, Place], variants: CellSheet | None, report: ProblemList
) -> None:
    """Say which settings, and whether the sheet Variants, count for nothing with a method. places: of settings."""
    unused = [(place, name) for name, place in places.items() if not method.takes(name)]
    if not method.is_listed and variants is not None and max(variants.rows, default=0) > HEADER_ROW:
        unused.append((Place(variants.name), f"the sheet {variants.name}"))
    for place, found in unused:
        rule = f"the method {method.name} does not read it"
        report.add(place, Problem("unused-setting", "note", str(place), found, rule, ""))


def _warn_of_near_names(tabs: Iterable[str], report: ProblemList) -> None:
    """Warn of sheets that nearly have the name of a sheet of studies: they are not read."""
    names = [schema.name for schema in study_inputs.STUDY_SHEETS]
    for tab in tabs:
        meant = None if fold(tab) in map(fold, names) else nearest(tab, names)
        if meant is not None:
            mend = f"rename it {meant} if it is meant to be that sheet"
            report.warning("near-miss-sheet", Place(tab), f"the sheet {quoted(tab)}", "it is not read", mend)


def _named_once(cases: Sequence[str]) -> tuple[str, ...]:
    """Names of cases, each of which runs once however often it is named."""
    found: dict[str, str] = {}
    for case in cases:
        found.setdefault(fold(case), case)
    return tuple(found.values())


def _check_whole(
    study: StudyBook, places: Mapping[str, Place], tabs: Sequence[str], report: ProblemList, *, is_of_tyres: bool
) -> None:
    """What only all sheets together show. places: of settings. tabs: names of all sheets of the workbook."""
    _check_not_empty(study, tabs, report, is_of_tyres=is_of_tyres)
    if report.has_errors:
        return
    method = METHODS[study.method]
    count = method.count(study)
    problem = method.fault(study)
    if count > MAX_VARIANTS:
        rule = f"a study has at most {MAX_VARIANTS:,} variants, since each is a row of mbs Study"
        problem = (
            f"{count:,} variants",
            rule,
            "take fewer steps or samples, or sample instead of a grid of many variables",
        )
    if problem is not None:
        found, rule, mend = problem
        at = places.get(found.partition(":")[0], Place(study_inputs.STUDY.name))
        set_at = places.get("method", study_inputs.STUDY.name)
        report.error("study-method", at, found, f"{rule} (the method is set at {set_at})", mend)


def _check_not_empty(study: StudyBook, tabs: Sequence[str], report: ProblemList, *, is_of_tyres: bool) -> None:
    """Whether there is something to vary and to ask. is_of_tyres: whether coefficients are the variables of a fit."""

    def empty(sheet: Sheet, found: str, rule: str, mend: str) -> None:
        is_there = any(fold(tab) == fold(sheet.name) for tab in tabs)
        near = "" if is_there else nearest(sheet.name, tabs)
        mend = f"if the sheet {quoted(near)} is meant, rename it {sheet.name}" if near else mend
        report.error("empty-study", Place(sheet.name), found, rule, mend)

    if not study.variables and not is_of_tyres:
        mend = "add a row with a name, a cell, low and high"
        empty(study_inputs.VARIABLES, "no variable", "a study needs a cell to vary", mend)
    if not study.responses and not study.traits.is_fit:
        mend = "add a row with a name, and a result column in the column of"
        empty(study_inputs.RESPONSES, "no response", "a study needs a response to evaluate in each variant", mend)
    if study.traits.is_listed and not study.listed:
        rule = "the method list runs the variants of that sheet"
        empty(study_inputs.VARIANTS, "no variant", rule, "add a row for each variant")
