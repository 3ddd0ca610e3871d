"""Pictures of a mechanism for checking: lines between its points at chosen times, in one view or in four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.pictures.scene import (
    COLOURS,
    FAINT,
    GRID,
    INK,
    MAX_NAMED_BODIES,
    PLANE,
    VIEWS,
    DrawnScene,
    displaced,
    held_by,
    mode_title,
    numbers_of,
    scene_of,
    size_of,
    swing_amplitude,
)
from sheetmbs.results.pictures.strokes import Kind, strokes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Figure  # noqa: PLC0414 - results name it too

MARKED: dict[str, Any] = {"linestyle": "", "zorder": 4}
HOLLOW: dict[str, Any] = {"linestyle": "", "marker": "o", "color": INK, "zorder": 5}
STYLES: dict[Kind, dict[str, Any]] = {
    "body": {"linewidth": 2.4, "solid_capstyle": "round", "zorder": 3},
    "centre": MARKED | {"marker": "+", "markersize": 5},
    "link": {"color": INK, "linewidth": 1.0, "zorder": 2},
    "slide": {"color": INK, "linewidth": 0.9, "linestyle": "--", "zorder": 2},
    "wheel": {"color": INK, "linewidth": 1.4, "zorder": 2},
    "joint": HOLLOW | {"markersize": 5, "markerfacecolor": "white"},
    "spring": {"color": FAINT, "linewidth": 1.1, "zorder": 2},
    "bearing": HOLLOW | {"markersize": 8, "markerfacecolor": "none"},
    "ground": MARKED | {"marker": "^", "markersize": 8, "color": FAINT, "markeredgecolor": INK, "label": "ground"},
}
RECOLOURED = ("body", "centre", "joint")
"""strokes that a colour changes which is given for all bodies"""
MAX_SHAPES = 6
"""largest number of mode shapes in one picture"""
GREY = "#B4BCC4"
OPPOSITE_SIDE_OPACITY = 0.4
"""opacity of the opposite extreme of a mode shape, as a fraction of the other one's"""


class DrawnResults(Protocol):
    """What a picture is drawn from: the model, and the frames of bodies, reported points and modes."""

    @property
    def model(self) -> Model:
        """The mechanism that was analysed, with its settings."""

    @property
    def bodies(self) -> pd.DataFrame:
        """Positions and angles of the bodies over ``time``."""

    @property
    def points(self) -> pd.DataFrame:
        """Positions of the reported points."""

    @property
    def modes(self) -> pd.DataFrame:
        """Frequencies, damping ratios and shapes."""


def plot(result: DrawnResults, times: Sequence[float] | None = None) -> Figure:
    """Draw the mechanism of a result at chosen times: one view in the plane, four in space.

    Lines join the places where joints, springs and points are attached to a body; thin lines are the paths of reported
    points. Of the analysis ``modes`` the first mode shapes are drawn instead, swung out to both sides.

    Parameters
    ----------
    result
        What `run` returned.
    times
        Times to draw in s, each at the nearest reported row; default: beginning, middle and end. The last is drawn strongest.

    Returns
    -------
    Figure
        A matplotlib figure; ``savefig`` stores it.

    Raises
    ------
    ValueError
        If a time lies outside the run.
    ImportError
        If matplotlib is not installed (``pip install "sheetmbs[plot]"``).
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('pictures need matplotlib: pip install "sheetmbs[plot]"') from None
    if len(result.modes):
        if times is not None:
            raise ValueError("a result with modes has shapes and no times: give no times")
        figure = Figure(layout="constrained", facecolor="white")
        draw_modes(figure, result)
        return figure
    rows = _rows(result, times)
    views = PLANE if result.model.settings.dimension == "2D" else VIEWS
    figure = Figure(figsize=(9.0, 6.0) if len(views) == 1 else (11.0, 9.0), layout="constrained", facecolor="white")
    scenes = [scene_of(result.model, result.bodies.iloc[row]) for row in rows]
    size = size_of(result.model, scenes)
    for number, (title, directions) in enumerate(views.items()):
        axes = figure.add_subplot(1 if len(views) == 1 else 2, 1 if len(views) == 1 else 2, number + 1)
        frame_axes(axes, title if len(views) > 1 else "", result.model, directions)
        view = np.array(directions)
        _paths(axes, result, view)
        for order, scene in enumerate(scenes, start=1):
            draw(axes, result.model, scene, view, size, strength=0.25 + 0.75 * (order / len(scenes)) ** 2)
            _draw_journals(axes, result.model, scene, view)
    named = figure.axes[0].get_legend_handles_labels()
    if named[0]:
        figure.legend(*named, loc="outside right upper", frameon=False, fontsize=9, labelcolor=INK)
    told = ", ".join(f"{result.bodies['time'].iloc[row]:.4g}" for row in rows)
    title = result.model.settings.title or "Mechanism"
    figure.suptitle(f"{title} at t = {told} s", fontsize=12, color=INK, x=0.01, ha="left")
    return figure


def _rows(result: DrawnResults, times: Sequence[float] | None) -> list[int]:
    known = result.bodies["time"].to_numpy(dtype=np.float64)
    if not len(known):
        raise ValueError("there is nothing to draw: the analysis ended before its first row")
    if times is None:
        return sorted({0, len(known) // 2, len(known) - 1})
    slack = 1e-9 * max(1.0, float(np.max(np.abs(known))))
    for time in times:
        if not known[0] - slack <= time <= known[-1] + slack:
            raise ValueError(
                f"the time {time:g} s lies outside of the run, which goes from {known[0]:g} to {known[-1]:g} s"
            )
    return [int(np.argmin(np.abs(known - time))) for time in times]


def _paths(axes: Axes, result: DrawnResults, view: Floats) -> None:
    for point in result.model.points:
        columns = [f"{point.name}.{axis}" for axis in "xyz"]
        if point.report and columns[0] in result.points:
            way = np.array([result.points.get(name, 0.0 * result.points["time"]) for name in columns], dtype=np.float64)
            axes.plot(*(view @ way), color=FAINT, linewidth=0.8, zorder=1)


def _draw_journals(axes: Axes, model: Model, scene: DrawnScene, view: Floats) -> None:
    """A ring at every bearing with clearance; the clearance itself is too small to be seen."""
    for clearance in model.clearances:
        place = view @ scene.point(clearance.i) / model.display.length[1]
        axes.plot(*place[:, None], linestyle="", marker="o", markersize=8, markerfacecolor="none", color=INK, zorder=5)


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
    own = {body.name: COLOURS[number % len(COLOURS)] for number, body in enumerate(model.bodies)}
    unnamed = [body.name for body in model.bodies[:MAX_NAMED_BODIES]] if strength == 1.0 else []
    for stroke in strokes(model, scene, view, size, held_by(model)):
        if stroke.kind == "ground" and strength < 1.0:
            continue
        style = STYLES[stroke.kind] | ({"alpha": strength} if stroke.kind != "ground" else {})
        if stroke.kind in ("body", "centre"):
            style["color"] = own[stroke.owner]
            if stroke.owner in unnamed:
                style["label"] = stroke.owner
                unnamed.remove(stroke.owner)
        if colour and stroke.kind in RECOLOURED:
            style["color"] = colour
        axes.plot(*stroke.points, **style)


def draw_modes(figure: Any, result: DrawnResults) -> None:
    """Draw the first shapes that are no rigid-body modes on a matplotlib Figure, in the plane or in an oblique view.

    Each is drawn at the moment at which its largest component is at its peak, and the other way.
    """
    frame = result.modes
    moving = [row for row in range(len(frame)) if frame["frequency"].iloc[row] != 0.0] or list(range(len(frame)))
    rows = moving[:MAX_SHAPES]
    model, rest = result.model, numbers_of(result.bodies.iloc[0])
    directions = PLANE["x-y"] if result.model.settings.dimension == "2D" else VIEWS["oblique view"]
    view = np.array(directions)
    across = min(len(rows), 2 if len(rows) in {2, 4} else 3)
    down = -(-len(rows) // across)
    figure.set_size_inches(2.0 + 4.0 * across, 0.8 + 3.6 * down)
    resting = scene_of(model, rest)
    size = size_of(model, [resting])
    for place, row in enumerate(rows, start=1):
        mode = numbers_of(frame.iloc[row])
        axes = figure.add_subplot(down, across, place)
        frame_axes(axes, mode_title(mode), model, directions)
        draw(axes, model, resting, view, size, 0.9, colour=GREY)
        amplitude = swing_amplitude(model, rest, mode, resting, size)
        for sign, strength in ((-1.0, OPPOSITE_SIDE_OPACITY), (1.0, 1.0)):
            scene = scene_of(model, displaced(model, rest, mode, sign * amplitude))
            draw(axes, model, scene, view, size, strength)
    named = figure.axes[0].get_legend_handles_labels()
    if named[0]:
        figure.legend(*named, loc="outside right upper", frameon=False, fontsize=9, labelcolor=INK)
    title = result.model.settings.title or "Mechanism"
    figure.suptitle(f"{title}: first modes", fontsize=12, color=INK, x=0.01, ha="left")
