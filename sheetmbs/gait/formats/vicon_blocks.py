"""Vicon's CSV: blocks, each with its name, rate, names over columns, ``Frame Sub Frame ..``, units, and data to a blank row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from sheetmbs.gait.formats.event_words import event_of
from sheetmbs.gait.formats.sampled_cells import (
    FIRST_COORDINATE,
    FRAME,
    POSITION,
    LabelRows,
    PlateColumns,
    field_of,
    filled_rows,
    labelled_tracks,
    listed,
    number_in,
    numbers,
    plain_label,
    read_plates,
    read_tracks,
    refuse_layout,
    stamps,
    text_at,
    texts_of,
)
from sheetmbs.gait.trial.recorded import (
    Recorded,
    RecordedEvent,
    RecordedForces,
    RecordedMarkers,
    RecordedPlate,
    Stamps,
)
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cells import CellSheet

TRAJECTORIES, DEVICES, EVENTS = "trajectories", "devices", "events"
BLOCKS = (TRAJECTORIES, DEVICES, EVENTS, "model outputs", "joints")
CHANNEL = re.compile(r"(?:.*\.)?([fmc])([xyz])(\d*)", re.IGNORECASE)
QUANTITIES = {"f": "f", "m": "m", "c": "p"}
HEAD = 4
"""rows from a block's name to its units"""
EVENTS_HEAD = 2
"""rows from the name of the block of events to its headers"""
EVENT_COLUMNS = ("context", "name", "time")
OF_DEVICE = re.compile(r"\s+-\s+[^-]*")
"""what a device's name ends in: ``- Force``, ``- Moment``, ``- CoP``"""


@dataclass(frozen=True)
class Block:
    """Rows of a sheet. title: its row. last: its last row that holds anything."""

    kind: str
    title: int
    last: int

    @property
    def names(self) -> int:
        """The row of names over columns."""
        return self.title + 2

    @property
    def columns(self) -> int:
        """The row Frame, Sub Frame, X .."""
        return self.title + 3

    @property
    def units(self) -> int:
        """The row of units."""
        return self.title + HEAD


def recognises(cells: CellSheet) -> bool:
    """Whether it begins with the name of a block."""
    return fold(text_at(cells, 1, 1)) in BLOCKS


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """Markers of its Trajectories, and force plates of its Devices."""
    notes: list[str] = []
    markers, forces, marker_rate = None, None, None
    blocks = _blocks(cells)
    if _report_gap(cells, blocks, report):
        return Recorded()
    events: tuple[RecordedEvent, ...] = ()
    for block in blocks:
        if block.kind == EVENTS:
            events += _events(cells, block, notes)
            continue
        if not fold(text_at(cells, block.columns, 1)).startswith("frame"):
            rule = f"the fourth row of {text_at(cells, block.title, 1)} begins with Frame, Sub Frame"
            found = text_at(cells, block.columns, 1) or "a blank cell"
            return refuse_layout(Place(cells.name, block.columns, 1), found, rule, report)
        rate = number_in(text_at(cells, block.title + 1, 1))
        if block.kind == TRAJECTORIES and markers is None:
            marker_rate = rate
            markers = _markers(cells, block, rate, report, notes)
        elif block.kind == DEVICES and forces is None:
            forces = block, rate
        else:
            notes.append(f"not read: the block {text_at(cells, block.title, 1)} in row {block.title}")
    measured = _forces(cells, *forces, marker_rate, report, notes) if forces else None
    unplaced = tuple(plate.name for plate in measured.plates) if measured else ()
    return Recorded(markers, measured, notes=tuple(notes), unplaced=unplaced, events=events)


def _events(cells: CellSheet, block: Block, notes: list[str]) -> tuple[RecordedEvent, ...]:
    """Strikes and offs, in s from the camera's frame 1; others are named."""
    heads = {fold(text).split(" ")[0]: column for column, text in texts_of(cells, block.names).items()}
    if not all(name in heads for name in EVENT_COLUMNS):
        notes.append(f"not read: the block {text_at(cells, block.title, 1)} in row {block.title}")
        return ()
    found, others = [], []
    for row in range(block.names + 1, block.last + 1):
        context, label, time = (text_at(cells, row, heads[name]) for name in EVENT_COLUMNS)
        known, seconds = event_of(label, context), number_in(time)
        if known is None or seconds is None:
            others.extend([f"{label} in row {row}"] if label else [])
            continue
        subject = text_at(cells, row, heads["subject"]) if "subject" in heads else ""
        found.append(RecordedEvent(*known, seconds, subject))
    if others:
        notes.append(f"events that are no strike or off of one foot, and left out: {listed(others)}")
    return tuple(found)


def _report_gap(cells: CellSheet, blocks: Sequence[Block], report: ProblemList) -> bool:
    """Report rows below the blank row that ends a block: nobody reads them."""
    ends = [*(block.title for block in blocks[1:]), max(cells.rows) + 1]
    used = list(cells.rows)
    for block, end in zip(blocks, ends, strict=True):
        row = next((row for row in used if block.last < row < end), 0)
        if row:
            place, found = Place(cells.name, row, 1), f"rows below the blank row {block.last + 1}"
            rule, mend = "a blank row ends a block of this export", "take the blank row away"
            report.error("blank-row", place, found, rule, mend)
            return True
    return False


def _blocks(cells: CellSheet) -> list[Block]:
    """All blocks: each from its name to the row before a blank one, or before the next block."""
    titles = [
        row for row, content in cells.rows.others.items() if 1 in content and fold(text_at(cells, row, 1)) in BLOCKS
    ]
    used = list(cells.rows)
    found = []
    for title, following in zip(titles, [*titles[1:], max(used) + 1], strict=True):
        inside = [row for row in used if title < row < following]
        kind = fold(text_at(cells, title, 1))
        below = [row for row in inside if row > title + (EVENTS_HEAD if kind == EVENTS else HEAD)]
        gap = next((row for row, after in pairwise(below) if after > row + 1), None)
        found.append(Block(kind, title, gap or max(below, default=title)))
    return found


def _rows(cells: CellSheet, block: Block, columns: Sequence[int]) -> list[int]:
    return filled_rows(cells, block.units + 1, block.last, columns)


def _stamps(cells: CellSheet, block: Block, rows: list[int], rate: float | None, report: ProblemList) -> Stamps | None:
    place = Place(cells.name, block.columns, 1)
    return stamps(cells, rows, None, field_of(FRAME, place, "frame", "", report, place), report, rate)


def _markers(
    cells: CellSheet, block: Block, rate: float | None, report: ProblemList, notes: list[str]
) -> RecordedMarkers | None:
    labels = {
        column: text for column, text in sorted(texts_of(cells, block.names).items()) if column >= FIRST_COORDINATE
    }
    rows_of = LabelRows(block.names, block.columns, range(block.units + 1, block.last + 1))
    tracks = labelled_tracks(cells, labels, rows_of, report, notes)
    if not tracks:
        return None
    place = Place(cells.name, block.units, tracks[0].column)
    unit_text = text_at(cells, block.units, tracks[0].column)
    if not unit_text:
        refuse_layout(place, "no unit", "a unit of all coordinates, such as mm, stands below each X", report)
        return None
    unit = field_of(POSITION["x"], place, "X", unit_text, report, place)
    rows = _rows(cells, block, [1, *(each.column + at for each in tracks for at in range(3))])
    stamped = _stamps(cells, block, rows, rate, report)
    return None if stamped is None or not unit.sound else read_tracks(cells, rows, tracks, unit, stamped, report, notes)


def _forces(
    cells: CellSheet,
    block: Block,
    rate: float | None,
    marker_rate: float | None,
    report: ProblemList,
    notes: list[str],
) -> RecordedForces | None:
    """Force plates among devices. Frames of devices go on counting through sub frames, with frame 1 at the first."""
    plates = _plates(cells, block, report, notes)
    if not plates:
        return None
    rows = _rows(cells, block, [1, *(column for plate in plates for column in plate.columns)])
    stamped = _stamps(cells, block, rows, rate, report)
    if stamped is None:
        return None
    place = Place(cells.name, block.columns, 2)
    sub = np.nan_to_num(numbers(cells, rows, [field_of(FRAME, place, "sub frame", "", report, place)], report)[0])
    per_frame = int(sub.max()) + 1
    if rate and marker_rate:
        per_frame = max(per_frame, round(rate / marker_rate))
    frames = (stamped.frames - 1) * per_frame + sub.astype(np.int64) + 1
    found = tuple(_by_moment(plate) for plate in read_plates(cells, rows, plates, report))
    return RecordedForces(replace(stamped, frames=frames), found)


def _plates(cells: CellSheet, block: Block, report: ProblemList, notes: list[str]) -> list[PlateColumns]:
    names, device = texts_of(cells, block.names), ""
    plates: dict[str, PlateColumns] = {}
    others: list[str] = []
    for column, text in texts_of(cells, block.columns).items():
        device = names.get(column, device)
        match = CHANNEL.fullmatch(text)
        if column <= 2:
            continue
        if match is None:
            others.append(f"{device} {text}".strip())
            continue
        name = plain_label(OF_DEVICE.sub("", device)) or "FP"
        name = f"{name}{match[3]}" if match[3] and not name.endswith(match[3]) else name
        quantity = QUANTITIES[match[1].casefold()] + match[2].casefold()
        plate = plates.setdefault(name, PlateColumns(name, {}))
        unit = text_at(cells, block.units, column)
        if not unit:
            refuse_layout(Place(cells.name, block.units, column), "no unit", f"a unit stands below {text}", report)
        plate.add(quantity, Place(cells.name, block.columns, column), text, unit, report)
    if others:
        notes.append(f"devices that are no force plates are left out: {listed(others)}")
    return list(plates.values())


def _by_moment(plate: RecordedPlate) -> RecordedPlate:
    """A plate without its centre of pressure where it has moments, which tell more."""
    return plate if plate.moment is None else replace(plate, pressure=None)
