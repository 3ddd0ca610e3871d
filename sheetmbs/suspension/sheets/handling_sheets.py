"""The sheets `mbs Handling <name>` and `mbs Handling Metrics`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.handling.handling_table import HandlingFound
from sheetmbs.suspension.handling.solve_handling import SolvedHandling
from sheetmbs.workbook.sheets.sheet_contents import HANDLING_METRICS

SAME = {"ay_g": 1e-4}
"""of two values of a column that are one; ay of slow circles is not quite 0"""
USUALLY_SAME = 1e-6


def _keys(found: HandlingFound) -> tuple[str, ...]:
    """The columns that say what a row of the sheet is, where designs stand side by side; none: they go by their order.

    An envelope has as many values of ay of each design, which go from limit to limit.
    """
    row = found.row
    if row.type in (HandlingType.LAP, HandlingType.ACCELERATION):
        return ("s",)
    if row.type == HandlingType.ENVELOPE:
        return ()
    if row.type == HandlingType.YAW_MOMENT:
        has_speeds = row.radius is None and "speed" in found.table.columns
        return (*(("speed",) if has_speeds else ()), "beta", "rack")
    return (*(("speed",) if len(row.speeds) > 1 else ()), "ay_g")


def handling_tables(designs: Mapping[str, SolvedHandling]) -> tuple[Table, ...]:
    """A sheet for each row of Handling with columns of all designs, and that of read-offs. designs: by name, ``""`` first."""
    names = dict.fromkeys(found.row.name for solved in designs.values() for found in solved.found)
    tables = [_beside({design: _of(solved, name) for design, solved in designs.items()}) for name in names]
    rows = list(_read_offs(designs))
    return (*tables, _metrics(rows)) if rows else tuple(tables)


def _of(solved: SolvedHandling, name: str) -> HandlingFound | None:
    return next((found for found in solved.found if found.row.name == name), None)


def _beside(found: Mapping[str, HandlingFound | None]) -> Table:
    """The table of the first design that has the row, with the columns of others behind, on the same rows."""
    known = {design: each for design, each in found.items() if each is not None}
    (_first, first), *others = known.items()
    base = first.table
    for design, each in others:
        base = _with_columns(base, design, each.table, _matching(first.table, each.table, _keys(first)))
    return base


def _matching(base: Table, other: Table, keys: Sequence[str]) -> list[int | None]:
    """Of each row of a table the row of another with the same keys."""
    if not keys:
        return [row if row < len(other.values) else None for row in range(len(base.values))]
    sizes = np.array([SAME.get(name, USUALLY_SAME) for name in keys])
    own, theirs = (
        np.round(np.nan_to_num(table.values[:, [table.columns.index(name) for name in keys]]) / sizes).astype(np.int64)
        for table in (base, other)
    )
    known = {tuple(row): number for number, row in reversed(list(enumerate(theirs.tolist())))}
    return [known.get(tuple(row)) for row in own.tolist()]


def _with_columns(base: Table, design: str, other: Table, rows: Sequence[int | None]) -> Table:
    """A table with the columns of another design behind its own."""
    count = len(base.columns)
    values = np.full((len(base.values), len(other.columns)), np.nan)
    for row, number in enumerate(rows):
        if number is not None:
            values[row] = other.values[number]
    texts = dict(base.texts)
    for place, column in other.texts.items():
        texts[count + place] = TextColumn(["" if number is None else column.texts[number] for number in rows])
    return replace(
        base,
        columns=(*base.columns, *(f"{design}{DESIGN_SEPARATOR}{name}" for name in other.columns)),
        units=(*base.units, *other.units),
        values=np.hstack((base.values, values)),
        texts=texts,
        notes={**base.notes, **{count + place: f"Design {design}. {text}" for place, text in other.notes.items()}},
    )


def _read_offs(designs: Mapping[str, SolvedHandling]) -> Iterator[tuple[str, float, str, str, float, str, str]]:
    """Rows: of which row, its speed, design, metric, value, unit, definition."""
    for design, solved in designs.items():
        for found in solved.found:
            speeds = found.row.speeds
            alone = speeds[0] if len(speeds) == 1 else np.nan
            for each in found.read_offs:
                speed = alone if each.speed is None else each.speed
                yield found.row.name, speed, design, each.metric, each.value, each.unit, each.definition
            doc = "time that the program took for the row"
            yield found.row.name, alone, design, "solve_time", found.seconds, "s", doc


def _metrics(rows: Sequence[tuple[str, float, str, str, float, str, str]]) -> Table:
    columns = ("row", "speed", "design", "metric", "value", "unit", "definition")
    values = np.full((len(rows), len(columns)), np.nan)
    values[:, 1], values[:, 4] = [row[1] for row in rows], [row[4] for row in rows]
    texts = {place: TextColumn([str(row[place]) for row in rows]) for place in (0, 2, 3, 5, 6)}
    units = ("", "m/s", "", "", "", "", "")
    return Table(HANDLING_METRICS, columns, units, values, texts=texts, repeated=1, notes=METRIC_NOTES)


METRIC_NOTES = {
    0: "row of the sheet Handling",
    1: "speed at which the metric is read; blank where it is of no one speed",
    2: "design that it is of; blank: the first",
    3: "name by which Targets and Responses call it",
    4: "value, + as the definition says; in right turns so signed that + means the same as in left ones",
    6: "what it is, and what its sign means",
}
