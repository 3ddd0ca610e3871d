"""When a quantity leaves an interval within a step, from its values and derivatives at both ends.

Of a deflection two derivatives are known, so Hermite's polynomial has degree 5; of a rate one, and degree 3. What a polynomial
of two degrees less says otherwise is taken for what the better one may still be off: a deflection that comes so near to the
end of its interval is looked at where it comes nearest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats

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
