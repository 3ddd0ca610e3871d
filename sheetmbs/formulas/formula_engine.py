"""The library that computes formulas, filled with those of one workbook and with the values that they read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sheetmbs.bounded.bounded_child import ChildEndedError
from sheetmbs.formulas.cell_contents import Area, ErrorValue, Stored, Value, WrittenBook, united
from sheetmbs.formulas.engine_terms import NOT_MADE_WORD
from sheetmbs.formulas.formula_faults import FormulaFault, exhausting, not_reached, unsupported
from sheetmbs.formulas.formula_library import FormulaLibrary
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.parsed_formula import ParsedFormula
from sheetmbs.schema.cell import Place

UNKNOWN, CIRCULAR, NOT_MADE = ErrorValue("#NAME?"), ErrorValue("#CIRC!"), ErrorValue(NOT_MADE_WORD)
SPILLED = ErrorValue("#SPILL!")
MOST_EXHAUSTING = 3
"""formulas beyond the limits that are looked for: each costs the whole time that is allowed"""


class FormulaEngine:
    """Engine that computes the formulas of a workbook.

    library: in its child process. book: the workbook. parsed: its formulas, without those that have a fault.
    filled: the cells that array formulas of others fill. in_order: gives all formulas, each behind those that it reads.
    """

    def __init__(
        self,
        library: FormulaLibrary,
        book: WrittenBook,
        parsed: Mapping[Place, ParsedFormula],
        filled: Collection[Place],
        in_order: Callable[[], list[Place]],
    ) -> None:
        self._library = library
        self._parsed = dict(parsed)
        self._in_order = in_order
        self._content, cells = _content(book, parsed)
        library.make_room(cells + len(parsed))
        self._changed: dict[Place, Value] = {}
        self._not_handed: dict[Place, Value] = {}
        self._is_computed = False
        self.exhausting: dict[Place, FormulaFault] = {}
        """those beyond the limits of memory and time, with the values that cells have now"""
        self.refused: dict[Place, FormulaFault] = {}
        """those that the library cannot even read"""
        self._filled = list(filled)
        self._handed: list[Place] = []
        self._numbers: dict[Place, int] = {}
        try:
            unread = self._begin()
        except ChildEndedError as ended:
            self.refused = dict.fromkeys(self._parsed, exhausting(ended.why))
            self._parsed.clear()
        else:
            places = list(self._parsed)
            self.refused = {places[number]: unsupported("text that cannot be read as one") for number in unread}
            self._parsed = {place: each for place, each in self._parsed.items() if place not in self.refused}

    def _begin(self, *, with_formulas: bool = True) -> list[int]:
        """Hand over the workbook. Returns the numbers of those formulas that the library cannot read.

        with_formulas: those within the limits; else none yet.
        """
        self._handed = [place for place in self._parsed if place not in self.exhausting]
        self._numbers = {place: number for number, place in enumerate((*self._handed, *self._filled))}
        texts = [self._parsed[place].text for place in self._handed] if with_formulas else []
        unread: list[int] = self._library.ask("fill", **self._content, places=list(self._numbers), texts=texts)
        self._not_handed = dict(self._changed)
        self._is_computed = False
        return unread

    def change(self, values: Mapping[Place, Value]) -> None:
        """Change cells that hold no formula."""
        self._changed.update(values)
        self._not_handed.update(values)
        self._is_computed = self._is_computed and not values

    def values(self, places: Sequence[Place]) -> list[Value]:
        """The values of cells with formulas, computed where anything that they read has changed."""
        if not self._is_computed and self.exhausting:
            self.exhausting = {}
            self._library.close()
        try:
            return self._asked(places)
        except ChildEndedError:
            self._is_computed = False
        try:
            self._find_exhausting()
            return self._asked(places)
        except ChildEndedError as ended:  # together they are beyond the limits
            self.exhausting |= dict.fromkeys(self._parsed, exhausting(ended.why))
            self._is_computed = True
            return [NOT_MADE] * len(places)

    def _asked(self, places: Sequence[Place]) -> list[Value]:
        self._hand_over_again()
        known = [place for place in places if place in self._numbers]
        asked = [self._numbers[place] for place in known]
        if self._is_computed:
            found = self._library.ask("values", asked=asked)
        else:
            found = self._library.ask("compute", cells=_cells(self._not_handed), asked=asked)
            self._is_computed = True
            self._not_handed.clear()
        taken = [each if each.__class__ is float else _taken(each) for each in found]
        if len(known) == len(places):
            return taken
        value_of = dict(zip(known, taken, strict=True))
        return [value_of.get(place, NOT_MADE) for place in places]

    def _hand_over_again(self) -> None:
        """Fill a new child where the one before has ended."""
        if not self._library.is_at_work:
            self._begin()

    def _find_exhausting(self) -> None:
        """Compute formulas one by one until every one that ends the child is known; leave them out from now on.

        All of them share the time that is allowed. Behind some that end the child, the rest is not computed.
        """
        self._parsed = {place: self._parsed[place] for place in self._in_order() if place in self._parsed}
        while True:
            place: Place | None = None
            try:
                self._library.close()
                self._begin(with_formulas=False)
                self._library.ask("change", cells=_cells(self._not_handed))
                for number, place in enumerate(self._handed):
                    text = self._parsed[place].text
                    self._library.ask("compute_one", number=number, text=text, more_time=number == 0)
            except ChildEndedError as ended:
                if place is None:
                    raise
                self.exhausting[place] = exhausting(ended.why)
                if len(self.exhausting) == MOST_EXHAUSTING:
                    ahead = self._handed[self._numbers[place] + 1 :]
                    self.exhausting |= dict.fromkeys(ahead, not_reached(list(self.exhausting)))
                    self._library.close()
                    return
            else:
                return

    def spilling(self, places: Iterable[Place]) -> set[Place]:
        """Formulas whose values are whole arrays, which fill the cells beside them. The values must be computed."""
        asked = {self._numbers[place]: place for place in places if place in self._numbers}
        if not asked or not self._library.is_at_work:
            return set()
        return {asked[number] for number in self._library.ask("spilling", asked=list(asked))}

    def unknown_functions(self, names: Iterable[str]) -> list[str]:
        """Names among some functions that the library does not know."""
        found: list[str] = self._library.ask("unknown", functions=list(names))
        return found


def _content(book: WrittenBook, parsed: Mapping[Place, ParsedFormula]) -> tuple[dict[str, Any], int]:
    """The workbook as the child takes it, but for its formulas, and how many values it holds."""
    read = _read(book, parsed)
    blocks = [
        (sheet, top, left, [list(map(_given, row)) for row in rows])
        for sheet, cells in read.items()
        for top, left, rows in _blocks(cells)
    ]
    tables = [
        (each.name, each.area.sheet, each.area[1:], each.headers, each.has_header_row, each.has_totals_row)
        for each in book.tables
    ]
    content = {"epoch_1904": book.epoch_1904, "sheets": list(book.sheets), "tables": tables, "blocks": blocks}
    return content, sum(map(len, read.values()))


def _read(book: WrittenBook, parsed: Mapping[Place, ParsedFormula]) -> dict[str, dict[tuple[int, int], Value]]:
    """By sheet, the values of all cells that formulas read, but for those of formulas."""
    areas: dict[Area, None] = {}
    for formula in parsed.values():
        areas.update(dict.fromkeys((*formula.areas, *map(whole_sheet, formula.may_read))))
    read: dict[str, dict[tuple[int, int], Value]] = {}
    for area in united(areas):
        cells = read.setdefault(area.sheet, {})
        for row, column, value in book.sheets[area.sheet].within(area):
            if (row, column) not in cells and Place(area.sheet, row, column) not in book.formulas:
                cells[row, column] = None if value is Stored.NOTHING else value
    return read


def _cells(values: Mapping[Place, Value]) -> list[tuple[str, int, int, object]]:
    return [(*place, _given(value)) for place, value in values.items()]


def _given(value: Value) -> object:
    """A value as JSON: an error is a list of its name."""
    return [value.name] if isinstance(value, ErrorValue) else value


def _taken(value: Any) -> Value:
    return ErrorValue(value[0]) if isinstance(value, list) else value


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
