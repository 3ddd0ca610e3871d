"""Cells of a workbook that people move on its page: which ones, the motion that follows, and writing them into the workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any

from sheetmbs.all_products import product_of
from sheetmbs.formulas.cell_contents import ErrorValue
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.live.page_state import packed_document
from sheetmbs.live.solver_process import own_fault
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.products.handles import CaseSolver, Handle
from sheetmbs.schema.cell import Place
from sheetmbs.studies.reading.read_variables import movable_variables
from sheetmbs.studies.reading.study_cells import StudyCells, number_of
from sheetmbs.studies.study_book import StudyVariable
from sheetmbs.viewing.page_document import problem_document
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_cell, place_of_text
from sheetmbs.workbook.cells.cells import Book, CellValue, open_book, with_cells
from sheetmbs.workbook.cells.set_cells import move_cells, refuse_formulas
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.package.archive import Stamp, stamp
from sheetmbs.workbook.writing.changed_copy import write_cells

Json = dict[str, Any]
USUAL_SHARE = 0.2
"""of its number, by which a slider goes down and up where a variable has no bounds"""


class MovedCells:
    """The cells of a workbook that its pages move. book: read again whenever its file is another one.

    document: makes the document of the workbook after it was written; None where somebody watches it anyway. Requests of
    several pages are answered one after the other.
    """

    def __init__(self, book: Path, document: Callable[[], Json] | None = None) -> None:
        self._path = book
        self._document = document
        self._lock = Lock()
        self._read: tuple[Stamp | None, _OpenWorkbook] | None = None

    def offered(self) -> Json:
        """The handles and sliders of the workbook as it is now; none where it cannot be read."""
        with self._lock:
            try:
                opened = self._opened()
                return {"handles": list(opened.listed_handles()), "sliders": list(opened.listed_sliders())}
            except SheetmbsError:  # the page tells the same problems of the run
                return {"handles": [], "sliders": []}

    def moved(self, case: str, changes: Mapping[str, float]) -> Json:
        """The tab of a case with other numbers in cells, or what is wrong with them."""
        with self._lock:
            try:
                return {"case": self._opened().solved(case, changes)}
            except SheetmbsError as error:
                return _refused(error)
            except Exception as error:  # noqa: BLE001 - a point may be dragged anywhere, and the next move is another one
                return {"problems": [problem_document(own_fault(error))]}

    def write(self, changes: Mapping[str, float]) -> Json:
        """Write numbers into these cells of the workbook and into no others, or say what is wrong with that."""
        with self._lock:
            try:
                values: dict[Place, Any] = dict(self._opened().known_places(changes))
                warnings = write_cells(self._path, values)
            except SheetmbsError as error:
                return _refused(error)
            self._read = None
            return {"written": True, "problems": [problem_document(each) for each in warnings]}

    def written_document(self, number: int) -> bytes | None:
        """The document of the workbook with this number, packed; None where somebody watches the workbook anyway."""
        if self._document is None:
            return None
        with self._lock:
            try:
                return packed_document(number, self._document())
            except SheetmbsError:
                return None

    def _opened(self) -> _OpenWorkbook:
        now = stamp(self._path)
        if self._read is None or self._read[0] != now:
            self._read = now, _OpenWorkbook(open_book(self._path))
        return self._read[1]


def _refused(error: SheetmbsError) -> Json:
    return {"problems": [problem_document(each) for each in error.problems]}


@dataclass(frozen=True, eq=False)
class _OpenWorkbook:
    """A workbook as it is in its file, with what is kept between two moves."""

    book: Book

    @cached_property
    def _formulas(self) -> WorkbookFormulas:
        return WorkbookFormulas(written_book(self.book))

    @cached_property
    def _handles(self) -> tuple[Handle, ...]:
        return tuple(product_of(self.book).handles(self.book))

    @cached_property
    def _variables(self) -> tuple[StudyVariable, ...]:
        return movable_variables(StudyCells(self.book, self._formulas))

    @cached_property
    def _solver(self) -> CaseSolver:
        return product_of(self.book).case_solver(self.book)

    @cached_property
    def _movable(self) -> dict[str, Place]:
        """All cells of handles and variables by their addresses."""
        places = [place for handle in self._handles for place in handle.cells]
        places += [place_of_cell(cell) for variable in self._variables for cell in variable.cells]
        return {str(place): place for place in places}

    @cached_property
    def _start(self) -> dict[Place, float]:
        """The numbers of all cells that can be moved and hold no formula."""
        return {place: self._number(place) for place in self._movable.values() if not self._formulas.is_formula(place)}

    def listed_handles(self) -> Iterator[Json]:
        """The handles as the page takes them. Cells with formulas are named: they cannot be moved."""
        for handle in self._handles:
            cells = [
                {
                    "axis": axis,
                    "cell": str(place),
                    "value": self._number(place),
                    "formula": self._formulas.formula_text(place),
                }
                for axis, place in zip(handle.axes, handle.cells, strict=True)
            ]
            places = [{"point": each.point, "along": each.along} for each in handle.places]
            yield {"name": handle.name, "unit": handle.unit, "cells": cells, "places": places}

    def listed_sliders(self) -> Iterator[Json]:
        """The variables of a study as sliders, from their lowest to their highest value."""
        for variable in self._variables:
            first = variable.as_it_is[0]
            reach = USUAL_SHARE * abs(first) or 1.0
            low, high = variable.bounds
            yield {
                "name": variable.name,
                "unit": variable.unit,
                "how": variable.how,
                "cells": [str(place_of_cell(cell)) for cell in variable.cells],
                "values": list(variable.as_it_is),
                "low": min(low, first) if isfinite(low) else first - reach,
                "high": max(high, first) if isfinite(high) else first + reach,
            }

    def _number(self, place: Place) -> float:
        cell = self.book.sheets[place.sheet].rows.cell(place.row, place.column)
        return (number_of(cell) if cell is not None else None) or 0.0

    def _place(self, cell: str) -> Place | None:
        """The place of an address, None where it is none."""
        try:
            return self._movable.get(cell) or place_of_text(cell)
        except WorkbookError:
            return None

    def known_places(self, changes: Mapping[str, float]) -> dict[Place, float]:
        """The cells that are to change. Raises WorkbookError where one holds a formula or is no cell that the page moves."""
        refuse_formulas(self._formulas, [place for cell in changes if (place := self._place(cell)) is not None])
        rule = "the page moves coordinates of points and the cells that the sheet Variables names"
        mend = "load the page again, or change the cell in the workbook"
        problems = [
            Problem("cell-not-movable", "error", cell, f"the cell {cell}", rule, mend)
            for cell in changes
            if cell not in self._movable
        ]
        if problems:
            raise WorkbookError(problems)
        return {self._movable[cell]: value for cell, value in changes.items()}

    def solved(self, case: str, changes: Mapping[str, float]) -> Json:
        """The tab of a case where cells hold other numbers, and formulas what follows. Raises WorkbookError."""
        values = self.known_places(changes)
        cells: dict[tuple[str, str], CellValue] = {cell_of_place(place): value for place, value in values.items()}
        return self._solver(with_cells(self.book, cells | self._computed(values)), case)

    def _computed(self, values: Mapping[Place, float]) -> dict[tuple[str, str], CellValue]:
        """Formulas that have other values then. Raises WorkbookError where one cannot be computed here."""
        self._formulas.set_values(self._start)
        moved, refused = move_cells(self._formulas, values)
        if refused:
            raise WorkbookError(list(dict.fromkeys(refused.values())))
        found: dict[tuple[str, str], CellValue] = {}
        for place, value in moved.items():
            computed = value.name if isinstance(value, ErrorValue) else value
            found[cell_of_place(place)] = "" if computed is None else computed
        return found
