"""The view that checks have of a model: itself, its size and place, and the cells of its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker, Vector
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.model.model import Clearance, Joint, Model, Spring
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import address
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, place_of
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.fields import HEADER_ROW, Header, headers
from sheetmbs.workbook.reading.placing import Pose

MAX_RELATIVE_DISTANCE = 50.0
"""times the distance of all nearer places from the middle"""
MIN_NEAR_PLACES = 4
"""places that lie near each other, for others to be far"""
DIRECTIONS = frozenset(fold(column) for column in ("axis_point", "axis2_point"))
"""columns that name the point towards which an axis leads"""
MIN_RELATIVE_DISTANCE = 1e-9
"""part of the largest distance: what is nearer to the middle is at it"""


@dataclass(frozen=True)
class Located:
    """Something at a place. name: of the element. cell: where the name stands. where: (3,) global, initial configuration.

    columns: of its sheet, that give the place along x, y and z.
    """

    name: str
    cell: str
    where: Vector
    columns: tuple[str, str, str]


def are_near(places: Vector) -> NDArray[np.bool_]:
    """Whether each of places (n, 3) lies with the majority: all do but those beyond a wide gap, if they are fewer."""
    distances = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    ordered = np.sort(distances)
    for k in range(max(MIN_NEAR_PLACES, len(ordered) // 2 + 1), len(ordered)):
        if ordered[k - 1] > MIN_RELATIVE_DISTANCE * ordered[-1] and ordered[k] > MAX_RELATIVE_DISTANCE * ordered[k - 1]:
            return np.asarray(distances <= ordered[k - 1])
    return np.ones(len(places), np.bool_)


class View:
    """A model and the workbook it was read from."""

    def __init__(self, model: Model, context: Context) -> None:
        self.model = model
        self._context = context
        self._headers: dict[str, list[Header]] = {}

    def cell(self, cell: str, column: str) -> str:
        """The cell of a column in the row of ``cell``; ``cell`` itself where the sheet has no such column."""
        place = place_of(cell)
        header = next((each for each in self.headers(place.sheet) if fold(each.name) == fold(column)), None)
        return address(place.sheet, place.row, header.place.column) if header else cell

    def headers(self, sheet: str) -> list[Header]:
        """The headers of a sheet, by its name on the tab."""
        if sheet not in self._headers:
            cells = next((each for each in self._context.sheets.values() if each.name == sheet), None)
            self._headers[sheet] = headers(cells, ProblemList(())) if cells is not None else []
        return self._headers[sheet]

    def reported(self, codes: Collection[str]) -> list[Problem]:
        """The problems that have been reported already under these codes."""
        return self._context.report.found(codes)

    def sheet(self, name: str) -> str:
        """The name on the tab of a sheet of the format; its own name where the workbook has none."""
        cells = self._context.sheets.get(name)
        return cells.name if cells else name

    def has_sheet(self, name: str) -> bool:
        """Whether the workbook has a sheet of the format."""
        return name in self._context.sheets

    def has_units(self) -> bool:
        """Whether any unit is written at a column or setting, so that blank ones mean SI and no system of its own."""
        return any(self._units())

    def _units(self) -> Iterator[bool]:
        for cells in self._context.sheets.values():
            yield any(header.unit for header in self.headers(cells.name))
            yield any(
                fold(str(cell.value)) in ("units", "unit") for cell in cells.rows.get(HEADER_ROW + 1, {}).values()
            )

    @cached_property
    def poses(self) -> dict[str, Pose]:
        """The initial configuration, by the names of the bodies, and the ground."""
        found = {body.name: Pose(body.position, matrix_of(body.euler)) for body in self.model.bodies}
        return {**found, GROUND: Pose(np.zeros(3), np.eye(3))}

    def where(self, marker: Marker) -> Vector:
        """(3,) global place of a marker in the initial configuration."""
        return self.poses[marker.body].to_global(marker.origin)

    @cached_property
    def ends(self) -> tuple[Marker, ...]:
        """Both ends of all joints, springs and clearances."""
        pairs: list[Joint | Spring | Clearance] = [*self.model.joints, *self.model.springs, *self.model.clearances]
        return tuple(marker for pair in pairs for marker in (pair.i, pair.j))

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """The places where elements are attached to bodies and ground, and the points."""
        return (
            *self.ends,
            *(force.marker for force in self.model.forces),
            *(point.marker for point in self.model.points),
        )

    @cached_property
    def bodies(self) -> tuple[Located, ...]:
        """Centres of mass of all bodies."""
        return tuple(Located(body.name, body.cell, body.position, ("x", "y", "z")) for body in self.model.bodies)

    @cached_property
    def points(self) -> tuple[Located, ...]:
        """Points of the sheet Points."""
        points = self.model.points
        return tuple(Located(each.name, each.cell, self.where(each.marker), ("x", "y", "z")) for each in points)

    @cached_property
    def free_ends(self) -> tuple[Located, ...]:
        """Ends of joints, springs and clearances that are given by body coordinates and not by a point."""
        found = []
        pairs: list[Joint | Spring | Clearance] = [*self.model.joints, *self.model.springs, *self.model.clearances]
        for pair in pairs:
            for side, marker in (("i", pair.i), ("j", pair.j)):
                columns = (f"xi_{side}", f"eta_{side}", f"zeta_{side}")
                if any(self.is_filled(pair.cell, column) for column in columns):
                    found.append(Located(f"end {side} of {pair.name}", pair.cell, self.where(marker), columns))
        return tuple(found)

    def is_filled(self, cell: str, column: str) -> bool:
        """Whether anything stands in a column in the row of ``cell``."""
        place = place_of(self.cell(cell, column))
        cells = next((each for each in self._context.sheets.values() if each.name == place.sheet), None)
        return str(place) != cell and cells is not None and place.column in cells.rows.get(place.row, {})

    @cached_property
    def named_directions(self) -> set[str]:
        """Names of points towards which an axis of a row leads, folded."""
        found = set()
        for cells in self._context.sheets.values():
            columns = [each.place.column for each in self.headers(cells.name) if fold(each.name) in DIRECTIONS]
            for row in cells.rows.values() if columns else ():
                found |= {fold(str(row[column].value)) for column in columns if column in row}
        return found

    @cached_property
    def reach(self) -> dict[str, float]:
        """Largest distance from the centre of mass of a body to an element attached to it, m; absent where none is."""
        found: dict[str, float] = {}
        for marker in self.markers:
            found[marker.body] = max(found.get(marker.body, 0.0), float(np.linalg.norm(marker.origin)))
        return found

    @cached_property
    def size(self) -> float:
        """Largest extent of bodies, points and ends of elements along one direction, m, without those that are far away.

        0 where all are in one place.
        """
        return float(np.max(np.ptp(self.places, axis=0))) if len(self.places) else 0.0

    @cached_property
    def places(self) -> Vector:
        """(n, 3) where bodies, points and ends of elements are, without those that are far away."""
        found = np.array([body.where for body in self.bodies] + [self.where(marker) for marker in self.markers])
        return found[are_near(found)] if len(found) else found.reshape(0, 3)


def warning(code: str, cell: str, found: str, problem: str, mend: str) -> Problem:
    """A warning, as all of these are."""
    return Problem(code, "warning", cell, found, problem, mend)


def sheet_cell(sheet: str) -> str:
    """The first cell of a sheet."""
    return str(Place(sheet, 1, 1))
