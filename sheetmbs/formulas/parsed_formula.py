"""What a formula reads and calls, and its text with the names in it replaced by what they stand for."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sheetmbs.bounded.bounded_child import ChildEndedError
from sheetmbs.formulas.cell_contents import Area, DefinedName, WrittenBook, WrittenTable
from sheetmbs.formulas.engine_terms import BOUNDED_TEXT, LENGTHENING, LONGEST_FORMULA, FormulaToken
from sheetmbs.formulas.formula_faults import (
    VOLATILE,
    FormulaFault,
    exhausting,
    no_sheet,
    too_large,
    undefined,
    unsupported,
    volatile,
)
from sheetmbs.formulas.formula_library import FormulaLibrary
from sheetmbs.formulas.formula_references import Reference, SheetNames, area_of, area_of_table, as_text, split_reference
from sheetmbs.schema.cell import Place
from sheetmbs.schema.names import RESULT_SHEETS

MOST_NESTED = 20
"""names that stand for formulas with names, and so on"""
SLOT = "\0"
"""for an operand in the text of a template, in which no such character can stand"""
VARIABLE = "_xlpm."
"""before the variables of LET and LAMBDA in the file"""
WITH_VARIABLES = {"LET", "LAMBDA"}
PREFIXES = ("_XLFN.", "_XLWS.")
BY_ARRAY = {"SUMPRODUCT", "MMULT", "MDETERM", "MINVERSE", "TRANSPOSE", "LOOKUP", "FREQUENCY", "INDEX", "MATCH"}
"""functions that compute with whole ranges wherever they stand"""
COMPARISONS = {"=", "<>", "<", ">", "<=", ">="}
"""operators that bind less than &"""
OF_RANGES = frozenset(
    (  # noqa: SIM905 - a list would take a hundred lines
        "SUM SUMSQ PRODUCT AVERAGE AVERAGEA MIN MINA MAX MAXA COUNT COUNTA COUNTBLANK MEDIAN MODE MODE.SNGL "
        "MODE.MULT STDEV STDEV.S STDEV.P STDEVA STDEVP STDEVPA VAR VAR.S VAR.P VARA VARP VARPA AVEDEV DEVSQ "
        "GEOMEAN HARMEAN SKEW SKEW.P KURT TRIMMEAN SUMPRODUCT SUMX2MY2 SUMX2PY2 SUMXMY2 MMULT MDETERM MINVERSE "
        "TRANSPOSE LOOKUP VLOOKUP HLOOKUP XLOOKUP MATCH XMATCH INDEX OFFSET CHOOSE ROWS COLUMNS AREAS RANK RANK.EQ "
        "RANK.AVG LARGE SMALL PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE QUARTILE.INC QUARTILE.EXC "
        "PERCENTRANK PERCENTRANK.INC PERCENTRANK.EXC CORREL PEARSON COVAR COVARIANCE.S COVARIANCE.P SLOPE "
        "INTERCEPT RSQ STEYX FORECAST FORECAST.LINEAR TREND LINEST LOGEST GROWTH FREQUENCY TEXTJOIN CONCAT AND OR "
        "XOR SUBTOTAL AGGREGATE NPV IRR MIRR XNPV XIRR SERIESSUM FILTER SORT SORTBY UNIQUE TAKE DROP CHOOSECOLS "
        "CHOOSEROWS HSTACK VSTACK TOROW TOCOL LET LAMBDA SIN COS TAN ATAN2 COUNTIF COUNTIFS SUMIF SUMIFS AVERAGEIF "
        "AVERAGEIFS MAXIFS MINIFS"
    ).split()
)
"""Functions to which a range may be given. The engine computes all others of the first value alone, or not at all: LEN of three
texts is the length of one. SIN, COS, TAN and ATAN2 of ranges were compared with LibreOffice and are right."""
MAX_ARGUMENTS = 255
"""arguments of a function in Excel"""
ONE_VALUE_ARGUMENTS: Mapping[str, Container[int]] = (
    dict.fromkeys(("LARGE", "SMALL", "PERCENTILE", "PERCENTILE.INC", "PERCENTILE.EXC", "TRIMMEAN"), (1,))
    | dict.fromkeys(
        ("QUARTILE", "QUARTILE.INC", "QUARTILE.EXC", "PERCENTRANK", "PERCENTRANK.INC", "PERCENTRANK.EXC"), (1, 2)
    )
    | dict.fromkeys(("LOOKUP", "XLOOKUP", "XMATCH", "FORECAST", "FORECAST.LINEAR", "SUBTOTAL", "CHOOSE", "NPV"), (0,))
    | dict.fromkeys(("VLOOKUP", "HLOOKUP"), (0, 2, 3))
    | dict.fromkeys(("RANK", "RANK.EQ", "RANK.AVG", "MATCH"), (0, 2))
    | dict.fromkeys(("COUNTIF", "COUNTIFS", "SUMIF", "AVERAGEIF"), range(1, MAX_ARGUMENTS, 2))
    | dict.fromkeys(("SUMIFS", "AVERAGEIFS", "MAXIFS", "MINIFS"), range(2, MAX_ARGUMENTS, 2))
    | {"AGGREGATE": (0, 1), "INDEX": (1, 2), "OFFSET": (1, 2, 3, 4)}
)
"""Arguments, counted from 0, that are one value in functions which take ranges elsewhere: keys, places, criteria."""
ARRAYS = frozenset(
    (  # noqa: SIM905 - one line for each
        "TRANSPOSE MMULT MINVERSE OFFSET INDIRECT FREQUENCY LINEST TREND FILTER SORT SORTBY UNIQUE SEQUENCE RANDARRAY "
        "CHOOSECOLS CHOOSEROWS HSTACK VSTACK"
    ).split()
)
"""Functions that give an array, or may."""
BY_ELEMENT = {"IF", "IFERROR", "REPT", "SUBSTITUTE"}
"""functions that are computed here for each element of a range, so that a range may pass through them"""
LONGEST_EXPANDED = 8 * LONGEST_FORMULA
"""characters of a formula with all names replaced: names that stand for names could double it again and again"""

MOST_EXPANDED = 1 << 26
"""characters of names that all formulas of a workbook are given in place of them"""


@dataclass(frozen=True, slots=True)
class ParsedFormula:
    """A formula that was read.

    text: with the equals sign, ready for the engine. areas: what it reads. may_read: sheets of which it may read any cell,
    since it finds out where to look only when it is computed. numbers: those that stand in it. takes_one_of_many: a range
    stands where one value is needed, of which a spreadsheet program takes the one in the formula's row or column.
    range_in: a function of one value in which a range or an array stands, "" where there is none.
    fault: why it cannot be computed here. volatile: the same, where its value is another one each time.
    """

    text: str
    areas: tuple[Area, ...]
    may_read: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    takes_one_of_many: bool = False
    range_in: str = ""
    fault: FormulaFault | None = None
    volatile: FormulaFault | None = None


@dataclass
class _Found:
    """What is found while the tokens of a formula are walked through. row: in which it stands."""

    row: int
    areas: dict[Area, None] = field(default_factory=dict)
    may_read: dict[str, None] = field(default_factory=dict)
    functions: dict[str, None] = field(default_factory=dict)
    numbers: list[float] = field(default_factory=list)
    operand: Area | None = None
    reaches: bool = False
    takes_one_of_many: bool = False
    range_in: str = ""
    fault: FormulaFault | None = None
    volatile: FormulaFault | None = None
    length: int = 0

    def refuse(self, fault: FormulaFault) -> None:
        """Keep the first fault."""
        self.fault = self.fault or fault


class FormulaParser:
    """Reads the formulas of one workbook. library: what takes texts apart. texts: those that will be read."""

    def __init__(self, book: WrittenBook, library: FormulaLibrary, texts: Iterable[str]) -> None:
        self._sheets = SheetNames(book.sheets)
        self._names: Mapping[tuple[str, str | None], DefinedName] = {
            (name.name.casefold(), name.sheet and name.sheet.casefold()): name for name in book.names
        }
        self._tables: Mapping[str, WrittenTable] = {table.name.casefold(): table for table in book.tables}
        wanted = list(dict.fromkeys((*texts, *(name.text for name in book.names))))
        short = [text for text in wanted if len(text) <= LONGEST_FORMULA]
        self._left = MOST_EXPANDED
        self._unread = unsupported("text that cannot be read as one")
        self._formulas: Mapping[str, list[Any] | None] = {}
        self._templates: list[_Template] = []
        try:
            templates, formulas = library.templates(short)
        except ChildEndedError as ended:
            self._unread = exhausting(ended.why)
        else:
            self._templates = list(map(_template, templates))
            self._formulas = dict(zip(short, formulas, strict=True))

    def parse(self, text: str, place: Place) -> ParsedFormula:
        """Read a formula, without its equals sign, of a cell."""
        sheet, found = place.sheet, _Found(place.row)
        expanded = self._expand(text, sheet, found, ())
        if found.reaches:
            found.may_read.update({area.sheet: None for area in found.areas} or {sheet: None})
        return ParsedFormula(
            f"={expanded}",
            tuple(found.areas),
            tuple(found.may_read),
            tuple(found.functions),
            tuple(found.numbers),
            found.takes_one_of_many,
            found.range_in,
            found.fault,
            found.volatile,
        )

    def _expand(self, text: str, sheet: str, found: _Found, within: tuple[str, ...]) -> str:
        """The text with its names replaced, and what may become too long a text looked at. within: the names that lead here."""
        found.length += len(text)
        self._left -= len(text) if within else 0
        if found.length > LONGEST_EXPANDED or len(text) > LONGEST_FORMULA or self._left < 0:
            found.refuse(too_large(f"more than {LONGEST_FORMULA:,} characters"))
            return text
        formula = self._formulas.get(text)
        if formula is None:
            found.refuse(self._unread)
            return text
        template = self._templates[formula[0]]
        filled = self._filled(template, formula[1:], sheet, found, within)
        if template.fault is not None:
            found.refuse(template.fault)
        return filled

    def _filled(
        self, template: _Template, operands: list[str], sheet: str, found: _Found, within: tuple[str, ...]
    ) -> str:
        """A template with its operands, each as the engine takes it. What is read and called is noted."""
        is_lambda = bool(WITH_VARIABLES & found.functions.keys())
        found.functions |= template.functions
        found.volatile = found.volatile or template.volatile
        found.reaches = found.reaches or template.reaches
        if template.reads_anything:
            found.may_read.update(dict.fromkeys(self._sheets))
        pieces = [template.pieces[0]]
        variable_in, binds_array = "", template.binds_array
        for slot, operand in zip(template.slots, operands, strict=True):
            if slot.fault is not None:
                found.refuse(slot.fault)
            if slot.is_number:
                found.numbers.append(float(operand))
                if slot.whole_array_in and float(operand) == 0.0:
                    found.range_in = found.range_in or slot.whole_array_in
                pieces.append(operand)
            else:
                pieces.append(
                    self._operand(operand, sheet, found, within, has_variables=is_lambda or slot.has_variables)
                )
                is_range = found.operand is not None and found.operand.size > 1
                if is_range and not (within and template.is_operand_alone):  # else it is judged where the name stands
                    found.range_in = found.range_in or slot.function_of_one_value
                    found.takes_one_of_many = found.takes_one_of_many or slot.is_one_of_many
                binds_array = binds_array or (is_range and slot.is_bound)
                if found.operand is None and slot.has_variables:
                    variable_in = variable_in or slot.function_of_one_value
            pieces.append(template.pieces[len(pieces) // 2])
        found.range_in = found.range_in or template.array_in
        if binds_array:
            found.range_in = found.range_in or variable_in
        return "".join(pieces)

    def _operand(self, text: str, sheet: str, found: _Found, within: tuple[str, ...], *, has_variables: bool) -> str:
        """A reference or a name, as the engine takes it. What it reads is noted."""
        reference = split_reference(text)
        found.operand = None
        if reference.is_external:
            found.refuse(unsupported(f"the reference {text}", "it points into another workbook"))
        elif reference.is_over_sheets:
            found.refuse(unsupported(f"the reference {text}", "references over several sheets are not computed here"))
        elif "[" in reference.rest or self._is_table(reference, sheet):
            return self._cells_of_table(reference, text, found)
        else:
            return self._cells_or_name(reference, text, sheet, found, within, has_variables=has_variables)
        return text

    def _cells_or_name(
        self,
        reference: Reference,
        text: str,
        sheet: str,
        found: _Found,
        within: tuple[str, ...],
        *,
        has_variables: bool,
    ) -> str:
        there = sheet if reference.sheet is None else self._sheets.find(reference.sheet)
        if there is None:
            found.refuse(no_sheet(text, is_of_results=(reference.sheet or "").casefold().startswith(RESULT_SHEETS)))
            return text
        known = area_of(there, reference.rest)
        if known is not None:
            area, is_fixed = known
            if within and not (is_fixed and reference.sheet):
                rule = "it changes with the cell that uses it; its references need dollar signs and a sheet"
                found.refuse(unsupported(f"the name {within[-1]}", rule))
            found.areas.setdefault(area)
            found.operand = area
            return as_text(area)
        name = self._name(reference, sheet)
        if name is None:
            if not (text.startswith(VARIABLE) or has_variables):
                found.refuse(undefined(text))
            return text
        if name.name in within or len(within) == MOST_NESTED:
            found.refuse(unsupported(f"the name {name.name}", "it leads back to itself"))
            return text
        meant = self._expand(name.text, name.sheet or sheet, found, (*within, name.name))
        if area_of("", split_reference(meant).rest) is not None:
            return meant
        found.operand = None
        return f"({meant})"

    def _name(self, reference: Reference, sheet: str) -> DefinedName | None:
        wanted = reference.rest.casefold()
        own = (reference.sheet or sheet).casefold()
        return self._names.get((wanted, own)) or self._names.get((wanted, None))

    def _is_table(self, reference: Reference, sheet: str) -> bool:
        """Whether a name alone is that of a table."""
        is_known = reference.rest.casefold() in self._tables and reference.sheet is None
        return is_known and self._name(reference, sheet) is None

    def _cells_of_table(self, reference: Reference, text: str, found: _Found) -> str:
        """A reference to a table as one to its cells: the engine takes the latter in every function."""
        name, bracket, rest = reference.rest.partition("[")
        table = self._tables.get(name.casefold())
        if table is None:
            found.refuse(unsupported(f"the reference {text}", "there is no such table"))
            return text
        area = area_of_table(table, bracket + rest, found.row)
        if area is None:
            found.refuse(unsupported(f"the reference {text}", f"the table {table.name} has no such cells"))
            return text
        found.areas.setdefault(area)
        found.operand = area
        return as_text(area)


@dataclass(slots=True)
class _OpenBracket:
    """A bracket that is open. begin: its part. function: which it belongs to, "" for none. argument: its number, from 0."""

    begin: int
    function: str
    argument: int = 0

    @property
    def takes_one_value(self) -> bool:
        """Whether the function takes one value in this argument."""
        return self.function not in OF_RANGES or self.argument in ONE_VALUE_ARGUMENTS.get(self.function, ())


class _WrittenFormula:
    """A formula that is written again piece by piece, with `BOUNDED_TEXT` around what may be a longer text than a cell holds.

    That is each chain of texts joined by ``&``, which binds more than comparisons only, and each function that lengthens
    texts. calls: the functions that are open.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open = [_OpenBracket(0, "")]
        self._begin, self._is_joined = 0, False
        self._outside: list[tuple[int, bool]] = []

    @property
    def calls(self) -> list[str]:
        """The functions that are open."""
        return [each.function for each in self._open if each.function]

    @property
    def takes_one_value(self) -> str:
        """The open function that takes one value here, "" where there is none."""
        inner = next((each for each in reversed(self._open) if each.function and each.function not in BY_ELEMENT), None)
        return inner.function if inner is not None and inner.takes_one_value else ""

    @property
    def whole_array_in(self) -> str:
        """The function of one value around the INDEX whose row or column is written here, "" where there is none."""
        inner = self._open[-1]
        if inner.function != "INDEX" or inner.argument == 0:
            return ""
        self._open.pop()
        around = self.takes_one_value
        self._open.append(inner)
        return around

    @property
    def text(self) -> str:
        self._end_chain()
        return "".join(self._parts)

    def add(self, text: str) -> None:
        self._parts.append(text)
        self._is_joined = self._is_joined or text == "&"

    def open(self, text: str, function: str = "") -> None:
        """Open a bracket, or a function with its bracket."""
        self._open.append(_OpenBracket(len(self._parts), function))
        self._outside.append((self._begin, self._is_joined))
        self._parts.append(text)
        self._begin, self._is_joined = len(self._parts), False

    def separate(self, text: str, *, is_argument: bool) -> None:
        """Go on behind a comparison, or behind the comma of an argument."""
        self._end_chain()
        self._open[-1].argument += is_argument
        self._parts.append(text)
        self._begin, self._is_joined = len(self._parts), False

    def close(self, text: str) -> None:
        """Close what was opened last."""
        self._end_chain()
        self._parts.append(text)
        if self._outside:
            closed = self._open.pop()
            self._begin, self._is_joined = self._outside.pop()
            if closed.function in LENGTHENING:
                self._bound(closed.begin)

    def _end_chain(self) -> None:
        if self._is_joined:
            self._bound(self._begin)

    def _bound(self, begin: int) -> None:
        self._parts[begin] = f"{BOUNDED_TEXT}({self._parts[begin]}"
        self._parts[-1] += ")"


@dataclass(frozen=True, slots=True)
class _Slot:
    """The place of a reference, a name or a number in a template.

    has_variables: whether names there may be variables. is_bound: whether a variable stands for what is there.
    function_of_one_value: the function that takes one value there, "" where there is none. whole_array_in: the function of one
    value that gets a whole row or column where the number there is 0. is_one_of_many: whether one cell is taken of a range
    there. fault: of the operators before.
    """

    is_number: bool
    has_variables: bool
    is_bound: bool
    function_of_one_value: str
    whole_array_in: str
    is_one_of_many: bool
    fault: FormulaFault | None


@dataclass(frozen=True, slots=True)
class _Template:
    """What formulas have in common that differ only in references, names and numbers.

    pieces: the text before, between and behind the slots. functions: those that are called. reaches: whether it finds out
    where to look when it is computed; reads_anything: on any sheet. fault: of an operator. array_in: a function of one value
    that is given an array other than a range, "" where there is none. binds_array: whether a variable stands for one.
    """

    pieces: tuple[str, ...]
    slots: tuple[_Slot, ...]
    functions: dict[str, None]
    volatile: FormulaFault | None
    reaches: bool
    reads_anything: bool
    fault: FormulaFault | None
    is_operand_alone: bool
    array_in: str
    binds_array: bool


def _template(tokens: list[FormulaToken]) -> _Template:
    """Walk through the tokens of a template once."""
    written, slots = _WrittenFormula(), list[_Slot]()
    functions: dict[str, None] = {}
    fault: FormulaFault | None = None
    reaches = False
    array_in, binds_array = "", False
    for number, token in enumerate(tokens):
        value = token.value
        if token.part == "Open":
            function = _function(value) if token.kind == "Func" else ""
            if function:
                functions[function] = None
            if token.kind.startswith("Array") or function in ARRAYS:
                array_in = array_in or written.takes_one_value
                binds_array = binds_array or written.calls[-1:] == ["LET"]
            written.open(value, function)
        elif token.part == "Close":
            written.close(value)
        elif token.kind == "Sep" or value in COMPARISONS:
            written.separate(value, is_argument=token.kind == "Sep")
        elif token.kind == "OpInfix":
            fault = fault or _operator_fault(value)
            reaches = reaches or value == ":"
            written.add(value)
        elif token.kind == "Operand" and token.part in ("Range", "Number"):
            is_one = _is_one_of_many(tokens, number, written.calls)
            has_variables = bool(WITH_VARIABLES & functions.keys())
            is_bound = written.calls[-1:] == ["LET"]
            slots.append(
                _Slot(
                    token.part == "Number",
                    has_variables,
                    is_bound,
                    written.takes_one_value,
                    written.whole_array_in,
                    is_one,
                    fault,
                )
            )
            written.add(SLOT)
        else:
            written.add(value)
    return _Template(
        pieces=tuple(written.text.split(SLOT)),
        slots=tuple(slots),
        functions=functions,
        volatile=next((volatile(function) for function in functions if function in VOLATILE), None),
        reaches=reaches or "OFFSET" in functions,
        reads_anything="INDIRECT" in functions,
        fault=fault,
        is_operand_alone=len(tokens) == 1,
        array_in=array_in,
        binds_array=binds_array,
    )


def _function(token: str) -> str:
    name = token.rstrip("( ").upper()
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _operator_fault(value: str) -> FormulaFault | None:
    """Why an operator between two operands cannot be computed here, if it cannot."""
    if not value.strip():
        rule = "the intersection of two ranges, a blank between them, is not computed here"
        return unsupported("the intersection operator", rule)
    if value == ",":
        return unsupported("the union operator", "the union of two ranges in one bracket is not computed here")
    return None


def _is_one_of_many(tokens: list[FormulaToken], number: int, calls: list[str]) -> bool:
    """Whether a range stands where a formula that is not an array formula takes one of its cells."""
    if BY_ARRAY.intersection(calls):
        return False
    around = [_neighbour(tokens, number, step) for step in (-1, 1)]
    is_reckoned = any(
        token is not None and token.kind in ("OpInfix", "OpPrefix", "OpPostfix") and token.value not in (":", ",")
        for token in around
    )
    return is_reckoned or not calls


def _neighbour(tokens: list[FormulaToken], number: int, step: int) -> FormulaToken | None:
    number += step
    while 0 <= number < len(tokens) and tokens[number].kind == "Whitespace":
        number += step
    return tokens[number] if 0 <= number < len(tokens) else None
