"""The sheet of a sweep: columns of all designs on the same rows, and which of them go on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR, TARGET
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.sheets.words import full_label, owner
from sheetmbs.workbook.sheets.sheetxml import last_on_page

SAME_ROW = 1e-9
"""of the largest value of a swept quantity: rows that are nearer to each other than this are one"""


def overlaid(tables: Mapping[str, Table], swept: int) -> Table:
    """One table of those of a sweep in all designs that have it, by name, ``""`` the first.

    swept: how many of their first columns say what a row is. A design that has no such row has empty cells there.
    """
    first = next(iter(tables.values()))
    rows = _rows([table.values[:, :swept] for table in tables.values()])
    columns, units, values = list(first.columns[:swept]), list(first.units[:swept]), [rows]
    declared = [*first.declared[:swept], *(each for table in tables.values() for each in table.declared[swept:])]
    for name, table in tables.items():
        prefix = f"{name}{DESIGN_SEPARATOR}" if name else ""
        columns += [f"{prefix}{column}" for column in table.columns[swept:]]
        units += table.units[swept:]
        values.append(_on_rows(rows, table.values, swept))
    return Table(first.name, tuple(columns), tuple(units), np.hstack(values), first.case, tuple(declared))


def _places(rows: Floats, wanted: Floats) -> NDArray[np.intp]:
    """(n,) place among rows (m, k) of each wanted row (n, k), -1 where there is none."""
    if np.array_equal(rows, wanted):
        return np.arange(len(rows))
    scale = np.maximum(np.max(np.abs(rows), axis=0), np.max(np.abs(wanted), axis=0))
    apart = np.max(np.abs(wanted[:, None] - rows[None]) / np.where(scale > 0.0, scale, 1.0), axis=2)
    nearest = np.argmin(apart, axis=1)
    return np.where(apart[np.arange(len(wanted)), nearest] <= SAME_ROW, nearest, -1)


def _rows(given: Sequence[Floats]) -> Floats:
    """What the rows are: those of the first design, and of the others those that it has not."""
    rows = given[0]
    for other in given[1:]:
        rows = np.vstack((rows, other[_places(rows, other) < 0]))
    is_single = rows.shape[1] == 1
    return rows[np.argsort(rows[:, 0], kind="stable")] if is_single and len(rows) > len(given[0]) else rows


def _on_rows(rows: Floats, values: Floats, swept: int) -> Floats:
    found = np.full((len(rows), values.shape[1] - swept), np.nan)
    found[_places(rows, values[:, :swept])] = values[:, swept:]
    return found


SHOWN_DECIMALS = 3


def _notes(table: Table) -> dict[int, str]:
    """What each column is, of which wheel or axle, which way is positive, and its unit."""
    metrics = {metric.name: metric for _group, metric in reversed(list(declared_metrics()))}
    found = {}
    for place, column in enumerate(table.columns):
        *design, own = column.split(DESIGN_SEPARATOR)
        prefix, _, name = own.removesuffix(" min").removesuffix(" max").rpartition(".")
        metric = metrics.get(name)
        if metric is None:
            continue
        owners = [owner(prefix)] if prefix else []
        if design:
            owners.append("target" if design[0] == TARGET else f"design {design[0]}")
        lines = [", ".join([full_label(name), *owners]), metric.definition]
        lines += [f"+ means {metric.sign}"] if metric.sign else []
        lines.append(f"Unit: {table.units[place] or 'none'}")
        found[place] = "\n".join(lines)
    return found


BEGIN = ("camber", "wheel_rate", "roll_centre_height", "wheelbase_left")
"""metrics at which a page of paper begins; it goes on to the right as far as there is room and the same part is meant"""


def on_paper(table: Table, swept: int) -> Table:
    """A sweep with its pages of the first design, its columns grouped by wheel, axle and design, with notes on their headers.

    swept: how many columns say what a row is: they stand on every page.
    """
    owners = [name.rpartition(".")[0] for name in table.columns]
    runs = []
    for number, name in enumerate(table.columns):
        if name.rpartition(".")[2] in BEGIN and "/" not in name:
            own = next((at for at in range(number, len(owners)) if owners[at] != owners[number]), len(owners))
            runs.append((number, last_on_page(table.columns, number, own - 1, swept)))
    grouped = tuple(k for k in range(swept + 1, len(owners)) if owners[k] == owners[k - 1])
    return replace(
        table, printed=tuple(runs), repeated=swept, grouped=grouped, decimals=SHOWN_DECIMALS, notes=_notes(table)
    )
