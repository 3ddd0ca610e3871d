"""The corrector of an implicit multistep method, y = past + c f(t, y), by simplified Newton iteration.

Its unknowns are the velocities; positions follow from q = past + c q-dot(q, v), and the residual r = past + c v-dot - v is
brought to zero with the matrix of `newton_matrix.py`. With projection every iterate is put on the constraints, and only the
part of r along them is left to solve for: a residual across them would deform stiff springs and slow the iteration down.

The iteration ends where what is still to come, size rate/(1 - rate), is small enough (Hairer and Wanner 1996, IV.8.10). Where
the rate is seen to be slow, first Z alone is renewed at the next step, then the matrices. With a new matrix
the rate says nothing about the next step: where forces are very stiff, the same matrix may then be a poor one.
"""

import math

from sheetmbs.analysis.integrators.ndf.ndf_memory import UNKNOWN_RATE
from sheetmbs.analysis.integrators.ndf.newton_matrix import factor_newton, linearise, product, renew_basis
from sheetmbs.analysis.integrators.stepping.error_sizes import size_of
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.algebra.dense import solve_dense
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.kinematics import position_rates
from sheetmbs.engine.vec import copy

ITERATIONS = int(Count.ITERATIONS)

MOST_ITERATIONS = 5
NEWTON_SHARE = 0.05  # of the error allowed that the corrector may leave
LEAST_CHANGE = 1e-14  # of the sizes of velocities: rounding of a state
HELD = 0.1  # LEAST_CHANGE HELD/(c rate): rounding of velocities of what stiff springs hold, q = past + c v
TURNED = 0.03  # convergence rate from which on Z is renewed
SLOW = 0.3  # convergence rate from which on the matrices are renewed
LEAST_RATE = 1e-16  # that is trusted: none at all would be so for ever (as in RADAU5)
FORGETTING = 0.8  # power of a rate by which it is trusted less from one step to the next where it is not seen again
SWEEPS = 2  # for Euler parameters, which depend on themselves; each gains a factor c |w|/2

CONVERGED, OUTDATED, HOPELESS = range(3)  # OUTDATED: the same step may succeed with new matrices


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
    nq, nv, rank = A.position_size.shape[0], A.scale.shape[0], N.state[0].rank
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


@inline_kernel
def renew_matrices(A, W, N, t, c, relinearise, renew):
    """Renew the matrices or Z alone at the first iterate, and factor them where they are others or c is another one."""
    state = N.state[0]
    if relinearise:
        linearise(A, W, N, t)
    elif renew:
        renew_basis(A, W, N)
    if relinearise or state.factored != c:
        factor_newton(N, c)
        state.factored = c


@kernel
def correct(A, W, C, N, t, c) -> int:
    """Solve y = past + c f(t, y) from N.predicted on, into N.x: positions and velocities. Returns how it ended.

    Each iterate is put on the constraints as far as C.project says.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    state = N.state[0]
    copy(N.predicted, N.x)
    least = LEAST_CHANGE * max(1.0, HELD / (c * state.rate))
    enough = max(NEWTON_SHARE * C.allowed, least)
    relinearise = state.seen > SLOW
    renew = relinearise or state.seen > TURNED
    worst = UNKNOWN_RATE if renew else min(max(state.trusted, LEAST_RATE) ** FORGETTING, UNKNOWN_RATE)
    before = 0.0
    for iteration in range(MOST_ITERATIONS):
        follow(A.body, A.beams, N, c)
        copy(N.x, N.trial)
        failed = evaluate(A, W, t, N.trial_q, N.trial_v, N.rates, C.project)
        W.count[ITERATIONS] += 1
        if failed:
            return HOPELESS
        if C.project > 0.0:
            copy(N.trial_v, N.x_v)
        if iteration == 0:
            renew_matrices(A, W, N, t, c, relinearise, renew)
            state.seen = 0.0 if renew else state.seen
        improve(A, N, c, C.project == 0.0)
        size = size_of_change(A, N.moved, nq, nq + nv, state.rate)
        if not math.isfinite(size):
            state.seen = math.inf
            return HOPELESS
        if iteration > 0:
            ratio = size / before
            worst = ratio if iteration == 1 else max(worst, ratio)
            state.seen = worst
        if size <= least or size * worst < enough * (1.0 - worst):
            follow(A.body, A.beams, N, c)
            state.trusted = UNKNOWN_RATE if renew else worst
            return CONVERGED
        if worst >= 1.0:
            break
        before = size
    state.seen = math.inf
    return HOPELESS if relinearise else OUTDATED
