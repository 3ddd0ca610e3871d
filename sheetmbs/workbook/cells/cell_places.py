"""Cells by address and by row and column."""

from __future__ import annotations

from sheetmbs.schema.cell import Place, cell_name
from sheetmbs.workbook.cells.cells import CellAt, position


def place_of_cell(cell: CellAt) -> Place:
    """("Points", "C4") as a place."""
    return Place(cell[0], *position(*cell))


def cell_of_place(place: Place) -> CellAt:
    """A place as ("Points", "C4")."""
    return place.sheet, cell_name(place.row, place.column)


def place_of_text(text: str) -> Place:
    """``Points!C4`` as a place."""
    sheet, _mark, address = text.rpartition("!")
    return place_of_cell((sheet, address))
