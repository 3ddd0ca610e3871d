"""The sheet Compliance: which parts of a suspension are elastic, and how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from sheetmbs.model.model import Curve
from sheetmbs.schema import units as u
from sheetmbs.schema.compliance_inputs import NODE
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted
from sheetmbs.suspension.elastic.elastic_places import elastic_places, place_named
from sheetmbs.suspension.elastic.element_kind import CurveLaw
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, Vector
from sheetmbs.suspension.layout.elastic_parts import (
    BALL,
    BLADE_LINK,
    CENTRAL_KINDS,
    CHASSIS_TORSION,
    COLUMN,
    END,
    LEGS,
    MEMBER,
    PIVOT,
    RACK_BAR,
    RACK_MOUNT,
    SPRING_END,
    TYRE,
    WHEEL_BEARING,
    ElasticPart,
    PartPlace,
)
from sheetmbs.suspension.layout.elastic_steering import steering_parts
from sheetmbs.suspension.layout.member_data import SizedMember
from sheetmbs.suspension.reading.vehicle_axes import LETTERS
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record

RATE_COLUMNS: dict[str, tuple[str, ...]] = {
    PIVOT: ("k", "k_radial", "k_axial", "k_torsion", "k_conical"),
    BALL: ("k", "k_radial", "k_axial"),
    MEMBER: ("k", "E", "area"),
    LEGS: ("k", "E", "area"),
    END: ("k",),
    SPRING_END: ("k",),
    BLADE_LINK: ("k", "E", "area"),
    RACK_MOUNT: ("k",),
    RACK_BAR: ("k",),
    COLUMN: ("k_torsion",),
    WHEEL_BEARING: ("k_conical",),
    TYRE: ("k_axial", "k_radial"),
    CHASSIS_TORSION: ("k_torsion",),
}
"""numbers that count in the row of a kind of part"""
CURVES_OF: dict[str, tuple[str, ...]] = {
    PIVOT: ("k", "radial", "axial", "torsion"),
    BALL: ("k", "radial", "axial"),
    MEMBER: ("k",),
    END: ("k",),
    RACK_MOUNT: ("k",),
    RACK_BAR: ("k",),
    SPRING_END: ("k",),
    BLADE_LINK: ("k",),
    COLUMN: ("torsion",),
}
"""numbers in whose place a curve may stand, by kind of part"""
MAY_BE_ZERO = ("k_torsion", "k_conical")
WITH_AXIS, WITH_NODE = (PIVOT, BALL), (PIVOT, BALL, END)
HINGE = "hinge"
RATES = 1e3, 1e12
"""N/m, of what holds a wheel: 1 N/mm to 1e9 N/mm"""
TURNING_RATES = 1e-2, 1e9
"""N m/rad"""
CODE = "implausible-value"
LEAST_STIFFNESS = 1e-9
"""of the largest: a node whose stiffness is less in some direction is not held there"""


def with_elastic_parts(
    table: InputTable,
    axles: tuple[AxleData, ...],
    settings: Mapping[str, float | str | None],
    curves: Context,
    axes: tuple[Vector, str],
    sized: Sequence[SizedMember],
    report: ProblemList,
) -> tuple[AxleData, ...]:
    """Axles with their elastic parts; the same axles where the sheet has no row that counts. settings: of the car.

    Where the sheet says nothing of column and rack, the shafts of Steering and the settings steering stiffness and rack
    stiffness do.
    """
    parts = read_compliance(table, axles, curves, axes, sized, report)
    if not any(parts.values()):
        return axles
    usual = settings.get("steering stiffness")
    return tuple(
        replace(axle, elastic=(*parts[axle.name], *steering_parts(axle, parts[axle.name], usual))) for axle in axles
    )


def read_compliance(
    table: InputTable,
    axles: Sequence[AxleData],
    curves: Context,
    axes: tuple[Vector, str],
    sized: Sequence[SizedMember],
    report: ProblemList,
) -> dict[str, tuple[ElasticPart, ...]]:
    """Elastic parts by axle. curves: with the sheet Curves read. sized: rows of Members.

    axes: (3, 3) from the sheet's axes to ISO 8855, and the side that hardpoints describe.
    """
    found: dict[tuple[str, str, str], ElasticPart] = {}
    for record in table.records():
        if not record.is_active:
            continue
        part = _Row(record, curves, axes, report).part(axles, sized)
        record.settle("design", "curve_of", "side", "axis")
        record.finish()
        if part is None:
            continue
        key = part.axle, part.name, record.choice("side") if len(part.sides) == 1 else ""
        found[key] = _joined(found[key], part, record, report) if key in found else part
    parts = _each_once(list(found.values()))
    for part in parts:
        _check_given(part, report)
    return {axle.name: tuple(part for part in parts if part.axle == axle.name) for axle in axles}


def _each_once(parts: list[ElasticPart]) -> list[ElasticPart]:
    """Parts in which a row of one side takes that side from a row of both."""
    kept = []
    for part in parts:
        own = {
            each.sides[0]
            for each in parts
            if (each.axle, each.name) == (part.axle, part.name) and len(each.sides) == 1 < len(part.sides)
        }
        sides = tuple(side for side in part.sides if side not in own)
        if sides:
            kept.append(replace(part, sides=sides))
    return kept


def _joined(first: ElasticPart, second: ElasticPart, record: Record, report: ProblemList) -> ElasticPart:
    """A part of which a row says more: another curve, its other cells blank."""
    says_numbers = bool(second.numbers) or second.node is not None or bool(second.damping)
    doubled = set(first.curves) & set(second.curves)
    if says_numbers or doubled or not second.curves:
        rule = f"the {first.name} of the {first.axle} axle has a row already, {first.cell}"
        mend = "take one of them away; a further row of a part has a curve of its own and nothing else"
        report.error("duplicate-name", record.place("part"), quoted(record.raw_text("part")), rule, mend)
        return first
    return replace(first, curves={**first.curves, **second.curves})


def _check_given(part: ElasticPart, report: ProblemList) -> None:
    """Report rows that make nothing elastic."""
    if part.numbers or part.curves or part.node is not None:
        return
    columns = [name for name in RATE_COLUMNS[part.place.kind] if name != "area"]
    rule = f"a row of {part.name} gives {' or '.join(columns)}"
    if part.place.kind in (MEMBER, LEGS):
        rule += ", or Members gives its section"
    found = "no stiffness is given"
    report.error("missing-value", place_of(part.cell), found, rule, "fill one in, or take the row away")


class _Row:
    """One row of the sheet. axes: (3, 3) from those of Hardpoints to ISO 8855, and the side that hardpoints describe."""

    def __init__(self, record: Record, curves: Context, axes: tuple[Vector, str], report: ProblemList) -> None:
        self.record, self.curves, self.report = record, curves, report
        self.matrix, self.given_side = axes
        written = record.choice("side")
        self.written = written if written in SIDES else ""

    def part(self, axles: Sequence[AxleData], sized: Sequence[SizedMember]) -> ElasticPart | None:
        """The part of the row; None where something is wrong, which is reported."""
        record = self.record
        name, text = record.choice("axle"), record.text("part")
        axle = next((each for each in axles if each.name == name), None)
        if name and axle is None:
            rule = f"no hardpoints of the {name} axle are given"
            record.refuse("unknown-axle", "axle", rule, "add them, or take the row away")
        if axle is None or not text:
            return None
        place = place_named(axle, text)
        if place is None:
            self._unknown(axle, text)
            return None
        if place.kind in CENTRAL_KINDS and self.written:
            rule = f"an axle has one {place.name}, which is on no side"
            record.refuse("unused-value", "side", rule, "clear the cell")
        numbers = self._numbers(place)
        curves = self._curve(place, numbers)
        node = self._node() if place.kind in WITH_NODE else None
        axis, towards = self._axis(axle, place) if place.kind in WITH_AXIS else (None, "")
        dimension = u.ROTATIONAL_DAMPING if place.kind in (COLUMN, WHEEL_BEARING, CHASSIS_TORSION) else u.DAMPING
        damping = record.number_or("c", 0.0, dimension)
        if damping < 0.0:
            record.refuse("out-of-range", "c", "a damping is 0 or more", "correct it")
        if numbers is None or curves is None:
            return None
        if place.kind in (MEMBER, LEGS, BLADE_LINK) and not curves:
            numbers = self._of_section(place, numbers, axle, sized)
            if numbers is None:
                return None
        sides = SIDES if place.kind in CENTRAL_KINDS or not self.written else (self.written,)
        cell = str(record.place("part"))
        return ElasticPart(axle.name, place, sides, numbers, axis, towards, node, curves, damping, cell)

    def _unknown(self, axle: AxleData, text: str) -> None:
        names = [place.name for place in elastic_places(axle)]
        rule = f"a {axle.type.name} of the {axle.name} axle has no such part"
        mend = self.report.did_you_mean(text, names, f"name one of {', '.join(names)}")
        self.report.error("unknown-part", self.record.place("part"), f"part: {quoted(text)}", rule, mend)

    def _numbers(self, place: PartPlace) -> dict[str, float] | None:
        """Numbers that are given, each checked; None where one is wrong."""
        found: dict[str, float] = {}
        is_sound = True
        for column in RATE_COLUMNS[place.kind]:
            value = self.record.number(column)
            if value is None:
                continue
            may_be_zero = column in MAY_BE_ZERO and place.kind == PIVOT
            if isnan(value):
                is_sound = False
            elif value < 0.0 or (value == 0.0 and not may_be_zero):
                rule = f"{column} is {'0 or more' if may_be_zero else 'greater than 0'}"
                if not may_be_zero:
                    rule += ": what is rigid is left blank"
                self.record.refuse("out-of-range", column, rule, "correct it, or clear the cell")
                is_sound = False
            else:
                self._judge(column, value)
                found[column] = value
        if "k" in found and {"k_radial", "k_axial"} & set(found):
            other = "k_radial" if "k_radial" in found else "k_axial"
            rule = "k says what k_radial and k_axial say"
            self.report.error("given-twice", self.record.place(other), f"k and {other}", rule, f"clear k or {other}")
            is_sound = False
        return found if is_sound else None

    def _judge(self, column: str, value: float) -> None:
        """Warn of a stiffness that nothing has that holds a wheel."""
        turns = column in ("k_torsion", "k_conical")
        if column in ("E", "area") or value == 0.0:
            return
        low, high = TURNING_RATES if turns else RATES
        if not low <= value <= high:
            size, unit = (np.degrees(1.0), "N m/deg") if turns else (1e3, "N/mm")
            rule = f"what holds a wheel has between {low / size:.3g} and {high / size:.3g} {unit}"
            mend = f"look at its unit: a number without one counts in {'N m/rad' if turns else 'N/m'}"
            found = f"{column}: {value / size:.4g} {unit}"
            self.report.warning(CODE, self.record.place(column), found, rule, mend)

    def _curve(self, place: PartPlace, numbers: dict[str, float] | None) -> dict[str, Curve] | None:
        """The curve of the row by what it stands for; None where something is wrong."""
        record = self.record
        allowed = CURVES_OF.get(place.kind, ())
        is_given = record.given("curve_of") or (record.given("curve") and len(allowed) != 1)
        of = record.choice("curve_of") if is_given else (*allowed, "k")[0]
        if not record.given("curve"):
            if record.given("curve_of"):
                record.refuse("unused-value", "curve_of", "no curve is given", "name a curve, or clear the cell")
            return {}
        if not allowed:
            record.refuse("unused-value", "curve", f"a {place.kind} has no curve", "clear the cell, and give a number")
            record.settle("curve")
            return None
        if of not in allowed:
            rule = f"a {place.kind} has a curve of {', '.join(allowed)}"
            record.refuse("unknown-value", "curve_of", rule, "name one of these")
            return None
        over, gives = (u.ANGLE, u.MOMENT) if of == "torsion" else (u.LENGTH, u.FORCE)
        name = self.curves.curve(record, "curve", over, gives, over_time=False)
        known = self.curves.given_curves.get(name) if name else None
        if known is None:
            return None
        column = of if of == "k" else f"k_{of}"
        if numbers and column in numbers:
            rule = f"{column} is a number or a curve"
            self.report.error("given-twice", record.place(column), f"{column} and curve", rule, "clear one of them")
            return None
        return {of: known.curve} if self._rises(known.curve) else None

    def _rises(self, curve: Curve) -> bool:
        """Whether a curve is one of a spring: through the origin, and rising."""
        if curve.x[0] > 0.0 or curve.x[-1] <= 0.0:
            rule = "it gives a force over deflection from 0 on, or over both signs"
        elif abs(float(CurveLaw(curve)(np.zeros(1))[0][0])) > 1e-9 * float(np.max(np.abs(curve.y))):
            rule = "it goes through 0 at no deflection: preloads follow from equilibrium"
        elif np.any(np.diff(curve.y) <= 0.0):
            rule = "a bushing's force rises with its deflection"
        else:
            return True
        self.record.refuse("wrong-curve", "curve", f"the curve {curve.name}: {rule}", "correct the curve")
        return False

    def _node(self) -> Vector | None:
        """(3, 3) stiffness of a pickup on the left side, ISO 8855; None where blank or wrong, which is reported."""
        values = {column: self.record.number(column) for column in NODE}
        if all(value is None for value in values.values()):
            return None
        if any(value is not None and isnan(value) for value in values.values()):
            return None
        for column in ("kxx", "kyy", "kzz"):
            if values[column] is None:
                self.record.missing(column, "the stiffness of a node has kxx, kyy and kzz", "fill it in")
                return None
        xx, xy, xz, yy, yz, zz = (values[column] or 0.0 for column in NODE)
        given = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        sizes = np.linalg.eigvalsh(given)
        if not sizes[0] > LEAST_STIFFNESS * abs(sizes[-1]):
            rule = "with these numbers the structure gives way by itself: the matrix is not positive definite"
            self.record.refuse("wrong-node", "kxx", rule, "look at the numbers off the diagonal")
            return None
        turn = self.matrix if self._describes == "left" else np.diag(MIRROR) @ self.matrix
        return np.asarray(turn @ given @ turn.T)

    @property
    def _describes(self) -> str:
        """The side that directions of the row belong to: a row of both sides that of the hardpoints."""
        return self.written or self.given_side

    def _axis(self, axle: AxleData, place: PartPlace) -> tuple[Vector | None, str]:
        """(3,) axis of a bushing on the left side, ISO 8855, or the point towards which it lies; neither: the usual one."""
        text = self.record.text("axis")
        if not text or (fold(text) == HINGE and place.kind == PIVOT):
            return None, ""
        if fold(text) in LETTERS:
            along = self.matrix[:, LETTERS.index(fold(text))]
            return (along if self._describes == "left" else along * MIRROR), ""
        known = {fold(name): name for name in axle.points["left"]}
        point = known.get(fold(standard_name(text)[0])) or known.get(fold(text))
        if point is None or point == place.point:
            rule = "the axis of a bushing is " + ("hinge, " if place.kind == PIVOT else "") + "x, y, z or a hardpoint"
            mend = self.report.did_you_mean(text, list(axle.points["left"]), "name one of these")
            self.report.error("wrong-direction", self.record.place("axis"), f"axis: {quoted(text)}", rule, mend)
            return None, ""
        return None, point

    def _of_section(
        self, place: PartPlace, numbers: dict[str, float], axle: AxleData, sized: Sequence[SizedMember]
    ) -> dict[str, float] | None:
        """Numbers of a member: k, or E times area; both from Members where all are blank."""
        given = {"E", "area"} & set(numbers)
        if "k" in numbers:
            if given:
                other = min(given)
                rule = "k of a member is given, or follows from E and area"
                self.report.error("given-twice", self.record.place(other), f"k and {other}", rule, "clear one of them")
                return None
            return numbers
        if given == {"E", "area"}:
            return {"stiffness_length": numbers["E"] * numbers["area"]}
        if given:
            blank = ({"E", "area"} - given).pop()
            self.record.missing(blank, "k = E area/length: both are given, or k", "fill it in")
            return None
        names = (
            {place.name}
            if place.kind != LEGS
            else {place.name.replace(" legs", f" {w} leg") for w in ("front", "rear")}
        )
        rows = [row for row in sized if row.axle == axle.name and row.span.name in names]
        if not rows or len({row.span.name for row in rows}) < len(names):
            rule = "its stiffness is k, or follows from E and area, or from its row on Members, and there is none"
            self.record.missing("k", rule, f"fill in k, or add {', '.join(sorted(names))} to Members")
            return None
        return {f"stiffness_length {row.span.name}": row.material.modulus * row.section.area for row in rows}
