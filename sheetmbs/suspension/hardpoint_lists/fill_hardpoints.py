"""Points of a list on the sheet Hardpoints of a workbook, in the axes and units that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.filled import FilledSheet, NewBook
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import HARDPOINTS, SUSPENSION
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.hardpoint_lists.actuation_of_list import rods_of, strut_of, told_apart
from sheetmbs.suspension.hardpoint_lists.fill_settings import (
    TYRE_RADIUS,
    NewSetting,
    filled_settings,
    in_words,
    new_rows,
)
from sheetmbs.suspension.hardpoint_lists.list_reading import ListedPoint
from sheetmbs.suspension.hardpoint_lists.placed_point import PlacedPoint
from sheetmbs.suspension.hardpoint_lists.read_lists import ADAMS, PointList, read_list
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.suspension.layout.car import MIRROR, SIDES, Vector
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.layout.types import guessed_type
from sheetmbs.suspension.reading.read_suspension_settings import read_suspension_settings
from sheetmbs.suspension.reading.vehicle_axes import sheet_axes, to_iso
from sheetmbs.workbook.cells.cells import CellKind, CellSheet, address, open_book
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.writing.add_inputs import Filling, fill_cells
from sheetmbs.workbook.writing.new_workbook import laid_out

SAME_PLACE = 1e-7
"""m between a point and its mirror image: lists are rounded to that"""
HEADERS = ("axle", "point", "x", "y", "z", "side")
IN_MM = dict.fromkeys("xyz", "mm")


def import_hardpoints(
    source: Path, book: Path, form: str = "", axle: str = "", unit: str = ""
) -> tuple[list[str], list[Problem]]:
    """Fill the sheets Hardpoints and Suspension of a workbook, or of a new one, with what a file holds.

    Rows that are there already get new values, others are added below; nothing else changes. Returns sentences for people,
    and findings with their lines. Raises WorkbookError where the file or the workbook cannot be used; the workbook is then as
    it was.
    """
    found = read_list(source, form, axle, unit)
    is_new = not book.exists()
    sheets = {} if is_new else folded_sheets(open_book(book).sheets, [SUSPENSION.name, HARDPOINTS.name])
    matrix, is_right = _axes(sheets)
    notes = list(found.notes)
    placed = told_apart(_placed(found, matrix), notes)
    _refuse_twice(placed)
    points = _of_one_side(strut_of(placed, notes) if found.form == ADAMS else placed)
    settings = [NewSetting(each.name, each.axle, each.value) for each in found.settings]
    settings += rods_of(points, found.carriers, notes)
    settings += _types_of(points)
    if is_new:
        create_book(book, laid_out(_new_book(book, points, settings)), source.stem)
        sheets = folded_sheets(open_book(book).sheets, [HARDPOINTS.name])
    if HARDPOINTS.name not in sheets:
        mend = f"add a sheet {HARDPOINTS.name}; it may be empty"
        raise refused("missing-sheet", f"{book} has no sheet {HARDPOINTS.name}", "the points go there", mend)
    sheet = sheets[HARDPOINTS.name]
    fillings = {sheet.name: _filling(sheet, points, matrix, is_right=is_right)}
    written = [each for each in settings if not each.only_if_blank]
    if SUSPENSION.name in sheets:
        filling = filled_settings(sheets[SUSPENSION.name], settings)
        if filling:
            fillings[sheets[SUSPENSION.name].name] = filling
    elif written and not is_new:
        rule = f"{book} has no sheet {SUSPENSION.name}; they are not written"
        notes.append(Problem("missing-sheet", "warning", "", in_words(written), rule, "add the sheet and import again"))
        written = []
    fill_cells(book, fillings, lambda file: _check(file, fillings))
    sentences = [f"{SUSPENSION.name}: {in_words(written)}."] if written else []
    return [*sentences, f"{book}: its sheet {HARDPOINTS.name} has the points of {source}."], notes


def _types_of(points: Sequence[PlacedPoint]) -> list[NewSetting]:
    """The type of each axle by its points, for a workbook that has none of it yet."""
    names: dict[str, set[str]] = {}
    for point in points:
        names.setdefault(point.axle, set()).add(point.name)
    return [NewSetting("type", axle, guessed_type(known), only_if_blank=True) for axle, known in names.items()]


def _check(written: Path, fillings: Mapping[str, Filling]) -> None:
    """Read a workbook back: every cell holds what was put into it. Raises WorkbookError."""
    sheets = open_book(written).sheets
    for sheet, filling in fillings.items():
        for (row, column), content in filling.items():
            cell = sheets[sheet].rows.cell(row, column)
            kind = CellKind.TEXT if isinstance(content, str) else CellKind.NUMBER
            if cell is None or cell.kind is not kind or cell.value != content:
                rule, mend = "the workbook is as it was", "save it from your spreadsheet program, and try again"
                where = address(sheet, row, column)
                raise refused("not-written", f"{sheet} could not be filled in", rule, mend, where)


def _axes(sheets: dict[str, CellSheet]) -> tuple[Vector, bool]:
    """The axes of the workbook's hardpoints as (3, 3) to ISO 8855, and whether they describe the right side."""
    report = ProblemList(())
    table = InputTable(SUSPENSION, sheets.get(SUSPENSION.name), report, "3D")
    settings = read_suspension_settings(table, (), report).values["car"]
    try:
        return sheet_axes(settings), settings["input side"] == "right"
    except ValueError as error:
        raise refused(
            "wrong-axes",
            str(error),
            "points go into the axes of the workbook",
            "correct its axes first",
            SUSPENSION.name,
        ) from None


def _placed(found: PointList, matrix: Vector) -> list[PlacedPoint]:
    """Points in ISO 8855 with their sides. matrix: of the workbook, in whose axes a list without its own is."""
    own = matrix if found.axes is None else to_iso(found.axes, 1.0)
    turned = [(point, own @ point.position) for point in found.points]
    placed = []
    for axle in dict.fromkeys(point.axle for point, _at in turned):
        of_axle = [(point, at) for point, at in turned if point.axle == axle]
        names = [point.standard for point, _at in of_axle if not point.side]
        twice = {name for name in names if names.count(name) > 1}
        outboard = _outboard(of_axle)
        for point, at in of_axle:
            side = point.side
            if not side and point.standard in twice:
                side = SIDES[0] if at[1] * outboard > 0.0 else SIDES[1]
            # a list of the other side, or of an axis that points the other way
            position = at * MIRROR if outboard < 0.0 else at
            placed.append(PlacedPoint(axle, point.standard, side or SIDES[0], position, point.place, point.name))
    return placed


def _outboard(points: Sequence[tuple[ListedPoint, Vector]]) -> float:
    """+1 where left points, or those without a side, stand on the left: by the wheel centre or else by most of them."""
    signs = {"": 1.0, SIDES[0]: 1.0, SIDES[1]: -1.0, "centre": 0.0}
    wheel = [signs[point.side] * at[1] for point, at in points if point.standard == WHEEL_CENTRE]
    across = [signs[point.side] * at[1] for point, at in points]
    for known in (wheel[:1], across):
        if (sign := np.sum(np.sign(known))) != 0.0:
            return -1.0 if sign < 0.0 else 1.0
    return 1.0


def _refuse_twice(points: Sequence[PlacedPoint]) -> None:
    first: dict[tuple[str, str, str], PlacedPoint] = {}
    problems = []
    for point in points:
        other = first.setdefault(point.key, point)
        if other is not point and np.abs(other.position - point.position).max() > SAME_PLACE:
            rule = f"the {point.side} {point.name} of the {point.axle} axle stands at {other.place} already"
            problems.append(Problem("duplicate-point", "error", point.place, point.name, rule, "take one of them out"))
    if problems:
        raise WorkbookError(problems)


def _of_one_side(points: Sequence[PlacedPoint]) -> list[PlacedPoint]:
    """The points without those of the right side that are mirror images; where only these are given, their images."""
    found: dict[tuple[str, str, str], PlacedPoint] = {}
    for point in sorted(points, key=lambda point: point.side == SIDES[1]):
        left = found.get((point.axle, fold(point.name), SIDES[0]))
        if point.side != SIDES[1]:
            found[point.key] = point
        elif left is None:
            mirrored = PlacedPoint(point.axle, point.name, SIDES[0], point.position * MIRROR, point.place)
            found[mirrored.key] = mirrored
        elif np.abs(left.position * MIRROR - point.position).max() > SAME_PLACE:
            found[point.key] = point
    return list(found.values())


def _filling(
    cells: CellSheet, points: Sequence[PlacedPoint], matrix: Vector, *, is_right: bool
) -> dict[tuple[int, int], str | float]:
    """What goes into which cell of the sheet Hardpoints."""
    report = ProblemList((cells.name,))
    table = InputTable(HARDPOINTS, cells, report, "3D")
    filling: dict[tuple[int, int], str | float] = {}
    if not table.fields:
        filling |= {(1, at): name for at, name in enumerate(HEADERS, start=1)}
        filling |= {(2, 1): "units", **{(2, at): "mm" for at in (3, 4, 5)}}
        columns, sizes, last = {name: at for at, name in enumerate(HEADERS, start=1)}, dict.fromkeys("xyz", 1e-3), 2
    else:
        if report.has_errors:
            raise WorkbookError(report.problems())
        columns = {name: field.header.place.column for name, field in table.fields.items()}
        sizes = {axis: table.fields[axis].unit.size if table.fields[axis].unit else 1.0 for axis in "xyz"}  # type: ignore[union-attr]
        last = max(cells.rows, default=1)
    rows = {
        _key(record.raw_text("axle"), record.raw_text("point"), record.raw_text("side")): record.row
        for record in table.records()
        if not record.raw_text("design")
    }
    to_sheet = np.linalg.inv(matrix)
    for point in points:
        given = to_sheet @ (point.position * MIRROR if is_right else point.position)
        row = rows.get(point.key)
        if row is None:
            last += 1
            row = last
            filling[row, columns["axle"]], filling[row, columns["point"]] = point.axle, point.name
            if point.side != SIDES[0]:
                if "side" not in columns:
                    columns["side"] = max(columns.values()) + 1
                    filling[1, columns["side"]] = "side"
                filling[row, columns["side"]] = point.side
        for axis, value in zip("xyz", given, strict=True):
            filling[row, columns[axis]] = float(f"{value / sizes[axis]:.12g}")
    return filling


def _key(axle: str, point: str, side: str) -> tuple[str, str, str]:
    name, told = standard_name(point)
    return fold(axle), fold(name), fold(side) or told or SIDES[0]


def _new_book(book: Path, points: Sequence[PlacedPoint], settings: Sequence[NewSetting]) -> NewBook:
    """A workbook with the settings that a suspension must have, and an empty sheet for its points."""
    axles = list(dict.fromkeys(point.axle for point in points))
    rows = new_rows(axles, settings)
    sheet = FilledSheet(SUSPENSION.name, ("setting", *axles), rows)
    lacking = any(row[0] == TYRE_RADIUS and None in row for row in rows)
    first = f"Fill in the {TYRE_RADIUS} on the sheet {SUSPENSION.name}, then" if lacking else "Read its settings, then"
    readme = ("Next", (f"{first}: sheetmbs run {book.name}",))
    purpose = "A suspension from a list of hardpoints."
    return NewBook(book.stem, purpose, (readme,), (sheet, FilledSheet(HARDPOINTS.name, HEADERS, (), IN_MM)))
