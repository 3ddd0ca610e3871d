"""Springs, dampers, stops and bars of an axle: lengths over both travels, forces, and what they make of the wheels.

With lengths l_e(z_L, z_R), tensions F_e and stiffnesses k_e, Q_i is what they do on the travels:

    Q_i = -sum_e F_e l_e,i          K_ij = -dQ_i/dz_j = sum_e k_e l_e,i l_e,j + F_e l_e,ij
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import (
    ElementKind,
    ElementLength,
    Law,
    Measure,
    PointDistance,
    Span,
    at_rows,
)
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.kinematics.body_turn import BodyTurn
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import AxleData, SpringElement
from sheetmbs.suspension.layout.found_once import found_once


@dataclass(frozen=True, eq=False)
class HeldLaw:
    """The law of an element and its length at design, m or rad: one, or (V,) of several axles."""

    law: Law
    design: Floats


AxleLaws = Mapping[tuple[str, str], HeldLaw]
"""laws of the elements of an axle by name and side, ``""`` of the axle itself"""


class FoundLaws(Mapping[tuple[str, str], HeldLaw]):
    """Laws of elements that are found when one is first asked for: most metrics need none."""

    def __init__(self, find: Callable[[], AxleLaws]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> AxleLaws:
        return self._find()

    def __getitem__(self, key: tuple[str, str]) -> HeldLaw:
        return self._found[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class Element(NamedTuple):
    """An element over n poses of an axle. length: over both travels, m or rad. force: (n,) tension, N or N m.

    side: the corner it belongs to, ``""`` the axle. kind: of its row on Suspension springs.
    """

    name: str
    kind: str
    side: str
    length: Jet
    force: Floats
    stiffness: Floats

    @property
    def of_kind(self) -> ElementKind:
        """Kind of the element."""
        return KINDS[self.kind]

    @property
    def elastic(self) -> Floats:
        """(n, 2, 2) k l_i l_j."""
        return self.stiffness[:, None, None] * self.length.first[:, :, None] * self.length.first[:, None, :]

    @property
    def geometric(self) -> Floats:
        """(n, 2, 2) F l_ij."""
        return self.force[:, None, None] * self.length.second


def elements(swept: SweptAxle, laws: AxleLaws) -> Iterator[Element]:
    """Elements of an axle over the poses of a sweep."""
    return measured_elements(element_spans(swept.axle), laws, over_sweep(swept))


@found_once
def element_spans(axle: AxleData) -> tuple[tuple[SpringElement, Span], ...]:
    """The lengths and angles of all elements of an axle, each with its row."""
    return tuple((row, span) for row in axle.springs for span in KINDS[row.kind].spans(row, axle))


def measured_elements(
    spans: Iterable[tuple[SpringElement, Span]], laws: AxleLaws, measure: Measure
) -> Iterator[Element]:
    """Elements of an axle over poses at which their spans are measured."""
    for row, span in spans:
        part = span.length(measure)
        held = laws[row.name + part.suffix, part.side]
        longer = part.length.value - at_rows(held.design, len(part.length.value))
        force, stiffness = held.law(longer)
        yield Element(row.name + part.suffix, row.kind, part.side, part.length, force, stiffness)


def lengths(row: SpringElement, swept: SweptAxle) -> Iterator[ElementLength]:
    """The lengths of an element on either side, or of the axle, over both travels."""
    measure = over_sweep(swept)
    return (span.length(measure) for own, span in element_spans(swept.axle) if own is row)


def over_sweep(swept: SweptAxle) -> Measure:
    """What measures an axle over the poses of a sweep."""

    def measure(of: PointDistance | BodyTurn) -> Jet:
        if isinstance(of, BodyTurn):
            wheel = swept.wheels[of.side]
            return wheel.over_both(wheel.turn(of))
        (side, one), (far_side, other) = of.first, of.second
        if side == far_side:
            return swept.wheels[side].distance_over_both(one, other)
        near, far = (swept.wheels[each] for each in (side, far_side))
        return (near.hardpoint(one).rebased(near.to_both) - far.hardpoint(other).rebased(far.to_both)).norm()

    return measure


def stiffness(parts: Sequence[Element]) -> Floats:
    """(n, 2, 2) K of an axle."""
    elastic = np.array([part.stiffness for part in parts])
    force = np.array([part.force for part in parts])
    rows = np.array([part.length.rows for part in parts])
    first, second = rows[:, 1:3], rows[:, 3:].reshape(len(parts), 2, 2, -1)
    found = np.einsum("ein,ejn->nij", elastic[:, None] * first, first)
    return np.asarray(found + np.einsum("en,eijn->nij", force, second))
