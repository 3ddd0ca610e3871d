"""The lowered model: everything but the order of elimination, and how to lay out the rows that are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.arrays import Arrays, Beams, Curves, Loads, Records, Tapes, Work, make_work
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.constraints import displaced
from sheetmbs.engine.ordering import Node, lay_out
from sheetmbs.engine.splines import CurveTable
from sheetmbs.lower.bodies import Frames, LoweredBodies, lower_bodies
from sheetmbs.lower.constraints import Constraint, LoweredConstraints, lower_constraints
from sheetmbs.lower.forces import LoweredForces, lower_forces, lower_variables
from sheetmbs.lower.motions import Motions
from sheetmbs.lower.turns import Turns
from sheetmbs.model import Formula, Model
from sheetmbs.schema import tape_code

Floats = NDArray[np.float64]

SIDES = ("i", "j", "k", "l")


@dataclass(frozen=True)
class System:
    """Arrays of one choice of rows with scratch for a run. kept: (rows kept,) number in the model of each row."""

    arrays: Arrays
    work: Work
    kept: NDArray[np.int64]

    def jacobian(self) -> Floats:
        """(rows, nv) mass-scaled, as it stands in the scratch."""
        arrays = self.arrays
        dense = np.zeros((len(arrays.row), len(arrays.scale)))
        for number, row in enumerate(arrays.row):
            for side in SIDES:
                record, entry = arrays.body[row[f"body_{side}"]], row[f"entry_{side}"]
                dense[number, record.v : record.v + record.nv] = self.work.jacobian[entry : entry + record.nv]
        return dense


@dataclass(frozen=True)
class Lowered:
    """A model as arrays. points: frame of each reported point, in the order of the workbook."""

    model: Model
    bodies: LoweredBodies
    constraints: LoweredConstraints
    forces: LoweredForces
    frames: Records
    turn: Records
    counted: Records
    motions: Records
    curves: CurveTable
    tapes: tape_code.Tapes
    variables: Records
    points: tuple[int, ...]
    beams: Beams
    formulas: tuple[Formula, ...]

    @property
    def elements(self) -> tuple[Constraint, ...]:
        """Joints, drivers and guiding columns."""
        return self.constraints.constraints

    def weights(self) -> Floats:
        """(nv,) masses and inertias, 1 where they are blank: what a least change is measured by."""
        return np.where(np.isnan(self.bodies.mass), 1.0, self.bodies.mass)

    def sizes(self) -> Floats:
        """(nv,) weights that make J a matter of geometry alone: 1 for a displacement, the length squared for an angle."""
        return np.where(self.bodies.velocity_class == 1, self.bodies.length**2, 1.0)

    def unbent(self) -> Lowered:
        """The same model with beams that do not bend: in it their modal coordinates take part in nothing."""
        tables = self.beams
        records = tables.record.copy()
        records.rest = records.inertia
        mass = self.bodies.mass.copy()
        for record in records:
            mass[self.bodies.records[record.body].v + 2] = record.inertia
        still = {name: np.zeros_like(getattr(tables, name)) for name in ("shape", "lever", "lean", "coupling")}
        beams = replace(tables, record=records, **still)
        return replace(self, beams=beams, bodies=replace(self.bodies, mass=mass))

    def following(self, v: Floats) -> Floats:
        """Velocities (nv,) of `unbent` as those of this model, its beams undeformed: their modes follow the rotation."""
        found = v.copy()
        for record in self.beams.record:
            at = int(self.bodies.records[record.body].v)
            levers = self.beams.lever[record.at : record.at + record.modes]
            found[at + 3 : at + 3 + record.modes] = v[at + 2] * levers / record.mass
        return found

    def arrange(
        self, keep: NDArray[np.bool_] | None = None, weights: Floats | None = None, *, with_hubs: bool = True
    ) -> System:
        """Lay out the rows for which ``keep`` (rows of the model,) is true, default all; weights: (nv,), default `weights`.

        with_hubs: see `engine.ordering.lay_out`; False where columns of the Jacobian are going to be left out.
        """
        rows, terms = self.constraints.rows, self.constraints.terms
        keep = np.ones(len(rows), dtype=np.bool_) if keep is None else keep
        weights = self.weights() if weights is None else weights
        return self._system(rows, terms, self.constraints.owner, keep, weights, with_hubs=with_hubs)

    def gauges(self, weights: Floats | None = None) -> System:
        """The rows that measure joint coordinates; nothing is ever solved with them. weights: as in `arrange`."""
        rows = self.constraints.gauges
        keep = np.ones(len(rows), dtype=np.bool_)
        return self._system(rows, rows[:0], np.arange(len(rows)), keep, self.weights() if weights is None else weights)

    def moved(self, q: Floats, step: Floats) -> Floats:
        """The configuration (nq,) reached from q along a tangent step (nv,)."""
        found = np.array(q, dtype=np.float64)
        displaced(self.bodies.records, self.beams, found, np.asarray(step, dtype=np.float64), np.ones(len(step)))
        return found

    def _system(
        self,
        rows: Records,
        terms: Records,
        owner: NDArray[np.int64],
        keep: NDArray[np.bool_],
        weights: Floats,
        *,
        with_hubs: bool = True,
    ) -> System:
        numbers = np.flatnonzero(keep)
        members: dict[int, list[int]] = {}
        for number in numbers:
            members.setdefault(int(owner[number]), []).append(int(number))
        groups = list(members.values())
        moving = self.bodies.moving()
        nodes = [Node(len(group), _bodies_of(rows, terms, group, moving)) for group in groups]
        own = self.bodies.records[: len(self.bodies.names)]
        factor = lay_out(nodes, [int(body.nv) for body in own], with_hubs=with_hubs)
        kept = np.array([number for node in factor.order for number in groups[node]], dtype=np.int64)
        place = np.full(len(rows), -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        further = terms[place[terms.target] >= 0]
        parts = np.concatenate((rows[kept], further)).view(np.recarray)
        parts.target = place[parts.target]
        blocks = [(node, within) for node in factor.order for within in range(len(groups[node]))]
        for part in parts:
            node, within = blocks[int(part.target)]
            self._enter(part, node, within, factor.entries, moving)
        arranged = parts[: len(kept)]
        for row in arranged:
            row.compliance = self._compliance(row, weights)
        bodies = self.bodies
        arrays = Arrays(
            body=bodies.records,
            frame=self.frames,
            row=arranged,
            part=parts,
            turn=self.turn,
            counted=self.counted,
            layout=factor.layout,
            motion=self.motions,
            spring=self.forces.springs,
            bushings=self.forces.bushings,
            beams=self.beams,
            loads=Loads(self.forces.loads, self.forces.load_value, self.forces.load_index, self.variables),
            curves=Curves(self.curves.start, self.curves.count, self.curves.knots, self.curves.coefficients),
            tapes=Tapes(self.tapes.start, self.tapes.operation, self.tapes.constant),
            mass=weights,
            scale=1.0 / np.sqrt(weights),
            base_force=bodies.base_force,
            load_force=bodies.load_force,
            gravity=np.array(self.model.settings.gravity),
            body_mass=bodies.body_mass,
            position_size=bodies.position_size,
            velocity_class=bodies.velocity_class,
            length=bodies.length,
        )
        return System(arrays, make_work(arrays, factor.storage), kept)

    def _enter(
        self, part: Any, node: int, within: int, entries: dict[tuple[int, int], int], moving: NDArray[np.int64]
    ) -> None:
        """Jacobian places of a row or term in its block."""
        for side in SIDES:
            body = int(moving[part[f"body_{side}"]])
            if body:
                part[f"entry_{side}"] = entries[node, body] + within * int(self.bodies.records[body].nv)

    def _compliance(self, row: Any, weights: Floats) -> float:
        """What regularises a row: the sum of 1/m of its bodies, 0 for a rotational one."""
        if not _is_translational(int(row.kind)):
            return 0.0
        first = [int(self.bodies.records[body].v) for body in (row.body_i, row.body_j) if body]
        compliance = sum(1.0 / float(weights[v]) for v in first if not self.bodies.zero[v])
        return compliance if compliance > 0.0 else 1.0 / float(np.max(weights))


def _bodies_of(rows: Records, terms: Records, group: list[int], moving: NDArray[np.int64]) -> tuple[int, ...]:
    """Bodies on which rows and their terms act, ground among them; moving: `LoweredBodies.moving`."""
    own = rows[group]
    further = terms[np.isin(terms.target, group)]
    return tuple(
        sorted({int(moving[body]) for part in (own, further) for side in ("body_i", "body_j") for body in part[side]})
    )


def _is_translational(kind: int) -> bool:
    return kind not in (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN)


def lower(model: Model) -> Lowered:
    """Lower a model."""
    bodies = lower_bodies(model)
    frames = Frames(bodies.names, bodies.beams)
    motions = Motions(model)
    turns = Turns(bodies.names)
    constraints = lower_constraints(model, frames, turns, motions)
    forces = lower_forces(model, frames, turns, motions)
    for rows in (constraints.rows, constraints.terms, constraints.gauges):
        turns.settle(rows.k, rows.kind == RowKind.TURN)
    turns.settle(forces.springs.turn, forces.springs.turn >= 0)
    variables = lower_variables(model, frames, motions)
    points = tuple(frames.of(point.marker) for point in model.points if point.report)
    live, counted = turns.records()
    bodies = bodies.with_sections(frames.sections)
    return Lowered(
        model=model,
        bodies=bodies,
        constraints=constraints,
        forces=forces,
        frames=frames.records(),
        turn=live,
        counted=counted,
        motions=motions.records(),
        curves=motions.curve_table(),
        tapes=motions.tapes(),
        variables=variables,
        points=points,
        formulas=tuple(motions.formulas),
        beams=bodies.tables(),
    )
