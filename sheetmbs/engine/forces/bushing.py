"""Bushing: stiffness and damping, or curves, along and about the axes of marker i.

    d = A_i^T (p_j - p_i),  d-dot = A_i^T (p_j-dot - p_i-dot - w_i x (p_j - p_i))
    theta = rotation vector of A_i^T A_j,  w = A_i^T (w_j - w_i)
    V = sum of the integrals of K(d - d0) and K_r(theta - theta0), each component by itself
    f = K(d - d0) + C(d-dot),   m = T^-T K_r(theta - theta0) + C_r(w)   on body i, with f at the point p_j
The rotation vector is continued past half a turn (`engine/rotation_vectors.py`); between planar bodies it is phi_j - phi_i
about z. T^-T makes the moments those of the energy V at any rotation; see Geradin and Cardona (2001), sec. 4.5.
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import PHI, WX, WY, WZ
from sheetmbs.engine.forces.laws import law, law_energy, law_slope
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.revolution_counts import ANGLE
from sheetmbs.engine.rotation_vectors import short_of_turns, times_inverse_t
from sheetmbs.engine.vec import between, cross, speed_between, turned, write_opposite

AXES, STIFFNESS, DAMPING, REST = 0, 9, 15, 21  # where its numbers begin: axes of marker i, row by row, ..
DEFLECTION, RATE, LOAD = (
    0,
    6,
    12,
)  # where its values begin: deflection since the start, its rate, force and moment on body i
CURVE_K, CURVE_C = 0, 6


@inline_kernel
def to_global(number, axes, pose, body, x, y, z):
    """Global components of a vector given in the axes of a marker, whose axes begin at ``axes``."""
    return turned(
        pose,
        body,
        number[axes] * x + number[axes + 1] * y + number[axes + 2] * z,
        number[axes + 3] * x + number[axes + 4] * y + number[axes + 5] * z,
        number[axes + 6] * x + number[axes + 7] * y + number[axes + 8] * z,
    )


@inline_kernel
def global_axes(number, axes, pose, body):
    """The three axes of a marker, global."""
    return (
        turned(pose, body, number[axes], number[axes + 3], number[axes + 6]),
        turned(pose, body, number[axes + 1], number[axes + 4], number[axes + 7]),
        turned(pose, body, number[axes + 2], number[axes + 5], number[axes + 8]),
    )


@inline_kernel
def dot3(a, b):
    """A . b of two tuples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline_kernel
def rotation_now(W, e):
    """The rotation vector theta."""
    k = e.turn
    if k >= 0:
        return W.turn[k, ANGLE], W.turn[k + 1, ANGLE], W.turn[k + 2, ANGLE]
    return 0.0, 0.0, W.pose[e.body_j, PHI] - W.pose[e.body_i, PHI]


@inline_kernel
def times_t_of(W, e, x, y, z, sign):
    """T^-1 (sign -1) or T^-T (sign 1) of the rotation vector, times a vector."""
    tx, ty, tz = short_of_turns(*rotation_now(W, e))
    return times_inverse_t(tx, ty, tz, x, y, z, sign)


@inline_kernel
def deflect(A, W, e):
    """Deflections since the start and rates d-dot and w to its values."""
    number, pose, place, out = A.elements.number, W.pose, W.place, W.element
    i = e.frame_i
    j = e.frame_j
    bi = e.body_i
    bj = e.body_j
    theta = rotation_now(W, e)
    axes = global_axes(number, e.number + AXES, pose, bi)
    far = between(place, i, j)
    swept = cross(pose[bi, WX], pose[bi, WY], pose[bi, WZ], far[0], far[1], far[2])
    vx, vy, vz = speed_between(place, i, j)
    speed = (vx - swept[0], vy - swept[1], vz - swept[2])
    spin = (pose[bj, WX] - pose[bi, WX], pose[bj, WY] - pose[bi, WY], pose[bj, WZ] - pose[bi, WZ])
    rest, at, rate = e.number + REST, e.value + DEFLECTION, e.value + RATE
    for k in range(3):
        out[at + k] = dot3(axes[k], far) - number[rest + k]
        out[rate + k] = dot3(axes[k], speed)
        out[rate + 3 + k] = dot3(axes[k], spin)
        out[at + 3 + k] = theta[k] - number[rest + 3 + k]


@inline_kernel
def elastic_of(A, W, e, k):
    """Elastic force or moment of component k of the deflection."""
    return law(A, W, e.curve + CURVE_K + k, A.elements.number[e.number + STIFFNESS + k], W.element[e.value + k])


@inline_kernel
def damping_of(A, W, e, k):
    """Damping force or moment of component k of the rate."""
    return law(A, W, e.curve + CURVE_C + k, A.elements.number[e.number + DAMPING + k], W.element[e.value + RATE + k])


@inline_kernel
def apply_bushing(A, W, e, force):
    """Values and forces of an element. Returns the power of its damping."""
    pose, place, out = W.pose, W.place, W.element
    deflect(A, W, e)
    at = e.value + LOAD
    power = 0.0
    for k in range(3):
        damping = damping_of(A, W, e, k)
        out[at + k] = elastic_of(A, W, e, k) + damping
        power -= damping * out[e.value + RATE + k]
    moment = times_t_of(W, e, elastic_of(A, W, e, 3), elastic_of(A, W, e, 4), elastic_of(A, W, e, 5), 1.0)
    for k in range(3):
        damping = damping_of(A, W, e, 3 + k)
        out[at + 3 + k] = moment[k] + damping
        power -= damping * out[e.value + RATE + 3 + k]
    i = e.frame_i
    j = e.frame_j
    axes = e.number + AXES
    fx, fy, fz = to_global(A.elements.number, axes, pose, e.body_i, out[at], out[at + 1], out[at + 2])
    mx, my, mz = to_global(A.elements.number, axes, pose, e.body_i, out[at + 3], out[at + 4], out[at + 5])
    dx, dy, dz = between(place, i, j)
    ex, ey, ez = cross(dx, dy, dz, fx, fy, fz)
    add_wrench(A, W, e.body_i, i, (fx, fy, fz), (mx + ex, my + ey, mz + ez), force)
    add_wrench(A, W, e.body_j, j, (-fx, -fy, -fz), (-mx, -my, -mz), force)
    return power


@inline_kernel
def bushing_energy(A, W, e):
    """Elastic energy of a bushing, J."""
    total = 0.0
    for k in range(6):
        factor = A.elements.number[e.number + STIFFNESS + k]
        total += law_energy(A, e.curve + CURVE_K + k, factor, W.element[e.value + k])
    return total


@inline_kernel
def bushing_slopes(A, W, e, component):
    """Derivatives of the force by a component and its rate: see `bushing_gradient`."""
    number, out = A.elements.number, W.element
    stiffness = damping = 0.0
    if component < 6:
        factor = number[e.number + STIFFNESS + component]
        stiffness = law_slope(A, W, e.curve + CURVE_K + component, factor, out[e.value + component])
    k = component if component < 3 else component - 3
    if component < 3 or component >= 6:
        factor = number[e.number + DAMPING + k]
        damping = law_slope(A, W, e.curve + CURVE_C + k, factor, out[e.value + RATE + k])
    return stiffness, damping


@inline_kernel
def bushing_gradient(A, W, e, component, gradient, n):
    """Gradient in twist space, to row n, of a component: 0-2 of d, 3-5 of theta, 6-8 of w (a rate that no angle has)."""
    number, pose, place = A.elements.number, W.pose, W.place
    axes = e.number + AXES
    m = component % 3
    x = 1.0 if m == 0 else 0.0
    y = 1.0 if m == 1 else 0.0
    z = 1.0 if m == 2 else 0.0
    if component < 3:
        i = e.frame_i
        j = e.frame_j
        ax, ay, az = to_global(number, axes, pose, e.body_i, x, y, z)
        dx, dy, dz = between(place, i, j)
        ex, ey, ez = cross(dx, dy, dz, ax, ay, az)
        write_opposite(gradient, n, 0, ax, ay, az)
        gradient[n, 3], gradient[n, 4], gradient[n, 5] = -ex, -ey, -ez
        return
    if component < 6:
        x, y, z = times_t_of(W, e, x, y, z, 1.0)
    ax, ay, az = to_global(number, axes, pose, e.body_i, x, y, z)
    write_opposite(gradient, n, 3, ax, ay, az)


@inline_kernel
def bushing_argument(A, W, e, curve):
    """What a curve's x is at the places in W, and its time derivative (of a rate, 0)."""
    deflect(A, W, e)
    out, rate = W.element, e.value + RATE
    if curve >= CURVE_C:
        return out[rate + curve - CURVE_C], 0.0
    if curve < 3:
        return out[e.value + curve], out[rate + curve]
    x, y, z = times_t_of(W, e, out[rate + 3], out[rate + 4], out[rate + 5], -1.0)
    return out[e.value + curve], x if curve == 3 else y if curve == 4 else z
