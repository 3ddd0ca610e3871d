"""Mode shapes as a page swings them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sheetmbs.model.model import Beam
from sheetmbs.results.columns.mode_columns import IMAGINARY
from sheetmbs.results.pictures.scene import mode_title, numbers_of, scene_of, size_of, swing_amplitude
from sheetmbs.results.results import Results
from sheetmbs.viewing.packed import Json, packed, plain

IN_PLANE = ("x", "y", "phi")
IN_SPACE = ("x", "y", "z", "rx", "ry", "rz")


def scene_modes(results: Results) -> list[Json]:
    """Every mode: its name, Hz, and how far its shape moves each body at full swing; [] of other analyses.

    shape: (2, bodies, components) real and imaginary part: x, y, phi, or x, y, z and a rotation vector; m and rad.
    """
    model, frame = results.model, results.modes
    if not len(frame):
        return []
    rest = results.bodies.iloc[0]
    resting = scene_of(model, rest)
    size = size_of(model, [resting])
    found = []
    for row in range(len(frame)):
        mode = frame.iloc[row]
        numbers = numbers_of(mode)
        swing = swing_amplitude(model, numbers_of(rest), numbers, resting, size)
        found.append({"name": mode_title(numbers), **_course(mode), **_shape(results, mode, swing)})
    return found


def _course(mode: pd.Series) -> Json:
    """Hz; None where it does not vibrate."""
    frequency = float(mode["frequency"])
    return {"frequency": frequency if np.isfinite(frequency) and frequency > 0.0 else None}


def _shape(results: Results, mode: pd.Series, swing: float) -> Json:
    model = results.model
    length, angle = (unit[1] for unit in (model.display.length, model.display.angle))
    components = IN_PLANE if model.settings.dimension == "2D" else IN_SPACE
    shape = np.zeros((2, len(model.bodies), len(components)))
    beams: Json = {}
    for number, body in enumerate(model.bodies):
        for part, ending in enumerate(("", IMAGINARY)):
            for place, name in enumerate(components):
                size = length if name in {"x", "y", "z"} else angle
                shape[part, number, place] = swing * size * float(mode.get(f"{body.name}.{name}{ending}", 0.0))
        if isinstance(body, Beam):
            shapes = results.lowered.bodies.beams[body.name].space.names
            names = [[f"{body.name}.{name}{ending}" for name in shapes] for ending in ("", IMAGINARY)]
            beams[body.name] = [plain(swing * np.array([float(mode.get(n, 0.0)) for n in part])) for part in names]
    return {"shape": packed(shape), "beams": beams}
