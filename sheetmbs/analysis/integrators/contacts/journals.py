"""Journals in their bearings: gaps, and how they move, seen in one state."""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.forces.clearance import seen_from_bearing
from sheetmbs.engine.kinematics import move_bodies, place_bodies
from sheetmbs.engine.records import Floats, Floats2
from sheetmbs.engine.work import Work

# Columns of what is seen of each journal: gap to the wall, negative where it is apart, its rate, place and velocity in the
# bearing.
GAP, RATE, PLACE, MOVE = 0, 1, 2, 5
SEEN_COLUMNS = 8


@kernel
def see(A: Arrays, W: Work, y: Floats, seen: Floats2) -> None:
    """Gaps, their rates, places and velocities of all journals in a state, to ``seen`` (joints, SEEN_COLUMNS)."""
    nq, nv = A.position_size.shape[0], A.scale.shape[0]
    place_bodies(A, W, y[:nq])
    move_bodies(A, W, y[nq : nq + nv])
    for c in range(A.clearance.shape[0]):
        _ax, _ay, _az, rx, ry, rz, _along, ux, uy, uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
        e = math.sqrt(rx * rx + ry * ry + rz * rz)
        seen[c, GAP] = e - A.clearance[c].clearance
        seen[c, RATE] = (rx * ux + ry * uy + rz * uz) / e if e > 0.0 else 0.0
        seen[c, PLACE], seen[c, PLACE + 1], seen[c, PLACE + 2] = rx, ry, rz
        seen[c, MOVE], seen[c, MOVE + 1], seen[c, MOVE + 2] = ux, uy, uz


@inline_kernel
def gap_of(A, W, c):
    """Gap of one journal where the bodies have been placed."""
    _ax, _ay, _az, rx, ry, rz, _along, _ux, _uy, _uz = seen_from_bearing(A.clearance[c], W.pose, W.place)
    return math.sqrt(rx * rx + ry * ry + rz * rz) - A.clearance[c].clearance
