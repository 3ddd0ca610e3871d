"""Arrays of the joints with friction; what is computed with them stands in `engine/forces/friction.py`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.algebra.factor_layout import FactorLayout
from sheetmbs.engine.records import ROW, Floats, Floats2, Records

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

SLIP_COLUMNS = 10

# Places in `FrictionWork.state`: sweeps with the present share of the friction, and in all; that share; number of the joint
# + 1 that jammed last, 0 none.
SWEEP, SWEEPS, SHARE, JAMMED = range(4)


NO_ROWS = (
    ("phi", (0,)),
    ("gradient", (0, 12)),
    *((name, (0,)) for name in ("jacobian", "s", "inverse_pivot", "panel", "square", "multiplier", "residual", "x")),
)
"""shapes of `FrictionWork` from ``phi`` on where the rows that are solved for are all that there are"""


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
class FrictionWork(Bundle):
    """Scratch of one run; n joints with friction or teeth."""

    slip: Floats2  # (n, SLIP_COLUMNS) per unit of load: force and moment on body j, power; the axis or direction
    load: Floats  # (n,) normal forces that friction goes with, tangential forces of teeth
    found: Floats  # (n,) those that the reactions then have
    before: Floats  # (n,) load of the last sweep
    surplus: Floats  # (n,) found - load in the last sweep
    acting: Floats  # (n,) load whose friction is in `Work.force`
    smooth: Floats  # (rows,) multipliers without friction
    state: Floats  # (4,) see its places above
    phi: Floats  # from here on as in `Work`, for all rows; empty where these are those that are solved for
    gradient: Floats2
    jacobian: Floats
    s: Floats
    inverse_pivot: Floats
    panel: Floats
    square: Floats
    multiplier: Floats
    residual: Floats
    x: Floats  # (nv,)


def make_friction_work(count: int, rows: int, **of_all_rows: Floats) -> FrictionWork:
    """Scratch for ``count`` joints with friction in a model with so many rows. of_all_rows: its fields from ``phi`` on."""
    shapes = (
        ("slip", (count, SLIP_COLUMNS)),
        *((name, (count,)) for name in ("load", "found", "before", "surplus", "acting")),
        ("smooth", (rows,)),
        ("state", (4,)),
    )
    return FrictionWork.zeros(shapes if of_all_rows else (*shapes, *NO_ROWS), **of_all_rows)


@lru_cache(maxsize=64)
def no_friction_work(rows: int) -> FrictionWork:
    """Scratch for no joint with friction, which nobody writes."""
    return make_friction_work(0, rows)
