"""The lowered model: everything but the order of elimination, and how to lay out the rows that are kept."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.algebra.factor_layout import FactorLayout
from sheetmbs.engine.arrays import Arrays, Beams, Frictions, Loads
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.constraints import displaced
from sheetmbs.engine.motion.bytecode import Tapes
from sheetmbs.engine.motion.curves import Curves
from sheetmbs.engine.motion.splines import CurveTable
from sheetmbs.engine.records import Floats, Records
from sheetmbs.engine.work import FrictionWork, Work, make_work, no_friction_work
from sheetmbs.lower.lower_bodies import LoweredBodies
from sheetmbs.lower.lower_constraints import Constraint, LoweredConstraints
from sheetmbs.lower.lower_forces import LoweredForces
from sheetmbs.lower.lower_friction import no_frictions, over_all_rows, over_chosen_rows
from sheetmbs.lower.row_plan import RowPlan, plan, plan_gauges
from sheetmbs.lower.sparse import Sparse, of_blocks
from sheetmbs.model.model import Formula, Model
from sheetmbs.schema import expression_evaluation

ROTATIONAL = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN, RowKind.TWIST, RowKind.AZIMUTH)
IS_ROTATIONAL = np.isin(np.arange(len(RowKind)), ROTATIONAL)
"""of each kind of row"""


@dataclass(frozen=True)
class System:
    """Arrays of one choice of rows with scratch for a run. kept: (rows kept,) number in the model of each row."""

    arrays: Arrays
    work: Work
    kept: NDArray[np.int64]

    def jacobian(self) -> Sparse:
        """(rows, nv) mass-scaled, as it stands in the scratch."""
        arrays = self.arrays
        return of_blocks(arrays.layout, self.work.jacobian, len(arrays.row), len(arrays.scale))


@dataclass(frozen=True)
class Lowered:
    """A model as arrays. points: frame of each reported point, in the order of the workbook."""

    model: Model
    bodies: LoweredBodies
    constraints: LoweredConstraints
    forces: LoweredForces
    clearances: Records
    frictions: Records
    frames: Records
    turn: Records
    counted: Records
    motions: Records
    curves: CurveTable
    tapes: expression_evaluation.TapeTables
    variables: Records
    points: tuple[int, ...]
    beams: Beams
    formulas: tuple[Formula, ...]
    _plans: dict[tuple[bytes, bool], RowPlan] = field(default_factory=dict, init=False, repr=False)
    _arrays: dict[tuple[int, bytes], Arrays] = field(default_factory=dict, init=False, repr=False)
    _like: list[Arrays] = field(default_factory=list, init=False, repr=False)  # arrays that differ in their rows alone
    _turned: dict[bytes, Lowered] = field(default_factory=dict, init=False, repr=False)

    @property
    def elements(self) -> tuple[Constraint, ...]:
        """Joints, drivers and guiding columns."""
        return self.constraints.constraints

    @property
    def rubs(self) -> bool:
        """Whether any joint has friction."""
        return bool(np.any(self.frictions.meshes == 0))

    def weights(self) -> Floats:
        """(nv,) masses and inertias, 1 where blank and not too small: what a least change is measured by."""
        return np.where(np.isnan(self.bodies.mass), 1.0, self.bodies.factored)

    def sizes(self) -> Floats:
        """(nv,) weights that make J a matter of geometry alone: 1 for a displacement, the length squared for an angle."""
        return np.where(self.bodies.velocity_class == 1, self.bodies.length**2, 1.0)

    def even_sizes(self) -> Floats:
        """(nv,) the same, shapes of a beam over how much stiffer than its first one they are.

        Stiffnesses of the shapes of one beam may differ by ten powers of ten; those of coordinates that count so do not.
        """
        sizes = self.sizes()
        for name, beam in self.bodies.beams.items():
            record = self.bodies.records[self.bodies.names[name]]
            sizes[record.v + 3 : record.v + record.nv] = beam.stiffness / np.min(beam.stiffness)
        return sizes

    def unbent(self) -> Lowered:
        """The same model with beams that do not bend: in it their modal coordinates take part in nothing."""
        moving = ("shape", "shortening", "lag", "lean", "coupling", "softening")
        still = {name: np.zeros_like(getattr(self.beams, name)) for name in moving}
        return replace(self, beams=replace(self.beams, **still))

    def with_linear_beams(self, names: Collection[str], *, along_chord: bool) -> Lowered:
        """The same model, some of its beams by the linear theory: see `LoweredBeam.linear`."""
        beams = {
            name: beam.linear(along_chord=along_chord) if name in names else beam
            for name, beam in self.bodies.beams.items()
        }
        bodies = replace(self.bodies, beams=beams)
        return replace(self, bodies=bodies, beams=bodies.tables())

    def in_body_axes(self, elements: NDArray[np.bool_]) -> Lowered:
        """The same model, points that coincide along global axes doing so along axes of body i, for a choice of elements.

        elements: (constraints,). What rows of one rigid group say twice then stays the same however the group turns.
        """
        key = elements.tobytes()
        if key not in self._turned:
            self._turned[key] = self._in_body_axes(elements)
        return self._turned[key]

    def _in_body_axes(self, elements: NDArray[np.bool_]) -> Lowered:
        rows = self.constraints.rows.copy()
        chosen = elements[self.constraints.owner] & (rows.kind == RowKind.COINCIDENT) & (rows.body_i > 0)
        for axis, component in enumerate(("ax", "ay", "az")):
            rows[component][chosen] = rows.k[chosen] == axis
        rows.kind[chosen] = RowKind.IN_PLANE
        rows.k[chosen] = 0
        plans = {key: placed.with_rows(rows, self.constraints.terms) for key, placed in self._plans.items()}
        found = replace(self, constraints=replace(self.constraints, rows=rows))
        found._plans.update(plans)  # noqa: SLF001 - our own
        found._like.extend(self._like)  # noqa: SLF001 - our own
        return found

    def arrange(
        self, keep: NDArray[np.bool_] | None = None, weights: Floats | None = None, *, with_hubs: bool = True
    ) -> System:
        """Lay out the rows for which ``keep`` (rows of the model,) is true, default all; weights: (nv,), default `weights`.

        Arrays that were made before are handed out again, always with new scratch.
        with_hubs: see `engine.ordering.lay_out`; False where columns of the Jacobian are going to be left out.
        """
        rows, terms, owner = self.constraints.rows, self.constraints.terms, self.constraints.owner
        keep = np.ones(len(rows), dtype=np.bool_) if keep is None else keep
        key = keep.tobytes(), with_hubs
        if key not in self._plans:
            self._plans[key] = plan(rows, terms, owner, keep, *self.bodies.moving(), with_hubs=with_hubs)
        return self._system(self._plans[key], weights, owner, self.frictions)

    @cached_property
    def measuring(self) -> System:
        """All rows in `sizes`: what Jacobians and reports are made with, and driven motions whose rows are independent.

        Nobody keeps anything in its scratch.
        """
        return self.arrange(weights=self.sizes())

    @cached_property
    def measuring_gauges(self) -> System:
        """The gauges in the same way."""
        return self.gauges(self.sizes())

    def gauges(self, weights: Floats | None = None) -> System:
        """The rows that measure joint coordinates; nothing is ever solved with them. weights: as in `arrange`."""
        return self._system(self._gauge_plan, weights, np.arange(len(self.constraints.gauges)), self.frictions[:0])

    @cached_property
    def _gauge_plan(self) -> RowPlan:
        return plan_gauges(self.constraints.gauges, *self.bodies.moving())

    def moved(self, q: Floats, step: Floats) -> Floats:
        """The configuration (nq,) reached from q along a tangent step (nv,)."""
        found = np.array(q, dtype=np.float64)
        displaced(self.bodies.records, self.beams, found, np.asarray(step, dtype=np.float64), np.ones(len(step)))
        return found

    def _system(self, placed: RowPlan, given: Floats | None, owner: NDArray[np.int64], frictions: Records) -> System:
        """given: (nv,) weights other than masses."""
        key = id(placed), b"" if given is None else given.tobytes()  # plans are kept as long as arrays are
        arrays, scratch = self._arrays.get(key), None
        if arrays is None:
            arrays, scratch = self._new_arrays(placed, given, owner, frictions)
            if not len(frictions):  # which may share scratch with other rows
                self._arrays[key] = arrays
        work = make_work(arrays, placed.factor.storage, scratch or no_friction_work(len(arrays.row)))
        for bundle in (arrays, work):
            bundle.make_table()
        return System(arrays, work, placed.kept)

    @cached_property
    def _tables(self) -> tuple[Loads, Curves, Tapes]:
        """What does not depend on a choice of rows."""
        forces, curves, tapes = self.forces, self.curves, self.tapes
        return (
            Loads(forces.loads, forces.load_value, forces.load_index, self.variables),
            Curves(curves.start, curves.count, curves.knots, curves.coefficients),
            Tapes(tapes.start, tapes.operation, tapes.constant),
        )

    def _new_arrays(
        self, placed: RowPlan, given: Floats | None, owner: NDArray[np.int64], frictions: Records
    ) -> tuple[Arrays, FrictionWork]:
        bodies = self.bodies
        weights = self.weights() if given is None else given
        missing = bodies.missing if given is None else np.zeros(0)
        parts, layout = placed.parts.copy(), placed.factor.layout
        rows = parts[: len(placed.kept)]
        rows.compliance = self._compliance(rows, weights, missing)
        scale = 1.0 / np.sqrt(weights)
        friction, scratch = self._friction(frictions, rows, parts, layout, owner, placed, scale)
        own = {"row": rows, "part": parts, "layout": layout, "friction": friction, "scale": scale, "missing": missing}
        if self._like:
            return self._like[0].changed(**own), scratch
        self._like.append(self._whole(**own))
        return self._like[0], scratch

    def _whole(self, **of_rows: Any) -> Arrays:
        """Arrays with what depends on the choice of rows."""
        bodies = self.bodies
        loads, curves, tapes = self._tables
        return Arrays(
            body=bodies.records,
            frame=self.frames,
            turn=self.turn,
            counted=self.counted,
            motion=self.motions,
            elements=self.forces.elements,
            beams=self.beams,
            clearance=self.clearances,
            loads=loads,
            curves=curves,
            tapes=tapes,
            mass=bodies.mass,
            base_force=bodies.base_force,
            load_force=bodies.load_force,
            gravity=np.array(self.model.settings.gravity, dtype=np.float64),
            body_mass=bodies.body_mass,
            position_size=bodies.position_size,
            velocity_class=bodies.velocity_class,
            length=bodies.length,
            **of_rows,
        )

    def _friction(
        self,
        records: Records,
        rows: Records,
        parts: Records,
        layout: FactorLayout,
        owner: NDArray[np.int64],
        placed: RowPlan,
        scale: Floats,
    ) -> tuple[Frictions, FrictionWork]:
        """Joints with friction over the rows that are kept, next to all of them where some are left out."""
        if not len(records):
            return no_frictions(), no_friction_work(len(rows))
        if len(rows) < len(owner):
            everything = self.arrange(weights=self.sizes())
            return over_chosen_rows(everything.arrays, everything.work)
        return over_all_rows(records, rows, parts, layout, scale, owner[placed.kept])

    def _compliance(self, rows: Records, weights: Floats, missing: Floats) -> Floats:
        """(rows,) what regularises a row: the sum of 1/m of its bodies but light ones, 0 for a rotational one."""
        moving, first = self.bodies.first
        softness = np.zeros(len(self.bodies.records))
        softness[moving] = 1.0 / weights[first]
        if len(missing):
            softness[moving] = np.where(missing[first] > 0.0, 0.0, softness[moving])
        compliance = np.asarray(softness[rows.body_i] + softness[rows.body_j])
        is_none = compliance <= 0.0
        if is_none.any():
            compliance[is_none] = 1.0 / np.max(weights, initial=np.finfo(float).tiny)
        compliance[IS_ROTATIONAL[rows.kind]] = 0.0
        return compliance
