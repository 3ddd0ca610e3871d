"""Columns of a sweep: every declared metric of its wheels, axles and car, in the units that they are read in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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
    """A column over the rows that were reached, in its unit."""

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

    Sweeps of the same axles go through the formulas together, as one long sweep. wanted: names of columns; () all.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, axles in swept.items():
        alike.setdefault(tuple(axles), []).append(name)
    tables = {}
    for axles_moved, names in alike.items():
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
        found = metric_columns(CarPoses(car, int(first[-1]), poses, reached), wanted)
        columns = _in_units(found, car.units)
        values = _side_by_side(columns)
        for name, begin, end in zip(names, first, first[1:], strict=False):
            tables[name] = _table(car, plans[name], columns, values[begin:end])
    return {name: tables[name] for name in swept}


def _table(car: CarData, sweep: Sweep, found: list[SweepColumn], values: Floats) -> Table:
    """values: (rows, columns) those of the columns at the rows of the sweep."""
    swept = (SweepColumn(name, SWEPT[name], sweep.column(name) / size(SWEPT[name])) for name in sweep.swept)
    own = _in_units(swept, car.units)
    names, units = (tuple(getattr(column, what) for column in (*own, *found)) for what in ("name", "unit"))
    return Table(f"mbs Sweep {sweep.name}", names, units, np.concatenate((_side_by_side(own), values), axis=1))


def _side_by_side(columns: list[SweepColumn]) -> Floats:
    """(rows, columns)."""
    return np.array([column.values for column in columns]).T


def _in_units(columns: Iterable[SweepColumn], units: ResultUnits) -> list[SweepColumn]:
    """Columns in the units of results."""
    shown: dict[str, str] = {}
    found = []
    for column in columns:
        unit = shown.get(column.unit) or shown.setdefault(column.unit, units.of(column.unit))
        values = column.values if unit == column.unit else column.values * (size(column.unit) / size(unit))
        found.append(SweepColumn(column.name, unit, values))
    return found


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
    values = _side_by_side(found)
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
                    yield SweepColumn(column, MM, place[:, k] / size(MM))


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
            yield SweepColumn(name, metric.unit, values(found) / size(metric.unit))
