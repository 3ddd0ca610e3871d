"""Rows of the sheet Poses belong to a sweep of the sheet Sweeps, in whichever design it counts."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import POSES, SWEEPS
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, text_of


def stray_poses(sheets: Mapping[str, CellSheet]) -> list[Problem]:
    """What is wrong with the names of sweeps on Poses. sheets: of the workbook, by the names of their schemas."""
    unheard, report = ProblemList(()), ProblemList(sheets)
    if POSES.name not in sheets:
        return []
    poses = InputTable(POSES, sheets[POSES.name], unheard, "3D")
    sweeps = InputTable(SWEEPS, sheets[SWEEPS.name], unheard, "3D").records() if SWEEPS.name in sheets else []
    posed = [row.raw_text("name") for row in sweeps if fold(row.raw_text("type")) == "poses"]
    known = {fold(name) for name in posed}
    for record in poses.records() if "sweep" in poses.fields else ():
        cell, place = record.cell("sweep"), record.place("sweep")
        if not record.is_active:
            continue
        if cell is None:
            mend = "write the name of its sweep, or clear the row"
            report.error("missing-value", place, "sweep is blank", "a pose belongs to a sweep", mend)
            continue
        text = text_of(cell, "sweep", place, report)
        if text and fold(text) not in known:
            rule = "there is no sweep of type poses with this name on the sheet Sweeps"
            mend = report.did_you_mean(text, posed, "add it there, or clear the row")
            report.error("unknown-sweep", place, f"sweep: {quoted(text)}", rule, mend)
    return report.problems()
