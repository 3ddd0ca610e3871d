"""Columns of joints with clearance: `mbs Clearances`, and `mbs Impacts` with a row for every contact."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.integrators.contacts.contact_log import BEGAN, IMPACT, LARGEST, LASTED, WHICH
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, ResultColumn, ResultKind, result_columns
from sheetmbs.engine.forces import clearance as c
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.results.columns.collect import CollectedColumns

CLEARANCE = ResultKind(
    "clearance",
    "mbs Clearances",
    (
        *result_columns("eccentricity", "distance of the journal's centre from that of the bearing", r.LENGTH),
        *result_columns(
            "penetration", "how far the journal is pressed into the bearing, 0 while they are apart", r.LENGTH
        ),
        *result_columns("normal_force", "force on the journal, inwards", r.FORCE),
        *result_columns("tangential_force", "force on the journal, counter-clockwise", r.FORCE),
        *result_columns("contact", "1 while they touch, else 0", r.COUNT),
        *result_columns("path_x path_y", "centre of the journal in the axes of the bearing", r.LENGTH),
        *result_columns("circle_x circle_y", "the clearance, to draw the path in", r.LENGTH, aside=True),
    ),
    lambda model: model.clearances,
    (
        DefaultChart(
            "Path of the journal in {}",
            ("path_x", "path_y"),
            ChartPlace.CLEARANCES,
            type="xy",
            beside=("circle_x", "circle_y"),
            most=4,
        ),
        DefaultChart(
            "Forces on the journal in {}", ("normal_force", "tangential_force"), ChartPlace.CLEARANCES, most=4
        ),
    ),
)
BEGINNING = ResultColumn("time", "time at which the contact began", (r.TIME,))
IMPACTS = ResultKind(
    "clearance",
    "mbs Impacts",
    (
        *result_columns("speed", "normal speed with which the contact began", r.METRES_PER_SECOND),
        *result_columns("duration", "how long it lasted", r.TIME),
        *result_columns("largest_force", "largest normal force while it lasted", r.FORCE),
    ),
    lambda model: model.clearances,
)


def clearances(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Eccentricity, forces on the journal, the path of its centre in the bearing's axes, and the circle of the clearance."""
    columns = CollectedColumns(CLEARANCE.sheet, lowered.model.display, solution.times)
    around = np.linspace(0.0, 2.0 * np.pi, len(solution.times))
    for k, (joint, record) in enumerate(zip(lowered.model.clearances, lowered.clearances, strict=True)):
        seen = found.contact[:, k]
        touches = (seen[:, c.CLOSED] > 0.0) & (seen[:, c.DEPTH] > 0.0)
        columns.add(CLEARANCE, joint.name, "eccentricity", seen[:, c.ECCENTRICITY])
        columns.add(CLEARANCE, joint.name, "penetration", np.where(touches, seen[:, c.DEPTH], 0.0))
        columns.add(CLEARANCE, joint.name, "normal_force", seen[:, c.NORMAL])
        columns.add(CLEARANCE, joint.name, "tangential_force", seen[:, c.TANGENTIAL])
        columns.add(CLEARANCE, joint.name, "contact", touches.astype(np.float64))
        columns.add(CLEARANCE, joint.name, "path_x", seen[:, c.ALONG_X])
        columns.add(CLEARANCE, joint.name, "path_y", seen[:, c.ALONG_Y])
        columns.add(CLEARANCE, joint.name, "circle_x", record.clearance * np.cos(around))
        columns.add(CLEARANCE, joint.name, "circle_y", record.clearance * np.sin(around))
    return columns


def impacts(lowered: Lowered, solution: Solution) -> CollectedColumns:
    """Time at which each contact began, with its normal speed then, its duration and its largest normal force."""
    log = np.zeros((0, 5)) if solution.impacts is None else solution.impacts
    columns = CollectedColumns(IMPACTS.sheet, lowered.model.display, log[:, BEGAN], BEGINNING)
    for k, joint in enumerate(lowered.model.clearances if len(log) else ()):
        for name, place in (("speed", IMPACT), ("duration", LASTED), ("largest_force", LARGEST)):
            columns.add(IMPACTS, joint.name, name, np.where(log[:, WHICH] == k, log[:, place], np.nan))
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
