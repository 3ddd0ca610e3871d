"""Parameters of a C3D: values and texts by group and name, units in words, and when samples were taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.gait.trial.recorded import Stamps
from sheetmbs.importing.lines import refused
from sheetmbs.schema.problem_list import Place, quoted
from sheetmbs.schema.units import LENGTH, Dimension
from sheetmbs.schema.validate import ValueFault, unit_of

UNIT_WORDS = {
    "meters": "m",
    "metres": "m",
    "millimeters": "mm",
    "millimetres": "mm",
    "centimeters": "cm",
    "centimetres": "cm",
    "newtons": "N",
}
"""units in words, of which some programs keep the first four letters"""
CAPITALS = {"NMM": "Nmm", "NM": "Nm", "N.MM": "Nmm", "N.M": "Nm", "N": "N"}
LENGTHS = ("m", "mm", "cm", "in", "ft")
MIN_UNIT_LETTERS = 4


def values_of(file: Any, group: str, name: str) -> Any:
    """A parameter, or nothing where there is none."""
    return (
        file["parameters"][group][name]["value"]
        if group in file["parameters"] and name in file["parameters"][group]
        else []
    )


def texts_of(file: Any, group: str, name: str) -> list[str]:
    """Texts of a parameter, with those that go on in a second one and so on."""
    found = list(values_of(file, group, name))
    number = 2
    while len(more := values_of(file, group, f"{name}{number}")):
        found += list(more)
        number += 1
    return [str(text).strip() for text in found]


def unit_size(text: str, dimension: Dimension) -> float | None:
    """How much of SI a unit is, also of one in capitals or of which four letters are left; None where it is none."""
    word = text.casefold()
    long = (short for each, short in UNIT_WORDS.items() if len(word) >= MIN_UNIT_LETTERS and each.startswith(word))
    for symbol in (text, *long, CAPITALS.get(text, word)):
        try:
            unit = unit_of(symbol, (dimension,))
        except ValueFault:
            continue
        if unit is not None:
            return unit.size
    return None


def length_of(path: Path, file: Any) -> tuple[str, float]:
    """The unit of points as we write it, and how many m it is. Raises WorkbookError where it is none."""
    unit = (texts_of(file, "POINT", "UNITS") or ["mm"])[0] or "mm"
    size = unit_size(unit, LENGTH)
    if size is None:
        rule, mend = "POINT:UNITS is a length, such as mm or m", "export it again in one of these"
        raise refused("unknown-unit", f"{path.name}: the unit {quoted(unit)} of its points", rule, mend)
    return next((symbol for symbol in LENGTHS if size == unit_size(symbol, LENGTH)), unit), size


def c3d_stamps(path: Path, first: int, count: int, rate: float) -> Stamps:
    """When samples were taken that are numbered from ``first`` on; frame 1 is at 0 s."""
    rows = np.zeros(count, np.int64)
    return Stamps(np.full(count, np.nan), 0.0, np.arange(first, first + count), rate, rows, Place(path.name))
