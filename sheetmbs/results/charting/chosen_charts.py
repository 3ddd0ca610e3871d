"""Which charts to draw: what the workbook asks for, or a set that a person would want."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.model import Chart, Model, Spring
from sheetmbs.problems.errors import Problem
from sheetmbs.results.charting.across import TIME, Across, across
from sheetmbs.results.columns.clearance_columns import clearance_charts
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.table import Table
from sheetmbs.workbook.reading.problem_list import quoted

MOST_SERIES = 8
"""More lines than this on one chart cannot be told apart."""
MOST_ELEMENTS, FEW_ELEMENTS = 6, 4
"""Charts of one kind, in the plane and in space."""
STILL = 1e-9
"""of the largest number on a chart, or of 1: a coordinate that changes by less does not move"""


@dataclass(frozen=True)
class Wanted:
    """A chart that a person would want. lines: result columns; path: or x and y of a path.

    moving: it shows coordinates, of which those that do not move say nothing.
    """

    title: str
    lines: tuple[str, ...] = ()
    path: tuple[str, str] | None = None
    moving: bool = False


def wanted_charts(model: Model, tables: Sequence[Table]) -> tuple[tuple[Chart, ...], tuple[Problem, ...]]:
    """The charts of the sheet Charts with exact column names; a column that is not there is a warning.

    Where x is blank, it is time, or in a kinematic analysis of one driver what that moves.
    """
    known = {fold(name): name for table in tables for name in table.columns}
    usual = across(model, tables)
    charts, problems = [], []
    for chart in model.charts:
        found = []
        for name in (*([chart.x] if chart.x else []), *chart.y):
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
        if len(found) == bool(chart.x) + len(chart.y):
            x, y = (found[0], found[1:]) if chart.x else (usual.over(found), found)
            charts.append(Chart(chart.title, x, tuple(y), chart.type, chart.cell))
    return tuple(charts), tuple(problems)


def default_charts(model: Model, tables: Sequence[Table]) -> tuple[Chart, ...]:
    """A set that shows how the model moves and what forces that takes: what was asked of it before all else."""
    columns = {name: table.values[:, k] for table in tables for k, name in enumerate(table.columns)}
    usual = across(model, tables)
    charts = [chart for chart in clearance_charts(model) if chart.y[0] in columns]
    for wanted in _wanted(model, columns):
        charts += [_over(chart, usual) for chart in _drawn(wanted, columns, usual)]
    return tuple(charts)


def _drawn(wanted: Wanted, columns: dict[str, NDArray[np.float64]], usual: Across) -> Iterator[Chart]:
    """The charts that a wish comes to, of no more lines than can be told apart."""
    if wanted.path:
        if all(name in columns for name in wanted.path) and _moving(wanted.path, columns):
            yield Chart(wanted.title, wanted.path[0], (wanted.path[1],), "xy")
        return
    shown = [name for name in wanted.lines if name in columns and np.isfinite(columns[name]).any()]
    shown = [name for name in shown if name != usual.column]
    shown = _moving(shown, columns) if wanted.moving else shown
    for at in range(0, len(shown), MOST_SERIES):
        more = f" ({at // MOST_SERIES + 1})" if len(shown) > MOST_SERIES else ""
        yield Chart(wanted.title + more, TIME, tuple(shown[at : at + MOST_SERIES]))


def _over(chart: Chart, usual: Across) -> Chart:
    return replace(chart, x=usual.over(chart.y)) if chart.x == TIME else chart


def _moving(names: Sequence[str], columns: dict[str, NDArray[np.float64]]) -> list[str]:
    """Those of some coordinates that change."""
    largest = max((float(np.nanmax(np.abs(columns[name]), initial=0.0)) for name in names), default=0.0)
    return [name for name in names if len(columns[name]) and np.ptp(columns[name]) > STILL * max(largest, 1.0)]


def _wanted(model: Model, columns: dict[str, NDArray[np.float64]]) -> Iterator[Wanted]:
    """Coordinates of joints, what drives them, springs, motion of points and bodies, reactions, energies, violations.

    There are no more of each kind than can be looked through: a car has forty bodies and a hundred links.
    """
    is_planar = model.settings.dimension == "2D"
    yield from _joints(model)
    yield from _driven(model)
    yield from _springs(model)
    yield from _motion_in_plane(model) if is_planar else _motion_in_space(model)
    yield from _reactions(model, columns)
    yield Wanted("Power of drivers", tuple(f"{driver.name}.power" for driver in model.drivers))
    if model.settings.analysis != "kinematic":
        yield Wanted("Energies", ("kinetic_energy", "potential_energy", "total_energy"))
    violations = ("position_violation", "velocity_violation")
    if any(np.nanmax(columns[name], initial=0.0) > model.settings.tolerance for name in violations if name in columns):
        yield Wanted("Constraint violations", violations)


def _joints(model: Model) -> Iterator[Wanted]:
    """Angles and displacements of joints, those that drivers move first; in space no more than fit on one chart."""
    moved = [driver.joint for driver in model.drivers if driver.joint is not None]
    first = sorted(model.joints, key=lambda joint: joint.name not in moved)
    for title, coordinate in (("Angles of joints", "angle"), ("Displacements of joints", "displacement")):
        names = [f"{joint.name}.{coordinate}" for joint in first if coordinate in JOINTS[joint.type].coordinates]
        most = MOST_SERIES if model.settings.dimension == "3D" else len(names)
        yield Wanted(title, tuple(names[:most]), moving=True)


def _reactions(model: Model, columns: dict[str, NDArray[np.float64]]) -> Iterator[Wanted]:
    """Reactions at the joints, in their order; where there are many, at those with the largest."""
    is_planar = model.settings.dimension == "2D"
    most, forces = (MOST_SERIES, ("fx", "fy")) if is_planar else (FEW_ELEMENTS, ("fx", "fy", "fz"))

    def largest(name: str) -> float:
        found = [columns[f"{name}.i.{force}"] for force in forces if f"{name}.i.{force}" in columns]
        return max((float(np.nanmax(np.abs(each), initial=0.0)) for each in found), default=0.0)

    shown = sorted([joint.name for joint in model.joints], key=largest, reverse=True)[:most]
    for joint in model.joints:
        if joint.name in shown:
            yield Wanted(f"Reaction at {joint.name}", tuple(f"{joint.name}.i.{force}" for force in forces))


def _driven(model: Model) -> Iterator[Wanted]:
    for title, load in (("Driver moments", "moment"), ("Driver forces", "force")):
        yield Wanted(title, tuple(f"{driver.name}.{load}" for driver in model.drivers))


def _springs(model: Model) -> Iterator[Wanted]:
    """The force of each part of the springs by itself: a damper would hide what a spring does."""
    springs = [spring for spring in model.springs if spring.type != "bushing"]

    def named(what: str, have: Sequence[Spring]) -> tuple[str, ...]:
        return tuple(f"{spring.name}.{what}" for spring in have)[:MOST_SERIES]

    elastic = [spring for spring in springs if spring.k or spring.curve_k]
    damped = [spring for spring in springs if spring.c or spring.curve_c]
    acting = [spring for spring in springs if spring.force]
    for what, load in (("force", "forces"), ("moment", "moments")):
        yield Wanted(f"Spring {load}", named(f"spring_{what}", elastic))
        yield Wanted(f"Damper {load}", named(f"damper_{what}", damped))
        yield Wanted(f"{load.capitalize()} of springs with actuators", named(what, acting))
    yield Wanted("Spring lengths", named("length", springs), moving=True)
    planar = model.settings.dimension == "2D"
    for spring in [spring for spring in model.springs if spring.type == "bushing"][:FEW_ELEMENTS]:
        forces = ("fx", "fy") if planar else ("fx", "fy", "fz")
        yield Wanted(f"Force of bushing {spring.name}", tuple(f"{spring.name}.{force}" for force in forces))


def _motion_in_plane(model: Model) -> Iterator[Wanted]:
    """Paths and velocities of points chosen for a report, then angles and paths of bodies."""
    reported = [point.name for point in model.points if point.report]
    for name in reported[:MOST_SERIES]:
        yield Wanted(f"Path of point {name}", path=(f"{name}.x", f"{name}.y"))
    yield Wanted("Velocities of points", tuple(f"{name}.{v}" for name in reported for v in ("vx", "vy")))
    yield Wanted("Angles of bodies", tuple(f"{body.name}.phi" for body in model.bodies), moving=True)
    for body in model.bodies[:MOST_SERIES]:
        yield Wanted(f"Path of body {body.name}", path=(f"{body.name}.x", f"{body.name}.y"))


def _motion_in_space(model: Model) -> Iterator[Wanted]:
    """Positions of points chosen for a report, which stand for the motion; of bodies where there are none."""
    reported = [point.name for point in model.points if point.report][:MOST_ELEMENTS]
    bodies = [body.name for body in model.bodies][:MOST_ELEMENTS]
    for what, elements in (("point", reported),) if reported else (("body", bodies),):
        for name in elements:
            yield Wanted(f"Position of {what} {name}", tuple(f"{name}.{axis}" for axis in "xyz"))
    for name in () if reported else bodies:
        turned = tuple(f"{name}.{angle}" for angle in ("yaw", "pitch", "roll"))
        yield Wanted(f"Orientation of body {name}", turned, moving=True)
