"""The set-up of a car as a mechanic finds it: the car stands at 1 g on its tyres, and every item has its value at that pose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import asin, isfinite, nan

import numpy as np

from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.adjusting.members import LENGTH, Link, member_ends, members
from sheetmbs.suspension.elastic.heave_room import heave_room
from sheetmbs.suspension.elastic.spring_elements import Element
from sheetmbs.suspension.kinematics.axle_system import level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, swept_at, swept_at_design
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.type_table import CHASSIS
from sheetmbs.suspension.loads.design_loads import settled_at_rest
from sheetmbs.suspension.loads.standing_pose import StandingPose, standing_pose
from sheetmbs.suspension.metrics.columns import sweep_tables
from sheetmbs.suspension.metrics.damping import damper_force, dampers
from sheetmbs.suspension.metrics.metric import DEG, MM, NEWTON, PERCENT, RATE, SLOPE, AxlePoses, size
from sheetmbs.suspension.solved_design import DESIGN, DESIGN_POSE, SolvedDesign

TURNS = "turns"
FLOOR = {"front": "floor front", "rear": "floor rear"}
"""points of the chassis whose heights make the rake"""
CAR = "car"
SPEEDS = (50.0, -50.0, 250.0, -250.0)
"""mm/s of the wheel, + in bump, at which its damping force is shown"""
LOOSE_BELOW = "loose_below"
MAX_NEWTON_STEPS, SQUEEZED = 30, 20e-3
"""steps to a free length, and m by which a loose spring is compressed for the first"""
WHEEL_METRICS = (("camber", "camber"), ("toe", "toe"), ("toe at rim", "toe_mm"))


@dataclass
class SetUpRow:
    """An item with its unit, and its values in that by column: a corner, an axle or the car."""

    item: str
    unit: str
    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SetUp:
    """The set-up of a design. rows: by item, in their order. pose: on its tyres; None where nothing carries it.

    fault: why it does not stand, ``""`` where it does: its values are then those at design.
    """

    name: str
    car: CarData
    rows: Mapping[str, SetUpRow]
    pose: StandingPose | None
    fault: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Corners, axles and the car."""
        corners = (axle.corner(side) for axle in self.car.axles for side in SIDES)
        return (*corners, *(axle.name for axle in self.car.axles), CAR)

    def value(self, item: str, column: str) -> float | None:
        """The value of an item; None where it has none."""
        row = self.rows.get(item)
        return None if row is None else row.values.get(column)


def set_up(design: SolvedDesign) -> SetUp:
    """The set-up of a design."""
    car = design.car
    settled = settled_at_rest(car, design.systems, design.laws)
    if settled is None:
        fault = (
            "nothing tells what its springs carry: springs, mass, weight front, cg height or wheelbase are not given"
        )
    else:
        fault = settled.fault[0]
    pose = None if settled is None or fault else standing_pose(car, settled)
    found = _Values(design, pose)
    return SetUp(design.name, car, found.rows(), pose, fault)


class _Values:
    """The items of a design. pose: where it stands; None: at design."""

    def __init__(self, design: SolvedDesign, pose: StandingPose | None) -> None:
        self._design, self._car, self._pose = design, design.car, pose
        self._rows: dict[str, SetUpRow] = {}

    def rows(self) -> dict[str, SetUpRow]:
        """All rows that have a value."""
        self._weights()
        self._wheels()
        self._heights()
        for axle in self._car.axles:
            self._springs(axle)
        self._clearances()
        for axle in self._car.axles:
            self._lengths(axle)
        self._bars_and_rockers()
        self._of_metrics(("motion ratio", "motion_ratio"), ("damping ratio", "damping_ratio"))
        for axle in self._car.axles:
            self._damping(axle)
        return {item: row for item, row in self._rows.items() if row.values}

    def _put(self, item: str, unit: str, column: str, value: float | None) -> None:
        """A value in SI; of a row that has none yet the place of that row too."""
        shown = unit if unit == TURNS else self._car.units.of(unit)
        row = self._rows.setdefault(item, SetUpRow(item, shown))
        if value is not None and isfinite(value):
            row.values[column] = float(value) / (1.0 if unit == TURNS else size(shown))

    @cached_property
    def _standing(self) -> dict[str, SweptAxle]:
        """Each axle where the car stands."""
        found = {}
        for name, system in self._design.systems.items():
            if self._pose is None:
                found[name] = swept_at_design(system)
                continue
            travel = {side: np.array([self._pose.travel[system.axle.corner(side)]]) for side in SIDES}
            found[name] = swept_at(system, level_placing(travel, np.zeros(1)))
        return found

    @cached_property
    def _poses(self) -> dict[str, AxlePoses]:
        return {name: AxlePoses(self._car, swept, self._design.laws[name]) for name, swept in self._standing.items()}

    @cached_property
    def _metrics(self) -> dict[str, tuple[float, str]]:
        """Metrics of the standing car with their units, by column."""
        asked = (*(metric for _item, metric in WHEEL_METRICS), "caster", "motion_ratio", "damping_ratio")
        wanted = [f"{axle.corner(side)}.{name}" for axle in self._car.axles for side in SIDES for name in asked]
        plan = {DESIGN: DESIGN_POSE}
        table = sweep_tables(self._car, plan, {DESIGN: self._standing}, self._design.laws, wanted)[DESIGN]
        return {
            column: (float(value), unit)
            for column, value, unit in zip(table.columns, table.values[0], table.units, strict=True)
        }

    def _of_metrics(self, *asked: tuple[str, str]) -> None:
        """Rows of metrics of wheels, in their own units."""
        for item, metric in asked:
            for axle in self._car.axles:
                for corner in map(axle.corner, SIDES):
                    value, unit = self._metrics.get(f"{corner}.{metric}", (nan, ""))
                    if isfinite(value):
                        self._rows.setdefault(item, SetUpRow(item, unit)).values[corner] = value

    def _weights(self) -> None:
        load = {} if self._pose is None else self._pose.load
        for corner, value in load.items():
            self._put("corner weight", NEWTON, corner, value)
        if len(self._car.axles) == len(FLOOR) and load:
            total = sum(load.values())
            self._put("weight", NEWTON, CAR, total)
            for item, corners in (("front", ("FL", "FR")), ("left", ("FL", "RL")), ("cross", ("FR", "RL"))):
                self._put(f"{item} weight", PERCENT, CAR, sum(load[corner] for corner in corners) / total)

    def _wheels(self) -> None:
        self._of_metrics(*WHEEL_METRICS)
        for axle in self._car.axles:
            toes = [self._metrics.get(f"{axle.corner(side)}.toe", (nan, "")) for side in SIDES]
            unit = toes[0][1]
            if all(isfinite(value) for value, _unit in toes):
                row = self._rows.setdefault("total toe", SetUpRow("total toe", unit))
                row.values[axle.name] = toes[0][0] + toes[1][0]
        self._of_metrics(("caster", "caster"))

    def _heights(self) -> None:
        """Heights of points of the chassis above the road, and the rake of the floor."""
        if self._pose is None:
            return
        floors = {}
        for axle in self._car.axles:
            for name, point in axle.points[SIDES[0]].items():
                if point.on != CHASSIS:
                    continue
                of_axle = next((each for each, floor in FLOOR.items() if fold(name) == floor), "")
                if of_axle:
                    floors[of_axle] = (
                        np.mean([axle.points[side][name].position for side in SIDES], axis=0)
                        + self._pose.shift[axle.name]
                    )
                    self._put(f"ride height {name}", MM, of_axle, self._pose.mean_height(self._car, name))
                elif point.is_reported:
                    for side in SIDES[:1] if point.is_central else SIDES:
                        column = axle.name if point.is_central else axle.corner(side)
                        height = self._pose.height(axle.name, axle.points[side][name].position)
                        self._put(f"ride height {name}", MM, column, height)
        if len(floors) == len(FLOOR):
            apart = floors["front"] - floors["rear"]
            rake = -float(self._pose.up @ apart)
            self._put("rake", MM, CAR, rake)
            self._put("rake angle", DEG, CAR, asin(rake / float(np.linalg.norm(apart))))

    def _springs(self, axle: AxleData) -> None:
        """Rate, force and lengths of springs, and their perches."""
        of = self._poses[axle.name]
        rows = [row for row in axle.springs if row.kind in (SpringKind.SPRING, SpringKind.THIRD_SPRING)]
        own = [row for row in rows if row.kind == SpringKind.SPRING and not axle.has_point(f"{row.name} inner")]
        for row in rows:
            if row.kind == SpringKind.SPRING and row not in own:
                continue  # an elastic link
            title = "spring" if own and row is own[0] else row.name
            for part in of.elements:
                if part.name == row.name:
                    self._spring(title, axle, part)
        for side in SIDES if own else ():
            moved, pitch = axle.perches.get(side, 0.0), axle.number("perch pitch")
            self._put("perch", MM, axle.corner(side), moved)
            self._put("perch turns", TURNS, axle.corner(side), moved / pitch if pitch else None)
        for side, thickness in axle.shims.items():
            self._put("camber shim", MM, axle.corner(side), thickness)

    def _spring(self, title: str, axle: AxleData, part: Element) -> None:
        column = axle.corner(part.side) if part.side else axle.name
        perch = axle.perches.get(part.side, 0.0)
        length = float(part.length.value[0])
        is_first = title == "spring"
        self._put(f"{title} rate", RATE, column, float(part.stiffness[0]))
        self._put(f"{title} force", NEWTON, column, -float(part.force[0]))
        self._put(f"{title} length", MM, column, length - perch)
        free = self._free_length(axle, part) - perch
        self._put("free length" if is_first else f"{title} free length", MM, column, free)

    def _free_length(self, axle: AxleData, part: Element) -> float:
        """Distance of its ends at which a spring carries nothing, m, by Newton's method on its law; NaN where it has none."""
        held = self._design.laws[axle.name][part.name, part.side]
        design = float(np.ravel(held.design)[0])
        longer = float(part.length.value[0]) - design
        if part.force[0] >= 0.0:
            longer -= SQUEEZED
        for _ in range(MAX_NEWTON_STEPS):
            force, stiffness = (float(each[0]) for each in held.law(np.array([longer])))
            if force == 0.0:
                break
            if not stiffness > 0.0:
                return nan
            longer -= force / stiffness
        return design + longer

    def _clearances(self) -> None:
        for axle in self._car.axles:
            for side in SIDES:
                corner = axle.corner(side)
                loose = self._loose_below(corner)
                if loose is not None:
                    value, unit = loose
                    self._rows.setdefault("loose below", SetUpRow("loose below", unit)).values[corner] = value
        for axle in self._car.axles:
            for side, room in heave_room(self._standing[axle.name]).items():
                self._put("bump clearance", MM, axle.corner(side), room.bump)
                self._put("rebound clearance", MM, axle.corner(side), room.rebound)

    def _loose_below(self, corner: str) -> tuple[float, str] | None:
        """Travel from design at which the spring of a corner lets go, with its unit; None where there is no such column."""
        table = self._design.at_design
        name = f"{corner}.{LOOSE_BELOW}"
        if name not in table.columns:
            return None
        at = table.columns.index(name)
        value = float(table.values[0, at])
        return (value, table.units[at]) if isfinite(value) else None

    def _lengths(self, axle: AxleData) -> None:
        """Lengths of members, as they are assembled."""
        for member in members(axle):
            is_central = isinstance(member, Link) and member.joint.is_central
            one, other = member_ends(member)
            for side in SIDES[:1] if is_central else SIDES:
                points = axle.points[side]
                length = float(np.linalg.norm(points[one].position - points[other].position))
                self._put(f"{member.name}{LENGTH}", MM, axle.name if is_central else axle.corner(side), length)

    def _bars_and_rockers(self) -> None:
        for axle in self._car.axles:
            for part in self._poses[axle.name].elements:
                row = next(each for each in axle.springs if part.name.startswith(each.name))
                setting = row.number("setting") if part.of_kind.is_bar else None
                if setting is not None:
                    self._put("bar setting", SLOPE, axle.name, setting)
        for axle in self._car.axles:
            for item, moved, fixed in _levers(axle):
                for side, wheel in self._standing[axle.name].wheels.items():
                    at = {
                        name: wheel.hardpoint(name).value[0] for name in (moved, fixed, "rocker pivot", "rocker axis")
                    }
                    line, hinge = at[fixed] - at[moved], at["rocker axis"] - at["rocker pivot"]
                    arm = np.cross(at[moved] - at["rocker pivot"], line / np.linalg.norm(line))
                    lever = abs(float(arm @ hinge)) / float(np.linalg.norm(hinge))
                    self._put(item, MM, axle.corner(side), lever)

    def _damping(self, axle: AxleData) -> None:
        """Forces of dampers at the wheel, both wheels moved together."""
        found: Sequence[tuple[SpringElement, Element]] = dampers(self._poses[axle.name])
        for speed in SPEEDS if found else ():
            for number, side in enumerate(SIDES):
                force = 0.0
                for row, part in found:
                    slopes = part.length.first[0]
                    force -= slopes[number] * float(damper_force(row, -slopes.sum() * speed * size(MM))[0])
                self._put(f"wheel damping force {speed:+.0f}", NEWTON, axle.corner(side), force)


def _levers(axle: AxleData) -> Iterator[tuple[str, str, str]]:
    """What turns a rocker: the item, and the ends on the rocker and away from it of the line of its force."""
    if axle.has_rocker:
        yield "rocker lever rod", "rod rocker", "rod outer"
        if axle.has_point("damper rocker") and axle.has_point("damper chassis"):
            yield "rocker lever damper", "damper rocker", "damper chassis"
