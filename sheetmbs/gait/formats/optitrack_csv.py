"""OptiTrack's CSV: a row of keys with their values, rows Type, Name, ID and what is measured, then Frame, Time and samples."""

from __future__ import annotations

from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    TIME,
    Track,
    field_of,
    filled_rows,
    listed,
    number_in,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

FIRST = "format version"
MOST_HEAD = 12
"""rows in which the head of a file ends"""
UNITS = {"meters": "m", "millimeters": "mm", "centimeters": "cm", "inches": "in", "feet": "ft"}


def recognises(cells: CellSheet) -> bool:
    """Whether it begins with Format Version."""
    return fold(text_at(cells, 1, 1)) == fold(FIRST)


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read markers; bones and rigid bodies are named and left out."""
    about = _about(cells)
    rows = {fold(text_at(cells, row, 2)): row for row in range(2, MOST_HEAD)}
    heads = next((row for row in range(2, MOST_HEAD) if fold(text_at(cells, row, 1)) == "frame"), None)
    if heads is None or "name" not in rows or "type" not in rows:
        rule = "rows Type and Name, and one that begins with Frame and Time, stand above the samples"
        return refuse_layout(Place(cells.name, 2, 1), "no such rows", rule, report)
    unit_text = UNITS.get(about.get("length units", "meters").casefold(), about.get("length units", "m"))
    here = Place(cells.name, 1, 1)
    unit = field_of(POSITION["x"], here, "x", unit_text, report, here)
    tracks, others = _tracks(cells, rows, heads)
    if not tracks:
        rule = "markers have the type Marker and Position above their X, Y and Z"
        return refuse_layout(Place(cells.name, rows["type"], 3), "no marker", rule, report)
    data = filled_rows(cells, heads + 1, max(cells.rows), [1, 2, *(each.column for each in tracks)])
    frame, time = (
        field_of(each, Place(cells.name, heads, at), each.name, "", report, Place(cells.name, heads, at))
        for at, each in ((1, FRAME), (2, TIME))
    )
    rate = number_in(about.get("export frame rate", "")) or number_in(about.get("capture frame rate", ""))
    stamped = stamps(cells, data, time, frame, report, rate)
    if stamped is None or not unit.sound:
        return Recorded()
    notes = [f"bones, bodies and other points that are no markers, and left out: {listed(others)}"] if others else []
    return Recorded(read_tracks(cells, data, tracks, unit, stamped, report, notes), notes=tuple(notes))


def _about(cells: CellSheet) -> dict[str, str]:
    """Values of the first row by their keys."""
    texts = texts_of(cells, 1)
    return {fold(texts[column]): text_at(cells, 1, column + 1) for column in sorted(texts) if column % 2}


def _tracks(cells: CellSheet, rows: dict[str, int], heads: int) -> tuple[list[Track], list[str]]:
    found, others = [], []
    letters = texts_of(cells, heads)
    for column, name in sorted(texts_of(cells, rows["name"]).items()):
        if column < 3 or fold(letters.get(column, "")) != "x":
            continue
        kind = text_at(cells, rows["type"], column)
        measured = text_at(cells, heads - 1, column)
        is_position = not measured or fold(measured) == "position"
        if fold(kind).endswith("marker") and is_position and fold(letters.get(column + 2, "")) == "z":
            found.append(Track(name, Place(cells.name, rows["name"], column), column))
        elif is_position or name not in others:
            others.append(name)
    return found, list(dict.fromkeys(others))
