"""Cells with values that are not those in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import Cell, CellKind
from sheetmbs.schema.places import Place

if TYPE_CHECKING:
    from sheetmbs.formulas.cell_contents import Value

NewCells = dict[tuple[int, int], Cell]
"""of a sheet, by row and column"""


def cell_of(place: Place, value: Value) -> Cell:
    """A cell that holds a value which is no date."""
    if isinstance(value, bool):
        return Cell(place.row, place.column, CellKind.BOOLEAN, value)
    if isinstance(value, float):
        return Cell(place.row, place.column, CellKind.NUMBER, value)
    return Cell(place.row, place.column, CellKind.TEXT, value if isinstance(value, str) else "")


def unknown_cell(place: Place, why: Problem) -> Cell:
    """A cell whose formula cannot be computed, with the reason."""
    where = "" if why.cell == str(place) else f"{why.cell} holds "
    return Cell(place.row, place.column, CellKind.UNCACHED, f"{where}{why.found}; {why.problem}")
