"""What a joint is: a recipe of constraint rows between two markers, and what the workbook must say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sheetmbs.engine.codes import RowKind

X, Y, Z = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint row. i, j: which marker axis it uses (0, 1, 2), or -1. value: name of its right-hand side, or ``""``."""

    kind: RowKind
    i: int = -1
    j: int = -1
    value: str = ""


@dataclass(frozen=True, slots=True)
class JointType:
    """Declaration of a joint.

    name: as written in the column ``type``. dimensions: in which models it may stand. rows: its recipe.
    axis: in which models it needs a direction. coordinate: ``angle``, ``displacement``, ``distance`` or ``""``: what it
    reports and what a driver may move. point: whether it needs a location. doc: one line for users.
    """

    name: str
    dimensions: tuple[Literal["2D", "3D"], ...]
    rows: tuple[Row, ...]
    doc: str
    axis: tuple[Literal["2D", "3D"], ...] = ()
    coordinate: Literal["angle", "displacement", "distance", ""] = ""
    point: bool = True


def coincident(axis: int) -> Row:
    """Both markers have the same global x, y or z (Nikravesh 1988, eq. 7.11)."""
    return Row(RowKind.COINCIDENT, i=axis)


def perpendicular(axis_i: int, axis_j: int) -> Row:
    """Axis of marker i perpendicular to axis of marker j: type n1 (Nikravesh 1988, eq. 7.6)."""
    return Row(RowKind.PERPENDICULAR, i=axis_i, j=axis_j)


def in_plane(axis_i: int) -> Row:
    """Vector from marker i to marker j perpendicular to an axis of marker i: type n2 (Nikravesh 1988, eq. 7.7)."""
    return Row(RowKind.IN_PLANE, i=axis_i)
