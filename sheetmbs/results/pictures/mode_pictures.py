"""Pictures of the first shapes: the mechanism where it rests in grey, and swung out to both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sheetmbs.results.pictures.on_axes import draw, frame_axes
from sheetmbs.results.pictures.scene import INK, PLANE, VIEWS, scene_of, size_of
from sheetmbs.results.pictures.swung_modes import displaced, mode_title, numbers_of, swing_amplitude

if TYPE_CHECKING:
    from sheetmbs.results.results import Results

MAX_SHAPES = 6
"""largest number of mode shapes in one picture"""
GREY = "#B4BCC4"
OPPOSITE_SIDE_OPACITY = 0.4
"""opacity of the opposite extreme of a mode shape, as a fraction of the other one's"""


def draw_modes(figure: Any, result: Results) -> None:
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
