"""Curves of steady states followed step by step, many at once, to where a quantity along them is largest.

Each state is closed by three given conditions, and a step along the tangent of its curve stands for the fourth (Keller 1977;
Allgower and Georg 1990, sec. 2.3). Where the quantity turns, its slope along the curve is brought to zero by false position in
the Illinois form (Dowell and Jarratt 1971); so is what is left to the edge of where a curve may go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.engine.car_on_tyres import SUM_OF_UNKNOWNS
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.handling.predicted_states import Predicted
from sheetmbs.suspension.handling.steady_states import (
    CONVERGED_STEP,
    COUNT,
    TRAVELS,
    Closure,
    Mask,
    Solved,
    SteadyCar,
    Torques,
    joined_states,
)

USUAL_TRAVEL = 0.1
"""m, in which travels count in the measure of every curve: one along which springs give way turns in its travels alone"""
SHORTEST_STEP = 1e-6
"""of a curve, over its usual step, below which it has come to an end"""
MAX_PLACES = 80
MAX_STEPS = 9
"""of Newton's method after a step along a curve, which is halved where they do not suffice"""
GROWTH, LONGEST = 1.6, 3.0
"""of a step after one that was found at once, and of the longest over the usual one"""
FEW_STEPS = 5
"""of Newton's method, after which the next step along a curve may be longer"""
NEAR_A_CURVE = 1e-4
"""size of the last step of Newton's method of places on the way, which lie by about its square beside their curve"""
USUAL_TURN = 0.3
"""rad by which a curve turns over a step of the right length (Allgower and Georg 1990, sec. 6.1)"""
LEAST_COSINE = 0.6
"""between the directions of a curve at both ends of a step: a step that turns further may have left its curve

A curve has a corner where a differential changes the way it works.
"""
FARTHEST = 2.0
"""distances of two places to which their cubic is believed beyond them"""
FLAT = 1e-5
"""slope of a quantity along a curve that is none: what is lost is its square over the bend"""
LEFT = 1e-10
"""share of the room to an edge that is none"""
MAX_ROUNDS = 40
CUBIC_ROUNDS = 6
"""in which a peak is predicted by cubics; false position, which is sure, ends the search of a peak that is none of theirs"""

END, EDGE, PEAK, ENDLESS = "end", "edge", "peak", "endless"
"""why a curve ends: no state beyond, the edge of where it may go, the largest quantity, or neither within all steps"""

Room = Callable[[Solved], Floats]
"""(n,) what is left to the edge of where states may be, below 0 beyond"""


@dataclass
class Points:
    """A place on each of n curves. tangent: (n, unknowns), along: (n,) from the start, in the measure of the curves."""

    solved: Solved
    tangent: Floats
    along: Floats

    @property
    def x(self) -> Floats:
        """Unknowns of the states, (n, k)."""
        return self.solved.x

    def at(self, rows: Ints) -> Points:
        """Some of these places."""
        return Points(self.solved.at(rows), self.tangent[rows], self.along[rows])

    def with_rows(self, rows: Ints, other: Points) -> Points:
        """The same with other places on some curves."""
        solved, tangent, along = self.solved.with_rows(rows, other.solved), self.tangent.copy(), self.along.copy()
        tangent[rows], along[rows] = other.tangent, other.along
        return Points(solved, tangent, along)


@dataclass
class StateCurve:
    """One curve. places: from the start on; ends: why it ends; limit: its last place, or its peak.

    why: what the state beyond its end lacks, if that is why it ends.
    """

    places: list[Points] = field(default_factory=list)
    ends: str = ENDLESS
    limit: Points | None = None
    why: str = ""

    def near(self, unknown: int, sense: float, wanted: Floats) -> tuple[Floats, Mask]:
        """Unknowns (n, k) near the values (n,) of one of them, times ``sense``, which grows along the curve, and lifted wheels.

        By the cubics through the places at both sides with their tangents, and by straight lines where the curve turns.
        """
        points = [*self.places, self.limit] if self.limit is not None else self.places
        states = np.concatenate([point.x for point in points])
        slopes = np.concatenate([point.tangent / (sense * point.tangent[:, [unknown]] + TINY) for point in points])
        lifted = np.concatenate([point.solved.lifted for point in points])
        order = np.argsort(sense * states[:, unknown])
        states, lifted, slopes = states[order], lifted[order], slopes[order]
        known = sense * states[:, unknown]
        if len(known) == 1:
            return np.repeat(states, len(wanted), axis=0), np.repeat(lifted, len(wanted), axis=0)
        after = np.clip(np.searchsorted(known, wanted), 1, len(known) - 1)
        apart = (known[after] - known[after - 1])[:, None]
        t = np.where(apart > 0.0, (wanted[:, None] - known[after - 1, None]) / np.where(apart > 0.0, apart, 1.0), 0.0)
        begin, end = states[after - 1], states[after]
        first, last = slopes[after - 1] * apart - (end - begin), slopes[after] * apart - (end - begin)
        bend = t * (1.0 - t) * (first * (1.0 - t) - last * t)
        turns = (after == len(known) - 1)[:, None] & (self.ends == PEAK)
        return begin + t * (end - begin) + np.where(turns, 0.0, bend), lifted[after - 1]


TINY = 1e-300
"""by which a slope of 0 becomes one that is divided by"""


class CurvesOfStates:
    """n curves with three closures each. scale: (unknowns,) in which lengths are measured; 0 of unknowns that do not count.

    Travels count by `USUAL_TRAVEL` on all curves.

    closure, torques: of n states; this class sets the fourth closure.
    """

    def __init__(self, car: SteadyCar, torques: Torques, closure: Closure, scale: Floats) -> None:
        self.car, self.torques, self.closure = car, torques, closure
        scale = scale.copy()
        scale[TRAVELS] = USUAL_TRAVEL
        self.weight = np.where(scale > 0.0, 1.0 / np.where(scale > 0.0, scale, 1.0) ** 2, 0.0)

    def at(self, rows: Ints) -> CurvesOfStates:
        """Some of the curves."""
        own = copy(self)
        own.torques, own.closure = self.torques.at(rows), self.closure.at(rows)
        return own

    def points(
        self,
        rows: Ints,
        at: Floats | Predicted,
        tangent: Floats,
        lifted: Mask,
        along: Floats,
        most: int = MAX_STEPS,
        enough: Floats | float = CONVERGED_STEP,
        working: Ints | None = None,
    ) -> Points:
        """The states nearest to ``at``, (m, k) or predicted, across the direction ``tangent``, on the curves of these numbers.

        working: (m, 2) how limited differentials work nearby, where that is known.
        """
        x = at.start if isinstance(at, Predicted) else at
        torques = self.torques.at(rows)
        if working is not None:
            torques = replace(torques, differential=np.where(torques.limited, working, torques.differential))
        closure = self.closure.at(rows)
        closure.kind[:, 3] = SUM_OF_UNKNOWNS
        closure.weights[:, 3] = self.weight * tangent
        closure.value[:, 3] = np.sum(closure.weights[:, 3] * x, axis=1)
        solved = self.car.solve(at, torques, closure, lifted, most, enough)
        slope = solved.slopes(3)[:, :COUNT]
        size = np.sqrt(np.sum(self.weight * slope**2, axis=1))  # the same rounding with any number of curves
        sense = np.where(np.sum(self.weight * tangent * slope, axis=1) >= 0.0, 1.0, -1.0)
        return Points(solved, (sense / size)[:, None] * slope, along)

    def step(
        self,
        rows: Ints,
        start: Points,
        length: Floats,
        other: Points | None = None,
        enough: Floats | float = CONVERGED_STEP,
    ) -> Points:
        """The states so far along the tangents of others.

        other: places of the same curves, behind or beyond: the cubic through both, with their tangents, predicts the states.
        """
        predicted, near = self._predicted(start, length, start if other is None else other), start.solved
        along, working = start.along + length, near.differential
        return self.points(rows, predicted, start.tangent, near.lifted, along, MAX_STEPS, enough, working)

    def _predicted(self, start: Points, length: Floats, other: Points) -> Predicted:
        """Where states are expected; other places count where they are places to go by."""
        apart = np.sum(self.weight * start.tangent * (other.x - start.x), axis=1)
        cosine = np.sum(self.weight * start.tangent * other.tangent, axis=1)
        same = (other.solved.lifted == start.solved.lifted).all(axis=1) & (cosine > LEAST_COSINE)
        is_curved = same & (np.abs(length) <= FARTHEST * np.abs(apart)) & (apart != 0.0)
        apart = np.where(is_curved, apart, length)
        turned = (apart / np.where(is_curved, cosine, 1.0))[:, None] * other.tangent
        return Predicted(start.x, apart[:, None] * start.tangent, other.x, turned, length / apart, is_curved)

    def follow(self, start: Points, usual: float, quantity: int, sense: Floats, room: Room) -> list[StateCurve]:
        """Follow all curves as long as unknown ``quantity`` grows, or falls where sense (n,) is -1."""
        count = len(sense)
        curves = [StateCurve() for _ in range(count)]
        last, earlier = start, start
        length, enough = np.full(count, usual), np.full(count, NEAR_A_CURVE)
        going = start.solved.good
        lows: list[tuple[int, Points, Points, str]] = []
        for row in range(count):
            own = start.at(np.array([row]))
            if going[row]:
                curves[row].places.append(own)
                curves[row].limit = own
            else:
                curves[row].ends = END
        for _ in range(MAX_PLACES):
            rows = np.flatnonzero(going)
            if not len(rows):
                break
            before = last.at(rows)
            found = self.step(rows, before, length[rows], earlier.at(rows), enough[rows])
            turned = np.sum(self.weight * found.tangent * before.tangent, axis=1)
            bends = np.any(found.solved.differential != before.solved.differential, axis=1) & (turned > 0.0)
            is_found = found.solved.good & ((turned > LEAST_COSINE) | bends)
            left = room(found.solved)
            falls = sense[rows] * found.tangent[:, quantity] < 0.0
            stuck = rows[~is_found & (enough[rows] > CONVERGED_STEP)]
            for number, row in enumerate(map(int, rows)):
                if not is_found[number]:
                    length[row] *= 0.5
                    if length[row] < SHORTEST_STEP * usual:
                        going[row], curves[row].ends = False, END
                        curves[row].why = found.solved.why[number]
                    continue
                own = found.at(np.array([number]))
                if left[number] < 0.0 or falls[number]:
                    going[row] = False
                    lows.append((row, before.at(np.array([number])), own, PEAK if falls[number] else EDGE))
                    continue
                curves[row].places.append(own)
                curves[row].limit = own
                growth = min(GROWTH, USUAL_TURN / max(float(np.arccos(min(turned[number], 1.0))), TINY))
                if found.solved.taken[number] <= FEW_STEPS or growth < 1.0:
                    length[row] = min(length[row] * growth, LONGEST * usual)
            earlier = earlier.with_rows(rows[is_found], last.at(rows[is_found]))
            last = last.with_rows(rows[is_found], found.at(np.flatnonzero(is_found)))
            last, enough[stuck] = self._settled(stuck, curves, last), CONVERGED_STEP
        self._close(lows, curves, quantity, sense, room)
        self._settled(
            np.array([row for row, curve in enumerate(curves) if curve.ends == ENDLESS], dtype=int), curves, last
        )
        return curves

    def _settled(self, rows: Ints, curves: Sequence[StateCurve], last: Points) -> Points:
        """The last places with those of some curves brought onto them.

        Near a corner, where a tyre begins to slide, a place may have no state: there the curve goes back to the place before.
        """
        if not len(rows):
            return last
        near = last.at(rows)
        own = near.solved
        found = self.points(rows, near.x, near.tangent, own.lifted, near.along, working=own.differential)
        is_found = found.solved.good & (np.sum(self.weight * found.tangent * near.tangent, axis=1) > LEAST_COSINE)
        for number, row in enumerate(map(int, rows)):
            places = curves[row].places
            if is_found[number]:
                places[-1] = found.at(np.array([number]))
            elif len(places) > 1:
                places.pop()
            curves[row].limit = places[-1]
            last = last.with_rows(np.array([row]), places[-1])
        return last

    def _close(
        self,
        brackets: Sequence[tuple[int, Points, Points, str]],
        curves: list[StateCurve],
        quantity: int,
        sense: Floats,
        room: Room,
    ) -> None:
        """Find the ends of curves between two places each."""
        if not brackets:
            return
        rows = np.array([row for row, _low, _high, _why in brackets])
        low, high = (
            joined_points([low for _row, low, *_rest in brackets]),
            joined_points([high for *_, high, _why in brackets]),
        )
        is_edge = np.array([why == EDGE for *_rest, why in brackets])
        found = self._where(rows, low, high, EndSought(quantity, sense[rows], room, is_edge))
        beyond = ~is_edge & (room(found.solved) < 0.0)  # the edge comes before the peak
        if beyond.any():
            is_edge = is_edge | beyond
            before = self._where(rows, low, found, EndSought(quantity, sense[rows], room, is_edge))
            found = found.with_rows(np.flatnonzero(beyond), before.at(np.flatnonzero(beyond)))
        for number, row in enumerate(map(int, rows)):
            curves[row].limit = found.at(np.array([number]))
            curves[row].ends = EDGE if is_edge[number] else PEAK

    def _where(self, rows: Ints, low: Points, high: Points, sought: EndSought) -> Points:
        """The ends between two places on curves, at the first of which what is sought is above 0, and below at the second."""
        a, b = np.zeros(len(rows)), high.along - low.along
        fa, fb = sought.left(low), sought.left(high)
        best, cubic = high, self._summit(low, low, high, a, b, sought)
        open_ = np.ones(len(rows), dtype=bool)
        for round_ in range(MAX_ROUNDS):
            apart = np.where(fb == fa, 1.0, fb - fa)
            with np.errstate(invalid="ignore"):  # a lost state has the value -inf
                t = np.where(np.isfinite(fb), b - fb * (b - a) / apart, 0.5 * (a + b))
            t = np.where(np.isfinite(cubic) & (round_ < CUBIC_ROUNDS), cubic, t)
            inside = (t > np.minimum(a, b)) & (t < np.maximum(a, b))
            t = np.where(inside, t, 0.5 * (a + b))
            active = np.flatnonzero(open_)
            if not len(active):
                break
            found = self.step(rows[active], low.at(active), t[active], best.at(active))
            good = found.solved.good
            before, before_at = best, b.copy()
            best = best.with_rows(active[good], found.at(np.flatnonzero(good)))
            values = sought.left(best.with_rows(active, found))
            for number, at in enumerate(map(int, active)):
                if not good[number]:
                    b[at], fb[at] = t[at], -np.inf
                    continue
                own = float(values[at])
                if own * fb[at] < 0.0:
                    a[at], fa[at] = b[at], fb[at]
                else:
                    fa[at] *= 0.5
                b[at], fb[at] = t[at], own
                if abs(own) < sought.enough[at] or abs(b[at] - a[at]) < FLAT * FLAT:
                    open_[at] = False
            cubic = self._summit(low, before, best, before_at, b, sought)
        return best

    def _summit(self, low: Points, one: Points, other: Points, a: Floats, b: Floats, sought: EndSought) -> Floats:
        """Where cubics through two places at the distances a and b, with their slopes, have peaks; NaN where none is sought.

        The distances are along the tangents at ``low``. With d = (q_b - q_a)/(b - a) and q' at both places the slope over
        t = (s - a)/(b - a) is q'_a + 2 t (3 d - 2 q'_a - q'_b) + 3 t^2 (q'_a + q'_b - 2 d).
        """
        (qa, first), (qb, last) = (sought.along(each, self._cosines(low, each)) for each in (one, other))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (qb - qa) / (b - a)
            half, square = 3.0 * mean - 2.0 * first - last, 3.0 * (first + last - 2.0 * mean)
            root = np.sign(b - a) * np.sqrt(half**2 - square * first)
            t = first / (root - half)  # where the slope falls along the curve; definite where the cubic is a parabola
            return np.where(sought.is_edge, np.nan, a + t * (b - a))

    def _cosines(self, low: Points, at: Points) -> Floats:
        return np.asarray(np.sum(self.weight * low.tangent * at.tangent, axis=1))


@dataclass(frozen=True)
class EndSought:
    """What ends n curves: the peak of an unknown ``quantity`` times ``sense`` (n,), or an edge where ``is_edge`` (n,)."""

    quantity: int
    sense: Floats
    room: Room
    is_edge: Mask

    @property
    def enough(self) -> Floats:
        """(n,) size of what is none."""
        return np.where(self.is_edge, LEFT, FLAT)

    def left(self, points: Points) -> Floats:
        """(n,) slope of the quantity along the curves, or what is left to the edge."""
        slope = self.sense * points.tangent[:, self.quantity]
        return np.where(self.is_edge, np.minimum(self.room(points.solved), LARGE), slope)

    def along(self, points: Points, cosine: Floats) -> tuple[Floats, Floats]:
        """(n,) the quantity, and its slope over distances in directions with these cosines to the curves."""
        with np.errstate(divide="ignore"):
            return self.sense * points.x[:, self.quantity], self.sense * points.tangent[:, self.quantity] / cosine


LARGE = 1e30


def joined_points(each: Sequence[Points]) -> Points:
    """Places of several, one behind the other; each has one."""
    return Points(
        joined_states([(own.solved, 0) for own in each]),
        np.concatenate([own.tangent for own in each]),
        np.concatenate([own.along for own in each]),
    )
