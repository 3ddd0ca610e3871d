"""The formulas of a workbook at work: set cells, ask for values, compare them with those in the file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sheetmbs.formulas.cell_contents import Area, ErrorValue, Stored, Value, WrittenBook, as_value, united
from sheetmbs.formulas.dependencies import Dependencies, OrderedPlaces
from sheetmbs.formulas.formula_engine import CIRCULAR, NOT_MADE, SPILLED, UNKNOWN, FormulaEngine
from sheetmbs.formulas.formula_faults import ENTER, FormulaFault, too_large, unsupported
from sheetmbs.formulas.formula_library import FormulaLibrary
from sheetmbs.formulas.named_cells import NamedCells
from sheetmbs.formulas.parsed_formula import FormulaParser, ParsedFormula
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import Place
from sheetmbs.schema.names import RESULT_SHEETS

MAX_RELATIVE_DIFFERENCE = 1e-9
"""relative difference up to which two values are the same"""
MAX_CANCELLED_DIFFERENCE = 1e-13
"""the same as a part of the largest number that goes into the formula: where numbers cancel, spreadsheets round to zero"""

RECALCULATE = "open the workbook in a spreadsheet program, let it calculate everything, and save it"


def is_same(computed: Value, stored: Value | Stored, inputs: Iterable[Value | Stored]) -> bool:
    """Whether a value is that which is in the file. inputs: what the formula reads, and the numbers in it."""
    if isinstance(computed, float) and isinstance(stored, float):
        difference = abs(computed - stored)
        if difference <= MAX_RELATIVE_DIFFERENCE * max(abs(computed), abs(stored)):
            return True
        largest = max((abs(each) for each in inputs if isinstance(each, float)), default=0.0)
        return difference <= MAX_CANCELLED_DIFFERENCE * largest
    return type(computed) is type(stored) and computed == stored


def in_words(value: Value | Stored) -> str:
    """A value as messages name it."""
    if value is Stored.NOTHING or value is None:
        return "nothing"
    if isinstance(value, ErrorValue):
        return f"the error {value.name}"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return f"{value:.15g}" if isinstance(value, float) else f"the text '{value}'"


class WorkbookFormulas:
    """All formulas of a workbook. Cells are places: sheet, row, column.

    book: the workbook. A formula that cannot be computed here hurts nobody as long as nothing is asked that depends on it;
    `check` tells.
    """

    def __init__(self, book: WrittenBook) -> None:
        self._book = book
        self._sheet_numbers = {name: number for number, name in enumerate(book.sheets)}
        library = FormulaLibrary(len(book.formulas))
        parser = FormulaParser(book, library, (formula.text for formula in book.formulas.values()))
        written = {place: formula for place, formula in book.formulas.items() if formula.fills is None}
        self._fills = {place: formula.fills for place, formula in book.formulas.items() if formula.fills is not None}
        self._parsed = {place: parser.parse(formula.text, place) for place, formula in written.items()}
        self._faults = {place: parsed.fault for place, parsed in self._parsed.items() if parsed.fault is not None}
        for place, formula in written.items():
            if formula.is_data_table:
                self._faults[place] = unsupported("a what-if table")
            elif formula.fills_too_many:
                self._faults[place] = too_large("a range to fill that is too large")
            elif self._parsed[place].range_in and self.is_unknown(place):
                what = f"the function {self._parsed[place].range_in} of a range or an array"
                self._faults.setdefault(place, unsupported(what, "it is computed here of one value only"))
            elif self._parsed[place].takes_one_of_many and formula.array is None and self.is_unknown(place):
                rule = "which one it takes is not computed here"
                self._faults.setdefault(place, unsupported("a range where one value belongs", rule))
            elif formula.array is not None and formula.array.size == 1:
                self._parsed[place] = replace(self._parsed[place], text=f"=INDEX({self._parsed[place].text[1:]},1,1)")
        self._graph = Dependencies(self._parsed, self._fills)
        sound = {place: parsed for place, parsed in self._parsed.items() if place not in self._faults}
        self._engine = FormulaEngine(library, book, sound, self._fills, self._graph.in_order)
        self._faults |= self._engine.refused
        self._known = {place: place for place in (*sound, *self._fills) if place not in self._faults}
        self._named = NamedCells(book)
        self._set: dict[Place, Value] = {}
        self._not_judged = self._graph.untaken()
        self._judged: dict[Place, FormulaFault | None] = {}
        self._computed: dict[Place, Value] = {}
        self._at = {str(place): place for place in book.formulas}

    @property
    def places(self) -> Collection[Place]:
        """All cells that hold a formula, or are filled by one."""
        return self._book.formulas.keys()

    def is_formula(self, place: Place) -> bool:
        """Whether a cell holds a formula, or is filled by an array formula."""
        return place in self._book.formulas

    def formula_text(self, place: Place) -> str | None:
        """The formula of a cell, without the equals sign; None where it holds none."""
        return self._book.formulas[place].text if self.is_formula(place) else None

    def resolve(self, text: str, asked_at: Place | None = None) -> list[Place]:
        """The cells that an address (``Dimensions!B3``, ``Dimensions!B3:B5``) or a defined name stands for.

        asked_at: the cell in which the text stands. Raises WorkbookError with a sentence where it stands for none.
        """
        return self._named.resolve(text, asked_at)

    def dependents(self, *places: Place) -> frozenset[Place]:
        """All formulas whose values may change when some cells do, through others too."""
        return self._graph.dependents(places)

    def ranges_behind(self, place: Place) -> list[Area]:
        """Every range that goes into a formula, through others too: whole sheets where it finds out later where to look."""
        return list(self._graph.areas_behind(place))

    def held(self, area: Area) -> Iterator[Place]:
        """The cells of a range that hold something in the file."""
        return (Place(area.sheet, row, column) for row, column, _ in self._book.sheets[area.sheet].within(area))

    def precedents(self, place: Place) -> set[Place]:
        """All cells that hold something and go into a formula, through others too."""
        return {each for area in united(self._graph.areas_behind(place)) for each in self.held(area)}

    def inputs(self, place: Place) -> list[Place]:
        """The cells that hold no formula and go into one, in the order of the sheets."""
        return sorted((each for each in self.precedents(place) if not self.is_formula(each)), key=self._order)

    def stored(self, place: Place) -> Value | Stored:
        """The value of a cell as it is in the file."""
        return self._book.stored(place)

    def set_values(self, values: Mapping[Place, Value]) -> None:
        """Change cells that hold no formula. None empties a cell. The engine hears of it when a formula is asked for."""
        self._set.update(values)
        self._engine.change(values)

    def values(self, places: Sequence[Place]) -> list[Value]:
        """The values of cells; formulas are computed again where anything that they read has changed.

        A formula that cannot be computed gives an `ErrorValue`.
        """
        asked = [place for place in places if place in self._known]
        computed = dict(zip(asked, self._engine.values(asked), strict=True)) if asked else {}
        exhausting = self._engine.exhausting
        if exhausting:
            computed |= dict.fromkeys((*exhausting, *self.dependents(*exhausting)), NOT_MADE)
        return [computed[place] if place in computed else self._plain(place) for place in places]

    def _plain(self, place: Place) -> Value:
        if place in self._faults:
            return NOT_MADE
        if place in self._set:
            return self._set[place]
        return as_value(self._book.stored(place))

    def check(self, places: Iterable[Place]) -> list[Problem]:
        """What is wrong with the formulas among some cells and with all that they read; empty: their values come out here.

        The engine must hold the values of the file: call it before `set_values`.
        """
        asked = list(places)
        self._judge(self._graph.formulas_behind(asked, self._not_judged))
        if not any(self._judged.values()):
            return []
        behind = sorted(self._graph.formulas_behind(asked), key=self._order)
        wrong = {place: fault for place in behind if (fault := self._judged[place]) is not None}
        bad = OrderedPlaces(wrong)
        first = {place for place in wrong if self._graph.reads_any(place, bad) is None}
        circular = [place for place in wrong if self._computed[place] == CIRCULAR]
        if circular:
            first.update(sorted(self._graph.circle(circular[0], OrderedPlaces(circular)), key=self._order)[:1])
        return [fault.at(place) for place, fault in wrong.items() if place in first]

    def _judge(self, formulas: Sequence[Place]) -> None:
        """Find out of some formulas, not judged before, what is wrong with each."""
        self._computed.update(zip(formulas, self.values(formulas), strict=True))
        many = self._engine.spilling(place for place in formulas if self.is_unknown(place) and self._is_single(place))
        self._judged.update((place, self._fault(place, is_many=place in many)) for place in formulas)

    def count_unknown(self, places: Iterable[Place]) -> int:
        """How many of some cells, and of all that they read, hold a formula whose value is not in the file."""
        return sum(map(self.is_unknown, self._graph.formulas_behind(places)))

    def trusted(self, places: Iterable[Place]) -> tuple[dict[Place, Value], dict[Place, Problem]]:
        """The values of those formulas that come out here as in the file, with all that they read; and why others do not.

        A formula is also among the others where something that it reads is.
        """
        asked = list(places)
        wrong = self.check(asked)
        spoilt: dict[Place, Problem] = {}
        search = self._graph.search()
        for problem in wrong:
            root = self._at[problem.cell]
            for place in (root, *search.reach([root])):
                spoilt.setdefault(place, problem)
        sound = [place for place in asked if place not in spoilt]
        refused = {place: spoilt[place] for place in asked if place in spoilt}
        return dict(zip(sound, self.values(sound), strict=True)), refused

    def filled_by(self, places: Iterable[Place]) -> list[Place]:
        """The cells without a value in the file that array formulas in some places fill."""
        anchors = set(places)
        return [place for place, anchor in self._fills.items() if anchor in anchors and self.is_unknown(place)]

    def is_unknown(self, place: Place) -> bool:
        """Whether the value of a formula is not in the file."""
        return self._book.stored(place) is Stored.NOTHING

    def _order(self, place: Place) -> tuple[int, int, int]:
        return (self._sheet_numbers[place.sheet], place.row, place.column)

    def _fault(self, place: Place, *, is_many: bool) -> FormulaFault | None:
        computed = self._computed[place]
        known = self._faults.get(place) or self._engine.exhausting.get(place)
        if known is not None:
            return known
        parsed = self._parsed.get(place)
        if parsed is not None and parsed.volatile is not None:
            return parsed.volatile
        stored = self._book.stored(place)
        if stored is not Stored.NOTHING and self._is_same(computed, stored, parsed):
            return None
        if self._is_of_before(place) and not isinstance(computed, ErrorValue):
            return None
        if computed == CIRCULAR:
            return FormulaFault("formula-circular", "a formula that leads back to itself", "it has no value", ENTER)
        if computed in (UNKNOWN, NOT_MADE) and parsed is not None:
            which = self._engine.unknown_functions(parsed.functions)[:1] or list(parsed.functions)
            return unsupported(f"the function {' or '.join(which)}" if which else "what is not known here")
        if computed == SPILLED or (stored is Stored.NOTHING and is_many):
            return unsupported("a whole array as its value", "a cell holds one value")
        if stored is Stored.NOTHING and not isinstance(computed, ErrorValue):
            return None
        if stored is Stored.NOTHING:
            return FormulaFault(
                "formula-error", f"a formula that gives {in_words(computed)}", "an error is not a value", ENTER
            )
        called = ", ".join(parsed.functions) if parsed is not None else ""
        found = f"{in_words(stored)}, but its formula gives {in_words(computed)}" + (
            f" (by {called})" if called else ""
        )
        rule = "the value in the file is not that of the formula, so formulas cannot be trusted here"
        return FormulaFault("formula-differs", found, rule, RECALCULATE)

    def _is_of_before(self, place: Place) -> bool:
        """Whether a formula's value may be of the results before: a run has written others, and no program opened them yet."""
        return self._book.zeros_are_guesses and self.reads_results(place)

    def reads_results(self, place: Place) -> bool:
        """Whether a formula reads a result sheet, through others too."""
        return place in self._reading_results

    @cached_property
    def _reading_results(self) -> frozenset[Place]:
        """All formulas that read result sheets, themselves or through others: found once, for every one of them is asked."""
        themselves = [place for place, parsed in self._parsed.items() if _reads_results(parsed)]
        return self._graph.dependents(themselves).union(themselves)

    def _is_single(self, place: Place) -> bool:
        """Whether a cell holds a formula that is no array formula."""
        return place in self._parsed and self._book.formulas[place].array is None

    def _is_same(self, computed: Value, stored: Value | Stored, parsed: ParsedFormula | None) -> bool:
        """Whether a value is that in the file. What the formula reads is looked at only where that can matter."""
        if is_same(computed, stored, ()):
            return True
        if not is_same(computed, stored, (self._largest,)):
            return False
        return is_same(computed, stored, self._read_by(parsed))

    @cached_property
    def _largest(self) -> float:
        """The largest number of all that formulas read as it is in the file."""
        areas = united(area for parsed in self._parsed.values() for area in parsed.areas)
        values = (value for area in areas for _row, _column, value in self._book.sheets[area.sheet].within(area))
        written = (number for parsed in self._parsed.values() for number in parsed.numbers)
        return max((abs(each) for each in (*values, *written) if isinstance(each, float)), default=0.0)

    def _read_by(self, parsed: ParsedFormula | None) -> Iterable[Value | Stored]:
        """What goes into a formula, for its size."""
        if parsed is None:
            return
        yield from parsed.numbers
        for area in parsed.areas:
            for row, column, value in self._book.sheets[area.sheet].within(area):
                yield self._computed.get(Place(area.sheet, row, column), value)


def _reads_results(parsed: ParsedFormula) -> bool:
    """Whether a formula itself reads a result sheet."""
    sheets = (*(area.sheet for area in parsed.areas), *parsed.may_read)
    return any(sheet.casefold().startswith(RESULT_SHEETS) for sheet in sheets)
