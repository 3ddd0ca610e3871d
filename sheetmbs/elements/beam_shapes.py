"""Mode shapes and static shapes of uniform beams, across (Euler-Bernoulli) and along them, and their derivatives.

    clamped-free      cosh z - cos z - c (sinh z - sin z), z = b xi/L, cos b cosh b = -1: of unit mean square
    clamped-clamped   the same with cos b cosh b = 1
    pinned-pinned     sin(n pi xi/L)
    along             2^1/2 sin((2 n - 1) pi xi/(2 L)): held at end i, free at the other, whatever the ends

Inman (2014), sec. 6.5 and 6.3, gives these modes.

A static shape is how a beam without mass deforms under a unit force or a unit moment at one place, with EI = EA = L = 1 (an
attachment mode of Craig and Kurdila 2006, sec. 17.2), against the frame of the beam: clamped at end i, or on pins at both ends.
With <s> = max(s, 0):

    clamped at end i    force at a   a s^2/2 - s^3/6 + <s - a>^3/6        moment at a   s^2/2 - <s - a>^2/2
    on two pins         the same with the force at end j that keeps both pins free of moment, less the line through both
    along               force at a   s - <s - a>
"""

from __future__ import annotations

import math

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


def bent_by_force(ends: str, place: float, share: Floats, order: int = 0) -> Floats:
    """(points,) static shape under a unit force across the beam at ``place`` = a/L, or its derivative of that order."""

    def clamped(place: float, share: Floats, order: int) -> Floats:
        return (
            place * _power(share, 0.0, 2, order)
            - _power(share, 0.0, 3, order)
            + (_power(share, place, 3, order) if place < 1.0 else 0.0)
        )

    if ends != "pinned-pinned":
        return clamped(place, share, order)
    end = np.ones(1)
    drop = float(clamped(place, end, 0)[0] - place * clamped(1.0, end, 0)[0])
    return clamped(place, share, order) - place * clamped(1.0, share, order) - drop * _power(share, 0.0, 1, order)


def bent_by_moment(ends: str, place: float, share: Floats, order: int = 0) -> Floats:
    """(points,) static shape under a unit moment at ``place`` = a/L, or its derivative of that order."""

    def clamped(share: Floats, order: int) -> Floats:
        return _power(share, 0.0, 2, order) - (_power(share, place, 2, order) if place < 1.0 else 0.0)

    if ends != "pinned-pinned":
        return clamped(share, order)
    end = np.ones(1)
    cantilever = bent_by_force("clamped-free", 1.0, share, order)
    drop = float((clamped(end, 0) - bent_by_force("clamped-free", 1.0, end))[0])
    return np.asarray(clamped(share, order) - cantilever - drop * _power(share, 0.0, 1, order))


def stretched_by_force(place: float, share: Floats, order: int = 0) -> Floats:
    """(points,) static shape under a unit force along the beam at ``place`` = a/L, or its derivative of that order."""
    return _power(share, 0.0, 1, order) - (_power(share, place, 1, order) if place < 1.0 else 0.0)


def _power(share: Floats, start: float, degree: int, order: int) -> Floats:
    """Derivative of <s - start>^degree/degree!."""
    beyond = np.where(share > start, share - start, 0.0)
    if order > degree:
        return np.zeros_like(beyond)
    left = degree - order
    if left == 0:
        return np.where(share >= start, 1.0, 0.0)
    return np.asarray(beyond**left / math.factorial(left))


def _clamped(ends: str, numbers: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Wave numbers b and 1 - c of beams clamped at end i; the latter without the digits that subtracting would lose."""
    sign = 1.0 if ends == "clamped-free" else -1.0
    waves = (2.0 * numbers - sign) * HALF_TURN
    for _ in range(NEWTON_STEPS):  # on cos b + sign/cosh b = 0
        residual = np.cos(waves) + sign / np.cosh(waves)
        waves = waves - residual / (-np.sin(waves) - sign * np.tanh(waves) / np.cosh(waves))
    excess = (sign * (np.sin(waves) - np.cos(waves)) - np.exp(-waves)) / (np.sinh(waves) + sign * np.sin(waves))
    return np.asarray(waves), np.asarray(excess)
