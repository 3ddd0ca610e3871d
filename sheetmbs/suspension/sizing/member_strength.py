"""What rods and legs bear against what they carry in the load cases, and angles of their rod ends over all poses.

With A, I of the section, L between the points at design and K the end fixity:

    slenderness  s = K L/sqrt(I/A)
    Euler        P = pi^2 E I/(K L)^2                        s >= sqrt(2 pi^2 E/yield), or without yield strength
    Johnson      P = yield A (1 - yield s^2/(4 pi^2 E))      below that
    stress       |N|/A + |M| d/(2 I)                         the largest of a case, M the bending of the arm of a leg
    rod end      asin|u . b|                                 u along the member, b the axis of its bolt, fixed on the body there

Shigley's Mechanical Engineering Design, chapter 4, sections on long columns and intermediate-length columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan, pi, sqrt

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, CarData
from sheetmbs.suspension.layout.member_data import Material, MemberSpan, Section, SizedMember
from sheetmbs.suspension.loads.member_forces import LoadColumn
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.sizing.posed_points import PosedAxle, PoseGroup

EULER, JOHNSON = "Euler", "Johnson"
LEAST_FORCE = 1e-6
"""N; a smaller force is one of rounding"""
YIELD, BUCKLING, ROD_END = "yield", "buckling", "rod end"
"""what a reserve is against"""


@dataclass(frozen=True)
class Buckling:
    """Slenderness, the load at which a member buckles, N, and whose formula it is."""

    slenderness: float
    load: float
    by: str


def buckling(section: Section, material: Material, length: float, fixity: float) -> Buckling:
    """Buckling of a member. length: between its points, m. fixity: K."""
    effective = fixity * length
    slenderness = effective / sqrt(section.second_moment / section.area)
    strength, modulus = material.yield_strength, material.modulus
    if strength is not None and slenderness < sqrt(2.0 * pi**2 * modulus / strength):
        share = strength * slenderness**2 / (4.0 * pi**2 * modulus)
        return Buckling(slenderness, strength * section.area * (1.0 - share), JOHNSON)
    return Buckling(slenderness, pi**2 * modulus * section.second_moment / effective**2, EULER)


@dataclass(frozen=True)
class Reserve:
    """What a member bears over what it carries with its factor. against: of what. case: in which load case."""

    value: float
    against: str
    case: str


@dataclass(frozen=True)
class MemberStrength:
    """A member of a corner, SI. tension, compression: largest, 0 or more, with their load cases, NaN without any case.

    angles: of the inner and the outer rod end, rad, the largest over all poses. group, row: the pose of the larger one.
    """

    row: SizedMember
    axle: AxleData
    owner: str
    side: str
    tension: float
    tension_case: str
    compression: float
    compression_case: str
    length: float
    stress: float
    stress_case: str
    buckling: Buckling
    angles: tuple[float, float]
    worst: tuple[PoseGroup, int] | None

    @property
    def name(self) -> str:
        """Name of the member with its corner, as on mbs Loads."""
        return f"{self.owner}.{self.row.span.name}"

    @property
    def mass(self) -> float:
        """Mass of the rod or tube, kg."""
        return self.row.material.density * self.row.section.area * self.length

    @property
    def yield_reserve(self) -> float:
        """Yield strength over stress; NaN without either."""
        strength = self.row.material.yield_strength
        return nan if strength is None else _over(strength, self.row.factor * self.stress)

    @property
    def buckling_reserve(self) -> float:
        """Buckling load over compression; NaN without compression."""
        return _over(self.buckling.load, self.row.factor * self.compression)

    @property
    def rod_end_reserve(self) -> float:
        """Load rating of the rod ends over the larger force; NaN without either."""
        rated = self.row.rod_end_load
        return nan if rated is None else _over(rated, self.row.factor * max(self.tension, self.compression))

    @property
    def reserves(self) -> list[Reserve]:
        """All reserves that there are, the least first."""
        larger = self.tension_case if self.tension >= self.compression else self.compression_case
        found = [
            Reserve(self.yield_reserve, YIELD, self.stress_case),
            Reserve(self.buckling_reserve, BUCKLING, self.compression_case),
            Reserve(self.rod_end_reserve, ROD_END, larger),
        ]
        return sorted((each for each in found if each.value == each.value), key=lambda each: each.value)


def _over(borne: float, carried: float) -> float:
    """NaN where nothing is carried."""
    return borne / carried if carried > 0.0 else nan


def member_strengths(car: CarData, loads: SolvedLoads, posed: Mapping[str, PosedAxle]) -> tuple[MemberStrength, ...]:
    """Every member of Members on each side. posed: axles at all poses of all sweeps and load cases."""
    axles = {axle.name: axle for axle in car.axles}
    forces = {column.name: column for column in loads.columns}
    cases = [case.name for case in loads.cases]
    found = []
    for row in car.sized:
        axle = axles[row.axle]
        for side in row.sides[:1] if row.span.is_central else row.sides:
            owner = axle.name if row.span.is_central else axle.corner(side)
            found.append(_strength(row, axle, side, owner, (forces, cases), posed[axle.name]))
    order = list(dict.fromkeys((row.axle, row.span) for row in car.sized))
    return tuple(sorted(found, key=lambda each: (order.index((each.axle.name, each.row.span)), SIDES.index(each.side))))


def _strength(
    row: SizedMember,
    axle: AxleData,
    side: str,
    owner: str,
    carried: tuple[Mapping[str, LoadColumn], Sequence[str]],
    posed: PosedAxle,
) -> MemberStrength:
    span, section = row.span, row.section
    points = axle.points[side]
    length = float(np.linalg.norm(points[span.outer].position - points[span.inner].position))
    forces, cases = carried
    axial = _in_si(forces.get(f"{owner}.{span.name}"), len(cases)) * span.sign
    bending = _in_si(forces.get(f"{owner}.{span.arm} bending"), len(cases)) if span.arm else np.zeros(len(cases))
    bending = np.where(np.isnan(bending) & ~np.isnan(axial), 0.0, bending)
    axial = np.where(np.abs(axial) < LEAST_FORCE, 0.0, axial)
    stress = np.abs(axial) / section.area + np.abs(bending) * section.d / (2.0 * section.second_moment)
    tension, tension_case = _largest(axial, cases)
    compression, compression_case = _largest(-axial, cases)
    most, stress_case = _largest(stress, cases)
    angles, worst = _rod_ends(row, side, posed)
    return MemberStrength(
        row,
        axle,
        owner,
        side,
        tension,
        tension_case,
        compression,
        compression_case,
        length,
        most,
        stress_case,
        buckling(section, row.material, length, row.fixity),
        angles,
        worst,
    )


def _in_si(column: LoadColumn | None, count: int) -> Floats:
    """(n,) of a column of loads in SI; NaN where there is none."""
    if column is None:
        return np.full(count, nan)
    return np.asarray(column.values * parse_unit(column.unit).size)


def _largest(values: Floats, cases: Sequence[str]) -> tuple[float, str]:
    """The largest value above 0 and its case; 0 where all are below, NaN where there is none."""
    if not np.isfinite(values).any():
        return nan, ""
    at = int(np.nanargmax(values))
    return (float(values[at]), cases[at]) if values[at] > 0.0 else (0.0, "")


def _rod_ends(
    row: SizedMember, side: str, posed: PosedAxle
) -> tuple[tuple[float, float], tuple[PoseGroup, int] | None]:
    """Largest angle of the inner and of the outer rod end, rad, and the pose of the larger one."""
    if not posed.count:
        return (nan, nan), None
    corner = posed.sides[side]
    along = corner.point(row.span.outer) - corner.point(row.span.inner)
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    found = []
    for end, bolt in zip((row.span.inner, row.span.outer), row.bolts, strict=True):
        axis = corner.direction(end, bolt if side == "left" else bolt * MIRROR)
        found.append(np.arcsin(np.minimum(np.abs(np.sum(along * axis, axis=1)), 1.0)))
    both = np.maximum(*found)
    worst = posed.place(int(np.argmax(both)))
    return (float(np.max(found[0])), float(np.max(found[1]))), worst


def least_reserves(members: Sequence[MemberStrength]) -> dict[str, tuple[MemberStrength, Reserve]]:
    """The least reserve of each axle that has one, with its member."""
    found: dict[str, tuple[MemberStrength, Reserve]] = {}
    for member in members:
        for reserve in member.reserves[:1]:
            known = found.get(member.axle.name)
            if known is None or reserve.value < known[1].value:
                found[member.axle.name] = member, reserve
    return found


def sized_spans(car: CarData, axle: str, side: str) -> Iterator[tuple[MemberSpan, float]]:
    """Members of a corner on Members, with half their diameter, m."""
    for row in car.sized:
        if row.axle == axle and side in row.sides:
            yield row.span, 0.5 * row.section.d
