"""The page of loads among the charts: what members carry at most, with the cases, and loads of the wheels in each case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.suspension.sheets.load_page import MemberExtremes
from sheetmbs.suspension.sheets.words import decimals, owner, title
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    PageCell,
    PageChart,
    PageColumn,
    PageLine,
    Spot,
    SummaryValue,
    paler,
)
from sheetmbs.workbook.sheets.sheet_contents import LOADS, SUSPENSION_CHARTS

HEADS = {1: "", 2: "tension", 3: "  its case", 4: "compression", 5: "  its case"}
WIDTHS = (16.0, 9.0, 17.0, 11.0, 17.0)
"""of the columns of the table, digits"""
MEMBERS, TENSION, COMPRESSION = "members of {}", "tension of {}", "compression of {}"
TALLEST, ROOM, PIXELS = 820, 1.6, 20
"""height of charts over each other, pixels; how far the axis goes beyond the bars, for the names of cases; of a row"""
TINTS = (0.0, 0.3, 0.55, 0.75)


@dataclass(frozen=True)
class LoadPart:
    """What a page of loads holds, besides its title: cells, charts, and the columns that these draw."""

    cells: tuple[PageCell, ...]
    charts: tuple[PageChart, ...]
    columns: tuple[PageColumn, ...]


def member_part(members: Sequence[MemberExtremes], design: ShownDesign, first: int, place: tuple[int, int]) -> LoadPart:
    """A table of what members carry at most, and bars beside it. first: row. place: left edge and width of the bars, pixels."""
    axles = list(dict.fromkeys(each.axle for each in members))
    cells: list[PageCell] = []
    charts: list[PageChart] = []
    columns: list[PageColumn] = []
    row = first
    unit = members[0].unit
    reach = ROOM * max(max(each.most, -each.least, 0.0) for each in members)
    for number, axle in enumerate(axles):
        own = [each for each in members if each.axle == axle]
        heads = HEADS | {1: f"{axle} [{unit}]"}
        cells += [PageCell(row, k, head, "page column" if k in (2, 4) else "page head") for k, head in heads.items()]
        row += 1
        columns += _columns(axle, own, unit, row)
        cells += [cell for at, each in enumerate(own, start=row) for cell in _row(each, at)]
        row += len(own) + 1
        height = TALLEST // len(axles)
        spot = Spot(first + number * height // PIXELS, *place, height - PIXELS)
        charts.append(_bars(axle, own, unit, design, reach, spot))
    return LoadPart(tuple(cells), tuple(charts), tuple(columns))


def _row(each: MemberExtremes, row: int) -> Iterator[PageCell]:
    look = f"page {number_format(decimals(each.unit, max(abs(each.most), abs(each.least))))}"
    shown: tuple[tuple[SummaryValue, str], ...] = (
        (each.member, "page item"),
        (each.tension, look),
        (_beside(each.tension_case), "page unit"),
        (each.compression, look),
        (_beside(each.compression_case), "page unit"),
    )
    for column, (value, of) in enumerate(shown, start=1):
        yield PageCell(row, column, value, of)


def _beside(case: str) -> str:
    """A case a little apart from the number before it."""
    return f"  {case}" if case else ""


def _columns(axle: str, own: Sequence[MemberExtremes], unit: str, row: int) -> Iterator[PageColumn]:
    yield PageColumn(MEMBERS.format(axle), "", row, 1, labels=tuple(each.member for each in own))
    for name, column, values in (
        (TENSION, 2, [each.tension for each in own]),
        (COMPRESSION, 4, [each.compression for each in own]),
    ):
        found = np.array([np.nan if value is None else value for value in values])
        yield PageColumn(name.format(axle), unit, row, column, found)


def _bars(
    axle: str, own: Sequence[MemberExtremes], unit: str, design: ShownDesign, reach: float, spot: Spot
) -> PageChart:
    lines = tuple(
        PageLine(
            f"{SUSPENSION_CHARTS}!{MEMBERS.format(axle)}",
            f"{SUSPENSION_CHARTS}!{name.format(axle)}",
            words,
            color,
            notes=tuple(notes),
        )
        for name, words, color, notes in (
            (TENSION, "largest tension", design.color, [each.tension_case for each in own]),
            (COMPRESSION, "largest compression", paler(design.color), [each.compression_case for each in own]),
        )
    )
    axis = AxisText(title("force along the member, + tension", unit), (-reach, reach))
    doc = f"Largest tension and compression along each member of the {axle} axle over all load cases, of both sides"
    return PageChart(f"Members, {axle}", AxisText(""), axis, lines, spot, doc, "bar")


def wheel_loads(car: CarData, cases: int, unit: str, design: ShownDesign, spot: Spot) -> PageChart | None:
    """Vertical loads of the wheels, one on the other, for each case; None where there is no case."""
    if not cases:
        return None
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    lines = tuple(
        PageLine(f"{LOADS}!case", f"{LOADS}!{design.column(f'{corner}.fz')}", owner(corner), paler(design.color, tint))
        for corner, tint in zip(corners, TINTS, strict=False)
    )
    axis = AxisText(title("vertical load", unit), (0.0,))
    return PageChart(
        "Wheel loads", AxisText(""), axis, lines, spot, "Vertical loads of the wheels in each case", "stacked"
    )
