"""Which charts to draw: what the workbook asks for, or a set that a person would want."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.errors import Problem
from sheetmbs.model import Chart, Model
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.table import Table

MOST_SERIES = 8
"""More lines than this on one chart cannot be told apart."""


def wanted_charts(model: Model, tables: Sequence[Table]) -> tuple[tuple[Chart, ...], tuple[Problem, ...]]:
    """The charts of the sheet Charts with exact column names; a column that is not there is a warning."""
    known = {fold(name): name for table in tables for name in table.columns}
    charts, problems = [], []
    for chart in model.charts:
        found = []
        for name in (chart.x, *chart.y):
            if fold(name) in known:
                found.append(known[fold(name)])
                continue
            hint = nearest(name, list(known.values()))
            problems.append(
                Problem(
                    "unknown-result",
                    "warning",
                    chart.cell,
                    f'"{name}"',
                    "a chart shows result columns, and this analysis has none of this name",
                    f'did you mean "{hint}"?' if hint else "see row 1 of the result sheets for their names",
                )
            )
        if len(found) == 1 + len(chart.y):
            charts.append(Chart(chart.title, found[0], tuple(found[1:]), chart.type, chart.cell))
    return tuple(charts), tuple(problems)


def default_charts(model: Model, tables: Sequence[Table]) -> tuple[Chart, ...]:
    """Paths, angles, reactions, driver loads, spring forces, energies and violations, as far as there are any."""
    names = [name for table in tables for name in table.columns]
    present = set(names)
    charts: list[Chart] = []

    def line(title: str, columns: list[str]) -> None:
        shown = [name for name in columns if name in present]
        for at in range(0, len(shown), MOST_SERIES):
            more = f" ({at // MOST_SERIES + 1})" if len(shown) > MOST_SERIES else ""
            charts.append(Chart(title + more, "time", tuple(shown[at : at + MOST_SERIES])))

    moving = [body.name for body in model.bodies]
    reported = [point.name for point in model.points if point.report]
    joints = [joint.name for joint in model.joints]
    drivers = [driver.name for driver in model.drivers]
    springs = [spring.name for spring in model.springs]
    for what, elements in (("body", moving), ("point", reported)):
        shown = [name for name in elements[:MOST_SERIES] if f"{name}.x" in present]
        charts.extend(Chart(f"Path of {what} {name}", f"{name}.x", (f"{name}.y",), "xy") for name in shown)
    line("Angles of bodies", [f"{name}.phi" for name in moving])
    line("Velocities of points", [f"{name}.{v}" for name in reported for v in ("vx", "vy")])
    for name in joints[:MOST_SERIES]:
        line(f"Reaction at {name}", [f"{name}.i.fx", f"{name}.i.fy"])
    line("Driver moments", [f"{name}.moment" for name in drivers])
    line("Driver forces", [f"{name}.force" for name in drivers])
    line("Power of drivers", [f"{name}.power" for name in drivers])
    line("Spring forces", [f"{name}.force" for name in springs])
    line("Spring moments", [f"{name}.moment" for name in springs])
    line("Energies", ["kinetic_energy", "potential_energy", "total_energy"])
    line("Constraint violations", ["position_violation", "velocity_violation"])
    return tuple(charts)
