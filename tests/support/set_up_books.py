"""The template of a formula student car with other rows: its base design alone, for set-up sheets and dampers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import openpyxl

from tests.support.books import save_rows

FORMULA_STUDENT = Path(__file__).parents[2] / "templates" / "suspension-formula-student.xlsx"
FLOORS = (
    {"axle": "front", "point": "floor front", "x": 0, "y": 0, "z": 40, "side": "centre", "on": "chassis"},
    {"axle": "rear", "point": "floor rear", "x": -1545, "y": 0, "z": 45, "side": "centre", "on": "chassis"},
)
HELP = ("README", "Lists")
ADJUSTMENT = ("axle", "item", "change", "at", "by", "side", "design")


def formula_student(
    path: Path,
    *adjustments: Sequence[object],
    settings: Iterable[Sequence[object]] = (),
    points: Iterable[Mapping[str, object]] = (),
    springs: Mapping[str, Mapping[str, object]] | None = None,
    without: Sequence[str] = (),
    curves: Iterable[Sequence[object]] = (),
    sheets: Mapping[str, Iterable[Sequence[object]]] | None = None,
) -> Path:
    """Write the workbook. springs: cells of rows of Suspension springs by their names; without: rows that go."""
    book = {name: [list(row) for row in rows] for name, rows in _template().items()}
    _keep_base(book, without)
    further = dict(sheets or {})
    if adjustments:
        further["Adjustments"] = [ADJUSTMENT, *adjustments]
    if curves:
        further["Curves"] = curves
    for name in {"Designs", "Adjustments", "Targets", "Curves", *further} & set(book):
        del book[name]
    _set(book["Suspension"], settings)
    for cells in points:
        book["Hardpoints"].append([cells.get(head) for head in book["Hardpoints"][0]])
    rows = book["Suspension springs"]
    for name, cells in (springs or {}).items():
        row = next(row for row in rows[2:] if row[0] == name)
        row[:] = [cells.get(head, value) for head, value in zip(rows[0], row, strict=True)]
    return save_rows(path, {**book, **further})


@cache
def _template() -> dict[str, list[tuple[object, ...]]]:
    """The values of each sheet that a run reads; openpyxl takes eight times as long to write them with their looks."""
    book = openpyxl.load_workbook(FORMULA_STUDENT, read_only=True)
    found = {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book if sheet.title not in HELP}
    book.close()
    return found


def _keep_base(book: dict[str, list[list[object]]], without: Sequence[str]) -> None:
    """Take rows of design B away, and springs of some names."""
    for name, rows in book.items():
        design = rows[0].index("design") if "design" in rows[0] else None
        rows[1:] = [
            row
            for row in rows[1:]
            if not (name == "Suspension springs" and row[0] in without) and (design is None or row[design] != "B")
        ]


def _set(rows: list[list[object]], settings: Iterable[Sequence[object]]) -> None:
    for name, *values in settings:
        found = next((row for row in rows[1:] if row[0] == name), None)
        if found is None:
            rows.append([name, *values])
        else:
            found[1 : 1 + len(values)] = values
