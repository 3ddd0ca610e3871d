"""Bodies and frames in motion: the only place that asks which kind a body is.

s = R s'      p = r + s      v_p = v + omega x s      a_p (at zero v-dot) = omega x (omega x s)
"""

from sheetmbs.engine.bodies.planar import planar_entries, planar_pose, planar_rates, planar_velocity
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.vec import cross, turned
from sheetmbs.jit import inline_kernel

GROUND = int(BodyKind.GROUND)
PLANAR = int(BodyKind.PLANAR)


@inline_kernel
def place_bodies(bodies, frames, pose, place, q):
    """Poses of all bodies and positions of all frames."""
    pose[0, 0] = pose[0, 4] = pose[0, 8] = 1.0
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            planar_pose(pose, b, q, body.q)
    for f in range(frames.shape[0]):
        frame = frames[f]
        b = frame.body
        sx, sy, sz = turned(pose, b, frame.x, frame.y, frame.z)
        place[f, 0] = sx
        place[f, 1] = sy
        place[f, 2] = sz
        place[f, 3] = pose[b, 9] + sx
        place[f, 4] = pose[b, 10] + sy
        place[f, 5] = pose[b, 11] + sz


@inline_kernel
def move_bodies(bodies, frames, pose, place, v):
    """Velocities of all bodies, velocities and quadratic accelerations of all frames; after `place_bodies`."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            planar_velocity(pose, b, v, body.v)
    for f in range(frames.shape[0]):
        b = frames[f].body
        wx = pose[b, 15]
        wy = pose[b, 16]
        wz = pose[b, 17]
        ux, uy, uz = cross(wx, wy, wz, place[f, 0], place[f, 1], place[f, 2])
        place[f, 6] = pose[b, 12] + ux
        place[f, 7] = pose[b, 13] + uy
        place[f, 8] = pose[b, 14] + uz
        place[f, 9], place[f, 10], place[f, 11] = cross(wx, wy, wz, ux, uy, uz)


@inline_kernel
def enter_row(bodies, b, place, frame, gradient, r, side, jacobian, entry, scale):
    """Write the mass-scaled Jacobian entries of a row for one of its bodies. side: 0 for frame i, 6 for frame j."""
    body = bodies[b]
    if body.kind == PLANAR:
        x, y, phi = planar_entries(place, frame, gradient[r, side], gradient[r, side + 1], gradient[r, side + 5])
        jacobian[entry] = x * scale[body.v]
        jacobian[entry + 1] = y * scale[body.v + 1]
        jacobian[entry + 2] = phi * scale[body.v + 2]


@inline_kernel
def add_wrench(bodies, b, place, frame, fx, fy, fz, mx, my, mz, force):  # noqa: ARG001 - a planar body has no use for some
    """Add the generalised force of a wrench at a frame."""
    body = bodies[b]
    if body.kind == PLANAR:
        x, y, phi = planar_entries(place, frame, fx, fy, mz)
        force[body.v] += x
        force[body.v + 1] += y
        force[body.v + 2] += phi


@inline_kernel
def frame_acceleration(bodies, b, place, frame, a):
    """Global acceleration of a frame's point at body accelerations a (nv,): a_o + alpha x s + omega x (omega x s)."""
    x, y, z = place[frame, 9], place[frame, 10], place[frame, 11]
    body = bodies[b]
    if body.kind == PLANAR:
        x += a[body.v] - a[body.v + 2] * place[frame, 1]
        y += a[body.v + 1] + a[body.v + 2] * place[frame, 0]
    return x, y, z


@inline_kernel
def position_rates(bodies, v, rates):
    """q-dot from v for all bodies."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            planar_rates(v, body.v, rates, body.q)


@inline_kernel
def displace(bodies, q, step, scale, factor):
    """Move the positions along a mass-scaled velocity-like step: q += factor M^-1/2 step."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            for k in range(3):
                q[body.q + k] += factor * scale[body.v + k] * step[body.v + k]


@inline_kernel
def row_product(row, bodies, jacobian, vector):
    """One row of J times a mass-scaled vector."""
    total = 0.0
    body = bodies[row.body_i]
    for k in range(body.nv):
        total += jacobian[row.entry_i + k] * vector[body.v + k]
    body = bodies[row.body_j]
    for k in range(body.nv):
        total += jacobian[row.entry_j + k] * vector[body.v + k]
    return total


@inline_kernel
def add_row(row, bodies, jacobian, factor, vector):
    """Add a multiple of one row of J to a mass-scaled vector."""
    body = bodies[row.body_i]
    for k in range(body.nv):
        vector[body.v + k] += factor * jacobian[row.entry_i + k]
    body = bodies[row.body_j]
    for k in range(body.nv):
        vector[body.v + k] += factor * jacobian[row.entry_j + k]
