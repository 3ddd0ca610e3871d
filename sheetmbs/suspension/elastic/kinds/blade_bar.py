"""Blade bars (Z-bars): a rigid blade on a pivot of the chassis, with a drop link from each of its tips to the suspension.

A link that is u longer than at design carries k u, k the stiffness of one tip along its link. The angle psi of the blade is
free, so it stands where the energy H = k/2 (u_L^2 + u_R^2) has no slope:

    H_psi = k sum u u_psi = 0          u = |P - p - R(psi) r| - u_0

with P the end of a link on the suspension, p the pivot and r the arm of its tip. Newton's method on numbers that carry their
derivatives makes psi exact to second order: of a root known to order m one step gives it to order 2 m + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import (
    SETTING,
    STIFFNESS_CURVE,
    ElementKind,
    Law,
    Span,
)
from sheetmbs.suspension.kinematics.jets import Jet, Vec, jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector, computed_once

BLADE_LINK = "blade link"
LINK_END = "bar link suspension"
MAX_STEPS = 40
MAX_TURN = 0.2
"""rad, of one step of the blade's angle"""
CONVERGED_TURN = 1e-15
"""rad"""


@dataclass(frozen=True, eq=False)
class Blade:
    """A blade at design. pivot, along: its axis. arms: from the axis to its tips, square to it, by side. rise: along it.

    lengths: of its links as drawn, m.
    """

    pivot: Vector
    along: Vector
    arms: Mapping[str, Vector]
    rise: Mapping[str, Floats]
    lengths: Mapping[str, Floats]

    def pose(self, ends: Mapping[str, Vec]) -> BladePose:
        """Where it stands. ends: of its links on the suspension, by side, with derivatives by the travels of both wheels."""
        links = [_Link(self, side, ends[side]) for side in SIDES]
        turned = np.zeros(ends[SIDES[0]].rows.shape[2])
        for _ in range(MAX_STEPS):
            at = Jet(turned[None])
            slope, bend = _energy_slopes([link.at(at, with_derivatives=False) for link in links])
            step = np.clip(slope.value / np.where(bend.value, bend.value, 1.0), -MAX_TURN, MAX_TURN)
            turned = turned - np.where(np.isfinite(step), step, 0.0)
            if np.max(np.abs(step), initial=0.0) <= CONVERGED_TURN:
                break
        count = len(turned)
        angle = jet(turned, np.zeros((count, len(SIDES))), np.zeros((count, len(SIDES), len(SIDES))))
        for _order in range(2):
            slope, bend = _energy_slopes([link.at(angle) for link in links])
            angle = angle - slope / bend
        found = {side: link.at(angle) for side, link in zip(SIDES, links, strict=True)}
        by_angle = {side: each.by_angle.value for side, each in found.items()}
        return BladePose(self, angle, {side: each.length for side, each in found.items()}, by_angle)


@dataclass(frozen=True, eq=False)
class BladePose:
    """A blade over poses. angle: about its axis from design, rad. lengths: of its links, by side.

    by_angle: (n,) how much longer each gets per angle, m/rad.
    """

    blade: Blade
    angle: Jet
    lengths: Mapping[str, Jet]
    by_angle: Mapping[str, Floats]

    @property
    def balanced(self) -> Mapping[str, Floats]:
        """(n,) forces of both links by side with which the blade is in balance about its axis, of unit size together."""
        left, right = (self.by_angle[side] for side in SIDES)
        size = np.hypot(left, right)
        return dict(zip(SIDES, (right / size, -left / size), strict=True))

    def tip(self, side: str) -> Floats:
        """(n, 3) place of a tip."""
        arm, psi = self.blade.arms[side], self.angle.value[:, None]
        beside = cross(np.broadcast_to(self.blade.along, arm.shape), arm)
        level = self.blade.pivot + self.blade.along * np.asarray(self.blade.rise[side])[..., None]
        return np.asarray(level + np.cos(psi) * arm + np.sin(psi) * beside)


@dataclass(frozen=True, eq=False)
class _Stretch:
    """A link at an angle. u: how much longer than at design; by_angle, bend: its derivatives by the angle."""

    length: Jet
    u: Jet
    by_angle: Jet
    bend: Jet


class _Link:
    """l^2 = w.w + r.r - 2 (cos psi w.r + sin psi w.(a x r)), w from the axis beside the tip to the suspension."""

    def __init__(self, blade: Blade, side: str, end: Vec) -> None:
        arm = blade.arms[side]
        beside = cross(np.broadcast_to(blade.along, arm.shape), arm)
        level = blade.pivot + blade.along * np.asarray(blade.rise[side])[..., None]
        rows = end.rows.copy()
        rows[:, 0] -= level.T if level.ndim > 1 else level[:, None]
        away = Vec(rows)
        self._square = away.dot(away) + np.sum(arm * arm, axis=-1)
        self._ahead, self._beside = away.along(arm), away.along(beside)
        self._drawn = blade.lengths[side]

    def at(self, angle: Jet, *, with_derivatives: bool = True) -> _Stretch:
        square, ahead, beside = self._square, self._ahead, self._beside
        if not with_derivatives:
            square, ahead, beside = (Jet(each.rows[:1]) for each in (square, ahead, beside))
        cosine, sine = angle.cos(), angle.sin()
        along = cosine * ahead + sine * beside
        length = (square - along * 2.0).sqrt()
        by_angle = (sine * ahead - cosine * beside) / length
        drawn = np.asarray(self._drawn)
        count = length.rows.shape[1]
        drawn = drawn if drawn.size == 1 else np.repeat(drawn, count // drawn.size)
        return _Stretch(length, length - drawn, by_angle, along / length - by_angle * by_angle / length)


def _energy_slopes(links: list[_Stretch]) -> tuple[Jet, Jet]:
    """H_psi and H_psi,psi over k."""
    left, right = links
    slope = left.u * left.by_angle + right.u * right.by_angle
    bend = [each.by_angle * each.by_angle + each.u * each.bend for each in links]
    return slope, bend[0] + bend[1]


@dataclass(frozen=True)
class BladeLength:
    """The length of a drop link of a blade."""

    side: str
    blade: Blade


@computed_once
def blade_of(axle: AxleData) -> Blade:
    """The blade of an axle that has one."""
    pivot, along = axle.blade_axis
    arms, rise = {}, {}
    for side in SIDES:
        arm = axle.blade_tip(side) - pivot
        rise[side] = np.sum(arm * along, axis=-1)
        arms[side] = arm - along * rise[side][..., None]
    return Blade(pivot, along, arms, rise, {side: _drawn(None, axle.as_drawn, side) for side in SIDES})


def blade_pose(swept: SweptAxle) -> BladePose:
    """The blade of an axle over the poses of a sweep."""
    ends = {}
    for side in SIDES:
        wheel = swept.wheels[side]
        ends[side] = wheel.hardpoint(LINK_END).rebased(wheel.to_both)
    return blade_of(swept.axle).pose(ends)


def _links(_row: SpringElement, axle: AxleData) -> Iterator[Span]:
    blade = blade_of(axle)
    for side in SIDES:
        yield Span(side, BladeLength(side, blade))


def _drawn(_row: SpringElement | None, axle: AxleData, side: str) -> Floats:
    """Length of a link as drawn, m."""
    return np.asarray(np.linalg.norm(axle.points[side][LINK_END].position - axle.blade_tip(side), axis=-1))


def _law(row: SpringElement, _suffix: str, _preload: Floats) -> Law:
    """Tension of a link over how much longer it is: k is that of one tip."""
    k = row.number("k") or 0.0
    return lambda longer: (k * longer, np.full_like(longer, k))


BLADE_BAR = ElementKind(
    SpringKind.BLADE_BAR,
    "anti-roll bar with a blade on a pivot",
    numbers=(("k", u.STIFFNESS), SETTING),
    needs=(("k",), ("k_of_setting", "setting")),
    spans=_links,
    law=_law,
    drawn=_drawn,
    curves=(STIFFNESS_CURVE,),
    texts=("on",),
    is_bar=True,
)
