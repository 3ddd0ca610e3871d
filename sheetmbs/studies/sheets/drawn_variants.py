"""Charts of variants: dots of responses over variables and goals, the course of a search, and kept curves with targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.measured_pages import DOT, series_name
from sheetmbs.schema.units import parse_unit
from sheetmbs.studies.fitting.estimate import NORMAL_95
from sheetmbs.studies.sheets.drawn_columns import DrawnColumns
from sheetmbs.studies.sheets.study_statistics import StudyAnalysis
from sheetmbs.studies.sheets.study_words import axis_title, capital, said
from sheetmbs.studies.study_book import Floats
from sheetmbs.studies.study_results import KeptCurve, TargetCurve
from sheetmbs.workbook.charts.styled_charts import PALETTE
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, PageChart, PageLine, paler

BLUE, ORANGE, GREEN, DARK, PALE = "#0072B2", "#D55E00", "#009E73", "#3B4252", "#B9C0CB"
MOST_DOTS = 1_000
SMALL, MEDIUM, LARGE = 3, 6, 9
MAX_MEDIUM_DOTS = 30
"""variants that have larger dots"""
AXIS_PERCENTILES = (1.0, 99.0)
"""percentiles within which an axis of responses lies of which a few are far away"""
ROOM = 0.15
"""part of its length that is drawn beyond the ends of a front and the workbook as it is"""
MAX_OUTLIER_DISTANCE = 3.0
"""lengths of that range beyond which they are"""
THIN_LINE, STRONG_LINE = 0.75, 2.25
TARGET_COLOR = "#111111"
LIMIT_COLOR, LIMIT_WIDTH = "#CC3311", 1.25
LIMITED_EXTREMES = {"max": "at most", "min": "at least"}
"""functions of a response, with the limit of them that no point of the curve may pass"""
EXTREME = re.compile(r"(max|min)\((.*)\)")
MAX_NAMED_CURVES = 5
"""variants that have a colour and a name each"""


@dataclass(frozen=True)
class DrawnAxis:
    """What is drawn along an axis. data: (n,) of all variants. marks: limits and targets, in words with their values."""

    name: str
    unit: str
    data: Floats
    marks: Mapping[str, float] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Title of the axis, with its unit."""
        return axis_title(self.name, self.unit)


class VariantCharts:
    """Makes them, out of columns that it adds to the sheet of numbers."""

    def __init__(self, analysis: StudyAnalysis, columns: DrawnColumns) -> None:
        self._analysis = analysis
        self._columns = columns
        numbers = np.arange(1, len(analysis.results.variants))
        self._drawn = numbers[:: max(1, -(-len(numbers) // MOST_DOTS))]

    @property
    def are_thinned(self) -> bool:
        """Whether not every variant is a dot."""
        return len(self._drawn) < self._analysis.count

    def variable(self, place: int) -> DrawnAxis:
        """A variable as an axis."""
        variable = self._analysis.study.variables[place]
        return DrawnAxis(variable.name, variable.unit, self._analysis.values[:, place])

    def response(self, place: int) -> DrawnAxis:
        """A response as an axis."""
        response = self._analysis.study.responses[place]
        data = self._analysis.responses[:, place]
        return DrawnAxis(response.name, response.unit, data, self._analysis.marks(place))

    def over_variable(self, response: int, variable: int, box: Box) -> PageChart | None:
        """A response over a variable; over one that alone was varied a line through its values."""
        across, upward = self.variable(variable), self.response(response)
        analysis = self._analysis
        if analysis.study.traits.effects == "single changes":
            return self._single(response, variable, box)
        title = f"{upward.name} over {across.name}"
        lines = list(self._dots(across, upward))
        if len(analysis.names) == 1 and analysis.study.traits.is_stepping:
            lines = self._curve(across, upward) + lines
        return self._chart(title, across, upward, lines, box)

    def _single(self, response: int, variable: int, box: Box) -> PageChart | None:
        changes = self._analysis.changes(variable)
        upward = self.response(response)
        across = DrawnAxis(self.variable(variable).name, self.variable(variable).unit, changes.values)
        column = changes.responses[:, response]
        if not varies(column):
            return None
        x = self._columns.add(across.name, across.unit, changes.values)
        y = self._columns.add(f"{upward.name} over {across.name}", upward.unit, column)
        lines = [PageLine(x, y, "changed alone", BLUE, dot=MEDIUM), self._one(0, self.variable(variable), upward)]
        best = self._analysis.improved
        if best and self._analysis.values[best, variable] != self._analysis.values[0, variable]:
            lines.append(self._one(best, self.variable(variable), upward))
        return self._chart(f"{upward.name} over {across.name}", across, upward, lines, box)

    def _curve(self, across: DrawnAxis, upward: DrawnAxis) -> list[PageLine]:
        order = np.argsort(across.data[1:], kind="stable") + 1
        x, y = self._pair(across, upward, order)
        return [PageLine(x, y, "", BLUE, width=1.25, is_named=False)]

    def _pair(self, across: DrawnAxis, upward: DrawnAxis, rows: NDArray[np.int64], label: str = "") -> tuple[str, str]:
        """Columns of both axes at some variants; label: what their names say of these."""
        x, y = (self._columns.add(f"{axis.name}{label}", axis.unit, axis.data[rows]) for axis in (across, upward))
        return x, y

    def against(self, first: int, second: int, box: Box) -> PageChart | None:
        """A goal over another, with the front where there is one."""
        across, upward = self.response(first), self.response(second)
        front = np.array(self._analysis.results.front, dtype=int)
        lines = list(self._dots(across, upward, paler(BLUE, 0.6) if len(front) else BLUE))
        if len(front):
            front = front[np.argsort(across.data[front], kind="stable")]
            x, y = self._pair(across, upward, front, ", front")
            is_line = len(self._analysis.goals) == 2
            lines.insert(-1, PageLine(x, y, "Pareto front", GREEN, width=1.5 if is_line else 0.0, dot=MEDIUM))
        return self._chart(f"{upward.name} against {across.name}", across, upward, lines, box, front)

    def convergence(self, box: Box) -> PageChart | None:
        """The objective of each variant, and the least one so far."""
        analysis = self._analysis
        objective = np.where(analysis.results.feasible, analysis.results.objective, np.nan)
        if np.isfinite(objective).sum() < 2:
            return None
        across = DrawnAxis("variant", "", np.arange(float(len(objective))))
        upward = DrawnAxis("objective", "", analysis.results.objective)
        least = np.fmin.accumulate(objective)
        drawn = self._drawn
        x = self._columns.add("variant", "", across.data[drawn])
        y = self._columns.add("least objective so far", "", least[drawn])
        *below, last = self._dots(across, upward)
        lines = [*below, PageLine(x, y, "least so far", DARK, width=2.0), last]
        start, end = objective[np.isfinite(objective)][0], float(np.nanmin(objective))
        reach = (start, end + MAX_OUTLIER_DISTANCE * (start - end)) if start > end else ()
        within = (-np.inf, max(reach)) if reach else (-np.inf, np.inf)
        axis = AxisText("objective", within=within)
        return PageChart("Convergence", AxisText("variant"), axis, tuple(lines), box, "objective over variants")

    def _dots(self, across: DrawnAxis, upward: DrawnAxis, color_of_most: str = BLUE) -> Iterator[PageLine]:
        """Variants that hold no limit, those that do, the workbook as it is, and the best on top."""
        analysis, drawn = self._analysis, self._drawn
        holds = analysis.results.feasible[drawn]
        groups = [("misses a limit", PALE, drawn[~holds]), ("variant", color_of_most, drawn[holds])]
        size = MEDIUM if len(drawn) <= MAX_MEDIUM_DOTS else SMALL
        for name, color, chosen in groups:
            kept = chosen[np.isfinite(upward.data[chosen]) & np.isfinite(across.data[chosen])]
            if len(kept):
                x, y = self._pair(across, upward, kept, f", {name}" if name != "variant" else "")
                yield PageLine(x, y, name, color, width=0.0, dot=size)
        yield self._one(0, across, upward)
        if analysis.improved:
            yield self._one(analysis.improved, across, upward)

    def _one(self, number: int, across: DrawnAxis, upward: DrawnAxis) -> PageLine:
        name, color = (f"best ({number})", ORANGE) if number else ("as it is", DARK)
        x, y = self._pair(across, upward, np.array([number]), f", {name}")
        return PageLine(x, y, name, color, width=0.0, dot=LARGE)

    def _chart(
        self,
        title: str,
        across: DrawnAxis,
        upward: DrawnAxis,
        lines: list[PageLine],
        box: Box,
        front: NDArray[np.int64] | None = None,
    ) -> PageChart | None:
        """front: variants that are looked at, beside the workbook as it is; others being of less interest."""
        if not varies(across.data) or not varies(upward.data):
            return None
        ends = [
            _within(axis.data) if front is None or len(front) < 2 else _about(axis.data[[0, *front]])
            for axis in (across, upward)
        ]
        x, y = (AxisText(axis.title, within=within) for axis, within in zip((across, upward), ends, strict=True))
        doc = f"{title}: a dot for each variant"
        return PageChart(capital(title), x, y, (*self._marks(across, upward), *lines), box, doc)

    def _marks(self, across: DrawnAxis, upward: DrawnAxis) -> Iterator[PageLine]:
        """Limits and targets as straight lines through the chart, below everything else."""
        for axis, other in ((upward, across), (across, upward)):
            if not axis.marks:
                continue
            known = other.data[np.isfinite(other.data)]
            low, high = _within(other.data)
            ends = np.array([max(known.min(), low), min(known.max(), high)])
            along = self._columns.add(f"{other.name}, ends", other.unit, ends)
            for words, value in axis.marks.items():
                held = self._columns.add(f"{axis.name}, {words}", axis.unit, np.full(2, value))
                x, y = (along, held) if axis is upward else (held, along)
                yield PageLine(x, y, words, LIMIT_COLOR, "dash", LIMIT_WIDTH)


def varies(data: Floats) -> bool:
    """Whether there is anything to see over it."""
    known = data[np.isfinite(data)]
    return len(known) > 1 and float(np.ptp(known)) > 1e-9 * float(np.abs(known).max())


def _about(data: Floats) -> tuple[float, float]:
    """Where an axis ends, so that what is looked at fills most of it."""
    low, high = float(np.nanmin(data)), float(np.nanmax(data))
    room = ROOM * (high - low)
    return (low - room, high + room) if room > 0.0 else _within(data)


def _within(data: Floats) -> tuple[float, float]:
    """Where an axis ends, so that a few variants far away do not press all others together."""
    known = data[np.isfinite(data)]
    low, high = np.percentile(known, AXIS_PERCENTILES)
    far = MAX_OUTLIER_DISTANCE * (high - low)
    return (float(low - far), float(high + far)) if far > 0.0 else (-np.inf, np.inf)


def curve_groups(analysis: StudyAnalysis) -> list[tuple[list[KeptCurve], list[TargetCurve]]]:
    """Curves that are drawn together: of one column over another in one case; those with targets first."""
    targets = {each.response: each for each in analysis.results.targets}
    groups: dict[tuple[str, str, str], list[KeptCurve]] = {}
    for curve in analysis.results.curves:
        groups.setdefault((curve.case, curve.x_name, curve.y_name), []).append(curve)
    found = []
    for curves in groups.values():
        responses = dict.fromkeys(curve.response for curve in curves)
        once = {curve.variant: curve for curve in reversed(curves)}
        sought = [targets[name] for name in responses if name in targets]
        found.append(([once[number] for number in sorted(once)], sought))
    return sorted(found, key=lambda group: not group[1])


def curves_chart(
    analysis: StudyAnalysis,
    columns: DrawnColumns,
    curves: Sequence[KeptCurve],
    targets: Sequence[TargetCurve],
    box: Box,
) -> PageChart | None:
    """The chart; None where no curve has two points."""
    if all(np.isfinite(curve.y).sum() < 2 for curve in curves):
        return None
    first = curves[0]
    *below, last = _lines(analysis, columns, curves)
    lines = [
        *_bands(analysis, columns, first),
        *_limits(analysis, columns, curves),
        *below,
        *_targets(columns, targets, first),
        *_measured(analysis, columns, first),
        last,
    ]
    cases = {curve.case for curve in analysis.results.curves}
    of_case = f", {first.case}" if len(cases) > 1 else ""
    title = f"{first.y_name} over {first.x_name}{of_case}"
    across, upward = AxisText(axis_title(first.x_name, first.x_unit)), AxisText(axis_title(first.y_name, first.y_unit))
    return PageChart(title, across, upward, tuple(lines), box, f"{title} of {len(curves)} variants")


def _lines(analysis: StudyAnalysis, columns: DrawnColumns, curves: Sequence[KeptCurve]) -> Iterator[PageLine]:
    """Pale ones below, then the workbook as it is, the best on top."""
    best = analysis.improved
    others = [curve for curve in curves if curve.variant not in (0, best)]
    colors = [color for color in PALETTE if color not in (ORANGE, PALETTE[-1])]
    for k, curve in enumerate(others):
        x, y = _added(columns, curve)
        if len(others) <= MAX_NAMED_CURVES:
            name = analysis.results.variants.names.get(curve.variant) or f"variant {curve.variant}"
            yield PageLine(x, y, name, colors[k % len(colors)], width=1.5)
        else:
            yield PageLine(x, y, "other variants", paler(BLUE, 0.55), width=THIN_LINE, is_named=not k)
    held = {curve.variant: curve for curve in curves}
    if 0 in held:
        yield PageLine(*_added(columns, held[0]), "as it is", DARK, "dash", 1.75)
    if best in held:
        yield PageLine(*_added(columns, held[best]), f"best ({best})", ORANGE, width=STRONG_LINE)


def _measured(analysis: StudyAnalysis, columns: DrawnColumns, curve: KeptCurve) -> Iterator[PageLine]:
    """What was measured of the same column over the same x, as dots of the workbook as it is."""
    for found in analysis.results.measured:
        own = found.measurement
        if (own.case, own.over, own.of) == (curve.case, curve.x_name, curve.y_name) and len(found.x):
            x = columns.add(f"{own.over}, {series_name(found)}", own.over_unit, found.x)
            y = columns.add(series_name(found), own.unit, found.measured_values)
            yield PageLine(x, y, series_name(found), DARK, width=0.0, dot=DOT)


def _bands(analysis: StudyAnalysis, columns: DrawnColumns, curve: KeptCurve) -> Iterator[PageLine]:
    """The ends of the 95 % band of a curve, where its standard deviation is known."""
    found = analysis.results.uncertainty
    band = None if found is None else next((each for each in found.bands if each.response == curve.response), None)
    if band is None:
        return
    case = f" {curve.case}" if curve.case else ""
    x, _y = _added(columns, curve)
    columns.add(f"{curve.y_name}.sd", curve.y_unit, band.sd)
    for sign, word in ((1.0, "upper"), (-1.0, "lower")):
        end = columns.add(
            f"{curve.y_name}{case}, {word} end of 95 %", curve.y_unit, curve.y + sign * NORMAL_95 * band.sd
        )
        yield PageLine(x, end, "95 % band", paler(BLUE), width=STRONG_LINE, is_named=sign > 0.0)


def _limits(analysis: StudyAnalysis, columns: DrawnColumns, curves: Sequence[KeptCurve]) -> Iterator[PageLine]:
    """Limits of the largest or smallest value of the drawn column, which are limits of its curve too."""
    first = curves[0]
    x = np.concatenate([curve.x for curve in curves])
    for response in analysis.study.responses:
        match = EXTREME.fullmatch(response.of.strip())
        if match is None or match[2].strip().strip("'") != first.y_name or response.case != first.case:
            continue
        if response.value is None or LIMITED_EXTREMES.get(match[1]) != response.goal:
            continue
        factor = (
            parse_unit(response.unit).size / parse_unit(first.y_unit).size if response.unit != first.y_unit else 1.0
        )
        words = f"{response.goal} {said(response.value, response.unit)}"
        along = columns.add(f"{first.x_name}, ends", first.x_unit, np.array([np.nanmin(x), np.nanmax(x)]))
        value = columns.add(f"{first.y_name}, {words}", first.y_unit, np.full(2, factor * response.value))
        yield PageLine(along, value, words, LIMIT_COLOR, "dash", LIMIT_WIDTH)


def _added(columns: DrawnColumns, curve: KeptCurve) -> tuple[str, str]:
    case = f" {curve.case}" if curve.case else ""
    x = columns.add(f"{curve.x_name}{case}", curve.x_unit, curve.x)
    return x, columns.add(f"{curve.y_name}{case} of {curve.variant}", curve.y_unit, curve.y)


def _targets(columns: DrawnColumns, targets: Sequence[TargetCurve], beside: KeptCurve) -> Iterator[PageLine]:
    for target in targets:
        x = columns.add(f"{beside.x_name}, target", beside.x_unit, target.x)
        y = columns.add(f"{beside.y_name}, target", beside.y_unit, target.y)
        yield PageLine(x, y, "target", TARGET_COLOR, "square_dot", STRONG_LINE)
