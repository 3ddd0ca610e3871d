"""Cells as users write them: addresses and defined names."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.formulas.cell_contents import Area, DefinedName, WrittenBook
from sheetmbs.formulas.formula_references import SheetNames, area_of, places_of, split_reference, whole_sheet
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import MAX_ROWS, Place
from sheetmbs.schema.names import did_you_mean, fold, nearest

MOST_CELLS = 10_000
"""of one range"""
WRITE = "write an address such as Dimensions!B3, or a name that the workbook defines"


class NamedCells:
    """Finds the cells that a text means in a workbook."""

    def __init__(self, book: WrittenBook) -> None:
        self._book = book
        self._sheets = SheetNames(book.sheets)

    def resolve(self, text: str, asked_at: Place | None = None) -> list[Place]:
        """The cells of an address, a range or a defined name. asked_at: where the text stands. Raises WorkbookError."""
        text = text.strip()
        reference = split_reference(text)
        if reference.sheet is None:
            return self._of_name(text, self._named(text), text, asked_at)
        sheet = self._sheets.find(reference.sheet)
        if sheet is None:
            mend = did_you_mean(reference.sheet, self._book.sheets, "name one of its sheets")
            raise _refused("unknown-sheet", f"'{text}'", f"there is no sheet {reference.sheet}", mend)
        known = area_of(sheet, reference.rest)
        if known is None:
            own = [name for name in self._named(reference.rest) if (name.sheet or "").casefold() == sheet.casefold()]
            return self._of_name(reference.rest, own, text, asked_at)
        area = known[0]
        if area.size > MOST_CELLS:
            what = "whole rows or columns" if area.bottom == MAX_ROWS else f"{area.size:,} cells"
            raise _refused("too-many-cells", f"'{text}'", f"it stands for {what}", "name single cells or a small range")
        return places_of(area)

    def _named(self, text: str) -> list[DefinedName]:
        exact = [name for name in self._book.names if name.name.casefold() == text.casefold()]
        return exact or [name for name in self._book.names if fold(name.name) == fold(text)]

    def _of_name(self, text: str, names: list[DefinedName], written: str, asked_at: Place | None = None) -> list[Place]:
        if not names:
            raise self._unknown(text, written, asked_at)
        if len(names) > 1:
            where = " and ".join(f"{name.sheet or 'the whole workbook'}" for name in names)
            mend = f"write the sheet before it, for example '{names[-1].sheet or names[0].sheet}'!{text}"
            raise _refused("ambiguous-name", f"'{written}'", f"the name is defined for {where}", mend)
        reference = split_reference(names[0].text.lstrip("="))
        sheet = self._sheets.find(reference.sheet or names[0].sheet or "")
        known = None if sheet is None else area_of(sheet, reference.rest)
        if known is None or known[0].size > MOST_CELLS:
            rule = f"it stands for {names[0].text or 'nothing'}, not for cells"
            raise _refused("name-of-no-cell", f"'{written}'", rule, "write the address of a cell")
        return places_of(known[0])

    def _unknown(self, text: str, written: str, asked_at: Place | None) -> WorkbookError:
        known = area_of("", text)
        if known is not None:
            mend = f"write the sheet before it, for example {self._with_number(known[0])}!{text}"
            return _refused("no-sheet", f"'{written}'", "it does not say which sheet it is on", mend)
        sheet, point, cell = text.rpartition(".")
        if point and self._sheets.find(sheet) and area_of("", cell) is not None:
            mend = f"did you mean {self._sheets.find(sheet)}!{cell}?"
            return _refused("unknown-name", f"'{written}'", "an address has an exclamation mark behind the sheet", mend)
        sheet_of_asking = "" if asked_at is None else asked_at.sheet
        beside = next((place for place in self._cells_beside(text) if place.sheet != sheet_of_asking), None)
        if beside is not None:
            mend = f"did you mean {beside}, beside the text {text}?"
            return _refused("unknown-name", f"'{written}'", "the workbook defines no such name", mend)
        meant = nearest(text, (name.name for name in self._book.names))
        mend = f"did you mean {meant}?" if meant else WRITE
        return _refused("unknown-name", f"'{written}'", "the workbook defines no such name", mend)

    def _with_number(self, area: Area) -> str:
        """The first sheet that holds a number in a cell, or else the first of all."""
        sheets = self._book.sheets
        held = (name for name, sheet in sheets.items() if isinstance(sheet.at(area.top, area.left), float))
        return next(held, next(iter(sheets), "Sheet1"))

    def _cells_beside(self, text: str) -> Iterator[Place]:
        """Cells to the right of those that hold a text."""
        for name, sheet in self._book.sheets.items():
            for row, column, value in sheet.within(whole_sheet(name)):
                is_it = isinstance(value, str) and fold(value) == fold(text)
                if is_it and isinstance(sheet.at(row, column + 1), float):
                    yield Place(name, row, column + 1)


def _refused(code: str, found: str, rule: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem(code, "error", "", found, rule, mend))
