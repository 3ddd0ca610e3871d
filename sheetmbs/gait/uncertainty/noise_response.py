"""How white noise of markers reaches results: exactly, through filter and derivatives, without a single draw.

A result at a frame depends on a filtered coordinate p and its derivatives there alone, with lengths of segments held:

    dy = A dp + B dp' + C dp''

A, B and C (n,) of each coordinate follow from three courses dp = 1, t and t^2/2 that are added behind the filter. White
noise of variance s^2 in each sample before the filter then makes

    var y = s^2 sum over coordinates of (A^2 r00 + B^2 r11 + C^2 r22 + 2 A B r01 + 2 A C r02 + 2 B C r12)

with r_ij (n,) the sum over all samples of h_i h_j, and h_0, h_1, h_2 the responses of the filter and of its first and second
derivative to an impulse in one sample, as they are near the ends of the recording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector

SMALL = 1e-5
"""m, the largest course that is added: results are linear over so little"""
MAX_SAMPLES = 600
"""of a recording whose impulses are tried: between its ends, seconds away, all samples of a longer one are alike"""
PRODUCTS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""derivatives whose responses are multiplied, in the order of the rows of `filter_products`"""


@dataclass(frozen=True, eq=False)
class LocalResponse:
    """What results follow of a marker. coefficients: (axes, 3, columns, n) the A, B and C of each coordinate."""

    coefficients: Vector

    def variance(self, products: Vector) -> Vector:
        """(columns, n) of results by white noise of variance 1 in all samples. products: (6, n) of `filter_products`."""
        total = np.zeros(self.coefficients.shape[2:])
        for coefficients in self.coefficients:
            for (i, j), product in zip(PRODUCTS, products, strict=True):
                total += (1.0 if i == j else 2.0) * coefficients[i] * coefficients[j] * product
        return total


def local_response(response: Callable[[Vector], Vector], time: Vector, axes: int) -> LocalResponse:
    """How results follow a filtered marker and its derivatives.

    response: of a course (n, 3) in m that is added to the marker to what results change by, (columns, n). time: (n,) in s.
    axes: 2 in the plane, 3 in space.
    """
    t = time - 0.5 * (time[0] + time[-1])
    sizes = SMALL, SMALL / float(np.max(np.abs(t))), SMALL / float(np.max(0.5 * t * t))
    courses = np.ones(len(t)), t, 0.5 * t * t
    found = []
    for axis in range(axes):
        changes = []
        for course, size in zip(courses, sizes, strict=True):
            added = np.zeros((len(t), 3))
            added[:, axis] = size * course
            changes.append(response(added) / size)
        by_value = changes[0]
        by_rate = changes[1] - by_value * t
        by_second = changes[2] - by_value * courses[2] - by_rate * t
        found.append((by_value, by_rate, by_second))
    return LocalResponse(np.array(found))


def filter_products(
    filtered: Callable[[Vector], Vector], rates: Callable[[Vector], tuple[Vector, Vector]], count: int
) -> Vector:
    """(6, n) sums r_ij over all samples, for the pairs of `PRODUCTS`.

    filtered: the low-pass filter of series (series, n). rates: their first and second derivatives. count: n.
    """
    tried = min(count, MAX_SAMPLES)
    value = filtered(np.eye(tried))
    h = value, *rates(value)
    products = np.stack([np.nansum(h[i] * h[j], axis=0) for i, j in PRODUCTS])
    middle = np.repeat(products[:, tried // 2 : tried // 2 + 1], count - tried, axis=1)
    return np.hstack((products[:, : tried // 2], middle, products[:, tried // 2 :]))
