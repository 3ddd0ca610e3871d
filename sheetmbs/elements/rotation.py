"""Orientations: Euler parameters, rotation matrices, angles about z, then y', then x'', and principal axes of inertia.

Nikravesh (1988), ch. 6.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UPRIGHT = 1e-9  # cosine of a pitch of a right angle
ROUNDING = 1e-12  # of the largest moment of inertia: a smaller one is none


def matrix_of(euler: Floats) -> Floats:
    """(..., 3, 3) rotation matrices of Euler parameters (..., 4), which are brought to unit length; eq. 6.19.

    Those of one body are plain numbers on the way: arrays without a dimension take numpy ten times as long.
    """
    is_one = euler.ndim == 1
    a, b, c, d = euler.tolist() if is_one else (euler[..., k] for k in range(4))
    square = a * a + b * b + c * c + d * d
    size = sqrt(square) if is_one else np.sqrt(square)
    e0, e1, e2, e3 = a / size, b / size, c / size, d / size
    found = np.empty((*euler.shape[:-1], 3, 3))
    found[..., 0, 0] = 2 * (e0 * e0 + e1 * e1) - 1
    found[..., 0, 1] = 2 * (e1 * e2 - e0 * e3)
    found[..., 0, 2] = 2 * (e1 * e3 + e0 * e2)
    found[..., 1, 0] = 2 * (e1 * e2 + e0 * e3)
    found[..., 1, 1] = 2 * (e0 * e0 + e2 * e2) - 1
    found[..., 1, 2] = 2 * (e2 * e3 - e0 * e1)
    found[..., 2, 0] = 2 * (e1 * e3 - e0 * e2)
    found[..., 2, 1] = 2 * (e2 * e3 + e0 * e1)
    found[..., 2, 2] = 2 * (e0 * e0 + e3 * e3) - 1
    return found


def size_of(vector: Floats) -> float:
    """Length of a vector (n,), as `numpy.linalg.norm` has it, which takes several times as long for so few numbers."""
    return sqrt(vector.dot(vector))


def cross(one: Floats, two: Floats) -> Floats:
    """(..., 3) vector products of vectors (..., 3), complex ones too; of few vectors numpy's takes several times as long."""
    found = np.empty(np.broadcast_shapes(one.shape, two.shape), dtype=np.result_type(one, two))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        found[..., k] = one[..., i] * two[..., j] - one[..., j] * two[..., i]
    return found


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


def smallest_rotation(start: Floats, end: Floats) -> Floats:
    """(3, 3) rotation by the smallest angle that takes one unit vector to another; opposite ones turn about any normal."""
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -1.0 + UPRIGHT:
        normal = np.cross(start, np.eye(3)[int(np.argmin(np.abs(start)))])
        normal /= np.linalg.norm(normal)
        return np.asarray(2.0 * np.outer(normal, normal) - np.eye(3))
    skew = cross_matrix(axis)
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))


def rotation_about(vector: Floats) -> Floats:
    """(3, 3) rotation about the direction of a rotation vector (3,) by its length, rad."""
    half = 0.5 * float(np.linalg.norm(vector))
    return matrix_of(np.concatenate(([np.cos(half)], 0.5 * np.sinc(half / np.pi) * np.asarray(vector))))


def rotation_vector(matrix: Floats) -> Floats:
    """(3,) rotation vector, no longer than pi, of a rotation matrix (3, 3).

    Its Euler parameters are the eigenvector of a symmetric matrix, well determined at every angle; Bar-Itzhack (2000), J. Guid.
    Control Dyn. 23, 1085.
    """
    skew = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    four = np.zeros((4, 4))
    four[0, 0] = np.trace(matrix)
    four[0, 1:] = four[1:, 0] = skew
    four[1:, 1:] = matrix + matrix.T - np.trace(matrix) * np.eye(3)
    euler = np.linalg.eigh(four)[1][:, -1]
    euler *= -1.0 if euler[0] < 0.0 else 1.0
    size = float(np.linalg.norm(euler[1:]))
    return np.asarray(euler[1:] * (2.0 * np.arctan2(size, euler[0]) / size if size > 0.0 else 2.0))


def modified_rodrigues(matrix: Floats) -> Floats:
    """(3,) modified Rodrigues parameters, no longer than 1, of a rotation matrix (3, 3): its axis by tan of a quarter turn."""
    vector = rotation_vector(matrix)
    angle = size_of(vector)
    return np.asarray(vector * (np.tan(0.25 * angle) / angle if angle > 0.0 else 0.25))


def principal_moments(tensor: Floats) -> Floats:
    """(3,) in ascending order, of a symmetric tensor (3, 3)."""
    return np.asarray(np.sort(tensor.diagonal()) if _is_diagonal(tensor) else np.linalg.eigvalsh(tensor))


def principal_axes(tensor: Floats | None) -> tuple[Floats, Floats]:
    """Principal moments (3,), NaN where blank, and right-handed principal axes (3, 3) as columns, body coordinates."""
    if tensor is None:
        return np.full(3, np.nan), np.eye(3)
    if _is_diagonal(tensor):
        return tensor.diagonal().copy(), np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    moments = np.where(np.abs(moments) < ROUNDING * np.max(np.abs(moments)), 0.0, moments)
    return moments, axes * np.array([1.0, 1.0, np.linalg.det(axes)])


def _is_diagonal(tensor: Floats) -> bool:
    return bool(np.count_nonzero(tensor) == np.count_nonzero(tensor.diagonal()))
