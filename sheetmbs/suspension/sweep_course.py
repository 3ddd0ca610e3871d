"""What a page needs to follow a sweep: what it moves, where design is, what each column means, and forces of load cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.sheets.words import label

AXIAL = {"": 1.0, "axial, + in tension": 1.0, "+ in compression": -1.0}
"""what is said of columns of forces along a member -> the sign that makes tension positive"""


def meanings(columns: Sequence[str]) -> list[str]:
    """The definition of the metric that each column holds, and what is positive; nothing of what is none."""
    return [_meaning(name) for name in columns]


def opens_at(table: Table, swept: Sequence[str]) -> int:
    """The number of the row that is nearest to design. swept: the columns that the sweep moves."""
    values = np.abs(table.values[:, [table.columns.index(each) for each in swept]])
    largest = np.max(values, axis=0)
    return int(np.argmin(np.sum(values / np.where(largest > 0.0, largest, 1.0), axis=1)))


def followed(items: Sequence[str], columns: Sequence[str], axles: Sequence[AxleData]) -> dict[str, str]:
    """Items of the summary and the columns that hold them at each row; the left wheel stands for both."""
    owners = {prefix: axle.name for axle in axles for prefix in (axle.corner("left"), axle.name)}
    found: dict[str, str] = {}
    for column in columns:
        owner, _, metric = column.rpartition(".")
        words = f"{owners[owner]} {label(metric)}" if owner in owners else "" if owner else label(metric)
        if words in items:
            found.setdefault(words, column)
    return found


def forces_along_members(loads: SolvedLoads) -> tuple[list[str], Mapping[str, list[float]]]:
    """Names of the load cases that have a pose, and the force along each member in them, N, + in tension."""
    failed = np.array(loads.failed, dtype=bool)
    named = [case.name for case, is_out in zip(loads.cases, failed, strict=True) if not is_out]
    return named, {name: values[~failed].tolist() for name, values in _along_members(loads)} if named else {}


def _along_members(loads: SolvedLoads) -> Iterator[tuple[str, Floats]]:
    """Names of members as scenes call them, with what each carries along itself."""
    for column in loads.columns:
        is_whole = not column.name.endswith((".fx", ".fy", ".fz"))
        if column.is_member and column.unit == "N" and column.doc in AXIAL and is_whole:
            yield column.name.replace(".", " ", 1), np.asarray(AXIAL[column.doc] * column.values)


def _meaning(column: str) -> str:
    metric = column.rpartition("/")[2].rpartition(".")[2].partition(" ")[0]
    return _MEANINGS.get(metric, "")


_MEANINGS = {
    metric.name: "; ".join(part for part in (metric.definition, f"+ {metric.sign}" if metric.sign else "") if part)
    for _group, metric in declared_metrics()
}
