"""Journal in a bearing with clearance: dry contact after Hertz, damped by restitution, Coulomb friction, and an oil film.

Seen from the bearing (body i, axis a), in the plane across the axis: r from its centre to that of the journal (body j),
e = |r|, n = r/e, t = a x n, clearance c = R_i - R_j, depth d = e - c, d-dot = e-dot. On the journal act

    dry    N = max(0, K d^1.5 (1 + chi d-dot/v0)) along -n,  T = -mu g(|u|) N sign(u) along t,  both at the contact
           u: sliding speed there; g: smooth step from 0 to 1 between two sliding speeds (after Ambrosio 2003)
    film   N = 6 C (4 eps U + (2 + eps^2) pi eps-dot) f/((2 + eps^2) s^3),   T = 6 pi C W f/((2 + eps^2) s)
           eps = e/c,  s = sqrt(1 - eps^2),  C = mu L R_j^3/c^2,  W = eps (w_i + w_j - 2 gamma-dot)
           U = s sqrt(W^2/4 + eps-dot^2),   f = (U + 3 max(eps eps-dot, 0))/(U + 3/2 |eps eps-dot|)

which are the formulas of Pinkus and Sternlicht (1961) for a long bearing, written so that they hold at eps-dot = 0 and at the
centre too. The film's shear balances the couple e T, half on either body, and drags with 2 pi mu L R_j^3/(c s) times the
relative angular velocity. Where the film has become as thin as the surfaces are rough, it is taken with that thickness; once
they touch, it gives way to the dry contact within a depth of the same size.
"""

import math

from sheetmbs.compiled import inline_kernel, kernel
from sheetmbs.engine.codes import WX, WY, WZ
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.vec import between, cross, dot, speed_between, turned

# Columns of `Work.contact`: whether a contact is under way, and the normal speed v0 at which it began. What it was found to be:
# eccentricity, depth (negative when apart), its rate, normal and tangential force on the journal, elastic energy, and the
# place of the journal's centre in the axes of marker i.
CLOSED, SPEED, ECCENTRICITY, DEPTH, RATE, NORMAL, TANGENTIAL, ENERGY, ALONG_X, ALONG_Y = range(10)

CENTRED = 1e-9
"""of the clearance: a journal that is nearer to the centre is there"""


@inline_kernel
def smooth_step(x):
    """0 below 0, 1 above 1, 3 x^2 - 2 x^3 between."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@inline_kernel
def seen_from_bearing(record, pose, place):
    """Axis a, r, how far the journal stands along the axis, and the velocity of r as the bearing sees it, less its spin.

    The velocity is that of the journal's centre against the point of the axis beside it.
    """
    i = record.frame_i
    j = record.frame_j
    b = record.body_i
    ax, ay, az = turned(pose, b, record.z1, record.z2, record.z3)
    dx, dy, dz = between(place, i, j)
    along = dot(ax, ay, az, dx, dy, dz)
    sx, sy, sz = cross(pose[b, WX], pose[b, WY], pose[b, WZ], along * ax, along * ay, along * az)
    vx, vy, vz = speed_between(place, i, j)
    return ax, ay, az, dx - along * ax, dy - along * ay, dz - along * az, along, vx - sx, vy - sy, vz - sz


@inline_kernel
def film_force(record, eps, squeeze, whirl):
    """Normal and tangential force of the film at eps < 1, eps-dot and W."""
    s2 = 1.0 - eps * eps
    s = math.sqrt(s2)
    wedge = s * math.sqrt(0.25 * whirl * whirl + squeeze * squeeze)
    both = eps * squeeze
    below = wedge + 1.5 * abs(both)
    share = (wedge + 3.0 * max(both, 0.0)) / below if below > 0.0 else 1.0
    common = 6.0 * record.film * share / (2.0 + eps * eps)
    normal = common * (4.0 * eps * wedge + (2.0 + eps * eps) * math.pi * squeeze) / (s2 * s)
    return normal, common * math.pi * whirl / s


@kernel
def apply_clearances(A, W, force) -> float:
    """Forces of all joints with clearance; what they are goes to contact. Returns their power but that of elastic contact."""
    records, pose, place, contact = A.clearance, W.pose, W.place, W.contact
    power = 0.0
    for k in range(records.shape[0]):
        record = records[k]
        bi = record.body_i
        bj = record.body_j
        ax, ay, az, rx, ry, rz, along, ux, uy, uz = seen_from_bearing(record, pose, place)
        xx, xy, xz = turned(pose, bi, record.x1, record.x2, record.x3)
        yx, yy, yz = turned(pose, bi, record.y1, record.y2, record.y3)
        e = math.sqrt(rx * rx + ry * ry + rz * rz)
        if e > CENTRED * record.clearance:
            nx, ny, nz = rx / e, ry / e, rz / e
        else:  # any direction across the axis, while that of r is rounding
            nx, ny, nz = xx, xy, xz
        tx, ty, tz = cross(ax, ay, az, nx, ny, nz)
        rate = dot(nx, ny, nz, ux, uy, uz)
        across = dot(tx, ty, tz, ux, uy, uz)
        depth = e - record.clearance
        wi = dot(ax, ay, az, pose[bi, WX], pose[bi, WY], pose[bi, WZ])
        wj = dot(ax, ay, az, pose[bj, WX], pose[bj, WY], pose[bj, WZ])
        rho = record.radius_i - e  # from the journal's centre to the contact
        normal = 0.0
        tangential = 0.0
        couple = 0.0
        energy = 0.0
        if depth > 0.0 and contact[k, CLOSED] > 0.0:
            elastic = record.stiffness * depth * math.sqrt(depth)
            energy = 0.4 * elastic * depth
            normal = max(0.0, elastic * (1.0 + record.damping * rate / contact[k, SPEED]))
            slide = across + rho * wj - record.radius_i * wi
            grip = smooth_step((abs(slide) - record.slip) / (record.full_slip - record.slip))
            tangential = -math.copysign(record.friction * grip * normal, slide)
            couple = rho * tangential
            power += tangential * slide - (normal - elastic) * rate
        if record.film > 0.0:
            rough = record.thinnest
            eps = min(e / record.clearance, 1.0 - rough)
            fade = 1.0 - smooth_step(depth / (rough * record.clearance))
            whirl = eps * (wi + wj) - 2.0 * across / record.clearance
            pressed, dragged = film_force(record, eps, rate / record.clearance, whirl)
            pressed *= fade
            dragged *= fade
            sheared = 0.5 * e * dragged + fade * record.drag / math.sqrt(1.0 - eps * eps) * (wj - wi)
            normal += pressed
            tangential += dragged
            couple -= sheared
            power += dragged * (across - e * wi) - pressed * rate - sheared * (wj - wi)
        # the forces on both bodies at the journal's centre, the couples about the axis: opposite, so momentum is kept
        fx = tangential * tx - normal * nx
        fy = tangential * ty - normal * ny
        fz = tangential * tz - normal * nz
        mx, my, mz = cross(fx, fy, fz, rx + along * ax, ry + along * ay, rz + along * az)
        sign = 1.0
        add_to, frame = bj, record.frame_j
        for _ in range(2):
            share = 0.0 if sign > 0.0 else 1.0
            turning = sign * couple
            moment = share * mx + turning * ax, share * my + turning * ay, share * mz + turning * az
            add_wrench(A, W, add_to, frame, (sign * fx, sign * fy, sign * fz), moment, force)
            sign = -1.0
            add_to, frame = bi, record.frame_i
        contact[k, ECCENTRICITY] = e
        contact[k, DEPTH] = depth
        contact[k, RATE] = rate
        contact[k, NORMAL] = normal
        contact[k, TANGENTIAL] = tangential
        contact[k, ENERGY] = energy
        contact[k, ALONG_X] = dot(xx, xy, xz, rx, ry, rz)
        contact[k, ALONG_Y] = dot(yx, yy, yz, rx, ry, rz)
    return power
