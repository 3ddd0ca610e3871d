"""Rows of the sheet Trials: what import writes, beside use and condition, which are the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetmbs.gait.importing.book_import import STATIC, NamedTrial
from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.importing.stride_counts import TrialStrides
from sheetmbs.gait.importing.trial_travel import rests_on_a_foot, travel
from sheetmbs.schema.gait_trials import TRIALS, TrialUse
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.sheets.newsheet import list_sheet
from sheetmbs.workbook.writing.add_inputs import add_inputs, fill_cells

DIGITS = 4


def write_session(
    book: Path, trials: Sequence[NamedTrial], strides: Mapping[str, TrialStrides], files: Mapping[str, Sequence[Path]]
) -> None:
    """Add or renew a row of Trials for each trial. strides: by folded name. files: by the stem of a trial."""
    rows = [_row(each, strides.get(fold(each.name)), files) for each in trials]
    page = open_book(book).find_sheet(TRIALS.name)
    headers = [column.name for column in TRIALS.columns]
    if page is None or not page.rows:
        content = [[row.get(header) for header in headers] for row in rows]
        units = ["m/s" if header == "speed" else "" for header in headers]
        add_inputs(book, [list_sheet(TRIALS.name, headers, units, content)], {}, lambda _path: None)
        return
    sheet = PageRows(page)
    for row in rows:
        at = sheet.row_of(str(row["trial"]), "trial")
        is_new = at is None
        at = sheet.add() if at is None else at
        for header, value in row.items():
            if is_new or header != "use":
                sheet.write(at, header, value)
    fill_cells(book, {page.name: sheet.filling}, lambda _path: None)


def _row(
    trial: NamedTrial, strides: TrialStrides | None, files: Mapping[str, Sequence[Path]]
) -> dict[str, str | float]:
    direction, speed = travel(trial.timed)
    row: dict[str, str | float] = {
        "trial": trial.name,
        "file": "; ".join(path.name for path in files.get(trial.stem, ())),
        "use": TrialUse.ALL if fold(trial.name) == STATIC or not rests_on_a_foot(trial.timed) else TrialUse.NO,
    }
    if strides is not None:
        row["sides"] = strides.sides
        has_any = strides.left or strides.right
        row["strides"] = f"left {strides.left}, right {strides.right}" if has_any else strides.why
    if strides is not None or fold(trial.name) != STATIC:
        row["direction"] = direction
        if speed is not None:
            row["speed"] = float(f"{speed:.{DIGITS}g}")
    return row
