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
from sheetmbs.suspension.kinematics.jets import Jet, Vec
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


Numbered = dict[tuple[str, str], list[tuple[int, Parameter]]]
"""parameters with their numbers, by point and member"""


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
    numbered: Numbered = {}
    for number, parameter in enumerate(parameters):
        numbered.setdefault((parameter.point, parameter.member), []).append((number, parameter))
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
    """x, x_k and x_kl, all parameters and drivers of a pose side by side."""
    count, d, rows, parameters = rho[1].shape
    inverse = np.linalg.inv(L[0])
    L1, L2 = L[1].reshape(count, -1, rows), L[2].reshape(count, -1, rows)

    def solved(right: Floats) -> Floats:
        """J^-1 of (n, .., rows, P), with its drivers before the rows."""
        before = right.shape[1:-2]
        side_by_side = np.moveaxis(right, -2, 1).reshape(count, rows, -1)
        return np.moveaxis((inverse @ side_by_side).reshape(count, rows, *before, parameters), 1, -2)

    x = -inverse @ rho[0]
    x1 = -solved(rho[1] + (L1 @ x).reshape(count, d, rows, parameters))
    across = np.moveaxis(x1, 1, -2).reshape(count, rows, -1)
    crossed = np.moveaxis((L1 @ across).reshape(count, d, rows, d, parameters), 3, 2)
    bent = rho[2] + (L2 @ x).reshape(count, d, d, rows, parameters)
    return x, x1, -solved(bent + crossed + np.swapaxes(crossed, 1, 2))


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
    if of.member:
        for number, _parameter in numbered.get(("", of.member.partition(" ")[2]), ()):
            rho[0][..., row, number] -= of.length
    for term in of.terms:
        asked = [(side, share, numbered[point, ""]) for side, point, share in term.follows if (point, "") in numbered]
        if not asked:
            continue
        motion = closed.views[term.side].body_motion(term.body)
        seen = _orders(term.g if motion is None else motion.in_body(term.g))  # R^T g
        for side, share, parameters in asked:
            for number, parameter in parameters:
                shift = share * shift_of(closed.views[side], parameter)
                for order, part in zip(rho, seen, strict=True):
                    order[..., row, number] += part @ shift
    for (side, point), multiplier in of.explicit.items():
        for number, parameter in numbered.get((point, ""), ()):
            rho[0][:, row, number] += multiplier @ shift_of(closed.views[side], parameter)


def shift_of(wheel: Wheel, parameter: Parameter) -> Floats:
    """(3,) how a hardpoint of this side moves per unit of a coordinate of the left one."""
    along = np.eye(3)[parameter.axis]
    is_mirrored = wheel.side == "right" and not wheel.axle.points["right"][parameter.point].is_central
    return np.asarray(along * MIRROR if is_mirrored else along)
