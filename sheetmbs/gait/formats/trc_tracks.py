"""TRC, the tracks of Cortex and OpenSim: three rows about the recording, one of labels, one of ``X1 Y1 Z1``."""

from __future__ import annotations

from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    TIME,
    Track,
    field_of,
    filled_rows,
    number_in,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.problem_list import Place, ProblemList, quoted

KEYS, VALUES, LABELS, AXES = 2, 3, 4, 5
"""rows"""
FIRST = 3
"""column of the first label"""


def is_trc(cells: CellSheet) -> bool:
    """Whether it begins as a TRC does."""
    return fold(text_at(cells, 1, 1)).startswith("pathfiletype")


def read_trc(cells: CellSheet, report: ProblemList) -> Recorded:
    """Its markers. The header's number of markers is not trusted: every label with values counts."""
    about = _about(cells)
    frame_text, time_text = (text_at(cells, LABELS, column) for column in (1, 2))
    if not fold(frame_text).startswith("frame") or not fold(time_text).startswith("time"):
        found = f"{quoted(frame_text)} and {quoted(time_text)}"
        return refuse_layout(Place(cells.name, LABELS, 1), found, "row 4 of a TRC begins with Frame# and Time", report)
    if "units" not in about:
        return refuse_layout(Place(cells.name, KEYS, 1), "no Units", "the second row of a TRC names Units", report)
    unit_place = Place(cells.name, VALUES, about["units"])
    unit_text = text_at(cells, VALUES, about["units"])
    unit = field_of(POSITION["x"], Place(cells.name, LABELS, FIRST), "x", unit_text, report, unit_place)
    tracks = _tracks(cells, report)
    if not tracks:
        return (
            Recorded()
            if report.has_errors
            else refuse_layout(
                Place(cells.name, LABELS, FIRST), "no label", "names of markers stand behind Frame# and Time", report
            )
        )
    last_column = max((each.column for each in tracks), default=FIRST) + 2
    last = max(cells.rows, default=0)
    rows = filled_rows(cells, AXES + 1, last, range(1, last_column + 1))
    frame, time = (
        field_of(each, Place(cells.name, LABELS, at), each.name, "", report, Place(cells.name, LABELS, at))
        for at, each in ((1, FRAME), (2, TIME))
    )
    rate = number_in(text_at(cells, VALUES, about["datarate"])) if "datarate" in about else None
    stamped = stamps(cells, rows, time, frame, report, rate)
    notes: list[str] = []
    if stamped is None or not unit.sound:
        return Recorded()
    return Recorded(read_tracks(cells, rows, tracks, unit, stamped, report, notes), notes=tuple(notes))


def _about(cells: CellSheet) -> dict[str, int]:
    """The columns of values of the head by their folded keys.

    Some programs write several tabs between values; where as many cells are filled as there are keys, they go in order.
    """
    keys, values = texts_of(cells, KEYS), texts_of(cells, VALUES)
    columns = sorted(values) if len(values) == len(keys) else sorted(keys)
    return {fold(keys[key]): column for key, column in zip(sorted(keys), columns, strict=True)}


def _tracks(cells: CellSheet, report: ProblemList) -> list[Track]:
    """Labels with the columns of their coordinates.

    A label stands over the first of its three columns. Where the row below has X1, X2 .. for as many markers as there are
    labels, they go in order, whatever tabs stand between them; else a label over a Y or Z belongs to no marker.
    """
    labels = {column: text for column, text in sorted(texts_of(cells, LABELS).items()) if column >= FIRST}
    axes = {
        column: fold(text)[:1] for column, text in texts_of(cells, AXES).items() if fold(text)[:1] in ("x", "y", "z")
    }
    starts = sorted(column for column, axis in axes.items() if axis == "x")
    places = {column: Place(cells.name, LABELS, column) for column in labels}
    if len(starts) == len(labels):
        return [Track(labels[at], places[at], start) for at, start in zip(labels, starts, strict=True)]
    for column, text in labels.items():
        if axes.get(column, "x") != "x":
            rule = f"a label stands over the X of its marker, and this one over {text_at(cells, AXES, column)}"
            refuse_layout(places[column], quoted(text), rule, report)
            return []
    return [Track(text, places[column], column) for column, text in labels.items()]
