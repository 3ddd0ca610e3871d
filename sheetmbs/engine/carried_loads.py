"""What joints and drivers carry at configurations at rest: J^T lambda = -Q, and the reactions G^T lambda of each."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.algebra.linear import factor
from sheetmbs.engine.algebra.newton import LEAST_EPS
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.constraints import place_all
from sheetmbs.engine.reactions import least_weighted
from sheetmbs.engine.records import Floats2, Floats3, Ints
from sheetmbs.engine.work import Work


@dataclass(frozen=True, eq=False)
class CarriedLoads(Bundle):
    """Configurations, the forces on them, and what is found. Elements are joints and drivers, as the model counts them."""

    owner: Ints  # (nr,) the element of each row
    positions: Floats2  # (n, nq)
    force: Floats2  # (n, nv) applied generalised forces
    multiplier: Floats2  # (n, elements) of an element's last row: of a driver its only one
    wrench: Floats3  # (n, elements, 12) on frame i, then on frame j: force and moment, global
    left: Floats2  # (n, nv) what joints and drivers do not carry: rounding, where drivers fix all freedoms


@kernel
def carry_loads(A: Arrays, W: Work, C: CarriedLoads) -> None:
    """Fill multiplier, wrench and left."""
    scale, parts = A.scale, A.part
    nv, nr = scale.shape[0], W.phi.shape[0]
    for n in range(C.positions.shape[0]):
        place_all(A, W, A.turn, C.positions[n])
        factor(A.layout, A.row, A.missing, W.jacobian, W, LEAST_EPS)
        for k in range(nv):
            W.scaled[k] = -scale[k] * C.force[n, k]
        least_weighted(A.layout, A.row, W, LEAST_EPS, W.scaled)
        for k in range(nv):
            C.left[n, k] = W.scaled[k] / scale[k]
        for r in range(nr):
            C.multiplier[n, C.owner[r]] = W.multiplier[r]
        for p in range(parts.shape[0]):
            part = parts[p]
            c = C.owner[part.target]
            for k in range(6):
                if part.slot_i >= 0:
                    C.wrench[n, c, part.slot_i + k] += W.multiplier[part.target] * W.gradient[p, k]
                if part.slot_j >= 0:
                    C.wrench[n, c, part.slot_j + k] += W.multiplier[part.target] * W.gradient[p, 6 + k]
