"""Cars of two axles for tests of load cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import openpyxl

from tests.support.hardpoint_books import WISHBONES, Point

DIRECT: dict[str, Point] = {"damper outer": (0, 500, 125), "damper chassis": (5, 330, 520)}
BAR: dict[str, Point] = {
    "bar link suspension": (-10, 400, 130),
    "bar link bar": (-15, 400, 300),
    "bar axis": (-160, 300, 295),
}
FRONT: dict[str, Point] = {**WISHBONES, **DIRECT, **BAR}
REAR: dict[str, Point] = {
    name: (x - 1550, y - (20 if y > 300 else 0), z) for name, (x, y, z) in {**WISHBONES, **DIRECT}.items()
}
SETTINGS: tuple[tuple[object, ...], ...] = (
    ("type", "double wishbone", "double wishbone"),
    ("camber", "-1.2 deg", "-0.8 deg"),
    ("toe", "-0.15 deg", "0.2 deg"),
    ("tyre radius", "230 mm", "230 mm"),
    ("wheelbase", "1550 mm"),
    ("cg height", "300 mm"),
    ("mass", 280),
    ("weight front", 0.47),
    ("unsprung mass", 11, 12),
    ("brake front", "60 %"),
)
SPRINGS: tuple[tuple[object, ...], ...] = (
    ("name", "axle", "kind", "k", "gap"),
    ("spring", "front", "spring", "60 N/mm"),
    ("bar", "front", "U bar", "900 N m/rad"),
    ("bump stop", "front", "bump stop", "300 N/mm", "20 mm"),
    ("spring", "rear", "spring", "65 N/mm"),
    ("bump stop", "rear", "bump stop", "300 N/mm", "20 mm"),
)


def car_book(
    path: Path,
    *,
    cases: Iterable[Sequence[object]] = (),
    settings: Iterable[Sequence[object]] = (),
    springs: Iterable[Sequence[object]] = SPRINGS,
    points: Mapping[str, Mapping[str, Point]] | None = None,
    others: Mapping[str, Iterable[Sequence[object]]] | None = None,
    unit: str = "mm",
) -> Path:
    """Write a car. cases: rows of Load cases with their heads; settings: rows that replace those of their names."""
    changed = {row[0]: row for row in settings}
    known = {row[0] for row in SETTINGS}
    rows = [changed.get(row[0], row) for row in SETTINGS]
    rows += [row for row in changed.values() if row[0] not in known]
    sheets: dict[str, list[Sequence[object]]] = {
        "Suspension": [("setting", "front", "rear"), *rows],
        "Hardpoints": [("axle", "point", "x", "y", "z"), ("units", None, unit, unit, unit)],
        "Suspension springs": list(springs),
        "Load cases": list(cases),
        **{name: list(each) for name, each in (others or {}).items()},
    }
    for axle, placed in (points or {"front": FRONT, "rear": REAR}).items():
        sheets["Hardpoints"] += [(axle, name, *position) for name, position in placed.items()]
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, each in sheets.items():
        sheet = book.create_sheet(name) if each else None
        for row in each:
            sheet.append(tuple(row))
    book.save(path)
    return path
