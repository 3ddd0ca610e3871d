"""A trial from recording to joint moments: sheetmbs beside OpenSim's inverse kinematics and dynamics.

The recording is that of the exact walker of the tests, so that the error of each side is known: markers at joints, heels and
toes at 100 Hz with noise of 1 mm, and forces of each foot at 1000 Hz. Both filter at the same cut-off and get the same
joint centres as markers. Processor time; ours reads the workbook too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import machine, tables
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs import run_gait
from tests import gait_walker as walker
from tests.gait_books import Recording, foot_loads, gait_book, positions, walker_sheets

Vector = NDArray[np.float64]
NOISE, CUTOFF = 1e-3, 10.0
INSIDE = 0.3
"""s at each end that are not compared: filters end differently there"""
JOINTS = ("ankle", "knee", "hip")


def recording(seconds: float, kinematics: str) -> Recording:
    """The walker as a laboratory would record it; forces are smooth, and so are left as they are."""
    settings = {"cutoff": CUTOFF, "force_cutoff": "none", "kinematics": kinematics}
    return Recording(end=seconds, noise=NOISE, settings=settings)


def study(options: Options) -> None:
    """Print and save seconds, and rms errors of moments, of each side."""
    from benchmarks import opensim_walker

    seconds = 3.0 if options.quick else 10.0
    rows: list[tables.Row] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        how = recording(seconds, "segments")
        peer = opensim_walker.solve(how.times, positions(how), how.force_times, applied(how), CUTOFF, folder)
        for kinematics in ("segments", "chain", "least squares"):
            book = gait_book(folder / f"{kinematics}.xlsx", walker_sheets(recording(seconds, kinematics)))
            found = run_gait(book).solved.trials[0].courses
            moments = {label: course["moment"] for label, course in found.joints.items()}
            ours = in_turns([lambda book=book: _seconds(book)], options.runs)[0]
            rows.append(_row(f"sheetmbs, {kinematics}", ours, _errors(found.time, moments), peer.seconds / ours))
            rows[-1] = {**rows[-1], **_apart(found.time, moments, peer.time, peer.moments)}
        rows.append(_row("OpenSim 4.6, IK and ID", peer.seconds, _errors(peer.time, peer.moments), 1.0))
    print(machine.measured_on(options.runs))
    tables.show(rows)
    if options.save:
        tables.save("gait", rows)
        tables.into_readme("gait", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows)}")


def applied(how: Recording) -> Vector:
    """(k, 2, 9) force, point and moment there, of right and left foot."""
    loads = foot_loads(how)
    found = np.zeros((len(how.force_times), 2, 9))
    for number, (force, moment) in enumerate(loads[side] for side in ("right", "left")):
        carried = np.where(force[:, 1] > 1.0, force[:, 1], np.inf)
        point = np.column_stack((moment[:, 2] / carried, np.zeros(len(force)), -moment[:, 0] / carried))
        found[:, number, :3], found[:, number, 3:6] = force, point
        found[:, number, 6:] = moment - np.cross(point, force)
    return found


def _seconds(book: Path) -> float:
    began = time.process_time()
    run_gait(book)
    return time.process_time() - began


def _errors(times: Vector, moments: Mapping[str, Vector]) -> dict[str, float]:
    """Root mean square errors in N m of each joint, both sides together."""
    exact = {label: load.moment for label, load in walker.joint_loads(times).items()}
    inside = (times > times[0] + INSIDE) & (times < times[-1] - INSIDE)
    return {
        f"{joint}, N m": _rms(
            [(moments[f"{side} {joint}"] - exact[f"{side} {joint}"])[inside] for side in ("right", "left")]
        )
        for joint in JOINTS
    }


def _apart(times: Vector, ours: Mapping[str, Vector], others: Vector, theirs: Mapping[str, Vector]) -> dict[str, float]:
    """Root mean squares of what both sides differ by."""
    inside = (times > times[0] + INSIDE) & (times < times[-1] - INSIDE)
    return {
        f"{joint} apart, N m": _rms(
            [
                (ours[f"{side} {joint}"] - np.interp(times, others, theirs[f"{side} {joint}"]))[inside]
                for side in ("right", "left")
            ]
        )
        for joint in JOINTS
    }


def _rms(parts: list[Vector]) -> float:
    return float(np.sqrt(np.nanmean(np.concatenate(parts) ** 2)))


def _row(name: str, seconds: float, errors: Mapping[str, float], ratio: float) -> tables.Row:
    return {"what": name, "s": seconds, **errors, "times faster": ratio}
