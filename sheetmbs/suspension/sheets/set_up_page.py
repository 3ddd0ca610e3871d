"""The sheet `mbs Setup`: the standing car, item by item, on one printed page that a mechanic takes to the track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from math import ceil
from pathlib import Path

from sheetmbs.suspension.sheets.set_up_values import FLOOR, TURNS, SetUp
from sheetmbs.suspension.sheets.words import decimals, shown_unit
from sheetmbs.workbook.package.styles import as_shown, number_format
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, Paper
from sheetmbs.workbook.sheets.sheet_contents import SETUP

HEADS = ("item", "unit")
ITEM, UNIT, VALUE, NARROW = 29.0, 7.5, 9.0, 7.4
"""widths of columns, digits; narrow ones where designs stand side by side"""
ROW, HEAD, LINE, SPACE = 17.0, 20.0, 13.5, 8.0
"""heights of rows, points"""
USUAL_WIDTH = ITEM + UNIT + 7 * VALUE
"""of a page of one design: wider ones are printed smaller, and have taller rows"""
LETTER = 1.02
"""width of a letter of the foot, digits"""
FINER = {"N": 1, "deg": 3, "mm": 2, "%": 2, TURNS: 2}
"""decimals of what scales, gauges and callipers tell"""
CONVENTIONS = (
    "Camber and toe are those of the wheel against the body: camber + top outboard, toe + front inboard. Perch: + towards the "
    "spring, which lifts the car. Clearances are travel of both wheels from here, loose below is travel from design. Lengths "
    "of springs are those from perch to perch. Levers are the moment of a unit force about the rocker's axis. Damping forces "
    "act at the wheel at that speed in mm/s, + in bump."
)


def set_up_page(designs: Sequence[SetUp], path: Path, when: datetime, title: str) -> Page:
    """The page. designs: the first, and its variants. title: of the workbook, ``""`` where it has none."""
    items = {item: row.unit for design in reversed(designs) for item, row in design.rows.items()}
    order = list(dict.fromkeys(item for design in designs for item in design.rows))
    places = [(design, column) for design in designs for column in design.columns if _is_filled(design, column)]
    columns = len(HEADS) + len(places)
    cells = [PageCell(1, at, head, "page head") for at, head in enumerate(HEADS, start=1)]
    for at, (design, column) in enumerate(places, start=len(HEADS) + 1):
        cells.append(PageCell(1, at, f"{design.name}/{column}" if design.name else column, "page column"))
    for row, item in enumerate(order, start=2):
        cells.append(PageCell(row, 1, item, "page item"))
        cells.append(PageCell(row, 2, shown_unit(items[item]), "page unit"))
        values = [design.value(item, column) for design, column in places]
        known = [value for value in values if value is not None]
        look = f"page {number_format(min(_decimals(items[item], value) for value in known))}"
        for at, value in enumerate(values, start=len(HEADS) + 1):
            cells.append(PageCell(row, at, "" if value is None else as_shown(value, look), look))
    last = 1 + len(order)
    widths = (ITEM, UNIT, *(VALUE if len(designs) == 1 else NARROW for _place in places))
    heights = (
        {1: HEAD} | dict.fromkeys(range(2, last + 1), ROW * max(sum(widths) / USUAL_WIDTH, 1.0)) | {last + 1: SPACE}
    )
    for row, text in enumerate(_foot(designs, path, when, title), start=last + 2):
        cells.append(PageCell(row, 1, text, "page text", span=columns))
        heights[row] = LINE * ceil(LETTER * len(text) / sum(widths))
        last = row
    size = last, columns
    return Page(SETUP, widths, tuple(cells), size, Paper(one=True, areas=((1, 1, *size),)), heights, frozen=(1, 1))


def _is_filled(design: SetUp, column: str) -> bool:
    return any(column in row.values for row in design.rows.values())


def _decimals(unit: str, value: float) -> int:
    """Decimals of a number, those of the usual unit finer than on other pages."""
    return FINER[unit] if unit in FINER else decimals(unit, value)


def _foot(designs: Sequence[SetUp], path: Path, when: datetime, title: str) -> Iterator[str]:
    """What the page is of, and what its words mean."""
    first = designs[0]
    about = [*([title] if title else []), path.name, when.strftime("%d %B %Y, %H:%M")]
    yield " · ".join(about)
    for design in designs:
        of = f" of design {design.name}" if design.name else ""
        if design.fault:
            yield f"The car{of} is at design, not standing on its tyres: {design.fault}."
    yield f"The car stands at 1 g on its tyres, g = {first.car.gravity:g} m/s². {CONVENTIONS}"
    floors = [item for item in first.rows if item.removeprefix("ride height ") in FLOOR.values()]
    if first.pose is not None and len(first.car.axles) == len(FLOOR) and len(floors) < len(FLOOR):
        yield "Points floor front and floor rear on Hardpoints (on = chassis) would give ride heights and rake."
