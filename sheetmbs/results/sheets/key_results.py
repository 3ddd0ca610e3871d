"""Key results: the least and largest values of what the charts show, loads at rest, frequencies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.model.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import SheetSection, SummaryValue

MOST_COLUMNS, MOST_ROWS = 6, 12
SAME = 1e-9
"""of the largest value: extremes that differ by less are one"""

Items = tuple[tuple[str, SummaryValue, str], ...]


def key_results(tables: Sequence[Table], charts: Sequence[Chart], sections: Sequence[SheetSection]) -> Items:
    """Items for the top of `mbs Summary`, no more than are read at a glance."""
    shapes = next((table for table in tables if "frequency" in table.columns), None)
    if shapes is not None:
        return tuple(_frequencies(shapes))[:MOST_ROWS]
    if sections:
        return tuple(_loads(sections, charts))
    return tuple(_extremes(tables, charts))


def _frequencies(shapes: Table) -> Iterator[tuple[str, SummaryValue, str]]:
    places = [shapes.columns.index(name) for name in ("mode", "frequency")]
    for mode, frequency in shapes.values[:, places].tolist():
        if np.isfinite(frequency):
            yield f"frequency of mode {mode:.0f}", frequency, "Hz"


def _loads(sections: Sequence[SheetSection], charts: Sequence[Chart]) -> Iterator[tuple[str, SummaryValue, str]]:
    """The loads that have charts, as many whole tables as fit."""
    drawn, left = [chart.title for chart in charts], MOST_ROWS
    for section in sections:
        if section.title in drawn and len(section.names) <= left:
            left -= len(section.names)
            head = section.heads[0]
            for name, value in zip(section.names, section.values[:, 0].tolist(), strict=True):
                yield f"{name}, {head if head != 'size' else section.title.lower()}", value, section.unit


def _extremes(tables: Sequence[Table], charts: Sequence[Chart]) -> Iterator[tuple[str, SummaryValue, str]]:
    """The least and the largest value of the first columns on charts, but for paths and what belongs to no element."""
    columns = {n: (t.units[k], t.values[:, k]) for t in tables for k, n in enumerate(t.columns)}
    names = dict.fromkeys(name for chart in charts if chart.type == "line" for name in chart.y if "." in name)
    for name in list(names)[:MOST_COLUMNS]:
        unit, values = columns.get(name, ("", np.zeros(0)))
        known = values[np.isfinite(values)]
        if not known.size:
            continue
        low, high = float(known.min()), float(known.max())
        if high - low <= SAME * max(abs(low), abs(high)):
            yield name, high, unit
        else:
            yield from ((f"{name} min", low, unit), (f"{name} max", high, unit))
