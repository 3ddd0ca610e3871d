"""The cells that variables name: found, holding numbers, with the unit of the cell, of its column or of its row."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.products.varied_workbook import CellAt
from sheetmbs.schema.problem_list import ProblemList, quoted, shown
from sheetmbs.schema.validate import is_unit, number_and_unit, split_header
from sheetmbs.studies.reading.study_fields import SEPARATOR, parts_of
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_cell
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind
from sheetmbs.workbook.reading.fields import HEADER_ROW, UNITS_ROW
from sheetmbs.workbook.reading.input_table import Record


@dataclass(frozen=True)
class StudyCells:
    """The workbook as variables see it."""

    book: Book
    formulas: WorkbookFormulas

    def cell(self, at: CellAt) -> Cell | None:
        """A cell; None where it is blank."""
        place = place_of_cell(at)
        return self.book.sheets[place.sheet].rows.get(place.row, {}).get(place.column)

    def named_in(self, record: Record, column: str, report: ProblemList) -> tuple[CellAt, ...]:
        """The cells that a row names; () where one cannot vary, which is reported."""
        found: list[CellAt] = []
        place = record.place(column)
        formula = self.formulas.formula_text(place)
        if formula is not None and _resolves(self.formulas, formula):
            rule, mend = (
                "a formula gives the content of that cell, not its address",
                f"write {formula} as text, without =",
            )
            report.error("formula-for-address", place, f"={formula}", rule, mend)
            record.settle(column)
            return ()
        for text in parts_of(record.text(column)):
            try:
                cells = tuple(map(cell_of_place, self.formulas.resolve(text, place)))
            except WorkbookError as error:
                for problem in error.problems:
                    mend = f"separate several cells by {SEPARATOR}" if self._are_cells(text) else problem.mend
                    report.error(problem.code, place, problem.found, problem.problem, mend)
                return ()
            if len(cells) > 1:
                rule = f"it names {len(cells)} cells, and a range cannot vary as one cell"
                mend = f"name its cells one by one, separated by {SEPARATOR}, if they should move together"
                report.error("cell-is-range", record.place(column), quoted(text), rule, mend)
                return ()
            if not self._may_vary(cells[0], text, record, column, report):
                return ()
            found.append(cells[0])
        return tuple(found)

    def _are_cells(self, text: str) -> bool:
        """Whether a text is several cells with commas between them."""
        return "," in text and all(_resolves(self.formulas, part) for part in text.split(","))

    def _may_vary(self, at: CellAt, text: str, record: Record, column: str, report: ProblemList) -> bool:
        """Whether a cell holds a number, perhaps with its unit; reported where it does not."""
        place, cell = record.place(column), self.cell(at)
        if self.formulas.is_formula(place_of_cell(at)):
            inputs = ", ".join(map(str, self.formulas.inputs(place_of_cell(at))[:4]))
            mend = f"vary the cells that it depends on: {inputs}" if inputs else "write a number there"
            report.error(
                "formula-varies", place, quoted(text), "this cell holds a formula, which a variant cannot set", mend
            )
        elif cell is None or (cell.kind is CellKind.TEXT and not str(cell.value).strip()):
            report.error(
                "blank-varies", place, quoted(text), "this cell is blank", "write the number of the design there"
            )
        elif cell.kind is not CellKind.NUMBER and number_of(cell) is None:
            rule = f"this cell holds {shown(cell)}, and only a number can vary"
            report.error("text-varies", place, quoted(text), rule, "name a cell that holds a number")
        else:
            return True
        return False

    def number(self, at: CellAt) -> float:
        """The number in a cell, in its own unit."""
        cell = self.cell(at)
        number = None if cell is None else number_of(cell)
        return float("nan") if number is None else number

    def holds_unit(self, at: CellAt) -> bool:
        """Whether a cell holds a number with its unit, as in ``25 N/mm``."""
        return number_and_unit(_text(self.cell(at))) is not None

    def unit(self, at: CellAt) -> str:
        """The unit of a cell, ``""`` where none is given.

        It stands in the cell itself, as in ``25 N/mm``, in the column ``unit`` of its row, in the header of its column, or in
        its units row.
        """
        sheet, row, column = place_of_cell(at)
        own = number_and_unit(_text(self.cell(at)))
        if own is not None:
            return own[1]
        rows = self.book.sheets[sheet].rows
        header = _text(rows.get(HEADER_ROW, {}).get(column))
        named = {_text(cell).casefold(): place for place, cell in rows.get(HEADER_ROW, {}).items()}
        beside = _text(rows.get(row, {}).get(named["unit"])) if "unit" in named else ""
        for text in (
            beside,
            split_header(header)[1] or "",
            _text(rows.get(UNITS_ROW, {}).get(column)) if row > 2 else "",
        ):
            if text and is_unit(text):
                return text
        return ""


def number_of(cell: Cell) -> float | None:
    """The number in a cell, with a unit behind it or without; None where there is none."""
    if cell.kind is CellKind.NUMBER:
        return float(cell.value)
    parts = number_and_unit(_text(cell))
    return None if parts is None else parts[0]


def _resolves(formulas: WorkbookFormulas, text: str) -> bool:
    """Whether a text is an address or a defined name."""
    try:
        return bool(formulas.resolve(text))
    except WorkbookError:
        return False


def _text(cell: Cell | None) -> str:
    return str(cell.value).strip() if cell is not None and cell.kind is CellKind.TEXT else ""
