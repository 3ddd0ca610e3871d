"""From a design and its tyres to the car whose steady states are found, and what drives and brakes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.engine.car_on_tyres import LOCKED, OPEN, TyredCar
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.axle_compliance import tyre_compliance
from sheetmbs.suspension.compliance.compliant_sweeps import elastic_axle
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.handling.elastic_states import ElasticCar
from sheetmbs.suspension.handling.steady_states import RACK, STEER, WHEELS, SteadyCar, Torques, closed_by
from sheetmbs.suspension.handling.yaw_moment import given
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.layout.elastic_steering import steering_parts
from sheetmbs.suspension.layout.mass_data import car_masses, front_share
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.loads.compliant_cases import twisting_stiffness
from sheetmbs.suspension.loads.standing_car import StandingCar

USUAL_AIR = 1.225
"""kg/m^3, of air at 15 deg C at sea level"""
INWARD = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True, eq=False)
class HandlingCar:
    """A car of two axles on tyres. steady: what finds its states. car: its settings. tyres: those that it stands on."""

    car: CarData
    steady: SteadyCar
    tyres: CarTyres
    remade: Callable[[CarData, CarTyres], HandlingCar | None] | None = None
    """the same mechanism with other settings and tyres"""

    @cached_property
    def steer_ratio(self) -> float:
        """Mean steer angle of the steered wheels per rack travel at design, rad/m, of the linkage itself."""
        linkage = SteadyCar(self.steady.standing, self.steady.kernel)
        start = linkage.at_design(1, REFERENCE_SPEED)
        found = linkage.solve(start, self.torques(1), closed_by(1, given(0.0, 0.0, REFERENCE_SPEED)), most=1)
        return float(found.matrix[0, STEER, RACK])

    @cached_property
    def wheelbase(self) -> float:
        """Distance of both axles at design, m."""
        return float(self.car.number("wheelbase") or 0.0)

    @cached_property
    def power(self) -> float:
        """Power of the drive, W; inf where nothing limits it."""
        found = self.car.number("drive power")
        return float("inf") if found is None else found

    @cached_property
    def by_wheel(self) -> AxleData | None:
        """The axle that the steering wheel steers; None where rack per turn is not given."""
        steered = (axle for axle in self.car.axles if axle.is_steered and axle.number("rack per turn"))
        return next(steered, None)

    def wheel_gain(self, rack: Floats) -> Floats:
        """(n,) torque on the steering wheel per force on the rack through the shafts, m; NaN without rack per turn.

        rack: (n,) travels of the rack, m.
        """
        axle = self.by_wheel
        if axle is None:
            return np.full(len(rack), np.nan)
        gain = axle.rack_rate(rack)
        return gain if axle.column is None else gain / axle.column.efficiency

    @cached_property
    def drive_shares(self) -> Floats:
        """(4,) of the driving torque, by wheel."""
        rear = self.car.number("drive rear")
        return _shared(0.0 if rear is None else 1.0 - rear)

    @cached_property
    def brake_shares(self) -> Floats:
        """(4,) of the braking torque, by wheel."""
        front = self.car.number("brake front")
        return _shared(1.0 if front is None else front)

    def torques(self, count: int, *, by_brakes: bool = False, drive: float = 0.0, brake: float = 0.0) -> Torques:
        """What drives and brakes n states.

        by_brakes: whether the effort is that of the brakes. drive, brake: N on top of it, which stay.
        """
        radius = float(np.mean(self.steady.kernel.parts.radius))
        nothing = np.zeros((count, WHEELS))
        effort = np.tile(self.brake_shares if by_brakes else self.drive_shares, (count, 1))
        driven = np.tile(self.drive_shares * radius * drive, (count, 1))
        braked = np.tile(-self.brake_shares * radius * brake, (count, 1))
        words = [axle.word("differential") if self._is_driven(axle) else "" for axle in self.car.axles]
        modes = np.array([LOCKED if word == "locked" else OPEN for word in words], dtype=np.int64)
        return Torques(
            drive=nothing if by_brakes else effort,
            brake=effort if by_brakes else nothing,
            driven=driven,
            braked=braked,
            downforce=np.zeros((count, len(modes))),
            differential=np.tile(modes, (count, 1)),
            limited=np.array([word == "limited" for word in words]),
        )

    def _is_driven(self, axle: AxleData) -> bool:
        first = 0 if axle.name == "front" else 2
        return bool(self.drive_shares[first] > 0.0)


REFERENCE_SPEED = 10.0
"""m/s, at which the steer ratio is read, on which it does not depend"""


def _shared(front: float) -> Floats:
    return 0.5 * np.array([front, front, 1.0 - front, 1.0 - front])


def handling_car(
    car: CarData, systems: Mapping[str, AxleSystem], laws: Mapping[str, AxleLaws], tyres: CarTyres
) -> HandlingCar | None:
    """A car of two axles with tyres, springs and masses; None where it lacks something of that.

    Elastic parts count where it has any. Raises WorkbookError where they leave an axle free to move.
    """
    masses = car_masses(car)
    is_whole = len(car.axles) > 1 and all(axle.is_sprung for axle in car.axles)
    if masses is None or not is_whole or not tyres.fitted:
        return None
    standing = StandingCar(car, systems, laws, masses, with_rack=True)
    wheels = [(axle, side) for axle in car.axles for side in SIDES]
    mounted = [tyres.of_axle(axle.name) for axle, _side in wheels]
    ground = {name: place[2] for name, place in masses.downforce.items()}
    at = [np.array([_centre(axle)[0], 0.0, 0.0]) + masses.shift[axle.name] for axle in car.axles]
    for place, level in zip(at, ground.values(), strict=True):
        place[2] = level
    parts = replace(standing.parts, downforce_at=np.array(at))
    air = car.number("air density")
    pressing = 0.5 * (USUAL_AIR if air is None else air)
    height = car.number("drag height")
    kernel = TyredCar(
        parts=parts,
        front_left=mounted[0].kernel,
        front_right=mounted[1].kernel,
        rear_left=mounted[2].kernel,
        rear_right=mounted[3].kernel,
        side=np.array([tyre.side_factor(side) for tyre, (_axle, side) in zip(mounted, wheels, strict=True)]),
        pressure=np.array([tyre.pressure for tyre in mounted]),
        steered=np.array([float(axle.name == "front") for axle, _side in wheels]),
        heading=np.array([INWARD[side] * -(axle.number("toe") or 0.0) for axle, side in wheels]),
        brake_held=np.array([float(axle.word("brakes") != "inboard") for axle, _side in wheels]),
        drive_held=np.array([float(axle.word("drive") == "outboard" or axle.type.is_beam) for axle, _side in wheels]),
        carcass=np.concatenate([tyre_compliance(axle) for axle in car.axles]),
        lift=np.array([pressing * _downforce_area(axle) for axle in car.axles]),
        drag=pressing * (car.number("drag area") or 0.0),
        drag_height=masses.height if height is None else height,
        bias=np.array([axle.number("differential bias") or 1.0 for axle in car.axles]),
        gravity=car.gravity,
    )
    elastic = {name: _with_steering(system, car) for name, system in systems.items()}
    if not any(system.axle.elastic for system in elastic.values()):
        return HandlingCar(car, SteadyCar(standing, kernel), tyres)
    axles = {name: elastic_axle(car, at_design(system), laws[name]) for name, system in elastic.items()}
    ahead = front_share(car)
    torsion = twisting_stiffness(standing)
    return HandlingCar(car, ElasticCar(standing, kernel, axles, torsion, 0.5 if ahead is None else ahead), tyres)


def _with_steering(system: AxleSystem, car: CarData) -> AxleSystem:
    """An axle whose column and rack give way as Steering and Suspension say, where it has no sheet Compliance."""
    if any(axle.elastic for axle in car.axles):
        return system
    parts = tuple(steering_parts(system.axle, (), car.settings.get("steering stiffness")))
    return replace(system, axle=replace(system.axle, elastic=parts)) if parts else system


def at_design(system: AxleSystem) -> SweptAxle:
    """An axle at its design pose."""
    wheels, rows = system.wheels(system.design_placing)
    return SweptAxle(system, wheels, rows, system.design_placing)


def _centre(axle: AxleData) -> Floats:
    drawn = axle.as_drawn
    return np.asarray(0.5 * sum(drawn.points[side][WHEEL_CENTRE].position for side in SIDES))


def _downforce_area(axle: AxleData) -> float:
    """-Cz A of an axle, m^2, + down."""
    lift = axle.number("lift area")
    return -lift if lift is not None else axle.number("downforce area") or 0.0
