"""Steps that end at the corners of springs' curves, see `curve_breakpoints.py`, around any adaptive integrator.

The integrator knows nothing of it: it is given a nearer horizon, and made again behind a corner.

When a deflection or a rate leaves its interval within a step is found from its values and derivatives at both ends. Of a
deflection two derivatives are known, so Hermite's polynomial has degree 5; of a rate one, and degree 3. What a polynomial
of two degrees less says otherwise is taken for what the better one may still be off: a deflection that comes so near to the
end of its interval is looked at where it comes nearest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.interface import Integrator, Run, Status, StepState
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import PROBE, VALUE, Corners
from sheetmbs.analysis.integrators.stepping.driver import TIME_ROUNDING
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats, Ints

AT_ONCE = 1e-3  # of a step: an extremum so near to an end of it was seen there
REAL = 1e-9  # imaginary part of a root that counts as real
# Powers of theta, ascending, of Hermite's polynomials for (x0, h v0, x1, h v1) and (x0, h v0, h^2 a0, x1, h v1, h^2 a1).
CUBIC = np.array([[1, 0, -3, 2], [0, 1, -2, 1], [0, 0, 3, -2], [0, 0, -1, 1]], dtype=np.float64)
QUINTIC = np.array(
    [
        [1, 0, 0, -10, 15, -6],
        [0, 1, 0, -6, 8, -3],
        [0, 0, 0.5, -1.5, 1.5, -0.5],
        [0, 0, 0, 10, -15, 6],
        [0, 0, 0, -4, 7, -3],
        [0, 0, 0, 0.5, -1, 0.5],
    ]
)
MOST_TRIES = 8  # to end a step on a corner
INSTANT = 1e-9  # of a step: a corner that is crossed so soon is where the step begins


def earliest_exit(
    before: Floats, after: Floats, h: float, low: Floats, high: Floats, close: Floats, *, looks: bool
) -> float:
    """Share of a step of length h at which the first of several quantities leaves its interval; 2 where none does.

    before, after: (n, 3) value and two derivatives at its start and end; a second derivative of exactly 0 at both is unknown.
    low, high: (n,) intervals. close: (n,) what does not count. looks: whether to stop where one may have left it, too.
    """
    earliest = 2.0
    for g in np.flatnonzero(_may_leave(before, after, h, low, high)):
        for sign, bound in ((1.0, high[g]), (-1.0, -low[g])):
            if np.isfinite(bound):
                share = _exit(sign * before[g], sign * after[g], h, bound, float(close[g]), looks=looks)
                earliest = min(earliest, share)
    return earliest


def _may_leave(before: Floats, after: Floats, h: float, low: Floats, high: Floats) -> NDArray[np.bool_]:
    """Which quantities may leave their intervals, for the control points of their cubics do."""
    x0, x1 = before[:, 0], after[:, 0]
    a, b = x0 + h * before[:, 1] / 2.0, x1 - h * after[:, 1] / 2.0
    most, least = np.maximum(np.maximum(x0, x1), np.maximum(a, b)), np.minimum(np.minimum(x0, x1), np.minimum(a, b))
    return np.asarray((most > high) | (least < low))


def _exit(before: Floats, after: Floats, h: float, bound: float, close: float, *, looks: bool) -> float:
    """Share of a step at which one quantity rises above a bound, or comes so near to it that it may; 2 where it does not."""
    scaled = np.concatenate((before, after)) * np.tile([1.0, h, h * h], 2)
    cubic = scaled[[0, 1, 3, 4]] @ CUBIC
    is_rate = before[2] == after[2] == 0.0
    best = cubic if is_rate else scaled @ QUINTIC
    slope = best[1:] * np.arange(1, len(best))
    tops = [theta for theta in _roots(slope) if AT_ONCE < theta < 1.0 - AT_ONCE]
    if after[0] > bound + close or any(_at(best, theta) > bound + close for theta in tops):
        rising = [theta for theta in _roots(best - bound * (np.arange(len(best)) == 0)) if _at(slope, theta) > 0.0]
        if before[0] >= bound - close and before[1] > 0.0:
            return 0.0
        return min(rising, default=1.0)
    for theta in tops if looks and not is_rate else ():
        if _at(best, theta) > bound - abs(_at(best, theta) - _at(cubic, theta)) and before[0] < bound - close:
            return theta
    return 2.0


def _roots(powers: Floats) -> list[float]:
    """Real roots from 0 to 1 of a polynomial with ascending powers."""
    size = float(np.max(np.abs(powers)))
    if size == 0.0:
        return []
    roots = np.roots(np.where(np.abs(powers) > 1e-14 * size, powers, 0.0)[::-1])
    real = roots.real[np.abs(roots.imag) <= REAL]
    return sorted(float(theta) for theta in real[(real >= 0.0) & (real <= 1.0)])


def _at(powers: Floats, theta: float) -> float:
    return float(np.polynomial.polynomial.polyval(theta, powers))


def at_corners(run: Run, make: Callable[[Run], Integrator]) -> Integrator:
    """An integrator over a run, around which corners are looked after where the run has some. make: makes the integrator."""
    return make(run) if run.corners is None else Cornered(run, run.corners, make)


class Cornered:
    """An integrator whose steps end at the corners of springs' curves. make: makes the one that takes the steps."""

    def __init__(self, run: Run, corners: Corners, make: Callable[[Run], Integrator]) -> None:
        self.run, self.corners, self.make = run, corners, make
        self.horizon = run.horizon = corners.horizon
        self.method = make(run)
        self._span = float(run.rows.times[-1] - run.rows.times[0])
        self.aim, self.tries = np.inf, 0
        self.tried = 0.0  # length of the step that was cut short
        self.found = self._measure()

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
        self.found = self._measure()
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
        self.method = self.make(run)

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
        self.method = self.make(run)

    def _measure(self) -> Floats:
        run = self.run
        return self.corners.measure(run.t, run.y, run.rates, run.rate)

    def _rounding(self) -> float:
        return TIME_ROUNDING * max(abs(self.run.t), abs(float(self.run.rows.times[-1])))


def nearer(horizon: Floats, t: float) -> Floats:
    """A horizon that no step passes at time t. horizon: see `analysis/horizon.py`."""
    at = int(np.searchsorted(horizon[:, 0], t, side="right"))
    found = np.insert(horizon, at, horizon[at - 1], axis=0)
    found[at, 0], found[at, 2] = t, 0.0
    found[:at, 1] = np.minimum(found[:at, 1], t)
    return found
