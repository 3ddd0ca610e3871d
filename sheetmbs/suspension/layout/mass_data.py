"""Masses of a car: what its settings say of the whole, what each axle carries unsprung, and the sprung rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.model.model import Body, Model
from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, MassPoint, Vector
from sheetmbs.suspension.layout.heavy_members import members_of
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE


def corner_load(car: CarData, axle: AxleData) -> float | None:
    """Vertical contact load of one wheel at design, N; None where nothing tells it."""
    given = axle.number("corner load")
    if given is not None:
        return given
    mass, front = car.number("mass"), car.number("weight front")
    if mass is None or front is None:
        return None
    share = front if axle.name == "front" else 1.0 - front
    return 0.5 * mass * car.gravity * share


def total_mass(car: CarData) -> float | None:
    """Mass of the car with its wheels, kg."""
    given, loads = car.number("mass"), _axle_loads(car)
    return given if given is not None or loads is None else sum(loads) / car.gravity


def front_share(car: CarData) -> float | None:
    """Share of the weight on the front axle."""
    given, loads = car.number("weight front"), _axle_loads(car)
    return given if given is not None or loads is None else loads[0] / sum(loads)


def _axle_loads(car: CarData) -> tuple[float, float] | None:
    """Loads of both axles at design from their corner loads alone, N."""
    loads = [axle.number("corner load") for axle in car.axles]
    if len(loads) < 2 or loads[0] is None or loads[1] is None or loads[0] + loads[1] <= 0.0:
        return None
    return 2.0 * loads[0], 2.0 * loads[1]


def axle_weight(car: CarData, axle: AxleData) -> float | None:
    """What an axle carries at design, N: its share of the mass of the car, or of an axle alone its corner loads."""
    mass, front = total_mass(car), front_share(car)
    if mass is None or front is None:
        alone = axle.number("corner load")
        return None if alone is None else 2.0 * alone
    return mass * car.gravity * (front if axle.name == "front" else 1.0 - front)


def missing_for_loads(car: CarData, *, along: bool) -> list[str]:
    """Settings without which wheel loads do not follow from accelerations. along: the car brakes or drives."""
    is_whole = len(car.axles) > 1
    is_told = not is_whole and not along and axle_weight(car, car.axles[0]) is not None
    wanted = {
        "mass": not is_told and total_mass(car) is None,
        "weight front": not is_told and front_share(car) is None,
        "cg height": (is_whole or along) and car.number("cg height") is None,
        "wheelbase": (is_whole or along) and car.number("wheelbase") is None,
    }
    return [name for name, is_missing in wanted.items() if is_missing]


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


@dataclass(frozen=True)
class CarMasses:
    """A car on its road at design.

    unsprung: masses of each axle. shift: (3,) by axle, from the axes of its hardpoints to those of the car: the rear axle
    stands the wheelbase behind the front one, whatever the origin of its list is. sprung: mass and (3,) place of the rest.
    gravity_point: (3,) of the whole car. height: of that above the road. downforce: (3,) by axle, where it acts.
    """

    mass: float
    unsprung: Mapping[str, tuple[MassPoint, ...]]
    shift: Mapping[str, Vector]
    gravity_point: Vector
    height: float
    sprung_mass: float
    sprung_point: Vector
    downforce: Mapping[str, Vector]


def car_masses(car: CarData) -> CarMasses | None:
    """Masses of a car; of one axle only what is unsprung. None where the settings of a car of two axles do not tell them."""
    unsprung = {axle.name: axle.masses for axle in car.axles}
    if len(car.axles) == 1:
        name, nothing = car.axles[0].name, np.zeros(3)
        return CarMasses(0.0, unsprung, {name: nothing}, nothing, 0.0, 0.0, nothing, {name: _contact(car.axles[0])})
    mass, share = total_mass(car), front_share(car)
    height, wheelbase = car.number("cg height"), car.number("wheelbase")
    if mass is None or share is None or height is None or wheelbase is None:
        return None
    front, rear = car.axles
    between = _middle(front)[0] - _middle(rear)[0]
    shift = {front.name: np.zeros(3), rear.name: np.array([between - wheelbase, 0.0, 0.0])}
    ground = {axle.name: _contact(axle) + shift[axle.name] for axle in car.axles}
    along = ground[front.name] - ground[rear.name]
    up = np.array([-along[2], 0.0, along[0]]) / np.hypot(along[0], along[2])
    place = share * ground[front.name] + (1.0 - share) * ground[rear.name] + height * up
    parts = [(point.mass, point.at + shift[name]) for name, points in unsprung.items() for point in points]
    sprung = mass - sum(each for each, _at in parts)
    moment = mass * place - sum((each * at for each, at in parts), np.zeros(3))
    return CarMasses(mass, unsprung, shift, place, height, sprung, moment / sprung, ground)


def _middle(axle: AxleData) -> Vector:
    """Between the wheel centres at design."""
    return np.asarray(0.5 * sum(axle.as_drawn.points[side][WHEEL_CENTRE].position for side in SIDES))


def _contact(axle: AxleData) -> Vector:
    """Between the contacts at design."""
    drawn = axle.as_drawn
    return np.asarray(0.5 * (drawn.design_contact("left") + drawn.design_contact("right")))
