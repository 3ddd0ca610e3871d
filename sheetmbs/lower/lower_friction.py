"""Joints with friction, and teeth that push each other apart, as arrays, for all rows of a model or for those that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.joint_friction import CREEP_OF_HINGES, CREEP_OF_SLIDES
from sheetmbs.elements.joint_friction import FRICTION as TYPES
from sheetmbs.elements.marker import Marker
from sheetmbs.engine.algebra.factor_layout import FactorLayout
from sheetmbs.engine.algebra.ordering import lay_out_jacobian
from sheetmbs.engine.arrays import FRICTION, Arrays, Frictions
from sheetmbs.engine.forces.tooth_force import LINE_OF_CENTRES, ON_RACK
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import ROW, Records
from sheetmbs.engine.work import FrictionWork, Work, make_friction_work
from sheetmbs.lower.lower_bodies import Frames
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.lower.lower_meshes import ToothForce
from sheetmbs.model.model import Joint, Model


def lower_frictions(model: Model, constraints: Sequence[Constraint], frames: Frames) -> Records:
    """One record per joint with friction, then one per mesh of teeth; which rows it has depends on the choice of rows."""
    found = [_record(number, joint, frames) for number, joint in enumerate(model.joints) if joint.friction is not None]
    found += [
        _mesh(number, each.teeth, frames) for number, each in enumerate(constraints) if each.teeth and each.teeth.share
    ]
    records = np.zeros(len(found), dtype=FRICTION)
    for number, record in enumerate(found):
        for name, value in record.items():
            records[number][name] = value
    return as_records(records)


def _record(number: int, joint: Joint, frames: Frames) -> dict[str, float]:
    friction, kind = joint.friction, TYPES[joint.type]
    if friction is None:
        raise ValueError(f"{joint.name} has no friction")
    radius = friction.radius or 0.0
    creep = CREEP_OF_SLIDES if kind.slides else CREEP_OF_HINGES * radius
    return _ends(number, joint.i, joint.j, joint.i.axes[:, 2], frames) | {
        "slides": int(kind.slides),
        "turns": kind.turns,
        "radial": int(kind.radial),
        "coefficient": friction.coefficient,
        "radius": radius if kind.turns else 0.0,
        "velocity": friction.velocity or creep,
        "inverse_arm": 1.0 / radius if radius > 0.0 and not kind.turns else 0.0,
    }


def _mesh(number: int, teeth: ToothForce, frames: Frames) -> dict[str, float]:
    """The force that separates teeth."""
    axis = teeth.j.axes[:, 0] if teeth.on_rack else teeth.i.axes[:, 2]
    return _ends(number, teeth.i, teeth.j, axis, frames) | {
        "meshes": ON_RACK if teeth.on_rack else LINE_OF_CENTRES,
        "coefficient": teeth.share,
        "inverse_arm": teeth.per_multiplier,
    }


def _ends(owner: int, i: Marker, j: Marker, axis: NDArray[np.float64], frames: Frames) -> dict[str, float]:
    """Owner, frames, bodies and axis of a record."""
    ax, ay, az = axis.tolist()
    frame_i, frame_j, body_i, body_j = frames.of(i), frames.of(j), frames.body_of(i), frames.body_of(j)
    places = {"frame_i": frame_i, "frame_j": frame_j, "body_i": body_i, "body_j": body_j}
    return {"owner": owner, **places, "ax": ax, "ay": ay, "az": az}


@cache
def no_frictions() -> Frictions:
    """No joint with friction, for which no row counts."""
    none = as_records(np.zeros(0, dtype=ROW))
    layout, nothing = lay_out_jacobian([], []).layout, np.zeros(0)
    return Frictions(as_records(np.zeros(0, dtype=FRICTION)), none, none, layout, nothing, nothing, has_all_rows=True)


def over_all_rows(
    records: Records,
    row: Records,
    part: Records,
    layout: FactorLayout,
    scale: NDArray[np.float64],
    owner: NDArray[np.int64],
) -> tuple[Frictions, FrictionWork]:
    """Friction where all rows are solved for, which stand in their order of elimination. owner: (rows,) constraint of each."""
    records = records.copy()
    for record in records:
        own = np.flatnonzero(owner == record.owner)
        record["first"], record["count"] = own[0], len(own)
    found = Frictions(records, row, part, layout, scale, np.zeros(0), has_all_rows=True)
    return found, make_friction_work(len(records), len(row))


def over_chosen_rows(arrays: Arrays, work: Work) -> tuple[Frictions, FrictionWork]:
    """Friction over a choice of rows, next to which all rows are needed for reactions that are unique."""
    records = arrays.friction.record
    found = Frictions(records, arrays.row, arrays.part, arrays.layout, arrays.scale, arrays.missing, has_all_rows=False)
    return found, make_friction_work(
        len(records),
        len(arrays.row),
        phi=work.phi,
        gradient=work.gradient,
        jacobian=work.jacobian,
        s=work.s,
        inverse_pivot=work.inverse_pivot,
        panel=work.panel,
        square=work.square,
        multiplier=work.multiplier,
        residual=work.residual,
        x=work.step,
    )
