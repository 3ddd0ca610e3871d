"""Workbooks with the sheets of gait of the exact walker, written as a run would write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl

from sheetmbs.gait.sheets.gait_pages import gait_sheets
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import GaitContents
from sheetmbs.gait.strides.summary_items import summary_items
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.write import write_results
from tests.gait.gait_courses import normal_band, walker_book, walker_trial

QUALITY = (
    Listed("Gaps", ("marker", "from frame", "to frame", "filled"), (("RKNE", 31, 36, "yes"),)),
    Listed("Noise", ("marker", "noise", "advised"), (("RKNE", 0.00093, 7.4),), ("", "m", "Hz")),
)
DOUBT = Problem(
    "cutoff-far",
    "warning",
    "Processing!B9",
    "cutoff: 3 Hz",
    "markers are advised 7.4 Hz, more than twice it",
    "write 7 Hz",
)


def shown(
    *, trials=2, sides=("right", "left"), forces=True, bands=(), duration=4.0, limp=1.0, **given
) -> GaitPresentation:
    """Trials of the walker that differ a little. given: what Processing says."""
    book = walker_book(sides=sides, bands=bands, **given)
    names = [f"walk{k:02}" for k in range(1, trials + 1)] if trials > 1 else [""]
    walked = [
        walker_trial(book, name, scale=1.0 + 0.06 * k, late=0.13 * k, forces=forces, duration=duration, limp=limp)
        for k, name in enumerate(names)
    ]
    return GaitPresentation(book, walked)


def bands(gait: GaitPresentation, *, width=8.0):
    """Normative bands around what the walker does itself."""
    return tuple(
        normal_band(f"{kind}.{quantity}", mean.mean * 0.9 - width * scale, mean.mean * 0.9 + width * scale)
        for kind in ("hip", "knee", "ankle")
        for quantity, scale in (("angle", 1.0), ("moment", 0.02), ("power", 0.04))
        if (mean := gait.means.get((f"right {kind}", quantity)))
    )


def written(path: Path, gait: GaitPresentation, problems=(), quality=QUALITY) -> Path:
    """A workbook with all sheets of gait."""
    book = openpyxl.Workbook()
    book.active.title = "Processing"
    book.save(path)
    return write_again(path, gait, problems, quality)


def write_again(path: Path, gait: GaitPresentation, problems=(), quality=QUALITY) -> Path:
    """All sheets of gait into a workbook that is there."""
    cutoffs = {trial.trial: np.full(4, gait.book.processing.cutoff) for trial in gait.trials}
    contents = GaitContents(summary_items(gait.trials), cutoffs, quality, problems)
    sheets = gait_sheets(gait, contents)
    results = ResultSheets(
        (),
        sheets.tables,
        problems=tuple(problems),
        pages=sheets.pages,
        first=sheets.order,
        printed=frozenset(("mbs Gait report",)),
    )
    return write_results(path, None, results)
