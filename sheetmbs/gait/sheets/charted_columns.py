"""What charts of the report draw beside means: bands, thin lines and toe offs, in columns beside the printed pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_columns import ANGLES, MOMENTS, POWERS
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.signs import ShownAs
from sheetmbs.gait.trial.gait_book import Band, Side
from sheetmbs.schema.names import fold
from sheetmbs.workbook.sheets.page_contents import PageCell, PageColumn
from sheetmbs.workbook.sheets.sheet_contents import GAIT_REPORT

KINDS = ("hip", "knee", "ankle")
QUANTITIES = {"angle": ANGLES, "moment": MOMENTS, "power": POWERS}
"""rows of charts -> the sheet of their means"""
OUT_OF_PLANE = {
    "adduction": ANGLES,
    "rotation": ANGLES,
    "moment_adduction": MOMENTS,
    "moment_rotation": MOMENTS,
    "mx": MOMENTS,
    "my": MOMENTS,
}
"""the same, of what only trials in space have"""
TITLES = {
    "moment_adduction": "adduction moment",
    "moment_rotation": "rotation moment",
    "mx": "moment about x",
    "my": "moment about y",
}
"""quantities that are called otherwise than their columns"""
ALSO = {"angle": ("flexion",), "moment": ("moment flexion", "mz")}
"""what bands of trials in space may be called too, folded"""
GROUND = {"fy": ("vertical", "up"), "fx": ("fore-aft", "forward")}
"""forces of the ground -> what their charts are called, and what + is"""
FIRST_ROW = 3
"""of numbers, below heads and units"""


@dataclass(frozen=True)
class DrawnCurve:
    """What a chart draws of one side: names of columns as ``sheet!name``, ``""`` where there is none. shown: its unit.

    n: the most strides in its mean.
    """

    mean: str
    low: str
    high: str
    width: str
    shown: ShownAs
    n: int = 0


class ChartedColumns:
    """The columns beside the report, filled as charts ask for them.

    first: column in which they begin. stances: of sides in % of the stride, as the table of times tells them.
    """

    def __init__(self, gait: GaitPresentation, first: int, stances: Mapping[str, float]) -> None:
        self._gait = gait
        self._first = first
        self._stances = stances
        self._held: dict[str, PageColumn] = {}
        self._hold("percent", "%", gait.percent)

    @property
    def percent(self) -> str:
        """The column that charts draw over."""
        return f"{GAIT_REPORT}!percent"

    @property
    def columns(self) -> tuple[PageColumn, ...]:
        """All that is held."""
        return tuple(self._held.values())

    def cells(self) -> Iterator[PageCell]:
        """Their heads, units and numbers."""
        for each in self._held.values():
            yield PageCell(1, each.column, each.name, "header")
            yield PageCell(2, each.column, each.unit, "units")
            for row, value in enumerate(each.data.tolist(), start=FIRST_ROW):
                if np.isfinite(value):
                    yield PageCell(row, each.column, value, "general")

    def of_joint(self, side: Side, kind: str, quantity: str) -> DrawnCurve | None:
        """A quantity of the hip, knee or ankle of a side; None where no stride has it."""
        row = self._gait.of_kind(kind, side)
        if row is None or (row.label, quantity) not in self._gait.means:
            return None
        shown = self._gait.signs.of(row, quantity)
        name = f"{row.label}.{quantity}"
        return self._curve(
            (row.label, quantity), f"{(QUANTITIES | OUT_OF_PLANE)[quantity]}!{name}.mean", name, shown, 1.0
        )

    def of_ground(self, side: Side, axis: str) -> DrawnCurve | None:
        """The force of the ground on a foot, as a share of the body's weight."""
        key = f"{side} foot", axis
        mean = self._gait.means.get(key)
        if mean is None:
            return None
        shown = self._gait.signs.of_weight(GROUND[axis][1])
        name = f"{side} foot.{axis} by weight"
        self._hold(f"{name}.mean", shown.unit, shown.factor * mean.mean)
        return self._curve(key, f"{GAIT_REPORT}!{name}.mean", name, shown, shown.factor)

    def toe_off(self, side: Side) -> str:
        """A column with a 0 where the foot leaves the ground, at the end of the mean stance; ``""`` where that is not known."""
        stance = self._stances.get(side)
        if stance is None:
            return ""
        marks = np.full(len(self._gait.percent), np.nan)
        marks[int(np.argmin(np.abs(self._gait.percent - stance)))] = 0.0
        return self._hold(f"{side} toe off", "", marks)

    def normal(self, side: Side | None, kind: str, quantity: str) -> DrawnCurve | None:
        """The normative band of a quantity of a joint: of both sides, or of one."""
        band = band_of(self._gait, side, kind, quantity)
        if band is None:
            return None
        low, high = (
            np.interp(self._gait.percent, band.percent, each, left=np.nan, right=np.nan)
            for each in (band.low, band.high)
        )
        name = f"normal {band.quantity}"
        return DrawnCurve(
            "",
            self._hold(f"{name}.low", "", low),
            self._hold(f"{name}.high", "", high),
            self._hold(f"{name}.width", "", high - low),
            ShownAs(1.0, ""),
        )

    def _curve(self, key: tuple[str, str], mean: str, name: str, shown: ShownAs, factor: float) -> DrawnCurve:
        """A mean and, of more than one stride, the lines at one standard deviation from it."""
        found = self._gait.means[key]
        n = int(found.n.max())
        if n < 2:
            return DrawnCurve(mean, "", "", "", shown, n)
        sd, unit = factor * found.sd, shown.unit
        centre = factor * found.mean
        return DrawnCurve(
            mean,
            self._hold(f"{name}.mean-sd", unit, centre - sd),
            self._hold(f"{name}.mean+sd", unit, centre + sd),
            self._hold(f"{name}.2sd", unit, 2.0 * sd),
            shown,
            n,
        )

    def _hold(self, name: str, unit: str, values: Vector) -> str:
        if name not in self._held:
            column = self._first + len(self._held)
            self._held[name] = PageColumn(name, unit, FIRST_ROW, column, values)
        return f"{GAIT_REPORT}!{name}"


def band_of(gait: GaitPresentation, side: Side | None, kind: str, quantity: str) -> Band | None:
    """The band whose name is that of the joint, with the side before it where it is of one."""
    names = {fold(row.name) for row in gait.book.joints if gait.signs.kind(row) == kind} | {kind}
    called = (quantity, *ALSO.get(quantity, ()))
    wanted = {f"{side} {name}.{each}" if side else f"{name}.{each}" for name in names for each in called}
    return next((band for band in gait.book.bands if fold(band.quantity) in wanted), None)
