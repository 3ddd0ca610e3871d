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

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.records import Floats, Ints
from sheetmbs.products.varied_workbook import CellAt, ColumnPoints
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
from sheetmbs.suspension.design_sensitivities import axle_generator
from sheetmbs.suspension.elastic.spring_elements import LazyLaws, laws
from sheetmbs.suspension.kinematics.axle_system import by_side, level_placing
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, LazyItems
from sheetmbs.suspension.layout.elastic_parts import TYRE
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.metrics.columns import metrics_over_poses
from sheetmbs.suspension.read_design import KnownDesigns
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_wanted
from sheetmbs.suspension.variants import VariantStudy
from sheetmbs.suspension.varied_cells import VariedAxle, VariedCells
from sheetmbs.workbook.cells.cells import Book

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
class _State:
    """An axle in equilibrium over the rows of a sweep, and before its load was stepped."""

    free: ElasticPoses
    found: ElasticPoses

    @property
    def reached(self) -> bool:
        """Whether all of it was."""
        return bool(self.free.reached.all() and self.found.reached.all())

    @property
    def is_loaded(self) -> bool:
        """Whether a load is stepped."""
        return self.found is not self.free

    @property
    def rows_of_free(self) -> Ints:
        """(n,) the row without load of each row."""
        count = len(self.found.load)
        return np.arange(count) if len(self.free.load) == count else np.zeros(count, dtype=np.int64)


class CompliantSlopes:
    """Columns of the first design of a workbook, some axles of which have elastic parts, by some of its cells.

    points: columns and places. cells: of the sheets Hardpoints and Compliance. Raises NoVariantsError where something else
    decides how an axle stands, or where a column is no formula of its pose alone.
    """

    def __init__(self, book: Book, points: Sequence[ColumnPoints], cells: Sequence[CellAt]) -> None:
        wanted = WantedCases(
            frozenset(each.case for each in points), loads=False, columns=frozenset(each.column for each in points)
        )
        known = KnownDesigns()
        self._design = solve_designs(read_wanted(book, wanted, known), wanted)[0]
        if self._design.heights:
            raise NoVariantsError("the car does not stand at design")
        self._blocks, self._at = _blocks_of(self._design, points)
        self._count = max(each.rows.stop for each in self._blocks)
        self._varied = VariedCells(book, self._design.car, cells, partial(read_wanted, wanted=wanted, known=known))
        self.start = self._varied.start
        self._points = points
        self._axles = {
            name: _Axle(self._design, name, self._varied, self._blocks, sorted(columns), self._count)
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
        self._known: tuple[Floats, ElasticAxle, list[_State]] | None = None

    # --- equilibrium ---

    def _elastic(self, values: Floats, like: ElasticAxle | None) -> ElasticAxle:
        """The axle with other numbers in the cells."""
        return self._elastics(values[None], like)[0]

    def _elastics(self, values: Floats, like: ElasticAxle | None) -> list[ElasticAxle]:
        """The same of several variants (V, cells), whose points are posed together."""
        drawn = np.array([self._varied.drawn(each, self._drawn.as_drawn) for each in values])
        designs = self._drawn.each_at_design(drawn)
        return [self._with_parts(each, design, like) for each, design in zip(values, designs, strict=True)]

    def _with_parts(self, values: Floats, drawn: SweptAxle, like: ElasticAxle | None) -> ElasticAxle:
        axle = replace(drawn.axle, elastic=self._varied.parts(values, drawn.axle.elastic))
        design = replace(drawn, system=replace(drawn.system, axle=axle))
        return elastic_axle(self._car, design, laws(self._car, design), None if like is None else like.structure)

    def _states(self, values: Floats) -> tuple[ElasticAxle, list[_State]]:
        """The axle in equilibrium over all sweeps, from the last ones that were found."""
        if self._known is not None and np.array_equal(self._known[0], values):
            return self._known[1:]
        elastic = self._elastic(values, self._first)
        if self._first is None:
            self._first = elastic
        if self._known is None:
            whole = self._posed.swept(self._varied.drawn(values, self._posed.as_drawn))[0]
            poses = start_poses(elastic, whole)
            starts = [(poses.at(each.rows),) * 2 for each in self._blocks]
        else:
            _values, before, states = self._known
            starts = [
                (_carried(s.free.poses, before, elastic), _carried(s.found.poses, before, elastic)) for s in states
            ]
        found = [self._state(elastic, each, *start) for each, start in zip(self._blocks, starts, strict=True)]
        if all(state.reached for state in found):
            self._known = values.copy(), elastic, found
        return elastic, found

    def _state(self, elastic: ElasticAxle, block: _Rows, free: BodyPoses, loaded: BodyPoses) -> _State:
        on = _by_travel(elastic, block.plan)
        if block.plan.load is None:
            found = elastic.solve(on, free)
            return _State(found, found)
        is_one = not (np.any(np.diff(block.plan.travel)) or np.any(np.diff(block.plan.rack)))
        some = slice(0, 1) if is_one else slice(0, on.rows)
        unloaded = elastic.solve(on.at(some), free.at(some))
        return _State(unloaded, elastic.solve(under_load(block.plan.load, on, _repeated(unloaded, on)), loaded))

    # --- columns ---

    def values(self, values: Floats) -> tuple[tuple[str, ...], Floats]:
        """Names of columns, and (n, columns) their values."""
        elastic, states = self._states(values)
        poses = _Placed.joined([_Placed.of(elastic, state.found.poses) for state in states])
        reached = np.concatenate([state.free.reached.all() & state.found.reached for state in states])
        names, table = self._formulas(poses, self._varied.drawn(values, self._drawn.as_drawn)[None], self._count)
        table[~reached] = np.nan
        return names, table

    def slopes(self, values: Floats) -> tuple[tuple[str, ...], Floats]:
        """Names of columns, and (n, columns, cells) their derivatives."""
        elastic, states = self._states(values)
        cells = self._varied.moving
        steps = self._varied.steps(values, POINT_STEP, STIFFNESS_STEP)
        varied = [values + sign * steps[cell] * np.eye(len(values))[cell] for sign in (1.0, -1.0) for cell in cells]
        if not varied or not all(state.reached for state in states):
            fill = 0.0 if all(state.reached for state in states) else np.nan
            return tuple(self._columns), np.full((self._count, len(self._columns), len(values)), fill)
        others = [_checked(each, elastic) for each in self._elastics(np.array(varied), elastic)]
        moved = _stepped(elastic, others, states)
        placed = [_Placed.of(other, poses) for other, poses in zip(others, moved, strict=True)]
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


def _by_travel(elastic: ElasticAxle, plan: Sweep) -> AxleStanding:
    """Wheel centres held at the travels of a sweep."""
    rack = plan.rack if elastic.axle.is_steered else np.zeros_like(plan.rack)
    return standing(TRAVEL, plan.travel[:, None] + _centre_heights(elastic), rack)


def _repeated(found: ElasticPoses, on: AxleStanding) -> ElasticPoses:
    """A single row as often as a standing has rows; several as they are."""
    if len(found.load) == on.rows:
        return found
    every = np.zeros(on.rows, dtype=np.int64)
    return replace(
        found,
        standing=on,
        poses=found.poses.at(every),
        load=found.load[every],
        held=found.held[every],
        reached=found.reached[every],
    )


def _carried(poses: BodyPoses, before: ElasticAxle, now: ElasticAxle) -> BodyPoses:
    """Poses of bodies whose origins have gone to other places of them."""
    moved = np.array(now.structure.origins) - np.array(before.structure.origins)
    return BodyPoses(poses.place + np.einsum("nbij,bj->nbi", poses.turn, moved), poses.turn)


def _checked(other: ElasticAxle, axle: ElasticAxle) -> ElasticAxle:
    """The axle a little changed. Raises NoVariantsError where it is put together otherwise."""
    if not other.deformations.are_like(axle.deformations, SAME_DIRECTION) or not np.array_equal(
        other.constraints, axle.constraints
    ):
        raise NoVariantsError("directions in which its parts give way do not follow steadily from its points")
    other.multiplier_size = axle.multiplier_size
    return other


def _stepped(elastic: ElasticAxle, others: Sequence[ElasticAxle], states: Sequence[_State]) -> list[BodyPoses]:
    """Poses of each variant of an axle over all sweeps, one step of Newton's method from those of the axle.

    Rows that are held alike take it together: first those without a stepped load, whose heights or loads hold the others.
    """
    free = ElasticPoses.joined([state.free for state in states])
    first = np.cumsum([0, *(len(state.free.load) for state in states)])
    lifted = [_centre_heights(other) - _centre_heights(elastic) for other in others]
    unloaded = [replace(free.standing, values=free.standing.values + lift) for lift in lifted]
    steps = _steps(elastic, others, unloaded, free)
    made = [[pose] for pose, _load in steps]
    rows = {at: first[at] for at, state in enumerate(states) if not state.is_loaded}
    count = len(free.load)
    for held in (ROAD, LOAD):
        which = [at for at, state in enumerate(states) if state.is_loaded and state.found.standing.held == held]
        if not which:
            continue
        found = ElasticPoses.joined([states[at].found for at in which])
        beside = np.concatenate([states[at].rows_of_free + first[at] for at in which])
        on = []
        for other, (pose, load) in zip(others, steps, strict=True):
            heights = (
                load if held == LOAD else other.deformations.at(pose, free.standing.normals).value[:, other.heights]
            )
            on.append(replace(found.standing, values=heights[beside]))
        for own, (pose, _load) in zip(made, _steps(elastic, others, on, found), strict=True):
            own.append(pose)
        for at in which:
            rows[at] = count
            count += len(states[at].found.load)
    order = np.concatenate([rows[at] + np.arange(len(state.found.load)) for at, state in enumerate(states)])
    return [BodyPoses.joined(own).at(order) for own in made]


def _centre_heights(axle: ElasticAxle) -> Floats:
    """(2,) of both wheel centres as drawn, m."""
    return np.array([axle.axle.as_drawn.points[side][WHEEL_CENTRE].position[2] for side in SIDES])


def _steps(
    elastic: ElasticAxle, others: Sequence[ElasticAxle], on: Sequence[AxleStanding], found: ElasticPoses
) -> list[tuple[BodyPoses, Floats]]:
    """Poses and loads of the pads of each variant after one step from those of the axle."""
    matrix, size = elastic.slopes(found.assembled, found.standing), elastic.size
    starts = [_carried(found.poses, elastic, other) for other in others]
    left = []
    for other, each, start in zip(others, on, starts, strict=True):
        load = each.values if each.held == found.standing.held == LOAD else found.load
        now = other.assemble(start, each, found.held, load, is_curved=False)
        left.append(other.unbalanced(now, start, each))
    step = np.linalg.solve(matrix, np.stack(left, axis=-1))
    rows = len(elastic.constraints)
    made = []
    for number, (each, start) in enumerate(zip(on, starts, strict=True)):
        own = np.asarray(step[..., number], dtype=np.float64)
        pressed = elastic.multiplier_size * own[:, size + rows : size + rows + 2]
        load = each.values if each.held == LOAD else found.load + pressed
        made.append((start.moved(own[:, :size]), load))
    return made


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
