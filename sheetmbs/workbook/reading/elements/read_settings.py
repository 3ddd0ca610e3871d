"""The sheet Settings: one setting per row, its value checked, in SI, defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any

from sheetmbs.model.model import Settings
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Column, ColumnKind, Dimensionality, Setting
from sheetmbs.schema.meanings import setting_advice, setting_meant
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.settings import (
    ANALYSES,
    SETTINGS_BY_FOLD,
    STATIC_ANALYSES,
)
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.schema.validate import QUANTITY, ValueFault, choice, has_unit, quantity
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.reading.cases import HEADER, Cases, check_case_names, chosen_case, find_cases, settings_sheet
from sheetmbs.workbook.reading.fields import Field, number
from sheetmbs.workbook.reading.input_table import InputTable, Record, text_of
from sheetmbs.workbook.reading.settings_rows import chosen_word, is_out_of_range, unit_beside

MAX_SHEET_ROWS = 1_000_000
DURATION_ROUNDING = 1e-9
"""part of the time of an analysis that rounding may take"""
STANDARD_GRAVITY = 9.81


@dataclass
class _Given:
    """The settings that stand in the workbook, by name: value in SI and where."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    """settings for which unknown ones seem to stand, which are reported themselves"""
    emptied: set[str] = field(default_factory=set)
    """settings whose formula gives an empty text"""


def read_settings(
    cells: CellSheet | None,
    report: ProblemList,
    analysis: str | None = None,
    case: str | None = None,
    report_step: float | None = None,
    dimension: Dimensionality | None = None,
) -> tuple[Settings, Cases]:
    """The settings of a workbook in a case, and its cases with that one chosen.

    analysis, case, dimension: in place of those given there. report_step: time between rows, s, in place of ``t_step``.
    """
    known = find_cases(cells)
    check_case_names(cells, report)
    table = InputTable(settings_sheet(known), cells, report, "2D")
    given = _Given()
    records = list(table.records())
    default = next((record for record in records if fold(record.raw_text("setting")) == "case"), None)
    place = default.place("value") if default else Place("Settings")
    cases = chosen_case(known, case, default.raw_text("value") if default else "", report, place)
    for record in records:
        own = f"{HEADER}{cases.chosen}"
        _read_row(record, own if cases.chosen and record.given(own) else "value", given, report)
    given.values["case"] = cases.chosen
    if dimension is not None:
        given.values["dimension"] = dimension
    if analysis is not None:
        given.values["analysis"] = _asked_analysis(analysis)
    if report_step is not None:
        given.values["report_step"] = _asked_step(report_step)
        given.values.setdefault("t_step", report_step)
    settings = _with_defaults(given)
    if cells is not None and "setting" in table.fields and "value" in table.fields:
        _check_times(settings, given, Place(cells.name), report)
    _warn_of_what_a_plane_lacks(settings, given, report)
    _check_slip(settings, given, report)
    return settings, cases


def _asked_analysis(text: str) -> str:
    """The analysis asked for on the command line or in Python. Raises WorkbookError where there is none such."""
    try:
        return choice(text, ANALYSES)
    except ValueFault as fault:
        found = f"the analysis {quoted(text)}"
        raise WorkbookError(Problem(fault.code, "error", "", found, fault.problem, fault.mend)) from None


def _asked_step(step: float) -> float:
    """The report step asked for on the command line or in Python. Raises WorkbookError where there can be none such."""
    if isfinite(step) and step > 0.0:
        return step
    found, rule = f"a report step of {step:g} s", "rows of results are equally spaced in time"
    raise WorkbookError(Problem("report-step", "error", "", found, rule, "give seconds greater than 0, such as 0.01"))


def _read_row(record: Record, column: str, given: _Given, report: ProblemList) -> None:
    """One setting, from the column ``value`` or that of a case."""
    text, place = record.text("setting"), record.place(column)
    if not text:
        return
    setting = SETTINGS_BY_FOLD.get(fold(text))
    if setting is None:
        problem = "there is no such setting"
        report.error("unknown-setting", record.place("setting"), quoted(text), problem, setting_advice(text))
        given.meant.add(setting_meant(text))
        return
    if setting.name in given.places:
        problem = f"it is set at {given.places[setting.name]} already"
        report.error("duplicate-setting", record.place("setting"), quoted(text), problem, "delete one of the rows")
        return
    given.places[setting.name] = place
    cell = record.cell(column)
    if record.is_emptied(column):
        given.emptied.add(setting.name)
    if cell is None or not setting.attribute:
        return
    value = _value(setting, cell, record, column, report)
    if value is not None:
        given.values[setting.attribute] = value


def _value(setting: Setting, cell: Cell, record: Record, column: str, report: ProblemList) -> Any:
    """The value of a setting; None where it is wrong, which is reported, but for a number: NaN."""
    place = record.place(column)
    if setting.kind is ColumnKind.NUMBER:
        return _number(setting, cell, record, column, report)
    text = text_of(cell, setting.name, place, report)
    if not text or setting.kind is ColumnKind.TEXT:
        return text or None
    return chosen_word(text, setting.name, setting.choices, place, report)


def _number(setting: Setting, cell: Cell, record: Record, column_name: str, report: ProblemList) -> float:
    place = record.place(column_name)
    dimensions = (setting.dimension,) if setting.dimension else ()
    column = Column(setting.name, ColumnKind.NUMBER, setting.doc, dimensions)
    unit = unit_beside(record, setting.name, dimensions, report)
    if unit is None:
        return nan
    unit_text = record.text("unit")
    if unit[0] and cell.kind is CellKind.TEXT and _contradicts(str(cell.value), unit_text):
        found = f"{shown(cell)}, while the column unit has {quoted(unit_text)}"
        code, problem, mend = "contradictory-units", "a value has one unit", "remove one of the two units"
        try:
            quantity(str(cell.value), dimensions)
        except ValueFault as fault:  # neither is a unit of this setting, such as the percent of a time
            kind = f"{setting.name} is {setting.dimension.name}: " if setting.dimension else ""
            code, problem, mend = fault.code, f"{kind}{fault.problem}", fault.mend
        report.error(code, place, found, problem, mend)
        return nan
    value = number(
        cell, Field(column, record.table.fields[column_name].header, unit[0]), setting.dimension, place, report
    )
    return nan if is_out_of_range(setting, value, cell, place, report) else value


def _contradicts(text: str, unit_text: str) -> bool:
    if not has_unit(text):
        return False
    match = QUANTITY.fullmatch(text.strip())
    try:
        return match is not None and not parse_unit(match[2]).equals(parse_unit(unit_text))
    except UnitError:
        return False


def _with_defaults(given: _Given) -> Settings:
    values = dict(given.values)
    is_planar = values.get("dimension", "2D") == "2D"
    gravity = (
        values.pop("gravity_x", 0.0),
        values.pop("gravity_y", -STANDARD_GRAVITY if is_planar else 0.0),
        values.pop("gravity_z", 0.0 if is_planar else -STANDARD_GRAVITY),
    )
    cells = {name: str(place) for name, place in given.places.items()}
    return Settings(gravity=gravity, cells=cells, **values)


def _check_times(settings: Settings, given: _Given, sheet: Place, report: ProblemList) -> None:
    if settings.analysis in STATIC_ANALYSES:
        if settings.report_step is not None:
            found, problem = "a report step was asked for", f"an analysis {settings.analysis} has one row"
            report.warning("unused-value", sheet, found, problem, "leave it out")
        return
    for name, value in (("t_end", settings.t_end), ("t_step", settings.t_step)):
        if value is None and name not in given.meant:
            problem = f"a {settings.analysis} analysis needs {name}"
            place = given.places.get(name, sheet)
            mend = "fill it in" if name in given.places else f"add a row {name} with its value"
            found = f"no value of {name}" + (": its formula gives an empty text" if name in given.emptied else "")
            report.error("missing-setting", place, found, problem, mend)
    if settings.t_end is None:
        return
    span = settings.t_end - settings.t_start
    if span <= 0:
        found = f"t_end = {settings.t_end:g} s, t_start = {settings.t_start:g} s"
        report.error("no-time", given.places["t_end"], found, "t_end must be later than t_start", "correct one of them")
    elif settings.t_step is not None and settings.row_step > 0:
        rows = span / settings.row_step
        if rows < 1.0 - DURATION_ROUNDING and settings.report_step is None:
            found = f"t_step = {settings.t_step:g} s, while the analysis lasts {span:g} s"
            problem = "the results have only the first and the last row"
            report.warning("few-rows", given.places["t_step"], found, problem, "correct t_step, or its unit")
        name = "t_step" if settings.report_step is None else "report step"
        place = given.places.get(name, sheet)
        found = f"{name} = {settings.row_step:g} s gives {rows:,.0f} rows of results"
        if rows > MAX_SHEET_ROWS:
            problem = "that is more than one sheet can hold"
            report.warning("many-rows", place, found, problem, f"choose a larger {name} if you can")


def _warn_of_what_a_plane_lacks(settings: Settings, given: _Given, report: ProblemList) -> None:
    if settings.dimension != "2D":
        return
    if settings.gravity[2] != 0 and "gravity_z" in given.places:
        found = f"gravity_z = {settings.gravity[2]:g} m/s^2"
        problem = "a planar model moves in the x-y plane and has no z"
        report.warning("unused-value", given.places["gravity_z"], found, problem, "use gravity_x and gravity_y")
    if settings.projection == "yz" and "projection" in given.places:  # xz is what the form of a new workbook holds
        found = f"projection = {settings.projection}"
        problem = "a planar model is always drawn in its own plane, x-y"
        report.warning("unused-value", given.places["projection"], found, problem, "write xy, or delete the row")


def _check_slip(settings: Settings, given: _Given, report: ProblemList) -> None:
    if settings.slip >= settings.full_slip:
        place = next(given.places[name] for name in ("full_slip", "slip") if name in given.places)
        found = f"slip = {settings.slip:g} m/s, full_slip = {settings.full_slip:g} m/s"
        problem = "friction must grow over some range of sliding speeds: full_slip must be greater than slip"
        report.error("out-of-range", place, found, problem, "correct one of them")
