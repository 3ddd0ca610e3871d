"""Angles of a joint in space, and moments along its axes (Grood and Suntay 1983; Wu et al. 2002).

The first axis e1 is z of the proximal segment, the third e3 is y of the distal one, and e2 = e3 x e1 floats between them:
R_prox^T R_dist = Rz(flexion) Rx(adduction) Ry(internal rotation). On the left, adduction and rotation change sign, so that
they mean the same on both sides.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sheetmbs.gait.trial.gait_book import Side

Vector = NDArray[np.float64]
Axes = Literal["jcs", "distal", "proximal", "global"]


def joint_angles(proximal: Vector, distal: Vector, side: Side | None) -> Vector:
    """(n, 3) flexion, adduction and internal rotation in rad, without jumps; a knee that bends has a negative flexion.

    proximal, distal: (n, 3, 3) axes of both segments.
    """
    relative = np.swapaxes(proximal, 1, 2) @ distal
    known = np.all(np.isfinite(relative), axis=(1, 2))
    angles = np.full((len(relative), 3), np.nan)
    if np.any(known):
        angles[known] = np.unwrap(Rotation.from_matrix(relative[known]).as_euler("ZXY"), axis=0)
    return angles * mirrored(side)


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
