"""A mechanism at one time: where its bodies are, how beams are bent, and mode shapes at full swing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.lower.beam_supports import beam_spaces
from sheetmbs.model.model import Beam, Body, Joint, Model
from sheetmbs.results.columns.beam_columns import bent_place
from sheetmbs.results.columns.collect import Floats

if TYPE_CHECKING:
    import pandas as pd


COLOURS = (
    *("#2F6690", "#C8553D", "#4F7942", "#8E5EA2", "#C99700", "#3AA6A6"),
    *("#7A5C3E", "#D66BA0", "#5B6C7D", "#93A83B", "#4D53A6", "#B23A6B"),
)
INK, FAINT, GRID = "#1F2933", "#8A949E", "#E6EAED"
PLANE = {"x-y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))}
VIEWS = {
    "side view, x-z": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "front view, y-z": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "top view, x-y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "oblique view": ((-0.5736, 0.8192, 0.0), (-0.3462, -0.2424, 0.9063)),
}
"""horizontal and vertical direction of each view"""
MAX_NAMED_BODIES = 14
"""bodies in the legend; a longer one would crowd the picture out"""
CURVE_POINTS = 25
"""places along a beam through which its line goes"""
SAME_PLACE_TOLERANCE, SAME_PLACE_RELATIVE = 1e-9, 1e-5
"""how far apart two places may be that are one: in m, and as a part of their coordinates"""
Numbers = Mapping[str, float]

MAX_SWING = 0.12
"""of the picture: how far the place that moves most is swung out"""
MAX_SWING_ROTATION = 0.4
"""rad: how far a body is turned at most"""


@dataclass(frozen=True)
class DrawnScene:
    """A mechanism at one time. place: position (3,) and rotation (3, 3) of each body and of the ground, m.

    bent: the shapes of each beam, its length and the amplitudes of its shapes, by its name.
    """

    place: dict[str, tuple[Floats, Floats]]
    bent: dict[str, tuple[BeamSpace, float, Floats]]

    def point(self, marker: Marker) -> Floats:
        """Global position of a marker."""
        position, turn = self.place[marker.body]
        origin = bent_place(*self.bent[marker.body], marker.origin) if marker.body in self.bent else marker.origin
        return np.asarray(position + turn @ origin)

    def curve(self, name: str) -> list[Floats]:
        """Places along the line of a beam."""
        length = self.bent[name][1]
        return [self.point(Marker(name, np.array([xi, 0.0, 0.0]))) for xi in np.linspace(0.0, length, CURVE_POINTS)]

    def curves(self) -> list[Floats]:
        """Places along the lines of all beams."""
        return [place for name in self.bent for place in self.curve(name)]

    def axis(self, marker: Marker) -> Floats:
        """Global direction of a marker's third axis."""
        return np.asarray(self.place[marker.body][1] @ marker.axes[:, 2])


def scene_of(model: Model, frame: Mapping[str, float] | pd.Series) -> DrawnScene:
    """The mechanism of one row of `mbs Bodies`: numbers by the names of its columns."""
    display = model.display
    place: dict[str, tuple[Floats, Floats]] = {GROUND: (np.zeros(3), np.eye(3))}
    for body in model.bodies:
        names = [f"{body.name}.{axis}" for axis in "xyz"]
        position = np.array([frame.get(name, 0.0) for name in names], dtype=np.float64) * display.length[1]
        place[body.name] = (position, _rotation(body, frame, display.angle[1]))
    lengths = {body.name: body.length for body in model.bodies if isinstance(body, Beam)}
    bent = {
        name: (space, lengths[name], np.array([frame[f"{name}.{each}"] for each in space.names]))
        for name, space in beam_spaces(model).items()
    }
    return DrawnScene(place, bent)


def _rotation(body: Body, frame: Any, degree: float) -> Floats:
    if f"{body.name}.phi" in frame:
        half = 0.5 * float(frame[f"{body.name}.phi"]) * degree
        return matrix_of(np.array([np.cos(half), 0.0, 0.0, np.sin(half)]))
    return matrix_of(np.array([frame[f"{body.name}.e{k}"] for k in range(4)], dtype=np.float64))


def placed_joints(model: Model) -> list[Joint]:
    """Joints that have a place."""
    return [joint for joint in model.joints if JOINTS[joint.type].point]


def held_by(model: Model) -> dict[str, list[Marker]]:
    """The places on each body, and on the ground, where elements are attached; without joints that have no place."""
    found: dict[str, list[Marker]] = {name: [] for name in (GROUND, *(body.name for body in model.bodies))}
    markers = [marker for joint in placed_joints(model) for marker in (joint.i, joint.j)]
    markers += [marker for spring in model.springs for marker in (spring.i, spring.j)]
    markers += [marker for clearance in model.clearances for marker in (clearance.i, clearance.j)]
    markers += [point.marker for point in model.points if point.marker.body != GROUND]
    places: dict[str, list[list[float]]] = {name: [] for name in found}
    for marker in markers:
        place = marker.origin.tolist()
        if not any(_are_one(place, other) for other in places[marker.body]):
            places[marker.body].append(place)
            found[marker.body].append(marker)
    return found


def _are_one(place: list[float], other: list[float]) -> bool:
    """Whether two places are the same but for rounding. Thousands are compared: plain numbers are the fastest here."""
    return all(
        abs(a - b) <= SAME_PLACE_TOLERANCE + SAME_PLACE_RELATIVE * abs(b) for a, b in zip(place, other, strict=True)
    )


def size_of(model: Model, scenes: Sequence[DrawnScene]) -> float:
    """Largest extent of the mechanism, m."""
    held = [marker for markers in held_by(model).values() for marker in markers]
    points = [scene.point(marker) for scene in scenes for marker in held]
    points += [place for scene in scenes for place in scene.curves()]
    return float(np.max(np.ptp(points or [np.zeros(3)], axis=0))) or 1.0


def outline(points: list[Floats], centre: Floats) -> list[list[Floats]]:
    """Lines that stand for a body: from one place to the other, a triangle, or a star from the middle of more."""
    if len(points) < 2:
        return [[centre, *points]] if points else []
    if len(points) == 2:
        return [points]
    if len(points) == 3:
        return [[*points, points[0]]]
    middle = np.mean(points, axis=0)
    return [[middle, point] for point in points]


def numbers_of(row: pd.Series) -> Numbers:
    """A row of a frame by the names of its columns."""
    return dict(zip(row.index, row.tolist(), strict=True))


def mode_title(mode: Numbers) -> str:
    """Title of a mode. mode: a row of `mbs Modes`."""
    number, frequency, damping = f"mode {mode['mode']:.0f}", mode["frequency"], mode["damping"]
    if np.isnan(frequency):
        return f"{number}: no vibration, {mode['growth_rate']:.3g} 1/s"
    if frequency == 0.0:
        return f"{number}: rigid body"
    return f"{number}: {frequency:.4g} Hz" + (f", damping ratio {damping:.3g}" if damping else "")


def displaced(model: Model, rest: Numbers, mode: Numbers, amplitude: float) -> dict[str, float]:
    """A row of `mbs Bodies` with a shape times an amplitude added. rest, mode: rows of `mbs Bodies` and `mbs Modes`."""
    found, degree = dict(rest), model.display.angle[1]
    for body in model.bodies:
        for name in [name for name in mode if name.rpartition(".")[0] == body.name and name in found]:
            found[name] += amplitude * mode[name]
        if f"{body.name}.rx" in mode:
            turn = amplitude * degree * np.array([mode[f"{body.name}.r{axis}"] for axis in "xyz"])
            names = [f"{body.name}.e{k}" for k in range(4)]
            found |= dict(zip(names, _turned(np.array([rest[name] for name in names]), turn).tolist(), strict=True))
    return found


def _turned(euler: Floats, vector: Floats) -> Floats:
    """Euler parameters (4,) after a further rotation about a global rotation vector (3,)."""
    angle = float(np.linalg.norm(vector))
    c, s = np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * vector
    return np.array([c * euler[0] - s @ euler[1:], *(c * euler[1:] + euler[0] * s + np.cross(s, euler[1:]))])


def swing_amplitude(model: Model, rest: Numbers, mode: Numbers, resting: DrawnScene, size: float) -> float:
    """Amplitude at which a shape is drawn: visible, but not so large that bodies seem to stretch.

    rest, mode: rows of `mbs Bodies` and `mbs Modes`. resting: the mechanism there. size: see `size_of`.
    """
    angles = [abs(value) for name, value in mode.items() if name.rpartition(".")[2] in {"phi", "rx", "ry", "rz"}]
    turned = max(angles, default=0.0) * model.display.angle[1]
    slight = 1e-3 / turned if turned > 0.0 else 1e-3 * size / model.display.length[1]
    swung = scene_of(model, displaced(model, rest, mode, slight))
    ways = [swung.point(marker) - resting.point(marker) for held in held_by(model).values() for marker in held]
    ways += [swung.place[body.name][0] - resting.place[body.name][0] for body in model.bodies]
    ways += [there - here for there, here in zip(swung.curves(), resting.curves(), strict=True)]
    farthest = max((float(np.linalg.norm(way)) for way in ways), default=0.0) / slight
    by_way = MAX_SWING * size / farthest if farthest > 0.0 else np.inf
    by_turn = MAX_SWING_ROTATION / turned if turned > 0.0 else np.inf
    found = min(by_way, by_turn)
    return float(found) if np.isfinite(found) else 0.0
