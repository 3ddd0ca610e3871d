"""Contacts in joints with clearance: located, so that no step straddles the beginning or the end of one.

Around the loop of the explicit methods, one step at a time. A journal that is apart is let fly through the wall in a trial
step, and one in contact go on without force where it has come off; either way forces are smooth within the step. Where the gap
has changed its sign by the end of the step, or within it, the time is found on the dense output and the step taken again up to
there, as often as the gap at its end, on the constraints, asks for. Then the contact begins with its normal speed as v0, or
ends, the derivative is taken anew, and steps go on with the length that the last contact or flight began with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.contacts.contact_log import (
    CLOSE,
    NO_JOINT,
    ContactLog,
    Contacts,
    change_contacts,
    hold_rows,
    look_for_peak,
)
from sheetmbs.analysis.integrators.contacts.events import first_event
from sheetmbs.analysis.integrators.contacts.journals import GAP, RATE, see
from sheetmbs.analysis.integrators.explicit.explicit_step import ExplicitMemory, ExplicitRungeKutta, derive, integrate
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.stepping.driver import CLOCK, STEPS, Course, is_finished, record
from sheetmbs.analysis.solution import Status
from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.forces.clearance import apply_clearances
from sheetmbs.engine.records import Floats2, Records
from sheetmbs.engine.revolution_counts import count_turns, recall_turns
from sheetmbs.engine.vec import copy
from sheetmbs.engine.work import Work

DONE, PAUSED = int(Status.DONE), int(Status.PAUSED)

MOST_TRIES = 4  # to end a step where the gap is zero
AS_ASKED = 1e-6  # share by which a step may differ from what was asked for
AT_ONCE = -1.0  # the contact changes where the step began

# What a step is aimed at: the joint whose contact is to change at its end, how often that was tried, the length asked for and
# that of the step tried first, s; how many singular positions had been passed before.
AIM = np.dtype([("target", "i8"), ("tries", "i8"), ("asked", "f8"), ("flight", "f8"), ("passed", "i8")])


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
        see(A, W, C.y, L.after)
        target, again = where_to_end(A, W, M, L, X, t, h, tolerance)
        if again != 0.0:
            take_back(A, W, C, M, X)
            if again > 0.0:
                aim.target, aim.asked = target, again
                clock.step = again
                continue
            h = 0.0  # a journal that is apart, but presses against the wall
        hold_rows(W, L, first_row, clock.row)
        see(A, W, C.y, L.after)
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
    see(A, W, C.y, L.before)


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
    if target != NO_JOINT and abs(h - aim.asked) > AS_ASKED * aim.asked:
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
    """The explicit methods with error control, with contacts located. Rows are chosen anew by steps of one."""

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
