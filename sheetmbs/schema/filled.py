"""The contents of a new workbook, before anything of xlsx comes in."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.schema.column import Column, SheetLayout
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold

Cell = str | float | None


@dataclass(frozen=True)
class FilledSheet:
    """An input sheet with its rows. name: one of `schema.sheets`. rows: a cell for each header, None = blank; in SI."""

    name: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def column(self, header: str) -> Column | None:
        """The declaration of a column; for samples, of what follows the last point of its header."""
        declared = SHEETS_BY_FOLD[fold(self.name)]
        quantity = header.rpartition(".")[2] if declared.layout is SheetLayout.SERIES else header
        return declared.by_fold.get(fold(quantity))

    @property
    def units(self) -> tuple[str, ...]:
        """SI units of the columns, blank where there is none or it depends on the row."""
        return tuple(column.si if (column := self.column(header)) else "" for header in self.headers)


@dataclass(frozen=True)
class NewBook:
    """A workbook to be made. sections: of its README, each a heading and paragraphs."""

    title: str
    purpose: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    sheets: tuple[FilledSheet, ...]
