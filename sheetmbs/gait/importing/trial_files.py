"""Files of one trial: its markers, its force plates, each plate perhaps from a file of its own, and what people see of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.gait.formats.sampled_cells import listed
from sheetmbs.gait.signals.uniform_time import UniformTime, WrongStamp, uniform_time
from sheetmbs.gait.trial.marker_synonyms import model_name
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces, RecordedMarkers, Stamps
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold

MIN_LOAD = 20.0
"""N: a plate on which more than that stands is loaded"""
HIGH_MARKERS, LOW_MARKERS = ("asis", "psis", "hip", "knee"), ("heel", "toe", "mt5", "ankle")
WALKS = 0.3
"""m: who goes less far stays in place, and looks from heel to toe"""
LONG_SEEN = 0.8
"""part of the frames of the marker seen longest, from which another one counts"""
MIN_EXTENT_RATIO = 2.0
"""how many times as far as along any other axis markers must stand or go along one that is named"""


@dataclass(frozen=True)
class TimedTrial:
    """What the files of a trial hold, with the times that are used. A time is None where there is no rate.

    warnings: of the files, each with its line.
    """

    recorded: Recorded
    marker_time: UniformTime | None
    force_time: UniformTime | None
    warnings: tuple[Problem, ...]


def read_trial(files: Sequence[Path], subject: str | None = None) -> TimedTrial:
    """Read all files of a trial. Raises WorkbookError with every slip, each with its line, and where they do not fit.

    subject: whose markers; None: of the only one.
    """
    found: list[tuple[Path, Recorded]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            recorded, told = read_lab_file(file, subject)
        except WorkbookError as error:
            problems += error.problems
            continue
        found.append((file, recorded))
        problems += told
    if any(problem.severity == "error" for problem in problems):
        raise WorkbookError(problems)
    for file, recorded in found:
        if recorded.markers is None and recorded.forces is None and (recorded.channels is None or len(found) == 1):
            rule, mend = "a trial is made of markers or force plates", "export trajectories or forces"
            raise refused("nothing-recorded", f"{file.name} holds neither markers nor plates", rule, mend, file.name)
    merged = _joined(found)
    notes = list(merged.notes)
    marker_time = _timed(merged.markers.stamps, notes) if merged.markers else None
    force_time = _timed(merged.forces.stamps, notes) if merged.forces else None
    return TimedTrial(replace(merged, notes=tuple(notes)), marker_time, force_time, tuple(problems))


def _joined(found: Sequence[tuple[Path, Recorded]]) -> Recorded:
    with_markers = [(file, each) for file, each in found if each.markers is not None]
    if len(with_markers) > 1:
        names = " and ".join(file.name for file, _each in with_markers)
        mend = "import them one after the other, each as a trial of its own"
        raise refused("two-trials", f"markers in {names}", "a trial has one file of markers", mend)
    return Recorded(
        with_markers[0][1].markers if with_markers else None,
        _plates([(file, each) for file, each in found if each.forces is not None]),
        tuple(lies for _file, each in found for lies in each.geometry),
        tuple(note for _file, each in found for note in each.notes),
        tuple(name for _file, each in found for name in each.unplaced),
        events=tuple(sorted((event for _file, each in found for event in each.events), key=lambda event: event.time)),
        measures=tuple(measure for _file, each in found for measure in each.measures),
        outputs=next((each.outputs for _file, each in found if each.outputs is not None), None),
        is_static=any(each.is_static for _file, each in found),
        channels=next((each.channels for _file, each in found if each.channels is not None), None),
    )


def _plates(found: Sequence[tuple[Path, Recorded]]) -> RecordedForces | None:
    """The plates of all files, which must be sampled together."""
    first: RecordedForces | None = None
    plates = {}
    for file, each in found:
        if each.forces is None:
            continue
        first = first or each.forces
        if not _are_same(first.stamps, each.forces.stamps):
            here, there = (len(forces.stamps.frames) for forces in (each.forces, first))
            rule = f"{found[0][0].name} has {there}, and plates of one trial are sampled together"
            raise refused("other-samples", f"{here} samples", rule, "export them from the same trial", file.name)
        for plate in each.forces.plates:
            if fold(plate.name) in plates:
                rule, mend = "another file has a plate of this name", "import each plate once"
                raise refused("two-plates", f"the plate {plate.name}", rule, mend, file.name)
            plates[fold(plate.name)] = plate
    return RecordedForces(first.stamps, tuple(plates.values())) if first else None


def _are_same(one: Stamps, other: Stamps) -> bool:
    return len(one.frames) == len(other.frames) and one.rate == other.rate and np.array_equal(one.frames, other.frames)


def _timed(stamps: Stamps, notes: list[str]) -> UniformTime | None:
    """The uniform time of stamps; None where only frames are known. Raises WorkbookError where they are not uniform."""
    if stamps.rate is None and np.isnan(stamps.times).all():
        notes.append(f"{stamps.header.sheet} tells frames and no rate: write rate on the sheet Processing")
        return None
    found = uniform_time(stamps.times, stamps.frames, rate=stamps.rate, printed=stamps.printed)
    if isinstance(found, WrongStamp):
        row = int(stamps.rows[found.sample])
        place = f"{stamps.header.sheet} line {row}" if row else stamps.header.sheet
        raise refused("not-uniform", found.found, found.rule, found.mend, place)
    notes.extend([found.note] if found.note else [])
    return found


def found_lines(trial: TimedTrial) -> Iterator[tuple[str, str]]:
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
    names = [plate.name for plate in forces.plates if np.abs(plate.force).max(initial=0.0) > MIN_LOAD]
    if not names:
        return "none of them loaded"
    return f"loaded: {listed(names)}"


def _axes(markers: RecordedMarkers) -> str:
    """Which axis seems to point up and which forward, by feet below hips, and by the way that is gone."""
    high, low = (_mean_of(markers, words) for words in (HIGH_MARKERS, LOW_MARKERS))
    if high is None or low is None or not np.isfinite(high - low).any():
        return "not known from these labels"
    up = _clearest(np.nanmean(high - low, axis=0))
    there = np.flatnonzero(np.isfinite(high).any(axis=1))
    level = np.array([0.0 if up.endswith(axis) else 1.0 for axis in "xyz"]) if up else np.ones(3)
    way = np.nan_to_num(high[there[-1]] - high[there[0]]) * level if len(there) else np.zeros(3)
    if np.abs(way).max() < WALKS:
        way = _mean_foot(markers) * level
    forward = _clearest(way)
    return f"{up or 'no axis clearly'} up, {forward or 'no axis clearly'} forward"


def highest_course(trial: TimedTrial) -> Vector | None:
    """The middle of markers of pelvis and knees in each frame, (n, 3), NaN where one is not seen; None where there is none."""
    markers = trial.recorded.markers
    return None if markers is None else _mean_of(markers, HIGH_MARKERS)


def _mean_of(markers: RecordedMarkers, words: Sequence[str]) -> Vector | None:
    kinds = [model_name(label).removeprefix("right ").removeprefix("left ").split(" ")[0] for label in markers.labels]
    return _mean(markers, [at for at, kind in enumerate(kinds) if fold(kind) in words])


def _mean(markers: RecordedMarkers, chosen: list[int]) -> Vector | None:
    """The middle of some markers (n, 3) where all of them are seen: of those that are seen nearly as long as the longest."""
    seen = {at: np.isfinite(markers.positions[at][:, markers.columns[at] > 0]).all(axis=1) for at in chosen}
    longest = max((int(each.sum()) for each in seen.values()), default=0)
    long = [at for at, each in seen.items() if each.sum() >= LONG_SEEN * longest]
    together = np.all([seen[at] for at in long], axis=0) if longest else np.zeros(0, bool)
    if not together.any():
        return None
    return np.where(together[:, None], np.mean(markers.positions[long], axis=0), np.nan)


def _mean_foot(markers: RecordedMarkers) -> Vector:
    """The mean way (3,) from heels to toes; 0 where they are not seen."""
    heel, toe = _mean_of(markers, ("heel",)), _mean_of(markers, ("toe", "mt5"))
    if heel is None or toe is None or not np.isfinite(toe - heel).any():
        return np.zeros(3)
    return np.asarray(np.nan_to_num(np.nanmean(toe - heel, axis=0)))


def _clearest(way: Vector) -> str:
    """The axis along which a way goes, with its sign; "" where it goes along several."""
    sizes = np.nan_to_num(np.abs(way))
    axis = int(np.argmax(sizes))
    others = float(np.delete(sizes, axis).max())
    return f"{'+' if way[axis] > 0 else '-'}{'xyz'[axis]}" if sizes[axis] > MIN_EXTENT_RATIO * others else ""
