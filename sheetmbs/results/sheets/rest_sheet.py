"""The results of an analysis at rest, element by element, as tables and bars: a single row makes no lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.result_column import RestTable, ResultKind
from sheetmbs.model.model import Chart, Model
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import SheetSection

SIZE = "size"
MAX_BARS = 24
"""More bars than this on one chart cannot be told apart."""
LOAD_NOISE = 1e-9
"""of the largest load: what is drawn as none"""


def sections(model: Model, tables: Sequence[Table], kinds: Sequence[ResultKind]) -> tuple[SheetSection, ...]:
    """The tables of an analysis of one row, in the order in which a person asks: loads, then where everything is."""
    at_rest = [table for table in tables if table.columns[0] == "time" and len(table.values) == 1]
    columns = {n: (t.units[k], t.values[:, k]) for t in at_rest for k, n in enumerate(t.columns)}
    found: dict[str, SheetSection] = {}
    for kind, table in _in_order(kinds):
        for section in _filled(model, kind, table, columns):
            before = found.get(section.title)
            found[section.title] = section if before is None else _below(before, section)
    return tuple(found.values())


def bars(found: Sequence[SheetSection], length: float, kinds: Sequence[ResultKind]) -> Iterator[Chart]:
    """Charts of the loads: those that are not all 0 but for rounding. length: the characteristic one of the model, m."""
    loads = {table.title for kind in kinds for table in kind.at_rest if table.is_load}
    drawn = [section for section in found if section.title in loads]
    arms = {"N": 1.0, "N*m": length}
    largest = max((_largest(section) / arms.get(section.unit, 1.0) for section in drawn), default=0.0)
    for section in drawn:
        is_felt = _largest(section) > LOAD_NOISE * largest * arms.get(section.unit, 1.0)
        if is_felt and len(section.names) <= MAX_BARS:
            yield Chart(section.title, section.title, (section.column(section.heads[0]),), "bar")


def _in_order(kinds: Sequence[ResultKind]) -> list[tuple[ResultKind, RestTable]]:
    return sorted(((kind, table) for kind in kinds for table in kind.at_rest), key=lambda pair: pair[1].place)


def _below(above: SheetSection, section: SheetSection) -> SheetSection:
    """Two tables of one title as one."""
    if (above.unit, above.heads) != (section.unit, section.heads):
        raise ValueError(f"two tables '{above.title}' of different columns")
    return replace(above, names=above.names + section.names, values=np.vstack((above.values, section.values)))


def _largest(section: SheetSection) -> float:
    return float(np.nanmax(np.abs(section.values), initial=0.0))


def _filled(
    model: Model, kind: ResultKind, table: RestTable, columns: dict[str, tuple[str, NDArray[np.float64]]]
) -> Iterator[SheetSection]:
    dimension = model.settings.dimension
    heads = [(head, name) for head, name in table.heads if dimension in kind.column(name).models]
    has_size = table.has_size and len(heads) > 1
    rows, names, unit = [], [], ""
    for element in kind.elements(model):
        found = [columns.get(kind.heading(element.name, name)) for _, name in heads]
        known = [each for each in found if each is not None]
        values = [np.nan if each is None else float(each[1][0]) for each in found]
        if not known or not np.any(np.isfinite(values)):
            continue
        unit = known[0][0]
        rows.append([float(np.sqrt(np.nansum(np.square(values)))), *values] if has_size else values)
        names.append(element.name)
    if rows:
        shown = tuple(head for head, _ in heads)
        yield SheetSection(table.title, unit, (SIZE, *shown) if has_size else shown, tuple(names), np.array(rows))
