"""Columns of joints with clearance: `mbs Clearances`, and `mbs Impacts` with a row for every contact."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.analysis.integrators.contacts.contacts import BEGAN, IMPACT, LASTED, MOST, WHICH
from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.forces import clearance as c
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model import Chart, Model
from sheetmbs.results.columns.collect import CollectedColumns, unit_of

MOST_PATHS = 4


def clearances(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Eccentricity, forces on the journal, the path of its centre in the bearing's axes, and the circle of the clearance."""
    columns = CollectedColumns("mbs Clearances", solution.times)
    unit, factor = unit_of(lowered.model.display, "length")
    around = np.linspace(0.0, 2.0 * np.pi, len(solution.times))
    for k, (joint, record) in enumerate(zip(lowered.model.clearances, lowered.clearances, strict=True)):
        seen = found.contact[:, k]
        touches = (seen[:, c.CLOSED] > 0.0) & (seen[:, c.DEPTH] > 0.0)
        columns.add(f"{joint.name}.eccentricity", unit, seen[:, c.ECCENTRICITY], factor)
        columns.add(f"{joint.name}.penetration", unit, np.where(touches, seen[:, c.DEPTH], 0.0), factor)
        columns.add(f"{joint.name}.normal_force", "N", seen[:, c.NORMAL])
        columns.add(f"{joint.name}.tangential_force", "N", seen[:, c.TANGENTIAL])
        columns.add(f"{joint.name}.contact", "", touches.astype(np.float64))
        columns.add(f"{joint.name}.path_x", unit, seen[:, c.ALONG_X], factor)
        columns.add(f"{joint.name}.path_y", unit, seen[:, c.ALONG_Y], factor)
        columns.add(f"{joint.name}.circle_x", unit, record.clearance * np.cos(around), factor)
        columns.add(f"{joint.name}.circle_y", unit, record.clearance * np.sin(around), factor)
    return columns


def impacts(lowered: Lowered, solution: Solution) -> CollectedColumns:
    """When each contact began and, of its joint, the normal speed then, how long it lasted and its largest normal force."""
    log = np.zeros((0, 5)) if solution.impacts is None else solution.impacts
    columns = CollectedColumns("mbs Impacts", log[:, BEGAN])
    for k, joint in enumerate(lowered.model.clearances if len(log) else ()):
        for name, unit, place in (("speed", "m/s", IMPACT), ("duration", "s", LASTED), ("largest_force", "N", MOST)):
            columns.add(f"{joint.name}.{name}", unit, np.where(log[:, WHICH] == k, log[:, place], np.nan))
    return columns


def largest_forces(lowered: Lowered, solution: Solution, found: MotionReport) -> tuple[tuple[str, float, str], ...]:
    """Largest normal force of each joint in the reported rows, where no contacts were located that told it exactly."""
    if solution.impacts is not None or not len(solution.times):
        return ()
    largest = found.contact[:, :, c.NORMAL].max(axis=0)
    names = [joint.name for joint in lowered.model.clearances]
    return tuple(
        (f"largest normal force in {name}", float(force), "N") for name, force in zip(names, largest, strict=True)
    )


def clearance_charts(model: Model) -> Iterator[Chart]:
    """The path of each journal in the circle of its clearance, and its forces."""
    for joint in model.clearances[:MOST_PATHS]:
        path, circle = (tuple(f"{joint.name}.{what}_{axis}" for axis in "xy") for what in ("path", "circle"))
        yield Chart(f"Path of the journal in {joint.name}", path[0], path[1:], "xy", beside=(circle[0], circle[1]))
        forces = tuple(f"{joint.name}.{force}" for force in ("normal_force", "tangential_force"))
        yield Chart(f"Forces on the journal in {joint.name}", "time", forces)
