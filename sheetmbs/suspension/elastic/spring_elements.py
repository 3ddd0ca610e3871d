"""Springs, dampers, stops and bars of an axle: lengths over both travels, forces, preloads, and what they make of the wheels.

With lengths l_e(z_L, z_R), tensions F_e and stiffnesses k_e, Q_i is what they do on the travels:

    Q_i = -sum_e F_e l_e,i          K_ij = -dQ_i/dz_j = sum_e k_e l_e,i l_e,j + F_e l_e,ij

Preloads are those at which the car stands at design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from math import nan
from typing import NamedTuple

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
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
from sheetmbs.suspension.elastic.kinds.blade_bar import Blade, BladeLength, BladePose, blade_pose
from sheetmbs.suspension.elastic.spring_law import SpringLaw, force_of_free_length
from sheetmbs.suspension.kinematics.body_motion import BodyTurn
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, SOLVE_HEIGHT, AxleData, CarData, SpringElement, computed_once
from sheetmbs.suspension.layout.mass_data import corner_load


@dataclass(frozen=True, eq=False)
class HeldLaw:
    """The law of an element and its length at design, m or rad: one, or (V,) of several axles."""

    law: Law
    design: Floats

    @property
    def loose(self) -> Floats | None:
        """(V,) length, m, from which on it carries nothing; None of what never comes loose."""
        if not isinstance(self.law, SpringLaw):
            return None
        found = self.design + self.law.loose
        return found if np.isfinite(found).all() else None


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
    found = measured_elements(element_spans(swept.axle), laws, over_sweep(swept))
    if swept.elastic is None or not swept.elastic.of.is_sprung:
        return found
    now = swept.elastic.assembled  # whose ends may give way with them
    acting = zip(now.element_force.T, now.element_stiffness.T, strict=True)
    return (part._replace(force=force, stiffness=k) for part, (force, k) in zip(found, acting, strict=True))


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
    blades: dict[Blade, BladePose] = {}

    def measure(of: PointDistance | BodyTurn | BladeLength) -> Jet:
        if isinstance(of, BladeLength):
            pose = blades.get(of.blade) or blades.setdefault(of.blade, blade_pose(swept))
            return pose.lengths[of.side]
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
    elastic, force, first, second = _stacked(parts)
    found = np.einsum("ein,ejn->nij", elastic[:, None] * first, first)
    return np.asarray(found + np.einsum("en,eijn->nij", force, second))


def stiffness_of_each(parts: Sequence[Element]) -> Floats:
    """(elements, n, 2, 2) what each element adds to K of an axle."""
    elastic, force, first, second = _stacked(parts)
    found = (elastic[:, None] * first)[:, :, None] * first[:, None] + force[:, None, None] * second
    return found.transpose(0, 3, 1, 2)


def _stacked(parts: Sequence[Element]) -> tuple[Floats, Floats, Floats, Floats]:
    """Rates and forces (elements, n) with first (elements, 2, n) and second derivatives (elements, 2, 2, n) of lengths."""
    elastic = np.array([part.stiffness for part in parts])
    force = np.array([part.force for part in parts])
    rows = np.array([part.length.rows for part in parts])
    return elastic, force, rows[:, 1:3], rows[:, 3:].reshape(len(parts), 2, 2, -1)


MIN_RATIO = 1e-9
"""spring travel per wheel travel below which a spring carries nothing"""
MAX_SETTLING_STEPS = 60
SETTLED_STEP = 1e-14
"""m, of both wheels on third springs, that is the last"""


@dataclass(frozen=True, eq=False)
class _CarriedAtDesign:
    """What an element carries at design and how long it is there, (V,) each. own: its row; None of one that is taken away."""

    own: SpringElement | None
    suffix: str
    carried: Floats
    length: Floats

    def law(self, which: slice = slice(None)) -> HeldLaw:
        """The law of the element in all axles, or in those that ``which`` selects."""
        law: Law = _no_law
        if self.own is not None:
            law = KINDS[self.own.kind].law(self.own, self.suffix, _of_some(self.carried, which))
        return HeldLaw(law, _of_some(self.length, which))


def _of_some(values: Floats, which: slice) -> Floats:
    """Values of the axles that ``which`` selects; a value that all axles share stays the same."""
    return values[which] if len(values) > 1 else values


def laws(car: CarData, design: SweptAxle) -> dict[tuple[str, str], HeldLaw]:
    """The law of every element by its name and side. design: the axle at its design pose alone, or several axles at theirs.

    Springs that say nothing of their force carry what is left of the load at design, in equal shares.
    """
    return {key: element.law() for key, element in _carried(car, design).items()}


def laws_of_each(car: CarData, design: SweptAxle) -> list[dict[tuple[str, str], HeldLaw]]:
    """The laws of each of several axles at their design poses."""
    found = _carried(car, design)
    count = len(design.placing.rack)
    return [{key: element.law(slice(row, row + 1)) for key, element in found.items()} for row in range(count)]


def _carried(car: CarData, design: SweptAxle) -> dict[tuple[str, str], _CarriedAtDesign]:
    axle = design.axle
    parts = [(row, part) for row in axle.springs for part in lengths(row, design)]
    left, forces = left_at_design(car, design)
    unknown = [(row, part) for (row, part), force in zip(parts, forces, strict=True) if force is None]
    solved = _solved(unknown, left)
    thirds = carrying_thirds(car, axle)
    if thirds:
        solved |= _settled_thirds(thirds, parts, left)
    found: dict[tuple[str, str], _CarriedAtDesign] = {}
    for (row, part), force in zip(parts, forces, strict=True):
        carried = solved.get((row.name, part.side), force) if part.suffix == "" else force
        own = axle.spring_row(row, part.suffix, part.side)
        none = np.zeros_like(part.length.value)
        drawn = KINDS[row.kind].drawn
        at = part.length.value if drawn is None else drawn(row, axle.as_drawn, part.side)
        found[row.name + part.suffix, part.side] = _CarriedAtDesign(
            own, part.suffix, np.atleast_1d(none if carried is None else carried), np.atleast_1d(at)
        )
    return found


def left_at_design(car: CarData, design: SweptAxle) -> tuple[Floats, list[Floats | None]]:
    """(V, 2) what is left of the load at design on both travels by forces that rows tell, and these, N or N m; None unknown."""
    axle = design.axle
    parts = [(row, part) for row in axle.springs for part in lengths(row, design)]
    forces = [_at_design(row, part, axle) for row, part in parts]
    unsprung = _unsprung_at_design(design)
    left = {side: _carried_at_design(car, axle, design.wheels[side]) - unsprung[side] for side in SIDES}
    for (row, part), force in zip(parts, forces, strict=True):
        for number, side in enumerate(SIDES):
            if force is not None:
                acting = np.maximum(force, 0.0) if KINDS[row.kind].can_pull and not row.is_captive else force
                left[side] = left[side] + acting * part.length.first[:, number]
    return np.stack([left[side] for side in SIDES], axis=-1), forces


def carrying_thirds(car: CarData, axle: AxleData) -> tuple[SpringElement, ...]:
    """Third springs that carry an axle: they say nothing of their force, and no spring is there whose force is solved."""

    def says_nothing(row: SpringElement) -> bool:
        return row.number("preload") is None and row.number("free_length") is None

    solved = [row for row in axle.springs if KINDS[row.kind].is_solved and not axle.has_point(f"{row.name} inner")]
    stands_on_springs = solved and (car.settings.get("ride height") == SOLVE_HEIGHT or corner_load(car, axle) is None)
    if any(says_nothing(row) for row in solved) or stands_on_springs:
        return ()
    return tuple(row for row in axle.springs if row.kind == SpringKind.THIRD_SPRING and says_nothing(row))


def _settled_thirds(
    thirds: Sequence[SpringElement], parts: Sequence[tuple[SpringElement, ElementLength]], left: Floats
) -> dict[tuple[str, str], Floats]:
    """Compression forces of third springs that carry loads (V, 2) on both travels, by name and side.

    One carries (Q_L + Q_R)/|l'|, l' = dl/dz of both wheels; several settle by one delta of both wheels, F_e(|l'_e| delta).
    One that gets longer in bump carries nothing.
    """
    load = np.sum(left, axis=1)
    own = [(row, -np.sum(part.length.first, axis=1)) for row in thirds for each, part in parts if each is row]
    shorter = [(row, np.where(ratio > MIN_RATIO, ratio, 0.0)) for row, ratio in own]
    if len(shorter) == 1:
        forces = [np.where(ratio > 0.0, load / np.where(ratio > 0.0, ratio, 1.0), 0.0) for _row, ratio in shorter]
    else:
        delta = np.array([_settled(shorter, number, float(each)) for number, each in enumerate(load)])
        forces = [_of_settled(row, ratio, delta) for row, ratio in shorter]
    return {(row.name, ""): force for (row, _ratio), force in zip(shorter, forces, strict=True)}


def _of_settled(row: SpringElement, ratio: Floats, delta: Floats) -> Floats:
    return np.where(ratio > 0.0, force_of_free_length(row, ratio * delta), 0.0)


def _settled(shorter: Sequence[tuple[SpringElement, Floats]], number: int, load: float) -> float:
    """By how much an axle settles on its third springs, m, by Newton's method; exact at once where they are straight."""
    delta = 0.0
    if not np.isfinite(load):
        return nan
    for _ in range(MAX_SETTLING_STEPS):
        carried, rate = 0.0, 0.0
        for row, ratios in shorter:
            ratio = float(ratios[number])
            if ratio:
                law = SpringLaw(row, force_of_free_length(row, np.array([ratio * delta])))
                force, stiffness = law.in_series(np.zeros(1))
                carried, rate = carried + ratio * float(force[0]), rate + ratio**2 * float(stiffness[0])
        if not rate > 0.0:
            return nan
        step = (load - carried) / rate
        delta += step
        if abs(step) <= SETTLED_STEP:
            break
    return delta


def _no_law(longer: Floats) -> tuple[Floats, Floats]:
    """The law of a spring that is taken away."""
    return np.zeros_like(longer), np.zeros_like(longer)


def _solved(unknown: Sequence[tuple[SpringElement, ElementLength]], load: Floats) -> dict[tuple[str, str], Floats]:
    """Compression forces with which springs carry loads (V, 2) on both travels, each of a wheel the same share of it.

    The first spring of the left wheel and that of the right one are solved together, then the second ones, and so on.
    """
    found: dict[tuple[str, str], Floats] = {}
    of_side = {side: [(row, part) for row, part in unknown if part.side == side] for side in SIDES}
    count = np.array([max(len(of_side[side]), 1) for side in SIDES])
    for both in zip_longest(*of_side.values()):
        pair = [each for each in both if each is not None]
        at = [SIDES.index(part.side) for _row, part in pair]
        ratios = -np.stack([part.length.first[:, at] for _row, part in pair], axis=-1)
        effective = np.isfinite(load).all(axis=1) & (np.abs(np.linalg.det(ratios)) > MIN_RATIO ** len(pair))
        forces = np.full((len(load), len(pair)), nan)
        forces[effective] = np.linalg.solve(ratios[effective], (load / count)[effective][:, at, None])[..., 0]
        found |= {(row.name, part.side): force for (row, part), force in zip(pair, forces.T, strict=True)}
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
        return force_of_free_length(row, compressed)
    is_link = axle.has_point(f"{row.name} inner")
    return None if KINDS[row.kind].is_solved and not is_link else none
