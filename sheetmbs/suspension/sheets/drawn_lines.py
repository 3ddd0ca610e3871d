"""Lines of charts over sweeps: one for each design and side, in the colour of the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.kinematics.sweeps import Sweep
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.sheets.words import title, usual_unit
from sheetmbs.workbook.sheets.page_contents import AxisText, PageLine, paler

SAME_LINE = 1e-9
"""of the largest value, or of one: a right wheel that differs less from the left one is not drawn"""
SPANS = {
    "deg": 1.0,
    "mm": 10.0,
    "mm/mm": 0.2,
    "N/N": 0.1,
    "N/mm": 10.0,
    "N": 100.0,
    "N*m": 50.0,
    "N*m/deg": 50.0,
    "%": 10.0,
    "deg/mm": 0.1,
    "Hz": 1.0,
}
"""of an axis at the least, by unit, so that a small change looks small"""
TARGET, TARGET_COLOR, BAND_COLOR, DOTTED = "target/", "#404040", "#B0B5BD", "round_dot"
SWEEP_SHEET = "mbs Sweep "


@dataclass(frozen=True)
class ShownDesign:
    """A design as charts show it. name: ``""`` of the first, whose columns have no prefix. shown: its name in words."""

    name: str
    shown: str
    color: str

    def column(self, column: str) -> str:
        """A column of this design."""
        return f"{self.name}/{column}" if self.name else column


@dataclass(frozen=True)
class SweptTable:
    """A sweep and its sheet."""

    plan: Sweep
    table: Table

    @property
    def across(self) -> str:
        """The quantity that it is drawn over."""
        return self.plan.swept[0]

    def has(self, column: str) -> bool:
        """Whether a column has two numbers or more."""
        return column in self.table.columns and int(np.isfinite(self.values(column)).sum()) > 1

    def values(self, column: str) -> Floats:
        """The numbers of a column."""
        return self.table.values[:, self.table.columns.index(column)]

    def unit(self, column: str) -> str:
        """The unit of a column."""
        return self.table.units[self.table.columns.index(column)]

    def key(self, column: str) -> str:
        """A column as charts find it."""
        return f"{self.table.name}!{column}"

    def sheet_key(self, column: str) -> str:
        """A column as it stands on the sheet of the sweep."""
        return f"{self.table.name}!{column}"

    def axis_across(self) -> AxisText:
        """The axis of what is swept: ``wheel travel, + bump [mm]``."""
        return AxisText(title(ACROSS.get(self.across, self.across), self.unit(self.across)))


ACROSS = {
    "travel": "wheel travel, + bump",
    "travel_left": "travel of the left wheel, + bump",
    "roll": "roll, + right side down",
    "rack": "rack travel, + left",
    "pitch": "pitch, + nose down",
    "lateral_force": "lateral force on a wheel, + left",
    "longitudinal_force": "longitudinal force on a wheel, + forward",
    "aligning_torque": "aligning torque on a wheel, + left",
}


@dataclass(frozen=True)
class LineKind:
    """What lines draw, besides design and side, and how. over: another metric of the same owner, in place of what is swept."""

    name: str = ""
    dash: str = "solid"
    width: float = 1.75
    over: str = ""


USUAL = LineKind()


@dataclass(frozen=True)
class DrawnAxle:
    """What is drawn of an axle: all designs over the rows of a sweep."""

    swept: SweptTable
    axle: AxleData
    designs: Sequence[ShownDesign]

    def of_wheels(self, metric: str, kind: LineKind = USUAL) -> list[PageLine]:
        """Lines of a metric of wheels: left solid, right dotted where it differs."""
        lines = []
        for design in self.designs:
            left, right = (design.column(f"{self.axle.corner(side)}.{metric}") for side in SIDES)
            if not self.swept.has(left):
                continue
            across = [design.column(f"{self.axle.corner(side)}.{kind.over}") if kind.over else "" for side in SIDES]
            is_one = not self.swept.has(right) or (self._alike(left, right) and (not kind.over or self._alike(*across)))
            first = self._line(left, design, kind, "" if is_one else "left", across[0])
            first = replace(first, shows=(*first.shows, self.swept.sheet_key(right))) if is_one else first
            lines += (
                [first]
                if is_one
                else [first, self._line(right, design, replace(kind, dash=DOTTED), "right", across[1])]
            )
        return lines

    def of_axle(self, metric: str, kind: LineKind = USUAL) -> list[PageLine]:
        """Lines of a metric of the axle, or of the car."""
        lines = []
        for design in self.designs:
            column, x = (design.column(f"{self.axle.name}.{each}") if each else "" for each in (metric, kind.over))
            if not self.swept.has(column):
                column = design.column(metric)
            lines += [self._line(column, design, kind, "", x)] if self.swept.has(column) else []
        return lines

    def targets(self, metric: str) -> list[PageLine]:
        """What is aimed at: dashed; the limits of a band grey."""
        owners = {self.axle.corner("left"), self.axle.corner("right"), self.axle.name}
        lines = []
        for column in self.swept.table.columns:
            if not column.startswith(TARGET):
                continue
            owner, _, named = column.rpartition("/")[2].rpartition(".")
            of, _, limit = named.partition(" ")
            if owner in owners and of == metric and self.swept.has(column):
                color, width = (BAND_COLOR, 2.25) if limit else (TARGET_COLOR, 1.25)
                name = f"target {limit}".strip()
                lines.append(self._line(column, ShownDesign("", "", color), LineKind(name, "dash", width), ""))
        return lines

    def _line(self, column: str, design: ShownDesign, kind: LineKind, side: str, across: str = "") -> PageLine:
        of_design = design.shown if len(self.designs) > 1 else ""
        parts = [kind.name, f"{self.axle.name} {side}" if side else "", of_design]
        name = ", ".join(part for part in parts if part) or self.axle.name
        x = self.swept.key(across or self.swept.across)
        shows = (self.swept.sheet_key(column),)
        return PageLine(x, self.swept.key(column), name, design.color, kind.dash, kind.width, shows=shows)

    def _alike(self, left: str, right: str) -> bool:
        first, second = self.swept.values(left), self.swept.values(right)
        known = np.isfinite(first) & np.isfinite(second)
        scale = max(1.0, float(np.abs(first[known]).max(initial=0.0)))
        same_rows = np.array_equal(np.isfinite(first), np.isfinite(second))
        return same_rows and float(np.abs(first - second)[known].max(initial=0.0)) <= SAME_LINE * scale


def lighter(lines: Sequence[PageLine]) -> list[PageLine]:
    """The lines in paler colours."""
    return [replace(line, color=paler(line.color)) for line in lines]


def upward(
    quantity: str, unit: str, reach: tuple[float, ...] = (), within: tuple[float, float] = (-np.inf, np.inf)
) -> AxisText:
    """The axis of a quantity, with a range that is worth looking at. reach, within: in the usual unit of the quantity.

    Of a reach from one number to another the axis need not be longer than that.
    """
    usual, count = usual_unit(unit)
    low, high = (end / count for end in within)
    span = max(reach) - min(reach) if len(set(reach)) > 1 else SPANS.get(usual, 0.0)
    return AxisText(title(quantity, unit), tuple(end / count for end in reach), span / count, (low, high))


def swept_tables(plans: Mapping[str, Sweep], tables: Sequence[Table]) -> list[SweptTable]:
    """All sweeps with their sheets, in the order of these."""
    return [SweptTable(plans[table.name.removeprefix(SWEEP_SHEET)], table) for table in tables]


def sweep_of(swept: Sequence[SweptTable], kind: str, axle: AxleData) -> SweptTable | None:
    """The first sweep of a type that moves an axle."""
    return next((each for each in swept if each.plan.type == kind and axle.name in each.plan.axles), None)
