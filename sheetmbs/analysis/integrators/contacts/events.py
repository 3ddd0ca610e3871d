"""When a contact begins or ends within a step: gaps of journals, and where they change their sign.

Dense output is asked for only where a journal may have come near the wall. With r its place and u = r-dot, its way from r0 to
r1 leaves the chord, which comes nearest to the wall at its ends, by about h |u1 - u0|/8 and what else is left of Hermite's
interpolant; four times the former are allowed for.
"""

import math

from sheetmbs.analysis.integrators.explicit.explicit import weigh_dense
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.clearance import CLOSED, seen_from_bearing
from sheetmbs.engine.kinematics import move_bodies, place_bodies
from sheetmbs.engine.vec import combine, copy
from sheetmbs.jit import inline_kernel, kernel

SAMPLES = 16  # of the gap within a step
HALVINGS = 30
REFINEMENTS = 12
ITERATIONS = 60
SHARP = 1e-13  # of a step: how far a time is found on the dense output
JUST_OFF = 1e-3  # of the clearance: a journal that is nearer to the wall, and leaves it, has just come off

# Columns of `watch`, of each joint: gap, its rate, r and u at the start of a step, and from END on at its end.
GAP, RATE, PLACE, MOVE, END = 0, 1, 2, 5, 8


@kernel
def see(A, W, y, watch, at):
    """Gaps, their rates, places and velocities of all journals in a state, to the columns of ``watch`` from ``at`` on."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    place_bodies(A, W, y[:nq])
    move_bodies(A, W, y[nq : nq + nv])
    for c in range(A.clearance.shape[0]):
        _ax, _ay, _az, rx, ry, rz, _along, ux, uy, uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
        e = math.sqrt(rx * rx + ry * ry + rz * rz)
        watch[c, at + GAP] = e - A.clearance[c].clearance
        watch[c, at + RATE] = (rx * ux + ry * uy + rz * uz) / e if e > 0.0 else 0.0
        watch[c, at + PLACE] = rx
        watch[c, at + PLACE + 1] = ry
        watch[c, at + PLACE + 2] = rz
        watch[c, at + MOVE] = ux
        watch[c, at + MOVE + 1] = uy
        watch[c, at + MOVE + 2] = uz


@inline_kernel
def may_have_crossed(watch, c, closed, clearance, h):
    """Whether the gap of a joint may have changed its sign within a step of length h."""
    if closed:
        if watch[c, END + GAP] < 0.0:
            return True
        if not (watch[c, RATE] < 0.0 < watch[c, END + RATE]):
            return False
        return min(watch[c, GAP], watch[c, END + GAP]) < 0.25 * h * (watch[c, END + RATE] - watch[c, RATE])
    bend = 0.0
    rest = 0.0
    for m in range(3):
        u0, u1 = watch[c, MOVE + m], watch[c, END + MOVE + m]
        left = watch[c, END + PLACE + m] - watch[c, PLACE + m] - 0.5 * h * (u0 + u1)
        bend += (u1 - u0) ** 2
        rest += left * left
    nearest = max(watch[c, GAP], watch[c, END + GAP])
    if watch[c, GAP] > -JUST_OFF * clearance and watch[c, RATE] < 0.0:
        nearest = watch[c, END + GAP]
    return nearest + 0.5 * h * math.sqrt(bend) + math.sqrt(rest) >= 0.0


@kernel
def gap_within(A, W, method, begin, k, h, share, c, weights, trial):
    """Gap of a joint at a share of a step, on the dense output."""
    weigh_dense(method.dense, share, weights)
    combine(weights, k, method.a.shape[0], trial)
    for m in range(trial.shape[0]):
        trial[m] = begin[m] + h * trial[m]
    place_bodies(A, W, trial[: A.position_size.shape[0]])
    _ax, _ay, _az, rx, ry, rz, _along, _ux, _uy, _uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
    return math.sqrt(rx * rx + ry * ry + rz * rz) - A.clearance[c].clearance


@kernel
def crossing(A, W, method, begin, k, h, c, sign, first, tolerance, weights, trial):
    """Share of a step at which sign times the gap of a joint first becomes positive, 2 where it does not; first: at its start.

    0: at once, for a journal that is apart and does not come off.
    """
    a, fa = 0.0, first
    before, fbefore = 0.0, first
    for sample in range(1, SAMPLES + 1):
        b = sample / SAMPLES
        fb = sign * gap_within(A, W, method, begin, k, h, b, c, weights, trial)
        if not fb > tolerance and fa >= fb and fa >= fbefore and a > 0.0:  # it may have been so in between
            low, high = before, b
            for _ in range(REFINEMENTS):
                left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
                fleft = sign * gap_within(A, W, method, begin, k, h, left, c, weights, trial)
                fright = sign * gap_within(A, W, method, begin, k, h, right, c, weights, trial)
                if max(fleft, fright) > tolerance:
                    b, fb = (left, fleft) if fleft > tolerance else (right, fright)
                    a, fa = before, fbefore
                    break
                if fleft > fright:
                    high = right
                else:
                    low = left
        if fb > tolerance:
            break
        before, fbefore = a, fa
        a, fa = b, fb
    else:
        return 2.0
    if fa >= -tolerance:
        for _ in range(HALVINGS):  # it began at zero: was it the other way in between?
            middle = 0.5 * (a + b)
            fmiddle = sign * gap_within(A, W, method, begin, k, h, middle, c, weights, trial)
            if fmiddle < -tolerance:
                a, fa = middle, fmiddle
                break
            b, fb = middle, fmiddle
        else:
            return 0.0 if sign > 0.0 else 1.0 / SAMPLES
    for _ in range(ITERATIONS):
        if b - a <= SHARP:
            break
        middle = (a * fb - b * fa) / (fb - fa)
        if not a < middle < b:
            middle = 0.5 * (a + b)
        fmiddle = sign * gap_within(A, W, method, begin, k, h, middle, c, weights, trial)
        if fmiddle > 0.0:
            b, fb = middle, fmiddle
            fa *= 0.5
        else:
            a, fa = middle, fmiddle
            fb *= 0.5
        if abs(fmiddle) <= 0.01 * tolerance:
            return middle
    return 0.5 * (a + b)


@kernel
def first_event(A, W, method, begin, k, t, h, tolerance, watch, weights, trial):
    """Joint whose contact begins or ends first within a step, -1 for none, and the share of the step at which.

    begin: (2, n) state and derivative at its start; k as the step left it.
    """
    stages, total = method.stages, method.a.shape[0]
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    earliest, which, is_dense = 1.0, -1, False
    for c in range(A.clearance.shape[0]):
        closed = W.contact[c, CLOSED] > 0.0
        if not may_have_crossed(watch, c, closed, A.clearance[c].clearance, h):
            continue
        if not is_dense:
            is_dense = True
            copy(begin[1], k[0])
            for i in range(stages + 1, total):
                combine(method.a[i], k, i, trial)
                for m in range(trial.shape[0]):
                    trial[m] = begin[0, m] + h * trial[m]
                evaluate(A, W, t + method.c[i] * h, trial[:nq], trial[nq : nq + nv], k[i], 0.0)
        sign = -1.0 if closed else 1.0
        share = crossing(A, W, method, begin[0], k, h, c, sign, sign * watch[c, GAP], tolerance, weights, trial)
        if share < earliest:
            earliest, which = share, c
    if is_dense:
        copy(k[stages], k[0])
    return which, earliest
