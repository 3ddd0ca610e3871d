"""What an import tells of a trial: markers, rates, gaps, plates, and how the laboratory's axes seem to lie."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.importing.trial_files import TimedTrial
from sheetmbs.gait.signals.uniform_time import UniformTime
from sheetmbs.gait.trial.marker_synonyms import model_name
from sheetmbs.gait.trial.recorded import RecordedForces, RecordedMarkers
from sheetmbs.schema.names import fold

LOADED = 20.0
"""N: a plate on which more than that stands is loaded"""
HIGH, LOW = ("asis", "psis", "hip", "knee"), ("heel", "toe", "mt5", "ankle")
CLEAR = 2.0
"""how many times as far as along any other axis markers must stand or go along one that is named"""


def told_of(trial: TimedTrial) -> Iterator[tuple[str, str]]:
    """Lines about a trial: what, and its value."""
    markers, forces = trial.recorded.markers, trial.recorded.forces
    if markers is not None:
        yield "markers", f"{len(markers.labels)}, in {markers.unit}"
        yield "frames", _course(markers.positions.shape[1], trial.marker_time, int(markers.stamps.frames[0]))
        yield "gaps", _gaps(markers)
        yield "axes", _axes(markers)
    if forces is not None:
        yield "plates", f"{len(forces.plates)}, {_loaded(forces)}"
        yield "samples", _course(len(forces.stamps.frames), trial.force_time, int(forces.stamps.frames[0]))


def _course(count: int, time: UniformTime | None, first: int) -> str:
    from_frame = "" if first == 1 else f", from frame {first} on"
    if time is None:
        return f"{count}{from_frame}"
    return f"{count} at {time.rate:.6g} Hz, {time.time[-1] - time.time[0]:.4g} s{from_frame}"


def _gaps(markers: RecordedMarkers) -> str:
    there = np.isfinite(markers.positions) | (markers.columns[:, None, :] == 0)
    missing = ~there.all(axis=2)
    told = [
        f"{label} {int(holes.sum())} frames"
        for label, holes in zip(markers.labels, missing, strict=True)
        if holes.any()
    ]
    return listed(told) if told else "none"


def _loaded(forces: RecordedForces) -> str:
    names = [plate.name for plate in forces.plates if np.abs(plate.force).max(initial=0.0) > LOADED]
    if not names:
        return "none of them loaded"
    return f"loaded: {listed(names)}"


def _axes(markers: RecordedMarkers) -> str:
    """Which axis seems to point up and which forward, by feet below hips, and by the way that is gone."""
    kinds = [model_name(label).removeprefix("right ").removeprefix("left ").split(" ")[0] for label in markers.labels]
    high, low = (_mean(markers, [at for at, kind in enumerate(kinds) if fold(kind) in words]) for words in (HIGH, LOW))
    if high is None or low is None:
        return "not known from these labels"
    up = _clearest(np.nanmean(high - low, axis=0))
    there = np.flatnonzero(np.isfinite(high).all(axis=1) | np.isfinite(high).any(axis=1))
    forward = _clearest(high[there[-1]] - high[there[0]]) if len(there) else ""
    return f"{up or 'no axis clearly'} up, {forward or 'no axis clearly'} forward"


def _mean(markers: RecordedMarkers, chosen: list[int]) -> Vector | None:
    """The middle of some markers in each frame, (n, 3), by those that are always there."""
    whole = [at for at in chosen if np.isfinite(markers.positions[at][:, markers.columns[at] > 0]).all()]
    return np.mean(markers.positions[whole], axis=0) if whole else None


def _clearest(way: Vector) -> str:
    """The axis along which a way goes, with its sign; "" where it goes along several."""
    sizes = np.nan_to_num(np.abs(way))
    axis = int(np.argmax(sizes))
    others = float(np.delete(sizes, axis).max())
    return f"{'+' if way[axis] > 0 else '-'}{'xyz'[axis]}" if sizes[axis] > CLEAR * others else ""
