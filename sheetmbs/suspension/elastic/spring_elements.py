"""Springs, dampers, stops and bars of an axle: lengths over both travels, forces, preloads, and what they make of the wheels.

With lengths l_e(z_L, z_R), tensions F_e and stiffnesses k_e, Q_i is what they do on the travels:

    Q_i = -sum_e F_e l_e,i          K_ij = -dQ_i/dz_j = sum_e k_e l_e,i l_e,j + F_e l_e,ij

Preloads are those at which the car stands at design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import NamedTuple

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import (
    CurveLaw,
    ElementKind,
    ElementLength,
    Law,
    Measure,
    PointDistance,
    Span,
    at_rows,
)
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.kinematics.body_motion import BodyTurn
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement, computed_once
from sheetmbs.suspension.layout.mass_data import corner_load


@dataclass(frozen=True, eq=False)
class HeldLaw:
    """The law of an element and its length at design, m or rad: one, or (V,) of several axles."""

    law: Law
    design: Floats


AxleLaws = Mapping[tuple[str, str], HeldLaw]
"""laws of the elements of an axle by name and side, ``""`` of the axle itself"""


class LazyLaws(Mapping[tuple[str, str], HeldLaw]):
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


@computed_once
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


MIN_RATIO = 1e-9
"""spring travel per wheel travel below which a spring carries nothing"""


def laws(car: CarData, design: SweptAxle) -> dict[tuple[str, str], HeldLaw]:
    """The law of every element by its name and side. design: the axle at its design pose alone, or several axles at theirs.

    Springs that say nothing of their force carry what is left of the load at design, in equal shares.
    """
    axle = design.axle
    parts = [(row, part) for row in axle.springs for part in lengths(row, design)]
    forces = [_at_design(row, part, axle) for row, part in parts]
    unsprung = _unsprung_at_design(design)
    left = {side: _carried_at_design(car, axle, design.wheels[side]) - unsprung[side] for side in SIDES}
    for (_row, part), force in zip(parts, forces, strict=True):
        for number, side in enumerate(SIDES):
            if force is not None:
                left[side] = left[side] + force * part.length.first[:, number]
    unknown = [(row.name, part) for (row, part), force in zip(parts, forces, strict=True) if force is None]
    solved = _solved(unknown, np.stack([left[side] for side in SIDES], axis=-1))
    found: dict[tuple[str, str], HeldLaw] = {}
    for (row, part), force in zip(parts, forces, strict=True):
        carried = solved[row.name, part.side] if force is None else force
        own = axle.spring_row(row, part.suffix, part.side)
        law = _no_law if own is None else KINDS[row.kind].law(own, part.suffix, carried)
        drawn = KINDS[row.kind].drawn
        at = part.length.value if drawn is None else drawn(row, axle.as_drawn, part.side)
        found[row.name + part.suffix, part.side] = HeldLaw(law, np.atleast_1d(at))
    return found


def _no_law(longer: Floats) -> tuple[Floats, Floats]:
    """The law of a spring that is taken away."""
    return np.zeros_like(longer), np.zeros_like(longer)


def _solved(unknown: list[tuple[str, ElementLength]], load: Floats) -> dict[tuple[str, str], Floats]:
    """Compression forces with which springs carry loads (V, 2) on both travels, each of a wheel the same share of it."""
    found: dict[tuple[str, str], Floats] = {}
    count = np.array([max(sum(part.side == side for _name, part in unknown), 1) for side in SIDES])
    for name in dict.fromkeys(name for name, _part in unknown):
        both = [part for each, part in unknown if each == name]
        at = [SIDES.index(part.side) for part in both]
        ratios = -np.stack([part.length.first[:, at] for part in both], axis=-1)
        effective = np.isfinite(load).all(axis=1) & (np.abs(np.linalg.det(ratios)) > MIN_RATIO ** len(both))
        forces = np.full((len(load), len(both)), nan)
        forces[effective] = np.linalg.solve(ratios[effective], (load / count)[effective][:, at, None])[..., 0]
        found |= {(name, part.side): force for part, force in zip(both, forces.T, strict=True)}
    return found


def _carried_at_design(car: CarData, axle: AxleData, wheel: Wheel) -> Floats:
    """(V,) generalised force of the contact load on the travel of a corner at design; NaN where nothing tells the load."""
    load = corner_load(car, axle)
    return np.asarray((nan if load is None else load) * wheel.contact_velocity[:, 2])


def _unsprung_at_design(design: SweptAxle) -> dict[str, Floats]:
    """(V,) what unsprung masses take of it on the travel of either wheel."""
    taken = dict.fromkeys(SIDES, np.zeros(1))
    for mass in design.axle.masses:
        wheel = design.wheels[mass.side]
        height = wheel.over_both(wheel.mass_place(mass).z)
        for number, side in enumerate(SIDES):
            taken[side] = taken[side] + mass.mass * design.axle.gravity * height.first[:, number]
    return taken


def _at_design(of_axle: SpringElement, part: ElementLength, axle: AxleData) -> Floats | None:
    """(V,) compression force at design, N or N m; None where that is to be found. of_axle: its row on Suspension springs."""
    row = axle.spring_row(of_axle, part.suffix, part.side)
    if row is None:
        return np.zeros_like(part.length.value)
    given, free = row.number("preload"), row.number("free_length")
    none = np.zeros_like(part.length.value)
    if given is not None:
        return given + none
    if free is not None:
        is_own = free == of_axle.number("free_length")  # a length that Springs has is that from perch to perch
        compressed = free - part.length.value + (axle.perches.get(part.side, 0.0) if is_own else 0.0)
        if "curve_k" in row.curves:
            return CurveLaw(row.curves["curve_k"])(compressed)[0]
        return np.asarray((row.number("k") or 0.0) * compressed)
    is_link = axle.has_point(f"{row.name} inner")
    return None if KINDS[row.kind].is_solved and not is_link else none
