"""Generated curves as pairs of columns beside the user's own on the sheet Curves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import split_header
from sheetmbs.suspension.generated.generate import GeneratedCurve
from sheetmbs.suspension.generated.merged_sheets import HEADER_ROW, MergedBook
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, SheetRows
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet, address


def with_curves(merged: MergedBook, curves: Iterable[GeneratedCurve]) -> MergedBook:
    """A workbook with generated curves. A curve of the user's that has the name of one stays in its place."""
    name = next((name for name in merged.book.sheets if fold(name) == fold(CURVES.name)), CURVES.name)
    cells = merged.book.sheets.get(name) or CellSheet(name, SheetRows(NO_NUMBERS, {}), hidden=False)
    own = {
        fold(split_header(str(cell.value))[0]).rpartition(".")[0] for cell in cells.rows.get(HEADER_ROW, {}).values()
    }
    column = max((max(row, default=0) for row in cells.rows.values()), default=0) + 1
    first = max(cells.rows, default=HEADER_ROW) + 1  # below the user's units and remarks
    origin: dict[str, str] = {}
    changed = {HEADER_ROW: dict(cells.rows.get(HEADER_ROW, {}))}
    added = [curve for curve in {curve.name: curve for curve in curves}.values() if fold(curve.name) not in own]
    for curve in added:
        for header, values in curve.columns:
            for row, value in zip((HEADER_ROW, *range(first, first + len(values))), (header, *values), strict=True):
                kind = CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER
                changed.setdefault(row, {})[column] = Cell(row, column, kind, value)
                origin[address(name, row, column)] = curve.cell
            column += 1
    if not added:
        return merged
    sheets = {**merged.book.sheets, name: replace(cells, rows=cells.rows.changed(dict(sorted(changed.items()))))}
    book = replace(merged.book, sheets=sheets)
    return replace(merged, book=book, origin={**merged.origin, **origin}, curves=tuple(added))
