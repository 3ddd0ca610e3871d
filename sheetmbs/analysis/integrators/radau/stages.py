"""The stages of an implicit Runge-Kutta method: where they begin, and how the elements correct them.

With the mass-scaled accelerations a_i of the stages, their residuals r_i = f(Y_i) - a_i and, per stage, the directions W_i of
the elements, their slopes k_i, c_i and the projector P_i onto J u = 0 (see `engine/directions.py`), the forces of the elements
change by s_i:

    s_i - sum_j (c_i h A_ij + k_i h^2 A^2_ij) W_i (r_j - P_j W_j^T s_j) = 0        a_i <- a_i + r_i - P_i W_i^T s_i

that is Newton's method in deformation space, (I + (c h A + k h^2 A^2) x W P W^T) s = .., and a fixed point on all else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.integrators.radau.collocation import A2 as SQUARE
from sheetmbs.analysis.integrators.radau.collocation import DENSE, ERROR, NODES, REAL, SLOPE, STAGES
from sheetmbs.analysis.integrators.radau.collocation import A as MATRIX
from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.directions import ENTRIES, deformation, own_inertance
from sheetmbs.engine.kinematics import normalise_positions, position_rates, velocities_of
from sheetmbs.engine.records import Floats, Floats2, Ints

WEAK = 0.02  # (c h + k h^2) W W^T of a direction that the fixed point may have
PASSES = 2  # positions and their rates depend on each other where Euler parameters turn


@dataclass(frozen=True, eq=False)
class Stages(Bundle):
    """Scratch of a run; n = nq + nv + 1, d: number of directions."""

    k: Floats2  # (3, n) derivatives of the stages
    value: Floats2  # (3, n) the stages
    found: Floats2  # (3, n) derivatives as evaluated
    start: Floats  # (n,) derivative at the start of the step
    history: Floats2  # (4, n) derivatives at the start and at the stages of the last step
    change: Floats2  # (3, nv) of the mass-scaled accelerations
    trial: Floats  # (n,) state to be evaluated
    rates: Floats  # (n,) its derivative
    error: Floats  # (n,)
    q: Floats  # (nq,)
    v: Floats  # (nv,)
    qd: Floats  # (nq,)
    weight: Floats  # (4,)
    size: Floats  # (nq + nv,) what the errors of the components are measured by
    matrix: Floats2  # (3 d, 3 d)
    pivot: Ints  # (3 d,)
    force: Floats  # (3 d,)
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
        qd=np.zeros(nq),
        weight=np.zeros(STAGES + 1),
        size=np.ones(nq + nv),
        matrix=np.zeros((STAGES * d, STAGES * d)),
        pivot=np.zeros(STAGES * d, dtype=np.int64),
        force=np.zeros(STAGES * d),
        chosen=np.zeros(d, dtype=np.int64),
    )


@kernel
def foretell_stages(k, value, start, history, weight, y, h, ratio, nq):
    """Derivatives and positions of the stages as the slope of the last step goes on.

    ratio: of the step to the last one, 0 where there is none.
    """
    for i in range(STAGES):
        theta = 1.0 + NODES[i] * ratio
        for j in range(STAGES + 1):
            total = 0.0
            for d in range(STAGES, -1, -1):
                total = total * theta + SLOPE[j, d]
            weight[j] = total
        for m in range(start.shape[0]):
            total = start[m]
            if ratio > 0.0:
                total = 0.0
                for j in range(STAGES + 1):
                    total += weight[j] * history[j, m]
            k[i, m] = total
    for i in range(STAGES):
        for m in range(nq):
            value[i, m] = y[m] + h * (MATRIX[i, 0] * k[0, m] + MATRIX[i, 1] * k[1, m] + MATRIX[i, 2] * k[2, m])


@kernel
def place_stages(bodies, beams, k, value, size, y, h, q, v, qd):
    """Stages from the accelerations in k: velocities, then positions and their rates.

    Returns the sum of squares of how far they moved, over the sizes of the components.
    """
    nq, nv = q.shape[0], v.shape[0]
    moved = 0.0
    for i in range(STAGES):
        for m in range(nq, nq + nv + 1):
            new = y[m] + h * (MATRIX[i, 0] * k[0, m] + MATRIX[i, 1] * k[1, m] + MATRIX[i, 2] * k[2, m])
            if m < nq + nv:
                moved += ((new - value[i, m]) / size[m]) ** 2
            value[i, m] = new
    for step in range(PASSES):
        for i in range(STAGES):
            for m in range(nq):
                q[m] = value[i, m]
            for m in range(nv):
                v[m] = value[i, nq + m]
            normalise_positions(bodies, q)
            position_rates(bodies, beams, q, v, qd)
            for m in range(nq):
                k[i, m] = qd[m]
        for i in range(STAGES):
            for m in range(nq):
                new = y[m] + h * (MATRIX[i, 0] * k[0, m] + MATRIX[i, 1] * k[1, m] + MATRIX[i, 2] * k[2, m])
                if step == 0:
                    moved += ((new - value[i, m]) / size[m]) ** 2
                value[i, m] = new
    return moved


@kernel
def choose_directions(record, bodies, entry, h, chosen):
    """The directions whose force changes enough within a step to be a stage unknown. Returns their number."""
    count = 0
    for n in range(record.shape[0]):
        strength = h * record[n].damping + h * h * record[n].stiffness
        if strength * own_inertance(record[n], bodies, entry, n * ENTRIES) > WEAK:
            chosen[count] = n
            count += 1
    return count


@kernel
def factor_elements(record, bodies, entry, slope, answer, chosen, number, h, matrix, pivot):
    """Matrix of the elements' forces, factored; after the directions of all stages have been found and projected."""
    count = record.shape[0]
    for i in range(STAGES):
        for e in range(number):
            n = chosen[e]
            at = (i * count + n) * ENTRIES
            for j in range(STAGES):
                gain = h * (slope[i, n, 1] * MATRIX[i, j] + slope[i, n, 0] * h * SQUARE[i, j])
                for f in range(number):
                    own = 1.0 if i == j and e == f else 0.0
                    inertance = deformation(record[n], bodies, entry, at, answer, j * count + chosen[f])
                    matrix[i * number + e, j * number + f] = own + gain * inertance
    factor_dense(matrix, STAGES * number, pivot)


@kernel
def correct_stages(
    record, bodies, entry, slope, answer, chosen, number, h, matrix, pivot, force, scale, found, k, change, nq
):
    """Change the accelerations in k by the residuals found - k and the forces of the elements that answer them."""
    count, nv = record.shape[0], scale.shape[0]
    for i in range(STAGES):
        for m in range(nv):
            change[i, m] = (found[i, nq + m] - k[i, nq + m]) / scale[m]
        k[i, nq + nv] = found[i, nq + nv]
    for i in range(STAGES):
        for e in range(number):
            n = chosen[e]
            at = (i * count + n) * ENTRIES
            total = 0.0
            for j in range(STAGES):
                gain = h * (slope[i, n, 1] * MATRIX[i, j] + slope[i, n, 0] * h * SQUARE[i, j])
                total += gain * deformation(record[n], bodies, entry, at, change, j)
            force[i * number + e] = total
    solve_dense(matrix, STAGES * number, pivot, force)
    for i in range(STAGES):
        for e in range(number):
            for m in range(nv):
                change[i, m] -= force[i * number + e] * answer[i * count + chosen[e], m]
        for m in range(nv):
            k[i, nq + m] += scale[m] * change[i, m]


@kernel
def raw_error(bodies, beams, k, start, y, h, scale, q, v, error, change):
    """Error of a step as if nothing were stiff, h g (f(y_0) + sum_j e_j f(Y_j)), to ``error``.

    start: (n,) f(y_0). The same as mass-scaled velocities to change[0] (positions) and change[1] (velocities).
    """
    nq, nv = q.shape[0], v.shape[0]
    for m in range(nq + nv):
        error[m] = h * REAL * (start[m] + ERROR[0] * k[0, m] + ERROR[1] * k[1, m] + ERROR[2] * k[2, m])
    for m in range(nq):
        q[m] = y[m]
    velocities_of(bodies, beams, q, error, v)
    for m in range(nv):
        change[0, m] = v[m] / scale[m]
        change[1, m] = error[nq + m] / scale[m]


@kernel
def filter_error(
    record,
    bodies,
    beams,
    entry,
    slope,
    answer,
    chosen,
    number,
    h,
    matrix,
    pivot,
    force,
    scale,
    size,
    q,
    v,
    qd,
    error,
    change,
):
    """Solve (I - h g J) error = `raw_error` in place, J being the elements' at the first stage; the matrix is lost.

    Returns the sum of squares of the error over the sizes of the components.
    """
    nq, nv = q.shape[0], v.shape[0]
    g = h * REAL
    for e in range(number):
        n = chosen[e]
        elastic, both = g * slope[0, n, 0], g * (slope[0, n, 1] + g * slope[0, n, 0])
        at = n * ENTRIES
        force[e] = elastic * deformation(record[n], bodies, entry, at, change, 0)
        force[e] += both * deformation(record[n], bodies, entry, at, change, 1)
        for f in range(number):
            own = 1.0 if e == f else 0.0
            matrix[e, f] = own + both * deformation(record[n], bodies, entry, at, answer, chosen[f])
    factor_dense(matrix, number, pivot)
    solve_dense(matrix, number, pivot, force)
    for m in range(nv):
        for e in range(number):
            error[nq + m] -= scale[m] * force[e] * answer[chosen[e], m]
        v[m] = error[nq + m]
    position_rates(bodies, beams, q, v, qd)
    total = 0.0
    for m in range(nq + nv):
        if m < nq:
            error[m] += g * qd[m]
        total += (error[m] / size[m]) ** 2
    return total


@kernel
def interpolate(k, start, weight, y, h, theta, out):
    """State at t + theta h."""
    for j in range(STAGES + 1):
        total = 0.0
        for d in range(STAGES, -1, -1):
            total = (total + DENSE[j, d]) * theta
        weight[j] = total
    for m in range(out.shape[0]):
        out[m] = y[m] + h * (weight[0] * start[m] + weight[1] * k[0, m] + weight[2] * k[1, m] + weight[3] * k[2, m])
