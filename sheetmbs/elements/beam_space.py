"""The shapes in which a beam deforms: its mode shapes, and beside them what its loads bend it into.

Mode shapes alone carry a moment at an end, or a force at an inner place, only by a slowly converging series: each of them is
free of curvature somewhere. With the static shape under every load that can act on it, a beam without mass deforms exactly as
the theory of beams says, however few modes it has (Craig and Bampton 1968; Craig and Kurdila 2006, sec. 17.2). Static shapes
are made orthogonal to the modes and to each other, with unit mean square. So the amplitude of a mode stays what it is without
them: the projection of the deformation on that mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.beam_shapes import axial, bent_by_force, bent_by_moment, stretched_by_force, transverse

Floats = NDArray[np.float64]

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
