"""What was found in the sheets of a workbook: variants of a study share all of them but those with changed cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from sheetmbs.workbook.cells.cells import CellSheet

Found = TypeVar("Found")


class KnownSheets:
    """Results of reading each sheet last, looked up by the sheet itself, which nobody may change."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[CellSheet, object]] = {}

    def of(self, kind: str, cells: CellSheet, find: Callable[[CellSheet], Found]) -> Found:
        """What ``find`` finds in a sheet. kind: of what is found."""
        sheet, found = self._found.get((kind, cells.name), (None, None))
        if sheet is cells:
            return cast("Found", found)
        made = find(cells)
        self._found[kind, cells.name] = cells, made
        return made
