"""Corners of springs' curves: no step passes over one.

A stop that begins to press, or a damper that is softer one way than the other, has a curve with corners at known deflections or
rates. A step across one sees forces that no polynomial has: its stages may be thrown out of the stop again before they count,
and then neither the motion nor the error estimate knows of it. So within a step each such curve is held on the part between two
corners (`Work.held`), which goes on beyond them: whatever the method, what it integrates is smooth. Where a deflection or rate
has left its part by the end of a step, or within it, the time is found on Hermite's polynomial, the step is taken again up to
there, as often as what is then found asks for, and behind it the next part counts.

This is done around an integrator, which knows nothing of it: it is given a nearer horizon, and made anew behind a corner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.integrators.interface import Floats, Integrator, Run, StepState
from sheetmbs.analysis.integrators.stepping.crossings import earliest_exit
from sheetmbs.analysis.integrators.stepping.errors_and_limits import NEAR
from sheetmbs.analysis.status import Status
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count, SpringKind
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.forces.rotational_spring import angle_and_rate
from sheetmbs.engine.forces.translational_spring import length_and_rate
from sheetmbs.engine.kinematics import move_bodies, place_bodies
from sheetmbs.engine.turns import foretell_turns, move_turns, place_turns
from sheetmbs.engine.work import Work
from sheetmbs.jit import kernel

Ints = NDArray[np.int64]

TRANSLATIONAL = int(SpringKind.TRANSLATIONAL)
CLOSE, CLOSEST = 100.0, 1e-8  # times the error allowed, but not more than this if that is enough: what is on a corner
BEND = 1e-3  # change of slope over the steepest slope: less is one straight line, or a smooth curve in many short ones
PROBE = 1e-6  # of the fastest rate's period: how far rates are looked at along the motion
MOST_TRIES = 8  # to end a step on a corner
INSTANT = 1e-9  # of a step: a corner that is crossed so soon is where the step begins
ELASTIC, DAMPING = 0, 1  # curves of a spring
VALUE, SLOPE, SECOND = range(3)  # of a deflection or a rate, and its time derivatives; no second one of a rate


@kernel
def see(A, W, t, y, rates, ahead, springs, curves, trial, found):
    """Deflections or rates of the ``springs`` in a state, and their derivatives along the motion, to ``found`` (gauges, 3).

    curves: (gauges,) ELASTIC for a deflection, DAMPING for a rate. ahead: time over which a rate is differentiated.
    """
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    for probe in range(2):
        later = ahead if probe == 0 else 0.0
        for m in range(nq + nv):
            trial[m] = y[m] + later * rates[m]
        place_bodies(A, W, trial[:nq])
        move_bodies(A, W, trial[nq : nq + nv])
        foretell_turns(A.turn, W.turn, t + later)
        place_turns(A.turn, W.pose, W.turn)
        move_turns(A.turn, W.pose, W.turn)
        for g in range(springs.shape[0]):
            spring = A.spring[springs[g]]
            if spring.kind == TRANSLATIONAL:
                length, rate, _x, _y, _z = length_and_rate(W.place, spring.frame_i, spring.frame_j)
            else:
                length, rate, _x, _y, _z = angle_and_rate(spring, W.pose, W.turn)
            if probe == 0:
                found[g, SECOND] = rate
                continue
            change = (found[g, SECOND] - rate) / ahead
            if curves[g] == ELASTIC:
                found[g, VALUE], found[g, SLOPE], found[g, SECOND] = length - spring.natural, rate, change
            else:
                found[g, VALUE], found[g, SLOPE], found[g, SECOND] = rate, change, 0.0


@dataclass
class Corners:
    """What is known of the corners of one run, and where its deflections and rates stand between them.

    springs, curves: (gauges,) which spring, and its ELASTIC or DAMPING curve. knots: of each gauge the first row of its curve,
    the rows of its corners, and the last one. part: (gauges,) between which of these it is. low, high: (gauges,) the values
    there; infinite at the ends of a curve. size: (gauges,) what errors are measured by; of rates, over the fastest rate.
    horizon: that of the run, before it is made nearer.
    """

    arrays: Arrays
    work: Work
    springs: Ints
    curves: Ints
    knots: list[Ints]
    part: Ints
    low: Floats
    high: Floats
    size: Floats
    horizon: Floats = field(default_factory=lambda: np.zeros((0, 4)))

    def see(self, run: Run, t: float, y: Floats, rates: Floats) -> Floats:
        """(gauges, 3) value and derivatives of all gauges in a state."""
        found = np.empty((len(self.springs), 3))
        ahead = PROBE / self._rate(run)
        see(self.arrays, self.work, t, y, rates, ahead, self.springs, self.curves, np.empty(len(y)), found)
        return found

    def close(self, run: Run) -> Floats:
        """(gauges,) how near to a corner counts as on it."""
        share = min(CLOSE * run.allowed, max(run.allowed, CLOSEST))
        return np.where(self.curves == ELASTIC, self.size, self.size * self._rate(run)) * share

    def hold(self, part: Ints) -> None:
        """Let these parts of the curves count."""
        self.part = part
        knot, held = self.arrays.curves.knot, self.work.held
        for g, (spring, curve) in enumerate(zip(self.springs, self.curves, strict=True)):
            rows = self.knots[g]
            first, last = rows[part[g]], rows[part[g] + 1]
            held[spring, 2 * curve : 2 * curve + 2] = first, last - first + 1
            self.low[g] = -np.inf if part[g] == 0 else knot[first]
            self.high[g] = np.inf if part[g] == len(rows) - 2 else knot[last]

    def begin(self, run: Run) -> None:
        """Hold the parts on which the motion starts; of two that meet there, the one it goes to."""
        self.horizon = run.horizon
        found, close = self.see(run, run.t, run.y, run.rates), self.close(run)
        part = np.zeros(len(self.springs), dtype=np.int64)
        for g, rows in enumerate(self.knots):
            inner = self.arrays.curves.knot[rows[1:-1]]
            part[g] = np.searchsorted(inner, found[g, VALUE])
            at = np.flatnonzero(np.abs(inner - found[g, VALUE]) <= close[g])
            if len(at):
                onward = next((each for each in found[g, SLOPE:] if each != 0.0), 0.0)
                part[g] = at[0] + (onward > 0.0)
        self.hold(part)

    def beyond(self, found: Floats, close: Floats) -> Ints:
        """(gauges,) -1 or 1 for those that have reached the lower or upper end of their part and go on, else 0."""
        value, onward = found[:, VALUE], found[:, SLOPE]
        up = (value > self.high + close) | ((value >= self.high - close) & (onward > 0.0))
        down = (value < self.low - close) | ((value <= self.low + close) & (onward < 0.0))
        return up.astype(np.int64) - down.astype(np.int64)

    def _rate(self, run: Run) -> float:
        return max(run.fastest, 1.0 / float(run.rows.times[-1] - run.rows.times[0]))


def find_corners(arrays: Arrays, work: Work) -> Corners | None:
    """The corners of a model's springs; None where there are none."""
    springs, curves, knots, size = [], [], [], []
    for k, spring in enumerate(arrays.spring):
        for which, curve in ((ELASTIC, int(spring.curve_k)), (DAMPING, int(spring.curve_c))):
            rows = bends(arrays, curve) if curve >= 0 else np.zeros(0, dtype=np.int64)
            if len(rows):
                springs.append(k)
                curves.append(which)
                knots.append(np.concatenate(([arrays.curves.start[curve]], rows, [_last(arrays, curve)])))
                size.append(arrays.length if spring.kind == TRANSLATIONAL else 1.0)
    if not springs:
        return None
    count = len(springs)
    return Corners(
        arrays,
        work,
        np.array(springs, dtype=np.int64),
        np.array(curves, dtype=np.int64),
        knots,
        np.zeros(count, dtype=np.int64),
        np.full(count, -np.inf),
        np.full(count, np.inf),
        np.array(size),
    )


def bends(arrays: Arrays, curve: int) -> Ints:
    """Rows of the knots inside a curve at which its slope jumps."""
    table, first, last = arrays.curves, int(arrays.curves.start[curve]), _last(arrays, curve)
    width = np.diff(table.knot[first : last + 1])
    _, c1, c2, c3 = table.coefficient[first:last].T
    at_end = c1 + width * (2.0 * c2 + 3.0 * width * c3)
    steepest = float(np.max(np.abs(np.concatenate((c1, at_end)))))
    return first + 1 + np.flatnonzero(np.abs(c1[1:] - at_end[:-1]) > BEND * steepest)


def _last(arrays: Arrays, curve: int) -> int:
    return int(arrays.curves.start[curve] + arrays.curves.count[curve]) - 1


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
        self.found = corners.see(run, run.t, run.y, run.rates)

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
        self.found = corners.see(run, run.t, run.y, run.rates)
        if run.t < before.t:  # back to try a singular position again
            return status
        h = run.t - before.t
        close = corners.close(run)
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
            self._go_on(self.corners.beyond(earlier, np.maximum(self.corners.close(run), INSTANT * h)))
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

    def _rounding(self) -> float:
        return NEAR * max(abs(self.run.t), abs(float(self.run.rows.times[-1])))


def nearer(horizon: Floats, t: float) -> Floats:
    """A horizon that no step passes at time t. horizon: see `analysis/horizon.py`."""
    at = int(np.searchsorted(horizon[:, 0], t, side="right"))
    found = np.insert(horizon, at, horizon[at - 1], axis=0)
    found[at, 0], found[at, 2] = t, 0.0
    found[:at, 1] = np.minimum(found[:at, 1], t)
    return found
