"""The corrector of an implicit multistep method, y = past + c f(t, y), by simplified Newton iteration.

Its unknowns are the velocities; positions follow from q = past + c q-dot(q, v), and the residual r = past + c v-dot - v is
brought to zero with the matrix of `tangent.py`. With projection every iterate is put on the constraints, and only the part of
r along them is left to solve for: a residual across them would deform stiff springs and slow the iteration down.

The iteration ends where what is still to come, size rate/(1 - rate), is small enough (Hairer and Wanner 1996, sec. IV.8). Where
the rate is seen to be slow, first Z alone is renewed at the next step, then the matrices. With a new matrix
the rate says nothing about the next step: where forces are very stiff, the same matrix may then be a poor one.
"""

import math
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.ndf.differences import DIFFERENCES
from sheetmbs.analysis.integrators.newton_matrix import factor_newton, linearise, product, renew_basis
from sheetmbs.analysis.integrators.stepping.error_sizes import size_of
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.dense import solve_dense
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import position_rates
from sheetmbs.engine.records import Floats, Floats2, Ints
from sheetmbs.engine.vec import copy

ITERATIONS = int(Count.ITERATIONS)

MOST_ITERATIONS = 5
NEWTON_SHARE = 0.05  # of the error allowed that the corrector may leave
LEAST_CHANGE = 1e-14  # of the sizes of velocities: rounding of a state
HELD = 0.1  # LEAST_CHANGE HELD/(c rate): rounding of velocities of what stiff springs hold, q = past + c v
TURNED = 0.03  # convergence rate from which on Z is renewed
SLOW = 0.3  # convergence rate from which on the matrices are renewed
UNKNOWN = 0.3  # rate that is counted on before one is seen
FORGETTING = 0.8  # power of a rate by which it is trusted less from one step to the next where it is not seen again
SWEEPS = 2  # for Euler parameters, which depend on themselves; each gains a factor c |w|/2

CONVERGED, OUTDATED, HOPELESS = range(3)  # OUTDATED: the same step may succeed with new matrices

# Places in `CorrectorMemory.state`.
SEEN, TRUSTED, FACTORED = range(3)


@dataclass(frozen=True, eq=False)
class CorrectorMemory(Bundle):
    """What a multistep method keeps and works with; n = nq + nv + 1, d degrees of freedom."""

    difference: Floats2  # (DIFFERENCES, n) of the states
    predicted: Floats  # (n,)
    past: Floats  # (n,)
    x: Floats  # (n,) iterate
    x_v: Floats  # (nv,) view of x
    trial: Floats  # (n,) its copy that is evaluated
    trial_q: Floats  # (nq,) view of trial
    trial_v: Floats  # (nv,) view of trial
    rates: Floats  # (n,) derivative of the iterate
    moved: Floats  # (n,) derivative beside it, or a change
    basis: Floats2  # (d, nv) Z
    by_position: Floats2  # (d, d) A_q
    by_velocity: Floats2  # (d, d) A_v
    matrix: Floats2  # (d, d) factors of I - c A_v - c^2 A_q
    swap: Ints  # (d,)
    rank: Ints  # (1,) vectors of Z, 0 as long as there are none
    residual: Floats  # (nv,) mass-scaled
    along: Floats  # (d,) residual along Z
    still: Floats  # (nr,) zeros
    state: Floats  # (3,) convergence rate seen last, the one counted on, c of the factors


def make_memory(run: Run) -> CorrectorMemory:
    """Memory for a run, without matrices yet."""
    nq, nv, nr = len(run.arrays.position_size), len(run.arrays.scale), len(run.arrays.row)
    n, d = len(run.y), max(nv - nr, 1)
    x, trial = np.zeros(n), np.zeros(n)
    return CorrectorMemory(
        difference=np.zeros((DIFFERENCES, n)),
        predicted=np.zeros(n),
        past=np.zeros(n),
        x=x,
        x_v=x[nq : nq + nv],
        trial=trial,
        trial_q=trial[:nq],
        trial_v=trial[nq : nq + nv],
        rates=np.zeros(n),
        moved=np.zeros(n),
        basis=np.zeros((d, nv)),
        by_position=np.zeros((d, d)),
        by_velocity=np.zeros((d, d)),
        matrix=np.zeros((d, d)),
        swap=np.zeros(d, dtype=np.int64),
        rank=np.zeros(1, dtype=np.int64),
        residual=np.zeros(nv),
        along=np.zeros(d),
        still=np.zeros(nr),
        state=np.array([1.0, UNKNOWN, 0.0]),
    )


@inline_kernel
def size_of_change(A, change, first, last, rate):
    """Root mean square of the entries ``first`` to ``last`` of a change of the state over their sizes."""
    total = 0.0
    for m in range(first, last):
        total += (change[m] / size_of(A.position_size, A.velocity_class, m, rate, A.length)) ** 2
    return math.sqrt(total / max(last - first, 1))


@inline_kernel
def follow(bodies, beams, N, c):
    """Positions of the iterate that belong to its velocities."""
    for _ in range(SWEEPS):
        position_rates(bodies, beams, N.x, N.x_v, N.moved)
        for m in range(N.trial_q.shape[0]):
            N.x[m] = N.past[m] + c * N.moved[m]


@inline_kernel
def improve(A, N, c, across):
    """One Newton step of the velocities, which is left in N.moved. across: whether the residual across Z counts too."""
    nq, nv, rank = A.position_size.shape[0], A.scale.shape[0], N.rank[0]
    basis, residual, along = N.basis, N.residual, N.along
    for m in range(nv):
        residual[m] = (N.past[nq + m] + c * N.rates[nq + m] - N.x[nq + m]) / A.scale[m]
    for j in range(rank):
        along[j] = product(basis, j, residual)
    solve_dense(N.matrix, rank, N.swap, along)
    if across:
        for j in range(rank):
            along[j] -= product(basis, j, residual)
    for m in range(nv):
        change = residual[m] if across else 0.0
        for j in range(rank):
            change += along[j] * basis[j, m]
        N.moved[nq + m] = A.scale[m] * change
        N.x[nq + m] += N.moved[nq + m]


@kernel
def correct(A, W, t, c, project, allowed, rate, N):
    """Solve y = past + c f(t, y) from N.predicted on, into N.x: positions and velocities. Returns how it ended.

    project: 0, or the residual to which each iterate is put on the constraints. allowed: error that the step may have. rate:
    largest of |v|/L and |omega|.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    x, state = N.x, N.state
    copy(N.predicted, x)
    least = LEAST_CHANGE * max(1.0, HELD / (c * rate))
    enough = max(NEWTON_SHARE * allowed, least)
    worst = min(state[TRUSTED] ** FORGETTING, UNKNOWN)
    relinearise = state[SEEN] > SLOW
    renew = relinearise or state[SEEN] > TURNED
    before = 0.0
    for iteration in range(MOST_ITERATIONS):
        follow(A.body, A.beams, N, c)
        copy(x, N.trial)
        failed = evaluate(A, W, t, N.trial_q, N.trial_v, N.rates, project)
        W.count[ITERATIONS] += 1
        if failed:
            return HOPELESS
        if project > 0.0:
            copy(N.trial_v, N.x_v)
        if iteration == 0:
            if relinearise:
                linearise(A, W, t, rate, N)
            elif renew:
                N.rank[0] = renew_basis(A, W, N.basis, N.rank[0], N.still, N.residual)
            if renew:
                state[SEEN] = 0.0
                worst = UNKNOWN
            if relinearise or state[FACTORED] != c:
                factor_newton(N, c)
                state[FACTORED] = c
        improve(A, N, c, project == 0.0)
        size = size_of_change(A, N.moved, nq, nq + nv, rate)
        if not math.isfinite(size):
            state[SEEN] = math.inf
            return HOPELESS
        if iteration > 0:
            ratio = size / before
            worst = ratio if iteration == 1 else max(worst, ratio)
            state[SEEN] = worst
        if size <= least or size * worst < enough * (1.0 - worst):
            follow(A.body, A.beams, N, c)
            state[TRUSTED] = UNKNOWN if renew else worst
            return CONVERGED
        if worst >= 1.0:
            break
        before = size
    state[SEEN] = math.inf
    return HOPELESS if relinearise else OUTDATED
