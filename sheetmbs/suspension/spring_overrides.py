"""Rows of the workbook's own sheet Springs that have the names of generated ones: they count in sweeps and load cases too.

Stiffness, free length, a damper's gas force and ``active`` = no can be meant there. What else would change what a spring is
belongs on Suspension springs, where it counts everywhere: it is refused at its cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sheetmbs.schema import input_columns
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.validate import NO
from sheetmbs.suspension.elastic.kinds.t_bar import SWING
from sheetmbs.suspension.generated.generate import Value
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.spring_rows import ACROSS, spring_ends
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.record import Record

BARS = (SpringKind.U_BAR, SpringKind.T_BAR, SpringKind.TORSION_BAR)
DAMPERS = (SpringKind.DAMPER, SpringKind.THIRD_DAMPER)
MEANT: Mapping[str, Mapping[str, tuple[str, u.Dimension]]] = {
    SpringKind.SPRING: {"k": ("k", u.STIFFNESS), "length0": ("free_length", u.LENGTH)},
    SpringKind.THIRD_SPRING: {"k": ("k", u.STIFFNESS), "length0": ("free_length", u.LENGTH)},
    **{kind: {"force": ("preload", u.FORCE)} for kind in DAMPERS},
    **{kind: {"k": ("k", u.ROTATIONAL_STIFFNESS)} for kind in BARS},
}
"""columns of Springs that stand for columns of Suspension springs, by kind"""
AT_REST = ("name", "active", "notes", "c", "curve_c", "power_limit")
"""columns that change no pose at rest"""

OWN_ROWS = replace(
    input_columns.SPRINGS,
    columns=tuple(replace(column, required=column.name == "name") for column in input_columns.SPRINGS.columns),
)
"""the sheet Springs where generated rows fill in what is blank"""

Overrides = dict[tuple[str, str], SpringElement | None]
"""rows of springs as the workbook's own sheet Springs has them, by name and side; None where it takes one away"""


def with_overrides(car: CarData, sheets: Mapping[str, CellSheet], report: ProblemList) -> CarData:
    """A car whose springs are what the workbook's own rows of Springs make of them."""
    table = InputTable(OWN_ROWS, sheets.get(OWN_ROWS.name), report, "3D")
    records = {fold(record.raw_text("name")): record for record in table.records()}
    return replace(car, axles=tuple(replace(axle, overrides=_of_axle(axle, records, report)) for axle in car.axles))


def _of_axle(axle: AxleData, records: Mapping[str, Record], report: ProblemList) -> Overrides:
    found: Overrides = {}
    for row in axle.springs:
        for side, suffix in _parts(row):
            owner = axle.corner(side) if side else axle.name
            record = records.get(fold(f"{owner} {row.name}{suffix}"))
            if record is None:
                continue
            is_gone = fold(record.raw_text("active")) in NO
            found[row.name + suffix, side] = None if is_gone else _overridden(axle, row, side, suffix, record, report)
    return found


def _parts(row: SpringElement) -> Iterator[tuple[str, str]]:
    """Side and suffix of everything that is generated of a row."""
    is_of_axle = row.kind in (SpringKind.U_BAR, SpringKind.T_BAR, *ACROSS)
    for side in ("",) if is_of_axle else SIDES:
        yield side, ""
    if row.kind == SpringKind.T_BAR:
        yield "", SWING


def _overridden(
    axle: AxleData, row: SpringElement, side: str, suffix: str, record: Record, report: ProblemList
) -> SpringElement:
    """A row of Suspension springs with what the record puts in place of it."""
    meant = {} if suffix or "curve_k" in row.curves else MEANT.get(row.kind, {})
    ends = spring_ends(axle, row, side, suffix)
    values = dict(row.values)
    for column in record.table.fields:
        if not record.given(column) or column in AT_REST or _says_the_same(record, column, ends):
            continue
        if column not in meant:
            rule = "here it would change the free car alone, and no rate of sweeps and load cases"
            place = f"the row {row.name} of Suspension springs ({row.places['name']})"
            mend = f"clear the cell, and say it in {place}"
            found = f"{column} of the generated {record.raw_text('name')}"
            report.error("not-overridden", record.place(column), found, rule, mend)
            continue
        own, dimension = meant[column]
        number = record.number(column, dimension)
        values[own] = -number if own == "preload" and number is not None else number
        if own == "k":
            values |= dict.fromkeys(("d", "di", "length", "G"))
        if own == "free_length":
            values["preload"] = None
    return replace(row, values=values)


def _says_the_same(record: Record, column: str, ends: Mapping[str, Value]) -> bool:
    """Whether a cell has what is generated anyway, as in a row that was copied."""
    text, known = record.raw_text(column), ends.get(column)
    if isinstance(known, str):
        return fold(text) == fold(known)
    try:
        return known is not None and abs(float(text) - known) < 1e-6
    except ValueError:
        return False
