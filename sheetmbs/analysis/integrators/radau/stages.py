"""Radau IIA of order 5 (Hairer and Wanner 1996, sec. IV.5 and IV.8): its coefficients, and the stages of a step.

    Y_i = y_0 + h sum_j a_ij f(Y_j),   a_ij = int_0^{c_i} l_j,   l_j Lagrange's polynomials of the nodes c
    error = (I - h g J)^-1 h g (f(y_0) + sum_j e_j f(Y_j)),      1/g the real eigenvalue of A^-1

Y_i = y_0 + h sum_j a_ij k_j is (8.2a) in the book, with the derivatives k_j of the stages as unknowns. Only the accelerations
among them are unknown: positions move as their own stages' velocities say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.polynomial import Polynomial

from sheetmbs.analysis.integrators.stepping.driver import record, zeros
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.kinematics import normalise_positions, position_rates
from sheetmbs.engine.records import Floats, Floats2, Ints, Records

STAGES = 3
ROOT = float(np.sqrt(6.0))
NODES = np.array([(4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0])
UNKNOWN_RATE = 0.5  # of convergence, before any is seen
PASSES = 2  # positions and their rates depend on each other where Euler parameters turn


def interpolation(nodes: Floats) -> Floats:
    """(n, n) powers: l_j(theta) = sum_d powers[j, d] theta^d is 1 at node j and 0 at the others."""
    powers = np.zeros((len(nodes), len(nodes)))
    for j, node in enumerate(nodes):
        others = np.delete(nodes, j)
        powers[j] = (Polynomial.fromroots(others) / np.prod(node - others)).coef
    return powers


def integration(powers: Floats) -> Floats:
    """(n, n): int_0^theta l_j = sum_d integrals[j, d] theta^(d + 1)."""
    return powers / np.arange(1, len(powers) + 1)


# int_0^{c_i} l_j
MATRIX = np.array(
    [[sum(row[d] * c ** (d + 1) for d in range(STAGES)) for row in integration(interpolation(NODES))] for c in NODES]
)
SQUARE = MATRIX @ MATRIX
_EIGENVALUES = np.linalg.eigvals(MATRIX)
REAL = float(_EIGENVALUES[np.argmin(np.abs(_EIGENVALUES.imag))].real)
# e_j: the weights -(13 + 7 sqrt 6)/3, (-13 + 7 sqrt 6)/3, -1/3 of Y_j - y_0 in those of f(Y_j)
ERROR = np.array([-(13.0 + 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0]) @ MATRIX

# The slope of the motion through its start and its stages, and its integral.
SLOPE_NODES = np.concatenate(([0.0], NODES))
SLOPE = interpolation(SLOPE_NODES)
DENSE = integration(SLOPE)


# What goes over from one step to the next. last_step: length of the step whose polynomial predicts the stages, 0: none does;
# old_step, old_error: of the last accepted step, for the law of step lengths, 0 before the first. convergence: rate of Newton's
# method at its last sweep; sweeps: how many there were; diverged: whether they led nowhere; crept: how often they did so though
# the step was next to nothing. directions: number of elements' directions that are stage unknowns.
RADAU_STATE = np.dtype(
    [
        ("last_step", "f8"),
        ("old_step", "f8"),
        ("old_error", "f8"),
        ("convergence", "f8"),
        ("sweeps", "i8"),
        ("diverged", "?"),
        ("crept", "i8"),
        ("directions", "i8"),
    ]
)


@dataclass(frozen=True, eq=False)
class Stages(Bundle):
    """What a run of the method keeps and works with; n = nq + nv + 1, d: number of directions."""

    state: Annotated[Records, RADAU_STATE]  # (1,)
    k: Floats2  # (3, n) derivatives of the stages
    value: Floats2  # (3, n) the stages Y
    found: Floats2  # (3, n) derivatives f(Y) as evaluated
    start: Floats  # (n,) derivative at the start of the step
    history: Floats2  # (4, n) derivatives at the start and at the stages of the last step
    change: Floats2  # (3, nv) of the mass-scaled accelerations
    trial: Floats  # (n,) state to be evaluated
    rates: Floats  # (n,) its derivative
    error: Floats  # (n,) estimate of the error of the step
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
    """What a run over a model with that many directions needs."""
    nq, nv, d = len(arrays.position_size), len(arrays.scale), directions
    n = nq + nv + 1
    return Stages(
        state=record(RADAU_STATE, convergence=UNKNOWN_RATE),
        size=np.ones(nq + nv),
        pivot=np.zeros(STAGES * d, dtype=np.int64),
        chosen=np.zeros(d, dtype=np.int64),
        **zeros("k value found", STAGES, n),
        **zeros("start trial rates error", n),
        **zeros("history", STAGES + 1, n),
        **zeros("change", STAGES, nv),
        **zeros("q qd", nq),
        **zeros("v", nv),
        **zeros("weight", STAGES + 1),
        **zeros("matrix", STAGES * d, STAGES * d),
        **zeros("force", STAGES * d),
    )


@inline_kernel
def stage_value(k, i, m, y, h):
    """Component m of Y_i = y_0 + h sum_j a_ij k_j."""
    return y[m] + h * (MATRIX[i, 0] * k[0, m] + MATRIX[i, 1] * k[1, m] + MATRIX[i, 2] * k[2, m])


@kernel
def predict_stages(A, S, y, h) -> None:
    """Derivatives and positions of the stages as the slope of the last step goes on (eq. 8.5 of the book, for slopes)."""
    last_step = S.state[0].last_step
    ratio = h / last_step if last_step > 0.0 else 0.0
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
        for m in range(A.position_size.shape[0]):
            S.value[i, m] = stage_value(S.k, i, m, y, h)


@kernel
def place_stages(A, S, y, h) -> float:
    """Stages from the accelerations in S.k: velocities, then positions and their rates.

    Returns the sum of squares of how far they moved, over the sizes of the components.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    value, size = S.value, S.size
    moved = 0.0
    for i in range(STAGES):
        for m in range(nq, nq + nv + 1):
            new = stage_value(S.k, i, m, y, h)
            if m < nq + nv:
                moved += ((new - value[i, m]) / size[m]) ** 2
            value[i, m] = new
    for once in range(PASSES):
        for i in range(STAGES):
            for m in range(nq):
                S.q[m] = value[i, m]
            for m in range(nv):
                S.v[m] = value[i, nq + m]
            normalise_positions(A.body, S.q)
            position_rates(A.body, A.beams, S.q, S.v, S.qd)
            for m in range(nq):
                S.k[i, m] = S.qd[m]
        for i in range(STAGES):
            for m in range(nq):
                new = stage_value(S.k, i, m, y, h)
                if once == 0:
                    moved += ((new - value[i, m]) / size[m]) ** 2
                value[i, m] = new
    return moved


@kernel
def interpolate(S, y, h, theta, out) -> None:
    """State at the share theta of a step: the polynomial whose slope goes through the start and the stages."""
    for j in range(STAGES + 1):
        total = 0.0
        for d in range(STAGES, -1, -1):
            total = (total + DENSE[j, d]) * theta
        S.weight[j] = total
    k, weight = S.k, S.weight
    for m in range(out.shape[0]):
        out[m] = y[m] + h * (weight[0] * S.start[m] + weight[1] * k[0, m] + weight[2] * k[1, m] + weight[3] * k[2, m])
