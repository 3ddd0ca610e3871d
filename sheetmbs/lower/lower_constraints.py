"""Joints, drivers and guiding columns as constraint rows, in the order of the workbook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import RecipeRow
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.record_arrays import of_packed, packing
from sheetmbs.engine.records import ROW, Records
from sheetmbs.lower.lower_bodies import FrameKey, Frames, LoweredBodies
from sheetmbs.lower.lower_motions import Motions
from sheetmbs.lower.lower_turns import TurnKey, Turns
from sheetmbs.lower.remembered import Remembered
from sheetmbs.model import Body, Driver, Joint, Model

Floats = NDArray[np.float64]
Driven = tuple[str | None, str]
"""joint and coordinate of a driver"""
Record = dict[str, Any]  # one ROW record by its fields: numpy sets them ten times as slowly one by one

BLANK: Record = dict.fromkeys(ROW.names or (), 0)
NO_AXIS = [0.0, 0.0, 0.0]
PACK = packing(ROW)
UNREPORTED = -1
AXES = {"x": 0, "y": 1, "z": 2}
TURNS = {"rx": 0, "ry": 1, "rz": 2}
WITH_GLOBAL_AXIS = (RowKind.COINCIDENT, RowKind.ORIENTATION)
WITH_AXIS_I = (RowKind.PERPENDICULAR, RowKind.IN_PLANE, RowKind.WHEEL)
WITH_AXIS_J = (RowKind.PERPENDICULAR, RowKind.WHEEL)
ALONG = 1.0 - 1e-9
"""Cosine from which on an axis counts as the normal of the plane."""


@dataclass(frozen=True)
class Constraint:
    """A joint, driver or guiding column as rows first .. first + count of the model.

    frame_i, frame_j: frames of the two sides as reported. swapped: its rows count body i as their body j.
    coordinate: what a driver or guiding column moves. gauges: the gauge that measures each coordinate of a joint.
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
    gauges: dict[str, int]


@dataclass(frozen=True)
class LoweredConstraints:
    """All rows, further terms of rows, who owns them, and the gauges: rows that measure coordinates and constrain nothing."""

    rows: Records
    terms: Records
    constraints: tuple[Constraint, ...]
    owner: NDArray[np.int64]
    gauges: Records


class _Rows:
    """Builds ROW records from markers. rows, terms, gauges: packed."""

    def __init__(self, model: Model, bodies: LoweredBodies, frames: Frames, turns: Turns) -> None:
        self.frames = frames
        self.turns = turns
        self.is_planar = model.settings.dimension == "2D"
        self.bodies: dict[str, Body | None] = {body.name: body for body in model.bodies} | {GROUND: None}
        self.place = {body.name: (body.position, bodies.turns[body.name]) for body in model.bodies}
        self.place[GROUND] = (np.zeros(3), bodies.turns[GROUND])
        self.counted = {body.name: float(body.angles[2]) for body in model.bodies} | {GROUND: 0.0}
        self._places: dict[int, tuple[Marker, int, int]] = {}
        self.rows: list[bytes] = []
        self.terms: list[bytes] = []
        self.gauges: list[bytes] = []

    @property
    def counts(self) -> tuple[int, int, int]:
        """Numbers of rows, terms and gauges."""
        return len(self.rows), len(self.terms), len(self.gauges)

    def point(self, marker: Marker) -> Floats:
        """Global position of a marker in the initial configuration."""
        position, turn = self.place[marker.body]
        return np.asarray(position + turn @ marker.origin)

    def distance(self, i: Marker, j: Marker) -> float:
        """Distance of two markers in the initial configuration."""
        return float(np.linalg.norm(self.point(j) - self.point(i)))

    def angle(self, i: Marker, j: Marker) -> float:
        """Angle of marker j against marker i in the initial configuration, as its row counts it."""
        if self.is_planar:
            return self.counted[j.body] - self.counted[i.body]
        return initial_turn(self.place[i.body][1] @ i.axes, self.place[j.body][1] @ j.axes)

    def row(
        self, recipe: RecipeRow, i: Marker, j: Marker, offset: float = 0.0, motion: int = 0, *, live: bool = True
    ) -> Record:
        """One record between two markers. live: the residual is wanted while solving, not in reports alone."""
        record = BLANK.copy()
        a = i.axes[:, recipe.i].tolist() if recipe.kind in WITH_AXIS_I else NO_AXIS
        b = j.axes[:, recipe.j].tolist() if recipe.kind in WITH_AXIS_J else NO_AXIS
        if recipe.kind is RowKind.WHEEL:
            b, offset = [offset * component for component in b], 0.0  # the radius is the length of its spin axis
        record["kind"] = int(recipe.kind)
        _, record["frame_i"], record["body_i"] = self._place_of(i)
        _, record["frame_j"], record["body_j"] = self._place_of(j)
        record["ax"], record["ay"], record["az"] = a
        record["bx"], record["by"], record["bz"] = b
        record["k"] = recipe.i if recipe.kind in WITH_GLOBAL_AXIS else 0
        if recipe.kind is RowKind.TURN:
            record["k"] = self.turns.at(i, j, live=live)
        record["motion"], record["offset"], record["factor"] = motion, offset, 1.0
        record["slot_i"], record["slot_j"] = 0, 6
        return record

    def begin(self) -> None:
        """Begin another element, whose frames are asked for by itself."""
        self._places.clear()

    def _place_of(self, marker: Marker) -> tuple[Marker, int, int]:
        """A marker, which is held so that no other takes its address, with the numbers of its frame and of its body."""
        found = self._places.get(id(marker))
        if found is None:
            found = self._places[id(marker)] = marker, self.frames.of(marker), self.frames.body_of(marker)
        return found

    def add(self, record: Record, terms: Sequence[Record] = ()) -> None:
        """Add a row of the model, with further terms of its sum."""
        record["target"], record["terms"] = len(self.rows), len(terms)
        own = {int(record["body_i"]), int(record["body_j"]), 0}
        further = sorted({int(term[side]) for term in terms for side in ("body_i", "body_j")} - own)
        for side, body in zip(("body_k", "body_l"), further, strict=False):
            record[side] = body
        for term in terms:
            term["target"] = len(self.rows)
            self.terms.append(PACK(*term.values()))
        self.rows.append(PACK(*record.values()))

    def add_gauge(self, record: Record) -> None:
        """Add a row that only measures."""
        record["target"] = len(self.gauges)
        self.gauges.append(PACK(*record.values()))

    def gauge(self, joint: Joint, coordinate: str, motion: int = 0, *, live: bool = True) -> Record:
        """The row that measures, or drives, a coordinate of a joint.

        In the initial configuration an angle is what the joint says, 0 if nothing, and a displacement 0.
        """
        if coordinate == "angle":
            return self.turn(joint, joint.values.get("initial_angle", 0.0), motion, live=live)
        return self.slide(joint, coordinate, motion)

    def change(self, joint: Joint, coordinate: str) -> Record:
        """The row that measures how far a coordinate of a joint has come from its initial value."""
        return self.turn(joint, 0.0) if coordinate == "angle" else self.slide(joint, coordinate)

    def turn(self, joint: Joint, initial: float, motion: int = 0, *, live: bool = True) -> Record:
        """The row of a joint's angle that is ``initial`` in the initial configuration."""
        kind = RowKind.ANGLE if self.is_planar else RowKind.TURN
        return self.row(RecipeRow(kind), joint.i, joint.j, self.angle(joint.i, joint.j) - initial, motion, live=live)

    def slide(self, joint: Joint, coordinate: str, motion: int = 0) -> Record:
        """The row of a joint's displacement or distance."""
        i, j = joint.i, joint.j
        if coordinate == "displacement":
            axis = self.place[i.body][1] @ i.axes[:, 2]
            return self.row(
                RecipeRow(RowKind.IN_PLANE, i=2), i, j, float(axis @ (self.point(j) - self.point(i))), motion
            )
        return self.row(RecipeRow(RowKind.DISTANCE), i, j, 0.0, motion)


def initial_turn(axes_i: Floats, axes_j: Floats) -> float:
    """Angle from the first of axes i to that of axes j about the third of axes i; all (3, 3), global columns."""
    first = axes_j[:, 0]
    return atan2(first @ axes_i[:, 1], first @ axes_i[:, 0])


@dataclass(frozen=True)
class _JointBuilt:
    """What a joint added, and on what that depends: its bodies, what is driven, what came before, frames and turns.

    before: numbers of rows, terms, gauges, and of the bodies. frames, turns: asked for by what they are, with the numbers
    that they had. made: rows, terms and gauges.
    """

    bodies: tuple[Body | None, Body | None]
    driven: frozenset[Driven]
    before: tuple[int, ...]
    frames: tuple[tuple[FrameKey, int], ...]
    turns: tuple[tuple[TurnKey, bool, int], ...]
    made: tuple[list[bytes], list[bytes], list[bytes]]
    constraint: Constraint

    def holds(self, joint: Joint, build: _Rows, driven: frozenset[Driven]) -> bool:
        """Whether it would be the same again; frames and turns are then known to ``build``."""
        are_bodies = all(mine is other for mine, other in zip(self.bodies, _bodies(joint, build), strict=True))
        if not are_bodies or self.before != _before(joint, build) or self.driven != driven:
            return False
        frames = [build.frames.known(key) == number for key, number in self.frames]
        turns = [build.turns.known(key, live=live) == number for key, live, number in self.turns]
        return all(frames) and all(turns)

    def add_to(self, build: _Rows) -> Constraint:
        """Add it once more."""
        for built, own in zip((build.rows, build.terms, build.gauges), self.made, strict=True):
            built.extend(own)
        return self.constraint


def lower_constraints(
    model: Model, bodies: LoweredBodies, frames: Frames, turns: Turns, motions: Motions, remembered: Remembered
) -> LoweredConstraints:
    """Rows of joints, then of drivers and guiding columns. A row that holds a driven coordinate is left to the driver."""
    build = _Rows(model, bodies, frames, turns)
    driven = frozenset((driver.joint, driver.coordinate) for driver in model.drivers)
    joints = {joint.name: joint for joint in model.joints}
    constraints = [_add_joint(joint, joints, build, driven, remembered) for joint in model.joints]
    for driver in model.drivers:
        record = _driver_row(driver, joints, build, motions.add(driver.motion))
        constraints.append(
            Constraint(
                name=driver.name,
                what="guiding" if driver.guiding else "driver",
                cell=driver.cell,
                first=len(build.rows),
                count=1,
                frame_i=int(record["frame_i"]),
                frame_j=int(record["frame_j"]),
                swapped=False,
                coordinate=driver.coordinate,
                gauges={},
            )
        )
        build.add(record)
    owner = np.repeat(np.arange(len(constraints)), [constraint.count for constraint in constraints])
    return LoweredConstraints(
        rows=of_packed(build.rows, ROW),
        terms=of_packed(build.terms, ROW),
        constraints=tuple(constraints),
        owner=owner.astype(np.int64),
        gauges=of_packed(build.gauges, ROW),
    )


def _bodies(joint: Joint, build: _Rows) -> tuple[Body | None, Body | None]:
    return build.bodies[joint.i.body], build.bodies[joint.j.body]


def _before(joint: Joint, build: _Rows) -> tuple[int, ...]:
    return *build.counts, build.frames.names[joint.i.body], build.frames.names[joint.j.body]


def _add_joint(
    joint: Joint, joints: dict[str, Joint], build: _Rows, driven: frozenset[Driven], remembered: Remembered
) -> Constraint:
    """Add the rows and gauges of a joint."""
    built = remembered.find("joint", joint)
    if isinstance(built, _JointBuilt) and built.holds(joint, build, driven):
        return built.add_to(build)
    build.begin()
    before = _before(joint, build)
    rows, terms, gauges = build.counts
    frames_asked, turns_asked = len(build.frames.asked), len(build.turns.asked)
    _add_joint_rows(joint, joints, build, driven)
    kind = JOINTS[joint.type]
    constraint = Constraint(
        name=joint.name,
        what="joint",
        cell=joint.cell,
        first=rows,
        count=len(build.rows) - rows,
        frame_i=build.frames.of(joint.i),
        frame_j=build.frames.of(joint.j),
        swapped=kind.holds_coordinate,
        coordinate="",
        gauges={coordinate: gauges + k for k, coordinate in enumerate(kind.coordinates)},
    )
    for coordinate in kind.coordinates:
        build.add_gauge(build.gauge(joint, coordinate, live=False))
    is_kept = not remembered.is_complete
    if is_kept and not joint.couples and not build.frames.beams:  # neither other joints nor sections of beams
        built = _JointBuilt(
            _bodies(joint, build),
            driven,
            before,
            tuple(dict.fromkeys(build.frames.asked[frames_asked:])),
            tuple(dict.fromkeys(build.turns.asked[turns_asked:])),
            (build.rows[rows:], build.terms[terms:], build.gauges[gauges:]),
            constraint,
        )
        remembered.keep("joint", joint, built)
    return constraint


def _add_joint_rows(joint: Joint, joints: dict[str, Joint], build: _Rows, driven: frozenset[Driven]) -> None:
    """Rows of a joint but those that hold a driven coordinate. driven: (joint, coordinate) of all drivers."""
    if joint.couples:
        _add_coupling(joint, joints, build)
        return
    for recipe in JOINTS[joint.type].rows:
        if (joint.name, recipe.holds) in driven:
            continue
        if recipe.kind is RowKind.COORDINATE:
            build.add(_coordinate_row(joint.i.body, joint.coordinate, build, joint.values.get(recipe.value), 0))
            continue
        if build.is_planar and vanishes_in_plane(recipe, joint.i, joint.j):
            continue
        offset = joint.values.get(recipe.value, build.distance(joint.i, joint.j)) if recipe.value else 0.0
        terms = []
        for further in recipe.plus:
            shift = build.angle(joint.i, joint.j) if further.kind is RowKind.TURN else 0.0
            term = build.row(further, joint.i, joint.j, shift)
            term["factor"] = further.factor(joint.values)
            terms.append(term)
        build.add(build.row(recipe, joint.i, joint.j, offset), terms)


def _add_coupling(joint: Joint, joints: dict[str, Joint], build: _Rows) -> None:
    """coordinate_2 + factor coordinate_1 = 0, both counted from the start; its reaction is reported on the moving bodies."""
    coupling = JOINTS[joint.type].coupling
    if coupling is None or joint.couples is None:
        raise ValueError(f"{joint.type} is no coupling")
    first, second = (joints[name] for name in joint.couples)
    term = build.change(first, coupling.first)
    term["factor"] = coupling.factor(joint.values)
    row = build.change(second, coupling.second)
    for record, coupled, slot in ((term, first, 0), (row, second, 6)):
        on_i = coupled.j.body == GROUND
        record["slot_i"], record["slot_j"] = (slot, UNREPORTED) if on_i else (UNREPORTED, slot)
    build.add(row, [term])


def vanishes_in_plane(recipe: RecipeRow, i: Marker, j: Marker) -> bool:
    """Whether a row between frames of planar bodies is identically zero, so that the plane has taken care of it."""
    if recipe.kind is RowKind.COINCIDENT:
        return recipe.i == AXES["z"]
    if recipe.kind is RowKind.IN_PLANE:
        return bool(abs(i.axes[2, recipe.i]) > ALONG)
    if recipe.kind is RowKind.PERPENDICULAR:
        return bool((abs(i.axes[2, recipe.i]) > ALONG) != (abs(j.axes[2, recipe.j]) > ALONG))
    return False


def _coordinate_row(body: str, coordinate: str, build: _Rows, value: float | None, motion: int) -> Record:
    """x, y, z, phi or a turn of a body against ground; ``value`` None holds the initial one, motion 0 adds nothing to it."""
    ground, moving = Marker(GROUND), Marker(body, floating=True)
    if coordinate == "phi":
        return build.row(
            RecipeRow(RowKind.ANGLE), ground, moving, build.counted[body] if value is None else value, motion
        )
    if coordinate in TURNS:
        return build.row(RecipeRow(RowKind.ORIENTATION, i=TURNS[coordinate]), ground, moving, 0.0, motion)
    axis = AXES[coordinate]
    initial = float(build.place[body][0][axis])
    return build.row(RecipeRow(RowKind.COINCIDENT, i=axis), ground, moving, initial if value is None else value, motion)


def _driver_row(driver: Driver, joints: dict[str, Joint], build: _Rows, motion: int) -> Record:
    if driver.joint is not None:
        return build.gauge(joints[driver.joint], driver.coordinate, motion)
    if driver.ends is not None:
        i, j = driver.ends
        kind = (
            RecipeRow(RowKind.DISTANCE) if driver.spring else RecipeRow(RowKind.COINCIDENT, i=AXES[driver.coordinate])
        )
        return build.row(kind, i, j, 0.0, motion)
    if driver.body is None:
        raise ValueError(f"driver {driver.name} moves nothing")
    return _coordinate_row(driver.body, driver.coordinate, build, 0.0, motion)
