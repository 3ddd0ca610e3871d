"""What must act on each body besides all applied forces, for it to move as it does: Newton and Euler, frame by frame.

    f = m r-ddot - f_applied        m_O = d(r x m r-dot + L)/dt - m_O,applied       about the global origin

Nothing goes over from one frame to the next: angles that are counted past a turn are those of planar bodies, and in space
the ones next to zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.applied import apply_all
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.spatial_body import spun
from sheetmbs.engine.codes import OX, OY, OZ, PHI
from sheetmbs.engine.constraints import move_all, place_all
from sheetmbs.engine.kinematics import PLANAR, SPATIAL
from sheetmbs.engine.motion.motions import evaluate_motions
from sheetmbs.engine.records import Floats, Floats2, Floats3
from sheetmbs.engine.revolution_counts import GUESS
from sheetmbs.engine.vec import cross
from sheetmbs.engine.work import Work


@dataclass(frozen=True, eq=False)
class InverseLoads(Bundle):
    """Frames and what is found in each."""

    times: Floats  # (n,)
    q: Floats2  # (n, nq)
    v: Floats2  # (n, nv)
    a: Floats2  # (n, nv)
    wrench: Floats3  # (n, nb, 6) on each body, ground too: force and moment about the global origin
    phi: Floats2  # (n, nr) position residuals of all rows


@inline_kernel
def counted_angle(A, pose, k):
    """Angle by which the turn k has turned, of planar bodies with their whole turns."""
    turn = A.turn[k]
    i, j = turn.body_i, turn.body_j
    angle = 0.0
    if A.body[j].kind == PLANAR:
        angle += pose[j, PHI]
    if A.body[i].kind == PLANAR:
        angle -= pose[i, PHI]
    if angle != 0.0:
        angle += math.atan2(turn.by, turn.bx) - math.atan2(turn.a1y, turn.a1x)
    return angle


@inline_kernel
def needed_wrench(A, W, b, a, out):
    """Wrench on body b that its acceleration asks for beyond the applied forces in `Work.force`, to out (6,)."""
    body, mass, force = A.body[b], A.mass, W.force
    k = body.v
    fx = mass[k] * a[k] - force[k]
    fy = mass[k + 1] * a[k + 1] - force[k + 1]
    fz = mx = my = mz = 0.0
    if body.kind == PLANAR:
        mz = mass[k + 2] * a[k + 2] - force[k + 2]
    elif body.kind == SPATIAL:
        fz = mass[k + 2] * a[k + 2] - force[k + 2]
        mx, my, mz = spun(
            W.pose,
            b,
            mass[k + 3] * a[k + 3] - force[k + 3],
            mass[k + 4] * a[k + 4] - force[k + 4],
            mass[k + 5] * a[k + 5] - force[k + 5],
        )
    ex, ey, ez = cross(W.pose[b, OX], W.pose[b, OY], W.pose[b, OZ], fx, fy, fz)
    out[0], out[1], out[2] = fx, fy, fz
    out[3], out[4], out[5] = mx + ex, my + ey, mz + ez


@kernel
def find_inverse_loads(A: Arrays, W: Work, L: InverseLoads) -> None:
    """Fill wrench and phi."""
    for n in range(L.times.shape[0]):
        q, v, a = L.q[n], L.v[n], L.a[n]
        evaluate_motions(A.motion, A.curves, A.tapes, L.times[n], W.motion, W.hint, W.stack, W.fault)
        place_all(A, W, A.turn, q)
        for k in range(A.turn.shape[0]):
            W.turn[k, GUESS] = counted_angle(A, W.pose, k)
        place_all(A, W, A.turn, q)
        move_all(A, W, A.turn, v)
        apply_all(A, W, L.times[n], v)
        for b in range(1, A.body.shape[0]):
            needed_wrench(A, W, b, a, L.wrench[n, b])
        for r in range(A.row.shape[0]):
            L.phi[n, r] = W.phi[r]
