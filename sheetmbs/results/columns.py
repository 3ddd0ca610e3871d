"""From a motion to the named columns of the result sheets."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs import jit
from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.report import Report, report
from sheetmbs.lower import Lowered
from sheetmbs.lower.constraints import Constraint
from sheetmbs.model import Display
from sheetmbs.results.charts import default_charts, wanted_charts
from sheetmbs.results.notes import notes
from sheetmbs.results.summary import summary
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets import ResultSheets

Floats = NDArray[np.float64]

ANGLES = {"phi", "angle"}


@dataclass
class Columns:
    """Collects the columns of one sheet; ``time`` comes first."""

    sheet: str
    times: Floats
    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)

    def add(self, name: str, unit: str, values: Floats, factor: float = 1.0) -> None:
        """Add a column; ``values`` (times,) are divided by ``factor``, the size of the unit in SI."""
        self.names.append(name)
        self.units.append(unit)
        self.values.append(values / factor)

    def table(self) -> Table:
        """The sheet as a table."""
        return Table(
            self.sheet,
            ("time", *self.names),
            ("s", *self.units),
            np.column_stack([self.times, *self.values]) if len(self.times) else np.zeros((0, len(self.names) + 1)),
        )


def result_sheets(lowered: Lowered, solution: Solution) -> ResultSheets:
    """Everything that the result sheets show of a solution."""
    found = reported(lowered, solution)
    tables = tuple(
        columns.table()
        for columns in (
            _bodies(lowered, solution),
            _points(lowered, solution, found),
            _joints(lowered, solution, found),
            _drivers(lowered, solution, found),
            _springs(lowered, solution, found),
            _constraints(lowered, solution, found),
        )
        if columns.names
    )
    charts, chart_problems = wanted_charts(lowered.model, tables)
    problems = (*lowered.model.warnings, *solution.problems, *notes(lowered, solution, found), *chart_problems)
    return ResultSheets(
        summary=summary(lowered, solution, found, jit.compile_seconds()),
        tables=tables,
        charts=(*charts, *(default_charts(lowered.model, tables) if not lowered.model.charts else ())),
        problems=problems,
    )


def reported(lowered: Lowered, solution: Solution) -> Report:
    """Reactions, violations, springs, points and energies at all reporting times."""
    everything, gauges = lowered.arrange(), lowered.gauges()
    count, elements = len(solution.times), len(lowered.elements)
    springs, points = len(lowered.forces.springs), np.array(lowered.points, dtype=np.int64)
    found = Report(
        wrench=np.zeros((count, elements, 12)),
        multiplier=np.zeros((count, elements)),
        power=np.zeros((count, elements)),
        position=np.zeros((count, elements)),
        velocity=np.zeros((count, elements)),
        worst=np.zeros((count, 2)),
        gauge=np.zeros((count, len(gauges.arrays.row), 2)),
        spring=np.zeros((count, springs, 5)),
        point=np.zeros((count, len(points), 9)),
        energy=np.zeros((count, 2)),
        imbalance=np.zeros(count),
    )
    report(
        everything.arrays,
        everything.work,
        gauges.arrays,
        gauges.work,
        lowered.constraints.owner[everything.kept],
        gauges.kept,
        points,
        solution.times,
        solution.q,
        solution.v,
        solution.a,
        has_masses(lowered),
        found,
    )
    return found


def has_masses(lowered: Lowered) -> bool:
    """Whether all masses are known, so that forces are."""
    return not bool(np.any(np.isnan(lowered.bodies.mass)))


def _bodies(lowered: Lowered, solution: Solution) -> Columns:
    display = lowered.model.display
    columns = Columns("mbs Bodies", solution.times)
    for body in lowered.model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        for names, values, at, rate in (
            (("x", "y", "phi"), solution.q, record.q, ""),
            (("vx", "vy", "omega"), solution.v, record.v, "/s"),
            (("ax", "ay", "alpha"), solution.a, record.v, "/s^2"),
        ):
            for k, name in enumerate(names):
                unit, factor = display.angle if k == 2 else display.length
                columns.add(f"{body.name}.{name}", unit + rate, values[:, at + k], factor)
    return columns


def _points(lowered: Lowered, solution: Solution, found: Report) -> Columns:
    unit, factor = lowered.model.display.length
    columns = Columns("mbs Points", solution.times)
    reported_points = [point for point in lowered.model.points if point.report]
    for p, point in enumerate(reported_points):
        for k, name in enumerate(("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")):
            if not name.endswith("z"):
                columns.add(f"{point.name}.{name}", unit + ("", "/s", "/s^2")[k // 3], found.point[:, p, k], factor)
    return columns


def _joints(lowered: Lowered, solution: Solution, found: Report) -> Columns:
    columns = Columns("mbs Joints", solution.times)
    with_forces = solution.analysis != "kinematic"
    for c, joint in enumerate(lowered.elements):
        if joint.what != "joint":
            continue
        if with_forces:
            for side in ("i", "j"):
                force = found.wrench[:, c, 0:6] if (side == "i") != joint.swapped else found.wrench[:, c, 6:12]
                columns.add(f"{joint.name}.{side}.fx", "N", force[:, 0])
                columns.add(f"{joint.name}.{side}.fy", "N", force[:, 1])
                columns.add(f"{joint.name}.{side}.m", "N*m", force[:, 5])
                moment = _moment_about_centre(lowered, solution, joint, side, force)
                if moment is not None:
                    columns.add(f"{joint.name}.{side}.m_com", "N*m", moment)
        if joint.gauge >= 0 and joint.coordinate in {"angle", "displacement"}:
            unit, factor = _unit(lowered.model.display, joint.coordinate)
            columns.add(f"{joint.name}.{joint.coordinate}", unit, found.gauge[:, joint.gauge, 0], factor)
            columns.add(f"{joint.name}.rate", f"{unit}/s", found.gauge[:, joint.gauge, 1], factor)
    return columns


def _moment_about_centre(
    lowered: Lowered, solution: Solution, joint: Constraint, side: str, force: Floats
) -> Floats | None:
    """Moment of a reaction about the centre of mass of its body; None on ground, which has none."""
    frame = lowered.frames[joint.frame_i if side == "i" else joint.frame_j]
    if frame.body == 0:
        return None
    phi = solution.q[:, lowered.bodies.records[frame.body].q + 2]
    sx = np.cos(phi) * frame.x - np.sin(phi) * frame.y
    sy = np.sin(phi) * frame.x + np.cos(phi) * frame.y
    return np.asarray(force[:, 5] + sx * force[:, 1] - sy * force[:, 0])


def _drivers(lowered: Lowered, solution: Solution, found: Report) -> Columns:
    columns = Columns("mbs Drivers", solution.times)
    if solution.analysis == "kinematic":
        return columns
    for c, driver in enumerate(lowered.elements):
        if driver.what == "joint":
            continue
        turning = driver.coordinate in ANGLES
        name = "moment" if turning else "force"
        columns.add(f"{driver.name}.{name}", "N*m" if turning else "N", found.multiplier[:, c])
        columns.add(f"{driver.name}.power", "W", found.power[:, c])
    return columns


def _springs(lowered: Lowered, solution: Solution, found: Report) -> Columns:
    columns = Columns("mbs Springs", solution.times)
    for k, spring in enumerate(lowered.model.springs):
        turning = spring.type == "rotational"
        unit, factor = _unit(lowered.model.display, "angle" if turning else "length")
        what, force = ("moment", "N*m") if turning else ("force", "N")
        columns.add(f"{spring.name}.{'angle' if turning else 'length'}", unit, found.spring[:, k, 0], factor)
        columns.add(f"{spring.name}.rate", f"{unit}/s", found.spring[:, k, 1], factor)
        columns.add(f"{spring.name}.spring_{what}", force, found.spring[:, k, 2])
        columns.add(f"{spring.name}.damper_{what}", force, found.spring[:, k, 3])
        columns.add(f"{spring.name}.{what}", force, found.spring[:, k, 4])
    return columns


def _constraints(lowered: Lowered, solution: Solution, found: Report) -> Columns:
    columns = Columns("mbs Constraints", solution.times)
    columns.add("position_violation", "m, rad", found.worst[:, 0])
    columns.add("velocity_violation", "m/s, rad/s", found.worst[:, 1])
    for c, element in enumerate(lowered.elements):
        columns.add(f"{element.name}.position", _residual_unit(element), found.position[:, c])
        columns.add(f"{element.name}.velocity", f"{_residual_unit(element)}/s", found.velocity[:, c])
    if has_masses(lowered):
        columns.add("kinetic_energy", "J", found.energy[:, 0])
        columns.add("potential_energy", "J", found.energy[:, 1])
        columns.add("total_energy", "J", found.energy[:, 0] + found.energy[:, 1])
    return columns


def _residual_unit(element: Constraint) -> str:
    """Joints may mix lengths and angles; their norm is in SI of both."""
    return "rad" if element.what != "joint" and element.coordinate in ANGLES else "m"


def _unit(display: Display, coordinate: str) -> tuple[str, float]:
    return display.angle if coordinate in ANGLES else display.length
