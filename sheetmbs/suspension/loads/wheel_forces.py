"""How the forces in the road plane are shared between the wheels of a case, and where they act."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.suspension_inputs import Guide
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import GRAVITY, axle_weight, total_mass

SOLID = Guide.SOLID_AXLE


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
    weight = (total_mass(car) or 0.0) * GRAVITY
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
    return axle.word("drive") != "outboard" and axle.type.name != SOLID
