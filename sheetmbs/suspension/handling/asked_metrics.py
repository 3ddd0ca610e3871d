"""Single metrics of rows of Handling, as a study asks for them again and again: no more is solved than they need."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import nan

from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.suspension.handling.handling_metrics import METRICS
from sheetmbs.suspension.handling.handling_table import ReadOff
from sheetmbs.suspension.handling.kinds import SOLVERS
from sheetmbs.suspension.handling.kinds.lap_rows import solve_lap_alone
from sheetmbs.suspension.handling.kinds.yaw_moment_row import asked_of_diagram
from sheetmbs.suspension.handling.lap_sensitivities import SENSITIVITIES
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import HandlingRow


def asked_metrics(
    car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float], metrics: Collection[str]
) -> dict[str, tuple[float, str]]:
    """Values of metrics of a row at its first speed, with their units; NaN of one that it does not have.

    rack_range: m, of the default steer sweep. The numbers are those of the whole row.
    """
    if row.type == HandlingType.YAW_MOMENT and row.radius is None:
        found = asked_of_diagram(car, row, rack_range, metrics)
    elif row.type == HandlingType.LAP and SENSITIVITIES.keys().isdisjoint(metrics):
        found = [*solve_lap_alone(car, row, rack_range).read_offs]
    else:
        found = [*SOLVERS[row.type](car, replace(row, speeds=row.speeds[:1]), rack_range).read_offs]
    values = first_values(found)
    return {name: (values.get(name, nan), METRICS[row.type][name]) for name in metrics}


def first_values(found: Collection[ReadOff]) -> Mapping[str, float]:
    """Values of metrics, each at the first speed at which it has one."""
    return {each.metric: each.value for each in reversed(list(found))}
