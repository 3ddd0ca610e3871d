"""Configurations over the values of drivers, with their first and second derivatives by each driver.

With n_d drivers that fix all that joints leave free, Phi(q, u) = 0 gives q(u), and with J = Phi_q:

    J V_k  = e_k                    unit rate of driver k, the others held
    J A_kl = gamma_kl               gamma(v) is quadratic: gamma_kk = gamma(V_k),
                                    2 gamma_kl = gamma(V_k + V_l) - gamma(V_k) - gamma(V_l)

so that along any path u(s) the velocities are V u' and the accelerations V u'' + u' A u'. All share one factor of J J^T.

Variants of a model have other coordinates: frames, axes and lengths are written over between their walks.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.algebra.newton import (
    DEAD_POINT,
    DOGLEG,
    DONE,
    LEAST_EPS,
    NOT_CLOSED,
    SHORTEST,
    SINGULAR,
    SURPRISING,
    close_predicted,
    factor_here,
    solve_accelerations,
    solve_positions,
    solve_rates,
    surprise,
)
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.kinematics import displace
from sheetmbs.engine.records import Floats, Floats2, Floats3, Floats4, Ints
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work


@dataclass(frozen=True, eq=False)
class DrivenPoses(Bundle):
    """What a walk over values of drivers is given and what it finds; d drivers."""

    motion: Ints  # (d,) of each driver
    value: Floats2  # (rows, d)
    q: Floats  # (nq,) the last configuration
    u: Floats  # (d,) and its values
    rate: Floats2  # (d, nv) its first derivatives
    curvature: Floats3  # (d, d, nv) and second ones
    change: Floats  # (d,) scratch
    aim: Floats  # (d,) scratch
    positions: Floats2  # (rows, nq)
    first: Floats3  # (rows, d, nv)
    second: Floats4  # (rows, d, d, nv)


@inline_kernel
def set_drivers(A, motions, values):
    """Let drivers have these values and no rates."""
    for k in range(motions.shape[0]):
        A.motion[motions[k]].p = values[k]


@kernel
def differentiate(A, W, motions, first, second) -> None:
    """Derivatives at the configuration whose Jacobian and factor are in W.

    motions: (drivers,) of which each is. first: (drivers, nv) V. second: (drivers, drivers, nv) A, symmetric.
    """
    drivers, nv = first.shape
    for k in range(drivers):
        for m in range(W.motion.shape[0]):
            W.motion[m, 1] = 0.0
        W.motion[motions[k], 1] = 1.0
        for c in range(nv):
            first[k, c] = 0.0
        solve_rates(A, W, first[k])
    for m in range(W.motion.shape[0]):
        W.motion[m, 2] = 0.0
    for k in range(drivers):
        solve_accelerations(A, W, first[k], second[k, k])
    for k in range(drivers):
        for m in range(k):
            for c in range(nv):
                W.newton[c] = first[k, c] + first[m, c]
            solve_accelerations(A, W, W.newton, second[k, m])
            for c in range(nv):
                second[k, m, c] = 0.5 * (second[k, m, c] - second[k, k, c] - second[m, m, c])
                second[m, k, c] = second[k, m, c]


@inline_kernel
def predict(A, W, q, first, second, change, guess):
    """Second-order prediction of the configuration after a change (drivers,) of the drivers."""
    copy(q, guess)
    for c in range(first.shape[1]):
        step = 0.0
        for k in range(change.shape[0]):
            curved = 0.0
            for m in range(change.shape[0]):
                curved += second[k, m, c] * change[m]
            step += change[k] * (first[k, c] + 0.5 * curved)
        W.newton[c] = step / A.scale[c]
    displace(A.body, A.beams, guess, W.newton, A.scale, 1.0)


@kernel
def begin_poses(A, W, D, tolerance) -> int:
    """Close D.q at the values D.u and differentiate there. Returns 1 if it does not close, else 0."""
    set_drivers(A, D.motion, D.u)
    if solve_positions(A, W, 0.0, D.q, tolerance, DOGLEG):
        return 1
    factor_here(A, W, LEAST_EPS)
    differentiate(A, W, D.motion, D.rate, D.curvature)
    return 0


@kernel
def reach_row(A, W, D, n, tolerance) -> int:
    """Go from D.q at D.u to row n of D.value on the same branch. Returns DONE, or why D.q is only as far as it came."""
    q, u, first, second, change, aim = D.q, D.u, D.rate, D.curvature, D.change, D.aim
    share = 1.0
    while True:
        for k in range(u.shape[0]):
            change[k] = share * (D.value[n, k] - u[k])
            aim[k] = D.value[n, k] if share == 1.0 else u[k] + change[k]
        predict(A, W, q, first, second, change, W.guess)
        copy(W.guess, W.state)
        set_drivers(A, D.motion, aim)
        is_open = close_predicted(A, W, 0.0, tolerance)
        if is_open:
            copy(W.state[: W.guess.shape[0]], W.guess)
            is_open = solve_positions(A, W, 0.0, W.guess, tolerance, DOGLEG)
            factor_here(A, W, LEAST_EPS)
        if is_open or (share > SHORTEST and surprise(A.position_size, W.state, W.guess) > SURPRISING):
            share *= 0.5
            if is_open and share <= SHORTEST:
                return NOT_CLOSED
            continue
        differentiate(A, W, D.motion, first, second)
        if W.pivot_ratio[0] < DEAD_POINT:
            return SINGULAR
        copy(W.guess, q)
        copy(aim, u)
        if share == 1.0:
            return DONE
        share = min(1.0, 2.0 * share / (1.0 - share))


@inline_kernel
def keep_row(D, n):
    """Store the configuration reached and its derivatives as row n."""
    copy(D.q, D.positions[n])
    for k in range(D.u.shape[0]):
        copy(D.rate[k], D.first[n, k])
        for m in range(D.u.shape[0]):
            copy(D.curvature[k, m], D.second[n, k, m])


@inline_kernel
def stands_at(D, n):
    """Whether the last configuration is that of row n."""
    is_there = True
    for k in range(D.u.shape[0]):
        is_there = is_there and D.value[n, k] == D.u[k]
    return is_there


@inline_kernel
def recall_row(D, n, u):
    """Stand at row n again, whose values are u (d,), with the derivatives found there."""
    copy(D.positions[n], D.q)
    copy(u, D.u)
    for k in range(D.u.shape[0]):
        copy(D.first[n, k], D.rate[k])
        for m in range(D.u.shape[0]):
            copy(D.second[n, k, m], D.curvature[k, m])


@kernel
def pose_around(
    A: Arrays, W: Work, D: DrivenPoses, q: Floats, u: Floats, middle: int, tolerance: float
) -> tuple[int, int]:
    """Configurations at the rows of ``D.value`` from ``middle`` up and down, each from the one before on the same branch.

    q: (nq,) where both walks begin, with the values u (d,). Returns the first row that was reached and the one after the last.
    """
    copy(q, D.q)
    copy(u, D.u)
    if begin_poses(A, W, D, tolerance):
        return middle, middle
    end = middle
    while end < D.value.shape[0]:
        is_there = end > middle and stands_at(D, end)
        if not is_there and reach_row(A, W, D, end, tolerance) != DONE:
            break
        keep_row(D, end)
        end += 1
    if end > middle:
        recall_row(D, middle, D.value[middle])
    else:
        copy(q, D.q)
        copy(u, D.u)
        begin_poses(A, W, D, tolerance)
    first = middle
    while first > 0:
        is_there = first < end and stands_at(D, first - 1)
        if not is_there and reach_row(A, W, D, first - 1, tolerance) != DONE:
            break
        first -= 1
        keep_row(D, first)
    return first, end


@kernel
def pose_each(A: Arrays, W: Work, D: DrivenPoses, start: Floats2, reached: Ints, tolerance: float) -> int:
    """Configurations at the rows of ``D.value``, each reached from the one that its row has, at the values start (rows, d).

    A row that begins where it is to be stays as it is. One that was not reached is left as far as it came on the same branch,
    which ``start`` then says; reached: (rows,) 1 or 0. Returns how many were.
    """
    count = 0
    for n in range(D.value.shape[0]):
        recall_row(D, n, start[n])
        reached[n] = 0
        if stands_at(D, n) or reach_row(A, W, D, n, tolerance) == DONE:
            reached[n] = 1
            count += 1
        else:
            begin_poses(A, W, D, tolerance)  # where the search ended, nothing has been differentiated
        copy(D.u, start[n])
        keep_row(D, n)
    return count


@dataclass(frozen=True, eq=False)
class Variants(Bundle):
    """Coordinates of V variants, and which of their rows are reached. Each has as many rows, the last of them at its start."""

    frame: Floats3  # (V, frames, 3) in body coordinates
    axis: Floats3  # (V, parts, 6) of a row's bodies i and j, in body coordinates
    offset: Floats2  # (V, parts)
    start: Floats  # (nq,) where each begins
    u: Floats2  # (V, d) and the values of the drivers there
    middle: Ints  # (V,) the row from which walks go up and down
    reached: Ints  # (V * rows,) 1 or 0


@inline_kernel
def write_variant(A, V, v):
    """Let a model have the coordinates of variant v."""
    for f in range(A.frame.shape[0]):
        A.frame[f].x = V.frame[v, f, 0]
        A.frame[f].y = V.frame[v, f, 1]
        A.frame[f].z = V.frame[v, f, 2]
    for p in range(A.part.shape[0]):
        A.part[p].ax = V.axis[v, p, 0]
        A.part[p].ay = V.axis[v, p, 1]
        A.part[p].az = V.axis[v, p, 2]
        A.part[p].bx = V.axis[v, p, 3]
        A.part[p].by = V.axis[v, p, 4]
        A.part[p].bz = V.axis[v, p, 5]
        A.part[p].offset = V.offset[v, p]


@kernel
def walk_rows(A, W, D, V, first, last, step, tolerance) -> None:
    """Reach rows from ``first`` to before ``last``, one from the other, as far as the linkage goes."""
    n = first
    while n != last:
        if reach_row(A, W, D, n, tolerance) != DONE:
            return
        keep_row(D, n)
        V.reached[n] = 1
        n += step


@kernel
def pose_variants(A: Arrays, W: Work, D: DrivenPoses, V: Variants, tolerance: float) -> None:
    """Configurations at the rows of ``D.value``, those of one variant after the other.

    ``A.row`` is the beginning of ``A.part``.
    """
    rows = D.value.shape[0] // V.u.shape[0]
    for v in range(V.u.shape[0]):
        write_variant(A, V, v)
        first, last = v * rows, (v + 1) * rows - 1
        middle = first + V.middle[v]
        for way in range(2):
            copy(V.start, D.q)
            for k in range(D.u.shape[0]):
                D.u[k] = V.u[v, k]
            if begin_poses(A, W, D, tolerance):
                break
            if way == 0:
                keep_row(D, last)
                V.reached[last] = 1
                walk_rows(A, W, D, V, middle, last, 1, tolerance)
            else:
                walk_rows(A, W, D, V, middle - 1, first - 1, -1, tolerance)
