"""An OpenSim model as a workbook of gait: its bodies as segments, joined by balls and hinges.

A body that three markers do not tell goes with one that they do: that below it, else that above. The standing trial is the
model itself with all coordinates 0; beside its markers it has points that tell axes and ends of the segments, which their
clusters carry into the trials that walk.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.importing.osim_model import OsimBody, OsimModel, read_osim
from sheetmbs.importing.lines import refused
from sheetmbs.schema.filled import Cell, FilledSheet, NewBook
from sheetmbs.schema.gait_inputs import JointKind, SegmentMethod
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.new_workbook import laid_out

FRAMES, RATE = 3, 100.0
"""of the standing trial, and Hz"""
REACH = 0.1
"""m from a segment's origin to the points that tell its axes"""
LEAST_MARKERS = 3
TABLES = {
    "femur": ("thigh", "hip"),
    "thigh": ("thigh", "hip"),
    "tibia": ("shank", "knee"),
    "shank": ("shank", "knee"),
    "calcn": ("foot", "ankle"),
    "foot": ("foot", "ankle"),
    "talus": ("foot", "ankle"),
    "torso": ("hat", "back"),
}
"""beginnings of names of bodies -> row of the anthropometry, and the joint above"""
KINDS = {1: JointKind.HINGE, 2: JointKind.TWO_HINGES}
SIDES = {"_r": "right", "_l": "left"}


@dataclass(frozen=True)
class OsimSegment:
    """Bodies that move as one. name: of the one with the markers. parent: "" a root. turns: of the joints above them."""

    name: str
    bodies: tuple[OsimBody, ...]
    parent: str
    turns: int
    joint: str
    centre: Vector

    @property
    def mass(self) -> float:
        """Mass of all its bodies, kg."""
        return float(sum(each.mass for each in self.bodies))

    @property
    def com(self) -> Vector:
        """(3,) as it stands."""
        moments = sum(each.mass * (each.origin + each.rotation @ each.com) for each in self.bodies)
        return np.asarray(moments / self.mass) if self.mass > 0.0 else self.centre

    @property
    def inertia(self) -> Vector:
        """(3, 3) about its centre of mass, in axes of the laboratory."""
        total = np.zeros((3, 3))
        for each in self.bodies:
            arm = each.origin + each.rotation @ each.com - self.com
            total += each.rotation @ each.inertia @ each.rotation.T
            total += each.mass * (np.dot(arm, arm) * np.eye(3) - np.outer(arm, arm))
        return total

    @property
    def markers(self) -> dict[str, Vector]:
        """(3,) of each as it stands."""
        return {
            name: each.origin + each.rotation @ place for each in self.bodies for name, place in each.markers.items()
        }

    @property
    def rotation(self) -> Vector:
        """(3, 3) of its axes, those of the body with its name."""
        return next(each.rotation for each in self.bodies if each.name == self.name)

    @property
    def side(self) -> str | None:
        """The side that the end of its name tells."""
        return SIDES.get(self.name[-2:].lower())

    @property
    def known(self) -> tuple[str | None, str]:
        """Row of the anthropometry, and the joint above."""
        found = next((each for word, each in TABLES.items() if self.name.lower().startswith(word)), None)
        return found or (None, self.joint[:-2] if self.joint[-2:].lower() in SIDES else self.joint)


def import_osim(file: Path, book: Path) -> list[str]:
    """Make a workbook from a model, and return lines about it. Raises WorkbookError."""
    if book.exists():
        mend = "name a workbook that is not there"
        raise refused("file-exists", f"{book} is there", "a model becomes a new workbook", mend)
    model = read_osim(file)
    segments = osim_segments(model)
    create_book(book, laid_out(_new_book(model, segments, file)), book.stem)
    lines = [
        f"{len(segments)} segments of {sum(each.mass for each in segments):.2f} kg from {len(model.bodies)} bodies"
    ]
    for each in segments:
        others = [body.name for body in each.bodies if body.name != each.name]
        if others:
            lines.append(f"{each.name}: {', '.join(others)} moves with it")
        if len(each.markers) < LEAST_MARKERS:
            lines.append(f"{each.name}: {len(each.markers)} markers; name three or more on Segments")
    return [*lines, *model.notes]


def osim_segments(model: OsimModel) -> list[OsimSegment]:
    """The segments of a model, each behind the one that it hangs on."""
    owner = _owners(model)
    segments = []
    for name in dict.fromkeys(owner.values()):
        own = [body for body in model.bodies if owner[body] == name]
        top = next(each for each in own if owner.get(model.joints[each].parent) != name)
        above = model.joints[top]
        inner = sum(model.joints[each].turns for each in _way(model, top, name) if each != top)
        segments.append(
            OsimSegment(
                name,
                tuple(model.bodies[each] for each in own),
                owner.get(above.parent, ""),
                above.turns + inner,
                above.name,
                above.centre,
            )
        )
    return segments


def _way(model: OsimModel, top: str, name: str) -> list[str]:
    """The bodies from the one with a name up to the uppermost of its segment."""
    found, at = [], name
    while at and at != top:
        found.append(at)
        at = model.joints[at].parent
    return found


def _owners(model: OsimModel) -> dict[str, str]:
    """The body with the markers that each body goes with; itself where the model has no markers at all."""
    owner = {name: name for name in model.bodies}
    welded = {name for name, joint in model.joints.items() if joint.turns == 0 and joint.parent}
    has_markers = any(each.markers for each in model.bodies.values())
    told = {name for name, each in model.bodies.items() if len(each.markers) >= LEAST_MARKERS}
    for name in reversed(list(model.bodies)):
        below = [each for each in model.bodies if model.joints[each].parent == name and owner[each] in told]
        if not has_markers or name in told or not model.joints[name].parent:
            continue
        # a body between two that are named, as the talus, goes with the lower one; a tip, as the toes, with the upper
        if len(below) == 1:
            owner[name] = owner[below[0]]
    for name in model.bodies:
        parent = model.joints[name].parent
        is_tip = has_markers and owner[name] == name and name not in told and parent
        if (
            (name in welded and owner[name] == name and name not in told)
            or is_tip
            or (not has_markers and name in welded)
        ):
            owner[name] = owner[parent]
    return owner


def _points(segment: OsimSegment) -> dict[str, Vector]:
    """(3,) of the points that tell origin, axes and end of a segment."""
    away = segment.com - segment.centre
    if np.linalg.norm(away) < 1e-3:
        away = -0.5 * REACH * segment.rotation[:, 1]
    name, origin = segment.name, segment.centre
    return {
        f"{name} origin": origin,
        f"{name} up": origin + REACH * segment.rotation[:, 1],
        f"{name} side": origin + REACH * segment.rotation[:, 2],
        f"{name} end": origin + 2.0 * away,
    }


def _new_book(model: OsimModel, segments: list[OsimSegment], file: Path) -> NewBook:
    places = {name: place for each in segments for name, place in {**each.markers, **_points(each)}.items()}
    lowest = min(float(place[1]) for place in places.values())
    places = {name: place - [0.0, min(lowest, 0.0), 0.0] for name, place in places.items()}
    headers = ("time", *(f"{name}.{axis}" for name in places for axis in "xyz"))
    values = [float(value) for place in places.values() for value in np.round(place, 9)]
    static = tuple((number / RATE, *values) for number in range(FRAMES))
    mass = round(sum(each.mass for each in segments), 6)
    settings = (("title", model.name), ("dimension", "3D"), ("analysis", "gait"))
    subject = (("mass", mass, "kg"), ("height", None, "m"), ("anthropometry", "custom", None))
    processing = (("kinematics", SegmentMethod.LEAST_SQUARES), ("axis_up", "+y"))
    sheets = (
        FilledSheet("Settings", ("setting", "value"), settings),
        FilledSheet("Subject", ("setting", "value", "unit"), subject),
        FilledSheet("Processing", ("setting", "value"), processing),
        FilledSheet("Markers static", headers, static),
        _segments(segments),
        _joints(segments),
        _frames(segments),
    )
    steps = (
        f"Made from {file.name}: its bodies are segments, with masses, centres of mass and inertias of the model.",
        "Markers static is the model itself with all coordinates 0. Scale the model to the subject before, in OpenSim.",
        "Put a walk with the same labels onto it: sheetmbs import gait walk.trc BOOK.",
    )
    return NewBook(model.name, "The segments of an OpenSim model, for trials of gait.", (("Next", steps),), sheets)


def _segments(segments: list[OsimSegment]) -> FilledSheet:
    headers = ("name", "side", "proximal", "distal", "parent", "table", "mass", "com", "inertia", "markers")
    rows: list[tuple[Cell, ...]] = []
    for each in segments:
        own = each.rotation.T @ each.inertia @ each.rotation
        is_at_joint = np.linalg.norm(each.com - each.centre) < 1e-3
        com, across = 0.0 if is_at_joint else 0.5, float(0.5 * (own[0, 0] + own[2, 2]))
        points = list(_points(each))
        ends = points[0], points[3]
        numbers = round(each.mass, 9), com, round(max(across, 1e-9), 9)
        rows.append(
            (each.name, each.side, *ends, each.parent or None, each.known[0], *numbers, "; ".join(each.markers) or None)
        )
    return FilledSheet("Segments", headers, tuple(rows))


def _joints(segments: list[OsimSegment]) -> FilledSheet:
    headers = ("name", "side", "proximal", "distal", "type", "positive")
    rows: list[tuple[Cell, ...]] = []
    for each in segments:
        if each.parent:
            table, name = each.known
            kind = KINDS.get(each.turns, JointKind.BALL)
            positive = "dorsiflexion" if table == "foot" else "flexion"
            rows.append((name, each.side, each.parent, each.name, kind, positive))
    return FilledSheet("Gait joints", headers, tuple(rows))


def _frames(segments: list[OsimSegment]) -> FilledSheet:
    headers = ("segment", "origin", "axis_1", "from", "to", "plane", "order")
    rows: list[tuple[Cell, ...]] = []
    for each in segments:
        origin, up, side, _end = _points(each)
        rows.append((each.name, origin, "y", origin, up, side, "yxz"))
    return FilledSheet("Anatomical frames", headers, tuple(rows))
