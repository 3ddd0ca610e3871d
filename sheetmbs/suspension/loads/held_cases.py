"""The pose of a car with elastic parts in load cases whose travels are given: elements are locked, and all else gives way.

The wheel centres, or the contacts where travel counts there, stand at the travels of the case. Loads of the wheels are
known, and the tensions of the locked elements are what equilibrium asks for. The road is the plane through the contacts, as
under rigid members; it turns a little as they move, so that both are found in turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.elastic_axle import LOCKED, ElasticAxle, standing
from sheetmbs.suspension.compliance.linkage import swept_linkage
from sheetmbs.suspension.kinematics.axle_system import Placing
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.loads.axle_statics import locked_elements
from sheetmbs.suspension.loads.compliant_cases import CompliantCases, CompliantSearch
from sheetmbs.suspension.loads.road import resting_road
from sheetmbs.suspension.loads.standing_car import AxleState

MAX_STEPS = 30
CONVERGED = 1e-12
"""m and rad, of the road and of travels, below which they count as found"""
FAILED = 1e-8


def lock_shares(axle: ElasticAxle, state: AxleState) -> Floats | None:
    """(n, 2, elements and springs in place) what is locked; None where nothing holds both travels."""
    n, count, in_place = len(state.vectors), len(axle.elements), axle.structure.in_place
    found = np.zeros((n, len(SIDES), count + len(in_place)))
    if in_place:
        found[:, [0, 1], [count, count + 1]] = 1.0
        return found
    locked = locked_elements(axle.axle, state, state.elements)
    if len(locked) != len(SIDES):
        return None
    for at, each in enumerate(locked):
        for number, share in each.items():
            found[:, at, number] = share
    return found


class HeldSearch(CompliantSearch):
    """Cases on their way whose travels are held; `found_at` finds their poses."""

    def _pressed(self, own: slice) -> Floats:
        """(n, 2) how far tyres that give way are pressed in by the road, which not all contacts of a held pose lie in."""
        number = own.start // len(SIDES)
        name = self.names[number]
        axle, on_road = self.axles[name], self._road(number)
        level = on_road.height - on_road.up @ self.car.masses.shift[name]
        heights = axle.deformations.at(self.bodies[name], on_road.up).value[:, axle.heights]
        return np.where(np.isfinite(self.car.tyre[own]), level[:, None] - heights, 0.0)

    def found_at(
        self, states: Mapping[str, AxleState], travel: Floats, wanted: Floats, locks: Mapping[str, Floats]
    ) -> CompliantCases:
        """The poses of all cases.

        states: of the rigid linkage; travel: (n, wheels) of the wheel centres there; wanted: of where travel counts; locks: of
        each axle what `lock_shares` finds.
        """
        travel, worst = travel.copy(), np.full(len(self.rack), np.inf)
        now = dict(states)
        for _ in range(MAX_STEPS):
            apart = np.zeros(len(self.rack))
            for number, (name, axle) in enumerate(self.axles.items()):
                own = slice(2 * number, 2 * number + 2)
                drawn = [axle.axle.as_drawn.points[side][WHEEL_CENTRE].position[2] for side in SIDES]
                on = standing(LOCKED, travel[:, own] + np.array(drawn), self.rack, self._road(number).up)
                pressed = self._pressed(own)
                found = self._stand(number, name, axle, replace(on, pressed=self.load[:, own], locks=locks[name]))
                apart = np.maximum(apart, np.max(np.abs(self._pressed(own) - pressed), axis=1))
                if axle.axle.counts_at_contact:
                    design = [float(axle.axle.design_contact(side)[2]) for side in SIDES]
                    short = wanted[:, own] - (found.contact_heights - design)
                    travel[:, own] += short
                    apart = np.maximum(apart, np.max(np.abs(short), axis=1))
                system, none = self.car.systems[name], np.zeros(len(self.rack))
                swept = swept_linkage(found, system, Placing({}, self.rack, none, none), slice(0, len(self.rack)))
                now[name] = self.car.state_of(swept)
            roll, pitch, height = resting_road(self.car, now, self.load)
            ground = height / (np.cos(roll) * np.cos(pitch))
            for before, after in ((self.roll[:, 0], roll), (self.pitch, pitch), (self.ground, ground)):
                apart = np.maximum(apart, np.abs(after - before))
            self.roll[:], self.pitch, self.ground = roll[:, None], pitch, ground
            worst = apart
            if np.max(worst) <= CONVERGED:
                break
        reached = (worst <= FAILED) & np.all([each.reached for each in self.poses.values()], axis=0)
        first = self._road(0)
        return CompliantCases(self.poses, self.tyres, self.load, self.roll, self.pitch, first.height, reached)
