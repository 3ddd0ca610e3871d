"""A trial as sheets of our own format, in the labels and the unit of its file, and its rows on lists such as Plates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.uniform_time import UniformTime
from sheetmbs.gait.trial.recorded import (
    PlateGeometry,
    RecordedColumns,
    RecordedForces,
    RecordedMarkers,
    RecordedPlate,
    Stamps,
)
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import LENGTH
from sheetmbs.schema.validate import unit_of
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.writing.add_inputs import Filling

KEPT_DECIMALS = 12
"""of a coordinate in m: what is beyond came from changing units"""
PLATE_COLUMNS = (
    "name",
    "foot",
    *(f"{axis}{corner}" for corner in (1, 2, 3, 4) for axis in "xyz"),
    *(f"o{axis}" for axis in "xyz"),
    "axes",
    "sign",
)
ListRows = Mapping[str, Mapping[str, str | float]]
"""contents by the first column's value, then by column"""
WORDS_OF_FILES = ("axes", "sign")
"""words that files tell of a plate; the others are the user's"""
MAX_PLACE_DIFFERENCE = 1e-3
"""m by which a place may differ: programs round"""


def size_of(unit: str) -> float:
    """How many metres a unit of length is that a file has told."""
    found = unit_of(unit, (LENGTH,))
    return found.size if found else 1.0


def in_unit(values: Vector, unit: str) -> Vector:
    """Lengths in m in a unit, without the digits that changing units has made."""
    size = size_of(unit)
    return np.round(values / size, max(KEPT_DECIMALS + round(np.log10(size)), 0))


def markers_table(name: str, markers: RecordedMarkers, time: UniformTime | None) -> Table:
    """The sheet of markers: time, frame, and the coordinates that were recorded."""
    columns, units, values = _stamped(markers.stamps, time)
    for at, label in enumerate(markers.labels):
        for axis in range(3):
            if markers.columns[at, axis]:
                columns.append(f"{label}.{'xyz'[axis]}")
                units.append(markers.unit)
                values.append(in_unit(markers.positions[at, :, axis], markers.unit))
    return Table(name, tuple(columns), tuple(units), np.stack(values, axis=1))


def forces_table(name: str, forces: RecordedForces, time: UniformTime | None, unit: str) -> Table:
    """The sheet of force plates in N and N m. unit: of centres of pressure."""
    columns, units, values = _stamped(forces.stamps, time)
    for plate in forces.plates:
        for quantity, told, column in _columns(plate, unit):
            columns.append(f"{plate.name}.{quantity}")
            units.append(told)
            values.append(column)
    return Table(name, tuple(columns), tuple(units), np.stack(values, axis=1))


def columns_table(name: str, found: RecordedColumns, time: UniformTime | None) -> Table:
    """A sheet of columns under the names and in the units of their file."""
    columns, units, values = _stamped(found.stamps, time)
    columns += [each.header for each in found.columns]
    units += [each.unit for each in found.columns]
    values += [each.values for each in found.columns]
    return Table(name, tuple(columns), tuple(units), np.stack(values, axis=1))


def _stamped(stamps: Stamps, time: UniformTime | None) -> tuple[list[str], list[str], list[Vector]]:
    frames = stamps.frames.astype(np.float64)
    if time is None:
        return ["frame"], [""], [frames]
    return ["time", "frame"], ["s", ""], [time.time[time.index], frames]


def _columns(plate: RecordedPlate, unit: str) -> list[tuple[str, str, Vector]]:
    found = [(f"f{axis}", "N", plate.force[:, at]) for at, axis in enumerate("xyz")]
    if plate.moment is not None:
        found += [(f"m{axis}", "N*m", plate.moment[:, at]) for at, axis in enumerate("xyz")]
    if plate.pressure is not None:
        there = [at for at in range(3) if np.isfinite(plate.pressure[:, at]).any()]
        found += [(f"p{'xyz'[at]}", unit, in_unit(plate.pressure[:, at], unit)) for at in there or range(3)]
    if plate.free_moment is not None:
        found.append(("tz", "N*m", plate.free_moment))
    return found


def plate_rows(
    geometry: Sequence[PlateGeometry], unplaced: Sequence[str], unit: str
) -> dict[str, dict[str, str | float]]:
    """Rows of the sheet Plates by name: what the file tells, and plates that the user must place."""
    rows: dict[str, dict[str, str | float]] = {}
    for lies in geometry:
        row: dict[str, str | float] = {"name": lies.name, "foot": "auto", "axes": lies.axes, "sign": lies.sign}
        if lies.corners is not None:
            corners, origin = in_unit(lies.corners, unit), in_unit(lies.origin, unit)
            row |= {f"{axis}{at + 1}": float(corners[at, k]) for at in range(4) for k, axis in enumerate("xyz")}
            row |= {f"o{axis}": float(origin[k]) for k, axis in enumerate("xyz")}
        rows[lies.name] = row
    for name in unplaced:
        rows[name] = {"name": name, "foot": "auto", "axes": "own"}
    return rows


@dataclass(frozen=True)
class ListFilling:
    """cells: what goes where. added: first columns of rows that are new; otherwise: of those that stay and say other things."""

    cells: Filling
    added: tuple[str, ...]
    otherwise: tuple[str, ...]
    is_blank: bool


def list_filling(schema: Sheet, cells: CellSheet, rows: ListRows, unit: str, *, replace: bool) -> ListFilling:
    """How rows come onto a list. unit: of lengths in ``rows``. replace: rows of the same name get new contents.

    Raises WorkbookError where the list cannot be read.
    """
    report = ProblemList((cells.name,))
    table = InputTable(schema, cells, report, "3D")
    records = list(table.records())
    first = schema.columns[0].name
    if report.has_errors:
        raise WorkbookError(report.problems())
    filling: dict[tuple[int, int], str | float] = {}
    columns = {name: field.header.place.column for name, field in table.fields.items()}
    sizes = {
        name: field.unit.size if field.unit is not None else 1.0
        for name, field in table.fields.items()
        if LENGTH in field.column.dimensions
    }
    known = {fold(record.raw_text(first)): record for record in records}
    last = max([max(cells.rows, default=1), 1])
    added, otherwise = [], []
    for name, content in rows.items():
        record = known.get(fold(name))
        if record is not None and not replace:
            otherwise += [name] if _says_otherwise(record, content, schema, unit) else []
            continue
        if record is None:
            added.append(name)
            last += 1
        row = last if record is None else record.row
        for column, value in content.items():
            if column not in columns:
                columns[column] = max(columns.values(), default=0) + 1
                filling[1, columns[column]] = column
            is_length = not isinstance(value, str) and LENGTH in schema.column(column).dimensions
            scale = size_of(unit) / sizes.get(column, 1.0) if is_length else 1.0
            filling[row, columns[column]] = value if isinstance(value, str) else float(f"{value * scale:.12g}")
    return ListFilling(filling, tuple(added), tuple(otherwise), not records)


def _says_otherwise(record: Record, content: Mapping[str, str | float], schema: Sheet, unit: str) -> bool:
    """Whether a length of a row differs, or a word that it gives."""
    for column, value in content.items():
        if isinstance(value, str):
            given = record.raw_text(column)
            if column in WORDS_OF_FILES and given and fold(given) != fold(value):
                return True
        elif LENGTH in schema.column(column).dimensions:
            here = record.number(column)
            if here is None or abs(here - value * size_of(unit)) > MAX_PLACE_DIFFERENCE:
                return True
    return False
