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
from sheetmbs.engine.motion.bytecode import Tapes
from sheetmbs.engine.motion.curves import Curves
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

# Beam: number of its body, first position and velocity coordinate, number of modal coordinates, where its vectors and matrices
# begin in `Beams`, mass, and moment of inertia about the centre of mass while it is undeformed.
BEAM = np.dtype(
    [(name, "i8") for name in ("body", "q", "v", "modes", "at", "square")]
    + [(name, "f8") for name in ("mass", "inertia")]
)

# Section of a beam: its number among the bodies, its beam, its place along the undeformed beam from the middle, and where its
# shapes begin in `Beams.shape` and its matrix in `Beams.shortening`. The first sections are the floating frames of all beams.
SECTION = np.dtype([("body", "i8"), ("beam", "i8"), ("x", "f8"), ("at", "i8"), ("square", "i8")])

# Friction of a joint: its number among the constraints, frames and bodies, its rows first .. first + count, its axis in the
# axes of body i; what rubs: slides (along the axis), turns (0 not, 1 about the axis, 2 about the point). radial: only what
# of the reaction is perpendicular to the axis presses. coefficient, radius of the sliding surface, velocity of the ramp, and
# 1/half the length of a guide (0: it takes no moment).
# Behind all joints with friction stand the meshes of teeth, whose separating force depends on a reaction too: meshes (0 none,
# else along what it acts, see `engine/forces/tooth_force.py`), axis of body i or, of a rack, direction on body j, coefficient
# its part of the tangential force, and inverse_arm that force over the multiplier of the only row.
FRICTION = np.dtype(
    [(name, "u4") for name in ("owner", "frame_i", "frame_j", "body_i", "body_j", "first", "count")]
    + [(name, "i8") for name in ("slides", "turns", "radial", "meshes")]
    + [(name, "f8") for name in ("ax", "ay", "az", "coefficient", "radius", "velocity", "inverse_arm")]
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
class Beams(Bundle):
    """All flexible beams, one after the other. n: number of modal coordinates of a beam."""

    record: Annotated[Records, BEAM]
    section: Annotated[Records, SECTION]
    shape: Floats  # per section (3, n): displacement along and across the beam against the centre of mass, rotation
    shortening: Floats  # per section (n, n), symmetric: G, the section moves by -p G p/2 along the beam as it bends
    lag: Floats  # per beam (n,): by what angle its frame lags behind its mean axes
    lean: Floats  # per beam (n,): half of what a modal coordinate adds to the moment of inertia
    coupling: Floats  # per beam (n, n): what a modal coordinate adds to the angular momentum per modal velocity, antisymmetric
    softening: Floats  # per beam (n, n), symmetric: what shortening takes from the moment of inertia
    stiffness: Floats  # per beam (n,)
    damping: Floats  # per beam (n,)

    @cached_property
    def most_modes(self) -> int:
        """Number of modal coordinates of the beam that has most, 0 without any."""
        return int(np.max(self.record.modes, initial=0))


@dataclass(frozen=True, eq=False)
class Frictions(Bundle):
    """All joints with friction and meshes of teeth.

    Where some rows of the model are left out, ``row``, ``part`` and ``layout`` are all of them.
    """

    record: Annotated[Records, FRICTION]
    row: Annotated[Records, ROW]
    part: Annotated[Records, ROW]
    layout: FactorLayout
    scale: Floats  # (nv,) weights with which their reactions are found: see `engine/motion_report.py`
    missing: Floats  # as in `Arrays`
    has_all_rows: bool  # the rows that are solved for are all that there are: the others are not needed


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
