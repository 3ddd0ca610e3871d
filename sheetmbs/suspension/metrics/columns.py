"""Columns of a sweep: every declared metric of its wheels, axles and car, in the units that they are read in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, TypeVar

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, joined_sweeps
from sheetmbs.suspension.layout.car import CarData, ResultUnits
from sheetmbs.suspension.metrics.all_metrics import (
    AXLE_IN_CAR_METRICS,
    AXLE_METRICS,
    CAR_METRICS,
    CORNER_METRICS,
    ELEMENT_METRICS,
    SHARE_METRICS,
)
from sheetmbs.suspension.metrics.car_contexts import AxleInCar, CarPoses
from sheetmbs.suspension.metrics.metric import (
    DEG,
    MM,
    AxlePoses,
    CornerPoses,
    ElementGroup,
    ElementPoses,
    Found,
    Metric,
    size,
    values,
)


class SweepColumn(NamedTuple):
    """A column over the rows that were reached. unit: in which it is shown. values: SI."""

    name: str
    unit: str
    values: Floats


SWEPT = {
    "travel": MM,
    "travel_left": MM,
    "travel_right": MM,
    "damper_left": MM,
    "damper_right": MM,
    "rack": MM,
    "roll": DEG,
    "pitch": DEG,
    "lateral_force": "N",
    "longitudinal_force": "N",
    "aligning_torque": "N*m",
}

Context = TypeVar("Context")


def sweep_tables(
    car: CarData,
    plans: Mapping[str, Sweep],
    swept: Mapping[str, Mapping[str, SweptAxle]],
    laws: Mapping[str, AxleLaws],
    wanted: Collection[str] = (),
) -> dict[str, Table]:
    """The sheet of each sweep: swept quantities, then all metrics; NaN where a row was not reached or there is no such value.

    Sweeps of the same axles go through the formulas together, as one long sweep, where all or none are in equilibrium.
    wanted: names of columns; () all.
    """
    alike: dict[tuple[tuple[str, ...], tuple[bool | None, ...]], list[str]] = {}
    for name, axles in swept.items():
        told = tuple(None if axle.elastic is None else axle.elastic.tells_compliance for axle in axles.values())
        alike.setdefault((tuple(axles), told), []).append(name)
    tables = {}
    for (axles_moved, _told), names in alike.items():
        first = np.cumsum([0, *(plans[name].rows for name in names)])
        rows = {axle: [swept[name][axle] for name in names] for axle in axles_moved}
        reached = {
            axle: np.concatenate(
                [
                    np.arange(plans[name].rows)[swept[name][axle].rows] + at
                    for name, at in zip(names, first, strict=False)
                ]
            )
            for axle in axles_moved
        }
        poses = {axle: AxlePoses(car, joined_sweeps(each), laws[axle]) for axle, each in rows.items()}
        found = list(metric_columns(CarPoses(car, int(first[-1]), poses, reached), wanted))
        values = _in_units(found, int(first[-1]), car.units)
        for name, begin, end in zip(names, first, first[1:], strict=False):
            tables[name] = _table(car, plans[name], found, values[begin:end])
    return {name: tables[name] for name in swept}


KINEMATIC = "_kinematic"
"""behind the name of a column of a rigid linkage, beside that of one with elastic parts"""


def with_kinematic(table: Table, rigid: Table, wanted: Collection[str] = ()) -> Table:
    """The sheet of a sweep with elastic parts, each column that differs without them beside its own. wanted: names; () all."""
    own = {name: column for column, name in enumerate(rigid.columns)}
    columns, units, values = [], [], []
    for at, name in enumerate(table.columns):
        columns.append(name)
        units.append(table.units[at])
        values.append(table.values[:, at])
        beside = f"{name}{KINEMATIC}"
        if at >= _swept_columns(table) and name in own and (not wanted or beside in wanted):
            columns.append(beside)
            units.append(rigid.units[own[name]])
            values.append(rigid.values[:, own[name]])
    return Table(table.name, tuple(columns), tuple(units), np.column_stack(values))


def _swept_columns(table: Table) -> int:
    """How many columns say what is swept: metrics of wheels, axles and the car stand behind them."""
    return sum(name in SWEPT for name in table.columns)


def _table(car: CarData, sweep: Sweep, found: list[SweepColumn], values: Floats) -> Table:
    """values: (rows, columns) those of the columns at the rows of the sweep, in the units of results."""
    own = [SweepColumn(name, SWEPT[name], sweep.column(name)) for name in sweep.swept]
    columns = (*own, *found)
    return Table(
        f"mbs Sweep {sweep.name}",
        tuple(column.name for column in columns),
        tuple(car.units.of(column.unit) for column in columns),
        np.concatenate((_in_units(own, len(values), car.units), values), axis=1),
    )


def _side_by_side(columns: list[SweepColumn], rows: int) -> Floats:
    """(rows, columns), of which there may be none, each in its unit."""
    si = np.array([column.values for column in columns], dtype=np.float64).reshape(len(columns), rows).T
    return np.asarray(si / np.array([size(column.unit) for column in columns]))


def _in_units(columns: list[SweepColumn], rows: int, units: ResultUnits) -> Floats:
    """(rows, columns) in the units of results."""
    shown = [units.of(column.unit) for column in columns]
    factors = [size(column.unit) / size(unit) for column, unit in zip(columns, shown, strict=True)]
    return np.asarray(_side_by_side(columns, rows) * np.array(factors))


def metric_columns(poses: CarPoses, wanted: Collection[str] = ()) -> Iterator[SweepColumn]:
    """The metrics of a car over all rows of a sweep, with the names of their corners and axles before them.

    wanted: names of columns; () all.
    """
    for share in poses.shares:
        yield from _of_axle(poses, share, wanted)
    yield from _found(CAR_METRICS, poses, "", wanted=wanted)


MetricsFound = tuple[tuple[str, ...], tuple[str, ...], Floats]
"""names and units of metrics, and their values (n, metrics) in these units"""


def metrics_over_poses(car: CarData, swept: SweptAxle, laws: AxleLaws, wanted: Collection[str] = ()) -> MetricsFound:
    """The metrics of one axle over its poses. wanted: names of columns; () all."""
    axle, count = swept.axle.name, len(swept.placing.rack)
    poses = CarPoses(car, count, {axle: AxlePoses(car, swept, laws)}, {axle: np.arange(count)})
    found = list(metric_columns(poses, wanted))
    values = _side_by_side(found, count)
    return tuple(each.name for each in found), tuple(each.unit for each in found), values


def _of_axle(poses: CarPoses, share: AxleInCar, wanted: Collection[str]) -> Iterator[SweepColumn]:
    axle, name = share.poses, share.name
    reached: list[SweepColumn] = []
    for corner in axle.corners:
        reached += _found(CORNER_METRICS, corner, f"{corner.name}.", wanted=wanted)
        reached += _reported(corner, wanted)
    reached += _found(AXLE_METRICS, axle, f"{name}.", wanted=wanted)
    names_elements = not wanted or any(f".{row.name}" in each for row in axle.axle.springs for each in wanted)
    for element in axle.elements if names_elements else ():
        part = ElementPoses(axle, element)
        reached += _found(ELEMENT_METRICS, part, f"{part.owner}.", element.name, wanted=wanted)
    for element_name in dict.fromkeys(each.name for each in axle.elements) if names_elements else ():
        group = ElementGroup(axle, element_name)
        reached += _found(SHARE_METRICS, group, f"{name}.", element_name, wanted=wanted)
    if len(poses.reached[name]) == poses.rows:
        yield from reached
    else:
        yield from (column._replace(values=poses.spread(name, column.values)) for column in reached)
    yield from _found(AXLE_IN_CAR_METRICS, share, f"{name}.", wanted=wanted)


def _reported(corner: CornerPoses, wanted: Collection[str]) -> Iterator[SweepColumn]:
    """Where the points stand that are to be reported, in axes of ISO 8855 on the body."""
    for name, point in corner.axle.points[corner.side].items():
        if point.is_reported:
            place = corner.wheel.hardpoint(name).value
            for k, axis in enumerate("xyz"):
                column = f"{corner.name}.{name}.{axis}"
                if not wanted or column in wanted:
                    yield SweepColumn(column, MM, place[:, k])


def _found(
    metrics: tuple[Metric[Context], ...],
    of: Context,
    prefix: str,
    element: str = "",
    *,
    wanted: Collection[str] = (),
) -> Iterator[SweepColumn]:
    for metric in metrics:
        name = prefix + (metric.name.format(element) if element else metric.name)
        if wanted and name not in wanted:
            continue
        found: Found = metric.find(of)
        if found is not None:
            yield SweepColumn(name, metric.unit, values(found))
