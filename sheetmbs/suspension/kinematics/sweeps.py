"""Sweeps: what moves, row by row, and the wheels of both sides at each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from sheetmbs.analysis.driven_positions import joined
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.suspension_inputs import AXLES, SpringKind
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing, joined_placing, solved_pairs
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData

TRAVEL, TRAVEL_STEP = 25e-3, 2.5e-3
ROLL, ROLL_STEP = np.radians(2.0), np.radians(0.1)
RACK, RACK_STEPS = 25e-3, 20
OF_LIMIT = 0.9
NO_STEP = 1e-9
"""m, between travels that are the same row"""


class ElasticState(Protocol):
    """An axle with elastic parts in equilibrium over n poses, as `suspension/compliance` finds it."""

    @property
    def tells_compliance(self) -> bool:
        """Whether its compliance is shown."""

    @property
    def of(self) -> Any:
        """The axle with its elastic parts."""

    @property
    def assembled(self) -> Any:
        """What acts at the poses."""

    @staticmethod
    def joined(parts: Sequence[Any]) -> Any:
        """Poses of several, one behind the other."""


@dataclass(frozen=True, eq=False)
class SteppedLoad:
    """A load on both wheels, row by row. values: (n,) N or N m. quantity: its column. factors: on the left and right wheel.

    at_centre: a force acts at the wheel centres, not at the contacts. holds_loads: vertical loads stay, not heights.
    """

    quantity: str
    values: Floats
    factors: tuple[float, float] = (1.0, 1.0)
    at_centre: bool = False
    holds_loads: bool = False


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep. travel: (n,) of both wheels or of each, m; roll, pitch: rad; rack: m; roll_about: what the body rolls about.

    single: the wheel that moves alone, ``""`` both. swept: the quantities that its rows are named by, in their order.
    """

    name: str
    type: str
    travel: Floats
    roll: Floats
    rack: Floats
    pitch: Floats
    swept: tuple[str, ...]
    single: str = ""
    roll_about: str = "ground"
    axles: tuple[str, ...] = AXLES
    cell: str = ""
    right: Floats | None = None
    """(n,) travel of the right wheel where it has its own; ``travel`` is then that of the left one"""
    pitch_about: float = 0.0
    """x of the line on the road about which it pitches, m"""
    is_at_equilibrium: bool = False
    """whether each wheel keeps its load, not its travel"""
    dampers: Mapping[str, Floats] = field(default_factory=dict)
    """(n,) how much shorter than at design the damper of a side is, m, where that says where its wheel is"""
    time: Floats | None = None
    """(n,) s, increasing, at which its poses were logged"""
    load: SteppedLoad | None = None
    """a load on the wheels that its rows step through"""
    is_travel_given: bool = False
    """whether the workbook says where wheels are that it does not move; else they are where the car stands"""

    @property
    def is_vertical(self) -> bool:
        """Whether wheels move up and down alone, on a level road."""
        return self.swept == ("travel",) and self.load is None and not np.any(self.roll) and not np.any(self.pitch)

    @property
    def holds_loads(self) -> bool:
        """Whether its travels follow from springs."""
        return self.is_at_equilibrium or self.roll_about == "load"

    def column(self, quantity: str) -> Floats:
        """(n,) of a quantity that its rows are named by, SI."""
        if self.load is not None and quantity == self.load.quantity:
            return self.load.values
        if quantity.startswith("damper_"):
            return self.dampers[quantity.removeprefix("damper_")]
        if quantity == "travel_right":
            return self.travel if self.right is None else self.right
        return np.asarray(getattr(self, "travel" if quantity == "travel_left" else quantity))

    @property
    def rows(self) -> int:
        """Number of rows of the sweep."""
        return len(self.travel)

    def is_passed_once(self, quantity: str) -> bool:
        """Whether a quantity that its rows are named by goes one way, so that each of its values is one pose."""
        steps = np.diff(self.column(quantity))
        return bool(len(steps)) and bool(np.all(steps > 0.0) or np.all(steps < 0.0))

    def at_values(self, quantity: str, values: Floats) -> Sweep:
        """The same sweep at other values (m,) of a quantity that it passes once, SI; others go straight between its rows."""
        given = self.column(quantity)
        order = np.argsort(given)

        def at(column: Any) -> Any:
            if isinstance(column, Mapping):
                return {name: at(each) for name, each in column.items()}
            if is_dataclass(column) and not isinstance(column, type):
                return replace(column, **{each.name: at(getattr(column, each.name)) for each in fields(column)})
            if not isinstance(column, np.ndarray) or len(column) != self.rows:
                return column
            is_given = np.array_equal(column, given)
            return values.copy() if is_given else np.interp(values, given[order], column[order])

        return replace(self, **{each.name: at(getattr(self, each.name)) for each in fields(self)})


@dataclass(frozen=True, eq=False)
class SweptAxle:
    """An axle over the rows of a sweep. wheels: by side; rows: that both reached; placing: where it stands there.

    standing: the axle where the car stands, from which the sweep starts; None at design.
    """

    system: AxleSystem
    wheels: Mapping[str, Wheel]
    rows: slice
    placing: Placing
    standing: SweptAxle | None = None
    design: SweptAxle | None = None
    """of several axles whose poses follow each other: all of them at their design poses"""
    elastic: ElasticState | None = None
    """its elastic parts in equilibrium there; None of a rigid linkage"""

    @property
    def axle(self) -> AxleData:
        """What it is made of."""
        return self.system.axle

    @property
    def travel(self) -> Mapping[str, Floats]:
        """(n,) of either wheel, m."""
        return self.placing.travel

    @property
    def at_design(self) -> Mapping[str, Wheel]:
        """Both wheels at the design pose alone, or at that of each of several axles."""
        return self.system.at_design if self.design is None else self.design.wheels

    @cached_property
    def roll_slopes(self) -> Floats:
        """(n, 2) dz/droll of both wheels at which they stay on a road that turns about its line y = 0, m/rad.

        n.(C - G) stays 0 with G the point of that line beside the contact.
        """
        slopes, moved = [], []
        for side in SIDES:
            wheel = self.wheels[side]
            n, contact = wheel.normal, wheel.contact
            height = n.dot(contact)
            level = (height.value - n.x.value * contact.x.value) / n.z.value
            moved.append(height.first[:, -1] - level * n.z.first[:, -1])
            slopes.append(wheel.over_both(height).first)
        return -solved_pairs(np.stack(slopes, axis=1), np.stack(moved, axis=-1))

    def along_roll(self, side: str, of: Jet) -> Floats:
        """(n,) derivative of a quantity of a wheel by roll, while both wheels stay on the road."""
        return np.asarray(of.first[:, -1] + np.sum(self.wheels[side].over_both(of).first * self.roll_slopes, axis=1))


def swept_rows(swept: SweptAxle, rows: Ints) -> SweptAxle:
    """An axle at some of its poses, in the order of ``rows``."""
    wheels = {}
    for side, wheel in swept.wheels.items():
        poses = wheel.poses
        some = replace(
            poses, value=poses.value[rows], q=poses.q[rows], first=poses.first[rows], second=poses.second[rows]
        )
        wheels[side] = replace(wheel, poses=some, roll=wheel.roll[rows], pitch=wheel.pitch[rows])
    at = swept.placing
    travel = {side: values[rows] for side, values in at.travel.items()}
    placing = Placing(travel, at.rack[rows], at.roll[rows], at.pitch[rows])
    return replace(swept, wheels=wheels, placing=placing, rows=slice(0, len(rows)))


def joined_sweeps(parts: Sequence[SweptAxle]) -> SweptAxle:
    """One axle over the rows of several sweeps, one behind the other."""
    wheels = {
        side: replace(
            parts[0].wheels[side],
            poses=joined([part.wheels[side].poses for part in parts]),
            roll=np.concatenate([part.wheels[side].roll for part in parts]),
            pitch=np.concatenate([part.wheels[side].pitch for part in parts]),
            hub_spin=_joined_spins([part.wheels[side] for part in parts]),
        )
        for side in SIDES
    }
    count = sum(len(part.placing.rack) for part in parts)
    elastic = [part.elastic for part in parts if part.elastic is not None]
    return SweptAxle(
        parts[0].system,
        wheels,
        slice(0, count),
        joined_placing([part.placing for part in parts]),
        elastic=elastic[0].joined(elastic) if elastic else None,
    )


def _joined_spins(wheels: Sequence[Wheel]) -> Floats | None:
    spins = [wheel.hub_spin for wheel in wheels if wheel.hub_spin is not None]
    return np.concatenate(spins) if spins else None


def ranged(first: float, last: float, step: float) -> Floats:
    """Values from ``first`` to ``last`` in steps, and the value 0 where it lies between."""
    count = int(abs(last - first) / step + 1e-9)
    direction = np.sign(last - first)
    before = np.round(first / step)
    is_whole = abs(first - before * step) < 1e-9 * step
    # counted from 0 where it is one of them: so 5 mm are 5 mm, and formulas of users find their row
    values = (
        (before + direction * np.arange(count + 1)) * step
        if is_whole
        else first + direction * step * np.arange(count + 1)
    )
    values[np.abs(values) < 1e-9 * step] = 0.0
    if first * last < 0.0 and not np.any(values == 0.0):
        values = np.insert(values, int(np.sum(values * np.sign(first) > 0.0)), 0.0)
    return np.asarray(values, dtype=np.float64)


def full_lock(rack_limit: float) -> float:
    """Rack travel that counts as full lock, m. rack_limit: the smaller of the geometric limits."""
    return min(RACK, OF_LIMIT * rack_limit)


def stroke(system: AxleSystem, height: float = 0.0) -> tuple[float, float]:
    """Travel in droop and in bump over which wheels are swept where the workbook says nothing, m.

    It goes to the stops where there are any and the linkage reaches them. height: travel at which the axle stands.
    """
    gaps = {row.kind: row.number("gap") or 0.0 for row in system.axle.springs}
    ends = []
    none = np.zeros(1)
    for kind, sign in ((SpringKind.DROOP_STOP, -1.0), (SpringKind.BUMP_STOP, 1.0)):
        gap = gaps.get(kind, 0.0)
        if gap < TRAVEL_STEP:
            ends.append(height + sign * TRAVEL)
            continue
        placing = Placing(dict.fromkeys(SIDES, none), none, none, none)
        found = system.at_damper(placing, dict.fromkeys(SIDES, np.array([sign * gap])))
        wheels, rows = system.wheels(replace(placing, travel=found))
        length = wheels["left"].damper_length if rows.stop > rows.start else None
        is_there = (
            length is not None and abs(wheels["left"].design_damper_length - length.value[0] - sign * gap) < TRAVEL_STEP
        )
        ends.append(float(found["left"][0]) if is_there else height + sign * TRAVEL)
    return ends[0], ends[1]


def default_sweeps(
    axles: tuple[AxleData, ...],
    rack_limit: float,
    stroke: tuple[float, float] = (-TRAVEL, TRAVEL),
    height: float = 0.0,
) -> list[Sweep]:
    """What is swept where the workbook says nothing. rack_limit: the smaller of the geometric limits, m; stroke: of wheels.

    height: travel at which the car stands, from which travels go up and down.
    """

    def sweep(name: str, kind: str, values: Floats, swept: str, *, single: str = "", rack: float = 0.0) -> Sweep:
        columns = {each: np.zeros(len(values)) for each in ("travel", "roll", "rack", "pitch")}
        columns["rack"] += rack
        columns[swept] = values
        return Sweep(
            name, kind, columns["travel"], columns["roll"], columns["rack"], columns["pitch"], (swept,), single
        )

    start = min(max(height, stroke[0]), stroke[1])
    down, up = (start + ranged(0.0, end - start, TRAVEL_STEP) for end in stroke)
    travel = np.concatenate((down[:0:-1], up))
    if travel[0] < 0.0 < travel[-1] and not np.any(np.abs(travel) < NO_STEP):
        travel = np.insert(travel, np.searchsorted(travel, 0.0), 0.0)
    found = [
        sweep("heave", "heave", travel, "travel"),
        sweep("single wheel", "single wheel", travel, "travel", single="left"),
        sweep("roll", "roll", ranged(-ROLL, ROLL, ROLL_STEP), "roll"),
    ]
    if any(axle.is_steered for axle in axles):
        lock = full_lock(rack_limit)
        found.append(sweep("steer", "steer", np.linspace(-lock, lock, RACK_STEPS + 1), "rack"))
        found.append(sweep("full lock", "heave", travel, "travel", rack=lock))
    return found


def swept_axle(sweep: Sweep, system: AxleSystem, standing: SweptAxle | None = None) -> SweptAxle:
    """An axle along a sweep that says where its wheels are. standing: where it stands, if not at design."""
    return replace(swept_at(system, placing_of(sweep, system, standing)), standing=standing)


def swept_at(system: AxleSystem, placing: Placing) -> SweptAxle:
    """An axle at each row of where it is to stand, as far as it reaches."""
    wheels, rows = system.wheels(placing, by_contact=True)
    return SweptAxle(system, wheels, rows, placing.at(rows))


def swept_at_design(system: AxleSystem) -> SweptAxle:
    """An axle at its design pose alone, or as adjustments have assembled it."""
    wheels, rows = system.by_contact_at_design
    return SweptAxle(system, wheels, rows, system.design_placing.at(rows))


def placing_of(sweep: Sweep, system: AxleSystem, standing: SweptAxle | None = None) -> Placing:
    """Travels of both wheels at each row: as the sweep has them, or such that they stand on the turned road.

    standing: the axle where the car stands; wheels that the sweep leaves where they are stay there. None: at design.
    """
    axle = system.axle
    rack = sweep.rack if axle.is_steered else np.zeros(sweep.rows)
    travel = {"left": sweep.travel.copy(), "right": sweep.column("travel_right").copy()}
    ground = {side: axle.design_contact(side) for side in SIDES}
    other = {"left": "right", "right": "left"}.get(sweep.single, "")
    if other:
        travel[other] = np.zeros(sweep.rows)
    if standing is not None and not sweep.is_travel_given:
        stays = [side for side in SIDES if side == other or "travel" not in sweep.swept]
        for side in stays:
            travel[side] = travel[side] + standing.travel[side][0]
            # with travel of the contacts, and on a road that turns, it is the contact that stays
            ground[side] = standing.wheels[side].contact.value[0] - [0.0, 0.0, standing.travel[side][0]]
    placing = Placing(travel, rack, sweep.roll, sweep.pitch)
    if sweep.dampers:
        return replace(placing, travel=system.at_damper(placing, sweep.dampers))
    left, right = (ground[side] for side in SIDES)
    if not np.any(sweep.roll) and not np.any(sweep.pitch):
        if not axle.counts_at_contact:
            return placing
        return replace(placing, travel=system.at_contact(placing, {side: ground[side][2] for side in SIDES}))
    if sweep.roll_about == "antisymmetric":
        half = 0.5 * (left[1] - right[1]) * np.tan(sweep.roll)
        leaning = {"left": travel["left"] - half, "right": travel["right"] + half}
        return replace(placing, travel=leaning)
    height = float(sweep.roll_about.removeprefix("axis height ")) if sweep.roll_about.startswith("axis") else 0.0
    axis = height * (1.0 / np.cos(sweep.roll) - 1.0)  # the line at this height keeps its distance from the road
    level = 0.5 * (left[2] + right[2]) - axis
    at = np.full(sweep.rows, sweep.pitch_about)
    under = {side: np.stack((at, np.zeros_like(at), level + travel[side]), axis=-1) for side in SIDES}
    return replace(placing, travel=system.on_road(placing, under))
