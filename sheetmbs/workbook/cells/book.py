"""A workbook that is open: its sheets, their cells, and what happened while they were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.cell import Cell, CellKind, Place
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cell_rows import SheetRows

if TYPE_CHECKING:
    from sheetmbs.formulas.cell_contents import Value

COMPUTED, CHANGED = "formulas computed", "changed cells"
"""items of `mbs Summary`"""
NewCells = dict[tuple[int, int], Cell]
"""of a sheet, by row and column"""


@dataclass(frozen=True)
class ChangedCell:
    """Cells that were given another value. written: as the user names them. before, value: in words.

    moved: the formulas whose values may change with them.
    """

    written: str
    places: tuple[Place, ...]
    before: str
    value: str
    moved: frozenset[Place]

    @property
    def cell(self) -> str:
        """The address of the first."""
        return str(self.places[0])

    @property
    def in_words(self) -> str:
        """``Dimensions!B3 = -2 instead of -1``."""
        named = self.cell if len(self.places) == 1 else f"{self.cell} and {len(self.places) - 1} more"
        name = "" if self.written in (named, self.cell) else f"{self.written} "
        return f"{name}{f'({named})' if name else named} = {self.value} instead of {self.before}"


@dataclass
class ReadingLog:
    """Record of what was read of a workbook. computed: how many formulas without a value in the file were computed, by sheet.

    asked: the sheets that were looked at, where cells were changed. changed: cells with other values than in the file.
    """

    computed: dict[str, int] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    changed: tuple[ChangedCell, ...] = ()

    @property
    def items(self) -> tuple[tuple[str, str | int, str], ...]:
        """Items of the summary: what, its value, no unit. None where all values are those in the file."""
        count = sum(self.computed.values())
        computed = ((COMPUTED, count, ""),) if count else ()
        changed = ((CHANGED, "; ".join(each.in_words for each in self.changed), ""),) if self.changed else ()
        return (*changed, *computed)

    def notes(self) -> Iterator[Problem]:
        """Notes that the results need: a note of changed cells, and warnings of changes that have no effect.

        To be asked for when all sheets that count were read.
        """
        if self.changed:
            told = sentence_list(tuple(each.in_words for each in self.changed))
            rule = "the results belong to these values, not to those in the workbook"
            cell = self.changed[0].cell
            yield Problem("changed-cells", "note", cell, told, rule, "enter them in the workbook to keep them")
        for each in self.changed:
            if not self.asked & {place.sheet for place in (*each.places, *each.moved)}:
                what = f"nothing that is computed depends on {each.cell}"
                mend = "name a cell that the model uses, directly or through formulas"
                yield Problem("unused-change", "warning", each.cell, f"{each.written} = {each.value}", what, mend)


@dataclass(frozen=True)
class CellSheet:
    """A sheet and its cells. hidden: the sheet itself. hidden_rows: numbers of hidden rows, from 1.

    stands_for: rows that replace another row of this sheet, which has gone, with the number of that row.
    """

    name: str
    rows: SheetRows
    hidden: bool
    hidden_rows: tuple[int, ...] = ()
    stands_for: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Book:
    """A workbook. sheets: by name in the order of the tabs; a sheet is parsed when it is first asked for.

    content: the bytes of the file. names: what the names that the workbook defines stand for, as text. log: what was read.
    title: the one in its document properties, or "".
    Asking for a sheet raises WorkbookError where its part is damaged. Chart and dialog sheets have no cells: left out.
    """

    path: Path
    content: bytes
    sheets: Mapping[str, CellSheet]
    names: Mapping[str, str]
    log: ReadingLog = field(default_factory=ReadingLog, compare=False)
    title: str = field(default="", compare=False)

    def find_sheet(self, name: str) -> CellSheet | None:
        """The sheet of that name, whatever its case and blanks are in this workbook; None where there is none."""
        return next((self.sheets[each] for each in self.sheets if fold(each) == fold(name)), None)


def cell_of(place: Place, value: Value) -> Cell:
    """A cell that holds a value which is no date."""
    if isinstance(value, bool):
        return Cell(place.row, place.column, CellKind.BOOLEAN, value)
    if isinstance(value, float):
        return Cell(place.row, place.column, CellKind.NUMBER, value)
    return Cell(place.row, place.column, CellKind.TEXT, value if isinstance(value, str) else "")


def unknown_cell(place: Place, why: Problem) -> Cell:
    """A cell whose formula cannot be computed, with the reason."""
    where = "" if why.cell == str(place) else f"{why.cell} holds "
    return Cell(place.row, place.column, CellKind.UNCACHED, f"{where}{why.found}; {why.problem}")
