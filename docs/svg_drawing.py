"""A drawing in SVG: lines, arrows, dimensions, angles and labels, in the coordinates of what is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import atan2, cos, degrees, hypot, sin
from pathlib import Path

INK, GREY, PALE, ROAD = "#1F2933", "#52606D", "#C9D3DB", "#7B8794"
BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#00795B", "#A34A7F"
"""dark shades of the colours of the sheets, which colour-blind eyes tell apart"""
FONT = "system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
Flat = tuple[float, float]


class Drawing:
    """Strokes and texts; ``place`` turns a point of what is drawn into a place on the paper, in pixels from its top left."""

    def __init__(self, width: float, height: float, place: Callable[[Sequence[float]], Flat], about: str) -> None:
        self.size = (width, height)
        self.place = place
        self.about = about
        self.parts: list[str] = []

    def line(self, *points: Sequence[float], colour: str = INK, width: float = 1.6, dash: str = "") -> None:
        """Draw a line through points."""
        self._path([self.place(point) for point in points], colour, width, dash)

    def area(self, points: Sequence[Sequence[float]], fill: str, colour: str = INK, width: float = 1.6) -> None:
        """Draw a closed shape."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.place, points))
        self.parts.append(f'<polygon points="{corners}" fill="{fill}" stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, point: Sequence[float], name: str = "", offset: Flat = (8.0, -8.0), colour: str = INK) -> None:
        """Draw a point with its name. offset: of the name, in pixels."""
        x, y = self.place(point)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#fff" stroke="{colour}" stroke-width="1.8"/>')
        if name:
            self._text((x + offset[0], y + offset[1]), name, colour, bold=True, anchor=_side(offset[0]))

    def arrow(
        self, start: Sequence[float], end: Sequence[float], name: str, colour: str, offset: Flat = (8.0, 0.0)
    ) -> None:
        """Draw a vector with its name at the tip."""
        a, b = self.place(start), self.place(end)
        self._path([a, b], colour, 2.4, "")
        self._head(a, b, colour, 9.0)
        self._text((b[0] + offset[0], b[1] + offset[1]), name, colour, bold=True, anchor=_side(offset[0]))

    def dimension(
        self, start: Sequence[float], end: Sequence[float], name: str, colour: str, *, shift: Flat = (0.0, 0.0)
    ) -> None:
        """Draw a distance with its name, moved off what it measures by ``shift`` pixels."""
        a, b = self.place(start), self.place(end)
        moved = [(x + shift[0], y + shift[1]) for x, y in (a, b)]
        for near, far in zip((a, b), moved, strict=True):
            self._path([near, far], PALE, 1.0, "")
        self._path(moved, colour, 1.6, "")
        self._head(*moved, colour, 7.0)
        self._head(*moved[::-1], colour, 7.0)
        middle = (0.5 * (moved[0][0] + moved[1][0]), 0.5 * (moved[0][1] + moved[1][1]))
        level = abs(moved[0][1] - moved[1][1]) < abs(moved[0][0] - moved[1][0])
        at = (middle[0], middle[1] + (17.0 if shift[1] > 0 else -7.0)) if level else (middle[0] + 8.0, middle[1] + 4.0)
        self._text(at, name, colour, anchor="middle" if level else "start")

    def angle(
        self,
        corner: Sequence[float],
        to_a: Sequence[float],
        to_b: Sequence[float],
        radius: float,
        name: str,
        colour: str,
    ) -> None:
        """Draw the angle at a corner between the directions to two points. radius: of its arc, in pixels."""
        c, a, b = (self.place(each) for each in (corner, to_a, to_b))
        first, second = (atan2(p[1] - c[1], p[0] - c[0]) for p in (a, b))
        while second - first > 3.141592653589793:
            second -= 6.283185307179586
        while first - second > 3.141592653589793:
            second += 6.283185307179586
        ends = [(c[0] + radius * cos(t), c[1] + radius * sin(t)) for t in (first, second)]
        sweep = int(second > first)
        self.parts.append(
            f'<path d="M{ends[0][0]:.1f} {ends[0][1]:.1f}A{radius:.0f} {radius:.0f} 0 0 {sweep} '
            f'{ends[1][0]:.1f} {ends[1][1]:.1f}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
        )
        turn = 1.0 if second > first else -1.0
        tangent = (ends[1][0] + turn * sin(second) * 6.0, ends[1][1] - turn * cos(second) * 6.0)
        self._head(tangent, ends[1], colour, 7.0)
        middle = 0.5 * (first + second)
        at = (c[0] + (radius + 14.0) * cos(middle), c[1] + (radius + 14.0) * sin(middle))
        self._text(at, name, colour, anchor=_side(cos(middle)) if abs(cos(middle)) > 0.3 else "middle")

    def label(
        self,
        at: Sequence[float],
        text: str,
        colour: str = GREY,
        anchor: str = "start",
        offset: Flat = (0.0, 0.0),
        size: float = 14.0,
    ) -> None:
        """Write a text at a point of what is drawn."""
        x, y = self.place(at)
        self._text((x + offset[0], y + offset[1]), text, colour, anchor=anchor, size=size)

    def title(self, text: str) -> None:
        """Write the title above the drawing."""
        self._text((16.0, 28.0), text, INK, bold=True, anchor="start", size=16.0)

    def pixel_label(self, at: Flat, text: str, colour: str = GREY, anchor: str = "start", size: float = 14.0) -> None:
        """Write a text at a place on the paper."""
        self._text(at, text, colour, anchor=anchor, size=size)

    def save(self, path: Path) -> None:
        """Write the file."""
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" aria-label="{escape(self.about)}" font-family="{FONT}">\n'
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>\n'
        )
        path.write_text(head + "\n".join(self.parts) + "\n</svg>\n", encoding="utf-8")

    def _path(self, points: Sequence[Flat], colour: str, width: float, dash: str) -> None:
        d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round" '
            f'stroke-linejoin="round"{dashed}/>'
        )

    def _head(self, start: Flat, end: Flat, colour: str, size: float) -> None:
        if hypot(end[0] - start[0], end[1] - start[1]) < 1e-9:
            return
        turn = degrees(atan2(end[1] - start[1], end[0] - start[0]))
        self.parts.append(
            f'<path d="M0 0L{-size:.0f} {-0.42 * size:.1f}L{-size:.0f} {0.42 * size:.1f}z" fill="{colour}" '
            f'transform="translate({end[0]:.1f} {end[1]:.1f}) rotate({turn:.1f})"/>'
        )

    def _text(
        self, at: Flat, text: str, colour: str, *, bold: bool = False, anchor: str = "middle", size: float = 14.0
    ) -> None:
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" fill="{colour}" font-size="{size:.0f}" text-anchor="{anchor}"'
            f'{weight} stroke="#fff" stroke-width="4" stroke-linejoin="round" paint-order="stroke">{escape(text)}</text>'
        )


def _side(offset: float) -> str:
    return "start" if offset > 0 else "end"
