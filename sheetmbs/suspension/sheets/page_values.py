"""What the page shows of a car at design besides metrics: what its wheels and springs carry, and how long springs are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isfinite

from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import CurveLaw
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.metrics.metric import DEG, MM, NEWTON, size
from sheetmbs.suspension.sheets.design_values import DesignValues
from sheetmbs.suspension.sheets.set_up_values import CAR, SetUp
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose

FORCE_CURVE = "curve_k"
STANDING = ("bump clearance", "rebound clearance", "cross weight", "rake")
"""items of the sheet mbs Setup that the page shows too"""


def standing_values(values: DesignValues, standing: SetUp) -> DesignValues:
    """The values of a design with those of the car as it stands."""
    found = dict(values.found)
    for item in STANDING:
        row, name = standing.rows.get(item), item.replace(" ", "_")
        if row is None:
            continue
        for column, value in row.values.items():
            found[name if column == CAR else f"{column}.{name}"] = value, row.unit
    return replace(values, found=found)


def page_values(design: SolvedDesign, known: Mapping[str, tuple[float, str]]) -> dict[str, tuple[float, str]]:
    """Values and units by column. known: the metrics at the design pose. The spring of a wheel is the first of its axle."""
    units = design.car.units
    found: dict[str, tuple[float, str]] = {}
    for axle in design.car.axles:
        for column, value, unit in (*_of_wheels(design, axle), *_of_springs(axle, known)):
            shown = units.of(unit)
            if isfinite(value):
                found[column] = value / size(shown), shown
        toes = [known.get(f"{axle.corner(side)}.toe", (float("nan"), DEG)) for side in SIDES]
        found[f"{axle.name}.total_toe"] = sum(value for value, _unit in toes), toes[0][1]
    return found


def _of_wheels(design: SolvedDesign, axle: AxleData) -> Iterator[tuple[str, float, str]]:
    """SI: how much a wheel carries, and where the road is under it in the axes of ISO 8855."""
    load = corner_load(design.car, axle)
    wheels = design_pose(design.systems[axle.name]).wheels
    for side in SIDES:
        if load is not None:
            yield f"{axle.corner(side)}.wheel_load", load, NEWTON
        yield f"{axle.corner(side)}.road_height", float(wheels[side].contact.value[0, 2]), MM


def _of_springs(axle: AxleData, known: Mapping[str, tuple[float, str]]) -> Iterator[tuple[str, float, str]]:
    """SI: the force of the spring of each wheel, and its length without force."""
    row = next((each for each in axle.springs if each.kind == SpringKind.SPRING), None)
    for side in SIDES:
        own = None if row is None else axle.spring_row(row, "", side)
        corner = axle.corner(side)
        force, length = (
            known.get(f"{corner}.{name}") for name in (f"{row.name if row else ''}_force", "spring_length")
        )
        if own is None or force is None:
            continue
        newtons = force[0] * size(force[1])
        yield f"{corner}.spring_force", newtons, NEWTON
        if length is not None:
            yield f"{corner}.free_length", _free_length(own, newtons, length[0] * size(length[1]), axle, side), MM


def _free_length(row: SpringElement, force: float, length: float, axle: AxleData, side: str) -> float:
    """Of a spring that exerts a force at a length, m: as given, or what its law says; NaN where no length has no force."""
    given, k = row.number("free_length"), row.number("k")
    if given is not None:
        return given
    if FORCE_CURVE in row.curves:
        compressed = CurveLaw(row.curves[FORCE_CURVE]).where(force) if isfinite(force) else force
    else:
        compressed = force / k if k else float("nan")
    return length + compressed - axle.perches.get(side, 0.0)
