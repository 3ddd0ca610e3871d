"""Contacts in joints with clearance: located, so that no step straddles the beginning or the end of one.

Around the loop of the explicit methods, one step at a time. A journal that is apart is let fly through the wall in a trial
step, and one in contact go on without force where it has come off; either way forces are smooth within the step. Where the gap
has changed its sign by the end of the step, or within it, the time is found on the dense output and the step taken again up to
there, as often as the gap at its end, on the constraints, asks for. Then the contact begins with its normal speed as v0, or
ends, the derivative is taken anew, and steps go on with the length that the last contact or flight began with.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.contacts.events import END, GAP, RATE, first_event, see
from sheetmbs.analysis.integrators.explicit.explicit import ATTEMPT, CLOCK_PLACES, NEXT, PASSED, STEP, TIME, integrate
from sheetmbs.analysis.status import Status
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.clearance import CLOSED, NORMAL, SPEED, apply_clearances
from sheetmbs.engine.turns import count_turns, recall_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work
from sheetmbs.jit import inline_kernel, kernel

Floats = NDArray[np.float64]

DONE, PAUSED = int(Status.DONE), int(Status.PAUSED)
STEPS = int(Count.STEPS)

CLOSE = 1e-3  # of the error allowed: a gap smaller than that is none
FIRST_LOG = 1000  # contacts for which there is room at first
MOST_TRIES = 4  # to end a step where the gap is zero
NONE = -1.0  # joint whose contact is to change
FIRST = 0.1  # of a step of the flight: what the first contact begins with
PARTS = 8  # of a step in which the largest force is looked for

# Columns of `watch` behind those of `events`, of each joint: since when it is apart or in contact, the longest flight, largest
# force of this contact and of all, first step of a contact and of a flight, whether the next step is that, row in the log.
SINCE, LONGEST, PEAK, LARGEST, CONTACT_STEP, FLIGHT_STEP, IS_FIRST, LOGGED = range(2 * END, 2 * END + 8)
WATCHED = LOGGED + 1
# Columns of the log, a row per contact: time at which it began, number of the joint, v0, duration, largest normal force.
BEGAN, WHICH, IMPACT, LASTED, MOST = range(5)


@inline_kernel
def look_for_peak(record, contact, watch, c, h):
    """Keep the largest normal force in a step, from Hermite's interpolant of the depth and from the force at its end."""
    peak = contact[c, NORMAL]
    d0, d1, v0, v1 = watch[c, GAP], watch[c, END + GAP], watch[c, RATE], watch[c, END + RATE]
    for part in range(PARTS if contact[c, CLOSED] > 0.0 else 0):
        s = part / PARTS
        bend, twist = h * v0 - (d1 - d0), -h * v1 + (d1 - d0)
        depth = (1.0 - s) * d0 + s * d1 + s * (1.0 - s) * ((1.0 - s) * bend + s * twist)
        rate = (d1 - d0 + (1.0 - 2.0 * s) * ((1.0 - s) * bend + s * twist) + s * (1.0 - s) * (twist - bend)) / h
        if depth > 0.0:
            elastic = record.stiffness * depth * math.sqrt(depth)
            peak = max(peak, elastic * (1.0 + record.damping * rate / contact[c, SPEED]))
    watch[c, PEAK] = max(watch[c, PEAK], peak)
    watch[c, LARGEST] = max(watch[c, LARGEST], peak)


@inline_kernel
def begin_contact(record, contact, watch, c, t, log, logged):
    """Let a contact begin at time t with the rate of its gap as v0."""
    contact[c, CLOSED] = 1.0
    contact[c, SPEED] = max(watch[c, END + RATE], record.least_speed)
    watch[c, LONGEST] = max(watch[c, LONGEST], t - watch[c, SINCE])
    watch[c, SINCE] = t
    watch[c, PEAK] = 0.0
    watch[c, IS_FIRST] = 1.0
    watch[c, LOGGED] = logged[0]
    log[logged[0], BEGAN] = t
    log[logged[0], WHICH] = c
    log[logged[0], IMPACT] = watch[c, END + RATE]
    log[logged[0], LASTED] = math.nan
    log[logged[0], MOST] = math.nan
    logged[0] += 1


@inline_kernel
def end_contact(contact, watch, c, t, log):
    """Let a contact end at time t."""
    contact[c, CLOSED] = 0.0
    row = int(watch[c, LOGGED])
    if row >= 0:
        log[row, LASTED] = t - watch[c, SINCE]
        log[row, MOST] = watch[c, PEAK]
    watch[c, SINCE] = t
    watch[c, PEAK] = 0.0


@kernel
def change_contacts(A, W, target, tolerance, watch, t, h, flight, log, logged, clock):
    """Let contacts begin and end at the end of a step of length h; ``target`` for certain, -1 for none.

    flight: step that was tried first. Returns whether there was a change.
    """
    contact = W.contact
    changed = False
    for c in range(A.clearance.shape[0]):
        gap, rate = watch[c, END + GAP], watch[c, END + RATE]
        if contact[c, CLOSED] > 0.0:
            if watch[c, IS_FIRST] > 0.0 and h > 0.0:
                watch[c, CONTACT_STEP] = h
                watch[c, IS_FIRST] = 0.0
            if c == target or gap < -tolerance or (gap <= tolerance and rate < 0.0):
                end_contact(contact, watch, c, t, log)
                changed = True
                if watch[c, FLIGHT_STEP] > 0.0:
                    clock[STEP] = watch[c, FLIGHT_STEP]
        elif c == target or gap > tolerance or (gap >= -tolerance and rate > 0.0):
            begin_contact(A.clearance[c], contact, watch, c, t, log, logged)
            changed = True
            watch[c, FLIGHT_STEP] = flight
            known = watch[c, CONTACT_STEP]
            clock[STEP] = min(clock[STEP], known if known > 0.0 else FIRST * flight)
    return changed


@kernel
def integrate_with_contacts(
    A,
    W,
    method,
    allowed,
    h_fixed,
    project,
    from_step,
    rows,
    horizon,
    row,
    y,
    k,
    good,
    trial,
    predicted,
    weights,
    clock,
    limit,
    begin,
    began,
    aim,
    watch,
    held,
    log,
    logged,
):
    """As `integrate`, with contacts located.

    begin: (2, n) state and derivative, began: clock at the start of a step. aim: (4,) the joint whose contact is to change at
    its end, NONE for none, how often that was tried, the length asked for, and that of the step tried first.
    watch: (joints, WATCHED). held: (rows, joints, 2)
    CLOSED and SPEED at each reported row. log: (contacts, 5), logged: (1,) rows in use.
    """
    joints = A.clearance.shape[0]
    nq, nv, last = A.position_size.shape[0], A.scale.shape[0], rows.times.shape[0]
    tolerance = CLOSE * allowed * A.length
    for _ in range(limit):
        if row >= last:
            return DONE, row
        if logged[0] + joints > log.shape[0]:
            return PAUSED, row
        target, tries, asked, flight = int(aim[0]), aim[1], aim[2], aim[3]
        if target < 0:
            copy(y, begin[0])
            copy(k[0], begin[1])
            copy(clock, began)
            see(A, W, y, watch, 0)
        t = began[TIME]
        status, reached = integrate(
            A, W, method, allowed, h_fixed, project, from_step, rows, horizon, row, y, k, good, trial, predicted, weights,
            clock, 1
        )  # fmt: skip
        h = clock[TIME] - t
        if not h > 0.0:
            row = reached
            aim[0] = NONE
            if status != PAUSED:
                return status, row
            continue
        see(A, W, y, watch, END)
        again = 0.0
        if clock[ATTEMPT] > 0.0 or began[ATTEMPT] > 0.0 or clock[PASSED] != began[PASSED]:
            target = -1  # across a singular position: what changes on the way counts from its end on
        else:
            if target >= 0 and abs(h - asked) > 1e-6 * asked:
                target = -1
            if target >= 0:
                gap, rate = watch[target, END + GAP], watch[target, END + RATE]
                nearer = h - gap / rate if rate != 0.0 else 0.0
                if abs(gap) > tolerance and tries < MOST_TRIES and 0.5 * h < nearer < 2.0 * h:
                    tries += 1.0
                    again = nearer
            else:
                flight = h
                target, share = first_event(A, W, method, begin, k, t, h, tolerance, watch, weights, trial)
                if target >= 0:
                    tries = 0.0
                    again = share * h
                    if share == 0.0:
                        again = -1.0
        if again != 0.0:
            copy(begin[0], y)
            copy(begin[1], k[0])
            copy(began, clock)
            recall_turns(A.counted, W.turn)
            W.count[STEPS] -= 1
            if again > 0.0:
                clock[STEP] = again
                aim[0], aim[1], aim[2], aim[3] = target, tries, again, flight
                continue
            h = 0.0  # a journal that is apart, but presses against the wall
            reached = row
        for r in range(row, reached):
            for c in range(joints):
                held[r, c, 0] = W.contact[c, CLOSED]
                held[r, c, 1] = W.contact[c, SPEED]
        row = reached
        see(A, W, y, watch, END)
        count_turns(A.counted, W.pose, W.turn, t + h)
        if h > 0.0:
            apply_clearances(A.clearance, A.body, W.pose, W.place, W.contact, W.force)
            for c in range(joints):
                look_for_peak(A.clearance[c], W.contact, watch, c, h)
        if change_contacts(A, W, target, tolerance, watch, t + h, h, flight, log, logged, clock):
            clock[NEXT] = 0.0  # no way back across this moment
            evaluate(A, W, t + h, y[:nq], y[nq : nq + nv], k[0], 0.0)
        aim[0] = NONE
    return PAUSED, row


class Contacts:
    """What is known of the contacts of one run, and `integrate_with_contacts` over it.

    held: (rows, joints, 2) CLOSED and SPEED at each reported row.
    """

    def __init__(self, arrays: Arrays, work: Work, t: float, y: Floats, rows: int) -> None:
        joints = len(arrays.clearance)
        self.contact = work.contact
        self.begin = np.zeros((2, len(y)))
        self.began = np.zeros(CLOCK_PLACES)
        self.aim = np.array([NONE, 0.0, 0.0, 0.0])
        self.watch = np.zeros((joints, WATCHED))
        self.watch[:, SINCE] = t
        self.watch[:, LOGGED] = -1.0
        self.held = np.zeros((rows, joints, 2))
        self.log = np.zeros((FIRST_LOG + joints, 5))
        self.logged = np.zeros(1, dtype=np.int64)
        work.contact[:, CLOSED] = 0.0
        see(arrays, work, y, self.watch, END)
        clock = np.zeros(CLOCK_PLACES)
        change_contacts(arrays, work, -1, 0.0, self.watch, t, 0.0, 0.0, self.log, self.logged, clock)
        self.watch[:, FLIGHT_STEP] = 0.0
        self.held[0] = work.contact[:, (CLOSED, SPEED)]

    def advance(self, *arguments: Any) -> tuple[int, int]:
        """As `integrate`, with its arguments."""
        if self.logged[0] + len(self.watch) > len(self.log):
            self.log = np.concatenate((self.log, np.zeros_like(self.log)))
        own = (self.begin, self.began, self.aim, self.watch, self.held, self.log, self.logged)
        status, row = integrate_with_contacts(*(*arguments, *own))
        return int(status), int(row)

    def kept(self) -> tuple[NDArray[Any], ...]:
        """What `recall` needs to come back to the present state."""
        return self.contact.copy(), self.watch.copy(), self.logged.copy()

    def recall(self, kept: tuple[NDArray[Any], ...]) -> None:
        """Come back to an earlier state."""
        self.contact[:], self.watch[:], self.logged[:] = kept
        self.aim[0] = NONE

    def impacts(self) -> Floats:
        """(contacts, 5) when each began, at which joint, v0, how long it lasted, its largest normal force; NaN: not over."""
        return self.log[: int(self.logged[0])]

    def totals(self, t: float) -> Floats:
        """(joints, 3) number of contacts, longest flight (s) and largest normal force (N) until time t."""
        apart = np.where(self.contact[:, CLOSED] > 0.0, 0.0, t - self.watch[:, SINCE])
        numbers = np.bincount(self.impacts()[:, WHICH].astype(np.int64), minlength=len(self.watch))
        return np.column_stack((numbers, np.maximum(self.watch[:, LONGEST], apart), self.watch[:, LARGEST]))
