"""What each axle carries unsprung: masses of the workbook's Bodies, and of corners that have none there the setting's."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.model.model import Body, Model
from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.car import SIDES, AxleData, MassPoint
from sheetmbs.suspension.layout.heavy_members import members_of
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE


def unsprung_masses(model: Model, axle: AxleData) -> tuple[MassPoint, ...]:
    """Masses of an axle. model: with the bodies of its heavy members."""
    return tuple(_masses(model, axle))


def wheel_body(axle: AxleData, side: str) -> str:
    """The body of the wheel in the free car. Sweeps have none: what it weighs is then on what carries it."""
    return f"{axle.corner(side)} wheel"


def wheel_mass(model: Model, axle: AxleData, side: str) -> float:
    """What the setting unsprung mass gives a wheel: nothing where Bodies has the mass of the wheel or of what carries it."""
    carriers = {fold(name) for name in (axle.body_name(axle.wheel_carrier, side), wheel_body(axle, side))}
    is_told = any(body.mass is not None for body in model.bodies if fold(body.name) in carriers)
    return 0.0 if is_told else axle.number("unsprung mass") or 0.0


def _masses(model: Model, axle: AxleData) -> Iterator[MassPoint]:
    for side in SIDES:
        own = wheel_mass(model, axle, side)
        if own:
            centre = axle.points[side][WHEEL_CENTRE].position
            yield MassPoint(axle.body_name(axle.wheel_carrier, side), side, centre, own, WHEEL_CENTRE)
    members = {fold(member.body): member for member in members_of(axle)}
    for side in SIDES:
        for body in model.bodies:
            if not body.mass or not _is_of(axle, side, body):
                continue
            name = fold(body.name)
            if name in members:
                yield from members[name].masses(body.mass, body.position)
            elif name == fold(wheel_body(axle, side)):
                centre = axle.points[side][WHEEL_CENTRE].position
                yield MassPoint(axle.body_name(axle.wheel_carrier, side), side, centre, body.mass, WHEEL_CENTRE)
            else:
                yield MassPoint(body.name, side, body.position, body.mass)


def _is_of(axle: AxleData, side: str, body: Body) -> bool:
    owner = fold(body.name.partition(" ")[0])
    return owner == fold(axle.corner(side)) or (side == SIDES[0] and owner == axle.name)
