"""Quantities over poses with their first and second derivatives by the drivers: every formula differentiates itself.

(f g)_k = f_k g + f g_k          (f g)_kl = f_kl g + f_k g_l + f_l g_k + f g_kl
phi(f)_k = phi' f_k              phi(f)_kl = phi'' f_k f_l + phi' f_kl
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Jet:
    """A number at n poses. value: (n,). first: (n, d). second: (n, d, d), symmetric."""

    value: Floats
    first: Floats
    second: Floats

    def __add__(self, other: Jet | float) -> Jet:
        if isinstance(other, Jet):
            return Jet(self.value + other.value, self.first + other.first, self.second + other.second)
        return Jet(self.value + other, self.first, self.second)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.first, -self.second)

    def __sub__(self, other: Jet | float) -> Jet:
        return self + (-other)

    def __rsub__(self, other: float) -> Jet:
        return -self + other

    def __mul__(self, other: Jet | float) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.value * other, self.first * other, self.second * other)
        f, g = self.value[:, None], other.value[:, None]
        crossed = self.first[:, :, None] * other.first[:, None, :]
        return Jet(
            self.value * other.value,
            self.first * g + f * other.first,
            self.second * g[:, None] + f[:, None] * other.second + crossed + np.swapaxes(crossed, 1, 2),
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Jet | float) -> Jet:
        return self * (_inverse(other) if isinstance(other, Jet) else 1.0 / other)

    def of(self, value: Floats, slope: Floats, bend: Floats) -> Jet:
        """A function of this, from its value and its first and second derivative here."""
        squared = self.first[:, :, None] * self.first[:, None, :]
        return Jet(
            value, slope[:, None] * self.first, bend[:, None, None] * squared + slope[:, None, None] * self.second
        )

    def rebased(self, basis: Floats) -> Jet:
        """Derivatives by other drivers. basis: (new, d), how each of them moves the present ones."""
        return Jet(self.value, self.first @ basis.T, basis @ self.second @ basis.T)

    def sqrt(self) -> Jet:
        """Square root."""
        root = np.sqrt(self.value)
        return self.of(root, 0.5 / root, -0.25 / root**3)

    def arcsin(self) -> Jet:
        """Angle of a sine."""
        cosine = np.sqrt(1.0 - self.value**2)
        return self.of(np.arcsin(self.value), 1.0 / cosine, self.value / cosine**3)

    def cos(self) -> Jet:
        """Cosine."""
        cosine, sine = np.cos(self.value), np.sin(self.value)
        return self.of(cosine, -sine, -cosine)

    def sin(self) -> Jet:
        """Sine."""
        cosine, sine = np.cos(self.value), np.sin(self.value)
        return self.of(sine, cosine, -sine)


def arctan2(y: Jet, x: Jet) -> Jet:
    """Angle of a direction; exact in all quadrants.

    a_k = (x y_k - y x_k)/r^2, and a_kl is the derivative of that.
    """
    square = x.value**2 + y.value**2
    c, s = x.value / square, y.value / square
    first = c[:, None] * y.first - s[:, None] * x.first
    radial = c[:, None] * x.first + s[:, None] * y.first  # r_k/r
    mixed = radial[:, :, None] * first[:, None, :]
    second = c[:, None, None] * y.second - s[:, None, None] * x.second - mixed - np.swapaxes(mixed, 1, 2)
    return Jet(np.arctan2(y.value, x.value), first, second)


@dataclass(frozen=True, eq=False)
class Vec:
    """A vector in space at n poses, with its derivatives."""

    x: Jet
    y: Jet
    z: Jet

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vec) -> Vec:
        return Vec(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor: Jet | float) -> Vec:
        return Vec(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other: Vec) -> Jet:
        """Scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vec) -> Vec:
        """Vector product."""
        return Vec(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def norm(self) -> Jet:
        """Length."""
        return self.dot(self).sqrt()

    def unit(self) -> Vec:
        """Direction."""
        return self * _inverse(self.norm())

    def rebased(self, basis: Floats) -> Vec:
        """Derivatives by other drivers, as of a number."""
        return Vec(*(part.rebased(basis) for part in (self.x, self.y, self.z)))

    @property
    def value(self) -> Floats:
        """(n, 3)."""
        return np.stack((self.x.value, self.y.value, self.z.value), axis=-1)


def _inverse(of: Jet) -> Jet:
    return of.of(1.0 / of.value, -(of.value**-2), 2.0 * of.value**-3)


def vec(value: Floats, first: Floats, second: Floats) -> Vec:
    """A vector from (n, 3), (n, d, 3) and (n, d, d, 3)."""
    return Vec(*(Jet(value[:, k], first[:, :, k], second[:, :, :, k]) for k in range(3)))


def constant(value: Floats, count: int, drivers: int) -> Vec:
    """A vector (3,) that nothing moves."""
    return vec(np.tile(value, (count, 1)), np.zeros((count, drivers, 3)), np.zeros((count, drivers, drivers, 3)))
