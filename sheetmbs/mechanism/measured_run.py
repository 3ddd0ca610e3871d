"""Measured columns of a mechanism beside the results of its cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetmbs.elements.result_column import ANY_NUMBER
from sheetmbs.measured.known_columns import UNKNOWN_UNIT, KnownCase, KnownSheet, known_sheet
from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.read_measurements import ReadMeasurements, read_measurements
from sheetmbs.measured.residuals import Residuals, computed_at_points, residuals
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.collect import shown
from sheetmbs.results.columns.declared import RESULT_SHEETS, ResultSheet
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book

MOST_NUMBERED = 12
"""columns that are distinguished by a number alone and that may be named before they are computed"""


@dataclass(frozen=True)
class MeasuredRun:
    """What was measured of the mechanism of a workbook.

    cases: names of all cases, the one of a plain run first, "" where the workbook has none; () where nothing was measured.
    is_generated: whether sheets of another
    product stand for the model: measurements that belong to its own analyses are then left out.
    """

    book: Book
    cases: tuple[str, ...]
    is_generated: bool = False

    def check(self, model: Model, *, is_alone: bool = False) -> tuple[Problem, ...]:
        """Warnings of what was measured, and notes of what belongs to other cases if that of the model is run alone.

        Raises WorkbookError with all that is wrong, before anything is solved.
        """
        if not self.cases:
            return ()
        read = self._read({case: declared_sheets(model) for case in self.cases})
        others = [each for each in read.measurements if each.case != model.settings.case] if is_alone else []
        return (*read.warnings, *map(_of_other_case, others))

    def compared(self, case: str, model: Model, tables: Sequence[Table]) -> tuple[Residuals, ...]:
        """The measurements of a case beside its result sheets. Raises WorkbookError with all that is wrong with them."""
        if not self.cases:
            return ()
        own = tuple(known_sheet(table, is_one_row=len(table.values) == 1) for table in tables)
        read = self._read({each: own if each == case else declared_sheets(model) for each in self.cases})
        return tuple(
            residuals(each, computed_at_points(each, tables)) for each in read.measurements if each.case == case
        )

    def _read(self, sheets: Mapping[str, Sequence[KnownSheet]]) -> ReadMeasurements:
        known = [KnownCase(case, tuple(own)) for case, own in sheets.items()]
        return read_measurements(self.book, known, is_part=self.is_generated)


def _of_other_case(own: Measurement) -> Problem:
    rule = f"it belongs to the case {own.case}, which this run does not compute"
    mend = f"run --case {own.case}, or --all-cases"
    return Problem("not-compared", "note", str(own.place), f"measurement {own.name}", rule, mend)


def declared_sheets(model: Model) -> tuple[KnownSheet, ...]:
    """All result sheets that a model may have, with every column that its elements may report."""
    found = [KnownSheet(sheet.name, dict(_columns(sheet, model)), (sheet.first.name,)) for sheet in RESULT_SHEETS]
    return tuple(replace(sheet, columns={**sheet.columns, sheet.over[0]: UNKNOWN_UNIT}) for sheet in found)


def _columns(sheet: ResultSheet, model: Model) -> Iterator[tuple[str, str]]:
    for kind in sheet.kinds:
        names = [element.name for element in kind.elements(model)] if kind.element else [""]
        for column in kind.columns:
            numbers = range(1, MOST_NUMBERED + 1) if ANY_NUMBER in column.name else range(1)
            units = {shown(quantity, model.display)[0] for quantity in column.quantities}
            unit = units.pop() if len(units) == 1 else UNKNOWN_UNIT
            for number in numbers:
                own = column.name.replace(ANY_NUMBER, str(number))
                yield from ((kind.heading(name, own), unit) for name in names)
