"""Which charts to draw: what the workbook asks for, or a set that a person would want."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.elements import JOINTS
from sheetmbs.errors import Problem
from sheetmbs.model import Chart, Model
from sheetmbs.results.clearances import clearance_charts
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.table import Table
from sheetmbs.workbook.report import quoted

Wanted = tuple[str, list[str] | tuple[str, str]]
"""Title of a chart, and its lines over time or the x and y of a path."""

MOST_SERIES = 8
"""More lines than this on one chart cannot be told apart."""
MOST_ELEMENTS, FEW_ELEMENTS = 6, 4
"""Charts of one kind in space."""


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
                    quoted(name),
                    "a chart shows result columns, and this analysis has none of this name",
                    f"did you mean {hint}?" if hint else "see row 1 of the result sheets for their names",
                )
            )
        if len(found) == 1 + len(chart.y):
            charts.append(Chart(chart.title, found[0], tuple(found[1:]), chart.type, chart.cell))
    return tuple(charts), tuple(problems)


def default_charts(model: Model, tables: Sequence[Table]) -> tuple[Chart, ...]:
    """A set that shows how the model moves and what forces that takes."""
    present = {name for table in tables for name in table.columns}
    wanted = _in_plane(model) if model.settings.dimension == "2D" else _in_space(model)
    charts = [chart for chart in clearance_charts(model) if chart.y[0] in present]
    for title, columns in wanted:
        if isinstance(columns, tuple):
            charts.extend([Chart(title, columns[0], (columns[1],), "xy")] if columns[0] in present else [])
            continue
        shown = [name for name in columns if name in present]
        for at in range(0, len(shown), MOST_SERIES):
            more = f" ({at // MOST_SERIES + 1})" if len(shown) > MOST_SERIES else ""
            charts.append(Chart(title + more, "time", tuple(shown[at : at + MOST_SERIES])))
    return tuple(charts)


def _in_plane(model: Model) -> Iterator[Wanted]:
    """Paths, angles, reactions, driver loads, spring forces, energies and violations."""
    moving = [body.name for body in model.bodies]
    reported = [point.name for point in model.points if point.report]
    for what, elements in (("body", moving), ("point", reported)):
        for name in elements[:MOST_SERIES]:
            yield f"Path of {what} {name}", (f"{name}.x", f"{name}.y")
    yield "Angles of bodies", [f"{name}.phi" for name in moving]
    yield "Velocities of points", [f"{name}.{v}" for name in reported for v in ("vx", "vy")]
    for joint in model.joints[:MOST_SERIES]:
        yield f"Reaction at {joint.name}", [f"{joint.name}.i.fx", f"{joint.name}.i.fy"]
    yield from _driven(model)
    springs = [spring.name for spring in model.springs]
    yield "Spring forces", [f"{name}.force" for name in springs]
    yield "Spring moments", [f"{name}.moment" for name in springs]
    yield from _balance()


def _in_space(model: Model) -> Iterator[Wanted]:
    """As in the plane, with no more of each kind than can be looked through: a car has forty bodies and a hundred links.

    Points chosen for a report stand for the motion, bodies only where there are none.
    """
    reported = [point.name for point in model.points if point.report][:MOST_ELEMENTS]
    bodies = [body.name for body in model.bodies][:MOST_ELEMENTS]
    for what, elements in (("point", reported),) if reported else (("body", bodies),):
        for name in elements:
            yield f"Position of {what} {name}", [f"{name}.{axis}" for axis in "xyz"]
    if not reported:
        for name in bodies:
            yield f"Orientation of body {name}", [f"{name}.{angle}" for angle in ("yaw", "pitch", "roll")]
    joints = [joint.name for joint in model.joints]
    moved = [driver.joint for driver in model.drivers if driver.joint is not None]
    first = sorted(joints, key=lambda name: name not in moved)
    for title, coordinate in (("Angles of joints", "angle"), ("Displacements of joints", "displacement")):
        of_kind = [joint.name for joint in model.joints if coordinate in JOINTS[joint.type].coordinates]
        yield title, [f"{name}.{coordinate}" for name in first if name in of_kind][:MOST_SERIES]
    springs = [spring.name for spring in model.springs if spring.type != "bushing"]
    yield "Spring lengths", [f"{name}.length" for name in springs][:MOST_SERIES]
    yield "Spring forces", [f"{name}.force" for name in springs][:MOST_SERIES]
    yield "Spring moments", [f"{name}.moment" for name in springs][:MOST_SERIES]
    bushings = [spring.name for spring in model.springs if spring.type == "bushing"]
    for name in bushings[:FEW_ELEMENTS]:
        yield f"Force of bushing {name}", [f"{name}.{force}" for force in ("fx", "fy", "fz")]
    yield from _driven(model)
    for name in joints[:FEW_ELEMENTS]:
        yield f"Reaction at {name}", [f"{name}.i.{force}" for force in ("fx", "fy", "fz")]
    yield from _balance()


def _driven(model: Model) -> Iterator[Wanted]:
    drivers = [driver.name for driver in model.drivers]
    yield "Driver moments", [f"{name}.moment" for name in drivers]
    yield "Driver forces", [f"{name}.force" for name in drivers]
    yield "Power of drivers", [f"{name}.power" for name in drivers]


def _balance() -> Iterator[Wanted]:
    yield "Energies", ["kinetic_energy", "potential_energy", "total_energy"]
    yield "Constraint violations", ["position_violation", "velocity_violation"]
