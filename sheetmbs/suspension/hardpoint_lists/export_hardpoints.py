"""Hardpoints of a car in a file for another program."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.filled import Cell
from sheetmbs.suspension.hardpoint_lists.exported_car import ExportedCar, exported_car, number_text
from sheetmbs.suspension.hardpoint_lists.read_lists import ADAMS, LOTUS, OPTIMUMK, SHARK
from sheetmbs.suspension.hardpoint_lists.written_optimumk import optimumk_sheets
from sheetmbs.suspension.hardpoint_lists.written_texts import adams_subsystem, lotus_listing, shark_file
from sheetmbs.suspension.layout import program_names
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.workbook.package.replace import SUFFIX, create_file
from sheetmbs.workbook.writing.plain_book import plain_book

AXES = "ISO 8855"
Rows = Sequence[Sequence[Cell]]
ONE_AXLE = {SHARK: "Lotus reads one axle of a file", ADAMS: "Adams reads one axle of a subsystem"}
"""programs whose files are of one axle"""


def export_hardpoints(car: CarData, file: Path, form: str, axle: str = "") -> list[Problem]:
    """Write the hardpoints of a car. form: of `read_lists.FORMS`. axle: one alone, ``""`` all.

    Returns what the other program does not get. Raises WorkbookError where the axle is not there or the file cannot be made.
    """
    known = [each.name for each in car.axles]
    if axle and axle not in known:
        raise refused("unknown-axle", f"--axle {axle}", f"the workbook has {' and '.join(known)}", "name one of these")
    exported = exported_car(car, (axle,) if axle else ())
    create_file(file, _content(exported, form, file))
    if form in ONE_AXLE and len(exported.axles) > 1 and not _is_table(form, file):
        found = f"{file} has both axles"
        mend = "export each with --axle, if it is for that program"
        exported.told.append(Problem("both-axles", "note", "", found, ONE_AXLE[form], mend))
    return exported.told


def _is_table(form: str, file: Path) -> bool:
    """Whether a file of Adams is a table, by its ending."""
    return form == ADAMS and file.suffix.casefold() in (".csv", SUFFIX)


def _content(car: ExportedCar, form: str, file: Path) -> bytes:
    if form == OPTIMUMK:
        return _rows_content(optimumk_sheets(car), file)
    if form == ADAMS and _is_table(form, file):
        return _rows_content({"Hardpoints": _adams_table(car)}, file)
    writers = {LOTUS: lotus_listing, SHARK: shark_file, ADAMS: adams_subsystem}
    if form in writers:
        if file.suffix.casefold() == SUFFIX:
            rule, mend = f"the form {form} is a text", f"call it {file.stem}{'.sub' if form == ADAMS else '.txt'}"
            raise refused("wrong-extension", f"{file.name} ends in {SUFFIX}", rule, mend)
        return writers[form](car).encode()
    return _rows_content({"Hardpoints": _table(car)}, file)


def _rows_content(sheets: Mapping[str, Rows], file: Path) -> bytes:
    """A workbook, or a text in which sheets follow each other, each below its name where there are several."""
    if file.suffix.casefold() == SUFFIX:
        return plain_book(sheets)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t" if file.suffix.casefold() == ".txt" else ",", lineterminator="\n")
    for name, rows in sheets.items():
        if len(sheets) > 1 or name.endswith("Suspension"):
            writer.writerow([name])
        for row in rows:
            writer.writerow([_cell(cell) for cell in row])
    return text.getvalue().encode()


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    return number_text(cell) if isinstance(cell, float) else " ".join(cell.split())


def _table(car: ExportedCar) -> Rows:
    """The rows of a table with the names of this program, its axes in a column."""
    rows: list[list[Cell]] = [["axle", "point", "side", "x [mm]", "y [mm]", "z [mm]", "axes"]]
    for axle in car.axles:
        for name, left in axle.left.items():
            if name in axle.central:
                rows.append([axle.name, name, "centre", *map(float, left), AXES])
                continue
            rows.append([axle.name, name, SIDES[0], *map(float, left), AXES])
            if not axle.is_mirrored(name):
                rows.append([axle.name, name, SIDES[1], *map(float, axle.right[name]), AXES])
    return rows


def _adams_table(car: ExportedCar) -> Rows:
    """The rows of a table with the names of Adams, left and right."""
    rows: list[list[Cell]] = [["axle", "name", "x [mm]", "y [mm]", "z [mm]"]]
    for axle in car.axles:
        for name, known in car.names(axle, program_names.ADAMS, one_side=False).items():
            rows.append([axle.name, f"hpl_{known}", *map(float, axle.left[name])])
            rows.append([axle.name, f"hpr_{known}", *map(float, axle.right[name])])
    return rows
