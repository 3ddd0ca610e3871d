"""Columns of force plates, whatever a laboratory heads them with: from fields by quantity to what a plate measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.formats.sampled_cells import WRENCH, field_of, numbers
from sheetmbs.gait.trial.recorded import RecordedPlate, Vector
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.fields import Field
from sheetmbs.workbook.reading.problem_list import Place, ProblemList

FORCES, MOMENTS, PRESSURE, FREE = ("fx", "fy", "fz"), ("mx", "my", "mz"), ("px", "py", "pz"), "tz"


@dataclass(frozen=True)
class PlateColumns:
    """The columns of one plate by quantity, named as on the sheet Force plates."""

    name: str
    fields: dict[str, Field]

    @property
    def columns(self) -> list[int]:
        """Their numbers."""
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
        values = numbers(cells, rows, list(plate.fields.values()), report)
        found.append(_recorded(plate, dict(zip(plate.fields, values, strict=True)), len(rows)))
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
    )
