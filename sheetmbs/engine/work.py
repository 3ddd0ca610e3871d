"""Scratch space of one run, as arrays that kernels write; after MuJoCo's data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sheetmbs.compiled import Bundle
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.bodies.beam_body import BEAM_COLUMNS, BEAM_COLUMNS_PER_MODE, TWIST
from sheetmbs.engine.codes import PLACE_COLUMNS, POSE_COLUMNS, Count
from sheetmbs.engine.motion.curves import hold_whole_curves
from sheetmbs.engine.motion.operations import STACK_DEPTH
from sheetmbs.engine.records import Floats, Floats2, Ints, Ints2

TURN_COLUMNS = 14
CONTACT_COLUMNS = 10
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


@dataclass(frozen=True, eq=False)
class Work(Bundle):
    """Scratch of one run."""

    pose: Floats2  # (nb, POSE_COLUMNS or more) see `engine/codes.py`
    beam: Floats2  # (beams, ..) see `engine/bodies/beam_body.py`
    place: Floats2  # (nf, PLACE_COLUMNS) global; see `engine/codes.py`
    turn: Floats2  # (counted turns, TURN_COLUMNS) see `engine/revolution_counts.py`
    phi: Floats  # (nr,) position residual
    nu: Floats  # (nr,) right-hand side of J v = nu
    gamma: Floats  # (nr,) right-hand side of J a = gamma
    gradient: Floats2  # (nr + terms, 12) in twist space: force and moment on frame i, then on j, per unit multiplier
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
    motion: Floats2  # (motions, 3) value, first and second time derivative
    hint: Ints  # last interval used on each curve
    held: Ints2  # (curves of force elements, 2) first knot and number of knots of what counts of each: all of it, but
    # within a step only what lies between two corners; see `analysis/integrators/stepping/curve_breakpoints.py`
    variable: Floats
    element: Floats  # what all force elements are found to be: `ForceElements.record` says where each begins
    contact: Floats2  # (clearances, CONTACT_COLUMNS) see `engine/forces/clearance.py`
    friction: FrictionWork
    stack: Floats2  # (STACK_DEPTH, 3) of the tape
    fault: Ints  # (2,) operations.Fault of the last formula without a value, and its program
    wrench: Floats  # (9,) one load: force, moment, point
    pivot_ratio: Floats  # (1,) smallest pivot over its diagonal entry
    pivot_watch: Floats  # (2,) share of the largest ratio at which a run pauses, 0 for never; the largest so far
    count: Ints  # codes.Count
    feedback: Floats  # (4,) how constraints are kept: see `engine/evaluate.py`
    is_dependent: Floats  # (nv,) 1 for a dependent coordinate, else 0; see `engine/algebra/partition.py`
    part_jacobian: Floats  # as jacobian, zero for independent coordinates
    part_ratio: Floats  # (2,) smallest pivot ratio of J_u, now and when its columns were chosen
    light: Floats2  # (4, nv) see `engine/massless_coordinates.py`; empty where nothing is light
    dense: Floats2  # (nr, nv) in which dependent coordinates are chosen; empty where none are


def make_work(arrays: Arrays, storage: int, friction: FrictionWork) -> Work:
    """Scratch for a run over ``arrays``; storage: number of floats of the factor and the right-hand side behind it."""
    nr, nv, nq = len(arrays.row), len(arrays.scale), len(arrays.position_size)
    unknowns, entries = arrays.layout.unknowns, len(arrays.layout.spots[0])
    modes = arrays.beams.most_modes

    shapes = (
        ("pose", (len(arrays.body), TWIST + 3 * (modes + 1) if modes else POSE_COLUMNS)),
        ("beam", (len(arrays.beams.record), BEAM_COLUMNS + BEAM_COLUMNS_PER_MODE * modes)),
        ("place", (len(arrays.frame), PLACE_COLUMNS)),
        ("turn", (max(len(arrays.counted), 1), TURN_COLUMNS)),
        *((name, (nr,)) for name in ("phi", "nu", "gamma", "multiplier", "residual")),
        ("gradient", (len(arrays.part), 12)),
        *((name, (max(entries, 1),)) for name in ("jacobian", "part_jacobian")),
        ("s", (max(storage, 1),)),
        *((name, (unknowns,)) for name in ("inverse_pivot", "square")),
        ("panel", (arrays.layout.largest_panel,)),
        *((name, (nv,)) for name in ("force", "scaled", "step", "newton", "cauchy", "is_dependent")),
        *((name, (nq,)) for name in ("trial", "guess")),
        *((name, (nq + nv + 1,)) for name in ("state", "rates")),
        *((name, (1,)) for name in ("reached", "pivot_ratio")),
        *((name, (2,)) for name in ("fault", "pivot_watch", "part_ratio")),
        ("motion", (len(arrays.motion), 3)),
        ("hint", (max(len(arrays.curves.start), 1),)),
        ("held", (max(len(arrays.elements.curve), 1), 2)),
        ("variable", (max(len(arrays.loads.variable), 1),)),
        ("element", (max(arrays.elements.size, 1),)),
        ("contact", (max(len(arrays.clearance), 1), CONTACT_COLUMNS)),
        ("stack", (STACK_DEPTH, 3)),
        ("wrench", (9,)),
        ("count", (len(Count),)),
        ("feedback", (4,)),
        ("light", (4 if len(arrays.missing) else 0, nv)),
        ("dense", (0, 0)),
    )
    work = Work.zeros(shapes, friction=friction)
    if len(arrays.clearance):
        work.contact[:] = 1.0  # without memory of earlier contacts
    if len(arrays.elements.curve):
        hold_whole_curves(arrays.elements.curve, arrays.curves, work.held)
    return work


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
