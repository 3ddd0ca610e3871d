"""Workbooks of the exact walker with planted faults, and what is found in them."""

from __future__ import annotations

import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_plates import plate_sheets
from tests.support.gait_books import Recording, gait_book, walker_sheets
from tests.support.opened import checked as check_gait

USUAL = {"cutoff": 6, "force_cutoff": "same"}
NOISY = Recording(noise=0.001, settings=USUAL)


def problems_in(folder, change=None, how=NOISY, *, plates=False):
    """All problems of a workbook of the walker after a change of its sheets: those of check, which are those of run."""
    sheets = walker_sheets(how)
    if plates:
        sheets |= plate_sheets(how)
    if change:
        change(sheets)
    path = gait_book(folder / "walk.xlsx", sheets)
    try:
        _, problems = check_gait(path)
    except WorkbookError as error:
        problems = error.problems
        with pytest.raises(WorkbookError) as stopped:
            run_gait(path)
        assert stopped.value.exit_status == 2
        assert stopped.value.problems == problems
    return list(problems)


def only(problems, code, severity="error"):
    """The problem of this code, where it is the only one."""
    assert [(each.severity, each.code) for each in problems] == [(severity, code)], "\n".join(map(str, problems))
    return problems[0]


def columns_of(sheets, sheet, name):
    return [k for k, cell in enumerate(sheets[sheet][0]) if str(cell).rpartition(".")[0] == name]


def settle(sheets, sheet, setting, *values):
    sheets[sheet] = [row for row in sheets[sheet] if row[0] != setting] + [(setting, *values)]


def by_pressure(sheets, factor=1.0, torque=0.0):
    """Forces with centres of pressure in place of moments."""
    rows = []
    for time, *rest in sheets["Force plates"][2:]:
        row = [time]
        for fx, fy, _fz, mx, _my, mz in (rest[:6], rest[6:]):
            row += [fx, fy, *([None] * 3 if fy < 5.0 else (factor * mz / fy, -factor * mx / fy, torque * fy))]
        rows.append(row)
    names = ("fx", "fy", "px", "pz", "tz")
    header = ["time", *(f"{side}.{name}" for side in ("right", "left") for name in names)]
    sheets["Force plates"] = [header, ["s", *(["N", "N", "m", "m", "N*m"] * 2)], *rows]
