"""Mode shapes of uniform beams, across (Euler-Bernoulli) and along them, and their derivatives.

    clamped-free      cosh z - cos z - c (sinh z - sin z), z = b xi/L, cos b cosh b = -1: of unit mean square
    clamped-clamped   the same with cos b cosh b = 1
    pinned-pinned     sin(n pi xi/L)
    along             2^1/2 sin((2 n - 1) pi xi/(2 L)): held at end i, free at the other, whatever the ends

Inman (2014), sec. 6.5 and 6.3, gives all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ENDS = ("clamped-free", "pinned-pinned", "clamped-clamped")
HALF_TURN = 0.5 * np.pi
NEWTON_STEPS = 20


def transverse(ends: str, modes: int, share: Floats, order: int = 0) -> Floats:
    """(points, modes) shapes across the beam at ``share`` = xi/L (points,), or derivatives by it of that order."""
    numbers = np.arange(1, modes + 1)
    if ends == "pinned-pinned":
        waves = np.pi * numbers
        return np.asarray(waves**order * np.sin(np.outer(share, waves) + order * HALF_TURN))
    waves, excess = _clamped(ends, numbers)
    z = np.outer(share, waves)
    bent = 0.5 * (excess * np.exp(z) + (-1.0) ** order * (2.0 - excess) * np.exp(-z))
    waving = (1.0 - excess) * np.sin(z + order * HALF_TURN) - np.cos(z + order * HALF_TURN)
    return np.asarray(waves**order * (bent + waving))


def axial(modes: int, share: Floats, order: int = 0) -> Floats:
    """(points, modes) shapes along the beam at ``share`` = xi/L (points,), or derivatives by it of that order."""
    waves = HALF_TURN * (2.0 * np.arange(1, modes + 1) - 1.0)
    return np.asarray(np.sqrt(2.0) * waves**order * np.sin(np.outer(share, waves) + order * HALF_TURN))


def _clamped(ends: str, numbers: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Wave numbers b and 1 - c of beams clamped at end i; the latter without the digits that subtracting would lose."""
    sign = 1.0 if ends == "clamped-free" else -1.0
    waves = (2.0 * numbers - sign) * HALF_TURN
    for _ in range(NEWTON_STEPS):  # on cos b + sign/cosh b = 0
        residual = np.cos(waves) + sign / np.cosh(waves)
        waves = waves - residual / (-np.sin(waves) - sign * np.tanh(waves) / np.cosh(waves))
    excess = (sign * (np.sin(waves) - np.cos(waves)) - np.exp(-waves)) / (np.sinh(waves) + sign * np.sin(waves))
    return np.asarray(waves), np.asarray(excess)
