"""The sketch on a README sheet: a native chart of the mechanism, drawn to scale, that follows the numbers of the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from look import FONT, GREY, INK, LINE, Cell, Formula
from xlsxwriter.utility import xl_col_to_name

LARGEST = (560, 520)
"""pixels that the drawing may take in x and y"""
LEFT, RIGHT, ABOVE, BELOW = 70, 30, 45, 65
"""pixels around the drawing, for title and axes"""
HIDDEN: dict[str, Any] = {"name": None, "visible": False, "major_gridlines": {"visible": False}}
"""of the axes where a view of space is drawn: distances on the sheet mean nothing"""
FIRST_COLUMN = 2
"""of the points on the sheet Lookup"""


@dataclass(frozen=True)
class Line:
    """One polyline of the sketch. points: (x, y) in the unit of the sketch. labels: one per point, ``""`` = none.

    width: in points, 0 = markers only. markers: circle, diamond, none. label_at: above, below, left or right.
    """

    name: str
    points: Sequence[tuple[Cell, Cell]]
    labels: Sequence[str] = ()
    colour: str = "#3E6A8F"
    width: float = 2.25
    markers: str = "circle"
    dashed: bool = False
    label_at: str = "above"


@dataclass(frozen=True)
class View:
    """A parallel projection of space onto the sheet, global z upwards.

    azimuth, elevation: degrees, of the direction towards the eye, about z from x, and above the x-y plane.
    """

    azimuth: float
    elevation: float

    def point(self, x: Cell, y: Cell, z: Cell) -> tuple[Formula, Formula]:
        """Where a point of space stands on the sheet, to the right and upwards."""
        azimuth, elevation = radians(self.azimuth), radians(self.elevation)
        right = (-sin(azimuth), cos(azimuth), 0.0)
        up = (-sin(elevation) * cos(azimuth), -sin(elevation) * sin(azimuth), cos(elevation))
        return _weighted(right, (x, y, z)), _weighted(up, (x, y, z))

    def axes(self, origin: tuple[float, float, float], size: float) -> list[Line]:
        """The global axes as three short lines with their names."""
        lines = []
        for k, name in enumerate("xyz"):
            tip = [value + (size if i == k else 0.0) for i, value in enumerate(origin)]
            points = [self.point(*origin), self.point(*tip)]
            lines.append(Line(f"axis {name}", points, ("", name), "#9AA7B1", 1.25, markers="none", label_at="right"))
        return lines


def columns_of(number: int) -> tuple[int, int]:
    """The columns of Lookup with x and y of the line of this number."""
    return FIRST_COLUMN + 3 * number, FIRST_COLUMN + 3 * number + 1


def chart(book: Any, lines: Sequence[Line], unit: str) -> Any:
    """The mechanism in its initial configuration, to the same scale in x and y. lines: in ``unit``; ``""``: no axes."""
    drawn = book.add_chart({"type": "scatter", "subtype": "straight_with_markers"})
    for number, line in enumerate(lines):
        drawn.add_series(_series(number, line))
    xs, ys = ([_number(point[axis]) for line in lines for point in line.points] for axis in (0, 1))
    low_x, high_x, low_y, high_y, step = _frame(xs, ys) if unit else _tight(xs, ys)
    left, below = (LEFT, BELOW) if unit else (RIGHT, RIGHT)
    scale = min(LARGEST[0] / (high_x - low_x), LARGEST[1] / (high_y - low_y))
    width, height = scale * (high_x - low_x), scale * (high_y - low_y)
    full_width, full_height = width + left + RIGHT, height + ABOVE + below
    inner = {
        "x": left / full_width,
        "y": ABOVE / full_height,
        "width": width / full_width,
        "height": height / full_height,
    }
    drawn.set_size({"width": round(full_width), "height": round(full_height)})
    drawn.set_plotarea({"layout": inner})
    title_font = {"name": FONT, "size": 12, "bold": True, "color": INK}
    drawn.set_title({"name": "Initial configuration", "name_font": title_font, "overlay": True})
    drawn.set_legend({"none": True})
    drawn.set_chartarea({"border": {"color": LINE}})
    across, upwards = _axis(f"x [{unit}]", low_x, high_x, step), _axis(f"y [{unit}]", low_y, high_y, step)
    drawn.set_x_axis(across if unit else across | HIDDEN)
    drawn.set_y_axis(upwards if unit else upwards | HIDDEN)
    return drawn


def _series(number: int, line: Line) -> dict[str, Any]:
    x, y = (xl_col_to_name(column) for column in columns_of(number))
    last = len(line.points) + 1
    stroke: dict[str, Any] = {"color": line.colour, "width": line.width} if line.width else {"none": True}
    if line.dashed:
        stroke["dash_type"] = "dash"
    options: dict[str, Any] = {
        "name": line.name,
        "categories": f"=Lookup!${x}$2:${x}${last}",
        "values": f"=Lookup!${y}$2:${y}${last}",
        "line": stroke,
        "marker": {"type": "none"},
    }
    if line.markers != "none":
        border = {"color": line.colour, "width": 1.5}
        options["marker"] = {
            "type": line.markers,
            "size": 7,
            "fill": {"color": "white" if line.width else line.colour},
            "border": border,
        }
    if any(line.labels):
        options["data_labels"] = {
            "value": True,
            "position": line.label_at,
            "font": {"name": FONT, "size": 10, "color": INK},
            "custom": [{"value": label} if label else {"delete": True} for label in line.labels],
        }
    return options


def _axis(name: str, low: float, high: float, step: float) -> dict[str, Any]:
    return {
        "name": name,
        "name_font": {"name": FONT, "size": 10, "bold": False, "color": GREY},
        "num_font": {"name": FONT, "size": 9, "color": GREY},
        "num_format": "General",
        "min": low,
        "max": high,
        "major_unit": step,
        "crossing": "min",
        "label_position": "low",
        "line": {"color": LINE},
        "major_gridlines": {"visible": True, "line": {"color": "#EDF0F2", "width": 0.75}},
    }


def _frame(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Axis limits around the sketch on a common round grid, and the grid's step."""
    span = max(max(xs) - min(xs), max(ys) - min(ys))
    step = next(size * 10.0**power for power in range(-6, 7) for size in (1, 2, 5) if span <= 11 * size * 10.0**power)
    margin = 0.03 * span

    def limits(values: Sequence[float]) -> tuple[float, float]:
        low, high = (min(values) - margin) / step, (max(values) + margin) / step
        return step * (low // 1), step * -(-high // 1)

    return *limits(xs), *limits(ys), step


def _tight(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Limits close around the sketch, with room for labels, where there is no grid."""
    margin = 0.07 * max(max(xs) - min(xs), max(ys) - min(ys))
    return min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin, margin


def _weighted(weights: Sequence[float], cells: Sequence[Cell]) -> Formula:
    """A sum of cells, as a formula; the weights to four digits, which is finer than any screen."""
    parts, total = [], 0.0
    for weight, cell in zip(weights, cells, strict=True):
        rounded = round(weight, 4)
        text = cell.text.removeprefix("=") if isinstance(cell, Formula) else f"{_number(cell):.15g}"
        if rounded:
            parts.append(f"{rounded:+g}*({text})")
            total += rounded * _number(cell)
    return Formula(f"={''.join(parts).removeprefix('+') or '0'}", total)


def _number(cell: Cell) -> float:
    value = cell.value if isinstance(cell, Formula) else cell
    if isinstance(value, str) or value is None:
        raise TypeError(value)
    return float(value)
