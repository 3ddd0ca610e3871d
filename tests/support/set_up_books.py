"""The template of a formula student car with other rows: its base design alone, for set-up sheets and dampers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import openpyxl

FORMULA_STUDENT = Path(__file__).parents[2] / "templates" / "suspension-formula-student.xlsx"
FLOORS = (
    {"axle": "front", "point": "floor front", "x": 0, "y": 0, "z": 40, "side": "centre", "on": "chassis"},
    {"axle": "rear", "point": "floor rear", "x": -1545, "y": 0, "z": 45, "side": "centre", "on": "chassis"},
)
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
    book = openpyxl.load_workbook(FORMULA_STUDENT)
    _keep_base(book, without)
    further = dict(sheets or {})
    if adjustments:
        further["Adjustments"] = [ADJUSTMENT, *adjustments]
    if curves:
        further["Curves"] = curves
    for name in {"Designs", "Adjustments", "Targets", "Curves", *further} & set(book.sheetnames):
        del book[name]
    _set(book["Suspension"], settings)
    for row in points:
        _fill(book["Hardpoints"], book["Hardpoints"].max_row + 1, row)
    sheet = book["Suspension springs"]
    for name, cells in (springs or {}).items():
        _fill(sheet, next(row for row in range(3, sheet.max_row + 1) if sheet.cell(row, 1).value == name), cells)
    for name, rows in further.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(tuple(row))
    book.save(path)
    return path


def _keep_base(book: openpyxl.Workbook, without: Sequence[str]) -> None:
    """Take rows of design B away, and springs of some names."""
    for sheet in book:
        heads = [cell.value for cell in sheet[1]]
        for row in range(sheet.max_row, 1, -1):
            is_gone = sheet.title == "Suspension springs" and sheet.cell(row, 1).value in without
            if is_gone or ("design" in heads and sheet.cell(row, heads.index("design") + 1).value == "B"):
                sheet.delete_rows(row)


def _fill(sheet, row: int, cells: Mapping[str, object]) -> None:
    heads = [cell.value for cell in sheet[1]]
    for column, value in cells.items():
        sheet.cell(row, heads.index(column) + 1).value = value


def _set(sheet, settings: Iterable[Sequence[object]]) -> None:
    for name, *values in settings:
        found = [row for row in range(2, sheet.max_row + 1) if sheet.cell(row, 1).value == name]
        if found:
            for at, value in enumerate(values, start=2):
                sheet.cell(found[0], at).value = value
        else:
            sheet.append((name, *values))
