"""Rows that the free car alone has: wheels on bearings that a brake holds, and tyres as springs."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.elements.forces.bushing_force import BUSHING
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.model.model import Model
from sheetmbs.suspension.generated.generate import GeneratedRow, Value, point_name
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.layout.unsprung_masses import wheel_mass


def standing_rows(car: CarData, axle: AxleData, model: Model) -> Iterator[GeneratedRow]:
    """Rows of an axle that stand. model: of its sweeps, with the masses of the workbook's own Bodies."""
    yield from _wheels(axle, model)
    yield from _tyres(car, axle)


def _wheels(axle: AxleData, model: Model) -> Iterator[GeneratedRow]:
    """Wheels with the unsprung mass, as discs, on bearings that the brake holds."""
    radius = axle.number("tyre radius") or 0.0
    for side in SIDES:
        mass = wheel_mass(model, axle, side)
        centre, spin = axle.points[side][WHEEL_CENTRE], axle.spin_axis(side)
        corner = axle.corner(side)
        disc = 0.25 * mass * radius**2
        at = dict(zip("xyz", map(float, centre.position), strict=True))
        values: dict[str, Value] = {**at, "mass": mass, "ixx": disc, "iyy": 2.0 * disc, "izz": disc}
        yield GeneratedRow("Bodies", f"{corner} wheel", values, centre.cell)
        bearing: dict[str, Value] = {
            "type": REVOLUTE.name,
            "body_i": axle.body_name(axle.wheel_carrier, side),
            "body_j": f"{corner} wheel",
            "point": point_name(axle, side, WHEEL_CENTRE),
            **dict(zip(("axis_x", "axis_y", "axis_z"), map(float, spin), strict=True)),
        }
        yield GeneratedRow("Joints", f"{corner} wheel bearing", bearing, centre.cell)
        brake: dict[str, Value] = {"joint": f"{corner} wheel bearing", "coordinate": "angle", "position": 0.0}
        yield GeneratedRow("Drivers", f"{corner} brake", brake, centre.cell)


def _tyres(car: CarData, axle: AxleData) -> Iterator[GeneratedRow]:
    """Tyres as springs at the contacts at design, with the load that they carry there."""
    rate, load = axle.number("tyre rate") or 0.0, corner_load(car, axle) or 0.0
    for side in SIDES:
        corner, cell = axle.corner(side), axle.points[side][WHEEL_CENTRE].cell
        contact = dict(zip("xyz", map(float, axle.design_contact(side)), strict=True))
        carrier = axle.body_name(axle.wheel_carrier, side)
        point: dict[str, Value] = {"body": carrier, **contact, "frame": "global"}
        yield GeneratedRow("Points", f"{corner} contact", point, cell)
        tyre: dict[str, Value] = {
            "type": BUSHING.name,
            "body_i": "ground",
            "body_j": carrier,
            "point": f"{corner} contact",
        }
        yield GeneratedRow("Springs", f"{corner} tyre", {**tyre, **dict.fromkeys(("kx", "ky", "kz"), rate)}, cell)
        force: dict[str, Value] = {"body": carrier, "point": f"{corner} contact", "fz": load}
        yield GeneratedRow("Forces", f"{corner} tyre load", force, cell)
