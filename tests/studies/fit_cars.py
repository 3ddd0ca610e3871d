"""Suspensions whose measured columns are planted: computed by the product from a car that differs from the workbook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import openpyxl

from sheetmbs.suspension.study_variants import SuspensionVariants
from sheetmbs.workbook.cells.cells import open_book
from tests.support.opened import sheet_values

TEMPLATES = Path(__file__).parents[2] / "templates"
POINTS = (
    *("lower arm front", "lower arm rear", "lower ball joint", "upper arm front", "upper arm rear"),
    *("upper ball joint", "tie rod inner", "tie rod outer"),
)
COLUMNS = ("FL.camber", "FL.toe", "FL.wheel_x", "FL.wheel_y", "FL.caster")
STEER = ("FL.steer", "FL.camber", "FL.wheel_x", "FL.wheel_y", "FL.wheel_z")
AXES = "xyz"


def coordinates(path: Path, points: Sequence[str] = POINTS, axle: str = "front") -> list[tuple[str, str, float]]:
    """Name, cell and value of the coordinates of some points, in mm."""
    rows = sheet_values(path, "Hardpoints")
    found = []
    seen = set()
    for number, row in enumerate(rows, 1):
        if row[0] == axle and row[1] in points and row[1] not in seen:
            seen.add(row[1])
            found += [
                (f"{row[1]}.{a}", f"Hardpoints!{'CDE'[k]}{number}", float(row[2 + k])) for k, a in enumerate(AXES)
            ]
    return found


def computed(path: Path, cases: dict[str, Sequence[str]], changes: dict[str, float]) -> dict[str, np.ndarray]:
    """(n, 1 + columns) of each case with changed cells: x first."""
    book = SuspensionVariants(open_book(path))
    tables = book.as_it_is()
    first = {case: next(iter(tables[case].tables.values())).columns[0] for case in cases}
    book.prepare({case: {f"mbs Sweep {case}": (first[case], *names)} for case, names in cases.items()})
    changed = {(cell.partition("!")[0], cell.partition("!")[2]): value for cell, value in changes.items()}
    found = book.solve(changed)
    made = {}
    for case, names in cases.items():
        assert found[case].problem is None, found[case].problem
        table = next(iter(found[case].tables.values()))
        made[case] = np.column_stack([table.values[:, table.columns.index(name)] for name in (first[case], *names)])
    return made


def sd_of(column: str) -> float:
    """Standard deviation of a reading: .05 mm, .01 deg."""
    return 0.05 if "wheel_" in column else 0.01


def planted(
    source: Path,
    path: Path,
    cases: dict[str, Sequence[str]],
    variables: Sequence[tuple[str, str, float]],
    truth: np.ndarray,
    *,
    noise: int | None = None,
    sd: float = 1.0,
    settings: dict[str, object] | None = None,
) -> Path:
    """A copy of a workbook with readings of a car whose cells hold the truth, and a fit of these cells. noise: a seed."""
    readings = computed(source, cases, {cell: value for (_n, cell, _v), value in zip(variables, truth, strict=True)})
    book = openpyxl.load_workbook(source)
    random = np.random.default_rng(noise)
    rows = book.create_sheet("Measurements")
    rows.append(["name", "of", "sheet", "column", "sweep", "sd"])
    for case, names in cases.items():
        sheet = book.create_sheet(f"Measured {case}")
        table = readings[case]
        sheet.append(["x", *names])
        sheet.append(["mm", *("mm" if "wheel_" in name else "deg" for name in names)])
        errors = np.array([0.0, *map(sd_of, names)]) * (0.0 if noise is None else 1.0)
        for row in table + errors * random.standard_normal(table.shape):
            sheet.append([float(each) for each in row])
        for name in names:
            rows.append([f"{case} {name}", name, sheet.title, name, case, sd_of(name)])
    rows.insert_cols(6)
    for number, cell in enumerate(rows["F"], 1):
        cell.value = "x" if number > 1 else "over_column"
    units = ["units", None, None, None, None, None, None]
    rows.insert_rows(2)
    for place, value in enumerate(units, 1):
        rows.cell(2, place).value = value
    for name, table in (
        ("Variables", [["name", "cell", "sd"], *([name, cell, sd] for name, cell, _value in variables)]),
        ("Study", [["setting", "value"], ["method", "fit"], *([k, v] for k, v in (settings or {}).items())]),
    ):
        if name in book:
            del book[name]
        sheet = book.create_sheet(name)
        for row in table:
            sheet.append(row)
    book.save(path)
    return path
