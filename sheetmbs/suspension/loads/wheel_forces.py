"""How forces are shared between the wheels of a case: in the plane of the road, and to the outer wheels by the linear method.

The linear method is virtual work in the roll motion at design, whose formulas stand in `elastic/linear_roll.py`. y counts in
the road: a point of the body at the height z over it moves by -z per roll, one of a wheel by what its travel adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.elastic.linear_roll import RollingAxle, SprungMass, roll_angle
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import CarMasses, axle_weight, total_mass
from sheetmbs.suspension.loads.standing_car import AxleState


@dataclass(frozen=True, eq=False)
class PlaneForces:
    """Forces in the road plane and moments on the wheels of an axle in n cases; NaN in ``given`` where a case leaves them open.

    along, side: (n,) N of the axle. split_along, split_side: (n,) bool, whether in proportion to vertical loads, or equal.
    given: (n, 2, 6) of left and right wheel. passes: (n, 2) whether torque about the spin axis passes the upright by.
    """

    along: Floats
    side: Floats
    split_along: Floats
    split_side: Floats
    given: Floats
    passes: Floats

    def shared(self, load: Floats) -> tuple[Floats, Floats]:
        """Longitudinal and side force of both wheels (.., n, 2) under vertical loads (.., n, 2)."""
        total = np.sum(load, axis=-1, keepdims=True)
        share = np.where(total == 0.0, 0.5, load / np.where(total == 0.0, 1.0, total))
        found = []
        for number, (whole, by_load) in enumerate(((self.along, self.split_along), (self.side, self.split_side))):
            shared = whole[:, None] * np.where(by_load[:, None], share, 0.5)
            given = self.given[:, :, number]
            found.append(np.where(np.isnan(given), shared, given))
        return found[0], found[1]

    def at(self, rows: Ints) -> PlaneForces:
        """Some of the cases."""
        return PlaneForces(*(values[rows] for values in vars(self).values()))

    def times(self, share: float) -> PlaneForces:
        """A share of the forces."""
        return replace(self, along=share * self.along, side=share * self.side, given=share * self.given)


def plane_forces(car: CarData, axle: AxleData, cases: list[LoadCase]) -> PlaneForces:
    """The forces on an axle, each case's."""
    weight = (total_mass(car) or 0.0) * car.gravity
    carried = axle_weight(car, axle) or 0.0
    corners = [axle.corner(side) for side in SIDES]
    given = np.array(
        [
            [[_or_nan(case.force(corner, name)) for name in ("fx", "fy", "fz", "mx", "my", "mz")] for corner in corners]
            for case in cases
        ]
    ).reshape(len(cases), 2, 6)
    return PlaneForces(
        along=np.array([weight * case.ax * _along_share(car, axle, case) for case in cases]),
        side=np.array([carried * case.ay for case in cases]),
        split_along=np.array([case.longitudinal_split == "fz" for case in cases]),
        split_side=np.array([case.lateral_split == "fz" for case in cases]),
        given=given,
        passes=np.array([[_passes(axle, case)] * 2 for case in cases]),
    )


def _or_nan(value: float | None) -> float:
    return float("nan") if value is None else value


def _along_share(car: CarData, axle: AxleData, case: LoadCase) -> float:
    """Of the longitudinal force, on an axle."""
    if case.maker_of_force() == "brakes":
        front = car.number("brake front")
        front = 1.0 if front is None else front
    else:
        rear = car.number("drive rear")
        front = 1.0 - (1.0 if rear is None else rear)
    return front if axle.name == "front" else 1.0 - front


def _passes(axle: AxleData, case: LoadCase) -> bool:
    """Whether the torque about the spin axis reaches the chassis past the links: by inboard brakes, or by halfshafts."""
    if case.maker_of_force() == "brakes":
        return axle.word("brakes") == "inboard"
    return axle.word("drive") != "outboard" and not axle.type.is_beam


@dataclass(frozen=True)
class LinearAxle:
    """An axle in roll at design. track: m. stiffness: K, N m/rad. scrub: mean of dy_C/droll of its contacts, m/rad.

    unsprung: sum of m_u (z_u + dy_u/droll), kg m. drift: sum of m_u dy_u/droll, kg m. centre: height of the roll centre, m.
    x: of its contacts, m.
    """

    track: float
    stiffness: float
    scrub: float
    unsprung: float
    drift: float
    centre: float
    x: float


def linear_axle(state: AxleState, masses: CarMasses) -> LinearAxle:
    """What an axle at its design pose, the only one of the state, does in roll."""
    swept = state.swept
    slopes = swept.roll_slopes[0]
    contacts = {side: swept.wheels[side].contact.value[0] for side in SIDES}
    level = 0.5 * float(sum(contact[2] for contact in contacts.values()))
    scrubs, jacking = [], []
    for number, side in enumerate(SIDES):
        wheel, motion = swept.wheels[side], state.wheels[side]
        arm = contacts[side] - wheel.centre.value[0]
        moved = motion.centre.first[0] + cross(motion.turning[0], arm)
        scrubs.append(float(slopes @ moved[:, 1]) - (contacts[side][2] - level))
        jacking.append(moved[number, 1] / moved[number, 2])
    drift = unsprung = 0.0
    for mass, place in state.masses:
        height = place.value[0, 2] - level
        moved_in_body = float(slopes @ place.first[0, :, 1])
        drift += mass * (moved_in_body - height)
        unsprung += mass * moved_in_body
    track = float(contacts["left"][1] - contacts["right"][1])
    apart = jacking[0] - jacking[1]
    lateral = (jacking[0] * contacts["left"][1] - jacking[1] * contacts["right"][1]) / apart if apart else 0.0
    centre = jacking[0] * (contacts["left"][1] - lateral)
    stiffness = float(slopes @ state.stiffness[0] @ slopes)
    x = float(contacts["left"][0] + masses.shift[swept.axle.name][0])
    return LinearAxle(track, stiffness, float(np.mean(scrubs)), unsprung, drift, centre, x)


def linear_transfer(
    rolls: Mapping[str, LinearAxle], masses: CarMasses, side: Mapping[str, Floats], ay: Floats, gravity: Floats
) -> dict[str, Floats]:
    """(n,) N by axle, from the left to the right wheel.

    side: (n,) side force by axle, N. ay: (n,) m/s^2. gravity: (n,) what stands for it, m/s^2.
    """
    sprung = masses.sprung_point
    names = list(rolls)
    front, rear = (rolls[name] for name in names)
    share = (sprung[0] - rear.x) / (front.x - rear.x)
    ground = share * masses.downforce[names[0]][2] + (1.0 - share) * masses.downforce[names[1]][2]
    axles = {
        name: RollingAxle(each.stiffness, side[name] * each.scrub, each.drift, each.unsprung, each.centre, each.track)
        for name, each in rolls.items()
    }
    carried = SprungMass(masses.sprung_mass, sprung[2] - ground, share)
    roll = roll_angle(axles[names[0]], axles[names[1]], carried, ay, gravity)
    return {name: axle.moved(roll, ay) for name, axle in axles.items()}


def limited(load: Floats, moved: Floats, tracks: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Loads after what goes over, and which wheels are off the road. load: (n, axles) of each; moved: (n, axles) to the right.

    An axle gives at most half its load; the rest of the moment goes to the other axle. Returns (n, 2 axles) and the same.
    """
    half = 0.5 * load
    moved = moved.copy()
    for axle, other in ((0, 1), (1, 0)):
        most = np.clip(moved[:, axle], -half[:, axle], half[:, axle])
        moved[:, other] += (moved[:, axle] - most) * tracks[axle] / tracks[other]
        moved[:, axle] = most
    loads = np.stack((half - moved, half + moved), axis=-1).reshape(len(load), -1)
    return loads, loads <= 0.0
