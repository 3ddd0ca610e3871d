"""Contacts in joints with clearance: located, so that no step straddles the beginning or the end of one.

Around the loop of the explicit methods, one step at a time. A journal that is apart is let fly through the wall in a trial
step, and one in contact go on without force where it has come off; either way forces are smooth within the step. Where the gap
has changed its sign by the end of the step, or within it, the time is found on the dense output and the step taken again up to
there, as often as the gap at its end, on the constraints, asks for. Then the contact begins with its normal speed as v0, or
ends, the derivative is evaluated again, and steps go on with the length that the last contact or flight began with.

Dense output is asked for only where a journal may have come near the wall. With r its place and u = r-dot, its way from r0 to
r1 leaves the chord, which comes nearest to the wall at its ends, by about h |u1 - u0|/8 and what else is left of Hermite's
interpolant; four times the former are allowed for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.contacts.contact_log import (
    CLOSE,
    GAP,
    MOVE,
    NO_JOINT,
    PLACE,
    RATE,
    ContactLog,
    Contacts,
    change_contacts,
    gap_of,
    hold_rows,
    look_for_peak,
    measure_gaps,
)
from sheetmbs.analysis.integrators.explicit.explicit_step import (
    ExplicitMemory,
    ExplicitRungeKutta,
    derive,
    integrate,
    state_within,
    take_dense_stages,
)
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import Run, Status
from sheetmbs.analysis.integrators.stepping.driver import CLOCK, STEPS, Course, is_finished, record
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.forces.clearance import CLOSED, apply_clearances
from sheetmbs.engine.kinematics import place_bodies
from sheetmbs.engine.records import Floats2, Records
from sheetmbs.engine.revolution_counts import count_turns, recall_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

SAMPLES = 16  # of the gap within a step
HALVINGS = 30
REFINEMENTS = 12
ITERATIONS = 60
SHARP = 1e-13  # of a step: how far a time is found on the dense output
JUST_OFF = 1e-3  # of the clearance: a journal that is nearer to the wall, and leaves it, has just come off
GOLDEN = 0.382
NEVER = 2.0  # share of a step
DONE, PAUSED = int(Status.DONE), int(Status.PAUSED)
MOST_TRIES = 4  # to end a step where the gap is zero
LENGTH_TOLERANCE = 1e-6  # share by which a step may differ from what was wanted
AT_ONCE = -1.0  # the contact changes where the step began


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


# What a step is aimed at: the joint whose contact is to change at its end, how often that was tried, the length wanted and
# that of the step tried first, s; how many singular positions had been passed before.
AIM = np.dtype([("target", "i8"), ("tries", "i8"), ("wanted", "f8"), ("flight", "f8"), ("passed", "i8")])


@dataclass(frozen=True, eq=False)
class ContactMemory(Bundle):
    """Where the step under way began, and what it is aimed at."""

    start: Floats2  # (2, n) state and derivative
    began: Annotated[Records, CLOCK]  # (1,)
    aim: Annotated[Records, AIM]  # (1,)


@kernel
def integrate_with_contacts(
    A: Arrays, W: Work, C: Course, M: ExplicitMemory, L: ContactLog, X: ContactMemory, limit: int
) -> int:
    """Integrate as `integrate` does, and locate every change of contact."""
    joints = A.clearance.shape[0]
    clock, aim = C.clock[0], X.aim[0]
    tolerance = CLOSE * C.allowed * A.length
    for _ in range(limit):
        if is_finished(C):
            return DONE
        if L.logged[0] + joints > L.log.shape[0]:
            return PAUSED
        if aim.target == NO_JOINT:
            remember_start(A, W, C, M, L, X)
        t, first_row = X.began[0].t, X.began[0].row
        status = integrate(A, W, C, M, 1)
        h = clock.t - t
        if not h > 0.0:
            aim.target = NO_JOINT
            if status != PAUSED:
                return status
            continue
        measure_gaps(A, W, C.y, L.after)
        target, length = where_to_end(A, W, M, L, X, t, h, tolerance)
        if length != 0.0:
            take_back(A, W, C, M, X)
            if length > 0.0:
                aim.target, aim.wanted = target, length
                clock.step = length
                continue
            h = 0.0  # a journal that is apart, but presses against the wall
        hold_rows(W, L, first_row, clock.row)
        measure_gaps(A, W, C.y, L.after)
        count_turns(A.counted, W.pose, W.place, W.turn, t + h)
        if h > 0.0:
            apply_clearances(A, W, W.force)
            for c in range(joints):
                look_for_peak(A.clearance[c], W.contact, L, c, h)
        changed, clock.step = change_contacts(A, W, L, target, tolerance, t + h, (h, aim.flight, clock.step))
        if changed:
            M.crossing.state[0].next = 0  # no way back across this moment
            derive(A, W, M, t + h, C.y)
        aim.target = NO_JOINT
    return PAUSED


@kernel
def remember_start(A, W, C, M, L, X) -> None:
    """Keep where a step begins."""
    copy(C.y, X.start[0])
    copy(M.k[0], X.start[1])
    X.began[0] = C.clock[0]
    X.aim[0].passed = M.crossing.state[0].passed
    measure_gaps(A, W, C.y, L.before)


@kernel
def take_back(A, W, C, M, X) -> None:
    """Be where the step began."""
    copy(X.start[0], C.y)
    copy(X.start[1], M.k[0])
    C.clock[0] = X.began[0]
    M.crossing.state[0].next = 0  # what was good may lie behind the wall
    recall_turns(A.counted, W.turn)
    W.count[STEPS] -= 1


@kernel
def where_to_end(A, W, M, L, X, t, h, tolerance) -> tuple[int, float]:
    """The joint whose contact changes in the step just taken, and the length with which it is to be taken again.

    0: it ends where it should; AT_ONCE: the contact changes where it began.
    """
    aim, crossing = X.aim[0], M.crossing.state[0]
    if crossing.attempt > 0 or crossing.passed != aim.passed:
        return NO_JOINT, 0.0  # across a singular position: what changes on the way counts from its end on
    target = aim.target
    if target != NO_JOINT and abs(h - aim.wanted) > LENGTH_TOLERANCE * aim.wanted:
        target = NO_JOINT
    if target != NO_JOINT:
        gap, rate = L.after[target, GAP], L.after[target, RATE]
        nearer = h - gap / rate if rate != 0.0 else 0.0
        if abs(gap) > tolerance and aim.tries < MOST_TRIES and 0.5 * h < nearer < 2.0 * h:
            aim.tries += 1
            return target, nearer
        return target, 0.0
    aim.flight = h
    target, share = first_event(A, W, M, L, X.start, t, h, tolerance)
    if target == NO_JOINT:
        return target, 0.0
    aim.tries = 0
    return target, share * h if share > 0.0 else AT_ONCE


class ContactRungeKutta(ExplicitRungeKutta):
    """The explicit methods with error control, with contacts located. Rows are chosen again by steps of one."""

    watches_pivots = False

    def __init__(self, run: Run, method: Tableau, contacts: Contacts) -> None:
        super().__init__(run, method)
        self.contacts = contacts
        self.steps = ContactMemory(np.zeros((2, len(run.y))), record(CLOCK), record(AIM, target=NO_JOINT))

    def _integrate(self, limit: int) -> int:
        run, contacts = self.run, self.contacts
        contacts.make_room()
        log, steps = contacts.log, self.steps
        status = integrate_with_contacts(run.arrays, run.work, self.course, self.memory, log, steps, limit)
        return int(status)


def explicit_integrator(run: Run, method: Tableau) -> ExplicitRungeKutta:
    """An explicit method over a run, which locates the contacts that the run has."""
    return ExplicitRungeKutta(run, method) if run.contacts is None else ContactRungeKutta(run, method, run.contacts)
