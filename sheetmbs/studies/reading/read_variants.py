"""The sheet Variants: the variants of the method list, a column for each variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan, nan

import numpy as np

from sheetmbs.schema.column import Column, ColumnKind, Sheet
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.study_inputs import VARIANTS
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.studies.reading.study_fields import has_percent_twice
from sheetmbs.studies.study_book import ListedVariant, StudyVariable
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW
from sheetmbs.workbook.reading.input_table import InputTable, Record

OF_VARIABLES = "the header of a column of numbers is the name of a variable"


def variants_sheet(variables: Sequence[StudyVariable]) -> Sheet:
    """The sheet with the columns of these variables."""
    columns = [
        Column(variable.name, ColumnKind.NUMBER, "value of the variable", default="as it is") for variable in variables
    ]
    return replace(VARIANTS, columns=(VARIANTS.columns[0], *columns, *VARIANTS.columns[1:]))


def read_variants(
    table: InputTable, variables: Sequence[StudyVariable], switched_off: Mapping[str, Place], report: ProblemList
) -> tuple[ListedVariant, ...]:
    """The variants that count. What is wrong is reported. switched_off: where variables stand that are, by folded name.

    A variable may be left out, but no column of numbers may stand there that is no variable: they would count for nothing.
    """
    if table.cells is not None and variables:
        _check_columns(table.cells, variables, switched_off, report)
        if not any(variable.name in table.fields for variable in variables) and not report.found({"unknown-variable"}):
            mend = f"head a column {variables[0].name}"
            report.error("no-variable", Place(table.cells.name, 1, 1), "no column of a variable", OF_VARIABLES, mend)
    found = []
    for record in table.records():
        if not record.is_active:
            continue
        name = record.text("name")
        values = np.array([_value(record, variable) for variable in variables])
        record.finish()
        found.append(ListedVariant(name, values, record.cell_text("name")))
    return tuple(found)


def _check_columns(
    cells: CellSheet, variables: Sequence[StudyVariable], switched_off: Mapping[str, Place], report: ProblemList
) -> None:
    """Report columns of numbers that no variable has, at their headers. Remarks in words are warned of already."""
    known = {fold(variable.name) for variable in variables} | {fold(column.name) for column in VARIANTS.columns}
    numbers = cells.rows.numbers
    for column in sorted(set(numbers.columns[numbers.rows > HEADER_ROW].tolist())):
        place = Place(cells.name, HEADER_ROW, column)
        cell = cells.rows.cell(HEADER_ROW, column)
        text = "" if cell is None else str(cell.value).strip()
        name = fold((split_parentheses(text) or split_header(text))[0])
        if name in known:
            continue
        off = switched_off.get(name)
        if off is not None:
            rule, mend = f"the variable at {off} is switched off", "switch it on, or delete the column"
            report.warning("unused-column", place, quoted(text), f"{rule}, so this column has no effect", mend)
        else:
            found = f"the header {quoted(text)}" if text else "no header"
            otherwise = f"write one of {', '.join(each.name for each in variables)}, or head remarks with notes"
            mend = did_you_mean(text, [each.name for each in variables], otherwise)
            rule = f"{OF_VARIABLES}, and the sheet Variables has none of this name"
            report.error("unknown-variable", place, found, rule, mend)
        report.withdraw({("unknown-column", str(place))})
    report.withdraw_of_sheet(cells.name, "no-header")


def _value(record: Record, variable: StudyVariable) -> float:
    """What the cell of a variable shall hold; NaN as it is."""
    number = None if has_percent_twice(record, variable.name, variable.how) else record.number(variable.name)
    return nan if number is None or isnan(number) else variable.value_of(number)
