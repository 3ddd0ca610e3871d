"""Rates of a model at many states near one: the states at which linearising takes its differences."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.algebra.newton import DOGLEG, LEAST_EPS, solve_positions, solve_velocities
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import displace
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.work import Work


@dataclass(frozen=True, eq=False)
class NearbyStates(Bundle):
    """A state, steps from it, and what is found there."""

    q: Floats  # (nq,)
    v: Floats  # (nv,)
    steps: Floats2  # (n, nv)
    rates: Floats2  # (n, nq + nv + 1) receives q-dot, v-dot and power
    moved: Floats  # (nq,) scratch
    sped: Floats  # (nv,) the same


@kernel
def displaced_rates(G: Arrays, GW: Work, A: Arrays, W: Work, t: float, tolerance: float, near: NearbyStates) -> None:
    """Rates at the state displaced by the steps and put back on the constraints.

    G, GW: rows weighed by geometry, with which positions are put back; A, W: by masses.
    """
    q, v, moved, sped = near.q, near.v, near.moved, near.sped
    is_moving = False
    for k in range(v.shape[0]):
        is_moving = is_moving or v[k] != 0.0
    for n in range(near.steps.shape[0]):
        for k in range(q.shape[0]):
            moved[k] = q[k]
        for k in range(v.shape[0]):
            sped[k] = 1.0  # the weights of the step
        displace(A.body, A.beams, moved, near.steps[n], sped, 1.0)
        for k in range(v.shape[0]):
            sped[k] = v[k]
        solve_positions(G, GW, t, moved, tolerance, DOGLEG)
        if is_moving:
            solve_velocities(G, GW, sped, LEAST_EPS)
        evaluate(A, W, t, moved, sped, near.rates[n], 0.0)


@kernel
def sped_rates(A: Arrays, W: Work, t: float, near: NearbyStates) -> None:
    """Rates at the positions of the state, with velocities changed by the steps."""
    for n in range(near.steps.shape[0]):
        for k in range(near.q.shape[0]):
            near.moved[k] = near.q[k]
        for k in range(near.v.shape[0]):
            near.sped[k] = near.v[k] + near.steps[n, k]
        evaluate(A, W, t, near.moved, near.sped, near.rates[n], 0.0)
