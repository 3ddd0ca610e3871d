"""Columns of sweeps of axles with elastic parts at given places, with their derivatives by cells of hardpoints and stiffnesses.

With r(q, l; p) = 0 the equilibrium of an axle, q the motions of its bodies, l multipliers and loads of the pads, p a parameter,

    K d(q, l)/dp = -dr/dp

with the whole derivative K of Newton's method: one factorisation of a pose serves all parameters. What is left over at p + h
and p - h is evaluated at the pose of p, and a column is a formula of the pose one step of Newton's method from there: errors of
that step are of even order in h and cancel in the difference. Nothing is solved again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.products.varied_workbook import ColumnPoints
from sheetmbs.suspension.column_slopes import posed_at
from sheetmbs.suspension.compliance.compliant_sweeps import elastic_axle, under_load
from sheetmbs.suspension.compliance.deformations import BodyPoses
from sheetmbs.suspension.compliance.elastic_axle import (
    LOAD,
    ROAD,
    TRAVEL,
    AxleStanding,
    ElasticAxle,
    ElasticPoses,
    standing,
)
from sheetmbs.suspension.compliance.linkage import euler_parameters, start_poses
from sheetmbs.suspension.compliance.varied_poses import VariedPoses
from sheetmbs.suspension.design_sensitivities import axle_generator
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, LazyLaws, laws, laws_of_each
from sheetmbs.suspension.kinematics.axle_system import by_side, level_placing
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.kinematics.sweeps import SteppedLoad, Sweep, SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, LazyItems
from sheetmbs.suspension.layout.elastic_parts import TYRE
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.metrics.columns import metrics_over_poses
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.variants import VariantStudy
from sheetmbs.suspension.varied_cells import VariedAxle, VariedCells, VariedDesign

POINT_STEP = 1e-6
"""m, of hardpoints to either side"""
STIFFNESS_STEP = 1e-4
"""of a stiffness, to either side: deflections of a millimetre then change by a tenth of a micrometre"""
SAME_DIRECTION = 1e-2
"""by which directions of deformations may differ after such a step; more of them says that another one was chosen"""
POSES_PER_BLOCK = 2000
"""poses that go through the formulas together"""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Poses of a sweep among all that are asked for. plan: at these."""

    plan: Sweep
    rows: slice


@dataclass(frozen=True, eq=False)
class _Loaded:
    """Sweeps that step a load and hold the same of the wheels, one behind the other.

    held: ROAD or LOAD. blocks: their numbers; beside: (n,) the row without load of each row.
    """

    held: str
    blocks: tuple[int, ...]
    beside: Ints


@dataclass(frozen=True, eq=False)
class _State:
    """An axle in equilibrium over all rows without a stepped load, and over those that have one, as `_Loaded` groups them."""

    free: ElasticPoses
    loaded: tuple[ElasticPoses, ...]

    @property
    def parts(self) -> tuple[ElasticPoses, ...]:
        """All of them."""
        return self.free, *self.loaded

    @property
    def is_reached(self) -> bool:
        """Whether all rows were."""
        return all(bool(each.reached.all()) for each in self.parts)

    @property
    def poses(self) -> BodyPoses:
        """Their poses, one behind the other."""
        return BodyPoses.joined([each.poses for each in self.parts])


@dataclass(frozen=True, eq=False)
class _Course:
    """How an axle in equilibrium moves as cells change. values: (cells,) at which it is so; cells: of these that move it.

    rates: of each of its parts (n, moving cells, N) motions of all bodies per unit of a cell.
    """

    values: Floats
    of: _State
    cells: Sequence[int]
    rates: Sequence[Floats]

    def starts(self, values: Floats) -> list[BodyPoses]:
        """Poses near the equilibrium for other values, to first order."""
        shifts = (values - self.values)[self.cells]
        return [own.poses.moved(shifts @ rates) for own, rates in zip(self.of.parts, self.rates, strict=True)]


class CompliantSlopes:
    """Columns of the first design of a workbook, some axles of which have elastic parts, by some of its cells.

    varied: it, with cells of the sheets Hardpoints and Compliance. points: columns and places. Raises NoVariantsError where
    something else decides how an axle stands, or where a column is no formula of its pose alone.
    """

    def __init__(self, varied: VariedDesign, points: Sequence[ColumnPoints]) -> None:
        self._design = varied.solved
        self._blocks, self._at = _blocks_of(self._design, points)
        self._count = max(each.rows.stop for each in self._blocks)
        self.start = varied.start
        self._points = points
        self._axles = {
            name: _Axle(self._design, name, varied.varied, self._blocks, sorted(columns), self._count)
            for name in self._design.systems
            if (columns := {each.column for each in points if self._owner(each.column) == name})
        }

    def _owner(self, column: str) -> str:
        """The axle that has a column; none where it is of the whole car."""
        for name, system in self._design.systems.items():
            if column.partition(".")[0] in (system.axle.corner("left"), system.axle.corner("right"), name):
                return name
        return ""

    def values(self, values: Floats) -> list[Floats]:
        """(m,) of every column where the cells hold values (cells,); NaN where a pose is not reached, or no axle has it."""
        found = {name: axle.values(values) for name, axle in self._axles.items()}
        return self._sorted(found, ())

    def slopes(self, values: Floats) -> list[Floats]:
        """(m, cells) of every column by the cells, per unit of each."""
        found = {name: axle.slopes(values) for name, axle in self._axles.items()}
        return self._sorted(found, (len(self.start),))

    def _sorted(self, found: Mapping[str, tuple[tuple[str, ...], Floats]], more: tuple[int, ...]) -> list[Floats]:
        columns = []
        for own, rows in zip(self._points, self._at, strict=True):
            names, table = found.get(self._owner(own.column), ((), np.zeros(0)))
            is_known = own.column in names
            columns.append(
                np.asarray(table[rows, names.index(own.column)]) if is_known else np.full((len(own.x), *more), np.nan)
            )
        return columns


def _blocks_of(design: SolvedDesign, points: Sequence[ColumnPoints]) -> tuple[list[_Rows], list[slice]]:
    """The sweeps at all places that are asked for, one behind the other, and the poses of each column."""
    blocks: list[_Rows] = []
    at: list[slice] = []
    known: dict[tuple[str, str, bytes], slice] = {}
    for own in points:
        key = own.case, own.over, own.x.tobytes()
        if key not in known:
            first = blocks[-1].rows.stop if blocks else 0
            known[key] = slice(first, first + len(own.x))
            blocks.append(_Rows(posed_at(design, own), known[key]))
        at.append(known[key])
    return blocks, at


class _Axle:
    """One axle at all poses, by the cells that move it."""

    def __init__(
        self,
        design: SolvedDesign,
        name: str,
        varied: VariedCells,
        blocks: Sequence[_Rows],
        columns: Sequence[str],
        count: int,
    ) -> None:
        self._car, self._system, self._columns, self._blocks = design.car, design.systems[name], columns, blocks
        axle = self._system.axle
        if axle_generator(design, axle) is not None:
            raise NoVariantsError("rows of the workbook join bodies otherwise")
        if any(part.place.kind == TYRE for part in axle.elastic):
            raise NoVariantsError("its tyres are elastic parts")
        self._varied: VariedAxle = varied.of_axle(name)
        self._count = count
        travel = np.concatenate([each.plan.travel for each in blocks])
        rack = np.concatenate([each.plan.rack for each in blocks])
        rack = rack if axle.is_steered else np.zeros_like(rack)
        self._placing = level_placing(dict.fromkeys(SIDES, travel), rack)
        coordinates = self._varied.coordinates
        self._posed = VariantStudy(design, name, coordinates, travel, self._placing.rack)
        self._drawn = VariantStudy(design, name, coordinates, np.zeros(1))
        self._first: ElasticAxle | None = None
        self._known: tuple[Floats, ElasticAxle, _State] | None = None
        self._course: _Course | None = None
        self._free, self._loaded, self._order = _together(blocks)

    # --- equilibrium ---

    def _elastics(self, values: Floats, like: ElasticAxle | None) -> list[ElasticAxle]:
        """The axle with other numbers in the cells, (V, cells), of variants that are posed together. like: one of before."""
        drawn = np.array([self._varied.drawn(each, self._drawn.as_drawn) for each in values])
        together = self._drawn.at_design(drawn)
        each = zip(values, self._drawn.each_of(together), laws_of_each(self._car, together), strict=True)
        return [self._with_parts(own, design, held, like) for own, design, held in each]

    def _with_parts(self, values: Floats, drawn: SweptAxle, held: AxleLaws, like: ElasticAxle | None) -> ElasticAxle:
        known = () if like is None else like.axle.elastic
        axle = replace(drawn.axle, elastic=self._varied.parts(values, drawn.axle.elastic, known))
        design = replace(drawn, system=replace(drawn.system, axle=axle))
        return elastic_axle(self._car, design, held, None if like is None else like.structure)

    def _state(self, values: Floats) -> tuple[ElasticAxle, _State]:
        """The axle in equilibrium over all sweeps, from the last one that was found."""
        if self._known is not None and np.array_equal(self._known[0], values):
            return self._known[1:]
        elastic = self._elastics(values[None], self._first)[0]
        if self._first is None:
            self._first = elastic
        found = None
        if self._course is not None and np.array_equal(elastic.constraints, self._course.of.free.of.constraints):
            found = self._solved(elastic, self._course.starts(values), self._course.of.parts)
        if found is None or not found.is_reached:
            found = self._solved(elastic, self._starts(values, elastic), [None] * (1 + len(self._loaded)))
        if found.is_reached:
            self._known = values.copy(), elastic, found
        return elastic, found

    def _starts(self, values: Floats, elastic: ElasticAxle) -> list[BodyPoses]:
        """The last poses that were found; at first those of the rigid linkage."""
        if self._known is not None:
            return [each.poses for each in self._known[2].parts]
        whole = self._posed.swept(self._varied.drawn(values, self._posed.as_drawn))[0]
        poses = start_poses(elastic, whole)
        return [poses.at(rows) for rows in self._rows_of_sweeps()]

    def _solved(self, elastic: ElasticAxle, starts: Sequence[BodyPoses], near: Sequence[ElasticPoses | None]) -> _State:
        travel, rack = (getattr(self._placing, name) for name in ("travel", "rack"))
        on = standing(TRAVEL, travel["left"][self._free, None] + _centre_heights(elastic), rack[self._free])
        free = elastic.solve(on, starts[0], near[0])
        return _State(free, tuple(map(partial(self._under_load, free), self._loaded, starts[1:], near[1:])))

    def _rows_of_sweeps(self) -> list[Ints]:
        """Rows without a stepped load and of each group with one, among all rows as they are asked for."""
        return [
            self._free,
            *(np.concatenate([np.r_[self._blocks[k].rows] for k in group.blocks]) for group in self._loaded),
        ]

    def _under_load(
        self, free: ElasticPoses, group: _Loaded, start: BodyPoses, near: ElasticPoses | None
    ) -> ElasticPoses:
        before = _rows_of(free, group.beside)
        at, standings = 0, []
        for number in group.blocks:
            plan = self._blocks[number].plan
            rows = slice(at, at := at + plan.rows)
            standings.append(under_load(cast("SteppedLoad", plan.load), before.standing.at(rows), before.at(rows)))
        return free.of.solve(AxleStanding.joined(standings), start, near)

    # --- columns ---

    def values(self, values: Floats) -> tuple[tuple[str, ...], Floats]:
        """Names of columns, and (n, columns) their values."""
        elastic, state = self._state(values)
        reached = [state.free.reached]
        for group, own in zip(self._loaded, state.loaded, strict=True):
            reached.append(own.reached & state.free.reached[group.beside])
        poses = _Placed.of(elastic, state.poses.at(self._order))
        names, table = self._formulas(poses, self._varied.drawn(values, self._drawn.as_drawn)[None], self._count)
        table[~np.concatenate(reached)[self._order]] = np.nan
        return names, table

    def slopes(self, values: Floats) -> tuple[tuple[str, ...], Floats]:
        """Names of columns, and (n, columns, cells) their derivatives."""
        elastic, state = self._state(values)
        cells = self._varied.moving
        steps = self._varied.steps(values, POINT_STEP, STIFFNESS_STEP)
        varied = [values + sign * steps[cell] * np.eye(len(values))[cell] for sign in (1.0, -1.0) for cell in cells]
        if not varied or not state.is_reached:
            fill = 0.0 if state.is_reached else np.nan
            return tuple(self._columns), np.full((self._count, len(self._columns), len(values)), fill)
        others = [_checked(each, elastic) for each in self._elastics(np.array(varied), elastic)]
        motions = self._motions(elastic, others, state)
        half = len(cells)
        rates = [(each[:, :half] - each[:, half:]) / (2.0 * steps[cells, None]) for each in motions]
        self._course = _Course(values.copy(), state, cells, rates)
        moved = [
            [own.poses.moved(motion[:, k]) for own, motion in zip(state.parts, motions, strict=True)]
            for k in range(len(others))
        ]
        placed = [_Placed.of(elastic, BodyPoses.joined(each).at(self._order)) for each in moved]
        drawn = np.array([self._varied.drawn(each, self._drawn.as_drawn) for each in varied])
        together = max(1, POSES_PER_BLOCK // self._count)
        tables = []
        for first in range(0, len(others), together):
            some = slice(first, first + together)
            names, table = self._formulas(_Placed.joined(placed[some]), drawn[some], self._count)
            tables.append(table.reshape(-1, self._count, len(names)))
        ahead, behind = np.split(np.concatenate(tables), 2)
        found = np.zeros((self._count, len(names), len(values)))
        found[:, :, cells] = np.moveaxis(ahead - behind, 0, -1) / (2.0 * steps[cells])
        return names, found

    def _motions(self, elastic: ElasticAxle, others: Sequence[ElasticAxle], state: _State) -> list[Floats]:
        """(n, V, N) motions of each part of a state to those of other axles, one step of Newton's method.

        First of rows without a stepped load, whose heights or loads hold the others.
        """
        lifts = np.array([_centre_heights(other) for other in others]) - _centre_heights(elastic)
        free = VariedPoses(state.free, others)
        first = free.stepped(np.broadcast_to(lifts, (len(state.free.load), *lifts.shape)))
        motions = [first.motion]
        for group, own in zip(self._loaded, state.loaded, strict=True):
            holds = first.load if group.held == LOAD else free.heights(first.motion)
            motions.append(VariedPoses(own, others).stepped(holds[group.beside]).motion)
        return motions

    def _formulas(self, placed: _Placed, drawn: Floats, count: int) -> tuple[tuple[str, ...], Floats]:
        """Columns over poses of variants, one after the other. drawn: (V, coordinates) of each."""
        design = self._drawn.at_design(drawn)
        axle = self._drawn.with_places(drawn, count)
        placing = self._placing.repeated(len(drawn))
        still = np.zeros(len(placing.rack))

        def wheel(side: str) -> Wheel:
            part = next(each for each in self._system.parts if side in each.sides)
            poses = by_side(placed.poses(part), part, side)
            return Wheel(axle, side, poses, still, still, hub_spin=placed.hub_spin(axle, side))

        swept = SweptAxle(
            replace(self._system, axle=axle), LazyItems(SIDES, wheel), slice(0, len(still)), placing, design=design
        )
        names, _units, table = metrics_over_poses(
            self._car, swept, LazyLaws(partial(laws, self._car, design)), self._columns
        )
        return names, table


def _together(blocks: Sequence[_Rows]) -> tuple[Ints, tuple[_Loaded, ...], Ints]:
    """Rows without a stepped load, as numbers of all rows; groups of those with one; and where all rows then stand.

    A sweep of loads at one pose has one row without load.
    """
    free: list[Ints] = []
    beside, at = [], 0
    for block in blocks:
        own = np.r_[block.rows]
        is_one = block.plan.load is not None and not (
            np.any(np.diff(block.plan.travel)) or np.any(np.diff(block.plan.rack))
        )
        free.append(own[:1] if is_one else own)
        beside.append(at + (np.zeros(len(own), dtype=np.int64) if is_one else np.arange(len(own))))
        at += len(free[-1])
    order = list(beside)
    groups = []
    for held, holds_loads in ((ROAD, False), (LOAD, True)):
        loads = [(k, block.plan.load) for k, block in enumerate(blocks)]
        which = tuple(k for k, load in loads if load is not None and load.holds_loads == holds_loads)
        for k in which:
            order[k] = at + np.arange(len(beside[k]))
            at += len(beside[k])
        if which:
            groups.append(_Loaded(held, which, np.concatenate([beside[k] for k in which])))
    return np.concatenate(free), tuple(groups), np.concatenate(order)


def _rows_of(found: ElasticPoses, rows: Ints) -> ElasticPoses:
    """Rows of poses, some of them several times."""
    return replace(
        found,
        standing=found.standing.at(rows),
        poses=found.poses.at(rows),
        load=found.load[rows],
        held=found.held[rows],
        reached=found.reached[rows],
    )


def _checked(other: ElasticAxle, axle: ElasticAxle) -> ElasticAxle:
    """The axle a little changed. Raises NoVariantsError where it is put together otherwise."""
    if not other.deformations.are_like(axle.deformations, SAME_DIRECTION) or not np.array_equal(
        other.constraints, axle.constraints
    ):
        raise NoVariantsError("directions in which its parts give way do not follow steadily from its points")
    other.multiplier_size = axle.multiplier_size
    return other


def _centre_heights(axle: ElasticAxle) -> Floats:
    """(2,) of both wheel centres as drawn, m."""
    return np.array([axle.axle.as_drawn.points[side][WHEEL_CENTRE].position[2] for side in SIDES])


@dataclass(frozen=True, eq=False)
class _Placed:
    """Rigid motions x -> at + turn x of all bodies of an axle over poses. at: (n, bodies, 3); turn: (n, bodies, 3, 3)."""

    of_axle: ElasticAxle
    at: Floats
    turn: Floats

    @classmethod
    def of(cls, axle: ElasticAxle, poses: BodyPoses) -> _Placed:
        """Motions from design, where origins of bodies stand at hardpoints."""
        origins = np.array(axle.structure.origins)
        return cls(axle, poses.place - np.einsum("nbij,bj->nbi", poses.turn, origins), poses.turn)

    @staticmethod
    def joined(parts: Sequence[_Placed]) -> _Placed:
        """Several, one behind the other."""
        at, turn = (np.concatenate([getattr(part, name) for part in parts]) for name in ("at", "turn"))
        return _Placed(parts[0].of_axle, at, turn)

    def poses(self, part: ClosedPart) -> Poses:
        """Poses of the bodies of a part, in the coordinates of its model; how it moves from there is not known, so NaN."""
        lowered, structure = part.driven.lowered, self.of_axle.structure
        count, drivers = len(self.at), len(part.sides) + (structure.rack is not None)
        q = np.tile(part.q, (count, 1))
        for name, number in lowered.bodies.names.items():
            if name not in structure.bodies:
                continue
            own, body = structure.bodies[name], lowered.model.bodies[number - 1]
            at = int(lowered.bodies.records[number].q)
            turn = self.turn[:, own]
            q[:, at : at + 3] = self.at[:, own] + turn @ body.position
            q[:, at + 3 : at + 7] = euler_parameters(turn @ matrix_of(body.euler))
        velocities = len(part.driven.system.arrays.scale)
        first = np.full((count, drivers, velocities), np.nan)
        second = np.full((count, drivers, drivers, velocities), np.nan)
        return Poses(lowered, np.full((count, drivers), np.nan), q, first, second)

    def hub_spin(self, axle: AxleData, side: str) -> Floats | None:
        """(n, 3) spin axis on its carrier of a wheel whose bearing gives way."""
        structure = self.of_axle.structure
        carrier, hub = structure.bodies[axle.body_name(axle.wheel_carrier, side)], structure.hubs[side]
        if carrier == hub:
            return None
        spin = np.broadcast_to(axle.spin_axis(side), (len(self.at), 3))
        return np.asarray(np.einsum("nji,njk,nk->ni", self.turn[:, carrier], self.turn[:, hub], spin))
