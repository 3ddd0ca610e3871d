"""Exact compliance of an axle at poses in equilibrium: how both wheels answer loads, and what each part has in it.

With K the whole derivative and B the motions of both wheels by those of the bodies, C = B K^-1 B' of the loads Fx Fy Fz Mx My
Mz of the left and of the right wheel at contacts and wheel centres, springs acting: loads of the pads are held. With z the
heights of both contacts over the road, held heights give

    C - C_z C_zz^-1 C_z'        dFz = -C_zz^-1 C_z'

A part with the forces f, g of its springs under a load and under the unit load that reads an angle adds f g/k to that angle.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.compliance.elastic_rows import ElasticJoint
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.elastic_parts import TYRE

CONTACT, CENTRE = slice(0, 12), slice(12, 24)
"""loads and motions at the contacts, and at the wheel centres"""
FX, FY, FZ, MX, MY, MZ = range(6)
RIGHT = 6
"""number of the first component of the right wheel"""
SPRINGS, GEOMETRY = "springs", "geometry"


@dataclass(frozen=True, eq=False)
class Answer:
    """Motions of both wheels (n, 24, r) under r loads, and dFz (n, 2, r) of the pads; nothing where loads are held."""

    motion: Floats
    load: Floats


@dataclass(frozen=True, eq=False)
class AxleCompliance:
    """The compliance of an axle over n poses in equilibrium."""

    of: ElasticPoses

    @property
    def is_sprung(self) -> bool:
        """Whether springs hold the axle, so that loads of pads can be held."""
        return self.of.of.is_sprung

    @cached_property
    def motions(self) -> Floats:
        """(n, 24, N) B: of both wheels at contacts and centres, by the motions of the bodies."""
        axle, on = self.of.of, self.of.standing
        parts = [axle.wheel_motions(self.of.poses, on, at_centre=at_centre) for at_centre in (False, True)]
        return np.concatenate(parts, axis=1)

    @cached_property
    def _responses(self) -> Floats:
        """(n, N, 26) motions of the bodies under loads of the wheels and along both heights, loads of the pads held."""
        right = np.swapaxes(np.concatenate((self.motions, self._heights), axis=1), 1, 2)
        return self.of.of.response(self.of, right, holds_heights=False)[0]

    @property
    def _free(self) -> Floats:
        """(n, N, 24) motions of the bodies under loads of the wheels, loads of the pads held."""
        return self._responses[:, :, :24]

    @cached_property
    def _heights(self) -> Floats:
        """(n, 2, N) of both contacts over the road."""
        return self.of.assembled.jacobian[:, self.of.of.heights]

    @cached_property
    def height_compliance(self) -> Floats:
        """(n, 2, 2) C_zz of both contacts along the normal of the road, m/N."""
        return np.asarray(self._heights @ self._responses[:, :, 24:])

    @cached_property
    def free(self) -> Answer:
        """Motions under unit loads at contacts and centres, springs acting and loads of the pads held."""
        found = self._with_tyre(self.motions @ self._free)
        return Answer(found, np.zeros((len(found), 2, 24)))

    @cached_property
    def _held_bodies(self) -> tuple[Floats, Floats]:
        """(n, N, 24) motions of the bodies and (n, 2, 24) loads of the pads, heights of the contacts held."""
        if not self.is_sprung:
            return self.of.of.response(self.of, np.swapaxes(self.motions, 1, 2), holds_heights=True)
        by_height = self._responses[:, :, 24:]
        load = -np.linalg.solve(self.height_compliance, self._heights @ self._free)
        return self._free + by_height @ load, np.asarray(load, dtype=np.float64)

    @cached_property
    def held(self) -> Answer:
        """Motions under unit loads, heights of the contacts held."""
        bodies, load = self._held_bodies
        return Answer(self._with_tyre(self.motions @ bodies), load)

    @cached_property
    def tyre(self) -> Floats:
        """(2, 2) compliance of both tyres, along and across, m/N."""
        return tyre_compliance(self.of.of.axle)

    def _with_tyre(self, found: Floats) -> Floats:
        """Motions of the contacts with what tyres add; they turn nothing."""
        found = found.copy()
        for side in range(len(SIDES)):
            for axis, soft in zip((FX, FY), self.tyre[side], strict=True):
                at = RIGHT * side + axis
                found[:, at, at] += soft
        return found

    def matrix(self, *, at_centre: bool) -> Floats:
        """(n, 12, 12) C of loads and motions at the contacts or at the wheel centres; springs act."""
        answer = self.free if self.is_sprung else self.held
        which = CENTRE if at_centre else CONTACT
        return answer.motion[:, which, which]

    # --- parts ---

    def part_shares(self, load: Floats, reading: Floats) -> dict[str, Floats]:
        """(n,) by part what it has in the reading (24,) under the load (24,), heights of the contacts held.

        Left and right together; springs and bars are one part, and geometry what preloads add by turning with the bodies.
        """
        bodies, _load = self._held_bodies
        now = self.of.assembled
        first, second = bodies @ load, np.einsum("nkr,nr->nk", bodies, _each(reading, len(bodies)))
        found: dict[str, Floats] = {}
        for at, (row, slope, k) in enumerate(
            zip(self.of.of.springs, np.moveaxis(now.spring_slopes, 1, 0), now.spring_stiffness.T, strict=True)
        ):
            if row.joint >= 0:
                continue
            both = k * np.sum(slope * first, axis=1) * np.sum(slope * second, axis=1)
            for part, soft in self.of.part_compliances(at):
                found[part] = found.get(part, 0.0) + soft * k * both
        for joint in self.of.of.structure.joints:
            self._joint_shares(joint, first, second, found)
        springs = np.zeros(len(bodies))
        for at, group in enumerate(self.of.of.element_laws.groups):
            slope, k = now.element_slopes[:, group[0]], np.sum(now.element_stiffness[:, group], axis=1)
            both = k * np.sum(slope * first, axis=1) * np.sum(slope * second, axis=1)
            springs = springs + both
            for part, soft in self.of.end_compliances(at):
                found[part] = found.get(part, 0.0) + soft * k * both
                springs = springs - soft * k * both
        found[SPRINGS] = springs
        return found

    def _joint_shares(self, joint: ElasticJoint, first: Floats, second: Floats, found: dict[str, Floats]) -> None:
        """Of pivots and ball joints: f' C g of each part in series there, f and g the forces between the bodies."""
        now = self.of.assembled
        rows = np.array(joint.rows, dtype=np.int64)
        directions = joint.directions[: len(rows)]
        forces = []
        for motion in (first, second):
            longer = np.einsum("nek,nk->ne", now.spring_slopes[:, rows], motion)
            forces.append((now.spring_stiffness[:, rows] * longer) @ directions)
        compliances = joint.compliances
        if len(compliances) == 1 or any(self.of.of.springs[row].curves for row in rows):
            part = joint.part if joint.part in compliances else next(iter(compliances))
            longer = [np.einsum("nek,nk->ne", now.spring_slopes[:, rows], motion) for motion in (first, second)]
            both = np.sum(now.spring_stiffness[:, rows] * longer[0] * longer[1], axis=1)
            found[part] = found.get(part, 0.0) + both
            return
        for part, soft in compliances.items():
            found[part] = found.get(part, 0.0) + np.einsum("ni,ij,nj->n", forces[0], soft, forces[1])

    def at(self, rows: slice) -> AxleCompliance:
        """At some of the poses."""
        return AxleCompliance(self.of.at(rows))


def _each(reading: Floats, count: int) -> Floats:
    return np.broadcast_to(reading, (count, reading.shape[-1]))


def tyre_compliance(axle: AxleData) -> Floats:
    """(2, 2) compliance of both tyres, along and across, m/N."""
    found = np.zeros((2, 2))
    for part in axle.elastic:
        if part.place.kind == TYRE:
            for side in part.sides:
                found[SIDES.index(side)] = [1.0 / (part.number(name) or np.inf) for name in ("k_radial", "k_axial")]
    return found


def contact_on_tyre(of: ElasticPoses, side: int) -> Floats:
    """(n, 3) displacement of a contact against its wheel under the stepped load: what `_with_tyre` adds per force."""
    force = np.where(of.standing.at_centre[:, None], 0.0, of.standing.force[:, side])
    return np.asarray(force * np.append(tyre_compliance(of.of.axle)[side], 0.0))
