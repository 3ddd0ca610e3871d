"""Warnings of contents that look like input but are not read, and of contents that are read but do not look like it."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import NO
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, headers, is_empty
from sheetmbs.workbook.reading.input_table import is_comment
from sheetmbs.workbook.reading.record import cell_as_text
from sheetmbs.workbook.reading.table_headers import first_column

COPY = re.compile(
    r"(?:copy of |kopie von )?(.+?)(?: ?\([0-9]+\)| [0-9]+|[0-9]+| copy(?: [0-9]+)?| kopie| old| backup| bak)?",
    re.DOTALL,
)
"""a folded name that programs and people give to a copy"""
FOREIGN_SHEET_NAMES = {
    "Bodies": ("links", "parts", "rigid bodies", "segments", "subject", "members"),
    "Points": ("hardpoints", "hard points", "nodes", "joint centres", "joint centers"),
    "Joints": ("constraints", "connections", "connectors", "gait joints"),
    "Drivers": ("actuators", "motors", "motions", "motion"),
    "Guiding": ("markers", "trajectories", "marker trajectories", "mocap", "motion capture"),
    "ForceSeries": ("force plates", "force plate", "plates", "grf", "ground reaction forces"),
    "Forces": ("loads", "applied forces"),
    "Springs": ("dampers", "bushings", "spring dampers"),
    "Settings": ("options", "processing"),
    "Charts": ("graphs", "plots", "diagrams"),
}
"""names, folded, of sheets that other programs and other people have for what stands on ours"""
SHEET_BY_FOREIGN_NAME = {name: sheet for sheet, names in FOREIGN_SHEET_NAMES.items() for name in names}
MAX_NAMED_RANGES = 4


def copied_sheet(name: str) -> str | None:
    """The sheet of the format of which one seems to be a copy, by its name; None where it does not."""
    match = COPY.fullmatch(fold(name))
    schema = SHEETS_BY_FOLD.get(match[1]) if match and match[1] != fold(name) else None
    return schema.name if schema else None


def warn_of_ignored_content(name: str, present: Collection[str], report: ProblemList) -> None:
    """A note about a sheet that nobody reads although its name looks like input. present: input sheets that are there."""
    of = copied_sheet(name)
    found = f"the sheet {quoted(name)}"
    if of in present:
        _note(
            report,
            "unread-sheet",
            Place(name),
            found,
            f"it looks like a copy of {of} and is not read: only {of} is",
            "",
        )
        return
    meant = SHEET_BY_FOREIGN_NAME.get(fold(name))
    if meant:
        problem = "there is no input sheet of this name, so it is not read"
        mend = f"what is to count belongs on {meant}: {SHEETS_BY_FOLD[fold(meant)].doc}"
        _note(report, "unread-sheet", Place(name), found, problem, mend)


def warn_of_hidden_rows(cells: CellSheet, report: ProblemList) -> None:
    """A note where rows that count are hidden."""
    hidden = set(cells.hidden_rows)
    if not hidden:
        return
    first = first_column(cells, found := headers(cells, ProblemList(())))
    active = next((header.place.column for header in found if fold(header.name) == "active"), 0)
    filled = hidden & {*map(int, cells.rows.numbers.row_numbers), *cells.rows.others} - {HEADER_ROW}
    counting = [row for row in sorted(filled) if not _is_off(cells, row, first, active)]
    if counting:
        _note(
            report,
            "hidden-rows",
            Place(cells.name, counting[0], first),
            f"hidden, by a filter or by hand: {_ranges(counting)}",
            "hidden rows count like all others",
            "show them; to leave a row out write no in a column active",
        )


def _is_off(cells: CellSheet, row: int, first: int, active: int) -> bool:
    """Whether a row says nothing, is a comment or is switched off."""
    others = cells.rows.others.get(row, {})
    if is_comment(others, first):
        return True
    flag = cells.rows.cell(row, active) if active else None
    if flag is not None and flag.kind is not CellKind.ERROR and fold(cell_as_text(flag)) in (*NO, "false"):
        return True
    return all(is_empty(cell) for cell in others.values()) and not cells.rows.numbers.cells(
        cells.rows.numbers.of_row(row)
    )


def _ranges(rows: list[int]) -> str:
    """``row 5``, or ``rows 5 to 9, 12`` and how many more."""
    breaks = np.flatnonzero(np.diff(rows) > 1) + 1
    parts = [[int(part[0]), int(part[-1])] for part in np.split(np.array(rows), breaks)]
    told = [f"{begin}" if begin == end else f"{begin} to {end}" for begin, end in parts[:MAX_NAMED_RANGES]]
    more = f" and others, {len(rows):,} in all" if len(parts) > MAX_NAMED_RANGES else ""
    return f"{'row' if len(rows) == 1 else 'rows'} {', '.join(told)}{more}"


def _note(report: ProblemList, code: str, place: Place, found: str, problem: str, mend: str) -> None:
    report.add(place, Problem(code, "note", str(place), found, problem, mend))
