"""ROW records between markers: those that constrain, further terms of them, and gauges that only measure.

Their angles about axes in space are TURN records: those on which rows and springs depend stand before those only reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import RecipeRow
from sheetmbs.elements.rotation import modified_rodrigues
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.record_arrays import as_records, packing
from sheetmbs.engine.records import ROW, TURN, Floats, Records
from sheetmbs.lower.lower_bodies import Frames, LoweredBodies
from sheetmbs.model.model import Body, Joint, Model

TurnKey = tuple[float, ...]
"""bodies i and j, frames i and j, whether it sights from one frame to the other, 0 or the component of a rotation vector, then
the axes between which the angle counts"""


class Turns:
    """Collects turns; equal ones are kept once. requests: what `at` was called with, and the number it gave."""

    def __init__(self, names: dict[str, int]) -> None:
        self.names = names
        self._numbers: dict[TurnKey, int] = {}
        self._live: set[int] = set()
        self._ranks: NDArray[np.int64] | None = None
        self.requests: list[tuple[TurnKey, bool, int]] = []

    def at(self, i: Marker, j: Marker, *, live: bool) -> int:
        """Provisional number of the angle from the first axis of marker i to that of marker j about the third of i.

        live: a row or spring depends on it.
        """
        return self.known(self._key(i, j, 0), live=live)

    def azimuth(self, i: Marker, body: int, frames: tuple[int, int]) -> int:
        """Provisional number of the angle of the line between two frames, from the first axis of marker i about its third.

        body: number of its body, or of its section of a beam.
        """
        axes = (*i.axes[:, 0].tolist(), *i.axes[:, 1].tolist(), *6 * (0.0,))
        return self.known((body, body, *frames, 1, 0, *axes), live=True)

    def rotation_at(self, i: Marker, j: Marker) -> int:
        """Provisional number of the first component of the rotation vector from marker i to marker j, which a spring needs."""
        first, *_ = [self.known(self._key(i, j, component), live=True) for component in (1, 2, 3, 4)]
        return first

    def _key(self, i: Marker, j: Marker, component: int) -> TurnKey:
        axes = np.concatenate((i.axes[:, 0], i.axes[:, 1], j.axes[:, 0], j.axes[:, 1]))
        return (self.names[i.body], self.names[j.body], 0, 0, 0, component, *axes.tolist())

    def known(self, key: TurnKey, *, live: bool) -> int:
        """Provisional number of the angle between bodies and axes."""
        number = self._numbers.setdefault(key, len(self._numbers))
        self._ranks = None
        if live:
            self._live.add(number)
        self.requests.append((key, live, number))
        return number

    def settle(self, numbers: NDArray[np.int64], are_turns: NDArray[np.bool_]) -> None:
        """Replace provisional numbers by final ones in place, where ``are_turns``; after the last `at`."""
        if self._numbers:
            numbers[are_turns] = self._final()[numbers[are_turns]]

    def _final(self) -> NDArray[np.int64]:
        if self._ranks is None:
            ranked = sorted(range(len(self._numbers)), key=lambda number: (number not in self._live, number))
            self._ranks = np.zeros(len(ranked), dtype=np.int64)
            self._ranks[ranked] = np.arange(len(ranked))
        return self._ranks

    def records(self) -> tuple[Records, Records]:
        """The live ones, and all."""
        given = np.array(list(self._numbers), dtype=TURN)
        ordered = np.zeros_like(given)
        ordered[self._final()] = given
        counted = as_records(ordered)
        return counted[: len(self._live)], counted


Record = dict[str, Any]  # one ROW record by its fields: numpy sets them ten times as slowly one by one

BLANK: Record = dict.fromkeys(ROW.names or (), 0)
NO_AXIS = [0.0, 0.0, 0.0]
PACK = packing(ROW)
WITH_GLOBAL_AXIS = (RowKind.COINCIDENT, RowKind.ORIENTATION)
WITH_AXIS_I = (RowKind.PERPENDICULAR, RowKind.IN_PLANE, RowKind.WHEEL)
WITH_AXIS_J = (RowKind.PERPENDICULAR, RowKind.WHEEL)


class RowBuilder:
    """Builds ROW records from markers. rows, terms, gauges: packed."""

    def __init__(self, model: Model, bodies: LoweredBodies, frames: Frames, turns: Turns) -> None:
        self.links = model.links
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
        if recipe.kind is RowKind.TWIST:
            a, b = modified_rodrigues(i.axes).tolist(), modified_rodrigues(j.axes).tolist()
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

    def azimuth(self, axes: Marker, i: Marker, j: Marker) -> Record:
        """The angle of the line from marker i to marker j in the axes of a marker, which is i or on the ground."""
        record = self.row(RecipeRow(RowKind.AZIMUTH), i, j)
        body = record["body_i"] if axes is i else 0
        record["ax"] = 1.0 if axes is i else 0.0
        record["k"] = self.turns.azimuth(axes, body, (record["frame_i"], record["frame_j"]))
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
