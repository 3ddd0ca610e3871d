"""Charts of the report: of hip, knee and ankle over the stride, and of the force of the ground."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sheetmbs.gait.sheets.charted_columns import GROUND, KINDS, QUANTITIES, TITLES, ChartedColumns, DrawnCurve
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.signs import ShownAs
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.charts.axes import pretty_unit
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, PageBand, PageChart, PageLine, paler

MEAN, THIN = 2.25, 0.75
"""widths of lines, points"""
NORMAL, EDGE_OF_NORMAL = "#E3E3E3", "#8A8F98"
OF_SD = 0.72
"""share of white in the area of a standard deviation"""
TOE_OFF_DASH, NORMAL_DASH = "dash", "square_dot"
RIGHT_DASH = "dash"
"""how the mean of the right side is drawn over that of the left: the left one shows between the dashes"""
EXTERNAL = "external "
"""begins what a positive external moment does"""
OPPOSITES = {
    "flexion": "extension",
    "extension": "flexion",
    "dorsiflexion": "plantarflexion",
    "plantarflexion": "dorsiflexion",
    "adduction": "abduction",
    "internal rotation": "external",
    "extensor": "flexor",
    "flexor": "extensor",
    "plantarflexor": "dorsiflexor",
    "dorsiflexor": "plantarflexor",
    "adductor": "abductor",
    "internal rotator": "external",
    "generation": "absorption",
    "up": "down",
    "forward": "back",
}
"""what + is on an axis -> what a negative value is"""
TICKS = (5, 4, 10, 2)
"""into how many parts the stride may be divided, the best first"""
ACROSS = "% of stride"


@dataclass(frozen=True)
class Slot:
    """Where a chart stands. is_last: the lowest of its column, which tells what it is drawn over."""

    box: Box
    is_last: bool = True


class ReportCharts:
    """Makes charts out of columns, in the colours of the workbook."""

    def __init__(self, gait: GaitPresentation, columns: ChartedColumns) -> None:
        self._gait = gait
        self._columns = columns
        how = gait.book.processing
        self.colors: dict[Side, str] = {"right": _color(how.colour_right), "left": _color(how.colour_left)}
        steps = how.points - 1
        parts = next((each for each in TICKS if steps % each == 0), 1)
        self._every = steps // parts

    def sides(self) -> list[Side]:
        """Sides that have strides, left before right as they are read."""
        order: tuple[Side, ...] = ("left", "right")
        return [side for side in order if side in self._gait.book.subject.sides and self._gait.of_side(side)]

    def joint_rows(self, sides: Sequence[Side], quantities: Iterable[str] = QUANTITIES) -> list[str]:
        """Quantities among these of which anything is known."""
        return [
            quantity
            for quantity in quantities
            if any(self._columns.of_joint(side, kind, quantity) for side in sides for kind in KINDS)
        ]

    def joint(self, sides: Sequence[Side], kind: str, quantity: str, slot: Slot) -> PageChart | None:
        """A chart of a joint: of both sides upon the normal band, each with thin lines at one standard deviation."""
        curves = {side: found for side in sides if (found := self._columns.of_joint(side, kind, quantity))}
        common = self._columns.normal(None, kind, quantity)
        own = {side: found for side in curves if (found := self._columns.normal(side, kind, quantity))}
        lines = [line for side, found in own.items() for line in self._edges(found, self.colors[side], NORMAL_DASH)]
        band = None if own or common is None else self._area(common, "normal", NORMAL)
        return self._overview(_title(kind, quantity), curves, lines, band, slot)

    def ground(self, sides: Sequence[Side], axis: str, slot: Slot) -> PageChart | None:
        """A chart of the force of the ground on the feet of both sides."""
        curves = {side: found for side in sides if (found := self._columns.of_ground(side, axis))}
        return self._overview(f"Ground force, {GROUND[axis][0]}", curves, [], None, slot)

    def one_side(self, side: Side, kind: str, quantity: str, slot: Slot) -> PageChart | None:
        """A chart of a joint of one side: its mean upon the area of its standard deviation, and where the normal band ends."""
        curve = self._columns.of_joint(side, kind, quantity)
        normal = self._columns.normal(side, kind, quantity) or self._columns.normal(None, kind, quantity)
        lines = self._edges(normal, EDGE_OF_NORMAL, NORMAL_DASH) if normal else []
        return self._alone(_title(kind, quantity), side, curve, lines, slot)

    def ground_of(self, side: Side, axis: str, slot: Slot) -> PageChart | None:
        """The force of the ground on one foot upon the area of its standard deviation."""
        title = f"Ground force, {GROUND[axis][0]}"
        return self._alone(title, side, self._columns.of_ground(side, axis), [], slot)

    def band_color(self, side: Side) -> str:
        """Colour of the area of a standard deviation."""
        return paler(self.colors[side], OF_SD)

    def _alone(
        self, title: str, side: Side, curve: DrawnCurve | None, lines: list[PageLine], slot: Slot
    ) -> PageChart | None:
        if curve is None:
            return None
        band = self._area(curve, f"{side} SD", self.band_color(side)) if curve.width else None
        return self._chart(title, [side], curve, [*lines, self._mean(side, curve)], band, slot)

    def _overview(
        self,
        title: str,
        curves: dict[Side, DrawnCurve],
        lines: list[PageLine],
        band: PageBand | None,
        slot: Slot,
    ) -> PageChart | None:
        if not curves:
            return None
        for side, curve in curves.items():
            lines += self._edges(curve, self.colors[side], "solid") if curve.low else []
        dashes = {"right": RIGHT_DASH} if len(curves) > 1 else {}
        lines += [self._mean(side, curve, dashes.get(side, "solid")) for side, curve in curves.items()]
        return self._chart(title, list(curves), next(iter(curves.values())), lines, band, slot)

    def _chart(
        self,
        title: str,
        sides: Sequence[Side],
        curve: DrawnCurve,
        lines: Sequence[PageLine],
        band: PageBand | None,
        slot: Slot,
    ) -> PageChart:
        """curve: whose unit and sense the axis tells."""
        unit = pretty_unit(curve.shown.units_cell)
        doc = f"{title} in {unit}, over the stride from heel strike to heel strike: {' and '.join(sides)}"
        return PageChart(
            title,
            AxisText(ACROSS if slot.is_last else ""),
            AxisText(axis_words(curve.shown), (0.0,)),
            tuple(lines),
            slot.box,
            doc,
            "courses",
            is_small=True,
            band=band,
            marks=tuple(self._toe_offs(sides)),
            every=self._every,
        )

    def _mean(self, side: Side, curve: DrawnCurve, dash: str = "solid") -> PageLine:
        return PageLine(self._columns.percent, curve.mean, side, self.colors[side], dash, MEAN)

    def _edges(self, curve: DrawnCurve, color: str, dash: str) -> list[PageLine]:
        names = (curve.low, curve.high)
        return [PageLine(self._columns.percent, each, each.rpartition("!")[2], color, dash, THIN) for each in names]

    def _area(self, curve: DrawnCurve, name: str, color: str) -> PageBand:
        return PageBand(self._columns.percent, curve.low, curve.width, name, color)

    def _toe_offs(self, sides: Sequence[Side]) -> Iterator[PageLine]:
        for side in sides:
            column = self._columns.toe_off(side)
            if column:
                # the left line is seen through the gaps of the right one where both feet leave at the same percent
                dash = "solid" if side == "left" and len(sides) > 1 else TOE_OFF_DASH
                yield PageLine(self._columns.percent, column, f"{side} toe off", self.colors[side], dash, THIN)


def axis_words(shown: ShownAs) -> str:
    """The title of an axis: what a positive and a negative value mean, and the unit, ``Flexion (+) / extension (deg)``."""
    unit = pretty_unit(shown.unit)
    negative = OPPOSITES.get(shown.sense.removeprefix(EXTERNAL))
    if not shown.sense:
        return unit
    positive = f"{shown.sense[0].upper()}{shown.sense[1:]} (+)"
    return f"{positive} / {negative} ({unit})" if negative else f"{positive} ({unit})"


def _title(kind: str, quantity: str) -> str:
    return f"{kind.capitalize()} {TITLES.get(quantity, quantity)}"


def _color(given: str) -> str:
    return "#" + given.strip().lstrip("#").upper()
