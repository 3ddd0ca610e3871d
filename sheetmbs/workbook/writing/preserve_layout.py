"""Columns and rows of result sheets keep their places where something of the user's refers to them.

Otherwise a formula would show another quantity once the model, or what is analysed, has changed. Up to the last place
that is referred to, all stay where they are, and what the run no longer has keeps its name and is empty; new ones come
behind. Where nothing refers to a sheet, its columns stand in the order of the model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.table import Table
from sheetmbs.workbook.charts.restsheet import named_before, named_cells
from sheetmbs.workbook.package.references import Range, Use
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_contents import (
    ANIMATION,
    CHART_DATA,
    CHARTS,
    EQUILIBRIUM,
    PAGES,
    PROBLEMS,
    SUMMARY,
    SheetSection,
    SummaryRow,
)
from sheetmbs.workbook.sheets.sheetxml import COLUMNS, FIRST_DATA_ROW, RowBlock, blocks

Items = tuple[SummaryRow, ...]
FIRST_ITEM_ROW = 2
NO_TABLES = PAGES | {ANIMATION, SUMMARY, EQUILIBRIUM, CHARTS, CHART_DATA, PROBLEMS}
NO_RESULTS = "The last run had no results for this sheet."
MAX_NAMED = 3


@dataclass(frozen=True)
class Needs:
    """The columns that must stay on our sheets.

    uses: references of the user's. shown: sheet and name of columns that charts show.
    ranges: sheet and cells of several columns that charts on our own sheets show or the user has made a table of. held:
    sheets on which the user has drawn, or made tables.
    """

    uses: Sequence[Use] = ()
    shown: Collection[tuple[str, str]] = ()
    ranges: Iterable[tuple[str, Range]] = ()
    held: Collection[str] = ()


def order(
    names: Sequence[str], before: Sequence[str], held: int, needed: Collection[str] = ()
) -> list[tuple[str, int]]:
    """The names in their places: (name, index in ``names``), -1 for one that is not among them.

    before: as they stood; the first ``held`` of them stay in their places, those ``needed`` stay somewhere.
    """
    numbered = _numbered(names)
    index = {key: i for i, key in enumerate(numbered)}
    first = [(key, index.get(key, -1)) for key in _numbered(before[:held])]
    taken = {key for key, _ in first}
    rest = [(key, i) for i, key in enumerate(numbered) if key not in taken]
    known = {name for (name, _), _ in (*first, *rest)}
    behind = [((name, 0), -1) for name in dict.fromkeys(before) if name in needed and name not in known]
    return [(name, i) for (name, _), i in (*first, *rest, *behind)]


def _numbered(names: Iterable[str]) -> list[tuple[str, int]]:
    """Names with how often each stood before: two of one name are two."""
    counts: dict[str, int] = {}
    numbered = []
    for name in names:
        counts[name] = counts.get(name, -1) + 1
        numbered.append((name, counts[name]))
    return numbered


def tables_in_places(
    tables: Sequence[Table], before: PreviousResults, needs: Needs
) -> tuple[list[Table], dict[str, str]]:
    """The tables with their columns in their places, and remarks on sheets that stay without results, by name."""
    kept = [_in_places(table, before, needs) for table in tables]
    written = {block.sheet for table in tables for block in blocks(table)}
    remarks = {}
    for sheet in [name for name in before.own if name not in written | NO_TABLES]:
        head = before.head(sheet)
        is_needed = sheet in needs.held or any(use.sheet == sheet for use in needs.uses)
        is_shown = any(shown == sheet for shown, _ in needs.shown)
        if head.columns[1:] and head.last_row and (is_needed or is_shown):
            count = len(head.columns)
            kept.append(Table(sheet, head.columns, ("",) * count, np.zeros((0, count))))
            remarks[sheet] = NO_RESULTS
    return kept, remarks


def held_columns(sheet: str, before: PreviousResults, needs: Needs) -> tuple[str, ...]:
    """The columns of a sheet that keep their places."""
    columns = before.head(sheet).columns
    return columns if sheet in needs.held else columns[: _last(needs, sheet, len(columns))]


def _in_places(table: Table, before: PreviousResults, needs: Needs) -> Table:
    head = before.head(table.name)
    is_known = bool(head.columns) and bool(table.columns) and head.columns[0] == table.columns[0]
    if not is_known or len(table.columns) >= COLUMNS:
        return table
    held = _last(needs, table.name, len(head.columns))
    shown = {name for sheet, name in needs.shown if sheet == table.name}
    placed = order(table.columns, head.columns, held, shown)
    indices = [index for _, index in placed]
    if indices == list(range(len(table.columns))):
        return table
    values = np.full((len(table.values), len(placed)), np.nan)
    known = [place for place, index in enumerate(indices) if index >= 0]
    values[:, known] = table.values[:, [indices[place] for place in known]]
    units = tuple(table.units[index] if index >= 0 else "" for index in indices)
    texts = {place: table.texts[index] for place, index in enumerate(indices) if index in table.texts}
    return replace(table, columns=tuple(name for name, _ in placed), units=units, values=values, texts=texts)


def _last(needs: Needs, sheet: str, columns: int) -> int:
    """The last column of a sheet that something refers to by its place."""
    ranges = [use.cells for use in needs.uses if use.sheet == sheet]
    ranges += [cells for shown, cells in needs.ranges if shown == sheet]
    return max((_end(cells.last_column, columns) for cells in ranges if not _by_name(cells)), default=0)


def _end(last: int, most: int) -> int:
    return min(last or most, most)


def _by_name(cells: Range) -> bool:
    """Whether it is whole rows: columns are then found by their names."""
    return cells.has_rows and not cells.has_columns


def summary_in_places(summary: Items, before: PreviousResults, needs: Needs) -> Items:
    """The items of the summary in their rows."""
    items = before.first_column(SUMMARY) if any(use.sheet == SUMMARY for use in needs.uses) else ()
    rows = [use.cells.last_row for use in needs.uses if use.sheet == SUMMARY and use.cells.has_rows]
    held = min(max(rows, default=1) - FIRST_ITEM_ROW + 1, len(items))
    placed = order([item for item, _, _ in summary], items, max(held, 0))
    return tuple(summary[index] if index >= 0 else (name, (), "") for name, index in placed)


class Warnings:
    """The user's references that show nothing, something else, or not all rows after this run.

    tables: in their places. there: names of the columns that the run has, by table. sections: of `mbs Equilibrium`.
    """

    def __init__(
        self,
        before: PreviousResults,
        tables: Sequence[Table],
        there: Mapping[str, set[str]],
        summary: Items,
        sections: Sequence[SheetSection] = (),
    ) -> None:
        self._before, self._sections = before, sections
        self._blocks = {block.sheet: block for table in tables for block in blocks(table)}
        self._there = there
        self._items = {item for item, _, _ in summary}
        self._found: dict[tuple[str, str, str], list[tuple[Use, str]]] = {}

    def of(self, uses: Sequence[Use]) -> list[Problem]:
        """One for each of the user's sheets, each of ours and what is wrong."""
        for use in uses:
            if use.kind == "link":
                continue
            if use.sheet == SUMMARY and use.cells.has_rows:
                items = self._before.first_column(SUMMARY)
                names = items[use.cells.first_row - FIRST_ITEM_ROW : use.cells.last_row - FIRST_ITEM_ROW + 1]
                self._note("gone", use, [name for name in names if name and name not in self._items])
            elif use.sheet == EQUILIBRIUM:
                self._look_at_rows(use)
            elif use.sheet in self._blocks and use.cells.has_columns:
                self._look_at(use, self._blocks[use.sheet])
        return [_warning(kind, sheet, cases, self._last(sheet)) for (kind, _, sheet), cases in self._found.items()]

    def _look_at(self, use: Use, block: RowBlock) -> None:
        cells, head = use.cells, self._before.head(use.sheet)
        columns = slice(cells.first_column - 1, cells.last_column)
        old = head.columns[columns]
        new = [block.table.columns[i] for i in block.columns][columns]
        there = self._there.get(block.table.name, set())
        self._note("gone", use, [name for name in old if name and name not in there])
        pairs = zip_longest(old, new, fillvalue="")
        self._note("moved", use, [name for name, now in pairs if name and name != now and name in there])
        is_all = cells.first_row == FIRST_DATA_ROW < cells.last_row and cells.last_row in head.last_row
        self._note("short", use, [""] if is_all and self._last(use.sheet) > cells.last_row else [])

    def _look_at_rows(self, use: Use) -> None:
        """Elements that stand in other rows of `mbs Equilibrium` now, or are gone."""
        old, new = named_before(self._before), named_cells(self._sections)
        self._note("shifted", use, [name for at, name in old.items() if use.cells.holds(*at) and new.get(at) != name])

    def _last(self, sheet: str) -> int:
        return self._blocks[sheet].rows + FIRST_DATA_ROW - 1 if sheet in self._blocks else 0

    def _note(self, kind: str, use: Use, names: Iterable[str]) -> None:
        for name in names:
            self._found.setdefault((kind, use.holder, use.sheet), []).append((use, name))


Cases = list[tuple[Use, str]]


_WARNINGS = {
    "gone": (
        "reference-without-result",
        "this run has no such result: its place is kept and is empty",
        "refer to another result, or run an analysis that gives this one",
    ),
    "moved": (
        "reference-to-another-result",
        "the column stands in another place now, so this reference shows another result",
        "look for it in row 1 of that sheet and correct the reference",
    ),
    "shifted": (
        "reference-to-another-result",
        "the rows of this sheet follow the model, and this row shows something else now",
        "correct it, or refer to mbs Springs, mbs Drivers or mbs Joints, whose columns keep their places",
    ),
}
"""code, problem and advice for each way in which a reference is wrong"""


def _warning(kind: str, sheet: str, cases: Cases, last: int) -> Problem:
    """The warning about references to a sheet that are wrong in the same way. last: its last row."""
    if kind == "short":
        return _short(sheet, cases, last)
    code, problem, mend = _WARNINGS[kind]
    return Problem(code, "warning", _place(cases), f"{_who(cases)} to {_names(cases)} on {sheet}", problem, mend)


def _short(sheet: str, cases: Cases, last: int) -> Problem:
    cells = cases[0][0].cells
    columns = f"{column_letters(cells.first_column)}:{column_letters(cells.last_column)}"
    return Problem(
        "reference-to-fewer-rows",
        "warning",
        _place(cases),
        f"{_who(cases)} to rows {cells.first_row} to {cells.last_row} of {sheet}",
        f"the results now reach row {last}",
        f"extend it, or refer to whole columns: '{sheet}'!{columns}; charts on sheets of sheetmbs follow by themselves",
    )


def _place(cases: Cases) -> str:
    use = cases[0][0]
    return f"{use.holder}!{use.cell}" if use.cell else use.holder


def _names(cases: Cases) -> str:
    return sentence_list(list(dict.fromkeys(name for _, name in cases)), MAX_NAMED)


def _who(cases: Cases) -> str:
    """The first of several references, and how many more there are on its sheet."""
    first = cases[0][0]
    others = len({use.cell for use, _ in cases}) - 1
    article = "the" if first.kind.startswith("name ") else "a"
    return f"{article} {first.kind}" + (f", like {others} more of this sheet, refers" if others else " refers")
