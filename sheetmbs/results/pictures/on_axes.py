"""Strokes on the axes of a matplotlib figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sheetmbs.model.model import Model
from sheetmbs.results.pictures.scene import COLOURS, FAINT, GRID, INK, DrawnScene, Floats, held_by
from sheetmbs.results.pictures.strokes import Kind, strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NAMED = 14
"""bodies in the legend; a longer one would crowd the picture out"""
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
    unnamed = [body.name for body in model.bodies[:MOST_NAMED]] if strength == 1.0 else []
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
