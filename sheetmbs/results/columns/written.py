"""Which columns stand on the result sheets, and in which order: what matters to most readers first, and printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sheetmbs.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

ROTATION_RATES = ("omega", "wx", "wy", "wz", "alpha", "alphax", "alphay", "alphaz")
ACCELERATIONS = ("ax", "ay", "az")

ASIDE: Mapping[str, tuple[str, ...]] = {
    "mbs Bodies": ("e0", "e1", "e2", "e3", "vx", "vy", "vz", *ACCELERATIONS, *ROTATION_RATES),
    "mbs Points": ACCELERATIONS,
    "mbs Joints": (
        *("j.fx", "j.fy", "j.fz", "j.m", "j.mx", "j.my", "j.mz", "i.m_com", "j.m_com"),
        *("rate", "angle_rate", "displacement_rate", "friction_power"),
    ),
    "mbs Springs": ("rate",),
    "mbs Clearances": ("circle_x", "circle_y"),
    "mbs Constraints": ("position", "velocity"),
}
"""what follows the names of elements in columns that few readers need, by sheet: they stand last and are not printed, and
``results`` = short leaves them out"""


def written(sheets: ResultSheets, results: str) -> ResultSheets:
    """The result sheets as they are written. results: ``full``, or ``short`` to leave out what few readers need.

    What a chart shows stays, whatever it is.
    """
    drawn = _drawn(sheets.charts)
    return replace(sheets, tables=tuple(_arranged(table, drawn, results) for table in sheets.tables))


def _arranged(table: Table, drawn: frozenset[str], results: str) -> Table:
    aside = [name for name in table.columns if _is_aside(table.name, name)]
    left_out = {name for name in aside if name not in drawn} if results == "short" else set()
    first = [name for name in table.columns if name not in aside]
    order = [table.columns.index(name) for name in (*first, *aside) if name not in left_out]
    if not aside:
        return table
    columns, units = (tuple(each[k] for k in order) for each in (table.columns, table.units))
    return replace(table, columns=columns, units=units, values=table.values[:, order], aside=frozenset(aside))


def _is_aside(sheet: str, name: str) -> bool:
    return name.endswith(tuple(f".{quantity}" for quantity in ASIDE.get(sheet, ())))


def _drawn(charts: Iterable[Chart]) -> frozenset[str]:
    """All columns that charts show."""
    return frozenset(name.rpartition("!")[2] for chart in charts for name in (chart.x, *chart.y, *chart.beside))
