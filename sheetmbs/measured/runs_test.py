"""The runs test of Wald and Wolfowitz: whether the signs of residuals come in a random order.

Wald, A. and Wolfowitz, J.: On a test whether two samples are from the same population. Annals of Mathematical Statistics
11 (1940), 147-162. Of n1 positive and n2 negative signs, n = n1 + n2, the number of runs has in random order

    mean  mu = 2 n1 n2/n + 1,    variance  2 n1 n2 (2 n1 n2 - n)/(n^2 (n - 1)),

and is nearly normal.
"""

from __future__ import annotations

from math import erfc, sqrt

import numpy as np

from sheetmbs.measured.measurement import Floats

LEAST_SIGNS = 10
"""signs from which on the number of runs is normal enough"""


def runs_probability(x: Floats, residuals: Floats) -> float | None:
    """Two-sided probability of so few or so many runs of signs in the order of x, by the normal approximation.

    Residuals of 0 are left out. x, residuals: (n,). None where there are too few signs, or all are alike.
    """
    ordered = residuals[np.argsort(x, kind="stable")]
    signs = np.sign(ordered[ordered != 0.0])
    positive, negative = int(np.sum(signs > 0.0)), int(np.sum(signs < 0.0))
    count = positive + negative
    if count < LEAST_SIGNS or not positive or not negative:
        return None
    runs = 1 + int(np.sum(signs[1:] != signs[:-1]))
    pairs = 2.0 * positive * negative
    variance = pairs * (pairs - count) / (count * count * (count - 1.0))
    if variance <= 0.0:
        return None
    return erfc(abs(runs - pairs / count - 1.0) / sqrt(2.0 * variance))
