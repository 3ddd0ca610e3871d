"""Suspensions as what a study varies: each sweep, load case and row of Handling is a case, and so is the design pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.varied_measurements import (
    are_measured_alike,
    asked_measurements,
    with_rms,
    without_measured,
)
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.products.varied_workbook import Asked, CellAt, ColumnDerivatives, ColumnPoints
from sheetmbs.products.whole_workbook import SolvedCases, WholeWorkbook, one_row
from sheetmbs.schema.table import Table
from sheetmbs.suspension.case_tables import case_tables, load_cases
from sheetmbs.suspension.column_slopes import ColumnSlopes
from sheetmbs.suspension.compliant_slopes import CompliantSlopes
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.measured_sweeps import compared, measured_sweeps
from sheetmbs.suspension.measured_tyre_forces import compared_tyres, is_of_a_tyre
from sheetmbs.suspension.moved_sweeps import detail_tables, is_detailed
from sheetmbs.suspension.read_design import KnownDesigns
from sheetmbs.suspension.sheets.drawn_lines import SWEEP_SHEET
from sheetmbs.suspension.sheets.result_pages import all_design_values
from sheetmbs.suspension.sheets.sizing_pages import SIZING_COLUMNS
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_suspension, read_wanted, sweep_sheets, swept_tables
from sheetmbs.suspension.varied_cells import VariedDesign
from sheetmbs.suspension.varied_handling import all_handling, asked_handling, with_handling
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import HANDLING_PAGE, LOADS, SUSPENSION_PAGE

DESIGN = ""
"""the case of the design pose"""


class SuspensionVariants(WholeWorkbook):
    """A workbook of a suspension. cases: names of sweeps, load cases and rows of Handling, none: all, behind the design pose.

    Of several designs the first one, which is the workbook's own, has the columns without a name before them.
    """

    kind, kinds = "sweep, load case or row of Handling", "sweeps, load cases and rows of Handling"

    def __init__(self, book: Book, cases: Sequence[str] = ()) -> None:
        self._known = KnownDesigns()
        self._varied: VariedDesign | None = None
        super().__init__(book, cases)

    def solved(self, book: Book, asked: Asked | None) -> SolvedCases:
        """The sheets of each case, or why it has none. Raises WorkbookError where it cannot be read or posed."""
        if asked is None:
            return self._whole(book)
        every = asked_measurements([each.measurement for each in self.compared], asked.values())
        own = tuple(each for each in every if not is_of_a_tyre(each))
        others = {case: without_measured(columns) for case, columns in asked.items()}
        is_known = not every or are_measured_alike(self._book, book)
        if not is_known or not _is_of_first_design(others, every) or _asks_for_sizing(others):
            return self._whole(book)
        sweeps = frozenset(case for case, sheets in others.items() if _sheet_of(case) in sheets)
        sweeps |= {each.case for each in own}
        loads = any(LOADS in sheets for sheets in others.values()) or any(not each.over for each in own)
        handling = any(HANDLING_PAGE in sheets for sheets in others.values())
        columns = _columns(others)
        if columns or not any(others.values()):
            columns |= {column for each in own for column in (each.of, each.over)}
        wanted = WantedCases(sweeps, loads, handling, columns)
        read = read_wanted(book, wanted, self._known)
        stands_alone = not loads and not handling and bool(read[0].sweeps)
        designs = solve_designs(read[:1] if stands_alone else read, wanted)[:1]
        cases: dict[str, Sequence[Table] | Problem] = dict(_swept_cases(designs, tuple(swept_tables(designs)), ()))
        if DESIGN in asked:
            is_asked = SUSPENSION_PAGE in others[DESIGN] or not asked[DESIGN]
            cases[DESIGN] = [_at_design(designs)] if is_asked else []
        found = compared(own, read[0], designs[0], case_tables(designs[0])) if own else ()
        if len(own) < len(every):
            found += compared_tyres(book, read[0].tyres)
        return with_handling(with_rms(cases, found, asked), asked_handling(designs[0], asked))

    def _whole(self, book: Book) -> SolvedCases:
        """Every case with all its sheets and columns, and with the rms residuals of what was measured."""
        read = read_suspension(book)
        designs = solve_designs(read.designs)
        tables, _targets = sweep_sheets(read, designs)
        general = detail_tables(designs[0], book.path)[0] if is_detailed(designs[0].car) else ()
        cases = {DESIGN: [_at_design(designs)]} | dict(_swept_cases(designs, tables, general))
        found = measured_sweeps(book, read.designs[0], designs[0]).found
        self._keep(book, found)
        return with_handling(with_rms(cases, found), all_handling(designs))

    def derivatives(self, points: Sequence[ColumnPoints], cells: Sequence[CellAt]) -> ColumnDerivatives | None:
        """Columns of sweeps by cells of hardpoints and of elastic parts, exactly; None where more than these decides them."""
        for of_kind in (ColumnSlopes, CompliantSlopes):
            try:
                found = of_kind(self._varied_design(points, cells), points)
                found.values(found.start)
            except (NoVariantsError, SheetmbsError, ValueError):
                continue
            return found
        return None

    def _varied_design(self, points: Sequence[ColumnPoints], cells: Sequence[CellAt]) -> VariedDesign:
        cases = {each.case for each in points}
        known = self._varied
        if known is None or known.cells != tuple(cells) or not cases <= known.cases:
            known = self._varied = VariedDesign(self._book, cells, points)
        return known


def _asks_for_sizing(asked: Asked) -> bool:
    """Whether reserves or clearances are asked for, which follow from all sweeps and load cases."""
    columns = (column for columns in asked.get(DESIGN, {}).values() for column in columns)
    return any(column.rpartition(".")[2] in SIZING_COLUMNS for column in columns)


def _columns(asked: Asked) -> frozenset[str]:
    """Columns of sweeps that are asked for; none, which is all of them, where the design pose is, of which few are."""
    sheets = [(case, sheet, columns) for case, of_case in asked.items() for sheet, columns in of_case.items()]
    of_sweeps = (column for case, sheet, columns in sheets if sheet == _sheet_of(case) for column in columns)
    return frozenset() if DESIGN in asked else frozenset(of_sweeps)


def _sheet_of(sweep: str) -> str:
    return f"{SWEEP_SHEET}{sweep}"


def _is_of_first_design(asked: Asked, own: Sequence[Measurement]) -> bool:
    """Whether columns are those of sweeps, load cases and the design pose of the first design alone, without targets.

    Of a case without columns it is not known what it is, but for the design pose, or where only what was measured is asked for.
    """
    if not own and not all(of_case or case == DESIGN for case, of_case in asked.items()):
        return False
    sheets = [(case, sheet, columns) for case, of_case in asked.items() for sheet, columns in of_case.items()]
    known = LOADS, SUSPENSION_PAGE, HANDLING_PAGE
    are_known = all(sheet in (_sheet_of(case), *known) for case, sheet, _columns in sheets)
    return are_known and not any(DESIGN_SEPARATOR in column for _case, _sheet, columns in sheets for column in columns)


def _swept_cases(
    designs: tuple[SolvedDesign, ...], tables: Sequence[Table], general: Sequence[Table]
) -> Iterator[tuple[str, list[Table] | Problem]]:
    """Sweeps and load cases. tables: of the sweeps. general: of the ordinary analysis of each."""
    by_sweep = {table.name: table for table in tables}
    of_sweep = {name: [by_sweep[_sheet_of(name)]] for design in designs for name in design.plans}
    for name, own in of_sweep.items():
        yield name, [*own, *(table for table in general if table.case == name)]
    for name, loads in load_cases(designs[0].loads):
        yield name, loads if isinstance(loads, Problem) else [*of_sweep.get(name, ()), loads]


def _at_design(designs: tuple[SolvedDesign, ...]) -> Table:
    """All metrics of the first design at its design pose, one row, as a sheet of the name of its page."""
    return one_row(SUSPENSION_PAGE, all_design_values(designs[:1])[0].found)
