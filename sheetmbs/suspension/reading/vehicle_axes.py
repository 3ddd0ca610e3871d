"""Axes of hardpoints, from those of a sheet to ISO 8855 (x forward, y left, z up), and the direction of the rack."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.reading.read_suspension_settings import GivenSettings

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


SETTING = "rack axis"
LETTERS = ("x", "y", "z")
WORDS = ("left", "right", "outboard", "inboard")
BETWEEN = re.compile(r"[\s,;()\[\]]+")
LEAST_LATERAL = 0.1
"""share of a rack's way that must go across the car: less is another axis than that of a rack"""


def rack_axis(given: GivenSettings, axle: str, matrix: Vector, report: ProblemList) -> Vector:
    """(3,) unit direction in axes of ISO 8855, to the left. matrix: (3, 3) from the sheet's axes to those."""
    place = given.places[axle].get(SETTING)
    if place is None:
        return LEFT
    text = str(given.values[axle][SETTING])
    found = _direction(text, matrix)
    if found is None:
        rule = "it is x, y or z, left or right, or three numbers in the axes of the hardpoints, as 0 1 0.05"
        _refuse(report, place, text, rule, "correct it, or clear the cell for a rack across the car")
        return LEFT
    found = found / np.linalg.norm(found)
    if abs(found[1]) < LEAST_LATERAL:
        rule = "a rack travels across the car, and this direction does not"
        _refuse(report, place, text, rule, "correct it, or clear the cell for a rack across the car")
        return LEFT
    return np.asarray(found * np.sign(found[1]))


def _direction(text: str, matrix: Vector) -> Vector | None:
    """None where the text is none of a length above 0."""
    word = fold(text)
    if word in LETTERS:
        return np.asarray(matrix[:, LETTERS.index(word)])
    if word in WORDS:
        return direction(word, 1.0)
    numbers = numbers_of(text)
    return None if numbers is None else np.asarray(matrix @ numbers)


def numbers_of(text: str) -> Vector | None:
    """(3,) numbers of a direction; None where the text is no three numbers, or of the length 0."""
    try:
        numbers = np.array([float(part) for part in BETWEEN.split(text.strip()) if part])
    except ValueError:
        return None
    sound = numbers.shape == (3,) and np.isfinite(numbers).all() and np.linalg.norm(numbers) > 0.0
    return numbers if sound else None


def _refuse(report: ProblemList, place: Place, text: str, rule: str, mend: str) -> None:
    report.error("wrong-direction", place, f"{SETTING}: {quoted(text)}", rule, mend)
