"""A suspension as it was read: axles with their hardpoints, settings and elements, in SI and in axes of ISO 8855."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Curve
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place
from sheetmbs.schema.suspension_inputs import BAR_KINDS, SpringKind
from sheetmbs.suspension.layout.elastic_parts import ElasticPart
from sheetmbs.suspension.layout.member_data import PackagedPair, SizedMember
from sheetmbs.suspension.layout.steering_column import TURN, SteeringColumn
from sheetmbs.suspension.layout.type_table import CENTRAL, CHASSIS, RACK, ROCKER, UPRIGHT, WHEEL_CENTRE, SuspensionType

PLAIN = ("N", "N/mm", "N*m")
"""units of forces, stiffnesses and moments, in which no length is replaced by itself"""
LENGTH = re.compile(r"\bmm\b")
ANGLE = re.compile(r"\bdeg\b")


@dataclass(frozen=True)
class ResultUnits:
    """Units that stand for mm, deg, N and N/mm."""

    length: str = "mm"
    angle: str = "deg"
    force: str = "N"
    stiffness: str = "N/mm"

    def of(self, unit: str) -> str:
        """The unit that stands for a usual one: of a ratio the same."""
        return _standing_for(self, unit)


@cache
def _standing_for(units: ResultUnits, unit: str) -> str:
    if unit in PLAIN:
        return {"N": units.force, "N/mm": units.stiffness}.get(unit, unit)
    top, _slash, bottom = unit.partition("/")
    if top == bottom:
        return unit
    return ANGLE.sub(units.angle, LENGTH.sub(units.length, unit))


Owner = TypeVar("Owner")
Found = TypeVar("Found")


def computed_once(find: Callable[[Owner], Found]) -> Callable[[Owner], Found]:
    """Let what is found of a wheel or an axle be found once: it is kept in what it has ``known``."""

    def kept(of: Owner) -> Found:
        known = of.known  # type: ignore[attr-defined]
        if find not in known:
            known[find] = find(of)
        return known[find]  # type: ignore[no-any-return]

    return kept


class LazyItems(Mapping[str, Found]):
    """Things by name, each found when it is first asked for."""

    def __init__(self, names: Collection[str], find: Callable[[str], Found]) -> None:
        self._names, self._find = names, cache(find)

    def __getitem__(self, name: str) -> Found:
        if name not in self._names:
            raise KeyError(name)
        return self._find(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


Vector = NDArray[np.float64]
SIDES = ("left", "right")
CORNERS = {("front", "left"): "FL", ("front", "right"): "FR", ("rear", "left"): "RL", ("rear", "right"): "RR"}
SOLVE_HEIGHT = "solve height"
"""ride height that follows from the springs as they are"""
MIRROR = np.array([1.0, -1.0, 1.0])
EARTH = 9.81
"""m/s^2, gravity where the sheet Settings says nothing"""
CARRYING = (SpringKind.SPRING, SpringKind.TORSION_BAR, SpringKind.THIRD_SPRING, SpringKind.ROLL_SPRING)
"""kinds of elements that work in heave"""
BLADE_END, BLADE_AXIS = "blade end", ("blade pivot", "blade axis")
HELPER_K, HELPER_TRAVEL = "helper k", "helper travel"
"""of a helper spring, in the row of the spring with which it stands in series"""


@dataclass(frozen=True)
class Hardpoint:
    """A point in axes of ISO 8855, m. on: the body that carries it. cell: where its x stands. is_central: one for the axle.

    max_angle: the largest angle of the ball joint here, rad; None where nothing is said. is_reported: its place is written.
    on_cell: where its body is named, ``""`` where its type says it. is_turned: it is that of the left, turned about a blade.
    """

    name: str
    position: Vector
    on: str
    cell: str
    is_central: bool = False
    max_angle: float | None = None
    is_reported: bool = False
    on_cell: str = ""
    is_turned: bool = False


@dataclass(frozen=True)
class SpringElement:
    """A row of Suspension springs, SI; None where blank."""

    name: str
    kind: str
    values: Mapping[str, float | str | None]
    places: Mapping[str, Place]
    """cells of its name and of texts, for messages"""
    curves: Mapping[str, Curve] = field(default_factory=dict)
    """in place of numbers, by the names of their columns"""

    def number(self, column: str) -> float | None:
        """A number of its row."""
        value = self.values.get(column)
        return value if isinstance(value, float) else None

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides on which it stands."""
        side = self.values.get("side")
        return (str(side),) if side in SIDES else SIDES

    @property
    def is_captive(self) -> bool:
        """Whether it pulls too, and never comes loose."""
        return self.values.get("tension") == "yes"


@dataclass(frozen=True)
class MassPoint:
    """A mass on a body of an axle. at: (3,) its place at design, in the axes of the hardpoints, m. point: the hardpoint there.

    slides_on: hardpoints at the top and at the lower end of the strut along which it lies at a fixed distance from the top.
    """

    body: str
    side: str
    at: Vector
    mass: float
    point: str = ""
    slides_on: tuple[str, str] | tuple[()] = ()


@dataclass(frozen=True)
class AxleData:
    """One axle. points: of either side by name. settings: by name, SI; cells: where each stands.

    rack_axis: (3,) unit direction of the rack's travel, to the left.
    Of an axle that adjustments have changed: drawn is the axle as its hardpoints have it, from which travel counts; spins:
    axes of its wheels, by side; perches: how far spring perches were moved towards their springs, m; shims: thickness of
    camber shims, m.
    masses: what it carries unsprung. overrides: its springs as the workbook's own sheet Springs has them, by name and side.
    gravity: m/s^2, downwards.
    """

    name: str
    type: SuspensionType
    settings: Mapping[str, float | str | None]
    points: Mapping[str, Mapping[str, Hardpoint]]
    springs: tuple[SpringElement, ...] = ()
    cells: Mapping[str, str] = field(default_factory=dict)
    rack_axis: Vector = field(default_factory=lambda: np.array([0.0, 1.0, 0.0]))
    drawn: AxleData | None = None
    spins: Mapping[str, Vector] = field(default_factory=dict)
    perches: Mapping[str, float] = field(default_factory=dict)
    shims: Mapping[str, float] = field(default_factory=dict)
    masses: tuple[MassPoint, ...] = ()
    overrides: Mapping[tuple[str, str], SpringElement | None] = field(default_factory=dict)
    gravity: float = EARTH
    column: SteeringColumn | None = None
    """shafts between the steering wheel and the rack; None where one turn of the wheel is one of the pinion"""
    elastic: tuple[ElasticPart, ...] = ()
    """what of it is elastic; none where its sweeps are those of rigid members"""

    @cached_property
    def known(self) -> dict[object, Any]:
        """What has been found of it, by what finds it."""
        return {}

    @property
    def as_drawn(self) -> AxleData:
        """The axle as its hardpoints have it, before adjustments."""
        return self.drawn or self

    def named(self, part: str) -> str:
        """A part in words: with its axle before it, unless its name says it already."""
        return part if part.startswith(f"{self.name} ") else f"{self.name} {part}"

    def spring_row(self, row: SpringElement, suffix: str, side: str) -> SpringElement | None:
        """A row of springs as it counts on a side; None where the workbook's own rows take it away there."""
        return self.overrides.get((row.name + suffix, side), row)

    def standing(self, side: str) -> float:
        """Travel of a wheel at which it stands when nothing has moved yet, m: adjustments may have moved it from design."""
        here, drawn = (each.points[side][WHEEL_CENTRE].position for each in (self, self.as_drawn))
        return float(here[2] - drawn[2])

    def rack_at(self, wheel: Vector) -> Vector:
        """(n,) rack travel at angles of the steering wheel, rad; NaN without rack per turn."""
        pinion = wheel if self.column is None else self.column.pinion(wheel)
        return pinion * self.rack_per_angle

    def steering_wheel_at(self, rack: Vector) -> Vector:
        """(n,) angle of the steering wheel at places of the rack, rad; NaN without rack per turn."""
        pinion = rack / self.rack_per_angle
        return pinion if self.column is None else self.column.wheel(pinion)

    def rack_rate(self, rack: Vector) -> Vector:
        """(n,) d(rack)/d(wheel) at places of the rack, m/rad; NaN without rack per turn."""
        if self.column is None:
            return np.full_like(rack, self.rack_per_angle)
        return self.column.rate(self.steering_wheel_at(rack)) * self.rack_per_angle

    @property
    def rack_per_angle(self) -> float:
        """Rack travel per angle of the pinion, m/rad; NaN where it is not given."""
        per_turn = self.number("rack per turn")
        return np.nan if per_turn is None else per_turn / TURN

    def number(self, setting: str) -> float | None:
        """A setting that is a number; None where blank."""
        value = self.settings.get(setting)
        return value if isinstance(value, float) else None

    def word(self, setting: str) -> str:
        """A setting that is a word."""
        return str(self.settings.get(setting) or "")

    def has_point(self, name: str) -> bool:
        """Whether a point is given."""
        return name in self.points["left"]

    def has_kind(self, kind: str) -> bool:
        """Whether there is a spring element of a kind."""
        return any(spring.kind == kind for spring in self.springs)

    def corner(self, side: str) -> str:
        """FL, FR, RL or RR."""
        return CORNERS[self.name, side]

    @cached_property
    def is_steered(self) -> bool:
        """Whether its tie rods hang on a rack."""
        hangs = any(point.on == RACK for point in self.type.points)
        return (hangs or self.has_kingpin) and self.word("steering") == "rack"

    @cached_property
    def has_kingpin(self) -> bool:
        """Whether an upright turns about points on the arm or axle that otherwise carries the wheel itself."""
        is_given = self.has_point("kingpin lower") or self.has_point("kingpin upper")
        return is_given and self.type.wheel_carrier != UPRIGHT

    @property
    def wheel_carrier(self) -> str:
        """The body on which the wheel turns."""
        return UPRIGHT if self.has_kingpin else self.type.wheel_carrier

    @property
    def steering_axis(self) -> tuple[str, str] | tuple[()]:
        """Lower and upper point of the steering axis; () where there are none."""
        return ("kingpin lower", "kingpin upper") if self.has_kingpin else self.type.steering_axis

    @property
    def drive_reaches_axle(self) -> bool:
        """Whether what carries a wheel reacts the torque that drives it: not with a halfshaft, always a beam."""
        return self.word("drive") == "outboard" or self.type.is_beam

    @property
    def counts_at_contact(self) -> bool:
        """Whether travel is that of the contacts, not that of the wheel centres."""
        return self.word("travel of") == "contact"

    @cached_property
    def has_rocker(self) -> bool:
        """Whether a rod and a rocker reach spring and damper."""
        return self.word("actuation") in ("push-rod", "pull-rod")

    @property
    def rod_name(self) -> str:
        """The rod as the reader calls it."""
        return self.word("actuation")

    @property
    def rod_on(self) -> str:
        """Body that carries the outer end of the rod."""
        return self._carrier("rod on")

    @property
    def bar_on(self) -> str:
        """Body that carries the drop link of the bar."""
        given = next(
            (spring.values.get("on") for spring in self.springs if spring.kind in BAR_KINDS),
            None,
        )
        if not given:
            return ROCKER if self.has_rocker else self.type.carriers[0]
        return next((each for each in (ROCKER, *self.type.carriers) if fold(each) == fold(str(given))), str(given))

    @property
    def damper_point(self) -> str:
        """The moving end of the damper."""
        if self.has_rocker:
            return "damper rocker"
        return "strut lower" if self.type.has_strut and not self.has_point("damper outer") else "damper outer"

    @property
    def damper_fixed(self) -> str:
        """The end of the damper on the chassis."""
        is_strut = self.damper_point == "strut lower"
        return "strut top" if is_strut else "damper chassis"

    @property
    def damper_body(self) -> str:
        """Body that carries the moving end of the damper."""
        return ROCKER if self.has_rocker else self._carrier("damper on")

    @property
    def needs_damper_points(self) -> bool:
        """Whether something acts between the ends of the damper, or points say where."""
        acts = {SpringKind.SPRING, SpringKind.DAMPER, SpringKind.BUMP_STOP, SpringKind.DROOP_STOP}
        is_given = self.has_point("damper rocker") or self.has_point("damper outer") or self.has_point("damper chassis")
        return self.damper_point != "strut lower" and (
            is_given or any(each.kind in acts and not self._has_own_ends(each) for each in self.springs)
        )

    def _has_own_ends(self, row: SpringElement) -> bool:
        is_link = self.has_point(f"{row.name} inner") or self.has_point(f"{row.name} outer")
        return is_link or (row.values.get("point_i") is not None and row.values.get("point_j") is not None)

    @property
    def rack_point(self) -> str:
        """The point at which the rack slides."""
        return next((point.name for point in self.type.points if point.on == RACK), "tie rod inner")

    @property
    def elastic_members(self) -> tuple[str, ...]:
        """Links that are springs: those by whose name a spring is given."""
        return tuple(spring.name for spring in self.springs if spring.kind == SpringKind.SPRING)

    @property
    def is_sprung(self) -> bool:
        """Whether any element works in heave: springs, bars that swing, and blades whose tips move alike."""
        return any(self.has_kind(kind) for kind in CARRYING) or any(
            (row.kind == SpringKind.T_BAR and bool(row.number("k_swing")))
            or (row.kind == SpringKind.BLADE_BAR and not self.points["right"][BLADE_END].is_turned)
            for row in self.springs
        )

    def blade_tip(self, side: str) -> Vector:
        """(3,) or (n, 3) tip of a blade at design: on the right that of the left, turned by half a turn about its axis."""
        tip = self.points[side][BLADE_END]
        if not tip.is_turned:
            return tip.position
        pivot, along = self.blade_axis
        arm = self.points["left"][BLADE_END].position - pivot
        return np.asarray(pivot + 2.0 * along * np.sum(arm * along, axis=-1, keepdims=True) - arm)

    @property
    def blade_axis(self) -> tuple[Vector, Vector]:
        """A point of a blade's axis, and its unit direction from blade pivot to blade axis."""
        pivot, other = (self.points["left"][name].position for name in BLADE_AXIS)
        return pivot, np.asarray((other - pivot) / np.linalg.norm(other - pivot, axis=-1, keepdims=True))

    def _carrier(self, setting: str) -> str:
        given = self.word(setting)
        return given if given in self.type.carriers else self.type.carriers[0]

    def body_name(self, body: str, side: str) -> str:
        """The name of a generated body: of a corner, of the axle, or the chassis."""
        if body == CHASSIS or (body == RACK and not self.is_steered):
            return CHASSIS
        return f"{self.name if body in CENTRAL else self.corner(side)} {body}"

    def spin_axis(self, side: str) -> Vector:
        """Outboard unit direction of the wheel's axis at design, from static camber and toe.

        camber = -asin(w_z), toe = atan2(w_x, s w_y).
        """
        if side in self.spins:
            return self.spins[side]
        s = 1.0 if side == "left" else -1.0
        camber, toe = self.number("camber") or 0.0, self.number("toe") or 0.0
        level = np.cos(camber)
        return np.array([level * np.sin(toe), s * level * np.cos(toe), -np.sin(camber)])

    def design_contact(self, side: str) -> Vector:
        """(3,) lowest point of the wheel disc at design."""
        drawn = self.as_drawn
        w, up = drawn.spin_axis(side), np.array([0.0, 0.0, 1.0])
        down = up - w * w[2]
        radius = self.number("tyre radius") or 0.0
        return np.asarray(drawn.points[side][WHEEL_CENTRE].position - radius * down / np.linalg.norm(down))


@dataclass(frozen=True)
class CarData:
    """A car of one or two axles. settings: by name, SI; cells: where each stands. units: of results.

    sized: members that are to be sized. packaged: pairs of members that are to keep clear of each other.
    """

    axles: tuple[AxleData, ...]
    settings: Mapping[str, float | str | None]
    cells: Mapping[str, str] = field(default_factory=dict)
    units: ResultUnits = field(default_factory=ResultUnits)
    sized: tuple[SizedMember, ...] = ()
    packaged: tuple[PackagedPair, ...] = ()

    @property
    def steered(self) -> AxleData | None:
        """The axle that the steering wheel steers, the front one of two; None where there is none."""
        return next((axle for axle in self.axles if axle.is_steered), None)

    def number(self, setting: str) -> float | None:
        """A setting of the car that is a number; None where blank."""
        value = self.settings.get(setting)
        return value if isinstance(value, float) else None

    @property
    def gravity(self) -> float:
        """Acceleration of gravity, downwards, m/s^2."""
        return self.axles[0].gravity

    @property
    def gravity_x(self) -> float | None:
        """X of the centre of gravity, m, from the share of the weight on the front axle; None where nothing tells it."""
        share, wheelbase = self.number("weight front"), self.number("wheelbase")
        at = {
            axle.name: float(axle.design_contact("left")[0] + axle.design_contact("right")[0]) / 2
            for axle in self.axles
        }
        if share is None:
            return None
        if {"front", "rear"} <= set(at):
            return share * at["front"] + (1.0 - share) * at["rear"]
        if wheelbase is None:
            return None
        return at["front"] - (1.0 - share) * wheelbase if "front" in at else at["rear"] + share * wheelbase
