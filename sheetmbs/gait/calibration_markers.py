"""Markers that only the standing trial has, as medial ones that come off before the walk: carried along by their clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinematics.clustered_segments import MIN_CLUSTER_MARKERS, cluster_poses
from sheetmbs.gait.trial.gait_book import GaitBook, SegmentRow, Trial
from sheetmbs.gait.trial.recorded import RecordedMarkers


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
    """Markers with the course (n, 3) of one more, or of one that was blank; the first header is told for it."""
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
