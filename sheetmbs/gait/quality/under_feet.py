"""How far centres of pressure lie from feet, and how fast feet move: in our axes, over the frames."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinetics.foot_of_contact import BEYOND_MT5, Foot
from sheetmbs.gait.trial.gait_book import Side

Vector = NDArray[np.float64]
LEVEL = (0, 2)
"""forward and to the right"""


def beside_foot(pressure: Vector, foot: Foot) -> Vector:
    """(n,) m from points (n, 3) to the line from the heel to the tip of the toes, in the level directions that are known."""
    known = [k for k in LEVEL if all(np.isfinite(each[:, k]).any() for each in (pressure, foot.heel, foot.toe))]
    point, heel, toe = (each[:, known] for each in (pressure, foot.heel, foot.toe))
    line = toe - heel
    length = np.maximum(np.linalg.norm(line, axis=1), 1e-9)
    tip = length + (0.0 if foot.is_toe else BEYOND_MT5)
    along = np.einsum("nk,nk->n", point - heel, line) / length
    nearest = heel + (np.clip(along, 0.0, tip) / length)[:, None] * line
    return np.asarray(np.linalg.norm(point - nearest, axis=1))


def beside_feet(pressure: Vector, feet: Mapping[Side, Foot]) -> Vector:
    """(n,) m from points (n, 3) to the nearer foot; NaN where the points are."""
    if not feet:
        return np.full(len(pressure), np.nan)
    return np.asarray(np.min([beside_foot(pressure, foot) for foot in feet.values()], axis=0))


def before_toes(pressure: Vector, feet: Mapping[Side, Foot]) -> Vector:
    """(n,) m by which points (n, 3) lie forward of the toes of the nearer foot, which a moving belt carries along."""
    away = np.stack([beside_foot(pressure, foot) for foot in feet.values()])
    nearest = np.argmin(np.nan_to_num(away, nan=np.inf), axis=0)
    toes = np.stack([foot.toe[:, 0] for foot in feet.values()])
    return np.asarray(pressure[:, 0] - toes[nearest, np.arange(len(pressure))])


def foot_speed(foot: Foot, rate: float) -> Vector:
    """(n,) m/s: the mean of heel and toe."""
    speeds = []
    for points in (foot.heel, foot.toe):
        known = np.isfinite(points).any(axis=0)
        speeds.append(np.linalg.norm(np.gradient(points[:, known], 1.0 / rate, axis=0), axis=1))
    return np.asarray(np.mean(speeds, axis=0))
