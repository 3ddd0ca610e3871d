"""What the variables of a study are: coordinates of hardpoints, masses, rates; so that directions among them have words."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.problems.errors import SheetmbsError
from sheetmbs.schema.names import fold
from sheetmbs.schema.units import parse_unit
from sheetmbs.schema.validate import split_header
from sheetmbs.studies.fitting.direction_words import AXES, MASS, POINT, RATE, VariableMeaning
from sheetmbs.studies.fitting.fit_space import Floats
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.responses.response_units import measure_the_same
from sheetmbs.studies.study_book import StudyVariable
from sheetmbs.workbook.cells.cell_places import place_of_cell
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW

HARDPOINTS = "Hardpoints"
MASS_COLUMNS, RATE_COLUMNS = ("mass",), ("k", "rate", "stiffness", "kradial", "kaxial", "ktorsion", "kconical")
"""headers of numbers that scale together, folded and without _"""


def variable_meanings(cells: StudyCells, variables: tuple[StudyVariable, ...]) -> list[VariableMeaning]:
    """What each variable is, by its first cell."""
    return [_meaning(cells, each) for each in variables]


def _meaning(cells: StudyCells, variable: StudyVariable) -> VariableMeaning:
    place = place_of_cell(variable.cells[0])
    sheet = cells.book.sheets[place.sheet]
    header = _header(sheet, place.column)
    if len(variable.cells) == 1 and fold(place.sheet) == fold(HARDPOINTS) and header in AXES:
        columns = {_header(sheet, column): column for column in sheet.rows.get(HEADER_ROW, {})}
        axle, point = (_text(sheet, place.row, columns.get(name)) for name in ("axle", "point"))
        places = _points_of(sheet, columns, axle)
        return VariableMeaning(variable.name, variable.unit, POINT, axle, point, AXES.index(header), places)
    plain = header.replace("_", "").replace(" ", "")
    kind = MASS if plain in MASS_COLUMNS or _is_mass(variable.unit) else RATE if plain in RATE_COLUMNS else ""
    return VariableMeaning(variable.name, variable.unit, kind)


def _is_mass(unit: str) -> bool:
    try:
        return bool(unit) and measure_the_same(parse_unit(unit), parse_unit("kg"))
    except (SheetmbsError, ValueError):
        return False


def _header(sheet: CellSheet, column: int) -> str:
    cell = sheet.rows.get(HEADER_ROW, {}).get(column)
    text = "" if cell is None else str(cell.value)
    return split_header(text)[0].strip().casefold()


def _text(sheet: CellSheet, row: int, column: int | None) -> str:
    cell = None if column is None else sheet.rows.get(row, {}).get(column)
    return "" if cell is None else str(cell.value).strip()


def _points_of(sheet: CellSheet, columns: Mapping[str, int], axle: str) -> dict[str, Floats]:
    """(3,) of every point of an axle, as the cells have them."""
    found: dict[str, Floats] = {}
    for row in sheet.rows:
        if row <= HEADER_ROW or fold(_text(sheet, row, columns.get("axle"))) != fold(axle):
            continue
        numbers = [_number(sheet, row, columns.get(name)) for name in AXES]
        point = _text(sheet, row, columns.get("point"))
        if point and point not in found and not np.isnan(numbers).any():
            found[point] = np.array(numbers)
    return found


def _number(sheet: CellSheet, row: int, column: int | None) -> float:
    cell = None if column is None else sheet.rows.get(row, {}).get(column)
    try:
        return np.nan if cell is None else float(cell.value)
    except (TypeError, ValueError):
        return np.nan
