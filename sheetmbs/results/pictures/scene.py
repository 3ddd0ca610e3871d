"""A mechanism at one time as lines, and how it is drawn in one view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.model import Beam, Body, Joint, Model
from sheetmbs.results.columns.beam_columns import bent_place

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

COLOURS = (
    *("#2F6690", "#C8553D", "#4F7942", "#8E5EA2", "#C99700", "#3AA6A6"),
    *("#7A5C3E", "#D66BA0", "#5B6C7D", "#93A83B", "#4D53A6", "#B23A6B"),
)
INK, FAINT, GRID = "#1F2933", "#8A949E", "#E6EAED"
MOST_NAMED = 14
"""bodies in the legend; a longer one would crowd the picture out"""
PLANE = {"x-y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))}
VIEWS = {
    "side view, x-z": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "front view, y-z": ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "top view, x-y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "oblique view": ((-0.5736, 0.8192, 0.0), (-0.3462, -0.2424, 0.9063)),
}
"""horizontal and vertical direction of each view"""
SLIDES = ("translational", "cylindrical", "screw", "spherical-cylindrical", "revolute-cylindrical")
CURVE = 25
"""places along a beam through which its line goes"""
ZIGZAG = 8
"""turns of a spring"""
SHARE = 0.04
"""of the picture: half the width of a spring, and an eighth of a slide's line"""


@dataclass(frozen=True)
class DrawnScene:
    """A mechanism at one time. place: position (3,) and rotation (3, 3) of each body and of the ground, m.

    bent: each beam with the amplitudes of its shapes.
    """

    place: dict[str, tuple[Floats, Floats]]
    bent: dict[str, tuple[Beam, Floats]]

    def point(self, marker: Marker) -> Floats:
        """Global position of a marker."""
        position, turn = self.place[marker.body]
        origin = bent_place(*self.bent[marker.body], marker.origin) if marker.body in self.bent else marker.origin
        return np.asarray(position + turn @ origin)

    def curve(self, beam: Beam) -> list[Floats]:
        """Places along the line of a beam."""
        return [self.point(Marker(beam.name, np.array([xi, 0.0, 0.0]))) for xi in np.linspace(0.0, beam.length, CURVE)]

    def curves(self) -> list[Floats]:
        """Places along the lines of all beams."""
        return [place for beam, _ in self.bent.values() for place in self.curve(beam)]

    def axis(self, marker: Marker) -> Floats:
        """Global direction of a marker's third axis."""
        return np.asarray(self.place[marker.body][1] @ marker.axes[:, 2])


def scene_of(model: Model, frame: pd.Series) -> DrawnScene:
    """The mechanism of one row of `Results.bodies`."""
    display = model.display
    place: dict[str, tuple[Floats, Floats]] = {GROUND: (np.zeros(3), np.eye(3))}
    for body in model.bodies:
        names = [f"{body.name}.{axis}" for axis in "xyz"]
        position = np.array([frame.get(name, 0.0) for name in names], dtype=np.float64) * display.length[1]
        place[body.name] = (position, _rotation(body, frame, display.angle[1]))
    beams = {body.name: body for body in model.bodies if isinstance(body, Beam)}
    bent = {name: (beam, frame[_amplitudes(beam)].to_numpy(dtype=np.float64)) for name, beam in beams.items()}
    return DrawnScene(place, bent)


def _amplitudes(beam: Beam) -> list[str]:
    """Columns of the shapes of a beam."""
    count = beam.modes * (1 if beam.axial_stiffness is None else 2)
    return [f"{beam.name}.q{k}" for k in range(1, count + 1)]


def _rotation(body: Body, frame: Any, degree: float) -> Floats:
    if f"{body.name}.phi" in frame:
        half = 0.5 * float(frame[f"{body.name}.phi"]) * degree
        return matrix_of(np.array([np.cos(half), 0.0, 0.0, np.sin(half)]))
    return matrix_of(np.array([frame[f"{body.name}.e{k}"] for k in range(4)], dtype=np.float64))


def _placed(model: Model) -> list[Joint]:
    """Joints that have a place."""
    return [joint for joint in model.joints if JOINTS[joint.type].point]


def held_by(model: Model) -> dict[str, list[Marker]]:
    """The places on each body, and on the ground, where elements are attached; without joints that have no place."""
    found: dict[str, list[Marker]] = {name: [] for name in (GROUND, *(body.name for body in model.bodies))}
    markers = [marker for joint in _placed(model) for marker in (joint.i, joint.j)]
    markers += [marker for spring in model.springs for marker in (spring.i, spring.j)]
    markers += [marker for clearance in model.clearances for marker in (clearance.i, clearance.j)]
    markers += [point.marker for point in model.points if point.marker.body != GROUND]
    for marker in markers:
        if not any(np.allclose(marker.origin, other.origin, atol=1e-9) for other in found[marker.body]):
            found[marker.body].append(marker)
    return found


def size_of(model: Model, scenes: Sequence[DrawnScene]) -> float:
    """How far the mechanism reaches, m."""
    held = [marker for markers in held_by(model).values() for marker in markers]
    points = [scene.point(marker) for scene in scenes for marker in held]
    points += [place for scene in scenes for place in scene.curves()]
    return float(np.max(np.ptp(points or [np.zeros(3)], axis=0))) or 1.0


def frame_axes(axes: Axes, title: str, model: Model, directions: Sequence[Sequence[float]]) -> None:
    """The frame of one view: grid, title, axes where they have a name. directions: horizontal and vertical, global (3,)."""
    unit = model.display.length[0]
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_title(title, fontsize=10, color=FAINT, loc="left")
    axes.tick_params(colors=FAINT, labelsize=8, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    names = [f"{'xyz'[direction.index(1.0)]} [{unit}]" if 1.0 in direction else "" for direction in directions]
    axes.set_xlabel(names[0], fontsize=9, color=FAINT)
    axes.set_ylabel(names[1], fontsize=9, color=FAINT)
    if not all(names):
        axes.set_xticklabels([])
        axes.set_yticklabels([])


def draw(
    axes: Axes, model: Model, scene: DrawnScene, view: Floats, size: float, strength: float, colour: str | None = None
) -> None:
    """One position of the mechanism; what is drawn is in the unit of the results. colour: in place of the bodies' own."""
    scale = model.display.length[1]
    held = held_by(model)

    def flat(points: Sequence[Floats]) -> Floats:
        return np.asarray(view @ np.array(points).T / scale)

    for number, body in enumerate(model.bodies):
        own = colour or COLOURS[number % len(COLOURS)]
        points = [scene.point(marker) for marker in held[body.name]]
        label = body.name if strength == 1.0 and number < MOST_NAMED else ""
        lines = [scene.curve(body)] if isinstance(body, Beam) else _outline(points, scene.place[body.name][0])
        for line in lines:
            axes.plot(
                *flat(line), color=own, linewidth=2.4, alpha=strength, label=label, solid_capstyle="round", zorder=3
            )
            label = ""
        centre = flat([scene.place[body.name][0]])
        axes.plot(*centre, linestyle="", marker="+", markersize=5, color=own, alpha=strength, label=label, zorder=4)
    for joint in _placed(model):
        ends = [scene.point(joint.i), scene.point(joint.j)]
        is_link = JOINTS[joint.type].is_link
        shown = ends if is_link else ends[1:]
        if is_link:
            axes.plot(*flat(ends), color=INK, linewidth=1.0, alpha=strength, zorder=2)
        elif joint.type in SLIDES:
            along = scene.axis(joint.i) * size * 3 * SHARE
            axes.plot(
                *flat(_stretched(ends, along)), color=INK, linewidth=0.9, linestyle="--", alpha=strength, zorder=2
            )
        style: dict[str, Any] = {"linestyle": "", "marker": "o", "markerfacecolor": "white", "color": colour or INK}
        axes.plot(*flat(shown), markersize=5, alpha=strength, zorder=5, **style)
    for spring in model.springs:
        picture = FORCE_TYPES[spring.type].picture
        if picture:
            start, end = flat([scene.point(spring.i), scene.point(spring.j)]).T
            way = PICTURES[picture](start, end, SHARE * size / scale)
            axes.plot(*way, color=FAINT, linewidth=1.1, alpha=strength, zorder=2)
    if strength == 1.0 and held[GROUND]:
        fixed = flat([marker.origin for marker in held[GROUND]])
        axes.plot(
            *fixed, linestyle="", marker="^", markersize=8, color=FAINT, markeredgecolor=INK, zorder=4, label="ground"
        )


def _stretched(ends: list[Floats], along: Floats) -> list[Floats]:
    """The line from the first end to the second, longer by ``along`` on both sides."""
    onward = along if along @ (ends[1] - ends[0]) >= 0.0 else -along
    return [ends[0] - onward, ends[1] + onward]


def _outline(points: list[Floats], centre: Floats) -> list[list[Floats]]:
    """Lines that stand for a body: from one place to the other, a triangle, or a star from the middle of more."""
    if len(points) < 2:
        return [[centre, *points]] if points else []
    if len(points) == 2:
        return [points]
    if len(points) == 3:
        return [[*points, points[0]]]
    middle = np.mean(points, axis=0)
    return [[middle, point] for point in points]


def _cylinder(start: Floats, end: Floats, width: float) -> Floats:
    """(2, n) points of a cylinder from the first of two points (2,), and of the rod of its piston to the second."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0.0:
        return np.column_stack((start, end))
    across = np.array([-along[1], along[0]]) / length * min(width, 0.2 * length)
    shares = np.array([0.0, 0.0, 0.6, 0.6, 0.0, 0.0, 0.0, 0.4, 0.4, 0.4, 0.4, 1.0])
    sides = np.array([0.0, 1.0, 1.0, -1.0, -1.0, 0.0, np.nan, 1.0, -1.0, np.nan, 0.0, 0.0])
    return np.asarray(start[:, None] + np.outer(along, shares) + np.outer(across, sides))


def _zigzag(start: Floats, end: Floats, width: float) -> Floats:
    """(2, n) points of a spring between two points (2,)."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length == 0.0:
        return np.column_stack((start, end))
    across = np.array([-along[1], along[0]]) / length * min(width, 0.2 * length)
    shares = np.concatenate(([0.0, 0.15], np.linspace(0.2, 0.8, 2 * ZIGZAG), [0.85, 1.0]))
    sides = np.concatenate(([0.0, 0.0], np.tile([1.0, -1.0], ZIGZAG), [0.0, 0.0]))
    return np.asarray(start[:, None] + np.outer(along, shares) + np.outer(across, sides))


PICTURES = {"zigzag": _zigzag, "cylinder": _cylinder}
"""of force elements, by their declarations"""
