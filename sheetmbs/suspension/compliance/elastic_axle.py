"""An axle with elastic parts in equilibrium: poses of all its bodies under bushings, springs, bars and the road.

With deformations s of springs of force f(s), constraints phi of multipliers l, and the heights h of the contacts over the road,
on each of which a pad exerts N, the pose q of all bodies fulfils

    r = sum f s_q + sum l phi_q - sum N h_q - loads = 0        phi = phi at design        what the sweep says of the wheels

by Newton's method with the whole derivative

    K = sum k s_q s_q' + sum f s_qq + sum l phi_qq - sum N h_qq - d(loads)/dq

At design each elastic part carries what equilibrium asks for: K0 q = loads there, K0 the stiffness of elastic parts alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.compliance.deformations import ALONG, UP, BodyPoses, Deformations, EvaluatedDeformations, skew
from sheetmbs.suspension.compliance.elastic_rows import ElasticStructure
from sheetmbs.suspension.compliance.part_laws import ElementLaws, SpringLaws
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.layout.car import SIDES, AxleData

Flags = NDArray[np.bool_]
TRAVEL, ROAD, LOAD, LOCKED = "travel", "road", "load", "locked"
"""what is held of the wheels: heights of their centres, of their contacts over the road, their loads, or their loads and by
elements that are locked the heights of their centres too"""
MAX_STEPS = 40
MAX_TURN = 0.15
"""rad or m, of one step"""
CONVERGED = 1e-12
"""m and rad, of a step after which the next changes nothing but rounding"""
MAX_STEP_LENGTH = 1e3
"""m and rad: what asks for a longer step is held by nothing"""
STALLED = 1e-7
"""m and rad: a pose whose last step is longer has no equilibrium"""
PRELOAD_STEPS = 60
LOADED = ("values", "normals", "rack", "force", "moment", "at_centre", "up", "lifted", "pressed", "locks")


@dataclass(frozen=True, eq=False)
class AxleStanding:
    """How an axle stands in n rows. held: one of TRAVEL, ROAD, LOAD, LOCKED, with its values (n, 2), m or N.

    normals: (n, 3) of the road. rack: (n,) m. force, moment: (n, 2, 3) on the wheels, in axes of the body, at the contacts or,
    by at_centre (n,), at the wheel centres.
    """

    held: str
    values: Floats
    normals: Floats
    rack: Floats
    force: Floats
    moment: Floats
    at_centre: Flags
    up: Floats
    """(n, 3) against what pulls on each unit of mass, over gravity; upwards of a car that stands"""
    lifted: Flags
    """(n, 2) wheels off the road, which carry nothing wherever they are"""
    pressed: Floats
    """(n, 2) loads of the pads where elements are locked, N"""
    locks: Floats
    """(n, 2, elements and springs in place of any) what hangs together of what is locked, by its share in that; else nothing"""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.rack)

    @property
    def is_loaded(self) -> bool:
        """Whether anything but the road's normal forces acts on the wheels."""
        return bool(np.any(self.force) or np.any(self.moment))

    def at(self, rows: Floats | Ints | slice) -> AxleStanding:
        """Some of the rows."""
        parts = {name: getattr(self, name)[rows] for name in LOADED}
        return _with(self, parts)

    @staticmethod
    def joined(parts: Sequence[AxleStanding]) -> AxleStanding:
        """Rows of several that hold the same, one behind the other."""
        return _with(parts[0], {name: np.concatenate([getattr(part, name) for part in parts]) for name in LOADED})


def _with(on: AxleStanding, rows: Mapping[str, Any]) -> AxleStanding:
    """The same with other rows of its arrays."""
    return replace(on, **rows)


def standing(held: str, values: Floats, rack: Floats | None = None, normals: Floats | None = None) -> AxleStanding:
    """Rows without loads in the plane of the road."""
    count = len(values)
    rack = np.zeros(count) if rack is None else rack
    normals = np.tile(UP, (count, 1)) if normals is None else normals
    none = np.zeros((count, 2, 3))
    off = np.zeros((count, 2), dtype=bool)
    return AxleStanding(
        held,
        values,
        normals,
        rack,
        none,
        none.copy(),
        np.zeros(count, dtype=bool),
        np.tile(UP, (count, 1)),
        off,
        np.zeros((count, 2)),
        np.zeros((count, 2, 0)),
    )


@dataclass(frozen=True, eq=False)
class Assembled:
    """An axle at n poses: what its deformations are, their slopes and what acts along them.

    weight: (n, m) force along each deformation. stiffness: (n, N, N) of what is no constraint, with all curvature.
    """

    evaluated: EvaluatedDeformations
    jacobian: Floats
    spring_slopes: Floats
    spring_force: Floats
    spring_stiffness: Floats
    element_slopes: Floats
    element_force: Floats
    element_stiffness: Floats
    weight: Floats
    stiffness: Floats
    lock_slopes: Floats
    """(n, 2, N) of forces that a unit of tension of each lock exerts"""


@dataclass(frozen=True, eq=False)
class ElasticPoses:
    """An axle in equilibrium in n rows. load: (n, 2) on both contacts, N. held: (n, constraints) multipliers. reached: (n,).

    Behind the multipliers of constraints stand the tensions of both locks beyond the laws of what they lock, where there are.
    """

    of: ElasticAxle
    standing: AxleStanding
    poses: BodyPoses
    load: Floats
    held: Floats
    reached: Flags
    tells_compliance: bool = False
    """whether its compliance is shown: in poses of vertical sweeps, without loads in the plane of the road"""

    @cached_property
    def assembled(self) -> Assembled:
        """All that acts at the poses."""
        return self.of.assemble(self.poses, self.standing, self.held, self.load)

    @property
    def locked(self) -> Floats:
        """(n, elements and springs in place) tensions of what is locked beyond their laws."""
        return self.of.locked(self.standing, self.held)

    @property
    def contact_heights(self) -> Floats:
        """(n, 2) of both contacts on level ground, m."""
        return self.of.deformations.at(self.poses).value[:, self.of.heights]

    def part_compliances(self, spring: int) -> list[tuple[str, Floats]]:
        """(n,) compliance of each part of a spring there, m/N."""
        own = self.of.springs[spring]
        if not own.curves:
            return [(part, np.full(len(self.load), soft)) for part, soft in own.parts]
        longer = self.of.deflections(self.assembled.evaluated.value, self.standing.rack)
        return self.of.laws.compliances(spring, longer)

    def end_compliances(self, group: int) -> list[tuple[str, Floats]]:
        """(n,) compliance of each part at the ends of a group of elements, m/N."""
        more = self.locked[:, : len(self.of.elements)] if self.standing.held == LOCKED else None
        return self.of.element_laws.end_compliances(group, self.of.lengths(self.assembled.evaluated.value), more)

    @staticmethod
    def joined(parts: Sequence[ElasticPoses]) -> ElasticPoses:
        """Rows of several of one axle, one behind the other; what holds their wheels is then that of the first."""
        first = parts[0]
        on = AxleStanding.joined([part.standing for part in parts])
        poses = BodyPoses.joined([part.poses for part in parts])
        load, held, reached = (
            np.concatenate([getattr(p, name) for p in parts]) for name in ("load", "held", "reached")
        )
        told = all(part.tells_compliance for part in parts)
        return ElasticPoses(first.of, on, poses, load, held, reached, told)

    def at(self, rows: slice) -> ElasticPoses:
        """Some of the rows."""
        return ElasticPoses(
            self.of,
            self.standing.at(rows),
            self.poses.at(rows),
            self.load[rows],
            self.held[rows],
            self.reached[rows],
            self.tells_compliance,
        )


class ElasticAxle:
    """An axle with elastic parts, its preloads found. laws: of its springs and bars.

    is_free: points are those of unloaded rubber, so that nothing carries preload at design.
    """

    def __init__(self, structure: ElasticStructure, laws: AxleLaws, *, is_free: bool = False) -> None:
        self.structure = structure
        self.axle: AxleData = structure.axle
        self.deformations: Deformations = structure.ready()
        self.size = 6 * (len(structure.origins) - 1)
        self.constraints = np.array(structure.constraints, dtype=np.int64)
        self.heights = np.array(structure.heights, dtype=np.int64)
        self.travels = np.array(structure.travels, dtype=np.int64)
        self.springs = tuple(structure.springs)
        self.elements = tuple(structure.elements)
        origins = np.array(structure.origins)
        self.design_poses = BodyPoses(origins[None], np.tile(np.eye(3), (1, len(origins), 1, 1)))
        self.design_values = self.deformations.at(self.design_poses).value[0]
        if structure.rack is not None and not structure.rack_is_elastic:
            self.constraints = np.append(self.constraints, structure.rack)
        self.rack_row = (
            len(self.constraints) - 1 if structure.rack is not None and not structure.rack_is_elastic else None
        )
        self._springs = _Sums([row.terms for row in self.springs], len(self.design_values))
        self._elements = _Sums([row.terms for row in self.elements], len(self.design_values))
        self.spring_design = self._springs.of(self.design_values[None])[0]
        self._driven = np.array([row.is_driven for row in self.springs], dtype=bool)
        self.laws = SpringLaws(self.springs)
        lengths = self._elements.of(self.design_values[None])[0]
        self.element_laws = ElementLaws(self.elements, laws, lengths)
        self.is_sprung = self.axle.is_sprung and bool(np.all(np.isfinite(self.element_laws.at_design)))
        self.design_load = np.zeros(2)
        if self.is_sprung:
            self._find_preloads(is_free=is_free)

    # --- laws ---

    def _spring_forces(self, values: Floats, rack: Floats) -> tuple[Floats, Floats]:
        return self.laws.at(self.deflections(values, rack))

    def deflections(self, values: Floats, rack: Floats) -> Floats:
        """(n, springs) of springs from design."""
        longer = self._springs.of(values) - self.spring_design
        longer[:, self._driven] -= rack[:, None]
        return np.asarray(longer)

    def beyond(self, values: Floats, rack: Floats) -> dict[int, list[tuple[str, Flags]]]:
        """Find by spring the parts that have a curve, and (n,) whether each is beyond it."""
        return self.laws.beyond(self.deflections(values, rack))

    @property
    def preloads(self) -> Floats:
        """(springs,) what springs carry at design."""
        return np.asarray(self.laws.at(np.zeros((1, len(self.springs))))[0][0])

    def _acting(self, values: Floats, more: Floats | None = None) -> tuple[Floats, Floats, Floats]:
        """Of elements, as their laws have it; more: tensions of locked ones beyond these."""
        if not self.is_sprung:
            none = np.zeros((len(values), len(self.elements)))
            return none if more is None else more, none.copy(), np.ones_like(none)
        return self.element_laws.at(self._elements.of(values), more)

    def lengths(self, values: Floats) -> Floats:
        """(n, elements) lengths and angles of springs, stops and bars."""
        return self._elements.of(values)

    def tensions(self, poses: BodyPoses) -> Floats:
        """(n, elements) what springs, stops and bars exert, N and N m."""
        return self._acting(self.deformations.at(poses).value)[0]

    def locked(self, on: AxleStanding, held: Floats) -> Floats:
        """(n, elements and springs in place) tensions of what is locked beyond their laws."""
        tension = held[:, len(self.constraints) :, None]
        return np.asarray(np.sum(on.locks * tension, axis=1)) if on.held == LOCKED else np.zeros((on.rows, 0))

    def pull_of_rack(self, now: Assembled) -> Floats:
        """(n, N) forces on the bodies by a unit of the driven place of the rack, which springs hold it to."""
        own = self._driven
        return np.asarray(np.einsum("ns,nsk->nk", now.spring_stiffness[:, own], now.spring_slopes[:, own]))

    def driven_springs(self, now: Assembled) -> tuple[Floats, Floats, Floats]:
        """(n,) what these springs exert on the rack along it, and its derivatives by the bodies (n, N) and that place (n,)."""
        own = self._driven
        force = -np.sum(now.spring_force[:, own], axis=1)
        return np.asarray(force), -self.pull_of_rack(now), np.asarray(np.sum(now.spring_stiffness[:, own], axis=1))

    # --- design ---

    def _find_preloads(self, *, is_free: bool) -> None:
        """K0 q = loads at design, elastic parts alone, contacts held; curves by Newton's method at the same geometry."""
        evaluated = self.deformations.at(self.design_poses)
        jacobian = evaluated.jacobian()[0]
        slopes = self._springs.of_rows(jacobian[None])[0]
        carries = np.array([row.preloads for row in self.springs], dtype=bool)
        rigid = np.concatenate((jacobian[self.constraints], jacobian[self.heights]))
        weight = self._acting(self.design_values[None])[0] @ self._elements.matrix
        weight = weight[0] + self._weights
        load = -weight @ jacobian
        q = np.zeros(self.size)
        for _ in range(PRELOAD_STEPS):
            force, stiffness = self.laws.at((slopes @ q)[None])
            force, stiffness = np.where(carries, force[0], 0.0), np.where(carries, stiffness[0], 0.0)
            left = np.concatenate((load - force @ slopes, np.zeros(len(rigid))))
            step = np.linalg.solve(_bordered(slopes.T @ (stiffness[:, None] * slopes), rigid), left)
            q = q + step[: self.size]
            if np.max(np.abs(step[: self.size])) <= CONVERGED:
                break
        self.design_load = -step[-2:]
        if is_free:
            return
        longer = slopes @ q
        found = self.laws.at(longer[None])[0][0]
        self.laws.preload = np.where(carries, found, 0.0)
        for at in self.laws.curves:
            self.laws.start[at] = float(longer[at]) if carries[at] else 0.0

    @cached_property
    def weighing(self) -> Ints:
        """Numbers of the heights of unsprung masses."""
        rows = [row.number for row in self.structure.weights]
        return np.array([k for k in rows if self.structure.deformations[k].kind == ALONG], dtype=np.int64)

    @cached_property
    def _weights(self) -> Floats:
        """(m,) of unsprung masses along their heights."""
        found = np.zeros(len(self.design_values))
        for row in self.structure.weights:
            found[row.number] += row.factor
        return found

    @cached_property
    def multiplier_size(self) -> float:
        """N/m, by which rows of constraints are multiplied, so that all rows of the equations are of one size."""
        return float(np.max([row.k or 0.0 for row in self.springs], initial=1e6))

    # --- equilibrium ---

    def assemble(self, poses: BodyPoses, on: AxleStanding, held: Floats, load: Floats) -> Assembled:
        """What acts at poses. held: (n, constraints) multipliers; load: (n, 2) of both pads."""
        evaluated = self.deformations.at(poses, on.normals, (self.weighing, on.up))
        jacobian = evaluated.jacobian()
        force, stiffness = self._spring_forces(evaluated.value, on.rack)
        count, is_locked = len(self.elements), on.held == LOCKED
        locked = self.locked(on, held)
        acting, rate, left = self._acting(evaluated.value, locked[:, :count] if is_locked else None)
        weight = self._weights_of(force, acting, on, held, load)
        slopes, own = self._springs.of_rows(jacobian), self._elements.of_rows(jacobian)
        locks = np.zeros((on.rows, 2, self.size))
        if is_locked:
            locks = (on.locks[:, :, :count] * left[:, None]) @ own
            if self.structure.in_place:
                weight[:, self.structure.in_place] += locked[:, count:]
                locks = locks + on.locks[:, :, count:] @ jacobian[:, self.structure.in_place]
        every = np.concatenate((slopes, own), axis=1)
        rates = np.concatenate((stiffness, rate), axis=1)
        found = np.swapaxes(every, 1, 2) @ (rates[..., None] * every) + evaluated.weighted_curvature(weight)
        if on.is_loaded:
            found = found - self._load_slopes(poses, on)
        return Assembled(evaluated, jacobian, slopes, force, stiffness, own, acting, rate, weight, found, locks)

    def _weights_of(self, force: Floats, acting: Floats, on: AxleStanding, held: Floats, load: Floats) -> Floats:
        """(n, m) forces along deformations: of springs, elements, weights, constraints and pads."""
        weight = force @ self._springs.matrix + acting @ self._elements.matrix
        weight += self._weights if self.is_sprung or on.held == LOCKED else 0.0
        weight[:, self.constraints] += held[:, : len(self.constraints)]
        weight[:, self.heights] -= load
        return np.asarray(weight)

    def weights_along(self, values: Floats, on: AxleStanding, held: Floats, load: Floats) -> Floats:
        """(n, m) forces along deformations of these values, where nothing is locked. held, load: as of `assemble`."""
        force, _stiffness = self._spring_forces(values, on.rack)
        return self._weights_of(force, self._acting(values)[0], on, held, load)

    def solve(self, on: AxleStanding, start: BodyPoses, near: ElasticPoses | None = None) -> ElasticPoses:
        """Poses in equilibrium, each found from its own start. near: others of as many rows, which carry nearly the same."""
        n = on.rows
        poses = start
        held, load = np.zeros((n, len(self.constraints))), np.tile(self.design_load, (n, 1))
        if near is not None:
            held, load = near.held.copy(), near.load.copy()
        if on.held == LOAD:
            load = on.values.copy()
        if on.held == LOCKED:
            held, load = np.zeros((n, len(self.constraints) + 2)), on.pressed.copy()
        longest, lost = np.full(n, np.inf), np.zeros(n, dtype=bool)
        for _ in range(MAX_STEPS):
            now = self.assemble(poses, on, held, load)
            matrix, right = self.slopes(now, on), self.unbalanced(now, poses, on)
            size = self.multiplier_size
            if on.held in (TRAVEL, ROAD) and on.lifted.any():
                _let_go(matrix, right, on.lifted, load / size)
            step = solved_each(matrix, right)
            lost |= ~np.isfinite(step).all(axis=1) | (np.max(np.abs(step[:, : self.size]), axis=1) > MAX_STEP_LENGTH)
            step[lost] = 0.0
            step[:, self.size :] *= size
            motion = step[:, : self.size]
            longest = np.where(lost, 0.0, np.max(np.abs(motion), axis=1))
            shorter = np.minimum(1.0, MAX_TURN / np.maximum(longest, 1e-300))[:, None]
            poses = poses.moved(motion * shorter)
            held = held + step[:, self.size : self.size + held.shape[1]]
            if on.held in (TRAVEL, ROAD):
                load = load + step[:, self.size + len(self.constraints) :]
            if np.max(longest) <= CONVERGED:
                break
        return ElasticPoses(self, on, poses, load, held, (longest <= STALLED) & ~lost)

    def unbalanced(self, now: Assembled, poses: BodyPoses, on: AxleStanding) -> Floats:
        """(n, N + rows) what forces and rows of the equations leave over; rows times `multiplier_size`."""
        forces = -(now.weight[:, None] @ now.jacobian)[:, 0]
        if on.is_loaded:
            forces = forces + self.wheel_loads(poses, on)
        target = np.tile(self.design_values[self.constraints], (on.rows, 1))
        if self.rack_row is not None:
            target[:, self.rack_row] += on.rack
        value = now.evaluated.value
        short = [target - value[:, self.constraints]]
        if on.held != LOAD:
            short.append(on.values - value[:, self.held_rows(on)])
        return np.concatenate((forces, *(self.multiplier_size * each for each in short)), axis=1)

    def held_rows(self, on: AxleStanding) -> Ints:
        """Numbers of the deformations that a standing holds, of both wheels."""
        return self.heights if on.held == ROAD else self.travels

    def slopes(self, now: Assembled, on: AxleStanding) -> Floats:
        """(n, N + rows, N + rows) the whole derivative, with multipliers over their size."""
        below, beside = now.jacobian[:, self.constraints], now.jacobian[:, self.constraints]
        if on.held != LOAD:
            below = np.concatenate((below, now.jacobian[:, self.held_rows(on)]), axis=1)
            exerts = now.lock_slopes if on.held == LOCKED else -now.jacobian[:, self.heights]
            beside = np.concatenate((beside, exerts), axis=1)
        whole = self.size + below.shape[1]
        matrix, size = np.zeros((on.rows, whole, whole)), self.multiplier_size
        matrix[:, : self.size, : self.size] = now.stiffness
        matrix[:, : self.size, self.size :] = size * np.swapaxes(beside, 1, 2)
        matrix[:, self.size :, : self.size] = size * below
        return matrix

    # --- loads on the wheels ---

    def _arms(self, poses: BodyPoses, side: int, on: AxleStanding) -> tuple[int, Floats, Floats]:
        """Body of a wheel, arm (n, 3) from its origin to where loads act, and the derivative of that by its rotation."""
        hub = self.structure.hubs[SIDES[side]]
        form = self.structure.deformations[self.structure.heights[side]]
        turn = poses.turn[:, hub]
        arm = np.einsum("nij,j->ni", turn, form.p_j - self.structure.origins[hub])
        by_turn = -skew(arm)
        if on.at_centre.all():
            return hub, arm, by_turn
        below = ~on.at_centre[:, None]
        w, n = np.einsum("nij,j->ni", turn, form.b), on.normals
        lean = np.sum(n * w, axis=1)[:, None]
        stand = np.sqrt(1.0 - lean * lean)
        down = n - lean * w
        by_w = -form.radius * (
            -(lean[..., None] * np.eye(3) + w[..., None] * n[:, None]) / stand[..., None]
            + (lean / stand**3)[..., None] * down[..., None] * n[:, None]
        )
        return hub, arm - below * form.radius * down / stand, by_turn - below[..., None] * (by_w @ skew(w))

    def wheel_loads(self, poses: BodyPoses, on: AxleStanding) -> Floats:
        """(n, N) generalised forces of the loads on the wheels."""
        found = np.zeros((on.rows, self.size))
        for side in range(len(SIDES)):
            hub, arm, _by = self._arms(poses, side, on)
            at = 6 * (hub - 1)
            found[:, at : at + 3] += on.force[:, side]
            found[:, at + 3 : at + 6] += on.moment[:, side] + cross(arm, on.force[:, side])
        return found

    def _load_slopes(self, poses: BodyPoses, on: AxleStanding) -> Floats:
        """(n, N, N) of these: their own derivative, and (M x)/2 by which spatial moments differ from slopes of a potential."""
        found = np.zeros((on.rows, self.size, self.size))
        for side in range(len(SIDES)):
            hub, arm, by_turn = self._arms(poses, side, on)
            turned = slice(6 * hub - 3, 6 * hub)
            force = on.force[:, side]
            moment = on.moment[:, side] + cross(arm, force)
            found[:, turned, turned] += -skew(force) @ by_turn + 0.5 * skew(moment)
        return found

    def points(self, poses: BodyPoses, on: AxleStanding, *, at_centre: bool) -> Floats:
        """(n, 2, 3) places of the contacts or of the wheel centres."""
        own = replace(on, at_centre=np.full(on.rows, at_centre))
        found = []
        for side in range(len(SIDES)):
            hub, arm, _by = self._arms(poses, side, own)
            found.append(poses.place[:, hub] + arm)
        return np.stack(found, axis=1)

    def wheel_motions(self, poses: BodyPoses, on: AxleStanding, *, at_centre: bool) -> Floats:
        """(n, 12, N) displacement and rotation of both wheels at their contacts or centres, by the motions of bodies."""
        found = np.zeros((on.rows, 12, self.size))
        own = replace(on, at_centre=np.full(on.rows, at_centre))
        for side in range(len(SIDES)):
            hub, arm, _by = self._arms(poses, side, own)
            at, row = 6 * (hub - 1), 6 * side
            found[:, row : row + 3, at : at + 3] = np.eye(3)
            found[:, row : row + 3, at + 3 : at + 6] = -skew(arm)
            found[:, row + 3 : row + 6, at + 3 : at + 6] = np.eye(3)
        return found

    def response(self, of: ElasticPoses, right: Floats, *, holds_heights: bool) -> tuple[Floats, Floats]:
        """(n, N, r) motions of the bodies under generalised forces (n, N, r), and (n, 2, r) what that adds to the pads' loads.

        holds_heights: contacts keep their heights; else the pads their loads.
        """
        now = of.assembled
        rows = now.jacobian[:, self.constraints]
        if holds_heights:
            rows = np.concatenate((rows, now.jacobian[:, self.heights]), axis=1)
        n, count = rows.shape[:2]
        matrix = np.zeros((n, self.size + count, self.size + count))
        matrix[:, : self.size, : self.size] = now.stiffness
        rows = self.multiplier_size * rows
        matrix[:, : self.size, self.size :], matrix[:, self.size :, : self.size] = np.swapaxes(rows, 1, 2), rows
        whole = np.concatenate((right, np.zeros((n, count, right.shape[2]))), axis=1)
        found = np.linalg.solve(matrix, whole)
        load = np.zeros((n, 2, right.shape[2]))
        if holds_heights:
            load = np.asarray(-self.multiplier_size * found[:, -2:], dtype=np.float64)
        return np.asarray(found[:, : self.size], dtype=np.float64), load


class _Sums:
    """Deflections that are sums of deformations with factors. matrix: (sums, deformations)."""

    def __init__(self, terms: list[tuple[tuple[int, float], ...]], count: int) -> None:
        self.matrix = np.zeros((len(terms), count))
        for row, each in enumerate(terms):
            for number, factor in each:
                self.matrix[row, number] += factor
        self._first = np.array([each[0][0] for each in terms], dtype=np.int64)
        self._factor = np.array([each[0][1] for each in terms])
        self._more = [(row, each[1:]) for row, each in enumerate(terms) if len(each) > 1]

    def of(self, values: Floats) -> Floats:
        """(n, sums) of values (n, deformations)."""
        return values @ self.matrix.T

    def of_rows(self, rows: Floats) -> Floats:
        """(n, sums, N) of slopes (n, deformations, N)."""
        found = rows[:, self._first] * self._factor[:, None]
        for row, more in self._more:
            for number, factor in more:
                found[:, row] += factor * rows[:, number]
        return np.asarray(found)


def solved_each(matrix: Floats, right: Floats) -> Floats:
    """Solve n linear systems: solutions (n, k) of matrices (n, k, k); NaN where one has none."""
    try:
        return np.asarray(np.linalg.solve(matrix, right[..., None])[..., 0])
    except np.linalg.LinAlgError:
        found = np.full_like(right, np.nan)
        for row, (one, other) in enumerate(zip(matrix, right, strict=True)):
            with suppress(np.linalg.LinAlgError):
                found[row] = np.linalg.solve(one, other)
        return found


def inverse_each(matrix: Floats) -> Floats:
    """Inverses (n, k, k); NaN where there is none, as of a pose that was lost on the way."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        found = np.full_like(matrix, np.nan)
        for row, one in enumerate(matrix):
            with suppress(np.linalg.LinAlgError):
                found[row] = np.linalg.inv(one)
        return found


def _let_go(matrix: Floats, right: Floats, lifted: Flags, load: Floats) -> None:
    """Replace the equations of wheels off the road, the last two, by those of no load."""
    for side, row in enumerate((-2, -1)):
        off = lifted[:, side]
        matrix[off, row] = 0.0
        matrix[off, row, row] = 1.0
        right[off, row] = -load[off, side]


def _bordered(stiffness: Floats, rows: Floats) -> Floats:
    """[[K, J'], [J, 0]]."""
    return np.block([[stiffness, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
