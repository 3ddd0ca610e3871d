"""What a joint is: a recipe of constraint rows between two markers, and what the workbook must say about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sheetmbs.engine.codes import RowKind

X, Y, Z = 0, 1, 2

Dimensions = tuple[Literal["2D", "3D"], ...]
Coordinate = Literal["angle", "displacement", "distance"]
Factor = Callable[[Mapping[str, float]], float]


def one(_values: Mapping[str, float]) -> float:
    """Return 1, the factor of a term without one of its own."""
    return 1.0


@dataclass(frozen=True, slots=True)
class RecipeRow:
    """One row of the constraint equations of a joint.

    i, j: which marker axis it uses (0, 1, 2), or -1. value: name of its right-hand side, or ``""``.
    plus: further terms of the same sum. factor: of a further term, from the joint's own numbers.
    holds: the coordinate of the joint that this row keeps constant; a driver of it takes this row's place, and no other's.
    """

    kind: RowKind
    i: int = -1
    j: int = -1
    value: str = ""
    plus: tuple[RecipeRow, ...] = ()
    factor: Factor = one
    holds: Coordinate | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class Coupling:
    """One row between the coordinates of two other joints: coordinate_2 + factor coordinate_1 = 0, 0 at the start."""

    first: Coordinate
    second: Coordinate
    factor: Factor


@dataclass(frozen=True, slots=True)
class JointType:
    """Declaration of a joint.

    name: as written in the column ``type``. dimensions: in which models it may stand. rows: its recipe.
    axis: in which models it needs a direction. second_axis: whether it takes another one, on body j, which is then the third
    axis of marker j. coordinates: what it reports and what a driver may move. point: whether it takes a location.
    numbers: columns that it must have. coupling: what it couples, instead of rows. doc: one line for users.
    """

    name: str
    dimensions: Dimensions
    rows: tuple[RecipeRow, ...]
    doc: str
    axis: Dimensions = ()
    second_axis: Literal["", "needed", "allowed"] = ""
    coordinates: tuple[Coordinate, ...] = ()
    point: Literal["", "needed", "allowed"] = "needed"
    numbers: tuple[str, ...] = ()
    coupling: Coupling | None = None

    @property
    def is_link(self) -> bool:
        """Whether it holds a distance, along the line through its two points."""
        return any(row.kind is RowKind.DISTANCE for row in self.rows)

    @property
    def holds_coordinate(self) -> bool:
        """Whether it holds a coordinate of body i against the ground."""
        return any(row.kind is RowKind.COORDINATE for row in self.rows)


def coincident(axis: int) -> RecipeRow:
    """Both markers have the same global x, y or z (Nikravesh 1988, eq. 7.11)."""
    return RecipeRow(RowKind.COINCIDENT, i=axis)


def perpendicular(axis_i: int, axis_j: int) -> RecipeRow:
    """Axis of marker i perpendicular to axis of marker j: type n1 (Nikravesh 1988, eq. 7.6)."""
    return RecipeRow(RowKind.PERPENDICULAR, i=axis_i, j=axis_j)


def in_plane(axis_i: int) -> RecipeRow:
    """Vector from marker i to marker j perpendicular to an axis of marker i: type n2 (Nikravesh 1988, eq. 7.7)."""
    return RecipeRow(RowKind.IN_PLANE, i=axis_i)
