"""What a page needs to follow a sweep: what it moves, where design is, what each column means, and forces of load cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.results.results import Results
from sheetmbs.schema.table import Table
from sheetmbs.suspension.loads.load_column import LoadColumn
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import declared_metrics
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.viewing.packed import Json, plain
from sheetmbs.viewing.page_document import table_document

AXIAL = {"": 1.0, "axial, + in tension": 1.0, "+ in compression": -1.0}
"""what is said of columns of forces along a member -> the sign that makes tension positive"""


def swept_table(table: Table, count: int) -> Json:
    """A sheet of a sweep with the definition of each metric. count: rows of the motion."""
    return table_document(table, count) | {"meanings": [_meaning(name) for name in table.columns]}


def course(design: SolvedDesign, name: str, moved: Results, table: Table) -> Json | None:
    """The columns that a sweep moves, and the time at which it stands nearest to design; None where no column says it."""
    columns = [each for each in design.plans[name].swept if each in table.columns]
    if not columns:
        return None
    values = np.abs(table.values[:, [table.columns.index(each) for each in columns]])
    largest = np.max(values, axis=0)
    off = np.sum(values / np.where(largest > 0.0, largest, 1.0), axis=1)
    return {"columns": columns, "opens": float(moved.solution.times[int(np.argmin(off))])}


def load_document(loads: SolvedLoads) -> Json | None:
    """The force along each member in each load case, N, + in tension; None where there are no load cases."""
    members = dict(_along_members(loads))
    failed = np.array(loads.failed, dtype=bool)
    if not members or failed.all():
        return None
    named = [case.name for case, is_out in zip(loads.cases, failed, strict=True) if not is_out]
    return {"cases": named, "members": {name: plain(values[~failed]) for name, values in members.items()}}


def _along_members(loads: SolvedLoads) -> Iterator[tuple[str, np.ndarray]]:
    """Names of members as scenes call them, with what each carries along itself."""
    for column in loads.columns:
        if column.is_member and column.unit == "N" and column.doc in AXIAL and _is_whole(column):
            yield column.name.replace(".", " ", 1), np.asarray(AXIAL[column.doc] * column.values)


def _is_whole(column: LoadColumn) -> bool:
    """Whether a column is no component of a vector."""
    return not column.name.endswith((".fx", ".fy", ".fz"))


def _meaning(column: str) -> str:
    """The definition of the metric that a column holds, and what is positive; nothing of what is none."""
    metric = column.rpartition("/")[2].rpartition(".")[2].partition(" ")[0]
    return _MEANINGS.get(metric, "")


_MEANINGS = {
    metric.name: "; ".join(part for part in (metric.definition, f"+ {metric.sign}" if metric.sign else "") if part)
    for _group, metric in declared_metrics()
}
