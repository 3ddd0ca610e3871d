"""The contents of a new workbook, before anything of xlsx comes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.schema.all_inputs import INPUTS_BY_FOLD
from sheetmbs.schema.column import Column, Sheet, SheetLayout
from sheetmbs.schema.names import fold

Cell = str | float | None


@dataclass(frozen=True)
class FilledSheet:
    """An input sheet with its rows. name: one of the format's. rows: a cell for each header, None = blank.

    in_units: of columns whose numbers are not in SI.
    """

    name: str
    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    in_units: Mapping[str, str] = field(default_factory=dict)

    @property
    def declared(self) -> Sheet:
        """What the sheet is; samples may have the name of a trial behind that of the sheet."""
        known = fold(self.name)
        if known in INPUTS_BY_FOLD:
            return INPUTS_BY_FOLD[known]
        series = (each for each in INPUTS_BY_FOLD.values() if each.layout is SheetLayout.SERIES)
        return next(each for each in series if known.startswith(f"{fold(each.name)} "))

    def column(self, header: str) -> Column | None:
        """The declaration of a column; for samples, of what follows the last point of its header."""
        declared = self.declared
        quantity = header.rpartition(".")[2] if declared.layout is SheetLayout.SERIES else header
        return declared.by_fold.get(fold(quantity))

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the columns, blank where there is none or it depends on the row."""
        return tuple(
            self.in_units.get(header, column.si if (column := self.column(header)) else "") for header in self.headers
        )


@dataclass(frozen=True)
class NewBook:
    """A workbook to be made. sections: of its README, each a heading and paragraphs."""

    title: str
    purpose: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    sheets: tuple[FilledSheet, ...]
