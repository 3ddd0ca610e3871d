"""The rows of a suspension sheet that count in one design: its own replace those of the same key that it is based on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import AXLES, SETTINGS_BY_FOLD
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

Key = tuple[str, ...]


def _words(*columns: str) -> Callable[[Record], Key]:
    return lambda record: tuple(fold(record.raw_text(column)) for column in columns)


def _point(record: Record) -> Key:
    name, told = standard_name(record.raw_text("point"))
    side = fold(record.raw_text("side")) or told or "left"
    return fold(record.raw_text("axle")), fold(name), side


KEYS: Mapping[str, Callable[[Record], Key]] = {
    "Suspension": _words("setting"),
    "Hardpoints": _point,
    "Suspension springs": _words("axle", "name"),
    "Adjustments": _words("axle", "item", "at", "side"),
    "Targets": _words("metric", "sweep", "x"),
}
"""what makes two rows of a sheet the same; of the others their name"""


def rows_of_design(schema: Sheet, lineage: Sequence[str], cells: CellSheet) -> CellSheet:
    """A sheet with the rows that count in a design. lineage: folded names of the design and of those it is based on."""
    table = InputTable(schema, cells, ProblemList(()), "3D")
    if "design" not in table.fields:
        return cells
    key = KEYS.get(schema.name, _words("name"))
    ranks = {name: rank for rank, name in enumerate((*lineage, ""))}
    counting: dict[Key, list[tuple[int, Record]]] = {}
    gone = []
    for record in table.records():
        rank = ranks.get(fold(record.raw_text("design")))
        if rank is None:
            gone.append(record.row)
        else:
            counting.setdefault(key(record), []).append((rank, record))
    changed: dict[int, set[int]] = {}
    for same in counting.values():
        best = min(rank for rank, _record in same)
        older = [record for rank, record in sorted(same, key=lambda each: each[0]) if rank > best]
        if schema.name == "Suspension" and same[0][1].raw_text("setting") and older:
            blanked, replaced = _replaced_settings(same)
            changed |= blanked
            gone += replaced
        else:
            gone += [record.row for record in older]
    return replace(cells, rows=_without_cells(cells, changed).rows.without(gone))


def _replaced_settings(same: Sequence[tuple[int, Record]]) -> tuple[dict[int, set[int]], list[int]]:
    """Cells and whole rows of one setting that other rows replace: each axle has its own value.

    A setting of the car has one value, in whichever column.
    """
    setting = SETTINGS_BY_FOLD.get(fold(same[0][1].raw_text("setting")))
    is_of_car = setting is not None and setting.of_car
    given_by: dict[str, int] = {}
    for rank, record in sorted(same, key=lambda each: each[0]):
        for axle in AXLES:
            if record.given(axle):
                given_by.setdefault("car" if is_of_car else axle, rank)
    blanked: dict[int, set[int]] = {}
    replaced = []
    for rank, record in same:
        given = [axle for axle in AXLES if record.given(axle)]
        kept = [axle for axle in given if given_by["car" if is_of_car else axle] == rank]
        if not kept:
            replaced.append(record.row)
        elif len(kept) < len(given):
            blanked[record.row] = {record.place(axle).column for axle in given if axle not in kept}
    return blanked, replaced


def _without_cells(cells: CellSheet, changed: Mapping[int, set[int]]) -> CellSheet:
    rows = {
        row: {column: cell for column, cell in cells.rows[row].items() if column not in columns}
        for row, columns in changed.items()
    }
    return replace(cells, rows=cells.rows.changed(rows)) if rows else cells
