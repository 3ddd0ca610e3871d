"""What a file or a sheet of a laboratory holds, as recorded: its own labels, axes and times, in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Integers, Vector
from sheetmbs.schema.problem_list import Place


@dataclass(frozen=True)
class Stamps:
    """When samples were taken, and where they stand.

    times: (n,) in s as they stand, NaN where there are none. printed: the last digit of a printed time in s, 0 unknown.
    frames: (n,) the file's own numbers, else counted from 1. rate: in Hz as a header tells it. rows: (n,) of the sheet.
    header: of the column of times or frames.
    """

    times: Vector
    printed: float
    frames: Integers
    rate: float | None
    rows: Integers
    header: Place

    def place(self, sample: int) -> Place:
        """The cell of a time."""
        return Place(self.header.sheet, int(self.rows[sample]), self.header.column)


@dataclass(frozen=True)
class RecordedMarkers:
    """Trajectories of markers in axes of the laboratory.

    labels: as they stand, without the subject. headers: the cell that names each. columns: (markers, 3) of the sheet, 0 where
    there is none. positions: (markers, n, 3) in m; NaN is missing, and a coordinate without a column is missing in every frame.
    unit: in which they stand. subjects: the one that each label names, ``""`` nobody.
    """

    stamps: Stamps
    labels: tuple[str, ...]
    headers: tuple[Place, ...]
    columns: Integers
    positions: Vector
    unit: str
    subjects: tuple[str, ...]

    def place(self, marker: int, sample: int) -> Place:
        """The cell of a marker's first coordinate in a frame."""
        there = self.columns[marker][self.columns[marker] > 0]
        return Place(self.headers[marker].sheet, int(self.stamps.rows[sample]), int(there[0]))


@dataclass(frozen=True)
class RecordedPlate:
    """The columns of one force plate, (n, 3) and (n,), in the axes that Plates says (own of the plate, or the laboratory's).

    force: in N; a direction without a column is 0. moment: in N m about the plate's origin, None where it has no such columns.
    pressure: centre of pressure in m, NaN where blank, and in every sample along a direction without a column; None without.
    free_moment: about the vertical in N m. header: the cell that names it. missing: columns of forces and moments (or the free
    moment) that were not there.
    """

    name: str
    force: Vector
    moment: Vector | None
    pressure: Vector | None
    free_moment: Vector | None
    header: Place
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedForces:
    """Force plates of one trial, sampled together."""

    stamps: Stamps
    plates: tuple[RecordedPlate, ...]


@dataclass(frozen=True)
class PlateGeometry:
    """Where a plate lies. corners: (4, 3) in m in axes of the laboratory, in the order of C3D (+x+y, -x+y, -x-y, +x-y).

    origin: (3,) from the centre of the corners to the transducer's origin, in axes of the plate.
    axes: in which its columns are given, its own or the markers'. sign: of the force on the foot, or on the plate.
    """

    name: str
    corners: Vector | None
    origin: Vector
    axes: Literal["own", "marker"]
    sign: Literal["reaction", "action"]


def plate_axes(corners: Vector) -> Vector:
    """Axes of a plate as columns (3, 3), by its corners (4, 3): +x+y, -x+y, -x-y, +x-y."""
    x = corners[0] + corners[3] - corners[1] - corners[2]
    y = corners[0] + corners[1] - corners[2] - corners[3]
    z = np.cross(x, y)
    y = np.cross(z, x)
    return np.stack([each / np.linalg.norm(each) for each in (x, y, z)], axis=1)


@dataclass(frozen=True)
class RecordedEvent:
    """A strike or off that a file tells. time: in s, 0 at frame 1. subject: whose; "" where it names nobody."""

    kind: Literal["heel strike", "toe off"]
    side: Literal["right", "left"]
    time: float
    subject: str = ""


@dataclass(frozen=True)
class Measure:
    """What a file tells of its subject.

    setting: of the sheets Subject or Anthropometry. side: right, left or "" of the body. value: in SI. label: the file's own
    name. subject: whose, where the file tells of several.
    """

    setting: str
    side: str
    value: float
    label: str
    subject: str = ""


@dataclass(frozen=True)
class RecordedColumn:
    """A column under its own name and in its own unit. values: (n,)."""

    header: str
    unit: str
    values: Vector


@dataclass(frozen=True)
class RecordedColumns:
    """Columns that are sampled together."""

    stamps: Stamps
    columns: tuple[RecordedColumn, ...]


@dataclass(frozen=True)
class Recorded:
    """All that one file or sheet holds. notes: what was found on the way, a sentence each.

    unplaced: plates of which only the sheet Plates can say where they lie and what their columns mean.
    subjects: that the file lists by itself, beside those that labels name. outputs: results of the model of its program.
    channels: analog ones of no plate. is_static: the file says that it is a standing trial.
    """

    markers: RecordedMarkers | None = None
    forces: RecordedForces | None = None
    geometry: tuple[PlateGeometry, ...] = ()
    notes: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    measures: tuple[Measure, ...] = ()
    outputs: RecordedColumns | None = None
    channels: RecordedColumns | None = None
    is_static: bool = False
