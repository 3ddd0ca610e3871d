"""Gait workbooks for tests, made from the exact walker: in any axes, units and rates, on feet or on plates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.support import gait_walker
from tests.support.books import save_rows

SIZES = {"m": 1.0, "cm": 0.01, "mm": 0.001}
UNITS = {"right": 1.0, "left": -1.0}
OURS = ("+x", "+y")
LEG = ("hip", "knee", "ankle", "heel", "mt5", "toe")
SEGMENTS = (
    *(
        row
        for side in ("right", "left")
        for row in (
            (f"{side} foot", f"{side} ankle", f"{side} mt5"),
            (f"{side} shank", f"{side} knee", f"{side} ankle"),
            (f"{side} thigh", f"{side} hip", f"{side} knee"),
        )
    ),
    ("trunk", "shoulder", "right hip"),
)
Rows = list[Sequence[object]]


@dataclass(frozen=True)
class Recording:
    """How the walker is recorded. axes: of the laboratory, forward and up. noise: m of each coordinate. shift: of the lab."""

    start: float = 0.0
    end: float = 2.6
    rate: float = 100.0
    force_rate: float = 1000.0
    unit: str = "m"
    axes: tuple[str, str] = OURS
    noise: float = 0.0
    sides: tuple[str, ...] = ("right", "left")
    digits: int | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def times(self) -> np.ndarray:
        return np.arange(round((self.end - self.start) * self.rate) + 1) / self.rate + self.start

    @property
    def force_times(self) -> np.ndarray:
        return np.arange(round((self.end - self.start) * self.force_rate) + 1) / self.force_rate + self.start


def to_lab(vectors: np.ndarray, axes: tuple[str, str]) -> np.ndarray:
    """Vectors (n, 3) in x forward, y up, z right as the laboratory has them."""
    forward, up = (np.eye(3)["xyz".index(word[1])] * (-1.0 if word[0] == "-" else 1.0) for word in axes)
    return vectors @ np.array([forward, up, np.cross(forward, up)])


def positions(how: Recording) -> dict[str, np.ndarray]:
    """Markers (n, 3) in m, in our axes."""
    walk = gait_walker.walk(how.times)
    random = np.random.default_rng(7)
    found = {}
    for name in ("shoulder", *(f"{side} {point}" for side in ("right", "left") for point in LEG)):
        planar = walk.points[name].value
        side = 0.0 if name == "shoulder" else gait_walker.WIDTH * UNITS[name.split()[0]]
        exact = np.column_stack((planar, np.full(len(planar), side)))
        found[name] = exact + how.noise * random.standard_normal(exact.shape)
    return found


def marker_rows(how: Recording) -> Rows:
    """The sheet Markers."""
    found = {name: to_lab(each, how.axes) / SIZES[how.unit] for name, each in positions(how).items()}
    header = ["time", *(f"{name}.{axis}" for name in found for axis in "xyz")]
    times = how.times if how.digits is None else np.round(how.times, how.digits)
    numbers = np.column_stack((times, *found.values()))
    return [header, ["s", *([how.unit] * (len(header) - 1))], *numbers.tolist()]


def foot_loads(how: Recording) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Force and moment (n, 3) about the origin of the ground on each foot, in axes of the laboratory."""
    loads = {}
    for side, (planar, about_z) in gait_walker.ground(how.force_times).items():
        across = gait_walker.WIDTH * UNITS[side]
        force = np.column_stack((planar, np.zeros(len(planar))))
        moment = np.column_stack((-across * planar[:, 1], across * planar[:, 0], about_z))
        loads[side] = to_lab(force, how.axes), to_lab(moment, how.axes)
    return loads


def force_rows(how: Recording) -> Rows:
    """The sheet Force plates with what each foot gets."""
    loads = foot_loads(how)
    names = [f"{kind}{axis}" for kind in "fm" for axis in "xyz"]
    header = ["time", *(f"{side}.{name}" for side in loads for name in names)]
    units = ["s", *(["N", "N", "N", "N*m", "N*m", "N*m"] * len(loads))]
    numbers = np.column_stack((how.force_times, *(each for load in loads.values() for each in load)))
    return [header, units, *numbers.tolist()]


def walker_sheets(how: Recording | None = None) -> dict[str, Rows]:
    """All sheets of a workbook of the walker."""
    how = how or Recording()
    settings = {"cutoff": "none", "force_cutoff": "none", **how.settings}
    return {
        "Settings": [("setting", "value"), ("analysis", "gait"), ("dimension", "2D")],
        "Subject": [
            ("setting", "value", "unit"),
            ("mass", gait_walker.MASS, "kg"),
            ("height", gait_walker.HEIGHT, "m"),
        ],
        "Segments": [("name", "proximal", "distal"), *SEGMENTS],
        "Processing": [("setting", "value"), *settings.items()],
        "Markers": marker_rows(how),
        "Force plates": force_rows(how),
    }


def gait_book(path: Path, sheets: Mapping[str, Sequence[Sequence[object]]]) -> Path:
    """A workbook of these sheets."""
    return save_rows(path, sheets)
