"""Visual3D's ASCII: rows of files, names, types and folders above each column, then ``ITEM X Y Z`` and samples in m and N."""

from __future__ import annotations

from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    PlateColumns,
    Track,
    field_of,
    filled_rows,
    listed,
    read_plates,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

NAMES, TYPES, HEADS = 2, 3, 5
"""rows"""
MARKER = "target"
OF_PLATES = {"force": "f", "cofp": "p", "freemoment": "t"}
"""types of columns of plates, and how quantities of ours begin"""


def recognises(cells: CellSheet) -> bool:
    """Whether its fifth row begins with ITEM."""
    return fold(text_at(cells, HEADS, 1)) == "item"


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read targets as markers, and forces with their centres of pressure; all else is named."""
    names, kinds, letters = (texts_of(cells, row) for row in (NAMES, TYPES, HEADS))
    tracks: list[Track] = []
    plates: dict[str, PlateColumns] = {}
    others: list[str] = []
    for column, letter in sorted(letters.items()):
        kind, name = fold(kinds.get(column, "")), names.get(column, "")
        place = Place(cells.name, NAMES, column)
        if kind == MARKER and fold(letter) == "x" and names.get(column + 2) == name:
            tracks.append(Track(name, place, column))
        elif kind in OF_PLATES:
            quantity = f"{OF_PLATES[kind]}{fold(letter)}"
            if quantity not in ("tx", "ty"):
                of_quantity = "m" if quantity.startswith("p") else "N*m" if quantity.startswith("t") else "N"
                plates.setdefault(name, PlateColumns(name, {})).add(quantity, place, name, of_quantity, report)
        elif kind != MARKER and column > 1:
            others.append(name)
    if not tracks and not plates:
        rule = "the third row says TARGET above markers, and FORCE above forces"
        return refuse_layout(Place(cells.name, TYPES, 2), "no such type", rule, report)
    rows = filled_rows(cells, HEADS + 1, max(cells.rows), sorted(letters))
    here = Place(cells.name, HEADS, 1)
    stamped = stamps(cells, rows, None, field_of(FRAME, here, "frame", "", report, here), report)
    if stamped is None:
        return Recorded()
    notes = [f"columns that are no marker and no plate, and left out: {listed(list(dict.fromkeys(others)))}"]
    notes = notes if others else []
    unit = field_of(POSITION["x"], here, "x", "m", report, here)
    markers = read_tracks(cells, rows, tracks, unit, stamped, report, notes) if tracks else None
    whole = [each for each in plates.values() if "fx" in each.fields]
    forces = RecordedForces(stamped, read_plates(cells, rows, whole, report)) if whole else None
    return Recorded(markers, forces, notes=tuple(notes))
