"""Cells by address and by row and column."""

from __future__ import annotations

from sheetmbs.schema.places import Place, column_letters, column_number
from sheetmbs.studying.subjects.subject import CellAt


def place_of_cell(cell: CellAt) -> Place:
    """("Points", "C4") as a place."""
    letters = cell[1].rstrip("0123456789")
    return Place(cell[0], int(cell[1][len(letters) :]), column_number(letters))


def cell_of_place(place: Place) -> CellAt:
    """A place as ("Points", "C4")."""
    return place.sheet, f"{column_letters(place.column)}{place.row}"
