"""Whole strides with moments of each trial of a workbook, as a line about a recording tells them."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from sheetmbs.gait.gait_results import prepared_gait
from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.importing.stride_counts import TrialStrides
from sheetmbs.gait.solved_gait import SolvedGait, solve_gait
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.gait_inputs import SUBJECT
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.writing.add_inputs import fill_cells

STATIC = "static"
"""name of the standing trial, which has no strides"""
USUAL_MASS = 70.0
"""kg with which strides are counted as long as no mass is known: their number does not depend on it"""


def trial_strides(path: Path) -> dict[str, TrialStrides]:
    """Count the strides of each trial, by its folded name; what hinders the whole workbook is the reason of every trial."""
    book = open_book(path)
    names = [name.split(" ", 1)[1] for name in book.sheets if fold(name).startswith("markers ")]
    names = [name for name in names if fold(name) != STATIC]
    try:
        solved = solve_gait(prepared_gait(book))
    except WorkbookError as error:
        lacking = {problem.code for problem in error.problems if problem.severity == "error"}
        if lacking == {"missing-setting"}:
            return _with_usual_mass(path, book, names)
        first = next(problem for problem in error.problems if problem.severity == "error")
        why = f"{first.cell}: {first.found}; {first.problem}"
        return {fold(name): TrialStrides(why=why) for name in names}
    return _counted(solved)


def _with_usual_mass(path: Path, book: Book, names: list[str]) -> dict[str, TrialStrides]:
    subject = book.find_sheet(SUBJECT.name)
    nothing = {fold(name): TrialStrides(why="the mass of the subject is not known") for name in names}
    if subject is None:
        return nothing
    page = PageRows(subject)
    row = page.row_of("mass", "setting") or page.add()
    page.write(row, "setting", "mass")
    page.write(row, "value", USUAL_MASS)
    page.write(row, "unit", "kg")
    with TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        try:
            fill_cells(copy, {subject.name: page.filling}, lambda _path: None)
            return _counted(solve_gait(prepared_gait(open_book(copy))))
        except WorkbookError as error:
            problem = next((each for each in error.problems if each.severity == "error"), error.problems[0])
            if problem.code in ("wrong-mass", "mass"):
                return nothing
            why = f"{problem.cell}: {problem.found}; {problem.problem}"
            return {fold(name): TrialStrides(why=why) for name in names}


def _counted(solved: SolvedGait) -> dict[str, TrialStrides]:
    strides = strides_of(solved.courses)
    found = {}
    for number, each in enumerate(solved.trials):
        here = [stride for stride in strides if stride.trial == number]
        whole = {side: sum(stride.is_kinetic and stride.side == side for stride in here) for side in ("left", "right")}
        contacts = [f"{plate} {contact.side}" for contact in each.courses.contacts for plate in contact.plates]
        if not here:
            why = "no two strikes of a foot"
        elif not contacts:
            why = f"{len(here)} strides, and no foot on a plate"
        else:
            why = f"{len(here)} strides, none of them wholly on plates"
        plates = ", ".join(dict.fromkeys(contacts))
        found[fold(each.courses.trial)] = TrialStrides(whole["left"], whole["right"], plates, why, len(here))
    return found
