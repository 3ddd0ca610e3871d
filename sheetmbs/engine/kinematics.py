"""Bodies and frames in motion: the only place that asks which kind a body is.

s = R s'      p = r + s      v_p = v + omega x s      a_p (at zero v-dot) = omega x (omega x s)
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.bodies.beam_body import (
    CENTRE_X,
    CENTRE_Y,
    SPIN,
    TWIST,
    accelerate_frames,
    beam_displace,
    beam_rates,
    beam_velocities,
    load_section,
    move_beams,
    place_beams,
)
from sheetmbs.engine.bodies.planar_body import planar_entries, planar_pose, planar_rates, planar_velocity
from sheetmbs.engine.bodies.spatial_body import (
    axis_moment,
    gyroscopic_moment,
    normalise,
    spatial_displace,
    spatial_moment,
    spatial_pose,
    spatial_rates,
    spatial_velocities,
    spatial_velocity,
    spun,
)
from sheetmbs.engine.codes import (
    OX,
    OY,
    OZ,
    R11,
    R22,
    R33,
    SX,
    SY,
    SZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    XD,
    XDD,
    YD,
    YDD,
    ZD,
    ZDD,
    BodyKind,
    X,
    Y,
    Z,
)
from sheetmbs.engine.vec import cross, turned

GROUND = int(BodyKind.GROUND)
PLANAR = int(BodyKind.PLANAR)
SPATIAL = int(BodyKind.SPATIAL)
BEAM = int(BodyKind.BEAM)  # from it on, kinds whose twist is a linear function of velocities kept with the pose


@inline_kernel
def normalise_positions(bodies, q):
    """Put Euler parameters to unit length."""
    for b in range(1, bodies.shape[0]):
        if bodies[b].kind == SPATIAL:
            normalise(q, bodies[b].q)


@inline_kernel
def place_bodies(A, W, q):
    """Poses of all bodies and positions of all frames."""
    pose, place = W.pose, W.place
    pose[0, R11] = pose[0, R22] = pose[0, R33] = 1.0
    for b in range(1, A.body.shape[0]):
        body = A.body[b]
        if body.kind == PLANAR:
            planar_pose(pose, b, q, body.q)
        elif body.kind == SPATIAL:
            spatial_pose(body, pose, b, q)
    if A.beams.record.shape[0] > 0:
        place_beams(A.beams, pose, W.beam, q)
    for f in range(A.frame.shape[0]):
        frame = A.frame[f]
        b = frame.body
        sx, sy, sz = turned(pose, b, frame.x, frame.y, frame.z)
        place[f, SX] = sx
        place[f, SY] = sy
        place[f, SZ] = sz
        place[f, X] = pose[b, OX] + sx
        place[f, Y] = pose[b, OY] + sy
        place[f, Z] = pose[b, OZ] + sz


@inline_kernel
def move_bodies(A, W, v):
    """Velocities of all bodies, velocities and quadratic accelerations of all frames; after `place_bodies`."""
    pose, place = W.pose, W.place
    for b in range(1, A.body.shape[0]):
        body = A.body[b]
        if body.kind == PLANAR:
            planar_velocity(pose, b, v, body.v)
        elif body.kind == SPATIAL:
            spatial_velocity(pose, b, v, body.v)
    if A.beams.record.shape[0] > 0:
        move_beams(A.beams, pose, W.beam, v)
    for f in range(A.frame.shape[0]):
        b = A.frame[f].body
        wx = pose[b, WX]
        wy = pose[b, WY]
        wz = pose[b, WZ]
        ux, uy, uz = cross(wx, wy, wz, place[f, SX], place[f, SY], place[f, SZ])
        place[f, XD] = pose[b, VX] + ux
        place[f, YD] = pose[b, VY] + uy
        place[f, ZD] = pose[b, VZ] + uz
        place[f, XDD], place[f, YDD], place[f, ZDD] = cross(wx, wy, wz, ux, uy, uz)
    if A.beams.record.shape[0] > 0:
        accelerate_frames(A.frame, pose, place)


@inline_kernel
def put(array, at, value, added):
    """Set an entry, or add to it."""
    array[at] = value + (array[at] if added else 0.0)


@inline_kernel
def enter_row(A, W, at_body, gradient, jacobian, scale, added):
    """Write the mass-scaled Jacobian entries of a row for one of its bodies, or add those of a further term.

    at_body: number of the body and of the frame at which the row takes hold of it, and where its entries begin in
    ``jacobian``. gradient: (6,) force and moment at that frame.
    """
    pose, place = W.pose, W.place
    b, frame, entry = at_body
    body = A.body[b]
    v = body.v
    if body.kind == PLANAR:
        x, y, phi = planar_entries(place, frame, gradient[0], gradient[1], gradient[5])
        put(jacobian, entry, x * scale[v], added)
        put(jacobian, entry + 1, y * scale[v + 1], added)
        put(jacobian, entry + 2, phi * scale[v + 2], added)
    elif body.kind == SPATIAL:
        fx, fy, fz = gradient[0], gradient[1], gradient[2]
        moment = gradient[3], gradient[4], gradient[5]
        ax, ay, az = spatial_moment(pose, b, place, frame, (fx, fy, fz), moment)
        put(jacobian, entry, fx * scale[v], added)
        put(jacobian, entry + 1, fy * scale[v + 1], added)
        put(jacobian, entry + 2, fz * scale[v + 2], added)
        put(jacobian, entry + 3, ax * scale[v + 3], added)
        put(jacobian, entry + 4, ay * scale[v + 4], added)
        put(jacobian, entry + 5, az * scale[v + 5], added)
    elif body.kind >= BEAM:
        x, y, phi = planar_entries(place, frame, gradient[0], gradient[1], gradient[5])
        put(jacobian, entry, x * scale[v], added)
        put(jacobian, entry + 1, y * scale[v + 1], added)
        for k in range(2, body.nv):
            at = TWIST + 3 * (k - 2)
            twisted = x * pose[b, at] + y * pose[b, at + 1] + phi * pose[b, at + 2]
            put(jacobian, entry + k, twisted * scale[v + k], added)


@inline_kernel
def enter_axis_row(A, W, at_body, k, sign, jacobian, scale):
    """`enter_row` for a force of size ``sign`` along the global axis k, as most rows have it, on a rigid body."""
    pose, place = W.pose, W.place
    b, frame, entry = at_body
    body = A.body[b]
    v = body.v
    if body.kind == PLANAR:
        arm = place[frame, SX] if k == 1 else -place[frame, SY]
        jacobian[entry] = jacobian[entry + 1] = 0.0
        jacobian[entry + k] = sign * scale[v + k]
        jacobian[entry + 2] = sign * arm * scale[v + 2]
    elif body.kind == SPATIAL:
        ax, ay, az = axis_moment(pose, b, place, frame, k)
        jacobian[entry] = jacobian[entry + 1] = jacobian[entry + 2] = 0.0
        jacobian[entry + k] = sign * scale[v + k]
        jacobian[entry + 3] = sign * ax * scale[v + 3]
        jacobian[entry + 4] = sign * ay * scale[v + 4]
        jacobian[entry + 5] = sign * az * scale[v + 5]


@inline_kernel
def add_wrench(A, W, b, frame, pull, moment, force):
    """Add the generalised force of a wrench at a frame of body b to ``force`` (nv,). pull, moment: three numbers each."""
    pose, place = W.pose, W.place
    fx, fy, fz = pull
    body = A.body[b]
    v = body.v
    if body.kind == PLANAR:
        x, y, phi = planar_entries(place, frame, fx, fy, moment[2])
        force[v] += x
        force[v + 1] += y
        force[v + 2] += phi
    elif body.kind == SPATIAL:
        ax, ay, az = spatial_moment(pose, b, place, frame, pull, moment)
        force[v] += fx
        force[v + 1] += fy
        force[v + 2] += fz
        force[v + 3] += ax
        force[v + 4] += ay
        force[v + 5] += az
    elif body.kind >= BEAM:
        x, y, phi = planar_entries(place, frame, fx, fy, moment[2])
        load_section(pose, b, x, y, phi)
        force[v] += x
        force[v + 1] += y
        for k in range(2, body.nv):
            at = TWIST + 3 * (k - 2)
            force[v + k] += x * pose[b, at] + y * pose[b, at + 1] + phi * pose[b, at + 2]


@inline_kernel
def add_gyroscopic(bodies, mass, v, force):
    """Add the moments that keep a spinning body's momentum."""
    for b in range(1, bodies.shape[0]):
        if bodies[b].kind == SPATIAL:
            at = bodies[b].v
            x, y, z = gyroscopic_moment(mass, v, at)
            force[at + 3] += x
            force[at + 4] += y
            force[at + 5] += z


@inline_kernel
def spin_momentum(body, b, mass, pose, v):
    """Angular momentum of a body about its centre of mass, global."""
    at = body.v
    if body.kind == SPATIAL:
        return spun(pose, b, mass[at + 3] * v[at + 3], mass[at + 4] * v[at + 4], mass[at + 5] * v[at + 5])
    if body.kind == PLANAR:
        return 0.0, 0.0, mass[at + 2] * v[at + 2]
    return 0.0, 0.0, pose[b, SPIN] if body.kind == BEAM else 0.0


@inline_kernel
def mass_centre(body, b, pose, v):
    """Position and velocity of a body's centre of mass."""
    if body.kind == BEAM:
        return pose[b, CENTRE_X], pose[b, CENTRE_Y], 0.0, v[body.v], v[body.v + 1], 0.0
    return pose[b, OX], pose[b, OY], pose[b, OZ], pose[b, VX], pose[b, VY], pose[b, VZ]


@inline_kernel
def frame_acceleration(bodies, b, pose, place, frame, a):
    """Global acceleration of a frame's point at body accelerations a (nv,): a_o + alpha x s + omega x (omega x s)."""
    x, y, z = place[frame, XDD], place[frame, YDD], place[frame, ZDD]
    body = bodies[b]
    if body.kind == PLANAR:
        x += a[body.v] - a[body.v + 2] * place[frame, SY]
        y += a[body.v + 1] + a[body.v + 2] * place[frame, SX]
    elif body.kind == SPATIAL:
        wx, wy, wz = spun(pose, b, a[body.v + 3], a[body.v + 4], a[body.v + 5])
        ux, uy, uz = cross(wx, wy, wz, place[frame, SX], place[frame, SY], place[frame, SZ])
        x += a[body.v] + ux
        y += a[body.v + 1] + uy
        z += a[body.v + 2] + uz
    elif body.kind >= BEAM:
        x += a[body.v]
        y += a[body.v + 1]
        for k in range(2, body.nv):
            at = TWIST + 3 * (k - 2)
            x += a[body.v + k] * (pose[b, at] - pose[b, at + 2] * place[frame, SY])
            y += a[body.v + k] * (pose[b, at + 1] + pose[b, at + 2] * place[frame, SX])
    return x, y, z


@inline_kernel
def position_rates(bodies, beams, q, v, rates):
    """q-dot from v for all bodies."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            planar_rates(v, body.v, rates, body.q)
        elif body.kind == SPATIAL:
            spatial_rates(body, q, v, rates)
        elif body.kind == BEAM:
            beam_rates(beams, body.beam, q, v, rates)


@inline_kernel
def velocities_of(bodies, beams, q, rates, v):
    """The v that has the given q-dot, for all bodies."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        if body.kind == PLANAR:
            for k in range(3):
                v[body.v + k] = rates[body.q + k]
        elif body.kind == SPATIAL:
            spatial_velocities(body, q, rates, v)
        elif body.kind == BEAM:
            beam_velocities(beams, body.beam, q, rates, v)


@inline_kernel
def displace(bodies, beams, q, step, scale, factor):
    """Move the positions along a mass-scaled velocity-like step: q += factor M^-1/2 step, turned by what is rotation."""
    for b in range(1, bodies.shape[0]):
        body = bodies[b]
        v = body.v
        if body.kind == PLANAR:
            for k in range(3):
                q[body.q + k] += factor * scale[v + k] * step[v + k]
        elif body.kind == SPATIAL:
            dx = factor * scale[v] * step[v]
            dy = factor * scale[v + 1] * step[v + 1]
            dz = factor * scale[v + 2] * step[v + 2]
            ax = factor * scale[v + 3] * step[v + 3]
            ay = factor * scale[v + 4] * step[v + 4]
            az = factor * scale[v + 5] * step[v + 5]
            spatial_displace(body, q, dx, dy, dz, ax, ay, az)
        elif body.kind == BEAM:
            beam_displace(beams, body.beam, q, step, scale, factor)


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
    if row.terms > 0:
        body = bodies[row.body_k]
        for k in range(body.nv):
            total += jacobian[row.entry_k + k] * vector[body.v + k]
        body = bodies[row.body_l]
        for k in range(body.nv):
            total += jacobian[row.entry_l + k] * vector[body.v + k]
    return total
