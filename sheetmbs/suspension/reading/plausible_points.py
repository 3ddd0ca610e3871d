"""Warnings of hardpoints that can hardly be meant: each at its cell, and none of a correct car."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, place_of
from sheetmbs.schema.validate import split_header
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, Hardpoint
from sheetmbs.suspension.layout.type_table import ROCKER, WHEEL_CENTRE
from sheetmbs.workbook.cells.cells import CellSheet

CODE = "implausible-point"
MAX_REACH = 3.0
"""radii of the wheel from its centre, along the car and up"""
MAX_SPREAD = 1.2
"""half-tracks from the wheel centre, across the car"""
MAX_ROAD_DIFFERENCE = 5e-3
"""m, between heights of contacts"""
TINY_SHARE = 0.02
"""of the usual size of a coordinate: smaller ones are given in another unit"""
SAME_PLACE = 1e-6
"""m"""
MIN_HALF_TRACK, MAX_HALF_TRACK = 0.7, 10.0
"""radii of the wheel; that of a kart is 4"""
MIN_PIVOT_DISTANCE = 0.1
"""of the length of an arm"""
MAX_LENGTH_RATIO = 1.5
"""of a member to its mirror image"""
MAX_WHEELBASE_DIFFERENCE = 1e-2, 1e-2
"""between the wheelbase and the distance of the contacts: m, and share of the wheelbase"""
UP_DOWN = (
    ("lower ball joint", "upper ball joint"),
    ("lower ball joint", "strut top"),
    ("strut lower", "strut top"),
    ("kingpin lower", "kingpin upper"),
    ("lower camber link inner", "upper camber link inner"),
    ("lower camber link outer", "upper camber link outer"),
    ("lower arm front", "upper arm front"),
    ("lower arm rear", "upper arm rear"),
)
FRONT_REAR = (("lower arm front", "lower arm rear"), ("upper arm front", "upper arm rear"))
OUT_IN = (
    *((f"{arm} ball joint", f"{arm} arm {end}") for arm in ("lower", "upper") for end in ("front", "rear")),
    *((f"{which} camber link outer", f"{which} camber link inner") for which in ("upper", "lower")),
    ("arm outer", "arm inner"),
    ("tie rod outer", "tie rod inner"),
)
ON_ROCKER = (
    ("rod rocker", "rod outer"),
    ("damper rocker", "damper chassis"),
    ("spring rocker", "spring chassis"),
    ("bar link suspension", "bar link bar"),
)
OUTER_AND_INNER = (
    *((f"link {number} outer", f"link {number} inner") for number in range(1, 10)),
    *(("rod outer", "rod rocker"), ("damper outer", "damper chassis"), ("strut lower", "strut top"), *OUT_IN[:-2]),
    OUT_IN[-1],
)
SHARED_JOINTS = tuple(f"link {number} outer" for number in range(1, 6))
"""points of which two links may share one, if others do so too: then these are ball joints"""


@dataclass(frozen=True)
class PointWarning:
    """A coordinate that is hardly meant. axis: the coordinate at which it is reported, x, y or z."""

    point: Hardpoint
    axis: str
    found: str
    rule: str
    mend: str = "correct the coordinates"


def warn_of_points(car: CarData, cells: CellSheet | None, report: ProblemList) -> None:
    """Report every warning at the cell of its coordinate. cells: of the sheet Hardpoints, for the columns of coordinates."""
    columns = _columns(cells)
    turned = [axle for axle in car.axles if _is_turned(car, axle)]
    for axle in turned:
        _refuse_inboard(car, axle, columns, report)
    judged = [axle for axle in car.axles if axle not in turned and not _is_too_wide(axle)]
    warnings = [warning for axle in judged for warning in _of_axle(axle)]
    for warning in (*warnings, *_of_car(car)):
        place = place_of(warning.point.cell)
        place = Place(place.sheet, place.row, columns.get(warning.axis, place.column))
        report.warning(CODE, place, warning.found, warning.rule, warning.mend)
    report_wheelbase(car, report)


def _is_turned(car: CarData, axle: AxleData) -> bool:
    """Whether y counts outboard, and the wheel of the given side lies on the other one."""
    is_outboard = car.settings.get("axes") == "Lotus" or "outboard" in (
        car.settings.get("y axis"),
        car.settings.get("x axis"),
    )
    side = str(car.settings.get("input side"))
    wheel = axle.points[side].get(WHEEL_CENTRE) if side in axle.points else None
    s = 1.0 if side == "left" else -1.0
    return is_outboard and wheel is not None and s * wheel.position[1] < -SAME_PLACE


def _refuse_inboard(car: CarData, axle: AxleData, columns: dict[str, int], report: ProblemList) -> None:
    side, axes = car.settings["input side"], car.settings["axes"]
    wheel = axle.points[str(side)][WHEEL_CENTRE]
    place = place_of(wheel.cell)
    place = Place(place.sheet, place.row, columns.get("y", place.column))
    found = f"the wheel centre of the {axle.name} axle lies {abs(wheel.position[1]) * 1e3:.4g} mm on the negative side"
    rule = f"with axes {axes} the lateral coordinate counts outboard from the middle of the car, + on the {side}"
    mend = (
        "turn the sign of that coordinate in all rows; points of the right side have input side = right, + outboard too"
    )
    report.error("wrong-side", place, found, rule, mend)


def _columns(cells: CellSheet | None) -> dict[str, int]:
    """Columns of the coordinates by their letters."""
    heads = cells.rows.get(1, {}) if cells else {}
    return {fold(split_header(str(cell.value))[0]): column for column, cell in heads.items()}


def _of_axle(axle: AxleData) -> Iterator[PointWarning]:
    """Warnings about the points that rows of the sheet give; what is mirrored of them has the same fault."""
    seen: set[str] = set()
    for side in SIDES:
        given = {name: point for name, point in axle.points[side].items() if point.cell not in seen}
        seen |= {point.cell for point in given.values()}
        if WHEEL_CENTRE in axle.points[side]:
            yield from _Side(axle, side, given).warnings()
    if len({point.cell for side in SIDES for point in axle.points[side].values()}) > len(axle.points["left"]):
        yield from _unlike(axle)


class _Side:
    """Points of one side. given: those that rows give; others stand where the rows of the other side put them."""

    def __init__(self, axle: AxleData, side: str, given: dict[str, Hardpoint]) -> None:
        self.axle, self.given = axle, given
        self.s = 1.0 if side == "left" else -1.0
        self.points = axle.points[side]
        self.wheel = self.points[WHEEL_CENTRE].position
        self.radius = axle.number("tyre radius") or 0.0
        self.half_track = abs(float(self.wheel[1]))

    def warnings(self) -> Iterator[PointWarning]:
        """All of this side."""
        tiny = list(self._tiny())
        yield from tiny
        yield from self._narrow()
        yield from self._together()
        left_out = {warning.point.name for warning in tiny}
        wrong = list(self._on_wrong_side(left_out))
        placed = [*wrong, *self._far_away(left_out | {warning.point.name for warning in wrong})]
        yield from self._at_once(placed)
        if not self._are_most(placed):
            yield from self._out_of_order()

    def _are_most(self, warnings: list[PointWarning]) -> bool:
        """Whether most points of a whole list have a warning, which then has one cause."""
        return WHEEL_CENTRE in self.given and len(warnings) * 2 > len(self.given)

    def _tiny(self) -> Iterator[PointWarning]:
        """Points in metres among points in millimetres."""
        sizes = {name: float(np.max(np.abs(point.position))) for name, point in self.points.items()}
        usual = float(np.median(list(sizes.values())))
        for name, point in self.given.items():
            if sizes[name] < TINY_SHARE * usual:
                found = f"{name}: no coordinate is larger than {sizes[name] * 1e3:.4g} mm"
                rule = f"the other points of the {self.axle.name} axle have coordinates of some {usual * 1e3:.4g} mm"
                yield PointWarning(point, "x", found, rule, "give it in the unit of the others")

    def _narrow(self) -> Iterator[PointWarning]:
        """Arms whose pivots are next to each other."""
        for front, rear in FRONT_REAR:
            outer = self.points.get(f"{front.removesuffix(' arm front')} ball joint")
            if outer is None or front not in self.given or rear not in self.points:
                continue
            one, other = self.points[front].position, self.points[rear].position
            base, arm = (float(np.linalg.norm(each)) for each in (one - other, outer.position - 0.5 * (one + other)))
            if SAME_PLACE < base < MIN_PIVOT_DISTANCE * arm:
                found = f"{front} and {rear} are {base * 1e3:.4g} mm apart, on an arm {arm * 1e3:.4g} mm long"
                rule = "the pivots of an arm are at least a tenth of its length apart"
                yield PointWarning(self.given[front], "x", found, rule, "correct the coordinates, the sign of x first")

    def _on_wrong_side(self, left_out: set[str]) -> Iterator[PointWarning]:
        side, other = ("left", "right") if self.s > 0.0 else ("right", "left")
        for name, point in self.given.items():
            if self._is_central(name) or name in left_out or self.s * point.position[1] >= -SAME_PLACE:
                continue
            found = f"{name} lies {abs(point.position[1]) * 1e3:.4g} mm to the {other} of the middle of the car"
            rule = f"points of the {side} side lie on the {side}"
            yield PointWarning(point, "y", found, rule, "turn the sign of its lateral coordinate")

    def _is_central(self, name: str) -> bool:
        """Whether both sides share a point."""
        both = [self.axle.points[side].get(name) for side in SIDES]
        return all(point is not None and np.array_equal(point.position, self.points[name].position) for point in both)

    def _far_away(self, left_out: set[str]) -> Iterator[PointWarning]:
        beside = np.array([self.wheel[0], self.s * self.half_track, self.wheel[2]])
        reach = np.array([MAX_REACH * self.radius, MAX_SPREAD * self.half_track, MAX_REACH * self.radius])
        for name, point in self.given.items():
            away = np.abs(point.position - beside)
            if self._is_central(name):
                away[1] = 0.0
            beyond = np.flatnonzero(away > reach)
            if name in left_out or not beyond.size:
                continue
            at = int(beyond[0])
            way = ("along the car", "across the car", "upwards or downwards")[at]
            limit = "1.2 half-tracks" if at == 1 else "three radii of the wheel"
            found = f"{name} lies {away[at] * 1e3:.4g} mm from its wheel centre, {way}"
            yield PointWarning(point, "xyz"[at], found, f"points of an axle lie within {limit} of its wheel centre")

    def _at_once(self, warnings: list[PointWarning]) -> Iterator[PointWarning]:
        """Warnings; where most points have a warning, one of what they have in common."""
        if not self._are_most(warnings):
            yield from warnings
            return
        wheel, number = self.points[WHEEL_CENTRE], len(warnings)
        found = f"{number} of {len(self.given)} points, the {warnings[0].point.name} first: {warnings[0].found}"
        mend = "look at the wheel centre, the unit of the coordinates, axes and input side"
        yield PointWarning(wheel, warnings[0].axis, found, warnings[0].rule, mend)

    def _together(self) -> Iterator[PointWarning]:
        """Points at the same place. Links that meet in pairs have ball joints."""
        pairs = [
            (one, other)
            for one, other in combinations(self.points, 2)
            if np.max(np.abs(self.points[one].position - self.points[other].position)) < SAME_PLACE
        ]
        shared = [pair for pair in pairs if set(pair) <= set(SHARED_JOINTS)]
        for one, other in pairs:
            if (one, other) in shared and len(shared) > 1:
                continue
            for name, same in ((other, one), (one, other)):
                if name in self.given:
                    found = f"{name} and {same} are at the same place"
                    rule = "two points of a suspension do not coincide"
                    yield PointWarning(self.given[name], "x", found, rule, "correct the coordinates of one of them")

    def _out_of_order(self) -> Iterator[PointWarning]:
        yield from self._ordered(UP_DOWN, 2, 1.0, "{0} does not lie below {1}", "lower points lie below upper ones")
        yield from self._ordered(
            FRONT_REAR, 0, -1.0, "{0} does not lie ahead of {1}", "front points lie ahead of rear ones"
        )
        outboard = "outer points lie outboard of inner ones"
        yield from self._ordered(OUT_IN, 1, -self.s, "{0} does not lie outboard of {1}", outboard)
        nearer = "{0} does not lie nearer to the {2} than {1}"
        yield from self._nearer(
            OUTER_AND_INNER, WHEEL_CENTRE, nearer, "outer points lie nearer to the wheel than inner ones"
        )
        if "rocker pivot" in self.points:
            on_rocker = [pair for pair in ON_ROCKER if pair[0] in self.points and self.points[pair[0]].on == ROCKER]
            yield from self._nearer(on_rocker, "rocker pivot", nearer, "points of a rocker lie at its pivot")

    def _ordered(
        self, pairs: tuple[tuple[str, str], ...], axis: int, sign: float, found: str, rule: str
    ) -> Iterator[PointWarning]:
        """Pairs of which the first has not the smaller coordinate, times sign."""
        for first, second in self._both_given(pairs):
            one, other = self.points[first], self.points[second]
            if sign * (other.position[axis] - one.position[axis]) <= 0.0:
                yield PointWarning(self.given[first], "xyz"[axis], found.format(first, second), rule)

    def _nearer(
        self, pairs: tuple[tuple[str, str], ...] | list[tuple[str, str]], to: str, found: str, rule: str
    ) -> Iterator[PointWarning]:
        at = self.points[to].position
        seen = np.array([1.0, 0.0, 1.0]) if self.axle.type.is_beam else np.ones(3)  # links may meet its middle
        for first, second in self._both_given(tuple(pairs)):
            near, far = (float(np.linalg.norm(seen * (self.points[name].position - at))) for name in (first, second))
            if near >= far:
                yield PointWarning(self.given[first], "x", found.format(first, second, to), rule)

    def _both_given(self, pairs: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
        for first, second in pairs:
            if first in self.given and second in self.points:
                yield first, second


def _unlike(axle: AxleData) -> Iterator[PointWarning]:
    """Members that are much longer on one side than on the other."""
    for joint in joints_of(axle):
        if joint.type != DISTANCE.name or not all(name in axle.points["right"] for name in joint.points):
            continue
        ends = {side: [axle.points[side][name] for name in joint.points] for side in SIDES}
        left, right = (float(np.linalg.norm(one.position - other.position)) for one, other in ends.values())
        if max(left, right) > MAX_LENGTH_RATIO * min(left, right):
            own = next((point for point in ends["right"] if point.cell not in {at.cell for at in ends["left"]}), None)
            found = f"the {joint.name} is {left * 1e3:.4g} mm long on the left and {right * 1e3:.4g} mm on the right"
            if own is not None:
                yield PointWarning(own, "x", found, "members of both sides are about equally long")


def mismatched_components(first: CarData, other: CarData, shown: str) -> Iterator[Problem]:
    """Warnings of rods of another design that are much longer or shorter than in the first. shown: the name of the other."""
    axles = {axle.name: axle for axle in first.axles}
    for axle in other.axles:
        base = axles.get(axle.name)
        for joint in joints_of(axle) if base else ():
            both = [each.points["left"] for each in (base, axle) if each]
            if joint.type != DISTANCE.name or not all(name in points for points in both for name in joint.points):
                continue
            (one, two), (own, far) = ([points[name] for name in joint.points] for points in both)
            was, now = (float(np.linalg.norm(a.position - b.position)) for a, b in ((one, two), (own, far)))
            if max(was, now) > MAX_LENGTH_RATIO * min(was, now):
                moved = far if np.array_equal(one.position, own.position) else own
                found = f"in {shown} the {axle.name} {joint.name} is {now * 1e3:.4g} mm long, in the first {was * 1e3:.4g} mm"
                rule = "a member of a design is about as long as in the others"
                yield Problem(CODE, "warning", moved.cell, found, rule, "correct the coordinates")


def _of_car(car: CarData) -> Iterator[PointWarning]:
    """Contacts that lie neither on z = 0 nor as high as those of the other axle."""
    heights = {axle.name: float(axle.design_contact("left")[2]) for axle in car.axles}
    for axle in car.axles:
        if _is_too_wide(axle):
            yield _in_scale(axle, f"half the track of a car is at most {MAX_HALF_TRACK:g} radii of its wheels")
            continue
        height = heights[axle.name]
        others = [0.0, *(other for name, other in heights.items() if name != axle.name)]
        if min(abs(height - other) for other in others) > MAX_ROAD_DIFFERENCE:
            found = f"the lowest point of the {axle.name} wheel is at z = {height * 1e3:.4g} mm"
            rule = "it is on the road: at z = 0, or as high as that of the other axle, within 5 mm"
            mend = "look at the wheel centre, tyre radius, units and axes"
            yield PointWarning(axle.points["left"][WHEEL_CENTRE], "z", found, rule, mend)
        else:
            yield from _narrow(axle)


def _is_too_wide(axle: AxleData) -> bool:
    """Whether its coordinates are in another unit than its wheels, so that nothing else can be said of its points."""
    radius = axle.number("tyre radius")
    return radius is not None and abs(float(axle.points["left"][WHEEL_CENTRE].position[1])) > MAX_HALF_TRACK * radius


def _narrow(axle: AxleData) -> Iterator[PointWarning]:
    """A car narrower than its wheels: where both axles are in another unit, their contacts are equally high."""
    half = abs(float(axle.points["left"][WHEEL_CENTRE].position[1]))
    if half < MIN_HALF_TRACK * (axle.number("tyre radius") or 0.0):
        yield _in_scale(axle, "a car is wider than its wheels are high")


def _in_scale(axle: AxleData, rule: str) -> PointWarning:
    wheel, radius = axle.points["left"][WHEEL_CENTRE], axle.number("tyre radius") or 0.0
    half = abs(float(wheel.position[1]))
    found = f"half the track is {half * 1e3:.4g} mm, the radius of the wheel {radius * 1e3:.4g} mm"
    mend = "look at the units of the coordinates and of the tyre radius: a number without one counts in m"
    return PointWarning(wheel, "y", found, rule, mend)


def report_wheelbase(car: CarData, report: ProblemList) -> None:
    """Warn where the setting wheelbase is not the distance of the contacts."""
    given = car.number("wheelbase")
    if given is None or len(car.axles) < len(SIDES):
        return
    front, rear = (axle.design_contact("left") for axle in car.axles)
    apart = float(front[0] - rear[0])
    if abs(apart - given) > max(MAX_WHEELBASE_DIFFERENCE[0], MAX_WHEELBASE_DIFFERENCE[1] * given):
        found = f"wheelbase: {given * 1e3:.5g} mm"
        rule = f"the contacts of the hardpoints are {apart * 1e3:.5g} mm apart"
        mend = "correct the wheelbase or the x of an axle's points, which all count from one origin"
        report.warning("other-wheelbase", place_of(car.cells.get("wheelbase", "Suspension")), found, rule, mend)
