"""Force platforms of a C3D, of the types 1 to 5, from their analog channels (c3d.org)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.gait.arrays import Integers, Vector
from sheetmbs.gait.formats.c3d_parameters import c3d_stamps, length_of, texts_of, unit_size, values_of
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedForces, RecordedMarkers, RecordedPlate, plate_axes
from sheetmbs.importing.lines import refused
from sheetmbs.schema.problem_list import Place
from sheetmbs.schema.units import FORCE, MOMENT

CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6, 5: 8}
"""analog channels of each type"""
BY_MATRIX = (4, 5)
"""types whose channels a matrix turns into forces and moments"""
LOADED = 20.0
"""N that a plate carries before its sign can be told"""


def read_plates_of(
    path: Path, file: Any, markers: RecordedMarkers | None, notes: list[str]
) -> tuple[RecordedForces | None, tuple[PlateGeometry, ...]]:
    """The plates whose analog channels are there, and where they lie; the others are named in a note.

    Raises WorkbookError where parameters of platforms have another shape than the format says.
    """
    count = plate_count(file)
    if not count:
        return None, ()
    _check_plates(path, file, count)
    types = [int(each) for each in values_of(file, "FORCE_PLATFORM", "TYPE")]
    found, gone = [], []
    for at in range(count):
        channels = channels_of_plate(file, at)
        if channels is None:
            gone.append(f"FP{at + 1} (type {types[at]}) as {_missing_of(file, at)}")
        else:
            found.append(_plate(path, file, at, channels, notes))
    if gone:
        notes.append(f"plates that are left out: {'; '.join(gone)}")
    if not found:
        return None, ()
    plates, geometry = [plate for plate, _lies in found], [lies for _plate, lies in found]
    sign = _sign(plates, geometry, markers)
    head = file["header"]["analogs"]
    rate, samples = float(head["frame_rate"]), file["data"]["analogs"].shape[2]
    forces = RecordedForces(c3d_stamps(path, int(head["first_frame"]) + 1, samples, rate), tuple(plates))
    return forces, tuple(replace(each, sign=sign) for each in geometry)


def plate_count(file: Any) -> int:
    """How many force platforms a file says that it has."""
    used = values_of(file, "FORCE_PLATFORM", "USED")
    return max(int(used[0]), 0) if len(used) else 0


def channels_of_plate(file: Any, at: int) -> Integers | None:
    """Numbers of its analog channels from 0; None where they are not all there, or the type is not known."""
    types = values_of(file, "FORCE_PLATFORM", "TYPE")
    needed = CHANNELS.get(int(types[at])) if at < len(types) else None
    table = np.asarray(values_of(file, "FORCE_PLATFORM", "CHANNEL"))
    if needed is None or table.ndim != 2 or table.shape[0] < needed or table.shape[1] <= at:
        return None
    found = table[:needed, at].astype(np.int64) - 1
    samples = file["data"]["analogs"]
    return found if found.min() >= 0 and found.max() < samples.shape[1] and samples.shape[2] else None


def _missing_of(file: Any, at: int) -> str:
    kind = int(values_of(file, "FORCE_PLATFORM", "TYPE")[at])
    if kind not in CHANNELS:
        return f"only the types {min(CHANNELS)} to {max(CHANNELS)} are known"
    return f"its {CHANNELS[kind]} analog channels are not all there"


def _plate(path: Path, file: Any, at: int, channels: Integers, notes: list[str]) -> tuple[RecordedPlate, PlateGeometry]:
    """What the platform of that number measured, and where it lies; its sign follows from all of them together."""
    name, size = f"FP{at + 1}", length_of(path, file)[1]
    kind = int(values_of(file, "FORCE_PLATFORM", "TYPE")[at])
    units = texts_of(file, "ANALOG", "UNITS")
    own = [units[each] if each < len(units) else "" for each in channels.tolist()]
    _note_units(name, kind, own, notes)
    matrix = np.asarray(values_of(file, "FORCE_PLATFORM", "CAL_MATRIX"))[:, :, at] if kind in BY_MATRIX else None
    told = np.asarray(values_of(file, "FORCE_PLATFORM", "ORIGIN"), np.float64)[:, at]
    origin = _origin(told * size, kind, name, notes)
    force, moment = _wrench(kind, np.asarray(file["data"]["analogs"][0])[channels], own, size, origin, matrix)
    where = np.asarray(values_of(file, "FORCE_PLATFORM", "CORNERS"), np.float64)[:, :, at].T * size
    about = np.zeros(3) if kind == 1 else np.array([0.0, 0.0, origin[2]]) if kind == 3 else origin
    lies = PlateGeometry(name, where, about, "own", "reaction")
    return RecordedPlate(name, force, moment, None, None, Place(path.name)), lies


def _check_plates(path: Path, file: Any, count: int) -> None:
    """Refuse parameters of force platforms that are not there for each of them, or have another shape than the format says."""
    shapes: dict[str, tuple[int, ...]] = {"TYPE": (), "CORNERS": (3, 4), "ORIGIN": (3,)}
    kinds = [int(each) for each in np.ravel(values_of(file, "FORCE_PLATFORM", "TYPE"))[:count]]
    if any(each in BY_MATRIX for each in kinds):
        shapes["CAL_MATRIX"] = (6, 8) if 5 in kinds else (6, 6)
    for name, wanted in shapes.items():
        there = np.shape(values_of(file, "FORCE_PLATFORM", name))
        is_whole = len(there) == len(wanted) + 1 and there[-1] >= count > 0
        if name == "CAL_MATRIX" and is_whole:
            there = (*sorted(there[:2]), there[-1])
        if not is_whole or any(size < least for size, least in zip(there, wanted, strict=False)):
            found = f"{path.name}: FORCE_PLATFORM:{name} has the shape {there} for {count} force platforms"
            rule = f"it has {' x '.join(map(str, wanted)) or 'one value'} for each of them"
            raise refused("unknown-plate", found, rule, "export it again, with the geometry of its force platforms")


def _note_units(name: str, kind: int, units: list[str], notes: list[str]) -> None:
    """Say which units of channels are none. A matrix turns whatever they are into forces."""
    forces, moments = (units, []) if kind == 3 else (units[:3], [units[5]] if kind == 1 else units[3:])
    unknown = [each for each in forces if each and unit_size(each, FORCE) is None]
    unknown += [each for each in moments if each and unit_size(each, MOMENT) is None]
    if unknown and kind not in BY_MATRIX:
        taken = "N, and N times the unit of the points, are taken; compare the mass that the plates see"
        notes.append(f"{name}: units of channels that are not known: {listed(sorted(set(unknown)))}; {taken}")


def _origin(told: Vector, kind: int, name: str, notes: list[str]) -> Vector:
    """From the centre of the corners to the transducers, in axes of the plate, whose z points down.

    A C3D tells the way back, which is up, so its z is negative; many programs write it the other way round. Of type 3 it
    tells distances a, b of the transducers in x and y, and their height.
    """
    if kind == 3:
        return np.array([told[0], told[1], abs(told[2])])
    if told[2] > 0.0:
        notes.append(f"{name}: ORIGIN points from the surface to the transducers, and is turned round")
        return told
    return -told


def _wrench(
    kind: int, channels: Vector, units: list[str], length: float, origin: Vector, matrix: Vector | None
) -> tuple[Vector, Vector]:
    """Force and moment about the plate's origin (of type 1 about the middle of its surface), (n, 3) each, in its own axes.

    channels: (6 or 8, n), scaled. units: of each. length: m of a unit of length of the file.
    """
    newton = unit_size(units[0], FORCE) or 1.0
    if matrix is not None:
        size = len(channels)
        square = matrix[:6, :size] if matrix.shape[0] <= matrix.shape[1] else matrix[:size, :6].T
        wrench = square @ channels
        return wrench[:3].T.copy(), length * wrench[3:].T
    if kind == 3:
        x12, x34, y14, y23, z1, z2, z3, z4 = newton * channels
        a, b, _depth = origin
        force = np.stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4], axis=1)
        about = (b * (z1 + z2 - z3 - z4), a * (z2 + z3 - z1 - z4), b * (x34 - x12) + a * (y14 - y23))
        return force, np.stack(about, axis=1)
    force = newton * channels[:3].T
    if kind == 1:
        pressure = np.zeros_like(force)
        pressure[:, :2] = length * channels[3:5].T
        moment = np.cross(pressure, force)
        moment[:, 2] += (unit_size(units[5], MOMENT) or length) * channels[5]
        return force, moment
    return force, np.stack(
        [(unit_size(unit, MOMENT) or length) * each for unit, each in zip(units[3:], channels[3:], strict=True)], axis=1
    )


def _sign(plates: list[RecordedPlate], geometry: list[PlateGeometry], markers: RecordedMarkers | None) -> Any:
    """Whether plates tell the force on the foot or on the plate: the one on the foot points to where the markers are."""
    if markers is None:
        return "reaction"
    above = np.nanmean(markers.positions, axis=(0, 1))
    total = 0.0
    for plate, lies in zip(plates, geometry, strict=True):
        corners = np.asarray(lies.corners)
        axes = plate_axes(corners)
        up = np.sign((above - corners.mean(axis=0)) @ axes[:, 2])
        loads = plate.force[:, 2] * up
        total += float(loads[np.abs(loads) > LOADED].sum())
    return "action" if total < 0.0 else "reaction"
