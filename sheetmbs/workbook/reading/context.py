"""The state that the readers of elements share while one workbook is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

from sheetmbs.model.model import Curve, Settings
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.schema.units import Dimension, Unit
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.input_table import InputTable, Record, named_records
from sheetmbs.workbook.reading.parse_cache import KnownParts, ParsedParts
from sheetmbs.workbook.reading.registry import Registry
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn

Made = TypeVar("Made")
Arguments = ParamSpec("Arguments")
DURATION_ROUNDING = 1e-9
"""part of the analysed time by which samples may fall short of it: rounding of the last digit typed"""


@dataclass(frozen=True)
class GivenCurve:
    """A curve, the units written at its columns, the cells of its first and last x, and its y as samples."""

    curve: Curve
    x_units: tuple[tuple[Place, Unit], ...]
    y_units: tuple[tuple[Place, Unit], ...]
    first: Place
    last: Place
    samples: SampleColumn


@dataclass(frozen=True)
class Context:
    """A workbook being read. sheets: its input sheets by the name in the format. parts: what has been made of them."""

    sheets: Mapping[str, CellSheet]
    report: ProblemList
    settings: Settings
    cases: Cases
    bodies: Registry
    points: Registry
    joints: Registry
    drivers: Registry
    forces: Registry
    springs: Registry
    clearances: Registry
    curves: Registry
    parts: ParsedParts
    given_curves: KnownParts[GivenCurve]
    tables: dict[str, InputTable] = field(default_factory=dict)

    def table(self, sheet: Sheet) -> InputTable:
        """A table sheet, empty where the workbook has none."""
        if sheet.name not in self.tables:
            cells = self.sheets.get(sheet.name)
            self.tables[sheet.name] = InputTable(sheet, cells, self.report, self.settings.dimension, self.cases)
        return self.tables[sheet.name]

    def of_sheet(self, sheet: Sheet, make: Callable[[], Made]) -> Made:
        """The parts of a model made from a whole sheet."""
        return self.parts.of_cells(sheet.name, self.sheets.get(sheet.name), make)

    def elements(
        self,
        sheet: Sheet,
        registry: Registry,
        make: Callable[Concatenate[Record, str, Arguments], Made | None],
        *rest: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Iterator[tuple[str, Made]]:
        """The elements that ``make`` makes of the rows that count, with names; wrong rows, which are reported, are left out."""
        for record, name in named_records(self.table(sheet), registry):
            made = self.parts.of_record(record, make, name, *rest, **named)
            if made is not None:
                yield name, made

    def curve(self, record: Record, column: str, x: Dimension, y: Dimension, *, over_time: bool) -> str | None:
        """Exact name of the curve a column names, None where blank or wrong.

        x, y: what its columns must be in this use. over_time: it must cover the time of the analysis.
        """
        name = record.reference(column, self.curves)
        given = self.given_curves.find(name)
        if given is None:
            return name
        problems = []
        for axis, dimension, units in (("x", x, given.x_units), ("y", y, given.y_units)):
            wrong = next(((place, unit) for place, unit in units if not unit.fits(dimension)), None)
            if wrong:
                needed = (
                    f"{dimension.name}, in a unit such as {dimension.si}" if dimension.si != "1" else dimension.name
                )
                problems.append(f"{axis} of it must be {needed}, and at {wrong[0]} has the unit {wrong[1].text}")
        if problems:
            record.refuse("wrong-dimension", column, "; ".join(problems), "use another curve, or correct its units")
        elif over_time:
            self.check_cover(given.curve.x[0], given.curve.x[-1], given.first, given.last, f"the curve {name}")
        return name

    def check_cover(self, first: float, last: float, first_place: Place, last_place: Place, what: str) -> None:
        """Report samples over time that begin after the analysis or end before it, at the first or last time."""
        settings = self.settings
        t_end = settings.t_end
        if t_end is None or settings.analysis in STATIC_ANALYSES:
            t_end = settings.t_start
        slack = DURATION_ROUNDING * abs(t_end - settings.t_start)
        mend = "add rows, or change t_start and t_end"
        if first > settings.t_start + slack:
            problem = f"{what} must begin at t_start = {settings.t_start:g} s or before"
            self.report.error("time-not-covered", first_place, f"{first:g} s", problem, mend)
        if last < t_end - slack:
            problem = f"{what} must reach t_end = {t_end:g} s"
            self.report.error("time-not-covered", last_place, f"{last:g} s", problem, mend)
