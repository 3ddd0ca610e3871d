"""The sheet Tyre coefficients: a value in each row, or lines of a `.tir` file in one column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.column import SettingRule
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.validate import is_blank_unit
from sheetmbs.tyres.coefficients import FITTYP, SIMPLE, TEXTS, USED, dimension_of, plain_name
from sheetmbs.tyres.given_values import GivenValue, TyreProblems
from sheetmbs.tyres.property_lines import ROW, PropertyLines, read_property_lines
from sheetmbs.workbook.reading.input_table import InputTable, Record, cell_as_text
from sheetmbs.workbook.reading.settings_rows import setting_value

OF_FILES = ("$", "!", "[", "{", "(")
"""what lines of files begin with that hold no value"""


@dataclass
class SheetCoefficients:
    """What the sheet gives for one tyre. lines: of a file, with their cells; read: what they hold. problems: in them."""

    values: dict[str, GivenValue] = field(default_factory=dict)
    unused: dict[str, GivenValue] = field(default_factory=dict)
    lines: list[tuple[str, str]] = field(default_factory=list)
    read: PropertyLines = field(default_factory=PropertyLines)
    problems: list[Problem] = field(default_factory=list)


def read_tyre_coefficients(
    table: InputTable, names: Mapping[str, str], idle: frozenset[str], report: ProblemList
) -> dict[str, SheetCoefficients]:
    """Coefficients by the folded names of tyres. names: of the tyres that count; idle: folded, of those that do not."""
    found: dict[str, SheetCoefficients] = {}
    tyre, was_line = "", False
    for record in table.records():
        text = record.raw_text("coefficient")
        is_line = "=" in text or text.startswith(OF_FILES) or (was_line and bool(ROW.fullmatch(text)))
        if not is_line or record.given("tyre") or not tyre:
            tyre = record.text("tyre")
        else:
            record.settle("tyre")
        was_line = is_line
        record.settle("design", "notes")
        if not tyre or fold(tyre) in idle:
            record.settle("coefficient", "value", "unit")
        elif fold(tyre) not in names:
            mend = report.did_you_mean(tyre, list(names.values()), "add it to the sheet Tyres")
            report.error("unknown-tyre", record.place("tyre"), quoted(tyre), "there is no such tyre", mend)
            record.settle("coefficient", "value", "unit")
        else:
            own = found.setdefault(fold(tyre), SheetCoefficients())
            if is_line:
                own.lines.append((record.cell_text("coefficient"), text))
                record.settle("coefficient")
            else:
                _read_row(record, own, report)
        record.finish()
    for own in found.values():
        _read_lines(own)
    return found


def _read_row(record: Record, own: SheetCoefficients, report: ProblemList) -> None:
    text = record.text("coefficient")
    cell = record.cell("value")
    record.settle("value", "unit")
    if not text:
        return
    name = plain_name(text)
    if cell is None:
        rule = "a coefficient has a value in the column value, or stands in a line KEY = value"
        report.error("missing-value", record.place("value"), f"{text} is blank", rule, "fill it in, or clear the row")
        return
    if name in TEXTS or name == FITTYP or (name not in USED and name not in SIMPLE):
        value: float | str | None = cell_as_text(cell)
    else:
        rule_of_value = SettingRule(text, "a coefficient of a tyre", dimension=dimension_of(name))
        value = setting_value(record, rule_of_value, "value", cell, report)
    if value is None:
        return
    unit = record.raw_text("unit")
    shown = cell_as_text(cell) if is_blank_unit(unit) else f"{cell_as_text(cell)} {unit}"
    given = GivenValue(name, value, record.cell_text("value"), shown, record.raw_text("notes"))
    other = own.values.get(name) or own.unused.get(name)
    if other is not None:
        rule = f"{name} of this tyre is given at {other.place} already"
        report.error("given-twice", record.place("coefficient"), quoted(text), rule, "delete one of the rows")
        return
    is_used = name in USED or name in SIMPLE or name in TEXTS or name == FITTYP
    (own.values if is_used else own.unused)[name] = given


def _read_lines(own: SheetCoefficients) -> None:
    """Values of the lines of a tyre, of which none may stand in a row of its own too."""
    problems = TyreProblems()
    found = read_property_lines(own.lines, problems)
    for name, value in found.values.items():
        other = own.values.setdefault(name, value)
        if other is not value:
            rule = f"{name} of this tyre is given at {other.place} already"
            problems.error("given-twice", value.place, name, rule, "delete one of them")
    own.unused |= found.unused
    own.read = found
    own.problems = problems.found
