"""Quantities over poses with their first and second derivatives by the drivers: every formula differentiates itself.

The kernels of `engine/jet_rules.py` hold the rules. A vector is three such quantities in one array.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine import jet_rules as rules

Floats = NDArray[np.float64]
SMALLEST_ROOT = 1e-30
"""of a square, below which derivatives of the root are those there: their cubes stay finite"""


@cache
def _drivers(rows: int) -> int:
    """Number d of drivers of 1 + d + d^2 rows."""
    return int(((4 * rows - 3) ** 0.5 - 1.0) / 2.0 + 0.5)


@dataclass(eq=False, slots=True)
class Jet:
    """A number at n poses. rows: (1 + d + d^2, n) its value, first and second derivatives."""

    rows: Floats
    __array_ufunc__ = None  # an array on the left of an operator leaves it to the jet

    @property
    def drivers(self) -> int:
        """How many derivatives it has."""
        return _drivers(len(self.rows))

    @property
    def value(self) -> Floats:
        """Values at all poses, (n,)."""
        found: Floats = self.rows[0]
        return found

    @property
    def first(self) -> Floats:
        """First derivatives, shape (n, d)."""
        return self.rows[1 : 1 + self.drivers].T

    @property
    def second(self) -> Floats:
        """(n, d, d), symmetric."""
        d = self.drivers
        return self.rows[1 + d :].reshape(d, d, -1).transpose(2, 0, 1)

    def __add__(self, other: Jet | Floats | float) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.rows + other.rows)
        found = self.rows.copy()
        found[0] += other
        return Jet(found)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet(-self.rows)

    def __sub__(self, other: Jet | Floats | float) -> Jet:
        return Jet(self.rows - other.rows) if isinstance(other, Jet) else self + (-other)

    def __rsub__(self, other: Floats | float) -> Jet:
        return -self + other

    def __mul__(self, other: Jet | Floats | float) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.rows * other)
        found = np.empty_like(self.rows)
        rules.multiply(self.rows, other.rows, found)
        return Jet(found)

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | Floats | float) -> Jet:
        if not isinstance(other, Jet):
            return self * (1.0 / other)
        found = np.empty_like(self.rows)
        rules.quotient(self.rows, other.rows, found)
        return Jet(found)

    def of(self, value: Floats, slope: Floats, bend: Floats) -> Jet:
        """A function of this, from its value and its first and second derivative here."""
        found = np.empty_like(self.rows)
        rules.chain(self.rows, value, slope, bend, found)
        return Jet(found)

    def rebased(self, basis: Floats) -> Jet:
        """Derivatives by other drivers. basis: (new, d), how each of them moves the present ones."""
        new = len(basis)
        found = np.empty((1 + new + new * new, self.rows.shape[1]))
        rules.rebase(self.rows, np.ascontiguousarray(basis), found)
        return Jet(found)

    def sqrt(self) -> Jet:
        """Square root of the number; at 0, where it has no slope, its derivatives are those of a small number above 0."""
        root = np.sqrt(self.value)
        above = np.maximum(root, SMALLEST_ROOT)
        return self.of(root, 0.5 / above, -0.25 / above**3)

    def arcsin(self) -> Jet:
        """Angle of a sine."""
        cosine = np.sqrt(1.0 - self.value**2)
        return self.of(np.arcsin(self.value), 1.0 / cosine, self.value / cosine**3)

    def cos(self) -> Jet:
        """Cosine of the number."""
        cosine, sine = np.cos(self.value), np.sin(self.value)
        return self.of(cosine, -sine, -cosine)

    def sin(self) -> Jet:
        """Sine of the number."""
        cosine, sine = np.cos(self.value), np.sin(self.value)
        return self.of(sine, cosine, -sine)


def jet(value: Floats, first: Floats, second: Floats) -> Jet:
    """A number from (n,), (n, d) and (n, d, d)."""
    count, d = first.shape
    found = np.empty((1 + d + d * d, count))
    found[0], found[1 : 1 + d], found[1 + d :] = value, first.T, second.reshape(count, d * d).T
    return Jet(found)


def arctan2(y: Jet, x: Jet) -> Jet:
    """Angle of a direction; exact in all quadrants."""
    found = np.empty_like(x.rows)
    rules.angle(y.rows, x.rows, found)
    return Jet(found)


@dataclass(eq=False, slots=True)
class Vec:
    """A vector in space at n poses, with its derivatives. rows: (3, 1 + d + d^2, n), those of each component."""

    rows: Floats

    @property
    def x(self) -> Jet:
        """Component towards the front."""
        return Jet(self.rows[0])

    @property
    def y(self) -> Jet:
        """Component to the left."""
        return Jet(self.rows[1])

    @property
    def z(self) -> Jet:
        """Component in the upward direction."""
        return Jet(self.rows[2])

    @property
    def drivers(self) -> int:
        """How many derivatives it has."""
        return _drivers(self.rows.shape[1])

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.rows + other.rows)

    def __sub__(self, other: Vec) -> Vec:
        return Vec(self.rows - other.rows)

    def __mul__(self, factor: Jet | Floats | float) -> Vec:
        if not isinstance(factor, Jet):
            return Vec(self.rows * factor)
        found = np.empty_like(self.rows)
        rules.scale(self.rows, factor.rows, found)
        return Vec(found)

    def __truediv__(self, other: Jet) -> Vec:
        found = np.empty_like(self.rows)
        rules.quotient_of_vector(self.rows, other.rows, found)
        return Vec(found)

    def dot(self, other: Vec) -> Jet:
        """Scalar product with another vector."""
        found = np.empty(self.rows.shape[1:])
        rules.scalar_product(self.rows, other.rows, found)
        return Jet(found)

    def along(self, direction: Floats) -> Jet:
        """Scalar product with a vector that nothing moves: (3,), or (n, 3) where it differs between poses."""
        return Jet(np.einsum("c,crn->rn" if direction.ndim == 1 else "nc,crn->rn", direction, self.rows))

    def cross(self, other: Vec) -> Vec:
        """Vector product with another vector."""
        found = np.empty_like(self.rows)
        rules.vector_product(self.rows, other.rows, found)
        return Vec(found)

    def norm(self) -> Jet:
        """Length of the vector."""
        found = np.empty(self.rows.shape[1:])
        rules.length(self.rows, found)
        return Jet(found)

    def unit(self) -> Vec:
        """Unit vector in this direction."""
        size, found = np.empty(self.rows.shape[1:]), np.empty_like(self.rows)
        rules.unit_vector(self.rows, size, found)
        return Vec(found)

    def square_to(self, direction: Vec) -> Vec:
        """What of it is square to a unit vector."""
        along, found = np.empty(self.rows.shape[1:]), np.empty_like(self.rows)
        rules.reject(self.rows, direction.rows, along, found)
        return Vec(found)

    def beyond(self, along: Vec, distance: float) -> Vec:
        """The point that is so far from this one along a vector."""
        size, found = np.empty(self.rows.shape[1:]), np.empty_like(self.rows)
        rules.go_along(self.rows, along.rows, distance, size, found)
        return Vec(found)

    def rebased(self, basis: Floats) -> Vec:
        """Derivatives by other drivers, as of a number."""
        new = len(basis)
        found = np.empty((3, 1 + new + new * new, self.rows.shape[2]))
        rules.rebase_vector(self.rows, np.ascontiguousarray(basis), found)
        return Vec(found)

    @property
    def value(self) -> Floats:
        """Values at all poses, (n,)."""
        return self.rows[:, 0].T

    @property
    def first(self) -> Floats:
        """First derivatives, shape (n, d)."""
        return self.rows[:, 1 : 1 + self.drivers].T

    @property
    def second(self) -> Floats:
        """(n, d, d, 3)."""
        d = self.drivers
        return self.rows[:, 1 + d :].reshape(3, d, d, -1).T


def vec(value: Floats, first: Floats, second: Floats) -> Vec:
    """A vector from (n, 3), (n, d, 3) and (n, d, d, 3)."""
    count, d = first.shape[:2]
    found = np.empty((3, 1 + d + d * d, count))
    found[:, 0], found[:, 1 : 1 + d] = value.T, first.T
    found[:, 1 + d :] = second.reshape(count, d * d, 3).T
    return Vec(found)


def constant(value: Floats, count: int, drivers: int) -> Vec:
    """A vector that nothing moves: (3,), or (n, 3) where it differs between poses."""
    found = np.zeros((3, 1 + drivers + drivers * drivers, count))
    found[:, 0] = value.T if value.ndim > 1 else value[:, None]
    return Vec(found)
