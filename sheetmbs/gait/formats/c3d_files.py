"""C3D files, read by ezc3d: markers, and what `c3d_plates`, `c3d_subject` and `recorded_extras` make of the rest (c3d.org).

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
from sheetmbs.gait.formats.c3d_content import LENIENT, content_of
from sheetmbs.gait.formats.c3d_parameters import c3d_stamps, length_of, texts_of
from sheetmbs.gait.formats.c3d_plates import read_plates_of
from sheetmbs.gait.formats.c3d_subject import read_events, read_measures, says_static
from sheetmbs.gait.formats.model_points import is_axis_point, is_unlabelled
from sheetmbs.gait.formats.named_subjects import subject_of
from sheetmbs.gait.formats.recorded_extras import KINDS, analog_columns, output_columns
from sheetmbs.gait.formats.sampled_cells import listed, plain_label
from sheetmbs.gait.formats.segment_rotations import rotation_points
from sheetmbs.gait.trial.recorded import Recorded, RecordedMarkers
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place

CHILD = "sheetmbs.gait.formats.c3d_child"
HEAD = 256 * 512
"""bytes that hold the first block and the beginning of the parameters, wherever they stand"""
LARGEST = 1 << 30
"""bytes of a file that is read: an hour of markers and plates takes less"""
MEMORY = 2 << 30
"""bytes that reading a file may take"""
SECONDS = 60.0
"""processor time that reading a file may take"""
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
    notes: list[str] = list(file["notes"])
    markers = _markers(path, file, notes)
    forces, geometry = read_plates_of(path, file, markers, notes)
    return Recorded(
        markers,
        forces,
        geometry,
        tuple(notes),
        subjects=tuple(filter(None, texts_of(file, "SUBJECTS", "NAMES"))),
        events=read_events(file, notes),
        measures=read_measures(file),
        outputs=output_columns(path, file),
        channels=analog_columns(path, file),
        is_static=says_static(file),
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
    content = _asked(path, os.fsencode(path.absolute()))
    if content is None:
        content = _asked(path, LENIENT + os.fsencode(path.absolute()), is_last=True)
    if content is None or "fault" in content:
        told = "" if content is None else content["fault"]
        raise _not_a_c3d(f"{path.name} cannot be read ({told})")
    return content


def _asked(path: Path, request: bytes, *, is_last: bool = False) -> Any:
    """What the child process makes of a file; None where it ended. is_last: its end is an error then."""
    try:
        child = BoundedChild(CHILD, memory=MEMORY)
        answer = child.ask(request, SECONDS)
    except ChildEndedError as ended:
        if is_last or "takes more than" in ended.why:
            raise _not_a_c3d(f"{path.name} cannot be read: reading it {ended.why}") from None
        return None
    child.close()
    return content_of(answer)


def _not_a_c3d(found: str) -> WorkbookError:
    return refused("not-a-c3d", found, "it ends in .c3d, so it is to be one", "export it again")


def _markers(path: Path, file: Any, notes: list[str]) -> RecordedMarkers | None:
    """Markers, without what else a file lists as points; a residual of -1 is missing."""
    labels = texts_of(file, "POINT", "LABELS")
    others = {text for name in KINDS for text in texts_of(file, "POINT", name)}
    unit, size = length_of(path, file)
    points = np.array(file["data"]["points"][:3], np.float64)
    points[:, file["data"]["meta_points"]["residuals"][0] < 0.0] = np.nan
    points[:, np.all(points == 0.0, axis=0)] = np.nan
    positions = size * points.transpose(1, 2, 0)
    first: dict[tuple[str, str], int] = {}
    twice, empty, nameless, unlabelled, on_axes = ([] for _ in range(5))
    for at, label in enumerate(labels[: len(positions)]):
        key = fold(subject_of(label)), fold(plain_label(label))
        if label in others:
            continue
        if is_axis_point(label):
            on_axes.append(label)
        elif is_unlabelled(label):
            unlabelled.append(label)
        elif not np.isfinite(positions[at]).any():
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
        ("points to which nobody has given a label, and left out", unlabelled),
        ("points on axes of a model's segments, and left out", on_axes),
        ("angles, moments and the like, which are no markers, and left out", sorted(others)),
    ):
        notes.extend([f"{what}: {listed(names)}"] if names else [])
    segments = rotation_points(file, size, notes)
    kept = list(first.values())
    head = file["header"]["points"]
    courses = [*positions[kept], *segments.values()]
    if not courses:
        return None
    return RecordedMarkers(
        c3d_stamps(path, int(head["first_frame"]) + 1, len(courses[0]), float(head["frame_rate"])),
        (*(plain_label(labels[at]) for at in kept), *segments),
        (Place(path.name),) * len(courses),
        np.tile(np.arange(1, 4), (len(courses), 1)),
        np.stack(courses),
        unit,
        (*(subject_of(labels[at]) for at in kept), *("" for _ in segments)),
    )


def fault_of_head(content: bytes, size: int) -> str:
    """What in the head of a file cannot be; "" where it can be read.

    content: the beginning of the file with its parameters, or all of it. size: bytes of the whole file.
    """
    if len(content) < BLOCK:
        return f"it is truncated: it has {size:,} bytes, fewer than its first block"
    if content[1] != MARK:
        return "its first bytes are not those of a C3D file"
    parameters = BLOCK * (content[0] - 1)
    if parameters < BLOCK or parameters + BLOCK > size:
        return f"it is truncated: its parameters are to begin at byte {parameters:,} of {size:,}"
    processor = content[parameters + 3] if parameters + 3 < len(content) else 0
    if processor not in SIGN_AT:
        return f"its numbers are of an unknown kind of processor ({processor})"
    if processor == MIPS:
        return "it was written by an SGI or MIPS machine: convert it to the numbers of a PC"
    words = struct.unpack_from("<10H", content)
    points, analogs, first, last, begin = words[1], words[2], words[3], words[4], words[8]
    sample = 4 if content[12 + SIGN_AT[processor]] & 0x80 else 2
    frames = max(0, last - first + 1)
    needed = frames * (4 * points + analogs) * sample
    there = size - BLOCK * (begin - 1)
    if needed and (begin < 2 or needed > there):
        return (
            f"it is truncated: its {frames:,} frames of {points:,} points and {analogs:,} analog samples need {needed:,} bytes,"
            f" and it has {max(there, 0):,} for them"
        )
    return ""
