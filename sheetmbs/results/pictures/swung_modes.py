"""Shapes of vibration as mechanisms that are swung out: how they are called, how far they swing, where all bodies are then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Model
from sheetmbs.results.pictures.scene import DrawnScene, held_by, scene_of

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Numbers = Mapping[str, float]

SWUNG = 0.12
"""of the picture: how far the place that moves most is swung out"""
TURNED = 0.4
"""rad: how far a body is turned at most"""


def numbers_of(row: pd.Series) -> Numbers:
    """A row of a frame by the names of its columns."""
    return dict(zip(row.index, row.tolist(), strict=True))


def mode_title(mode: Numbers) -> str:
    """What a mode is called. mode: a row of `mbs Modes`."""
    number, frequency, damping = f"mode {mode['mode']:.0f}", mode["frequency"], mode["damping"]
    if np.isnan(frequency):
        return f"{number}: no vibration, {mode['growth_rate']:.3g} 1/s"
    if frequency == 0.0:
        return f"{number}: rigid body"
    return f"{number}: {frequency:.4g} Hz" + (f", damping ratio {damping:.3g}" if damping else "")


def displaced(model: Model, rest: Numbers, mode: Numbers, amplitude: float) -> dict[str, float]:
    """A row of `mbs Bodies` with a shape times an amplitude added. rest, mode: rows of `mbs Bodies` and `mbs Modes`."""
    found, degree = dict(rest), model.display.angle[1]
    for body in model.bodies:
        for name in [name for name in mode if name.rpartition(".")[0] == body.name and name in found]:
            found[name] += amplitude * mode[name]
        if f"{body.name}.rx" in mode:
            turn = amplitude * degree * np.array([mode[f"{body.name}.r{axis}"] for axis in "xyz"])
            names = [f"{body.name}.e{k}" for k in range(4)]
            found |= dict(zip(names, _turned(np.array([rest[name] for name in names]), turn).tolist(), strict=True))
    return found


def _turned(euler: Floats, vector: Floats) -> Floats:
    """Euler parameters (4,) after a further rotation about a global rotation vector (3,)."""
    angle = float(np.linalg.norm(vector))
    c, s = np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * vector
    return np.array([c * euler[0] - s @ euler[1:], *(c * euler[1:] + euler[0] * s + np.cross(s, euler[1:]))])


def swing_amplitude(model: Model, rest: Numbers, mode: Numbers, resting: DrawnScene, size: float) -> float:
    """How large a shape is drawn: clearly, but not so far that bodies seem to stretch.

    rest, mode: rows of `mbs Bodies` and `mbs Modes`. resting: the mechanism there. size: see `size_of`.
    """
    angles = [abs(value) for name, value in mode.items() if name.rpartition(".")[2] in {"phi", "rx", "ry", "rz"}]
    turned = max(angles, default=0.0) * model.display.angle[1]
    slight = 1e-3 / turned if turned > 0.0 else 1e-3 * size / model.display.length[1]
    swung = scene_of(model, displaced(model, rest, mode, slight))
    ways = [swung.point(marker) - resting.point(marker) for held in held_by(model).values() for marker in held]
    ways += [swung.place[body.name][0] - resting.place[body.name][0] for body in model.bodies]
    ways += [there - here for there, here in zip(swung.curves(), resting.curves(), strict=True)]
    farthest = max((float(np.linalg.norm(way)) for way in ways), default=0.0) / slight
    by_way = SWUNG * size / farthest if farthest > 0.0 else np.inf
    by_turn = TURNED / turned if turned > 0.0 else np.inf
    found = min(by_way, by_turn)
    return float(found) if np.isfinite(found) else 0.0
