"""Slopes of cubics through points that rise and fall only as the points do.

Fritsch and Carlson (1980), Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17: the slopes of parabolas through
three points, reduced to a^2 + b^2 <= 9, where a and b are the slopes at the ends of an interval over its mean slope.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats

LARGEST = 3.0
"""radius of the circle in which slopes over the mean slope stay"""


def monotone_slopes(x: Floats, y: Floats) -> Floats:
    """Slopes at points. x: (n,) rising, n of 2 or more. y: (n,)."""
    steps = np.diff(x)
    means = np.diff(y) / steps
    if len(x) == 2:
        return np.array([means[0], means[0]])
    slopes = np.empty(len(x))
    slopes[1:-1] = (steps[1:] * means[:-1] + steps[:-1] * means[1:]) / (steps[1:] + steps[:-1])
    slopes[0] = means[0] + (means[0] - slopes[1])
    slopes[-1] = means[-1] + (means[-1] - slopes[-2])
    for k, mean in enumerate(means):
        if mean == 0.0:
            slopes[k] = slopes[k + 1] = 0.0
            continue
        for end in (k, k + 1):
            if slopes[end] * mean < 0.0:
                slopes[end] = 0.0
        size = np.hypot(slopes[k], slopes[k + 1]) / abs(mean)
        if size > LARGEST:
            slopes[k : k + 2] *= LARGEST / size
    return slopes
