"""TRC, the tracks of Cortex and OpenSim: three rows about the recording, one of labels, one of ``X1 Y1 Z1``."""

from __future__ import annotations

from sheetmbs.gait.formats.sampled_cells import (
    FIRST_COORDINATE,
    FRAME,
    POSITION,
    TIME,
    LabelRows,
    field_of,
    filled_rows,
    labelled_tracks,
    number_in,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.cells.cells import CellSheet

KEYS, VALUES, LABELS, AXES = 2, 3, 4, 5
"""rows"""
COUNTS = {"nummarkers": "NumMarkers", "numframes": "NumFrames"}
"""keys of the head that promise how much there is"""


def recognises(cells: CellSheet) -> bool:
    """Whether it begins as a TRC does."""
    return fold(text_at(cells, 1, 1)).startswith("pathfiletype")


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read markers. The header's number of markers is not trusted: every label with values counts."""
    about = _about(cells)
    heads = sorted(texts_of(cells, LABELS).items())
    frame_text, time_text, *_ = (*(text for _column, text in heads), "", "")
    if not fold(frame_text).startswith("frame") or not fold(time_text).startswith("time"):
        found = f"{quoted(frame_text)} and {quoted(time_text)}"
        return refuse_layout(Place(cells.name, LABELS, 1), found, "row 4 of a TRC begins with Frame# and Time", report)
    if "units" not in about:
        return refuse_layout(Place(cells.name, KEYS, 1), "no Units", "the second row of a TRC names Units", report)
    unit_place = Place(cells.name, VALUES, about["units"])
    unit_text = text_at(cells, VALUES, about["units"])
    if not unit_text:
        return refuse_layout(unit_place, "no unit", "a unit of all coordinates, such as mm, stands below Units", report)
    unit = field_of(POSITION["x"], Place(cells.name, LABELS, FIRST_COORDINATE), "x", unit_text, report, unit_place)
    notes: list[str] = []
    told = {name: number_in(text_at(cells, VALUES, about[name])) for name in COUNTS if name in about}
    if told.get("nummarkers") == 0.0 and len(heads) <= FIRST_COORDINATE - 1:
        rule, mend = "a recording has markers", "label the markers of the trial and export it again"
        report.error("nothing-recorded", Place(cells.name, VALUES, about["nummarkers"]), "NumMarkers 0", rule, mend)
        return Recorded()
    last = max(cells.rows, default=0)
    rows_of = LabelRows(LABELS, AXES, range(AXES + 1, last + 1))
    tracks = labelled_tracks(cells, dict(heads[2:]), rows_of, report, notes)
    if not tracks:
        return Recorded()
    rows = filled_rows(cells, AXES + 1, last, range(1, max(each.column for each in tracks) + 3))
    frame, time = (
        field_of(each, Place(cells.name, LABELS, at), each.name, "", report, Place(cells.name, LABELS, at))
        for at, each in ((1, FRAME), (2, TIME))
    )
    rate = number_in(text_at(cells, VALUES, about["datarate"])) if "datarate" in about else None
    stamped = stamps(cells, rows, time, frame, report, rate)
    if stamped is None or not unit.sound:
        return Recorded()
    for name, count in (("nummarkers", len(tracks)), ("numframes", len(rows))):
        if told.get(name) not in (None, float(count)):
            notes.append(f"the head says {COUNTS[name]} {told[name]:g}, and there are {count}")
    return Recorded(read_tracks(cells, rows, tracks, unit, stamped, report, notes), notes=tuple(notes))


def _about(cells: CellSheet) -> dict[str, int]:
    """The columns of values of the head by their folded keys.

    Some programs write several tabs between values; where as many cells are filled as there are keys, they go in order.
    """
    keys, values = texts_of(cells, KEYS), texts_of(cells, VALUES)
    columns = sorted(values) if len(values) == len(keys) else sorted(keys)
    return {fold(keys[key]): column for key, column in zip(sorted(keys), columns, strict=True)}
