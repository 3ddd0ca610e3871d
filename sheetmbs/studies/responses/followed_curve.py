"""How far a result column is from a target curve: both are functions of x, over the range of the curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.model.model import Curve
from sheetmbs.studies.responses.aggregation_functions import NoResponseError
from sheetmbs.studies.study_book import Floats

POINTS = 64
"""at which residuals of a search are taken"""
SLACK = 1e-9
"""part of the range by which results may fall short of it: rounding of what was typed"""


@dataclass(frozen=True)
class FollowedCurve:
    """A target curve in the units of the columns. x, y: (n,). is_cubic: a spline between the points, else straight lines."""

    x: Floats
    y: Floats
    is_cubic: bool = False

    @classmethod
    def of(cls, curve: Curve, x_size: float, y_size: float) -> FollowedCurve:
        """From one in SI. sizes: of the units of the columns, in SI."""
        return cls(curve.x / x_size, curve.y / y_size, curve.interpolation == "cubic")

    def at(self, x: Floats) -> Floats:
        """The curve at x (m,)."""
        inside = np.clip(x, self.x[0], self.x[-1])
        if self.is_cubic:
            return np.asarray(CubicSpline(self.x, self.y, bc_type="natural")(inside))
        return np.asarray(np.interp(inside, self.x, self.y))

    def distance(self, x: Floats, y: Floats) -> float:
        """Root of the mean square of the difference over the range, which is straight between all points of both."""
        x, y = self._ordered(x, y)
        inside = (x > self.x[0]) & (x < self.x[-1])
        knots = np.union1d(self.x, x[inside])
        if self.is_cubic:
            knots = np.union1d(knots, np.linspace(self.x[0], self.x[-1], 8 * len(self.x)))
        d = np.interp(knots, x, y) - self.at(knots)
        square = np.diff(knots) * (d[:-1] ** 2 + d[:-1] * d[1:] + d[1:] ** 2) / 3.0
        return float(np.sqrt(square.sum() / (self.x[-1] - self.x[0])))

    def residuals(self, x: Floats, y: Floats) -> Floats:
        """(POINTS,) differences evenly over the range, the squares of which add up to about that of the distance."""
        x, y = self._ordered(x, y)
        places = np.linspace(self.x[0], self.x[-1], POINTS)
        return np.asarray((np.interp(places, x, y) - self.at(places)) / np.sqrt(POINTS))

    def _ordered(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Rows in the order of x. Raises NoResponseError where they are no function of x, or do not cover the range."""
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if not len(known) or known[-1] - known[0] + 1 != len(known):  # blank rows may stand before and behind it
            raise NoResponseError("a row of it is blank", "compare columns without gaps")
        x, y = x[known], y[known]
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
        first, last = float(self.x[0]), float(self.x[-1])
        slack = SLACK * (last - first)
        if x[0] > first + slack or x[-1] < last - slack:
            rule = f"the target curve goes from {first:g} to {last:g}, and the results only from {x[0]:g} to {x[-1]:g}"
            raise NoResponseError(rule, "shorten the curve, or extend the results")
        again = np.diff(x) <= 0.0
        if again.any() and np.abs(np.diff(y)[again]).max() > SLACK * max(float(np.ptp(y)), 1e-300):
            mend = "name a column that only increases in the column x"
            raise NoResponseError("there are several values at the same x, and a curve has one", mend)
        kept = np.concatenate([[True], ~again])
        return x[kept], y[kept]
