"""Columns of `mbs Drivers`: what drivers and guiding columns apply, and their power."""

from __future__ import annotations

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, RestPlace, RestTable, ResultKind, result_columns
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import ANGLES
from sheetmbs.results.columns.collect import CollectedColumns

DRIVER = ResultKind(
    "driver",
    "mbs Drivers",
    (
        *result_columns("force", "force that drives a displacement, on the body or on body j of the joint", r.FORCE),
        *result_columns(
            "moment",
            "moment that drives an angle, on the body or on body j of the joint; for rx, ry, rz about global axes",
            r.MOMENT,
        ),
        *result_columns("power", "power that the driver puts in", r.POWER),
    ),
    lambda model: model.drivers,
    (
        DefaultChart("Driver moments", ("moment",), ChartPlace.DRIVERS, alone="Moment of driver {}"),
        DefaultChart("Driver forces", ("force",), ChartPlace.DRIVERS, alone="Force of driver {}"),
        DefaultChart("Power of drivers", ("power",), ChartPlace.POWER, alone="Power of driver {}"),
    ),
    (
        RestTable("Driver forces", (("force", "force"),), RestPlace.DRIVERS, is_load=True),
        RestTable("Driver moments", (("moment", "moment"),), RestPlace.DRIVERS, is_load=True),
    ),
)


def drivers(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Forces and moments that drivers and guiding columns apply to the body, or to body_j of the joint, and their power."""
    columns = CollectedColumns(DRIVER.sheet, lowered.model.display, solution.times)
    if solution.analysis == Analysis.KINEMATIC:
        return columns
    for c, driver in enumerate(lowered.elements):
        if driver.what == "joint":
            continue
        name = "moment" if driver.coordinate in ANGLES else "force"
        columns.add(DRIVER, driver.name, name, found.multiplier[:, c])
        columns.add(DRIVER, driver.name, "power", found.power[:, c])
    return columns
