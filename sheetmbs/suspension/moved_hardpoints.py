"""Hardpoints that people move on a served page: their handles, and one sweep of the first design with other numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from sheetmbs.compiled import library
from sheetmbs.measured.read_measurements import has_measurements
from sheetmbs.measured.residuals import Residuals
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.handles import Handle, HandlePlace, coordinate_cells, ways
from sheetmbs.products.product import Json
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import HARDPOINTS
from sheetmbs.suspension.designs.design_books import design_books
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.document import suspension_document
from sheetmbs.suspension.generated.generate import point_name
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, CarData
from sheetmbs.suspension.measured_sweeps import measured_sweeps
from sheetmbs.suspension.read_design import KnownDesigns, read_design
from sheetmbs.suspension.reading.vehicle_axes import sheet_axes
from sheetmbs.suspension.sheets.design_values import design_values
from sheetmbs.suspension.solved_design import EVERYTHING, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import (
    SuspensionResults,
    design_summary,
    read_wanted,
    swept_tables,
)
from sheetmbs.workbook.cells.cell_places import place_of_text
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets


def hardpoint_handles(book: Book) -> tuple[Handle, ...]:
    """The hardpoints of the first design that have cells of their own in this workbook. Raises WorkbookError."""
    own = design_books(book).books[0]
    sheets = folded_sheets(own.book.sheets, [HARDPOINTS.name])
    table = InputTable(HARDPOINTS, sheets.get(HARDPOINTS.name), ProblemList(()), "3D")
    car = read_design(own.book, own.design).car
    return tuple(handle for axle in car.axles for handle in _of_axle(car, axle, table))


def _of_axle(car: CarData, axle: AxleData, table: InputTable) -> Iterator[Handle]:
    """A handle for each row; a point that is given for one side moves its mirror image too."""
    matrix, given = sheet_axes(car.settings), str(car.settings["input side"])
    sides: dict[tuple[str, str], list[str]] = {}
    for side in SIDES:
        for name, point in axle.points[side].items():
            if point.cell:
                sides.setdefault((name, point.cell), []).append(side)
    for (name, cell), found in sides.items():
        axes, cells, unit, size = coordinate_cells(table, place_of_text(cell).row)
        if not axes:
            continue
        places: dict[str, HandlePlace] = {}
        for side in found:
            is_image = len(found) > 1 and side != given and not axle.points[side][name].is_central
            seen = np.diag(MIRROR) @ matrix if is_image else matrix
            drawn = point_name(axle, side, name)
            places[drawn] = HandlePlace(drawn, ways(axes, seen, size))
        one_side = f" {found[0]}" if len(found) == 1 else ""
        yield Handle(f"{axle.name} {name}{one_side}", axes, cells, unit, tuple(places.values()))


class SweepSolver:
    """Poses the first design of a workbook through one sweep, again and again with other numbers.

    What the sheets say is read again only where cells differ. Load cases, targets and the other designs are left out.
    Measured points stay where they are for the workbook in the file. book: as it is in the file.
    """

    def __init__(self, book: Book) -> None:
        library.load()
        self._known = KnownDesigns()
        self._book = book
        self._path = book.path

    def __call__(self, book: Book, case: str) -> Json:
        """The tab of a sweep. Raises WorkbookError where the design cannot be read or posed."""
        wanted = WantedCases(frozenset((case,)), loads=False, handling=False)
        designs = solve_designs(read_wanted(book, wanted, self._known), wanted)[:1]
        first = designs[0]
        if case not in first.plans:
            rule, fix = (
                "a car is moved live through its sweeps alone",
                "choose the tab of a sweep, or save and run again",
            )
            raise WorkbookError(Problem("no-sweep", "error", "", f"the tab {case}", rule, fix))
        values = (design_values(first.name, first.car, first.at_design),)  # the summary needs no equilibrium at 1 g
        sheets = ResultSheets(
            tuple(design_summary(designs, values[0])),
            tuple(swept_tables(designs)),
            problems=first.problems,
        )
        results = SuspensionResults(
            designs, values, (), sheets=sheets, path=self._path, content=b"", measured=self._measured
        )
        cases = suspension_document(results, case=case, known=self._known.models)["cases"]
        if not cases:
            rule = "no pose of it is reached with these numbers"
            raise WorkbookError(Problem("no-pose", "error", "Sweeps", f"the sweep {case}", rule, "move the point less"))
        return dict(cases[0])

    @cached_property
    def _measured(self) -> tuple[Residuals, ...]:
        """What was measured beside the workbook in the file."""
        if not has_measurements(self._book):
            return ()
        read = read_wanted(self._book, EVERYTHING, KnownDesigns())[:1]
        return measured_sweeps(self._book, read[0], solve_designs(read)[0]).found
