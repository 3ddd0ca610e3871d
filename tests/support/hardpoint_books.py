"""Workbooks of hardpoints for tests: a corner of a formula student car, and corners with closed forms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import openpyxl

Point = tuple[float, float, float]

WISHBONES: dict[str, Point] = {  # mm, ISO 8855
    "lower arm front": (130, 215, 112),
    "lower arm rear": (-135, 225, 121),
    "lower ball joint": (4, 572, 112),
    "upper arm front": (115, 262, 295),
    "upper arm rear": (-120, 270, 290),
    "upper ball joint": (-8, 545, 300),
    "tie rod inner": (62, 222, 144),
    "tie rod outer": (70, 560, 150),
    "wheel centre": (0, 600, 230),
}
ROCKER: dict[str, Point] = {
    "rod outer": (0, 520, 125),
    "rod rocker": (0, 260, 380),
    "rocker pivot": (0, 220, 350),
    "rocker axis": (40, 220, 350),
    "damper rocker": (0, 210, 400),
    "damper chassis": (0, 20, 420),
}
LEVEL_ARMS: dict[str, Point] = {  # parallel and equally long
    "lower arm front": (100, 200, 130),
    "lower arm rear": (-100, 200, 130),
    "lower ball joint": (0, 600, 130),
    "upper arm front": (100, 200, 330),
    "upper arm rear": (-100, 200, 330),
    "upper ball joint": (0, 600, 330),
    "tie rod inner": (80, 200, 230),
    "tie rod outer": (80, 600, 230),
    "wheel centre": (0, 620, 230),
}
STRUT: dict[str, Point] = {
    "lower arm front": (120, 320, 180),
    "lower arm rear": (-180, 330, 175),
    "lower ball joint": (5, 690, 165),
    "strut lower": (-5, 620, 330),
    "strut top": (-25, 560, 800),
    "tie rod inner": (-110, 330, 235),
    "tie rod outer": (-120, 660, 230),
    "wheel centre": (0, 740, 300),
}
SETTINGS: tuple[tuple[object, ...], ...] = (
    ("type", "double wishbone"),
    ("camber", "-1.2 deg"),
    ("toe", "-0.15 deg"),
    ("tyre radius", "230 mm"),
)


def hardpoint_book(
    path: Path,
    points: Mapping[str, Point] = WISHBONES,
    settings: Iterable[Sequence[object]] = SETTINGS,
    *,
    axle: str = "front",
    unit: str = "mm",
    rows: Iterable[Sequence[object]] = (),
    sweeps: Iterable[Sequence[object]] = (),
    others: Mapping[str, Iterable[Sequence[object]]] | None = None,
) -> Path:
    """Write a workbook. rows: further rows of Hardpoints: axle, point, x, y, z, side. others: further sheets."""
    book = openpyxl.Workbook()
    first = book.active
    first.title = "Suspension"
    first.append(("setting", axle, None, "unit"))
    for row in settings:
        first.append(tuple(row))
    sheet = book.create_sheet("Hardpoints")
    sheet.append(("axle", "point", "x", "y", "z", "side"))
    sheet.append(("units", None, unit, unit, unit))
    for name, position in points.items():
        sheet.append((axle, name, *position))
    for row in rows:
        sheet.append(tuple(row))
    for name, cells in {**({"Sweeps": sweeps} if sweeps else {}), **(others or {})}.items():
        other = book.create_sheet(name)
        for row in cells:
            other.append(tuple(row))
    book.save(path)
    return path
