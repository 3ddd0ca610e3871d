"""What a row of Suspension springs may be: which cells it needs, what lengths it has, and the forces that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import AxleData, SpringElement

Law = Callable[[Floats], tuple[Floats, Floats]]
"""tension and stiffness over how far an element is longer than at design"""


def at_rows(design: Floats | float, count: int) -> Floats:
    """What holds at design over (n,) poses: the same at all of them, or (V,) of several axles whose poses follow each other."""
    found = np.asarray(design, dtype=np.float64)
    return found if found.size == 1 else np.repeat(found, count // found.size)


@dataclass(frozen=True, eq=False)
class ElementLength:
    """A length, m, or angle, rad, of an element over n poses and both travels. side: its corner, ``""`` the axle.

    suffix: behind the name of the row, where it has several. sense: of an angle, -1 where it gets smaller as the body turns
    about its line.
    """

    side: str
    length: Jet
    suffix: str = ""
    sense: float = 1.0


@dataclass(frozen=True)
class ElementKind:
    """One kind. numbers: its columns with their dimension. needs: columns of which one group is given.

    curves: columns that name curves, with the dimensions of x and y. texts: further columns. idle: columns that have no
    effect on poses at rest. lengths: over the poses of an axle. law: from the compression at design (V,), N or N m. is_solved:
    what it carries at design is found where nothing tells it. is_bar: it acts against roll. turns: its lengths
    are angles.
    """

    name: str
    doc: str
    numbers: tuple[tuple[str, u.Dimension], ...]
    needs: tuple[tuple[str, ...], ...]
    lengths: Callable[[SpringElement, SweptAxle], Iterator[ElementLength]]
    law: Callable[[SpringElement, str, Floats], Law]
    drawn: Callable[[SpringElement, AxleData, str], Floats | float] | None = None
    """its length on a side of the axle as drawn, from which its law counts; None: from where adjustments have put it"""
    curves: tuple[tuple[str, u.Dimension, u.Dimension], ...] = ()
    texts: tuple[str, ...] = ("point_i", "point_j")
    idle: tuple[str, ...] = ()
    is_solved: bool = False
    turns: bool = False
    is_bar: bool = False
