"""The generated car as a model of its own: free chassis, wheels on their bearings, springs, bars, and tyres as springs.

It is what a suspension workbook stands for in an analysis of the general kind: equilibrium, dynamic or modes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.designs.design_books import design_books
from sheetmbs.suspension.elastic.spring_elements import laws
from sheetmbs.suspension.generated.generate import (
    GeneratedCurve,
    GeneratedRow,
    Value,
    generated_rows,
    standing_rows,
    travel_driver,
)
from sheetmbs.suspension.generated.merged_sheets import HEADER_ROW, MergedBook, sheet_named, with_curves, with_generated
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, Vector
from sheetmbs.suspension.layout.heavy_members import members_of
from sheetmbs.suspension.layout.mass_data import CarMasses, car_masses
from sheetmbs.suspension.layout.type_table import BLADE, CHASSIS
from sheetmbs.suspension.read_design import ReadDesign, read_design
from sheetmbs.suspension.reading.uncounted_compliance import rigid_members
from sheetmbs.suspension.solved_design import design_pose
from sheetmbs.suspension.spring_rows import spring_rows
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind, address, cells_of_rows
from sheetmbs.workbook.reading.read_workbook import build_model

INERTIAS = ("ixx", "iyy", "izz")
BLADE_MASS_PER_LENGTH = 7850.0 * 0.020 * 0.006
"""kg/m, of a steel bar of 20 mm by 6 mm, as blades of racing cars are about"""
SAME_FRAME = 1e-3
"""m, by which the wheelbase may differ from that of the hardpoints"""


def read_whole_car(
    book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model of the first design's car. Raises WorkbookError with everything that keeps it from being one."""
    first = design_books(book, None).books[0]
    read = read_design(first.book, first.design)
    masses = _checked_masses(read.car)
    bodies = _Bodies(read, masses)
    travels = {travel_driver(axle, side) for axle in read.car.axles for side in SIDES}
    rows = [bodies.with_mass(row) for row in generated_rows(read.car, read.heavy) if row.name not in travels]
    curves: list[GeneratedCurve] = []
    for axle in read.car.axles:
        pose = design_pose(read.systems[axle.name], read.model.warnings)
        springs = list(spring_rows(pose, laws(read.car, pose)))
        rows += [*standing_rows(read.car, axle, read.bodied), *(each.row for each in springs)]
        curves += [each.curve for each in springs if each.curve is not None]
    merged = with_curves(with_generated(_in_space(first.book), rows), curves)
    model = build_model(merged.book, analysis, case, report_step)
    told = (
        *_inertia_of_a_box(read.car, merged),
        *_inertias_of_blades(read.car, merged),
        *rigid_members(read.car, "in this analysis"),
    )
    return replace(model, warnings=(*model.warnings, *told))


def _is_inertia_generated(merged: MergedBook, body: str) -> bool:
    """True where the workbook says nothing of the inertia of a generated body."""
    own = {fold(name): sheet for name, sheet in merged.book.sheets.items()}["bodies"]
    heads = {column: fold(str(cell.value)) for column, cell in own.rows.get(HEADER_ROW, {}).items()}
    of_body = (row for row, cells in own.rows.items() if any(fold(str(c.value)) == fold(body) for c in cells.values()))
    row = next(of_body, None)
    inertias = [address(own.name, row, column) for column, head in heads.items() if head[:3] in INERTIAS and row]
    return any(cell in merged.origin for cell in inertias)


def _inertias_of_blades(car: CarData, merged: MergedBook) -> Iterator[Problem]:
    """A note at each blade bar where nobody has said what the inertia of its blade is."""
    for axle in car.axles:
        body = f"{axle.name} {BLADE}"
        for row in axle.springs:
            if row.kind == SpringKind.BLADE_BAR and _is_inertia_generated(merged, body):
                found = f"the inertia of {body} is that of a steel bar of 20 mm by 6 mm from its pivot to each tip"
                rule = "a blade without inertia would turn without delay, which a model that moves does not allow"
                mend = f"give ixx, iyy and izz in a row {body} on the sheet Bodies"
                yield Problem("inertia-of-a-bar", "note", str(row.places["name"]), found, rule, mend)


def _inertia_of_a_box(car: CarData, merged: MergedBook) -> Iterator[Problem]:
    """A note where nobody has said what the inertia of the chassis is."""
    if _is_inertia_generated(merged, CHASSIS):
        found = "the inertia of the chassis is that of a box around the car"
        rule = "a box as long as the wheelbase, three quarters as wide, twice as high as the centre of gravity"
        mend = "give ixx, iyy and izz in a row chassis on the sheet Bodies"
        yield Problem("inertia-of-a-box", "note", car.axles[0].cells.get("type", "Suspension"), found, rule, mend)


def _checked_masses(car: CarData) -> CarMasses:
    """Masses of a car that can stand by itself."""
    problems = []
    masses = car_masses(car) if len(car.axles) > 1 else None
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
    if problems or masses is None:
        raise WorkbookError(problems)
    return masses


def _in_space(book: Book) -> Book:
    """The workbook with the setting that its model is spatial, where it says nothing."""
    sheet = sheet_named(book, "Settings")
    if not sheet.rows:
        sheet = cells_of_rows(sheet.name, [("setting", "value")])
    if "dimension" in {fold(str(row[1].value)) for row in sheet.rows.values() if 1 in row}:
        return book
    at = max(sheet.rows, default=1) + 1
    cells = {1: Cell(at, 1, CellKind.TEXT, "dimension"), 2: Cell(at, 2, CellKind.TEXT, "3D")}
    return replace(book, sheets={**book.sheets, sheet.name: replace(sheet, rows=sheet.rows.changed({at: cells}))})


def _cells_of(tensor: Vector) -> dict[str, Value]:
    """An inertia (3, 3) as columns of the sheet Bodies."""
    cells = (("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2))
    return {cell: float(tensor[i, j]) for cell, i, j in cells}


def _blade_inertia(axle: AxleData) -> Vector:
    """(3, 3) of a blade about its pivot, kg m^2: two slender rods, each m l^2/3 across its line from the pivot to a tip."""
    pivot, _along = axle.blade_axis
    total = np.zeros((3, 3))
    for side in SIDES:
        arm = axle.blade_tip(side) - pivot
        total += BLADE_MASS_PER_LENGTH * np.linalg.norm(arm) / 3.0 * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return total


class _Bodies:
    """Generated bodies on their way to masses. masses: of the car in load cases."""

    def __init__(self, read: ReadDesign, masses: CarMasses) -> None:
        members = (member for axle in read.car.axles for member in members_of(axle))
        self._members = {member.body: member for member in members if member.body in read.heavy}
        self._blades = {f"{axle.name} {BLADE}": axle for axle in read.car.axles if axle.has_kind(SpringKind.BLADE_BAR)}
        self._given = {fold(body.name): body for body in read.bodied.bodies}
        self._masses = masses

    def with_mass(self, row: GeneratedRow) -> GeneratedRow:
        """A generated body with its mass: the chassis has what is sprung, as a box; rods are slender."""
        if row.sheet != "Bodies":
            return row
        if row.name in self._members:
            return replace(row, values={**row.values, **self._slender(row.name)})
        if row.name != CHASSIS:
            nothing: Mapping[str, Value] = dict.fromkeys(("mass", *INERTIAS), 0.0)
            turning = _cells_of(_blade_inertia(self._blades[row.name])) if row.name in self._blades else {}
            return replace(row, values={**row.values, **nothing, **turning})
        mass, place = self._sprung()
        front, rear = self._masses.downforce.values()
        length, width, height = (
            float(front[0] - rear[0]),
            float(front[0] - rear[0]) * 0.75,
            2.0 * self._masses.height,
        )
        share = mass / 12.0
        box = {
            "mass": mass,
            "ixx": share * (width**2 + height**2),
            "iyy": share * (length**2 + height**2),
            "izz": share * (length**2 + width**2),
        }
        return replace(row, values={**dict(zip("xyz", map(float, place), strict=True)), **box})

    def _slender(self, name: str) -> Mapping[str, Value]:
        """The inertia of a slender rod, where its row says nothing of it."""
        body = self._given[fold(name)]
        if body.inertia is not None:
            return {}
        if body.mass is None:  # which is reported at its cell
            return dict.fromkeys(INERTIAS, 0.0)
        return _cells_of(self._members[name].inertia(body.mass))

    def _sprung(self) -> tuple[float, Vector]:
        """Mass and place (3,) of what is sprung but for the inner ends of rods, which load cases count with the chassis."""
        mass = self._masses.sprung_mass
        moment = mass * self._masses.sprung_point
        for member in self._members.values():
            body = self._given[fold(member.body)]
            if body.mass is None:
                continue
            shift = self._masses.shift[member.axle.name]
            split = list(member.masses(body.mass, body.position))
            rest = body.mass * body.position - sum((each.mass * each.at for each in split), np.zeros(3))
            inner = body.mass - sum(each.mass for each in split)
            mass, moment = mass - inner, moment - rest - inner * shift
        return mass, moment / mass
