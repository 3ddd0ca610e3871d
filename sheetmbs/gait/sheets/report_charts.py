"""Charts of the report: of hip, knee and ankle over the stride, and of the force of the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.sheets.charted_columns import GROUND, KINDS, QUANTITIES, TITLES, ChartedColumns, DrawnCurve
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.signs import ShownAs
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.workbook.charts.axes import pretty_unit, scale_over
from sheetmbs.workbook.sheets.page_contents import AxisText, BandLayer, Box, PageBand, PageChart, PageLine, mixed, paler

MEAN, THIN = 2.25, 0.75
"""widths of lines, points"""
NORMAL, EDGE_OF_NORMAL = "#E3E3E3", "#8A8F98"
OF_SD = 0.72
"""share of white in the area of a standard deviation"""
OF_U = 0.8
"""share of white in the area of two standard uncertainties"""
SURE_DASH = "round_dot"
"""dash of lines at two standard uncertainties, which replace an area that would hide the norm"""
NORMAL_DASH = "square_dot"
TALL_TICK, SHORT_TICK, TICK = 0.09, 0.045, 1.75
"""heights of the ticks of events as shares of the scale, and their width in points"""
TICKS_UPWARD = 6
"""ticks of an axis upward, about"""
RIGHT_DASH = "dash"
"""how the mean of the right side is drawn over that of the left: the left one shows between the dashes"""
CONDITION_DASHES = ("solid", "dash", "round_dot", "dash_dot", "long_dash")
"""how means of conditions are drawn, in their order"""
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
    "anterior": "posterior",
    "inward": "outward",
    "to the right": "to the left",
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

    @property
    def tells_uncertainty(self) -> bool:
        """Whether two standard uncertainties are drawn about means."""
        return self._columns.has_uncertainty and len(self._gait.conditions) < 2

    @property
    def color_of_u(self) -> str:
        """Colour of what lies within two standard uncertainties of both sides."""
        return mixed(*(paler(color, OF_U) for color in self.colors.values()))

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

    def joint(self, sides: Sequence[Side], kind: str, quantity: str, slot: Slot, title: str = "") -> PageChart | None:
        """A chart of a joint: of both sides upon the normal band, each with thin lines at one standard deviation.

        title: in place of the usual one.
        """
        curves = {side: found for side in sides if (found := self._columns.of_joint(side, kind, quantity))}
        return self._upon_norm(title or _title(kind, quantity), curves, kind, quantity, slot)

    def axial(self, sides: Sequence[Side], owner: str, quantity: str, slot: Slot, title: str) -> PageChart | None:
        """A chart of an angle of the pelvis or the foot in the laboratory."""
        curves = {side: found for side in sides if (found := self._columns.of_axial(side, owner, quantity))}
        return self._upon_norm(title, curves, owner, quantity, slot)

    def support(self, sides: Sequence[Side], slot: Slot) -> PageChart | None:
        """A chart of the support moments."""
        curves = {side: found for side in sides if (found := self._columns.of_support(side))}
        return self._upon_norm("Support moment", curves, "support", "moment", slot)

    def _upon_norm(
        self, title: str, curves: dict[Side, DrawnCurve], kind: str, quantity: str, slot: Slot
    ) -> PageChart | None:
        common = self._columns.normal(None, kind, quantity)
        own = {side: found for side in curves if (found := self._columns.normal(side, kind, quantity))}
        lines = [line for side, found in own.items() for line in self._edges(found, self.colors[side], NORMAL_DASH)]
        band = None if own or common is None else self._area(common, "normal", NORMAL)
        ends = [each.ends for each in (*own.values(), *([] if own or common is None else [common]))]
        return self._overview(title, curves, lines, band, slot, ends)

    def ground(self, sides: Sequence[Side], axis: str, slot: Slot) -> PageChart | None:
        """A chart of the force of the ground on the feet of both sides."""
        curves = {side: found for side in sides if (found := self._columns.of_ground(side, axis))}
        return self._overview(f"Ground force, {GROUND[axis][0]}", curves, [], None, slot)

    def one_side(self, side: Side, kind: str, quantity: str, slot: Slot) -> PageChart | None:
        """A chart of a joint of one side: its mean upon the area of its standard deviation, and where the normal band ends."""
        curve = self._columns.of_joint(side, kind, quantity)
        normal = self._columns.normal(side, kind, quantity) or self._columns.normal(None, kind, quantity)
        lines = self._edges(normal, EDGE_OF_NORMAL, NORMAL_DASH) if normal else []
        return self._alone(_title(kind, quantity), side, curve, lines, slot, [normal.ends] if normal else [])

    def ground_of(self, side: Side, axis: str, slot: Slot) -> PageChart | None:
        """The force of the ground on one foot upon the area of its standard deviation."""
        title = f"Ground force, {GROUND[axis][0]}"
        return self._alone(title, side, self._columns.of_ground(side, axis), [], slot)

    def band_color(self, side: Side) -> str:
        """Colour of the area of a standard deviation."""
        return paler(self.colors[side], OF_SD)

    def _alone(
        self,
        title: str,
        side: Side,
        curve: DrawnCurve | None,
        lines: list[PageLine],
        slot: Slot,
        ends: Sequence[tuple[float, float]] = (),
    ) -> PageChart | None:
        if curve is None:
            return None
        band = self._area(curve, f"{side} SD", self.band_color(side)) if curve.width else None
        lines = [*lines, *self._sure_edges(side, curve)]
        return self._chart(title, {side: curve}, [*lines, self._mean(side, curve)], band, slot, ends)

    def _overview(
        self,
        title: str,
        curves: dict[Side, DrawnCurve],
        lines: list[PageLine],
        band: PageBand | None,
        slot: Slot,
        ends: Sequence[tuple[float, float]] = (),
    ) -> PageChart | None:
        if not curves:
            return None
        for side, curve in curves.items():
            lines += self._edges(curve, self.colors[side], "solid") if curve.low else []
        if band is None and not ends:
            band = self._areas_of_u(title, curves)
        else:
            lines += [line for side, curve in curves.items() for line in self._sure_edges(side, curve)]
        dashes = {"right": RIGHT_DASH} if len(curves) > 1 else {}
        if len(self._gait.conditions) > 1:
            lines += [line for side, curve in curves.items() for line in self._of_conditions(side, curve)]
        else:
            lines += [self._mean(side, curve, dashes.get(side, "solid")) for side, curve in curves.items()]
        return self._chart(title, curves, lines, band, slot, ends)

    def _chart(
        self,
        title: str,
        curves: Mapping[Side, DrawnCurve],
        lines: Sequence[PageLine],
        band: PageBand | None,
        slot: Slot,
        ends: Sequence[tuple[float, float]],
    ) -> PageChart:
        """curves: the first tells unit and sense of the axis. ends: of what else is drawn."""
        shown, say = next(iter(curves.values())).shown, self._gait.say
        unit = pretty_unit(shown.units_cell)
        doc = f"{title} in {unit}, over the stride from heel strike to heel strike: {' and '.join(curves)}"
        reached = np.array([*(each.ends for each in curves.values()), *ends]).ravel()
        scale = scale_over(reached, TICKS_UPWARD, (0.0,), 0.0)
        upward = axis_words(shown, say)
        return PageChart(
            say(title),
            AxisText(say(ACROSS) if slot.is_last else ""),
            AxisText(upward, (0.0,)) if scale is None else AxisText(upward, (scale.first, scale.last), tick=scale.tick),
            tuple(lines),
            slot.box,
            doc,
            "courses",
            is_small=True,
            band=band,
            marks=() if scale is None else tuple(self._ticks(list(curves), scale.first)),
            every=self._every,
        )

    def _mean(self, side: Side, curve: DrawnCurve, dash: str = "solid") -> PageLine:
        return PageLine(self._columns.percent, curve.mean, side, self.colors[side], dash, MEAN)

    def _of_conditions(self, side: Side, curve: DrawnCurve) -> Iterator[PageLine]:
        """The mean of each condition: the side by its colour, the condition by its dash."""
        for condition, column in curve.means:
            dash = condition_dash(self._gait.conditions, condition)
            name = f"{side}, {condition or 'no condition'}"
            yield PageLine(self._columns.percent, column, name, self.colors[side], dash, MEAN)

    def _edges(self, curve: DrawnCurve, color: str, dash: str) -> list[PageLine]:
        names = (curve.low, curve.high)
        return [PageLine(self._columns.percent, each, each.rpartition("!")[2], color, dash, THIN) for each in names]

    def _area(self, curve: DrawnCurve, name: str, color: str) -> PageBand:
        return PageBand(self._columns.percent, curve.low, (BandLayer(curve.width, name, color),))

    def _sure_edges(self, side: Side, curve: DrawnCurve) -> list[PageLine]:
        """Thin dashed lines at two standard uncertainties from a mean."""
        names = (curve.sure_low, curve.sure_high) if curve.sure_low else ()
        return [
            PageLine(self._columns.percent, each, each.rpartition("!")[2], self.colors[side], SURE_DASH, THIN)
            for each in names
        ]

    def _areas_of_u(self, title: str, curves: Mapping[Side, DrawnCurve]) -> PageBand | None:
        """The areas of two standard uncertainties about the means of the sides; where both lie, their colours are mixed."""
        known = {side: curve for side, curve in curves.items() if curve.sure_low}
        if not known:
            return None
        begin, *widths = self._columns.areas_of_u(f"{' and '.join(known)} {title}", tuple(known.values()))
        own = [(f"{side} +- 2 u", paler(self.colors[side], OF_U)) for side in known]
        if len(own) == 1:
            looks = own
        else:
            (first, one), (second, other) = own
            both = f"{first}, {second}"
            looks = [*own, ("", ""), (both, mixed(one, other)), *own]
        layers = tuple(BandLayer(width, *look) for width, look in zip(widths, looks, strict=True))
        return PageBand(self._columns.percent, begin, layers)

    def _ticks(self, sides: Sequence[Side], foot: float) -> Iterator[PageLine]:
        """Toe offs as ticks at the foot of the axis, and the events of the other side as short ones."""
        for side in sides:
            for column, tall in (
                (self._columns.toe_off(side, foot), TALL_TICK),
                (self._columns.other_side(side, foot), SHORT_TICK),
            ):
                if column:
                    name = column.rpartition("!")[2].rpartition(" at ")[0]
                    yield PageLine(self._columns.percent, column, name, self.colors[side], "solid", TICK, tall=tall)


def condition_dash(conditions: Sequence[str], condition: str) -> str:
    """How the means of a condition are drawn: the first solid."""
    return CONDITION_DASHES[conditions.index(condition) % len(CONDITION_DASHES)]


def axis_words(shown: ShownAs, say: Callable[[str], str] = str) -> str:
    """The title of an axis: what a positive and a negative value mean, and the unit, ``Flexion (+) / extension (deg)``.

    say: puts a word into the language of the page.
    """
    unit = say(pretty_unit(shown.unit))
    external = EXTERNAL if shown.sense.startswith(EXTERNAL) else ""
    sense = shown.sense.removeprefix(EXTERNAL)
    if not sense:
        return unit
    said = f"{say(external.strip())} {say(sense)}".strip()
    positive = f"{said[0].upper()}{said[1:]} (+)"
    negative = OPPOSITES.get(sense)
    return f"{positive} / {say(negative)} ({unit})" if negative else f"{positive} ({unit})"


def _title(kind: str, quantity: str) -> str:
    return f"{kind.capitalize()} {TITLES.get(quantity, quantity)}"


def _color(given: str) -> str:
    return "#" + given.strip().lstrip("#").upper()
