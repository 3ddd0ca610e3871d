"""Angles of the conventional gait model, and how its foot stands behind the marker of its toe.

Hips and knees turn as R_prox' R_dist = Rz Rx Ry. An ankle and the foot in the laboratory turn in an order of their own,

    R' R_foot = Rz(flexion) Ry(rotation) Rx(adduction),

and the pelvis and the trunk in the laboratory as Rz Rx Ry. All signs are those of their own side.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinematics.rotations import euler_angles, mirrored
from sheetmbs.gait.trial.gait_book import Side


def axial_angles(axes: Vector, side: Side) -> Vector:
    """(n, 3) tilt, obliquity and rotation in rad of pelvis or trunk (n, 3, 3) in the laboratory."""
    turned = euler_angles(axes, "ZXY")
    sign = 1.0 if side == "right" else -1.0
    return np.asarray(turned * np.array([-1.0, -sign, sign]))


def ankle_angles(ankle: Vector, foot: Vector, side: Side) -> Vector:
    """(n, 3) dorsiflexion, inversion and internal rotation in rad. ankle, foot: axes (n, 3, 3)."""
    turned = euler_angles(np.swapaxes(ankle, 1, 2) @ foot, "ZYX")
    return np.asarray(turned[:, [0, 2, 1]] * mirrored(side))


def progression(foot: Vector, side: Side) -> Vector:
    """(n,) rad by which a foot (n, 3, 3) points inward in the laboratory."""
    return np.asarray(euler_angles(foot, "ZYX")[:, 1] * mirrored(side)[2])


def foot_offsets(behind_ankle: Vector, from_heel: Vector) -> tuple[float, float]:
    """Alpha and beta in rad, the means of a standing trial.

    behind_ankle, from_heel: axes (n, 3, 3) of the foot whose x runs from the ankle's centre and from the heel to the toe.
    """
    turned = euler_angles(np.swapaxes(behind_ankle, 1, 2) @ from_heel, "ZYX")
    alpha, beta = np.nanmean(turned[:, :2], axis=0)
    return float(alpha), float(beta)


def foot_from_toe(behind_ankle: Vector, alpha: float, beta: float) -> Vector:
    """Axes (n, 3, 3) of the foot by those whose x runs from the ankle's centre to the toe."""
    return np.asarray(behind_ankle @ Rotation.from_euler("ZY", [alpha, beta]).as_matrix())
