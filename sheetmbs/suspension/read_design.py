"""One design of a car from its sheets to the model that they generate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.input_columns import CURVES, SPRINGS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted
from sheetmbs.schema.suspension_inputs import ADJUSTMENTS, HARDPOINTS, LOAD_CASES, POSES, SUSPENSION_SHEETS, SWEEPS
from sheetmbs.suspension.adjusting.reassembly import reassembled, shifted_points
from sheetmbs.suspension.designs.design_books import KnownSheets
from sheetmbs.suspension.designs.design_list import Design, folded_sheets
from sheetmbs.suspension.generated.generate import generated_rows
from sheetmbs.suspension.generated.known_models import KnownModels
from sheetmbs.suspension.generated.merged_sheets import MergedBook, own_rows, with_generated, without_rows
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, axle_system
from sheetmbs.suspension.kinematics.sweeps import Sweep
from sheetmbs.suspension.layout.car import AxleData, CarData, LazyItems
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.layout.handling_row import HandlingRow
from sheetmbs.suspension.layout.heavy_members import members_of
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import unsprung_masses
from sheetmbs.suspension.reading.plausible_bodies import arm_faults, carrier_warnings, steering_faults
from sheetmbs.suspension.reading.plausible_handling import check_handling_settings
from sheetmbs.suspension.reading.plausible_loads import load_faults
from sheetmbs.suspension.reading.plausible_points import warn_of_points
from sheetmbs.suspension.reading.plausible_settings import check_standing_springs, mass_warnings, warn_of_settings
from sheetmbs.suspension.reading.plausible_steering import steering_warnings
from sheetmbs.suspension.reading.read_adjustments import read_adjustments
from sheetmbs.suspension.reading.read_car import read_car
from sheetmbs.suspension.reading.read_general_settings import read_general_settings
from sheetmbs.suspension.reading.read_handling import read_handling_rows
from sheetmbs.suspension.reading.read_load_cases import read_load_cases
from sheetmbs.suspension.reading.read_sweeps import read_sweeps
from sheetmbs.suspension.reading.read_tyres import read_tyres
from sheetmbs.suspension.reading.trimmed_load_cases import check_tyred_cases
from sheetmbs.suspension.solved_set_up import Adjustments, solved_adjustments, split_goals
from sheetmbs.suspension.spring_rows import with_overrides
from sheetmbs.workbook.cells.cells import Book, CellSheet, cells_of_rows
from sheetmbs.workbook.reading.input_sheets import misnamed_sheets
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.read_workbook import build_model

SETTINGS = "Settings"
GENERAL = (("dimension", "3D"), ("analysis", "kinematic"), ("t_end", 1.0), ("t_step", 1.0))
"""settings of the model of a corner, which knows no time"""
FORCES = ("springs", "forces", "forceseries")
"""sheets of what acts on bodies, folded"""


class KnownDesigns:
    """What is known of the designs of a workbook that is read again and again with other numbers, as a study does."""

    def __init__(self) -> None:
        self.sheets = KnownSheets()
        self.models = KnownModels()


@dataclass(frozen=True)
class ReadDesign:
    """A design as read. book: its rows. merged: the workbook with the generated rows; model: what they make, for sweeps.

    heavy: names of the bodies of links and strut rods that have one, which ``merged`` has and ``model`` not; bodied: with them.
    """

    design: Design
    book: Book
    car: CarData
    sweeps: tuple[Sweep, ...]
    """as the workbook gives them; none where it leaves them to the program"""
    cases: tuple[LoadCase, ...]
    """load cases, likewise"""
    merged: MergedBook
    model: Model
    """with all warnings"""
    bodied: Model
    heavy: frozenset[str]
    tyres: CarTyres
    handling: tuple[HandlingRow, ...]
    """what the car on its tyres is to do"""
    systems: Mapping[str, AxleSystem]
    """its axles, ready to be posed, each made once when it is first asked for"""


def read_design(book: Book, design: Design, known: KnownDesigns | None = None) -> ReadDesign:
    """Car, sweeps and model of a design. book: its rows. known: the same designs with other numbers: without warnings then.

    Raises WorkbookError with every problem, each with its cell.
    """
    made = _Models(book, design, None if known is None else known.models)
    report = ProblemList(book.sheets)
    sheets = folded_sheets(
        book.sheets, [*(schema.name for schema in SUSPENSION_SHEETS), CURVES.name, SPRINGS.name, SETTINGS]
    )
    if HARDPOINTS.name not in sheets and misnamed_sheets(book, list(book.sheets), (HARDPOINTS,), report):
        raise WorkbookError(report.problems())
    general = read_general_settings(sheets.get(SETTINGS), report)
    car = read_car(sheets, report)
    if car is not None:
        car = with_axles(car, lambda axle: replace(axle, gravity=general.gravity))
        check_standing_springs(car, report)
    sweeps, poses = (InputTable(sheet, sheets.get(sheet.name), report, "3D") for sheet in (SWEEPS, POSES))
    given = tuple(read_sweeps(sweeps, poses, car, report)) if car is not None else ()
    loads = InputTable(LOAD_CASES, sheets.get(LOAD_CASES.name), report, "3D")
    cases = read_load_cases(loads, car, report) if car is not None else ()
    adjusting = InputTable(ADJUSTMENTS, sheets.get(ADJUSTMENTS.name), report, "3D")
    adjustments = read_adjustments(adjusting, car, report) if car is not None else {}
    tyres = read_tyres(book, sheets, car, report) if car is not None else CarTyres()
    handling = read_handling_rows(sheets, car, tyres, report) if car is not None else ()
    if car is not None:
        check_tyred_cases(cases, car, tyres, report)
        if handling:
            check_handling_settings(car, tyres, handling, report)
        _judge(car, sheets, report, with_points=known is None)
        car = with_overrides(car, sheets, report)
    problems = report.problems()
    if car is None or report.has_errors:
        raise WorkbookError(problems)
    car = with_axles(car, lambda axle: shifted_points(axle, adjustments.get(axle.name, ())))
    heavy = heavy_bodies(book, car)
    with _after(problems):
        merged, model, bodied = made.both(car, heavy)
    if adjustments:
        drawn, as_drawn = car, model

        def assembled(changes: Adjustments) -> tuple[CarData, Model]:
            """The car with such adjustments, and its model for sweeps."""
            own = with_axles(drawn, lambda axle: reassembled(as_drawn, axle, changes.get(axle.name, ())))
            _merged, own_model, own_bodied = made.both(own, heavy)
            return with_axles(own, lambda axle: replace(axle, masses=unsprung_masses(own_bodied, axle))), own_model

        typed, goals = split_goals(adjustments)
        with _after(problems):
            changes = solved_adjustments(typed, goals, assembled) if goals else typed
        car = with_axles(car, lambda axle: reassembled(as_drawn, axle, changes.get(axle.name, ())))
        merged, model, bodied = made.both(car, heavy)
    car = with_axles(car, lambda axle: replace(axle, masses=unsprung_masses(bodied, axle)))
    faults = list(load_faults(car))
    if faults:
        raise WorkbookError([*problems, *faults])
    systems = _systems(car, model)
    senses = () if known is not None else steering_warnings(systems, cases)
    told = tuple(dict.fromkeys((*problems, *bodied.warnings, *mass_warnings(car, bodied), *senses)))
    model = replace(model, warnings=told, settings=replace(model.settings, title=general.title))
    return ReadDesign(design, book, car, given, cases, merged, model, bodied, heavy, tyres, handling, systems)


@contextmanager
def _after(warnings: Sequence[Problem]) -> Iterator[None]:
    """Let an error come behind warnings: those of points may say why nothing can be made or solved of them."""
    try:
        yield
    except WorkbookError as error:
        raise WorkbookError([*warnings, *error.problems]) from None


def _systems(car: CarData, model: Model) -> Mapping[str, AxleSystem]:
    """The axles of a car. Asking for one raises WorkbookError where its parts do not close."""
    axles = {axle.name: axle for axle in car.axles}
    return LazyItems(axles, lambda name: axle_system(model, axles[name]))


def _judge(car: CarData, sheets: Mapping[str, CellSheet], report: ProblemList, *, with_points: bool) -> None:
    """Report what can hardly be meant. with_points: and not only settings and springs."""
    warnings = carrier_warnings(car) if with_points else ()
    if with_points:
        warn_of_points(car, sheets.get(HARDPOINTS.name), report)
    for each in (*warnings, *steering_faults(car), *arm_faults(car)):
        report.add(place_of(each.cell), each)
    warn_of_settings(car, report)


def with_axles(car: CarData, change: Callable[[AxleData], AxleData]) -> CarData:
    """A car with every axle changed."""
    return replace(car, axles=tuple(map(change, car.axles)))


def heavy_bodies(book: Book, car: CarData) -> frozenset[str]:
    """Names of the bodies of links and strut rods to which the workbook's own sheet Bodies gives a row."""
    own = own_rows(book, "Bodies")
    return frozenset(member.body for axle in car.axles for member in members_of(axle) if fold(member.body) in own)


def generated_model(book: Book, car: CarData) -> tuple[MergedBook, Model]:
    """The workbook with the rows that a car stands for, and what they make, for sweeps: links have no bodies.

    Raises WorkbookError.
    """
    merged = _without_links(book, car)
    return merged, _told_at_origin(merged, build_model)


def _without_links(book: Book, car: CarData) -> MergedBook:
    gone = {fold(name) for name in heavy_bodies(book, car)}
    return with_generated(without_rows(_with_settings(book), "Bodies", gone), generated_rows(car))


@dataclass(frozen=True)
class _Models:
    """What makes the models of a design. known: those that were made of it with other numbers, None where nobody asks again."""

    book: Book
    design: Design
    known: KnownModels | None

    def both(self, car: CarData, heavy: frozenset[str]) -> tuple[MergedBook, Model, Model]:
        """The workbook with all generated rows, the model for sweeps, and that with the bodies of links and strut rods."""
        merged = _without_links(self.book, car)
        model = self._model(merged, "links")
        if not heavy:
            return merged, model, model
        merged = with_generated(_with_settings(self.book), generated_rows(car, heavy))
        return merged, model, self._model(merged, "bodies")

    def _model(self, merged: MergedBook, kind: str) -> Model:
        known = self.known
        return _told_at_origin(
            merged, build_model if known is None else lambda book: known.of((self.design.name, kind), book)
        )


def _told_at_origin(merged: MergedBook, make: Callable[[Book], Model]) -> Model:
    """What generated rows make. Raises WorkbookError, whose problems are those of the cells that rows came from."""
    try:
        return make(_geometry(merged.book))
    except WorkbookError as error:
        raise WorkbookError([_at_origin(problem, merged.origin) for problem in error.problems]) from None


def _geometry(book: Book) -> Book:
    """The workbook without sheets that poses do not depend on: rows there may name what the free car alone has."""
    return replace(book, sheets={name: sheet for name, sheet in book.sheets.items() if fold(name) not in FORCES})


def check_sweeps(designs: Sequence[ReadDesign]) -> None:
    """Raise WorkbookError where a sweep moves other quantities in one design than in another: they share a sheet."""
    first: dict[str, Sweep] = {}
    problems = []
    for design in designs:
        for sweep in design.sweeps:
            other = first.setdefault(fold(sweep.name), sweep)
            if (other.name, other.swept) != (sweep.name, sweep.swept):
                found = f"the sweep {quoted(sweep.name)} of {design.design.shown}, by {', '.join(sweep.swept)}"
                rule = (
                    f"its rows stand beside those of {quoted(other.name)} at {other.cell}, by {', '.join(other.swept)}"
                )
                mend = "give it another name, or the same ranges"
                problems.append(Problem("other-sweep", "error", sweep.cell, found, rule, mend))
    if problems:
        raise WorkbookError(problems)


def _with_settings(book: Book) -> Book:
    """The workbook with the settings that the model of a corner needs."""
    settings = cells_of_rows(SETTINGS, [("setting", "value"), *GENERAL])
    others = {name: book.sheets[name] for name in book.sheets if fold(name) != fold(SETTINGS)}
    return replace(book, sheets={SETTINGS: settings, **others})


def _at_origin(problem: Problem, origin: Mapping[str, str]) -> Problem:
    """A problem of a generated cell as one of the cell it came from."""
    cell = origin.get(problem.cell, problem.cell)
    return problem if cell == problem.cell else replace(problem, cell=cell, found=f"{problem.found} (generated)")
