"""What the loops of all methods share: the time reached, how far a step may go, the rows on its way, what is counted.

A method is a kernel with a loop over steps. It asks `look_ahead` and `fitted_step` how far it may go, takes a step of its own
kind, and lets it count by `reach_turns`, `advance_clock` and the rows that it reports, or takes it back by `reject`. Where its
run is, a `Course` keeps between two calls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from sheetmbs.analysis.integrators.interface import ReportedRows, Run
from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate_from
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import Floats, Floats2, Records
from sheetmbs.engine.revolution_counts import ANGLE, REACHED, count_turns, recall_turns

STEPS = int(Count.STEPS)
REJECTIONS = int(Count.REJECTIONS)

TIME_ROUNDING = 1e-14  # of a time: what stands for rounding
SHORTEST = 4e-15  # of a time: a step as short as that does not move it on
ROUNDING = 1e-12  # of a step: a reporting row this near to its end is its end
LAST_TWO = 1.5  # steps that are left: two equal ones rather than a whole one and a scrap

MARK_TIME, MARK_REACH, MARK_JUMPS, MARK_LONGEST = range(4)
"""columns of a horizon, see `analysis/horizon.py`"""

# Where a run is: time reached, that at which it began, and its last reporting time, s; length that the next step should have;
# largest of |v|/L and |omega| so far; pivot ratio of S at the time reached; row of the horizon that counts; next row to
# report; steps taken; how often the step under way was rejected.
CLOCK = np.dtype(
    [(name, "f8") for name in ("t", "origin", "end", "step", "fastest", "ratio")]
    + [(name, "i8") for name in ("mark", "row", "taken", "rejections")]
)


@dataclass(frozen=True, eq=False)
class Course(Bundle):
    """A run as the kernels of its method see it; see `Run`."""

    rows: ReportedRows
    horizon: Floats2  # (marks, 4)
    y: Floats  # (nq + nv + 1,) state at clock.t
    clock: Annotated[Records, CLOCK]  # (1,)
    allowed: float  # error of a step
    fixed: float  # length of all steps, s; 0: as their error allows
    project: float  # residual to which a step is put on the constraints, 0: not
    from_step: bool  # whether Baumgarte's factors follow the step

    def update(self, run: Run) -> None:
        """Let a run know where it is."""
        now = dict(zip(CLOCK.names or (), self.clock.item(), strict=True))
        run.t, run.fastest, run.row = now["t"], now["fastest"], now["row"]


def record(kind: np.dtype[np.void], **values: float) -> Records:
    """One record of a kind, as an array of length 1 whose fields are named; what is not given is zero."""
    return as_records(np.array([tuple(values.get(name, 0) for name in kind.names or ())], kind))


def zeros(names: str, *shape: int) -> dict[str, Any]:
    """Arrays of zeros, all of one shape, by the names of the fields of a bundle that they are."""
    return {name: np.zeros(shape) for name in names.split()}


def course_of(run: Run, *, is_fixed: bool = False) -> Course:
    """The course of a run from where it is. is_fixed: whether all steps have the length of the setting."""
    end = float(run.rows.times[-1])
    before = run.t - TIME_ROUNDING * max(abs(run.t), abs(end))
    mark = max(int(run.horizon[:, MARK_TIME].searchsorted(before)) - 1, 0)
    clock = record(
        CLOCK, t=run.t, origin=run.t, end=end, step=run.first_step, fastest=run.fastest, mark=mark, row=run.row
    )
    fixed = float(run.step) if is_fixed else 0.0
    return Course(
        run.rows, run.horizon, run.y, clock, float(run.allowed), fixed, float(run.project), bool(run.from_step)
    )


# How far a step may go.


def stops(horizon: Floats, end: float) -> Floats:
    """Rising times that no step may pass, the last one ``end``. horizon: as from `analysis/horizon.py`."""
    furthest = np.maximum.accumulate(horizon[:, MARK_REACH])
    times = horizon[1:, MARK_TIME][furthest[:-1] <= horizon[1:, MARK_TIME]]
    return np.append(times[times < end], end)


@inline_kernel
def is_finished(C):
    """Whether all rows are reported."""
    return C.clock[0].row >= C.rows.times.shape[0]


@inline_kernel
def rounding_of(clock):
    """What stands for rounding of the present time."""
    return TIME_ROUNDING * max(abs(clock.t), abs(clock.end))


@inline_kernel
def rate_of(clock, fastest):
    """What errors of velocities are measured by: the ``fastest`` so far, or once through the model's size in the whole run."""
    return fastest if fastest > 0.0 else 1.0 / (clock.end - clock.origin)


@inline_kernel
def mean_step(clock):
    """Mean length of the steps taken."""
    return (clock.t - clock.origin) / max(clock.taken, 1.0)


@inline_kernel
def look_ahead(C):
    """Come to the mark of the horizon that counts from the present time on; whether a formula jumps here.

    What is known of derivatives then counts no longer: they are to be evaluated again at `just_behind`.
    """
    clock = C.clock[0]
    t = just_behind(clock)
    jumps = False
    while clock.mark + 1 < C.horizon.shape[0] and C.horizon[clock.mark + 1, MARK_TIME] <= t:
        clock.mark += 1
        jumps |= C.horizon[clock.mark, MARK_JUMPS] > 0.0
    return jumps


@inline_kernel
def just_behind(clock):
    """Time of the present state behind a jump."""
    return clock.t + rounding_of(clock)


@inline_kernel
def latest_time(C):
    """Time at which a step that ends at a jump is evaluated last: before it."""
    return C.horizon[C.clock[0].mark, MARK_REACH] - rounding_of(C.clock[0])


@kernel
def latest_of_fixed(C, h) -> float:
    """The same of a step of fixed length h; infinite where it does not end at a jump."""
    clock, horizon = C.clock[0], C.horizon
    end, near = clock.t + h, rounding_of(clock)
    k = clock.mark + 1
    while k < horizon.shape[0] and horizon[k, MARK_TIME] <= end + near:
        if horizon[k, MARK_JUMPS] > 0.0 and horizon[k, MARK_TIME] >= end - near:
            return horizon[k, MARK_TIME] - near
        k += 1
    return math.inf


@inline_kernel
def fitted_step(C, wanted):
    """Length of a step that would be ``wanted`` long: not past the end, nor what a mark of the horizon allows to reach."""
    clock = C.clock[0]
    left = clock.end - clock.t
    h = min(wanted, left)
    if wanted < left < LAST_TWO * wanted:
        h = 0.5 * left
    return min(h, C.horizon[clock.mark, MARK_REACH] - clock.t)


@inline_kernel
def longest_step(C):
    """What a step may last at most; see `analysis/horizon.py`."""
    return C.horizon[C.clock[0].mark, MARK_LONGEST]


@inline_kernel
def fixed_step(C):
    """Length of the next of equal steps, which end at whole multiples and at the end."""
    clock = C.clock[0]
    return min(clock.origin + (clock.taken + 1.0) * C.fixed, clock.end) - clock.t


@inline_kernel
def is_too_short(clock, h):
    """Whether a step would not move time on, and is not the last one."""
    return (h <= SHORTEST * max(abs(clock.t), abs(clock.end)) and h < clock.end - clock.t) or not h > 0.0


# The end of a step.


@inline_kernel
def reject(A, W, clock):
    """Take a step back."""
    W.count[REJECTIONS] += 1
    clock.rejections += 1
    recall_turns(A.counted, W.turn)


@inline_kernel
def reach_turns(A, W, t):
    """Count the turns at the end of a step, which was evaluated last."""
    count_turns(A.counted, W.pose, W.place, W.turn, t)
    for turn in range(A.counted.shape[0]):
        W.turn[turn, REACHED] = W.turn[turn, ANGLE]


@inline_kernel
def advance_clock(W, clock, h):
    """Let a step count."""
    W.count[STEPS] += 1
    clock.t = clock.t + h
    clock.taken += 1
    clock.rejections = 0


@inline_kernel
def pivots_have_fallen(W, ratio):
    """Whether the pivots of S have fallen as far as `Work.pivot_watch` says, so that the run is to pause."""
    watch = W.pivot_watch
    if watch[0] > 0.0:
        watch[1] = max(watch[1], ratio)
    return ratio < watch[0] * watch[1]


# Rows.


@kernel
def write_row(rows: ReportedRows, row: int, state: Floats, rates: Floats, turn: Floats2, column: int) -> None:
    """Write a state (q, v, work), its derivative and a column of its counted turns as row ``row`` of ``rows``."""
    nq, nv = rows.q.shape[1], rows.v.shape[1]
    for m in range(nq):
        rows.q[row, m] = state[m]
    for m in range(nv):
        rows.v[row, m] = state[nq + m]
        rows.a[row, m] = rates[nq + m]
    rows.work[row] = state[nq + nv]
    for k in range(rows.turn.shape[1]):
        rows.turn[row, k] = turn[k, column]


@inline_kernel
def has_row_within(C, t, h):
    """Whether the next row lies within a step of length h from t, before its end."""
    row = C.clock[0].row
    return row < C.rows.times.shape[0] and C.rows.times[row] < t + h * (1.0 - ROUNDING)


@inline_kernel
def has_row_at_end(C, t, h):
    """Whether the next row stands at the end of a step of length h from t."""
    row = C.clock[0].row
    return row < C.rows.times.shape[0] and C.rows.times[row] <= t + h * (1.0 + ROUNDING)


@kernel
def report_within(A, W, C, state, project) -> None:
    """Report the next row: ``state``, which dense output predicts for its time, put on the constraints and evaluated.

    It is so near to them that the factor of a place elsewhere in the step hardly ever brings it nearer.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    clock = C.clock[0]
    time = C.rows.times[clock.row]
    evaluate_from(A, W, time, state[:nq], state[nq : nq + nv], W.rates, project, False)  # noqa: FBT003 - kernels have no keywords
    count_turns(A.counted, W.pose, W.place, W.turn, time)
    write_row(C.rows, clock.row, state, W.rates, W.turn, ANGLE)
    clock.row += 1


@inline_kernel
def report_end(W, C, t, h, state, rates):
    """Report the rows, one mostly, that stand at the end of a step of length h from t: ``state`` and its derivative."""
    clock = C.clock[0]
    while has_row_at_end(C, t, h):
        write_row(C.rows, clock.row, state, rates, W.turn, REACHED)
        clock.row += 1
