"""The charts of results, and over what they are drawn: those that the workbook asks for, else those that elements declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, ResultKind
from sheetmbs.model.model import Chart, Model
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.columns.motion_rows import holds
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import quoted
from sheetmbs.schema.table import Table

MAX_SERIES = 8
"""More lines than this on one chart cannot be told apart."""
MIN_RELATIVE_MOTION = 1e-9
"""relative to the largest number on a chart, or to 1: a coordinate that changes by less does not move"""

Numbers = dict[str, NDArray[np.float64]]
TIME = "time"
ASKED_FIRST: Mapping[str, tuple[ChartPlace, ...]] = {
    Analysis.INVERSE_DYNAMIC: (ChartPlace.DRIVERS, ChartPlace.POWER, ChartPlace.REACTIONS)
}
"""what answers the question of an analysis, and stands before the usual order: of a given motion, the loads that it takes"""
MIN_RELATIVE_EXTENT = 1e-9
"""share of the largest value by which a driven coordinate must change to count as moved, or may miss a straight line"""


@dataclass
class Wanted:
    """A chart to be drawn, and its lines."""

    title: str
    chart: DefaultChart
    lines: list[str] = field(default_factory=list)
    beside: tuple[str, str] | tuple[()] = ()
    above: float | None = None


def default_charts(model: Model, tables: Sequence[Table], kinds: Sequence[ResultKind]) -> tuple[Chart, ...]:
    """A set that shows how the model moves and what forces that takes: what was asked of it before all else.

    There are no more of each kind than can be looked through: a car has forty bodies and a hundred links.
    """
    columns = {name: table.values[:, k] for table in tables for k, name in enumerate(table.columns)}
    usual = chart_abscissa(model, tables)
    wanted: dict[str, Wanted] = {}
    for kind, charts in _in_order(model, kinds):
        for each in _wanted(model, kind, charts, columns):
            wanted.setdefault(each.title, replace(each, lines=[])).lines += each.lines
    return tuple(_over(chart, usual) for each in wanted.values() for chart in _drawn(each, columns, usual))


def _in_order(model: Model, kinds: Sequence[ResultKind]) -> Iterator[tuple[ResultKind, list[DefaultChart]]]:
    """Charts of one kind that stand side by side."""
    dimension = model.settings.dimension
    first = ASKED_FIRST.get(model.settings.analysis, ())
    reporting = {kind.element for kind in kinds if kind.element and len(kind.elements(model))}
    drawn = [
        ((first.index(chart.place) - len(first) if chart.place in first else chart.place), number, kind, chart)
        for number, kind in enumerate(kinds)
        for chart in kind.charts
        if dimension in chart.models and chart.instead_of not in reporting
    ]
    drawn.sort(key=lambda each: each[:2])
    for _, together in groupby(drawn, key=lambda each: each[:2]):
        found = list(together)
        yield found[0][2], [chart for _, _, _, chart in found]


def _wanted(model: Model, kind: ResultKind, charts: Sequence[DefaultChart], columns: Numbers) -> Iterator[Wanted]:
    """One chart of all elements; or of each element those charts that it has for itself, one element after the other."""
    for has_own, some in groupby(charts, key=lambda chart: "{}" in chart.title):
        if has_own:
            own = list(some)
            chosen = [{element.name for element in _chosen(model, kind, chart, columns)} for chart in own]
            for element in kind.elements(model):
                shown = [chart for chart, names in zip(own, chosen, strict=True) if element.name in names]
                yield from (_lines(kind, chart, [element]) for chart in shown)
        else:
            yield from (_lines(kind, chart, _chosen(model, kind, chart, columns)) for chart in some)


def _lines(kind: ResultKind, chart: DefaultChart, elements: Sequence[Any]) -> Wanted:
    first = elements[0] if elements else None
    lines = [kind.heading(_name(kind, element), name) for element in elements for name in chart.columns]
    x, y = (kind.heading(_name(kind, first), name) for name in chart.beside or ("", ""))
    above = None if chart.above is None or first is None else chart.above(first)
    return Wanted(chart.title.format(_name(kind, first)), chart, lines, (x, y) if chart.beside else (), above)


def _name(kind: ResultKind, element: Any) -> str:
    return element.name if kind.element and element is not None else ""


def _chosen(model: Model, kind: ResultKind, chart: DefaultChart, columns: Numbers) -> list[Any]:
    """The elements that a chart shows."""

    def numbers(element: Any) -> list[NDArray[np.float64]]:
        names = [kind.heading(_name(kind, element), name) for name in chart.columns]
        return [columns[name] for name in names if name in columns]

    def largest(element: Any) -> float:
        return max((float(np.nanmax(np.abs(each), initial=0.0)) for each in numbers(element)), default=0.0)

    found = [element for element in kind.elements(model) if chart.of(element) and numbers(element)]
    if chart.chosen == "driven":
        driven = {driver.joint for driver in model.drivers}
        found.sort(key=lambda element: element.name not in driven)
    if chart.chosen == "largest":
        first = {element.name for element in sorted(found, key=largest, reverse=True)[: chart.most]}
        return [element for element in found if element.name in first]
    return found[: chart.most]


def _drawn(wanted: Wanted, columns: Numbers, usual: Abscissa) -> Iterator[Chart]:
    """The charts that a wish comes to, of no more lines than can be told apart."""
    shown = [name for name in wanted.lines if name in columns and np.isfinite(columns[name]).any()]
    if wanted.chart.type == "xy":
        if len(shown) == len(wanted.chart.columns) and (_moving(shown, columns) or not wanted.chart.moving):
            yield Chart(wanted.title, shown[0], tuple(shown[1:]), "xy", beside=wanted.beside)
        return
    shown = [name for name in shown if name != usual.column]
    shown = _moving(shown, columns) if wanted.chart.moving else shown
    if wanted.above is not None and not any(np.nanmax(columns[name]) > wanted.above for name in shown):
        return
    if len(shown) == 1 and wanted.chart.alone:
        yield Chart(wanted.chart.alone.format(shown[0].removesuffix(f".{wanted.chart.columns[0]}")), TIME, tuple(shown))
        return
    for at in range(0, len(shown), MAX_SERIES):
        more = f" ({at // MAX_SERIES + 1})" if len(shown) > MAX_SERIES else ""
        yield Chart(wanted.title + more, TIME, tuple(shown[at : at + MAX_SERIES]))


def _over(chart: Chart, usual: Abscissa) -> Chart:
    return replace(chart, x=usual.over(chart.y)) if chart.x == TIME else chart


def _moving(names: Sequence[str], columns: Numbers) -> list[str]:
    """The coordinates, of these names, that change."""
    largest = max((float(np.nanmax(np.abs(columns[name]), initial=0.0)) for name in names), default=0.0)
    return [
        name for name in names if len(columns[name]) and np.ptp(columns[name]) > MIN_RELATIVE_MOTION * max(largest, 1.0)
    ]


@dataclass(frozen=True)
class Abscissa:
    """The column that runs across charts. is_one_way: it never turns back, so that rates are unique over it too.

    rates: the columns that are rates.
    """

    column: str = TIME
    is_one_way: bool = True
    rates: frozenset[str] = frozenset()

    def over(self, columns: Sequence[str]) -> str:
        """The abscissa of these columns. If the driver turns back, rates are drawn over time, since they would make loops."""
        return self.column if self.is_one_way or self.rates.isdisjoint(columns) else TIME


def chart_abscissa(model: Model, tables: Sequence[Table]) -> Abscissa:
    """The abscissa of the charts of an analysis.

    A kinematic analysis runs through positions, and time only numbers them. Where one driver moves, or several in
    proportion as both wheels of an axle, its coordinate says more.
    """
    if model.settings.analysis != Analysis.KINEMATIC:
        return Abscissa()
    columns = {name: t.values[:, k] for t in tables for k, name in enumerate(t.columns)}
    driving = [driver for driver in model.drivers if not holds(driver.motion)]
    names = [f"{driver.joint or driver.body}.{driver.coordinate}" for driver in driving]
    moved = [name for name in names if name in columns and _extent(columns[name]) > 0.0]
    if not moved or not all(_in_proportion(columns[moved[0]], columns[name]) for name in moved[1:]):
        return Abscissa()
    steps = np.diff(columns[moved[0]])
    rates = frozenset(n for t in tables for n, unit in zip(t.columns, t.units, strict=True) if "/s" in unit)
    return Abscissa(moved[0], bool(np.all(steps > 0.0) or np.all(steps < 0.0)), rates)


def _extent(values: Floats) -> float:
    """How far a column reaches, 0 where it only rounds."""
    extent = float(np.ptp(values)) if len(values) else 0.0
    return extent if extent > MIN_RELATIVE_EXTENT * float(np.max(np.abs(values), initial=0.0)) else 0.0


def _in_proportion(first: Floats, second: Floats) -> bool:
    """Whether two moving columns are straight lines over each other."""
    low, high = int(np.argmin(first)), int(np.argmax(first))
    slope = (second[high] - second[low]) / (first[high] - first[low])
    missed = second - second[low] - slope * (first - first[low])
    return bool(np.max(np.abs(missed)) <= MIN_RELATIVE_EXTENT * max(float(np.max(np.abs(second))), _extent(second)))


def asked_charts(model: Model, tables: Sequence[Table]) -> tuple[tuple[Chart, ...], tuple[Problem, ...]]:
    """The charts of the sheet Charts with exact column names; a column that is not there is a warning.

    Where x is blank, it is time, or in a kinematic analysis of one driver what that moves.
    """
    if not model.charts:
        return (), ()
    return charts_over(model.charts, tables, chart_abscissa(model, tables).over)


def charts_over(
    asked: Sequence[Chart], tables: Sequence[Table], over: Callable[[Sequence[str]], str]
) -> tuple[tuple[Chart, ...], tuple[Problem, ...]]:
    """Charts with exact column names, and warnings. over: what columns are drawn over where x is blank.

    A column is called by its name, or where several sheets have it as ``sheet!name``.
    """
    known = {fold(name): name for table in tables for name in table.columns}
    known |= {fold(f"{table.name}!{name}"): f"{table.name}!{name}" for table in tables for name in table.columns}
    charts, problems = [], []
    for chart in asked:
        found = []
        named = [(chart.x, chart.x_cell)] if chart.x else []
        for name, cell in (*named, *((name, chart.y_cell) for name in chart.y)):
            if fold(name) in known:
                found.append(known[fold(name)])
                continue
            hint = nearest(name, [each for each in known.values() if "!" not in each])
            problems.append(
                Problem(
                    "unknown-result",
                    "warning",
                    cell or chart.cell,
                    quoted(name),
                    "a chart shows result columns, and this analysis has none of this name",
                    f"did you mean {hint}?" if hint else "see row 1 of the result sheets for their names",
                )
            )
        if len(found) == bool(chart.x) + len(chart.y):
            x, y = (found[0], found[1:]) if chart.x else (over(found), found)
            charts.append(Chart(chart.title, x, tuple(y), chart.type, chart.cell))
    return tuple(charts), tuple(problems)
