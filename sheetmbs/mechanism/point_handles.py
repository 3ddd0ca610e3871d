"""Points of a mechanism as handles: the rows of its sheet Points, and the ways of the points in the axes of their bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.rotation import matrix_of
from sheetmbs.model.model import Model
from sheetmbs.products.handles import Handle, HandlePlace, coordinate_cells, ways
from sheetmbs.schema.input_columns import POINTS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.input_table import InputTable


def point_handles(book: Book, model: Model) -> tuple[Handle, ...]:
    """All points of the sheet Points whose coordinates are numbers. model: of the workbook."""
    return tuple(_handles(book, model))


def _handles(book: Book, model: Model) -> Iterator[Handle]:
    table = InputTable(POINTS, book.find_sheet(POINTS.name), ProblemList(()), model.settings.dimension)
    points = {fold(point.name): point for point in model.points}
    turned = {body.name: matrix_of(body.euler).T for body in model.bodies}
    for record in table.records():
        point = points.get(fold(record.raw_text("name")))
        axes, cells, unit, size = coordinate_cells(table, record.row)
        if point is None or not record.is_active or not axes:
            continue
        is_on_body = fold(record.raw_text("frame")) == "body"
        matrix = np.eye(3) if is_on_body else turned.get(point.marker.body, np.eye(3))
        yield Handle(point.name, axes, cells, unit, (HandlePlace(point.name, ways(axes, matrix, size)),))
