"""A suspension workbook as an ordinary one: the generated rows typed out, every sweep a case with curves for its drivers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from os import PathLike
from pathlib import Path

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.filled import Cell as FilledCell
from sheetmbs.schema.filled import FilledSheet, NewBook
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import is_blank_unit, split_header
from sheetmbs.suspension.generated.generate import GeneratedCurve, point_name, rack_driver, travel_driver
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, WHEEL_CENTRE
from sheetmbs.suspension.product import SuspensionResults, run_suspension
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.package.create import create_book
from sheetmbs.workbook.writing.new_workbook import laid_out

GENERAL = ("Bodies", "Points", "Joints", "Springs")
PURPOSE = "A suspension written out as an ordinary model: every generated row, and every sweep as a case."


def write_out(path: str | PathLike[str], out: Path) -> None:
    """Write what a suspension workbook stands for into a new one. Raises WorkbookError."""
    results = run_suspension(path)
    sheets = (_settings(results), *_general(results), _drivers(results), _curves(results))
    title = Path(path).stem
    readme = (
        "Cases",
        tuple(f"sheetmbs run {out.name} --case '{name}': one row of the sweep a second" for name in results.base.swept),
    )
    create_book(out, laid_out(NewBook(f"{title}, written out", PURPOSE, (readme,), sheets)), title)


def _settings(results: SuspensionResults) -> FilledSheet:
    names = tuple(results.base.plans)
    values: list[tuple[str, object, tuple[object, ...]]] = [
        ("title", f"{results.path.stem}, written out", ()),
        ("dimension", "3D", ()),
        ("analysis", "kinematic", ()),
        ("case", names[0], ()),
        (
            "t_end",
            float(results.base.plans[names[0]].rows - 1),
            tuple(float(plan.rows - 1) for plan in results.base.plans.values()),
        ),
        ("t_step", 1.0, ()),
    ]
    rows = tuple((name, value, *(each or (None,) * len(names))) for name, value, each in values)
    return FilledSheet("Settings", ("setting", "value", *(f"case {name}" for name in names)), rows)  # type: ignore[arg-type]


def _general(results: SuspensionResults) -> Iterator[FilledSheet]:
    """The merged sheets, and a joint that holds the chassis."""
    for name in GENERAL:
        cells = next(
            (sheet for title, sheet in results.base.merged.book.sheets.items() if fold(title) == fold(name)), None
        )
        if cells is None:
            continue
        filled = _filled(name, cells)
        if name == "Joints":
            held = {
                "name": "chassis held",
                "type": "fixed",
                "body_i": "ground",
                "body_j": CHASSIS,
                "point": _fixed(results),
            }
            filled = FilledSheet(
                name, filled.headers, (*filled.rows, tuple(held.get(header) for header in filled.headers))
            )
        yield filled


def _fixed(results: SuspensionResults) -> str:
    """A point of the chassis."""
    axle = results.base.car.axles[0]
    return next(point_name(axle, "left", name) for name, point in axle.points["left"].items() if point.on == CHASSIS)


def _filled(name: str, cells: CellSheet) -> FilledSheet:
    """A sheet as it is to be written: numbers in SI, or as texts with the unit that their column has."""
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
    rows = [
        tuple(_value(cells.rows.cell(row, column), units[column]) for column in known)
        for row in cells.rows
        if row > 1 + units_row and not _text(cells.rows.cell(row, first)).startswith("#")
    ]
    return FilledSheet(name, tuple(head for head, _unit in known.values()), tuple(rows))


def _text(cell: Cell | None) -> str:
    return "" if cell is None else str(cell.value).strip()


def _value(cell: Cell | None, unit: str) -> FilledCell:
    if cell is None or not _text(cell):
        return None
    if cell.kind is CellKind.NUMBER:
        return float(cell.value) if is_blank_unit(unit) else f"{float(cell.value)!r} {unit}"
    return str(cell.value)


Driven = tuple[str, str, Mapping[str, FilledCell], Floats]


def _driven(results: SuspensionResults) -> Iterator[Driven]:
    """Every driver of every sweep: its name, the case, what it moves, and its values over the rows."""
    for name, axles in results.base.swept.items():
        plan = results.base.plans[name]
        for axle in results.base.car.axles:
            yield from _of_axle(name, plan, axles.get(axle.name), axle)


def _of_axle(case: str, plan: Sweep, swept: SweptAxle | None, axle: AxleData) -> Iterator[Driven]:
    for side in SIDES:
        height = float(axle.as_drawn.points[side][WHEEL_CENTRE].position[2])
        travel = plan.travel * 0.0 if swept is None else swept.travel[side]
        moved: Mapping[str, FilledCell] = {
            "point": point_name(axle, side, WHEEL_CENTRE),
            "joint": None,
            "coordinate": "z",
        }
        yield travel_driver(axle, side), case, moved, height + travel
    if axle.is_steered:
        rack = plan.rack * 0.0 if swept is None else plan.rack
        moved = {"point": None, "joint": f"{axle.name} rack slide", "coordinate": "displacement"}
        yield rack_driver(axle), case, moved, rack


def _drivers(results: SuspensionResults) -> FilledSheet:
    headers = ("name", "point", "joint", "coordinate", "curve", "active")
    rows = [
        (f"{name} in {case}", moved["point"], moved["joint"], moved["coordinate"], f"{name} in {case}", case)
        for name, case, moved, _values in _driven(results)
    ]
    return FilledSheet("Drivers", headers, tuple(rows))


def _curves(results: SuspensionResults) -> FilledSheet:
    """Values of drivers over the number of the row, and the laws of springs, as pairs of columns."""
    driven = (
        GeneratedCurve(f"{name} in {case}", np.arange(len(values), dtype=float), values, "s", "m", "linear", "")
        for name, case, _moved, values in _driven(results)
    )
    columns = [column for curve in (*driven, *results.base.merged.curves) for column in curve.columns]
    rows = tuple(zip_longest(*(values for _header, values in columns)))
    return FilledSheet("Curves", tuple(header for header, _values in columns), rows)
