"""One design of a car, posed through all its sweeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.table import Table
from sheetmbs.suspension.compliance.compliant_sweeps import compliant_axle, compliant_design, elastic_axle, lost_rows
from sheetmbs.suspension.compliance.elastic_axle import ElasticAxle
from sheetmbs.suspension.designs.design_list import Design
from sheetmbs.suspension.elastic.load_controlled_sweeps import loaded_axle
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, carrying_thirds, laws
from sheetmbs.suspension.generated.merged_sheets import MergedBook
from sheetmbs.suspension.handling.solve_handling import NO_HANDLING, SolvedHandling, solve_handling
from sheetmbs.suspension.handling.trimmed_cases import trimmed_cases
from sheetmbs.suspension.handling.tyred_car import HandlingCar, handling_car
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import (
    Sweep,
    SweptAxle,
    default_sweeps,
    full_lock,
    stroke,
    swept_at,
    swept_at_design,
    swept_axle,
)
from sheetmbs.suspension.layout.car import SIDES, SOLVE_HEIGHT, AxleData, CarData
from sheetmbs.suspension.layout.car_tyres import NO_TYRES, CarTyres
from sheetmbs.suspension.layout.handling_row import HandlingRow
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.limits.damper_ends import damper_end_problems
from sheetmbs.suspension.limits.loose_springs import loose_in_words
from sheetmbs.suspension.limits.sweep_limits import rack_limit, sweep_problems
from sheetmbs.suspension.loads.design_loads import design_loads, load_problems, standing_heights
from sheetmbs.suspension.loads.placed_cases import NONE_PLACED
from sheetmbs.suspension.loads.solve_loads import NO_LOADS, SolvedLoads
from sheetmbs.suspension.metrics.all_metrics import AXLE_IN_CAR_METRICS
from sheetmbs.suspension.metrics.columns import KINEMATIC, SWEPT, sweep_tables, with_kinematic
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.sizing.sized_car import SizedCar, sized_car
from sheetmbs.suspension.spring_rows import with_springs
from sheetmbs.workbook.cells.cells import Book

DESIGN = ""
DESIGN_POSE = Sweep(DESIGN, "heave", np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1), ("travel",))
"""the design pose as a sweep, which no sheet shows"""


@dataclass(frozen=True, eq=False)
class SolvedDesign:
    """A design over all sweeps.

    book: its rows. generated: these with the generated ones, but for those of springs. systems: its axles ready to be posed.
    laws: of the elements of each axle, by name and side.
    plans: what each sweep moves; swept: axles over the rows of each sweep. loads: its load cases.
    """

    design: Design
    book: Book
    car: CarData
    model: Model
    generated: MergedBook
    systems: Mapping[str, AxleSystem]
    laws: Mapping[str, AxleLaws]
    plans: Mapping[str, Sweep]
    swept: Mapping[str, Mapping[str, SweptAxle]]
    loads: SolvedLoads
    heights: Mapping[str, float]
    """how far each wheel stands from design, m, where ride height asks for it"""
    columns: frozenset[str] = frozenset()
    """names of the columns that sheets of sweeps are to have, none: all"""
    tyres: CarTyres = NO_TYRES
    handling_rows: tuple[HandlingRow, ...] = ()
    lock: float = 0.0
    """m, of the rack, which counts as full lock"""
    elastic: Mapping[str, ElasticAxle] = field(default_factory=dict)
    """axles with elastic parts"""
    rigid: Mapping[str, Mapping[str, SweptAxle]] = field(default_factory=dict)
    """axles with elastic parts over the rows of each sweep as if all were rigid"""
    on_elastic: Mapping[str, ElasticAxle] = field(default_factory=dict)
    """all axles of a car of which any has elastic parts"""

    @property
    def name(self) -> str:
        """Name of the design, ``""`` of the first."""
        return self.design.name

    @cached_property
    def merged(self) -> MergedBook:
        """The workbook with all generated rows."""
        poses = {name: design_pose(system) for name, system in self.systems.items()}
        return with_springs(self.generated, poses, self.laws)

    @property
    def tables(self) -> Mapping[str, Table]:
        """The sheet of each sweep."""
        return self._all_tables[0]

    @property
    def at_design(self) -> Table:
        """All metrics at the design pose, one row."""
        return self._all_tables[1]

    @property
    def stands(self) -> tuple[str, ...]:
        """How far each axle stands from design, in words; nothing where ride height does not ask for it."""
        told = ((axle.name, 1e3 * _height(axle, self.heights)) for axle in self.car.axles if self.heights)
        return tuple(f"{axle} stands {height:+.2f} mm from design (+ bump)" for axle, height in told)

    @property
    def loosening(self) -> tuple[str, ...]:
        """Sweeps of heave that pass the travel at which a corner spring lets go, in words."""
        return tuple(loose_in_words(self.car, self.laws, self.plans, self.swept))

    @cached_property
    def handling(self) -> SolvedHandling:
        """What the car does on its tyres."""
        if not self.handling_rows or not self.tyres.fitted:
            return NO_HANDLING
        return solve_handling(self.handling_car, self.car, self.handling_rows, self.rack_range)

    @cached_property
    def handling_car(self) -> HandlingCar | None:
        """The car on its tyres; None where something is missing for it."""
        found = handling_car(self.car, self.systems, self.laws, self.tyres)
        return None if found is None else replace(found, remade=self._remade)

    def _remade(self, car: CarData, tyres: CarTyres) -> HandlingCar | None:
        """The car on its tyres with other settings and tyres: preloads follow its settings, hardpoints stay."""
        held = {axle: laws(car, design_pose(system)) for axle, system in self.systems.items()}
        return handling_car(car, self.systems, held, tyres)

    @property
    def rack_range(self) -> tuple[float, float]:
        """Rack travels of the default steer sweep, m."""
        return -self.lock, self.lock

    @cached_property
    def at_rest(self) -> Mapping[str, SweptAxle]:
        """Axles of the car at their design poses, where elastic parts carry what equilibrium asks for."""
        poses = {name: design_pose(system) for name, system in self.systems.items()}
        return poses | {
            name: compliant_design(self.systems[name], elastic, poses[name]) for name, elastic in self.elastic.items()
        }

    @cached_property
    def _all_tables(self) -> tuple[Mapping[str, Table], Table]:
        """Sheets of sweeps and that of the design pose, which go through the formulas together."""
        plans, swept = {**self.plans, DESIGN: DESIGN_POSE}, {**self.swept, DESIGN: self.at_rest}
        wanted = {name.removesuffix(KINEMATIC) for name in self.columns}
        tables = sweep_tables(self.car, plans, swept, self.laws, wanted)
        if self.elastic:
            drawn = {name: design_pose(system) for name, system in self.systems.items()}
            beside = sweep_tables(self.car, plans, {**self.swept, **self.rigid, DESIGN: drawn}, self.laws, wanted)
            tables = {name: with_kinematic(table, beside[name], self.columns) for name, table in tables.items()}
        at_design = tables.pop(DESIGN)
        return tables, at_design

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Warnings of its sheets and of its sweeps."""
        cases = load_problems(self.loads, self.car)
        limits = (
            *sweep_problems(self.car, self.laws, self.plans, self._judged),
            *lost_rows(self.plans, self.swept, self.rigid),
        )
        told = (*_without_load(self.car), *_without_height(self.car, self.heights))
        ends = damper_end_problems(self.car.units, self.plans, self.swept)
        return (*self.model.warnings, *told, *limits, *ends, *cases, *self.sizing.problems, *self.handling.problems)

    @property
    def _judged(self) -> dict[str, dict[str, SweptAxle]]:
        """Sweeps whose linkage is judged: those that move it, and those of loads at poses that it does not reach."""
        every = {**self.swept, **self.rigid}
        return {
            name: {
                axle: poses
                for axle, poses in axles.items()
                if self.plans[name].load is None or poses.rows.stop <= poses.rows.start
            }
            for name, axles in every.items()
        }

    @cached_property
    def sizing(self) -> SizedCar:
        """Compare members with what they carry, and find clearances, where the workbook asks for that."""
        return sized_car(self.car, self.swept, self.loads)


@dataclass(frozen=True)
class WantedCases:
    """What of designs is to be solved. sweeps: names, None all of them. loads: whether load cases are.

    handling: whether rows of Handling are looked at, whose rack goes over what all designs can reach.
    columns: names of those of sweeps and of the design pose, none: all. poses: whether axles are posed through sweeps at all.
    """

    sweeps: frozenset[str] | None = None
    loads: bool = True
    handling: bool = True
    columns: frozenset[str] = frozenset()
    poses: bool = True

    def has(self, sweep: str) -> bool:
        """Whether axles are to be posed through a sweep."""
        return self.sweeps is None or sweep in self.sweeps

    def axles(self, car: CarData) -> tuple[str, ...]:
        """The axles that have all wanted columns of sweeps: all of them where a column is of the whole car."""
        every = tuple(axle.name for axle in car.axles)
        owners = {axle.corner(side): axle.name for axle in car.axles for side in SIDES} | dict(
            zip(every, every, strict=True)
        )
        found = {_owner(column, owners) for column in self.columns if column not in SWEPT}
        return every if None in found or not found else tuple(name for name in every if name in found)


def _owner(column: str, owners: Mapping[str, str]) -> str | None:
    """The axle of which a column tells, None of one that tells of the whole car."""
    first, _, metric = column.removesuffix(KINEMATIC).partition(".")
    return None if any(each.name == metric for each in AXLE_IN_CAR_METRICS) else owners.get(first)


EVERYTHING = WantedCases()


def solve_designs(designs: Sequence[ReadDesign], wanted: WantedCases = EVERYTHING) -> tuple[SolvedDesign, ...]:
    """Pose designs through their sweeps, or all of them through the same default ones; all in the units of the first."""
    designs = [replace(read, car=replace(read.car, units=designs[0].car.units)) for read in designs]
    systems = list(map(design_systems, designs))
    held = [
        {axle: laws(read.car, design_pose(system, read.model.warnings)) for axle, system in own.items()}
        for read, own in zip(designs, systems, strict=True)
    ]
    heights = [standing_heights(read.car, own, each) for read, own, each in zip(designs, systems, held, strict=True)]
    limit = min(map(rack_limit, systems))
    usual = () if all(read.sweeps for read in designs) else _usual_sweeps(designs, systems, heights, limit)
    return tuple(
        _solved(read, own, (limit, usual), each, standing, wanted)
        for read, own, each, standing in zip(designs, systems, held, heights, strict=True)
    )


def _usual_sweeps(
    designs: Sequence[ReadDesign],
    systems: Sequence[Mapping[str, AxleSystem]],
    heights: Sequence[Mapping[str, float]],
    rack_limit: float,
) -> Sequence[Sweep]:
    """The default sweeps, which all designs can follow."""
    ends = [
        stroke(system, _height(system.axle, each))
        for own, each in zip(systems, heights, strict=True)
        for system in own.values()
    ]
    reach = max(end[0] for end in ends), min(end[1] for end in ends)
    start = float(np.mean([_height(axle, heights[0]) for axle in designs[0].car.axles]))
    return default_sweeps(designs[0].car.axles, rack_limit, reach, start)


def _height(axle: AxleData, heights: Mapping[str, float]) -> float:
    """Travel at which an axle stands, m: the mean of its wheels."""
    return float(np.mean([heights.get(axle.corner(side), 0.0) for side in SIDES]))


def design_systems(read: ReadDesign) -> dict[str, AxleSystem]:
    """The axles of a design, ready to be posed. Raises WorkbookError, with warnings of points among its problems."""
    try:
        return dict(read.systems)
    except WorkbookError as error:
        raise WorkbookError([*read.model.warnings, *error.problems]) from None


def _solved(
    read: ReadDesign,
    systems: Mapping[str, AxleSystem],
    shared: tuple[float, Sequence[Sweep]],
    held: Mapping[str, AxleLaws],
    heights: Mapping[str, float],
    wanted: WantedCases,
) -> SolvedDesign:
    """shared: the rack's limit, and sweeps where the workbook gives none. heights: at which wheels stand, none at design."""
    car, (rack_limit, usual) = read.car, shared
    plans = {sweep.name: sweep for sweep in read.sweeps or usual if wanted.has(sweep.name)}
    standing = {axle: _standing_pose(system, heights) for axle, system in systems.items()}
    moved = set(wanted.axles(car))
    swept = {
        name: {
            axle: _along(plan, system, held[axle], standing[axle])
            for axle, system in systems.items()
            if axle in plan.axles and (axle in moved or not set(plan.axles) & moved)
        }
        for name, plan in plans.items()
        if wanted.poses
    }
    placed = NONE_PLACED
    if wanted.loads and any(case.is_on_tyres for case in read.cases):
        placed = trimmed_cases(handling_car(car, systems, held, read.tyres), read.cases)
    is_asked = any(plans[name].load is not None for name in swept) or any(axle.elastic for axle in car.axles)
    ready = {axle: elastic_axle(car, design_pose(system), held[axle]) for axle, system in systems.items() if is_asked}
    elastic = {axle: found for axle, found in ready.items() if found.axle.elastic}
    rigid = {name: axles for name, axles in swept.items() if set(axles) & set(elastic)}

    def along(name: str, axle: str, poses: SweptAxle) -> SweptAxle:
        """With elastic parts in equilibrium, where there are any or a load is stepped."""
        moves = axle in elastic or plans[name].load is not None
        return compliant_axle(plans[name], systems[axle], ready[axle], poses) if moves else poses

    swept = {name: {axle: along(name, axle, poses) for axle, poses in axles.items()} for name, axles in swept.items()}
    loads = (
        design_loads(car, systems, held, read.cases, full_lock(rack_limit), placed, ready if elastic else {})
        if wanted.loads
        else NO_LOADS
    )
    return SolvedDesign(
        read.design,
        read.book,
        car,
        read.model,
        read.merged,
        systems,
        held,
        plans,
        swept,
        loads,
        heights,
        wanted.columns,
        read.tyres,
        read.handling if wanted.handling else (),
        full_lock(rack_limit),
        elastic,
        rigid,
        ready if elastic else {},
    )


def _standing_pose(system: AxleSystem, heights: Mapping[str, float]) -> SweptAxle | None:
    """An axle where its car stands; None at design."""
    if not heights:
        return None
    travel = {side: np.array([heights[system.axle.corner(side)]]) for side in SIDES}
    return swept_at(system, level_placing(travel, np.zeros(1)))


def _along(plan: Sweep, system: AxleSystem, held: AxleLaws, standing: SweptAxle | None) -> SweptAxle:
    if plan.holds_loads:
        return loaded_axle(plan, system, held, standing or design_pose(system))
    return swept_axle(plan, system, standing)


def design_table(car: CarData, poses: Mapping[str, SweptAxle], laws: Mapping[str, AxleLaws]) -> Table:
    """All metrics of axles at their design poses, one row."""
    return sweep_tables(car, {DESIGN: DESIGN_POSE}, {DESIGN: poses}, laws)[DESIGN]


def design_pose(system: AxleSystem, told: Sequence[Problem] = ()) -> SweptAxle:
    """An axle at its design pose alone, or as adjustments have assembled it.

    told: warnings that there are already. Raises WorkbookError with them where the linkage does not close.
    """
    if not system.is_closed_at_design:
        found = f"the hardpoints of the {system.axle.name} axle"
        rule = "the linkage does not close where they place it: some points are far from the others"
        mend = "look at units and signs of the points"
        cell = system.axle.points["left"][WHEEL_CENTRE].cell
        raise WorkbookError([*told, Problem("no-design-pose", "error", cell, found, rule, mend)])
    return swept_at_design(system)


def _without_load(car: CarData) -> Iterator[Problem]:
    """Warnings of springs whose force is not known: rates then lack what it adds."""
    for axle in car.axles:
        springs = [row for row in axle.springs if row.kind == SpringKind.SPRING]
        told = ("free_length", "preload")
        unknown = [row for row in springs if all(row.number(name) is None for name in told)]
        unknown += carrying_thirds(car, axle)
        if unknown and corner_load(car, axle) is None:
            found = f"the {axle.named(unknown[0].name)} has neither free_length nor preload"
            rule = "its force follows from the corner load, which is not given: forces and rates are left empty"
            mend = "set corner load, or mass and weight front, on the sheet Suspension"
            yield Problem("missing-setting", "warning", str(unknown[0].places["name"]), found, rule, mend)


def _without_height(car: CarData, heights: Mapping[str, float]) -> Iterator[Problem]:
    """A warning where the height is asked for at which the car stands, and none is found: results then are from design."""
    if car.settings.get("ride height") == SOLVE_HEIGHT and not heights:
        rule = "no pose is found in which the springs carry the car, or its masses or springs are not given"
        mend = "look at free_length and preload of the springs, and at mass and weight front; sweeps start at design"
        found = f"ride height: {SOLVE_HEIGHT}"
        yield Problem("no-height", "warning", car.cells.get("ride height", "Suspension"), found, rule, mend)
