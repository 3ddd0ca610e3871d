"""Charts of rows of Handling: yaw-moment diagrams, circles and envelopes, with their numbers beside the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.suspension.handling.envelope_surface import SURFACE_AXES
from sheetmbs.suspension.handling.handling_table import ChartCurve, HandlingFound
from sheetmbs.suspension.sheets.drawn_lines import ShownDesign
from sheetmbs.workbook.sheets.page_contents import (
    AxisText,
    Box,
    PageCell,
    PageChart,
    PageColumn,
    PageLine,
)
from sheetmbs.workbook.sheets.sheet_contents import HANDLING_PAGE

FAMILY_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES = ("solid", "dash", "square_dot", "long_dash")
SIGNS = {"constant beta": "\N{GREEK SMALL LETTER BETA}", "constant steer": "\N{GREEK SMALL LETTER DELTA}"}
"""before what is written at the ends of lines of these families, and behind their names"""
LABELLED_FIRST = ("constant steer",)
"""families whose first points are labelled, away from the last points of others"""
THIN, THICK, FEW = 0.75, 1.75, 4
"""points, of lines of families that have more than a few, and of other lines"""
MOST_THIN = 11
"""lines of a family that are drawn where several designs lie one over the other"""
APART = 0.06
"""of the width and height of what is drawn, between texts at ends of lines: nearer ones would cover each other"""


@dataclass(frozen=True)
class DrawnRow:
    """What is drawn in one chart: the same row of some designs, at one speed where the families of a row are many lines."""

    title: str
    found: Sequence[tuple[ShownDesign, HandlingFound]]
    curves: Sequence[Sequence[ChartCurve]]
    """of each design"""
    is_surface: bool = False
    """whether it is the net of an envelope over speed"""

    @property
    def axes(self) -> tuple[str, str]:
        """Titles across and upward."""
        return SURFACE_AXES if self.is_surface else self.found[0][1].axes

    @property
    def is_true(self) -> bool:
        """Whether both axes have one scale."""
        return self.found[0][1].row.type == HandlingType.ENVELOPE and not self.is_surface


def drawn_rows(found: Sequence[tuple[ShownDesign, HandlingFound]]) -> Iterator[DrawnRow]:
    """The charts of a row, given of each design that has it: of a diagram one for each speed, of envelopes a surface too."""
    row = found[0][1].row
    title = row.name if row.name == row.type else f"{row.name}: {row.type}"
    speeds = [_speed(curve) for curve in found[0][1].curves]
    if row.type != HandlingType.YAW_MOMENT:
        yield DrawnRow(title, found, [own.curves for _design, own in found])
        if all(own.surface for _design, own in found):
            yield DrawnRow(f"{title}, over speed", found, [own.surface for _design, own in found], is_surface=True)
        return
    for speed in dict.fromkeys(speeds):
        own = [[curve for curve in each.curves if _speed(curve) == speed] for _design, each in found]
        yield DrawnRow(f"{title} at {speed}" if speed else title, found, own)


def _speed(curve: ChartCurve) -> str:
    """The speed that a family of lines names behind its name, blank where there is one alone."""
    return curve.family.partition(", ")[2]


def _family(curve: ChartCurve) -> str:
    return curve.family.partition(", ")[0]


@dataclass
class ChartNumbers:
    """The numbers of charts in columns of the page. row: of their heads. at: the next free column."""

    row: int
    at: int
    cells: list[PageCell] = field(default_factory=list)
    columns: list[PageColumn] = field(default_factory=list)

    def add(self, heads: tuple[str, str], axes: tuple[str, str], x: Floats, y: Floats) -> tuple[str, str]:
        """Put two columns on the page; returns what charts call them."""
        names = []
        for head, axis, values in zip(heads, axes, (x, y), strict=True):
            self.cells += [PageCell(self.row, self.at, head, "header"), PageCell(self.row + 1, self.at, axis, "units")]
            self.cells += [
                PageCell(self.row + 2 + n, self.at, float(value), "decimals 6")
                for n, value in enumerate(values)
                if np.isfinite(value)
            ]
            self.columns.append(PageColumn(f"{self.at}", "", self.row + 2, self.at, np.asarray(values, dtype=float)))
            names.append(f"{HANDLING_PAGE}!{self.at}")
            self.at += 1
        return names[0], names[1]


def handling_chart(drawn: DrawnRow, box: Box, numbers: ChartNumbers) -> PageChart:
    """The chart of a row, whose numbers are put beside the page."""
    is_alone = len(drawn.found) == 1
    families = list(dict.fromkeys(map(_family, drawn.curves[0])))
    lines: list[PageLine] = []
    for (design, _own), curves in zip(drawn.found, drawn.curves, strict=True):
        for number, family in enumerate(families):
            own = [curve for curve in curves if _family(curve) == family]
            is_many = len(own) > FEW
            color = FAMILY_COLORS[number % len(FAMILY_COLORS)] if is_alone else design.color
            dash = "solid" if is_alone else DASHES[number % len(DASHES)]
            told = f"{family} {SIGNS[family]}" if family in SIGNS else family
            label = told if is_alone else f"{design.shown}: {told}"
            every = 1 if is_alone else -(-len(own) // MOST_THIN)
            shown = own[len(own) // 2 % every :: every] if own else own
            for k, curve in enumerate(shown):
                heads = (f"{label} {curve.end}".strip(), drawn.axes[1])
                x, y = numbers.add(heads, drawn.axes, curve.x, curve.y)
                lines.append(PageLine(x, y, label, color, dash, THIN if is_many else THICK, is_named=not k))
            if is_alone or design is drawn.found[0][0]:
                lines += _ends(family, shown, drawn, color, numbers)
    doc = f"{drawn.axes[1]} over {drawn.axes[0]}: {', '.join(families)}"
    axes = AxisText(drawn.axes[0]), AxisText(drawn.axes[1])
    return PageChart(drawn.title, *axes, tuple(lines), box, doc, is_true=drawn.is_true)


def _ends(
    family: str, curves: Sequence[ChartCurve], drawn: DrawnRow, color: str, numbers: ChartNumbers
) -> Iterator[PageLine]:
    """The texts at the ends of lines, as a series without a line; those that would cover another one are left out."""
    every = [curve for own in drawn.curves for curve in own]
    known = ([_known(getattr(each, axis)) for each in every] for axis in "xy")
    width, height = (np.ptp(np.concatenate([*values, np.zeros(1)])) or 1.0 for values in known)
    kept: list[tuple[float, float, str]] = []
    for curve in sorted(curves, key=_importance):
        good = np.flatnonzero(np.isfinite(curve.x) & np.isfinite(curve.y))
        if not curve.end or not len(good):
            continue
        at = good[0 if family in LABELLED_FIRST else -1]
        x, y = float(curve.x[at]), float(curve.y[at])
        if all(np.hypot((x - other[0]) / width, (y - other[1]) / height) >= APART for other in kept):
            kept.append((x, y, f"{SIGNS.get(family, '')} {curve.end}".strip()))
    if len(kept) > 1:
        places = np.array([[along, upward] for along, upward, _end in kept])
        names = numbers.add((f"ends of {family}", drawn.axes[1]), drawn.axes, places[:, 0], places[:, 1])
        texts = tuple(end for *_at, end in kept)
        yield PageLine(*names, family, color, "solid", 0.0, texts, is_named=False)


def _importance(curve: ChartCurve) -> float:
    """Lines of round and of small values are labelled first."""
    digits = "".join(letter for letter in curve.end if letter in "+-.0123456789")
    value = abs(float(digits)) if digits.strip("+-.") else 0.0
    return value if value == round(value) else 100.0 + value


def _known(values: Floats) -> Floats:
    return values[np.isfinite(values)]
