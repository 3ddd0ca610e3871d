"""Recorded walks that workbooks and templates hold: real ones, and one of an exact planar walker.

`trials/half-hat-leg-*`: one stride of a leg, 34 samples as listed in the input file of the gait example of MUBODYNA: time in s,
places in m, angles in rad, force on the foot in N and its centre of pressure along the floor in m, 0 while the foot swings.

`trials/walk1-*`: overground walking of an adult of about 76.5 kg, BMClab/BMC on GitHub, folder data (Duarte and Watanabe,
Federal University of ABC), CC-BY 4.0; 22 of its 28 markers, in mm, and seven plates as Cortex gives them, in N, mm and N*mm.
Its labels say right for left.
`trials/walker-*`, `trials/runner-*`: points of the walker of
tests/support/gait_walker.py and of the runner of tests/gait/gait_runner.py in
mm, x forward and y up, and what the ground does to each foot in N and N*m, the moment about the origin.
`trials/line-*`: the same of the walker of
tests/gait/gait_line_walker.py in space, z to the right, with the points as it stands.
"""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "trials"
ACROSS = {"right": 1.0, "left": -1.0}
HIP_WIDTH, KNEE_WIDTH, ANKLE_WIDTH = 86.5, 50.0, 38.0
"""mm: hips from the middle; half of what lies between lateral and medial markers"""
PELVIS = (240.0, 155.0)
"""mm between the anterior spines, and from their middle to that of the posterior ones: from them follow hips at 86.5 mm"""
WALKER, RUNNER = "walker", "runner"
"""whose files begin so"""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Columns over time. values: (n, columns)."""

    headers: tuple[str, ...]
    values: Numbers

    def column(self, header: str) -> Numbers:
        """(n,) of a column."""
        return np.asarray(self.values[:, self.headers.index(header)])

    def point(self, name: str) -> Numbers:
        """(n, 2) of a point of the walker or the runner."""
        return np.column_stack((self.column(f"{name}.x"), self.column(f"{name}.y")))


def read_samples(name: str) -> Samples:
    """A file of the folder, such as ``walk1-markers``."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rb") as packed:
        headers, *rows = csv.reader(io.StringIO(packed.read().decode()))
    return Samples(tuple(headers), np.array(rows, float))


def exact_markers(who: str) -> dict[str, Numbers]:
    """Markers (n, 3) in mm, x forward, y up, z to the right, with a pelvis that gives the hips by Harrington."""
    samples = read_samples(f"{who}-markers")
    hip = samples.point("hip")
    width, depth = PELVIS
    found = {"shoulder": _at(samples.point("shoulder"), 0.0)}
    asis = hip + np.array([0.24 * depth + 9.9, 0.30 * width + 10.9])
    for side, sign in ACROSS.items():
        found[f"{side} asis"] = _at(asis, sign * width / 2.0)
        found[f"{side} psis"] = _at(asis - (depth, 0.0), sign * 45.0)
        for joint, reach in (("knee", KNEE_WIDTH), ("ankle", ANKLE_WIDTH)):
            centre = samples.point(f"{side} {joint}")
            found[f"{side} {joint}"] = _at(centre, sign * (HIP_WIDTH + reach))
            found[f"{side} {joint} medial"] = _at(centre, sign * (HIP_WIDTH - reach))
        for point in ("heel", "mt5", "toe"):
            found[f"{side} {point}"] = _at(samples.point(f"{side} {point}"), sign * HIP_WIDTH)
    return found


def exact_times(who: str) -> Numbers:
    """(n,) in s of the markers."""
    return read_samples(f"{who}-markers").column("time")


def exact_ground(who: str) -> tuple[Numbers, dict[str, tuple[Numbers, Numbers]]]:
    """Times (n,) in s, and by side force (n, 2) in N and moment (n,) about the origin in N*m."""
    samples = read_samples(f"{who}-forces")
    feet = {
        side: (
            np.column_stack((samples.column(f"{side}.fx"), samples.column(f"{side}.fy"))),
            samples.column(f"{side}.m"),
        )
        for side in ACROSS
    }
    return samples.column("time"), feet


def line_points(name: str) -> dict[str, Numbers]:
    """Points (n, 3) in mm of a file of the walker in space: shoulder, and of either leg hip to toe."""
    samples = read_samples(name)
    names = dict.fromkeys(header.rpartition(".")[0] for header in samples.headers[1:])
    return {each: np.column_stack([samples.column(f"{each}.{axis}") for axis in "xyz"]) for each in names}


def line_ground() -> tuple[Numbers, dict[str, Numbers]]:
    """Times (n,) in s, and by side force and moment about the origin (n, 6) in N and N*m."""
    samples = read_samples("line-forces")
    quantities = ("fx", "fy", "fz", "mx", "my", "mz")
    feet = {side: np.column_stack([samples.column(f"{side}.{each}") for each in quantities]) for side in ACROSS}
    return samples.column("time"), feet


def _at(planar: Numbers, across: float) -> Numbers:
    return np.column_stack((planar, np.full(len(planar), across)))
