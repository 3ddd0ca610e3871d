"""Bars of what each elastic part has in toe and camber per load, the largest on top: a page of the charts of suspensions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.sheets.compliance_sheets import GEOMETRY, SUM, part_readings
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.words import owner, title
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.page_contents import AxisText, PageCell, PageChart, PageColumn, PageLine, Spot
from sheetmbs.workbook.sheets.sheet_contents import COMPLIANCE_PARTS, SUSPENSION_CHARTS

MOST_BARS = 9
"""that have room for their names in a chart of this height"""
LEAST_SHOWN = 5e-3
"""of the largest: a shorter bar is not to be seen"""
ROOM = 1.25
"""how far the axis goes beyond the longest bar, for the number at its end"""
WORDS = {"toe_per_lateral": "Toe per lateral force", "camber_per_lateral": "Camber per lateral force"}
WORDS |= {"toe_per_braking": "Toe per braking force"}
REMARK = (
    f"The largest of {COMPLIANCE_PARTS}, left and right together, at design and with heights held; all parts add up to the "
    "number in the title."
)


@dataclass(frozen=True, eq=False)
class ComplianceBars:
    """charts: one for each reading of each axle. columns, cells: numbers that they draw, below the pages."""

    charts: tuple[PageChart, ...]
    columns: tuple[PageColumn, ...]
    cells: tuple[PageCell, ...]


def compliance_bars(of: SolvedDesign, design: ShownDesign, first: int, spots: list[Spot]) -> ComplianceBars:
    """The bars of a design. first: row of their numbers. spots: of the charts, as many as there may be."""
    charts: list[PageChart] = []
    columns: list[PageColumn] = []
    row = first
    readings = sorted(part_readings(of), key=lambda each: list(WORDS).index(each[0].partition(".")[2]))
    for (name, unit, found), spot in zip(readings, _in_rows(spots, len(of.elastic)), strict=False):
        parts = largest_parts(found)
        if not parts:
            continue
        values = np.array([found[part] for part in parts])
        bars = PageColumn(f"bars of {name}", unit, row, 2, values)
        columns += [PageColumn(f"parts of {name}", "", row, 1, labels=tuple(parts)), bars]
        charts.append(_chart(name, unit, found[SUM], bars, design, spot))
        row += len(parts) + 1
    return ComplianceBars(tuple(charts), tuple(columns), tuple(cell for each in columns for cell in _cells(each)))


def largest_parts(found: Mapping[str, float]) -> list[str]:
    """The parts that have most in a reading, the largest first."""
    order = sorted((part for part in found if part != SUM), key=lambda part: -abs(found[part]))
    most = abs(found[order[0]]) if order else 0.0
    return [part for part in order if most > 0.0 and abs(found[part]) >= LEAST_SHOWN * most][:MOST_BARS]


def _in_rows(spots: list[Spot], axles: int) -> list[Spot]:
    """With both axles side by side; of one axle alone below each other."""
    return spots if axles > 1 else spots[::2]


def _chart(name: str, unit: str, whole: float, bars: PageColumn, design: ShownDesign, spot: Spot) -> PageChart:
    corner, _, metric = name.partition(".")
    line = PageLine(
        f"{SUSPENSION_CHARTS}!parts of {name}",
        f"{SUSPENSION_CHARTS}!{bars.name}",
        "compliance of the part",
        design.color,
        notes=tuple(f"{value:+.3g}" for value in bars.data),
    )
    reach = ROOM * float(np.max(np.abs(bars.data)))
    axis = AxisText(title("part", unit), (-reach, reach))
    heading = f"{WORDS[metric]}, {owner(corner)}: {whole:+.3g} {unit}"
    doc = f"What each elastic part has in {name}, signed, in {unit}; {GEOMETRY}: preloads that turn with the bodies"
    return PageChart(heading, AxisText(""), axis, (line,), spot, doc, "bar")


def _cells(column: PageColumn) -> Iterator[PageCell]:
    values = column.labels or column.data.tolist()
    for row, value in enumerate(values, start=column.row):
        yield PageCell(row, column.column, value, "item" if column.labels else "general")
