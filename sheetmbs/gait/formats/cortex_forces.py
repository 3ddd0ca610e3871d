"""Forces of Cortex: ``[Force Data]``, lines ``key=value``, then ``#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1 ..`` in N, mm, N mm."""

from __future__ import annotations

import re

import numpy as np

from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    PlateColumns,
    are_headed,
    field_of,
    filled_rows,
    number_in,
    read_plates,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

MOST_HEADERS = 30
COLUMN = re.compile(r"(f[xyz]|m[xyz]|[xyz])(\d+)")
QUANTITIES = {"x": ("px", "mm"), "y": ("py", "mm"), "z": ("pz", "mm"), "mz": ("tz", "N*mm")}


def recognises(cells: CellSheet) -> bool:
    """Whether it begins as a file of forces does."""
    return fold(text_at(cells, 1, 1)) == "[force data]"


def _head(cells: CellSheet) -> tuple[float | None, int]:
    """The rate that the first rows tell, and the row of names; 0 where there is none."""
    rate = None
    for row in range(2, MOST_HEADERS):
        text = text_at(cells, row, 1)
        key, _, value = text.partition("=")
        if fold(key) == "samplerate":
            rate = number_in(value)
        if fold(text).startswith("#sample"):
            return rate, row
    return rate, 0


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read force plates in axes of the laboratory.

    A plate without force carries its centre as centre of pressure: that is none.
    """
    rate, header = _head(cells)
    if not header:
        rule = "a row #Sample FX1 FY1 .. heads its columns"
        return refuse_layout(Place(cells.name, 1, 1), "no row #Sample", rule, report)
    plates: dict[str, PlateColumns] = {}
    for column, text in texts_of(cells, header).items():
        match = COLUMN.fullmatch(text.casefold())
        if match:
            quantity, unit = QUANTITIES.get(match[1], (match[1], "N"))
            place = Place(cells.name, header, column)
            plates.setdefault(match[2], PlateColumns(f"FP{match[2]}", {})).add(quantity, place, text, unit, report)
    columns = [1, *(column for plate in plates.values() for column in plate.columns)]
    rows = filled_rows(cells, header + 1, max(cells.rows, default=0), columns)
    if not are_headed(cells, header, rows, report):
        return Recorded()
    place = Place(cells.name, header, 1)
    stamped = stamps(cells, rows, None, field_of(FRAME, place, "sample", "", report, place), report, rate)
    if stamped is None:
        return Recorded()
    found = read_plates(cells, rows, list(plates.values()), report)
    for plate in found:
        if plate.pressure is not None:
            plate.pressure[np.all(plate.force == 0.0, axis=1)] = np.nan
    return Recorded(forces=RecordedForces(stamped, found))
