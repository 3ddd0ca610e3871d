"""Draw the pictures of the conventions that stand on the README sheets: conventions-2d.png and conventions-3d.png.

Usage: python templates/conventions.py [FOLDER]

The workbooks take the files as they are, so that making them needs no matplotlib and gives the same bytes everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch
from matplotlib.transforms import Affine2D

INK, GREY, BEFORE, PALE, BLUE, GREEN, RED = (
    *("#1F2933", "#6B7780", "#B4BFC8", "#DCE4EA"),
    *("#3E6A8F", "#4B7B4A", "#B4532A"),
)
SIZE, DPI, COLOURS = (6.0, 5.4), 144, 48
BOLD: dict[str, Any] = {"fontsize": 10.5, "color": INK, "fontweight": "bold"}


def make(folder: Path) -> list[Path]:
    """Write both pictures and return their paths."""
    paths = []
    for name, draw in (("conventions-2d", _plane), ("conventions-3d", _space)):
        figure = plt.figure(figsize=SIZE, facecolor="white")
        draw(figure)
        drawn = BytesIO()
        figure.savefig(drawn, dpi=DPI, metadata={"Software": None})
        plt.close(figure)
        paths.append(folder / f"{name}.png")
        Image.open(drawn).convert("RGB").quantize(COLOURS).save(paths[-1], dpi=(DPI, DPI), optimize=True)
    return paths


def _v(x: float, y: float) -> Any:
    """A vector on the paper."""
    return np.array([x, y])


def _panel(figure: Any, box: tuple[float, float, float, float], span: tuple[float, float], title: str) -> Any:
    """An empty drawing to scale. box: left, bottom, width, height of the figure. span: how far x and y reach."""
    axes = figure.add_axes(box)
    axes.set_xlim(0, span[0])
    axes.set_ylim(0, span[1])
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, loc="left", pad=4, **BOLD)
    return axes


def _arrow(
    axes: Any, start: Any, end: Any, colour: str = INK, width: float = 1.5, style: str = "-|>", **more: Any
) -> None:
    axes.add_patch(
        FancyArrowPatch(
            tuple(start), tuple(end), arrowstyle=style, mutation_scale=11, color=colour, linewidth=width, shrinkA=0, shrinkB=0,
            **more,
        )
    )  # fmt: skip


def _turn(axes: Any, centre: Any, radius: float, start: float, end: float, colour: str) -> None:
    """An arc from one angle in degrees to another, with an arrow at its end."""
    angles = np.radians(np.linspace(start, end, 40))
    points = np.asarray(centre) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    axes.plot(points[:-3, 0], points[:-3, 1], color=colour, linewidth=1.5)
    _arrow(axes, points[-5], points[-1], colour)


def _text(axes: Any, at: Any, text: str, colour: str = INK, size: float = 10.0, **more: Any) -> None:
    axes.text(*at, text, color=colour, fontsize=size, **({"ha": "center", "va": "center"} | more))


def _bar(axes: Any, start: Any, angle: float, length: float, colour: str, width: float = 0.34) -> None:
    """A link from a pin in a direction given in degrees."""
    shape = FancyBboxPatch(
        (-width / 2, -width / 2), length + width, width, boxstyle=f"round,pad=0,rounding_size={width / 2}",
        facecolor=colour, edgecolor=INK, linewidth=1.0, alpha=0.9,
    )  # fmt: skip
    shape.set_transform(Affine2D().rotate_deg(angle).translate(*start) + axes.transData)
    axes.add_patch(shape)


def _pin(axes: Any, at: Any) -> None:
    axes.add_patch(Circle(at, 0.09, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=5))


def _plane(figure: Any) -> None:
    axes = _panel(
        figure, (0.02, 0.42, 0.96, 0.52), (10, 4.9), "Frames: everything is given in the initial configuration"
    )
    origin, centre, phi = np.array([0.7, 0.7]), np.array([5.2, 2.1]), 28.0
    rotation = np.array(
        [[np.cos(np.radians(phi)), -np.sin(np.radians(phi))], [np.sin(np.radians(phi)), np.cos(np.radians(phi))]]
    )
    body = FancyBboxPatch(
        (-1.9, -0.75), 4.3, 1.6, boxstyle="round,pad=0,rounding_size=0.7", facecolor=PALE, edgecolor=GREY, linewidth=1.2
    )
    body.set_transform(Affine2D().rotate_deg(phi).translate(*centre) + axes.transData)
    axes.add_patch(body)
    _arrow(axes, origin, origin + _v(1.7, 0))
    _arrow(axes, origin, origin + _v(0, 1.7))
    _text(axes, origin + _v(1.95, 0), "$x$")
    _text(axes, origin + _v(0, 1.95), "$y$")
    _text(axes, origin + _v(0.1, -0.35), "ground", GREY, 9)
    _arrow(axes, (0.95, 4.3), (0.95, 3.3), GREY)
    _text(axes, (1.2, 3.8), "gravity, $-y$", GREY, 9, ha="left")
    _arrow(axes, origin, centre, GREY, 1.0, linestyle=(0, (4, 3)))
    _text(axes, (2.75, 1.75), "$(x,\\ y)$", GREY, 10)
    axes.plot([centre[0], centre[0] + 2.4], [centre[1]] * 2, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
    for direction, name in (((2.05, 0), "$\\xi$"), ((0, 1.5), "$\\eta$")):
        tip = centre + rotation @ direction
        _arrow(axes, centre, tip, BLUE, 2.0)
        _text(axes, centre + rotation @ (np.array(direction) * 1.13), name, BLUE, 12)
    _turn(axes, centre, 1.55, 0, phi, RED)
    _text(axes, centre + _v(1.9, 0.42), "$\\varphi$", RED, 12)
    axes.add_patch(Circle(centre, 0.08, facecolor=INK, zorder=5))
    _text(axes, centre + _v(0.25, -0.33), "centre of mass", INK, 9, ha="left")
    point = centre + rotation @ (1.25, 0.55)
    axes.plot(*point, marker="o", markersize=5, color=GREEN)
    _text(axes, point + _v(0.05, 0.32), "$P(\\xi,\\ \\eta)$", GREEN, 10, ha="left")
    _text(
        axes,
        (9.9, 4.45),
        "$\\varphi$, moments and angular velocities:\ncounter-clockwise is positive",
        RED,
        9,
        ha="right",
    )
    _signs(figure, "angle of a joint", "of body $j$ against body $i$,\n0 at the start")


def _signs(figure: Any, title: str, text: str) -> None:
    """The lower half of both pictures: what counts as positive in a joint and in a spring."""
    axes = _panel(figure, (0.02, 0.01, 0.46, 0.35), (5, 3.4), f"Signs: {title}")
    hinge = (0.9, 1.05)
    _bar(axes, hinge, 8, 2.6, PALE)
    _bar(axes, hinge, 58, 2.2, "#B9CEDF")
    _pin(axes, hinge)
    _turn(axes, hinge, 1.75, 8, 56, RED)
    _text(axes, (2.7, 2.15), "+", RED, 14)
    _text(axes, (3.8, 1.45), "body $i$", INK, 9, ha="left")
    _text(axes, (2.45, 3.1), "body $j$", INK, 9, ha="left")
    _text(axes, (0.0, 0.32), text, GREY, 8.5, ha="left")
    axes = _panel(figure, (0.52, 0.01, 0.46, 0.35), (5, 3.4), "Signs: forces")
    left, right = np.array([0.75, 2.15]), np.array([4.25, 2.15])
    for centre in (left, right):
        axes.add_patch(Circle(centre, 0.42, facecolor=PALE, edgecolor=GREY, linewidth=1.2))
    across = np.linspace(left[0] + 0.42, right[0] - 0.42, 14)
    up = np.where(np.arange(14) % 2, 0.16, -0.16)
    up[[0, 1, -2, -1]] = 0
    axes.plot(across, left[1] + up, color=INK, linewidth=1.2)
    _arrow(axes, left + _v(0.42, 0.5), left + _v(1.35, 0.5), RED, 1.8)
    _arrow(axes, right + _v(-0.42, 0.5), right + _v(-1.35, 0.5), RED, 1.8)
    _text(axes, (2.5, 2.65), "+", RED, 14)
    words = (
        "A spring's force is + when it pulls\nits ends together. A reaction is the\nforce on the named body: .i or .j."
    )
    _text(axes, (0.0, 0.55), words, GREY, 8.5, ha="left")


EYE = np.array([[-0.966, 0.259, 0.0], [-0.109, -0.408, 0.906]])
"""parallel projection of space: to the right and upwards"""


def _about(axis: int, degrees: float) -> Any:
    """The rotation about an axis, by degrees."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turned = np.eye(3)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    turned[i, i] = turned[j, j] = c
    turned[i, j], turned[j, i] = -s, s
    return turned


def _triad(
    axes: Any, at: Any, frame: Any, names: Sequence[str], colours: Sequence[str], width: float, size: float
) -> None:
    for k, (name, colour) in enumerate(zip(names, colours, strict=True)):
        tip = np.asarray(at) + EYE @ frame[:, k] * size
        _arrow(axes, at, tip, colour, width)
        if name:
            _text(axes, np.asarray(at) + EYE @ frame[:, k] * size * 1.2, name, colour, 10.5)


def _space(figure: Any) -> None:
    axes = _panel(figure, (0.02, 0.42, 0.96, 0.52), (10, 4.9), "Orientation: three turns, one after the other")
    angles = (35.0, 25.0, 40.0)
    frames = [np.eye(3)]
    for axis, degrees in zip((2, 1, 0), angles, strict=True):
        frames.append(frames[-1] @ _about(axis, degrees))
    names = [
        ("$x$", "$y$", "$z$"),
        ("$x'$", "$y'$", "$z$"),
        ("$x''$", "$y'$", "$z''$"),
        ("$\\xi$", "$\\eta$", "$\\zeta$"),
    ]
    titles = ("1  yaw about $z$", "2  pitch about $y'$", "3  roll about $x''$")
    for k, ((before, after), title) in enumerate(zip(pairwise(frames), titles, strict=True)):
        at, axis = np.array([1.75 + 3.25 * k, 2.0]), (2, 1, 0)[k]
        shown = [BLUE if n != axis else RED for n in range(3)]
        _triad(axes, at, before, ("", "", ""), [BEFORE if n != axis else RED for n in range(3)], 1.5, 1.55)
        _triad(axes, at, after, names[k + 1], shown, 1.8, 1.55)
        _spin(axes, at, before, axis, angles[k])
        _text(axes, at + _v(0, 2.2), title, INK, 10)
    _text(
        axes,
        (0.0, 0.05),
        "Right-hand rule about every axis. Grey: before the turn; red: the axis of the turn.",
        GREY,
        9,
        ha="left",
    )
    _text(axes, (9.9, 4.75), "gravity: $-z$", GREY, 9, ha="right")
    _signs(figure, "angle of a joint", "of body $j$ against body $i$, 0 at the start,\nright-handed about the axis")


def _spin(axes: Any, at: Any, before: Any, axis: int, degrees: float) -> None:
    """The arc by which the turn about an axis carries the other two."""
    for k in {0, 1, 2} - {axis}:
        steps = [before @ _about(axis, angle)[:, k] for angle in np.linspace(0, degrees, 20)]
        points = np.array([np.asarray(at) + EYE @ step * 1.05 for step in steps])
        axes.plot(points[:-2, 0], points[:-2, 1], color=RED, linewidth=1.2)
        _arrow(axes, points[-3], points[-1], RED, 1.2)


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent):
        print(path)
