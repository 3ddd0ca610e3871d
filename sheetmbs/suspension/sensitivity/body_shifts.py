"""How all bodies of an axle move per unit of a hardpoint's coordinate or a member's length, with derivatives by the drivers.

With the rows L x + rho = 0 along the drivers u, x the motions (d0, theta) of all bodies and J = L at the pose:

    J x    = -rho
    J x_k  = -(rho_k + L_k x)
    J x_kl = -(rho_kl + L_k x_l + L_l x_k + L_kl x)

One inverse of J serves all parameters and all orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.layout.car import MIRROR, AxleData, Vector
from sheetmbs.suspension.sensitivity.loop_closure_jacobian import ClosedAxle, ClosingRow, RowTerm, is_moving


@dataclass(frozen=True)
class Parameter:
    """A coordinate of a hardpoint, or the length of a member. point, axis: which, ``""`` of a length; member: its name.

    A point of the left side moves with its mirror image, and so does a length.
    """

    point: str = ""
    axis: int = 0
    member: str = ""

    @property
    def name(self) -> str:
        """Name as an item of Adjustments has it."""
        return f"{self.member} length" if self.member else f"{self.point}.{'xyz'[self.axis]}"


Numbered = dict[tuple[str, str], tuple[Ints, Ints]]
"""numbers of parameters and their axes, by point and member"""


def by_owner(parameters: Sequence[Parameter]) -> Numbered:
    """Parameters by the points and members that they belong to."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, parameter in enumerate(parameters):
        found.setdefault((parameter.point, parameter.member), []).append((number, parameter.axis))
    return {
        owner: (pairs[:, 0], pairs[:, 1]) for owner, pairs in zip(found, map(np.array, found.values()), strict=True)
    }


@dataclass(frozen=True, eq=False)
class BodyShifts:
    """Motions of bodies at n poses per unit of each of P parameters.

    moved: (n, 1 + d + d^2, 6 bodies + 6, P) (d0, theta) of each body and their derivatives, without roll, which moves none;
    the last six are those of all that stands still.
    """

    moved: Floats
    bodies: Sequence[str]

    def place(self, body: str) -> int:
        """Where a body stands among the coordinates."""
        return 6 * (self.bodies.index(body) if body in self.bodies else len(self.bodies))


def body_shifts(closed: ClosedAxle, parameters: Sequence[Parameter]) -> BodyShifts:
    """Motions of all bodies that are posed together."""
    rows = list(closed.rows())
    bodies = list(dict.fromkeys(term.body for row in rows for term in row.terms if is_moving(term.part)))
    count, drivers = len(closed.any.poses), closed.any.drivers - 1  # roll turns the road, and no body
    orders = 1 + drivers + drivers * drivers
    L = np.zeros((count, orders, len(rows), 6 * len(bodies)))
    moved = np.zeros((count, orders, len(rows) + 6, len(parameters)))  # rows are as many as coordinates
    rho = moved[:, :, :-6]
    numbered = by_owner(parameters)
    for number, row in enumerate(rows):
        for term in row.terms:
            _add(L, number, bodies, term)
        _add_explicit(rho, number, closed, row, numbered)
    _solve(L, rho, drivers)
    return BodyShifts(moved, bodies)


def _solve(L: Floats, x: Floats, drivers: int) -> None:
    """Turn rho into x, x_k and x_kl, which is symmetric, for all parameters side by side.

    In place: memory that is new costs as much as what is computed in it.
    """
    minus_inverse, product = -np.linalg.inv(L[:, 0]), np.empty(x[:, 0].shape)

    def find(row: int, *products: tuple[int, int]) -> None:
        for of, by in products:
            x[:, row] += np.matmul(L[:, of], x[:, by], out=product)
        x[:, row] = np.matmul(minus_inverse, x[:, row], out=product)

    find(0)
    for k in range(1, 1 + drivers):
        find(k, (k, 0))
        for m in range(1, 1 + k):
            row = drivers * k + m
            find(row, (row, 0), (k, m), (m, k))
            x[:, drivers * m + k] = x[:, row]


def _orders(of: Vec) -> Floats:
    """(n, 1 + d + d^2, 3) a vector and its derivatives without roll, which is the last driver."""
    d = of.drivers
    second = [1 + d + k * d + m for k in range(d - 1) for m in range(d - 1)]
    return of.rows[:, [*range(d), *second]].T


def _add(L: Floats, row: int, bodies: Sequence[str], term: RowTerm) -> None:
    """g.(d0 + theta x X) = g.d0 + (X x g).theta."""
    if not is_moving(term.part):
        return
    at = 6 * bodies.index(term.body)
    L[:, :, row, at : at + 3] += _orders(term.g)
    L[:, :, row, at + 3 : at + 6] += _orders(term.at.cross(term.g))


def _add_explicit(rho: Floats, row: int, closed: ClosedAxle, of: ClosingRow, numbered: Numbered) -> None:
    """What a row says of each parameter itself."""
    if of.member and ("", member := of.member.partition(" ")[2]) in numbered:
        numbers, _axes = numbered["", member]
        rho[:, 0, row, numbers] -= of.length
    for term in of.terms:
        asked = [(side, point, share) for side, point, share in term.follows if (point, "") in numbered]
        if not asked:
            continue
        motion = closed.views[term.side].body_motion(term.body)
        seen = _orders(term.g if motion is None else motion.in_body(term.g))  # R^T g
        for side, point, share in asked:
            numbers, axes = numbered[point, ""]
            signs = share * signs_of(closed.any.axle, side, point)[axes]
            rho[:, :, row, numbers] += seen[:, :, axes] * signs
    for (side, point), multiplier in of.explicit.items():
        if (point, "") in numbered:
            numbers, axes = numbered[point, ""]
            rho[:, 0, row, numbers] += (multiplier * signs_of(closed.any.axle, side, point))[axes]


def signs_of(axle: AxleData, side: str, point: str) -> Vector:
    """(3,) how coordinates of a hardpoint of this side follow those of the left one."""
    is_mirrored = side == "right" and not axle.points["right"][point].is_central
    return np.asarray(MIRROR if is_mirrored else np.ones(3), dtype=np.float64)
