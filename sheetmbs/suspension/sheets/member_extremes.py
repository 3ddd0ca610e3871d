"""What members carry at most: of each the largest and the smallest force over all load cases and both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.layout.car import CORNERS, CarData
from sheetmbs.suspension.layout.type_table import RACK
from sheetmbs.suspension.loads.solve_loads import SolvedLoads

JOINTS = ("hinge", "pivot", "bearing", "joint", "side force", RACK)
"""words in the names of what is no member along which a force goes"""
FORCE = "N"


@dataclass(frozen=True)
class MemberExtremes:
    """Extremes of a member of an axle, both sides together: forces and their cases. unit: of the forces."""

    axle: str
    member: str
    unit: str
    most: float
    most_case: str
    least: float
    least_case: str

    @property
    def name(self) -> str:
        """Name of the member, such as ``front push-rod``."""
        return self.member if self.member.startswith(f"{self.axle} ") else f"{self.axle} {self.member}"

    @property
    def tension(self) -> float | None:
        """The largest tension; None where there is none."""
        return self.most if self.most > 0.0 else None

    @property
    def tension_case(self) -> str:
        """Load case of the largest tension."""
        return self.most_case if self.most > 0.0 else ""

    @property
    def compression(self) -> float | None:
        """The largest compression, below zero; None where there is none."""
        return self.least if self.least < 0.0 else None

    @property
    def compression_case(self) -> str:
        """Load case of the largest compression."""
        return self.least_case if self.least < 0.0 else ""

    @property
    def largest(self) -> tuple[float, str]:
        """The force that is larger, with its sign, and its case."""
        is_tension = abs(self.most) >= abs(self.least)
        return (self.most, self.most_case) if is_tension else (self.least, self.least_case)


def member_extremes(car: CarData, loads: SolvedLoads) -> list[MemberExtremes]:
    """All members along which a force goes in any case, axle by axle, + in tension.

    So are springs here, whose columns are + in compression.
    """
    axles = {corner: axle for (axle, _side), corner in CORNERS.items()} | {axle.name: axle.name for axle in car.axles}
    pushing = {(axle.name, row.name) for axle in car.axles for row in axle.springs}
    found: dict[tuple[str, str, str], list[tuple[float, str]]] = {}
    for column in loads.columns:
        owner, _, member = column.name.partition(".")
        if not column.is_member or owner not in axles or not _is_along(member, column.unit):
            continue
        known = np.isfinite(column.values)
        cases = (case.name for case in loads.cases)
        forces = -column.values if (axles[owner], member) in pushing else column.values
        pairs = [(float(v), case) for v, case, is_known in zip(forces, cases, known, strict=True) if is_known]
        found.setdefault((axles[owner], member, column.unit), []).extend(pairs)
    return list(_extremes(found))


def _is_along(member: str, unit: str) -> bool:
    return (
        unit.startswith((FORCE, "k", "lb"))
        and "*" not in unit
        and "." not in member
        and not any(word in member for word in JOINTS)
    )


def _extremes(found: dict[tuple[str, str, str], list[tuple[float, str]]]) -> Iterator[MemberExtremes]:
    for (axle, member, unit), pairs in found.items():
        most, least = max(pairs, default=(0.0, "")), min(pairs, default=(0.0, ""))
        if most[0] or least[0]:
            yield MemberExtremes(axle, member, unit, most[0], most[1], least[0], least[1])


def five_largest(members: Sequence[MemberExtremes]) -> list[MemberExtremes]:
    """Members that carry most, the first first."""
    return sorted(members, key=lambda each: -abs(each.largest[0]))[:5]
