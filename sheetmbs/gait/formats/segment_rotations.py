"""Segments that a C3D gives as matrices (group ROTATION, as Theia writes): the origin of each, as a point with its name.

Such files have no heel. One is made on each foot: level with the toes while the foot stands, behind the ankle by a share of the
level way from ankle to toes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.c3d_parameters import texts_of
from sheetmbs.gait.formats.sampled_cells import listed, plain_label

FOOT, TOES, THIGH, HEEL = "foot", "toes", "thigh", "heel"
BEHIND = 0.3
"""share of the level distance from ankle to toes by which a heel lies behind the ankle"""
STANDING_SHARE = 30.0
"""percent of frames, the slowest of the toes, in which a foot counts as standing"""


def rotation_points(file: Any, size: float, notes: list[str]) -> dict[str, Vector]:
    """Courses (n, 3) in m of the origins of segments by label, with heels. size: m of a unit of the file."""
    matrices = np.asarray(file["data"]["rotations"], np.float64)
    labels = texts_of(file, "ROTATION", "LABELS")
    frames = file["data"]["points"].shape[2] or matrices.shape[3]
    if not labels or not matrices.shape[2] or not frames or matrices.shape[3] < frames:
        return {}
    matrices = matrices[:, :, :, :: matrices.shape[3] // frames][:, :, :, :frames]
    origins: dict[str, Vector] = {}
    turns: dict[str, Vector] = {}
    for at, label in enumerate(labels[: matrices.shape[2]]):
        course = size * matrices[:3, 3, at].T.copy()
        course[np.all(course == 0.0, axis=1) | ~np.isfinite(course).all(axis=1)] = np.nan
        if np.isfinite(course).any() and len(np.unique(course[np.isfinite(course).all(axis=1)], axis=0)) > 1:
            origins[plain_label(label)] = course
            turns[plain_label(label)] = matrices[:3, :3, at].transpose(2, 0, 1)
    heels = _heels(origins, turns)
    if origins:
        told = f"; heels are made from ankles and toes: {listed(list(heels))}" if heels else ""
        notes.append(f"segments given as matrices, of which the origins are taken: {listed(list(origins))}{told}")
    return origins | heels


def _heels(origins: dict[str, Vector], turns: dict[str, Vector]) -> dict[str, Vector]:
    found = {}
    for label, ankle in origins.items():
        toes = origins.get(label.replace(FOOT, TOES))
        thigh = origins.get(label.replace(FOOT, THIGH))
        if FOOT not in label or toes is None or thigh is None:
            continue
        way = np.nanmean(thigh - ankle, axis=0)
        up = np.where(np.abs(way) == np.abs(way).max(), np.sign(way), 0.0)
        speed = np.linalg.norm(np.gradient(toes, axis=0), axis=1)
        stands = speed <= np.nanpercentile(speed, STANDING_SHARE)
        turn = turns[label]
        upright = np.nanmean(np.einsum("nji,j->ni", turn[stands], up), axis=0)
        upright = upright / np.linalg.norm(upright)
        ahead = np.nanmean(np.einsum("nji,nj->ni", turn[stands], (toes - ankle)[stands]), axis=0)
        down = (ahead @ upright) * upright
        found[label.replace(FOOT, HEEL)] = ankle + turn @ (down - BEHIND * (ahead - down))
    return found
