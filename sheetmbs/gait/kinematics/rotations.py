"""Rotations of segments in space: anatomical axes, angles of joints and moments along their axes, angular velocities.

Joints (Grood and Suntay 1983; Wu et al. 2002): the first axis e1 is z of the proximal segment, the third e3 is y of the distal
one, and e2 = e3 x e1 floats between them: R_prox^T R_dist = Rz(flexion) Rx(adduction) Ry(internal rotation). On the left,
adduction and rotation change sign, so that they mean the same on both sides.

Angular velocity and acceleration come from quaternions without jumps of sign. With p = q/|q|, |q| = 1 at the frames:
omega = 2 vec(q' q*), alpha = 2 vec(q'' q*) - 2 (q . q') omega, global.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial.transform import Rotation

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Derivatives
from sheetmbs.gait.signals.derivatives import at_rest
from sheetmbs.gait.trial.gait_book import Side

MIN_SINE = 1e-3
"""sine of the angle between two directions below which they span no plane"""
Axes = Literal["jcs", "distal", "proximal", "global"]


def anatomical_axes(start: Vector, end: Vector, plane: Vector, order: str) -> Vector:
    """(.., 3, 3) whose columns are x, y and z of a segment.

    start, end: (.., 3) in m between which the first axis runs. plane: (.., 3) a point in the plane of the first and the third
    axis.
    order: names of the axes as they are made, as ``yxz``: the second stands upright on the plane, on the side on which
    it points forward, up or to the right, and the third completes them.
    Raises ValueError where the points lie on a line, or the first two are one.
    """
    first, second, third = ("xyz".index(name) for name in order)
    length = np.linalg.norm(end - start, axis=-1, keepdims=True)
    if (length == 0.0).any():
        raise ValueError("the first axis runs from a point to itself")
    along, aside = (end - start) / length, plane - start
    normal = np.cross(along, aside)
    size = np.linalg.norm(normal, axis=-1, keepdims=True)
    if not (size > MIN_SINE * np.linalg.norm(aside, axis=-1, keepdims=True)).all():
        raise ValueError("the first axis and the point in its plane lie on one line")
    normal = normal * np.where(normal[..., second, None] >= 0.0, 1.0, -1.0) / size
    axes = np.zeros((*along.shape, 3))
    axes[..., first], axes[..., second] = along, normal
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    axes[..., third] = sign * np.cross(along, normal)
    return axes


def joint_angles(proximal: Vector, distal: Vector, side: Side | None) -> Vector:
    """(n, 3) flexion, adduction and internal rotation in rad, without jumps; a knee that bends has a negative flexion.

    proximal, distal: (n, 3, 3) axes of both segments.
    """
    return euler_angles(np.swapaxes(proximal, 1, 2) @ distal, "ZXY") * mirrored(side)


def euler_angles(rotation: Vector, order: Literal["ZXY", "ZYX"]) -> Vector:
    """(n, 3) in rad without jumps of rotations (n, 3, 3), about moving axes in the order of the letters; NaN stays NaN.

    With a, b and c in that order R = Rz(a) Rx(b) Ry(c) has

        R01 = -sin a cos b    R11 = cos a cos b    R21 = sin b    R20 = -cos b sin c    R22 = cos b cos c

    and R = Rz(a) Ry(b) Rx(c) has

        R10 = sin a cos b     R00 = cos a cos b    R20 = -sin b   R21 = cos b sin c     R22 = cos b cos c.
    """
    r = np.moveaxis(rotation, 0, -1)
    if order == "ZXY":
        sines = -r[0, 1], r[2, 1], -r[2, 0]
        cosines = r[1, 1], np.hypot(r[2, 0], r[2, 2]), r[2, 2]
    else:
        sines = r[1, 0], -r[2, 0], r[2, 1]
        cosines = r[0, 0], np.hypot(r[2, 1], r[2, 2]), r[2, 2]
    angles = np.arctan2(sines, cosines)
    known = np.isfinite(angles).all(axis=0)
    if known.all():
        return np.unwrap(angles, axis=1).T
    found = np.full(angles.shape, np.nan)
    if known.any():
        found[:, known] = np.unwrap(angles[:, known], axis=1)
    return found.T


def mirrored(side: Side | None) -> Vector:
    """(3,) by which angles and moments about e1, e2, e3 count on a side."""
    return np.array([1.0, -1.0, -1.0]) if side == "left" else np.ones(3)


def joint_axes(proximal: Vector, distal: Vector) -> Vector:
    """(n, 3, 3), rows e1, e2 and e3, global. e1 and e3 need not be upright on each other."""
    first, third = proximal[:, :, 2], distal[:, :, 1]
    second = np.cross(third, first)
    second = second / np.linalg.norm(second, axis=1, keepdims=True)
    return np.stack((first, second, third), axis=1)


def moment_in(axes: Axes, moment: Vector, proximal: Vector, distal: Vector, side: Side | None) -> Vector:
    """(n, 3) of a global moment (n, 3) in other axes.

    jcs: its projections on e1, e2 and e3 as flexion, adduction and rotation count; they do not add up to the vector.
    distal, proximal: its components along x, y, z of a segment.
    """
    if axes == "jcs":
        return np.asarray(np.einsum("nij,nj->ni", joint_axes(proximal, distal), moment) * mirrored(side))
    if axes == "global":
        return moment
    return np.asarray(np.einsum("nji,nj->ni", distal if axes == "distal" else proximal, moment))


def quaternions(rotation: Vector) -> Vector:
    """(n, 4) with the scalar last, of rotation matrices (n, 3, 3); each next to the one before. NaN stays so."""
    known = np.flatnonzero(np.all(np.isfinite(rotation), axis=(1, 2)))
    found = np.full((len(rotation), 4), np.nan)
    if len(known):
        own = Rotation.from_matrix(rotation[known]).as_quat()
        turns = np.where(np.sum(own[1:] * own[:-1], axis=1) < 0.0, -1.0, 1.0)
        found[known] = own * np.concatenate(([1.0], np.cumprod(turns)))[:, None]
    return found


def turning(rotation: Vector, derivatives: Derivatives) -> tuple[Vector, Vector]:
    """(n, 3) angular velocity and acceleration, global, of a rotation (n, 3, 3).

    derivatives: of courses (4, n), as of all others of the trial.
    """
    if derivatives is at_rest:
        return np.zeros(rotation.shape[:2]), np.zeros(rotation.shape[:2])
    q = quaternions(rotation)
    first, second = (each.T for each in derivatives(q.T))
    omega = 2.0 * _vector_of_product(first, q)
    stretch = np.sum(q * first, axis=1, keepdims=True)
    return omega, 2.0 * _vector_of_product(second, q) - 2.0 * stretch * omega


def _vector_of_product(a: Vector, b: Vector) -> Vector:
    """(n, 3) vector part of a b*."""
    return np.asarray(-a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3]))
