"""Which row of a sheet holds units: the one that says so, and one that holds nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from sheetmbs.schema.cell import Cell
from sheetmbs.schema.column import ColumnKind, Sheet
from sheetmbs.schema.meanings import means_units
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.schema.validate import is_blank_unit
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import UNITS_ROW, Header, first_text, is_empty

UNITS = ("units", "unit")


def has_units_row(cells: CellSheet, found: list[Header], schema: Sheet, first: int, report: ProblemList) -> bool:
    """Whether row 2 of a table holds units. Its first cell should say so; one that does not is taken so if nothing else fits.

    first: the column in which the sheet's rows begin.
    """
    row = cells.rows.get(UNITS_ROW, {})
    known = [(header.place.column, column) for header in found if (column := schema.by_fold.get(fold(header.name)))]
    names = next((at for at, column in known if column is schema.columns[0]), first)
    titles = [first_text(row, first), first_text(row, names)]
    if any(fold(title.strip("[]():. ")) in UNITS for title in titles):
        return True
    place = Place(cells.name, UNITS_ROW, names)
    numbers = [row.get(at) for at, column in known if column.is_numeric]
    others = [row.get(at) for at, column in known if not column.is_numeric and at != names]
    says_so = any(means_units(title) for title in titles)
    if not says_so and not (holds_units(numbers) and holds_units(others, or_nothing=True)):
        return False
    title = titles[1]
    found_text = f"{quoted(title)} and units" if title else "units, and nothing in the first cell"
    mend = "write units in its first cell"
    if says_so or is_blank_unit(title) or title.startswith(("[", "(")):
        report.warning("units-row", place, found_text, "this row is read as the units row", mend)
        return True
    if any(not is_empty(row.get(at)) for at, column in known if column.kind is ColumnKind.FORMULA):
        return False  # t is a tonne, and a time in an expression
    problem = "a row of units has the word units in its first cell, and a row of values has numbers"
    report.error("units-row", place, found_text, problem, mend + ", or enter the numbers")
    return True


def holds_units(cells: Iterable[Cell | None], *, or_nothing: bool = False) -> bool:
    """Whether some cells hold units and nothing else. or_nothing: whether all of them may be blank."""
    texts = []
    for cell in cells:
        if is_empty(cell):
            continue
        if cell is None or cell.kind is not CellKind.TEXT:
            return False
        texts.append(str(cell.value))
    real = [text for text in texts if not is_blank_unit(text)]
    return (bool(real) or or_nothing) and all(map(_is_unit, real))


def _is_unit(text: str) -> bool:
    if text[:1].isdigit() and not text.startswith("1/"):  # 1 mm is a value, and 1/s a unit
        return False
    try:
        return any(parse_unit(text).exponents) or "%" in text
    except UnitError:
        return False


def is_stray(cells: Iterable[Cell | None], place: Place, report: ProblemList) -> bool:
    """Whether a row below row 2 holds nothing but units, which is reported. cells: those of its columns of numbers."""
    if place.row <= UNITS_ROW or not holds_units(cells):
        return False
    problem = f"units stand in row {UNITS_ROW}, right below the headers"
    report.error("units-row", place, "a row of units", problem, f"move it to row {UNITS_ROW}, or take it away")
    return True
