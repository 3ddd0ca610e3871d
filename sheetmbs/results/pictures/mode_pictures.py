"""Pictures of the first shapes: the mechanism where it rests in grey, and swung out to both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.results.pictures.scene import (
    INK,
    PLANE,
    VIEWS,
    DrawnScene,
    draw,
    frame_axes,
    held_by,
    scene_of,
    size_of,
)
from sheetmbs.results.results import Results

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

MOST = 6
"""shapes in a picture"""
SWUNG = 0.12
"""of the picture: how far the place that moves most is swung out"""
TURNED = 0.4
"""rad: how far a body is turned at most"""
GREY = "#B4BCC4"
FAR = 0.4
"""strength of the second side"""


def draw_modes(figure: Any, result: Results) -> None:
    """Draw the first shapes that are no rigid-body modes on a matplotlib Figure, in the plane or in an oblique view.

    Each is drawn at the moment at which its largest component is at its peak, and the other way.
    """
    frame = result.modes
    moving = [row for row in range(len(frame)) if frame["frequency"].iloc[row] != 0.0] or list(range(len(frame)))
    rows = moving[:MOST]
    rest = result.bodies.iloc[0]
    directions = PLANE["x-y"] if result.model.settings.dimension == "2D" else VIEWS["oblique view"]
    view = np.array(directions)
    across = min(len(rows), 2 if len(rows) in {2, 4} else 3)
    down = -(-len(rows) // across)
    figure.set_size_inches(2.0 + 4.0 * across, 0.8 + 3.6 * down)
    resting = scene_of(result.model, rest)
    size = size_of(result.model, [resting])
    for place, row in enumerate(rows, start=1):
        axes = figure.add_subplot(down, across, place)
        frame_axes(axes, _title(frame.iloc[row]), result.model, directions)
        draw(axes, result.model, resting, view, size, 0.9, colour=GREY)
        amplitude = _amplitude(result, rest, frame.iloc[row], resting, size)
        for sign, strength in ((-1.0, FAR), (1.0, 1.0)):
            scene = scene_of(result.model, _displaced(result, rest, frame.iloc[row], sign * amplitude))
            draw(axes, result.model, scene, view, size, strength)
    named = figure.axes[0].get_legend_handles_labels()
    if named[0]:
        figure.legend(*named, loc="outside right upper", frameon=False, fontsize=9, labelcolor=INK)
    title = result.model.settings.title or "Mechanism"
    figure.suptitle(f"{title}: first modes", fontsize=12, color=INK, x=0.01, ha="left")


def _title(mode: pd.Series) -> str:
    number, frequency, damping = f"mode {mode['mode']:.0f}", mode["frequency"], mode["damping"]
    if np.isnan(frequency):
        return f"{number}: no vibration, {mode['growth_rate']:.3g} 1/s"
    if frequency == 0.0:
        return f"{number}: rigid body"
    return f"{number}: {frequency:.4g} Hz" + (f", damping ratio {damping:.3g}" if damping else "")


def _displaced(result: Results, rest: pd.Series, mode: pd.Series, amplitude: float) -> pd.Series:
    """A row of `Results.bodies` with a shape times an amplitude added."""
    found, degree = rest.copy(), result.model.display.angle[1]
    for body in result.model.bodies:
        for name in [name for name in mode.index if name.rpartition(".")[0] == body.name and name in found.index]:
            found[name] += amplitude * mode[name]
        if f"{body.name}.rx" in mode.index:
            turn = amplitude * degree * np.array([mode[f"{body.name}.r{axis}"] for axis in "xyz"])
            names = [f"{body.name}.e{k}" for k in range(4)]
            found[names] = _turned(rest[names].to_numpy(dtype=np.float64), turn)
    return found


def _turned(euler: Floats, vector: Floats) -> Floats:
    """Euler parameters (4,) after a further rotation about a global rotation vector (3,)."""
    angle = float(np.linalg.norm(vector))
    c, s = np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * vector
    return np.array([c * euler[0] - s @ euler[1:], *(c * euler[1:] + euler[0] * s + np.cross(s, euler[1:]))])


def _amplitude(result: Results, rest: pd.Series, mode: pd.Series, resting: DrawnScene, size: float) -> float:
    """How large a shape is drawn: clearly, but not so far that bodies seem to stretch."""
    model = result.model
    angles = [abs(mode[name]) for name in mode.index if name.rpartition(".")[2] in {"phi", "rx", "ry", "rz"}]
    turned = max(angles, default=0.0) * model.display.angle[1]
    slight = 1e-3 / turned if turned > 0.0 else 1e-3 * size / model.display.length[1]
    swung = scene_of(model, _displaced(result, rest, mode, slight))
    ways = [swung.point(marker) - resting.point(marker) for held in held_by(model).values() for marker in held]
    ways += [swung.place[body.name][0] - resting.place[body.name][0] for body in model.bodies]
    ways += [there - here for there, here in zip(swung.curves(), resting.curves(), strict=True)]
    farthest = max((float(np.linalg.norm(way)) for way in ways), default=0.0) / slight
    by_way = SWUNG * size / farthest if farthest > 0.0 else np.inf
    by_turn = TURNED / turned if turned > 0.0 else np.inf
    found = min(by_way, by_turn)
    return float(found) if np.isfinite(found) else 0.0
