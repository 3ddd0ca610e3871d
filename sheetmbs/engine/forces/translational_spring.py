"""Translational spring-damper-actuator (Nikravesh 1988, sec. 9.2.3 to 9.2.5).

d = p_j - p_i,  l = |d|,  u = d/l,  l-dot = u . d-dot
f = f_s(l - l0) + f_d(l-dot) + F;  f u acts on body i at its frame, -f u on body j: + pulls the ends together
"""

import math

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.forces.laws import law, law_energy, law_slope
from sheetmbs.engine.kinematics import add_wrench
from sheetmbs.engine.vec import between, dot, speed_between, write_opposite

K, C, ACTUATOR, NATURAL = range(4)  # its numbers
LENGTH, RATE, ELASTIC, DAMPING, TOTAL, DEFLECTION = range(6)  # its values
CURVE_K, CURVE_C = range(2)


@inline_kernel
def length_and_rate(place, i, j):
    """Length, its rate, and the unit vector from frame i to frame j (zero where they coincide)."""
    dx, dy, dz = between(place, i, j)
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    inverse = 1.0 / length if length > 0.0 else 0.0
    ux = dx * inverse
    uy = dy * inverse
    uz = dz * inverse
    vx, vy, vz = speed_between(place, i, j)
    rate = dot(ux, uy, uz, vx, vy, vz)
    return length, rate, ux, uy, uz


@inline_kernel
def pull_together(A, W, e, tension, ux, uy, uz, force):
    """Add a tension along u, which points from frame i to frame j, to the forces on both bodies."""
    for side in range(2):
        body = e.body_i if side == 0 else e.body_j
        frame = e.frame_i if side == 0 else e.frame_j
        f = (1.0 - 2.0 * side) * tension
        add_wrench(A, W, body, frame, (f * ux, f * uy, f * uz), (0.0, 0.0, 0.0), force)


@inline_kernel
def spring_force(A, W, e, length, rate):
    """Write the values of an element, also of a rotational one; returns its force, and the power without the elastic part."""
    number, at, out = A.elements.number, e.number, W.element
    deflection = length - number[at + NATURAL]
    elastic = law(A, W, e.curve + CURVE_K, number[at + K], deflection)
    damping = law(A, W, e.curve + CURVE_C, number[at + C], rate)
    total = elastic + damping + number[at + ACTUATOR]
    out[e.value + LENGTH] = length
    out[e.value + RATE] = rate
    out[e.value + ELASTIC] = elastic
    out[e.value + DAMPING] = damping
    out[e.value + TOTAL] = total
    out[e.value + DEFLECTION] = deflection
    return total, -(damping + number[at + ACTUATOR]) * rate


@inline_kernel
def apply_translational(A, W, e, force):
    """Values and forces of an element. Returns the power of all but its elastic force."""
    length, rate, ux, uy, uz = length_and_rate(W.place, e.frame_i, e.frame_j)
    tension, power = spring_force(A, W, e, length, rate)
    pull_together(A, W, e, tension, ux, uy, uz, force)
    return power


@inline_kernel
def spring_energy(A, W, e):
    """Elastic energy, of a rotational spring too."""
    return law_energy(A, e.curve + CURVE_K, A.elements.number[e.number + K], W.element[e.value + DEFLECTION])


@inline_kernel
def spring_slopes(A, W, e):
    """Derivatives of the force by deflection and rate, of a rotational spring too."""
    number, at = A.elements.number, e.number
    stiffness = law_slope(A, W, e.curve + CURVE_K, number[at + K], W.element[e.value + DEFLECTION])
    return stiffness, law_slope(A, W, e.curve + CURVE_C, number[at + C], W.element[e.value + RATE])


@inline_kernel
def length_gradient(W, e, gradient, n):
    """Gradient of the length in twist space, to row n."""
    _length, _rate, ux, uy, uz = length_and_rate(W.place, e.frame_i, e.frame_j)
    write_opposite(gradient, n, 0, ux, uy, uz)


@inline_kernel
def translational_argument(A, W, e, curve):
    """What a curve's x is at the places in W, and its time derivative (of a rate, 0)."""
    length, rate, _x, _y, _z = length_and_rate(W.place, e.frame_i, e.frame_j)
    if curve == CURVE_C:
        return rate, 0.0
    return length - A.elements.number[e.number + NATURAL], rate
