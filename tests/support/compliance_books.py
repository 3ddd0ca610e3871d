"""Workbooks of cars with elastic parts for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book

HEADS = (
    "axle",
    "part",
    "k",
    "k_radial",
    "k_axial",
    "k_torsion",
    "k_conical",
    "E",
    "area",
    "curve",
    "curve_of",
    "axis",
    "side",
)
SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step"),
    ("heave", "heave", "-20 mm", "20 mm", "10 mm"),
)
STANDING = (("name", "ay"), ("standing", 0))
"""the load case of cars of which a test asks none: by default there are eleven"""
PIVOTS = ("lower arm front", "lower arm rear", "upper arm front", "upper arm rear")


def part(name: str, axle: str = "front", **cells: object) -> tuple[object, ...]:
    """A row of Compliance."""
    given = {"axle": axle, "part": name, **cells}
    return tuple(given.get(head) for head in HEADS)


def bushed(factor: float = 1.0, axle: str = "front", torsion: str | None = None) -> list[tuple[object, ...]]:
    """An axle of which everything is elastic that may be. factor: of all stiffnesses but those about pivots."""

    def rate(value: float, unit: str = "N/mm") -> str:
        return f"{value * factor:.17g} {unit}"

    rows = [part(name, axle, k_radial=rate(8000), k_axial=rate(2000), k_torsion=torsion) for name in PIVOTS]
    rows += [part("lower ball joint", axle, k=rate(30000)), part("upper ball joint", axle, k=rate(30000))]
    rows += [part("tie rod", axle, k=rate(20000)), part("push-rod", axle, k=rate(25000))]
    rows += [part("lower arm legs", axle, k=rate(40000)), part("damper chassis", axle, k=rate(9000))]
    rows += [part("wheel bearing", axle, k_conical=rate(50, "kN*m/deg"))]
    if axle == "front":
        rows += [part("rack mount", axle, k=rate(10000)), part("column", axle, k_torsion=rate(30, "N*m/deg"))]
    return rows


def compliance_book(path: Path, rows: list[tuple[object, ...]], **others: Any) -> Path:
    """Write a car with a sheet Compliance. rows: of it; others: of `car_book`, in which a sheet without rows is left out."""
    sheets: Mapping[str, Any] = {"Sweeps": SWEEPS, "Load cases": STANDING, **others.pop("others", {})}
    given = {name: own for name, own in sheets.items() if own}
    return car_book(path, others={"Compliance": (HEADS, *rows), **given}, **others)


def run_compliance(path: Path, rows: list[tuple[object, ...]], **others: Any) -> Any:
    """Run such a car."""
    return run_suspension(compliance_book(path, rows, **others))
