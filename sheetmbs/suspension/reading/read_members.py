"""The sheets Members and Packaging: parts that are to be sized, and pairs that are to keep clear of each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan, radians

import numpy as np

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, Vector
from sheetmbs.suspension.layout.member_data import Material, MemberSpan, PackagedPair, Section, SizedMember
from sheetmbs.suspension.reading.vehicle_axes import LETTERS, numbers_of
from sheetmbs.suspension.sizing.member_spans import member_spans, span_named
from sheetmbs.workbook.reading.input_table import InputTable, Record

GIGA, MEGA = 1e9, 1e6
MATERIALS = {
    "steel": (205.0, 7850.0),
    "aluminium": (70.0, 2700.0),
    "titanium": (110.0, 4430.0),
    "carbon": (None, 1600.0),
}
"""E in GPa, None where it depends on the fibres, and density in kg/m^3"""
MODULI = 1.0, 1000.0
"""GPa, of whatever rods are made of"""
STRENGTHS = 10.0, 5000.0
"""MPa"""
DENSITIES = 100.0, 25000.0
"""kg/m^3"""
MAX_DIAMETER = 0.2
"""m, of a rod of a suspension"""
MAX_ROD_END = radians(90.0)
CODE = "implausible-value"


def read_members(
    table: InputTable, axles: Sequence[AxleData], matrix: Vector, given_side: str, report: ProblemList
) -> tuple[SizedMember, ...]:
    """Rows of Members that count. matrix: (3, 3) from the sheet's axes to ISO 8855; given_side: of the hardpoints."""
    found: dict[tuple[str, str, str], SizedMember] = {}
    for record in table.records():
        if not record.is_active:
            continue
        axle, text = record.choice("axle"), record.text("member")
        of = _axle(record, axle, axles)
        span = None if of is None or not text else _span(record, "member", of, text, report)
        values = _Values(record, report)
        section, material = values.section(), values.material()
        fixity = values.positive("end_fixity", 1.0, "the buckling length is K times the length: K is greater than 0")
        factor = values.positive("factor", 1.0, "a safety factor is greater than 0")
        rated = values.optional("rod_end_load", "a load rating is greater than 0")
        angle = values.optional("max_angle", "a rod end moves by more than 0", MAX_ROD_END)
        written = record.choice("side")
        bolts = _bolts(record, span, written, matrix, given_side, report)
        record.settle("design")
        record.finish()
        if span is None or section is None or material is None or bolts is None:
            continue
        key = axle, fold(span.name), written
        if key in found:
            rule = f"the {span.name} of the {axle} axle has a row already, {found[key].places['member']}"
            report.error("duplicate-name", record.place("member"), quoted(text), rule, "take one of them away")
            continue
        places = {column: record.place(column) for column in ("member", "d", "rod_end_load", "max_angle")}
        sides = SIDES if written in ("", "both") else (written,)
        found[key] = SizedMember(axle, span, sides, section, material, fixity, rated, bolts, angle, factor, places)
    return tuple(_each_once(list(found.values())))


def _each_once(members: list[SizedMember]) -> Iterator[SizedMember]:
    """Members in which a row of one side takes that side from a row of both."""
    for member in members:
        others = [each for each in members if (each.axle, each.span) == (member.axle, member.span)]
        own = {each.sides[0] for each in others if len(each.sides) == 1}
        sides = tuple(side for side in member.sides if len(member.sides) == 1 or side not in own)
        if sides:
            yield SizedMember(**{**vars(member), "sides": sides})


def read_packaging(table: InputTable, axles: Sequence[AxleData], report: ProblemList) -> tuple[PackagedPair, ...]:
    """Rows of Packaging that count."""
    found: dict[str, PackagedPair] = {}
    for record in table.records():
        if not record.is_active:
            continue
        name, axle = record.text("name"), record.choice("axle")
        of = _axle(record, axle, axles)
        texts = {column: record.text(column) for column in ("member", "to")}
        spans = [None if of is None or not text else _span(record, at, of, text, report) for at, text in texts.items()]
        radii = [_radius(record, column) for column in ("radius", "radius_to")]
        least = record.number_or("least", 0.0)
        written = record.choice("side")
        record.settle("design")
        record.finish()
        first, second = spans
        if not name or first is None or second is None or isnan(least):
            continue
        if first == second:
            rule = "a clearance is between two members, and this is one"
            report.error("same-member", record.place("to"), f"to: {quoted(texts['to'])}", rule, "name another member")
            continue
        if fold(name) in found:
            rule = "a clearance of this name is given already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one")
            continue
        sides = SIDES if written in ("", "both") else (written,)
        pair = PackagedPair(name, axle, (first, second), (radii[0], radii[1]), least, sides, record.place("least"))
        found[fold(name)] = pair
    return tuple(found.values())


def _axle(record: Record, name: str, axles: Sequence[AxleData]) -> AxleData | None:
    """The axle of a row; None of one without hardpoints, which is reported."""
    found = next((axle for axle in axles if axle.name == name), None)
    if name and found is None:
        rule = f"no hardpoints of the {name} axle are given"
        record.refuse("unknown-axle", "axle", rule, "add them, or take the row away")
    return found


def _span(record: Record, column: str, axle: AxleData, text: str, report: ProblemList) -> MemberSpan | None:
    found = span_named(axle, text)
    if found is None:
        names = [span.name for span in member_spans(axle)]
        rule = f"the {axle.name} axle has no such member between two points"
        mend = report.did_you_mean(text, names, f"name one of {', '.join(names)}")
        report.error("unknown-member", record.place(column), f"{column}: {quoted(text)}", rule, mend)
    return found


def _radius(record: Record, column: str) -> float | None:
    value = record.number(column)
    if value is not None and value < 0.0:
        record.refuse("out-of-range", column, "a radius is 0 or more", "correct it, or clear it")
    return value


class _Values:
    """The numbers of a row of Members, each checked at its cell."""

    def __init__(self, record: Record, report: ProblemList) -> None:
        self.record, self.report = record, report

    def section(self) -> Section | None:
        """The section of the member; None where it is none, which is reported."""
        d, wall = self.record.number("d"), self.record.number("wall")
        if d is None or isnan(d) or (wall is not None and isnan(wall)):
            return None
        if d <= 0.0:
            self.record.refuse("out-of-range", "d", "a diameter is greater than 0", "correct it")
            return None
        if d > MAX_DIAMETER:
            rule = f"no rod of a suspension is thicker than {MAX_DIAMETER * 1e3:g} mm"
            mend = "look at its unit: a number without one counts in m"
            self.report.warning(CODE, self.record.place("d"), f"d: {d * 1e3:.4g} mm", rule, mend)
        if wall is None:
            return Section(d)
        if not 0.0 < wall < 0.5 * d:
            rule = f"the wall of a tube is thicker than 0 and thinner than half of d, {0.5e3 * d:.4g} mm"
            mend = "correct it, or leave it blank for a solid rod"
            self.report.error("out-of-range", self.record.place("wall"), f"wall: {wall * 1e3:.4g} mm", rule, mend)
            return None
        return Section(d, d - 2.0 * wall)

    def material(self) -> Material | None:
        """The material of the member; None where something is wrong, which is reported."""
        word = self.record.choice("material")
        modulus, density, strength = (self.record.number(column) for column in ("E", "density", "yield"))
        if not word or any(value is not None and isnan(value) for value in (modulus, density, strength)):
            return None
        usual, usual_density = MATERIALS[word]
        if modulus is None and usual is None:
            rule = f"E of {word} depends on its fibres and has no default"
            self.record.missing("E", rule, "fill it in, as 120 GPa")
            return None
        e = GIGA * usual if modulus is None and usual is not None else modulus or 0.0
        low, high = MODULI
        if not low * GIGA <= e <= high * GIGA:
            rule = f"Young's modulus lies between {low:g} and {high:g} GPa"
            mend = "look at its unit: a number without one counts in Pa"
            self.report.error("out-of-range", self.record.place("E"), f"E: {e / GIGA:.4g} GPa", rule, mend)
            return None
        rho = usual_density if density is None else density
        if not self._is_likely("density", rho, DENSITIES, 1.0, "kg/m^3"):
            return None
        if strength is not None and not self._is_likely("yield", strength, STRENGTHS, MEGA, "MPa"):
            return None
        return Material(e, rho, strength)

    def _is_likely(self, column: str, value: float, bounds: tuple[float, float], size: float, unit: str) -> bool:
        """Whether a value is above 0; what can hardly be meant gets a warning."""
        if value <= 0.0:
            self.record.refuse("out-of-range", column, f"{column} is greater than 0", "correct it, or clear it")
            return False
        low, high = bounds
        if not low * size <= value <= high * size:
            rule = f"it lies between {low:g} and {high:g} {unit}"
            mend = "look at its unit: a number without one is in SI"
            self.report.warning(CODE, self.record.place(column), f"{column}: {value / size:.4g} {unit}", rule, mend)
        return True

    def positive(self, column: str, usual: float, rule: str) -> float:
        """A number above 0, or what a blank cell means."""
        value = self.record.number_or(column, usual)
        if value <= 0.0:
            self.record.refuse("out-of-range", column, rule, "correct it, or clear it")
        return value

    def optional(self, column: str, rule: str, most: float | None = None) -> float | None:
        """A number above 0; None where blank."""
        value = self.record.number(column)
        if value is None or isnan(value):
            return None
        if value <= 0.0:
            self.record.refuse("out-of-range", column, rule, "correct it, or clear it")
        elif most is not None and value > most:
            limit = "look at its unit: a number without one counts in rad"
            found = f"{column}: {np.degrees(value):.4g} deg"
            self.report.warning(CODE, self.record.place(column), found, "it is at most 90 deg", limit)
        return value


def _bolts(
    record: Record, span: MemberSpan | None, written: str, matrix: Vector, given_side: str, report: ProblemList
) -> tuple[Vector, Vector] | None:
    """(3,) unit directions of both bolts on the left side, ISO 8855; None where one is wrong, which is reported.

    A row of both sides describes the side of the hardpoints, and is mirrored to the other one.
    """
    found = []
    record.settle("inner_bolt", "outer_bolt")
    described = written if written in SIDES else given_side
    for column in ("inner_bolt", "outer_bolt"):
        text = record.text(column)
        if not text:
            found.append(np.eye(3)["xyz".index(span.bolt if span is not None else "z")])
            continue
        along = _direction(text, matrix)
        if along is None:
            rule = "the axis of a bolt is x, y, z or three numbers in the axes of Hardpoints, as 0 0 1"
            report.error("wrong-direction", record.place(column), f"{column}: {quoted(text)}", rule, "correct it")
            return None
        found.append(along if described == "left" else along * MIRROR)
    return found[0], found[1]


def _direction(text: str, matrix: Vector) -> Vector | None:
    word = fold(text)
    if word in LETTERS:
        return np.asarray(matrix[:, LETTERS.index(word)])
    numbers = numbers_of(text)
    return None if numbers is None else np.asarray(matrix @ numbers / np.linalg.norm(numbers))
