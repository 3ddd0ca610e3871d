"""A suspension workbook as an ordinary one, written into a file of its own."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.filled import NewBook
from sheetmbs.suspension.ordinary_sheets import ordinary_sheets, swept_cases
from sheetmbs.suspension.reading.uncounted_compliance import rigid_members
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.new_workbook import laid_out

PURPOSE = "A suspension written out as an ordinary model: every generated row, and every sweep as a case."


def write_out(path: str | PathLike[str], out: Path) -> tuple[Problem, ...]:
    """Write what a suspension workbook stands for into a new one. Returns warnings. Raises WorkbookError."""
    design = run_suspension(path).base
    stem = Path(path).stem
    title = f"{stem}, written out"
    cases = swept_cases(design)
    readme = (
        "Cases",
        tuple(f"sheetmbs run {out.name} --case '{name}': one row of the sweep a second" for name in cases),
    )
    create_book(out, laid_out(NewBook(title, PURPOSE, (readme,), ordinary_sheets(design, title))), stem)
    return tuple(rigid_members(design.car, "in the workbook that is made"))
