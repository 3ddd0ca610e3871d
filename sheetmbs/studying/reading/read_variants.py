"""The sheet Variants: the variants of the method list, a column for each variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan

import numpy as np

from sheetmbs.schema.column import Column, ColumnKind, Sheet
from sheetmbs.schema.study_inputs import VARIANTS
from sheetmbs.studying.reading.numbers_in_text import has_percent_twice
from sheetmbs.studying.study_book import ListedVariant, StudyVariable
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.problem_list import Place, ProblemList
from sheetmbs.workbook.reading.record import Record

OF_VARIABLES = "a column of numbers is headed by the name of its variable"


def variants_sheet(variables: Sequence[StudyVariable]) -> Sheet:
    """The sheet with the columns of these variables."""
    columns = [
        Column(variable.name, ColumnKind.NUMBER, "value of the variable", default="as it is") for variable in variables
    ]
    return replace(VARIANTS, columns=(VARIANTS.columns[0], *columns, *VARIANTS.columns[1:]))


def read_variants(
    table: InputTable, variables: Sequence[StudyVariable], report: ProblemList
) -> tuple[ListedVariant, ...]:
    """The variants that count. What is wrong is reported.

    A variable may be left out, but not because its header is misspelt: its numbers would count for nothing.
    """
    absent = [table.headers.report_absent(variable.name, rule=OF_VARIABLES) for variable in variables]
    if table.cells is not None and variables and not any(variable.name in table.fields for variable in variables):
        mend = f"head a column {variables[0].name}"
        if not any(absent):
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


def _value(record: Record, variable: StudyVariable) -> float:
    """What the cell of a variable shall hold; NaN as it is."""
    number = None if has_percent_twice(record, variable.name, variable.how) else record.number(variable.name)
    return nan if number is None or isnan(number) else variable.value_of(number)
