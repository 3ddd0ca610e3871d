"""The library that computes formulas, filled with those of one workbook and with the values that they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from formualizer import EvaluationConfig, ExcelEvaluationError, LiteralValue, WorkbookConfig
from formualizer import Workbook as EngineBook

from sheetmbs.formulas.cell_contents import Area, ErrorValue, Stored, Value, WrittenBook
from sheetmbs.formulas.formula_faults import FormulaFault, unsupported
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.matrix_functions import register_matrix_functions
from sheetmbs.formulas.parsed_formula import ParsedFormula
from sheetmbs.schema.places import Place

ERRORS = {
    "#DIV/0!": "Div",
    "#N/A": "Na",
    "#NAME?": "Name",
    "#NULL!": "Null",
    "#NUM!": "Num",
    "#REF!": "Ref",
    "#VALUE!": "Value",
    "#SPILL!": "Spill",
    "#CALC!": "Calc",
    "#CIRC!": "Circ",
    "#N/IMPL!": "NImpl",
}
"""the engine's words for errors by those of spreadsheets; the last two are its own"""
UNKNOWN, CIRCULAR, NOT_MADE = ErrorValue("#NAME?"), ErrorValue("#CIRC!"), ErrorValue("#N/IMPL!")
SPILLED = ErrorValue("#SPILL!")
_ERROR_NAMES = {kind: ErrorValue(name) for name, kind in ERRORS.items()}


class FormulaEngine:
    """Computes formulas. refused: those that it cannot even read, and why.

    book: the workbook. parsed: its formulas, without those that have a fault.
    """

    def __init__(self, book: WrittenBook, parsed: Mapping[Place, ParsedFormula]) -> None:
        self._book = _empty_book(epoch_1904=book.epoch_1904)
        self._is_computed = False
        self.refused: dict[Place, FormulaFault] = {}
        for sheet in book.sheets:
            self._book.add_sheet(sheet)
        self._fill(book, parsed)
        for table in book.tables:
            top, left, bottom, right = table.area[1:]
            self._book.add_table(
                table.name,
                table.area.sheet,
                (top, left, bottom, right),
                list(table.headers),
                header_row=table.has_header_row,
                totals_row=table.has_totals_row,
            )
        for place, formula in parsed.items():
            try:
                self._book.set_formula(*place, formula.text)
            except (RuntimeError, ValueError, ExcelEvaluationError):
                self.refused[place] = unsupported("text that cannot be read")

    def _fill(self, book: WrittenBook, parsed: Mapping[Place, ParsedFormula]) -> None:
        """Hand over the values of all cells that formulas read, but for those of formulas."""
        areas: dict[Area, None] = {}
        for formula in parsed.values():
            areas.update(dict.fromkeys((*formula.areas, *map(whole_sheet, formula.may_read))))
        read: dict[str, dict[tuple[int, int], Value]] = {}
        for area in areas:
            cells = read.setdefault(area.sheet, {})
            for row, column, value in book.sheets[area.sheet].within(area):
                if (row, column) not in cells and Place(area.sheet, row, column) not in book.formulas:
                    cells[row, column] = None if value is Stored.NOTHING else value
        for sheet, cells in read.items():
            for top, left, rows in _blocks(cells):
                self._book.set_values_batch(sheet, top, left, [list(map(_given, row)) for row in rows])

    def set(self, place: Place, value: Value) -> None:
        """Change a cell that holds no formula."""
        self._book.set_value(*place, _given(value))
        self._is_computed = False

    def values(self, places: Sequence[Place]) -> list[Value]:
        """The values of cells with formulas, computed where anything that they read has changed."""
        if not self._is_computed:
            self._compute()
        value_of = self._book.get_value  # computing asked cells one by one takes ten times as long for each
        found = [value_of(sheet, row, column) for sheet, row, column in places]
        return [each if each.__class__ is float else _taken(each) for each in found]

    def _compute(self) -> None:
        self._book.evaluate_all()
        self._is_computed = True

    def fills_others(self, place: Place) -> bool:
        """Whether the value of a formula is a whole array, which fills the cells beside it."""
        spill = self._book.inspect_cell(_address(place), include_values=False).cell.spill
        return spill is not None


def unknown_functions(names: Iterable[str]) -> list[str]:
    """Those of some functions that the engine does not know."""
    book = _empty_book(epoch_1904=False)
    book.add_sheet("S")
    unknown = []
    for name in names:
        book.set_formula("S", 1, 1, f"={name}()")
        if _taken(book.evaluate_cell("S", 1, 1)) == UNKNOWN:
            unknown.append(name)
    return unknown


def _empty_book(*, epoch_1904: bool) -> EngineBook:
    config = EvaluationConfig()
    config.enable_parallel = False  # studies have a process on every core
    if epoch_1904:
        config.date_system = "1904"
    book = EngineBook(config=WorkbookConfig(eval_config=config))
    book.set_temporal_egress("serial")
    book.set_changelog_enabled(False)  # it would keep every value of every variant, for undoing
    register_matrix_functions(book)
    return book


def _address(place: Place) -> str:
    quoted = place.sheet.replace("'", "''")
    return f"'{quoted}'!{str(place).rpartition('!')[2]}"


def _given(value: Value) -> object:
    return LiteralValue.error(ERRORS.get(value.name, "Value"), None) if isinstance(value, ErrorValue) else value


def _taken(value: object) -> Value:
    if isinstance(value, bool | str | float) or value is None:
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, dict):
        return _ERROR_NAMES.get(str(value.get("kind")), NOT_MADE)
    return NOT_MADE


def _blocks(cells: Mapping[tuple[int, int], Value]) -> list[tuple[int, int, list[list[Value]]]]:
    """Cells as rectangles without holes: first row, first column, and the values row by row."""
    blocks: list[tuple[int, int, list[list[Value]]]] = []
    open_blocks: dict[tuple[int, int], tuple[int, int, list[list[Value]]]] = {}
    for row, places in groupby(sorted(cells), key=lambda place: place[0]):
        going_on: dict[tuple[int, int], tuple[int, int, list[list[Value]]]] = {}
        for _run, group in groupby(enumerate(column for _row, column in places), key=lambda each: each[1] - each[0]):
            columns = [column for _number, column in group]
            ends, values = (columns[0], columns[-1]), [cells[row, column] for column in columns]
            block = open_blocks.get(ends)
            if block is None or block[0] + len(block[2]) != row:
                block = (row, columns[0], [])
                blocks.append(block)
            block[2].append(values)
            going_on[ends] = block
        open_blocks = going_on
    return blocks
