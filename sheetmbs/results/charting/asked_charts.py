"""The charts that the workbook asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sheetmbs.model.model import Chart, Model
from sheetmbs.problems.errors import Problem
from sheetmbs.results.charting.abscissa import chart_abscissa
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import quoted
from sheetmbs.schema.table import Table


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
