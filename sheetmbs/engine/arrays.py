"""The constant model as arrays that kernels read; after MuJoCo's model.

`Arrays` is made once per model when lowering and never written again, so threads may share it; what a run writes is its
`Work`, see `engine/work.py`. Constraint rows stand in elimination order: row r is also row r of the matrix S = J M^-1 J^T and
of its factor. Body 0 is ground. Velocities are mass-scaled in J: column k of J is multiplied by scale[k] = M_kk^-1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.algebra.factor_layout import FactorLayout
from sheetmbs.engine.beam_arrays import Beams
from sheetmbs.engine.friction_arrays import Frictions
from sheetmbs.engine.motion.motion_tables import Curves, Tapes
from sheetmbs.engine.records import (
    BODY,
    CLEARANCE,
    CURVE_USE,
    DIRECTION,
    FORCE_ELEMENT,
    FRAME,
    LOAD,
    MOTION,
    PULL,
    ROW,
    TURN,
    VARIABLE,
    Floats,
    Floats2,
    Ints,
    Ints2,
    Records,
)


@dataclass(frozen=True, eq=False)
class Loads(Bundle):
    """All loads of Forces and ForceSeries."""

    record: Annotated[Records, LOAD]
    value: Floats2  # (loads, 6)
    index: Ints2  # (loads, 9)
    variable: Annotated[Records, VARIABLE]


@dataclass(frozen=True, eq=False)
class ForceElements(Bundle):
    """All force elements between two bodies, in the order of the workbook; see `engine/forces/all_forces.py`."""

    record: Annotated[Records, FORCE_ELEMENT]
    number: Floats  # the numbers of all
    curve: Ints  # the curves of all, -1 where a number counts
    use: Annotated[Records, CURVE_USE]  # what each of them is for
    pull: Annotated[Records, PULL]
    direction: Annotated[Records, DIRECTION]

    @cached_property
    def size(self) -> int:
        """Number of values of all of them."""
        return int(np.sum(self.record.values, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Arrays(Bundle):
    """A model as arrays. nq, nv: numbers of coordinates; nr rows; nb bodies with ground."""

    body: Annotated[Records, BODY]  # (nb,)
    frame: Annotated[Records, FRAME]  # (nf,)
    row: Annotated[Records, ROW]  # (nr,)
    part: Annotated[Records, ROW]  # (nr + terms,) the rows, then the further terms of some of them
    turn: Annotated[Records, TURN]  # the angles on which rows and force elements depend
    counted: Annotated[Records, TURN]  # these, then the angles that are only reported
    layout: FactorLayout
    motion: Annotated[Records, MOTION]  # motion 0 is zero
    elements: ForceElements
    clearance: Annotated[Records, CLEARANCE]
    loads: Loads
    beams: Beams
    friction: Frictions
    curves: Curves
    tapes: Tapes
    mass: Floats  # (nv,) diagonal of M as given: zero stays zero, nan is not known
    scale: Floats  # (nv,) M^-1/2 with a small mass in place of less, or the weights of a purely geometric problem
    missing: Floats  # (nv,) share of the mass in scale that a light coordinate does not have; empty where none is light
    base_force: Floats  # (nv,) gravity and constant loads
    load_force: Floats  # (nv,) constant loads alone
    gravity: Floats  # (3,)
    body_mass: Floats  # (nb,) as given: zero stays zero
    position_size: Floats  # (nq,) characteristic length or 1: what a relative error of a coordinate refers to
    velocity_class: Ints  # (nv,) 0 translational, 1 rotational
    length: float  # characteristic length of the model, m
