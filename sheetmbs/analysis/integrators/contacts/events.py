"""When a contact begins or ends within a step: where gaps of journals change their sign.

Dense output is asked for only where a journal may have come near the wall. With r its place and u = r-dot, its way from r0 to
r1 leaves the chord, which comes nearest to the wall at its ends, by about h |u1 - u0|/8 and what else is left of Hermite's
interpolant; four times the former are allowed for.
"""

import math

from sheetmbs.analysis.integrators.contacts.contact_log import NO_JOINT
from sheetmbs.analysis.integrators.contacts.journals import GAP, MOVE, PLACE, RATE, gap_of
from sheetmbs.analysis.integrators.explicit.explicit_step import state_within, take_dense_stages
from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.forces.clearance import CLOSED
from sheetmbs.engine.kinematics import place_bodies
from sheetmbs.engine.vec import copy

SAMPLES = 16  # of the gap within a step
HALVINGS = 30
REFINEMENTS = 12
ITERATIONS = 60
SHARP = 1e-13  # of a step: how far a time is found on the dense output
JUST_OFF = 1e-3  # of the clearance: a journal that is nearer to the wall, and leaves it, has just come off
GOLDEN = 0.382
NEVER = 2.0  # share of a step


@inline_kernel
def may_have_crossed(L, c, closed, clearance, h):
    """Whether the gap of a joint may have changed its sign within a step of length h."""
    gap0, gap1, rate0, rate1 = L.before[c, GAP], L.after[c, GAP], L.before[c, RATE], L.after[c, RATE]
    if closed:
        if gap1 < 0.0:
            return True
        if not (rate0 < 0.0 < rate1):
            return False
        return min(gap0, gap1) < 0.25 * h * (rate1 - rate0)
    bend = 0.0
    rest = 0.0
    for m in range(3):
        u0, u1 = L.before[c, MOVE + m], L.after[c, MOVE + m]
        left = L.after[c, PLACE + m] - L.before[c, PLACE + m] - 0.5 * h * (u0 + u1)
        bend += (u1 - u0) ** 2
        rest += left * left
    nearest = max(gap0, gap1)
    if gap0 > -JUST_OFF * clearance and rate0 < 0.0:
        nearest = gap1
    return nearest + 0.5 * h * math.sqrt(bend) + math.sqrt(rest) >= 0.0


@inline_kernel
def sign_of(W, c):
    """Sign that the gap of a joint has once its contact changes: the opposite of its sign now."""
    return -1.0 if W.contact[c, CLOSED] > 0.0 else 1.0


@kernel
def gap_within(A, W, M, y, h, c, share) -> float:
    """The gap of a joint at a share of a step from y, on the dense output; positive where its contact is to change."""
    state_within(M, y, h, share, M.trial)
    place_bodies(A, W, M.trial[: A.position_size.shape[0]])
    return sign_of(W, c) * gap_of(A, W, c)


@kernel
def first_positive(A, W, M, y, h, c, first, tolerance) -> tuple[float, float, float, float]:
    """Two shares of a step between which `gap_within` becomes positive, and it there; the second is NEVER if it does not.

    first: its value at the start. Samples, and where it may have been positive between two of them a golden section.
    """
    a, fa = 0.0, first
    before, fbefore = 0.0, first
    for sample in range(1, SAMPLES + 1):
        b = sample / SAMPLES
        fb = gap_within(A, W, M, y, h, c, b)
        if not fb > tolerance and fa >= fb and fa >= fbefore and a > 0.0:  # it may have been so in between
            low, high = before, b
            for _ in range(REFINEMENTS):
                left, right = low + GOLDEN * (high - low), low + (1.0 - GOLDEN) * (high - low)
                fleft = gap_within(A, W, M, y, h, c, left)
                fright = gap_within(A, W, M, y, h, c, right)
                if fleft > tolerance:
                    return before, fbefore, left, fleft
                if fright > tolerance:
                    return before, fbefore, right, fright
                if fleft > fright:
                    high = right
                else:
                    low = left
        if fb > tolerance:
            return a, fa, b, fb
        before, fbefore = a, fa
        a, fa = b, fb
    return a, fa, NEVER, 0.0


@kernel
def root_between(A, W, M, y, h, c, bracket, tolerance) -> float:
    """Share of a step at which a gap is zero (regula falsi, the Illinois algorithm).

    bracket: a share before it, the gap there, a share behind it, and the gap there.
    """
    a, fa, b, fb = bracket
    for _ in range(ITERATIONS):
        if b - a <= SHARP:
            break
        middle = (a * fb - b * fa) / (fb - fa)
        if not a < middle < b:
            middle = 0.5 * (a + b)
        fmiddle = gap_within(A, W, M, y, h, c, middle)
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
def crossing_of_wall(A, W, M, y, h, c, first, tolerance) -> float:
    """Share of a step at which `gap_within` first becomes positive, NEVER where it does not.

    first: at its start. 0: at once, for a journal that is apart and does not come off.
    """
    a, fa, b, fb = first_positive(A, W, M, y, h, c, first, tolerance)
    if b == NEVER:
        return NEVER
    if fa >= -tolerance:
        for _ in range(HALVINGS):  # it began at zero: was it the other way in between?
            middle = 0.5 * (a + b)
            fmiddle = gap_within(A, W, M, y, h, c, middle)
            if fmiddle < -tolerance:
                a, fa = middle, fmiddle
                break
            b, fb = middle, fmiddle
        else:
            return 0.0 if sign_of(W, c) > 0.0 else 1.0 / SAMPLES
    return root_between(A, W, M, y, h, c, (a, fa, b, fb), tolerance)


@kernel
def first_event(A, W, M, L, start, t, h, tolerance) -> tuple[int, float]:
    """Joint whose contact begins or ends first within a step, NO_JOINT for none, and the share of the step at which.

    start: (2, n) state and derivative at its start; M as the step left it.
    """
    earliest, which, is_dense = 1.0, NO_JOINT, False
    for c in range(A.clearance.shape[0]):
        closed = W.contact[c, CLOSED] > 0.0
        if not may_have_crossed(L, c, closed, A.clearance[c].clearance, h):
            continue
        if not is_dense:
            is_dense = True
            copy(start[1], M.k[0])
            take_dense_stages(A, W, M, t, h, start[0], math.inf)
        share = crossing_of_wall(A, W, M, start[0], h, c, sign_of(W, c) * L.before[c, GAP], tolerance)
        if share < earliest:
            earliest, which = share, c
    if is_dense:
        copy(M.k[M.tableau.stages], M.k[0])
    return which, earliest
