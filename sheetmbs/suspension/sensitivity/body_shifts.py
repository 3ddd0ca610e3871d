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

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import MIRROR
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


@dataclass(frozen=True, eq=False)
class BodyShifts:
    """Motions of bodies per unit of each parameter. found: by body, each (n, P, 6), (n, d, P, 6), (n, d, d, P, 6)."""

    found: Mapping[str, Orders]
    drivers: int
    count: int
    parameters: int

    def of(self, body: str) -> tuple[Vec, Vec]:
        """(d0, theta) of a body at n poses for every parameter, one behind the other; nothing where it stands still."""
        rows = np.zeros((6, 1 + self.drivers + self.drivers**2, self.parameters, self.count))
        if body in self.found:
            value, first, second = self.found[body]
            d = self.drivers
            rows[:, 0] = value.transpose(2, 1, 0)
            rows[:, 1 : 1 + d] = first.transpose(3, 1, 2, 0)
            rows[:, 1 + d :] = second.reshape(self.count, d * d, *second.shape[3:]).transpose(3, 1, 2, 0)
        whole = rows.reshape(*rows.shape[:2], -1)
        return Vec(whole[:3]), Vec(whole[3:])


def body_shifts(closed: ClosedAxle, parameters: Sequence[Parameter]) -> BodyShifts:
    """Motions of all bodies that are posed together."""
    rows = list(closed.rows())
    bodies = list(dict.fromkeys(term.body for row in rows for term in row.terms if is_moving(term.part)))
    count, drivers = len(closed.any.poses), closed.any.drivers
    L = _zeros(count, drivers, (len(rows), 6 * len(bodies)))
    rho = _zeros(count, drivers, (len(rows), len(parameters)))
    for number, row in enumerate(rows):
        for term in row.terms:
            _add(L, number, bodies, term)
        _add_explicit(rho, number, closed, row, parameters)
    inverse = np.linalg.inv(L[0])
    x = -inverse @ rho[0]
    x1 = -inverse[:, None] @ (rho[1] + L[1] @ x[:, None])
    crossed = L[1][:, :, None] @ x1[:, None]
    x2 = -inverse[:, None, None] @ (rho[2] + crossed + np.swapaxes(crossed, 1, 2) + L[2] @ x[:, None, None])
    found = {}
    for at, body in enumerate(bodies):
        own = slice(6 * at, 6 * at + 6)
        found[body] = tuple(np.swapaxes(order[..., own, :], -1, -2) for order in (x, x1, x2))
    return BodyShifts(found, drivers, count, len(parameters))  # type: ignore[arg-type]


def _zeros(count: int, drivers: int, shape: tuple[int, int]) -> Orders:
    sizes = ((count,), (count, drivers), (count, drivers, drivers))
    first, second, third = (np.zeros((*size, *shape)) for size in sizes)
    return first, second, third


def orders(of: Vec) -> Orders:
    """A vector as (n, 3), (n, d, 3), (n, d, d, 3)."""
    return of.value, of.first, of.second


def _add(L: Orders, row: int, bodies: Sequence[str], term: RowTerm) -> None:
    """g.(d0 + theta x X) = g.d0 + (X x g).theta."""
    if not is_moving(term.part):
        return
    at = 6 * bodies.index(term.body)
    for order, linear, angular in zip(L, orders(term.g), orders(term.at.cross(term.g)), strict=True):
        order[..., row, at : at + 3] += linear
        order[..., row, at + 3 : at + 6] += angular


def _add_explicit(rho: Orders, row: int, closed: ClosedAxle, of: ClosingRow, parameters: Sequence[Parameter]) -> None:
    """What a row says of each parameter itself."""
    for number, parameter in enumerate(parameters):
        if parameter.member:
            if of.member.endswith(f" {parameter.member}"):
                rho[0][..., row, number] -= of.length
            continue
        for term in of.terms:
            shift = sum(
                share * shift_of(closed.views[side], parameter)
                for side, point, share in term.follows
                if point == parameter.point
            )
            if np.any(shift):
                moved = closed.views[term.side].direction_on(term.part, np.asarray(shift))
                along = term.g.dot(moved)
                for order, part in zip(rho, (along.value, along.first, along.second), strict=True):
                    order[..., row, number] += part
        for (side, point), multiplier in of.explicit.items():
            if point == parameter.point:
                rho[0][:, row, number] += multiplier @ shift_of(closed.views[side], parameter)


def shift_of(wheel: Wheel, parameter: Parameter) -> Floats:
    """(3,) how a hardpoint of this side moves per unit of a coordinate of the left one."""
    along = np.eye(3)[parameter.axis]
    is_mirrored = wheel.side == "right" and not wheel.axle.points["right"][parameter.point].is_central
    return np.asarray(along * MIRROR if is_mirrored else along)
