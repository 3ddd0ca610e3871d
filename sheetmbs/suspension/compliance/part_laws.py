"""Laws of what acts in an axle with elastic parts: its springs from design, and its springs, stops and bars with soft ends.

Parts in series carry one force: with u of the first of them and x of all, f(u) = g(x - u), where g is the law of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.model.model import Curve
from sheetmbs.suspension.compliance.elastic_connections import in_series
from sheetmbs.suspension.compliance.elastic_rows import ElementRow, PartSpring
from sheetmbs.suspension.elastic.element_kind import CurveLaw, Law
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, HeldLaw

Flags = NDArray[np.bool_]
MAX_STEPS = 60
"""of Newton's method for the deflection of a part in series; halving an interval as often leaves rounding"""
CARRIED = 1e-13
"""of a force: what may be left over at the ends of elements"""
ROUNDING = 4e-16
"""of a deflection: a step that is shorter changes nothing"""


@dataclass(frozen=True)
class StiffnessLaw:
    """A linear law. k: N/m or N m/rad."""

    k: float

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Force and stiffness."""
        return self.k * x, np.full_like(x, self.k)


class SeriesLaw:
    """The law of parts in series, each of which rises through the origin."""

    def __init__(self, first: Law, others: Sequence[Law]) -> None:
        self.first = first
        self.rest: Law = others[0] if len(others) == 1 else SeriesLaw(others[0], others[1:])

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Force and stiffness."""
        u = self.share(x)
        force, k = self.first(u)
        rate = self.rest(x - u)[1]
        return force, k * rate / (k + rate)

    def share(self, x: Floats) -> Floats:
        """(n,) deflection of the first part, by Newton's method in an interval that shrinks: between 0 and the whole."""
        low, high = np.minimum(x, 0.0), np.maximum(x, 0.0)
        u = 0.5 * x
        for _ in range(MAX_STEPS):
            (force, k), (other, rate) = self.first(u), self.rest(x - u)
            left = force - other
            low, high = np.where(left <= 0.0, u, low), np.where(left >= 0.0, u, high)
            found = u - left / (k + rate)
            found = np.where((found < low) | (found > high), 0.5 * (low + high), found)
            is_found = np.all(np.abs(found - u) <= ROUNDING * np.abs(x))
            u = found
            if is_found:
                break
        return u

    def shares(self, x: Floats) -> list[Floats]:
        """Deflections of all parts."""
        u = self.share(x)
        rest = self.rest.shares(x - u) if isinstance(self.rest, SeriesLaw) else [x - u]
        return [u, *rest]


class PartLaw:
    """The law of parts in series: curves of some by their names, and compliances of others, m/N."""

    def __init__(self, linear: tuple[tuple[str, float], ...], curves: tuple[tuple[str, Curve], ...]) -> None:
        self.names = [name for name, _curve in curves]
        self.curves = [CurveLaw(odd(curve)) for _name, curve in curves]
        k = in_series(linear)
        laws: list[Law] = [*self.curves, *([] if k is None else [StiffnessLaw(k)])]
        self.law: Law = laws[0] if len(laws) == 1 else SeriesLaw(laws[0], laws[1:])
        self.linear = linear

    def __call__(self, x: Floats) -> tuple[Floats, Floats]:
        """Force and stiffness."""
        return self.law(x)

    def where(self, force: float) -> float:
        """The deflection at which the parts carry a force."""
        return sum(curve.where(force) for curve in self.curves) + sum(soft * force for _name, soft in self.linear)

    def _shares(self, x: Floats) -> list[Floats]:
        return self.law.shares(x) if isinstance(self.law, SeriesLaw) else [x]

    def beyond(self, x: Floats) -> list[tuple[str, Flags]]:
        """Return for each part with a curve (n,) whether it is beyond its ends."""
        outside = [(u < law.ends[0]) | (u > law.ends[1]) for u, law in zip(self._shares(x), self.curves, strict=False)]
        return list(zip(self.names, outside, strict=True))

    def compliances(self, x: Floats) -> list[tuple[str, Floats]]:
        """(n,) compliance of each part there."""
        own = [1.0 / law(u)[1] for u, law in zip(self._shares(x), self.curves, strict=False)]
        linear = [(name, np.full_like(x, soft)) for name, soft in self.linear]
        return [*zip(self.names, own, strict=True), *linear]


class SpringLaws:
    """Forces of springs over their deflections from design: preload + k times it, or along curves."""

    def __init__(self, rows: tuple[PartSpring, ...]) -> None:
        self.k = np.array([row.k or 0.0 for row in rows])
        self.preload = np.zeros(len(rows))
        self.curves = {at: PartLaw(row.parts, row.curves) for at, row in enumerate(rows) if row.curves}
        self.start = dict.fromkeys(self.curves, 0.0)

    def at(self, longer: Floats) -> tuple[Floats, Floats]:
        """(n, springs) forces and stiffnesses."""
        force = self.preload + self.k * longer
        stiffness = np.broadcast_to(self.k, longer.shape).copy()
        for at, law in self.curves.items():
            force[:, at], stiffness[:, at] = law(longer[:, at] + self.start[at])
        return force, stiffness

    def beyond(self, longer: Floats) -> dict[int, list[tuple[str, Flags]]]:
        """Return by spring the parts that have a curve, and (n,) whether each is beyond it."""
        return {at: law.beyond(longer[:, at] + self.start[at]) for at, law in self.curves.items()}

    def compliances(self, at: int, longer: Floats) -> list[tuple[str, Floats]]:
        """(n,) compliances of the parts of a spring that has curves."""
        return self.curves[at].compliances(longer[:, at] + self.start[at])


def odd(curve: Curve) -> Curve:
    """A curve over both signs: one that begins at 0 is continued as an odd function."""
    x, y = curve.x, curve.y
    if x[0] < 0.0:
        return curve
    keep = x > 0.0
    own_x = np.concatenate((-x[keep][::-1], [0.0], x[keep]))
    own_y = np.concatenate((-y[keep][::-1], [0.0], y[keep]))
    return replace(curve, x=own_x, y=own_y)


@dataclass(frozen=True, eq=False)
class SoftEnds:
    """What gives way at the ends of elements between the same points. start: how far it does at design, m."""

    law: PartLaw
    start: float


class ElementLaws:
    """Tensions of springs, stops and bars over their lengths; those between the same points share how far these give way.

    groups: numbers of elements that share their ends; ends: what gives way there, None where nothing does.
    """

    def __init__(self, rows: tuple[ElementRow, ...], laws: AxleLaws, design: Floats) -> None:
        self.held: list[HeldLaw] = [laws[row.key] for row in rows]
        self.design = design
        self.offset = np.array([design[k] - float(held.design[0]) for k, held in enumerate(self.held)])
        groups: dict[tuple[object, ...], list[int]] = {}
        for k, row in enumerate(rows):
            shared = (row.key[1], *row.ends) if row.gives_way else (k,)
            groups.setdefault(shared, []).append(k)
        self.groups = [np.array(each) for each in groups.values()]
        self.ends = [self._ends(rows[group[0]], group) for group in self.groups]
        self.at_design = self.at(design[None])[0][0] if len(rows) else np.zeros(0)

    def _ends(self, row: ElementRow, group: Ints) -> SoftEnds | None:
        if not row.gives_way:
            return None
        law = PartLaw(row.parts, row.curves)
        carried = float(np.sum(self._own(group, np.zeros((1, len(group))))[0]))
        return SoftEnds(law, law.where(carried) if np.isfinite(carried) else 0.0)

    def at(self, length: Floats, more: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        """(n, elements) tensions, stiffnesses, and how much of a tension that is added is left as ends give way.

        more: (n, elements) tensions of locked elements beyond their laws.
        """
        more = np.zeros_like(length) if more is None else more
        force, stiffness, left = np.zeros_like(length), np.zeros_like(length), np.ones_like(length)
        for group, ends in zip(self.groups, self.ends, strict=True):
            longer = length[:, group] - self.design[group]
            own = self._own(group, longer)
            if ends is not None:
                own, u = self._in_series(group, longer, ends, np.sum(more[:, group], axis=1))
                k = ends.law(ends.start + u)[1]
                share = (k / (k + np.sum(own[1], axis=1)))[:, None]
                own = own[0], own[1] * share
                left[:, group] = share
            force[:, group], stiffness[:, group] = own
        return force + more, stiffness, left

    def _own(self, group: Ints, longer: Floats) -> tuple[Floats, Floats]:
        found = [self.held[k].law(longer[:, c] + self.offset[k]) for c, k in enumerate(group)]
        return np.stack([each[0] for each in found], axis=1), np.stack([each[1] for each in found], axis=1)

    def _in_series(
        self, group: Ints, longer: Floats, ends: SoftEnds, more: Floats
    ) -> tuple[tuple[Floats, Floats], Floats]:
        """Laws of elements whose ends give way by u more than at design: f(u) = sum of the laws at longer - u."""
        u = np.zeros(len(longer))
        own = self._own(group, longer)
        for _ in range(MAX_STEPS):
            own = self._own(group, longer - u[:, None])
            force, k = ends.law(ends.start + u)
            left = np.sum(own[0], axis=1) + more - force
            if np.max(np.abs(left)) <= CARRIED * (1.0 + np.max(np.abs(force))):
                break
            u = u + left / (k + np.sum(own[1], axis=1))
        return own, u

    def end_compliances(self, at: int, length: Floats, more: Floats | None) -> list[tuple[str, Floats]]:
        """(n,) compliance of each part at the ends of a group of elements. length: (n, elements)."""
        ends, group = self.ends[at], self.groups[at]
        if ends is None:
            return []
        carried = np.zeros(len(length)) if more is None else np.sum(more[:, group], axis=1)
        _own, u = self._in_series(group, length[:, group] - self.design[group], ends, carried)
        return ends.law.compliances(ends.start + u)
