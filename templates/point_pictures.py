"""Pictures of what the points of a suspension are called: points-<template>-<axle>.png.

Usage: python templates/point_pictures.py [FOLDER]

They show the points that a template holds. The workbooks take the files as they are, so that making them needs no matplotlib.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "workbooks"), str(HERE.parent)]

import make_formula_student  # noqa: E402 - found by the line above
import make_macpherson  # noqa: E402 - the same
import suspension_cars  # noqa: E402 - the same
from car_sheets import MEMBERS, Car, Point  # noqa: E402 - the same

CARS: dict[str, Car] = {
    "suspension-formula-student": make_formula_student.CAR,
    "suspension-macpherson": make_macpherson.CAR,
    **{name: car for name, (car, _about) in suspension_cars.CARS.items()},
}
INK, GREY, PALE = "#1F2933", "#6B7780", "#C9D3DB"
SIZE, DPI, COLOURS = (7.0, 5.2), 144, 64
AZIMUTH, ELEVATION = radians(38.0), radians(22.0)
"""of the direction towards the eye: from the front left, a little above"""
LEAST_GAP = 0.058
"""between two names, of the height of the picture"""
MIN_ASIDE, LETTER = 0.2, 0.0104
"""of the width of the picture: from its edges to the names, at least, and room for a letter of a name"""
TRIAD = (("x, forward", (1.0, 0.0, 0.0)), ("y, left", (0.0, 1.0, 0.0)), ("z, up", (0.0, 0.0, 1.0)))
Flat = tuple[float, float]


def shown(name: str) -> list[tuple[Path, str]]:
    """The pictures of a template, each with what it shows."""
    return [(_path(HERE, name, axle), _words(axle, points)) for axle, points in CARS[name].points.items()]


def _path(folder: Path, name: str, axle: str) -> Path:
    return folder / f"points-{name.removeprefix('suspension-')}-{axle}.png"


def _words(axle: str, points: Mapping[str, Point]) -> str:
    return f"Points of the {axle} axle, left side, seen from the front left: {', '.join(points)}"


def draw(points: Mapping[str, Point], radius: float, title: str, path: Path) -> None:
    """Write the picture of an axle's points. points: of the left side, mm. radius: of the wheel, mm."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from PIL import Image

    figure = plt.figure(figsize=SIZE, facecolor="white")
    axes = figure.add_axes((0.0, 0.0, 1.0, 0.93))
    axes.axis("off")
    figure.text(0.02, 0.955, title, fontsize=11, fontweight="bold", color=INK)
    place = _scaled(points, radius)
    _wheel(axes, points["wheel centre"], radius, place)
    for _name, members, colour in MEMBERS:
        if all(each in points for each in members):
            at = [place(points[each]) for each in members]
            axes.plot(*zip(*at, strict=True), color=colour, linewidth=2.4, solid_joinstyle="round", zorder=2)
    for point in points.values():
        axes.plot(*place(point), "o", color="white", markeredgecolor=INK, markersize=5.5, zorder=4)
    for name, at, anchor in _labels({name: place(point) for name, point in points.items()}):
        side = "right" if at[0] < anchor[0] else "left"
        axes.text(*at, name, ha=side, va="center", fontsize=9.5, color=INK)
        edge = at[0] + (0.006 if side == "right" else -0.006)
        axes.plot([edge, anchor[0]], [at[1], anchor[1]], color=GREY, linewidth=0.6, zorder=3)
    _triad(axes)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=DPI, metadata={"Software": None})
    plt.close(figure)
    Image.open(drawn).convert("RGB").quantize(COLOURS).save(path, dpi=(DPI, DPI), optimize=True)


def _project(point: Sequence[float]) -> Flat:
    """Where a point stands on the paper, mm to the right and upwards."""
    x, y, z = point
    right = -sin(AZIMUTH) * x + cos(AZIMUTH) * y
    up = -sin(ELEVATION) * (cos(AZIMUTH) * x + sin(AZIMUTH) * y) + cos(ELEVATION) * z
    return right, up


def _rim(centre: Point, radius: float) -> list[Point]:
    return [(centre[0] + radius * cos(a), centre[1], centre[2] + radius * sin(a)) for a in _angles()]


def _angles() -> list[float]:
    return [2.0 * pi * k / 72 for k in range(73)]


def _scaled(points: Mapping[str, Point], radius: float) -> Any:
    """Puts a point into the middle of the picture, between the names. Gives parts of width and height."""
    all_points = [*points.values(), *_rim(points["wheel centre"], radius)]
    flat = [_project(point) for point in all_points]
    (left, right), (low, high) = ((min(each), max(each)) for each in zip(*flat, strict=True))
    tall = 0.93 * SIZE[1]
    scale = min(0.50 * SIZE[0] / (right - left), 0.86 * tall / (high - low))

    def place(point: Sequence[float]) -> Flat:
        across, up = _project(point)
        return (
            0.5 + (across - 0.5 * (left + right)) * scale / SIZE[0],
            0.5 + (up - 0.5 * (low + high)) * scale / tall,
        )

    return place


def _wheel(axes: Any, centre: Point, radius: float, place: Any) -> None:
    rim = [place(point) for point in _rim(centre, radius)]
    axes.fill(*zip(*rim, strict=True), facecolor="#EEF2F5", edgecolor=PALE, linewidth=1.4, zorder=1)
    road = [place((centre[0], centre[1] + dy, centre[2] - radius)) for dy in (-0.35 * radius, 0.35 * radius)]
    axes.plot(*zip(*road, strict=True), color=GREY, linewidth=1.2, zorder=1)


def _labels(anchors: Mapping[str, Flat]) -> Iterator[tuple[str, Flat, Flat]]:
    """Names in two columns, in the order of their points' heights, none nearer to the next than they are high."""
    by_side = sorted(anchors, key=lambda name: anchors[name][0])
    half = (len(by_side) + 1) // 2
    aside = max(MIN_ASIDE, LETTER * max(map(len, anchors)))
    for names, x in ((by_side[:half], aside), (by_side[half:], 1.0 - aside)):
        ordered = sorted(names, key=lambda name: anchors[name][1])
        for name, y in zip(ordered, _spread([anchors[name][1] for name in ordered]), strict=True):
            yield name, (x, y), anchors[name]


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights moved apart to the least gap, in their order, and as a whole back to where they were."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + LEAST_GAP) if moved else height)
    back = sum(moved) / len(moved) - sum(heights) / len(heights)
    lowest, highest = moved[0] - back, moved[-1] - back
    shift = back + min(0.0, 0.97 - highest) * -1.0
    shift -= max(0.0, 0.12 - (moved[0] - shift)) if lowest < 0.12 else 0.0
    return [height - shift for height in moved]


def _triad(axes: Any) -> None:
    origin = (0.17, 0.05)
    for name, axis in TRIAD:
        across, up = _project(axis)
        tip = (origin[0] + 0.06 * across, origin[1] + 0.06 * up * SIZE[0] / (0.93 * SIZE[1]))
        axes.annotate("", tip, origin, arrowprops={"arrowstyle": "-|>", "color": GREY, "shrinkA": 0, "shrinkB": 0})
        beyond = (origin[0] + 1.25 * (tip[0] - origin[0]), origin[1] + 1.25 * (tip[1] - origin[1]))
        side = "center" if abs(across) < 0.3 else "right" if across < 0 else "left"
        axes.text(*beyond, name, fontsize=8, color=GREY, ha=side, va="center")


def make(folder: Path) -> list[Path]:
    """Write all pictures and return their paths."""
    paths = []
    for name, car in CARS.items():
        rows = {setting: values for setting, values, _unit, _notes in car.settings}
        for number, (axle, points) in enumerate(car.points.items()):
            kind, radius = rows["type"][number], rows["tyre radius"][number]
            rod = f", {rows['actuation'][number]}" if "actuation" in rows else ""
            paths.append(_path(folder, name, axle))
            draw(points, float(str(radius)), f"{axle.capitalize()} axle: {kind}{rod}, left side", paths[-1])
    return paths


if __name__ == "__main__":
    for made in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(f"made {made.name}")
