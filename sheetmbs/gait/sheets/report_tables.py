"""Tables of the report: times and lengths of both sides, and the peaks of one side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sheetmbs.gait.sheets.charted_columns import OUT_OF_PLANE
from sheetmbs.gait.sheets.gait_columns import ANGLES
from sheetmbs.gait.sheets.shown_gait import ShownGait
from sheetmbs.gait.sheets.shown_items import ShownItem
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import PageCell, SummaryValue

VALUES = 4
"""columns of values of a table, after its labels and units"""
TIMES = (
    ("stride time", 2),
    ("step time", 2),
    ("stance", 1),
    ("swing", 1),
    ("double support", 1),
    ("stride length", 2),
    ("step length", 2),
)
OF_BOTH = (("cadence", 1), ("speed", 2))
"""items, and with how many decimals they are read"""
PEAKS = (
    ("angle max", "angle, largest", 1),
    ("angle min", "angle, smallest", 1),
    ("moment max", "moment, largest", 2),
    ("moment min", "moment, smallest", 2),
    ("power max", "power, largest", 2),
    ("power min", "power, smallest", 2),
    ("work positive", "work, positive", 3),
    ("work negative", "work, negative", 3),
)
"""items of a joint, what they are called, decimals"""
SHORT = {"moment_adduction": "moment add.", "moment_rotation": "moment rot.", "mx": "moment x", "my": "moment y"}
"""names of moments that their column holds"""
OUT_OF_PLANE_PEAKS = tuple(
    (f"{quantity.replace('_', ' ')} {word}", f"{SHORT.get(quantity, quantity)}, {word}", 1 if sheet == ANGLES else 2)
    for quantity, sheet in OUT_OF_PLANE.items()
    for word in ("max", "min")
)
"""the same of what only trials in space have"""
COARSE = {"N*m": 1, "W": 0, "J": 1, "%BW*height": 2}
"""decimals of units that are not by mass"""
PLUS_MINUS = "\N{PLUS-MINUS SIGN} SD"

Cell = tuple[SummaryValue, str]


@dataclass(frozen=True)
class ReportRow:
    """A row of a table: its label, unit and values, each with its look."""

    label: str
    unit: str
    cells: tuple[Cell, ...]
    is_head: bool = False


def times_table(gait: ShownGait, items: Sequence[ShownItem], sides: Sequence[Side]) -> list[ReportRow]:
    """Times and lengths, side by side, and what belongs to neither."""
    heads: list[Cell] = []
    for side in sides:
        heads += [(side, "page column"), (PLUS_MINUS, "page column")]
    rows = [ReportRow("Times and lengths", "", tuple(heads), is_head=True)]
    found = {(each.item, each.side): each for each in items}
    for item, places in TIMES:
        own = [found.get((item, side)) for side in sides]
        known = [each for each in own if each is not None]
        if known:
            cells = tuple(cell for each in own for cell in _mean_and_sd(each, places))
            rows.append(ReportRow(item, pretty_unit(known[0].unit), cells))
    counts = [("strides", _strides), *([("  with moments", _kinetic)] if gait.has_forces else [])]
    for label, count in counts:
        cells = tuple(cell for side in sides for cell in (_whole(count(gait, side)), ("", "page value")))
        rows.append(ReportRow(label, "", cells))
    walk = [(found[item, ""], places) for item, places in OF_BOTH if (item, "") in found]
    if walk:
        heads = [("mean", "page column"), (PLUS_MINUS, "page column")]
        rows.append(ReportRow("All strides", "", tuple(heads), is_head=True))
    rows += [ReportRow(each.item, pretty_unit(each.unit), _mean_and_sd(each, places)) for each, places in walk]
    return rows


def peaks_table(
    items: Sequence[ShownItem], side: Side, joints: Sequence[str], peaks: Sequence[tuple[str, str, int]] = PEAKS
) -> Iterator[ReportRow]:
    """Peaks and work of the joints of one side, with where in the stride they are."""
    heads = tuple((head, "page column") for head in ("mean", PLUS_MINUS, "at %", "n"))
    for joint in joints:
        own = {each.item: each for each in items if each.side == side and each.joint == joint}
        if any(item in own for item, *_ in peaks):
            yield ReportRow(joint.capitalize(), "", heads, is_head=True)
        for item, name, usual in peaks:
            each = own.get(item)
            if each is not None:
                unit = each.unit.partition(",")[0]
                places = COARSE.get(unit, usual)
                at: Cell = (each.at, f"page {number_format(0)}") if isinstance(each.at, float) else ("", "page value")
                yield ReportRow(name, pretty_unit(unit), (*_mean_and_sd(each, places), at, _whole(each.n)))


def _strides(gait: ShownGait, side: Side) -> int:
    return len(gait.of_side(side))


def _kinetic(gait: ShownGait, side: Side) -> int:
    return sum(gait.has_moments(side))


def _whole(number: int | None) -> Cell:
    return number, f"page {number_format(0)}"


def _mean_and_sd(each: ShownItem | None, places: int) -> tuple[Cell, Cell]:
    look = f"page {number_format(places)}"
    return (None, look) if each is None else (each.value, look), (None if each is None else each.sd, look)


def placed_rows(rows: Sequence[ReportRow], first: int, column: int) -> Iterator[PageCell]:
    """The cells of rows from row ``first`` on. column: of their labels."""
    for at, row in enumerate(rows, start=first):
        if row.is_head:
            yield PageCell(at, column, row.label, "page head", span=2)
        else:
            yield PageCell(at, column, row.label, "page item")
            yield PageCell(at, column + 1, row.unit, "page unit")
        blank: Cell = ("", "page column" if row.is_head else "page value")
        cells = (*row.cells, *[blank] * (VALUES - len(row.cells)))
        for place, (value, look) in enumerate(cells, start=column + 2):
            yield PageCell(at, place, value, look)
