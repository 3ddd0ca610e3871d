"""What the numbers of a Qualisys force file mean: its axes, the point and the unit of its moments, and its sign.

The file says in words whether it is in axes of the plate or of the laboratory. About which point and in which unit moments
are, versions differ: whichever makes moments and centre of pressure agree is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate, plate_axes

LOCAL_WORDS, WORLD_WORDS = ("local", "plate coord", "force plate"), ("world", "lab", "global")
LOADED = 0.1
"""of the largest force, from which on a sample counts"""
AGREE = 0.05
"""part of the moments by which they may miss those of the centre of pressure"""
N_MM = 1e-3
TINY = 1e-12


@dataclass(frozen=True)
class Mount:
    """How a plate stands. corners: four points in m in the laboratory, or None. offset: of its origin. told: DESCRIPTION."""

    corners: tuple[tuple[float, ...], ...] | None
    offset: tuple[float, float, float]
    told: str


@dataclass(frozen=True)
class MountedPlate:
    """A plate with its moments about the origin that its geometry tells; no geometry where the file tells none."""

    plate: RecordedPlate
    geometry: PlateGeometry | None


def mounted(plate: RecordedPlate, mount: Mount, notes: list[str]) -> MountedPlate:
    """A plate as read, its moments as if in N m, with what the file tells of it."""
    if mount.corners is None:
        return MountedPlate(replace(plate, pressure=None) if plate.moment is not None else plate, None)
    corners = np.array(mount.corners)
    is_world = any(word in mount.told for word in WORLD_WORDS) and not any(word in mount.told for word in LOCAL_WORDS)
    turn, centre = plate_axes(corners), corners.mean(axis=0)
    origins = (np.zeros(3), centre) if is_world else (np.zeros(3), np.array(mount.offset), -np.array(mount.offset))
    normal = turn[:, 2] if is_world else np.array([0.0, 0.0, 1.0])
    origin, size = _moment_origin(plate, origins, normal, notes)
    force = plate.force if is_world else plate.force @ turn.T
    sign: Literal["action", "reaction"] = (
        "action" if force[:, int(np.argmax(np.abs(turn[:, 2])))].sum() < 0.0 else "reaction"
    )
    moment = None if plate.moment is None else size * plate.moment
    if is_world and moment is not None:
        moment = moment - np.cross(centre - origin, plate.force)
    lies = PlateGeometry(
        plate.name, corners, np.zeros(3) if is_world else origin, "marker" if is_world else "own", sign
    )
    if not mount.told:
        notes.append(f"{plate.name}: the file does not say whose axes its columns have; those of the plate are taken")
    return MountedPlate(replace(plate, moment=moment, pressure=plate.pressure if moment is None else None), lies)


def _moment_origin(
    plate: RecordedPlate, origins: tuple[Vector, ...], normal: Vector, notes: list[str]
) -> tuple[Vector, float]:
    """About which point moments are, and how many N m their unit is: as the centre of pressure tells."""
    size = np.linalg.norm(plate.force, axis=1)
    loaded = size > LOADED * float(size.max(initial=0.0))
    if plate.moment is None or plate.pressure is None or not loaded.any():
        return origins[0], 1.0
    force, moment = plate.force[loaded], plate.moment[loaded]
    found = []
    for origin in origins:
        told = np.cross(np.nan_to_num(plate.pressure[loaded]) - origin, force)
        for unit in (1.0, N_MM):
            miss = unit * moment - told
            miss -= np.outer(miss @ normal, normal)
            found.append((float(np.linalg.norm(miss)) / max(float(np.linalg.norm(told)), TINY), origin, unit))
    best = min(found, key=lambda each: each[0])
    if best[0] > AGREE:
        notes.append(
            f"{plate.name}: moments and centre of pressure disagree by {100 * best[0]:.0f} %; moments are taken as they are"
        )
    return best[1], best[2]
