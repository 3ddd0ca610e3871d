"""OpenSim's .mot and .sto: lines to ``endheader``, a row of names, and data in SI; forces as ``ground_force_vx`` and so on."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.sampled_cells import (
    POSITION,
    TIME,
    PlateColumns,
    Track,
    are_headed,
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
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces, RecordedPlate, Stamps
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

MOST_HEADERS = 60
BEGINNINGS = ("nrows=", "version=", "name")
WRENCH_COLUMN = re.compile(r"(.*?)_?([vp])([xyz])", re.IGNORECASE)
TORQUE_COLUMN = re.compile(r"(.*(?:torque|moment).*?)_?m?([xyz])", re.IGNORECASE)
POINT_COLUMN = re.compile(r"(.+)[_.]([xyz])", re.IGNORECASE)
NOT_OF_NAME = ("ground", "force", "forces", "torque", "moment", "grf", "")
FEET = {"r": "right", "right": "right", "l": "left", "left": "left"}
UP = "y"
"""of OpenSim's axes"""
MAX_PRESSURE_DISTANCE, MIN_PRESSURE_FORCE = 30.0, 20.0
"""m from the origin, N: a centre of pressure beyond that under less force is none"""
SMALL = 0.5
"""N m about a horizontal axis through the centre of pressure, which no shoe can give"""


def _names_row(cells: CellSheet) -> int:
    """The row of names, below ``endheader``; 0 where there is none."""
    for row in range(1, MOST_HEADERS):
        if fold(text_at(cells, row, 1)) == "endheader":
            return next((below for below in range(row + 1, row + 4) if text_at(cells, below, 1)), 0)
    return 0


def recognises(cells: CellSheet) -> bool:
    """Whether it begins as a storage does: with one of its keys, or with any name, and ``endheader`` below."""
    first = text_at(cells, 1, 1).casefold().replace(" ", "")
    return first.startswith(BEGINNINGS) or (bool(first) and _names_row(cells) > 0)


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read force plates, and markers where a label has three columns ``<label>_x _y _z``."""
    names = _names_row(cells)
    if not names:
        rule = "a line endheader and a row of names stand above the data"
        return refuse_layout(Place(cells.name, 1, 1), "no endheader", rule, report)
    texts = texts_of(cells, names)
    if fold(texts.get(1, "")) != "time":
        return refuse_layout(Place(cells.name, names, 1), texts.get(1, ""), "the first column is time", report)
    plates = _plates(cells, names, texts, report)
    tracks = [] if plates else _tracks(cells, names, texts)
    if not plates and not tracks:
        rule = "forces are headed <name>_vx and _px, markers <label>_x, _y and _z; it has neither"
        return refuse_layout(Place(cells.name, names, 1), "coordinates or other columns", rule, report)
    place = Place(cells.name, names, 1)
    rows = filled_rows(cells, names + 1, max(cells.rows, default=0), list(texts))
    if not are_headed(cells, names, rows, report):
        return Recorded()
    stamped = stamps(cells, rows, field_of(TIME, place, "time", "", report, place), None, report)
    if stamped is None:
        return Recorded()
    notes: list[str] = []
    used = {1, *(column for plate in plates for column in plate.columns)}
    used |= {each.column + at for each in tracks for at in range(3)}
    others = [text for column, text in texts.items() if column not in used]
    if others:
        notes.append(f"columns that are of no {'plate' if plates else 'marker'} are left out: {listed(others)}")
    if plates:
        found = tuple(_cleaned(plate, notes) for plate in read_plates(cells, rows, plates, report))
        return Recorded(forces=RecordedForces(stamped, found), notes=tuple(notes))
    return _markers(cells, rows, tracks, stamped, report, notes)


def _markers(
    cells: CellSheet, rows: list[int], tracks: list[Track], stamped: Stamps, report: ProblemList, notes: list[str]
) -> Recorded:
    unit = field_of(POSITION["x"], tracks[0].place, "x", "m", report, tracks[0].place)
    return Recorded(read_tracks(cells, rows, tracks, unit, stamped, report, notes), notes=tuple(notes))


def _tracks(cells: CellSheet, names: int, texts: dict[int, str]) -> list[Track]:
    """Three columns in a row that are x, y and z of one label."""
    found = []
    for column, text in texts.items():
        parts = [POINT_COLUMN.fullmatch(texts.get(column + at, "")) for at in range(3)]
        labels = {match[1] for match in parts if match}
        if len(labels) == 1 and "".join(match[2] for match in parts if match).casefold() == "xyz":
            label = text[:-2]
            found.append(Track(label, Place(cells.name, names, column), column))
    return found


def _plates(cells: CellSheet, names: int, texts: dict[int, str], report: ProblemList) -> list[PlateColumns]:
    columns: dict[tuple[str, ...], PlateColumns] = {}
    for column, text in texts.items():
        wrench, torque = WRENCH_COLUMN.fullmatch(text), TORQUE_COLUMN.fullmatch(text)
        if wrench:
            is_force = wrench[2].casefold() == "v"
            quantity, unit = (f"f{wrench[3]}", "N") if is_force else (f"p{wrench[3]}", "m")
        elif torque:
            quantity, unit = f"m{torque[2]}", "N*m"
        else:
            continue
        key = _key(wrench[1] if wrench else torque[1] if torque else "")
        plate = columns.setdefault(key, PlateColumns("", {}))
        plate.add(quantity.casefold(), Place(cells.name, names, column), text, unit, report)
    return [
        replace(plate, name=name) for name, plate in zip(_plate_names(list(columns)), columns.values(), strict=True)
    ]


def _key(text: str) -> tuple[str, ...]:
    """What tells one force from the others: ``1`` of ``1_ground_force``, ``calcn r`` of ``ground_force_calcn_r``."""
    words = re.findall(r"[^\W\d_]+|\d+", text.casefold())
    return tuple(word for word in words if word not in NOT_OF_NAME)


def _plate_names(keys: list[tuple[str, ...]]) -> list[str]:
    """A foot where the file names one, a number where it numbers all, else one after the other."""
    feet = [FEET.get(key[-1], "") if key else "" for key in keys]
    if all(feet) and len(set(feet)) == len(feet):
        return feet
    if all(len(key) == 1 and key[0].isdigit() for key in keys):
        return [f"FP{key[0]}" for key in keys]
    return [f"FP{number}" for number in range(1, len(keys) + 1)]


def _cleaned(plate: RecordedPlate, notes: list[str]) -> RecordedPlate:
    """A plate with the free moment about the vertical in place of torques about the centre of pressure."""
    pressure, torque = plate.pressure, plate.moment
    if pressure is not None:
        is_none = (np.abs(pressure).max(axis=1) > MAX_PRESSURE_DISTANCE) & (
            np.linalg.norm(plate.force, axis=1) < MIN_PRESSURE_FORCE
        )
        pressure = np.where(is_none[:, None], np.nan, pressure)
    if pressure is None or torque is None:
        return replace(plate, pressure=pressure)
    vertical = _vertical(torque)
    others = np.abs(np.delete(torque, vertical, axis=1)).max(initial=0.0)
    if others > SMALL:
        notes.append(
            f"{plate.name}: torques of up to {others:.3g} N m about horizontal axes through the centre of pressure are left out"
        )
    return replace(plate, pressure=pressure, moment=None, free_moment=torque[:, vertical])


def _vertical(torque: Vector) -> int:
    """The axis about which torques are: OpenSim's vertical, but where only another one has any."""
    sizes = np.abs(torque).max(axis=0, initial=0.0)
    up = "xyz".index(UP)
    return up if sizes[up] > 0.0 else int(np.argmax(sizes)) if sizes.max() > 0.0 else up
