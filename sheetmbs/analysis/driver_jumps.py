"""Drivers whose position or velocity jumps: found before a motion is, so that every analysis says it in the same way.

A driver is looked at in many intervals of time, and before and behind every instant at which its formula switches over. Where
its value changes otherwise than Hermite's polynomial through value, velocity and acceleration at both ends of an interval says,
or its velocity otherwise than the mean of both accelerations, the interval is halved. A smooth motion is explained before long.
What is left in the shortest interval is a jump, if it is more than twice what the rates at its ends make of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.horizon import AT, aside
from sheetmbs.engine.codes import MotionKind
from sheetmbs.engine.motion.motions import formula_over_times
from sheetmbs.engine.motion.operations import STACK_DEPTH
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem

LOOKS = 2_000  # intervals that are looked at first
MAX_INTERVALS = 2_000  # of them, the earliest, that are halved at a time
SHORTEST = 2e-9  # of the time span: an interval that is not halved
AT_ONCE = 1e-7  # of the time span: within it rounding may make one jump of a steep slope several
APPRECIABLE = 1e-6  # of the characteristic length, of 1 rad or of the largest rate: more than that is a jump
POSITION, VELOCITY, ACCELERATION = range(3)


@dataclass(frozen=True)
class DriverJump:
    """The first jump of a driver: when, s, and what is said of it."""

    t: float
    problem: Problem

    def rows_before(self, times: Floats) -> int:
        """How many of the rows at rising times lie before the jump."""
        return int(np.searchsorted(times, self.t - AT * float(times[-1] - times[0])))


def first_jump(lowered: Lowered, switched: Floats) -> DriverJump | None:
    """The first jump of any driver from t_start to t_end, both of them included, or None.

    switched: when formulas of time switch over, see `horizon.py`.
    """
    settings, rows = lowered.model.settings, lowered.constraints.rows
    span = np.array(
        [settings.t_start, settings.t_start if settings.t_end is None else settings.t_end], dtype=np.float64
    )
    found: list[DriverJump] = []
    for number in np.unique(rows.motion).tolist():
        motion = lowered.motions[number]
        if motion.kind != MotionKind.FORMULA:
            continue
        row = int(np.flatnonzero(rows.motion == number)[0])
        size = lowered.bodies.length if rows.compliance[row] > 0.0 else 1.0
        jump = _FormulaMotion(lowered, int(motion.index), abs(float(motion.scale)), size).first_jump(span, switched)
        if jump is not None:
            what, t, change = jump
            driver = lowered.elements[int(lowered.constraints.owner[row])]
            problem = Problem(
                "driver-jumps",
                "error",
                driver.cell,
                f"at t = {t:.6g} s the {what} that {driver.name} prescribes jumps by {change:.4g}",
                "what a driver prescribes must be continuous, and so must its velocity",
                "join the pieces by step(t, t0, y0, t1, y1), or by a curve",
            )
            found.append(DriverJump(t, problem))
    return min(found, key=lambda jump: jump.t, default=None)


@dataclass(frozen=True)
class _FormulaMotion:
    """A motion by a formula. scale: its value times this is SI. size: what its errors are measured by, m or rad."""

    lowered: Lowered
    formula: int
    scale: float
    size: float

    def at(self, times: Floats) -> Floats:
        """(n, 3) position, velocity and acceleration."""
        tapes, found = self.lowered.tapes, np.zeros((len(times), 3))
        stack = np.zeros((STACK_DEPTH, 3))
        formula_over_times(tapes.operation, tapes.constant, int(tapes.start[self.formula]), times, found, stack)
        return self.scale * found

    def first_jump(self, span: Floats, switched: Floats) -> tuple[str, float, float] | None:
        """What jumps first, when and by how much. span: (2,) first and last time."""
        times = _places(span, switched)
        start, end = times[:-1], times[1:]
        begin, finish = self.at(start), self.at(end)
        fastest = float(np.nanmax(np.abs(begin[:, VELOCITY]), initial=0.0))
        units = APPRECIABLE * np.array([self.size, max(self.size, fastest)])
        if len(switched) and end[-1] - start[-1] <= 2.0 * aside(span):
            finish[-1, VELOCITY:] = begin[-1, VELOCITY:]  # behind the end there is no velocity
        shortest = max(SHORTEST * float(span[1] - span[0]), 2.0 * aside(span))
        jumps: list[tuple[float, str, float]] = []
        while len(start):
            h = end - start
            is_short = h <= shortest
            change = np.abs(finish - begin)
            for which, what in ((POSITION, "position"), (VELOCITY, "velocity")):
                by_rates = h * (np.abs(begin[:, which + 1]) + np.abs(finish[:, which + 1]))
                with np.errstate(invalid="ignore"):
                    at = np.flatnonzero(is_short & (change[:, which] - by_rates > units[which]))
                jumps += [(float(0.5 * (start[k] + end[k])), what, float(change[k, which])) for k in at]
            halved = np.flatnonzero(~is_short & _is_unexplained(h, begin, finish, units))[:MAX_INTERVALS]
            middle = 0.5 * (start[halved] + end[halved])
            there = self.at(middle)
            order = np.argsort(np.concatenate((start[halved], middle)))
            start, end = (np.concatenate(ends)[order] for ends in ((start[halved], middle), (middle, end[halved])))
            begin, finish = (np.concatenate(ends)[order] for ends in ((begin[halved], there), (there, finish[halved])))
        if not jumps:
            return None
        t, what, _amount = min(jumps, key=lambda jump: jump[0])
        amount = max(size for at, kind, size in jumps if kind == what and at <= t + AT_ONCE * float(span[1] - span[0]))
        known = np.append(switched, span[0])
        nearest = float(known[np.argmin(np.abs(known - t))])
        return what, (nearest if abs(nearest - t) <= 2.0 * aside(span) else t) + 0.0, amount  # no -0.0


def _places(span: Floats, switched: Floats) -> Floats:
    """Rising times at which a motion is looked at: both ends, and either side of every switch."""
    side = aside(span)
    inner = np.linspace(span[0], span[1], LOOKS + 1)[1:-1] if span[1] > span[0] else np.zeros(0)
    if len(switched):
        nearest = switched[np.clip(np.searchsorted(switched, inner), 0, len(switched) - 1)]
        before = switched[np.clip(np.searchsorted(switched, inner) - 1, 0, len(switched) - 1)]
        inner = inner[(np.abs(nearest - inner) > side) & (np.abs(before - inner) > side)]
    beside = np.concatenate((switched - side, switched + side))
    inside = np.concatenate((inner, beside))
    return np.unique(np.concatenate((span, inside[(inside > span[0]) & (inside < span[1])])))


def _is_unexplained(h: Floats, begin: Floats, finish: Floats, units: Floats) -> NDArray[np.bool_]:
    """(n,) whether a change of position or velocity is not that of a smooth motion. h: (n,) lengths of the intervals, s."""
    x, v, a = (finish[:, k] - begin[:, k] for k in range(3))
    by_speed = 0.5 * h * (begin[:, VELOCITY] + finish[:, VELOCITY]) - h**2 / 12.0 * a
    by_acceleration = 0.5 * h * (begin[:, ACCELERATION] + finish[:, ACCELERATION])
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(x - by_speed) > units[0]) | (np.abs(v - by_acceleration) > units[1]))
