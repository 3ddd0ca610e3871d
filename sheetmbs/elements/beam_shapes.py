"""Shapes in which uniform beams deform: mode shapes and static shapes, across (Euler-Bernoulli) and along them.

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

Mode shapes alone carry a moment at an end, or a force at an inner place, only by a slowly converging series: each of them is
free of curvature somewhere. With the static shape under every load that can act on it, a beam without mass deforms exactly as
the theory of beams says, however few modes it has (Craig and Bampton 1968; Craig and Kurdila 2006, sec. 17.2). Static shapes
are made orthogonal to the modes and to each other, with unit mean square. So the amplitude of a mode stays what it is without
them: the projection of the deformation on that mode.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

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


INDEPENDENT = 1e-6
"""Share of the strain energy norm of a static shape that is not that of the shapes before it. If less is left, the shape is
dropped: the deflection under its own load is then wrong by the square of this, 1e-12 of itself."""
LEAST_NODES, NODES, NODES_PER_MODE = 24, 16, 4
"""Gauss points of a panel: a constant, and more in proportion to its length; exact to rounding for products of shapes."""


@dataclass(frozen=True)
class BeamLoads:
    """Places, as shares of the length, at which forces and at which moments can act on a beam."""

    forces: tuple[float, ...] = ()
    moments: tuple[float, ...] = ()


@dataclass(frozen=True)
class BeamSpace:
    """All shapes of a beam of unit length, with their derivatives. stretches: whether there are shapes along it, too."""

    ends: str
    modes: int
    stretches: bool
    loads: BeamLoads

    def across(self, share: Floats, order: int = 0) -> Floats:
        """(points, n) shapes across the beam at ``share`` = xi/L (points,), or derivatives: modes, then static shapes."""
        return self._bending(share, order) @ self._bending_basis

    def along(self, share: Floats, order: int = 0) -> Floats:
        """(points, n) shapes along the beam in the same way; none where it keeps its length."""
        if not self.stretches:
            return np.zeros((len(share), 0))
        return self._stretching(share, order) @ self._stretching_basis

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the amplitudes of all shapes, those across the beam first: q1, q2 .. of modes, s1, s2 .. of static ones."""
        bending, stretching = (basis.shape[1] - self.modes for basis in (self._bending_basis, self._stretching_basis))
        across = [f"q{k + 1}" for k in range(self.modes)] + [f"s{k + 1}" for k in range(bending)]
        if not self.stretches:
            return tuple(across)
        along = [f"q{self.modes + k + 1}" for k in range(self.modes)]
        return (*across, *along, *(f"s{bending + k + 1}" for k in range(stretching)))

    def nodes(self, start: float = 0.0, end: float = 1.0) -> tuple[Floats, Floats]:
        """Places and weights (points,) of Gauss's rule from ``start`` to ``end``, panel by panel between the loads."""
        places = {*self.loads.forces, *self.loads.moments, start, end}
        breaks = sorted(place for place in places if start <= place <= end)
        found = [
            _panel(low, high, int(LEAST_NODES + (NODES + NODES_PER_MODE * self.modes) * (high - low)))
            for low, high in pairwise(breaks)
        ]
        if not found:
            return np.zeros(0), np.zeros(0)
        return np.concatenate([part[0] for part in found]), np.concatenate([part[1] for part in found])

    def _bending(self, share: Floats, order: int) -> Floats:
        columns = [bent_by_force(self.ends, place, share, order) for place in self.loads.forces]
        columns += [bent_by_moment(self.ends, place, share, order) for place in self.loads.moments]
        modes = transverse(self.ends, self.modes, share, order)
        return np.column_stack((modes, *columns))

    def _stretching(self, share: Floats, order: int) -> Floats:
        columns = [stretched_by_force(place, share, order) for place in self.loads.forces]
        return np.column_stack((axial(self.modes, share, order), *columns))

    @cached_property
    def _bending_basis(self) -> Floats:
        share, weight = self.nodes()
        root = np.sqrt(weight)[:, None]
        return _basis(root * self._bending(share, 0), root * self._bending(share, 2), self.modes)

    @cached_property
    def _stretching_basis(self) -> Floats:
        if not self.stretches:
            return np.zeros((self.modes, self.modes))
        share, weight = self.nodes()
        root = np.sqrt(weight)[:, None]
        return _basis(root * self._stretching(share, 0), root * self._stretching(share, 1), self.modes)


@cache
def beam_space(ends: str, modes: int, stretches: bool, loads: BeamLoads) -> BeamSpace:  # noqa: FBT001 - a key of the cache
    """The space of shapes, made once for all beams that are alike."""
    return BeamSpace(ends, modes, stretches, loads)


@cache
def _panel(low: float, high: float, count: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return low + 0.5 * (high - low) * (nodes + 1.0), 0.5 * (high - low) * weights


def _basis(values: Floats, strains: Floats, modes: int) -> Floats:
    """(all, kept) what is made of all shapes: the modes themselves, then independent static shapes orthogonal to all before.

    values, strains: (points, all) shapes and what their energy is made of, times the roots of the weights.
    """
    kept = list(range(modes))
    for column in range(modes, values.shape[1]):
        strain = strains[:, column]
        before, _ = np.linalg.qr(strains[:, kept])
        left = strain - before @ (before.T @ strain)
        if np.linalg.norm(left) > INDEPENDENT * np.linalg.norm(strain):
            kept.append(column)
    _, triangle = np.linalg.qr(values[:, kept])
    made = np.linalg.inv(triangle) * np.sign(np.diag(triangle))
    basis = np.zeros((values.shape[1], len(kept)))
    basis[:modes, :modes] = np.eye(modes)
    basis[np.ix_(kept, range(modes, len(kept)))] = made[:, modes:]
    return basis
