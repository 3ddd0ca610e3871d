"""Journals in their bearings and the contacts of a run: which joints are in contact since when, and what became of each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.forces.clearance import CLOSED, NORMAL, SPEED, seen_from_bearing
from sheetmbs.engine.kinematics import move_bodies, place_bodies
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints, Records
from sheetmbs.engine.work import Work

# Columns of what is measured of each journal: gap to the wall, negative where it is apart, its rate, place and velocity in the
# bearing.
GAP, RATE, PLACE, MOVE = 0, 1, 2, 5
GAP_COLUMNS = 8
CLOSE = 1e-3  # of the error allowed: a gap smaller than that is none
FIRST_LOG = 1000  # contacts for which there is room at first
NO_JOINT = -1
NO_ROW = -1
FIRST = 0.1  # of a step of the flight: what the first contact begins with
PARTS = 8  # of a step in which the largest force is looked for


@kernel
def measure_gaps(A: Arrays, W: Work, y: Floats, gaps: Floats2) -> None:
    """Gaps, their rates, places and velocities of all journals in a state, to ``gaps`` (joints, GAP_COLUMNS)."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    place_bodies(A, W, y[:nq])
    move_bodies(A, W, y[nq : nq + nv])
    for c in range(A.clearance.shape[0]):
        _ax, _ay, _az, rx, ry, rz, _along, ux, uy, uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
        e = math.sqrt(rx * rx + ry * ry + rz * rz)
        gaps[c, GAP] = e - A.clearance[c].clearance
        gaps[c, RATE] = (rx * ux + ry * uy + rz * uz) / e if e > 0.0 else 0.0
        gaps[c, PLACE], gaps[c, PLACE + 1], gaps[c, PLACE + 2] = rx, ry, rz
        gaps[c, MOVE], gaps[c, MOVE + 1], gaps[c, MOVE + 2] = ux, uy, uz


@inline_kernel
def gap_of(A, W, c):
    """Gap of one journal where the bodies have been placed."""
    _ax, _ay, _az, rx, ry, rz, _along, _ux, _uy, _uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
    return math.sqrt(rx * rx + ry * ry + rz * rz) - A.clearance[c].clearance


# A joint: since when it is apart or in contact, the longest flight, s; largest force of this contact and of all, N; length of
# the first step of its last contact and of its last flight, s, 0 unknown; whether the next step is the first; row in the log.
JOURNAL = np.dtype(
    [(name, "f8") for name in ("since", "longest", "peak", "largest", "contact_step", "flight_step")]
    + [("is_first", "i8"), ("logged", "i8")]
)
# Columns of the log, a row per contact: time at which it began, number of the joint, v0, duration, largest normal force.
BEGAN, WHICH, IMPACT, LASTED, LARGEST = range(5)


@dataclass(frozen=True, eq=False)
class ContactLog(Bundle):
    """Contacts as kernels see them."""

    journal: Annotated[Records, JOURNAL]  # (joints,)
    before: Floats2  # (joints, GAP_COLUMNS) at the start of a step, see `measure_gaps`
    after: Floats2  # (joints, GAP_COLUMNS) at its end
    held: Floats3  # (rows, joints, 2) CLOSED and SPEED at each reported row
    log: Floats2  # (contacts, 5)
    logged: Ints  # (1,) rows of it in use


@inline_kernel
def look_for_peak(record, contact, L, c, h):
    """Keep the largest normal force in a step, from Hermite's interpolant of the depth and from the force at its end."""
    peak = contact[c, NORMAL]
    d0, d1, v0, v1 = L.before[c, GAP], L.after[c, GAP], L.before[c, RATE], L.after[c, RATE]
    for part in range(PARTS if contact[c, CLOSED] > 0.0 else 0):
        s = part / PARTS
        bend, twist = h * v0 - (d1 - d0), -h * v1 + (d1 - d0)
        depth = (1.0 - s) * d0 + s * d1 + s * (1.0 - s) * ((1.0 - s) * bend + s * twist)
        rate = (d1 - d0 + (1.0 - 2.0 * s) * ((1.0 - s) * bend + s * twist) + s * (1.0 - s) * (twist - bend)) / h
        if depth > 0.0:
            elastic = record.stiffness * depth * math.sqrt(depth)
            peak = max(peak, elastic * (1.0 + record.damping * rate / contact[c, SPEED]))
    journal = L.journal[c]
    journal.peak = max(journal.peak, peak)
    journal.largest = max(journal.largest, peak)


@inline_kernel
def begin_contact(record, contact, L, c, t):
    """Let a contact begin at time t with the rate of its gap as v0."""
    journal, row = L.journal[c], L.logged[0]
    contact[c, CLOSED] = 1.0
    contact[c, SPEED] = max(L.after[c, RATE], record.least_speed)
    journal.longest = max(journal.longest, t - journal.since)
    journal.since = t
    journal.peak = 0.0
    journal.is_first = 1
    journal.logged = row
    L.log[row, BEGAN] = t
    L.log[row, WHICH] = c
    L.log[row, IMPACT] = L.after[c, RATE]
    L.log[row, LASTED] = math.nan
    L.log[row, LARGEST] = math.nan
    L.logged[0] += 1


@inline_kernel
def end_contact(contact, L, c, t):
    """Let a contact end at time t."""
    journal = L.journal[c]
    contact[c, CLOSED] = 0.0
    if journal.logged != NO_ROW:
        L.log[journal.logged, LASTED] = t - journal.since
        L.log[journal.logged, LARGEST] = journal.peak
    journal.since = t
    journal.peak = 0.0


@kernel
def change_contacts(
    A: Arrays,
    W: Work,
    L: ContactLog,
    target: int,
    tolerance: float,
    t: float,
    lengths: tuple[float, float, float],
) -> tuple[bool, float]:
    """Let contacts begin and end at time t, the end of a step; that of joint ``target`` for certain.

    lengths: of this step, of the one that was tried first, and of what the next one would be. Returns whether there was a
    change, and how long the next one is.
    """
    contact = W.contact
    h, flight, step = lengths
    changed = False
    for c in range(A.clearance.shape[0]):
        gap, rate, journal = L.after[c, GAP], L.after[c, RATE], L.journal[c]
        if contact[c, CLOSED] > 0.0:
            if journal.is_first and h > 0.0:
                journal.contact_step = h
                journal.is_first = 0
            if c == target or gap < -tolerance or (gap <= tolerance and rate < 0.0):
                end_contact(contact, L, c, t)
                changed = True
                if journal.flight_step > 0.0:
                    step = journal.flight_step
        elif c == target or gap > tolerance or (gap >= -tolerance and rate > 0.0):
            begin_contact(A.clearance[c], contact, L, c, t)
            changed = True
            journal.flight_step = flight
            known = journal.contact_step
            step = min(step, known if known > 0.0 else FIRST * flight)
    return changed, step


@inline_kernel
def hold_rows(W, L, first, behind):
    """Keep which journals are in contact for the rows from ``first`` to before ``behind``."""
    for row in range(first, behind):
        for c in range(L.journal.shape[0]):
            L.held[row, c, 0] = W.contact[c, CLOSED]
            L.held[row, c, 1] = W.contact[c, SPEED]


class Contacts:
    """The contacts of one run: `log` for kernels, what they found for others."""

    def __init__(self, arrays: Arrays, work: Work, t: float, y: Floats, rows: int) -> None:
        joints = len(arrays.clearance)
        self.contact = work.contact
        self.log = ContactLog(
            journal=as_records(np.zeros(joints, JOURNAL)),
            before=np.zeros((joints, GAP_COLUMNS)),
            after=np.zeros((joints, GAP_COLUMNS)),
            held=np.zeros((rows, joints, 2)),
            log=np.zeros((FIRST_LOG + joints, 5)),
            logged=np.zeros(1, dtype=np.int64),
        )
        self.log.journal.logged, self.log.journal.since = NO_ROW, t
        work.contact[:, CLOSED] = 0.0
        measure_gaps(arrays, work, y, self.log.after)
        change_contacts(arrays, work, self.log, NO_JOINT, 0.0, t, (0.0, 0.0, 0.0))
        self.log.journal.flight_step = 0.0
        self.log.held[0] = work.contact[:, (CLOSED, SPEED)]

    def make_room(self) -> None:
        """Let the log be longer, where not all joints could begin a contact any more."""
        log, joints = self.log.log, len(self.log.journal)
        if self.log.logged[0] + joints > len(log):
            self.log = replace(self.log, log=np.concatenate((log, np.zeros_like(log))))

    def kept(self) -> tuple[NDArray[Any], ...]:
        """What `recall` needs to come back to the present state."""
        return self.contact.copy(), self.log.journal.copy(), self.log.logged.copy()

    def recall(self, kept: tuple[NDArray[Any], ...]) -> None:
        """Come back to an earlier state."""
        self.contact[:], self.log.journal[:], self.log.logged[:] = kept

    @property
    def held(self) -> Floats:
        """(rows, joints, 2) CLOSED and SPEED at each reported row."""
        return self.log.held

    def impacts(self) -> Floats:
        """(contacts, 5) when each began, at which joint, v0, how long it lasted, its largest normal force; NaN: not over."""
        return self.log.log[: int(self.log.logged[0])]

    def totals(self, t: float) -> Floats:
        """(joints, 3) number of contacts, longest flight (s) and largest normal force (N) until time t."""
        journal = self.log.journal
        apart = np.where(self.contact[:, CLOSED] > 0.0, 0.0, t - journal.since)
        numbers = np.bincount(self.impacts()[:, WHICH].astype(np.int64), minlength=len(journal))
        return np.column_stack((numbers, np.maximum(journal.longest, apart), journal.largest))
