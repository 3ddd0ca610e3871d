"""Measured columns of a suspension beside its first design, whose sweeps are solved at the measured x."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.measured.known_columns import KnownCase, KnownSheet, known_sheet
from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.read_measurements import has_measurements, read_measurements
from sheetmbs.measured.residuals import (
    NOT_MEASURED,
    SAME_X,
    ComparedMeasurements,
    Residuals,
    column_of,
    computed_at_points,
    interpolated,
    residuals,
)
from sheetmbs.measured.value_units import size_of
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.case_tables import case_tables
from sheetmbs.suspension.kinematics.sweeps import Sweep
from sheetmbs.suspension.measured_tyre_forces import compared_tyres
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases, solve_designs
from sheetmbs.workbook.cells.cells import Book

MOST_CORRECTIONS = 5
"""solutions of a sweep over a column that it does not move, by the secant method"""
MISSED = 1e-11
"""of the range of x, by which a pose may miss a measured x"""


def measured_sweeps(book: Book, read: ReadDesign, design: SolvedDesign) -> ComparedMeasurements:
    """The measurements of a workbook beside its first design. Raises WorkbookError with all that is wrong with them.

    read: the design before it was solved.
    """
    if not has_measurements(book):
        return NOT_MEASURED
    cases = case_tables(design)
    found = read_measurements(book, known_cases(design, cases))
    swept = compared(found.measurements, read, design, cases)
    return ComparedMeasurements((*swept, *compared_tyres(book, design.tyres)), found.warnings)


def check_measured(book: Book, designs: Sequence[ReadDesign]) -> tuple[Problem, ...]:
    """Warnings of what was measured, where there is such. Raises WorkbookError with all that is wrong with it.

    The first design is posed then, for its sheets say what can be compared.
    """
    if not has_measurements(book):
        return ()
    return measured_sweeps(book, designs[0], solve_designs(designs[:1])[0]).warnings


def known_cases(design: SolvedDesign, cases: Mapping[str, Sequence[Table]]) -> list[KnownCase]:
    """What measurements may name of a design."""
    return [KnownCase(name, tuple(_known(design, name, table) for table in tables)) for name, tables in cases.items()]


def _known(design: SolvedDesign, case: str, table: Table) -> KnownSheet:
    if case in design.tables and table is design.tables[case]:
        return known_sheet(table, len(design.plans[case].swept), is_one_row=False)
    return known_sheet(table, 0, is_one_row=True)


def compared(
    measurements: Sequence[Measurement], read: ReadDesign, design: SolvedDesign, cases: Mapping[str, Sequence[Table]]
) -> tuple[Residuals, ...]:
    """Measurements beside what was computed of a design. cases: its result sheets."""
    together: dict[tuple[str, str], list[Measurement]] = {}
    for own in measurements:
        together.setdefault((own.case, own.over), []).append(own)
    courses = [course for each in together.values() if (course := _course(each, design)) is not None]
    posed = _posed(courses, read)
    found = []
    for own in measurements:
        table = posed.get((own.case, own.over))
        found.append(residuals(own, computed_at_points(own, cases[own.case] if table is None else [table])))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class _Course:
    """A sweep to be solved where it was measured. columns: that are wanted of it.

    x: (m,) measured values of the column over, within the sweep. swept, values: the quantity that names its rows, and its
    values there (m,), in its unit. slopes: (m,) of the column over by that quantity; None where it is that quantity. before:
    values, and what they missed of x, in the solution before.
    """

    plan: Sweep
    sheet: str
    over: str
    x: Floats
    swept: str
    unit: str
    values: Floats
    slopes: Floats | None
    columns: frozenset[str]
    before: tuple[Floats, Floats] | None = None

    def corrected(self, table: Table) -> _Course | None:
        """The course with better values by the secant method, None where its poses are at the measured x.

        table: of these poses.
        """
        if self.slopes is None:
            return None
        missed = table.values[:, table.columns.index(self.over)] - self.x
        if np.nanmax(np.abs(missed), initial=0.0) <= MISSED * np.ptp(self.x):
            return None
        missed = np.where(np.isfinite(missed), missed, 0.0)
        slopes = self.slopes
        if self.before is not None:
            moved, gained = self.values - self.before[0], missed - self.before[1]
            is_known = (moved != 0.0) & (gained != 0.0)
            slopes = np.where(is_known, gained / np.where(is_known, moved, 1.0), slopes)
        return replace(self, values=self.values - missed / slopes, slopes=slopes, before=(self.values, missed))


def _course(together: Sequence[Measurement], design: SolvedDesign) -> _Course | None:
    """A sweep at the measured x that lie within it; None where none does, or an x is not one pose.

    together: measurements of one case over one column.
    """
    case, over = together[0].case, together[0].over
    plan = design.plans.get(case)
    if plan is None or not over:
        return None
    table = design.tables[case]
    swept = over if over in plan.swept else plan.swept[0]
    if not plan.is_passed_once(swept) and not (over == swept and len(plan.swept) == 1):
        return None
    rows, given = (column_of([table], table.name, name) for name in (over, swept))
    if rows is None or given is None or not np.isfinite(rows).any():
        return None
    x = _within(np.unique(np.concatenate([each.points for each in together])), rows[np.isfinite(rows)])
    values, slopes = x, None
    if over != swept:
        values = interpolated(rows, given, x)
        slopes = np.interp(values, *_ascending(given, np.gradient(rows, given)))
    if not len(x) or not np.isfinite(values).all() or (slopes is not None and not np.all(slopes)):
        return None
    unit = table.units[table.columns.index(swept)]
    columns = frozenset((over, *(each.of for each in together)))
    return _Course(plan, table.name, over, x, swept, unit, values, slopes, columns)


def _ascending(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    known = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[known])
    return x[known][order], y[known][order]


def _posed(courses: Sequence[_Course], read: ReadDesign) -> dict[tuple[str, str], Table]:
    """The sheets of sweeps at measured x by sweep and column of x, with the columns that were measured."""
    found: dict[tuple[str, str], Table] = {}
    left = list(courses)
    for _ in range(MOST_CORRECTIONS):
        if not left:
            break
        plans = {
            f"{number}": replace(each.plan.at_values(each.swept, each.values * size_of(each.unit)), name=f"{number}")
            for number, each in enumerate(left)
        }
        wanted = WantedCases(frozenset(plans), loads=False, columns=frozenset().union(*(each.columns for each in left)))
        tables = solve_designs([replace(read, sweeps=tuple(plans.values()))], wanted)[0].tables
        better = []
        for each, name in zip(left, plans, strict=True):
            found[each.plan.name, each.over] = replace(tables[name], name=each.sheet)
            better.append(each.corrected(tables[name]))
        left = [each for each in better if each is not None]
    return found


def _within(x: Floats, rows: Floats) -> Floats:
    """Those values that lie within the rows of a sweep."""
    near = SAME_X * float(np.ptp(rows))
    return np.asarray(np.clip(x[(x >= rows.min() - near) & (x <= rows.max() + near)], rows.min(), rows.max()))
