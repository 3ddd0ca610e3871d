"""The charts that a person would want, where a workbook asks for none: as the kinds of elements declare them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.result_column import DefaultChart, ResultKind
from sheetmbs.model.model import Chart, Model
from sheetmbs.results.charting.abscissa import TIME, Abscissa, chart_abscissa
from sheetmbs.schema.table import Table

MOST_SERIES = 8
"""More lines than this on one chart cannot be told apart."""
MIN_RELATIVE_MOTION = 1e-9
"""relative to the largest number on a chart, or to 1: a coordinate that changes by less does not move"""

Numbers = dict[str, NDArray[np.float64]]


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
    reporting = {kind.element for kind in kinds if kind.element and len(kind.elements(model))}
    drawn = [
        (chart.place, number, kind, chart)
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
    for at in range(0, len(shown), MOST_SERIES):
        more = f" ({at // MOST_SERIES + 1})" if len(shown) > MOST_SERIES else ""
        yield Chart(wanted.title + more, TIME, tuple(shown[at : at + MOST_SERIES]))


def _over(chart: Chart, usual: Abscissa) -> Chart:
    return replace(chart, x=usual.over(chart.y)) if chart.x == TIME else chart


def _moving(names: Sequence[str], columns: Numbers) -> list[str]:
    """Those of some coordinates that change."""
    largest = max((float(np.nanmax(np.abs(columns[name]), initial=0.0)) for name in names), default=0.0)
    return [
        name for name in names if len(columns[name]) and np.ptp(columns[name]) > MIN_RELATIVE_MOTION * max(largest, 1.0)
    ]
