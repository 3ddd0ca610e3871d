"""Readings of a rig that holds a strut axle at the wheel centre, by nothing but distances, lines and a noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEP = 1e-6
"""mm and rad, of a difference that stands for a derivative"""


def turned(vector: Floats) -> Floats:
    """The rotation (3, 3) about a vector by its length, rad (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross)


def toe_of_strut(points: Mapping[str, Sequence[float]], toe: float, camber: float, travel: Sequence[float]) -> Floats:
    """Toe of the left wheel at each travel of its centre, deg. points: mm, with those names. toe, camber: at design, deg.

    The upright's place and rotation, six numbers, follow from six conditions: the ball joint keeps its distances from both
    pivots of the arm, the tie rod its length, the top mount lies on the line of the strut (two), the wheel centre stands at
    its height.
    """
    p = {name: np.array(place, dtype=np.float64) for name, place in points.items()}
    line = p["strut top"] - p["strut lower"]
    across = np.linalg.svd(line[None, :])[2][1:]  # two directions that are normal to the strut
    axle = np.array(
        [
            np.sin(np.radians(toe)) * np.cos(np.radians(camber)),
            np.cos(np.radians(toe)) * np.cos(np.radians(camber)),
            -np.sin(np.radians(camber)),
        ]
    )

    def placed(pose: Floats, name: str) -> Floats:
        return p["wheel centre"] + pose[:3] + turned(pose[3:]) @ (p[name] - p["wheel centre"])

    def left_over(pose: Floats, height: float) -> Floats:
        joint, rod = placed(pose, "lower ball joint"), placed(pose, "tie rod outer")
        top = turned(pose[3:]).T @ (p["strut top"] - placed(pose, "strut lower"))
        lengths = [
            np.linalg.norm(joint - p[pivot]) - np.linalg.norm(p["lower ball joint"] - p[pivot])
            for pivot in ("lower arm front", "lower arm rear")
        ]
        rod_length = np.linalg.norm(rod - p["tie rod inner"]) - np.linalg.norm(p["tie rod outer"] - p["tie rod inner"])
        return np.array([*lengths, rod_length, *(across @ top), pose[2] - height])

    found = []
    pose = np.zeros(6)
    for height in travel:
        for _ in range(20):
            rest = left_over(pose, height)
            slopes = [(left_over(pose + STEP * np.eye(6)[k], height) - rest) / STEP for k in range(6)]
            pose = pose - np.linalg.solve(np.array(slopes).T, rest)
        x, y, _z = turned(pose[3:]) @ axle
        found.append(np.degrees(np.arctan2(x, y)))
    return np.array(found)
