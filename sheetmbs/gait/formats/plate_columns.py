"""Columns of force plates, whatever a laboratory heads them with: from fields by quantity to what a plate measured."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.sampled_cells import WRENCH, field_of, numbers
from sheetmbs.gait.trial.recorded import RecordedPlate
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.fields import Field

FORCES, MOMENTS, PRESSURE, FREE = ("fx", "fy", "fz"), ("mx", "my", "mz"), ("px", "py", "pz"), "tz"
LOADED = 50.0
"""N: somebody stands there"""


@dataclass(frozen=True)
class PlateColumns:
    """The columns of one plate by quantity, named as on the sheet Force plates."""

    name: str
    fields: dict[str, Field]

    @property
    def columns(self) -> list[int]:
        """Numbers of the columns of a plate."""
        return [field.header.place.column for field in self.fields.values()]

    @property
    def place(self) -> Place:
        """The first of their headers."""
        return next(iter(self.fields.values())).header.place

    def add(self, quantity: str, place: Place, header: str, unit: str, report: ProblemList) -> None:
        """Note a column, the first of equal ones."""
        self.fields.setdefault(quantity, field_of(WRENCH[quantity], place, header, unit, report, place))


def read_plates(
    cells: CellSheet, rows: Sequence[int], plates: Sequence[PlateColumns], report: ProblemList
) -> tuple[RecordedPlate, ...]:
    """What plates measured, in SI. Forces and moments that are blank are 0; a blank centre of pressure is missing."""
    found = []
    for plate in plates:
        _check_whole(plate, report)
        values = dict(zip(plate.fields, numbers(cells, rows, list(plate.fields.values()), report), strict=True))
        _tell_blank(plate, values, rows, report)
        found.append(_recorded(plate, values, len(rows)))
    return tuple(found)


def _check_whole(plate: PlateColumns, report: ProblemList) -> None:
    """Report a plate without forces, and one whose forces act nowhere."""
    names = plate.fields.keys()
    found = f"{plate.name} has {', '.join(names)}"
    if not names & set(FORCES):
        mend = f"add {plate.name}.fx and so on, or take the column away"
        report.error("plate-without-force", plate.place, found, "a plate has columns of forces", mend)
    elif not names & {*MOMENTS, *PRESSURE}:
        rule = "where a force acts follows from moments about the plate's origin, or from a centre of pressure"
        mend = f"add {plate.name}.mx, .my, .mz, or {plate.name}.px"
        report.error("plate-without-moment", plate.place, found, rule, mend)


def _tell_blank(plate: PlateColumns, values: Mapping[str, Vector], rows: Sequence[int], report: ProblemList) -> None:
    """A warning for the first blank cell of forces and moments beside which the plate is loaded; blanks count as 0."""
    names = [name for name in (*FORCES, *MOMENTS) if name in values]
    series = np.stack([values[name] for name in names]) if names else np.zeros((0, len(rows)))
    forces = [name for name in names if name in FORCES]
    if not forces:
        return
    blank = np.isnan(series)
    force = np.linalg.norm(np.nan_to_num([values[name] for name in forces]), axis=0)
    within = (np.append(0.0, force[:-1]) > LOADED) & (np.append(force[1:], 0.0) > LOADED)
    doubtful = blank & np.where(blank.all(axis=0), within, force > LOADED)
    for name, cells in zip(names, doubtful, strict=True):
        if cells.any():
            header = plate.fields[name].header.place
            first = int(np.argmax(cells))
            found = f"{plate.name}.{name} is blank in {cells.sum():,} rows in which the plate is loaded"
            problem = "blank is 0, which no force becomes for a moment"
            mend = "fill these cells, or export again"
            report.warning("blank-force", header._replace(row=rows[first]), found, problem, mend)
            return


def _missing(names: Collection[str]) -> tuple[str, ...]:
    """Columns that a force in space lacks."""
    wanted = (*FORCES, *MOMENTS) if any(each in names for each in MOMENTS) else (*FORCES, FREE)
    return tuple(each for each in wanted if each not in names)


def _recorded(plate: PlateColumns, values: Mapping[str, Vector], count: int) -> RecordedPlate:
    """values: by quantity, (count,) each."""

    def stacked(names: Sequence[str], absent: float) -> Vector | None:
        if not any(each in values for each in names):
            return None
        return np.stack([values.get(each, np.full(count, absent)) for each in names], axis=1)

    force, moment = stacked(FORCES, 0.0), stacked(MOMENTS, 0.0)
    return RecordedPlate(
        plate.name,
        np.zeros((count, 3)) if force is None else np.nan_to_num(force),
        None if moment is None else np.nan_to_num(moment),
        stacked(PRESSURE, np.nan),
        np.nan_to_num(values[FREE]) if FREE in values else None,
        plate.place,
        _missing(values.keys()),
    )
