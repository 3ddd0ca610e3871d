"""The model of a trial in space as sheets of an ordinary workbook: bodies guided and turned as measured, forces on feet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.kinematics.angular_velocity import quaternions
from sheetmbs.gait.kinetics.spatial_loads import SpatialMotion
from sheetmbs.schema.filled import Cell, FilledSheet

Vector = NDArray[np.float64]
AXES = ("x", "y", "z")
EULER = ("e0", "e1", "e2", "e3")
BODIES = (
    *("name", "mass", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
    *AXES,
    *EULER,
    *("vx", "vy", "vz", "wx", "wy", "wz"),
)


def known_in_space(segments: Sequence[SpatialMotion]) -> NDArray[np.bool_]:
    """(n,) frames in which all segments are known."""
    whole = [np.isfinite(each.com).all(axis=1) & np.isfinite(each.rotation).all(axis=(1, 2)) for each in segments]
    return np.asarray(np.all(whole, axis=0))


def sheets_in_space(
    segments: Sequence[SpatialMotion], wrenches: Mapping[str, Vector], frames: slice, time: Vector
) -> list[FilledSheet]:
    """Bodies, Guiding and ForceSeries over some frames.

    wrenches: by segment, (n, 6) force and moment about the laboratory's origin. time: (frames,) in s.
    """
    turned = {each.name: quaternions(each.rotation[frames])[:, [3, 0, 1, 2]] for each in segments}
    bodies: list[tuple[Cell, ...]] = []
    headers, columns = ["time"], [time[:, None]]
    for each in segments:
        inertia, start = each.inertia, frames.start
        spin = each.rotation[start].T @ each.omega[start]
        numbers = (
            *(each.mass, *np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]),
            *each.com[start],
            *turned[each.name][0],
            *each.velocity[start],
            *spin,
        )
        bodies.append((each.name, *map(float, numbers)))
        headers += [f"{each.name}.{name}" for name in (*AXES, *EULER)]
        columns += [each.com[frames], turned[each.name]]
    sheets = [FilledSheet("Bodies", BODIES, tuple(bodies)), FilledSheet("Guiding", tuple(headers), _rows(columns))]
    if wrenches:
        coms = {each.name: each.com for each in segments}
        headers, columns = ["time"], [time[:, None]]
        for name, wrench in wrenches.items():
            moment = wrench[:, 3:] - np.cross(coms[name], wrench[:, :3])
            headers += [f"{name}.{quantity}" for quantity in ("fx", "fy", "fz", "mx", "my", "mz")]
            columns += [wrench[frames, :3], moment[frames]]
        sheets.append(FilledSheet("ForceSeries", tuple(headers), _rows(columns)))
    return sheets


def _rows(columns: Sequence[Vector]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(map(tuple, np.hstack(columns).tolist()))
