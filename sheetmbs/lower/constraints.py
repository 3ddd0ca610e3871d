"""Joints, drivers and guiding columns as constraint rows, in the order of the workbook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import Row
from sheetmbs.engine.arrays import ROW, Records
from sheetmbs.engine.codes import RowKind
from sheetmbs.lower.bodies import Frames, rotation
from sheetmbs.lower.motions import Motions
from sheetmbs.model import Driver, Joint, Model

Floats = NDArray[np.float64]
Record = Any  # one ROW record

AXES = {"x": 0, "y": 1, "z": 2}
ALONG = 1.0 - 1e-9
"""Cosine from which on an axis counts as the normal of the plane."""


@dataclass(frozen=True)
class Constraint:
    """A joint, driver or guiding column as rows first .. first + count of the model.

    frame_i, frame_j: frames of the two sides as reported. swapped: its rows count body i as their body j.
    coordinate: what it reports or drives (angle, displacement, distance, x, y, phi) or ``""``.
    gauge: row of the gauges that measures the joint's own coordinate, or -1.
    """

    name: str
    what: str
    cell: str
    first: int
    count: int
    frame_i: int
    frame_j: int
    swapped: bool
    coordinate: str
    gauge: int


@dataclass(frozen=True)
class LoweredConstraints:
    """All rows, who owns them, and the gauges: rows that measure joint coordinates and constrain nothing."""

    rows: Records
    constraints: tuple[Constraint, ...]
    owner: NDArray[np.int64]
    gauges: Records


class _Rows:
    """Builds ROW records from markers."""

    def __init__(self, model: Model, frames: Frames) -> None:
        self.frames = frames
        self.place = {body.name: (body.position, rotation(body)) for body in model.bodies}
        self.place[GROUND] = (np.zeros(3), np.eye(3))

    def point(self, marker: Marker) -> Floats:
        """Global position of a marker in the initial configuration."""
        position, turn = self.place[marker.body]
        return np.asarray(position + turn @ marker.origin)

    def angle(self, i: Marker, j: Marker) -> float:
        """Counted angle of body j against body i in the initial configuration."""
        angles = [np.arctan2(self.place[m.body][1][1, 0], self.place[m.body][1][0, 0]) for m in (i, j)]
        return float(angles[1] - angles[0])

    def row(self, recipe: Row, i: Marker, j: Marker, offset: float = 0.0, motion: int = 0) -> Record:
        """One record between two markers."""
        record = np.zeros((), dtype=ROW)
        a = i.axes[:, recipe.i] if recipe.kind in (RowKind.PERPENDICULAR, RowKind.IN_PLANE) else np.zeros(3)
        b = j.axes[:, recipe.j] if recipe.kind is RowKind.PERPENDICULAR else np.zeros(3)
        record["kind"] = int(recipe.kind)
        record["frame_i"], record["frame_j"] = self.frames.of(i), self.frames.of(j)
        record["body_i"], record["body_j"] = self.frames.names[i.body], self.frames.names[j.body]
        record["ax"], record["ay"], record["az"] = a
        record["bx"], record["by"], record["bz"] = b
        record["k"] = recipe.i if recipe.kind is RowKind.COINCIDENT else 0
        record["motion"], record["offset"] = motion, offset
        return record[()]


def lower_constraints(model: Model, frames: Frames, motions: Motions) -> LoweredConstraints:
    """Rows of joints, then of drivers and guiding columns. A driven distance joint hands its row to the driver."""
    build = _Rows(model, frames)
    counted = {body.name: float(body.angles[2]) for body in model.bodies} | {GROUND: 0.0}
    released = {driver.joint for driver in model.drivers if driver.coordinate == "distance"}
    joints = {joint.name: joint for joint in model.joints}
    rows: list[Record] = []
    gauges: list[Record] = []
    constraints: list[Constraint] = []
    for joint in model.joints:
        first = len(rows)
        if joint.name not in released:
            rows.extend(_joint_rows(joint, build, counted))
        gauge = -1
        if JOINTS[joint.type].coordinate:
            gauge = len(gauges)
            gauges.append(_gauge(joint, build, counted, motion=0))
        constraints.append(
            Constraint(
                name=joint.name,
                what="joint",
                cell=joint.cell,
                first=first,
                count=len(rows) - first,
                frame_i=frames.of(joint.i),
                frame_j=frames.of(joint.j),
                swapped=joint.type == "coordinate",
                coordinate=JOINTS[joint.type].coordinate,
                gauge=gauge,
            )
        )
    for driver in model.drivers:
        motion = motions.add(driver.motion)
        record = _driver_row(driver, joints, build, counted, motion)
        constraints.append(
            Constraint(
                name=driver.name,
                what="guiding" if driver.guiding else "driver",
                cell=driver.cell,
                first=len(rows),
                count=1,
                frame_i=int(record["frame_i"]),
                frame_j=int(record["frame_j"]),
                swapped=False,
                coordinate=driver.coordinate,
                gauge=-1,
            )
        )
        rows.append(record)
    owner = [number for number, constraint in enumerate(constraints) for _ in range(constraint.count)]
    return LoweredConstraints(
        rows=_records(rows),
        constraints=tuple(constraints),
        owner=np.array(owner, dtype=np.int64),
        gauges=_records(gauges),
    )


def _records(rows: list[Record]) -> Records:
    records = np.zeros(len(rows), dtype=ROW)
    for number, row in enumerate(rows):
        records[number] = row
    return records.view(np.recarray)


def _joint_rows(joint: Joint, build: _Rows, counted: dict[str, float]) -> list[Record]:
    if joint.type == "coordinate":
        return [_coordinate_row(joint.i.body, joint.coordinate, build, counted, joint.values.get("value"), 0)]
    found = []
    for recipe in JOINTS[joint.type].rows:
        if vanishes_in_plane(recipe, joint.i, joint.j):
            continue
        offset = 0.0
        if recipe.value:
            initial = float(np.linalg.norm(build.point(joint.j) - build.point(joint.i)))
            offset = joint.values.get(recipe.value, initial)
        found.append(build.row(recipe, joint.i, joint.j, offset))
    return found


def vanishes_in_plane(recipe: Row, i: Marker, j: Marker) -> bool:
    """Whether a row between frames of planar bodies is identically zero, so that the plane has taken care of it."""
    if recipe.kind is RowKind.COINCIDENT:
        return recipe.i == AXES["z"]
    if recipe.kind is RowKind.IN_PLANE:
        return bool(abs(i.axes[2, recipe.i]) > ALONG)
    if recipe.kind is RowKind.PERPENDICULAR:
        return bool((abs(i.axes[2, recipe.i]) > ALONG) != (abs(j.axes[2, recipe.j]) > ALONG))
    return False


def _coordinate_row(
    body: str, coordinate: str, build: _Rows, counted: dict[str, float], value: float | None, motion: int
) -> Record:
    """x, y or phi of a body against ground; ``value`` None holds the initial one, motion 0 adds nothing to it."""
    ground, moving = Marker(GROUND), Marker(body)
    if coordinate == "phi":
        return build.row(Row(RowKind.ANGLE), ground, moving, counted[body] if value is None else value, motion)
    axis = AXES[coordinate]
    initial = float(build.place[body][0][axis])
    return build.row(Row(RowKind.COINCIDENT, i=axis), ground, moving, initial if value is None else value, motion)


def _gauge(joint: Joint, build: _Rows, counted: dict[str, float], motion: int) -> Record:
    """The row that measures, or drives, a joint's own coordinate: 0 in the initial configuration but for a distance."""
    coordinate = JOINTS[joint.type].coordinate
    if coordinate == "angle":
        offset = counted[joint.j.body] - counted[joint.i.body]
        return build.row(Row(RowKind.ANGLE), joint.i, joint.j, offset, motion)
    if coordinate == "displacement":
        axis = build.place[joint.i.body][1] @ joint.i.axes[:, 2]
        offset = float(axis @ (build.point(joint.j) - build.point(joint.i)))
        return build.row(Row(RowKind.IN_PLANE, i=2), joint.i, joint.j, offset, motion)
    return build.row(Row(RowKind.DISTANCE), joint.i, joint.j, 0.0, motion)


def _driver_row(
    driver: Driver, joints: dict[str, Joint], build: _Rows, counted: dict[str, float], motion: int
) -> Record:
    if driver.joint is not None:
        return _gauge(joints[driver.joint], build, counted, motion)
    if driver.body is None:
        raise ValueError(f"driver {driver.name} moves neither a body nor a joint")
    return _coordinate_row(driver.body, driver.coordinate, build, counted, 0.0, motion)
