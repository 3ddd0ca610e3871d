"""Axes of hardpoints: from those of a sheet to ISO 8855, x forward, y to the left, z up."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

FORWARD, LEFT, UP = np.eye(3)
NAMED = {
    "ISO 8855": ("forward", "left", "up"),
    "SAE J670": ("forward", "right", "down"),
    "Lotus": ("rearward", "outboard", "up"),
}


def direction(word: str, side: float) -> Matrix:
    """Unit vector of a word in axes of ISO 8855. side: +1 where the points are those of the left."""
    outboard = LEFT * side
    known = {"forward": FORWARD, "left": LEFT, "up": UP, "outboard": outboard}
    opposite = {"rearward": FORWARD, "right": LEFT, "down": UP, "inboard": outboard}
    return known[word] if word in known else -opposite[word]


def sheet_axes(settings: Mapping[str, float | str | None]) -> Matrix:
    """(3, 3) from the axes of the hardpoints to ISO 8855. settings: of the car. Raises ValueError as `to_iso` does."""
    words = NAMED.get(str(settings["axes"])) or tuple(str(settings[f"{axis} axis"]) for axis in "xyz")
    return to_iso((words[0], words[1], words[2]), 1.0 if settings["input side"] == "left" else -1.0)


def to_iso(axes: tuple[str, str, str], side: float) -> Matrix:
    """(3, 3) whose columns are the sheet's axes in those of ISO 8855: position = matrix @ given.

    axes: words for x, y and z. Raises ValueError where they are not three different directions.
    """
    matrix = np.column_stack([direction(word, side) for word in axes])
    if abs(np.linalg.det(matrix)) < 0.5:
        raise ValueError(f"x {axes[0]}, y {axes[1]}, z {axes[2]} are not three different directions")
    return matrix
