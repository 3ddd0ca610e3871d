"""The sheet mbs Loads, a row for each case, and the largest and smallest force of each member over all cases and both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.layout.car import CORNERS, CarData
from sheetmbs.suspension.layout.type_table import RACK
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import Box, Page, PageCell, PageColumn, Paper, SummaryValue
from sheetmbs.workbook.sheets.sheet_contents import LOAD_EXTREMES, LOADS
from sheetmbs.workbook.sheets.sheetxml import ROWS_UPRIGHT

JOINTS = ("hinge", "pivot", "bearing", "joint", "side force", RACK)
"""words in the names of what is no member along which a force goes"""
FORCE = "N"


@dataclass(frozen=True)
class MemberExtremes:
    """Extremes of a member of an axle, both sides together. unit: of forces. most, least: each with its load case."""

    axle: str
    member: str
    unit: str
    most: tuple[float, str]
    least: tuple[float, str]

    @property
    def name(self) -> str:
        """Name of the member, such as ``front push-rod``."""
        return self.member if self.member.startswith(f"{self.axle} ") else f"{self.axle} {self.member}"

    @property
    def tension(self) -> tuple[float | None, str]:
        """The largest tension and its load case; None where there is none."""
        return self.most if self.most[0] > 0.0 else (None, "")

    @property
    def compression(self) -> tuple[float | None, str]:
        """The largest compression, below zero, and its load case; None where there is none."""
        return self.least if self.least[0] < 0.0 else (None, "")

    @property
    def largest(self) -> tuple[float, str]:
        """The force that is larger, with its sign, and its case."""
        return self.most if abs(self.most[0]) >= abs(self.least[0]) else self.least


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
            yield MemberExtremes(axle, member, unit, most, least)


def five_largest(members: Sequence[MemberExtremes]) -> list[MemberExtremes]:
    """Members that carry most, the first first."""
    return sorted(members, key=lambda each: -abs(each.largest[0]))[:5]


HEADS = ("case", "remark")
EXTREMES = ("member", "unit", "max", "its case", "min", "its case")
DECIMALS = {"mm": 3, "deg": 4, "N": 1, "N*m": 2}
WIDE_NAME, WIDE, NARROW = 34.0, 24.0, 13.0
FIRST_ROW = 3
"""below the heads and their units"""
FIRST_IN_TRIM = "speed"
"""the first of the columns that cases on tyres alone have, which are too many for paper"""


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """A column over all cases that are shown."""

    name: str
    unit: str
    values: Floats
    is_member: bool


@dataclass(frozen=True, eq=False)
class Extremes:
    """Largest and smallest value of a member, and the numbers of their cases."""

    column: ShownColumn
    largest: int
    smallest: int


def load_page(designs: Mapping[str, SolvedLoads]) -> Page | None:
    """The sheet of the cases of all designs, the first of which has no name; None where there is no case."""
    cases = list(dict.fromkeys(case.name for loads in designs.values() for case in loads.cases))
    if not cases:
        return None
    columns = [column for name, loads in designs.items() for column in _spread(name, loads, cases)]
    found = list(extremes(columns))
    first = FIRST_ROW + len(cases) + 1
    cells = [*_heads(columns), *_rows(cases, _remarks(designs, cases), columns), *_extreme_rows(found, cases, first)]
    return Page(
        LOADS,
        (WIDE, WIDE, *(NARROW for _column in columns)),
        tuple(cells),
        (first + len(found), len(HEADS) + len(columns)),
        Paper(upright=False, one=True, repeated=(first, first), areas=(_printed(columns, len(cases)),)),
        columns=tuple(_chart_columns(cases, columns)),
        frozen=(1, 2),
    )


def _printed(columns: list[ShownColumn], cases: int) -> Box:
    """The range that is printed: what the wheels carry in all cases."""

    def is_of_wheels(column: ShownColumn) -> bool:
        return not column.is_member and column.name.rpartition(DESIGN_SEPARATOR)[2] != FIRST_IN_TRIM

    wheels = sum(1 for _each in takewhile(is_of_wheels, columns))
    return 1, 1, FIRST_ROW + cases - 1, len(HEADS) + wheels


def load_extremes_page(designs: Mapping[str, SolvedLoads]) -> Page | None:
    """The sheet of the largest and smallest force of each member, with the cases of both; None where there is none."""
    cases = list(dict.fromkeys(case.name for loads in designs.values() for case in loads.cases))
    found = list(extremes([column for name, loads in designs.items() for column in _spread(name, loads, cases)]))
    if not found:
        return None
    return Page(
        LOAD_EXTREMES,
        (WIDE_NAME, NARROW, NARROW, WIDE, NARROW, WIDE),
        tuple(_extreme_rows(found, cases, 1)),
        (1 + len(found), len(EXTREMES)),
        Paper(repeated=(1, 1), areas=((1, 1, min(1 + len(found), ROWS_UPRIGHT), len(EXTREMES)),)),
        frozen=(1, 1),
    )


def _spread(design: str, loads: SolvedLoads, cases: list[str]) -> Iterator[ShownColumn]:
    """Columns of a design over all cases, empty where it has not that one."""
    rows = [cases.index(case.name) for case in loads.cases]
    for column in loads.columns:
        values = np.full(len(cases), np.nan)
        values[rows] = column.values
        name = f"{design}{DESIGN_SEPARATOR}{column.name}" if design else column.name
        yield ShownColumn(name, column.unit, values, column.is_member)


def extremes(columns: list[ShownColumn]) -> Iterator[Extremes]:
    """Extremes of every member that has a value."""
    for column in columns:
        if column.is_member and np.isfinite(column.values).any():
            yield Extremes(column, int(np.nanargmax(column.values)), int(np.nanargmin(column.values)))


def _remarks(designs: Mapping[str, SolvedLoads], cases: list[str]) -> list[str]:
    """What is to be said of each case, with the design where there are several."""
    told: dict[str, list[str]] = {case: [] for case in cases}
    for name, loads in designs.items():
        for case, mark in zip(loads.cases, loads.marks, strict=True):
            if mark:
                told[case.name].append(f"{name}: {mark}" if name else mark)
    return ["; ".join(told[case]) for case in cases]


def _heads(columns: list[ShownColumn]) -> Iterator[PageCell]:
    for at, head in enumerate(HEADS, start=1):
        yield PageCell(1, at, head, "header text")
    for at, column in enumerate(columns, start=len(HEADS) + 1):
        yield PageCell(1, at, column.name, "header")
        yield PageCell(2, at, column.unit, "units")


def _rows(cases: list[str], remarks: list[str], columns: list[ShownColumn]) -> Iterator[PageCell]:
    for number, (case, remark) in enumerate(zip(cases, remarks, strict=True)):
        row = FIRST_ROW + number
        yield PageCell(row, 1, case, "item")
        if remark:
            yield PageCell(row, 2, remark, "text")
        for at, column in enumerate(columns, start=len(HEADS) + 1):
            value = _shown(column.values[number])
            if value is not None:
                yield PageCell(row, at, value, _look(column.unit))


def _shown(value: float) -> SummaryValue:
    return float(value) if np.isfinite(value) else None


def _look(unit: str) -> str:
    return number_format(DECIMALS[unit]) if unit in DECIMALS else "exponent"


def _extreme_rows(found: list[Extremes], cases: list[str], first: int) -> Iterator[PageCell]:
    for at, head in enumerate(EXTREMES, start=1):
        yield PageCell(first, at, head, "header text")
    for row, each in enumerate(found, start=first + 1):
        values = each.column.values
        shown: tuple[tuple[SummaryValue, str], ...] = (
            (each.column.name, "item"),
            (each.column.unit, "unit"),
            (_shown(values[each.largest]), _look(each.column.unit)),
            (cases[each.largest], "text"),
            (_shown(values[each.smallest]), _look(each.column.unit)),
            (cases[each.smallest], "text"),
        )
        for at, (value, look) in enumerate(shown, start=1):
            yield PageCell(row, at, value, look)


def _chart_columns(cases: list[str], columns: list[ShownColumn]) -> Iterator[PageColumn]:
    """What charts can draw: the cases, and all columns over them."""
    yield PageColumn("case", "", FIRST_ROW, 1, labels=tuple(cases))
    for at, column in enumerate(columns, start=len(HEADS) + 1):
        yield PageColumn(column.name, column.unit, FIRST_ROW, at, column.values)
