"""All constraint rows: the if-chains over their kinds, and what is common to them.

Phi = geometry - (offset + f(t)),   nu = f-dot,   gamma = geometry + f-double-dot - g . (quadratic accelerations of the frames)

A row may be a sum of terms, each a row kind of its own with a factor: those beyond the first stand behind the rows in `part`.
"""

from typing import Annotated

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.arrays import Beams
from sheetmbs.engine.bodies.beam_body import bend_rows
from sheetmbs.engine.codes import XDD, RowKind
from sheetmbs.engine.kinematics import BEAM, displace, enter_axis_row, enter_row, move_bodies, place_bodies
from sheetmbs.engine.records import BODY, Floats, Records
from sheetmbs.engine.revolution_counts import GAMMA, move_turns, place_turns, wrapped
from sheetmbs.engine.rows.coincident_row import coincident
from sheetmbs.engine.rows.counted_angle_rows import angle, azimuth, counted_turn
from sheetmbs.engine.rows.distance_row import distance, distance_gamma
from sheetmbs.engine.rows.in_plane_row import in_plane, in_plane_gamma
from sheetmbs.engine.rows.orientation_row import orientation
from sheetmbs.engine.rows.perpendicular_row import perpendicular, perpendicular_gamma
from sheetmbs.engine.rows.twist_row import twist, twist_gamma
from sheetmbs.engine.rows.wheel_row import wheel_on_road, wheel_on_road_gamma

COINCIDENT = int(RowKind.COINCIDENT)
PERPENDICULAR = int(RowKind.PERPENDICULAR)
IN_PLANE = int(RowKind.IN_PLANE)
DISTANCE = int(RowKind.DISTANCE)
ANGLE = int(RowKind.ANGLE)
TURN = int(RowKind.TURN)
WHEEL = int(RowKind.WHEEL)
ORIENTATION = int(RowKind.ORIENTATION)
TWIST = int(RowKind.TWIST)
AZIMUTH = int(RowKind.AZIMUTH)


@kernel
def place_rows(A, W, parts, scale, motion, X) -> None:
    """Residuals, gradients and mass-scaled Jacobian entries of rows and their terms at the positions in W.

    scale: (nv,) weights of the Jacobian. motion: (motions, 3). X: what receives phi, gradient and jacobian.
    """
    bodies, pose, place, turn = A.body, W.pose, W.place, W.turn
    phi, gradient, jacobian = X.phi, X.gradient, X.jacobian
    rows = phi.shape[0]
    if parts.shape[0] > rows:
        for k in range(jacobian.shape[0]):
            jacobian[k] = 0.0
    for p in range(parts.shape[0]):
        row = parts[p]
        kind = row.kind
        residual = 0.0
        if kind == COINCIDENT:
            residual = coincident(row, place, gradient, p)
        elif kind == PERPENDICULAR:
            residual = perpendicular(row, pose, gradient, p)
        elif kind == IN_PLANE:
            residual = in_plane(row, pose, place, gradient, p)
        elif kind == DISTANCE:
            residual = distance(row, place, gradient, p)
        elif kind == ANGLE:
            residual = angle(row, pose, gradient, p)
        elif kind == TURN:
            residual = counted_turn(row, turn, gradient, p)
        elif kind == WHEEL:
            residual = wheel_on_road(row, pose, place, gradient, p)
        elif kind == ORIENTATION:
            residual = orientation(row, pose, motion, gradient, p)
        elif kind == TWIST:
            residual = twist(row, pose, gradient, p)
        elif kind == AZIMUTH:
            residual = azimuth(row, place, turn, gradient, p)
        if p < rows:
            residual -= row.offset + motion[row.motion, 0]
            if kind == TURN and row.terms == 0:  # whole turns do not tell positions apart
                residual = wrapped(residual)
            phi[p] = residual
        else:
            phi[row.target] += row.factor * (residual - row.offset)
            for k in range(12):
                gradient[p, k] *= row.factor
        i, j, is_term = row.body_i, row.body_j, p >= rows
        on_i, on_j = (i, row.frame_i, row.entry_i), (j, row.frame_j, row.entry_j)
        if kind == COINCIDENT and not is_term and bodies[i].kind < BEAM and bodies[j].kind < BEAM:
            enter_axis_row(A, W, on_i, row.k, -1.0, jacobian, scale)
            enter_axis_row(A, W, on_j, row.k, 1.0, jacobian, scale)
        else:
            enter_row(A, W, on_i, gradient[p, :6], jacobian, scale, is_term)
            enter_row(A, W, on_j, gradient[p, 6:], jacobian, scale, is_term)


@inline_kernel
def move_rows(parts, pose, place, turn, motion, gradient, gamma):
    """Right-hand sides of the acceleration equations at the velocities in pose and place; after `place_rows`."""
    rows = gamma.shape[0]
    for p in range(parts.shape[0]):
        row = parts[p]
        kind = row.kind
        curvature = 0.0
        if kind == PERPENDICULAR:
            curvature = perpendicular_gamma(row, pose)
        elif kind == IN_PLANE:
            curvature = in_plane_gamma(row, pose, place)
        elif kind == DISTANCE:
            curvature = distance_gamma(row, place)
        elif kind in (TURN, AZIMUTH):
            curvature = turn[row.k, GAMMA]
        elif kind == TWIST:
            curvature = twist_gamma(row, pose)
        elif kind == WHEEL:
            curvature = wheel_on_road_gamma(row, pose, place)
        if p >= rows:
            curvature *= row.factor
        i = row.frame_i
        j = row.frame_j
        if kind == COINCIDENT and p < rows:
            curvature = place[i, XDD + row.k] - place[j, XDD + row.k]
        elif kind != PERPENDICULAR:
            for k in range(3):
                curvature -= gradient[p, k] * place[i, XDD + k] + gradient[p, 6 + k] * place[j, XDD + k]
        if p < rows:
            gamma[p] = curvature + motion[row.motion, 2]
        else:
            gamma[row.target] += curvature


@inline_kernel
def set_rates(rows, motion, nu):
    """Right-hand sides of the velocity equations."""
    for r in range(rows.shape[0]):
        nu[r] = motion[rows[r].motion, 1]


@kernel
def place_all(A, W, turns, q) -> None:
    """Poses, frames, turns, residuals and Jacobian at positions q, for the motions as evaluated and turns as predicted last."""
    place_bodies(A, W, q)
    place_turns(turns, W.pose, W.place, W.turn)
    place_rows(A, W, A.part, A.scale, W.motion, W)


@kernel
def move_all(A, W, turns, v) -> None:
    """Velocities of bodies, frames and turns, and the right-hand sides gamma; after `place_all`."""
    move_bodies(A, W, v)
    move_turns(turns, W.pose, W.place, W.turn)
    move_rows(A.part, W.pose, W.place, W.turn, W.motion, W.gradient, W.gamma)
    if A.beams.record.shape[0] > 0:
        bend_rows(A.part, W.pose, W.gradient, W.gamma)


@kernel
def displaced(bodies: Annotated[Records, BODY], beams: Beams, q: Floats, step: Floats, weights: Floats) -> None:
    """Move q (nq,) in place along weights * step (nv,): for use outside of kernels."""
    displace(bodies, beams, q, step, weights, 1.0)
