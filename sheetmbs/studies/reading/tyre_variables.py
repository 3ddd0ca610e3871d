"""The variables of a fit of tyres: coefficients, each with the cell that holds it or the row that will."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sheetmbs.all_products import product_of
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.measured.tyre_measurements import read_tyre_measurements, tyre_units
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.varied_workbook import CellAt
from sheetmbs.schema.cell import cell_name
from sheetmbs.schema.names import fold
from sheetmbs.schema.tyre_inputs import TYRE_COEFFICIENTS
from sheetmbs.studies.study_book import StudyBook, StudyVariable
from sheetmbs.tyres.coefficient_model import CoefficientModel, fitted_names, states_of, usual_bounds
from sheetmbs.tyres.coefficients import SIMPLE
from sheetmbs.tyres.measured_tyre import MeasuredTyre
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_text
from sheetmbs.workbook.cells.cells import Book, CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW


def with_tyre_variables(study: StudyBook, book: Book, formulas: WorkbookFormulas) -> StudyBook:
    """A study; where it fits tyres, with their coefficients as its variables. Raises WorkbookError."""
    if not study.traits.is_fit or not tyre_units(book):
        return study
    found = read_tyre_measurements(book, product_of(book).measured_tyres(book), is_fit=True)
    measurements = tuple(each for each in found if each.sd is not None)
    if not measurements:
        rule = "a fit needs readings with their standard deviation: no row of Measurements has an sd"
        fix = "write the sd of a reading in the column sd"
        raise WorkbookError(Problem("no-measurement", "error", found[0].place, "method: fit", rule, fix))
    tyres = {each.tyre.tyre.name: each.tyre for each in measurements}
    rows = _FreeRows(book)
    variables: list[StudyVariable] = []
    warnings: list[Problem] = []
    for tyre in tyres.values():
        if tyre.tyre.model == "table":
            own = next(each for each in measurements if each.tyre is tyre)
            rule = "a tyre by the model table goes through its points: it has no coefficients to be found"
            fix = "choose the model magic formula, linear or fiala on Tyres"
            raise WorkbookError(Problem("no-coefficients", "error", own.of_place, f"of: {own.of}", rule, fix))
        forces = [each.force for each in measurements if each.tyre is tyre]
        for variable in _variables(tyre, forces, rows, several=len(tyres) > 1):
            if variable.cells[0] in rows.written and formulas.is_formula(place_of_text("!".join(variable.cells[0]))):
                warnings.append(_stays(variable))
                continue
            variables.append(variable)
    chosen = _chosen(study.variables, variables)
    return replace(study, variables=chosen, tyres=measurements, warnings=(*study.warnings, *warnings))


def _variables(tyre: MeasuredTyre, forces: Sequence[str], rows: _FreeRows, *, several: bool) -> Iterator[StudyVariable]:
    names = fitted_names(tyre, forces)
    starts = CoefficientModel(tyre, tuple(names), states_of(tyre)).start
    for name, start in zip(names, starts.tolist(), strict=True):
        value, cell, texts = start, *rows.place(tyre, name)
        number = rows.written.get(cell)
        size = 1.0
        if not texts and number is not None:
            size, value = (start / number if number else 1.0), number
        low, high = usual_bounds(name, start)
        plain = name.lower() if name in SIMPLE else name
        shown = f"{tyre.tyre.name} {plain}" if several else plain
        yield StudyVariable(
            shown,
            (cell,),
            (value,),
            low / size,
            high / size,
            unit=rows.unit(cell),
            place=tyre.given[name].place if name in tyre.given else tyre.place,
            texts=texts,
            coefficient=(tyre.tyre.name, name, size),
        )


def _chosen(given: Sequence[StudyVariable], found: Sequence[StudyVariable]) -> tuple[StudyVariable, ...]:
    """The coefficients that a fit moves: those on Variables with their bounds and sd, else all. Raises WorkbookError."""
    if not given:
        return tuple(found)
    known = {each.cells[0]: each for each in found}
    chosen, problems = [], []
    for each in given:
        own = known.get(each.cells[0]) if len(each.cells) == 1 else None
        if own is None:
            rule = "a fit of tyres moves cells of Tyre coefficients, one for each variable, on which its measurements depend"
            fix = "name such a cell, or clear the row; measure other columns in a study of their own"
            problems.append(Problem("no-coefficient", "error", each.place, f"the variable {each.name}", rule, fix))
            continue
        chosen.append(replace(each, coefficient=own.coefficient, unit=own.unit))
    if problems:
        raise WorkbookError(problems)
    return tuple(chosen)


def _stays(variable: StudyVariable) -> Problem:
    cell = "!".join(variable.cells[0])
    rule = "the coefficient is a formula, which a fit cannot set: it stays"
    return Problem("formula-stays", "note", cell, variable.name, rule, "write a number there if it should be found")


class _FreeRows:
    """Cells of coefficients on the sheet Tyre coefficients; rows below it of coefficients that have none there.

    written: numbers in cells of values.
    """

    def __init__(self, book: Book) -> None:
        sheet = book.find_sheet(TYRE_COEFFICIENTS.name)
        if sheet is None:
            rule = "a fit writes coefficients onto this sheet, which is missing"
            fix = "add the sheet Tyre coefficients with the headers tyre, coefficient and value"
            raise WorkbookError(Problem("missing-sheet", "error", TYRE_COEFFICIENTS.name, "no sheet", rule, fix))
        self._sheet: CellSheet = sheet
        heads = {fold(str(each.value)): at for at, each in sheet.rows.get(HEADER_ROW, {}).items()}
        lacking = [name for name in ("tyre", "coefficient", "value") if name not in heads]
        if lacking:
            rule = f"a fit writes coefficients into its columns, and {' and '.join(lacking)} is missing"
            raise WorkbookError(Problem("missing-column", "error", sheet.name, "row 1", rule, "add the header"))
        self._columns: Mapping[str, int] = heads
        self._next = max(sheet.rows, default=HEADER_ROW) + 1
        at = heads["value"]
        self.written: dict[CellAt, float] = {
            self._cell(row, at): float(cells[at].value)
            for row, cells in sheet.rows.items()
            if row > HEADER_ROW and at in cells and cells[at].kind is CellKind.NUMBER
        }

    def _cell(self, row: int, column: int) -> CellAt:
        return self._sheet.name, cell_name(row, column)

    def place(self, tyre: MeasuredTyre, name: str) -> tuple[CellAt, tuple[tuple[CellAt, str], ...]]:
        """The cell of a coefficient, and what must be written beside it so that it counts."""
        given = tyre.given.get(name)
        columns = self._columns
        row = 0
        if given is not None and given.place.partition("!")[0].strip("'") == self._sheet.name:
            place = place_of_text(given.place)
            if place.column == columns["value"]:
                return cell_of_place(place), ()
            row = place.row
        if not row:
            row, self._next = self._next, self._next + 1
        text = name.lower() if name in SIMPLE else name
        beside = ((columns["tyre"], tyre.tyre.name), (columns["coefficient"], text))
        return self._cell(row, columns["value"]), tuple((self._cell(row, at), text) for at, text in beside)

    def unit(self, cell: CellAt) -> str:
        """What stands in the column unit beside a cell."""
        at, place = self._columns.get("unit"), place_of_text("!".join(cell))
        held = None if at is None else self._sheet.rows.get(place.row, {}).get(at)
        return "" if held is None else str(held.value).strip()
