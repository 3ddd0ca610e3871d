"""Curves of dampers from files of a dynamometer: speed and force, onto the sheet Curves of a workbook."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sheetmbs.importing.lines import read_text, refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema import units as u
from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.validate import ValueFault, is_unit, split_header, split_parentheses, unit_of
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.workbook.cells.cells import CellKind, CellSheet, open_book
from sheetmbs.workbook.sheets.newsheet import list_sheet
from sheetmbs.workbook.writing.add_inputs import Filling, add_sheets, fill_cells

SPEED, FORCE = "speed", "force"
WORDS = {
    SPEED: ("speed", "velocity", "vel", "v", "damper speed", "damper velocity", "piston velocity", "shaft velocity"),
    FORCE: ("force", "load", "f", "damping force", "damper force"),
}
DIMENSIONS = {SPEED: u.VELOCITY, FORCE: u.FORCE}
UNDERSCORED = re.compile(r"(.+?)[_ ]+([A-Za-z][A-Za-z/*^0-9]*)")
"""a header such as ``speed_mm/s``"""
SIGNIFICANT = 12
"""digits of a number that is written"""


@dataclass(frozen=True)
class DamperCurve:
    """Points of a damper in the units of its file, by increasing speed. units: of speed and force."""

    name: str
    units: tuple[str, str]
    points: tuple[tuple[float, float], ...]
    is_turned: bool
    """whether its forces had the sign of what the damper does to its rod: they were below 0 in compression"""


def import_damper(source: Path, book: Path, name: str = "") -> tuple[DamperCurve, list[Problem]]:
    """Add the curve of a file to the sheet Curves of a workbook. name: of the curve, else that of the file.

    Returns the curve, and what is to be said of it. Raises WorkbookError with every mistake, each with its line; the workbook
    is as it was then.
    """
    curve = read_damper_curve(source, name)
    if not book.exists():
        mend = "name the workbook of the car, or make one with sheetmbs new"
        raise refused("file-missing", f"there is no workbook {book}", "the curve goes onto its sheet Curves", mend)
    sheets = folded_sheets(open_book(book).sheets, [CURVES.name])
    header = (f"{curve.name}.x [{curve.units[0]}]", f"{curve.name}.y [{curve.units[1]}]")
    if CURVES.name not in sheets:
        new = list_sheet(CURVES.name, header, (), curve.points)
        add_sheets(book, None, [new], lambda written: _check(written, CURVES.name, {}))
    else:
        filling = _filling(sheets[CURVES.name], curve, header)
        sheet = sheets[CURVES.name].name
        fill_cells(book, {sheet: filling}, lambda written: _check(written, sheet, filling))
    return curve, list(_warnings(curve, source))


def read_damper_curve(source: Path, name: str = "") -> DamperCurve:
    """The curve of a file. Raises WorkbookError with every mistake, each with its line."""
    rows = _rows(source)
    if not rows:
        raise refused("file-empty", f"{source} is empty", "it has columns of speed and force", "take a complete copy")
    columns, units = _header(rows, source)
    points: list[tuple[float, float, int]] = []
    problems: list[Problem] = []
    for line, cells in rows[1:]:
        texts = [cells[at] if at < len(cells) else "" for at in columns]
        if not any(texts) or (not points and not problems and _are_units(texts)):
            continue
        try:
            speed, force = (_number(text) for text in texts)
        except ValueError:
            found = f"{source.name}, line {line}: {', '.join(texts)}"
            problems.append(Problem("not-a-number", "error", "", found, "speed and force are numbers", "correct it"))
            continue
        points.append((speed, force, line))
    points.sort(key=lambda point: point[0])
    for (speed, force, line), (other, further, later) in pairwise(points):
        if other == speed and further != force:
            found = f"{source.name}: at the speed {speed:g} lines {line} and {later} have the forces {force:g} and {further:g}"
            rule, mend = "a curve has one force at each speed", "take the mean, or one of both"
            problems.append(Problem("two-values", "error", "", found, rule, mend))
    if problems:
        raise WorkbookError(problems)
    known = list({speed: force for speed, force, _line in points}.items())
    if len(known) < 2:
        rule, mend = "a curve has two points or more", "take a complete copy"
        raise refused("too-few-rows", f"{source} has {len(known)} points", rule, mend)
    power = sum(speed * force for speed, force in known)
    turned = tuple((speed, -force if power < 0.0 else force) for speed, force in known)
    return DamperCurve(_name(source, name), units, turned, power < 0.0)


def _rows(source: Path) -> list[tuple[int, list[str]]]:
    """Cells of the lines with their numbers, split at the separator that the first line has."""
    lines = [(number, text) for number, text in enumerate(read_text(source, "a curve").splitlines(), start=1)]
    lines = [(number, text) for number, text in lines if text.strip() and not text.lstrip().startswith(("#", "!"))]
    delimiter = next((each for each in (";", "\t", ",") if lines and each in lines[0][1]), ",")
    return [
        (number, [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter))]) for number, text in lines
    ]


def _number(text: str) -> float:
    """A number, with a point or a comma."""
    return float(text.replace(",", "."))


def _are_units(texts: Sequence[str]) -> bool:
    """Whether a row below the header holds its units."""
    try:
        return all(unit_of(text, (DIMENSIONS[of],)) is not None for of, text in zip(DIMENSIONS, texts, strict=True))
    except ValueFault:
        return False


def _header(rows: Sequence[tuple[int, Sequence[str]]], source: Path) -> tuple[list[int], tuple[str, str]]:
    """Which columns are speed and force, and their units: in the header, or in the row below it."""
    line, cells = rows[0]
    found: dict[str, tuple[int, str]] = {}
    for at, cell in enumerate(cells):
        name, unit = _parted(cell)
        of = next((each for each, words in WORDS.items() if fold(name) in words), "")
        if of and of not in found:
            found[of] = at, unit
    below = rows[1][1] if len(rows) > 1 else ()
    units = []
    for of, words in WORDS.items():
        if of not in found:
            rule = f"the first line names the columns, one of them {' or '.join(words[:2])}"
            mend = "write a header such as speed [mm/s], force [N]"
            raise refused("missing-column", f"{source.name}, line {line}: {', '.join(cells)}", rule, mend)
        at, unit = found[of]
        unit = unit or (below[at] if at < len(below) else "")
        try:
            known = unit_of(unit, (DIMENSIONS[of],))
        except ValueFault as fault:
            if found[of][1]:
                raise refused(
                    fault.code, f"{source.name}, line {line}: {of} in {unit}", fault.problem, fault.mend
                ) from None
            known = None
        if known is None:
            mend = f"write it behind the name: {of} [{'mm/s' if of == SPEED else 'N'}]"
            raise refused("missing-unit", f"{source.name}, line {line}: {cells[at]}", f"{of} has a unit", mend)
        units.append(unit)
    return [found[of][0] for of in WORDS], (units[0], units[1])


def _parted(cell: str) -> tuple[str, str]:
    """Name and unit of a header, ``""`` where it has none: ``speed [mm/s]``, ``speed (mm/s)``, ``speed_mm/s``."""
    name, unit = split_header(cell)
    if unit is not None:
        return name, unit
    in_parentheses = split_parentheses(cell)
    if in_parentheses is not None:
        return in_parentheses
    match = UNDERSCORED.fullmatch(cell)
    if match and is_unit(match[2]):
        return match[1], match[2]
    return cell, ""


def _name(source: Path, name: str) -> str:
    """The name of the curve. Raises WorkbookError where it cannot be one."""
    own = name or re.sub(r"[.\s]+", " ", source.stem).strip()
    fault = name_fault(own)
    if fault is not None:
        raise refused(fault[0], f"the name '{own}'", fault[1], fault[2])
    return own


def _filling(cells: CellSheet, curve: DamperCurve, header: tuple[str, str]) -> dict[tuple[int, int], str | float]:
    """What goes into which cell, right of all that is there. Raises WorkbookError where a curve has this name already."""
    heads = {fold(split_header(str(cell.value))[0].rpartition(".")[0]) for cell in cells.rows.get(1, {}).values()}
    if fold(curve.name) in heads:
        rule = f"the sheet {cells.name} has a curve of this name already"
        raise refused("duplicate-name", f"'{curve.name}'", rule, "give the new one another name: --name")
    first = max((column for row in cells.rows.values() for column in row), default=0) + 1
    has_units = any(cell.kind is CellKind.TEXT for cell in cells.rows.get(2, {}).values())
    filling: dict[tuple[int, int], str | float] = {(1, first + k): text for k, text in enumerate(header)}
    for row, point in enumerate(curve.points, start=3 if has_units else 2):
        filling |= {(row, first + k): float(f"{value:.{SIGNIFICANT}g}") for k, value in enumerate(point)}
    return filling


def _check(written: Path, sheet: str, filling: Filling) -> None:
    """Read a workbook back: every cell holds what was put into it. Raises WorkbookError."""
    rows = open_book(written).sheets[sheet].rows
    for (row, column), content in filling.items():
        cell = rows.cell(row, column)
        if cell is None or cell.value != content:
            rule, mend = "the workbook is as it was", "save it from your spreadsheet program, and try again"
            raise refused("not-written", f"{sheet} could not be filled in", rule, mend)


def _warnings(curve: DamperCurve, source: Path) -> list[Problem]:
    found = []
    if curve.is_turned:
        rule = "a damper resists: its force is + in compression, as its speed is"
        mend = "their sign is turned; look whether + is compression in the file"
        found.append(
            Problem("turned-sign", "warning", "", f"the forces of {source.name} are against their speeds", rule, mend)
        )
    speeds = [speed for speed, _force in curve.points]
    if min(speeds) >= 0.0 or max(speeds) <= 0.0:
        missing = "rebound" if min(speeds) >= 0.0 else "compression"
        rule = "a curve goes through both directions, + in compression; beyond its ends it goes on straight"
        mend = f"add rows of {missing} with speeds {'below' if missing == 'rebound' else 'above'} 0"
        found.append(Problem("one-direction", "warning", "", f"{source.name} has no {missing}", rule, mend))
    return found
