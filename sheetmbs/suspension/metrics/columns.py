"""Columns of a sweep: metrics of wheels and axles in the units that they are read in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.elastic.spring_elements import Law
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.metrics.centres import centres, roll_centre
from sheetmbs.suspension.metrics.sweep_column import SweepColumn
from sheetmbs.suspension.metrics.wheel_metrics import DEG, METRICS, MM, SIZE, camber, caster, inclination, steer, toe
from sheetmbs.suspension.metrics.wheel_rates import rate_columns

SWEPT = {"travel": MM, "travel_left": MM, "travel_right": MM, "rack": MM, "roll": DEG, "pitch": DEG}
PER_MM = 1e3


AxleLaws = Mapping[str, Mapping[tuple[str, str], Law]]


def sweep_table(car: CarData, sweep: Sweep, axles: Mapping[str, SweptAxle], laws: AxleLaws) -> Table:
    """The sheet of a sweep: swept quantities, then all metrics of wheels and axles; NaN where a row was not reached."""
    columns = [SweepColumn(name, SWEPT[name], sweep.column(name) / SIZE[SWEPT[name]]) for name in sweep.swept]
    for axle in axles.values():
        found = (*axle_columns(axle), *rate_columns(car, axle, laws[axle.axle.name]))
        columns += [_spread(column, sweep.rows, axle.rows) for column in found]
    values = np.column_stack([column.values for column in columns])
    names, units = tuple(column.name for column in columns), tuple(column.unit for column in columns)
    return Table(f"mbs Sweep {sweep.name}", names, units, values)


def _spread(column: SweepColumn, rows: int, reached: slice) -> SweepColumn:
    values = np.full(rows, np.nan)
    values[reached] = column.values
    return SweepColumn(column.name, column.unit, values)


def axle_columns(swept: SweptAxle) -> Iterator[SweepColumn]:
    """All columns of an axle: its wheels, then what both make."""
    for side in SIDES:
        wheel = swept.wheels[side]
        corner = swept.axle.corner(side)
        for column in (*_metrics(wheel), *_moved(wheel), *_gradients(wheel), *_centres(wheel), *_springs(wheel)):
            yield SweepColumn(f"{corner}.{column.name}", column.unit, column.values)
    for column in (*_roll_centre(swept), *_track(swept)):
        yield SweepColumn(f"{swept.axle.name}.{column.name}", column.unit, column.values)


def _metrics(wheel: Wheel) -> Iterator[SweepColumn]:
    for metric in METRICS:
        found = metric.find(wheel)
        if found is not None:
            yield SweepColumn(metric.name, metric.unit, found.value / SIZE[metric.unit])


def _moved(wheel: Wheel) -> Iterator[SweepColumn]:
    """How far wheel centre and contact have come from design: forward, outboard, up."""
    sign = np.array([1.0, wheel.s, 1.0])
    for name, point, design in (
        ("wheel", wheel.centre.value, wheel.design_centre),
        ("contact", wheel.contact.value, wheel.design_contact),
    ):
        moved = (point - design) * sign / SIZE[MM]
        for k, axis in enumerate("xyz"):
            yield SweepColumn(f"{name}_{axis}", MM, moved[:, k])


def _gradients(wheel: Wheel) -> Iterator[SweepColumn]:
    """Derivatives by travel, rack and roll."""
    for name, of in (("camber", camber), ("toe", toe), ("caster", caster)):
        found: Jet | None = of(wheel)
        if found is None:
            continue
        yield SweepColumn(f"{name}_gradient", "deg/mm", found.first[:, 0] / SIZE[DEG] / PER_MM)
        if name != "caster":
            yield SweepColumn(f"{name}_curvature", "deg/mm^2", found.second[:, 0, 0] / SIZE[DEG] / PER_MM**2)
    slope = wheel.roll_slope
    for name, of in (("roll_camber", inclination), ("roll_steer", steer)):
        turned: Jet = of(wheel)
        yield SweepColumn(name, "deg/deg", turned.first[:, -1] + turned.first[:, 0] * slope)
    if wheel.axle.is_steered:
        yield SweepColumn("steer_ratio", "deg/mm", steer(wheel).first[:, 1] / SIZE[DEG] / PER_MM)


def _centres(wheel: Wheel) -> Iterator[SweepColumn]:
    found = centres(wheel)
    for name in ("contact_dy_dz", "contact_dx_dz", "wheel_dx_dz"):
        yield SweepColumn(name, "mm/mm", getattr(found, name))
    for name in ("fvic_y", "fvic_z", "fvsa", "svic_x", "svic_z", "svsa"):
        yield SweepColumn(name, MM, getattr(found, name) / SIZE[MM])


def _springs(wheel: Wheel) -> Iterator[SweepColumn]:
    length = wheel.damper_length
    if length is None:
        return
    yield SweepColumn("spring_length", MM, length.value / SIZE[MM])
    yield SweepColumn("spring_travel", MM, (wheel.design_damper_length - length.value) / SIZE[MM])
    ratio = -length.first[:, 0]
    yield SweepColumn("motion_ratio", "mm/mm", ratio)
    yield SweepColumn("motion_ratio_contact", "mm/mm", ratio / wheel.contact_velocity[:, 2])
    yield SweepColumn("wheel_per_spring", "mm/mm", _inverse(ratio))
    path = np.linalg.norm(wheel.contact_velocity, axis=1)
    yield SweepColumn("wheel_per_spring_path", "mm/mm", path * _inverse(np.abs(ratio)))
    yield SweepColumn("dmotion_ratio", "1/mm", -length.second[:, 0, 0] / PER_MM)


def _inverse(ratio: Floats) -> Floats:
    return np.where(ratio != 0.0, 1.0 / np.where(ratio, ratio, 1.0), np.nan)


def _roll_centre(swept: SweptAxle) -> Iterator[SweepColumn]:
    found = roll_centre(swept.wheels["left"], swept.wheels["right"])
    yield SweepColumn("roll_centre_height", MM, found.height / SIZE[MM])
    yield SweepColumn("roll_centre_lateral", MM, found.lateral / SIZE[MM])
    yield SweepColumn("jacking_left", "N/N", found.slope_left)
    yield SweepColumn("jacking_right", "N/N", found.slope_right)


def _track(swept: SweptAxle) -> Iterator[SweepColumn]:
    """Distance of the contacts along the road."""
    left, right = (swept.wheels[side] for side in SIDES)
    across = np.stack((np.zeros_like(left.roll), np.cos(left.roll), -np.sin(left.roll)), axis=-1)
    track = np.sum((left.contact.value - right.contact.value) * across, axis=1)
    design = float(left.design_contact[1] - right.design_contact[1])
    yield SweepColumn("track", MM, track / SIZE[MM])
    yield SweepColumn("track_change", MM, (track - design) / SIZE[MM])
