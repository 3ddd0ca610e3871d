"""Draw the wheel with the vectors of the metrics, and the points of every type of suspension: `python docs/drawings.py`.

The wheel is computed from a steering axis and a spin axis with large angles, so that every angle and distance can be seen;
points are those of the templates, members those that pictures on the sheets of the templates show.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from math import atan2, cos, pi, radians, sin, sqrt, tan
from pathlib import Path

import numpy as np
from svg_drawing import BLUE, GREEN, GREY, INK, ORANGE, PALE, PINK, ROAD, Drawing, Flat

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
PAGE, MARK = DOCS / "suspension-types.md", "<!-- drawings: written by docs/drawings.py -->"
"""the page of all types, and the line below which it is written"""
sys.path[:0] = [str(DOCS.parent / "templates"), str(DOCS.parent / "workbooks")]

import point_pictures  # noqa: E402 - found by the line above
from car_sheets import MEMBERS, WHAT, Point  # noqa: E402 - the same

Vector = np.ndarray
UP = np.array([0.0, 0.0, 1.0])
RADIUS, HALF_WIDTH = 300.0, 75.0
CAMBER, TOE, CASTER, KPI = radians(7.0), radians(12.0), radians(14.0), radians(12.0)
KNEE = np.array([50.0, -165.0, 250.0])
"""a point of the steering axis; the wheel centre is above the origin"""


class Wheel:
    """A left wheel at a pose: the vectors that the metrics use, each by its definition in docs/suspension-metrics.md."""

    def __init__(self) -> None:
        w = np.array([sin(TOE) * cos(CAMBER), cos(TOE) * cos(CAMBER), -sin(CAMBER)])
        down = -UP + (UP @ w) * w
        self.w = w
        self.centre = np.array([0.0, 0.0, RADIUS * sqrt(1.0 - (UP @ w) ** 2)])
        self.contact = self.centre + RADIUS * down / np.linalg.norm(down)
        self.k = np.array([-np.tan(CASTER), -np.tan(KPI), 1.0])
        self.k /= np.linalg.norm(self.k)
        self.p = self.on_axis(self.contact[2])
        self.h_point = self.on_axis(self.centre[2])
        self.heading = np.cross(w, UP)
        self.heading /= np.linalg.norm(self.heading)
        self.outboard = np.array([-self.heading[1], self.heading[0], 0.0])

    def on_axis(self, height: float) -> Vector:
        """The point of the steering axis at a height."""
        return KNEE + self.k * (height - KNEE[2]) / self.k[2]

    def rim(self, across: float, n: int = 72) -> list[Vector]:
        """The rim at a distance from the middle plane."""
        level = np.cross(self.w, UP)
        level /= np.linalg.norm(level)
        upright = np.cross(level, self.w)
        angles = [2.0 * pi * k / n for k in range(n)]
        return [
            self.centre + across * self.w + RADIUS * (cos(angle) * level + sin(angle) * upright) for angle in angles
        ]


def from_behind(scale: float, origin: Flat) -> object:
    """Left is left: y goes to the left of the paper, z up."""
    return lambda p: (origin[0] - scale * p[1], origin[1] - scale * p[2])


def from_the_left(scale: float, origin: Flat) -> object:
    """Forward is left: x goes to the left of the paper, z up."""
    return lambda p: (origin[0] - scale * p[0], origin[1] - scale * p[2])


def from_above(scale: float, origin: Flat) -> object:
    """Forward is up, left is left."""
    return lambda p: (origin[0] - scale * p[1], origin[1] - scale * p[0])


def hull(points: Sequence[Flat]) -> list[Flat]:
    """The convex outline of places on the paper."""
    ordered = sorted(set(points))
    sides = []
    for run in (ordered, ordered[::-1]):
        side: list[Flat] = []
        for p in run:
            while len(side) > 1 and _turn(side[-2], side[-1], p) <= 0:
                side.pop()
            side.append(p)
        sides += side[:-1]
    return sides


def _turn(a: Flat, b: Flat, c: Flat) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _tyre(drawing: Drawing, wheel: Wheel) -> None:
    flat = [drawing.place(point) for across in (-HALF_WIDTH, HALF_WIDTH) for point in wheel.rim(across)]
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in hull(flat))
    drawing.parts.append(f'<polygon points="{corners}" fill="#EEF2F5" stroke="{PALE}" stroke-width="1.6"/>')


def draw_from_behind() -> Drawing:
    """Camber, kingpin inclination, offsets of the kingpin."""
    wheel = Wheel()
    drawing = Drawing(720, 560, from_behind(0.6, (330, 440)), "Left wheel from behind: camber, kpi, kingpin offsets")
    drawing.title("Left wheel, seen from behind")
    _tyre(drawing, wheel)
    ground = wheel.contact[2]
    drawing.line((0, 360, ground), (0, -420, ground), colour=ROAD, width=2.2)
    drawing.label((0, -420, ground), "road", ROAD, "end", (0, 20))
    top = wheel.on_axis(630.0)
    drawing.line(wheel.on_axis(ground - 20), top, colour=ORANGE, dash="7 5")
    drawing.arrow(wheel.on_axis(330), wheel.on_axis(470), "k, steering axis", ORANGE, (14, 14))
    above = wheel.on_axis(400.0)
    drawing.line(above, above + 215 * UP, colour=PALE, width=1.2)
    drawing.angle(above, above + 150 * UP, wheel.on_axis(630), 112, "kpi", ORANGE)
    plane = np.array([0.0, wheel.w[2], -wheel.w[1]]) * -1
    plane = plane / np.linalg.norm(plane)
    plane = plane if plane[2] > 0 else -plane
    drawing.line(wheel.contact, wheel.centre + 350 * plane, colour=BLUE, dash="7 5")
    drawing.line(wheel.centre, wheel.centre + 330 * UP, colour=PALE, width=1.2)
    drawing.angle(wheel.centre, wheel.centre + 300 * UP, wheel.centre + 300 * plane, 192, "camber", BLUE)
    drawing.arrow(wheel.centre, wheel.centre + 230 * wheel.w, "w", BLUE, (-8, 5))
    drawing.dimension(wheel.h_point, wheel.centre, "kingpin_offset_wc", GREEN, shift=(0, 46))
    drawing.dimension(wheel.p, wheel.contact, "kingpin_offset", GREEN, shift=(0, 34))
    drawing.dot(wheel.centre, "W", (-10, -8))
    drawing.dot(wheel.h_point, "H", (10, -8))
    drawing.dot(wheel.contact, "C", (-10, -8))
    drawing.dot(wheel.p, "P", (10, -8))
    drawing.pixel_label((704, 60), "z up, y to the left", GREY, "end")
    drawing.pixel_label((704, 84), "outboard is left", GREY, "end")
    drawing.pixel_label((16, 540), "All that is shown is positive.", GREY)
    return drawing


def draw_from_the_left() -> Drawing:
    """Caster and the trails."""
    wheel = Wheel()
    drawing = Drawing(720, 560, from_the_left(0.6, (350, 440)), "Left wheel from the left: caster and trails")
    drawing.title("Left wheel, seen from the left")
    _tyre(drawing, wheel)
    ground = wheel.contact[2]
    drawing.line((360, 0, ground), (-420, 0, ground), colour=ROAD, width=2.2)
    drawing.label((-420, 0, ground), "road", ROAD, "end", (0, 20))
    drawing.line(wheel.on_axis(ground - 20), wheel.on_axis(630), colour=ORANGE, dash="7 5")
    drawing.arrow(wheel.on_axis(330), wheel.on_axis(470), "k, steering axis", ORANGE, (14, 14))
    above = wheel.on_axis(400.0)
    drawing.line(above, above + 215 * UP, colour=PALE, width=1.2)
    drawing.angle(above, above + 150 * UP, wheel.on_axis(630), 112, "caster", ORANGE)
    drawing.dimension(wheel.p, wheel.contact, "caster_offset_x", GREEN, shift=(0, 34))
    drawing.dimension(wheel.h_point, wheel.centre, "hub_trail", GREEN, shift=(0, -34))
    along = np.array([wheel.k[0], 0.0, wheel.k[2]])
    along = along / np.linalg.norm(along)
    foot = wheel.p + ((wheel.contact - wheel.p) @ along) * along
    drawing.line(wheel.contact, foot, colour=PINK, width=2.0)
    middle = 0.5 * (wheel.contact + foot)
    drawing.label(middle, "mechanical_trail", PINK, "start", (64, -30))
    drawing.line(middle, middle + np.array([-85.0, 0.0, 36.0]), colour=PINK, width=1.0)
    drawing.arrow(wheel.contact, wheel.contact + np.array([-250.0, 0, 0]) * -1, "h, heading", BLUE, (-2, -10))
    drawing.dot(wheel.centre, "W", (10, 16))
    drawing.dot(wheel.h_point, "H", (-10, 16))
    drawing.dot(wheel.contact, "C", (8, -10))
    drawing.dot(wheel.p, "P", (-8, -10))
    drawing.pixel_label((704, 60), "z up, x forward to the left", GREY, "end")
    drawing.pixel_label((16, 540), "All that is shown is positive.", GREY)
    return drawing


def draw_from_above() -> Drawing:
    """Toe, and the point where the steering axis meets the road in the axes of the wheel."""
    wheel = Wheel()
    drawing = Drawing(720, 600, from_above(0.78, (330, 340)), "Left wheel from above: toe, heading and offsets")
    drawing.title("Left wheel, seen from above")
    _tyre(drawing, wheel)
    c, p = wheel.contact.copy(), wheel.p.copy()
    drawing.line(c - 300 * wheel.heading, c + 300 * wheel.heading, colour=BLUE, dash="7 5")
    drawing.line(c, c + np.array([330.0, 0, 0]), colour=PALE, width=1.2)
    drawing.angle(c, c + np.array([300.0, 0, 0]), c + 300 * wheel.heading, 232, "toe", BLUE)
    drawing.arrow(c, c + 175 * wheel.heading, "h, heading", BLUE, (10, 14))
    drawing.arrow(c, c + 190 * wheel.outboard, "o, outboard", BLUE, (-8, 4))
    foot = c + ((p - c) @ wheel.heading) * wheel.heading
    drawing.line(p, foot, colour=GREEN, width=2.0)
    drawing.label(0.5 * (p + foot), "kingpin_offset", GREEN, "start", (70, -58))
    drawing.line(0.5 * (p + foot), 0.5 * (p + foot) + np.array([78.0, -86.0, 0]), colour=GREEN, width=1.0)
    drawing.line(c, foot, colour=PINK, width=3.2)
    drawing.label(0.5 * (c + foot), "caster_offset", PINK, "end", (-72, -24))
    drawing.line(0.5 * (c + foot), 0.5 * (c + foot) + np.array([36.0, 90.0, 0]), colour=PINK, width=1.0)
    drawing.line(c, p, colour=ORANGE, width=2.0)
    drawing.label(0.5 * (c + p), "scrub_radius", ORANGE, "start", (72, 34))
    drawing.line(0.5 * (c + p), 0.5 * (c + p) + np.array([-38.0, -90.0, 0]), colour=ORANGE, width=1.0)
    drawing.dot(c, "C", (-10, 18))
    drawing.dot(p, "P", (10, 2))
    drawing.pixel_label((704, 60), "x forward is up, y to the left", GREY, "end")
    drawing.pixel_label((704, 84), "outboard is left", GREY, "end")
    drawing.pixel_label((16, 580), "steer is -toe of the left wheel and +toe of the right one", GREY)
    return drawing


def _meet(a: Vector, b: Vector, c: Vector, d: Vector) -> Vector:
    """Where two lines in the y-z plane meet."""
    u, v = b - a, d - c
    t = ((c[1] - a[1]) * v[2] - (c[2] - a[2]) * v[1]) / (u[1] * v[2] - u[2] * v[1])
    return a + t * u


def draw_roll_centre() -> Drawing:
    """The front view instant centre of both wheels and the roll centre."""
    drawing = Drawing(900, 520, from_behind(0.56, (450, 420)), "An axle from behind: instant centres, roll centre")
    drawing.title("An axle, seen from behind: instant centres and roll centre")
    track, radius = 640.0, 265.0
    arms = {
        "lower": (np.array([0, 230.0, 164.5]), np.array([0, 590.0, 120.0])),
        "upper": (np.array([0, 270.0, 319.5]), np.array([0, 560.0, 365.0])),
    }
    centre = _meet(*arms["lower"], *arms["upper"])
    contact = np.array([0, track, 0.0])
    mirror = np.array([1.0, -1.0, 1.0])
    roll = _meet(contact, centre, contact * mirror, centre * mirror)
    drawing.line((0, 760, 0), (0, -760, 0), colour=ROAD, width=2.2)
    drawing.label((0, -760, 0), "road", ROAD, "end", (0, 20))
    for side in (np.ones(3), mirror):
        y = track * side[1]
        drawing.area(
            [(0, y - 55, 0), (0, y + 55, 0), (0, y + 55, 2 * radius), (0, y - 55, 2 * radius)], "#EEF2F5", PALE
        )
        for inner, outer in arms.values():
            drawing.line(inner * side, outer * side, colour=BLUE, width=4)
            drawing.line(outer * side, centre * side, colour=BLUE, width=1.2, dash="5 5")
        drawing.line(arms["lower"][1] * side, arms["upper"][1] * side, colour=GREY, width=4)
        drawing.line(contact * side, centre * side, colour=ORANGE, width=1.6, dash="7 5")
        drawing.dot(contact * side, "C", (-12 * side[1], -8))
    drawing.dot(centre, "instant centre of the left wheel", (6, -14), BLUE)
    drawing.dot(centre * mirror, "of the right wheel", (-6, -14), BLUE)
    across = np.array([0.0, -(centre - contact)[2], (centre - contact)[1]])
    across = across / np.linalg.norm(across) * (1 if across[2] > 0 else -1)
    drawing.arrow(contact, contact + 190 * across, "v_C", PINK, (10, 0))
    drawing.dimension(roll * np.array([1, 1, 0.0]), roll, "roll_centre_height", GREEN, shift=(0.001, 0))
    drawing.dot(roll, "roll centre", (10, -10), GREEN)
    drawing.label(contact + 0.42 * (centre - contact), "fvsa", ORANGE, "middle", (0, 22))
    drawing.pixel_label((16, 492), "The contact moves along v_C, square to its line to the instant centre.", GREY)
    drawing.pixel_label((16, 512), "Where the lines of both sides meet is the roll centre.", GREY)
    return drawing


def draw_side_view() -> Drawing:
    """The side view instant centre and the angle of anti-dive."""
    drawing = Drawing(900, 470, from_the_left(0.5, (250, 370)), "A wheel from the left: side view instant centre")
    drawing.title("A front wheel, seen from the left: side view instant centre")
    radius = 265.0
    contact, wheel = np.zeros(3), np.array([0.0, 0.0, radius])
    centre = np.array([-1080.0, 0.0, 250.0])
    drawing.line((400, 0, 0), (-1240, 0, 0), colour=ROAD, width=2.2)
    drawing.label((-1240, 0, 0), "road", ROAD, "end", (0, 20))
    drawing.area([wheel + radius * np.array([cos(a), 0, sin(a)]) for a in np.linspace(0, 2 * pi, 72)], "#EEF2F5", PALE)
    for outer in ((0.0, 0, 125.0), (0.0, 0, 370.0)):
        direction = centre - np.array(outer)
        drawing.line(outer, np.array(outer) + 0.15 * direction, colour=BLUE, width=4)
        drawing.line(outer, centre, colour=BLUE, width=1.2, dash="5 5")
    drawing.line(contact, centre, colour=ORANGE, width=1.6, dash="7 5")
    drawing.angle(contact, np.array([-400.0, 0, 0]), centre, 190, "anti_dive_angle", ORANGE)
    across = np.array([centre[2], 0.0, -centre[0]])
    across = across / np.linalg.norm(across)
    drawing.arrow(contact, contact + 190 * across, "v_C", PINK, (-10, 0))
    drawing.dimension(centre * np.array([1, 1, 0.0]), centre, "svic_z", GREEN, shift=(0.001, 0))
    drawing.label(0.62 * centre, "svsa", ORANGE, "middle", (0, -8))
    drawing.dot(centre, "side view instant centre", (-4, -34), BLUE)
    drawing.dot(contact, "C", (12, 20))
    drawing.dot(wheel, "W", (-10, -8))
    drawing.pixel_label((884, 60), "x forward to the left", GREY, "end")
    drawing.pixel_label((16, 446), "Outboard brakes count at C. Inboard brakes and half-shafts count at W.", GREY)
    return drawing


def draw_ackermann() -> Drawing:
    """A front axle that steers to the left, with the angles of the Ackermann condition."""
    base, track, outer = 1000.0, 620.0, radians(28.0)
    inner = atan2(1.0, 1.0 / tan(outer) - track / base)
    drawing = Drawing(900, 470, from_above(0.29, (700, 395)), "A steered axle from above: the Ackermann condition")
    drawing.title("An axle that steers to the left, seen from above: Ackermann")
    centre = np.array([0.0, -0.5 * track + base / tan(outer), 0.0])
    drawing.line((0, -0.5 * track, 0), centre, colour=PALE, dash="5 5")
    for y, angle, name in ((0.5 * track, inner, "d_i"), (-0.5 * track, outer, "d_o")):
        wheel = np.array([base, y, 0.0])
        along = np.array([cos(angle), sin(angle), 0.0])
        across = np.array([-along[1], along[0], 0.0])
        drawing.line(wheel, centre, colour=ORANGE, width=1.4, dash="7 5")
        corners = [wheel + a * 130 * along + b * 45 * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        drawing.area(corners, "#EEF2F5", GREY)
        drawing.line(wheel, wheel + np.array([215.0, 0, 0]), colour=PALE)
        drawing.line(wheel, wheel + 215 * along, colour=BLUE, dash="7 5")
        drawing.angle(wheel, wheel + np.array([215.0, 0, 0]), wheel + 215 * along, 52, name, BLUE)
        rear = np.array([0.0, y, 0.0])
        drawing.area(
            [rear + np.array([a * 130, b * 45, 0]) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))], "#EEF2F5", PALE
        )
    drawing.dimension((0, -0.5 * track, 0), (base, -0.5 * track, 0), "L", GREEN, shift=(64, 0))
    drawing.dimension((0, 0.5 * track, 0), (0, -0.5 * track, 0), "t", GREEN, shift=(0, 42))
    drawing.label(0.5 * (centre + np.array([base, -0.5 * track, 0.0])), "turn_radius", ORANGE, "start", (14, 24))
    drawing.dot(centre, "centre of the turn", (10, 24), ORANGE)
    drawing.pixel_label((16, 60), "100 % ackermann: the lines of both front wheels", GREY)
    drawing.pixel_label((16, 80), "meet on the line of the rear axle.", GREY)
    return drawing


def draw_motion_ratio() -> Drawing:
    """A spring on the lower arm, at design and in bump."""
    drawing = Drawing(720, 480, from_behind(0.58, (500, 430)), "A spring on an arm from behind: motion ratio")
    drawing.title("A spring on the lower arm, seen from behind: motion ratio")
    pivot, radius = np.array([0.0, 180.0, 150.0]), 265.0
    joint, foot, top = (np.array([0.0, *each]) for each in ((560.0, 130.0), (430.0, 145.0), (330.0, 480.0)))
    contact = np.array([0.0, 640.0, 0.0])
    drawing.line((0, 850, 0), (0, -180, 0), colour=ROAD, width=2.2)
    drawing.label((0, -180, 0), "road", ROAD, "end", (0, 20))
    turn = radians(9.0)

    def bumped(point: Vector) -> Vector:
        rel = point - pivot
        return pivot + np.array([0.0, rel[1] * cos(turn) - rel[2] * sin(turn), rel[1] * sin(turn) + rel[2] * cos(turn)])

    rise = bumped(joint) - joint
    for shift, moved, colour in ((rise, bumped, PALE), (np.zeros(3), lambda each: each, INK)):
        wheel = contact + shift
        drawing.area(
            [wheel + np.array([0, a * 62, b]) for a, b in ((-1, 0), (1, 0), (1, 2 * radius), (-1, 2 * radius))],
            "#EEF2F5" if colour == INK else "none",
            PALE,
        )
        drawing.line(pivot, moved(joint), colour=BLUE if colour == INK else PALE, width=4.0)
        drawing.line(moved(joint), wheel + np.array([0, 0, radius]), colour=GREY if colour == INK else PALE, width=4.0)
        _coil(drawing, moved(foot), top, ORANGE if colour == INK else PALE)
    wheel = contact + np.array([0.0, 0.0, radius])
    drawing.dimension(wheel, wheel + np.array([0.0, 0.0, rise[2]]), "dz, bump", GREEN, shift=(-70, 0))
    drawing.dot(wheel, "W", (-10, 18))
    drawing.dot(pivot)
    drawing.dot(foot)
    drawing.dot(top)
    drawing.label(0.5 * (foot + top), "l, spring_length", ORANGE, "start", (24, 0))
    drawing.pixel_label((704, 60), "motion_ratio = -dl/dz: spring per wheel", GREY, "end")
    drawing.pixel_label((704, 82), "spring_travel = l(design) - l", GREY, "end")
    return drawing


def _coil(drawing: Drawing, start: Vector, end: Vector, colour: str) -> None:
    """A spring between two points in the y-z plane."""
    along = end - start
    across = np.array([0.0, -along[2], along[1]]) / np.linalg.norm(along)
    turns = [start + along * (0.15 + 0.7 * k / 12) + across * (0, 24, 0, -24)[k % 4] for k in range(13)]
    drawing.line(start, *turns, end, colour=colour, width=2.4)


WHEEL_DRAWINGS = {
    "wheel-from-behind": draw_from_behind,
    "wheel-from-the-left": draw_from_the_left,
    "wheel-from-above": draw_from_above,
    "roll-centre": draw_roll_centre,
    "side-view-centre": draw_side_view,
    "ackermann": draw_ackermann,
    "motion-ratio": draw_motion_ratio,
}
WIDTH, HEIGHT, NAMES_WIDTH, LINE = 900.0, 600.0, 205.0, 26.0
"""px: size of a drawing of points, width of the column of names on either side, and least distance between two names"""


def draw_points(points: Mapping[str, Point], radius: float, title: str) -> Drawing:
    """The points of the left side of an axle with their names. points: mm. radius: of the wheel, mm."""
    rim = point_pictures._rim(points["wheel centre"], radius)  # noqa: SLF001 - the sheets of templates show the same view
    project = point_pictures._project  # noqa: SLF001 - the same
    flat = [project(each) for each in (*points.values(), *rim)]
    (left, right), (low, high) = ((min(each), max(each)) for each in zip(*flat, strict=True))
    scale = min((WIDTH - 2.0 * NAMES_WIDTH - 60.0) / (right - left), (HEIGHT - 110.0) / (high - low))

    def place(point: Sequence[float]) -> Flat:
        across, up = project(point)
        return (
            0.5 * WIDTH + (across - 0.5 * (left + right)) * scale,
            0.5 * (HEIGHT + 30.0) - (up - 0.5 * (low + high)) * scale,
        )

    drawing = Drawing(WIDTH, HEIGHT, place, f"{title}: {', '.join(points)}")
    drawing.title(title)
    drawing.area(rim, "#EEF2F5", PALE)
    for name, at, anchor in _names({name: place(point) for name, point in points.items()}):
        is_left = at[0] < anchor[0]
        start = (at[0] + (5.0 if is_left else -5.0), at[1])
        drawing._path([start, anchor], PALE, 1.2, "")  # noqa: SLF001 - places on the paper, not of the axle
        drawing.pixel_label((at[0], at[1] + 5.0), name, INK, "end" if is_left else "start", 15.0)
    for _name, members, colour in MEMBERS:
        if all(each in points for each in members):
            drawing.line(*(points[each] for each in members), colour=colour, width=4.5)
    for point in points.values():
        drawing.dot(point)
    return drawing


def _names(anchors: Mapping[str, Flat]) -> Iterator[tuple[str, Flat, Flat]]:
    """Names in two columns in the order of the heights of their points, none nearer to the next than a line."""
    by_side = sorted(anchors, key=lambda name: anchors[name][0])
    half = (len(by_side) + 1) // 2
    for names, x in ((by_side[:half], NAMES_WIDTH), (by_side[half:], WIDTH - NAMES_WIDTH)):
        ordered = sorted(names, key=lambda name: anchors[name][1])
        heights = _spread([anchors[name][1] for name in ordered])
        for name, y in zip(ordered, heights, strict=True):
            yield name, (x, y), anchors[name]


def _spread(heights: Sequence[float]) -> list[float]:
    """Heights moved apart to a line each, within the drawing."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + LINE) if moved else height)
    back = (sum(moved) - sum(heights)) / len(moved)
    back = max(back, moved[-1] - (HEIGHT - 20.0))
    back = min(back, moved[0] - 60.0)
    return [height - back for height in moved]


def points_page() -> str:
    """Each axle of the templates: its picture, and a table of what its points are."""
    parts = []
    for name, axle, points, title, _radius in axles():
        rows = "".join(f"| `{point}` | {WHAT.get(point, '')} |\n" for point in points)
        parts.append(
            f"## {title}\n\n![{title}: its points](images/{_file(name, axle)})\n\n"
            f"Template: `{name}`, {axle} axle.\n\n| point | what it is |\n| --- | --- |\n{rows}\n"
        )
    return "".join(parts)


def axles() -> Iterator[tuple[str, str, Mapping[str, Point], str, float]]:
    """Axles of the templates: template, axle, points, title, radius of the wheel."""
    for name, car in point_pictures.CARS.items():
        rows = {setting: values for setting, values, _unit, _notes in car.settings}
        for number, (axle, points) in enumerate(car.points.items()):
            rod = rows["actuation"][number] if "actuation" in rows else ""
            kind = str(rows["type"][number]).replace("macpherson", "MacPherson strut")
            title = f"{kind[0].upper()}{kind[1:]}" + (f" with {rod}" if rod and rod != "direct" else "")
            yield name, axle, points, title, float(str(rows["tyre radius"][number]))


def _file(name: str, axle: str) -> str:
    return f"points-{name.removeprefix('suspension-')}-{axle}.svg"


def main() -> None:
    """Write all drawings."""
    for name, draw in WHEEL_DRAWINGS.items():
        draw().save(IMAGES / f"{name}.svg")
    for name, axle, points, title, radius in axles():
        draw_points(points, radius, f"{title}, left side").save(IMAGES / _file(name, axle))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(f"{page.partition(MARK)[0]}{MARK}\n\n{points_page().rstrip()}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
