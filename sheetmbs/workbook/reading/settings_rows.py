"""The rows of a sheet of settings other than Settings: each known, set once, checked, in SI, with defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from sheetmbs.schema.column import Column, ColumnKind, Setting, SettingRule
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.units import RATIO, Dimension, Unit
from sheetmbs.schema.validate import BARE_NUMBER, ValueFault, choice, is_blank_unit, quantity, unit_of
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind
from sheetmbs.workbook.reading.fields import Field, is_sound, number
from sheetmbs.workbook.reading.input_table import InputTable, Record, text_of


def setting_value(
    record: Record, rule: SettingRule, column: str, cell: Cell, report: ProblemList
) -> float | str | None:
    """The value in a column of a record; the default of a word, else None, where it is wrong, which is reported."""
    place = record.place(column)
    is_word = cell.kind is CellKind.TEXT and fold(str(cell.value)) in map(fold, rule.choices)
    if rule.dimension is None or is_word:
        _check_no_unit(record, rule, report)
        return _word(rule, cell, place, report)
    unit = unit_beside(record, rule.name, (rule.dimension,), report)
    declared = Column(rule.name, ColumnKind.NUMBER, rule.doc, (rule.dimension,), default=rule.default)
    if unit is None:
        return None
    given = Field(declared, record.table.fields[column].header, unit[0])
    if rule.choices and cell.kind is CellKind.TEXT and not any(letter.isdigit() for letter in str(cell.value)):
        words = ", ".join(rule.choices)
        problem = f"it is {rule.dimension.name} or one of {words}"
        report.error("unknown-value", place, f"{rule.name}: {shown(cell)}", problem, "correct it, or clear the row")
        return None
    value = number(cell, given, rule.dimension, place, report)
    return None if isnan(value) or is_out_of_range(rule, value, cell, place, report) else value


def _word(rule: SettingRule, cell: Cell, place: Place, report: ProblemList) -> str | None:
    otherwise = rule.choices[0] if rule.choices and rule.dimension is None else rule.default or None
    if cell.kind is CellKind.BOOLEAN and set(rule.choices) == {"yes", "no"} and is_sound(cell, place, report):
        return "yes" if cell.value else "no"
    if cell.kind is CellKind.DATE and rule.is_text and is_sound(cell, place, report):
        return str(cell.value)
    text = text_of(cell, rule.name, place, report)
    if not text:
        return otherwise
    return text if rule.is_text else chosen_word(text, rule.name, rule.choices, place, report) or otherwise


def chosen_word(text: str, name: str, choices: Sequence[str], place: Place, report: ProblemList) -> str | None:
    """The word that a text is of the choices of a setting; None where it is none of them, which is reported."""
    try:
        return choice(text, choices)
    except ValueFault as fault:
        report.error(fault.code, place, f"{name}: {quoted(text)}", fault.problem, fault.mend)
        return None


def _check_no_unit(record: Record, rule: SettingRule, report: ProblemList) -> None:
    """Warn of a unit beside a word. That of numbers which may stand there instead does no harm: templates have it."""
    text = record.text("unit")
    if rule.dimension is not None:
        unit_beside(record, rule.name, (rule.dimension,), report)
    elif not is_blank_unit(text):
        problem = f"{rule.name} is a word, which has no unit"
        report.warning("unused-value", record.place("unit"), f"unit: {quoted(text)}", problem, "clear the cell")


def unit_beside(
    record: Record, name: str, dimensions: tuple[Dimension, ...], report: ProblemList
) -> tuple[Unit | None] | None:
    """The unit in the column of units beside a setting; None where it is wrong, which is reported."""
    text = record.text("unit")
    if is_blank_unit(text):
        return (None,)
    try:
        return (unit_of(text, dimensions),)
    except ValueFault as fault:
        found = f"the unit {quoted(text)} of {name}"
        report.error(fault.code, record.place("unit"), found, fault.problem, fault.mend)
        return None


def is_out_of_range(rule: Setting | SettingRule, value: float, cell: Cell, place: Place, report: ProblemList) -> bool:
    """Whether a number lies beyond the bounds of its setting, which is reported."""
    if rule.above is not None and value <= rule.above:
        problem = f"{rule.name} must be greater than {rule.above:g}"
    elif rule.least is not None and value < rule.least:
        problem = f"{rule.name} must be {rule.least:g} or more"
    elif rule.most is not None and value > rule.most:
        is_share = rule.dimension is RATIO and rule.most == 1.0
        problem = f"{rule.name} must be {rule.most:g} or less" + (", such as 52 % or 0.52" if is_share else "")
    else:
        return False
    report.error("out-of-range", place, f"{rule.name}: {shown(cell)}", problem, "correct the value or its unit")
    return True


@dataclass
class SettingsOnSheet:
    """The values of all settings by name, and where those stand that the workbook sets."""

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)


def settings_rows(
    table: InputTable, rules: Sequence[SettingRule], of_what: str, report: ProblemList
) -> SettingsOnSheet:
    """The settings on a sheet. of_what: for messages, e.g. ``a subject``. What is wrong or missing is reported."""
    by_fold = {fold(rule.name): rule for rule in rules}
    given = SettingsOnSheet()
    for record in table.records():
        text = record.text("setting")
        rule = by_fold.get(fold(text))
        record.settle("value", "unit", "notes")
        place = record.place("setting")
        if rule is None:
            mend = report.did_you_mean(text, [each.name for each in rules], "look up its name in the docs")
            problem = f"there is no such setting of {of_what}"
            report.error("unknown-setting", place, quoted(text), problem, mend)
            continue
        if rule.name in given.places:
            problem = f"it is set at {given.places[rule.name]} already"
            report.error("duplicate-setting", place, quoted(text), problem, "delete one of the rows")
            continue
        cell = record.cell("value")
        if cell is not None:
            given.places[rule.name] = record.place("value")
            given.values[rule.name] = setting_value(record, rule, "value", cell, report)
    for rule in rules:
        if rule.required and given.values.get(rule.name) is None and rule.name not in given.places:
            sheet = table.cells.name if table.cells else table.schema.name
            mend = f"add a row {rule.name} with its value"
            report.error("missing-setting", Place(sheet), f"no {rule.name}", f"{rule.name}: {rule.doc}", mend)
        if given.values.get(rule.name) is None:
            given.values[rule.name] = _default(rule)
    return given


def _default(rule: SettingRule) -> float | str | None:
    """What a blank cell means."""
    if rule.dimension is None or rule.default in rule.choices:
        return rule.default or None
    if not rule.default:
        return None
    return float(rule.default) if BARE_NUMBER.fullmatch(rule.default) else quantity(rule.default, (rule.dimension,))


def analysis_setting(book: Book) -> str:
    """The value of the setting analysis as written, ``""`` where it is blank."""
    settings = next((sheet for name, sheet in book.sheets.items() if fold(name) == "settings"), None)
    for row in () if settings is None else settings.rows.values():
        texts = [str(cell.value) for _column, cell in sorted(row.items())]
        if [fold(text) for text in texts[:1]] == ["analysis"]:
            return "".join(texts[1:2]).strip()
    return ""
