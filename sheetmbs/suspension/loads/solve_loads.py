"""All load cases of a design: loads of the wheels, the pose of the car, and what every member carries there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import CarMasses, axle_weight, total_mass
from sheetmbs.suspension.loads.axle_statics import AxleLoads, RoadLoads, is_holdable, solve_axle
from sheetmbs.suspension.loads.car_balance import CarBalance, Demand
from sheetmbs.suspension.loads.load_limits import FALLS, ROLLS
from sheetmbs.suspension.loads.member_forces import LoadColumn, member_columns
from sheetmbs.suspension.loads.resting_poses import Settled, settle
from sheetmbs.suspension.loads.road import Road, resting_road, road
from sheetmbs.suspension.loads.standing_car import AxleState, Mask, StandingCar
from sheetmbs.suspension.loads.wheel_forces import PlaneForces, limited, linear_axle, linear_transfer, plane_forces

BY_FORMULA = "wheel loads by the linear method: springs and stops cannot carry them in an equilibrium"
PER_MM, PER_DEG = 1e3, 180.0 / np.pi


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


def solve_loads(standing: StandingCar, cases: Sequence[LoadCase]) -> SolvedLoads:
    """Solve all cases at once."""
    return _Cases(standing, cases).solved()


class _Cases:
    """Cases of a car on their way from accelerations to members. Arrays have a row for each case."""

    def __init__(self, standing: StandingCar, cases: Sequence[LoadCase]) -> None:
        self.standing, self.cases = standing, list(cases)
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

    def solved(self) -> SolvedLoads:
        """Everything that is told of the cases."""
        if not self.cases:
            return NO_LOADS
        load = self._known_loads()
        rests = np.array([self._rests(case) for case in self.cases])
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
        return self._posed(travel, load, rests, (roll, pitch, height))

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
        states, _reached = standing.states(standing.design_travel[None], np.zeros(1))
        rolls = {name: linear_axle(state, masses) for name, state in states.items()}
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
            columns = list(self._columns(states, demand, ground, held, travel[good], angles))
        spread = self._spread(columns, good) if columns else ()
        posed = {name: state.swept for name, state in states.items()} if len(good) else {}
        return SolvedLoads(tuple(self.cases), spread, tuple(self.mark), tuple(map(bool, self.failed)), posed)

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

    def _columns(
        self,
        states: Mapping[str, AxleState],
        demand: Demand,
        ground: Road,
        held: Mask,
        travel: Floats,
        angles: list[Floats],
    ) -> Iterator[LoadColumn]:
        ax, ay, az = (demand.acceleration[:, k, None] * demand.gravity for k in range(3))
        pull = -(ax * ground.forward + ay * ground.left + az * ground.up)
        masses = self.standing.masses
        axles: list[AxleLoads] = []
        wrenches = self._wrenches(states, demand, angles)
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
                contact = states[of.name].swept.wheels[side].contact.z.value
                told = contact - float(of.design_contact(side)[2])
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

    def _wrenches(self, states: Mapping[str, AxleState], demand: Demand, angles: list[Floats]) -> Floats:
        """(n, wheels, 7, 3) what the road at these angles and this height exerts on all wheels."""
        lifted = np.zeros_like(demand.load, dtype=bool)
        balance = CarBalance(self.standing.parts, demand.for_kernels, list(states.values()), lifted)
        at = balance.of
        x = np.zeros((len(demand.load), at.count))
        x[:, at.roll], x[:, at.pitch], x[:, at.height] = angles
        x[:, at.loads] = demand.load
        return balance.wrenches(x)


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
