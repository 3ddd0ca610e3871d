"""The constant model and the scratch space of a run, as arrays that kernels read; after MuJoCo's model and data.

`Arrays` is made once per model when lowering and never written again, so threads may share it. `Work` belongs to one run.
Constraint rows stand in elimination order: row r is also row r of the matrix S = J M^-1 J^T and of its factor.
Body 0 is ground. Velocities are mass-scaled in J: column k of J is multiplied by scale[k] = M_kk^-1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.bundle import Bundle
from sheetmbs.engine.beams import Beams
from sheetmbs.engine.codes import Count
from sheetmbs.engine.curves import whole_curves
from sheetmbs.engine.frictions import Frictions, FrictionWork
from sheetmbs.engine.operations import STACK_DEPTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Records = Any  # numpy has no static type for arrays of records

# Indices of bodies, frames and rows, and all tables of the linear algebra, are unsigned 32-bit numbers: half the memory
# traffic, and the compiler sees that no index is negative and leaves out Python's wrapping round, which had doubled the cost
# of small blocks.

# Body: kind (codes.BodyKind), first position and velocity coordinate and their numbers; of a spatial one the components of its
# principal axes in body coordinates: w' = A w, A = [a11 a12 a13; ..]. beam: of a beam and its sections, their beam.
BODY = np.dtype(
    [("kind", "u4"), ("q", "u4"), ("v", "u4"), ("nq", "u4"), ("nv", "u4")]
    + [(f"a{i}{k}", "f8") for i in (1, 2, 3) for k in (1, 2, 3)]
    + [("beam", "i8")]
)

# Frame: a point fixed on a body, in body coordinates.
FRAME = np.dtype([("body", "u4"), ("x", "f8"), ("y", "f8"), ("z", "f8")])

# Constraint row, or a further term of one: kind (codes.RowKind), its frames and their bodies, an axis in body coordinates on
# either side, global axis (or turn) k, motion of its right-hand side and constant offset, where its Jacobian entries for either
# body begin, and the compliance that regularises it (sum of 1/m; 0 for a rotational row, which takes its diagonal entry of S).
# target: the row itself, or the one that a term belongs to; factor: of a term. terms: number of a row's further terms;
# bodies k and l: those that only its terms touch, 0 none. slot_i, slot_j: to which side of the element's reaction its
# gradient counts (0 frame i, 6 frame j, -1 neither).
ROW = np.dtype(
    [
        ("kind", "u4"),
        ("target", "u4"),
        ("factor", "f8"),
        ("terms", "u4"),
        ("body_k", "u4"),
        ("body_l", "u4"),
        ("entry_k", "u4"),
        ("entry_l", "u4"),
        ("slot_i", "i4"),
        ("slot_j", "i4"),
        ("frame_i", "u4"),
        ("frame_j", "u4"),
        ("body_i", "u4"),
        ("body_j", "u4"),
        ("ax", "f8"),
        ("ay", "f8"),
        ("az", "f8"),
        ("bx", "f8"),
        ("by", "f8"),
        ("bz", "f8"),
        ("k", "u4"),
        ("motion", "u4"),
        ("offset", "f8"),
        ("entry_i", "u4"),
        ("entry_j", "u4"),
        ("compliance", "f8"),
    ]
)

# Angle of body j against body i about an axis, counted past a turn: from the axes a1, a2 of body i to the axis b of body j.
TURN = np.dtype(
    [("body_i", "u4"), ("body_j", "u4")] + [(f"{axis}{k}", "f8") for axis in ("a1", "a2", "b") for k in ("x", "y", "z")]
)

# Block of J: entry of its first number (row by row), first row and number of rows, first velocity coordinate and their number.
BLOCK = np.dtype([("entry", "u4"), ("row", "u4"), ("rows", "u4"), ("v", "u4"), ("nv", "u4")])

# One product of two blocks of J that meet on a body: block a (rows_a x nv) times block b transposed, added to S from ``target``
# on in rows of rows_b. kind: PINS, PLANAR, SPATIAL, ANY of `engine/blocks.py`. is_own: a is b, only the lower triangle counts.
PAIR = np.dtype(
    [
        ("kind", "u4"),
        ("entry_a", "u4"),
        ("rows_a", "u4"),
        ("entry_b", "u4"),
        ("rows_b", "u4"),
        ("target", "u4"),
        ("is_own", "u4"),
        ("nv", "u4"),
    ]
)

# Block of J that stands in the matrix itself, next to a hub: its first entry, first row and size; where it stands and how far
# apart its rows and columns are there; where the diagonal block of its joint stands.
HUB = np.dtype(
    [
        ("entry", "u4"),
        ("row", "u4"),
        ("rows", "u4"),
        ("nv", "u4"),
        ("target", "u4"),
        ("row_step", "u4"),
        ("column_step", "u4"),
        ("square", "u4"),
    ]
)

# Block column of the factor: first unknown and width; where its square diagonal block stands, and right behind it its panel
# (height x width); the blocks of the panel in `Layout.below`; where the targets of their products stand in `Layout.target`; the
# place of its first unknown in the right-hand side behind the factor. kind: PINS or ANY of `engine/blocks.py`.
COLUMN = np.dtype(
    [
        ("kind", "u4"),
        ("row", "u4"),
        ("width", "u4"),
        ("square", "u4"),
        ("blocks", "u4"),
        ("height", "u4"),
        ("below", "u4"),
        ("products", "u4"),
        ("place", "u4"),
    ]
)

# Block of a panel: place of its first unknown in the right-hand side, and number of rows.
BELOW = np.dtype([("place", "u4"), ("rows", "u4")])

# Motion over time: kind (codes.MotionKind), position, velocity, acceleration from time t0 on; or the tape program or the
# curve ``index`` times ``scale``.
MOTION = np.dtype(
    [("kind", "i8"), ("p", "f8"), ("v", "f8"), ("a", "f8"), ("t0", "f8"), ("index", "i8"), ("scale", "f8")]
)

# Spring-damper-actuator: kind (codes.SpringKind), frames and bodies, stiffness, damping, actuator force, natural length or
# angle, and the curves that replace k and c (-1: none). turn: of a rotational one in space, -1 between planar bodies.
SPRING = np.dtype(
    [
        ("kind", "i8"),
        ("turn", "i8"),
        ("frame_i", "u4"),
        ("frame_j", "u4"),
        ("body_i", "u4"),
        ("body_j", "u4"),
        ("k", "f8"),
        ("c", "f8"),
        ("force", "f8"),
        ("natural", "f8"),
        ("curve_k", "i8"),
        ("curve_c", "i8"),
    ]
)

# Bushing: frames and bodies, the axes of marker i and of marker j in body coordinates, and the deflection at rest.
BUSHING = np.dtype(
    [("frame_i", "u4"), ("frame_j", "u4"), ("body_i", "u4"), ("body_j", "u4")]
    + [(f"{side}{r}{c}", "f8") for side in ("i", "j") for r in (1, 2, 3) for c in (1, 2, 3)]
)

# Revolute joint with clearance: frames and bodies of bearing i and journal j, bearing radius, clearance, and what
# `engine/forces/clearance.py` needs of the law: K, chi, friction with the sliding speeds from which it begins and is full,
# least v0, C and drag of the film (0: dry), its least thickness over the clearance. x, y, z: axes of marker i on body i.
CLEARANCE = np.dtype(
    [("frame_i", "u4"), ("frame_j", "u4"), ("body_i", "u4"), ("body_j", "u4")]
    + [(name, "f8") for name in ("radius_i", "clearance", "stiffness", "damping", "friction", "slip", "full_slip")]
    + [(name, "f8") for name in ("least_speed", "film", "drag", "thinnest")]
    + [(f"{axis}{k}", "f8") for axis in "xyz" for k in (1, 2, 3)]
)

# Load at a frame: six components, each the number in `Loads.value` or, where `load_index` is not -1, the curve or tape program
# of that index; ``by_curve`` tells which. ``local``: components turn with the body. ``scale``: curve over time, -1 none.
# ``point``: 0 at the frame, 1 at global, 2 at body coordinates given by curves in `Loads.index[6:9]`.
LOAD = np.dtype(
    [
        ("frame", "u4"),
        ("body", "u4"),
        ("local", "i8"),
        ("scale", "i8"),
        ("by_curve", "i8"),
        ("point", "i8"),
    ]
)

# Motion column that a formula reads: frame and which of codes.Quantity.
VARIABLE = np.dtype([("frame", "u4"), ("body", "u4"), ("quantity", "i8")])


@dataclass(frozen=True, eq=False)
class Layout(Bundle):
    """Where the numbers of S and its factor stand; made by `engine/ordering.py`."""

    block: Records  # BLOCK, body by body
    pair: Records  # PAIR
    hub: Records  # HUB
    column: Records  # COLUMN in the order of elimination; unknowns are the rows, then the velocities of the hubs
    below: Records  # BELOW
    target: NDArray[np.uint32]  # where each product of two blocks of a panel begins, by columns of the lower triangle


@dataclass(frozen=True, eq=False)
class Curves(Bundle):
    """All curves as one table of piecewise cubics; see `engine/curves.py`."""

    start: Ints  # per curve: first knot
    count: Ints  # per curve: number of knots
    knot: Floats
    coefficient: Floats  # (knots, 4)


@dataclass(frozen=True, eq=False)
class Tapes(Bundle):
    """All formulas as programs; see `engine/tape.py`."""

    start: Ints  # per program: first operation
    operation: Ints  # (operations, 2)
    constant: Floats


@dataclass(frozen=True, eq=False)
class Loads(Bundle):
    """All loads of Forces and ForceSeries."""

    record: Records  # LOAD
    value: Floats  # (loads, 6)
    index: Ints  # (loads, 9)
    variable: Records  # VARIABLE


@dataclass(frozen=True, eq=False)
class Bushings(Bundle):
    """All bushings; the six directions are those along and about x, y, z of marker i."""

    record: Records  # BUSHING
    stiffness: Floats  # (bushings, 6)
    damping: Floats  # (bushings, 6)
    rest: Floats  # (bushings, 6) deflection in the initial configuration


@dataclass(frozen=True, eq=False)
class Arrays(Bundle):
    """A model as arrays. nq, nv: numbers of coordinates; nr rows; nb bodies with ground."""

    body: Records  # (nb,) BODY
    frame: Records  # (nf,) FRAME
    row: Records  # (nr,) ROW
    part: Records  # (nr + terms,) the rows, then the further terms of some of them
    turn: Records  # TURN: the angles on which rows and springs depend
    counted: Records  # TURN: these, then the angles that are only reported
    layout: Layout
    motion: Records  # MOTION; motion 0 is zero
    spring: Records  # SPRING
    bushings: Bushings
    clearance: Records  # CLEARANCE
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


@dataclass(frozen=True, eq=False)
class Work(Bundle):
    """Scratch of one run."""

    pose: Floats  # (nb, 28 or more) rotation row by row, origin, velocity, angular velocity, counted angle, principal
    # rotation; from 19 on of a beam or section what stands in `engine/bodies/beam.py`
    beam: Floats  # (beams, ..) see `engine/bodies/beam.py`
    place: Floats  # (nf, 12) offset from the body's origin, position, velocity, acceleration at zero v-dot: global
    turn: Floats  # (counted turns, TURN_COLUMNS) see `engine/turns.py`
    phi: Floats  # (nr,) position residual
    nu: Floats  # (nr,) right-hand side of J v = nu
    gamma: Floats  # (nr,) right-hand side of J a = gamma
    gradient: (
        Floats  # (nr + terms, 12) in twist space: force and moment on frame i, then on frame j, per unit multiplier
    )
    jacobian: Floats  # flat, mass-scaled blocks
    s: Floats  # flat factor of S, and behind it a right-hand side (unknowns,)
    inverse_pivot: Floats  # (unknowns,) of the factor: rows, then velocities of hubs
    panel: Floats  # one block column times its pivots
    force: Floats  # (nv,) applied generalised force
    multiplier: Floats  # (nr,)
    residual: Floats  # (nr,)
    scaled: Floats  # (nv,) mass-scaled accelerations
    step: Floats  # (nv,) mass-scaled correction
    newton: Floats  # (nv,) mass-scaled Newton step
    cauchy: Floats  # (nv,) mass-scaled steepest descent
    trial: Floats  # (nq,)
    guess: Floats  # (nq,)
    state: Floats  # (nq + nv + 1,) end of a step
    rates: Floats  # (nq + nv + 1,) derivative at a reporting row
    reached: Floats  # (1,) time of the last sound configuration
    square: Floats  # (unknowns,) diagonal of S before factoring, -1 for hubs
    motion: Floats  # (motions, 3) value, first and second time derivative
    hint: Ints  # last interval used on each curve
    held: Ints  # (springs, 4) first knot and number of knots of what counts of curve_k, then of curve_c: all of it, but
    # within a step only what lies between two corners; see `analysis/integrators/corners.py`
    variable: Floats
    spring: Floats  # (springs, 5) length, rate, spring force, damper force, total
    bushing: Floats  # (bushings, 18) deflection, rate, force and moment on body i: in the axes of marker i
    contact: Floats  # (clearances, CONTACT_COLUMNS) see `engine/forces/clearance.py`
    friction: FrictionWork
    stack: Floats  # (STACK_DEPTH, 3) of the tape
    fault: Ints  # (2,) operations.Fault of the last formula without a value, and its program
    wrench: Floats  # (9,) one load: force, moment, point
    power: Floats  # (1,) of all applied forces but gravity and springs
    pivot_ratio: Floats  # (1,) smallest pivot over its diagonal entry
    pivot_watch: Floats  # (2,) share of the largest ratio at which a run pauses, 0 for never; the largest so far
    count: Ints  # codes.Count
    feedback: Floats  # (4,) how constraints are kept: see `engine/evaluate.py`
    is_dependent: Floats  # (nv,) 1 for a dependent coordinate, else 0; see `engine/partition.py`
    part_jacobian: Floats  # as jacobian, zero for independent coordinates
    part_ratio: Floats  # (2,) smallest pivot ratio of J_u, now and when its columns were chosen
    light: Floats  # (4, nv) see `engine/light.py`; empty where nothing is light
    dense: Floats  # (nr, nv) in which dependent coordinates are chosen; empty where none are


POSE_COLUMNS = 28
PLACE_COLUMNS = 12
TURN_COLUMNS = 14
CONTACT_COLUMNS = 10


def make_work(arrays: Arrays, storage: int, friction: FrictionWork) -> Work:
    """Scratch for a run over ``arrays``; storage: number of floats of the factor and the right-hand side behind it."""
    nr, nv = len(arrays.row), len(arrays.scale)
    blocks, columns = arrays.layout.block, arrays.layout.column
    unknowns = int(np.sum(columns.width, dtype=np.int64))
    panel = int(np.max((columns.height + columns.width) * columns.width, initial=1))
    entries = int(np.sum(blocks.rows * blocks.nv, dtype=np.int64))
    modes = int(np.max(arrays.beams.record.modes, initial=0))

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape)

    return Work(
        pose=zeros(len(arrays.body), POSE_COLUMNS + (3 * (modes + 1) if modes else 0)),
        beam=zeros(len(arrays.beams.record), 4 * modes + 4),
        place=zeros(len(arrays.frame), PLACE_COLUMNS),
        turn=zeros(max(len(arrays.counted), 1), TURN_COLUMNS),
        phi=zeros(nr),
        nu=zeros(nr),
        gamma=zeros(nr),
        gradient=zeros(len(arrays.part), 12),
        jacobian=zeros(max(entries, 1)),
        s=zeros(max(storage, 1)),
        inverse_pivot=zeros(unknowns),
        panel=zeros(panel),
        force=zeros(nv),
        multiplier=zeros(nr),
        residual=zeros(nr),
        scaled=zeros(nv),
        step=zeros(nv),
        newton=zeros(nv),
        cauchy=zeros(nv),
        trial=zeros(len(arrays.position_size)),
        guess=zeros(len(arrays.position_size)),
        state=zeros(len(arrays.position_size) + nv + 1),
        rates=zeros(len(arrays.position_size) + nv + 1),
        reached=zeros(1),
        square=zeros(unknowns),
        motion=zeros(len(arrays.motion), 3),
        hint=np.zeros(max(len(arrays.curves.start), 1), dtype=np.int64),
        held=whole_curves(arrays.spring, arrays.curves),
        variable=zeros(max(len(arrays.loads.variable), 1)),
        spring=zeros(max(len(arrays.spring), 1), 5),
        bushing=zeros(max(len(arrays.bushings.record), 1), 18),
        contact=np.ones((max(len(arrays.clearance), 1), CONTACT_COLUMNS)),  # without memory until told otherwise
        friction=friction,
        stack=zeros(STACK_DEPTH, 3),
        fault=np.zeros(2, dtype=np.int64),
        wrench=zeros(9),
        power=zeros(1),
        pivot_ratio=zeros(1),
        pivot_watch=zeros(2),
        count=np.zeros(len(Count), dtype=np.int64),
        feedback=zeros(4),
        is_dependent=zeros(nv),
        part_jacobian=zeros(max(entries, 1)),
        part_ratio=zeros(2),
        light=zeros(4 if len(arrays.missing) else 0, nv),
        dense=zeros(0, 0),
    )
