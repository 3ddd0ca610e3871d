"""Pictures of a mechanism for checking: lines between its points at chosen times, in one view or in four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.results.pictures.mode_pictures import draw_modes
from sheetmbs.results.pictures.on_axes import draw, frame_axes
from sheetmbs.results.pictures.scene import (
    FAINT,
    INK,
    PLANE,
    VIEWS,
    DrawnScene,
    Floats,
    scene_of,
    size_of,
)
from sheetmbs.results.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot(result: Results, times: Sequence[float] | None = None) -> Figure:
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
            raise ValueError("a result with modes has shapes and no times: leave the times out")
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


def _rows(result: Results, times: Sequence[float] | None) -> list[int]:
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


def _paths(axes: Axes, result: Results, view: Floats) -> None:
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
