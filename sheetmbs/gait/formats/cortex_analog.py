"""Cortex's .anc: analog channels as numbers of the converter, which forces are made of by a calibration of the laboratory.

That calibration stands in another file, so the channels come as what they are, in mV, and forces from the file .forces.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.formats.sampled_cells import (
    TIME,
    field_of,
    filled_rows,
    number_in,
    numbers,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded, RecordedColumn, RecordedColumns
from sheetmbs.schema.column import Column, ColumnKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

MOST_HEAD = 20
"""rows in which the head of a file ends"""
USUAL_BITS = 12
VALUE = Column("value", ColumnKind.NUMBER, "a number of the converter")
TOLD = "its channels are numbers of a converter: forces come from the file .forces of the same trial"


def recognises(cells: CellSheet) -> bool:
    """Whether it begins with File_Type:."""
    return fold(text_at(cells, 1, 1)).rstrip(":") == fold("File_Type")


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read all channels in mV."""
    rows = {fold(text_at(cells, row, 1)): row for row in range(1, MOST_HEAD)}
    if "name" not in rows or "range" not in rows:
        found = "no rows Name, Rate and Range"
        return refuse_layout(Place(cells.name, 1, 1), found, "they stand above the samples", report)
    names = {column: text for column, text in texts_of(cells, rows["name"]).items() if column > 1}
    data = filled_rows(cells, rows["range"] + 1, max(cells.rows), [1, *names])
    here = Place(cells.name, rows["name"], 1)
    rate = number_in(_about(cells).get("preciserate", ""))
    stamped = stamps(cells, data, field_of(TIME, here, "time", "s", report, here), None, report, rate)
    if stamped is None:
        return Recorded()
    places = [Place(cells.name, rows["name"], column) for column in names]
    fields = [field_of(VALUE, place, names[place.column], "", report, place) for place in places]
    values = numbers(cells, data, fields, report)
    bits = int(number_in(_about(cells).get("bitdepth", "")) or USUAL_BITS)
    steps = 2.0 ** max(bits - 1, 1)
    sizes = [(number_in(text_at(cells, rows["range"], column)) or steps) / steps for column in names]
    columns = tuple(
        RecordedColumn(name, "mV", np.asarray(size * row))
        for name, size, row in zip(names.values(), sizes, values, strict=True)
    )
    return Recorded(notes=(TOLD,), channels=RecordedColumns(stamped, columns))


def _about(cells: CellSheet) -> dict[str, str]:
    """Values of the head by their keys, which end in a colon."""
    found: dict[str, str] = {}
    for row in range(1, MOST_HEAD):
        texts = texts_of(cells, row)
        for column, text in texts.items():
            if text.endswith(":"):
                found.setdefault(fold(text).rstrip(":").replace(" ", ""), text_at(cells, row, column + 1))
    return found
