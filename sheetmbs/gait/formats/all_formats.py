"""All formats, one line each, and which of them a sheet or file is: its first cells decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sheetmbs.gait.formats.own_columns import read_own
from sheetmbs.gait.formats.sampled_cells import text_at
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.reading.table_headers import is_sheet_empty


@dataclass(frozen=True)
class LabFormat:
    """A format. name: for people. starts: what cell A1 holds, for people. is_it: whether a sheet or file is one.

    read: what it holds; slips are reported at their cells.
    """

    name: str
    starts: str
    is_it: Callable[[CellSheet], bool]
    read: Callable[[CellSheet, ProblemList], Recorded]


def _has_own_header(cells: CellSheet) -> bool:
    """Whether a header of row 1 is time or frame, with a unit or without."""
    for column in cells.rows.get(1, {}):
        text = text_at(cells, 1, column)
        name, _unit = split_parentheses(text) or split_header(text)
        if fold(name) in ("time", "frame"):
            return True
    return False


FORMATS: tuple[LabFormat, ...] = (LabFormat("columns of our own", "time or frame", _has_own_header, read_own),)


def format_of(cells: CellSheet) -> LabFormat | None:
    """The format that a sheet or file has, by its first cells; None where it has none that is known."""
    return next((each for each in FORMATS if each.is_it(cells)), None)


def read(cells: CellSheet, report: ProblemList) -> Recorded:
    """What a sheet or file holds, in any format. Nothing, where it is empty or cannot be read, which is reported."""
    if is_sheet_empty(cells):
        return Recorded()
    known = format_of(cells)
    if known is None:
        first = text_at(cells, 1, 1)
        starts = ", ".join(each.starts for each in FORMATS)
        report.error(
            "unknown-format",
            Place(cells.name, 1, 1),
            quoted(first) if first else "a blank cell",
            f"cell A1 tells what this is; it is one of: {starts}",
            "paste the whole export, its first line in A1, or write time there over the times",
        )
        return Recorded()
    return known.read(cells, report)
