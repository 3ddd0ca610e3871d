"""The sheet Adjustments: set-up changes of each axle, checked."""

from __future__ import annotations

import re
from math import degrees, isnan, pi

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.suspension_inputs import ADJUSTED, AXLES, SpringKind
from sheetmbs.schema.validate import QUANTITY, ValueFault, is_blank_unit, unit_of
from sheetmbs.suspension.adjusting.members import (
    CAMBER,
    CORNER_WEIGHT,
    CROSS_WEIGHT,
    LENGTH,
    PERCH,
    RACK_HEIGHT,
    RIDE_HEIGHT,
    SHIM,
    TOE,
    Adjustment,
    Member,
    member_named,
    members,
    toe_link,
)
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, CarData, Vector
from sheetmbs.suspension.layout.mass_data import corner_load, front_share, total_mass
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK, PartJoint
from sheetmbs.suspension.reading.plausible_settings import CODE, MAX_ANGLES
from sheetmbs.suspension.reading.vehicle_axes import sheet_axes
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.fields import Field, is_sound, number
from sheetmbs.workbook.reading.input_table import InputTable, Record

ITEMS = (SHIM, PERCH, RACK_HEIGHT, CAMBER, TOE, CORNER_WEIGHT, CROSS_WEIGHT, RIDE_HEIGHT)
OUTBOARD = np.array([0.0, 1.0, 0.0])
THREAD_PITCH, PERCH_PITCH = "thread pitch", "perch pitch"
SHIMMED = ("upper", "lower")
POINT_SHIFT = re.compile(r"(.+)\.\s*([xyz])\s*", re.IGNORECASE)
TURN = 2.0 * pi
MAX_CHANGE = 0.2
"""m"""


def read_adjustments(table: InputTable, car: CarData, report: ProblemList) -> dict[str, tuple[Adjustment, ...]]:
    """The adjustments of each axle that has any, in the order of their rows."""
    found: dict[str, list[Adjustment]] = {}
    axles = {axle.name: axle for axle in car.axles}
    seen: dict[tuple[str, ...], Place] = {}
    for record in table.records():
        if not record.is_active:
            continue
        name, text = record.choice("axle"), record.text("item")
        record.settle("design", "change", "unit")
        if not name or not text:
            continue
        if name not in axles:
            rule = f"no hardpoints of the {name} axle are given"
            report.error("unknown-axle", record.place("axle"), f"axle: {name}", rule, "add them, or take the row away")
            continue
        key = (name, fold(text), fold(record.raw_text("at")), fold(record.raw_text("side")))
        if key in seen:
            rule = f"this item is changed at {seen[key]} already"
            report.error("duplicate-name", record.place("item"), quoted(text), rule, "take one of the rows away")
            continue
        seen[key] = record.place("item")
        made = _Row(record, axles[name], car, report).read(text)
        if made is not None:
            found.setdefault(name, []).append(made)
        record.finish()
    return {name: tuple(each) for name, each in found.items()}


class _Row:
    """One row of the sheet."""

    def __init__(self, record: Record, axle: AxleData, car: CarData, report: ProblemList) -> None:
        self._record, self._axle, self._car, self._report = record, axle, car, report
        side = record.choice("side")
        self._sides: tuple[str, ...] = (side,) if side in SIDES else SIDES

    def read(self, text: str) -> Adjustment | None:
        """The adjustment of an item; None where it is wrong, which is reported."""
        item, shifted = fold(text), POINT_SHIFT.fullmatch(text)
        if item in (CAMBER, TOE):
            return self._solved(item)
        if item == SHIM:
            found = self._at()
            return None if found is None else self._made(item, self._length(), shim=found[0], normal=found[1])
        if item == PERCH:
            return self._perch(item)
        if item == RACK_HEIGHT:
            return self._rack_height(item)
        if item in (CORNER_WEIGHT, CROSS_WEIGHT, RIDE_HEIGHT):
            return self._standing(item)
        if shifted:
            return self._point(item, shifted[1], "xyz".index(shifted[2].lower()))
        member = member_named(self._axle, item.removesuffix(LENGTH)) if item.endswith(LENGTH) else None
        if member is not None:
            return self._made(item, self._length(THREAD_PITCH), member=member)
        self._refuse_item(text)
        return None

    def _refuse_item(self, text: str) -> None:
        known = [*(f"{member.name}{LENGTH}" for member in members(self._axle)), *ITEMS]
        otherwise = f"write one of {', '.join(known)}, or a point and its coordinate such as tie rod inner.z"
        mend = self._report.did_you_mean(text, known, otherwise)
        rule = f"a {self._axle.type.name} of the {self._axle.name} axle has nothing of this name to adjust"
        self._report.error("unknown-item", self._record.place("item"), quoted(text), rule, mend)

    def _made(
        self,
        item: str,
        change: float | None,
        *,
        member: Member | None = None,
        shim: tuple[PartJoint, str] | None = None,
        normal: Vector | None = None,
        point: str = "",
        shift: Vector | None = None,
    ) -> Adjustment | None:
        if change is None:
            return None
        return Adjustment(item, change, self._sides, self._record.place("item"), member, shim, normal, point, shift)

    def _length(self, *pitches: str) -> float | None:
        """The change, m; turns of a thread too. pitches: settings of that, of which the first that is given counts."""
        unit = self._unit()
        if unit is None or not unit.fits(u.ANGLE):
            return self._change(u.LENGTH, unit)
        pitch = next((given for each in pitches if (given := self._axle.number(each)) is not None), None)
        if pitch is not None:
            turned = self._change(u.ANGLE, unit)
            return None if turned is None else pitch * turned / TURN
        rule = f"turns of a thread need the setting {pitches[0]}" if pitches else "this change is a length"
        mend = "set it on the sheet Suspension, or give a length" if pitches else "give a length"
        self._record.refuse("wrong-dimension", "change", rule, mend)
        return None

    def _unit(self) -> u.Unit | None:
        """The unit of the change: in its cell, in the column unit, or of its column."""
        cell = self._record.cell("change")
        match = QUANTITY.fullmatch(str(cell.value).strip()) if cell is not None and cell.kind is CellKind.TEXT else None
        text = match[2] if match and match[2] else self._record.text("unit")
        if is_blank_unit(text):
            field = self._record.table.fields.get("change")
            return field.unit if field else None
        try:
            return unit_of(text, ADJUSTED)
        except ValueFault:
            return None  # told where the number is read

    def _change(self, dimension: u.Dimension, unit: u.Unit | None) -> float | None:
        cell = self._record.cell("change")
        if cell is None:
            self._record.number("change", dimension)
            return None
        self._record.settle("change")
        field = self._record.table.fields["change"]
        place = self._record.place("change")
        text = self._record.raw_text("unit")
        if unit is None and not is_blank_unit(text):
            try:
                unit_of(text, ADJUSTED)
            except ValueFault as fault:
                self._report.error(fault.code, self._record.place("unit"), quoted(text), fault.problem, fault.mend)
                return None
        if not is_sound(cell, place, self._report):
            return None
        value = number(cell, Field(field.column, field.header, unit), dimension, place, self._report)
        if dimension is u.LENGTH and abs(value) > MAX_CHANGE:
            told, rule = (
                f"change: {value * 1e3:.5g} mm",
                f"no set-up changes a length by more than {MAX_CHANGE * 1e3:g} mm",
            )
            mend = "look at its unit: a number without one counts in m"
            self._report.warning(CODE, place, told, rule, mend)
        return None if isnan(value) else value

    def _solved(self, item: str) -> Adjustment | None:
        """Camber by a shim, toe by the tie rod: the change is the value that the wheel gets."""
        value = self._change(u.ANGLE, self._unit())
        if value is not None and abs(value) > MAX_ANGLES[item]:
            told, rule = f"{item}: {degrees(value):.4g} deg", f"its size is {degrees(MAX_ANGLES[item]):.0f} deg at most"
            mend = "look at its unit: a number without one counts in rad"
            self._report.warning(CODE, self._record.place("change"), told, rule, mend)
        if item == TOE:
            member = toe_link(self._axle)
            if member is None:
                self._refuse("a wheel of this axle has no tie rod or toe link that could set it")
                return None
            return self._made(item, value, member=member)
        found = self._at()
        return None if found is None else self._made(item, value, shim=found[0], normal=found[1])

    def _refuse(self, rule: str, column: str = "item", mend: str = "take the row away") -> None:
        self._record.refuse("no-such-adjustment", column, rule, mend)

    def _at(self) -> tuple[tuple[PartJoint, str], Vector] | None:
        """Where a shim sits, and the direction in which it moves the upright of the left side."""
        carrier = self._axle.wheel_carrier
        places: dict[str, PartJoint] = {}
        for joint in joints_of(self._axle):
            for body, point in zip((joint.body_i, joint.body_j), (joint.points * 2)[:2], strict=True):
                if body == carrier and joint.type in (SPHERICAL.name, DISTANCE.name):
                    places[point] = joint
        text = self._record.text("at")
        named = [f"{word} ball joint" for word in SHIMMED] if not text else []
        named += [f"{fold(text)} ball joint", standard_name(text)[0]] if text else []
        point = next((name for name in named if name in places), "")
        if not point:
            words = [word for word in SHIMMED if f"{word} ball joint" in places]
            rule = f"a shim sits at {', '.join((*words, *places))} of this {self._axle.type.name}" if places else ""
            self._refuse(rule or "no joint of this axle sits on a bracket of an upright", "at", "name one of these")
            self._record.settle("shim_normal")
            return None
        normal = self._normal(point)
        return None if normal is None else ((places[point], point), normal)

    def _normal(self, point: str) -> Vector | None:
        """The direction of a shim, (3,): as given, to a point on the plane of the bracket, or outboard."""
        points, text = self._axle.points["left"], self._record.text("shim_normal")
        parts = re.split(r"[\s;,]+", text.strip("()[] "))
        bracket = next((name for name in (f"{point} bracket", "bracket plane point") if name in points), "")
        if text and standard_name(text)[0] in points:
            bracket = standard_name(text)[0]
        elif text:
            try:
                given = np.array([float(part) for part in parts])
            except ValueError:
                given = np.zeros(0)
            if given.shape != (3,) or not np.linalg.norm(given):
                rule = "a direction is three numbers such as 0 1 0, or the name of a point on the plane of the bracket"
                self._refuse(rule, "shim_normal", "correct it, or clear the cell: outboard")
                return None
            direction = sheet_axes(self._car.settings) @ given
            if self._car.settings["input side"] == "right":
                direction = direction * MIRROR
            return np.asarray(direction / np.linalg.norm(direction))
        if not bracket:
            return OUTBOARD
        direction = points[bracket].position - points[point].position
        return np.asarray(direction / np.linalg.norm(direction))

    def _perch(self, item: str) -> Adjustment | None:
        if not self._axle.has_kind(SpringKind.SPRING):
            self._refuse(f"the {self._axle.name} axle has no spring on the sheet Suspension springs")
            return None
        return self._made(item, self._length(PERCH_PITCH, THREAD_PITCH))

    def _standing(self, item: str) -> Adjustment | None:
        """How the standing car is to be, and the perches or rods that are turned for it."""
        dimension = {CORNER_WEIGHT: u.FORCE, CROSS_WEIGHT: u.RATIO, RIDE_HEIGHT: u.LENGTH}[item]
        value = self._change(dimension, self._unit())
        by = self._record.choice("by")
        at = self._at_corner() if item == CORNER_WEIGHT else self._at_point() if item == RIDE_HEIGHT else ""
        if not by or at is None or not self._can_stand(item):
            return None
        member = None
        if by == PERCH:
            if not self._axle.has_kind(SpringKind.SPRING):
                self._refuse(f"the {self._axle.name} axle has no spring on the sheet Suspension springs", "by")
                return None
        else:
            member = member_named(self._axle, by.removesuffix(LENGTH)) if self._axle.has_rocker else None
            if member is None:
                self._refuse(f"the {self._axle.name} axle has no push-rod or pull-rod", "by", f"write {PERCH}")
                return None
        if value is None:
            return None
        if (item == CROSS_WEIGHT and not 0.0 < value < 1.0) or value <= 0.0:
            rule = "a cross weight is between 0 and 100 %" if item == CROSS_WEIGHT else f"a {item} is greater than 0"
            self._record.refuse("out-of-range", "change", rule, "look at its unit, such as 50 %, 650 N or 40 mm")
            return None
        sides = ("left" if at[1] == "L" else "right",) if item == CORNER_WEIGHT else SIDES
        places = self._record.place("item"), self._record.place("change")
        return Adjustment(item, value, sides, places[0], member, at=at, change_place=places[1])

    def _at_corner(self) -> str | None:
        """The wheel whose load is given."""
        corners = {fold(self._axle.corner(side)): self._axle.corner(side) for side in SIDES}
        found = corners.get(fold(self._record.text("at")) if self._record.given("at") else "")
        if found is None:
            self._refuse(f"a corner weight is that of {' or '.join(corners.values())}", "at", "name one of these")
        return found

    def _at_point(self) -> str | None:
        """The point of the chassis whose height is given."""
        text = self._record.text("at") if self._record.given("at") else ""
        points = {
            fold(name): name
            for axle in self._car.axles
            for name, point in axle.points["left"].items()
            if point.on == CHASSIS
        }
        found = points.get(fold(standard_name(text)[0]), points.get(fold(text)))
        if found is None:
            known = [name for name in points.values() if "floor" in name] or list(points.values())
            mend = self._report.did_you_mean(text, list(points.values()), f"name a point such as {known[0]}")
            self._refuse("a ride height is that of a point of the chassis above the road", "at", mend)
        return found

    def _can_stand(self, item: str) -> bool:
        """Whether the car can be put on its wheels; reported where it cannot."""
        missing = [name for name in ("mass", "weight front", "cg height", "wheelbase") if self._is_unknown(name)]
        if len(self._car.axles) < len(AXLES):
            missing = [] if corner_load(self._car, self._axle) is not None else ["corner load"]
            if item != RIDE_HEIGHT:
                self._refuse(f"with one axle alone a {item} is what the setting corner load says")
                return False
        if missing:
            rule = f"how the car stands follows from {' and '.join(missing)}, which the sheet Suspension does not set"
            self._refuse(rule, mend="set it there, or take the row away")
            return False
        unsprung = next((axle.name for axle in self._car.axles if not axle.is_sprung), None)
        if unsprung is not None:
            self._refuse(f"no spring carries the {unsprung} axle", mend="add it to Suspension springs")
        return unsprung is None

    def _is_unknown(self, setting: str) -> bool:
        known = {"mass": total_mass, "weight front": front_share}.get(setting)
        return (self._car.number(setting) if known is None else known(self._car)) is None

    def _rack_height(self, item: str) -> Adjustment | None:
        if not any(point.on == RACK for point in self._axle.type.points):
            self._refuse("this axle has no rack")
            return None
        change = self._length()
        shift = None if change is None else np.array([0.0, 0.0, change])
        return self._made(item, change, point=self._axle.rack_point, shift=shift)

    def _point(self, item: str, text: str, axis: int) -> Adjustment | None:
        points = self._axle.points["left"]
        name = standard_name(text)[0]
        exact = next((each for each in points if fold(each) == fold(name)), "")
        if not exact:
            mend = self._report.did_you_mean(text, list(points), "name a point of the sheet Hardpoints")
            rule = f"the {self._axle.name} axle has no such point"
            self._report.error("unknown-point", self._record.place("item"), quoted(text), rule, mend)
            return None
        change = self._length()
        if change is None:
            return None
        shift = sheet_axes(self._car.settings)[:, axis] * change
        is_of_right = self._car.settings["input side"] == "right"
        return self._made(item, change, point=exact, shift=shift * MIRROR if is_of_right else shift)
