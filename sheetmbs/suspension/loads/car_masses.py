"""The masses of a car: what each corner carries unsprung, and the rest of it, which is sprung."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, MassPoint, Vector
from sheetmbs.suspension.layout.mass_data import front_share, total_mass
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE


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
