"""A trial from recording to joint moments: sheetmbs beside OpenSim's inverse kinematics and dynamics.

The recording is that of the exact walker of the tests, so that the error of each side is known: markers at joints, heels and
toes at 100 Hz with noise of 1 mm, and forces of each foot at 1000 Hz. Both filter at the same cut-off and get the same
joint centres as markers. In space it is the walker on a line, with clusters of four markers. Processor time; ours reads the
workbook too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks import line_recording, machine, tables
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs import run_gait
from tests.gait import gait_line_walker
from tests.support import gait_walker as walker
from tests.support.gait_books import Recording, foot_loads, gait_book, positions, walker_sheets

if TYPE_CHECKING:
    from benchmarks.opensim_walker import PeerMoments

Vector = NDArray[np.float64]
NOISE, CUTOFF = 1e-3, 10.0
INSIDE = 0.3
"""s at each end that are not compared: filters end differently there"""
JOINTS = ("ankle", "knee", "hip")


@dataclass(frozen=True)
class Moments:
    """what: the method. seconds: of processor time. time: (n,) in s. moments: (n, components) in N m by label."""

    what: str
    seconds: float
    time: Vector
    moments: Mapping[str, Vector]


def recording(seconds: float, kinematics: str) -> Recording:
    """The walker as a laboratory would record it; forces are smooth, and so are left as they are."""
    settings = {"cutoff": CUTOFF, "force_cutoff": "none", "kinematics": kinematics}
    return Recording(end=seconds, noise=NOISE, settings=settings)


def study(options: Options) -> None:
    """Print and save seconds, and rms errors of moments, of each side."""
    seconds = 3.0 if options.quick else 10.0
    with tempfile.TemporaryDirectory() as made:
        rows = [*_in_the_plane(seconds, options.runs, Path(made)), *_in_space(seconds, options.runs, Path(made))]
    print(machine.measured_on(options.runs))
    tables.show(rows)
    if options.save:
        tables.save("gait", rows)
        tables.into_readme("gait", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows)}")


def _in_the_plane(seconds: float, runs: int, folder: Path) -> Iterator[tables.Row]:
    from benchmarks import opensim_walker

    how = recording(seconds, "segments")
    model, forces = opensim_walker.walker_model(), how.force_times
    loads = applied([foot_loads(how)[side] for side in ("right", "left")])
    peer = opensim_walker.solve(model, ["angle"], how.times, positions(how), forces, loads, CUTOFF, folder)
    for kinematics in ("segments", "chain", "least squares"):
        book = gait_book(folder / f"{kinematics}.xlsx", walker_sheets(recording(seconds, kinematics)))
        found = run_gait(book).solved.trials[0].courses
        moments = {label: course["moment"][:, None] for label, course in found.joints.items()}
        ours = Moments(
            f"sheetmbs, {kinematics}", in_turns([lambda book=book: _seconds(book)], runs)[0], found.time, moments
        )
        yield _row(ours, _exact(found.time), peer)
    yield _row(Moments("OpenSim 4.6, IK and ID", peer.seconds, peer.time, peer.moments), _exact(peer.time), peer)


def _in_space(seconds: float, runs: int, folder: Path) -> Iterator[tables.Row]:
    from benchmarks import opensim_line_walker, opensim_walker

    rates = line_recording.RATE, line_recording.FORCE_RATE
    times, forces = (np.arange(round(seconds * rate) + 1) / rate for rate in rates)
    markers = line_recording.recorded(times, NOISE)
    ground = gait_line_walker.ground(forces)
    loads = applied([(ground[side][:, :3], ground[side][:, 3:]) for side in ("right", "left")])
    model, turns = opensim_line_walker.line_walker_model(), opensim_line_walker.ROTATIONS
    peer = opensim_walker.solve(model, turns, times, markers, forces, loads, CUTOFF, folder)
    book = gait_book(folder / "space.xlsx", line_recording.space_book(times, forces, markers, CUTOFF))
    found = run_gait(book).solved.trials[0].courses
    # adduction and rotation of the left leg count the other way in a workbook
    mirrors = {side: np.array([1.0, sign, sign]) for side, sign in gait_line_walker.ACROSS.items()}
    moments = {
        label: np.column_stack([course[f"moment_{each}"] for each in turns]) * mirrors[label.split()[0]]
        for label, course in found.joints.items()
    }
    ours = Moments("sheetmbs, in space", in_turns([lambda: _seconds(book)], runs)[0], found.time, moments)
    yield _row(ours, line_recording.exact_moments(found.time), peer)
    theirs = Moments("OpenSim 4.6, in space", peer.seconds, peer.time, peer.moments)
    yield _row(theirs, line_recording.exact_moments(peer.time), peer)


def applied(feet: Sequence[tuple[Vector, Vector]]) -> Vector:
    """(k, 2, 9) force, point and moment there. feet: force and moment about the origin (k, 3) of the right and left one."""
    found = np.zeros((len(feet[0][0]), 2, 9))
    for number, (force, moment) in enumerate(feet):
        carried = np.where(force[:, 1] > 1.0, force[:, 1], np.inf)
        point = np.column_stack((moment[:, 2] / carried, np.zeros(len(force)), -moment[:, 0] / carried))
        found[:, number, :3], found[:, number, 3:6] = force, point
        found[:, number, 6:] = moment - np.cross(point, force)
    return found


def _seconds(book: Path) -> float:
    began = time.process_time()
    run_gait(book)
    return time.process_time() - began


def _exact(times: Vector) -> dict[str, Vector]:
    """(n, 1) moments of the planar walker by label."""
    return {label: load.moment[:, None] for label, load in walker.joint_loads(times).items()}


def _row(found: Moments, exact: Mapping[str, Vector], peer: PeerMoments) -> tables.Row:
    """Root mean squares over both sides and all components: errors, and what both differ by."""
    inside = (found.time > found.time[0] + INSIDE) & (found.time < found.time[-1] - INSIDE)
    row: dict[str, object] = {"what": found.what, "s": found.seconds}
    row |= {f"{joint}, N m": _rms(found.moments, exact, joint, inside) for joint in JOINTS}
    row["times faster"] = peer.seconds / found.seconds
    if found.moments is not peer.moments:
        others = {
            label: np.column_stack([np.interp(found.time, peer.time, each) for each in moments.T])
            for label, moments in peer.moments.items()
        }
        row |= {f"{joint} apart, N m": _rms(found.moments, others, joint, inside) for joint in JOINTS}
    return row


def _rms(ours: Mapping[str, Vector], others: Mapping[str, Vector], joint: str, inside: NDArray[np.bool_]) -> float:
    parts = [(ours[f"{side} {joint}"] - others[f"{side} {joint}"])[inside] for side in ("right", "left")]
    return float(np.sqrt(np.nanmean(np.concatenate(parts) ** 2)))
