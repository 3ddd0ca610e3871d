"""What charts of the report draw beside means: bands, thin lines and toe offs, in columns beside the printed pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.believed_values import Believed
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
COMPONENTS = ("mx", "my")
"""moments that are drawn where those of adduction and rotation are not known, along axes of the laboratory"""
TITLES = {
    "moment_adduction": "adduction moment",
    "moment_rotation": "rotation moment",
    "mx": "moment about x",
    "my": "moment about y",
}
"""quantities that are called otherwise than their columns"""
ALSO = {
    "angle": ("flexion",),
    "moment": ("moment flexion", "mz"),
    "moment_adduction": ("moment adduction",),
    "moment_rotation": ("moment rotation",),
}
"""what bands of trials in space may be called too, folded"""
UNCERTAIN = {*QUANTITIES, *OUT_OF_PLANE, "obliquity", "tilt", "progression"}
"""quantities whose means are drawn with their uncertainty"""
GROUND = {"fy": ("vertical", "up"), "fx": ("fore-aft", "forward"), "fz": ("lateral", "to the right")}
"""forces of the ground -> what their charts are called, and what + is"""
FIRST_ROW = 3
"""of numbers, below heads and units"""


@dataclass(frozen=True)
class DrawnCurve:
    """What a chart draws of one side: names of columns as ``sheet!name``, ``""`` where there is none. shown: its unit.

    n: the most strides in its mean. ends: the least and the largest value of all of it. means: of each condition as
    ``sheet!name``, where there are several. sure_low, sure_high: two standard uncertainties below and above the mean.
    """

    mean: str
    low: str
    high: str
    width: str
    shown: ShownAs
    n: int = 0
    ends: tuple[float, float] = (0.0, 0.0)
    means: tuple[tuple[str, str], ...] = ()
    sure_low: str = ""
    sure_high: str = ""


class ChartedColumns:
    """The columns beside the report, filled as charts ask for them.

    first: column in which they begin. stances: of sides in % of the stride, as the table of times tells them.
    believed: the uncertainty of means, where it is asked for.
    """

    def __init__(
        self, gait: GaitPresentation, first: int, stances: Mapping[str, float], believed: Believed | None = None
    ) -> None:
        self._gait = gait
        self._believed = believed
        self._presented = {each.key: each for each in gait.quantities}
        self._first = first
        self._stances = stances
        self._held: dict[str, PageColumn] = {}
        self._within = {each: gait.within(each) for each in gait.conditions}
        self._hold("percent", "%", gait.percent)

    @property
    def percent(self) -> str:
        """The column that charts draw over."""
        return f"{GAIT_REPORT}!percent"

    @property
    def has_uncertainty(self) -> bool:
        """Whether the uncertainty of means is known."""
        return self._believed is not None

    @property
    def columns(self) -> tuple[PageColumn, ...]:
        """All that is held."""
        return tuple(self._held.values())

    def cells(self) -> Iterator[PageCell]:
        """Their heads, units and numbers."""
        for each in self._held.values():
            yield PageCell(1, each.column, each.name, "header")
            yield PageCell(2, each.column, each.unit, "units")
            for row, text in enumerate(each.labels, start=FIRST_ROW):
                yield PageCell(row, each.column, text, "item")
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

    def of_axial(self, side: Side, owner: str, quantity: str) -> DrawnCurve | None:
        """An angle of the pelvis or the foot of a side in the laboratory; None where no stride has it."""
        key = f"{side} {owner}", quantity
        if key not in self._gait.means:
            return None
        name = f"{side} {owner}.{quantity}"
        return self._curve(key, f"{ANGLES}!{name}.mean", name, self._gait.signs.axial(quantity), 1.0)

    def of_support(self, side: Side) -> DrawnCurve | None:
        """The support moment of a side; None where no stride has it."""
        key = f"{side} support", "moment"
        if key not in self._gait.means:
            return None
        return self._curve(key, f"{MOMENTS}!{key[0]}.moment.mean", f"{key[0]}.moment", self._gait.signs.support, 1.0)

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

    def toe_off(self, side: Side, foot: float) -> str:
        """A column with a number where the foot leaves the ground, at the end of the mean stance; ``""`` where not known.

        foot: that number, the lower end of a chart.
        """
        stance = self._stances.get(side)
        return "" if stance is None else self._marks(f"{side} toe off", [stance], foot)

    def other_side(self, side: Side, foot: float) -> str:
        """The same where the other foot leaves the ground and strikes it within the strides of a side."""
        at = list(other_events(self._gait, side))
        return self._marks(f"{side} stride, other foot", at, foot) if at else ""

    def _marks(self, name: str, at: Sequence[float], foot: float) -> str:
        marks = np.full(len(self._gait.percent), np.nan)
        for each in at:
            marks[int(np.argmin(np.abs(self._gait.percent - each)))] = foot
        return self._hold(f"{name} at {foot:g}", "", marks)

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
            ends=_ends(low, high),
        )

    def _curve(self, key: tuple[str, str], mean: str, name: str, shown: ShownAs, factor: float) -> DrawnCurve:
        """A mean and, of more than one stride, the lines at one standard deviation from it; or the mean of each condition."""
        found = self._gait.means[key]
        n = int(found.n.max())
        centre, unit = factor * found.mean, shown.unit
        if len(self._gait.conditions) > 1:
            held = tuple(self._of_conditions(key, name, unit, factor))
            ends = _ends(*(self._held[column.rpartition("!")[2]].data for _, column in held))
            return DrawnCurve(mean, "", "", "", shown, n, ends, held)
        twice = self._twice_u(key)
        sure = ("", "")
        if twice is not None:
            sure = (
                self._hold(f"{name}.mean-2u", unit, centre - twice),
                self._hold(f"{name}.mean+2u", unit, centre + twice),
            )
        around = () if twice is None else (centre - twice, centre + twice)
        if n < 2:
            return DrawnCurve(mean, "", "", "", shown, n, _ends(centre, *around), (), *sure)
        sd = factor * found.sd
        return DrawnCurve(
            mean,
            self._hold(f"{name}.mean-sd", unit, centre - sd),
            self._hold(f"{name}.mean+sd", unit, centre + sd),
            self._hold(f"{name}.2sd", unit, 2.0 * sd),
            shown,
            n,
            _ends(centre, centre - sd, centre + sd, *around),
            (),
            *sure,
        )

    def _twice_u(self, key: tuple[str, str]) -> Vector | None:
        """(points,) two standard uncertainties of a mean as it is shown; None where it has none."""
        presented = self._presented.get(key)
        if self._believed is None or presented is None or key[1] not in UNCERTAIN:
            return None
        u = self._believed.of_mean(presented)
        return None if u is None else 2.0 * u

    def areas_of_u(self, name: str, curves: Sequence[DrawnCurve]) -> tuple[str, ...]:
        """Columns of the areas between two standard uncertainties of one mean, or of two over each other.

        Of one: where it begins and how far it goes up. Of two: where both begin, and upward the part of the first alone and
        of the second alone, the gap, the part of both, and again the first and the second alone; each point has some of them.
        """
        limits = [[self._held[each.rpartition("!")[2]].data for each in (c.sure_low, c.sure_high)] for c in curves]
        unit = curves[0].shown.units_cell
        (a, b), *others = limits
        if not others:
            return self._hold(f"{name}.mean-2u", unit, a), self._hold(f"{name}.4u", unit, b - a)
        ((c, d),) = others
        a, b, c, d = (np.where(np.isnan(own), other, own) for own, other in ((a, c), (b, c), (c, a), (d, a)))
        inner_low, inner_high = np.maximum(a, c), np.minimum(b, d)
        below, above = np.minimum(inner_low, inner_high), np.maximum(inner_low, inner_high)
        base, top = np.minimum(a, c), np.maximum(b, d)
        widths = {
            "first below": np.where(a < c, below - base, 0.0),
            "second below": np.where(a < c, 0.0, below - base),
            "gap": np.maximum(inner_low - inner_high, 0.0),
            "both": np.maximum(inner_high - inner_low, 0.0),
            "first above": np.where(b > d, top - above, 0.0),
            "second above": np.where(b > d, 0.0, top - above),
        }
        begin = self._hold(f"{name}.2u begins", unit, base)
        return (begin, *(self._hold(f"{name}.2u {part}", unit, values) for part, values in widths.items()))

    def _of_conditions(self, key: tuple[str, str], name: str, unit: str, factor: float) -> Iterator[tuple[str, str]]:
        """Each condition in which a mean is known, and its column."""
        for condition in self._gait.conditions:
            mean = self._within[condition].means.get(key)
            if mean is not None:
                yield condition, self._hold(f"{name}.mean, {condition or 'no condition'}", unit, factor * mean.mean)

    def hold_labels(self, name: str, labels: Sequence[str]) -> str:
        """Hold a column of texts for bars; returns how charts call it."""
        return self._held_as(name, "", np.zeros(0), tuple(labels))

    def hold_values(self, name: str, unit: str, values: Vector) -> str:
        """Hold a column of numbers; returns how charts call it."""
        return self._held_as(name, unit, values, ())

    def _hold(self, name: str, unit: str, values: Vector) -> str:
        return self._held_as(name, unit, values, ())

    def _held_as(self, name: str, unit: str, values: Vector, labels: tuple[str, ...]) -> str:
        if name not in self._held:
            column = self._first + len(self._held)
            self._held[name] = PageColumn(name, unit, FIRST_ROW, column, values, labels)
        return f"{GAIT_REPORT}!{name}"


def _ends(*values: Vector) -> tuple[float, float]:
    """The least and the largest number of courses."""
    known = [each[np.isfinite(each)] for each in values]
    every = np.concatenate(known)
    return (float(every.min()), float(every.max())) if len(every) else (0.0, 0.0)


def other_events(gait: GaitPresentation, side: Side) -> Iterator[float]:
    """Where in the strides of a side the other foot leaves the ground and strikes it, in % of the stride: the means."""
    other = "left" if side == "right" else "right"
    for kind in ("toe off", "heel strike"):
        found = [
            stride.percent(each.time)
            for stride in gait.counting(side)
            for each in gait.trials[stride.trial].events
            if each.kind == kind and each.side == other and stride.start < each.time < stride.end
        ]
        if found:
            yield float(np.mean(found))


def out_of_plane(gait: GaitPresentation) -> tuple[str, ...]:
    """The quantities that a page of one side draws beside those of the plane."""
    is_global = gait.book.processing.moment_axes == "global"
    return tuple(each for each in OUT_OF_PLANE if is_global or each not in COMPONENTS)


def band_of(gait: GaitPresentation, side: Side | None, kind: str, quantity: str) -> Band | None:
    """The band whose name is that of the joint, with the side before it where it is of one."""
    names = {fold(row.name) for row in gait.book.joints if gait.signs.kind(row) == kind} | {kind}
    called = (quantity, *ALSO.get(quantity, ()))
    wanted = {f"{side} {name}.{each}" if side else f"{name}.{each}" for name in names for each in called}
    return next((band for band in gait.book.bands if fold(band.quantity) in wanted), None)
