"""Qualisys TSV: rows of keys with their values to ``MARKER_NAMES`` or the corners of a plate, then data in mm, N and N m.

A file of forces says in words whether it is in axes of the plate or of the laboratory. About which point and in which unit
moments are, versions differ: whichever makes moments and centre of pressure agree is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.event_words import event_of
from sheetmbs.gait.formats.sampled_cells import (
    FRAME,
    POSITION,
    TIME,
    PlateColumns,
    Track,
    field_of,
    filled_rows,
    is_missing,
    listed,
    number_in,
    plain_label,
    read_plates,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import (
    PlateGeometry,
    Recorded,
    RecordedEvent,
    RecordedForces,
    RecordedPlate,
    Stamps,
    plate_axes,
)
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import Field

MOST_KEYS = 200
FRAMES, SAMPLES = "no of frames", "no of samples"
BEGINNINGS = (FRAMES, SAMPLES, "file version")
COUNTERS = ("frame", "sample", "time")
"""headers of the first columns, where there are any"""
WRENCH_COLUMNS = ("fx", "fy", "fz", "mx", "my", "mz", "px", "py", "pz")
UNITS = {"f": "N", "m": "N*m", "p": "mm"}
NAMES = {
    f"{word} {axis}": f"{short}{axis}"
    for word, short in (("force", "f"), ("moment", "m"), ("cop", "p"))
    for axis in "xyz"
}
LOCAL_WORDS, WORLD_WORDS = ("local", "plate coord", "force plate"), ("world", "lab", "global")
MIN_LOAD_SHARE = 0.1
"""of the largest force, from which on a sample counts"""
MAX_MOMENT_ERROR = 0.05
"""part of the moments by which they may miss those of the centre of pressure"""
N_MM = 1e-3
TINY = 1e-12


@dataclass(frozen=True)
class KeyedBlock:
    """Rows of keys and data below each other. keys: rows by folded key. data: first row of data. last: their last."""

    keys: dict[str, int]
    data: int
    last: int

    @property
    def headers(self) -> int:
        """The row above the data."""
        return self.data - 1


def recognises(cells: CellSheet) -> bool:
    """Whether it begins with one of the first keys."""
    return fold(text_at(cells, 1, 1)) in BEGINNINGS


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Read markers, or force plates, of which several may stand below each other."""
    first = _block(cells, 1, max(cells.rows))
    if SAMPLES not in first.keys:
        return _markers(cells, first, report)
    starts = [row for row in cells.rows.others if fold(text_at(cells, row, 1)) == SAMPLES]
    starts[0] = 1
    ends = [row - 1 for row in starts[1:]]
    return _forces(cells, [_block(cells, *each) for each in zip(starts, [*ends, max(cells.rows)], strict=True)], report)


def _block(cells: CellSheet, start: int, end: int) -> KeyedBlock:
    keys: dict[str, int] = {}
    last = start
    for row in range(start, min(start + MOST_KEYS, end + 1)):
        cell = cells.rows.cell(row, 1)
        if cell is not None and cell.kind is CellKind.TEXT and not is_missing(cell):
            keys.setdefault(fold(str(cell.value)), row)
            last = row
    return KeyedBlock(keys, last + 1, end)


def _value(cells: CellSheet, block: KeyedBlock, key: str) -> str:
    return text_at(cells, block.keys[key], 2) if key in block.keys else ""


def _counters(cells: CellSheet, block: KeyedBlock, count: int, columns: int) -> tuple[dict[str, int], int]:
    """Columns of frame and time, and how many columns they take before the data.

    count: of columns of data that there must be. columns: that there are.
    """
    headers = {fold(text): column for column, text in texts_of(cells, block.headers).items()}
    named = {name: headers[name] for name in COUNTERS if name in headers}
    if named and block.headers not in (block.keys.get("marker names"), block.keys.get("trajectory types")):
        return {("frame" if name == "sample" else name): at for name, at in named.items()}, len(named)
    ahead = max(columns - count, 0)
    return ({"frame": 1, "time": 2} if ahead >= 2 else {"frame": 1} if ahead else {}), min(ahead, 2)


def _stamped(
    cells: CellSheet, block: KeyedBlock, rows: list[int], at: dict[str, int], report: ProblemList
) -> Stamps | None:
    fields: dict[str, Field] = {}
    for column in (TIME, FRAME):
        if column.name in at:
            place = Place(cells.name, max(block.headers, 1), at[column.name])
            fields[column.name] = field_of(column, place, column.name, "", report, place)
    rate = number_in(_value(cells, block, "frequency"))
    return stamps(cells, rows, fields.get("time"), fields.get("frame"), report, rate)


def _markers(cells: CellSheet, block: KeyedBlock, report: ProblemList) -> Recorded:
    row = block.keys.get("marker names")
    if row is None:
        found = f"no MARKER_NAMES, but {text_at(cells, block.headers, 1)}"
        return refuse_layout(
            Place(cells.name, 1, 1), found, "markers are exported as 3D trajectories, with a header", report
        )
    labels = {column: text for column, text in texts_of(cells, row).items() if column > 1}
    everything = range(1, 3 * len(labels) + 4)
    rows = filled_rows(cells, block.data, block.last, everything)
    used = cells.rows.numbers
    columns = int(used.columns[used.rows >= block.data].max(initial=0))
    at, ahead = _counters(cells, block, 3 * len(labels), columns)
    stamped = _stamped(cells, block, rows, at, report)
    if stamped is None:
        return Recorded()
    tracks = [
        Track(label, Place(cells.name, row, column), ahead + 3 * number + 1)
        for number, (column, label) in enumerate(sorted(labels.items()))
    ]
    if columns > ahead + 3 * len(tracks):
        found = f"{len(tracks)} labels over {columns - ahead} columns"
        return refuse_layout(Place(cells.name, row, 1), found, "each marker has three columns", report)
    notes: list[str] = []
    unit = field_of(POSITION["x"], tracks[0].place, "x", "mm", report, tracks[0].place)
    markers = read_tracks(cells, rows, tracks, unit, stamped, report, notes)
    events = _events(cells, block, notes)
    return Recorded(markers, notes=tuple(notes), events=events)


def _events(cells: CellSheet, block: KeyedBlock, notes: list[str]) -> tuple[RecordedEvent, ...]:
    """Strikes and offs of the rows EVENT: a label, the frame and the time in s. Frame 1 is at 0 s."""
    rate = number_in(_value(cells, block, "frequency"))
    found, others = [], []
    for row in range(1, block.data):
        if fold(text_at(cells, row, 1)) != "event":
            continue
        label = text_at(cells, row, 2)
        frame, time = number_in(text_at(cells, row, 3)), number_in(text_at(cells, row, 4))
        at = (frame - 1.0) / rate if frame is not None and rate else time
        known = event_of(label)
        if known is None or at is None:
            others.append(f"{label} in row {row}")
        else:
            found.append(RecordedEvent(*known, at))
    if others:
        notes.append(f"events that are no strike or off of one foot, and left out: {listed(others)}")
    return tuple(found)


def _forces(cells: CellSheet, blocks: list[KeyedBlock], report: ProblemList) -> Recorded:
    plates: list[RecordedPlate] = []
    geometry: list[PlateGeometry] = []
    unplaced: list[str] = []
    notes: list[str] = []
    stamped: Stamps | None = None
    for number, block in enumerate(blocks, start=1):
        found = _plate(cells, block, number, report)
        if found is None:
            return Recorded()
        stamps_here, plate = found
        if stamped is not None and len(stamps_here.frames) != len(stamped.frames):
            place = Place(cells.name, min(block.keys.values()), 1)
            rule = f"the plate above it has {len(stamped.frames)}, and all are sampled together"
            return refuse_layout(place, f"{len(stamps_here.frames)} samples", rule, report)
        stamped = stamped or stamps_here
        lies = mounted(plate, _mount(cells, block), notes)
        plates.append(lies.plate)
        if lies.geometry is None:
            unplaced.append(plate.name)
        else:
            geometry.append(lies.geometry)
    if stamped is None:
        return Recorded()
    return Recorded(
        forces=RecordedForces(stamped, tuple(plates)),
        geometry=tuple(geometry),
        notes=tuple(notes),
        unplaced=tuple(unplaced),
    )


def _plate(
    cells: CellSheet, block: KeyedBlock, number: int, report: ProblemList
) -> tuple[Stamps, RecordedPlate] | None:
    rows = filled_rows(cells, block.data, block.last, range(1, len(WRENCH_COLUMNS) + 3))
    headers = {fold(text): column for column, text in texts_of(cells, block.headers).items()}
    named = {NAMES[name]: column for name, column in headers.items() if name in NAMES}
    if not rows:
        refuse_layout(
            Place(cells.name, block.headers, 1), "no rows of samples", "rows of forces follow the keys", report
        )
        return None
    columns = max(cells.rows[rows[0]])
    at, ahead = _counters(cells, block, len(WRENCH_COLUMNS), columns)
    if not named and columns - ahead != len(WRENCH_COLUMNS):
        found = f"{columns} columns"
        rule = "forces have 9 columns, with or without sample and time before them"
        refuse_layout(Place(cells.name, rows[0], 1), found, rule, report)
        return None
    where = named or {quantity: ahead + at + 1 for at, quantity in enumerate(WRENCH_COLUMNS)}
    stamped = _stamped(cells, block, rows, at, report)
    if stamped is None:
        return None
    plate = PlateColumns(plain_label(_value(cells, block, "force plate name")) or f"FP{number}", {})
    for quantity, column in where.items():
        plate.add(quantity, Place(cells.name, block.headers, column), quantity, UNITS[quantity[0]], report)
    return stamped, read_plates(cells, rows, [plate], report)[0]


def _mount(cells: CellSheet, block: KeyedBlock) -> Mount:
    corners = [
        [number_in(_value(cells, block, f"force plate corner {corner} {axis}")) for axis in "xyz"]
        for corner in ("posx posy", "negx posy", "negx negy", "posx negy")
    ]
    offset = [number_in(_value(cells, block, f"force plate offset {axis}")) or 0.0 for axis in "xyz"]
    is_known = all(value is not None for corner in corners for value in corner)
    told = " ".join(text for _column, text in sorted(texts_of(cells, block.keys.get("description", 0)).items()))
    return Mount(
        tuple(tuple(1e-3 * (value or 0.0) for value in corner) for corner in corners) if is_known else None,
        (1e-3 * offset[0], 1e-3 * offset[1], 1e-3 * offset[2]),
        told.casefold(),
    )


@dataclass(frozen=True)
class Mount:
    """How a plate stands. corners: four points in m in the laboratory, or None. offset: of its origin. told: DESCRIPTION."""

    corners: tuple[tuple[float, ...], ...] | None
    offset: tuple[float, float, float]
    told: str


@dataclass(frozen=True)
class MountedPlate:
    """A plate with its moments about the origin that its geometry tells; no geometry where the file tells none."""

    plate: RecordedPlate
    geometry: PlateGeometry | None


def mounted(plate: RecordedPlate, mount: Mount, notes: list[str]) -> MountedPlate:
    """A plate as read, its moments as if in N m, with what the file tells of it."""
    if mount.corners is None:
        return MountedPlate(replace(plate, pressure=None) if plate.moment is not None else plate, None)
    corners = np.array(mount.corners)
    is_world = any(word in mount.told for word in WORLD_WORDS) and not any(word in mount.told for word in LOCAL_WORDS)
    turn, centre = plate_axes(corners), corners.mean(axis=0)
    origins = (np.zeros(3), centre) if is_world else (np.zeros(3), np.array(mount.offset), -np.array(mount.offset))
    normal = turn[:, 2] if is_world else np.array([0.0, 0.0, 1.0])
    origin, size = _moment_origin(plate, origins, normal, notes)
    force = plate.force if is_world else plate.force @ turn.T
    sign: Literal["action", "reaction"] = (
        "action" if force[:, int(np.argmax(np.abs(turn[:, 2])))].sum() < 0.0 else "reaction"
    )
    moment = None if plate.moment is None else size * plate.moment
    if is_world and moment is not None:
        moment = moment - np.cross(centre - origin, plate.force)
    lies = PlateGeometry(
        plate.name, corners, np.zeros(3) if is_world else origin, "marker" if is_world else "own", sign
    )
    if not mount.told:
        notes.append(f"{plate.name}: the file does not say whose axes its columns have; those of the plate are taken")
    return MountedPlate(replace(plate, moment=moment, pressure=plate.pressure if moment is None else None), lies)


def _moment_origin(
    plate: RecordedPlate, origins: tuple[Vector, ...], normal: Vector, notes: list[str]
) -> tuple[Vector, float]:
    """About which point moments are, and how many N m their unit is: as the centre of pressure tells."""
    size = np.linalg.norm(plate.force, axis=1)
    loaded = size > MIN_LOAD_SHARE * float(size.max(initial=0.0))
    if plate.moment is None or plate.pressure is None or not loaded.any():
        return origins[0], 1.0
    force, moment = plate.force[loaded], plate.moment[loaded]
    found = []
    for origin in origins:
        told = np.cross(np.nan_to_num(plate.pressure[loaded]) - origin, force)
        for unit in (1.0, N_MM):
            miss = unit * moment - told
            miss -= np.outer(miss @ normal, normal)
            found.append((float(np.linalg.norm(miss)) / max(float(np.linalg.norm(told)), TINY), origin, unit))
    best = min(found, key=lambda each: each[0])
    if best[0] > MAX_MOMENT_ERROR:
        notes.append(
            f"{plate.name}: moments and centre of pressure disagree by {100 * best[0]:.0f} %; moments are taken as they are"
        )
    return best[1], best[2]
