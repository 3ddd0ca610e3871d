"""A front axle with push-rods whose springs stand between its rockers: heave, roll and cross springs, and blades."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import openpyxl

from tests.support.hardpoint_books import ROCKER, WISHBONES, hardpoint_book

SETTINGS: tuple[tuple[object, ...], ...] = (
    ("type", "double wishbone"),
    ("actuation", "push-rod"),
    ("camber", "-1.2 deg"),
    ("toe", "-0.15 deg"),
    ("tyre radius", "230 mm"),
    ("corner load", "645 N"),
    ("unsprung mass", "8 kg"),
)
ENDS = (("heave end", 0, 205, 430), ("roll end", 5, 245, 340))
HEAVE = ("hs", "front", "third spring", "25 N/mm", "heave end")
CROSS = ("cs", "front", "roll spring", "30 N/mm", "heave end", "roll end")
HEADS = ("name", "axle", "kind", "k", "point_i", "point_j")
GRID = 0.5
"""mm, between poses from which derivatives are taken by differences"""
BLADE = (
    ("bar link suspension", 20, 250, 395, "left", "rocker"),
    ("blade end", 80, 0, 390, "left", None),
    ("blade pivot", 20, 0, 350, "centre", None),
    ("blade axis", 20, 0, 450, "centre", None),
)


def across_book(
    path: Path,
    springs: Iterable[Sequence[object]] = (HEADS, HEAVE, CROSS),
    *,
    settings: Iterable[Sequence[object]] = (),
    points: Iterable[Sequence[object]] = (),
    at: Iterable[tuple[float, float]] = (),
    others: dict[str, Iterable[Sequence[object]]] | None = None,
) -> Path:
    """Write the workbook. points: further rows: point, x, y, z, side, on. at: poses of the sweep grid, mm left and right."""
    changed = {row[0]: row for row in settings}
    rows = [changed.pop(row[0], row) for row in SETTINGS] + list(changed.values())
    sheets: dict[str, Iterable[Sequence[object]]] = {"Suspension springs": tuple(springs), **(others or {})}
    poses = tuple(at)
    if poses:
        sheets["Sweeps"] = (("name", "type"), ("grid", "poses"))
        sheets["Poses"] = (
            ("sweep", "travel_left [mm]", "travel_right [mm]"),
            *(("grid", left, right) for left, right in poses),
        )
    hardpoint_book(path, {**WISHBONES, **ROCKER}, rows, others=sheets)
    book = openpyxl.load_workbook(path)
    sheet = book["Hardpoints"]
    sheet["G1"], sheet["H1"] = "on", "report"
    for name, x, y, z in ENDS:
        sheet.append(("front", name, x, y, z, "left", "rocker", "yes"))
    for name, x, y, z, side, on in points:
        sheet.append(("front", name, x, y, z, side, on, "yes" if side != "centre" else None))
    book.save(path)
    return path


def around(*middles: tuple[float, float]) -> list[tuple[float, float]]:
    """A pose and its eight neighbours, for each of several."""
    steps = (-GRID, 0.0, GRID)
    return [(left + i, right + j) for left, right in middles for i in steps for j in steps]
