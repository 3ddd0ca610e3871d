"""All load cases of a design: loads of the wheels, the pose of the car, and what every member carries there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.car_on_road import PASSED, TORQUE
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.compliance.elastic_axle import ElasticAxle, ElasticPoses
from sheetmbs.suspension.compliance.linkage import start_poses, swept_linkage
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, swept_rows
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import CarMasses, axle_weight, total_mass
from sheetmbs.suspension.loads.axle_statics import AxleLoads, RoadLoads, is_holdable, solve_axle
from sheetmbs.suspension.loads.car_balance import CarBalance, Demand
from sheetmbs.suspension.loads.compliant_cases import CompliantCases, CompliantSearch, twisting_stiffness
from sheetmbs.suspension.loads.elastic_statics import beyond_curves, bushing_columns, elastic_loads
from sheetmbs.suspension.loads.held_cases import HeldSearch, lock_shares
from sheetmbs.suspension.loads.load_limits import FALLS, ROLLS
from sheetmbs.suspension.loads.member_forces import LoadColumn, member_columns
from sheetmbs.suspension.loads.placed_cases import NONE_PLACED, PlacedCase, PlacedCases
from sheetmbs.suspension.loads.resting_poses import Settled, settle
from sheetmbs.suspension.loads.road import Road, TyreWrench, resting_road, road
from sheetmbs.suspension.loads.standing_car import AxleState, Mask, StandingCar
from sheetmbs.suspension.loads.wheel_forces import PlaneForces, limited, linear_axle, linear_transfer, plane_forces

RIGID_POSE = "no pose on its elastic parts was found: as if they were rigid"
UNHELD_POSE = "no two elements hold its travels by themselves: as if its elastic parts were rigid"
BY_FORMULA = "wheel loads by the linear method: springs and stops cannot carry them in an equilibrium"
PER_MM, PER_DEG = 1e3, 180.0 / np.pi
INWARD = {"left": 1.0, "right": -1.0}
"""turns the spin axis of a wheel, which points outward, to the left"""


@dataclass(frozen=True, eq=False)
class SolvedLoads:
    """cases: in the order of the workbook. columns: over all of them, NaN where a case has no such number.

    marks: of each case what is to be said of it, such as ``FL lifted``; ``""`` nothing. failed: whether it has no pose.
    swept: axles at the poses of those cases that have one, in their order.
    """

    cases: tuple[LoadCase, ...]
    columns: tuple[LoadColumn, ...]
    marks: tuple[str, ...]
    failed: tuple[bool, ...]
    swept: Mapping[str, SweptAxle] = field(default_factory=dict)

    @property
    def posed(self) -> tuple[LoadCase, ...]:
        """The cases that have a pose."""
        return tuple(case for case, failed in zip(self.cases, self.failed, strict=True) if not failed)

    def column(self, name: str) -> Floats:
        """(n,) of a name, in the column's unit."""
        return next(column.values for column in self.columns if column.name == name)


NO_LOADS = SolvedLoads((), (), (), ())


def solve_loads(
    standing: StandingCar,
    cases: Sequence[LoadCase],
    placed: PlacedCases = NONE_PLACED,
    elastic: Mapping[str, ElasticAxle] | None = None,
) -> SolvedLoads:
    """Solve all cases at once, but for those whose pose and wheel forces are known already.

    elastic: all axles of a car with elastic parts; none of a rigid one.
    """
    return _Cases(standing, cases, placed, elastic or {}).solved()


class _Cases:
    """Cases of a car on their way from accelerations to members. Arrays have a row for each case."""

    def __init__(
        self,
        standing: StandingCar,
        cases: Sequence[LoadCase],
        placed: PlacedCases,
        elastic: Mapping[str, ElasticAxle],
    ) -> None:
        self.standing, self.cases, self.placed, self.elastic = standing, list(cases), placed, elastic
        self.lifted = np.zeros((len(self.cases), 2 * len(standing.car.axles)), dtype=bool)
        self.car: CarData = standing.car
        self.is_whole = len(self.car.axles) > 1
        self.corners = [axle.corner(side) for axle in self.car.axles for side in SIDES]
        self.acceleration = np.array([[case.ax, case.ay, case.az] for case in cases]).reshape(-1, 3)
        self.rack = np.array([case.rack for case in cases], dtype=np.float64)
        self.downforce = {
            axle.name: np.array([case.downforce.get(axle.name, 0.0) for case in cases]) for axle in self.car.axles
        }
        self.forces = {axle.name: plane_forces(self.car, axle, self.cases) for axle in self.car.axles}
        self.has_springs = all(axle.is_sprung for axle in self.car.axles)
        self.factor = np.array([case.factor for case in cases], dtype=np.float64)
        self.mark = [""] * len(self.cases)
        self.failed = np.zeros(len(self.cases), dtype=bool)
        for row, each in placed.cases.items():
            self._place(row, each)

    def _place(self, row: int, each: PlacedCase) -> None:
        """Take what is known of a case."""
        self.mark[row], self.failed[row] = each.mark, each.has_failed
        if each.has_failed:
            return
        self.acceleration[row], self.rack[row] = each.acceleration, each.rack
        for number, axle in enumerate(self.car.axles):
            self.forces[axle.name].given[row] = each.wheels[2 * number : 2 * number + 2]
            self.forces[axle.name].passes[row] = 0.0
        if (each.wheels[:, 2] == 0.0).any():
            self._tell_lifted(row, each.wheels[:, 2] == 0.0)

    def solved(self) -> SolvedLoads:
        """Everything that is shown of the cases."""
        if not self.cases:
            return NO_LOADS
        load = self._known_loads()
        is_placed = np.isin(np.arange(len(self.cases)), list(self.placed.cases))
        rests = np.array([self._rests(case) for case in self.cases]) & ~is_placed
        self._tell_unheld(rests)
        load[self.failed] = np.nan
        free = np.isnan(load).any(axis=1) & ~self.failed
        rests &= ~self.failed
        travel = np.array([self._given_travel(case) for case in self.cases])
        sought = np.flatnonzero(free | rests)
        found = settle(self.standing, self._demand(load).at(sought), self.rack[sought]) if len(sought) else None
        roll, pitch, height = np.zeros((3, len(self.cases)))
        if found is not None:
            self._take(found, sought, load, rests)
            for at, row in enumerate(sought):
                if rests[row]:
                    travel[row] = found.travel[at]
                    roll[row], pitch[row], height[row] = found.roll[at], found.pitch[at], found.height[at]
        for number, each in self.placed.cases.items():
            if not each.has_failed:
                travel[number], (roll[number], pitch[number], height[number]) = each.travel, each.road
        return self._posed(travel, load, rests | is_placed, (roll, pitch, height))

    def _rests(self, case: LoadCase) -> bool:
        """Whether the travels of a case follow from its loads."""
        return self.has_springs and (case.pose == "equilibrium" or (case.pose == "" and self.is_whole))

    def _given_travel(self, case: LoadCase) -> Floats:
        """(wheels,) of the wheel centres in a case whose travels do not follow from its loads."""
        if case.pose != "given":
            return self.standing.design_travel
        return np.concatenate([self._of_centres(system, case) for system in self.standing.systems.values()])

    def _of_centres(self, system: AxleSystem, case: LoadCase) -> Floats:
        """(2,) travels of the wheel centres of an axle where a case gives them, which may be of the contacts."""
        axle = system.axle
        travel = {side: np.array([case.travel[axle.corner(side)]]) for side in SIDES}
        placing = level_placing(travel, np.array([case.rack]))
        if axle.counts_at_contact:
            travel = system.at_contact(placing, {side: float(axle.design_contact(side)[2]) for side in SIDES})
        return np.concatenate([travel[side] for side in SIDES])

    def _demand(self, load: Floats) -> Demand:
        return Demand(self.acceleration, self.forces, self.downforce, load, self.car.gravity)

    def _take(self, found: Settled, sought: Ints, load: Floats, rests: Mask) -> None:
        """Loads and faults of what has been found. rests: of cases whose poses are sought, not only their loads."""
        load[sought] = found.load
        by_formula = [at for at, row in enumerate(sought) if not rests[row] and found.fault[at] not in ("", *FALLS)]
        if by_formula:
            rows = sought[by_formula]
            given = self.given[rows]
            load[rows] = np.where(np.isnan(given), self._linear_loads()[rows], given)
        for at, row in enumerate(sought):
            if at in by_formula:
                self._tell_by_formula(row, load[row])
            elif found.fault[at]:
                self.failed[row] = True
                self.mark[row] = found.fault[at]
                load[row] = np.nan
            elif found.lifted[at].any():
                self.lifted[row] = found.lifted[at]
                self._tell_lifted(row, found.lifted[at])

    def _tell_by_formula(self, row: int, load: Floats) -> None:
        """Say that no equilibrium gives the loads of a case whose pose is given, so that formulas do."""
        self.mark[row] = BY_FORMULA
        if (load < 0.0).any():
            self.mark[row], self.failed[row] = ROLLS, True
        elif (load == 0.0).any():
            self._tell_lifted(row, load == 0.0)

    def _tell_lifted(self, row: int, lifted: Floats) -> None:
        names = [corner for corner, off in zip(self.corners, lifted, strict=True) if off]
        self.mark[row] = f"{' and '.join(names)} lifted"

    @cached_property
    def given(self) -> Floats:
        """(n, wheels) vertical loads that the cases give, NaN elsewhere."""
        return np.concatenate([self.forces[axle.name].given[:, :, 2] for axle in self.car.axles], axis=1)

    def _tell_unheld(self, rests: Mask) -> None:
        """Fail cases with a side acceleration of a car in which nothing works in roll."""
        if not self.has_springs or not self.acceleration[:, 1].any():
            return
        if self.standing.holds_roll:
            return
        is_alone = len(self.standing.systems) == 1
        for row in np.flatnonzero((self.acceleration[:, 1] != 0.0) & (rests | is_alone)):
            self.failed[row], self.mark[row] = (
                True,
                f"nothing holds the {next(iter(self.standing.systems))} axle in roll",
            )

    def _known_loads(self) -> Floats:
        """(n, wheels) vertical loads that need no equilibrium: given, or of a formula; NaN elsewhere."""
        given = self.given.copy()
        is_free = self.is_whole and self.has_springs
        by_balance = np.array([is_free and case.method != "linear" for case in self.cases])
        by_balance &= np.isnan(given).all(axis=1)
        if by_balance.all():
            return given
        load = np.where(np.isnan(given), self._linear_loads(), given)
        load[by_balance] = np.nan
        return load

    def _linear_loads(self) -> Floats:
        """(n, wheels) axle loads by the formulas, and between their wheels by virtual work in the roll motion."""
        axle_loads = np.stack([self._axle_load(axle.name) for axle in self.car.axles], axis=-1)
        if not (self.is_whole and self.has_springs):
            return np.repeat(0.5 * axle_loads, 2, axis=1)
        standing, masses = self.standing, self.standing.masses
        rolls = {name: linear_axle(state, masses) for name, state in standing.at_design.items()}
        side = {name: each.side for name, each in self.forces.items()}
        ay, az = (self.acceleration[:, 1:] * self.car.gravity).T
        over = linear_transfer(rolls, masses, side, ay, az)
        moved = np.stack([over[name] for name in rolls], axis=-1)
        loads, lifted = limited(axle_loads, moved, np.array([each.track for each in rolls.values()]))
        for row, case in enumerate(self.cases):
            if case.method == "linear" and lifted[row].any():
                self._tell_lifted(row, lifted[row])
                if (loads[row] < 0.0).any():
                    self.mark[row], self.failed[row] = ROLLS, True
        return loads

    def _axle_load(self, name: str) -> Floats:
        """(n,) of an axle by the formulas of accelerations."""
        axle = next(axle for axle in self.car.axles if axle.name == name)
        weight, mass = axle_weight(self.car, axle) or np.nan, total_mass(self.car) or 0.0
        height, wheelbase = self.car.number("cg height"), self.car.number("wheelbase")
        lever = height / wheelbase if height is not None and wheelbase else 0.0
        moved = mass * self.car.gravity * lever * (-1.0 if name == "front" else 1.0)
        return np.asarray(weight * self.acceleration[:, 2] + moved * self.acceleration[:, 0] + self.downforce[name])

    def _posed(self, travel: Floats, load: Floats, rests: Mask, placed: tuple[Floats, Floats, Floats]) -> SolvedLoads:
        """Statics of all cases that have a pose."""
        tried = np.flatnonzero(~self.failed)
        if not len(tried):
            return SolvedLoads(tuple(self.cases), (), tuple(self.mark), tuple(map(bool, self.failed)))
        states, reached = self.standing.states(travel[tried], self.rack[tried])
        for row in tried[~reached]:
            self.failed[row], self.mark[row] = True, "the linkage does not reach this pose"
        good = np.flatnonzero(~self.failed)
        columns: list[LoadColumn] = []
        if len(good):
            if len(good) < len(tried):
                states, _reached = self.standing.states(travel[good], self.rack[good])
            demand = self._demand(load).at(good)
            held = ~rests[good]
            angles = [own[good] for own in placed]
            if held.any():
                fitted = resting_road(self.standing, states, load[good])
                angles = [np.where(held, other, own) for own, other in zip(angles, fitted, strict=True)]
            ground = road(*angles)
            columns = list(self._columns(states, demand, ground, held, travel[good], angles, good))
            on_parts = np.flatnonzero(~held & ~np.isin(good, list(self.placed.cases)))
            if self.elastic and held.any():
                columns = self._with_held(columns, states, demand, (np.flatnonzero(held), good), (travel, angles))
            if self.elastic and len(on_parts):
                columns = self._with_elastic(columns, states, demand, on_parts, good, angles)
            columns = self._with_elastic_placed(columns, demand, good)
            columns = self._with_placed(columns, good)
        spread = self._spread(columns, good) if columns else ()
        posed = {name: state.swept for name, state in states.items()} if len(good) else {}
        return SolvedLoads(tuple(self.cases), spread, tuple(self.mark), tuple(map(bool, self.failed)), posed)

    def _remark(self, row: int, text: str) -> None:
        self.mark[row] = "; ".join(filter(None, (self.mark[row], text)))

    def _spread(self, columns: Sequence[LoadColumn], good: Ints) -> tuple[LoadColumn, ...]:
        """Columns of the cases that have a pose over all of them, in the units of results."""
        units = [self.car.units.of(column.unit) for column in columns]
        values = np.full((len(columns), len(self.cases)), np.nan)
        values[:, good] = [column.values for column in columns]
        for number, (column, unit) in enumerate(zip(columns, units, strict=True)):
            if unit != column.unit:
                values[number] *= parse_unit(column.unit).size / parse_unit(unit).size
            if column.unit in ("N", "N*m"):
                values[number] *= self.factor
        return tuple(
            LoadColumn(column.name, unit, own, column.doc, column.is_member)
            for own, column, unit in zip(values, columns, units, strict=True)
        )

    def _with_placed(self, columns: list[LoadColumn], good: Ints) -> list[LoadColumn]:
        """Columns with those that placed cases alone have, before members; other cases have no number there."""
        known = {column.name for column in columns}
        own = [
            column._replace(values=column.values[good]) for column in self.placed.columns if column.name not in known
        ]
        first = next((at for at, column in enumerate(columns) if column.is_member), len(columns))
        return [*columns[:first], *own, *columns[first:]]

    def _columns(
        self,
        states: Mapping[str, AxleState],
        demand: Demand,
        ground: Road,
        held: Mask,
        travel: Floats,
        angles: list[Floats],
        good: Ints,
    ) -> Iterator[LoadColumn]:
        ax, ay, az = (demand.acceleration[:, k, None] * demand.gravity for k in range(3))
        pull = -(ax * ground.forward + ay * ground.left + az * ground.up)
        masses = self.standing.masses
        axles: list[AxleLoads] = []
        wrenches = self._wrenches(states, demand, angles)
        self._pass_by(wrenches, states, good)
        for number, (name, system) in enumerate(self.standing.systems.items()):
            own = slice(2 * number, 2 * number + 2)
            yield from _wheel_columns(system.axle, demand.forces[name], demand.load[:, own])
            if is_holdable(system.axle):
                on = RoadLoads(wrenches[:, own], pull, held, masses.shift[name])
                axles.append(solve_axle(system, states[name], masses.unsprung[name], on))
        for number, corner in enumerate(self.corners):
            of, side = self.car.axles[number // 2], SIDES[number % 2]
            told = travel[:, number]
            if of.counts_at_contact:
                told = travel_of_contact(of, states[of.name].swept, side)
            yield LoadColumn(f"{corner}.travel", "mm", told * PER_MM, is_member=False)
        for name, angle in zip(("roll", "pitch"), angles, strict=False):
            yield LoadColumn(name, "deg", angle * PER_DEG, is_member=False)
        steered = next((name for name, system in self.standing.systems.items() if system.axle.is_steered), None)
        if steered is not None:
            rack = states[steered].swept.placing.rack
            yield LoadColumn("rack", "mm", rack * PER_MM, "where the rack stands, + to the left", is_member=False)
        for axle in axles:
            yield from member_columns(axle)
        if axles:
            worst = np.max([axle.residual for axle in axles], axis=0)
            balance = list(_whole_car(masses, ground, pull, axles)) if self.is_whole else []
            yield from balance
            yield LoadColumn("residual", "-", worst, "virtual work, and forces on the chassis", is_member=False)

    def _with_elastic(
        self,
        columns: list[LoadColumn],
        states: Mapping[str, AxleState],
        demand: Demand,
        rows: Ints,
        good: Ints,
        angles: list[Floats],
    ) -> list[LoadColumn]:
        """Columns in which the cases that rest do so on their elastic parts. rows: these cases among those that have a pose."""
        kept = {column.name: column._replace(values=column.values.copy()) for column in columns}
        known = ~np.isnan(np.where(self._is_given[good[rows], None], 1.0, np.nan)).any(axis=1)
        for of_kind in (rows[known], rows[~known]):
            if not len(of_kind):
                continue
            found = self._resting(states, demand, of_kind, good, angles)
            for row in of_kind[~found.reached]:
                self._remark(good[row], RIGID_POSE)
            self._keep(kept, found, demand, of_kind, good)
        return list(kept.values())

    def _with_held(
        self,
        columns: list[LoadColumn],
        states: Mapping[str, AxleState],
        demand: Demand,
        which: tuple[Ints, Ints],
        at: tuple[Floats, list[Floats]],
    ) -> list[LoadColumn]:
        """Columns in which cases of given travels stand on elastic parts there.

        which: these cases among those that have a pose, and the latter. at: (n, wheels) travels of all cases, and the road of
        those that have a pose.
        """
        (rows, good), (travel, angles) = which, at
        own = {name: self.standing.state_of(swept_rows(state.swept, rows)) for name, state in states.items()}
        locks = {name: lock_shares(axle, own[name]) for name, axle in self.elastic.items()}
        shares = {name: each for name, each in locks.items() if each is not None}
        if len(shares) < len(locks):
            for row in good[rows]:
                self._remark(row, UNHELD_POSE)
            return columns
        start = {name: start_poses(axle, own[name].swept) for name, axle in self.elastic.items()}
        placed = tuple(np.asarray(each)[rows] for each in angles)
        held = demand.at(rows)
        search = HeldSearch(
            self.standing,
            self.elastic,
            held,
            start,
            self.rack[good[rows]],
            held.load,
            (placed[0], placed[1], placed[2]),
            held.load == 0.0,
        )
        found = search.found_at(own, travel[good[rows]], self._told_travel(own), shares)
        for row in rows[~found.reached]:
            self._remark(good[row], RIGID_POSE)
        kept = {column.name: column._replace(values=column.values.copy()) for column in columns}
        self._keep(kept, found, demand, rows, good)
        return list(kept.values())

    def _told_travel(self, states: Mapping[str, AxleState]) -> Floats:
        """(n, wheels) travels where they count."""
        return np.stack(
            [travel_of_contact(axle, states[axle.name].swept, side) for axle in self.car.axles for side in SIDES],
            axis=1,
        )

    def _keep(self, kept: dict[str, LoadColumn], found: CompliantCases, demand: Demand, rows: Ints, good: Ints) -> None:
        """Put what cases on their elastic parts carry into their rows of the columns."""
        for column in self._elastic_columns(found, demand.at(rows), rows, good):
            if column.name not in kept:
                kept[column.name] = column._replace(values=np.full(len(good), np.nan))
            kept[column.name].values[rows[found.reached]] = column.values[found.reached]

    def _with_elastic_placed(self, columns: list[LoadColumn], demand: Demand, good: Ints) -> list[LoadColumn]:
        """Columns in which the placed cases of a car with elastic parts rest on them as they were found."""
        placed = {int(row): self.placed.cases[int(row)] for row in good if int(row) in self.placed.cases}
        each = [own for own in placed.values() if own.poses]
        if not each:
            return columns
        rows = np.flatnonzero([int(row) in placed and bool(placed[int(row)].poses) for row in good])
        names = list(each[0].poses)
        roll, pitch, height = (np.array([own.road[k] for own in each]) for k in range(3))
        found = CompliantCases(
            {name: ElasticPoses.joined([own.poses[name] for own in each]) for name in names},
            {
                name: {side: TyreWrench.joined([own.tyres[name][side] for own in each]) for side in SIDES}
                for name in names
            },
            np.array([own.wheels[:, 2] for own in each]),
            np.stack((roll, roll - np.array([own.twist for own in each])), axis=1)[:, : len(names)],
            pitch,
            height,
            np.ones(len(each), dtype=bool),
        )
        kept = {column.name: column._replace(values=column.values.copy()) for column in columns}
        self._keep(kept, found, demand, rows, good)
        return list(kept.values())

    @cached_property
    def _is_given(self) -> Mask:
        """(n,) whether loads need no balance of the car."""
        return np.asarray(~np.isnan(self._known_loads()).any(axis=1))

    def _resting(
        self, states: Mapping[str, AxleState], demand: Demand, rows: Ints, good: Ints, angles: list[Floats]
    ) -> CompliantCases:
        """Poses of some cases on their elastic parts, from those of the rigid linkage."""
        start = {name: start_poses(axle, swept_rows(states[name].swept, rows)) for name, axle in self.elastic.items()}
        own = demand.at(rows)
        free = replace(own, load=np.where(self._is_given[good[rows], None], own.load, np.nan))
        load = np.where(np.isnan(own.load), self.standing.design_load, own.load)
        placed = tuple(np.asarray(each)[rows] for each in angles)
        search = CompliantSearch(
            self.standing,
            self.elastic,
            free,
            start,
            self.rack[good[rows]],
            load,
            (placed[0], placed[1], placed[2]),
            self.lifted[good[rows]],
        )
        return search.found()

    def _elastic_columns(self, found: CompliantCases, demand: Demand, rows: Ints, good: Ints) -> Iterator[LoadColumn]:
        """What wheels, members and bushings carry in cases that rest on their elastic parts."""
        masses, axles = self.standing.masses, []
        ground = road(found.roll[:, 0], found.pitch, found.height)
        ax, ay, az = (demand.acceleration[:, k, None] * demand.gravity for k in range(3))
        pull = -(ax * ground.forward + ay * ground.left + az * ground.up)
        for number, (name, system) in enumerate(self.standing.systems.items()):
            own = slice(2 * number, 2 * number + 2)
            yield from _wheel_columns(system.axle, demand.forces[name], found.load[:, own])
            poses = found.poses[name]
            placing = Placing({}, self.rack[good[rows]], found.roll[:, number], found.pitch)
            state = self.standing.state_of(swept_linkage(poses, system, placing, slice(0, len(rows))))
            shift = masses.shift[name]
            tyres = {side: replace(tyre, at=tyre.at - shift) for side, tyre in found.tyres[name].items()}
            own_road = road(found.roll[:, number], found.pitch, found.height)
            own_pull = -(ax * own_road.forward + ay * own_road.left + az * own_road.up)
            axles.append(elastic_loads(poses, system, state, tyres, own_pull))
            for number_of_side, side in enumerate(SIDES):
                told = state.swept.travel[side]
                if system.axle.counts_at_contact:
                    told = poses.contact_heights[:, number_of_side] - float(system.axle.design_contact(side)[2])
                yield LoadColumn(f"{system.axle.corner(side)}.travel", "mm", told * PER_MM, is_member=False)
            yield from bushing_columns(poses)
            for part, values in beyond_curves(poses).items():
                for row in rows[np.flatnonzero(values)]:
                    said = f"{part.replace('.', ' ')} beyond its curve"
                    self.mark[good[row]] = "; ".join(filter(None, (self.mark[good[row]], said)))
        yield LoadColumn("roll", "deg", found.roll[:, 0] * PER_DEG, is_member=False)
        yield LoadColumn("pitch", "deg", found.pitch * PER_DEG, is_member=False)
        if found.roll.shape[1] > 1 and twisting_stiffness(self.standing) is not None:
            twist = (found.roll[:, 0] - found.roll[:, 1]) * PER_DEG
            yield LoadColumn(
                "chassis_twist", "deg", twist, "roll of the front half less that of the rear", is_member=False
            )
        for axle in axles:
            yield from member_columns(axle)
        worst = np.max([axle.residual for axle in axles], axis=0)
        yield from _whole_car(masses, ground, pull, axles) if self.is_whole else ()
        yield LoadColumn("residual", "-", worst, "virtual work, and forces on the chassis", is_member=False)

    def _wrenches(self, states: Mapping[str, AxleState], demand: Demand, angles: list[Floats]) -> Floats:
        """(n, wheels, 7, 3) what the road at these angles and this height exerts on all wheels."""
        lifted = np.zeros_like(demand.load, dtype=bool)
        balance = CarBalance(self.standing.parts, demand.for_kernels, list(states.values()), lifted)
        at = balance.of
        x = np.zeros((len(demand.load), at.count))
        x[:, at.roll], x[:, at.pitch], x[:, at.height] = angles
        x[:, at.loads] = demand.load
        return balance.wrenches(x)

    def _pass_by(self, wrenches: Floats, states: Mapping[str, AxleState], good: Ints) -> None:
        """Let torque about the spin axes of placed cases pass the uprights by, but for what they hold of drive and brakes."""
        sides = [(state, side) for state in states.values() for side in SIDES]
        for at, row in enumerate(good):
            if int(row) not in self.placed.cases:
                continue
            for wheel, (state, side) in enumerate(sides):
                spin = state.wheels[side].spin.value[at] * INWARD[side]
                passed = (wrenches[at, wheel, TORQUE] @ spin + self.placed.cases[int(row)].held[wheel]) * spin
                wrenches[at, wheel, TORQUE] -= passed
                wrenches[at, wheel, PASSED] += passed


def travel_of_contact(axle: AxleData, swept: SweptAxle, side: str) -> Floats:
    """(n,) travel of a wheel where it counts: of its centre or of its contact, m."""
    if not axle.counts_at_contact:
        return np.asarray(swept.travel[side])
    return np.asarray(swept.wheels[side].contact.z.value) - float(axle.design_contact(side)[2])


def _wheel_columns(axle: AxleData, forces: PlaneForces, load: Floats) -> Iterator[LoadColumn]:
    along, side = forces.shared(load)
    for number, name in enumerate(map(axle.corner, SIDES)):
        for axis, values in zip("xyz", (along, side, load), strict=True):
            yield LoadColumn(f"{name}.f{axis}", "N", values[:, number], "on the tyre, in wheel axes", is_member=False)


def _whole_car(masses: CarMasses, ground: Road, pull: Floats, axles: list[AxleLoads]) -> Iterator[LoadColumn]:
    """What holds the car in the plane of the road: along, across, and about its normal through the centre of gravity."""
    force, moment = masses.sprung_mass * pull, cross(masses.sprung_point, masses.sprung_mass * pull)
    weighed = masses.sprung_mass * masses.sprung_point + np.zeros_like(pull)
    for axle in axles:
        shift = masses.shift[axle.axle.name]
        force = force + axle.put_in[:, :3]
        moment = moment + axle.put_in[:, 3:] + cross(shift, axle.put_in[:, :3])
        for mass, place in axle.state.masses:
            weighed = weighed + mass * (place.value + shift)
    about_centre = moment - cross(weighed / masses.mass, force)
    yaw = -np.sum(about_centre * ground.up, axis=1)
    yield LoadColumn("held_fx", "N", -np.sum(force * ground.forward, axis=1), "holds the car along", is_member=False)
    yield LoadColumn("held_fy", "N", -np.sum(force * ground.left, axis=1), "holds the car across", is_member=False)
    yield LoadColumn("yaw_moment", "N*m", yaw, "holds the car's yaw", is_member=False)
