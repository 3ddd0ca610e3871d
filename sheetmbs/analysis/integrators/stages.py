"""The stages of an implicit Runge-Kutta method: where they begin, and how the elements correct them.

With the mass-scaled accelerations a_i of the stages, their residuals r_i = f(Y_i) - a_i and, per stage, the directions W_i of
the elements, their slopes k_i, c_i and the projector P_i onto J u = 0 (see `engine/directions.py`), the forces of the elements
change by s_i:

    s_i - sum_j (c_i h A_ij + k_i h^2 A^2_ij) W_i (r_j - P_j W_j^T s_j) = 0        a_i <- a_i + r_i - P_i W_i^T s_i

that is Newton's method in deformation space, (I + (c h A + k h^2 A^2) x W P W^T) s = .., and a fixed point on all else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.collocation import A as MATRIX
from sheetmbs.analysis.integrators.collocation import A2 as SQUARE
from sheetmbs.analysis.integrators.collocation import DENSE, ERROR, NODES, REAL, SLOPE, STAGES
from sheetmbs.analysis.integrators.explicit import size_of
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.dense import factor_dense, solve_dense
from sheetmbs.engine.directions import ENTRIES, deformation, own_inertance
from sheetmbs.engine.kinematics import normalise_positions, position_rates, velocities_of
from sheetmbs.jit import inline_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WEAK = 0.02  # (c h + k h^2) W W^T of a direction that the fixed point may have
PASSES = 2  # positions and their rates depend on each other where Euler parameters turn


class Stages(NamedTuple):
    """Scratch of a run; n = nq + nv + 1, d: number of directions."""

    k: Floats  # (3, n) derivatives of the stages
    value: Floats  # (3, n) the stages
    found: Floats  # (3, n) derivatives as evaluated
    start: Floats  # (n,) derivative at the start of the step
    history: Floats  # (4, n) derivatives at the start and at the stages of the last step
    change: Floats  # (3, nv) mass-scaled
    trial: Floats  # (n,)
    rates: Floats  # (n,)
    error: Floats  # (n,)
    q: Floats  # (nq,)
    v: Floats  # (nv,)
    weight: Floats  # (4,)
    matrix: Floats  # (3 d, 3 d)
    pivot: Ints  # (3 d,)
    force: Floats  # (3 d,)
    small: Floats  # (d, d)
    small_pivot: Ints  # (d,)
    chosen: Ints  # (d,) directions that are stage unknowns


def make_stages(arrays: Arrays, directions: int) -> Stages:
    """Scratch for a model with that many directions."""
    nq, nv, d = len(arrays.position_size), len(arrays.scale), directions
    n = nq + nv + 1
    return Stages(
        k=np.zeros((STAGES, n)),
        value=np.zeros((STAGES, n)),
        found=np.zeros((STAGES, n)),
        start=np.zeros(n),
        history=np.zeros((STAGES + 1, n)),
        change=np.zeros((STAGES, nv)),
        trial=np.zeros(n),
        rates=np.zeros(n),
        error=np.zeros(n),
        q=np.zeros(nq),
        v=np.zeros(nv),
        weight=np.zeros(STAGES + 1),
        matrix=np.zeros((STAGES * d, STAGES * d)),
        pivot=np.zeros(STAGES * d, dtype=np.int64),
        force=np.zeros(STAGES * d),
        small=np.zeros((d, d)),
        small_pivot=np.zeros(d, dtype=np.int64),
        chosen=np.zeros(d, dtype=np.int64),
    )


@kernel
def foretell_stages(S, y, h, ratio):
    """Derivatives and positions of the stages as the slope of the last step goes on; ratio: step over last step, 0 where there is none."""
    for i in range(STAGES):
        theta = 1.0 + NODES[i] * ratio
        for j in range(STAGES + 1):
            total = 0.0
            for d in range(STAGES, -1, -1):
                total = total * theta + SLOPE[j, d]
            S.weight[j] = total
        for m in range(S.start.shape[0]):
            total = S.start[m]
            if ratio > 0.0:
                total = 0.0
                for j in range(STAGES + 1):
                    total += S.weight[j] * S.history[j, m]
            S.k[i, m] = total
    for i in range(STAGES):
        for m in range(S.q.shape[0]):
            total = 0.0
            for j in range(STAGES):
                total += MATRIX[i, j] * S.k[j, m]
            S.value[i, m] = y[m] + h * total


@kernel
def place_stages(A, S, y, h, rate):
    """Stages from the accelerations in k: velocities, then positions and their rates. Returns by how much they moved.

    The sum of squares is over the sizes of the components, see `explicit.size_of`.
    """
    nq, nv = S.q.shape[0], S.v.shape[0]
    moved = 0.0
    for i in range(STAGES):
        for m in range(nq, nq + nv + 1):
            total = 0.0
            for j in range(STAGES):
                total += MATRIX[i, j] * S.k[j, m]
            new = y[m] + h * total
            if m < nq + nv:
                moved += ((new - S.value[i, m]) / size_of(A, m, nq, rate, A.length)) ** 2
            S.value[i, m] = new
    for step in range(PASSES):
        for i in range(STAGES):
            for m in range(nq):
                S.q[m] = S.value[i, m]
            for m in range(nv):
                S.v[m] = S.value[i, nq + m]
            normalise_positions(A.body, S.q)
            position_rates(A.body, S.q, S.v, S.trial)
            for m in range(nq):
                S.k[i, m] = S.trial[m]
        for i in range(STAGES):
            for m in range(nq):
                total = 0.0
                for j in range(STAGES):
                    total += MATRIX[i, j] * S.k[j, m]
                new = y[m] + h * total
                if step == 0:
                    moved += ((new - S.value[i, m]) / size_of(A, m, nq, rate, A.length)) ** 2
                S.value[i, m] = new
    return moved


@kernel
def choose_directions(D, S, bodies, h):
    """The directions whose force changes enough within a step to be a stage unknown. Returns their number."""
    count = 0
    for n in range(D.record.shape[0]):
        record = D.record[n]
        strength = h * record.damping + h * h * record.stiffness
        if strength * own_inertance(record, bodies, D.entry, n * ENTRIES) > WEAK:
            S.chosen[count] = n
            count += 1
    return count


@inline_kernel
def inertance(D, bodies, i, n, j, d):
    """W_i P_j W_j^T: what a unit force in direction d of stage j does to direction n of stage i."""
    record = D.record[n]
    at = (i * D.record.shape[0] + n) * ENTRIES
    total = 0.0
    body = bodies[record.body_i]
    for k in range(body.nv):
        total += D.entry[at + k] * D.answer[j, d, body.v + k]
    body = bodies[record.body_j]
    for k in range(body.nv):
        total += D.entry[at + 6 + k] * D.answer[j, d, body.v + k]
    return total


@kernel
def factor_elements(D, S, bodies, number, h):
    """Matrix of the elements' forces, factored; after the directions of all stages have been found and projected."""
    for i in range(STAGES):
        for e in range(number):
            n = S.chosen[e]
            for j in range(STAGES):
                gain = D.slope[i, n, 1] * h * MATRIX[i, j] + D.slope[i, n, 0] * h * h * SQUARE[i, j]
                for f in range(number):
                    own = 1.0 if i == j and e == f else 0.0
                    S.matrix[i * number + e, j * number + f] = own + gain * inertance(D, bodies, i, n, j, S.chosen[f])
    factor_dense(S.matrix, STAGES * number, S.pivot)


@kernel
def correct_stages(D, S, bodies, scale, number, h):
    """Change the accelerations in k by the residuals found - k and the forces of the elements that answer them."""
    nq, nv = S.q.shape[0], S.v.shape[0]
    count = D.record.shape[0]
    for i in range(STAGES):
        for k in range(nv):
            S.change[i, k] = (S.found[i, nq + k] - S.k[i, nq + k]) / scale[k]
        S.k[i, nq + nv] = S.found[i, nq + nv]
    for i in range(STAGES):
        for e in range(number):
            n = S.chosen[e]
            at = (i * count + n) * ENTRIES
            total = 0.0
            for j in range(STAGES):
                gain = D.slope[i, n, 1] * h * MATRIX[i, j] + D.slope[i, n, 0] * h * h * SQUARE[i, j]
                for k in range(nv):
                    S.v[k] = S.change[j, k]
                total += gain * deformation(D.record[n], bodies, D.entry, at, S.v)
            S.force[i * number + e] = total
    if number > 0:
        solve_dense(S.matrix, STAGES * number, S.pivot, S.force)
    for i in range(STAGES):
        for e in range(number):
            for k in range(nv):
                S.change[i, k] -= S.force[i * number + e] * D.answer[i, S.chosen[e], k]
        for k in range(nv):
            S.k[i, nq + k] += scale[k] * S.change[i, k]


@kernel
def estimate_error(A, D, S, y, start, number, h, rate):
    """Error of a step, (I - h g J)^-1 h g (f(y_0) + sum_j e_j f(Y_j)), to S.error; J: the elements', at the first stage.

    start: (n,) f(y_0). Returns the sum of squares over the sizes of the components.
    """
    nq, nv = S.q.shape[0], S.v.shape[0]
    bodies = A.body
    g = h * REAL
    for m in range(nq + nv):
        total = start[m]
        for j in range(STAGES):
            total += ERROR[j] * S.k[j, m]
        S.error[m] = g * total
    for m in range(nq):
        S.q[m] = y[m]
    velocities_of(bodies, S.q, S.error, S.v)
    for e in range(number):
        n = S.chosen[e]
        elastic, damping = D.slope[0, n, 0], D.slope[0, n, 1]
        at = n * ENTRIES
        for k in range(nv):
            S.change[0, k] = S.v[k] / A.scale[k]
            S.change[1, k] = S.error[nq + k] / A.scale[k]
        for k in range(nv):
            S.trial[k] = S.change[0, k] * elastic + S.change[1, k] * (damping + g * elastic)
        S.force[e] = g * deformation(D.record[n], bodies, D.entry, at, S.trial)
        for f in range(number):
            own = 1.0 if e == f else 0.0
            S.small[e, f] = own + g * (damping + g * elastic) * inertance(D, bodies, 0, n, 0, S.chosen[f])
    if number > 0:
        factor_dense(S.small, number, S.small_pivot)
        solve_dense(S.small, number, S.small_pivot, S.force)
    for e in range(number):
        for k in range(nv):
            S.error[nq + k] -= A.scale[k] * S.force[e] * D.answer[0, S.chosen[e], k]
    for k in range(nv):
        S.v[k] = S.error[nq + k]
    position_rates(bodies, S.q, S.v, S.trial)
    for m in range(nq):
        S.error[m] += g * S.trial[m]
    total = 0.0
    for m in range(nq + nv):
        total += (S.error[m] / size_of(A, m, nq, rate, A.length)) ** 2
    return total


@kernel
def interpolate(S, y, h, theta):
    """State at t + theta h, to S.trial."""
    for j in range(STAGES + 1):
        total = 0.0
        for d in range(STAGES, -1, -1):
            total = (total + DENSE[j, d]) * theta
        S.weight[j] = total
    for m in range(S.trial.shape[0]):
        total = S.weight[0] * S.start[m]
        for j in range(STAGES):
            total += S.weight[j + 1] * S.k[j, m]
        S.trial[m] = y[m] + h * total
