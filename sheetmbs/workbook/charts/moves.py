"""References in charts on our sheets: they follow each column by its name, and its rows as they grow or shrink."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import column_letters
from sheetmbs.workbook.charts.panels import PanelColumn
from sheetmbs.workbook.charts.restsheet import shown_section
from sheetmbs.workbook.package.references import Range, parsed
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_contents import CHART_DATA, EQUILIBRIUM
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

NO_COLUMNS: Mapping[str, PanelColumn] = MappingProxyType({})
_REFERENCE = re.compile(r"'(mbs [^'\[\]]{1,60})'!(\$?[A-Z]{1,3}\$?[0-9]{0,7}(?::\$?[A-Z]{1,3}\$?[0-9]{0,7})?)")


@dataclass(frozen=True)
class Moved:
    """A reference after this run. data: the numbers it shows; labels: or the texts; neither where that is not known."""

    text: str
    data: NDArray[np.float64] | None = None
    labels: tuple[str, ...] = ()


def shown_columns(reference: str, before: PreviousResults) -> Iterator[tuple[str, str]]:
    """Sheet and name of every result column that a reference shows."""
    for match in _REFERENCE.finditer(reference):
        for name in _names(match[1], parsed(match[2].encode()), before):
            if name:
                yield match[1], name


def _names(sheet: str, cells: Range, before: PreviousResults) -> tuple[str, ...]:
    """The names by which charts refer to the columns of a range."""
    if sheet == EQUILIBRIUM:
        return (shown_section(cells, before),)
    return before.head(sheet).columns[max(cells.first_column - 1, 0) : cells.last_column]


def shows_several_columns(reference: str) -> Iterator[tuple[str, Range]]:
    """Ranges of more than one column, which cannot follow names."""
    for match in _REFERENCE.finditer(reference):
        cells = parsed(match[2].encode())
        if cells.last_column > cells.first_column:
            yield match[1], cells


def moved(
    reference: str,
    before: PreviousResults,
    columns: Mapping[str, PanelColumn],
    drawn: Mapping[str, PanelColumn] = NO_COLUMNS,
) -> Moved | None:
    """A reference as it must read after this run; None where it shows nothing of ours.

    columns: see `result_columns`. drawn: where the chart finds all rows of a column, if not there: see `ChartData.columns`.
    """
    if not _REFERENCE.search(reference):
        return None
    text = _REFERENCE.sub(lambda match: _moved(match, before, columns, drawn)[0], reference)
    alone = _REFERENCE.fullmatch(reference)
    if not alone:
        return Moved(text)
    _, column, cells = _moved(alone, before, columns, drawn)
    if column is None or cells is None or not cells.has_rows or cells.first_column != cells.last_column:
        return Moved(text)
    if column.labels:
        return Moved(text, labels=column.labels)
    if cells.first_row >= FIRST_DATA_ROW:
        data = np.full(cells.last_row - cells.first_row + 1, np.nan)
        known = column.data[cells.first_row - column.first_row : cells.last_row - column.first_row + 1]
        data[: len(known)] = known
        return Moved(text, data)
    if cells.last_row == 1:
        return Moved(text, labels=(column.name,))
    return Moved(text, labels=(column.unit,) if cells.first_row == cells.last_row and column.unit else ())


def _moved(
    match: re.Match[str], before: PreviousResults, columns: Mapping[str, PanelColumn], drawn: Mapping[str, PanelColumn]
) -> tuple[str, PanelColumn | None, Range | None]:
    """The new text of a range, its first column, and which cells it now has."""
    sheet, cells = match[1], parsed(match[2].encode())
    head = before.head(sheet)
    names = _names(sheet, cells, before)
    # columns of chart data end where each of them has no more rows
    is_to_end = cells.last_row in head.last_row or sheet == CHART_DATA
    is_drawn = sheet == CHART_DATA or (is_to_end and cells.first_row == FIRST_DATA_ROW)
    keys = [(f"{sheet}!{name}", name) for name in names if name]
    found = [(is_drawn and drawn.get(key)) or columns.get(key) or columns.get(name) for key, name in keys]
    first = found[0] if found else None
    if first is None or len(found) != cells.last_column - cells.first_column + 1:
        return match[0], None, None
    letters = [column_letters(first.place + i) for i in range(len(found))]
    if [column and (column.sheet, column.letter) for column in found] != [(first.sheet, letter) for letter in letters]:
        return match[0], None, None
    new = Range(first.place, cells.first_row, first.place + len(found) - 1, cells.last_row)
    if sheet == EQUILIBRIUM:
        new = Range(first.place, first.first_row, first.place, first.last_row)
    elif is_to_end and cells.last_row >= FIRST_DATA_ROW:
        new = Range(new.first_column, new.first_row, new.last_column, max(first.last_row, new.first_row))
    return f"'{first.sheet}'!{_text(new)}", first, new


def _text(cells: Range) -> str:
    left, right = column_letters(cells.first_column), column_letters(cells.last_column)
    if not cells.has_rows:
        return f"${left}:${right}"
    top = f"${left}${cells.first_row}"
    is_one = (cells.first_column, cells.first_row) == (cells.last_column, cells.last_row)
    return top if is_one else f"{top}:${right}${cells.last_row}"
