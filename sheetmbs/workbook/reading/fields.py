"""Headers of a sheet, and single cells below them: from a cell to a value in SI, or to a problem at that cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from sheetmbs.schema.column import Column
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.units import RATIO, Dimension, Unit, parse_unit
from sheetmbs.schema.validate import (
    ValueFault,
    is_blank_unit,
    not_finite,
    quantity,
    split_header,
    split_parentheses,
    unit_of,
)
from sheetmbs.workbook.cells.cell_rows import Row
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet

HEADER_ROW, UNITS_ROW, LAST_OF_HEADERS = 1, 2, 10
"""rows; down to the last one headers are sought that stand too low"""
REMARKS = ("notes", "note", "comments", "remarks")
"""headers that may be merged, for nobody reads below them"""
MAX_NAMED_HEADERS = 3
PERCENT = parse_unit("%")
MAX_VALUE = 1e50
"""of any number in SI: the Earth weighs 6e24 kg, and products of several numbers must not overflow"""


@dataclass(frozen=True)
class Header:
    """A cell of row 1. name: its text without the unit. unit: the text in its brackets, None = it has none."""

    place: Place
    text: str
    name: str
    unit: str | None
    in_parentheses: bool = False


@dataclass(frozen=True)
class Field:
    """A column of a sheet that we know. unit: from the header or the units row, None = SI. unit_place: where it stands."""

    column: Column
    header: Header
    unit: Unit | None = None
    unit_place: Place | None = None
    sound: bool = True
    """False: the unit is wrong, which has been reported, and the numbers mean nothing"""


def is_blank(cell: Cell | None) -> bool:
    """Whether nothing stands in a cell. A cell covered by a merged one is not blank: it would hide what was meant."""
    if cell is None:
        return True
    return cell.kind is CellKind.TEXT and not cell.merged and not str(cell.value).strip()


def is_empty(cell: Cell | None) -> bool:
    """Whether nothing is to be read in a cell, merged or not."""
    return cell is None or (cell.kind is CellKind.TEXT and not str(cell.value).strip())


def headers(sheet: CellSheet, report: ProblemList) -> list[Header]:
    """The headers of a sheet from left to right; one that cannot be read is reported."""
    found = []
    for column, cell in sorted(sheet.rows.get(HEADER_ROW, {}).items()):
        place = Place(sheet.name, HEADER_ROW, column)
        if is_empty(cell):
            continue
        if cell.kind in (CellKind.ERROR, CellKind.UNCACHED):
            report.error(
                "unreadable-header", place, shown(cell), "a header is a text", "write the header as plain text"
            )
            continue
        text = str(cell.value) if cell.kind is CellKind.TEXT else shown(cell)
        name, unit = split_header(text)
        in_parentheses = split_parentheses(text) if unit is None else None
        if in_parentheses:
            name, unit = in_parentheses
        found.append(Header(place, text.strip(), name, unit, in_parentheses is not None))
    return found


def columns_in_use(sheet: CellSheet, after: int = 0) -> dict[int, int]:
    """First filled row below the row ``after``, for each column that has one."""
    found = sheet.rows.numbers.first_rows(after)
    for row, cells in sheet.rows.others.items():
        for column, cell in cells.items() if row > after else ():
            if row < found.get(column, row + 1) and not is_empty(cell):
                found[column] = row
    return found


def warn_of_missing_headers(sheet: CellSheet, known: list[Header], report: ProblemList) -> None:
    """Report columns that hold data under an empty header: nobody reads them."""
    row = sheet.rows.get(HEADER_ROW, {})
    headed = {header.place.column for header in known} | {column for column, cell in row.items() if not is_empty(cell)}
    told: set[int] = set()
    for column, first in columns_in_use(sheet, HEADER_ROW).items() if known else ():
        covering = _covering(row, column)
        if column in headed or covering in told:
            continue
        told.update({covering} - {0})
        if covering and fold(str(row[covering].value)) not in REMARKS:
            place, found = (
                Place(sheet.name, HEADER_ROW, covering),
                f"the merged header {quoted(str(row[covering].value))}",
            )
            problem = "it is unclear to which of the columns below it belongs"
            report.error("merged-cell", place, found, problem, "unmerge it, and write a header over each column")
        elif not covering:
            mend = "write a header in row 1, or notes for remarks"
            place, found = Place(sheet.name, first, column), shown(sheet.rows[first][column])
            report.warning("no-header", place, found, "its column has no header", mend)


def _covering(row: Row, column: int) -> int:
    """The column of the header whose merged cell covers this one, 0 where there is none."""
    at = column
    while (cell := row.get(at)) is not None and cell.merged:
        if not is_empty(cell):
            return at
        at -= 1
    return 0


@dataclass(frozen=True)
class Meaning:
    """An unknown header that seems to stand for a column. correct: the header as it should be."""

    header: Header
    correct: str

    def advice(self) -> str:
        """Advice on how to correct the header."""
        rename = f"write {self.correct} there" if "[" in self.correct else "rename that"
        return f"is it {quoted(self.header.text)} at {self.header.place}? then {rename}"


def report_missing_columns(
    columns: Sequence[Column], cells: CellSheet, meant: Mapping[str, Meaning], report: ProblemList, rule: str = ""
) -> None:
    """Report at A1 required columns that are not there. meant: columns for which unknown headers seem to stand."""
    rule = rule or f"{cells.name} needs this column, headed in row 1"
    by_row: dict[int, list[str]] = {}
    for column in columns:
        row = _row_of(column, cells)
        meaning = meant.get(column.name)
        if row or not meaning:
            by_row.setdefault(row, []).append(column.name)
        else:
            _report_missing(column.name, cells, rule, meaning.advice(), report)
            report.withdraw({("unknown-column", str(meaning.header.place))})
    for row, names in sorted(by_row.items()):
        if row:
            report_lower_headers(", ".join(names), cells, row, report)
            continue
        for name in names:
            _report_missing(name, cells, rule, f"add a column headed {name} in row 1", report)


def report_lower_headers(names: str, cells: CellSheet, row: int, report: ProblemList) -> None:
    """Report that the headers stand further down. names: some of them."""
    report.withdraw_of_sheet(cells.name, "unknown-column", "no-header", "merged-cell")
    mend = f"the headers seem to be in row {row}: move them to row 1"
    _report_missing(names, cells, f"{cells.name} needs this column, headed in row 1", mend, report)


def _report_missing(what: str, cells: CellSheet, rule: str, mend: str, report: ProblemList) -> None:
    report.error("missing-column", Place(cells.name, 1, 1), f"no column {what}", rule, mend)


def report_no_headers(columns: Sequence[Column], cells: CellSheet, report: ProblemList) -> None:
    """Report that a sheet begins with data in place of headers."""
    texts = [shown(cell) for cell in cells.rows[HEADER_ROW].values() if not is_empty(cell)]
    found = ", ".join(texts[:MAX_NAMED_HEADERS])
    mend = f"insert a row above it with {', '.join(column.name for column in columns[:MAX_NAMED_HEADERS])} and so on"
    report.withdraw_of_sheet(cells.name, "unknown-column", "no-header")
    problem = "row 1 holds the headers of the columns, and this seems to be data"
    report.error("no-headers", Place(cells.name, 1, 1), found, problem, mend)


def _row_of(column: Column, cells: CellSheet) -> int:
    """The row in which a header seems to stand by mistake, or 0."""
    for row in range(UNITS_ROW, LAST_OF_HEADERS + 1):
        for cell in cells.rows.get(row, {}).values():
            if cell.kind is CellKind.TEXT and fold(str(cell.value).partition("[")[0]) == fold(column.name):
                return row
    return 0


def first_text(row: Row, first_column: int) -> str:
    """Text of a row's first cell, ``""`` where it is blank or no text."""
    cell = row.get(first_column)
    return str(cell.value).strip() if cell is not None and cell.kind is CellKind.TEXT else ""


def make_field(column: Column, header: Header, units_row: Row, report: ProblemList) -> Field:
    """A field with the unit that the header and the units row give it; what is wrong with that is reported."""
    if header.in_parentheses:
        found, mend = f"the header {quoted(header.text)}", f"write {header.name} [{header.unit}]"
        report.warning(
            "unit-in-parentheses", header.place, found, "it is read with this unit; units belong in []", mend
        )
    cell = units_row.get(header.place.column)
    candidates: list[tuple[Place, str]] = []
    if header.unit is not None:
        candidates.append((header.place, header.unit))
    if cell is not None and not is_empty(cell):
        place = Place(header.place.sheet, UNITS_ROW, header.place.column)
        if cell.kind is not CellKind.TEXT and column.takes_units:
            report.error("unreadable-unit", place, shown(cell), "the units row holds units", "write a unit, or nothing")
            return Field(column, header, sound=False)
        candidates.append((place, str(cell.value)))
    return _with_unit(column, header, candidates, report)


def _with_unit(column: Column, header: Header, candidates: list[tuple[Place, str]], report: ProblemList) -> Field:
    units: list[tuple[Place, Unit]] = []
    for place, text in candidates:
        if is_blank_unit(text) or not column.takes_units:
            continue
        try:
            unit = unit_of(text, column.dimensions)
        except ValueFault as fault:
            report.error(fault.code, place, f"the unit {quoted(text)} of {column.name}", fault.problem, fault.mend)
            return Field(column, header, sound=False)
        if unit is not None:
            units.append((place, unit))
    if not units:
        return Field(column, header)
    (place, unit), others = units[0], units[1:]
    for other_place, other in others:
        if not other.equals(unit):
            found = f"the unit {quoted(other.text)}, while the header has {quoted(unit.text)}"
            report.error("contradictory-units", other_place, found, "a column has one unit", "remove one of them")
            return Field(column, header, sound=False)
    return Field(column, header, unit, place)


def is_sound(cell: Cell, place: Place, report: ProblemList) -> bool:
    """Whether a cell holds a value at all: no error value, no formula without a value, not merged. Reports what it is."""
    if cell.merged:
        mend = "unmerge the cells and fill in each"
        report.error("merged-cell", place, "a merged cell", "it is unclear to which row or column it belongs", mend)
    elif cell.kind is CellKind.ERROR:
        mend = "correct the formula, or enter the value"
        report.error("error-value", place, shown(cell), "it is not a value", mend)
    elif cell.kind is CellKind.UNCACHED:
        mend = "open the workbook in a spreadsheet program and save it there, or enter the value"
        rule = str(cell.value) or "its result is not in the file"
        report.error("formula-without-value", place, shown(cell), rule, mend)
    else:
        return True
    return False


def number(cell: Cell, field: Field, dimension: Dimension | None, place: Place, report: ProblemList) -> float:
    """The number in a cell in SI; NaN where it is none, which is then reported.

    dimension: which of the column's dimensions this row has; None where the column has one at most.
    """
    column = field.column
    if not is_sound(cell, place, report):
        return nan
    dimensions = (dimension,) if dimension else column.dimensions
    try:
        if cell.kind is CellKind.TEXT:
            return _possible(quantity(str(cell.value), dimensions))
        if cell.kind is not CellKind.NUMBER:
            kind = "date" if cell.kind is CellKind.DATE else "boolean"
            decimals = "with the decimal sign of your spreadsheet program, " if kind == "date" else ""
            mend = f"enter a number, {decimals}in a cell formatted as one"
            raise ValueFault(f"{kind}-as-number", f"{column.name} is a number", mend)  # noqa: TRY301
        value = float(cell.value)
        if not isfinite(value):
            raise not_finite()
        if cell.as_percent and field.unit is not None and field.unit.equals(PERCENT):
            raise percent_twice(value, "its unit is % too", ", or clear the unit")
        if cell.as_percent and value != 0.0 and RATIO not in dimensions:
            _warn_of_percent(value, field, place, report)
        return _possible(in_si(value, field, dimension))
    except ValueFault as fault:
        is_word = fault.code == "not-a-number" and column.default and not any(map(str.isdigit, str(cell.value)))
        mend = f"{fault.mend}; blank means {column.default}" if is_word else fault.mend
        report.error(fault.code, place, shown(cell), fault.problem, mend)
        return nan


def look_at_percents(cells: CellSheet, rows: Sequence[int], fields: Sequence[Field], report: ProblemList) -> None:
    """Report samples whose cells show them as percent: the first one of each column that is not 0, as of a single cell."""
    if not cells.rows.percents:
        return
    sampled = set(rows)
    columns: dict[int, list[int]] = {}
    for row, column in cells.rows.percents:
        if row in sampled:
            columns.setdefault(column, []).append(row)
    for field in fields:
        column = field.header.place.column
        for row in sorted(columns.get(column, ())):
            cell = cells.rows.cell(row, column)
            if cell is not None and cell.value:
                number(cell, field, None, Place(cells.name, row, column), report)
                break


def _warn_of_percent(value: float, field: Field, place: Place, report: ProblemList) -> None:
    """Warn of a number that its cell shows as percent, though what it stands for is no ratio."""
    unit = f" {field.unit.text}" if field.unit else ""
    found = f"{value:.10g}, which the cell shows as {100.0 * value:.10g} %"
    problem = f"{field.column.name} is no ratio, and the number in the cell counts: {value:.10g}{unit}"
    mend = "format the cell as a number, and correct the number if it is not the one that you mean"
    report.warning("shown-as-percent", place, found, problem, mend)


def percent_twice(value: float, because: str, otherwise: str = "") -> ValueFault:
    """The fault of a cell that shows percent and stands where percent are meant anyway: 0.55, shown as 55 %."""
    shown_as = f"{100.0 * value:.10g}"
    problem = f"the cell shows {shown_as} % and holds {value:.10g}, and {because}, which makes it {value:.10g} %"
    return ValueFault("percent-twice", problem, f"enter {shown_as} in a cell formatted as a number{otherwise}")


def _possible(value: float) -> float:
    """A number in SI, as it is. Raises Fault where it is larger than anything."""
    if abs(value) > MAX_VALUE:
        raise ValueFault(
            "too-large", f"no number of a model is beyond {MAX_VALUE:g} in SI", "correct the number or its unit"
        )
    return value


def written_unit(field: Field | None) -> tuple[str, float] | None:
    """The unit written for a field and its size in SI, None where none is."""
    return None if field is None or field.unit is None else (field.unit.text, field.unit.size)


def in_si(value: float, field: Field, dimension: Dimension | None) -> float:
    """A number of a field in SI. Raises Fault where the column's unit does not serve this row."""
    if not field.sound:
        return nan
    if field.unit is None:
        return value
    if dimension is not None and not field.unit.fits(dimension):
        problem = f"the column's unit {field.unit.text} does not fit this row, which needs {dimension.name}"
        example = f"{value:g} {dimension.example}"
        raise ValueFault("unit-needed", problem, f"write the unit in the cell, for example {example}")
    return field.unit.to_si(value)
