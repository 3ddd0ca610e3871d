"""Front and side views of a car at design: members, wheels, road, instant centres and roll centres, as lines in mm.

A view is a rectangle around the car with the same scale in both directions, in which all lines are cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.mass_data import front_share
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.metrics.metric import size
from sheetmbs.suspension.sheets.constructed_centres import ConstructedCentre, constructed_centre
from sheetmbs.suspension.sheets.design_values import DesignValues
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.member_lines import member_lines

Floats = NDArray[np.float64]
Frame = tuple[tuple[float, float], tuple[float, float]]
"""ends of a view across, and upward, mm"""
MM = 1e3
MARGIN = 200.0
"""mm around the car"""
TICKS = (50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 500.0, 1000.0, 2000.0, 5000.0)
MAX_TICKS = 12
"""mm between ticks, and how many of these a view has across at the most"""
HALF_WIDTH = 0.3
"""of a tyre as it is drawn, in radii: no setting says it"""
RIM_POINTS = 48
MAX_OFF = 0.02
"""of the wheelbase, by which the wheel centres of both lists may be nearer or farther than that: beyond, origins differ"""
DECIMALS = 6
"""of places, mm: less is rounding"""
ROUNDING = 1e-9
"""of a tick"""
GREY, ROAD, GREEN, PINK, BLACK, AMBER = "#8A93A0", "#404040", "#009E73", "#CC79A7", "#1F2933", "#E69F00"


@dataclass(frozen=True, eq=False)
class ViewLine:
    """A series of a view. places: (n, 2) mm, rows of NaN between its pieces. width, dot: points, 0 without."""

    name: str
    places: Floats
    color: str
    dash: str = "solid"
    width: float = 1.25
    dot: int = 0
    is_named: bool = True
    is_ring: bool = False
    is_car: bool = False
    """whether the view is to hold it whole"""


@dataclass(frozen=True, eq=False)
class CarView:
    """A view of a car. frame: its ends across, and upward, mm. tick: mm. across, upward: what its axes say."""

    title: str
    across: str
    upward: str
    frame: Frame
    tick: float
    lines: tuple[ViewLine, ...]


@dataclass(frozen=True, eq=False)
class DrawnDesign:
    """A design at its design pose. poses: of its axles. values: its metrics there."""

    shown: ShownDesign
    car: CarData
    poses: Mapping[str, SweptAxle]
    values: DesignValues

    def roll_centre(self, axle: str, kind: str = "") -> Floats | None:
        """(2,) y and z of the roll centre of an axle, mm; None where there is none. kind: ``_geometric``, else kinematic."""
        found = [self._length(f"{axle}.roll_centre_{part}{kind}") for part in ("lateral", "height")]
        if found[0] is None or found[1] is None:
            return None
        return np.array([found[0], found[1] + MM * _road(self.poses[axle])])

    def _length(self, column: str) -> float | None:
        value, unit = self.values.value(column), self.values.unit(column)
        return None if value is None or unit is None else value * size(unit) * MM


def geometry_views(designs: Sequence[DrawnDesign]) -> tuple[CarView, ...]:
    """Front views of all axles on one scale, and the side view. designs: the first is drawn whole, of others the members."""
    base = designs[0]
    fronts = {axle.name: list(_front(designs, axle.name)) for axle in base.car.axles}
    frame, tick = _frame(chain.from_iterable(fronts.values()))
    views = [
        CarView(f"Front view, {axle} axle", "y, + left [mm]", "z, + up [mm]", frame, tick, _cut(lines, frame))
        for axle, lines in fronts.items()
    ]
    side = list(_side(designs))
    frame, tick = _frame(side)
    views.append(CarView("Side view", "x, + forward [mm]", "z, + up [mm]", frame, tick, _cut(side, frame)))
    return tuple(views)


def _front(designs: Sequence[DrawnDesign], axle: str) -> Iterator[ViewLine]:
    base = designs[0]
    poses = base.poses[axle]
    left, right = (poses.wheels[side] for side in SIDES)
    contacts = [MM * wheel.contact.value[0, 1:] for wheel in (left, right)]
    yield ViewLine("road", np.array(contacts), ROAD, is_named=False, is_car=True)
    yield ViewLine("wheels", _pieces(_tyre(wheel) for wheel in (left, right)), GREY, is_named=False, is_car=True)
    yield from _members(designs, axle)
    found = {side: constructed_centre(poses, side, "front") for side in SIDES}
    for side, color in zip(SIDES, (GREEN, PINK), strict=True):
        yield ViewLine(f"instant centre {side}", _pieces(_to_centre(found[side])), color, "dash")
    drawn = {kind: base.roll_centre(axle, kind) for kind in ("_geometric", "")}
    meet = drawn["_geometric"] if drawn["_geometric"] is not None else drawn[""]
    lines = (_through(MM * each.contact[0], MM * each.centre[0], meet) for each in found.values())
    yield ViewLine("contact to instant centre", _pieces(lines), BLACK, width=1.0)
    dots = np.array([MM * each.centre[0] for each in found.values()])
    yield ViewLine("instant centres", dots, GREY, width=0.0, dot=5, is_named=False)
    if drawn[""] is not None:
        yield ViewLine("roll centre", drawn[""][None, :], BLACK, width=0.0, dot=6)
    if drawn["_geometric"] is not None:
        yield ViewLine("roll centre geometric", drawn["_geometric"][None, :], AMBER, width=0.0, dot=10, is_ring=True)


def _side(designs: Sequence[DrawnDesign]) -> Iterator[ViewLine]:
    """Seen from the right, so that forward is to the right; centres are those of the left wheels."""
    base = designs[0]
    shifts = {axle: _shift(base.car, axle) for axle in base.poses}
    lefts = {axle: poses.wheels["left"] for axle, poses in base.poses.items()}
    contacts = {axle: MM * wheel.contact.value[0, ::2] + shifts[axle] for axle, wheel in lefts.items()}
    ground = np.array(list(contacts.values()))
    if len(ground) == 1:
        ground = np.array([ground[0], ground[0] + [1.0, 0.0]])
    yield ViewLine("road", ground, ROAD, is_named=False, is_car=True)
    rims = [MM * _rim(wheel)[:, ::2] + shifts[axle] for axle, wheel in lefts.items()]
    yield ViewLine("wheels", _pieces(rims), GREY, is_named=False, is_car=True)
    for design in designs:
        lines = [
            MM * line[:, ::2] + _shift(design.car, axle)
            for axle, poses in design.poses.items()
            for line in member_lines(poses.axle, poses.wheels)
        ]
        yield _of_design("members", designs, design, lines)
    found = {axle: constructed_centre(poses, "left", "side") for axle, poses in base.poses.items()}
    to_centres = [line + shifts[axle] for axle, each in found.items() for line in _to_centre(each)]
    yield ViewLine("side view instant centre", _pieces(to_centres), GREEN, "dash")
    from_contacts = [_through(contacts[axle], MM * each.centre[0] + shifts[axle]) for axle, each in found.items()]
    yield ViewLine("contact to side view instant centre", _pieces(from_contacts), BLACK, width=1.0)
    dots = np.array([MM * each.centre[0] + shifts[axle] for axle, each in found.items()])
    yield ViewLine("side view instant centres", dots, GREY, width=0.0, dot=5, is_named=False)
    heights = {axle: base.roll_centre(axle) for axle in contacts}
    axis = [[contacts[axle][0], place[1]] for axle, place in heights.items() if place is not None]
    if len(axis) > 1:
        yield ViewLine("roll axis", np.array(axis), AMBER, "dash_dot")
    place = _gravity_centre(base.car, contacts)
    if place is not None:
        yield ViewLine("centre of gravity", place[None, :], BLACK, width=0.0, dot=8, is_car=True)


def _members(designs: Sequence[DrawnDesign], axle: str) -> Iterator[ViewLine]:
    """The members of an axle of each design that has it in the front view."""
    for design in designs:
        poses = design.poses.get(axle)
        if poses is not None:
            lines = [MM * line[:, 1:] for line in member_lines(poses.axle, poses.wheels)]
            yield _of_design("members", designs, design, lines)


def _of_design(name: str, designs: Sequence[DrawnDesign], design: DrawnDesign, lines: Sequence[Floats]) -> ViewLine:
    is_first = design is designs[0]
    named = name if is_first else f"{name}, {design.shown.shown}"
    return ViewLine(named, _pieces(lines), design.shown.color, width=2.25 if is_first else 1.0, is_car=True)


def _shift(car: CarData, axle: str) -> Floats:
    """(2,) mm along and up: a rear axle whose list has its own origin is drawn the wheelbase behind the front one."""
    wheelbase, axles = car.number("wheelbase"), {each.name: each for each in car.axles}
    if axle != "rear" or wheelbase is None or len(axles) == 1:
        return np.zeros(2)
    front, rear = (axles[name].as_drawn.points["left"][WHEEL_CENTRE].position for name in ("front", "rear"))
    off = MM * (front[0] - rear[0] - wheelbase)
    return np.array([off if abs(off) > MAX_OFF * MM * wheelbase else 0.0, 0.0])


def _gravity_centre(car: CarData, contacts: Mapping[str, Floats]) -> Floats | None:
    """(2,) x and z of the centre of gravity, mm; None where its settings are not given. contacts: of the axles, mm."""
    share, height, wheelbase = front_share(car), car.number("cg height"), car.number("wheelbase")
    if share is None or height is None:
        return None
    if len(contacts) > 1:
        along = contacts["front"] - contacts["rear"]
        up = np.array([-along[1], along[0]]) / np.hypot(*along)
        return np.asarray(contacts["rear"] + share * along + MM * height * up)
    if wheelbase is None:
        return None
    ((axle, ground),) = contacts.items()
    ahead = share * wheelbase if axle == "rear" else (share - 1.0) * wheelbase
    return np.asarray(ground + MM * np.array([ahead, height]))


def _road(poses: SweptAxle) -> float:
    """Height of the road under the middle of an axle, m."""
    return float(np.mean([wheel.contact.value[0, 2] for wheel in poses.wheels.values()]))


def _tyre(wheel: Wheel) -> Floats:
    """(5, 2) mm outline of a tyre in the front view, square to its spin axis."""
    spin, centre = wheel.spin.value[0], wheel.centre.value[0]
    up = np.array([0.0, 0.0, 1.0]) - spin[2] * spin
    up = up / np.linalg.norm(up) * wheel.radius
    beside = HALF_WIDTH * wheel.radius * spin
    corners = (up + beside, up - beside, -up - beside, -up + beside, up + beside)
    return MM * np.array([centre + corner for corner in corners])[:, 1:]


def _rim(wheel: Wheel) -> Floats:
    """(n, 3) m outline of a wheel in its plane."""
    spin = wheel.spin.value[0]
    up = np.array([0.0, 0.0, 1.0]) - spin[2] * spin
    up = up / np.linalg.norm(up)
    angles = np.linspace(0.0, 2.0 * np.pi, RIM_POINTS + 1)[:, None]
    way = np.cos(angles) * np.cross(up, spin) + np.sin(angles) * up
    return np.asarray(wheel.centre.value[0] + wheel.radius * way)


def _to_centre(found: ConstructedCentre) -> list[Floats]:
    """Lines (2, 2) mm that meet in an instant centre."""
    return [MM * np.array([start, found.centre[0]]) for start in found.starts[:, 0]]


def _through(contact: Floats, centre: Floats, meet: Floats | None = None) -> Floats:
    """(n, 2) mm from a contact to its instant centre, and on the same line to where that of the other wheel meets it."""
    places = np.array([contact, centre] if meet is None else [contact, centre, meet])
    way = centre - contact
    return places[np.argsort(places @ way)]


def _pieces(lines: Iterable[Floats]) -> Floats:
    """Lines (n, 2) as one, with a row of NaN between them."""
    gap = np.full((1, 2), np.nan)
    rows = [part for line in lines for part in (line, gap)]
    return np.concatenate(rows[:-1]) if rows else np.zeros((0, 2))


def _frame(lines: Iterable[ViewLine]) -> tuple[Frame, float]:
    """A rectangle around the car, with room, that begins and ends on ticks, and mm from tick to tick."""
    places = np.concatenate([line.places for line in lines if line.is_car])
    low, high = np.nanmin(places, axis=0) - MARGIN, np.nanmax(places, axis=0) + MARGIN
    found = [(np.floor(low / tick + ROUNDING) * tick, np.ceil(high / tick - ROUNDING) * tick, tick) for tick in TICKS]
    fitting = [each for each in found if (each[1][0] - each[0][0]) / each[2] <= MAX_TICKS + ROUNDING] or found[-1:]
    first, last, tick = min(fitting, key=lambda each: float(np.prod(each[1] - each[0])))
    (left, bottom), (right, top) = first.tolist(), last.tolist()
    return ((left, right), (bottom, top)), tick


def _cut(lines: Iterable[ViewLine], frame: Frame) -> tuple[ViewLine, ...]:
    """What of lines lies in a frame; the road reaches from end to end of it."""
    cut = []
    for line in lines:
        places = _across(line.places, frame[0]) if line.name == "road" else line.places
        inside = _dots_inside(places, frame) if line.dot and not line.width else _pieces(_inside(places, frame))
        if len(inside):
            cut.append(replace(line, places=np.round(inside, DECIMALS) + 0.0))
    return tuple(cut)


def _across(places: Floats, ends: tuple[float, float]) -> Floats:
    """(2, 2) a line through the first and the last of its places, from end to end of a frame."""
    start, way = places[0], places[-1] - places[0]
    return np.array([start + way * (end - start[0]) / way[0] for end in ends])


def _dots_inside(places: Floats, frame: Frame) -> Floats:
    low, high = np.array(frame).T
    return places[np.all((places >= low) & (places <= high), axis=1)]


def _inside(places: Floats, frame: Frame) -> Iterator[Floats]:
    """The pieces of a line that lie in a frame. After Liang and Barsky, one stretch after the other."""
    piece: list[Floats] = []
    for start, end in pairwise(places):
        found = _stretch_inside(start, end, frame)
        if piece and (found is None or np.any(found[0] != piece[-1])):
            yield np.array(piece)
            piece = []
        if found is not None:
            piece = [*(piece or found[:1]), found[1]]
    if piece:
        yield np.array(piece)


def _stretch_inside(start: Floats, end: Floats, frame: Frame) -> tuple[Floats, Floats] | None:
    """The part of a stretch that lies in a frame; None where none does."""
    if not (np.isfinite(start).all() and np.isfinite(end).all()):
        return None
    way = end - start
    enters, leaves = 0.0, 1.0
    for from_, along, (low, high) in zip(start, way, frame, strict=True):
        if along == 0.0:
            if not low <= from_ <= high:
                return None
            continue
        near, far = sorted(((low - from_) / along, (high - from_) / along))
        enters, leaves = max(enters, near), min(leaves, far)
    if enters >= leaves:
        return None
    low, high = np.array(frame).T
    return (
        start if enters == 0.0 else np.clip(start + enters * way, low, high),
        end if leaves == 1.0 else np.clip(start + leaves * way, low, high),
    )
