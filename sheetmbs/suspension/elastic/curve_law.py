"""Curves of forces at many places at once; beyond its ends one goes on with its end slope, as in `engine/motion/curves.py`."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.motion.splines import linear, natural_spline
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve


class CurveLaw:
    """Values and slopes of a curve."""

    def __init__(self, curve: Curve) -> None:
        self._knots = curve.x
        self._cubics = linear(curve.x, curve.y) if curve.interpolation == "linear" else natural_spline(curve.x, curve.y)
        self._range = float(curve.x[0]), float(curve.x[-1])
        self.name = curve.name

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Value and slope at each of (n,) places."""
        end = np.clip(x, *self._range)
        row = np.clip(np.searchsorted(self._knots, end, side="right") - 1, 0, len(self._knots) - 2)
        u = end - self._knots[row]
        c = self._cubics[row]
        slope = c[:, 1] + u * (2.0 * c[:, 2] + 3.0 * u * c[:, 3])
        value = c[:, 0] + u * (c[:, 1] + u * (c[:, 2] + u * c[:, 3]))
        return value + slope * (x - end), slope

    def where(self, value: float) -> float:
        """The place at which the curve has a value, beyond its ends too. Raises ValueError where it has it nowhere."""
        from scipy.optimize import brentq

        first, last = self._range
        reach = last - first
        for _ in range(8):
            low, high = (float(self(np.array([at]))[0][0]) - value for at in (first, last))
            if low * high <= 0.0:
                return float(brentq(lambda x: float(self(np.array([x]))[0][0]) - value, first, last, xtol=1e-15))
            first, last = first - reach, last + reach
            reach *= 2.0
        raise ValueError(f"the curve {self.name} never reaches {value:.6g}")
