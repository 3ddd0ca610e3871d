"""Handles: points of a mechanism whose cells people move on a served page, and how the workbook is solved for one case then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sheetmbs.schema.cell import CellKind, Place

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sheetmbs.workbook.cells.cells import Book
    from sheetmbs.workbook.reading.input_table import InputTable

Along = tuple[tuple[float, ...], ...]
CaseSolver = Callable[["Book", str], dict[str, Any]]
"""the tab of a case, as documents of pages have it, of a workbook with other numbers; raises WorkbookError"""


@dataclass(frozen=True)
class HandlePlace:
    """A point of the scene that moves with a handle.

    along: for each cell of the handle, by how many metres the point moves where the cell grows by 1: (3,) in the axes of the
    body that carries the point.
    """

    point: str
    along: Along


@dataclass(frozen=True)
class Handle:
    """A point that people can move. cells: of its coordinates, named by ``axes``; unit: of all of them."""

    name: str
    axes: tuple[str, ...]
    cells: tuple[Place, ...]
    unit: str
    places: tuple[HandlePlace, ...]


def coordinate_cells(table: InputTable, row: int) -> tuple[tuple[str, ...], tuple[Place, ...], str, float]:
    """The coordinates of a row that hold numbers: their names, cells and unit, and the size of that unit in metres.

    A coordinate in another unit than the first is left out, and so is one that is text or blank.
    """
    names: list[str] = []
    cells: list[Place] = []
    unit, size = "m", 1.0
    for name in "xyz":
        field = table.fields.get(name)
        if field is None or table.cells is None:
            continue
        column = field.header.place.column
        cell = table.cells.rows.cell(row, column)
        text = "m" if field.unit is None else field.unit.text
        if cell is None or cell.kind is not CellKind.NUMBER or (names and text != unit):
            continue
        unit, size = text, 1.0 if field.unit is None else field.unit.size
        names.append(name)
        cells.append(Place(table.cells.name, row, column))
    return tuple(names), tuple(cells), unit, size


def ways(axes: tuple[str, ...], matrix: ArrayLike, size: float) -> Along:
    """The ways of a point for each coordinate.

    matrix: (3, 3), its columns are the axes of the coordinates. size: of their unit, m.
    """
    import numpy as np

    columns = size * np.asarray(matrix, dtype=np.float64)
    return tuple(tuple(float(part) for part in columns[:, "xyz".index(name)]) for name in axes)
