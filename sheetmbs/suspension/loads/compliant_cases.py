"""The pose in which a car with elastic parts rests under the forces of each load case, by steps from that of its rigid linkage.

Both axles stand on one road: roll, pitch and the height g of the road under the middle of the car. With the loads N of the
wheels on that road, each axle is in equilibrium by itself; N changes with the heights h of the contacts by C_zz^-1. The balance
of the car says of the moments M of all forces about the road's lines through (0, 0, g), and of the forces along its normal:

    sum M_x = 0        sum M_y = 0        sum F_n = 0

Where the body twists, the front half and the rear half have a roll each, and M_x of the front half is k (roll_f - roll_r).
The forces in the plane of the road follow the loads, one step behind, so that steps leave a small share of what was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.axle_compliance import AxleCompliance
from sheetmbs.suspension.compliance.deformations import BodyPoses
from sheetmbs.suspension.compliance.elastic_axle import LOAD, ROAD, AxleStanding, ElasticAxle, ElasticPoses, standing
from sheetmbs.suspension.layout.car import SIDES, MassPoint
from sheetmbs.suspension.layout.elastic_parts import CHASSIS_TORSION
from sheetmbs.suspension.layout.mass_data import front_share
from sheetmbs.suspension.loads.car_balance import Demand
from sheetmbs.suspension.loads.road import Road, TyreWrench, road
from sheetmbs.suspension.loads.standing_car import Mask, StandingCar

MAX_STEPS = 60
CONVERGED = 1e-10
"""of the weight of the car, of the change of a load after which the pose counts as found"""
FAILED = 1e-6
"""likewise, above which it has not been found"""


@dataclass(frozen=True, eq=False)
class CompliantCases:
    """Where cases came to rest. poses, tyres: by axle. roll: (n, axles), pitch, height: (n,) of the road. reached: (n,)."""

    poses: Mapping[str, ElasticPoses]
    tyres: Mapping[str, Mapping[str, TyreWrench]]
    load: Floats
    roll: Floats
    pitch: Floats
    height: Floats
    reached: Mask


def twisting_stiffness(car_standing: StandingCar) -> float | None:
    """Torsional stiffness of the body between its axles, N m/rad; None where it is rigid."""
    parts = (part for axle in car_standing.car.axles for part in axle.elastic if part.place.kind == CHASSIS_TORSION)
    return next((part.number("k_torsion") for part in parts), None)


class CompliantSearch:
    """Cases on their way. start: bodies of each axle as the rigid linkage has them; load: (n, wheels), lifted wheels 0.

    placed: roll, pitch, and height of the road, (n,) each. is_known: whether all loads are given.
    """

    def __init__(
        self,
        car: StandingCar,
        axles: Mapping[str, ElasticAxle],
        demand: Demand,
        start: Mapping[str, BodyPoses],
        rack: Floats,
        load: Floats,
        placed: tuple[Floats, Floats, Floats],
        lifted: Mask,
    ) -> None:
        self.car, self.axles, self.demand = car, axles, demand
        self.names = list(axles)
        self.bodies = dict(start)
        self.rack, self.load, self.lifted = rack, load.copy(), lifted.copy()
        self.stiffness = twisting_stiffness(car) if len(axles) > 1 else None
        roll, self.pitch, height = (each.copy() for each in placed)
        self.roll = np.repeat(roll[:, None], len(axles), axis=1)
        self.ground = height / (np.cos(roll) * np.cos(self.pitch))
        self.weight = max(car.masses.mass * demand.gravity, float(np.sum(car.design_load)))
        self.poses: dict[str, ElasticPoses] = {}
        self.tyres: dict[str, dict[str, TyreWrench]] = {}

    # --- one pose ---

    def _road(self, number: int) -> Road:
        roll = self.roll[:, number]
        return road(roll, self.pitch, self.ground * np.cos(roll) * np.cos(self.pitch))

    def _pull(self, on_road: Road) -> Floats:
        """(n, 3) what gravity and acceleration exert on each unit of mass."""
        ax, ay, az = (self.demand.acceleration[:, k, None] * self.demand.gravity for k in range(3))
        return np.asarray(-(ax * on_road.forward + ay * on_road.left + az * on_road.up))

    def _solve(self, *, is_known: bool) -> None:
        """Both axles on their road under the loads of the last step."""
        for number, (name, axle) in enumerate(self.axles.items()):
            own = slice(2 * number, 2 * number + 2)
            on_road, shift = self._road(number), self.car.masses.shift[name]
            level = on_road.height - on_road.up @ shift
            heights = level[:, None] - self._pressed(own)
            held, values = (LOAD, self.load[:, own]) if is_known else (ROAD, heights)
            on = replace(standing(held, values, self.rack, on_road.up), lifted=self.lifted[:, own])
            self.load[:, own] = self._stand(number, name, axle, on).load

    def _pressed(self, own: slice) -> Floats:
        """(n, 2) how far the tyres of an axle are pressed in, from design."""
        return np.asarray((self.load[:, own] - self.car.design_load[own]) / self.car.tyre[own])

    def _stand(self, number: int, name: str, axle: ElasticAxle, on: AxleStanding) -> ElasticPoses:
        """An axle in equilibrium under the forces in the plane of its road, weights and the loads of the last step."""
        own, on_road = slice(2 * number, 2 * number + 2), self._road(number)
        force, moment, tyres = self._plane_forces(name, axle, on_road, self.load[:, own], self._pressed(own))
        up = -self._pull(on_road) / self.demand.gravity
        found = axle.solve(replace(on, force=force, moment=moment, up=up), self.bodies[name])
        self.poses[name], self.bodies[name], self.tyres[name] = found, found.poses, tyres
        return found

    def _plane_forces(
        self, name: str, axle: ElasticAxle, on_road: Road, load: Floats, pressed: Floats
    ) -> tuple[Floats, Floats, dict[str, TyreWrench]]:
        """Forces in the plane of the road and moments on both wheels (n, 2, 3), and all that acts on each."""
        forces = self.demand.forces[name]
        along, across = forces.shared(load)
        given = np.nan_to_num(forces.given[:, :, 3:6])
        n = on_road.up
        whole, moments, tyres = [], [], {}
        for side, word in enumerate(SIDES):
            hub = axle.structure.hubs[word]
            form = axle.structure.deformations[axle.structure.heights[side]]
            turn = self.bodies[name].turn[:, hub]
            w = np.einsum("nij,j->ni", turn, form.b)
            centre = self.bodies[name].place[:, hub] + np.einsum(
                "nij,j->ni", turn, form.p_j - axle.structure.origins[hub]
            )
            heading = (1.0 if side == 0 else -1.0) * cross(w, n)
            heading = heading / np.linalg.norm(heading, axis=1, keepdims=True)
            left = cross(n, heading)
            down = n - np.sum(n * w, axis=1)[:, None] * w
            contact = centre - form.radius * down / np.linalg.norm(down, axis=1, keepdims=True)
            force = along[:, side, None] * heading + across[:, side, None] * left
            own = given[:, side, 0, None] * heading + given[:, side, 1, None] * left + given[:, side, 2, None] * n
            raised = pressed[:, side, None] * n  # a tyre that is pressed in touches the road higher up
            full = force + load[:, side, None] * n
            torque = cross(contact + raised - centre, full) + own
            passed = forces.passes[:, side, None] * np.sum(torque * w, axis=1)[:, None] * w
            whole.append(force)
            moments.append(own + cross(raised, force) - passed)
            at = contact + raised + self.car.masses.shift[name]
            tyres[word] = TyreWrench(at, full, own, torque - passed, passed, heading, left)
        return np.stack(whole, axis=1), np.stack(moments, axis=1), tyres

    def _balance(self) -> Floats:
        """(n, axles, 3) moments about the road's lines, forward and to the left, and force along its normal, of each half."""
        masses, demand = self.car.masses, self.demand
        found = []
        for number, name in enumerate(self.names):
            on_road, of = self._road(number), self.poses[name]
            middle = np.stack((np.zeros_like(self.ground), np.zeros_like(self.ground), self.ground), axis=1)
            force, moment = np.zeros((2, len(self.ground), 3))

            def put(at: Floats, own: Floats, more: Floats | float = 0.0) -> None:
                nonlocal force, moment
                force, moment = force + own, moment + cross(at - middle, own) + more  # noqa: B023 - used at once

            for tyre in self.tyres[name].values():
                put(tyre.at, tyre.force, tyre.moment)
            pull = self._pull(on_road)
            for mass in masses.unsprung[name]:
                put(_mass_place(of, mass) + masses.shift[name], mass.mass * pull)
            put(np.broadcast_to(masses.sprung_point, pull.shape), self._share(number) * masses.sprung_mass * pull)
            down = -demand.downforce[name][:, None] * on_road.up
            put(np.broadcast_to(masses.downforce[name], pull.shape), down)
            found.append(
                [
                    np.sum(moment * on_road.forward, axis=1),
                    np.sum(moment * on_road.left, axis=1),
                    np.sum(force * on_road.up, axis=1),
                ]
            )
        return np.moveaxis(np.array(found), -1, 0)

    def _share(self, number: int) -> float:
        """Of the sprung mass, on the half of an axle: as the weight of the car is."""
        if len(self.names) == 1:
            return 1.0
        ahead = front_share(self.car.car)
        ahead = 0.5 if ahead is None else ahead
        return float(ahead if number == 0 else 1.0 - ahead)

    # --- all steps ---

    def found(self) -> CompliantCases:
        """The poses of all cases."""
        is_known = not np.isnan(self.demand.load).any()
        worst = np.full(len(self.rack), np.inf)
        for _ in range(MAX_STEPS):
            before = self.load.copy()
            self._solve(is_known=is_known)
            if not is_known:
                self._step()
                self.lifted |= self.load < 0.0
                self.load[self.lifted] = 0.0
            worst = np.max(np.abs(self.load - before), axis=1) / self.weight
            if np.max(worst) <= CONVERGED:
                break
        reached = (worst <= FAILED) & np.all([each.reached for each in self.poses.values()], axis=0)
        first = self._road(0)
        return CompliantCases(self.poses, self.tyres, self.load, self.roll, self.pitch, first.height, reached)

    def _step(self) -> None:
        """Move the road, and the loads with it."""
        balance = self._balance()
        twists = self.stiffness is not None
        axles = len(self.names)
        count = (axles if twists else 1) + 2
        matrix = np.zeros((len(self.rack), count, count))
        slopes = []
        for number, name in enumerate(self.names):
            own = slice(2 * number, 2 * number + 2)
            of, on_road = self.poses[name], self._road(number)
            soft = AxleCompliance(of).height_compliance
            soft[:, [0, 1], [0, 1]] += 1.0 / self.car.tyre[own]
            off = self.lifted[:, own]
            soft[:, [0, 1], [0, 1]] += np.where(off, 1e6, 0.0)
            rate = np.linalg.inv(soft)
            at = np.stack([self.tyres[name][side].at for side in SIDES], axis=1)
            at[..., 2] -= self.ground[:, None]
            by = np.zeros((len(self.rack), 2, count))  # heights of the road under both contacts, by the unknowns
            by[:, :, number if twists else 0] = -np.einsum("nwi,ni->nw", at, on_road.left)
            by[:, :, -2] = np.einsum("nwi,ni->nw", at, on_road.forward)
            by[:, :, -1] = on_road.up[:, None, 2]
            change = rate @ by
            slopes.append(change)
            levers = np.stack(
                (
                    np.einsum("nwi,ni->nw", at, on_road.left),
                    -np.einsum("nwi,ni->nw", at, on_road.forward),
                    np.ones_like(at[..., 0]),
                ),
                axis=1,
            )
            own_rows = levers @ change
            row = number if twists else 0
            matrix[:, row] += own_rows[:, 0]
            matrix[:, -2:] += own_rows[:, 1:]
        right = np.zeros((len(self.rack), count))
        right[:, -2:] = -np.sum(balance[:, :, 1:], axis=1)
        if twists:
            k = float(self.stiffness or 0.0)
            twist = self.roll[:, 0] - self.roll[:, 1]
            right[:, 0], right[:, 1] = -balance[:, 0, 0] + k * twist, -balance[:, 1, 0] - k * twist
            matrix[:, 0, 0] -= k
            matrix[:, 0, 1] += k
            matrix[:, 1, 1] -= k
            matrix[:, 1, 0] += k
        else:
            right[:, 0] = -np.sum(balance[:, :, 0], axis=1)
        if axles == 1:
            return
        step = np.linalg.solve(matrix, right[..., None])[..., 0]
        step = np.clip(step, -MAX_MOVE, MAX_MOVE)
        self.roll += step[:, : (axles if twists else 1)]
        self.pitch += step[:, -2]
        self.ground += step[:, -1]
        for number, change in enumerate(slopes):
            self.load[:, 2 * number : 2 * number + 2] += np.einsum("nwk,nk->nw", change, step)


MAX_MOVE = 0.05
"""rad or m, of one step of the road"""


def _mass_place(of: ElasticPoses, mass: MassPoint) -> Floats:
    """(n, 3) of an unsprung mass."""
    axle, structure = of.of.axle, of.of.structure
    body, at = mass.body, mass.at
    if mass.point:
        hardpoint = axle.points[mass.side][mass.point]
        body, at = axle.body_name(hardpoint.on, mass.side), hardpoint.position
    number = structure.bodies.get(body, 0)
    arm = np.einsum("nij,j->ni", of.poses.turn[:, number], at - structure.origins[number])
    return np.asarray(of.poses.place[:, number] + arm)
