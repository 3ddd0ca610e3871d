"""Small workbooks of readings, and what they may be compared with: two sweeps and a run over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import xlsxwriter

from sheetmbs.measured.known_columns import KnownCase, KnownSheet
from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.read_measurements import read_measurements
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.cells.cells import open_book

Value = str | float | None
Sheets = Mapping[str, Sequence[Sequence[Value]]]
UNITS = {"travel": "mm", "FL.toe": "deg", "FL.camber": "deg", "FL.wheel_y": "mm", "front.roll_centre_height": "mm"}
SWEEPS = [
    KnownCase("heave", (KnownSheet("mbs Sweep heave", UNITS, ("travel",)),)),
    KnownCase("roll", (KnownSheet("mbs Sweep roll", {"roll": "deg", "FL.toe": "deg"}, ("roll",)),)),
    KnownCase("corner", (KnownSheet("mbs Loads", {"FL.tie rod": "N"}, ("FL.tie rod",), is_one_row=True),)),
]
RUN = [
    KnownCase(
        "",
        (
            KnownSheet("mbs Bodies", {"time": "s", "crank.phi": "rad", "slider.x": "m"}, ("time",)),
            KnownSheet("mbs Drivers", {"time": "s", "motor.moment": "N*m"}, ("time",)),
        ),
    )
]


def save(path: Path, sheets: Sheets) -> Path:
    """A workbook with these sheets alone."""
    book = xlsxwriter.Workbook(path)
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    book.close()
    return path


def read(path: Path, sheets: Sheets, known: Sequence[KnownCase] = SWEEPS) -> tuple[Measurement, ...]:
    """The measurements of a workbook with these sheets."""
    return read_measurements(open_book(save(path, sheets)), known).measurements


def mistakes(path: Path, sheets: Sheets, known: Sequence[KnownCase] = SWEEPS) -> dict[str, Problem]:
    """What is wrong in a workbook with these sheets, by cell."""
    try:
        found = read_measurements(open_book(save(path, sheets)), known).warnings
    except WorkbookError as error:
        found = tuple(error.problems)
    return {each.cell: each for each in found}
