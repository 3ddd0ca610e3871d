"""What the Adams method remembers from step to step, and how it goes back to try again at a singular position.

Where constraints become dependent for a moment (see `explicit.py`), accelerations near the singular point are noise, and
steps that end there shrink without end. Steps of the Adams method are shorter than the stretch on which that noise counts, so
one alone seldom crosses it. The motion is taken up again from the last state that was reached by a step of usual length, with
its history, and goes on by equal steps, whatever their errors, until the position lies behind and S is regular again: by the
first of ten such series, of 0.4 to 1.6 of the usual step, in which no error is larger than allowed, or else by the one whose
largest is least.
"""

import math

from sheetmbs.analysis.integrators.adams.adams_formulas import BEFORE
from sheetmbs.analysis.integrators.stepping.singular import ATTEMPTS, LONGEST_ATTEMPT, SHORTEST_ATTEMPT
from sheetmbs.compiled import inline_kernel, kernel


@inline_kernel
def attempted(number, way):
    """Length of the attempt of that number, from 1 on, to cross a singular position that far away."""
    return way * (SHORTEST_ATTEMPT + (LONGEST_ATTEMPT - SHORTEST_ATTEMPT) * (number - 1.0) / (ATTEMPTS - 1))


# Places in `clock`; the first ones belong to the state and are kept with it.
TIME, MARK, ORDER, LAST_ORDER, LAST_STEP, EQUAL, STARTING, INDEX, ROW, KEPT = range(10)
STEP, RATE, ORIGIN, SPAN = range(KEPT, KEPT + 4)
STUCK_AT, ATTEMPT, TRIED, WORST, BEST, BEST_STEP, PASSED, PASSED_AT = range(KEPT + 4, KEPT + 12)
CLOCK_PLACES = PASSED_AT + 8  # the first eight times at which singular positions were passed


@kernel
def keep(y, phi, formula, clock, good, good_formula, good_clock, row):
    """Remember a state with its history."""
    for m in range(y.shape[0]):
        good[0, m] = y[m]
        for i in range(1, phi.shape[0]):
            good[i, m] = phi[i, m]
    for i in range(formula.shape[1]):
        good_formula[i] = formula[BEFORE, i]
    clock[ROW] = row
    for place in range(KEPT):
        good_clock[place] = clock[place]


@kernel
def attempt(y, phi, formula, clock, good, good_formula, good_clock):
    """Go back to the state that was remembered last, to cross a singular position by other steps. Returns the next row."""
    for m in range(y.shape[0]):
        y[m] = good[0, m]
        for i in range(1, phi.shape[0]):
            phi[i, m] = good[i, m]
    for i in range(formula.shape[1]):
        formula[BEFORE, i] = good_formula[i]
    for place in range(KEPT):
        clock[place] = good_clock[place]
    clock[ATTEMPT] += 1.0
    clock[TRIED] = attempted(clock[ATTEMPT], clock[LAST_STEP])
    if clock[ATTEMPT] > ATTEMPTS:
        clock[TRIED] = clock[BEST_STEP]
        clock[BEST] = math.inf
    clock[STEP] = clock[TRIED]
    clock[WORST] = 0.0
    return int(clock[ROW])
