"""What is done with the rows of a dynamic analysis once its motion is known.

`settle_rows`: a step ends at a switch with the accelerations before it, a row shows those behind it. Where a force switches by
the motion, or the slope of a spring's curve does, the rounding of the state decides on which side a row lies; there all rows
are evaluated once more, each by the very numbers that are reported.

`missed_forces`: each formula that may act for a moment only is followed much more closely than the steps did, on Hermite's
polynomials through the reported rows. Where it is for a small part of the way between two rows far larger than for the rest,
all accelerations are evaluated there. If the velocities at the two rows follow from the rest alone, the motion does not know
of what lies between: no step felt it. Rows too far apart to tell how the motion went are passed over, unless the formula
depends on time alone. Accelerations at the rows count for nothing here, for what was missed may stand in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.horizon import short_lived, switches_by_motion
from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.applied import read_variables
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.kinematics import move_bodies, place_bodies, position_rates
from sheetmbs.engine.motion.bytecode import evaluate_value
from sheetmbs.engine.motion.curves import hold_whole_curves
from sheetmbs.engine.records import Floats, Floats2, Floats3, Ints
from sheetmbs.engine.revolution_counts import KNOWN, KNOWN_RATE, KNOWN_TIME
from sheetmbs.engine.work import Work
from sheetmbs.lower import Lowered, System
from sheetmbs.problems.errors import Problem

MISSED_FORCE = "unseen-force"  # code of a problem
LOOKS = 400_000
"""places at which formulas are looked at, all rows together"""
MIN_PROBES, MAX_PROBES = 8, 20_000
"""of them between two rows"""
CLOSER = 100
"""intervals between rows, those with the largest values, in which accelerations are looked at"""
MOST_CLOSER = 2_000
"""places in such an interval"""
SHORT = 0.25
"""mean of a formula over its largest value between two rows: below, it acts for a small part of the time"""
NOTHING = 1e-3
"""of the largest value anywhere: what is smaller does not matter"""
RESOLVED = 0.1
"""change of a position that the velocities at two rows leave unexplained, over what they make of it"""
FELT = 0.5
"""share of what a force does to velocities: where they show less, the motion does not know of it"""
NEGLIGIBLE = 1e-6
"""of the velocities of a motion: a force that changes them by less does not matter"""
PER_FEATURE = 4.0
"""steps that what was missed should last"""


@kernel
def evaluate_rows(
    A: Arrays, W: Work, rows: ReportedRows, chosen: Ints, read: Floats, held: Floats3, state: Floats
) -> None:
    """Evaluate the accelerations of the chosen rows again.

    read: (rows,) times at which functions of time are read. held: (rows, joints, 2) CLOSED and SPEED of located contacts, or
    no rows. state: (2 (nq + nv) + 1,) scratch.
    """
    nq, nv = rows.q.shape[1], rows.v.shape[1]
    q, v, rates = state[:nq], state[nq : nq + nv], state[nq + nv :]
    for n in chosen:
        for m in range(nq):
            q[m] = rows.q[n, m]
        for k in range(nv):
            v[k] = rows.v[n, k]
        for k in range(rows.turn.shape[1]):
            W.turn[k, KNOWN] = rows.turn[n, k]
            W.turn[k, KNOWN_RATE] = 0.0
            W.turn[k, KNOWN_TIME] = read[n]
        if held.shape[0] > 0:
            for c in range(held.shape[1]):
                W.contact[c, CLOSED] = held[n, c, 0]
                W.contact[c, SPEED] = held[n, c, 1]
        evaluate(A, W, read[n], q, v, rates, 0.0)
        for k in range(nv):
            rows.a[n, k] = rates[nq + k]


def settle_rows(lowered: Lowered, run: Run, read: NDArray[np.float64]) -> None:
    """Put the accelerations of all rows on the side of the switches on which the rows are read; see above.

    read: (rows,) times at which functions of time are read. Counts of evaluations stay as they are.
    """
    arrays, work = run.arrays, run.work
    is_anywhere = run.corners is not None or switches_by_motion(lowered)
    chosen = np.arange(run.row) if is_anywhere else np.flatnonzero(read[: run.row] != run.rows.times[: run.row])
    if not len(chosen):
        return
    counts = work.count.copy()
    hold_whole_curves(arrays.elements.curve, arrays.curves, work.held)
    held = np.zeros((0, 0, 2)) if run.contacts is None else run.contacts.held
    evaluate_rows(arrays, work, run.rows, chosen, read, held, np.zeros(2 * len(run.y) - 1))
    work.count[:] = counts


@dataclass(frozen=True, eq=False)
class Survey(Bundle):
    """What is looked at and what was found between rows, and scratch; n formulas."""

    formulas: Ints  # (n,) their numbers
    reads_motion: Ints  # (n,) 0 or 1
    most: Floats2  # (n, rows - 1) largest |value|
    mean: Floats2  # (n, rows - 1) mean |value|
    at: Floats2  # (n, rows - 1) when the largest is reached, s
    rates0: Floats  # (nq,) q-dot at a row
    rates1: Floats  # (nq,) and at the next one
    trial: Floats  # (nq + nv,)
    rates: Floats  # (nq + nv + 1,)


@inline_kernel
def place_between(rows: ReportedRows, n: int, S: Survey, h: float, s: float) -> None:
    """State at the share s of the way from row n to the next: positions by Hermite's cubic, velocities by a line."""
    nq, r, trial = rows.q.shape[1], 1.0 - s, S.trial
    for m in range(nq):
        from_start = r * r * ((1.0 + 2.0 * s) * rows.q[n, m] + s * h * S.rates0[m])
        trial[m] = from_start + s * s * ((3.0 - 2.0 * s) * rows.q[n + 1, m] - r * h * S.rates1[m])
    for m in range(rows.v.shape[1]):
        trial[nq + m] = r * rows.v[n, m] + s * rows.v[n + 1, m]


@inline_kernel
def rates_at(A: Arrays, rows: ReportedRows, n: int, S: Survey) -> None:
    """Q-dot at row n and at the next one."""
    position_rates(A.body, A.beams, rows.q[n], rows.v[n], S.rates0)
    position_rates(A.body, A.beams, rows.q[n + 1], rows.v[n + 1], S.rates1)


@kernel
def survey(A: Arrays, W: Work, rows: ReportedRows, count: int, S: Survey, looks: int) -> None:
    """Largest and mean |value| of formulas between each two of ``count`` rows, and when the largest is reached."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    for n in range(count - 1):
        h = rows.times[n + 1] - rows.times[n]
        rates_at(A, rows, n, S)
        left, size = 0.0, 0.0
        for m in range(nq):
            unit = A.position_size[m]
            change = rows.q[n + 1, m] - rows.q[n, m]
            left = max(left, abs(change - 0.5 * h * (S.rates0[m] + S.rates1[m])) / unit)
            size = max(size, h * abs(S.rates0[m]) / unit, h * abs(S.rates1[m]) / unit)
        for look in range(looks):
            s = (look + 0.5) / looks
            t = rows.times[n] + s * h
            if A.loads.variable.shape[0] > 0:
                place_between(rows, n, S, h, s)
                place_bodies(A, W, S.trial[:nq])
                move_bodies(A, W, S.trial[nq : nq + nv])
                read_variables(A.loads.variable, W.pose, W.place, W.variable)
            for f in range(S.formulas.shape[0]):
                if S.reads_motion[f] and not left <= RESOLVED * size:
                    continue
                start = A.tapes.start[S.formulas[f]]
                fault, value = evaluate_value(A.tapes.operation, A.tapes.constant, start, t, W.variable, W.stack)
                if fault != 0:
                    continue
                S.mean[f, n] += abs(value) / looks
                if abs(value) > S.most[f, n]:
                    S.most[f, n] = abs(value)
                    S.at[f, n] = t


@kernel
def follow(
    A: Arrays, W: Work, rows: ReportedRows, n: int, S: Survey, formula: int, values: Floats, found: Floats2
) -> None:
    """|values| (looks,) of one formula, and all accelerations ``found`` (looks, nv), at equal distances behind row n."""
    nq, nv, looks = rows.q.shape[1], rows.v.shape[1], values.shape[0]
    t = rows.times[n]
    h = rows.times[n + 1] - t
    rates_at(A, rows, n, S)
    for look in range(looks):
        s = (look + 0.5) / looks
        place_between(rows, n, S, h, s)
        evaluate(A, W, t + s * h, S.trial[:nq], S.trial[nq : nq + nv], S.rates, 0.0)
        for k in range(nv):
            found[look, k] = S.rates[nq + k]
        start = A.tapes.start[formula]
        _fault, value = evaluate_value(A.tapes.operation, A.tapes.constant, start, t + s * h, W.variable, W.stack)
        values[look] = abs(value)


def missed_forces(lowered: Lowered, system: System, run: Run) -> Iterator[Problem]:
    """A warning at every formula that did something of which the motion does not know, with what would let a step see it."""
    formulas, intervals = short_lived(lowered), run.row - 1
    if not formulas or intervals < 1:
        return
    nq, size = run.rows.q.shape[1], len(run.y)
    looks = int(np.clip(LOOKS // intervals, MIN_PROBES, MAX_PROBES))
    reads = np.array([len(lowered.formulas[n].expression.variables) > 0 for n in formulas], dtype=np.int64)
    most, mean, at = (np.zeros((len(formulas), intervals)) for _ in range(3))
    numbers = np.array(formulas, dtype=np.int64)
    found = Survey(numbers, reads, most, mean, at, np.zeros(nq), np.zeros(nq), np.zeros(size - 1), np.zeros(size))
    survey(system.arrays, system.work, run.rows, run.row, found, looks)
    for f, number in enumerate(formulas):
        short = np.flatnonzero((mean[f] < SHORT * most[f]) & (most[f] > NOTHING * np.max(most[f])))
        closer = np.sort(short[np.argsort(-most[f, short], kind="stable")][:CLOSER])
        durations = [
            _duration_without_effect(system, run, found, number, int(n), min(looks, MOST_CLOSER)) for n in closer
        ]
        missed = [(n, lasts) for n, lasts in zip(closer, durations, strict=True) if lasts > 0.0]
        if missed:
            n, lasts = missed[0]
            yield _missed(lowered, number, float(at[f, n]), float(most[f, n]), lasts, len(missed))


def _duration_without_effect(system: System, run: Run, survey: Survey, formula: int, n: int, looks: int) -> float:
    """How long a formula is large behind row n without any effect on the motion, s; 0 where it has the effect it should."""
    rows, work = run.rows, system.work
    h = float(rows.times[n + 1] - rows.times[n])
    values, found = np.zeros(looks), np.zeros((looks, rows.v.shape[1]))
    turns = slice(0, rows.turn.shape[1])
    work.turn[turns, KNOWN], work.turn[turns, KNOWN_TIME] = rows.turn[n], rows.times[n]
    work.turn[turns, KNOWN_RATE] = (rows.turn[n + 1] - rows.turn[n]) / h
    follow(system.arrays, work, rows, n, survey, formula, values, found)
    large = values > 0.5 * np.max(values)
    if not np.isfinite(found).all() or large.all():
        return 0.0
    units = np.where(system.arrays.velocity_class == 1, 1.0, system.arrays.length)
    rest = found[values <= np.median(values)].mean(axis=0)
    effect = h * (found.mean(axis=0) - rest) / units
    shown = (rows.v[n + 1] - rows.v[n] - h * rest) / units
    matters = np.max(np.abs(effect)) > NEGLIGIBLE * np.max(np.abs(rows.v[: run.row]) / units)
    felt = float(effect @ shown) > FELT * float(effect @ effect)
    return 0.0 if felt or not matters else h * np.count_nonzero(large) / looks


def _missed(lowered: Lowered, number: int, t: float, value: float, lasts: float, times: int) -> Problem:
    formula, settings = lowered.formulas[number], lowered.model.settings
    name, unit = "a force", "N"
    for force in lowered.model.forces:
        for k, component in enumerate((*force.force, *force.moment)):
            if component is formula:
                name, unit = force.name, "N" if k < 3 else "N m"
    often = f", and at {times - 1} other times like that" if times > 1 else ""
    setting = "step" if INTEGRATORS[settings.integrator].has_fixed_step else "max_step"
    return Problem(
        MISSED_FORCE,
        "warning",
        formula.cell,
        f"at t = {t:.6g} s {name} is {value * abs(formula.scale):.3g} {unit} for about {lasts:.2g} s, which no step met{often}",
        "a step must be short beside what forces do within it, and nothing tells of this one before it comes",
        f"set {setting} to {lasts / PER_FEATURE:.1g} s or less",
    )
