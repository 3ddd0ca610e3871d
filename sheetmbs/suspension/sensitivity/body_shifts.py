"""How all bodies of an axle move per unit of a hardpoint's coordinate or a member's length, with derivatives by the drivers.

With the rows L x + rho = 0 along the drivers u, x the motions (d0, theta) of all bodies and J = L at the pose:

    J x    = -rho
    J x_k  = -(rho_k + L_k x)
    J x_kl = -(rho_kl + L_k x_l + L_l x_k + L_kl x)

One inverse of J serves all parameters and all orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.kinematics.jets import Jet, Vec
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import MIRROR, Vector
from sheetmbs.suspension.sensitivity.closing_rows import ClosedAxle, ClosingRow, RowTerm, is_moving

Orders = tuple[Floats, Floats, Floats]
"""values at n poses, first and second derivatives: (n, ..), (n, d, ..), (n, d, d, ..)"""


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
        """As an item of Adjustments names it."""
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
    """Motions of bodies per unit of each parameter. found: by body, each (n, 6, P), (n, d, 6, P), (n, d, d, 6, P).

    drivers: d, without roll, which moves none.
    """

    found: Mapping[str, Orders]
    drivers: int
    count: int
    parameters: int

    def of(self, body: str) -> tuple[Vec, Vec]:
        """(d0, theta) of a body at n poses for every parameter, one behind the other; nothing where it stands still."""
        d = self.drivers
        rows = np.zeros((6, 1 + (d + 1) + (d + 1) ** 2, self.parameters, self.count))
        if body in self.found:
            value, first, second = self.found[body]
            rows[:, 0] = value.transpose(1, 2, 0)
            rows[:, 1 : 1 + d] = first.transpose(2, 1, 3, 0)
            square = rows[:, 2 + d :].reshape(6, d + 1, d + 1, self.parameters, self.count)
            square[:, :d, :d] = second.transpose(3, 1, 2, 4, 0)
        whole = rows.reshape(*rows.shape[:2], -1)
        return Vec(whole[:3]), Vec(whole[3:])


def body_shifts(closed: ClosedAxle, parameters: Sequence[Parameter]) -> BodyShifts:
    """Motions of all bodies that are posed together."""
    rows = list(closed.rows())
    bodies = list(dict.fromkeys(term.body for row in rows for term in row.terms if is_moving(term.part)))
    count, drivers = len(closed.any.poses), closed.any.drivers - 1  # roll turns the road, and no body
    L = _zeros(count, drivers, (len(rows), 6 * len(bodies)))
    rho = _zeros(count, drivers, (len(rows), len(parameters)))
    numbered = by_owner(parameters)
    for number, row in enumerate(rows):
        for term in row.terms:
            _add(L, number, bodies, term)
        _add_explicit(rho, number, closed, row, numbered)
    moved = _solved(L, rho)
    found = {}
    for at, body in enumerate(bodies):
        own = slice(6 * at, 6 * at + 6)
        found[body] = tuple(order[..., own, :] for order in moved)
    return BodyShifts(found, drivers, count, len(parameters))  # type: ignore[arg-type]


def _solved(L: Orders, rho: Orders) -> Orders:
    """x, x_k and x_kl, which is symmetric, for all parameters side by side."""
    inverse = np.linalg.inv(L[0])
    x, x1, x2 = (np.empty_like(order) for order in rho)
    x[:] = -inverse @ rho[0]
    for k in range(x1.shape[1]):
        x1[:, k] = -inverse @ (rho[1][:, k] + L[1][:, k] @ x)
        for m in range(k + 1):
            crossed = L[1][:, k] @ x1[:, m] + L[1][:, m] @ x1[:, k]
            x2[:, k, m] = x2[:, m, k] = -inverse @ (rho[2][:, k, m] + L[2][:, k, m] @ x + crossed)
    return x, x1, x2


def _zeros(count: int, drivers: int, shape: tuple[int, int]) -> Orders:
    sizes = ((count,), (count, drivers), (count, drivers, drivers))
    first, second, third = (np.zeros((*size, *shape)) for size in sizes)
    return first, second, third


def _orders(of: Vec | Jet) -> Orders:
    """A vector as (n, 3), (n, d, 3), (n, d, d, 3), or a number likewise, without roll."""
    return of.value, of.first[:, :-1], of.second[:, :-1, :-1]


def _add(L: Orders, row: int, bodies: Sequence[str], term: RowTerm) -> None:
    """g.(d0 + theta x X) = g.d0 + (X x g).theta."""
    if not is_moving(term.part):
        return
    at = 6 * bodies.index(term.body)
    for order, linear, angular in zip(L, _orders(term.g), _orders(term.at.cross(term.g)), strict=True):
        order[..., row, at : at + 3] += linear
        order[..., row, at + 3 : at + 6] += angular


def _add_explicit(rho: Orders, row: int, closed: ClosedAxle, of: ClosingRow, numbered: Numbered) -> None:
    """What a row says of each parameter itself."""
    if of.member and ("", member := of.member.partition(" ")[2]) in numbered:
        numbers, _axes = numbered["", member]
        rho[0][:, row, numbers] -= of.length
    for term in of.terms:
        asked = [(side, point, share) for side, point, share in term.follows if (point, "") in numbered]
        if not asked:
            continue
        motion = closed.views[term.side].body_motion(term.body)
        seen = _orders(term.g if motion is None else motion.in_body(term.g))  # R^T g
        for side, point, share in asked:
            numbers, axes = numbered[point, ""]
            signs = share * signs_of(closed.views[side], point)[axes]
            for order, part in zip(rho, seen, strict=True):
                order[..., row, numbers] += part[..., axes] * signs
    for (side, point), multiplier in of.explicit.items():
        if (point, "") in numbered:
            numbers, axes = numbered[point, ""]
            rho[0][:, row, numbers] += (multiplier * signs_of(closed.views[side], point))[axes]


def signs_of(wheel: Wheel, point: str) -> Vector:
    """(3,) how coordinates of a hardpoint of this side follow those of the left one."""
    is_mirrored = wheel.side == "right" and not wheel.axle.points["right"][point].is_central
    return np.asarray(MIRROR if is_mirrored else np.ones(3), dtype=np.float64)


def shift_of(wheel: Wheel, parameter: Parameter) -> Floats:
    """(3,) how a hardpoint of this side moves per unit of a coordinate of the left one."""
    return np.asarray(np.eye(3)[parameter.axis] * signs_of(wheel, parameter.point))
