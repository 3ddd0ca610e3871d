"""The sheet Anthropometry: what was measured on the legs, for the conventional gait model."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.gait.conventional.model_frames import trochanter_distance
from sheetmbs.gait.trial.gait_book import SIDES, BodyMeasures, LegMeasures, Side
from sheetmbs.schema.column import SettingRule
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY_SETTINGS, NEEDED, SIDED
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted
from sheetmbs.schema.validate import quantity
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.reading.settings_rows import setting_value

Values = dict[tuple[str, str], float]
"""setting, column -> value in SI"""
COLUMNS = ("right", "left", "value")
DEFAULTS = {
    rule.name: quantity(rule.default, (rule.dimension,))
    for rule in ANTHROPOMETRY_SETTINGS
    if rule.default and rule.dimension
}
"""what a blank cell means, in SI"""


def read_anthropometry(
    table: InputTable, sides: Sequence[Side], report: ProblemList, *, is_needed: bool
) -> BodyMeasures | None:
    """What was measured; None where something needed is missing, which is reported where the model needs it."""
    values: Values = {}
    cells: dict[tuple[str, str], str] = {}
    rules = {fold(rule.name): rule for rule in ANTHROPOMETRY_SETTINGS}
    for record in table.records():
        text = record.text("setting")
        rule = rules.get(fold(text))
        record.settle(*COLUMNS, "unit", "notes")
        if rule is None:
            problem = "there is no such setting of the anthropometry"
            mend = report.did_you_mean(text, [each.name for each in ANTHROPOMETRY_SETTINGS], "look it up in the docs")
            report.error("unknown-setting", record.place("setting"), quoted(text), problem, mend)
        elif any(name == rule.name for name, _ in cells):
            problem = "there is a row of this setting already"
            report.error("duplicate-setting", record.place("setting"), quoted(text), problem, "delete one of the rows")
        else:
            _read_row(record, rule, values, cells, report)
    if not is_needed:
        return None
    missing = {name: [side for side in sides if _of_side(values, name, side) is None] for name in NEEDED}
    for setting, of_sides in missing.items():
        unseen = [side for side in of_sides if not {(setting, side), (setting, "value")} & cells.keys()]
        if unseen:
            place = place_of(
                cells.get((setting, "setting")) or (table.cells.name if table.cells else table.schema.name)
            )
            found = f"no {setting} of the {' and the '.join(unseen)} leg"
            mend = f"add a row {setting} with its values in right and left, or in value, and its unit"
            report.error("missing-setting", place, found, "the conventional gait model needs it", mend)
    if any(missing.values()):
        return None
    lengths = [length for side in SIDES if (length := _of_side(values, "leg length", side)) is not None]
    diameter = values.get(("marker diameter", "value"), DEFAULTS["marker diameter"])
    return BodyMeasures(
        {side: _leg(values, side) for side in sides},
        sum(lengths) / len(lengths),
        values.get(("inter-asis", "value")),
        0.5 * diameter,
        cells,
    )


def _read_row(
    record: Record, rule: SettingRule, values: Values, cells: dict[tuple[str, str], str], report: ProblemList
) -> None:
    """The cells of a row, each by its column."""
    cells[rule.name, "setting"] = record.cell_text("setting")
    for column in COLUMNS:
        cell = record.cell(column)
        if cell is None:
            continue
        cells[rule.name, column] = record.cell_text(column)
        if column != "value" and fold(rule.name) not in SIDED:
            problem = f"{rule.name} is one number of the body"
            report.error("wrong-column", record.place(column), f"{rule.name}: {column}", problem, "write it in value")
            continue
        value = setting_value(record, rule, column, cell, report)
        if isinstance(value, float):
            values[rule.name, column] = value


def _of_side(values: Values, setting: str, side: str) -> float | None:
    """What holds of a side: its own value, else that of both."""
    return values.get((setting, side), values.get((setting, "value")))


def _leg(values: Values, side: Side) -> LegMeasures:
    def of(setting: str) -> float:
        found = _of_side(values, setting, side)
        return DEFAULTS[setting] if found is None else found

    length, trochanter = of("leg length"), _of_side(values, "asis to trochanter", side)
    return LegMeasures(
        length,
        of("knee width"),
        of("ankle width"),
        trochanter_distance(length) if trochanter is None else trochanter,
        of("thigh rotation"),
        of("shank rotation"),
        of("tibial torsion"),
        of("sole delta"),
    )
