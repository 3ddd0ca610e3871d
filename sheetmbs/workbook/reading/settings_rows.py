"""The rows of a sheet of settings other than Settings: each known, set once, checked, in SI, defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sheetmbs.schema.column import SettingRule
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.validate import BARE_NUMBER, quantity
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.setting_value import setting_value


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
            report.error("duplicate-setting", place, quoted(text), problem, "take one of the rows away")
            continue
        cell = record.cell("value")
        if cell is not None:
            given.places[rule.name] = record.place("value")
            given.values[rule.name] = setting_value(record, rule, "value", cell, report)
    for rule in rules:
        if rule.required and given.values.get(rule.name) is None and rule.name not in given.places:
            sheet = table.cells.name if table.cells else table.schema.name
            mend = f"add a row {rule.name} with its value"
            report.error("missing-setting", Place(sheet), f"no {rule.name}", f"{rule.name} {rule.doc}", mend)
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
