"""Settings that a list tells, on the sheet Suspension of a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import units as u
from sheetmbs.schema.filled import Cell
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import AXLES, SETTINGS_BY_FOLD, SUSPENSION
from sheetmbs.schema.validate import ValueFault, unit_of
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record

TYRE_RADIUS = "tyre radius"
DIGITS = 13


@dataclass(frozen=True)
class NewSetting:
    """A setting to be written. axle: ``""`` of one of the car. value: in SI, or a word.

    only_if_blank: whether a value that is there stays.
    """

    name: str
    axle: str
    value: float | str
    only_if_blank: bool = False

    @property
    def text(self) -> str:
        """The value as people type it."""
        if isinstance(self.value, str):
            return self.value
        is_length = SETTINGS_BY_FOLD[fold(self.name)].dimension is u.LENGTH
        number = self.value * 1e3 if is_length else degrees(self.value)
        return f"{number:.{DIGITS}g} {'mm' if is_length else 'deg'}"


def in_words(settings: Sequence[NewSetting]) -> str:
    """Settings in one line."""
    return ", ".join(f"{f'{each.axle} ' if each.axle else ''}{each.name} {_short(each)}" for each in settings)


def _short(setting: NewSetting) -> str:
    number, _blank, unit = setting.text.partition(" ")
    return setting.text if isinstance(setting.value, str) else f"{float(number):.6g} {unit}"


def new_rows(axles: Sequence[str], settings: Sequence[NewSetting]) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a new sheet Suspension with the columns setting and axles."""
    known = {(each.name, each.axle): each.text for each in settings}
    names = dict.fromkeys(("type", *(each.name for each in settings), TYRE_RADIUS))
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        of_car = known.get((name, ""))
        cells = [of_car, *[None] * (len(axles) - 1)] if of_car else [known.get((name, axle)) for axle in axles]
        rows.append((name, *cells))
    return tuple(rows)


def filled_settings(cells: CellSheet, settings: Sequence[NewSetting]) -> dict[tuple[int, int], str | float]:
    """What goes into which cell of the sheet Suspension. Raises WorkbookError where its headers are wrong."""
    report = ProblemList((cells.name,))
    table = InputTable(SUSPENSION, cells, report, "3D")
    if table.fields and report.has_errors:
        raise WorkbookError(report.problems())
    filling: dict[tuple[int, int], str | float] = {}
    columns = {name: field.header.place.column for name, field in table.fields.items()}
    records = {fold(record.raw_text("setting")): record for record in table.records() if not record.raw_text("design")}
    last, header = max(cells.rows, default=1), 1
    if table.fields:
        header = next(iter(table.fields.values())).header.place.row
    added: dict[str, int] = {}
    for setting in settings:
        record = records.get(fold(setting.name))
        if setting.only_if_blank and record is not None and record.given(setting.axle):
            continue
        for name in ("setting", *([setting.axle] if setting.axle else [])):
            if name not in columns:
                columns[name] = max(columns.values(), default=0) + 1
                filling[header, columns[name]] = name
        if record is None and setting.name not in added:
            last += 1
            added[setting.name] = last
            filling[last, columns["setting"]] = setting.name
        row = added[setting.name] if record is None else record.row
        for axle in [setting.axle] if setting.axle else _of_car(record, columns):
            filling[row, columns[axle]] = setting.text if record is None else _in_unit(setting, record)
    return filling


def _of_car(record: Record | None, columns: dict[str, int]) -> list[str]:
    """The columns in which a setting of the car stands: those where it does, or the first one."""
    known = [axle for axle in AXLES if axle in columns]
    return [axle for axle in known if record is not None and record.given(axle)] or known[:1]


def _in_unit(setting: NewSetting, record: Record) -> str | float:
    """The value in the unit that stands beside it, or with its own where none does."""
    text = record.raw_text("unit") if "unit" in record.table.fields else ""
    dimension = SETTINGS_BY_FOLD[fold(setting.name)].dimension
    if not text or dimension is None or isinstance(setting.value, str):
        return setting.text
    try:
        unit = unit_of(text, (dimension,))
    except ValueFault as fault:
        raise WorkbookError(_wrong_unit(record, text, fault)) from None
    return float(f"{setting.value / (unit.size if unit else 1.0):.{DIGITS}g}")


def _wrong_unit(record: Record, text: str, fault: ValueFault) -> list:  # type: ignore[type-arg]
    report = ProblemList((record.table.cells.name if record.table.cells else "",))
    report.error(fault.code, record.place("unit"), f"'{text}'", fault.problem, fault.mend)
    return report.problems()
