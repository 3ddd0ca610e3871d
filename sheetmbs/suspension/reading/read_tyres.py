"""The sheet Tyres with all that belongs to its tyres: files, coefficients and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isnan
from pathlib import Path

from sheetmbs.files.below_folder import is_below
from sheetmbs.importing.lines import read_text
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import count
from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.problem_list import Place, ProblemList, place_of, quoted
from sheetmbs.schema.tyre_inputs import TYRE_COEFFICIENTS, TYRE_DATA, TYRES
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres, FittedTyre
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.reading.read_tyre_coefficients import SheetCoefficients, read_tyre_coefficients
from sheetmbs.suspension.reading.read_tyre_data import read_tyre_data
from sheetmbs.tyres.coefficients import NOTED_SYNONYMS, SIMPLE
from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.made_tyre import make_tyre
from sheetmbs.tyres.magic_tyre import TyreRow, TyreScales
from sheetmbs.tyres.plausible import check_cornering, check_stiffness
from sheetmbs.tyres.property_lines import PropertyLines, read_property_text
from sheetmbs.tyres.simple_tyre import STIFFNESS
from sheetmbs.tyres.tyre import LOAD
from sheetmbs.tyres.tyre_points import TyrePoint
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

SCALE_COLUMNS = {"scale_mu_x": "mu_x", "scale_mu_y": "mu_y", "scale_c_x": "c_x", "scale_c_y": "c_y"}
MAGIC = "magic formula"
MAX_NAMED = 40
"""keys of a file that one sentence names"""


@dataclass(frozen=True)
class NamedTyre:
    """A row of Tyres. model: blank where it is left open. file: as written. axles: that it is on."""

    row: TyreRow
    model: str
    file: str
    axles: tuple[str, ...]
    place: Place
    file_place: Place
    model_place: Place


def read_tyres(book: Book, sheets: Mapping[str, CellSheet], car: CarData, report: ProblemList) -> CarTyres:
    """The tyres of a car; none where the workbook has no sheet Tyres. What is wrong is reported."""
    tables = {each.name: InputTable(each, sheets.get(each.name), report, "3D") for each in SHEETS}
    if tables[TYRES.name].cells is None:
        for other in SHEETS[1:]:
            if tables[other.name].cells is not None:
                rule, fix = "its rows belong to the tyres of the sheet Tyres, which is missing", "add the sheet Tyres"
                report.warning("missing-sheet", Place(other.name), f"the sheet {other.name}", rule, fix)
        return CarTyres()
    named, idle = _named(tables[TYRES.name], car, report)
    _check_axles(named, car, tables[TYRES.name], report)
    names = {fold(each.row.name): each.row.name for each in named}
    coefficients = read_tyre_coefficients(tables[TYRE_COEFFICIENTS.name], names, idle, report)
    data = read_tyre_data(tables[TYRE_DATA.name], names, idle, report)
    fitted = []
    for each in named:
        key = fold(each.row.name)
        points = data.get(key, [])
        own = coefficients.get(key, SheetCoefficients())
        found = None if points is None else _fitted(book, each, own, points, car, report)
        if found is not None:
            places = {name.lower(): place_of(value.place) for name, value in own.values.items()}
            _check_static_loads(found, places, car, report)
            fitted.append(found)
    return CarTyres(tuple(fitted))


SHEETS = (TYRES, TYRE_COEFFICIENTS, TYRE_DATA)


def _named(table: InputTable, car: CarData, report: ProblemList) -> tuple[list[NamedTyre], frozenset[str]]:
    """The rows that count, and the folded names of those that do not."""
    found: dict[str, NamedTyre] = {}
    idle = set()
    for record in table.records():
        if not record.is_active:
            idle.add(fold(record.raw_text("name")))
            continue
        name = record.text("name")
        fault = name_fault(name) if name else None
        if fault:
            report.error(fault[0], record.place("name"), quoted(name), fault[1], fault[2])
        if fault or not name:
            continue
        each = _named_tyre(record, name, car)
        record.finish()
        if fold(name) in found:
            rule = f"a tyre of this name stands at {found[fold(name)].place} already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one of them")
        else:
            found[fold(name)] = each
    return list(found.values()), frozenset(idle - set(found))


def _named_tyre(record: Record, name: str, car: CarData) -> NamedTyre:
    axle = record.choice("axle") if record.given("axle") else "both"
    record.settle("axle", "design")
    known = tuple(each.name for each in car.axles)
    if known and axle not in ("both", "", *known):  # of tyres without a car it says nothing
        rule = f"there are no hardpoints of the {axle} axle"
        record.refuse("unknown-axle", "axle", rule, "add them, or name another axle")
    model = record.choice("model") if record.given("model") else ""
    side = record.choice("measured_side") if record.given("measured_side") else ""
    record.settle("model", "measured_side")
    pressure = record.number("pressure")
    if pressure is not None and (isnan(pressure) or pressure <= 0.0):
        if not isnan(pressure):
            record.refuse("out-of-range", "pressure", "a pressure is above 0", "correct it, or clear the cell")
        pressure = None
    scales = TyreScales(**{field: _scale(record, column) for column, field in SCALE_COLUMNS.items()})
    row = TyreRow(name, record.cell_text("name"), side, pressure, scales)
    axles = known if axle == "both" else tuple(each for each in known if each == axle)
    places = (record.place(column) for column in ("name", "file", "model"))
    return NamedTyre(row, model, record.text("file"), axles, *places)


def _scale(record: Record, column: str) -> float:
    value = record.number_or(column, 1.0)
    if isnan(value):
        return 1.0
    if value <= 0.0:
        record.refuse("out-of-range", column, "a factor on friction or stiffness is above 0", "correct it, or clear it")
        return 1.0
    return value


def _check_axles(named: Sequence[NamedTyre], car: CarData, table: InputTable, report: ProblemList) -> None:
    """Report axles without a tyre, and those with two."""
    for axle in car.axles:
        own = [each for each in named if axle.name in each.axles]
        for other in own[1:]:
            rule = f"the {axle.name} axle has the tyre {quoted(own[0].row.name)} of {own[0].place} already"
            fix = "name one axle in each row; the tyre of a design replaces another one of the same name"
            report.error("given-twice", other.place, quoted(other.row.name), rule, fix)
        if named and not own and not report.has_errors:
            place = Place(table.cells.name if table.cells else TYRES.name)
            rule = "each wheel has a tyre as soon as there is a sheet Tyres"
            fix = f"add a row for the {axle.name} axle, or clear axle in another row"
            report.error("missing-tyre", place, f"no tyre of the {axle.name} axle", rule, fix)


def _fitted(
    book: Book,
    named: NamedTyre,
    sheet: SheetCoefficients,
    points: list[TyrePoint],
    car: CarData,
    report: ProblemList,
) -> FittedTyre | None:
    lines, problems = PropertyLines(), list(sheet.problems)
    if named.file:
        read = _file(book, named, report)
        if read is None:
            return None
        lines, of_file = read
        problems += of_file
    model = named.model or _open_model(named, sheet, report)
    if not model:
        return None
    if named.file and model != MAGIC:
        rule = f"a .tir file holds coefficients of the magic formula, and the model is {model}"
        report.error("two-models", named.file_place, quoted(named.file), rule, "clear file, or the model")
        return None
    given = {**lines.values, **sheet.values}
    replaced = tuple((lines.values[name], value) for name, value in sheet.values.items() if name in lines.values)
    found = TyreProblems()
    found.found += problems
    unused = tuple({**lines.unused, **sheet.unused})
    if model != MAGIC:
        given, unused = {**given, **sheet.unused}, ()
    tyre = None if found.has_errors else make_tyre(model, given, points, named.row, found)
    _note_unused(unused, named, found)
    for each in (lines, sheet.read):
        _note_names(each, named, found)
    _hand_over(found.found, named, report)
    if tyre is None:
        return None
    loads = [corner_load(car, axle) for axle in car.axles if axle.name in named.axles]
    static = next((load for load in loads if load), None)
    return FittedTyre(tyre, named.axles, tuple(points), named.place, named.file, unused, replaced, given, static)


def _open_model(named: NamedTyre, sheet: SheetCoefficients, report: ProblemList) -> str:
    """The model of a row that names none: the magic formula with a file or its coefficients. Blank where there is none."""
    simple = [value for name, value in sheet.values.items() if name in SIMPLE]
    if named.file or (sheet.values and not simple) or sheet.problems:
        return MAGIC
    fix = "fill in file, add Tyre coefficients, or write linear, fiala or table in model"
    if simple:
        fix = "write linear or fiala in model"
    rule = "model is blank, and there is no file and no coefficient of the magic formula"
    report.error("missing-model", named.model_place, f"the tyre {quoted(named.row.name)}", rule, fix)
    return ""


def _file(book: Book, named: NamedTyre, report: ProblemList) -> tuple[PropertyLines, tuple[Problem, ...]] | None:
    """What a file holds; None where it cannot be read, which is reported at the cell that names it."""
    path = book.path.parent / named.file
    if not is_below(path, book.path.parent):
        rule = "a workbook opens only files in its own folder or below it, links followed"
        report.error("file-outside", named.file_place, quoted(named.file), rule, "copy the file beside the workbook")
        return None
    try:
        text = read_text(path, "a file of tyre properties")
    except WorkbookError as error:
        for problem in error.problems:
            found = f"the file {quoted(named.file)}"
            told = "; ".join(part for part in (problem.found, problem.problem) if part)
            report.error(problem.code, named.file_place, found, told, problem.mend)
        return None
    return _parsed(text, Path(named.file).name)


@lru_cache(maxsize=8)
def _parsed(text: str, name: str) -> tuple[PropertyLines, tuple[Problem, ...]]:
    """The content of a file, read once for all designs and variants; nobody may change it."""
    problems = TyreProblems()
    return read_property_text(text, name, problems), tuple(problems.found)


def _note_unused(unused: Sequence[str], named: NamedTyre, problems: TyreProblems) -> None:
    """Say once which keys do not count."""
    place = named.row.place
    if unused:
        more = f" and {len(unused) - MAX_NAMED} more" if len(unused) > MAX_NAMED else ""
        rule = f"the magic formula in a steady state does not use {', '.join(unused[:MAX_NAMED])}{more}"
        found = f"{count(len(unused), 'coefficient')} of {named.row.name}"
        problems.note("unused-keys", place, found, rule, "nothing, if their names are right")


def _note_names(lines: PropertyLines, named: NamedTyre, problems: TyreProblems) -> None:
    """Say once which keys are blank, and which count under another name."""
    place = named.row.place
    if lines.blank:
        found = f"{count(len(lines.blank), 'coefficient')} of {named.row.name} without a value"
        rule = f"{', '.join(lines.blank[:MAX_NAMED])} count as missing"
        problems.note("blank-keys", place, found, rule, "fill them in if the fit of the tyre has them")
    renamed = [f"{lines.words[name]} as {name}" for name in lines.words if lines.words[name] in NOTED_SYNONYMS]
    if renamed:
        rule = f"version 5.2 has other names: it counts {' and '.join(renamed)}"
        problems.note("other-names", place, f"scale factors of {named.row.name}", rule, "nothing, if they are right")


def _hand_over(problems: Sequence[Problem], named: NamedTyre, report: ProblemList) -> None:
    """Report problems at their cells: those of a file at the cell that names it, with their lines."""
    for problem in problems:
        place = place_of(problem.cell)
        if named.file and problem.cell.startswith(f"{Path(named.file).name}, line "):
            found = f"{problem.cell}: {problem.found}"
            report.add(named.file_place, replace(problem, cell=str(named.file_place), found=found))
        else:
            report.add(place, replace(problem, cell=str(place)))


def _check_static_loads(fitted: FittedTyre, places: Mapping[str, Place], car: CarData, report: ProblemList) -> None:
    """Warn where the car rests on a load that the tyre was not measured at, or that makes its stiffness unlikely.

    places: of coefficients that rows give.
    """
    low, high = (float(bounds[LOAD]) for bounds in (fitted.tyre.kernel.low, fitted.tyre.kernel.high))
    simple = fitted.tyre.kernel.simple
    for axle in car.axles:
        load = corner_load(car, axle)
        if axle.name not in fitted.axles or load is None:
            continue
        if not low <= load <= high:
            rule = f"the tyre is known from {low:.5g} to {high:.5g} N; beyond it counts as at the nearest load"
            found = f"{load:.5g} N rest on a {axle.name} wheel"
            report.warning("load-out-of-range", fitted.place, found, rule, "take another tyre, or correct the masses")
        problems = TyreProblems()
        if simple.cornering_stiffness:
            shown, place = f"cornering stiffness at {load:.5g} N of the {axle.name} axle", places.get(STIFFNESS.lower())
            check_cornering(-simple.cornering_stiffness / load, str(place or fitted.place), shown, "", problems)
        for name, stiffness in (
            ("slip stiffness", simple.slip_stiffness),
            ("camber stiffness", simple.camber_stiffness),
        ):
            if stiffness:
                check_stiffness(name, stiffness, load, str(places.get(name, fitted.place)), problems)
        for problem in problems.found:
            report.add(place_of(problem.cell), problem)
