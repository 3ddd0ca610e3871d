"""Mass and inertia of simple shapes, where a row of Bodies gives a shape instead of numbers.

The long axis of a rod, cylinder or tube is the body's xi; length, width and height of a box lie along xi, eta and zeta.
"""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.reading.record import Record

Tensor = NDArray[np.float64]

SIZES = {
    "rod": ("length",),
    "box": ("length", "width", "height"),
    "cylinder": ("length", "radius"),
    "tube": ("length", "radius", "inner_radius"),
    "sphere": ("radius",),
}
"""what each shape needs"""
EVERY_SIZE = tuple(dict.fromkeys(size for sizes in SIZES.values() for size in sizes))


def given_shape(record: Record, inertia: tuple[str, ...]) -> bool:
    """Whether the row's inertia comes from a shape. inertia: columns that say it in numbers, and which then count."""
    if not record.given("shape"):
        return False
    said = [column for column in inertia if record.given(column)]
    if said:
        problem = f"{said[0]} gives the inertia already, so the shape has no effect"
        record.settle("shape")
        record.report.warning("unused-value", record.place("shape"), "a shape", problem, "clear one of the two")
    return not said


def mass_of_shape(record: Record) -> tuple[float | None, Tensor | None]:
    """Mass and inertia tensor (3, 3) about the centre; None where something is missing or wrong, which is reported."""
    shape = record.choice("shape")
    record.settle("mass", "density", *(SIZES[shape] if shape else EVERY_SIZE))
    if not shape:
        return None, None
    sizes: dict[str, float] = {}
    for name in SIZES[shape]:
        value = record.number(name)
        if value is None:
            record.missing(name, f"a {shape} needs {' and '.join(SIZES[shape])}", "fill it in")
            return None, None
        if not value > 0.0 and not (name == "inner_radius" and value == 0.0):
            record.refuse("not-positive", name, f"{name} must be greater than 0", "correct the value")
            return None, None
        sizes[name] = value
    if shape == "tube" and sizes["inner_radius"] >= sizes["radius"]:
        record.refuse("wrong-radius", "inner_radius", "inner_radius must be less than radius", "correct one of them")
        return None, None
    mass = _mass(record, shape, sizes)
    return (None, None) if mass is None else (mass, mass * np.diag(_per_mass(shape, sizes)))


def _mass(record: Record, shape: str, sizes: dict[str, float]) -> float | None:
    mass, density = record.number("mass"), record.number("density")
    for name, value in (("mass", mass), ("density", density)):
        if value is not None and value < 0.0:
            record.refuse("negative", name, f"{name} must not be negative", "correct the value")
            return None
    if mass is not None:
        return mass
    if density is None or shape == "rod":
        needs = "a rod has no thickness, so it needs its mass" if shape == "rod" else "a shape needs mass or density"
        record.missing("mass", needs, "fill it in")
        return None
    return density * _volume(shape, sizes)


def _volume(shape: str, sizes: dict[str, float]) -> float:
    length, radius = sizes.get("length", 0.0), sizes.get("radius", 0.0)
    match shape:
        case "box":
            return length * sizes["width"] * sizes["height"]
        case "sphere":
            return 4.0 / 3.0 * pi * radius**3
        case _:
            return pi * (radius**2 - sizes.get("inner_radius", 0.0) ** 2) * length


def _per_mass(shape: str, sizes: dict[str, float]) -> list[float]:
    """Principal moments over the mass, about xi, eta, zeta."""
    length, radius = sizes.get("length", 0.0), sizes.get("radius", 0.0)
    match shape:
        case "rod":
            return [0.0, length**2 / 12.0, length**2 / 12.0]
        case "box":
            squares = np.array([length, sizes["width"], sizes["height"]]) ** 2
            return [float(np.sum(squares) - square) / 12.0 for square in squares]
        case "sphere":
            return [0.4 * radius**2] * 3
        case _:
            both = radius**2 + sizes.get("inner_radius", 0.0) ** 2
            across = (3.0 * both + length**2) / 12.0
            return [both / 2.0, across, across]
