"""What a design stands for as ordinary input sheets: its rows typed out, every sweep a case with curves for its drivers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.engine.records import Floats
from sheetmbs.schema.filled import Cell as FilledCell
from sheetmbs.schema.filled import FilledSheet
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.units import parse_unit
from sheetmbs.schema.validate import is_blank_unit, split_header
from sheetmbs.suspension.elastic.kinds.blade_bar import blade_pose
from sheetmbs.suspension.generated.generate import GeneratedCurve, point_name, rack_driver, standing_rows, travel_driver
from sheetmbs.suspension.generated.merged_sheets import idle_rows, sheet_named, without_rows
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import BLADE, BLADE_PIVOT, CHASSIS, WHEEL_CENTRE
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet

GENERAL = ("Bodies", "Points", "Joints", "Springs")
MIN_CASE_ROWS = 2
"""rows of a case: a motion has two times, so a sweep of one pose holds it"""
PLACES = {"Bodies": "xyz", "Points": "xyz", "Joints": "", "Springs": ""}
"""columns of places, which are written in the unit of the hardpoints"""


def ordinary_sheets(design: SolvedDesign, title: str) -> tuple[FilledSheet, ...]:
    """The sheets of a workbook that gives the same numbers without its suspension sheets. title: of its results."""
    return (_settings(design, title), *_general(design), _drivers(design), _curves(design))


def swept_cases(design: SolvedDesign) -> dict[str, range]:
    """The rows of each sweep that all its axles reach, by its name; those of which there are none are left out."""
    reached = {}
    for name, axles in design.swept.items():
        first = max((axle.rows.start for axle in axles.values()), default=0)
        stop = min((axle.rows.stop for axle in axles.values()), default=0)
        if first < stop:
            reached[name] = range(first, stop)
    return reached


def _settings(design: SolvedDesign, title: str) -> FilledSheet:
    """One row of a sweep a second, from the first to the last that is reached."""
    cases = swept_cases(design)
    usual = next(iter(cases))
    none = (None,) * len(cases)
    rows: list[tuple[FilledCell, ...]] = [
        ("title", title, *none),
        ("dimension", "3D", *none),
        ("analysis", "kinematic", *none),
        ("gravity_z", -design.car.gravity, *none),
        ("case", usual, *none),
        ("t_step", 1.0, *none),
        ("t_start", float(cases[usual][0]), *(float(rows[0]) for rows in cases.values())),
        ("t_end", _end(cases[usual]), *map(_end, cases.values())),
    ]
    return FilledSheet("Settings", ("setting", "value", *(f"case {name}" for name in cases)), tuple(rows))


def _end(rows: range) -> float:
    """Time at which a case ends."""
    return float(rows[0] + max(len(rows), MIN_CASE_ROWS) - 1)


def _general(design: SolvedDesign) -> Iterator[FilledSheet]:
    """The merged sheets, and a joint that holds the chassis. Rows that are switched off, or of the free car, stay out."""
    free = [row for axle in design.car.axles for row in standing_rows(design.car, axle, design.model)]
    for name in GENERAL:
        out = idle_rows(design.merged.book, name) | {fold(row.name) for row in free if row.sheet == name}
        cells = sheet_named(without_rows(design.merged.book, name, out), name)
        if not cells.rows:
            continue
        filled = _filled(name, cells, design.car.units.length)
        if name == "Joints":
            held = {
                "name": "chassis held",
                "type": FIXED.name,
                "body_i": "ground",
                "body_j": CHASSIS,
                "point": _fixed(design),
            }
            filled = _with_row(filled, held)
        yield filled


def _with_row(sheet: FilledSheet, row: Mapping[str, FilledCell]) -> FilledSheet:
    """A sheet with one more row, and with those columns of it that no other row needs."""
    new = tuple(header for header in row if header not in sheet.headers)
    rows = (*((*each, *(None for _ in new)) for each in sheet.rows), tuple(map(row.get, (*sheet.headers, *new))))
    return replace(sheet, headers=(*sheet.headers, *new), rows=rows)


def _fixed(design: SolvedDesign) -> str:
    """A point of the chassis."""
    axle = design.car.axles[0]
    return next(point_name(axle, "left", name) for name, point in axle.points["left"].items() if point.on == CHASSIS)


def _filled(name: str, cells: CellSheet, length: str) -> FilledSheet:
    """A sheet as it is to be written: numbers in SI, or as texts with the unit that their column has.

    length: the unit in which places are written, and so shown in results.
    """
    schema = SHEETS_BY_FOLD[fold(name)]
    heads = {column: split_header(str(cell.value)) for column, cell in cells.rows[1].items() if str(cell.value).strip()}
    known = {
        column: (schema.column(text).name, unit or "")
        for column, (text, unit) in heads.items()
        if fold(text) in schema.by_fold
    }
    first = min(known)
    units_row = fold(str(getattr(cells.rows.cell(2, first), "value", ""))) in ("units", "unit")
    units = {
        column: unit or _text(cells.rows.cell(2, column) if units_row else None) for column, (_, unit) in known.items()
    }
    placed = {column for column, (head, _) in known.items() if head in PLACES[name] and is_blank_unit(units[column])}
    per_metre = {column: 1.0 / parse_unit(length).size for column in placed}
    rows = [
        tuple(_value(cells.rows.cell(row, column), units[column], per_metre.get(column, 1.0)) for column in known)
        for row in cells.rows
        if row > 1 + units_row and not _text(cells.rows.cell(row, first)).startswith("#")
    ]
    in_units = {known[column][0]: length for column in placed}
    return FilledSheet(name, tuple(head for head, _unit in known.values()), tuple(rows), in_units)


def _text(cell: Cell | None) -> str:
    return "" if cell is None else str(cell.value).strip()


def _value(cell: Cell | None, unit: str, times: float) -> FilledCell:
    if cell is None or not _text(cell):
        return None
    if cell.kind is CellKind.NUMBER:
        return float(cell.value) * times if is_blank_unit(unit) else f"{float(cell.value)!r} {unit}"
    return str(cell.value)


@dataclass(frozen=True, eq=False)
class _Driven:
    """A driver in a case. moved: what it moves. first: the number of the row at which its values begin."""

    name: str
    case: str
    moved: Mapping[str, FilledCell]
    first: int
    values: Floats
    unit: str = "m"

    @property
    def curve(self) -> GeneratedCurve:
        """Values of the curve over the numbers of the rows."""
        values = np.repeat(self.values, MIN_CASE_ROWS) if len(self.values) == 1 else self.values
        rows = self.first + np.arange(len(values), dtype=float)
        return GeneratedCurve(f"{self.name} in {self.case}", rows, values, "s", self.unit, "linear", "")


def _driven(design: SolvedDesign) -> Iterator[_Driven]:
    """Every driver of every sweep."""
    for name, rows in swept_cases(design).items():
        for axle in design.car.axles:
            yield from _of_axle(design, name, rows, axle)


def _of_axle(design: SolvedDesign, case: str, rows: range, axle: AxleData) -> Iterator[_Driven]:
    """An axle that a sweep leaves out stands where it is assembled."""
    plan, swept = design.plans[case], design.swept[case].get(axle.name)
    for side in SIDES:
        height = float(axle.as_drawn.points[side][WHEEL_CENTRE].position[2])
        travel = np.full(len(rows), axle.standing(side)) if swept is None else _at(rows, swept, swept.travel[side])
        centre = {"point": point_name(axle, side, WHEEL_CENTRE), "joint": None, "coordinate": "z"}
        yield _Driven(travel_driver(axle, side), case, centre, rows[0], height + travel)
    if axle.is_steered:
        rack = np.zeros(len(rows)) if swept is None else plan.rack[rows.start : rows.stop]
        slide = {"point": None, "joint": f"{axle.name} rack slide", "coordinate": "displacement"}
        yield _Driven(rack_driver(axle), case, slide, rows[0], rack)
    if axle.has_kind(SpringKind.BLADE_BAR):
        hinge = {"point": None, "joint": f"{axle.name} {BLADE_PIVOT}", "coordinate": "angle"}
        angle = np.zeros(len(rows)) if swept is None else _at(rows, swept, blade_pose(swept).angle.value)
        yield _Driven(f"{axle.name} {BLADE}", case, hinge, rows[0], angle, "rad")


def _at(rows: range, swept: SweptAxle, values: Floats) -> Floats:
    """Those of some rows of a sweep. values: of all that the axle reaches."""
    return values[rows.start - swept.rows.start : rows.stop - swept.rows.start]


def _drivers(design: SolvedDesign) -> FilledSheet:
    headers = ("name", "point", "joint", "coordinate", "curve", "active")
    rows = tuple(
        (each.curve.name, *(each.moved[head] for head in headers[1:4]), each.curve.name, each.case)
        for each in _driven(design)
    )
    return FilledSheet("Drivers", headers, rows)


def _curves(design: SolvedDesign) -> FilledSheet:
    """Values of drivers over the number of the row, and the laws of springs, as pairs of columns."""
    driven = (each.curve for each in _driven(design))
    columns = [column for curve in (*driven, *design.merged.curves) for column in curve.columns]
    rows = tuple(zip_longest(*(values for _header, values in columns)))
    return FilledSheet("Curves", tuple(header for header, _values in columns), rows)
