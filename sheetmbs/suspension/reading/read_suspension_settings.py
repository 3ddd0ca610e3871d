"""The sheet Suspension: settings of the car and of each axle, checked, in SI, defaults filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.suspension_inputs import AXLES, SETTINGS_BY_FOLD, SUSPENSION_SETTINGS, SuspensionSetting
from sheetmbs.schema.validate import is_blank_unit
from sheetmbs.workbook.reading.input_table import InputTable, Record, cell_as_text
from sheetmbs.workbook.reading.settings_rows import setting_value

Value = float | str | None
BEHIND_NUMBER = re.compile(r"^\s*[-+]?[\d.,]+(?:[eE][-+]?\d+)?")


@dataclass
class GivenSettings:
    """Settings of the car under ``car`` and of each axle that has a column. cells: where each stands.

    units: in which the first value of each setting is given, of those that have one.
    """

    values: dict[str, dict[str, Value]] = field(default_factory=dict)
    cells: dict[str, dict[str, str]] = field(default_factory=dict)
    places: dict[str, dict[str, Place]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


def read_suspension_settings(table: InputTable, axles: tuple[str, ...], report: ProblemList) -> GivenSettings:
    """The settings of the car and of its axles. axles: those of which hardpoints are given."""
    owners = ("car", *axles)
    given = GivenSettings({name: {} for name in owners}, {name: {} for name in owners}, {name: {} for name in owners})
    seen: dict[tuple[str, str], Place] = {}
    for record in table.records():
        _read_row(record, axles, given, seen, report)
    _fill_in(table, given, axles, report)
    return given


def _read_row(
    record: Record,
    axles: tuple[str, ...],
    given: GivenSettings,
    seen: dict[tuple[str, str], Place],
    report: ProblemList,
) -> None:
    text = record.text("setting")
    setting = SETTINGS_BY_FOLD.get(fold(text))
    record.settle("design", "notes", *AXLES)
    if setting is None:
        mend = report.did_you_mean(text, [each.name for each in SUSPENSION_SETTINGS], "look up its name in the docs")
        report.error(
            "unknown-setting", record.place("setting"), quoted(text), "there is no such setting of a suspension", mend
        )
        return
    owners = ["car"] if setting.of_car else [axle for axle in AXLES if record.given(axle)]
    before = next((seen[setting.name, owner] for owner in owners if (setting.name, owner) in seen), None)
    if before is not None:
        rule, mend = f"it is set at {before} already", "take one of the rows away"
        report.error("duplicate-setting", record.place("setting"), quoted(text), rule, mend)
        return
    seen |= {(setting.name, owner): record.place("setting") for owner in owners}
    if setting.of_car:
        column = next((axle for axle in AXLES if record.given(axle)), AXLES[0])
        _read_value(record, setting, column, "car", given, report)
        texts = {fold(record.raw_text(axle)) for axle in AXLES if record.given(axle)}
        if len(texts) > 1:
            rule = f"{setting.name} is of the whole car, and the columns say different things"
            report.error("given-twice", record.place(AXLES[-1]), quoted(text), rule, "clear one of the cells")
        return
    for axle in AXLES:
        if axle in axles:
            _read_value(record, setting, axle, axle, given, report)
        elif setting.name == "type" and record.given(axle):
            mend = f"add the hardpoints of the {axle} axle, or clear the column {axle}"
            report.error(
                "no-hardpoints", record.place(axle), f"a type of the {axle} axle", "it has no hardpoints", mend
            )


def _read_value(
    record: Record, setting: SuspensionSetting, column: str, owner: str, given: GivenSettings, report: ProblemList
) -> None:
    cell = record.cell(column)
    if cell is None:
        return
    value = setting_value(record, setting, column, cell, report)
    if setting.required and isinstance(value, str) and fold(value) != fold(cell_as_text(cell)):
        value = None  # which is reported; what follows from the default would be told for nothing
    if isinstance(value, float):
        unit = record.text("unit") or BEHIND_NUMBER.sub("", cell_as_text(cell))
        if not is_blank_unit(unit):
            given.units.setdefault(setting.name, unit.strip())
    given.places[owner][setting.name] = record.place(column)
    given.cells[owner][setting.name] = record.cell_text(column)
    given.values[owner][setting.name] = value


def _fill_in(table: InputTable, given: GivenSettings, axles: tuple[str, ...], report: ProblemList) -> None:
    sheet = table.cells.name if table.cells else table.schema.name
    for setting in SUSPENSION_SETTINGS:
        for owner in ("car",) if setting.of_car else axles:
            if setting.required and setting.name not in given.cells[owner]:
                mend = f"add a row {setting.name} with a value in the column {owner}"
                report.error(
                    "missing-setting", Place(sheet), f"no {setting.name} of the {owner} axle", setting.doc, mend
                )
            default: Value = None
            if setting.choices and not setting.required:
                default = setting.choices[0]
            elif setting.default == "0":
                default = 0.0
            elif setting.name == "drive rear":
                default = 1.0
            given.values[owner].setdefault(setting.name, default)
    if "rear" in axles and "steering" not in given.cells["rear"]:
        given.values["rear"]["steering"] = "none"
