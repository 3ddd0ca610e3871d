"""Corners of springs' curves: no step passes over one.

A stop that begins to press, or a damper that is softer one way than the other, has a curve with corners at known deflections or
rates. A step across one sees forces that no polynomial has: its stages may be thrown out of the stop again before they count,
and then neither the motion nor the error estimate knows of it. So within a step each such curve is held on the part between two
corners (`Work.held`), which goes on beyond them: whatever the method, what it integrates is smooth. Where a deflection or rate
has left its part by the end of a step, or within it, the time is found on Hermite's polynomial, the step is taken again up to
there, as often as what is then found asks for, and behind it the next part counts.

`cornered.py` does so around an integrator; here is where the deflections and rates stand between the corners.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sheetmbs.compiled import Bundle, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.forces.all_forces import curve_argument
from sheetmbs.engine.kinematics import move_bodies, place_bodies
from sheetmbs.engine.records import Floats, Floats2, Ints
from sheetmbs.engine.revolution_counts import extrapolate_revolutions, move_turns, place_turns
from sheetmbs.engine.work import Work

CLOSE, CLOSEST = 100.0, 1e-8  # times the error allowed, but not more than this if that is enough: what is on a corner
BEND = 1e-3  # change of slope over the steepest slope: less is one straight line, or a smooth curve in many short ones
PROBE = 1e-6  # of the fastest rate's period: how far rates are looked at along the motion
VALUE, SLOPE, SECOND = range(3)  # of a deflection or a rate, and its time derivatives; no second one of a rate


@dataclass(frozen=True, eq=False)
class CornerGauges(Bundle):
    """The deflections and rates that are watched, and what was seen of them last."""

    elements: Ints  # (gauges,) force element
    curves: Ints  # (gauges,) which of its curves
    is_rate: Ints  # (gauges,) whether that is over a rate
    trial: Floats  # (n,) scratch
    found: Floats2  # (gauges, 3) VALUE, SLOPE and SECOND


@kernel
def measure_gauges(A: Arrays, W: Work, G: CornerGauges, t: float, y: Floats, rates: Floats, ahead: float) -> None:
    """What the curves of gauges are read at in a state, and its derivatives along the motion, to `CornerGauges.found`.

    ahead: time over which a rate is differentiated.
    """
    trial, found = G.trial, G.found
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    for probe in range(2):
        later = ahead if probe == 0 else 0.0
        for m in range(nq + nv):
            trial[m] = y[m] + later * rates[m]
        place_bodies(A, W, trial[:nq])
        move_bodies(A, W, trial[nq : nq + nv])
        extrapolate_revolutions(A.turn, W.turn, t + later)
        place_turns(A.turn, W.pose, W.place, W.turn)
        move_turns(A.turn, W.pose, W.place, W.turn)
        for g in range(found.shape[0]):
            value, rate = curve_argument(A, W, A.elements.record[G.elements[g]], G.curves[g])
            if probe == 0:
                found[g, SLOPE], found[g, SECOND] = value, rate
            elif G.is_rate[g]:
                found[g, VALUE], found[g, SLOPE], found[g, SECOND] = value, (found[g, SLOPE] - value) / ahead, 0.0
            else:
                found[g, VALUE], found[g, SLOPE], found[g, SECOND] = value, rate, (found[g, SECOND] - rate) / ahead


@dataclass
class Corners:
    """What is known of the corners of one run, and where its deflections and rates stand between them.

    knots: of each gauge the first row of its curve, the rows of its corners, and the last one. part: (gauges,) between which
    of these it is. low, high: (gauges,) the values there; infinite at the ends of a curve. size: (gauges,) what errors are
    measured by; of rates, over the fastest rate. horizon: that of the run, before it is made nearer.
    """

    arrays: Arrays
    work: Work
    gauges: CornerGauges
    knots: list[Ints]
    part: Ints
    low: Floats
    high: Floats
    size: Floats
    horizon: Floats = field(default_factory=lambda: np.zeros((0, 4)))

    def measure(self, t: float, y: Floats, rates: Floats, rate: float) -> Floats:
        """(gauges, 3) value and derivatives of all gauges in a state. rate: largest of the motion, see `Run.rate`."""
        measure_gauges(self.arrays, self.work, self.gauges, t, y, rates, PROBE / rate)
        return self.gauges.found.copy()

    def close(self, allowed: float, rate: float) -> Floats:
        """(gauges,) how near to a corner counts as on it. allowed: error of a step."""
        share = min(CLOSE * allowed, max(allowed, CLOSEST))
        return np.where(self.gauges.is_rate == 0, self.size, self.size * rate) * share

    def hold(self, part: Ints) -> None:
        """Let these parts of the curves count."""
        self.part = part
        knot, held = self.arrays.curves.knot, self.work.held
        first_curve = self.arrays.elements.record.curve
        for g, (element, curve) in enumerate(zip(self.gauges.elements, self.gauges.curves, strict=True)):
            rows = self.knots[g]
            first, last = rows[part[g]], rows[part[g] + 1]
            held[first_curve[element] + curve] = first, last - first + 1
            self.low[g] = -np.inf if part[g] == 0 else knot[first]
            self.high[g] = np.inf if part[g] == len(rows) - 2 else knot[last]

    def begin(self, found: Floats, close: Floats, horizon: Floats) -> None:
        """Hold the parts on which the motion starts; of two that meet there, the one it goes to.

        found, close: from `measure` and `close` at the start. horizon: of the run.
        """
        self.horizon = horizon
        part = np.zeros(len(self.knots), dtype=np.int64)
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


def find_corners(arrays: Arrays, work: Work) -> Corners | None:
    """The corners of the curves of force elements; None where there are none."""
    elements = arrays.elements
    rows = [bends(arrays, int(curve)) if curve >= 0 else np.zeros(0, dtype=np.int64) for curve in elements.curve]
    bent = [slot for slot, found in enumerate(rows) if len(found)]
    if not bent:
        return None
    use, count = elements.use[bent], len(bent)
    return Corners(
        arrays,
        work,
        CornerGauges(
            np.ascontiguousarray(use.element),
            np.ascontiguousarray(use.which),
            np.ascontiguousarray(use.is_rate),
            np.zeros(len(work.state)),
            np.zeros((count, 3)),
        ),
        [
            np.concatenate(([arrays.curves.start[c]], rows[slot], [_last(arrays, c)]))
            for slot, c in zip(bent, elements.curve[bent], strict=True)
        ],
        np.zeros(count, dtype=np.int64),
        np.full(count, -np.inf),
        np.full(count, np.inf),
        np.where(use.turns, 1.0, arrays.length),
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
