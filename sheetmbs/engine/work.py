"""Scratch space of one run, as arrays that kernels write; after MuJoCo's data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.compiled import Bundle
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.codes import Count
from sheetmbs.engine.friction_arrays import FrictionWork
from sheetmbs.engine.motion.curves import whole_curves
from sheetmbs.engine.motion.operations import STACK_DEPTH
from sheetmbs.engine.pose_columns import PLACE_COLUMNS, POSE_COLUMNS
from sheetmbs.engine.records import Floats, Floats2, Ints, Ints2


@dataclass(frozen=True, eq=False)
class Work(Bundle):
    """Scratch of one run."""

    pose: Floats2  # (nb, POSE_COLUMNS or more) see `engine/pose_columns.py`
    beam: Floats2  # (beams, ..) see `engine/bodies/beam_body.py`
    place: Floats2  # (nf, PLACE_COLUMNS) global; see `engine/pose_columns.py`
    turn: Floats2  # (counted turns, TURN_COLUMNS) see `engine/turns.py`
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
    # within a step only what lies between two corners; see `analysis/integrators/stepping/corners.py`
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
    light: Floats2  # (4, nv) see `engine/light.py`; empty where nothing is light
    dense: Floats2  # (nr, nv) in which dependent coordinates are chosen; empty where none are


TURN_COLUMNS = 14
CONTACT_COLUMNS = 10


def make_work(arrays: Arrays, storage: int, friction: FrictionWork) -> Work:
    """Scratch for a run over ``arrays``; storage: number of floats of the factor and the right-hand side behind it."""
    nr, nv = len(arrays.row), len(arrays.scale)
    unknowns, entries = arrays.layout.unknowns, len(arrays.layout.spots[0])
    modes = arrays.beams.most_modes

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
        panel=zeros(arrays.layout.largest_panel),
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
        held=whole_curves(arrays.elements.curve, arrays.curves),
        variable=zeros(max(len(arrays.loads.variable), 1)),
        element=zeros(max(arrays.elements.size, 1)),
        contact=np.ones((max(len(arrays.clearance), 1), CONTACT_COLUMNS)),  # without memory until told otherwise
        friction=friction,
        stack=zeros(STACK_DEPTH, 3),
        fault=np.zeros(2, dtype=np.int64),
        wrench=zeros(9),
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
