"""D-Flow and GRAIL: a row of headers ``TimeStamp``, ``<label>.PosX``, ``FP1.ForX``, then samples in m, N and N m.

Axes are those of the treadmill: y up, z backward, x to the right. Moments are about the origin of the laboratory where they
agree with the centre of pressure there; else the centre of pressure counts.
"""

from __future__ import annotations

import re

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    TIME,
    Track,
    field_of,
    filled_rows,
    listed,
    numbers,
    read_tracks,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces, RecordedPlate, Stamps
from sheetmbs.schema.column import Column, ColumnKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

FIRST = "timestamp"
POSITIONS = re.compile(r"(.+)\.pos([xyz])", re.IGNORECASE)
PLATES = re.compile(r"(.+)\.(for|mom|cop)([xyz])", re.IGNORECASE)
OTHERWISE = 0.05
"""part of the level moments by which they may miss those of the centre of pressure"""
MIN_LOAD = 50.0
"""N from which on they are compared"""
VALUE = Column("value", ColumnKind.NUMBER, "a number in SI")


def recognises(cells: CellSheet) -> bool:
    """Whether its first header is TimeStamp."""
    return fold(text_at(cells, 1, 1)).replace(" ", "") == FIRST


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read markers and force plates of one table."""
    heads = texts_of(cells, 1)
    rows = filled_rows(cells, 2, max(cells.rows), sorted(heads))
    time = field_of(TIME, Place(cells.name, 1, 1), "time", "s", report, Place(cells.name, 1, 1))
    at = next((column for column, text in heads.items() if fold(text).replace(" ", "") == "framenumber"), None)
    frame = None
    if at is not None:
        frame = field_of(FRAME, Place(cells.name, 1, at), "frame", "", report, Place(cells.name, 1, at))
    stamped = stamps(cells, rows, time, frame, report)
    if stamped is None:
        return Recorded()
    notes: list[str] = []
    tracks, others = _tracks(cells, heads)
    unit = field_of(POSITION["x"], Place(cells.name, 1, 1), "x", "m", report, Place(cells.name, 1, 1))
    markers = read_tracks(cells, rows, tracks, unit, stamped, report, notes) if tracks else None
    forces = _forces(cells, heads, rows, stamped, report, notes)
    known = {each.column + k for each in tracks for k in range(3)} | {1, at}
    others = [text for column, text in heads.items() if column not in known and not PLATES.fullmatch(text.strip())]
    if others:
        notes.append(f"columns that are no marker and no plate, and left out: {listed(others)}")
    return Recorded(markers, forces, notes=tuple(notes))


def _tracks(cells: CellSheet, heads: dict[int, str]) -> tuple[list[Track], list[str]]:
    """Markers whose x, y and z stand side by side, and headers of markers of which they do not."""
    found, others = [], []
    for column, text in heads.items():
        match = POSITIONS.fullmatch(text.strip())
        if match is None or match[2].casefold() != "x":
            continue
        wanted = [f"{match[1]}.pos{axis}".casefold() for axis in "yz"]
        if [heads.get(column + k, "").strip().casefold() for k in (1, 2)] == wanted:
            found.append(Track(match[1], Place(cells.name, 1, column), column))
        else:
            others.append(text)
    return found, others


def _forces(
    cells: CellSheet, heads: dict[int, str], rows: list[int], stamped: Stamps, report: ProblemList, notes: list[str]
) -> RecordedForces | None:
    columns: dict[str, dict[str, int]] = {}
    for column, text in heads.items():
        match = PLATES.fullmatch(text.strip())
        if match is not None:
            columns.setdefault(match[1], {})[f"{match[2].casefold()}{match[3].casefold()}"] = column
    plates = []
    for name, of in columns.items():
        if not all(f"for{axis}" in of for axis in "xyz"):
            notes.append(f"{name} has no ForX, ForY, ForZ, and is left out")
            continue
        force = _series(cells, rows, [of[f"for{axis}"] for axis in "xyz"], report)
        moment = _some(cells, rows, of, "mom", report)
        pressure = _some(cells, rows, of, "cop", report)
        plates.append(_plate(name, force, moment, pressure, Place(cells.name, 1, of["forx"]), notes))
    return RecordedForces(stamped, tuple(plates)) if plates else None


def _some(cells: CellSheet, rows: list[int], of: dict[str, int], word: str, report: ProblemList) -> Vector | None:
    there = all(f"{word}{axis}" in of for axis in "xyz")
    return _series(cells, rows, [of[f"{word}{axis}"] for axis in "xyz"], report) if there else None


def _series(cells: CellSheet, rows: list[int], columns: list[int], report: ProblemList) -> Vector:
    """Numbers (n, 3) of three columns."""
    places = [Place(cells.name, 1, at) for at in columns]
    fields = [field_of(VALUE, place, text_at(cells, 1, place.column), "", report, place) for place in places]
    return np.ascontiguousarray(numbers(cells, rows, fields, report).T)


def _plate(
    name: str, force: Vector, moment: Vector | None, pressure: Vector | None, header: Place, notes: list[str]
) -> RecordedPlate:
    force = np.nan_to_num(force)
    if moment is not None and pressure is not None:
        loaded = np.abs(force[:, 1]) > MIN_LOAD
        arm = np.cross(np.nan_to_num(pressure), force)[loaded][:, [0, 2]]
        told = np.nan_to_num(moment)[loaded][:, [0, 2]]
        off = float(np.linalg.norm(arm - told)) if loaded.any() else 0.0
        if off > OTHERWISE * max(float(np.linalg.norm(arm)), 1.0):
            notes.append(
                f"{name}: its moments are not about the origin of the laboratory: its centre of pressure counts"
            )
            return RecordedPlate(name, force, None, pressure, np.zeros(len(force)), header)
    if moment is not None:
        return RecordedPlate(name, force, np.nan_to_num(moment), None, None, header)
    return RecordedPlate(name, force, None, pressure, np.zeros(len(force)), header)
