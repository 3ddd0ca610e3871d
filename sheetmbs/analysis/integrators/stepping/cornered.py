"""Steps that end at the corners of springs' curves, see `corners.py`, around any adaptive integrator.

The integrator knows nothing of it: it is given a nearer horizon, and made anew behind a corner.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.interface import Integrator, Run, StepState
from sheetmbs.analysis.integrators.stepping.crossings import earliest_exit
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import PROBE, VALUE, Corners
from sheetmbs.analysis.integrators.stepping.driver import TIME_ROUNDING
from sheetmbs.analysis.solution import Status
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Ints

MOST_TRIES = 8  # to end a step on a corner
INSTANT = 1e-9  # of a step: a corner that is crossed so soon is where the step begins


def at_corners(run: Run, made: Callable[[Run], Integrator]) -> Integrator:
    """An integrator over a run, around which corners are looked after where the run has some. made: makes the integrator."""
    return made(run) if run.corners is None else Cornered(run, run.corners, made)


class Cornered:
    """An integrator whose steps end at the corners of springs' curves. made: makes the one that takes the steps."""

    def __init__(self, run: Run, corners: Corners, made: Callable[[Run], Integrator]) -> None:
        self.run, self.corners, self.made = run, corners, made
        self.horizon = run.horizon = corners.horizon
        self.method = made(run)
        self._span = float(run.rows.times[-1] - run.rows.times[0])
        self.aim, self.tries = np.inf, 0
        self.tried = 0.0  # length of the step that was cut short
        self.found = self._see()

    def advance(self, limit: int) -> int:
        """Take up to ``limit`` steps."""
        status = int(Status.PAUSED)
        for _ in range(limit):
            status = self._step()
            if status != Status.PAUSED:
                break
        return status

    def _step(self) -> int:
        run, corners = self.run, self.corners
        before, earlier = StepState.of(run), self.found
        status = self.method.advance(1)
        if run.t == before.t:
            return status
        self.found = self._see()
        if run.t < before.t:  # back to try a singular position again
            return status
        h = run.t - before.t
        close = corners.close(run.allowed, run.rate)
        is_aimed = run.t >= self.aim - self._rounding()
        share = 2.0
        if run.passages == before.passages:  # what changes across a singular position counts from its end on
            share = earliest_exit(earlier, self.found, h, corners.low, corners.high, close, looks=not is_aimed)
        beyond = corners.beyond(self.found, close)
        if share <= 1.0 and self.tries < MOST_TRIES and np.any(self._is_off(beyond, close) | (share < 1.0)):
            self._take_again(before, earlier, share, h)
            return int(Status.PAUSED)
        if np.any(beyond):
            self._go_on(beyond)
        elif is_aimed:
            self._free(self.tried)
        return status

    def _is_off(self, beyond: Ints, close: Floats) -> NDArray[np.bool_]:
        """Whether gauges that left their parts are no longer near the corner."""
        value, corners = self.found[:, VALUE], self.corners
        return (value > corners.high + close) & (beyond > 0) | (value < corners.low - close) & (beyond < 0)

    def _take_again(self, before: StepState, earlier: Floats, share: float, h: float) -> None:
        """Go back to the start of a step, to end it on a corner; or let the corner be where it starts."""
        run, counts = self.run, self.run.work.count
        before.restore(run)
        counts[Count.STEPS] -= 1
        counts[Count.REJECTIONS] += 1
        self.found = earlier
        self.tries += 1
        self.tried = h if self.aim == np.inf else self.tried
        if share <= INSTANT:
            self._go_on(
                self.corners.beyond(earlier, np.maximum(self.corners.close(run.allowed, run.rate), INSTANT * h))
            )
            return
        self.aim = before.t + share * h
        run.horizon = nearer(self.horizon, self.aim)
        run.first_step = share * h
        self.method = self.made(run)

    def _go_on(self, beyond: Ints) -> None:
        """Let the parts behind the corners count."""
        run, corners = self.run, self.corners
        corners.hold(np.clip(corners.part + beyond, 0, [len(rows) - 2 for rows in corners.knots]))
        self._derive(run.t, run.y, run.rates)
        self._free(self._first_step())

    def _first_step(self) -> float:
        """A length that is safe behind a corner, from the rates of velocities, accelerations and of their change, s."""
        run, nq = self.run, self.run.rows.q.shape[1]
        size = np.where(run.arrays.velocity_class == 1, 1.0, run.arrays.length)
        ahead, later = PROBE / max(run.fastest, 1.0 / self._span), np.empty_like(run.rates)
        self._derive(run.t + ahead, run.y + ahead * run.rates, later)
        v, a, change = (np.max(np.abs(x[nq:-1]) / size) for x in (run.y, run.rates, (later - run.rates) / ahead))
        rate = max(v, np.sqrt(a), np.sqrt(change / run.fastest) if run.fastest > 0.0 else 0.0, 1.0 / self._span)
        return float(run.allowed**0.125 / rate)

    def _derive(self, t: float, y: Floats, rates: Floats) -> None:
        run, nq = self.run, self.run.rows.q.shape[1]
        evaluate(run.arrays, run.work, t, y[:nq], y[nq:-1], rates, 0.0)

    def _free(self, step: float) -> None:
        """Let the integrator go on without a time to aim at. step: that may do at first, s; 0: as before."""
        run = self.run
        run.horizon = self.horizon
        run.first_step = step if step > 0.0 else run.first_step
        self.aim, self.tries, self.tried = np.inf, 0, 0.0
        self.method = self.made(run)

    def _see(self) -> Floats:
        run = self.run
        return self.corners.see(run.t, run.y, run.rates, run.rate)

    def _rounding(self) -> float:
        return TIME_ROUNDING * max(abs(self.run.t), abs(float(self.run.rows.times[-1])))


def nearer(horizon: Floats, t: float) -> Floats:
    """A horizon that no step passes at time t. horizon: see `analysis/horizon.py`."""
    at = int(np.searchsorted(horizon[:, 0], t, side="right"))
    found = np.insert(horizon, at, horizon[at - 1], axis=0)
    found[at, 0], found[at, 2] = t, 0.0
    found[:at, 1] = np.minimum(found[:at, 1], t)
    return found
