"""Files for other programs from a suspension workbook: hardpoints of a design, and the curves of a sweep."""

from __future__ import annotations

import csv
import io
from math import isfinite
from pathlib import Path

from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.suspension.hardpoint_lists.export_hardpoints import export_hardpoints
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sheets.drawn_lines import SWEEP_SHEET
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.package.replace import create_file

USUAL_SWEEP = "heave"


def export_points(book: Path, file: Path, form: str, axle: str = "", design: str = "") -> tuple[str, list[Problem]]:
    """Write the hardpoints of a design. form: of `read_lists.FORMS`; axle, design: ``""`` all, the first.

    Returns the design that was written, and what the other program does not get. Raises WorkbookError.
    """
    designs = {fold(each.design.shown): each for each in read_suspension(open_book(book)).designs}
    chosen = next(iter(designs.values())) if not design else designs.get(fold(design))
    if chosen is None:
        names = [each.design.shown for each in designs.values()]
        mend = did_you_mean(design, names, "name one of these")
        raise refused("unknown-design", f"--design {design}", f"{book} has {', '.join(names)}", mend)
    return chosen.design.shown, export_hardpoints(chosen.car, file, form, axle)


def export_curves(book: Path, file: Path, sweep: str = "") -> str:
    """Write the columns of a sweep as CSV, headed ``column [unit]``. sweep: ``""`` heave, or the first one.

    Returns its name. Raises WorkbookError.
    """
    results = run_suspension(book)
    names = [each.name.removeprefix(SWEEP_SHEET) for each in results.sheets.tables if each.name.startswith(SWEEP_SHEET)]
    usual = next((name for name in names if fold(name) == USUAL_SWEEP), names[0])
    chosen = next((name for name in names if fold(name) == fold(sweep)), "") if sweep else usual
    if not chosen:
        mend = did_you_mean(sweep, names, "name one of these")
        raise refused("unknown-sweep", f"--sweep {sweep}", f"{book} has the sweeps {', '.join(names)}", mend)
    table = results.table(chosen)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = zip(table.columns, table.units, strict=True)
    writer.writerow([f"{name} [{unit}]" if unit else name for name, unit in heads])
    for number, row in enumerate(table.values.tolist()):
        cells = [repr(value) if isfinite(value) else "" for value in row]
        for at, column in table.texts.items():
            cells[at] = column.texts[number]
        writer.writerow(cells)
    create_file(file, text.getvalue().encode())
    return chosen
