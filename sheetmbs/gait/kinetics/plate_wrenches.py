"""What force plates give: force and moment about the laboratory's origin, in its axes, at the frames of the markers.

With R the axes of the plate and t the place of its transducer,

    F = R f        M_O = R m + t x F        or, from a centre of pressure p and a free moment T about the vertical u,
    M_O = p x F + T u

F and M_O are filtered at the plate's own rate, then read between samples. The centre of pressure is a result of them,
p = (u x M_O + h F)/(u . F) at height h, and never taken further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedPlate, plate_axes

LowPass = Callable[[Vector], Vector]
"""a filter of series (.., k)"""

FARTHEST = 3.0  # m: a centre of pressure farther away from its plate is none
MARGIN = 0.01  # m: by so much it may seem to lie beside the plate
DRIFT = 5.0  # of the threshold: more than that at rest is somebody who stands there
LEVEL = 0.5  # of an axis, its part along the vertical below which it is level
SPAN = 1e-6  # of a sample: what rounding of times may put a frame beyond the last one


@dataclass(frozen=True, eq=False)
class PlateWrench:
    """One plate. Wrenches act on the foot: force in N, moment about the laboratory's origin in N m, in its axes.

    times: (k,) in s, with the delay. raw_force, raw_moment: (k, 3) as measured, without the zero.
    force, moment: (n, 3) filtered, at the frames; NaN where nothing was recorded, and the moment throughout where no loaded
    sample has a centre of pressure. pressure: (n, 3) at the frames, NaN below the threshold and off the plate,
    and along level directions without a column.
    free_moment: (n,) about the vertical, there. outline: (4, 3) corners, None unknown. zero: (6,) force and moment as
    recorded that were taken for none. dropped: (k,) loaded samples whose recorded centre of pressure is none.
    holes: (k,) blank samples between loaded ones. doubts: sentences on what was found.
    """

    name: str
    times: Vector
    raw_force: Vector
    raw_moment: Vector
    force: Vector
    moment: Vector
    pressure: Vector
    free_moment: Vector
    outline: Vector | None
    zero: Vector
    dropped: Mask
    holes: Mask
    doubts: tuple[str, ...]


def plate_wrench(
    plate: RecordedPlate,
    times: Vector,
    geometry: PlateGeometry | None,
    *,
    up: Vector,
    threshold: float,
    zeroed: float,
    low_pass: LowPass,
    frames: Vector,
) -> PlateWrench:
    """The wrench of one plate at the frames.

    times: (k,) of its samples in s, with the delay. geometry: None where its columns stand in axes of the laboratory about
    its origin. up: (3,) the vertical. zeroed: seconds from the start in which it carries nothing, 0 for none.
    frames: (n,) times of the markers in s.
    """
    force, holes = np.nan_to_num(plate.force), _holes(plate, threshold)
    zero = np.zeros(6)
    at_rest = times < times[0] + zeroed
    if np.any(at_rest):
        zero[:3] = np.mean(force[at_rest], axis=0)
        if plate.moment is not None:
            zero[3:] = np.mean(np.nan_to_num(plate.moment)[at_rest], axis=0)
    axes = _axes(geometry)
    sign = -1.0 if geometry is not None and geometry.sign == "action" else 1.0
    raw_force = sign * (force - zero[:3]) @ axes.T
    loaded = raw_force @ up > threshold
    dropped = np.zeros(len(times), dtype=np.bool_)
    if plate.moment is not None:
        arm = _transducer(geometry, axes)
        raw_moment = sign * (np.nan_to_num(plate.moment) - zero[3:]) @ axes.T + np.cross(arm, raw_force)
    else:
        points, dropped = _points(plate, geometry, axes, loaded)
        vertical = up if _in_laboratory(geometry) else axes[:, 2]
        free = np.zeros(len(times)) if plate.free_moment is None else sign * np.nan_to_num(plate.free_moment)
        raw_moment = np.cross(points, raw_force) + free[:, None] * vertical
    smooth = low_pass(np.hstack((raw_force, raw_moment)).T).T
    at_frames = _read(times, smooth, frames)
    if np.any(loaded) and np.array_equal(loaded, dropped):
        at_frames[:, 3:] = np.nan
    height = _height(geometry, up)
    pressure, free_moment = centre_of_pressure(at_frames[:, :3], at_frames[:, 3:], up, height, threshold)
    outline = None if geometry is None else geometry.corners
    is_off = ~_is_sound(pressure, outline, np.isfinite(free_moment))
    pressure[is_off], free_moment[is_off] = np.nan, np.nan
    if plate.moment is None and plate.pressure is not None and _in_laboratory(geometry):
        pressure[:, np.all(np.isnan(plate.pressure), axis=0) & (np.abs(up) < LEVEL)] = np.nan
    return PlateWrench(
        name=plate.name,
        times=times,
        raw_force=raw_force,
        raw_moment=raw_moment,
        force=at_frames[:, :3],
        moment=at_frames[:, 3:],
        pressure=pressure,
        free_moment=free_moment,
        outline=outline,
        zero=zero,
        dropped=dropped,
        holes=holes,
        doubts=_doubts(plate.name, zeroed, sign * (force[at_rest] @ axes.T) @ up, threshold),
    )


def centre_of_pressure(
    force: Vector, moment: Vector, up: Vector, height: float, threshold: float
) -> tuple[Vector, Vector]:
    """Where a wrench (n, 3), (n, 3) about the origin meets a level plane, and its moment about the vertical there.

    Returns (n, 3) in m and (n,) in N m, NaN where the force along ``up`` is not above the threshold.
    """
    vertical = force @ up
    with np.errstate(invalid="ignore"):
        carried = np.where(vertical > threshold, vertical, np.nan)[:, None]
    points = (np.cross(up, moment) + height * force) / carried
    return points, (moment - np.cross(points, force)) @ up


def plate_frame(geometry: PlateGeometry | None) -> tuple[Vector, Vector]:
    """From the axes of a plate's columns to those of the laboratory (3, 3), and the point (3,) of its moments there."""
    axes = _axes(geometry)
    return axes, _transducer(geometry, axes)


def _in_laboratory(geometry: PlateGeometry | None) -> bool:
    return geometry is None or geometry.axes == "marker"


def _axes(geometry: PlateGeometry | None) -> Vector:
    """(3, 3) from the axes of the columns to those of the laboratory."""
    if geometry is None or geometry.axes == "marker" or geometry.corners is None:
        return np.eye(3)
    return plate_axes(geometry.corners)


def _transducer(geometry: PlateGeometry | None, axes: Vector) -> Vector:
    """(3,) about which the moments are recorded."""
    if geometry is None or geometry.corners is None:
        return np.zeros(3)
    own = plate_axes(geometry.corners) if geometry.axes == "marker" else axes
    return np.asarray(np.mean(geometry.corners, axis=0) + own @ geometry.origin)


def _height(geometry: PlateGeometry | None, up: Vector) -> float:
    """Of the surface of the plate, or of the floor."""
    if geometry is None or geometry.corners is None:
        return 0.0
    return float(np.mean(geometry.corners @ up))


def _points(plate: RecordedPlate, geometry: PlateGeometry | None, axes: Vector, loaded: Mask) -> tuple[Vector, Mask]:
    """Where the force of each sample acts (k, 3), and which loaded samples (k,) had no such point of their own.

    A sample that is not loaded, or has no sound point, has that of the nearest loaded one. Columns that are not there are
    those of the middle of the plate.
    """
    corners = None if geometry is None else geometry.corners
    centre = np.zeros(3) if corners is None else np.mean(corners, axis=0)
    points = np.full(plate.force.shape, np.nan) if plate.pressure is None else plate.pressure.copy()
    unnamed = np.all(np.isnan(points), axis=0)
    if np.all(unnamed):
        return np.tile(centre, (len(points), 1)), loaded
    if _in_laboratory(geometry):
        points[:, unnamed] = centre[unnamed]
    else:
        points[:, unnamed] = 0.0
        points = centre + points @ axes.T
    sound = loaded & _is_sound(points, corners, loaded)
    known = np.flatnonzero(sound)
    if not len(known):
        return np.tile(centre, (len(points), 1)), loaded
    middle = 0.5 * (known[1:] + known[:-1])
    nearest = known[np.searchsorted(middle, np.arange(len(points)))]
    return points[nearest], loaded & ~sound


def _is_sound(points: Vector, corners: Vector | None, loaded: Mask) -> Mask:
    """Which points (k, 3) may be centres of pressure: on the plate, or where that is not known near those that are loaded."""
    there = np.all(np.isfinite(points), axis=1)
    if corners is not None:
        return np.asarray(there & is_within(points, corners, MARGIN))
    if not np.any(there & loaded):
        return np.zeros(len(points), dtype=np.bool_)
    away = np.linalg.norm(points - np.median(points[there & loaded], axis=0), axis=1)
    return np.asarray(there & (np.nan_to_num(away, nan=np.inf) <= FARTHEST))


def is_within(points: Vector, corners: Vector, margin: float) -> Mask:
    """Which points (k, 3) lie within a plate, seen along its normal, or at most ``margin`` (m) beside it."""
    axes = plate_axes(corners)
    seen, edges = points @ axes[:, :2], corners @ axes[:, :2]
    least, most = np.min(edges, axis=0) - margin, np.max(edges, axis=0) + margin
    with np.errstate(invalid="ignore"):
        return np.asarray(np.all((seen >= least) & (seen <= most), axis=1))


def _holes(plate: RecordedPlate, threshold: float) -> Mask:
    """Which blank samples (k,) lie between two that are loaded."""
    blank = np.all(np.isnan(plate.force), axis=1)
    filled = np.flatnonzero(~blank)
    loaded = np.linalg.norm(np.nan_to_num(plate.force[filled]), axis=1) > threshold
    holes = np.zeros(len(blank), dtype=np.bool_)
    for k in np.flatnonzero((np.diff(filled) > 1) & loaded[1:] & loaded[:-1]):
        holes[filled[k] + 1 : filled[k + 1]] = True
    return holes


def _read(times: Vector, series: Vector, frames: Vector) -> Vector:
    """Series (k, columns) at the times of the frames (n,), between samples on straight lines; NaN beyond the ends."""
    slack = SPAN * (times[-1] - times[0]) / max(len(times) - 1, 1)
    found = np.column_stack([np.interp(frames, times, column) for column in series.T])
    found[(frames < times[0] - slack) | (frames > times[-1] + slack)] = np.nan
    return found


def _doubts(name: str, zeroed: float, vertical: Vector, threshold: float) -> tuple[str, ...]:
    """vertical: (k,) force up over the time in which the plate is to carry nothing."""
    if not len(vertical) or (np.ptp(vertical) <= threshold and abs(np.mean(vertical)) <= DRIFT * threshold):
        return ()
    return (f"{name} carries up to {np.max(vertical):.4g} N in the first {zeroed:.4g} s, which count as zero",)
