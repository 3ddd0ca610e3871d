"""All constraint rows: the if-chains over their kinds, and what is common to them.

Phi = geometry - (offset + f(t)),   nu = f-dot,   gamma = geometry + f-double-dot - g . (quadratic accelerations of the frames)
"""

from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.kinematics import enter_row, move_bodies, place_bodies
from sheetmbs.engine.rows.angle import angle
from sheetmbs.engine.rows.coincident import coincident
from sheetmbs.engine.rows.distance import distance, distance_gamma
from sheetmbs.engine.rows.in_plane import in_plane, in_plane_gamma
from sheetmbs.engine.rows.perpendicular import perpendicular, perpendicular_gamma
from sheetmbs.jit import inline_kernel, kernel

COINCIDENT = int(RowKind.COINCIDENT)
PERPENDICULAR = int(RowKind.PERPENDICULAR)
IN_PLANE = int(RowKind.IN_PLANE)
DISTANCE = int(RowKind.DISTANCE)
ANGLE = int(RowKind.ANGLE)


@inline_kernel
def place_rows(rows, bodies, pose, place, motion, phi, gradient, jacobian, scale):
    """Residuals, gradients and mass-scaled Jacobian entries at the positions in pose and place."""
    for r in range(rows.shape[0]):
        row = rows[r]
        kind = row.kind
        residual = 0.0
        if kind == COINCIDENT:
            residual = coincident(row, place, gradient, r)
        elif kind == PERPENDICULAR:
            residual = perpendicular(row, pose, gradient, r)
        elif kind == IN_PLANE:
            residual = in_plane(row, pose, place, gradient, r)
        elif kind == DISTANCE:
            residual = distance(row, place, gradient, r)
        elif kind == ANGLE:
            residual = angle(row, pose, gradient, r)
        phi[r] = residual - row.offset - motion[row.motion, 0]
        enter_row(bodies, row.body_i, place, row.frame_i, gradient, r, 0, jacobian, row.entry_i, scale)
        enter_row(bodies, row.body_j, place, row.frame_j, gradient, r, 6, jacobian, row.entry_j, scale)


@inline_kernel
def move_rows(rows, pose, place, motion, gradient, gamma):
    """Right-hand sides of the acceleration equations at the velocities in pose and place; after `place_rows`."""
    for r in range(rows.shape[0]):
        row = rows[r]
        kind = row.kind
        curvature = 0.0
        if kind == PERPENDICULAR:
            curvature = perpendicular_gamma(row, pose)
        elif kind == IN_PLANE:
            curvature = in_plane_gamma(row, pose, place)
        elif kind == DISTANCE:
            curvature = distance_gamma(row, place)
        i = row.frame_i
        j = row.frame_j
        for k in range(3):
            curvature -= gradient[r, k] * place[i, 9 + k] + gradient[r, 6 + k] * place[j, 9 + k]
        gamma[r] = curvature + motion[row.motion, 2]


@inline_kernel
def set_rates(rows, motion, nu):
    """Right-hand sides of the velocity equations."""
    for r in range(rows.shape[0]):
        nu[r] = motion[rows[r].motion, 1]


@kernel
def place_all(rows, bodies, frames, pose, place, motion, phi, gradient, jacobian, scale, q):
    """Poses, frames, residuals and Jacobian at positions q, for the motions as evaluated last."""
    place_bodies(bodies, frames, pose, place, q)
    place_rows(rows, bodies, pose, place, motion, phi, gradient, jacobian, scale)


@kernel
def move_all(rows, bodies, frames, pose, place, motion, gradient, gamma, v):
    """Velocities of bodies and frames, and the right-hand sides gamma; after `place_all`."""
    move_bodies(bodies, frames, pose, place, v)
    move_rows(rows, pose, place, motion, gradient, gamma)
