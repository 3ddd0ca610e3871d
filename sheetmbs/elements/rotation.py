"""Orientations: Euler parameters, rotation matrices, and angles about z, then y', then x''.

Nikravesh (1988), ch. 6.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def matrix_of(euler: Floats) -> Floats:
    """(3, 3) rotation matrix of Euler parameters (4,), which are brought to unit length; eq. 6.19."""
    e0, *vector = euler / np.linalg.norm(euler)
    e = np.array(vector)
    return np.asarray((2.0 * e0**2 - 1.0) * np.eye(3) + 2.0 * (np.outer(e, e) + e0 * cross_matrix(e)))


def cross_matrix(vector: Floats) -> Floats:
    """(3, 3) matrix of the product vector x."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def euler_of_angles(yaw: float, pitch: float, roll: float) -> Floats:
    """(4,) Euler parameters of a rotation about z, then y', then x''; rad."""
    c, s = np.cos(np.array([yaw, pitch, roll]) / 2.0), np.sin(np.array([yaw, pitch, roll]) / 2.0)
    return np.array(
        [
            c[0] * c[1] * c[2] + s[0] * s[1] * s[2],
            c[0] * c[1] * s[2] - s[0] * s[1] * c[2],
            c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
            s[0] * c[1] * c[2] - c[0] * s[1] * s[2],
        ]
    )


def angles_of_matrix(turn: Floats) -> Floats:
    """(3,) yaw, pitch and roll of a rotation matrix, rad; where pitch is a right angle, roll is 0."""
    pitch = np.arctan2(-turn[2, 0], np.hypot(turn[0, 0], turn[1, 0]))
    if np.hypot(turn[0, 0], turn[1, 0]) < UPRIGHT:
        return np.array([np.arctan2(-turn[0, 1], turn[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(turn[1, 0], turn[0, 0]), pitch, np.arctan2(turn[2, 1], turn[2, 2])])


UPRIGHT = 1e-9  # cosine of a pitch of a right angle


def smallest_rotation(start: Floats, end: Floats) -> Floats:
    """(3, 3) rotation by the smallest angle that takes one unit vector to another; opposite ones turn about any normal."""
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -1.0 + UPRIGHT:
        normal = np.cross(start, np.eye(3)[int(np.argmin(np.abs(start)))])
        normal /= np.linalg.norm(normal)
        return np.asarray(2.0 * np.outer(normal, normal) - np.eye(3))
    skew = cross_matrix(axis)
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))
