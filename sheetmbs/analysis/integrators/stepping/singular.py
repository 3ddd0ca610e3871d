"""How a singular position is crossed, whatever the method.

Where constraints become dependent for a moment, as when all bars of a linkage lie in one line, S is singular at one point of a
smooth motion. Accelerations near that point are noise, and steps that end there shrink without end. The motion is then taken
up again from the last state that was reached by a step of usual length where S was regular, by other steps: the first of
twelve attempts in which no error is larger than allowed, or else the one whose largest is least.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.interface import Run
from sheetmbs.analysis.integrators.stepping.driver import CLOCK, record
from sheetmbs.compiled import Bundle, inline_kernel
from sheetmbs.engine.records import Floats, Records

STUCK = 0.02  # of the mean step: what is shorter, near a singular position, gets nowhere
USUAL = 0.5  # of the mean step: a state reached by a longer one is one to come back to
NEARLY_SINGULAR = 1e-3  # smallest pivot of S over its diagonal entry
REGULAR = 1e-2  # the same, of a state to come back to
SETTLED = 5  # steps from which on the mean says something
ATTEMPTS = 12
SHORTEST_ATTEMPT, LONGEST_ATTEMPT = 1.25, 3.0  # times the unit
NEAREST, FARTHEST = 0.3, 1.5  # of the mean step: bounds of the way to a singular position
HOPELESS = 1e6  # times the error allowed
REMEMBERED = 8  # times at which positions were passed, the first of them
GOES_ON, FAILED, CROSSED = range(3)

# attempt: number of the one under way, 0 none. next: number with which the next way across begins, 0: there is no way back.
# unit: of the lengths of steps, s; tried: that of the attempt. worst: its largest error so far, over that allowed. best,
# best_step: worst of the best attempt so far, and its step. stuck_at, stuck_row: where no step led on. passed: how many.
CROSSING = np.dtype(
    [(name, "i8") for name in ("attempt", "next", "stuck_row", "passed")]
    + [(name, "f8") for name in ("unit", "tried", "worst", "best", "best_step", "stuck_at")]
)


@dataclass(frozen=True, eq=False)
class Crossing(Bundle):
    """What is known of singular positions on the way of a run."""

    state: Annotated[Records, CROSSING]  # (1,)
    good: Annotated[Records, CLOCK]  # (1,) of the last state to come back to
    passed_at: Floats  # (REMEMBERED,) s

    def update(self, run: Run) -> None:
        """Let a run know how many positions it has passed, and when."""
        passages = int(self.state["passed"][0])
        if passages != run.passages:
            run.passages, run.passed[:] = passages, self.passed_at[:passages].tolist()


def crossing_of(run: Run) -> Crossing:
    """No position ahead as yet; those passed before count on."""
    passed_at = np.zeros(REMEMBERED)
    passed_at[: len(run.passed)] = run.passed
    return Crossing(record(CROSSING, passed=run.passages), record(CLOCK), passed_at)


@inline_kernel
def gets_nowhere(step: float, mean: float, ratio: float) -> bool:
    """Whether steps are short near a singular position, of which the pivot ratio tells."""
    return step < STUCK * mean and ratio < NEARLY_SINGULAR


@inline_kernel
def is_stuck(clock, crossing, ratio):
    """Whether to go back, and try another way across."""
    waits = crossing.attempt == 0 and 0 < crossing.next <= ATTEMPTS and clock.taken > SETTLED
    return waits and gets_nowhere(clock.step, (clock.t - clock.origin) / max(clock.taken, 1.0), ratio)


@inline_kernel
def is_good(h, mean, ratio):
    """Whether a state that was reached by a step h is one to come back to."""
    return h >= USUAL * mean and ratio > REGULAR


@inline_kernel
def keep_clock(X, clock):
    """Remember where a good state is; the method keeps the state itself."""
    X.good[0] = clock
    X.state[0].next = 1


@inline_kernel
def recall_clock(X, C):
    """Be again where the good state is."""
    fastest = C.clock[0].fastest
    C.clock[0] = X.good[0]
    C.clock[0].fastest = fastest


@inline_kernel
def way_to_singular(way, ratio, before, mean):
    """Time from an earlier state to the singular position ahead, where the pivot of S vanishes like its square.

    way: time since that state; before, ratio: pivots then and now; mean: usual step, by which the result is bounded.
    """
    shrinking = math.sqrt(ratio / before) if before > ratio else 0.0
    return min(max(way / (1.0 - shrinking), NEAREST * mean), FARTHEST * mean)


@inline_kernel
def begin_crossing(crossing, clock, unit):
    """Before going back from where no step leads on. unit: of the lengths of steps to try, s."""
    crossing.stuck_at, crossing.stuck_row = clock.t, clock.row
    crossing.unit, crossing.best, crossing.best_step = unit, HOPELESS, 0.0
    crossing.attempt = crossing.next - 1


@inline_kernel
def begin_attempt(crossing, clock):
    """Take up the next attempt: `clock.step` is the step to try, 0 where none is left."""
    crossing.attempt += 1
    crossing.worst = 0.0
    number = crossing.attempt
    if number <= ATTEMPTS:
        share = (number - 1.0) / (ATTEMPTS - 1)
        crossing.tried = crossing.unit * (SHORTEST_ATTEMPT + (LONGEST_ATTEMPT - SHORTEST_ATTEMPT) * share)
    else:
        crossing.tried = crossing.best_step if number == ATTEMPTS + 1 else 0.0
        crossing.best = math.inf
    clock.step = crossing.tried


@inline_kernel
def judge_attempt(crossing, error, is_behind):
    """What a step of an attempt says of it: GOES_ON, FAILED, or CROSSED. is_behind: whether the position lies behind."""
    crossing.worst = max(crossing.worst, error)
    if not crossing.worst < crossing.best:
        return FAILED
    if not is_behind:
        return GOES_ON
    if crossing.worst > 1.0 and crossing.attempt <= ATTEMPTS:
        crossing.best, crossing.best_step = crossing.worst, crossing.tried
        return FAILED
    return CROSSED


@inline_kernel
def end_crossing(X, t):
    """The position lies behind; it was passed at about t. Should the run have ended short of it, the next attempt is due."""
    crossing = X.state[0]
    if crossing.passed < REMEMBERED:
        X.passed_at[crossing.passed] = t
    crossing.passed += 1
    crossing.next = crossing.attempt + 1
    crossing.attempt = 0
