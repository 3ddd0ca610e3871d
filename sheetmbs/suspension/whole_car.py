"""The generated car as a model of its own: free chassis, wheels on their bearings, springs, bars, and tyres as springs.

It is what a suspension workbook stands for in an analysis of the general kind: equilibrium, dynamic or modes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from os import PathLike

from sheetmbs.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.suspension.designs.design_books import design_books
from sheetmbs.suspension.elastic.element_laws import laws
from sheetmbs.suspension.generated.generate import GeneratedRow, Value, generated_rows, point_name, travel_driver
from sheetmbs.suspension.generated.merged_sheets import with_generated
from sheetmbs.suspension.kinematics.axle_system import axle_system
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.layout.type_table import CHASSIS, WHEEL_CENTRE
from sheetmbs.suspension.loads.car_masses import CarMasses, car_masses
from sheetmbs.suspension.read_design import read_design
from sheetmbs.suspension.solved_design import design_pose
from sheetmbs.suspension.spring_rows import SERVED, has_row, spring_rows
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind, open_book
from sheetmbs.workbook.reading.build_model import build_model

FORCES = ("springs", "forces", "forceseries")
SAME_FRAME = 1e-3
"""m, by which the wheelbase may differ from that of the hardpoints"""


def read_whole_car(
    path: str | PathLike[str], analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model of the first design's car. Raises WorkbookError with everything that keeps it from being one."""
    book = open_book(path)
    first = design_books(book, None).books[0]
    read = read_design(_geometry(first.book), first.design)
    masses = _checked_masses(read.car, read.model)
    told = read.model.warnings
    held = {axle.name: laws(read.car, design_pose(axle_system(read.model, axle), told)) for axle in read.car.axles}
    travels = {travel_driver(axle, side) for axle in read.car.axles for side in SIDES}
    rows = [_with_mass(row, masses) for row in generated_rows(read.car) if row.name not in travels]
    for axle in read.car.axles:
        rows += [*_wheels(axle), *spring_rows(axle, held[axle.name]), *_tyres(read.car, axle)]
    return build_model(with_generated(_in_space(first.book), rows).book, analysis, case, report_step)


def _geometry(book: Book) -> Book:
    """The workbook without sheets that poses do not depend on: rows there may name what the free car alone has."""
    return replace(book, sheets={name: sheet for name, sheet in book.sheets.items() if fold(name) not in FORCES})


def _checked_masses(car: CarData, model: Model) -> CarMasses:
    """Masses of a car that can stand by itself."""
    problems = []
    masses = car_masses(car, model) if len(car.axles) > 1 else None
    cell = car.axles[0].cells.get("type", "Suspension")
    if masses is None:
        rule = "a car that stands by itself has two axles, mass, weight front, cg height and wheelbase"
        problems.append(Problem("missing-setting", "error", cell, "something of these is missing", rule, "set it"))
    elif max(abs(float(each[0])) for each in masses.shift.values()) > SAME_FRAME:
        rule = "the points of both axles stand in one frame, as far apart as the wheelbase"
        problems.append(
            Problem("other-frame", "error", cell, "wheel centres", rule, "shift the points of the rear axle")
        )
    for axle in car.axles:
        if axle.number("tyre rate") is None:
            rule = "the car stands on its tyres as springs"
            found = f"no tyre rate of the {axle.name} axle"
            problems.append(Problem("missing-setting", "error", cell, found, rule, "set tyre rate"))
        for row in axle.springs:
            if not has_row(row):
                found = f"{row.kind} {row.name}{' by a curve' if row.curves else ''}"
                rule = f"the free car of this version has {', '.join(SERVED)} with numbers"
                place = str(row.places["name"])
                problems.append(Problem("not-yet", "error", place, found, rule, "switch it off for this analysis"))
    if problems or masses is None:
        raise WorkbookError(problems)
    return masses


def _in_space(book: Book) -> Book:
    """The workbook with the setting that its model is spatial, where it says nothing."""
    name = next((name for name in book.sheets if fold(name) == "settings"), None)
    if name is None:
        return book
    sheet = book.sheets[name]
    said = {fold(str(cell.value)) for row in sheet.rows.values() for column, cell in row.items() if column == 1}
    if "dimension" in said:
        return book
    at = max(sheet.rows, default=1) + 1
    cells = {1: Cell(at, 1, CellKind.TEXT, "dimension"), 2: Cell(at, 2, CellKind.TEXT, "3D")}
    return replace(book, sheets={**book.sheets, name: replace(sheet, rows=sheet.rows.changed({at: cells}))})


def _with_mass(row: GeneratedRow, masses: CarMasses) -> GeneratedRow:
    """A generated body with its mass: the chassis has all that is sprung, as a box; wheels have the rest."""
    if row.sheet != "Bodies":
        return row
    if row.name != CHASSIS:
        nothing: Mapping[str, Value] = dict.fromkeys(("mass", "ixx", "iyy", "izz"), 0.0)
        return replace(row, values={**row.values, **nothing})
    front, rear = masses.downforce.values()
    length, width, height = float(front[0] - rear[0]), float(front[0] - rear[0]) * 0.75, 2.0 * masses.height
    share = masses.sprung_mass / 12.0
    box = {
        "mass": masses.sprung_mass,
        "ixx": share * (width**2 + height**2),
        "iyy": share * (length**2 + height**2),
        "izz": share * (length**2 + width**2),
    }
    return replace(row, values={**dict(zip("xyz", map(float, masses.sprung_point), strict=True)), **box})


def _wheels(axle: AxleData) -> Iterator[GeneratedRow]:
    """Wheels with the unsprung mass, as discs, on bearings that the brake holds."""
    radius, mass = axle.number("tyre radius") or 0.0, axle.number("unsprung mass") or 0.0
    for side in SIDES:
        centre, spin = axle.points[side][WHEEL_CENTRE], axle.spin_axis(side)
        corner = axle.corner(side)
        disc = 0.25 * mass * radius**2
        at = dict(zip("xyz", map(float, centre.position), strict=True))
        values: dict[str, Value] = {**at, "mass": mass, "ixx": disc, "iyy": 2.0 * disc, "izz": disc}
        yield GeneratedRow("Bodies", f"{corner} wheel", values, centre.cell)
        bearing: dict[str, Value] = {
            "type": "revolute",
            "body_i": axle.body_name(axle.wheel_carrier, side),
            "body_j": f"{corner} wheel",
            "point": point_name(axle, side, WHEEL_CENTRE),
            **dict(zip(("axis_x", "axis_y", "axis_z"), map(float, spin), strict=True)),
        }
        yield GeneratedRow("Joints", f"{corner} wheel bearing", bearing, centre.cell)
        brake: dict[str, Value] = {"joint": f"{corner} wheel bearing", "coordinate": "angle", "position": 0.0}
        yield GeneratedRow("Drivers", f"{corner} brake", brake, centre.cell)


def _tyres(car: CarData, axle: AxleData) -> Iterator[GeneratedRow]:
    """Tyres as springs at the contacts at design, with the load that they carry there."""
    rate, load = axle.number("tyre rate") or 0.0, corner_load(car, axle) or 0.0
    for side in SIDES:
        corner, cell = axle.corner(side), axle.points[side][WHEEL_CENTRE].cell
        contact = dict(zip("xyz", map(float, axle.design_contact(side)), strict=True))
        carrier = axle.body_name(axle.wheel_carrier, side)
        point: dict[str, Value] = {"body": carrier, **contact, "frame": "global"}
        yield GeneratedRow("Points", f"{corner} contact", point, cell)
        tyre: dict[str, Value] = {
            "type": "bushing",
            "body_i": "ground",
            "body_j": carrier,
            "point": f"{corner} contact",
        }
        yield GeneratedRow("Springs", f"{corner} tyre", {**tyre, **dict.fromkeys(("kx", "ky", "kz"), rate)}, cell)
        force: dict[str, Value] = {"body": carrier, "point": f"{corner} contact", "fz": load}
        yield GeneratedRow("Forces", f"{corner} tyre load", force, cell)
