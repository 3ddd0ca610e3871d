"""Workbooks of whole cars for tests: both axles of a formula student car with rockers, springs and bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import openpyxl

from tests.support.hardpoint_books import ROCKER, WISHBONES, Point

WHEELBASE = 1550.0
BAR: dict[str, Point] = {
    "bar link suspension": (0, 200, 370),
    "bar link bar": (0, 200, 250),
    "bar axis": (60, 200, 250),
}
FRONT: dict[str, Point] = {**WISHBONES, **ROCKER, **BAR}
REAR: dict[str, Point] = {
    name: (x - WHEELBASE, y, z + (4.0 if name == "upper ball joint" else 0.0)) for name, (x, y, z) in FRONT.items()
}
SETTINGS: dict[str, tuple[object, ...]] = {
    "type": ("double wishbone", "double wishbone"),
    "actuation": ("push-rod", "push-rod"),
    "camber": ("-1.2 deg", "-0.8 deg"),
    "toe": ("-0.15 deg", "0.2 deg"),
    "tyre radius": ("230 mm", "230 mm"),
    "tyre rate": ("120 N/mm", "130 N/mm"),
    "wheelbase": (f"{WHEELBASE} mm",),
    "cg height": ("290 mm",),
    "mass": ("280 kg",),
    "weight front": ("47 %",),
    "unsprung mass": ("9 kg", "10 kg"),
    "brake front": ("65 %",),
    "rack per turn": ("90 mm",),
    "rim diameter": ("254 mm", "254 mm"),
}
SPRINGS: tuple[tuple[object, ...], ...] = (
    ("name", "axle", "kind", "k"),
    ("spring", "front", "spring", "35 N/mm"),
    ("spring", "rear", "spring", "40 N/mm"),
    ("bar", "front", "U bar", "200 N*m/rad"),
    ("bar", "rear", "U bar", "120 N*m/rad"),
)


def car_book(
    path: Path,
    settings: Mapping[str, tuple[object, ...] | None] | None = None,
    *,
    front: Mapping[str, Point] = FRONT,
    rear: Mapping[str, Point] = REAR,
    springs: Iterable[Sequence[object]] = SPRINGS,
    others: Mapping[str, Iterable[Sequence[object]]] | None = None,
    unit: str = "mm",
) -> Path:
    """Write a workbook. settings: changes of `SETTINGS`; None takes one away. others: further sheets."""
    book = openpyxl.Workbook()
    first = book.active
    first.title = "Suspension"
    first.append(("setting", "front", "rear"))
    for name, values in {**SETTINGS, **(settings or {})}.items():
        if values is not None:
            first.append((name, *values))
    points = book.create_sheet("Hardpoints")
    points.append(("axle", "point", "x", "y", "z", "side"))
    points.append(("units", None, unit, unit, unit))
    for axle, named in (("front", front), ("rear", rear)):
        for name, position in named.items():
            points.append((axle, name, *position))
    for name, rows in {"Suspension springs": springs, **(others or {})}.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(tuple(row))
    book.save(path)
    return path
