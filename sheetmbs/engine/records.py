"""Records of which arrays of the model are made, and what arrays are called in annotations."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.compiled import Array

# Arrays by what they hold and, from two on, the number of their dimensions.
Floats = Annotated[NDArray[np.float64], Array("f8", 1)]
Floats2 = Annotated[NDArray[np.float64], Array("f8", 2)]
Floats3 = Annotated[NDArray[np.float64], Array("f8", 3)]
Floats4 = Annotated[NDArray[np.float64], Array("f8", 4)]
Ints = Annotated[NDArray[np.int64], Array("i8", 1)]
Ints2 = Annotated[NDArray[np.int64], Array("i8", 2)]
Indices = Annotated[NDArray[np.uint32], Array("u4", 1)]
Words2 = Annotated[NDArray[np.uint64], Array("u8", 2)]
Bytes = Annotated[NDArray[np.uint8], Array("u1", 1)]
Records = Any  # numpy has no static type for arrays of records: Annotated[Records, FRAME] is one of frames


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

# Angle of body j against body i about an axis, counted past a turn: from the axes a1, a2 of body i to the axis b of body j or,
# where ``sights`` is 1, to the line from frame i to frame j.
TURN = np.dtype(
    [(name, "u4") for name in ("body_i", "body_j", "frame_i", "frame_j", "sights")]
    + [(f"{axis}{k}", "f8") for axis in ("a1", "a2", "b") for k in ("x", "y", "z")]
)

# Motion over time: kind (codes.MotionKind), position, velocity, acceleration from time t0 on; or the tape program or the
# curve ``index`` times ``scale``.
MOTION = np.dtype(
    [("kind", "i8"), ("p", "f8"), ("v", "f8"), ("a", "f8"), ("t0", "f8"), ("index", "i8"), ("scale", "f8")]
)

# Force element: kind (its place in `engine/forces/all_forces.py`), its turn (-1: none), frames and bodies, and where its
# numbers and curves begin in `ForceElements` and its values in `Work.element`; values: how many these are.
FORCE_ELEMENT = np.dtype(
    [("kind", "i8"), ("turn", "i8")]
    + [(name, "u4") for name in ("frame_i", "frame_j", "body_i", "body_j", "number", "curve", "value", "values")]
)

# Component of the force or moment of a force element: where it stands in `Work.element`, whose it is, and whether it turns.
PULL = np.dtype([("value", "u4"), ("element", "u4"), ("turns", "u4"), ("body_i", "u4"), ("body_j", "u4")])

# Curve of a force element: whose it is, which of its curves, whether it is over a rate, and whether over an angle.
CURVE_USE = np.dtype([(name, "i8") for name in ("element", "which", "is_rate", "turns")])

# Direction in which a force element deforms: the element, which of its deformations, whether that is an angle, frames and
# bodies, the largest |k| and |c| it can have, and the curves that replace these (-1: none).
DIRECTION = np.dtype(
    [("element", "i8"), ("component", "i8"), ("turns", "i8")]
    + [(name, "u4") for name in ("frame_i", "frame_j", "body_i", "body_j")]
    + [("stiffness", "f8"), ("damping", "f8"), ("curve_k", "i8"), ("curve_c", "i8")]
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
