"""C3D files, read by ezc3d: markers, and force platforms of the types 1 to 4 from their analog channels (c3d.org).

The first block of a file is held against its size before anything is made of what it claims: a damaged count makes a reader
take memory for billions of samples that are not there.
"""

from __future__ import annotations

import os
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.bounded.bounded_child import BoundedChild, ChildEndedError
from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.c3d_content import content_of
from sheetmbs.gait.formats.named_subjects import subject_of
from sheetmbs.gait.formats.sampled_cells import listed, plain_label
from sheetmbs.gait.trial.recorded import (
    PlateGeometry,
    Recorded,
    RecordedForces,
    RecordedMarkers,
    RecordedPlate,
    Stamps,
    plate_axes,
)
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, quoted
from sheetmbs.schema.units import FORCE, LENGTH, MOMENT, Dimension
from sheetmbs.schema.validate import ValueFault, unit_of

NOT_POSITIONS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")
"""parameters of POINT that list labels which are no positions"""
CHILD = "sheetmbs.gait.formats.c3d_child"
HEAD = 256 * 512
"""bytes that hold the first block and the beginning of the parameters, wherever they stand"""
LARGEST = 1 << 30
"""bytes of a file that is read: an hour of markers and plates takes less"""
MEMORY, MEMORY_PER_BYTE = 256 << 20, 40
"""bytes for the library with numpy (measured: 100 MB), and for each byte of the file (11 of real numbers, 22 of integers)"""
SECONDS, SECONDS_PER_BYTE = 5.0, 5e-7
"""processor time for a file, and more for each of its bytes (3e-8 were measured)"""
CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}
UNIT_WORDS = {
    "meters": "m",
    "metres": "m",
    "millimeters": "mm",
    "millimetres": "mm",
    "centimeters": "cm",
    "centimetres": "cm",
    "newtons": "N",
}
"""units in words, of which some programs keep the first four letters"""
CAPITALS = {"NMM": "Nmm", "NM": "Nm", "N.MM": "Nmm", "N.M": "Nm", "N": "N"}
LENGTHS = ("m", "mm", "cm", "in", "ft")
MIN_UNIT_LETTERS = 4
LOADED = 20.0
"""N that a plate carries before its sign can be told"""
BLOCK = 512
"""bytes"""
MARK = 0x50
"""the second byte of every C3D file, and the fourth of its parameters but for the kind of processor"""
INTEL, DEC, MIPS = 84, 85, 86
"""kinds of processors: how numbers are laid out"""
SIGN_AT = {INTEL: 3, DEC: 1, MIPS: 0}
"""which byte of the scale factor holds its sign: below zero the samples are real numbers of four bytes, else integers of two"""


def read_file(path: Path) -> Recorded:
    """What a C3D file holds. Raises WorkbookError where it cannot be read."""
    file = _opened(path)
    notes: list[str] = []
    markers = _markers(path, file, notes)
    forces, geometry = _plates(path, file, markers, notes)
    return Recorded(
        markers, forces, geometry, tuple(notes), subjects=tuple(filter(None, _texts(file, "SUBJECTS", "NAMES")))
    )


def _opened(path: Path) -> Any:
    """What ezc3d makes of the file, in a child process with limits, for a damaged file can end it or take all memory."""
    if not path.is_file():
        mend = "check the name and the folder"
        raise refused("file-missing", f"there is no file {path}", "it is to be read", mend)
    if find_spec("ezc3d") is None:
        rule, fix = (
            "C3D files are read by ezc3d, which is not installed",
            "pip install ezc3d, or export the trial as .trc",
        )
        raise refused("no-c3d-reader", f"{path.name} is a C3D file", rule, fix)
    size = path.stat().st_size
    if size > LARGEST:
        raise refused(
            "not-a-c3d", f"{path.name} has {size:,} bytes", f"at most {LARGEST:,} are read", "export less of it"
        )
    with path.open("rb") as file:
        fault = fault_of_head(file.read(HEAD), size)
    if fault:
        raise _not_a_c3d(f"{path.name} cannot be read: {fault}")
    try:
        child = BoundedChild(CHILD, memory=MEMORY + MEMORY_PER_BYTE * size)
        answer = child.ask(os.fsencode(path.absolute()), SECONDS + SECONDS_PER_BYTE * size)
    except ChildEndedError as ended:
        raise _not_a_c3d(f"{path.name} cannot be read: reading it {ended.why}") from None
    child.close()
    content = content_of(answer)
    if "fault" in content:
        raise _not_a_c3d(f"{path.name} cannot be read ({content['fault']})")
    return content


def _not_a_c3d(found: str) -> WorkbookError:
    return refused("not-a-c3d", found, "it ends in .c3d, so it is to be one", "export it again")


def _values(file: Any, group: str, name: str) -> Any:
    """A parameter, or nothing where there is none."""
    return (
        file["parameters"][group][name]["value"]
        if group in file["parameters"] and name in file["parameters"][group]
        else []
    )


def _texts(file: Any, group: str, name: str) -> list[str]:
    """Texts of a parameter, with those that go on in a second one and so on."""
    found = list(_values(file, group, name))
    number = 2
    while len(more := _values(file, group, f"{name}{number}")):
        found += list(more)
        number += 1
    return [str(text).strip() for text in found]


def _size(text: str, dimension: Dimension) -> float | None:
    """How much of SI a unit is, also of one in capitals or of which four letters are left; None where it is none."""
    word = text.casefold()
    long = (short for each, short in UNIT_WORDS.items() if len(word) >= MIN_UNIT_LETTERS and each.startswith(word))
    for symbol in (text, *long, CAPITALS.get(text, word)):
        try:
            unit = unit_of(symbol, (dimension,))
        except ValueFault:
            continue
        if unit is not None:
            return unit.size
    return None


def _length(path: Path, file: Any) -> tuple[str, float]:
    """The unit of points as we write it, and how many m it is. Raises WorkbookError where it is none."""
    unit = (_texts(file, "POINT", "UNITS") or ["mm"])[0] or "mm"
    size = _size(unit, LENGTH)
    if size is None:
        rule, mend = "POINT:UNITS is a length, such as mm or m", "export it again in one of these"
        raise refused("unknown-unit", f"{path.name}: the unit {quoted(unit)} of its points", rule, mend)
    return next((symbol for symbol in LENGTHS if size == _size(symbol, LENGTH)), unit), size


def _stamps(path: Path, first: int, count: int, rate: float) -> Stamps:
    rows = np.zeros(count, np.int64)
    return Stamps(np.full(count, np.nan), 0.0, np.arange(first, first + count), rate, rows, Place(path.name))


def _markers(path: Path, file: Any, notes: list[str]) -> RecordedMarkers | None:
    """Markers, without what else a file lists as points; a residual of -1 is missing."""
    labels = _texts(file, "POINT", "LABELS")
    others = {text for name in NOT_POSITIONS for text in _texts(file, "POINT", name)}
    unit, size = _length(path, file)
    points = np.array(file["data"]["points"][:3], np.float64)
    points[:, file["data"]["meta_points"]["residuals"][0] < 0.0] = np.nan
    points[:, np.all(points == 0.0, axis=0)] = np.nan
    positions = size * points.transpose(1, 2, 0)
    first: dict[tuple[str, str], int] = {}
    twice, empty, nameless = [], [], []
    for at, label in enumerate(labels[: len(positions)]):
        key = fold(subject_of(label)), fold(plain_label(label))
        if label in others:
            continue
        if not np.isfinite(positions[at]).any():
            empty.extend([label] if plain_label(label) else [])
        elif not plain_label(label):
            nameless.append(f"point {at + 1}")
        elif key in first:
            twice.append(label)
        else:
            first[key] = at
    nameless += [f"point {at + 1}" for at in range(len(labels), len(positions)) if np.isfinite(positions[at]).any()]
    for what, names in (
        ("of equal labels the first counts; left out", twice),
        ("without a value in any frame, and left out", empty),
        ("without a label, and left out", nameless),
        ("angles, moments and the like, which are no markers, and left out", sorted(others)),
    ):
        notes.extend([f"{what}: {listed(names)}"] if names else [])
    if not first:
        return None
    kept = list(first.values())
    head = file["header"]["points"]
    return RecordedMarkers(
        _stamps(path, int(head["first_frame"]) + 1, positions.shape[1], float(head["frame_rate"])),
        tuple(plain_label(labels[at]) for at in kept),
        (Place(path.name),) * len(kept),
        np.tile(np.arange(1, 4), (len(kept), 1)),
        positions[kept],
        unit,
        tuple(subject_of(labels[at]) for at in kept),
    )


def _plates(
    path: Path, file: Any, markers: RecordedMarkers | None, notes: list[str]
) -> tuple[RecordedForces | None, tuple[PlateGeometry, ...]]:
    used = _values(file, "FORCE_PLATFORM", "USED")
    count = int(used[0]) if len(used) else 0
    if not count:
        return None, ()
    analogs = np.asarray(file["data"]["analogs"][0], np.float64)
    units = _texts(file, "ANALOG", "UNITS")
    types = [int(each) for each in _values(file, "FORCE_PLATFORM", "TYPE")]
    channels = np.asarray(_values(file, "FORCE_PLATFORM", "CHANNEL"), np.int64)
    corners = np.asarray(_values(file, "FORCE_PLATFORM", "CORNERS"), np.float64)
    origins = np.asarray(_values(file, "FORCE_PLATFORM", "ORIGIN"), np.float64)
    _check_plates(path, file, count)
    size = _length(path, file)[1]
    plates, geometry = [], []
    for at in range(count):
        name = f"FP{at + 1}"
        if types[at] not in CHANNELS:
            rule, mend = "types 1 to 4 are known", "export its forces as a table, or as type 2"
            raise refused("unknown-plate", f"{path.name}: {name} is of type {types[at]}", rule, mend)
        number = channels[: CHANNELS[types[at]], at]
        if number.min() < 1 or number.max() > len(analogs):
            rule, mend = f"there are {len(analogs)} analog channels", "export it again, with analog data"
            raise refused("unknown-plate", f"{path.name}: channels {number.tolist()} of {name}", rule, mend)
        own = [units[each - 1] if each <= len(units) else "" for each in number.tolist()]
        _note_units(name, types[at], own, notes)
        matrix = (
            np.asarray(file["parameters"]["FORCE_PLATFORM"]["CAL_MATRIX"]["value"])[:, :, at]
            if types[at] == 4
            else None
        )
        origin = _origin(origins[:, at] * size, types[at], name, notes)
        force, moment = _wrench(types[at], analogs[number - 1], own, size, origin, matrix)
        plates.append(RecordedPlate(name, force, moment, None, None, Place(path.name)))
        where = corners[:, :, at].T * size
        about = np.zeros(3) if types[at] == 1 else np.array([0.0, 0.0, origin[2]]) if types[at] == 3 else origin
        geometry.append(PlateGeometry(name, where, about, "own", "reaction"))
    sign = _sign(plates, geometry, markers)
    head = file["header"]["analogs"]
    rate = float(head["frame_rate"])
    forces = RecordedForces(_stamps(path, int(head["first_frame"]) + 1, analogs.shape[1], rate), tuple(plates))
    return forces, tuple(PlateGeometry(each.name, each.corners, each.origin, each.axes, sign) for each in geometry)


def _check_plates(path: Path, file: Any, count: int) -> None:
    """Refuse parameters of force platforms that are not there for each of them, or have another shape than the format says."""
    shapes = {"TYPE": (), "CHANNEL": (6,), "CORNERS": (3, 4), "ORIGIN": (3,)}
    if 4 in _values(file, "FORCE_PLATFORM", "TYPE")[:count]:
        shapes["CAL_MATRIX"] = (6, 6)
    for name, wanted in shapes.items():
        there = np.shape(_values(file, "FORCE_PLATFORM", name))
        is_whole = len(there) == len(wanted) + 1 and there[-1] >= count > 0
        if not is_whole or any(size < least for size, least in zip(there, wanted, strict=False)):
            found = f"{path.name}: FORCE_PLATFORM:{name} has the shape {there} for {count} force platforms"
            rule = f"it has {' x '.join(map(str, wanted)) or 'one value'} for each of them"
            raise refused("unknown-plate", found, rule, "export it again, with the geometry of its force platforms")


def _note_units(name: str, kind: int, units: list[str], notes: list[str]) -> None:
    """Say which units of channels are none. A plate of type 4 has a matrix that turns whatever they are into forces."""
    forces, moments = (units, []) if kind == 3 else (units[:3], [units[5]] if kind == 1 else units[3:])
    unknown = [each for each in forces if each and _size(each, FORCE) is None]
    unknown += [each for each in moments if each and _size(each, MOMENT) is None]
    if unknown and kind != 4:
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
    newton = _size(units[0], FORCE) or 1.0
    if kind == 4:
        wrench = np.asarray(matrix) @ channels
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
        moment[:, 2] += (_size(units[5], MOMENT) or length) * channels[5]
        return force, moment
    return force, np.stack(
        [(_size(unit, MOMENT) or length) * each for unit, each in zip(units[3:], channels[3:], strict=True)], axis=1
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


def fault_of_head(content: bytes, size: int) -> str:
    """What in the head of a file cannot be; "" where it can be read.

    content: the beginning of the file with its parameters, or all of it. size: bytes of the whole file.
    """
    if len(content) < BLOCK:
        return f"it has {size:,} bytes, fewer than its first block"
    if content[1] != MARK:
        return "its first bytes are not those of a C3D file"
    parameters = BLOCK * (content[0] - 1)
    if parameters < BLOCK or parameters + BLOCK > size:
        return f"its parameters are to begin at byte {parameters:,} of {size:,}"
    processor = content[parameters + 3] if parameters + 3 < len(content) else 0
    if processor not in SIGN_AT:
        return f"its numbers are of an unknown kind of processor ({processor})"
    words = struct.unpack_from(">10H" if processor == MIPS else "<10H", content)
    points, analogs, first, last, begin = words[1], words[2], words[3], words[4], words[8]
    sample = 4 if content[12 + SIGN_AT[processor]] & 0x80 else 2
    frames = max(0, last - first + 1)
    needed = frames * (4 * points + analogs) * sample
    there = size - BLOCK * (begin - 1)
    if needed and (begin < 2 or needed > there):
        return (
            f"its {frames:,} frames of {points:,} points and {analogs:,} analog samples need {needed:,} bytes,"
            f" and it has {max(there, 0):,} for them"
        )
    return ""
