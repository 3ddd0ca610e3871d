"""Several files of one trial: its markers, and its force plates, each plate perhaps from a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sheetmbs.gait.formats.lab_files import read_lab_file
from sheetmbs.gait.signals.uniform_time import UniformTime, WrongStamp, uniform_time
from sheetmbs.gait.trial.recorded import Recorded, RecordedForces, Stamps
from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import fold


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
        if recorded.markers is None and recorded.forces is None:
            rule, mend = "a trial is made of markers or force plates", "export trajectories or forces"
            raise refused("nothing-recorded", f"{file.name} holds neither markers nor plates", rule, mend, file.name)
    merged = _merged(found)
    notes = list(merged.notes)
    marker_time = _timed(merged.markers.stamps, notes) if merged.markers else None
    force_time = _timed(merged.forces.stamps, notes) if merged.forces else None
    return TimedTrial(replace(merged, notes=tuple(notes)), marker_time, force_time, tuple(problems))


def _merged(found: Sequence[tuple[Path, Recorded]]) -> Recorded:
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
