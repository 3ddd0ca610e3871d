"""A workbook as its trials are solved: in right-handed axes, and with markers that only the standing trial has.

Left-handed exports: the level axis across the walk is taken with the other sign. With S the reflection, places and forces are
S p and S F. A moment that such an export gives is S p x S F by components, which is -S M: about the reflected axis it keeps
its sign, about the two others it turns. Plates' own axes are those of the plate, right-handed in any laboratory; only where
their corners lie is reflected.

Medial markers, say, come off before the walk: they are carried along by the cluster of their segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinematics.clustered_segments import MIN_CLUSTER_MARKERS, cluster_poses
from sheetmbs.gait.prepare_trial import trial_axes
from sheetmbs.gait.trial.gait_book import GaitBook, PlateRow, SegmentRow, Trial
from sheetmbs.gait.trial.recorded import PlateGeometry, RecordedMarkers, RecordedPlate
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of


def with_right_hands(book: GaitBook, report: ProblemList) -> GaitBook:
    """A workbook in right-handed axes. Where handedness is left, a note says which axis was turned round."""
    if book.processing.handedness == "right":
        return book
    axes = next((found for trial in book.trials if (found := trial_axes(trial, book)) is not None), None)
    if axes is None:
        return book  # nothing is solved without forward and up: the reader of the axes reports that
    across = axes.words[2][1]
    place = place_of(book.processing.places["handedness"])
    problem = f"{across} of markers, forces and plates is taken with the other sign, also in what is said of them here"
    report.add(place, Problem("left-handed", "note", str(place), "handedness: left", problem, ""))
    size = np.where(np.array(list("xyz")) == across, -1.0, 1.0)
    return replace(
        book,
        trials=tuple(_reflected(each, size, book.plates) for each in book.trials),
        static=None if book.static is None else _reflected(book.static, size, book.plates),
        functional=tuple(_reflected(each, size, book.plates) for each in book.functional),
        plates={
            name: replace(row, geometry=_reflected_geometry(row.geometry, size)) for name, row in book.plates.items()
        },
    )


def _reflected(trial: Trial, size: Vector, plates: Mapping[str, PlateRow]) -> Trial:
    """size: (3,) the signs of the reflection."""
    markers = replace(trial.markers, positions=trial.markers.positions * size)
    geometry = tuple(_reflected_geometry(each, size) for each in trial.geometry)
    forces = trial.forces
    if forces is not None:
        lying = {fold(each.name): each for each in trial.geometry} | {
            name: row.geometry for name, row in plates.items()
        }
        own = {name for name, each in lying.items() if each.axes == "own"}
        reflected = tuple(_reflected_columns(each, size, is_own=fold(each.name) in own) for each in forces.plates)
        forces = replace(forces, plates=reflected)
    return replace(trial, markers=markers, forces=forces, geometry=geometry)


def _reflected_columns(plate: RecordedPlate, size: Vector, *, is_own: bool) -> RecordedPlate:
    if is_own:
        return plate
    return replace(
        plate,
        force=plate.force * size,
        moment=None if plate.moment is None else -plate.moment * size,
        pressure=None if plate.pressure is None else plate.pressure * size,
        free_moment=None if plate.free_moment is None else -plate.free_moment,
    )


def _reflected_geometry(geometry: PlateGeometry, size: Vector) -> PlateGeometry:
    return geometry if geometry.corners is None else replace(geometry, corners=geometry.corners * size)


def with_calibration_markers(book: GaitBook) -> GaitBook:
    """In space, trials with the markers that segments need and that only the standing one has."""
    if book.dimension != "3D" or book.static is None:
        return book
    standing = _standing(book.static)
    carriers = _carriers(book)
    return replace(book, trials=tuple(_completed(each, standing, carriers) for each in book.trials))


def _standing(static: Trial) -> dict[str, Vector]:
    """(3,) of each marker that the standing trial sees, in axes of the laboratory."""
    found = {}
    for label, course in zip(static.markers.labels, static.markers.positions, strict=True):
        seen = course[np.isfinite(course).all(axis=1)]
        if len(seen):
            found[label] = np.asarray(np.mean(seen, axis=0))
    return found


def _carriers(book: GaitBook) -> dict[str, SegmentRow]:
    """The segment on which each marker lies that has a lower end on it, else an upper end, its line or its axes."""
    frames = {row.segment: (*row.ends, row.plane, row.origin) for row in book.frames}
    found: dict[str, SegmentRow] = {}
    for is_lower in (True, False):
        for row in book.segments:
            ends = (row.distal,) if is_lower else (row.proximal, *row.line, *frames.get(row.name, ()))
            for marker in book.made_of(ends):
                found.setdefault(marker, row)
    return found


def _completed(trial: Trial, standing: Mapping[str, Vector], carriers: Mapping[str, SegmentRow]) -> Trial:
    seen = {
        label: course
        for label, course in zip(trial.markers.labels, trial.markers.positions, strict=True)
        if np.isfinite(course).all(axis=1).any()
    }
    markers, carried = trial.markers, []
    for label, row in carriers.items():
        if label in seen or label not in standing:
            continue
        cluster = [name for name in row.markers if name in seen and name in standing]
        if len(cluster) < MIN_CLUSTER_MARKERS:
            continue
        local = np.stack([standing[name] for name in cluster])
        middle = np.mean(local, axis=0)
        poses = cluster_poses(local - middle, np.stack([seen[name] for name in cluster]))
        markers = _with(markers, label, poses.place(standing[label] - middle))
        carried.append((label, row.name))
    return replace(trial, markers=markers, carried=tuple(carried))


def _with(markers: RecordedMarkers, label: str, course: Vector) -> RecordedMarkers:
    """Markers with the course (n, 3) of one more, or of one that was blank; the first header names it."""
    if label in markers.labels:
        positions = markers.positions.copy()
        positions[markers.labels.index(label)] = course
        return replace(markers, positions=positions)
    return replace(
        markers,
        labels=(*markers.labels, label),
        headers=(*markers.headers, markers.headers[0]),
        columns=np.vstack((markers.columns, markers.columns[:1])),
        positions=np.concatenate((markers.positions, course[None])),
    )
